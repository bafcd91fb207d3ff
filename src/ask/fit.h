/* SPDX-License-Identifier: MIT */
/*
 * ask/fit.h - does it fit, how large may it be, and on how few devices.
 *
 * Stage   instance, split, bytes of a device -> [ask] -> answers.
 * Uses    base/, model/, account/largest.h, ask/portion.h.
 * Memory  rows in the arena given; rk_fit_free frees the accounts behind them.
 * Threads one instance, one thread.
 */
#ifndef RK_ASK_FIT_H
#define RK_ASK_FIT_H

#include "ask/portion.h"

/* What became of a question. */
typedef enum rk_fit_state {
    RK_FIT_FOUND,
    RK_FIT_NONE,    /* not even the least fits */
    RK_FIT_BOUNDED, /* the largest that may be fits */
    RK_FIT_UNASKED  /* the model has no such symbol, or its number shaped the equations */
} rk_fit_state;

typedef struct rk_fit_largest {
    rk_fit_state state;
    const char *symbol; /* "B", "S", "T"; NULL: there is none */
    rk_i128 largest, bytes;
    rk_i128 next; /* bytes of one more; RK_I128_MAX: not known */
    rk_i128 most; /* that may be */
} rk_fit_largest;

typedef struct rk_fit_answer {
    rk_device_split split;
    rk_i128 limit;
    bool reserved; /* bytes are those that the framework's allocator reserves; else those of tensors and workspaces */
    rk_portion at; /* at the numbers that were given */
    bool fits;
    rk_fit_largest batch, length;
    rk_i128 positions; /* that the model has learned; 0: any number will do */
    /* Devices: */
    rk_i128 fewest; /* 0: no number of them up to the most that can be */
    rk_i128 most;   /* that can share it so */
    rk_i128 least;  /* bytes on each of the fewest, or of the most where there are none */
    /* The accounts behind all this: without copies, with some, and of another number that share layers. */
    rk_one_device alone, shared, thinnest;
} rk_fit_answer;

/* Opens the model of a request at another number of a symbol; what it opened before is closed. */
typedef struct rk_reopener {
    int (*open)(void *self, const char *symbol, rk_i128 number, rk_portion_request *out, rk_err *err);
    void *self;
} rk_reopener;

/*
 * What the request says at the numbers of its instance, and what else there is to say of that.  `reopener` is asked
 * where a length would make another program of the model (rk_model_stands); NULL: such lengths are errors.
 * RK_EINPUT: the model has no batch B, or something does not divide.
 */
int rk_fit_ask(rk_arena *a, const rk_portion_request *r, const rk_reopener *reopener, rk_i128 limit, rk_fit_answer *out,
               rk_err *err);
void rk_fit_free(rk_fit_answer *f);

/* What each device needs of tensors and workspaces alone. */
int rk_fit_needs(const rk_portion_request *r, rk_i128 *out, rk_err *err);

/* The fewest devices for a step that needs so much as the request has it, which is too much; 0: no number of them. */
int rk_fit_fewest(const rk_portion_request *r, rk_i128 limit, rk_i128 needs, rk_i128 *out, rk_err *err);

/* The layers of a request, looked at where devices share them, or could; else NULL. */
int rk_fit_slice(const rk_instance *m, const rk_device_split *s, rk_slice **out, rk_err *err);

#endif
