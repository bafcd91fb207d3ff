/* SPDX-License-Identifier: MIT */
/*
 * report/sweep.h - a sweep as a document: a page with a chart, and rows for programs.
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

/* Divides the one quantity of a sweep into pieces, which come before it. */
int rk_swept_divide(rk_arena *a, const rk_ledger *l, rk_swept *s, rk_by by, rk_err *err);

/* Whether a symbol of the run has the same number at all points: it is not swept, and follows from no other. */
bool rk_swept_stays(const rk_swept *s, const rk_model *m, const rk_symbol *symbol);

/*
 * Runs a sweep, which has no sink yet, and shows its rows; `s` gets them where a page needs them all.
 * RK_ELIMIT: more points or columns than a page has.
 */
int rk_report_sweep(const rk_report *r, const rk_ledger *l, const rk_sweep *sweep, rk_swept *s, rk_err *err);

/* The table of that page on another one, and its picture, `in_text` also where the page is one for a terminal. */
void rk_view_put_swept(rk_view *v, const rk_swept *s);
void rk_view_put_swept_picture(rk_view *v, const rk_swept *s, bool in_text);

/* ---- its rows ---------------------------------------------------------------------------------------------------- */

typedef struct rk_sweep_rows {
    const rk_sweep *sweep;
    rk_swept *swept;
    const rk_stream *to; /* who takes them; NULL: they are kept */
} rk_sweep_rows;

/* The answer for programs: what is swept, and the rows, made when they are written. */
void rk_sweep_put_answer(rk_view *v, rk_sweep_rows *rows);

/* All rows at once, in the arena of the view. */
int rk_sweep_keep_rows(rk_view *v, rk_sweep_rows *rows);

/* A row as text for who takes it; `rows` are rk_sweep_rows.  Free of state. */
void rk_sweep_format_row(void *self, const rk_i128 *number, const rk_reading *reading, rk_str *out);

#endif
