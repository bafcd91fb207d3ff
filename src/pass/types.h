/* SPDX-License-Identifier: MIT */
/*
 * pass/types.h - of which type the result of an operation is.
 *
 * Stage   program -> [pass] -> autocast, places.
 * Uses    model/program.h.
 * Memory  none.
 * Threads no state.
 */
#ifndef RK_PASS_TYPES_H
#define RK_PASS_TYPES_H

#include "model/program.h"

/* The type of what is given: an input, a weight. */
rk_type rk_type_given(const rk_program *p, const rk_tensor *t);

/* The type of an operation's result, `in` being those of its operands. */
rk_type rk_type_result(const rk_program *p, const rk_op *op, const rk_type *in);

/* Whether a type is that of products under autocast. */
bool rk_type_is_low(rk_type t);

/* Whether a type is one of numbers that autocast may cast. */
bool rk_type_is_real(rk_type t);

#endif
