/* SPDX-License-Identifier: MIT */
#include "audit/formula.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A part of a side. */
typedef struct value {
    rk_ex ex;
    double slack;
    double loose; /* of a formula with letters: how far off, of its size, its numbers may make it */
    rk_literal literal;
    int digits; /* of a literal: those that count */
} value;

typedef struct parser {
    const rk_reader *r;
    rk_pool *pool;
    const rk_audit_token *token;
    size_t at, end;
    rk_side_reading how;
    rk_side *side;
    int depth;
} parser;

/* ---- tokens ----------------------------------------------------------------------------------------------------- */

/* The token so many ahead, or NULL. */
static const rk_audit_token *peek(const parser *p, size_t ahead)
{
    return p->at + ahead < p->end ? &p->token[p->at + ahead] : NULL;
}

static bool sees(const parser *p, size_t ahead, rk_audit_token_kind kind)
{
    const rk_audit_token *t = peek(p, ahead);

    return t && t->kind == kind;
}

static bool sees_sign(const parser *p, size_t ahead, char op)
{
    return sees(p, ahead, RK_TOKEN_SIGN) && peek(p, ahead)->op == op;
}

/* Every step costs, so that no text takes longer than its length allows; false: nothing is left. */
static bool spend(parser *p)
{
    if (*p->r->budget == 0)
        return false;
    --*p->r->budget;
    return true;
}

/* Notes the first trouble of the side. */
static rk_ex fail(parser *p, rk_trouble what)
{
    if (p->side->trouble == RK_TROUBLE_NONE)
        p->side->trouble = what;
    return RK_EX_FAILED;
}

/* An operation on two values failed: one of them has none, or the result is too large. */
static rk_ex checked(parser *p, rk_ex e)
{
    return e == RK_EX_FAILED ? fail(p, RK_TROUBLE_LARGE) : e;
}

/* ---- numbers ---------------------------------------------------------------------------------------------------- */

bool rk_side_double(const rk_pool *p, rk_ex e, double *out)
{
    rk_i128 num, den;

    if (!rk_ex_is_quotient(p, e, &num, &den))
        return false;
    *out = (double)num / (double)den;
    return true;
}

rk_ex rk_side_bare(rk_pool *p, const rk_side *s)
{
    rk_ex e = s->value;

    for (size_t i = 0; i < s->n_symbol; i++)
        e = rk_ex_subst(p, e, s->symbol[i], rk_ex_int(p, 1));
    return e;
}

/* The absolute value of a plain number; 0 for anything else. */
static double size_of(const parser *p, rk_ex e)
{
    double d = 0;

    return rk_side_double(p->pool, e, &d) ? fabs(d) : 0;
}

static rk_ex power_of_ten(parser *p, int e)
{
    rk_acc acc = {0};
    rk_i128 ten = rk_pow(&acc, 10, (unsigned)abs(e));

    if (acc.overflow)
        return fail(p, RK_TROUBLE_LARGE);
    return e < 0 ? rk_ex_ratio(p->pool, 1, ten) : rk_ex_int(p->pool, ten);
}

/* The 9 of "7 × 109", where it is read as 10⁹; 0: it is none. */
static int lost_power(const parser *p, const rk_written *w)
{
    bool factor = p->at > p->side->from && p->token[p->at - 1].kind == RK_TOKEN_SIGN && p->token[p->at - 1].op == '*';

    if (!p->how.raised || !factor || w->exponent != 0 || w->decimal)
        return 0;
    return w->digits > 102 && w->digits < 110     ? (int)w->digits - 100
           : w->digits > 1009 && w->digits < 1031 ? (int)w->digits - 1000
                                                  : 0;
}

static void read_number(parser *p, value *out)
{
    const rk_audit_token *t = peek(p, 0);
    const rk_written *w = &p->r->lexed->number.at[t->id];
    /* "≈ 4 × 1024": what comes out is about that, and the four is exact. */
    bool about = t->about && !(t->op == '=' && sees(p, 1, RK_TOKEN_SIGN) && peek(p, 1)->op != '-');
    const rk_written power = {.digits = 1, .exponent = lost_power(p, w), .decimal = true};
    int zeros = 0; /* at its end, which may stand for digits that were rounded; not those of 1.50 */

    w = power.exponent > 0 ? &power : w;
    *out = (value){.digits = 0};
    for (rk_i128 d = w->digits; d != 0; d /= 10) {
        zeros += d % 10 == 0 && zeros == out->digits && w->decimals == 0;
        out->digits++;
    }
    out->ex = w->wide ? fail(p, RK_TROUBLE_LARGE)
                      : checked(p, rk_ex_mul(p->pool, rk_ex_int(p->pool, w->digits), power_of_ten(p, w->exponent)));
    out->literal = (rk_literal){.is = true,
                                .rounded = w->decimal,
                                .about = about,
                                .unit = pow(10, w->exponent),
                                .coarse = pow(10, w->exponent + zeros),
                                .decimals = w->exponent < 0 ? -w->exponent : 0,
                                .scale = rk_ex_int(p->pool, 1)};
    out->slack = w->decimal || about ? out->literal.unit / 2 : 0;
    p->side->maybe_two |= w->maybe_two;
    p->side->digits = true;
    p->at++;
}

static void scale(parser *p, value *v, rk_ex by)
{
    double size = size_of(p, by);

    v->ex = checked(p, rk_ex_mul(p->pool, v->ex, by));
    v->literal.scale = rk_ex_mul(p->pool, v->literal.scale, by);
    v->literal.unit *= size;
    v->literal.coarse *= size;
    v->slack = v->literal.is && size != 1 ? v->literal.unit / 2 : v->slack * size;
    v->literal.rounded |= size != 1;
}

/* "2.706 × 10^{11}": still a number as it was written. */
static void read_scientific(parser *p, value *v)
{
    const rk_audit_token *ten = peek(p, 1);
    size_t brace = sees(p, 3, RK_TOKEN_OPEN), minus = sees_sign(p, 3 + brace, '-');
    const rk_audit_token *e = peek(p, 3 + brace + minus);
    const rk_written *w = p->r->lexed->number.at;

    if (!sees_sign(p, 0, '*') || !sees(p, 1, RK_TOKEN_NUMBER) || !sees_sign(p, 2, '^') || !e ||
        e->kind != RK_TOKEN_NUMBER)
        return;
    if (w[ten->id].digits != 10 || w[ten->id].exponent != 0 || w[e->id].exponent != 0 || w[e->id].digits > 60 ||
        (brace && !sees(p, 5 + minus, RK_TOKEN_CLOSE)))
        return;
    p->at += 4 + 2 * brace + minus;
    scale(p, v, power_of_ten(p, (int)w[e->id].digits * (minus ? -1 : 1)));
}

/* ---- units and labels ------------------------------------------------------------------------------------------- */

/* The s of "3.4 s" where no formula has an s; the \mu of \mu s. */
static bool is_time_letter(const parser *p, const value *v, const rk_audit_token *t)
{
    const rk_audit_token *next = peek(p, 1);

    if (t->n > 1) /* \mu */
        return v->literal.is && next && next->n == 1 && p->r->text[next->at] == 's';
    return v->literal.is && !p->r->known[p->r->text[t->at] & 0x7F];
}

