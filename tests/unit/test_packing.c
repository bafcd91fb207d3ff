/* SPDX-License-Identifier: MIT */
/* What configs say of stored numbers: types, quantisation, packed tensors, patterns of names; and nonsense in them. */
#include "account/packing.h"
#include "base/file.h"
#include "base/map.h"
#include "plan/open.h"
#include "read/pattern.h"
#include "t.h"

#include <dirent.h>
#include <stdlib.h>

static rk_arena arena;

/* ---- patterns --------------------------------------------------------------------------------------------------- */

static const struct {
    const char *pattern, *text;
    bool anywhere, at_dot;
} patterns[] = {
    {"lm_head", "lm_head", true, true},
    {"lm_head", "lm_heads", true, false},
    {"model.layers.1", "model.layers.10.mlp", true, false},
    {"model.layers.1", "model.layers.1.mlp", true, true},
    {"model.layers.*.self_attn", "model.layers.31.self_attn.q_proj", true, true},
    {"model.layers.*.self_attn", "model.layers.31.mlp.gate", false, false},
    {".*mlp.gate$", "model.layers.3.mlp.gate", true, true},
    {".*mlp.gate$", "model.layers.3.mlp.gate_proj", false, false},
    {"model\\.layers\\.\\d+\\.mlp", "model.layers.12.mlp.up_proj", true, true},
    {"model\\.layers\\.\\d+\\.mlp", "model.layers.x.mlp.up_proj", false, false},
    {"^visual", "visual.blocks.0", true, true},
    {"a+b", "aaab", true, true},
    {"a+b", "b", false, false},
    {"a*b", "b.c", true, true},
    {"x.*y.*z.*", "x.y", false, false},
    {"\\w+.w1", "gate.w1", true, true},
};

static void check_patterns(void)
{
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        if (!CHECK(rk_pattern_ok(patterns[i].pattern)))
            printf("  in %s\n", patterns[i].pattern);
        if (rk_pattern_match(patterns[i].pattern, patterns[i].text, RK_PATTERN_ANYWHERE) != patterns[i].anywhere ||
            rk_pattern_match(patterns[i].pattern, patterns[i].text, RK_PATTERN_AT_DOT) != patterns[i].at_dot)
            CHECK_TEXT(patterns[i].text, patterns[i].pattern);
    }
    const char *const refused[] = {"", "*", "+a", "a**", "(a|b)", "[ab]", "a{2}", "a?", "a$b", "a^", "a\\", "a\\s"};

    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (!CHECK(!rk_pattern_ok(refused[i])))
            printf("  in %s\n", refused[i]);
}

/* A pattern made to be slow where matching goes back: ".*.*.*…x" against "aaa…". */
static void check_pattern_time(void)
{
    char pattern[RK_PATTERN_MAX + 1] = "", text[5001];

    for (size_t i = 0; i + 2 < RK_PATTERN_MAX; i += 2)
        memcpy(pattern + i, ".*", 3);
    strcat(pattern, "x");
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    CHECK(rk_pattern_ok(pattern));
    CHECK(!rk_pattern_match(pattern, text, RK_PATTERN_ANYWHERE));
}

/* ---- packed tensors ------------------------------------------------------------------------------------------ */

static const rk_doc *key(const rk_doc *d, const char *name)
{
    return rk_doc_key(d, name, strlen(name));
}

static rk_doc *read_doc(const char *path)
{
    char *text = NULL;
    size_t n = 0;
    rk_doc *d = NULL;
    rk_err err = {0};

    if (rk_file_read(&arena, path, RK_CONFIG_BYTES_MAX, &text, &n, &err) != RK_OK ||
        rk_config_parse(&arena, path, text, n, &d, &err) != RK_OK)
        printf("%s: %s\n", path, err.message);
    return d;
}

static int open_ledger(const char *path, const char *text, rk_instance **model, rk_ledger **ledger, rk_err *err)
{
    const char *word[] = {path};
    rk_open_request r = {.word = word, .n_word = text ? 0 : 1};
    rk_convention convention = {.count = RK_COUNT_MATMUL};
    int code;

    if (text)
        r.config = (rk_text){.name = "c.json", .text = text, .n = strlen(text)};
    code = rk_open(&r, model, err);
    return code == RK_OK ? rk_ledger_new(*model, &convention, ledger, err) : code;
}

/* "name 2 3 F16", as both sides are compared; a tensor whose size the weights decide has a name alone. */
static void put_row(rk_str *s, const char *name, const char *dtype)
{
    rk_str_put(s, name);
    rk_str_put(s, dtype ? " " : "");
    rk_str_put(s, dtype ? dtype : "");
}

