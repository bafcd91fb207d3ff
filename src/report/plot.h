/* SPDX-License-Identifier: MIT */
/*
 * report/plot.h - a chart made ready to be drawn: clean numbers, axes, as many series as eyes can follow.
 *
 * Stage   figures -> chart -> [plot] -> bytes; private to the writers of charts.
 * Uses    base/, report/chart.h.
 * Memory  a plot owns an arena; rk_plot_free frees it.
 * Threads no state.
 */
#ifndef RK_REPORT_PLOT_H
#define RK_REPORT_PLOT_H

#include "report/chart.h"

/* How much a writer can show. */
typedef struct rk_plot_limits {
    size_t lines, layers, rows; /* series of lines; of areas and bars; of a grid */
    size_t points;              /* places along lines and areas */
    size_t places;              /* places of bars and grids, each of which has its name */
    size_t ticks;               /* numbers on the axis */
    bool snug;                  /* bars are as long as there is room: they have no axis */
    bool areas;                 /* areas can be drawn; otherwise they are stacked bars */
} rk_plot_limits;

typedef struct rk_plot_series {
    const char *name;
    double *y;   /* NAN: missing */
    size_t last; /* the last place that has a number, or RK_PLOT_NOWHERE */
    size_t look; /* which mark, fill and colour it has */
} rk_plot_series;

#define RK_PLOT_NOWHERE ((size_t)-1)

typedef struct rk_plot_tick {
    double place; /* between 0 and 1 */
    const char *name;
    bool named; /* there is room for its name: rk_plot_name_ticks */
} rk_plot_tick;

typedef struct rk_plot {
    rk_arena arena;
    const rk_chart *chart;
    rk_chart_kind kind;    /* what it is drawn as */
    bool stacked;          /* BARS: on top of each other */
    rk_unit_kind unit;     /* of what is drawn: shares where they are wanted */
    const char *unit_name; /* this and the labels: never NULL, safe to print */
    const char *x_label, *series_label;
    const char *y_label; /* with the unit: "forward FLOPs (FLOP)" */
    size_t n_x;
    double *x;                 /* where each place is, between 0 and 1 */
    const char **x_name;       /* of bars and grids, of each place */
    RK_VEC(rk_plot_tick) tick; /* of lines and areas */
    rk_plot_series *series;
    size_t n_series;
    rk_scale y;
    const char *note; /* what is not shown, or "" */
    bool empty;       /* there is no number at all */
} rk_plot;

/* False where memory ran out; rk_plot_free is right in either case. */
bool rk_plot_new(rk_plot *p, const rk_chart *c, const rk_plot_limits *limits);
void rk_plot_free(rk_plot *p);

/* What a picture shows, in a sentence for each series. */
void rk_plot_describe(const rk_plot *p, rk_str *out);

/* The sum of the series before the n-th at a place; what is missing is nothing. */
double rk_plot_below(const rk_plot *p, size_t n_series, size_t at);

/* Chooses the ticks that are named, so that names of such widths do not touch on an axis of that length. */
void rk_plot_name_ticks(const rk_plot *p, double (*width)(const char *name), double length);

/*
 * Places wanted on a line of that length, in rising order, are moved apart to `least`, each as little as can be: the
 * sum of the squares of what they are moved is the least.  At most RK_PLOT_SPREAD_MOST.
 */
void rk_plot_spread(double *place, size_t n, double least, double length);

#define RK_PLOT_SPREAD_MOST 32

/* ---- private to the makers of plots ---------------------------------------------------------------------------- */

/* The place in the chart of the i-th one that is drawn: evenly chosen, the last always. */
size_t rk_plot_place_of(const rk_plot *p, size_t i);
const char *rk_plot_keep_safe(rk_plot *p, const char *text);
void rk_plot_put_note(rk_plot *p, const char *text);
void rk_plot_take_series(rk_plot *p, const rk_plot_limits *limits);

#endif
