/* SPDX-License-Identifier: MIT */
/*
 * report/reading.h - what a quantity reads, as text: exact, short, or for programs.
 *
 * Stage   readings -> [report] -> bytes; private to report/.
 * Uses    base/, ask/gauge.h, report/figure.h, report/view.h.
 * Memory  appends to a text of the caller's; a cell is the view's.
 * Threads no state.
 */
#ifndef RK_REPORT_READING_H
#define RK_REPORT_READING_H

#include "ask/gauge.h"
#include "base/str.h"
#include "report/view.h"

/* 4,513,336,524,800; of two of the same unit a share, 66.91%; of others six digits. */
void rk_reading_put(rk_str *s, const rk_measure *m, const rk_reading *r);

/* A share of another count, with two digits: 66.91%; "–" of nothing. */
void rk_reading_put_share(rk_str *s, rk_i128 n, rk_i128 whole);

/* "4.51 T", "8.51 GB", "1.56 B", with the name of a FLOP after it ("" for none); a ratio as above. */
void rk_reading_put_brief(rk_str *s, const rk_measure *m, const rk_reading *r, const char *flop);

/* Lets a cell that shows one be rounded, where numbers are. */
void rk_reading_round(const rk_view *v, const rk_measure *m, const rk_reading *r, rk_cell *shown);

/* In a cell, for programs with all digits of a count and twelve of a ratio, null where there is none; the second for
 * people, too: exact, and on narrow paper short. */
rk_cell rk_reading_number(const rk_measure *m, const rk_reading *r);
rk_cell rk_reading_cell(rk_view *v, const rk_measure *m, const rk_reading *r);

/* over ÷ under; NAN where that is nothing. */
double rk_reading_value(const rk_reading *r);

#endif
