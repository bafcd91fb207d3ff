/* SPDX-License-Identifier: MIT */
/* HTML as a text: tags go, what they mean stays: headings, items, tables, powers, code, the sources of formulas. */
#include "audit/prose.h"

#include <string.h>
#include <strings.h>

enum {
    LISTS_MAX = 16,    /* in each other that are told apart */
    TAG_MAX = 65536,   /* bytes of a tag in whose quotes a > may stand */
    RAISED_MAX = 400,  /* bytes of a power with its tags */
    POWER_MAX = 24,    /* bytes of a power */
    COLUMNS_MAX = 16,  /* cells that one of several columns takes */
    LANGUAGE_MAX = 400 /* bytes after <pre> in which its language is looked for */
};

/* What is due before the next visible byte. */
typedef enum gap {
    NOTHING,
    BLANK,
    LINE,
    PARAGRAPH
} gap;

typedef enum action {
    OTHER,
    BLOCK,
    BREAK,
    HEADING,
    LIST,
    NUMBERED,
    ITEM,
    TABLE,
    ROW,
    CELL,
    PRE,
    CODE,
    SUP,
    SUB,
    SPAN,
    MATH,
    SCRIPT /* and all else that is text of another kind */
} action;

static const struct {
    const char *name;
    action action;
} tag_table[] = {
    {"p", BLOCK},         {"div", BLOCK},        {"section", BLOCK},   {"article", BLOCK},   {"header", BLOCK},
    {"footer", BLOCK},    {"main", BLOCK},       {"nav", BLOCK},       {"aside", BLOCK},     {"blockquote", BLOCK},
    {"figure", BLOCK},    {"figcaption", BLOCK}, {"dl", BLOCK},        {"dt", BLOCK},        {"dd", BLOCK},
    {"caption", BLOCK},   {"details", BLOCK},    {"summary", BLOCK},   {"address", BLOCK},   {"body", BLOCK},
    {"br", BREAK},        {"hr", BLOCK},         {"h1", HEADING},      {"h2", HEADING},      {"h3", HEADING},
    {"h4", HEADING},      {"h5", HEADING},       {"h6", HEADING},      {"ul", LIST},         {"ol", NUMBERED},
    {"li", ITEM},         {"table", TABLE},      {"tr", ROW},          {"td", CELL},         {"th", CELL},
    {"pre", PRE},         {"code", CODE},        {"sup", SUP},         {"sub", SUB},         {"span", SPAN},
    {"math", MATH},       {"script", SCRIPT},    {"style", SCRIPT},    {"title", SCRIPT},    {"svg", SCRIPT},
    {"noscript", SCRIPT}, {"template", SCRIPT},  {"textarea", SCRIPT}, {"mjx-math", SCRIPT},
};

enum {
    N_TAG = sizeof tag_table / sizeof *tag_table
};

/* A tag between its brackets. */
typedef struct tag {
    const char *name;
    size_t n_name;
    const char *more; /* its attributes */
    size_t n_more;
    size_t row; /* of the table of tags; N_TAG: none */
    bool closes;
    size_t end; /* of the text: after its > */
} tag;

typedef struct reader {
    rk_prose_draft *draft;
    const char *t;
    size_t n, at;
    gap due;
    bool numbered[LISTS_MAX];
    size_t lists, tables; /* in each other */
    bool in_row, in_cell, in_pre, in_code;
    size_t columns;      /* more ones that the cell takes */
    bool endless[N_TAG]; /* no end of such an element stands further on */
    bool unclosed;       /* no > stands further on */
} reader;

/* ---- bytes ------------------------------------------------------------------------------------------------------ */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void want(reader *r, gap g)
{
    g = r->in_cell && g > BLANK ? BLANK : g;
    r->due = g > r->due ? g : r->due;
}

/* What is due; a text does not begin with it, nor does a line or a cell with a blank. */
static void settle(reader *r)
{
    static const char *const gaps[] = {[NOTHING] = "", [BLANK] = " ", [LINE] = "\n", [PARAGRAPH] = "\n\n"};
    const rk_str *s = &r->draft->text;
    bool begins = s->n == 0 || (r->due == BLANK && strchr(" \n", s->text[s->n - 1]));

    if (!begins)
        rk_prose_put_other(r->draft, gaps[r->due], r->at);
    r->due = NOTHING;
}

static void put_other(reader *r, const char *text)
{
    settle(r);
    rk_prose_put_other(r->draft, text, r->at);
}

