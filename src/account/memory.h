/* SPDX-License-Identifier: MIT */
/*
 * account/memory.h - what a training step, a prefill or a decoding step occupies, to the byte.
 *
 * Stage   model -> [account] -> report.
 * Uses    base/, expr/, model/, pass/, account/ledger.h.
 * Memory  an account of memory owns its arena and borrows the model.
 * Threads as building a ledger: one thread.
 *
 * The model has been opened with the bodies of a profile (rk_model_source.profile), so that its operations are those
 * that the profile's implementation runs.
 */
#ifndef RK_ACCOUNT_MEMORY_H
#define RK_ACCOUNT_MEMORY_H

#include "account/ledger.h"
#include "account/optimizer.h"
#include "pass/timeline.h"

typedef enum rk_phase {
    RK_PHASE_TRAIN,
    RK_PHASE_PREFILL,
    RK_PHASE_DECODE
} rk_phase;

#define RK_RUN_TYPE_WORDS "fp32|tf32|bf16|fp16"

/* What PyTorch's allocator rounds to on a GPU, and what cuBLAS takes for itself from the first product on. */
#define RK_TORCH_ROUNDING 512
#define RK_TORCH_WORKSPACE ((rk_i128)32 << 20)

#define RK_PHASE_WORDS "train|prefill|decode" /* in the order of rk_phase */

typedef struct rk_memory_options {
    rk_phase phase;
    bool by_book;   /* the textbook's account, not a framework's */
    int bytes;      /* of a number of the run: weights, activations, gradients */
    int master;     /* bytes of a second copy of the weights for the optimizer; 0: there is none */
    int cache;      /* bytes of a number in the cache; 0: as the run */
    bool flash;     /* attention is one operation: said to the opening of the model */
    bool loss;      /* a training step begins its backward pass at the loss */
    bool recompute; /* every layer is computed again backward */
    rk_optimizer optimizer;
    int rounding;      /* of the allocator, in bytes */
    rk_i128 workspace; /* of the matrix library: once from the forward pass on, once more from the backward pass on */
} rk_memory_options;

/* So many buffers of one kind. */
typedef struct rk_memory_row {
    const char *path; /* layers.attention.scores */
    const char *what; /* "copy", "gradient", "cache"; NULL: the result itself */
    rk_ex formula;    /* bytes of one */
    rk_i128 bytes;    /* the same as a number */
    rk_i128 times;
} rk_memory_row;

typedef struct rk_memory_rows {
    rk_memory_row *at;
    size_t n, cap;
} rk_memory_rows;

typedef struct rk_memory {
    rk_arena arena;
    const rk_model *model;
    rk_memory_options options;
    rk_i128 parameters, gradients, optimizer, saved, cache;
    rk_ex parameters_formula, gradients_formula, optimizer_formula, saved_formula, cache_formula;
    rk_i128 peak;
    const char *peak_during; /* "forward", "backward", "the optimizer's step" */
    const char *peak_path;   /* the operation being done */
    rk_i128 first_forward, first_backward, first_optimizer;
    rk_memory_rows kept;   /* for the backward pass; they add up to `saved` */
    rk_memory_rows caches; /* they add up to `cache` */
    rk_memory_rows alive;  /* at the peak; they add up to it */
} rk_memory;

/* RK_EVALUE: a symbol has no number. */
int rk_memory_new(rk_model *m, const rk_memory_options *o, rk_memory **out, rk_err *err);
void rk_memory_free(rk_memory *m);

#endif
