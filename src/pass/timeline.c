/* SPDX-License-Identifier: MIT */
#include "pass/timeline.h"

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

#define RELEASES_MAX ((size_t)64 << 20) /* groups times buffers: far above any model */

typedef enum live_kind {
    LIVE_BUFFER,   /* of the places, in one layer */
    LIVE_GRADIENT, /* of a tensor */
    LIVE_CACHE     /* of a tensor that decoding carries on */
} live_kind;

typedef struct live {
    uint32_t what;  /* the buffer, or the tensor */
    uint32_t holds; /* who needs it still: 0: it is dead */
    live_kind kind;
} live;

typedef enum mark_kind {
    MARK_OP,
    MARK_LOOP,    /* a loop begins */
    MARK_LAYER,   /* a layer begins */
    MARK_AGAIN,   /* a layer that is computed again: what goes into it is kept */
    MARK_LAYERED, /* it has ended */
    MARK_LOOPED   /* all have */
} mark_kind;

/* What was done forward, to be undone backward. */
typedef struct mark {
    mark_kind kind;
    uint32_t which; /* the operation, the loop, or the group of the layer */
    size_t kept;    /* OP: where what it keeps begins in the list */
    uint32_t n_kept;
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
    rk_i128 *tensor_bytes;   /* of each tensor, which is what its gradient has */
    uint32_t *now;           /* of each buffer, the one of this layer; RK_NONE: there is none */
    uint32_t *gradient;      /* of each tensor, likewise */
    uint32_t *last;          /* [group][buffer]: behind which event of the group it is let go; see event_… */
    RK_VEC(release) release; /* the same as a list, by group and event */
    bool *held;              /* of each buffer: a variable of the model outside of layers has it to the end */
    bool *carried_out;       /* of each buffer: it is what a variable of a loop is after a layer */
    RK_VEC(live) live;
    RK_VEC(mark) tape;
    RK_VEC(uint32_t) kept;
    uint32_t **carry; /* of each loop: what its variables are now */

    rk_i128 sum;
    size_t n_event;
    rk_moment *moment; /* the largest sum is noted here … */
    bool looking;      /* … or, in a second walk, who is alive at it */
    bool forgetting;   /* nothing is kept: the layer will be computed again */
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
        if (t->axes.at[i].size == w->o->places)
            w->bytes[w->pl->tensor[tensor].buffer] =
                rounded(w, tensor_count(w, t) / all * rk_type_bytes(w->pl->tensor[tensor].type, &w->o->run));
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
        w->tensor_bytes[i] =
            rounded(w, tensor_count(w, &w->p->tensor[i]) * rk_type_bytes(w->pl->tensor[i].type, &w->o->run));
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

static void note_sum(walk *w, uint32_t op)
{
    w->n_event++;
    if (w->looking && w->n_event == w->moment->event)
        look(w);
    if (w->looking || w->sum <= w->moment->bytes)
        return;
    w->moment->bytes = w->sum;
    w->moment->op = op;
    w->moment->event = w->n_event;
}

static uint32_t born(walk *w, live_kind kind, uint32_t what, uint32_t op)
{
    live *l = RK_PUSH(w->a, &w->live);

    if (!l) {
        w->code = w->code == RK_OK ? rk_fail_memory(w->err) : w->code;
        return RK_NONE;
    }
    *l = (live){.what = what, .holds = 1, .kind = kind};
    w->sum += bytes_of(w, l);
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
        if (w->p->keep[k].tensor == tensor)
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

static void note_reads(walk *w)
{
    memset(w->last, 0xFF, w->p->n_group * w->pl->n_buffer * sizeof *w->last);
    for (size_t i = 0; i < w->p->n_op; i++)
        for (size_t k = 0; k < w->pl->op[i].n_read; k++) {
            uint32_t b = w->pl->list[w->pl->op[i].read + k];

            bool cached = k < w->p->op[i].n_in && i >= cached_from(w, w->p->op[i].in[k].tensor);

            if (b != RK_NONE && !w->pl->buffer[b].stored && !cached)
                note_read(w, w->p->op[i].group, b, event_op(i));
        }
    note_variables(w);
    note_loops(w);
    for (size_t i = 0; i < w->p->n_output; i++)
        if (buffer_of(w, w->p->output[i]) != RK_NONE)
            w->held[buffer_of(w, w->p->output[i])] = true;
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

    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return (x->event > y->event) - (x->event < y->event);
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
}

static void after_event(walk *w, uint32_t group, uint32_t event)
{
    release key = {group, event, 0};
    const release *r = w->release.n ? bsearch(&key, w->release.at, w->release.n, sizeof key, by_event) : NULL;

    while (r && r > w->release.at && by_event(r - 1, &key) == 0)
        r--;
    for (; r && r < w->release.at + w->release.n && by_event(r, &key) == 0; r++)
        let_go(w, w->now[r->buffer]);
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
        hold(w, i);
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
        if (!w->held[b] && !w->carried_out[b] && *last_of(w, w->p->op[i].group, b) == RK_NONE)
            let_go(w, w->now[b]);
}

/* What is carried on is copied into its cache where the model file says so. */
static void fill_caches(walk *w, size_t i)
{
    for (size_t k = 0; w->o->cache && k < w->p->n_keep; k++)
        if (w->p->keep[k].at == i + 1 && w->o->cache[w->p->keep[k].tensor] > 0)
            born(w, LIVE_CACHE, w->p->keep[k].tensor, (uint32_t)i);
}

static void do_op(walk *w, size_t i)
{
    const rk_place_op *op = &w->pl->op[i];
    mark m = {.kind = MARK_OP, .which = (uint32_t)i};

    for (uint32_t b = op->made; b < op->made + op->n_made && w->code == RK_OK; b++)
        w->now[b] = born(w, LIVE_BUFFER, b, (uint32_t)i);
    fill_caches(w, i);
    keep_all(w, op, &m);
    put_mark(w, m);
    let_go_made(w, i);
    after_event(w, w->p->op[i].group, event_op(i));
}

static void do_group(walk *w, uint32_t group);

static void keep_one(walk *w, uint32_t i, mark *m)
{
    uint32_t *slot = RK_PUSH(w->a, &w->kept);

    hold(w, i);
    if (slot)
        *slot = i;
    m->n_kept++;
}

static void keep_inputs(walk *w, size_t loop, uint32_t group)
{
    mark m = {.kind = MARK_AGAIN, .which = group, .kept = w->kept.n};

    for (size_t v = 0; v < w->p->loop[loop].n_carry; v++)
        keep_one(w, w->carry[loop][v], &m);
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

static void do_layer(walk *w, size_t loop, uint32_t group)
{
    const rk_loop *l = &w->p->loop[loop];
    const rk_group *g = &w->p->group[group];

    bool again = w->o->recompute && w->o->backward && !w->forgetting;

    put_mark(w, (mark){.kind = MARK_LAYER, .which = group});
    if (again)
        keep_inputs(w, loop, group);
    w->forgetting |= again;
    for (size_t v = 0; v < l->n_carry; v++)
        if (buffer_of(w, g->in[v]) != RK_NONE)
            w->now[buffer_of(w, g->in[v])] = w->carry[loop][v];
    do_group(w, group);
    for (size_t v = 0; v < l->n_carry; v++)
        carry_on(w, &w->carry[loop][v], buffer_of(w, g->out[v]));
    w->forgetting &= !again;
    put_mark(w, (mark){.kind = MARK_LAYERED, .which = group});
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
    after_event(w, l->parent, event_enter(l));
    for (size_t i = 0; i < l->n_layer && w->code == RK_OK; i++)
        do_layer(w, loop, l->order ? l->order[i] : l->group[0]);
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

static void do_group(walk *w, uint32_t group)
{
    size_t end = group == 0 ? w->p->n_op : w->p->group[group].end_op;

    for (size_t i = group == 0 ? 0 : w->p->group[group].first_op; i < end && w->code == RK_OK; i++) {
        size_t loop = w->p->op[i].group == group ? SIZE_MAX : loop_at(w, group, i);

        if (loop == SIZE_MAX && (w->o->loss || i < w->p->loss_first || w->p->loss == RK_NONE))
            do_op(w, i);
        if (loop == SIZE_MAX)
            continue;
        do_loop(w, loop);
        i = w->p->loop[loop].end_op - 1;
    }
}

/* ---- backward --------------------------------------------------------------------------------------------------- */

static bool is_weight(const walk *w, uint32_t tensor)
{
    return w->p->tensor[tensor].kind == RK_TENSOR_WEIGHT;
}

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
static void undo_weight(walk *w, size_t i, uint32_t tensor)
{
    uint32_t g = born(w, LIVE_GRADIENT, tensor, (uint32_t)i), sum;

    tensor = owner_of(w, tensor);
    if (w->p->weight[w->p->tensor[tensor].weight].group != 0)
        return;
    if (w->gradient[tensor] == RK_NONE) {
        w->gradient[tensor] = g;
        return;
    }
    sum = born(w, LIVE_GRADIENT, tensor, (uint32_t)i);
    let_go(w, w->gradient[tensor]);
    let_go(w, g);
    w->gradient[tensor] = sum;
}

static void undo_operand(walk *w, size_t i, size_t k)
{
    const rk_op *op = &w->p->op[i];
    uint32_t tensor = op->in[k].tensor, g = w->gradient[op->out];

    if (is_weight(w, tensor)) {
        undo_weight(w, i, tensor);
        return;
    }
    if (passes_on(w, op, k) && g != RK_NONE)
        hold(w, g);
    else
        g = born(w, LIVE_GRADIENT, tensor, (uint32_t)i);
    add_gradient(w, tensor, g);
}

static void undo_op(walk *w, const mark *m)
{
    const rk_op *op = &w->p->op[m->which];
    bool reached = w->gradient[op->out] != RK_NONE || (w->o->loss && m->which == w->p->loss);

    for (size_t k = 0; reached && k < op->n_in && w->code == RK_OK; k++)
        if (rk_grad_flows(op, k) && rk_flow_needs(w->f, m->which, k))
            undo_operand(w, m->which, k);
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

static void undo_from(walk *w, size_t first);

/* Forward through the layer once more, now keeping what its gradients need; then back. */
static void undo_again(walk *w, mark m)
{
    const rk_group *g = &w->p->group[m.which];
    size_t first = w->tape.n, n_carry = w->p->loop[g->loop].n_carry;

    for (size_t v = 0; v < n_carry; v++)
        if (buffer_of(w, g->in[v]) != RK_NONE)
            w->now[buffer_of(w, g->in[v])] = w->kept.at[m.kept + v];
    do_group(w, m.which);
    for (size_t v = 0; v < n_carry; v++)
        if (buffer_of(w, g->out[v]) != RK_NONE && g->out[v] != g->in[v])
            let_go(w, w->now[buffer_of(w, g->out[v])]);
    undo_from(w, first);
    for (size_t v = 0; v < n_carry; v++)
        let_go(w, w->kept.at[m.kept + v]);
}

static void undo_from(walk *w, size_t first)
{
    for (size_t i = w->tape.n; i > first && w->code == RK_OK; i--) {
        mark m = w->tape.at[i - 1];

        if (m.kind == MARK_OP)
            undo_op(w, &m);
        else if (m.kind == MARK_AGAIN)
            undo_again(w, m);
        else
            undo_mark(w, &m);
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

static void do_backward(walk *w)
{
    end_forward(w);
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
    w->tensor_bytes = RK_NEW_ARRAY(w->a, nt + 1, rk_i128);
    w->now = RK_NEW_ARRAY(w->a, nb + 1, uint32_t);
    w->gradient = RK_NEW_ARRAY(w->a, nt + 1, uint32_t);
    w->last = RK_NEW_ARRAY(w->a, w->p->n_group * nb + 1, uint32_t);
    w->carried_out = RK_NEW_ARRAY(w->a, nb + 1, bool);
    w->held = RK_NEW_ARRAY(w->a, nb + 1, bool);
    w->carry = RK_NEW_ARRAY(w->a, w->p->n_loop + 1, uint32_t *);
    for (size_t i = 0; w->carry && i < w->p->n_loop; i++)
        if (!(w->carry[i] = RK_NEW_ARRAY(w->a, 2 * w->p->loop[i].n_carry + 1, uint32_t)))
            return false;
    return w->bytes && w->tensor_bytes && w->now && w->gradient && w->last && w->carried_out && w->held && w->carry;
}

static void born_inputs(walk *w)
{
    for (uint32_t b = 0; b < w->pl->n_buffer; b++)
        if (w->pl->buffer[b].op == RK_NONE && !w->pl->buffer[b].stored) {
            w->now[b] = born(w, LIVE_BUFFER, b, RK_NONE);
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
    w->live.n = w->tape.n = w->kept.n = w->n_event = 0;
    w->sum = 0;
}

static void walk_once(walk *w, rk_timeline *out)
{
    clear(w);
    w->moment = &out->forward;
    born_inputs(w);
    do_group(w, 0);
    out->after_forward = w->sum;
    if (!w->looking)
        count_kept(w, out->kept);
    w->moment = &out->backward;
    if (w->o->backward && w->code == RK_OK)
        do_backward(w);
    out->after_backward = w->sum;
}

static bool has_room(const walk *w, rk_timeline *out)
{
    rk_moment *m[] = {&out->forward, &out->backward};

    out->kept = RK_NEW_ARRAY(w->a, w->pl->n_buffer + 1, uint64_t);
    for (size_t i = 0; i < 2; i++) {
        m[i]->buffers = RK_NEW_ARRAY(w->a, w->pl->n_buffer + 1, uint64_t);
        m[i]->gradients = RK_NEW_ARRAY(w->a, w->p->n_tensor + 1, uint64_t);
        m[i]->caches = RK_NEW_ARRAY(w->a, w->p->n_tensor + 1, uint64_t);
        if (!m[i]->buffers || !m[i]->gradients || !m[i]->caches)
            return false;
    }
    return out->kept != NULL;
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
    note_reads(&w);
    list_releases(&w);
    for (int i = 0; i < 2 && w.code == RK_OK; i++) {
        w.looking = i;
        walk_once(&w, out);
    }
    out->bytes = w.bytes;
    out->tensor_bytes = w.tensor_bytes;
    return w.code;
}
