/* SPDX-License-Identifier: MIT */
/* Charts as pictures. */
#include "report/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    WIDE = 760,
    MARGIN = 20,
    SERIES_MOST = 16 /* names beside a plot */
};

typedef struct frame {
    rk_plot *plot;
    rk_svg svg;
    double high;                    /* of the picture */
    double left, top, across, down; /* of the plot in it */
} frame;

/* ---- what all kinds share --------------------------------------------------------------------------------------- */

static double x_at(const frame *f, double place)
{
    return f->left + place * f->across;
}

static double x_of(const frame *f, double value)
{
    return x_at(f, rk_scale_place(&f->plot->y, value));
}

static double y_of(const frame *f, double value)
{
    return f->top + (1 - rk_scale_place(&f->plot->y, value)) * f->down;
}

static double width(const char *text)
{
    return rk_svg_text_width(text, RK_SVG_FONT);
}

static const char *colour_of(const rk_plot_series *s)
{
    return rk_svg_series_colour(s->look);
}

/* A rectangle whose tag is still open. */
static void put_rect(const frame *f, double x, double y, double wide, double high, const char *colour)
{
    rk_str_format(f->svg.out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"", x, y, wide,
                  high, colour);
}

static void put_tip(const frame *f, const char *text, const char *tag)
{
    rk_str_putc(f->svg.out, '>');
    rk_svg_put_tip(&f->svg, text);
    rk_str_format(f->svg.out, "</%s>\n", tag);
}

/* What goes up, beside the plot. */
static void put_upright(const frame *f, const char *text)
{
    rk_str_format(f->svg.out, "<text transform=\"translate(22 %.1f) rotate(-90)\" text-anchor=\"middle\"",
                  f->top + f->down / 2);
    rk_svg_put_fill(&f->svg, RK_SVG_INK);
    rk_str_putc(f->svg.out, '>');
    rk_svg_put_xml(f->svg.out, text);
    rk_svg_close_text(&f->svg);
}

/* What a picture shows, in a sentence for each series. */
static void describe(rk_plot *p, rk_str *out)
{
    rk_str_put(out, p->y_label[0] ? p->y_label : "numbers");
    if (p->x_label[0])
        rk_str_format(out, " over %s", p->x_label);
    rk_str_putc(out, '.');
    for (size_t i = 0; i < p->n_series; i++) {
        const rk_plot_series *s = &p->series[i];
        size_t first = 0;

        while (first < p->n_x && isnan(s->y[first]))
            first++;
        rk_str_format(out, " %s: %s", s->name[0] ? s->name : "values",
                      first < p->n_x ? rk_plot_number(p, s->y[first], true) : "nothing");
        if (first < p->n_x && s->last > first)
            rk_str_format(out, "%s%s", p->n_x > 2 ? " … " : ", ", rk_plot_number(p, s->y[s->last], true));
        rk_str_putc(out, '.');
    }
    if (p->note[0])
        rk_str_format(out, " (%s)", p->note);
}

static void begin(const frame *f)
{
    const rk_chart *c = f->plot->chart;
    rk_str description = {0};

    describe(f->plot, &description);
    rk_svg_begin(&f->svg, WIDE, f->high, c->title ? c->title : f->plot->y_label, rk_str_text(&description));
    rk_svg_heading(&f->svg, MARGIN, WIDE - 2 * MARGIN, c->title, c->subtitle);
    f->svg.out->failed |= description.failed;
    rk_str_free(&description);
}

/* ---- lines and areas -------------------------------------------------------------------------------------------- */

enum {
    LINES_DOWN = 300,
    LINES_BELOW = 62, /* names of places, what they are, the note */
    LINES_NAMES_MOST = 210,
    NAME_LINE = 15,
    NAME_GAP = 24, /* from the plot to a name */
    MARKS_MOST = 24
};

static void draw_numbers(const frame *f)
{
    const rk_scale *s = &f->plot->y;

    for (size_t i = 0; i < s->n_tick; i++) {
        double y = y_of(f, s->tick[i].value);

        if (s->tick[i].minor) {
            rk_svg_line(&f->svg, RK_SVG_AXIS, f->left - 3, y, f->left, y, "stroke-width=\"0.6\"");
            continue;
        }
        if (fabs(y - f->top - f->down) > 0.5)
            rk_svg_line(&f->svg, RK_SVG_GRID, f->left, y, f->left + f->across, y, "");
        rk_svg_line(&f->svg, RK_SVG_AXIS, f->left - 5, y, f->left, y, "");
        rk_svg_text(&f->svg, RK_SVG_FAINT, f->left - 9, y + 4, "text-anchor=\"end\"",
                    rk_plot_tick_text(f->plot, &s->tick[i]));
    }
    put_upright(f, f->plot->y_label);
}

