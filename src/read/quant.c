/* SPDX-License-Identifier: MIT */
#include "read/quant.h"

#include "base/str.h"
#include "read/pattern.h"

#include <ctype.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* Failure is sticky: after the first, what is read is as if the config did not say it, and `code` tells what failed. */
typedef struct reading {
    rk_arena *a;
    const char *name; /* of the config */
    const char *root; /* the key of the map that is read: quantization_config */
    const rk_doc *d;
    rk_quant *q;
    int code;
    rk_err *err;
} reading;

/* ---- values of keys ------------------------------------------------------------------------------------------ */

static const rk_doc *key(const rk_doc *d, const char *name)
{
    const rk_doc *v = rk_doc_key(d, name, strlen(name));

    return v && v->kind != RK_DOC_NULL ? v : NULL;
}

static void refuse(reading *r, const char *name, const char *needed)
{
    if (r->code == RK_OK)
        r->code = rk_fail(r->err, RK_EINPUT, "%s: %s.%s must be %s", r->name, r->root, name, needed);
}

static void fail_memory(reading *r)
{
    if (r->code == RK_OK)
        r->code = rk_fail_memory(r->err);
}

/* What is quantised in a way that this program does not know; the first reason stands. */
static void not_known(reading *r, const char *why)
{
    r->q->unknown = r->q->unknown ? r->q->unknown : why;
    r->q->scheme = RK_SCHEME_PLAIN;
}

static rk_i128 whole(reading *r, const char *name, rk_i128 otherwise, const char *needed)
{
    const rk_doc *d = key(r->d, name);

    if (d && d->kind != RK_DOC_INT)
        refuse(r, name, needed);
    return d && d->kind == RK_DOC_INT ? d->number : otherwise;
}

static bool truth(reading *r, const char *name)
{
    const rk_doc *d = key(r->d, name);

    if (d && d->kind != RK_DOC_BOOL)
        refuse(r, name, "true or false");
    return d && d->kind == RK_DOC_BOOL && d->truth;
}

/* A text of the config, safe to print and of a sane length. */
static const char *word(reading *r, const char *name, const char *otherwise)
{
    const rk_doc *d = key(r->d, name);
    const char *kept = NULL;
    rk_str s = {0};

    if (d && d->kind != RK_DOC_TEXT)
        refuse(r, name, "a text");
    if (!d || r->code != RK_OK)
        return otherwise;
    rk_str_put_safe(&s, d->text, d->n < 200 ? d->n : 200);
    if (!s.failed)
        kept = rk_arena_text(r->a, rk_str_text(&s));
    rk_str_free(&s);
    if (!kept)
        fail_memory(r);
    return kept ? kept : otherwise;
}

static void put_name(reading *r, const char *name, rk_quant_names *out)
{
    const char *copy = rk_arena_text(r->a, name), **slot = RK_PUSH(r->a, out);

    if (copy && slot)
        *slot = copy;
    else
        fail_memory(r);
}

/* The texts of a list, also of lists inside it. */
static void put_names(reading *r, const rk_doc *d, rk_quant_names *out)
{
    for (size_t i = 0; i < d->n && r->code == RK_OK; i++) {
        const rk_doc *item = &d->item[i];
        bool is_pattern = item->kind == RK_DOC_TEXT && strncmp(item->text, "re:", 3) == 0;

        if (item->kind == RK_DOC_LIST)
            put_names(r, item, out);
        if (item->kind != RK_DOC_TEXT)
            continue;
        put_name(r, item->text, out);
        if (r->q->exact ? is_pattern && !rk_pattern_ok(item->text + 3) : !rk_pattern_ok(item->text))
            not_known(r, "a pattern in its list of modules is not understood");
    }
}

/* A list of names, or of lists of names; whether it is there: one that is left out has no members either. */
static bool names(reading *r, const char *name, rk_quant_names *out)
{
    const rk_doc *d = key(r->d, name);

    if (d && (d->kind != RK_DOC_LIST || d->n_skipped))
        refuse(r, name, "a list of names");
    else if (d)
        put_names(r, d, out);
    return d != NULL;
}

/* The modules that are left alone; without such a list the output head is. */
static void skipped(reading *r, const char *name)
{
    r->q->head = names(r, name, &r->q->skip);
}

