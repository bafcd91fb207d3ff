/* SPDX-License-Identifier: MIT */
/*
 * expr/divide.c - exact division of sums.
 *
 * Long division in several variables: the leading terms, in the lexicographic order of the atoms, are divided one by
 * one.  The first that does not divide ends the attempt, since only quotients without a remainder are wanted.
 */
#include "expr/pool.h"

enum {
    STEPS_MAX = 1024
}; /* terms of a quotient worth finding */

/* Lexicographic order of two products without negative powers. */
static int compare(const rk_pool *p, uint32_t x, uint32_t y)
{
    size_t nx, ny;
    const rk_factor *a = rk_factors(p, x, &nx), *b = rk_factors(p, y, &ny);

    for (size_t i = 0; i < nx && i < ny; i++) {
        if (a[i].atom != b[i].atom)
            return a[i].atom < b[i].atom ? 1 : -1;
        if (a[i].power != b[i].power)
            return a[i].power - b[i].power;
    }
    return (nx > ny) - (nx < ny);
}

static rk_term leading(const rk_pool *p, rk_ex e)
{
    size_t n;
    const rk_term *t = rk_terms(p, e, &n), *most = t;

    for (size_t i = 1; i < n; i++)
        if (compare(p, t[i].product, most->product) > 0)
            most = &t[i];
    return *most;
}

/* The quotient's terms one after the other, while the remainder shrinks. */
static rk_ex long_division(rk_pool *p, rk_ex a, rk_ex b)
{
    rk_term lead_b = leading(p, b);
    rk_ex q = RK_EX_ZERO;
    rk_acc acc = {0};

    for (int i = 0; a != RK_EX_ZERO; i++) {
        rk_term lead = leading(p, a);
        uint32_t product;
        const rk_factor *f;
        rk_ratio c, minus;
        size_t n;

        if (i == STEPS_MAX)
            return RK_EX_FAILED;
        product = rk_product_mul(p, lead.product, rk_product_pow(p, lead_b.product, -1));
        if (product == RK_NONE)
            return RK_EX_FAILED;
        f = rk_factors(p, product, &n);
        for (size_t k = 0; k < n; k++)
            if (f[k].power < 0)
                return RK_EX_FAILED;
        c = rk_ratio_mul(&acc, rk_coef_at(p, lead.coef), rk_ratio_inverse(&acc, rk_coef_at(p, lead_b.coef)));
        minus = rk_ratio_mul(&acc, c, rk_ratio_int(-1));
        a = acc.overflow ? RK_EX_FAILED : rk_ex_add(p, a, rk_ex_scale(p, b, product, minus));
        if (a == RK_EX_FAILED)
            return RK_EX_FAILED;
        q = rk_ex_add(p, q, rk_ex_scale(p, rk_ex_int(p, 1), product, c));
    }
    return q;
}

/* The greatest power of an atom in a sum without negative powers. */
static int32_t degree(const rk_pool *p, rk_ex e, uint32_t atom)
{
    size_t n;
    const rk_term *t = rk_terms(p, e, &n);
    int32_t most = 0;

    for (size_t i = 0; i < n; i++) {
        int32_t power = rk_product_power(p, t[i].product, atom);

        most = power > most ? power : most;
    }
    return most;
}

/* Degrees add when sums are multiplied: a divisor has in no atom a greater one.  This ends most attempts at once. */
static bool may_divide(const rk_pool *p, rk_ex a, rk_ex b)
{
    size_t n;
    uint32_t product = leading(p, b).product;
    const rk_factor *f = rk_factors(p, product, &n);

    for (size_t i = 0; i < n; i++)
        if (degree(p, a, f[i].atom) < degree(p, b, f[i].atom))
            return false;
    return rk_ex_term_count(p, a) > 1;
}

static rk_ex divide(rk_pool *p, rk_ex a, rk_ex b)
{
    uint32_t product_a, product_b;
    rk_ratio coef_a, coef_b;
    rk_acc acc = {0};
    rk_ex q;

    if (!rk_ex_content(p, a, &product_a, &coef_a, &a) || !rk_ex_content(p, b, &product_b, &coef_b, &b))
        return RK_EX_FAILED;
    if (!may_divide(p, a, b))
        return RK_EX_FAILED;
    q = long_division(p, a, b);
    coef_a = rk_ratio_mul(&acc, coef_a, rk_ratio_inverse(&acc, coef_b));
    product_a = rk_product_mul(p, product_a, rk_product_pow(p, product_b, -1));
    return acc.overflow ? RK_EX_FAILED : rk_ex_scale(p, q, product_a, coef_a);
}

rk_ex rk_ex_divide_exactly(rk_pool *p, rk_ex a, rk_ex b)
{
    int before = p->first.code;
    rk_ex q;

    if (a == RK_EX_ZERO || rk_ex_term_count(p, a) == 0)
        return a;
    q = divide(p, a, b);
    rk_pool_forgive(p, before);
    return q;
}

/* ---- quotients in a sum ---------------------------------------------------------------------------------------- */

/* The least quotient in e from `from` on, with its greatest power; false: there is none. */
static bool next_quotient(const rk_pool *p, rk_ex e, uint32_t from, rk_factor *out)
{
    size_t n, m;
    const rk_term *t = rk_terms(p, e, &n);

    *out = (rk_factor){.atom = RK_NONE};
    for (size_t i = 0; i < n; i++) {
        const rk_factor *f = rk_factors(p, t[i].product, &m);

        for (size_t k = 0; k < m; k++) {
            bool before = f[k].atom < out->atom || (f[k].atom == out->atom && f[k].power > out->power);

            if (before && f[k].atom >= from && f[k].power > 0 && rk_atom_at(p, f[k].atom).kind == RK_ATOM_QUOT)
                *out = f[k];
        }
    }
    return out->atom != RK_NONE;
}

/* e with its terms in exactly q^k divided once, if they divide; else e. */
static rk_ex cancel_one(rk_pool *p, rk_ex e, rk_factor q)
{
    rk_factor inverse = {.atom = q.atom, .power = -q.power};
    uint32_t without = rk_intern_product(p, &inverse, 1);
    size_t n;
    const rk_term *t = rk_terms(p, e, &n);
    rk_bag bag = rk_bag_open(p, n);
    rk_ex above, atom, quotient, less;

    for (size_t i = 0; i < n; i++)
        if (rk_product_power(p, t[i].product, q.atom) == q.power)
            rk_bag_put(&bag, rk_product_mul(p, t[i].product, without), rk_coef_at(p, t[i].coef));
    above = rk_bag_done(&bag);
    atom = rk_ex_atom(p, q.atom);
    if (rk_ex_term_count(p, above) < 2)
        return above == RK_EX_FAILED ? RK_EX_FAILED : e;
    quotient = rk_ex_divide_exactly(p, above, rk_atom_at(p, q.atom).a);
    if (quotient == RK_EX_FAILED)
        return e;
    less = rk_ex_mul(p, quotient, rk_ex_pow(p, atom, q.power - 1));
    return rk_ex_add(p, rk_ex_sub(p, e, rk_ex_mul(p, above, rk_ex_pow(p, atom, q.power))), less);
}

rk_ex rk_ex_cancel(rk_pool *p, rk_ex e)
{
    uint32_t from = 0;
    rk_factor q;

    while (e != RK_EX_FAILED && next_quotient(p, e, from, &q)) {
        rk_ex less = cancel_one(p, e, q);

        /* A lower power of the same quotient may divide now; without success the next one is tried. */
        if (less == e)
            from = q.atom + 1;
        e = less;
    }
    return e;
}
