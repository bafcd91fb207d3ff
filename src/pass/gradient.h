/* SPDX-License-Identifier: MIT */
/*
 * pass/gradient.h - which operands of which operations get a gradient.
 *
 * Stage   program -> [gradient] -> the gradient program, beside it.
 * Uses    base/, model/.
 * Memory  in the arena given.
 * Threads no state.
 *
 * Two reachabilities decide: a tensor *needs* a gradient if a trained weight reaches it, and it *reaches* the output
 * if the output depends on it.  The gradient of an operand is computed where the operand needs one and the result
 * reaches.
 */
#ifndef RK_PASS_GRADIENT_H
#define RK_PASS_GRADIENT_H

#include "model/needs.h"

typedef struct rk_grad {
    uint32_t op, in; /* the gradient of operand `in` of operation `op` */
    /*
     * A recurrence saves work at its two ends.  first_free: the operand is read one step back along shift_label, and
     * the first step reads the constant start state, which needs no gradient.  last_free: the result reaches the
     * output only through the next step, which the last step lacks.
     */
    bool first_free, last_free;
    uint32_t shift_label;
} rk_grad;

typedef struct rk_gradient {
    rk_grad *at; /* in an order in which they can be run: from the output backwards */
    size_t n;
    bool *needs, *reaches; /* one per tensor, where it is made */
    rk_flow flow;          /* what an operand is where it is read: rk_flow_needs */
} rk_gradient;

/* The gradient of one operand, whether it gets one or not. */
rk_grad rk_grad_of(const rk_program *p, const rk_flow *f, size_t i, size_t k);

int rk_gradient_new(rk_arena *a, const rk_program *p, rk_gradient *out, rk_err *err);

#endif
