/* SPDX-License-Identifier: MIT */
/*
 * plan/ignored_keys.h - keys of configs that say nothing about the structure of a model.
 *
 * Stage   keys that no model file asked for -> [plan] -> those worth a word.
 * Uses    base/, read/, plan/library.h.
 * Memory  the list lives in the arena given.
 * Threads no state.
 *
 * The list itself is data: models/keys-ignored.json, by reason.
 */
#ifndef RK_PLAN_IGNORED_KEYS_H
#define RK_PLAN_IGNORED_KEYS_H

#include "plan/library.h"
#include "read/doc.h"

typedef struct rk_ignored_keys {
    const rk_doc *reasons;
} rk_ignored_keys;

int rk_ignored_keys_read(const rk_library *l, rk_arena *a, rk_ignored_keys *out, rk_err *err);

/* Why a key says nothing about the structure ("tokens"), or NULL: it may say something. */
const char *rk_ignored_key_reason(const rk_ignored_keys *ignored, const char *path);

#endif
