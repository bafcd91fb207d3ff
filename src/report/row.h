/* SPDX-License-Identifier: MIT */
/*
 * report/row.h - the symbols of formulas: what both explanations and the page of a whole model share.
 *
 * Stage   explanation -> [report] -> bytes; private to report/.
 * Uses    report/view.h.
 * Memory  as a view.
 * Threads one view, one thread.
 */
#ifndef RK_REPORT_ROW_H
#define RK_REPORT_ROW_H

#include "report/view.h"

/* Where a symbol's number came from: "n_embd of the config". */
const char *rk_row_origin(rk_view *v, const rk_symbol *s);

/* Shows each symbol of some expressions, and of definitions. */
typedef void rk_row_see(rk_view *v, rk_table *t, const rk_symbol *s);
void rk_row_see_used(rk_view *v, const rk_ex *e, size_t n, rk_row_see *see, rk_table *t);

/* "symbols" of an answer: those of some expressions; the list, not yet shown. */
extern const rk_fields rk_used_symbol_fields;
rk_table *rk_row_symbols(rk_view *v, rk_cell *in, const rk_ex *e, size_t n);

/* The numbers of all symbols, those of defined ones, too: 2·1·1,024·1,024·25·64 for 2BSTNH; NULL: no memory. */
const rk_binding *rk_row_numbers(rk_view *v);

#endif
