/* SPDX-License-Identifier: MIT */
/* From chains to claims: which sides are compared, in which readings, and which differences are no mistakes. */
#include "audit/judge_parts.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- readings --------------------------------------------------------------------------------------------------- */

static bool read_again(const rk_pair *p, const rk_side *s, size_t from, rk_side_reading how, rk_side *out)
{
    size_t end = p->ends ? s->to : p->a->lexed.first[p->piece + 1];

    if (!rk_side_read(&p->a->reader, from, end, how, out) || out->to != s->to)
        return false;
    out->about = s->about;
    return true;
}

static const char *unit_note(const rk_pair *p, const rk_side *x, const rk_side *y, rk_side_reading how)
{
    const rk_word_unit *u = y->unit ? y->unit : x->unit;
    const rk_audit_token *t = p->a->lexed.token.at;

    if (!u || how.units == RK_READ_THOUSANDS)
        return NULL;
    if (how.units != RK_READ_WORDS)
        return u->kind == RK_WORD_UNIT_BYTES && how.units != RK_READ_COUNTS ? "with GB as powers of 1,024, which is GiB"
                                                                            : "with K as 1,024";
    for (size_t i = x->from; i < x->to && u->kind == RK_WORD_UNIT_BYTES && !u->binary; i++)
        if (t[i].kind == RK_TOKEN_NUMBER && p->a->lexed.number.at[t[i].id].digits == 1024)
            return "divided by powers of 1,024: that is GiB, not GB";
    return NULL;
}

static bool is_of_scales(const rk_pair *p)
{
    return p->x->unit && p->y->unit && p->x->unit->kind == RK_WORD_UNIT_SCALE && p->y->unit->kind == RK_WORD_UNIT_SCALE;
}

/*
 * The first of the other ways to read both sides in which they agree.  Where they agree in none, `*wrong` becomes the
 * reading in which they are much nearer: that is how it was meant.
 */
static bool agree_otherwise(const rk_pair *p, rk_verdict *out, rk_verdict *wrong)
{
    static const rk_side_reading other[] = {
        {.units = RK_READ_BINARY},
        {.units = RK_READ_BYTES},
        {.units = RK_READ_COUNTS},
        {.units = RK_READ_COUNTS, .letters = RK_READ_SCALES},
        {.units = RK_READ_THOUSANDS, .letters = RK_READ_OTHERWISE},
        {.units = RK_READ_BINARY, .letters = RK_READ_OTHERWISE},
        {.units = RK_READ_BYTES, .letters = RK_READ_OTHERWISE},
        {.units = RK_READ_THOUSANDS, .rates = true},
        {.units = RK_READ_THOUSANDS, .bytes = RK_READ_EACH_BYTES},
        {.units = RK_READ_BINARY, .bytes = RK_READ_EACH_BYTES},
        {.units = RK_READ_THOUSANDS, .bytes = RK_READ_EACH_BYTES, .letters = RK_READ_OTHERWISE},
        {.units = RK_READ_THOUSANDS, .bytes = RK_READ_LAST_BYTES},
        {.units = RK_READ_BYTES, .bytes = RK_READ_LAST_BYTES},
        {.units = RK_READ_THOUSANDS, .bits = true},
        {.units = RK_READ_BINARY, .bits = true},
        {.units = RK_READ_THOUSANDS, .letters = RK_READ_SCALES},
        {.units = RK_READ_THOUSANDS, .bytes = RK_READ_LAST_BYTES, .letters = RK_READ_SCALES},
        {.units = RK_READ_THOUSANDS, .counted = true},
        {.units = RK_READ_BINARY, .counted = true},
        {.units = RK_READ_THOUSANDS, .raised = true},
        {.units = RK_READ_THOUSANDS, .raised = true, .bytes = RK_READ_EACH_BYTES},
        {.units = RK_READ_BINARY, .raised = true},
        {.close = true},
        {.units = RK_READ_BY_HAND},
        {.units = RK_READ_WORDS},
        {.units = RK_READ_WORDS, .letters = RK_READ_OTHERWISE}};
    rk_side *sides, x, y;

    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        /* "0.5 MiB * 1M tokens / 1024 = 488 GiB": from one unit to the next by the divisor that stands there. */
        if (other[i].units == RK_READ_BY_HAND &&
            !(p->x->unit && p->y->unit && p->x->unit != p->y->unit && p->x->unit->power < p->y->unit->power &&
              rk_pair_divides_by_power(p)))
            continue;
        if (rk_pair_is_conversion(p) && (other[i].units == RK_READ_WORDS ||
                                         ((other[i].units == RK_READ_BINARY || other[i].units == RK_READ_BYTES) &&
                                          p->x->unit->binary != p->y->unit->binary)))
            continue;
        /* "6 × 1.5B = 9 TFLOPs": nine, and not billions of anything; but "3e9 × 2 / 1e9 = 6 GB" is in units by hand. */
        if (other[i].units == RK_READ_WORDS && !rk_pair_signs(p, p->x, '/') && rk_pair_tells_size(p, p->x) &&
            rk_pair_tells_size(p, p->y) && !(p->x->unit && p->x->unit == p->y->unit))
            continue;
        /* "13.2B FLOPs × 419B / 9.75 TFLOPs/s = 565 days": what a day is matters. */
        if (other[i].units == RK_READ_WORDS && p->x->unit && p->x->timed != p->y->timed)
            continue;
        if (!read_again(p, p->x, p->x->from, other[i], &x) || !read_again(p, p->y, p->y->from, other[i], &y))
            continue;
        /* "0.03 s = 45 ms", but "5.2e6 s / 86400 = 60 days" is in units by hand. */
        if (other[i].units == RK_READ_WORDS && x.timed && y.timed && x.unit != y.unit && !rk_pair_signs(p, &x, '/'))
            continue;
        /* "6 × 9M × 12M = 648B": millions and billions, and no letters that could be left out. */
        if (p->x->n_symbol + p->y->n_symbol == 0 && x.n_symbol + y.n_symbol > 0 && rk_pair_tells_size(p, p->x) &&
            rk_pair_tells_size(p, p->y))
            continue;
        *out = rk_judge_sides(p->a, &x, &y, p->scope);
        sides = out->is == RK_CLAIM_UNKNOWN ? NULL : RK_NEW_ARRAY(&p->a->arena, 2, rk_side);
        if (!sides)
            continue;
        sides[0] = x;
        sides[1] = y;
        out->as_left = &sides[0];
        out->as_right = &sides[1];
        if (out->is == RK_CLAIM_RIGHT) {
            out->note = out->note ? out->note : unit_note(p, &x, &y, other[i]);
            return true;
        }
        /* Millions of 1,024² may be right by chance, and are nothing to go by where they are not. */
        if (wrong->is == RK_CLAIM_WRONG && out->is == RK_CLAIM_WRONG &&
            !((other[i].units == RK_READ_BINARY || other[i].units == RK_READ_COUNTS) && is_of_scales(p)) &&
            2 * rk_pair_distance(p, out) < rk_pair_distance(p, wrong))
            *wrong = *out;
        /* "8 × 4096 × 11008 = 360B FLOPs", "100 × 65k = 65M": no one's B or k, but billions and thousands. */
        if (wrong->is == RK_CLAIM_UNKNOWN && out->is == RK_CLAIM_WRONG && other[i].units == RK_READ_THOUSANDS &&
            x.n_symbol == 0 && y.n_symbol == 0 && y.literal.is)
            *wrong = *out;
    }
    return false;
}

