/* SPDX-License-Identifier: MIT */
/*
 * pass/strides.h - how the elements of a tensor lie in memory: which reshapes are views, and how results are laid out.
 *
 * Stage   program -> [pass] -> timeline.
 * Uses    base/, expr/, pass/conditions.h.
 * Memory  none of its own.
 * Threads no state.
 *
 * A tensor's axes have sizes and strides, in elements.  A framework copies where a wanted form is no view of what is
 * there, so that what is saved depends on sizes: an axis of one element has no stride that matters.  What is asked of
 * sizes and strides on the way is noted in `q`, unless that is NULL.
 */
#ifndef RK_PASS_STRIDES_H
#define RK_PASS_STRIDES_H

#include "pass/conditions.h"

#define RK_DIMS_MAX 32

typedef struct rk_dim {
    rk_size size, stride;
} rk_dim;

typedef struct rk_dims {
    rk_dim at[RK_DIMS_MAX];
    size_t n;
} rk_dims;

/* Sizes laid out in row-major order. */
void rk_dims_pack(rk_conditions *q, rk_dims *d);

/* Whether they lie in row-major order without gaps. */
bool rk_dims_are_packed(rk_conditions *q, const rk_dims *d);

/*
 * The strides under which `d` has the sizes of `want` (as many elements, same row-major order) without a copy; false:
 * a copy is needed.
 */
bool rk_dims_view(rk_conditions *q, const rk_dims *d, rk_dims *want);

/*
 * The layout of the result of an elementwise operation: its sizes in `out`, and operands under the same axes (stride 0
 * where an operand is repeated).  If all operands agree, theirs is kept; else the axes are sorted by strides, the first
 * operand deciding first.
 */
void rk_dims_elementwise(rk_conditions *q, rk_dims *out, const rk_dims *in, size_t n_in);

#endif
