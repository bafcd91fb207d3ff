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

static int names(reading *r, const rk_text *t, const char *architecture, bool *does, rk_nearest *near)
{
    const char **name = NULL;
    size_t n = 0;
    int code = rk_library_families(r->arena, t, &name, &n, r->err);

    for (size_t i = 0; code == RK_OK && i < n; i++) {
        *does |= strcmp(name[i], architecture) == 0;
        rk_nearest_try(near, name[i]);
    }
    return code;
}

static int fail_unknown(const reading *r, const rk_nearest *near)
{
    char hint[RK_NEAREST_HINT_MAX];

    return rk_fail(r->err, RK_EINPUT,
                   "%s: no mapping is for the architecture '%s'%s (its tensors can be listed: 'reckon params FILE')",
                   r->file, r->architecture, rk_nearest_hint(near, hint));
}

/* gguf/ARCHITECTURE.rk, or another file of that folder with a line  family "ARCHITECTURE". */
static int find_mapping(reading *r, rk_text *out)
{
    rk_nearest near = {.word = r->architecture};
    const char *path = rk_arena_format(r->arena, "gguf/%s.rk", r->architecture);
    rk_library_entry *e = NULL;
    size_t n = 0;
    bool found = false;
    int code = path ? rk_library_get(r->library, r->arena, path, out, r->err) : rk_fail_memory(r->err);

    if (code != RK_OK || out->text)
        return code;
    code = rk_library_mappings(r->library, r->arena, &e, &n, r->err);
    for (size_t i = 0; code == RK_OK && i < n && !found; i++) {
        rk_nearest_try(&near, e[i].name);
        code = rk_library_get(r->library, r->arena, e[i].path, out, r->err);
        if (code == RK_OK && out->text)
            code = names(r, out, r->architecture, &found, &near);
    }
    return code == RK_OK && !found ? fail_unknown(r, &near) : code;
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

static int shape_doc(reading *r, const rk_stored *t, rk_doc *out)
{
    rk_doc *item = RK_NEW_ARRAY(r->arena, t->rank, rk_doc);

    if (!item)
        return rk_fail_memory(r->err);
    for (size_t i = 0; i < t->rank; i++)
        item[i] = (rk_doc){.kind = RK_DOC_INT, .number = (rk_i128)t->shape[i]};
    *out = (rk_doc){.kind = RK_DOC_LIST, .n = t->rank, .item = item};
    return RK_OK;
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

static size_t count_layers(const rk_store *s)
{
    size_t n = 0, layer;
    const char *rest;

    for (size_t i = 0; i < s->n_tensor; i++)
        if (layer_of(s->tensor[i].name, &layer, &rest) && layer >= n)
            n = layer + 1;
    return n;
}

/* The shapes of tensors, while they are collected. */
typedef struct shapes {
    growing every; /* by name */
    growing any;   /* of a layer: by the rest of the name, as the first one of the file has it */
    growing *layer;
    size_t n_layer;
    rk_map seen; /* of `any` */
} shapes;

static int note_layer(reading *r, shapes *s, const rk_doc *shape, size_t layer, const char *rest)
{
    bool is_new = rk_map_get(&s->seen, rest, strlen(rest)) == RK_NONE;
    rk_doc *d = grow(r, &s->layer[layer], rest), *e = d && is_new ? grow(r, &s->any, rest) : d;

    if (!e || (is_new && !rk_map_put(r->arena, &s->seen, rest, strlen(rest), 0)))
        return rk_fail_memory(r->err);
    *d = *e = *shape;
    return RK_OK;
}

static int note_tensor(reading *r, shapes *s, const rk_stored *t)
{
    rk_doc *d = grow(r, &s->every, t->name);
    const char *rest = NULL;
    size_t layer = 0;

    if (!d || shape_doc(r, t, d) != RK_OK)
        return rk_fail_memory(r->err);
    return layer_of(t->name, &layer, &rest) ? note_layer(r, s, d, layer, rest) : RK_OK;
}

static int collect_shapes(reading *r, shapes *s)
{
    int code;

    *s = (shapes){.n_layer = count_layers(r->store)};
    s->layer = RK_NEW_ARRAY(r->arena, s->n_layer, growing);
    code = s->layer ? RK_OK : rk_fail_memory(r->err);
    for (size_t i = 0; i < r->store->n_tensor && code == RK_OK; i++)
        code = note_tensor(r, s, &r->store->tensor[i]);
    return code;
}

static int layers_doc(reading *r, const shapes *s, rk_doc *out)
{
    rk_doc *item = RK_NEW_ARRAY(r->arena, s->n_layer, rk_doc);

    if (!item)
        return rk_fail_memory(r->err);
    for (size_t i = 0; i < s->n_layer; i++)
        item[i] = map_of(&s->layer[i]);
    *out = (rk_doc){.kind = RK_DOC_LIST, .n = s->n_layer, .item = item};
    return RK_OK;
}

static int put_shapes(reading *r, growing *g)
{
    shapes s;
    rk_doc *d = collect_shapes(r, &s) == RK_OK ? grow(r, g, "tensor") : NULL;

    if (!d)
        return RK_ENOMEM;
    *d = map_of(&s.every);
    if (!(d = grow(r, g, "any")))
        return RK_ENOMEM;
    *d = map_of(&s.any);
    return (d = grow(r, g, "blk")) ? layers_doc(r, &s, d) : RK_ENOMEM;
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

static bool is_size(const rk_doc *d)
{
    return d->kind == RK_DOC_INT && d->number >= 0 && d->number <= RK_GGUF_SIZE_MAX;
}

static bool is_number(const rk_doc *d)
{
    return d->kind == RK_DOC_INT || (d->kind == RK_DOC_REAL && isfinite(d->real));
}

static bool is_truth(const rk_doc *d)
{
    return d->kind == RK_DOC_BOOL;
}

static bool is_truth_or_size(const rk_doc *d)
{
    return is_truth(d) || is_size(d);
}

static bool is_text(const rk_doc *d)
{
    return d->kind == RK_DOC_TEXT && strlen(d->text) == d->n;
}

typedef struct kind {
    const char *word; /* in keys.json */
    bool (*is)(const rk_doc *d);
    bool layers; /* or a list with one for each layer */
    const char *text;
} kind;

static const kind kinds[] = {
    {"size", is_size, false, "a whole number from 0 to 2147483647"},
    {"size of layers", is_size, true, "a whole number from 0 to 2147483647, or a list of them"},
    {"number", is_number, false, "a number"},
    {"number of layers", is_number, true, "a number, or a list of them"},
    {"truth", is_truth, false, "a truth value"},
    {"truth or size of layers", is_truth_or_size, true, "a truth value, a size, or a list of them"},
    {"text", is_text, false, "a text"},
};

#define NEEDED "needed" /* not a kind: keys without which nothing can be said */

static const kind *find_kind(const char *word)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].word, word) == 0)
            return &kinds[i];
    return NULL;
}

