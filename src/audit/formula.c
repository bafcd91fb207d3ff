/* SPDX-License-Identifier: MIT */
#include "audit/operand.h"

#include <stdlib.h>

static bool read_sum(rk_side_parser *p, rk_value *out);

/* ---- brackets --------------------------------------------------------------------------------------------------- */

/* "[50257, 1600]" is as many elements as the product says. */
static bool read_list(rk_side_parser *p, rk_value *out)
{
    while (rk_sees(p, 0, RK_TOKEN_COMMA)) {
        rk_value next;

        p->at++;
        if (!read_sum(p, &next))
            return false;
        out->ex = rk_ex_mul(p->r->pool, out->ex, next.ex);
        p->side->shape = p->side->computed = true;
    }
    return true;
}

static bool read_brackets(rk_side_parser *p, rk_value *out)
{
    char op = rk_peek(p, 0)->op;

    if (p->depth >= RK_SIDE_DEPTH_MAX)
        return false;
    p->depth++;
    p->at++;
    if (!read_sum(p, out) || (op != '{' && !read_list(p, out)))
        return false;
    if (!rk_sees(p, 0, RK_TOKEN_CLOSE) || rk_peek(p, 0)->op != op)
        return false;
    p->at++;
    p->depth--;
    return true;
}

/* ---- operands --------------------------------------------------------------------------------------------------- */

static bool read_operand(rk_side_parser *p, rk_value *out, rk_ex *before)
{
    const rk_audit_token *t = rk_peek(p, 0);

    if (!t || !rk_spend(p))
        return false;
    if (t->kind == RK_TOKEN_NUMBER)
        return rk_read_number(p, out);
    if (t->kind == RK_TOKEN_OPEN)
        return read_brackets(p, out);
    if (t->kind == RK_TOKEN_SYMBOL) {
        *out = (rk_value){.ex = rk_use_symbol(p, t->id)};
        p->at++;
        return true;
    }
    if (rk_is_product(p, t)) {
        *out = (rk_value){0};
        *before = rk_read_letters(p, t, &out->ex);
        return true;
    }
    return rk_is_name(p, t) && rk_read_name(p, out);
}

/* A small whole number, or none: then the power has no value. */
static bool small_power(const rk_side_parser *p, const rk_value *e, int *out)
{
    rk_i128 n;

    if (!rk_ex_is_int(p->r->pool, e->ex, &n) || n > RK_SIDE_POWER_MAX || n < -RK_SIDE_POWER_MAX)
        return false;
    *out = (int)n;
    return true;
}

/* a · b, unless that has more terms than anyone writes. */
static rk_ex product_of(rk_side_parser *p, rk_ex a, rk_ex b)
{
    rk_pool *pool = p->r->pool;

    if (rk_ex_term_count(pool, a) * rk_ex_term_count(pool, b) > RK_SIDE_TERMS_MAX)
        return RK_EX_FAILED;
    return rk_ex_mul(pool, a, b);
}

static rk_ex multiply_out(rk_side_parser *p, rk_ex base, int e)
{
    rk_ex all = rk_ex_int(p->r->pool, 1);

    for (int i = 0; i < abs(e) && all != RK_EX_FAILED; i++)
        all = product_of(p, all, base);
    return e < 0 && all != RK_EX_FAILED ? rk_ex_div(p->r->pool, rk_ex_int(p->r->pool, 1), all) : all;
}

/* Powers of numbers may be larger than those of symbols. */
static rk_ex raise(rk_side_parser *p, rk_ex base, int e)
{
    rk_pool *pool = p->r->pool;
    rk_i128 num, den;
    rk_acc acc = {0};

    if (!rk_ex_is_quotient(pool, base, &num, &den))
        return e < -RK_SIDE_SYMBOL_POWER_MAX || e > RK_SIDE_SYMBOL_POWER_MAX ? RK_EX_FAILED : multiply_out(p, base, e);
    if (num == 0 && e < 0)
        return rk_trouble_note(p, RK_TROUBLE_ZERO);
    num = rk_pow(&acc, num, (unsigned)(e < 0 ? -e : e));
    den = rk_pow(&acc, den, (unsigned)(e < 0 ? -e : e));
    return acc.overflow ? RK_EX_FAILED : rk_ex_ratio(pool, e < 0 ? den : num, e < 0 ? num : den);
}

