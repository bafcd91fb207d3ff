/* SPDX-License-Identifier: MIT */
#include "expr/pool.h"

int32_t rk_product_power(const rk_pool *p, uint32_t product, uint32_t atom)
{
    size_t n;
    const rk_factor *f = rk_factors(p, product, &n);

    for (size_t i = 0; i < n; i++)
        if (f[i].atom == atom)
            return f[i].power;
    return 0;
}

static bool is_too_high(rk_pool *p, int64_t power)
{
    if (power <= RK_EX_POWER_MAX && power >= -RK_EX_POWER_MAX)
        return false;
    rk_pool_fail(p, RK_ELIMIT, "a power beyond %d", RK_EX_POWER_MAX);
    return true;
}

/* The atoms of two products with the sums of their powers, or the least of them. */
static uint32_t merge_into(rk_pool *p, uint32_t x, uint32_t y, bool least, rk_factor *out)
{
    size_t nx, ny, n = 0;
    const rk_factor *a = rk_factors(p, x, &nx), *a_end = a + nx;
    const rk_factor *b = rk_factors(p, y, &ny), *b_end = b + ny;

    while (a < a_end || b < b_end) {
        uint32_t atom_a = a < a_end ? a->atom : RK_NONE, atom_b = b < b_end ? b->atom : RK_NONE;
        uint32_t atom = atom_a < atom_b ? atom_a : atom_b;
        int32_t power_a = atom_a == atom ? a++->power : 0, power_b = atom_b == atom ? b++->power : 0;
        int32_t both = power_a + power_b;

        if (least)
            both = power_a < power_b ? power_a : power_b;
        if (is_too_high(p, both))
            return RK_NONE;
        if (both != 0)
            out[n++] = (rk_factor){.atom = atom, .power = both};
    }
    return rk_intern_product(p, out, n);
}

enum {
    FEW = 32 /* factors, for which there is room on the stack: the ordinary case */
};

static uint32_t merge(rk_pool *p, uint32_t a, uint32_t b, bool least)
{
    rk_factor few[FEW], *out = few;
    rk_arena_mark mark = rk_arena_here(&p->scratch);
    size_t na, nb;
    uint32_t id = RK_NONE;

    if (a == RK_NONE || b == RK_NONE)
        return RK_NONE;
    rk_factors(p, a, &na);
    rk_factors(p, b, &nb);
    if (na + nb > FEW)
        out = RK_NEW_ARRAY(&p->scratch, na + nb, rk_factor);
    if (out)
        id = merge_into(p, a, b, least, out);
    else
        rk_pool_fail_memory(p);
    rk_arena_rewind(&p->scratch, mark);
    return id;
}

uint32_t rk_product_mul(rk_pool *p, uint32_t a, uint32_t b)
{
    if (a == 0)
        return b;
    return b == 0 ? a : merge(p, a, b, false);
}

uint32_t rk_product_meet(rk_pool *p, uint32_t a, uint32_t b)
{
    return a == b ? a : merge(p, a, b, true);
}

uint32_t rk_product_pow(rk_pool *p, uint32_t a, int power)
{
    rk_arena_mark mark = rk_arena_here(&p->scratch);
    size_t n, i = 0;
    const rk_factor *f;
    rk_factor *out;
    uint32_t id = RK_NONE;

    if (a == RK_NONE || power == 0)
        return a == RK_NONE ? RK_NONE : 0;
    f = rk_factors(p, a, &n);
    out = RK_NEW_ARRAY(&p->scratch, n, rk_factor);
    if (!out)
        rk_pool_fail_memory(p);
    for (; out && i < n && !is_too_high(p, (int64_t)f[i].power * power); i++)
        out[i] = (rk_factor){.atom = f[i].atom, .power = f[i].power * power};
    if (out && i == n)
        id = rk_intern_product(p, out, n);
    rk_arena_rewind(&p->scratch, mark);
    return id;
}
