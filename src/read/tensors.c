/* SPDX-License-Identifier: MIT */
#include "read/draft.h"

#include "base/map.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- files and tensors ------------------------------------------------------------------------------------------ */

rk_draft rk_draft_begin(rk_arena *a)
{
    return (rk_draft){.arena = a, .mark = rk_arena_here(a)};
}

int rk_draft_file(rk_draft *d, const char *path, uint64_t size, uint32_t *out, rk_err *err)
{
    if (d->file.n >= RK_STORE_FILES_MAX)
        return rk_fail(err, RK_ELIMIT, "%s: over %u files", path, RK_STORE_FILES_MAX);
    rk_store_file *f = RK_PUSH(d->arena, &d->file);
    const char *copy = rk_arena_text(d->arena, path);
    if (f == NULL || copy == NULL)
        return rk_fail_memory(err);
    *f = (rk_store_file){copy, size};
    *out = (uint32_t)(d->file.n - 1);
    return RK_OK;
}

int rk_draft_tensor(rk_draft *d, const rk_input *in, uint64_t at, rk_stored **out, rk_err *err)
{
    if (d->tensor.n >= RK_STORE_TENSORS_MAX)
        return rk_input_fail(in, err, RK_ELIMIT, at, "over %u tensors", RK_STORE_TENSORS_MAX);
    rk_stored *t = RK_PUSH(d->arena, &d->tensor);
    if (t == NULL)
        return rk_fail_memory(err);
    *t = (rk_stored){.at = at, .file = (uint32_t)(d->file.n - 1)};
    *out = t;
    return RK_OK;
}

/* ---- sizes ------------------------------------------------------------------------------------------------------ */

static int fail_tensor(const rk_input *in, const rk_stored *t, int code, const char *why, rk_err *err)
{
    return rk_input_fail(in, err, code, t->at, "tensor '%s': %s", rk_safe_text(t->name, strlen(t->name)).text, why);
}

int rk_draft_size(const rk_input *in, rk_stored *t, rk_block_rule packing, rk_err *err)
{
    const rk_dtype_row *type = rk_dtype_info(t->dtype);

    t->count = 1;
    for (size_t i = 0; i < t->rank; i++) {
        if (__builtin_mul_overflow(t->count, t->shape[i], &t->count))
            return fail_tensor(in, t, RK_EOVERFLOW, "the product of its dimensions is beyond 64 bits", err);
    }
    uint64_t packed = packing == RK_PACKED_WHOLE ? t->count : t->rank > 0 ? t->shape[t->rank - 1] : 1;
    if (packed % type->block != 0)
        return rk_input_fail(in, err, RK_EINPUT, t->at,
                             "tensor '%s': %" PRIu64 " elements are no whole blocks of %s (%u)",
                             rk_safe_text(t->name, strlen(t->name)).text, packed, type->name, type->block);
    if (__builtin_mul_overflow(t->count / type->block, (uint64_t)type->bytes, &t->bytes))
        return fail_tensor(in, t, RK_EOVERFLOW, "its size in bytes is beyond 64 bits", err);
    t->known = true;
    return RK_OK;
}

/* ---- spans ------------------------------------------------------------------------------------------------------ */

typedef struct span {
    uint64_t begin, end;
    const rk_stored *tensor;
} span;

static int compare_spans(const void *a, const void *b)
{
    const span *x = a, *y = b;

    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    if (x->end != y->end)
        return x->end < y->end ? -1 : 1;
    return (x->tensor > y->tensor) - (x->tensor < y->tensor); /* tensors of no bytes, in the order of the file */
}

static int check_inside(const rk_input *in, const rk_stored *t, uint64_t begin, uint64_t end, rk_err *err)
{
    if (t->offset >= begin && t->offset <= end && t->bytes <= end - t->offset)
        return RK_OK;
    return rk_input_fail(in, err, RK_EINPUT, t->at,
                         "tensor '%s': %" PRIu64 " bytes from %" PRIu64 " on are beyond the data (%" PRIu64
                         " to %" PRIu64 ")",
                         rk_safe_text(t->name, strlen(t->name)).text, t->bytes, t->offset, begin, end);
}

/* Walks over sorted spans. */
static int check_sorted(const rk_input *in, const span *s, size_t n, uint64_t begin, uint64_t end, uint64_t gap,
                        rk_err *err)
{
    uint64_t at = begin;

    for (size_t i = 0; i < n; at = s[i++].end) {
        const rk_stored *t = s[i].tensor;
        bool overlaps = s[i].begin < at;

        if (overlaps || s[i].begin - at >= gap)
            return rk_input_fail(
                in, err, RK_EINPUT, t->at, "tensor '%s': its bytes begin at %" PRIu64 ", %s %" PRIu64,
                rk_safe_text(t->name, strlen(t->name)).text, s[i].begin,
                overlaps ? "within those of another tensor that end at" : "and a gap is before them, from byte", at);
    }
    if (end - at >= gap)
        return rk_input_fail(in, err, RK_EINPUT, at, "the tensors end here, the file at %" PRIu64, end);
    return RK_OK;
}

