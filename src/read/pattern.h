/* SPDX-License-Identifier: MIT */
/*
 * read/pattern.h - patterns of module names, as quantisation configs have them: the plain part of regular expressions.
 *
 * Stage   document -> [read] -> facts of the stored tensors.
 * Uses    libc.
 * Memory  none.
 * Threads no state.
 *
 *     x any other character itself     . any character     \. that character     \d a digit     \w a letter, digit or _
 *     a* some or none     a+ some     a$ at the end     ^a at the beginning, where matching begins anyway
 *
 * Matching takes steps in proportion to pattern × name, whatever the pattern is.
 */
#ifndef RK_READ_PATTERN_H
#define RK_READ_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#define RK_PATTERN_MAX 256 /* bytes of a pattern: names of modules are shorter */

/* Whether all of it is understood. */
bool rk_pattern_ok(const char *pattern);

typedef enum rk_pattern_end {
    RK_PATTERN_ANYWHERE, /* what follows does not matter */
    RK_PATTERN_AT_DOT    /* a dot follows, or nothing */
} rk_pattern_end;

/* Whether a pattern that is understood matches from the first character of `text` on. */
bool rk_pattern_match(const char *pattern, const char *text, rk_pattern_end end);

#endif
