/* SPDX-License-Identifier: MIT */
/*
 * pass/schedule.h - in which order a device of a pipeline runs its stages forward and backward, micro-batch by
 * micro-batch.
 *
 * Stage   layout -> [schedule] -> step.
 * Uses    base/, pass/layout.h.
 * Memory  in the arena given.
 * Threads no state.
 *
 * A schedule is data: a list of actions.  It says nothing of a model, and who walks it nothing of how it was made.
 */
#ifndef RK_PASS_SCHEDULE_H
#define RK_PASS_SCHEDULE_H

#include "base/arena.h"
#include "base/err.h"
#include "pass/layout.h"

#include <stdint.h>

#define RK_SCHEDULE_MAX ((rk_i128)1 << 22) /* actions of a device in one step */

typedef enum rk_action_kind {
    RK_ACTION_FORWARD,
    RK_ACTION_BACKWARD, /* with `halves`: of activations alone */
    RK_ACTION_WEIGHTS   /* the other half: gradients of weights */
} rk_action_kind;

typedef struct rk_action {
    rk_action_kind kind;
    uint32_t stage; /* of the device's own, from 0 */
    uint32_t micro; /* the micro-batch */
} rk_action;

typedef struct rk_schedule {
    rk_action *at;
    size_t n;
    uint32_t n_stage, n_all; /* stages of the device, and of all devices */
    uint32_t n_micro;        /* micro-batches of the step */
    bool halves;             /* gradients of weights are taken by themselves */
} rk_schedule;

/* How many stages all devices have together, and micro-batches of a step. */
rk_i128 rk_layout_stages(const rk_layout *l);
rk_i128 rk_layout_micro(const rk_layout *l);

/* Which of all stages a device's own one is: those of a device lie as far apart as there are devices. */
rk_i128 rk_layout_stage(const rk_layout *l, size_t own);

/* Of the rank that the layout looks at.  RK_EUSAGE: the numbers do not fit the schedule; RK_ELIMIT: too many. */
int rk_schedule_new(rk_arena *a, const rk_layout *l, rk_schedule *out, rk_err *err);

/* The most micro-batches that have been run forward, of all stages together, and not yet backward. */
size_t rk_schedule_in_flight(const rk_schedule *s);

#endif