static bool read_factor(rk_side_parser *p, rk_value *out);

static bool read_power(rk_side_parser *p, rk_value *v)
{
    bool minus;
    rk_value e;
    int n;

    p->at++;
    minus = rk_sees_sign(p, 0, '-');
    p->at += minus;
    if (p->depth >= RK_SIDE_DEPTH_MAX)
        return false;
    p->depth++;
    if (!read_factor(p, &e))
        return false;
    p->depth--;
    if (!small_power(p, &e, &n)) {
        v->ex = rk_trouble_note(p, rk_ex_is_int(p->r->pool, e.ex, &(rk_i128){0}) ? RK_TROUBLE_LARGE : RK_TROUBLE_POWER);
    } else {
        n = minus ? -n : n;
        if (rk_size_of(p, v->ex) == 0) /* symbols */
            p->side->degree += (size_t)abs(n) * RK_SIDE_SYMBOL_POWER_MAX;
        v->slack = rk_size_of(p, v->ex) > 0 ? v->slack / rk_size_of(p, v->ex) * abs(n) : 0;
        v->ex = rk_checked(p, raise(p, v->ex, n));
        v->slack *= rk_size_of(p, v->ex);
    }
    v->literal.is = false;
    p->side->computed = true;
    return true;
}

/* An operand with its power; of letters that stand together the power is the last one's. */
static bool read_factor(rk_side_parser *p, rk_value *out)
{
    rk_ex before = RK_EX_FAILED;
    bool letters;

    if (!read_operand(p, out, &before))
        return false;
    letters = before != RK_EX_FAILED;
    if (rk_sees_sign(p, 0, '^') && !read_power(p, out))
        return false;
    if (letters) {
        out->ex = rk_checked(p, rk_ex_mul(p->r->pool, before, out->ex));
        p->side->computed = true;
    }
    return true;
}

/* ---- products --------------------------------------------------------------------------------------------------- */

/* In a product a whole number is meant as it is, and so is 0.5; decimals of more digits are rounded. */
static double slack_as_factor(const rk_value *v)
{
    bool exact =
        v->literal.is && !v->literal.about && (v->literal.decimals == 0 || (v->digits <= 2 && v->literal.unit < 1));

    return exact ? 0 : v->slack;
}

static void multiply(rk_side_parser *p, rk_value *a, const rk_value *b, bool divide)
{
    rk_pool *pool = p->r->pool;
    double x = rk_size_of(p, a->ex), y = rk_size_of(p, b->ex), sx = slack_as_factor(a), sy = slack_as_factor(b);
    rk_i128 zero;

    if (divide && rk_ex_is_int(pool, b->ex, &zero) && zero == 0)
        a->ex = rk_trouble_note(p, RK_TROUBLE_ZERO);
    else
        a->ex = rk_checked(p, divide ? rk_ex_div(pool, a->ex, b->ex) : product_of(p, a->ex, b->ex));
    a->slack = !divide ? x * sy + y * sx : y > 0 ? (sx + x / y * sy) / y : 0;
    a->literal.is = false;
    p->side->computed = true;
}

static bool sees_more(const rk_side_parser *p, size_t ahead)
{
    return rk_sees(p, ahead, RK_TOKEN_SYMBOL) || (rk_sees(p, ahead, RK_TOKEN_SIGN) && rk_peek(p, ahead)->op != '-');
}

/* "n_layer = 96 d_model = 12288", "n_layer 96 d_model 12288": what follows is the symbol's own. */
static bool has_own_value(const rk_side_parser *p)
{
    return rk_sees(p, 1, RK_TOKEN_NUMBER) || rk_sees(p, 1, RK_TOKEN_EQUALS) ||
           (rk_sees(p, 1, RK_TOKEN_BREAK) && rk_peek(p, 1)->op == ':');
}

