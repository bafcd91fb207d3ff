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

#include "pass/again.h"
#include "pass/census.h"
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

/* Stretches of the backward pass, in the order in which they come; in each, some moment is the largest. */
typedef enum rk_stretch {
    RK_STRETCH_HEAD,   /* from the loss to the layers */
    RK_STRETCH_LAST,   /* the last layer */
    RK_STRETCH_MIDDLE, /* layers between, and what stands between loops */
    RK_STRETCH_FIRST,  /* the first layer */
    RK_STRETCH_FOOT,   /* what comes before the layers */
    RK_N_STRETCH
} rk_stretch;

typedef struct rk_timeline {
    uint64_t *kept; /* of each buffer, how many are kept when the forward pass has ended */
    rk_moment forward, backward;
    rk_moment stretch[RK_N_STRETCH]; /* the largest of each; `backward` is the largest of them */
    rk_i128 after_forward;           /* the sum when the forward pass has ended */
    rk_i128 after_backward;
    rk_i128 *bytes;        /* of each buffer, rounded */
    bool *one_place;       /* of each buffer: of a sequence, one place of it is made */
    rk_i128 *tensor_bytes; /* of each tensor, rounded: what its gradient has */
} rk_timeline;

/* What something alive is. */
typedef enum rk_live {
    RK_LIVE_KEPT,            /* the backward pass will need it */
    RK_LIVE_PASSING,         /* an operation to come reads it, or someone holds it */
    RK_LIVE_GRADIENT,        /* of an activation */
    RK_LIVE_WEIGHT_GRADIENT, /* of a weight */
    RK_LIVE_CACHE,           /* what decoding carries on */
    RK_N_LIVE
} rk_live;

typedef enum rk_stage {
    RK_STAGE_FORWARD,
    RK_STAGE_LOSS,
    RK_STAGE_BACKWARD,
    RK_STAGE_AGAIN /* in the backward pass: forward once more */
} rk_stage;

/* An operation of one layer while it is done: what is alive at its largest moment. */
typedef struct rk_scene {
    rk_stage stage;
    uint32_t op;
    const uint32_t *layer; /* the running numbers of the loops around it, the outermost first */
    size_t n_layer;
    rk_i128 bytes[RK_N_LIVE];
} rk_scene;

/* Someone who wants to see each operation, in the order in which they are done. */
typedef struct rk_watcher {
    void (*see)(void *self, const rk_scene *scene);
    void *self;
} rk_watcher;

typedef struct rk_timeline_options {
    rk_run_options run;
    bool backward;    /* false: a forward pass without gradients */
    bool loss;        /* from the loss; false: from the output */
    bool hold_output; /* someone holds the output while the backward pass runs */
    size_t again;     /* so many layers together keep what goes into them alone, and are computed again; 0: none */
    const rk_agains *pieces; /* operations that do so; NULL: none */
    const rk_tail *tail;     /* how the head and the loss are computed; NULL: all tokens at once */
    bool adds_up;            /* gradients of weights are there, and what is made is added to them */
    int rounding;            /* of a buffer, in bytes; 1: none */
    /* Without gradients, what decoding carries on goes into caches; of the output one place of a sequence is made. */
    const rk_i128 *cache;    /* bytes of the cache of each tensor, 0: it has none; NULL: nothing is carried on */
    const rk_ex *cache_each; /* the same as expressions, where there is a census */
    bool carried;            /* the caches are there already: each is replaced by a longer one */
    const bool *skip;        /* of each operation: a step that finds its caches filled leaves it out; NULL: none */
    rk_ex places;            /* how many places a sequence has; RK_EX_FAILED: of the output all are made */
    const bool *unpacks; /* of each tensor: a weight of few bits, written out while a product reads it; NULL: none */
    rk_watcher watcher;  /* see: NULL: nobody */
    rk_census *census;   /* counts what is alive at each moment; NULL: nobody does */
} rk_timeline_options;

int rk_timeline_new(rk_arena *a, const rk_instance *m, const rk_places *pl, const rk_flow *f,
                    const rk_timeline_options *o, rk_timeline *out, rk_err *err);

#endif
