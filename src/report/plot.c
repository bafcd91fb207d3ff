/* SPDX-License-Identifier: MIT */
/* A chart made ready to be drawn. */
#include "report/plot.h"

#include <math.h>
#include <string.h>

#define SPAN_OF_LOG 100         /* numbers that span more than this are drawn on a logarithmic axis … */
#define GROWTH_OF_LOG 4         /* … where the places span at least this */
#define FLAT 0.1                /* lines that differ by less than this part of their height do not stand on zero */
#define TICKS_AT_POINTS_MOST 24 /* where there are more places on a linear axis, round numbers are better */
#define VALUE_MOST 1e300        /* beyond it, arithmetic with places would leave the numbers */

/* ---- texts ------------------------------------------------------------------------------------------------------ */

static const char *keep_safe(rk_plot *p, const char *text)
{
    rk_str s = {0};

    rk_str_put_safe(&s, text ? text : "", text ? strlen(text) : 0);
    return rk_text_keep(&p->arena, &s);
}

static void put_note(rk_plot *p, const char *text)
{
    if (!text)
        return;
    p->note = p->note[0] ? rk_arena_format(&p->arena, "%s; %s", p->note, text) : text;
    p->note = p->note ? p->note : "";
}

/* Whether numbers of an axis say their unit: it is no longer than FLOP/B. */
static bool says_unit(const rk_plot *p)
{
    return p->unit == RK_UNIT_SCALED && strlen(p->unit_name) <= strlen("FLOP/B");
}

/* Whether the unit is one letter after a prefix: GB. */
static bool has_letter(const rk_plot *p)
{
    return p->unit == RK_UNIT_SCALED && strlen(p->unit_name) == 1;
}

const char *rk_plot_number(rk_plot *p, double y, bool with_unit)
{
    rk_str s = {0};

    /* A letter has room everywhere: "16.1 GB", but "70.3 T" in a field, below "(FLOP)". */
    rk_unit_put(p->unit, with_unit || has_letter(p) ? p->unit_name : "", y, &s);
    return rk_text_keep(&p->arena, &s);
}

const char *rk_plot_piece(rk_plot *p, double y)
{
    rk_str s = {0};

    if (p->unit != RK_UNIT_SHARE)
        return rk_plot_number(p, y, false);
    rk_str_format(&s, "%.0f%%", y * 100);
    return rk_text_keep(&p->arena, &s);
}

const char *rk_plot_tick_text(rk_plot *p, const rk_tick *tick)
{
    rk_str s = {0};

    rk_scale_put_tick(&p->y, says_unit(p) ? p->unit_name : "", tick->value, &s);
    return rk_text_keep(&p->arena, &s);
}

double rk_plot_ticks_width(rk_plot *p)
{
    double widest = 0;

    for (size_t i = 0; i < p->y.n_tick; i++)
        if (!p->y.tick[i].minor)
            widest = fmax(widest, p->limits->width(rk_plot_tick_text(p, &p->y.tick[i])));
    return widest;
}

double rk_plot_names_width(const rk_plot *p, bool series)
{
    double widest = 0;

    for (size_t i = 0; i < (series ? p->n_series : p->n_x); i++)
        widest = fmax(widest, p->limits->width(series ? p->series[i].name : p->x_name[i]));
    return widest;
}

/* ---- places ----------------------------------------------------------------------------------------------------- */

/* The place in the chart of the i-th one that is drawn: evenly chosen, the last always. */
static size_t place_of(const rk_plot *p, size_t i)
{
    size_t n = p->chart->n_x;

    return p->n_x < 2 ? i : (size_t)((double)i * (double)(n - 1) / (double)(p->n_x - 1) + 0.5);
}