/* The B of "2B" where it is read as bytes; of "7B × 16B", as few as a number takes and after a sign. */
static bool is_byte(const parser *p, const value *v, const rk_audit_token *t)
{
    enum {
        NUMBER_MOST = 4096 /* of a row; a weight, its gradient and what Adam keeps for it take 20 */
    };

    if (t->n != 1 || p->r->text[t->at] != 'B' || p->how.bytes == RK_READ_BILLIONS)
        return false;
    return p->how.bytes == RK_READ_EACH_BYTES ||
           (v->literal.is && (v->literal.decimals == 0 ? size_of(p, v->ex) <= NUMBER_MOST : size_of(p, v->ex) < 1) &&
            p->at > p->side->from + 1 && p->token[p->at - 2].kind == RK_TOKEN_SIGN && p->token[p->at - 2].op == '*');
}

/* A letter directly after a number is a scale where it is no symbol of the text, unless read the other way round. */
static const rk_word_unit *unit_at(const parser *p, const value *v)
{
    const double bytes_most = 16; /* of one number, with all that training keeps for it */
    const rk_audit_token *t = peek(p, 0);
    const rk_word_unit *u;

    if (!t || (t->kind != RK_TOKEN_WORD && t->kind != RK_TOKEN_SYMBOL))
        return NULL;
    u = rk_lexicon_unit(p->r->lexed->lexicon, p->r->text + t->at, t->n);
    /* "avg=13.36s min=12.54s": a key, not a second unit. */
    if (u && ((sees(p, 1, RK_TOKEN_EQUALS) && !peek(p, 1)->space && peek(p, 1)->mode != RK_MODE_MATH && t->space &&
               !u->letter && (unsigned char)p->r->text[t->at] < 0x80) ||
              (u->kind == RK_WORD_UNIT_TIME && p->side->unit && p->side->unit->kind == RK_WORD_UNIT_TIME && p->at > 0 &&
               p->token[p->at - 1].kind != RK_TOKEN_NUMBER && p->token[p->at - 1].kind != RK_TOKEN_CLOSE)))
        return NULL;
    if (u && u->kind == RK_WORD_UNIT_TIME && t->kind == RK_TOKEN_SYMBOL)
        return is_time_letter(p, v, t) || (p->how.letters && !t->space && p->token[p->at - 1].kind == RK_TOKEN_NUMBER)
                   ? u
                   : NULL;
    if (!u || !u->letter)
        return u;
    if (is_byte(p, v, t))
        return rk_lexicon_unit(p->r->lexed->lexicon, "bytes", 5);
    if (t->mode == RK_MODE_PLAIN && p->at > 0 && p->token[p->at - 1].mode == RK_MODE_MATH &&
        !(t->space && p->r->text[t->at] == 'B' && size_of(p, v->ex) <= bytes_most))
        return u; /* 175\text{B}: upright in a formula, it is no symbol; "$2 \times 2$ B" are bytes */
    if (p->r->text[t->at] == 'm' && v->literal.decimals == 0)
        return NULL; /* 80.4m are millions, 5m may be minutes */
    if (t->space && p->r->text[t->at] == 'B' && v->literal.decimals == 0 &&
        (t->mode == RK_MODE_PLAIN || (t->mode == RK_MODE_CODE && !sees(p, 1, RK_TOKEN_SYMBOL))))
        return p->how.letters ? u
                              : rk_lexicon_unit(p->r->lexed->lexicon, "bytes", 5); /* "4 B" is hardly four billions */
    /* No one writes 10.24 × M as 10.24M; 0.001T may be a thousandth of T. */
    if (v->literal.is && v->literal.decimals > 0 && (size_of(p, v->ex) >= 1 || !p->r->known[p->r->text[t->at] & 0x7F]))
        return u;
    if (t->space && (sees(p, 1, RK_TOKEN_OPEN) || t->mode == RK_MODE_MATH))
        return NULL;
    if (p->how.letters == RK_READ_SCALES)
        return u;
    return p->r->known[p->r->text[t->at] & 0x7F] == (p->how.letters == RK_READ_OTHERWISE) ? u : NULL;
}

/* A word for what is counted, or for what does the work. */
static bool is_thing(const parser *p, const rk_audit_token *t)
{
    const rk_lexicon *l = p->r->lexed->lexicon;

    return rk_lexicon_is(l, RK_WORDS_DEVICE, p->r->text + t->at, t->n) ||
           rk_lexicon_is(l, RK_WORDS_THING, p->r->text + t->at, t->n);
}

/* "FLOPs/token", "GB/GPU", "bytes/param": of what there is one in each; a time is a second's. */
static void read_per(parser *p, value *v)
{
    const rk_audit_token *t;

    while (sees_sign(p, 0, '/') && (t = peek(p, 1)) && spend(p)) {
        const rk_word_unit *u = rk_lexicon_unit(p->r->lexed->lexicon, p->r->text + t->at, t->n);
        bool is_second = t->n == 1 && p->r->text[t->at] == 's';

        /* "16Ψ/Nd" divides by a letter of two, and "16Ψ/GPU" is so much for each. */
        if (size_of(p, v->ex) == 0 && t->kind == RK_TOKEN_WORD && v->ex != RK_EX_FAILED && !is_thing(p, t))
            return;
        /* "GB/GPU (each)" is no function, and brackets of full width hold remarks. */
        if ((t->kind != RK_TOKEN_WORD && !is_second) ||
            (sees(p, 2, RK_TOKEN_OPEN) && !peek(p, 2)->space && (unsigned char)p->r->text[peek(p, 2)->at] < 0x80))
            return;
        if (u && u->kind == RK_WORD_UNIT_TIME)
            p->side->rate = u;
        if (u && u->kind == RK_WORD_UNIT_TIME && p->how.rates) {
            scale(p, v, rk_ex_ratio(p->pool, u->den, u->num));
            v->slack += u->loosely * size_of(p, v->ex);
        }
        p->side->per = true;
        p->at += 2;
    }
}

/* "3,300 GPU hours", "2,048 H100 days": a word for what takes the time, directly before its unit. */
static bool is_before_time(const parser *p)
{
    const rk_lexicon *l = p->r->lexed->lexicon;
    const rk_audit_token *t = peek(p, 0), *next = peek(p, 1);
    const rk_word_unit *u;

    if (!t || !next || t->kind != RK_TOKEN_WORD || next->kind != RK_TOKEN_WORD || t->span != next->span ||
        p->at == p->side->from || p->token[p->at - 1].kind != RK_TOKEN_NUMBER)
        return false;
    u = rk_lexicon_unit(l, p->r->text + next->at, next->n);
    return u && u->kind == RK_WORD_UNIT_TIME && is_thing(p, t) &&
           !rk_lexicon_is(l, RK_WORDS_APART, p->r->text + t->at, t->n); /* "$30 per month" */
}

