/* SPDX-License-Identifier: MIT */
#include "read/quant.h"

#include "base/str.h"
#include "read/pattern.h"

#include <ctype.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

typedef struct reading {
    rk_arena *a;
    const char *name; /* of the config */
    const char *root; /* the key of the map that is read: quantization_config */
    const rk_doc *d;
    rk_quant *q;
    rk_err *err;
} reading;

/* ---- values of keys ------------------------------------------------------------------------------------------ */

static const rk_doc *key(const rk_doc *d, const char *name)
{
    const rk_doc *v = rk_doc_key(d, name, strlen(name));

    return v && v->kind != RK_DOC_NULL ? v : NULL;
}

/* A text of the config, safe to print and of a sane length. */
static const char *keep_text(reading *r, const rk_doc *d)
{
    rk_str s = {0};
    const char *kept;

    rk_str_put_safe(&s, d->text, d->n < 200 ? d->n : 200);
    kept = s.failed ? NULL : rk_arena_text(r->a, rk_str_text(&s));
    rk_str_free(&s);
    return kept;
}

static int refuse(const reading *r, const char *name, const char *needed)
{
    return rk_fail(r->err, RK_EINPUT, "%s: %s.%s must be %s", r->name, r->root, name, needed);
}

/* What is quantised in a way that this program does not know; the first reason stands. */
static int not_known(reading *r, const char *why)
{
    r->q->unknown = r->q->unknown ? r->q->unknown : why;
    r->q->scheme = RK_SCHEME_PLAIN;
    return RK_OK;
}

static int whole(const reading *r, const char *name, rk_i128 otherwise, const char *needed, rk_i128 *out)
{
    const rk_doc *d = key(r->d, name);

    *out = d && d->kind == RK_DOC_INT ? d->number : otherwise;
    return d && d->kind != RK_DOC_INT ? refuse(r, name, needed) : RK_OK;
}

static int truth(const reading *r, const char *name, bool *out)
{
    const rk_doc *d = key(r->d, name);

    if (d && d->kind != RK_DOC_BOOL)
        return refuse(r, name, "true or false");
    *out = d ? d->truth : *out;
    return RK_OK;
}

static int word(reading *r, const char *name, const char *otherwise, const char **out)
{
    const rk_doc *d = key(r->d, name);

    if (d && d->kind != RK_DOC_TEXT)
        return refuse(r, name, "a text");
    *out = d ? keep_text(r, d) : otherwise;
    return *out || !d ? RK_OK : rk_fail_memory(r->err);
}

static size_t count_texts(const rk_doc *d)
{
    size_t n = d->kind == RK_DOC_TEXT;

    for (size_t i = 0; d->kind == RK_DOC_LIST && i < d->n; i++)
        n += count_texts(&d->item[i]);
    return n;
}

static void collect_texts(const rk_doc *d, rk_quant_names *out)
{
    if (d->kind == RK_DOC_TEXT)
        out->at[out->n++] = d->text;
    for (size_t i = 0; d->kind == RK_DOC_LIST && i < d->n; i++)
        collect_texts(&d->item[i], out);
}

/* A list of names, or of lists of names; a list left out has no members, and `there` says which of the two it is. */
static bool understood(const reading *r, const char *name)
{
    bool pattern = strncmp(name, "re:", 3) == 0;

    return r->q->exact ? !pattern || rk_pattern_ok(name + 3) : rk_pattern_ok(name);
}

static int names(reading *r, const char *name, rk_quant_names *out, bool *there)
{
    const rk_doc *d = key(r->d, name);

    *there = d != NULL;
    if (!d)
        return RK_OK;
    if (d->kind != RK_DOC_LIST || d->n_skipped)
        return refuse(r, name, "a list of names");
    out->at = RK_NEW_ARRAY(r->a, count_texts(d) + 1, const char *);
    if (!out->at)
        return rk_fail_memory(r->err);
    collect_texts(d, out);
    for (size_t i = 0; i < out->n; i++) {
        out->at[i] = rk_arena_text(r->a, out->at[i]);
        if (!out->at[i])
            return rk_fail_memory(r->err);
        if (!understood(r, out->at[i]))
            not_known(r, "a pattern in its list of modules is not understood");
    }
    return RK_OK;
}

/* The modules that are left alone; without such a list the output head is. */
static int skipped(reading *r, const char *name)
{
    bool there = false;
    int code = names(r, name, &r->q->skip, &there);

    r->q->head = there;
    return code;
}

