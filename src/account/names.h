/* SPDX-License-Identifier: MIT */
/*
 * account/names.h - every tensor of a model under its full name, in one of two layouts.
 *
 * Stage   ledger -> [account] -> report, verify.
 * Uses    base/, expr/, model/, account/ledger.h, account/tensors.h.
 * Memory  a list owns its arena and borrows nothing.
 * Threads making one needs the model's pool alone; reading is free for all.
 *
 * The reference layout has the tensors that the equations name.  The checkpoint layout has them as they are published:
 * experts one by one, split projections, other prefixes, wherever the model file says so (`stored X as Y`).
 */
#ifndef RK_ACCOUNT_NAMES_H
#define RK_ACCOUNT_NAMES_H

#include "account/ledger.h"

typedef struct rk_named {
    const char *name;
    rk_i128 *dim;
    size_t n_dim;
    rk_i128 count;
    const char *tied_to; /* the name of the tensor that owns the storage, or NULL */
    bool buffer;         /* stored, but no parameter */
} rk_named;

typedef struct rk_names {
    rk_arena arena;
    rk_named *at;
    size_t n, cap;
} rk_names;

typedef enum rk_naming {
    RK_NAMING_REFERENCE,
    RK_NAMING_CHECKPOINT
} rk_naming;

#define RK_NAMING_WORDS "reference|checkpoint" /* in the order of rk_naming */

/* RK_EVALUE: a size or a number of layers has no value. */
int rk_names_new(const rk_ledger *l, rk_naming layout, rk_names *out, rk_err *err);
void rk_names_free(rk_names *n);

#endif
