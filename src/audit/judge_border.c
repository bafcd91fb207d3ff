/* SPDX-License-Identifier: MIT */
/*
 * Where a claim begins and ends, and what stands in it: whether all of it was understood, or it may have been cut out
 * of a sentence at the wrong place.
 */
#include "audit/judge_parts.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Where a remark in brackets ends that has no number in it, "(K and V)"; 0: none begins here. */
static size_t after_remark(const rk_pair *p, size_t i, size_t to)
{
    const rk_audit_token *t = p->a->lexed.token.at;
    bool words = false, beside = !t[i].space && t[i].n == 1; /* "2(fp16)" has words alone in it, and 2(D-1) none */

    if (t[i].kind != RK_TOKEN_OPEN || t[i].op != '(' || (beside && t[i - 1].kind != RK_TOKEN_NUMBER))
        return 0;
    for (i++; i < to && t[i].kind != RK_TOKEN_CLOSE; i++) {
        if (t[i].kind == RK_TOKEN_NUMBER || t[i].kind == RK_TOKEN_OPEN || t[i].kind == RK_TOKEN_EQUALS ||
            (beside && t[i].kind != RK_TOKEN_WORD))
            return 0;
        words |= t[i].kind == RK_TOKEN_WORD;
    }
    return words && i < to ? i + 1 : 0;
}

/* The 请求 of "5.2 GB/请求". */
static bool is_per(const rk_side *s, const rk_audit_token *t, size_t i)
{
    return i > s->from + 1 && t[i - 1].kind == RK_TOKEN_SIGN && t[i - 1].op == '/' && t[i - 2].kind != RK_TOKEN_NUMBER;
}

/* "50 languages × 500 MB", "(312 × 0.4 utilization)": what stands after a number is what there are so many of. */
static bool is_counted(const rk_side *s, const rk_audit_token *t, size_t i)
{
    enum {
        LETTERS_LEAST = 3
    };

    return i > s->from && i + 1 < s->to && t[i].n >= LETTERS_LEAST && t[i - 1].kind == RK_TOKEN_NUMBER &&
           (t[i + 1].kind == RK_TOKEN_CLOSE ||
            (t[i + 1].kind == RK_TOKEN_SIGN && (t[i + 1].op == '*' || t[i + 1].op == '/')));
}

/* A word that is neither a unit, nor a thing that is counted, nor letters of a product, which stand after a number. */
static bool has_unknown_word(const rk_pair *p, const rk_side *s)
{
    const rk_audit_token *t = p->a->lexed.token.at;

    for (size_t i = s->from; i < s->to; i++) {
        size_t after = i > s->from && s->n_symbol == 0 ? after_remark(p, i, s->to) : 0;
        size_t half = rk_side_half(p->a->scan.text, &t[i], s->to - i);

        if (after > 0 || half > 0)
            i = after > 0 ? after - 1 : i + half - 1;
        else if (t[i].kind == RK_TOKEN_WORD && !(s->n_symbol > 0 && !t[i].space) && !is_per(s, t, i) &&
                 !is_counted(s, t, i) && !rk_pair_is_unit(p, &t[i]) && !rk_pair_is_word(p, RK_WORDS_THING, &t[i]) &&
                 !rk_pair_is_word(p, RK_WORDS_FUNCTION, &t[i]) && !rk_pair_is_word(p, RK_WORDS_BITS_EACH, &t[i]))
            return true;
    }
    return false;
}

static bool is_of_unknown_words(const rk_pair *p)
{
    return has_unknown_word(p, p->x) || has_unknown_word(p, p->y);
}

/* "6, 7 × 8 = 54" begins anew; "D × 4D, 4D × D = 8D²" and "2, 3 × 4 = 24" may be of all that is listed. */
static bool is_of_a_list(const rk_pair *p, const rk_audit_token *comma)
{
    const rk_audit_token *first = &p->a->lexed.token.at[p->a->lexed.first[p->piece]], *t = comma;

    while (t > first && t->kind != RK_TOKEN_BREAK && t->kind != RK_TOKEN_WORD && t->kind != RK_TOKEN_EQUALS)
        t--;
    return t->kind != RK_TOKEN_EQUALS && t + 1 != comma;
}

