/* SPDX-License-Identifier: MIT */
/*
 * The writer that makes LaTeX: the table that a page is about, for a paper, with its numbers rounded, after a comment
 * that says what they are of; of a derivation or a dossier the whole page.  A comment names the packages that it needs.
 */
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

/* A name of n bytes that stands before its meaning, as mathematics; how much of the text it was. */
static size_t put_symbol(rk_str *out, const char *text, size_t n)
{
    if (strncmp(text + n, "  ", 2) != 0)
        return 0;
    rk_str_format(out, n > 1 ? "$\\mathit{%.*s}$ " : "$%.*s$ ", (int)n, text);
    return n + 2;
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
        const char *text = rk_cell_shown(p, c, brief);

        rk_str_put(out, code ? "\\texttt{" : "");
        if (!code && c->brief && !brief) /* "L  layers": a symbol, and what it means */
            text += put_symbol(out, text, strlen(c->brief));
        put_text(out, text, code && narrow);
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

/* "lrr", and a paragraph of half an em for each character where a column had to give way. */
static void put_alignment(const setting *s)
{
    for (size_t c = 0; c < s->table->n_column; c++)
        if (s->layout.width[c] && is_narrow(s, c))
            rk_str_format(s->out, ">{\\raggedright\\arraybackslash}p{%zu.%dem}", s->layout.width[c] / 2,
                          s->layout.width[c] % 2 ? 5 : 0);
        else if (s->layout.width[c])
            rk_str_putc(s->out, s->table->column[c].right ? 'r' : 'l');
}

static void put_tabular(const setting *s)
{
    const char *kind = s->is_long ? "longtable" : "tabular";

    rk_str_format(s->out, "\\begin{%s}{@{}", kind);
    put_alignment(s);
    rk_str_put(s->out, "@{}}\n\\toprule\n");
    put_head(s);
    rk_str_put(s->out, s->is_long ? "\\endhead\n" : "");
    for (size_t r = 0; r < s->table->row.n; r++) {
        rk_str_put(s->out, rk_row_is_ruled(s->table, r) ? "\\midrule\n" : "");
        put_row(s, &s->table->row.at[r]);
    }
    rk_str_format(s->out, "\\bottomrule\n\\end{%s}", kind);
}

static void put_table(const rk_page *p, const rk_table *t, rk_str *out)
{
    setting s = setting_of(p, t, out);

    if (rk_layout_width(t, &s.layout) == 0)
        return;
    rk_str_format(out, "{\\footnotesize\\setlength{\\tabcolsep}{3pt}%s\n",
                  s.is_long ? "\\setlength{\\LTleft}{0pt}" : "\\noindent");
    put_tabular(&s);
    rk_str_put(out, "\\par}\n");
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

/* A page whose sentences and equations are what it is about, and one without tables. */
static void put_whole(const rk_page *p, rk_str *out)
{
    static const char *const around[][2] = {
        [RK_ITEM_TITLE] = {"\\section*{", "}\n"},    [RK_ITEM_HEADING] = {"\\paragraph{", "}\\leavevmode\\par\n"},
        [RK_ITEM_LINE] = {"\\noindent ", "\\par\n"}, [RK_ITEM_WARNING] = {"\\noindent ", "\\par\n"},
        [RK_ITEM_LIST] = {"\\noindent ", "\\par\n"}, [RK_ITEM_NOTE] = {"{\\small\\noindent ", "\\par}\n"},
    };
    bool any_long = false;

    for (size_t i = 0; i < p->item.n && !any_long; i++)
        any_long = p->item.at[i].table && setting_of(p, p->item.at[i].table, out).is_long;
    rk_str_format(out, "%% To be \\input into a document with \\usepackage{amsmath,array,booktabs%s}\n",
                  any_long ? ",longtable" : "");
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
}

/* ---- one table for a paper -------------------------------------------------------------------------------------- */

static const char *unit_of(const rk_field *column, const rk_cell *c)
{
    return c->unit ? c->unit : c->kind == RK_CELL_COUNT ? column->unit : NULL;
}

/* Numbers as people say them, 8.03 B or 70.3 TFLOP, in place of all their digits; `named`: the unit is beside it. */
static void round_cell(rk_page *p, const rk_field *column, rk_cell *c, bool named)
{
    const char *unit = unit_of(column, c);
    rk_str s = {0};

    if (!unit)
        return;
    if (unit[0])
        rk_str_scaled(&s, c->number, named && unit[0] != RK_UNIT_SAID[0] ? unit : "");
    else
        rk_str_in_letters(&s, c->number);
    *c = (rk_cell){.kind = RK_CELL_TEXT, .text = rk_text_keep(p->arena, &s)};
}

/* The unit of all numbers of a column, where that is a word, which its head says once; NULL: none, or several. */
static const char *word_of(const rk_table *t, size_t c)
{
    const char *unit = NULL;

    for (size_t r = 0; r < t->row.n; r++) {
        const char *is = unit_of(&t->column[c], &t->row.at[r].cell[c]);

        if (t->row.at[r].cell[c].kind == RK_CELL_NOTHING)
            continue;
        if (!is || strlen(is) < 2 || (unit && strcmp(is, unit) != 0))
            return NULL;
        unit = is;
    }
    return unit;
}

/* Whether a column only draws something, or says what the one before it says once that is rounded. */
static bool is_idle(const rk_page *p, const rk_table *t, size_t c)
{
    bool repeats = c > 0, bars = true;

    for (size_t r = 0; r < t->row.n; r++) {
        const rk_cell *cell = t->row.at[r].cell;
        const char *text = rk_cell_shown(p, &cell[c], false);
        const char *before = repeats ? rk_cell_shown(p, &cell[c - 1], false) : "";

        bars &= cell[c].kind == RK_CELL_BAR || cell[c].kind == RK_CELL_NOTHING;
        repeats = repeats && !text[0] == !before[0] && strncmp(text, before, strlen(before)) == 0;
    }
    return bars || repeats;
}

/* The table as a paper has it: rounded, without bars. */
static void round_table(rk_page *p, rk_table *t)
{
    rk_field *column = rk_arena_copy_array(p->arena, t->column, t->n_column, sizeof *column);

    for (size_t c = 0; column && c < t->n_column; c++) {
        const char *word = word_of(t, c);

        if (word && column[c].head && strncmp(column[c].head, word, strlen(word)) != 0)
            column[c].head = rk_arena_format(p->arena, "%s%s(%s)", column[c].head, column[c].head[0] ? " " : "", word);
        for (size_t r = 0; r < t->row.n; r++)
            round_cell(p, &t->column[c], &t->row.at[r].cell[c], !word);
    }
    for (size_t c = 0; column && c < t->n_column; c++)
        if (column[c].head && is_idle(p, t, c))
            for (size_t r = 0; r < t->row.n; r++)
                t->row.at[r].cell[c] = (rk_cell){0};
    t->column = column ? column : t->column;
}

static bool is_shown(const rk_table *t)
{
    for (size_t c = 0; c < t->n_column; c++)
        if (rk_column_is_seen(t, c))
            return true;
    return false;
}

static bool has_heads(const rk_table *t)
{
    for (size_t c = 0; c < t->n_column; c++)
        if (t->column[c].head && t->column[c].head[0])
            return true;
    return false;
}

/* The place of the table that the page is about: the one that says so, else the first with heads; its end: none. */
static size_t find_main(const rk_page *p)
{
    size_t first = p->item.n;

    for (size_t i = p->item.n; i-- > 0;) {
        const rk_table *t = p->item.at[i].table;

        if (p->item.at[i].kind != RK_ITEM_TABLE || !is_shown(t) || !(t->main || has_heads(t)))
            continue;
        if (t->main || first == p->item.n || !p->item.at[first].table->main)
            first = i;
    }
    return first;
}

static bool has_same_heads(const rk_table *a, const rk_table *b)
{
    bool same = a->n_column == b->n_column;

    for (size_t c = 0; same && c < a->n_column; c++)
        same = (!a->column[c].head && !b->column[c].head) ||
               (a->column[c].head && b->column[c].head && strcmp(a->column[c].head, b->column[c].head) == 0);
    return same;
}

/* What the numbers are of: what the page says before the table, and what it assumes, in one line. */
static void put_about(const rk_page *p, size_t end, rk_str *out)
{
    const char *between = "% ";

    for (size_t i = 0; i < p->item.n; i++) {
        const char *text = p->item.at[i].text;

        if (!text || p->item.at[i].kind > RK_ITEM_NOTE || (i > end && !p->item.at[i].assumes))
            continue;
        rk_str_put(out, between);
        rk_str_put(out, text);
        between = text[0] && strchr(".:", text[strlen(text) - 1]) ? " " : "; ";
    }
    rk_str_put(out, "\n");
}

static bool has_formulas(const rk_table *t, size_t c)
{
    for (size_t r = 0; r < t->row.n; r++)
        if (t->row.at[r].cell[c].kind == RK_CELL_FORMULA)
            return true;
    return false;
}

/* Comments before the table: columns that the paper had no room for, and the packages that the others need. */
static void put_needs(const setting *s)
{
    bool narrow = false, formulas = false;
    size_t n = 0;

    for (size_t c = 0; c < s->table->n_column; c++)
        if (!s->layout.width[c] && s->layout.natural[c] && s->table->column[c].head && s->table->column[c].head[0])
            rk_str_format(s->out, "%s%s", n++ ? ", " : "% no room for: ", s->table->column[c].head);
    rk_str_put(s->out, n ? " (--columns chooses)\n" : "");
    for (size_t c = 0; c < s->table->n_column; c++) {
        narrow |= s->layout.width[c] && is_narrow(s, c);
        formulas |= s->layout.width[c] && has_formulas(s->table, c);
    }
    rk_str_format(s->out, "%% \\usepackage{%s%sbooktabs%s}\n", formulas ? "amsmath," : "", narrow ? "array," : "",
                  s->is_long ? ",longtable" : "");
}

/* A formula over many short lines is worse than none: a column that had to give much of its width is left out first. */
static setting fit_table(const rk_page *p, rk_table *t, rk_str *out)
{
    setting s = setting_of(p, t, out);
    rk_field *column = rk_arena_copy_array(p->arena, t->column, t->n_column, sizeof *column);
    bool again = false;

    for (size_t c = 0; column && c < t->n_column; c++) {
        bool torn = s.layout.width[c] > 0 && 3 * s.layout.width[c] < 2 * s.layout.natural[c] && column[c].drop > 0 &&
                    has_formulas(t, c);

        column[c].wraps &= !torn;
        column[c].drop = torn ? 1 : column[c].drop ? column[c].drop + 1 : 0;
        again |= torn;
    }
    if (!again)
        return s;
    t->column = column;
    return setting_of(p, t, out);
}

/* One table, with those that go on with it below a rule. */
static void put_main(rk_page *p, size_t first, rk_str *out)
{
    rk_table *t = p->item.at[first].table;
    bool joined = t->main;
    setting s;

    put_about(p, first, out);
    for (size_t i = first + 1; i < p->item.n && joined; i++) {
        const rk_table *more = p->item.at[i].table;

        if (p->item.at[i].kind != RK_ITEM_TABLE || !more->main || !has_same_heads(t, more))
            continue;
        for (size_t r = 0; r < more->row.n; r++) {
            rk_row *row = RK_PUSH(p->arena, &t->row);

            p->failed |= !row;
            if (row)
                *row = (rk_row){more->row.at[r].kind, more->row.at[r].indent, more->row.at[r].cell, r == 0};
        }
    }
    round_table(p, t);
    s = fit_table(p, t, out);
    put_needs(&s);
    put_tabular(&s);
    rk_str_putc(out, '\n');
}

void rk_page_latex(rk_page *p, rk_str *out)
{
    size_t table;

    rk_page_settle(p, 0);
    table = p->whole ? p->item.n : find_main(p);
    if (p->code == RK_OK && table < p->item.n)
        put_main(p, table, out);
    else if (p->code == RK_OK)
        put_whole(p, out);
    out->failed |= p->arena->failed;
}
