/* SPDX-License-Identifier: MIT */
/*
 * report/train.h - of a training step beside its parts: the textbook's sum, what is computed again, the largest batch.
 *
 * Stage   memory -> [report] -> bytes.
 * Uses    base/, expr/, account/, report/view.h.
 * Memory  as the view.
 * Threads one view, one thread.
 */
#ifndef RK_REPORT_TRAIN_H
#define RK_REPORT_TRAIN_H

#include "report/view.h"

void rk_view_put_training(rk_view *v, const rk_memory *m, const rk_fit *within);

/* "recompute_flops", "recompute_formula", "within" */
void rk_view_json_training(rk_view *v, const rk_memory *m, const rk_fit *within);

/* What the line said of the step, in the profile. */
void rk_view_json_training_profile(rk_view *v, const rk_memory_options *o);

#endif
