/* SPDX-License-Identifier: MIT */
/* Keys of configs: which a family reads, which were read, which are lacking; patterns; and all of it without memory. */
#include "account/count.h"
#include "account/ledger.h"
#include "plan/ignored_keys.h"
#include "plan/family.h"
#include "plan/glob.h"
#include "plan/open.h"
#include "plan/reads.h"
#include "report/report.h"
#include "t.h"

static rk_err err;
static const rk_library library;

/* ---- patterns --------------------------------------------------------------------------------------------------- */

static const struct {
    const char *pattern, *text;
    bool is, finds;
} patterns[] = {
    {"gpt2", "gpt2", true, true},
    {"gpt2", "gpt2-xl", false, true},
    {"GPT", "gpt2-xl", false, true},
    {"gpt2*", "gpt2-xl", true, true},
    {"*xl", "GPT2-XL", true, true},
    {"gpt?-xl", "gpt2-xl", true, true},
    {"g*2*l", "gpt2-xl", true, true},
    {"g*3*l", "gpt2-xl", false, false},
    {"?", "", false, false},
    {"*", "", true, true},
    {"**", "x", true, true},
    {"", "x", false, true},
    {"", "", true, true},
    {"a*b*c", "aXbXbc", true, true},
    {"xl?", "gpt2-xl", false, false},
};

static void test_patterns(void)
{
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        CHECK_INT(rk_glob_is(patterns[i].pattern, patterns[i].text), patterns[i].is);
        if (!CHECK_INT(rk_glob_finds(patterns[i].pattern, patterns[i].text), patterns[i].finds))
            printf("    %s in %s\n", patterns[i].pattern, patterns[i].text);
    }
}

static void test_aside(void)
{
    rk_arena a = {0};
    rk_ignored_keys aside = {0};

    CHECK_INT(rk_ignored_keys_read(&library, &a, &aside, &err), RK_OK);
    CHECK_TEXT(rk_ignored_key_reason(&aside, "bos_token_id"), "tokens");
    CHECK_TEXT(rk_ignored_key_reason(&aside, "text_config.attention_dropout"), "training");
    CHECK_TEXT(rk_ignored_key_reason(&aside, "torch_dtype"), "storage");
    CHECK(rk_ignored_key_reason(&aside, "hidden_size") == NULL);
    CHECK(rk_ignored_key_reason(&aside, "num_experts_per_tok") == NULL);
    rk_arena_free(&a);
}

/* ---- what a text reads ------------------------------------------------------------------------------------------ */

static const rk_reads_key *find_key(const rk_reads_key *k, size_t n, const char *path)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(k[i].path, path) == 0)
            return &k[i];
    return NULL;
}

static const char text[] = "model m: \"a model\"\n"
                           "let D = $width ?? $d_model ?? 64 \"width\"\n"
                           "let H = $head ?? D / 4\n"
                           "run S = min($context ?? 8, 4)\n"
                           "if $gated and has($deep.er):\n"
                           "    let F = $ffn\n"
                           "part layers[i < $n]:\n"
                           "    let kind = $types[i] ?? \"full\"\n"
                           "    y = f(x, $bias) if $only\n"
                           "tie .{$name}.w to .b if $tied\n";

static const struct {
    const char *path, *otherwise, *symbol;
} read_keys[] = {
    {"width", "64", "D"},        {"d_model", "64", "D"},  {"head", "D / 4", "H"}, {"context", "8", "S"},
    {"gated", NULL, NULL},       {"deep.er", NULL, NULL}, {"ffn", NULL, "F"},     {"n", NULL, NULL},
    {"bias", NULL, NULL},        {"only", NULL, NULL},    {"name", NULL, NULL},   {"tied", NULL, NULL},
    {"types", "\"full\"", NULL},
};

