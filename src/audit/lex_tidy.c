/* SPDX-License-Identifier: MIT */
/*
 * What a sign means depends on its neighbours: * multiplies or makes words italic, x is a letter or "times", the end of
 * a line ends a formula or stands inside of one, ≈ relates two numbers or says "about".
 */
#include "audit/lex.h"

static bool is_kind(const rk_audit_token *t, rk_audit_token_kind kind)
{
    return t && t->kind == kind;
}

static bool is_line_end(const rk_audit_token *t)
{
    return is_kind(t, RK_TOKEN_BREAK) && t->op == '\n';
}

static bool ends_operand(const rk_audit_token *t)
{
    return is_kind(t, RK_TOKEN_NUMBER) || is_kind(t, RK_TOKEN_SYMBOL) || is_kind(t, RK_TOKEN_CLOSE);
}

static bool begins_operand(const rk_audit_token *t)
{
    return is_kind(t, RK_TOKEN_NUMBER) || is_kind(t, RK_TOKEN_SYMBOL) || is_kind(t, RK_TOKEN_OPEN);
}

/* Whether a star multiplies; words on both sides need blanks on both sides. */
static bool multiplies(const rk_audit_lexer *x, const rk_audit_token *left, const rk_audit_token *star,
                       const rk_audit_token *right)
{
    if (!left || !right)
        return false;
    if (star->op == '*' && left->mode == RK_MODE_CODE && left->kind == RK_TOKEN_WORD && begins_operand(right) &&
        rk_lexicon_unit(x->out->lexicon, x->text + left->at, left->n))
        return true; /* `1 trillion *60` */
    if (star->op == '^' && star->space != right->space)
        return false;
    if (star->op == '^' && left->kind == RK_TOKEN_WORD && left->mode == RK_MODE_PLAIN && left->n > 0 &&
        (unsigned char)x->text[left->at + left->n - 1] >= 0x80)
        return false; /* "显存**24-14=10GB**" is bold: no blanks in Chinese, and no powers of words */
    if (star->space != right->space && (left->kind == RK_TOKEN_SYMBOL || right->kind == RK_TOKEN_SYMBOL) &&
        left->mode == RK_MODE_PLAIN && left->n + right->n <= 4)
        return false; /* *W* 2: a letter in italics */
    if (ends_operand(left) && begins_operand(right))
        return true;
    if (star->op == '*' && is_kind(left, RK_TOKEN_NUMBER) && is_kind(right, RK_TOKEN_SIGN) && right->op == '-' &&
        !right->space && right + 1 < x->out->token.at + x->out->token.n && begins_operand(right + 1))
        return true; /* "0.1*-2" */
    return star->space == right->space && (ends_operand(left) || left->kind == RK_TOKEN_WORD) &&
           (begins_operand(right) || right->kind == RK_TOKEN_WORD);
}

/* The next token that is no star. */
static const rk_audit_token *after_stars(const rk_audit_lexer *x, size_t i)
{
    for (i++; i < x->out->token.n; i++)
        if (x->out->token.at[i].kind != RK_TOKEN_STAR)
            return &x->out->token.at[i];
    return NULL;
}

static void settle_stars(rk_audit_lexer *x)
{
    rk_audit_token *t = x->out->token.at;
    size_t n = x->first;
    bool bold = false; /* "**48.5 GB**(each)": what began with two stars ends with them, and raises nothing */

    for (size_t i = x->first; i < x->out->token.n; i++) {
        bold &= !is_line_end(&t[i]);
        if (t[i].kind == RK_TOKEN_STAR) {
            const rk_audit_token *left = n > x->first ? &t[n - 1] : NULL, *right = after_stars(x, i);
            bool ends = bold && t[i].op == '^' && !is_kind(right, RK_TOKEN_NUMBER);

            /* "2 * 1600 *" at the end: a product that no one finished. */
            if (is_kind(left, RK_TOKEN_NUMBER) && t[i].space && (!right || right->kind == RK_TOKEN_BREAK))
                t[i].kind = RK_TOKEN_JUNK;
            else if (!ends && multiplies(x, left, &t[i], right))
                t[i].kind = RK_TOKEN_SIGN;
            else {
                bold ^= t[i].op == '^';
                continue;
            }
        }
        t[n++] = t[i];
    }
    x->out->token.n = n;
}

