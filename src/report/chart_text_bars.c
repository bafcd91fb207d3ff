/* SPDX-License-Identifier: MIT */
/* Bars in a terminal: they lie, so that names have room and lengths are seen in eighths of a character. */
#include "report/chart_text.h"

#include "report/figure.h"

#include <math.h>

enum {
    GAP = 2,
    BAR_MOST = 100,
    BAR_LEAST = 4
};

typedef struct drawing {
    const rk_chart_pen *pen;
    const rk_plot *plot;
    rk_str *out;
    size_t names;   /* columns of names */
    size_t numbers; /* columns of numbers behind the bars */
    size_t room;    /* columns of the longest bar */
} drawing;

static void put_number(const drawing *d, double y, rk_str *out)
{
    rk_unit_put(d->plot->unit, d->plot->unit_name, y, out);
}

static void put_number_cell(const drawing *d, double y)
{
    rk_str s = {0};

    put_number(d, y, &s);
    rk_chart_put_cell(d->pen, RK_INK_PLAIN, rk_str_text(&s), d->numbers, false);
    d->out->failed |= s.failed;
    rk_str_free(&s);
}

static size_t number_width(const drawing *d, double y)
{
    rk_str s = {0};
    size_t width;

    put_number(d, y, &s);
    width = rk_text_width(rk_str_text(&s));
    rk_str_free(&s);
    return width;
}

/* Bars have at least a little: numbers and names give way where the paper is very narrow. */
static void share_columns(drawing *d)
{
    size_t columns = d->pen->pen.columns, numbers;

    d->numbers = d->numbers < columns / 2 ? d->numbers : columns / 2;
    numbers = d->numbers ? d->numbers + 1 : 0;
    if (d->names + GAP + BAR_LEAST + numbers > columns)
        d->names = columns - GAP - BAR_LEAST - numbers;
    d->room = columns - d->names - GAP - numbers;
    d->room = d->room < BAR_MOST ? d->room : BAR_MOST;
}

/* Of the places, and of what they are if that is not too long. */
static size_t names_width(const rk_plot *p, size_t columns)
{
    size_t width = rk_chart_names_width(p, false, columns / 3), label = rk_text_width(p->x_label);

    return label > width && label <= columns / 4 ? label : width;
}

/* ---- single bars ------------------------------------------------------------------------------------------------ */

/* Solid where it is a whole half of a character; to the right also in eighths. */
static void put_right(const drawing *d, double zero, double length, rk_str *bar)
{
    length = fmin(length, (double)d->room - zero);
    rk_str_bar(bar, (rk_i128)round(length * 8), (rk_i128)d->room * 8, d->room);
}

static void put_left(double zero, double length, rk_str *bar)
{
    long halves = lround(2 * length), from = lround(2 * zero) - halves;

    rk_str_fill(bar, ' ', (size_t)(from / 2));
    if (halves % 2)
        rk_str_put(bar, "▐");
    for (long i = 0; i < halves / 2; i++)
        rk_str_put(bar, "█");
}

/* From zero to the number, either side. */
static void put_bar(const drawing *d, size_t series, double y)
{
    const rk_scale *s = &d->plot->y;
    bool crosses = s->kind == RK_SCALE_LINEAR && s->low < 0;
    double zero = crosses ? fmin(rk_scale_place(s, 0), 1) * (double)d->room : 0;
    double length = rk_scale_place(s, y) * (double)d->room - zero;
    rk_str bar = {0};

    if (isnan(y)) {
        rk_str_putc(d->out, ' ');
        return;
    }
    if (length < 0)
        put_left(round(zero), fmin(-length, round(zero)), &bar);
    else
        rk_str_fill(&bar, ' ', (size_t)round(zero));
    if (length > 0 || (length == 0 && y > 0))
        put_right(d, round(zero), length > 0 ? length : 0.125, &bar);
    rk_chart_put(d->pen, d->plot->series[series].look, rk_str_text(&bar));
    rk_str_putc(d->out, ' ');
    d->out->failed |= bar.failed;
    rk_str_free(&bar);
}

static void put_bar_row(const drawing *d, rk_ink ink, const char *name, size_t series, double y)
{
    rk_chart_put_cell(d->pen, ink, name, d->names, !d->plot->chart->word && d->plot->n_series == 1);
    rk_str_fill(d->out, ' ', GAP);
    put_bar(d, series, y);
    put_number_cell(d, y);
    rk_pen_end_line(&d->pen->pen);
}

