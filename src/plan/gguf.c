/* SPDX-License-Identifier: MIT */
#include "plan/gguf.h"

#include "base/map.h"
#include "base/vec.h"
#include "model/mapping.h"
#include "plan/nearest.h"
#include "read/input.h"

#include <math.h>
#include <string.h>

#define ARCHITECTURE "general.architecture"

typedef struct reading {
    const rk_library *library;
    rk_arena *arena;
    const rk_store *store;
    const char *file; /* safe to print */
    const char *architecture;
    rk_err *err;
} reading;

static const rk_doc *key_of(const rk_doc *d, const char *key)
{
    return rk_doc_key(d, key, strlen(key));
}

bool rk_gguf_is(const rk_store *s)
{
    return key_of(s->metadata, ARCHITECTURE) != NULL;
}

/* ---- the mapping of an architecture ----------------------------------------------------------------------------- */

/* gguf/ARCHITECTURE.rk, or another file of that folder with a line  family "ARCHITECTURE". */
static int find_mapping(reading *r, rk_text *out)
{
    rk_nearest near = {.word = r->architecture};
    char hint[RK_NEAREST_HINT_MAX];
    const char *path = rk_arena_format(r->arena, "gguf/%s.rk", r->architecture);
    rk_library_entry *e = NULL;
    size_t n = 0;
    int code = path ? rk_library_get(r->library, r->arena, path, out, r->err) : rk_fail_memory(r->err);

    if (code != RK_OK || out->text)
        return code;
    code = rk_library_mappings(r->library, r->arena, &e, &n, r->err);
    for (size_t i = 0; code == RK_OK && i < n; i++) {
        const char **name;
        size_t n_name;

        rk_nearest_try(&near, e[i].name);
        code = rk_library_read_families(r->library, r->arena, &e[i], out, &name, &n_name, r->err);
        for (size_t k = 0; code == RK_OK && k < n_name; k++) {
            if (strcmp(name[k], r->architecture) == 0)
                return RK_OK;
            rk_nearest_try(&near, name[k]);
        }
    }
    if (code != RK_OK)
        return code;
    return rk_fail(
        r->err, RK_EINPUT,
        "%s: no mapping is for the architecture '%s'%s ('reckon params %s' lists its tensors; the config.json "
        "that it was made from may be known)",
        r->file, r->architecture, rk_nearest_hint(&near, hint), r->file);
}

static int find_used(void *self, rk_arena *a, const char *from, const char *path, const char **name, const char **text,
                     size_t *n, rk_err *err)
{
    const reading *r = self;
    rk_text t = {0};
    int code = rk_library_get(r->library, a, path, &t, err);

    if (code == RK_OK && !t.text)
        code = rk_fail(err, RK_EINPUT, "there is no file '%s' in the library, which %s uses", path, from);
    *name = t.name;
    *text = t.text;
    *n = t.n;
    return code;
}

/* ---- what a mapping reads --------------------------------------------------------------------------------------- */

typedef struct growing {
    RK_VEC(const char *) key;
    RK_VEC(rk_doc) item;
} growing;

static rk_doc *grow(reading *r, growing *map, const char *key)
{
    const char **slot = RK_PUSH(r->arena, &map->key);
    rk_doc *item = slot ? RK_PUSH(r->arena, &map->item) : NULL;

    if (item)
        *slot = key;
    else
        rk_fail_memory(r->err);
    return item;
}

static rk_doc map_of(const growing *g)
{
    return (rk_doc){.kind = RK_DOC_MAP, .n = g->item.n, .key = g->key.at, .item = g->item.at};
}

/* blk.12.attn_q.weight is layer 12 and attn_q.weight. */
static bool layer_of(const char *name, size_t *layer, const char **rest)
{
    const char *at = name + strlen("blk.");
    size_t n = 0;

    if (strncmp(name, "blk.", strlen("blk.")) != 0 || *at < '0' || *at > '9')
        return false;
    for (; *at >= '0' && *at <= '9' && n < RK_GGUF_MAPPED_TENSORS_MAX; at++)
        n = 10 * n + (size_t)(*at - '0');
    *layer = n;
    *rest = at + 1;
    return *at == '.' && n < RK_GGUF_MAPPED_TENSORS_MAX;
}