static void put_byte(reader *r, char c, size_t from)
{
    if (!r->in_pre && is_blank(c)) {
        want(r, BLANK);
        return;
    }
    settle(r);
    if (c == '|' && r->in_cell)
        rk_prose_put_other(r->draft, "\\", from);
    if (!(c == '`' && r->in_code))
        rk_prose_put(r->draft, &c, 1, from);
}

/* ---- entities --------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name, *text;
} entity[] = {
    {"amp", "&"},    {"lt", "<"},     {"gt", ">"},     {"quot", "\""},  {"apos", "'"},   {"nbsp", " "},
    {"times", "×"},  {"minus", "-"},  {"middot", "·"}, {"sdot", "·"},   {"divide", "÷"}, {"asymp", "≈"},
    {"approx", "≈"}, {"ap", "≈"},     {"sim", "~"},    {"equals", "="}, {"ne", "≠"},     {"le", "≤"},
    {"ge", "≥"},     {"hellip", "…"}, {"ndash", "–"},  {"mdash", "—"},  {"sup1", "¹"},   {"sup2", "²"},
    {"sup3", "³"},   {"frac12", "½"}, {"frac14", "¼"}, {"frac34", "¾"}, {"rarr", "→"},   {"rArr", "⇒"},
    {"larr", "←"},   {"plusmn", "±"}, {"thinsp", " "}, {"ensp", " "},   {"emsp", " "},   {"shy", ""},
    {"zwnj", ""},    {"zwj", ""},     {"lsquo", "‘"},  {"rsquo", "’"},  {"ldquo", "“"},  {"rdquo", "”"},
    {"bull", "•"},   {"alpha", "α"},  {"beta", "β"},   {"gamma", "γ"},  {"delta", "δ"},  {"epsilon", "ε"},
    {"eta", "η"},    {"theta", "θ"},  {"lambda", "λ"}, {"mu", "μ"},     {"micro", "µ"},  {"pi", "π"},
    {"rho", "ρ"},    {"sigma", "σ"},  {"tau", "τ"},    {"phi", "φ"},    {"psi", "ψ"},    {"omega", "ω"},
    {"Delta", "Δ"},  {"Theta", "Θ"},  {"Sigma", "Σ"},  {"Omega", "Ω"},  {"sum", "∑"},    {"prod", "∏"},
    {"radic", "√"},  {"infin", "∞"},  {"percnt", "%"}, {"plus", "+"},   {"ast", "*"},    {"lowast", "*"},
    {"lowbar", "_"}, {"lbrace", "{"}, {"rbrace", "}"}, {"lpar", "("},   {"rpar", ")"},   {"comma", ","},
    {"bsol", "\\"},  {"dollar", "$"}, {"num", "#"},    {"colon", ":"},  {"period", "."}, {"sol", "/"},
};

/* A code point as UTF-8; what a text cannot have is a blank. */
static void put_point(uint32_t p, char out[5])
{
    size_t n = 0;

    if (p < 0x20 || p == 0x7F || (p >= 0xD800 && p < 0xE000) || p > 0x10FFFF || p == 0xA0)
        p = ' ';
    if (p == 0x2212) /* a minus */
        p = '-';
    if (p < 0x80) {
        out[n++] = (char)p;
    } else {
        static const unsigned char lead[] = {0, 0xC0, 0xE0, 0xF0};
        int more = p < 0x800 ? 1 : p < 0x10000 ? 2 : 3;

        out[n++] = (char)(lead[more] | (p >> (6 * more)));
        while (more-- > 0)
            out[n++] = (char)(0x80 | ((p >> (6 * more)) & 0x3F));
    }
    out[n] = '\0';
}

/* The text of an entity that begins with &, and its length; 0: it is none. */
static size_t read_entity(const char *t, size_t n, char out[5])
{
    size_t end = 1;
    uint32_t point = 0;
    bool hex = n > 3 && t[1] == '#' && (t[2] == 'x' || t[2] == 'X');

    if (n > 2 && t[1] == '#') {
        for (end = hex ? 3 : 2; end < n && end < 12; end++) {
            const char *digits = "0123456789abcdefABCDEF", *d = t[end] ? strchr(digits, t[end]) : NULL;
            uint32_t value = d ? (uint32_t)(d - digits) : 99;

            value = value > 15 && value < 22 ? value - 6 : value;
            if (value >= (hex ? 16u : 10u))
                break;
            point = point > 0x10FFFF ? point : point * (hex ? 16u : 10u) + value;
        }
        put_point(point, out);
        return end > (hex ? 3u : 2u) ? end + (end < n && t[end] == ';') : 0;
    }
    while (end < n && end < 12 && (is_letter(t[end]) || is_digit(t[end])))
        end++;
    for (size_t i = 0; end < n && t[end] == ';' && i < sizeof entity / sizeof *entity; i++)
        if (strlen(entity[i].name) == end - 1 && memcmp(entity[i].name, t + 1, end - 1) == 0) {
            strcpy(out, entity[i].text);
            return end + 1;
        }
    return 0;
}

