/* SPDX-License-Identifier: MIT */
/*
 * report/check.h - what `reckon check` prints.
 *
 * Stage   claims -> [report] -> bytes.
 * Uses    audit/, report/report.h.
 * Memory  as report/report.h.
 * Threads as report/report.h.
 */
#ifndef RK_REPORT_CHECK_H
#define RK_REPORT_CHECK_H

#include "audit/audit.h"
#include "audit/prose.h"
#include "audit/taken.h"
#include "report/report.h"

/* One of the texts; it need not outlive the call for the next one. */
typedef struct rk_check_text {
    const char *file;
    rk_audit *audit;
    const rk_prose *source;
    const rk_takens *taken; /* models that it speaks of, where none was given */
} rk_check_text;

typedef struct rk_check_options {
    bool all;          /* list the claims that are right, too */
    bool annotate;     /* the text itself, with what holds of it in place: as text or HTML */
    const char *model; /* against which it was compared, or NULL */
    size_t n;          /* texts */
    int (*next)(void *self, size_t i, rk_check_text *out, rk_err *err);
    void *self;
} rk_check_options;

/* The claims of some texts; `total` has the number of each status in all of them. */
int rk_report_check(const rk_report *r, const rk_check_options *o, size_t total[RK_N_CLAIM_STATUS], rk_err *err);

#endif