/* One side is a time, of the other it is not said in which unit: one of them makes it right. */
static bool agree_in_time(const rk_pair *p, rk_verdict *out)
{
    rk_side x = *p->x, y = *p->y, *bare = x.timed ? &y : &x;
    rk_side as_written = *bare;
    const rk_lexicon *l = p->a->lexicon;
    const rk_word_unit *said = x.timed ? x.unit : y.unit;
    bool seconds, large; /* "3.15e23 / 125e12" is not in milliseconds where the result is not */

    if (x.timed == y.timed || x.n_symbol > 0 || y.n_symbol > 0 || as_written.value == RK_EX_FAILED)
        return false;
    seconds = rk_pair_is_in_seconds(p, bare);
    large = said && said->num >= said->den && rk_pair_signs(p, bare, '/') > 0 && rk_pair_tells_size(p, bare);
    for (size_t i = 0; i < l->of[RK_WORDS_PERIOD].word.n; i++) {
        const rk_lexeme *period = &l->of[RK_WORDS_PERIOD].word.at[i];
        const rk_word_unit *u = rk_lexicon_unit(l, period->word, period->n);

        if ((seconds && u->num != u->den) || (large && u->num < u->den))
            continue;
        bare->value = rk_ex_mul(p->a->pool, as_written.value, rk_ex_ratio(p->a->pool, u->num, u->den));
        bare->slack = as_written.slack * u->num / u->den;
        bare->literal.is = false;
        *out = rk_judge_sides(p->a, &x, &y, p->scope);
        if (out->is == RK_CLAIM_RIGHT) {
            out->left = p->x->timed ? out->left : p->x->value;
            out->note = u->num == u->den ? NULL : rk_arena_format(&p->a->arena, "with %s on the other side", u->word);
            return true;
        }
    }
    return false;
}

/* "100 - 28.5 - 64.4 = 7.1%": worked out of a hundred. */
static bool agree_in_percent(const rk_pair *p, rk_verdict *out)
{
    enum {
        HUNDRED = 100
    };
    rk_side x = *p->x;

    if (!rk_pair_has_number(p, p->x, HUNDRED) || x.unit || x.n_symbol > 0 || x.value == RK_EX_FAILED || !p->y->unit ||
        p->y->unit->kind != RK_WORD_UNIT_SHARE)
        return false;
    x.value = rk_ex_div(p->a->pool, x.value, rk_ex_int(p->a->pool, HUNDRED));
    x.slack /= HUNDRED;
    *out = rk_judge_sides(p->a, &x, p->y, p->scope);
    return out->is == RK_CLAIM_RIGHT;
}

/* "268 + 69 + 64 + 132 = ~0.53B": small numbers, all of them in millions. */
static bool agree_in_scale(const rk_pair *p, rk_verdict *out)
{
    enum {
        SIGNS_LEAST = 2,
        POWERS = 4
    };
    const double small_most = 1e5, digits_least = 50;
    rk_side x = *p->x;
    double size, said;

    if (x.unit || x.n_symbol > 0 || rk_pair_signs(p, p->x, '+') < SIGNS_LEAST ||
        rk_pair_signs(p, p->x, '+') != rk_pair_signs(p, p->x, 0) || !p->y->literal.is || !p->y->unit ||
        p->y->unit->power == 0 || !rk_side_double(p->a->pool, x.value, &size) || size >= small_most ||
        !rk_side_double(p->a->pool, p->y->value, &said) || said < digits_least * p->y->literal.coarse)
        return false;
    for (int k = 1; k <= POWERS; k++) {
        x.value = rk_ex_mul(p->a->pool, x.value, rk_ex_int(p->a->pool, 1000));
        x.slack *= 1000;
        *out = rk_judge_sides(p->a, &x, p->y, p->scope);
        if (out->is == RK_CLAIM_RIGHT) {
            static const char *const scale[] = {"thousands", "millions", "billions", "trillions"};

            out->note = rk_arena_format(&p->a->arena, "in %s", scale[k - 1]);
            return true;
        }
    }
    return false;
}

