/* SPDX-License-Identifier: MIT */
/*
 * report/identify.h - a number, and what of a model it may be.
 *
 * Stage   matches of an index -> [report] -> bytes.
 * Uses    audit/given.h, report/view.h.
 * Memory  as report/report.h.
 * Threads as building a ledger: one thread.
 */
#ifndef RK_REPORT_IDENTIFY_H
#define RK_REPORT_IDENTIFY_H

#include "audit/given.h"
#include "report/report.h"

typedef struct rk_identified {
    const rk_given *given;
    const rk_index *index;
    const rk_matches *matches;
    bool rounded; /* an exact number that is something only as a rounded one */
    bool all;     /* show all matches, not only the simplest */
} rk_identified;

int rk_report_identify(const rk_report *r, const rk_ledger *l, const rk_identified *i, rk_err *err);

#endif
