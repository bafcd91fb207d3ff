/* SPDX-License-Identifier: MIT */
/*
 * audit/chain.h - every formula of a text: chains a = b = c ≈ d, and figures that stand alone.
 *
 * Stage   tokens -> [chain] -> chains -> claims.
 * Uses    base/, expr/, audit/formula.h.
 * Memory  everything lives in the arena given.
 * Threads as audit/formula.h.
 */
#ifndef RK_AUDIT_CHAIN_H
#define RK_AUDIT_CHAIN_H

#include "audit/formula.h"

#define RK_CHAIN_BUDGET_PER_TOKEN 200 /* steps of reading, on average; ordinary texts need about ten */

/* Sides that follow each other, each related to the one before; one side alone is a figure. */
typedef struct rk_chain {
    size_t piece;
    size_t first, n; /* sides */
} rk_chain;

typedef struct rk_chains {
    RK_VEC(rk_side) side;
    RK_VEC(rk_chain) chain;
    size_t *first;   /* chain of each piece, and one after the last */
    size_t budget;   /* steps left */
    size_t n_unread; /* pieces that were not read, because the steps were used up; and the first of them */
    size_t first_unread;
} rk_chains;

/* Finds all chains; `r->known` and `r->budget` are filled in first. */
int rk_chains_find(rk_arena *a, const rk_scan *s, rk_reader *r, rk_chains *out, rk_err *err);

/* "2.127B" and "2.127亿": the same digits, three and more, with another scale or unit. */
bool rk_side_same_digits(const rk_reader *r, const rk_side *x, const rk_side *y);

/*
 * "109 hours" and "4.5 days", "8.5 GB" and "7.9 GiB", "2,127,057,600" and "2.13 billion": whether the second, said in
 * brackets after the first, can only be the first in another unit or scale.
 */
bool rk_side_same_kind(const rk_reader *r, const rk_side *x, const rk_side *y);

#endif
