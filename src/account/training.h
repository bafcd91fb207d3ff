/* SPDX-License-Identifier: MIT */
/*
 * account/training.h - of a training step: what is recomputed, the optimizer's step, the largest batch.
 *
 * Stage   ledger, memory -> [account] -> report.
 * Uses    base/, expr/, account/ledger.h, account/memory.h.
 * Memory  rows in the arena given; expressions in the pool of the ledger.
 * Threads as building a ledger: one thread.
 */
#ifndef RK_ACCOUNT_TRAINING_H
#define RK_ACCOUNT_TRAINING_H

#include "account/ledger.h"
#include "account/memory.h"

/* Forward operations of the ledger that the backward pass does once more. */
rk_ex rk_recompute_flops(const rk_memory *m, const rk_ledger *l);

/* ---- the optimizer's step --------------------------------------------------------------------------------------- */

/* Products with one matrix of each layer. */
typedef struct rk_optimizer_step_row {
    uint32_t weight; /* of the program */
    const char *pattern;
    rk_ex times, each;
} rk_optimizer_step_row;

typedef struct rk_optimizer_step {
    rk_optimizer optimizer;
    rk_ex parameters; /* that it moves */
    rk_ex elements;   /* operations element by element, of all of them */
    rk_optimizer_step_row *product;
    size_t n_product;
    rk_ex products; /* their sum */
    rk_ex total;
} rk_optimizer_step;

/* What the update of one tensor costs under the ledger's convention: element by element, and in products. */
typedef struct rk_update_cost {
    rk_ex elements, products;
} rk_update_cost;

rk_update_cost rk_cost_update(const rk_ledger *l, const rk_optimizer_tensor *t);

/* The sum of all updates: FlopCounterMode sees products alone, and MACs are half of these. */
int rk_optimizer_step_new(rk_arena *a, const rk_ledger *l, rk_optimizer o, rk_optimizer_step *out, rk_err *err);

/* ---- the largest batch ------------------------------------------------------------------------------------------ */

/*
 * Finds the largest B whose peak (by the book: sum) is within so many bytes, and gives it to the instance, or 1 where
 * none is.
 * RK_EINPUT: the model has no B, or its number shaped the program.
 */
int rk_fit_batch(rk_instance *m, const rk_memory_options *o, rk_i128 limit, rk_fit *out, rk_err *err);

#endif
