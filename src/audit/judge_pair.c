/* SPDX-License-Identifier: MIT */
/* What is asked of two neighbours of a chain wherever they are looked at. */
#include "audit/judge_parts.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* How far apart two numbers are, in either direction; 0 is the same. */
rk_pair rk_pair_of(rk_audit *a, size_t piece, const rk_side *first, const rk_side *x, const rk_side *y, size_t from)
{
    return (rk_pair){
        .a = a, .first = first, .x = x, .y = y, .piece = piece, .scope = a->scan.piece.at[piece].scope, .from = from};
}

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

bool rk_pair_is_of_two_rates(const rk_pair *p)
{
    const rk_side *x = p->x, *y = p->y;
    rk_word_unit_kind u = x->unit ? x->unit->kind : RK_WORD_UNIT_SCALE,
                      v = y->unit ? y->unit->kind : RK_WORD_UNIT_SCALE;

    return p->v && p->v->as_left && x->literal.is && y->literal.is && x->rate && y->rate && x->rate != y->rate &&
           !x->timed && !y->timed && u == v;
}

/* What the right side is of the left one, num/den; false: no plain number. */
bool rk_pair_ratio(const rk_pair *p, rk_i128 *num, rk_i128 *den)
{
    rk_ex left = p->v->left, ratio = RK_EX_FAILED;

    if (left != RK_EX_FAILED && left != rk_ex_int(p->a->pool, 0))
        ratio = rk_ex_div(p->a->pool, p->v->right, left);
    return ratio != RK_EX_FAILED && rk_ex_is_quotient(p->a->pool, ratio, num, den);
}

/* What the right side is of the left one, or the left of the right where that is more; 0: no plain number. */
double rk_pair_factor(const rk_pair *p)
{
    rk_i128 num, den;
    double ratio;

    if (!rk_pair_ratio(p, &num, &den) || num <= 0 || den <= 0)
        return 0;
    ratio = (double)num / (double)den;
    return fmax(ratio, 1 / ratio);
}

/* How far off its rounding may make a side, of its size; a whole number may be a rounded one. */
double rk_pair_loosely(const rk_pair *p, const rk_side *s)
{
    double size, slack = s->literal.is ? fmax(s->slack, s->literal.unit / 2) : s->slack;

    return rk_side_double(p->a->pool, s->value, &size) && size > 0 ? slack / size : 0;
}

/* Whether one side is so many times the other, as far as their digits tell. */
bool rk_pair_is_off_by(const rk_pair *p, double factor)
{
    const double least = 2e-3, most = 0.08;
    double off = rk_pair_factor(p), near = fmin(rk_pair_loosely(p, p->x) + rk_pair_loosely(p, p->y) + least, most);

    return off > 0 && fabs(off / factor - 1) < near;
}

bool rk_ratio_is_power(double ratio, double near)
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

const rk_audit_token *rk_pair_before(const rk_pair *p)
{
    return p->x->from > p->a->lexed.first[p->piece] ? &p->a->lexed.token.at[p->x->from - 1] : NULL;
}

const rk_audit_token *rk_pair_after(const rk_pair *p)
{
    return p->y->to < p->a->lexed.first[p->piece + 1] ? &p->a->lexed.token.at[p->y->to] : NULL;
}

/* Where the line begins in which it does. */
uint32_t rk_pair_line_begin(const rk_pair *p)
{
    uint32_t at = p->a->lexed.token.at[p->x->from].at;

    return p->a->scan.line.at[rk_scan_line(&p->a->scan, at) - 1];
}

bool rk_pair_is_word(const rk_pair *p, rk_words use, const rk_audit_token *t)
{
    return (t->kind == RK_TOKEN_WORD || (t->kind == RK_TOKEN_SYMBOL && t->mode == RK_MODE_PLAIN)) &&
           rk_lexicon_is(p->a->lexicon, use, p->a->scan.text + t->at, t->n);
}

bool rk_pair_is_unit(const rk_pair *p, const rk_audit_token *t)
{
    return (t->kind == RK_TOKEN_WORD || t->kind == RK_TOKEN_SYMBOL) &&
           rk_lexicon_unit(p->a->lexicon, p->a->scan.text + t->at, t->n);
}

