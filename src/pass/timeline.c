/* SPDX-License-Identifier: MIT */
#include "pass/timeline.h"

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

#define RELEASES_MAX ((size_t)64 << 20) /* groups times buffers: far above any model */
#define MARKS_MAX ((size_t)1 << 26)     /* operations of all layers: 100,000 layers of 600 operations */

typedef enum live_kind {
    LIVE_BUFFER,   /* of the places, in one layer */
    LIVE_GRADIENT, /* of a tensor */
    LIVE_CACHE     /* of a tensor that decoding carries on */
} live_kind;

typedef struct live {
    uint32_t what;  /* the buffer, or the tensor */
    uint32_t holds; /* who needs it still: 0: it is dead */
    live_kind kind;
    rk_live as; /* what it counts as now */
} live;

typedef enum mark_kind {
    MARK_OP,
    MARK_LOOP,    /* a loop begins */
    MARK_LAYER,   /* a layer begins */
    MARK_AGAIN,   /* layers that are computed again: what goes into the first is kept */
    MARK_PIECE,   /* operations that are */
    MARK_FUSED,   /* the head and the loss, with their gradients */
    MARK_LAYERED, /* it has ended */
    MARK_LOOPED   /* all have */
} mark_kind;

/* What was done forward, to be undone backward. */
typedef struct mark {
    mark_kind kind;
    uint32_t which; /* the operation, the loop, the group of the layer, or the piece */
    size_t kept;    /* OP: where what it keeps begins in the list */
    uint32_t n_kept;
    uint32_t layer; /* LAYER, LAYERED: its running number; AGAIN: that of the first … */
    uint32_t n;     /* … and how many there are */
} mark;

/* A buffer that is let go behind an event of a group. */
typedef struct release {
    uint32_t group, event, buffer;
} release;

typedef struct walk {
    rk_arena *a;
    const rk_model *m;
    const rk_program *p;
    const rk_places *pl;
    const rk_flow *f;
    const rk_timeline_options *o;
    rk_binding at;
    rk_err *err;
    int code; /* sticky */

    rk_i128 *bytes;          /* of each buffer */
    bool *one_place;         /* of each buffer: of a sequence, one place is made */
    rk_i128 *tensor_bytes;   /* of each tensor, which is what its gradient has */
    uint32_t *now;           /* of each buffer, the one of this layer; RK_NONE: there is none */
    uint32_t *gradient;      /* of each tensor, likewise */
    uint32_t *last;          /* [group][buffer]: behind which event of the group it is let go; see event_… */
    RK_VEC(release) release; /* the same as a list, by event and group */
    uint32_t *first_release; /* of each event: where its releases begin in the list */
    bool *held;              /* of each buffer: a variable of the model outside of layers has it to the end */
    bool *carried_out;       /* of each buffer: it is what a variable of a loop is after a layer */
    RK_VEC(live) live;
    RK_VEC(mark) tape;
    RK_VEC(uint32_t) kept;
    RK_VEC(uint32_t) lent; /* what layers that will be computed again read from outside of them */
    uint32_t **carry;      /* of each loop: what its variables are now */

    uint32_t *layer; /* the running numbers of the loops around, the outermost first */
    size_t n_layer;
    size_t loops_left; /* backward: loops outside of layers that have not begun … */
    size_t loops_done; /* … and that have ended */
    size_t n_done;     /* operations done, all layers together */

    rk_i128 sum;
    rk_i128 alive[RK_N_LIVE]; /* the same by what it is */
    rk_scene scene;           /* the operation being done, for a watcher */
    rk_i128 scene_sum;        /* the largest sum in it */
    size_t n_event;
    rk_timeline *out;
    rk_moment *moment; /* the largest sum is noted here … */
    bool looking;      /* … or, in a second walk, who is alive at it */
    bool forgetting;   /* nothing is kept: the layer will be computed again */
    bool again;        /* it is being computed again */
    bool again_piece;  /* a piece is */
    uint32_t *uses;    /* of each tensor that is a weight and has its storage: in how many places */
    bool *takes_in;    /* likewise: its gradient is nobody else's, so that others can be added to it in place */
} walk;

/* ---- sizes ------------------------------------------------------------------------------------------------------ */

static rk_i128 value(walk *w, rk_ex e)
{
    rk_i128 n = 0;

    if (w->code == RK_OK)
        w->code = rk_ex_eval(w->m->pool, e, &w->at, &n, w->err);
    return n;
}

static rk_i128 rounded(const walk *w, rk_i128 bytes)
{
    rk_i128 unit = w->o->rounding;

    return (bytes + unit - 1) / unit * unit;
}

static rk_i128 tensor_count(walk *w, const rk_tensor *t)
{
    rk_i128 n = 1;

    for (size_t i = 0; i < t->axes.n; i++)
        n *= value(w, t->axes.at[i].size);
    return n;
}

static bool ends_alike(const rk_tensor *a, const rk_tensor *b)
{
    return a->axes.n > 0 && b->axes.n > 0 && a->axes.at[a->axes.n - 1].size == b->axes.at[b->axes.n - 1].size;
}

/* Of what leads to an output that has all places of a sequence, and is as wide as it, one place is made. */
static void one_place(walk *w, uint32_t tensor, const rk_tensor *output)
{
    const rk_tensor *t = &w->p->tensor[tensor];
    rk_i128 all = value(w, w->o->places);

    if (t->kind != RK_TENSOR_RESULT || t->group != 0 || w->pl->tensor[tensor].buffer == RK_NONE ||
        !ends_alike(t, output))
        return;
    for (size_t i = 0; i < t->axes.n && all > 0; i++)
        if (t->axes.at[i].size == w->o->places) {
            w->bytes[w->pl->tensor[tensor].buffer] =
                rounded(w, tensor_count(w, t) / all * rk_type_bytes(w->pl->tensor[tensor].type, &w->o->run));
            w->one_place[w->pl->tensor[tensor].buffer] = true;
        }
}

/* Elements of a tensor's gradient; within the head and the loss those of a chunk. */
static rk_i128 gradient_count(walk *w, size_t tensor)
{
    const rk_tensor *t = &w->p->tensor[tensor];
    const rk_tail *tail = w->o->tail;
    rk_i128 n = tensor_count(w, t);
    bool within = tail && t->kind == RK_TENSOR_RESULT && t->producer != RK_NONE && t->producer >= tail->ops.first;

    return within && tail->n_token > 0 && n % tail->n_token == 0 ? n / tail->n_token * tail->chunk : n;
}

static void measure(walk *w)
{
    for (size_t i = 0; i < w->pl->n_buffer; i++) {
        const rk_buffer *b = &w->pl->buffer[i];

        w->bytes[i] = rounded(w, value(w, b->count) * rk_type_bytes(b->type, &w->o->run));
    }
    for (size_t i = 0; w->o->places != RK_EX_FAILED && w->p->n_output && i < w->p->n_tensor; i++)
        one_place(w, (uint32_t)i, &w->p->tensor[w->p->output[0]]);
    for (size_t i = 0; i < w->p->n_tensor; i++)
        w->tensor_bytes[i] = rounded(w, gradient_count(w, i) * rk_type_bytes(w->pl->tensor[i].type, &w->o->run));
}