static void draw_places(const frame *f)
{
    double y = f->top + f->down;

    rk_plot_name_ticks(f->plot, 10, f->across);
    rk_svg_line(&f->svg, RK_SVG_AXIS, f->left, y, f->left + f->across, y, "");
    rk_svg_line(&f->svg, RK_SVG_AXIS, f->left, f->top, f->left, y, "");
    for (size_t i = 0; i < f->plot->tick.n; i++) {
        double x = x_at(f, f->plot->tick.at[i].place);
        bool named = f->plot->tick.at[i].named;

        if (!named && f->plot->tick.n > MARKS_MOST)
            continue;
        rk_svg_line(&f->svg, RK_SVG_AXIS, x, y, x, y + (named ? 5 : 3), named ? "" : "stroke-width=\"0.6\"");
        if (named)
            rk_svg_text(&f->svg, RK_SVG_FAINT, x, y + 19, "text-anchor=\"middle\"", f->plot->tick.at[i].name);
    }
    rk_svg_text_within(&f->svg, RK_SVG_INK, f->left + f->across / 2, y + 40, "text-anchor=\"middle\"", f->plot->x_label,
                       RK_SVG_FONT, WIDE);
}

/* Filled for the first four colours, hollow for the others. */
static void put_mark(const frame *f, const rk_plot_series *s, double x, double y)
{
    rk_str *out = f->svg.out;

    switch (s->look % 4) {
    case 0:
        rk_str_format(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.6\"", x, y);
        break;
    case 1:
        rk_str_format(out, "<path d=\"M%.1f %.1fh6.6v6.6h-6.6z\"", x - 3.3, y - 3.3);
        break;
    case 2:
        rk_str_format(out, "<path d=\"M%.1f %.1fl4.3 7.4h-8.6z\"", x, y - 4.7);
        break;
    default:
        rk_str_format(out, "<path d=\"M%.1f %.1fl4.4 4.4l-4.4 4.4l-4.4 -4.4z\"", x, y - 4.4);
    }
    if (s->look / 4 % 2) {
        rk_svg_put_fill(&f->svg, RK_SVG_PAPER);
        rk_str_format(out, " stroke=\"%s\" stroke-width=\"1.6\"/>\n", colour_of(s));
    } else {
        rk_str_format(out, " fill=\"%s\"/>\n", colour_of(s));
    }
}

/* What is missing breaks a line.  Marks are not at every point where those are many. */
static void draw_line(const frame *f, const rk_plot_series *s)
{
    static const char *const dash[] = {"", " stroke-dasharray=\"7 4\"", " stroke-dasharray=\"2 3\""};
    const rk_plot *p = f->plot;
    size_t step = 1 + p->n_x / MARKS_MOST, first = step > 1 ? (size_t)(s - p->series) * step / p->n_series : 0;

    rk_str_format(f->svg.out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-linejoin=\"round\"%s d=\"",
                  colour_of(s), dash[s->look / RK_SVG_SERIES % 3]);
    for (size_t i = 0; i < p->n_x; i++)
        if (!isnan(s->y[i]))
            rk_str_format(f->svg.out, "%c%.1f %.1f", i > 0 && !isnan(s->y[i - 1]) ? 'L' : 'M', x_at(f, p->x[i]),
                          y_of(f, s->y[i]));
    rk_str_put(f->svg.out, "\"/>\n");
    for (size_t i = first; i < p->n_x; i += step)
        if (!isnan(s->y[i]))
            put_mark(f, s, x_at(f, p->x[i]), y_of(f, s->y[i]));
}

/* Between the sum of those below and the sum with this one. */
static void draw_area(const frame *f, size_t series)
{
    const rk_plot *p = f->plot;

    rk_str_format(f->svg.out, "<path fill=\"%s\" stroke-width=\"0.8\"", colour_of(&p->series[series]));
    rk_svg_put_stroke(&f->svg, RK_SVG_PAPER);
    rk_str_put(f->svg.out, " d=\"");
    for (size_t i = 0; i < p->n_x; i++)
        rk_str_format(f->svg.out, "%c%.1f %.1f", i ? 'L' : 'M', x_at(f, p->x[i]),
                      y_of(f, rk_plot_below(p, series + 1, i)));
    for (size_t i = p->n_x; i > 0; i--)
        rk_str_format(f->svg.out, "L%.1f %.1f", x_at(f, p->x[i - 1]), y_of(f, rk_plot_below(p, series, i - 1)));
    rk_str_put(f->svg.out, "Z\"");
    put_tip(f, p->series[series].name, "path");
}

