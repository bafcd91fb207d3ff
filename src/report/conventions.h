/* SPDX-License-Identifier: MIT */
/*
 * report/conventions.h - what papers and tools would say, as a page.
 *
 * Stage   conventions -> [report] -> bytes.
 * Uses    base/, expr/, account/, ask/conventions.h, report/view.h.
 * Memory  output is appended to a text of the caller's, which is left as it was when a report fails.
 * Threads as building a ledger: one thread.
 */
#ifndef RK_REPORT_CONVENTIONS_H
#define RK_REPORT_CONVENTIONS_H

#include "ask/convention_memory.h"
#include "ask/conventions.h"
#include "report/report.h"
#include "report/view.h"

/*
 * All conventions of operations side by side, or one in full (`one`, of these; NULL: all); with an exact account, those
 * of memory beside it.
 */
int rk_report_conventions(const rk_report *r, const rk_ledger *l, const rk_conventions *c,
                          const rk_named_convention *one, const rk_exact_bytes *exact, rk_err *err);

/* The list of those of operations, on any page and in its answer. */
extern const rk_fields rk_flops_as_fields;
void rk_view_put_conventions(rk_view *v, rk_cell *in, const rk_conventions *c);

#endif
