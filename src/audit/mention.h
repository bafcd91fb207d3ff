/* SPDX-License-Identifier: MIT */
/*
 * audit/mention.h - models that a text speaks of by name: "Llama 3.1 8B", "gpt2-xl", "Qwen/Qwen2.5-7B".
 *
 * Stage   text -> [mention] -> names, each with the line where it first stands.
 * Uses    base/.
 * Memory  nothing is kept but what is given.
 * Threads no state.
 *
 * Capitals, blanks, dashes, dots and underscores do not matter, as on the command line; of several names at one place
 * the longest counts.
 */
#ifndef RK_AUDIT_MENTION_H
#define RK_AUDIT_MENTION_H

#include <stddef.h>

#define RK_MENTIONS_MAX 4

typedef struct rk_mention {
    const char *name; /* one of those that are known */
    size_t at;        /* its first byte in the text */
} rk_mention;

/* The first mentions of different names in text[0..n), in their order; returns how many. */
size_t rk_mentions_find(const char *text, size_t n, const char *const *name, size_t n_name,
                        rk_mention out[RK_MENTIONS_MAX]);

#endif
