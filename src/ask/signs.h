/* SPDX-License-Identifier: MIT */
/*
 * ask/signs.h - where a polynomial with whole coefficients is positive, zero and negative, on whole numbers.
 *
 * Stage   inside ask/: below crossings.
 * Uses    base/num.h.
 * Memory  plain values.
 * Threads no state.
 *
 * No roots are computed, and nothing is rounded.  Between two sign changes of p(x + 1) - p(x), a polynomial of a lower
 * degree, p rises or falls all the way, and its own sign changes there are found by halving.
 */
#ifndef RK_ASK_SIGNS_H
#define RK_ASK_SIGNS_H

#include "base/num.h"

#define RK_POLY_MAX 8                      /* coefficients: costs are of the degree 3 at most, products of two of 6 */
#define RK_SIGN_RUNS_MAX (2 * RK_POLY_MAX) /* a polynomial of degree d is zero at d places at most */

/* Σ c[k]·x^k for k < n */
typedef struct rk_poly {
    rk_i128 c[RK_POLY_MAX];
    size_t n; /* c[n - 1] is not 0; 0: nothing but zero */
} rk_poly;

/* Whole numbers from one to another over which the sign is the same. */
typedef struct rk_sign_run {
    rk_i128 from, to;
    int sign; /* -1, 0, 1 */
} rk_sign_run;

typedef struct rk_signs {
    rk_sign_run run[RK_SIGN_RUNS_MAX];
    size_t n;
} rk_signs;

/* The signs from `from` ≥ 0 to `to`; false: a value in between may exceed 128 bits. */
bool rk_poly_signs(const rk_poly *p, rk_i128 from, rk_i128 to, rk_signs *out);

/* Whether the sign stays what it is from x ≥ 1 on: the highest power outweighs all others. */
bool rk_poly_is_settled(const rk_poly *p, rk_i128 x);

#endif
