/* SPDX-License-Identifier: MIT */
#include "read/draft.h"
#include "read/jscan.h"

#include <inttypes.h>
#include <string.h>

/*
 * A safetensors file is
 *
 *     8 bytes    n, the length of the header, little endian
 *     n bytes    the header, a JSON object that begins with '{', spaces may follow it
 *     the rest   the bytes of the tensors, one after the other
 *
 * and its header
 *
 *     {"__metadata__": {"format": "pt"},
 *      "a.weight": {"dtype": "F32", "shape": [4, 4], "data_offsets": [0, 64]}, …}
 *
 * with offsets from the first byte after the header.
 */
#define LENGTH_BYTES 8u

/* What every step needs.  What fails is noted in `json`, which then reads no further. */
typedef struct reading {
    rk_draft *draft;
    rk_jscan json;
    uint64_t begin, end; /* of the data, in the file */
    bool has_metadata;
} reading;

/* ---- one tensor ------------------------------------------------------------------------------------------------- */

typedef struct entry {
    rk_jtext dtype;
    uint64_t shape[RK_STORE_RANK_MAX], offset[2];
    size_t rank;
    bool has_dtype, has_shape, has_offsets;
} entry;

static bool read_shape(rk_jscan *j, entry *e)
{
    for (rk_jscan_enter(j, '['); rk_jscan_more(j, ']'); e->rank++) {
        if (e->rank == RK_STORE_RANK_MAX)
            return rk_jscan_fail(j, RK_ELIMIT, rk_jscan_here(j), "over %u dimensions", RK_STORE_RANK_MAX);
        if (!rk_jscan_whole(j, &e->shape[e->rank]))
            return false;
    }
    return j->code == RK_OK;
}

static bool read_offsets(rk_jscan *j, entry *e)
{
    uint64_t at = rk_jscan_here(j);
    size_t n = 0;

    for (rk_jscan_enter(j, '['); rk_jscan_more(j, ']'); n++) {
        if (n == 2 || !rk_jscan_whole(j, &e->offset[n]))
            return rk_jscan_fail(j, RK_EINPUT, at, "data_offsets are two numbers");
    }
    return n == 2 || rk_jscan_fail(j, RK_EINPUT, at, "data_offsets are two numbers");
}

/* Whether a key comes for the first time. */
static bool once(rk_jscan *j, const rk_jtext *key, bool *seen)
{
    if (*seen)
        return rk_jscan_fail(j, RK_EINPUT, key->at, "the key '%s' stands twice", key->text);
    return *seen = true;
}

static bool read_member(rk_jscan *j, const rk_jtext *key, entry *e)
{
    if (rk_jtext_is(key, "dtype"))
        return once(j, key, &e->has_dtype) && rk_jscan_text(j, &e->dtype);
    if (rk_jtext_is(key, "shape"))
        return once(j, key, &e->has_shape) && read_shape(j, e);
    if (rk_jtext_is(key, "data_offsets"))
        return once(j, key, &e->has_offsets) && read_offsets(j, e);
    return rk_jscan_fail(j, RK_EINPUT, key->at, "'%s' is no key of a tensor (dtype, shape, data_offsets)",
                         rk_safe_text(key->text, key->n).text);
}

static bool read_entry(rk_jscan *j, const rk_jtext *name, entry *e)
{
    rk_jtext key;

    for (rk_jscan_enter(j, '{'); rk_jscan_more(j, '}') && rk_jscan_key(j, &key);)
        read_member(j, &key, e);
    if (j->code == RK_OK && !(e->has_dtype && e->has_shape && e->has_offsets))
        return rk_jscan_fail(j, RK_EINPUT, name->at, "tensor '%s' has no %s", rk_safe_text(name->text, name->n).text,
                             !e->has_dtype   ? "dtype"
                             : !e->has_shape ? "shape"
                                             : "data_offsets");
    return j->code == RK_OK;
}

/* Offsets of the header become positions in the file. */
static bool set_offset(reading *r, rk_stored *t, uint64_t begin, uint64_t end)
{
    const char *name = t->name;

    if (begin > end)
        return rk_jscan_fail(&r->json, RK_EINPUT, t->at,
                             "tensor '%s': data_offsets go back, from %" PRIu64 " to %" PRIu64,
                             rk_safe_text(name, strlen(name)).text, begin, end);
    if (end - begin != t->bytes)
        return rk_jscan_fail(&r->json, RK_EINPUT, t->at,
                             "tensor '%s': shape times %s is %" PRIu64 " bytes, data_offsets are %" PRIu64 " apart",
                             rk_safe_text(name, strlen(name)).text, rk_dtype_info(t->dtype)->name, t->bytes,
                             end - begin);
    if (end > r->end - r->begin)
        return rk_jscan_fail(&r->json, RK_EINPUT, t->at,
                             "tensor '%s': data_offsets end at %" PRIu64 ", the data has %" PRIu64 " bytes",
                             rk_safe_text(name, strlen(name)).text, end, r->end - r->begin);
    t->offset = r->begin + begin;
    return true;
}