/* ---- births and deaths ------------------------------------------------------------------------------------------ */

static rk_i128 bytes_of(const walk *w, const live *l)
{
    return l->kind == LIVE_BUFFER     ? w->bytes[l->what]
           : l->kind == LIVE_GRADIENT ? w->tensor_bytes[l->what]
                                      : w->o->cache[l->what];
}

static void look(walk *w)
{
    for (size_t i = 0; i < w->live.n; i++) {
        const live *l = &w->live.at[i];

        if (l->holds > 0)
            (l->kind == LIVE_BUFFER     ? w->moment->buffers
             : l->kind == LIVE_GRADIENT ? w->moment->gradients
                                        : w->moment->caches)[l->what]++;
    }
}

/* ---- scenes, for a watcher -------------------------------------------------------------------------------------- */

static bool is_watched(const walk *w)
{
    return w->o->watcher.see && !w->looking;
}

static void note_scene(walk *w)
{
    memcpy(w->scene.bytes, w->alive, sizeof w->alive);
    w->scene_sum = w->sum;
}

static void begin_scene(walk *w, uint32_t op, rk_stage stage)
{
    if (!is_watched(w))
        return;
    w->scene = (rk_scene){.stage = stage, .op = op, .layer = w->layer, .n_layer = w->n_layer};
    note_scene(w);
}

static void end_scene(walk *w)
{
    if (is_watched(w))
        w->o->watcher.see(w->o->watcher.self, &w->scene);
}

static void note_sum(walk *w, uint32_t op)
{
    w->n_event++;
    if (w->sum > w->scene_sum && is_watched(w))
        note_scene(w);
    if (w->looking && w->n_event == w->moment->event)
        look(w);
    if (w->looking || w->sum <= w->moment->bytes)
        return;
    w->moment->bytes = w->sum;
    w->moment->op = op;
    w->moment->event = w->n_event;
}

static bool is_weight(const walk *w, uint32_t tensor)
{
    return w->p->tensor[tensor].kind == RK_TENSOR_WEIGHT;
}

static rk_live first_as(const walk *w, live_kind kind, uint32_t what)
{
    return kind == LIVE_BUFFER  ? RK_LIVE_PASSING
           : kind == LIVE_CACHE ? RK_LIVE_CACHE
           : is_weight(w, what) ? RK_LIVE_WEIGHT_GRADIENT
                                : RK_LIVE_GRADIENT;
}

static uint32_t born(walk *w, live_kind kind, uint32_t what, uint32_t op)
{
    live *l = RK_PUSH(w->a, &w->live);

    if (!l) {
        w->code = w->code == RK_OK ? rk_fail_memory(w->err) : w->code;
        return RK_NONE;
    }
    *l = (live){.what = what, .holds = 1, .kind = kind, .as = first_as(w, kind, what)};
    w->sum += bytes_of(w, l);
    w->alive[l->as] += bytes_of(w, l);
    note_sum(w, op);
    return (uint32_t)(w->live.n - 1);
}

static void hold(walk *w, uint32_t i)
{
    if (i != RK_NONE)
        w->live.at[i].holds++;
}

static void let_go(walk *w, uint32_t i)
{
    if (i == RK_NONE || w->live.at[i].holds == 0 || --w->live.at[i].holds > 0)
        return;
    w->sum -= bytes_of(w, &w->live.at[i]);
    w->alive[w->live.at[i].as] -= bytes_of(w, &w->live.at[i]);
}

/* From now on the backward pass needs it. */
static void hold_for_backward(walk *w, uint32_t i)
{
    hold(w, i);
    if (i == RK_NONE || w->live.at[i].as != RK_LIVE_PASSING)
        return;
    w->live.at[i].as = RK_LIVE_KEPT;
    w->alive[RK_LIVE_PASSING] -= bytes_of(w, &w->live.at[i]);
    w->alive[RK_LIVE_KEPT] += bytes_of(w, &w->live.at[i]);
}

/* ---- who reads what for the last time --------------------------------------------------------------------------- */

/* Events of a group: an operation has been done, a loop begins, a loop has ended. */
static uint32_t event_op(size_t op)
{
    return (uint32_t)(2 * op + 1);
}

static uint32_t event_enter(const rk_loop *l)
{
    return (uint32_t)(2 * l->first_op);
}

static uint32_t event_leave(const rk_loop *l)
{
    return event_op(l->end_op - 1);
}

static uint32_t *last_of(walk *w, uint32_t group, uint32_t buffer)
{
    return &w->last[(size_t)group * w->pl->n_buffer + buffer];
}

static void read_at(walk *w, uint32_t group, uint32_t buffer, uint32_t event)
{
    uint32_t *last = last_of(w, group, buffer);

    if (*last == RK_NONE || *last < event)
        *last = event;
}

static uint32_t buffer_of(const walk *w, uint32_t tensor)
{
    return w->pl->tensor[tensor].buffer;
}

/* Whether a buffer is a variable of the loop when a layer of this group begins. */
static bool comes_in(const walk *w, uint32_t group, uint32_t buffer)
{
    const rk_group *g = &w->p->group[group];

    for (size_t v = 0; g->loop != RK_NONE && v < w->p->loop[g->loop].n_carry; v++)
        if (buffer_of(w, g->in[v]) == buffer)
            return true;
    return false;
}

/* Whether it is one when a loop of this group has ended. */
static bool comes_out(const walk *w, uint32_t group, uint32_t buffer)
{
    for (size_t i = 0; i < w->p->n_loop; i++) {
        const rk_loop *l = &w->p->loop[i];
        const rk_group *end = l->n_group ? &w->p->group[l->group[l->n_group - 1]] : NULL;

        for (size_t v = 0; end && l->parent == group && v < l->n_carry; v++)
            if (buffer_of(w, end->out[v]) == buffer)
                return true;
    }
    return false;
}

/* The group whose affair the buffer is, from the one that reads it outwards; there the reading is an event. */
static void note_read(walk *w, uint32_t group, uint32_t buffer, uint32_t event)
{
    while (w->pl->buffer[buffer].group != group && !comes_in(w, group, buffer) && !comes_out(w, group, buffer)) {
        const rk_group *g = &w->p->group[group];

        if (g->loop == RK_NONE)
            return;
        event = event_leave(&w->p->loop[g->loop]);
        group = g->parent;
    }
    read_at(w, group, buffer, event);
}

static void note_loops(walk *w)
{
    for (size_t i = 0; i < w->p->n_loop; i++) {
        const rk_loop *l = &w->p->loop[i];

        for (size_t v = 0; l->n_group && v < l->n_carry; v++) {
            uint32_t first = buffer_of(w, w->p->group[l->group[0]].in[v]);

            if (first != RK_NONE)
                note_read(w, l->parent, first, event_enter(l));
        }
        for (size_t k = 0; k < l->n_group; k++)
            for (size_t v = 0; v < l->n_carry; v++) {
                uint32_t out = buffer_of(w, w->p->group[l->group[k]].out[v]);

                if (out != RK_NONE)
                    w->carried_out[out] = true;
            }
    }
}

