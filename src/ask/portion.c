/* SPDX-License-Identifier: MIT */
#include "ask/portion.h"

#include <stdlib.h>
#include <string.h>

#define STAY 2 /* passes whose gradients are added up: more than one, and they stay */

const char *const rk_portion_text[RK_N_PORTION] = {
    [RK_PORTION_WEIGHTS] = "weights",
    [RK_PORTION_GATHERED] = "weights at work, gathered whole",
    [RK_PORTION_GRADIENTS] = "gradients",
    [RK_PORTION_OPTIMIZER] = "optimizer",
    [RK_PORTION_IN_STEP] = "optimizer, in its step",
    [RK_PORTION_CACHE] = "cache",
    [RK_PORTION_WORKSPACE] = "workspace of the matrix library",
    [RK_PORTION_AT_WORK] = "activations and what else is at work",
};

typedef struct sharing {
    rk_arena *a;
    const rk_portion_request *r;
    rk_portion *s;
    rk_memory_options o;
    rk_i128 copies;     /* devices that hold the same but for `zero` */
    rk_memory *whole;   /* the account with the optimizer that was asked for */
    rk_memory *at_work; /* the same, or one with an optimizer whose step takes nothing beside it */
    rk_err *err;
    int code;
} sharing;

/* ---- rows ------------------------------------------------------------------------------------------------------- */

/* Over how many of the copies something is divided. */
static rk_i128 over(rk_portion_class what, int zero, rk_i128 copies)
{
    static const int from[RK_N_PORTION] = {
        [RK_PORTION_WEIGHTS] = 3, [RK_PORTION_GRADIENTS] = 2, [RK_PORTION_OPTIMIZER] = 1, [RK_PORTION_IN_STEP] = 1};

    return from[what] > 0 && zero >= from[what] ? copies : 1;
}

static rk_i128 part_of(rk_i128 whole, rk_i128 n)
{
    return whole / n + (whole % n != 0);
}

static void put_row(sharing *c, rk_portion_class what, rk_i128 whole)
{
    rk_i128 n = over(what, c->r->split.zero, c->copies);
    rk_acc acc = {0};

    if (whole <= 0 || c->code != RK_OK)
        return;
    c->s->row[c->s->n_row++] = (rk_portion_row){.what = what, .whole = whole, .over = n, .bytes = part_of(whole, n)};
    c->s->total = rk_add(&acc, c->s->total, part_of(whole, n));
    if (acc.overflow)
        c->code = rk_fail(c->err, RK_EOVERFLOW, "what a device holds exceeds 128 bits");
}

/* ---- what is at work -------------------------------------------------------------------------------------------- */

/* The rows of an account begin with what is there throughout; the others are buffers. */
static size_t n_standing(const rk_memory *m)
{
    size_t n = 0;

    while (n < m->alive.n && m->alive.at[n].kind <= RK_ALIVE_WORKSPACE)
        n++;
    return n;
}

static int by_size(const void *a, const void *b)
{
    const rk_memory_row *x = a, *y = b;
    rk_i128 m = x->bytes * x->times, n = y->bytes * y->times;

    return m != n ? (m < n ? 1 : -1) : strcmp(x->path, y->path);
}

static void take_piece(sharing *c, rk_memory_row row)
{
    rk_memory_row *slot = RK_PUSH(c->a, &c->s->pieces);

    if (slot)
        *slot = row;
    else
        c->code = rk_fail_memory(c->err);
}

/* What is alive at the largest moment of a pass, beside what stands there throughout. */
static rk_i128 take_pieces(sharing *c, const rk_memory_rows *rows, size_t from, rk_i128 *cache)
{
    rk_i128 sum = 0;

    for (size_t i = from; i < rows->n && c->code == RK_OK; i++) {
        rk_i128 bytes = rows->at[i].bytes * rows->at[i].times;

        if (rows->at[i].kind == RK_ALIVE_CACHE) {
            *cache += bytes;
            continue;
        }
        sum += bytes;
        take_piece(c, rows->at[i]);
    }
    if (c->s->pieces.n > 0)
        qsort(c->s->pieces.at, c->s->pieces.n, sizeof *c->s->pieces.at, by_size);
    return sum;
}

/* ---- what is gathered ------------------------------------------------------------------------------------------- */

static rk_i128 value(sharing *c, rk_ex e)
{
    rk_binding at = rk_model_binding(c->r->model);
    rk_i128 n = 0;

    if (c->code == RK_OK)
        c->code = rk_ex_eval(c->r->model->pool, e, &at, &n, c->err);
    return n;
}