/* "attention 4h² + MLP 8h²": before the words that stand before it is a sign, or a number alone in its formula. */
static bool is_named_term(const rk_pair *p)
{
    enum {
        WORDS_MAX = 3
    };
    const rk_audit_token *first = &p->a->lexed.token.at[p->a->lexed.first[p->piece]], *t = rk_pair_before(p);
    size_t words = 0;

    while (t > first && t->kind == RK_TOKEN_WORD && words++ < WORDS_MAX)
        t--;
    return words > 0 && t >= first && t->kind == RK_TOKEN_SIGN;
}

/*
 * Directly before it stands the begin of a line, of a formula or of a column, punctuation, a relation, a bracket, or a
 * word after which something begins; all else may be a part of it.
 */
static bool begins_inside(const rk_pair *p)
{
    const rk_audit_token *t = rk_pair_before(p), *first = &p->a->lexed.token.at[p->a->lexed.first[p->piece]];
    const char *text = p->a->scan.text;
    bool tied = t && t > first && !t->space && !t[1].space;

    if (p->x != p->first || !t || t[1].about) /* "Time ≈ 9 / 8": that sign is gone */
        return false;
    switch (t->kind) {
    case RK_TOKEN_EQUALS: /* "12 → 3 × 4 = 24", not "L = 32 → 512 × 4096 × 32 = 3" */
        return t->op == '>' && rk_pair_signs(p, p->x, 0) < 2;
    case RK_TOKEN_OPEN:
        return t->op != '(' || (tied && t->n == 1 && (t[-1].kind == RK_TOKEN_SYMBOL || t[-1].kind == RK_TOKEN_WORD));
    case RK_TOKEN_BREAK: /* not the one of 3:4, or of f'(3) */
        return tied && (t[-1].kind == RK_TOKEN_NUMBER || t[-1].kind == RK_TOKEN_SYMBOL);
    case RK_TOKEN_COMMA:
        return is_of_a_list(p, t);
    case RK_TOKEN_WORD:
        if (is_named_term(p))
            return true;
        if (t->span != t[1].span && t[1].span == p->a->lexed.token.at[p->y->to - 1].span)
            return false; /* "a run of `3e20 / 1e15 = 3e5 s`": all of it stands in one formula */
        if (rk_pair_is_word(p, RK_WORDS_JOINS, t))
            return true;
        return !rk_pair_is_word(p, RK_WORDS_IS, t) && !rk_pair_is_word(p, RK_WORDS_OPENS, t) && t->span == t[1].span &&
               !(text[t[1].at - 1] == ' ' && text[t[1].at - 2] == ' ');
    default:
        return true;
    }
}

/* An arrow in the line before it. */
static bool has_arrow_before(const rk_pair *p)
{
    static const char *const arrow[] = {"\xE2\x86\x92", "->", "\xE2\x9F\xB6"};
    uint32_t to = p->a->lexed.token.at[p->x->from].at, from = rk_pair_line_begin(p);

    for (size_t i = 0; i < sizeof arrow / sizeof *arrow; i++)
        if (memmem(p->a->scan.text + from, to - from, arrow[i], strlen(arrow[i])))
            return true;
    return false;
}

