/* SPDX-License-Identifier: MIT */
/* Tables drawn as text: aligned by the columns that characters occupy, not by bytes. */
#include "report/text.h"

#include "report/figure.h"
#include "report/layout.h"

enum {
    HANG = 2 /* of the later lines of a name or a formula */
};

typedef struct drawing {
    const rk_pen *pen;
    const rk_table *table;
    rk_layout layout;
    rk_str cell[RK_PAGE_COLUMNS_MAX]; /* of the row being drawn */
    size_t at[RK_PAGE_COLUMNS_MAX];   /* how much of each is drawn */
} drawing;

/* ---- cells ------------------------------------------------------------------------------------------------------ */

static rk_breaks breaks_of(const rk_cell *c)
{
    static const rk_breaks how[] = {
        [RK_CELL_CODE] = RK_BREAK_NAME, [RK_CELL_COUNT] = RK_BREAK_NAME, [RK_CELL_FORMULA] = RK_BREAK_FORMULA};

    return how[c->kind];
}

static rk_ink ink_of(const rk_row *row, size_t column)
{
    if (row->cell[column].kind == RK_CELL_BAR)
        return RK_INK_BAR;
    if (row->kind == RK_ROW_TOTAL || (row->kind == RK_ROW_PART && column == 0))
        return RK_INK_STRONG;
    return RK_INK_PLAIN;
}

static void begin_row(drawing *d, const rk_row *row)
{
    for (size_t c = 0; c < d->table->n_column; c++) {
        rk_str_reset(&d->cell[c]);
        d->at[c] = 0;
        if (d->layout.width[c] && row->cell[c].kind == RK_CELL_BAR)
            rk_str_bar(&d->cell[c], row->cell[c].number, row->cell[c].whole, d->layout.width[c]);
        else if (d->layout.width[c])
            rk_cell_put(d->pen->page, &row->cell[c], d->layout.brief, &d->cell[c]);
        d->pen->out->failed |= d->cell[c].failed;
    }
}

static const char *rest_of(const drawing *d, size_t c)
{
    return rk_str_text(&d->cell[c]) + d->at[c];
}

/* Where a line of a cell begins within its column. */
static size_t indent_of(const drawing *d, const rk_row *row, size_t c)
{
    bool hangs = d->at[c] > 0 && (c == 0 || row->cell[c].kind == RK_CELL_FORMULA);

    return (c == 0 ? (size_t)(row->indent * RK_LAYOUT_INDENT) : 0) + (hangs ? HANG : 0);
}

/* The next line of a cell, in `width` columns. */
static void put_line(drawing *d, const rk_row *row, size_t c, size_t width)
{
    const char *text = rest_of(d, c);
    size_t before = *text ? indent_of(d, row, c) : 0, next = 0;
    size_t n = rk_wrap(text, width > before ? width - before : 1, breaks_of(&row->cell[c]), &next);
    rk_str piece = {0};
    size_t used, room;

    rk_str_putn(&piece, text, n);
    used = rk_text_width(rk_str_text(&piece)) + before;
    room = width > used ? width - used : 0;
    rk_str_fill(d->pen->out, ' ', before + (d->table->column[c].right ? room : 0));
    rk_pen_put(d->pen, ink_of(row, c), text, n);
    rk_str_fill(d->pen->out, ' ', (d->table->column[c].right ? 0 : room) + RK_LAYOUT_GAP);
    d->at[c] += next;
    d->pen->out->failed |= piece.failed;
    rk_str_free(&piece);
}

