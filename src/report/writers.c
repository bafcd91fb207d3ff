/* SPDX-License-Identifier: MIT */
#include "report/page.h"

#include <string.h>

const rk_writer rk_writers[RK_N_FORMAT] = {
#define WRITER(ID, word, endings, write, row, TAKES)                                                                   \
    [RK_FORMAT_##ID] = {word, endings, write, row, RK_WRITER_TAKES_##TAKES, false},
#define PICTURE_WRITER(ID, word, endings, write, row, TAKES)                                                           \
    [RK_FORMAT_##ID] = {word, endings, write, row, RK_WRITER_TAKES_##TAKES, true},
    RK_FORMATS(WRITER) RK_PICTURE_FORMATS(PICTURE_WRITER)
#undef WRITER
#undef PICTURE_WRITER
};

rk_format rk_format_of_file(const char *name)
{
    const char *ending = strrchr(name, '.');
    size_t n = ending ? strlen(ending) : 0;
    int format = ending ? 0 : RK_N_FORMAT;

    for (; format < RK_N_FORMAT; format++)
        for (const char *at = rk_writers[format].endings; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL)
            if (strcspn(at, "|") == n && memcmp(at, ending, n) == 0)
                return (rk_format)format;
    return RK_N_FORMAT;
}
