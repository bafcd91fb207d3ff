/* SPDX-License-Identifier: MIT */
#include "plan/find.h"

#include "lang/source.h"
#include "plan/nearest.h"
#include "read/hub.h"

#include <ctype.h>
#include <string.h>

bool rk_find_is_path(const rk_files *files, const char *word)
{
    return strchr(word, '/') || rk_ends_in(word, ".rk") || rk_ends_in(word, ".json") || rk_store_is(files, word) ||
           rk_files_kind(files, word) != RK_PATH_NONE;
}

static bool is_there(const rk_finding *f, const char *path)
{
    return rk_files_kind(f->library->files, path) != RK_PATH_NONE;
}

/* ---- names of models -------------------------------------------------------------------------------------------- */

static const char *base_name(const char *path, size_t *n)
{
    const char *base = path;

    while (*n > 1 && path[*n - 1] == '/')
        --*n;
    for (size_t i = 0; i + 1 < *n; i++)
        if (path[i] == '/')
            base = path + i + 1;
    *n -= (size_t)(base - path);
    return base;
}

/* llama.config.json is called llama, and x/llama/config.json too. */
static const char *name_of_path(rk_arena *a, const char *path)
{
    static const char *const end[] = {".rk", ".json", ".config", ".index", ".safetensors", ".gguf"};
    /* Files that are called so in every folder: the folder has the name. */
    static const char *const common[] = {"config.json", "model.safetensors", "model.safetensors.index.json"};
    size_t n = strlen(path);
    const char *file = base_name(path, &n), *base = file;

    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        if (file > path && base == file && n == strlen(common[i]) && strncmp(file, common[i], n) == 0) {
            n = (size_t)(file - path);
            base = base_name(path, &n);
        }
    for (size_t i = 0; i < sizeof end / sizeof *end; i++) {
        size_t m = strlen(end[i]);

        if (n > m && strncmp(base + n - m, end[i], m) == 0)
            n -= m;
    }
    return rk_arena_copy(a, base, n);
}

/* ---- words to texts --------------------------------------------------------------------------------------------- */

static int fail_unknown_model(const rk_library *l, rk_arena *a, const char *name, rk_err *err)
{
    rk_nearest near = {.word = name};
    char hint[RK_NEAREST_HINT_MAX];
    rk_library_entry *e = NULL;
    size_t n = 0;
    int code = rk_library_list(l, a, &e, &n, err);

    for (size_t i = 0; i < n && code == RK_OK; i++)
        rk_nearest_try(&near, e[i].name);
    /* A model file may be for several families, of which its name is one. */
    for (size_t i = 0; i < n && !e[i].is_config && code == RK_OK; i++) {
        const char **family;
        size_t n_family;
        rk_text t;

        code = rk_library_read_families(l, a, &e[i], &t, &family, &n_family, err);
        for (size_t k = 0; code == RK_OK && k < n_family; k++)
            rk_nearest_try(&near, family[k]);
    }
    if (code != RK_OK)
        return code;
    return rk_fail(err, RK_EINPUT, "no model is called '%s'%s", name,
                   near.best ? rk_nearest_hint(&near, hint) : " ('reckon models' lists them)");
}

int rk_find_named(const rk_library *l, rk_arena *a, const char *name, rk_text *out, bool *is_config, rk_err *err)
{
    rk_text t = {0};
    /* gpt2 is a family and the smallest of its models: the model is meant, the family could not be counted alone. */
    int code = rk_library_config(l, a, name, &t, err);

    *is_config = code == RK_OK && t.text;
    if (code == RK_OK && !t.text)
        code = rk_library_model(l, a, name, &t, err);
    if (code == RK_OK && !t.text)
        code = rk_library_family(l, a, name, &t, err);
    if (code == RK_OK && !t.text)
        code = fail_unknown_model(l, a, name, err);
    if (code == RK_OK)
        *out = t;
    return code;
}

int rk_find_read(rk_finding *f, const char *path, size_t most, rk_text *out)
{
    char *text = NULL;
    size_t n = 0;
    int code = rk_files_read(f->library->files, f->arena, path, most, &text, &n, f->err);

    if (code != RK_OK)
        return code;
    *out = (rk_text){strcmp(path, "-") == 0 ? "standard input" : path, text, n};
    return RK_OK;
}

static int read_config(rk_finding *f, const char *path)
{
    int code = rk_find_read(f, path, RK_CONFIG_BYTES_MAX, &f->config);

    if (code == RK_OK)
        f->name = strcmp(path, "-") == 0 ? "standard input" : name_of_path(f->arena, path);
    return code;
}

