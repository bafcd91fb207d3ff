/* SPDX-License-Identifier: MIT */
/*
 * model/needs.h - which tensors need a gradient: those that a trained weight reaches.
 *
 * Stage   program -> [model, pass] -> a flag for each tensor.
 * Uses    model/program.h.
 * Memory  the caller's.
 * Threads no state.
 */
#ifndef RK_MODEL_NEEDS_H
#define RK_MODEL_NEEDS_H

#include "model/program.h"

/* Does a gradient flow from the result of an operation into this operand? */
bool rk_grad_flows(const rk_op *op, size_t in);

/* Fills one flag per tensor: trained weights, what comes in from other parts of a model, and all that follows. */
void rk_needs_gradient(const rk_program *p, bool *needs);

/* Fills one flag per tensor: the output depends on it through operations that gradients pass. */
void rk_reaches_output(const rk_program *p, bool *reaches);

#endif
