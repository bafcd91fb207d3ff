/* SPDX-License-Identifier: MIT */
#include "plan/library.h"

#include "base/vec.h"
#include "lang/source.h"
#include "model/embed.h"
#include "read/doc.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts by path ---------------------------------------------------------------------------------------------- */

/* Words with single slashes between them: what a name from a config may be, and no more. */
static bool stays_inside(const char *path)
{
    for (const char *c = path; *c; c++) {
        if (!isalnum((unsigned char)*c) && !strchr("-_./", *c))
            return false;
        if ((c == path || c[-1] == '/') && (*c == '.' || *c == '/'))
            return false;
    }
    return path[0] != '\0';
}

static int by_path(const void *path, const void *file)
{
    return strcmp(path, ((const rk_embedded *)file)->path);
}

static const rk_embedded *find_embedded(const char *path)
{
    return bsearch(path, rk_embedded_file, rk_n_embedded_file, sizeof *rk_embedded_file, by_path);
}

bool rk_library_is_own(const char *path, const rk_text *t)
{
    const rk_embedded *f = find_embedded(path);

    return f && t->text == f->text;
}

static int get_embedded(rk_arena *a, const char *path, rk_text *out, rk_err *err)
{
    const rk_embedded *f = find_embedded(path);
    rk_text t = {0};

    if (f) {
        t = (rk_text){rk_arena_format(a, "models/%s", f->path), f->text, f->n};
        if (!t.name)
            return rk_fail_memory(err);
    }
    *out = t;
    return RK_OK;
}

static int get_from_folder(const rk_library *l, rk_arena *a, const char *path, rk_text *out, rk_err *err)
{
    size_t most = rk_ends_in(path, ".json") ? RK_CONFIG_BYTES_MAX : RK_SOURCE_BYTES_MAX;
    rk_text t = {0};
    rk_path_kind kind;
    char *text = NULL;
    int code;

    t.name = rk_arena_format(a, "%s/%s", l->folder, path);
    if (!t.name)
        return rk_fail_memory(err);
    kind = rk_files_kind(l->files, t.name);
    if (kind == RK_PATH_NONE || kind == RK_PATH_FOLDER) {
        *out = (rk_text){0};
        return RK_OK;
    }
    code = rk_files_read(l->files, a, t.name, most, &text, &t.n, err);
    if (code != RK_OK)
        return code;
    t.text = text;
    *out = t;
    return RK_OK;
}

int rk_library_get(const rk_library *l, rk_arena *a, const char *path, rk_text *out, rk_err *err)
{
    rk_text t = {0};
    int code;

    if (!stays_inside(path)) {
        *out = t;
        return RK_OK;
    }
    if (l->folder) {
        code = get_from_folder(l, a, path, &t, err);
        if (code != RK_OK || t.text) {
            *out = t;
            return code;
        }
    }
    return get_embedded(a, path, out, err);
}

int rk_library_model(const rk_library *l, rk_arena *a, const char *name, rk_text *out, rk_err *err)
{
    const char *path = rk_arena_format(a, "%s.rk", name);

    return path ? rk_library_get(l, a, path, out, err) : rk_fail_memory(err);
}

int rk_library_config(const rk_library *l, rk_arena *a, const char *name, rk_text *out, rk_err *err)
{
    const char *path = rk_arena_format(a, "named/%s.json", name);

    return path ? rk_library_get(l, a, path, out, err) : rk_fail_memory(err);
}

/* ---- what a text says of itself --------------------------------------------------------------------------------- */

typedef struct piece {
    const char *at;
    size_t n;
} piece;

/* The rest of the next line that begins with `word` and a space, from *at on; false when there is none. */
static bool next_line_of(const char **at, const char *word, piece *rest)
{
    size_t len = strlen(word);

    while (**at) {
        const char *line = *at;
        size_t n = strcspn(line, "\n");

        *at = line + n + (line[n] == '\n');
        if (n > len && strncmp(line, word, len) == 0 && line[len] == ' ') {
            *rest = (piece){line + len, n - len};
            return true;
        }
    }
    return false;
}