/* "12 n_layer d_model^2", "6 N D", "(n_vocab + n_ctx) d_model", "d_ff = 4 d_model": blanks for signs. */
static bool is_spaced_factor(const rk_side_parser *p)
{
    const rk_audit_token *t = rk_peek(p, 0), *before = &p->token[p->at - 1];
    size_t from = p->side->from;

    if (!t || t->kind != RK_TOKEN_SYMBOL || t->mode == RK_MODE_MATH || t->span != before->span || p->at == from)
        return false;
    if (t->n == 1 && !p->r->known[p->r->text[t->at] & 0x7F])
        return false;
    if (before->kind == RK_TOKEN_SYMBOL || (before->kind == RK_TOKEN_CLOSE && p->side->computed))
        return !rk_sees(p, 1, RK_TOKEN_NUMBER) && !rk_sees(p, 1, RK_TOKEN_WORD);
    if (before->kind != RK_TOKEN_NUMBER || has_own_value(p))
        return false;
    return sees_more(p, 1) || (t->n > 1 && from > 0 && p->token[from - 1].kind == RK_TOKEN_EQUALS);
}

/* Something that may be multiplied with what stands before it without a sign. */
static bool is_beside(const rk_side_parser *p)
{
    const rk_audit_token *t = rk_peek(p, 0), *before = &p->token[p->at - 1];
    bool together = !t || !t->space || (t->mode == RK_MODE_MATH && t->span == before->span) || is_spaced_factor(p);

    if (!t || !together || p->at == p->side->from)
        return false;
    if (t->kind == RK_TOKEN_OPEN)
        return t->op != '{' || t->mode == RK_MODE_MATH;
    return t->kind == RK_TOKEN_SYMBOL || rk_is_product(p, t);
}

/* Two factors side by side; where the second turns out to be a remark, the product ends before it. */
static bool read_beside(rk_side_parser *p, rk_value *v)
{
    size_t at = p->at;
    int depth = p->depth;
    rk_side side = *p->side;
    rk_value next;

    if (read_factor(p, &next) && !p->side->shape) {
        p->side->call |=
            p->token[at].kind == RK_TOKEN_OPEN && p->token[at - 1].kind == RK_TOKEN_SYMBOL && p->at == at + 3;
        multiply(p, v, &next, false);
        return true;
    }
    *p->side = side;
    p->at = at;
    p->depth = depth;
    return false;
}

/* "33.2×" says "times" and ends there. */
static bool ends_in_times(rk_side_parser *p)
{
    const rk_audit_token *next = rk_peek(p, 1);

    if (!rk_sees_sign(p, 0, '*') || rk_peek(p, 0)->space)
        return false;
    if (next && (next->kind == RK_TOKEN_NUMBER || next->kind == RK_TOKEN_SYMBOL || next->kind == RK_TOKEN_OPEN ||
                 next->kind == RK_TOKEN_SIGN || rk_is_product(p, next)))
        return false;
    p->at++;
    return true;
}

static bool read_operand_with_label(rk_side_parser *p, rk_value *v)
{
    if (!read_factor(p, v))
        return false;
    if (v->literal.is)
        rk_read_scientific(p, v);
    rk_read_units(p, v);
    return true;
}

static bool read_product(rk_side_parser *p, rk_value *out)
{
    if (!read_operand_with_label(p, out))
        return false;
    while (rk_spend(p)) {
        bool divide;
        rk_value next;

        if (is_beside(p) && read_beside(p, out)) {
            rk_read_units(p, out);
            continue;
        }
        rk_read_label(p);
        if (ends_in_times(p))
            return true;
        if (!rk_sees_sign(p, 0, '*') && !rk_sees_sign(p, 0, '/'))
            return true;
        divide = rk_sees_sign(p, 0, '/');
        p->at++;
        if (!read_operand_with_label(p, &next))
            return false;
        multiply(p, out, &next, divide);
    }
    return false;
}