static void draw_name(const frame *f, const rk_plot_series *s, double from, double to)
{
    double x = f->left + f->across + 5, room = WIDE - x - NAME_GAP - 8;
    bool line = f->plot->kind == RK_CHART_LINES;
    size_t end = s->last == RK_PLOT_NOWHERE ? 0 : s->last;

    if (!line || fabs(from - to) > 3 || end + 1 < f->plot->n_x)
        rk_str_format(f->svg.out,
                      "<path fill=\"none\" stroke=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\" stroke-width=\"0.9\"/>\n",
                      colour_of(s), x, f->top + from, x + 12, f->top + to);
    if (line)
        put_mark(f, s, x + 16, f->top + to);
    else
        rk_str_format(f->svg.out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"9\" height=\"9\" fill=\"%s\"/>\n", x + 12,
                      f->top + to - 4.5, colour_of(s));
    rk_svg_text_within(&f->svg, RK_SVG_INK, x + NAME_GAP + 1, f->top + to + 4, "", s->name, RK_SVG_FONT, room);
}

/* Names stand at the right ends, beside the plot, where they cover nothing; spread where they would touch. */
static void draw_names(const frame *f)
{
    const rk_plot *p = f->plot;
    double want[SERIES_MOST], place[SERIES_MOST];
    size_t order[SERIES_MOST], n = p->n_series, end = p->n_x - 1;

    /* At the end of its line, or in the middle of the end of its area; from the top. */
    for (size_t i = 0; i < n; i++) {
        const rk_plot_series *s = &p->series[i];

        if (p->kind == RK_CHART_AREAS)
            want[i] = y_of(f, (rk_plot_below(p, i, end) + rk_plot_below(p, i + 1, end)) / 2) - f->top;
        else
            want[i] = s->last == RK_PLOT_NOWHERE ? f->down : y_of(f, s->y[s->last]) - f->top;
    }
    rk_plot_sort(want, order, n);
    memcpy(place, want, n * sizeof *place);
    rk_plot_spread(place, n, NAME_LINE, f->down);
    for (size_t i = 0; i < n; i++)
        draw_name(f, &p->series[order[i]], want[i], place[i]);
}

static void draw_lines(frame *f)
{
    rk_plot *p = f->plot;
    bool areas = p->kind == RK_CHART_AREAS;

    f->top += 18;
    f->down = LINES_DOWN;
    f->high = f->top + f->down + (p->x_label[0] || p->note[0] ? LINES_BELOW : LINES_BELOW - 24);
    f->left = fmax(rk_plot_ticks_width(p) + 14 + (p->y_label[0] ? 30 : 10), 40);
    f->across = WIDE - f->left - NAME_GAP - 18 - fmin(rk_plot_names_width(p, true), LINES_NAMES_MOST);
    begin(f);
    draw_numbers(f);
    for (size_t i = 0; areas && i < p->n_series; i++)
        draw_area(f, i);
    draw_places(f);
    for (size_t i = p->n_series; !areas && i > 0; i--)
        if (p->series[i - 1].last != RK_PLOT_NOWHERE)
            draw_line(f, &p->series[i - 1]);
    if (!p->empty)
        draw_names(f);
}

/* ---- bars: they lie, so that names have room; one of each series for each place, or one of all of them ---------- */

enum {
    SINGLE = 18,  /* height of a bar that is alone at its place, */
    GROUPED = 12, /* and of one among others */
    GAP = 10,     /* between places */
    BARS_BELOW = 48,
    BARS_NAMES_MOST = 220,
    LABEL_MOST = 120, /* what the names are */
    NUMBERS_MOST = 90,
    KEY_GAP = 18,
    LEGEND_LINE = 20
};

/* Squares with the names of all series in lines from y on; where the last line stands. */
static double put_legend(const frame *f, double y, bool draw)
{
    const double room = WIDE - 2 * MARGIN;
    double x = MARGIN;

    for (size_t i = 0; i < f->plot->n_series; i++) {
        const rk_plot_series *s = &f->plot->series[i];
        double wide = fmin(RK_SVG_KEY_ROOM + width(s->name), room);

        if (x > MARGIN && x + wide > MARGIN + room) {
            x = MARGIN;
            y += LEGEND_LINE;
        }
        if (draw)
            rk_svg_key(&f->svg, colour_of(s), x, y, s->name, wide);
        x += wide + KEY_GAP;
    }
    return y;
}

