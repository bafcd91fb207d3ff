/* SPDX-License-Identifier: MIT */
#include "expr/print.h"

#include <stdlib.h>
#include <string.h>

/* ---- common factors -------------------------------------------------------------------------------------------- */

static void keep_least(rk_print_term *common, const rk_print_term *t)
{
    size_t n = 0;

    for (size_t i = 0; i < common->n; i++) {
        rk_print_factor f = common->f[i];
        int32_t power = rk_print_power(t, f.atom);

        f.power = power < f.power ? power : f.power;
        if (f.power != 0)
            common->f[n++] = f;
    }
    common->n = n;
}

/* Adds what t divides by and the others do not: an absent atom has power 0, which is more. */
static void keep_negative(rk_print_term *common, const rk_print_term *t)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->f[i].power < 0 && rk_print_power(common, t->f[i].atom) == 0)
            common->f[common->n++] = t->f[i];
}

static size_t count_factors(const rk_print_sum *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++)
        n += s->t[i].n;
    return n;
}

static rk_ratio common_coef(const rk_print_sum *s)
{
    rk_ratio g = {.num = 0, .den = 1};
    rk_acc acc = {0};
    bool negative = true;

    for (size_t i = 0; i < s->n; i++) {
        rk_ratio c = s->t[i].coef;

        g.num = rk_gcd(g.num, c.num);
        g.den = rk_mul(&acc, g.den / rk_gcd(g.den, c.den), c.den);
        g.den = acc.overflow ? 1 : g.den;
        negative = negative && c.num < 0;
    }
    if (acc.overflow)
        return rk_ratio_int(1);
    g.num = negative ? -g.num : g.num;
    return g;
}

/* What would leave a power over the limit inside the bracket stays where it is: the text must be readable again. */
static void drop_too_high(rk_print_term *common, const rk_print_sum *s)
{
    size_t n = 0;

    for (size_t i = 0; i < common->n; i++) {
        bool fits = true;

        for (size_t k = 0; k < s->n && fits; k++)
            fits = rk_print_power(&s->t[k], common->f[i].atom) - common->f[i].power <= RK_EX_POWER_MAX;
        if (fits)
            common->f[n++] = common->f[i];
    }
    common->n = n;
}

/* The greatest common product of all terms, with the rational gcd of their coefficients. */
static bool rk_print_find_common(rk_printer *pr, const rk_print_sum *s, rk_print_term *common)
{
    *common = (rk_print_term){.coef = common_coef(s), .f = RK_NEW_ARRAY(pr->arena, count_factors(s), rk_print_factor)};
    if (!common->f)
        return false;
    for (size_t i = 0; i < s->t[0].n; i++)
        common->f[common->n++] = s->t[0].f[i];
    for (size_t i = 1; i < s->n; i++) {
        keep_least(common, &s->t[i]);
        keep_negative(common, &s->t[i]);
    }
    drop_too_high(common, s);
    /* What only the first divides by stays; what only the first multiplies by was removed above. */
    qsort(common->f, common->n, sizeof *common->f, rk_print_by_place);
    return true;
}

static bool divide_term(rk_printer *pr, const rk_print_term *t, const rk_print_term *by, rk_print_term *out)
{
    rk_acc acc = {0};

    *out = (rk_print_term){.f = RK_NEW_ARRAY(pr->arena, t->n + by->n, rk_print_factor)};
    if (!out->f)
        return false;
    out->coef = rk_ratio_mul(&acc, t->coef, rk_ratio_inverse(&acc, by->coef));
    for (size_t i = 0; i < t->n; i++) {
        out->f[out->n] = t->f[i];
        out->f[out->n].power -= rk_print_power(by, t->f[i].atom);
        out->n += out->f[out->n].power != 0;
    }
    for (size_t i = 0; i < by->n; i++)
        if (rk_print_power(t, by->f[i].atom) == 0) {
            out->f[out->n] = by->f[i];
            out->f[out->n++].power = -by->f[i].power;
        }
    qsort(out->f, out->n, sizeof *out->f, rk_print_by_place);
    return !acc.overflow;
}

