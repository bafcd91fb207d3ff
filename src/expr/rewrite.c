/* SPDX-License-Identifier: MIT */
/*
 * expr/rewrite.c - replacing symbols: substitution, definitions, the simplest form.
 */
#include "expr/pool.h"

#include <string.h>

/* ---- replacing ------------------------------------------------------------------------------------------------- */

/* What becomes of each atom, found once.  Either one symbol is replaced, or every defined one (`only` is none). */
typedef struct rewriter {
    rk_pool *pool;
    rk_sym only;
    rk_ex by;
    rk_ex *result; /* per atom; RK_EX_FAILED: not yet known */
    size_t n;
    uint64_t replaced[RK_SYMSET_MAX]; /* the set of symbols that are replaced, … */
    size_t n_word;                    /* … in so many words */
    int depth;
} rewriter;

static rk_ex rewrite(rewriter *w, rk_ex e);

static rk_ex rewrite_symbol(rewriter *w, uint32_t atom, rk_sym s)
{
    rk_ex definition = w->pool->sym.at[s].definition;

    /* A substituted expression may contain the symbol itself (S by S + 1): it is not rewritten again. */
    if (w->only == s)
        return w->by;
    return w->only != RK_SYM_NONE || definition == RK_EX_FAILED ? rk_ex_atom(w->pool, atom) : rewrite(w, definition);
}

static rk_ex rewrite_compound(rewriter *w, uint32_t atom)
{
    rk_atom a = rk_atom_at(w->pool, atom);
    rk_ex x, y = RK_EX_FAILED;

    if (a.kind == RK_ATOM_SYM)
        return rewrite_symbol(w, atom, a.a);
    x = rewrite(w, a.a);
    if (a.kind == RK_ATOM_QUOT)
        return x; /* the divisor */
    if (a.b != RK_EX_FAILED)
        y = rewrite(w, a.b);
    return x == a.a && y == a.b ? rk_ex_atom(w->pool, atom) : rk_ex_apply(w->pool, (rk_atom_kind)a.kind, x, y);
}

static rk_ex rewrite_atom(rewriter *w, uint32_t atom)
{
    rk_ex e;

    if (w->result[atom] != RK_EX_FAILED)
        return w->result[atom];
    if (w->depth == RK_WALK_MAX)
        return rk_pool_fail(w->pool, RK_ELIMIT, "functions and definitions nested deeper than %d", RK_WALK_MAX);
    w->depth++;
    e = rewrite_compound(w, atom);
    w->depth--;
    return w->result[atom] = e;
}

/* The factors with the sign of `sign`, rewritten and multiplied; negative ones as if they were positive. */
static rk_ex rewrite_factors(rewriter *w, uint32_t product, int sign)
{
    rk_pool *p = w->pool;
    size_t n;
    const rk_factor *f = rk_factors(p, product, &n);
    rk_ex all = rk_ex_int(p, 1);

    for (size_t i = 0; i < n && all != RK_EX_FAILED; i++)
        if ((f[i].power > 0) == (sign > 0) && rk_atom_at(p, f[i].atom).kind != RK_ATOM_QUOT)
            all = rk_ex_mul(p, all, rk_ex_pow(p, rewrite_atom(w, f[i].atom), f[i].power * sign));
    return all;
}

/*
 * All of the numerator before the denominator, so that what divides exactly is found; then the quotients one after the
 * other: a product of divisors would be a divisor of its own.
 */
static rk_ex rewrite_product(rewriter *w, uint32_t product)
{
    rk_pool *p = w->pool;
    rk_ex num = rewrite_factors(w, product, 1), den = rewrite_factors(w, product, -1), e = rk_ex_div(p, num, den);
    size_t n;
    const rk_factor *f = rk_factors(p, product, &n);

    for (size_t i = 0; i < n; i++) {
        rk_atom a = rk_atom_at(p, f[i].atom);

        for (int32_t k = 0; a.kind == RK_ATOM_QUOT && k < f[i].power && e != RK_EX_FAILED; k++)
            e = rk_ex_div(p, e, rewrite_atom(w, f[i].atom));
    }
    return e;
}

/* Whether nothing in a product is replaced, at any depth: it then stays what it is. */
static bool stays(const rewriter *w, uint32_t product)
{
    size_t n;
    const rk_factor *f = rk_factors(w->pool, product, &n);

    for (size_t i = 0; i < n; i++) {
        const rk_symset *in = &w->pool->inside.at[f[i].atom];

        for (size_t k = 0; k < in->n && k < w->n_word; k++)
            if (in->word[k] & w->replaced[k])
                return false;
    }
    return true;
}

