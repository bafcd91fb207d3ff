/* SPDX-License-Identifier: MIT */
/*
 * account/cache.h - what decoding carries from token to token: keys, values, latents, states.
 *
 * Stage   program + places -> [account] -> report.
 * Uses    base/, expr/, model/, pass/place.h, account/number.h.
 * Memory  in the arena given.
 * Threads as building a ledger: one instance, one thread.
 *
 * A row is what one `keep` of the model file keeps, of the layers of one group.
 */
#ifndef RK_ACCOUNT_CACHE_H
#define RK_ACCOUNT_CACHE_H

#include "account/number.h"
#include "pass/place.h"

typedef enum rk_cache_kind {
    RK_CACHE_ALL,    /* one more for every token */
    RK_CACHE_WINDOW, /* so too, up to the most that a window needs */
    RK_CACHE_ONCE,   /* made with the prompt, then only read */
    RK_CACHE_STATE   /* of fixed size: of a recurrence or a convolution */
} rk_cache_kind;

/* "", "window", "made once", "state" */
extern const char *const rk_cache_kind_text[];

typedef struct rk_cache {
    const char *path;   /* layers.attention.k */
    const char *layers; /* "0-2,5" where they are not all of their loop; NULL otherwise */
    rk_cache_kind kind;
    uint32_t tensor;
    uint32_t keep; /* of the program */
    rk_ex tokens;  /* so many are held */
    rk_ex most;    /* of a WINDOW: so many at most */
    rk_ex each;    /* bytes of one layer, for all sequences */
    rk_ex token;   /* bytes that one more token of one sequence adds in one layer; 0 where a window is full */
    rk_ex times;
    rk_i128 n_token, bytes, n_layer; /* the same as numbers */
} rk_cache;

typedef struct rk_caches {
    rk_cache *at;
    size_t n;
    rk_ex bytes;        /* of all */
    rk_ex per_sequence; /* of one sequence */
    rk_ex per_token;    /* that one more token of one sequence adds */
} rk_caches;

/* Elements of a tensor for one token of all sequences: those of all axes but the one along which it grows. */
rk_ex rk_keep_elements(rk_pool *pool, const rk_program *p, const rk_keep *k);

/* How many tokens of each sequence a run adds to what is saved; RK_EX_FAILED: nothing is. */
rk_ex rk_keep_fresh(const rk_program *p);

/*
 * `run`: the type of the run, which a state of fp32 does not follow; `number`: that of keys and values.
 * RK_EINPUT: blocks do not fit a row of the cache.  RK_EVALUE: a symbol has no number.
 */
int rk_caches_new(rk_arena *a, const rk_instance *m, const rk_places *places, const rk_run_options *run,
                  rk_number number, rk_caches *out, rk_err *err);

#endif
