/* SPDX-License-Identifier: MIT */
#include "plan/open.h"

#include "base/file.h"
#include "base/vec.h"
#include "plan/nearest.h"

#include <string.h>
#include <sys/stat.h>

/* Everything found on the way; lives as long as one call of rk_open. */
typedef struct opening {
    rk_arena arena;
    const rk_open_request *request;
    const rk_library *library;
    const char *name; /* what the model is called in reports */
    rk_text model, config;
    RK_VEC(const char *) from_library; /* names of the files that came from there: they use only each other */
    rk_err *err;
} opening;

static bool ends_in(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n >= m && strcmp(text + n - m, end) == 0;
}

bool rk_open_is_path(const char *word)
{
    struct stat st;

    return strchr(word, '/') || ends_in(word, ".rk") || ends_in(word, ".json") || stat(word, &st) == 0;
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

static size_t without(const char *base, size_t n, const char *end)
{
    size_t m = strlen(end);

    return n > m && strncmp(base + n - m, end, m) == 0 ? n - m : n;
}

/* llama.config.json is called llama, and x/llama/config.json too. */
static const char *name_of_path(rk_arena *a, const char *path)
{
    static const char *const end[] = {".rk", ".json", ".config"};
    size_t n = strlen(path);
    const char *base = base_name(path, &n);

    if (base > path && n == strlen("config.json") && strncmp(base, "config.json", n) == 0) {
        n = (size_t)(base - path);
        base = base_name(path, &n);
    }
    for (size_t i = 0; i < sizeof end / sizeof *end; i++)
        n = without(base, n, end[i]);
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

    if (code != RK_OK)
        return code;
    for (size_t i = 0; i < n; i++)
        rk_nearest_try(&near, e[i].name);
    return rk_fail(err, RK_EINPUT, "no model is called '%s'%s", name,
                   near.best ? rk_nearest_hint(&near, hint) : " ('reckon models' lists them)");
}

int rk_open_named(const rk_library *l, rk_arena *a, const char *name, rk_text *out, bool *is_config, rk_err *err)
{
    rk_text t = {0};
    /* gpt2 is a family and the smallest of its models: the model is meant, the family could not be counted alone. */
    int code = rk_library_config(l, a, name, &t, err);

    *is_config = code == RK_OK && t.text;
    if (code == RK_OK && !t.text)
        code = rk_library_model(l, a, name, &t, err);
    if (code == RK_OK && !t.text)
        code = fail_unknown_model(l, a, name, err);
    if (code == RK_OK)
        *out = t;
    return code;
}

static int read_text(opening *o, const char *path, size_t most, rk_text *out)
{
    char *text = NULL;
    size_t n = 0;
    int code = rk_file_read(&o->arena, path, most, &text, &n, o->err);

    if (code != RK_OK)
        return code;
    *out = (rk_text){strcmp(path, "-") == 0 ? "standard input" : path, text, n};
    return RK_OK;
}

static bool is_folder(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* A folder stands for the config in it. */
static int config_path(opening *o, const char *word, const char **path)
{
    *path = word;
    if (strcmp(word, "-") != 0 && is_folder(word))
        *path = rk_arena_format(&o->arena, "%s%sconfig.json", word, ends_in(word, "/") ? "" : "/");
    return *path ? RK_OK : rk_fail_memory(o->err);
}

static int read_config(opening *o, const char *word)
{
    const char *path;
    int code = config_path(o, word, &path);

    if (code == RK_OK)
        code = read_text(o, path, RK_CONFIG_BYTES_MAX, &o->config);
    if (code == RK_OK)
        o->name = strcmp(word, "-") == 0 ? "standard input" : name_of_path(&o->arena, path);
    return code;
}

static int read_model(opening *o, const char *path)
{
    o->name = name_of_path(&o->arena, path);
    return read_text(o, path, RK_SOURCE_BYTES_MAX, &o->model);
}

static int note_library(opening *o, const char *name)
{
    const char **slot = RK_PUSH(&o->arena, &o->from_library);

    if (!slot)
        return rk_fail_memory(o->err);
    *slot = name;
    return RK_OK;
}

static int find_named(opening *o, const char *name)
{
    rk_text t = {0};
    bool is_config = false;
    int code = rk_open_named(o->library, &o->arena, name, &t, &is_config, o->err);

    if (code != RK_OK)
        return code;
    o->name = name;
    if (is_config) {
        o->config = t;
        return RK_OK;
    }
    o->model = t;
    return note_library(o, t.name);
}

static int find_one(opening *o, const char *word)
{
    if (strcmp(word, "-") == 0)
        return read_config(o, word);
    if (!rk_open_is_path(word))
        return find_named(o, word);
    return ends_in(word, ".rk") ? read_model(o, word) : read_config(o, word);
}

/* ---- families --------------------------------------------------------------------------------------------------- */

static int fail_unknown_family(opening *o, const char *family)
{
    rk_nearest near = {.word = family};
    char hint[RK_NEAREST_HINT_MAX];
    rk_library_entry *e = NULL;
    size_t n = 0;
    int code = rk_library_list(o->library, &o->arena, &e, &n, o->err);

    for (size_t i = 0; code == RK_OK && i < n && !e[i].is_config; i++) {
        const char **name = NULL;
        size_t n_name = 0;
        rk_text t = {0};

        code = rk_library_get(o->library, &o->arena, e[i].path, &t, o->err);
        if (code == RK_OK && t.text)
            code = rk_library_families(&o->arena, &t, &name, &n_name, o->err);
        for (size_t k = 0; code == RK_OK && k < n_name; k++)
            rk_nearest_try(&near, name[k]);
    }
    if (code != RK_OK)
        return code;
    return rk_fail(o->err, RK_EINPUT, "no model file is for the family '%s'%s", family, rk_nearest_hint(&near, hint));
}

static int take_family(opening *o, const char *family)
{
    int code = rk_library_family(o->library, &o->arena, family, &o->model, o->err);

    return code == RK_OK && o->model.text ? note_library(o, o->model.name) : code;
}

static const char *text_key(const rk_doc *d, const char *key)
{
    const rk_doc *v = rk_doc_key(d, key, strlen(key));

    return v && v->kind == RK_DOC_TEXT ? v->text : NULL;
}

/* The model file of a config: by its model_type, else by the classes that it names. */
static int find_family(opening *o, const rk_doc *config)
{
    const char *type = text_key(config, "model_type");
    const rk_doc *classes = rk_doc_key(config, "architectures", strlen("architectures"));
    int code = type ? take_family(o, type) : RK_OK;

    for (size_t i = 0; classes && classes->kind == RK_DOC_LIST && i < classes->n; i++) {
        if (code != RK_OK || o->model.text)
            break;
        if (classes->item[i].kind == RK_DOC_TEXT) {
            type = type ? type : classes->item[i].text;
            code = take_family(o, classes->item[i].text);
        }
    }
    if (code != RK_OK || o->model.text)
        return code;
    if (!type)
        return rk_fail(o->err, RK_EINPUT, "it has no model_type: name its family, as in 'llama %s'", o->config.name);
    return fail_unknown_family(o, type);
}

/* The first of two words: a model file. */
static int find_model_file(opening *o, const char *word)
{
    int code;

    if (rk_open_is_path(word) && !is_folder(word) && ends_in(word, ".rk"))
        return read_model(o, word);
    code = take_family(o, word);
    return code == RK_OK && !o->model.text ? fail_unknown_family(o, word) : code;
}

static int find_two(opening *o, const char *family, const char *config)
{
    int code = find_model_file(o, family);
    rk_text model = o->model;

    if (code == RK_OK)
        code = find_one(o, config);
    if (code != RK_OK)
        return code;
    if (!o->config.text)
        return rk_fail(o->err, RK_EUSAGE, "'%s' is not a config: after the family '%s' comes one", config, family);
    o->model = model;
    return RK_OK;
}

/* ---- texts in memory -------------------------------------------------------------------------------------------- */

static int find_beside_model(opening *o, const char *word)
{
    rk_text model = o->model;
    int code = find_one(o, word);

    if (code == RK_OK && !o->config.text)
        code = rk_fail(o->err, RK_EUSAGE, "'%s' is not a config: beside the text of a model file comes one", word);
    o->model = model;
    return code;
}

static int find_beside_text(opening *o, const char *word)
{
    const char *name = o->name;
    int code = o->model.text ? find_beside_model(o, word) : find_model_file(o, word);

    if (!o->request->model.text)
        o->name = name;
    return code;
}

static int find_texts(opening *o)
{
    const rk_open_request *r = o->request;
    size_t n_text = (size_t)(r->model.text ? 1 : 0) + (r->config.text ? 1 : 0);
    int code = RK_OK;

    if (r->n_word + n_text > RK_OPEN_WORDS_MAX)
        return rk_fail(o->err, RK_EUSAGE, "one model is wanted, or a family and a config: '%s' is too much",
                       r->word[0]);
    o->model = r->model;
    o->config = r->config;
    o->name = rk_arena_text(&o->arena, r->config.text ? r->config.name : r->model.name);
    if (!o->name)
        return rk_fail_memory(o->err);
    if (r->model.text)
        code = note_library(o, r->model.name);
    return code == RK_OK && r->n_word ? find_beside_text(o, r->word[0]) : code;
}

/* ---- what a model file uses ------------------------------------------------------------------------------------- */

static bool is_from_library(const opening *o, const char *name)
{
    for (size_t i = 0; i < o->from_library.n; i++)
        if (strcmp(o->from_library.at[i], name) == 0)
            return true;
    return false;
}

/* Beside a file of the user's.  Nothing but model files is read: a stranger's file cannot make others be shown. */
static int find_beside(opening *o, const char *from, const char *path, rk_text *out)
{
    const char *slash = strrchr(from, '/');
    size_t n = slash ? (size_t)(slash - from) + 1 : 0;
    char *beside = rk_arena_format(&o->arena, "%.*s%s", (int)n, from, path);
    struct stat st;

    if (!beside)
        return rk_fail_memory(o->err);
    if (path[0] == '/' || !ends_in(path, ".rk") || n > 4096 || stat(beside, &st) != 0)
        return RK_OK;
    return read_text(o, beside, RK_SOURCE_BYTES_MAX, out);
}

static int find_used(void *self, rk_arena *a, const char *from, const char *path, const char **name, const char **text,
                     size_t *n, rk_err *err)
{
    opening *o = self;
    rk_text t = {0};
    int code = RK_OK;

    (void)a;
    o->err = err;
    if (!is_from_library(o, from))
        code = find_beside(o, from, path, &t);
    /* What a used file uses may also stand beside the model file, as all of a library does. */
    if (code == RK_OK && !t.text && !is_from_library(o, from))
        code = find_beside(o, o->model.name, path, &t);
    if (code == RK_OK && !t.text) {
        code = rk_library_get(o->library, &o->arena, path, &t, err);
        if (code == RK_OK && t.text)
            code = note_library(o, t.name);
    }
    if (code == RK_OK && !t.text)
        code = rk_fail(err, RK_EINPUT, "there is no file '%s' beside %s, nor in the library", path, from);
    if (code != RK_OK)
        return code;
    *name = t.name;
    *text = t.text;
    *n = t.n;
    return RK_OK;
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

static int open_found(opening *o, const rk_doc *config, rk_model **out)
{
    const rk_open_request *r = o->request;
    rk_model_source source = {
        .name = o->name,
        .file_name = o->model.name,
        .text = o->model.text,
        .n = o->model.n,
        .config = config,
        .config_name = o->config.name,
        .setting = r->setting,
        .n_setting = r->n_setting,
        .finder = {find_used, o},
    };

    if (!o->name)
        return rk_fail_memory(o->err);
    return rk_model_open(&source, out, r->mistakes, o->err);
}

static int open_words(opening *o, rk_model **out)
{
    const rk_open_request *r = o->request;
    rk_doc *config = NULL;
    int code = r->model.text || r->config.text ? find_texts(o)
               : r->n_word == 1                ? find_one(o, r->word[0])
                                               : find_two(o, r->word[0], r->word[1]);

    if (code == RK_OK && o->config.text)
        code = rk_config_parse(&o->arena, o->config.name, o->config.text, o->config.n, &config, o->err);
    if (code == RK_OK && config && config->kind != RK_DOC_MAP)
        code = rk_fail(o->err, RK_EINPUT, "%s: is not a JSON object", o->config.name);
    if (code == RK_OK && !o->model.text) {
        code = find_family(o, config);
        if (code != RK_OK)
            return rk_err_context(o->err, code, "%s", o->config.name);
    }
    return code == RK_OK ? open_found(o, config, out) : code;
}

int rk_open(const rk_open_request *r, rk_model **out, rk_err *err)
{
    rk_err own = {0};
    opening o = {.request = r, .library = &r->library, .err = err ? err : &own};
    int code;

    if (r->n_word == 0 && !r->model.text && !r->config.text)
        return rk_fail(err, RK_EUSAGE, "which model? ('reckon models' lists what is known by name)");
    if (r->n_word > RK_OPEN_WORDS_MAX)
        return rk_fail(err, RK_EUSAGE, "one model is wanted, or a family and a config: '%s' is too much", r->word[2]);
    code = open_words(&o, out);
    rk_arena_free(&o.arena);
    return code;
}