/* The terms in the order they had. */
static rk_print_sum rk_print_divide(rk_printer *pr, const rk_print_sum *s, const rk_print_term *by)
{
    rk_print_sum out = {.t = RK_NEW_ARRAY(pr->arena, s->n, rk_print_term), .n = s->n};

    for (size_t i = 0; out.t && i < s->n; i++)
        if (!divide_term(pr, &s->t[i], by, &out.t[i]))
            return (rk_print_sum){0};
    return out.t ? out : (rk_print_sum){0};
}

/* (S + 63)/64 rather than S/64 + 63/64: what functions are given is read as one quotient. */
void rk_put_quotient(rk_printer *pr, const rk_print_sum *s)
{
    rk_print_term common;
    rk_print_sum above;
    size_t n = 0;

    if (s->n < 2 || !rk_print_find_common(pr, s, &common)) {
        rk_put_sum(pr, s);
        return;
    }
    common.coef.num = 1;
    for (size_t i = 0; i < common.n; i++)
        if (common.f[i].power < 0)
            common.f[n++] = common.f[i];
    common.n = n;
    above = rk_print_divide(pr, s, &common);
    if (above.n == 0 || (n == 0 && common.coef.den == 1)) {
        rk_put_sum(pr, s);
        return;
    }
    rk_str_put(pr->out, pr->latex ? "\\frac{" : "(");
    rk_put_sum(pr, &above);
    rk_str_putc(pr->out, pr->latex ? '}' : ')');
    if (pr->latex)
        rk_put_latex_below(pr, &common, rk_print_needs_dots(pr, &common, RK_SIDE_BELOW));
    else
        rk_put_below(pr, &common, rk_print_needs_dots(pr, &common, RK_SIDE_BELOW));
}

/* ---- the factored form ----------------------------------------------------------------------------------------- */

enum {
    GROUPED_MAX = 64
}; /* terms; longer sums gain nothing from brackets and would take long to try */

/* The symbol that occurs in most terms, but not in all; RK_NONE when none occurs twice. */
static uint32_t most_shared(const rk_printer *pr, const rk_print_sum *s)
{
    uint32_t best = RK_NONE;
    size_t most = 1;

    for (size_t i = 0; i < s->n; i++)
        for (size_t j = 0; j < s->t[i].n; j++) {
            const rk_print_factor *f = &s->t[i].f[j];
            size_t n = 0;

            for (size_t k = 0; k < s->n; k++)
                n += rk_print_power(&s->t[k], f->atom) > 0;
            if (rk_print_is_symbol(pr, f) && n > most && n < s->n) {
                best = f->atom;
                most = n;
            }
        }
    return best;
}

static rk_print_sum select_terms(rk_printer *pr, const rk_print_sum *s, uint32_t atom, bool with)
{
    rk_print_sum out = {.t = RK_NEW_ARRAY(pr->arena, s->n, rk_print_term)};

    for (size_t i = 0; out.t && i < s->n; i++)
        if ((rk_print_power(&s->t[i], atom) > 0) == with)
            out.t[out.n++] = s->t[i];
    return out;
}

static void print_plain(rk_printer *pr, const rk_print_sum *s, bool first)
{
    for (size_t i = 0; i < s->n; i++) {
        rk_put_sign(pr, s->t[i].coef.num < 0, first && i == 0);
        rk_put_term(pr, &s->t[i]);
    }
}

static void print_grouped(rk_printer *pr, const rk_print_sum *s, bool first);

/* Terms that share a symbol before the others, or after them when the first term is not among them. */
static void print_split(rk_printer *pr, const rk_print_sum *s, uint32_t atom, bool first)
{
    rk_print_sum with = select_terms(pr, s, atom, true), without = select_terms(pr, s, atom, false);

    if (rk_print_power(&s->t[0], atom) > 0) {
        rk_put_factored(pr, &with, first);
        print_grouped(pr, &without, false);
    } else {
        print_grouped(pr, &without, first);
        rk_put_factored(pr, &with, false);
    }
}

