/* SPDX-License-Identifier: MIT */
/* Charts in a terminal: what all kinds of them share. */
#include "report/chart_text.h"

enum {
    PLACES_MOST = 24,
    ROWS_MOST = 32
};

/* ---- marks and colours ------------------------------------------------------------------------------------------ */

/* The colours of report/svg.h, from the 256 that terminals have; and black or white on them. */
static const struct {
    int colour, on;
} ink_of_series[RK_CHART_TEXT_SERIES] = {{32, 231}, {166, 231}, {36, 16},  {175, 16},
                                         {214, 16}, {117, 16},  {245, 16}, {142, 16}};

const char *rk_chart_mark(size_t look)
{
    static const char *const mark[] = {"●", "■", "▲", "◆", "○", "□", "△", "◇"};

    return mark[look % RK_CHART_TEXT_SERIES];
}

const char *rk_chart_fill(size_t look)
{
    static const char *const fill[] = {"█", "░", "▓", "▒", "╱", "╳", "·", "╌"};

    return fill[look % RK_CHART_TEXT_SERIES];
}

void rk_chart_put(const rk_chart_pen *d, size_t look, const char *text)
{
    if (d->pen.colour)
        rk_str_format(d->pen.out, "\x1b[38;5;%dm%s\x1b[0m", ink_of_series[look % RK_CHART_TEXT_SERIES].colour, text);
    else
        rk_str_put(d->pen.out, text);
}

void rk_chart_put_on(const rk_chart_pen *d, size_t look, const char *text)
{
    int i = (int)(look % RK_CHART_TEXT_SERIES);

    if (d->pen.colour)
        rk_str_format(d->pen.out, "\x1b[38;5;%d;48;5;%dm%s\x1b[0m", ink_of_series[i].on, ink_of_series[i].colour, text);
    else
        rk_str_put(d->pen.out, text);
}

/* ---- names ------------------------------------------------------------------------------------------------------ */

/* How many bytes the first so many columns of a text are. */
static size_t bytes_in(const char *text, size_t columns)
{
    size_t n = 0;
    rk_str piece = {0};

    while (text[n]) {
        uint32_t point;
        size_t step = rk_utf8_decode(text + n, strlen(text + n), &point);

        rk_str_putn(&piece, text + n, step ? step : 1);
        if (rk_text_width(rk_str_text(&piece)) > columns || piece.failed)
            break;
        n += step ? step : 1;
    }
    rk_str_free(&piece);
    return n;
}

/* Both ends of names say something: what is left out is in the middle. */
static void shorten(const char *text, size_t columns, rk_str *out)
{
    size_t width = rk_text_width(text), first = bytes_in(text, columns / 2), rest = width + 1 - (columns - columns / 2);

    if (width <= columns) {
        rk_str_put(out, text);
        return;
    }
    rk_str_putn(out, text, first);
    rk_str_put(out, columns ? "…" : "");
    rk_str_put(out, columns > 1 ? text + bytes_in(text, rest) : "");
}

void rk_chart_put_cell(const rk_chart_pen *d, rk_ink ink, const char *text, size_t columns, bool right)
{
    rk_str piece = {0};
    size_t width;

    shorten(text, columns, &piece);
    width = rk_text_width(rk_str_text(&piece));
    rk_str_fill(d->pen.out, ' ', right && width < columns ? columns - width : 0);
    rk_pen_put(&d->pen, ink, rk_str_text(&piece), piece.n);
    rk_str_fill(d->pen.out, ' ', !right && width < columns ? columns - width : 0);
    d->pen.out->failed |= piece.failed;
    rk_str_free(&piece);
}

size_t rk_chart_names_width(const rk_plot *p, bool series, size_t most)
{
    size_t widest = 0, n = series ? p->n_series : p->n_x;

    for (size_t i = 0; i < n; i++) {
        size_t width = rk_text_width(series ? p->series[i].name : p->x_name[i]);

        widest = width > widest ? width : widest;
    }
    return widest < most ? widest : most;
}

