/* SPDX-License-Identifier: MIT */
#include "read/draft.h"

#include "base/str.h"
#include "read/shard.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WEIGHTS ".safetensors"
#define INDEX ".safetensors.index.json"
#define GGUF ".gguf"

/* ---- one file, by its first bytes, else by its name ------------------------------------------------------------- */

#define FIRST_BYTES 8

typedef int reader(const rk_files *files, rk_arena *a, const char *path, rk_store **out, rk_err *err);

/*
 * GGUF has its magic word.  A safetensors file begins with a length below 2³², so that its bytes 4 to 7 are zero, which
 * no text has; a length of zero says nothing, as many files begin with zeros.  An index is a JSON object.
 */
static reader *reader_of(const unsigned char *b, uint64_t size)
{
    size_t n = size < FIRST_BYTES ? (size_t)size : FIRST_BYTES;

    if (n >= 4 && memcmp(b, "GGUF", 4) == 0)
        return rk_gguf_read;
    if (n == FIRST_BYTES && memcmp(b + 4, "\0\0\0\0", 4) == 0 && memcmp(b, "\0\0\0\0", 4) != 0)
        return rk_safetensors_read;
    for (size_t i = 0; i < n; i++) {
        if (b[i] == '{')
            return rk_safetensors_index_read;
        if (b[i] == '\0' || strchr(" \t\r\n", b[i]) == NULL)
            break;
    }
    return NULL;
}

static int first_bytes(const rk_files *files, const char *path, unsigned char b[FIRST_BYTES], uint64_t *size,
                       rk_err *err)
{
    rk_input in;
    int rc = rk_files_open(files, &in, path, NULL, err);

    if (rc != RK_OK)
        return rc;
    *size = in.size;
    rc = rk_input_read(&in, 0, b, in.size < FIRST_BYTES ? (size_t)in.size : FIRST_BYTES, err);
    rk_input_close(&in);
    return rc;
}

static bool has_name_of_store(const char *path)
{
    return rk_ends_in(path, INDEX) || rk_ends_in(path, WEIGHTS) || rk_ends_in(path, GGUF);
}

bool rk_store_is(const rk_files *files, const char *path)
{
    unsigned char b[FIRST_BYTES];
    uint64_t size = 0;

    if (has_name_of_store(path))
        return true;
    if (rk_ends_in(path, ".json"))
        return false;
    /* Looking into a pipe would take from it. */
    if (rk_files_kind(files, path) != RK_PATH_FILE || first_bytes(files, path, b, &size, NULL) != RK_OK)
        return false;
    reader *read = reader_of(b, size);
    return read == rk_gguf_read || read == rk_safetensors_read;
}

static int read_file(const rk_files *files, rk_arena *a, const char *path, rk_store **out, rk_err *err)
{
    unsigned char b[FIRST_BYTES];
    uint64_t size = 0;
    int rc = first_bytes(files, path, b, &size, err);

    if (rc != RK_OK)
        return rc;
    reader *read = reader_of(b, size);
    /* A file whose bytes do not say what it is shall at least say what is wrong with it. */
    if (read == NULL && rk_ends_in(path, INDEX))
        read = rk_safetensors_index_read;
    else if (read == NULL && rk_ends_in(path, WEIGHTS))
        read = rk_safetensors_read;
    else if (read == NULL && rk_ends_in(path, GGUF))
        read = rk_gguf_read;
    if (read == NULL)
        return rk_fail(err, RK_EINPUT, "%s: byte 0: neither safetensors, nor its index, nor GGUF (%" PRIu64 " bytes)",
                       path, size);
    return read(files, a, path, out, err);
}

/* ---- a folder --------------------------------------------------------------------------------------------------- */

typedef struct listing {
    const rk_files *files;
    rk_arena *arena; /* of the names alone */
    const char *path;
    RK_VEC(const char *) name; /* sorted */
    rk_err *err;
} listing;

static int compare_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A file that matters, with a name that is safe to print. */
static int note_file(void *self, const char *name, rk_err *err)
{
    listing *l = self;
    const char *copy, **slot;

    if (name[0] == '.' || !has_name_of_store(name) || !rk_is_safe(name, strlen(name)))
        return RK_OK;
    if (l->name.n == RK_STORE_FILES_MAX)
        return rk_fail(err, RK_ELIMIT, "%s: over %u files of tensors", l->path, RK_STORE_FILES_MAX);
    copy = rk_arena_text(l->arena, name);
    slot = RK_PUSH(l->arena, &l->name);
    if (copy == NULL || slot == NULL)
        return rk_fail_memory(err);
    *slot = copy;
    return RK_OK;
}

static int list_folder(listing *l)
{
    int rc = rk_files_list(l->files, l->path, note_file, l, NULL, l->err);

    if (rc == RK_OK && l->name.n > 0)
        qsort(l->name.at, l->name.n, sizeof *l->name.at, compare_text);
    return rc;
}

