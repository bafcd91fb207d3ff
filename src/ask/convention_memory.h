/* SPDX-License-Identifier: MIT */
/*
 * ask/convention_memory.h - what stands beside conventions of memory: the exact account of a step, by their classes.
 *
 * Stage   memory -> [ask] -> report.
 * Uses    account/memory.h, ask/conventions.h.
 * Memory  plain values.
 * Threads no state.
 */
#ifndef RK_ASK_CONVENTION_MEMORY_H
#define RK_ASK_CONVENTION_MEMORY_H

#include "account/memory.h"
#include "ask/conventions.h"

typedef struct rk_exact_bytes {
    rk_i128 of_class[RK_N_ROW_CLASS]; /* negative: the account says nothing of it */
    int bytes;                        /* of a number of the run */
    const char *how;                  /* "a training step of PyTorch" */
} rk_exact_bytes;

/* A layer is the mean of all: what they keep together, divided by their number, rounded down. */
int rk_exact_bytes_find(const rk_memory *m, rk_exact_bytes *out, rk_err *err);

#endif