/* "58-67 GB + 26 GB = 84-93 GB": the lower ends agree, and so do the upper ones. */
static bool agree_as_ranges(const rk_pair *p, rk_verdict *out)
{
    static const rk_side_reading ends[] = {{.range = RK_READ_LOW}, {.range = RK_READ_HIGH}};
    rk_side x, y;

    if (!p->x->range || !p->y->range)
        return false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (!read_again(p, p->x, p->x->from, ends[i], &x) || !read_again(p, p->y, p->y->from, ends[i], &y))
            return false;
        *out = rk_judge_sides(p->a, &x, &y, p->scope);
        if (out->is != RK_CLAIM_RIGHT)
            return false;
    }
    out->note = "both ends of a range";
    return true;
}

/* A coefficient as it is written in a side: the unit of its last digit; 0: it is not there. */
static double last_digit_of(const rk_pair *p, const rk_side *s, double value)
{
    const rk_audit_token *t = p->a->lexed.token.at;

    for (size_t i = s->from; i < s->to; i++) {
        const rk_written *w = t[i].kind == RK_TOKEN_NUMBER ? &p->a->lexed.number.at[t[i].id] : NULL;

        if (w && fabs(rk_written_value(w) / value - 1) < 1e-9)
            return pow(10, w->exponent);
    }
    return 0;
}

/* The constant and the factor of a side that is linear in its only letter; false: it is not. */
static bool read_linear(const rk_pair *p, const rk_side *s, double *constant, double *factor)
{
    rk_pool *pool = p->a->pool;
    double at_one, at_two;

    return s->n_symbol == 1 && s->value != RK_EX_FAILED &&
           rk_side_double(pool, rk_ex_subst(pool, s->value, s->symbol[0], rk_ex_int(pool, 0)), constant) &&
           rk_side_double(pool, rk_ex_subst(pool, s->value, s->symbol[0], rk_ex_int(pool, 1)), &at_one) &&
           rk_side_double(pool, rk_ex_subst(pool, s->value, s->symbol[0], rk_ex_int(pool, 2)), &at_two) &&
           (*factor = at_one - *constant) > 0 && *constant > 0 && fabs(at_two - at_one - *factor) <= 1e-9 * at_two;
}

/* "16,167,538,688 × batch + 26,247,244,800 ≈ 15.06 × B + 24.44 GB": both terms in the unit that stands at the end. */
static bool agree_as_lines(const rk_pair *p, rk_verdict *out)
{
    const rk_word_unit *u = p->y->unit;
    double x0, x1, y0, y1;
    rk_side y;

    if (!u || p->x->n_symbol != 1 || p->y->n_symbol != 1 ||
        !read_again(p, p->y, p->y->from, (rk_side_reading){.units = RK_READ_WORDS}, &y) ||
        !read_linear(p, p->x, &x0, &x1) || !read_linear(p, &y, &y0, &y1))
        return false;
    for (int base = 1000; base <= 1024; base += 24) {
        double unit = pow(base, u->power);

        if (fabs(x0 - y0 * unit) <= last_digit_of(p, &y, y0) * unit / 2 &&
            fabs(x1 - y1 * unit) <= last_digit_of(p, &y, y1) * unit / 2) {
            *out = (rk_verdict){.is = RK_CLAIM_RIGHT, .left = p->x->value, .right = p->y->value};
            out->note = base == 1024 && !u->binary ? "with GB as powers of 1,024, which is GiB" : NULL;
            return true;
        }
    }
    return false;
}

/* 256, 512, 1,024 …: sizes that people set. */
static bool is_power_of_two(double x)
{
    const double least = 256;
    int e;

    return x >= least && frexp(x, &e) == 0.5;
}

/* Off by less than one of the last digit that is written: cut off instead of rounded, or rounded once too often. */
static bool is_slip(const rk_pair *p, const rk_verdict *v)
{
    enum {
        WHOLE_LEAST = 1000
    };
    const double slip_most = 1.6, hundredth = 0.01, digits_least = 100, near_power = 0.045, thousands = 1000,
                 hundreds = 100, half_hundredth = 0.005;
    const double step_near = 0.05; /* 990 × 0.4 = 1000 × 0.4, 3.13 + 1 = 3 + 1 */
    const rk_audit_token *t = p->a->lexed.token.at;
    const rk_side *left = v->as_left ? v->as_left : p->x, *right = v->as_right ? v->as_right : p->y;
    const rk_literal *stating = right->literal.is ? &right->literal : &left->literal;
    double x, y;

    if (p->x->computed && p->y->computed && !p->x->literal.is && !p->y->literal.is && p->y->n_symbol == 0 &&
        rk_pair_distance(p, v) < step_near)
        return !rk_pair_is_step(p);
    if (!stating->is || !rk_side_double(p->a->pool, v->left, &x) || !rk_side_double(p->a->pool, v->right, &y))
        return false;
    /* "312e12 × 2 / 600e9 ≈ 1024": rounded to what people set. */
    if (p->y->about && is_power_of_two(y) && fabs(x - y) <= near_power * y)
        return true;
    /* "4096 × 2.68 ≈ 11,008": a factor that was cut off, or rounded once too often. */
    if (p->y->about && fabs(x - y) <= fmin(2 * left->slack, hundredth * x))
        return true;
    /* "4096 × 4096 = 1670 万": cut off after three digits. */
    if (right->literal.is && stating->coarse > stating->unit && stating->decimals == 0 && right->unit &&
        (right->unit->power > 0 || right->unit->num > 1) && y < x && x - y < stating->coarse &&
        y >= digits_least * stating->coarse)
        return true;
    /* "2 × 4,621 = 9,243": worked out from a figure with more digits than are shown. */
    /* "14.49 × 12 = 173.95": the factor was rounded by more than what comes out. */
    if (stating->rounded && left->slack > stating->unit && left->slack < hundredth * x &&
        fabs(x - y) <= (stating->unit + left->slack) * 1.0001)
        return true;
    if (stating->rounded) /* "1 MB" is no slip of 0.26 */
        return (fabs(x - y) < stating->unit || (stating->about && fabs(x - y) <= stating->unit) ||
                (p->y->about && p->x->computed && y >= thousands * stating->unit && fabs(x - y) < 2 * stating->unit)) &&
               fmax(x, y) <= slip_most * fmin(x, y);
    /* "5,235 / 0.45 = 11,630" for 11,633.3: rounded to tens; "184,320 / 8 × 30 = 690,000". */
    if (stating->coarse > stating->unit && fabs(x - y) < stating->coarse / 2 &&
        (x != floor(x) || (stating->coarse >= thousands * stating->unit && fabs(x - y) < hundredth * x) ||
         (stating->coarse >= hundreds * stating->unit && fabs(x - y) < half_hundredth * x)))
        return true;
    for (size_t i = p->x->from; i < p->x->to && fabs(x - y) <= 1 && y >= digits_least; i++)
        if (t[i].kind == RK_TOKEN_NUMBER && p->a->lexed.number.at[t[i].id].digits >= WHOLE_LEAST)
            return true;
    return false;
}

