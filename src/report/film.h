/* SPDX-License-Identifier: MIT */
/*
 * report/film.h - a timeline as a file: a picture (SVG), a table of every operation (CSV), or of births and deaths.
 *
 * Stage   frames -> [report] -> bytes.
 * Uses    base/, account/observe.h, account/memory.h.
 * Memory  a writer lives in the arena given; what it writes is appended to a text of the caller's.
 * Threads one writer, one thread.
 *
 *     rk_film_writer *w = rk_film_writer_new(&arena, RK_FILM_SVG, &text);
 *     options.viewer = rk_film_writer_viewer(w);      // before rk_memory_new
 *     rk_film_writer_end(w, memory, &err);            // after it
 */
#ifndef RK_REPORT_FILM_H
#define RK_REPORT_FILM_H

#include "account/memory.h"

typedef enum rk_film_kind {
    RK_FILM_SVG,
    RK_FILM_CSV,
    RK_FILM_EVENTS /* a table of births and deaths */
} rk_film_kind;

typedef struct rk_film_writer rk_film_writer;

rk_film_writer *rk_film_writer_new(rk_arena *a, rk_film_kind kind, const rk_model *m,
                                   rk_str *out); /* NULL: no memory */
rk_observer rk_film_writer_viewer(rk_film_writer *w);

/* Finishes the file.  RK_ELIMIT: a table has too many rows. */
int rk_film_writer_end(rk_film_writer *w, const rk_memory *m, rk_err *err);

#endif