/* "2.13 billion", "7.92 GB", "4 bytes", "512 flops": as many as follow each other. */
size_t rk_side_half(const char *text, const rk_audit_token *t, size_t n)
{
    static const char *const words[] = {"and", "a", "half"};
    const size_t all = sizeof words / sizeof *words;

    for (size_t i = 0; i < all; i++)
        if (i == n || t[i].n != strlen(words[i]) || memcmp(text + t[i].at, words[i], t[i].n) != 0)
            return 0;
    return all;
}

/* "6 and a half years" */
static void read_half(parser *p, value *v)
{
    size_t words =
        v->literal.is && !v->literal.rounded ? rk_side_half(p->r->text, &p->token[p->at], p->end - p->at) : 0;

    if (words == 0)
        return;
    p->at += words;
    v->ex = rk_ex_add(p->pool, v->ex, rk_ex_ratio(p->pool, 1, 2));
    v->literal.unit /= 2;
    v->literal.rounded = true;
    v->slack = v->literal.unit / 2;
}

static void read_units(parser *p, value *v)
{
    read_half(p, v);
    p->at += is_before_time(p);
    for (const rk_word_unit *u; (u = unit_at(p, v)) && spend(p); p->at++) {
        bool binary =
            u->binary ||
            (u->kind == RK_WORD_UNIT_BYTES && (p->how.units == RK_READ_BINARY || p->how.units == RK_READ_BYTES)) ||
            (p->how.units == RK_READ_BINARY && u->letter) ||
            (p->how.units == RK_READ_COUNTS && u->letter && u->power == 1); /* 128K; no one counts so in 1.3B */
        rk_acc acc = {0};

        if (u->kind != RK_WORD_UNIT_SCALE || !p->side->unit)
            p->side->unit = u;
        p->side->timed |= u->kind == RK_WORD_UNIT_TIME;
        p->at += u->word[0] == '\\' && u->kind == RK_WORD_UNIT_TIME; /* \mu, and its s */
        if ((p->how.units == RK_READ_WORDS && u->kind != RK_WORD_UNIT_SHARE) || (p->how.bits && u->den == 8) ||
            (p->how.units == RK_READ_BY_HAND && u->kind == RK_WORD_UNIT_BYTES))
            scale(p, v, rk_ex_int(p->pool, 1));
        else if (u->num > 0) {
            scale(p, v, rk_ex_ratio(p->pool, u->num, u->den));
            v->slack += u->loosely * size_of(p, v->ex);
        } else
            scale(p, v, rk_ex_int(p->pool, rk_pow(&acc, binary ? 1024 : 1000, (unsigned)u->power)));
    }
    if (p->at > p->side->from && p->token[p->at - 1].kind != RK_TOKEN_CLOSE)
        read_per(p, v);
}

/*
 * The "(tok_emb)" of "38,597,376 (tok_emb)", a name alone after a blank, and the "(K+V)" of "2 bytes (K+V)" and of
 * "2(K+V)", which are two; where letters may be names, also that of "4 (m)".  How many tokens it takes; 0: it is none.
 */
static size_t names_in_brackets(const parser *p, size_t ahead)
{
    enum {
        TOKENS_MAX = 6
    };
    const rk_audit_token *open = peek(p, ahead), *before = p->at + ahead > 0 ? open - 1 : NULL;
    const rk_written *w = before && before->kind == RK_TOKEN_NUMBER ? &p->r->lexed->number.at[before->id] : NULL;
    size_t n = ahead + 1, names = 0;

    if (open->op != '(' || !sees(p, n, RK_TOKEN_SYMBOL))
        return 0;
    if (open->space && open->mode != RK_MODE_MATH && peek(p, n)->n > 1 && sees(p, n + 1, RK_TOKEN_CLOSE))
        return 3;
    for (; n < ahead + TOKENS_MAX && (sees(p, n, RK_TOKEN_SYMBOL) || sees_sign(p, n, '+') || sees_sign(p, n, '/')); n++)
        names += peek(p, n)->kind == RK_TOKEN_SYMBOL;
    if (!before || !sees(p, n, RK_TOKEN_CLOSE))
        return 0;
    if (before->kind == RK_TOKEN_WORD && open->space && names > 1)
        return n + 1 - ahead;
    if (!p->how.counted || !w || ahead > 0)
        return 0;
    return open->space || (names > 1 && w->exponent == 0 && w->digits == (rk_i128)names) ? n + 1 - ahead : 0;
}

/* How many tokens a remark in brackets takes, from `ahead` on; 0: there is none.  It has a word in it, or is a name. */
static size_t remark(const parser *p, size_t ahead)
{
    enum {
        REMARK_MAX = 24
    };
    bool words = false;
    int depth = 0;
    size_t names;

    if (!sees(p, ahead, RK_TOKEN_OPEN) || peek(p, ahead)->op == '{')
        return 0;
    if ((names = names_in_brackets(p, ahead)) > 0)
        return names;
    for (size_t i = ahead; i < ahead + REMARK_MAX && peek(p, i); i++) {
        const rk_audit_token *t = peek(p, i);

        depth += t->kind == RK_TOKEN_OPEN ? 1 : t->kind == RK_TOKEN_CLOSE ? -1 : 0;
        /* "(Q @ K)" */
        words |= t->kind == RK_TOKEN_WORD || (t->kind == RK_TOKEN_JUNK && t->n == 1 && p->r->text[t->at] == '@');
        if (t->kind == RK_TOKEN_EQUALS)
            return 0;
        if (depth == 0)
            return words ? i + 1 - ahead : 0;
    }
    return 0;
}

/* The head_dim of "64 head_dim", where it is read as a label. */
static bool is_counted_name(const parser *p, const rk_audit_token *t, size_t ahead)
{
    return p->how.counted && t->kind == RK_TOKEN_SYMBOL && t->n > 2 && t->space && ahead == 0 &&
           p->at > p->side->from && p->token[p->at - 1].kind == RK_TOKEN_NUMBER;
}

/* Words and remarks up to an operator or a relation, which show that the formula goes on, are a label. */
static void read_label(parser *p, value *v)
{
    const rk_audit_token *t;
    size_t n = 0, words = 0, more;

    for (; spend(p); n += more) {
        t = peek(p, n);
        more = t && (t->kind == RK_TOKEN_WORD || is_counted_name(p, t, n)) &&
               words < (p->how.wordy ? RK_SIDE_WORDY_MAX : RK_SIDE_LABEL_MAX) &&
               (p->how.wordy || !rk_lexicon_is(p->r->lexed->lexicon, RK_WORDS_LABEL_END, p->r->text + t->at, t->n));
        words += more;
        if (more == 0 && (more = remark(p, n)) == 0)
            break;
    }
    t = peek(p, n);
    if (n > 0 && t && t->kind == RK_TOKEN_CLOSE && p->depth > 0 && words == n) { /* "(312 × 0.05 efficiency)" */
        p->at += n;
        return;
    }
    if (n == 0 || !t || (t->kind != RK_TOKEN_EQUALS && t->kind != RK_TOKEN_SIGN))
        return;
    if (t->kind == RK_TOKEN_SIGN && t->op == '/' && words == n &&
        (sees(p, n + 1, RK_TOKEN_WORD) || (sees(p, n + 1, RK_TOKEN_SYMBOL) && p->r->text[peek(p, n + 1)->at] == 's'))) {
        p->at += n; /* "params/GPU" */
        read_per(p, v);
        return;
    }
    if (t->kind == RK_TOKEN_EQUALS && !t->space && t->mode != RK_MODE_MATH && sees(p, n - 1, RK_TOKEN_WORD) &&
        (unsigned char)p->r->text[t[-1].at] < 0x80)
        return; /* min=12.5 is a key and its value */
    if (t->kind == RK_TOKEN_SIGN && (t->op == '^' || (t->op == '-' && !sees(p, n + 1, RK_TOKEN_NUMBER))))
        return;
    p->side->labelled |= words > 0;
    p->at += n;
}