/* "48 - 34.5 = 13.5 - 1.3 = 12.2": people go on with a result without beginning a new line. */
static bool is_running(const rk_pair *p)
{
    const rk_audit_token *t = p->a->lexed.token.at;
    const double binary_near = 0.075; /* 32 MiB that are called MB */
    size_t end = p->y->from;
    rk_side first;
    double x, y;

    if (!p->y->computed || (!p->x->computed && p->x == p->first) || t[end].kind != RK_TOKEN_NUMBER)
        return false;
    while (end < p->y->to && !(t[end].kind == RK_TOKEN_SIGN && t[end].op != '^'))
        end++;
    if (end == p->y->to || !rk_side_read(&p->a->reader, p->y->from, end, (rk_side_reading){0}, &first) ||
        !first.literal.is || first.value == RK_EX_FAILED)
        return false;
    return rk_judge_agree(p->a->pool, p->x->value, p->x, first.value, &first, p->y->about) ||
           (rk_side_double(p->a->pool, p->x->value, &x) && rk_side_double(p->a->pool, first.value, &y) &&
            (fabs(x - y) < first.literal.unit || ((first.unit || p->x->unit) && fabs(x / y - 1) < binary_near)));
}

/* ---- claims ----------------------------------------------------------------------------------------------------- */

/*
 * "56 / 0.002 ≈ 23,000": right if the 0.002 stands for 0.0024, and then it does not say so; of other numbers no more
 * than a twentieth is left open.
 */
static bool is_right_by_rounding(const rk_pair *p, const rk_verdict *v)
{
    const double loose = 0.1, near = 0.05;
    double x, y;

    return p->x->computed && p->x->n_symbol == 0 && p->y->literal.is && !p->y->shape &&
           rk_side_double(p->a->pool, v->left, &x) && rk_side_double(p->a->pool, v->right, &y) && x > 0 &&
           p->x->slack > loose * x && fabs(x - y) > near * x + p->y->literal.coarse / 2;
}

/* "192 GB - 17.5 GB - 4.4 GB = 170.6 GB", where no more than 170.2 comes out but of a 192 that was rounded. */
static bool is_right_by_whole_numbers(const rk_pair *p, const rk_verdict *v)
{
    const double rounding = 1.001;
    double x, y;

    return p->x->coarse > 0 && p->y->literal.is && p->y->literal.decimals > 0 && !p->y->about && !p->y->literal.about &&
           rk_side_double(p->a->pool, v->left, &x) && rk_side_double(p->a->pool, v->right, &y) &&
           fabs(x - y) > (p->x->slack - p->x->coarse + p->y->slack) * rounding;
}

rk_verdict rk_pair_judge(const rk_pair *p)
{
    rk_verdict v = rk_judge_sides(p->a, p->x, p->y, p->scope), other;
    rk_pair found = *p;
    const char *why;
    rk_side after;

    if (v.is == RK_CLAIM_RIGHT && (is_right_by_whole_numbers(p, &v) || is_right_by_rounding(p, &v)))
        v.is = RK_CLAIM_SLIP;
    if (v.is == RK_CLAIM_RIGHT || v.is == RK_CLAIM_SLIP)
        return v;
    if (agree_otherwise(p, &other, &v) || agree_in_time(p, &other) || agree_in_percent(p, &other) ||
        agree_in_scale(p, &other) || agree_as_ranges(p, &other) || agree_as_lines(p, &other))
        return other;
    /* "layer 2 - 12 × 64 = 768": the dash was no minus. */
    if (p->x->dash > 0 && read_again(p, p->x, p->x->dash + 1, (rk_side_reading){0}, &after)) {
        other = rk_judge_sides(p->a, &after, p->y, p->scope);
        if (other.is == RK_CLAIM_RIGHT)
            return other;
    }
    /* c of a = b = c, where b is wrong: c may still follow from a. */
    for (const rk_side *s = p->first; s < p->x; s++) {
        other = rk_judge_sides(p->a, s, p->y, p->scope);
        if (other.is == RK_CLAIM_RIGHT && s->alone == RK_SYM_NONE)
            return other;
    }
    if ((v.is == RK_CLAIM_WRONG || (v.is == RK_CLAIM_UNKNOWN && p->y->n_symbol > 0)) && is_running(p)) {
        v.is = RK_CLAIM_RIGHT;
        v.note = "what follows goes on with the result";
        return v;
    }
    /* "2 * 3 = 2" at the end: of "2 * 3 = 2 + 4" no more may have come through. */
    if (v.is == RK_CLAIM_WRONG && rk_audit_is_cut(p->a, p->y->to - 1))
        return (rk_verdict){.is = RK_CLAIM_UNKNOWN, .note = "the text ends in it, and may have been cut there"};
    found.v = &v;
    if (v.is == RK_CLAIM_WRONG && is_slip(p, &v)) {
        v.is = RK_CLAIM_SLIP;
    } else if (v.is == RK_CLAIM_WRONG && (why = rk_pair_doubt(&found)) != NULL) {
        v.is = RK_CLAIM_DOUBTFUL;
        v.note = why;
    }
    return v;
}