static double zero_x(const frame *f)
{
    return x_at(f, fmin(fmax(rk_scale_place(&f->plot->y, 0), 0), 1));
}

static void draw_axis(const frame *f)
{
    const rk_scale *s = &f->plot->y;
    double low = f->top + f->down, x = zero_x(f);

    for (size_t i = 0; i < s->n_tick; i++) {
        double at = x_of(f, s->tick[i].value);

        if (s->tick[i].minor)
            continue;
        rk_svg_line(&f->svg, RK_SVG_GRID, at, f->top, at, low, "");
        rk_svg_text(&f->svg, RK_SVG_FAINT, at, low + 16, "text-anchor=\"middle\"",
                    rk_plot_tick_text(f->plot, &s->tick[i]));
    }
    rk_svg_line(&f->svg, RK_SVG_AXIS, x, f->top, x, low, "");
    rk_svg_text_within(&f->svg, RK_SVG_INK, f->left + f->across / 2, low + 36, "text-anchor=\"middle\"",
                       f->plot->y_label, RK_SVG_FONT, f->across);
}

static void put_bar(const frame *f, const rk_plot_series *s, double from, double to, double y, double high)
{
    /* What is not nothing is seen. */
    put_rect(f, fmin(from, to), y, fmax(fabs(to - from), 0.8), high, colour_of(s));
    put_tip(f, s->name, "rect");
}

static void draw_bar(const frame *f, const rk_plot_series *s, size_t at, double y, double high)
{
    double value = s->y[at], zero = zero_x(f), x;

    if (isnan(value)) {
        rk_svg_text(&f->svg, RK_SVG_FAINT, zero + 6, y + high / 2 + 4, "", "–");
        return;
    }
    x = x_of(f, value);
    if (value != 0)
        put_bar(f, s, zero, x, y, high);
    /* On the right, also of what lies below zero: on the left are the names. */
    rk_svg_text(&f->svg, RK_SVG_FAINT, fmax(x, zero) + 5, y + high / 2 + 4, high < SINGLE ? "font-size=\"10\"" : "",
                rk_plot_number(f->plot, value, true));
}

static void draw_stack(const frame *f, size_t at, double y)
{
    rk_plot *p = f->plot;
    double x1 = f->left, middle = y + SINGLE / 2.0 + 4;

    for (size_t i = 0; i < p->n_series; i++) {
        const rk_plot_series *s = &p->series[i];
        double x0 = x1;
        const char *text;

        x1 = x_of(f, rk_plot_below(p, i + 1, at));
        if (isnan(s->y[at]) || s->y[at] <= 0)
            continue;
        put_bar(f, s, x0, fmax(x1 - 0.8, x0), y, SINGLE);
        text = rk_plot_piece(p, s->y[at]);
        if (rk_svg_text_width(text, 11) + 6 <= x1 - x0)
            rk_svg_text_on(&f->svg, colour_of(s), (x0 + x1) / 2, middle, "text-anchor=\"middle\" font-size=\"11\"",
                           text);
    }
    if (p->unit != RK_UNIT_SHARE)
        rk_svg_text(&f->svg, RK_SVG_FAINT, x1 + 5, middle, "",
                    rk_plot_number(p, rk_plot_below(p, p->n_series, at), true));
}