static void put_wanted(rk_str *s, const rk_doc *row)
{
    put_row(s, row->item[0].text, row->item[2].kind == RK_DOC_TEXT ? row->item[2].text : NULL);
    for (size_t i = 0; i < row->item[1].n; i++) {
        rk_str_putc(s, ' ');
        rk_str_num(s, row->item[1].item[i].number);
    }
}

static void put_found(rk_str *s, const rk_named *t)
{
    put_row(s, t->name, t->dtype);
    for (size_t i = 0; i < t->n_dim; i++) {
        rk_str_putc(s, ' ');
        rk_str_num(s, t->dim[i]);
    }
}

static size_t compare_found(const char *file, const rk_names *names, const rk_map *wanted)
{
    size_t n = 0;

    for (size_t i = 0; i < names->n; i++) {
        rk_str s = {0};

        if (names->at[i].buffer || names->at[i].tied_to)
            continue;
        n++;
        put_found(&s, &names->at[i]);
        if (!CHECK(rk_map_get(wanted, rk_str_text(&s), s.n) != RK_NONE))
            printf("  %s: not in the truth: %s\n", file, rk_str_text(&s));
        rk_str_free(&s);
    }
    return n;
}

static void compare_tensors(const char *file, const rk_ledger *l, const rk_doc *tensors)
{
    rk_map wanted = {0};
    rk_names names = {0};
    rk_err err = {0};

    for (size_t i = 0; i < tensors->n; i++) {
        rk_str s = {0};

        put_wanted(&s, &tensors->item[i]);
        rk_map_put(&arena, &wanted, rk_str_text(&s), s.n, 1);
        rk_str_free(&s);
    }
    if (!CHECK_INT(rk_packing_list(l, &names, &err), RK_OK))
        printf("  %s: %s\n", file, err.message);
    if (!CHECK_INT(compare_found(file, &names, &wanted), tensors->n))
        printf("  in %s\n", file);
    rk_names_free(&names);
}

static void check_golden(const char *config, const char *truth)
{
    const rk_doc *want = read_doc(truth);
    rk_instance *model = NULL;
    rk_ledger *ledger = NULL;
    rk_packing p = {0};
    rk_err err = {0};

    if (!CHECK(want != NULL) || !CHECK_INT(open_ledger(config, NULL, &model, &ledger, &err), RK_OK)) {
        printf("  %s: %s\n", config, err.message);
        return;
    }
    CHECK_INT(rk_packing_of(ledger, &p, &err), RK_OK);
    CHECK(p.sized && !p.unknown);
    if (!CHECK_INT(p.bytes, key(want, "bytes")->number))
        printf("  in %s\n", config);
    if (key(want, "tensors"))
        compare_tensors(config, ledger, key(want, "tensors"));
    rk_ledger_free(ledger);
    rk_instance_free(model);
}

static void check_goldens(const char *folder)
{
    DIR *dir = opendir(folder);
    const struct dirent *e;
    size_t n = 0;

    while (dir && (e = readdir(dir))) {
        const char *end = strstr(e->d_name, ".config.json");
        rk_str config = {0}, truth = {0};

        if (!end)
            continue;
        n++;
        rk_str_format(&config, "%s/%s", folder, e->d_name);
        rk_str_format(&truth, "%s/%.*s.truth.json", folder, (int)(end - e->d_name), e->d_name);
        check_golden(rk_str_text(&config), rk_str_text(&truth));
        rk_str_free(&config);
        rk_str_free(&truth);
    }
    CHECK(n >= 30);
    if (dir)
        closedir(dir);
}

/* ---- what is refused, and what is said not to be known --------------------------------------------------------- */

#define SIZES                                                                                                          \
    "\"model_type\": \"llama\", \"hidden_size\": 64, \"intermediate_size\": 96, \"num_hidden_layers\": 2, "            \
    "\"num_attention_heads\": 4, \"vocab_size\": 32, \"torch_dtype\": \"float16\", "

