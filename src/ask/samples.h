/* SPDX-License-Identifier: MIT */
/*
 * ask/samples.h - a timeline in so many points, whatever the number of its operations.
 *
 * Stage   account/observe.h -> [ask] -> report.
 * Uses    base/, account/observe.h.
 * Memory  in the arena given: twice as many points as were asked for, and those outside of layers.
 * Threads one thread.
 *
 * A point is a run of operations of the same act, and shows the largest moment among them, so that no peak is lost.
 * Operations outside of layers are a point each: there are few of them, and the peak is often there.
 */
#ifndef RK_ASK_SAMPLES_H
#define RK_ASK_SAMPLES_H

#include "account/observe.h"
#include "base/arena.h"

#define RK_SAMPLES_MOST 4096 /* points that may be asked for: more than a screen has pixels */

typedef struct rk_sample {
    size_t first, n; /* operations: which is the first, and how many there are */
    rk_act act;
    const rk_op *op; /* the one with the largest moment; NULL: the optimizer's step */
    uint32_t layer;  /* its; RK_NONE: it is outside of layers */
    rk_i128 bytes[RK_N_ALIVE];
    rk_i128 total;
} rk_sample;

typedef struct rk_samples {
    rk_sample *at;
    size_t n, room;
    size_t points; /* that were asked for */
    size_t each;   /* operations of layers in a point */
    size_t n_op;   /* seen so far */
} rk_samples;

/* NULL: no memory. */
rk_samples *rk_samples_new(rk_arena *a, size_t points);
rk_observer rk_samples_observer(rk_samples *s);

/* When all has been seen: no more points in layers than were asked for. */
void rk_samples_end(rk_samples *s);

#endif
