/* SPDX-License-Identifier: MIT */
#include "account/serve.h"

#include <string.h>

/* ---- how far it can go ------------------------------------------------------------------------------------------- */

static bool is_of_tokens(const rk_symbol *s)
{
    return s->kind == RK_SYMBOL_RUN &&
           (s->role == RK_SIZE_TOKENS || s->role == RK_SIZE_TARGETS || s->role == RK_SIZE_KEYS);
}

/* 0, 1, 2 … along tokens, of which a run has more or fewer, and not along the patches of an image. */
static bool counts_tokens(const rk_instance *x, const rk_tensor *t)
{
    const rk_op *op = t->kind == RK_TENSOR_RESULT ? &x->program->op[t->producer] : NULL;

    if (!op || t->axes.n == 0 || rk_op_table[op->row].class != RK_CLASS_POSITION)
        return false;
    for (size_t i = 0; i < x->model->n_symbol; i++) {
        const rk_symbol *s = &x->model->symbol[i];

        if (is_of_tokens(s) && rk_ex_has_sym(x->pool, t->axes.at[t->axes.n - 1].size, s->sym))
            return true;
    }
    return false;
}

rk_i128 rk_serve_positions(const rk_instance *m)
{
    const rk_program *p = m->program;
    rk_i128 least = 0, n;

    for (size_t i = 0; i < p->n_op; i++) {
        const rk_op *op = &p->op[i];
        const rk_tensor *table = op->n_in > 1 ? &p->tensor[op->in[1].tensor] : NULL;

        if (rk_op_table[op->row].class != RK_CLASS_LOOKUP || table->kind != RK_TENSOR_WEIGHT ||
            !counts_tokens(m, &p->tensor[op->in[0].tensor]))
            continue;
        if (rk_ex_eval(m->pool, p->weight[table->weight].dim[0], &m->at, &n, NULL) == RK_OK &&
            (least == 0 || n < least))
            least = n;
    }
    return least;
}

/* ---- what it moves ---------------------------------------------------------------------------------------------- */

typedef struct serving {
    const rk_instance *m;
    const rk_ledger *plain;
    const rk_program *p;
    rk_pool *pool;
    const rk_caches *caches;
    const rk_holding *holding;
    rk_serving *out;
    bool *whole; /* of each weight: all of it is read */
    rk_ex *rows; /* otherwise: elements that are looked up */
    rk_binding at;
    rk_err *err;
    int code;
} serving;

static rk_i128 value(serving *s, rk_ex e)
{
    rk_i128 n = 0;

    if (s->code == RK_OK)
        s->code = rk_ex_eval(s->pool, e, &s->at, &n, s->err);
    return n;
}

static rk_i128 sum(serving *s, rk_i128 a, rk_i128 b)
{
    rk_acc acc = {0};
    rk_i128 n = rk_add(&acc, a, b);

    if (acc.overflow && s->code == RK_OK)
        s->code = rk_fail(s->err, RK_EOVERFLOW, "what a step does exceeds 128 bits");
    return n;
}

static uint32_t owner_of(const rk_program *p, uint32_t weight)
{
    while (p->weight[weight].tied_to != RK_NONE)
        weight = p->weight[weight].tied_to;
    return weight;
}

static void look_at_op(serving *s, const rk_op *op)
{
    for (size_t k = 0; k < op->n_in; k++) {
        const rk_tensor *t = &s->p->tensor[op->in[k].tensor];
        uint32_t w = t->kind == RK_TENSOR_WEIGHT ? owner_of(s->p, t->weight) : RK_NONE;

        if (w == RK_NONE)
            continue;
        if (rk_op_table[op->row].class == RK_CLASS_LOOKUP)
            s->rows[w] = rk_ex_add(s->pool, s->rows[w], rk_ixs_count(s->pool, &s->p->tensor[op->out].axes));
        else
            s->whole[w] = true;
    }
}

/* 1 − (1 − share)ⁿ, in steps that every machine rounds alike. */
static double visited_share(double share, rk_i128 n)
{
    double left = 1, power = 1 - share;

    for (; n > 0; n /= 2, power *= power)
        left *= n % 2 ? power : 1;
    return 1 - left;
}

static void read_experts(serving *s, rk_i128 bytes, rk_i128 active, rk_i128 count)
{
    s->out->experts = sum(s, s->out->experts, bytes);
    s->out->expected |= s->out->tokens > 1;
    if (s->out->tokens == 1)
        s->out->visited += bytes / count * active + bytes % count * active / count;
    else
        s->out->visited +=
            (rk_i128)((double)bytes * visited_share((double)active / (double)count, s->out->tokens) + 0.5);
}

static rk_i128 plain_value(serving *s, rk_ex e)
{
    rk_i128 n = 0;

    if (s->code == RK_OK)
        s->code = rk_ex_eval(s->plain->pool, e, &s->plain->instance->at, &n, s->err);
    return n;
}

/* Elements of a weight that one token uses, by the equations. */
static rk_i128 active_of(serving *s, uint32_t i, rk_i128 count)
{
    const rk_program *p = &s->plain->model->program;

    /* The weights are the same, and so is their order, but for what a body leaves unused. */
    for (size_t k = 0; k < p->n_weight; k++) {
        const rk_weight *w = &p->weight[(i + k) % p->n_weight];

        if (strcmp(w->pattern, s->p->weight[i].pattern) == 0 && plain_value(s, w->count) == count)
            return plain_value(s, w->active);
    }
    return count;
}

