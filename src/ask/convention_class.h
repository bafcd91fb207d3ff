/* SPDX-License-Identifier: MIT */
/*
 * ask/convention_class.h - what kind of thing each operation and each weight of a model is, from the equations alone.
 *
 * Stage   program -> [ask] -> conventions.
 * Uses    base/, model/, account/linear.h.
 * Memory  in the arena given.
 * Threads a program is never changed after expansion.
 *
 * Conventions differ class by class: one leaves out the head, another counts a lookup as a product.  Nothing here knows
 * a family: a product with a weight belongs to attention where its part also holds products of two activations.
 *
 * X(ID, word, noun)    word: in data/conventions.tsv; noun: for people
 */
#ifndef RK_ASK_CONVENTION_CLASS_H
#define RK_ASK_CONVENTION_CLASS_H

#include "base/arena.h"
#include "base/err.h"
#include "model/program.h"

/* clang-format off */
#define RK_ROW_CLASSES(X) \
    X(LOOKUP,    "lookup",    "lookups")                        /* rows of a table, chosen by an input */ \
    X(POSITIONS, "positions", "position tables")                /* rows chosen by place, not by an input */ \
    X(ATTENTION, "attention", "attention projections")          /* products with a weight where there is attention */ \
    X(SCORES,    "scores",    "attention products")             /* two activations, before or after a softmax */ \
    X(SOFTMAX,   "softmax",   "softmax of attention") \
    X(MIXING,    "mixing",    "other products of activations")  /* scans, states, linear attention */ \
    X(CONV,      "conv",      "convolutions") \
    X(FFN,       "ffn",       "FFN")                            /* every other product with a weight */ \
    X(EXPERTS,   "experts",   "routed experts") \
    X(ROUTER,    "router",    "routers") \
    X(HEAD,      "head",      "output head") \
    X(NORM,      "norm",      "norms") \
    X(LATENT,    "latent",    "norms of latents")               /* between two products with weights */ \
    X(BIAS,      "bias",      "biases") \
    X(REST,      "rest",      "all else")                       /* activations, residuals, rotations, scales */ \
    /* What memory consists of. */ \
    X(WEIGHTS,   "weights",   "weights") \
    X(GRADIENTS, "gradients", "gradients") \
    X(OPTIMIZER, "optimizer", "optimizer") \
    X(TOGETHER,  "together",  "all of these")                   /* where a convention has one figure for all */ \
    X(LAYER,     "layer",     "kept of one layer") \
    X(CACHE,     "cache",     "cache of one token")
/* clang-format on */

typedef enum rk_row_class {
#define RK_ROWS_ENUM(ID, word, noun) RK_ROWS_##ID,
    RK_ROW_CLASSES(RK_ROWS_ENUM)
#undef RK_ROWS_ENUM
    RK_N_ROW_CLASS
} rk_row_class;

typedef struct rk_row_class_text {
    const char *word, *noun;
} rk_row_class_text;

extern const rk_row_class_text rk_row_class_table[RK_N_ROW_CLASS];

rk_row_class rk_row_class_find(const char *word); /* RK_N_ROW_CLASS: there is none of that name */

typedef struct rk_row_classes {
    rk_row_class *op; /* of each operation */
    rk_row_class
        *weight; /* of each weight; where a tied table is also multiplied with, both names are of the product */
    int *values; /* of each operation: of a product behind a softmax, the operand that is not from it; else -1 */
} rk_row_classes;

int rk_row_classes_new(rk_arena *a, const rk_program *p, rk_row_classes *out, rk_err *err);

/* The operand of a product that is a weight, where one alone is; 2 otherwise. */
size_t rk_row_weight_place(const rk_program *p, const rk_op *op);

#endif