/* One character of text. */
static void put_text(reader *r)
{
    char said[5];
    size_t n = r->t[r->at] == '&' ? read_entity(r->t + r->at, r->n - r->at, said) : 0;

    if (n == 0) {
        put_byte(r, r->t[r->at], r->at);
        r->at++;
        return;
    }
    for (const char *c = said; *c; c++)
        put_byte(r, *c, r->at);
    r->at += n;
}

/* ---- tags ------------------------------------------------------------------------------------------------------- */

/* Where the tag that begins at a byte ends, after its >; 0: it does not. */
static size_t tag_end(const char *t, size_t n, size_t at)
{
    const char *close;
    char quote = '\0';

    for (size_t i = at; i < n && i < at + TAG_MAX; i++) {
        if (quote)
            quote = t[i] == quote ? '\0' : quote;
        else if (t[i] == '>')
            return i + 1;
        else if ((t[i] == '"' || t[i] == '\'') && t[i - 1] == '=')
            quote = t[i];
    }
    close = memchr(t + at, '>', n - at);
    return close ? (size_t)(close - t) + 1 : 0;
}

static bool read_tag(const char *t, size_t n, size_t at, tag *out)
{
    size_t name = at + 1, end;

    *out = (tag){.closes = name < n && t[name] == '/'};
    name += out->closes;
    if (name >= n || !is_letter(t[name]) || (out->end = tag_end(t, n, name)) == 0)
        return false;
    for (end = name; end < out->end - 1 && (is_letter(t[end]) || is_digit(t[end]) || t[end] == '-');)
        end++;
    out->name = t + name;
    out->n_name = end - name;
    out->more = t + end;
    out->n_more = out->end - 1 - end;
    for (out->row = 0; out->row < N_TAG; out->row++)
        if (strlen(tag_table[out->row].name) == out->n_name &&
            strncasecmp(tag_table[out->row].name, out->name, out->n_name) == 0)
            break;
    return true;
}

/* The tag that begins here, if one does. */
static bool next_tag(reader *r, tag *out)
{
    if (r->unclosed || read_tag(r->t, r->n, r->at, out))
        return !r->unclosed;
    /* What looks like a tag, and is none, has no end. */
    r->unclosed = r->n - r->at > 1 && (is_letter(r->t[r->at + 1]) ||
                                       (r->t[r->at + 1] == '/' && r->n - r->at > 2 && is_letter(r->t[r->at + 2])));
    return false;
}

static bool is_called(const tag *g, const char *name)
{
    return strlen(name) == g->n_name && strncasecmp(g->name, name, g->n_name) == 0;
}

/* The value of an attribute, and its length; NULL: it has none. */
static const char *attribute(const tag *g, const char *name, size_t *n)
{
    size_t length = strlen(name);

    for (size_t i = 1; i + length + 1 < g->n_more; i++) {
        const char *value = g->more + i + length + 1, *end = g->more + g->n_more;
        char quote;

        if (!is_blank(g->more[i - 1]) || g->more[i + length] != '=' || strncasecmp(g->more + i, name, length) != 0)
            continue;
        quote = value < end && (*value == '"' || *value == '\'') ? *value : '\0';
        value += quote != '\0';
        for (*n = 0; value + *n < end && (quote ? value[*n] != quote : !is_blank(value[*n]));)
            ++*n;
        return value;
    }
    return NULL;
}

static bool attribute_has(const tag *g, const char *name, const char *word)
{
    size_t n = 0, length = strlen(word);
    const char *value = attribute(g, name, &n);

    for (size_t i = 0; value && i + length <= n; i++)
        if (strncasecmp(value + i, word, length) == 0)
            return true;
    return false;
}

/* Where the tag </name stands from a byte on, before another one; n: nowhere. */
static size_t find_close(const char *t, size_t at, size_t n, const char *name, size_t n_name)
{
    while (at + n_name + 2 <= n) {
        const char *open = memchr(t + at, '<', n - at);

        if (!open)
            break;
        at = (size_t)(open - t);
        if (at + n_name + 2 <= n && open[1] == '/' && strncasecmp(open + 2, name, n_name) == 0)
            return at;
        at++;
    }
    return n;
}

