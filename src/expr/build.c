/* SPDX-License-Identifier: MIT */
#include "expr/pool.h"

static const rk_ratio one = {.num = 1, .den = 1}, minus_one = {.num = -1, .den = 1};

/* ---- the smallest ones ----------------------------------------------------------------------------------------- */

static rk_ex single(rk_pool *p, uint32_t product, rk_ratio c)
{
    rk_term t = {.product = product, .coef = RK_NONE};

    if (product == RK_NONE)
        return RK_EX_FAILED;
    if (c.num == 0)
        return RK_EX_ZERO;
    t.coef = rk_intern_coef(p, c);
    return t.coef == RK_NONE ? RK_EX_FAILED : rk_intern_ex(p, &t, 1);
}

rk_ex rk_ex_int(rk_pool *p, rk_i128 n)
{
    return single(p, 0, rk_ratio_int(n));
}

static rk_ex fail_zero(rk_pool *p)
{
    return rk_pool_fail(p, RK_EVALUE, "division by zero");
}

static rk_ex fail_wide(rk_pool *p)
{
    return rk_pool_fail(p, RK_EOVERFLOW, "a coefficient exceeds 128 bits");
}

rk_ex rk_ex_ratio(rk_pool *p, rk_i128 numerator, rk_i128 denominator)
{
    rk_acc acc = {0};
    rk_ratio c;

    if (denominator == 0)
        return fail_zero(p);
    c = rk_ratio_make(&acc, numerator, denominator);
    return acc.overflow ? fail_wide(p) : single(p, 0, c);
}

rk_ex rk_ex_atom(rk_pool *p, uint32_t atom)
{
    rk_factor f = {.atom = atom, .power = 1};

    return atom == RK_NONE ? RK_EX_FAILED : single(p, rk_intern_product(p, &f, 1), one);
}

rk_ex rk_ex_sym(rk_pool *p, rk_sym s)
{
    if (s >= p->sym.n)
        return rk_pool_fail(p, RK_EUSAGE, "no such symbol");
    return rk_ex_atom(p, p->sym.at[s].atom);
}

/* ---- asking ---------------------------------------------------------------------------------------------------- */

size_t rk_ex_term_count(const rk_pool *p, rk_ex e)
{
    size_t n = 0;

    if (!rk_ex_failed(p, e))
        rk_terms(p, e, &n);
    return n;
}

bool rk_ex_is_whole(const rk_pool *p, rk_ex e)
{
    return !rk_ex_failed(p, e) && p->ex.item.at[e].whole;
}

bool rk_ex_is_ratio(const rk_pool *p, rk_ex e, rk_ratio *value)
{
    size_t n = rk_ex_term_count(p, e);
    const rk_term *t;

    if (rk_ex_failed(p, e) || n > 1)
        return false;
    t = rk_terms(p, e, &n);
    if (n == 1 && t->product != 0)
        return false;
    *value = n == 0 ? rk_ratio_int(0) : rk_coef_at(p, t->coef);
    return true;
}

bool rk_ex_is_int(const rk_pool *p, rk_ex e, rk_i128 *value)
{
    rk_ratio c;

    if (!rk_ex_is_ratio(p, e, &c) || c.den != 1)
        return false;
    *value = c.num;
    return true;
}

bool rk_ex_is_quotient(const rk_pool *p, rk_ex e, rk_i128 *num, rk_i128 *den)
{
    rk_ratio c;

    if (!rk_ex_is_ratio(p, e, &c))
        return false;
    *num = c.num;
    *den = c.den;
    return true;
}

bool rk_ex_is_atom(const rk_pool *p, rk_ex e, uint32_t kind, rk_atom *out)
{
    size_t n = rk_ex_term_count(p, e);
    const rk_term *t;
    const rk_factor *f;
    rk_ratio c;

    if (n != 1)
        return false;
    t = rk_terms(p, e, &n);
    c = rk_coef_at(p, t->coef);
    f = rk_factors(p, t->product, &n);
    if (c.num != 1 || c.den != 1 || n != 1 || f->power != 1)
        return false;
    *out = rk_atom_at(p, f->atom);
    return out->kind == kind;
}

bool rk_ex_is_sym(const rk_pool *p, rk_ex e, rk_sym *s)
{
    rk_atom atom;

    if (!rk_ex_is_atom(p, e, RK_ATOM_SYM, &atom))
        return false;
    *s = atom.a;
    return true;
}

bool rk_ex_has_sym(const rk_pool *p, rk_ex e, rk_sym s)
{
    uint64_t word[RK_SYMSET_MAX] = {0};

    if (rk_ex_failed(p, e) || s >= p->sym.n)
        return false;
    rk_ex_join_symbols(p, e, word);
    return word[s / 64] >> s % 64 & 1;
}