/* The shapes of all tensors: by name; of each layer; and of any layer, as the first one of the file has it. */
static int put_shapes(reading *r, growing *g)
{
    const rk_store *s = r->store;
    growing every = {0}, any = {0}, *layer;
    rk_map seen = {0}; /* of `any` */
    size_t n_layer = 0, at;
    const char *rest;
    rk_doc *d, *item;

    for (size_t i = 0; i < s->n_tensor; i++)
        if (layer_of(s->tensor[i].name, &at, &rest) && at >= n_layer)
            n_layer = at + 1;
    layer = RK_NEW_ARRAY(r->arena, n_layer, growing);
    if (!layer)
        return rk_fail_memory(r->err);
    for (size_t i = 0; i < s->n_tensor; i++) {
        const rk_stored *t = &s->tensor[i];
        rk_doc shape = {.kind = RK_DOC_LIST, .n = t->rank, .item = RK_NEW_ARRAY(r->arena, t->rank, rk_doc)};

        if (!shape.item || !(d = grow(r, &every, t->name)))
            return rk_fail_memory(r->err);
        for (size_t k = 0; k < t->rank; k++)
            shape.item[k] = (rk_doc){.kind = RK_DOC_INT, .number = (rk_i128)t->shape[k]};
        *d = shape;
        if (!layer_of(t->name, &at, &rest))
            continue;
        if (!(d = grow(r, &layer[at], rest)))
            return RK_ENOMEM;
        *d = shape;
        if (rk_map_get(&seen, rest, strlen(rest)) != RK_NONE)
            continue;
        if (!(d = grow(r, &any, rest)) || !rk_map_put(r->arena, &seen, rest, strlen(rest), 0))
            return rk_fail_memory(r->err);
        *d = shape;
    }
    item = RK_NEW_ARRAY(r->arena, n_layer, rk_doc);
    if (!item || !(d = grow(r, g, "tensor")))
        return rk_fail_memory(r->err);
    *d = map_of(&every);
    if (!(d = grow(r, g, "any")))
        return RK_ENOMEM;
    *d = map_of(&any);
    if (!(d = grow(r, g, "blk")))
        return RK_ENOMEM;
    for (size_t i = 0; i < n_layer; i++)
        item[i] = map_of(&layer[i]);
    *d = (rk_doc){.kind = RK_DOC_LIST, .n = n_layer, .item = item};
    return RK_OK;
}

/* What a mapping reads; the keys of the architecture without its name in front. */
static int facts(reading *r, rk_doc *out)
{
    const rk_doc *meta = r->store->metadata;
    size_t n_prefix = strlen(r->architecture);
    growing g = {0};
    int code = put_shapes(r, &g);

    for (size_t i = 0; i < meta->n && code == RK_OK; i++) {
        const char *key = meta->key[i];
        bool own = strncmp(key, r->architecture, n_prefix) == 0 && key[n_prefix] == '.';
        rk_doc *d = grow(r, &g, own ? key + n_prefix + 1 : key);

        code = d ? RK_OK : RK_ENOMEM;
        if (d)
            *d = meta->item[i];
    }
    *out = map_of(&g);
    return code;
}

/* ---- the kinds of keys ------------------------------------------------------------------------------------------ */

enum { /* what a value may be */
    SIZE = 1,
    NUMBER = 2,
    TRUTH = 4,
    TEXT = 8
};

typedef struct kind {
    const char *word; /* in keys.json */
    unsigned may_be;
    bool layers; /* or a list with one for each layer */
    const char *text;
} kind;

static const kind kinds[] = {
    {"size", SIZE, false, "a whole number from 0 to 2147483647"},
    {"size of layers", SIZE, true, "a whole number from 0 to 2147483647, or a list of them"},
    {"number", NUMBER, false, "a number"},
    {"number of layers", NUMBER, true, "a number, or a list of them"},
    {"truth", TRUTH, false, "a truth value"},
    {"truth or size of layers", TRUTH | SIZE, true, "a truth value, a size, or a list of them"},
    {"text", TEXT, false, "a text"},
};

static bool is_one(const rk_doc *d, unsigned may_be)
{
    unsigned is = 0;

    if (d->kind == RK_DOC_INT)
        is = d->number >= 0 && d->number <= RK_GGUF_SIZE_MAX ? SIZE | NUMBER : NUMBER;
    else if (d->kind == RK_DOC_REAL && isfinite(d->real))
        is = NUMBER;
    else if (d->kind == RK_DOC_BOOL)
        is = TRUTH;
    else if (d->kind == RK_DOC_TEXT && strlen(d->text) == d->n)
        is = TEXT;
    return (is & may_be) != 0;
}

#define NEEDED "needed" /* not a kind: keys without which nothing can be said */

static int fail_kind(const reading *r, const char *key, const kind *k, const rk_doc *d)
{
    static const char *const word[] = {"nothing", "a truth value", "",     "a number that is not whole or not finite",
                                       "a text",  "a list",        "a map"};
    char number[RK_NUM_TEXT_MAX];

    return rk_fail(r->err, RK_EINPUT, "%s: the key '%s.%s' must be %s, and here it is %s", r->file, r->architecture,
                   key, k->text, d->kind == RK_DOC_INT ? rk_num_text(number, d->number) : word[d->kind]);
}

