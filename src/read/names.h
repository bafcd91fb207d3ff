/* SPDX-License-Identifier: MIT */
/*
 * read/names.h - names of a file that are found, and found twice, by sorting.
 *
 * Stage   bytes -> [read] -> tensor table, document.
 * Uses    base/.
 * Memory  none; names are borrowed.
 * Threads no state.
 *
 * By hash first, which is one comparison of numbers, and by their bytes where hashes are equal: unlike in a table of
 * hashes, no choice of names makes it slow, and files come from strangers.
 */
#ifndef RK_READ_NAMES_H
#define RK_READ_NAMES_H

#include "base/map.h"

typedef struct rk_sorted_name {
    uint64_t hash;
    const char *name;
    uint32_t number;
} rk_sorted_name;

rk_sorted_name rk_sorted_name_of(const char *name, uint32_t number);

/* Sorts.  False where names are equal: *twice is the first number whose name an earlier one has, *once that one's. */
bool rk_sort_names(rk_sorted_name *s, size_t n, uint32_t *once, uint32_t *twice);

/* The number of a name among n sorted ones, or RK_NONE. */
uint32_t rk_sorted_find(const rk_sorted_name *sorted, size_t n, const char *name, size_t len);

#endif