/* ---- sums and products ----------------------------------------------------------------------------------------- */

static rk_ex add_scaled(rk_pool *p, rk_ex a, rk_ex b, rk_ratio c)
{
    rk_bag bag;

    if (rk_ex_failed(p, a) || rk_ex_failed(p, b))
        return RK_EX_FAILED;
    if (b == RK_EX_ZERO)
        return a;
    bag = rk_bag_open(p, rk_ex_term_count(p, a) + rk_ex_term_count(p, b));
    rk_bag_put_sum(&bag, a, b, c);
    return rk_bag_done(&bag);
}

rk_ex rk_ex_add(rk_pool *p, rk_ex a, rk_ex b)
{
    if (a == RK_EX_ZERO && !rk_ex_failed(p, b))
        return b;
    return add_scaled(p, a, b, one);
}

rk_ex rk_ex_sub(rk_pool *p, rk_ex a, rk_ex b)
{
    return add_scaled(p, a, b, minus_one);
}

rk_ex rk_ex_scale(rk_pool *p, rk_ex e, uint32_t product, rk_ratio c)
{
    rk_bag bag;

    if (rk_ex_failed(p, e) || product == RK_NONE)
        return RK_EX_FAILED;
    bag = rk_bag_open(p, rk_ex_term_count(p, e));
    rk_bag_put_ex(&bag, e, product, c);
    return rk_bag_done(&bag);
}

static bool is_one(const rk_pool *p, rk_ex e)
{
    rk_ratio c;

    return rk_ex_is_ratio(p, e, &c) && c.num == 1 && c.den == 1;
}

rk_ex rk_ex_mul(rk_pool *p, rk_ex a, rk_ex b)
{
    size_t na = rk_ex_term_count(p, a), nb = rk_ex_term_count(p, b);
    const rk_term *t;
    rk_bag bag;

    if (rk_ex_failed(p, a) || rk_ex_failed(p, b))
        return RK_EX_FAILED;
    if (na == 0 || nb == 0)
        return RK_EX_ZERO;
    if (is_one(p, a))
        return b;
    if (is_one(p, b))
        return a;
    if (na > RK_EX_PAIRS_MAX / nb)
        return rk_pool_fail(p, RK_ELIMIT, "a product of sums of %zu and %zu terms", na, nb);
    bag = rk_bag_open(p, na * nb);
    t = rk_terms(p, a, &na);
    for (size_t i = 0; i < na; i++)
        rk_bag_put_ex(&bag, b, t[i].product, rk_coef_at(p, t[i].coef));
    return rk_bag_done(&bag);
}

/* ---- powers ---------------------------------------------------------------------------------------------------- */

static rk_ex pow_sum(rk_pool *p, rk_ex a, int e)
{
    rk_ex power = rk_ex_int(p, 1);

    for (;;) {
        if (e & 1)
            power = rk_ex_mul(p, power, a);
        e >>= 1;
        if (e == 0 || power == RK_EX_FAILED)
            return power;
        a = rk_ex_mul(p, a, a);
        if (a == RK_EX_FAILED)
            return RK_EX_FAILED;
    }
}

rk_ex rk_ex_pow(rk_pool *p, rk_ex a, int e)
{
    size_t n = 0;
    const rk_term *t;
    rk_acc acc = {0};
    rk_ratio c;

    if (rk_ex_failed(p, a))
        return RK_EX_FAILED;
    if (rk_ex_is_ratio(p, a, &c)) {
        if (c.num == 0 && e < 0)
            return fail_zero(p);
        c = rk_ratio_pow(&acc, c, e);
        return acc.overflow ? fail_wide(p) : single(p, 0, c);
    }
    if (e > RK_EX_POWER_MAX || e < -RK_EX_POWER_MAX)
        return rk_pool_fail(p, RK_ELIMIT, "a power beyond %d", RK_EX_POWER_MAX);
    if (e < 0)
        return rk_ex_div(p, rk_ex_int(p, 1), rk_ex_pow(p, a, -e));
    t = rk_terms(p, a, &n);
    if (n > 1)
        return pow_sum(p, a, e);
    c = rk_ratio_pow(&acc, rk_coef_at(p, t->coef), e);
    return acc.overflow ? fail_wide(p) : single(p, rk_product_pow(p, t->product, e), c);
}

/* ---- quotients ------------------------------------------------------------------------------------------------- */

/* The gcd of the numerators over the lcm of the denominators, with the sign of the last term (numbers come first). */
static rk_ratio common_coef(const rk_pool *p, rk_ex e, rk_acc *acc)
{
    size_t n;
    const rk_term *t = rk_terms(p, e, &n);
    rk_ratio g = {.num = 0, .den = 1};

    for (size_t i = 0; i < n; i++)
        g = rk_ratio_gcd(acc, g, rk_coef_at(p, t[i].coef));
    if (n > 0 && rk_coef_at(p, t[n - 1].coef).num < 0)
        g.num = -g.num;
    return g;
}

