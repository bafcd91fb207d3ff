/* SPDX-License-Identifier: MIT */
/* A chart made ready to be drawn. */
#include "report/plot.h"

#include <math.h>
#include <string.h>

#define SPAN_OF_LOG 100         /* numbers that span more than this are drawn on a logarithmic axis … */
#define GROWTH_OF_LOG 4         /* … where the places span at least this */
#define FLAT 0.1                /* lines that differ by less than this part of their height do not stand on zero */
#define TICKS_AT_POINTS_MOST 24 /* where there are more places on a linear axis, round numbers are better */

static bool is_rising(const rk_chart *c)
{
    for (size_t i = 1; c->x && i < c->n_x; i++)
        if (c->x[i] <= c->x[i - 1])
            return false;
    return c->x != NULL;
}

/* ---- what it is drawn as ---------------------------------------------------------------------------------------- */

static void choose_kind(rk_plot *p, const rk_plot_limits *limits)
{
    bool numbers = !p->chart->word && is_rising(p->chart);

    p->kind = p->chart->kind;
    if (p->kind == RK_CHART_LINES && !numbers)
        p->kind = RK_CHART_BARS;
    if (p->kind == RK_CHART_AREAS && (!limits->areas || !numbers || p->chart->n_x < 2)) {
        p->kind = RK_CHART_BARS;
        p->stacked = true;
    }
    p->unit = p->chart->normalise && p->chart->kind == RK_CHART_AREAS ? RK_UNIT_SHARE : p->chart->unit;
}

static bool is_sampled(const rk_plot *p)
{
    return p->kind == RK_CHART_LINES || p->kind == RK_CHART_AREAS;
}

void rk_plot_put_note(rk_plot *p, const char *text)
{
    if (!text)
        return;
    p->note = p->note[0] ? rk_arena_format(&p->arena, "%s; %s", p->note, text) : text;
    p->note = p->note ? p->note : "";
}

/* ---- places ----------------------------------------------------------------------------------------------------- */

size_t rk_plot_place_of(const rk_plot *p, size_t i)
{
    size_t n = p->chart->n_x;

    return p->n_x < 2 ? i : (size_t)((double)i * (double)(n - 1) / (double)(p->n_x - 1) + 0.5);
}

static void choose_places(rk_plot *p, const rk_plot_limits *limits)
{
    size_t n = p->chart->n_x, most = is_sampled(p) ? limits->points : limits->places;

    p->n_x = n > most ? most : n;
    if (p->n_x < n && !is_sampled(p))
        rk_plot_put_note(p, rk_arena_format(&p->arena, "%zu of %zu places are shown", p->n_x, n));
}

static const char *keep(rk_plot *p, rk_str *s)
{
    const char *text = rk_arena_text(&p->arena, rk_str_text(s));

    p->arena.failed |= s->failed;
    rk_str_free(s);
    return text ? text : "";
}

const char *rk_plot_keep_safe(rk_plot *p, const char *text)
{
    rk_str s = {0};

    rk_str_put_safe(&s, text ? text : "", text ? strlen(text) : 0);
    return keep(p, &s);
}

static void name_axes(rk_plot *p)
{
    const char *label = rk_plot_keep_safe(p, p->chart->y_label);

    p->x_label = rk_plot_keep_safe(p, p->chart->x_label);
    p->series_label = rk_plot_keep_safe(p, p->chart->series_label);
    p->unit_name = p->unit == RK_UNIT_SHARE ? "" : rk_plot_keep_safe(p, p->chart->unit_name);
    p->y_label = label;
    if (p->unit_name[0] && label[0])
        p->y_label = rk_arena_format(&p->arena, "%s (%s)", label, p->unit_name);
    else if (p->unit_name[0])
        p->y_label = p->chart->units ? rk_plot_keep_safe(p, p->chart->units) : p->unit_name;
}

