/* SPDX-License-Identifier: MIT */
/*
 * account/collectives.h - what one rank sends in a step: a sum over its tasks.
 *
 * Stage   step -> [account] -> report.
 * Uses    base/, expr/, model/, pass/step.h.
 * Memory  rows in the arena given, expressions in the pool of the instance.
 * Threads as building a ledger: one thread.
 */
#ifndef RK_ACCOUNT_COLLECTIVES_H
#define RK_ACCOUNT_COLLECTIVES_H

#include "base/vec.h"
#include "pass/step.h"

typedef enum rk_sent_phase {
    RK_SENT_FORWARD,
    RK_SENT_BACKWARD,
    RK_SENT_OPTIMIZER,
    RK_SENT_PIPELINE, /* forward and backward in turn */
    RK_SENT_PREFILL,
    RK_SENT_DECODE,
    RK_N_SENT_PHASE
} rk_sent_phase;

extern const char *const rk_sent_phase_word[RK_N_SENT_PHASE]; /* fwd, bwd, opt, fwdbwd, prefill, decode */

typedef struct rk_sent_row {
    rk_sent_phase phase;
    rk_sent sent;
    rk_i128 elements; /* sent.elements as a number */
    rk_i128 times;    /* in a step of the optimizer … */
    rk_ex how_often;  /* … and the same as a formula */
} rk_sent_row;

typedef struct rk_sent_rows {
    rk_sent_row *at;
    size_t n, cap;
} rk_sent_rows;

/* Adds what the tasks of a list send, each so often; equal ones are one row. */
int rk_sent_add_list(rk_arena *a, const rk_instance *x, const rk_step *s, uint32_t list, rk_sent_phase phase,
                     rk_i128 passes, const rk_run_options *run, rk_sent_rows *out, rk_err *err);

/* The devices that take part: how many, also as a formula, and along which axes of the mesh. */
rk_i128 rk_sent_group(const rk_layout *l, const rk_sent *sent);
rk_ex rk_sent_group_size(rk_pool *pool, const rk_layout *l, const rk_sent *sent);
const char *rk_sent_group_word(const rk_layout *l, const rk_sent *sent);

/*
 * Elements that a rank hands to others for one of `sent` in a group of n: what goes round a ring.  What is received is
 * sent by another.
 */
rk_ex rk_sent_volume(rk_pool *pool, const rk_sent *sent, rk_ex n);

#endif
