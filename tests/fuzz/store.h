/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/store.h - what must hold of every tensor table that a reader makes, whatever the bytes were.
 *
 * Stage   above read: included by the targets safetensors and gguf.
 * Uses    read/tensors.h, tests/fuzz/fuzz.h.
 * Memory  none.
 * Threads one.
 */
#ifndef RK_TESTS_FUZZ_STORE_H
#define RK_TESTS_FUZZ_STORE_H

#include "fuzz.h"
#include "read/tensors.h"

#include <string.h>

static inline void check_tensor(const rk_store *s, const rk_stored *t)
{
    const rk_dtype_row *type = rk_dtype_info(t->dtype);
    rk_i128 count = 1;

    MUST(rk_store_find(s, t->name, strlen(t->name)) == t);
    MUST(t->file < s->n_file);
    MUST(t->known == (t->dtype != RK_DTYPE_UNKNOWN));
    if (!t->known)
        return;
    for (size_t i = 0; i < t->rank; i++)
        count *= t->shape[i];
    MUST(count == t->count && count % type->block == 0 && count / type->block * type->bytes == t->bytes);
    MUST(t->offset <= s->file[t->file].size && t->bytes <= s->file[t->file].size - t->offset);
}

static inline void check_doc(const rk_doc *d, unsigned depth)
{
    MUST(depth < 200);
    MUST(d->kind <= RK_DOC_MAP);
    MUST(d->kind != RK_DOC_TEXT || d->text[d->n] == '\0');
    MUST(d->n_skipped == 0 || (d->kind == RK_DOC_LIST && d->n == 0));
    for (size_t i = 0; (d->kind == RK_DOC_LIST || d->kind == RK_DOC_MAP) && i < d->n; i++)
        check_doc(&d->item[i], depth + 1);
}

/* All tensors of one file that was read whole; `code` and `err` are what its reader said. */
static inline void check_read(const rk_arena *a, const rk_store *s, int code, const rk_err *err, size_t size)
{
    uint64_t bytes = 0;

    MUST((code == RK_OK) == (s != NULL));
    /* Memory is bounded by the bytes that were given: a list of single bytes becomes values of 80. */
    MUST(a->used <= 256 * size + 65536);
    if (code != RK_OK) {
        MUST(a->used == 0 && err->code == code && strncmp(err->message, "m: byte ", strlen("m: byte ")) == 0);
        return;
    }
    for (size_t i = 0; i < s->n_tensor; i++) {
        check_tensor(s, &s->tensor[i]);
        bytes += s->tensor[i].bytes;
    }
    MUST(s->bytes == bytes && s->metadata->kind == RK_DOC_MAP);
    check_doc(s->metadata, 0);
}

#endif
