/* SPDX-License-Identifier: MIT */
#include "account/memory.h"

#include <string.h>

/* What is being added up; failure is sticky. */
typedef struct building {
    rk_memory *m;
    rk_model *model;
    const rk_program *p;
    rk_pool *pool;
    rk_binding at;
    const rk_memory_options *o;
    rk_flow flow;
    rk_places places;
    rk_timeline held, alone; /* with the output held while the backward pass runs, and without */
    rk_i128 *cache;          /* bytes of the cache of each tensor */
    rk_i128 weights;         /* as the allocator rounds them */
    rk_i128 weight_gradients;
    rk_i128 moments;
    rk_err *err;
    int code;
} building;

static rk_i128 value(building *b, rk_ex e)
{
    rk_i128 n = 0;

    if (b->code == RK_OK)
        b->code = rk_ex_eval(b->pool, e, &b->at, &n, b->err);
    return n;
}

static rk_ex times_bytes(building *b, rk_ex count, int bytes)
{
    return rk_ex_mul(b->pool, rk_ex_int(b->pool, bytes), count);
}

static rk_i128 rounded(const building *b, rk_i128 bytes)
{
    return (bytes + b->o->rounding - 1) / b->o->rounding * b->o->rounding;
}

static void add_row(building *b, rk_memory_rows *rows, rk_memory_row row)
{
    rk_memory_row *slot = row.times > 0 ? RK_PUSH(&b->m->arena, rows) : NULL;

    if (row.times <= 0)
        return;
    if (slot)
        *slot = row;
    else
        b->code = b->code == RK_OK ? rk_fail_memory(b->err) : b->code;
}

/* ---- weights ---------------------------------------------------------------------------------------------------- */

/* Numbers that an optimizer keeps of a tensor, and its scales, as bytes. */
static rk_ex state_of(building *b, const rk_weight *w)
{
    const rk_optimizer_row *row = &rk_optimizer_table[b->o->optimizer];
    int bytes = row->bytes ? row->bytes : b->o->master ? b->o->master : b->o->bytes;
    bool matrix = w->n_dim >= 2;
    rk_ex blocks = rk_ex_ceil_div(b->pool, w->count, rk_ex_int(b->pool, 256));
    rk_ex n = rk_ex_mul(b->pool, rk_ex_int(b->pool, matrix ? row->matrix : row->other), w->count);

    if (matrix && row->sides)
        n = rk_ex_add(b->pool, n, rk_ex_add(b->pool, w->dim[w->n_dim - 1], w->dim[w->n_dim - 2]));
    return rk_ex_add(b->pool, times_bytes(b, n, bytes), times_bytes(b, blocks, 4 * row->scales));
}

static void add_weight(building *b, const rk_weight *w)
{
    rk_memory *m = b->m;
    rk_ex times = rk_group_times(b->p, w->group), bytes = times_bytes(b, w->count, b->o->bytes);
    rk_i128 n = value(b, times);
    bool trains = b->o->phase == RK_PHASE_TRAIN && !w->frozen;
    rk_ex state =
        trains ? rk_ex_add(b->pool, state_of(b, w), times_bytes(b, w->count, b->o->master)) : rk_ex_int(b->pool, 0);

    m->parameters_formula = rk_ex_add(b->pool, m->parameters_formula, rk_ex_mul(b->pool, times, bytes));
    m->optimizer_formula = rk_ex_add(b->pool, m->optimizer_formula, rk_ex_mul(b->pool, times, state));
    b->weights += n * rounded(b, value(b, bytes));
    b->moments += n * rounded(b, value(b, state));
    if (!trains)
        return;
    m->gradients_formula = rk_ex_add(b->pool, m->gradients_formula, rk_ex_mul(b->pool, times, bytes));
    b->weight_gradients += n * rounded(b, value(b, bytes));
}

