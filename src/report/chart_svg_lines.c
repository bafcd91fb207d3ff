/* SPDX-License-Identifier: MIT */
/* Lines and areas as a picture.  Names stand at the right ends, beside the plot: there they cover nothing. */
#include "report/chart_svg.h"

#include <math.h>
#include <string.h>

enum {
    DOWN = 300,
    BELOW = 62, /* names of places, what they are, the note */
    NAMES_MOST = 210,
    NAME_LINE = 15,
    NAME_GAP = 24, /* from the plot to a name */
    MARKS_MOST = 24
};

/* ---- axes ------------------------------------------------------------------------------------------------------- */

static void draw_number(const rk_chart_frame *f, double value)
{
    double y = rk_chart_y(f, rk_scale_place(&f->plot->y, value));

    if (fabs(y - f->top - f->down) > 0.5)
        rk_svg_line(&f->svg, RK_SVG_GRID, f->left, y, f->left + f->across, y, "");
    rk_svg_line(&f->svg, RK_SVG_AXIS, f->left - 5, y, f->left, y, "");
    rk_svg_open_text(&f->svg, RK_SVG_FAINT, f->left - 9, y + 4, "text-anchor=\"end\"");
    rk_scale_put_tick(&f->plot->y, value, f->svg.out);
    rk_svg_close_text(&f->svg);
}

static void draw_numbers(const rk_chart_frame *f)
{
    const rk_scale *s = &f->plot->y;

    for (size_t i = 0; i < s->n_tick; i++) {
        double y = rk_chart_y(f, rk_scale_place(s, s->tick[i].value));

        if (s->tick[i].minor)
            rk_svg_line(&f->svg, RK_SVG_AXIS, f->left - 3, y, f->left, y, "stroke-width=\"0.6\"");
        else
            draw_number(f, s->tick[i].value);
    }
    rk_str_format(f->svg.out, "<text transform=\"translate(22 %.1f) rotate(-90)\" text-anchor=\"middle\"",
                  f->top + f->down / 2);
    rk_svg_put_fill(&f->svg, RK_SVG_INK);
    rk_str_putc(f->svg.out, '>');
    rk_svg_put_xml(f->svg.out, f->plot->y_label);
    rk_svg_close_text(&f->svg);
}

static double name_width(const char *name)
{
    return rk_svg_text_width(name, RK_SVG_FONT) + 10;
}

