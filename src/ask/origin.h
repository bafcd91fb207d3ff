/* SPDX-License-Identifier: MIT */
/*
 * ask/origin.h - which line of the model an operation that a framework runs was written out of.
 *
 * Stage   two programs of one model -> [ask] -> reports by line.
 * Uses    base/, model/program.h.
 * Memory  in the arena given.
 * Threads no state.
 */
#ifndef RK_ASK_ORIGIN_H
#define RK_ASK_ORIGIN_H

#include "model/program.h"

/*
 * Of each operation of `run` the operation of the equations `p` that it was written out of; RK_NONE: there is none.
 * What a profile has written out ends with the result of its call, which has the call's name: so what has another name
 * is of the next that has.  NULL: no memory.
 */
const uint32_t *rk_origins_find(rk_arena *a, const rk_program *p, const rk_program *run);

#endif
