/* SPDX-License-Identifier: MIT */
/*
 * account/names.h - every tensor of a model under its full name, in one of two layouts.
 *
 * Stage   ledger -> [account] -> report, verify.
 * Uses    base/, expr/, model/, account/ledger.h, account/tensors.h.
 * Memory  a list owns its arena and borrows nothing.
 * Threads making one needs the instance alone; reading is free for all.
 *
 * The reference layout has the tensors that the equations name.  The checkpoint layout has them as they are published:
 * experts one by one, split projections, other prefixes, wherever the model file says so (`stored X as Y`).
 */
#ifndef RK_ACCOUNT_NAMES_H
#define RK_ACCOUNT_NAMES_H

#include "account/ledger.h"

#define RK_NAMES_MAX ((rk_i128)1 << 18) /* of one list, a kilobyte each; a model of a trillion parameters has 100,000 */

typedef struct rk_named {
    const char *name;
    rk_i128 *dim;
    size_t n_dim;
    rk_i128 count;
    rk_i128 times;       /* how many it stands for: 1, but in rk_names_sample */
    const char *tied_to; /* the name of the tensor that owns the storage, or NULL */
    bool buffer;         /* stored, but no parameter */
    size_t unit;         /* which tensor of the reference layout it is, or is a piece of: the same in every naming */
    uint32_t weight;     /* of the program */
    const char *dtype;   /* as account/packing.h says: BF16; NULL: not known */
    rk_i128 bytes;       /* where the type is known */
} rk_named;

typedef struct rk_names {
    rk_arena arena;
    rk_named *at;
    size_t n, cap;
    size_t n_unit;
} rk_names;

typedef enum rk_naming {
    RK_NAMING_REFERENCE,
    RK_NAMING_CHECKPOINT,
    RK_NAMING_PIECES,  /* half of the way: pieces as published, prefixes of the reference */
    RK_NAMING_PREFIXES /* the other half: tensors of the reference, prefixes as published */
} rk_naming;

#define RK_NAMING_WORDS "reference|checkpoint" /* in the order of rk_naming; the others are found in files alone */

/* How many names a model has, as far as that matters: RK_NAMES_MAX + 1 stands for all above it. */
int rk_names_count(const rk_ledger *l, rk_naming layout, rk_i128 *out, rk_err *err);

/* RK_EVALUE: a size or a number of layers has no value.  RK_ELIMIT: there are more than RK_NAMES_MAX. */
int rk_names_new(const rk_ledger *l, rk_naming layout, rk_names *out, rk_err *err);

/* The same, where of the experts of a layer that are stored one by one the first stands for all. */
int rk_names_sample(const rk_ledger *l, rk_naming layout, rk_names *out, rk_err *err);
void rk_names_free(rk_names *n);

#endif
