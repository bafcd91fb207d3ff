/* SPDX-License-Identifier: MIT */
#include "plan/find.h"

#include "account/count.h"
#include "base/str.h"
#include "lang/source.h"
#include "plan/lookup.h"
#include "plan/open.h"
#include "read/hub.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    CANDIDATES_SHOWN = 16
};

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

/* "8.03 B" */
static void put_short(rk_str *s, rk_i128 n)
{
    static const char *const unit[] = {"", " K", " M", " B", " T"};
    size_t k = 0;
    double x = (double)n;

    for (; x >= 999.5 && k + 1 < sizeof unit / sizeof *unit; k++)
        x /= 1000;
    rk_str_format(s, "%.*f%s", k == 0 || x >= 99.95 ? 0 : x >= 9.995 ? 1 : 2, x, unit[k]);
}

typedef struct sized {
    const char *name;
    rk_i128 parameters; /* 0: it cannot be counted */
} sized;

static int by_size(const void *a, const void *b)
{
    const sized *x = a, *y = b;

    if (x->parameters != y->parameters)
        return x->parameters < y->parameters ? -1 : 1;
    return strcmp(x->name, y->name);
}

static int count_parameters(const rk_library *l, sized *s)
{
    rk_open_request r = {.word = &s->name, .n_word = 1, .library = *l};
    rk_instance *m = NULL;
    int code = rk_open(&r, &m, NULL);

    if (code == RK_OK && rk_count_stored(m->model, &s->parameters, NULL) != RK_OK)
        s->parameters = 0;
    if (code == RK_OK)
        rk_instance_free(m);
    return code == RK_ENOMEM ? code : RK_OK;
}

static void put_candidates(const sized *s, size_t n, size_t n_all, const char *word, rk_str *out)
{
    for (size_t i = 0; i < n; i++) {
        rk_str_format(out, "%s%s", i ? ", " : "", s[i].name);
        if (s[i].parameters > 0) {
            rk_str_put(out, " (");
            put_short(out, s[i].parameters);
            rk_str_putc(out, ')');
        }
    }
    if (n_all > n)
        rk_str_format(out, " and %zu more ('reckon models %s' lists them)", n_all - n, word);
}

static int fail_several(const rk_library *l, const rk_lookup *found, rk_err *err)
{
    size_t n = found->n < RK_LOOKUP_MAX ? found->n : RK_LOOKUP_MAX;
    sized candidate[RK_LOOKUP_MAX];
    rk_str names = {0};
    int code = RK_OK;

    for (size_t i = 0; i < n && code == RK_OK; i++) {
        candidate[i] = (sized){.name = found->at[i].name};
        code = count_parameters(l, &candidate[i]);
    }
    if (code != RK_OK)
        return rk_fail_memory(err);
    qsort(candidate, n, sizeof *candidate, by_size);
    put_candidates(candidate, n < CANDIDATES_SHOWN ? n : CANDIDATES_SHOWN, found->n, found->word, &names);
    if (found->n > 1)
        code = rk_fail(err, RK_EINPUT, "'%s' may be one of %zu models, say which: %s", found->word, found->n,
                       rk_str_text(&names));
    else
        code = rk_fail(err, RK_EINPUT, "no model is called '%s'; one begins so: %s", found->word, rk_str_text(&names));
    rk_str_free(&names);
    return code;
}

/* The name that has the most of a word's first words, and how many bytes of it these are; NULL: none has any. */
static const char *find_words(const char *word, const rk_library_entry *e, size_t n, size_t *most)
{
    const char *like = NULL;

    *most = 0;
    for (size_t i = 0; i < n; i++) {
        size_t words = rk_alike_words(word, e[i].name);

        like = words > *most ? e[i].name : like;
        *most = words > *most ? words : *most;
    }
    return like;
}

/* Where nothing is near: what is known that begins alike. */
static int fail_unknown(const rk_lookup *found, const rk_library_entry *e, size_t n, rk_err *err)
{
    char hint[RK_NEAREST_HINT_MAX];
    const char *like;
    size_t most;

    if (found->near.best && found->word[0] != '-') /* an option is no slip of a name */
        return rk_fail(err, RK_EINPUT, "no model is called '%s'%s", found->word, rk_nearest_hint(&found->near, hint));
    like = find_words(found->word, e, n, &most);
    if (!like)
        return rk_fail(err, RK_EINPUT, "no model is called '%s' ('reckon models' lists them)", found->word);
    return rk_fail(err, RK_EINPUT,
                   "no model is called '%s' ('reckon models %.*s' lists those known by name; of any other, its "
                   "config.json is read)",
                   found->word, (int)most, like);
}

