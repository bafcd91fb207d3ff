/* SPDX-License-Identifier: MIT */
/*
 * report/train.h - of a training step beside its parts: the textbook's sum, what is recomputed, the largest batch.
 *
 * Stage   memory -> [report] -> bytes.
 * Uses    base/, expr/, account/, report/view.h.
 * Memory  as the view.
 * Threads one view, one thread.
 */
#ifndef RK_REPORT_TRAIN_H
#define RK_REPORT_TRAIN_H

#include "report/view.h"

/* On the page, and in the answer of `reckon memory`. */
void rk_view_put_training(rk_view *v, rk_cell *answer, const rk_memory *m, const rk_fit *within);

/* "profile": how the step is run, in words and numbers. */
void rk_view_profile(rk_view *v, rk_cell *in, const rk_memory_options *o);

#endif
