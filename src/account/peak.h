/* SPDX-License-Identifier: MIT */
/*
 * account/peak.h - what a step occupies at many points: walked once, then a few sums for each.
 *
 * Stage   model -> [account] -> ask.
 * Uses    base/, expr/, account/memory.h.
 * Memory  a compiled peak owns what it needs and borrows the pool of the instance.
 * Threads rk_peak_new needs the instance alone; evaluating does not change the peak: any number of threads, each with
 *         its own scratch, while nobody builds expressions in that pool.
 *
 * At each moment of a step so many buffers of each size are alive.  Which they are follows from a walk over all layers
 * (pass/timeline.h); how large they are, from the numbers of symbols.  So the walk is done once, and of each moment
 * that could be the largest a row of counts stays.  What was asked of the numbers on the way (is this axis of one
 * element, is this as large as that) is noted with the answers: they hold for a class of numbers, and rk_peak_holds
 * says whether some numbers belong to it.
 */
#ifndef RK_ACCOUNT_PEAK_H
#define RK_ACCOUNT_PEAK_H

#include "account/memory.h"

typedef enum rk_bytes_of {
    RK_BYTES_WEIGHTS,
    RK_BYTES_GRADIENTS,
    RK_BYTES_OPTIMIZER,
    RK_BYTES_SAVED,
    RK_BYTES_CACHE,
    RK_BYTES_PEAK,
    RK_BYTES_OUTPUT, /* of a training step: what someone still has of it in the optimizer's step */
    RK_N_BYTES
} rk_bytes_of;

typedef struct rk_peak rk_peak;

/* For the class of the numbers that the instance has now.  RK_EVALUE: a symbol has no number. */
int rk_peak_new(const rk_instance *m, const rk_memory_options *o, rk_peak **out, rk_err *err);
void rk_peak_free(rk_peak *p);

/* How many rk_i128 of scratch rk_peak_holds and rk_peak_eval need. */
size_t rk_peak_scratch(const rk_peak *p);

/*
 * Whether numbers are of the class for which the peak was compiled.  If not: give the instance those and
 * compile another; where a symbol is `fixed`, open the model again first.
 */
bool rk_peak_holds(const rk_peak *p, const rk_binding *at, rk_i128 *scratch);

/*
 * The figures that rk_memory has under the same names, for numbers of the class.  Allocates nothing.  RK_EVALUE: a
 * symbol has no number; RK_EOVERFLOW: more than 128 bits.
 */
int rk_peak_eval(const rk_peak *p, const rk_binding *at, rk_i128 *scratch, rk_i128 out[RK_N_BYTES], rk_err *err);

/* ---- any numbers ------------------------------------------------------------------------------------------------- */

#define RK_PEAKS_MAX 8 /* classes that are saved: B and S each 1 or more, and what a window adds */

/* Steps of one instance under the same options, compiled as they are needed: one for each class of numbers. */
typedef struct rk_peaks {
    rk_peak *peak[RK_PEAKS_MAX]; /* the one used last stands first */
    size_t n;
    rk_i128 *scratch;
    size_t n_scratch;
    bool walks; /* where a step cannot be compiled (RK_ELIMIT), an account is made at each number instead */
} rk_peaks;

/* At the numbers that the instance has now; `rk_peak_new` says what may be wrong with them. */
int rk_peaks_read(rk_peaks *p, const rk_instance *m, const rk_memory_options *o, rk_i128 out[RK_N_BYTES], rk_err *err);

/* The account at these numbers, without moments and the first step; others of their class can be read from then on. */
int rk_peaks_account(rk_peaks *p, const rk_instance *m, const rk_memory_options *o, rk_memory **out, rk_err *err);
void rk_peaks_free(rk_peaks *p);

/* For measurements: rows kept, sizes that differ, questions asked. */
typedef struct rk_peak_size {
    size_t rows, sizes, questions;
} rk_peak_size;

rk_peak_size rk_peak_measure(const rk_peak *p);

#endif
