/* SPDX-License-Identifier: MIT */
/* 820,816 for 802,816: digits that have changed places, which nothing but the digits gives away. */
#include "audit/bind_parts.h"

#include <string.h>

enum {
    ENTRIES_MAX = 256 /* that are looked at */
};

/* Two digits beside each other are the other way round. */
static bool is_swapped(rk_i128 a, rk_i128 b)
{
    char x[RK_NUM_TEXT_MAX], y[RK_NUM_TEXT_MAX];
    size_t i = 0;

    rk_num_text(x, a);
    rk_num_text(y, b);
    if (a == b || strlen(x) != strlen(y))
        return false;
    while (x[i] == y[i])
        i++;
    return x[i] == y[i + 1] && x[i + 1] == y[i] && x[i + 1] && strcmp(x + i + 2, y + i + 2) == 0;
}

static size_t first_from(const rk_index_entry *e, size_t n, rk_i128 value)
{
    size_t from = 0;

    while (from < n) {
        size_t middle = from + (n - from) / 2;

        if (e[middle].value < value)
            from = middle + 1;
        else
            n = middle;
    }
    return from;
}

const rk_index_entry *rk_bind_swapped(const rk_figure *f)
{
    size_t n, at;
    const rk_index_entry *e = rk_index_entries(f->at->index, &n), *found = NULL;
    rk_i128 low = f->query.low - f->query.low / 10, high = f->query.low + f->query.low / 10;

    if (f->query.low != f->query.high || f->query.den != 1)
        return NULL;
    at = first_from(e, n, low);
    for (size_t i = at; i < n && i < at + ENTRIES_MAX && e[i].value <= high; i++) {
        if (!((f->query.kinds >> e[i].kind) & 1) || e[i].with || !is_swapped(f->query.low, e[i].value))
            continue;
        if (found && found->value != e[i].value)
            return NULL;
        found = found ? found : &e[i];
    }
    return found;
}
