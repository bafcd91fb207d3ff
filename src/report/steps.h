/* SPDX-License-Identifier: MIT */
/*
 * report/steps.h - what reports about derivations share: the lines of a model that make up a quantity.
 *
 * Stage   derivation -> [report] -> bytes; private to report/.
 * Uses    ask/derive.h, report/view.h.
 * Memory  as a view.
 * Threads one view, one thread.
 */
#ifndef RK_REPORT_STEPS_H
#define RK_REPORT_STEPS_H

#include "ask/derive.h"
#include "report/view.h"

/* "forward FLOPs", "parameters" */
const char *rk_steps_quantity(rk_view *v, rk_quantity quantity);

/* The number of an equation, where all symbols have one and it is not the formula itself; else nothing. */
rk_cell rk_steps_value(rk_view *v, rk_ex e);

/* For programs: one row for each line of the model. */
void rk_steps_put_table(rk_view *v, const rk_derivation *d);

/* The keys of a step, and of what was asked, in the object that is open. */
void rk_steps_json(rk_view *v, const rk_derive_step *s);
void rk_steps_json_question(rk_view *v, const rk_derivation *d);

#endif
