/* SPDX-License-Identifier: MIT */
/*
 * model/keys.h - writes down which keys of the config a model file asked for, and what it took where there was none.
 *
 * Stage   syntax tree + document -> [expand] -> program; private to model/.
 * Uses    model/expand.h.
 * Memory  notes live in the model's arena; what is published there is copied from the config, which dies earlier.
 * Threads one expansion, one thread.
 *
 * Nothing is noted unless the source asks for it (rk_model_source.wants_keys).  A key that layers ask again and again
 * is looked up once: the last few nodes are remembered.
 */
#ifndef RK_MODEL_KEYS_H
#define RK_MODEL_KEYS_H

#include "model/expand.h"

/* The key of `n` was looked for: `d` is what the config says, or NULL.  whether: only if it says anything, as has. */
void rk_key_note(rk_ctx *c, const rk_node *n, const rk_doc *d, bool whether);

/* The config leaves `key` out, and `value`, which is that of `n`, stands for it: key ?? n. */
void rk_key_otherwise(rk_ctx *c, const char *key, const rk_node *n, const rk_scalar *value);

/*
 * The keys that the config lacks and for which a plain number of the model file stands as a size: of a tensor, or of a
 * number of layers.  Where the expansion failed, which may have come of these very numbers, all that may be sizes.
 */
void rk_keys_lacking(rk_ctx *c, bool expanded, rk_str *out);

/* All of that, and the keys that were not asked for, for the readers of the model. */
int rk_keys_publish(rk_ctx *c);

#endif
