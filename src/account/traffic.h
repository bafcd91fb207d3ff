/* SPDX-License-Identifier: MIT */
/*
 * account/traffic.h - the bytes that a task reads and writes.
 *
 * Stage   program -> [account] -> a quantity.
 * Uses    base/, expr/, pass/step.h.
 * Memory  expressions in the pool of the instance.
 * Threads as building a ledger: one instance, one thread.
 *
 * Each operand is read once and the result is written once, as if nothing stayed on the chip between operations.  Of
 * the experts of a layer those are read that the tokens can visit: min(E, A × tokens).
 */
#ifndef RK_ACCOUNT_TRAFFIC_H
#define RK_ACCOUNT_TRAFFIC_H

#include "pass/step.h"

typedef struct rk_traffic {
    rk_ex read, written;
} rk_traffic;

/*
 * Of one task; `bytes`: of a number.  A gradient reads that of the result and what its operation has saved of its
 * operands and its result, and writes that of one operand; a sum reads two and writes one.
 */
rk_traffic rk_task_traffic(const rk_instance *x, rk_task_kind kind, uint32_t op, uint32_t operand, int bytes);

#endif
