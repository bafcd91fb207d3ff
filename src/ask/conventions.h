/* SPDX-License-Identifier: MIT */
/*
 * ask/conventions.h - what papers and tools would say of a model, and why it is not what the ledger says.
 *
 * Stage   model -> [ask] -> report.
 * Uses    base/, expr/, model/, account/, plan/library.h; the conventions themselves are data/conventions.tsv.
 * Memory  in the arena given; expressions in the pool of the instance.
 * Threads as building a ledger: one thread.
 *
 * The reference is the ledger's count of products with the full square of attention, of windows their keys: once for
 * a forward pass, three times for training.  A convention says of each class of rows what it counts; the difference is
 * therefore a sum of differences, one for each class, and these lines are the reason:
 *
 *     counted - reference = Σ line.difference         always, exactly
 */
#ifndef RK_ASK_CONVENTIONS_H
#define RK_ASK_CONVENTIONS_H

#include "model/instance.h"
#include "plan/library.h"

#define RK_CONVENTIONS_FILE "data/conventions.tsv"

/*
 * What conventions count by: the roles of operations and weights, and what memory consists of.  Conventions differ
 * class by class: one leaves out the head, another counts a lookup as a product.
 *
 * X(ID, word, noun)    word: in data/conventions.tsv; noun: for people
 */
/* clang-format off */
#define RK_ROW_CLASSES(X) \
    RK_ROLES(X) \
    /* What memory consists of. */ \
    X(WEIGHTS,   "weights",   "weights") \
    X(GRADIENTS, "gradients", "gradients") \
    X(OPTIMIZER, "optimizer", "optimizer") \
    X(TOGETHER,  "together",  "all of these")                   /* where a convention has one figure for all */ \
    X(LAYER,     "layer",     "saved of one layer") \
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

/* What a convention is a figure of, in the order of the words of the file. */
typedef enum rk_convention_of {
    RK_OF_FORWARD,  /* operations of a forward pass */
    RK_OF_TRAINING, /* operations of a forward and a backward pass: the reference is three times a forward pass */
    RK_OF_STATE,    /* bytes of weights, gradients and optimizer */
    RK_OF_LAYER,    /* bytes that one layer keeps for its backward pass */
    RK_OF_CACHE,    /* bytes that one token adds to the cache, all layers together */
    RK_N_OF
} rk_convention_of;

extern const char *const rk_convention_of_word[RK_N_OF]; /* "forward", "training" … */

/* What a convention counts of a class.  Memory has no reference here: the exact account of a step is its own report. */
typedef struct rk_convention_line {
    rk_row_class class;
    const char *rule; /* as the file writes it: 6·params·tokens; NULL: it counts nothing of this class */
    rk_ex reference, counted, difference;
    rk_i128 n_reference, n_counted, n_difference;
    const char *why; /* "halved", "not counted"; "" where nothing differs */
} rk_convention_line;

typedef struct rk_named_convention {
    const char *name;    /* palm */
    const char *source;  /* the paper or the tool, with its year */
    const char *per;     /* what the source quotes it for: token, sequence, batch, layer, parameter */
    const char *formula; /* as the source writes it */
    const char *text;    /* what it counts, in a sentence */
    rk_convention_of of;
    bool mac;                 /* a multiply and its add are one */
    const char *not_for;      /* why it does not apply to this model; NULL: it does, and the rest is filled */
    rk_ex counted, reference; /* for the whole batch */
    rk_i128 n_counted, n_reference;
    rk_convention_line *line; /* of the classes that the model has or the convention counts */
    size_t n_line;
    const char *why; /* the lines with the largest differences, in half a sentence; "" where nothing differs */
} rk_named_convention;

typedef struct rk_conventions {
    rk_named_convention *at; /* in the order of the file */
    size_t n;
    rk_ex reference; /* a forward pass */
    rk_i128 n_reference;
} rk_conventions;

/* What formulas of memory are about; zeros: 2 bytes, one device. */
typedef struct rk_convention_setup {
    int bytes;      /* of a number of the run */
    rk_i128 shards; /* devices among which a state is divided */
    rk_i128 tensor; /* devices among which each layer is divided */
} rk_convention_setup;

/*
 * All conventions, of a model that was opened without a profile.  RK_EVALUE: a symbol has no number.  RK_EINPUT: the
 * file is wrong; the message names the line.
 */
int rk_conventions_new(rk_arena *a, const rk_library *library, const rk_instance *m, const rk_convention_setup *setup,
                       rk_conventions *out, rk_err *err);

/* The one of that name, of those of memory or of operations.  RK_EUSAGE: there is none; the nearest one is named. */
int rk_conventions_find(const rk_conventions *c, const char *name, bool memory, const rk_named_convention **out,
                        rk_err *err);

bool rk_convention_is_memory(const rk_named_convention *c);

#endif