/* ---- formulas --------------------------------------------------------------------------------------------------- */

/* LaTeX between dollars, on one line. */
static void put_formula(reader *r, size_t from, size_t to, bool display)
{
    size_t after = r->at;

    want(r, display ? LINE : NOTHING);
    put_other(r, display ? "$$" : "$");
    for (r->at = from; r->at < to;)
        put_text(r);
    r->due = NOTHING;
    put_other(r, display ? "$$" : "$");
    want(r, display ? LINE : NOTHING);
    r->at = after;
}

static size_t find_word(const char *t, size_t from, size_t to, const char *word)
{
    size_t n = strlen(word);

    for (; from + n <= to; from++)
        if (strncasecmp(t + from, word, n) == 0)
            return from;
    return to;
}

/* A formula: the LaTeX that it was made of.  Where there is none, something stands there that is not understood. */
static void put_math(reader *r, const tag *g, size_t end)
{
    bool display = attribute_has(g, "display", "block");
    size_t note = find_word(r->t, g->end, end, "<annotation"), n = 0;
    const char *said = attribute(g, "alttext", &n);
    tag a;

    for (; note < end; note = find_word(r->t, note + 1, end, "<annotation"))
        if (read_tag(r->t, end, note, &a) && is_called(&a, "annotation") && attribute_has(&a, "encoding", "tex")) {
            put_formula(r, a.end, find_close(r->t, a.end, end, "annotation", 10), display);
            return;
        }
    if (said)
        put_formula(r, (size_t)(said - r->t), (size_t)(said - r->t) + n, display);
    else
        put_other(r, "\xEF\xBF\xBC"); /* an object */
}

/* Passes over an element up to its end, with elements of its name in it. */
static void skip_nested(reader *r, const tag *g)
{
    size_t depth = 1;
    tag inner;

    for (r->at = g->end; depth > 0 && r->at < r->n;) {
        const char *open = memchr(r->t + r->at, '<', r->n - r->at);

        r->at = open ? (size_t)(open - r->t) : r->n;
        if (open && next_tag(r, &inner)) {
            if (inner.n_name == g->n_name && strncasecmp(inner.name, g->name, g->n_name) == 0)
                depth += inner.closes ? (size_t)-1 : 1;
            r->at = inner.end;
        } else {
            r->at += open != NULL;
        }
    }
}

/* Script, style, pictures: they go, but for formulas that a script holds for a program that draws them. */
static void read_script(reader *r, const tag *g, action what)
{
    size_t end = r->endless[g->row] ? r->n : find_close(r->t, g->end, r->n, g->name, g->n_name);
    bool ends = end < r->n, raw = is_called(g, "script") || is_called(g, "style");
    tag close;

    r->at = g->end;
    r->endless[g->row] |= !ends;
    if (!ends && !raw)
        return;
    if (what == MATH)
        put_math(r, g, end);
    else if (is_called(g, "script") && attribute_has(g, "type", "math/tex"))
        put_formula(r, g->end, end, attribute_has(g, "type", "display"));
    r->at = end;
    if (ends && read_tag(r->t, r->n, end, &close))
        r->at = close.end;
}

/* ---- powers and indices ----------------------------------------------------------------------------------------- */

/* The words of a short element without its tags, and where it ends; false: it is long, a note, or has no end. */
static bool read_raised(const reader *r, const tag *g, char out[POWER_MAX + 8], size_t *after)
{
    size_t most = r->n - g->end < RAISED_MAX ? r->n : g->end + RAISED_MAX, n = 0;
    size_t end = find_close(r->t, g->end, most, g->name, g->n_name);
    tag inner;

    if (end >= most || !read_tag(r->t, r->n, end, &inner))
        return false;
    *after = inner.end;
    for (size_t i = g->end; i < end && n < POWER_MAX;) {
        char said[5];
        size_t length = r->t[i] == '&' ? read_entity(r->t + i, end - i, said) : 0;

        if (r->t[i] == '<' && read_tag(r->t, end, i, &inner)) {
            if (is_called(&inner, "a"))
                return false;
            i = inner.end;
            continue;
        }
        if (length > 0) {
            memcpy(out + n, said, strlen(said));
            n += strlen(said);
        } else if (strncmp(r->t + i, "\xE2\x88\x92", 3) == 0) { /* a minus */
            out[n++] = '-';
            length = 3;
        } else if (!is_blank(r->t[i])) {
            out[n++] = r->t[i];
        }
        i += length ? length : 1;
    }
    out[n] = '\0';
    return n > 0 && n < POWER_MAX && !strchr(out, '[') && !strchr(out, '*');
}

