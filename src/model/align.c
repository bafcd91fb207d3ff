/* SPDX-License-Identifier: MIT */
#include "model/align.h"

static rk_i128 size_of(const rk_pool *pool, const rk_binding *at, rk_ex e)
{
    rk_i128 n = 0;

    return rk_ex_eval(pool, e, at, &n, NULL) == RK_OK ? n : 0;
}

bool rk_ixs_align(const rk_pool *pool, const rk_binding *at, const rk_ixs *a, const rk_ixs *b, int *of_a)
{
    size_t i = 0, j = 0;

    for (size_t k = 0; k < a->n; k++)
        of_a[k] = -1;
    while (i < a->n && j < b->n) {
        rk_i128 x = size_of(pool, at, a->at[i].size), y = size_of(pool, at, b->at[j].size);

        if (x == 0 || y == 0)
            return false;
        if (x == 1 && y != 1) {
            i++;
            continue;
        }
        if (y == 1 && x != 1) {
            j++;
            continue;
        }
        of_a[i] = (int)j;
        while (x != y)
            if (x < y && ++i < a->n)
                x *= size_of(pool, at, a->at[i].size);
            else if (x > y && ++j < b->n)
                y *= size_of(pool, at, b->at[j].size);
            else
                return false;
        i++;
        j++;
    }
    return true;
}

/* The axis of ends laid together of which a part begins with a label. */
static int joined(const rk_ixs *out, uint32_t label)
{
    for (size_t i = 0; i < out->n; i++)
        for (size_t q = 0; out->at[i].kind == RK_IX_SUM && q < out->at[i].n_part; q++)
            if (out->at[i].part[q].n && out->at[i].part[q].at[0].label == label)
                return (int)i;
    return -1;
}

int rk_op_result_axis(const rk_program *p, const rk_pool *pool, const rk_binding *at, const rk_op *op, size_t operand,
                      size_t axis)
{
    const rk_ixs *in = &op->in[operand].axes, *out = &p->tensor[op->out].axes;
    const rk_ix *ix = &in->at[axis];
    int of[RK_LABELS_PER_OP_MAX], place = ix->kind == RK_IX_AFFINE ? -1 : rk_ixs_place(out, ix->label);

    if (place >= 0 || ix->kind == RK_IX_ROUTED || ix->kind == RK_IX_AFFINE)
        return place;
    if (op->row == RK_OP_PART && ix->kind == RK_IX_SUM && op->which < ix->n_part)
        return ix->part[op->which].n ? rk_ixs_place(out, ix->part[op->which].at[0].label) : -1;
    if (op->row == RK_OP_JOIN)
        return joined(out, ix->label);
    if (rk_op_table[op->row].class == RK_CLASS_MOVEMENT && in->n <= RK_LABELS_PER_OP_MAX &&
        rk_ixs_align(pool, at, in, out, of))
        return of[axis];
    return -1;
}