static bool same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static void test_reads(void)
{
    rk_text t = {"m.rk", text, sizeof text - 1}, bad = {"bad.rk", "let D = (\n", 10};
    rk_arena a = {0};
    rk_reads_key *k = NULL;
    size_t n = 0;

    if (!CHECK_INT(rk_reads(&a, &t, NULL, &k, &n, &err), RK_OK))
        printf("    %s\n", err.message);
    CHECK_INT(n, sizeof read_keys / sizeof *read_keys);
    for (size_t i = 0; i < sizeof read_keys / sizeof *read_keys; i++) {
        const rk_reads_key *got = find_key(k, n, read_keys[i].path);

        if (!CHECK(got && same(got->otherwise, read_keys[i].otherwise) && same(got->symbol, read_keys[i].symbol)))
            printf("    %s\n", read_keys[i].path);
    }
    CHECK_INT(rk_reads(&a, &bad, NULL, &k, &n, &err), RK_EINPUT);
    rk_arena_free(&a);
}

/* ---- what was read ---------------------------------------------------------------------------------------------- */

/* A family whose config has both spellings, a null, a list and keys that no one reads. */
static const char model_text[] = "model m: \"a model\"\n"
                                 "let L = $layers ?? $n_layer ?? 2 \"layers\"\n"
                                 "let D = $width ?? $d_model ?? 64 \"width\"\n"
                                 "let Q = $rank ?? (0 if has($rank) else 7)\n"
                                 "let W = $window ?? D * 2\n"
                                 "run B = 1\n"
                                 "input x[B D]\n"
                                 "part layers[i < L] at l.{i}:\n"
                                 "    x = rmsnorm(x, .w[D]) if $kinds[i] ?? i >= 0\n"
                                 "output x\n";
static const char config_text[] = "{\"model_type\": \"m\", \"d_model\": 8, \"rank\": null, \"ghost\": 1, "
                                  "\"kinds\": [true, false], \"deep\": {\"a\": 1}, \"nothing\": null}";

static int open_model(rk_instance **m)
{
    rk_open_request r = {.model = {"m.rk", model_text, sizeof model_text - 1},
                         .config = {"c.json", config_text, sizeof config_text - 1},
                         .wants_keys = true};

    *m = NULL;
    return rk_open(&r, m, &err);
}

static const struct {
    const char *path;
    rk_key_from from;
    rk_doc_kind kind;
    const char *symbol, *otherwise;
} told[] = {
    {"layers", RK_KEY_DEFAULT, RK_DOC_INT, "L", NULL}, {"d_model", RK_KEY_GIVEN, RK_DOC_INT, "D", NULL},
    {"rank", RK_KEY_GIVEN, RK_DOC_NULL, "Q", NULL},    {"window", RK_KEY_DEFAULT, RK_DOC_INT, "W", "D * 2"},
    {"kinds", RK_KEY_GIVEN, RK_DOC_LIST, NULL, NULL},  {"model_type", RK_KEY_UNREAD, RK_DOC_TEXT, NULL, NULL},
    {"ghost", RK_KEY_UNREAD, RK_DOC_INT, NULL, NULL},  {"deep", RK_KEY_UNREAD, RK_DOC_MAP, NULL, NULL},
};

static void test_told(void)
{
    const size_t n = sizeof told / sizeof *told;
    rk_instance *m;

    if (!CHECK_INT(open_model(&m), RK_OK))
        return;
    CHECK_INT(m->model->n_key, n);
    for (size_t i = 0; i < n && i < m->model->n_key; i++) {
        const rk_key *k = &m->model->key[i];

        CHECK_TEXT(k->path, told[i].path);
        CHECK_INT(k->from, told[i].from);
        CHECK_INT(k->value.kind, told[i].kind);
        CHECK(same(k->symbol, told[i].symbol) && same(k->otherwise, told[i].otherwise));
    }
    rk_instance_free(m);
}

/* Nothing is noted that no one wants. */
static void test_unwanted(void)
{
    const char *word = "gpt2-xl";
    rk_open_request r = {.word = &word, .n_word = 1};
    rk_instance *m = NULL;
    rk_i128 n = 0;

    if (!CHECK_INT(rk_open(&r, &m, &err), RK_OK))
        return;
    CHECK_INT(m->model->n_key, 0);
    CHECK_INT(rk_count_stored(m->model, &n, &err), RK_OK);
    CHECK_INT(n, 1557611200);
    rk_instance_free(m);
}

/* ---- without memory --------------------------------------------------------------------------------------------- */

