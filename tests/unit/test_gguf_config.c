/* SPDX-License-Identifier: MIT */
#include "account/ledger.h"
#include "model/mapping.h"
#include "plan/gguf.h"
#include "plan/open.h"
#include "read/dump.h"

#include <inttypes.h>

#define CASES "tests/gguf/"
#define COUNT(list) (sizeof(list) / sizeof *(list))

static rk_err err;

/* ---- architectures: tests/gguf/PROVENANCE says what the files are ------------------------------------------------ */

typedef struct sample {
    char name[64], config[128], more[64];
    uint64_t size;
    long long less;
} sample;

/* What an account says of a model at B = 1, S = 16. */
typedef struct figures {
    rk_i128 stored, forward, backward;
} figures;

static rk_i128 value_of(const rk_instance *m, rk_ex e)
{
    rk_binding at = m->at;
    rk_i128 n = -1;

    CHECK_INT(rk_ex_eval(m->pool, e, &at, &n, &err), RK_OK);
    return n;
}

static figures figures_of(const char *path, rk_count what)
{
    static const rk_setting set[] = {{.name = "B", .value = 1}, {.name = "S", .value = 16}};
    rk_str mistakes = {0};
    rk_open_request r = {.word = &path, .n_word = 1, .setting = set, .n_setting = 2, .mistakes = &mistakes};
    rk_convention c = {.count = what};
    rk_instance *m = NULL;
    rk_ledger *l = NULL;
    figures f = {-1, -1, -1};

    if (CHECK_INT(rk_open(&r, &m, &err), RK_OK) && CHECK_INT(rk_ledger_new(m, &c, &l, &err), RK_OK))
        f = (figures){value_of(m, l->stored), value_of(m, l->forward), value_of(m, l->backward)};
    else
        printf("    %s: %s\n%s", path, err.message, rk_str_text(&mistakes));
    rk_ledger_free(l);
    rk_instance_free(m);
    rk_str_free(&mistakes);
    return f;
}

static void compare(const sample *s, const char *gguf, rk_count what)
{
    figures got = figures_of(gguf, what), want = figures_of(s->config, what);

    if (!CHECK_INT(got.stored, want.stored) || !CHECK_INT(got.forward, want.forward) ||
        !CHECK_INT(got.backward, want.backward) || !CHECK(got.stored > 0 && got.forward > 0))
        printf("    in %s\n", s->name);
}

static bool ends_in(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n >= m && strcmp(text + n - m, end) == 0;
}

/* The tensors of the file are the parameters, but for those that the list of cases names. */
static void compare_tensors(const sample *s, const char *gguf)
{
    rk_arena a = {0};
    rk_store *store = NULL;
    rk_i128 total = s->less;

    if (CHECK_INT(rk_store_read(NULL, &a, gguf, &store, &err), RK_OK)) {
        for (size_t i = 0; i < store->n_tensor; i++)
            total += ends_in(store->tensor[i].name, s->more) ? 0 : (rk_i128)store->tensor[i].count;
        if (!CHECK_INT(total, figures_of(s->config, RK_COUNT_TORCH).stored))
            printf("    in %s\n", s->name);
    }
    rk_arena_free(&a);
}

/* The head of a file, and as many zeros as it had bytes. */
static const char *put_whole(rk_arena *a, const char *folder, const sample *s)
{
    size_t n = 0;
    const char *path = in_folder(folder, rk_arena_format(a, "%s.gguf", s->name));
    const char *head = get_file(a, rk_arena_format(a, CASES "%s.head", s->name), &n);

    put_file(path, head, n, s->size);
    return path;
}

static void test_sample(const char *folder, const sample *s)
{
    rk_arena a = {0};
    const char *path = put_whole(&a, folder, s);

    compare(s, path, RK_COUNT_TORCH);
    compare(s, path, RK_COUNT_ALL);
    compare_tensors(s, path);
    rk_arena_free(&a);
}

