/* SPDX-License-Identifier: MIT */
/*
 * ask/slice.h - one device's part of a model that is divided inside its layers (tensor parallelism).
 *
 * Stage   instance -> [ask] -> the same model at smaller numbers.
 * Uses    base/, expr/, model/.
 * Memory  a slice owns its arena and borrows the model.
 * Threads made by one thread, as a ledger; then it is only read.
 *
 * The equations of one device's part are the model's own: fewer heads, a narrower FFN, a part of the vocabulary.  So
 * the program stays, and the numbers of some symbols become an n-th of what they were.  Which symbols these are follows
 * from the equations:
 *
 *   - heads: what two activations that are multiplied have in common with their product;
 *   - inner widths: what is summed where a product with a weight comes back to the width that layers carry on;
 *   - the vocabulary: the output of the head, and the largest table in which inputs are looked up;
 *   - and whatever must follow, so that each tensor has as many elements as every operation reads in it.
 *
 * The width itself stays whole: what layers hand on is on every device.  So does what has no such axis, and what cannot
 * be divided without changing an equation: where heads are a reading of the width, all devices have all of them.
 *
 * Key/value heads may be fewer than the devices.  Each device then has one of them, several devices the same, and what
 * is divided further are the queries to it: whatever is defined by the heads and could be divided in their place.
 */
#ifndef RK_ASK_SLICE_H
#define RK_ASK_SLICE_H

#include "model/instance.h"

#define RK_SLICE_DEVICES_MAX 65536

typedef struct rk_slice_symbol {
    const rk_symbol *symbol;
    bool divided;    /* to one of n devices; else it keeps its number */
    bool rounded_up; /* it may be: the last device has less */
    rk_i128 whole;   /* its number on a single device */
    bool was_known;  /* its number was its own, not its definition's */
    /* Where there are more devices than of a symbol (key/value heads), another (queries to each) is divided further: */
    struct rk_slice_symbol *rest;   /* of the heads: the queries; NULL: there is no such symbol */
    struct rk_slice_symbol *shared; /* of the queries: the heads */
} rk_slice_symbol;

typedef struct rk_slice {
    rk_arena arena;
    const rk_model *model;
    rk_slice_symbol *at; /* all symbols of the model that do not depend on the run */
    size_t n;
} rk_slice;

/* Finds what is divided, at the numbers of an instance.  RK_EINPUT: nothing can be. */
int rk_slice_new(const rk_instance *m, rk_slice **out, rk_err *err);
void rk_slice_free(rk_slice *s);

/* Whether each of the symbols can be divided so; where not, `err` (or NULL) names the first, and what n may be. */
bool rk_slice_divides(const rk_slice *s, rk_i128 n, rk_err *err);

/* The most devices, among those that n devices can be groups of, over which each of the symbols can be divided. */
rk_i128 rk_slice_group(const rk_slice *s, rk_i128 n);

/* The number of a symbol on one of n devices, and how many of them have the same part of it where they outnumber it. */
rk_i128 rk_slice_number(const rk_slice_symbol *x, rk_i128 n);
rk_i128 rk_slice_copies(const rk_slice_symbol *x, rk_i128 n);

/* Gives an instance, of this or of another opening of the model, the numbers of one of n devices. */
void rk_slice_bind(const rk_slice *s, rk_i128 n, rk_instance *out);

#endif