static void add_weights(building *b)
{
    rk_memory *m = b->m;

    m->parameters_formula = m->gradients_formula = m->optimizer_formula = rk_ex_int(b->pool, 0);
    for (size_t i = 0; i < b->p->n_weight; i++)
        if (b->p->weight[i].tied_to == RK_NONE && !b->p->weight[i].buffer)
            add_weight(b, &b->p->weight[i]);
    m->parameters = value(b, m->parameters_formula);
    m->gradients = value(b, m->gradients_formula);
    m->optimizer = value(b, m->optimizer_formula);
}

/* ---- the cache -------------------------------------------------------------------------------------------------- */

/* Tokens that a cache holds: all, a window, or the last few. */
static rk_ex tokens_of(building *b, const rk_keep *k)
{
    rk_ex all = b->p->label[k->over].size, one = rk_ex_int(b->pool, 1);

    if (k->last != RK_EX_FAILED)
        return k->last;
    if (k->within == RK_EX_FAILED)
        return all;
    /* A window of W tokens needs the W - 1 before the new one. */
    return rk_ex_min(b->pool, all, rk_ex_sub(b->pool, k->within, one));
}

/* Elements of a tensor for one token: those of all axes but the one along which it grows. */
static rk_ex per_token(building *b, const rk_keep *k)
{
    const rk_tensor *t = &b->p->tensor[k->tensor];
    rk_ex e = rk_ex_int(b->pool, 1);
    bool found = false;

    for (size_t i = t->axes.n; i > 0; i--) {
        /* The axis goes by its old name in the tensor, whose size in a prefill is the same. */
        bool grows = !found && (t->axes.at[i - 1].label == k->over || t->axes.at[i - 1].size == k->over_size);

        found |= grows;
        e = grows ? e : rk_ex_mul(b->pool, e, t->axes.at[i - 1].size);
    }
    return e;
}

static const char *path_of(building *b, uint32_t part, const char *name)
{
    const char *path = b->p->part[part].path;
    char *text = rk_arena_format(&b->m->arena, "%s%s%s", path, path[0] ? "." : "", name ? name : "");

    if (!text)
        b->code = b->code == RK_OK ? rk_fail_memory(b->err) : b->code;
    return text;
}

static void add_cache(building *b, const rk_keep *k)
{
    int bytes = b->o->cache ? b->o->cache : b->o->bytes;
    rk_ex each = times_bytes(b, rk_ex_mul(b->pool, per_token(b, k), tokens_of(b, k)), bytes);
    rk_ex times = rk_group_times(b->p, k->group);

    b->m->cache_formula = rk_ex_add(b->pool, b->m->cache_formula, rk_ex_mul(b->pool, times, each));
    b->cache[k->tensor] = rounded(b, value(b, each));
    add_row(b, &b->m->caches,
            (rk_memory_row){.path = path_of(b, k->part, b->p->tensor[k->tensor].name),
                            .what = "cache",
                            .formula = each,
                            .bytes = value(b, each),
                            .times = value(b, times)});
}

static void add_caches(building *b)
{
    b->m->cache_formula = rk_ex_int(b->pool, 0);
    b->cache = RK_NEW_ARRAY(&b->m->arena, b->p->n_tensor + 1, rk_i128);
    if (!b->cache)
        b->code = rk_fail_memory(b->err);
    for (size_t i = 0; b->o->phase != RK_PHASE_TRAIN && i < b->p->n_keep && b->code == RK_OK; i++)
        add_cache(b, &b->p->keep[i]);
    b->m->cache = value(b, b->m->cache_formula);
}

/* ---- what is kept ----------------------------------------------------------------------------------------------- */

static const char *buffer_path(building *b, const rk_buffer *x)
{
    const rk_op *op = x->op == RK_NONE ? NULL : &b->p->op[x->op];

    return op ? path_of(b, op->part, op->name) : path_of(b, 0, b->p->tensor[x->tensor].name);
}