/* From where on a tensor is read from its cache, and not from where it was made. */
static size_t cached_from(const walk *w, uint32_t tensor)
{
    for (size_t k = 0; w->o->cache && w->o->cache[tensor] > 0 && k < w->p->n_keep; k++)
        if (w->p->keep[k].tensor == tensor && w->p->keep[k].last == RK_EX_FAILED) /* of a state it is a copy */
            return w->p->keep[k].at;
    return SIZE_MAX;
}

/* A variable of a part holds its tensor until the part ends; outside of layers, until all ends. */
static void note_variables(walk *w)
{
    for (size_t i = 0; i < w->p->n_tensor; i++) {
        const rk_tensor *t = &w->p->tensor[i];
        uint32_t b = buffer_of(w, (uint32_t)i);
        size_t cached = cached_from(w, (uint32_t)i), until = t->until < cached ? t->until : cached - 1;

        if (t->kind != RK_TENSOR_RESULT || t->until == RK_NONE || b == RK_NONE || w->pl->buffer[b].stored)
            continue;
        if (t->group == 0 && (w->p->op[t->until].group != 0 || t->until + 1 == w->p->n_op))
            w->held[b] = true;
        else
            note_read(w, w->p->op[until].group, b, event_op(until));
    }
}

static bool is_skipped(const walk *w, size_t op)
{
    return w->o->skip && w->o->skip[op];
}

/* The function around the layers has what it hands to them. */
static void hold_handed(walk *w)
{
    for (size_t b = 0; b < w->pl->n_buffer; b++)
        if (w->pl->buffer[b].handed)
            w->held[b] = true;
}

/* Chunk by chunk, nobody ever has the logits of all tokens. */
static void hold_no_logits(walk *w)
{
    for (size_t i = w->o->tail->ops.first; i < w->p->n_op; i++)
        for (uint32_t b = w->pl->op[i].made; b < w->pl->op[i].made + w->pl->op[i].n_made; b++)
            w->held[b] = false;
}

/* What goes into a piece is there when it begins, also where its operations make copies of it. */
static void note_piece_inputs(walk *w)
{
    for (size_t n = 0; w->o->pieces && n < w->o->pieces->n; n++)
        for (size_t i = w->o->pieces->at[n].first; i < w->o->pieces->at[n].end; i++)
            for (size_t k = 0; k < w->p->op[i].n_in; k++) {
                uint32_t b = buffer_of(w, w->p->op[i].in[k].tensor);

                if (b != RK_NONE && !w->pl->buffer[b].stored)
                    note_read(w, w->p->op[i].group, b, event_op(i));
            }
}

static void note_reads(walk *w)
{
    memset(w->last, 0xFF, w->p->n_group * w->pl->n_buffer * sizeof *w->last);
    for (size_t i = 0; i < w->p->n_op; i++)
        for (size_t k = 0; !is_skipped(w, i) && k < w->pl->op[i].n_read; k++) {
            uint32_t b = w->pl->list[w->pl->op[i].read + k];

            bool cached = k < w->p->op[i].n_in && i >= cached_from(w, w->p->op[i].in[k].tensor);

            if (b != RK_NONE && !w->pl->buffer[b].stored && !cached)
                note_read(w, w->p->op[i].group, b, event_op(i));
        }
    note_piece_inputs(w);
    note_variables(w);
    note_loops(w);
    for (size_t i = 0; i < w->p->n_output; i++)
        if (buffer_of(w, w->p->output[i]) != RK_NONE)
            w->held[buffer_of(w, w->p->output[i])] = true;
    hold_handed(w);
    if (w->o->tail)
        hold_no_logits(w);
}

/* Who lets go: the group that made it, or the one around a loop of whose variables it is the last value. */
static bool lets_go(const walk *w, uint32_t group, uint32_t buffer)
{
    if (w->held[buffer] || comes_in(w, group, buffer))
        return false;
    return !w->carried_out[buffer] || comes_out(w, group, buffer);
}

static int by_event(const void *a, const void *b)
{
    const release *x = a, *y = b;

    if (x->event != y->event)
        return x->event < y->event ? -1 : 1;
    return (x->group > y->group) - (x->group < y->group);
}

static void index_releases(walk *w)
{
    size_t i = 0;

    for (size_t event = 0; event < 2 * w->p->n_op + 2; event++) {
        while (i < w->release.n && w->release.at[i].event < event)
            i++;
        w->first_release[event] = (uint32_t)i;
    }
}

static void list_releases(walk *w)
{
    for (uint32_t g = 0; g < w->p->n_group; g++)
        for (uint32_t b = 0; b < w->pl->n_buffer; b++) {
            release *slot = *last_of(w, g, b) != RK_NONE && lets_go(w, g, b) ? RK_PUSH(w->a, &w->release) : NULL;

            if (slot)
                *slot = (release){g, *last_of(w, g, b), b};
        }
    if (w->release.n > 0)
        qsort(w->release.at, w->release.n, sizeof *w->release.at, by_event);
    index_releases(w);
}

static void after_event(walk *w, uint32_t group, uint32_t event)
{
    for (size_t i = w->first_release[event]; i < w->release.n && w->release.at[i].event == event; i++)
        if (w->release.at[i].group == group)
            let_go(w, w->now[w->release.at[i].buffer]);
}

/* ---- forward ---------------------------------------------------------------------------------------------------- */

static void put_mark(walk *w, mark m)
{
    mark *slot = w->forgetting ? NULL : RK_PUSH(w->a, &w->tape);

    if (w->forgetting)
        return;
    if (slot)
        *slot = m;
    else
        w->code = w->code == RK_OK ? rk_fail_memory(w->err) : w->code;
}

static void keep_all(walk *w, const rk_place_op *op, mark *m)
{
    m->kept = w->kept.n;
    for (size_t k = 0; w->o->backward && !w->forgetting && k < op->n_kept; k++) {
        uint32_t i = w->now[w->pl->list[op->read + op->n_read + k]], *slot;

        if (i == RK_NONE)
            continue;
        hold_for_backward(w, i);
        if ((slot = RK_PUSH(w->a, &w->kept))) {
            *slot = i;
            m->n_kept++;
        }
    }
}

/* What nobody reads is let go at once: copies, statistics, what is only kept. */
static void let_go_made(walk *w, size_t i)
{
    const rk_place_op *op = &w->pl->op[i];

    for (uint32_t b = op->made; b < op->made + op->n_made; b++)
        if (!w->held[b] && !w->carried_out[b] && *last_of(w, w->p->op[i].group, b) == RK_NONE &&
            w->pl->buffer[b].op != RK_NONE)
            let_go(w, w->now[b]);
}

/* What is carried on is copied into its cache where the model file says so. */
static void fill_cache(walk *w, const rk_keep *k, uint32_t op)
{
    bool stays = k->once || k->last != RK_EX_FAILED; /* nothing is added, or it is changed in its place */

    if (!w->o->carried)
        born(w, LIVE_CACHE, k->tensor, op);
    else if (!stays)
        let_go(w, born(w, LIVE_CACHE, k->tensor, op)); /* the longer one is there before the shorter one goes */
}

