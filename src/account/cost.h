/* SPDX-License-Identifier: MIT */
/*
 * account/cost.h - what one operation costs, as an expression.
 *
 * Stage   program -> [account] -> ledger.
 * Uses    base/, expr/, model/, pass/gradient.h.
 * Memory  expressions in the pool of the instance.
 * Threads as building a ledger: one instance, one thread.
 *
 * One rule for products: all labels touched, times two if one of them is summed.  Everything else follows the one
 * table of operations.
 */
#ifndef RK_ACCOUNT_COST_H
#define RK_ACCOUNT_COST_H

#include "account/ledger.h"
#include "pass/gradient.h"

/* Pairs of a mask's two axes, as an expression: causal S(S+1)/2, and so on. */
rk_ex rk_mask_pairs(const rk_instance *x, const rk_mask *m);

rk_ex rk_cost_forward(const rk_instance *x, const rk_op *op, const rk_convention *c);

/* The gradient of one operand; `all` is the gradient program of which `g` is an entry. */
rk_ex rk_cost_backward(const rk_instance *x, const rk_gradient *all, const rk_grad *g, const rk_convention *c);

/* What adding each further weight of a norm costs (its bias): one per element under `--count all`. */
rk_ex rk_cost_extra_weight(const rk_instance *x, const rk_op *op, const rk_convention *c);

#endif