static const char *why_wrong(const rk_pair *p, const rk_verdict *v, const rk_claim *c)
{
    const char *why = rk_judge_why(p->a, c->stated_value, c->found_value);
    rk_pair found = *p;

    found.v = v;
    if (!why && rk_pair_is_of_mixed_powers(&found))
        return "powers of 1,000 and of 1,024 are mixed in it";
    return why;
}

static void put_claim(const rk_pair *p, const rk_verdict *v)
{
    /* A number that stands alone states, of two the one that is rounded; else the right side does. */
    bool left = p->x->literal.is && (!p->y->literal.is || (p->x->literal.rounded && !p->y->literal.rounded));
    const rk_side *stating = left ? p->x : p->y;
    const rk_literal *like = !v->as_left ? &stating->literal : left ? &v->as_left->literal : &v->as_right->literal;
    const rk_audit_token *after = rk_pair_after(p);
    size_t to = p->y->to + (p->y->again && after && after->kind == RK_TOKEN_CLOSE); /* with its bracket */
    rk_claim *c = rk_audit_claim(p->a, RK_CLAIM_EQUATION, v->is, p->from, to);

    if (!c)
        return;
    rk_audit_fill(p->a, c, stating, left ? v->left : v->right, left ? v->right : v->left);
    c->note = v->note;
    if (v->is != RK_CLAIM_UNKNOWN)
        c->found = rk_audit_value(p->a, c->found_value, like, stating);
    if (v->is == RK_CLAIM_WRONG)
        c->note = why_wrong(p, v, c);
    if (v->is == RK_CLAIM_WRONG && p->of) {
        c->between = true;
        c->note = rk_arena_format(&p->a->arena, "what is stated is %s", rk_audit_quote(p->a, p->of->from, p->of->to));
    } else if (v->is == RK_CLAIM_WRONG || v->is == RK_CLAIM_DOUBTFUL) {
        /* A row that is wrong is put right where rows are added up. */
        const rk_side *row = stating == p->y && p->ends ? p->ends : stating;

        p->a->put_right[row - p->a->chains.side.at] = c->found_value;
    }
}

/* "1 = 0" and "key = 3": two plain numbers are no claim; one that is rounded, or has a unit, restates the other. */
static bool is_bare(const rk_pair *p)
{
    const rk_side *x = p->x, *y = p->y;
    bool share = (x->unit && x->unit->kind == RK_WORD_UNIT_SHARE) || (y->unit && y->unit->kind == RK_WORD_UNIT_SHARE);

    if (x->computed || y->computed || x->n_symbol + y->n_symbol > 0)
        return false;
    if (p->a->lexed.token.at[y->to - 1].kind == RK_TOKEN_SIGN) /* 1.67× is a ratio */
        return true;
    if (share)
        return !x->literal.rounded || !y->literal.rounded || !x->digits;
    return !x->literal.rounded && !y->literal.rounded && !y->about && !y->literal.about;
}

/* "= 8,309 KB" and below it "= 8,309 / 1024 MB": one computation has ended, and another begins with its result. */
static bool begins_anew(const rk_pair *p)
{
    const rk_audit_token *x = &p->a->lexed.token.at[p->x->from], *y = &p->a->lexed.token.at[p->y->from];
    const rk_written *n = p->a->lexed.number.at;

    return p->x->literal.is && p->y->computed && p->x != p->first && y[-1].kind == RK_TOKEN_EQUALS && y[-1].first &&
           x->kind == RK_TOKEN_NUMBER && y->kind == RK_TOKEN_NUMBER && n[x->id].digits == n[y->id].digits &&
           n[x->id].exponent == n[y->id].exponent;
}

/*
 * "= 272 KB" and "× 4096 tokens" below it: the result ends with its line, where that is right, or much nearer than all
 * that follows.
 */
static rk_verdict judge_with_end(rk_pair *p)
{
    rk_verdict v = rk_pair_judge(p), other;
    size_t end = v.is == RK_CLAIM_RIGHT ? 0 : rk_pair_result_end(p, p->y);
    rk_side *y = end > 0 ? RK_NEW(&p->a->arena, rk_side) : NULL;
    rk_pair at_end = *p;

    if (!y || !rk_side_read(&p->a->reader, p->y->from, end, (rk_side_reading){0}, y))
        return v;
    y->about = p->y->about;
    at_end.y = y;
    at_end.ends = p->y;
    other = rk_pair_judge(&at_end);
    if (other.is == RK_CLAIM_RIGHT || 2 * rk_pair_distance(&at_end, &other) < rk_pair_distance(p, &v)) {
        *p = at_end;
        return other;
    }
    return v;
}

/* Factors alone; "70M parameters/layer" is one of them. */
static bool is_plain_product(const rk_pair *p, const rk_side *s)
{
    const rk_audit_token *t = p->a->lexed.token.at;

    for (size_t i = s->from + 1; i + 1 < s->to; i++)
        if (t[i].kind == RK_TOKEN_SIGN && t[i].op != '*' && t[i].op != '^' &&
            !(t[i].op == '/' && t[i - 1].kind == RK_TOKEN_WORD && t[i + 1].kind == RK_TOKEN_WORD))
            return false;
    return true;
}

/* "34.4 GB (64 layers × 262,144 × 512 × 2 bytes)" of a cache, whose keys and values are two: that is understood. */
static bool is_of_keys_and_values(const rk_pair *p, const rk_verdict *v)
{
    enum {
        LINES = 6
    };
    const double near = 0.1;
    double stated, found;

    if ((p->y->unit && p->y->unit->power > 0) || !rk_side_double(p->a->pool, v->left, &found) ||
        !rk_side_double(p->a->pool, v->right, &stated) || fabs(stated / found / 2 - 1) > near)
        return false; /* "4096 tokens × 2.5 MB" has both in it */
    return rk_audit_says_above(p->a, RK_WORDS_CACHE, p->x->from, LINES);
}

