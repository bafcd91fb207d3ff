/* SPDX-License-Identifier: MIT */
/*
 * pass/collective.h - what a task sends to other devices.
 *
 * Stage   step -> [pass] -> account.
 * Uses    base/, expr/, model/, pass/step.h.
 * Memory  none; expressions in the pool given.
 * Threads no state.
 */
#ifndef RK_PASS_COLLECTIVE_H
#define RK_PASS_COLLECTIVE_H

#include "pass/step.h"

/* The most messages of different kinds that one task sends. */
#define RK_TASK_SENDS_MAX 4

typedef struct rk_task_sends {
    rk_sent at[RK_TASK_SENDS_MAX];
    rk_i128 times[RK_TASK_SENDS_MAX];
    size_t n;
} rk_task_sends;

/* What a task of a step sends each time it is run. */
rk_task_sends rk_task_sends_of(rk_pool *pool, const rk_step *s, const rk_task *t, const rk_run_options *run);

#endif
