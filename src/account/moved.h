/* SPDX-License-Identifier: MIT */
/*
 * account/moved.h - the bytes that an operation reads and writes.
 *
 * Stage   program -> [account] -> a quantity.
 * Uses    base/, expr/, model/program.h.
 * Memory  expressions in the program's pool.
 * Threads one at a time per pool.
 *
 * Each operand is read once and the result is written once, as if nothing stayed on the chip between operations.  Of
 * the experts of a layer those are read that the tokens can visit: min(E, A × tokens).
 */
#ifndef RK_ACCOUNT_MOVED_H
#define RK_ACCOUNT_MOVED_H

#include "model/program.h"

/* `bytes`: of a number. */
rk_ex rk_moved(const rk_program *p, const rk_op *op, int bytes);

#endif
