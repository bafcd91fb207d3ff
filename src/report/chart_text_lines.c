/* SPDX-License-Identifier: MIT */
/*
 * Lines in a terminal.  A character of Braille has two dots across and four down, which gives smooth lines; marks at
 * the points tell series apart where there is no colour.
 */
#include "report/chart_text.h"

#include <math.h>

enum {
    ROWS_NARROW = 12,
    ROWS = 16,
    ROWS_WIDE = 20,
    COLUMNS_MOST = 100, /* wider, and lines get flat */
    ACROSS = 2,         /* dots of a character */
    DOWN = 4,
    MARKS_APART = 4, /* columns between the marks of one series */
    NAMES_MOST = 36
};

typedef struct field {
    uint8_t dots;
    const char *mark;
    size_t series;
} field;

typedef struct drawing {
    const rk_chart_pen *pen;
    const rk_plot *plot;
    size_t columns, rows; /* of the plot itself */
    size_t left, right;   /* columns for numbers; for names, 0: they stand below */
    field *at;
    size_t *label; /* of each row: 1 + the series named there, or 0 */
} drawing;

/* ---- the canvas ------------------------------------------------------------------------------------------------- */

static double dot_x(const drawing *d, size_t i)
{
    return d->plot->x[i] * (double)(d->columns * ACROSS - 1);
}

static double dot_y(const drawing *d, double y)
{
    return (1 - rk_scale_place(&d->plot->y, y)) * (double)(d->rows * DOWN - 1);
}

static field *field_at(const drawing *d, double x, double y)
{
    size_t column = (size_t)fmin(fmax(x, 0) / ACROSS, (double)(d->columns - 1));
    size_t row = (size_t)fmin(fmax(y, 0) / DOWN, (double)(d->rows - 1));

    return &d->at[row * d->columns + column];
}

static void put_dot(const drawing *d, size_t series, double x, double y)
{
    static const uint8_t dot[DOWN][ACROSS] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    double across = round(x), down = round(y);
    field *f = field_at(d, across, down);

    f->dots |= dot[(size_t)fmax(down, 0) % DOWN][(size_t)fmax(across, 0) % ACROSS];
    f->series = series;
}

static void put_segment(const drawing *d, size_t series, size_t from, size_t to)
{
    const double *y = d->plot->series[series].y;
    double x0 = dot_x(d, from), y0 = dot_y(d, y[from]), x1 = dot_x(d, to), y1 = dot_y(d, y[to]);
    double steps = ceil(fmax(fmax(fabs(x1 - x0), fabs(y1 - y0)), 1));

    for (double i = 0; i <= steps; i++)
        put_dot(d, series, x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps);
}

static void put_line(const drawing *d, size_t series)
{
    const double *y = d->plot->series[series].y;

    for (size_t i = 1; i < d->plot->n_x; i++)
        if (!isnan(y[i]) && !isnan(y[i - 1]))
            put_segment(d, series, i - 1, i);
}

/* Not at every point where those are many; those of different series begin at different ones. */
static void put_marks(const drawing *d, size_t series)
{
    const rk_plot *p = d->plot;
    size_t apart = 1 + p->n_x * MARKS_APART / (d->columns + 1), first = apart > 1 ? series * apart / p->n_series : 0;

    for (size_t i = first; i < p->n_x; i += apart)
        if (!isnan(p->series[series].y[i])) {
            field *f = field_at(d, round(dot_x(d, i)), round(dot_y(d, p->series[series].y[i])));

            f->mark = rk_chart_mark(p->series[series].look);
            f->series = series;
        }
}

/* The first series is drawn last: it is the one that is asked for. */
static void draw(const drawing *d)
{
    for (size_t i = d->plot->n_series; i > 0; i--)
        put_line(d, i - 1);
    for (size_t i = d->plot->n_series; i > 0; i--)
        put_marks(d, i - 1);
}

/* ---- names at the ends of lines --------------------------------------------------------------------------------- */