/* The next quoted text of a line; false when there is none before a comment or the end. */
static bool next_quoted(piece *line, piece *out)
{
    while (line->n > 0 && *line->at != '"' && *line->at != '\'' && *line->at != '#') {
        line->at++;
        line->n--;
    }
    if (line->n == 0 || *line->at == '#')
        return false;
    const char *end = memchr(line->at + 1, *line->at, line->n - 1);

    if (!end)
        return false;
    *out = (piece){line->at + 1, (size_t)(end - line->at - 1)};
    line->n -= (size_t)(end + 1 - line->at);
    line->at = end + 1;
    return true;
}

/* The name and the rest of the `model` line. */
static bool model_line(const char *text, piece *name, piece *rest)
{
    piece line;

    if (!next_line_of(&text, "model", &line))
        return false;
    const char *colon = memchr(line.at, ':', line.n);
    size_t n = colon ? (size_t)(colon - line.at) : line.n;

    *name = (piece){line.at, n};
    while (name->n > 0 && (*name->at == ' ' || *name->at == '\r')) {
        name->at++;
        name->n--;
    }
    while (name->n > 0 && (name->at[name->n - 1] == ' ' || name->at[name->n - 1] == '\r'))
        name->n--;
    *rest = (piece){line.at + n, line.n - n};
    return name->n > 0;
}

int rk_library_headline(rk_arena *a, const rk_text *t, const char **name, const char **text, rk_err *err)
{
    piece n, rest, said;

    *name = *text = NULL;
    if (!model_line(t->text, &n, &rest))
        return RK_OK;
    *name = rk_arena_copy(a, n.at, n.n);
    *text = next_quoted(&rest, &said) ? rk_arena_copy(a, said.at, said.n) : "";
    return *name && *text ? RK_OK : rk_fail_memory(err);
}

typedef RK_VEC(const char *) names;

static int push_name(rk_arena *a, names *v, piece p, rk_err *err)
{
    const char **slot = RK_PUSH(a, v);
    char *copy = rk_arena_copy(a, p.at, p.n);

    if (!slot || !copy)
        return rk_fail_memory(err);
    *slot = copy;
    return RK_OK;
}

/* The texts of all lines that begin with `word`. */
static int texts_of(rk_arena *a, const char *text, const char *word, names *v, rk_err *err)
{
    piece line, said;
    int code = RK_OK;

    while (code == RK_OK && next_line_of(&text, word, &line))
        while (code == RK_OK && next_quoted(&line, &said))
            code = push_name(a, v, said, err);
    return code;
}

int rk_library_families(rk_arena *a, const rk_text *t, const char ***out, size_t *n, rk_err *err)
{
    names v = {0};
    piece word, rest;
    int code = texts_of(a, t->text, "family", &v, err);

    if (code == RK_OK && v.n == 0 && model_line(t->text, &word, &rest))
        code = push_name(a, &v, word, err);
    *out = v.at;
    *n = v.n;
    return code;
}

int rk_library_classes(rk_arena *a, const rk_text *t, const char ***out, size_t *n, rk_err *err)
{
    names v = {0};
    int code = texts_of(a, t->text, "classes", &v, err);

    *out = v.at;
    *n = v.n;
    return code;
}

/* ---- the list --------------------------------------------------------------------------------------------------- */

typedef RK_VEC(rk_library_entry) entries;

/* Where files of one kind stand: below/NAME and the ending. */
typedef struct place {
    const char *below, *ending;
    bool is_config;
} place;

static const place models[] = {{"", ".rk", false}, {"named/", ".json", true}};
static const place mappings[] = {{"gguf/", ".rk", false}};

