/* SPDX-License-Identifier: MIT */
/*
 * report/plan.h - what is printed of devices, of what fits on them, and of a training run on them.
 *
 * Stage   device, fit, training run -> [report] -> bytes.
 * Uses    base/, account/, plan/, ask/, report/report.h.
 * Memory  as report/report.h.
 * Threads as report/report.h.
 */
#ifndef RK_REPORT_PLAN_H
#define RK_REPORT_PLAN_H

#include "ask/least.h"
#include "ask/savings.h"
#include "ask/training_run.h"
#include "plan/device.h"
#include "report/ranks.h"
#include "report/report.h"

/*
 * All devices (pattern NULL), those in whose words, name or vendor a pattern is found, or in full the one that is
 * called so.  RK_EINPUT: there is none; the nearest is named.
 */
int rk_report_devices(const rk_report *r, const rk_devices *d, const char *pattern, rk_err *err);

/* What was asked of `reckon fit`, and what came of it. */
typedef struct rk_fit_asked {
    const rk_device *device;          /* NULL: none was named */
    rk_i128 memory, reserve;          /* of a device: bytes that programs see, and those that are left alone */
    bool memory_given, reserve_given; /* by the user; else they are the device's */
    bool chosen;                      /* nobody said how to split: this is what is usual */
    const rk_fit_answer *answer;
    const char *line;        /* of a layout; NULL: there is none */
    const char *form;        /* the same for other numbers of devices (--shard); NULL: the layout was said itself */
    const rk_least *least;   /* the size of an axis was left open; NULL: none was */
    rk_serving serving;      /* of a decoding step */
    rk_serving serving_most; /* the same at the largest batch */
    rk_room room;
    rk_recipes recipes; /* the step in other types */
    rk_savings savings; /* what would make it fit */
    bool details;       /* people see the long tables, too; programs always do */
} rk_fit_asked;

/* What was asked of `reckon train`, and what came of it. */
typedef struct rk_train_asked {
    const rk_device *device; /* NULL: a rate was given instead, or nothing */
    const char *type;        /* whose peak rate is taken; NULL: a rate was given */
    bool mfu_given, type_given;
    rk_training_request request;
    rk_training_run run;
    rk_ranks_asked ranks; /* of a layout; its ranks are NULL where there is none */
} rk_train_asked;

/* The ledger is that of the whole model. */
int rk_report_train(const rk_report *r, const rk_ledger *l, rk_train_asked *t, rk_err *err);

/* The ledger is that of the rank. */
int rk_report_fit(const rk_report *r, const rk_ledger *l, const rk_fit_asked *f, rk_err *err);

#endif