static void settle_times(rk_audit_lexer *x)
{
    rk_audit_token *t = x->out->token.at;

    for (size_t i = x->first + 1; i + 1 < x->out->token.n; i++) {
        bool is_x = t[i].kind == RK_TOKEN_SYMBOL && t[i].n == 1 && (x->text[t[i].at] | 0x20) == 'x';
        bool left =
            ends_operand(&t[i - 1]) || (t[i - 1].kind == RK_TOKEN_WORD && t[i + 1].kind == RK_TOKEN_NUMBER) ||
            (t[i - 1].kind == RK_TOKEN_WORD && rk_lexicon_unit(x->out->lexicon, x->text + t[i - 1].at, t[i - 1].n));

        if (is_x && t[i].mode != RK_MODE_MATH && left && begins_operand(&t[i + 1])) {
            t[i].kind = RK_TOKEN_SIGN;
            t[i].op = '*';
        }
    }
    for (size_t i = x->first + 1; i < x->out->token.n; i++) /* "2.8x as many" */
        if (t[i].kind == RK_TOKEN_SYMBOL && t[i].n == 1 && x->text[t[i].at] == 'x' && !t[i].space &&
            t[i - 1].kind == RK_TOKEN_NUMBER && t[i].mode != RK_MODE_MATH &&
            (i + 1 == x->out->token.n || t[i + 1].kind != RK_TOKEN_SIGN))
            t[i].kind = RK_TOKEN_WORD;
}

/* The dash of "On a T4: - 2 × 7B", and of "On a T4 = - `2 × 7B`". */
static bool begins_item(const rk_audit_token *left, const rk_audit_token *next)
{
    return !left || is_line_end(left) || (is_kind(left, RK_TOKEN_BREAK) && left->op == ':') ||
           (is_kind(left, RK_TOKEN_EQUALS) && left->mode == RK_MODE_PLAIN && next->mode == RK_MODE_CODE);
}

/* "- 10M × 50 MB = 500 TB" in a block of code, or behind a colon: an item of a list, and nothing negative. */
static bool is_bullet(const rk_audit_token *t, size_t i, size_t end, const rk_audit_token *left)
{
    if (!is_kind(&t[i], RK_TOKEN_SIGN) || t[i].op != '-' || t[i].mode == RK_MODE_MATH || i + 1 >= end ||
        !t[i + 1].space || !begins_item(left, &t[i + 1]))
        return false;
    while (i < end && !is_line_end(&t[i]) && t[i].kind != RK_TOKEN_EQUALS)
        i++;
    return i < end && t[i].kind == RK_TOKEN_EQUALS;
}

/* Lines end inside a formula where the next begins, or this one ends, with a sign. */
static void settle_lines(rk_audit_lexer *x)
{
    rk_audit_token *t = x->out->token.at;
    size_t n = x->first, end = x->out->token.n;
    bool open = false; /* "4 × (" at the end of a line, and the bracket is not closed yet */

    for (size_t i = x->first; i < end; i++) {
        const rk_audit_token *left = n > x->first ? &t[n - 1] : NULL, *right = NULL;
        bool goes_on = is_kind(left, RK_TOKEN_SIGN) || is_kind(left, RK_TOKEN_EQUALS);

        if (is_bullet(t, i, end, left))
            continue;
        if (is_line_end(&t[i])) {
            size_t next = i + 1;

            while (next < end && is_line_end(&t[next]))
                next++;
            right = next < end ? &t[next] : NULL;
            if (is_kind(right, RK_TOKEN_EQUALS))
                t[next].first = true;
            goes_on |= is_kind(right, RK_TOKEN_EQUALS) && right->op == '=';
            goes_on |= is_kind(right, RK_TOKEN_SIGN) && right->op != '-';
            if (is_kind(left, RK_TOKEN_OPEN) && n > x->first + 1 && is_kind(&t[n - 2], RK_TOKEN_SIGN))
                goes_on = open = true;
            if (open && is_kind(right, RK_TOKEN_CLOSE)) {
                goes_on = true;
                open = false;
            }
            if (goes_on || is_line_end(left))
                continue;
        }
        t[n++] = t[i];
    }
    x->out->token.n = n;
}

