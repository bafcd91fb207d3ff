/* SPDX-License-Identifier: MIT */
/*
 * report/plot.h - a chart made ready to be drawn: clean numbers, axes, as many series as eyes can follow.
 *
 * Stage   figures -> chart -> [plot] -> bytes; private to the writers of charts.
 * Uses    base/, report/chart.h.
 * Memory  a plot owns an arena, which its user frees; texts that are made for drawing live there too.
 * Threads no state.
 */
#ifndef RK_REPORT_PLOT_H
#define RK_REPORT_PLOT_H

#include "report/chart.h"

/* How much a writer can show. */
typedef struct rk_plot_limits {
    size_t lines, layers, rows;        /* series of lines; of areas and bars; of a grid */
    size_t points;                     /* places along lines and areas */
    size_t places;                     /* places of bars and grids, each of which has its name */
    size_t ticks;                      /* numbers on the axis */
    bool snug;                         /* bars are as long as there is room: they have no axis */
    bool areas;                        /* areas can be drawn; otherwise they are stacked bars */
    double (*width)(const char *text); /* how wide a name is */
} rk_plot_limits;

typedef struct rk_plot_series {
    const char *name;
    double *y;   /* NAN: missing */
    double size; /* the sum of what it shows: the largest are drawn */
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
    const rk_plot_limits *limits;
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

/* False where memory ran out; its arena is freed in either case. */
bool rk_plot_new(rk_plot *p, const rk_chart *c, const rk_plot_limits *limits);

/* The sum of the series before the n-th at a place; what is missing is nothing. */
double rk_plot_below(const rk_plot *p, size_t n_series, size_t at);

/* "4.51 TFLOP", or "4.51 T" without the unit; a piece of a bar has room for whole hundredths; "2 T" at the axis. */
const char *rk_plot_number(rk_plot *p, double y, bool with_unit);
const char *rk_plot_piece(rk_plot *p, double y);
const char *rk_plot_tick_text(rk_plot *p, const rk_tick *tick);

/* The widest of the names of places or series, and of the numbers on the axis. */
double rk_plot_names_width(const rk_plot *p, bool series);
double rk_plot_ticks_width(rk_plot *p);

/* Chooses the ticks that are named, so that names do not come nearer than `gap` on an axis of that length. */
void rk_plot_name_ticks(rk_plot *p, double gap, double length);

/* Sorts the places of n series, and says which series each is of. */
void rk_plot_sort(double *place, size_t *series, size_t n);

/*
 * Places wanted on a line of that length, in rising order, are spread to `least`, each as little as can be: the
 * sum of the squares of what they are moved is the least.  At most RK_PLOT_SPREAD_MOST.
 */
void rk_plot_spread(double *place, size_t n, double least, double length);

#define RK_PLOT_SPREAD_MOST 32

#endif