/* ---- sums ------------------------------------------------------------------------------------------------------- */

static bool read_signed(rk_side_parser *p, rk_value *out)
{
    bool minus = rk_sees_sign(p, 0, '-') && rk_peek(p, 1) && !rk_peek(p, 1)->space;

    p->at += minus;
    if (!read_product(p, out))
        return false;
    if (minus)
        out->ex = rk_checked(p, rk_ex_sub(p->r->pool, rk_ex_int(p->r->pool, 0), out->ex));
    return true;
}

static void note_dash(rk_side_parser *p, const rk_audit_token *sign)
{
    const rk_audit_token *next = rk_peek(p, 1);

    if (sign->op != '-' || sign->mode == RK_MODE_MATH || !next)
        return;
    if (sign->space && next->space && p->depth == 0)
        p->side->dash = p->at;
    if (!sign->space && !next->space)
        p->side->range = true;
}

static rk_ex add(rk_side_parser *p, rk_ex a, rk_ex b, char op)
{
    if (rk_ex_term_count(p->r->pool, a) + rk_ex_term_count(p->r->pool, b) > RK_SIDE_TERMS_MAX)
        return RK_EX_FAILED;
    return (op == '+' ? rk_ex_add : rk_ex_sub)(p->r->pool, a, b);
}

static bool read_sum(rk_side_parser *p, rk_value *out)
{
    if (!read_signed(p, out))
        return false;
    while (rk_spend(p)) {
        const rk_audit_token *sign = rk_peek(p, 0);
        size_t at = p->at;
        rk_value next;

        if (!rk_sees_sign(p, 0, '+') && !rk_sees_sign(p, 0, '-'))
            return true;
        note_dash(p, sign);
        p->at++;
        if (!read_product(p, &next)) {
            /* A dash between words ends the formula; any other sign without its operand spoils it. */
            p->at = at;
            return sign->op == '-' && sign->space && sign->mode != RK_MODE_MATH;
        }
        out->ex = rk_checked(p, add(p, out->ex, next.ex, sign->op));
        out->slack += next.slack;
        out->literal.is = false;
        p->side->computed = true;
    }
    return false;
}

/* ---- sides ------------------------------------------------------------------------------------------------------ */

/* "4 (m) + 4": brackets that are neither a factor nor a remark, and behind which the formula goes on. */
static bool goes_on(const rk_side_parser *p)
{
    return rk_sees(p, 0, RK_TOKEN_OPEN) && rk_sees(p, 1, RK_TOKEN_SYMBOL) && rk_sees(p, 2, RK_TOKEN_CLOSE) &&
           rk_sees(p, 3, RK_TOKEN_SIGN) && rk_peek(p, 3)->op != '-';
}

/* What may stand behind a side: anything but a sign or junk. */
static bool ends_well(const rk_side_parser *p)
{
    return !goes_on(p) && !rk_sees(p, 0, RK_TOKEN_JUNK) && (!rk_sees(p, 0, RK_TOKEN_SIGN) || rk_peek(p, 0)->op == '-');
}

static void conclude(rk_side_parser *p, const rk_value *v)
{
    rk_side *s = p->side;

    s->value = v->ex;
    s->slack = v->slack;
    s->literal = v->literal;
    s->to = p->at;
    s->labelled &= !s->computed && v->literal.is;
    s->name &= !s->digits && s->to == s->from + 1;
    s->alone = RK_SYM_NONE;
    if (s->n_symbol == 1 && !s->computed)
        rk_ex_is_sym(p->r->pool, v->ex, &s->alone);
}

bool rk_side_read(const rk_reader *r, size_t at, size_t end, rk_side_reading how, rk_side *out)
{
    rk_side_parser p = {.r = r, .token = r->lexed->token.at, .at = at, .end = end, .how = how, .side = out};
    rk_value v;

    *out = (rk_side){.from = at, .alone = RK_SYM_NONE};
    if (at >= end || !read_sum(&p, &v) || !ends_well(&p))
        return false;
    conclude(&p, &v);
    return true;
}