/* ---- operands --------------------------------------------------------------------------------------------------- */

static bool read_sum(parser *p, value *out);

/* A quotient as a whole number: 'c' the next, 'f' the one before, 'r' the nearest. */
static void round_whole(parser *p, value *v, char how)
{
    double size = size_of(p, v->ex), low = size - v->slack, high = size + v->slack;
    rk_acc acc = {0};
    rk_i128 num, den, n;

    if (!rk_ex_is_quotient(p->pool, v->ex, &num, &den)) {
        v->ex = RK_EX_FAILED; /* of letters no one knows */
    } else {
        n = how == 'c'   ? rk_ceil_div(&acc, num, den)
            : how == 'f' ? rk_floor_div(&acc, num, den)
                         : rk_floor_div(&acc, rk_add(&acc, rk_mul(&acc, num, 2), den), rk_mul(&acc, den, 2));
        v->ex = acc.overflow ? RK_EX_FAILED : rk_ex_int(p->pool, n);
    }
    v->ex = checked(p, v->ex);
    if (how == 'c' ? ceil(low) < ceil(high) : how == 'f' ? floor(low) < floor(high) : round(low) < round(high))
        v->slack += 1;
    else
        v->slack = 0;
    v->literal.is = false;
    p->side->computed = true;
}

/* What no quotient is exactly, a root or a logarithm, to fifteen digits; `slack` is what it is off by its rounding. */
static void put_real(parser *p, value *v, double x, double slack)
{
    enum {
        DIGITS = 15
    };
    const double sure = 1e-13, most = 1e36; /* of the digits that are kept */
    bool whole = x == floor(x) && fabs(x) < pow(10, DIGITS);
    int last;

    v->literal.is = false;
    p->side->computed = true;
    if (!isfinite(x) || !isfinite(slack) || fabs(x) > most || (x != 0 && fabs(x) < 1 / most)) {
        v->ex = fail(p, RK_TROUBLE_LARGE);
        v->slack = 0;
        return;
    }
    last = whole ? 0 : (int)floor(log10(fabs(x))) - DIGITS;
    v->ex =
        checked(p, rk_ex_mul(p->pool, rk_ex_int(p->pool, (rk_i128)llround(x / pow(10, last))), power_of_ten(p, last)));
    v->slack = slack + (whole ? 0 : fabs(x) * sure);
}

/* Functions of one plain number: "sqrt", "exp", "ln", "log2", "log10"; of letters no one knows. */
static void take_function(parser *p, value *v, const char *function)
{
    bool two = strcmp(function, "log2") == 0, ten = strcmp(function, "log10") == 0;
    double x = 0, base = two ? log(2) : ten ? log(10) : 1;

    if (!rk_side_double(p->pool, v->ex, &x) || (x <= 0 && function[0] != 'e'))
        v->ex = fail(p, RK_TROUBLE_NONE);
    else if (function[0] == 's')
        put_real(p, v, sqrt(x), v->slack / (2 * sqrt(x)));
    else if (function[0] == 'e')
        put_real(p, v, exp(x), exp(x) * v->slack);
    else
        put_real(p, v, two ? log2(x) : ten ? log10(x) : log(x), v->slack / x / base);
}

/* The smaller or the larger of two plain numbers. */
static void take_extreme(parser *p, value *v, const value *next, bool smaller)
{
    double x, y;

    if (!rk_side_double(p->pool, v->ex, &x) || !rk_side_double(p->pool, next->ex, &y))
        v->ex = fail(p, RK_TROUBLE_NONE);
    else if (smaller ? y < x : y > x)
        *v = *next;
}

static bool read_arguments(parser *p, value *out, const char *function)
{
    bool extreme = function[0] == 'm'; /* of several */
    value next;

    if (!read_sum(p, out))
        return false;
    while (sees(p, 0, RK_TOKEN_COMMA)) {
        p->at++;
        if (!extreme || !read_sum(p, &next))
            return false;
        take_extreme(p, out, &next, strcmp(function, "min") == 0);
    }
    if (!sees(p, 0, RK_TOKEN_CLOSE) || peek(p, 0)->op != '(')
        return false;
    if (function[0] == 's' || function[0] == 'e' || function[0] == 'l')
        take_function(p, out, function);
    else if (!extreme)
        round_whole(p, out, function[0]);
    return true;
}

/* "ceil(11 / 0.7)", "min(130, 2.57)", "sqrt(64)", "log2(1024)"; what it is called is in the lexicon. */
static bool read_function(parser *p, value *out)
{
    const rk_audit_token *t = peek(p, 0);
    const rk_lexeme *name = rk_lexicon_is(p->r->lexed->lexicon, RK_WORDS_FUNCTION, p->r->text + t->at, t->n);
    parser here = *p;
    rk_side side = *p->side;

    if (!name || !sees(p, 1, RK_TOKEN_OPEN) || (peek(p, 1)->space && t->mode != RK_MODE_MATH) ||
        peek(p, 1)->op != '(' || p->depth >= RK_SIDE_DEPTH_MAX)
        return false;
    p->depth++;
    p->at += 2;
    if (!read_arguments(p, out, name->value)) {
        *p = here;
        *p->side = side;
        return false;
    }
    p->at++;
    p->depth--;
    out->literal.is = false;
    p->side->computed = true;
    return true;
}

/* "[50257, 1600]" is as many elements as the product says. */
static bool read_brackets(parser *p, value *out)
{
    char op = peek(p, 0)->op;

    if (p->depth >= RK_SIDE_DEPTH_MAX)
        return false;
    p->depth++;
    p->at++;
    if (!read_sum(p, out))
        return false;
    while (op != '{' && sees(p, 0, RK_TOKEN_COMMA)) {
        value next;

        p->at++;
        if (!read_sum(p, &next))
            return false;
        out->ex = rk_ex_mul(p->pool, out->ex, next.ex);
        p->side->shape = p->side->computed = true;
    }
    if (!sees(p, 0, RK_TOKEN_CLOSE) || peek(p, 0)->op != op)
        return false;
    p->at++;
    p->depth--;
    if (op == 'c' || op == 'f')
        round_whole(p, out, op);
    if (op == 'r')
        take_function(p, out, "sqrt");
    return true;
}