/*
 * "18 MB (22 layers × 2 × 32 heads × 128 × 64 × 2 bytes)": what it was computed from stands in brackets after it, and
 * is no other thing's where it has three factors and more, or a unit of the same kind ("10 GB (4096 × 2.5 MB)").
 * Whether it is wrong; *v is of both sides as they stand.
 */
static bool is_wrong_of_origin(const rk_pair *p, rk_verdict *v)
{
    const rk_pair turned = rk_pair_of(p->a, p->piece, p->y, p->y, p->x, p->from);
    bool same_unit = p->x->unit && p->y->unit && p->x->unit->kind == p->y->unit->kind && !p->y->mixed;
    rk_verdict found;

    if (!p->y->again || !p->x->literal.is || !p->y->computed || p->x != p->first ||
        rk_pair_signs(p, p->y, '*') < (same_unit ? 1U : 2U) || !is_plain_product(p, p->y))
        return false;
    found = rk_pair_judge(&turned);
    if (found.is == RK_CLAIM_WRONG && is_of_keys_and_values(p, &found))
        return false;
    *v = found;
    v->left = found.right;
    v->right = found.left;
    v->as_left = found.as_right;
    v->as_right = found.as_left;
    return found.is == RK_CLAIM_WRONG;
}

/* "2 × 1,600 × 6,400 × 2 -> 41.9 GFLOPs": what comes out of a computation, in a unit; "4096 → 1024" leads elsewhere. */
static bool leads_to_result(const rk_pair *p)
{
    const rk_audit_token *sign = &p->a->lexed.token.at[p->y->from - 1];

    return p->y->arrow && sign->kind == RK_TOKEN_EQUALS && p->x->computed && !p->x->arrow && p->x->n_symbol == 0 &&
           p->y->literal.is && p->y->unit && p->y->unit->kind != RK_WORD_UNIT_SCALE && rk_pair_signs(p, p->x, '*') > 1;
}

/*
 * "8 × 7B × 2 bytes = 56 GB + 7 GB = 63 GB": the text goes on with its result, and rightly so; the result is compared
 * then.  Whether it is wrong; *p and *v are of it.
 */
static bool is_wrong_running(rk_pair *p, const rk_side *next, rk_verdict *v)
{
    const rk_audit_token *t = p->a->lexed.token.at;
    rk_pair on = *p, at = *p;
    rk_side *result =
        next && p->x == p->first && p->x->computed && p->y->computed ? RK_NEW(&p->a->arena, rk_side) : NULL;
    rk_verdict found;

    if (!result || !rk_side_read_number(&p->a->reader, p->y->from, p->y->to, result) || !result->literal.is ||
        result->to >= p->y->to || t[result->to].kind != RK_TOKEN_SIGN || t[result->to].op != '+')
        return false;
    on.x = p->y;
    on.y = next;
    result->about = p->y->about;
    at.y = result;
    at.ends = p->y;
    at.runs = true;
    if (!next->literal.is || rk_pair_judge(&on).is != RK_CLAIM_RIGHT)
        return false;
    found = rk_pair_judge(&at);
    if (found.is != RK_CLAIM_WRONG)
        return false;
    *v = found;
    *p = at;
    return true;
}

/*
 * "d_model × d_ff = 1,300 × 6,400 = 10,240,000": the result is that of the letters, and the numbers between come to
 * something else.
 */
static bool is_between(const rk_side *letters, const rk_side *numbers, const rk_side *result)
{
    return letters->n_symbol > 0 && numbers->n_symbol == 0 && numbers->computed && !numbers->again &&
           result->literal.is && !result->again && !result->arrow;
}

/* Whether the right side is such a result, and the left one is wrong; *v is of both then. */
static bool is_wrong_between(rk_pair *p, rk_verdict *v)
{
    const rk_side *letters = p->x > p->first ? p->x - 1 : NULL;
    rk_pair numbers = *p;
    rk_verdict found;

    if (!letters || !is_between(letters, p->x, p->y) ||
        rk_judge_sides(p->a, letters, p->y, p->scope).is != RK_CLAIM_RIGHT)
        return false;
    numbers.first = p->x;
    found = rk_pair_judge(&numbers);
    if (found.is != RK_CLAIM_WRONG)
        return false;
    *v = found;
    p->of = letters;
    return true;
}

/* The same, where the left side is the letters: what is wrong is told of the result. */
static bool is_told_of_result(const rk_pair *p, const rk_side *next)
{
    rk_pair after = *p;

    if (!next || !is_between(p->x, p->y, next))
        return false;
    after.x = p->y;
    after.y = next;
    after.from = p->y->from;
    return is_wrong_between(&after, &(rk_verdict){.is = RK_CLAIM_UNKNOWN});
}

static void judge_pair(rk_pair *p, const rk_side *next)
{
    const rk_side *x = p->x, *y = p->y;
    bool digits = x->digits || y->digits, computed = x->computed || y->computed;
    rk_verdict v;

    /* A symbol alone is given a meaning, and claims nothing; nor does 1 addition = 1 FLOP. */
    if (x->alone != RK_SYM_NONE || y->alone != RK_SYM_NONE || x->call || (x->arrow && x->literal.is) ||
        ((x->labelled || y->labelled) && !computed) || is_bare(p) || begins_anew(p))
        return;
    v = judge_with_end(p);
    if (v.is == RK_CLAIM_DOUBTFUL && is_wrong_running(p, next, &v))
        y = p->y;
    else if (v.is == RK_CLAIM_DOUBTFUL && is_told_of_result(p, next))
        return;
    if (v.is == RK_CLAIM_RIGHT)
        is_wrong_between(p, &v);
    if ((y->arrow || y->again) && v.is != RK_CLAIM_RIGHT && v.is != RK_CLAIM_SLIP && !leads_to_result(p) &&
        !(y->again && v.is == RK_CLAIM_WRONG &&
          (rk_side_same_digits(&p->a->reader, x, y) || rk_side_same_kind(&p->a->reader, x, y))) &&
        !is_wrong_of_origin(p, &v))
        return;
    /* A program's names are its own. */
    if (rk_pair_assigns(p) && x->n_symbol + y->n_symbol > 0 && v.is != RK_CLAIM_RIGHT && v.is != RK_CLAIM_SLIP)
        return;
    /* Two formulas without a number between symbols that no one explained claim nothing that could be checked. */
    if (v.is != RK_CLAIM_UNKNOWN || (digits && computed) || x->trouble != RK_TROUBLE_NONE ||
        y->trouble != RK_TROUBLE_NONE)
        put_claim(p, &v);
}

