/* SPDX-License-Identifier: MIT */
/* The writer that draws a page for a terminal. */
#include "report/text.h"

enum {
    PROSE_MOST = 100, /* longer lines are hard to read */
    NARROW = 40,      /* below this, indents are small */
    FORMULA_LEAST = 16
};

/* ---- the pen ---------------------------------------------------------------------------------------------------- */

rk_pen rk_pen_new(const rk_page *p, const rk_paper *paper, rk_str *out)
{
    size_t columns = paper->columns ? paper->columns : RK_PAPER_COLUMNS;

    columns = columns < RK_PAPER_COLUMNS_LEAST ? RK_PAPER_COLUMNS_LEAST : columns;
    return (rk_pen){p, columns, columns < NARROW ? 1 : 2, paper->colour, false, out};
}

void rk_pen_put(const rk_pen *pen, rk_ink ink, const char *text, size_t n)
{
    /* Of the sixteen colours, those that are read on light and on dark alike. */
    static const char *const code[] = {
        [RK_INK_STRONG] = "1", [RK_INK_FAINT] = "2", [RK_INK_BAR] = "36", [RK_INK_CODE] = "36"};
    bool colour = pen->colour && ink != RK_INK_PLAIN && n > 0;

    if (colour)
        rk_str_format(pen->out, "\x1b[%sm", code[ink]);
    rk_str_putn(pen->out, text, n);
    if (colour)
        rk_str_put(pen->out, "\x1b[0m");
}

void rk_pen_end_line(const rk_pen *pen)
{
    rk_str *out = pen->out;

    while (out->n > 0 && out->text[out->n - 1] == ' ')
        out->text[--out->n] = '\0';
    rk_str_putc(out, '\n');
}

static bool is_begun(const rk_str *out)
{
    return out->n > 0 && out->text[out->n - 1] != '\n';
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

        rk_str_fill(pen->out, ' ', is_begun(pen->out) ? 0 : before);
        rk_pen_put(pen, ink, text, n);
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

/* The remark behind an equation, or below it where there is no room. */
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
    rk_str right = {0}, value = {0};

    rk_cell_put(pen->page, &item->cell, false, &right);
    rk_cell_put(pen->page, &item->value, false, &value);
    /* The number stands behind the formula, or on a line of its own where they do not fit on one. */
    if (value.n > 0 && at + rk_text_width(rk_str_text(&right)) + 3 + value.n <= pen->columns) {
        rk_str_format(&right, " = %s", rk_str_text(&value));
        rk_str_reset(&value);
    }
    used = rk_pen_wrap(pen, RK_INK_PLAIN, at, pen->indent, RK_BREAK_FORMULA, rk_str_text(&right));
    if (value.n > 0)
        used = rk_pen_wrap(pen, RK_INK_PLAIN, put_left(pen, "", indent, left), 0, RK_BREAK_NAME, rk_str_text(&value));
    if (item->note)
        put_note(pen, item->note, at, used);
    pen->out->failed |= right.failed || value.failed;
    rk_str_free(&right);
    rk_str_free(&value);
}

/* ---- items ------------------------------------------------------------------------------------------------------ */

/* A line of a model file, and where it is from. */
static void put_code(const rk_pen *pen, const rk_item *item)
{
    size_t indent = (size_t)item->indent * pen->indent;
    size_t used = rk_pen_wrap(pen, RK_INK_CODE, indent, 2 * pen->indent, RK_BREAK_WORDS, item->text);

    if (item->note)
        put_note(pen, item->note, indent + 2 * pen->indent, used);
}

static void put_prose(const rk_pen *pen, const rk_item *item)
{
    static const rk_ink ink[] = {
        [RK_ITEM_TITLE] = RK_INK_STRONG, [RK_ITEM_HEADING] = RK_INK_STRONG, [RK_ITEM_NOTE] = RK_INK_FAINT};
    rk_breaks how = item->kind == RK_ITEM_LIST ? RK_BREAK_LIST : RK_BREAK_WORDS;
    rk_pen prose = *pen;
    rk_str safe = {0};

    prose.columns = prose.columns > PROSE_MOST ? PROSE_MOST : prose.columns;
    rk_str_put_safe(&safe, item->text, strlen(item->text));
    rk_pen_wrap(&prose, ink[item->kind], (size_t)item->indent * pen->indent, 0, how, rk_str_text(&safe));
    pen->out->failed |= safe.failed;
    rk_str_free(&safe);
}

void rk_page_text(const rk_page *p, const rk_paper *paper, rk_str *out)
{
    rk_pen pen = rk_pen_new(p, paper, out);

    for (size_t i = 0; i < p->item.n && !out->failed; i++) {
        const rk_item *item = &p->item.at[i];

        switch (item->kind) {
        case RK_ITEM_PICTURE:
            break;
        case RK_ITEM_GAP:
            rk_str_putc(out, '\n');
            break;
        case RK_ITEM_TABLE:
            rk_pen_table(&pen, item->table);
            break;
        case RK_ITEM_EQUATION:
            rk_pen_equation(&pen, i);
            break;
        case RK_ITEM_CODE:
            put_code(&pen, item);
            break;
        default:
            put_prose(&pen, item);
            break;
        }
    }
}
