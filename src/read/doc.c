/* SPDX-License-Identifier: MIT */
#include "read/doc.h"

#include <string.h>

#define KEYS_FEW 32 /* are looked through faster than a table is asked */

int rk_doc_sort(rk_arena *a, rk_doc *map, uint32_t *once, uint32_t *twice)
{
    rk_sorted_name few[KEYS_FEW], *s = map->n <= KEYS_FEW ? few : RK_NEW_ARRAY(a, map->n, rk_sorted_name);

    if (s == NULL)
        return RK_ENOMEM;
    for (size_t i = 0; i < map->n; i++)
        s[i] = rk_sorted_name_of(map->key[i], (uint32_t)i);
    map->sorted = s != few ? s : NULL;
    return rk_sort_names(s, map->n, once, twice) ? RK_OK : RK_EINPUT;
}

const rk_doc *rk_doc_key(const rk_doc *d, const char *key, size_t len)
{
    if (d == NULL || d->kind != RK_DOC_MAP)
        return NULL;
    if (d->sorted != NULL) {
        uint32_t at = rk_sorted_find(d->sorted, d->n, key, len);

        return at == RK_NONE ? NULL : &d->item[at];
    }
    for (size_t i = 0; i < d->n; i++) {
        /* strncmp stops at the end of a shorter key, so the byte after `len` exists when it is looked at. */
        if (strncmp(d->key[i], key, len) == 0 && d->key[i][len] == '\0')
            return &d->item[i];
    }
    return NULL;
}
