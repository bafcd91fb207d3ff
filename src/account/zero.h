/* SPDX-License-Identifier: MIT */
/*
 * account/zero.h - of which weights a rank has the optimizer's state, where copies of a model divide it among them.
 *
 * Stage   model -> [account] -> memory.
 * Uses    base/, expr/, model/.
 * Memory  the result in the arena given.
 * Threads no state.
 *
 * PyTorch's ZeroRedundancyOptimizer takes parameters by their elements, the largest first, and gives each to the rank
 * that has the fewest elements so far, of equal ones to the first.  A parameter is never cut.
 */
#ifndef RK_ACCOUNT_ZERO_H
#define RK_ACCOUNT_ZERO_H

#include "model/instance.h"

#define RK_ZERO_TENSORS_MAX ((rk_i128)1 << 26) /* of all layers: 100,000 layers of 600 */

/*
 * (*own)[i]: how many of the tensors of weight i are the rank's.  *rank: which it is of `ranks`; negative: the one that
 * has most elements, of equal ones the first, which is then written there.  RK_ELIMIT: there are too many tensors.
 */
int rk_zero_own(rk_arena *a, const rk_instance *x, rk_i128 ranks, rk_i128 *rank, rk_i128 **own, rk_err *err);

#endif
