/* SPDX-License-Identifier: MIT */
/*
 * report/scale.h - an axis: from numbers to places between 0 and 1, with round numbers marked on it.
 *
 * Stage   figures -> [a chart] -> bytes.
 * Uses    base/, report/figure.h.
 * Memory  none of its own.
 * Threads no state.
 *
 * Here numbers are places on paper, not counts: double is right for them.
 */
#ifndef RK_REPORT_SCALE_H
#define RK_REPORT_SCALE_H

#include "base/str.h"

typedef enum rk_unit_kind {
    RK_UNIT_PLAIN,  /* 1,234; 0.25 */
    RK_UNIT_SCALED, /* decimal prefixes: 4.51 TFLOP */
    RK_UNIT_BINARY, /* powers of 1,024, of lengths: 16 Ki */
    RK_UNIT_SHARE   /* 1 is 100% */
} rk_unit_kind;

typedef enum rk_scale_kind {
    RK_SCALE_LINEAR,
    RK_SCALE_LOG
} rk_scale_kind;

typedef struct rk_tick {
    double value;
    bool minor; /* without a number */
} rk_tick;

#define RK_TICKS_MAX 128

typedef struct rk_scale {
    rk_scale_kind kind;
    rk_unit_kind unit;
    double low, high;   /* low < high */
    double prefix;      /* of the numbers on a linear axis: all have the same */
    const char *letter; /* "G" */
    rk_tick tick[RK_TICKS_MAX];
    size_t n_tick;
} rk_scale;

/* Holds the numbers from low to high, with at most about `most` of them named.  Both must be finite, and positive on a
 * logarithmic axis; where they are the same, there is room around them. */
rk_scale rk_scale_new(rk_scale_kind kind, rk_unit_kind unit, double low, double high, size_t most);

/* 0 at the low end, 1 at the high one; what lies outside is outside. */
double rk_scale_place(const rk_scale *s, double value);

/* "2.5 GB", "10 TFLOP"; `name` may be "", and is that of numbers with decimal prefixes. */
void rk_scale_put_tick(const rk_scale *s, const char *name, double value, rk_str *out);

/* A number with its unit, three digits: "4.51 TFLOP", "12.5%"; `name` may be "". */
void rk_unit_put(rk_unit_kind unit, const char *name, double value, rk_str *out);

/* A size as people write it: 16,384 is "16K", 20,000 "20k", 1,000 "1,000". */
void rk_size_put(rk_i128 n, rk_str *out);

#endif