static rk_ex use_symbol(parser *p, rk_sym s)
{
    rk_side *side = p->side;
    size_t i = 0;

    while (i < side->n_symbol && side->symbol[i] != s)
        i++;
    if (i == RK_SIDE_SYMBOLS_MAX || s == RK_SYM_NONE)
        return fail(p, RK_TROUBLE_MANY);
    side->symbol[i] = s;
    side->n_symbol += i == side->n_symbol;
    side->degree++;
    return rk_ex_sym(p->pool, s);
}

/* The BTDF of "6BTDF" after a number: capitals, of which most are symbols of the text. */
static bool has_letters_of_product(const parser *p, const rk_audit_token *t)
{
    enum {
        LETTERS_MAX = 6,
        KNOWN_LEAST = 2
    };
    size_t known = 0;

    for (uint32_t i = 0; i < t->n && t->n <= LETTERS_MAX; i++) {
        unsigned char c = (unsigned char)p->r->text[t->at + i];

        if (c < 'A' || c > 'Z')
            return false;
        known += p->r->known[c];
    }
    return known >= KNOWN_LEAST && known + 1 >= t->n && p->token[p->at - 1].kind == RK_TOKEN_NUMBER;
}

/*
 * Whether letters that stand together are a product: all are symbols, or they stand directly after a number.  "BTd"
 * looks like one, "Set", "flag" and "flags" like words.
 */
static bool is_product(const parser *p, const rk_audit_token *t)
{
    enum {
        LETTERS_MAX = 8,
        ALONE_MAX = 5,
        AFTER_NUMBER_MAX = 3
    };
    bool known = true, after = p->at > p->side->from && !t->space && p->token[p->at - 1].kind == RK_TOKEN_NUMBER;
    uint32_t capitals = 0;

    if (t->kind != RK_TOKEN_WORD || t->n > LETTERS_MAX)
        return false;
    if (t->n > 1 && !after && rk_lexicon_unit(p->r->lexed->lexicon, p->r->text + t->at, t->n))
        return false; /* MB is no product of an M and a B, wherever there are such */
    for (uint32_t i = 0; i < t->n; i++) {
        unsigned char c = (unsigned char)p->r->text[t->at + i];

        if (!rk_lex_is_letter(c))
            return false;
        known &= p->r->known[c];
        capitals += c < 'a';
    }
    if (after && (known || (capitals == t->n && t->n <= AFTER_NUMBER_MAX) || sees_sign(p, 1, '^') ||
                  has_letters_of_product(p, t)))
        return true;
    return known && t->n <= ALONE_MAX && (capitals > 1 || (capitals == 1 && t->n == 2));
}

/* "Total = …": a word directly before a relation, or one of a chain of such, names something. */
static bool is_name(const parser *p, const rk_audit_token *t)
{
    if (t->kind != RK_TOKEN_WORD || t->n < 2 || t->n > 48 || p->at != p->side->from)
        return false;
    if (p->at > 0 && p->token[p->at - 1].kind == RK_TOKEN_WORD)
        return false;
    return sees(p, 1, RK_TOKEN_EQUALS) && rk_lex_is_letter((unsigned char)p->r->text[t->at]);
}

/* "TP=8": two capitals are a name where a number is set to it. */
static bool is_key(const parser *p, const rk_audit_token *t)
{
    return p->at == p->side->from && t->n <= 4 && sees(p, 1, RK_TOKEN_EQUALS) && !peek(p, 1)->space &&
           sees(p, 2, RK_TOKEN_NUMBER) && t->mode != RK_MODE_MATH;
}

/* "weights (15 GB) + gradients (15 GB)": what stands in brackets after its name, in a sum of such. */
static bool read_named(parser *p, value *out)
{
    parser here = *p;
    rk_side side = *p->side;
    size_t words = 0;

    while (sees(p, words, RK_TOKEN_WORD) && words < RK_SIDE_LABEL_MAX)
        words++;
    if (words == 0 || !sees(p, words, RK_TOKEN_OPEN) || peek(p, words)->op != '(' ||
        !sees(p, words + 1, RK_TOKEN_NUMBER))
        return false;
    p->at += words + 1;
    read_number(p, out);
    read_units(p, out);
    if (sees(p, 0, RK_TOKEN_CLOSE) && p->side->unit &&
        (sees_sign(p, 1, '+') ||
         (sees(p, 1, RK_TOKEN_EQUALS) && here.at > 0 && p->token[here.at - 1].kind == RK_TOKEN_SIGN))) {
        p->at++;
        return true;
    }
    *p = here;
    *p->side = side;
    return false;
}

/* "7B × FP16": as many bytes for each number. */
static bool read_type(parser *p, value *out)
{
    enum {
        BITS_OF_BYTE = 8
    };
    const rk_audit_token *t = peek(p, 0);
    const rk_lexeme *type = p->at > p->side->from && p->token[p->at - 1].kind == RK_TOKEN_SIGN &&
                                    p->token[p->at - 1].op == '*' && !sees(p, 1, RK_TOKEN_OPEN)
                                ? rk_lexicon_is(p->r->lexed->lexicon, RK_WORDS_BITS_EACH, p->r->text + t->at, t->n)
                                : NULL;

    if (!type)
        return false;
    out->ex = rk_ex_ratio(p->pool, atoi(type->value), BITS_OF_BYTE);
    p->side->unit = rk_lexicon_unit(p->r->lexed->lexicon, "bytes", 5);
    p->at++;
    return true;
}

/* *before: all letters but the last, which a power after them belongs to. */
static bool read_operand(parser *p, value *out, rk_ex *before)
{
    const rk_audit_token *t = peek(p, 0);
    char name[64] = {0};

    if (!t || !spend(p))
        return false;
    if (t->kind == RK_TOKEN_OPEN)
        return read_brackets(p, out);
    if (t->kind == RK_TOKEN_NUMBER) {
        read_number(p, out);
        return true;
    }
    *out = (value){0};
    if ((t->kind == RK_TOKEN_WORD || t->kind == RK_TOKEN_SYMBOL) && (read_function(p, out) || read_type(p, out)))
        return true;
    if (t->kind == RK_TOKEN_SYMBOL) {
        out->ex = use_symbol(p, t->id);
    } else if (read_named(p, out)) {
        return true;
    } else if (is_product(p, t) && !is_key(p, t)) {
        *before = rk_ex_int(p->pool, 1);
        for (uint32_t i = 0; i < t->n; i++) {
            name[0] = p->r->text[t->at + i];
            out->ex = use_symbol(p, rk_sym_declare(p->pool, name, 0));
            if (i + 1 < t->n)
                *before = rk_ex_mul(p->pool, *before, out->ex);
        }
        p->side->name |= t->n > 1;
    } else if (is_name(p, t)) {
        memcpy(name, p->r->text + t->at, t->n);
        out->ex = use_symbol(p, rk_sym_declare(p->pool, name, 0));
    } else {
        return false;
    }
    p->at++;
    return true;
}

/* a · b, unless that has more terms than anyone writes. */
static rk_ex product_of(parser *p, rk_ex a, rk_ex b)
{
    if (rk_ex_term_count(p->pool, a) * rk_ex_term_count(p->pool, b) > RK_SIDE_TERMS_MAX)
        return RK_EX_FAILED;
    return rk_ex_mul(p->pool, a, b);
}