/* ---- methods ------------------------------------------------------------------------------------------------- */

static void read_group(reading *r)
{
    const char *needed = "-1 (one group) or the weights of a group, from 1 to 2^31 - 1";
    rk_i128 group = whole(r, "group_size", 128, needed);

    if (group != -1 && (group < 1 || group > INT32_MAX))
        refuse(r, "group_size", needed);
    r->q->group = group == -1 ? 0 : group;
}

/* `one_of`: what it may be, up to a 0; the first where the key is left out. */
static void read_bits(reading *r, const char *name, const int *one_of, const char *needed)
{
    r->q->bits = whole(r, name, one_of[0], needed);
    for (; *one_of; one_of++)
        if (r->q->bits == *one_of)
            return;
    refuse(r, name, needed);
}

/* Rules for single modules: "-:PATTERN" leaves some alone, which is simple; others pack some in other ways. */
static void read_dynamic(reading *r)
{
    const rk_doc *d = key(r->d, "dynamic");

    if (d && d->kind != RK_DOC_MAP)
        refuse(r, "dynamic", "a map from patterns to options");
    for (size_t i = 0; d && i < d->n && r->code == RK_OK; i++) {
        const char *pattern = strncmp(d->key[i], "-:", 2) == 0 ? d->key[i] + 2 : "";

        if (!rk_pattern_ok(pattern)) {
            not_known(r, "its rules for single modules are not understood");
            return;
        }
        put_name(r, pattern, &r->q->skip);
    }
}

static void read_gptq(reading *r)
{
    const char *format;

    if (!key(r->d, "bits"))
        refuse(r, "bits", "2, 3, 4 or 8");
    read_bits(r, "bits", (const int[]){4, 2, 3, 8, 0}, "2, 3, 4 or 8");
    read_group(r);
    r->q->inner = true;
    r->q->head = truth(r, "lm_head");
    names(r, "modules_in_block_to_quantize", &r->q->only);
    r->q->block = word(r, "block_name_to_quantize", NULL);
    read_dynamic(r);
    format = word(r, "checkpoint_format", "gptq");
    if (strcmp(format, "gptq") != 0 && strcmp(format, "gptq_v2") != 0)
        not_known(r, "its checkpoint_format is not known");
    if (strcmp(word(r, "pack_dtype", "int32"), "int32") != 0)
        not_known(r, "its pack_dtype is not known");
}

static void read_awq(reading *r)
{
    const char *version;

    read_bits(r, key(r->d, "w_bit") ? "w_bit" : "bits", (const int[]){4, 0}, "4");
    read_group(r);
    names(r, "modules_to_not_convert", &r->q->skip);
    version = word(r, key(r->d, "version") ? "version" : "format", "gemm");
    if (strcmp(version, "gemm") != 0 && strcmp(version, "GEMM") != 0)
        not_known(r, "its version is not gemm");
}

/* Blocks of rows × columns with a scale each; without the key there is one scale. */
static void read_block(reading *r, const char *name)
{
    const rk_doc *d = key(r->d, name);
    rk_i128 *side[] = {&r->q->rows, &r->q->columns};
    bool good = !d || (d->kind == RK_DOC_LIST && d->n == 2);

    for (size_t i = 0; d && good && i < 2; i++) {
        *side[i] = d->item[i].kind == RK_DOC_INT ? d->item[i].number : 0;
        good = *side[i] >= 1 && *side[i] <= INT32_MAX;
    }
    if (!good)
        refuse(r, name, "two sizes of a block, each from 1 to 2^31 - 1");
}

static void read_fp8(reading *r)
{
    read_block(r, "weight_block_size");
    r->q->scheme = r->q->rows ? RK_SCHEME_FP8_BLOCK : RK_SCHEME_FP8_TENSOR;
    r->q->input = strcmp(word(r, "activation_scheme", "dynamic"), "static") == 0;
    skipped(r, key(r->d, "ignored_layers") ? "ignored_layers" : "modules_to_not_convert");
    if (!strstr(word(r, "fmt", "e4m3"), "e4m3"))
        not_known(r, "its fmt is not e4m3");
    /* Checkpoints whose config says so have been published with scales of four bytes, and of one. */
    if (strcmp(word(r, "scale_fmt", "float"), "float") != 0)
        not_known(r, "its scale_fmt does not say how scales are stored");
}

