/* SPDX-License-Identifier: MIT */
/*
 * The forms of which it is said that they are wrong: numbers that are computed with each other, and the number that
 * comes out; one number in two units; one formula with two coefficients; letters with values, where the result tells
 * that they are meant.
 */
#include "audit/judge_parts.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* "4 × b × 593,593 = 2,432,188,416 × b", "4d² + 8d² = 14d²": what the letters are does not matter. */
static bool is_of_coefficients(const rk_pair *p)
{
    const double rounding = 0.05;
    rk_ex ratio;
    double off;

    if (p->x->n_symbol == 0 || p->y->n_symbol == 0 || p->x->value == RK_EX_FAILED || p->y->value == RK_EX_FAILED ||
        p->x->value == rk_ex_int(p->a->pool, 0))
        return false;
    if (!p->x->digits || !p->y->digits || rk_ex_term_count(p->a->pool, p->x->value) != 1)
        return false;
    ratio = rk_ex_div(p->a->pool, p->y->value, p->x->value);
    if (ratio == RK_EX_FAILED || !rk_side_double(p->a->pool, ratio, &off))
        return false;
    for (size_t i = p->y->from; i < p->y->to && fabs(off - 1) < rounding; i++) /* "16.8 S" is rounded */
        if (p->a->lexed.token.at[i].kind == RK_TOKEN_NUMBER &&
            p->a->lexed.number.at[p->a->lexed.token.at[i].id].decimal)
            return false;
    return true;
}

bool rk_pair_is_of_terms(const rk_pair *p)
{
    rk_pool *pool = p->a->pool;
    rk_ex x = p->x->value, y = p->y->value, less;
    size_t terms;

    if (p->x->n_symbol == 0 || p->y->n_symbol == 0 || x == RK_EX_FAILED || y == RK_EX_FAILED || p->y->about ||
        p->x->loose + p->y->loose > 0 || !p->x->digits || !p->y->digits)
        return false;
    terms = rk_ex_term_count(pool, x);
    less = rk_ex_sub(pool, x, y);
    return terms > 1 && terms == rk_ex_term_count(pool, y) && less != RK_EX_FAILED &&
           rk_ex_term_count(pool, less) == 1 && !rk_ex_is_quotient(pool, less, &(rk_i128){0}, &(rk_i128){0});
}

/* "6,144 × T", "190Ld²": a number and letters that it is multiplied with. */
static bool is_term(const rk_pair *p, const rk_side *s)
{
    const rk_audit_token *t = p->a->lexed.token.at;

    for (size_t i = s->from + 1; i < s->to; i++)
        if ((t[i].kind == RK_TOKEN_NUMBER && !(t[i - 1].kind == RK_TOKEN_SIGN && t[i - 1].op == '^') &&
             t[i - 1].kind != RK_TOKEN_OPEN && !rk_pair_is_ten(p, i)) ||
            (t[i].kind == RK_TOKEN_SIGN && t[i].op != '*' && t[i].op != '^'))
            return false;
    return s->n_symbol > 0 && t[s->from].kind == RK_TOKEN_NUMBER;
}

/* Whether more than one number is computed with: 3 × 10⁸ is one. */
static bool has_operands(const rk_pair *p, const rk_side *s)
{
    const rk_audit_token *t = p->a->lexed.token.at;

    for (size_t i = s->from + 1; i < s->to; i++)
        if (t[i].kind == RK_TOKEN_SIGN && t[i].op != '^' &&
            !(i + 2 < s->to && t[i].op == '*' && t[i + 1].kind == RK_TOKEN_NUMBER && rk_pair_is_ten(p, i + 1)))
            return true;
    return s->to > s->from + 1 && t[s->from].kind == RK_TOKEN_NUMBER && t[s->from + 1].kind == RK_TOKEN_SIGN &&
           t[s->from + 1].op == '^';
}