/* A sum without common factors: grouped when that is shorter to read. */
static void print_grouped(rk_printer *pr, const rk_print_sum *s, bool first)
{
    uint32_t atom = s->n > 2 && s->n <= GROUPED_MAX ? most_shared(pr, s) : RK_NONE;
    rk_str plain = {0}, split = {0}, *out = pr->out;

    if (atom == RK_NONE) {
        print_plain(pr, s, first);
        return;
    }
    pr->out = &plain;
    print_plain(pr, s, first);
    pr->out = &split;
    print_split(pr, s, atom, first);
    pr->out = out;
    rk_str_put(out, rk_text_width(rk_str_text(&split)) < rk_text_width(rk_str_text(&plain)) ? rk_str_text(&split)
                                                                                            : rk_str_text(&plain));
    out->failed |= plain.failed | split.failed;
    rk_str_free(&plain);
    rk_str_free(&split);
}

static bool ends_with(const rk_str *s, const char *word)
{
    size_t n = strlen(word);

    return s->n >= n && memcmp(s->text + s->n - n, word, n) == 0;
}

/* m·i·n before a bracket would be read as the function. */
static bool ends_like_function(const rk_str *s)
{
    return ends_with(s, "min") || ends_with(s, "max") || ends_with(s, "floor") || ends_with(s, "ceil");
}

/* The common product before the bracket, with the dot that it may need. */
static void put_prefix(rk_printer *pr, const rk_print_term *common, bool dots)
{
    rk_i128 coef = rk_print_absolute(common->coef.num);
    size_t n = rk_print_count_on(pr, common, RK_SIDE_ABOVE);
    bool dotted = dots && n > 0;

    if (coef == 1 && n == 0)
        return;
    rk_put_side(pr, common, RK_SIDE_ABOVE, coef, dots);
    for (size_t i = rk_print_next_on(pr, common, RK_SIDE_ABOVE, 0); i < common->n;
         i = rk_print_next_on(pr, common, RK_SIDE_ABOVE, i + 1))
        dotted = dotted || !rk_print_is_symbol(pr, &common->f[i]);
    if (dotted || (!pr->latex && ends_like_function(pr->out)))
        rk_put_dot(pr);
}

static void put_bracket(rk_printer *pr, const rk_print_sum *inside)
{
    rk_str_put(pr->out, pr->latex ? "\\left(" : "(");
    print_grouped(pr, inside, true);
    rk_str_put(pr->out, pr->latex ? "\\right)" : ")");
}

/* A LaTeX fraction holds its numerator together: it needs no brackets of its own. */
static void print_bracket_fraction(rk_printer *pr, const rk_print_term *common, const rk_print_sum *inside, bool dots)
{
    rk_str_put(pr->out, "\\frac{");
    put_prefix(pr, common, dots);
    if (rk_print_absolute(common->coef.num) == 1 && rk_print_count_on(pr, common, RK_SIDE_ABOVE) == 0)
        print_grouped(pr, inside, true);
    else
        put_bracket(pr, inside);
    rk_str_putc(pr->out, '}');
    rk_put_latex_below(pr, common, dots);
}

static void print_bracket(rk_printer *pr, const rk_print_term *common, const rk_print_sum *inside)
{
    bool dots = rk_print_term_dots(pr, common);

    if (pr->latex && rk_print_has_below(pr, common)) {
        print_bracket_fraction(pr, common, inside, dots);
        return;
    }
    put_prefix(pr, common, dots);
    put_bracket(pr, inside);
    rk_put_below(pr, common, dots);
}

static bool is_one(const rk_print_term *t)
{
    return t->n == 0 && t->coef.num == 1 && t->coef.den == 1;
}

/* 2BSD(4D + 2S + 3F); `first`: nothing stands before it. */
void rk_put_factored(rk_printer *pr, const rk_print_sum *s, bool first)
{
    rk_print_term common;
    rk_print_sum inside = {0};

    if (s->n > 1 && rk_print_find_common(pr, s, &common))
        inside = rk_print_divide(pr, s, &common);
    if (inside.n < 2) {
        print_plain(pr, s, first);
    } else if (is_one(&common)) {
        print_grouped(pr, s, first);
    } else {
        rk_put_sign(pr, common.coef.num < 0, first);
        print_bracket(pr, &common, &inside);
    }
}
