/* SPDX-License-Identifier: MIT */
/*
 * report/assumptions.h - what a page about memory takes for granted, in a sentence that names the options.
 *
 * Stage   account -> [report].
 * Uses    account/memory.h, report/view.h.
 * Memory  the view's.
 * Threads one view, one thread.
 */
#ifndef RK_REPORT_ASSUMPTIONS_H
#define RK_REPORT_ASSUMPTIONS_H

#include "account/memory.h"
#include "ask/measure.h"
#include "report/view.h"

/* "Assumed: --dtype fp32 (weights, gradients, states), --attention sdpa, …, as PyTorch … do it." */
void rk_view_put_assumptions(rk_view *v, const rk_memory_options *o);

/* Of another model on the same page: its types, where they are others than those that are known from there. */
void rk_view_put_other_types(rk_view *v, const char *name, const rk_memory_options *known, const rk_memory_options *o);

/* " (a training step has none: …)" after what is measured, where that is so. */
const char *rk_measure_aside(const rk_measure_term *t, const rk_memory_options *o);

/* The words of options, as someone types them: "none", "selective" or "full"; "ce", "chunked", "fused" or "none". */
const char *rk_recompute_word(const rk_program *p, const rk_memory_options *o);
const char *rk_experts_word(const rk_program *p); /* "grouped" or "each"; NULL: it has no experts that tokens choose */
const char *rk_dropout_word(const rk_memory_options *o);
const char *rk_loss_word(const rk_program *p, const rk_memory_options *o);

#endif
