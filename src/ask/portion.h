/* SPDX-License-Identifier: MIT */
/*
 * ask/portion.h - what one of several devices holds of a step.
 *
 * Stage   model, options of an account of memory, a split -> [ask] -> rows that add up.
 * Uses    base/, model/, account/memory.h, ask/slice.h.
 * Memory  a portion owns the account that it was made from; its rows live in the arena given.
 * Threads one model, one thread.
 *
 * A split has two parts.  Inside the layers, `tensor` devices share each of them (ask/slice.h).  And of devices that
 * hold the same otherwise, each keeps a part of what does not depend on the run (`zero`):
 *
 *     1   the optimizer's state, a master copy of the weights included
 *     2   and the gradients, which are then added up in buffers that stay
 *     3   and the weights; those of the layer at work are gathered whole
 *
 * Each of these is divided as one long row of bytes, rounded up to a whole byte.  Activations are each device's own:
 * B is the batch of one device, or of the devices that share layers.
 */
#ifndef RK_ASK_PORTION_H
#define RK_ASK_PORTION_H

#include "account/memory.h"
#include "ask/slice.h"

#define RK_SPLIT_DEVICES_MAX 65536

typedef struct rk_device_split {
    rk_i128 devices; /* all */
    rk_i128 tensor;  /* that share each layer; 1: none do */
    int zero;        /* 0: all devices hold the same */
} rk_device_split;

typedef enum rk_portion_class {
    RK_PORTION_WEIGHTS,
    RK_PORTION_GATHERED,
    RK_PORTION_GRADIENTS,
    RK_PORTION_OPTIMIZER,
    RK_PORTION_IN_STEP, /* what the optimizer's step takes beside it */
    RK_PORTION_CACHE,
    RK_PORTION_WORKSPACE, /* of the matrix library */
    RK_PORTION_AT_WORK,   /* activations, and gradients that come and go */
    RK_N_PORTION
} rk_portion_class;

extern const char *const rk_portion_text[RK_N_PORTION];

typedef struct rk_portion_row {
    rk_portion_class what;
    rk_i128 whole; /* bytes without the split of `zero` */
    rk_i128 over;  /* devices over which they are divided; 1: they are not */
    rk_i128 bytes; /* of one device */
} rk_portion_row;

typedef struct rk_portion {
    rk_portion_row row[RK_N_PORTION];
    size_t n_row;
    rk_i128 total;         /* the sum of the rows */
    const char *during;    /* when it is that much */
    const char *path;      /* at which operation; NULL: at none */
    const char *gathered;  /* whose weights are gathered: "a layer", "embed"; NULL: none are */
    rk_memory_rows pieces; /* what is at work, the largest first; they add up to that row */
    rk_memory *memory;     /* the account behind it */
} rk_portion;

typedef struct rk_portion_request {
    rk_model *model;
    rk_slice *slice; /* needed where `tensor` is above 1 */
    const rk_memory_options *options;
    rk_device_split split;
} rk_portion_request;

/* RK_EINPUT: something does not divide; it is named.  RK_EVALUE: a symbol has no number. */
int rk_portion_new(rk_arena *a, const rk_portion_request *r, rk_portion *out, rk_err *err);
void rk_portion_free(rk_portion *s);

#endif
