/* SPDX-License-Identifier: MIT */
/*
 * audit/weights.h - figures that are the bytes of so many parameters, where a text says in words how many, and of what
 * type: "a 70B model takes 140 GB in fp16, and 35 GB in int4".
 *
 * Stage   claims of chains and sums -> [weights] -> claims.
 * Uses    audit/judge.h.
 * Memory  the audit's.
 * Threads as audit/audit.h.
 */
#ifndef RK_AUDIT_WEIGHTS_H
#define RK_AUDIT_WEIGHTS_H

#include "audit/judge.h"

int rk_judge_weights(rk_audit *a, rk_err *err);

#endif
