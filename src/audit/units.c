/* SPDX-License-Identifier: MIT */
#include "audit/units.h"

#include <string.h>
#include <strings.h>

/* clang-format off */
static const rk_word_unit units[] = {
    {"%", RK_WORD_UNIT_SHARE, -1, false, false}, {"\\%", RK_WORD_UNIT_SHARE, -1, false, false},
    {"percent", RK_WORD_UNIT_SHARE, -1, false, false},
    {"k", RK_WORD_UNIT_SCALE, 1, false, true}, {"K", RK_WORD_UNIT_SCALE, 1, false, true}, {"Ki", RK_WORD_UNIT_SCALE, 1, true, false},
    {"M", RK_WORD_UNIT_SCALE, 2, false, true}, {"Mi", RK_WORD_UNIT_SCALE, 2, true, false},
    {"G", RK_WORD_UNIT_SCALE, 3, false, true}, {"B", RK_WORD_UNIT_SCALE, 3, false, true}, {"Gi", RK_WORD_UNIT_SCALE, 3, true, false},
    {"T", RK_WORD_UNIT_SCALE, 4, false, true}, {"Ti", RK_WORD_UNIT_SCALE, 4, true, false},
    {"thousand", RK_WORD_UNIT_SCALE, 1, false, false}, {"million", RK_WORD_UNIT_SCALE, 2, false, false},
    {"mil", RK_WORD_UNIT_SCALE, 2, false, false}, {"billion", RK_WORD_UNIT_SCALE, 3, false, false},
    {"bn", RK_WORD_UNIT_SCALE, 3, false, false}, {"trillion", RK_WORD_UNIT_SCALE, 4, false, false},
    {"byte", RK_WORD_UNIT_BYTES, 0, false, false}, {"bytes", RK_WORD_UNIT_BYTES, 0, false, false},
    {"Byte", RK_WORD_UNIT_BYTES, 0, false, false}, {"Bytes", RK_WORD_UNIT_BYTES, 0, false, false},
    {"kB", RK_WORD_UNIT_BYTES, 1, false, false}, {"KB", RK_WORD_UNIT_BYTES, 1, false, false},
    {"KiB", RK_WORD_UNIT_BYTES, 1, true, false}, {"MB", RK_WORD_UNIT_BYTES, 2, false, false},
    {"MiB", RK_WORD_UNIT_BYTES, 2, true, false}, {"GB", RK_WORD_UNIT_BYTES, 3, false, false},
    {"gb", RK_WORD_UNIT_BYTES, 3, false, false}, {"mb", RK_WORD_UNIT_BYTES, 2, false, false},
    {"KBps", RK_WORD_UNIT_BYTES, 1, false, false}, {"MBps", RK_WORD_UNIT_BYTES, 2, false, false},
    {"GBps", RK_WORD_UNIT_BYTES, 3, false, false}, {"TBps", RK_WORD_UNIT_BYTES, 4, false, false},
    {"Mbps", RK_WORD_UNIT_SCALE, 2, false, false}, {"Gbps", RK_WORD_UNIT_SCALE, 3, false, false},
    {"Tbps", RK_WORD_UNIT_SCALE, 4, false, false}, {"GiB", RK_WORD_UNIT_BYTES, 3, true, false}, {"TB", RK_WORD_UNIT_BYTES, 4, false, false},
    {"TiB", RK_WORD_UNIT_BYTES, 4, true, false}, {"PB", RK_WORD_UNIT_BYTES, 5, false, false},
};

/* With no prefix, and with each of those below. */
static const rk_word_unit flops[] = {
    {"flops", RK_WORD_UNIT_FLOPS, 0, false, false}, {"flops", RK_WORD_UNIT_FLOPS, 1, false, false},
    {"flops", RK_WORD_UNIT_FLOPS, 2, false, false}, {"flops", RK_WORD_UNIT_FLOPS, 3, false, false},
    {"flops", RK_WORD_UNIT_FLOPS, 4, false, false}, {"flops", RK_WORD_UNIT_FLOPS, 5, false, false},
    {"flops", RK_WORD_UNIT_FLOPS, 6, false, false}, {"flops", RK_WORD_UNIT_FLOPS, 7, false, false},
};
/* clang-format on */

bool rk_word_is_one_of(const char *word, size_t n, const char *const *list)
{
    for (; *list; list++)
        if (strlen(*list) == n && memcmp(*list, word, n) == 0)
            return true;
    return false;
}

bool rk_word_is_like(const char *word, size_t n, const char *const *list)
{
    for (; *list; list++)
        if (strlen(*list) == n && strncasecmp(*list, word, n) == 0)
            return true;
    return false;
}

const rk_reworded *rk_reworded_find(const rk_reworded *row, size_t n_row, const char *text, size_t n, size_t *length)
{
    for (; n_row > 0; n_row--, row++)
        for (size_t i = 0; i < sizeof row->from / sizeof *row->from && row->from[i]; i++) {
            *length = strlen(row->from[i]);
            if (text[0] == row->from[i][0] && *length <= n && memcmp(text, row->from[i], *length) == 0)
                return row;
        }
    return NULL;
}

const rk_word_unit *rk_word_unit_find(const char *word, size_t n)
{
    static const char *const operations[] = {"flop", "flops", "mac", "macs", "flop/s", NULL};
    static const char prefix[] = "kmgtpez";
    const char *power = n > 1 ? strchr(prefix, word[0] | 0x20) : NULL;

    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i].word) == n && memcmp(units[i].word, word, n) == 0)
            return &units[i];
    if (rk_word_is_like(word, n, operations))
        return &flops[0];
    return power && rk_word_is_like(word + 1, n - 1, operations) ? &flops[power - prefix + 1] : NULL;
}
