/* SPDX-License-Identifier: MIT */
#include "base/map.h"
#include "read/draft.h"
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
    rk_jscan json;      /* notes what fails, also elsewhere, and then reads no further */
    const char *folder; /* the index's path up to and with its last slash */
    size_t n_folder;
    rk_map file;      /* names of shards to their numbers */
    const char *name; /* that of the last tensor, and its number: neighbours mostly share a shard */
    uint32_t number;
    bool has_metadata, has_map;
} reading;

/* ---- names of shards -------------------------------------------------------------------------------------------- */

#define FILE_NAME_MAX 255 /* of most file systems */

/* A name of a file beside the index that is safe to open and to print; an index may come from a stranger. */
static bool is_file_name(const rk_jtext *t)
{
    return t->n > 0 && t->n <= FILE_NAME_MAX && t->text[0] != '.' && strchr(t->text, '/') == NULL &&
           rk_is_safe(t->text, t->n);
}

/* Sets r->number to the shard of that name. */
static bool find_file(reading *r, const rk_jtext *t)
{
    rk_arena *a = r->draft->arena;
    rk_jscan *j = &r->json;
    const char *path;

    if (r->name != NULL && strcmp(r->name, t->text) == 0)
        return true;
    r->name = t->text;
    r->number = rk_map_get(&r->file, t->text, t->n);
    if (r->number != RK_NONE)
        return true;
    if (!is_file_name(t))
        return rk_jscan_fail(j, RK_EINPUT, t->at, "'%s' is no name of a file beside the index",
                             rk_safe_text(t->text, t->n).text);
    path = rk_arena_format(a, "%.*s%s", (int)r->n_folder, r->folder, t->text);
    if (path == NULL)
        return rk_jscan_check(j, rk_fail_memory(j->err));
    return rk_jscan_check(j, rk_draft_file(r->draft, path, 0, &r->number, j->err)) &&
           (rk_map_put(a, &r->file, t->text, t->n, r->number) || rk_jscan_check(j, rk_fail_memory(j->err)));
}

/* ---- the index -------------------------------------------------------------------------------------------------- */

static void read_map(reading *r)
{
    rk_jscan *j = &r->json;
    rk_jtext name, file;
    rk_stored *t;

    for (rk_jscan_enter(j, '{'); rk_jscan_more(j, '}');) {
        if (!rk_jscan_key(j, &name) || !rk_jscan_text(j, &file) || !find_file(r, &file) ||
            !rk_jscan_check(j, rk_draft_tensor(r->draft, j->in, name.at, &t, j->err)))
            return;
        t->name = name.text;
        t->file = r->number;
    }
}

/* The metadata is small and may hold anything: the reader of configs makes a document of it. */
static void read_metadata(reading *r)
{
    rk_jscan *j = &r->json;
    rk_doc **out = &r->draft->metadata;
    rk_jtext value;

    if (!rk_jscan_skip(j, &value))
        return;
    if (value.n > RK_INDEX_METADATA_MAX) {
        rk_jscan_fail(j, RK_ELIMIT, value.at, "metadata of %zu bytes, the limit is %zu", value.n,
                      RK_INDEX_METADATA_MAX);
        return;
    }
    int rc = rk_config_parse(r->draft->arena, "metadata", value.text, value.n, out, j->err);
    if (rc != RK_OK && rc != RK_ENOMEM)
        rk_err_context(j->err, rc, "%s: byte %" PRIu64, j->in->name, value.at);
    if (rk_jscan_check(j, rc) && (*out)->kind != RK_DOC_MAP)
        rk_jscan_fail(j, RK_EINPUT, value.at, "metadata is no object");
}

static void read_member(reading *r, const rk_jtext *key)
{
    bool is_map = rk_jtext_is(key, "weight_map"), is_metadata = rk_jtext_is(key, "metadata");
    bool seen = (is_map && r->has_map) || (is_metadata && r->has_metadata);
    rk_jtext other;

    r->has_map |= is_map;
    r->has_metadata |= is_metadata;
    if (seen)
        rk_jscan_fail(&r->json, RK_EINPUT, key->at, "the key '%s' stands twice", key->text);
    else if (is_map)
        read_map(r);
    else if (is_metadata)
        read_metadata(r);
    else
        rk_jscan_skip(&r->json, &other); /* what later versions may add */
}

