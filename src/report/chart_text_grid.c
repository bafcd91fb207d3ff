/* SPDX-License-Identifier: MIT */
/* A grid in a terminal: each number in its field, on a shade where there is colour, with a small bar where not. */
#include "report/chart_text.h"

#include <math.h>

enum {
    GAP = 1,
    SHADES = 8,
    SHADE_WIDE = 2 /* of a field that has no room for its number */
};

typedef struct drawing {
    const rk_chart_pen *pen;
    const rk_plot *plot;
    rk_str *out;
    size_t names, wide; /* columns of names; of a field */
    bool numbers;
} drawing;

static size_t shade_of(const drawing *d, double y)
{
    double place = rk_scale_place(&d->plot->y, y);

    return (size_t)fmin(fmax(place, 0) * SHADES, SHADES - 1);
}

/* From light to dark, one hue: more is darker on any paper. */
static void put_shaded(const drawing *d, double y, const char *text, size_t columns)
{
    static const int colour[SHADES] = {195, 153, 117, 75, 33, 26, 19, 17};
    size_t shade = shade_of(d, y);
    size_t width = rk_text_width(text);

    rk_str_format(d->out, "\x1b[38;5;%d;48;5;%dm", shade < SHADES / 2 ? 16 : 231, colour[shade]);
    rk_str_fill(d->out, ' ', columns > width + 1 ? columns - width - 1 : 0);
    rk_str_put(d->out, text);
    rk_str_fill(d->out, ' ', columns > width ? 1 : 0);
    rk_str_put(d->out, "\x1b[0m");
}

static void put_barred(const drawing *d, double y, const char *text, size_t columns)
{
    static const char *const bar[SHADES] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

    rk_chart_put_cell(d->pen, RK_INK_PLAIN, text, d->numbers ? columns - 2 : 0, true);
    rk_str_putc(d->out, ' ');
    rk_str_put(d->out, bar[shade_of(d, y)]);
}

static void put_field(const drawing *d, double y)
{
    rk_str text = {0};

    if (d->numbers || isnan(y))
        rk_unit_put(d->plot->unit, "", y, &text);
    if (isnan(y)) {
        rk_chart_put_cell(d->pen, RK_INK_FAINT, rk_str_text(&text), d->wide - 1, true);
        rk_str_putc(d->out, ' ');
    } else if (d->pen->pen.colour) {
        put_shaded(d, y, rk_str_text(&text), d->wide);
    } else {
        put_barred(d, y, rk_str_text(&text), d->wide);
    }
    d->out->failed |= text.failed;
    rk_str_free(&text);
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

/* A name that has no room above its field stands above every second one, or third. */
static void put_heads(const drawing *d)
{
    size_t widest = rk_chart_names_width(d->plot, false, d->pen->pen.columns) + 1, gap = d->numbers ? GAP : 0;
    size_t apart = (widest + d->wide + gap - 1) / (d->wide + gap);

    rk_str_fill(d->out, ' ', d->names);
    for (size_t at = 0; at < d->plot->n_x; at += apart) {
        size_t last = at + apart <= d->plot->n_x ? apart : d->plot->n_x - at;
        size_t room = last * (d->wide + gap) - gap;

        rk_str_fill(d->out, ' ', gap ? gap : at == 0);
        rk_chart_put_cell(d->pen, RK_INK_PLAIN, apart == 1 || last == apart ? d->plot->x_name[at] : "", room,
                          d->numbers);
    }
    rk_pen_end_line(&d->pen->pen);
}

static void put_row(const drawing *d, size_t row)
{
    rk_chart_put_cell(d->pen, RK_INK_PLAIN, d->plot->series[row].name, d->names, true);
    for (size_t at = 0; at < d->plot->n_x; at++) {
        rk_str_fill(d->out, ' ', d->numbers || at == 0 ? GAP : 0);
        put_field(d, d->plot->series[row].y[at]);
    }
    rk_pen_end_line(&d->pen->pen);
}

/* Without numbers in the fields, what the least and the greatest shade mean. */
static void put_key(const drawing *d)
{
    const double end[] = {d->plot->y.low, d->plot->y.high};

    for (size_t i = 0; i < 2 && !d->numbers; i++) {
        rk_str text = {0};

        rk_unit_put(d->plot->unit, d->plot->unit_name, end[i], &text);
        put_field(d, end[i]);
        rk_str_putc(d->out, ' ');
        rk_chart_put_cell(d->pen, RK_INK_PLAIN, rk_str_text(&text), d->pen->pen.columns - SHADE_WIDE - 1, false);
        rk_pen_end_line(&d->pen->pen);
        d->out->failed |= text.failed;
        rk_str_free(&text);
    }
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static size_t widest_number(const rk_plot *p)
{
    size_t widest = rk_chart_names_width(p, false, 12);

    for (size_t i = 0; i < p->n_series; i++)
        for (size_t at = 0; at < p->n_x; at++) {
            rk_str s = {0};

            rk_unit_put(p->unit, "", p->series[i].y[at], &s);
            widest = rk_text_width(rk_str_text(&s)) > widest ? rk_text_width(rk_str_text(&s)) : widest;
            rk_str_free(&s);
        }
    return widest;
}

static void put_caption(const rk_chart_pen *pen)
{
    const rk_plot *p = pen->plot;
    rk_str text = {0};

    rk_str_put(&text, p->y_label);
    if (p->x_label[0])
        rk_str_format(&text, "%sacross: %s", text.n ? ", " : "", p->x_label);
    if (p->series_label[0])
        rk_str_format(&text, "%sdown: %s", text.n ? ", " : "", p->series_label);
    if (text.n)
        rk_pen_wrap(&pen->pen, RK_INK_FAINT, 0, 0, RK_BREAK_WORDS, rk_str_text(&text));
    pen->pen.out->failed |= text.failed;
    rk_str_free(&text);
}

void rk_chart_text_grid(const rk_chart_pen *pen)
{
    const rk_plot *p = pen->plot;
    drawing d = {.pen = pen, .plot = p, .out = pen->pen.out, .numbers = true};

    d.names = rk_chart_names_width(p, true, pen->pen.columns / 3);
    d.wide = widest_number(p) + 2;
    if (d.names + p->n_x * (d.wide + GAP) > pen->pen.columns) {
        d.numbers = false;
        d.wide = SHADE_WIDE;
    }
    put_caption(pen);
    put_heads(&d);
    for (size_t row = 0; row < p->n_series; row++)
        put_row(&d, row);
    put_key(&d);
}