/* A number in units of the last digit of a figure, to compare them digit by digit. */
static bool in_digits_of(const rk_pair *p, rk_ex value, const rk_literal *figure, rk_i128 *out)
{
    const double digits_most = 1e15; /* all of them are exact in a double */
    double size;

    if (!rk_side_double(p->a->pool, value, &size) || figure->unit <= 0 || size / figure->unit > digits_most)
        return false;
    *out = (rk_i128)llround(size / figure->unit);
    return true;
}

/*
 * What was cut out of a sentence at the wrong place is off by anything: of such sides one in forty comes as near as a
 * tenth to the figure by chance, and fewer differ from it in one digit of four, in the order of its digits, or in a
 * power of ten alone.  So such a result was read as it was meant, whatever stands beside it.
 */
bool rk_pair_is_telling(const rk_pair *p)
{
    const double tenth = 0.12, three_digits = 100, four_digits = 1000, thousand = 1000;
    const rk_literal *figure = &p->y->literal;
    double off = rk_pair_factor(p), size;
    rk_i128 found, stated;

    if (!figure->is || off == 0 || !p->x->computed || (p->x->n_symbol == 0 && !has_operands(p, p->x)) ||
        !rk_side_double(p->a->pool, p->v->right, &size) || size / figure->unit < three_digits)
        return false;
    if (off <= 1 + tenth || (off >= thousand / 2 && rk_pair_is_off_by(p, pow(10, round(log10(off))))))
        return true;
    return size / figure->unit >= four_digits && in_digits_of(p, p->v->left, figure, &found) &&
           in_digits_of(p, p->v->right, figure, &stated) && rk_judge_misspelt(found, stated);
}

/*
 * "6Ld·d_ff = 42,253,056,000": each letter has one value, in its paragraph or in the whole text, which is exact, and
 * the result is nearly what comes out.  One that is about right may leave something out, or be rounded on the way.
 */
bool rk_pair_is_telling_formula(const rk_pair *p)
{
    const double units = 3, thousandth = 1e-3, least = 1e4;
    const rk_definitions *d = &p->a->definitions;
    double x, y;

    /* "100 + x = 200" asks what x is. */
    if (rk_pair_signs(p, p->x, '+') + rk_pair_signs(p, p->x, '-') > 0 &&
        (!rk_side_double(p->a->pool, p->v->right, &y) || y < least))
        return false;
    if (p->x->n_symbol == 0 || p->y->n_symbol > 0 || p->v->rough || p->v->foreign || !rk_pair_is_telling(p) ||
        !rk_side_double(p->a->pool, p->v->left, &x) || !rk_side_double(p->a->pool, p->v->right, &y))
        return false;
    for (size_t i = 0; i < p->x->n_symbol && (p->v->far || p->v->apart); i++)
        if (rk_define_varies(d, p->x->symbol[i]) || rk_define_of(d, RK_DEFINE_FORMULA, p->x->symbol[i]) ||
            rk_define_of(d, RK_DEFINE_ROUGH, p->x->symbol[i]))
            return false;
    return p->y->about || p->y->literal.about ? fabs(x - y) > units * p->y->literal.unit && fabs(x / y - 1) > thousandth
                                              : true;
}

/* "2BTd = 8,388,608": a count that is exact, and something exact that people do to it. */
static bool is_telling_count(const rk_pair *p)
{
    const double count_least = 1e5;
    rk_i128 num, den, x, y;
    double size;

    if (!p->y->literal.is || p->y->literal.rounded || p->y->about || p->v->rough || p->v->foreign ||
        !rk_side_double(p->a->pool, p->v->right, &size) || size < count_least)
        return false;
    for (size_t i = 0; i < p->x->n_symbol && p->v->far; i++)
        if (rk_define_varies(&p->a->definitions, p->x->symbol[i]))
            return false;
    if (rk_ex_is_int(p->a->pool, p->v->left, &x) && rk_ex_is_int(p->a->pool, p->v->right, &y) && rk_judge_swapped(x, y))
        return true;
    return rk_pair_ratio(p, &num, &den) && (num == 1 || den == 1) && num * den <= 4;
}