static const char *what_it_is(const rk_doc *d, char buf[64])
{
    static const char *const word[] = {"nothing", "a truth value", "",     "a number that is not whole or not finite",
                                       "a text",  "a list",        "a map"};

    if (d->kind != RK_DOC_INT)
        return word[d->kind];
    return rk_num_text(buf, d->number);
}

static int fail_kind(const reading *r, const char *key, const kind *k, const rk_doc *d)
{
    char number[64];

    return rk_fail(r->err, RK_EINPUT, "%s: the key '%s.%s' must be %s, and here it is %s", r->file, r->architecture,
                   key, k->text, what_it_is(d, number));
}

/* A list has one item for each layer. */
static int check_list(const reading *r, const rk_doc *facts, const char *key, const kind *k, const rk_doc *d)
{
    const rk_doc *layers = key_of(facts, "block_count");

    for (size_t i = 0; i < d->n; i++)
        if (!k->is(&d->item[i]))
            return fail_kind(r, key, k, &d->item[i]);
    if (!layers || layers->kind != RK_DOC_INT || layers->number == (rk_i128)(d->n + d->n_skipped))
        return RK_OK;
    char number[RK_NUM_TEXT_MAX];

    return rk_fail(r->err, RK_EINPUT, "%s: the key '%s.%s' is a list of %zu, and '%s.block_count' is %s", r->file,
                   r->architecture, key, d->n + d->n_skipped, r->architecture, rk_num_text(number, layers->number));
}

static int check_key(const reading *r, const rk_doc *facts, const kind *k, const char *key)
{
    const rk_doc *d = key_of(facts, key);

    if (!d || k->is(d))
        return RK_OK;
    return d->kind == RK_DOC_LIST && k->layers ? check_list(r, facts, key, k, d) : fail_kind(r, key, k, d);
}

static int check_needed(const reading *r, const rk_doc *facts, const char *key)
{
    return key_of(facts, key) ? RK_OK
                              : rk_fail(r->err, RK_EINPUT, "%s: has no key '%s.%s', which every model needs", r->file,
                                        r->architecture, key);
}

static int check_keys(const reading *r, const rk_doc *facts, const char *word, const rk_doc *list)
{
    const kind *k = find_kind(word);
    bool needed = strcmp(word, NEEDED) == 0;
    int code = RK_OK;

    if ((!k && !needed) || list->kind != RK_DOC_LIST)
        return rk_fail(r->err, RK_EINPUT, "gguf/keys.json: '%s' is no kind with a list of keys", word);
    for (size_t i = 0; i < list->n && code == RK_OK; i++) {
        const char *key = list->item[i].kind == RK_DOC_TEXT ? list->item[i].text : "";

        code = needed ? check_needed(r, facts, key) : check_key(r, facts, k, key);
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

static int check_limits(const reading *r)
{
    if (r->store->n_tensor > RK_GGUF_MAPPED_TENSORS_MAX)
        return rk_fail(r->err, RK_ELIMIT, "%s: %zu tensors, and a model of at most %u is looked at", r->file,
                       r->store->n_tensor, RK_GGUF_MAPPED_TENSORS_MAX);
    if (r->store->metadata->n > RK_GGUF_MAPPED_KEYS_MAX)
        return rk_fail(r->err, RK_ELIMIT, "%s: %zu keys, and metadata of at most %u is looked at", r->file,
                       r->store->metadata->n, RK_GGUF_MAPPED_KEYS_MAX);
    return r->store->n_known == r->store->n_tensor
               ? RK_OK
               : rk_fail(r->err, RK_EINPUT, "%s: not all of its tensors are here", r->file);
}

static int begin(reading *r)
{
    const rk_doc *d = key_of(r->store->metadata, ARCHITECTURE);
    const char *path = r->store->n_file ? r->store->file[0].path : "the checkpoint";

    r->file = rk_arena_text(r->arena, rk_safe_text(path, strlen(path)).text);
    if (!r->file)
        return rk_fail_memory(r->err);
    if (!d || !is_text(d) || !d->n || !rk_is_safe(d->text, d->n) || strchr(d->text, '/'))
        return rk_fail(r->err, RK_EINPUT, "%s: the key '" ARCHITECTURE "' must be a word", r->file);
    r->architecture = d->text;
    return check_limits(r);
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
                              .finder = {find_used, &r}};

    return code == RK_OK ? rk_mapping_run(&source, a, config, err) : code;
}
