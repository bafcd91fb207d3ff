/* SPDX-License-Identifier: MIT */
/*
 * audit/cause.h - claims that are wrong for one reason, so that it is said once.
 *
 * Stage   claims -> [cause] -> remarks.
 * Uses    base/, audit/audit.h.
 * Memory  everything lives in the arena given.
 * Threads as audit/audit.h.
 *
 * The same wrong figure, stated again, is one mistake; what was computed from it, or is off by just as much, follows
 * from it.  What follows and is right as a computation is named too: its reader has to change it.
 */
#ifndef RK_AUDIT_CAUSE_H
#define RK_AUDIT_CAUSE_H

#include "audit/audit.h"

#define RK_CAUSE_DIGITS 3 /* a figure of fewer is found by chance */

typedef enum rk_cause_kind {
    RK_CAUSE_NONE,   /* it stands for itself */
    RK_CAUSE_SAME,   /* the figure of another claim, stated again */
    RK_CAUSE_FOLLOWS /* computed from that figure */
} rk_cause_kind;

typedef struct rk_cause {
    rk_cause_kind kind;
    size_t of; /* the claim, an earlier one, which has no cause itself */
} rk_cause;

/* For each claim its cause; RK_CAUSE_FOLLOWS also for claims that are right. */
int rk_causes_find(rk_arena *a, const rk_audit *audit, rk_cause **out, rk_err *err);

#endif
