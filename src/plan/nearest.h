/* SPDX-License-Identifier: MIT */
/*
 * plan/nearest.h - "did you mean": the known word that is nearest to the one typed.
 *
 * Stage   beside every stage that looks up what a user typed.
 * Uses    base/.
 * Memory  none; words are borrowed.
 * Threads no state.
 *
 *     rk_nearest near = {.word = typed};
 *     for (…) rk_nearest_try(&near, known[i]);
 *     rk_fail(err, RK_EINPUT, "unknown model '%s'%s", typed, rk_nearest_hint(&near, hint));
 */
#ifndef RK_PLAN_NEAREST_H
#define RK_PLAN_NEAREST_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

#define RK_NEAREST_HINT_MAX 160

typedef struct rk_nearest {
    const char *word;
    const char *best; /* NULL: nothing is near */
    size_t distance;
    bool keeps_numbers; /* whoever slips in a number of a name has typed another: 27b is no 2b */
} rk_nearest;

/*
 * Looks at one known word; of equally near ones the first stays.  Capital and small letters are the same; dashes, dots
 * and blanks are nothing.
 */
void rk_nearest_try(rk_nearest *n, const char *known);

/* How many slips lie between two words; SIZE_MAX: more than one makes by accident. */
size_t rk_nearest_distance(const char *word, const char *known, bool keeps_numbers);

/* "; did you mean 'gpt2-xl'?", or nothing where no known word is near.  Returns `buf`. */
const char *rk_nearest_hint(const rk_nearest *n, char buf[RK_NEAREST_HINT_MAX]);

/* The place of a word in a list "a|b|c"; -1: it is not there. */
int rk_words_place(const char *words, const char *word);

/* RK_EUSAGE: "WHAT is not 'x' but one of a|b|c", and the nearest of them. */
int rk_words_fail(const char *words, const char *what, const char *word, rk_err *err);

#endif