/* A list has one item for each layer. */
static int check_list(const reading *r, const rk_doc *facts, const char *key, const kind *k, const rk_doc *d)
{
    const rk_doc *layers = key_of(facts, "block_count");

    for (size_t i = 0; i < d->n; i++)
        if (!is_one(&d->item[i], k->may_be))
            return fail_kind(r, key, k, &d->item[i]);
    if (!layers || layers->kind != RK_DOC_INT || layers->number == (rk_i128)(d->n + d->n_skipped))
        return RK_OK;
    char number[RK_NUM_TEXT_MAX];

    return rk_fail(r->err, RK_EINPUT, "%s: the key '%s.%s' is a list of %zu, and '%s.block_count' is %s", r->file,
                   r->architecture, key, d->n + d->n_skipped, r->architecture, rk_num_text(number, layers->number));
}

static int check_keys(const reading *r, const rk_doc *facts, const char *word, const rk_doc *list)
{
    const kind *k = kinds, *end = kinds + sizeof kinds / sizeof *kinds;
    int code = RK_OK;

    while (k < end && strcmp(k->word, word) != 0)
        k++;
    if ((k == end && strcmp(word, NEEDED) != 0) || list->kind != RK_DOC_LIST)
        return rk_fail(r->err, RK_EINPUT, "gguf/keys.json: '%s' is no kind with a list of keys", word);
    for (size_t i = 0; i < list->n && code == RK_OK; i++) {
        const char *key = list->item[i].kind == RK_DOC_TEXT ? list->item[i].text : "";
        const rk_doc *d = key_of(facts, key);

        if (!d && k == end)
            return rk_fail(r->err, RK_EINPUT, "%s: has no key '%s.%s', which every model needs", r->file,
                           r->architecture, key);
        if (!d || k == end || is_one(d, k->may_be))
            continue;
        code = d->kind == RK_DOC_LIST && k->layers ? check_list(r, facts, key, k, d) : fail_kind(r, key, k, d);
    }
    return code;
}

static int check_kinds(reading *r, const rk_doc *facts)
{
    rk_text t = {0};
    rk_doc *table = NULL;
    int code = rk_library_get(r->library, r->arena, "gguf/keys.json", &t, r->err);

    if (code == RK_OK && !t.text)
        code = rk_fail(r->err, RK_EINPUT, "the library has no file gguf/keys.json");
    if (code == RK_OK)
        code = rk_config_parse(r->arena, t.name, t.text, t.n, &table, r->err);
    for (size_t i = 0; code == RK_OK && table->kind == RK_DOC_MAP && i < table->n; i++)
        code = check_keys(r, facts, table->key[i], &table->item[i]);
    return code;
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

static int begin(reading *r)
{
    const rk_doc *d = key_of(r->store->metadata, ARCHITECTURE);
    const char *path = r->store->n_file ? r->store->file[0].path : "the checkpoint";

    r->file = rk_arena_text(r->arena, rk_safe_text(path, strlen(path)).text);
    if (!r->file)
        return rk_fail_memory(r->err);
    if (!d || !is_one(d, TEXT) || !d->n || !rk_is_safe(d->text, d->n) || strchr(d->text, '/'))
        return rk_fail(r->err, RK_EINPUT, "%s: the key '" ARCHITECTURE "' must be a word", r->file);
    r->architecture = d->text;
    if (r->store->n_tensor > RK_GGUF_MAPPED_TENSORS_MAX)
        return rk_fail(r->err, RK_ELIMIT, "%s: %zu tensors, and a model of at most %u is looked at", r->file,
                       r->store->n_tensor, RK_GGUF_MAPPED_TENSORS_MAX);
    if (r->store->metadata->n > RK_GGUF_MAPPED_KEYS_MAX)
        return rk_fail(r->err, RK_ELIMIT, "%s: %zu keys, and metadata of at most %u is looked at", r->file,
                       r->store->metadata->n, RK_GGUF_MAPPED_KEYS_MAX);
    if (r->store->n_known != r->store->n_tensor)
        return rk_fail(r->err, RK_EINPUT, "%s: not all of its tensors are here", r->file);
    return RK_OK;
}

int rk_gguf_config(const rk_library *l, rk_arena *a, const rk_store *s, rk_doc **config, rk_err *err)
{
    reading r = {.library = l, .arena = a, .store = s, .architecture = "", .err = err};
    rk_text t = {0};
    rk_doc from = {0};
    int code = begin(&r);

    if (code == RK_OK)
        code = find_mapping(&r, &t);
    if (code == RK_OK)
        code = facts(&r, &from);
    if (code == RK_OK)
        code = check_kinds(&r, &from);
    rk_model_source source = {.name = r.file,
                              .file_name = t.name,
                              .text = t.text,
                              .n = t.n,
                              .config = &from,
                              .config_name = r.file,
                              .finder = {.find = find_used, .self = &r}};

    return code == RK_OK ? rk_mapping_run(&source, a, config, err) : code;
}
