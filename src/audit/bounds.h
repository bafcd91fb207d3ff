/* SPDX-License-Identifier: MIT */
/*
 * audit/bounds.h - what an inequality with one unknown allows: "24.88 + 14.3 × B ≤ 80", and below it "B ≤ 3.85" and
 * "the maximum batch size is 3".
 *
 * Stage   chains, sums, tables -> [bounds] -> claims.
 * Uses    audit/judge.h.
 * Memory  the audit's.
 * Threads as audit/audit.h.
 */
#ifndef RK_AUDIT_BOUNDS_H
#define RK_AUDIT_BOUNDS_H

#include "audit/judge.h"

int rk_judge_bounds(rk_audit *a, rk_err *err);

#endif
