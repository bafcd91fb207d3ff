/* SPDX-License-Identifier: MIT */
#include "read/safetensors.h"

#include "base/map.h"
#include "read/jscan.h"

#include <inttypes.h>
#include <string.h>

/*
 * An index says in which shard each tensor of a large checkpoint lies:
 *
 *     {"metadata": {"total_size": 1369062772000},
 *      "weight_map": {"model.embed_tokens.weight": "model-00001-of-000163.safetensors", …}}
 *
 * Shards lie beside it.  Of those that are there the headers are read, and each must have the tensors that the index
 * promises; of the others the names are all that is known.
 */
typedef struct reading {
    rk_draft *draft;
    const rk_input *in;
    rk_jscan json;
    const char *folder; /* the index's path up to and with its last slash */
    size_t n_folder;
    rk_map file;      /* names of shards to their numbers */
    const char *name; /* that of the last tensor, and its number: neighbours mostly share a shard */
    uint32_t number;
    bool has_metadata, has_map;
    rk_err *err;
} reading;

/* ---- names of shards -------------------------------------------------------------------------------------------- */

#define FILE_NAME_MAX 255 /* of most file systems */

/* A name of a file beside the index that is safe to open and to print; an index may come from a stranger. */
static bool is_file_name(const rk_jtext *t)
{
    return t->n > 0 && t->n <= FILE_NAME_MAX && t->text[0] != '.' && strchr(t->text, '/') == NULL &&
           rk_is_safe(t->text, t->n);
}

static int add_file(reading *r, const rk_jtext *t)
{
    rk_arena *a = r->draft->arena;

    if (!is_file_name(t))
        return rk_input_fail(r->in, r->err, RK_EINPUT, t->at, "'%s' is no name of a file beside the index",
                             rk_safe_text(t->text, t->n).text);
    const char *path = rk_arena_format(a, "%.*s%s", (int)r->n_folder, r->folder, t->text);
    if (path == NULL)
        return rk_fail_memory(r->err);
    int rc = rk_draft_file(r->draft, path, 0, &r->number, r->err);
    if (rc == RK_OK && !rk_map_put(a, &r->file, t->text, t->n, r->number))
        return rk_fail_memory(r->err);
    return rc;
}

/* Sets r->number to the shard of that name. */
static int find_file(reading *r, const rk_jtext *t)
{
    if (r->name != NULL && strcmp(r->name, t->text) == 0)
        return RK_OK;
    r->name = t->text;
    r->number = rk_map_get(&r->file, t->text, t->n);
    return r->number != RK_NONE ? RK_OK : add_file(r, t);
}

/* ---- the index -------------------------------------------------------------------------------------------------- */

static int read_tensor(reading *r)
{
    rk_jtext name, file;
    rk_stored *t;

    if (!rk_jscan_key(&r->json, &name) || !rk_jscan_text(&r->json, &file))
        return r->json.code;
    int rc = find_file(r, &file);
    if (rc == RK_OK)
        rc = rk_draft_tensor(r->draft, r->in, name.at, &t, r->err);
    if (rc == RK_OK) {
        t->name = name.text;
        t->file = r->number;
    }
    return rc;
}

static int read_map(reading *r)
{
    int rc = RK_OK;

    for (rk_jscan_enter(&r->json, '{'); rc == RK_OK && rk_jscan_more(&r->json, '}');)
        rc = read_tensor(r);
    return rc == RK_OK ? r->json.code : rc;
}

/* The metadata is small and may hold anything: the reader of configs makes a document of it. */
static int read_metadata(reading *r)
{
    rk_jtext value;

    if (!rk_jscan_skip(&r->json, &value))
        return r->json.code;
    if (value.n > RK_INDEX_METADATA_MAX)
        return rk_input_fail(r->in, r->err, RK_ELIMIT, value.at, "metadata of %zu bytes, the limit is %zu", value.n,
                             RK_INDEX_METADATA_MAX);
    int rc = rk_config_parse(r->draft->arena, "metadata", value.text, value.n, &r->draft->metadata, r->err);
    if (rc == RK_OK && r->draft->metadata->kind != RK_DOC_MAP)
        return rk_input_fail(r->in, r->err, RK_EINPUT, value.at, "metadata is no object");
    return rc == RK_OK || rc == RK_ENOMEM ? rc : rk_err_context(r->err, rc, "%s: byte %" PRIu64, r->in->name, value.at);
}

static int read_member(reading *r, const rk_jtext *key)
{
    bool *seen = rk_jtext_is(key, "weight_map") ? &r->has_map : rk_jtext_is(key, "metadata") ? &r->has_metadata : NULL;
    rk_jtext other;

    if (seen == NULL) /* what later versions may add */
        return rk_jscan_skip(&r->json, &other) ? RK_OK : r->json.code;
    if (*seen)
        return rk_input_fail(r->in, r->err, RK_EINPUT, key->at, "the key '%s' stands twice", key->text);
    *seen = true;
    return seen == &r->has_map ? read_map(r) : read_metadata(r);
}

static int read_object(reading *r)
{
    rk_jscan *j = &r->json;
    rk_jtext key;
    int rc = RK_OK;

    for (rk_jscan_enter(j, '{'); rc == RK_OK && rk_jscan_more(j, '}');) {
        if (rk_jscan_key(j, &key))
            rc = read_member(r, &key);
    }
    if (rc == RK_OK && rk_jscan_end(j) && !r->has_map)
        rk_jscan_fail(j, RK_EINPUT, 0, "an index has a weight_map; this has none");
    return rc == RK_OK ? j->code : rc;
}