/* A model file may be for several families, of which its name is one. */
static int try_families(const rk_library *l, rk_arena *a, const rk_library_entry *e, size_t n, rk_lookup *found,
                        rk_err *err)
{
    int code = RK_OK;

    for (size_t i = 0; i < n && !e[i].is_config && code == RK_OK; i++) {
        const char **family;
        size_t n_family;
        rk_text t;

        code = rk_library_read_families(l, a, &e[i], &t, &family, &n_family, err);
        if (code == RK_OK && n_family > 0)
            rk_lookup_try(found, e[i].name, strlen(e[i].name), e[i].name, &e[i]);
        for (size_t k = 0; code == RK_OK && k < n_family; k++)
            rk_lookup_try(found, family[k], strlen(family[k]), family[k], &e[i]);
    }
    return code;
}

int rk_find_family(const rk_library *l, rk_arena *a, const char *name, rk_called *out, rk_err *err)
{
    rk_lookup found = {.word = name};
    const rk_candidate *one;
    rk_library_entry *e = NULL;
    size_t n = 0;
    int code;

    *out = (rk_called){.name = name};
    code = rk_library_model(l, a, name, &out->text, err); /* most are called as their file is */
    if (code != RK_OK || out->text.text)
        return code;
    code = rk_library_list(l, a, &e, &n, err);
    if (code == RK_OK)
        code = try_families(l, a, e, n, &found, err);
    one = found.best >= RK_ALIKE_SAME ? rk_lookup_one(&found) : NULL;
    out->name = one ? one->name : name;
    if (code == RK_OK && one)
        return rk_library_get(l, a, ((const rk_library_entry *)one->what)->path, &out->text, err);
    /* LlamaForCausalLM */
    return code == RK_OK && isupper((unsigned char)name[0]) ? rk_library_family(l, a, name, &out->text, err) : code;
}

/* Whether a number of parameters is called so: 1.558 billion are 1.5b, and 109 million 110m. */
static bool is_called(rk_i128 parameters, double size)
{
    return (double)parameters > 0.95 * size && (double)parameters < 1.05 * size;
}

/*
 * A size may be said that the name has not, if the model has it: phi4:14b.  The smallest of several, whose names go on
 * with sizes, may be called small: gpt2-small.
 */
static int find_sized(const rk_library *l, const char *name, const rk_library_entry *e, size_t n, const char **out)
{
    rk_alike best = RK_ALIKE_NOT, of_least = RK_ALIKE_NOT;
    sized least = {0};
    char rest[RK_ALIKE_MAX], other[RK_ALIKE_MAX];
    size_t found = 0, others = 0;
    double size, own;
    int code = RK_OK;

    *out = NULL;
    if (!rk_alike_size(name, rest, &size))
        return RK_OK;
    for (size_t i = 0; i < n && code == RK_OK; i++) {
        rk_alike like = e[i].is_config ? rk_alike_of(rest, e[i].name, strlen(e[i].name)) : RK_ALIKE_NOT;
        sized s = {.name = e[i].name};

        if (like < RK_ALIKE_PREFIX)
            continue;
        code = count_parameters(l, &s);
        others++;
        if (others == 1 || s.parameters < least.parameters) {
            least = s;
            of_least = like;
        }
        if (like < best || !is_called(s.parameters, size) || rk_alike_size(s.name, other, &own))
            continue;
        found = like > best ? 1 : found + 1;
        best = like;
        *out = s.name;
    }
    if (size == 0)
        *out = others > 1 && of_least >= RK_ALIKE_SAME ? least.name : NULL;
    else if (found != 1)
        *out = NULL;
    return code;
}

static int take_config(const rk_library *l, rk_arena *a, const char *name, const char *known, rk_called *out,
                       rk_err *err)
{
    *out = (rk_called){.name = known,
                       .is_config = true,
                       .is_other = rk_alike_of(name, known, strlen(known)) < RK_ALIKE_SAME,
                       .is_packed = rk_alike_is_packed(name) && !rk_alike_is_packed(known)};
    return rk_library_config(l, a, known, &out->text, err);
}

