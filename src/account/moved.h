/* SPDX-License-Identifier: MIT */
/*
 * account/moved.h - the bytes that an operation reads and writes.
 *
 * Stage   program -> [account] -> a quantity.
 * Uses    base/, expr/, model/instance.h.
 * Memory  expressions in the pool of the instance.
 * Threads as building a ledger: one instance, one thread.
 *
 * Each operand is read once and the result is written once, as if nothing stayed on the chip between operations.  Of
 * the experts of a layer those are read that the tokens can visit: min(E, A × tokens).
 */
#ifndef RK_ACCOUNT_MOVED_H
#define RK_ACCOUNT_MOVED_H

#include "model/instance.h"

/* `bytes`: of a number. */
rk_ex rk_moved(const rk_instance *x, const rk_op *op, int bytes);

#endif
