/* SPDX-License-Identifier: MIT */
/* Crossings from formulas: the difference of two as polynomials of one symbol, and their signs. */
#include "ask/crossing.h"

#include "ask/signs.h"

#include <string.h>

enum {
    PIECES_MAX = 64 /* windows of different widths in one model: a handful */
};

int rk_crossing_eval(rk_crossing_search *x, rk_ex e, rk_i128 number, rk_i128 *out)
{
    x->value[x->c->sym] = number;
    return rk_ex_eval(x->c->instance->pool, e, &x->number, out, NULL);
}

/* Whole coefficients, up to a common positive factor; false: one has no number, or they are too large. */
static bool to_poly(rk_crossing_search *x, const rk_ex *c, size_t n, rk_poly *out)
{
    rk_i128 den[RK_POLY_MAX], common = 1, all = 0;
    rk_acc acc = {0};

    *out = (rk_poly){.n = n};
    for (size_t k = 0; k < n; k++) {
        if (rk_ex_eval_ratio(x->c->instance->pool, c[k], &x->number, &out->c[k], &den[k], NULL) != RK_OK)
            return false;
        common = rk_mul(&acc, common, den[k] / rk_gcd(common, den[k]));
    }
    for (size_t k = 0; k < n && !acc.overflow; k++) {
        out->c[k] = rk_mul(&acc, out->c[k], common / den[k]);
        all = rk_gcd(all, out->c[k]);
    }
    for (size_t k = 0; k < n && all > 0; k++)
        out->c[k] /= all;
    while (out->n > 0 && out->c[out->n - 1] == 0)
        out->n--;
    return !acc.overflow;
}

/* The coefficients to show: those of the lowest powers are taken out where they are nothing. */
static void keep_coefficients(rk_crossing_search *x, rk_ex difference, rk_i128 from)
{
    rk_cross *c = x->c;
    rk_pool *pool = c->instance->pool;
    rk_ex e[RK_POLY_MAX];
    rk_poly p;
    size_t n, low = 0;

    c->n_coefficient = 0;
    c->piece = from;
    if (!rk_ex_coefficients(pool, rk_ex_primitive(pool, difference), c->sym, e, RK_POLY_MAX, &n) ||
        !to_poly(x, e, n, &p))
        return;
    while (low < p.n && p.c[low] == 0)
        low++;
    if (p.n - low > RK_CROSS_DEGREE_MAX + 1 || p.n - low < 2)
        return;
    c->n_coefficient = p.n - low;
    for (size_t k = low; k < p.n; k++) {
        c->coefficient[k - low] = e[k];
        c->number[k - low] = (double)p.c[k];
    }
}

/* The same where other symbols have no numbers; false: there is no closed form. */
static bool solve_symbols(rk_crossing_search *x, rk_ex difference)
{
    rk_cross *c = x->c;
    rk_pool *pool = c->instance->pool;
    rk_ex e[RK_POLY_MAX];
    size_t n, low = 0;

    if (!rk_ex_coefficients(pool, rk_ex_primitive(pool, difference), c->sym, e, RK_POLY_MAX, &n))
        return false;
    while (low < n && rk_ex_term_count(pool, e[low]) == 0)
        low++;
    if (n - low > RK_CROSS_DEGREE_MAX + 1 || n - low < 2)
        return false;
    c->n_coefficient = n - low;
    memcpy(c->coefficient, e + low, c->n_coefficient * sizeof *e);
    c->piece = 1;
    return true;
}

/* The signs of one polynomial from `from` to `to`, or to the last number before that at which it fits into 128 bits. */
static rk_i128 see_poly(rk_crossing_search *x, const rk_poly *p, rk_i128 from, rk_i128 to)
{
    rk_signs signs;

    while (!rk_poly_signs(p, from, to, &signs)) {
        if (to == from)
            return from - 1;
        to = from + (to - from) / 2;
    }
    for (size_t i = 0; i < signs.n; i++)
        rk_crossing_see(x, signs.run[i].from, signs.run[i].sign);
    return to;
}

/* A stretch of numbers over which the difference is one polynomial; false: it is none, or too large at once. */
static bool solve_piece(rk_crossing_search *x, rk_ex difference, rk_i128 from)
{
    rk_cross *c = x->c;
    rk_pool *pool = c->instance->pool;
    rk_ex e[RK_POLY_MAX], here;
    rk_i128 until = 0, to;
    rk_poly p;
    size_t n;

    x->value[c->sym] = from;
    here = rk_ex_decide(pool, difference, c->sym, &x->number, &until);
    if (here == RK_EX_FAILED || !rk_ex_coefficients(pool, here, c->sym, e, RK_POLY_MAX, &n) || !to_poly(x, e, n, &p))
        return false;
    to = until <= RK_CROSS_LAST ? until - 1 : RK_CROSS_LAST;
    c->last = see_poly(x, &p, from, to);
    x->cut = c->last < to;
    c->settled = !x->cut && until == RK_I128_MAX && rk_poly_is_settled(&p, to);
    if (c->last >= from)
        keep_coefficients(x, here, from);
    return c->last >= from;
}

static bool solve(rk_crossing_search *x, rk_ex difference)
{
    x->c->first = 1;
    for (int i = 0; i < PIECES_MAX && !x->cut && x->c->last < RK_CROSS_LAST; i++)
        if (!solve_piece(x, difference, x->c->last + 1))
            return false;
    return true;
}

