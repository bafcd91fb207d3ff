/* SPDX-License-Identifier: MIT */
/*
 * base/num.h - exact whole numbers of 128 bits, every operation checked.
 *
 * Stage   below every stage.
 * Uses    libc.
 * Memory  none.
 * Threads no state.
 *
 * Arithmetic is written as a chain over one rk_acc, asked once at the end: after the first overflow
 * `overflow` is set, results are 0, and stay meaningless.
 */
#ifndef RK_BASE_NUM_H
#define RK_BASE_NUM_H

#include <stdbool.h>
#include <stddef.h>

__extension__ typedef __int128 rk_i128;
__extension__ typedef unsigned __int128 rk_u128;

#define RK_I128_MAX ((rk_i128)(~(rk_u128)0 >> 1))
#define RK_I128_MIN (-RK_I128_MAX - 1)

typedef struct rk_acc {
    bool overflow;
} rk_acc;

rk_i128 rk_add(rk_acc *acc, rk_i128 a, rk_i128 b);
rk_i128 rk_sub(rk_acc *acc, rk_i128 a, rk_i128 b);
rk_i128 rk_mul(rk_acc *acc, rk_i128 a, rk_i128 b);
rk_i128 rk_pow(rk_acc *acc, rk_i128 a, unsigned e);
rk_i128 rk_gcd(rk_i128 a, rk_i128 b); /* never negative; gcd(0, 0) = 0 */

/* Rounded towards minus and plus infinity; b must not be 0. */
rk_i128 rk_floor_div(rk_acc *acc, rk_i128 a, rk_i128 b);
rk_i128 rk_ceil_div(rk_acc *acc, rk_i128 a, rk_i128 b);

#define RK_NUM_TEXT_MAX 64 /* room for any number, separated, with its terminator */

/* Decimal digits; with separators 1,234,567.  Both return `buf`. */
char *rk_num_text(char buf[RK_NUM_TEXT_MAX], rk_i128 n);
char *rk_num_grouped(char buf[RK_NUM_TEXT_MAX], rk_i128 n);

/* Reads decimal digits (no sign, no separators) from text[0..len); false when there are none or they overflow. */
bool rk_num_parse(const char *text, size_t len, rk_i128 *out);

#endif