/*
 * The one file or set of shards that ends so, by its first name; NULL: there are *n, and that is not one.  With a
 * prefix, only shards of the set that is named so.
 */
static const char *only(const listing *l, const char *prefix, const char *suffix, size_t *n)
{
    const char *found = NULL, *last = NULL;
    rk_shard of_last = {0};

    *n = 0;
    for (size_t i = 0; i < l->name.n; i++) {
        const char *name = l->name.at[i];
        rk_shard s = {0};
        bool is_shard = rk_shard_parse(name, suffix, &s);

        if (!rk_ends_in(name, suffix) ||
            (prefix != NULL && (!is_shard || s.n_prefix != strlen(prefix) || strncmp(name, prefix, s.n_prefix) != 0)))
            continue;
        *n += last == NULL || !is_shard || s.of != of_last.of || s.n_prefix != of_last.n_prefix ||
              strncmp(name, last, s.n_prefix) != 0;
        found = found != NULL ? found : name;
        last = name;
        of_last = s;
    }
    return *n == 1 ? found : NULL;
}

static bool is_there(const listing *l, const char *name)
{
    return l->name.n > 0 && bsearch(&name, l->name.at, l->name.n, sizeof name, compare_text) != NULL;
}

/* Which file of the folder is meant, the first of: see rk_store_read. */
static const char *choose(const listing *l)
{
    size_t n_index, n_shards, n_weights, n_gguf;
    const char *index = only(l, NULL, INDEX, &n_index), *shards = only(l, "model", WEIGHTS, &n_shards);
    const char *weights = only(l, NULL, WEIGHTS, &n_weights), *gguf = only(l, NULL, GGUF, &n_gguf);

    if (is_there(l, "model" WEIGHTS))
        return "model" WEIGHTS;
    if (is_there(l, "model" INDEX))
        return "model" INDEX;
    if (n_index > 0)
        return index;
    if (n_shards > 0)
        return shards;
    return n_weights > 0 ? weights : gguf;
}

static const char *path_in(listing *l, const char *name)
{
    return rk_arena_format(l->arena, "%s%s%s", l->path, rk_ends_in(l->path, "/") ? "" : "/", name);
}

static int read_shards(rk_arena *a, listing *l, const char *first, const rk_shard *s, rk_store **out)
{
    const char **path = RK_NEW_ARRAY(l->arena, s->of, const char *);

    if (path == NULL)
        return rk_fail_memory(l->err);
    for (unsigned i = 0; i < s->of; i++) {
        const char *name = rk_shard_path(l->arena, first, s, i + 1, WEIGHTS);

        if (name == NULL || (path[i] = path_in(l, name)) == NULL)
            return rk_fail_memory(l->err);
        if (!is_there(l, name))
            return rk_fail(l->err, RK_EINPUT, "%s: is not there, and it is one of %u shards", path[i], s->of);
    }
    return rk_safetensors_shards_read(l->files, a, path, s->of, out, l->err);
}

static int read_chosen(rk_arena *a, listing *l, rk_store **out)
{
    const char *name = choose(l);
    rk_shard s;

    if (l->name.n == 0)
        return rk_fail(l->err, RK_EINPUT, "%s: holds no " WEIGHTS ", no " INDEX " and no " GGUF " file", l->path);
    if (name == NULL)
        return rk_fail(l->err, RK_EINPUT, "%s: holds several checkpoints (%s, %s …): name one of them", l->path,
                       l->name.at[0], l->name.at[l->name.n > 1 ? 1 : 0]);
    if (rk_shard_parse(name, WEIGHTS, &s)) {
        if (s.of > RK_STORE_FILES_MAX)
            return rk_fail(l->err, RK_ELIMIT, "%s: %s is one of over %u shards", l->path, name, RK_STORE_FILES_MAX);
        return read_shards(a, l, name, &s, out);
    }
    const char *path = path_in(l, name);
    return path != NULL ? read_file(l->files, a, path, out, l->err) : rk_fail_memory(l->err);
}

unsigned rk_store_part(const rk_store *s, unsigned *of)
{
    rk_shard shard;

    if (s->n_file != 1 || !rk_shard_parse(s->file[0].path, WEIGHTS, &shard) || shard.of == 1)
        return 0;
    *of = shard.of;
    return shard.number;
}

/* ---- either ----------------------------------------------------------------------------------------------------- */

int rk_store_read(const rk_files *files, rk_arena *a, const char *path, rk_store **out, rk_err *err)
{
    rk_arena names = {0};
    listing l = {.files = files, .arena = &names, .path = path, .err = err};

    if (rk_files_kind(files, path) != RK_PATH_FOLDER)
        return read_file(files, a, path, out, err);
    int rc = list_folder(&l);
    if (rc == RK_OK)
        rc = read_chosen(a, &l, out);
    rk_arena_free(&names);
    return rc;
}
