/* SPDX-License-Identifier: MIT */
#include "read/hub.h"

#include "read/input.h"

#include <stdlib.h>
#include <string.h>

/* ---- the name --------------------------------------------------------------------------------------------------- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* One side of the slash: letters, digits and _, with single . and - between them. */
static bool is_part(const char *s, size_t n)
{
    if (n == 0 || n > RK_HUB_NAME_MAX || s[0] == '-' || s[0] == '.' || s[n - 1] == '-' || s[n - 1] == '.')
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!is_letter(s[i]) && s[i] != '-' && s[i] != '.')
            return false;
        if (i > 0 && !is_letter(s[i]) && s[i] == s[i - 1]) /* "--" stands for the slash in names of folders */
            return false;
    }
    return true;
}

bool rk_hub_is_name(const char *word)
{
    size_t n = strcspn(word, "/");

    return is_part(word, n) && (word[n] == '\0' || is_part(word + n + 1, strlen(word + n + 1)));
}

/* ---- the cache -------------------------------------------------------------------------------------------------- */

/* Variables in the order in which they count, and where the cache is below what they say. */
static const struct {
    const char *variable, *below;
} place[] = {
    {"HF_HUB_CACHE", ""},
    {"HUGGINGFACE_HUB_CACHE", ""},
    {"HF_HOME", "/hub"},
    {"XDG_CACHE_HOME", "/huggingface/hub"},
    {"HOME", "/.cache/huggingface/hub"},
};

static int find_cache(rk_arena *a, const char **out, const char **variable, rk_err *err)
{
    for (size_t i = 0; i < sizeof place / sizeof *place; i++) {
        const char *value = getenv(place[i].variable), *home = getenv("HOME");

        if (value == NULL || value[0] == '\0')
            continue;
        /* A leading "~" stands for the home folder. */
        bool is_home = value[0] == '~' && (value[1] == '\0' || value[1] == '/') && home != NULL;
        *variable = place[i].variable;
        *out = rk_arena_format(a, "%s%s%s", is_home ? home : "", value + is_home, place[i].below);
        return *out != NULL ? RK_OK : rk_fail_memory(err);
    }
    return rk_fail(err, RK_EINPUT, "no cache: neither HF_HUB_CACHE, HF_HOME, XDG_CACHE_HOME nor HOME is set");
}

/* ---- the snapshot ----------------------------------------------------------------------------------------------- */

#define REVISION_MAX 128 /* of a commit's name; a SHA-1 has 40 */

/* The name of a commit, which becomes part of a path. */
static bool is_revision(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!is_letter(s[i]))
            return false;
    }
    return n > 0;
}

/* Reads refs/main; *there: whether it exists. */
static int read_ref(const rk_files *files, rk_arena *a, const char *path, bool *there, const char **out, rk_err *err)
{
    rk_input in;
    int rc = rk_files_open(files, &in, path, there, err);

    if (rc != RK_OK || !*there)
        return rc;
    size_t n = in.size <= REVISION_MAX ? (size_t)in.size : 0;
    char *text = rk_alloc(a, n + 1);
    rc = text != NULL ? rk_input_read(&in, 0, text, n, err) : rk_fail_memory(err);
    rk_input_close(&in);
    if (rc != RK_OK)
        return rc;
    while (n > 0 && (text[n - 1] == '\n' || text[n - 1] == ' ' || text[n - 1] == '\r'))
        text[--n] = '\0';
    if (!is_revision(text, n))
        return rk_fail(err, RK_EINPUT, "%s: byte 0: does not name a commit (%d letters and digits at most)", path,
                       REVISION_MAX);
    *out = text;
    return RK_OK;
}

typedef struct revisions {
    rk_arena *arena;
    const char *last;
    size_t n;
} revisions;

static int note_snapshot(void *self, const char *name, rk_err *err)
{
    revisions *s = self;

    if (!is_revision(name, strlen(name)))
        return RK_OK;
    s->last = rk_arena_text(s->arena, name);
    s->n++;
    return s->last != NULL ? RK_OK : rk_fail_memory(err);
}

/* The only folder in snapshots; an error when there are none or several. */
static int only_snapshot(const rk_files *files, rk_arena *a, const char *folder, const char **out, rk_err *err)
{
    revisions s = {.arena = a};
    bool opened = false;
    int rc = rk_files_list(files, folder, note_snapshot, &s, &opened, err);

    if (rc == RK_EIO && !opened) { /* a cache that is not whole */
        if (err != NULL)
            err->code = RK_EINPUT;
        return RK_EINPUT;
    }
    if (rc != RK_OK)
        return rc;
    *out = s.last;
    return s.n == 1
               ? RK_OK
               : rk_fail(err, RK_EINPUT, "%s: holds %zu snapshots, and refs/main beside it does not say which is meant",
                         folder, s.n);
}

static int find_snapshot(const rk_files *files, rk_arena *a, const char *model, const char **out, rk_err *err)
{
    const char *ref = rk_arena_format(a, "%s/refs/main", model), *commit = NULL;
    const char *snapshots = rk_arena_format(a, "%s/snapshots", model);
    bool there = false;

    if (ref == NULL || snapshots == NULL)
        return rk_fail_memory(err);
    int rc = read_ref(files, a, ref, &there, &commit, err);
    if (rc == RK_OK && !there)
        rc = only_snapshot(files, a, snapshots, &commit, err);
    if (rc != RK_OK)
        return rc;
    const char *folder = rk_arena_format(a, "%s/%s", snapshots, commit);
    if (folder == NULL)
        return rk_fail_memory(err);
    if (rk_files_kind(files, folder) != RK_PATH_FOLDER)
        return rk_fail(err, RK_EINPUT, "%s: is not there, though %s names it", folder, ref);
    *out = folder;
    return RK_OK;
}

static int find(const rk_files *files, rk_arena *a, const char *name, const char **folder, rk_err *err)
{
    const char *cache = NULL, *variable = NULL;
    int rc = find_cache(a, &cache, &variable, err);

    if (rc != RK_OK)
        return rc;
    size_t n = strcspn(name, "/");
    const char *model = rk_arena_format(a, "%s/models--%.*s%s%s", cache, (int)n, name, name[n] != '\0' ? "--" : "",
                                        name + n + (name[n] != '\0'));
    if (model == NULL)
        return rk_fail_memory(err);
    if (rk_files_kind(files, model) != RK_PATH_FOLDER)
        return rk_fail(err, RK_EINPUT, "%s: not in the local cache, and nothing is fetched; looked for %s (%s is set)",
                       name, model, variable);
    return find_snapshot(files, a, model, folder, err);
}

int rk_hub_find(const rk_files *files, rk_arena *a, const char *name, const char **folder, rk_err *err)
{
    rk_arena_mark mark = rk_arena_here(a);

    if (!rk_hub_is_name(name))
        return rk_fail(err, RK_EINPUT, "'%s' is no name of a model (ORG/NAME)", rk_safe_text(name, strlen(name)).text);
    if (!rk_files_has_disk(files))
        return rk_fail(err, RK_EINPUT, "%s: is not among the files that are given, and there is no disk to look on",
                       name);
    int rc = find(files, a, name, folder, err);
    if (rc != RK_OK)
        rk_arena_rewind(a, mark);
    return rc;
}
