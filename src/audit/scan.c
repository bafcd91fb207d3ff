/* SPDX-License-Identifier: MIT */
#include "audit/scan.h"

#include <string.h>

/* ---- lines ------------------------------------------------------------------------------------------------------ */

typedef struct scanner {
    rk_arena *arena;
    rk_scan *s;
    uint32_t open[RK_SCAN_SCOPES_MAX]; /* scopes that are open, the innermost last */
    size_t n_open;
    rk_piece *now;  /* the paragraph or item that the next line may go on with */
    uint32_t fence; /* the character of the fence that is open, or 0 */
    bool quoted;    /* … and what stands in it is Markdown, read as such */
    uint32_t n_table, n_row;
    bool in_table;
} scanner;

/* A line without its end, its indent and the marks of quotations. */
typedef struct line {
    uint32_t from, at, to;
    int indent;
} line;

size_t rk_scan_line(const rk_scan *s, uint32_t at)
{
    size_t low = 0, high = s->line.n;

    while (high - low > 1) {
        size_t mid = low + (high - low) / 2;

        if (s->line.at[mid] <= at)
            low = mid;
        else
            high = mid;
    }
    return low + 1;
}

void rk_scan_line_range(const rk_scan *s, size_t number, uint32_t *from, uint32_t *to)
{
    *from = s->line.at[number - 1];
    *to = number < s->line.n ? s->line.at[number] : (uint32_t)s->n;
    while (*to > *from && strchr(" \t\r\n", s->text[*to - 1]))
        --*to;
    while (*from < *to && strchr(" \t", s->text[*from]))
        ++*from;
}

size_t rk_scan_column(const rk_scan *s, uint32_t at)
{
    uint32_t i = s->line.at[rk_scan_line(s, at) - 1];
    size_t column = 1;

    for (; i < at; i++)
        column += ((unsigned char)s->text[i] & 0xC0) != 0x80;
    return column;
}

uint32_t rk_scan_section(const rk_scan *s, uint32_t scope)
{
    while (scope != 0 && s->scope.at[scope].rank > 6)
        scope = s->scope.at[scope].parent;
    return scope;
}

static line line_at(const rk_scan *s, uint32_t from)
{
    const char *end = memchr(s->text + from, '\n', s->n - from);
    line l = {.from = from, .at = from, .to = end ? (uint32_t)(end - s->text) : (uint32_t)s->n};

    for (; l.at < l.to; l.at++) {
        char c = s->text[l.at];

        if (c == '\t')
            l.indent += 4;
        else if (c == ' ' || c == '>')
            l.indent++;
        else
            break;
    }
    while (l.to > l.at && strchr(" \t\r", s->text[l.to - 1]))
        l.to--;
    return l;
}

/* ---- scopes ----------------------------------------------------------------------------------------------------- */

static void close_scopes(scanner *c, int rank, uint32_t at)
{
    while (c->n_open > 1 && c->s->scope.at[c->open[c->n_open - 1]].rank >= rank)
        c->s->scope.at[c->open[--c->n_open]].to = at;
}

static void open_scope(scanner *c, int rank, const line *l)
{
    rk_scope *made;

    close_scopes(c, rank, l->from);
    if (c->n_open == RK_SCAN_SCOPES_MAX)
        return;
    made = RK_PUSH(c->arena, &c->s->scope);
    if (!made)
        return;
    *made = (rk_scope){c->open[c->n_open - 1], l->from, (uint32_t)c->s->n, l->to, rank};
    c->open[c->n_open++] = (uint32_t)(c->s->scope.n - 1);
}

/* ---- pieces ----------------------------------------------------------------------------------------------------- */

static rk_piece *new_piece(scanner *c, rk_piece_kind kind, uint32_t from, uint32_t to)
{
    rk_piece *p = RK_PUSH(c->arena, &c->s->piece);

    if (p)
        *p = (rk_piece){.kind = kind, .from = from, .to = to, .scope = c->open[c->n_open - 1]};
    return p;
}

/* The bytes that mark an item, "- " or "12. ", or 0. */
static uint32_t marker(const scanner *c, const line *l)
{
    const char *t = c->s->text;
    uint32_t i = l->at;

    if (i + 1 < l->to && strchr("-*+", t[i]) && (t[i + 1] == ' ' || t[i + 1] == '\t'))
        return t[i] == '+' && c->now && c->now->kind == RK_PIECE_TEXT ? 0 : 2; /* a sum that goes on */
    if (i + 3 < l->to && memcmp(t + i, "\xE2\x80\xA2", 3) == 0)
        return 3;
    while (i < l->to && i < l->at + 3 && t[i] >= '0' && t[i] <= '9')
        i++;
    return i > l->at && i + 1 < l->to && (t[i] == '.' || t[i] == ')') && t[i + 1] == ' ' ? i + 2 - l->at : 0;
}