/* E[X²]; but not 48[24 × 1600 + …], which is a factor. */
static bool has_square_bracket(const rk_pair *p)
{
    const rk_audit_token *t = p->a->lexed.token.at;

    for (size_t i = p->x->from; i < p->y->to; i++)
        if (t[i].kind == RK_TOKEN_OPEN && t[i].op == '[' &&
            (i == p->x->from || (t[i - 1].kind != RK_TOKEN_SIGN && t[i - 1].kind != RK_TOKEN_NUMBER)))
            return true;
    return false;
}

/* "1536 × 2 = 6,144 × T": a factor that stands after every line. */
static bool is_trailing(const rk_pair *p)
{
    return p->x->n_symbol == 0 && p->x->computed && p->y->n_symbol == 1 && is_term(p, p->y) &&
           rk_pair_ratio(p, &(rk_i128){0}, &(rk_i128){0});
}

/* Letters have the values that they have elsewhere, or this is where they get one. */
static bool is_of_letters(const rk_pair *p)
{
    if (p->x->n_symbol == 0 && p->y->n_symbol == 0)
        return false;
    return !is_of_coefficients(p) && !rk_pair_is_of_terms(p) && !is_telling_count(p) &&
           !rk_pair_is_telling_formula(p) && !is_trailing(p) && !rk_pair_is_step(p);
}

static bool is_bare_scale(const rk_side *s)
{
    return !s->unit || s->unit->kind == RK_WORD_UNIT_SCALE || (s->unit->kind == RK_WORD_UNIT_FLOPS && !s->rate);
}

/* "1979 × 10000 = 19.79 EFLOPS": what a device does is given in TFLOPS, and many do not write it. */
static bool is_perhaps_device(const rk_pair *p)
{
    return p->x->computed && p->y->unit && p->y->unit->kind == RK_WORD_UNIT_FLOPS && rk_pair_signs(p, p->x, '*') < 2;
}

/* "6.3 × 10²⁴ = 6.3 ZettaFLOPs": the same two digits and more. */
static bool has_same_digits(const rk_pair *p)
{
    enum {
        LEAST = 10
    };
    const rk_audit_token *x = &p->a->lexed.token.at[p->x->from], *y = &p->a->lexed.token.at[p->y->from];
    const rk_written *w = p->a->lexed.number.at;

    return p->x->literal.is && p->y->literal.is && x->kind == RK_TOKEN_NUMBER && y->kind == RK_TOKEN_NUMBER &&
           w[x->id].digits >= LEAST && w[x->id].digits == w[y->id].digits && w[x->id].exponent == w[y->id].exponent;
}

/* "4,515G ≈ 4.5 × 10¹²": three digits, and the number in another scale; "30B ≈ 32.5B" is a name. */
static bool is_rescaled(const rk_pair *p)
{
    const double three_digits = 100;
    double x;

    return p->x->literal.is && p->y->literal.is && p->x->literal.scale != p->y->literal.scale &&
           rk_side_double(p->a->pool, p->v->left, &x) && (x / p->x->literal.unit >= three_digits || has_same_digits(p));
}

bool rk_pair_is_scale(const rk_pair *p)
{
    /* Twice and four times a number may be its bytes. */
    const double near = 0.15, far = 3, long_least = 1e6, count_least = 1e4, three_digits = 100;
    bool left = p->x->literal.rounded; /* which of both says how large it is */
    const rk_literal *rounded = left ? &p->x->literal : &p->y->literal;
    rk_ex scaled = left ? p->v->left : p->v->right, digits = left ? p->v->right : p->v->left;
    double off = rk_pair_factor(p), size, said;
    rk_i128 found, stated;

    if (!is_bare_scale(p->x) || !is_bare_scale(p->y) || is_perhaps_device(p) ||
        (p->x->literal.rounded == p->y->literal.rounded && !(p->y->again && left) && !(left && is_rescaled(p))) ||
        !rk_side_double(p->a->pool, p->v->left, &size) || size < count_least ||
        !rk_side_double(p->a->pool, scaled, &said))
        return false;
    if (off < 1 + near || (off < far && size >= long_least && !rk_pair_is_off_by(p, 2)))
        return true;
    if (said / rounded->unit < three_digits && !has_same_digits(p))
        return false;
    return rk_pair_is_off_by(p, pow(10, round(log10(off)))) ||
           (in_digits_of(p, digits, rounded, &found) && in_digits_of(p, scaled, rounded, &stated) &&
            rk_judge_misspelt(found, stated));
}

