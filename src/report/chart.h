/* SPDX-License-Identifier: MIT */
/*
 * report/chart.h - a chart, independent of what it shows: for a terminal, or as a picture (SVG).
 *
 * Stage   figures -> [a chart] -> bytes.
 * Uses    base/, report/page.h (paper), report/scale.h, report/svg.h.
 * Memory  a chart borrows everything; what is drawn is appended to a text of the caller's.
 * Threads no state.
 *
 *     const double flops[] = {1e12, 2.1e12, 4.6e12};
 *     const rk_i128 s[] = {1024, 2048, 4096};
 *     rk_chart_series series = {.name = "layers.ffn", .y = flops};
 *     rk_chart c = {.kind = RK_CHART_LINES, .title = "gpt2-xl", .x_label = "S (tokens)", .x = s, .n_x = 3,
 *                   .y_label = "forward FLOPs", .unit = RK_UNIT_SCALED, .unit_name = "FLOP",
 *                   .series = &series, .n_series = 1};
 *     rk_chart_text(&c, &paper, &out);
 *
 * Any numbers may come: what is not finite is missing.  Names may hold any bytes.  The axis of lines is logarithmic
 * where the places grow by factors and the numbers span more than two decades.  Where there are more series than eyes
 * can follow, the smallest are gathered as "others" (areas), or left out with a word; so are lines of zeros beside
 * others.
 */
#ifndef RK_REPORT_CHART_H
#define RK_REPORT_CHART_H

#include "report/page.h"
#include "report/scale.h"
#include "report/svg.h"

typedef enum rk_chart_kind {
    RK_CHART_LINES, /* one line for each series; over words: bars */
    RK_CHART_AREAS, /* series on top of each other; over words, in a terminal, or with one place: stacked bars */
    RK_CHART_BARS,  /* for each place a bar of each series, side by side */
    RK_CHART_GRID   /* places across, series down, each number in its field, shaded */
} rk_chart_kind;

typedef struct rk_chart_series {
    const char *name;
    const double *y; /* n_x of them; NAN: missing */
} rk_chart_series;

typedef struct rk_chart {
    rk_chart_kind kind;
    const char *title, *subtitle; /* or NULL */
    const char *x_label;          /* "S (tokens)", or NULL */
    const rk_i128 *x;             /* the places, as numbers … */
    const char *const *word;      /* … or as words; numbers that do not rise are taken as words */
    size_t n_x;
    const char *y_label; /* "forward FLOPs", or NULL */
    rk_unit_kind unit;
    const char *unit_name; /* "FLOP", "B"; NULL: none */
    const char *units;     /* "FLOPs", "bytes": what stands at an axis without a label; NULL: the name of the unit */
    bool normalise;        /* AREAS: each place fills 100%; `unit` is of the numbers given */
    const rk_chart_series *series;
    size_t n_series;
    const char *series_label; /* GRID: what goes down: "B (sequences)", or NULL */
} rk_chart;

void rk_chart_text(const rk_chart *c, const rk_paper *paper, rk_str *out);
void rk_chart_svg(const rk_chart *c, rk_svg_theme theme, rk_str *out);

/* A picture of a page, whose arena has all that the chart borrows; `text` is what a terminal shows, NULL: nothing. */
void rk_page_chart(rk_page *p, const rk_chart *c, const rk_chart *text);

#endif
