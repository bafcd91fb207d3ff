/* SPDX-License-Identifier: MIT */
/*
 * read/shard.h - names of the parts of one checkpoint: NAME-00002-of-00163.safetensors, NAME-00001-of-00003.gguf.
 *
 * Stage   bytes -> [read] -> tensor table.
 * Uses    base/arena.h.
 * Memory  a path that is made lives in the arena given.
 * Threads no state.
 */
#ifndef RK_READ_SHARD_H
#define RK_READ_SHARD_H

#include "base/arena.h"

typedef struct rk_shard {
    size_t n_prefix;     /* bytes before "-00002-of-00163" */
    unsigned number, of; /* 2, 163 */
    int width, width_of; /* digits */
} rk_shard;

/* Whether a path ends in such a name; 1 ≤ number ≤ of, and neither has more than six digits. */
bool rk_shard_parse(const char *path, const char *suffix, rk_shard *out);

/* The path of another part of the same set; NULL: memory ran out. */
const char *rk_shard_path(rk_arena *a, const char *path, const rk_shard *s, unsigned number, const char *suffix);

#endif
