/* SPDX-License-Identifier: MIT */
/*
 * ask/held.h - bytes explained: which lines hold them, as what, and why.
 *
 * Stage   account of memory, equations -> [ask] -> report.
 * Uses    base/, expr/, model/, account/memory.h, ask/explain.h, ask/origin.h, ask/path.h.
 * Memory  an explanation lives in the arena given and borrows the account.
 * Threads one thread.
 */
#ifndef RK_ASK_HELD_H
#define RK_ASK_HELD_H

#include "account/memory.h"
#include "ask/explain.h"

#define RK_HELD_WORDS "saved|memory" /* in the order of rk_held_quantity */

typedef enum rk_held_quantity {
    RK_QUANTITY_SAVED, /* for the backward pass */
    RK_QUANTITY_ALIVE  /* at the peak */
} rk_held_quantity;

typedef struct rk_held_row {
    rk_memory_row of;
    uint32_t line; /* the operation of the equations whose line holds it; RK_NONE: none does */
} rk_held_row;

typedef struct rk_held_explanation {
    rk_held_quantity quantity;
    rk_explained kind;
    const char *path; /* NULL: all of the step */
    RK_VEC(rk_held_row) row;
    rk_ex formula; /* of their sum, without what the allocator rounds up */
    rk_i128 bytes; /* their sum */
    rk_i128 whole; /* the same of the whole step */
} rk_held_explanation;

/*
 * `m` was made with reasons; `equations` is the model's own program, whose lines are named.  `word` is a row, a part or
 * a tensor of either program, or the end of its name; or whose bytes are meant (norms, head …), or as what (optimizer,
 * cache …); NULL: all.  RK_EINPUT: it is the end of several names, or of none.
 */
int rk_held_explain(rk_arena *a, const rk_memory *m, const rk_program *equations, rk_held_quantity quantity,
                    const char *word, rk_held_explanation *out, rk_err *err);

#endif
