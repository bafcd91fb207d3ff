/* SPDX-License-Identifier: MIT */
/*
 * report/cross.h - where two quantities cross, as a page or as JSON.
 *
 * Stage   crossing -> [report] -> bytes.
 * Uses    ask/cross.h, report/view.h.
 * Memory  as a view.
 * Threads one thread.
 */
#ifndef RK_REPORT_CROSS_H
#define RK_REPORT_CROSS_H

#include "ask/cross.h"
#include "report/report.h"

int rk_report_cross(const rk_report *r, const rk_cross *c, rk_err *err);

#endif
