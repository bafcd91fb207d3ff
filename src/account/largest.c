/* SPDX-License-Identifier: MIT */
#include "account/largest.h"

#define TRIES_MAX 200
#define STRIDE 8 /* from one try to the next, until one does not fit */

typedef struct searching {
    const rk_growth *g;
    rk_err *err;
    int code; /* sticky */
} searching;

/* Bytes at n; what is beyond 128 bits fits nowhere. */
static rk_i128 bytes_at(searching *s, rk_i128 n)
{
    rk_i128 bytes = RK_I128_MAX;

    if (s->code != RK_OK)
        return 0;
    s->code = s->g->bytes(s->g->self, n, &bytes, s->err);
    if (s->code == RK_EOVERFLOW) {
        s->code = RK_OK;
        bytes = RK_I128_MAX;
    }
    return bytes;
}

/*
 * The next one to try between one that fits and one that does not: where a straight line through both meets the
 * limit, for memory grows by as much with each sequence as soon as there are two.
 */
static rk_i128 between(rk_i128 low, rk_i128 low_bytes, rk_i128 high, rk_i128 high_bytes, rk_i128 limit, int tries)
{
    double share = (double)(limit - low_bytes) / ((double)high_bytes - (double)low_bytes);
    rk_i128 n = low + (rk_i128)(share * (double)(high - low));

    /* Where lines mislead, halving still ends. */
    if (tries > STRIDE || high_bytes == RK_I128_MAX)
        n = low + (high - low) / 2;
    return n <= low ? low + 1 : n >= high ? high - 1 : n;
}

/* Finds the largest between the one that fits and `high`, which does not. */
static void close_in(searching *s, rk_fit *fit, rk_i128 high)
{
    for (int i = 0; high - fit->largest > 1 && i < TRIES_MAX && s->code == RK_OK; i++) {
        rk_i128 n = between(fit->largest, fit->bytes, high, fit->next, fit->limit, i), bytes = bytes_at(s, n);

        if (bytes <= fit->limit) {
            fit->largest = n;
            fit->bytes = bytes;
        } else {
            high = n;
            fit->next = bytes;
        }
    }
}

static void search(searching *s, rk_fit *fit)
{
    rk_i128 most = s->g->most;

    while (fit->largest < most && s->code == RK_OK) {
        rk_i128 stride = fit->largest == 1 ? 2 : STRIDE;
        rk_i128 n = fit->largest > most / stride ? most : fit->largest * stride, bytes = bytes_at(s, n);

        if (bytes > fit->limit) {
            fit->next = bytes;
            close_in(s, fit, n);
            return;
        }
        fit->largest = n;
        fit->bytes = bytes;
    }
    fit->next = RK_I128_MAX;
}

int rk_largest_find(const rk_growth *g, rk_i128 limit, rk_fit *out, rk_err *err)
{
    searching s = {.g = g, .err = err};
    rk_fit fit = {.limit = limit};

    fit.next = fit.bytes = bytes_at(&s, 1);
    if (s.code == RK_OK && fit.bytes <= limit) {
        fit.largest = 1;
        search(&s, &fit);
    }
    if (s.code == RK_OK)
        *out = fit;
    return s.code;
}
