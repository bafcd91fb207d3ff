/* SPDX-License-Identifier: MIT */
/*
 * plan/tokens.h - how many tokens a prefill or a decoding step has, where nobody says it.
 *
 * Stage   a model's words -> [plan] -> settings.
 * Uses    base/, model/, account/memory.h, plan/open.h, plan/setting.h.
 * Memory  settings live in the arena given.
 * Threads no state.
 *
 * Decoding, a step has one new token (S = 1, or U = 1 in a decoder beside an encoder) unless the settings say how many,
 * and sees T keys: as many as S would otherwise be.  A training step is as its settings are.
 */
#ifndef RK_PLAN_TOKENS_H
#define RK_PLAN_TOKENS_H

#include "account/memory.h"
#include "plan/open.h"

/* Symbols that get numbers of their own, later: they are no settings. */
typedef struct rk_varied {
    const char *const *symbol;
    size_t n;
} rk_varied;

/* The new tokens of a step that T, the keys that they see, counts, too. */
typedef struct rk_fresh {
    const char *symbol; /* NULL: there are none, or no T */
    rk_i128 n;          /* as many as there are where no setting says it */
} rk_fresh;

/*
 * Adds to the settings of a request what a phase sets; `fresh` and `varied` may be NULL.  What is new may vary: then T,
 * where nothing sets it, is as many keys as S would otherwise be.
 * RK_EINPUT: the cache is shorter than what is new, or the model decodes nothing.
 */
int rk_tokens_set(rk_arena *a, rk_phase phase, const rk_varied *varied, rk_open_request *r, rk_fresh *fresh,
                  rk_err *err);

/* RK_EINPUT: so few keys cannot be seen by so many new tokens. */
int rk_tokens_check(const char *fresh, rk_i128 n, rk_i128 keys, rk_err *err);

/* Standard input can be read once: where a word is -, what stands there becomes a text of the request. */
int rk_tokens_keep_input(rk_arena *a, rk_open_request *r, rk_err *err);

#endif