/* A group has its place above it, and the names of its series before its bars. */
static void put_group(const drawing *d, size_t at)
{
    if (d->plot->n_series == 1) {
        put_bar_row(d, RK_INK_PLAIN, d->plot->x_name[at], 0, d->plot->series[0].y[at]);
        return;
    }
    rk_chart_put_cell(d->pen, RK_INK_STRONG, d->plot->x_name[at], d->pen->pen.columns, false);
    rk_pen_end_line(&d->pen->pen);
    for (size_t i = 0; i < d->plot->n_series; i++) {
        rk_str name = {0};

        rk_str_format(&name, "  %s", d->plot->series[i].name);
        put_bar_row(d, RK_INK_PLAIN, rk_str_text(&name), i, d->plot->series[i].y[at]);
        d->out->failed |= name.failed;
        rk_str_free(&name);
    }
}

void rk_chart_text_bars(const rk_chart_pen *pen)
{
    const rk_plot *p = pen->plot;
    bool groups = p->n_series > 1;
    drawing d = {.pen = pen, .plot = p, .out = pen->pen.out};

    d.names = groups ? 2 + rk_chart_names_width(p, true, pen->pen.columns / 3) : names_width(p, pen->pen.columns);
    for (size_t i = 0; i < p->n_series; i++)
        for (size_t at = 0; at < p->n_x; at++) {
            size_t width = number_width(&d, p->series[i].y[at]);

            d.numbers = width > d.numbers ? width : d.numbers;
        }
    share_columns(&d);
    rk_chart_put_labels(pen, d.names);
    for (size_t at = 0; at < p->n_x; at++)
        put_group(&d, at);
}

/* ---- bars of several pieces ------------------------------------------------------------------------------------- */

static const char *solid(size_t look)
{
    (void)look;
    return "█";
}

/* Whole hundredths in a piece: there is little room. */
static void put_piece_text(const drawing *d, double y, rk_str *out)
{
    if (d->plot->unit == RK_UNIT_SHARE)
        rk_str_format(out, "%.0f%%", y * 100);
    else
        rk_unit_put(d->plot->unit, "", y, out);
}

/* So many columns in the colour of a series, its number in the middle where it has room. */
static void put_piece(const drawing *d, size_t series, double y, size_t columns)
{
    size_t look = d->plot->series[series].look;
    const char *fill = d->pen->pen.colour ? " " : rk_chart_fill(look);
    rk_str text = {0}, piece = {0};
    size_t width, before;

    put_piece_text(d, y, &text);
    width = rk_text_width(rk_str_text(&text)) + 2;
    before = columns >= width ? (columns - width) / 2 : columns;
    for (size_t i = 0; i < before; i++)
        rk_str_put(&piece, fill);
    if (columns >= width)
        rk_str_format(&piece, " %s ", rk_str_text(&text));
    for (size_t i = before + width; i < columns; i++)
        rk_str_put(&piece, fill);
    if (columns)
        rk_chart_put_on(d->pen, look, rk_str_text(&piece));
    d->out->failed |= text.failed | piece.failed;
    rk_str_free(&text);
    rk_str_free(&piece);
}

static size_t column_at(const drawing *d, double sum)
{
    return (size_t)lround(rk_scale_place(&d->plot->y, sum) * (double)d->room);
}

static void put_stack(const drawing *d, size_t at)
{
    const rk_plot *p = d->plot;

    rk_chart_put_cell(d->pen, RK_INK_PLAIN, p->x_name[at], d->names, !p->chart->word);
    rk_str_fill(d->out, ' ', GAP);
    for (size_t i = 0; i < p->n_series; i++) {
        size_t from = column_at(d, rk_plot_below(p, i, at)), to = column_at(d, rk_plot_below(p, i + 1, at));

        put_piece(d, i, p->series[i].y[at], to - from);
    }
    if (column_at(d, rk_plot_below(p, p->n_series, at)) == 0 && rk_plot_below(p, p->n_series, at) > 0)
        rk_str_put(d->out, "▏"); /* what is not nothing is seen */
    if (d->numbers) {
        rk_str_putc(d->out, ' ');
        put_number_cell(d, rk_plot_below(p, p->n_series, at));
    }
    rk_pen_end_line(&d->pen->pen);
}

void rk_chart_text_stacks(const rk_chart_pen *pen)
{
    const rk_plot *p = pen->plot;
    drawing d = {.pen = pen, .plot = p, .out = pen->pen.out};

    d.names = names_width(p, pen->pen.columns);
    for (size_t at = 0; at < p->n_x && p->unit != RK_UNIT_SHARE; at++) {
        size_t width = number_width(&d, rk_plot_below(p, p->n_series, at));

        d.numbers = width > d.numbers ? width : d.numbers;
    }
    share_columns(&d);
    rk_chart_put_labels(pen, d.names);
    for (size_t at = 0; at < p->n_x; at++)
        put_stack(&d, at);
    rk_chart_put_legend(pen, pen->pen.colour ? solid : rk_chart_fill);
}
