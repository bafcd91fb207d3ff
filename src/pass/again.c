/* SPDX-License-Identifier: MIT */
#include "pass/again.h"

#include "base/vec.h"

#include <string.h>

/* ---- the heart of attention ------------------------------------------------------------------------------------- */

static bool is_weight(const rk_program *p, const rk_operand *in)
{
    return p->tensor[in->tensor].kind == RK_TENSOR_WEIGHT;
}

static bool is_product(const rk_op *op)
{
    return rk_op_table[op->row].class == RK_CLASS_PRODUCT;
}

/* The product from which a softmax follows by operations element by element, or RK_NONE. */
static uint32_t scores_of(const rk_program *p, size_t softmax, bool *wanted)
{
    wanted[p->op[softmax].in[0].tensor] = true;
    for (size_t i = softmax; i > 0 && p->op[i - 1].group == p->op[softmax].group; i--) {
        const rk_op *op = &p->op[i - 1];

        if (wanted[op->out] && rk_op_mixes(p, op))
            return (uint32_t)(i - 1);
        for (size_t k = 0; wanted[op->out] && !is_product(op) && k < op->n_in; k++)
            wanted[op->in[k].tensor] = true;
    }
    return RK_NONE;
}

static bool reads(const rk_op *op, const bool *from)
{
    for (size_t k = 0; k < op->n_in; k++)
        if (from[op->in[k].tensor])
            return true;
    return false;
}

/* The product that takes the softmax, or RK_NONE. */
static uint32_t context_of(const rk_program *p, size_t softmax, bool *from)
{
    from[p->op[softmax].out] = true;
    for (size_t i = softmax + 1; i < p->n_op && p->op[i].group == p->op[softmax].group; i++) {
        if (!reads(&p->op[i], from))
            continue;
        if (is_product(&p->op[i]))
            return rk_op_mixes(p, &p->op[i]) ? (uint32_t)i : RK_NONE;
        from[p->op[i].out] = true;
    }
    return RK_NONE;
}

int rk_again_attention(rk_arena *a, const rk_program *p, rk_agains *out, rk_err *err)
{
    bool *seen = RK_NEW_ARRAY(a, p->n_tensor + 1, bool);

    *out = (rk_agains){0};
    if (!seen)
        return rk_fail_memory(err);
    for (size_t i = 0; i < p->n_op; i++) {
        uint32_t first, last;
        rk_again *slot;

        if (rk_op_table[p->op[i].row].class != RK_CLASS_SOFTMAX)
            continue;
        memset(seen, 0, p->n_tensor * sizeof *seen);
        first = scores_of(p, i, seen);
        memset(seen, 0, p->n_tensor * sizeof *seen);
        last = first == RK_NONE ? RK_NONE : context_of(p, i, seen);
        if (last == RK_NONE || (out->n && out->at[out->n - 1].end > first))
            continue;
        if (!(slot = RK_PUSH(a, out)))
            return rk_fail_memory(err);
        *slot = (rk_again){first, last + 1};
    }
    return RK_OK;
}

/* ---- the head and the loss -------------------------------------------------------------------------------------- */

typedef struct cutting {
    rk_arena *a;
    const rk_instance *m;
    const rk_program *p;
    const rk_flow *f;
    rk_places *pl;
    rk_tail *t;
    rk_asked *asked;
    rk_binding at;
    rk_err *err;
    int code; /* sticky */
} cutting;

static rk_i128 value(cutting *c, rk_ex e)
{
    rk_i128 n = 0;

    if (c->code == RK_OK)
        c->code = rk_ex_eval(c->m->pool, e, &c->at, &n, c->err);
    return n;
}

/* The product with a weight from which the output follows by operations element by element, or RK_NONE. */
static uint32_t head_of(const rk_program *p)
{
    uint32_t tensor = p->n_output == 1 ? p->output[0] : RK_NONE;

    while (tensor != RK_NONE && p->tensor[tensor].kind == RK_TENSOR_RESULT && p->tensor[tensor].producer != RK_NONE) {
        const rk_op *op = &p->op[p->tensor[tensor].producer];

        if (op->group != 0 || op->n_in == 0)
            return RK_NONE;
        if (is_product(op))
            return is_weight(p, &op->in[1]) && !is_weight(p, &op->in[0]) ? p->tensor[tensor].producer : RK_NONE;
        tensor = op->in[0].tensor;
    }
    return RK_NONE;
}

static rk_ex tokens_of(cutting *c, const rk_tensor *t)
{
    return rk_ixs_count(c->m->pool, &(rk_ixs){t->axes.at, t->axes.n ? t->axes.n - 1 : 0});
}

static void find_tail(cutting *c)
{
    uint32_t head = c->p->loss == RK_NONE ? RK_NONE : head_of(c->p);

    if (head == RK_NONE) {
        c->code = rk_fail(c->err, RK_EINPUT,
                          "the loss of this model cannot be taken chunk by chunk: it does not follow one product with "
                          "a weight (--loss ce takes all tokens at once)");
        return;
    }
    c->t->ops = (rk_again){head, (uint32_t)c->p->n_op};
    c->t->hidden = c->p->op[head].in[0].tensor;
    c->t->weight = c->p->op[head].in[1].tensor;
    c->t->tokens = tokens_of(c, &c->p->tensor[c->p->op[head].out]);
    c->t->n_token = value(c, c->t->tokens);
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
    rk_ex width = last_size(c, c->t->hidden), words = last_size(c, c->p->op[c->t->ops.first].out);
    rk_ex least = rk_ex_ceil_div(pool, c->t->tokens, rk_ex_ceil_div(pool, words, width));
    rk_i128 wanted = value(c, least), n = 1;

    while (n < wanted)
        n *= 2;
    rk_asked_less(c->asked, rk_ex_int(pool, n), least, false);
    if (n > 1)
        rk_asked_less(c->asked, rk_ex_int(pool, n / 2), least, true);
    return n;
}

