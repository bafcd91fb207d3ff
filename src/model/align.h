/* SPDX-License-Identifier: MIT */
/*
 * model/align.h - which axes are one another: a tensor under other labels, and an operand's axis in a result.
 *
 * Stage   program -> [model] -> passes that follow an axis through operations.
 * Uses    base/, expr/, model/program.h.
 * Memory  none.
 * Threads no state.
 */
#ifndef RK_MODEL_ALIGN_H
#define RK_MODEL_ALIGN_H

#include "model/program.h"

/*
 * Two lists of axes of as many elements fall into runs of equal size.  Of each axis of `a`: the axis of `b` that begins
 * the same run, where it begins one itself; else -1.  False: they are not of as many elements.
 */
bool rk_ixs_align(const rk_pool *pool, const rk_binding *at, const rk_ixs *a, const rk_ixs *b, int *of_a);

/* The axis of the result that an axis of an operand becomes, under its label or under another; -1: it is gone. */
int rk_op_result_axis(const rk_program *p, const rk_pool *pool, const rk_binding *at, const rk_op *op, size_t operand,
                      size_t axis);

#endif