static void fill_caches(walk *w, size_t i)
{
    for (size_t k = 0; w->o->cache && k < w->p->n_keep; k++)
        if (w->p->keep[k].at == i + 1 && w->o->cache[w->p->keep[k].tensor] > 0)
            fill_cache(w, &w->p->keep[k], (uint32_t)i);
}

/* The caches of all layers, where a step finds them there. */
static void born_caches(walk *w)
{
    for (size_t k = 0; w->o->cache && w->o->carried && k < w->p->n_keep; k++) {
        rk_i128 n = value(w, rk_group_times(w->p, w->p->keep[k].group));

        for (; n > 0 && w->o->cache[w->p->keep[k].tensor] > 0 && w->code == RK_OK; n--)
            born(w, LIVE_CACHE, w->p->keep[k].tensor, RK_NONE);
    }
}

static void count_done(walk *w)
{
    if (++w->n_done > MARKS_MAX && w->code == RK_OK)
        w->code =
            rk_fail(w->err, RK_ELIMIT, "the layers have too many operations for a timeline (limit is %zu)", MARKS_MAX);
}

/* The weight that an operation reads written out, or RK_NONE. */
static uint32_t unpack(walk *w, size_t i)
{
    const rk_op *op = &w->p->op[i];

    for (size_t k = 0; w->o->unpacks && op->summed && k < op->n_in; k++)
        if (w->o->unpacks[op->in[k].tensor])
            return born(w, LIVE_BUFFER, buffer_of(w, op->in[k].tensor), (uint32_t)i);
    return RK_NONE;
}

/* Copies in eight bits: of both operands, and backward of the result's gradient too. */
static void born_casts(walk *w, size_t i, uint32_t n, uint32_t cast[3])
{
    const rk_place_op *op = &w->pl->op[i];

    for (uint32_t k = 0; k < n && k < op->n_cast && w->code == RK_OK; k++)
        cast[k] = born(w, LIVE_BUFFER, op->cast + k, (uint32_t)i);
}

static void let_go_casts(walk *w, size_t i, uint32_t n, const uint32_t cast[3])
{
    for (uint32_t k = 0; k < n && k < w->pl->op[i].n_cast && w->code == RK_OK; k++)
        let_go(w, cast[k]);
}

static void do_op(walk *w, size_t i)
{
    const rk_place_op *op = &w->pl->op[i];
    uint32_t unpacked;
    mark m = {.kind = MARK_OP, .which = (uint32_t)i};
    uint32_t cast[3];

    count_done(w);
    if (is_skipped(w, i)) {
        after_event(w, w->p->op[i].group, event_op(i));
        return;
    }
    begin_scene(w, (uint32_t)i, w->again ? RK_STAGE_AGAIN : i < w->p->loss_first ? RK_STAGE_FORWARD : RK_STAGE_LOSS);
    unpacked = unpack(w, i);
    for (uint32_t b = op->made; b < op->made + op->n_made && w->code == RK_OK; b++)
        if (w->pl->buffer[b].op != RK_NONE)
            w->now[b] = born(w, LIVE_BUFFER, b, (uint32_t)i);
    born_casts(w, i, 2, cast);
    fill_caches(w, i);
    keep_all(w, op, &m);
    put_mark(w, m);
    if (is_watched(w))
        note_scene(w); /* everything is born before anything dies, and what is kept is known now */
    end_scene(w);
    let_go(w, unpacked);
    let_go_casts(w, i, 2, cast);
    let_go_made(w, i);
    after_event(w, w->p->op[i].group, event_op(i));
}

static void do_group(walk *w, uint32_t group);

static void keep_one(walk *w, uint32_t i, mark *m)
{
    uint32_t *slot = RK_PUSH(w->a, &w->kept);

    hold_for_backward(w, i);
    if (slot)
        *slot = i;
    m->n_kept++;
}

static bool is_kept(const walk *w, const mark *m, uint32_t i)
{
    for (size_t k = 0; k < m->n_kept; k++)
        if (w->kept.at[m->kept + k] == i)
            return true;
    return false;
}

/* Made elsewhere, and not one of the model's own. */
static bool comes_from_outside(const walk *w, uint32_t buffer, size_t first, size_t end)
{
    uint32_t made = w->pl->buffer[buffer].op;

    return !w->pl->buffer[buffer].stored && (made == RK_NONE || made < first || made >= end);
}

/*
 * A layer that is computed again is handed by position what needs a gradient, and perhaps a mask; what is handed so is
 * kept.
 */
static void keep_handed(walk *w, const rk_loop *l, mark *m)
{
    for (size_t i = l->first_op; i < l->end_op; i++)
        for (size_t k = 0; k <= w->p->op[i].n_in; k++) {
            bool read = k < w->p->op[i].n_in;
            uint32_t b = read ? w->pl->list[w->pl->op[i].read + k] : buffer_of(w, w->p->op[i].out);

            if (b == RK_NONE || w->now[b] == RK_NONE || !comes_from_outside(w, b, l->first_op, l->end_op) ||
                !(w->pl->buffer[b].handed || (read && rk_flow_needs(w->f, i, k))))
                continue;
            if (!comes_in(w, w->p->op[i].group, b) && !is_kept(w, m, w->now[b]))
                keep_one(w, w->now[b], m);
        }
}

static void keep_inputs(walk *w, size_t loop, size_t first, size_t n)
{
    mark m = {
        .kind = MARK_AGAIN, .which = (uint32_t)loop, .kept = w->kept.n, .layer = (uint32_t)first, .n = (uint32_t)n};

    for (size_t v = 0; v < w->p->loop[loop].n_carry; v++)
        keep_one(w, w->carry[loop][v], &m);
    keep_handed(w, &w->p->loop[loop], &m);
    put_mark(w, m);
}

/* A variable has what came out of the layer; who called the layer had what went in until then. */
static void carry_on(walk *w, uint32_t *carry, uint32_t buffer)
{
    uint32_t old = *carry;

    if (buffer == RK_NONE || w->now[buffer] == old)
        return;
    *carry = w->now[buffer];
    let_go(w, old);
}

/* A derivation by hand lists what goes into each layer. */
static void begin_layer(walk *w, size_t loop, uint32_t group, size_t number)
{
    mark m = {.kind = MARK_LAYER, .which = group, .kept = w->kept.n, .layer = (uint32_t)number};
    bool listed = w->o->run.by_book && w->o->backward && !w->forgetting;

    for (size_t v = 0; listed && v < w->p->loop[loop].n_carry; v++)
        if (!w->p->tensor[w->p->group[group].in[v]].is_index)
            keep_one(w, w->carry[loop][v], &m);
    put_mark(w, m);
}

static void do_layer(walk *w, size_t loop, size_t number)
{
    const rk_loop *l = &w->p->loop[loop];
    uint32_t group = l->order ? l->order[number] : l->group[0];
    const rk_group *g = &w->p->group[group];

    w->layer[w->n_layer++] = (uint32_t)number;
    begin_layer(w, loop, group, number);
    for (size_t v = 0; v < l->n_carry; v++)
        if (buffer_of(w, g->in[v]) != RK_NONE)
            w->now[buffer_of(w, g->in[v])] = w->carry[loop][v];
    do_group(w, group);
    for (size_t v = 0; v < l->n_carry; v++)
        carry_on(w, &w->carry[loop][v], buffer_of(w, g->out[v]));
    put_mark(w, (mark){.kind = MARK_LAYERED, .which = group, .layer = (uint32_t)number});
    w->n_layer--;
}

