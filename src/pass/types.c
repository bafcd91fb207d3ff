/* SPDX-License-Identifier: MIT */
#include "pass/types.h"

bool rk_type_is_low(rk_type t)
{
    return t == RK_TYPE_LOW || t == RK_TYPE_EXACT_LOW;
}

bool rk_type_is_real(rk_type t)
{
    return t != RK_TYPE_WHOLE && t != RK_TYPE_TRUTH;
}

rk_type rk_type_given(const rk_program *p, const rk_tensor *t)
{
    if (t->is_index)
        return RK_TYPE_WHOLE;
    return t->kind == RK_TENSOR_WEIGHT && p->weight[t->weight].wide ? RK_TYPE_F32 : RK_TYPE_RUN;
}

/* The wider type wins, but not that of a single number beside a tensor. */
static rk_type widest(const rk_op *op, size_t n_axis, const rk_type *in)
{
    static const int rank[RK_N_TYPE] = {
        [RK_TYPE_LOW] = 1, [RK_TYPE_EXACT_LOW] = 2, [RK_TYPE_RUN] = 3, [RK_TYPE_F32] = 4, [RK_TYPE_EXACT] = 5};
    rk_type type = RK_TYPE_WHOLE;

    for (size_t k = 0; k < op->n_in; k++)
        if (rank[in[k]] > rank[type] && (op->in[k].axes.n > 0 || n_axis == 0))
            type = in[k];
    return rank[type] ? type : RK_TYPE_RUN;
}

/* Of the cosines and sines by which something is rotated: those of its layer, or those before all layers. */
static rk_type table_type(const rk_program *p, const rk_op *op)
{
    for (uint32_t group = op->group; group != RK_NONE; group = p->group[group].parent)
        for (const rk_op *table = op; table > p->op; table--)
            if (table[-1].group == group && rk_op_table[table[-1].row].class == RK_CLASS_ROTARY_TABLE)
                return (rk_type)table[-1].which;
    return RK_TYPE_RUN;
}

rk_type rk_type_result(const rk_program *p, const rk_op *op, const rk_type *in)
{
    const rk_op_row *row = &rk_op_table[op->row];
    rk_type type;

    if (row->class == RK_CLASS_CAST) /* the type that is named, or that of a second operand */
        return op->n_in > 1 ? in[1] : (rk_type)op->which;
    if (row->place == RK_PLACE_MASK)
        return RK_TYPE_TRUTH;
    if (row->place == RK_PLACE_COUNTS)
        return RK_TYPE_F32; /* of as many bytes */
    if (p->tensor[op->out].is_index)
        return RK_TYPE_WHOLE;
    if (row->place == RK_PLACE_SECOND && op->n_in > 1)
        return in[1];
    type = widest(op, p->tensor[op->out].axes.n, in);
    return row->class == RK_CLASS_ROTARY && type == RK_TYPE_LOW ? table_type(p, op) : type;
}
