/* SPDX-License-Identifier: MIT */
/*
 * audit/units.h - words: those after numbers that say how large they are, or of what; lists; what stands for others.
 *
 * Stage   tokens -> [formula] -> chains.
 * Uses    libc.
 * Memory  constant data.
 * Threads constant data.
 */
#ifndef RK_AUDIT_UNITS_H
#define RK_AUDIT_UNITS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum rk_word_unit_kind {
    RK_WORD_UNIT_NONE,
    RK_WORD_UNIT_SCALE, /* billion, K: of anything */
    RK_WORD_UNIT_BYTES,
    RK_WORD_UNIT_FLOPS,
    RK_WORD_UNIT_SHARE, /* % */
    RK_WORD_UNIT_TIME
} rk_word_unit_kind;

typedef struct rk_word_unit {
    const char *word;
    rk_word_unit_kind kind;
    int power;      /* its scale is 1000^power, in the other reading 1024^power; of %, 1/100 */
    bool binary;    /* 1024^power in every reading */
    bool letter;    /* a single letter, which may be a symbol as well; only directly after a number */
    int num, den;   /* TIME, and words for powers that 1,000 has not: num/den of a second, or of one */
    double loosely; /* people take it this much longer or shorter: a year has 365 days, or 365.25 */
} rk_word_unit;

/* Whether a word is one of a list, which ends in NULL: as it stands there, or whatever its capitals. */
bool rk_word_is_one_of(const char *word, size_t n, const char *const *list);
bool rk_word_is_like(const char *word, size_t n, const char *const *list);

/* What is read in place of others. */
typedef struct rk_reworded {
    const char *to;
    const char *from[16];
} rk_reworded;

/* The first row that text[0..n) begins with something of, of which *length is the length; NULL: none. */
const rk_reworded *rk_reworded_find(const rk_reworded *row, size_t n_row, const char *text, size_t n, size_t *length);

/* The bytes of a unit in a script without blanks between words, at the begin of text[0..n): 字节, 亿; 0: none. */
size_t rk_word_unit_length(const char *text, size_t n);

/* The units of time that a figure may be in where none is written, the shortest first: i < RK_N_TIME_UNITS. */
#define RK_N_TIME_UNITS 8
const rk_word_unit *rk_time_unit(size_t i);

/* NULL: no unit.  Capital and small letters differ where they must (m, M); FLOPs is flops and Flops too. */
const rk_word_unit *rk_word_unit_find(const char *word, size_t n);

#endif
