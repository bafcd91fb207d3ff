/* SPDX-License-Identifier: MIT */
/*
 * pass/timeline.h - one walk over a step: every buffer is born, held, let go; what is alive is counted.
 *
 * Stage   step -> [pass] -> timeline -> account.
 * Uses    base/, expr/, pass/step.h.
 * Memory  results in the arena given; the walk's own is freed when it ends.
 * Threads one walk, one thread; any number of walks over one step.
 *
 * The walk knows nothing of operations, phases or profiles.  It runs lists, each for its layer, and does the effects
 * of their tasks in order: births add to a sum, deaths take from it, and the largest sum of each part is noted.  A
 * sum only grows with a birth, so it is compared there.
 *
 * Why twice.  Who is alive at the largest moment is known when the moment has been found, and it is not found before
 * all moments have been seen.  To note it on the way would mean to copy a table at each new maximum, and in the forward
 * pass each birth is one.  So the first walk notes at which birth it was, and a second one stops there and looks.
 *
 * Which layers are walked.  All of them, but a run of a list that finds what another run of it found is not done task
 * by task: what that one did is added (pass/timeline_repeat.c).
 *
 * What a walk needs.  One number for each slot, one for each save of the step's frame, and one entry for each buffer
 * that is alive: entries of the dead are used again.  So the memory of a walk follows from the step, and not from the
 * number of births: RK_STEP_LIVE_MAX bounds it, and is compared when the step is built.
 *
 * Why holders are counted.  A buffer may be held by a slot, by several saves (a product and a norm that both need it)
 * and by a variable of a loop, and which of these is the last differs from layer to layer: the first layer's input is
 * also the embedding's result, and the last layer's output is also the head's input.
 */
#ifndef RK_PASS_TIMELINE_H
#define RK_PASS_TIMELINE_H

#include "pass/step.h"

/* The largest sum of a pass, and who was alive then. */
typedef struct rk_moment {
    rk_i128 bytes;
    rk_i128 live[RK_N_LIVE]; /* the same by what it is */
    uint32_t op;             /* the operation that was being done, or RK_NONE */
    size_t event;            /* which of all births it was */
    uint64_t *buffers;       /* of each buffer of the places, how many */
    uint64_t *gradients;     /* of each tensor, how many gradients */
    uint64_t *caches;        /* of each tensor that decoding carries on, how many */
    uint64_t *left;          /* of each buffer, how many of those that were there before the step are gone … */
    uint64_t *kept;          /* … and how many of those that are alive are saved for the backward pass */
} rk_moment;

typedef struct rk_timeline {
    uint64_t *saved; /* of each buffer, how many are saved when the forward pass has ended */
    rk_moment forward, backward;
    rk_moment part[RK_N_BACKWARD_PART]; /* the largest of each; `backward` is the largest of them */
    rk_i128 after_forward;              /* the sum when the forward pass has ended */
    rk_i128 after_backward;
} rk_timeline;

/* An operation of one layer while it is done: what is alive at its largest moment. */
typedef struct rk_scene {
    rk_stage stage;
    uint32_t op;
    const uint32_t *layer; /* the running numbers of the loops around it, the outermost first */
    size_t n_layer;
    rk_i128 bytes[RK_N_LIVE];
    rk_i128 sum; /* of these */
} rk_scene;

/* A buffer is born or dies. */
typedef struct rk_event {
    bool born;
    uint32_t entry;  /* the same at birth and death; of the dead it is used again */
    uint32_t buffer; /* of the step */
    rk_live as;      /* what it counts as now */
    rk_i128 bytes;
    const rk_task *task; /* at birth, and at death: the one being done */
    const uint32_t *layer;
    size_t n_layer;
    bool backward;
} rk_event;

/* Someone who wants to see each operation, in the order in which they are done, or each event; NULL: not that. */
typedef struct rk_watcher {
    void (*op)(void *self, const rk_scene *scene);
    /* May be asked before `op`, of a scene in a layer of the outermost loop.  True: its sum is all that is wanted. */
    bool (*passes_over)(void *self, rk_stage stage, uint32_t layer, rk_i128 sum);
    void (*event)(void *self, const rk_event *event);
    void (*save)(void *self, uint32_t buffer, uint32_t op); /* an operation saves it for its gradient */
    void *self;
} rk_watcher;

/*
 * `watcher`: sees the first walk; NULL: nobody does.  `census`: counts what is alive at each moment; NULL: nobody does.
 * `who`: find out who is alive at the moments, which takes a second walk; otherwise these have their sums alone.
 */
int rk_timeline_new(rk_arena *a, const rk_step *s, const rk_watcher *watcher, rk_census *census, bool who,
                    rk_timeline *out, rk_err *err);

/* One walk for the watcher alone. */
int rk_timeline_watch(const rk_step *s, const rk_watcher *watcher, rk_err *err);

#endif
