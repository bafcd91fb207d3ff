/* SPDX-License-Identifier: MIT */
/*
 * account/recipe.h - what the peak of a step is made of, as expressions: written by memory.h, read by peak.h.
 *
 * Stage   memory -> [account] -> peak.
 * Uses    base/, expr/, pass/asked.h, pass/census.h.
 * Memory  in the arena given.
 * Threads as building a ledger: one thread.
 */
#ifndef RK_ACCOUNT_RECIPE_H
#define RK_ACCOUNT_RECIPE_H

#include "pass/asked.h"
#include "pass/census.h"

/* When something that is in no timeline is there. */
typedef enum rk_held {
    RK_HELD_ALWAYS,      /* weights, the optimizer's state */
    RK_HELD_OUTPUT,      /* until the backward pass begins, and in the optimizer's step */
    RK_HELD_IN_STEP,     /* in the optimizer's step */
    RK_HELD_ONE_IN_STEP, /* the same, but only the largest of them */
    RK_N_HELD
} rk_held;

typedef struct rk_share {
    rk_held when;
    rk_ex bytes; /* of one, not rounded */
    rk_i128 times;
} rk_share;

typedef struct rk_recipe {
    rk_arena *arena;
    rk_asked asked;
    rk_census census;
    RK_VEC(rk_share) share;
    rk_i128 plain; /* bytes that are always there, whatever the numbers, and are not rounded */
    bool failed;
} rk_recipe;

void rk_recipe_init(rk_recipe *r, rk_arena *a, rk_pool *pool);

/* Each of these does nothing where `r` is NULL. */
void rk_recipe_add(rk_recipe *r, rk_held when, rk_ex bytes, rk_i128 times);
void rk_recipe_add_plain(rk_recipe *r, rk_i128 bytes);
void rk_recipe_pin(rk_recipe *r, rk_ex e, rk_i128 value); /* holds for this number alone */

#endif
