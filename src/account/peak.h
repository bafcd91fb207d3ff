/* SPDX-License-Identifier: MIT */
/*
 * account/peak.h - what a step occupies at many points: walked once, then a few sums for each.
 *
 * Stage   model -> [account] -> ask.
 * Uses    base/, expr/, account/memory.h.
 * Memory  a compiled peak owns what it needs and borrows the model's pool.
 * Threads rk_peak_new needs the model alone; evaluating does not change the peak: any number of threads, each with its
 *         own scratch, while nobody builds expressions in the model's pool.
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
    RK_N_BYTES
} rk_bytes_of;

typedef struct rk_peak rk_peak;

/* For the class of the numbers that the model has now.  RK_EVALUE: a symbol has no number. */
int rk_peak_new(rk_model *m, const rk_memory_options *o, rk_peak **out, rk_err *err);
void rk_peak_free(rk_peak *p);

/* How many rk_i128 of scratch rk_peak_holds and rk_peak_eval need. */
size_t rk_peak_scratch(const rk_peak *p);

/*
 * Whether numbers are of the class for which the peak was compiled.  If not: set the model's numbers to them and
 * compile another; where a symbol is `fixed`, open the model again first.
 */
bool rk_peak_holds(const rk_peak *p, const rk_binding *at, rk_i128 *scratch);

/*
 * The figures that rk_memory has under the same names, for numbers of the class.  Allocates nothing.  RK_EVALUE: a
 * symbol has no number; RK_EOVERFLOW: more than 128 bits.
 */
int rk_peak_eval(const rk_peak *p, const rk_binding *at, rk_i128 *scratch, rk_i128 out[RK_N_BYTES], rk_err *err);

/* For measurements: rows kept, sizes that differ, questions asked. */
typedef struct rk_peak_size {
    size_t rows, sizes, questions;
} rk_peak_size;

rk_peak_size rk_peak_measure(const rk_peak *p);

#endif
