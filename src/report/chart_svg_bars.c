/* SPDX-License-Identifier: MIT */
/* Bars as a picture: they lie, so that names have room; one of each series for each place, or one of all of them. */
#include "report/chart_svg.h"

#include <math.h>

enum {
    MARGIN = 20,
    SINGLE = 18,  /* height of a bar that is alone at its place, */
    GROUPED = 12, /* and of one among others */
    GAP = 10,     /* between places */
    BELOW = 48,
    NAMES_MOST = 220,
    LABEL_MOST = 120, /* what the names are */
    NUMBERS_MOST = 90
};

/* ---- the frame -------------------------------------------------------------------------------------------------- */

static bool is_grouped(const rk_plot *p)
{
    return p->n_series > 1 && !p->stacked;
}

static double place_height(const rk_plot *p)
{
    return is_grouped(p) ? GROUPED * (double)p->n_series : SINGLE;
}

static double place_top(const rk_chart_frame *f, size_t at)
{
    return f->top + GAP / 2.0 + (double)at * (place_height(f->plot) + GAP);
}

/* Numbers stand behind the bars, but for shares that fill the whole width. */
static double numbers_room(const rk_plot *p)
{
    return p->stacked && p->unit == RK_UNIT_SHARE ? 10 : NUMBERS_MOST;
}

static void lay_out(rk_chart_frame *f)
{
    const rk_plot *p = f->plot;

    f->top += p->n_series > 1 ? 26 : 10;
    if (p->n_series > 1)
        f->top = rk_chart_svg_legend(f, MARGIN, f->top, RK_CHART_SVG_WIDE - 2 * MARGIN, false) + 12;
    f->left =
        fmax(rk_chart_names_wide(p, false, NAMES_MOST), fmin(rk_svg_text_width(p->x_label, RK_SVG_FONT), LABEL_MOST));
    f->left += MARGIN + 10;
    f->across = RK_CHART_SVG_WIDE - f->left - numbers_room(p) - MARGIN;
    f->down = (double)p->n_x * (place_height(p) + GAP);
    f->high = f->top + f->down + (p->y_label[0] || p->x_label[0] || p->note[0] ? BELOW : BELOW - 20);
}

static double zero_x(const rk_chart_frame *f)
{
    const rk_scale *s = &f->plot->y;

    return rk_chart_x(f, s->kind == RK_SCALE_LINEAR ? fmin(fmax(rk_scale_place(s, 0), 0), 1) : 0);
}

static void draw_axis(const rk_chart_frame *f)
{
    const rk_scale *s = &f->plot->y;
    double low = f->top + f->down, x = zero_x(f);

    for (size_t i = 0; i < s->n_tick; i++) {
        double at = rk_chart_x(f, rk_scale_place(s, s->tick[i].value));

        if (s->tick[i].minor)
            continue;
        rk_svg_line(&f->svg, RK_SVG_GRID, at, f->top, at, low, "");
        rk_svg_open_text(&f->svg, RK_SVG_FAINT, at, low + 16, "text-anchor=\"middle\"");
        rk_scale_put_tick(s, s->tick[i].value, f->svg.out);
        rk_svg_close_text(&f->svg);
    }
    rk_svg_line(&f->svg, RK_SVG_AXIS, x, f->top, x, low, "");
    rk_svg_text_within(&f->svg, RK_SVG_INK, f->left + f->across / 2, low + 36, "text-anchor=\"middle\"",
                       f->plot->y_label, RK_SVG_FONT, f->across);
}

/* ---- bars ------------------------------------------------------------------------------------------------------- */

static void put_number(const rk_chart_frame *f, double x, double y, const char *how, double value)
{
    rk_str text = {0};

    rk_svg_open_text(&f->svg, RK_SVG_FAINT, x, y, how);
    rk_unit_put(f->plot->unit, f->plot->unit_name, value, &text);
    rk_svg_put_xml(f->svg.out, rk_str_text(&text));
    rk_svg_close_text(&f->svg);
    f->svg.out->failed |= text.failed;
    rk_str_free(&text);
}

