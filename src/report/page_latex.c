/* SPDX-License-Identifier: MIT */
/* The writer that makes LaTeX: a piece to include, which needs amsmath, array and booktabs. */
#include "report/page.h"

#include "report/figure.h"
#include "report/layout.h"

#include <string.h>

enum {
    TABLE_COLUMNS = 80,   /* characters of \footnotesize on a line of an A4 or letter page */
    EQUATION_COLUMNS = 64 /* the same for formulas in the size of the text */
};

/* ---- texts ------------------------------------------------------------------------------------------------------ */

/* What means something to LaTeX, and the characters beyond Latin that reports use. */
static const struct {
    const char *utf8, *latex;
} symbol[] = {
    {"\\", "\\textbackslash{}"},
    {"~", "\\textasciitilde{}"},
    {"^", "\\textasciicircum{}"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"#", "\\#"},
    {"$", "\\$"},
    {"%", "\\%"},
    {"&", "\\&"},
    {"_", "\\_"},
    {"<", "\\textless{}"},
    {">", "\\textgreater{}"},
    {"|", "\\textbar{}"},
    {"\"", "{\\char34}"},
    {"×", "$\\times$"},
    {"·", "$\\cdot$"},
    {"⁰", "$^{0}$"},
    {"¹", "$^{1}$"},
    {"²", "$^{2}$"},
    {"³", "$^{3}$"},
    {"⁴", "$^{4}$"},
    {"⁵", "$^{5}$"},
    {"⁶", "$^{6}$"},
    {"⁷", "$^{7}$"},
    {"⁸", "$^{8}$"},
    {"⁹", "$^{9}$"},
    {"⁻", "$^{-}$"},
    {"⌈", "$\\lceil$"},
    {"⌉", "$\\rceil$"},
    {"⌊", "$\\lfloor$"},
    {"⌋", "$\\rfloor$"},
    {"Σ", "$\\Sigma$"},
    {"≤", "$\\leq$"},
    {"≥", "$\\geq$"},
    {"…", "\\dots{}"},
    {"–", "--"},
};

static const char *symbol_of(const char *at, size_t n)
{
    for (size_t i = 0; i < sizeof symbol / sizeof *symbol; i++)
        if (strlen(symbol[i].utf8) == n && strncmp(at, symbol[i].utf8, n) == 0)
            return symbol[i].latex;
    return NULL;
}

/* One character; those that the usual fonts lack are named by their number. */
static size_t put_character(rk_str *out, const char *at)
{
    uint32_t point = 0;
    size_t n = rk_utf8_decode(at, strlen(at), &point);
    const char *latex = symbol_of(at, n);

    if (latex)
        rk_str_put(out, latex);
    else if (point < 0x180)
        rk_str_putn(out, at, n);
    else
        rk_str_format(out, "[U+%04X]", (unsigned)point);
    return n ? n : 1;
}