static rk_ex rewrite(rewriter *w, rk_ex e)
{
    size_t n;
    const rk_term *t = rk_terms(w->pool, e, &n);
    rk_bag bag = rk_bag_open(w->pool, n);

    for (size_t i = 0; i < n && !bag.failed; i++) {
        rk_ex product;

        if (stays(w, t[i].product)) {
            rk_bag_put(&bag, t[i].product, rk_coef_at(w->pool, t[i].coef));
            continue;
        }
        product = rewrite_product(w, t[i].product);
        rk_bag_put_ex(&bag, product, 0, rk_coef_at(w->pool, t[i].coef));
    }
    return rk_ex_cancel(w->pool, rk_bag_done(&bag));
}

static rk_ex run(rk_pool *p, rk_ex e, rk_sym only, rk_ex by)
{
    rewriter w = {.pool = p, .only = only, .by = by, .n = rk_n_atom(p), .n_word = p->sym.n / 64 + 1};

    for (rk_sym s = 0; s < p->sym.n; s++)
        if (only == RK_SYM_NONE ? p->sym.at[s].definition != RK_EX_FAILED : s == only)
            w.replaced[s / 64] |= (uint64_t)1 << s % 64;
    w.result = rk_heap_alloc(w.n * sizeof *w.result);
    if (!w.result)
        return rk_pool_fail_memory(p);
    memset(w.result, 0, w.n * sizeof *w.result); /* RK_EX_FAILED throughout */
    e = rewrite(&w, e);
    rk_heap_free(w.result);
    return e;
}

rk_ex rk_ex_subst(rk_pool *p, rk_ex e, rk_sym s, rk_ex by)
{
    if (rk_ex_failed(p, e) || rk_ex_failed(p, by))
        return RK_EX_FAILED;
    return rk_ex_has_sym(p, e, s) ? run(p, e, s, by) : e;
}

/* The symbol in e defined last before the moment `before`; RK_SYM_NONE: none is left. */
static rk_sym defined_before(const rk_pool *p, rk_ex e, uint32_t before)
{
    uint64_t word[RK_SYMSET_MAX] = {0};
    rk_sym last = RK_SYM_NONE;
    uint32_t when = 0;

    rk_ex_join_symbols(p, e, word);
    for (rk_sym s = 0; s < p->sym.n; s++) {
        uint32_t defined = p->sym.at[s].defined;

        if (word[s / 64] >> s % 64 & 1 && defined > when && defined < before) {
            last = s;
            when = defined;
        }
    }
    return last;
}

rk_ex rk_ex_expand_defs(rk_pool *p, rk_ex e)
{
    if (rk_ex_failed(p, e))
        return RK_EX_FAILED;
    return defined_before(p, e, UINT32_MAX) != RK_SYM_NONE ? run(p, e, RK_SYM_NONE, RK_EX_FAILED) : e;
}

/* ---- simplifying ----------------------------------------------------------------------------------------------- */

/* How much there is to read, in the order of importance; and the quotients, which may not grow. */
typedef struct measure {
    size_t terms, symbols, factors, quotients;
} measure;

/*
 * Quotients inside functions count as the function's own: ⌊S/64⌋ is one factor.  What a rewriting changes in them
 * shows in the number of symbols.
 */
static measure measure_of(const rk_pool *p, rk_ex e)
{
    uint64_t word[RK_SYMSET_MAX] = {0};
    measure m = {0};
    const rk_term *t = rk_terms(p, e, &m.terms);

    for (size_t i = 0; i < m.terms; i++) {
        size_t n;
        const rk_factor *f = rk_factors(p, t[i].product, &n);

        for (size_t k = 0; k < n; k++) {
            m.factors += (size_t)(f[k].power < 0 ? -f[k].power : f[k].power);
            m.quotients += f[k].power < 0 || rk_atom_at(p, f[k].atom).kind == RK_ATOM_QUOT;
        }
    }
    rk_ex_join_symbols(p, e, word);
    for (size_t i = 0; i < p->sym.n / 64 + 1; i++)
        m.symbols += (size_t)__builtin_popcountll(word[i]);
    return m;
}

