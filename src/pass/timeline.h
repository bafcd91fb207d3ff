/* SPDX-License-Identifier: MIT */
/*
 * pass/timeline.h - a training step or a forward pass on paper: every buffer is born, read for the last time, and dies.
 *
 * Stage   program + places -> [pass] -> timeline -> account.
 * Uses    base/, expr/, model/, pass/place.h.
 * Memory  in the arena given.
 * Threads one walk, one thread.
 *
 * The layers of a program are walked one after the other, each with buffers of its own.  A buffer lives while an
 * operation to come reads it, or while a gradient to come keeps it.  Backward, operations are taken in reverse: each
 * makes the gradients of its operands, adds them to what is there, and lets go of what it kept.
 */
#ifndef RK_PASS_TIMELINE_H
#define RK_PASS_TIMELINE_H

#include "pass/place.h"

/* The largest sum of a pass, and who was alive then. */
typedef struct rk_moment {
    rk_i128 bytes;
    uint32_t op;         /* the operation that was being done, or RK_NONE */
    size_t event;        /* which of all births it was */
    uint64_t *buffers;   /* of each buffer of the places, how many */
    uint64_t *gradients; /* of each tensor, how many gradients */
    uint64_t *caches;    /* of each tensor that decoding carries on, how many */
} rk_moment;

typedef struct rk_timeline {
    uint64_t *kept; /* of each buffer, how many are kept when the forward pass has ended */
    rk_moment forward, backward;
    rk_i128 after_forward; /* the sum when the forward pass has ended */
    rk_i128 after_backward;
    rk_i128 *bytes;        /* of each buffer, rounded */
    rk_i128 *tensor_bytes; /* of each tensor, rounded: what its gradient has */
} rk_timeline;

typedef struct rk_timeline_options {
    rk_run_options run;
    bool backward;    /* false: a forward pass without gradients */
    bool loss;        /* from the loss; false: from the output */
    bool hold_output; /* someone holds the output while the backward pass runs */
    bool recompute;   /* every layer keeps what goes into it alone, and is computed again backward */
    int rounding;     /* of a buffer, in bytes; 1: none */
    /* Without gradients, what decoding carries on goes into caches; of the output one place of a sequence is made. */
    const rk_i128 *cache; /* bytes of the cache of each tensor, 0: it has none; NULL: nothing is carried on */
    rk_ex places;         /* how many places a sequence has; RK_EX_FAILED: of the output all are made */
} rk_timeline_options;

int rk_timeline_new(rk_arena *a, const rk_model *m, const rk_places *pl, const rk_flow *f, const rk_timeline_options *o,
                    rk_timeline *out, rk_err *err);

#endif
