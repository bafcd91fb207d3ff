/* SPDX-License-Identifier: MIT */
/*
 * report/timeline.h - a timeline as a file: a picture (SVG), a table of every operation (CSV), or of births and deaths.
 *
 * Stage   frames -> [report] -> bytes.
 * Uses    base/, account/observe.h, account/memory.h.
 * Memory  a writer lives in the arena given; what it writes is appended to a text of the caller's.
 * Threads one writer, one thread.
 *
 *     rk_timeline_writer *w = rk_timeline_writer_new(&arena, RK_TIMELINE_SVG, &text);
 *     options.observer = rk_timeline_writer_observer(w);      // before rk_memory_new
 *     rk_timeline_writer_end(w, memory, &err);            // after it
 */
#ifndef RK_REPORT_TIMELINE_H
#define RK_REPORT_TIMELINE_H

#include "account/memory.h"

typedef enum rk_timeline_kind {
    RK_TIMELINE_SVG,
    RK_TIMELINE_CSV,
    RK_TIMELINE_EVENTS /* a table of births and deaths */
} rk_timeline_kind;

typedef struct rk_timeline_writer rk_timeline_writer;

rk_timeline_writer *rk_timeline_writer_new(rk_arena *a, rk_timeline_kind kind, const rk_model *m,
                                           rk_str *out); /* NULL: no memory */
rk_observer rk_timeline_writer_observer(rk_timeline_writer *w);

/* Finishes the file.  RK_ELIMIT: a table has too many rows. */
int rk_timeline_writer_end(rk_timeline_writer *w, const rk_memory *m, rk_err *err);

#endif