static const struct {
    const char *quantisation, *message;
} nonsense[] = {
    {"{\"quant_method\": \"gptq\", \"bits\": 5}", "c.json: quantization_config.bits must be 2, 3, 4 or 8"},
    {"{\"quant_method\": \"gptq\"}", "c.json: quantization_config.bits must be 2, 3, 4 or 8"},
    {"{\"quant_method\": \"gptq\", \"bits\": \"4\"}", "c.json: quantization_config.bits must be 2, 3, 4 or 8"},
    {"{\"quant_method\": \"gptq\", \"bits\": 4, \"group_size\": 0}",
     "c.json: quantization_config.group_size must be -1 (one group) or the weights of a group, from 1 to 2^31 - 1"},
    {"{\"quant_method\": \"gptq\", \"bits\": 4, \"group_size\": -2}",
     "c.json: quantization_config.group_size must be -1 (one group) or the weights of a group, from 1 to 2^31 - 1"},
    {"{\"quant_method\": \"gptq\", \"bits\": 4, \"lm_head\": 1}",
     "c.json: quantization_config.lm_head must be true or false"},
    {"{\"quant_method\": \"gptq\", \"bits\": 4, \"dynamic\": []}",
     "c.json: quantization_config.dynamic must be a map from patterns to options"},
    {"{\"quant_method\": \"awq\", \"bits\": 8}", "c.json: quantization_config.bits must be 4"},
    {"{\"quant_method\": \"awq\", \"modules_to_not_convert\": \"lm_head\"}",
     "c.json: quantization_config.modules_to_not_convert must be a list of names"},
    {"{\"quant_method\": \"fp8\", \"weight_block_size\": [128]}",
     "c.json: quantization_config.weight_block_size must be two sizes of a block, each from 1 to 2^31 - 1"},
    {"{\"quant_method\": \"fp8\", \"weight_block_size\": [128, -128]}",
     "c.json: quantization_config.weight_block_size must be two sizes of a block, each from 1 to 2^31 - 1"},
    {"{\"quant_method\": \"bitsandbytes\"}", "c.json: quantization_config.load_in_4bit must be true, or load_in_8bit"},
    {"{\"quant_method\": \"bitsandbytes\", \"load_in_4bit\": true, \"load_in_8bit\": true}",
     "c.json: quantization_config.load_in_8bit must be false where load_in_4bit is true"},
    {"{\"quant_method\": \"bitsandbytes\", \"load_in_4bit\": true, \"bnb_4bit_quant_type\": \"int4\"}",
     "c.json: quantization_config.bnb_4bit_quant_type must be nf4 or fp4"},
    {"{\"quant_method\": 7}", "c.json: quantization_config.quant_method must be a text"},
    {"[]", "c.json: quantization_config must be a map"},
};

static void check_nonsense(void)
{
    for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
        char text[1000];
        rk_instance *model = NULL;
        rk_ledger *ledger = NULL;
        rk_err err = {0};

        snprintf(text, sizeof text, "{" SIZES "\"quantization_config\": %s}", nonsense[i].quantisation);
        CHECK_INT(open_ledger(NULL, text, &model, &ledger, &err), RK_EINPUT);
        CHECK_TEXT(err.message, nonsense[i].message);
        rk_ledger_free(ledger);
        rk_instance_free(model);
    }
}

static const struct {
    const char *quantisation, *why;
} unknown[] = {
    {"{\"quant_method\": \"hqq\"}", "the method is not known"},
    {"{\"group_size\": 64, \"bits\": 4}", "no quant_method says how"},
    {"{\"quant_method\": \"gptq\", \"bits\": 4, \"checkpoint_format\": \"marlin\"}",
     "its checkpoint_format is not known"},
    {"{\"quant_method\": \"gptq\", \"bits\": 4, \"dynamic\": {\"+:.*mlp.*\": {\"bits\": 8}}}",
     "its rules for single modules are not understood"},
    {"{\"quant_method\": \"awq\", \"version\": \"gemv\"}", "its version is not gemm"},
    {"{\"quant_method\": \"fp8\", \"modules_to_not_convert\": [\"(a|b)\"]}",
     "a pattern in its list of modules is not understood"},
    {"{\"quant_method\": \"fp8\", \"scale_fmt\": \"ue8m0\"}", "its scale_fmt does not say how scales are stored"},
    {"{\"quant_method\": \"compressed-tensors\", \"format\": \"pack-quantized\"}",
     "it has several groups of options, or more than weights"},
};

static void check_unknown(void)
{
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        char text[1000];
        rk_instance *model = NULL;
        rk_ledger *ledger = NULL;
        rk_packing p = {0};
        rk_err err = {0};

        snprintf(text, sizeof text, "{" SIZES "\"quantization_config\": %s}", unknown[i].quantisation);
        CHECK_INT(open_ledger(NULL, text, &model, &ledger, &err), RK_OK);
        CHECK_INT(ledger ? rk_packing_of(ledger, &p, &err) : RK_OK, RK_OK);
        CHECK_TEXT(p.unknown, unknown[i].why);
        CHECK(!p.sized);
        rk_ledger_free(ledger);
        rk_instance_free(model);
    }
}

/* ---- types ------------------------------------------------------------------------------------------------------ */