/* ---- methods ------------------------------------------------------------------------------------------------- */

static int read_group(reading *r)
{
    const char *needed = "-1 (one group) or the weights of a group, from 1 to 2^31 - 1";
    int code = whole(r, "group_size", 128, needed, &r->q->group);

    if (code == RK_OK && r->q->group != -1 && (r->q->group < 1 || r->q->group > INT32_MAX))
        return refuse(r, "group_size", needed);
    r->q->group = r->q->group == -1 ? 0 : r->q->group;
    return code;
}

static int read_bits(reading *r, const char *name, const int *one_of, size_t n, const char *needed)
{
    int code = whole(r, name, one_of[0], needed, &r->q->bits);

    for (size_t i = 0; i < n && code == RK_OK; i++)
        if (r->q->bits == one_of[i])
            return RK_OK;
    return code == RK_OK ? refuse(r, name, needed) : code;
}

/* Rules for single modules: "-:PATTERN" leaves some alone, which is simple; others pack some in other ways. */
static int read_dynamic(reading *r)
{
    const rk_doc *d = key(r->d, "dynamic");

    if (d && d->kind != RK_DOC_MAP)
        return refuse(r, "dynamic", "a map from patterns to options");
    r->q->skip.at = RK_NEW_ARRAY(r->a, d ? d->n + 1 : 1, const char *);
    for (size_t i = 0; d && i < d->n && r->q->skip.at; i++) {
        const char *pattern = rk_arena_text(r->a, strncmp(d->key[i], "-:", 2) == 0 ? d->key[i] + 2 : "");

        if (!pattern || !*pattern || !rk_pattern_ok(pattern))
            return pattern ? not_known(r, "its rules for single modules are not understood") : rk_fail_memory(r->err);
        r->q->skip.at[r->q->skip.n++] = pattern;
    }
    return r->q->skip.at ? RK_OK : rk_fail_memory(r->err);
}

static int read_gptq_format(reading *r)
{
    const char *format = NULL, *pack = NULL;
    int code = word(r, "checkpoint_format", "gptq", &format);

    if (code == RK_OK)
        code = word(r, "pack_dtype", "int32", &pack);
    if (code == RK_OK && strcmp(format, "gptq") != 0 && strcmp(format, "gptq_v2") != 0)
        return not_known(r, "its checkpoint_format is not known");
    if (code == RK_OK && strcmp(pack, "int32") != 0)
        return not_known(r, "its pack_dtype is not known");
    return code;
}

static int read_gptq(reading *r)
{
    static const int bits[] = {4, 2, 3, 8};
    rk_quant *q = r->q;
    bool there;
    int code = key(r->d, "bits") ? RK_OK : refuse(r, "bits", "2, 3, 4 or 8");

    q->scheme = RK_SCHEME_GPTQ;
    q->inner = true;
    if (code == RK_OK)
        code = read_bits(r, "bits", bits, LENGTH(bits), "2, 3, 4 or 8");
    if (code == RK_OK)
        code = read_group(r);
    if (code == RK_OK)
        code = truth(r, "lm_head", &q->head);
    if (code == RK_OK)
        code = names(r, "modules_in_block_to_quantize", &q->only, &there);
    if (code == RK_OK)
        code = word(r, "block_name_to_quantize", NULL, &q->block);
    if (code == RK_OK)
        code = read_dynamic(r);
    return code == RK_OK ? read_gptq_format(r) : code;
}

static int read_awq(reading *r)
{
    static const int bits[] = {4};
    const char *version = NULL;
    bool there;
    int code = read_bits(r, key(r->d, "w_bit") ? "w_bit" : "bits", bits, 1, "4");

    r->q->scheme = RK_SCHEME_AWQ;
    if (code == RK_OK)
        code = read_group(r);
    if (code == RK_OK)
        code = names(r, "modules_to_not_convert", &r->q->skip, &there);
    if (code == RK_OK)
        code = word(r, key(r->d, "version") ? "version" : "format", "gemm", &version);
    if (code == RK_OK && strcmp(version, "gemm") != 0 && strcmp(version, "GEMM") != 0)
        return not_known(r, "its version is not gemm");
    return code;
}

