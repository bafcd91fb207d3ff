/* SPDX-License-Identifier: MIT */
/*
 * pass/step_size.c - how large the buffers of a step are: as numbers, and for a census as expressions.
 *
 * Both follow the same rules; what is asked of numbers on the way is noted.
 */
#include "pass/stepping.h"

/* Of a rank, as the blocks of the caching allocator. */
static rk_i128 rounded(const rk_stepping *s, rk_i128 bytes)
{
    rk_i128 unit = s->o->rounding;

    if (s->o->layout && unit > 1)
        return rk_profile_block(s->o->run.profile, bytes);
    return (bytes + unit - 1) / unit * unit;
}

rk_i128 rk_stepping_rounded(const rk_stepping *s, rk_i128 bytes)
{
    return rounded(s, bytes);
}

static rk_i128 tensor_count(rk_stepping *s, const rk_tensor *t)
{
    rk_i128 n = 1;

    for (size_t i = 0; i < t->axes.n; i++)
        n *= rk_stepping_value(s, t->axes.at[i].size);
    return n;
}

static bool ends_alike(const rk_tensor *a, const rk_tensor *b)
{
    return a->axes.n > 0 && b->axes.n > 0 && a->axes.at[a->axes.n - 1].size == b->axes.at[b->axes.n - 1].size;
}

/* What a tensor is on all devices together: the one that a collective makes of it. */
static const rk_tensor *united(const rk_stepping *s, uint32_t tensor)
{
    for (size_t i = 0; i < s->p->n_op; i++)
        if (rk_op_table[s->p->op[i].row].class == RK_CLASS_COLLECTIVE && s->p->op[i].in[0].tensor == tensor)
            return &s->p->tensor[s->p->op[i].out];
    return &s->p->tensor[tensor];
}

/* Of what leads to an output that has all places of a sequence, and is as wide as it, one place is made. */
static bool is_one_place(const rk_stepping *s, uint32_t tensor)
{
    const rk_tensor *t = &s->p->tensor[tensor];

    if (s->o->places == RK_EX_FAILED || s->p->n_output == 0 || t->kind != RK_TENSOR_RESULT || t->group != 0 ||
        s->pl->tensor[tensor].buffer == RK_NONE ||
        !ends_alike(s->o->layout ? united(s, tensor) : t, &s->p->tensor[s->p->output[0]]))
        return false;
    for (size_t i = 0; i < t->axes.n; i++)
        if (t->axes.at[i].size == s->o->places)
            return true;
    return false;
}

/* Elements of a tensor's gradient; within the head and the loss those of a chunk. */
static rk_i128 gradient_count(rk_stepping *s, uint32_t tensor)
{
    const rk_chunk *chunk = s->o->chunk;
    const rk_tensor *t = &s->p->tensor[tensor];
    rk_i128 n = tensor_count(s, t);

    if (t->kind == RK_TENSOR_WEIGHT && s->p->weight[t->weight].gradient != RK_EX_FAILED)
        return rk_stepping_value(s, s->p->weight[t->weight].gradient);
    return rk_chunk_makes(chunk, s->p, tensor) && n % chunk->n_token == 0 ? n / chunk->n_token * chunk->size : n;
}

void rk_stepping_measure(rk_stepping *s)
{
    rk_i128 *bytes = s->out->bytes, places = s->o->places == RK_EX_FAILED ? 0 : rk_stepping_value(s, s->o->places);
    size_t nb = s->out->n_place, nt = s->out->n_tensor;

    for (size_t i = 0; i < nb; i++) {
        const rk_buffer *b = &s->pl->buffer[i];

        bytes[i] = rk_stepping_rounded(s, rk_stepping_value(s, b->count) * rk_type_bytes(b->type, &s->o->run));
    }
    for (uint32_t i = 0; i < nt; i++) {
        const rk_place *at = &s->pl->tensor[i];

        if (places > 0 && is_one_place(s, i)) {
            bytes[at->buffer] = rk_stepping_rounded(s, tensor_count(s, &s->p->tensor[i]) / places *
                                                           rk_type_bytes(at->type, &s->o->run));
            s->out->one_place[at->buffer] = true;
        }
        bytes[nb + i] = rk_stepping_rounded(s, gradient_count(s, i) * rk_type_bytes(at->type, &s->o->run));
        bytes[nb + nt + i] = s->o->cache ? s->o->cache[i] : 0;
    }
}