/* 0.5, 1.2 and 0.25 are meant as they are; 0.083 is rounded. */
static bool is_round(const parser *p, const value *v)
{
    return v->literal.decimals <= 1 || fmod(size_of(p, v->ex) / v->literal.unit + 1e-6, 5) < 1e-3;
}

/* In a product a whole number is meant as it is, and so is 0.5; decimals of more digits are rounded. */
static double slack_as_factor(const parser *p, const value *v)
{
    bool exact = v->literal.is && !v->literal.about &&
                 ((v->digits <= 1 && v->literal.decimals == 0) || (v->literal.decimals == 0 && !v->literal.rounded) ||
                  (v->digits <= 2 && v->literal.unit < 1 && is_round(p, v)));

    return exact ? 0 : v->slack;
}

/* Powers of numbers may be larger than those of symbols. */
static rk_ex raise(parser *p, rk_ex base, int e)
{
    unsigned n = (unsigned)abs(e);
    rk_ex all = rk_ex_int(p->pool, 1);
    rk_i128 num, den;
    rk_acc acc = {0};

    if (rk_ex_is_quotient(p->pool, base, &num, &den)) {
        if (num == 0 && e < 0)
            return fail(p, RK_TROUBLE_ZERO);
        num = rk_pow(&acc, num, n);
        den = rk_pow(&acc, den, n);
        return acc.overflow ? RK_EX_FAILED : rk_ex_ratio(p->pool, e < 0 ? den : num, e < 0 ? num : den);
    }
    if (n > RK_SIDE_SYMBOL_POWER_MAX)
        return RK_EX_FAILED;
    for (unsigned i = 0; i < n && all != RK_EX_FAILED; i++)
        all = product_of(p, all, base);
    return e < 0 && all != RK_EX_FAILED ? rk_ex_div(p->pool, rk_ex_int(p->pool, 1), all) : all;
}

/* "0.07^0.28", "91^(1/2)": of a plain number. */
static void raise_real(parser *p, value *v, const value *e, bool minus)
{
    double x, power;

    if (!rk_side_double(p->pool, v->ex, &x) || !rk_side_double(p->pool, e->ex, &power) || x <= 0) {
        v->ex = fail(p, RK_TROUBLE_POWER);
        return;
    }
    power = minus ? -power : power;
    put_real(p, v, pow(x, power), pow(x, power) * (v->slack / x * fabs(power) + fabs(log(x)) * slack_as_factor(p, e)));
}

static bool read_factor(parser *p, value *out);

static bool read_power(parser *p, value *v)
{
    bool minus;
    value e;
    rk_i128 n;

    p->at++;
    minus = sees_sign(p, 0, '-');
    p->at += minus;
    if (p->depth >= RK_SIDE_DEPTH_MAX)
        return false;
    p->depth++;
    if (!read_factor(p, &e))
        return false;
    p->depth--;
    if (!rk_ex_is_int(p->pool, e.ex, &n)) {
        raise_real(p, v, &e, minus);
    } else if (n > RK_SIDE_POWER_MAX || n < -RK_SIDE_POWER_MAX) {
        v->ex = fail(p, RK_TROUBLE_LARGE);
    } else {
        int power = minus ? -(int)n : (int)n;
        double size = size_of(p, v->ex);

        if (size == 0) /* symbols */
            p->side->degree += (size_t)abs(power) * RK_SIDE_SYMBOL_POWER_MAX;
        v->slack = size > 0 ? v->slack / size * abs(power) : 0;
        v->ex = checked(p, raise(p, v->ex, power));
        v->slack *= size_of(p, v->ex);
    }
    v->literal.is = false;
    p->side->computed = true;
    return true;
}

/* An operand with its power; of letters that stand together the power is the last one's. */
static bool read_factor(parser *p, value *out)
{
    rk_ex before = RK_EX_FAILED;

    if (!read_operand(p, out, &before) || (sees_sign(p, 0, '^') && !read_power(p, out)))
        return false;
    if (before != RK_EX_FAILED) {
        out->ex = checked(p, rk_ex_mul(p->pool, before, out->ex));
        p->side->computed = true;
    }
    return true;
}

/* ---- products --------------------------------------------------------------------------------------------------- */

static void multiply(parser *p, value *a, const value *b, bool divide)
{
    double x = size_of(p, a->ex), y = size_of(p, b->ex), sx = slack_as_factor(p, a), sy = slack_as_factor(p, b);
    rk_i128 zero;

    if (divide && rk_ex_is_int(p->pool, b->ex, &zero) && zero == 0)
        a->ex = fail(p, RK_TROUBLE_ZERO);
    else
        a->ex = checked(p, divide ? rk_ex_div(p->pool, a->ex, b->ex) : product_of(p, a->ex, b->ex));
    /* to the far end of what both may be: 5546 / 9.8 may be 5546 / 9.75 */
    a->slack = !divide ? x * sy + y * sx + sx * sy : y > sy ? (sx + x / y * sy) / (y - sy) : 0;
    a->loose = (x > 0 ? sx / x : a->loose) + (y > 0 ? sy / y : b->loose);
    a->literal.is = false;
    p->side->computed = true;
}

/* "12 n_layer d_model^2", "6 N D", "(n_vocab + n_ctx) d_model", "d_ff = 4 d_model": blanks for signs. */
static bool is_spaced_factor(const parser *p)
{
    const rk_audit_token *t = peek(p, 0), *before = &p->token[p->at - 1];
    size_t from = p->side->from;

    if (!t || t->kind != RK_TOKEN_SYMBOL || t->mode == RK_MODE_MATH || t->span != before->span || p->at == from)
        return false;
    if (t->n == 1 && !p->r->known[p->r->text[t->at] & 0x7F])
        return false;
    if (p->how.counted && t->n > 2 && before->kind == RK_TOKEN_NUMBER)
        return false;
    if (t->space && t->at >= before->at + before->n + 2 && p->r->text[t->at - 2] == ' ')
        return false; /* "V = 65   vocab_size" stand in columns */
    if (before->kind == RK_TOKEN_SYMBOL || (before->kind == RK_TOKEN_CLOSE && p->side->computed))
        return !sees(p, 1, RK_TOKEN_NUMBER) && !sees(p, 1, RK_TOKEN_WORD);
    /* "n_layer = 96 d_model = 12288", "n_layer 96 d_model 12288": what follows is the symbol's own. */
    if (before->kind != RK_TOKEN_NUMBER || sees(p, 1, RK_TOKEN_NUMBER) || sees(p, 1, RK_TOKEN_EQUALS) ||
        (sees(p, 1, RK_TOKEN_BREAK) && peek(p, 1)->op == ':'))
        return false;
    return sees(p, 1, RK_TOKEN_SYMBOL) || (sees(p, 1, RK_TOKEN_SIGN) && peek(p, 1)->op != '-') ||
           (t->n > 1 && from > 0 && p->token[from - 1].kind == RK_TOKEN_EQUALS);
}

