/* SPDX-License-Identifier: MIT */
/*
 * ask/training_run.h - a whole training run: its operations exactly, its time and energy as estimates.
 *
 * Stage   ledger, how many tokens or steps, on what -> [ask] -> figures.
 * Uses    base/, expr/, account/ledger.h.
 * Memory  none; results are plain values.
 * Threads as building a ledger: one thread.
 */
#ifndef RK_ASK_TRAINING_RUN_H
#define RK_ASK_TRAINING_RUN_H

#include "account/ledger.h"

typedef struct rk_training_request {
    rk_i128 tokens;     /* 0: `steps` says it */
    rk_i128 steps;      /* 0: `tokens` says it */
    rk_i128 recomputed; /* FLOPs of a step that its backward pass does once more */
    rk_i128 rate;       /* FLOPs in a second of one device; 0: not known, and so are times */
    rk_i128 devices;    /* 1 or more */
    rk_i128 batches;    /* of the model's B sequences in a step, over all devices; 0: one */
    double mfu;         /* the share of the rate that the model's FLOPs reach; 0: all of it, with what is recomputed */
    rk_i128 power;      /* watts of one device; 0: not known */
} rk_training_request;

typedef struct rk_training_run {
    rk_i128 tokens;            /* 0: the model has no length by which they could be counted */
    rk_i128 steps;             /* whole ones; the last may have fewer tokens */
    rk_i128 batch;             /* tokens of a step, or 0 */
    rk_i128 step;              /* FLOPs of one, forward and backward */
    rk_i128 flops;             /* of all, rounded down to a whole one */
    rk_i128 hardware;          /* the same with what is recomputed */
    rk_i128 attention;         /* of a step's: products of two activations */
    rk_i128 stored, active;    /* parameters */
    rk_i128 rule, rule_active; /* 6·N·D, with all parameters and with those that a token uses; 0: without tokens */
    double mfu, hfu;           /* shares of the rate: of the model's FLOPs, and of those that devices do */
    double seconds;            /* the estimates: 0 without a rate … */
    double joules;             /* … and without a power */
} rk_training_run;

/* RK_EINPUT: tokens are asked for, and the model has no S.  RK_EVALUE: a symbol has no number.  RK_EOVERFLOW. */
int rk_training_run_new(const rk_ledger *l, const rk_training_request *r, rk_training_run *out, rk_err *err);

#endif
