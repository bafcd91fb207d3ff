/* SPDX-License-Identifier: MIT */
/* Charts in a terminal: series are told apart by colour where there is some, and by marks that do without. */
#include "report/plot.h"
#include "report/text.h"

#include "report/figure.h"

#include <math.h>

enum {
    SERIES_MOST = RK_N_HUE, /* marks, fills and colours that are told apart */
    PLACES_MOST = 24,
    ROWS_MOST = 32,
    NARROW = 60 /* below it, names of series stand under the chart */
};

/* A character of the plot of lines: dots, or a mark; see below. */
typedef struct field {
    uint8_t dots;
    const char *mark;
    size_t series;
} field;

typedef struct drawing {
    rk_plot *plot;
    rk_pen pen; /* without a page */
    rk_str *out;
    size_t left;  /* columns before the plot: of names, or of the numbers of an axis */
    size_t wide;  /* of the plot: of lines, of the longest bar, or of a field of a grid */
    size_t right; /* after it: the numbers of bars, the names of lines; 0: there are none */
    bool numbers; /* GRID: they stand in the fields */
    size_t rows;  /* LINES: this and the next ones */
    field *at;
    size_t *label; /* of each row: 1 + the series named there, or 0 */
} drawing;

/* ---- what all kinds share --------------------------------------------------------------------------------------- */

static const char *const mark_of_series[SERIES_MOST] = {"●", "■", "▲", "◆", "○", "□", "△", "◇"};
static const char *const fill_of_series[SERIES_MOST] = {"█", "░", "▓", "▒", "╱", "╳", "·", "╌"};

static double width(const char *text)
{
    return (double)rk_text_width(text);
}

static size_t at_most(size_t n, size_t most)
{
    return n < most ? n : most;
}

static size_t names_width(const rk_plot *p, bool series, size_t most)
{
    return at_most((size_t)rk_plot_names_width(p, series), most);
}

/* That of the thing that it shows, as everywhere, where all series show things that have each their own. */
static rk_ink ink_of(const drawing *d, size_t look)
{
    const rk_plot *p = d->plot;
    unsigned seen = 0;
    rk_ink of = (rk_ink)(RK_INK_HUES + look % SERIES_MOST);

    for (size_t i = 0; i < p->n_series; i++) {
        rk_ink ink = rk_ink_of_thing(p->series[i].name);

        if (ink == rk_ink_of_thing("") || seen >> ink & 1)
            return (rk_ink)(RK_INK_HUES + look % SERIES_MOST);
        seen |= 1U << ink;
        of = p->series[i].look == look ? ink : of;
    }
    return of;
}

/* Text in the colour of a series; plain where the paper has no colour. */
static void put_inked(const drawing *d, size_t look, const char *text)
{
    rk_pen_put(&d->pen, ink_of(d, look), text, strlen(text));
}

static void put_times(rk_str *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        rk_str_put(out, text);
}

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

/* A text in exactly so many columns.  Both ends of names say something: what is left out is in the middle. */
static void put_cell(const drawing *d, rk_ink ink, const char *text, size_t columns, bool right)
{
    size_t all = rk_text_width(text), rest = all + 1 - (columns - columns / 2), used;
    rk_str piece = {0};

    if (all <= columns) {
        rk_str_put(&piece, text);
    } else {
        rk_str_putn(&piece, text, bytes_in(text, columns / 2));
        rk_str_put(&piece, columns ? "…" : "");
        rk_str_put(&piece, columns > 1 ? text + bytes_in(text, rest) : "");
    }
    used = rk_text_width(rk_str_text(&piece));
    rk_str_fill(d->out, ' ', right && used < columns ? columns - used : 0);
    rk_pen_put(&d->pen, ink, rk_str_text(&piece), piece.n);
    rk_str_fill(d->out, ' ', !right && used < columns ? columns - used : 0);
    d->out->failed |= piece.failed;
    rk_str_free(&piece);
}

