/* SPDX-License-Identifier: MIT */
/*
 * account/cost.h - what one task costs, as an expression.
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
#include "pass/step.h"

/* Pairs of a mask's two axes, as an expression: causal S(S+1)/2 where they are counted exactly, and so on. */
rk_ex rk_mask_pairs(const rk_instance *x, const rk_mask *m, rk_pairs pairs);

/*
 * What a task of an operation costs: running it, once or once more, or the gradient of one operand.  All other kinds
 * cost nothing under any convention: a gradient that is added to another is not counted.
 */
rk_ex rk_cost_task(const rk_instance *x, const rk_flow *f, rk_task_kind kind, uint32_t op, uint32_t operand,
                   const rk_convention *c);

/* What adding each further weight of a norm costs (its bias): one per element under `--count all`. */
rk_ex rk_cost_extra_weight(const rk_instance *x, const rk_op *op, const rk_convention *c);

#endif