/* Layers of the model itself are computed again, not those within them. */
static bool recomputes(const walk *w)
{
    return w->o->again > 0 && w->o->backward && !w->forgetting && !w->again;
}

static void do_layers(walk *w, size_t loop, size_t first, size_t n)
{
    bool again = recomputes(w);

    if (again)
        keep_inputs(w, loop, first, n);
    w->forgetting |= again;
    for (size_t i = first; i < first + n && w->code == RK_OK; i++)
        do_layer(w, loop, i);
    w->forgetting &= !again;
}

static void do_all_layers(walk *w, size_t loop)
{
    size_t all = w->p->loop[loop].n_layer, most = recomputes(w) ? w->o->again : all;

    for (size_t i = 0; i < all && w->code == RK_OK; i += most)
        do_layers(w, loop, i, all - i < most ? all - i : most);
}

static void lend_one(walk *w, uint32_t i)
{
    uint32_t *slot;

    if (i == RK_NONE || w->live.at[i].holds == 0)
        return;
    for (size_t k = 0; k < w->lent.n; k++)
        if (w->lent.at[k] == i)
            return;
    hold_for_backward(w, i);
    if ((slot = RK_PUSH(w->a, &w->lent)))
        *slot = i;
    else
        w->code = w->code == RK_OK ? rk_fail_memory(w->err) : w->code;
}

/* Tables of positions, masks: a layer that will be computed again has them until then.  No gradient keeps them. */
static void lend_to_loop(walk *w, const rk_loop *l)
{
    for (size_t i = l->first_op; i < l->end_op; i++)
        for (size_t k = 0; k < w->pl->op[i].n_read; k++) {
            uint32_t b = w->pl->list[w->pl->op[i].read + k];
            uint32_t made = b == RK_NONE ? RK_NONE : w->pl->buffer[b].op;

            if (b != RK_NONE && (made == RK_NONE || made < l->first_op) && !comes_in(w, w->p->op[i].group, b))
                lend_one(w, w->now[b]);
        }
}

static void do_loop(walk *w, size_t loop)
{
    const rk_loop *l = &w->p->loop[loop];
    const rk_group *first = &w->p->group[l->group[0]], *end = &w->p->group[l->group[l->n_group - 1]];
    uint32_t *before = w->carry[loop] + l->n_carry;

    put_mark(w, (mark){.kind = MARK_LOOP, .which = (uint32_t)loop});
    for (size_t v = 0; v < l->n_carry; v++) {
        before[v] = buffer_of(w, first->in[v]) == RK_NONE ? RK_NONE : w->now[buffer_of(w, first->in[v])];
        hold(w, w->carry[loop][v] = before[v]);
    }
    if (w->o->again && w->o->backward && l->parent == 0)
        lend_to_loop(w, l);
    after_event(w, l->parent, event_enter(l));
    do_all_layers(w, loop);
    for (size_t v = 0; v < l->n_carry; v++)
        if (buffer_of(w, first->in[v]) != RK_NONE)
            w->now[buffer_of(w, first->in[v])] = before[v];
    for (size_t v = 0; v < l->n_carry; v++)
        if (buffer_of(w, end->out[v]) != RK_NONE)
            w->now[buffer_of(w, end->out[v])] = w->carry[loop][v];
    put_mark(w, (mark){.kind = MARK_LOOPED, .which = (uint32_t)loop});
    after_event(w, l->parent, event_leave(l));
}

static size_t loop_at(const walk *w, uint32_t group, size_t op)
{
    for (size_t i = 0; i < w->p->n_loop; i++)
        if (w->p->loop[i].parent == group && w->p->loop[i].first_op <= op && op < w->p->loop[i].end_op)
            return i;
    return SIZE_MAX;
}

/* ---- pieces that are computed again ----------------------------------------------------------------------------- */

/* The piece that begins with an operation, where it shall be computed again; else NULL. */
static const rk_again *piece_at(const walk *w, size_t op)
{
    const rk_agains *all = w->o->pieces;

    for (size_t i = 0; all && w->o->backward && !w->forgetting && !w->again_piece && i < all->n; i++)
        if (all->at[i].first == op)
            return &all->at[i];
    return NULL;
}

static void keep_piece_input(walk *w, const rk_again *r, uint32_t b, mark *m)
{
    if (b != RK_NONE && comes_from_outside(w, b, r->first, r->end) && w->now[b] != RK_NONE && !is_kept(w, m, w->now[b]))
        keep_one(w, w->now[b], m);
}

/* What an operation reads of outside, or makes its own copy of; and what it would keep. */
static void keep_piece_inputs(walk *w, const rk_again *r, mark *m)
{
    for (size_t i = r->first; i < r->end; i++) {
        const rk_place_op *op = &w->pl->op[i];

        for (size_t k = 0; k < op->n_read + op->n_kept; k++)
            keep_piece_input(w, r, w->pl->list[op->read + k], m);
        for (size_t k = 0; k < w->p->op[i].n_in; k++)
            keep_piece_input(w, r, buffer_of(w, w->p->op[i].in[k].tensor), m);
    }
}

static void do_piece(walk *w, const rk_again *r)
{
    mark m = {.kind = MARK_PIECE, .which = (uint32_t)(r - w->o->pieces->at), .kept = w->kept.n};

    keep_piece_inputs(w, r, &m);
    put_mark(w, m);
    w->forgetting = true;
    for (size_t i = r->first; i < r->end && w->code == RK_OK; i++)
        do_op(w, i);
    w->forgetting = false;
}

/*
 * The head and the loss chunk by chunk, with their gradients: each chunk's logits become their own gradient, which goes
 * into that of the head's input and into that of its weight.
 */
static void do_fused(walk *w, const rk_tail *t)
{
    uint32_t op = t->ops.first, made[4];
    uint32_t buffer[] = {t->hidden_gradient, t->weight_gradient, t->losses, t->logits};
    mark m = {.kind = MARK_FUSED, .which = op, .kept = w->kept.n};

    begin_scene(w, op, RK_STAGE_LOSS);
    for (size_t i = 0; i < 4; i++)
        made[i] = buffer[i] == RK_NONE ? RK_NONE : born(w, LIVE_BUFFER, buffer[i], op);
    keep_one(w, made[0], &m);
    keep_one(w, made[1], &m);
    put_mark(w, m);
    end_scene(w);
    for (size_t i = 0; i < 4; i++)
        let_go(w, made[i]);
    for (size_t i = op; i < t->ops.end; i++)
        after_event(w, 0, event_op(i));
}

static bool is_done(const walk *w, size_t op)
{
    return w->o->loss || op < w->p->loss_first || w->p->loss == RK_NONE;
}

static bool is_fused(const walk *w, size_t op)
{
    return w->o->tail && w->o->tail->way == RK_LOSS_FUSED && op == w->o->tail->ops.first;
}