/* Each model by its name, and by what else it is called. */
static int try_configs(const rk_library *l, rk_arena *a, const rk_library_entry *e, size_t n, rk_lookup *found,
                       rk_err *err)
{
    int code = RK_OK;

    for (size_t i = 0; i < n && code == RK_OK; i++) {
        const char **also = NULL;
        size_t n_also = 0;

        if (!e[i].is_config)
            continue;
        rk_lookup_try(found, e[i].name, strlen(e[i].name), e[i].name, &e[i]);
        code = rk_library_also(l, a, &e[i], &also, &n_also, err);
        for (size_t k = 0; code == RK_OK && k < n_also; k++)
            rk_lookup_try(found, also[k], strlen(also[k]), e[i].name, &e[i]);
    }
    return code;
}

/* What is not called so to the letter: a model spelled otherwise, a family, a model of a like name. */
static int find_alike(const rk_library *l, rk_arena *a, const char *name, rk_called *out, rk_err *err)
{
    rk_lookup found = {.word = name};
    const rk_candidate *one;
    const char *of_size = NULL;
    rk_library_entry *e = NULL;
    size_t n = 0;
    int code = rk_library_list(l, a, &e, &n, err);

    if (code == RK_OK)
        code = try_configs(l, a, e, n, &found, err);
    if (code == RK_OK && found.best < RK_ALIKE_SAME)
        code = rk_find_family(l, a, name, out, err);
    if (code != RK_OK || out->text.text)
        return code;
    one = rk_lookup_one(&found);
    if (!one && found.n == 0 && (code = find_sized(l, name, e, n, &of_size)) != RK_OK)
        return rk_fail_memory(err);
    if (one || of_size)
        return take_config(l, a, name, one ? one->name : of_size, out, err);
    if (!err)
        return RK_EINPUT;
    if (found.n > 0)
        return fail_several(l, &found, err);
    code = try_families(l, a, e, n, &found, err); /* for what is near */
    return code == RK_OK ? fail_unknown(&found, e, n, err) : code;
}

