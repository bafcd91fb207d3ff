/* SPDX-License-Identifier: MIT */
/* The writer that draws a page for a terminal. */
#include "report/text.h"

#include "report/figure.h"
#include "report/layout.h"

enum {
    PROSE_MOST = 100, /* longer lines are hard to read */
    NARROW = 40,      /* below this, indents are small */
    FORMULA_LEAST = 16,
    HANG = 2 /* of the later lines of a name or a formula in a table */
};

/* ---- the pen ---------------------------------------------------------------------------------------------------- */

rk_pen rk_pen_new(const rk_page *p, const rk_paper *paper, rk_str *out)
{
    size_t columns = paper->columns ? paper->columns : RK_PAPER_COLUMNS;

    columns = columns < RK_PAPER_COLUMNS_LEAST ? RK_PAPER_COLUMNS_LEAST : columns;
    return (rk_pen){p, columns, columns < NARROW ? 1 : 2, paper->colour, false, false, out};
}

void rk_pen_put(const rk_pen *pen, rk_ink ink, const char *text, size_t n)
{
    rk_ink_put(pen->out, pen->colour ? ink : RK_INK_PLAIN, text, n);
}

/* Where the next option begins that a sentence names, "--count", and how long it is; n where there is none. */
static size_t find_option(const char *text, size_t n, size_t *length)
{
    for (size_t i = 0; i + 2 < n; i++)
        if (text[i] == '-' && text[i + 1] == '-' && (i == 0 || strchr(" (", text[i - 1]))) {
            for (*length = 2; i + *length < n && !strchr(" ,;:.)=", text[i + *length]);)
                ++*length;
            return i;
        }
    *length = 0;
    return n;
}

/* A line of a sentence, its options as what can be typed. */
static void put_words(const rk_pen *pen, rk_ink ink, const char *text, size_t n)
{
    size_t option = 0, at;

    if (!pen->prose || !pen->colour) {
        rk_pen_put(pen, ink, text, n);
        return;
    }
    for (; n > 0; text += at + option, n -= at + option) {
        at = find_option(text, n, &option);
        rk_pen_put(pen, ink, text, at);
        rk_pen_put(pen, RK_INK_TYPE, text + at, option);
    }
}

void rk_pen_end_line(const rk_pen *pen)
{
    rk_str *out = pen->out;

    while (out->n > 0 && out->text[out->n - 1] == ' ')
        out->text[--out->n] = '\0';
    rk_str_putc(out, '\n');
}

static size_t width_of(const char *text, size_t n, rk_str *out)
{
    rk_str piece = {0};
    size_t width;

    rk_str_putn(&piece, text, n);
    width = rk_text_width(rk_str_text(&piece));
    out->failed |= piece.failed;
    rk_str_free(&piece);
    return width;
}

size_t rk_pen_wrap(const rk_pen *pen, rk_ink ink, size_t indent, size_t hang, rk_breaks how, const char *text)
{
    size_t next = 0, used = 0, lines = 0;

    do {
        size_t before = indent + (lines++ ? hang : 0);
        size_t n = rk_wrap(text, pen->columns > before ? pen->columns - before : 1, how, &next);
        bool begun = pen->out->n > 0 && pen->out->text[pen->out->n - 1] != '\n';

        rk_str_fill(pen->out, ' ', begun ? 0 : before);
        put_words(pen, ink, text, n);
        used = before + width_of(text, n, pen->out);
        rk_pen_end_line(pen);
        text += next;
    } while (*text && !pen->out->failed);
    return used;
}

/* ---- equations -------------------------------------------------------------------------------------------------- */

/* The widest left side of the equations around item i that follow each other. */
static size_t left_width(const rk_page *p, size_t i)
{
    size_t widest = 0, first;

    while (rk_page_goes_on(p, i))
        i--;
    for (first = i; i == first || rk_page_goes_on(p, i); i++) {
        size_t w = p->item.at[i].text ? rk_text_width(p->item.at[i].text) : 0;

        widest = w > widest ? w : widest;
    }
    return widest;
}

/* The remark after an equation, or below it where there is no room. */
static void put_note(const rk_pen *pen, const char *note, size_t indent, size_t used)
{
    rk_str *out = pen->out;

    if (used + 3 + rk_text_width(note) > pen->columns) {
        rk_pen_wrap(pen, RK_INK_FAINT, indent, 0, RK_BREAK_WORDS, note);
        return;
    }
    out->n -= out->n > 0; /* goes on in the line just ended */
    rk_str_put(out, "   ");
    rk_pen_put(pen, RK_INK_FAINT, note, strlen(note));
    rk_str_putc(out, '\n');
}

