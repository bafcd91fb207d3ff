/* SPDX-License-Identifier: MIT */
/* Which rows make up a difference: the fewest whose sum it is, found by trying few before many. */
#include "audit/sums.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROWS_MAX = 6,    /* more rows than these add up to anything */
    VALUES_MAX = 256 /* different values that are looked at, the largest */
};

typedef struct search {
    rk_i128 value[VALUES_MAX]; /* different ones, the largest first */
    size_t most[VALUES_MAX];   /* how often each occurs */
    size_t used[VALUES_MAX];
    size_t n, *tries;
} search;

static int larger_first(const void *a, const void *b)
{
    rk_i128 x = *(const rk_i128 *)a, y = *(const rk_i128 *)b;

    return (x < y) - (x > y);
}

static bool try_rows(search *s, size_t first, size_t rows, rk_i128 target)
{
    if (rows == 0)
        return target == 0;
    for (size_t i = first; i < s->n; i++) {
        if (*s->tries == 0 || s->value[i] * (rk_i128)rows < target)
            return false; /* all that follow are smaller still */
        --*s->tries;
        if (s->value[i] > target || s->used[i] == s->most[i])
            continue;
        s->used[i]++;
        if (try_rows(s, i, rows - 1, target - s->value[i]))
            return true;
        s->used[i]--;
    }
    return false;
}

/* Values beyond this could overflow when multiplied; no one's rows have them. */
static const rk_i128 value_max = (rk_i128)1 << 120;

static bool fill(search *s, const rk_i128 *value, size_t n)
{
    rk_i128 *sorted = rk_heap_alloc((n ? n : 1) * sizeof *sorted);

    if (!sorted)
        return false;
    memcpy(sorted, value, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, larger_first);
    for (size_t i = 0; i < n; i++) {
        if (sorted[i] <= 0 || sorted[i] > value_max)
            continue;
        if (s->n > 0 && s->value[s->n - 1] == sorted[i])
            s->most[s->n - 1]++;
        else if (s->n < VALUES_MAX) {
            s->value[s->n] = sorted[i];
            s->most[s->n++] = 1;
        }
    }
    rk_heap_free(sorted);
    return true;
}

bool rk_subset_find(const rk_i128 *value, size_t n, rk_i128 target, size_t *used, size_t *tries)
{
    search *s = rk_heap_alloc(sizeof *s);
    bool found = false;

    if (!s)
        return false;
    memset(s, 0, sizeof *s);
    s->tries = tries;
    if (target > 0 && target < value_max && fill(s, value, n))
        for (size_t rows = 1; rows <= ROWS_MAX && rows < n && !found; rows++)
            found = try_rows(s, 0, rows, target);
    for (size_t i = 0; found && i < n; i++) {
        used[i] = 0;
        for (size_t k = 0; k < s->n; k++)
            if (s->value[k] == value[i] && s->used[k] > 0) {
                s->used[k]--;
                used[i] = 1;
                break;
            }
    }
    rk_heap_free(s);
    return found;
}