static void put_bar(const rk_chart_frame *f, const rk_plot_series *s, double from, double to, double y, double high)
{
    double wide = fmax(fabs(to - from), 0.8); /* what is not nothing is seen */

    rk_str_format(f->svg.out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\">", fmin(from, to),
                  y, wide, high, rk_chart_colour(s));
    rk_svg_put_tip(&f->svg, s->name);
    rk_str_put(f->svg.out, "</rect>\n");
}

static void draw_bar(const rk_chart_frame *f, const rk_plot_series *s, size_t at, double y, double high)
{
    double value = s->y[at], zero = zero_x(f), x;

    if (isnan(value)) {
        rk_svg_text(&f->svg, RK_SVG_FAINT, zero + 6, y + high / 2 + 4, "", "–");
        return;
    }
    x = rk_chart_x(f, rk_scale_place(&f->plot->y, value));
    if (value != 0)
        put_bar(f, s, zero, x, y, high);
    /* On the right, also of what lies below zero: on the left are the names. */
    put_number(f, fmax(x, zero) + 5, y + high / 2 + 4, high < SINGLE ? "font-size=\"10\"" : "", value);
}

static void draw_group(const rk_chart_frame *f, size_t at)
{
    double high = is_grouped(f->plot) ? GROUPED : SINGLE, y = place_top(f, at);

    for (size_t i = 0; i < f->plot->n_series; i++)
        draw_bar(f, &f->plot->series[i], at, y + (double)i * high, is_grouped(f->plot) ? high - 1.5 : high);
}

/* ---- stacked bars ----------------------------------------------------------------------------------------------- */

/* In the piece, where there is room. */
static void put_piece_number(const rk_chart_frame *f, const rk_plot_series *s, double value, double x0, double x1,
                             double y)
{
    rk_str text = {0};

    if (f->plot->unit == RK_UNIT_SHARE)
        rk_str_format(&text, "%.0f%%", value * 100);
    else
        rk_unit_put(f->plot->unit, "", value, &text);
    if (rk_svg_text_width(rk_str_text(&text), 11) + 6 <= x1 - x0)
        rk_svg_text_on(&f->svg, rk_chart_colour(s), (x0 + x1) / 2, y, "text-anchor=\"middle\" font-size=\"11\"",
                       rk_str_text(&text));
    f->svg.out->failed |= text.failed;
    rk_str_free(&text);
}

static void draw_stack(const rk_chart_frame *f, size_t at)
{
    const rk_plot *p = f->plot;
    double y = place_top(f, at), x1 = f->left;

    for (size_t i = 0; i < p->n_series; i++) {
        double x0 = x1;

        x1 = rk_chart_x(f, rk_scale_place(&p->y, rk_plot_below(p, i + 1, at)));
        if (isnan(p->series[i].y[at]) || p->series[i].y[at] <= 0)
            continue;
        put_bar(f, &p->series[i], x0, fmax(x1 - 0.8, x0), y, SINGLE);
        put_piece_number(f, &p->series[i], p->series[i].y[at], x0, x1, y + SINGLE / 2.0 + 4);
    }
    if (p->unit != RK_UNIT_SHARE)
        put_number(f, x1 + 5, y + SINGLE / 2.0 + 4, "", rk_plot_below(p, p->n_series, at));
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static void draw_place(const rk_chart_frame *f, size_t at)
{
    rk_svg_text_within(&f->svg, RK_SVG_INK, f->left - 10, place_top(f, at) + place_height(f->plot) / 2 + 4,
                       "text-anchor=\"end\"", f->plot->x_name[at], RK_SVG_FONT, NAMES_MOST);
    if (f->plot->stacked)
        draw_stack(f, at);
    else
        draw_group(f, at);
}

void rk_chart_svg_bars(rk_chart_frame *f)
{
    double legend = f->top + 26;

    lay_out(f);
    rk_chart_svg_begin(f);
    if (f->plot->n_series > 1)
        rk_chart_svg_legend(f, MARGIN, legend, RK_CHART_SVG_WIDE - 2 * MARGIN, true);
    draw_axis(f);
    for (size_t at = 0; at < f->plot->n_x; at++)
        draw_place(f, at);
    if (f->plot->x_label[0])
        rk_svg_text_within(&f->svg, RK_SVG_FAINT, f->left - 10, f->top + f->down + 36, "text-anchor=\"end\"",
                           f->plot->x_label, RK_SVG_FONT, f->left - 16);
    rk_chart_svg_end(f);
}