static void test_samples(void)
{
    const char *folder = new_folder();
    FILE *f = fopen(CASES "cases", "r");
    size_t n = 0;

    for (sample s; CHECK(f != NULL) &&
                   fscanf(f, "%63s %" SCNu64 " %127s %63s %lld", s.name, &s.size, s.config, s.more, &s.less) == 5;
         n++)
        test_sample(folder, &s);
    CHECK(n > 80);
    if (f)
        fclose(f);
    clean(folder);
}

/* ---- metadata that is wrong -------------------------------------------------------------------------------------- */

static rk_store *parse_head(rk_arena *a, const char *name, uint64_t size)
{
    rk_store *s = NULL;
    size_t n = 0;
    const char *head = get_file(a, rk_arena_format(a, CASES "%s.head", name), &n);

    CHECK_INT(rk_gguf_parse(a, "m.gguf", head, n, size, &s, &err), RK_OK);
    return s;
}

static int config_of(rk_arena *a, const rk_store *s)
{
    rk_library none = {0};
    rk_doc *d = NULL;
    int code;

    err = (rk_err){0};
    code = rk_gguf_config(&none, a, s, &d, &err);
    CHECK(code == RK_OK ? d != NULL && d->kind == RK_DOC_MAP : d == NULL && err.code == code);
    return code;
}

/* The store with one key of another value (NULL: without that key), given as JSON. */
static rk_store *changed(rk_arena *a, const rk_store *s, const char *key, const char *json)
{
    rk_store *t = RK_NEW(a, rk_store);
    rk_doc *meta = RK_NEW(a, rk_doc), *value = NULL;

    *meta = *s->metadata;
    meta->key = RK_NEW_ARRAY(a, meta->n + 1, const char *);
    meta->item = RK_NEW_ARRAY(a, meta->n + 1, rk_doc);
    meta->n = 0;
    for (size_t i = 0; i < s->metadata->n; i++)
        if (strcmp(s->metadata->key[i], key) != 0) {
            meta->key[meta->n] = s->metadata->key[i];
            meta->item[meta->n++] = s->metadata->item[i];
        }
    if (json && CHECK_INT(rk_config_parse(a, "j", json, strlen(json), &value, &err), RK_OK)) {
        meta->key[meta->n] = key;
        meta->item[meta->n++] = *value;
    }
    *t = *s;
    t->metadata = meta;
    return t;
}

#define SIZE "a whole number from 0 to 2147483647"
#define COMMON "models/gguf/shared/common.rk"

static const struct {
    const char *key, *json, *message; /* the message, or its beginning */
} wrong[] = {
    {"llama.block_count", "\"four\"", "m.gguf: the key 'llama.block_count' must be " SIZE ", and here it is a text"},
    {"llama.block_count", "-4", "m.gguf: the key 'llama.block_count' must be " SIZE ", and here it is -4"},
    {"llama.block_count", "4294967295",
     "m.gguf: the key 'llama.block_count' must be " SIZE ", and here it is 4294967295"},
    {"llama.block_count", "[4]", "m.gguf: the key 'llama.block_count' must be " SIZE ", and here it is a list"},
    {"llama.block_count", "4.5",
     "m.gguf: the key 'llama.block_count' must be " SIZE ", and here it is a number that is not whole or not finite"},
    {"llama.block_count", "true", "m.gguf: the key 'llama.block_count' must be " SIZE ", and here it is a truth value"},
    {"llama.block_count", NULL, "m.gguf: has no key 'llama.block_count', which every model needs"},
    {"llama.block_count", "3", "m.gguf: this must hold, but blk = 4 values, block_count = 3 (" COMMON ":"},
    {"llama.block_count", "5", "m.gguf: this must hold, but L = 4"},
    {"llama.embedding_length", NULL, "m.gguf: has no key 'llama.embedding_length', which every model needs"},
    {"llama.embedding_length", "95", "m.gguf: this must hold, but D = 95"},
    {"llama.attention.head_count", NULL, "m.gguf: has no key 'llama.attention.head_count', which every model needs"},
    {"llama.attention.head_count", "0", "m.gguf: this must hold, but N = 0"},
    {"llama.attention.head_count", "[6, 6, 6]",
     "m.gguf: the key 'llama.attention.head_count' is a list of 3, and 'llama.block_count' is 4"},
    {"llama.attention.head_count_kv", "[2, 2, -2, 2]",
     "m.gguf: the key 'llama.attention.head_count_kv' must be " SIZE ", or a list of them, and here it is -2"},
    {"llama.attention.head_count_kv", "{}",
     "m.gguf: the key 'llama.attention.head_count_kv' must be " SIZE ", or a list of them, and here it is a map"},
    {"llama.attention.key_length", "0", "m.gguf: this must hold, but H = 0"},
    {"llama.logit_scale", "NaN",
     "m.gguf: the key 'llama.logit_scale' must be a number, and here it is a number that is not whole or not finite"},
    {"general.architecture", "7", "m.gguf: the key 'general.architecture' must be a word"},
    {"general.architecture", "\"\"", "m.gguf: the key 'general.architecture' must be a word"},
    {"general.architecture", "\"shared/common\"", "m.gguf: the key 'general.architecture' must be a word"},
    {"general.architecture", "\"lama\"",
     "m.gguf: no mapping is for the architecture 'lama'; did you mean 'llama'? ('reckon params m.gguf' lists its "
     "tensors; the config.json that it was made from may be known)"},
    {"general.architecture", "\"common\"", "m.gguf: no mapping is for the architecture 'common' ('reckon params m"},
    {"general.architecture", "\"qwen2\"", "m.gguf: has no key 'qwen2.block_count', which every model needs"},
};

