/* SPDX-License-Identifier: MIT */
#include "audit/formula.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A part of a side. */
typedef struct value {
    rk_ex ex;
    double slack;
    rk_literal literal;
    int digits; /* of a literal: those that count */
} value;

typedef struct parser {
    const rk_reader *r;
    const rk_token *token;
    size_t at, end;
    rk_reading how;
    rk_side *side;
    int depth;
} parser;

static bool read_sum(parser *p, value *out);

/* ---- tokens ----------------------------------------------------------------------------------------------------- */

static const rk_token *peek(const parser *p, size_t ahead)
{
    return p->at + ahead < p->end ? &p->token[p->at + ahead] : NULL;
}

static bool sees(const parser *p, size_t ahead, rk_token_kind kind)
{
    const rk_token *t = peek(p, ahead);

    return t && t->kind == kind;
}

static bool sees_sign(const parser *p, size_t ahead, char op)
{
    return sees(p, ahead, RK_TOKEN_SIGN) && peek(p, ahead)->op == op;
}

/* Every step costs, so that no text takes longer than its length allows. */
static bool spend(parser *p)
{
    if (*p->r->budget == 0)
        return false;
    --*p->r->budget;
    return true;
}

static rk_ex trouble(parser *p, rk_trouble what)
{
    if (p->side->trouble == RK_TROUBLE_NONE)
        p->side->trouble = what;
    return RK_EX_FAILED;
}

