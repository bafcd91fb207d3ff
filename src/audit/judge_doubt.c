/* SPDX-License-Identifier: MIT */
/*
 * Which differences are mistakes.  A reader who is told once that a right line is wrong does not look at the next one,
 * so that the burden of proof is on "wrong".  It is said of few forms only: numbers that are computed with each other,
 * and the number that comes out; one number in two units; one formula with two coefficients.  All that stands in it,
 * and what stands directly before and after it, was understood; nothing that people leave unwritten explains the
 * difference, and something that people do wrong does.  Each of these conditions is a row of one table; what fails one
 * is doubtful.
 */
#include "audit/judge_parts.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* How far apart two numbers are, in either direction; 0 is the same. */
double rk_pair_distance(const rk_pair *p, const rk_verdict *v)
{
    double x, y;

    if (!rk_side_double(p->a->pool, v->left, &x) || !rk_side_double(p->a->pool, v->right, &y) || x <= 0 || y <= 0)
        return HUGE_VAL;
    return fabs(log(x / y));
}

/* "16.06 GB = 14.96 GiB": a number in two units of one kind, in which a unit is no mere word, and GB is not GiB. */
bool rk_pair_is_conversion(const rk_pair *p)
{
    const rk_side *x = p->x, *y = p->y;

    return x->literal.is && y->literal.is && x->unit && y->unit && x->unit != y->unit &&
           x->unit->kind == y->unit->kind && x->unit->kind != RK_WORD_UNIT_SCALE;
}

/* ---- helpers ----------------------------------------------------------------------------------------------------- */

/* What the right side is of the left one, num/den; false: no plain number. */
static bool ratio_of(const rk_pair *p, rk_i128 *num, rk_i128 *den)
{
    rk_ex left = p->v->left, ratio = RK_EX_FAILED;

    if (left != RK_EX_FAILED && left != rk_ex_int(p->a->pool, 0))
        ratio = rk_ex_div(p->a->pool, p->v->right, left);
    return ratio != RK_EX_FAILED && rk_ex_is_quotient(p->a->pool, ratio, num, den);
}

/* What the right side is of the left one, or the left of the right where that is more; 0: no plain number. */
static double factor_of(const rk_pair *p)
{
    rk_i128 num, den;
    double ratio;

    if (!ratio_of(p, &num, &den) || num <= 0 || den <= 0)
        return 0;
    ratio = (double)num / (double)den;
    return fmax(ratio, 1 / ratio);
}

/* How far off its rounding may make a side, of its size; a whole number may be a rounded one. */
static double loosely(const rk_pair *p, const rk_side *s)
{
    double size, slack = s->literal.is ? fmax(s->slack, s->literal.unit / 2) : s->slack;

    return rk_side_double(p->a->pool, s->value, &size) && size > 0 ? slack / size : 0;
}

/* Whether one side is so many times the other, as far as their digits tell. */
static bool is_off_by(const rk_pair *p, double factor)
{
    const double least = 2e-3, most = 0.08;
    double off = factor_of(p), near = fmin(loosely(p, p->x) + loosely(p, p->y) + least, most);

    return off > 0 && fabs(off / factor - 1) < near;
}

static const rk_audit_token *token_before(const rk_pair *p)
{
    return p->x->from > p->a->lexed.first[p->piece] ? &p->a->lexed.token.at[p->x->from - 1] : NULL;
}

static const rk_audit_token *token_after(const rk_pair *p)
{
    return p->y->to < p->a->lexed.first[p->piece + 1] ? &p->a->lexed.token.at[p->y->to] : NULL;
}

/* Both sides have units, and of one kind: nothing is left to guess about them. */
static bool has_sure_units(const rk_pair *p)
{
    const rk_word_unit *x = p->x->unit, *y = p->y->unit;

    return x && y && x->kind == y->kind && x->kind != RK_WORD_UNIT_SCALE && !p->x->mixed && !p->y->mixed;
}

/* The 10 of × 10¹². */
static bool is_ten(const rk_pair *p, size_t i)
{
    const rk_audit_token *t = p->a->lexed.token.at;

    return p->a->lexed.number.at[t[i].id].digits == 10 && t[i + 1].kind == RK_TOKEN_SIGN && t[i + 1].op == '^';
}

bool rk_pair_tells_size(const rk_pair *p, const rk_side *s)
{
    enum {
        MILLION = 6
    };
    const rk_audit_token *t = p->a->lexed.token.at;

    for (size_t i = s->from; i < s->to; i++) {
        const rk_word_unit *u = NULL;

        /* "7e9 × 2 / 1e9": what it is divided by makes it small. */
        if (t[i].kind != RK_TOKEN_NUMBER || (i > s->from && t[i - 1].kind == RK_TOKEN_SIGN && t[i - 1].op == '/'))
            continue;
        if (p->a->lexed.number.at[t[i].id].exponent >= MILLION ||
            (i + 2 < s->to && is_ten(p, i) && t[i + 2].kind == RK_TOKEN_NUMBER &&
             p->a->lexed.number.at[t[i + 2].id].digits >= MILLION))
            return true;
        if (i + 1 < s->to && (t[i + 1].kind == RK_TOKEN_WORD || t[i + 1].kind == RK_TOKEN_SYMBOL))
            u = rk_lexicon_unit(p->a->lexicon, p->a->scan.text + t[i + 1].at, t[i + 1].n);
        if (u && u->kind != RK_WORD_UNIT_TIME && u->kind != RK_WORD_UNIT_SHARE && (u->power > 0 || u->num > 1))
            return true;
    }
    return false;
}

/* A number in words, or one that stands in the text; 0: neither. */
static double said_number(const rk_pair *p, size_t i)
{
    const rk_audit_token *t = &p->a->lexed.token.at[i];
    const rk_written *w = p->a->lexed.number.at;
    const rk_lexeme *word;

    if (t->kind == RK_TOKEN_NUMBER && !w[t->id].wide)
        return (double)w[t->id].digits * pow(10, w[t->id].exponent);
    if (t->kind != RK_TOKEN_WORD)
        return 0;
    word = rk_lexicon_is(p->a->lexicon, RK_WORDS_NUMBER, p->a->scan.text + t->at, t->n);
    return word ? word->id : 0;
}