/* Marks and names of all series, over as many lines as they need. */
static void put_legend(const drawing *d, const char *const *mark)
{
    size_t used = 0;

    for (size_t i = 0; i < d->plot->n_series; i++) {
        const rk_plot_series *s = &d->plot->series[i];
        size_t columns = at_most(rk_text_width(s->name) + 2, d->pen.columns);

        if (used > 0 && used + 2 + columns > d->pen.columns) {
            rk_pen_end_line(&d->pen);
            used = 0;
        }
        rk_str_put(d->out, used ? "  " : "");
        put_inked(d, s->look, mark ? mark[s->look % SERIES_MOST] : "█");
        rk_str_putc(d->out, ' ');
        put_cell(d, RK_INK_PLAIN, s->name, columns - 2, false);
        used += columns + (used ? 2 : 0);
    }
    rk_pen_end_line(&d->pen);
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

/*
 * A character of Braille has two dots across and four down, which gives smooth lines; marks at the points tell series
 * apart where there is no colour.
 */
enum {
    ROWS_NARROW = 12,
    ROWS = 16,
    ROWS_WIDE = 20,
    COLUMNS_MOST = 100, /* wider, and lines get flat */
    ACROSS = 2,         /* dots of a character */
    DOWN = 4,
    MARKS_GAP = 4, /* columns between the marks of one series */
    NAMES_MOST = 36
};

static double dot_x(const drawing *d, size_t i)
{
    return d->plot->x[i] * (double)(d->wide * ACROSS - 1);
}

static double dot_y(const drawing *d, double y)
{
    return (1 - rk_scale_place(&d->plot->y, y)) * (double)(d->rows * DOWN - 1);
}

static field *field_at(const drawing *d, double x, double y)
{
    size_t column = (size_t)fmin(fmax(x, 0) / ACROSS, (double)(d->wide - 1));
    size_t row = (size_t)fmin(fmax(y, 0) / DOWN, (double)(d->rows - 1));

    return &d->at[row * d->wide + column];
}

static void draw_segment(const drawing *d, size_t series, size_t from, size_t to)
{
    static const uint8_t dot[DOWN][ACROSS] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    const double *y = d->plot->series[series].y;
    double x0 = dot_x(d, from), y0 = dot_y(d, y[from]), x1 = dot_x(d, to), y1 = dot_y(d, y[to]);
    double steps = ceil(fmax(fmax(fabs(x1 - x0), fabs(y1 - y0)), 1));

    for (double i = 0; i <= steps; i++) {
        double across = round(x0 + (x1 - x0) * i / steps), down = round(y0 + (y1 - y0) * i / steps);
        field *f = field_at(d, across, down);

        f->dots |= dot[(size_t)fmax(down, 0) % DOWN][(size_t)fmax(across, 0) % ACROSS];
        f->series = series;
    }
}

/* Marks are not at every point where those are many; those of different series begin at different ones. */
static void draw_marks(const drawing *d, size_t series)
{
    const rk_plot *p = d->plot;
    const rk_plot_series *s = &p->series[series];
    size_t step = 1 + p->n_x * MARKS_GAP / (d->wide + 1), first = step > 1 ? series * step / p->n_series : 0;

    for (size_t i = first; i < p->n_x; i += step)
        if (!isnan(s->y[i])) {
            field *f = field_at(d, round(dot_x(d, i)), round(dot_y(d, s->y[i])));

            f->mark = mark_of_series[s->look % SERIES_MOST];
            f->series = series;
        }
}

/* The first series is drawn last: it is the one that is asked for. */
static void draw_lines(const drawing *d)
{
    for (size_t i = d->plot->n_series; i-- > 0;) {
        const double *y = d->plot->series[i].y;

        for (size_t k = 1; k < d->plot->n_x; k++)
            if (!isnan(y[k]) && !isnan(y[k - 1]))
                draw_segment(d, i, k - 1, k);
    }
    for (size_t i = d->plot->n_series; i-- > 0;)
        draw_marks(d, i);
}

/* Each at the end of its line. */
static void place_names(const drawing *d)
{
    size_t order[SERIES_MOST], n = d->plot->n_series;
    double row[SERIES_MOST];

    for (size_t i = 0; i < n; i++) {
        const rk_plot_series *s = &d->plot->series[i];

        row[i] = s->last == RK_PLOT_NOWHERE ? (double)d->rows : dot_y(d, s->y[s->last]) / DOWN;
    }
    rk_plot_sort(row, order, n);
    rk_plot_spread(row, n, 1, (double)d->rows - 1);
    for (size_t i = 0; i < n; i++)
        d->label[(size_t)fmax(row[i], 0)] = 1 + order[i];
}

/* The number at a row of the axis, or NULL. */
static const rk_tick *tick_at(const drawing *d, size_t row)
{
    const rk_scale *y = &d->plot->y;

    for (size_t i = 0; i < y->n_tick; i++) {
        double at = round((1 - rk_scale_place(y, y->tick[i].value)) * (double)(d->rows - 1));

        if (!y->tick[i].minor && (size_t)fmin(fmax(at, 0), (double)(d->rows - 1)) == row)
            return &y->tick[i];
    }
    return NULL;
}

static void put_row(const drawing *d, size_t row)
{
    const rk_tick *tick = tick_at(d, row);

    put_cell(d, RK_INK_PLAIN, tick ? rk_plot_tick_text(d->plot, tick) : "", d->left, true);
    rk_pen_put(&d->pen, RK_INK_FAINT, tick ? " ┤" : " │", strlen(" ┤"));
    for (size_t i = 0; i < d->wide; i++) {
        const field *f = &d->at[row * d->wide + i];
        char braille[4] = {'\xE2', (char)(0xA0 | f->dots >> 6), (char)(0x80 | (f->dots & 0x3F)), '\0'};

        if (f->mark || f->dots)
            put_inked(d, d->plot->series[f->series].look, f->mark ? f->mark : braille);
        else
            rk_str_putc(d->out, ' ');
    }
    if (d->right && d->label[row]) {
        const rk_plot_series *s = &d->plot->series[d->label[row] - 1];

        rk_str_putc(d->out, ' ');
        put_inked(d, s->look, mark_of_series[s->look % SERIES_MOST]);
        rk_str_putc(d->out, ' ');
        put_cell(d, RK_INK_PLAIN, s->name, d->right - 3, false);
    }
    rk_pen_end_line(&d->pen);
}

static size_t column_of(const drawing *d, size_t tick)
{
    return (size_t)round(d->plot->tick.at[tick].place * (double)(d->wide - 1));
}

static void put_axis(const drawing *d)
{
    rk_str axis = {0};
    size_t next = 0, n = d->plot->tick.n;

    rk_str_fill(d->out, ' ', d->left);
    rk_str_put(&axis, " └");
    for (size_t i = 0; i < d->wide; i++) {
        bool marked = false;

        for (; next < n && column_of(d, next) <= i; next++)
            marked |= d->plot->tick.at[next].named;
        rk_str_put(&axis, marked ? "┬" : "─");
    }
    rk_pen_put(&d->pen, RK_INK_FAINT, rk_str_text(&axis), axis.n);
    rk_pen_end_line(&d->pen);
    d->out->failed |= axis.failed;
    rk_str_free(&axis);
}

/* Each name in the middle below its tick, but none beyond the edges of the paper; and below them what they are. */
static void put_places(const drawing *d)
{
    const char *label = d->plot->x_label;
    size_t used = 0, middle = d->left + 2 + d->wide / 2, half = rk_text_width(label) / 2;

    for (size_t i = 0; i < d->plot->tick.n; i++) {
        const char *name = d->plot->tick.at[i].name;
        size_t columns = rk_text_width(name), at = d->left + 2 + column_of(d, i), from;

        from = at > columns / 2 ? at - columns / 2 : 0;
        from = from + columns > d->pen.columns ? d->pen.columns - columns : from;
        if (!d->plot->tick.at[i].named || from < used + (used > 0))
            continue;
        rk_str_fill(d->out, ' ', from - used);
        rk_str_put(d->out, name);
        used = from + columns;
    }
    rk_pen_end_line(&d->pen);
    if (rk_text_width(label) == 0)
        return;
    rk_str_fill(d->out, ' ', middle > half ? middle - half : 0);
    rk_pen_put(&d->pen, RK_INK_FAINT, label, strlen(label));
    rk_pen_end_line(&d->pen);
}

static void put_lines(drawing *d)
{
    rk_plot *p = d->plot;
    size_t columns = d->pen.columns;

    d->left = (size_t)rk_plot_ticks_width(p);
    d->right = columns >= NARROW ? 3 + names_width(p, true, at_most(columns / 3, NAMES_MOST)) : 0;
    d->wide = at_most(columns - d->left - 2 - (d->right ? d->right : 1), COLUMNS_MOST);
    d->rows = columns < NARROW ? ROWS_NARROW : d->wide < COLUMNS_MOST ? ROWS : ROWS_WIDE;
    d->at = RK_NEW_ARRAY(&p->arena, d->wide * d->rows, field);
    d->label = RK_NEW_ARRAY(&p->arena, d->rows, size_t);
    if (!d->at || !d->label)
        return;
    rk_plot_name_ticks(p, 2, (double)(d->wide - 1));
    draw_lines(d);
    place_names(d);
    if (p->y_label[0])
        rk_pen_wrap(&d->pen, RK_INK_FAINT, 0, 0, RK_BREAK_WORDS, p->y_label);
    for (size_t row = 0; row < d->rows; row++)
        put_row(d, row);
    put_axis(d);
    put_places(d);
    if (!d->right)
        put_legend(d, mark_of_series);
}

/* ---- bars: they lie, so that names have room and lengths are seen in eighths of a character --------------------- */

enum {
    GAP = 2,
    BAR_MOST = 100,
    BAR_LEAST = 4
};

/*
 * Bars have at least a little: numbers and names give way where the paper is very narrow.  Above the bars stands what
 * names and numbers are.
 */
static void begin_bars(drawing *d)
{
    const rk_plot *p = d->plot;
    size_t columns = d->pen.columns, numbers;

    d->right = at_most(d->right, columns / 2);
    numbers = d->right ? d->right + 1 : 0;
    d->left = at_most(d->left, columns - GAP - BAR_LEAST - numbers);
    d->wide = at_most(columns - d->left - GAP - numbers, BAR_MOST);
    if (!p->x_label[0] && !p->y_label[0])
        return;
    put_cell(d, RK_INK_FAINT, p->x_label, d->left, !p->chart->word);
    rk_str_put(d->out, "  ");
    put_cell(d, RK_INK_FAINT, p->y_label, columns - d->left - 2, false);
    rk_pen_end_line(&d->pen);
}

/* Of the places, and of what they are if that is not too long. */
static size_t places_width(const drawing *d)
{
    size_t columns = d->pen.columns, names = names_width(d->plot, false, columns / 3);
    size_t label = rk_text_width(d->plot->x_label);

    return label > names && label <= columns / 4 ? label : names;
}

static void make_room_for(drawing *d, double y)
{
    size_t columns = rk_text_width(rk_plot_number(d->plot, y, true));

    d->right = columns > d->right ? columns : d->right;
}

/* From zero to the number, either side: solid where it is a whole half of a character; to the right also in eighths. */
static void put_bar(const drawing *d, const rk_plot_series *series, double y)
{
    const rk_scale *s = &d->plot->y;
    double zero = s->low < 0 ? fmin(rk_scale_place(s, 0), 1) * (double)d->wide : 0;
    double length = rk_scale_place(s, y) * (double)d->wide - zero;
    rk_str bar = {0};

    if (isnan(y)) {
        rk_str_putc(d->out, ' ');
        return;
    }
    zero = round(zero);
    if (length < 0) {
        long halves = lround(2 * fmin(-length, zero)), from = lround(2 * zero) - halves;

        rk_str_fill(&bar, ' ', (size_t)(from / 2));
        rk_str_put(&bar, halves % 2 ? "▐" : "");
        put_times(&bar, "█", (size_t)(halves / 2));
    } else {
        rk_str_fill(&bar, ' ', (size_t)zero);
    }
    if (length > 0 || (length == 0 && y > 0)) {
        length = fmin(length > 0 ? length : 0.125, (double)d->wide - zero);
        rk_str_bar(&bar, (rk_i128)round(length * 8), (rk_i128)d->wide * 8, d->wide);
    }
    put_inked(d, series->look, rk_str_text(&bar));
    rk_str_putc(d->out, ' ');
    d->out->failed |= bar.failed;
    rk_str_free(&bar);
}

/* A group has its place above it, and the names of its series before its bars. */
static void put_bars(drawing *d)
{
    rk_plot *p = d->plot;
    bool grouped = p->n_series > 1;

    d->left = grouped ? 2 + names_width(p, true, d->pen.columns / 3) : places_width(d);
    for (size_t i = 0; i < p->n_series; i++)
        for (size_t at = 0; at < p->n_x; at++)
            make_room_for(d, p->series[i].y[at]);
    begin_bars(d);
    for (size_t at = 0; at < p->n_x; at++) {
        if (grouped) {
            put_cell(d, RK_INK_STRONG, p->x_name[at], d->pen.columns, false);
            rk_pen_end_line(&d->pen);
        }
        for (size_t i = 0; i < p->n_series; i++) {
            const rk_plot_series *s = &p->series[i];
            const char *name = grouped ? rk_arena_format(&p->arena, "  %s", s->name) : p->x_name[at];

            put_cell(d, RK_INK_PLAIN, name ? name : "", d->left, !p->chart->word && !grouped);
            rk_str_fill(d->out, ' ', GAP);
            put_bar(d, s, s->y[at]);
            put_cell(d, RK_INK_PLAIN, rk_plot_number(p, s->y[at], true), d->right, false);
            rk_pen_end_line(&d->pen);
        }
    }
}

/* So many columns in the colour of a series, its number in the middle where it has room. */
static void put_piece(const drawing *d, const rk_plot_series *s, double y, size_t columns)
{
    size_t look = s->look % SERIES_MOST;
    const char *fill = d->pen.colour ? " " : fill_of_series[look], *text = rk_plot_piece(d->plot, y);
    size_t used = rk_text_width(text) + 2, before = columns >= used ? (columns - used) / 2 : columns;
    rk_str piece = {0};

    put_times(&piece, fill, before);
    if (columns >= used) {
        rk_str_format(&piece, " %s ", text);
        put_times(&piece, fill, columns - before - used);
    }
    if (columns && d->pen.colour)
        rk_ink_put_on(d->out, ink_of(d, s->look), rk_str_text(&piece), piece.n);
    else
        rk_str_put(d->out, rk_str_text(&piece));
    d->out->failed |= piece.failed;
    rk_str_free(&piece);
}

static size_t column_at(const drawing *d, double sum)
{
    return (size_t)lround(rk_scale_place(&d->plot->y, sum) * (double)d->wide);
}

static void put_stacks(drawing *d)
{
    rk_plot *p = d->plot;

    d->left = places_width(d);
    for (size_t at = 0; at < p->n_x && p->unit != RK_UNIT_SHARE; at++)
        make_room_for(d, rk_plot_below(p, p->n_series, at));
    begin_bars(d);
    for (size_t at = 0; at < p->n_x; at++) {
        double sum = rk_plot_below(p, p->n_series, at);

        put_cell(d, RK_INK_PLAIN, p->x_name[at], d->left, !p->chart->word);
        rk_str_fill(d->out, ' ', GAP);
        for (size_t i = 0; i < p->n_series; i++) {
            size_t from = column_at(d, rk_plot_below(p, i, at)), to = column_at(d, rk_plot_below(p, i + 1, at));

            put_piece(d, &p->series[i], p->series[i].y[at], to - from);
        }
        if (column_at(d, sum) == 0 && sum > 0)
            rk_str_put(d->out, "▏"); /* what is not nothing is seen */
        if (d->right) {
            rk_str_putc(d->out, ' ');
            put_cell(d, RK_INK_PLAIN, rk_plot_number(p, sum, true), d->right, false);
        }
        rk_pen_end_line(&d->pen);
    }
    put_legend(d, d->pen.colour ? NULL : fill_of_series);
}

/* ---- a grid: each number in its field, on a shade where there is colour, with a small bar where not ------------- */

enum {
    FIELD_GAP = 1,
    SHADES = 8,
    SHADE_WIDE = 2 /* of a field that has no room for its number */
};

static void put_number(const drawing *d, double y)
{
    /* From light to dark, one hue: more is darker on any paper. */
    static const int colour[SHADES] = {195, 153, 117, 75, 33, 26, 19, 17};
    static const char *const bar[SHADES] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const char *text = d->numbers || isnan(y) ? rk_plot_number(d->plot, y, false) : "";
    size_t used = rk_text_width(text), shade;

    if (isnan(y)) {
        put_cell(d, RK_INK_FAINT, text, d->wide - 1, true);
        rk_str_putc(d->out, ' ');
        return;
    }
    shade = (size_t)fmin(fmax(rk_scale_place(&d->plot->y, y), 0) * SHADES, SHADES - 1);
    if (d->pen.colour) {
        rk_str_format(d->out, "\x1b[38;5;%d;48;5;%dm", shade < SHADES / 2 ? 16 : 231, colour[shade]);
        rk_str_fill(d->out, ' ', d->wide > used + 1 ? d->wide - used - 1 : 0);
        rk_str_put(d->out, text);
        rk_str_fill(d->out, ' ', d->wide > used ? 1 : 0);
        rk_str_put(d->out, "\x1b[0m");
    } else {
        put_cell(d, RK_INK_PLAIN, text, d->numbers ? d->wide - 2 : 0, true);
        rk_str_format(d->out, " %s", bar[shade]);
    }
}

/* A name that has no room above its field stands above every second one, or third. */
static void put_heads(const drawing *d)
{
    const rk_plot *p = d->plot;
    size_t gap = d->numbers ? FIELD_GAP : 0, each = d->wide + gap;
    size_t step = (names_width(p, false, d->pen.columns) + each) / each;

    rk_str_fill(d->out, ' ', d->left);
    for (size_t at = 0; at < p->n_x; at += step) {
        size_t fields = at_most(step, p->n_x - at);

        rk_str_fill(d->out, ' ', gap ? gap : at == 0);
        put_cell(d, RK_INK_PLAIN, fields == step ? p->x_name[at] : "", fields * each - gap, d->numbers);
    }
    rk_pen_end_line(&d->pen);
}

static void put_caption(const drawing *d)
{
    const rk_plot *p = d->plot;
    rk_str text = {0};

    rk_str_put(&text, p->y_label);
    if (p->x_label[0])
        rk_str_format(&text, "%sacross: %s", text.n ? ", " : "", p->x_label);
    if (p->series_label[0])
        rk_str_format(&text, "%sdown: %s", text.n ? ", " : "", p->series_label);
    if (text.n)
        rk_pen_wrap(&d->pen, RK_INK_FAINT, 0, 0, RK_BREAK_WORDS, rk_str_text(&text));
    d->out->failed |= text.failed;
    rk_str_free(&text);
}

static void put_grid(drawing *d)
{
    rk_plot *p = d->plot;
    const double end[] = {p->y.low, p->y.high};

    d->left = names_width(p, true, d->pen.columns / 3);
    d->wide = names_width(p, false, 12);
    for (size_t i = 0; i < p->n_series; i++)
        for (size_t at = 0; at < p->n_x; at++) {
            size_t used = rk_text_width(rk_plot_number(p, p->series[i].y[at], false));

            d->wide = used > d->wide ? used : d->wide;
        }
    d->wide += 2;
    d->numbers = d->left + p->n_x * (d->wide + FIELD_GAP) <= d->pen.columns;
    d->wide = d->numbers ? d->wide : SHADE_WIDE;
    put_caption(d);
    put_heads(d);
    for (size_t row = 0; row < p->n_series; row++) {
        put_cell(d, RK_INK_PLAIN, p->series[row].name, d->left, true);
        for (size_t at = 0; at < p->n_x; at++) {
            rk_str_fill(d->out, ' ', d->numbers || at == 0 ? FIELD_GAP : 0);
            put_number(d, p->series[row].y[at]);
        }
        rk_pen_end_line(&d->pen);
    }
    /* Without numbers in the fields, what the least and the greatest shade mean. */
    for (size_t i = 0; i < 2 && !d->numbers; i++) {
        put_number(d, end[i]);
        rk_str_putc(d->out, ' ');
        put_cell(d, RK_INK_PLAIN, rk_plot_number(p, end[i], true), d->pen.columns - SHADE_WIDE - 1, false);
        rk_pen_end_line(&d->pen);
    }
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static void put_paragraph(const drawing *d, rk_ink ink, const char *text)
{
    rk_str safe = {0};

    rk_str_put_safe(&safe, text ? text : "", text ? strlen(text) : 0);
    if (safe.n)
        rk_pen_wrap(&d->pen, ink, 0, 0, RK_BREAK_WORDS, rk_str_text(&safe));
    d->out->failed |= safe.failed;
    rk_str_free(&safe);
}

void rk_chart_text(const rk_chart *c, const rk_paper *paper, rk_str *out)
{
    rk_plot plot;
    drawing d = {.plot = &plot, .pen = rk_pen_new(NULL, paper, out), .out = out};
    /* A field of a grid needs two columns, beside names that take a third of the paper. */
    size_t columns = d.pen.columns, fields = c->kind == RK_CHART_GRID ? (columns - columns / 3 - 1) / 2 : PLACES_MOST;
    const rk_plot_limits limits = {.lines = SERIES_MOST,
                                   .layers = SERIES_MOST,
                                   .rows = ROWS_MOST,
                                   .points = 2 * columns, /* the dots of a character */
                                   .places = at_most(fields, PLACES_MOST),
                                   .ticks = 5,
                                   .snug = true,
                                   .width = width};

    if (rk_plot_new(&plot, c, &limits)) {
        put_paragraph(&d, RK_INK_STRONG, c->title);
        put_paragraph(&d, RK_INK_FAINT, c->subtitle);
        if (plot.empty)
            put_paragraph(&d, RK_INK_FAINT, "(there are no numbers to draw)");
        else if (plot.kind == RK_CHART_LINES)
            put_lines(&d);
        else if (plot.kind == RK_CHART_GRID)
            put_grid(&d);
        else if (plot.stacked)
            put_stacks(&d);
        else
            put_bars(&d);
        if (plot.note[0])
            put_paragraph(&d, RK_INK_FAINT, rk_arena_format(&plot.arena, "(%s)", plot.note));
    }
    out->failed |= plot.arena.failed;
    rk_arena_free(&plot.arena);
}
