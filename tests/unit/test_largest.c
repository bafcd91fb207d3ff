/* SPDX-License-Identifier: MIT */
/* The search for the largest number that stays within a limit, over functions of which the answer is known. */
#include "account/largest.h"

#include "../t.h"

#include <stdint.h>

typedef struct growth {
    rk_i128 base, slope, square;
    rk_i128 jump_at, jump; /* so much more from there on */
    rk_i128 overflow_at;   /* 0: nowhere */
    int fails_at;          /* 0: nowhere */
    int asked;
} growth;

static rk_i128 bytes_of(const growth *g, rk_i128 n)
{
    return g->base + g->slope * n + g->square * n * n + (n >= g->jump_at ? g->jump : 0);
}

static int bytes(void *self, rk_i128 n, rk_i128 *out, rk_err *err)
{
    growth *g = self;

    g->asked++;
    if (g->fails_at && n >= g->fails_at)
        return rk_fail(err, RK_EINPUT, "no such number");
    if (g->overflow_at && n >= g->overflow_at)
        return rk_fail(err, RK_EOVERFLOW, "too large");
    *out = bytes_of(g, n);
    return RK_OK;
}

/* The answer fits, and one more does not; and it did not take long to find. */
static void check(growth g, rk_i128 most, rk_i128 limit)
{
    rk_growth grows = {.bytes = bytes, .self = &g, .most = most};
    rk_fit fit = {0};
    rk_err err = {0};
    bool over;

    if (!CHECK_INT(rk_largest_find(&grows, limit, &fit, &err), RK_OK))
        return;
    CHECK_INT(fit.limit, limit);
    CHECK(g.asked < 120);
    if (fit.largest == 0) {
        CHECK(bytes_of(&g, 1) > limit);
        CHECK_INT(fit.bytes, bytes_of(&g, 1));
        return;
    }
    over = g.overflow_at && fit.largest + 1 >= g.overflow_at;
    CHECK_INT(fit.bytes, bytes_of(&g, fit.largest));
    CHECK(fit.bytes <= limit);
    CHECK(fit.largest == most || over || bytes_of(&g, fit.largest + 1) > limit);
    if (fit.largest < most && !over)
        CHECK_INT(fit.next, bytes_of(&g, fit.largest + 1));
    else
        CHECK(fit.next == RK_I128_MAX);
}

static void check_many(void)
{
    uint64_t seed = 12345;

    for (int i = 0; i < 2000; i++) {
        growth g = {0};

        seed = seed * 6364136223846793005u + 1442695040888963407u;
        g.base = (rk_i128)(seed >> 40);
        g.slope = (rk_i128)(seed >> 30 & 1023);
        g.square = (rk_i128)(seed >> 20 & 3);
        g.jump_at = (rk_i128)(seed >> 10 & 4095);
        g.jump = (rk_i128)(seed & 1023) * 1000;
        check(g, (rk_i128)1 << (1 + (seed >> 5 & 31)), (rk_i128)(seed >> 33));
    }
}

int main(void)
{
    rk_fit fit = {.largest = 7};
    rk_err err = {0};
    growth wrong = {.slope = 1, .fails_at = 5};
    rk_growth grows = {.bytes = bytes, .self = &wrong, .most = 100};

    check((growth){.base = 10, .slope = 3}, (rk_i128)1 << 40, 1000000000000);
    check((growth){.base = 10, .slope = 3}, 1, 1000);
    check((growth){.base = 10, .slope = 3}, 100, 12);
    check((growth){.base = 10}, (rk_i128)1 << 40, 10);
    check((growth){.slope = 1, .overflow_at = 1000}, (rk_i128)1 << 40, 100000);
    check((growth){.slope = 1, .jump_at = 513, .jump = (rk_i128)1 << 80}, (rk_i128)1 << 40, 100000);
    check_many();
    CHECK_INT(rk_largest_find(&grows, 1000, &fit, &err), RK_EINPUT);
    CHECK_INT(fit.largest, 7); /* untouched */
    return t_done("largest");
}