static bool message_begins(const char *begin)
{
    bool same = strncmp(err.message, begin, strlen(begin)) == 0;

    if (!same)
        printf("got:  %s\nwant: %s\n", err.message, begin);
    return same;
}

static void test_wrong(void)
{
    rk_arena a = {0};
    const rk_store *s = parse_head(&a, "llama", 1626208);

    CHECK_INT(config_of(&a, s), RK_OK);
    CHECK_INT(config_of(&a, changed(&a, s, "llama.attention.head_count_kv", "[2, 2, 2, 2]")), RK_OK);
    for (size_t i = 0; i < COUNT(wrong); i++) {
        CHECK_INT(config_of(&a, changed(&a, s, wrong[i].key, wrong[i].json)), RK_EINPUT);
        CHECK(message_begins(wrong[i].message));
    }
    rk_arena_free(&a);
}

/* No value of any kind under any key of any architecture does harm. */
static void test_any(const char *name, uint64_t size)
{
    static const char *const json[] = {NULL, "\"x\"",        "0",    "1",     "-1", "2147483647",
                                       "[]", "[0, 1, 2, 3]", "true", "1e300", "{}"};
    rk_arena a = {0};
    const rk_store *s = parse_head(&a, name, size);

    for (size_t k = 0; k < s->metadata->n; k++)
        for (size_t i = 0; i < COUNT(json); i++) {
            int code = config_of(&a, changed(&a, s, s->metadata->key[k], json[i]));

            CHECK(code == RK_OK || code == RK_EINPUT);
        }
    rk_arena_free(&a);
}

static void test_tensors_wrong(void)
{
    rk_arena a = {0};
    rk_store *s = parse_head(&a, "llama", 1626208);
    rk_stored *t = RK_NEW_ARRAY(&a, s->n_tensor, rk_stored);

    memcpy(t, s->tensor, s->n_tensor * sizeof *t);
    for (size_t i = 0; i < s->n_tensor; i++)
        if (strcmp(t[i].name, "token_embd.weight") == 0)
            t[i].name = "embedding.weight";
    s->tensor = t;
    CHECK_INT(config_of(&a, s), RK_EINPUT);
    CHECK(message_begins("m.gguf: has no $tensor[\"token_embd.weight\"][0], which is needed here (" COMMON ":"));
    s->n_tensor = RK_GGUF_MAPPED_TENSORS_MAX + 1;
    CHECK_INT(config_of(&a, s), RK_ELIMIT);
    CHECK(message_begins("m.gguf: 100001 tensors, and a model of at most 100000 is looked at"));
    s->n_tensor = 0;
    s->n_known = 0;
    CHECK_INT(config_of(&a, s), RK_EINPUT);
    rk_arena_free(&a);
}