/* The power with which a formula grows in the end; -1: it is no polynomial there. */
static int degree_of(rk_crossing_search *x, rk_ex e)
{
    rk_pool *pool = x->c->instance->pool;
    rk_ex c[RK_POLY_MAX];
    rk_i128 until;
    size_t n;

    x->value[x->c->sym] = x->c->last;
    e = rk_ex_decide(pool, e, x->c->sym, &x->number, &until);
    if (e == RK_EX_FAILED || !rk_ex_coefficients(pool, e, x->c->sym, c, RK_POLY_MAX, &n))
        return -1;
    return n > 0 ? (int)n - 1 : 0;
}

static void find_degrees(rk_crossing_search *x)
{
    for (int i = 0; i < 2; i++) {
        int over = degree_of(x, x->c->over[i]), under = degree_of(x, x->c->under[i]);

        x->c->degree[i] = over >= 0 && under >= 0 && over >= under ? over - under : -1;
    }
}

/* What is kept for the backward pass, and the peak, are other sums for other numbers. */
static bool is_one_formula(const rk_measure_term *t)
{
    return !t->row || t->row->from != RK_FROM_MEMORY ||
           (t->row->which != RK_BYTES_PEAK && t->row->which != RK_BYTES_SAVED);
}

/* Both formulas, over the symbols of one model. */
static int take_formulas(rk_crossing_search *x, rk_err *err)
{
    rk_cross *c = x->c;
    const rk_instance *m[2] = {0};

    for (int i = 0; i < 2; i++) {
        m[i] = rk_gauge_formula(c->gauge, (size_t)i, &c->over[i], &c->under[i], x->err);
        if (!m[i])
            return rk_crossing_fail(x, err);
        if (!c->measure[i].under.row)
            c->under[i] = rk_ex_int(m[i]->pool, 1);
        if (c->over[i] == RK_EX_FAILED || c->under[i] == RK_EX_FAILED)
            return RK_OK;
    }
    if (m[RK_CROSS_LEFT] == m[RK_CROSS_RIGHT])
        c->instance = m[RK_CROSS_LEFT];
    return RK_OK;
}

/* Whether other symbols have no number, so that nothing can be read. */
static bool lacks_numbers(rk_crossing_search *x, rk_i128 number)
{
    rk_i128 n = 0;

    return rk_crossing_eval(x, x->c->over[RK_CROSS_LEFT], number, &n) == RK_EVALUE ||
           rk_crossing_eval(x, x->c->over[RK_CROSS_RIGHT], number, &n) == RK_EVALUE;
}

/* Whether the formulas give what is read at the number of the opening, and hold at others too. */
static bool formulas_hold(rk_crossing_search *x, const rk_i128 *number)
{
    rk_cross *c = x->c;
    const rk_symbol *s = rk_model_symbol(c->instance->model, c->symbol);
    rk_reading r[2] = {{0, 1}, {0, 1}};

    if (s->fixed || rk_gauge_read(c->probe, number, r, x->err) != RK_OK)
        return false;
    for (int i = 0; i < 2; i++) {
        rk_i128 over = 0, under = 0;

        if (!is_one_formula(&c->measure[i].over) || !is_one_formula(&c->measure[i].under) ||
            rk_crossing_eval(x, c->over[i], *number, &over) != RK_OK ||
            rk_crossing_eval(x, c->under[i], *number, &under) != RK_OK || over != r[i].over || under != r[i].under)
            return false;
    }
    return true;
}

static int copy_numbers(rk_crossing_search *x, rk_err *err)
{
    rk_binding at = x->c->instance->at;

    x->value = RK_NEW_ARRAY(x->a, at.n + 1, rk_i128);
    if (!x->value)
        return rk_fail_memory(err);
    memcpy(x->value, at.value, at.n * sizeof *x->value);
    x->number = (rk_binding){x->value, at.known, at.n};
    return RK_OK;
}

/* Left - right, with what is below the lines multiplied out: nothing is negative there. */
static rk_ex difference_of(const rk_cross *c)
{
    rk_pool *pool = c->instance->pool;

    if (c->under[RK_CROSS_LEFT] == c->under[RK_CROSS_RIGHT])
        return rk_ex_sub(pool, c->over[RK_CROSS_LEFT], c->over[RK_CROSS_RIGHT]);
    return rk_ex_sub(pool, rk_ex_mul(pool, c->over[RK_CROSS_LEFT], c->under[RK_CROSS_RIGHT]),
                     rk_ex_mul(pool, c->over[RK_CROSS_RIGHT], c->under[RK_CROSS_LEFT]));
}

int rk_crossing_solve(rk_crossing_search *x, const rk_i128 *number, rk_err *err)
{
    rk_cross *c = x->c;
    rk_ex difference;
    int code = take_formulas(x, err);

    if (code != RK_OK || !c->instance)
        return code;
    code = copy_numbers(x, err);
    if (code != RK_OK)
        return code;
    c->sym = rk_model_symbol(c->instance->model, c->symbol)->sym; /* a gauge was opened with it: it is there */
    difference = rk_ex_simplify(c->instance->pool, difference_of(c));
    if (lacks_numbers(x, *number)) {
        c->solved = solve_symbols(x, difference);
        c->answer = RK_CROSS_FORMULA;
    } else {
        c->solved = formulas_hold(x, number) && solve(x, difference);
        if (c->solved)
            find_degrees(x);
    }
    return rk_pool_check(c->instance->pool, err);
}
