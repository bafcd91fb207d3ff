/* SPDX-License-Identifier: MIT */
#include "account/moved.h"

static bool has_label(const rk_ixs *axes, uint32_t label)
{
    for (size_t i = 0; i < axes->n; i++)
        if (axes->at[i].label == label)
            return true;
    return false;
}

/* How many tokens choose along a routed axis: the result's axes that the operand does not have. */
static rk_ex choosers(const rk_instance *x, const rk_op *op, const rk_ixs *operand)
{
    const rk_ixs *result = &x->program->tensor[op->out].axes;
    rk_ex n = rk_ex_int(x->pool, 1);

    for (size_t i = 0; i < result->n; i++)
        if (result->at[i].kind == RK_IX_LABEL && !has_label(operand, result->at[i].label))
            n = rk_ex_mul(x->pool, n, result->at[i].size);
    return n;
}

static rk_ex elements_read(const rk_instance *x, const rk_op *op, const rk_operand *in)
{
    const rk_ixs *stored = &x->program->tensor[in->tensor].axes;
    rk_ex n = rk_ex_int(x->pool, 1);

    for (size_t i = 0; i < stored->n; i++)
        n = rk_ex_mul(x->pool, n, stored->at[i].size);
    for (size_t i = 0; i < in->axes.n; i++) {
        const rk_ix *ix = &in->axes.at[i];

        if (ix->kind == RK_IX_ROUTED) {
            rk_ex visits = rk_ex_mul(x->pool, x->program->label[ix->label].size, choosers(x, op, &in->axes));

            n = rk_ex_div(x->pool, rk_ex_mul(x->pool, n, rk_ex_min(x->pool, ix->size, visits)), ix->size);
        }
    }
    return n;
}

static rk_ex elements_written(const rk_instance *x, const rk_op *op)
{
    const rk_ixs *axes = &x->program->tensor[op->out].axes;
    rk_ex n = rk_ex_int(x->pool, 1);

    for (size_t i = 0; i < axes->n; i++)
        n = rk_ex_mul(x->pool, n, axes->at[i].size);
    return n;
}

rk_ex rk_moved(const rk_instance *x, const rk_op *op, int bytes)
{
    rk_ex n = elements_written(x, op);

    for (size_t i = 0; i < op->n_in; i++)
        n = rk_ex_add(x->pool, n, elements_read(x, op, &op->in[i]));
    return rk_ex_mul(x->pool, rk_ex_int(x->pool, bytes), n);
}
