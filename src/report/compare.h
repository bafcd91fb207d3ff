/* SPDX-License-Identifier: MIT */
/*
 * report/compare.h - models side by side, as a page or as JSON.
 *
 * Stage   comparison -> [report] -> bytes.
 * Uses    ask/compare.h, ask/differ.h, report/view.h.
 * Memory  as a view.
 * Threads one thread.
 */
#ifndef RK_REPORT_COMPARE_H
#define RK_REPORT_COMPARE_H

#include "ask/compare.h"
#include "ask/differ.h"
#include "report/report.h"

/* `whole`: sizes and what follows from them too, not only the quantities asked for. */
int rk_report_compare(const rk_report *r, const rk_comparison *c, bool whole, rk_err *err);

/* Tensors of models, those that differ; `all`: those that are equal too. */
int rk_report_differ(const rk_report *r, const rk_differ *d, bool all, rk_err *err);

#endif
