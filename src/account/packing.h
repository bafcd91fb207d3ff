/* SPDX-License-Identifier: MIT */
/*
 * account/packing.h - the tensors that a checkpoint really stores: types, packed weights, bytes.
 *
 * Stage   ledger and the config's word on stored numbers -> [account] -> report.
 * Uses    base/, expr/, read/quant.h, model/, account/names.h.
 * Memory  what is added to a list of names lives in its arena.
 * Threads as making a list of names: the instance alone.
 *
 * A quantised matrix is several tensors: the packed weights, their scales, and what else the method keeps.  One table
 * has them all, with their shapes as formulas of the matrix.  Buffers beside the parameters are not counted: no config
 * says their type.
 */
#ifndef RK_ACCOUNT_PACKING_H
#define RK_ACCOUNT_PACKING_H

#include "account/names.h"

typedef struct rk_packing {
    const char *dtype;   /* of what is not quantised: BF16; NULL: the config does not say, and 16 bits are taken */
    const char *method;  /* gptq; NULL: not quantised */
    const char *unknown; /* quantised, and why the stored size is not known; NULL: it is, or it is not quantised */
    bool sized;          /* the bytes are known */
    rk_i128 bytes;       /* of all parameters; tied names once */
    rk_i128 parameters;  /* stored, each as one */
    const char *note;    /* a sentence on what the config leaves open, or NULL */
    rk_quant how;        /* for words: bits, groups … */
} rk_packing;

/* What the model's config says; nothing is known where sizes have no numbers. */
int rk_packing_of(const rk_ledger *l, rk_packing *out, rk_err *err);

/* Why the tensors of a quantised checkpoint are not known; NULL: they are.  What rk_packing_of asks first, for less. */
int rk_packing_obstacle(const rk_ledger *l, const char **unknown, rk_err *err);

/* Types and bytes for names in the reference layout or in that of checkpoints, where nothing is quantised. */
void rk_packing_type(const rk_ledger *l, rk_names *names);

/* Names in the layout of checkpoints, packed where the config says so.  RK_EINPUT: groups do not fit a matrix. */
int rk_packing_list(const rk_ledger *l, rk_names *out, rk_err *err);

/* The same for sums: of experts that are alike one stands for all, unless the config tells them apart. */
int rk_packing_sample(const rk_ledger *l, rk_names *out, rk_err *err);

#endif
