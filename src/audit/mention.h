/* SPDX-License-Identifier: MIT */
/*
 * audit/mention.h - models that a text speaks of by name: "Llama 3.1 8B", "gpt2-xl", "Qwen/Qwen2.5-7B".
 *
 * Stage   text -> [mention] -> names of the library, each with the places where it stands.
 * Uses    base/, plan/find.h, audit/lexicon.h.
 * Memory  names and mentions live in the arenas given.
 * Threads no state.
 *
 * Capitals, blanks, dashes, dots and underscores do not matter, as on the command line; of several names at one place
 * the longest counts.  A name up to its size ("Mistral 7B") is what the command line takes it for, and the lexicon has
 * what people call a model besides ("GPT-2 small").
 */
#ifndef RK_AUDIT_MENTION_H
#define RK_AUDIT_MENTION_H

#include "audit/lexicon.h"
#include "base/vec.h"
#include "plan/library.h"

#define RK_MENTIONS_MAX 4096 /* of a text; what is said after them is of no model */

/* What a text may call a model. */
typedef struct rk_callname {
    const char *word;
    const char *name; /* in the library; NULL: the word stands for one of several, or for none */
    bool is_short;    /* it is to be looked up first */
} rk_callname;

typedef struct rk_callnames {
    const rk_library *library;
    RK_VEC(rk_callname) at;  /* by their first letter */
    uint32_t first[256 + 1]; /* of those that begin with each */
} rk_callnames;

typedef struct rk_mention {
    const char *name; /* one of the library; the same one has the same pointer */
    uint32_t at, to;  /* bytes of the text */
} rk_mention;

typedef struct rk_mentions {
    RK_VEC(rk_mention) at; /* in their order */
} rk_mentions;

/* All names of a library's configs; it must outlive them. */
int rk_callnames_list(const rk_library *l, const rk_lexicon *words, rk_arena *a, rk_callnames *out, rk_err *err);

/* Every mention in text[0..n); what is short is looked up, in the arena of the names, when it is first met. */
int rk_mentions_find(rk_callnames *names, rk_arena *of_names, rk_arena *a, const char *text, size_t n, rk_mentions *out,
                     rk_err *err);

/* The place of the first mention that begins at a byte or after it. */
size_t rk_mentions_from(const rk_mentions *m, uint32_t at);

#endif
