/* SPDX-License-Identifier: MIT */
/*
 * report/ranks.h - the page of all ranks of a layout, and how what they send comes about.
 *
 * Stage   accounts of ranks -> [report] -> bytes.
 * Uses    report/report.h, ask/ranks.h, plan/device.h.
 * Memory  as report/report.h.
 * Threads as report/report.h.
 */
#ifndef RK_REPORT_RANKS_H
#define RK_REPORT_RANKS_H

#include "ask/ranks.h"
#include "plan/device.h"
#include "report/report.h"

typedef struct rk_ranks_asked {
    const rk_ranks *ranks;
    const rk_device *device; /* on which they shall fit; NULL: nobody asked */
    rk_i128 node;            /* devices of a node */
    bool unfit;              /* out: some do not */
} rk_ranks_asked;

int rk_report_ranks(const rk_report *r, const rk_ledger *l, rk_ranks_asked *asked, rk_err *err);

/* Layouts of one model beside each other; `line`: each as it was typed. */
int rk_report_layouts(const rk_report *r, const rk_ledger *l, const rk_ranks *ranks, const char *const *line, size_t n,
                      rk_err *err);

/* What a rank sends in a step, operation by operation, as formulas. */
int rk_report_comm(const rk_report *r, const rk_ledger *l, const rk_memory *m, rk_err *err);

#endif