/* The left side, on lines of its own where it would leave no room beside it, and the sign; where the rest begins. */
static size_t put_left(const rk_pen *pen, const char *text, size_t indent, size_t left)
{
    bool alone = left > pen->indent && indent + left + 3 + FORMULA_LEAST > pen->columns;

    if (alone && text[0])
        rk_pen_wrap(pen, RK_INK_PLAIN, indent, pen->indent, RK_BREAK_NAME, text);
    rk_str_fill(pen->out, ' ', indent + (alone ? pen->indent : 0));
    if (!alone) {
        rk_str_put(pen->out, text);
        rk_str_fill(pen->out, ' ', left - rk_text_width(text));
    }
    rk_str_put(pen->out, alone || left == 0 ? "= " : " = ");
    return indent + (alone ? pen->indent + 2 : left + (left ? 3 : 2));
}

void rk_pen_equation(const rk_pen *pen, size_t i)
{
    const rk_item *item = &pen->page->item.at[i];
    size_t indent = pen->flush ? 0 : (size_t)item->indent * pen->indent, left = left_width(pen->page, i);
    size_t at = put_left(pen, item->text ? item->text : "", indent, left), used;
    const char *right = rk_cell_shown(pen->page, &item->cell, false);
    const char *value = rk_cell_shown(pen->page, &item->value, false);

    /* The number stands after the formula, or on a line of its own where they do not fit on one. */
    if (value[0] && at + rk_text_width(right) + 3 + strlen(value) <= pen->columns) {
        const char *both = rk_arena_format(pen->page->arena, "%s = %s", right, value);

        right = both ? both : "";
        value = "";
    }
    used = rk_pen_wrap(pen, RK_INK_PLAIN, at, pen->indent, RK_BREAK_FORMULA, right);
    if (value[0])
        used = rk_pen_wrap(pen, RK_INK_PLAIN, put_left(pen, "", indent, left), 0, RK_BREAK_NAME, value);
    if (item->note)
        put_note(pen, item->note, at, used);
}

/* ---- tables, aligned by the columns that characters occupy, not by bytes ---------------------------------------- */

typedef struct drawing {
    const rk_pen *pen;
    const rk_table *table;
    rk_layout layout;
    rk_str cell[RK_PAGE_COLUMNS_MAX]; /* of the row being drawn */
    size_t at[RK_PAGE_COLUMNS_MAX];   /* how much of each is drawn */
} drawing;

static rk_ink ink_of(const rk_table *t, const rk_row *row, size_t column)
{
    const rk_cell *name = &row->cell[0];

    if (row->cell[column].kind == RK_CELL_BAR)
        return rk_ink_of_thing(name->text ? name->text : "");
    if (t->column[column].typed)
        return RK_INK_TYPE;
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
            rk_layout_put(d->pen->page, d->table, &d->layout, row, c, &d->cell[c]);
        d->pen->out->failed |= d->cell[c].failed;
    }
}

static const char *rest_of(const drawing *d, size_t c)
{
    return rk_str_text(&d->cell[c]) + d->at[c];
}

/* Some bytes, `used` columns wide, in `width` columns and the gap after them. */
static void put_aligned(const drawing *d, rk_ink ink, size_t c, const char *text, size_t n, size_t used, size_t width)
{
    size_t room = width > used ? width - used : 0;
    bool right = d->table->column[c].right;

    rk_str_fill(d->pen->out, ' ', right ? room : 0);
    rk_pen_put(d->pen, ink, text, n);
    rk_str_fill(d->pen->out, ' ', (right ? 0 : room) + RK_LAYOUT_GAP);
}

/* The next line of a cell, in `width` columns. */
static void put_line(drawing *d, const rk_row *row, size_t c, size_t width)
{
    static const rk_breaks breaks[RK_N_CELL] = {
        [RK_CELL_CODE] = RK_BREAK_NAME, [RK_CELL_COUNT] = RK_BREAK_NAME, [RK_CELL_FORMULA] = RK_BREAK_FORMULA};
    rk_cell_kind kind = row->cell[c].kind;
    const char *text = rest_of(d, c);
    size_t before = 0, next = 0, n;

    if (*text && c == 0)
        before = (size_t)(row->indent * RK_LAYOUT_INDENT);
    if (*text && d->at[c] > 0 && (c == 0 || kind == RK_CELL_FORMULA))
        before += HANG;
    n = rk_wrap(text, width > before ? width - before : 1, breaks[kind], &next);
    rk_str_fill(d->pen->out, ' ', before);
    put_aligned(d, ink_of(d->table, row, c), c, text, n, before + width_of(text, n, d->pen->out), width);
    d->at[c] += next;
}

/* Side by side, over as many lines as the longest cell needs. */
static void put_row(drawing *d, const rk_row *row)
{
    bool more = true;

    begin_row(d, row);
    while (more && !d->pen->out->failed) {
        more = false;
        for (size_t c = 0; c < d->table->n_column; c++) {
            if (d->layout.width[c])
                put_line(d, row, c, d->layout.width[c]);
            more |= *rest_of(d, c) != '\0';
        }
        rk_pen_end_line(d->pen);
    }
}

