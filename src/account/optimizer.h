/* SPDX-License-Identifier: MIT */
/*
 * account/optimizer.h - what optimizers keep of each tensor, what a step takes beside it, and what it costs.
 *
 * Stage   program -> [account] -> memory, FLOPs of a step.
 * Uses    base/, expr/, model/roles.h.
 * Memory  constant data; expressions in the pool given.
 * Threads no state.
 *
 * One row of the table in optimizer.c holds all that is known of an optimizer.
 */
#ifndef RK_ACCOUNT_OPTIMIZER_H
#define RK_ACCOUNT_OPTIMIZER_H

#include "model/roles.h"
#include "expr/expr.h"

typedef enum rk_optimizer {
    RK_OPTIMIZER_ADAMW,
    RK_OPTIMIZER_ADAMW_FOREACH,
    RK_OPTIMIZER_SGD,
    RK_OPTIMIZER_MOMENTUM,
    RK_OPTIMIZER_LION,
    RK_OPTIMIZER_ADAM8BIT,
    RK_OPTIMIZER_ADAFACTOR,
    RK_OPTIMIZER_MUON,
    RK_N_OPTIMIZER
} rk_optimizer;

#define RK_OPTIMIZER_WORDS "adamw|adamw-foreach|sgd|momentum|lion|adam8bit|adafactor|muon" /* in this order */

/* Eight bits are for large tensors; each so many of their numbers share a scale of four bytes. */
#define RK_OPTIMIZER_CODED_FROM 4096
#define RK_OPTIMIZER_BLOCK 256

/* What a step makes and lets go again, at its largest moment. */
typedef struct rk_optimizer_spare {
    int all;     /* moments of all tensors together */
    int run;     /* of the one tensor that takes most: numbers of the run's type for each element */
    int wide;    /* … of four bytes */
    int widened; /* … of four bytes where the run has fewer */
    int narrow;  /* … of two bytes */
    int squares; /* … and of two bytes for each pair of its shorter side */
} rk_optimizer_spare;

typedef struct rk_optimizer_row {
    const char *word;
    const char *text;    /* what it keeps */
    const char *counted; /* the operations for each element, one by one */
    /* Of any other tensor [0] and of a matrix [1]: */
    int moments[2]; /* numbers kept for each element */
    int flops[2];   /* operations for each element; per row or column is not counted */
    bool sides;     /* of a matrix: one number for each row and for each column */
    int bytes;      /* of each number; 0: as the run, or as the master weights where there are any */
    bool coded;     /* in eight bits, where a tensor is large */
    bool counts;    /* a single number for each tensor, beside its moments on the device: its steps, or its size */
    int reads; /* operations that read a gradient, each of which brings it to where its weight lies; 0: one for all */
    int iterations; /* Newton and Schulz: products of each matrix with itself */
    bool inner;     /* tables and the head are no matrices to it */
    rk_optimizer_spare spare;
} rk_optimizer_row;

extern const rk_optimizer_row rk_optimizer_table[RK_N_OPTIMIZER];

/* A tensor as an optimizer sees it. */
typedef struct rk_optimizer_tensor {
    const rk_optimizer_row *row;
    const rk_weight *weight;
    bool matrix;      /* one of those that it treats as such */
    bool large;       /* RK_OPTIMIZER_CODED_FROM elements or more */
    int run, moments; /* bytes of a number of the run, and of a moment */
} rk_optimizer_tensor;

/* `matrix`: its role; `large`: as above; bytes of a number: `run`, and `master`: of the master weights, or 0. */
rk_optimizer_tensor rk_optimizer_sees(rk_optimizer o, const rk_weight *w, rk_matrix matrix, bool large, int run,
                                      int master);

/* Bytes that are saved of one tensor from step to step. */
rk_ex rk_optimizer_state(rk_pool *p, const rk_optimizer_tensor *t);

/* Bytes kept once, whatever the model. */
rk_i128 rk_optimizer_once(rk_optimizer o);

/* Bytes that the step of one tensor takes and gives back: `all` adds up over tensors, of `one` the largest counts. */
rk_ex rk_optimizer_spare_all(rk_pool *p, const rk_optimizer_tensor *t);
rk_ex rk_optimizer_spare_one(rk_pool *p, const rk_optimizer_tensor *t);

/* Operations of the step of one tensor: element by element, and in products. */
rk_ex rk_optimizer_flops(rk_pool *p, const rk_optimizer_tensor *t);
rk_ex rk_optimizer_products(rk_pool *p, const rk_optimizer_tensor *t);

#endif