/* The group of whole layers that a group stands in; 0: it is outside of layers. */
static uint32_t layer_of(const rk_program *p, uint32_t group)
{
    while (group != 0 && p->group[group].parent != 0)
        group = p->group[group].parent;
    return group;
}

/* The topmost part that a part stands in. */
static uint32_t top_of(const rk_program *p, uint32_t part)
{
    while (part != 0 && p->part[part].parent != 0)
        part = p->part[part].parent;
    return part;
}

/* How often a weight occurs in one layer: more than once where there are layers in it. */
static rk_i128 times_in_layer(sharing *c, uint32_t group)
{
    const rk_program *p = &c->r->model->program;
    rk_i128 n = 1;

    for (; group != 0 && p->group[group].parent != 0; group = p->group[group].parent)
        n *= value(c, p->group[group].times);
    return n;
}

/* Whether a weight is in the unit whose first weight is `first`: the same layer, or outside of layers the same part. */
static bool is_beside(const rk_program *p, const rk_weight *first, const rk_weight *w)
{
    uint32_t layer = layer_of(p, first->group);

    return layer_of(p, w->group) == layer && (layer != 0 || top_of(p, w->part) == top_of(p, first->part));
}

static rk_i128 unit_bytes(sharing *c, const rk_weight *first)
{
    const rk_program *p = &c->r->model->program;
    rk_i128 sum = 0;

    for (size_t i = 0; i < p->n_weight; i++) {
        const rk_weight *w = &p->weight[i];

        if (w->tied_to == RK_NONE && !w->buffer && is_beside(p, first, w))
            sum += times_in_layer(c, w->group) * value(c, c->whole->holding.each[i]);
    }
    return sum;
}

/* The largest of the layers and of the parts outside of them. */
static rk_i128 gathered(sharing *c)
{
    const rk_program *p = &c->r->model->program;
    rk_i128 most = 0;

    for (size_t i = 0; i < p->n_weight && c->code == RK_OK; i++) {
        const rk_weight *w = &p->weight[i];
        rk_i128 bytes = w->tied_to == RK_NONE && !w->buffer ? unit_bytes(c, w) : 0;

        if (bytes <= most)
            continue;
        most = bytes;
        c->s->gathered = layer_of(p, w->group) ? "a layer" : p->part[top_of(p, w->part)].path;
    }
    return most;
}

/* ---- all rows --------------------------------------------------------------------------------------------------- */

static void account(sharing *c, rk_memory **out)
{
    if (c->code == RK_OK)
        c->code = rk_memory_new(c->r->model, &c->o, out, c->err);
}

/* By the book there are no moments: everything is there at once. */
static void put_book(sharing *c)
{
    const rk_memory *m = c->whole;
    rk_i128 cache = 0;

    put_row(c, RK_PORTION_WEIGHTS, m->parameters);
    put_row(c, RK_PORTION_GRADIENTS, m->gradients);
    put_row(c, RK_PORTION_OPTIMIZER, m->optimizer);
    put_row(c, RK_PORTION_CACHE, m->cache);
    put_row(c, RK_PORTION_AT_WORK, take_pieces(c, &m->kept, 0, &cache));
}

/* In the optimizer's step no layer is at work: of the buffers, someone still has the output. */
static void put_step(sharing *c)
{
    c->s->during = "the optimizer's step";
    put_row(c, RK_PORTION_IN_STEP, c->whole->spare);
    put_row(c, RK_PORTION_AT_WORK, c->whole->output);
    if (c->whole->output > 0 && c->code == RK_OK)
        take_piece(c, (rk_memory_row){.kind = RK_ALIVE_PASSING,
                                      .path = "output",
                                      .what = "of this step",
                                      .bytes = c->whole->output,
                                      .times = 1});
}

static void put_pass(sharing *c)
{
    const rk_memory *m = c->at_work;
    rk_i128 cache = 0, sum = take_pieces(c, &m->alive, n_standing(m), &cache);

    c->s->during = m->peak_during;
    c->s->path = m->peak_path;
    put_row(c, RK_PORTION_CACHE, cache);
    put_row(c, RK_PORTION_AT_WORK, sum);
}

static bool is_largest_in_step(const sharing *c)
{
    const rk_memory *m = c->at_work, *w = c->whole;
    rk_i128 workspaces = rk_profile_workspaces(&c->o.profile, c->o.phase == RK_PHASE_TRAIN);
    rk_i128 pass = m->peak - m->held_weights - m->held_optimizer - workspaces;
    rk_i128 step = part_of(w->spare, over(RK_PORTION_IN_STEP, c->r->split.zero, c->copies)) + w->output;

    /* Gradients stay from pass to pass, or are there in the step alone. */
    pass -= c->o.passes > 1 || c->o.gradient > 0 ? m->held_gradients : 0;
    step += c->o.passes > 1 || c->o.gradient > 0 ? 0 : w->held_gradients;
    return c->o.phase == RK_PHASE_TRAIN && step >= pass;
}

