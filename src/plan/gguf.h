/* SPDX-License-Identifier: MIT */
/*
 * plan/gguf.h - the config of a model from its GGUF file alone.
 *
 * Stage   tensor table and metadata -> [plan] -> config, as the family's model file reads it.
 * Uses    base/, read/tensors.h, model/mapping.h, plan/library.h.
 * Memory  the config lives in the arena given, and may point to the metadata of the store.
 * Threads no state.
 *
 * What a GGUF file says of an architecture is data: gguf/ARCHITECTURE.rk of the library is the mapping that turns it
 * into a config (model/mapping.h has the form, docs/gguf.md the whole), gguf/keys.json says of which kind each key is.
 * A mapping reads
 *
 *     $block_count            the key ARCHITECTURE.block_count
 *     $general.name           any other key
 *     $tensor["x.weight"]     the shape of a tensor, the slowest dimension first; nothing where there is none
 *     $blk[2]["x.weight"]     the same for blk.2.x.weight; len($blk) is the number of layers
 *     $any["x.weight"]        the same for the first layer that has it
 */
#ifndef RK_PLAN_GGUF_H
#define RK_PLAN_GGUF_H

#include "plan/library.h"
#include "read/tensors.h"

/* Limits of a file that is mapped, far above any model: they bound time and memory. */
#define RK_GGUF_MAPPED_TENSORS_MAX 100000u /* files have some thousand */
#define RK_GGUF_MAPPED_KEYS_MAX 4096u      /* files have some dozen */
#define RK_GGUF_SIZE_MAX INT32_MAX         /* of a size in metadata */

/* Does the store's metadata name an architecture? */
bool rk_gguf_is(const rk_store *s);

/*
 * RK_EINPUT: the architecture is unknown (the nearest known one is named), a key is absent or of the wrong kind, the
 * tensors are not those of the architecture; the message names the file and the key.  RK_ELIMIT: a limit was passed.
 */
int rk_gguf_config(const rk_library *l, rk_arena *a, const rk_store *s, rk_doc **config, rk_err *err);

#endif