static int explain(void)
{
    rk_str out = {0};
    rk_report r = {.format = RK_FORMAT_JSON, .out = &out};
    rk_convention c = {0};
    rk_instance *m = NULL;
    rk_ledger *l = NULL;
    int code = open_model(&m);

    if (code == RK_OK)
        code = rk_ledger_new(m, &c, &l, &err);
    if (code == RK_OK)
        code = rk_report_explain(&r, l, &library, &err);
    rk_ledger_free(l);
    rk_instance_free(m);
    rk_str_free(&out);
    return code;
}

static int read_like(void)
{
    rk_open_request r = {.config = {"c.json", config_text, sizeof config_text - 1}, .like = "llama"};
    rk_instance *m = NULL;
    int code = rk_open(&r, &m, &err);

    rk_instance_free(m);
    return code;
}

static int fail_family(void)
{
    rk_open_request r = {.config = {"c.json", config_text, sizeof config_text - 1}};
    rk_instance *m = NULL;

    return rk_open(&r, &m, &err);
}

/* Each allocation fails in turn, until none does: then the result is the usual one. */
static void run_dry(int (*run)(void), int usual, long step)
{
    int code = RK_ENOMEM;

    for (long n = 0; code == RK_ENOMEM && n < 1000000; n += step) {
        rk_heap_fail_after(n);
        code = run();
        rk_heap_fail_after(-1);
    }
    if (!CHECK_INT(code, usual))
        printf("    %s\n", err.message);
}

/* ---- kinds of layers -------------------------------------------------------------------------------------------- */

/* Keys whose words say what a layer is, at the end of their paths. */
static const char *const kind_key[] = {"layer_types", "layers_block_type", "block_types"};

static bool says_kinds(const char *path)
{
    for (size_t i = 0; i < sizeof kind_key / sizeof *kind_key; i++) {
        size_t n = strlen(path), m = strlen(kind_key[i]);

        if (n >= m && strcmp(path + n - m, kind_key[i]) == 0)
            return true;
    }
    return false;
}

/* A family with layers of a kind that it cannot know says so, and does not take them for something else. */
static void check_kinds(rk_arena *a, const char *family, const char *path)
{
    const char *dot = strchr(path, '.');
    rk_str mistakes = {0};
    rk_open_request r = {.mistakes = &mistakes, .library = library};
    rk_instance *m = NULL;
    char *config = rk_arena_format(
        a, "{\"model_type\": \"%s\", %s%.*s%s\"num_hidden_layers\": 2, \"%s\": [\"odd\", \"odd\"]%s}", family,
        dot ? "\"" : "", dot ? (int)(dot - path) : 0, path, dot ? "\": {" : "", dot ? dot + 1 : path, dot ? "}" : "");

    r.config = (rk_text){"odd.json", config, strlen(config)};
    CHECK_INT(rk_open(&r, &m, &err), RK_EINPUT);
    if (!CHECK(strstr(rk_str_text(&mistakes), "\"odd\"") != NULL))
        printf("    %s\n", config);
    if (m)
        rk_instance_free(m);
    rk_str_free(&mistakes);
}

static void test_kinds(void)
{
    rk_library_entry *e = NULL;
    rk_arena a = {0};
    size_t n = 0, n_checked = 0;

    CHECK_INT(rk_library_list(&library, &a, &e, &n, &err), RK_OK);
    for (size_t i = 0; i < n; i++) {
        rk_reads_key *k = NULL;
        size_t n_key = 0;
        rk_text t = {0};

        if (e[i].is_config)
            continue;
        CHECK_INT(rk_library_get(&library, &a, e[i].path, &t, &err), RK_OK);
        CHECK_INT(rk_reads(&a, &t, NULL, &k, &n_key, &err), RK_OK);
        for (size_t j = 0; j < n_key; j++)
            if (says_kinds(k[j].path)) {
                check_kinds(&a, e[i].name, k[j].path);
                n_checked++;
            }
    }
    CHECK(n_checked > 30);
    rk_arena_free(&a);
}

int main(void)
{
    test_patterns();
    test_aside();
    test_kinds();
    test_reads();
    test_told();
    test_unwanted();
    run_dry(explain, RK_OK, 1);
    run_dry(read_like, RK_EINPUT, 7);
    run_dry(fail_family, RK_EINPUT, 97);
    return t_done("reads");
}
