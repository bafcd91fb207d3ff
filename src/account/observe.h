/* SPDX-License-Identifier: MIT */
/*
 * account/observe.h - who wants to see a step: what is alive while each operation of each layer is done.
 *
 * Stage   memory -> [account] -> report.
 * Uses    base/, model/.
 * Memory  operations are shown one by one and never stored, however many layers there are.
 * Threads one observer, one thread.
 */
#ifndef RK_ACCOUNT_OBSERVE_H
#define RK_ACCOUNT_OBSERVE_H

#include "model/program.h"

/* X(ID, word, text): word: a column for programs; text: for people.  From what stays longest to what passes. */
/* clang-format off */
#define RK_ALIVES(X) \
    X(WEIGHTS,   "weights",              "weights") \
    X(OPTIMIZER, "optimizer",            "optimizer state") \
    X(GRADIENTS, "gradients",            "gradients of weights") \
    X(WORKSPACE, "workspace",            "workspace") \
    X(CACHE,     "cache",                "cache") \
    X(SAVED,     "kept",                 "saved for backward") \
    X(FLOWING,   "activation_gradients", "gradients of activations") \
    X(PASSING,   "temporary",            "temporaries")
/* clang-format on */

typedef enum rk_alive {
#define RK_ALIVE_ID(ID, word, text) RK_ALIVE_##ID,
    RK_ALIVES(RK_ALIVE_ID)
#undef RK_ALIVE_ID
    RK_N_ALIVE
} rk_alive;

typedef struct rk_alive_row {
    const char *word, *text;
} rk_alive_row;

extern const rk_alive_row rk_alive_table[RK_N_ALIVE];

/* The parts of a step, in order; RECOMPUTE is a piece of BACKWARD. */
typedef enum rk_act {
    RK_ACT_FORWARD,
    RK_ACT_LOSS,
    RK_ACT_BACKWARD,
    RK_ACT_RECOMPUTE,
    RK_ACT_OPTIMIZER,
    RK_N_ACT
} rk_act;

extern const char *const rk_act_word[RK_N_ACT]; /* forward, loss, backward, recompute, optimizer */

/* One operation while it is done, at its largest moment. */
typedef struct rk_observed_op {
    rk_act act;
    const rk_op *op;       /* NULL: the optimizer's step */
    const uint32_t *layer; /* the running numbers of the loops around it, the outermost first */
    size_t n_layer;
    rk_i128 bytes[RK_N_ALIVE];
    rk_i128 total; /* their sum */
} rk_observed_op;

/* A buffer is requested of the allocator, or given back. */
typedef struct rk_observed_event {
    bool born;
    size_t birth; /* which of all births it is, or was */
    rk_act act;
    const rk_op *op; /* being done; NULL: none */
    const uint32_t *layer;
    size_t n_layer;
    rk_alive kind;
    const char *path, *what; /* of the buffer; what: NULL: the result itself */
    rk_i128 bytes;
} rk_observed_event;

/* Who is shown each operation, or each event; NULL: not that. */
typedef struct rk_observer {
    void (*op)(void *self, const rk_observed_op *op);
    /* May be asked before `op`, of an operation in a layer of the outermost loop.  True: that is all it wants. */
    bool (*passes_over)(void *self, rk_act act, uint32_t layer, rk_i128 total);
    void (*event)(void *self, const rk_observed_event *event);
    void *self;
} rk_observer;

#endif
