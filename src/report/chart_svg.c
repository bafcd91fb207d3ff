/* SPDX-License-Identifier: MIT */
/* Charts as pictures: what all kinds of them share. */
#include "report/chart_svg.h"

#include <math.h>

enum {
    MARGIN = 20,
    KEY_GAP = 18,
    LEGEND_LINE = 20
};

/* ---- places and sizes ------------------------------------------------------------------------------------------- */

double rk_chart_x(const rk_chart_frame *f, double place)
{
    return f->left + place * f->across;
}

double rk_chart_y(const rk_chart_frame *f, double place)
{
    return f->top + (1 - place) * f->down;
}

double rk_chart_numbers_wide(const rk_plot *p)
{
    double widest = 0;

    for (size_t i = 0; i < p->y.n_tick; i++) {
        rk_str s = {0};

        if (!p->y.tick[i].minor)
            rk_scale_put_tick(&p->y, p->y.tick[i].value, &s);
        widest = fmax(widest, rk_svg_text_width(rk_str_text(&s), RK_SVG_FONT));
        rk_str_free(&s);
    }
    return widest;
}

double rk_chart_names_wide(const rk_plot *p, bool series, double most)
{
    double widest = 0;

    for (size_t i = 0; i < (series ? p->n_series : p->n_x); i++)
        widest = fmax(widest, rk_svg_text_width(series ? p->series[i].name : p->x_name[i], RK_SVG_FONT));
    return fmin(widest, most);
}

/* ---- the look of a series --------------------------------------------------------------------------------------- */

const char *rk_chart_colour(const rk_plot_series *s)
{
    return rk_svg_series_colour(s->look);
}

void rk_chart_put_dash(const rk_chart_frame *f, const rk_plot_series *s)
{
    static const char *const dash[] = {"", " stroke-dasharray=\"7 4\"", " stroke-dasharray=\"2 3\""};

    rk_str_put(f->svg.out, dash[s->look / RK_SVG_SERIES % 3]);
}

/* Filled for the first four colours, hollow for the others. */
void rk_chart_put_mark(const rk_chart_frame *f, const rk_plot_series *s, double x, double y)
{
    bool hollow = s->look / 4 % 2;
    const char *colour = rk_chart_colour(s);

    switch (s->look % 4) {
    case 0:
        rk_str_format(f->svg.out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.6\"", x, y);
        break;
    case 1:
        rk_str_format(f->svg.out, "<path d=\"M%.1f %.1fh6.6v6.6h-6.6z\"", x - 3.3, y - 3.3);
        break;
    case 2:
        rk_str_format(f->svg.out, "<path d=\"M%.1f %.1fl4.3 7.4h-8.6z\"", x, y - 4.7);
        break;
    default:
        rk_str_format(f->svg.out, "<path d=\"M%.1f %.1fl4.4 4.4l-4.4 4.4l-4.4 -4.4z\"", x, y - 4.4);
    }
    if (hollow)
        rk_svg_put_fill(&f->svg, RK_SVG_PAPER);
    else
        rk_str_format(f->svg.out, " fill=\"%s\"", colour);
    if (hollow)
        rk_str_format(f->svg.out, " stroke=\"%s\" stroke-width=\"1.6\"", colour);
    rk_str_put(f->svg.out, "/>\n");
}

double rk_chart_svg_legend(const rk_chart_frame *f, double left, double y, double room, bool draw)
{
    double x = left;

    for (size_t i = 0; i < f->plot->n_series; i++) {
        const rk_plot_series *s = &f->plot->series[i];
        double wide = fmin(RK_SVG_KEY_ROOM + rk_svg_text_width(s->name, RK_SVG_FONT), room);

        if (x > left && x + wide > left + room) {
            x = left;
            y += LEGEND_LINE;
        }
        if (draw)
            rk_svg_key(&f->svg, rk_chart_colour(s), x, y, s->name, wide);
        x += wide + KEY_GAP;
    }
    return y;
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

void rk_chart_svg_begin(const rk_chart_frame *f)
{
    const rk_chart *c = f->plot->chart;
    rk_str description = {0};

    rk_plot_describe(f->plot, &description);
    rk_svg_begin(&f->svg, RK_CHART_SVG_WIDE, f->high, c->title ? c->title : f->plot->y_label,
                 rk_str_text(&description));
    rk_svg_heading(&f->svg, MARGIN, RK_CHART_SVG_WIDE - 2 * MARGIN, c->title, c->subtitle);
    f->svg.out->failed |= description.failed;
    rk_str_free(&description);
}

void rk_chart_svg_end(const rk_chart_frame *f)
{
    const char *note = f->plot->empty ? "there are no numbers to draw" : f->plot->note;

    if (note[0])
        rk_svg_text(&f->svg, RK_SVG_FAINT, RK_CHART_SVG_WIDE - MARGIN, f->high - 8,
                    "text-anchor=\"end\" font-size=\"11\" font-style=\"italic\"", note);
    rk_svg_end(&f->svg);
}

void rk_chart_svg(const rk_chart *c, rk_svg_theme theme, rk_str *out)
{
    static const rk_plot_limits limits = {
        .lines = RK_CHART_SVG_SERIES, .layers = 8, .rows = 40, .points = 1000, .places = 40, .ticks = 7, .areas = true};
    rk_plot plot;
    rk_chart_frame f = {.plot = &plot, .svg = {theme, out}, .top = rk_svg_heading_height(c->title, c->subtitle)};

    if (!rk_plot_new(&plot, c, &limits))
        out->failed = true;
    else if (plot.kind == RK_CHART_GRID)
        rk_chart_svg_grid(&f);
    else if (plot.kind == RK_CHART_BARS)
        rk_chart_svg_bars(&f);
    else
        rk_chart_svg_lines(&f);
    rk_plot_free(&plot);
}