static bool is_simpler(measure a, measure b)
{
    if (a.quotients > b.quotients)
        return false;
    if (a.terms != b.terms)
        return a.terms < b.terms;
    if (a.symbols != b.symbols)
        return a.symbols < b.symbols;
    return a.factors < b.factors;
}

/* The candidate when it is simpler, else e; one that could not be built is no failure unless memory ran out. */
static rk_ex simpler(rk_pool *p, rk_ex e, rk_ex candidate, int before)
{
    rk_pool_forgive(p, before);
    if (candidate == RK_EX_FAILED)
        return p->first.code == RK_ENOMEM && before == RK_OK ? RK_EX_FAILED : e;
    return is_simpler(measure_of(p, candidate), measure_of(p, e)) ? candidate : e;
}

/* The symbol eliminated in those terms alone that become simpler by it: NH + KH with H = D/N is D + KH. */
static rk_ex subst_in_terms(rk_pool *p, rk_ex e, rk_sym s)
{
    size_t n;
    const rk_term *t = rk_terms(p, e, &n);
    rk_bag bag = rk_bag_open(p, n);

    for (size_t i = 0; i < n && !bag.failed; i++) {
        int before = p->first.code;
        rk_ex term = rk_intern_ex(p, &t[i], 1);

        term = simpler(p, term, rk_ex_subst(p, term, s, p->sym.at[s].definition), before);
        rk_bag_put_ex(&bag, term, 0, rk_ratio_int(1));
    }
    return rk_bag_done(&bag);
}

/* The first single substitution that helps, everywhere or in some terms; else e. */
static rk_ex one_step(rk_pool *p, rk_ex e)
{
    uint32_t when = UINT32_MAX;
    rk_sym s;

    while ((s = defined_before(p, e, when)) != RK_SYM_NONE) {
        int before = p->first.code;
        rk_ex better = simpler(p, e, rk_ex_subst(p, e, s, p->sym.at[s].definition), before);

        if (better == e)
            better = simpler(p, e, subst_in_terms(p, e, s), before);
        if (better != e)
            return better;
        when = p->sym.at[s].defined;
    }
    return e;
}

/* Each step makes the measure smaller, so this ends. */
rk_ex rk_ex_simplify(rk_pool *p, rk_ex e)
{
    if (rk_ex_failed(p, e))
        return RK_EX_FAILED;
    for (;;) {
        int before = p->first.code;
        rk_ex better = one_step(p, e);

        /* Two definitions may help only together: K·G·H with G = N/K and H = D/N. */
        if (better == e)
            better = simpler(p, e, rk_ex_expand_defs(p, e), before);
        if (better == e || better == RK_EX_FAILED)
            return better;
        e = better;
    }
}

void rk_ex_split(rk_pool *p, rk_ex e, rk_ex *plus, rk_ex *minus)
{
    rk_ex zero = rk_ex_int(p, 0);
    size_t n = 0;
    const rk_term *term = rk_ex_failed(p, e) ? NULL : rk_terms(p, e, &n);

    *plus = *minus = term ? zero : RK_EX_FAILED;
    for (size_t i = 0; i < n; i++) {
        rk_ratio c = rk_coef_at(p, term[i].coef);
        rk_ex t = rk_ex_scale(p, rk_ex_int(p, 1), term[i].product, c);

        if (c.num > 0)
            *plus = rk_ex_add(p, *plus, t);
        else
            *minus = rk_ex_sub(p, *minus, t);
        term = rk_terms(p, e, &n); /* interning may have moved the tables, though never their contents */
    }
}

rk_ex rk_ex_term(rk_pool *p, rk_ex e, size_t i)
{
    size_t n = 0;
    const rk_term *term = rk_ex_failed(p, e) ? NULL : rk_terms(p, e, &n);

    if (i >= n)
        return RK_EX_FAILED;
    return rk_ex_scale(p, rk_ex_int(p, 1), term[i].product, rk_coef_at(p, term[i].coef));
}

rk_ex rk_ex_term_like(rk_pool *p, rk_ex e, rk_ex term)
{
    size_t n = 0, n_one = 0;
    const rk_term *one = rk_ex_failed(p, term) ? NULL : rk_terms(p, term, &n_one);
    const rk_term *at = rk_ex_failed(p, e) ? NULL : rk_terms(p, e, &n);

    for (size_t i = 0; n_one == 1 && i < n; i++)
        if (at[i].product == one->product)
            return rk_ex_term(p, e, i);
    return rk_ex_int(p, 0);
}
