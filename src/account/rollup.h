/* SPDX-License-Identifier: MIT */
/*
 * account/rollup.h - rows of the ledger summed up by part, or by tensor.
 *
 * Stage   ledger -> [account] -> report.
 * Uses    base/, expr/, model/, account/ledger.h.
 * Memory  a rollup lives in the arena given and borrows the ledger.  Sums are new expressions of its pool.
 * Threads as building a ledger: one thread.
 *
 * The parts of a model form a tree: layers, layers.attention, layers.attention.scores.  Layers of different kinds are
 * different nodes of the same path.  A node occurs as often as the layers in which it stands, its figures are of one
 * occurrence, and its total is the sum of the totals of its rows: times × figure, as for a row.
 */
#ifndef RK_ACCOUNT_ROLLUP_H
#define RK_ACCOUNT_ROLLUP_H

#include "account/ledger.h"

#define RK_ROLL_FIGURES 2 /* operations: forward, backward; weights: stored, active */

typedef struct rk_roll_node {
    const char *name;   /* its own: "attention"; the whole: "" */
    const char *path;   /* layers.attention */
    const char *label;  /* the path with layers, where they are some of several kinds: layers[0-2,5].attention */
    const char *layers; /* "0-2,5", or "0-2/1" in loops inside each other; NULL: it stands for all */
    const char *which;  /* the same of the one loop that begins at this node; NULL: none does, or it is all of them */
    uint32_t parent;    /* RK_NONE: the whole */
    uint32_t depth;     /* the whole: 0 */
    uint32_t row;       /* row of the ledger (by tensor: weight of the program), or RK_NONE: a part, or no tensor */
    uint32_t group;
    size_t n_below; /* nodes below this one: they follow it directly */
    rk_ex times;
    rk_ex figure[RK_ROLL_FIGURES]; /* of one occurrence */
} rk_roll_node;

typedef struct rk_rollup {
    rk_roll_node *node; /* each part before what it holds, in the order of first appearance; node 0 is the whole */
    size_t n;
} rk_rollup;

/* Operations by part: figures forward and backward. */
int rk_rollup_ops(rk_arena *a, const rk_ledger *l, rk_rollup *out, rk_err *err);

/* Weights by part: elements that the row adds to the stored ones (a tied name adds none), and active elements. */
int rk_rollup_weights(rk_arena *a, const rk_ledger *l, rk_rollup *out, rk_err *err);

/*
 * Operations by the tensor that they use, all at depth 1: one node for each tensor, named by its pattern, and one for
 * each operation without a tensor, named by its path.
 */
int rk_rollup_tensors(rk_arena *a, const rk_ledger *l, rk_rollup *out, rk_err *err);

#endif
