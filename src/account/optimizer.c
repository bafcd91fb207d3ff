/* SPDX-License-Identifier: MIT */
#include "account/optimizer.h"

const rk_optimizer_row rk_optimizer_table[RK_N_OPTIMIZER] = {
#define RK_OPTIMIZER_ROW(ID, word, matrix, sides, other, scales, bytes, text)                                          \
    {word, matrix, sides, other, scales, bytes, text},
    RK_OPTIMIZERS(RK_OPTIMIZER_ROW)
#undef RK_OPTIMIZER_ROW
};
