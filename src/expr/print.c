/* SPDX-License-Identifier: MIT */
#include "expr/print.h"

#include <stdlib.h>

/* ---- laying out ------------------------------------------------------------------------------------------------ */

static rk_print_factor lay_factor(const rk_pool *p, rk_factor f)
{
    rk_atom a = rk_atom_at(p, f.atom);
    const int64_t step = (int64_t)1 << 32;
    rk_print_factor out = {.atom = f.atom, .power = f.power};

    if (a.kind == RK_ATOM_SYM) {
        out.in_term = (int64_t)p->sym.at[a.a].rank * step / 2 + p->sym.at[a.a].order;
        out.in_order = -(int64_t)p->sym.at[a.a].rank * step / 2 + p->sym.at[a.a].order;
    } else {
        out.in_term = out.in_order = INT64_MAX / 2 + f.atom;
    }
    return out;
}

int rk_print_by_place(const void *a, const void *b)
{
    const rk_print_factor *x = a, *y = b;

    return (x->in_term > y->in_term) - (x->in_term < y->in_term);
}

static bool lay_term(rk_printer *pr, rk_term t, rk_print_term *out)
{
    const rk_factor *f = rk_factors(pr->pool, t.product, &out->n);

    out->coef = rk_coef_at(pr->pool, t.coef);
    out->f = RK_NEW_ARRAY(pr->arena, out->n, rk_print_factor);
    for (size_t i = 0; out->f && i < out->n; i++)
        out->f[i] = lay_factor(pr->pool, f[i]);
    if (out->f)
        qsort(out->f, out->n, sizeof *out->f, rk_print_by_place);
    return out->f != NULL;
}

/* The factor with the largest power; of equal ones, the first in the order of terms.  NULL: a plain number. */
static const rk_print_factor *bearer(const rk_print_term *t)
{
    const rk_print_factor *most = NULL;

    for (size_t i = 0; i < t->n; i++) {
        const rk_print_factor *f = &t->f[i];

        if (!most || f->power > most->power || (f->power == most->power && f->in_order < most->in_order))
            most = f;
    }
    return most;
}

static int64_t degree(const rk_print_term *t)
{
    int64_t sum = 0;

    for (size_t i = 0; i < t->n; i++)
        sum += t->f[i].power;
    return sum;
}

int32_t rk_print_power(const rk_print_term *t, uint32_t atom)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->f[i].atom == atom)
            return t->f[i].power;
    return 0;
}

/* The first atom in the order of terms that has different powers in x and y, among those of x. */
static const rk_print_factor *first_difference(const rk_print_term *x, const rk_print_term *y)
{
    const rk_print_factor *first = NULL;

    for (size_t i = 0; i < x->n; i++)
        if (rk_print_power(y, x->f[i].atom) != x->f[i].power && (!first || x->f[i].in_order < first->in_order))
            first = &x->f[i];
    return first;
}

static int lexicographic(const rk_print_term *x, const rk_print_term *y)
{
    const rk_print_factor *a = first_difference(x, y), *b = first_difference(y, x);
    const rk_print_factor *first = !a || (b && b->in_order < a->in_order) ? b : a;

    if (!first)
        return 0;
    return rk_print_power(x, first->atom) > rk_print_power(y, first->atom) ? -1 : 1;
}

/* Largest power first, then who bears it, then the degree: 8BSD² + 4BS²D + 6BSDF. */
static int by_weight(const void *a, const void *b)
{
    const rk_print_term *x = a, *y = b;
    const rk_print_factor *f = bearer(x), *g = bearer(y);
    int32_t px = f ? f->power : 0, py = g ? g->power : 0;
    int64_t dx = degree(x), dy = degree(y);

    if (px != py)
        return px > py ? -1 : 1;
    if (!f || !g)
        return f ? -1 : g ? 1 : 0;
    if (f->in_order != g->in_order)
        return f->in_order < g->in_order ? -1 : 1;
    if (dx != dy)
        return dx > dy ? -1 : 1;
    return lexicographic(x, y);
}

rk_print_sum rk_print_lay(rk_printer *pr, rk_ex e)
{
    rk_print_sum s = {0};
    const rk_term *t = rk_terms(pr->pool, e, &s.n);

    s.t = RK_NEW_ARRAY(pr->arena, s.n, rk_print_term);
    for (size_t i = 0; s.t && i < s.n; i++)
        if (!lay_term(pr, t[i], &s.t[i]))
            return (rk_print_sum){0};
    if (!s.t)
        return (rk_print_sum){0};
    qsort(s.t, s.n, sizeof *s.t, by_weight);
    return s;
}

/* ---- sums ------------------------------------------------------------------------------------------------------ */

void rk_put_sign(rk_printer *pr, bool negative, bool first)
{
    if (first)
        rk_str_put(pr->out, negative ? "-" : "");
    else
        rk_str_put(pr->out, negative ? " - " : " + ");
}

void rk_put_sum(rk_printer *pr, const rk_print_sum *s)
{
    if (s->n == 0)
        rk_str_putc(pr->out, '0');
    for (size_t i = 0; i < s->n; i++) {
        rk_put_sign(pr, s->t[i].coef.num < 0, i == 0);
        rk_put_term(pr, &s->t[i]);
    }
}

void rk_put_ex(rk_printer *pr, rk_ex e)
{
    rk_print_sum s = rk_print_lay(pr, e);

    rk_put_sum(pr, &s);
}

/* ---- the whole ------------------------------------------------------------------------------------------------- */

void rk_ex_print(const rk_pool *p, rk_ex e, int style, rk_str *out)
{
    rk_ex_print_at(p, e, style, NULL, out);
}

void rk_ex_print_at(const rk_pool *p, rk_ex e, int style, const rk_binding *at, rk_str *out)
{
    rk_arena arena = {0};
    rk_printer pr = {.pool = p, .latex = style & RK_PRINT_LATEX, .at = at, .arena = &arena, .out = out};
    rk_print_sum s;

    if (rk_ex_failed(p, e)) {
        rk_str_putc(out, '?');
        return;
    }
    s = rk_print_lay(&pr, e);
    if (style & RK_PRINT_FACTORED && s.n > 1)
        rk_put_factored(&pr, &s, true);
    else
        rk_put_sum(&pr, &s);
    out->failed |= arena.failed;
    rk_arena_free(&arena);
}