static const char *name_place(rk_plot *p, size_t i)
{
    size_t at = rk_plot_place_of(p, i);
    rk_str s = {0};

    if (p->chart->word)
        return rk_plot_keep_safe(p, p->chart->word[at]);
    if (p->chart->x)
        rk_size_put(p->chart->x[at], &s);
    return keep(p, &s);
}

/* The least gap as a part of the largest one: near 1 where numbers stand evenly. */
static double evenness(const rk_chart *c, bool logarithmic)
{
    double least = INFINITY, most = 0;

    for (size_t i = 1; i < c->n_x; i++) {
        double a = (double)c->x[i - 1], b = (double)c->x[i], gap = logarithmic ? log(b / a) : b - a;

        least = fmin(least, gap);
        most = fmax(most, gap);
    }
    return most > 0 ? least / most : 1;
}

static bool is_log_x(const rk_chart *c)
{
    if (c->n_x < 2 || c->x[0] <= 0 || c->x_scale == RK_SCALE_LINEAR)
        return false;
    if (c->x_scale == RK_SCALE_LOG)
        return true;
    return c->n_x > 2 && (double)c->x[c->n_x - 1] / (double)c->x[0] >= GROWTH_OF_LOG &&
           evenness(c, true) > evenness(c, false);
}

static double put_place(const rk_plot *p, bool logarithmic, double x)
{
    double low = (double)p->chart->x[0], high = (double)p->chart->x[p->chart->n_x - 1];

    if (p->n_x < 2)
        return 0.5;
    return logarithmic ? log(x / low) / log(high / low) : (x - low) / (high - low);
}

static void put_tick(rk_plot *p, double place, const char *name)
{
    rk_plot_tick *tick = RK_PUSH(&p->arena, &p->tick);

    if (tick)
        *tick = (rk_plot_tick){.place = place, .name = name};
}

/* Round numbers between the first place and the last; as people write them where all are multiples of 1,024. */
static void put_round_ticks(rk_plot *p, const rk_plot_limits *limits)
{
    const rk_chart *c = p->chart;
    rk_i128 unit = 1024;
    rk_scale s;

    for (size_t i = 0; i < c->n_x; i++)
        unit = c->x[i] % 1024 == 0 ? unit : 1;
    s = rk_scale_new(RK_SCALE_LINEAR, unit == 1 ? RK_UNIT_PLAIN : RK_UNIT_BINARY, (double)c->x[0],
                     (double)c->x[c->n_x - 1], limits->ticks);
    for (size_t i = 0; i < s.n_tick; i++) {
        double place = put_place(p, false, s.tick[i].value);
        rk_str name = {0};

        if (place < -1e-9 || place > 1 + 1e-9)
            continue;
        rk_size_put((rk_i128)s.tick[i].value, &name);
        put_tick(p, place, keep(p, &name));
    }
}

static void place_numbers(rk_plot *p, const rk_plot_limits *limits)
{
    bool logarithmic = is_log_x(p->chart), each = logarithmic || p->n_x <= TICKS_AT_POINTS_MOST;

    for (size_t i = 0; i < p->n_x; i++) {
        p->x[i] = put_place(p, logarithmic, (double)p->chart->x[rk_plot_place_of(p, i)]);
        if (each)
            put_tick(p, p->x[i], name_place(p, i));
    }
    if (!each)
        put_round_ticks(p, limits);
}

static void lay_out_places(rk_plot *p, const rk_plot_limits *limits)
{
    choose_places(p, limits);
    p->x = RK_NEW_ARRAY(&p->arena, p->n_x, double);
    p->x_name = RK_NEW_ARRAY(&p->arena, p->n_x, const char *);
    if (!p->x || !p->x_name)
        return;
    if (is_sampled(p) && p->n_x > 0)
        place_numbers(p, limits);
    for (size_t i = 0; !is_sampled(p) && i < p->n_x; i++)
        p->x_name[i] = name_place(p, i);
}

/* ---- the axis of numbers ---------------------------------------------------------------------------------------- */

typedef struct extent {
    double low, high, least; /* the least that is positive */
} extent;

