/* SPDX-License-Identifier: MIT */
#include "model/collective.h"

const char *const rk_collective_word[RK_N_COLLECTIVE] = {"",
#define RK_COLLECTIVE_ROW(ID, word) word,
                                                         RK_COLLECTIVES(RK_COLLECTIVE_ROW)
#undef RK_COLLECTIVE_ROW
};

const rk_change_row rk_change_table[RK_N_CHANGE] = {
#define RK_CHANGE_ROW(ID, forward, backward, scatters)                                                                 \
    {RK_OP_##ID, RK_COLLECTIVE_##forward, RK_COLLECTIVE_##backward, scatters},
    RK_CHANGES(RK_CHANGE_ROW)
#undef RK_CHANGE_ROW
};

const rk_change_row *rk_change_of(rk_op_id op)
{
    for (size_t i = 0; i < RK_N_CHANGE; i++)
        if (rk_change_table[i].op == op)
            return &rk_change_table[i];
    return NULL;
}

bool rk_op_is_linear(rk_op_id op, const bool *sum, size_t n)
{
    size_t n_sum = 0;

    for (size_t i = 0; i < n; i++)
        n_sum += sum[i];
    switch (rk_op_table[op].class) {
    case RK_CLASS_PRODUCT:
        return n_sum == 1;
    case RK_CLASS_ELEMENT:
        if (op == RK_OP_MUL || op == RK_OP_WEIGH)
            return n_sum == 1;
        return op == RK_OP_SCALE || op == RK_OP_NEG || op == RK_OP_SUB || op == RK_OP_WHERE_POSITIVE ||
               (op == RK_OP_DIV && !sum[1]);
    case RK_CLASS_REDUCTION:
        return op == RK_OP_SUM || op == RK_OP_MEAN || op == RK_OP_CUMSUM || op == RK_OP_PULL;
    case RK_CLASS_ACTIVATION:
    case RK_CLASS_NORM:
    case RK_CLASS_SOFTMAX:
    case RK_CLASS_ATTENTION:
    case RK_CLASS_CHOICE:
    case RK_CLASS_LOSS:
        return false;
    default:
        return true;
    }
}
