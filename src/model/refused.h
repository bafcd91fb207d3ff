/* SPDX-License-Identifier: MIT */
/*
 * model/refused.h - says of a config that the reference implementation refuses it, where it can be counted anyway.
 *
 * Stage   document -> [notes] -> model; private to model/.
 * Uses    model/expand.h.
 * Memory  notes live in the model's arena.
 * Threads one expansion, one thread.
 *
 * What contradicts the equations is a mistake, which model files find by their checks.  This is about keys that change
 * no count: a file of weights with such a config cannot be loaded, and whoever wrote it wants to know.  As of
 * transformers 5.17; where that depends on the family, models/keys-refused.json says so.
 */
#ifndef RK_MODEL_REFUSED_H
#define RK_MODEL_REFUSED_H

#include "model/expand.h"

/* A note for each part of the config that has such a key, after those of the model file.  NULL: none. */
int rk_refused_note(rk_ctx *c, const rk_doc *config);

/* A note that whole heads of an odd width rotate, which can be built and not be run; once. */
int rk_refused_note_odd_heads(rk_ctx *c);

#endif