static void draw_bars(frame *f)
{
    rk_plot *p = f->plot;
    bool grouped = p->n_series > 1 && !p->stacked;
    double each = grouped ? GROUPED : SINGLE, high = grouped ? GROUPED * (double)p->n_series : SINGLE;
    double legend = f->top + 26;

    f->top = p->n_series > 1 ? put_legend(f, legend, false) + 12 : f->top + 10;
    f->left = fmax(fmin(rk_plot_names_width(p, false), BARS_NAMES_MOST), fmin(width(p->x_label), LABEL_MOST));
    f->left += MARGIN + 10;
    /* Numbers stand after the bars, but for shares that fill the whole width. */
    f->across = WIDE - f->left - (p->stacked && p->unit == RK_UNIT_SHARE ? 10 : NUMBERS_MOST) - MARGIN;
    f->down = (double)p->n_x * (high + GAP);
    f->high = f->top + f->down + (p->y_label[0] || p->x_label[0] || p->note[0] ? BARS_BELOW : BARS_BELOW - 20);
    begin(f);
    if (p->n_series > 1)
        put_legend(f, legend, true);
    draw_axis(f);
    for (size_t at = 0; at < p->n_x; at++) {
        double y = f->top + GAP / 2.0 + (double)at * (high + GAP);

        rk_svg_text_within(&f->svg, RK_SVG_INK, f->left - 10, y + high / 2 + 4, "text-anchor=\"end\"", p->x_name[at],
                           RK_SVG_FONT, BARS_NAMES_MOST);
        if (p->stacked)
            draw_stack(f, at, y);
        for (size_t i = 0; !p->stacked && i < p->n_series; i++)
            draw_bar(f, &p->series[i], at, y + (double)i * each, grouped ? each - 1.5 : each);
    }
    if (p->x_label[0])
        rk_svg_text_within(&f->svg, RK_SVG_FAINT, f->left - 10, f->top + f->down + 36, "text-anchor=\"end\"",
                           p->x_label, RK_SVG_FONT, f->left - 16);
}

/* ---- a grid: each number in its field, darker where it is more; what the shades mean stands beside it ----------- */

enum {
    FIELD_HIGH = 30,
    FIELD_LEAST = 12,
    GRID_DOWN_MOST = 480,
    GRID_BELOW = 62,
    GRID_NAMES_MOST = 160,
    KEY_WIDE = 14,
    KEY_ROOM = 92,
    KEY_STEPS = 32,
    NUMBER_SIZE = 11
};

