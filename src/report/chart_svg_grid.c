/* SPDX-License-Identifier: MIT */
/* A grid as a picture: each number in its field, darker where it is more; what the shades mean stands beside it. */
#include "report/chart_svg.h"

#include <math.h>
#include <stdio.h>

enum {
    MARGIN = 20,
    FIELD_HIGH = 30,
    FIELD_LEAST = 12,
    DOWN_MOST = 480,
    KEY_WIDE = 14,
    KEY_ROOM = 92,
    KEY_STEPS = 32,
    BELOW = 62,
    NAMES_MOST = 160,
    SIZE = 11
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

static void put_rect(const rk_chart_frame *f, double x, double y, double wide, double high, double place)
{
    char colour[8];

    rk_str_format(f->svg.out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"", x, y, wide,
                  high, shade(place, colour));
}

/* ---- fields ----------------------------------------------------------------------------------------------------- */

static double field_wide(const rk_chart_frame *f)
{
    return f->across / (double)f->plot->n_x;
}

static double field_high(const rk_chart_frame *f)
{
    return f->down / (double)f->plot->n_series;
}

static void put_number(const rk_chart_frame *f, double x, double y, const char *text, double place)
{
    char colour[8];

    if (rk_svg_text_width(text, SIZE) <= field_wide(f) - 4 && field_high(f) >= SIZE + 3)
        rk_svg_text_on(&f->svg, shade(place, colour), x, y + 4, "text-anchor=\"middle\" font-size=\"11\"", text);
}

/* The name of a field, and its number with the unit, where the pointer rests on it. */
static void put_field(const rk_chart_frame *f, size_t row, size_t at, const char *text)
{
    double value = f->plot->series[row].y[at], x = f->left + field_wide(f) * (double)at;
    double y = f->top + field_high(f) * (double)row, place = rk_scale_place(&f->plot->y, value);
    rk_str tip = {0};

    rk_str_format(&tip, "%s, %s: ", f->plot->x_name[at], f->plot->series[row].name);
    rk_unit_put(f->plot->unit, f->plot->unit_name, value, &tip);
    put_rect(f, x + 0.5, y + 0.5, field_wide(f) - 1, field_high(f) - 1, place);
    rk_str_putc(f->svg.out, '>');
    rk_svg_put_tip(&f->svg, rk_str_text(&tip));
    rk_str_put(f->svg.out, "</rect>\n");
    put_number(f, x + field_wide(f) / 2, y + field_high(f) / 2, text, place);
    f->svg.out->failed |= tip.failed;
    rk_str_free(&tip);
}

static void draw_field(const rk_chart_frame *f, size_t row, size_t at)
{
    double value = f->plot->series[row].y[at];
    rk_str text = {0};

    rk_unit_put(f->plot->unit, "", value, &text);
    if (isnan(value))
        rk_svg_text(&f->svg, RK_SVG_FAINT, f->left + field_wide(f) * ((double)at + 0.5),
                    f->top + field_high(f) * ((double)row + 0.5) + 4, "text-anchor=\"middle\"", "–");
    else
        put_field(f, row, at, rk_str_text(&text));
    f->svg.out->failed |= text.failed;
    rk_str_free(&text);
}

/* ---- names ------------------------------------------------------------------------------------------------------ */

static void draw_row_names(const rk_chart_frame *f)
{
    size_t apart = (size_t)ceil(FIELD_LEAST / field_high(f));

    for (size_t row = 0; row < f->plot->n_series; row += apart)
        rk_svg_text_within(&f->svg, RK_SVG_FAINT, f->left - 8, f->top + field_high(f) * ((double)row + 0.5) + 4,
                           "text-anchor=\"end\"", f->plot->series[row].name, RK_SVG_FONT, NAMES_MOST);
    rk_str_format(f->svg.out, "<text transform=\"translate(22 %.1f) rotate(-90)\" text-anchor=\"middle\"",
                  f->top + f->down / 2);
    rk_svg_put_fill(&f->svg, RK_SVG_INK);
    rk_str_putc(f->svg.out, '>');
    rk_svg_put_xml(f->svg.out, f->plot->series_label);
    rk_svg_close_text(&f->svg);
}

static void draw_column_names(const rk_chart_frame *f)
{
    double widest = rk_chart_names_wide(f->plot, false, f->across) + 8;
    size_t apart = (size_t)ceil(widest / field_wide(f));

    for (size_t at = 0; at < f->plot->n_x; at += apart)
        rk_svg_text_within(&f->svg, RK_SVG_FAINT, f->left + field_wide(f) * ((double)at + 0.5), f->top + f->down + 18,
                           "text-anchor=\"middle\"", f->plot->x_name[at], RK_SVG_FONT, f->across);
    rk_svg_text_within(&f->svg, RK_SVG_INK, f->left + f->across / 2, f->top + f->down + 40, "text-anchor=\"middle\"",
                       f->plot->x_label, RK_SVG_FONT, RK_CHART_SVG_WIDE);
}

/* ---- what the shades mean --------------------------------------------------------------------------------------- */

static void draw_key(const rk_chart_frame *f)
{
    const rk_scale *s = &f->plot->y;
    double x = f->left + f->across + 18, step = f->down / KEY_STEPS;

    for (int i = 0; i < KEY_STEPS; i++) {
        put_rect(f, x, f->top + f->down - (i + 1) * step, KEY_WIDE, step + 0.3, (i + 0.5) / KEY_STEPS);
        rk_str_put(f->svg.out, "/>\n");
    }
    for (size_t i = 0; i < s->n_tick; i++) {
        double y = rk_chart_y(f, rk_scale_place(s, s->tick[i].value));

        if (s->tick[i].minor)
            continue;
        rk_svg_line(&f->svg, RK_SVG_AXIS, x + KEY_WIDE, y, x + KEY_WIDE + 4, y, "");
        rk_svg_open_text(&f->svg, RK_SVG_FAINT, x + KEY_WIDE + 8, y + 4, "");
        rk_scale_put_tick(s, s->tick[i].value, f->svg.out);
        rk_svg_close_text(&f->svg);
    }
    rk_svg_text_within(&f->svg, RK_SVG_INK, RK_CHART_SVG_WIDE - MARGIN, f->top - 14, "text-anchor=\"end\"",
                       f->plot->y_label, RK_SVG_FONT, RK_CHART_SVG_WIDE / 2.0);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static void lay_out(rk_chart_frame *f)
{
    const rk_plot *p = f->plot;

    f->top += 36;
    f->left = 16 + rk_chart_names_wide(p, true, NAMES_MOST) + (p->series_label[0] ? 26 : 0);
    f->across = RK_CHART_SVG_WIDE - f->left - KEY_ROOM;
    f->down = fmin(FIELD_HIGH * fmax((double)p->n_series, 4), DOWN_MOST);
    f->high = f->top + f->down + BELOW;
}

void rk_chart_svg_grid(rk_chart_frame *f)
{
    lay_out(f);
    rk_chart_svg_begin(f);
    if (!f->plot->empty) {
        for (size_t row = 0; row < f->plot->n_series; row++)
            for (size_t at = 0; at < f->plot->n_x; at++)
                draw_field(f, row, at);
        draw_row_names(f);
        draw_column_names(f);
        draw_key(f);
    }
    rk_chart_svg_end(f);
}
