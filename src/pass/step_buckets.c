/* SPDX-License-Identifier: MIT */
/*
 * pass/step_buckets.c - copies of a model (ddp): their gradients are added up in buckets.
 *
 * A gradient goes into the bucket that is being filled when it is complete, and a bucket is reduced when it is full: as
 * soon as it holds as many bytes as its limit.  So which gradients lie together follows from the order in which they
 * become complete, over all layers and not over groups of equal ones.  While the backward lists are made, it is noted
 * at which task each weight's gradient is complete; then the lists are gone through as they will be run.  Of a list,
 * all that counts is the row of these weights, so that a layer costs as many steps as it has weights.
 *
 * Buckets that are made of the same weights are one row with a number of times.  Their tasks stand at the end of the
 * backward pass: where one is reduced has no effect on buffers, since buckets are there from step to step.
 */
#include "pass/stepping.h"

#include "base/map.h"
#include "base/work.h"
#include "pass/passes.h"

#include <stdlib.h>
#include <string.h>

#define N_TYPE 2            /* gradients of two bytes and of four have buckets of their own, … */
#define N_KIND (2 * N_TYPE) /* … and those of experts that lie over ep, which fewer devices have */

/* A bucket that is being filled: so many of each weight. */
typedef struct filling {
    rk_i128 bytes, limit;
    uint64_t *times;
    RK_VEC(uint32_t) weight; /* those that it has */
    int each;                /* bytes of an element */
    bool experts;
} filling;

/* What a list does to buckets: a weight's gradient is complete, or a loop is run. */
typedef struct turn {
    uint32_t weight;
    const rk_step_item *loop; /* NULL: none */
} turn;

typedef struct turns {
    turn *at;
    size_t n, cap;
    bool known;
} turns;

typedef struct bucketing {
    rk_stepping *s;
    rk_arena *a;    /* freed when all is done */
    turns *list;    /* of each list */
    rk_i128 *bytes; /* of each weight's gradient */
    filling filling[N_KIND];
    rk_map known; /* from what a bucket is made of to its row */
} bucketing;

static const rk_layout *layout_of(const rk_stepping *s)
{
    return s->o->layout;
}

bool rk_stepping_in_buckets(const rk_stepping *s)
{
    return s->o->backward && rk_layout_copies(layout_of(s)) && !layout_of(s)->runtime.main_gradients;
}

/* ---- tasks ------------------------------------------------------------------------------------------------------ */

static bool is_expert(const rk_weight *w)
{
    return w->pieces >> RK_MESH_EP & 1;
}

void rk_stepping_complete(rk_stepping *s, uint32_t tensor)
{
    const rk_weight *w = &s->p->weight[s->p->tensor[tensor].weight];
    rk_step_complete *slot;

    if (!rk_stepping_in_buckets(s) ||
        (is_expert(w) && rk_layout_group(layout_of(s), RK_MESH_DDP, true) == 1)) /* nobody else has the same */
        return;
    slot = s->code == RK_OK ? RK_PUSH(s->a, &s->complete) : NULL;
    if (slot)
        *slot = (rk_step_complete){.task = (uint32_t)(s->task.n - 1), .weight = s->p->tensor[tensor].weight};
    else
        rk_stepping_fail(s);
}

/* ---- buffers ---------------------------------------------------------------------------------------------------- */

/* Frequencies of rotary positions lie beside the weights twice, as they are and as they were before any scaling. */
static rk_ex rotary_buffers(rk_stepping *s)
{
    rk_ex sum = rk_ex_int(s->pool, 0), one = rk_ex_int(s->pool, 1);

    for (size_t i = 0; i < s->p->n_op; i++) {
        rk_ex rotate = s->p->op[i].arg;

        if (rk_op_table[s->p->op[i].row].torch != RK_TORCH_ROPE_TABLE)
            continue;
        if (rk_stepping_value(s, rotate) % 2 != 0) /* one frequency for each pair */
            rotate = rk_ex_add(s->pool, rotate, one);
        sum = rk_ex_add(s->pool, sum, rotate);
    }
    return sum;
}

static bool is_wide(const rk_stepping *s, const rk_weight *w)
{
    return w->wide || s->o->run.bytes == 4;
}