/* Does what begins with an operation of a group, and returns where it ended. */
static size_t do_from(walk *w, uint32_t group, size_t i)
{
    size_t loop = w->p->op[i].group == group ? SIZE_MAX : loop_at(w, group, i);
    const rk_again *piece = piece_at(w, i);

    if (loop != SIZE_MAX) {
        do_loop(w, loop);
        return w->p->loop[loop].end_op;
    }
    if (is_fused(w, i)) {
        do_fused(w, w->o->tail);
        return w->p->n_op;
    }
    if (piece) {
        do_piece(w, piece);
        return piece->end;
    }
    if (is_done(w, i))
        do_op(w, i);
    return i + 1;
}

static void do_group(walk *w, uint32_t group)
{
    size_t end = group == 0 ? w->p->n_op : w->p->group[group].end_op;

    for (size_t i = group == 0 ? 0 : w->p->group[group].first_op; i < end && w->code == RK_OK;)
        i = do_from(w, group, i);
}

/* ---- backward --------------------------------------------------------------------------------------------------- */

/* Adds a gradient to what a tensor has; the hold on it passes on. */
static void add_gradient(walk *w, uint32_t tensor, uint32_t gradient)
{
    if (w->gradient[tensor] == RK_NONE)
        w->gradient[tensor] = gradient;
    else
        let_go(w, gradient);
}

/* Whether the gradient of an operand is that of the result itself, perhaps under other axes. */
static bool passes_on(const walk *w, const rk_op *op, size_t k)
{
    uint32_t in = op->in[k].tensor;

    if (is_weight(w, in) || w->tensor_bytes[in] != w->tensor_bytes[op->out])
        return false;
    switch (op->row) {
    case RK_OP_ADD:
    case RK_OP_SHIFT:
    case RK_OP_VIEW:
    case RK_OP_CAST:
    case RK_OP_REPEAT:
    case RK_OP_FIRST:
        return true;
    default:
        return op->row == RK_OP_SUB && k == 0;
    }
}

/* The tensor that has the storage of a weight. */
static uint32_t owner_of(const walk *w, uint32_t tensor)
{
    const rk_weight *weight = &w->p->weight[w->p->tensor[tensor].weight];

    while (weight->tied_to != RK_NONE)
        weight = &w->p->weight[weight->tied_to];
    return weight->tensor == RK_NONE ? tensor : weight->tensor;
}

/*
 * The gradient of a weight stays.  That of one layer is there once; one that is used in several places is added up,
 * into a third buffer.
 */
static void add_weight_gradient(walk *w, size_t i, uint32_t tensor, uint32_t g)
{
    uint32_t sum;

    tensor = owner_of(w, tensor);
    /* One that is there already takes in what is made, once all of it is. */
    if (w->o->adds_up && w->uses[tensor] == 1)
        let_go(w, g);
    if (w->uses[tensor] == 1)
        return;
    if (w->gradient[tensor] != RK_NONE && w->takes_in[tensor]) {
        let_go(w, g);
        return;
    }
    if (w->gradient[tensor] == RK_NONE) {
        w->gradient[tensor] = g;
        return;
    }
    sum = born(w, LIVE_GRADIENT, tensor, (uint32_t)i);
    let_go(w, w->gradient[tensor]);
    let_go(w, g);
    w->gradient[tensor] = sum;
}

static void undo_weight(walk *w, size_t i, uint32_t tensor)
{
    add_weight_gradient(w, i, tensor, born(w, LIVE_GRADIENT, tensor, (uint32_t)i));
}

static void undo_operand(walk *w, size_t i, size_t k)
{
    const rk_op *op = &w->p->op[i];
    uint32_t tensor = op->in[k].tensor, g = w->gradient[op->out], unpacked;

    if (is_weight(w, tensor)) {
        undo_weight(w, i, tensor);
        return;
    }
    unpacked = unpack(w, i);
    if (passes_on(w, op, k) && g != RK_NONE)
        hold(w, g);
    else
        g = born(w, LIVE_GRADIENT, tensor, (uint32_t)i);
    let_go(w, unpacked);
    add_gradient(w, tensor, g);
}

static void undo_op(walk *w, const mark *m)
{
    const rk_op *op = &w->p->op[m->which];
    bool reached = w->gradient[op->out] != RK_NONE || (w->o->loss && m->which == w->p->loss);
    uint32_t cast[3];

    begin_scene(w, m->which, RK_STAGE_BACKWARD);
    born_casts(w, m->which, reached ? 3 : 0, cast);
    for (size_t k = 0; reached && k < op->n_in && w->code == RK_OK; k++)
        if (rk_grad_flows(op, k) && rk_flow_needs(w->f, m->which, k))
            undo_operand(w, m->which, k);
    end_scene(w);
    let_go_casts(w, m->which, reached ? 3 : 0, cast);
    let_go(w, w->gradient[op->out]);
    w->gradient[op->out] = RK_NONE;
    for (size_t k = 0; k < m->n_kept; k++)
        let_go(w, w->kept.at[m->kept + k]);
}

static uint32_t take_gradient(walk *w, uint32_t tensor)
{
    uint32_t g = w->gradient[tensor];

    w->gradient[tensor] = RK_NONE;
    return g;
}

static void give_gradient(walk *w, uint32_t tensor, uint32_t gradient)
{
    if (gradient != RK_NONE)
        add_gradient(w, tensor, gradient);
}

/* Backward, a loop begins where it ended, and its variables' gradients go from layer to layer. */
static void undo_mark(walk *w, const mark *m)
{
    size_t loop = m->kind == MARK_LOOP || m->kind == MARK_LOOPED ? m->which : w->p->group[m->which].loop;
    const rk_loop *l = &w->p->loop[loop];
    const rk_group *g = m->kind == MARK_LOOP     ? &w->p->group[l->group[0]]
                        : m->kind == MARK_LOOPED ? &w->p->group[l->group[l->n_group - 1]]
                                                 : &w->p->group[m->which];

    for (size_t v = 0; v < l->n_carry; v++) {
        uint32_t *carry = &w->carry[loop][v];

        if (m->kind == MARK_LOOPED)
            *carry = take_gradient(w, g->out[v]);
        else if (m->kind == MARK_LAYERED)
            give_gradient(w, g->out[v], *carry);
        else if (m->kind == MARK_LAYER)
            *carry = take_gradient(w, g->in[v]);
        else
            give_gradient(w, g->in[v], *carry);
    }
}

/* ---- stretches of the backward pass ----------------------------------------------------------------------------- */

static rk_stretch stretch_of_layer(const walk *w, const rk_loop *l)
{
    if (w->loops_done == 0 && w->layer[0] + 1 == l->n_layer)
        return RK_STRETCH_LAST;
    return w->loops_left == 0 && w->layer[0] == 0 ? RK_STRETCH_FIRST : RK_STRETCH_MIDDLE;
}

static rk_stretch stretch_between(const walk *w, size_t n_begun)
{
    if (n_begun == 0)
        return RK_STRETCH_HEAD;
    return w->loops_left == 0 ? RK_STRETCH_FOOT : RK_STRETCH_MIDDLE;
}

