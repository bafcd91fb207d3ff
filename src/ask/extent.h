/* SPDX-License-Identifier: MIT */
/*
 * ask/extent.h - the peak of a step over a size of the run: a curve, and the last number that fits.
 *
 * Stage   a step as someone asks for it -> [ask] -> report.
 * Uses    base/, account/largest.h, ask/gauge.h, ask/savings.h.
 * Memory  in the arena given.
 * Threads as a gauge.
 */
#ifndef RK_ASK_EXTENT_H
#define RK_ASK_EXTENT_H

#include "ask/gauge.h"

#define RK_EXTENT_POINTS 33   /* of a curve: eight for each doubling of doublings, more than a slider's track shows */
#define RK_EXTENT_MAX 4       /* sizes: B, S, T, devices */
#define RK_EXTENT_DEVICES "N" /* the number of devices, on which the weights lie in pieces */

typedef struct rk_extent_point {
    rk_i128 number, peak;
} rk_extent_point;

typedef struct rk_extent {
    const char *symbol; /* "B" */
    rk_i128 now;        /* its number in the step */
    bool is_more_less;  /* more of it needs less: devices */
    rk_fit fit; /* the last that fits, its bytes and those of one more; of devices, the first; limit 0: unasked */
    rk_extent_point point[RK_EXTENT_POINTS];
    size_t n;
} rk_extent;

typedef struct rk_extents {
    rk_extent at[RK_EXTENT_MAX];
    size_t n;
} rk_extents;

/* Of the batch, the length (of decoding, the keys) and, in training, devices; those that the model has. */
int rk_extents_find(rk_arena *a, const rk_run_request *r, const rk_run *run, rk_i128 limit, rk_extents *out,
                    rk_err *err);

#endif
