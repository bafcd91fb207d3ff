/* SPDX-License-Identifier: MIT */
/*
 * audit/growth.h - memory that grows with the batch, "16.36 × B + 26.17 GB": its numbers said before, what it is for
 * so many sequences, and how many fit into "80 GB".
 *
 * Stage   chains, sums, tables, bounds -> [growth] -> claims.
 * Uses    audit/judge.h.
 * Memory  the audit's.
 * Threads as audit/audit.h.
 */
#ifndef RK_AUDIT_GROWTH_H
#define RK_AUDIT_GROWTH_H

#include "audit/judge.h"

int rk_judge_growth(rk_audit *a, rk_err *err);

#endif
