/* SPDX-License-Identifier: MIT */
#include "report/page.h"

__attribute__((format(printf, 2, 0))) static char *formatted(rk_page *p, const char *fmt, va_list ap)
{
    rk_str s = {0};
    char *text;

    rk_str_vformat(&s, fmt, ap);
    text = s.failed ? NULL : rk_arena_copy(p->arena, rk_str_text(&s), s.n);
    p->failed |= !text;
    rk_str_free(&s);
    return text;
}

static rk_item *new_item(rk_page *p, rk_item_kind kind, int indent)
{
    rk_item *i = RK_PUSH(p->arena, &p->item);

    p->failed |= !i;
    if (i)
        *i = (rk_item){.kind = kind, .indent = indent};
    return i;
}

void rk_page_put(rk_page *p, rk_item_kind kind, int indent, const char *fmt, ...)
{
    rk_item *i = new_item(p, kind, indent);
    va_list ap;

    va_start(ap, fmt);
    if (i)
        i->text = formatted(p, fmt, ap);
    va_end(ap);
}

void rk_page_gap(rk_page *p)
{
    new_item(p, RK_ITEM_GAP, 0);
}

void rk_page_equation(rk_page *p, int indent, const char *left, rk_cell cell, const char *note)
{
    rk_item *i = new_item(p, RK_ITEM_EQUATION, indent);

    if (!i)
        return;
    i->text = left ? rk_arena_text(p->arena, left) : NULL;
    i->note = note ? rk_arena_text(p->arena, note) : NULL;
    i->cell = cell;
    p->failed |= (left && !i->text) || (note && !i->note);
}

rk_table *rk_page_table(rk_page *p, const rk_column *column, size_t n_column)
{
    rk_item *i = new_item(p, RK_ITEM_TABLE, 0);
    rk_table *t = RK_NEW(p->arena, rk_table);

    if (!i || !t || n_column > RK_PAGE_COLUMNS_MAX) {
        p->failed = true;
        return &p->no_table;
    }
    *t = (rk_table){.column = column, .n_column = n_column};
    i->table = t;
    return t;
}

rk_cell *rk_page_row(rk_page *p, rk_table *t, rk_row_kind kind, int indent)
{
    rk_cell *cell = RK_NEW_ARRAY(p->arena, t->n_column, rk_cell);
    rk_row *r = p->failed ? NULL : RK_PUSH(p->arena, &t->row);

    if (!r || !cell) {
        p->failed = true;
        return p->no_cell;
    }
    *r = (rk_row){kind, indent, cell};
    return cell;
}

rk_cell rk_cell_text(rk_page *p, const char *fmt, ...)
{
    rk_cell c = {.kind = RK_CELL_TEXT};
    va_list ap;

    va_start(ap, fmt);
    c.text = formatted(p, fmt, ap);
    va_end(ap);
    if (!c.text)
        c.kind = RK_CELL_NOTHING;
    return c;
}

rk_cell rk_cell_code(const char *text)
{
    return (rk_cell){.kind = RK_CELL_CODE, .text = text};
}

rk_cell rk_cell_count(rk_i128 n)
{
    return (rk_cell){.kind = RK_CELL_COUNT, .number = n};
}

rk_cell rk_cell_share(rk_i128 n, rk_i128 whole)
{
    return (rk_cell){.kind = RK_CELL_SHARE, .number = n, .whole = whole};
}

rk_cell rk_cell_formula(rk_ex e, int style)
{
    return (rk_cell){.kind = RK_CELL_FORMULA, .formula = e, .style = style};
}
