/* SPDX-License-Identifier: MIT */
/*
 * audit/devices.h - whether so many devices hold what they are said to: "1,342 GB (requires 17× A100 80GB)".
 *
 * Stage   chains, and the claims that came of them -> [devices] -> claims.
 * Uses    audit/audit.h.
 * Memory  the audit's arena.
 * Threads as audit/audit.h.
 */
#ifndef RK_AUDIT_DEVICES_H
#define RK_AUDIT_DEVICES_H

#include "audit/audit.h"

int rk_judge_devices(rk_audit *a, rk_err *err);

#endif
