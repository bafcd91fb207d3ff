/* SPDX-License-Identifier: MIT */
/*
 * ask/convention_class.h - what conventions count by: the roles of operations and weights, and what memory consists of.
 *
 * Stage   program -> [ask] -> conventions.
 * Uses    model/roles.h.
 * Memory  constant data.
 * Threads no state.
 *
 * Conventions differ class by class: one leaves out the head, another counts a lookup as a product.
 *
 * X(ID, word, noun)    word: in data/conventions.tsv; noun: for people
 */
#ifndef RK_ASK_CONVENTION_CLASS_H
#define RK_ASK_CONVENTION_CLASS_H

#include "model/roles.h"

/* clang-format off */
#define RK_ROW_CLASSES(X) \
    RK_ROLES(X) \
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

#endif
