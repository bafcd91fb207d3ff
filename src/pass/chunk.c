/* SPDX-License-Identifier: MIT */
#include "pass/chunk.h"

#include <string.h>

typedef struct cutting {
    rk_arena *a;
    const rk_instance *m;
    const rk_program *p;
    const rk_flow *f;
    rk_places *pl;
    rk_chunk *t;
    rk_conditions *conditions;
    rk_err *err;
    int code; /* sticky */
} cutting;

static rk_ex tokens_of(cutting *c, const rk_tensor *t)
{
    return rk_ixs_count(c->m->pool, &(rk_ixs){t->axes.at, t->axes.n ? t->axes.n - 1 : 0});
}

static bool is_cast(const rk_op *op)
{
    return rk_op_table[op->row].class == RK_CLASS_CAST;
}

static bool is_inside(const rk_chunk *t, const rk_program *p, uint32_t tensor)
{
    const rk_tensor *x = &p->tensor[tensor];

    return x->kind == RK_TENSOR_RESULT && x->producer != RK_NONE && x->producer >= t->region->first;
}

static bool is_weight_copy(const rk_program *p, uint32_t tensor)
{
    const rk_tensor *x = &p->tensor[tensor];

    return x->kind == RK_TENSOR_RESULT && x->producer != RK_NONE && is_cast(&p->op[x->producer]) &&
           p->tensor[p->op[x->producer].in[0].tensor].kind == RK_TENSOR_WEIGHT;
}

/* What an operand of the head was before a cast within the region. */
static uint32_t outside(const cutting *c, uint32_t tensor)
{
    return is_inside(c->t, c->p, tensor) ? c->p->op[c->p->tensor[tensor].producer].in[0].tensor : tensor;
}

static void find_head(cutting *c)
{
    const rk_op *head;

    c->t->head = c->t->region->first;
    while (is_cast(&c->p->op[c->t->head]))
        c->t->head++;
    head = &c->p->op[c->t->head];
    c->t->hidden = outside(c, head->in[0].tensor);
    c->t->weight = outside(c, head->in[1].tensor);
    c->t->tokens = tokens_of(c, &c->p->tensor[head->out]);
    c->t->n_token = rk_instance_value(c->m, c->t->tokens, &c->code, c->err);
}

static rk_ex last_size(cutting *c, uint32_t tensor)
{
    const rk_ixs *axes = &c->p->tensor[tensor].axes;

    return axes->n ? axes->at[axes->n - 1].size : rk_ex_int(c->m->pool, 1);
}

/* A power of two, so that the logits of a chunk are about as many as the numbers that go into the head. */
static rk_i128 natural_chunk(cutting *c)
{
    rk_pool *pool = c->m->pool;
    rk_ex width = last_size(c, c->t->hidden), words = last_size(c, c->p->op[c->t->head].out);
    rk_ex least = rk_ex_ceil_div(pool, c->t->tokens, rk_ex_ceil_div(pool, words, width));
    rk_i128 wanted = rk_instance_value(c->m, least, &c->code, c->err), n = 1;

    while (n < wanted)
        n *= 2;
    rk_conditions_less(c->conditions, rk_ex_int(pool, n), least, false);
    if (n > 1)
        rk_conditions_less(c->conditions, rk_ex_int(pool, n / 2), least, true);
    return n;
}

static void set_size(cutting *c, rk_i128 chunk)
{
    bool given = chunk > 0 || c->t->region->kind == RK_REGION_FUSED;

    chunk = chunk > 0 ? chunk : given ? natural_chunk(c) : c->t->n_token;
    c->t->size = chunk < c->t->n_token ? chunk : c->t->n_token;
    c->t->part = chunk < c->t->n_token ? rk_ex_int(c->m->pool, chunk) : c->t->tokens;
    if (given)
        rk_conditions_less(c->conditions, rk_ex_int(c->m->pool, chunk), c->t->tokens, chunk < c->t->n_token);
    rk_conditions_less(c->conditions, rk_ex_int(c->m->pool, 0), c->t->tokens, c->t->n_token > 0);
}

/* Whether something has as many elements for each token. */
static bool is_of_tokens(cutting *c, rk_ex count)
{
    bool yes = c->t->n_token > 0 && rk_instance_value(c->m, count, &c->code, c->err) % c->t->n_token == 0;

    if (c->conditions && c->t->n_token > 0)
        rk_conditions_equal(c->conditions, rk_ex_mod(c->m->pool, count, c->t->tokens), rk_ex_int(c->m->pool, 0), yes);
    return yes;
}