static void put_rows(sharing *c)
{
    const rk_memory *m = c->whole;
    bool train = c->o.phase == RK_PHASE_TRAIN, in_step = is_largest_in_step(c);
    bool stay = c->o.passes > 1 || c->o.gradient > 0;

    put_row(c, RK_PORTION_WEIGHTS, m->held_weights);
    if (over(RK_PORTION_WEIGHTS, c->r->split.zero, c->copies) > 1)
        put_row(c, RK_PORTION_GATHERED, gathered(c));
    if (train && (stay || in_step))
        put_row(c, RK_PORTION_GRADIENTS, m->held_gradients);
    if (train)
        put_row(c, RK_PORTION_OPTIMIZER, m->held_optimizer);
    put_row(c, RK_PORTION_WORKSPACE, rk_profile_workspaces(&c->o.profile, train));
    if (in_step)
        put_step(c);
    else
        put_pass(c);
}

static void build(sharing *c)
{
    account(c, &c->whole);
    c->at_work = c->whole;
    if (c->code == RK_OK && c->whole->spare > 0) {
        c->o.optimizer = RK_OPTIMIZER_SGD;
        c->o.master = 0;
        account(c, &c->at_work);
    }
    if (c->code == RK_OK && c->o.profile.by_hand)
        put_book(c);
    else if (c->code == RK_OK)
        put_rows(c);
}

/* ---- a part of the layers --------------------------------------------------------------------------------------- */

/* Of the bytes of a weight that a config or a file tells, as large a part as of its elements, rounded up. */
static rk_ex part_of_weight(sharing *c, size_t i)
{
    rk_pool *pool = c->r->model->pool;
    rk_ex count = c->r->model->program.weight[i].count;
    rk_i128 whole = value(c, count);
    rk_ex bytes = rk_ex_mul(pool, c->r->options->holding->each[i], count);

    return whole > 0 ? rk_ex_ceil_div(pool, bytes, rk_ex_int(pool, whole)) : rk_ex_int(pool, 0);
}

/* What is told of the weights is of the whole model; that of the part lives as long as the account that uses it. */
static void slice_holding(sharing *c)
{
    const rk_program *p = &c->r->model->program;
    rk_holding *h = RK_NEW(c->a, rk_holding);

    if (!c->r->options->holding->by_weight) {
        c->code =
            rk_fail(c->err, RK_EINPUT,
                    "of this file the bytes of all weights together are known, which cannot be divided: --weights "
                    "says a type for all matrices");
        return;
    }
    if (h)
        *h = *c->r->options->holding;
    if (!h || !(h->each = RK_NEW_ARRAY(c->a, p->n_weight + 1, rk_ex)))
        c->code = rk_fail_memory(c->err);
    for (size_t i = 0; i < p->n_weight && c->code == RK_OK; i++)
        h->each[i] = part_of_weight(c, i);
    c->o.holding = h;
}

static void set_slice(sharing *c)
{
    const rk_portion_request *r = c->r;

    if (!r->slice)
        return;
    if (!rk_slice_divides(r->slice, r->split.tensor, c->err)) {
        c->code = RK_EINPUT;
        return;
    }
    rk_slice_set(r->slice, 1);
    if (r->split.tensor > 1 && r->options->holding)
        slice_holding(c);
    rk_slice_set(r->slice, r->split.tensor);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

int rk_portion_new(rk_arena *a, const rk_portion_request *r, rk_portion *out, rk_err *err)
{
    sharing c = {.a = a, .r = r, .s = out, .o = *r->options, .err = err};

    *out = (rk_portion){0};
    c.copies = r->split.devices / r->split.tensor;
    c.o.viewer.see = NULL;
    if (r->split.zero > 0 && c.copies > 1 && c.o.passes < STAY)
        c.o.passes = STAY;
    set_slice(&c);
    if (c.code == RK_OK)
        build(&c);
    /* The pieces' texts live in the account that they are from. */
    if (c.at_work != c.whole)
        rk_memory_free(c.whole);
    out->memory = c.at_work;
    if (c.code != RK_OK)
        rk_portion_free(out);
    return c.code;
}

void rk_portion_free(rk_portion *s)
{
    rk_memory_free(s->memory);
    *s = (rk_portion){0};
}