/* "≈ 15.7 \\frac{\\text{Tflop}}{\\text{s}}": its unit is a fraction. */
static bool is_before_fraction(const rk_pair *p)
{
    const rk_audit_token *t = rk_pair_after(p);

    return t && t->kind == RK_TOKEN_OPEN && t->op == '(' && t->n == 0;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* "2" alone on the line before it: the power of a line of which the text was taken out of a page. */
static bool is_below_power(const rk_pair *p)
{
    enum {
        LENGTH_MAX = 24
    };
    const char *text = p->a->scan.text;
    uint32_t end = rk_pair_line_begin(p), at = end, digits = 0;

    for (; at > 1 && text[at - 2] != '\n' && end - at < LENGTH_MAX; at--) {
        if (text[at - 2] != ' ' && (!is_digit(text[at - 2]) || is_digit(text[at - 1])))
            return false; /* a power has one digit */
        digits += text[at - 2] != ' ';
    }
    return end > 1 && digits > 0 && end - at < LENGTH_MAX && (at < 2 || text[at - 2] == '\n');
}

/* "8x7B = 46.7B": a model is called so, and has fewer parameters. */
static bool is_of_name(const rk_pair *p)
{
    const rk_audit_token *t = &p->a->lexed.token.at[p->x->from];

    return p->x->to == p->x->from + 4 && t[0].kind == RK_TOKEN_NUMBER && t[1].kind == RK_TOKEN_SIGN && t[1].op == '*' &&
           !t[1].space && t[2].kind == RK_TOKEN_NUMBER && !t[2].space && t[3].n == 1 && !t[3].space &&
           p->a->scan.text[t[3].at] == 'B' && p->y->literal.is;
}

/* Whether what stands after it may belong to it, or the text was cut there. */
static bool ends_inside(const rk_pair *p)
{
    const rk_audit_token *t = rk_pair_after(p), *last = &p->a->lexed.token.at[p->a->lexed.first[p->piece + 1] - 1];
    bool figure = t && t < last && t[1].kind == RK_TOKEN_NUMBER;

    if (!t)
        return p->y->to == p->a->lexed.token.n && p->a->lexed.skipped > 0;
    if (p->runs) /* "= 56 GB + 7 GB = 63 GB" */
        return false;
    if (p->ends && t->kind == RK_TOKEN_SIGN) /* "= 272 KB" and "× 4096" below it; but "= 7 GB" and "+ 4 GB" */
        return t->op != '*' && t->op != '/';
    switch (t->kind) {
    case RK_TOKEN_EQUALS: /* "a → b = 3 → 4" */
        return t->op == '>' && has_arrow_before(p);
    case RK_TOKEN_BREAK:
        return false;
    case RK_TOKEN_COMMA: /* "= 40, 960, 000", "= 6,476,?" */
        return (figure && t[1].n == 3) || (t < last && !t[1].space && t[1].op != '\n');
    case RK_TOKEN_CLOSE: /* "(32 × 80 ≈ 6.1) GiB" */
        return t < last && (t[1].kind == RK_TOKEN_SIGN || t[1].kind == RK_TOKEN_NUMBER ||
                            t[1].kind == RK_TOKEN_SYMBOL || rk_pair_is_unit(p, &t[1]));
    case RK_TOKEN_OPEN:
        return t->op != '(' || (!t->space && t->n == 1);
    case RK_TOKEN_WORD:
    case RK_TOKEN_SYMBOL:
        return t->span == t[-1].span && !rk_pair_is_word(p, RK_WORDS_THING, t) &&
               !rk_pair_is_word(p, RK_WORDS_LABEL_END, t) && !rk_pair_is_word(p, RK_WORDS_IS, t);
    default:
        return true;
    }
}

/* "dots … 25 MiB × 4" and "≈ 400 MiB" below it: what a line begins with belongs to the whole line before it. */
static bool is_below(const rk_pair *p)
{
    const rk_audit_token *relation = &p->a->lexed.token.at[p->y->from];
    uint32_t at = p->a->lexed.token.at[p->x->from].at;
    const char *text = p->a->scan.text;

    if (p->y->from == 0 || relation[-1].kind != RK_TOKEN_EQUALS || !relation[-1].first || p->x != p->first)
        return false;
    while (at > 0 && strchr(" \t*$`(>&-", text[at - 1]))
        at--;
    if (at >= 3 && memcmp(text + at - 3, "\xE2\x89\x88", 3) == 0) /* "≈ 2 × 3" is as good as "= 2 × 3" */
        return false;
    return at > 0 && !strchr("\n:=", text[at - 1]); /* "Total FLOPs = 4 × 5" has all of it after the sign */
}

/* "48 *" on the line before: what is compared is only the end of a side.  (Bold text ends in two stars, though.) */
static bool begins_before(const rk_pair *p)
{
    const char *text = p->a->scan.text;
    const rk_audit_token *t = p->a->lexed.token.at;
    size_t at = t[p->x->from].at, n = at;

    for (size_t i = p->x->from + 1; i < p->x->to; i++) /* two formulas on two lines */
        if (t[i].span != t[i - 1].span && memchr(text + t[i - 1].at, '\n', t[i].at - t[i - 1].at))
            return true;

    while (n > 0 && strchr(" \t\r\n", text[n - 1]))
        n--;
    return n > 1 && memchr(text + n, '\n', at - n) && strchr("*+/", text[n - 1]) && text[n - 2] != text[n - 1];
}

size_t rk_pair_result_end(const rk_pair *p, const rk_side *s)
{
    const rk_audit_token *t = p->a->lexed.token.at;
    size_t i = s->from;

    if (i == 0 || t[i].kind != RK_TOKEN_NUMBER || t[i - 1].kind != RK_TOKEN_EQUALS)
        return 0;
    while (i < s->to && (t[i].kind != RK_TOKEN_SIGN ||
                         (t[i].op == '/' && i + 1 < s->to && t[i + 1].kind == RK_TOKEN_WORD))) /* "KB / token" */
        i++;
    return i < s->to && i > s->from &&
                   memchr(p->a->scan.text + t[i - 1].at + t[i - 1].n, '\n', t[i].at - t[i - 1].at - t[i - 1].n)
               ? i
               : 0;
}

static bool is_glued(const rk_pair *p)
{
    return rk_pair_result_end(p, p->x) || rk_pair_result_end(p, p->y);
}

/* "0.042 ~ 0.047": from one to the other. */
static bool is_span(const rk_pair *p)
{
    const rk_audit_token *t = &p->a->lexed.token.at[p->y->from];
    const char *sign;

    if (p->y->from == 0 || !p->x->literal.is || !p->y->literal.is || t[-1].kind != RK_TOKEN_EQUALS)
        return false;
    sign = p->a->scan.text + t[-1].at;
    return sign[0] == '~' || (t[-1].n > 1 && strncmp(sign, "\\simeq", 6) != 0 &&
                              (strncmp(sign, "\\sim", 4) == 0 || strncmp(sign, "\xE2\x88\xBC", 3) == 0));
}

/* "= 614 016 look-ups": three more digits behind a blank. */
static bool is_before_group(const rk_pair *p)
{
    const rk_audit_token *t = rk_pair_after(p);

    return t && t->kind == RK_TOKEN_NUMBER && t->n == 3 && p->y->to == p->y->from + 1 &&
           t->at == t[-1].at + t[-1].n + 1;
}

static const rk_reason reason[] = {
    {RK_EITHER(shape), RK_OF_MEANING, "a list in brackets"},
    {RK_EITHER(maybe_two), RK_OF_READING, "perhaps two numbers with a comma between them"},
    {is_before_group, 0, RK_OF_MEANING, "perhaps the first digits of a longer number"},
    {RK_EITHER(range), RK_OF_MEANING, "perhaps a range"},
    {is_span, 0, RK_OF_MEANING, "perhaps a range"},
    {RK_EITHER(labelled), RK_OF_READING, "numbers of different things"},
    {RK_EITHER(name), RK_OF_MEANING, "perhaps a name"},
    {RK_EITHER(call), RK_OF_MEANING, "perhaps a function"},
    {begins_before, 0, RK_OF_MEANING, "perhaps it begins on the line before"},
    {begins_inside, 0, RK_OF_READING, "perhaps the end of something in words"},
    {is_below, 0, RK_OF_READING, "perhaps of another part of the line before"},
    {is_before_fraction, 0, RK_OF_MEANING, "in a unit that is not understood"},
    {is_below_power, 0, RK_OF_MEANING, "a power of it may stand on the line before"},
    {is_of_name, 0, RK_OF_MEANING, "the name of a model"},
    {ends_inside, 0, RK_OF_READING, "perhaps it goes on after that"},
    {is_glued, 0, RK_OF_READING, "perhaps it ends with its line"},
    {is_of_unknown_words, 0, RK_OF_READING, "words in it that are not understood"},
};

const rk_reasons rk_reasons_of_border = {reason, sizeof reason / sizeof *reason};
