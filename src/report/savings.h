/* SPDX-License-Identifier: MIT */
/*
 * report/savings.h - the same step otherwise, in `reckon memory` and `reckon fit`: the recipes, what would lower it.
 *
 * Stage   recipes, savings -> [report] -> document; private to report/.
 * Uses    ask/savings.h, report/view.h.
 * Memory  the view's.
 * Threads one view, one thread.
 */
#ifndef RK_REPORT_SAVINGS_H
#define RK_REPORT_SAVINGS_H

#include "ask/savings.h"
#include "report/view.h"

/* By their peaks, and by what each device of a room needs. */
extern const rk_fields rk_recipe_fields, rk_recipe_room_fields, rk_saving_fields, rk_saving_room_fields;

/* Lists of the answer, and tables of the page where they have rows, the savings below a heading. */
void rk_view_put_recipes(rk_view *v, rk_cell *in, const rk_recipes *r, const rk_room *room);
void rk_view_put_savings(rk_view *v, rk_cell *in, const rk_savings *s, const rk_room *room);

#endif