int rk_find_named(const rk_library *l, rk_arena *a, const char *name, rk_called *out, rk_err *err)
{
    rk_called named = {.name = name, .is_config = true};
    /* gpt2 is a family and the smallest of its models: the model is meant, the family could not be counted alone. */
    int code = rk_library_config(l, a, name, &named.text, err);

    if (code == RK_OK && !named.text.text)
        code = find_alike(l, a, name, &named, err);
    if (code == RK_OK)
        *out = named;
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

/* The models known by name that are of a family, in a sentence; NULL: none, or no memory. */
static int note_family(rk_finding *f, const char *family)
{
    const char *quoted = rk_arena_format(f->arena, "\"%s\"", family);
    rk_library_entry *e = NULL;
    rk_str names = {0};
    size_t n = 0;
    int code = quoted ? rk_library_list(f->library, f->arena, &e, &n, f->err) : rk_fail_memory(f->err);

    for (size_t i = 0; i < n && code == RK_OK; i++) {
        rk_known known = {0};
        rk_text t = {0};

        code = e[i].is_config ? rk_library_get(f->library, f->arena, e[i].path, &t, f->err) : RK_OK;
        if (code == RK_OK && t.text && strstr(t.text, quoted)) /* most need not be read */
            code = rk_library_describe(f->library, f->arena, &e[i], &known, f->err);
        if (known.family && strcmp(known.family, family) == 0)
            rk_str_format(&names, "%s%s", names.n ? ", " : "", e[i].name);
    }
    if (code == RK_OK && names.n) {
        f->note =
            rk_arena_format(f->arena, "%s is a family; its models known by name: %s.", family, rk_str_text(&names));
        code = f->note && !names.failed ? RK_OK : rk_fail_memory(f->err);
    }
    rk_str_free(&names);
    return code;
}

/* What a file does for a family that is not its first depends on the model_type, which stands in no config here. */
static int take_family(rk_finding *f, const rk_called *named)
{
    const char **family = NULL;
    size_t n = 0, i = 1;
    int code;

    f->model = named->text;
    f->is_family = true;
    code = rk_library_families(f->arena, &f->model, &family, &n, f->err);
    while (i < n && strcmp(family[i], named->name) != 0)
        i++;
    if (code == RK_OK && n > 0)
        code = note_family(f, i < n ? family[i] : family[0]);
    if (code != RK_OK || i >= n)
        return code;
    f->config.text = rk_arena_format(f->arena, "{\"model_type\": \"%s\"}", named->name);
    f->config.name = rk_arena_format(f->arena, "the family %s", named->name);
    if (!f->config.text || !f->config.name)
        return rk_fail_memory(f->err);
    f->config.n = strlen(f->config.text);
    return RK_OK;
}

/* What is said of a model whose weights are not stored as the name says that was asked for. */
static const char *of_weights(const rk_called *named)
{
    return named->is_packed ? ", its weights in the type of the run (--weights has others)" : "";
}

static int take_named(rk_finding *f, const char *word, const rk_called *named)
{
    f->name = named->name;
    f->in_library = true;
    if (!named->is_config)
        return take_family(f, named);
    f->config = named->text;
    if (named->is_other && !f->note)
        f->note = rk_arena_format(f->arena, "No model is called '%s'; %s is the one like it%s.", word, named->name,
                                  of_weights(named));
    return f->note || !named->is_other ? RK_OK : rk_fail_memory(f->err);
}

static int find_named(rk_finding *f, const char *name)
{
    rk_called named = {0};
    int code = rk_find_named(f->library, f->arena, name, &named, f->err);

    return code == RK_OK ? take_named(f, name, &named) : code;
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

/* After what the cache lacks: those of the library that begin alike, if there are any. */
static int fail_in_hub(rk_finding *f, const char *word)
{
    char said[RK_ERR_MESSAGE_MAX];
    rk_library_entry *e = NULL;
    const char *like;
    size_t n = 0, most;

    if (!f->err || rk_library_list(f->library, f->arena, &e, &n, NULL) != RK_OK ||
        !(like = find_words(word, e, n, &most)))
        return RK_EINPUT;
    memcpy(said, f->err->message, sizeof said);
    return rk_fail(f->err, RK_EINPUT, "%s; 'reckon models %.*s' lists those known by name", said, (int)most, like);
}

/* ORG/NAME of hf.co/ORG/NAME:TAG, as it is typed elsewhere; NULL: it is no name of that kind, or no memory. */
static const char *hub_name(rk_finding *f, const char *word)
{
    const char *name = strncmp(word, "hf.co/", 6) == 0 ? word + 6 : word;

    name = rk_arena_copy(f->arena, name, strcspn(name, ":"));
    return name && strchr(name, '/') && rk_hub_is_name(name) ? name : NULL;
}

/* ORG/NAME means a model of the cache where there is no such path. */
static int find_in_hub(rk_finding *f, const char *word, const char *name)
{
    const char *folder = NULL, *slash = strrchr(name, '/');
    rk_called named = {0};
    int code = rk_hub_find(f->library->files, f->arena, name, &folder, f->err);

    /* A model that is not in the cache may be one that the library has. */
    if (code == RK_EINPUT && rk_find_named(f->library, f->arena, word, &named, NULL) == RK_OK && named.is_config) {
        f->note = rk_arena_format(f->arena, "%s is not in the local cache; this is %s, known by name%s.", word,
                                  named.name, of_weights(&named));
        return f->note ? take_named(f, word, &named) : rk_fail_memory(f->err);
    }
    if (code != RK_OK)
        return code == RK_EINPUT ? fail_in_hub(f, word) : code;
    code = find_folder(f, folder);
    if (code == RK_OK)
        f->name = slash + 1;
    return code;
}

/* Nothing is fetched, but what an address ends in may be known by name. */
static int find_address(rk_finding *f, const char *word)
{
    rk_called named = {0};
    size_t n = strlen(word) - rk_ends_in(word, "/");
    const char *address = rk_arena_copy(f->arena, word, n);

    if (!address)
        return rk_fail_memory(f->err);
    if (rk_find_named(f->library, f->arena, address, &named, NULL) != RK_OK || !named.is_config)
        return rk_fail(f->err, RK_EINPUT,
                       "an address is not read; its config can be piped in: curl -sL %s%s | reckon -", address,
                       rk_ends_in(word, ".json") ? "" : "/resolve/main/config.json");
    f->note = rk_arena_format(f->arena, "An address is not read; this is %s, known by name%s.", named.name,
                              of_weights(&named));
    return f->note ? take_named(f, word, &named) : rk_fail_memory(f->err);
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
    const char *name;
    int code;

    if (strncmp(word, "https://", 8) == 0 || strncmp(word, "http://", 7) == 0)
        return find_address(f, word);
    code = check_kind(f, word);
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
    if (!is_there(f, word) && !rk_ends_in(word, ".json") && (name = hub_name(f, word)))
        return find_in_hub(f, word, name);
    if (!rk_store_is(files, word))
        return read_config(f, word);
    code = read_store(f, word);
    return code == RK_OK && f->want != RK_FIND_TENSORS ? find_beside(f, word) : code;
}