/* Its own list of modules is all that such a method says. */
static void read_skipped(reading *r)
{
    skipped(r, "modules_to_not_convert");
}

static void read_bit4(reading *r)
{
    r->q->bits = 4;
    r->q->kind = word(r, "bnb_4bit_quant_type", "fp4");
    if (strcmp(r->q->kind, "nf4") != 0 && strcmp(r->q->kind, "fp4") != 0)
        refuse(r, "bnb_4bit_quant_type", "nf4 or fp4");
    r->q->scheme = truth(r, "bnb_4bit_use_double_quant") ? RK_SCHEME_BIT4_NESTED : RK_SCHEME_BIT4;
    r->q->word = rk_dtype_of_torch(word(r, "bnb_4bit_quant_storage", "uint8"));
    if (r->q->word == RK_DTYPE_UNKNOWN)
        refuse(r, "bnb_4bit_quant_storage", "a type of numbers");
}

static void read_bitsandbytes(reading *r)
{
    bool four = truth(r, "load_in_4bit"), eight = truth(r, "load_in_8bit");

    if (four && eight)
        refuse(r, "load_in_8bit", "false where load_in_4bit is true");
    if (!four && !eight)
        refuse(r, "load_in_4bit", "true, or load_in_8bit");
    if (four)
        read_bit4(r);
    skipped(r, "llm_int8_skip_modules");
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

/* One group of options for all linear layers, and nothing beside it that stores more. */
static const rk_doc *only_group(const rk_doc *d)
{
    const rk_doc *groups = key(d, "config_groups"), *sparse = key(d, "sparsity_config");
    const rk_doc *turns = key(d, "transform_config"), *targets;

    if (!groups || groups->kind != RK_DOC_MAP || groups->n != 1)
        return NULL;
    targets = key(&groups->item[0], "targets");
    if (!targets || targets->kind != RK_DOC_LIST || targets->n != 1 || targets->item[0].kind != RK_DOC_TEXT ||
        strcmp(targets->item[0].text, "Linear") != 0 || key(d, "kv_cache_scheme") || (turns && turns->n > 0) ||
        (sparse && sparse->n > 0 && !is_word(sparse, "format", "dense")))
        return NULL;
    return &groups->item[0];
}

static void read_ct_pack(reading *r)
{
    bool channel = is_word(r->d, "strategy", "channel");

    read_bits(r, "num_bits", (const int[]){4, 8, 0}, "4 or 8");
    r->q->zeros = is_truth(r->d, "symmetric", false);
    if (!channel)
        read_group(r);
    if (!channel && !is_word(r->d, "strategy", "group")) {
        r->code = RK_OK; /* its other options may mean anything */
        not_known(r, "its strategy is not known");
    } else if (is_word(r->d, "actorder", "group")) {
        not_known(r, "its actorder is not known");
    }
}

static void read_ct_int8(reading *r)
{
    if (!is_word(r->d, "strategy", "channel") || !is_truth(r->d, "symmetric", true))
        not_known(r, "its strategy is not known");
}

static void read_ct_fp8(reading *r)
{
    if (is_word(r->d, "strategy", "channel"))
        r->q->scheme = RK_SCHEME_CT_FP8_ROW;
    else if (is_word(r->d, "strategy", "tensor"))
        r->q->scheme = RK_SCHEME_CT_FP8_TENSOR;
    else if (is_word(r->d, "strategy", "block"))
        r->q->scheme = RK_SCHEME_CT_FP8_BLOCK;
    else
        not_known(r, "its strategy is not known");
    if (r->q->scheme == RK_SCHEME_CT_FP8_BLOCK)
        read_block(r, "block_structure");
}

static const struct ct_format {
    const char *name;
    rk_scheme scheme;
    int bits;
    void (*read)(reading *r);
    bool any_input; /* a scale for what goes in is stored also where it is not fixed */
} ct_formats[] = {
    {"pack-quantized", RK_SCHEME_CT_PACK, 0, read_ct_pack, false},
    {"int-quantized", RK_SCHEME_CT_INT8, 8, read_ct_int8, false},
    {"float-quantized", RK_SCHEME_PLAIN, 8, read_ct_fp8, false},
    {"nvfp4-pack-quantized", RK_SCHEME_CT_NVFP4, 4, NULL, true},
};

static void read_compressed(reading *r)
{
    const rk_doc *group = only_group(r->d), *weights = key(group, "weights"), *input = key(group, "input_activations");
    const struct ct_format *f = ct_formats, *end = f + LENGTH(ct_formats);

    r->q->exact = true;
    r->q->head = true;
    names(r, "ignore", &r->q->skip);
    while (f < end && !is_word(r->d, "format", f->name))
        f++;
    if (!group) {
        not_known(r, "it has several groups of options, or more than weights");
    } else if (!weights || weights->kind != RK_DOC_MAP) {
        not_known(r, "its weights are not described");
    } else if (f == end) {
        not_known(r, "its format is not known");
    } else if (r->code == RK_OK) {
        r->d = weights;
        r->root = "quantization_config … weights";
        r->q->scheme = f->scheme;
        r->q->bits = f->bits;
        r->q->input = input && (f->any_input || is_truth(input, "dynamic", false));
        if (f->read)
            f->read(r);
    }
}

/* ---- the config ---------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    rk_scheme scheme;
    int bits;
    void (*read)(reading *r);
} methods[] = {
    {"gptq", RK_SCHEME_GPTQ, 0, read_gptq},
    {"awq", RK_SCHEME_AWQ, 0, read_awq},
    {"fp8", RK_SCHEME_FP8_TENSOR, 8, read_fp8},
    {"fbgemm_fp8", RK_SCHEME_FP8_ROW, 8, read_skipped},
    {"mxfp4", RK_SCHEME_MXFP4, 4, read_skipped},
    {"bitsandbytes", RK_SCHEME_INT8, 8, read_bitsandbytes},
    {"bitsandbytes_4bit", RK_SCHEME_INT8, 8, read_bitsandbytes},
    {"bitsandbytes_8bit", RK_SCHEME_INT8, 8, read_bitsandbytes},
    {"compressed-tensors", RK_SCHEME_PLAIN, 0, read_compressed},
};

static void read_method(reading *r)
{
    for (size_t i = 0; i < LENGTH(methods); i++) {
        if (strcmp(r->q->method, methods[i].name) != 0)
            continue;
        r->q->scheme = methods[i].scheme;
        r->q->bits = methods[i].bits;
        methods[i].read(r);
        return;
    }
    not_known(r, r->q->method[0] ? "the method is not known" : "no quant_method says how");
}

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

int rk_quant_read(rk_arena *a, const char *name, const rk_doc *config, rk_quant *out, rk_err *err)
{
    rk_quant q = {.dtype = RK_DTYPE_UNKNOWN};
    reading r = {.a = a, .name = name, .q = &q, .err = err};
    const char *which;
    const rk_doc *d = either(config, "dtype", "torch_dtype", &which);

    if (d && d->kind == RK_DOC_TEXT)
        q.dtype = rk_dtype_of_torch(d->text);
    r.d = either(config, "quantization_config", "compression_config", &r.root);
    if (r.d && r.d->kind != RK_DOC_MAP)
        return rk_fail(err, RK_EINPUT, "%s: %s must be a map", name, r.root);
    if (r.d && r.d->n > 0)
        q.method = word(&r, "quant_method", "");
    if (q.method && r.code == RK_OK)
        read_method(&r);
    if (r.code == RK_OK)
        *out = q;
    return r.code;
}

/* ---- names of modules ---------------------------------------------------------------------------------------- */

/* Whole words between dots that match, wherever in the name, or its end: published lists mean either. */
static bool names_module(const char *pattern, const char *module)
{
    if (rk_ends_in(module, pattern))
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

int rk_quant_run_bytes(const rk_quant *q)
{
    const rk_dtype_row *row = rk_dtype_info(q->dtype);
    bool is_float = row->family == RK_DTYPE_FAMILY_FLOAT;

    if (q->method)
        return is_float && row->block == 1 && row->bytes >= 2 && row->bytes <= 4 ? row->bytes : 2;
    return is_float && row->bytes == 2 ? 2 : 4;
}
