/* SPDX-License-Identifier: MIT */
/*
 * report/held.h - bytes explained: the lines that hold them, in which type, until when.
 *
 * Stage   explanation of bytes -> [report] -> bytes.
 * Uses    ask/held.h, report/report.h.
 * Memory  as report/report.h.
 * Threads as report/report.h.
 */
#ifndef RK_REPORT_HELD_H
#define RK_REPORT_HELD_H

#include "ask/held.h"
#include "report/report.h"

/* `l` is the ledger of the step that `m` is of, made with reasons; `equations`: the model with its lines. */
int rk_report_held(const rk_report *r, const rk_ledger *l, const rk_memory *m, const rk_model *equations,
                   rk_held_quantity quantity, const char *path, rk_err *err);

#endif
