/* SPDX-License-Identifier: MIT */
/*
 * pass/count.c - the walk of a timeline as a census sees it: sizes as expressions instead of bytes.
 *
 * What rk_walk_measure finds as numbers is found here as expressions, by the same rules; what it asked of numbers on
 * the way is noted.
 */
#include "pass/walk.h"

/* The census, while it counts: in the first of the two walks. */
rk_census *rk_walk_census(const rk_walk *w)
{
    return w->looking ? NULL : w->o->census;
}

/* ---- sizes ------------------------------------------------------------------------------------------------------ */

static rk_ex in_bytes(rk_walk *w, rk_ex count, rk_type type)
{
    return rk_ex_mul(w->m->pool, rk_ex_int(w->m->pool, rk_type_bytes(type, &w->o->run)), count);
}

static rk_ex count_of(rk_walk *w, const rk_tensor *t)
{
    rk_ex e = rk_ex_int(w->m->pool, 1);

    for (size_t i = 0; i < t->axes.n; i++)
        e = rk_ex_mul(w->m->pool, e, t->axes.at[i].size);
    return e;
}

static void name_buffers(rk_walk *w)
{
    for (size_t i = 0; i < w->pl->n_buffer; i++)
        w->o->census->of_buffer[i] =
            rk_census_size(w->o->census, in_bytes(w, w->pl->buffer[i].count, w->pl->buffer[i].type));
}

/* Buffers of which one place of a sequence is made: rk_walk_measure has marked them. */
static void name_one_places(rk_walk *w)
{
    rk_ex zero = rk_ex_int(w->m->pool, 0);

    if (w->o->places == RK_EX_FAILED)
        return;
    rk_asked_less(w->o->run.asked, zero, w->o->places, rk_walk_value(w, w->o->places) > 0);
    for (size_t i = 0; i < w->p->n_tensor; i++) {
        const rk_place *at = &w->pl->tensor[i];

        if (rk_walk_is_one_place(w, (uint32_t)i))
            w->o->census->of_buffer[at->buffer] = rk_census_size(
                w->o->census,
                in_bytes(w, rk_ex_div(w->m->pool, count_of(w, &w->p->tensor[i]), w->o->places), at->type));
    }
}

/* Within the head and the loss there is a chunk of what all tokens have. */
static rk_ex gradient_count(rk_walk *w, uint32_t tensor)
{
    rk_pool *pool = w->m->pool;
    const rk_tail *tail = w->o->tail;
    rk_ex all = count_of(w, &w->p->tensor[tensor]);
    bool divides;

    if (!rk_tail_makes(tail, w->p, tensor))
        return all;
    divides = rk_walk_value(w, all) % tail->n_token == 0;
    rk_asked_equal(w->o->run.asked, rk_ex_mod(pool, all, tail->tokens), rk_ex_int(pool, 0), divides);
    return divides ? rk_tail_of_chunk(tail, pool, all) : all;
}

static void name_gradients(rk_walk *w)
{
    for (uint32_t i = 0; i < w->p->n_tensor; i++)
        w->o->census->of_gradient[i] =
            rk_census_size(w->o->census, in_bytes(w, gradient_count(w, i), w->pl->tensor[i].type));
}

static void name_caches(rk_walk *w)
{
    for (uint32_t i = 0; w->o->cache && w->o->cache_each && i < w->p->n_tensor; i++)
        if (w->o->cache_each[i] != RK_EX_FAILED) {
            w->o->census->of_cache[i] = rk_census_size(w->o->census, w->o->cache_each[i]);
            rk_asked_less(w->o->run.asked, rk_ex_int(w->m->pool, 0), w->o->cache_each[i], w->o->cache[i] > 0);
        }
}

void rk_walk_name_sizes(rk_walk *w)
{
    rk_census *c = w->o->census;

    if (!c || w->code != RK_OK)
        return;
    c->of_buffer = RK_NEW_ARRAY(c->arena, w->pl->n_buffer + 1, uint32_t);
    c->of_gradient = RK_NEW_ARRAY(c->arena, w->p->n_tensor + 1, uint32_t);
    c->of_cache = RK_NEW_ARRAY(c->arena, w->p->n_tensor + 1, uint32_t);
    if (!c->of_buffer || !c->of_gradient || !c->of_cache) {
        w->code = rk_fail_memory(w->err);
        return;
    }
    name_buffers(w);
    name_one_places(w);
    name_gradients(w);
    name_caches(w);
    rk_census_open(c, 2 * (w->p->n_op + 1));
}

/* ---- births and deaths ------------------------------------------------------------------------------------------ */

static uint32_t size_of(const rk_census *c, const rk_walk_live *l)
{
    return l->kind == LIVE_BUFFER     ? c->of_buffer[l->what]
           : l->kind == LIVE_GRADIENT ? c->of_gradient[l->what]
                                      : c->of_cache[l->what];
}

/* One key for each operation, and one for it done again. */
void rk_walk_count_born(rk_walk *w, const rk_walk_live *l, uint32_t op)
{
    rk_census *c = rk_walk_census(w);
    size_t at = op == RK_NONE ? w->p->n_op : op;

    if (c)
        rk_census_born(c, size_of(c, l), (uint32_t)(2 * at + w->again));
}

void rk_walk_count_died(rk_walk *w, const rk_walk_live *l)
{
    rk_census *c = rk_walk_census(w);

    if (c)
        rk_census_died(c, size_of(c, l));
}

static rk_ex rounded(const rk_walk *w, rk_ex bytes)
{
    rk_ex unit = rk_ex_int(w->m->pool, w->o->rounding);

    return w->o->rounding == 1 ? bytes : rk_ex_mul(w->m->pool, unit, rk_ex_ceil_div(w->m->pool, bytes, unit));
}

/* Someone asks whether the gradients of two tensors are as large as each other. */
void rk_walk_ask_bytes(const rk_walk *w, uint32_t a, uint32_t b)
{
    rk_census *c = rk_walk_census(w);

    if (c && c->of_gradient[a] != c->of_gradient[b])
        rk_asked_equal(w->o->run.asked, rounded(w, c->size.at[c->of_gradient[a]]),
                       rounded(w, c->size.at[c->of_gradient[b]]), w->tensor_bytes[a] == w->tensor_bytes[b]);
}