void rk_chart_put_legend(const rk_chart_pen *d, const char *(*mark)(size_t look))
{
    size_t used = 0;

    for (size_t i = 0; i < d->plot->n_series; i++) {
        const char *name = d->plot->series[i].name;
        size_t width = rk_text_width(name) + 2;

        width = width < d->pen.columns ? width : d->pen.columns;
        if (used > 0 && used + 2 + width > d->pen.columns) {
            rk_pen_end_line(&d->pen);
            used = 0;
        }
        rk_str_put(d->pen.out, used ? "  " : "");
        rk_chart_put(d, d->plot->series[i].look, mark(d->plot->series[i].look));
        rk_str_putc(d->pen.out, ' ');
        rk_chart_put_cell(d, RK_INK_PLAIN, name, width - 2, false);
        used += width + (used ? 2 : 0);
    }
    rk_pen_end_line(&d->pen);
}

void rk_chart_put_labels(const rk_chart_pen *d, size_t names)
{
    const rk_plot *p = d->plot;

    if (!p->x_label[0] && !p->y_label[0])
        return;
    rk_chart_put_cell(d, RK_INK_FAINT, p->x_label, names, !p->chart->word);
    rk_str_put(d->pen.out, "  ");
    rk_chart_put_cell(d, RK_INK_FAINT, p->y_label, d->pen.columns - names - 2, false);
    rk_pen_end_line(&d->pen);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static void put_paragraph(const rk_chart_pen *d, rk_ink ink, const char *text)
{
    rk_str safe = {0};

    rk_str_put_safe(&safe, text ? text : "", text ? strlen(text) : 0);
    if (safe.n)
        rk_pen_wrap(&d->pen, ink, 0, 0, RK_BREAK_WORDS, rk_str_text(&safe));
    d->pen.out->failed |= safe.failed;
    rk_str_free(&safe);
}

static void put_body(const rk_chart_pen *d)
{
    if (d->plot->empty)
        rk_pen_wrap(&d->pen, RK_INK_FAINT, 0, 0, RK_BREAK_WORDS, "(there are no numbers to draw)");
    else if (d->plot->kind == RK_CHART_LINES)
        rk_chart_text_lines(d);
    else if (d->plot->kind == RK_CHART_GRID)
        rk_chart_text_grid(d);
    else if (d->plot->stacked)
        rk_chart_text_stacks(d);
    else
        rk_chart_text_bars(d);
}

static void put_note(const rk_chart_pen *d)
{
    rk_str note = {0};

    if (d->plot->note[0])
        rk_str_format(&note, "(%s)", d->plot->note);
    put_paragraph(d, RK_INK_FAINT, rk_str_text(&note));
    d->pen.out->failed |= note.failed;
    rk_str_free(&note);
}

/* A field of a grid needs two columns, beside names that take a third of the paper. */
static rk_plot_limits limits_of(const rk_chart *c, size_t columns)
{
    size_t fields = (columns - columns / 3 - 1) / 2;
    bool narrow = c->kind == RK_CHART_GRID && fields < PLACES_MOST;

    return (rk_plot_limits){.lines = RK_CHART_TEXT_SERIES,
                            .layers = RK_CHART_TEXT_SERIES,
                            .rows = ROWS_MOST,
                            .points = 2 * columns, /* the dots of a character */
                            .places = narrow ? fields : PLACES_MOST,
                            .ticks = 5,
                            .snug = true};
}

void rk_chart_text(const rk_chart *c, const rk_paper *paper, rk_str *out)
{
    rk_chart_pen d = {.pen = rk_pen_new(NULL, paper, out)};
    rk_plot_limits limits = limits_of(c, d.pen.columns);
    rk_plot plot;

    d.plot = &plot;
    if (rk_plot_new(&plot, c, &limits)) {
        put_paragraph(&d, RK_INK_STRONG, c->title);
        put_paragraph(&d, RK_INK_FAINT, c->subtitle);
        put_body(&d);
        put_note(&d);
    } else {
        out->failed = true;
    }
    rk_plot_free(&plot);
}