static void read_weight(serving *s, uint32_t i)
{
    const rk_weight *w = &s->p->weight[i];
    rk_ex times = rk_group_times(s->pool, s->p, w->group), all = rk_ex_mul(s->pool, times, s->holding->each[i]);
    rk_ex looked_up = rk_ex_mul(s->pool, s->rows[i], rk_ex_div(s->pool, s->holding->each[i], w->count));
    rk_i128 count = value(s, w->count), active = s->whole[i] ? active_of(s, i, count) : count;

    if (active < count)
        read_experts(s, value(s, all), active, count);
    else
        s->out->weights_formula =
            rk_ex_add(s->pool, s->out->weights_formula, s->whole[i] ? all : rk_ex_mul(s->pool, times, looked_up));
}

static void read_weights(serving *s)
{
    s->out->weights_formula = rk_ex_int(s->pool, 0);
    for (size_t i = 0; i < s->p->n_weight; i++)
        s->rows[i] = rk_ex_int(s->pool, 0);
    for (size_t i = 0; i < s->p->n_op; i++)
        look_at_op(s, &s->p->op[i]);
    for (uint32_t i = 0; s->holding->by_weight && i < s->p->n_weight; i++)
        if (s->p->weight[i].tied_to == RK_NONE && !s->p->weight[i].buffer)
            read_weight(s, i);
    s->out->weights = value(s, s->out->weights_formula);
}

/* Tokens of a cache that a step reads, and those that it writes: both for all sequences, in bytes of a layer. */
static rk_ex part_of(serving *s, const rk_cache *c, rk_ex tokens)
{
    return rk_ex_mul(s->pool, c->times, rk_ex_div(s->pool, rk_ex_mul(s->pool, c->each, tokens), c->tokens));
}

static void move_cache(serving *s, const rk_cache *c)
{
    const rk_keep *k = &s->p->keep[c->keep];
    rk_ex fresh = k->over_size;
    rk_ex old = rk_ex_sub(s->pool, s->p->label[k->over].size, fresh);
    bool fixed = c->kind == RK_CACHE_STATE || c->kind == RK_CACHE_ONCE;

    if (c->kind == RK_CACHE_WINDOW) {
        old = rk_ex_min(s->pool, old, c->most);
        fresh = rk_ex_min(s->pool, fresh, c->most);
    }
    if (value(s, c->tokens) == 0)
        return;
    s->out->cache_formula = rk_ex_add(s->pool, s->out->cache_formula, part_of(s, c, fixed ? c->tokens : old));
    if (c->kind != RK_CACHE_ONCE)
        s->out->written_formula = rk_ex_add(s->pool, s->out->written_formula, part_of(s, c, fixed ? c->tokens : fresh));
}

static void move_caches(serving *s)
{
    s->out->cache_formula = s->out->written_formula = rk_ex_int(s->pool, 0);
    for (size_t i = 0; i < s->caches->n; i++)
        move_cache(s, &s->caches->at[i]);
    s->out->cache = value(s, s->out->cache_formula);
    s->out->written = value(s, s->out->written_formula);
}

/* New tokens: what the first thing that is kept has of them, for each sequence. */
static rk_i128 tokens_of(serving *s)
{
    const rk_symbol *b = rk_model_size(s->m->model, RK_SIZE_BATCH);
    rk_i128 n = b ? value(s, rk_ex_sym(s->pool, b->sym)) : 1;

    for (size_t i = 0; i < s->p->n_keep; i++)
        if (!s->p->keep[i].once)
            return n * value(s, s->p->keep[i].over_size);
    return n;
}

static void count_flops(serving *s)
{
    const rk_ledger *l = s->plain;

    for (size_t i = 0; i < l->n_op && s->code == RK_OK; i++)
        s->out->flops = sum(s, s->out->flops, plain_value(s, rk_ex_mul(l->pool, l->op[i].times, l->op[i].forward)));
}

int rk_serving_new(const rk_instance *m, const rk_ledger *plain, const rk_caches *caches, const rk_holding *holding,
                   rk_serving *out, rk_err *err)
{
    const rk_program *p = m->program;
    rk_arena arena = {0};
    serving s = {.m = m,
                 .plain = plain,
                 .p = p,
                 .pool = m->pool,
                 .caches = caches,
                 .holding = holding,
                 .out = out,
                 .whole = RK_NEW_ARRAY(&arena, p->n_weight + 1, bool),
                 .rows = RK_NEW_ARRAY(&arena, p->n_weight + 1, rk_ex),
                 .at = m->at,
                 .err = err};

    *out = (rk_serving){.weights_known = holding->by_weight};
    if (arena.failed) {
        s.code = rk_fail_memory(err);
    } else {
        out->tokens = tokens_of(&s);
        read_weights(&s);
        move_caches(&s);
        count_flops(&s);
        out->moved = sum(&s, sum(&s, out->weights, out->visited), sum(&s, out->cache, out->written));
    }
    rk_arena_free(&arena);
    return s.code;
}
