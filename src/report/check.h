/* SPDX-License-Identifier: MIT */
/*
 * report/check.h - what `reckon check` prints.
 *
 * Stage   claims -> [report] -> bytes.
 * Uses    audit/, report/report.h.
 * Memory  as report/report.h.
 * Threads as report/report.h.
 */
#ifndef RK_REPORT_CHECK_H
#define RK_REPORT_CHECK_H

#include "audit/audit.h"
#include "report/report.h"

/* The claims of an audit; `all` lists those that are right or not understood, too. */
int rk_report_check(const rk_report *r, const rk_audit *a, const char *file, bool all, rk_err *err);

#endif