/* "= 813.6 GB ≈ 818.6 GB": four digits said again with as many, of which one is another. */
static bool is_respelt(const rk_pair *p)
{
    const double four_digits = 1000;
    rk_i128 x, y;
    double size;

    return p->x->literal.is && p->y->literal.is && p->x->unit && p->x->unit == p->y->unit && !p->x->rate &&
           !p->y->rate && p->x->literal.unit == p->y->literal.unit && rk_side_double(p->a->pool, p->v->left, &size) &&
           size / p->x->literal.unit >= four_digits && in_digits_of(p, p->v->left, &p->y->literal, &x) &&
           in_digits_of(p, p->v->right, &p->y->literal, &y) && rk_judge_misspelt(x, y);
}

/* A number in two units, about the same, or off by what people forget: a thousand, or another power of ten. */
static bool is_sound_conversion(const rk_pair *p)
{
    /* Half of it, and GB for GiB; of what brackets say again, nothing else is meant. */
    const double near = p->y->again ? 4 : p->y->about || p->y->literal.about ? 2.2 : 10;
    double off = rk_pair_factor(p);

    if (is_respelt(p))
        return true;
    if (rk_pair_is_of_two_rates(p)) /* "1,000 a day" may be of a working day, and 22 of them a month */
        return off > 1.6 && (off < 20 || rk_ratio_is_power(off, 0.1));
    return rk_pair_is_scale(p) || rk_pair_is_count_of_bytes(p) || rk_pair_is_restated(p) ||
           (rk_pair_is_conversion(p) && p->x->timed && p->y->timed && !p->y->again && !p->x->rate && !p->y->rate) ||
           (rk_pair_is_conversion(p) && !p->x->timed == !p->y->timed && p->x->rate == p->y->rate &&
            (p->x->per == p->y->per || (!p->x->per && p->x->unit->kind == RK_WORD_UNIT_BYTES)) &&
            (off < near ||
             (!p->x->timed && (rk_ratio_is_power(off, 0.02) || rk_pair_is_off_by(p, pow(10, round(log10(off))))))));
}

/* Both sides as whole numbers; of "4 × b × 593" and "2,372 × b", in which b is the same factor, without it. */
static bool whole_with_letters(const rk_pair *p, rk_i128 *x, rk_i128 *y)
{
    rk_pool *pool = p->a->pool;
    rk_ex left = p->x->value, right = p->y->value;

    if (p->x->n_symbol > 0) {
        rk_ex ratio = left == RK_EX_FAILED || right == RK_EX_FAILED || rk_ex_term_count(pool, left) != 1 ||
                              rk_ex_term_count(pool, right) != 1
                          ? RK_EX_FAILED
                          : rk_ex_div(pool, right, left);

        if (ratio == RK_EX_FAILED || !rk_ex_is_quotient(pool, ratio, &(rk_i128){0}, &(rk_i128){0}))
            return false;
        left = rk_side_bare(pool, p->x);
        right = rk_side_bare(pool, p->y);
    }
    return left != RK_EX_FAILED && right != RK_EX_FAILED && rk_ex_is_int(pool, left, x) && rk_ex_is_int(pool, right, y);
}

