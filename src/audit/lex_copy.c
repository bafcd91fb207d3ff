/* SPDX-License-Identifier: MIT */
/*
 * A formula that was copied from a page is often there three times: "2×768=15362 \times 768 = 15362×768=1536" is what
 * the page shows, what it was written as, and what it shows again, with nothing between them.  The last one is read.
 */
#include "audit/lex.h"

#include <string.h>

enum {
    LINE_MAX_BYTES = 800,
    COPY_LEAST = 5,
    BUDGET_PER_BYTE = 60
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool has_relation(const char *s, size_t n)
{
    bool digit = false, sign = false;

    for (size_t i = 0; i < n; i++) {
        digit |= is_digit(s[i]);
        sign |= s[i] == '=' || (i + 1 < n && (memcmp(s + i, "\xC3\x97", 2) == 0 || memcmp(s + i, "\xE2\x89", 2) == 0));
    }
    return digit && sign;
}

/* Where a line has the first "\times" outside of formulas, or "589,8247,168", of which no one writes either. */
static const char *first_sign(const char *line, const char *end)
{
    const char *sign = end;

    for (const char *s = line; s < end; s++) {
        if (*s == '$' || *s == '`' || (*s == '\\' && s + 1 < end && !rk_lex_is_letter((unsigned char)s[1])))
            return end;
        if (sign == end && (*s == '\\' || (*s == ',' && s > line && s + 4 < end && is_digit(s[-1]) && is_digit(s[1]) &&
                                           is_digit(s[2]) && is_digit(s[3]) && is_digit(s[4]))))
            sign = *s == ',' ? s + 4 : s;
    }
    return sign;
}

/* What stands from `from` on up to such a sign, and again after it: how many bytes, and *again where; 0: nothing. */
static size_t copied(rk_lex_copies *c, const char *from, const char *sign, const char *end, const char **again)
{
    size_t most = 0;

    for (const char *s = sign; s + COPY_LEAST <= end && c->budget > 0; s++) {
        size_t n = 0;

        c->budget--;
        while (from + n < sign && s + n < end && from[n] == s[n] && c->budget > 0) {
            n++;
            c->budget--;
        }
        if (n > most) {
            most = n;
            *again = s;
        }
    }
    return most >= COPY_LEAST && has_relation(from, most) ? most : 0;
}

/* Whether it is a formula as it was written: words of a sentence stand only in its braces. */
static bool is_source(const char *s, const char *end)
{
    size_t depth = 0;

    for (; s < end; s++) {
        if (*s == '{' || *s == '}')
            depth = *s == '{' ? depth + 1 : depth - (depth > 0);
        else if (*s == '\\')
            while (s + 1 < end && rk_lex_is_letter((unsigned char)s[1]))
                s++;
        else if (depth == 0 && s + 1 < end && rk_lex_is_letter((unsigned char)s[0]) &&
                 rk_lex_is_letter((unsigned char)s[1]))
            return false;
    }
    return true;
}

/* Finds the next copy of a line, from `at` on. */
static void find_copy(rk_lex_copies *c, const char *text, uint32_t at)
{
    const char *end = text + c->line_end, *sign = first_sign(text + at, end), *again = NULL;

    c->from = c->line_end;
    if (sign == end)
        return;
    for (const char *s = text + at; s + COPY_LEAST <= sign && c->budget > 0; s++) {
        size_t n = copied(c, s, sign, end, &again);

        if (n > 0 && is_source(s + n, again)) {
            c->from = (uint32_t)(s - text);
            c->to = (uint32_t)(again - text);
            return;
        }
    }
}

bool rk_lex_pass_copy(rk_audit_lexer *x)
{
    rk_lex_copies *c = &x->copies;
    const char *end;

    if (x->at >= c->line_end) { /* the first byte of a line, or of a piece */
        end = memchr(x->text + x->at, '\n', x->to - x->at);
        c->line_end = end ? (uint32_t)(end - x->text) + 1 : x->to;
        c->budget += (size_t)BUDGET_PER_BYTE * (c->line_end - x->at);
        c->from = c->line_end;
        if (x->mode == RK_MODE_PLAIN && c->line_end - x->at <= LINE_MAX_BYTES)
            find_copy(c, x->text, x->at);
    }
    if (x->at != c->from || c->from >= c->line_end)
        return false;
    x->at = c->to;
    find_copy(c, x->text, x->at + 1);
    return true;
}