/* What is stored and no parameter is made the same on all copies before the first pass, all of a type together. */
void rk_stepping_send_buffers(rk_stepping *s)
{
    rk_ex sum[N_TYPE] = {rk_ex_int(s->pool, 0), rotary_buffers(s)};

    if (!rk_stepping_in_buckets(s) || rk_layout_is_flat(layout_of(s)))
        return;
    for (size_t i = 0; i < s->p->n_weight; i++) {
        const rk_weight *w = &s->p->weight[i];
        bool wide = is_wide(s, w);

        if (w->buffer && w->tied_to == RK_NONE)
            sum[wide] =
                rk_ex_add(s->pool, sum[wide], rk_ex_mul(s->pool, rk_group_times(s->pool, s->p, w->group), w->count));
    }
    for (int wide = N_TYPE; wide-- > 0;)
        if (rk_stepping_value(s, sum[wide]) > 0)
            rk_stepping_send(s, (rk_sent){.op = RK_COLLECTIVE_BROADCAST,
                                          .axis = RK_MESH_DDP,
                                          .elements = sum[wide],
                                          .bytes = wide ? 4 : 2,
                                          .in = RK_SENT_IN_FIRST});
}

/* ---- which gradients lie together ------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

/* The elements of what a bucket has, as a formula. */
static rk_ex elements_of(bucketing *b, const filling *f)
{
    rk_pool *pool = b->s->pool;
    rk_ex sum = rk_ex_int(pool, 0);

    for (size_t i = 0; i < f->weight.n; i++)
        sum = rk_ex_add(pool, sum,
                        rk_ex_mul(pool, rk_ex_int(pool, (rk_i128)f->times[f->weight.at[i]]),
                                  b->s->p->weight[f->weight.at[i]].count));
    return sum;
}

/* Bytes that a bucket holds. */
static rk_i128 limit_of(const rk_stepping *s, int each)
{
    return layout_of(s)->bucket > 0 ? layout_of(s)->bucket : (rk_i128)layout_of(s)->runtime.bucket * each;
}

/* The bucket is reduced: it is one more of those that are made of the same, or the first. */
static void reduce(bucketing *b, filling *f)
{
    rk_stepping *s = b->s;
    size_t n = f->weight.n, size = n * (sizeof(uint32_t) + sizeof(uint64_t)) + 1;
    char *key = RK_NEW_ARRAY(b->a, size, char);
    uint32_t row;

    if (!key) {
        rk_stepping_fail(s);
        return;
    }
    qsort(f->weight.at, n, sizeof *f->weight.at, by_number);
    key[0] = (char)(f->each + f->experts);
    for (size_t i = 0; i < n; i++) {
        memcpy(key + 1 + i * sizeof(uint32_t), &f->weight.at[i], sizeof(uint32_t));
        memcpy(key + 1 + n * sizeof(uint32_t) + i * sizeof(uint64_t), &f->times[f->weight.at[i]], sizeof(uint64_t));
    }
    row = rk_map_get(&b->known, key, size);
    if (row != RK_NONE) {
        s->sent.at[row].times = rk_ex_add(s->pool, s->sent.at[row].times, rk_ex_int(s->pool, 1));
    } else {
        row = (uint32_t)s->sent.n;
        rk_stepping_send(s, (rk_sent){.op = RK_COLLECTIVE_ALL_REDUCE,
                                      .axis = RK_MESH_DDP,
                                      .elements = elements_of(b, f),
                                      .bytes = f->each,
                                      .experts = f->experts,
                                      .in = layout_of(s)->zero == 2 ? RK_SENT_IN_EACH : RK_SENT_IN_LAST,
                                      .times = rk_ex_int(s->pool, 1),
                                      .is_bucket = !rk_layout_is_flat(layout_of(s))});
        if (!rk_map_put(b->a, &b->known, key, size, row))
            rk_stepping_fail(s);
    }
    for (size_t i = 0; i < n; i++)
        f->times[f->weight.at[i]] = 0;
    f->weight.n = 0;
    f->bytes = 0;
    f->limit = limit_of(s, f->each); /* the first one may have another */
}

static void fill(bucketing *b, uint32_t weight)
{
    const rk_weight *w = &b->s->p->weight[weight];
    filling *f = &b->filling[is_wide(b->s, w) + N_TYPE * is_expert(w)];
    bool is_flat = rk_layout_is_flat(layout_of(b->s));
    uint32_t *slot = NULL;

    if (is_flat && f->weight.n > 0 && f->bytes + b->bytes[weight] > f->limit) /* its buffer has room for no more */
        reduce(b, f);
    if (f->times[weight]++ == 0) {
        if (!(slot = RK_PUSH(b->a, &f->weight))) {
            rk_stepping_fail(b->s);
            return;
        }
        *slot = weight;
    }
    f->bytes += b->bytes[weight];
    if (!is_flat && f->bytes >= f->limit)
        reduce(b, f);
}

