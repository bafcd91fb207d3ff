/* SPDX-License-Identifier: MIT */
/*
 * account/linear.h - which weights are the matrices of linear layers, from the equations that use them.
 *
 * Stage   program -> [account] -> stored tensors.
 * Uses    base/, model/program.h.
 * Memory  the roles live in the arena of the caller.
 * Threads a program is never changed after expansion.
 *
 * Quantisation is about these: a weight that the activations are multiplied with, summed over an index.  Tables, norms,
 * biases and convolutions are none.
 */
#ifndef RK_ACCOUNT_LINEAR_H
#define RK_ACCOUNT_LINEAR_H

#include "base/arena.h"
#include "model/program.h"

typedef enum rk_role {
    RK_ROLE_OTHER,
    RK_ROLE_LINEAR,
    RK_ROLE_ROUTER, /* its products choose experts, and nothing else */
    RK_ROLE_HEAD,   /* its products are the model's output */
    RK_ROLE_STACK   /* the matrices of all experts in one tensor, one behind the other */
} rk_role;

typedef struct rk_linear {
    rk_role role;
    bool input_first; /* stored [in out] instead of [out in]; of a STACK: each of its matrices */
} rk_linear;

/* One for each weight of the program; NULL: no memory. */
rk_linear *rk_linear_find(rk_arena *a, const rk_program *p);

#endif
