/* SPDX-License-Identifier: MIT */
/* The writer that makes Markdown, with the tables of GitHub; formulas as Unicode, which every renderer shows. */
#include "report/text.h"

enum {
    VERBATIM_COLUMNS = 100 /* wide enough for most formulas, narrow enough for a page */
};

/* ---- texts ------------------------------------------------------------------------------------------------------ */

/* Text in which nothing is taken for markup. */
static void put_text(rk_str *out, const char *text)
{
    for (; *text; text++) {
        rk_str_put(out, strchr("\\`*_[]<>|~$#&", *text) ? "\\" : "");
        rk_str_putc(out, *text);
    }
}

/* Code between more backticks than stand in it; a bar would end a cell. */
static void put_code(rk_str *out, const char *text, bool in_table)
{
    size_t longest = 0, run = 0;

    for (const char *at = text; *at; at++) {
        run = *at == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    rk_str_fill(out, '`', longest + 1);
    rk_str_put(out, longest ? " " : "");
    for (; *text; text++) {
        rk_str_put(out, *text == '|' && in_table ? "\\" : "");
        rk_str_putc(out, *text);
    }
    rk_str_put(out, longest ? " " : "");
    rk_str_fill(out, '`', longest + 1);
}

/* ---- tables ----------------------------------------------------------------------------------------------------- */

/* Which columns are there: bars are of no use where a column has no width. */
typedef struct shown {
    bool column[RK_PAGE_COLUMNS_MAX];
    bool any;
    int indent; /* of all rows */
} shown;

static shown shown_of(const rk_table *t)
{
    shown s = {.indent = rk_table_indent(t)};

    for (size_t c = 0; c < t->n_column; c++) {
        bool only_bars = true;

        for (size_t r = 0; r < t->row.n && only_bars; r++)
            only_bars = t->row.at[r].cell[c].kind == RK_CELL_BAR || t->row.at[r].cell[c].kind == RK_CELL_NOTHING;
        s.column[c] = !only_bars && rk_column_is_seen(t, c);
        s.any |= s.column[c];
    }
    return s;
}

static void put_row(const rk_page *p, const rk_table *t, const shown *s, const rk_row *row, rk_str *out)
{
    const char *strong = row->kind == RK_ROW_TOTAL ? "**" : "";

    for (size_t c = 0; c < t->n_column; c++) {
        const char *text = s->column[c] ? rk_cell_shown(p, &row->cell[c], false) : "";
        bool empty = !text[0];

        if (!s->column[c])
            continue;
        rk_str_put(out, "| ");
        for (int i = c == 0 ? s->indent : row->indent; i < row->indent; i++)
            rk_str_put(out, "&emsp;");
        rk_str_put(out, empty ? "" : strong);
        if (row->cell[c].kind == RK_CELL_CODE)
            put_code(out, text, true);
        else
            put_text(out, text);
        rk_str_format(out, "%s%s", empty ? "" : strong, empty ? "" : " ");
    }
    rk_str_put(out, "|\n");
}

static void put_table(const rk_page *p, const rk_table *t, const shown *s, rk_str *out)
{
    for (size_t c = 0; c < t->n_column; c++) {
        if (!s->column[c])
            continue;
        rk_str_put(out, "| ");
        put_text(out, t->column[c].head);
        rk_str_put(out, t->column[c].head[0] ? " " : "");
    }
    rk_str_put(out, "|\n");
    for (size_t c = 0; c < t->n_column; c++)
        rk_str_put(out, !s->column[c] ? "" : t->column[c].right ? "|---:" : "|:---");
    rk_str_put(out, "|\n");
    for (size_t r = 0; r < t->row.n; r++)
        put_row(p, t, s, &t->row.at[r], out);
}

/* ---- items ------------------------------------------------------------------------------------------------------ */

/* Equations as they stand in a text: their signs are below each other. */
static void put_equation(const rk_page *p, size_t i, rk_str *out)
{
    const rk_paper paper = {.columns = VERBATIM_COLUMNS};
    rk_pen pen = rk_pen_new(p, &paper, out);

    pen.flush = true;
    rk_str_put(out, rk_page_goes_on(p, i) ? "" : "```text\n");
    rk_pen_equation(&pen, i);
    rk_str_put(out, rk_page_goes_on(p, i + 1) ? "" : "```\n");
}

static void put_prose(const rk_item *item, rk_str *out)
{
    static const char *const before[] = {[RK_ITEM_TITLE] = "# ", [RK_ITEM_HEADING] = "## ", [RK_ITEM_NOTE] = "*"};

    rk_str_put(out, before[item->kind] ? before[item->kind] : "");
    put_text(out, item->text);
    rk_str_put(out, item->kind == RK_ITEM_NOTE ? "*\n" : "\n");
}

/* Blocks are kept apart by an empty line; equations that follow each other are one block. */
void rk_page_md(rk_page *p, rk_str *out)
{
    size_t start = out->n;

    rk_page_settle(p, 0);
    for (size_t i = 0; i < p->item.n && !out->failed; i++) {
        const rk_item *item = &p->item.at[i];
        shown s = item->kind == RK_ITEM_TABLE ? shown_of(item->table) : (shown){.any = true};

        if (item->kind == RK_ITEM_GAP || item->kind == RK_ITEM_PICTURE || !s.any)
            continue;
        if (out->n > start && !rk_page_goes_on(p, i))
            rk_str_putc(out, '\n');
        switch (item->kind) {
        case RK_ITEM_TABLE:
            put_table(p, item->table, &s, out);
            break;
        case RK_ITEM_EQUATION:
            put_equation(p, i, out);
            break;
        case RK_ITEM_CODE:
            put_code(out, item->text, false);
            rk_str_put(out, item->note ? " " : "");
            put_text(out, item->note ? item->note : "");
            rk_str_putc(out, '\n');
            break;
        default:
            put_prose(item, out);
            break;
        }
    }
    out->failed |= p->arena->failed;
}
