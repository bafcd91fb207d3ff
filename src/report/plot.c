/* SPDX-License-Identifier: MIT */
/* What the writers of charts share: a description in words, and names that do not touch. */
#include "report/plot.h"

#include <math.h>

/* ---- words ------------------------------------------------------------------------------------------------------ */

static void describe_series(const rk_plot *p, const rk_plot_series *s, rk_str *out)
{
    size_t first = 0;

    while (first < p->n_x && isnan(s->y[first]))
        first++;
    rk_str_format(out, " %s: ", s->name[0] ? s->name : "values");
    if (first == p->n_x) {
        rk_str_put(out, "nothing.");
        return;
    }
    rk_unit_put(p->unit, p->unit_name, s->y[first], out);
    if (s->last > first) {
        rk_str_put(out, p->n_x > 2 ? " … " : ", ");
        rk_unit_put(p->unit, p->unit_name, s->y[s->last], out);
    }
    rk_str_putc(out, '.');
}

void rk_plot_describe(const rk_plot *p, rk_str *out)
{
    rk_str_put(out, p->y_label[0] ? p->y_label : "numbers");
    if (p->x_label[0])
        rk_str_format(out, " over %s", p->x_label);
    rk_str_putc(out, '.');
    for (size_t i = 0; i < p->n_series; i++)
        describe_series(p, &p->series[i], out);
    if (p->note[0])
        rk_str_format(out, " (%s)", p->note);
}

/* ---- names that do not touch ------------------------------------------------------------------------------------ */

typedef struct names {
    rk_plot_tick *tick;
    size_t n;
    double (*width)(const char *name);
    double length;
} names;

static bool touch(const names *s, size_t a, size_t b)
{
    double room = (s->tick[b].place - s->tick[a].place) * s->length;

    return room < (s->width(s->tick[a].name) + s->width(s->tick[b].name)) / 2;
}

static bool is_even(const names *s)
{
    double least = INFINITY, most = 0;

    for (size_t i = 1; i < s->n; i++) {
        least = fmin(least, s->tick[i].place - s->tick[i - 1].place);
        most = fmax(most, s->tick[i].place - s->tick[i - 1].place);
    }
    return most <= 1.5 * least;
}

static bool any_touch(const names *s, size_t apart)
{
    for (size_t i = apart; i < s->n; i += apart)
        if (touch(s, i - apart, i))
            return true;
    return false;
}

/* Every second one, or third … */
static void name_evenly(const names *s)
{
    size_t apart = 1;

    while (apart < s->n && any_touch(s, apart))
        apart++;
    for (size_t i = 0; i < s->n; i++)
        s->tick[i].named = i % apart == 0;
}

/* From the right, each that has room: where sizes double on a linear axis, those on the left are crowded. */
static void name_from_right(const names *s)
{
    size_t last = s->n;

    for (size_t i = s->n; i > 0; i--) {
        s->tick[i - 1].named = last == s->n || !touch(s, i - 1, last);
        last = s->tick[i - 1].named ? i - 1 : last;
    }
}

void rk_plot_name_ticks(const rk_plot *p, double (*width)(const char *name), double length)
{
    names s = {p->tick.at, p->tick.n, width, length};

    if (is_even(&s))
        name_evenly(&s);
    else
        name_from_right(&s);
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