/* A weight's copy is that of all tokens. */
bool rk_chunk_makes(const rk_chunk *t, const rk_program *p, uint32_t tensor)
{
    return t && t->n_token > 0 && is_inside(t, p, tensor) && !is_weight_copy(p, tensor);
}

rk_ex rk_chunk_of(const rk_chunk *t, rk_pool *pool, rk_ex all)
{
    return rk_ex_mul(pool, rk_ex_div(pool, all, t->tokens), t->part);
}

/* Of a chunk there is so much less of all that has something for each token; labels are there as a whole. */
static void shorten(cutting *c, rk_buffer *b)
{
    rk_pool *pool = c->m->pool;

    if (b->tensor != RK_NONE && (c->p->tensor[b->tensor].kind == RK_TENSOR_WEIGHT || is_weight_copy(c->p, b->tensor)))
        return;
    if (b->type == RK_TYPE_WHOLE)
        b->op = RK_NONE;
    else if (is_of_tokens(c, b->count))
        b->count = rk_chunk_of(c->t, pool, b->count);
}

static void shorten_all(cutting *c)
{
    for (size_t i = 0; i < c->pl->n_buffer && c->code == RK_OK; i++)
        if (c->pl->buffer[i].op != RK_NONE && c->pl->buffer[i].op >= c->t->region->first)
            shorten(c, &c->pl->buffer[i]);
}

static uint32_t add_buffer(cutting *c, const char *what, rk_ex count, rk_type type)
{
    c->pl->buffer[c->pl->n_buffer] =
        (rk_buffer){.what = what, .op = c->t->region->first, .tensor = RK_NONE, .count = count, .type = type};
    return (uint32_t)c->pl->n_buffer++;
}

/* Gradients of what goes into the head and of its weight, in their types; losses, and a chunk's logits. */
static void add_fused(cutting *c)
{
    rk_chunk *t = c->t;
    uint32_t copy = c->p->op[t->head].in[1].tensor;
    rk_ex words = rk_ex_div(c->m->pool, rk_ixs_count(c->m->pool, &c->p->tensor[c->p->op[t->head].out].axes), t->tokens);

    t->hidden_gradient = add_buffer(c, "gradient of its input", rk_ixs_count(c->m->pool, &c->p->tensor[t->hidden].axes),
                                    c->pl->tensor[t->hidden].type);
    t->losses = add_buffer(c, "loss of each token", t->tokens, RK_TYPE_F32);
    t->logits =
        add_buffer(c, "of a chunk", rk_ex_mul(c->m->pool, words, t->part), c->pl->tensor[c->p->op[t->head].out].type);
    t->weight_gradient = t->weight_copy = RK_NONE;
    if (copy != t->weight)
        t->weight_copy =
            add_buffer(c, "its weight, cast", rk_ixs_count(c->m->pool, &c->p->tensor[copy].axes), RK_TYPE_LOW);
    if (rk_flow_needs(c->f, t->head, 1))
        t->weight_gradient = add_buffer(c, "gradient of its weight",
                                        rk_ixs_count(c->m->pool, &c->p->tensor[t->weight].axes), RK_TYPE_RUN);
}

/* The table of buffers once more, with room for five. */
static bool copy_buffers(cutting *c)
{
    rk_buffer *more = RK_NEW_ARRAY(c->a, c->pl->n_buffer + 5, rk_buffer);

    if (!more)
        return false;
    memcpy(more, c->pl->buffer, c->pl->n_buffer * sizeof *more);
    c->pl->buffer = more;
    return true;
}

int rk_chunk_new(rk_arena *a, const rk_instance *m, const rk_flow *f, rk_i128 size, rk_conditions *conditions,
                 rk_places *pl, rk_chunk *out, rk_err *err)
{
    cutting c = {.a = a, .m = m, .p = m->program, .f = f, .pl = pl, .t = out, .conditions = conditions, .err = err};

    *out = (rk_chunk){.region = rk_program_loss_region(m->program)};
    if (!out->region)
        return RK_OK;
    find_head(&c);
    if (c.code != RK_OK)
        return c.code;
    set_size(&c, size);
    if (!copy_buffers(&c))
        return rk_fail_memory(err);
    shorten_all(&c);
    if (out->region->kind == RK_REGION_FUSED)
        add_fused(&c);
    return c.code;
}