/* Whether an operand ends in tokens [first, end), perhaps with a unit and a label of few words after it. */
static bool ends_in_operand(const rk_audit_lexer *x, size_t first, size_t end)
{
    enum {
        WORDS_MAX = 4
    };
    const rk_audit_token *t = x->out->token.at;
    size_t words = 0;

    if (end > first + 1 && t[end - 1].kind == RK_TOKEN_WORD && t[end - 2].kind == RK_TOKEN_SIGN &&
        rk_lexicon_is(x->out->lexicon, RK_WORDS_BITS_EACH, x->text + t[end - 1].at, t[end - 1].n))
        return true; /* "7B × FP16" */
    while (end > first && words < WORDS_MAX && t[end - 1].kind == RK_TOKEN_WORD &&
           !rk_lexicon_is(x->out->lexicon, RK_WORDS_LABEL_END, x->text + t[end - 1].at, t[end - 1].n)) {
        end--;
        words++;
        /* the token of "0.33 MB/token" */
        end -= end > first + 1 && t[end - 1].kind == RK_TOKEN_SIGN && t[end - 1].op == '/' &&
               t[end - 2].kind == RK_TOKEN_WORD;
    }
    return end > first && ends_operand(&t[end - 1]);
}

/* Whether a sign of approximation, after the first n tokens, belongs to the number after it, and relates nothing. */
static bool is_prefix(const rk_audit_lexer *x, size_t n, const rk_audit_token *t, const rk_audit_token *right)
{
    const rk_audit_token *left = n > x->first ? &x->out->token.at[n - 1] : NULL;

    if (t->kind != RK_TOKEN_EQUALS || !t->about)
        return false;
    if (t->op == '~' && t->space && right && right->space && right->kind == RK_TOKEN_NUMBER &&
        ends_in_operand(x, x->first, n))
        return false; /* "7,372,800 bytes ~ 7 MB" */
    if (t->op == '~') /* not the one of 3~4 */
        return is_kind(right, RK_TOKEN_NUMBER) && !right->space && (t->space || !left || left->kind == RK_TOKEN_OPEN);
    /* It relates where it has something to its left to relate to. */
    return !right || !ends_in_operand(x, x->first, n);
}

/* "= ~" is one relation; ≈ without a left side, and ~, say "about" of what follows; 3~4 is a range. */
static void settle_about(rk_audit_lexer *x)
{
    rk_audit_token *t = x->out->token.at;
    size_t n = x->first, end = x->out->token.n;

    for (size_t i = x->first; i < end; i++) {
        rk_audit_token *left = n > x->first ? &t[n - 1] : NULL, *right = i + 1 < end ? &t[i + 1] : NULL;

        if (t[i].kind == RK_TOKEN_EQUALS && is_kind(left, RK_TOKEN_EQUALS)) {
            left->about |= t[i].about;
            continue;
        }
        if (is_prefix(x, n, &t[i], right)) {
            if (t[i].op == '>') { /* an arrow from nothing that could be computed */
                t[i].kind = RK_TOKEN_BREAK;
                t[i].op = 0;
                t[n++] = t[i];
            } else if (right) {
                right->about = true;
                if (right->kind == RK_TOKEN_NUMBER)
                    right->op = t[i].op; /* "~5 × 3" is of about five, "≈ 5 × 3" about as much as that comes to */
            }
            continue;
        }
        if (t[i].kind == RK_TOKEN_EQUALS && t[i].op == '~' && t[i].space && is_kind(right, RK_TOKEN_NUMBER) &&
            right->space && ends_in_operand(x, x->first, n))
            t[i].op = '=';
        else if (t[i].kind == RK_TOKEN_EQUALS && t[i].op == '~')
            t[i].kind = t[i].space ? RK_TOKEN_BREAK : RK_TOKEN_JUNK;
        t[n++] = t[i];
    }
    x->out->token.n = n;
}

void rk_lex_tidy(rk_audit_lexer *x)
{
    settle_stars(x);
    settle_times(x);
    settle_lines(x);
    settle_about(x);
}
