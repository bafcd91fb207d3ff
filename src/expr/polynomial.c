/* SPDX-License-Identifier: MIT */
/*
 * expr/polynomial.c - an expression as a polynomial in one of its symbols.
 *
 * Many costs are one: 8BSD² + 4BS²D is 4BD·S² + 8BD²·S.  A window makes two of it, one up to its width and one beyond.
 */
#include "expr/pool.h"

/* ---- coefficients ---------------------------------------------------------------------------------------------- */

static bool follows_from(rk_pool *p, rk_sym defined, rk_sym s)
{
    rk_ex definition = p->sym.at[defined].definition;

    return definition != RK_EX_FAILED && rk_ex_has_sym(p, rk_ex_expand_defs(p, definition), s);
}

/*
 * With the definitions put in that lead to a symbol (T = S), and no others.  A definition may bring in others, but in
 * no cycle: as many rounds as there are symbols are enough.
 */
static rk_ex in_terms_of(rk_pool *p, rk_ex e, rk_sym s)
{
    rk_ex before = RK_EX_FAILED;

    while (e != before && !rk_ex_failed(p, e)) {
        before = e;
        for (rk_sym d = 0; d < p->sym.n; d++)
            if (d != s && rk_ex_has_sym(p, e, d) && follows_from(p, d, s))
                e = rk_ex_subst(p, e, d, p->sym.at[d].definition);
    }
    return e;
}

/* The power of s in a product; -1: it is in a function or below a line. */
static int power_in(rk_pool *p, uint32_t product, rk_sym s)
{
    int power = 0;
    size_t n;
    const rk_factor *f = rk_factors(p, product, &n);

    for (size_t i = 0; i < n; i++) {
        if (f[i].atom == p->sym.at[s].atom)
            power = f[i].power;
        else if (rk_ex_has_sym(p, rk_ex_atom(p, f[i].atom), s))
            return -1;
    }
    return power < 0 ? -1 : power;
}

bool rk_ex_coefficients(rk_pool *p, rk_ex e, rk_sym s, rk_ex *out, size_t most, size_t *n)
{
    size_t n_term;
    const rk_term *t;

    e = in_terms_of(p, e, s);
    if (rk_ex_failed(p, e))
        return false;
    for (size_t k = 0; k < most; k++)
        out[k] = rk_ex_int(p, 0);
    *n = 0;
    t = rk_terms(p, e, &n_term);
    for (size_t i = 0; i < n_term; i++) {
        int power = power_in(p, t[i].product, s);
        rk_ex term = rk_intern_ex(p, &t[i], 1);

        if (power < 0 || (size_t)power >= most)
            return false;
        out[power] = rk_ex_add(p, out[power], rk_ex_div(p, term, rk_ex_pow(p, rk_ex_sym(p, s), power)));
        *n = (size_t)power + 1 > *n ? (size_t)power + 1 : *n;
    }
    return true;
}

rk_ex rk_ex_primitive(rk_pool *p, rk_ex e)
{
    uint32_t product;
    rk_ratio coef;
    rk_ex primitive;

    if (rk_ex_failed(p, e) || rk_ex_term_count(p, e) == 0 || !rk_ex_content(p, e, &product, &coef, &primitive))
        return e;
    return coef.num < 0 ? rk_ex_sub(p, rk_ex_int(p, 0), primitive) : primitive;
}

/* ---- minima and maxima ----------------------------------------------------------------------------------------- */

typedef struct deciding {
    rk_pool *pool;
    rk_sym s;
    const rk_binding *at;
    rk_i128 until; /* the choices hold below it */
} deciding;

/* The number of a coefficient, which is free of s; false: it has none. */
static bool number_of(const deciding *d, rk_ex e, rk_ratio *out)
{
    return rk_ex_eval_ratio(d->pool, e, d->at, &out->num, &out->den, NULL) == RK_OK;
}

/* Which argument a minimum or maximum of two is at the number of s, and how long it stays that one. */
static bool decide_between(deciding *d, rk_atom f, rk_ex *out)
{
    rk_ex c[2];
    rk_ratio zero = rk_ratio_int(0), at_0, slope, here;
    rk_acc acc = {0};
    size_t n;
    int sign;

    if (!rk_ex_coefficients(d->pool, rk_ex_sub(d->pool, f.a, f.b), d->s, c, 2, &n))
        return false;
    if (!number_of(d, c[0], &at_0) || !number_of(d, c[1], &slope))
        return false;
    here = rk_ratio_add(&acc, at_0, rk_ratio_mul(&acc, slope, rk_ratio_int(d->at->value[d->s])));
    sign = rk_ratio_compare(&acc, here, zero);
    if (slope.num != 0 && sign != 0 && (sign < 0) == (slope.num > 0)) {
        rk_ratio root = rk_ratio_mul(&acc, rk_ratio_int(-1), rk_ratio_mul(&acc, at_0, rk_ratio_inverse(&acc, slope)));
        rk_i128 until = rk_add(&acc, rk_floor_div(&acc, root.num, root.den), 1);

        d->until = until < d->until ? until : d->until;
    } else if (sign == 0) {
        sign = slope.num > 0 ? 1 : -1;
    }
    *out = (sign < 0) == (f.kind == RK_ATOM_MIN) ? f.a : f.b;
    return !acc.overflow;
}

/* A product with its minima and maxima of s decided. */
static rk_ex decide_product(deciding *d, uint32_t product)
{
    rk_pool *p = d->pool;
    rk_ex all = rk_ex_int(p, 1);
    size_t n;

    rk_factors(p, product, &n);
    for (size_t i = 0; i < n && all != RK_EX_FAILED; i++) {
        rk_factor f = rk_factors(p, product, &n)[i];
        rk_atom a = rk_atom_at(p, f.atom);
        rk_ex base = rk_ex_atom(p, f.atom);

        if ((a.kind == RK_ATOM_MIN || a.kind == RK_ATOM_MAX) && rk_ex_has_sym(p, base, d->s) &&
            (f.power < 0 || !decide_between(d, a, &base)))
            return RK_EX_FAILED;
        all = rk_ex_mul(p, all, rk_ex_pow(p, base, f.power));
    }
    return all;
}

rk_ex rk_ex_decide(rk_pool *p, rk_ex e, rk_sym s, const rk_binding *at, rk_i128 *until)
{
    deciding d = {.pool = p, .s = s, .at = at, .until = RK_I128_MAX};
    rk_ex sum = rk_ex_int(p, 0);
    size_t n;

    e = in_terms_of(p, e, s);
    if (rk_ex_failed(p, e))
        return RK_EX_FAILED;
    rk_terms(p, e, &n);
    for (size_t i = 0; i < n && sum != RK_EX_FAILED; i++) {
        rk_term t = rk_terms(p, e, &n)[i];
        rk_ex product = decide_product(&d, t.product);

        sum = product == RK_EX_FAILED ? RK_EX_FAILED
                                      : rk_ex_add(p, sum, rk_ex_scale(p, product, 0, rk_coef_at(p, t.coef)));
    }
    *until = d.until;
    return sum;
}