static size_t row_of_place(const drawing *d, double place)
{
    double row = round((1 - place) * (double)(d->rows - 1));

    return (size_t)fmin(fmax(row, 0), (double)(d->rows - 1));
}

/* Series from the topmost end to the lowest; there are few. */
static void sort_by_end(const drawing *d, size_t *order, double *row)
{
    size_t n = 0;

    for (size_t i = 0; i < d->plot->n_series; i++) {
        const rk_plot_series *s = &d->plot->series[i];
        double at = s->last == RK_PLOT_NOWHERE ? (double)d->rows : dot_y(d, s->y[s->last]) / DOWN;
        size_t k = n++;

        for (; k > 0 && row[k - 1] > at; k--) {
            row[k] = row[k - 1];
            order[k] = order[k - 1];
        }
        row[k] = at;
        order[k] = i;
    }
}

static void place_names(const drawing *d)
{
    size_t order[RK_CHART_TEXT_SERIES];
    double row[RK_CHART_TEXT_SERIES];

    sort_by_end(d, order, row);
    rk_plot_spread(row, d->plot->n_series, 1, (double)d->rows - 1);
    for (size_t i = 0; i < d->plot->n_series; i++)
        d->label[(size_t)fmax(row[i], 0)] = 1 + order[i];
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

static void put_field(const drawing *d, const field *f)
{
    char braille[4] = {'\xE2', (char)(0xA0 | f->dots >> 6), (char)(0x80 | (f->dots & 0x3F)), '\0'};

    if (f->mark)
        rk_chart_put(d->pen, d->plot->series[f->series].look, f->mark);
    else if (f->dots)
        rk_chart_put(d->pen, d->plot->series[f->series].look, braille);
    else
        rk_str_putc(d->pen->pen.out, ' ');
}

/* The number at a row of the axis, or "". */
static bool put_tick_of(const drawing *d, size_t row, rk_str *out)
{
    const rk_scale *y = &d->plot->y;

    for (size_t i = 0; i < y->n_tick; i++)
        if (!y->tick[i].minor && row_of_place(d, rk_scale_place(y, y->tick[i].value)) == row) {
            rk_scale_put_tick(y, y->tick[i].value, out);
            return true;
        }
    return false;
}

static void put_row(const drawing *d, size_t row)
{
    const rk_pen *pen = &d->pen->pen;
    rk_str tick = {0};
    bool marked = put_tick_of(d, row, &tick);

    rk_chart_put_cell(d->pen, RK_INK_PLAIN, rk_str_text(&tick), d->left, true);
    rk_pen_put(pen, RK_INK_FAINT, marked ? " ┤" : " │", strlen(" ┤"));
    for (size_t i = 0; i < d->columns; i++)
        put_field(d, &d->at[row * d->columns + i]);
    if (d->right && d->label[row]) {
        const rk_plot_series *s = &d->plot->series[d->label[row] - 1];

        rk_str_putc(pen->out, ' ');
        rk_chart_put(d->pen, s->look, rk_chart_mark(s->look));
        rk_str_putc(pen->out, ' ');
        rk_chart_put_cell(d->pen, RK_INK_PLAIN, s->name, d->right - 3, false);
    }
    rk_pen_end_line(pen);
    pen->out->failed |= tick.failed;
    rk_str_free(&tick);
}

/* ---- the axis below --------------------------------------------------------------------------------------------- */

static size_t column_of(const drawing *d, size_t tick)
{
    return (size_t)round(d->plot->tick.at[tick].place * (double)(d->columns - 1));
}

static double name_width(const char *name)
{
    return (double)rk_text_width(name) + 2;
}

static void put_axis(const drawing *d)
{
    rk_str axis = {0};
    size_t next = 0, n = d->plot->tick.n;

    rk_str_fill(d->pen->pen.out, ' ', d->left);
    rk_str_put(&axis, " └");
    for (size_t i = 0; i < d->columns; i++) {
        bool marked = false;

        for (; next < n && column_of(d, next) <= i; next++)
            marked |= d->plot->tick.at[next].named;
        rk_str_put(&axis, marked ? "┬" : "─");
    }
    rk_pen_put(&d->pen->pen, RK_INK_FAINT, rk_str_text(&axis), axis.n);
    rk_pen_end_line(&d->pen->pen);
    d->pen->pen.out->failed |= axis.failed;
    rk_str_free(&axis);
}

/* Each name in the middle below its tick, but none beyond the edges of the paper. */
static void put_places(const drawing *d)
{
    size_t used = 0;

    for (size_t i = 0; i < d->plot->tick.n; i++) {
        const char *name = d->plot->tick.at[i].name;
        size_t width = rk_text_width(name), at = d->left + 2 + column_of(d, i), from;

        from = at > width / 2 ? at - width / 2 : 0;
        from = from + width > d->pen->pen.columns ? d->pen->pen.columns - width : from;
        if (!d->plot->tick.at[i].named || from < used + (used > 0))
            continue;
        rk_str_fill(d->pen->pen.out, ' ', from - used);
        rk_str_put(d->pen->pen.out, name);
        used = from + width;
    }
    rk_pen_end_line(&d->pen->pen);
}

static void put_x_label(const drawing *d)
{
    const char *label = d->plot->x_label;
    size_t width = rk_text_width(label), middle = d->left + 2 + d->columns / 2;

    if (!width)
        return;
    rk_str_fill(d->pen->pen.out, ' ', middle > width / 2 ? middle - width / 2 : 0);
    rk_pen_put(&d->pen->pen, RK_INK_FAINT, label, strlen(label));
    rk_pen_end_line(&d->pen->pen);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static size_t numbers_width(const rk_plot *p)
{
    size_t widest = 0;

    for (size_t i = 0; i < p->y.n_tick; i++) {
        rk_str s = {0};

        if (!p->y.tick[i].minor)
            rk_scale_put_tick(&p->y, p->y.tick[i].value, &s);
        widest = rk_text_width(rk_str_text(&s)) > widest ? rk_text_width(rk_str_text(&s)) : widest;
        rk_str_free(&s);
    }
    return widest;
}

static bool lay_out(drawing *d, rk_arena *a)
{
    size_t columns = d->pen->pen.columns;

    d->left = numbers_width(d->plot);
    if (columns >= RK_CHART_TEXT_NARROW)
        d->right = 3 + rk_chart_names_width(d->plot, true, columns / 3 < NAMES_MOST ? columns / 3 : NAMES_MOST);
    d->columns = columns - d->left - 2 - (d->right ? d->right : 1);
    d->columns = d->columns < COLUMNS_MOST ? d->columns : COLUMNS_MOST;
    d->rows = columns < RK_CHART_TEXT_NARROW ? ROWS_NARROW : d->columns < COLUMNS_MOST ? ROWS : ROWS_WIDE;
    d->at = RK_NEW_ARRAY(a, d->columns * d->rows, field);
    d->label = RK_NEW_ARRAY(a, d->rows, size_t);
    return d->at && d->label;
}

static void put_all(const drawing *d)
{
    rk_plot_name_ticks(d->plot, name_width, (double)(d->columns - 1));
    draw(d);
    place_names(d);
    if (d->plot->y_label[0])
        rk_pen_wrap(&d->pen->pen, RK_INK_FAINT, 0, 0, RK_BREAK_WORDS, d->plot->y_label);
    for (size_t row = 0; row < d->rows; row++)
        put_row(d, row);
    put_axis(d);
    put_places(d);
    put_x_label(d);
    if (!d->right)
        rk_chart_put_legend(d->pen, rk_chart_mark);
}

void rk_chart_text_lines(const rk_chart_pen *pen)
{
    rk_arena arena = {0};
    drawing d = {.pen = pen, .plot = pen->plot};

    if (lay_out(&d, &arena))
        put_all(&d);
    else
        pen->pen.out->failed = true;
    rk_arena_free(&arena);
}