/* ---- the same as expressions ------------------------------------------------------------------------------------ */

static rk_ex in_bytes(rk_stepping *s, rk_ex count, rk_type type)
{
    return rk_ex_mul(s->pool, rk_ex_int(s->pool, rk_type_bytes(type, &s->o->run)), count);
}

static rk_ex gradient_elements(rk_stepping *s, uint32_t tensor)
{
    const rk_chunk *chunk = s->o->chunk;
    const rk_tensor *t = &s->p->tensor[tensor];
    rk_ex all = rk_ixs_count(s->pool, &t->axes);
    bool divides;

    if (t->kind == RK_TENSOR_WEIGHT && s->p->weight[t->weight].gradient != RK_EX_FAILED)
        return s->p->weight[t->weight].gradient;
    if (!rk_chunk_makes(chunk, s->p, tensor))
        return all;
    divides = rk_stepping_value(s, all) % chunk->n_token == 0;
    rk_conditions_equal(s->o->run.conditions, rk_ex_mod(s->pool, all, chunk->tokens), rk_ex_int(s->pool, 0), divides);
    return divides ? rk_chunk_of(chunk, s->pool, all) : all;
}

void rk_stepping_name_sizes(rk_stepping *s)
{
    rk_census *c = s->o->census;
    size_t nb = s->out->n_place, nt = s->out->n_tensor;
    rk_ex zero = rk_ex_int(s->pool, 0);

    if (!c || s->code != RK_OK)
        return;
    c->of_buffer = RK_NEW_ARRAY(c->arena, s->out->n_buffer + s->temporary.n + 1, uint32_t);
    if (!c->of_buffer) {
        rk_stepping_fail(s);
        return;
    }
    for (size_t i = 0; i < nb; i++)
        c->of_buffer[i] = rk_census_size(c, in_bytes(s, s->pl->buffer[i].count, s->pl->buffer[i].type));
    if (s->o->places != RK_EX_FAILED)
        rk_conditions_less(s->o->run.conditions, zero, s->o->places, rk_stepping_value(s, s->o->places) > 0);
    for (uint32_t i = 0; i < nt; i++) {
        const rk_place *at = &s->pl->tensor[i];

        if (is_one_place(s, i))
            c->of_buffer[at->buffer] = rk_census_size(
                c,
                in_bytes(s, rk_ex_div(s->pool, rk_ixs_count(s->pool, &s->p->tensor[i].axes), s->o->places), at->type));
    }
    for (uint32_t i = 0; i < nt; i++)
        c->of_buffer[nb + i] = rk_census_size(c, in_bytes(s, gradient_elements(s, i), s->pl->tensor[i].type));
    for (size_t i = 0; i < s->temporary.n; i++)
        c->of_buffer[s->out->n_buffer + i] = rk_census_size(c, s->temporary.at[i].formula);
    for (uint32_t i = 0; s->o->cache && s->o->cache_each && i < nt; i++)
        if (s->o->cache_each[i] != RK_EX_FAILED) {
            c->of_buffer[nb + nt + i] = rk_census_size(c, s->o->cache_each[i]);
            rk_conditions_less(s->o->run.conditions, zero, s->o->cache_each[i], s->o->cache[i] > 0);
        }
}

/* Whether the gradients of two tensors are as large as each other. */
bool rk_stepping_as_large(rk_stepping *s, uint32_t a, uint32_t b)
{
    rk_census *c = s->o->census;
    size_t nb = s->out->n_place;
    bool equal = s->out->bytes[nb + a] == s->out->bytes[nb + b];

    if (c && c->of_buffer[nb + a] != c->of_buffer[nb + b]) {
        rk_ex unit = rk_ex_int(s->pool, s->o->rounding);
        rk_ex x = c->size.at[c->of_buffer[nb + a]], y = c->size.at[c->of_buffer[nb + b]];
        bool rounds = s->o->rounding != 1;

        rk_conditions_equal(s->o->run.conditions,
                            rounds ? rk_ex_mul(s->pool, unit, rk_ex_ceil_div(s->pool, x, unit)) : x,
                            rounds ? rk_ex_mul(s->pool, unit, rk_ex_ceil_div(s->pool, y, unit)) : y, equal);
    }
    return equal;
}
