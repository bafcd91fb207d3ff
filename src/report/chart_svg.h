/* SPDX-License-Identifier: MIT */
/*
 * report/chart_svg.h - charts as pictures: the frame of a plot, and what its kinds share.
 *
 * Stage   plot -> [the picture of a chart] -> bytes; private to it.
 * Uses    base/, report/plot.h, report/svg.h.
 * Memory  borrows the plot and the text that it writes to.
 * Threads one picture, one thread.
 */
#ifndef RK_REPORT_CHART_SVG_H
#define RK_REPORT_CHART_SVG_H

#include "report/plot.h"

enum {
    RK_CHART_SVG_SERIES = 16, /* names beside a plot */
    RK_CHART_SVG_WIDE = 760
};

typedef struct rk_chart_frame {
    const rk_plot *plot;
    rk_svg svg;
    double high;                    /* of the picture */
    double left, top, across, down; /* of the plot in it */
} rk_chart_frame;

double rk_chart_x(const rk_chart_frame *f, double place); /* 0 … 1 from left to right */
double rk_chart_y(const rk_chart_frame *f, double place); /* 0 … 1 from below */

/* Of numbers on their axis, and of names of places or series, but no more than `most`. */
double rk_chart_numbers_wide(const rk_plot *p);
double rk_chart_names_wide(const rk_plot *p, bool series, double most);

/* The colour of a series as an attribute's value, and ` stroke-dasharray="…"` where colours come again. */
const char *rk_chart_colour(const rk_plot_series *s);
void rk_chart_put_dash(const rk_chart_frame *f, const rk_plot_series *s);

/* The mark of a series, alike in a terminal. */
void rk_chart_put_mark(const rk_chart_frame *f, const rk_plot_series *s, double x, double y);

/* Squares with the names of all series in lines from (left, y) on; where the last line stands. */
double rk_chart_svg_legend(const rk_chart_frame *f, double left, double y, double room, bool draw);

void rk_chart_svg_begin(const rk_chart_frame *f);
void rk_chart_svg_end(const rk_chart_frame *f);

void rk_chart_svg_lines(rk_chart_frame *f); /* areas too */
void rk_chart_svg_bars(rk_chart_frame *f);  /* stacked ones too */
void rk_chart_svg_grid(rk_chart_frame *f);

#endif
