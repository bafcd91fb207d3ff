/* SPDX-License-Identifier: MIT */
/*
 * report/step.h - what `reckon flops --step` adds: the optimizer's step, and how long so many steps take.
 *
 * Stage   ledger -> [report] -> bytes.
 * Uses    base/, expr/, account/training.h, report/view.h.
 * Memory  as the view.
 * Threads one view, one thread.
 */
#ifndef RK_REPORT_STEP_H
#define RK_REPORT_STEP_H

#include "account/training.h"
#include "report/view.h"

#define RK_SECONDS_OF_DAY 86400.0

/* An estimate: 6,583.6, or with three digits where it is small or larger than anyone counts. */
const char *rk_view_tenths(rk_view *v, double x);

/* The optimizer's step of the view's ledger; without one, all of it is 0. */
rk_optimizer_step rk_view_step(rk_view *v, const rk_flops_options *o);

/* Forward and backward, and the optimizer where it is counted. */
rk_ex rk_view_step_total(rk_view *v, const rk_optimizer_step *s);

/* Both put themselves on the page, and into a cell of the answer; nothing where they were not asked for. */
extern const rk_fields rk_optimizer_fields, rk_time_fields;
void rk_view_put_optimizer(rk_view *v, rk_cell *in, const rk_optimizer_step *s, const rk_flops_options *o);
void rk_view_put_time(rk_view *v, rk_cell *in, const rk_optimizer_step *s, const rk_flops_options *o);

#endif
