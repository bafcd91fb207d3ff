/* SPDX-License-Identifier: MIT */
/* The writer that draws a page for a terminal: aligned by the columns that characters occupy, not by bytes. */
#include "report/page.h"

#include "report/figure.h"

#include <string.h>

enum {
    INDENT = 2,
    COLUMN_GAP = 2
};

static void put_cell(const rk_page *p, const rk_cell *c, rk_str *out)
{
    switch (c->kind) {
    case RK_CELL_NOTHING:
        break;
    case RK_CELL_TEXT:
    case RK_CELL_CODE:
        rk_str_put_safe(out, c->text, strlen(c->text));
        break;
    case RK_CELL_COUNT:
        rk_str_grouped(out, c->number);
        break;
    case RK_CELL_SHARE:
        rk_str_share(out, c->number, c->whole);
        break;
    case RK_CELL_FORMULA:
        rk_ex_print(p->pool, c->formula, RK_PRINT_TEXT | c->style, out);
        break;
    }
}

static size_t cell_width(const rk_page *p, const rk_cell *c, rk_str *scratch)
{
    rk_str_reset(scratch);
    put_cell(p, c, scratch);
    return rk_text_width(rk_str_text(scratch));
}

/* Spaces at the end of a line are no one's. */
static void end_line(rk_str *out)
{
    while (out->n > 0 && out->text[out->n - 1] == ' ')
        out->text[--out->n] = '\0';
    rk_str_putc(out, '\n');
}

/* ---- tables ----------------------------------------------------------------------------------------------------- */

typedef struct drawing {
    const rk_page *page;
    const rk_table *table;
    size_t width[RK_PAGE_COLUMNS_MAX]; /* 0: nothing in it, so it is not drawn */
    rk_str scratch;
    rk_str *out;
} drawing;

static void measure(drawing *d)
{
    const rk_table *t = d->table;

    for (size_t c = 0; c < t->n_column; c++) {
        for (size_t r = 0; r < t->row.n; r++) {
            const rk_row *row = &t->row.at[r];
            size_t w = cell_width(d->page, &row->cell[c], &d->scratch);

            w += w && c == 0 ? (size_t)(row->indent * INDENT) : 0;
            d->width[c] = w > d->width[c] ? w : d->width[c];
        }
        size_t head = rk_text_width(t->column[c].head);

        if (d->width[c] > 0 && head > d->width[c])
            d->width[c] = head;
    }
}

/* A text in its column; `text` is what d->scratch or the head holds. */
static void put_in_column(drawing *d, size_t c, int indent, const char *text)
{
    size_t before = (size_t)(indent * INDENT);
    size_t used = rk_text_width(text) + before;
    size_t room = d->width[c] > used ? d->width[c] - used : 0;

    rk_str_fill(d->out, ' ', before + (d->table->column[c].right ? room : 0));
    rk_str_put(d->out, text);
    rk_str_fill(d->out, ' ', (d->table->column[c].right ? 0 : room) + COLUMN_GAP);
}

static void put_head(drawing *d)
{
    size_t start = d->out->n;

    for (size_t c = 0; c < d->table->n_column; c++)
        if (d->width[c] > 0)
            put_in_column(d, c, 0, d->table->column[c].head);
    if (d->out->n > start && strspn(rk_str_text(d->out) + start, " ") < d->out->n - start)
        end_line(d->out);
    else
        d->out->n = start;
}

static void put_row(drawing *d, const rk_row *row)
{
    for (size_t c = 0; c < d->table->n_column; c++) {
        if (d->width[c] == 0)
            continue;
        rk_str_reset(&d->scratch);
        put_cell(d->page, &row->cell[c], &d->scratch);
        put_in_column(d, c, c == 0 ? row->indent : 0, rk_str_text(&d->scratch));
    }
    end_line(d->out);
}

/* As wide as the columns of names and numbers; formulas at the end have any length. */
static void put_rule(drawing *d)
{
    size_t width = 0, last = 0;

    for (size_t c = 0; c < d->table->n_column; c++)
        last = d->table->column[c].right && d->width[c] > 0 ? c : last;
    for (size_t c = 0; c <= last; c++)
        width += d->width[c] > 0 ? d->width[c] + COLUMN_GAP : 0;
    for (size_t i = COLUMN_GAP; i < width; i++)
        rk_str_put(d->out, "─");
    rk_str_putc(d->out, '\n');
}

static void put_table(const rk_page *p, const rk_table *t, rk_str *out)
{
    drawing d = {.page = p, .table = t, .out = out};
    rk_row_kind before = RK_ROW_TOTAL;

    measure(&d);
    put_head(&d);
    for (size_t r = 0; r < t->row.n; r++) {
        if (t->row.at[r].kind == RK_ROW_TOTAL && before != RK_ROW_TOTAL)
            put_rule(&d);
        put_row(&d, &t->row.at[r]);
        before = t->row.at[r].kind;
    }
    out->failed |= d.scratch.failed;
    rk_str_free(&d.scratch);
}

/* ---- items ------------------------------------------------------------------------------------------------------ */

/* Equations that follow each other at one indent have their signs below each other. */
static bool goes_on(const rk_page *p, size_t i)
{
    const rk_item *item = p->item.at;

    return i > 0 && i < p->item.n && item[i].kind == RK_ITEM_EQUATION && item[i - 1].kind == RK_ITEM_EQUATION &&
           item[i].indent == item[i - 1].indent;
}

/* The widest left side of the equations that follow each other from item i on. */
static size_t left_width(const rk_page *p, size_t i)
{
    size_t widest = 0, first = i;

    for (; i == first || goes_on(p, i); i++) {
        size_t w = p->item.at[i].text ? rk_text_width(p->item.at[i].text) : 0;

        widest = w > widest ? w : widest;
    }
    return widest;
}

static void put_equation(const rk_page *p, const rk_item *item, size_t left, rk_str *out)
{
    const char *text = item->text ? item->text : "";

    rk_str_fill(out, ' ', (size_t)(item->indent * INDENT));
    rk_str_put(out, text);
    rk_str_fill(out, ' ', left - rk_text_width(text));
    rk_str_put(out, left > 0 ? " = " : "= ");
    put_cell(p, &item->cell, out);
    if (item->note)
        rk_str_format(out, "   %s", item->note);
    end_line(out);
}

static void put_line(const rk_item *item, rk_str *out)
{
    rk_str_fill(out, ' ', (size_t)(item->indent * INDENT));
    rk_str_put_safe(out, item->text, strlen(item->text));
    end_line(out);
}

void rk_page_text(const rk_page *p, rk_str *out)
{
    size_t left = 0;

    for (size_t i = 0; i < p->item.n; i++) {
        const rk_item *item = &p->item.at[i];

        switch (item->kind) {
        case RK_ITEM_GAP:
            rk_str_putc(out, '\n');
            break;
        case RK_ITEM_TABLE:
            put_table(p, item->table, out);
            break;
        case RK_ITEM_EQUATION:
            left = goes_on(p, i) ? left : left_width(p, i);
            put_equation(p, item, left, out);
            break;
        default:
            put_line(item, out);
            break;
        }
    }
}