static const struct {
    const char *config;
    rk_dtype dtype;
    const char *method;
} types[] = {
    {"{}", RK_DTYPE_UNKNOWN, NULL},
    {"{\"torch_dtype\": \"bfloat16\"}", RK_DTYPE_BF16, NULL},
    {"{\"dtype\": \"torch.float16\", \"torch_dtype\": \"float32\"}", RK_DTYPE_F16, NULL},
    {"{\"text_config\": {\"dtype\": \"float32\"}}", RK_DTYPE_F32, NULL},
    {"{\"dtype\": null, \"text_config\": {\"torch_dtype\": \"bfloat16\"}}", RK_DTYPE_BF16, NULL},
    {"{\"dtype\": \"auto\"}", RK_DTYPE_UNKNOWN, NULL},
    {"{\"dtype\": 16}", RK_DTYPE_UNKNOWN, NULL},
    {"{\"quantization_config\": {}}", RK_DTYPE_UNKNOWN, NULL},
    {"{\"quantization_config\": null}", RK_DTYPE_UNKNOWN, NULL},
    {"{\"compression_config\": {\"quant_method\": \"mxfp4\"}}", RK_DTYPE_UNKNOWN, "mxfp4"},
    {"{\"text_config\": {\"quantization_config\": {\"quant_method\": \"mxfp4\"}}}", RK_DTYPE_UNKNOWN, "mxfp4"},
    {"{\"quantization_config\": {\"quant_method\": \"a\\u001bb\"}}", RK_DTYPE_UNKNOWN, "a\\x1bb"},
};

static void check_types(void)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        rk_doc *d = NULL;
        rk_quant q = {0};
        rk_err err = {0};

        CHECK_INT(rk_config_parse(&arena, "c.json", types[i].config, strlen(types[i].config), &d, &err), RK_OK);
        CHECK_INT(rk_quant_read(&arena, "c.json", d, &q, &err), RK_OK);
        CHECK_INT(q.dtype, types[i].dtype);
        CHECK_TEXT(q.method, types[i].method);
    }
}

/* A group that does not divide the inputs has no AWQ tensors: the message names the matrix and the key. */
static void check_misfit(void)
{
    const char *text =
        "{" SIZES "\"quantization_config\": {\"quant_method\": \"awq\", \"bits\": 4, \"group_size\": 40}}";
    rk_instance *model = NULL;
    rk_ledger *ledger = NULL;
    rk_packing p = {0};
    rk_err err = {0};

    CHECK_INT(open_ledger(NULL, text, &model, &ledger, &err), RK_OK);
    CHECK_INT(rk_packing_of(ledger, &p, &err), RK_EINPUT);
    CHECK(strstr(err.message, "model.layers.0.self_attn.q_proj") && strstr(err.message, "group_size 40"));
    rk_ledger_free(ledger);
    rk_instance_free(model);
}

/* Experts without end: no list of their tensors is made. */
static void check_many(void)
{
    const char *text = "{\"model_type\": \"qwen3_moe\", \"num_experts\": 1000000, \"dtype\": \"float16\", "
                       "\"quantization_config\": {\"quant_method\": \"gptq\", \"bits\": 4}}";
    rk_instance *model = NULL;
    rk_ledger *ledger = NULL;
    rk_packing p = {0};
    rk_err err = {0};

    if (!CHECK_TEXT(open_ledger(NULL, text, &model, &ledger, &err) == RK_OK ? "" : err.message, ""))
        return;
    CHECK_INT(rk_packing_of(ledger, &p, &err), RK_OK);
    CHECK_TEXT(p.unknown, "there are too many tensors");
    rk_ledger_free(ledger);
    rk_instance_free(model);
}

/* Memory that runs out at any moment is an error, and nothing worse. */
static void check_memory(void)
{
    const char *config = "tests/golden/packed/qwen3_moe-gptq.config.json";
    int code = RK_ENOMEM;

    for (long n = 0; code == RK_ENOMEM && n < 100000; n++) {
        rk_instance *model = NULL;
        rk_ledger *ledger = NULL;
        rk_packing p = {0};
        rk_err err = {0};

        rk_heap_fail_after(n);
        code = open_ledger(config, NULL, &model, &ledger, &err);
        code = code == RK_OK ? rk_packing_of(ledger, &p, &err) : code;
        rk_heap_fail_after(-1);
        CHECK(code == RK_OK || code == RK_ENOMEM);
        CHECK(code != RK_OK || p.bytes == 384256);
        rk_ledger_free(ledger);
        rk_instance_free(model);
    }
    CHECK_INT(code, RK_OK);
}

int main(void)
{
    check_patterns();
    check_pattern_time();
    check_goldens("tests/golden/packed");
    check_nonsense();
    check_unknown();
    check_types();
    check_misfit();
    check_many();
    check_memory();
    rk_arena_free(&arena);
    return t_done("packing");
}
