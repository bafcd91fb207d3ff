/* SPDX-License-Identifier: MIT */
/*
 * ask/differ.h - what differs between the tensors of models, line by line of their ledgers.
 *
 * Stage   ledgers -> [ask] -> report.
 * Uses    base/, expr/, account/ledger.h.
 * Memory  all lives in the arena given and borrows the ledgers.
 * Threads as building a ledger: one thread.
 *
 * Names of tensors differ in their beginnings (model.layers.0, transformer.h.0), and parts have the same paths in every
 * family.  So two tensors are the same line where their part and the last two words of their names are the same.
 *
 *     total of B - total of A = Σ difference of rows         always, exactly
 */
#ifndef RK_ASK_DIFFER_H
#define RK_ASK_DIFFER_H

#include "account/ledger.h"
#include "base/vec.h"

typedef struct rk_differ_side {
    bool has;
    const rk_weight_row *row; /* the first of its layers */
    rk_i128 tensors;          /* so many of them */
    rk_i128 total;            /* parameters that they add to the stored ones: a tied name adds none */
    rk_ex formula;            /* of the total, in the pool of its ledger */
    bool tied;
} rk_differ_side;

typedef struct rk_differ_row {
    const char *key;      /* by which it is found: part and end of the name */
    const char *pattern;  /* name in the first model that has it */
    rk_differ_side *side; /* of each model */
    bool equal;           /* all have it, as many and as large */
    const char *why;      /* "K 32 → 8", "tied in gpt2": what makes the difference; "" where nothing is known to */
} rk_differ_row;

typedef struct rk_differ {
    const rk_ledger *const *ledger;
    size_t n_model;
    RK_VEC(rk_differ_row) row;
    rk_i128 *total; /* of each model: its stored parameters */
} rk_differ;

/* RK_EVALUE: a symbol has no number. */
int rk_differ_new(rk_arena *a, const rk_ledger *const *ledger, size_t n, rk_differ *out, rk_err *err);

#endif
