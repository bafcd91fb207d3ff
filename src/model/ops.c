/* SPDX-License-Identifier: MIT */
#include "model/ops.h"

#include <string.h>

/* The table is written without prefixes so that a row fits on a line; these give the words of SAVES their meaning. */
#define NOTHING RK_SAVE_NOTHING
#define IN RK_SAVE_IN
#define OTHERS RK_SAVE_OTHERS
#define OUT RK_SAVE_OUT
#define STATS RK_SAVE_STATS
#define INDEX RK_SAVE_INDEX
#define ALL RK_SAVE_ALL
#define CHOICE RK_SAVE_CHOICE
#define VISITS RK_SAVE_VISITS
#define HIDDEN RK_SAVE_HIDDEN
#define ONE RK_SAVE_ONE
#define PAIRS RK_SAVE_PAIRS
#define ENDS RK_SAVE_ENDS
#define SPOTS RK_SAVE_SPOTS
#define MEAN RK_SAVE_MEAN
#define RANDOM RK_SAVE_RANDOM
#define LABELS RK_SAVE_LABELS
#define NEXT RK_SAVE_NEXT
#define NARROW RK_SAVE_NARROW
#define ROWS RK_SAVE_ROWS
#define OVER RK_SAVE_OVER

/* clang-format off */
const rk_op_row rk_op_table[RK_N_OP] = {
#define RK_OP_ROW(ID, name, class, shape, per, fwd, bwd, grad, passes, keeps, place, book, torch, cast, text)          \
    {name, RK_CLASS_##class, RK_SHAPE_##shape, RK_PER_##per, fwd, bwd, RK_GRAD_##grad, RK_GRAD_##passes,               \
     keeps, RK_PLACE_##place, RK_TEXTBOOK_##book, RK_TORCH_##torch, RK_AUTOCAST_##cast, text},
    RK_OPS(RK_OP_ROW)
#undef RK_OP_ROW
};
/* clang-format on */

rk_op_id rk_op_find(const char *name)
{
    for (int i = 0; i < RK_N_OP; i++)
        if (strcmp(rk_op_table[i].name, name) == 0 && rk_op_table[i].class != RK_CLASS_COLLECTIVE)
            return (rk_op_id)i;
    return RK_N_OP;
}