/* An operation on two values failed: one of them has none, or the result is too large. */
static rk_ex checked(parser *p, rk_ex e)
{
    return e == RK_EX_FAILED ? trouble(p, RK_TROUBLE_LARGE) : e;
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

static double size_of(const parser *p, rk_ex e)
{
    double d = 0;

    return rk_side_double(p->r->pool, e, &d) ? fabs(d) : 0;
}

static rk_ex power_of_ten(parser *p, int e)
{
    rk_acc acc = {0};
    rk_i128 ten = rk_pow(&acc, 10, (unsigned)(e < 0 ? -e : e));

    if (acc.overflow)
        return trouble(p, RK_TROUBLE_LARGE);
    return e < 0 ? rk_ex_ratio(p->r->pool, 1, ten) : rk_ex_int(p->r->pool, ten);
}

/* The exponent of the last digit that is not 0. */
static int coarse_exponent(const rk_written *w)
{
    int e = w->exponent;

    for (rk_i128 d = w->digits; d != 0 && d % 10 == 0; d /= 10)
        e++;
    return e;
}

static int significant(const rk_written *w)
{
    int n = 0;

    for (rk_i128 d = w->digits; d != 0; d /= 10)
        n++;
    return n;
}

static bool read_number(parser *p, value *out)
{
    const rk_token *t = peek(p, 0);
    const rk_written *w = &p->r->lexed->number.at[t->id];
    rk_pool *pool = p->r->pool;

    *out = (value){.digits = significant(w)};
    out->ex = w->wide ? trouble(p, RK_TROUBLE_LARGE)
                      : checked(p, rk_ex_mul(pool, rk_ex_int(pool, w->digits), power_of_ten(p, w->exponent)));
    out->literal = (rk_literal){.is = true,
                                .rounded = w->decimal,
                                .about = t->about,
                                .unit = pow(10, w->exponent),
                                .coarse = pow(10, coarse_exponent(w)),
                                .decimals = w->exponent < 0 ? -w->exponent : 0,
                                .scale = rk_ex_int(pool, 1)};
    out->slack = w->decimal || t->about ? out->literal.unit / 2 : 0;
    p->side->maybe_two |= w->maybe_two;
    p->side->digits = true;
    p->at++;
    return true;
}

static void scale(parser *p, value *v, rk_ex by)
{
    double size = size_of(p, by);

    v->ex = checked(p, rk_ex_mul(p->r->pool, v->ex, by));
    v->literal.scale = rk_ex_mul(p->r->pool, v->literal.scale, by);
    v->literal.unit *= size;
    v->literal.coarse *= size;
    v->slack = v->literal.is ? v->literal.unit / 2 : v->slack * size;
    v->literal.rounded = true;
}

/* "2.706 × 10^{11}": still a number as it was written. */
static void read_scientific(parser *p, value *v)
{
    const rk_token *ten = peek(p, 1);
    size_t brace = sees(p, 3, RK_TOKEN_OPEN), minus = sees_sign(p, 3 + brace, '-');
    const rk_token *e = peek(p, 3 + brace + minus);
    const rk_written *w = p->r->lexed->number.at;

    if (!sees_sign(p, 0, '*') || !sees(p, 1, RK_TOKEN_NUMBER) || !sees_sign(p, 2, '^') || !e ||
        e->kind != RK_TOKEN_NUMBER)
        return;
    if (w[ten->id].digits != 10 || w[ten->id].exponent != 0 || w[e->id].exponent != 0 || w[e->id].digits > 60 ||
        (brace && !sees(p, 4 + minus, RK_TOKEN_CLOSE)))
        return;
    p->at += 4 + 2 * brace + minus;
    scale(p, v, power_of_ten(p, (int)w[e->id].digits * (minus ? -1 : 1)));
}

/* ---- units and labels ------------------------------------------------------------------------------------------- */

static rk_ex scale_of(parser *p, const rk_unit *u)
{
    rk_pool *pool = p->r->pool;
    bool binary = u->binary || (p->how.units == RK_READ_BINARY && (u->kind == RK_UNIT_BYTES || u->letter));
    rk_acc acc = {0};

    if (p->how.units == RK_READ_WORDS)
        return rk_ex_int(pool, 1);
    if (u->kind == RK_UNIT_SHARE)
        return rk_ex_ratio(pool, 1, 100);
    return rk_ex_int(pool, rk_pow(&acc, binary ? 1024 : 1000, (unsigned)u->power));
}

/* A letter directly behind a number is a scale where it is no symbol of the text, unless read the other way round. */
static bool is_scale_letter(const parser *p, const rk_token *t)
{
    bool symbol = p->r->known[p->r->text[t->at] & 0x7F];

    return !t->space && symbol == p->how.letters;
}

static const rk_unit *unit_at(const parser *p)
{
    const rk_token *t = peek(p, 0);
    const rk_unit *u;

    if (!t || (t->kind != RK_TOKEN_WORD && t->kind != RK_TOKEN_SYMBOL))
        return NULL;
    u = rk_unit_find(p->r->text + t->at, t->n);
    return u && u->letter && !is_scale_letter(p, t) ? NULL : u;
}

/* "2.13 billion", "7.92 GB", "4 bytes", "512 flops": as many as follow each other. */
static void read_units(parser *p, value *v)
{
    for (const rk_unit *u; (u = unit_at(p)) && spend(p);) {
        if (u->power != 0)
            scale(p, v, scale_of(p, u));
        if (u->kind != RK_UNIT_SCALE || !p->side->unit)
            p->side->unit = u;
        p->at++;
    }
}

static bool is_stop(const parser *p, const rk_token *t)
{
    static const char *const stop[] = {"and", "or",  "is",    "so",    "then",  "are", "if",    "but",
                                       "when", "vs", "where", "which", "while", "than", "gives", "equals"};

    for (size_t i = 0; i < sizeof stop / sizeof *stop; i++)
        if (strlen(stop[i]) == t->n && memcmp(stop[i], p->r->text + t->at, t->n) == 0)
            return true;
    return false;
}

/* How many tokens a remark in brackets takes, from `ahead` on; 0: there is none.  It has a word in it. */
static size_t remark(const parser *p, size_t ahead)
{
    enum { REMARK_MAX = 24 };
    bool words = false;
    int depth = 0;

    if (!sees(p, ahead, RK_TOKEN_OPEN) || peek(p, ahead)->op == '{')
        return 0;
    for (size_t i = ahead; i < ahead + REMARK_MAX && peek(p, i); i++) {
        const rk_token *t = peek(p, i);

        depth += t->kind == RK_TOKEN_OPEN ? 1 : t->kind == RK_TOKEN_CLOSE ? -1 : 0;
        words |= t->kind == RK_TOKEN_WORD;
        if (t->kind == RK_TOKEN_EQUALS)
            return 0;
        if (depth == 0)
            return words ? i + 1 - ahead : 0;
    }
    return 0;
}

/* Words and remarks up to an operator or a relation, which show that the formula goes on, are a label. */
static void read_label(parser *p)
{
    size_t n = 0, words = 0, more;

    while (spend(p)) {
        if (sees(p, n, RK_TOKEN_WORD) && words < RK_SIDE_LABEL_MAX && !is_stop(p, peek(p, n))) {
            words++;
            n++;
        } else if ((more = remark(p, n)) > 0) {
            n += more;
        } else {
            break;
        }
    }
    if (n == 0 || !(sees(p, n, RK_TOKEN_EQUALS) || sees(p, n, RK_TOKEN_SIGN)))
        return;
    if (sees(p, n, RK_TOKEN_SIGN) && (peek(p, n)->op == '^' || (peek(p, n)->op == '-' && !sees(p, n + 1, RK_TOKEN_NUMBER))))
        return;
    p->side->labelled |= words > 0;
    p->at += n;
}

/* ---- symbols ---------------------------------------------------------------------------------------------------- */

static rk_ex use_symbol(parser *p, rk_sym s)
{
    rk_side *side = p->side;
    size_t i = 0;

    while (i < side->n_symbol && side->symbol[i] != s)
        i++;
    if (i == RK_SIDE_SYMBOLS_MAX || s == RK_SYM_NONE)
        return trouble(p, RK_TROUBLE_MANY);
    side->symbol[i] = s;
    side->n_symbol += i == side->n_symbol;
    return rk_ex_sym(p->r->pool, s);
}

/* Whether letters that stand together are a product: all are symbols, or they stand directly behind a number. */
static bool is_product(const parser *p, const rk_token *t)
{
    enum { LETTERS_MAX = 8 };
    bool known = true, behind = p->at > p->side->from && !t->space && p->token[p->at - 1].kind == RK_TOKEN_NUMBER;

    if (t->kind != RK_TOKEN_WORD || t->n > LETTERS_MAX)
        return false;
    for (uint32_t i = 0; i < t->n; i++) {
        unsigned char c = (unsigned char)p->r->text[t->at + i];

        if (!rk_lex_is_letter(c))
            return false;
        known &= p->r->known[c];
    }
    return known || (behind && t->n <= 4);
}

/* All letters but the last, which a power behind them belongs to. */
static rk_ex read_letters(parser *p, const rk_token *t, rk_ex *last)
{
    rk_pool *pool = p->r->pool;
    rk_ex all = rk_ex_int(pool, 1);

    for (uint32_t i = 0; i < t->n; i++) {
        char name[2] = {p->r->text[t->at + i], '\0'};

        *last = use_symbol(p, rk_sym_declare(pool, name, 0));
        if (i + 1 < t->n)
            all = rk_ex_mul(pool, all, *last);
    }
    p->at++;
    return all;
}

/* "Total = …": a word directly before a relation, or one of a chain of such, names something. */
static bool is_name(const parser *p, const rk_token *t)
{
    if (t->kind != RK_TOKEN_WORD || t->n < 2 || t->n > 48 || p->at != p->side->from)
        return false;
    if (p->at > 0 && p->token[p->at - 1].kind == RK_TOKEN_WORD)
        return false;
    return sees(p, 1, RK_TOKEN_EQUALS) && rk_lex_is_letter((unsigned char)p->r->text[t->at]);
}

static bool read_name(parser *p, value *out)
{
    const rk_token *t = peek(p, 0);
    char name[64] = {0};

    memcpy(name, p->r->text + t->at, t->n);
    *out = (value){.ex = use_symbol(p, rk_sym_declare(p->r->pool, name, 0))};
    p->at++;
    return true;
}

/* ---- brackets --------------------------------------------------------------------------------------------------- */

/* "[50257, 1600]" is as many elements as the product says. */
static bool read_list(parser *p, value *out)
{
    while (sees(p, 0, RK_TOKEN_COMMA)) {
        value next;

        p->at++;
        if (!read_sum(p, &next))
            return false;
        out->ex = rk_ex_mul(p->r->pool, out->ex, next.ex);
        p->side->shape = true;
    }
    return true;
}

static bool read_brackets(parser *p, value *out)
{
    char op = peek(p, 0)->op;

    if (p->depth >= RK_SIDE_DEPTH_MAX)
        return false;
    p->depth++;
    p->at++;
    if (!read_sum(p, out) || (op != '{' && !read_list(p, out)))
        return false;
    if (!sees(p, 0, RK_TOKEN_CLOSE) || peek(p, 0)->op != op)
        return false;
    p->at++;
    p->depth--;
    out->literal.is &= op == '{'; /* braces are layout */
    return true;
}

/* ---- operands --------------------------------------------------------------------------------------------------- */

static bool read_operand(parser *p, value *out, rk_ex *before)
{
    const rk_token *t = peek(p, 0);

    if (!t || !spend(p))
        return false;
    if (t->kind == RK_TOKEN_NUMBER)
        return read_number(p, out);
    if (t->kind == RK_TOKEN_OPEN)
        return read_brackets(p, out);
    if (t->kind == RK_TOKEN_SYMBOL) {
        *out = (value){.ex = use_symbol(p, t->id)};
        p->at++;
        return true;
    }
    if (is_product(p, t)) {
        *out = (value){0};
        *before = read_letters(p, t, &out->ex);
        return true;
    }
    return is_name(p, t) && read_name(p, out);
}

/* A small whole number, or none: then the power has no value. */
static bool small_power(const parser *p, const value *e, int *out)
{
    rk_i128 n;

    if (!rk_ex_is_int(p->r->pool, e->ex, &n) || n > RK_SIDE_POWER_MAX || n < -RK_SIDE_POWER_MAX)
        return false;
    *out = (int)n;
    return true;
}

/* Powers of numbers may be larger than those of symbols, which the pool bounds. */
static rk_ex raise(parser *p, rk_ex base, int e)
{
    rk_pool *pool = p->r->pool;
    rk_i128 num, den;
    rk_acc acc = {0};

    if (!rk_ex_is_quotient(pool, base, &num, &den))
        return e < -RK_EX_POWER_MAX || e > RK_EX_POWER_MAX ? RK_EX_FAILED : rk_ex_pow(pool, base, e);
    if (num == 0 && e < 0)
        return trouble(p, RK_TROUBLE_ZERO);
    num = rk_pow(&acc, num, (unsigned)(e < 0 ? -e : e));
    den = rk_pow(&acc, den, (unsigned)(e < 0 ? -e : e));
    return acc.overflow ? RK_EX_FAILED : rk_ex_ratio(pool, e < 0 ? den : num, e < 0 ? num : den);
}

static bool read_factor(parser *p, value *out);

static bool read_power(parser *p, value *v)
{
    bool minus;
    value e;
    int n;

    p->at++;
    minus = sees_sign(p, 0, '-');
    p->at += minus;
    if (p->depth >= RK_SIDE_DEPTH_MAX)
        return false;
    p->depth++;
    if (!read_factor(p, &e))
        return false;
    p->depth--;
    if (!small_power(p, &e, &n)) {
        v->ex = trouble(p, rk_ex_is_int(p->r->pool, e.ex, &(rk_i128){0}) ? RK_TROUBLE_LARGE : RK_TROUBLE_POWER);
    } else {
        n = minus ? -n : n;
        v->slack = size_of(p, v->ex) > 0 ? v->slack / size_of(p, v->ex) * abs(n) : 0;
        v->ex = checked(p, raise(p, v->ex, n));
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
    bool letters;

    if (!read_operand(p, out, &before))
        return false;
    letters = before != RK_EX_FAILED;
    if (sees_sign(p, 0, '^') && !read_power(p, out))
        return false;
    if (letters) {
        out->ex = checked(p, rk_ex_mul(p->r->pool, before, out->ex));
        p->side->computed = true;
    }
    return true;
}

/* ---- products --------------------------------------------------------------------------------------------------- */

/* A bare decimal of one or two digits in a product is meant as it is (0.5 × …); others may be rounded. */
static double slack_as_factor(const value *v)
{
    bool exact = v->literal.is && !v->literal.about && v->digits <= 2 && v->literal.unit < 1;

    return exact ? 0 : v->slack;
}

static void multiply(parser *p, value *a, const value *b, bool divide)
{
    rk_pool *pool = p->r->pool;
    double x = size_of(p, a->ex), y = size_of(p, b->ex), sx = slack_as_factor(a), sy = slack_as_factor(b);
    rk_i128 zero;

    if (divide && rk_ex_is_int(pool, b->ex, &zero) && zero == 0)
        a->ex = trouble(p, RK_TROUBLE_ZERO);
    else
        a->ex = checked(p, (divide ? rk_ex_div : rk_ex_mul)(pool, a->ex, b->ex));
    a->slack = !divide ? x * sy + y * sx : y > 0 ? (sx + x / y * sy) / y : 0;
    a->literal.is = false;
    p->side->computed = true;
}

/* Something that may be multiplied with what stands before it without a sign. */
static bool is_beside(const parser *p)
{
    const rk_token *t = peek(p, 0), *before = &p->token[p->at - 1];
    bool together = !t || !t->space || (t->mode == RK_MODE_MATH && t->span == before->span);

    if (!t || !together || p->at == p->side->from)
        return false;
    if (t->kind == RK_TOKEN_OPEN)
        return t->op != '{' || t->mode == RK_MODE_MATH;
    return t->kind == RK_TOKEN_SYMBOL || is_product(p, t);
}

/* Two factors side by side; where the second turns out to be a remark, the product ends before it. */
static bool read_beside(parser *p, value *v)
{
    size_t at = p->at;
    int depth = p->depth;
    rk_side side = *p->side;
    value next;

    if (read_factor(p, &next) && !p->side->shape) {
        multiply(p, v, &next, false);
        return true;
    }
    *p->side = side;
    p->at = at;
    p->depth = depth;
    return false;
}

/* "33.2×" says "times" and ends there. */
static bool ends_in_times(parser *p)
{
    const rk_token *next = peek(p, 1);

    if (!sees_sign(p, 0, '*') || peek(p, 0)->space)
        return false;
    if (next && (next->kind == RK_TOKEN_NUMBER || next->kind == RK_TOKEN_SYMBOL || next->kind == RK_TOKEN_OPEN ||
                 next->kind == RK_TOKEN_SIGN || is_product(p, next)))
        return false;
    p->at++;
    return true;
}

static bool read_operand_with_label(parser *p, value *v)
{
    if (!read_factor(p, v))
        return false;
    if (v->literal.is)
        read_scientific(p, v);
    read_units(p, v);
    return true;
}

static bool read_product(parser *p, value *out)
{
    if (!read_operand_with_label(p, out))
        return false;
    while (spend(p)) {
        bool divide;
        value next;

        if (is_beside(p) && read_beside(p, out)) {
            read_units(p, out);
            continue;
        }
        read_label(p);
        if (ends_in_times(p))
            return true;
        if (!sees_sign(p, 0, '*') && !sees_sign(p, 0, '/'))
            return true;
        divide = sees_sign(p, 0, '/');
        p->at++;
        if (!read_operand_with_label(p, &next))
            return false;
        multiply(p, out, &next, divide);
    }
    return false;
}

/* ---- sums ------------------------------------------------------------------------------------------------------- */

static bool read_signed(parser *p, value *out)
{
    bool minus = sees_sign(p, 0, '-') && peek(p, 1) && !peek(p, 1)->space;

    p->at += minus;
    if (!read_product(p, out))
        return false;
    if (minus)
        out->ex = checked(p, rk_ex_sub(p->r->pool, rk_ex_int(p->r->pool, 0), out->ex));
    return true;
}

static void note_dash(parser *p, const rk_token *sign)
{
    const rk_token *next = peek(p, 1);

    if (sign->op != '-' || sign->mode != RK_MODE_PLAIN || !next)
        return;
    if (sign->space && next->space && p->depth == 0)
        p->side->dash = p->at;
    if (!sign->space && !next->space)
        p->side->range = true;
}

static bool read_sum(parser *p, value *out)
{
    if (!read_signed(p, out))
        return false;
    while (spend(p)) {
        const rk_token *sign = peek(p, 0);
        size_t at = p->at;
        value next;

        if (!sees_sign(p, 0, '+') && !sees_sign(p, 0, '-'))
            return true;
        note_dash(p, sign);
        p->at++;
        if (!read_product(p, &next)) {
            /* A dash between words ends the formula; any other sign without its operand spoils it. */
            p->at = at;
            return sign->op == '-' && sign->space && sign->mode == RK_MODE_PLAIN;
        }
        out->ex = checked(p, (sign->op == '+' ? rk_ex_add : rk_ex_sub)(p->r->pool, out->ex, next.ex));
        out->slack += next.slack;
        out->literal.is = false;
        p->side->computed = true;
    }
    return false;
}

/* ---- sides ------------------------------------------------------------------------------------------------------ */

/* What may stand behind a side: anything but a sign or junk. */
static bool ends_well(const parser *p)
{
    return !sees(p, 0, RK_TOKEN_JUNK) && (!sees(p, 0, RK_TOKEN_SIGN) || peek(p, 0)->op == '-');
}

static void conclude(parser *p, const value *v)
{
    rk_side *s = p->side;

    s->value = v->ex;
    s->slack = v->slack;
    s->literal = v->literal;
    s->to = p->at;
    s->labelled &= !s->computed && v->literal.is;
    s->alone = RK_SYM_NONE;
    if (s->n_symbol == 1 && !s->computed)
        rk_ex_is_sym(p->r->pool, v->ex, &s->alone);
}

bool rk_side_read(const rk_reader *r, size_t at, size_t end, rk_reading how, rk_side *out)
{
    parser p = {.r = r, .token = r->lexed->token.at, .at = at, .end = end, .how = how, .side = out};
    value v;

    *out = (rk_side){.from = at, .alone = RK_SYM_NONE};
    if (at >= end || !read_sum(&p, &v) || !ends_well(&p))
        return false;
    conclude(&p, &v);
    return true;
}