/* From light to dark in one hue, evenly for the eye: the numbers can be read on it, on any paper. */
static const char *shade(double place, char colour[8])
{
    static const int stop[][3] = {
        {0xe8, 0xf1, 0xfa}, {0x9c, 0xc9, 0xe8}, {0x3f, 0x8f, 0xc8}, {0x12, 0x58, 0x9c}, {0x08, 0x2a, 0x5a}};
    double at = fmin(fmax(place, 0), 1) * 4;
    int i = (int)fmin(floor(at), 3);
    unsigned rgb[3];

    for (size_t k = 0; k < 3; k++)
        rgb[k] = (unsigned)lround(stop[i][k] + (at - i) * (stop[i + 1][k] - stop[i][k])) & 0xff;
    snprintf(colour, 8, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
    return colour;
}

/* The name of a field, and its number with the unit, where the pointer rests on it. */
static void draw_field(const frame *f, size_t row, size_t at)
{
    rk_plot *p = f->plot;
    double value = p->series[row].y[at], wide = f->across / (double)p->n_x, high = f->down / (double)p->n_series;
    double x = f->left + wide * (double)at, y = f->top + high * (double)row;
    const char *text = rk_plot_number(p, value, false), *tip;
    char colour[8];

    if (isnan(value)) {
        rk_svg_text(&f->svg, RK_SVG_FAINT, f->left + wide * ((double)at + 0.5), f->top + high * ((double)row + 0.5) + 4,
                    "text-anchor=\"middle\"", "–");
        return;
    }
    put_rect(f, x + 0.5, y + 0.5, wide - 1, high - 1, shade(rk_scale_place(&p->y, value), colour));
    tip = rk_arena_format(&p->arena, "%s, %s: %s", p->x_name[at], p->series[row].name, rk_plot_number(p, value, true));
    put_tip(f, tip ? tip : "", "rect");
    if (rk_svg_text_width(text, NUMBER_SIZE) <= wide - 4 && high >= NUMBER_SIZE + 3)
        rk_svg_text_on(&f->svg, colour, x + wide / 2, y + high / 2 + 4, "text-anchor=\"middle\" font-size=\"11\"",
                       text);
}

static void draw_field_names(const frame *f)
{
    const rk_plot *p = f->plot;
    double wide = f->across / (double)p->n_x, high = f->down / (double)p->n_series;
    double widest = fmin(rk_plot_names_width(p, false), f->across) + 8;

    for (size_t row = 0; row < p->n_series; row += (size_t)ceil(FIELD_LEAST / high))
        rk_svg_text_within(&f->svg, RK_SVG_FAINT, f->left - 8, f->top + high * ((double)row + 0.5) + 4,
                           "text-anchor=\"end\"", p->series[row].name, RK_SVG_FONT, GRID_NAMES_MOST);
    put_upright(f, p->series_label);
    for (size_t at = 0; at < p->n_x; at += (size_t)ceil(widest / wide))
        rk_svg_text_within(&f->svg, RK_SVG_FAINT, f->left + wide * ((double)at + 0.5), f->top + f->down + 18,
                           "text-anchor=\"middle\"", p->x_name[at], RK_SVG_FONT, f->across);
    rk_svg_text_within(&f->svg, RK_SVG_INK, f->left + f->across / 2, f->top + f->down + 40, "text-anchor=\"middle\"",
                       p->x_label, RK_SVG_FONT, WIDE);
}

static void draw_shades(const frame *f)
{
    const rk_scale *s = &f->plot->y;
    double x = f->left + f->across + 18, step = f->down / KEY_STEPS;
    char colour[8];

    for (int i = 0; i < KEY_STEPS; i++) {
        put_rect(f, x, f->top + f->down - (i + 1) * step, KEY_WIDE, step + 0.3, shade((i + 0.5) / KEY_STEPS, colour));
        rk_str_put(f->svg.out, "/>\n");
    }
    for (size_t i = 0; i < s->n_tick; i++) {
        double y = y_of(f, s->tick[i].value);

        if (s->tick[i].minor)
            continue;
        rk_svg_line(&f->svg, RK_SVG_AXIS, x + KEY_WIDE, y, x + KEY_WIDE + 4, y, "");
        rk_svg_text(&f->svg, RK_SVG_FAINT, x + KEY_WIDE + 8, y + 4, "", rk_plot_tick_text(f->plot, &s->tick[i]));
    }
    rk_svg_text_within(&f->svg, RK_SVG_INK, WIDE - MARGIN, f->top - 14, "text-anchor=\"end\"", f->plot->y_label,
                       RK_SVG_FONT, WIDE / 2.0);
}

static void draw_grid(frame *f)
{
    const rk_plot *p = f->plot;

    f->top += 36;
    f->left = 16 + fmin(rk_plot_names_width(p, true), GRID_NAMES_MOST) + (p->series_label[0] ? 26 : 0);
    f->across = WIDE - f->left - KEY_ROOM;
    f->down = fmin(FIELD_HIGH * fmax((double)p->n_series, 4), GRID_DOWN_MOST);
    f->high = f->top + f->down + GRID_BELOW;
    begin(f);
    if (p->empty)
        return;
    for (size_t row = 0; row < p->n_series; row++)
        for (size_t at = 0; at < p->n_x; at++)
            draw_field(f, row, at);
    draw_field_names(f);
    draw_shades(f);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

void rk_chart_svg(const rk_chart *c, rk_svg_theme theme, rk_str *out)
{
    static const rk_plot_limits limits = {.lines = SERIES_MOST,
                                          .layers = 8,
                                          .rows = 40,
                                          .points = 1000,
                                          .places = 40,
                                          .ticks = 7,
                                          .areas = true,
                                          .width = width};
    rk_plot plot;
    frame f = {.plot = &plot, .svg = {theme, out}, .top = rk_svg_heading_height(c->title, c->subtitle)};

    if (rk_plot_new(&plot, c, &limits)) {
        const char *note = plot.empty ? "there are no numbers to draw" : plot.note;

        if (plot.kind == RK_CHART_GRID)
            draw_grid(&f);
        else if (plot.kind == RK_CHART_BARS)
            draw_bars(&f);
        else
            draw_lines(&f);
        if (note[0])
            rk_svg_text(&f.svg, RK_SVG_FAINT, WIDE - MARGIN, f.high - 8,
                        "text-anchor=\"end\" font-size=\"11\" font-style=\"italic\"", note);
        rk_svg_end(&f.svg);
    }
    out->failed |= plot.arena.failed;
    rk_arena_free(&plot.arena);
}

/* ---- on a page -------------------------------------------------------------------------------------------------- */

typedef struct chart_data {
    rk_chart svg, text;
} chart_data;

static void draw_svg(const void *data, rk_svg_theme theme, rk_str *out)
{
    rk_chart_svg(&((const chart_data *)data)->svg, theme, out);
}

static void draw_text(const void *data, const rk_paper *paper, rk_str *out)
{
    rk_chart_text(&((const chart_data *)data)->text, paper, out);
}

void rk_page_chart(rk_page *p, const rk_chart *c, const rk_chart *text)
{
    chart_data *data = RK_NEW(p->arena, chart_data);

    p->failed |= !data;
    if (!data)
        return;
    *data = (chart_data){*c, text ? *text : *c};
    rk_page_picture(p, (rk_picture){data, draw_svg, text ? draw_text : NULL}, NULL);
}