/* "P = …" on one line and "P = …" on the next: two forms of the same. */
static void judge_forms(rk_audit *a, const rk_chain *before, const rk_chain *now)
{
    const rk_side *x = &a->chains.side.at[before->first], *y = &a->chains.side.at[now->first];
    const rk_side *last = &x[before->n - 1];
    rk_pair p = rk_pair_of(a, now->piece, x + 1, last, y + 1, y->from);
    const rk_audit_token *t = a->lexed.token.at;
    rk_verdict v;

    if (before->piece != now->piece || before->n < 2 || now->n < 2 || x->alone == RK_SYM_NONE || x->alone != y->alone ||
        rk_pair_assigns(&p) || !y[1].computed || !last->computed)
        return;
    if (y->from != last->to + 1 || t[y->from - 1].kind != RK_TOKEN_BREAK || t[y->from - 1].op != '\n')
        return;
    v = rk_pair_judge(&p);
    /* Of two formulas that differ one may be a step on the way, or a limit. */
    if (v.is == RK_CLAIM_RIGHT || v.is == RK_CLAIM_SLIP ||
        (v.is == RK_CLAIM_WRONG && rk_pair_distance(&p, &v) != HUGE_VAL))
        put_claim(&p, &v);
}

/* A claim about sides that are none of the chains. */
static void put_stray(const rk_pair *p, const rk_verdict *v)
{
    rk_claim *c = rk_audit_claim(p->a, RK_CLAIM_EQUATION, v->is, p->from, p->y->to);

    if (!c)
        return;
    rk_audit_fill(p->a, c, p->y, v->right, v->left);
    c->note = v->note;
    c->found = rk_audit_value(p->a, v->left, &p->y->literal, p->y);
}

/* "1752 days to train.  That's 6 and a half years.": a time in another unit, in a sentence that says no more. */
static bool is_restated(const rk_audit *a, const rk_side *x, const rk_side *y, size_t end)
{
    enum {
        BETWEEN_MAX = 10
    };
    const rk_audit_token *t = a->lexed.token.at;
    size_t at = y->from, words = 0;

    if (!x->literal.is || !y->literal.is || !x->timed || !y->timed || x->unit == y->unit || x->rate || y->rate ||
        x->per || y->per || y->from < x->to + 2 || y->from > x->to + BETWEEN_MAX ||
        (y->to < end && t[y->to].kind != RK_TOKEN_BREAK))
        return false;
    for (size_t i = x->to; i < y->from; i++)
        if (t[i].kind == RK_TOKEN_NUMBER || t[i].kind == RK_TOKEN_EQUALS)
            return false;
    for (; at > x->to && t[at - 1].kind == RK_TOKEN_WORD &&
           rk_lexicon_is(a->lexicon, RK_WORDS_AGAIN, a->scan.text + t[at - 1].at, t[at - 1].n);
         at--)
        words++;
    return words > 0 && at > x->to && t[at - 1].kind == RK_TOKEN_BREAK && t[at - 1].op != ':';
}

static void judge_restated(rk_audit *a, const rk_chain *before, const rk_chain *now)
{
    const rk_side *x = &a->chains.side.at[before->first + before->n - 1], *said = &a->chains.side.at[now->first];
    rk_side *y = now->n == 1 && before->piece == now->piece && is_restated(a, x, said, a->lexed.first[now->piece + 1])
                     ? RK_NEW(&a->arena, rk_side)
                     : NULL;
    rk_pair p = rk_pair_of(a, now->piece, x, x, y, x->from);
    rk_verdict v;

    if (!y)
        return;
    *y = *said;
    y->again = y->about = true;
    v = rk_pair_judge(&p);
    p.from = said->from;
    if (v.is == RK_CLAIM_WRONG)
        put_stray(&p, &v);
}

/* ---- relations that no chain has --------------------------------------------------------------------------------- */

/* What stands before a relation: the longest that something computed can be read to; false: nothing. */
static bool read_left(const rk_audit *a, size_t first, size_t relation, rk_side *out)
{
    enum {
        BACK_MAX = 60
    };
    const rk_audit_token *t = a->lexed.token.at;
    size_t from = relation > first + BACK_MAX ? relation - BACK_MAX : first;

    for (size_t i = relation; i > from; i--) /* not beyond the sentence, and the relation before it */
        if (t[i - 1].kind == RK_TOKEN_EQUALS || t[i - 1].kind == RK_TOKEN_JUNK ||
            (t[i - 1].kind == RK_TOKEN_BREAK && t[i - 1].op != ':'))
            from = i;
    for (size_t i = from; i < relation; i++)
        if ((t[i].kind == RK_TOKEN_NUMBER || t[i].kind == RK_TOKEN_OPEN) &&
            (i == from || (t[i - 1].kind != RK_TOKEN_SIGN && t[i - 1].kind != RK_TOKEN_NUMBER)) &&
            rk_side_read(&a->reader, i, relation, (rk_side_reading){.wordy = true}, out) && out->to == relation &&
            out->computed && out->n_symbol == 0)
            return true;
    return false;
}