/* `n_other` of those that are there may be the same: the user's own hide the embedded ones. */
static int note_path(rk_arena *a, entries *v, const place *p, const char *path, size_t n_other, rk_err *err)
{
    size_t n_below = strlen(p->below);
    const char *base = path + n_below;
    rk_library_entry *e;

    if (strncmp(path, p->below, n_below) != 0 || strchr(base, '/') || base[0] == '.' || !rk_ends_in(base, p->ending))
        return RK_OK;
    for (size_t i = 0; i < n_other; i++)
        if (strcmp(v->at[i].path, path) == 0)
            return RK_OK;
    e = RK_PUSH(a, v);
    if (!e)
        return rk_fail_memory(err);
    *e = (rk_library_entry){rk_arena_copy(a, base, strlen(base) - strlen(p->ending)), rk_arena_text(a, path),
                            p->is_config};
    return e->name && e->path ? RK_OK : rk_fail_memory(err);
}

typedef struct folder {
    rk_arena *arena;
    entries *entries;
    const place *place;
} folder;

static int note_name(void *self, const char *entry, rk_err *err)
{
    const folder *f = self;
    const char *path = rk_arena_format(f->arena, "%s%s", f->place->below, entry);

    if (!path)
        return rk_fail_memory(err);
    return stays_inside(path) ? note_path(f->arena, f->entries, f->place, path, f->entries->n, err) : RK_OK;
}

/* A folder that is not there has nothing in it. */
static int list_folder(const rk_library *l, rk_arena *a, entries *v, const place *p, rk_err *err)
{
    const char *path = rk_arena_format(a, "%s/%s", l->folder, p->below);
    folder f = {a, v, p};
    bool opened = false;
    rk_err why = {0};
    int code = path ? rk_files_list(l->files, path, note_name, &f, &opened, &why) : rk_fail_memory(&why);

    if (code == RK_OK || (code == RK_EIO && !opened))
        return RK_OK;
    return rk_fail(err, code, "%s", why.message);
}

static int by_kind_and_name(const void *a, const void *b)
{
    const rk_library_entry *x = a, *y = b;

    return x->is_config != y->is_config ? x->is_config - y->is_config : strcmp(x->name, y->name);
}

static int list_places(const rk_library *l, rk_arena *a, const place *p, size_t n_place, rk_library_entry **out,
                       size_t *n, rk_err *err)
{
    entries v = {0};
    int code = RK_OK;

    for (; n_place > 0 && code == RK_OK; n_place--, p++) {
        size_t before = v.n, own;

        code = l->folder ? list_folder(l, a, &v, p, err) : RK_OK;
        own = v.n - before;
        for (size_t i = 0; i < rk_n_embedded_file && code == RK_OK; i++)
            code = note_path(a, &v, p, rk_embedded_file[i].path, own ? v.n : 0, err);
    }
    if (code != RK_OK)
        return code;
    if (v.n > 0)
        qsort(v.at, v.n, sizeof *v.at, by_kind_and_name);
    *out = v.at;
    *n = v.n;
    return RK_OK;
}

int rk_library_list(const rk_library *l, rk_arena *a, rk_library_entry **out, size_t *n, rk_err *err)
{
    return list_places(l, a, models, sizeof models / sizeof *models, out, n, err);
}

int rk_library_mappings(const rk_library *l, rk_arena *a, rk_library_entry **out, size_t *n, rk_err *err)
{
    return list_places(l, a, mappings, sizeof mappings / sizeof *mappings, out, n, err);
}

int rk_library_read_families(const rk_library *l, rk_arena *a, const rk_library_entry *e, rk_text *t,
                             const char ***name, size_t *n, rk_err *err)
{
    int code = rk_library_get(l, a, e->path, t, err);

    *name = NULL;
    *n = 0;
    return code == RK_OK && t->text ? rk_library_families(a, t, name, n, err) : code;
}

int rk_library_also(const rk_library *l, rk_arena *a, const rk_library_entry *e, const char ***out, size_t *n,
                    rk_err *err)
{
    static const char key[] = "_also";
    const rk_doc *list = NULL;
    rk_doc *d = NULL;
    rk_text t = {0};
    names v = {0};
    int code = e->is_config ? rk_library_get(l, a, e->path, &t, NULL) : RK_OK;

    if (code == RK_OK && t.text && strstr(t.text, key)) /* most need not be parsed */
        code = rk_config_parse(a, t.name, t.text, t.n, &d, NULL);
    list = code == RK_OK ? rk_doc_key(d, key, strlen(key)) : NULL;
    code = code == RK_ENOMEM ? rk_fail_memory(err) : RK_OK;
    for (size_t i = 0; list && list->kind == RK_DOC_LIST && i < list->n && code == RK_OK; i++)
        if (list->item[i].kind == RK_DOC_TEXT)
            code = push_name(a, &v, (piece){list->item[i].text, list->item[i].n}, err);
    *out = v.at;
    *n = v.n;
    return code;
}