static bool read_tensor(reading *r, const rk_jtext *name)
{
    rk_jscan *j = &r->json;
    entry e = {.rank = 0};
    rk_stored *t;

    if (!read_entry(j, name, &e) || !rk_jscan_check(j, rk_draft_tensor(r->draft, j->in, name->at, &t, j->err)))
        return false;
    t->name = name->text;
    t->dtype = (uint16_t)rk_dtype_of_safetensors(e.dtype.text, e.dtype.n);
    if (t->dtype == RK_DTYPE_UNKNOWN)
        return rk_jscan_fail(j, RK_EINPUT, e.dtype.at, "tensor '%s': the format '%s' is unknown",
                             rk_safe_text(name->text, name->n).text, rk_safe_text(e.dtype.text, e.dtype.n).text);
    t->shape = rk_arena_copy_array(r->draft->arena, e.shape, e.rank, sizeof *e.shape);
    t->rank = (uint8_t)e.rank;
    if (t->shape == NULL)
        return rk_jscan_check(j, rk_fail_memory(j->err));
    return rk_jscan_check(j, rk_draft_size(j->in, t, RK_PACKED_WHOLE, j->err)) &&
           set_offset(r, t, e.offset[0], e.offset[1]);
}

/* ---- the header ------------------------------------------------------------------------------------------------- */

/* __metadata__: texts under texts.  That of the first file is kept. */
static bool read_metadata(reading *r, const rk_jtext *name)
{
    rk_draft_map m = {0};
    rk_jscan *j = &r->json;
    rk_jtext key, value;
    rk_doc *item, *map = NULL;

    if (!once(j, name, &r->has_metadata))
        return false;
    for (rk_jscan_enter(j, '{'); rk_jscan_more(j, '}');) {
        if (rk_jscan_key(j, &key) && rk_jscan_text(j, &value) &&
            rk_jscan_check(j, rk_draft_key(r->draft, &m, j->in, key.text, key.at, &item, j->err)))
            *item = (rk_doc){.kind = RK_DOC_TEXT, .text = value.text, .n = value.n};
    }
    if (j->code != RK_OK || !rk_jscan_check(j, rk_draft_map_end(r->draft, &m, j->in, &map, j->err)))
        return false;
    if (r->draft->file.n == 1)
        r->draft->metadata = map;
    return true;
}

static int read_length(const rk_input *in, uint64_t *out, rk_err *err)
{
    unsigned char b[LENGTH_BYTES];
    uint64_t n = 0;

    if (in->size < sizeof b)
        return rk_input_fail(in, err, RK_EINPUT, 0, "the file ends at %" PRIu64 ", before the length of its header",
                             in->size);
    int rc = rk_input_read(in, 0, b, sizeof b, err);
    if (rc != RK_OK)
        return rc;
    for (size_t i = sizeof b; i-- > 0;)
        n = n << 8 | b[i];
    if (n > in->size - sizeof b)
        return rk_input_fail(in, err, RK_EINPUT, 0, "a header of %" PRIu64 " bytes, in a file of %" PRIu64, n,
                             in->size);
    if (n > RK_SAFETENSORS_HEADER_MAX)
        return rk_input_fail(in, err, RK_ELIMIT, 0, "a header of %" PRIu64 " bytes, the limit is %u", n,
                             RK_SAFETENSORS_HEADER_MAX);
    *out = n;
    return RK_OK;
}

int rk_safetensors_header(rk_draft *d, const rk_input *in, rk_err *err)
{
    size_t first = d->tensor.n;
    uint32_t number;
    uint64_t n = 0;
    rk_jtext name;
    int rc = read_length(in, &n, err);

    if (rc == RK_OK)
        rc = rk_draft_file(d, in->name, in->size, &number, err);
    if (rc != RK_OK)
        return rc;
    reading r = {.draft = d, .begin = LENGTH_BYTES + n, .end = in->size};
    rk_jscan *j = &r.json;
    *j = (rk_jscan){.in = in, .n = (size_t)n, .base = LENGTH_BYTES, .err = err};
    j->text = rk_alloc(d->arena, j->n + 1);
    rk_jscan_check(j, j->text != NULL ? rk_input_read(in, LENGTH_BYTES, j->text, j->n, err) : rk_fail_memory(err));
    if (j->code == RK_OK && j->text[0] != '{')
        rk_jscan_fail(j, RK_EINPUT, LENGTH_BYTES, "a header begins with '{'");
    for (rk_jscan_enter(j, '{'); rk_jscan_more(j, '}') && rk_jscan_key(j, &name);) {
        if (rk_jtext_is(&name, "__metadata__"))
            read_metadata(&r, &name);
        else
            read_tensor(&r, &name);
    }
    return rk_jscan_end(j) ? rk_draft_check(d, in, first, r.begin, r.end, 1, err) : j->code;
}

/* ---- one file --------------------------------------------------------------------------------------------------- */

int rk_safetensors_read(const rk_files *files, rk_arena *a, const char *path, rk_store **out, rk_err *err)
{
    return rk_safetensors_shards_read(files, a, &path, 1, out, err);
}

int rk_safetensors_shards_read(const rk_files *files, rk_arena *a, const char *const *path, size_t n, rk_store **out,
                               rk_err *err)
{
    rk_draft d = rk_draft_begin(a);
    int rc = RK_OK;

    for (size_t i = 0; i < n && rc == RK_OK; i++) {
        rk_input in;

        rc = rk_files_open(files, &in, path[i], NULL, err);
        if (rc != RK_OK)
            break;
        rc = rk_safetensors_header(&d, &in, err);
        rk_input_close(&in);
    }
    return rk_draft_finish(&d, rc, out, err);
}

int rk_safetensors_parse(rk_arena *a, const char *name, const void *bytes, size_t n, uint64_t size, rk_store **out,
                         rk_err *err)
{
    rk_input in = rk_input_memory(name, bytes, n, size);
    rk_draft d = rk_draft_begin(a);

    return rk_draft_finish(&d, rk_safetensors_header(&d, &in, err), out, err);
}
