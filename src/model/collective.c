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