static void draw_places(const rk_chart_frame *f)
{
    double y = f->top + f->down;

    rk_plot_name_ticks(f->plot, name_width, f->across);
    rk_svg_line(&f->svg, RK_SVG_AXIS, f->left, y, f->left + f->across, y, "");
    rk_svg_line(&f->svg, RK_SVG_AXIS, f->left, f->top, f->left, y, "");
    for (size_t i = 0; i < f->plot->tick.n; i++) {
        double x = rk_chart_x(f, f->plot->tick.at[i].place);
        bool named = f->plot->tick.at[i].named;

        if (!named && f->plot->tick.n > MARKS_MOST)
            continue;
        rk_svg_line(&f->svg, RK_SVG_AXIS, x, y, x, y + (named ? 5 : 3), named ? "" : "stroke-width=\"0.6\"");
        if (named)
            rk_svg_text(&f->svg, RK_SVG_FAINT, x, y + 19, "text-anchor=\"middle\"", f->plot->tick.at[i].name);
    }
    rk_svg_text_within(&f->svg, RK_SVG_INK, f->left + f->across / 2, y + 40, "text-anchor=\"middle\"", f->plot->x_label,
                       RK_SVG_FONT, RK_CHART_SVG_WIDE);
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

static double y_of(const rk_chart_frame *f, double value)
{
    return rk_chart_y(f, rk_scale_place(&f->plot->y, value));
}

/* What is missing breaks a line. */
static void draw_line(const rk_chart_frame *f, const rk_plot_series *s)
{
    const rk_plot *p = f->plot;

    rk_str_format(f->svg.out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-linejoin=\"round\"",
                  rk_chart_colour(s));
    rk_chart_put_dash(f, s);
    rk_str_put(f->svg.out, " d=\"");
    for (size_t i = 0; i < p->n_x; i++)
        if (!isnan(s->y[i]))
            rk_str_format(f->svg.out, "%c%.1f %.1f", i > 0 && !isnan(s->y[i - 1]) ? 'L' : 'M', rk_chart_x(f, p->x[i]),
                          y_of(f, s->y[i]));
    rk_str_put(f->svg.out, "\"/>\n");
}

/* Not at every point where those are many. */
static void draw_marks(const rk_chart_frame *f, const rk_plot_series *s)
{
    const rk_plot *p = f->plot;
    size_t apart = 1 + p->n_x / MARKS_MOST, first = apart > 1 ? (size_t)(s - p->series) * apart / p->n_series : 0;

    for (size_t i = first; i < p->n_x; i += apart)
        if (!isnan(s->y[i]))
            rk_chart_put_mark(f, s, rk_chart_x(f, p->x[i]), y_of(f, s->y[i]));
}

static void draw_lines(const rk_chart_frame *f)
{
    for (size_t i = f->plot->n_series; i > 0; i--)
        if (f->plot->series[i - 1].last != RK_PLOT_NOWHERE) {
            draw_line(f, &f->plot->series[i - 1]);
            draw_marks(f, &f->plot->series[i - 1]);
        }
}

/* ---- areas ------------------------------------------------------------------------------------------------------ */

/* Between the sum of those below and the sum with this one. */
static void draw_area(const rk_chart_frame *f, size_t series)
{
    const rk_plot *p = f->plot;

    rk_str_format(f->svg.out, "<path fill=\"%s\" stroke-width=\"0.8\"", rk_chart_colour(&p->series[series]));
    rk_svg_put_stroke(&f->svg, RK_SVG_PAPER);
    rk_str_put(f->svg.out, " d=\"");
    for (size_t i = 0; i < p->n_x; i++)
        rk_str_format(f->svg.out, "%c%.1f %.1f", i ? 'L' : 'M', rk_chart_x(f, p->x[i]),
                      y_of(f, rk_plot_below(p, series + 1, i)));
    for (size_t i = p->n_x; i > 0; i--)
        rk_str_format(f->svg.out, "L%.1f %.1f", rk_chart_x(f, p->x[i - 1]), y_of(f, rk_plot_below(p, series, i - 1)));
    rk_str_put(f->svg.out, "Z\">");
    rk_svg_put_tip(&f->svg, p->series[series].name);
    rk_str_put(f->svg.out, "</path>\n");
}

/* ---- names at the ends ------------------------------------------------------------------------------------------ */

/* Where a name would stand: at the end of its line, or in the middle of the end of its area; from the top. */
static double wanted_place(const rk_chart_frame *f, size_t series)
{
    const rk_plot *p = f->plot;
    const rk_plot_series *s = &p->series[series];
    size_t end = p->n_x - 1;

    if (p->kind == RK_CHART_AREAS)
        return y_of(f, (rk_plot_below(p, series, end) + rk_plot_below(p, series + 1, end)) / 2) - f->top;
    return s->last == RK_PLOT_NOWHERE ? f->down : y_of(f, s->y[s->last]) - f->top;
}

static void draw_name(const rk_chart_frame *f, const rk_plot_series *s, double from, double to)
{
    double x = f->left + f->across + 5, room = RK_CHART_SVG_WIDE - x - NAME_GAP - 8;
    bool line = f->plot->kind == RK_CHART_LINES;
    size_t end = s->last == RK_PLOT_NOWHERE ? 0 : s->last;

    if (!line || fabs(from - to) > 3 || end + 1 < f->plot->n_x)
        rk_str_format(f->svg.out,
                      "<path fill=\"none\" stroke=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\" stroke-width=\"0.9\"/>\n",
                      rk_chart_colour(s), x, f->top + from, x + 12, f->top + to);
    if (line)
        rk_chart_put_mark(f, s, x + 16, f->top + to);
    else
        rk_str_format(f->svg.out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"9\" height=\"9\" fill=\"%s\"/>\n", x + 12,
                      f->top + to - 4.5, rk_chart_colour(s));
    rk_svg_text_within(&f->svg, RK_SVG_INK, x + NAME_GAP + 1, f->top + to + 4, "", s->name, RK_SVG_FONT, room);
}

/* From the top down, moved apart where they would touch. */
static void draw_names(const rk_chart_frame *f)
{
    double want[RK_CHART_SVG_SERIES], place[RK_CHART_SVG_SERIES];
    size_t order[RK_CHART_SVG_SERIES], n = f->plot->n_series;

    for (size_t i = 0; i < n; i++) {
        double at = wanted_place(f, i);
        size_t k = i;

        for (; k > 0 && want[k - 1] > at; k--) {
            want[k] = want[k - 1];
            order[k] = order[k - 1];
        }
        want[k] = at;
        order[k] = i;
    }
    memcpy(place, want, n * sizeof *place);
    rk_plot_spread(place, n, NAME_LINE, f->down);
    for (size_t i = 0; i < n; i++)
        draw_name(f, &f->plot->series[order[i]], want[i], place[i]);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static void lay_out(rk_chart_frame *f)
{
    f->top += 18;
    f->down = DOWN;
    f->high = f->top + f->down + (f->plot->x_label[0] || f->plot->note[0] ? BELOW : BELOW - 24);
    f->left = fmax(rk_chart_numbers_wide(f->plot) + 14 + (f->plot->y_label[0] ? 30 : 10), 40);
    f->across = RK_CHART_SVG_WIDE - f->left - NAME_GAP - 18 - rk_chart_names_wide(f->plot, true, NAMES_MOST);
}

void rk_chart_svg_lines(rk_chart_frame *f)
{
    lay_out(f);
    rk_chart_svg_begin(f);
    draw_numbers(f);
    if (f->plot->kind == RK_CHART_LINES)
        draw_places(f);
    for (size_t i = 0; i < f->plot->n_series && f->plot->kind == RK_CHART_AREAS; i++)
        draw_area(f, i);
    if (f->plot->kind == RK_CHART_AREAS)
        draw_places(f);
    else
        draw_lines(f);
    if (!f->plot->empty)
        draw_names(f);
    rk_chart_svg_end(f);
}