static const char *text_key(const rk_doc *d, const char *key)
{
    const rk_doc *v = rk_doc_key(d, key, strlen(key));

    return v && v->kind == RK_DOC_TEXT ? v->text : "";
}

int rk_library_describe(const rk_library *l, rk_arena *a, const rk_library_entry *e, rk_known *out, rk_err *err)
{
    rk_text t = {0};
    rk_doc *d = NULL;
    int code = rk_library_get(l, a, e->path, &t, err);

    *out = (rk_known){0};
    if (code != RK_OK || !t.text)
        return code;
    if (!e->is_config) {
        const char *name = NULL;

        code = rk_library_headline(a, &t, &name, &out->text, err);
        out->name = name ? e->name : NULL;
        return code;
    }
    code = rk_config_parse(a, t.name, t.text, t.n, &d, err);
    if (code == RK_OK)
        *out = (rk_known){e->name, text_key(d, "model_type"), text_key(d, "_source")};
    return code;
}

/* ---- families --------------------------------------------------------------------------------------------------- */

/*
 * LlamaForCausalLM and GPT2LMHeadModel say their family before a word for the head, without separators: compared
 * without them and without case.
 */
static bool same_architecture(const char *architecture, const char *family)
{
    static const char *const head[] = {"For", "LMHead", "Model", "Encoder"};
    size_t n = strlen(architecture), i = 0;

    for (size_t k = 0; k < sizeof head / sizeof *head; k++) {
        const char *at = strstr(architecture + (architecture[0] != '\0'), head[k]);

        if (at && (size_t)(at - architecture) < n)
            n = (size_t)(at - architecture);
    }
    for (; *family; family++) {
        if (strchr("-_.", *family))
            continue;
        if (i == n || tolower((unsigned char)architecture[i]) != tolower((unsigned char)*family))
            return false;
        i++;
    }
    return i == n;
}

static bool same_text(const char *word, const char *family)
{
    return strcmp(word, family) == 0;
}

/* How a word may name a model file, the surest first. */
static const struct lookup {
    int (*names)(rk_arena *a, const rk_text *t, const char ***out, size_t *n, rk_err *err);
    bool (*same)(const char *word, const char *name);
} lookups[] = {
    {rk_library_families, same_text},
    {rk_library_classes, same_text},
    {rk_library_families, same_architecture},
};

/* The first model file that the word names in this way. */
static int scan(const rk_library *l, rk_arena *a, const char *word, const struct lookup *lookup, rk_text *out,
                rk_err *err)
{
    rk_library_entry *e = NULL;
    size_t n = 0;
    int code = rk_library_list(l, a, &e, &n, err);

    for (size_t i = 0; code == RK_OK && i < n && !e[i].is_config && !out->text; i++) {
        const char **name = NULL;
        size_t n_name = 0;
        rk_text t = {0};

        code = rk_library_get(l, a, e[i].path, &t, err);
        if (code == RK_OK && t.text)
            code = lookup->names(a, &t, &name, &n_name, err);
        for (size_t k = 0; code == RK_OK && k < n_name; k++)
            if (lookup->same(word, name[k]))
                *out = t;
    }
    return code;
}

int rk_library_family(const rk_library *l, rk_arena *a, const char *family, rk_text *out, rk_err *err)
{
    rk_text t = {0};
    /* Most families are called as their file is. */
    int code = rk_library_model(l, a, family, &t, err);

    for (size_t i = 0; i < sizeof lookups / sizeof *lookups && code == RK_OK && !t.text; i++)
        code = scan(l, a, family, &lookups[i], &t, err);
    if (code == RK_OK)
        *out = t;
    return code;
}
