/* SPDX-License-Identifier: MIT */
/*
 * ask/cross.h - from which number of a symbol on is one quantity larger than another?
 *
 * Stage   two quantities, a symbol -> [ask] -> report.
 * Uses    base/, expr/, ask/gauge.h, ask/signs.h.
 * Memory  a crossing owns its gauges; texts live in the arena given.
 * Threads as a gauge: one thread.
 *
 * Where the two formulas differ by a polynomial in the symbol (or by some, one for each side of a window), every change
 * of sign is found, and that there is no other is proved.  Elsewhere (a peak is the largest of many sums) exact values
 * are looked at between 1 and RK_CROSS_LAST, and changes between two of them are found by halving.  In both cases the
 * quantities themselves are read at the number found and at the one before it.
 */
#ifndef RK_ASK_CROSS_H
#define RK_ASK_CROSS_H

#include "ask/gauge.h"

#define RK_CROSS_LAST ((rk_i128)1 << 40) /* no size and no length comes near it */
#define RK_CROSS_DEGREE_MAX 2            /* above, no closed form is shown */

typedef enum rk_cross_answer {
    RK_CROSS_SOME,   /* from some numbers on, or up to some */
    RK_CROSS_ALWAYS, /* the left is larger everywhere */
    RK_CROSS_NEVER,  /* it is nowhere larger */
    RK_CROSS_EQUAL,  /* the two are the same everywhere */
    RK_CROSS_FORMULA /* other symbols have no number: where they are equal is known as a formula alone */
} rk_cross_answer;

typedef struct rk_crossing {
    rk_i128 from;
    bool above;                   /* from here on the left is larger; false: from here on it is not */
    rk_reading left[2], right[2]; /* at from - 1 and at from */
    const char *unfit;            /* why the model cannot have these numbers; NULL: it can */
} rk_crossing;

typedef struct rk_cross {
    rk_gauge *gauge;           /* of the formulas; it stays at the number of its opening */
    rk_gauge *probe;           /* read at others */
    const rk_measure *measure; /* left, right */
    const char *symbol;
    const rk_ledger *ledger;

    const rk_instance *instance; /* in whose pool formulas are; NULL: there is none for both */
    rk_sym sym;
    rk_ex over[2], under[2]; /* under: 1 where a quantity is no ratio */
    int degree[2];           /* with which power of the symbol each grows in the end; -1: unknown */

    bool solved;          /* from formulas: no change is missing */
    rk_i128 first, last;  /* the numbers looked at */
    bool settled;         /* solved: nothing changes after the last one */
    rk_i128 piece;        /* the coefficients hold from here on */
    size_t n_coefficient; /* of left - right, without what is common to all; 0: none, or too high a degree */
    rk_ex coefficient[RK_CROSS_DEGREE_MAX + 1];
    double number[RK_CROSS_DEGREE_MAX + 1]; /* the same for roots to be shown, up to a common factor */

    rk_cross_answer answer;
    rk_crossing *at;
    size_t n;
    rk_reading at_last[2]; /* left, right, at `last` */
} rk_cross;

/*
 * `source` has the one symbol that varies, `measure` the two quantities; both must outlive the crossing.
 * RK_EINPUT: the model has no such symbol or part, or the two are of different units.
 */
int rk_cross_new(rk_arena *a, const rk_gauge_source *source, const rk_measure measure[2], rk_cross *out, rk_err *err);
void rk_cross_free(rk_cross *c);

/* Negative, 0, positive: a < b, a = b, a > b.  Nothing is negative. */
int rk_reading_compare(rk_reading a, rk_reading b);

#endif