/* The 69,600 of "48 × 69,625 ≈ 48 × 69,600", and not 146,682,137,600. */
static bool is_round(rk_i128 n)
{
    enum {
        HUNDRED = 100,
        SURE_LEAST = 100000
    };

    if (n % HUNDRED != 0)
        return false;
    while (n > 0 && n % 10 == 0)
        n /= 10;
    return n < SURE_LEAST;
}

/* Whether a number stands in a side, or is the product of some that stand there one after the other. */
static bool is_made_of(const rk_pair *p, const rk_side *s, rk_i128 n)
{
    const rk_audit_token *t = p->a->lexed.token.at;
    const rk_written *w = p->a->lexed.number.at;

    for (size_t from = s->from; from < s->to; from++) {
        rk_acc acc = {0};
        rk_i128 product = 1;

        for (size_t i = from; i < s->to && t[i].kind == RK_TOKEN_NUMBER && !acc.overflow; i += 2) {
            if (i > from && (w[t[i].id].exponent != 0 || w[t[i - 2].id].exponent != 0))
                break;
            product = rk_mul(&acc, product, w[t[i].id].digits);
            if (product == n)
                return true;
            if (product > n || i + 1 >= s->to || t[i + 1].kind != RK_TOKEN_SIGN || t[i + 1].op != '*')
                break;
        }
    }
    return false;
}

bool rk_pair_is_step(const rk_pair *p)
{
    enum {
        SHARED_LEAST = 2,
        LONG_LEAST = 1000000 /* a number so long is shared by no chance */
    };
    const double tenth = 0.12, hundredth = 0.01, count_least = 1e4;
    const rk_audit_token *t = p->a->lexed.token.at;
    double apart;
    const rk_written *w = p->a->lexed.number.at;
    size_t shared = 0, others = 0;
    rk_i128 x, y;

    if (!p->x->computed || !p->y->computed || p->x->literal.is || p->y->literal.is || p->x->slack + p->y->slack > 0 ||
        !p->x->n_symbol != !p->y->n_symbol || p->x->unit || p->y->unit || p->y->about ||
        !whole_with_letters(p, &x, &y) || (double)x < count_least || (double)y < count_least || x <= 0 || y <= 0)
        return false;
    for (size_t i = p->y->from; i < p->y->to; i++) {
        bool is = t[i].kind == RK_TOKEN_NUMBER && is_made_of(p, p->x, w[t[i].id].digits);

        shared += !is ? 0 : w[t[i].id].digits >= LONG_LEAST ? SHARED_LEAST : 1;
        others += t[i].kind == RK_TOKEN_NUMBER && !is;
        if (t[i].kind == RK_TOKEN_NUMBER && !is && is_round(w[t[i].id].digits))
            return false;
    }
    apart = fmax((double)x / (double)y, (double)y / (double)x) - 1;
    return (shared >= SHARED_LEAST && (apart <= tenth || (others == 1 && shared > SHARED_LEAST))) ||
           (shared > 0 && others == 1 && apart <= hundredth); /* all but one of its terms */
}

/* Neither a computation and its result, nor a conversion, nor two coefficients of one formula. */
static bool is_of_other_form(const rk_pair *p)
{
    if (rk_pair_is_step(p))
        return has_square_bracket(p);
    if (p->x->n_symbol > 0 && p->y->n_symbol > 0)
        return (!is_term(p, p->y) && !rk_pair_is_of_terms(p)) || has_square_bracket(p);
    if ((!p->y->literal.is && !is_trailing(p)) || has_square_bracket(p))
        return true;
    if (p->x->literal.is)
        return !is_sound_conversion(p);
    return !p->x->computed || (p->x->n_symbol == 0 && !has_operands(p, p->x));
}

static const rk_reason reason[] = {
    {is_of_letters, 0, RK_OF_MEANING, "with values of letters, or it says what they are"},
    {is_of_other_form, 0, RK_OF_MEANING, "neither a computation and its result nor a conversion"},
};

const rk_reasons rk_reasons_of_form = {reason, sizeof reason / sizeof *reason};
