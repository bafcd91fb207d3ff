/* SPDX-License-Identifier: MIT */
/*
 * ask/convention_shape.h - the numbers that formulas in papers speak of, found in the equations: layers, width, heads.
 *
 * Stage   model -> [ask] -> conventions; private to the conventions.
 * Uses    base/, expr/, model/, account/cache.h, ask/convention_facts.h.
 * Memory  expressions in the pool of the instance.
 * Threads as building a ledger: one thread.
 */
#ifndef RK_ASK_CONVENTION_SHAPE_H
#define RK_ASK_CONVENTION_SHAPE_H

#include "ask/convention_facts.h"

/* Elements of the result of an operation. */
rk_ex rk_shape_elements(const rk_instance *m, const rk_op *op);

/* Fills the facts of the model, and the reasons of those that it lacks. */
void rk_shape_find(const rk_convention_setup *setup, rk_facts *out);

#endif
