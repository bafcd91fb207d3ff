/* SPDX-License-Identifier: MIT */
/*
 * report/wrap.h - texts broken into lines that fit.
 *
 * Stage   page -> [a writer] -> bytes.
 * Uses    base/str.h.
 * Memory  none: lines are pieces of the text given.
 * Threads no state.
 *
 *     for (const char *at = text; *at; at += next)
 *         put_line(at, rk_wrap(at, columns, RK_BREAK_WORDS, &next));
 */
#ifndef RK_REPORT_WRAP_H
#define RK_REPORT_WRAP_H

#include "base/str.h"

/* Where a line may end; where none of these places is near enough, it ends between two characters. */
typedef enum rk_breaks {
    RK_BREAK_WORDS,  /* at a space; inside a word too long for a line, as a name */
    RK_BREAK_LIST,   /* after a comma, at the space after it; inside what stands between commas, as words */
    RK_BREAK_NAME,   /* after . _ - / | , and at a space */
    RK_BREAK_FORMULA /* before + - × and =, which then begin the next line; outside of brackets, where that serves */
} rk_breaks;

/*
 * How many bytes of `text` the first line takes; *next is where the second one begins, past the spaces at the break.
 * A line is at most `columns` wide, unless a single character is wider, and never empty unless the text is.
 */
size_t rk_wrap(const char *text, size_t columns, rk_breaks how, size_t *next);

#endif