/* ---- the lists -------------------------------------------------------------------------------------------------- */

static void add_turn(bucketing *b, turns *t, turn x)
{
    turn *slot = RK_PUSH(b->a, t);

    if (slot)
        *slot = x;
    else
        rk_stepping_fail(b->s);
}

/* Gradients are noted in the order of tasks. */
static size_t first_complete(const rk_stepping *s, uint32_t task)
{
    size_t low = 0, high = s->complete.n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (s->complete.at[middle].task < task)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const turns *turns_of(bucketing *b, uint32_t list)
{
    rk_stepping *s = b->s;
    const rk_step_list *l = &s->list.at[list];
    turns *t = &b->list[list];

    for (size_t i = 0; !t->known && i < l->n_item && s->code == RK_OK; i++) {
        const rk_step_item *item = &l->item[i];

        if (item->run)
            add_turn(b, t, (turn){.loop = item});
        else
            for (size_t k = first_complete(s, item->task); k < s->complete.n && s->complete.at[k].task == item->task;
                 k++)
                add_turn(b, t, (turn){.weight = s->complete.at[k].weight});
    }
    t->known = true;
    return t;
}

static void go_through(bucketing *b, uint32_t list)
{
    const turns *t = turns_of(b, list);

    if (!rk_work(t->n + 1))
        return;
    for (size_t i = 0; i < t->n && b->s->code == RK_OK; i++) {
        const rk_step_item *loop = t->at[i].loop;

        if (!loop)
            fill(b, t->at[i].weight);
        for (size_t k = 0; loop && k < loop->n_run && b->s->code == RK_OK; k++)
            go_through(b, loop->run[k].list);
    }
}

/* ---- DeepSpeed: a flat buffer in equal pieces ------------------------------------------------------------------- */

enum {
    FLAT_FILLED,  /* the bucket: as large as one can be, from the beginning of the backward pass to its end */
    FLAT_REDUCED, /* a copy of what is in it, which is reduced */
    FLAT_OWN,     /* gradients of the rank's piece */
    N_FLAT
};

rk_ex rk_step_flat_elements(rk_pool *pool, const rk_program *p, bool experts)
{
    rk_ex sum = rk_ex_int(pool, 0);

    for (size_t i = 0; i < p->n_weight; i++) {
        const rk_weight *w = &p->weight[i];

        if (w->tied_to == RK_NONE && !w->frozen && !w->buffer && is_expert(w) == experts)
            sum = rk_ex_add(pool, sum, rk_ex_mul(pool, rk_group_times(pool, p, w->group), w->count));
    }
    return sum;
}

/* Devices among which gradients are added up: copies, and pieces of the sequence where the runtime counts them in. */
static rk_ex sharers(rk_pool *pool, const rk_layout *l, bool experts)
{
    rk_ex n = rk_ex_mul(pool, rk_mesh_size(pool, l, RK_MESH_DDP), rk_mesh_size(pool, l, RK_MESH_CP));

    if (!l->runtime.main_gradients)
        return rk_mesh_group(pool, l, RK_MESH_DDP, experts);
    return experts ? rk_ex_div(pool, n, rk_mesh_size(pool, l, RK_MESH_EP)) : n;
}

rk_ex rk_step_flat_piece(rk_pool *pool, const rk_program *p, const rk_layout *l, bool experts)
{
    rk_ex among = sharers(pool, l, experts), unit = rk_ex_int(pool, l->runtime.flat_piece);
    rk_ex sum = rk_step_flat_elements(pool, p, experts);

    if (l->runtime.flat_whole > 0) { /* a whole of so many divides into as many pieces as there are devices */
        rk_ex whole = rk_ex_int(pool, l->runtime.flat_whole);

        sum = rk_ex_mul(pool, whole, rk_ex_ceil_div(pool, sum, whole));
    }
    return rk_ex_mul(pool, unit, rk_ex_ceil_div(pool, sum, rk_ex_mul(pool, unit, among)));
}

static bool is_flat(const rk_stepping *s)
{
    return s->o->backward && rk_layout_fills_buckets(layout_of(s));
}

/* Whether some bucket is reduced before the backward pass has ended: gradients that stay whole wait for its end. */
static bool reduces_early(rk_stepping *s)
{
    rk_i128 piece = rk_stepping_value(s, rk_step_flat_piece(s->pool, s->p, layout_of(s), false));

    return layout_of(s)->zero == 2 &&
           piece * s->o->run.bytes * rk_layout_group(layout_of(s), RK_MESH_DDP, false) > limit_of(s, s->o->run.bytes);
}

/* They are temporaries that no operation makes. */
void rk_stepping_find_flat(rk_stepping *s)
{
    static const char *const what[N_FLAT] = {"bucket of gradients", "copy of a bucket", "gradients of the rank"};
    rk_ex bytes[N_FLAT];

    if (!is_flat(s))
        return;
    bytes[FLAT_FILLED] = rk_ex_int(s->pool, limit_of(s, s->o->run.bytes));
    bytes[FLAT_OWN] =
        rk_ex_mul(s->pool, rk_ex_int(s->pool, s->o->run.bytes), rk_step_flat_piece(s->pool, s->p, layout_of(s), false));
    bytes[FLAT_REDUCED] =
        rk_ex_min(s->pool, bytes[FLAT_FILLED],
                  rk_ex_mul(s->pool, rk_mesh_group(s->pool, layout_of(s), RK_MESH_DDP, false), bytes[FLAT_OWN]));
    s->flat = (uint32_t)s->temporary.n;
    for (int k = 0; k < N_FLAT; k++) {
        rk_step_temporary *t = s->code == RK_OK ? RK_PUSH(s->a, &s->temporary) : NULL;

        if (!t) {
            rk_stepping_fail(s);
            return;
        }
        *t = (rk_step_temporary){.op = RK_NONE,
                                 .what = what[k],
                                 .as = RK_LIVE_WEIGHT_GRADIENT,
                                 .formula = bytes[k],
                                 .bytes = rk_stepping_rounded(s, rk_stepping_value(s, bytes[k]))};
    }
}

static void make_flat(rk_stepping *s, uint32_t which)
{
    rk_stepping_effect(s, RK_EFFECT_MAKE, s->inner + which,
                       (uint32_t)(s->out->n_place + 2 * s->out->n_tensor + s->flat + which));
}

void rk_stepping_begin_flat(rk_stepping *s)
{
    if (!is_flat(s))
        return;
    rk_stepping_task(s, RK_TASK_STORAGE, RK_NONE, RK_NONE, RK_STAGE_NONE);
    make_flat(s, FLAT_FILLED);
}

static void reduce_flat(rk_stepping *s)
{
    rk_stepping_task(s, RK_TASK_STORAGE, RK_NONE, RK_NONE, RK_STAGE_NONE);
    make_flat(s, FLAT_REDUCED);
    make_flat(s, FLAT_OWN);
    s->reduces_flat = true;
}

/* Where buckets are reduced on the way, what that takes stands beside what is alive then: here, beside all layers. */
void rk_stepping_enter_flat(rk_stepping *s)
{
    if (is_flat(s) && !s->reduces_flat && reduces_early(s))
        reduce_flat(s);
}

static void end_flat(rk_stepping *s)
{
    if (!is_flat(s))
        return;
    if (!s->reduces_flat)
        reduce_flat(s);
    for (uint32_t k = 0; k < N_FLAT; k++)
        rk_stepping_effect(s, RK_EFFECT_FREE, s->inner + k, RK_NONE);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

/* At the end of the backward pass, whose list is being made. */
void rk_stepping_reduce(rk_stepping *s)
{
    rk_arena own = {0};
    bucketing b = {.s = s, .a = &own};
    size_t n = s->p->n_weight;

    if (!rk_stepping_in_buckets(s) || s->code != RK_OK)
        return;
    b.list = RK_NEW_ARRAY(&own, s->list.n + 1, turns);
    b.bytes = RK_NEW_ARRAY(&own, n + 1, rk_i128);
    for (size_t i = 0; i < N_KIND; i++)
        b.filling[i] = (filling){
            .times = RK_NEW_ARRAY(&own, n + 1, uint64_t), .each = i % N_TYPE == 0 ? 2 : 4, .experts = i >= N_TYPE};
    for (size_t i = 0; i < N_KIND; i++)
        b.filling[i].limit =
            rk_layout_is_flat(layout_of(s)) ? limit_of(s, b.filling[i].each) : layout_of(s)->first_bucket;
    if (own.failed)
        rk_stepping_fail(s);
    for (size_t i = 0; i < n && s->code == RK_OK; i++)
        b.bytes[i] = rk_stepping_value(s, s->p->weight[i].count) * (is_wide(s, &s->p->weight[i]) ? 4 : 2);
    if (s->code == RK_OK)
        go_through(&b, s->open);
    for (size_t i = 0; i < N_KIND && s->code == RK_OK; i++)
        if (b.filling[i].weight.n > 0)
            reduce(&b, &b.filling[i]);
    end_flat(s);
    rk_arena_free(&own);
}

/* Where each copy has the optimizer's state of some weights, the one that changed a weight gives it to the others. */
void rk_stepping_send_weight(rk_stepping *s, const rk_weight *w)
{
    if (rk_stepping_in_buckets(s) && layout_of(s)->zero == 1 && !rk_layout_is_flat(layout_of(s)))
        rk_stepping_send(s, (rk_sent){.op = RK_COLLECTIVE_BROADCAST,
                                      .axis = RK_MESH_DDP,
                                      .elements = w->count,
                                      .bytes = is_wide(s, w) ? 4 : 2,
                                      .times = rk_group_times(s->pool, s->p, w->group)});
}

/*
 * Gradients that lie in one buffer from step to step are reduced when all passes have ended; of those that lie in
 * pieces of the optimizer's state, each device gets its own.
 */
void rk_stepping_reduce_main(rk_stepping *s)
{
    const rk_layout *l = layout_of(s);
    rk_ex one = rk_ex_int(s->pool, 1);

    for (int experts = 0; experts < 2 && l && l->runtime.main_gradients; experts++) {
        rk_ex among = sharers(s->pool, l, experts), all = rk_step_flat_elements(s->pool, s->p, experts);

        if (rk_stepping_value(s, among) < 2 || rk_stepping_value(s, all) == 0)
            continue;
        if (l->zero)
            all = rk_ex_mul(s->pool, among, rk_step_flat_piece(s->pool, s->p, l, experts));
        rk_stepping_send(s, (rk_sent){.op = l->zero ? RK_COLLECTIVE_REDUCE_SCATTER : RK_COLLECTIVE_ALL_REDUCE,
                                      .axis = l->size[RK_MESH_DDP] > 1 ? RK_MESH_DDP : RK_MESH_CP,
                                      .elements = all,
                                      .bytes = 4,
                                      .times = one,
                                      .experts = experts});
    }
}

/* … and what the devices have changed of the weights is gathered. */
static void gather_main(rk_stepping *s)
{
    const rk_layout *l = layout_of(s);

    for (int experts = 0; experts < 2 && l && l->runtime.main_gradients && l->zero; experts++) {
        rk_ex among = sharers(s->pool, l, experts), all = rk_step_flat_elements(s->pool, s->p, experts);

        if (rk_stepping_value(s, among) > 1 && rk_stepping_value(s, all) > 0)
            rk_stepping_send(
                s, (rk_sent){.op = RK_COLLECTIVE_ALL_GATHER,
                             .axis = l->size[RK_MESH_DDP] > 1 ? RK_MESH_DDP : RK_MESH_CP,
                             .elements = rk_ex_mul(s->pool, among, rk_step_flat_piece(s->pool, s->p, l, experts)),
                             .bytes = s->o->run.bytes,
                             .times = rk_ex_int(s->pool, 1),
                             .experts = experts});
    }
}

/* The norm of all gradients is one number; then the pieces, which have been changed, are gathered. */
void rk_stepping_send_flat(rk_stepping *s)
{
    rk_ex one = rk_ex_int(s->pool, 1), all;

    gather_main(s);
    if (!is_flat(s))
        return;
    all = rk_ex_mul(s->pool, rk_mesh_group(s->pool, layout_of(s), RK_MESH_DDP, false),
                    rk_step_flat_piece(s->pool, s->p, layout_of(s), false));
    rk_stepping_send(
        s, (rk_sent){.op = RK_COLLECTIVE_ALL_REDUCE, .axis = RK_MESH_DDP, .elements = one, .bytes = 4, .times = one});
    rk_stepping_send(s, (rk_sent){.op = RK_COLLECTIVE_ALL_GATHER,
                                  .axis = RK_MESH_DDP,
                                  .elements = all,
                                  .bytes = s->o->run.bytes,
                                  .times = one});
}
