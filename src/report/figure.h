/* SPDX-License-Identifier: MIT */
/*
 * report/figure.h - exact counts in the short form in which people say them.
 *
 * Stage   ledger -> [report] -> bytes.
 * Uses    base/.
 * Memory  none of its own.
 * Threads no state.
 *
 * Rounding is done in whole numbers, half away from zero, so that the same count prints alike everywhere.
 */
#ifndef RK_REPORT_FIGURE_H
#define RK_REPORT_FIGURE_H

#include "base/str.h"

/* Three digits and a decimal prefix: 4,513,336,524,800 FLOP is "4.51 TFLOP", 950 "950 FLOP". */
void rk_str_scaled(rk_str *s, rk_i128 n, const char *unit);

/* The same for things that are counted in words: "1.56 billion". */
void rk_str_in_words(rk_str *s, rk_i128 n);

/* Hundredths with one digit: "69.4%"; "–" where the whole is nothing. */
void rk_str_share(rk_str *s, rk_i128 n, rk_i128 whole);

#endif
