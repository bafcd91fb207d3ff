/* SPDX-License-Identifier: MIT */
/*
 * account/moment.h - what is alive at a moment of a timeline, as a formula.
 *
 * Stage   places + timeline -> [account] -> report.
 * Uses    base/, expr/, model/, pass/timeline.h.
 * Memory  expressions in the pool of the instance, nothing else.
 * Threads as building a ledger: one thread.
 *
 * A moment counts buffers: so many of a kind.  Of the layers of a group all are alive at it, all but a few, or a few,
 * so that a count becomes L, L - 1 or 1, whichever is nearer.  What the allocator adds by rounding is no part of it.
 */
#ifndef RK_ACCOUNT_MOMENT_H
#define RK_ACCOUNT_MOMENT_H

#include "pass/timeline.h"

typedef struct rk_moment_terms {
    const rk_instance *instance;
    const rk_places *places;
    const rk_step *step;
    rk_run_options run;
    rk_ex one_of;          /* what a buffer is divided by of which one place is made; RK_EX_FAILED: there is none */
    const rk_chunk *chunk; /* how the head and the loss are computed; NULL: all tokens at once */
    const rk_ex *cache;    /* bytes of the cache of each tensor; NULL: there is none */
} rk_moment_terms;

/* RK_EVALUE: a number of layers is not known. */
int rk_moment_formula(const rk_moment_terms *t, const rk_moment *at, rk_ex *out, rk_err *err);

#endif