static void set_chunk(cutting *c, rk_i128 chunk)
{
    bool given = chunk > 0 || c->t->way == RK_LOSS_FUSED;

    chunk = chunk > 0 ? chunk : given ? natural_chunk(c) : c->t->n_token;
    c->t->chunk = chunk < c->t->n_token ? chunk : c->t->n_token;
    c->t->chunk_tokens = chunk < c->t->n_token ? rk_ex_int(c->m->pool, chunk) : c->t->tokens;
    if (given)
        rk_asked_less(c->asked, rk_ex_int(c->m->pool, chunk), c->t->tokens, chunk < c->t->n_token);
    rk_asked_less(c->asked, rk_ex_int(c->m->pool, 0), c->t->tokens, c->t->n_token > 0);
}

/* Whether something has as many elements for each token. */
static bool is_of_tokens(cutting *c, rk_ex count)
{
    bool yes = c->t->n_token > 0 && value(c, count) % c->t->n_token == 0;

    if (c->asked && c->t->n_token > 0)
        rk_asked_equal(c->asked, rk_ex_mod(c->m->pool, count, c->t->tokens), rk_ex_int(c->m->pool, 0), yes);
    return yes;
}

bool rk_tail_makes(const rk_tail *t, const rk_program *p, uint32_t tensor)
{
    const rk_tensor *x = &p->tensor[tensor];

    return t && t->n_token > 0 && x->kind == RK_TENSOR_RESULT && x->producer != RK_NONE && x->producer >= t->ops.first;
}

rk_ex rk_tail_of_chunk(const rk_tail *t, rk_pool *pool, rk_ex all)
{
    return rk_ex_mul(pool, rk_ex_div(pool, all, t->tokens), t->chunk_tokens);
}

/* Of a chunk there is so much less of all that has something for each token; labels are there as a whole. */
static void shorten(cutting *c, rk_buffer *b)
{
    rk_pool *pool = c->m->pool;

    if (b->tensor != RK_NONE && c->p->tensor[b->tensor].kind == RK_TENSOR_WEIGHT)
        return;
    if (b->type == RK_TYPE_WHOLE)
        b->op = RK_NONE;
    else if (is_of_tokens(c, b->count))
        b->count = rk_tail_of_chunk(c->t, pool, b->count);
}

static void shorten_all(cutting *c)
{
    for (size_t i = 0; i < c->pl->n_buffer && c->code == RK_OK; i++)
        if (c->pl->buffer[i].op != RK_NONE && c->pl->buffer[i].op >= c->t->ops.first)
            shorten(c, &c->pl->buffer[i]);
}

static uint32_t add_buffer(cutting *c, const char *what, rk_ex count, rk_type type)
{
    c->pl->buffer[c->pl->n_buffer] =
        (rk_buffer){.what = what, .op = c->t->ops.first, .tensor = RK_NONE, .count = count, .type = type};
    return (uint32_t)c->pl->n_buffer++;
}

/* Gradients of what goes into the head and of its weight, losses, and a chunk's logits. */
static void add_fused(cutting *c)
{
    rk_tail *t = c->t;
    rk_ex words =
        rk_ex_div(c->m->pool, rk_ixs_count(c->m->pool, &c->p->tensor[c->p->op[t->ops.first].out].axes), t->tokens);

    t->hidden_gradient =
        add_buffer(c, "gradient of its input", rk_ixs_count(c->m->pool, &c->p->tensor[t->hidden].axes), RK_TYPE_RUN);
    t->losses = add_buffer(c, "loss of each token", t->tokens, RK_TYPE_F32);
    t->logits = add_buffer(c, "of a chunk", rk_ex_mul(c->m->pool, words, t->chunk_tokens), RK_TYPE_RUN);
    t->weight_gradient = RK_NONE;
    if (rk_flow_needs(c->f, t->ops.first, 1))
        t->weight_gradient = add_buffer(c, "gradient of its weight",
                                        rk_ixs_count(c->m->pool, &c->p->tensor[t->weight].axes), RK_TYPE_RUN);
}

/* The table of buffers once more, with room for four. */
static bool copy_buffers(cutting *c)
{
    rk_buffer *more = RK_NEW_ARRAY(c->a, c->pl->n_buffer + 4, rk_buffer);

    if (!more)
        return false;
    memcpy(more, c->pl->buffer, c->pl->n_buffer * sizeof *more);
    c->pl->buffer = more;
    return true;
}

int rk_tail_new(rk_arena *a, const rk_instance *m, const rk_flow *f, rk_loss way, rk_i128 chunk, rk_asked *asked,
                rk_places *pl, rk_tail *out, rk_err *err)
{
    cutting c = {.a = a, .m = m, .p = m->program, .f = f, .pl = pl, .t = out, .asked = asked, .at = m->at, .err = err};

    *out = (rk_tail){.way = way};
    find_tail(&c);
    if (c.code != RK_OK)
        return c.code;
    set_chunk(&c, chunk);
    if (!copy_buffers(&c))
        return rk_fail_memory(err);
    shorten_all(&c);
    if (way == RK_LOSS_FUSED)
        add_fused(&c);
    return c.code;
}
