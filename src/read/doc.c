/* SPDX-License-Identifier: MIT */
#include "read/doc.h"

#include <string.h>

#define KEYS_FEW 32 /* are looked through faster than a table is asked */

bool rk_doc_place(rk_arena *a, rk_doc *map)
{
    bool ok = true;

    if (map->n <= KEYS_FEW)
        return true;
    map->place = RK_NEW(a, rk_map);
    for (size_t i = 0; map->place && i < map->n && ok; i++)
        ok = rk_map_put(a, map->place, map->key[i], strlen(map->key[i]), (uint32_t)i);
    return map->place && ok;
}

const rk_doc *rk_doc_key(const rk_doc *d, const char *key, size_t len)
{
    if (d == NULL || d->kind != RK_DOC_MAP)
        return NULL;
    if (d->place) {
        uint32_t at = rk_map_get(d->place, key, len);

        return at == RK_NONE ? NULL : &d->item[at];
    }
    for (size_t i = 0; i < d->n; i++) {
        /* strncmp stops at the end of a shorter key, so the byte after `len` exists when it is looked at. */
        if (strncmp(d->key[i], key, len) == 0 && d->key[i][len] == '\0')
            return &d->item[i];
    }
    return NULL;
}
