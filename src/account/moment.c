/* SPDX-License-Identifier: MIT */
#include "account/moment.h"

typedef struct summing {
    const rk_moment_terms *t;
    const rk_program *p;
    rk_pool *pool;
    rk_binding at;
    rk_ex sum;
    rk_err *err;
    int code;
} summing;

/* n of the layers of a group, in terms of how many there are. */
static rk_ex times_of(summing *s, uint32_t group, uint64_t n)
{
    rk_ex times = rk_group_times(s->pool, s->p, group);
    rk_i128 all = 0;

    if (s->code == RK_OK)
        s->code = rk_ex_eval(s->pool, times, &s->at, &all, s->err);
    if ((rk_i128)n * 2 < all || all <= 1)
        return rk_ex_int(s->pool, (rk_i128)n);
    return rk_ex_add(s->pool, times, rk_ex_int(s->pool, (rk_i128)n - all));
}

static void add(summing *s, uint32_t group, uint64_t n, rk_ex count, int bytes)
{
    rk_ex each = rk_ex_mul(s->pool, rk_ex_int(s->pool, bytes), count);

    s->sum = rk_ex_add(s->pool, s->sum, rk_ex_mul(s->pool, times_of(s, group, n), each));
}

static void add_buffer(summing *s, size_t i, uint64_t n)
{
    const rk_buffer *b = &s->t->places->buffer[i];
    bool one = s->t->step->one_place[i] && s->t->one_of != RK_EX_FAILED;

    add(s, b->group, n, one ? rk_ex_div(s->pool, b->count, s->t->one_of) : b->count,
        rk_type_bytes(b->type, &s->t->run));
}

/* What has something for each token is there of a chunk. */
static rk_ex of_chunk(summing *s, rk_ex count)
{
    const rk_chunk *chunk = s->t->chunk;
    rk_i128 n = 0;

    if (s->code == RK_OK)
        s->code = rk_ex_eval(s->pool, count, &s->at, &n, s->err);
    return n % chunk->n_token == 0 ? rk_chunk_of(chunk, s->pool, count) : count;
}

static void add_gradient(summing *s, size_t i, uint64_t n)
{
    const rk_tensor *t = &s->p->tensor[i];
    rk_ex count = rk_ixs_count(s->pool, &t->axes);
    uint32_t group = t->kind == RK_TENSOR_WEIGHT ? s->p->weight[t->weight].group : t->group;

    if (rk_chunk_makes(s->t->chunk, s->p, (uint32_t)i))
        count = of_chunk(s, count);
    add(s, group, n, count, rk_type_bytes(s->t->places->tensor[i].type, &s->t->run));
}

static uint32_t keep_group(const summing *s, size_t tensor)
{
    for (size_t i = 0; i < s->p->n_keep; i++)
        if (s->p->keep[i].tensor == tensor)
            return s->p->keep[i].group;
    return 0;
}

int rk_moment_formula(const rk_moment_terms *t, const rk_moment *at, rk_ex *out, rk_err *err)
{
    rk_pool *pool = t->instance->pool;
    summing s = {
        .t = t, .p = t->instance->program, .pool = pool, .at = t->instance->at, .sum = rk_ex_int(pool, 0), .err = err};

    for (size_t i = 0; i < t->places->n_buffer; i++)
        if (at->buffers[i])
            add_buffer(&s, i, at->buffers[i]);
    for (size_t i = 0; i < s.p->n_tensor; i++) {
        if (at->gradients[i])
            add_gradient(&s, i, at->gradients[i]);
        if (at->caches[i] && t->cache)
            add(&s, keep_group(&s, i), at->caches[i], t->cache[i], 1);
    }
    *out = s.sum;
    return s.code != RK_OK ? s.code : rk_pool_check(pool, err);
}
