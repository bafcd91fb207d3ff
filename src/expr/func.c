/* SPDX-License-Identifier: MIT */
#include "expr/pool.h"

#include <stdlib.h>

/* ---- rounding -------------------------------------------------------------------------------------------------- */

static rk_ex apply_rounding(rk_pool *p, rk_atom_kind kind, rk_ex a)
{
    rk_acc acc = {0};
    rk_ratio c;

    if (rk_ex_is_ratio(p, a, &c))
        return rk_ex_int(p, kind == RK_ATOM_FLOOR ? rk_floor_div(&acc, c.num, c.den) : rk_ceil_div(&acc, c.num, c.den));
    return p->ex.item.at[a].whole ? a : rk_ex_atom(p, rk_intern_atom(p, kind, a, 0));
}

rk_ex rk_ex_floor_div(rk_pool *p, rk_ex a, rk_ex b)
{
    return rk_ex_apply(p, RK_ATOM_FLOOR, rk_ex_div(p, a, b), RK_EX_FAILED);
}

rk_ex rk_ex_ceil_div(rk_pool *p, rk_ex a, rk_ex b)
{
    return rk_ex_apply(p, RK_ATOM_CEIL, rk_ex_div(p, a, b), RK_EX_FAILED);
}

/* ---- remainder ------------------------------------------------------------------------------------------------- */

static rk_ex apply_mod(rk_pool *p, rk_ex a, rk_ex b)
{
    rk_ex q = rk_ex_div(p, a, b);
    rk_ratio c, d;

    if (q == RK_EX_FAILED)
        return RK_EX_FAILED;
    if (p->ex.item.at[q].whole)
        return RK_EX_ZERO;
    if (!rk_ex_is_ratio(p, a, &c) || !rk_ex_is_ratio(p, b, &d))
        return rk_ex_atom(p, rk_intern_atom(p, RK_ATOM_MOD, a, b));
    return rk_ex_sub(p, a, rk_ex_mul(p, b, apply_rounding(p, RK_ATOM_FLOOR, q)));
}

rk_ex rk_ex_mod(rk_pool *p, rk_ex a, rk_ex b)
{
    return rk_ex_apply(p, RK_ATOM_MOD, a, b);
}

/* ---- min and max ----------------------------------------------------------------------------------------------- */

/*
 * min(a, min(b, c)) and min(min(a, b), c) must be one expression: the arguments are collected, those that another one
 * settles are dropped, the rest is sorted and nested to the right.
 */
typedef struct arguments {
    rk_atom_kind kind;
    size_t n;
    rk_ex e[2 * (RK_EX_DEPTH_MAX + 1)]; /* a chain of binary functions nested to the limit has one argument more */
} arguments;

/* Negative: a is the one to keep; positive: b; 0: it depends on the symbols. */
static int settle(rk_pool *p, rk_atom_kind kind, rk_ex a, rk_ex b)
{
    int before = p->first.code;
    rk_ex difference = rk_ex_sub(p, a, b);
    rk_ratio c;

    rk_pool_forgive(p, before);
    if (difference == RK_EX_FAILED || !rk_ex_is_ratio(p, difference, &c))
        return 0;
    return (c.num <= 0) == (kind == RK_ATOM_MIN) ? -1 : 1;
}

static void put_argument(rk_pool *p, arguments *list, rk_ex e)
{
    for (size_t i = 0; i < list->n; i++) {
        int who = settle(p, list->kind, list->e[i], e);

        if (who < 0)
            return;
        if (who > 0)
            list->e[i--] = list->e[--list->n];
    }
    list->e[list->n++] = e;
}

static void put_chain(rk_pool *p, arguments *list, rk_ex e)
{
    rk_atom atom;

    while (rk_ex_is_atom(p, e, list->kind, &atom)) {
        put_argument(p, list, atom.a);
        e = atom.b;
    }
    put_argument(p, list, e);
}

static int by_number(const void *a, const void *b)
{
    rk_ex x = *(const rk_ex *)a, y = *(const rk_ex *)b;

    return (x > y) - (x < y);
}

static rk_ex apply_extreme(rk_pool *p, rk_atom_kind kind, rk_ex a, rk_ex b)
{
    arguments list = {.kind = kind};
    rk_ex all;

    put_chain(p, &list, a);
    put_chain(p, &list, b);
    qsort(list.e, list.n, sizeof *list.e, by_number);
    all = list.e[--list.n];
    while (list.n > 0 && all != RK_EX_FAILED)
        all = rk_ex_atom(p, rk_intern_atom(p, kind, list.e[--list.n], all));
    return all;
}

rk_ex rk_ex_min(rk_pool *p, rk_ex a, rk_ex b)
{
    return rk_ex_apply(p, RK_ATOM_MIN, a, b);
}

rk_ex rk_ex_max(rk_pool *p, rk_ex a, rk_ex b)
{
    return rk_ex_apply(p, RK_ATOM_MAX, a, b);
}

/* ---- any ------------------------------------------------------------------------------------------------------- */

rk_ex rk_ex_apply(rk_pool *p, rk_atom_kind kind, rk_ex a, rk_ex b)
{
    bool binary = kind == RK_ATOM_MOD || kind == RK_ATOM_MIN || kind == RK_ATOM_MAX;

    if (rk_ex_failed(p, a) || (binary && rk_ex_failed(p, b)))
        return RK_EX_FAILED;
    if (kind == RK_ATOM_MOD)
        return apply_mod(p, a, b);
    if (binary)
        return apply_extreme(p, kind, a, b);
    if (kind == RK_ATOM_QUOT)
        return rk_ex_div(p, rk_ex_int(p, 1), a);
    return apply_rounding(p, kind, a);
}
