/* SPDX-License-Identifier: MIT */
/*
 * ask/crossing.h - a crossing that is being looked for; private to ask/cross*.c.
 *
 * Stage   inside ask/.
 * Uses    ask/cross.h.
 * Memory  in the arena of the crossing.
 * Threads one thread.
 */
#ifndef RK_ASK_CROSSING_H
#define RK_ASK_CROSSING_H

#include "ask/cross.h"
#include "base/vec.h"

enum {
    RK_CROSS_LEFT,
    RK_CROSS_RIGHT
};

typedef struct rk_crossing_search {
    rk_arena *a;
    rk_cross *c;
    rk_err *err;
    RK_VEC(rk_crossing) at;
    bool seen, above; /* at the number looked at last */
    bool some_equal, some_not_equal;
    bool cut;          /* beyond the last number, a polynomial exceeds 128 bits */
    rk_binding number; /* of the formulas' model; the symbol's own is changed */
    rk_i128 *value;
} rk_crossing_search;

/* The sign of left - right at a number behind the last one seen, and at all between them. */
void rk_crossing_see(rk_crossing_search *x, rk_i128 at, int sign);

/* Solves the formulas, where there are some: the crossing is `solved` then.  `number`: that of the opening. */
int rk_crossing_solve(rk_crossing_search *x, const rk_i128 *number, rk_err *err);

/* The value of a formula at a number of the symbol. */
int rk_crossing_eval(rk_crossing_search *x, rk_ex e, rk_i128 number, rk_i128 *out);

/* Fails with the reason of the number looked at last. */
int rk_crossing_fail(const rk_crossing_search *x, rk_err *err);

#endif
