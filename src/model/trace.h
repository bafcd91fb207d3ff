/* SPDX-License-Identifier: MIT */
/*
 * model/trace.h - how a program was made: what a pass needs beside the operations to make it once more, otherwise.
 *
 * Stage   build -> [program] -> pass.
 * Uses    base/, lang/, model/program.h.
 * Memory  in the arena of the program's model.
 * Threads never changed once the program is built.
 *
 * Operations say what is computed, not why they stand together.  Three things are lost in them that a pass needs: which
 * of them are one equation (rows are named by equations), up to where a variable holds its tensor, and which of them
 * came of a call, with which arguments, so that another body can stand in its place.  The trace has these as events,
 * in their order between the operations.
 */
#ifndef RK_MODEL_TRACE_H
#define RK_MODEL_TRACE_H

#include "model/program.h"

/* A tensor as seen from one place: the same elements under the labels of that place. */
typedef struct rk_seen {
    uint32_t tensor;
    uint32_t alias; /* one more than the alias that it is; 0: none */
    rk_ixs axes;
    rk_mask mask;
} rk_seen;

/*
 * A call that gives back what it was given, or another tensor that was there before it, makes no tensor of its own.
 * Another body may make one; who reads the result must then read that one, and who reads the argument must not.
 * So such results have a name of their own.
 */
typedef struct rk_trace_alias {
    uint32_t tensor, alias; /* what it is, perhaps by another alias */
} rk_trace_alias;

typedef enum rk_trace_kind {
    RK_TRACE_LOOP,     /* a loop begins */
    RK_TRACE_LOOPED,   /* it has ended */
    RK_TRACE_GROUP,    /* layers of a group begin */
    RK_TRACE_GROUPED,  /* they have ended */
    RK_TRACE_CALL,     /* a call begins: its arguments have been evaluated */
    RK_TRACE_CALLED,   /* it has ended */
    RK_TRACE_EQUATION, /* an equation begins */
    RK_TRACE_ROWS,     /* it has ended, and its rows get their names */
    RK_TRACE_LOSS,     /* the equation that has just ended is the loss */
    RK_TRACE_KEEP,     /* something is carried from token to token */
    RK_TRACE_UNTIL,    /* a variable of the model lets its tensor go */
    RK_TRACE_GIVE      /* an output, or what is given beside it */
} rk_trace_kind;

typedef struct rk_trace_event {
    rk_trace_kind kind;
    uint32_t at;          /* operations put before it */
    uint32_t which;       /* the loop, the group, the call, the keep, or the tensor */
    uint32_t alias;       /* of the tensor; as in rk_seen */
    uint32_t part, group; /* where it happens */
    const char *name;     /* ROWS */
    bool beside;          /* GIVE: no gradient begins there, but a profile wants to know what is held */
} rk_trace_event;

struct rk_frame;

typedef struct rk_trace_call {
    const rk_node *node;
    struct rk_frame *frame; /* the names around it */
    rk_weight_name prefix;  /* of the names of weights */
    const char *row;        /* the equation in which it stands */
    rk_span span;
    uint32_t part, group;
    size_t nest;     /* calls around it */
    size_t event;    /* events, and … */
    size_t first_op; /* … operations before it, its arguments included */
    rk_seen *arg;    /* one for each child of the node: no tensor: RK_NONE */
    rk_seen *result;
    size_t n_result;
} rk_trace_call;

typedef struct rk_trace {
    rk_trace_event *event;
    size_t n_event;
    rk_trace_call *call;
    size_t n_call;
    rk_trace_alias *alias;
    size_t n_alias;
} rk_trace;

#endif
