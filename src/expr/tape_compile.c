/* SPDX-License-Identifier: MIT */
#include "expr/tape.h"

#include <stdlib.h>

static uint32_t emit(rk_tape_compiler *c, rk_tape_op_kind kind, uint32_t a, uint32_t b)
{
    rk_tape_op *o = RK_PUSH(&c->tape->arena, &c->tape->op);

    if (!o) {
        c->failed = true;
        return RK_TAPE_ONE;
    }
    *o = (rk_tape_op){.kind = kind, .a = a, .b = b};
    return (uint32_t)(c->tape->op.n - 1) | RK_TAPE_OP_BIT;
}

static uint32_t multiply(rk_tape_compiler *c, uint32_t left, uint32_t right)
{
    uint32_t key[2] = {left, right};
    uint32_t slot;

    if (left == RK_TAPE_ONE || right == RK_TAPE_ONE)
        return left == RK_TAPE_ONE ? right : left;
    slot = rk_map_get(&c->chains, (const char *)key, sizeof key);
    if (slot != RK_NONE)
        return slot;
    slot = emit(c, RK_TAPE_MUL, left, right);
    c->failed |= !rk_map_put(&c->arena, &c->chains, (const char *)key, sizeof key, slot);
    return slot;
}

static void put_part(rk_tape_compiler *c, rk_i128 coef, uint32_t slot)
{
    rk_tape_part *p = RK_PUSH(&c->tape->arena, &c->tape->part);

    if (p)
        *p = (rk_tape_part){.coef = coef, .slot = slot};
    c->failed |= !p;
}

/* ---- compiling: atoms ------------------------------------------------------------------------------------------ */

uint32_t rk_tape_compile_symbol(rk_tape_compiler *c, rk_sym s)
{
    rk_tape_cell *place;

    if (c->cell_of[s] == 0) {
        place = RK_PUSH(&c->tape->arena, &c->tape->cell);
        if (!place) {
            c->failed = true;
            return RK_TAPE_ONE;
        }
        *place = (rk_tape_cell){.sym = s};
        c->cell_of[s] = (uint32_t)c->tape->cell.n;
    }
    return c->cell_of[s]; /* slot 0 is ONE: a cell's slot is its number plus one */
}

static bool is_rounding(uint32_t kind)
{
    return kind == RK_ATOM_FLOOR || kind == RK_ATOM_CEIL;
}

static uint32_t compile_quotient(rk_tape_compiler *c, rk_ex e, rk_tape_op_kind kind);

static uint32_t compile_function(rk_tape_compiler *c, rk_atom a)
{
    uint32_t x;

    if (is_rounding(a.kind))
        return compile_quotient(c, a.a, a.kind == RK_ATOM_FLOOR ? RK_TAPE_FLOOR : RK_TAPE_CEIL);
    x = rk_tape_compile(c, a.a);
    if (a.kind == RK_ATOM_QUOT)
        return x; /* the divisor; its power is negated where it is used */
    return emit(c,
                a.kind == RK_ATOM_MOD   ? RK_TAPE_MOD
                : a.kind == RK_ATOM_MIN ? RK_TAPE_MIN
                                        : RK_TAPE_MAX,
                x, rk_tape_compile(c, a.b));
}

static uint32_t compile_atom(rk_tape_compiler *c, uint32_t atom)
{
    rk_atom a = rk_atom_at(c->pool, atom);

    if (a.kind == RK_ATOM_SYM)
        return rk_tape_compile_symbol(c, a.a);
    if (c->slot_of[atom] == 0)
        c->slot_of[atom] = compile_function(c, a) + 1;
    return c->slot_of[atom] - 1;
}

/* ---- compiling: sums ------------------------------------------------------------------------------------------- */

/* The terms over one common denominator: whole coefficients and no negative powers, above and below. */
typedef struct fraction {
    rk_i128 den;
    rk_factor *below; /* the powers of the denominator */
    size_t n_below;
} fraction;

/* A quotient is a negative power of its divisor. */
static int32_t power_in(const rk_tape_compiler *c, rk_factor f)
{
    return rk_atom_at(c->pool, f.atom).kind == RK_ATOM_QUOT ? -f.power : f.power;
}

static void raise_below(fraction *fr, uint32_t atom, int32_t power)
{
    for (size_t i = 0; i < fr->n_below; i++)
        if (fr->below[i].atom == atom) {
            fr->below[i].power = power > fr->below[i].power ? power : fr->below[i].power;
            return;
        }
    fr->below[fr->n_below++] = (rk_factor){.atom = atom, .power = power};
}

static size_t count_below(const rk_tape_compiler *c, rk_ex e)
{
    size_t n, m, count = 0;
    const rk_term *t = rk_terms(c->pool, e, &n);

    for (size_t i = 0; i < n; i++) {
        const rk_factor *f = rk_factors(c->pool, t[i].product, &m);

        for (size_t j = 0; j < m; j++)
            count += power_in(c, f[j]) < 0;
    }
    return count;
}

