/* SPDX-License-Identifier: MIT */
/*
 * report/layout.h - how wide the columns of a table are on paper of a given width.
 *
 * Stage   page -> [a writer] -> bytes.
 * Uses    base/, report/page.h.
 * Memory  a layout is a plain value.
 * Threads no state.
 *
 * What is too wide gives way in this order: columns that wrap get narrower; names take their shorter form; columns are
 * left out, in the order that the table says; the names themselves wrap; at last each cell stands on a line of its own.
 */
#ifndef RK_REPORT_LAYOUT_H
#define RK_REPORT_LAYOUT_H

#include "report/page.h"

enum {
    RK_LAYOUT_INDENT = 2, /* of a row, for each level */
    RK_LAYOUT_GAP = 2     /* between columns */
};

typedef struct rk_layout {
    size_t width[RK_PAGE_COLUMNS_MAX];   /* 0: the column is not drawn */
    size_t natural[RK_PAGE_COLUMNS_MAX]; /* what its cells and its head need; where it is more, they wrap */
    bool brief;                          /* the shorter texts */
    bool stacked;                        /* one cell below the other */
    size_t joined;                       /* columns in which those stand that join the one before them; 0: none do */
} rk_layout;

/* `joins`: columns may be joined; then rk_layout_put gives the text of a cell. */
rk_layout rk_layout_fit(const rk_page *p, const rk_table *t, size_t columns, bool joins);
void rk_layout_put(const rk_page *p, const rk_table *t, const rk_layout *l, const rk_row *row, size_t c, rk_str *out);

/* All columns with the gaps between them. */
size_t rk_layout_width(const rk_table *t, const rk_layout *l);

#endif
