/* SPDX-License-Identifier: MIT */
#include "account/serve.h"

#include <string.h>

/* ---- how far it can go ------------------------------------------------------------------------------------------- */

/* 0, 1, 2 … along tokens, of which a run has more or fewer, and not along the patches of an image. */
static bool counts_tokens(const rk_instance *x, const rk_tensor *t)
{
    const rk_op *op = t->kind == RK_TENSOR_RESULT ? &x->program->op[t->producer] : NULL;

    if (!op || t->axes.n == 0 || rk_op_table[op->row].class != RK_CLASS_POSITION)
        return false;
    for (size_t i = 0; i < x->model->n_symbol; i++) {
        const rk_symbol *s = &x->model->symbol[i];
        bool of_tokens = s->role == RK_SIZE_TOKENS || s->role == RK_SIZE_TARGETS || s->role == RK_SIZE_KEYS;

        if (s->kind == RK_SYMBOL_RUN && of_tokens && rk_ex_has_sym(x->pool, t->axes.at[t->axes.n - 1].size, s->sym))
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
    const rk_storage *storage;
    rk_serving *out;
    bool *whole; /* of each weight: all of it is read */
    rk_ex *rows; /* otherwise: elements that are looked up */
    rk_err *err;
    int code;
} serving;

static rk_i128 value(serving *s, rk_ex e)
{
    return rk_instance_value(s->m, e, &s->code, s->err);
}

static rk_i128 sum(serving *s, rk_i128 a, rk_i128 b)
{
    rk_acc acc = {0};
    rk_i128 n = rk_add(&acc, a, b);

    if (acc.overflow && s->code == RK_OK)
        s->code = rk_fail(s->err, RK_EOVERFLOW, "what a step does exceeds 128 bits");
    return n;
}

static void look_at_op(serving *s, const rk_op *op)
{
    for (size_t k = 0; k < op->n_in; k++) {
        const rk_tensor *t = &s->p->tensor[op->in[k].tensor];
        uint32_t w;

        if (t->kind != RK_TENSOR_WEIGHT)
            continue;
        w = rk_weight_owner(s->p, t->weight);
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

/* Elements of a weight that one token uses, by the equations. */
static rk_i128 active_of(serving *s, uint32_t i, rk_i128 count)
{
    const rk_instance *x = s->plain->instance;
    const rk_program *p = x->program;

    /* The weights are the same, and so is their order, but for what a body leaves unused. */
    for (size_t k = 0; k < p->n_weight; k++) {
        const rk_weight *w = &p->weight[(i + k) % p->n_weight];

        if (strcmp(w->pattern, s->p->weight[i].pattern) == 0 &&
            rk_instance_value(x, w->count, &s->code, s->err) == count)
            return rk_instance_value(x, w->active, &s->code, s->err);
    }
    return count;
}

static void read_weight(serving *s, uint32_t i)
{
    const rk_weight *w = &s->p->weight[i];
    rk_ex times = rk_group_times(s->pool, s->p, w->group), all = rk_ex_mul(s->pool, times, s->storage->each[i]);
    rk_ex looked_up = rk_ex_mul(s->pool, s->rows[i], rk_ex_div(s->pool, s->storage->each[i], w->count));
    rk_i128 count = value(s, w->count), active = s->whole[i] ? active_of(s, i, count) : count;

    if (active < count)
        read_experts(s, value(s, all), active, count);
    else
        s->out->weights_formula =
            rk_ex_add(s->pool, s->out->weights_formula, s->whole[i] ? all : rk_ex_mul(s->pool, times, looked_up));
}

static void read_weights(serving *s)
{
    for (size_t i = 0; i < s->p->n_weight; i++)
        s->rows[i] = rk_ex_int(s->pool, 0);
    for (size_t i = 0; i < s->p->n_op; i++)
        look_at_op(s, &s->p->op[i]);
    for (uint32_t i = 0; s->storage->by_weight && i < s->p->n_weight; i++)
        if (s->p->weight[i].tied_to == RK_NONE && !s->p->weight[i].buffer)
            read_weight(s, i);
    s->out->weights = value(s, s->out->weights_formula);
}

/* Adds what so many tokens of a cache take, for all sequences and layers. */
static void add_tokens(serving *s, const rk_cache *c, rk_ex tokens, rk_ex *sum_of)
{
    rk_ex part = rk_ex_div(s->pool, rk_ex_mul(s->pool, c->each, tokens), c->tokens);

    *sum_of = rk_ex_add(s->pool, *sum_of, rk_ex_mul(s->pool, c->times, part));
}

static void move_caches(serving *s, const rk_caches *caches)
{
    for (size_t i = 0; i < caches->n; i++) {
        const rk_cache *c = &caches->at[i];
        const rk_keep *k = &s->p->keep[c->keep];
        rk_ex fresh = k->over_size, old = rk_ex_sub(s->pool, s->p->label[k->over].size, fresh);

        if (c->kind == RK_CACHE_WINDOW) {
            old = rk_ex_min(s->pool, old, c->most);
            fresh = rk_ex_min(s->pool, fresh, c->most);
        } else if (c->kind == RK_CACHE_STATE || c->kind == RK_CACHE_ONCE) {
            old = fresh = c->tokens;
        }
        if (value(s, c->tokens) == 0)
            continue;
        add_tokens(s, c, old, &s->out->cache_formula);
        if (c->kind != RK_CACHE_ONCE)
            add_tokens(s, c, fresh, &s->out->written_formula);
    }
    s->out->cache = value(s, s->out->cache_formula);
    s->out->written = value(s, s->out->written_formula);
}

static void count_flops(serving *s)
{
    const rk_ledger *l = s->plain;

    for (size_t i = 0; i < l->n_op && s->code == RK_OK; i++) {
        rk_ex all = rk_ex_mul(l->pool, l->op[i].times, l->op[i].forward);

        s->out->flops = sum(s, s->out->flops, rk_instance_value(l->instance, all, &s->code, s->err));
    }
}

int rk_serving_new(const rk_instance *m, const rk_ledger *plain, const rk_caches *caches, const rk_storage *storage,
                   rk_serving *out, rk_err *err)
{
    const rk_program *p = m->program;
    const rk_symbol *batch = rk_model_size(m->model, RK_SIZE_BATCH);
    rk_ex zero = rk_ex_int(m->pool, 0), fresh = rk_keep_fresh(p);
    rk_arena arena = {0};
    serving s = {.m = m,
                 .plain = plain,
                 .p = p,
                 .pool = m->pool,
                 .storage = storage,
                 .out = out,
                 .whole = RK_NEW_ARRAY(&arena, p->n_weight + 1, bool),
                 .rows = RK_NEW_ARRAY(&arena, p->n_weight + 1, rk_ex),
                 .err = err};

    *out = (rk_serving){
        .weights_known = storage->by_weight, .weights_formula = zero, .cache_formula = zero, .written_formula = zero};
    if (arena.failed) {
        s.code = rk_fail_memory(err);
    } else {
        /* New tokens: what the first thing that is saved has of them, for each sequence. */
        out->tokens =
            (batch ? value(&s, rk_ex_sym(m->pool, batch->sym)) : 1) * (fresh == RK_EX_FAILED ? 1 : value(&s, fresh));
        read_weights(&s);
        move_caches(&s, caches);
        count_flops(&s);
        out->moved = sum(&s, sum(&s, out->weights, out->visited), sum(&s, out->cache, out->written));
    }
    rk_arena_free(&arena);
    return s.code;
}
