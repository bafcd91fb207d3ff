/* SPDX-License-Identifier: MIT */
/*
 * model/needs.h - where gradients flow: what needs one, and what reaches an output, layer by layer.
 *
 * Stage   program -> [model, pass] -> flags beside it.
 * Uses    base/, model/program.h.
 * Memory  in the arena given.
 * Threads no state.
 *
 * A program has each kind of layer once, in a chain; the layers themselves come in another order, and one kind may
 * stand where its input needs a gradient and where it does not.  So the layers of a loop are gone through in their own
 * order, with one flag for each variable that the loop carries.  For that, an operand reads a *value*: a tensor, or
 * what a variable is when a group begins, or what it is when a loop has ended.
 *
 * What comes out is right for a group if it is the same for all its layers.  rk_flow says where it is not: the expander
 * then makes groups of their own (open.c).
 */
#ifndef RK_MODEL_NEEDS_H
#define RK_MODEL_NEEDS_H

#include "model/program.h"

/* How a value reaches the output: not at all, only through the next step of a recurrence, or directly. */
typedef enum rk_reach {
    RK_REACH_NOT,
    RK_REACH_NEXT,
    RK_REACH_NOW
} rk_reach;

/* How the layers of one loop differ in what they need and reach; equal signatures: they do not. */
typedef struct rk_flow_loop {
    uint64_t *signature; /* one for each layer, when their number is known */
    size_t first, last;  /* when it is not: so many more layers at either end are not as all others */
    bool aliased;        /* two variables go into a layer as one tensor: what becomes of each is not told apart */
} rk_flow_loop;

typedef struct rk_flow {
    size_t n_value;
    size_t *first;      /* one per operation: where its operands begin in `read` */
    uint32_t *read;     /* the value that each operand of each operation reads; those below n_tensor are tensors */
    bool *needs;        /* one per value: a trained weight reaches it */
    bool *made;         /* one per value: it is computed, or given; else it is a weight, or a view of one */
    rk_reach *reach;    /* one per value */
    uint32_t *shift;    /* for RK_REACH_NEXT: the label of the step */
    rk_flow_loop *loop; /* one per loop */
} rk_flow;

/* Fails with RK_ELIMIT where layers differ in ever new ways. */
int rk_flow_new(rk_arena *a, const rk_program *p, rk_flow *out, rk_err *err);

/* Does a gradient flow from the result of an operation into this operand? */
bool rk_grad_flows(const rk_op *op, size_t in);

/*
 * Is the gradient of this operand that of the result itself, where both are as large?  It is where an operation leaves
 * each number as it is, or adds one that does not depend on it.
 */
bool rk_grad_passes(const rk_op *op, size_t in);

/* Does this operand need one? */
bool rk_flow_needs(const rk_flow *f, size_t op, size_t in);

/* The label along which a recurrence reads this operand one step back, or RK_NONE. */
uint32_t rk_step_label(const rk_program *p, size_t op, size_t in);

/*
 * Operations from one that reads something a step back up to the one that makes it are run together, step by step.  Of
 * each operation: the last one that is run with it; it itself, where none is.  NULL: no memory.
 */
uint32_t *rk_step_ends(rk_arena *a, const rk_program *p);

#endif