/* Layers that are computed again, together: the stretch of the one of them that is undone first. */
static void enter_layers(walk *w, const rk_loop *l, size_t first, size_t n)
{
    bool last = w->loops_done == 0 && first + n == l->n_layer;

    if (w->n_layer == 0)
        w->moment = &w->out->stretch[last                               ? RK_STRETCH_LAST
                                     : w->loops_left == 0 && first == 0 ? RK_STRETCH_FIRST
                                                                        : RK_STRETCH_MIDDLE];
}

/* Where the walk is now: `l` is the loop whose mark has been passed. */
static void enter_stretch(walk *w, rk_timeline *out, const rk_loop *l)
{
    w->moment = &out->stretch[w->n_layer > 0 ? stretch_of_layer(w, l) : stretch_between(w, w->loops_done)];
}

/* All that was lent is let go when the last loop has been undone: loops may share it. */
static void end_loop_backward(walk *w)
{
    w->loops_done++;
    for (size_t i = 0; w->loops_left == 0 && i < w->lent.n; i++)
        let_go(w, w->lent.at[i]);
}

/* The running numbers of the loops around, and the loops of the model itself that have begun and ended. */
static void follow_mark(walk *w, const mark *m)
{
    const rk_loop *l =
        &w->p->loop[m->kind == MARK_LOOP || m->kind == MARK_LOOPED ? m->which : w->p->group[m->which].loop];

    if (m->kind == MARK_LAYERED)
        w->layer[w->n_layer++] = m->layer;
    else if (m->kind == MARK_LAYER)
        w->n_layer--;
    else if (m->kind == MARK_LOOPED && w->n_layer == 0)
        w->loops_left--;
    else if (m->kind == MARK_LOOP && w->n_layer == 0)
        end_loop_backward(w);
    if (w->n_layer <= 1)
        enter_stretch(w, w->out, l);
}

static void undo_from(walk *w, size_t first);

static void let_go_kept(walk *w, const mark *m)
{
    for (size_t k = 0; k < m->n_kept; k++)
        let_go(w, w->kept.at[m->kept + k]);
}

/* Forward through the layers once more, now keeping what their gradients need; then back. */
static void undo_again(walk *w, mark m)
{
    size_t first = w->tape.n, n_carry = w->p->loop[m.which].n_carry;
    uint32_t *carry = w->carry[m.which], *gradient = carry + 2 * n_carry;

    for (size_t v = 0; v < n_carry; v++) {
        gradient[v] = carry[v];
        hold(w, carry[v] = w->kept.at[m.kept + v]);
    }
    enter_layers(w, &w->p->loop[m.which], m.layer, m.n);
    w->again = true;
    do_layers(w, m.which, m.layer, m.n);
    for (size_t v = 0; v < n_carry; v++) {
        let_go(w, carry[v]);
        carry[v] = gradient[v];
    }
    w->again = false;
    undo_from(w, first);
    let_go_kept(w, &m);
}

/* Whether a group lets go of a buffer while a piece is done. */
static bool is_released_in(const walk *w, uint32_t group, uint32_t buffer, const rk_again *r)
{
    uint32_t last = w->last[(size_t)group * w->pl->n_buffer + buffer];

    return last != RK_NONE && last >= event_op(r->first) && last <= event_op(r->end - 1) && lets_go(w, group, buffer);
}

/* What a piece makes for others was made before. */
static void let_go_results(walk *w, const rk_again *r)
{
    for (size_t i = r->first; i < r->end; i++) {
        const rk_place_op *op = &w->pl->op[i];

        for (uint32_t b = op->made; b < op->made + op->n_made; b++)
            if (*last_of(w, w->p->op[i].group, b) != RK_NONE && !is_released_in(w, w->p->op[i].group, b, r))
                let_go(w, w->now[b]);
    }
}

/* The chunk that is walked is one after the first: the head's weight has a gradient, to which it adds. */
static bool is_in_chunks(const walk *w, const rk_again *r)
{
    const rk_tail *t = w->o->tail;

    return t && r->first == t->ops.first && t->chunk < t->n_token && rk_flow_needs(w->f, r->first, 1);
}

static void undo_piece(walk *w, mark m)
{
    const rk_again *r = &w->o->pieces->at[m.which];
    size_t first = w->tape.n;

    for (size_t k = 0; k < m.n_kept; k++) {
        uint32_t i = w->kept.at[m.kept + k];

        w->now[w->live.at[i].what] = i;
        if (is_released_in(w, w->p->op[r->first].group, w->live.at[i].what, r))
            hold(w, i);
    }
    if (is_in_chunks(w, r))
        w->gradient[owner_of(w, w->o->tail->weight)] = born(w, LIVE_GRADIENT, w->o->tail->weight, r->first);
    w->again_piece = w->again = true;
    for (size_t i = r->first; i < r->end && w->code == RK_OK; i++)
        do_op(w, i);
    w->again_piece = w->again = false;
    let_go_results(w, r);
    undo_from(w, first);
    let_go_kept(w, &m);
}

/* The gradients are there. */
static void undo_fused(walk *w, const mark *m)
{
    const rk_tail *t = w->o->tail;
    uint32_t hidden = w->kept.at[m->kept], weight = w->kept.at[m->kept + 1];

    if (rk_flow_needs(w->f, m->which, 0))
        add_gradient(w, t->hidden, hidden);
    else
        let_go(w, hidden);
    if (weight != RK_NONE)
        add_weight_gradient(w, m->which, t->weight, weight);
    /* It is nobody else's: what comes later is added to it where it is. */
    w->takes_in[owner_of(w, t->weight)] = true;
}

static void undo_layer_mark(walk *w, const mark *m)
{
    undo_mark(w, m);
    follow_mark(w, m);
    let_go_kept(w, m);
}

static void undo_from(walk *w, size_t first)
{
    for (size_t i = w->tape.n; i > first && w->code == RK_OK; i--) {
        mark m = w->tape.at[i - 1];

        if (m.kind == MARK_OP)
            undo_op(w, &m);
        else if (m.kind == MARK_FUSED)
            undo_fused(w, &m);
        else if (m.kind == MARK_PIECE)
            undo_piece(w, m);
        else if (m.kind == MARK_AGAIN)
            undo_again(w, m);
        else
            undo_layer_mark(w, &m);
        w->tape.n = i - 1;
    }
}

static bool is_output(const walk *w, uint32_t buffer)
{
    for (size_t i = 0; i < w->p->n_output; i++)
        if (buffer_of(w, w->p->output[i]) == buffer)
            return true;
    return false;
}

/* The functions of the model have ended: what their variables had is let go, and perhaps the output. */
static void end_forward(walk *w)
{
    for (uint32_t b = 0; b < w->pl->n_buffer; b++)
        if (w->held[b] && (!w->o->hold_output || !is_output(w, b)))
            let_go(w, w->now[b]);
}

static size_t count_loops_outside(const walk *w)
{
    size_t n = 0;

    for (size_t i = 0; i < w->p->n_loop; i++)
        n += w->p->loop[i].parent == 0;
    return n;
}

