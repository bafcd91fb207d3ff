/* SPDX-License-Identifier: MIT */
/*
 * report/lines.h - the equations of a model, line by line, as they are instantiated.
 *
 * Stage   ledger, memory -> [report] -> bytes.
 * Uses    account/ledger.h, account/memory.h, report/report.h.
 * Memory  as report/report.h.
 * Threads as report/report.h.
 */
#ifndef RK_REPORT_LINES_H
#define RK_REPORT_LINES_H

#include "report/report.h"

/* `l` is the ledger of the equations, `m` the account of a training step of the same model; NULL: nobody asked. */
int rk_report_lines(const rk_report *r, const rk_ledger *l, const rk_memory *m, rk_err *err);

#endif
