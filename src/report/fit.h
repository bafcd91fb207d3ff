/* SPDX-License-Identifier: MIT */
/*
 * report/fit.h - what the page of `reckon fit` and its JSON share.
 *
 * Stage   fit -> [report] -> bytes; private to report/.
 * Uses    ask/fit.h, report/plan.h, report/view.h.
 * Memory  on the view.
 * Threads one view, one thread.
 */
#ifndef RK_REPORT_FIT_H
#define RK_REPORT_FIT_H

#include "report/plan.h"
#include "report/view.h"

/* "zero3", "tp=8", "tp=8,zero1", "none" */
const char *rk_fit_split_text(rk_view *v, const rk_device_split *s);

/* A row of what a device holds; of gathered weights, whose they are. */
const char *rk_fit_row_text(rk_view *v, const rk_portion *s, rk_portion_class what);

void rk_fit_json(rk_view *v, const rk_fit_asked *f);

#endif
