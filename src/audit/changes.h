/* SPDX-License-Identifier: MIT */
/*
 * audit/changes.h - how much less or more one figure is than another: "from 14 GB to 3.5 GB (75 % reduction)",
 * "39.8 % → 57.4 % (+17.6 percentage points)", "120 ms to 80 ms, 1.5× faster".
 *
 * Stage   chains, sums, tables -> [changes] -> claims.
 * Uses    audit/judge.h.
 * Memory  the audit's.
 * Threads as audit/audit.h.
 */
#ifndef RK_AUDIT_CHANGES_H
#define RK_AUDIT_CHANGES_H

#include "audit/judge.h"

int rk_judge_changes(rk_audit *a, rk_err *err);

#endif
