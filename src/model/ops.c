/* SPDX-License-Identifier: MIT */
#include "model/ops.h"

#include <string.h>

/* The table is written without prefixes so that a row fits on a line; these give the words their meaning. */
enum {
    KEEP_NOTHING = 0,
    KEEP_IN = 1,
    KEEP_OTHERS = 2,
    KEEP_OUT = 4,
    KEEP_STATS = 8,
    KEEP_INDEX = 16,
    KEEP_ALL = 32,
    KEEP_CHOICE = 64,
    KEEP_VISITS = 128,
    KEEP_HIDDEN = 256,
    KEEP_ONE = 512,
    KEEP_PAIRS = 1024,
    KEEP_ENDS = 2048,
    KEEP_SPOTS = 4096
};
#define IN KEEP_IN
#define OUT KEEP_OUT
#define STATS KEEP_STATS
#define NOTHING KEEP_NOTHING
#define OTHERS KEEP_OTHERS
#define INDEX KEEP_INDEX
#define ALL KEEP_ALL
#define CHOICE KEEP_CHOICE
#define VISITS KEEP_VISITS
#define HIDDEN KEEP_HIDDEN
#define ONE KEEP_ONE
#define PAIRS KEEP_PAIRS
#define ENDS KEEP_ENDS
#define SPOTS KEEP_SPOTS

const rk_op_row rk_op_table[RK_N_OP] = {
#define RK_OP_ROW(ID, name, shape, per, fwd, bwd, grad, keeps, place, book, torch, text)                               \
    {name,           RK_SHAPE_##shape, RK_PER_##per, fwd, bwd, RK_GRAD_##grad, keeps, RK_PLACE_##place,                \
     RK_BOOK_##book, RK_TORCH_##torch, text},
    RK_OPS(RK_OP_ROW)
#undef RK_OP_ROW
};

rk_op_id rk_op_find(const char *name)
{
    for (int i = 0; i < RK_N_OP; i++)
        if (strcmp(rk_op_table[i].name, name) == 0)
            return (rk_op_id)i;
    return RK_N_OP;
}
