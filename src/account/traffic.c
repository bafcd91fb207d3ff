/* SPDX-License-Identifier: MIT */
#include "account/traffic.h"

/* How many tokens choose along a routed axis: the result's axes that the operand does not have. */
static rk_ex choosers(const rk_instance *x, const rk_op *op, const rk_ixs *operand)
{
    const rk_ixs *result = &x->program->tensor[op->out].axes;
    rk_ex n = rk_ex_int(x->pool, 1);

    for (size_t i = 0; i < result->n; i++)
        if (result->at[i].kind == RK_IX_LABEL && rk_ixs_place(operand, result->at[i].label) < 0)
            n = rk_ex_mul(x->pool, n, result->at[i].size);
    return n;
}

static rk_ex elements_read(const rk_instance *x, const rk_op *op, const rk_operand *in)
{
    const rk_ixs *stored = &x->program->tensor[in->tensor].axes;
    rk_ex n = rk_ixs_count(x->pool, stored);

    for (size_t i = 0; i < in->axes.n; i++) {
        const rk_ix *ix = &in->axes.at[i];

        if (ix->kind == RK_IX_ROUTED) {
            rk_ex visits = rk_ex_mul(x->pool, x->program->label[ix->label].size, choosers(x, op, &in->axes));

            n = rk_ex_div(x->pool, rk_ex_mul(x->pool, n, rk_ex_min(x->pool, ix->size, visits)), ix->size);
        }
    }
    return n;
}

/* Whether the gradient of an operand reads another one, or the operand itself. */
static bool reads_operand(const rk_op *op, uint32_t operand, size_t k)
{
    unsigned saves = rk_op_table[op->row].saves;

    return (saves & RK_SAVE_ALL) || (k == 0 && (saves & (RK_SAVE_IN | RK_SAVE_INDEX))) ||
           (k != operand && (saves & RK_SAVE_OTHERS));
}

rk_traffic rk_task_traffic(const rk_instance *x, rk_task_kind kind, uint32_t op, uint32_t operand, int bytes)
{
    const rk_op *o = op == RK_NONE ? NULL : &x->program->op[op];
    bool runs = kind == RK_TASK_FORWARD || kind == RK_TASK_RECOMPUTE;
    bool gradient = kind == RK_TASK_GRADIENT && operand != RK_NONE;
    rk_ex zero = rk_ex_int(x->pool, 0), each = rk_ex_int(x->pool, bytes), read = zero, written = zero;

    if (runs) {
        written = rk_ixs_count(x->pool, &x->program->tensor[o->out].axes);
        for (size_t k = 0; k < o->n_in; k++)
            read = rk_ex_add(x->pool, read, elements_read(x, o, &o->in[k]));
    } else if (gradient) {
        bool result = rk_op_table[o->row].saves & RK_SAVE_OUT;

        read =
            rk_ex_mul(x->pool, rk_ex_int(x->pool, 1 + result), rk_ixs_count(x->pool, &x->program->tensor[o->out].axes));
        written = elements_read(x, o, &o->in[operand]);
        for (size_t k = 0; k < o->n_in; k++)
            if (reads_operand(o, operand, k))
                read = rk_ex_add(x->pool, read, elements_read(x, o, &o->in[k]));
    } else if (kind == RK_TASK_ACCUMULATE && o) {
        written = elements_read(x, o, &o->in[operand]);
        read = rk_ex_mul(x->pool, rk_ex_int(x->pool, 2), written);
    }
    return (rk_traffic){rk_ex_mul(x->pool, each, read), rk_ex_mul(x->pool, each, written)};
}
