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

/* Tables: sizes that differ; what every model has; the quantities asked for; the parts of one. */
void rk_compare_put_sizes(rk_view *v, const rk_comparison *c);
void rk_compare_put_overview(rk_view *v, const rk_comparison *c);
void rk_compare_put_quantities(rk_view *v, const rk_comparison *c);
void rk_compare_put_parts(rk_view *v, const rk_comparison *c);

/* The largest part; where parts add up, shares that grow and shrink, and with which power each part grows. */
void rk_compare_put_findings(rk_view *v, const rk_comparison *c);

/* The quantity that is divided, of one model. */
static inline rk_i128 rk_compare_whole(const rk_comparison *c, size_t model)
{
    return c->model[model].reading[c->i_divided].over;
}

/* Whether a symbol differs. */
static inline bool rk_compare_has_sizes(const rk_comparison *c)
{
    for (size_t i = 0; i < c->symbol.n; i++)
        if (!c->symbol.at[i].equal)
            return true;
    return false;
}

#endif
