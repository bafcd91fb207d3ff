/* SPDX-License-Identifier: MIT */
/*
 * plan/adapt.h - which weights get adapters and which are frozen, by the words that the user typed.
 *
 * Stage   words of the command -> [plan] -> model.
 * Uses    base/, model/, plan/glob.h, plan/nearest.h.
 * Memory  what is found lives in the arena given.
 * Threads no state beside what is found.
 *
 * A target is the end of a module's name: `v_proj`, `self_attn.v_proj`, or in short `v`, which also finds v_proj,
 * v_lin, value and value_proj; or a pattern with * and ?; or `all-linear`, every linear layer but the head and routers.
 * What is frozen is named by words of a part's path (`layers.attention`) or of a tensor's name (`model.layers.0`), or
 * by a pattern.
 */
#ifndef RK_PLAN_ADAPT_H
#define RK_PLAN_ADAPT_H

#include "pass/passes.h"

#define RK_TARGETS_ALL "all-linear"
#define RK_TARGETS_USUAL "q,v" /* or the matrix that makes queries, keys and values in one, where they are not apart */

typedef struct rk_adapt_request {
    rk_i128 rank;                      /* 0: no adapters */
    const char *targets;               /* words between commas; NULL: the usual ones */
    const char *freeze;                /* words between commas; NULL: none */
    bool wide, input_gradient, packed; /* as in rk_adapt */
} rk_adapt_request;

/*
 * The options of the passes that put adapters and freeze.  The targets are found when the pass shows the model without
 * adapters; RK_EINPUT then: a word finds nothing, or no linear layer.
 */
int rk_adapt_new(rk_arena *a, const rk_adapt_request *r, rk_adapt *out, rk_err *err);

/* Once the passes are run: RK_EINPUT where a word freezes nothing, or all words everything. */
int rk_adapt_used(const rk_adapt *a, const rk_model *m, rk_err *err);

#endif
