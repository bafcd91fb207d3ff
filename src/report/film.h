/* SPDX-License-Identifier: MIT */
/*
 * report/film.h - a timeline as a file: a picture (SVG) or a table of every operation of every layer (CSV).
 *
 * Stage   frames -> [report] -> bytes.
 * Uses    base/, account/film.h, account/memory.h.
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
    RK_FILM_CSV
} rk_film_kind;

#define RK_FILM_ROWS_MAX ((size_t)1 << 20) /* of a table: a hundred MB, twenty times the largest model known */
#define RK_FILM_COLUMNS 1024               /* of a picture: when there are as many, each two become one */

/* Some operations one after the other: the one of them at which most was alive. */
typedef struct rk_film_column {
    rk_i128 bytes[RK_N_ALIVE];
    rk_i128 total;
    uint32_t layer; /* RK_NONE: outside of layers */
} rk_film_column;

typedef struct rk_film_writer {
    rk_film_kind kind;
    rk_str *out;
    const rk_program *program;
    size_t n_frame;
    size_t first[RK_N_ACT]; /* the frame with which each act began */
    bool seen[RK_N_ACT];
    rk_film_frame peak; /* the first at which most was alive; its layers are not there any more … */
    size_t peak_at;
    uint32_t peak_layer;    /* … but the outermost: RK_NONE: outside of layers */
    rk_film_column *column; /* and one more behind them for the optimizer's step */
    size_t n_column;
    size_t each; /* how many frames a column stands for */
    size_t in;   /* how many of them the last one has */
} rk_film_writer;

rk_film_writer *rk_film_writer_new(rk_arena *a, rk_film_kind kind, const rk_model *m,
                                   rk_str *out); /* NULL: no memory */
rk_viewer rk_film_writer_viewer(rk_film_writer *w);

/* Finishes the file.  RK_ELIMIT: a table has too many rows. */
int rk_film_writer_end(rk_film_writer *w, const rk_memory *m, rk_err *err);

/* layers.attention.scores */
void rk_film_put_path(rk_str *out, const rk_program *p, const rk_op *op);

/* The two kinds; private to them and film.c. */
void rk_film_csv_see(rk_film_writer *w, const rk_film_frame *frame);
void rk_film_svg_draw(const rk_film_writer *w, const rk_memory *m);

#endif