/* With less memory than it needs it fails, no more. */
static void test_memory(void)
{
    rk_arena a = {0};
    const rk_store *s = parse_head(&a, "jamba", 4427616);
    int code = RK_ENOMEM;

    for (long n = 0; code == RK_ENOMEM && CHECK(n < 100000); n++) {
        rk_arena b = {0};
        rk_library none = {0};
        rk_doc *d = NULL;

        rk_heap_fail_after(n);
        code = rk_gguf_config(&none, &b, s, &d, &err);
        rk_heap_fail_after(-1);
        CHECK(code == RK_OK ? d != NULL : code == RK_ENOMEM && d == NULL);
        rk_arena_free(&b);
    }
    CHECK_INT(code, RK_OK);
    rk_arena_free(&a);
}

/* ---- mappings ---------------------------------------------------------------------------------------------------- */

static int find(void *self, rk_arena *a, const char *from, const char *path, const char **name, const char **text,
                size_t *n, rk_err *e)
{
    (void)a;
    (void)from;
    if (strcmp(path, "again.rk") != 0)
        return rk_fail(e, RK_EINPUT, "there is no file '%s'", path);
    *name = path;
    *text = self;
    *n = strlen(self);
    return RK_OK;
}

static int run_mapping(const char *text, const char *json, rk_str *out)
{
    static char used[] = "use again.rk\n";
    rk_arena a = {0};
    rk_doc *from = NULL, *d = NULL;
    rk_model_source s = {.name = "m",
                         .file_name = "m.rk",
                         .text = text,
                         .n = strlen(text),
                         .config_name = "the file",
                         .finder = {.find = find, .self = used}};
    int code;

    CHECK_INT(rk_config_parse(&a, "j", json, strlen(json), &from, &err), RK_OK);
    s.config = from;
    err = (rk_err){0};
    code = rk_mapping_run(&s, &a, &d, &err);
    for (size_t i = 0; code == RK_OK && i < d->n; i++) {
        rk_str_format(out, "%s%s=", i ? " " : "", d->key[i]);
        put_doc(out, &d->item[i]);
    }
    rk_arena_free(&a);
    return code;
}

static const struct {
    const char *text, *made;
} mapping[] = {
    {"a = $n\nb = 2 * $n + 1\nc = \"word\"\nd = True\ne = 0.5\nf = $list\n",
     "a=3 b=7 c=\"word\" d=true e=0.5 f=[4,5,6]"},
    {"a = 1\na = 2\n", "a=2"},
    {"a = $none ?? 7\nb = $none ?? None\nc = 1 if given($none)\n", "a=7 b=?"},
    {"a = $x.y\nb = $x.z.w\n", "a=1 b=2"},
    {"part layers[i < $n]:\n    a = 10 * i\n    b = i if i != 1\n    let h = i + 1\n    c = $list[i] - h\n",
     "a=[0,10,20] b=[0,2] c=[3,3,3]"},
    {"part layers[i < 0]:\n    a = i\nz = 1\n", "z=1"},
    {"a = 5\npart layers[i < 2]:\n    a = i\n", "a=[0,1]"},
    {"if $n > 3:\n    a = 1\nelif $n > 2:\n    a = 2\nelse:\n    a = 3\n", "a=2"},
    {"let k = j + 1\nlet j = $n\na = k\ncheck k == 4\nfamily \"x\"\n", "a=4"},
};

static void test_mapping(void)
{
    static const char json[] = "{\"n\": 3, \"list\": [4, 5, 6], \"x.y\": 1, \"x\": {\"z\": {\"w\": 2}}}";

    for (size_t i = 0; i < COUNT(mapping); i++) {
        rk_str s = {0};

        CHECK_INT(run_mapping(mapping[i].text, json, &s), RK_OK);
        CHECK_TEXT(rk_str_text(&s), mapping[i].made);
        CHECK_TEXT(err.message, "");
        rk_str_free(&s);
    }
}

