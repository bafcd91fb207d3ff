/* SPDX-License-Identifier: MIT */
/* The writer that makes LaTeX: a piece to include, which needs amsmath and nothing else. */
#include "report/page.h"

#include "report/figure.h"

#include <string.h>

/* ---- texts ------------------------------------------------------------------------------------------------------ */

static const char *escape_of(char c)
{
    switch (c) {
    case '\\':
        return "\\textbackslash{}";
    case '~':
        return "\\textasciitilde{}";
    case '^':
        return "\\textasciicircum{}";
    case '{':
        return "\\{";
    case '}':
        return "\\}";
    case '#':
        return "\\#";
    case '$':
        return "\\$";
    case '%':
        return "\\%";
    case '&':
        return "\\&";
    case '_':
        return "\\_";
    default:
        return NULL;
    }
}

/* The few characters beyond ASCII that reports use and that text fonts lack. */
static const struct {
    const char *utf8, *latex;
} symbol[] = {
    {"×", "$\\times$"}, {"·", "$\\cdot$"}, {"²", "$^{2}$"}, {"³", "$^{3}$"},
    {"Σ", "$\\Sigma$"}, {"…", "\\dots{}"}, {"–", "--"},
};

static size_t put_symbol(rk_str *out, const char *at)
{
    for (size_t i = 0; i < sizeof symbol / sizeof *symbol; i++) {
        size_t n = strlen(symbol[i].utf8);

        if (strncmp(at, symbol[i].utf8, n) == 0) {
            rk_str_put(out, symbol[i].latex);
            return n;
        }
    }
    return 0;
}

static void put_text(rk_str *out, const char *text)
{
    rk_str safe = {0};

    rk_str_put_safe(&safe, text, strlen(text));
    for (const char *at = rk_str_text(&safe); *at;) {
        const char *escape = escape_of(*at);
        size_t n = escape ? 0 : put_symbol(out, at);

        if (escape)
            rk_str_put(out, escape);
        else if (n == 0)
            rk_str_putc(out, *at);
        at += n ? n : 1;
    }
    out->failed |= safe.failed;
    rk_str_free(&safe);
}

/* 1,024 as 1{,}024: a comma in mathematics would be followed by a space. */
static void put_count(rk_str *out, rk_i128 n)
{
    char digits[RK_NUM_TEXT_MAX];

    for (const char *c = rk_num_grouped(digits, n); *c; c++)
        rk_str_put(out, *c == ',' ? "{,}" : (char[]){*c, '\0'});
}

static void put_share(rk_str *out, const rk_cell *c)
{
    rk_str share = {0};

    rk_str_share(&share, c->number, c->whole);
    put_text(out, rk_str_text(&share));
    out->failed |= share.failed;
    rk_str_free(&share);
}

/* `math`: the place is in mathematics already. */
static void put_cell(const rk_page *p, const rk_cell *c, bool math, rk_str *out)
{
    const char *dollar = math ? "" : "$";

    switch (c->kind) {
    case RK_CELL_NOTHING:
        break;
    case RK_CELL_TEXT:
    case RK_CELL_CODE:
        rk_str_put(out, c->kind == RK_CELL_CODE ? "\\texttt{" : math ? "\\text{" : "{");
        put_text(out, c->text);
        rk_str_putc(out, '}');
        break;
    case RK_CELL_SHARE:
        put_share(out, c);
        break;
    case RK_CELL_COUNT:
        rk_str_put(out, dollar);
        put_count(out, c->number);
        rk_str_put(out, dollar);
        break;
    case RK_CELL_FORMULA:
        rk_str_put(out, dollar);
        rk_ex_print(p->pool, c->formula, RK_PRINT_LATEX | c->style, out);
        rk_str_put(out, dollar);
        break;
    }
}

/* ---- items ------------------------------------------------------------------------------------------------------ */

static void put_row(const rk_page *p, const rk_table *t, const rk_row *row, rk_str *out)
{
    for (size_t c = 0; c < t->n_column; c++) {
        rk_str_put(out, c ? " & " : "");
        if (c == 0 && row->indent > 0)
            rk_str_format(out, "\\hspace{%dem}", row->indent);
        put_cell(p, &row->cell[c], false, out);
    }
    rk_str_put(out, " \\\\\n");
}

static void put_head(const rk_table *t, rk_str *out)
{
    bool any = false;

    for (size_t c = 0; c < t->n_column; c++)
        any |= t->column[c].head[0] != '\0';
    for (size_t c = 0; c < t->n_column && any; c++) {
        rk_str_put(out, c ? " & " : "");
        put_text(out, t->column[c].head);
    }
    rk_str_put(out, any ? " \\\\ \\hline\n" : "");
}

static void put_table(const rk_page *p, const rk_table *t, rk_str *out)
{
    rk_row_kind before = RK_ROW_TOTAL;

    rk_str_put(out, "\\begin{tabular}{");
    for (size_t c = 0; c < t->n_column; c++)
        rk_str_putc(out, t->column[c].right ? 'r' : 'l');
    rk_str_put(out, "}\n");
    put_head(t, out);
    for (size_t r = 0; r < t->row.n; r++) {
        if (t->row.at[r].kind == RK_ROW_TOTAL && before != RK_ROW_TOTAL)
            rk_str_put(out, "\\hline\n");
        put_row(p, t, &t->row.at[r], out);
        before = t->row.at[r].kind;
    }
    rk_str_put(out, "\\end{tabular}\n");
}

static void put_equation(const rk_page *p, const rk_item *item, bool first, rk_str *out)
{
    rk_str_put(out, first ? "\\begin{align*}\n  " : " \\\\\n  ");
    if (item->text) {
        rk_str_put(out, "\\text{");
        put_text(out, item->text);
        rk_str_put(out, "} ");
    }
    rk_str_put(out, "&= ");
    put_cell(p, &item->cell, true, out);
    if (item->note) {
        rk_str_put(out, " && \\text{");
        put_text(out, item->note);
        rk_str_putc(out, '}');
    }
}

static void put_wrapped(const char *before, const char *text, const char *after, rk_str *out)
{
    rk_str_put(out, before);
    put_text(out, text);
    rk_str_put(out, after);
}

static bool is_equation(const rk_page *p, size_t i)
{
    return i < p->item.n && p->item.at[i].kind == RK_ITEM_EQUATION;
}

void rk_page_latex(const rk_page *p, rk_str *out)
{
    for (size_t i = 0; i < p->item.n; i++) {
        const rk_item *item = &p->item.at[i];

        switch (item->kind) {
        case RK_ITEM_TITLE:
            put_wrapped("\\section*{", item->text, "}\n", out);
            break;
        case RK_ITEM_HEADING:
            put_wrapped("\\paragraph{", item->text, "}\n", out);
            break;
        case RK_ITEM_LINE:
            put_wrapped("", item->text, "\n", out);
            break;
        case RK_ITEM_CODE:
            put_wrapped("\\noindent\\texttt{", item->text, "}\\\\\n", out);
            break;
        case RK_ITEM_TABLE:
            put_table(p, item->table, out);
            break;
        case RK_ITEM_GAP:
            rk_str_putc(out, '\n');
            break;
        case RK_ITEM_EQUATION:
            put_equation(p, item, i == 0 || !is_equation(p, i - 1), out);
            rk_str_put(out, is_equation(p, i + 1) ? "" : "\n\\end{align*}\n");
            break;
        }
    }
}
