/* SPDX-License-Identifier: MIT */
/*
 * account/largest.h - the largest number of something that stays within so many bytes.
 *
 * Stage   memory -> [account] -> report.
 * Uses    base/.
 * Memory  none.
 * Threads as what it asks.
 */
#ifndef RK_ACCOUNT_LARGEST_H
#define RK_ACCOUNT_LARGEST_H

#include "base/err.h"
#include "base/num.h"

/* What is found of a limit. */
typedef struct rk_fit {
    rk_i128 limit;   /* bytes that there are; 0: nobody asked */
    rk_i128 largest; /* B, or what else was looked for; 0: not even one fits */
    rk_i128 bytes;   /* of the largest */
    rk_i128 next;    /* bytes of one more; RK_I128_MAX: more than can be counted, or more than may be */
} rk_fit;

#define RK_LARGEST_MAX ((rk_i128)1 << 40) /* sequences or tokens: more than any memory holds */

typedef struct rk_growth {
    /* Bytes at n, which never grow smaller with n; RK_EOVERFLOW: more than there is anywhere. */
    int (*bytes)(void *self, rk_i128 n, rk_i128 *out, rk_err *err);
    void *self;
    rk_i128 most; /* the largest n that may be */
} rk_growth;

/* From 1 to `most`; where all of them fit, `most` is the largest. */
int rk_largest_find(const rk_growth *g, rk_i128 limit, rk_fit *out, rk_err *err);

#endif
