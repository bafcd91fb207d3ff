/* SPDX-License-Identifier: MIT */
/*
 * account/peak_table.h - a compiled peak from inside; private to account/peak*.c.
 *
 * Stage   memory -> [account] -> ask.
 * Uses    base/, expr/, account/peak.h.
 * Memory  all in the arena of the peak, but for the tapes.
 * Threads peak_new.c makes it; from then on it is only read.
 */
#ifndef RK_ACCOUNT_PEAK_TABLE_H
#define RK_ACCOUNT_PEAK_TABLE_H

#include "account/peak.h"

/* So many of one size. */
typedef struct rk_peak_term {
    uint32_t size, count;
} rk_peak_term;

/* A symbol whose number shaped the program, or that must follow its definition. */
typedef struct rk_peak_pin {
    rk_sym sym;
    bool known;
    rk_i128 value;
} rk_peak_pin;

struct rk_peak {
    rk_arena arena;
    rk_tape *bytes;   /* of one of each size; then what rk_memory has as formulas, in the order of rk_bytes_of */
    rk_tape *numbers; /* that were compared, two for each question */
    unsigned *answer; /* of each question */
    size_t n_question;
    rk_peak_pin *pin;
    size_t n_pin;
    rk_i128 fixed; /* bytes that are there whatever the numbers */
    int rounding;
    size_t n_size, n_row;
    rk_peak_term *common; /* that all rows have */
    size_t n_common;
    rk_peak_term *output; /* what RK_BYTES_OUTPUT adds up */
    size_t n_output;
    rk_peak_term *term; /* of all rows: what they have beside that */
    size_t *end;        /* of each row: where its terms end */
    uint64_t crowd;     /* most things in a row */
};

#endif
