/* SPDX-License-Identifier: MIT */
/*
 * model/flow.h - between needs.c, which finds the values of a program, and flow.c, which runs flags through them.
 *
 * Stage   inside model/needs.h.
 * Uses    base/, model/.
 * Memory  in the arena of the walk.
 * Threads no state.
 */
#ifndef RK_MODEL_FLOW_H
#define RK_MODEL_FLOW_H

#include "base/vec.h"
#include "model/needs.h"

#define RK_FLOW_STEPS_MAX 50000000 /* looks at an operation or at a carried variable: far above any model */

/* What stands directly in a group: an operation or a loop. */
typedef struct rk_flow_item {
    bool is_loop;
    size_t which;
} rk_flow_item;

typedef struct rk_flow_group {
    RK_VEC(rk_flow_item) item;
    uint32_t *in, *out; /* the values of the loop's variables when it begins and when it ends */
    uint32_t *before;   /* the values that the tensors of `in` have outside of it */
} rk_flow_group;

typedef struct rk_flow_carry {
    uint32_t *before, *after; /* the values of the loop's variables outside of it */
    uint32_t *beside;         /* what the tensor of `after` was before the loop, if it was made there; else RK_NONE */
    bool aliased;             /* in a group two of them are one tensor */
} rk_flow_carry;

/* What a tensor was before a layer or a loop gave it another value. */
typedef struct rk_flow_undo {
    uint32_t tensor, value;
} rk_flow_undo;

typedef struct rk_flow_walk {
    rk_arena *a;
    const rk_program *p;
    rk_flow flow;
    RK_VEC(uint32_t) owner; /* the group in which each value is made */
    uint32_t *now;          /* the value that each tensor is at this place of the walk */
    RK_VEC(rk_flow_undo) undo;
    size_t next; /* the next loop */
    rk_flow_group *group;
    rk_flow_carry *carry;
    bool *given; /* one per value: it is an output */
} rk_flow_walk;

int rk_flow_run(rk_flow_walk *w, rk_err *err);

#endif