/* Blocks of rows × columns with a scale each; without the key there is one scale. */
static int read_block(reading *r, const char *name)
{
    const char *needed = "two sizes of a block, each from 1 to 2^31 - 1";
    const rk_doc *d = key(r->d, name);
    rk_i128 *side[] = {&r->q->rows, &r->q->columns};

    if (!d)
        return RK_OK;
    if (d->kind != RK_DOC_LIST || d->n != 2)
        return refuse(r, name, needed);
    for (size_t i = 0; i < 2; i++) {
        *side[i] = d->item[i].kind == RK_DOC_INT ? d->item[i].number : 0;
        if (*side[i] < 1 || *side[i] > INT32_MAX)
            return refuse(r, name, needed);
    }
    return RK_OK;
}

/* Checkpoints whose config says so have been published with scales of four bytes, and of one. */
static int read_fp8_formats(reading *r)
{
    const char *format = NULL, *scale = NULL;
    int code = word(r, "fmt", "e4m3", &format);

    if (code == RK_OK)
        code = word(r, "scale_fmt", "float", &scale);
    if (code == RK_OK && !strstr(format, "e4m3"))
        return not_known(r, "its fmt is not e4m3");
    if (code == RK_OK && strcmp(scale, "float") != 0)
        return not_known(r, "its scale_fmt does not say how scales are stored");
    return code;
}

static int read_fp8(reading *r)
{
    const char *scheme = NULL;
    int code = read_block(r, "weight_block_size");

    r->q->bits = 8;
    r->q->scheme = r->q->rows ? RK_SCHEME_FP8_BLOCK : RK_SCHEME_FP8_TENSOR;
    if (code == RK_OK)
        code = word(r, "activation_scheme", "dynamic", &scheme);
    r->q->input = code == RK_OK && strcmp(scheme, "static") == 0;
    if (code == RK_OK)
        code = skipped(r, key(r->d, "ignored_layers") ? "ignored_layers" : "modules_to_not_convert");
    return code == RK_OK ? read_fp8_formats(r) : code;
}

static int read_fp8_row(reading *r)
{
    r->q->scheme = RK_SCHEME_FP8_ROW;
    r->q->bits = 8;
    return skipped(r, "modules_to_not_convert");
}

static int read_mxfp4(reading *r)
{
    r->q->scheme = RK_SCHEME_MXFP4;
    r->q->bits = 4;
    return skipped(r, "modules_to_not_convert");
}

static int read_bit4(reading *r)
{
    const char *storage = NULL;
    bool nested = false;
    int code = word(r, "bnb_4bit_quant_type", "fp4", &r->q->kind);

    r->q->bits = 4;
    if (code == RK_OK && strcmp(r->q->kind, "nf4") != 0 && strcmp(r->q->kind, "fp4") != 0)
        return refuse(r, "bnb_4bit_quant_type", "nf4 or fp4");
    if (code == RK_OK)
        code = truth(r, "bnb_4bit_use_double_quant", &nested);
    if (code == RK_OK)
        code = word(r, "bnb_4bit_quant_storage", "uint8", &storage);
    r->q->scheme = nested ? RK_SCHEME_BIT4_NESTED : RK_SCHEME_BIT4;
    r->q->word = code == RK_OK ? rk_dtype_of_torch(storage) : RK_DTYPE_UNKNOWN;
    return code == RK_OK && r->q->word == RK_DTYPE_UNKNOWN ? refuse(r, "bnb_4bit_quant_storage", "a type of numbers")
                                                           : code;
}

static int read_bitsandbytes(reading *r)
{
    bool four = false, eight = false;
    int code = truth(r, "load_in_4bit", &four);

    if (code == RK_OK)
        code = truth(r, "load_in_8bit", &eight);
    if (code == RK_OK && four == eight)
        return refuse(r, four ? "load_in_8bit" : "load_in_4bit",
                      four ? "false where load_in_4bit is true" : "true, or load_in_8bit");
    r->q->scheme = RK_SCHEME_INT8;
    r->q->bits = 8;
    if (code == RK_OK && four)
        code = read_bit4(r);
    return code == RK_OK ? skipped(r, "llm_int8_skip_modules") : code;
}

/* ---- compressed-tensors ---------------------------------------------------------------------------------------- */

static bool is_word(const rk_doc *d, const char *name, const char *text)
{
    const rk_doc *v = key(d, name);

    return v && v->kind == RK_DOC_TEXT && strcmp(v->text, text) == 0;
}

static bool is_truth(const rk_doc *d, const char *name, bool truth)
{
    const rk_doc *v = key(d, name);

    return v && v->kind == RK_DOC_BOOL && v->truth == truth;
}

static bool targets_linear(const rk_doc *group)
{
    const rk_doc *t = key(group, "targets");

    return t && t->kind == RK_DOC_LIST && t->n == 1 && t->item[0].kind == RK_DOC_TEXT &&
           strcmp(t->item[0].text, "Linear") == 0;
}