/* ---- tables ----------------------------------------------------------------------------------------------------- */

static bool is_all(const rk_scan *s, const line *l, const char *of)
{
    for (uint32_t i = l->at; i < l->to; i++)
        if (!strchr(of, s->text[i]))
            return false;
    return l->to > l->at;
}

static bool is_rule(const rk_scan *s, const line *l)
{
    return is_all(s, l, "|-: \t") && memchr(s->text + l->at, '|', l->to - l->at) &&
           memchr(s->text + l->at, '-', l->to - l->at);
}

static bool is_row(const scanner *c, const line *l)
{
    const char *t = c->s->text;

    if (l->at >= l->to || !memchr(t + l->at, '|', l->to - l->at))
        return false;
    if (c->in_table || (t[l->at] == '|' && t[l->to - 1] == '|' && l->to - l->at > 2))
        return true;
    if (l->to + 1 < c->s->n) { /* "a | b" with a rule below it */
        line next = line_at(c->s, l->to + 1);

        return is_rule(c->s, &next);
    }
    return false;
}

static void put_row(scanner *c, const line *l)
{
    uint32_t at = l->at + (c->s->text[l->at] == '|'), column = 0;

    if (!c->in_table) {
        c->in_table = true;
        c->n_table++;
        c->n_row = 0;
    }
    for (; at < l->to && !is_rule(c->s, l); column++) {
        uint32_t end = at > 0 ? at : 1; /* a bar that is not escaped */
        rk_piece *p;

        while (end < l->to && !(c->s->text[end] == '|' && c->s->text[end - 1] != '\\'))
            end++;
        p = new_piece(c, RK_PIECE_CELL, at, end);
        if (p) {
            p->table = c->n_table;
            p->row = c->n_row;
            p->column = column;
        }
        at = end + 1;
    }
    c->n_row++;
    c->now = NULL;
}

/* ---- fences ----------------------------------------------------------------------------------------------------- */

static uint32_t fence_of(const rk_scan *s, const line *l)
{
    uint32_t n = 0;

    while (l->at + n < l->to && s->text[l->at + n] == s->text[l->at] && strchr("`~", s->text[l->at]))
        n++;
    /* On one line with its end it is a span of code. */
    return n >= 3 && !memchr(s->text + l->at + n, '`', l->to - l->at - n) ? n : 0;
}

/* "```python": only what opens code says in which language it is. */
static bool names_language(const rk_scan *s, const line *l, uint32_t n)
{
    for (uint32_t i = l->at + n; i < l->to; i++)
        if (s->text[i] != ' ')
            return true;
    return false;
}

/* What people write outside of code: headings, rules of tables, words in bold. */
static bool is_markdown(const rk_scan *s, const line *l)
{
    const char *t = s->text + l->at;
    uint32_t n = l->to - l->at;

    return (n > 3 && memcmp(t, "## ", 3) == 0) || (n > 4 && memcmp(t, "### ", 4) == 0) || is_rule(s, l) ||
           (n > 2 && (memcmp(t, "**", 2) == 0 || (n > 4 && memcmp(t, "- **", 4) == 0)));
}

/*
 * A part cut out of a text may begin within code, and its first fence then ends it.  Where a fence that opens would
 * stand in code otherwise, or more of what is written outside of code would, it is so.
 */
static bool begins_in_code(const rk_scan *s)
{
    size_t outside = 0, inside = 0;
    bool open = false;

    for (size_t at = 0; at <= s->n;) {
        const char *end = memchr(s->text + at, '\n', s->n - at);
        line l = line_at(s, (uint32_t)at);
        uint32_t n = fence_of(s, &l);

        if (n > 0 && names_language(s, &l, n))
            return open;
        if (n > 0)
            open = !open;
        else if (is_markdown(s, &l))
            ++*(open ? &inside : &outside);
        at = end ? (size_t)(end - s->text) + 1 : s->n + 1;
    }
    return inside > outside;
}