/* 10<sup>12</sup> is 10^12, d<sub>model</sub> is d_model; a note, [3] or "th", goes or stays as it is. */
static void put_raised(reader *r, const tag *g, bool power)
{
    static const char *const ordinal[] = {"st", "nd", "rd", "th"};
    char text[POWER_MAX + 8];
    size_t after = 0, n;

    if (!read_raised(r, g, text, &after)) {
        r->at = after ? after : g->end;
        return;
    }
    for (size_t i = 0; i < sizeof ordinal / sizeof *ordinal; i++)
        if (strcmp(text, ordinal[i]) == 0) {
            r->at = g->end;
            return;
        }
    n = strlen(text);
    r->due = NOTHING;
    put_other(r, power ? "^" : "_");
    put_other(r, n > 1 ? "{" : "");
    put_other(r, text);
    put_other(r, n > 1 ? "}" : "");
    r->at = after;
}

/* ---- blocks ----------------------------------------------------------------------------------------------------- */

static void end_code(reader *r)
{
    if (r->in_code)
        rk_prose_put_other(r->draft, "`", r->at);
    r->in_code = false;
}

/* A cell of several columns is followed by empty ones. */
static void end_cell(reader *r)
{
    for (; r->columns > 1; r->columns--)
        rk_prose_put_other(r->draft, " |", r->at);
    r->in_cell = false;
}

static void end_row(reader *r)
{
    if (!r->in_row)
        return;
    r->due = NOTHING;
    end_cell(r);
    rk_prose_put_other(r->draft, " |", r->at);
    r->in_row = r->in_cell = false;
    want(r, LINE);
}

/* A cell of the outermost table. */
static void begin_cell(reader *r, const tag *g)
{
    size_t n = 0, columns = 0;
    const char *span = attribute(g, "colspan", &n);

    for (size_t i = 0; span && i < n && is_digit(span[i]) && columns < COLUMNS_MAX; i++)
        columns = columns * 10 + (size_t)(span[i] - '0');
    if (r->in_row)
        r->due = NOTHING;
    end_cell(r);
    put_other(r, r->in_row ? " | " : "| ");
    r->in_row = r->in_cell = true;
    r->columns = columns < COLUMNS_MAX ? columns : COLUMNS_MAX;
}

static void begin_pre(reader *r, const tag *g)
{
    size_t most = r->n - g->end < LANGUAGE_MAX ? r->n : g->end + LANGUAGE_MAX;
    size_t at = find_word(r->t, (size_t)(g->more - r->t), most, "language-");
    char language[24] = "text";
    size_t n = 0;

    if (at < most)
        for (at += 9; at + n < most && n < sizeof language - 1 && is_letter(r->t[at + n]); n++)
            language[n] = r->t[at + n];
    language[n ? n : 4] = '\0';
    want(r, PARAGRAPH);
    put_other(r, "~~~");
    put_other(r, language);
    put_other(r, "\n");
    r->in_pre = true;
}

static void end_pre(reader *r)
{
    if (!r->in_pre)
        return;
    r->in_pre = false;
    r->due = NOTHING;
    rk_prose_put_other(r->draft, "\n~~~", r->at);
    want(r, PARAGRAPH);
}

static void put_item(reader *r)
{
    size_t depth = r->lists < LISTS_MAX ? r->lists : LISTS_MAX;

    want(r, LINE);
    if (r->in_cell)
        return;
    settle(r);
    for (size_t i = 1; i < depth; i++)
        rk_prose_put_other(r->draft, "  ", r->at);
    rk_prose_put_other(r->draft, depth > 0 && r->numbered[depth - 1] ? "1. " : "- ", r->at);
}

static void begin_list(reader *r, bool numbered)
{
    want(r, r->lists ? LINE : PARAGRAPH);
    if (r->lists < LISTS_MAX)
        r->numbered[r->lists] = numbered;
    r->lists++;
}