/* The "(28 %)" of "96.64B(28 %)": a share of something, and no factor. */
static bool is_share_in_brackets(const parser *p)
{
    const rk_audit_token *t = peek(p, 2);
    const rk_word_unit *u = t && (t->kind == RK_TOKEN_WORD || t->kind == RK_TOKEN_SYMBOL)
                                ? rk_lexicon_unit(p->r->lexed->lexicon, p->r->text + t->at, t->n)
                                : NULL;

    return u && u->kind == RK_WORD_UNIT_SHARE && sees(p, 0, RK_TOKEN_OPEN) && sees(p, 1, RK_TOKEN_NUMBER) &&
           sees(p, 3, RK_TOKEN_CLOSE);
}

/* The "(4 × 1,600 + 4)" of "2 × 1,600 (4 × 1,600 + 4)": a sum in brackets, behind the last of several factors. */
static bool is_spaced_sum(const parser *p)
{
    enum {
        TOKENS_MAX = 48
    };
    int depth = 0;
    bool sum = false;

    if (!sees(p, 0, RK_TOKEN_OPEN) || p->at < p->side->from + 2 || p->token[p->at - 1].kind != RK_TOKEN_NUMBER ||
        p->token[p->at - 2].kind != RK_TOKEN_SIGN || p->token[p->at - 2].op != '*')
        return false;
    for (size_t i = 0; i < TOKENS_MAX && peek(p, i); i++) {
        const rk_audit_token *t = peek(p, i);

        depth += t->kind == RK_TOKEN_OPEN ? 1 : t->kind == RK_TOKEN_CLOSE ? -1 : 0;
        sum |= t->kind == RK_TOKEN_SIGN && (t->op == '+' || t->op == '-');
        if (depth == 0)
            return sum && t->op == '(';
        if (t->kind != RK_TOKEN_NUMBER && t->kind != RK_TOKEN_SIGN && t->kind != RK_TOKEN_SYMBOL &&
            t->kind != RK_TOKEN_OPEN && t->kind != RK_TOKEN_CLOSE)
            return false;
    }
    return false;
}

/* Something that may be multiplied with what stands before it without a sign. */
static bool is_beside(const parser *p)
{
    const rk_audit_token *t = peek(p, 0), *before = &p->token[p->at - 1];
    bool together = !t || !t->space || (t->mode == RK_MODE_MATH && t->span == before->span) || is_spaced_factor(p) ||
                    is_spaced_sum(p);

    if (!t || !together || p->at == p->side->from || is_share_in_brackets(p))
        return false;
    if (t->kind == RK_TOKEN_OPEN && (unsigned char)p->r->text[t->at] >= 0x80)
        return false; /* brackets of full width hold remarks */
    if (t->kind == RK_TOKEN_OPEN && p->how.counted && names_in_brackets(p, 0) > 0)
        return false;
    if (t->kind == RK_TOKEN_OPEN && sees(p, 1, RK_TOKEN_NUMBER) && peek(p, 1)->about && peek(p, 1)->op == '=')
        return false; /* "2,127,057,600 (≈ 2.127B)" says it again */
    if (t->kind == RK_TOKEN_OPEN && t->op == '(' && before->kind == RK_TOKEN_WORD && before->mode != RK_MODE_MATH &&
        rk_lexicon_unit(p->r->lexed->lexicon, p->r->text + before->at, before->n))
        return false; /* "FLOPS(212000 PFLOPS)" says it again */
    if (t->kind == RK_TOKEN_OPEN)
        return t->op != '{' || t->mode == RK_MODE_MATH;
    return t->kind == RK_TOKEN_SYMBOL || is_product(p, t);
}

/* Two factors side by side; where the second turns out to be a remark, the product ends before it. */
static bool read_beside(parser *p, value *v)
{
    parser here = *p;
    rk_side side = *p->side;
    value next;

    if (read_factor(p, &next) && !p->side->shape) {
        p->side->call |= p->token[here.at].kind == RK_TOKEN_OPEN && p->token[here.at - 1].kind == RK_TOKEN_SYMBOL &&
                         p->at == here.at + 3;
        multiply(p, v, &next, false);
        return true;
    }
    *p = here;
    *p->side = side;
    return false;
}

/* "33.2×" says "times" and ends there. */
static bool ends_in_times(parser *p)
{
    const rk_audit_token *next = peek(p, 1);

    if (!sees_sign(p, 0, '*') || peek(p, 0)->space)
        return false;
    if (next && (next->kind == RK_TOKEN_NUMBER || next->kind == RK_TOKEN_SYMBOL || next->kind == RK_TOKEN_OPEN ||
                 next->kind == RK_TOKEN_SIGN || is_product(p, next)))
        return false;
    p->at++;
    return true;
}

/* "58.3-66.7 GB", where it is read as a range: one of its ends, in the unit that stands after the other one. */
static void read_range(parser *p, value *v)
{
    bool low = p->how.range == RK_READ_LOW, unit = p->token[p->at - 1].kind != RK_TOKEN_NUMBER;
    value high;

    if (p->how.range == RK_READ_MINUS || !v->literal.is || !sees_sign(p, 0, '-') || peek(p, 0)->space ||
        !sees(p, 1, RK_TOKEN_NUMBER) || peek(p, 1)->space)
        return;
    p->at++;
    read_number(p, &high);
    read_units(p, &high);
    if (low && !unit)
        scale(p, v, high.literal.scale);
    if (!low)
        *v = high;
    p->side->range = true;
}

static bool read_operand_with_label(parser *p, value *v)
{
    if (!read_factor(p, v))
        return false;
    if (v->literal.is)
        read_scientific(p, v);
    read_units(p, v);
    read_range(p, v);
    return true;
}

/* "309.2 GB (decimal) / 288.0 GiB (binary)": the stroke says "or". */
static bool is_other_form(const parser *p, const value *a, const value *b)
{
    const double near = 0.12;
    double x = size_of(p, a->ex), y = size_of(p, b->ex);

    return a->literal.is && b->literal.is && p->side->unit && p->side->unit->kind == RK_WORD_UNIT_BYTES &&
           p->how.units != RK_READ_WORDS && x > 0 && fabs(y / x - 1) < near && a->literal.scale != b->literal.scale;
}

static bool read_product(parser *p, value *out)
{
    if (!read_operand_with_label(p, out))
        return false;
    while (spend(p)) {
        bool divide, floors, minus;
        value next;

        if (is_beside(p) && read_beside(p, out)) {
            read_units(p, out);
            continue;
        }
        read_label(p, out);
        if (ends_in_times(p))
            return true;
        divide = sees_sign(p, 0, '/');
        if (!divide && !sees_sign(p, 0, '*'))
            return true;
        floors = divide && peek(p, 0)->n == 2 && p->r->text[peek(p, 0)->at] == '/'; /* "1,600 // 25", not ÷ */
        p->at++;
        minus = sees_sign(p, 0, '-') && !peek(p, 0)->space; /* "0.1 *-2" */
        p->at += minus;
        if (!read_operand_with_label(p, &next))
            return false;
        if (minus)
            next.ex = rk_ex_sub(p->pool, rk_ex_int(p->pool, 0), next.ex);
        while (divide && p->how.close && is_beside(p) && read_beside(p, &next)) {
        }
        if (divide && is_other_form(p, out, &next)) {
            read_label(p, out);
            continue;
        }
        multiply(p, out, &next, divide);
        if (floors)
            round_whole(p, out, 'f');
    }
    return false;
}

