/* SPDX-License-Identifier: MIT */
/*
 * ask/fit.h - does it fit, how large may it be, and on how few devices.
 *
 * Stage   request of a step, bytes of a device -> [ask] -> answers.
 * Uses    base/, model/, account/largest.h, account/memory.h, ask/least.h.
 * Memory  texts in the arena given; rk_fit_free frees the account behind the answer.
 * Threads one request, one thread.
 *
 * A step lies over devices as its layout says, and what is asked about is the device of its rank.  How it would lie
 * over fewer or more of them is a layout, too, with a size that is left open.
 */
#ifndef RK_ASK_FIT_H
#define RK_ASK_FIT_H

#include "ask/least.h"

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

typedef struct rk_fit_request {
    const rk_run_request *asked;
    const rk_run *run; /* the same, opened */
    const char *form;  /* a layout with a size left open: how other numbers of devices share it; NULL: unasked */
    rk_i128 limit;     /* bytes of a device */
} rk_fit_request;

typedef struct rk_fit_answer {
    rk_i128 limit;
    rk_i128 devices;
    bool reserved; /* bytes are those that the framework's allocator reserves; else those of tensors and workspaces */
    rk_i128 needs; /* bytes of a device, at the numbers that were given */
    bool fits;
    rk_fit_largest batch, length;
    rk_i128 positions; /* that the model has learned; 0: any number will do */
    rk_least fewest;   /* where that was asked */
    rk_memory *memory; /* the account behind all this … */
    rk_instance *at;   /* … and its numbers, which may be changed for a while */
} rk_fit_answer;

/* RK_EINPUT: the model has no batch B. */
int rk_fit_ask(rk_arena *a, const rk_fit_request *r, rk_fit_answer *out, rk_err *err);
void rk_fit_free(rk_fit_answer *f);

#endif