static const char *name_place(rk_plot *p, size_t i)
{
    size_t at = place_of(p, i);
    rk_str s = {0};

    if (p->chart->word)
        return keep_safe(p, p->chart->word[at]);
    if (p->chart->x)
        rk_size_put(p->chart->x[at], &s);
    return rk_text_keep(&p->arena, &s);
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
    return c->n_x > 2 && c->x[0] > 0 && (double)c->x[c->n_x - 1] / (double)c->x[0] >= GROWTH_OF_LOG &&
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
static void put_round_ticks(rk_plot *p)
{
    const rk_chart *c = p->chart;
    rk_unit_kind unit = RK_UNIT_BINARY;
    rk_scale s;

    for (size_t i = 0; i < c->n_x; i++)
        unit = c->x[i] % 1024 == 0 ? unit : RK_UNIT_PLAIN;
    s = rk_scale_new(RK_SCALE_LINEAR, unit, (double)c->x[0], (double)c->x[c->n_x - 1], p->limits->ticks);
    for (size_t i = 0; i < s.n_tick; i++) {
        double place = put_place(p, false, s.tick[i].value);
        rk_str name = {0};

        if (place < -1e-9 || place > 1 + 1e-9)
            continue;
        rk_size_put((rk_i128)s.tick[i].value, &name);
        put_tick(p, place, rk_text_keep(&p->arena, &name));
    }
}

static void lay_out_places(rk_plot *p)
{
    bool sampled = p->kind == RK_CHART_LINES || p->kind == RK_CHART_AREAS;
    size_t n = p->chart->n_x, most = sampled ? p->limits->points : p->limits->places;
    bool logarithmic = sampled && is_log_x(p->chart), each;

    p->n_x = n > most ? most : n;
    if (p->n_x < n && !sampled)
        put_note(p, rk_arena_format(&p->arena, "%zu of %zu places are shown", p->n_x, n));
    p->x = RK_NEW_ARRAY(&p->arena, p->n_x, double);
    p->x_name = RK_NEW_ARRAY(&p->arena, p->n_x, const char *);
    if (!p->x || !p->x_name)
        return;
    each = logarithmic || p->n_x <= TICKS_AT_POINTS_MOST;
    for (size_t i = 0; i < p->n_x; i++) {
        if (!sampled) {
            p->x_name[i] = name_place(p, i);
            continue;
        }
        p->x[i] = put_place(p, logarithmic, (double)p->chart->x[place_of(p, i)]);
        if (each)
            put_tick(p, p->x[i], name_place(p, i));
    }
    if (sampled && !each)
        put_round_ticks(p);
}

/* ---- series ----------------------------------------------------------------------------------------------------- */

static void read_series(rk_plot *p, const rk_chart_series *from)
{
    rk_plot_series *s = &p->series[p->n_series];

    *s = (rk_plot_series){.name = keep_safe(p, from->name), .last = RK_PLOT_NOWHERE, .look = p->n_series};
    s->y = RK_NEW_ARRAY(&p->arena, p->n_x, double);
    if (!s->y)
        return;
    for (size_t i = 0; i < p->n_x; i++) {
        double y = from->y[place_of(p, i)];

        /* Whatever comes; what is too small to be told from nothing is nothing. */
        if (!isfinite(y) || fabs(y) > VALUE_MOST)
            y = NAN;
        else if (fabs(y) < 1 / VALUE_MOST)
            y = 0;
        if (!isnan(y)) {
            s->size += fabs(y);
            s->last = i;
        }
        s->y[i] = p->chart->kind == RK_CHART_AREAS && y < 0 ? NAN : y;
    }
    p->n_series++;
}

/* A line of zeros beside others is a word: it would keep their axis from being logarithmic.  Says how many are left;
 * those that are not have a negative size. */
static size_t leave_out_zeros(rk_plot *p)
{
    size_t left = p->n_series;
    bool any = false;

    for (size_t i = 0; i < p->n_series; i++)
        any |= p->series[i].size > 0;
    for (size_t i = 0; i < p->n_series && any && p->kind == RK_CHART_LINES; i++)
        if (p->series[i].size == 0 && p->series[i].last != RK_PLOT_NOWHERE) {
            put_note(p, rk_arena_format(&p->arena, "%s is 0", p->series[i].name));
            p->series[i].size = -1;
            left--;
        }
    return left;
}

static bool is_among_largest(const rk_plot *p, double size, size_t most)
{
    size_t larger = 0;

    for (size_t i = 0; i < p->n_series; i++)
        larger += p->series[i].size > size;
    return larger < most;
}

static void add_series(const rk_plot *p, rk_plot_series *to, const rk_plot_series *from)
{
    for (size_t i = 0; i < p->n_x; i++)
        if (isnan(to->y[i]))
            to->y[i] = from->y[i];
        else if (!isnan(from->y[i]))
            to->y[i] += from->y[i];
}

/* The largest in their order; the rest is summed where sums mean something, or counted in the note. */
static void choose_series(rk_plot *p, size_t most)
{
    bool gathers = p->chart->kind == RK_CHART_AREAS;
    size_t n = leave_out_zeros(p), single = n <= most ? n : gathers ? most - 1 : most, taken = 0;
    rk_plot_series *chosen = RK_NEW_ARRAY(&p->arena, single + 1, rk_plot_series), *others = NULL;

    for (size_t i = 0; chosen && i < p->n_series; i++) {
        rk_plot_series *s = &p->series[i];

        if (s->size < 0)
            continue;
        if (taken < single && is_among_largest(p, s->size, single)) {
            chosen[taken] = *s;
            chosen[taken].look = taken;
            taken++;
        } else if (gathers && others) {
            add_series(p, others, s);
        } else {
            others = s;
        }
    }
    p->series = chosen;
    p->n_series = taken;
    if (!others)
        return;
    if (!gathers) {
        put_note(p, rk_arena_format(&p->arena, "the %zu largest of %zu are shown", taken, n));
        return;
    }
    for (size_t i = RK_SVG_GREY; i < taken; i++)
        chosen[i].look = i + 1;
    chosen[taken] = *others;
    chosen[taken].name = rk_arena_format(&p->arena, "others (%zu)", n - taken);
    chosen[taken].look = RK_SVG_GREY; /* theirs alone */
    p->n_series++;
}

/* Rows of a grid are chosen evenly, like its columns. */
static void take_series(rk_plot *p)
{
    const rk_chart *c = p->chart;
    bool grid = p->kind == RK_CHART_GRID;
    size_t n = grid && c->n_series > p->limits->rows ? p->limits->rows : c->n_series;

    p->series = RK_NEW_ARRAY(&p->arena, n, rk_plot_series);
    for (size_t i = 0; p->series && p->x && i < n; i++)
        read_series(p, &c->series[n < 2 ? i : i * (c->n_series - 1) / (n - 1)]);
    if (!grid)
        choose_series(p, p->kind == RK_CHART_LINES ? p->limits->lines : p->limits->layers);
    else if (n < c->n_series)
        put_note(p, rk_arena_format(&p->arena, "%zu of %zu rows are shown", n, c->n_series));
    for (size_t at = 0; c->normalise && c->kind == RK_CHART_AREAS && at < p->n_x; at++) {
        double whole = rk_plot_below(p, p->n_series, at);

        for (size_t i = 0; i < p->n_series; i++)
            p->series[i].y[at] = whole > 0 ? p->series[i].y[at] / whole : NAN;
    }
}

double rk_plot_below(const rk_plot *p, size_t n_series, size_t at)
{
    double sum = 0;

    for (size_t i = 0; i < n_series; i++)
        sum += isnan(p->series[i].y[at]) ? 0 : p->series[i].y[at];
    return sum;
}

/* ---- the axis of numbers ---------------------------------------------------------------------------------------- */

static void scale_numbers(rk_plot *p)
{
    double low = INFINITY, high = -INFINITY;
    bool sums = p->kind == RK_CHART_AREAS || p->stacked, zero;

    for (size_t at = 0; at < p->n_x; at++)
        for (size_t i = 0; i < p->n_series; i++) {
            double y = p->series[i].y[at];

            if (isnan(y))
                continue;
            y = sums ? rk_plot_below(p, i + 1, at) : y;
            low = fmin(low, y);
            high = fmax(high, y);
        }
    p->empty = low > high;
    if (p->empty) {
        p->y = rk_scale_new(RK_SCALE_LINEAR, p->unit, 0, 1, p->limits->ticks);
        return;
    }
    if (low > 0 && high / low > SPAN_OF_LOG && p->unit != RK_UNIT_SHARE &&
        (p->kind == RK_CHART_GRID || (p->kind == RK_CHART_LINES && is_log_x(p->chart)))) {
        p->y = rk_scale_new(RK_SCALE_LOG, p->unit, low, high, p->limits->ticks);
        return;
    }
    /* Lengths are compared, so zero is on the axis, but for lines that hardly differ; colours need no zero. */
    zero = p->kind != RK_CHART_GRID && (p->kind != RK_CHART_LINES || high - low >= FLAT * fmax(fabs(high), fabs(low)));
    low = zero ? fmin(low, 0) : low;
    high = zero ? fmax(high, 0) : high;
    p->y = rk_scale_new(RK_SCALE_LINEAR, p->unit, low, high, p->limits->ticks);
    if (p->limits->snug && p->kind == RK_CHART_BARS && low < high) {
        p->y.low = low;
        p->y.high = high;
    }
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static void choose_kind(rk_plot *p)
{
    const rk_chart *c = p->chart;
    bool numbers = c->x && !c->word; /* that rise */

    for (size_t i = 1; numbers && i < c->n_x; i++)
        numbers = c->x[i] > c->x[i - 1];
    p->kind = c->kind;
    if (p->kind == RK_CHART_LINES && !numbers)
        p->kind = RK_CHART_BARS;
    if (p->kind == RK_CHART_AREAS && (!p->limits->areas || !numbers || c->n_x < 2)) {
        p->kind = RK_CHART_BARS;
        p->stacked = true;
    }
    p->unit = c->normalise && c->kind == RK_CHART_AREAS ? RK_UNIT_SHARE : c->unit;
}

static void name_axes(rk_plot *p)
{
    bool said;

    p->x_label = keep_safe(p, p->chart->x_label);
    p->y_label = keep_safe(p, p->chart->y_label);
    p->series_label = keep_safe(p, p->chart->series_label);
    p->unit_name = p->unit == RK_UNIT_SHARE ? "" : keep_safe(p, p->chart->unit_name);
    /* Where numbers say their unit, the axis need not. */
    said = p->kind == RK_CHART_GRID ? has_letter(p) : says_unit(p);
    if (p->unit_name[0] && p->y_label[0] && !said)
        p->y_label = rk_arena_format(&p->arena, "%s (%s)", p->y_label, p->unit_name);
    else if (p->unit_name[0] && !p->y_label[0])
        p->y_label = p->chart->units ? keep_safe(p, p->chart->units) : p->unit_name;
}

bool rk_plot_new(rk_plot *p, const rk_chart *c, const rk_plot_limits *limits)
{
    *p = (rk_plot){.chart = c, .limits = limits, .note = ""};
    choose_kind(p);
    name_axes(p);
    lay_out_places(p);
    take_series(p);
    if (p->arena.failed)
        return false;
    scale_numbers(p);
    for (size_t i = 0; i < p->n_series; i++) {
        rk_plot_series *s = &p->series[i];

        s->last = RK_PLOT_NOWHERE;
        for (size_t at = 0; at < p->n_x; at++)
            s->last = isnan(s->y[at]) ? s->last : at;
    }
    return true;
}

/* ---- names that do not touch ------------------------------------------------------------------------------------ */

static bool touch(const rk_plot *p, size_t a, size_t b, double gap, double length)
{
    const rk_plot_tick *tick = p->tick.at;
    double wide_a = p->limits->width(tick[a].name) + gap, wide_b = p->limits->width(tick[b].name) + gap;

    return (tick[b].place - tick[a].place) * length < (wide_a + wide_b) / 2;
}

void rk_plot_name_ticks(rk_plot *p, double gap, double length)
{
    rk_plot_tick *tick = p->tick.at;
    size_t n = p->tick.n, step = 1, last = n;
    double least = INFINITY, most = 0;

    for (size_t i = 1; i < n; i++) {
        least = fmin(least, tick[i].place - tick[i - 1].place);
        most = fmax(most, tick[i].place - tick[i - 1].place);
    }
    if (most <= 1.5 * least) {
        /* They stand evenly: every second one has a name, or third … */
        for (size_t i = 1; i < n; i += step)
            if (touch(p, i - step, i, gap, length)) {
                i = 0;
                step++;
            }
        for (size_t i = 0; i < n; i++)
            tick[i].named = i % step == 0;
        return;
    }
    /* From the right, each that has room: where sizes double on a linear axis, those on the left are crowded. */
    for (size_t i = n; i > 0; i--) {
        tick[i - 1].named = last == n || !touch(p, i - 1, last, gap, length);
        last = tick[i - 1].named ? i - 1 : last;
    }
}

void rk_plot_sort(double *place, size_t *series, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double at = place[i];
        size_t k = i;

        for (; k > 0 && place[k - 1] > at; k--) {
            place[k] = place[k - 1];
            series[k] = series[k - 1];
        }
        place[k] = at;
        series[k] = i;
    }
}

/* Some that touch, moved together: where the first stands, and how many there are. */
typedef struct cluster {
    double first;
    size_t n;
} cluster;

/* Pools neighbours that violate the order: what is regressed is each place less the room of those before it. */
void rk_plot_spread(double *place, size_t n, double least, double length)
{
    cluster c[RK_PLOT_SPREAD_MOST];
    size_t n_cluster = 0, at = 0;

    for (size_t i = 0; i < n && i < RK_PLOT_SPREAD_MOST; i++) {
        c[n_cluster++] = (cluster){place[i] - least * (double)i, 1};
        for (; n_cluster > 1 && c[n_cluster - 2].first > c[n_cluster - 1].first; n_cluster--) {
            cluster *a = &c[n_cluster - 2], *b = a + 1;

            a->first = (a->first * (double)a->n + b->first * (double)b->n) / (double)(a->n + b->n);
            a->n += b->n;
        }
    }
    for (size_t k = 0; k < n_cluster; k++)
        for (size_t i = 0; i < c[k].n; i++, at++)
            place[at] = fmax(0, fmin(c[k].first, length - least * (double)(n - 1))) + least * (double)at;
}
