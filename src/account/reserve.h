/* SPDX-License-Identifier: MIT */
/*
 * account/reserve.h - training steps, or a forward pass, as requests to the caching allocator, in the framework's
 * order.
 *
 * Stage   step -> [account] -> memory.
 * Uses    account/allocator.h, account/storage.h, account/optimizer.h, pass/timeline.h.
 * Memory  what is found is plain values; all else is freed.
 * Threads as building a ledger: one thread.
 *
 * The program that is run: the weights are made, one after the other in the order of the modules (a tied head too,
 * which
 * is let go).  In the first step the output is dropped before the backward pass; then the optimizer makes its state;
 * then the gradients are let go.  In each further step the output is held until its end.  Segments that were made for
 * one step are there in the next, and are cut otherwise: what is reserved goes on growing for a few steps, so six are
 * walked, and the peaks are those of the last four.  Where one of them leaves the allocator as it found it, those after
 * it would do the same, and are not walked.
 */
#ifndef RK_ACCOUNT_RESERVE_H
#define RK_ACCOUNT_RESERVE_H

#include "account/allocator.h"
#include "account/storage.h"
#include "account/optimizer.h"
#include "pass/timeline.h"

#define RK_RESERVE_STEPS 6
#define RK_RESERVE_OPS_MAX ((size_t)1 << 18) /* operations of one forward pass, which the caller compares: seconds */

/* An event of the second step; `task` is NULL where its passes have ended. */
typedef struct rk_reserve_event {
    rk_event event;
    size_t birth; /* which of all births it is, or was */
} rk_reserve_event;

typedef struct rk_reserve_options {
    const rk_instance *instance;
    const rk_profile *profile;
    const rk_storage *storage; /* of each weight */
    const bool *converted;     /* of each weight: the optimizer makes a gradient of its own for it */
    const rk_step *first;      /* of training: a step whose output nobody holds in the backward pass */
    const rk_step *step;
    const rk_step *reduces;       /* whose buckets are there from step to step */
    const rk_weight_units *units; /* weights that lie in pieces, … */
    int stored;                   /* … in numbers of so many bytes; NULL: they do not */
    const rk_i128 *own; /* of each weight: of so many layers the rank has the optimizer's state; NULL: of all */
    bool train;
    bool adds_up;       /* gradients of weights stay from step to step */
    bool drops_outputs; /* … and what the model makes does not stay for the optimizer's */
    rk_optimizer optimizer;
    int bytes, master, gradient;                          /* as in rk_memory_options */
    void (*event)(void *self, const rk_reserve_event *e); /* each event of a step after the first; NULL: nobody */
    void *self;
} rk_reserve_options;

typedef struct rk_reserve {
    bool known;                           /* false: the step is too long, or has too many blocks */
    rk_allocator_sums peak;               /* the largest of each, in steps after the second; of all streams */
    rk_i128 forward, backward, optimizer; /* allocated, in the first step */
} rk_reserve;

int rk_reserve_find(const rk_reserve_options *o, rk_reserve *out, rk_err *err);

#endif
