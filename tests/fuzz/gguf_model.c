/* SPDX-License-Identifier: MIT */
/*
 * Models of GGUF files: random bytes hardly ever are a file from which a model can be opened, so an input is a way to
 * change one of tests/gguf, which are.  Its first byte says which; each eight after it change a key or a tensor.  What
 * comes out gives a model whose ledger can be made, or an error.
 */
#include "account/ledger.h"
#include "fuzz.h"
#include "plan/gguf.h"

#include <inttypes.h>
#include <string.h>

#define HEADS "tests/gguf/"

enum {
    HEADS_MAX = 256,
    CHANGES_MAX = 32,
    ITEMS_MAX = 64 /* of a list that is put in */
};

/* ---- what is changed -------------------------------------------------------------------------------------------- */

static rk_store *head[HEADS_MAX];
static size_t n_head;

static void read_head(rk_arena *a, const char *name, uint64_t size)
{
    char path[512];
    char *bytes = rk_alloc(a, FUZZ_BYTES_MAX);
    rk_err err = {0};
    size_t n;
    FILE *f;

    snprintf(path, sizeof path, HEADS "%s.head", name);
    f = fopen(path, "rb");
    MUST(f && bytes);
    n = fread(bytes, 1, FUZZ_BYTES_MAX, f);
    fclose(f);
    MUST(rk_gguf_parse(a, "m", bytes, n, size, &head[n_head++], &err) == RK_OK);
}

/* Once; PROVENANCE beside them says what the files are. */
static void read_heads(void)
{
    static rk_arena a;
    FILE *f = n_head ? NULL : fopen(HEADS "cases", "r");
    char line[512], name[64];
    uint64_t size;

    while (f && n_head < HEADS_MAX && fgets(line, sizeof line, f))
        if (sscanf(line, "%63s %" SCNu64, name, &size) == 2)
            read_head(&a, name, size);
    if (f)
        fclose(f);
    MUST(n_head > 0);
}

/* ---- changes ---------------------------------------------------------------------------------------------------- */

typedef struct change {
    uint8_t what, kind;
    uint16_t which;
    uint32_t value;
} change;

/* Sizes of models, the ends of ranges, and any number. */
static rk_i128 number_of(const change *c)
{
    static const int64_t known[] = {0, 1, 2, 3, 4, 7, 8, 16, 64, 128, 1000, 65536, 100000, INT32_MAX, -1, INT64_MAX};

    return c->kind & 1 ? (rk_i128)(int32_t)c->value : known[c->value % (sizeof known / sizeof *known)];
}

static rk_doc value_of(rk_arena *a, const change *c)
{
    rk_doc d = {.kind = (rk_doc_kind)(c->kind / 2 % RK_DOC_MAP)}; /* any but a map */

    d.truth = c->value & 1;
    d.number = number_of(c);
    d.real = (double)c->value / 7;
    d.text = d.kind == RK_DOC_TEXT ? (c->value & 1 ? "silu" : "") : NULL;
    d.n = d.kind == RK_DOC_TEXT ? strlen(d.text) : 0;
    if (d.kind == RK_DOC_LIST) {
        d.n = c->value % ITEMS_MAX;
        d.item = RK_NEW_ARRAY(a, d.n, rk_doc);
        MUST(d.item);
        for (size_t i = 0; i < d.n; i++)
            d.item[i] = (rk_doc){.kind = RK_DOC_INT, .number = (c->value >> (i % 16)) % 70};
    }
    return d;
}

static void change_key(rk_arena *a, rk_doc *map, const change *c)
{
    size_t i = map->n ? c->which % map->n : 0;

    if (map->n == 0)
        return;
    if (c->what & 1) {
        map->item[i] = value_of(a, c);
        return;
    }
    map->n--; /* it is left out */
    map->key[i] = map->key[map->n];
    map->item[i] = map->item[map->n];
}

