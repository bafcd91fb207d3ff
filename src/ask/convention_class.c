/* SPDX-License-Identifier: MIT */
#include "ask/convention_class.h"

#include <string.h>

const rk_row_class_text rk_row_class_table[RK_N_ROW_CLASS] = {
#define RK_ROWS_ROW(ID, word, noun) {word, noun},
    RK_ROW_CLASSES(RK_ROWS_ROW)
#undef RK_ROWS_ROW
};

rk_row_class rk_row_class_find(const char *word)
{
    int i = 0;

    while (i < RK_N_ROW_CLASS && strcmp(rk_row_class_table[i].word, word) != 0)
        i++;
    return (rk_row_class)i;
}