/* One group of options for all linear layers, and nothing beside it that stores more. */
static const rk_doc *only_group(const rk_doc *d)
{
    const rk_doc *groups = key(d, "config_groups"), *sparse = key(d, "sparsity_config");
    const rk_doc *turns = key(d, "transform_config");

    if (!groups || groups->kind != RK_DOC_MAP || groups->n != 1 || !targets_linear(&groups->item[0]) ||
        key(d, "kv_cache_scheme") || (turns && turns->n > 0) ||
        (sparse && sparse->n > 0 && !is_word(sparse, "format", "dense")))
        return NULL;
    return &groups->item[0];
}

static int read_ct_pack(reading *r)
{
    static const int bits[] = {4, 8};
    bool channel = is_word(r->d, "strategy", "channel");
    int code = read_bits(r, "num_bits", bits, LENGTH(bits), "4 or 8");

    r->q->scheme = RK_SCHEME_CT_PACK;
    r->q->zeros = is_truth(r->d, "symmetric", false);
    if (code == RK_OK && !channel)
        code = read_group(r);
    if (!channel && !is_word(r->d, "strategy", "group"))
        return not_known(r, "its strategy is not known");
    return code == RK_OK && is_word(r->d, "actorder", "group") ? not_known(r, "its actorder is not known") : code;
}

static int read_ct_int8(reading *r)
{
    r->q->scheme = RK_SCHEME_CT_INT8;
    r->q->bits = 8;
    if (!is_word(r->d, "strategy", "channel") || !is_truth(r->d, "symmetric", true))
        return not_known(r, "its strategy is not known");
    return RK_OK;
}

static int read_ct_fp8(reading *r)
{
    static const struct {
        const char *strategy;
        rk_scheme scheme;
    } known[] = {
        {"channel", RK_SCHEME_CT_FP8_ROW}, {"tensor", RK_SCHEME_CT_FP8_TENSOR}, {"block", RK_SCHEME_CT_FP8_BLOCK}};

    r->q->bits = 8;
    for (size_t i = 0; i < LENGTH(known); i++)
        if (is_word(r->d, "strategy", known[i].strategy))
            r->q->scheme = known[i].scheme;
    if (r->q->scheme == RK_SCHEME_PLAIN)
        return not_known(r, "its strategy is not known");
    return r->q->scheme == RK_SCHEME_CT_FP8_BLOCK ? read_block(r, "block_structure") : RK_OK;
}

static int read_ct_nvfp4(reading *r)
{
    r->q->scheme = RK_SCHEME_CT_NVFP4;
    r->q->bits = 4;
    return RK_OK;
}

static const struct {
    const char *name;
    int (*read)(reading *r);
    bool any_input; /* a scale for what goes in is stored also where it is not fixed */
} ct_format[] = {
    {"pack-quantized", read_ct_pack, false},
    {"int-quantized", read_ct_int8, false},
    {"float-quantized", read_ct_fp8, false},
    {"nvfp4-pack-quantized", read_ct_nvfp4, true},
};

static int read_ct_group(reading *r, const rk_doc *group)
{
    const rk_doc *input = key(group, "input_activations");
    reading weights = *r;

    weights.d = key(group, "weights");
    weights.root = "quantization_config … weights";
    if (!weights.d || weights.d->kind != RK_DOC_MAP)
        return not_known(r, "its weights are not described");
    for (size_t i = 0; i < LENGTH(ct_format); i++) {
        if (!is_word(r->d, "format", ct_format[i].name))
            continue;
        r->q->input = input && (ct_format[i].any_input || is_truth(input, "dynamic", false));
        return ct_format[i].read(&weights);
    }
    return not_known(r, "its format is not known");
}

static int read_compressed(reading *r)
{
    const rk_doc *group = only_group(r->d);
    bool there;
    int code;

    r->q->exact = true;
    r->q->head = true;
    code = names(r, "ignore", &r->q->skip, &there);
    if (code != RK_OK)
        return code;
    return group ? read_ct_group(r, group) : not_known(r, "it has several groups of options, or more than weights");
}