static int read_index(rk_draft *d, const rk_input *in, rk_err *err)
{
    const char *slash = strrchr(in->name, '/');
    reading r = {.draft = d, .in = in, .folder = in->name, .err = err};

    if (in->size > RK_INDEX_BYTES_MAX)
        return rk_input_fail(in, err, RK_ELIMIT, 0, "an index of %" PRIu64 " bytes, the limit is %zu", in->size,
                             RK_INDEX_BYTES_MAX);
    d->index = in->name;
    r.n_folder = slash != NULL ? (size_t)(slash - in->name) + 1 : 0;
    r.json = (rk_jscan){.in = in, .n = (size_t)in->size, .err = err};
    r.json.text = rk_alloc(d->arena, r.json.n + 1);
    int rc = r.json.text != NULL ? rk_input_read(in, 0, r.json.text, r.json.n, err) : rk_fail_memory(err);
    if (rc == RK_OK)
        rc = read_object(&r);
    return rc == RK_OK ? rk_draft_sort(d, err) : rc;
}

/* ---- the shards beside it --------------------------------------------------------------------------------------- */

/* The index may place a tensor of this shard only here, and only once. */
static int check_place(const rk_draft *d, const rk_input *in, uint32_t file, const rk_stored *from, const rk_stored *to,
                       rk_err *err)
{
    const char *why = to->file != file ? "the index says it is in" : "it stands already in";

    if (to->file == file && !to->known)
        return RK_OK;
    return rk_input_fail(in, err, RK_EINPUT, from->at, "tensor '%s' is here; %s %s",
                         rk_safe_text(from->name, strlen(from->name)).text, why, d->file.at[to->file].path);
}

/* A tensor of a shard: it fills what the index has under its name, or comes last. */
static int place_tensor(rk_draft *d, const rk_input *in, uint32_t file, const rk_stored *from, rk_err *err)
{
    uint32_t number = rk_sorted_find(d->sorted, d->n_sorted, from->name, strlen(from->name));
    rk_stored *to = number != RK_NONE ? &d->tensor.at[number] : NULL;
    const char *name = to != NULL ? to->name : rk_arena_text(d->arena, from->name);
    uint64_t *shape = RK_NEW_ARRAY(d->arena, from->rank, uint64_t);
    int rc = to != NULL ? check_place(d, in, file, from, to, err) : rk_draft_tensor(d, in, from->at, &to, err);

    if (rc != RK_OK || name == NULL || shape == NULL)
        return rc != RK_OK ? rc : rk_fail_memory(err);
    memcpy(shape, from->shape, from->rank * sizeof *shape);
    *to = *from;
    to->name = name;
    to->shape = shape;
    to->file = file;
    d->n_unlisted += number == RK_NONE;
    return RK_OK;
}

/* Each shard is read into an arena of its own, so that only what is kept of it stays. */
static int read_shard(rk_draft *d, const rk_input *in, uint32_t file, rk_err *err)
{
    rk_arena scratch = {0};
    rk_draft shard = rk_draft_begin(&scratch);
    int rc = rk_safetensors_header(&shard, in, err);

    for (size_t i = 0; i < shard.tensor.n && rc == RK_OK; i++)
        rc = place_tensor(d, in, file, &shard.tensor.at[i], err);
    rk_arena_free(&scratch);
    return rc;
}

static int read_shards(rk_draft *d, rk_err *err)
{
    int rc = RK_OK;

    for (uint32_t i = 0; i < d->file.n && rc == RK_OK; i++) {
        rk_input in;
        bool there = false;

        rc = rk_input_open(&in, d->file.at[i].path, &there, err);
        if (rc != RK_OK || !there)
            continue;
        d->file.at[i].size = in.size;
        rc = read_shard(d, &in, i, err);
        rk_input_close(&in);
    }
    return rc;
}

/* A tensor that is not known though its shard is there is missing. */
static int check_complete(const rk_draft *d, const rk_input *in, rk_err *err)
{
    for (size_t i = 0; i < d->n_sorted; i++) {
        const rk_stored *t = &d->tensor.at[i];

        if (!t->known && d->file.at[t->file].size > 0)
            return rk_input_fail(in, err, RK_EINPUT, t->at, "tensor '%s' is not in %s, where the index says it is",
                                 rk_safe_text(t->name, strlen(t->name)).text, d->file.at[t->file].path);
    }
    return RK_OK;
}

int rk_safetensors_index_read(rk_arena *a, const char *path, rk_store **out, rk_err *err)
{
    rk_draft d = rk_draft_begin(a);
    rk_input in;
    int rc = rk_input_open(&in, path, NULL, err);

    if (rc != RK_OK)
        return rc;
    rc = read_index(&d, &in, err);
    if (rc == RK_OK)
        rc = read_shards(&d, err);
    if (rc == RK_OK)
        rc = check_complete(&d, &in, err);
    rk_input_close(&in);
    if (rc == RK_OK)
        rc = rk_draft_finish(&d, out, err);
    return rk_draft_end(&d, rc);
}

int rk_safetensors_index_parse(rk_arena *a, const char *name, const void *bytes, size_t n, rk_store **out, rk_err *err)
{
    rk_input in = rk_input_memory(name, bytes, n, n);
    rk_draft d = rk_draft_begin(a);
    int rc = read_index(&d, &in, err);

    if (rc == RK_OK)
        rc = rk_draft_finish(&d, out, err);
    return rk_draft_end(&d, rc);
}