bool rk_ex_content(rk_pool *p, rk_ex e, uint32_t *product, rk_ratio *coef, rk_ex *primitive)
{
    rk_acc acc = {0};
    size_t n;
    const rk_term *t = rk_terms(p, e, &n);

    *product = t->product;
    for (size_t i = 1; i < n; i++)
        *product = rk_product_meet(p, *product, t[i].product);
    e = rk_ex_scale(p, e, rk_product_pow(p, *product, -1), one);
    if (e == RK_EX_FAILED)
        return false;
    /* The sign is that of the primitive part's own last term: the product may have changed the order. */
    *coef = common_coef(p, e, &acc);
    *primitive = acc.overflow ? fail_wide(p) : rk_ex_scale(p, e, 0, rk_ratio_inverse(&acc, *coef));
    return *primitive != RK_EX_FAILED;
}

/* Splits QUOT(b)^-k off a product: *rest is the product without it, the result is b^k. */
static rk_ex undo_quotients(rk_pool *p, uint32_t product, uint32_t *rest)
{
    rk_ex whole = rk_ex_int(p, 1);
    size_t n;
    const rk_factor *f = rk_factors(p, product, &n);

    *rest = product;
    for (size_t i = 0; i < n; i++) {
        rk_atom atom = rk_atom_at(p, f[i].atom);
        rk_factor inverse = {.atom = f[i].atom, .power = -f[i].power};

        if (atom.kind != RK_ATOM_QUOT || f[i].power > 0)
            continue;
        whole = rk_ex_mul(p, whole, rk_ex_pow(p, atom.a, inverse.power));
        *rest = rk_product_mul(p, *rest, rk_intern_product(p, &inverse, 1));
    }
    return whole;
}

static bool has_undone_quotient(const rk_pool *p, uint32_t product)
{
    size_t n;
    const rk_factor *f = rk_factors(p, product, &n);

    for (size_t i = 0; i < n; i++)
        if (f[i].power < 0 && rk_atom_at(p, f[i].atom).kind == RK_ATOM_QUOT)
            return true;
    return false;
}

/* A quotient in the denominator is its divisor in the numerator. */
static rk_ex without_undone(rk_pool *p, rk_ex e)
{
    size_t n;
    const rk_term *t = rk_terms(p, e, &n);
    rk_bag bag = rk_bag_open(p, n);

    for (size_t i = 0; i < n && !bag.failed; i++) {
        uint32_t rest;
        rk_ex whole = undo_quotients(p, t[i].product, &rest);

        if (rest == RK_NONE || whole == RK_EX_FAILED)
            bag.failed = true;
        else
            rk_bag_put_ex(&bag, whole, rest, rk_coef_at(p, t[i].coef));
    }
    return rk_bag_done(&bag);
}

static rk_ex div_single(rk_pool *p, rk_ex a, const rk_term *t)
{
    rk_acc acc = {0};
    uint32_t inverse = rk_product_pow(p, t->product, -1);
    rk_ratio c = rk_ratio_inverse(&acc, rk_coef_at(p, t->coef));
    rk_ex q = acc.overflow ? fail_wide(p) : rk_ex_scale(p, a, inverse, c);

    return q != RK_EX_FAILED && has_undone_quotient(p, inverse) ? without_undone(p, q) : q;
}

/* a / b where b has several terms and does not divide a: b without its content becomes an atom. */
static rk_ex div_atom(rk_pool *p, rk_ex a, rk_ex b)
{
    rk_term content;
    rk_ratio coef;
    rk_ex primitive, q;

    if (!rk_ex_content(p, b, &content.product, &coef, &primitive))
        return RK_EX_FAILED;
    content.coef = rk_intern_coef(p, coef);
    if (content.coef == RK_NONE)
        return RK_EX_FAILED;
    q = rk_ex_atom(p, rk_intern_atom(p, RK_ATOM_QUOT, primitive, 0));
    return rk_ex_mul(p, div_single(p, a, &content), q);
}

rk_ex rk_ex_div(rk_pool *p, rk_ex a, rk_ex b)
{
    size_t n = 0;
    const rk_term *t;
    rk_ex q;

    if (rk_ex_failed(p, a) || rk_ex_failed(p, b))
        return RK_EX_FAILED;
    t = rk_terms(p, b, &n);
    if (n == 0)
        return fail_zero(p);
    if (n == 1)
        return div_single(p, a, t);
    q = rk_ex_divide_exactly(p, a, b);
    return q != RK_EX_FAILED ? q : div_atom(p, a, b);
}
