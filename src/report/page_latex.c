/* SPDX-License-Identifier: MIT */
/* The writer that makes LaTeX: a piece to include; its first line says which packages it needs. */
#include "report/page.h"

#include "report/figure.h"
#include "report/layout.h"

#include <string.h>

enum {
    PAGE_ROWS = 40,
    TABLE_COLUMNS = 78,   /* characters of \footnotesize on a line of an A4 or letter page */
    EQUATION_COLUMNS = 42 /* the same for formulas in the size of the text, most of them capital letters */
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
    {"√", "$\\surd$"},
    {"ε", "$\\varepsilon$"},
    {"π", "$\\pi$"},
    {"→", "$\\to$"},
    {"−", "$-$"},
    {"≤", "$\\leq$"},
    {"≥", "$\\geq$"},
    {"…", "\\dots{}"},
    {"–", "--"},
};

/* One character; those that the usual fonts lack are named by their number. */
static size_t put_character(rk_str *out, const char *at)
{
    uint32_t point = 0;
    size_t n = rk_utf8_decode(at, strlen(at), &point);
    const char *latex = NULL;

    for (size_t i = 0; !latex && i < sizeof symbol / sizeof *symbol; i++)
        if (strlen(symbol[i].utf8) == n && strncmp(at, symbol[i].utf8, n) == 0)
            latex = symbol[i].latex;
    if (latex)
        rk_str_put(out, latex);
    else if (point < 0x180)
        rk_str_putn(out, at, n);
    else
        rk_str_format(out, "[U+%04X]", (unsigned)point);
    return n ? n : 1;
}

