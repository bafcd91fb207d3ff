/* SPDX-License-Identifier: MIT */
#include "pass/rows.h"

/* ---- one row ---------------------------------------------------------------------------------------------------- */

bool rk_row_covers(const uint32_t *a, const uint32_t *row, size_t width)
{
    for (size_t i = 0; i < width; i++)
        if (row[i] > a[i])
            return false;
    return true;
}

/* A share from 0 to 1: numbers of 32 bits, so that two can be compared in 64. */
typedef struct share {
    int64_t above, below;
} share;

static bool is_more(share a, share b)
{
    return a.above * b.below > b.above * a.below;
}

/*
 * A point on the line has b + x·(a - b) of a size.  Where a has more than b, x must be large enough for the row to have
 * no more than that; where it has less, small enough.
 */
static bool lies_between(const uint32_t *row, const uint32_t *a, const uint32_t *b, size_t width)
{
    share least = {0, 1}, most = {1, 1};

    for (size_t i = 0; i < width; i++) {
        share x = {(int64_t)row[i] - b[i], (int64_t)a[i] - b[i]};

        if (x.below == 0 && x.above > 0)
            return false;
        if (x.below > 0 && is_more(x, least))
            least = x;
        else if (x.below < 0 && is_more(most, (share){-x.above, -x.below}))
            most = (share){-x.above, -x.below};
        if (is_more(least, most))
            return false;
    }
    return true;
}

/* ---- many rows -------------------------------------------------------------------------------------------------- */

static bool drop(rk_rows *r, size_t i, rk_arena *a, rk_rows *unused)
{
    uint32_t **slot = unused ? RK_PUSH(a, unused) : NULL;

    if (slot)
        *slot = r->at[i];
    r->at[i] = NULL;
    return slot || !unused;
}

/* Rows that stay move together, in their order. */
static void close_ranks(rk_rows *r)
{
    size_t n = 0;

    for (size_t i = 0; i < r->n; i++)
        if (r->at[i])
            r->at[n++] = r->at[i];
    r->n = n;
}

static bool is_covered(const rk_rows *r, size_t i, size_t width)
{
    for (size_t k = 0; k < r->n; k++)
        if (k != i && r->at[k] && rk_row_covers(r->at[k], r->at[i], width))
            return true;
    return false;
}

bool rk_rows_drop_covered(rk_rows *r, size_t width, rk_arena *a, rk_rows *unused)
{
    bool done = true;

    for (size_t i = 0; i < r->n; i++)
        if (is_covered(r, i, width))
            done &= drop(r, i, a, unused);
    close_ranks(r);
    return done;
}

/* Whether two rows, one before it and one after it, cover a row: such as are among the first few or the last few. */
static bool is_between(const rk_rows *r, size_t i, size_t width, size_t few)
{
    for (size_t x = 0; x < i && x < few; x++)
        for (size_t y = r->n; y > i + 1 && y + few > r->n; y--)
            if (r->at[x] && r->at[y - 1] && lies_between(r->at[i], r->at[x], r->at[y - 1], width))
                return true;
    return false;
}

bool rk_rows_drop_between(rk_rows *r, size_t width, size_t few, rk_arena *a, rk_rows *unused)
{
    bool done = true;

    for (size_t i = 1; i + 1 < r->n; i++)
        if (is_between(r, i, width, few))
            done &= drop(r, i, a, unused);
    close_ranks(r);
    return done;
}
