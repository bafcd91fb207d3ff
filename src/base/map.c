/* SPDX-License-Identifier: MIT */
#include "base/map.h"

#include "base/num.h"

#include <string.h>

struct rk_map_slot {
    const char *key; /* NULL: free */
    size_t len;
    uint64_t hash;
    uint32_t value;
};

static uint64_t mix(uint64_t a, uint64_t b)
{
    rk_u128 product = (rk_u128)a * b;

    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Eight bytes at a time through a 64 × 64 → 128 bit product, the halves folded (the idea of wyhash). */
uint64_t rk_hash(const void *bytes, size_t n, uint64_t seed)
{
    const unsigned char *at = bytes;
    uint64_t h = seed ^ 0x9E3779B97F4A7C15u;
    size_t left = n;
    uint64_t word;

    for (; left >= sizeof word; left -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        h = mix(h ^ word, 0xD6E8FEB86659FD93u) + 0xA0761D6478BD642Fu;
    }
    if (left > 0) {
        word = 0;
        memcpy(&word, at, left);
        h = mix(h ^ word, 0xD6E8FEB86659FD93u) + 0xA0761D6478BD642Fu;
    }
    return mix(h ^ n, 0xE7037ED1A0B428DBu);
}

/* The slot that holds the key, or the free one where it belongs.  The table is never full. */
static rk_map_slot *probe(rk_map_slot *slot, size_t cap, const char *key, size_t len, uint64_t hash)
{
    for (size_t i = (size_t)hash & (cap - 1);; i = (i + 1) & (cap - 1)) {
        rk_map_slot *s = &slot[i];

        if (!s->key || (s->hash == hash && s->len == len && (len == 0 || memcmp(s->key, key, len) == 0)))
            return s;
    }
}

uint32_t rk_map_get(const rk_map *m, const char *key, size_t len)
{
    const rk_map_slot *s;

    if (m->cap == 0)
        return RK_NONE;
    s = probe(m->slot, m->cap, key, len, rk_hash(key, len, 0));
    return s->key ? s->value : RK_NONE;
}

static bool widen(rk_arena *a, rk_map *m)
{
    size_t cap = m->cap ? m->cap * 2 : 16;
    rk_map_slot *slot = RK_NEW_ARRAY(a, cap, rk_map_slot);

    if (!slot)
        return false;
    for (size_t i = 0; i < m->cap; i++)
        if (m->slot[i].key)
            *probe(slot, cap, m->slot[i].key, m->slot[i].len, m->slot[i].hash) = m->slot[i];
    m->slot = slot;
    m->cap = cap;
    return true;
}

bool rk_map_put(rk_arena *a, rk_map *m, const char *key, size_t len, uint32_t value)
{
    uint64_t hash = rk_hash(key, len, 0);
    rk_map_slot *s;

    if (m->n >= m->cap - m->cap / 4 && !widen(a, m))
        return false;
    s = probe(m->slot, m->cap, key, len, hash);
    if (!s->key) {
        const char *copy = rk_arena_copy(a, key, len);

        if (!copy)
            return false;
        *s = (rk_map_slot){.key = copy, .len = len, .hash = hash};
        m->n++;
    }
    s->value = value;
    return true;
}

/* A key whose number is RK_NONE is as good as none. */
void rk_map_forget(rk_map *m, bool (*drop)(const void *self, const char *key, uint32_t value), const void *self)
{
    for (size_t i = 0; i < m->cap; i++)
        if (m->slot[i].key && drop(self, m->slot[i].key, m->slot[i].value))
            m->slot[i].value = RK_NONE;
}

bool rk_map_copy(rk_arena *a, const rk_map *m, rk_map *out)
{
    *out = *m;
    out->slot = rk_arena_copy_array(a, m->slot, m->cap, sizeof *m->slot);
    return out->slot != NULL;
}
