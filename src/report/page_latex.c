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

/* ---- long lines ------------------------------------------------------------------------------------------------- */

static bool is_sign(const char *at)
{
    return strncmp(at, " + ", 3) == 0 || strncmp(at, " - ", 3) == 0;
}

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
    } while (at[i] && !(depth == 0 && is_sign(at + i)));
    return i;
}

/* How the terms of a sum are written, and what stands around those of one line. */
typedef struct wording {
    void (*put)(rk_str *, const char *, size_t);
    const char *open, *close;
} wording;

/* Puts a sum over as many lines as it needs, each but the first beginning with its sign. */
static void put_sum(rk_str *out, const char *sum, const wording *w)
{
    size_t used = 0, width = 0;

    rk_str_put(out, w->open);
    for (size_t n; *sum; sum += n) {
        n = take_term(sum, &width);
        if (used > 0 && used + width > EQUATION_COLUMNS) {
            rk_str_format(out, "%s \\\\\n  &\\quad {}%s", w->close, w->open);
            sum++; /* the space before the sign */
            n--;
            used = 0;
        }
        w->put(out, sum, n);
        used += width;
    }
    rk_str_put(out, w->close);
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

static void put_words(rk_str *out, const char *term, size_t n)
{
    rk_str piece = {0};

    rk_str_putn(&piece, term, n);
    put_text(out, rk_str_text(&piece), false);
    out->failed |= piece.failed;
    rk_str_free(&piece);
}

/* ---- cells ------------------------------------------------------------------------------------------------------ */

/* A bar of at most 5 em. */
static void put_bar(rk_str *out, const rk_cell *c)
{
    rk_str part = {0};

    rk_str_fraction(&part, c->number, c->whole);
    if (part.n > 0)
        rk_str_format(out, "\\rule{%s\\dimexpr5em\\relax}{1.2ex}", rk_str_text(&part));
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

/* A fraction is higher than a line of a table: an invisible rule keeps it away from its neighbours. */
static void put_inline_formula(const rk_page *p, const rk_cell *c, bool narrow, rk_str *out)
{
    rk_str text = {0};

    rk_ex_print_at(p->pool, c->formula, RK_PRINT_LATEX | c->style, c->at, &text);
    rk_str_putc(out, '$');
    if (narrow)
        put_formula(out, rk_str_text(&text), text.n);
    else
        rk_str_put(out, rk_str_text(&text));
    rk_str_put(out, strstr(rk_str_text(&text), "\\frac") ? "\\rule[-1.4ex]{0pt}{4.2ex}$" : "$");
    out->failed |= text.failed;
    rk_str_free(&text);
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
        put_inline_formula(p, c, narrow, out);
        break;
    }
}

/* A cell in mathematics. */
static void put_math(const rk_page *p, const rk_cell *c, rk_str *out)
{
    static const wording formula = {put_formula, "", ""}, words = {put_words, "\\text{", "}"};
    rk_str text = {0};

    if (c->kind == RK_CELL_FORMULA) {
        rk_ex_print_at(p->pool, c->formula, RK_PRINT_LATEX | c->style, c->at, &text);
        put_sum(out, rk_str_text(&text), &formula);
    } else if (c->kind == RK_CELL_COUNT) {
        put_count(out, c->number);
    } else if (c->text) {
        put_sum(out, c->text, &words);
    }
    out->failed |= text.failed;
    rk_str_free(&text);
}

/* ---- tables ----------------------------------------------------------------------------------------------------- */

typedef struct setting {
    const rk_page *page;
    const rk_table *table;
    rk_layout layout;
    rk_str *out;
} setting;

static bool is_narrow(const setting *s, size_t c)
{
    return s->layout.width[c] < s->layout.natural[c];
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
        if (c == 0 && row->indent > rk_table_indent(s->table))
            rk_str_format(s->out, "\\hspace{%dem}", row->indent - rk_table_indent(s->table));
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

/* Lines that a row takes: cells of narrow columns go on in next ones. */
static size_t lines_of(const setting *s, const rk_row *row)
{
    size_t most = 1;

    for (size_t c = 0; c < s->table->n_column; c++) {
        rk_str text = {0};
        size_t lines;

        if (s->layout.width[c] == 0 || !is_narrow(s, c))
            continue;
        rk_cell_put(s->page, &row->cell[c], s->layout.brief, &text);
        lines = 1 + rk_text_width(rk_str_text(&text)) / s->layout.width[c];
        most = lines > most ? lines : most;
        rk_str_free(&text);
    }
    return most;
}

/* A table of more lines than a page has goes over several, with its head on each. */
static bool is_long(const setting *s)
{
    size_t n = 0;

    for (size_t r = 0; r < s->table->row.n && n <= PAGE_ROWS; r++)
        n += lines_of(s, &s->table->row.at[r]);
    return n > PAGE_ROWS;
}

static setting setting_of(const rk_page *p, const rk_table *t, rk_str *out)
{
    return (setting){p, t, rk_layout_fit(p, t, TABLE_COLUMNS), out};
}

static void put_table(const rk_page *p, const rk_table *t, rk_str *out)
{
    setting s = setting_of(p, t, out);
    bool goes_over = is_long(&s);
    const char *kind = goes_over ? "longtable" : "tabular";

    if (rk_layout_width(t, &s.layout) == 0)
        return;
    rk_str_format(out, "{\\footnotesize\\setlength{\\tabcolsep}{3pt}%s\n\\begin{%s}{@{}",
                  goes_over ? "\\setlength{\\LTleft}{0pt}" : "\\noindent", kind);
    put_columns(&s);
    rk_str_put(out, "@{}}\n\\toprule\n");
    put_head(&s);
    rk_str_put(out, goes_over ? "\\endhead\n" : "");
    put_rows(&s);
    rk_str_format(out, "\\bottomrule\n\\end{%s}\\par}\n", kind);
}

static bool has_long_table(const rk_page *p)
{
    for (size_t i = 0; i < p->item.n; i++) {
        const rk_table *t = p->item.at[i].table;
        setting s = t ? setting_of(p, t, NULL) : (setting){0};

        if (t && is_long(&s))
            return true;
    }
    return false;
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

static void put_code(const rk_item *item, rk_str *out)
{
    put_between("\\smallskip{\\raggedright\\frenchspacing\\noindent\\texttt{", item->text, "}", out);
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

void rk_page_latex(const rk_page *p, rk_str *out)
{
    rk_str_format(out, "%% \\usepackage{amsmath,array,booktabs%s}\n", has_long_table(p) ? ",longtable" : "");
    for (size_t i = 0; i < p->item.n; i++) {
        const rk_item *item = &p->item.at[i];

        switch (item->kind) {
        case RK_ITEM_PICTURE:
            break;
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
            put_equation(p, item, !rk_page_goes_on(p, i), out);
            rk_str_put(out, rk_page_goes_on(p, i + 1) ? "" : "\n\\end{aligned}$\\par\n");
            break;
        default:
            put_prose(item, out);
            break;
        }
    }
}
