/* SPDX-License-Identifier: MIT */
#include "read/names.h"

#include <stdlib.h>
#include <string.h>

rk_sorted_name rk_sorted_name_of(const char *name, uint32_t number)
{
    return (rk_sorted_name){rk_hash(name, strlen(name), 0), name, number};
}

static int compare_names(const void *a, const void *b)
{
    const rk_sorted_name *x = a, *y = b;

    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->number > y->number) - (x->number < y->number);
}

bool rk_sort_names(rk_sorted_name *s, size_t n, uint32_t *once, uint32_t *twice)
{
    *twice = RK_NONE;
    if (n > 0)
        qsort(s, n, sizeof *s, compare_names);
    for (size_t i = 1; i < n; i++) {
        if (s[i].number >= *twice || s[i - 1].hash != s[i].hash || strcmp(s[i - 1].name, s[i].name) != 0)
            continue;
        *once = s[i - 1].number;
        *twice = s[i].number;
    }
    return *twice == RK_NONE;
}

/* As strcmp, for a key of `len` bytes that has no terminator. */
static int compare_key(const rk_sorted_name *s, uint64_t hash, const char *name, size_t len)
{
    int order;

    if (s->hash != hash)
        return s->hash < hash ? -1 : 1;
    order = strncmp(s->name, name, len);
    return order != 0 ? order : s->name[len] != '\0';
}

uint32_t rk_sorted_find(const rk_sorted_name *sorted, size_t n, const char *name, size_t len)
{
    uint64_t hash = rk_hash(name, len, 0);
    size_t low = 0, high = n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare_key(&sorted[middle], hash, name, len);

        if (order == 0)
            return sorted[middle].number;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return RK_NONE;
}
