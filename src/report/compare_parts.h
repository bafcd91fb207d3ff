/* SPDX-License-Identifier: MIT */
/*
 * report/compare_parts.h - the pieces of a page about several models: tables side by side, and what follows from them.
 *
 * Stage   comparison -> [report] -> bytes; private to report/compare*.c.
 * Uses    ask/compare.h, report/view.h.
 * Memory  as a view.
 * Threads one view, one thread.
 */
#ifndef RK_REPORT_COMPARE_PARTS_H
#define RK_REPORT_COMPARE_PARTS_H

#include "ask/compare.h"
#include "report/view.h"

#define RK_COMPARE_A_TABLE 5 /* models; more of them are in further tables: each has a number and a share */

typedef enum rk_compare_table {
    RK_COMPARE_SIZES,      /* that differ */
    RK_COMPARE_OVERVIEW,   /* what every model has */
    RK_COMPARE_QUANTITIES, /* those asked for */
    RK_COMPARE_PARTS       /* of one quantity */
} rk_compare_table;

/* "gpt2, gpt2-medium and gpt2-xl" */
const char *rk_compare_names(rk_view *v, const char *const *name, size_t n);

/*
 * A table of what the first column names, with one for each of some models, and a last one or NULL; `shares`: with one
 * more for each.  Programs see models where they see the first column.
 */
rk_table *rk_compare_columns(rk_view *v, rk_field first, const char *const *name, size_t n, bool shares,
                             const rk_field *last);

/* One table after the other, each with as many models as are easily read. */
void rk_compare_put(rk_view *v, const rk_comparison *c, rk_compare_table which);

/* The largest part; where parts add up, shares that grow and shrink, and with which power each part grows. */
void rk_compare_put_findings(rk_view *v, const rk_comparison *c);

/* The quantity that is divided, of one model. */
static inline rk_i128 rk_compare_whole(const rk_comparison *c, size_t model)
{
    return c->model[model].reading[c->i_divided].over;
}

#endif
