/* SPDX-License-Identifier: MIT */
/*
 * report/sweep.h - a sweep as a page with a chart, as a picture, or row by row for programs.
 *
 * Stage   rows of a sweep -> [report] -> bytes.
 * Uses    base/, ask/sweep.h, report/chart.h, report/view.h.
 * Memory  a page needs all rows; rows for programs are written one by one.
 * Threads writing rows is free of state: several threads may write into texts of their own.
 */
#ifndef RK_REPORT_SWEEP_H
#define RK_REPORT_SWEEP_H

#include "ask/sweep.h"
#include "report/chart.h"
#include "report/report.h"
#include "report/view.h"

#define RK_SWEPT_POINTS_MAX ((rk_i128)100000) /* that a page or a picture can show; programs get all */

typedef struct rk_swept {
    const rk_range *range;
    size_t n_range;
    const rk_measure *measure; /* with `by`: the pieces, and then the whole */
    size_t n_measure;
    rk_by by;
    rk_i128 *number;     /* of each point, one for each range; NULL: rows are not kept */
    rk_reading *reading; /* of each point, one for each measure */
    size_t n_point;
    const rk_memory_options *step; /* where a measure is about memory: how the step is taken; NULL: none is */
} rk_swept;

/* Whether a symbol of the run has the same number at all points: it is not swept, and follows from no other. */
bool rk_swept_stays(const rk_swept *s, const rk_model *m, const rk_symbol *symbol);

/* A page for people: text, md, latex.  RK_ELIMIT: more columns than a page has. */
int rk_report_sweep(const rk_report *r, const rk_ledger *l, const rk_swept *s, rk_err *err);

/* The table of that page on another one, and its picture where the page has any. */
void rk_view_put_swept(rk_view *v, const rk_swept *s);
void rk_view_put_swept_picture(rk_view *v, const rk_swept *s);

/* A picture.  RK_EINPUT: more than two symbols, or a single point. */
int rk_report_sweep_svg(const rk_ledger *l, const rk_swept *s, rk_svg_theme theme, rk_str *out, rk_err *err);

/*
 * For programs (CSV, JSON): what comes before the rows, a row, and what comes behind them.  A row of JSON begins with
 * the comma behind the one before it, which the first row has to be written without: a row does not know its place.
 */
void rk_sweep_put_head(const rk_ledger *l, const rk_swept *s, rk_format format, rk_str *out);
void rk_sweep_put_row(const rk_swept *s, rk_format format, const rk_i128 *number, const rk_reading *reading,
                      rk_str *out);
void rk_sweep_put_foot(rk_format format, rk_str *out);

#endif
