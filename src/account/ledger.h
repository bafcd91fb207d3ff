/* SPDX-License-Identifier: MIT */
/*
 * account/ledger.h - the centre: every weight and every operation with its quantities as expressions.
 *
 * Stage   program -> [account] -> ledger -> report.
 * Uses    base/, expr/, model/, pass/gradient.h.
 * Memory  a ledger lives in its own arena and borrows the instance, in whose pool its expressions are.
 * Threads one instance, one thread builds; reading is free for all while nobody does.
 *
 * Every total is the sum of rows that can be listed: Σ times × figure.
 */
#ifndef RK_ACCOUNT_LEDGER_H
#define RK_ACCOUNT_LEDGER_H

#include "model/instance.h"

typedef enum rk_count {
    RK_COUNT_MATMUL,
    RK_COUNT_ALL,
    RK_COUNT_TORCH
} rk_count;

/*
 * Which pairs of queries and keys of a masked product count.  PyTorch's counter knows no masks: it always counts the
 * square.
 */
typedef enum rk_pairs {
    RK_PAIRS_WINDOW, /* as many keys for each query as its window or chunk has; the square where there is none */
    RK_PAIRS_EXACT,  /* those that the mask allows */
    RK_PAIRS_SQUARE  /* all, whatever the mask */
} rk_pairs;

/* What a number of operations follows; printed with every figure. */
typedef struct rk_convention {
    rk_count count; /* products with a summed index; every operation; what FlopCounterMode sees */
    rk_pairs pairs; /* of queries and keys, where attention has a mask */
    bool mac;       /* a multiply and its add are one instead of two (products only) */
} rk_convention;

/* The pairs that count under a convention. */
rk_pairs rk_convention_pairs(const rk_convention *c);

typedef struct rk_weight_row {
    uint32_t weight;     /* of the program */
    const char *pattern; /* name with {} for layer numbers */
    const char *path;    /* part */
    rk_ex count;         /* elements of one */
    rk_ex active;
    rk_ex times; /* how many such tensors */
} rk_weight_row;

typedef struct rk_ledger_op {
    uint32_t op;        /* of the program */
    const char *path;   /* layers.attention.scores */
    const char *layers; /* "0-2,5" when its group is not all layers; NULL otherwise */
    rk_ex times;
    rk_ex forward, backward; /* of one occurrence */
    uint32_t weight;         /* the tensor whose use this is (--by tensor), or RK_NONE */
} rk_ledger_op;

typedef struct rk_ledger {
    rk_arena arena;
    const rk_instance *instance;
    const rk_model *model; /* of the instance, … */
    rk_pool *pool;         /* … which is where the expressions are */
    rk_convention convention;
    rk_weight_row *weight;
    size_t n_weight; /* parameters: tied names too, buffers not */
    rk_weight_row *buffer;
    size_t n_buffer;
    rk_ledger_op *op;
    size_t n_op;                 /* rows that count something under the convention, in program order */
    rk_ex stored, named, active; /* parameters */
    rk_ex trained;               /* of those stored */
    rk_ex forward, backward;     /* totals */
} rk_ledger;

int rk_ledger_new(const rk_instance *m, const rk_convention *c, rk_ledger **out, rk_err *err);
void rk_ledger_free(rk_ledger *l);

/* "layers.attention.scores": a row of a part, by its name (NULL: it has none); NULL: no memory. */
const char *rk_row_path(rk_arena *a, const rk_program *p, uint32_t part, const char *name);

/* "0-2,5" for the layers of a group; NULL when the group is all of its loop. */
int rk_group_layers(rk_arena *a, const rk_program *p, uint32_t group, const char **out, rk_err *err);

#endif
