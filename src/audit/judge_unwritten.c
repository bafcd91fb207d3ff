/* SPDX-License-Identifier: MIT */
/*
 * What people leave unwritten, and what they do wrong: units, factors, roundings that make a difference no mistake, and
 * differences so large that something else is meant.
 */
#include "audit/judge_parts.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Both sides have units, and of one kind: nothing is left to guess about them. */
static bool has_sure_units(const rk_pair *p)
{
    const rk_word_unit *x = p->x->unit, *y = p->y->unit;

    if (p->y->timed && (rk_pair_is_in_seconds(p, p->x) || rk_pair_is_told_seconds(p, p->x)))
        return true;
    return x && y && x->kind == y->kind && x->kind != RK_WORD_UNIT_SCALE && !p->x->mixed && !p->y->mixed;
}

/* "32 × 128 × 2 = 64": a factor that stands in it, and was not multiplied with. */
static bool is_left_out(const rk_pair *p, double factor)
{
    return rk_pair_has_number(p, p->x, factor) && rk_pair_signs(p, p->x, '*') > 2 &&
           rk_pair_signs(p, p->x, '*') == rk_pair_signs(p, p->x, 0);
}

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

    if (rk_pair_factor(p) < 1.5)
        return false;
    for (size_t i = from; i > first && i + BACK_MAX > from; i--) {
        const rk_audit_token *b = &t[i - 1];
        double n = rk_pair_number(p, i - 1);
        bool counts = b->kind == RK_TOKEN_WORD || ((t[i].kind == RK_TOKEN_WORD || t[i].kind == RK_TOKEN_SYMBOL) &&
                                                   (i - 1 == first || b[-1].kind != RK_TOKEN_SIGN));

        same &= b->kind != RK_TOKEN_EQUALS && (b->kind != RK_TOKEN_BREAK || b->op == ':') && i + NEAR_MAX > from;
        if (n > 1 && (n > LARGE || (same && counts)) && rk_pair_is_off_by(p, n) && !is_left_out(p, n))
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

    for (size_t words = 0; i < end && words < 4 && (t[i].kind == RK_TOKEN_WORD || t[i].kind == RK_TOKEN_COMMA); words++)
        i++; /* "3 × 2 = 3 samples, 2 features" */
    return i > p->y->to && i < end && t[i].kind == RK_TOKEN_NUMBER && rk_pair_ratio(p, &num, &den) &&
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
        if (close > i + 1 && close + 1 < p->y->to && t[close + 1].kind == RK_TOKEN_SIGN && t[close + 1].op == '*') {
            /* a/(b × c) × d would be a/(b × c × d), which is d² times less; of a letter or a bracket no one knows. */
            double factor = close + 2 < p->x->to ? rk_pair_number(p, close + 2) : 0;

            if (factor <= 1 || rk_pair_is_off_by(p, factor * factor))
                return true;
            continue;
        }
        if (t[i + 1].kind != RK_TOKEN_NUMBER)
            continue;
        if (t[i + 2].kind == RK_TOKEN_SYMBOL)
            return true;
        /* a/b × c would be a/(b × c), which is c² times less. */
        for (size_t k = i + 2;
             k + 1 < p->x->to && t[k].kind == RK_TOKEN_SIGN && t[k].op == '*' && !rk_pair_is_ten(p, k + 1); k += 2) {
            by *= rk_pair_number(p, k + 1);
            if (by > 1 && rk_pair_is_off_by(p, by * by))
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
           t[3].kind == RK_TOKEN_NUMBER && rk_pair_is_unit(p, &t[1]) && t[1].n == t[4].n &&
           memcmp(p->a->scan.text + t[1].at, p->a->scan.text + t[4].at, t[1].n) == 0;
}

/* "109.2 / 1,000 ≈ 6.6 minutes" was hours on the left; and bits are counted in eights. */
static bool is_other_unit(const rk_pair *p)
{
    const double far_apart = 1000; /* no one takes one time for another one so much longer */
    const rk_audit_token *after = rk_pair_after(p);
    size_t end = p->a->lexed.first[p->piece + 1];
    /* "1.48 billion = 1,474,560,000" leaves no unit open. */
    bool scales = (!p->x->unit || p->x->unit->kind == RK_WORD_UNIT_SCALE) &&
                  (!p->y->unit || p->y->unit->kind == RK_WORD_UNIT_SCALE);

    if (rk_audit_says(p->a, RK_WORDS_BITS, p->x->from, p->y->to < end ? p->y->to + 1 : end))
        return true;
    /* "1min=90 days": what is kept for how long. */
    if (rk_pair_is_conversion(p) && p->x->timed && p->y->timed && rk_pair_factor(p) >= far_apart)
        return true;
    /* "2 × 8 bytes = 32 fp4 numbers" */
    if (p->x->unit && p->x->unit->kind != RK_WORD_UNIT_SCALE && !p->y->unit && after &&
        (after->kind == RK_TOKEN_WORD || after->kind == RK_TOKEN_SYMBOL))
        return true;
    if (rk_pair_is_of_two_rates(p))
        return false;
    /* "989e12 × 1024 × 86400 ≈ 8.75 × 10¹⁹ FLOPs/day": the seconds of a day are multiplied with. */
    if (!p->x->rate && p->y->rate && rk_pair_has_number(p, p->x, (double)p->y->rate->num / (double)p->y->rate->den))
        return false;
    if (p->x->rate != p->y->rate && (p->x->rate ? p->x->rate->num : 1) != (p->y->rate ? p->y->rate->num : 1))
        return true;
    /* "39 ms = 25.6 tokens/s": neither is a form of the other. */
    if (p->x->literal.is && p->y->literal.is && (p->x->unit || p->y->unit) && !has_sure_units(p) &&
        !rk_pair_is_restated(p) && !rk_pair_is_scale(p) &&
        ((!scales && (!p->x->unit || !p->y->unit)) || rk_pair_distance(p, p->v) > log(1.5)))
        return true;
    if (is_quotient_of_one(p) || (p->y->timed && (rk_pair_is_in_seconds(p, p->x) || rk_pair_is_told_seconds(p, p->x))))
        return false;
    if (p->x->unit && p->y->unit && p->x->unit->kind != p->y->unit->kind && p->x->unit->kind != RK_WORD_UNIT_SCALE &&
        p->y->unit->kind != RK_WORD_UNIT_SCALE)
        return true; /* "160 × 1.5 / 25 GB/s ≈ 10.9 ms": of what is divided it is not said */
    /* No unit of time is as little as half or twice another. */
    return p->x->timed != p->y->timed && rk_pair_distance(p, p->v) > log(2);
}

/* "3,614,080 GB / 16 bytes = 226 billion": both say what they are of. */
static bool is_quotient_of_bytes(const rk_pair *p)
{
    const rk_audit_token *t = p->a->lexed.token.at;
    size_t n[2] = {0}, strokes = 0;

    for (size_t i = p->x->from; i < p->y->from; i++) {
        const rk_word_unit *u = t[i].kind == RK_TOKEN_WORD || t[i].kind == RK_TOKEN_SYMBOL
                                    ? rk_lexicon_unit(p->a->lexicon, p->a->scan.text + t[i].at, t[i].n)
                                    : NULL;

        strokes += t[i].kind == RK_TOKEN_SIGN && t[i].op == '/';
        if (u && u->kind == RK_WORD_UNIT_BYTES && strokes < 2)
            n[strokes]++;
    }
    return strokes == 1 && n[0] == 1 && n[1] == 1 && p->y->unit && p->y->unit->kind == RK_WORD_UNIT_SCALE;
}

/*
 * Sides a power of 1,000 or of 1,024 apart, and nothing says of one of them in which unit it is: "2 × 997 = 1.99 GB",
 * "0.03 + 0.75 = 0.78 ms".  Whole numbers multiplied with each other, and a result of which all digits before the point
 * are written, leave nothing open; nor does a result in GB that is less than they are, whatever their unit.
 */
static bool is_scaled(const rk_pair *p)
{
    const double most = 0.05;
    double near = fmin(2 * (rk_pair_loosely(p, p->x) + rk_pair_loosely(p, p->y)) + 1e-3, most), off = rk_pair_factor(p),
           x, y;
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
                   rk_pair_signs(p, p->x, '*') >= 3 &&
                   rk_pair_signs(p, p->x, '*') + rk_pair_signs(p, p->x, '+') == rk_pair_signs(p, p->x, 0);

    /* "2 × d_model = 8.19 M": a size that the text gives with all of its digits is no thousand of anything. */
    bool sized = p->x->n_symbol > 0 && p->x->slack == 0 && p->y->n_symbol == 0 && !p->v->rough && p->y->unit &&
                 p->y->unit->kind == RK_WORD_UNIT_SCALE && rk_pair_signs(p, p->x, '/') == 0;

    return !less && !has_sure_units(p) && !written && !told && !counted && !sized && !is_quotient_of_bytes(p) &&
           !rk_pair_is_told_quotient(p, p->x) && !rk_pair_is_scale(p) && !rk_pair_is_restated(p) &&
           (rk_ratio_is_power(off, near) || rk_ratio_is_power(2 * off, near) || rk_ratio_is_power(off / 2, near));
}

/* "a × b × 2", "2 × 80 × 64 × 128 × 2 (fp16)": one of these is bytes for each number. */
static bool has_bytes_factor(const rk_pair *p)
{
    const rk_audit_token *t = p->a->lexed.token.at;
    size_t twos = 0, last = p->x->from;

    for (size_t i = p->x->from; i < p->x->to; i++) {
        double n = t[i].kind == RK_TOKEN_NUMBER ? rk_pair_number(p, i) : 0;

        last = n > 0 && !(t[i - (i > 0)].kind == RK_TOKEN_SIGN && t[i - (i > 0)].op == '^') ? i : last;
        twos += (n == 2 || n == 4) && last == i;
    }
    if (rk_pair_number(p, last) != 2 && rk_pair_number(p, last) != 4)
        return rk_pair_signs(p, p->x, '*') > 2 && twos > 1;
    return rk_pair_signs(p, p->x, '*') > 1;
}

/* "3,712 × 1 = 15 KB": how many bytes each of the numbers takes is not written; and G may be of bits. */
static bool is_in_bytes(const rk_pair *p)
{
    double near = rk_pair_loosely(p, p->x) + rk_pair_loosely(p, p->y) + 5e-3, x, y, binary = 1;
    rk_i128 num, den;

    if ((p->x->unit && p->x->unit->kind != RK_WORD_UNIT_SCALE) || !p->y->unit || p->y->unit->kind != RK_WORD_UNIT_BYTES)
        return false;
    if (p->x->n_symbol > 0)
        return rk_pair_ratio(p, &num, &den) && den == 1 && (num == 2 || num == 4 || num == 8);
    if (has_bytes_factor(p))
        return false;
    if (!rk_side_double(p->a->pool, p->x->value, &x) || !rk_side_double(p->a->pool, p->y->value, &y) || x <= 0)
        return false;
    for (int i = 0; i < p->y->unit->power && !p->y->unit->binary; i++)
        binary *= 1.024;
    for (int bytes = 2; bytes <= 16; bytes *= 2)
        if (fabs(y / x / bytes - 1) < near || fabs(y * binary / x / bytes - 1) < near)
            return true;
    return fabs(8 * y / x - 1) < near || fabs(8 * y * binary / x - 1) < near;
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
    const double hundred = 100;

    return !rk_pair_has_number(p, p->x, hundred) && p->y->unit && !p->x->unit && !is_more(p);
}

/* Whether a number is a factor of the left side: what it stands for is not left out. */
static bool stands(const rk_pair *p, double factor)
{
    const rk_audit_token *t = p->a->lexed.token.at;

    for (size_t i = p->x->from; i < p->x->to; i++)
        if (t[i].kind == RK_TOKEN_NUMBER && rk_pair_number(p, i) == factor &&
            !(i > p->x->from && t[i - 1].kind == RK_TOKEN_SIGN && t[i - 1].op != '*'))
            return true;
    return false;
}

/* "On each GPU: 64 × 2.6 GB ≈ 21 GB", of eight of them: 2, 4 … 64 of something share it. */
static bool is_shared(const rk_pair *p)
{
    enum {
        MOST = 64
    };
    const char *text = p->a->scan.text;
    uint32_t from = rk_pair_line_begin(p), at = p->a->lexed.token.at[p->x->from].at;

    for (int by = 2; by <= MOST; by *= 2)
        if (rk_pair_is_off_by(p, by))
            return !is_more(p) && rk_lexicon_in(p->a->lexicon, RK_WORDS_SHARED, text + from, at - from) != 0;
    return false;
}

/* Factors that people leave unwritten, and where: per cent, seconds of a longer time, a MAC's two operations. */
static bool is_usual_factor(const rk_pair *p)
{
    static const double periods[] = {60, 3600, 24, 1440, 86400, 7, 30, 30.44, 365, 365.25, 12, 52};
    const rk_audit_token *after = rk_pair_after(p);
    bool word = after && (after->kind == RK_TOKEN_WORD || after->kind == RK_TOKEN_SYMBOL);
    bool share = (p->x->unit && p->x->unit->kind == RK_WORD_UNIT_SHARE) ||
                 (p->y->unit && p->y->unit->kind == RK_WORD_UNIT_SHARE);
    bool timed = p->x->timed || p->y->timed || p->x->rate || p->y->rate;

    if (rk_pair_is_off_by(p, 100) && (share || !p->y->unit) && !is_hundredth(p))
        return true;
    if ((share && is_change(p)) || is_shared(p))
        return true;
    for (size_t i = 0; i < sizeof periods / sizeof *periods && (timed || (word && !p->y->unit)); i++)
        if (rk_pair_is_off_by(p, periods[i]) && p->x->slack + p->y->slack + (timed ? 1 : 0) > 0)
            return true;
    return !p->x->unit && p->y->unit && p->y->unit->kind == RK_WORD_UNIT_FLOPS && is_more(p) &&
           ((rk_pair_is_off_by(p, 2) && !stands(p, 2)) || (rk_pair_is_off_by(p, 3) && !stands(p, 3)) ||
            (rk_pair_is_off_by(p, 6) && !stands(p, 6)));
}

/* How many powers of 1.024 less a result in GiB is, where KB are thousands. */
static int powers_between(const rk_pair *p)
{
    const rk_word_unit *u = p->x == p->v->as_left ? p->x->unit : p->y->unit; /* with both in powers of 1,024 */

    return u ? u->power : 0;
}

/*
 * "2 × 80 × 8 × 128 × 4096 × 2 = 1.28 GB", "320 KB × 4096 = 1.28 GB": whole numbers on the left, alone or of KB, and a
 * result of three digits and more, which is less than it is in GB, and neither that in GiB.
 */
static bool is_in_neither_power(const rk_pair *p)
{
    enum {
        SIGNS_LEAST = 3
    };
    const double three_digits = 100, sharp = 0.005;
    size_t signs = p->x->unit ? 1 : SIGNS_LEAST;
    double size, found;

    if (p->x->unit &&
        (p->x->unit->kind != RK_WORD_UNIT_BYTES || p->x->unit->power == 0 || p->x->unit->binary || p->x->mixed ||
         !rk_side_double(p->a->pool, p->x->value, &found) || !rk_side_double(p->a->pool, p->y->value, &size) ||
         found < size || p->x->slack > sharp * found || fabs(found / size / pow(1.024, powers_between(p)) - 1) < sharp))
        return false; /* GiB of thousands */
    return (p->x->unit || p->x->slack == 0) && p->x->n_symbol == 0 && p->y->literal.is && !p->y->about &&
           !p->y->literal.about && rk_pair_signs(p, p->x, '*') >= signs &&
           rk_pair_signs(p, p->x, '*') == rk_pair_signs(p, p->x, 0) && rk_side_double(p->a->pool, p->y->value, &size) &&
           size / p->y->literal.unit >= three_digits;
}

/* "114,688 bytes ≈ 0.112 MB": divided by 1,024 once, and by 1,000 once. */
bool rk_pair_is_of_mixed_powers(const rk_pair *p)
{
    const rk_word_unit *u = p->y->unit ? p->y->unit : p->x->unit; /* "68.4 GB / 40,960 bytes = 1,750,000" */
    bool mixed = u && !p->x->literal.is && p->x->unit && p->x->unit->kind == u->kind && p->x->unit->binary != u->binary;
    double x, y, near = rk_pair_loosely(p, p->x) + rk_pair_loosely(p, p->y) + 1e-4;

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

/* "2 × 1024 × 32B = 64 TFLOPs": 1,024 tokens were taken for a thousand. */
static bool is_thousand_of_1024(const rk_pair *p)
{
    enum {
        K = 1024
    };

    return rk_pair_has_number(p, p->x, K) && p->y->literal.is && p->y->literal.rounded &&
           rk_pair_is_off_by(p, (double)K / 1000);
}

/* "… / 1,073,741,824 = 19 GB": in which powers it is, is worked out. */
bool rk_pair_divides_by_power(const rk_pair *p)
{
    static const double powers[] = {1024, 1048576, 1073741824, 1e6, 1e9, 1e12};
    const rk_audit_token *t = p->a->lexed.token.at;

    for (size_t i = p->x->from; i + 1 < p->x->to; i++)
        for (size_t k = 0; k < sizeof powers / sizeof *powers && t[i].kind == RK_TOKEN_SIGN && t[i].op == '/'; k++)
            if (t[i + 1].kind == RK_TOKEN_NUMBER && rk_pair_number(p, i + 1) == powers[k])
                return true;
    return false;
}

static bool is_perhaps_mixed(const rk_pair *p)
{
    if (p->x->slack == 0 && rk_pair_divides_by_power(p))
        return false;
    return (rk_pair_is_of_mixed_powers(p) && !is_in_neither_power(p)) || is_thousand_of_1024(p);
}

/* "25 × (1000 ÷ 32) = 775": 31 steps of an epoch, and no 31.25.  A quotient alone is the result. */
static bool is_rounded_inside(const rk_pair *p)
{
    const rk_audit_token *t = p->a->lexed.token.at;
    double off = rk_pair_signs(p, p->x, 0) > 1 ? rk_pair_factor(p) : 0;

    for (size_t i = p->x->from; i + 2 < p->x->to && off > 0; i++) {
        double a = rk_pair_number(p, i), b = rk_pair_number(p, i + 2), q;

        if (t[i + 1].kind != RK_TOKEN_SIGN || t[i + 1].op != '/' || a <= 0 || b <= 0)
            continue;
        q = a / b;
        if (q > 1 && q != floor(q) && off <= (floor(q) + 1) / floor(q) &&
            (rk_pair_is_off_by(p, q / floor(q)) || rk_pair_is_off_by(p, ceil(q) / q) ||
             rk_pair_is_off_by(p, round(q) / q)))
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
        if (u && u->kind == RK_WORD_UNIT_SCALE && rk_pair_number(p, i) > 0)
            off += 0.5 / rk_pair_number(p, i);
    }
    return off;
}

/* "≈ 47" for 44.9: two digits that do not claim to be exact; "4 × ~100 × 2 = 770". */
static bool is_said_roughly(const rk_pair *p)
{
    bool binary = p->y->unit && p->y->unit->binary && p->x->slack == 0 && p->x->computed && p->x->n_symbol == 0;
    const double tenth = 0.1, fifth = 0.2, digits_few = 100;
    const rk_literal *said = p->y->literal.is ? &p->y->literal : &p->x->literal;
    const rk_audit_token *t = p->a->lexed.token.at;
    double size;

    if (binary) /* "67,891,136 + 75,776 ≈ 68 MiB" is that many MB */
        return false;
    for (size_t i = p->x->from; i < p->x->to && rk_pair_factor(p) <= 1 + fifth; i++)
        if (t[i].kind == RK_TOKEN_NUMBER && t[i].about && t[i].op != '=') /* "≈ 4 × 5" is so of the result */
            return true;
    if (rk_pair_factor(p) > 0 && rk_pair_factor(p) <= 1 + scale_rounding(p))
        return true;
    return said->is && (said->about || p->y->about) && rk_pair_factor(p) <= 1 + tenth &&
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

/* "8192 × 768 × 4 = 52.2 MB" for 25.2: the digits of the result in another order, or but for one, in its unit. */
static bool is_misspelt(const rk_pair *p)
{
    const double digits_most = 1e15;
    const rk_side *y = p->v->as_left ? p->v->as_right : p->y;
    double x, said, unit = y->literal.unit;

    if (!y->literal.is || unit <= 0 || p->x->literal.is || !rk_side_double(p->a->pool, p->v->left, &x) ||
        !rk_side_double(p->a->pool, p->v->right, &said) || x / unit > digits_most || said / unit > digits_most)
        return false;
    return p->x->slack <= unit && rk_judge_misspelt((rk_i128)llround(x / unit), (rk_i128)llround(said / unit));
}

/* "10 × 2.46M = 250M": a point in the wrong place of a result that is rounded. */
static bool is_off_by_tens(const rk_pair *p, double off)
{
    const double near_most = 0.06;
    const rk_literal *said = &p->y->literal;
    double size, tens = pow(10, round(log10(off)));

    return said->is && tens > 1 && rk_side_double(p->a->pool, p->y->value, &size) && size > 0 &&
           fabs(off / tens - 1) <= fmin(said->coarse / 2 / size, near_most);
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
           p->y->unit->kind != RK_WORD_UNIT_SHARE && rk_pair_factor(p) > near &&
           !(p->y->timed && rk_pair_is_told_seconds(p, p->x)) && !is_misspelt(p) &&
           !(is_off_by_tens(p, rk_pair_factor(p)) && rk_pair_is_off_by(p, 10)) && /* no unit is ten of another */
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
    if (signs + strokes >= SIGNS_MANY && signs + strokes == rk_pair_signs(p, p->x, 0) && rk_pair_factor(p) < off_most)
        return true;
    for (size_t i = p->x->from; i + 1 < p->x->to; i++)
        if (t[i].kind == RK_TOKEN_SIGN && t[i].op == '/' && t[i + 1].kind == RK_TOKEN_NUMBER &&
            (rk_pair_number(p, i + 1) == 1024 || rk_pair_number(p, i + 1) == 1e9 || rk_pair_is_ten(p, i + 1)))
            return true;
    return false;
}

/* Whether one side is the other times a number that stands in it, as it is, or with its scale: 13.2B. */
static bool is_off_by_number(const rk_pair *p, size_t i)
{
    const rk_audit_token *t = &p->a->lexed.token.at[i + 1];
    const rk_word_unit *u = i + 1 < p->x->to && (t->kind == RK_TOKEN_WORD || t->kind == RK_TOKEN_SYMBOL)
                                ? rk_lexicon_unit(p->a->lexicon, p->a->scan.text + t->at, t->n)
                                : NULL;
    double n = rk_pair_number(p, i);

    return n > 1 && (rk_pair_is_off_by(p, n) || (u && u->kind == RK_WORD_UNIT_SCALE && u->power > 0 &&
                                                 rk_pair_is_off_by(p, n * pow(1000, u->power))));
}

/* "4.12e21 / 2.475e14 ≈ 6.16e7": all of it says how large it is, and no time is left unwritten. */
static bool is_told(const rk_pair *p)
{
    static const double periods[] = {60, 3600, 24, 1440, 86400, 7, 30, 365};

    if (p->x->unit || p->y->unit || !rk_pair_is_told_quotient(p, p->x) || !rk_pair_tells_size(p, p->y))
        return false;
    for (size_t i = 0; i < sizeof periods / sizeof *periods; i++)
        if (rk_pair_is_off_by(p, periods[i]))
            return false;
    return true;
}

/* "80 × 2 × 8 × 128 × 2 bytes = 3.28 MiB": the digits are those of MB, and the point is in the wrong place. */
static bool is_off_by_tens_in_thousands(const rk_pair *p)
{
    const double three_digits = 100;
    double off = rk_pair_factor(p), size;

    return p->y->unit && p->y->unit->binary && p->x->slack == 0 && off > 1 &&
           rk_side_double(p->a->pool, p->y->value, &size) && size / p->y->literal.unit >= three_digits &&
           (is_off_by_tens(p, off / pow(1.024, p->y->unit->power)) ||
            is_off_by_tens(p, off * pow(1.024, p->y->unit->power)));
}

/* "4 × 4096 × 2048 × 4 bytes = 512 MB": four times as much, in powers of 1,024. */
static bool is_off_by_twos_in_1024(const rk_pair *p)
{
    const double exact = 2e-3, most = 64;
    double off = rk_pair_factor(p), size;

    if (off <= 0 || p->x->slack > 0 || p->x->n_symbol > 0 || !p->y->unit || p->y->unit->kind != RK_WORD_UNIT_BYTES ||
        p->y->unit->binary || p->y->unit->power == 0 || !rk_side_double(p->a->pool, p->y->value, &size))
        return false;
    for (int up = 0; up < 2; up++) {
        double by = up ? off * pow(1.024, p->y->unit->power) : off / pow(1.024, p->y->unit->power);

        if (by > 1.5 && by <= most && fabs(by / pow(2, round(log2(by))) - 1) < exact + p->y->literal.unit / 2 / size)
            return true;
    }
    return false;
}

/*
 * "3 × 2 × 8 × 1024 × 4096 × 10922 ≈ 0.55 GFLOPs": less than the product, in a unit that stands there.  What people
 * leave unwritten makes it more, but for a number of devices or of layers.
 */
static bool is_less_than_product(const rk_pair *p)
{
    enum {
        SIGNS_LEAST = 4
    };
    const double shared_most = 256, exact = 1e-3;
    size_t signs = rk_pair_signs(p, p->x, '*') + rk_pair_signs(p, p->x, '^');

    return signs >= SIGNS_LEAST && signs + rk_pair_signs(p, p->x, '/') == rk_pair_signs(p, p->x, 0) &&
           p->x->n_symbol == 0 && rk_pair_loosely(p, p->x) < exact && p->y->unit && p->y->unit->power > 0 &&
           (p->y->unit->kind == RK_WORD_UNIT_FLOPS || p->y->unit->kind == RK_WORD_UNIT_BYTES) && !is_more(p) &&
           rk_pair_factor(p) > shared_most;
}

/*
 * What people do: a digit or a term is wrong, which is not much; a point is in the wrong place; a factor of 2 or 3, or
 * one that stands there, is left out or taken twice.  What is off by anything else is of something else.
 */
static bool is_unexplained(const rk_pair *p)
{
    const double near = 2.2;        /* twice, and GB for GiB */
    const double size_least = 30;   /* powers of two that may be a size: "128 sequences × 10K steps = 327 M tokens" */
    const double slip_most = 2e6;   /* a million, which someone has left out */
    const double power_most = 5000; /* a power of two beyond that is a size, and stands there */
    const rk_audit_token *t = p->a->lexed.token.at;
    double off = rk_pair_factor(p);
    bool few = rk_pair_signs(p, p->x, '*') < 3; /* factors, beside which one may be unwritten */
    rk_i128 x, y;

    if (off == 0)
        return !rk_pair_is_of_terms(p);
    /* "470 s per step × 400,000 steps = 5.4 days", "1.75e26 / 38e15 = 51 million s": all of it is said. */
    if (p->y->timed && has_sure_units(p))
        return false;
    if (off < near || is_off_by_tens_in_thousands(p) || is_off_by_twos_in_1024(p) || is_less_than_product(p) ||
        is_misspelt(p) || is_off_by_tens(p, off) || is_told(p) || rk_pair_is_count_of_bytes(p) || rk_pair_is_scale(p) ||
        rk_pair_is_telling(p) ||
        (rk_ex_is_int(p->a->pool, p->v->left, &x) && rk_ex_is_int(p->a->pool, p->v->right, &y) &&
         rk_judge_misspelt(x, y)) ||
        rk_pair_is_off_by(p, 3) ||
        (off < slip_most && ((rk_pair_is_off_by(p, pow(2, round(log2(off)))) && (off < power_most || is_more(p)) &&
                              !(off > size_least && few && is_more(p))) ||
                             rk_pair_is_off_by(p, pow(10, round(log10(off)))))))
        return false;
    for (size_t i = p->x->from; i < p->x->to; i++)
        if (t[i].kind == RK_TOKEN_NUMBER && is_off_by_number(p, i))
            return false;
    return !is_in_unit_by_hand(p);
}

/* "123 + 456 = 975": what learns to add is often taught to write the last digit first. */
static bool is_reversed(const rk_pair *p)
{
    enum {
        LEAST = 100
    };
    rk_i128 found, stated, back = 0;

    if (!rk_ex_is_int(p->a->pool, p->v->left, &found) || !rk_ex_is_int(p->a->pool, p->v->right, &stated) ||
        found < LEAST || stated < LEAST)
        return false;
    for (rk_i128 rest = found; rest > 0 && back <= stated; rest /= 10)
        back = back * 10 + rest % 10;
    return back == stated;
}

/* "2 × 1,600 × 1,024² = 6.71 GLOPs": a word with several capitals behind the result may be its unit. */
static bool is_of_unknown_unit(const rk_pair *p)
{
    const double near = 0.005;
    const rk_audit_token *after = rk_pair_after(p);
    size_t capitals = 0;

    for (size_t i = 0; after && after->kind == RK_TOKEN_WORD && i < after->n; i++) {
        char c = p->a->scan.text[after->at + i];

        capitals += c >= 'A' && c <= 'Z';
    }
    return capitals > 1 && !p->y->unit &&
           !rk_lexicon_is(p->a->lexicon, RK_WORDS_THING, p->a->scan.text + after->at, after->n) &&
           rk_ratio_is_power(rk_pair_factor(p), near + rk_pair_loosely(p, p->y));
}

/* "8K × $3.50 = $0.03": a price may be one of a million. */
static bool is_of_price(const rk_pair *p)
{
    const double near = 0.005;
    const rk_audit_token *t = p->a->lexed.token.at;
    bool price = false;

    for (size_t i = p->x->from; i < p->y->to; i++)
        price |= t[i].kind == RK_TOKEN_NUMBER && t[i].at > 0 && p->a->scan.text[t[i].at - 1] == '$' &&
                 t[i].mode != RK_MODE_MATH;
    return price && rk_ratio_is_power(rk_pair_factor(p), near + rk_pair_loosely(p, p->y));
}

/* "500 rows × 20 columns = 40,000 tokens": of each of what is counted there may be so many. */
static bool is_of_other_things(const rk_pair *p)
{
    enum {
        EACH_MOST = 16
    };
    const rk_audit_token *t = p->a->lexed.token.at, *after = rk_pair_after(p);
    double off = rk_pair_factor(p);
    size_t words = 0;

    if (!after || after->kind != RK_TOKEN_WORD || p->y->unit || p->x->unit || !is_more(p) || off > EACH_MOST ||
        fabs(off - round(off)) > 1e-9)
        return false;
    for (size_t i = p->x->from; i < p->x->to; i++) {
        words += t[i].kind == RK_TOKEN_WORD;
        if (t[i].kind == RK_TOKEN_WORD && t[i].n == after->n &&
            memcmp(p->a->scan.text + t[i].at, p->a->scan.text + after->at, after->n) == 0)
            return false;
    }
    return words > 1;
}

static const rk_reason reason[] = {
    {is_of_other_things, 0, RK_OF_MEANING, "perhaps with so many for each that are not written"},
    {is_of_price, 0, RK_OF_MEANING, "perhaps at a price for more than one"},
    {is_of_unknown_unit, 0, RK_OF_MEANING, "perhaps in a unit that is not known"},
    {is_reversed, 0, RK_OF_MEANING, "with its digits in the reverse order, perhaps on purpose"},
    {RK_EITHER(mixed), RK_OF_MEANING, "perhaps in a unit that is not written"},
    {divides_by_more, 0, RK_OF_MEANING, "perhaps divided by all that follows the stroke"},
    {is_scaled, 0, RK_OF_MEANING, "perhaps in a unit that is not written"},
    {is_without_unit, 0, RK_OF_MEANING, "of numbers whose unit is not written"},
    {is_in_bytes, 0, RK_OF_MEANING, "perhaps with bytes for each that are not written, or in bits"},
    {is_other_unit, 0, RK_OF_MEANING, "perhaps in another unit of time, or in bits"},
    {is_perhaps_mixed, 0, RK_OF_MEANING, "perhaps with powers of 1,000 and of 1,024 mixed"},
    {is_usual_factor, 0, RK_OF_MEANING,
     "perhaps with something that is not written: per cent, a change, a time, two operations of a MAC"},
    {is_ladder, 0, RK_OF_MEANING, "numbers of different things"},
    {is_said_before, 0, RK_OF_MEANING, "a factor may stand in the words before it"},
    {is_said_after, 0, RK_OF_MEANING, "a factor may stand in the words after it"},
    {is_rounded_inside, 0, RK_OF_MEANING, "perhaps rounded on the way"},
    {is_said_roughly, 0, RK_OF_MEANING, "about right"},
    {is_unexplained, 0, RK_OF_MEANING, "so far off that it may be of something else"},
};

const rk_reasons rk_reasons_unwritten = {reason, sizeof reason / sizeof *reason};
