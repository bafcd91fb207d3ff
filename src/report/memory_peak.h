/* SPDX-License-Identifier: MIT */
/*
 * report/memory_peak.h - the peak as a formula, and the moments that could be it.
 *
 * Stage   account of memory -> [report] -> bytes; private to report/.
 * Uses    base/, expr/, account/memory.h, report/view.h.
 * Memory  the view's.
 * Threads one view, one thread.
 */
#ifndef RK_REPORT_MEMORY_PEAK_H
#define RK_REPORT_MEMORY_PEAK_H

#include "report/view.h"

/* Also "moments", the largest first. */
void rk_view_put_peak(rk_view *v, rk_cell *in, const rk_memory *m);

/* "These formulas hold for B > 1." where with another number other buffers would be saved, else nothing; also
 * "saved_for". */
void rk_view_put_saved_for(rk_view *v, rk_cell *in, const rk_memory *m);

/* "copy (B > 1)": what a saved buffer is, and the numbers for which it is there. */
rk_cell rk_view_saved_what(rk_view *v, const rk_memory *m, const rk_memory_row *row);

#endif