static bool is_done(const drawing *d)
{
    for (size_t c = 0; c < d->table->n_column; c++)
        if (*rest_of(d, c))
            return false;
    return true;
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

/* Side by side, over as many lines as the longest cell needs. */
static void put_row(drawing *d, const rk_row *row)
{
    begin_row(d, row);
    do {
        for (size_t c = 0; c < d->table->n_column; c++)
            if (d->layout.width[c])
                put_line(d, row, c, d->layout.width[c]);
        rk_pen_end_line(d->pen);
    } while (!is_done(d) && !d->pen->out->failed);
}

/* A number at the right end of a line, its head at the left where there is room. */
static void put_number_line(drawing *d, const rk_row *row, size_t c)
{
    const char *head = d->table->column[c].head;
    size_t used = head[0] ? HANG + rk_text_width(head) : 0;
    bool beside = used > 0 && d->at[c] == 0 && used + HANG + rk_text_width(rest_of(d, c)) <= d->pen->columns;

    rk_str_fill(d->pen->out, ' ', beside ? HANG : 0);
    rk_pen_put(d->pen, RK_INK_FAINT, head, beside ? strlen(head) : 0);
    put_line(d, row, c, d->pen->columns - (beside ? used : 0));
}

/* Below each other. */
static void put_stacked(drawing *d, const rk_row *row)
{
    begin_row(d, row);
    for (size_t c = 0; c < d->table->n_column; c++) {
        size_t indent = c == 0 ? 0 : (size_t)(row->indent + 1) * HANG;

        while (*rest_of(d, c) && !d->pen->out->failed) {
            if (d->table->column[c].right) {
                put_number_line(d, row, c);
            } else {
                rk_str_fill(d->pen->out, ' ', indent);
                put_line(d, row, c, d->pen->columns - indent);
            }
            rk_pen_end_line(d->pen);
        }
    }
}

static void put_head_cell(const drawing *d, size_t c)
{
    const char *head = d->table->column[c].head;
    size_t width = d->layout.width[c], used = rk_text_width(head), room = width > used ? width - used : 0;

    rk_str_fill(d->pen->out, ' ', d->table->column[c].right ? room : 0);
    rk_pen_put(d->pen, RK_INK_FAINT, head, strlen(head));
    rk_str_fill(d->pen->out, ' ', (d->table->column[c].right ? 0 : room) + RK_LAYOUT_GAP);
}

static void put_head(const drawing *d)
{
    size_t start = d->pen->out->n, n_column = d->layout.stacked ? 1 : d->table->n_column;
    bool any = false;

    for (size_t c = 0; c < n_column; c++) {
        any |= d->layout.width[c] && d->table->column[c].head[0];
        if (d->layout.width[c])
            put_head_cell(d, c);
    }
    if (any)
        rk_pen_end_line(d->pen);
    else
        d->pen->out->n = start;
}

/* As wide as the table. */
static void put_rule(const drawing *d)
{
    size_t width = d->layout.stacked ? d->pen->columns : rk_layout_width(d->table, &d->layout);
    rk_str rule = {0};

    for (size_t i = 0; i < width; i++)
        rk_str_put(&rule, "─");
    rk_pen_put(d->pen, RK_INK_FAINT, rk_str_text(&rule), rule.n);
    rk_pen_end_line(d->pen);
    d->pen->out->failed |= rule.failed;
    rk_str_free(&rule);
}

/* Columns that the paper had no room for are named: nothing goes without a word. */
static void put_left_out(const drawing *d)
{
    rk_str names = {0};

    for (size_t c = 0; c < d->table->n_column; c++) {
        const rk_column *column = &d->table->column[c];

        if (!d->layout.width[c] && d->layout.natural[c] && column->head && column->head[0])
            rk_str_format(&names, "%s%s", names.n ? ", " : "(no room here for: ", column->head);
    }
    if (names.n) {
        rk_str_putc(&names, ')');
        rk_pen_wrap(d->pen, RK_INK_FAINT, 0, 1, RK_BREAK_WORDS, rk_str_text(&names));
    }
    d->pen->out->failed |= names.failed;
    rk_str_free(&names);
}

void rk_pen_table(const rk_pen *pen, const rk_table *t)
{
    drawing d = {.pen = pen, .table = t, .layout = rk_layout_fit(pen->page, t, pen->columns)};
    rk_row_kind before = RK_ROW_TOTAL;

    if (rk_layout_width(t, &d.layout) == 0) /* it is for programs alone */
        return;
    put_head(&d);
    for (size_t r = 0; r < t->row.n && !pen->out->failed; r++) {
        const rk_row *row = &t->row.at[r];

        if (row->kind == RK_ROW_TOTAL && before != RK_ROW_TOTAL)
            put_rule(&d);
        if (d.layout.stacked)
            put_stacked(&d, row);
        else
            put_row(&d, row);
        before = row->kind;
    }
    put_left_out(&d);
    for (size_t c = 0; c < t->n_column; c++)
        rk_str_free(&d.cell[c]);
}