static void change_tensor(rk_arena *a, const rk_store *s, rk_stored *tensor, const change *c)
{
    rk_stored *t = s->n_tensor ? &tensor[c->which % s->n_tensor] : NULL;
    uint64_t *shape;

    if (!t)
        return;
    if (c->what & 1 && t->rank > 0) {
        shape = rk_arena_copy_array(a, t->shape, t->rank, sizeof *shape);
        MUST(shape);
        shape[c->kind % t->rank] = c->value;
        t->shape = shape;
        return;
    }
    t->name = s->tensor[c->value % s->n_tensor].name;
}

static rk_store *changed(rk_arena *a, const uint8_t *data, size_t size)
{
    const rk_store *from = head[data[0] % n_head];
    rk_store *s = RK_NEW(a, rk_store);
    rk_doc *map = RK_NEW(a, rk_doc);
    rk_stored *tensor;
    change c;

    MUST(s && map);
    *s = *from;
    *map = *from->metadata;
    s->metadata = map;
    map->sorted = NULL;
    map->key = rk_arena_copy_array(a, map->key, map->n, sizeof *map->key);
    map->item = rk_arena_copy_array(a, map->item, map->n, sizeof *map->item);
    s->tensor = tensor = rk_arena_copy_array(a, s->tensor, s->n_tensor, sizeof *s->tensor);
    MUST(map->key && map->item && s->tensor);
    for (size_t at = 1, n = 0; size - at >= sizeof c && n < CHANGES_MAX; at += sizeof c, n++) {
        memcpy(&c, data + at, sizeof c);
        if (c.what & 2)
            change_tensor(a, s, tensor, &c);
        else
            change_key(a, map, &c);
    }
    return s;
}

/* ---- the model -------------------------------------------------------------------------------------------------- */

static int find_file(void *self, rk_arena *a, const char *from, const char *path, const char **name, const char **text,
                     size_t *n, rk_err *err)
{
    rk_library embedded = {0};
    rk_text t = {0};
    int code = rk_library_get(&embedded, a, path, &t, err);

    (void)self;
    (void)from;
    if (code == RK_OK && !t.text)
        code = rk_fail(err, RK_EINPUT, "no file %s", path);
    *name = t.name;
    *text = t.text;
    *n = t.n;
    return code;
}

/* Whether there is one. */
static bool open_model(const rk_doc *config, const rk_text *family)
{
    static const rk_setting set[] = {{.name = "B", .value = 1}, {.name = "S", .value = 16}};
    rk_model_source source = {.name = "m",
                              .file_name = family->name,
                              .text = family->text,
                              .n = family->n,
                              .config = config,
                              .config_name = "m",
                              .setting = set,
                              .n_setting = 2,
                              .finder = {.find = find_file}};
    rk_convention all = {.count = RK_COUNT_ALL};
    const rk_model *m = NULL;
    rk_instance *x = NULL;
    rk_ledger *l = NULL;
    rk_str mistakes = {0};
    rk_err err = {0};
    int code = rk_model_open(&source, &m, &mistakes, &err);

    MUST((code == RK_OK) == (m != NULL));
    MUST(code == RK_OK || (err.code == code && err.message[0]));
    if (m && rk_instance_of(m, &x, &err) == RK_OK) {
        code = rk_ledger_new(x, &all, &l, &err);
        MUST((code == RK_OK) == (l != NULL));
        MUST(code == RK_OK || err.message[0]);
    }
    rk_ledger_free(l);
    rk_instance_free(x);
    rk_str_free(&mistakes);
    return l != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rk_library embedded = {0};
    rk_arena a = {0};
    rk_doc *config = NULL;
    rk_text text = {0};
    rk_err err = {0};
    const rk_doc *family;
    bool opened = false;
    int code;

    read_heads();
    if (size == 0 || size > FUZZ_BYTES_MAX)
        return 0;
    code = rk_gguf_config(&embedded, &a, changed(&a, data, size), &config, &err);
    MUST((code == RK_OK) == (config != NULL));
    family = rk_doc_key(config, "model_type", strlen("model_type"));
    MUST(code != RK_OK || (family && family->kind == RK_DOC_TEXT));
    if (config && rk_library_family(&embedded, &a, family->text, &text, &err) == RK_OK && text.text)
        opened = open_model(config, &text);
    MUST(opened || size > 1); /* what is not changed is a model */
    rk_arena_free(&a);
    return 0;
}
