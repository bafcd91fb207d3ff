/* SPDX-License-Identifier: MIT */
/*
 * pass/rows.h - rows of counts, and which of them can never have the only largest sum.
 *
 * Stage   timeline -> [pass] -> account.
 * Uses    base/.
 * Memory  rows are the caller's.
 * Threads no state.
 *
 * A row's sum is of its counts, each times a size that is not known but never negative.  A row is covered by another
 * that has no less of anything.  It is covered by two others if a point on the line between them has no less: one of
 * the two ends then has a sum at least as large.
 */
#ifndef RK_PASS_ROWS_H
#define RK_PASS_ROWS_H

#include "base/vec.h"

#include <stdint.h>

typedef struct rk_rows {
    uint32_t **at;
    size_t n, cap;
} rk_rows;

bool rk_row_covers(const uint32_t *a, const uint32_t *row, size_t width);

/*
 * Each of these takes rows out; what is taken out is put into `unused`, unless that is NULL; false: memory ran out.
 * `covered`: by one other.  `between`: by two, one of the first few or the last few rows on each side.
 */
bool rk_rows_drop_covered(rk_rows *r, size_t width, rk_arena *a, rk_rows *unused);
bool rk_rows_drop_between(rk_rows *r, size_t width, size_t few, rk_arena *a, rk_rows *unused);

#endif
