/* SPDX-License-Identifier: MIT */
/* The writer that makes Markdown, with the tables of GitHub; formulas as Unicode, which every renderer shows. */
#include "report/text.h"

#include "report/figure.h"

enum {
    VERBATIM_COLUMNS = 100 /* wide enough for most formulas, narrow enough for a page */
};

/* ---- texts ------------------------------------------------------------------------------------------------------ */

/* Text in which nothing is taken for markup. */
static void put_text(rk_str *out, const char *text)
{
    rk_str safe = {0};

    rk_str_put_safe(&safe, text, strlen(text));
    for (const char *at = rk_str_text(&safe); *at; at++) {
        rk_str_put(out, strchr("\\`*_[]<>|~$#&", *at) ? "\\" : "");
        rk_str_putc(out, *at);
    }
    out->failed |= safe.failed;
    rk_str_free(&safe);
}

static size_t longest_run(const char *text, char of)
{
    size_t longest = 0;

    for (size_t n = 0; *text; text++) {
        n = *text == of ? n + 1 : 0;
        longest = n > longest ? n : longest;
    }
    return longest;
}

/* Code between more backticks than stand in it; a bar would end a cell. */
static void put_code(rk_str *out, const char *text, bool in_table)
{
    size_t n = longest_run(text, '`') + 1;
    rk_str safe = {0};

    rk_str_put_safe(&safe, text, strlen(text));
    rk_str_fill(out, '`', n);
    rk_str_put(out, n > 1 ? " " : "");
    for (const char *at = rk_str_text(&safe); *at; at++)
        rk_str_put(out, *at == '|' && in_table ? "\\|" : (char[]){*at, '\0'});
    rk_str_put(out, n > 1 ? " " : "");
    rk_str_fill(out, '`', n);
    out->failed |= safe.failed;
    rk_str_free(&safe);
}

/* ---- tables ----------------------------------------------------------------------------------------------------- */

static void put_cell(const rk_page *p, const rk_cell *c, rk_str *out)
{
    rk_str text = {0};

    if (c->kind == RK_CELL_CODE) {
        put_code(out, c->text, true);
        return;
    }
    rk_cell_put(p, c, false, &text);
    put_text(out, rk_str_text(&text));
    out->failed |= text.failed;
    rk_str_free(&text);
}

/* Which columns are there: bars are of no use where a column has no width. */
typedef struct shown {
    bool column[RK_PAGE_COLUMNS_MAX];
    bool any;
} shown;

static shown shown_of(const rk_table *t)
{
    shown s = {0};

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
        bool empty = row->cell[c].kind == RK_CELL_NOTHING || row->cell[c].kind == RK_CELL_BAR;

        if (!s->column[c])
            continue;
        rk_str_put(out, "| ");
        for (int i = c == 0 ? rk_table_indent(t) : row->indent; i < row->indent; i++)
            rk_str_put(out, "&emsp;");
        rk_str_put(out, empty ? "" : strong);
        put_cell(p, &row->cell[c], out);
        rk_str_format(out, "%s%s", empty ? "" : strong, empty ? "" : " ");
    }
    rk_str_put(out, "|\n");
}

static void put_head(const rk_table *t, const shown *s, rk_str *out)
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
}

static void put_table(const rk_page *p, const rk_table *t, rk_str *out)
{
    shown s = shown_of(t);

    put_head(t, &s, out);
    for (size_t r = 0; r < t->row.n; r++)
        put_row(p, t, &s, &t->row.at[r], out);
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

static void put_code_line(const rk_item *item, rk_str *out)
{
    put_code(out, item->text, false);
    if (item->note) {
        rk_str_put(out, " ");
        put_text(out, item->note);
    }
    rk_str_putc(out, '\n');
}

static void put_prose(const rk_item *item, rk_str *out)
{
    static const char *const before[] = {[RK_ITEM_TITLE] = "# ", [RK_ITEM_HEADING] = "## ", [RK_ITEM_NOTE] = "*"};
    const char *mark = item->kind <= RK_ITEM_NOTE && before[item->kind] ? before[item->kind] : "";

    rk_str_put(out, mark);
    put_text(out, item->text);
    rk_str_put(out, item->kind == RK_ITEM_NOTE ? "*\n" : "\n");
}

static void put_item(const rk_page *p, size_t i, rk_str *out)
{
    const rk_item *item = &p->item.at[i];

    switch (item->kind) {
    case RK_ITEM_GAP:
    case RK_ITEM_PICTURE:
        break;
    case RK_ITEM_TABLE:
        put_table(p, item->table, out);
        break;
    case RK_ITEM_EQUATION:
        put_equation(p, i, out);
        break;
    case RK_ITEM_CODE:
        put_code_line(item, out);
        break;
    default:
        put_prose(item, out);
        break;
    }
}

/* Blocks are kept apart by an empty line; equations that follow each other are one block. */
void rk_page_md(const rk_page *p, rk_str *out)
{
    size_t start = out->n;

    for (size_t i = 0; i < p->item.n && !out->failed; i++) {
        const rk_item *item = &p->item.at[i];

        if (item->kind == RK_ITEM_GAP || item->kind == RK_ITEM_PICTURE ||
            (item->kind == RK_ITEM_TABLE && !shown_of(item->table).any))
            continue;
        if (out->n > start && !rk_page_goes_on(p, i))
            rk_str_putc(out, '\n');
        put_item(p, i, out);
    }
}