/* The 10 of × 10¹². */
bool rk_pair_is_ten(const rk_pair *p, size_t i)
{
    const rk_audit_token *t = p->a->lexed.token.at;

    return p->a->lexed.number.at[t[i].id].digits == 10 && t[i + 1].kind == RK_TOKEN_SIGN && t[i + 1].op == '^';
}

/* A number in words, or one that stands in the text; 0: neither. */
double rk_pair_number(const rk_pair *p, size_t i)
{
    const rk_audit_token *t = &p->a->lexed.token.at[i];
    const rk_written *w = p->a->lexed.number.at;
    const rk_lexeme *word;

    if (t->kind == RK_TOKEN_NUMBER && !w[t->id].wide)
        return rk_written_value(&w[t->id]);
    if (t->kind != RK_TOKEN_WORD)
        return 0;
    word = rk_lexicon_is(p->a->lexicon, RK_WORDS_NUMBER, p->a->scan.text + t->at, t->n);
    return word ? word->id : 0;
}

bool rk_pair_has_number(const rk_pair *p, const rk_side *s, double number)
{
    for (size_t i = s->from; i < s->to; i++)
        if (p->a->lexed.token.at[i].kind == RK_TOKEN_NUMBER && rk_pair_number(p, i) == number)
            return true;
    return false;
}

/* The 12 of 10¹², 10^12 and 10^{12}, which begins at token i; 0: there is none. */
static rk_i128 power_at(const rk_pair *p, size_t i, size_t to)
{
    const rk_audit_token *t = p->a->lexed.token.at;

    i += i + 1 < to && t[i].kind == RK_TOKEN_OPEN && (t[i].op == '{' || t[i].op == '(');
    return i < to && t[i].kind == RK_TOKEN_NUMBER ? p->a->lexed.number.at[t[i].id].digits : 0;
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
            (i + 2 < s->to && rk_pair_is_ten(p, i) && power_at(p, i + 2, s->to) >= MILLION))
            return true;
        if (i + 1 < s->to && (t[i + 1].kind == RK_TOKEN_WORD || t[i + 1].kind == RK_TOKEN_SYMBOL))
            u = rk_lexicon_unit(p->a->lexicon, p->a->scan.text + t[i + 1].at, t[i + 1].n);
        if (u && u->kind != RK_WORD_UNIT_TIME && u->kind != RK_WORD_UNIT_SHARE && (u->power > 0 || u->num > 1))
            return true;
    }
    return false;
}

/* The stroke that divides in a side, if there is one alone; 0: there is none, or several. */
static size_t only_stroke(const rk_pair *p, const rk_side *s)
{
    const rk_audit_token *t = p->a->lexed.token.at;
    size_t stroke = 0;

    for (size_t i = s->from; i < s->to; i++) {
        if (t[i].kind == RK_TOKEN_SIGN && (t[i].op == '+' || (t[i].op == '-' && t[i - 1].op != '^')))
            return 0;
        if (t[i].kind != RK_TOKEN_SIGN || t[i].op != '/' || i + 1 >= s->to ||
            (t[i + 1].kind != RK_TOKEN_NUMBER && t[i + 1].kind != RK_TOKEN_OPEN))
            continue;
        if (stroke > 0)
            return 0;
        stroke = i;
    }
    return stroke > s->from ? stroke : 0;
}

/* "15 × 10¹² / 78000": a divisor of so many digits, without a point, says how large it is as well. */
static bool is_written_out(const rk_pair *p, const rk_side *s)
{
    enum {
        LEAST = 10000
    };
    const rk_audit_token *t = p->a->lexed.token.at;
    const rk_written *w = p->a->lexed.number.at;

    for (size_t i = s->from; i < s->to; i++)
        if (t[i].kind == RK_TOKEN_NUMBER && !w[t[i].id].decimal && w[t[i].id].exponent == 0 &&
            w[t[i].id].digits >= LEAST)
            return true;
    return false;
}

bool rk_pair_is_told_quotient(const rk_pair *p, const rk_side *s)
{
    size_t stroke = only_stroke(p, s);
    rk_side above = *s, below = *s;

    above.to = stroke;
    below.from = stroke + 1;
    return stroke > 0 && s->n_symbol == 0 && rk_pair_tells_size(p, &above) &&
           (rk_pair_tells_size(p, &below) || is_written_out(p, &below));
}