int rk_draft_check(const rk_draft *d, const rk_input *in, size_t first, uint64_t begin, uint64_t end, uint64_t gap,
                   rk_err *err)
{
    size_t n = d->tensor.n - first;
    const rk_stored *t = n > 0 ? d->tensor.at + first : NULL;
    bool sorted = true; /* as writers leave them */
    int rc = RK_OK;

    for (size_t i = 0; i < n && rc == RK_OK; i++)
        rc = check_inside(in, &t[i], begin, end, err);
    if (rc != RK_OK)
        return rc;
    span *s = rk_heap_alloc(n * sizeof *s);
    if (s == NULL)
        return rk_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        s[i] = (span){t[i].offset, t[i].offset + t[i].bytes, &t[i]};
        sorted &= i == 0 || compare_spans(&s[i - 1], &s[i]) <= 0;
    }
    if (!sorted)
        qsort(s, n, sizeof *s, compare_spans);
    rc = check_sorted(in, s, n, begin, end, gap, err);
    rk_heap_free(s);
    return rc;
}

/* ---- names ------------------------------------------------------------------------------------------------------ */

/* The file that a tensor's position is in: its shard, or the index that alone speaks of it. */
static const char *place_of(const rk_draft *d, const rk_stored *t)
{
    return t->known ? d->file.at[t->file].path : d->index;
}

int rk_draft_sort(rk_draft *d, rk_err *err)
{
    const rk_stored *t = d->tensor.at;
    rk_sorted_name *s = RK_NEW_ARRAY(d->arena, d->tensor.n, rk_sorted_name);
    uint32_t i, k;

    if (s == NULL)
        return rk_fail_memory(err);
    for (i = 0; i < d->tensor.n; i++)
        s[i] = rk_sorted_name_of(t[i].name, i);
    if (!rk_sort_names(s, d->tensor.n, &i, &k))
        return rk_fail(err, RK_EINPUT, "%s: byte %" PRIu64 ": tensor '%s' stands already in %s at byte %" PRIu64,
                       place_of(d, &t[k]), t[k].at, rk_safe_text(t[i].name, strlen(t[i].name)).text, place_of(d, &t[i]),
                       t[i].at);
    d->sorted = s;
    d->n_sorted = d->tensor.n;
    return RK_OK;
}

const rk_stored *rk_store_find(const rk_store *s, const char *name, size_t len)
{
    uint32_t number = rk_sorted_find(s->sorted, s->n_tensor, name, len);

    return number != RK_NONE ? &s->tensor[number] : NULL;
}

/* ---- metadata --------------------------------------------------------------------------------------------------- */

int rk_draft_key(rk_draft *d, rk_draft_map *m, const rk_input *in, const char *key, uint64_t at, rk_doc **out,
                 rk_err *err)
{
    if (m->key.n >= RK_STORE_KEYS_MAX)
        return rk_input_fail(in, err, RK_ELIMIT, at, "over %u keys of metadata", RK_STORE_KEYS_MAX);
    const char **k = RK_PUSH(d->arena, &m->key);
    uint64_t *place = RK_PUSH(d->arena, &m->at);
    rk_doc *item = RK_PUSH(d->arena, &m->item);
    if (k == NULL || place == NULL || item == NULL)
        return rk_fail_memory(err);
    *k = key;
    *place = at;
    *out = item;
    return RK_OK;
}

int rk_draft_map_end(rk_draft *d, const rk_draft_map *m, const rk_input *in, rk_doc **out, rk_err *err)
{
    rk_doc *map = RK_NEW(d->arena, rk_doc);
    uint32_t i, k;

    if (map == NULL)
        return rk_fail_memory(err);
    *map = (rk_doc){.kind = RK_DOC_MAP, .n = m->key.n, .key = m->key.at, .item = m->item.at};
    switch (rk_doc_sort(d->arena, map, &i, &k)) {
    case RK_OK:
        *out = map;
        return RK_OK;
    case RK_EINPUT:
        return rk_input_fail(in, err, RK_EINPUT, m->at.at[k], "the key '%s' stands already at byte %" PRIu64,
                             rk_safe_text(m->key.at[k], strlen(m->key.at[k])).text, m->at.at[i]);
    default:
        return rk_fail_memory(err);
    }
}

/* ---- the store -------------------------------------------------------------------------------------------------- */

static int make_store(rk_draft *d, rk_store **out, rk_err *err)
{
    rk_store *s = RK_NEW(d->arena, rk_store);

    if (d->metadata == NULL && (d->metadata = RK_NEW(d->arena, rk_doc)) != NULL)
        d->metadata->kind = RK_DOC_MAP;
    if (s == NULL || d->metadata == NULL)
        return rk_fail_memory(err);
    *s = (rk_store){
        .tensor = d->tensor.at,
        .n_tensor = d->tensor.n,
        .n_unlisted = d->n_unlisted,
        .file = d->file.at,
        .n_file = d->file.n,
        .metadata = d->metadata,
        .sorted = d->sorted,
    };
    /* Each file's bytes lie in it, but their sum over files may be beyond any number. */
    for (size_t i = 0; i < s->n_tensor; i++) {
        s->n_known += s->tensor[i].known;
        if (__builtin_add_overflow(s->bytes, s->tensor[i].bytes, &s->bytes))
            return rk_fail(err, RK_EOVERFLOW, "%s: all tensors together are beyond 64 bits", d->file.at[0].path);
    }
    *out = s;
    return RK_OK;
}

int rk_draft_finish(rk_draft *d, int code, rk_store **out, rk_err *err)
{
    if (code == RK_OK && (d->sorted == NULL || d->n_sorted != d->tensor.n))
        code = rk_draft_sort(d, err);
    if (code == RK_OK)
        code = make_store(d, out, err);
    if (code != RK_OK)
        rk_arena_rewind(d->arena, d->mark);
    return code;
}
