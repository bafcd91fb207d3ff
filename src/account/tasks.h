/* SPDX-License-Identifier: MIT */
/*
 * account/tasks.h - the tasks of a training step, in their order, each with what it costs.
 *
 * Stage   step -> [account] -> report.
 * Uses    base/, expr/, model/, pass/step.h, account/cost.h, account/traffic.h.
 * Memory  rows in the arena given, expressions in the pool of the instance.
 * Threads as building a ledger: one thread.
 *
 * Equal layers share a list, and stand here once: `times` says how often.  Sums of rows are the totals of a ledger.
 */
#ifndef RK_ACCOUNT_TASKS_H
#define RK_ACCOUNT_TASKS_H

#include "account/ledger.h"
#include "account/optimizer.h"
#include "pass/step.h"
#include "pass/profile.h"

#define RK_TASK_NUMBER_BYTES 4 /* of a number that is read, written or saved: fp32 */

typedef struct rk_task_row {
    rk_task_kind kind;
    const char *path;   /* layers.attention.scores */
    const char *of;     /* the tensor whose gradient it makes or adds to; NULL: none */
    const char *layers; /* "0-2,5" where they are not all of their loop; NULL otherwise */
    rk_i128 times;
    rk_ex flops, read, written; /* of one, the last two in bytes */
    rk_i128 saves;              /* bytes that it holds for the backward pass, with what others hold as well */
} rk_task_row;

typedef struct rk_task_rows {
    rk_task_row *at;
    size_t n, cap;
} rk_task_rows;

/*
 * Of a step that begins its backward pass at the loss, if the model has one.  `optimizer`: whose updates stand at the
 * end; NULL: none do.  RK_EVALUE: a symbol has no number.
 */
int rk_task_rows_new(rk_arena *a, const rk_ledger *l, const rk_profile *profile, const rk_optimizer *optimizer,
                     rk_task_rows *out, rk_err *err);

#endif
