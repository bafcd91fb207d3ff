/* SPDX-License-Identifier: MIT */
/*
 * expr/print.h - what the files that print expressions share; private to expr/.
 *
 * Stage   expression -> [expr] -> text, LaTeX.
 * Uses    base/, expr/pool.h.
 * Memory  in an arena of the printer's own.
 * Threads one printer, one thread; the pool is only read.
 *
 * print.c lays the terms out in the arena, in the order in which they are read, and writes sums; print_term.c writes
 * terms with their dots and fractions, print_atom.c symbols and functions.  print_factored.c moves common factors about
 * in what was laid out, so that printing never changes the pool.
 */
#ifndef RK_EXPR_PRINT_H
#define RK_EXPR_PRINT_H

#include "expr/pool.h"

typedef struct rk_print_factor {
    uint32_t atom;
    int32_t power;
    int64_t in_term;  /* place inside a term: rank, then declaration; functions last */
    int64_t in_order; /* weight when terms are ordered: the model's symbols before the run's; functions last */
} rk_print_factor;

typedef struct rk_print_term {
    rk_ratio coef;
    rk_print_factor *f;
    size_t n;
} rk_print_term;

typedef struct rk_print_sum {
    rk_print_term *t;
    size_t n;
} rk_print_sum;

typedef struct rk_printer {
    const rk_pool *pool;
    bool latex;
    const rk_binding *at; /* numbers to write in place of symbols, or NULL */
    rk_arena *arena;
    rk_str *out;
} rk_printer;

/* What of a term is written together: its numerator, its denominator, or one divisor. */
typedef enum rk_print_side {
    RK_SIDE_ABOVE,
    RK_SIDE_BELOW,
    RK_SIDE_DIVISOR
} rk_print_side;

/* print.c: terms in the order in which they are read, and sums of them */
int rk_print_by_place(const void *a, const void *b);
int32_t rk_print_power(const rk_print_term *t, uint32_t atom);
rk_print_sum rk_print_lay(rk_printer *pr, rk_ex e);
void rk_put_ex(rk_printer *pr, rk_ex e);
void rk_put_sign(rk_printer *pr, bool negative, bool first);
void rk_put_sum(rk_printer *pr, const rk_print_sum *s);

/* print_atom.c: a symbol, a number in its place, or a function */
bool rk_print_is_short_name(const char *name);
void rk_put_power(rk_printer *pr, int32_t power);
void rk_put_atom(rk_printer *pr, uint32_t atom);

/* print_term.c: products and quotients */
bool rk_print_is_symbol(const rk_printer *pr, const rk_print_factor *f);
size_t rk_print_next_on(const rk_printer *pr, const rk_print_term *t, rk_print_side where, size_t i);
bool rk_print_needs_dots(const rk_printer *pr, const rk_print_term *t, rk_print_side where);
void rk_put_dot(rk_printer *pr);
void rk_put_side(rk_printer *pr, const rk_print_term *t, rk_print_side where, rk_i128 coef, bool dots);
size_t rk_print_count_on(const rk_printer *pr, const rk_print_term *t, rk_print_side where);
void rk_put_below(rk_printer *pr, const rk_print_term *t, bool dots);
bool rk_print_has_below(const rk_printer *pr, const rk_print_term *t);
void rk_put_latex_below(rk_printer *pr, const rk_print_term *t, bool dots);
rk_i128 rk_print_absolute(rk_i128 n);
bool rk_print_term_dots(const rk_printer *pr, const rk_print_term *t);
void rk_put_term(rk_printer *pr, const rk_print_term *t);

/* print_factored.c: (S + 63)/64, and 2BSD(4D + 2S + 3F) */
void rk_put_quotient(rk_printer *pr, const rk_print_sum *s);
void rk_put_factored(rk_printer *pr, const rk_print_sum *s, bool first);

#endif
