/* SPDX-License-Identifier: MIT */
/*
 * base/map.h - from text to a 32-bit number, in an arena.
 *
 * Stage   below every stage.
 * Uses    base/arena.h.
 * Memory  table and keys live in the arena given at each call (always the same one).
 * Threads reading a map that no one changes is safe.
 */
#ifndef RK_BASE_MAP_H
#define RK_BASE_MAP_H

#include "base/arena.h"

#include <stdint.h>

typedef struct rk_map_slot rk_map_slot;

typedef struct rk_map {
    rk_map_slot *slot;
    size_t n, cap;
} rk_map;

#define RK_NONE UINT32_MAX

/* The number stored under key[0..len), or RK_NONE. */
uint32_t rk_map_get(const rk_map *m, const char *key, size_t len);

/* Stores a number under a copy of the key, over an older one; false when memory ran out. */
bool rk_map_put(rk_arena *a, rk_map *m, const char *key, size_t len, uint32_t value);

/* Another map with the same entries, whose keys it borrows; false when memory ran out. */
bool rk_map_copy(rk_arena *a, const rk_map *m, rk_map *out);

uint64_t rk_hash(const void *bytes, size_t n, uint64_t seed);

#endif
