/* SPDX-License-Identifier: MIT */
/*
 * account/verify.h - a model against a checkpoint, tensor by tensor.
 *
 * Stage   ledger, tensor table -> [account] -> what differs.
 * Uses    base/, account/names.h, read/tensors.h.
 * Memory  a result owns its arena and borrows neither the ledger nor the store.
 * Threads as building a ledger: one thread.
 *
 * A tensor may be stored as the reference implementation has it or as published checkpoints do; each is looked for in
 * both layouts, so that a file may mix them.  Where that leaves names over, a prefix that is on every name, or on none,
 * is tried.  What says nothing against a file is told apart from what does.
 */
#ifndef RK_ACCOUNT_VERIFY_H
#define RK_ACCOUNT_VERIFY_H

#include "account/names.h"
#include "read/tensors.h"

/*
 * X(ID, key, fails, text)    key: for programs; fails: whether a file with it is another model's; text: for people
 */
/* clang-format off */
#define RK_DIFFERENCES(X)                                                                                    \
    X(MISSING,    "missing",          true,  "missing")                                                      \
    X(SHAPE,      "other_shape",      true,  "of another shape")                                             \
    X(EXTRA,      "extra",            true,  "extra in the file")                                            \
    X(PIECES,     "pieces",           false, "in one piece, and in the file one by one, with as many elements")    \
    X(STANDS_IN,  "tied_instead",     false, "stored under the name of a tensor that is tied to it")         \
    X(TWICE,      "tied_too",         false, "tied, and stored all the same")                                \
    X(NO_BUFFER,  "buffers_left_out", false, "buffers, which are no parameters, left out of the file")       \
    X(CONSTANT,   "constants",        false, "constants, which loaders compute anew")
/* clang-format on */

typedef enum rk_difference_kind {
#define RK_DIFFERENCE_ID(ID, key, fails, text) RK_DIFFERENCE_##ID,
    RK_DIFFERENCES(RK_DIFFERENCE_ID)
#undef RK_DIFFERENCE_ID
    RK_N_DIFFERENCE
} rk_difference_kind;

typedef struct rk_difference_row {
    const char *key;
    bool fails;
    const char *text;
} rk_difference_row;

extern const rk_difference_row rk_difference_table[RK_N_DIFFERENCE];

typedef struct rk_shape {
    const rk_i128 *dim;
    size_t n;
    bool known;
} rk_shape;

typedef struct rk_difference {
    rk_difference_kind kind;
    const char *name;       /* as the file has it, or would have it */
    const char *other;      /* STANDS_IN: the name under which it is stored; TWICE: the tensor that it is tied to */
    rk_shape wanted, found; /* not known: the model has none, the file has none, or the shard is not here */
    const char *dtype;      /* as stored; NULL: not known */
} rk_difference;

typedef enum rk_verify_layout {
    RK_VERIFY_NONE, /* no tensor of the model is in the file */
    RK_VERIFY_REFERENCE,
    RK_VERIFY_CHECKPOINT, /* also where both are the same */
    RK_VERIFY_MIXED
} rk_verify_layout;

#define RK_VERIFY_LAYOUT_WORDS                                                                                         \
    {                                                                                                                  \
        "none", "reference", "checkpoint", "mixed"                                                                     \
    } /* in the order of rk_verify_layout */

/* Sums, for a format that has names of its own. */
typedef struct rk_verify_sums {
    rk_i128 wanted;           /* elements of the model, each stored once */
    rk_i128 tied, buffers;    /* elements that a file may have besides */
    rk_i128 found, constants; /* elements of the file; of those, constants, which are not in `found` */
    size_t n_shape;           /* tensors of the file whose shape is one of the model's, each counted once */
} rk_verify_sums;

typedef struct rk_verify {
    rk_arena arena;
    rk_difference *at; /* by kind, then in the order of the model or of the file */
    size_t n, cap;
    size_t count[RK_N_DIFFERENCE];
    size_t n_wanted;    /* tensors that the model wants, in the layout of the file */
    size_t n_matched;   /* of those, the ones that are there with the right shape, or a shape that is not known */
    size_t n_unchecked; /* of those, the ones whose shape is not known: their shard is not here */
    size_t n_stored;    /* tensors of the file */
    size_t n_known;     /* of those, the ones whose shard is here */
    size_t n_unlisted;  /* of those, the ones that an index beside them does not list */
    size_t n_old;       /* matched under an old name: gamma for weight, beta for bias */
    uint64_t bytes;     /* of all tensors of the file whose shard is here */
    rk_verify_layout layout;
    const char *left_out, *added; /* a prefix that is on no name of the file, or on every one; NULL: neither */
    const char *method;  /* by which the model's config says that its checkpoint is quantised; NULL: it is not */
    const char *unknown; /* why its tensors were looked for unpacked all the same; NULL: they were not */
    bool by_sums;        /* names could not be compared */
    rk_verify_sums sums;
    bool equal;
} rk_verify;

/*
 * Compares a model with a checkpoint.  That they differ is a result, no failure.
 *
 * RK_EVALUE: a size or a number of layers has no value.  RK_EOVERFLOW: a count needs more than 128 bits.
 */
int rk_verify_new(const rk_ledger *l, const rk_store *s, rk_verify *out, rk_err *err);
void rk_verify_free(rk_verify *v);

/* Whether a tensor is a constant that some versions store and others compute: a mask, the numbers of positions. */
bool rk_verify_is_constant(const rk_stored *t);

/*
 * Takes back what is missing and extra where the file has stacks of matrices one by one, under names that the model
 * file does not know.  Part of rk_verify_new; rows are in any order.
 */
int rk_verify_pieces(rk_verify *v, rk_err *err);

/* The comparison by sums alone, which rk_verify_new takes where names have no meaning for the model. */
int rk_verify_by_sums(const rk_ledger *l, const rk_store *s, rk_verify *v, rk_err *err);

#endif