static void test_nested(void)
{
    static const char text[] = "at a:\n    x = 1\n    at b:\n        y = 2\nat a:\n    z = 3\n";
    rk_arena a = {0};
    rk_doc *d = NULL, none = {.kind = RK_DOC_MAP};
    rk_model_source s = {
        .name = "m", .file_name = "m.rk", .text = text, .n = strlen(text), .config = &none, .config_name = "the file"};

    if (CHECK_INT(rk_mapping_run(&s, &a, &d, &err), RK_OK)) {
        const rk_doc *in = rk_doc_key(d, "a", 1), *b = rk_doc_key(in, "b", 1), *y = rk_doc_key(b, "y", 1);

        CHECK(d->n == 1 && in && in->n == 3 && y && y->number == 2);
    }
    rk_arena_free(&a);
}

static const struct {
    const char *text, *message;
} mistake[] = {
    {"a = $none\n", "the file: has no key 'none', which is needed here (m.rk:1: a = $none)"},
    {"a = $list[True]\n", "the file: an index must be a number (m.rk:1: a = $list[True])"},
    {"let k = $map[\"x\"]\nlet j = k\na = j\n", "the file: has no $map[\"x\"], which is needed here (m.rk:3: a = j)"},
    {"a = $list[7]\n", "the file: 'list' has no element 7 (m.rk:1: a = $list[7])"},
    {"a = $map[\"x\"]\n", "the file: has no $map[\"x\"], which is needed here (m.rk:1: a = $map[\"x\"])"},
    {"\n    a = causal\n", "the file: this line is indented, but no block is open (m.rk:2: a = causal)"},
    {"a = causal\n", "the file: a mask is no value of a config (m.rk:1: a = causal)"},
    {"a[D] = 1\n", "the file: a line of a mapping is  key = value (m.rk:1: a[D] = 1)"},
    {"let a\n", "the file: in a mapping a name needs its value: let a = … (m.rk:1: let a)"},
    {"input x[B]\n",
     "the file: a mapping has lines  key = value, let, check, if, at, part, use  and no others (m.rk:1:"},
    {"part x:\n    a = 1\n",
     "the file: a loop of a mapping is  part NAME[i < COUNT]:  and not inside another (m.rk:1:"},
    {"part x[i < 2]:\n    part y[k < 2]:\n        a = 1\n",
     "the file: a loop of a mapping is  part NAME[i < COUNT]:  and not inside another (m.rk:2:"},
    {"part x[i < -1]:\n    a = 1\n", "the file: a loop has from 0 to 100000 turns (m.rk:1:"},
    {"part x[i < 100001]:\n    a = 1\n", "the file: a loop has from 0 to 100000 turns (m.rk:1:"},
    {"part x[i < \"x\"]:\n    a = 1\n", "the file: a loop has from 0 to 100000 turns (m.rk:1:"},
    {"part x[i < $none]:\n    a = 1\n", "the file: has no key 'none', which is needed here (m.rk:1:"},
    {"part x[i < 2]:\n    at y:\n        a = 1\n", "the file: 'at' opens one map, and not inside a loop (m.rk:2:"},
    {"at x.y:\n    a = 1\n", "the file: 'at' opens one map, and not inside a loop (m.rk:1:"},
    {"use other.rk\n", "the file: there is no file 'other.rk' (m.rk:1: use other.rk)"},
    {"use again.rk\n", "again.rk: files that use files: deeper than 8"},
    {"check 1 == 2\n", "the file: this must hold, but  (m.rk:1: check 1 == 2)"},
    {"a = \n", "the file: expected a value"},
};

static void test_mistakes(void)
{
    rk_str s = {0};

    for (size_t i = 0; i < COUNT(mistake); i++) {
        int code = run_mapping(mistake[i].text, "{\"list\": [4, 5], \"map\": {\"y\": 1}}", &s);

        CHECK(code == RK_EINPUT || code == RK_ELIMIT);
        CHECK(message_begins(mistake[i].message));
    }
    rk_str_free(&s);
}

int main(void)
{
    test_mapping();
    test_nested();
    test_mistakes();
    test_wrong();
    test_any("llama", 1626208);
    test_any("jamba", 4427616);
    test_any("deepseek_v3", 2760640);
    test_tensors_wrong();
    test_memory();
    test_samples();
    return t_done("gguf_config");
}