static bool find_fraction(rk_tape_compiler *c, rk_ex e, fraction *fr)
{
    size_t n, m;
    const rk_term *t = rk_terms(c->pool, e, &n);
    rk_acc acc = {0};

    *fr = (fraction){.den = 1, .below = RK_NEW_ARRAY(&c->arena, count_below(c, e), rk_factor)};
    c->failed |= !fr->below;
    for (size_t i = 0; i < n && !c->failed && !acc.overflow; i++) {
        const rk_factor *f = rk_factors(c->pool, t[i].product, &m);
        rk_i128 den = rk_coef_at(c->pool, t[i].coef).den;

        fr->den = rk_mul(&acc, fr->den / rk_gcd(fr->den, den), den);
        for (size_t j = 0; j < m; j++)
            if (power_in(c, f[j]) < 0)
                raise_below(fr, f[j].atom, -power_in(c, f[j]));
    }
    return !c->failed && !acc.overflow;
}

/* One factor with the slot it is in. */
typedef struct link {
    uint32_t slot, frequency;
    int32_t power;
} link;

static int by_frequency(const void *a, const void *b)
{
    const link *x = a, *y = b;

    if (x->frequency != y->frequency)
        return x->frequency > y->frequency ? -1 : 1;
    return (x->slot > y->slot) - (x->slot < y->slot);
}

static uint32_t compile_links(rk_tape_compiler *c, link *l, size_t n)
{
    uint32_t slot = RK_TAPE_ONE;

    qsort(l, n, sizeof *l, by_frequency);
    for (size_t i = 0; i < n; i++)
        for (int32_t k = 0; k < l[i].power; k++)
            slot = multiply(c, slot, l[i].slot);
    return slot;
}

static void put_link(rk_tape_compiler *c, link *l, size_t *n, uint32_t atom, int32_t power)
{
    if (power > 0)
        l[(*n)++] = (link){.slot = compile_atom(c, atom), .frequency = c->frequency[atom], .power = power};
}

static int32_t power_below(const fraction *fr, uint32_t atom)
{
    for (size_t i = 0; i < fr->n_below; i++)
        if (fr->below[i].atom == atom)
            return fr->below[i].power;
    return 0;
}

/* The product of a term, multiplied by the common denominator. */
static uint32_t compile_product(rk_tape_compiler *c, uint32_t product, const fraction *fr)
{
    size_t n, m = 0;
    const rk_factor *f = rk_factors(c->pool, product, &n);
    link *l = RK_NEW_ARRAY(&c->arena, n + fr->n_below, link);

    c->failed |= !l;
    if (c->failed)
        return RK_TAPE_ONE;
    for (size_t i = 0; i < n; i++)
        put_link(c, l, &m, f[i].atom, power_in(c, f[i]) + power_below(fr, f[i].atom));
    for (size_t i = 0; i < fr->n_below; i++) {
        bool there = false;

        for (size_t j = 0; j < n; j++)
            there |= f[j].atom == fr->below[i].atom;
        if (!there)
            put_link(c, l, &m, fr->below[i].atom, fr->below[i].power);
    }
    return compile_links(c, l, m);
}

/* A sum of parts; one part with coefficient 1 is its own sum. */
static uint32_t emit_sum(rk_tape_compiler *c, const rk_tape_part *p, size_t n)
{
    uint32_t first = (uint32_t)c->tape->part.n;

    if (n == 1 && p[0].coef == 1)
        return p[0].slot;
    for (size_t i = 0; i < n; i++)
        put_part(c, p[i].coef, p[i].slot);
    return emit(c, RK_TAPE_SUM, first, (uint32_t)n);
}

static uint32_t compile_above(rk_tape_compiler *c, rk_ex e, const fraction *fr)
{
    size_t n;
    const rk_term *t = rk_terms(c->pool, e, &n);
    rk_tape_part *p = RK_NEW_ARRAY(&c->arena, n, rk_tape_part);
    rk_acc acc = {0};

    c->failed |= !p;
    for (size_t i = 0; i < n && !c->failed; i++) {
        rk_ratio coef = rk_coef_at(c->pool, t[i].coef);

        p[i].coef = rk_mul(&acc, coef.num, fr->den / coef.den);
        p[i].slot = compile_product(c, t[i].product, fr);
    }
    c->tape->slow |= acc.overflow;
    return c->failed ? RK_TAPE_ONE : emit_sum(c, p, n);
}

static uint32_t compile_below(rk_tape_compiler *c, const fraction *fr)
{
    rk_tape_part p = {.coef = fr->den};
    link *l = RK_NEW_ARRAY(&c->arena, fr->n_below, link);
    size_t n = 0;

    c->failed |= !l;
    if (c->failed)
        return RK_TAPE_ONE;
    for (size_t i = 0; i < fr->n_below; i++)
        put_link(c, l, &n, fr->below[i].atom, fr->below[i].power);
    p.slot = compile_links(c, l, n);
    return emit_sum(c, &p, 1);
}

/* e as one division of the given kind; none when there is nothing to divide by. */
static uint32_t compile_quotient(rk_tape_compiler *c, rk_ex e, rk_tape_op_kind kind)
{
    fraction fr;
    uint32_t above;

    if (c->depth == RK_WALK_MAX || !find_fraction(c, e, &fr)) {
        c->tape->slow = true;
        return RK_TAPE_ONE;
    }
    c->depth++;
    above = compile_above(c, e, &fr);
    if (fr.den != 1 || fr.n_below > 0)
        above = emit(c, kind, above, compile_below(c, &fr));
    c->depth--;
    return above;
}

uint32_t rk_tape_compile(rk_tape_compiler *c, rk_ex e)
{
    return compile_quotient(c, e, RK_TAPE_EXACT);
}
