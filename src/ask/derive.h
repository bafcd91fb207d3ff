/* SPDX-License-Identifier: MIT */
/*
 * ask/derive.h - how a closed form comes about: line by line of the model, part by part.
 *
 * Stage   ledger -> [ask] -> report.
 * Uses    base/, expr/, model/, account/, plan/nearest.h.
 * Memory  a derivation lives in the arena given and borrows the ledger.
 * Threads as building a ledger: one thread.
 */
#ifndef RK_ASK_DERIVE_H
#define RK_ASK_DERIVE_H

#include "account/rollup.h"

typedef enum rk_quantity {
    RK_QUANTITY_PARAMS, /* stored parameters */
    RK_QUANTITY_FLOPS,  /* forward */
    RK_QUANTITY_BACKWARD,
    RK_QUANTITY_STEP /* forward and backward */
} rk_quantity;

#define RK_QUANTITY_WORDS "params|flops|backward|step" /* in the order of rk_quantity */

/* A line of the model that adds something, or a part with the sum of its lines. */
typedef struct rk_derive_step {
    const rk_roll_node *node;
    bool is_part;
    const char *equation; /* the line as the model file has it; NULL: a part */
    const char *here;     /* the same as it is instantiated, where that is a line of a block; or NULL */
    const char *file;
    int line;
    const char *tensor; /* the stored tensor that the line uses, where the line itself does not say its name, or NULL */
    const char *rule;   /* how the figure follows from the line; NULL: a part */
    rk_ex figure;       /* of one occurrence, as the rule gives it: in the sizes of the line itself */
    rk_ex formula;      /* the same in the form to show */
} rk_derive_step;

typedef struct rk_derivation {
    const rk_ledger *ledger;
    rk_quantity quantity;
    const char *path;     /* the part asked for, or NULL: the whole */
    rk_derive_step *step; /* each part before what it holds */
    size_t n_step;
    rk_ex total; /* Σ times × formula, in the form to show */
} rk_derivation;

/*
 * `path`: a part or a row of the ledger, by its path or its label (layers[0-2].ffn), or NULL.  RK_EINPUT: there is no
 * such part; the nearest is named.
 */
int rk_derive(rk_arena *a, const rk_ledger *l, rk_quantity quantity, const char *path, rk_derivation *out, rk_err *err);

#endif