bool rk_pair_is_told_seconds(const rk_pair *p, const rk_side *s)
{
    static const double periods[] = {60, 3600, 24, 1440, 86400, 7, 30, 365};
    const rk_audit_token *t = p->a->lexed.token.at;

    if (!rk_pair_is_told_quotient(p, s) || s->timed)
        return false;
    for (size_t i = s->from; i < s->to; i++)
        for (size_t k = 0; k < sizeof periods / sizeof *periods; k++)
            if (t[i].kind == RK_TOKEN_NUMBER && rk_pair_number(p, i) == periods[k] &&
                !(i > s->from && t[i - 1].kind == RK_TOKEN_SIGN && t[i - 1].op == '^')) /* 10²⁴ */
                return false;
    return true;
}

size_t rk_pair_signs(const rk_pair *p, const rk_side *s, char op)
{
    const rk_audit_token *t = p->a->lexed.token.at;
    size_t n = 0;

    for (size_t i = s->from; i < s->to; i++)
        n += t[i].kind == RK_TOKEN_SIGN && (op == 0 || t[i].op == op);
    return n;
}

/* "282,956,185,600 bytes ≈ 27 GB": all digits of it leave nothing open. */
bool rk_pair_is_count_of_bytes(const rk_pair *p)
{
    const double count_least = 1e5;
    double size;

    return rk_pair_is_conversion(p) && p->x->unit->kind == RK_WORD_UNIT_BYTES && p->x->unit->power == 0 &&
           p->x->unit->num == p->x->unit->den && !p->x->literal.rounded && !p->x->rate && !p->y->rate && !p->x->per &&
           !p->y->per && rk_side_double(p->a->pool, p->x->value, &size) && size >= count_least &&
           size / p->x->literal.coarse >= count_least;
}

/* "2.127B (2.127亿)": the same digits, said again with another scale. */
bool rk_pair_is_restated(const rk_pair *p)
{
    return p->y->again && p->x->literal.is && rk_side_same_digits(&p->a->reader, p->x, p->y);
}

bool rk_pair_assigns(const rk_pair *p)
{
    return p->a->scan.piece.at[p->piece].program && !p->a->lexed.token.at[p->x->from].remark;
}

/* The unit that the token after a number is; NULL: none. */
static const rk_word_unit *unit_after(const rk_pair *p, size_t i, size_t to)
{
    const rk_audit_token *t = &p->a->lexed.token.at[i + 1];

    return i + 1 < to && (t->kind == RK_TOKEN_WORD || t->kind == RK_TOKEN_SYMBOL)
               ? rk_lexicon_unit(p->a->lexicon, p->a->scan.text + t->at, t->n)
               : NULL;
}

bool rk_pair_is_in_seconds(const rk_pair *p, const rk_side *s)
{
    const rk_audit_token *t = p->a->lexed.token.at;
    const rk_word_unit *unit[2] = {NULL, NULL}; /* of what is divided, and of what it is divided by */
    size_t strokes = 0, scaled[2] = {0, 0};

    for (size_t i = s->from; i < s->to; i++) {
        const rk_word_unit *u = t[i].kind == RK_TOKEN_NUMBER ? unit_after(p, i, s->to) : NULL;
        bool divides = t[i].kind == RK_TOKEN_SIGN && t[i].op == '/' && i + 1 < s->to &&
                       (t[i + 1].kind == RK_TOKEN_NUMBER || t[i + 1].kind == RK_TOKEN_OPEN);

        if (t[i].kind == RK_TOKEN_SIGN && (t[i].op == '+' || t[i].op == '-'))
            return false;
        strokes += divides;
        if (strokes > 1)
            return false;
        if (u && u->power > 0) {
            unit[strokes] = u;
            scaled[strokes]++;
        }
    }
    return strokes == 1 && scaled[0] == 1 && scaled[1] == 1 && unit[1]->kind != RK_WORD_UNIT_SCALE &&
           (unit[0]->kind == unit[1]->kind ||
            (unit[0]->kind == RK_WORD_UNIT_SCALE && unit[1]->kind == RK_WORD_UNIT_FLOPS)) &&
           (unit[1]->kind == RK_WORD_UNIT_FLOPS || unit[1]->kind == RK_WORD_UNIT_BYTES);
}
