/* SPDX-License-Identifier: MIT */
/*
 * ask/sweep.h - quantities over a grid of numbers, in order and in parallel.
 *
 * Stage   quantities, ranges -> [ask] -> rows.
 * Uses    base/, ask/gauge.h; threads.
 * Memory  constant in the number of points: blocks of rows are handed on as they are made.
 * Threads rk_sweep_run has threads of its own, each with its own gauge; rows come in order, on the caller's thread.
 */
#ifndef RK_ASK_SWEEP_H
#define RK_ASK_SWEEP_H

#include "ask/gauge.h"

#define RK_SWEEP_SYMBOLS_MAX 8
#define RK_SWEEP_POINTS_MAX ((rk_i128)1000000000) /* an hour of rows that no one reads: more is a slip */

/* first, first + step, … or first, first · factor, … */
typedef struct rk_progression {
    rk_i128 first, step, factor; /* factor 0: by steps */
    rk_i128 n;
} rk_progression;

/* The numbers of a symbol: S=1K..64K:x2, B=1,2,4, H=64..128:+16 */
typedef struct rk_range {
    const char *symbol;
    rk_progression *stretch;
    size_t n_stretch;
    rk_i128 n; /* numbers in all */
} rk_range;

/* Whether a setting is a range: it has more than one number. */
bool rk_range_is(const char *word);

/* RK_EINPUT: no range, one that is empty or runs backwards; the message shows the word and the way out. */
int rk_range_parse(rk_arena *a, const char *word, rk_range *out, rk_err *err);

rk_i128 rk_range_at(const rk_range *r, rk_i128 i);

/* Who takes the rows. */
typedef struct rk_sweep_sink {
    void *self;
    /* A row at a time, in order; or NULL, and then … */
    int (*row)(void *self, const rk_i128 *number, const rk_reading *reading, rk_err *err);
    /* … rows are written by the threads, and blocks of text are put, in order. */
    void (*format)(void *self, const rk_i128 *number, const rk_reading *reading, rk_str *out);
    int (*put)(void *self, const char *text, size_t n, rk_err *err);
} rk_sweep_sink;

typedef struct rk_sweep {
    const rk_gauge_source *source; /* its symbols are those of the ranges, in their order */
    const rk_range *range;
    size_t n_range;
    const rk_measure *measure;
    size_t n_measure;
    unsigned threads; /* 0: as many as there are cores */
    rk_sweep_sink sink;
} rk_sweep;

/* RK_ELIMIT: too many points; the message says how many there would be. */
int rk_sweep_points(const rk_range *range, size_t n, rk_i128 *out, rk_err *err);

/*
 * The last range varies fastest, and who asked hears how many points are done (base/work.h).  A point that cannot be
 * read ends the sweep; the message names it.
 */
int rk_sweep_run(const rk_sweep *s, rk_err *err);

#endif
