/* SPDX-License-Identifier: MIT */
/*
 * ask/savings.h - the same step otherwise: in other types, and what would lower its needs, one saving after the other.
 *
 * Stage   a step as someone asks for it -> [ask] -> report.
 * Uses    base/, account/memory.h, plan/run.h, ask/fit.h.
 * Memory  texts are static.
 * Threads as opening a run: one thread.
 *
 * Nobody who reads "it does not fit" is helped by a list of options.  Here each is taken on top of those before it, the
 * step is built so, and what it then needs is a number of the same account.
 */
#ifndef RK_ASK_SAVINGS_H
#define RK_ASK_SAVINGS_H

#include "ask/fit.h"
#include "plan/run.h"

/* Devices on which the step shall fit: what it needs is then what each of them needs. */
typedef struct rk_room {
    rk_i128 devices;
    const char *form; /* how more of them would share it (ask/fit.h) */
    rk_i128 limit;
    rk_i128 needs; /* of the step as it is … */
    bool reserved; /* … in these bytes */
} rk_room;

#define RK_SAVINGS_MAX 8

typedef struct rk_saving {
    const char *option; /* "--recompute full", as it is typed */
    const char *text;   /* "layers recomputed" */
    rk_i128 needs;      /* with this and all before it: the peak, or what each device needs */
    bool fits;
    rk_i128 fewest; /* devices on which it would; 0: none */
} rk_saving;

typedef struct rk_savings {
    rk_saving at[RK_SAVINGS_MAX];
    size_t n;
} rk_savings;

/* The same step in one of the usual sets of types. */
typedef struct rk_recipe_row {
    const char *name; /* "mixed" */
    bool chosen;      /* it is the step's own */
    rk_i128 state;    /* bytes of weights, gradients and optimizer together, of the whole model */
    rk_i128 needs;    /* as above */
    bool fits;
} rk_recipe_row;

#define RK_RECIPES_MAX 8

typedef struct rk_recipes {
    rk_recipe_row at[RK_RECIPES_MAX];
    size_t n;
    rk_i128 stored; /* parameters of the whole model */
} rk_recipes;

/* The same step in one other way, by itself. */
typedef struct rk_way {
    const char *option; /* as it is typed */
    const char *text;
    rk_i128 peak;
    rk_i128 peak_of[RK_N_ALIVE];
    rk_i128 operations; /* forward, backward, and forward once more where that is recomputed; of each device */
    bool fits;
} rk_way;

#define RK_WAYS_MAX 12

typedef struct rk_ways {
    rk_way at[RK_WAYS_MAX];
    size_t n;
    rk_i128 operations; /* of the step as it is */
} rk_ways;

/*
 * What lowers the peak of a training step or of serving, each by itself, and the fewest devices (a power of two) that
 * hold it in pieces.  `now` is the step of the request, and `run` what it is the account of.  `limit`: bytes of a
 * device; 0: nobody says.  The texts are static, or in the arena given.
 */
int rk_ways_find(rk_arena *a, const rk_run_request *r, const rk_run *run, const rk_memory *now, rk_i128 limit,
                 rk_ways *out, rk_err *err);

/*
 * Those of RK_RECIPE_WORDS that the model can be trained in, beside each other; none where the step is no training.
 * `now` is the step of the request, whole; without a room its peak is what is compared.
 */
int rk_recipes_find(const rk_run_request *r, const rk_memory *now, const rk_room *room, rk_recipes *out, rk_err *err);

/*
 * What the step `now` does not do yet, and the model can do; a saving that saves nothing is left out.  In a room they
 * end with the first that fits.  The numbers are those of the request: a batch that was looked for is not in it.
 */
int rk_savings_find(const rk_run_request *r, const rk_memory *now, const rk_room *room, rk_savings *out, rk_err *err);

#endif
