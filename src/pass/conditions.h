/* SPDX-License-Identifier: MIT */
/*
 * pass/conditions.h - what was asked of the numbers of a run, and what the answers were.
 *
 * Stage   program -> [pass] -> account.
 * Uses    base/, expr/.
 * Memory  in the arena given.
 * Threads one list, one thread; as building expressions.
 *
 * Which tensors are copied, saved and freed depends on numbers in a few places only: is an axis of one element, is one
 * stride another.  With a list of these questions, all that was found holds for every run with the same answers.
 * Nobody needs one for a single run: the list is then NULL, and numbers have no expressions.
 */
#ifndef RK_PASS_CONDITIONS_H
#define RK_PASS_CONDITIONS_H

#include "base/map.h"
#include "base/vec.h"
#include "expr/expr.h"

/* How two numbers compare; an answer may allow two of them. */
enum {
    RK_LESS = 1,
    RK_EQUAL = 2,
    RK_MORE = 4
};

typedef struct rk_condition {
    rk_ex a, b;
    unsigned answer; /* a is less than b, equal to it, or more: what of this keeps the answers as they were */
} rk_condition;

#define RK_CONDITIONS_MAX ((size_t)1 << 20)

typedef struct rk_conditions {
    rk_arena *arena;
    rk_pool *pool;
    RK_VEC(rk_condition) condition;
    rk_map seen;
    bool failed; /* memory ran out, or an expression could not be built */
} rk_conditions;

/* Each of these does nothing where `q` is NULL. */
void rk_conditions_equal(rk_conditions *q, rk_ex a, rk_ex b, bool yes); /* "is a equal to b?" */
void rk_conditions_less(rk_conditions *q, rk_ex a, rk_ex b, bool yes);  /* "is a less than b?" */

/* A number and, where questions are noted, how it follows from symbols. */
typedef struct rk_size {
    int64_t n;
    rk_ex e;
} rk_size;

rk_size rk_size_of(rk_conditions *q, int64_t n);
rk_size rk_size_times(rk_conditions *q, rk_size a, rk_size b);
rk_size rk_size_plus(rk_conditions *q, rk_size a, rk_size b);

bool rk_size_is(rk_conditions *q, rk_size a, int64_t n);
bool rk_size_equals(rk_conditions *q, rk_size a, rk_size b);
bool rk_size_less(rk_conditions *q, rk_size a, rk_size b);

#endif
