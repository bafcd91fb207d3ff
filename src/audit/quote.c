/* SPDX-License-Identifier: MIT */
/* What a text says, without the markup in which it says it, and what stands around a figure. */
#include "audit/audit.h"

#include <string.h>

/* Markup, and what is read in its place. */
/* clang-format off */
static const struct markup {
    const char *from, *to;
} plain[] = {
    {"\\frac", ""}, {"\\sqrt", "\xE2\x88\x9A"}, {"\\textbf", ""}, {"\\text", ""}, {"\\mathbf", ""}, {"\\mathrm", ""}, {"\\boxed", ""},
    {"\\underbrace", ""}, {"\\overbrace", ""},
    {"\\left", ""}, {"\\right", ""}, {"\\end{aligned}", ""}, {"\\begin{aligned}", ""}, {"**", ""}, {"$", ""}, {"`", ""},
    {"&", ""}, {"\\(", ""}, {"\\)", ""}, {"\\quad", " "}, {"\\\\", " "}, {"\\,", " "}, {"\\;", " "}, {"\\times", "×"},
    {"\\cdot", "·"}, {"\\approx", "≈"}, {"\\%", "%"}, {"{,}", ","},
};
/* clang-format on */

/* The first that text[0..n) begins with; NULL: none. */
static const struct markup *find_markup(const char *text, size_t n)
{
    if (!strchr("\\*$`&{", text[0])) /* most are none, and long lines are quoted often */
        return NULL;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        size_t length = text[0] == plain[i].from[0] ? strlen(plain[i].from) : SIZE_MAX;

        if (length <= n && memcmp(text, plain[i].from, length) == 0)
            return &plain[i];
    }
    return NULL;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void put_byte(rk_str *s, char c)
{
    bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';

    if (!blank)
        rk_str_putc(s, c);
    else if (s->n > 0 && s->text[s->n - 1] != ' ')
        rk_str_putc(s, ' ');
}

/* What a brace is: layout, that of ^ and _, or one of a fraction or a root. */
typedef enum brace {
    LAYOUT,
    KEPT,
    OVER,
    UNDER
} brace;

typedef struct braces {
    brace kind[64];
    size_t n;
    brace next; /* of the brace that follows */
} braces;

static void put_brace(braces *b, rk_str *s, char c)
{
    static const char *const open[] = {"", "{", "(", "("}, *const close[] = {"", "}", ")/", ")"};
    const size_t most = sizeof b->kind / sizeof *b->kind;
    bool raised = s->n > 0 && strchr("^_", s->text[s->n - 1]);
    brace kind = b->next != LAYOUT ? b->next : raised ? KEPT : LAYOUT;

    if (c == '}') {
        kind = b->n > 0 && b->n <= most ? b->kind[b->n - 1] : LAYOUT;
        b->n -= b->n > 0;
        b->next = kind == OVER ? UNDER : LAYOUT;
        rk_str_put(s, close[kind]);
        return;
    }
    if (b->n < most)
        b->kind[b->n] = kind;
    b->n++;
    b->next = LAYOUT;
    rk_str_put(s, open[kind]);
}

/* "32$~MB": a blank that keeps a line together, and not "about". */
static bool is_tie(const char *t, uint32_t at, uint32_t to)
{
    return t[at] == '~' && at > 0 && at + 1 < to && (is_digit(t[at - 1]) || strchr("$}", t[at - 1])) &&
           rk_lexicon_is_letter(t[at + 1]) && !is_digit(t[at + 1]);
}

const char *rk_audit_plain(rk_audit *a, uint32_t from, uint32_t to)
{
    const char *t = a->scan.text;
    rk_str s = {0};
    braces b = {.n = 0};

    while (from < to && s.n < RK_AUDIT_QUOTE_MAX) {
        bool is_power = from > 0 && from + 2 < to && t[from] == '*' && t[from + 1] == '*' && is_digit(t[from - 1]) &&
                        is_digit(t[from + 2]); /* "10**12" is no emphasis */
        const struct markup *markup = is_power ? NULL : find_markup(t + from, to - from);

        if (markup) {
            for (const char *c = markup->to; *c; c++)
                put_byte(&s, *c);
            b.next = markup == &plain[0] ? OVER : markup == &plain[1] ? UNDER : b.next;
        } else if (t[from] == '{' || t[from] == '}') {
            put_brace(&b, &s, t[from]);
        } else {
            put_byte(&s, is_tie(t, from, to) ? ' ' : t[from]);
        }
        from += markup ? (uint32_t)strlen(markup->from) : 1;
    }
    while (s.n > 0 && s.text[s.n - 1] == ' ')
        s.text[--s.n] = '\0';
    rk_str_put(&s, from < to ? " …" : "");
    return rk_audit_keep(a, &s);
}

const char *rk_audit_quote(rk_audit *a, size_t from, size_t to)
{
    const rk_audit_token *t = a->lexed.token.at;

    return rk_audit_plain(a, t[from].at, to > from ? t[to - 1].at + t[to - 1].n : t[from].at);
}

int rk_audit_context(rk_audit *a, const rk_side *s, rk_context *out, rk_err *err)
{
    const rk_audit_token *t = a->lexed.token.at;
    const rk_scope *scope = a->scan.scope.at;
    uint32_t at = t[s->from].at, end = t[s->to - 1].at + t[s->to - 1].n, from, to;
    size_t piece = 0, after = a->scan.piece.n; /* that of the side is one of these */

    while (after - piece > 1) {
        size_t middle = piece + (after - piece) / 2;

        if (a->lexed.first[middle] <= s->from)
            piece = middle;
        else
            after = middle;
    }
    *out = (rk_context){.line = rk_scan_line(&a->scan, at)};
    rk_scan_line_range(&a->scan, out->line, &from, &to);
    out->before = rk_audit_plain(a, from, at > from ? at : from);
    out->after = rk_audit_plain(a, end < to ? end : to, to);
    for (uint32_t i = a->scan.piece.at[piece].scope; i != 0 && out->n_heading < RK_CONTEXT_HEADINGS;
         i = scope[i].parent)
        if (scope[i].from < a->scan.line.at[out->line - 1])
            out->heading[out->n_heading++] = rk_audit_plain(a, scope[i].from, scope[i].title_to);
    return a->arena.failed ? rk_fail_memory(err) : RK_OK;
}