static rk_ex buffer_bytes(building *b, const rk_buffer *x)
{
    rk_run_options run = {.bytes = b->o->bytes};

    return times_bytes(b, x->count, rk_type_bytes(x->type, &run));
}

/* The same number of layers as its group has, as an expression where it is that number. */
static rk_ex times_of(building *b, uint32_t group, uint64_t n)
{
    rk_ex times = rk_group_times(b->p, group);
    rk_i128 all = value(b, times);

    return rk_ex_add(b->pool, times, rk_ex_int(b->pool, (rk_i128)n - all));
}

static void add_kept(building *b)
{
    rk_memory *m = b->m;

    m->saved_formula = rk_ex_int(b->pool, 0);
    for (size_t i = 0; i < b->places.n_buffer && b->code == RK_OK; i++) {
        const rk_buffer *x = &b->places.buffer[i];
        uint64_t n = b->held.kept[i];
        rk_ex each = n ? buffer_bytes(b, x) : RK_EX_FAILED;

        if (n == 0)
            continue;
        m->saved_formula = rk_ex_add(b->pool, m->saved_formula, rk_ex_mul(b->pool, times_of(b, x->group, n), each));
        add_row(b, &m->kept,
                (rk_memory_row){.path = buffer_path(b, x),
                                .what = x->what,
                                .formula = each,
                                .bytes = value(b, each),
                                .times = (rk_i128)n});
    }
    m->saved = value(b, m->saved_formula);
}

/* ---- the peak --------------------------------------------------------------------------------------------------- */

static rk_timeline_options walk_options(const building *b, bool hold)
{
    const rk_memory_options *o = b->o;
    bool train = o->phase == RK_PHASE_TRAIN;
    const rk_symbol *s = train ? NULL : rk_model_symbol(b->model, b->p->n_keep ? "S" : "");

    return (rk_timeline_options){
        .run = {.bytes = o->bytes, .by_book = o->by_book},
        .backward = train,
        .loss = train && o->loss,
        .hold_output = hold,
        .recompute = o->recompute,
        .rounding = o->rounding,
        .cache = train ? NULL : b->cache,
        .places = s ? rk_ex_sym(b->pool, s->sym) : RK_EX_FAILED,
    };
}

static void walk(building *b, bool hold, rk_timeline *out)
{
    rk_timeline_options o = walk_options(b, hold);

    if (b->code == RK_OK)
        b->code = rk_timeline_new(&b->m->arena, b->model, &b->places, &b->flow, &o, out, b->err);
}

static void put_alive(building *b, const char *path, const char *what, rk_i128 bytes, rk_i128 times)
{
    add_row(b, &b->m->alive, (rk_memory_row){.path = path, .what = what, .bytes = bytes, .times = times});
}

static void put_moment(building *b, const rk_timeline *t, const rk_moment *at)
{
    for (size_t i = 0; i < b->places.n_buffer && b->code == RK_OK; i++)
        if (at->buffers[i])
            put_alive(b, buffer_path(b, &b->places.buffer[i]), b->places.buffer[i].what, t->bytes[i],
                      (rk_i128)at->buffers[i]);
    for (size_t i = 0; i < b->p->n_tensor && b->code == RK_OK; i++) {
        const rk_tensor *x = &b->p->tensor[i];
        const char *name = x->kind == RK_TENSOR_WEIGHT ? b->p->weight[x->weight].pattern : x->name;
        uint32_t part = x->kind == RK_TENSOR_RESULT ? b->p->op[x->producer].part : 0;

        if (at->gradients[i])
            put_alive(b, path_of(b, part, name), "gradient", t->tensor_bytes[i], (rk_i128)at->gradients[i]);
        if (at->caches[i])
            put_alive(b, path_of(b, part, name), "cache", b->cache[i], (rk_i128)at->caches[i]);
    }
}