/* "28 + 56 + 14 = 98 GB + activations": the numbers are so many GB each.  Whether they agree without the unit. */
static bool agree_without_unit(const rk_pair *p, rk_verdict *v)
{
    rk_side bare = *p->y;
    double scale;

    if (p->x->unit || !bare.unit || !bare.literal.is || !rk_side_double(p->a->pool, bare.literal.scale, &scale) ||
        scale <= 1)
        return false;
    bare.value = rk_ex_div(p->a->pool, bare.value, bare.literal.scale);
    bare.unit = NULL;
    bare.slack /= scale;
    bare.literal.unit /= scale;
    bare.literal.coarse /= scale;
    *v = rk_judge_sides(p->a, p->x, &bare, p->scope);
    return v->is == RK_CLAIM_RIGHT;
}

/*
 * Relations of which a side was not understood, because of the words in it, or of what follows it ("= 112 GB +
 * activations").  With more words taken for labels, and the rest left out, they may hold; that they do not is no
 * mistake then.
 */
static void judge_strays(rk_audit *a, size_t piece, const bool *used)
{
    const rk_audit_token *t = a->lexed.token.at;
    size_t first = a->lexed.first[piece], end = a->lexed.first[piece + 1];

    for (size_t i = first + 1; i + 1 < end; i++) {
        rk_side *side =
            t[i].kind == RK_TOKEN_EQUALS && t[i].op == '=' && !used[i] ? RK_NEW_ARRAY(&a->arena, 2, rk_side) : NULL;
        rk_pair p = rk_pair_of(a, piece, side, side, side ? side + 1 : NULL, 0);
        rk_verdict v;

        if (!side || t[i + 1].kind != RK_TOKEN_NUMBER || !read_left(a, first, i, &side[0]) ||
            !rk_side_read_number(&a->reader, i + 1, end, &side[1]))
            continue;
        side[1].about = t[i].about;
        p.from = side->from;
        v = rk_judge_sides(a, &side[0], &side[1], p.scope);
        if (v.is != RK_CLAIM_RIGHT && !agree_otherwise(&p, &v, &(rk_verdict){.is = RK_CLAIM_UNKNOWN}) &&
            !agree_in_time(&p, &v) && !agree_without_unit(&p, &v))
            continue;
        v.is = RK_CLAIM_RIGHT;
        put_stray(&p, &v);
    }
}

/*
 * "- 1,560 × 86,400 = 134,784,000 tokens" and, as the next item, "- = 134.7 million tokens": an item that begins with a
 * relation goes on with the figure that the one before it ends in.
 */
static void judge_begun(rk_audit *a, size_t piece)
{
    const rk_chains *c = &a->chains;
    const rk_audit_token *t = a->lexed.token.at;
    const rk_piece *now = &a->scan.piece.at[piece], *before = now - 1;
    size_t first = a->lexed.first[piece], last = piece > 0 ? c->first[piece] : 0;
    const rk_chain *from, *to;
    const rk_side *x, *y;
    rk_verdict v;

    if (piece == 0 || now->kind != RK_PIECE_ITEM || before->kind != RK_PIECE_ITEM ||
        first == a->lexed.first[piece + 1] || t[first].kind != RK_TOKEN_EQUALS || t[first].op != '=' ||
        last == c->first[piece - 1] || c->first[piece + 1] == last)
        return;
    from = &c->chain.at[last - 1];
    to = &c->chain.at[last];
    x = &c->side.at[from->first + from->n - 1];
    y = &c->side.at[to->first];
    if (y->from != first + 1 || !x->literal.is || !y->literal.is || x->again)
        return;
    for (size_t i = x->to; i < first; i++) /* words for what it counts, and no more */
        if (t[i].kind != RK_TOKEN_WORD && t[i].kind != RK_TOKEN_BREAK)
            return;
    rk_pair p = rk_pair_of(a, piece, &c->side.at[from->first], x, y, y->from);
    v = rk_pair_judge(&p);
    if (v.is == RK_CLAIM_RIGHT || v.is == RK_CLAIM_SLIP || v.is == RK_CLAIM_WRONG)
        put_claim(&p, &v);
}

int rk_judge_chains(rk_audit *a, rk_err *err)
{
    const rk_chains *c = &a->chains;
    bool *used = RK_NEW_ARRAY(&a->arena, a->lexed.token.n + 1, bool); /* relations, by the chains that have them */

    if (!used)
        return rk_fail_memory(err);
    for (size_t i = 0; i < c->chain.n; i++) {
        const rk_side *side = &c->side.at[c->chain.at[i].first];

        /* "… 7 blocks for others = 14": that word may be the last of a label, and no name. */
        for (size_t k = side->alone != RK_SYM_NONE && a->lexed.token.at[side->from].kind == RK_TOKEN_WORD ? 2 : 1;
             k < c->chain.at[i].n; k++)
            used[side[k].from - 1] = true;
    }
    for (size_t i = 0; i < a->scan.piece.n && !a->arena.failed; i++)
        if (!a->scan.piece.at[i].program)
            judge_strays(a, i, used);
    for (size_t i = 0; i < a->scan.piece.n && !a->arena.failed; i++)
        judge_begun(a, i);
    for (size_t i = 0; i < c->chain.n && !a->arena.failed; i++) {
        const rk_chain *now = &c->chain.at[i];
        const rk_side *side = &c->side.at[now->first];
        rk_pair p = rk_pair_of(a, now->piece, side, NULL, NULL, 0);

        for (size_t k = 1; k < now->n; k++) {
            p.x = &side[k - 1];
            p.y = &side[k];
            p.ends = NULL;
            p.of = NULL;
            p.from = p.x->from;
            judge_pair(&p, k + 1 < now->n ? &side[k + 1] : NULL);
        }
        if (i > 0) {
            judge_forms(a, &c->chain.at[i - 1], now);
            judge_restated(a, &c->chain.at[i - 1], now);
            rk_judge_named(a, &c->chain.at[i - 1], now);
        }
    }
    return a->arena.failed ? rk_fail_memory(err) : RK_OK;
}
