/* SPDX-License-Identifier: MIT */
/*
 * report/chart_text.h - charts in a terminal: a pen with the colours of series, and marks that do without.
 *
 * Stage   plot -> [the text writer of charts] -> bytes; private to it.
 * Uses    base/, report/plot.h, report/text.h.
 * Memory  borrows the plot and the text that it writes to.
 * Threads one chart, one thread.
 */
#ifndef RK_REPORT_CHART_TEXT_H
#define RK_REPORT_CHART_TEXT_H

#include "report/plot.h"
#include "report/text.h"

enum {
    RK_CHART_TEXT_SERIES = 8, /* marks, fills and colours that are told apart */
    RK_CHART_TEXT_NARROW = 60 /* below it, names of series stand under the chart */
};

typedef struct rk_chart_pen {
    const rk_plot *plot;
    rk_pen pen; /* without a page */
} rk_chart_pen;

/* "●": series are told apart without colour. */
const char *rk_chart_mark(size_t look);
const char *rk_chart_fill(size_t look);

/* Text in the colour of a series, or on its colour; plain where the paper has no colour. */
void rk_chart_put(const rk_chart_pen *d, size_t look, const char *text);
void rk_chart_put_on(const rk_chart_pen *d, size_t look, const char *text);

/* A text in exactly so many columns, cut where it is longer. */
void rk_chart_put_cell(const rk_chart_pen *d, rk_ink ink, const char *text, size_t columns, bool right);

/* The widest of some names, but no more than `most`. */
size_t rk_chart_names_width(const rk_plot *p, bool series, size_t most);

/* What names are, in so many columns, and what numbers are: above bars. */
void rk_chart_put_labels(const rk_chart_pen *d, size_t names);

/* Marks and names of all series, over as many lines as they need. */
void rk_chart_put_legend(const rk_chart_pen *d, const char *(*mark)(size_t look));

void rk_chart_text_lines(const rk_chart_pen *pen);
void rk_chart_text_bars(const rk_chart_pen *pen);
void rk_chart_text_stacks(const rk_chart_pen *pen);
void rk_chart_text_grid(const rk_chart_pen *pen);

#endif
