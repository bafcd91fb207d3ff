/* SPDX-License-Identifier: MIT */
/*
 * ask/explain.h - one row explained: its line and rule, the tensors that it reads and makes, their gradients.
 *
 * Stage   ledger -> [ask] -> report.
 * Uses    base/, expr/, model/, pass/gradient.h, account/, ask/derive.h, ask/path.h.
 * Memory  an explanation lives in the arena given and borrows the ledger.
 * Threads as building a ledger: one thread.
 */
#ifndef RK_ASK_EXPLAIN_H
#define RK_ASK_EXPLAIN_H

#include "ask/derive.h"

typedef enum rk_explained {
    RK_EXPLAINED_ROW,   /* a line of the model, once for each kind of layer that has it */
    RK_EXPLAINED_PART,  /* a part: its derivation alone */
    RK_EXPLAINED_TENSOR /* a stored tensor */
} rk_explained;

/* A tensor of an operation, as the operation sees it. */
typedef struct rk_explain_tensor {
    const char *name;  /* q; a stored one has the pattern of its name */
    const char *shape; /* [B S N H] */
    rk_ex elements;
    uint32_t weight; /* of the program, or RK_NONE: an activation */
    bool result;     /* the operation makes it */
    bool kept;       /* until the backward pass; what is stored is there anyway, and not said to be kept */
    bool gradient;   /* of an operand: it is computed */
    const char *why; /* or why not; NULL: the result */
    rk_ex cost;      /* of the gradient */
} rk_explain_tensor;

/* One operation. */
typedef struct rk_explain_op {
    const rk_derive_step *step;
    rk_explain_tensor *tensor; /* operands, then the result */
    size_t n_tensor;
    const char *also; /* what else is kept, in words, or NULL */
} rk_explain_op;

/* An operation that reads a stored tensor. */
typedef struct rk_explain_use {
    const char *path;
    const char *file;
    int line;
    rk_ex times, forward; /* of one occurrence */
} rk_explain_use;

typedef struct rk_explanation {
    rk_explained kind;
    rk_derivation derived; /* its path is the whole one */
    const char *asked;     /* TENSOR: the full name of one of many (layer 7), where that was asked for, or NULL */
    bool piece;            /* it is what published checkpoints have of the tensor, which is more than that */
    rk_i128 asked_count;   /* elements of it */
    rk_explain_op *op;     /* ROW: as many as the derivation has steps */
    size_t n_op;
    const rk_weight *weight; /* TENSOR */
    rk_explain_use *use;
    size_t n_use;
    rk_ex whole; /* the quantity of the whole model */
} rk_explanation;

#define RK_QUANTITY_ANY (-1) /* forward operations, and parameters of what has none */

/*
 * `word` is a part, a row or a tensor, or the end of its name.  RK_EINPUT: it is the end of several, or of none (the
 * nearest is named), or what it names counts nothing.
 */
int rk_explain(rk_arena *a, const rk_ledger *l, int quantity, const char *word, rk_explanation *out, rk_err *err);

#endif
