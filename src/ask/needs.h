/* SPDX-License-Identifier: MIT */
/*
 * ask/needs.h - what it takes to serve a model and to fine-tune it, and the smallest usual device that has it.
 *
 * Stage   a model as someone names it -> [ask] -> report.
 * Uses    base/, account/memory.h, ask/least.h, plan/device.h, plan/run.h.
 * Memory  devices live in the arena given.
 * Threads as opening a run: one thread.
 *
 * Each number is the peak of the account that `reckon memory` prints, and a device is asked as `reckon fit` does: one
 * that trains has room for what the framework's allocator reserves, others for the peak, each of several for its own.
 */
#ifndef RK_ASK_NEEDS_H
#define RK_ASK_NEEDS_H

#include "plan/device.h"
#include "plan/run.h"

#define RK_NEEDS_MAX 8

typedef enum rk_need_kind {
    RK_NEED_LOAD,    /* weights alone */
    RK_NEED_FORWARD, /* of what keeps nothing from token to token */
    RK_NEED_SERVE,   /* a decoding step */
    RK_NEED_TUNE     /* a training step */
} rk_need_kind;

extern const char *const rk_need_word[]; /* "load", "forward", "serve", "fine-tune" */

/* A device, or several that share a model, as people have them. */
typedef struct rk_usual {
    const char *word; /* as it is typed */
    const rk_device *device;
    rk_i128 n;
} rk_usual;

typedef struct rk_need {
    rk_need_kind kind;
    const char *as;        /* of training the recipe, of weights alone their type: "mixed", "bf16"; else NULL */
    rk_i128 batch, tokens; /* of each sequence; 0: nothing depends on it */
    rk_i128 bytes;
    const rk_usual *on; /* NULL: not even the largest has room */
} rk_need;

#define RK_USUAL_MAX 8

typedef struct rk_needs {
    rk_need at[RK_NEEDS_MAX];
    size_t n;
    rk_usual usual[RK_USUAL_MAX]; /* the smallest first */
    size_t n_usual;
    rk_i128 context; /* tokens, as the config has it; 0: it does not */
    /* Of decoding at the most tokens of the rows; not known where the model has no cache: */
    bool caches;
    rk_i128 cached;                  /* tokens of a sequence; 0: any number */
    rk_i128 per_token, per_sequence; /* bytes that one more token adds; of all of them */
} rk_needs;

/*
 * At the batch and the length of `m`, which the request names.  What the model cannot be taken for is left out; nothing
 * is there where a symbol has no number.  RK_ENOMEM, RK_EIO, RK_ESTOPPED alone are errors.
 */
int rk_needs_find(rk_arena *a, const rk_run_request *r, const rk_instance *m, rk_needs *out, rk_err *err);

/* Weights of so many bytes. */
rk_need rk_needs_load(const rk_needs *n, const char *as, rk_i128 bytes);

#endif