/* `breaks`: names may be broken behind their dots. */
static void put_text(rk_str *out, const char *text, bool breaks)
{
    rk_str safe = {0};

    rk_str_put_safe(&safe, text, strlen(text));
    for (const char *at = rk_str_text(&safe); *at;) {
        bool is_dot = *at == '.' || *at == '_';

        at += put_character(out, at);
        rk_str_put(out, breaks && is_dot ? "\\allowbreak{}" : "");
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

static void put_between(const char *before, const char *text, const char *after, rk_str *out)
{
    rk_str_put(out, before);
    put_text(out, text, false);
    rk_str_put(out, after);
}

/* ---- formulas --------------------------------------------------------------------------------------------------- */

/* How far a character of LaTeX goes into braces and brackets, or out of them. */
static int steps_in(const char *at)
{
    if (*at == '{' || strncmp(at, "\\left", 5) == 0 || (*at == '(' && at[-1] != 't'))
        return 1;
    if (*at == '}' || strncmp(at, "\\right", 6) == 0 || (*at == ')' && at[-1] != 't'))
        return -1;
    return 0;
}

/* About how wide the sum's term at `at` is, in characters; *n is its length. */
static size_t term_width(const char *at, size_t *n)
{
    size_t width = 0, i = 1;
    int depth = 0;

    for (; at[i] && !(depth == 0 && (strncmp(at + i, " + ", 3) == 0 || strncmp(at + i, " - ", 3) == 0)); i++) {
        depth += steps_in(at + i);
        width += !strchr("\\{}^ ", at[i]);
    }
    *n = i;
    return width + 3;
}

/* A long sum goes on in further lines, each beginning with its sign. */
static void put_formula_lines(const rk_page *p, const rk_cell *c, rk_str *out)
{
    rk_str text = {0};
    size_t used = 0, n = 0;

    rk_str_putc(&text, ' ');
    rk_ex_print(p->pool, c->formula, RK_PRINT_LATEX | c->style, &text);
    for (const char *at = rk_str_text(&text); *at; at += n) {
        size_t width = term_width(at, &n);
        bool first = at == text.text, breaks = !first && used + width > EQUATION_COLUMNS;

        rk_str_put(out, breaks ? " \\\\\n  &\\quad {}" : "");
        rk_str_putn(out, at + (first || breaks), n - (first || breaks));
        used = (breaks ? 0 : used) + width;
    }
    out->failed |= text.failed;
    rk_str_free(&text);
}

/* ---- cells ------------------------------------------------------------------------------------------------------ */

/* A bar of at most 8 em. */
static void put_bar(rk_str *out, const rk_cell *c)
{
    rk_str part = {0};

    rk_str_fraction(&part, c->number, c->whole);
    if (part.n > 0)
        rk_str_format(out, "\\rule{%s\\dimexpr8em\\relax}{1.2ex}", rk_str_text(&part));
    out->failed |= part.failed;
    rk_str_free(&part);
}

static void put_share(rk_str *out, const rk_cell *c)
{
    rk_str share = {0};

    rk_str_share(&share, c->number, c->whole);
    put_text(out, rk_str_text(&share), false);
    out->failed |= share.failed;
    rk_str_free(&share);
}

/* A cell in a text. */
static void put_cell(const rk_page *p, const rk_cell *c, const rk_layout *l, bool narrow, rk_str *out)
{
    const char *text = l->brief && c->brief ? c->brief : c->text;

    switch (c->kind) {
    case RK_CELL_NOTHING:
        break;
    case RK_CELL_TEXT:
        put_text(out, text, false);
        break;
    case RK_CELL_CODE:
        rk_str_put(out, "\\texttt{");
        put_text(out, text, narrow);
        rk_str_putc(out, '}');
        break;
    case RK_CELL_SHARE:
        put_share(out, c);
        break;
    case RK_CELL_BAR:
        put_bar(out, c);
        break;
    case RK_CELL_COUNT:
        rk_str_put(out, "$");
        put_count(out, c->number);
        rk_str_put(out, "$");
        break;
    case RK_CELL_FORMULA:
        rk_str_put(out, "$");
        rk_ex_print(p->pool, c->formula, RK_PRINT_LATEX | c->style, out);
        rk_str_put(out, "$");
        break;
    }
}

/* A cell in mathematics. */
static void put_math(const rk_page *p, const rk_cell *c, rk_str *out)
{
    if (c->kind == RK_CELL_FORMULA)
        put_formula_lines(p, c, out);
    else if (c->kind == RK_CELL_COUNT)
        put_count(out, c->number);
    else if (c->text)
        put_between("\\text{", c->text, "}", out);
}

/* ---- tables ----------------------------------------------------------------------------------------------------- */

typedef struct setting {
    const rk_page *page;
    const rk_table *table;
    rk_layout layout, natural;
    rk_str *out;
} setting;

static bool is_narrow(const setting *s, size_t c)
{
    return s->layout.width[c] < s->natural.width[c] && (s->table->column[c].wraps || c == 0);
}

/* "lrr" and a paragraph of half an em for each character where a column had to give way. */
static void put_columns(const setting *s)
{
    for (size_t c = 0; c < s->table->n_column; c++) {
        if (s->layout.width[c] == 0)
            continue;
        if (is_narrow(s, c))
            rk_str_format(s->out, ">{\\raggedright\\arraybackslash}p{%zu.%dem}", s->layout.width[c] / 2,
                          s->layout.width[c] % 2 ? 5 : 0);
        else
            rk_str_putc(s->out, s->table->column[c].right ? 'r' : 'l');
    }
}

static void put_row(const setting *s, const rk_row *row)
{
    size_t n = 0;

    for (size_t c = 0; c < s->table->n_column; c++) {
        if (s->layout.width[c] == 0)
            continue;
        rk_str_put(s->out, n++ ? " & " : "");
        if (c == 0 && row->indent > 0)
            rk_str_format(s->out, "\\hspace{%dem}", row->indent);
        put_cell(s->page, &row->cell[c], &s->layout, is_narrow(s, c), s->out);
    }
    rk_str_put(s->out, " \\\\\n");
}

static void put_head(const setting *s)
{
    bool any = false;
    size_t n = 0;

    for (size_t c = 0; c < s->table->n_column; c++)
        any |= s->layout.width[c] && s->table->column[c].head[0];
    for (size_t c = 0; c < s->table->n_column && any; c++)
        if (s->layout.width[c])
            put_between(n++ ? " & " : "", s->table->column[c].head, "", s->out);
    rk_str_put(s->out, any ? " \\\\\n\\midrule\n" : "");
}

static void put_rows(const setting *s)
{
    rk_row_kind before = RK_ROW_TOTAL;

    for (size_t r = 0; r < s->table->row.n; r++) {
        const rk_row *row = &s->table->row.at[r];

        rk_str_put(s->out, row->kind == RK_ROW_TOTAL && before != RK_ROW_TOTAL ? "\\midrule\n" : "");
        put_row(s, row);
        before = row->kind;
    }
}

static void put_table(const rk_page *p, const rk_table *t, rk_str *out)
{
    setting s = {p, t, rk_layout_fit(p, t, TABLE_COLUMNS), rk_layout_fit(p, t, SIZE_MAX / 2), out};

    if (rk_layout_width(t, &s.layout) == 0)
        return;
    rk_str_put(out, "{\\footnotesize\\setlength{\\tabcolsep}{4pt}\\noindent\n\\begin{tabular}{@{}");
    put_columns(&s);
    rk_str_put(out, "@{}}\n\\toprule\n");
    put_head(&s);
    put_rows(&s);
    rk_str_put(out, "\\bottomrule\n\\end{tabular}\\par}\n");
}

/* ---- items ------------------------------------------------------------------------------------------------------ */

static void put_equation(const rk_page *p, const rk_item *item, bool first, rk_str *out)
{
    rk_str_put(out, first ? "\\begin{align*}\n  " : " \\\\\n  ");
    if (item->text)
        put_between("\\text{", item->text, "} ", out);
    rk_str_put(out, "&= ");
    put_math(p, &item->cell, out);
    if (item->value.kind != RK_CELL_NOTHING) {
        rk_str_put(out, " = ");
        put_math(p, &item->value, out);
    }
    if (item->note)
        put_between(" && \\text{", item->note, "}", out);
}

static void put_code(const rk_item *item, rk_str *out)
{
    put_between("{\\raggedright\\noindent\\texttt{", item->text, "}", out);
    if (item->note)
        put_between(" {\\footnotesize ", item->note, "}", out);
    rk_str_put(out, "\\par}\n");
}

static void put_prose(const rk_item *item, rk_str *out)
{
    static const char *const around[][2] = {
        [RK_ITEM_TITLE] = {"\\section*{", "}\n"},
        [RK_ITEM_HEADING] = {"\\paragraph{", "}\\leavevmode\\par\n"},
        [RK_ITEM_LINE] = {"\\noindent ", "\\par\n"},
        [RK_ITEM_LIST] = {"\\noindent ", "\\par\n"},
        [RK_ITEM_NOTE] = {"{\\small\\noindent ", "\\par}\n"},
    };

    put_between(around[item->kind][0], item->text, around[item->kind][1], out);
}

static bool is_equation(const rk_page *p, size_t i)
{
    return i < p->item.n && p->item.at[i].kind == RK_ITEM_EQUATION;
}

void rk_page_latex(const rk_page *p, rk_str *out)
{
    rk_str_put(out, "% \\usepackage{amsmath,array,booktabs}\n");
    for (size_t i = 0; i < p->item.n; i++) {
        const rk_item *item = &p->item.at[i];

        switch (item->kind) {
        case RK_ITEM_CODE:
            put_code(item, out);
            break;
        case RK_ITEM_TABLE:
            put_table(p, item->table, out);
            break;
        case RK_ITEM_GAP:
            rk_str_put(out, "\\medskip\n");
            break;
        case RK_ITEM_EQUATION:
            put_equation(p, item, i == 0 || !is_equation(p, i - 1), out);
            rk_str_put(out, is_equation(p, i + 1) ? "" : "\n\\end{align*}\n");
            break;
        default:
            put_prose(item, out);
            break;
        }
    }
}