static void begin(reader *r, const tag *g, action what)
{
    switch (what) {
    case HEADING:
        want(r, PARAGRAPH);
        for (char i = '1'; i <= g->name[1] && !r->in_cell; i++)
            put_other(r, "#");
        want(r, BLANK);
        break;
    case LIST:
    case NUMBERED:
        begin_list(r, what == NUMBERED);
        break;
    case ITEM:
        put_item(r);
        break;
    case TABLE:
        want(r, PARAGRAPH);
        r->tables++;
        break;
    case ROW:
        if (r->tables == 1)
            end_row(r);
        want(r, r->tables == 1 ? LINE : BLANK);
        break;
    case CELL:
        if (r->tables == 1)
            begin_cell(r, g);
        else
            want(r, BLANK);
        break;
    case PRE:
        if (r->in_cell || r->in_pre)
            want(r, BLANK);
        else
            begin_pre(r, g);
        break;
    case CODE:
        if (!r->in_pre && !r->in_code)
            put_other(r, "`");
        r->in_code = !r->in_pre;
        break;
    default:
        want(r, what == BREAK ? LINE : what == BLOCK ? PARAGRAPH : NOTHING);
        break;
    }
}

static void end(reader *r, action what)
{
    switch (what) {
    case TABLE:
        if (r->tables == 1)
            end_row(r);
        r->tables -= r->tables > 0;
        want(r, PARAGRAPH);
        break;
    case ROW:
        if (r->tables == 1)
            end_row(r);
        break;
    case LIST:
    case NUMBERED:
        r->lists -= r->lists > 0;
        want(r, r->lists ? LINE : PARAGRAPH);
        break;
    case PRE:
        end_pre(r);
        break;
    case CODE:
        end_code(r);
        break;
    default:
        want(r, what == BLOCK || what == HEADING ? PARAGRAPH : NOTHING);
        break;
    }
}

/* ---- the whole -------------------------------------------------------------------------------------------------- */

/* Whether nothing but blanks stands beside [from, to) in its line. */
static bool is_alone(const reader *r, size_t from, size_t to)
{
    while (from > 0 && is_blank(r->t[from - 1]) && r->t[from - 1] != '\n')
        from--;
    while (to < r->n && is_blank(r->t[to]) && r->t[to] != '\n')
        to++;
    return (from == 0 || r->t[from - 1] == '\n') && (to == r->n || r->t[to] == '\n');
}

/* A comment goes, unless it is a mark; one on a line of its own stays on one. */
static void read_comment(reader *r)
{
    size_t end = find_word(r->t, r->at + 4, r->n, "-->"), word = r->at + 4;
    size_t after = end < r->n ? end + 3 : r->n;

    while (word < end && is_blank(r->t[word]))
        word++;
    if (end - word > 7 && memcmp(r->t + word, "reckon:", 7) == 0 && !memchr(r->t + r->at, '\n', after - r->at)) {
        gap around = is_alone(r, r->at, after) ? LINE : NOTHING;

        want(r, around);
        settle(r);
        rk_prose_put(r->draft, r->t + r->at, after - r->at, r->at);
        want(r, around);
    }
    r->at = after;
}

static void read_element(reader *r)
{
    action what;
    tag g;

    if (r->n - r->at >= 4 && memcmp(r->t + r->at, "<!--", 4) == 0) {
        read_comment(r);
        return;
    }
    if (!next_tag(r, &g)) {
        bool other = !r->unclosed && r->at + 1 < r->n && strchr("!?", r->t[r->at + 1]);
        size_t over = other ? tag_end(r->t, r->n, r->at + 1) : 0;

        r->unclosed |= other && !over;
        if (over)
            r->at = over;
        else
            put_text(r);
        return;
    }
    what = g.row < N_TAG ? tag_table[g.row].action : OTHER;
    if (what != OTHER && what < CODE)
        end_code(r);
    if (g.closes) {
        end(r, what);
        r->at = g.end;
    } else if (what == SCRIPT || what == MATH) {
        read_script(r, &g, what);
    } else if ((what == SPAN && (attribute_has(&g, "class", "katex-html") || attribute_has(&g, "class", "MathJax")))) {
        skip_nested(r, &g);
    } else if (what == SUP || what == SUB) {
        put_raised(r, &g, what == SUP);
    } else {
        begin(r, &g, what);
        r->at = g.end;
    }
}

void rk_prose_read_html(rk_prose_draft *d, const char *bytes, size_t n)
{
    reader r = {.draft = d, .t = bytes, .n = n};

    while (r.at < r.n && !d->full && !d->text.failed && !d->arena->failed) {
        if (r.t[r.at] == '<')
            read_element(&r);
        else
            put_text(&r);
    }
    end_code(&r);
    end_pre(&r);
    end_row(&r);
    rk_prose_put_other(d, "\n", n);
}