static int read_index(rk_draft *d, const rk_input *in, rk_err *err)
{
    const char *slash = strrchr(in->name, '/');
    reading r = {.draft = d, .json = {.in = in, .n = (size_t)in->size, .err = err}, .folder = in->name};
    rk_jscan *j = &r.json;
    rk_jtext key;

    if (in->size > RK_INDEX_BYTES_MAX)
        return rk_input_fail(in, err, RK_ELIMIT, 0, "an index of %" PRIu64 " bytes, the limit is %zu", in->size,
                             RK_INDEX_BYTES_MAX);
    d->index = in->name;
    r.n_folder = slash != NULL ? (size_t)(slash - in->name) + 1 : 0;
    j->text = rk_alloc(d->arena, j->n + 1);
    rk_jscan_check(j, j->text != NULL ? rk_input_read(in, 0, j->text, j->n, err) : rk_fail_memory(err));
    for (rk_jscan_enter(j, '{'); rk_jscan_more(j, '}') && rk_jscan_key(j, &key);)
        read_member(&r, &key);
    if (rk_jscan_end(j) && !r.has_map)
        rk_jscan_fail(j, RK_EINPUT, 0, "an index has a weight_map; this has none");
    return j->code == RK_OK ? rk_draft_sort(d, err) : j->code;
}

/* ---- the shards beside it --------------------------------------------------------------------------------------- */

/* A tensor of a shard: it fills what the index has under its name, or comes last. */
static int place_tensor(rk_draft *d, const rk_input *in, uint32_t file, const rk_stored *from, rk_err *err)
{
    uint32_t number = rk_sorted_find(d->sorted, d->n_sorted, from->name, strlen(from->name));
    rk_stored *to = number != RK_NONE ? &d->tensor.at[number] : NULL;
    const char *name = to != NULL ? to->name : rk_arena_text(d->arena, from->name);
    const uint64_t *shape = rk_arena_copy_array(d->arena, from->shape, from->rank, sizeof *from->shape);
    int rc = to != NULL ? RK_OK : rk_draft_tensor(d, in, from->at, &to, err);

    /* The index may place a tensor of this shard only here, and only once. */
    if (number != RK_NONE && (to->file != file || to->known))
        return rk_input_fail(in, err, RK_EINPUT, from->at, "tensor '%s' is here; %s %s",
                             rk_safe_text(from->name, strlen(from->name)).text,
                             to->file != file ? "the index says it is in" : "it stands already in",
                             d->file.at[to->file].path);
    if (rc != RK_OK || name == NULL || shape == NULL)
        return rc != RK_OK ? rc : rk_fail_memory(err);
    *to = *from;
    to->name = name;
    to->shape = shape;
    to->file = file;
    d->n_unlisted += number == RK_NONE;
    return RK_OK;
}

/* Each shard is read into an arena of its own, so that only what is kept of it stays. */
static int read_shards(rk_draft *d, const rk_files *files, rk_err *err)
{
    int rc = RK_OK;

    for (uint32_t i = 0; i < d->file.n && rc == RK_OK; i++) {
        rk_arena scratch = {0};
        rk_draft shard = rk_draft_begin(&scratch);
        rk_input in;
        bool there = false;

        rc = rk_files_open(files, &in, d->file.at[i].path, &there, err);
        if (rc != RK_OK || !there)
            continue;
        d->file.at[i].size = in.size;
        rc = rk_safetensors_header(&shard, &in, err);
        for (size_t k = 0; k < shard.tensor.n && rc == RK_OK; k++)
            rc = place_tensor(d, &in, i, &shard.tensor.at[k], err);
        rk_arena_free(&scratch);
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

int rk_safetensors_index_read(const rk_files *files, rk_arena *a, const char *path, rk_store **out, rk_err *err)
{
    rk_draft d = rk_draft_begin(a);
    rk_input in;
    int rc = rk_files_open(files, &in, path, NULL, err);

    if (rc != RK_OK)
        return rc;
    rc = read_index(&d, &in, err);
    if (rc == RK_OK)
        rc = read_shards(&d, files, err);
    if (rc == RK_OK)
        rc = check_complete(&d, &in, err);
    rk_input_close(&in);
    return rk_draft_finish(&d, rc, out, err);
}

int rk_safetensors_index_parse(rk_arena *a, const char *name, const void *bytes, size_t n, rk_store **out, rk_err *err)
{
    rk_input in = rk_input_memory(name, bytes, n, n);
    rk_draft d = rk_draft_begin(a);

    return rk_draft_finish(&d, read_index(&d, &in, err), out, err);
}