static void put_fixed(building *b, rk_i128 workspaces, bool moments, bool gradients)
{
    put_alive(b, "weights", NULL, b->weights, 1);
    if (moments)
        put_alive(b, "optimizer", NULL, b->moments, b->moments > 0);
    if (gradients)
        put_alive(b, "gradients", NULL, b->weight_gradients, 1);
    put_alive(b, "workspace", NULL, b->o->workspace, b->o->workspace > 0 ? workspaces : 0);
}

static rk_i128 output_bytes(const building *b)
{
    rk_i128 n = 0;

    for (size_t i = 0; i < b->p->n_output; i++)
        n += b->held.tensor_bytes[b->p->output[i]];
    return n;
}

static void name_peak(building *b, const char *during, const rk_moment *at)
{
    b->m->peak_during = during;
    b->m->peak_path = at && at->op != RK_NONE ? path_of(b, b->p->op[at->op].part, b->p->op[at->op].name) : NULL;
}

/* A step after the first: the optimizer's state is there, and the output of the step before until a new one is. */
static void find_train_peak(building *b)
{
    rk_memory *m = b->m;
    rk_i128 w = b->o->workspace, base = b->weights + b->moments + 2 * w;
    rk_i128 forward = base + b->held.forward.bytes + output_bytes(b), backward = base + b->held.backward.bytes;
    rk_i128 step = base + b->weight_gradients;

    m->first_forward = b->weights + w + b->alone.forward.bytes;
    m->first_backward = b->weights + 2 * w + b->alone.backward.bytes;
    m->first_optimizer = step;
    m->peak = backward > forward ? backward : forward;
    m->peak = step > m->peak ? step : m->peak;
    put_fixed(b, 2, true, m->peak == step);
    if (m->peak == step) {
        name_peak(b, "the optimizer's step", NULL);
    } else if (m->peak == backward) {
        name_peak(b, "the backward pass", &b->held.backward);
        put_moment(b, &b->held, &b->held.backward);
    } else {
        name_peak(b, "the forward pass", &b->held.forward);
        put_alive(b, "output", "of the step before", output_bytes(b), 1);
        put_moment(b, &b->held, &b->held.forward);
    }
}

static void find_infer_peak(building *b)
{
    b->m->peak = b->weights + b->o->workspace + b->held.forward.bytes;
    put_fixed(b, 1, false, false);
    name_peak(b, "the forward pass", &b->held.forward);
    put_moment(b, &b->held, &b->held.forward);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static void build(building *b)
{
    rk_run_options run = {.bytes = b->o->bytes, .by_book = b->o->by_book};

    b->code = rk_flow_new(&b->m->arena, b->p, &b->flow, b->err);
    if (b->code == RK_OK)
        b->code = rk_places_new(&b->m->arena, b->model, &b->flow, &run, &b->places, b->err);
    add_weights(b);
    add_caches(b);
    walk(b, true, &b->held);
    if (b->o->phase == RK_PHASE_TRAIN)
        walk(b, false, &b->alone);
    if (b->code != RK_OK)
        return;
    add_kept(b);
    if (b->o->phase == RK_PHASE_TRAIN)
        find_train_peak(b);
    else
        find_infer_peak(b);
}

int rk_memory_new(rk_model *model, const rk_memory_options *o, rk_memory **out, rk_err *err)
{
    rk_memory *m = rk_heap_alloc(sizeof *m);
    building b = {.m = m, .model = model, .p = &model->program, .pool = model->pool, .o = o, .err = err};

    if (!m)
        return rk_fail_memory(err);
    memset(m, 0, sizeof *m);
    m->model = model;
    m->options = *o;
    b.at = rk_model_binding(model);
    build(&b);
    if (b.code != RK_OK) {
        rk_memory_free(m);
        return b.code;
    }
    *out = m;
    return RK_OK;
}

void rk_memory_free(rk_memory *m)
{
    if (!m)
        return;
    rk_arena_free(&m->arena);
    rk_heap_free(m);
}