static int find_named(rk_finding *f, const char *name)
{
    rk_text t = {0};
    bool is_config = false;
    const char **family = NULL;
    size_t n = 0, i = 1;
    int code = rk_find_named(f->library, f->arena, name, &t, &is_config, f->err);

    if (code != RK_OK)
        return code;
    f->name = name;
    f->in_library = true;
    if (is_config) {
        f->config = t;
        return RK_OK;
    }
    f->model = t;
    f->is_family = true;
    /* What a file does for a family that is not its first depends on the model_type, which stands in no config here. */
    code = rk_library_families(f->arena, &t, &family, &n, f->err);
    while (i < n && strcmp(family[i], name) != 0)
        i++;
    if (code != RK_OK || i >= n)
        return code;
    f->config.text = rk_arena_format(f->arena, "{\"model_type\": \"%s\"}", name);
    f->config.name = rk_arena_format(f->arena, "the family %s", name);
    if (!f->config.text || !f->config.name)
        return rk_fail_memory(f->err);
    f->config.n = strlen(f->config.text);
    return RK_OK;
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------ */

static const char *config_in(rk_finding *f, const char *folder)
{
    return rk_arena_format(f->arena, "%s%sconfig.json", folder,
                           folder[0] == '\0' || rk_ends_in(folder, "/") ? "" : "/");
}

/* A file of tensors alone: its config stands beside it, as in every published folder, or nowhere. */
static int find_beside(rk_finding *f, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = f->name, *config;
    char *folder = rk_arena_copy(f->arena, path, slash ? (size_t)(slash - path) + 1 : 0);
    int code;

    if (!folder || !(config = config_in(f, folder)))
        return rk_fail_memory(f->err);
    if (!is_there(f, config))
        return RK_OK;
    code = read_config(f, config);
    f->name = name;
    return code;
}

static int read_store(rk_finding *f, const char *path)
{
    int code = rk_store_read(f->library->files, f->arena, path, &f->store, f->err);

    f->store_name = path;
    f->name = name_of_path(f->arena, path);
    return code;
}

bool rk_find_is_folder(const rk_files *files, const char *path)
{
    return rk_files_kind(files, path) == RK_PATH_FOLDER;
}

/* The config of a folder stands for it; a folder without one, for its tensors. */
static int find_folder(rk_finding *f, const char *folder)
{
    const char *config = config_in(f, folder);
    rk_err none = {0}, *err = f->err;
    const char *said = none.message;
    size_t n = strlen(folder);
    int code;

    if (!config)
        return rk_fail_memory(f->err);
    if (is_there(f, config)) {
        code = f->want == RK_FIND_BOTH ? read_store(f, folder) : RK_OK;
        return code == RK_OK ? read_config(f, config) : code;
    }
    f->err = &none;
    code = read_store(f, folder);
    f->err = err;
    if (code == RK_OK)
        return RK_OK;
    /* A message that begins with the folder says it again. */
    if (strncmp(none.message, folder, n) == 0 && strncmp(none.message + n, ": ", 2) == 0)
        said += n + 2;
    return rk_fail(err, code, "%s: has no config.json; as a checkpoint: %s", folder, said);
}

/* ORG/NAME means a model of the cache where there is no such path. */
static int find_in_hub(rk_finding *f, const char *word)
{
    const char *folder = NULL, *slash = strrchr(word, '/');
    int code = rk_hub_find(f->library->files, f->arena, word, &folder, f->err);

    if (code == RK_EINPUT) {
        /* A model that is not in the cache may be one that the library has, whose names are in small letters. */
        char *low = rk_arena_text(f->arena, slash + 1);
        rk_text t = {0};
        rk_err hub = *f->err;

        for (char *c = low; c && *c; c++)
            *c = (char)tolower((unsigned char)*c);
        if (low && rk_library_config(f->library, f->arena, low, &t, NULL) == RK_OK && t.text)
            return rk_fail(f->err, code, "%s; '%s' is known by name", hub.message, low);
    }
    if (code != RK_OK)
        return code;
    code = find_folder(f, folder);
    if (code == RK_OK)
        f->name = slash + 1;
    return code;
}

static bool ends_in_one_of(const char *word, const char *const *ending)
{
    while (*ending && !rk_ends_in(word, *ending))
        ending++;
    return *ending != NULL;
}

/* What people try that is no model, and what to try instead; RK_OK: it is nothing of that kind. */
static int check_kind(const rk_finding *f, const char *word)
{
    static const char *const pickle[] = {".pt", ".pth", ".bin", ".ckpt", ".pkl", NULL};
    static const char *const text[] = {".md", ".txt", ".tex", ".rst", NULL};
    bool config = rk_ends_in(word, ".json");
    size_t n = strlen(word);

    n -= n > 0 && word[n - 1] == '/';
    if (strncmp(word, "https://", 8) == 0 || strncmp(word, "http://", 7) == 0)
        return rk_fail(f->err, RK_EINPUT,
                       "an address is not read; its config can be piped in: curl -sL %.*s%s | reckon -", (int)n, word,
                       config ? "" : "/resolve/main/config.json");
    if (ends_in_one_of(word, pickle) && !rk_find_is_folder(f->library->files, word))
        return rk_fail(
            f->err, RK_EINPUT,
            "%s: a pickle runs code when it is read, and is not read here; give the config.json beside it, or "
            "a .safetensors",
            word);
    if (ends_in_one_of(word, text))
        return rk_fail(f->err, RK_EINPUT, "%s: a text is no model; what it says of one is read by 'reckon check %s'",
                       word, word);
    return RK_OK;
}

int rk_find(rk_finding *f, const char *word)
{
    const rk_files *files = f->library->files;
    int code = check_kind(f, word);

    if (code != RK_OK)
        return code;
    if (strcmp(word, "-") == 0)
        return read_config(f, word);
    if (!rk_find_is_path(files, word))
        return find_named(f, word);
    if (rk_ends_in(word, ".rk")) {
        f->name = name_of_path(f->arena, word);
        return rk_find_read(f, word, RK_SOURCE_BYTES_MAX, &f->model);
    }
    if (rk_find_is_folder(files, word))
        return find_folder(f, word);
    if (!is_there(f, word) && !rk_ends_in(word, ".json") && strchr(word, '/') && rk_hub_is_name(word))
        return find_in_hub(f, word);
    if (!rk_store_is(files, word))
        return read_config(f, word);
    code = read_store(f, word);
    return code == RK_OK && f->want != RK_FIND_TENSORS ? find_beside(f, word) : code;
}
