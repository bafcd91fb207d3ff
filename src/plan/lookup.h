/* SPDX-License-Identifier: MIT */
/*
 * plan/lookup.h - names as people type them: one rule for models, devices, conventions and quantities.
 *
 * Stage   beside every stage that looks up what a user typed.
 * Uses    base/, plan/nearest.h.
 * Memory  none; names are borrowed.
 * Threads no state.
 *
 * Capitals, dashes, underscores, blanks, the dot of a generation and an organisation before a name do not matter.
 * Words as -instruct, -hf or -v0.1 may be left off, or be too many; so may those that say how weights are stored
 * (-AWQ, -q4_K_M), and a size may stand before other words.  A beginning is enough.  Numbers are never others: 3 is not
 * the beginning of 3.1, nor 27 that of 270m.
 *
 *     rk_lookup l = {.word = typed};
 *     for (…) rk_lookup_try(&l, known[i], strlen(known[i]), known[i], &thing[i]);
 *     if (rk_lookup_one(&l)) …
 */
#ifndef RK_PLAN_LOOKUP_H
#define RK_PLAN_LOOKUP_H

#include "plan/nearest.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    RK_LOOKUP_MAX = 64, /* candidates that are kept; more are counted */
    RK_ALIKE_MAX = 200  /* bytes of a name without its size */
};

/* How a word is like a name, the surest last. */
typedef enum rk_alike {
    RK_ALIKE_NOT,
    RK_ALIKE_BEGINS, /* the name goes on with a generation, as qwen3 and large-v3 do: listed, never taken */
    RK_ALIKE_PREFIX, /* it begins so */
    RK_ALIKE_TAILS,  /* the same but for words such as -instruct, which say that it is of another kind */
    RK_ALIKE_KIND,   /* the same but for words that say nothing else */
    RK_ALIKE_SAME,   /* the same name, spelled otherwise */
    RK_ALIKE_EXACT
} rk_alike;

/* What names[0..n) of a word is to a known name. */
rk_alike rk_alike_of(const char *word, const char *known, size_t n);

/* Whether a name says how its weights are stored: -GGUF, -bnb-4bit, :8b-q4_K_M. */
bool rk_alike_is_packed(const char *word);

/* A name without the word that says a size, and the size: "phi4" of phi4:14b.  0: small.  false: it says none. */
bool rk_alike_size(const char *word, char rest[RK_ALIKE_MAX], double *size);

/* Whether two texts are the same letters, whatever stands between them; then they have the same hash. */
bool rk_alike_letters(const char *a, size_t n_a, const char *b, size_t n_b);
uint64_t rk_alike_hash(const char *text, size_t n);

/* How many bytes of a known name its first words are that the word has as well: "gemma-3" of gemma-3-4b.  0: none. */
size_t rk_alike_words(const char *word, const char *known);

typedef struct rk_candidate {
    const char *name;
    const void *what;
} rk_candidate;

typedef struct rk_lookup {
    const char *word;
    rk_alike best;
    rk_candidate at[RK_LOOKUP_MAX]; /* that are like it in the best way */
    size_t n;
    rk_nearest near;
} rk_lookup;

/* Looks at one known name[0..n), which is one of `what`'s; `called` is how it is shown. */
void rk_lookup_try(rk_lookup *l, const char *known, size_t n, const char *called, const void *what);

/* The one that is meant; NULL: none, or one of several. */
const rk_candidate *rk_lookup_one(const rk_lookup *l);

#endif
