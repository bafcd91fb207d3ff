/* SPDX-License-Identifier: MIT */
/*
 * ask/compare.h - several models side by side: their sizes, quantities, and the parts of one quantity.
 *
 * Stage   models, quantities -> [ask] -> report.
 * Uses    base/, expr/, ask/gauge.h.
 * Memory  a comparison owns its gauges; all else lives in the arena given.
 * Threads as a gauge: one thread.
 *
 * Models of different families have different parts.  Parts of the same path are in one row; what a model has not is
 * said to be missing, which is not the same as nothing.
 */
#ifndef RK_ASK_COMPARE_H
#define RK_ASK_COMPARE_H

#include "ask/gauge.h"
#include "base/vec.h"

#define RK_COMPARE_MODELS_MAX 64 /* more than anyone reads side by side */

typedef struct rk_compared {
    const char *name;
    rk_gauge *gauge;
    const rk_ledger *ledger;
    rk_i128 params;      /* stored */
    rk_i128 tokens;      /* of the run; 0: it has several kinds of them */
    rk_reading *reading; /* of each quantity */
} rk_compared;

/* A symbol of the run or of the models. */
typedef struct rk_compared_symbol {
    const char *name;
    const char *text; /* its meaning in the first model that has it, or NULL */
    rk_symbol_kind kind;
    rk_i128 *value; /* of each model */
    bool *has;
    bool equal; /* all models have it, and it is the same */
} rk_compared_symbol;

/* A part, or the sum of those below it. */
typedef struct rk_compared_part {
    const char *path; /* layers.attention.products */
    const char *name; /* what it is called below the one around it: products */
    int depth;
    size_t n_below; /* parts below this one: they follow it */
    rk_i128 *value; /* of each model */
    bool *has;
} rk_compared_part;

typedef struct rk_comparison {
    const rk_gauge_source *source;
    rk_compared *model;
    size_t n_model;
    const rk_measure *measure;
    size_t n_measure;
    const char
        *levelled; /* the length that is longer in some by themselves, and was given to all; NULL: there is none */
    RK_VEC(rk_compared_symbol) symbol;
    const rk_measure *divided; /* the quantity whose parts these are, or NULL */
    size_t i_divided;          /* its place among the quantities */
    bool adds_up;              /* the parts are all of it: shares mean something */
    RK_VEC(rk_compared_part) part;
} rk_comparison;

/*
 * `source`: one for each model, without symbols that vary; sources and quantities must outlive the comparison.
 * RK_EINPUT: a model has no such part; the message names the model.  RK_EVALUE: a symbol has no number.
 */
int rk_compare_new(rk_arena *a, const rk_gauge_source *source, size_t n, const rk_measure *measure, size_t n_measure,
                   rk_comparison *out, rk_err *err);
void rk_compare_free(rk_comparison *c);

/* Divides quantity i. */
int rk_compare_divide(rk_arena *a, rk_comparison *c, size_t i, rk_by by, rk_err *err);

/* Whether a model has nothing below a part, which others may have. */
bool rk_compare_is_leaf(const rk_compared_part *p, size_t model);

/* The part that is the largest in a model and no sum of others; NULL: there is none. */
const rk_compared_part *rk_compare_largest(const rk_comparison *c, size_t model);

/* log(b/a) / log(n_b/n_a): a grows with that power of n.  NAN where one is nothing, or the two n are about the same. */
double rk_compare_exponent(rk_i128 a, rk_i128 b, rk_i128 n_a, rk_i128 n_b);

#endif