static void do_backward(walk *w)
{
    end_forward(w);
    w->moment = &w->out->stretch[RK_STRETCH_HEAD];
    w->loops_left = count_loops_outside(w);
    if (!w->o->loss)
        for (size_t i = 0; i < w->p->n_output; i++)
            w->gradient[w->p->output[i]] = born(w, LIVE_GRADIENT, w->p->output[i], RK_NONE);
    undo_from(w, 0);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static bool begin(walk *w)
{
    size_t nb = w->pl->n_buffer, nt = w->p->n_tensor;

    w->bytes = RK_NEW_ARRAY(w->a, nb + 1, rk_i128);
    w->one_place = RK_NEW_ARRAY(w->a, nb + 1, bool);
    w->tensor_bytes = RK_NEW_ARRAY(w->a, nt + 1, rk_i128);
    w->now = RK_NEW_ARRAY(w->a, nb + 1, uint32_t);
    w->gradient = RK_NEW_ARRAY(w->a, nt + 1, uint32_t);
    w->last = RK_NEW_ARRAY(w->a, w->p->n_group * nb + 1, uint32_t);
    w->carried_out = RK_NEW_ARRAY(w->a, nb + 1, bool);
    w->held = RK_NEW_ARRAY(w->a, nb + 1, bool);
    w->layer = RK_NEW_ARRAY(w->a, w->p->n_loop + 1, uint32_t);
    w->first_release = RK_NEW_ARRAY(w->a, 2 * w->p->n_op + 2, uint32_t);
    w->carry = RK_NEW_ARRAY(w->a, w->p->n_loop + 1, uint32_t *);
    for (size_t i = 0; w->carry && i < w->p->n_loop; i++)
        if (!(w->carry[i] = RK_NEW_ARRAY(w->a, 3 * w->p->loop[i].n_carry + 1, uint32_t)))
            return false;
    w->uses = RK_NEW_ARRAY(w->a, nt + 1, uint32_t);
    w->takes_in = RK_NEW_ARRAY(w->a, nt + 1, bool);
    return w->bytes && w->tensor_bytes && w->now && w->gradient && w->last && w->carried_out && w->held && w->carry &&
           w->layer && w->first_release && w->one_place && w->uses && w->takes_in;
}

/* In how many places each weight is used; in a layer, one that all layers share is used in many. */
static void count_uses(walk *w)
{
    for (size_t i = 0; i < w->p->n_op; i++)
        for (size_t k = 0; k < w->p->op[i].n_in; k++) {
            uint32_t t = w->p->op[i].in[k].tensor;

            if (is_weight(w, t) && rk_flow_needs(w->f, i, k)) {
                t = owner_of(w, t);
                w->uses[t] += w->p->weight[w->p->tensor[t].weight].group == w->p->op[i].group ? 1 : 2;
            }
        }
    if (w->o->tail && w->o->tail->chunk < w->o->tail->n_token)
        w->uses[owner_of(w, w->o->tail->weight)]++; /* once for each chunk */
}

static void born_inputs(walk *w)
{
    for (uint32_t b = 0; b < w->pl->n_buffer; b++)
        if (w->pl->buffer[b].op == RK_NONE && !w->pl->buffer[b].stored &&
            (!w->o->skip || *last_of(w, 0, b) != RK_NONE)) {
            w->now[b] = born(w, LIVE_BUFFER, b, RK_NONE);
            if (!w->pl->buffer[b].handed)
                hold(w, w->now[b]);
        }
}

/* How many of each buffer the tape keeps. */
static void count_kept(walk *w, uint64_t *kept)
{
    bool *seen = RK_NEW_ARRAY(w->a, w->live.n + 1, bool);

    for (size_t i = 0; seen && i < w->kept.n; i++)
        if (w->kept.at[i] != RK_NONE && !seen[w->kept.at[i]]) {
            seen[w->kept.at[i]] = true;
            kept[w->live.at[w->kept.at[i]].what]++;
        }
    if (!seen)
        w->code = w->code == RK_OK ? rk_fail_memory(w->err) : w->code;
}

static void clear(walk *w)
{
    memset(w->now, 0xFF, w->pl->n_buffer * sizeof *w->now);
    memset(w->gradient, 0xFF, w->p->n_tensor * sizeof *w->gradient);
    memset(w->alive, 0, sizeof w->alive);
    memset(w->takes_in, 0, w->p->n_tensor * sizeof *w->takes_in);
    w->live.n = w->tape.n = w->kept.n = w->lent.n = w->n_event = 0;
    w->n_layer = w->loops_done = w->n_done = 0;
    w->sum = 0;
}

static void walk_once(walk *w, rk_timeline *out)
{
    clear(w);
    w->out = out;
    w->moment = &out->forward;
    born_inputs(w);
    born_caches(w);
    do_group(w, 0);
    out->after_forward = w->sum;
    if (!w->looking)
        count_kept(w, out->kept);
    if (w->o->backward && w->code == RK_OK)
        do_backward(w);
    out->after_backward = w->sum;
}

static bool has_counts(const walk *w, rk_moment *m)
{
    m->buffers = RK_NEW_ARRAY(w->a, w->pl->n_buffer + 1, uint64_t);
    m->gradients = RK_NEW_ARRAY(w->a, w->p->n_tensor + 1, uint64_t);
    m->caches = RK_NEW_ARRAY(w->a, w->p->n_tensor + 1, uint64_t);
    return m->buffers && m->gradients && m->caches;
}

static bool has_room(const walk *w, rk_timeline *out)
{
    for (size_t i = 0; i < RK_N_STRETCH; i++)
        if (!has_counts(w, &out->stretch[i]))
            return false;
    out->kept = RK_NEW_ARRAY(w->a, w->pl->n_buffer + 1, uint64_t);
    return has_counts(w, &out->forward) && out->kept;
}

/* Of equal ones the first. */
static void choose_backward(rk_timeline *out)
{
    out->backward = out->stretch[0];
    for (size_t i = 1; i < RK_N_STRETCH; i++)
        if (out->stretch[i].bytes > out->backward.bytes)
            out->backward = out->stretch[i];
}

int rk_timeline_new(rk_arena *a, const rk_model *m, const rk_places *pl, const rk_flow *f, const rk_timeline_options *o,
                    rk_timeline *out, rk_err *err)
{
    walk w = {.a = a, .m = m, .p = &m->program, .pl = pl, .f = f, .o = o, .at = rk_model_binding(m), .err = err};

    *out = (rk_timeline){0};
    if (w.p->n_group > RELEASES_MAX / (pl->n_buffer + 1))
        return rk_fail(err, RK_ELIMIT, "too many kinds of layers for a timeline");
    if (!has_room(&w, out) || !begin(&w))
        return rk_fail_memory(err);
    measure(&w);
    count_uses(&w);
    note_reads(&w);
    list_releases(&w);
    for (int i = 0; i < 2 && w.code == RK_OK; i++) {
        w.looking = i;
        walk_once(&w, out);
    }
    choose_backward(out);
    out->bytes = w.bytes;
    out->one_place = w.one_place;
    out->tensor_bytes = w.tensor_bytes;
    return w.code;
}