/* Below each other; a number at the right end of a line, its head at the left where there is room. */
static void put_stacked(drawing *d, const rk_row *row)
{
    begin_row(d, row);
    for (size_t c = 0; c < d->table->n_column; c++) {
        const char *head = d->table->column[c].right ? d->table->column[c].head : "";

        while (*rest_of(d, c) && !d->pen->out->failed) {
            size_t used = head[0] ? HANG + rk_text_width(head) : 0;

            if (d->at[c] > 0 || used + HANG + rk_text_width(rest_of(d, c)) > d->pen->columns)
                used = 0;
            if (used > 0) {
                rk_str_fill(d->pen->out, ' ', HANG);
                rk_pen_put(d->pen, RK_INK_FAINT, head, strlen(head));
            } else if (c > 0 && !d->table->column[c].right) {
                used = (size_t)(row->indent + 1) * HANG;
                rk_str_fill(d->pen->out, ' ', used);
            }
            put_line(d, row, c, d->pen->columns - used);
            rk_pen_end_line(d->pen);
        }
    }
}

/* Nothing where no column has one. */
static void put_head(const drawing *d)
{
    size_t n_column = d->layout.stacked ? 1 : d->table->n_column;
    bool any = false;

    for (size_t c = 0; c < n_column; c++)
        any |= d->layout.width[c] && d->table->column[c].head[0];
    for (size_t c = 0; any && c < n_column; c++) {
        const char *head = d->table->column[c].head;

        if (d->layout.width[c])
            put_aligned(d, RK_INK_FAINT, c, head, strlen(head), rk_text_width(head), d->layout.width[c]);
    }
    if (any)
        rk_pen_end_line(d->pen);
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
        const rk_field *column = &d->table->column[c];

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

static void put_table(const rk_pen *pen, const rk_table *t)
{
    drawing d = {.pen = pen, .table = t, .layout = rk_layout_fit(pen->page, t, pen->columns, true)};

    if (rk_layout_width(t, &d.layout) == 0) /* it is for programs alone */
        return;
    put_head(&d);
    for (size_t r = 0; r < t->row.n && !pen->out->failed; r++) {
        if (rk_row_is_ruled(t, r))
            put_rule(&d);
        if (d.layout.stacked)
            put_stacked(&d, &t->row.at[r]);
        else
            put_row(&d, &t->row.at[r]);
    }
    put_left_out(&d);
    for (size_t c = 0; c < t->n_column; c++)
        rk_str_free(&d.cell[c]);
}

/* ---- items ------------------------------------------------------------------------------------------------------ */

static void put_prose(const rk_pen *pen, const rk_item *item)
{
    static const rk_ink ink[] = {
        [RK_ITEM_TITLE] = RK_INK_TITLE,
        [RK_ITEM_HEADING] = RK_INK_STRONG,
        [RK_ITEM_NOTE] = RK_INK_FAINT,
        [RK_ITEM_WARNING] = RK_INK_WARNING,
    };
    rk_breaks how = item->kind == RK_ITEM_LIST ? RK_BREAK_LIST : RK_BREAK_WORDS;
    rk_pen prose = *pen;

    prose.prose = true;
    prose.columns = prose.columns > PROSE_MOST ? PROSE_MOST : prose.columns;
    rk_pen_wrap(&prose, ink[item->kind], (size_t)item->indent * pen->indent, 0, how, item->text);
}

void rk_page_text(rk_page *p, rk_str *out)
{
    rk_pen pen = rk_pen_new(p, &p->paper, out);

    rk_page_settle(p, 0);
    for (size_t i = 0; i < p->item.n && !out->failed; i++) {
        const rk_item *item = &p->item.at[i];
        size_t indent, used;

        switch (item->kind) {
        case RK_ITEM_PICTURE:
            break;
        case RK_ITEM_GAP:
            rk_str_putc(out, '\n');
            break;
        case RK_ITEM_TABLE:
            put_table(&pen, item->table);
            break;
        case RK_ITEM_EQUATION:
            rk_pen_equation(&pen, i);
            break;
        case RK_ITEM_CODE:
            if (item->span) {
                rk_marked_text(&pen, item);
                break;
            }
            indent = (size_t)item->indent * pen.indent;
            used = rk_pen_wrap(&pen, RK_INK_TYPE, indent, 2 * pen.indent, RK_BREAK_WORDS, item->text);
            if (item->note) /* where it is from */
                put_note(&pen, item->note, indent + 2 * pen.indent, used);
            break;
        default:
            put_prose(&pen, item);
            break;
        }
    }
    /* Pictures come last: of a terminal the end is seen. */
    for (size_t i = 0; i < p->item.n && !out->failed; i++) {
        const rk_picture *picture = &p->item.at[i].picture;

        if (p->item.at[i].kind != RK_ITEM_PICTURE || !picture->text)
            continue;
        rk_str_putc(out, '\n');
        picture->text(picture->data, &p->paper, out);
    }
    out->failed |= p->arena->failed;
}
