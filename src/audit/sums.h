/* SPDX-License-Identifier: MIT */
/*
 * audit/sums.h - rows before a total: whether they add up to it, and if not, what the difference is.
 *
 * Stage   entries -> [sums] -> claims.
 * Uses    audit/audit.h, audit/entry.h, audit/judge.h.
 * Memory  the audit's arena.
 * Threads as audit/audit.h.
 *
 * Which rows belong to a total is decided carefully.  They stand in one place (a list, a column, a paragraph, or lines
 * of one kind all over the text), each has a value, and the total is of their size: half to twice their sum, unless the
 * difference explains itself.  A total that is worked out in its own line is an equation, and judged as one.
 */
#ifndef RK_AUDIT_SUMS_H
#define RK_AUDIT_SUMS_H

#include "audit/entry.h"

#define RK_SUM_ROWS_MAX 4096
#define RK_SUM_TRIES_MAX 2000000 /* in all searches for rows that make up a difference: a hundredth of a second */
#define RK_SUM_STEPS_PER_ENTRY 50
#define RK_SUM_ROW_STEPS 20 /* of which adding a row takes so many */

int rk_judge_sums(rk_audit *a, rk_err *err);

/* ---- the difference ---------------------------------------------------------------------------------------------- */

/*
 * The fewest of n positive values whose sum is `target`: counts per value in `used`.  False: there are none among the
 * first `*tries`, of which those that were needed are taken off.
 */
bool rk_subset_find(const rk_i128 *value, size_t n, rk_i128 target, size_t *used, size_t *tries);

#endif
