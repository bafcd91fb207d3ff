/* SPDX-License-Identifier: MIT */
/* What a text says, without the markup in which it says it. */
#include "audit/audit.h"

#include <string.h>

static const struct {
    const char *from, *to;
} plain[] = {
    {"\\frac", ""},
    {"\\times", "×"},
    {"\\cdot", "·"},
    {"\\approx", "≈"},
    {"\\textbf", ""},
    {"\\text", ""},
    {"\\mathbf", ""},
    {"\\mathrm", ""},
    {"\\boxed", ""},
    {"\\quad", " "},
    {"\\left", ""},
    {"\\right", ""},
    {"\\end{aligned}", ""},
    {"\\begin{aligned}", ""},
    {"\\\\", " "},
    {"\\,", " "},
    {"\\%", "%"},
    {"**", ""},
    {"$", ""},
    {"`", ""},
    {"&", ""},
    {"{,}", ","},
    {"\\(", ""},
    {"\\)", ""},
    {"\\;", " "},
};

/* The markup that begins here, or -1. */
static int markup(const char *at, size_t n)
{
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        size_t length = strlen(plain[i].from);

        if (length <= n && at[0] == plain[i].from[0] && memcmp(at, plain[i].from, length) == 0)
            return (int)i;
    }
    return -1;
}

static void put_byte(rk_str *s, char c)
{
    bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';

    if (!blank)
        rk_str_putc(s, c);
    else if (s->n > 0 && s->text[s->n - 1] != ' ')
        rk_str_putc(s, ' ');
}

/* What a brace is: layout, that of ^ and _, or one of a fraction. */
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

/* "10**12" is no emphasis. */
static bool is_power(const char *t, uint32_t at, uint32_t to)
{
    return at > 0 && at + 2 < to && t[at] == '*' &&
           ((t[at + 1] == '*' && t[at - 1] >= '0' && t[at - 1] <= '9' && t[at + 2] >= '0' && t[at + 2] <= '9'));
}

const char *rk_audit_plain(rk_audit *a, uint32_t from, uint32_t to)
{
    const char *t = a->scan.text;
    rk_str s = {0};
    braces b = {.n = 0};

    while (from < to && s.n < RK_AUDIT_QUOTE_MAX) {
        int m = is_power(t, from, to) ? -1 : markup(t + from, to - from);

        if (m >= 0) {
            for (const char *c = plain[m].to; *c; c++)
                put_byte(&s, *c);
            b.next = strcmp(plain[m].from, "\\frac") == 0 ? OVER : b.next;
            from += (uint32_t)strlen(plain[m].from);
            continue;
        }
        if (t[from] == '{' || t[from] == '}')
            put_brace(&b, &s, t[from]);
        else
            put_byte(&s, t[from]);
        from++;
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
