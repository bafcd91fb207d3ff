/* SPDX-License-Identifier: MIT */
/*
 * ask/portion.h - what one of several devices holds of a step.
 *
 * Stage   instance, options of an account of memory, a split -> [ask] -> rows that add up.
 * Uses    base/, model/, account/memory.h, account/peak.h, ask/slice.h.
 * Memory  a device owns the accounts that its portions are made from; rows and numbers live in the arena given.
 * Threads one instance, one thread.
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
 *
 * So the accounts behind a portion depend on how many devices share a layer, but not on how many copies share the rest:
 * an rk_one_device has them, and any number of copies is a sum.
 */
#ifndef RK_ASK_PORTION_H
#define RK_ASK_PORTION_H

#include "account/peak.h"
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
    RK_PORTION_RESERVED,  /* what the framework's allocator reserves beside all that */
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
    rk_i128 total;           /* the sum of the rows */
    const char *during;      /* when it is that much */
    const char *path;        /* at which operation; NULL: at none */
    const char *gathered;    /* whose weights are gathered: "a layer", "embed"; NULL: none are */
    rk_memory_rows pieces;   /* what is at work, the largest first; they add up to that row */
    const rk_memory *memory; /* the account behind it */
} rk_portion;

typedef struct rk_portion_request {
    const rk_instance *instance; /* of the whole model */
    const rk_slice *slice;       /* needed where `tensor` is above 1 */
    const rk_memory_options *options;
    rk_device_split split;
} rk_portion_request;

/* One of the devices that share layers as the split says, whatever the number of copies: 1, or more. */
typedef struct rk_one_device {
    rk_instance at; /* its numbers, which may be changed for rk_one_device_total_at */
    rk_memory_options options;
    rk_storage storage;
    bool shares; /* there are copies that share what does not depend on the run */
    rk_memory *whole;
    rk_memory *at_work; /* with an optimizer whose step takes nothing beside it; made where it is needed */
    rk_peaks peaks;     /* of the whole where there are no copies, else of what is at work */
} rk_one_device;

/* RK_EINPUT: something does not divide; it is named.  RK_EVALUE: a symbol has no number. */
int rk_one_device_new(rk_arena *a, const rk_portion_request *r, rk_one_device *out, rk_err *err);
void rk_one_device_free(rk_one_device *d);

/* The rows, for a split that differs from the request's in the number of copies alone. */
int rk_portion_new(rk_arena *a, rk_one_device *d, const rk_device_split *split, rk_portion *out, rk_err *err);

/* Their sum alone; `at`: at the numbers of `d->at`, of which some have been changed. */
int rk_one_device_total(rk_one_device *d, const rk_device_split *split, rk_i128 *out, rk_err *err);
int rk_one_device_total_at(rk_one_device *d, const rk_device_split *split, rk_i128 *out, rk_err *err);

#endif
