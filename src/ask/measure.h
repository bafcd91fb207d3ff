/* SPDX-License-Identifier: MIT */
/*
 * ask/measure.h - a quantity by its name: flops, memory.peak, flops:attention/flops.
 *
 * Stage   the user's word -> [ask] -> expressions of a ledger.
 * Uses    base/, expr/, model/, account/, plan/nearest.h.
 * Memory  names and parts live in the arena given; expressions in the pool of the ledger.
 * Threads as building a ledger: one thread.
 *
 *     QUANTITY := TERM | TERM / TERM
 *     TERM     := BASE | BASE : PARTS | PARTS          parts alone: flops of them
 *     PARTS    := PART | PART + PARTS
 *
 * A part is a path of the ledger or a piece of one: `attention` are all parts of that name.  `products` (products of
 * two activations), `projections` (products with a weight) and `others` (what is no product) are parts of each part.  A
 * part that begins with a dot is a path from its beginning, one that begins with = a whole one.  docs/asking.md has the
 * idea.
 */
#ifndef RK_ASK_MEASURE_H
#define RK_ASK_MEASURE_H

#include "account/ledger.h"
#include "account/memory.h"
#include "account/peak.h"

/* Where a quantity comes from. */
typedef enum rk_measure_from {
    RK_FROM_WEIGHTS, /* rows of weights */
    RK_FROM_OPS,     /* rows of operations */
    RK_FROM_MEMORY   /* a step on paper */
} rk_measure_from;

/* Which of their figures. */
enum {
    RK_PARAMS_STORED,
    RK_PARAMS_ACTIVE,
    RK_PARAMS_NAMED
};
enum {
    RK_OPS_FORWARD,
    RK_OPS_BACKWARD,
    RK_OPS_STEP,
    RK_OPS_MOVED
};

typedef enum rk_unit {
    RK_UNIT_COUNT, /* parameters */
    RK_UNIT_FLOP,
    RK_UNIT_BYTE,
    RK_UNIT_RATIO, /* of two of the same unit */
    RK_UNIT_PER    /* of two of different ones: FLOP per byte */
} rk_unit;

typedef struct rk_measure_row {
    const char *name;
    rk_measure_from from;
    int which; /* of WEIGHTS and OPS: RK_PARAMS_… and RK_OPS_…; of MEMORY: rk_bytes_of */
    rk_unit unit;
    const char *title; /* "forward FLOPs": of a page or an axis */
    const char *text;  /* what it is, after its name */
} rk_measure_row;

extern const rk_measure_row rk_measure_table[];
extern const size_t rk_n_measure;

typedef struct rk_measure_term {
    const rk_measure_row *row; /* NULL: there is none */
    const char *parts;         /* "scores+context"; NULL: the whole */
} rk_measure_term;

typedef struct rk_measure {
    const char *name;            /* as it is shown */
    rk_measure_term over, under; /* under.row NULL: it is no ratio */
    rk_unit unit;
} rk_measure;

/* RK_EINPUT: no such quantity, with the nearest one; whether a model has the parts is seen later. */
int rk_measure_parse(rk_arena *a, const char *text, rk_measure *out, rk_err *err);

/* The same for "flops,memory.peak". */
int rk_measures_parse(rk_arena *a, const char *text, rk_measure **out, size_t *n, rk_err *err);

/* Whether it needs a step on paper. */
bool rk_measure_is_memory(const rk_measure *m);

/* The sum of the rows that a term is about; not of MEMORY.  `bytes`: of a number that is moved.
 * RK_EINPUT: the model has no such part; the nearest is named. */
int rk_measure_formula(const rk_ledger *l, const rk_measure_term *t, int bytes, rk_ex *out, rk_err *err);

/* How a quantity is divided. */
typedef enum rk_by {
    RK_BY_NOTHING,
    RK_BY_COMPONENT, /* parts of a layer, and parts outside of layers; products and projections apart */
    RK_BY_PART,      /* parts of the first level */
    RK_BY_OPERATION  /* rows */
} rk_by;

#define RK_BY_WORDS "nothing|component|part|operation" /* in the order of rk_by */

/*
 * The pieces of a quantity, whose sum it is: `flops` by component is flops:.layers.attention.products and so on, each
 * named by its path.  Memory falls into weights, gradients, optimizer and what is saved, which the peak is no sum of.
 * RK_EINPUT: a ratio or a quantity of parts is not divided further.
 */
int rk_measure_pieces(rk_arena *a, const rk_ledger *l, const rk_measure *m, rk_by by, rk_measure **out, size_t *n,
                      rk_err *err);

#endif
