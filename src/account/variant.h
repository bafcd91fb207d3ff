/* SPDX-License-Identifier: MIT */
/*
 * account/variant.h - where what is saved depends on a symbol being 1: the condition that a formula carries.
 *
 * Stage   places -> [account] -> report.
 * Uses    base/, expr/, model/, pass/place.h.
 * Memory  in the arena given.
 * Threads as building a ledger: one thread.
 *
 * Whether a tensor is copied or only seen otherwise depends on sizes: an axis of one element has no stride.  So the
 * places are found once more with each symbol of the run at 1 (or at 2, where it is 1), and what is saved is compared,
 * buffer by buffer.  Formulas hold for all other numbers.
 */
#ifndef RK_ACCOUNT_VARIANT_H
#define RK_ACCOUNT_VARIANT_H

#include "pass/place.h"

#define RK_VARIANTS_MAX 4 /* symbols of the run that are no others': B, S, U */

typedef struct rk_variant {
    const char *symbol;
    bool is_one;      /* it is 1, and a formula is for that alone; else it is more, and a formula is for more than 1 */
    bool matters;     /* some buffer that is saved would be another one */
    bool *for_buffer; /* of each buffer: this one would be */
} rk_variant;

typedef struct rk_variants {
    rk_variant at[RK_VARIANTS_MAX];
    size_t n;
} rk_variants;

/* A symbol that cannot be another number (a check of the model file forbids it) is left out. */
int rk_variants_new(rk_arena *a, const rk_instance *m, const rk_flow *f, const rk_run_options *o, const rk_places *now,
                    rk_variants *out, rk_err *err);

#endif
