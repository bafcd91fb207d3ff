/* SPDX-License-Identifier: MIT */
/*
 * pass/asked.h - what was asked of the numbers of a run, and what the answers were.
 *
 * Stage   program -> [pass] -> account.
 * Uses    base/, expr/.
 * Memory  in the arena given.
 * Threads one list, one thread; as building expressions.
 *
 * Which tensors are copied, kept and let go depends on numbers in a few places only: is an axis of one element, is one
 * stride another.  With a list of these questions, all that was found holds for every run with the same answers.
 * Nobody needs one for a single run: the list is then NULL, and numbers have no expressions.
 */
#ifndef RK_PASS_ASKED_H
#define RK_PASS_ASKED_H

#include "base/map.h"
#include "base/vec.h"
#include "expr/expr.h"

/* How two numbers compare; an answer may allow two of them. */
enum {
    RK_LESS = 1,
    RK_EQUAL = 2,
    RK_MORE = 4
};

typedef struct rk_question {
    rk_ex a, b;
    unsigned answer; /* a is less than b, equal to it, or more: what of this keeps the answers as they were */
} rk_question;

#define RK_QUESTIONS_MAX ((size_t)1 << 20)

typedef struct rk_asked {
    rk_arena *arena;
    rk_pool *pool;
    RK_VEC(rk_question) question;
    rk_map seen;
    bool failed; /* memory ran out, or an expression could not be built */
} rk_asked;

/* Each of these does nothing where `q` is NULL. */
void rk_asked_note(rk_asked *q, rk_ex a, rk_ex b, unsigned answer);
void rk_asked_equal(rk_asked *q, rk_ex a, rk_ex b, bool yes); /* "is a equal to b?" */
void rk_asked_less(rk_asked *q, rk_ex a, rk_ex b, bool yes);  /* "is a less than b?" */

/* A number and, where questions are noted, how it follows from symbols. */
typedef struct rk_extent {
    int64_t n;
    rk_ex e;
} rk_extent;

rk_extent rk_extent_of(rk_asked *q, int64_t n);
rk_extent rk_extent_times(rk_asked *q, rk_extent a, rk_extent b);
rk_extent rk_extent_plus(rk_asked *q, rk_extent a, rk_extent b);

bool rk_extent_is(rk_asked *q, rk_extent a, int64_t n);
bool rk_extent_equals(rk_asked *q, rk_extent a, rk_extent b);
bool rk_extent_less(rk_asked *q, rk_extent a, rk_extent b);

#endif