/* ---- one method ------------------------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    int (*read)(reading *r);
} method[] = {
    {"gptq", read_gptq},
    {"awq", read_awq},
    {"fp8", read_fp8},
    {"fbgemm_fp8", read_fp8_row},
    {"mxfp4", read_mxfp4},
    {"bitsandbytes", read_bitsandbytes},
    {"bitsandbytes_4bit", read_bitsandbytes},
    {"bitsandbytes_8bit", read_bitsandbytes},
    {"compressed-tensors", read_compressed},
};

static int read_method(reading *r)
{
    for (size_t i = 0; i < LENGTH(method); i++)
        if (strcmp(r->q->method, method[i].name) == 0)
            return method[i].read(r);
    return not_known(r, "the method is not known");
}

/* ---- the config ---------------------------------------------------------------------------------------------- */

/* The first of two spellings of a key, in the config or in the part of it that is about text. */
static const rk_doc *either(const rk_doc *config, const char *one, const char *other, const char **which)
{
    const rk_doc *place[] = {config, key(config, "text_config")};

    for (size_t i = 0; i < 2; i++) {
        *which = key(place[i], one) ? one : other;
        if (key(place[i], *which))
            return key(place[i], *which);
    }
    return NULL;
}

static int read_quantisation(reading *r)
{
    int code = RK_OK;

    if (r->d->kind != RK_DOC_MAP)
        return rk_fail(r->err, RK_EINPUT, "%s: %s must be a map", r->name, r->root);
    if (r->d->n > 0)
        code = word(r, "quant_method", "", &r->q->method);
    if (code != RK_OK || !r->q->method)
        return code;
    if (!r->q->method[0])
        return not_known(r, "no quant_method says how");
    return read_method(r);
}

int rk_quant_read(rk_arena *a, const char *name, const rk_doc *config, rk_quant *out, rk_err *err)
{
    rk_quant q = {.dtype = RK_DTYPE_UNKNOWN};
    reading r = {.a = a, .name = name, .q = &q, .err = err};
    const char *which;
    const rk_doc *d = either(config, "dtype", "torch_dtype", &which);
    int code = RK_OK;

    if (d && d->kind == RK_DOC_TEXT)
        q.dtype = rk_dtype_of_torch(d->text);
    r.d = either(config, "quantization_config", "compression_config", &r.root);
    if (r.d)
        code = read_quantisation(&r);
    if (code == RK_OK)
        *out = q;
    return code;
}

/* ---- names of modules ---------------------------------------------------------------------------------------- */

static bool ends_in(const char *text, const char *end)
{
    size_t n = strlen(text), k = strlen(end);

    return k <= n && strcmp(text + n - k, end) == 0;
}

/* Whole words between dots that match, wherever in the name, or its end: published lists mean either. */
static bool names_module(const char *pattern, const char *module)
{
    if (ends_in(module, pattern))
        return true;
    for (const char *at = module; at; at = strchr(at, '.') ? strchr(at, '.') + 1 : NULL)
        if (rk_pattern_match(pattern, at, RK_PATTERN_AT_DOT))
            return true;
    return false;
}

static bool is_skipped(const rk_quant *q, const char *name, const char *module)
{
    if (!q->exact)
        return names_module(name, module);
    if (strncmp(name, "re:", 3) == 0)
        return rk_pattern_match(name + 3, module, RK_PATTERN_ANYWHERE);
    return strcmp(name, module) == 0;
}

bool rk_quant_skips(const rk_quant *q, const char *module)
{
    for (size_t i = 0; i < q->skip.n; i++)
        if (is_skipped(q, q->skip.at[i], module))
            return true;
    return false;
}

bool rk_quant_chooses(const rk_quant *q, const char *module)
{
    size_t n = q->block ? strlen(q->block) : 0;

    if (n && (strncmp(module, q->block, n) != 0 || module[n] != '.'))
        return false;
    for (size_t i = 0; i < q->only.n; i++)
        if (names_module(q->only.at[i], module))
            return true;
    return q->only.n == 0;
}

/* A name with a layer's number and an expert's, or a pattern that may stand for some numbers and not for others. */
static bool has_two_numbers(const char *pattern)
{
    size_t n = 0;

    if (strpbrk(pattern, "[(\\?|"))
        return true;
    for (const char *c = pattern; *c; c++)
        n += isdigit((unsigned char)*c) && !isdigit((unsigned char)c[1]);
    return n > 1;
}

bool rk_quant_tells_apart(const rk_quant *q)
{
    for (size_t i = 0; i < q->skip.n; i++)
        if (has_two_numbers(q->skip.at[i]))
            return true;
    for (size_t i = 0; i < q->only.n; i++)
        if (has_two_numbers(q->only.at[i]))
            return true;
    return false;
}