/* "KV = 2 × 32 × 4096 ≈ 0.26 MB" in a block that is called a program: none has these signs outside of its strings. */
static bool is_working(const char *text, uint32_t from, uint32_t to)
{
    static const char *const signs[] = {"\xC3\x97", "\xE2\x89\x88"};
    uint32_t stop = from;

    while (stop < to && !strchr("#\"'", text[stop]) && !(text[stop] == '/' && stop + 1 < to && text[stop + 1] == '/'))
        stop++;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (memmem(text + from, stop - from, signs[i], strlen(signs[i])))
            return true;
    return false;
}

/* "Total FLOPs: 4.51 TFLOPs" in a block that is called a shell's: what a command printed. */
static bool is_printed(const char *text, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i + 2 < to; i++)
        if (text[i] == ':' && text[i + 1] == ' ' && text[i + 2] >= '0' && text[i + 2] <= '9')
            return i > from && text[from] != '#';
    return false;
}

/* Signs and words that a program has, and what it printed has not. */
static bool is_code(const char *text, uint32_t from, uint32_t to)
{
    static const char *const signs[] = {"=", "{", "}", ";", "print", "import ", "def ", "return ", "\"", "'"};
    bool rule = to > from + 2 && text[from] == '=' && text[from + 1] == '=' && text[from + 2] == '=';

    for (size_t i = 0; i < sizeof signs / sizeof *signs && !rule; i++)
        if (memmem(text + from, to - from, signs[i], strlen(signs[i])))
            return true;
    return false;
}

/* How many lines of a block of code, which begins at a byte, are of a kind. */
static size_t count_lines(const scanner *c, uint32_t at, bool (*is)(const char *text, uint32_t from, uint32_t to))
{
    const rk_scan *s = c->s;
    size_t n = 0;

    while (at < s->n) {
        const char *end = memchr(s->text + at, '\n', s->n - at);
        uint32_t to = (uint32_t)(end ? (size_t)(end - s->text) : s->n), first = at;

        while (first < to && s->text[first] == ' ')
            first++;
        if (first + 2 < to && (unsigned char)s->text[first] == c->fence && s->text[first + 1] == s->text[first] &&
            s->text[first + 2] == s->text[first])
            break;
        n += is(s->text, first, to);
        at = to + 1;
    }
    return n;
}

static bool is_one_of(const char *const *word, const char *text, uint32_t n)
{
    for (; *word; word++)
        if (strlen(*word) == n && memcmp(text, *word, n) == 0)
            return true;
    return false;
}

/* "ffn: 676.46 GFLOPS (25.82%)" and more such lines in a block that is called Python: it is what Python printed. */
static bool is_output(const scanner *c, uint32_t begin, const char *language, uint32_t n)
{
    enum {
        LINES_LEAST = 3
    };
    static const char *const shell[] = {"shell", "bash", "sh", NULL};
    static const char *const settings[] = {"yaml", "yml", "json", "toml", "ini", NULL};

    if (is_one_of(shell, language, n))
        return count_lines(c, begin, is_printed) > 0;
    return !is_one_of(settings, language, n) && count_lines(c, begin, is_printed) >= LINES_LEAST &&
           count_lines(c, begin, is_code) == 0;
}

static void open_fence(scanner *c, const line *l, uint32_t n)
{
    static const char *const prose[] = {"text",  "txt",     "math",   "latex", "tex",
                                        "plain", "console", "output", "log",   NULL};
    static const char *const markdown[] = {"md", "markdown", NULL};
    uint32_t from = l->at + n, begin = l->to + (l->to < c->s->n);
    const char *language;

    while (from < l->to && c->s->text[from] == ' ')
        from++;
    language = c->s->text + from;
    n = l->to - from;
    c->fence = (uint32_t)(unsigned char)c->s->text[l->at];
    c->quoted = is_one_of(markdown, language, n);
    if (c->quoted) {
        c->now = NULL;
        return;
    }
    c->now = new_piece(c, RK_PIECE_CODE, begin, begin);
    if (c->now)
        c->now->program = n > 0 && !is_one_of(prose, language, n) && count_lines(c, begin, is_working) == 0 &&
                          !is_output(c, begin, language, n);
}

/* ---- the whole -------------------------------------------------------------------------------------------------- */

static uint32_t heading_level(const rk_scan *s, const line *l)
{
    uint32_t n = 0;

    while (l->at + n < l->to && s->text[l->at + n] == '#')
        n++;
    return n >= 1 && n <= 6 && l->at + n < l->to && s->text[l->at + n] == ' ' ? n : 0;
}

