/* SPDX-License-Identifier: MIT */
/*
 * pass/regions.c - operations that are run otherwise than one after the other: the heart of attention, recomputed in
 * the backward pass; the head and the loss, so many tokens at a time.
 *
 * Two passes say which operations these are.  Nothing is computed otherwise, so the program has the same operations;
 * how many tokens a chunk has depends on the numbers of a run, and is no matter of the program (pass/chunk.h).
 */
#include "pass/passes.h"

#include "model/copy.h"

#include <string.h>

/* The same program with one more region, or with those of a list. */
static int add_regions(const rk_model *in, const rk_region *region, size_t n, const rk_model **out, rk_err *err)
{
    rk_model_draft *d = NULL;
    rk_build b;
    int code = rk_pass_begin(in, &d, &b, err);

    if (code != RK_OK)
        return code;
    code = rk_copy_program(&(rk_copy){0}, &in->program, &b);
    for (size_t i = 0; i < n && code == RK_OK; i++) {
        rk_region *slot = RK_PUSH(b.a, &b.region);

        if (slot)
            *slot = region[i];
        else
            code = rk_fatal_memory(&b);
    }
    return rk_model_finish(code, d, &b, out);
}

/* ---- the heart of attention ------------------------------------------------------------------------------------- */

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

int rk_pass_recompute(const rk_model *in, const rk_pass_options *o, const rk_model **out, rk_err *err)
{
    const rk_program *p = &in->program;
    rk_arena own = {0};
    bool *seen = RK_NEW_ARRAY(&own, p->n_tensor + 1, bool);
    RK_VEC(rk_region) found = {0};
    int code = seen ? RK_OK : rk_fail_memory(err);

    *out = NULL;
    for (size_t i = 0; o->recomputes_attention && i < p->n_op && code == RK_OK; i++) {
        uint32_t first, last;
        rk_region *slot;

        if (rk_op_table[p->op[i].row].class != RK_CLASS_SOFTMAX)
            continue;
        memset(seen, 0, p->n_tensor * sizeof *seen);
        first = scores_of(p, i, seen);
        memset(seen, 0, p->n_tensor * sizeof *seen);
        last = first == RK_NONE ? RK_NONE : context_of(p, i, seen);
        if (last == RK_NONE || (found.n && found.at[found.n - 1].end > first))
            continue;
        if ((slot = RK_PUSH(&own, &found)))
            *slot = (rk_region){RK_REGION_ATTENTION, first, last + 1};
        else
            code = rk_fail_memory(err);
    }
    if (code == RK_OK && o->recomputes_attention)
        code = found.n ? add_regions(in, found.at, found.n, out, err)
                       : rk_fail(err, RK_EINPUT, "this model has no attention whose scores could be recomputed");
    rk_arena_free(&own);
    return code;
}

/* ---- the head and the loss -------------------------------------------------------------------------------------- */

/* Whether an operation is a cast of autocast. */
static bool is_autocast(const rk_op *op)
{
    return rk_op_table[op->row].class == RK_CLASS_CAST && op->which == RK_TYPE_LOW;
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
            return rk_op_weight(p, op) == 1 ? p->tensor[tensor].producer : RK_NONE;
        tensor = op->in[0].tensor;
    }
    return RK_NONE;
}

/* Whether places are left out between the head and the loss: a chunk of what one gives is then none of the other. */
static bool is_cut(const rk_program *p, uint32_t head)
{
    for (size_t i = head; i < p->n_op; i++)
        if (p->op[i].row == RK_OP_PART)
            return true;
    return false;
}

int rk_pass_chunk(const rk_model *in, const rk_pass_options *o, const rk_model **out, rk_err *err)
{
    const rk_program *p = &in->program;
    bool wanted = o->loss != RK_REGION_NONE && p->loss != RK_NONE;
    uint32_t head = wanted ? head_of(p) : RK_NONE;

    *out = NULL;
    if (wanted && head == RK_NONE)
        return rk_fail(err, RK_EINPUT,
                       "the loss of this model cannot be taken chunk by chunk: it does not follow one product with "
                       "a weight (--loss ce takes all tokens at once)");
    if (wanted && is_cut(p, head))
        return rk_fail(err, RK_EINPUT,
                       "the loss of this model cannot be taken chunk by chunk: it leaves out a part of what the head "
                       "gives (--loss ce takes all tokens at once)");
    while (wanted && head > 0 && is_autocast(&p->op[head - 1])) /* what is cast for it is cast within it */
        head--;
    return wanted ? add_regions(in, &(rk_region){o->loss, head, (uint32_t)p->n_op}, 1, out, err) : RK_OK;
}