/* `breaks`: names may be broken after their dots.  Two hyphens of an option would be set as a dash. */
static void put_text(rk_str *out, const char *text, bool breaks)
{
    while (*text) {
        bool is_dot = *text == '.' || *text == '_', is_dash = text[0] == '-' && text[1] == '-';

        text += put_character(out, text);
        rk_str_put(out, breaks && is_dot ? "\\allowbreak{}" : is_dash ? "{}" : "");
    }
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

/* ---- long lines ------------------------------------------------------------------------------------------------- */

/* Braces and tall brackets are never broken; round ones are (see put_formula). */
static int steps_in(const char *at)
{
    if (*at == '{' || (strncmp(at, "\\left", 5) == 0 && at[5] != '('))
        return 1;
    return *at == '}' || (strncmp(at, "\\right", 6) == 0 && at[6] != ')') ? -1 : 0;
}

/* A term of a sum with the sign before it: its length, and about how many characters wide it is. */
static size_t take_term(const char *at, size_t *width)
{
    size_t i = 0;
    int depth = 0;

    *width = 0;
    do {
        depth += steps_in(at + i);
        *width += !strchr("\\{}^", at[i]);
        i++;
    } while (at[i] && !(depth == 0 && (strncmp(at + i, " + ", 3) == 0 || strncmp(at + i, " - ", 3) == 0)));
    return i;
}

/* Round brackets that grow would have to close on their own line: these have one size. */
static void put_formula(rk_str *out, const char *term, size_t n)
{
    for (const char *end = term + n; term < end; term++) {
        bool left = strncmp(term, "\\left(", 6) == 0, right = strncmp(term, "\\right)", 7) == 0;

        rk_str_put(out, left ? "\\bigl(" : right ? "\\bigr)" : "");
        if (left || right)
            term += left ? 5 : 6;
        else
            rk_str_putc(out, *term);
    }
}

/* Puts a sum, of formulas or of words, over as many lines as it needs, each but the first beginning with its sign. */
static void put_sum(const rk_page *p, const char *sum, bool words, rk_str *out)
{
    const char *open = words ? "\\text{" : "", *close = words ? "}" : "";
    size_t used = 0, width = 0;

    rk_str_put(out, open);
    for (size_t n; *sum; sum += n) {
        const char *term;

        n = take_term(sum, &width);
        if (used > 0 && used + width > EQUATION_COLUMNS) {
            rk_str_format(out, "%s \\\\\n  &\\quad {}%s", close, open);
            sum++; /* the space before the sign */
            n--;
            used = 0;
        }
        term = words ? rk_arena_copy(p->arena, sum, n) : NULL;
        if (term)
            put_text(out, term, false);
        else if (!words)
            put_formula(out, sum, n);
        used += width;
    }
    rk_str_put(out, close);
}

/* ---- cells ------------------------------------------------------------------------------------------------------ */

static const char *formula_text(const rk_page *p, const rk_cell *c)
{
    rk_str s = {0};

    rk_ex_print_at(p->pool, c->formula, RK_PRINT_LATEX | c->style, c->at, &s);
    return rk_text_keep(p->arena, &s);
}

/* A cell in a text. */
static void put_cell(const rk_page *p, const rk_cell *c, bool brief, bool narrow, rk_str *out)
{
    rk_str part = {0};

    if (c->kind == RK_CELL_BAR) { /* of at most 5 em */
        rk_str_fraction(&part, c->number, c->whole);
        if (part.n > 0)
            rk_str_format(out, "\\rule{%s\\dimexpr5em\\relax}{1.2ex}", rk_str_text(&part));
        out->failed |= part.failed;
        rk_str_free(&part);
    } else if (c->kind == RK_CELL_COUNT) {
        rk_str_put(out, "$");
        put_count(out, c->number);
        rk_str_put(out, "$");
    } else if (c->kind == RK_CELL_FORMULA) {
        const char *text = formula_text(p, c);

        rk_str_putc(out, '$');
        if (narrow)
            put_formula(out, text, strlen(text));
        else
            rk_str_put(out, text);
        /* A fraction is higher than a line of a table: an invisible rule keeps it away from its neighbours. */
        rk_str_put(out, strstr(text, "\\frac") ? "\\rule[-1.4ex]{0pt}{4.2ex}$" : "$");
    } else {
        bool code = c->kind == RK_CELL_CODE;

        rk_str_put(out, code ? "\\texttt{" : "");
        put_text(out, rk_cell_shown(p, c, brief), code && narrow);
        rk_str_put(out, code ? "}" : "");
    }
}

/* A cell in mathematics. */
static void put_math(const rk_page *p, const rk_cell *c, rk_str *out)
{
    if (c->kind == RK_CELL_FORMULA)
        put_sum(p, formula_text(p, c), false, out);
    else if (c->kind == RK_CELL_COUNT)
        put_count(out, c->number);
    else if (c->text)
        put_sum(p, rk_cell_shown(p, c, false), true, out);
}

/* ---- tables ----------------------------------------------------------------------------------------------------- */

typedef struct setting {
    const rk_page *page;
    const rk_table *table;
    rk_layout layout;
    int indent;   /* of all rows */
    bool is_long; /* it goes over several pages */
    rk_str *out;
} setting;

static bool is_narrow(const setting *s, size_t c)
{
    return s->layout.width[c] < s->layout.natural[c];
}

static void put_row(const setting *s, const rk_row *row)
{
    int indent = row->indent - s->indent;
    size_t n = 0;

    for (size_t c = 0; c < s->table->n_column; c++) {
        if (s->layout.width[c] == 0)
            continue;
        rk_str_put(s->out, n++ ? " & " : "");
        if (c == 0 && indent > 0)
            rk_str_format(s->out, "\\hspace{%dem}", indent);
        put_cell(s->page, &row->cell[c], s->layout.brief, is_narrow(s, c), s->out);
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

/* A table of more lines than a page has goes over several, with its head on each. */
static setting setting_of(const rk_page *p, const rk_table *t, rk_str *out)
{
    setting s = {.page = p,
                 .table = t,
                 .layout = rk_layout_fit(p, t, TABLE_COLUMNS, false),
                 .indent = rk_table_indent(t),
                 .out = out};
    size_t n = 0;

    for (size_t r = 0; r < t->row.n && n <= PAGE_ROWS; r++) {
        size_t lines = 1; /* cells of narrow columns go on in next ones */

        for (size_t c = 0; c < t->n_column; c++)
            if (s.layout.width[c] > 0 && is_narrow(&s, c)) {
                const char *text = rk_cell_shown(p, &t->row.at[r].cell[c], s.layout.brief);
                size_t in_cell = 1 + rk_text_width(text) / s.layout.width[c];

                lines = in_cell > lines ? in_cell : lines;
            }
        n += lines;
    }
    s.is_long = n > PAGE_ROWS;
    return s;
}

static void put_table(const rk_page *p, const rk_table *t, rk_str *out)
{
    setting s = setting_of(p, t, out);
    const char *kind = s.is_long ? "longtable" : "tabular";

    if (rk_layout_width(t, &s.layout) == 0)
        return;
    rk_str_format(out, "{\\footnotesize\\setlength{\\tabcolsep}{3pt}%s\n\\begin{%s}{@{}",
                  s.is_long ? "\\setlength{\\LTleft}{0pt}" : "\\noindent", kind);
    /* "lrr" and a paragraph of half an em for each character where a column had to give way. */
    for (size_t c = 0; c < t->n_column; c++)
        if (s.layout.width[c] && is_narrow(&s, c))
            rk_str_format(out, ">{\\raggedright\\arraybackslash}p{%zu.%dem}", s.layout.width[c] / 2,
                          s.layout.width[c] % 2 ? 5 : 0);
        else if (s.layout.width[c])
            rk_str_putc(out, t->column[c].right ? 'r' : 'l');
    rk_str_put(out, "@{}}\n\\toprule\n");
    put_head(&s);
    rk_str_put(out, s.is_long ? "\\endhead\n" : "");
    for (size_t r = 0; r < t->row.n; r++) {
        rk_str_put(out, rk_row_is_ruled(t, r) ? "\\midrule\n" : "");
        put_row(&s, &t->row.at[r]);
    }
    rk_str_format(out, "\\bottomrule\n\\end{%s}\\par}\n", kind);
}

/* ---- items ------------------------------------------------------------------------------------------------------ */

/* Equations stand at the left, in the paragraph: a display for each would tear a derivation apart. */
static void put_equation(const rk_page *p, const rk_item *item, bool first, rk_str *out)
{
    rk_str_put(out, first ? "\\noindent\\quad$\\begin{aligned}[t]\n  " : " \\\\\n  ");
    if (item->text)
        put_between("\\text{", item->text, "} ", out);
    rk_str_put(out, "&= ");
    put_math(p, &item->cell, out);
    if (item->value.kind != RK_CELL_NOTHING) {
        rk_str_put(out, " = ");
        put_math(p, &item->value, out);
    }
    if (item->note)
        put_between("\\quad\\text{\\footnotesize ", item->note, "}", out);
}

void rk_page_latex(rk_page *p, rk_str *out)
{
    static const char *const around[][2] = {
        [RK_ITEM_TITLE] = {"\\section*{", "}\n"},
        [RK_ITEM_HEADING] = {"\\paragraph{", "}\\leavevmode\\par\n"},
        [RK_ITEM_LINE] = {"\\noindent ", "\\par\n"},
        [RK_ITEM_LIST] = {"\\noindent ", "\\par\n"},
        [RK_ITEM_NOTE] = {"{\\small\\noindent ", "\\par}\n"},
    };
    bool any_long = false;

    rk_page_settle(p, 0);
    for (size_t i = 0; i < p->item.n && !any_long; i++)
        any_long = p->item.at[i].table && setting_of(p, p->item.at[i].table, out).is_long;
    rk_str_format(out, "%% \\usepackage{amsmath,array,booktabs%s}\n", any_long ? ",longtable" : "");
    for (size_t i = 0; i < p->item.n; i++) {
        const rk_item *item = &p->item.at[i];

        switch (item->kind) {
        case RK_ITEM_PICTURE:
            break;
        case RK_ITEM_CODE:
            put_between("\\smallskip{\\raggedright\\frenchspacing\\noindent\\texttt{", item->text, "}", out);
            if (item->note)
                put_between(" {\\footnotesize ", item->note, "}", out);
            rk_str_put(out, "\\par}\n");
            break;
        case RK_ITEM_TABLE:
            put_table(p, item->table, out);
            break;
        case RK_ITEM_GAP:
            rk_str_put(out, "\\medskip\n");
            break;
        case RK_ITEM_EQUATION:
            put_equation(p, item, !rk_page_goes_on(p, i), out);
            rk_str_put(out, rk_page_goes_on(p, i + 1) ? "" : "\n\\end{aligned}$\\par\n");
            break;
        default:
            put_between(around[item->kind][0], item->text, around[item->kind][1], out);
            break;
        }
    }
    out->failed |= p->arena->failed;
}