/* "= 309,237,645,312" as a paragraph of its own goes on with the one before it. */
static bool goes_on(const scanner *c, const line *l)
{
    static const char *const relation[] = {"= ", "\xE2\x89\x88 ", "\\approx ", "=> "};
    const rk_piece *before = c->s->piece.n > 0 ? &c->s->piece.at[c->s->piece.n - 1] : NULL;

    if (!before || (before->kind != RK_PIECE_TEXT && before->kind != RK_PIECE_ITEM) ||
        l->to - before->from >= RK_SCAN_PIECE_MAX)
        return false;
    for (uint32_t i = before->to; i < l->at; i++)
        if (!strchr(" \t\r\n>", c->s->text[i]))
            return false;
    for (size_t i = 0; i < sizeof relation / sizeof *relation; i++)
        if (l->to - l->at > strlen(relation[i]) && memcmp(c->s->text + l->at, relation[i], strlen(relation[i])) == 0)
            return true;
    return false;
}

static void put_block(scanner *c, const line *l)
{
    uint32_t n;

    if (l->at >= l->to || is_all(c->s, l, "-*_= ")) {
        c->now = NULL;
    } else if ((n = heading_level(c->s, l)) > 0) {
        open_scope(c, (int)n, l);
        new_piece(c, RK_PIECE_HEADING, l->at + n, l->to);
        c->now = NULL;
    } else if ((n = fence_of(c->s, l)) > 0) {
        open_fence(c, l, n);
    } else if ((n = marker(c, l)) > 0) {
        open_scope(c, 10 + l->indent, l);
        c->now = new_piece(c, RK_PIECE_ITEM, l->at + n, l->to);
    } else if (c->now && l->to - c->now->from < RK_SCAN_PIECE_MAX) {
        c->now->to = l->to; /* more of the paragraph before it */
    } else if (goes_on(c, l)) {
        c->now = &c->s->piece.at[c->s->piece.n - 1];
        c->now->to = l->to;
    } else {
        close_scopes(c, 10 + l->indent, l->from); /* a new one ends the items that it is not inside of */
        c->now = new_piece(c, RK_PIECE_TEXT, l->at, l->to);
    }
}

static void put_text(scanner *c, const line *l)
{
    if (is_row(c, l)) {
        put_row(c, l);
    } else {
        c->in_table = false;
        put_block(c, l);
    }
}

static void put_code(scanner *c, const line *l)
{
    uint32_t n = fence_of(c->s, l);
    bool ends = n > 0 && (uint32_t)(unsigned char)c->s->text[l->at] == c->fence;

    if (ends && names_language(c->s, l, n)) {
        open_fence(c, l, n); /* the end of the code before it is missing */
    } else if (!ends && c->quoted) {
        put_text(c, l);
    } else if (ends || (c->now && l->to - c->now->from > RK_SCAN_PIECE_MAX)) {
        c->now = NULL;
        c->fence = ends ? 0 : c->fence;
        if (!ends)
            c->now = new_piece(c, RK_PIECE_CODE, l->from, l->to);
    } else if (c->now) {
        c->now->to = l->to;
    }
}

static void put_line(scanner *c, const line *l)
{
    if (l->to - l->from > RK_SCAN_LINE_MAX) {
        c->s->first_long = c->s->n_long++ ? c->s->first_long : c->s->line.n;
        c->now = NULL;
    } else if (c->fence) {
        put_code(c, l);
    } else {
        put_text(c, l);
    }
}

int rk_scan_text(rk_arena *a, const char *text, size_t n, rk_scan *out, rk_err *err)
{
    scanner c = {.arena = a, .s = out};
    rk_scope *whole;

    *out = (rk_scan){.text = text, .n = n};
    whole = RK_PUSH(a, &out->scope);
    if (whole)
        *whole = (rk_scope){.to = (uint32_t)n};
    c.n_open = 1;
    if (begins_in_code(out)) {
        c.fence = '`';
        c.now = new_piece(&c, RK_PIECE_CODE, 0, 0);
    }
    for (size_t at = 0; at <= n && !a->failed;) {
        uint32_t *start = RK_PUSH(a, &out->line);
        const char *end = memchr(text + at, '\n', n - at);
        line l = line_at(out, (uint32_t)at);

        if (start)
            *start = (uint32_t)at;
        put_line(&c, &l);
        at = end ? (size_t)(end - text) + 1 : n + 1;
    }
    return a->failed ? rk_fail_memory(err) : RK_OK;
}
