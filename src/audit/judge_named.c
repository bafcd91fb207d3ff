/* SPDX-License-Identifier: MIT */
/*
 * "Fixed memory = 16 × 1,555,126,400 bytes", and on a line of its own "Fixed memory ≈ 24.88 GB": what a name was said
 * to be computed from, and, below it, what the same name is.  So with "5 × 16 × 1,048,576", and "Result: 83,886,080".
 */
#include "audit/judge_parts.h"

#include <string.h>

enum {
    NAME_MAX = 48,
    LETTERS_LEAST = 1,
    LINES_MOST = 3
};

/* The letters, digits and brackets that stand in a line before a relation, and that before a token; 0: no name. */
static size_t name_before(const rk_audit *a, size_t token, char name[NAME_MAX])
{
    static const char *const relations[] = {"=", "\xE2\x89\x88", "\xE2\x89\x83", "\\approx", "\\simeq"};
    const char *text = a->scan.text;
    uint32_t to = a->lexed.token.at[token].at, from = a->scan.line.at[rk_scan_line(&a->scan, to) - 1];
    size_t n = 0, letters = 0;
    bool related = false;

    for (bool more = true; more;) {
        more = false;
        while (to > from && strchr(" \t*&$`~", text[to - 1]))
            to--;
        for (size_t i = 0; i < sizeof relations / sizeof *relations && !more; i++) {
            size_t m = strlen(relations[i]);

            more = to - from > m && memcmp(text + to - m, relations[i], m) == 0;
            to -= more ? (uint32_t)m : 0;
        }
        related |= more;
    }
    for (; from < to && related; from++) {
        unsigned char c = (unsigned char)text[from];
        bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';

        if (strchr("=:+<>|", c))
            return 0;
        if (!letter && !(c >= '0' && c <= '9') && c < 0x80 && !strchr("()_^/", c))
            continue;
        if (n + 1 == NAME_MAX)
            return 0;
        letters += letter || c >= 0x80;
        name[n++] = (char)(letter ? c | 0x20 : c);
    }
    name[n] = '\0';
    return letters >= LETTERS_LEAST && related ? n : 0;
}

/* "- **Result**: 83,886,080": nothing but a word for a result stands before a token on its line. */
static bool is_result(const rk_audit *a, size_t token)
{
    const char *text = a->scan.text;
    uint32_t to = a->lexed.token.at[token].at, from = a->scan.line.at[rk_scan_line(&a->scan, to) - 1];

    while (from < to && strchr(" \t*-_#>", text[from]))
        from++;
    while (to > from && strchr(" \t*_:=$`(\\~", text[to - 1]))
        to--;
    return to > from && rk_lexicon_is(a->lexicon, RK_WORDS_RESULT, text + from, to - from);
}

/* Whether a side ends its line. */
static bool ends_line(const rk_audit *a, const rk_side *s)
{
    const rk_audit_token *last = &a->lexed.token.at[s->to - 1];
    uint32_t at = last->at + last->n;

    while (at < a->scan.n && strchr(" \t*$`.,\\)]", a->scan.text[at]))
        at++;
    return at == a->scan.n || a->scan.text[at] == '\n';
}

void rk_judge_named(rk_audit *a, const rk_chain *before, const rk_chain *now)
{
    const rk_side *x = &a->chains.side.at[before->first], *y = &a->chains.side.at[now->first];
    const rk_side *first = x + (before->n > 1 && x->alone != RK_SYM_NONE), *last = &x[before->n - 1];
    char name[NAME_MAX], again[NAME_MAX];
    rk_verdict v;
    rk_claim *c;
    size_t line;

    y += now->n > 1 && y->alone != RK_SYM_NONE;
    if (first > last || !last->computed || last->n_symbol > 0 || last->literal.is || !last->digits || !y->literal.is ||
        a->scan.piece.at[now->piece].program || a->scan.piece.at[before->piece].kind == RK_PIECE_CELL || y->from == 0)
        return;
    line = rk_scan_line(&a->scan, a->lexed.token.at[last->from].at);
    if (rk_scan_line(&a->scan, a->lexed.token.at[y->from].at) - line > LINES_MOST ||
        rk_scan_line(&a->scan, a->lexed.token.at[y->from].at) == line || !ends_line(a, last))
        return;
    if (!is_result(a, y->from) &&
        (!name_before(a, first->from, name) || !name_before(a, y->from, again) || strcmp(name, again) != 0))
        return;
    rk_pair p = rk_pair_of(a, now->piece, last, last, y, y->from);
    v = rk_pair_judge(&p);
    if (v.is == RK_CLAIM_UNKNOWN || !(c = rk_audit_claim(a, RK_CLAIM_EQUATION, v.is, y->from, y->to)))
        return;
    rk_audit_fill(a, c, y, v.right, v.left);
    c->found = rk_audit_value(a, v.left, &y->literal, y);
    c->note = rk_arena_format(&a->arena, "line %zu: %s", line, rk_audit_quote(a, last->from, last->to));
}
