/* SPDX-License-Identifier: MIT */
/*
 * plan/aside.h - keys of configs that say nothing about the structure of a model.
 *
 * Stage   keys that no model file asked for -> [plan] -> those worth a word.
 * Uses    base/, read/, plan/library.h.
 * Memory  the list lives in the arena given.
 * Threads no state.
 *
 * The list itself is data: models/keys-aside.json, by reason.
 */
#ifndef RK_PLAN_ASIDE_H
#define RK_PLAN_ASIDE_H

#include "plan/library.h"
#include "read/doc.h"

typedef struct rk_aside {
    const rk_doc *reasons;
} rk_aside;

int rk_aside_read(const rk_library *l, rk_arena *a, rk_aside *out, rk_err *err);

/* Why a key says nothing about the structure ("tokens"), or NULL: it may say something. */
const char *rk_aside_reason(const rk_aside *aside, const char *path);

#endif
