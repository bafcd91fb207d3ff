/* SPDX-License-Identifier: MIT */
/*
 * report/frame.h - a step in one answer: sums, the peak by kind and part, its timeline, where it stops fitting.
 *
 * Stage   ledger, memory -> [report] -> bytes.
 * Uses    base/, account/, plan/device.h, ask/.
 * Memory  as report/report.h.
 * Threads as report/report.h.
 */
#ifndef RK_REPORT_FRAME_H
#define RK_REPORT_FRAME_H

#include "ask/extent.h"
#include "ask/samples.h"
#include "ask/savings.h"
#include "plan/device.h"
#include "report/report.h"

/* What was asked for beside the step; NULL: it was not. */
typedef struct rk_frame {
    const rk_ledger *step;     /* of the operations that are run, … */
    const rk_memory *memory;   /* … and their account */
    const rk_samples *samples; /* of the timeline */
    const rk_device *device;
    rk_i128 limit; /* bytes of a device that tensors can have; 0: nobody asked */
    const rk_ways *ways;
    const rk_extents *extents;
} rk_frame;

/* `l` is the ledger of the equations. */
int rk_report_frame(const rk_report *r, const rk_ledger *l, const rk_frame *f, rk_err *err);

#endif