static bool is_word(const rk_pair *p, rk_words use, const rk_audit_token *t)
{
    return (t->kind == RK_TOKEN_WORD || (t->kind == RK_TOKEN_SYMBOL && t->mode == RK_MODE_PLAIN)) &&
           rk_lexicon_is(p->a->lexicon, use, p->a->scan.text + t->at, t->n);
}

static bool is_unit(const rk_pair *p, const rk_audit_token *t)
{
    return (t->kind == RK_TOKEN_WORD || t->kind == RK_TOKEN_SYMBOL) &&
           rk_lexicon_unit(p->a->lexicon, p->a->scan.text + t->at, t->n);
}

size_t rk_pair_signs(const rk_pair *p, const rk_side *s, char op)
{
    const rk_audit_token *t = p->a->lexed.token.at;
    size_t n = 0;

    for (size_t i = s->from; i < s->to; i++)
        n += t[i].kind == RK_TOKEN_SIGN && (op == 0 || t[i].op == op);
    return n;
}

/* "4 × b × 593,593 = 2,432,188,416 × b": what b is does not matter. */
static bool is_of_coefficients(const rk_pair *p)
{
    const double rounding = 0.05;
    rk_ex ratio;
    double off;

    if (p->x->n_symbol == 0 || p->y->n_symbol == 0 || p->x->value == RK_EX_FAILED || p->y->value == RK_EX_FAILED ||
        p->x->value == rk_ex_int(p->a->pool, 0))
        return false;
    if (!p->x->digits || !p->y->digits || rk_pair_signs(p, p->x, '+') > 0 || rk_pair_signs(p, p->x, '-') > 0)
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

/* ---- the forms of which it is said ------------------------------------------------------------------------------- */

static bool is_power(double ratio, double near)
{
    enum {
        POWERS = 6
    };

    ratio = ratio < 1 ? 1 / ratio : ratio;
    for (int k = 1; k <= POWERS; k++)
        if (fabs(ratio / pow(1000, k) - 1) < near || fabs(ratio / pow(1024, k) - 1) < near)
            return true;
    return false;
}

/* "6,144 × T", "190Ld²": a number and letters that it is multiplied with. */
static bool is_term(const rk_pair *p, const rk_side *s)
{
    const rk_audit_token *t = p->a->lexed.token.at;

    for (size_t i = s->from + 1; i < s->to; i++)
        if ((t[i].kind == RK_TOKEN_NUMBER && !(t[i - 1].kind == RK_TOKEN_SIGN && t[i - 1].op == '^') &&
             t[i - 1].kind != RK_TOKEN_OPEN && !is_ten(p, i)) ||
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
            !(i + 2 < s->to && t[i].op == '*' && t[i + 1].kind == RK_TOKEN_NUMBER && is_ten(p, i + 1)))
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
    double off = factor_of(p), size;
    rk_i128 found, stated;

    if (!figure->is || off == 0 || !p->x->computed || (p->x->n_symbol == 0 && !has_operands(p, p->x)) ||
        !rk_side_double(p->a->pool, p->v->right, &size) || size / figure->unit < three_digits)
        return false;
    if (off <= 1 + tenth || (off >= thousand / 2 && is_off_by(p, pow(10, round(log10(off))))))
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
    const double units = 3, thousandth = 1e-3;
    const rk_definitions *d = &p->a->definitions;
    double x, y;

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
    return ratio_of(p, &num, &den) && (num == 1 || den == 1) && num * den <= 4;
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
           ratio_of(p, &(rk_i128){0}, &(rk_i128){0});
}

/* Letters have the values that they have elsewhere, or this is where they get one. */
static bool is_of_letters(const rk_pair *p)
{
    if (p->x->n_symbol == 0 && p->y->n_symbol == 0)
        return false;
    return !is_of_coefficients(p) && !is_telling_count(p) && !rk_pair_is_telling_formula(p) && !is_trailing(p);
}

static bool is_bare_scale(const rk_side *s)
{
    return !s->unit || s->unit->kind == RK_WORD_UNIT_SCALE;
}

/* "349,630,365,696 = 3.498 × 10¹¹", "1.48 billion = 1,474,560,000": digits, and how large it is. */
static bool is_sound_scale(const rk_pair *p)
{
    const double near = 0.15, count_least = 1e4, three_digits = 100;
    bool left = p->x->literal.rounded; /* which of both says how large it is */
    const rk_literal *rounded = left ? &p->x->literal : &p->y->literal;
    rk_ex scaled = left ? p->v->left : p->v->right, digits = left ? p->v->right : p->v->left;
    double off = factor_of(p), size, said;
    rk_i128 found, stated;

    if (!is_bare_scale(p->x) || !is_bare_scale(p->y) || p->x->literal.rounded == p->y->literal.rounded ||
        !rk_side_double(p->a->pool, p->v->left, &size) || size < count_least ||
        !rk_side_double(p->a->pool, scaled, &said))
        return false;
    if (off < 1 + near)
        return true;
    if (said / rounded->unit < three_digits)
        return false;
    return is_off_by(p, pow(10, round(log10(off)))) ||
           (in_digits_of(p, digits, rounded, &found) && in_digits_of(p, scaled, rounded, &stated) &&
            rk_judge_misspelt(found, stated));
}

/* "282,956,185,600 bytes ≈ 27 GB": all digits of it leave nothing open. */
static bool is_count_of_bytes(const rk_pair *p)
{
    const double count_least = 1e7;
    double size;

    return rk_pair_is_conversion(p) && p->x->unit->kind == RK_WORD_UNIT_BYTES && p->x->unit->power == 0 &&
           p->x->unit->num == p->x->unit->den && !p->x->literal.rounded && !p->x->rate && !p->y->rate && !p->x->per &&
           !p->y->per && rk_side_double(p->a->pool, p->x->value, &size) && size >= count_least &&
           size / p->x->literal.coarse >= count_least;
}

/* "2.127B (2.127亿)": the same digits, said again with another scale. */
static bool is_restated(const rk_pair *p)
{
    return p->y->again && p->x->literal.is && rk_side_same_digits(&p->a->reader, p->x, p->y);
}

/* A number in two units, about the same, or off by what people forget: a thousand, or another power of ten. */
static bool is_sound_conversion(const rk_pair *p)
{
    const double near = 2.2; /* half of it, and GB for GiB */
    double off = factor_of(p);

    return is_sound_scale(p) || is_count_of_bytes(p) || is_restated(p) ||
           (rk_pair_is_conversion(p) && !p->x->timed == !p->y->timed && p->x->rate == p->y->rate &&
            p->x->per == p->y->per &&
            (off < near || (!p->x->timed && (is_power(off, 0.02) || is_off_by(p, pow(10, round(log10(off))))))));
}

bool rk_pair_is_step(const rk_pair *p)
{
    enum {
        SHARED_LEAST = 2
    };
    const double tenth = 0.12, count_least = 1e4;
    const rk_audit_token *t = p->a->lexed.token.at;
    const rk_written *w = p->a->lexed.number.at;
    size_t shared = 0;
    rk_i128 x, y;

    if (!p->x->computed || !p->y->computed || p->x->literal.is || p->y->literal.is || p->x->slack + p->y->slack > 0 ||
        p->x->n_symbol + p->y->n_symbol > 0 || p->x->unit || p->y->unit || p->y->about ||
        !rk_ex_is_int(p->a->pool, p->x->value, &x) || !rk_ex_is_int(p->a->pool, p->y->value, &y) ||
        (double)x < count_least || (double)y < count_least ||
        fmax((double)x / (double)y, (double)y / (double)x) > 1 + tenth)
        return false;
    for (size_t i = p->y->from; i < p->y->to; i++) {
        bool is = false;

        for (size_t k = p->x->from; k < p->x->to && t[i].kind == RK_TOKEN_NUMBER && !is; k++)
            is = t[k].kind == RK_TOKEN_NUMBER && w[t[k].id].digits == w[t[i].id].digits;
        shared += is;
        /* "48 × 69,625 ≈ 48 × 69,600" is rounded */
        if (t[i].kind == RK_TOKEN_NUMBER && !is && w[t[i].id].digits % 100 == 0)
            return false;
    }
    return shared >= SHARED_LEAST;
}

/* Neither a computation and its result, nor a conversion, nor two coefficients of one formula. */
static bool is_of_other_form(const rk_pair *p)
{
    if (p->x->n_symbol > 0 && p->y->n_symbol > 0)
        return !is_term(p, p->y) || has_square_bracket(p);
    if (rk_pair_is_step(p))
        return has_square_bracket(p);
    if ((!p->y->literal.is && !is_trailing(p)) || has_square_bracket(p))
        return true;
    if (p->x->literal.is)
        return !is_sound_conversion(p);
    return !p->x->computed || (p->x->n_symbol == 0 && !has_operands(p, p->x));
}

/* ---- what stands in it, before it and after it ------------------------------------------------------------------- */

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

/* "50 languages × 500 MB": what stands between a number and a sign is what there are so many of. */
static bool is_counted(const rk_side *s, const rk_audit_token *t, size_t i)
{
    enum {
        LETTERS_LEAST = 3
    };

    return i > s->from && i + 1 < s->to && t[i].n >= LETTERS_LEAST && t[i - 1].kind == RK_TOKEN_NUMBER &&
           t[i + 1].kind == RK_TOKEN_SIGN && (t[i + 1].op == '*' || t[i + 1].op == '/');
}

/* A word that is neither a unit, nor a thing that is counted, nor letters of a product, which stand after a number. */
static bool has_unknown_word(const rk_pair *p, const rk_side *s)
{
    const rk_audit_token *t = p->a->lexed.token.at;

    for (size_t i = s->from; i < s->to; i++) {
        size_t after = i > s->from && s->n_symbol == 0 ? after_remark(p, i, s->to) : 0;

        if (after > 0)
            i = after - 1;
        else if (t[i].kind == RK_TOKEN_WORD && !(s->n_symbol > 0 && !t[i].space) && !is_per(s, t, i) &&
                 !is_counted(s, t, i) && !is_unit(p, &t[i]) && !is_word(p, RK_WORDS_THING, &t[i]) &&
                 !is_word(p, RK_WORDS_FUNCTION, &t[i]))
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

/*
 * Directly before it stands the begin of a line, of a formula or of a column, punctuation, a relation, a bracket, or a
 * word after which something begins; all else may be a part of it.
 */
static bool begins_inside(const rk_pair *p)
{
    const rk_audit_token *t = token_before(p), *first = &p->a->lexed.token.at[p->a->lexed.first[p->piece]];
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
        if (is_word(p, RK_WORDS_JOINS, t))
            return true;
        return !is_word(p, RK_WORDS_IS, t) && !is_word(p, RK_WORDS_OPENS, t) && t->span == t[1].span &&
               !(text[t[1].at - 1] == ' ' && text[t[1].at - 2] == ' ');
    default:
        return true;
    }
}

/* Where the line begins in which it does. */
static uint32_t line_begin(const rk_pair *p)
{
    uint32_t at = p->a->lexed.token.at[p->x->from].at;

    return p->a->scan.line.at[rk_scan_line(&p->a->scan, at) - 1];
}

/* An arrow in the line before it. */
static bool has_arrow_before(const rk_pair *p)
{
    static const char *const arrow[] = {"\xE2\x86\x92", "->", "\xE2\x9F\xB6"};
    uint32_t to = p->a->lexed.token.at[p->x->from].at, from = line_begin(p);

    for (size_t i = 0; i < sizeof arrow / sizeof *arrow; i++)
        if (memmem(p->a->scan.text + from, to - from, arrow[i], strlen(arrow[i])))
            return true;
    return false;
}

/* Whether what stands after it may belong to it, or the text was cut there. */
static bool ends_inside(const rk_pair *p)
{
    const rk_audit_token *t = token_after(p), *last = &p->a->lexed.token.at[p->a->lexed.first[p->piece + 1] - 1];
    bool figure = t && t < last && t[1].kind == RK_TOKEN_NUMBER;

    if (!t)
        return p->y->to == p->a->lexed.token.n && p->a->lexed.skipped > 0;
    switch (t->kind) {
    case RK_TOKEN_EQUALS: /* "a → b = 3 → 4" */
        return t->op == '>' && has_arrow_before(p);
    case RK_TOKEN_BREAK:
        return false;
    case RK_TOKEN_COMMA: /* "= 40, 960, 000", "= 6,476,?" */
        return (figure && t[1].n == 3) || (t < last && !t[1].space && t[1].op != '\n');
    case RK_TOKEN_CLOSE: /* "(32 × 80 ≈ 6.1) GiB" */
        return t < last && (t[1].kind == RK_TOKEN_SIGN || t[1].kind == RK_TOKEN_NUMBER ||
                            t[1].kind == RK_TOKEN_SYMBOL || is_unit(p, &t[1]));
    case RK_TOKEN_OPEN:
        return t->op != '(' || (!t->space && t->n == 1);
    case RK_TOKEN_WORD:
    case RK_TOKEN_SYMBOL:
        return t->span == t[-1].span && !is_word(p, RK_WORDS_THING, t) && !is_word(p, RK_WORDS_LABEL_END, t) &&
               !is_word(p, RK_WORDS_IS, t);
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
    while (i < s->to && t[i].kind != RK_TOKEN_SIGN)
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

/* ---- what people leave unwritten --------------------------------------------------------------------------------- */

/* "three matrices of 10 × 5 = 150", "8 cards at 989 × 0.4 = 3,163": a number before it says what it leaves out. */
static bool is_said_before(const rk_pair *p)
{
    enum {
        BACK_MAX = 48,
        NEAR_MAX = 16,
        LARGE = 12 /* factors that small numbers nearby do not explain by chance */
    };
    const rk_audit_token *t = p->a->lexed.token.at;
    size_t first = p->a->lexed.first[p->piece], from = p->first->from;
    bool same = true; /* the sentence, as far as it is one */

    if (factor_of(p) < 1.5)
        return false;
    for (size_t i = from; i > first && i + BACK_MAX > from; i--) {
        const rk_audit_token *b = &t[i - 1];
        double n = said_number(p, i - 1);
        bool counts = b->kind == RK_TOKEN_WORD || ((t[i].kind == RK_TOKEN_WORD || t[i].kind == RK_TOKEN_SYMBOL) &&
                                                   (i - 1 == first || b[-1].kind != RK_TOKEN_SIGN));

        same &= b->kind != RK_TOKEN_EQUALS && (b->kind != RK_TOKEN_BREAK || b->op == ':') && i + NEAR_MAX > from;
        if (n > 1 && (n > LARGE || (same && counts)) && is_off_by(p, n))
            return true;
    }
    return false;
}

/* "16×16 = 4 tiles of 8×8": what stands after it makes up for the rest. */
static bool is_said_after(const rk_pair *p)
{
    const rk_audit_token *t = p->a->lexed.token.at;
    size_t i = p->y->to, end = p->a->lexed.first[p->piece + 1];
    rk_side after;
    rk_i128 num, den, n;

    for (size_t words = 0; i < end && words < 4 && t[i].kind == RK_TOKEN_WORD; words++)
        i++;
    return i > p->y->to && i < end && t[i].kind == RK_TOKEN_NUMBER && ratio_of(p, &num, &den) &&
           rk_side_read(&p->a->reader, i, end, (rk_side_reading){0}, &after) && after.value != RK_EX_FAILED &&
           rk_ex_is_int(p->a->pool, after.value, &n) && (n == num || n == den);
}

/* "T² / 2T", "a / (3 × b) × 2": whether all that follows the stroke divides is not said. */
static bool divides_by_more(const rk_pair *p)
{
    const rk_audit_token *t = p->a->lexed.token.at;

    for (size_t i = p->x->from; i + 2 < p->y->to; i++) {
        size_t close = i + 1;
        double by = 1;

        if (t[i].kind != RK_TOKEN_SIGN || t[i].op != '/')
            continue;
        for (int depth = t[close].kind == RK_TOKEN_OPEN && t[close].op == '('; depth > 0 && close < p->y->to;)
            if (++close < p->y->to)
                depth += t[close].kind == RK_TOKEN_OPEN ? 1 : t[close].kind == RK_TOKEN_CLOSE ? -1 : 0;
        if (close > i + 1 && close + 1 < p->y->to && t[close + 1].kind == RK_TOKEN_SIGN && t[close + 1].op == '*')
            return true;
        if (t[i + 1].kind != RK_TOKEN_NUMBER)
            continue;
        if (t[i + 2].kind == RK_TOKEN_SYMBOL)
            return true;
        /* a/b × c would be a/(b × c), which is c² times less. */
        for (size_t k = i + 2; k + 1 < p->x->to && t[k].kind == RK_TOKEN_SIGN && t[k].op == '*' && !is_ten(p, k + 1);
             k += 2) {
            by *= said_number(p, k + 1);
            if (by > 1 && is_off_by(p, by * by))
                return true;
        }
    }
    return false;
}

/* "10 μs / 15 μs = 40 %": one unit divided by itself is none. */
static bool is_quotient_of_one(const rk_pair *p)
{
    const rk_audit_token *t = &p->a->lexed.token.at[p->x->from];

    return p->x->to == p->x->from + 5 && t[0].kind == RK_TOKEN_NUMBER && t[2].kind == RK_TOKEN_SIGN && t[2].op == '/' &&
           t[3].kind == RK_TOKEN_NUMBER && is_unit(p, &t[1]) && t[1].n == t[4].n &&
           memcmp(p->a->scan.text + t[1].at, p->a->scan.text + t[4].at, t[1].n) == 0;
}

/* "109.2 / 1,000 ≈ 6.6 minutes" was hours on the left; and bits are counted in eights. */
static bool is_other_unit(const rk_pair *p)
{
    const rk_audit_token *after = token_after(p);
    size_t end = p->a->lexed.first[p->piece + 1];
    /* "1.48 billion = 1,474,560,000" leaves no unit open. */
    bool scales = (!p->x->unit || p->x->unit->kind == RK_WORD_UNIT_SCALE) &&
                  (!p->y->unit || p->y->unit->kind == RK_WORD_UNIT_SCALE);

    if (rk_audit_says(p->a, RK_WORDS_BITS, p->x->from, p->y->to < end ? p->y->to + 1 : end))
        return true;
    /* "2 × 8 bytes = 32 fp4 numbers" */
    if (p->x->unit && p->x->unit->kind != RK_WORD_UNIT_SCALE && !p->y->unit && after &&
        (after->kind == RK_TOKEN_WORD || after->kind == RK_TOKEN_SYMBOL))
        return true;
    if (p->x->rate != p->y->rate && (p->x->rate ? p->x->rate->num : 1) != (p->y->rate ? p->y->rate->num : 1))
        return true;
    /* "39 ms = 25.6 tokens/s": neither is a form of the other. */
    if (p->x->literal.is && p->y->literal.is && (p->x->unit || p->y->unit) && !has_sure_units(p) && !is_restated(p) &&
        ((!scales && (!p->x->unit || !p->y->unit)) || rk_pair_distance(p, p->v) > log(1.5)))
        return true;
    if (is_quotient_of_one(p))
        return false;
    if (p->x->unit && p->y->unit && p->x->unit->kind != p->y->unit->kind && p->x->unit->kind != RK_WORD_UNIT_SCALE &&
        p->y->unit->kind != RK_WORD_UNIT_SCALE)
        return true; /* "160 × 1.5 / 25 GB/s ≈ 10.9 ms": of what is divided it is not said */
    /* No unit of time is as little as half or twice another. */
    return p->x->timed != p->y->timed && rk_pair_distance(p, p->v) > log(2);
}

/*
 * Sides a power of 1,000 or of 1,024 apart, and nothing says of one of them in which unit it is: "2 × 997 = 1.99 GB",
 * "0.03 + 0.75 = 0.78 ms".  Whole numbers multiplied with each other, and a result of which all digits before the point
 * are written, leave nothing open; nor does a result in GB that is less than they are, whatever their unit.
 */
static bool is_scaled(const rk_pair *p)
{
    const double most = 0.05;
    double near = fmin(2 * (loosely(p, p->x) + loosely(p, p->y)) + 1e-3, most), off = factor_of(p), x, y;
    bool written = p->x->slack == 0 && !p->x->unit && (!p->y->unit || p->y->unit->power == 0) && !p->y->timed &&
                   p->y->literal.unit >= 1 && rk_pair_signs(p, p->x, '/') == 0;
    /* In bytes, not in GB: "256 * 16 = 4 TB" is of 16 GB each. */
    bool less = p->x->slack == 0 && !p->x->unit && p->y->unit && p->y->unit->power > 0 &&
                rk_side_double(p->a->pool, p->x->value, &x) && rk_side_double(p->a->pool, p->y->value, &y) &&
                (p->v->as_left ? y * pow(1000, p->y->unit->power) : y) < x;
    /* "6 × 6.7e9 ≈ 40.2 TFLOPs": both say how large they are. */
    bool told = rk_pair_signs(p, p->x, '/') == 0 && rk_pair_signs(p, p->x, '*') > 0 && rk_pair_tells_size(p, p->x) &&
                rk_pair_tells_size(p, p->y);
    /* "4 × 2048 × 2304 × 6144 ≈ 115.8 TFLOPs": no size is a thousand of something. */
    bool counted = p->x->slack == 0 && !p->x->unit && p->y->unit && p->y->unit->kind == RK_WORD_UNIT_FLOPS &&
                   rk_pair_signs(p, p->x, '*') >= 3 && rk_pair_signs(p, p->x, '*') == rk_pair_signs(p, p->x, 0);

    return !less && !has_sure_units(p) && !written && !told && !counted && !is_restated(p) &&
           (is_power(off, near) || is_power(2 * off, near) || is_power(off / 2, near));
}

/* "a × b × 2", "2 × 80 × 64 × 128 × 2 (fp16)": one of these is bytes for each number. */
static bool has_bytes_factor(const rk_pair *p)
{
    const rk_audit_token *t = p->a->lexed.token.at;
    size_t twos = 0, last = p->x->from;

    for (size_t i = p->x->from; i < p->x->to; i++) {
        double n = t[i].kind == RK_TOKEN_NUMBER ? said_number(p, i) : 0;

        last = n > 0 && !(t[i - (i > 0)].kind == RK_TOKEN_SIGN && t[i - (i > 0)].op == '^') ? i : last;
        twos += (n == 2 || n == 4) && last == i;
    }
    if (said_number(p, last) != 2 && said_number(p, last) != 4)
        return rk_pair_signs(p, p->x, '*') > 2 && twos > 1;
    return rk_pair_signs(p, p->x, '*') > 1;
}

/* "3,712 × 1 = 15 KB": how many bytes each of the numbers takes is not written; and G may be of bits. */
static bool is_in_bytes(const rk_pair *p)
{
    double near = loosely(p, p->x) + loosely(p, p->y) + 5e-3, x, y, binary = 1;
    rk_i128 num, den;

    if ((p->x->unit && p->x->unit->kind != RK_WORD_UNIT_SCALE) || !p->y->unit || p->y->unit->kind != RK_WORD_UNIT_BYTES)
        return false;
    if (p->x->n_symbol > 0)
        return ratio_of(p, &num, &den) && den == 1 && (num == 2 || num == 4 || num == 8);
    if (has_bytes_factor(p))
        return false;
    if (!rk_side_double(p->a->pool, p->x->value, &x) || !rk_side_double(p->a->pool, p->y->value, &y) || x <= 0)
        return false;
    for (int i = 0; i < p->y->unit->power && !p->y->unit->binary; i++)
        binary *= 1.024;
    for (int bytes = 2; bytes <= 16; bytes *= 2)
        if (fabs(y / x / bytes - 1) < near || fabs(y * binary / x / bytes - 1) < near)
            return true;
    return fabs(8 * y / x - 1) < near;
}

/* "4.8 / 3.35 ≈ 43 %": by so much it is more, or less. */
static bool is_change(const rk_pair *p)
{
    const double hundredth = 0.01;
    double x, y;

    return rk_side_double(p->a->pool, p->v->left, &x) && rk_side_double(p->a->pool, p->v->right, &y) &&
           fabs(fabs(x - 1) - y) < hundredth;
}

/* What is stated is more than what comes out: something that makes it more may not be written. */
static bool is_more(const rk_pair *p)
{
    double found, stated;

    return rk_side_double(p->a->pool, p->v->left, &found) && rk_side_double(p->a->pool, p->v->right, &stated) &&
           stated > found;
}

/* "400 / 989 = 0.40 %" has the sign, and is a hundredth of it; "0.5 × 0.5 × 100 = 25 %" has it worked out. */
static bool is_hundredth(const rk_pair *p)
{
    const rk_audit_token *t = p->a->lexed.token.at;

    for (size_t i = p->x->from; i < p->x->to; i++)
        if (t[i].kind == RK_TOKEN_NUMBER && said_number(p, i) == 100)
            return false;
    return p->y->unit && !p->x->unit && !is_more(p);
}

/* Factors that people leave unwritten, and where: per cent, seconds of a longer time, a MAC's two operations. */
static bool is_usual_factor(const rk_pair *p)
{
    static const double periods[] = {60, 3600, 24, 1440, 86400, 7, 30, 30.44, 365, 365.25, 12, 52};
    const rk_audit_token *after = token_after(p);
    bool word = after && (after->kind == RK_TOKEN_WORD || after->kind == RK_TOKEN_SYMBOL);
    bool share = (p->x->unit && p->x->unit->kind == RK_WORD_UNIT_SHARE) ||
                 (p->y->unit && p->y->unit->kind == RK_WORD_UNIT_SHARE);
    bool timed = p->x->timed || p->y->timed || p->x->rate || p->y->rate;

    if (is_off_by(p, 100) && (share || !p->y->unit) && !is_hundredth(p))
        return true;
    if (share && is_change(p))
        return true;
    for (size_t i = 0; i < sizeof periods / sizeof *periods && (timed || (word && !p->y->unit)); i++)
        if (is_off_by(p, periods[i]) && p->x->slack + p->y->slack + (timed ? 1 : 0) > 0)
            return true;
    return !p->x->unit && p->y->unit && p->y->unit->kind == RK_WORD_UNIT_FLOPS && is_more(p) &&
           (is_off_by(p, 2) || is_off_by(p, 3) || is_off_by(p, 6));
}

/* "114,688 bytes ≈ 0.112 MB": divided by 1,024 once, and by 1,000 once. */
static bool is_of_mixed_powers(const rk_pair *p)
{
    const rk_word_unit *u = p->y->unit ? p->y->unit : p->x->unit; /* "68.4 GB / 40,960 bytes = 1,750,000" */
    bool mixed = u && !p->x->literal.is && p->x->unit && p->x->unit->kind == u->kind && p->x->unit->binary != u->binary;
    double x, y, near = loosely(p, p->x) + loosely(p, p->y) + 1e-4;

    if (!u || u->kind != RK_WORD_UNIT_BYTES || (u->binary && !mixed) || !rk_side_double(p->a->pool, p->x->value, &x) ||
        !rk_side_double(p->a->pool, p->y->value, &y) || x <= 0 || y <= 0)
        return false;
    for (int k = 1; k < u->power || (!p->y->unit && k < 4); k++)
        if (fabs(x / y / pow(1.024, k) - 1) < near || (!p->y->unit && fabs(y / x / pow(1.024, k) - 1) < near))
            return true;
    /* "32 × 4096 × 320 KB = 43 GB": KB were powers of 1,024, and GB powers of 1,000. */
    if (!p->x->literal.is && p->x->unit && p->y->unit && p->x->unit->kind == u->kind && p->x->unit != u &&
        (fabs(y / x / pow(1.024, p->x->unit->power) - 1) < near || fabs(x / y / pow(1.024, u->power) - 1) < near))
        return true;
    /* "53 GiB / 414,720 ≈ 128 KB": GiB were meant as GB, or the other way round. */
    for (int k = 1; mixed && k <= 4; k++)
        if (fabs(x / y / pow(1.024, k) - 1) < near || fabs(y / x / pow(1.024, k) - 1) < near)
            return true;
    return false;
}

/* "25 × (1000 ÷ 32) = 775": 31 steps of an epoch, and no 31.25.  A quotient alone is the result. */
static bool is_rounded_inside(const rk_pair *p)
{
    const rk_audit_token *t = p->a->lexed.token.at;
    double off = rk_pair_signs(p, p->x, 0) > 1 ? factor_of(p) : 0;

    for (size_t i = p->x->from; i + 2 < p->x->to && off > 0; i++) {
        double a = said_number(p, i), b = said_number(p, i + 2), q;

        if (t[i + 1].kind != RK_TOKEN_SIGN || t[i + 1].op != '/' || a <= 0 || b <= 0)
            continue;
        q = a / b;
        if (q > 1 && q != floor(q) && off <= (floor(q) + 1) / floor(q) &&
            (is_off_by(p, q / floor(q)) || is_off_by(p, ceil(q) / q) || is_off_by(p, round(q) / q)))
            return true;
    }
    return false;
}

/* How far off "8k × 4.5e14" may be as its 8k was rounded: whole numbers before a scale, of their size. */
static double scale_rounding(const rk_pair *p)
{
    const rk_audit_token *t = p->a->lexed.token.at;
    double off = 0;

    for (size_t i = p->x->from; i + 1 < p->x->to; i++) {
        const rk_word_unit *u = NULL;

        if (t[i].kind == RK_TOKEN_NUMBER && !p->a->lexed.number.at[t[i].id].decimal &&
            (t[i + 1].kind == RK_TOKEN_WORD || t[i + 1].kind == RK_TOKEN_SYMBOL))
            u = rk_lexicon_unit(p->a->lexicon, p->a->scan.text + t[i + 1].at, t[i + 1].n);
        if (u && u->kind == RK_WORD_UNIT_SCALE && said_number(p, i) > 0)
            off += 0.5 / said_number(p, i);
    }
    return off;
}

/* "≈ 47" for 44.9: two digits that do not claim to be exact; "4 × ~100 × 2 = 770". */
static bool is_said_roughly(const rk_pair *p)
{
    const double tenth = 0.1, fifth = 0.2, digits_few = 100;
    const rk_literal *said = p->y->literal.is ? &p->y->literal : &p->x->literal;
    const rk_audit_token *t = p->a->lexed.token.at;
    double size;

    for (size_t i = p->x->from; i < p->x->to && factor_of(p) <= 1 + fifth; i++)
        if (t[i].kind == RK_TOKEN_NUMBER && t[i].about)
            return true;
    if (factor_of(p) <= 1 + scale_rounding(p))
        return true;
    return said->is && (said->about || p->y->about) && factor_of(p) <= 1 + tenth &&
           rk_side_double(p->a->pool, p->y->literal.is ? p->y->value : p->x->value, &size) &&
           size / said->coarse < digits_few;
}

/* "1e3 TFLOPS = 1e3 GFLOPS = 1e3 MFLOPS": a thousand of each is one of the next. */
static bool is_ladder(const rk_pair *p)
{
    const rk_audit_token *t = p->a->lexed.token.at;
    const rk_written *n = p->a->lexed.number.at;
    size_t i = p->x->from, k = p->y->from;

    return rk_pair_is_conversion(p) && !p->y->again && rk_pair_signs(p, p->x, 0) + rk_pair_signs(p, p->y, 0) == 0 &&
           t[i].kind == RK_TOKEN_NUMBER && t[k].kind == RK_TOKEN_NUMBER && p->x->unit->power != p->y->unit->power &&
           n[t[i].id].digits == n[t[k].id].digits && n[t[i].id].exponent == n[t[k].id].exponent;
}

bool rk_pair_assigns(const rk_pair *p)
{
    return p->a->scan.piece.at[p->piece].program && !p->a->lexed.token.at[p->x->from].remark;
}

static bool is_in_program(const rk_pair *p)
{
    return rk_pair_assigns(p) && (p->x->n_symbol > 0 || p->y->n_symbol > 0 || p->x->literal.is);
}

/*
 * One side has a unit, and the other numbers with decimals: of these no one knows in which unit they are.  "64 heads
 * × 80 layers = 640 GiB": so much for each of them is not written.
 */
static bool is_without_unit(const rk_pair *p)
{
    const double near = 2;

    if (p->v->as_left && !p->x->unit && p->y->unit && p->y->unit->power > 0 && rk_pair_signs(p, p->x, '*') > 0 &&
        rk_audit_says(p->a, RK_WORDS_THING, p->x->from, p->x->to))
        return true;

    /* "19.5 × 10¹² × 0.5 = 3.75 × 10¹² FLOP/s" says on both sides how large it is. */
    return !p->x->unit && p->x->slack > 0 && p->y->unit && p->y->unit->kind != RK_WORD_UNIT_SCALE &&
           p->y->unit->kind != RK_WORD_UNIT_SHARE && factor_of(p) > near &&
           !(rk_pair_tells_size(p, p->x) && rk_pair_tells_size(p, p->y));
}

/* Whole numbers alone, and powers of ten that are written as 1e9. */
static bool is_of_whole_numbers(const rk_pair *p)
{
    const rk_audit_token *t = p->a->lexed.token.at;
    const rk_written *w = p->a->lexed.number.at;

    for (size_t i = p->x->from; i < p->x->to; i++)
        if (t[i].kind == RK_TOKEN_NUMBER && w[t[i].id].decimal && w[t[i].id].digits != 1)
            return false;
    return p->x->n_symbol == 0;
}

/*
 * "2 × 40 × 40 × 128 × 4096 × 2 / 1024^3 ≈ 15.6 GB": all factors and the unit are worked out, nothing is left open; and
 * so it is where there are six factors.
 */
static bool is_in_unit_by_hand(const rk_pair *p)
{
    enum {
        SIGNS_LEAST = 4,
        SIGNS_MANY = 5
    };
    const double off_most = 20;
    const rk_audit_token *t = p->a->lexed.token.at;
    size_t signs = rk_pair_signs(p, p->x, '*'), strokes = rk_pair_signs(p, p->x, '/');

    if (signs < SIGNS_LEAST || !is_of_whole_numbers(p))
        return false;
    if (signs + strokes >= SIGNS_MANY && signs + strokes == rk_pair_signs(p, p->x, 0) && factor_of(p) < off_most)
        return true;
    for (size_t i = p->x->from; i + 1 < p->x->to; i++)
        if (t[i].kind == RK_TOKEN_SIGN && t[i].op == '/' && t[i + 1].kind == RK_TOKEN_NUMBER &&
            (said_number(p, i + 1) == 1024 || said_number(p, i + 1) == 1e9 || is_ten(p, i + 1)))
            return true;
    return false;
}

/*
 * What people do: a digit or a term is wrong, which is not much; a point is in the wrong place; a factor of 2 or 3, or
 * one that stands there, is left out or taken twice.  What is off by anything else is of something else.
 */
static bool is_unexplained(const rk_pair *p)
{
    const double near = 2.2;      /* twice, and GB for GiB */
    const double slip_most = 2e6; /* a million, which someone has left out */
    const rk_audit_token *t = p->a->lexed.token.at;
    double off = factor_of(p);
    rk_i128 x, y;

    if (off == 0)
        return true;
    if (off < near || is_count_of_bytes(p) || rk_pair_is_telling(p) ||
        (rk_ex_is_int(p->a->pool, p->v->left, &x) && rk_ex_is_int(p->a->pool, p->v->right, &y) &&
         rk_judge_misspelt(x, y)) ||
        is_off_by(p, 3) ||
        (off < slip_most && (is_off_by(p, pow(2, round(log2(off)))) || is_off_by(p, pow(10, round(log10(off)))))))
        return false;
    for (size_t i = p->x->from; i < p->x->to; i++)
        if (t[i].kind == RK_TOKEN_NUMBER && said_number(p, i) > 1 && is_off_by(p, said_number(p, i)))
            return false;
    return !is_in_unit_by_hand(p);
}

/* "6 / 2 = 4  ✗", "wrong sums, as 2 + 2 = 5": the text says itself that it is wrong. */
static bool is_denied(const rk_pair *p)
{
    const char *text = p->a->scan.text;
    const rk_audit_token *last = &p->a->lexed.token.at[p->y->to - 1];
    uint32_t at = p->a->lexed.token.at[p->x->from].at, from = line_begin(p), end = last->at + last->n, to = end;

    while (to < p->a->scan.n && text[to] != '\n')
        to++;
    return rk_lexicon_in(p->a->lexicon, RK_WORDS_DENIED, text + from, at - from) ||
           rk_lexicon_in(p->a->lexicon, RK_WORDS_DENIED, text + end, to - end);
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

/*
 * Conditions of which none may hold, and of which the first that does is named: a test, or what one of the sides is.
 * Those of how it was read do not count where the result is telling: it was read as it was meant.
 */
#define EITHER(what) NULL, offsetof(rk_side, what)
static const struct reason {
    bool (*is)(const rk_pair *p);
    size_t either; /* a bool of a side */
    enum {
        OF_MEANING, /* something else may be meant */
        OF_READING  /* it may have been cut out of the text at the wrong place */
    } is_of;
    const char *words;
} reasons[] = {
    {EITHER(shape), OF_MEANING, "a list in brackets"},
    {EITHER(maybe_two), OF_READING, "perhaps two numbers with a comma between them"},
    {EITHER(range), OF_MEANING, "perhaps a range"},
    {is_span, 0, OF_MEANING, "perhaps a range"},
    {EITHER(labelled), OF_READING, "numbers of different things"},
    {EITHER(name), OF_MEANING, "perhaps a name"},
    {EITHER(call), OF_MEANING, "perhaps a function"},
    {EITHER(mixed), OF_MEANING, "perhaps in a unit that is not written"},
    {is_of_letters, 0, OF_MEANING, "with values of letters, or it says what they are"},
    {begins_before, 0, OF_MEANING, "perhaps it begins on the line before"},
    {begins_inside, 0, OF_READING, "perhaps the end of something in words"},
    {is_below, 0, OF_READING, "perhaps of another part of the line before"},
    {ends_inside, 0, OF_READING, "perhaps it goes on after that"},
    {is_glued, 0, OF_READING, "perhaps it ends with its line"},
    {is_of_other_form, 0, OF_MEANING, "neither a computation and its result nor a conversion"},
    {is_of_unknown_words, 0, OF_READING, "words in it that are not understood"},
    {is_denied, 0, OF_MEANING, "the text says itself that it is wrong"},
    {is_in_program, 0, OF_MEANING, "in a program, which assigns where people state"},
    {divides_by_more, 0, OF_MEANING, "perhaps divided by all that follows the stroke"},
    {is_scaled, 0, OF_MEANING, "perhaps in a unit that is not written"},
    {is_without_unit, 0, OF_MEANING, "of numbers whose unit is not written"},
    {is_in_bytes, 0, OF_MEANING, "perhaps with bytes for each that are not written, or in bits"},
    {is_other_unit, 0, OF_MEANING, "perhaps in another unit of time, or in bits"},
    {is_of_mixed_powers, 0, OF_MEANING, "perhaps with powers of 1,000 and of 1,024 mixed"},
    {is_usual_factor, 0, OF_MEANING,
     "perhaps with something that is not written: per cent, a change, a time, two operations of a MAC"},
    {is_ladder, 0, OF_MEANING, "numbers of different things"},
    {is_said_before, 0, OF_MEANING, "a factor may stand in the words before it"},
    {is_said_after, 0, OF_MEANING, "a factor may stand in the words after it"},
    {is_rounded_inside, 0, OF_MEANING, "perhaps rounded on the way"},
    {is_said_roughly, 0, OF_MEANING, "about right"},
    {is_unexplained, 0, OF_MEANING, "so far off that it may be of something else"},
};

static const char *first_reason(const rk_pair *p)
{
    const char *x = (const char *)p->x, *y = (const char *)p->y;
    bool telling = rk_pair_is_telling(p) || rk_pair_is_step(p);

    for (const struct reason *r = reasons; r < reasons + sizeof reasons / sizeof *reasons; r++)
        if (!(telling && r->is_of == OF_READING) &&
            (r->is ? r->is(p) : *(const bool *)(x + r->either) || *(const bool *)(y + r->either)))
            return r->words;
    return NULL;
}

const char *rk_pair_doubt(const rk_pair *as_read)
{
    const rk_verdict *v = as_read->v;
    rk_pair as_judged = *as_read;

    if (v->as_left) { /* in another reading */
        as_judged.first = as_read->x == as_read->first ? v->as_left : as_read->first;
        as_judged.x = v->as_left;
        as_judged.y = v->as_right;
    }
    return first_reason(&as_judged);
}