static void include(extent *e, double y)
{
    if (isnan(y))
        return;
    e->low = fmin(e->low, y);
    e->high = fmax(e->high, y);
    if (y > 0)
        e->least = fmin(e->least, y);
}

static extent find_extent(const rk_plot *p)
{
    extent e = {INFINITY, -INFINITY, INFINITY};
    bool sums = p->kind == RK_CHART_AREAS || p->stacked;

    for (size_t at = 0; at < p->n_x; at++)
        for (size_t i = 0; i < p->n_series; i++)
            include(&e, sums && !isnan(p->series[i].y[at]) ? rk_plot_below(p, i + 1, at) : p->series[i].y[at]);
    return e;
}

static bool is_log_y(const rk_plot *p, const extent *e)
{
    const rk_chart *c = p->chart;
    bool sums = p->kind == RK_CHART_AREAS || p->stacked;

    if (!isfinite(e->least) || c->y_scale == RK_SCALE_LINEAR || sums)
        return false;
    if (c->y_scale == RK_SCALE_LOG)
        return true;
    if (p->kind == RK_CHART_BARS || p->unit == RK_UNIT_SHARE || e->low <= 0 || e->high / e->least <= SPAN_OF_LOG)
        return false;
    return p->kind == RK_CHART_GRID || is_log_x(c);
}

static void drop_not_positive(rk_plot *p)
{
    for (size_t i = 0; i < p->n_series; i++)
        for (size_t at = 0; at < p->n_x; at++)
            if (p->series[i].y[at] <= 0)
                p->series[i].y[at] = NAN;
}

/* Lengths are compared, so zero is on the axis, but for lines that hardly differ; colours need no zero. */
static bool has_zero(const rk_plot *p, const extent *e)
{
    return p->kind != RK_CHART_GRID &&
           (p->kind != RK_CHART_LINES || e->high - e->low >= FLAT * fmax(fabs(e->high), fabs(e->low)));
}

static void fit_snugly(rk_scale *s, const extent *e)
{
    if (e->low >= 0 && e->high <= 0) /* nothing but zeros */
        return;
    s->low = fmin(e->low, 0);
    s->high = fmax(e->high, 0);
}

static void scale_numbers(rk_plot *p, const rk_plot_limits *limits)
{
    extent e = find_extent(p);

    p->empty = e.low > e.high;
    if (p->empty) {
        p->y = rk_scale_new(RK_SCALE_LINEAR, p->unit, 0, 1, limits->ticks);
    } else if (is_log_y(p, &e)) {
        drop_not_positive(p);
        /* A bar must have some length: the axis begins below the least of them. */
        p->y = rk_scale_new(RK_SCALE_LOG, p->unit, p->kind == RK_CHART_BARS ? e.least / 2 : e.least, e.high,
                            limits->ticks);
    } else {
        bool zero = has_zero(p, &e);

        p->y = rk_scale_new(RK_SCALE_LINEAR, p->unit, zero ? fmin(e.low, 0) : e.low, zero ? fmax(e.high, 0) : e.high,
                            limits->ticks);
    }
    if (limits->snug && p->kind == RK_CHART_BARS && !p->empty && p->y.kind == RK_SCALE_LINEAR)
        fit_snugly(&p->y, &e);
}

static void find_last(rk_plot *p)
{
    for (size_t i = 0; i < p->n_series; i++)
        for (size_t at = 0; at < p->n_x; at++)
            if (!isnan(p->series[i].y[at]))
                p->series[i].last = at;
}

bool rk_plot_new(rk_plot *p, const rk_chart *c, const rk_plot_limits *limits)
{
    *p = (rk_plot){.chart = c, .note = ""};
    choose_kind(p, limits);
    name_axes(p);
    lay_out_places(p, limits);
    rk_plot_take_series(p, limits);
    if (p->arena.failed)
        return false;
    scale_numbers(p, limits);
    find_last(p);
    return true;
}

void rk_plot_free(rk_plot *p)
{
    rk_arena_free(&p->arena);
}
