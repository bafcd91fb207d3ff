/* SPDX-License-Identifier: MIT */
/*
 * model/gloss.h - what a buffer is, in a few words: "softmax of scores, B×N×S×T".
 *
 * Stage   program -> [model] -> rows of memory.
 * Uses    base/, expr/, model/program.h.
 * Memory  texts in the arena given.
 * Threads no state.
 *
 * The path of a row says where it is made and the name of the equation.  What it is follows from the operation that
 * makes it, so that every model has it, and nobody has to write it down.
 */
#ifndef RK_MODEL_GLOSS_H
#define RK_MODEL_GLOSS_H

#include "model/program.h"

/* What the buffer `what` of an operation is (NULL: its result), with its sizes; NULL: memory ran out.  `tensor`: whose
 * elements it holds, or RK_NONE; `op`: RK_NONE where it is given. */
const char *rk_gloss(rk_arena *a, const rk_pool *pool, const rk_program *p, uint32_t op, uint32_t tensor,
                     const char *what);

#endif
