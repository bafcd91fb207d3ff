/* SPDX-License-Identifier: MIT */
/*
 * report/row.h - what the page and the JSON of `reckon explain` share.
 *
 * Stage   explanation -> [report] -> bytes; private to report/.
 * Uses    ask/explain.h, report/view.h.
 * Memory  as a view.
 * Threads one view, one thread.
 */
#ifndef RK_REPORT_ROW_H
#define RK_REPORT_ROW_H

#include "ask/explain.h"
#include "report/view.h"

/* The numbers of all symbols; the model's own binding leaves those of defined ones to be computed. */
const rk_binding *rk_row_numbers(rk_view *v);

/* Where a symbol's number came from: "n_embd of the config". */
const char *rk_row_origin(rk_view *v, const rk_symbol *s);

/* Shows each symbol of an explanation: of its lines, of the forms shown, of their number, and of definitions. */
typedef void rk_row_see(rk_view *v, rk_table *t, const rk_symbol *s);
void rk_row_see_symbols(rk_view *v, const rk_explanation *x, rk_row_see *see, rk_table *t);

/* The same of some expressions, and of definitions. */
void rk_row_see_used(rk_view *v, const rk_ex *e, size_t n, rk_row_see *see, rk_table *t);

/* Elements, each tensor read or written once: the least that an operation by itself can move. */
rk_ex rk_row_moved(const rk_view *v, const rk_explain_op *op);

/* The whole JSON of an explanation (row_json.c). */
void rk_row_json(rk_view *v, const rk_explanation *x);

#endif
