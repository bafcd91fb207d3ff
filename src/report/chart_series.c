/* SPDX-License-Identifier: MIT */
/* The series of a plot: clean numbers, and no more of them than eyes can follow. */
#include "report/plot.h"

#include <math.h>

#define VALUE_MOST 1e300 /* beyond it, arithmetic with places would leave the numbers */

/* Whatever comes; what is too small to be told from nothing is nothing. */
static double clean(double y)
{
    if (!isfinite(y) || fabs(y) > VALUE_MOST)
        return NAN;
    return fabs(y) < 1 / VALUE_MOST ? 0 : y;
}

static double size_of(const rk_plot *p, const rk_chart_series *s)
{
    double sum = 0;

    for (size_t i = 0; i < p->n_x; i++) {
        double y = clean(s->y[rk_plot_place_of(p, i)]);

        sum += isnan(y) ? 0 : fabs(y);
    }
    return sum;
}

/* The n-th largest size: those below it are not drawn one by one. */
static double size_at(const double *size, size_t n, size_t nth)
{
    double bound = INFINITY;

    while (nth > 0) {
        double next = -1;
        size_t same = 0;

        for (size_t i = 0; i < n; i++)
            if (size[i] < bound && size[i] > next)
                next = size[i];
        for (size_t i = 0; i < n; i++)
            same += size[i] == next;
        bound = next;
        nth -= same < nth ? same : nth;
    }
    return bound;
}

static void take_series(rk_plot *p, rk_plot_series *to, const rk_chart_series *from, bool add)
{
    bool positive = p->chart->kind == RK_CHART_AREAS;

    for (size_t i = 0; i < p->n_x; i++) {
        double y = clean(from->y[rk_plot_place_of(p, i)]);

        if (positive && y < 0)
            y = NAN;
        to->y[i] = !add || isnan(to->y[i]) ? y : isnan(y) ? to->y[i] : to->y[i] + y;
    }
}

static rk_plot_series *new_series(rk_plot *p, const char *name)
{
    rk_plot_series *s = &p->series[p->n_series];

    *s = (rk_plot_series){.name = name, .y = RK_NEW_ARRAY(&p->arena, p->n_x, double), .last = RK_PLOT_NOWHERE};
    s->look = p->n_series;
    p->n_series += s->y != NULL;
    return s->y ? s : NULL;
}

/* Grey is theirs alone. */
static void look_like_others(rk_plot *p, rk_plot_series *others)
{
    for (size_t i = RK_SVG_GREY; i < p->n_series; i++)
        p->series[i].look = i + 1;
    others->look = RK_SVG_GREY;
}

/* What was taken one by one has a negative size afterwards. */
static size_t take_largest(rk_plot *p, double *size, size_t most)
{
    const rk_chart *c = p->chart;
    double bound = size_at(size, c->n_series, most);
    size_t taken = 0;

    for (size_t i = 0; i < c->n_series && taken < most; i++) {
        rk_plot_series *s;

        if (size[i] < bound)
            continue;
        if ((s = new_series(p, rk_plot_keep_safe(p, c->series[i].name))))
            take_series(p, s, &c->series[i], false);
        size[i] = -1;
        taken++;
    }
    return taken;
}

static void take_others(rk_plot *p, const double *size, size_t n)
{
    rk_plot_series *others = new_series(p, rk_arena_format(&p->arena, "others (%zu)", n));
    bool begun = false;

    for (size_t i = 0; others && i < p->chart->n_series; i++)
        if (size[i] >= 0) {
            take_series(p, others, &p->chart->series[i], begun);
            begun = true;
        }
    if (others)
        look_like_others(p, others);
}

static bool has_number(const rk_plot *p, const rk_chart_series *s)
{
    for (size_t i = 0; i < p->n_x; i++)
        if (!isnan(clean(s->y[rk_plot_place_of(p, i)])))
            return true;
    return false;
}

/* A line of zeros beside others is a word: it would keep their axis from being logarithmic.  Says how many are left. */
static size_t leave_out_zeros(rk_plot *p, double *size)
{
    const rk_chart *c = p->chart;
    size_t left = 0;

    for (size_t i = 0; i < c->n_series; i++)
        left += size[i] > 0;
    if (p->kind != RK_CHART_LINES || left == 0)
        return c->n_series;
    left = c->n_series;
    for (size_t i = 0; i < c->n_series; i++)
        if (size[i] == 0 && has_number(p, &c->series[i])) {
            rk_plot_put_note(p, rk_arena_format(&p->arena, "%s is 0", rk_plot_keep_safe(p, c->series[i].name)));
            size[i] = -1;
            left--;
        }
    return left;
}

/* The largest in their order; the rest is summed where sums mean something, or counted in the note. */
static void choose_series(rk_plot *p, size_t most)
{
    const rk_chart *c = p->chart;
    bool gathers = c->kind == RK_CHART_AREAS;
    size_t single, taken, n;
    double *size = RK_NEW_ARRAY(&p->arena, c->n_series, double);

    if (!size)
        return;
    for (size_t i = 0; i < c->n_series; i++)
        size[i] = size_of(p, &c->series[i]);
    n = leave_out_zeros(p, size);
    single = n <= most ? n : gathers ? most - 1 : most;
    taken = take_largest(p, size, single);
    if (gathers && taken < n)
        take_others(p, size, n - taken);
    else if (taken < n)
        rk_plot_put_note(p, rk_arena_format(&p->arena, "the %zu largest of %zu are shown", taken, n));
}

/* Rows of a grid are chosen evenly, like its columns. */
static void choose_rows(rk_plot *p, size_t most)
{
    const rk_chart *c = p->chart;
    size_t n = c->n_series < most ? c->n_series : most;

    for (size_t i = 0; i < n; i++) {
        const rk_chart_series *from = &c->series[n < 2 ? i : i * (c->n_series - 1) / (n - 1)];
        rk_plot_series *s = new_series(p, rk_plot_keep_safe(p, from->name));

        if (s)
            take_series(p, s, from, false);
    }
    if (n < c->n_series)
        rk_plot_put_note(p, rk_arena_format(&p->arena, "%zu of %zu rows are shown", n, c->n_series));
}

double rk_plot_below(const rk_plot *p, size_t n_series, size_t at)
{
    double sum = 0;

    for (size_t i = 0; i < n_series; i++)
        sum += isnan(p->series[i].y[at]) ? 0 : p->series[i].y[at];
    return sum;
}

static void normalise(rk_plot *p)
{
    for (size_t at = 0; at < p->n_x; at++) {
        double whole = rk_plot_below(p, p->n_series, at);

        for (size_t i = 0; i < p->n_series; i++)
            p->series[i].y[at] = whole > 0 ? p->series[i].y[at] / whole : NAN;
    }
}

void rk_plot_take_series(rk_plot *p, const rk_plot_limits *limits)
{
    size_t most = p->kind == RK_CHART_LINES ? limits->lines : limits->layers;

    p->series = RK_NEW_ARRAY(&p->arena, p->chart->n_series + 1, rk_plot_series);
    if (!p->series || !p->x)
        return;
    if (p->kind == RK_CHART_GRID)
        choose_rows(p, limits->rows);
    else
        choose_series(p, most);
    if (p->chart->normalise && p->chart->kind == RK_CHART_AREAS)
        normalise(p);
}
