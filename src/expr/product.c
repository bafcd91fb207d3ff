/* SPDX-License-Identifier: MIT */
#include "expr/pool.h"

typedef int32_t (*combine)(int32_t a, int32_t b);

static int32_t sum(int32_t a, int32_t b)
{
    return a + b;
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* The next atom of two sorted lists, and its power in each. */
static uint32_t next(const rk_factor **a, const rk_factor *a_end, const rk_factor **b, const rk_factor *b_end,
                     int32_t power[2])
{
    uint32_t x = *a < a_end ? (*a)->atom : RK_NONE, y = *b < b_end ? (*b)->atom : RK_NONE;
    uint32_t atom = x < y ? x : y;

    power[0] = x == atom ? (*a)++->power : 0;
    power[1] = y == atom ? (*b)++->power : 0;
    return atom;
}

static uint32_t merge_into(rk_pool *p, uint32_t x, uint32_t y, combine f, rk_factor *out)
{
    size_t nx, ny, n = 0;
    const rk_factor *a = rk_factors(p, x, &nx), *a_end = a + nx;
    const rk_factor *b = rk_factors(p, y, &ny), *b_end = b + ny;

    while (a < a_end || b < b_end) {
        int32_t power[2];
        uint32_t atom = next(&a, a_end, &b, b_end, power);
        int32_t both = f(power[0], power[1]);

        if (both > RK_EX_POWER_MAX || both < -RK_EX_POWER_MAX) {
            rk_pool_fail(p, RK_ELIMIT, "a power beyond %d", RK_EX_POWER_MAX);
            return RK_NONE;
        }
        if (both != 0)
            out[n++] = (rk_factor){.atom = atom, .power = both};
    }
    return rk_intern_product(p, out, n);
}

/* Room for n factors: on the stack in the ordinary case. */
enum {
    FEW = 32
};

static uint32_t merge(rk_pool *p, uint32_t a, uint32_t b, combine f)
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
        id = merge_into(p, a, b, f, out);
    else
        rk_pool_fail_memory(p);
    rk_arena_rewind(&p->scratch, mark);
    return id;
}

uint32_t rk_product_mul(rk_pool *p, uint32_t a, uint32_t b)
{
    if (a == 0)
        return b;
    return b == 0 ? a : merge(p, a, b, sum);
}

uint32_t rk_product_meet(rk_pool *p, uint32_t a, uint32_t b)
{
    return a == b ? a : merge(p, a, b, least);
}

static uint32_t raise_into(rk_pool *p, const rk_factor *f, size_t n, int power, rk_factor *out)
{
    for (size_t i = 0; i < n; i++) {
        int64_t e = (int64_t)f[i].power * power;

        if (e > RK_EX_POWER_MAX || e < -RK_EX_POWER_MAX) {
            rk_pool_fail(p, RK_ELIMIT, "a power beyond %d", RK_EX_POWER_MAX);
            return RK_NONE;
        }
        out[i] = (rk_factor){.atom = f[i].atom, .power = (int32_t)e};
    }
    return rk_intern_product(p, out, n);
}

uint32_t rk_product_pow(rk_pool *p, uint32_t a, int power)
{
    rk_arena_mark mark = rk_arena_here(&p->scratch);
    size_t n;
    const rk_factor *f;
    rk_factor *out;
    uint32_t id;

    if (a == RK_NONE || power == 0)
        return a == RK_NONE ? RK_NONE : 0;
    f = rk_factors(p, a, &n);
    out = RK_NEW_ARRAY(&p->scratch, n, rk_factor);
    id = out ? raise_into(p, f, n, power, out) : RK_NONE;
    if (!out)
        rk_pool_fail_memory(p);
    rk_arena_rewind(&p->scratch, mark);
    return id;
}
