/* SPDX-License-Identifier: MIT */
/*
 * report/figure.h - exact counts in the short form in which people say them.
 *
 * Stage   ledger -> [report] -> bytes.
 * Uses    base/, read/doc.h.
 * Memory  none of its own.
 * Threads no state.
 *
 * Rounding is done in whole numbers, half away from zero, so that the same count prints alike everywhere.
 */
#ifndef RK_REPORT_FIGURE_H
#define RK_REPORT_FIGURE_H

#include "base/str.h"
#include "read/doc.h"

/* Three digits and a decimal prefix: 4,513,336,524,800 FLOP is "4.51 TFLOP", 950 "950 FLOP". */
void rk_str_scaled(rk_str *s, rk_i128 n, const char *unit);

/* The same in powers of 1,024: 8,506,834,944 B is "7.92 GiB", 950 "950 B". */
void rk_str_binary(rk_str *s, rk_i128 n, const char *unit);

/* The same for things that are counted: "1.56 billion" in a sentence, "1.56 B" in a table, where 3,200 stays so. */
void rk_str_in_words(rk_str *s, rk_i128 n);
void rk_str_in_letters(rk_str *s, rk_i128 n);

/* "16,060,522,496 bytes (16.1 GB)"; below a kB the bytes alone. */
void rk_str_bytes(rk_str *s, rk_i128 bytes);

/* Bits of one of n numbers that take so many bytes, "4.85"; nothing where there are none. */
void rk_str_bits(rk_str *s, rk_i128 bytes, rk_i128 n);

/* Hundredths with one digit: "69.4%"; "–" where the whole is nothing. */
void rk_str_share(rk_str *s, rk_i128 n, rk_i128 whole);

/* The same for programs: "0.694444"; nothing where the whole is nothing. */
void rk_str_fraction(rk_str *s, rk_i128 n, rk_i128 whole);

/* How many times the whole: "0.874", "3.379"; "–" where the whole is nothing. */
void rk_str_ratio(rk_str *s, rk_i128 n, rk_i128 whole);

/* A bar in eighths of a character, `columns` long for the whole; whatever is not nothing is seen. */
void rk_str_bar(rk_str *s, rk_i128 n, rk_i128 whole, size_t columns);

/* A value of a config: for people 1,024 and the first of a long list. */
void rk_str_value(rk_str *out, const rk_doc *d, bool for_people);

#endif
