/* SPDX-License-Identifier: MIT */
#include "read/doc.h"

#include <string.h>

const rk_doc *rk_doc_key(const rk_doc *d, const char *key, size_t len)
{
    if (d == NULL || d->kind != RK_DOC_MAP)
        return NULL;
    for (size_t i = 0; i < d->n; i++) {
        /* strncmp stops at the end of a shorter key, so the byte after `len` exists when it is looked at. */
        if (strncmp(d->key[i], key, len) == 0 && d->key[i][len] == '\0')
            return &d->item[i];
    }
    return NULL;
}