/* Of "3 days + 15 hours" the days are three. */
static double slack_as_summand(const parser *p, const value *v)
{
    return v->literal.is && v->literal.decimals == 0 && !v->literal.about && p->side->timed ? 0 : v->slack;
}

/* ---- sums ------------------------------------------------------------------------------------------------------- */

static void note_dash(parser *p, const rk_audit_token *sign)
{
    const rk_audit_token *next = peek(p, 1);

    if (sign->op != '-' || sign->mode == RK_MODE_MATH || !next)
        return;
    if (sign->space && next->space && p->depth == 0)
        p->side->dash = p->at;
    if (!sign->space && !next->space)
        p->side->range = true;
    if (sign->space && !next->space && next->kind == RK_TOKEN_NUMBER)
        p->side->range = true; /* "-2: 8 KB, -3: 16 KB" are negative numbers */
}

/* The m of "28 GB + Adam m 28 GB + Adam v 28 GB": a letter between words and a number with a unit of its own. */
static bool is_letter_of_name(const parser *p, size_t ahead)
{
    const rk_audit_token *t = peek(p, ahead), *next = peek(p, ahead + 1);

    return sees(p, ahead, RK_TOKEN_SYMBOL) && t->mode == RK_MODE_PLAIN && t->space && next && next->space &&
           (next->kind == RK_TOKEN_NUMBER || next->kind == RK_TOKEN_WORD);
}

/*
 * "14 GB + optimizer 84 GB", "4d² + FFN: 8d²": what a term is called may stand before it, where units or a colon show
 * what is added.
 */
static void skip_name(parser *p)
{
    size_t words = 0;

    while ((sees(p, words, RK_TOKEN_WORD) || is_letter_of_name(p, words)) && words < RK_SIDE_LABEL_MAX)
        words++;
    if (p->depth == 0 && words > 0 && sees(p, words, RK_TOKEN_BREAK) && peek(p, words)->op == ':' &&
        sees(p, words + 1, RK_TOKEN_NUMBER))
        p->at += words + 1;
    else if ((p->side->unit || p->how.wordy) && p->depth == 0 && words > 0 && sees(p, words, RK_TOKEN_NUMBER))
        p->at += words;
}

/* "192 GB - 17.5 GB": of terms with decimals among them, those without are hardly rounded; what that makes of slack. */
static void note_summand(double *finest, double *coarse, const parser *p, const value *v)
{
    if (!v->literal.is)
        return;
    if (v->literal.decimals == 0 && !v->literal.about && v->slack > 0)
        *coarse += slack_as_summand(p, v);
    else if (v->literal.decimals > 0)
        *finest = fmin(*finest, v->literal.unit);
}

static bool read_sum(parser *p, value *out)
{
    double finest = HUGE_VAL, coarse = 0;
    bool minus = sees_sign(p, 0, '-') && peek(p, 1) && !peek(p, 1)->space;

    p->at += minus;
    if (!read_product(p, out))
        return false;
    if (minus)
        out->ex = checked(p, rk_ex_sub(p->pool, rk_ex_int(p->pool, 0), out->ex));
    while (spend(p)) {
        const rk_audit_token *sign = peek(p, 0);
        const rk_word_unit *before = p->side->unit;
        size_t at = p->at;
        value next;

        if (!sees_sign(p, 0, '+') && !sees_sign(p, 0, '-'))
            return true;
        note_dash(p, sign);
        p->at++;
        skip_name(p);
        if (!read_product(p, &next)) {
            /* A dash between words ends the formula; any other sign without its operand spoils it. */
            p->at = at;
            return sign->op == '-' && sign->space && sign->mode != RK_MODE_MATH;
        }
        if (rk_ex_term_count(p->pool, out->ex) + rk_ex_term_count(p->pool, next.ex) > RK_SIDE_TERMS_MAX)
            out->ex = fail(p, RK_TROUBLE_LARGE);
        else
            out->ex = checked(p, (sign->op == '+' ? rk_ex_add : rk_ex_sub)(p->pool, out->ex, next.ex));
        p->side->mixed |= !p->side->unit != !before && p->how.units == RK_READ_THOUSANDS;
        if (p->depth == 0) {
            note_summand(&finest, &coarse, p, out);
            note_summand(&finest, &coarse, p, &next);
            p->side->coarse = finest < HUGE_VAL ? coarse : 0;
        }
        out->slack = slack_as_summand(p, out) + slack_as_summand(p, &next);
        out->loose = fmax(out->loose, next.loose);
        out->literal.is = false;
        p->side->computed = true;
    }
    return false;
}

/* ---- sides ------------------------------------------------------------------------------------------------------ */

/* What may stand after a side: anything but a sign or junk. */
static bool ends_well(const parser *p)
{
    const rk_audit_token *t = peek(p, 0);

    /* "8BT + 6TDX": letters that belong to the number before them. */
    if (t && t->kind == RK_TOKEN_WORD && !t->space && p->at > p->side->from + 1 && has_letters_of_product(p, t))
        return false;

    /* "4 (m) + 4": brackets that are neither a factor nor a remark, and after which the formula goes on. */
    if (sees(p, 0, RK_TOKEN_OPEN) && sees(p, 1, RK_TOKEN_SYMBOL) && sees(p, 2, RK_TOKEN_CLOSE) &&
        sees(p, 3, RK_TOKEN_SIGN) && peek(p, 3)->op != '-')
        return false;
    return !sees(p, 0, RK_TOKEN_JUNK) && (!sees(p, 0, RK_TOKEN_SIGN) || peek(p, 0)->op == '-');
}

bool rk_side_read(const rk_reader *r, size_t at, size_t end, rk_side_reading how, rk_side *out)
{
    parser p = {.r = r, .pool = r->pool, .token = r->lexed->token.at, .at = at, .end = end, .how = how, .side = out};
    value v;

    *out = (rk_side){.from = at, .alone = RK_SYM_NONE};
    if (at >= end || !read_sum(&p, &v) || !ends_well(&p))
        return false;
    out->value = v.ex;
    out->slack = v.slack;
    out->loose = out->n_symbol > 0 ? v.loose : 0;
    out->literal = v.literal;
    out->to = p.at;
    out->labelled &= !out->computed && v.literal.is;
    out->name &= !out->digits && out->to == out->from + 1;
    if (out->n_symbol == 1 && !out->computed)
        rk_ex_is_sym(p.pool, v.ex, &out->alone);
    return true;
}

bool rk_side_read_number(const rk_reader *r, size_t at, size_t end, rk_side *out)
{
    enum {
        LONG = 9 /* 2.4 × 10^{12} FLOP/s */
    };

    for (size_t to = end - at > LONG ? at + LONG : end; to > at; to--)
        if (rk_side_read(r, at, to, (rk_side_reading){0}, out) && out->literal.is && out->to == to)
            return true;
    return false;
}
