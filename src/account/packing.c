/* SPDX-License-Identifier: MIT */
#include "account/packing.h"

#include "base/vec.h"

#include <string.h>

/* ---- the table ----------------------------------------------------------------------------------------------- */

/*
 * What each scheme stores for a matrix from I inputs to O outputs, or for E of them: the end of the tensor's name in
 * place of .weight, its type, and its shape.  b: bits; g: weights of a group; r, c: rows and columns of a block;
 * w: bytes of a word; Q: bytes of a text that describes the rest; "?": as the weights decide.
 *
 * Sources: gptq and awq, the buffers of GPTQModel (AutoGPTQ has the same) and of AutoAWQ 0.2, WQLinear_GEMM; fp8 and
 * fbgemm_fp8, FP8Linear and FbgemmFp8Linear of transformers 5.17; mxfp4, the published checkpoints of gpt-oss;
 * bitsandbytes 0.50, the state of Linear8bitLt and Linear4bit; compressed-tensors 0.20, what its compressors store.
 */
#define DIMS_MAX 4
#define CONFIG_TYPE RK_DTYPE_UNKNOWN /* that of the config */
#define WORD_TYPE RK_DTYPE_COUNT     /* that of a word */
#define STATE_END ".weight.quant_state.bitsandbytes__"
#define WEIGHT_END ".weight" /* of a tensor's name; what stands before it is that of its module */

static const struct row {
    rk_scheme scheme;
    const char *end;
    rk_dtype dtype;
    const char *dim[DIMS_MAX + 1];
    enum {
        ALWAYS,
        WITH_ZEROS,
        WITH_INPUT
    } when;
} table[] = {
    {RK_SCHEME_GPTQ, ".qweight", RK_DTYPE_I32, {"I*b/32", "O"}, ALWAYS},
    {RK_SCHEME_GPTQ, ".qzeros", RK_DTYPE_I32, {"ceil(I/g)", "O*b/32"}, ALWAYS},
    {RK_SCHEME_GPTQ, ".scales", RK_DTYPE_F16, {"ceil(I/g)", "O"}, ALWAYS},
    {RK_SCHEME_GPTQ, ".g_idx", RK_DTYPE_I32, {"I"}, ALWAYS},
    {RK_SCHEME_AWQ, ".qweight", RK_DTYPE_I32, {"I", "O*b/32"}, ALWAYS},
    {RK_SCHEME_AWQ, ".qzeros", RK_DTYPE_I32, {"I/g", "O*b/32"}, ALWAYS},
    {RK_SCHEME_AWQ, ".scales", RK_DTYPE_F16, {"I/g", "O"}, ALWAYS},
    {RK_SCHEME_FP8_BLOCK, ".weight", RK_DTYPE_F8_E4M3, {"O", "I"}, ALWAYS},
    {RK_SCHEME_FP8_BLOCK, ".weight_scale_inv", RK_DTYPE_F32, {"ceil(O/r)", "ceil(I/c)"}, ALWAYS},
    {RK_SCHEME_FP8_BLOCK, ".activation_scale", RK_DTYPE_F32, {0}, WITH_INPUT},
    {RK_SCHEME_FP8_TENSOR, ".weight", RK_DTYPE_F8_E4M3, {"O", "I"}, ALWAYS},
    {RK_SCHEME_FP8_TENSOR, ".weight_scale_inv", RK_DTYPE_F32, {0}, ALWAYS},
    {RK_SCHEME_FP8_TENSOR, ".activation_scale", RK_DTYPE_F32, {0}, WITH_INPUT},
    {RK_SCHEME_FP8_ROW, ".weight", RK_DTYPE_F8_E4M3, {"O", "I"}, ALWAYS},
    {RK_SCHEME_FP8_ROW, ".weight_scale", RK_DTYPE_F32, {"O", "1"}, ALWAYS},
    {RK_SCHEME_MXFP4, "_blocks", RK_DTYPE_U8, {"E", "O", "I/32", "16"}, ALWAYS},
    {RK_SCHEME_MXFP4, "_scales", RK_DTYPE_U8, {"E", "O", "I/32"}, ALWAYS},
    {RK_SCHEME_INT8, ".weight", RK_DTYPE_I8, {"O", "I"}, ALWAYS},
    {RK_SCHEME_INT8, ".SCB", RK_DTYPE_F32, {"O"}, ALWAYS},
    {RK_SCHEME_INT8, ".weight_format", RK_DTYPE_U8, {0}, ALWAYS},
    {RK_SCHEME_BIT4, ".weight", WORD_TYPE, {"ceil(O*I/2)/w", "1"}, ALWAYS},
    {RK_SCHEME_BIT4, ".weight.absmax", RK_DTYPE_F32, {"ceil(O*I/64)"}, ALWAYS},
    {RK_SCHEME_BIT4, ".weight.quant_map", RK_DTYPE_F32, {"16"}, ALWAYS},
    {RK_SCHEME_BIT4, STATE_END, RK_DTYPE_U8, {"Q"}, ALWAYS},
    {RK_SCHEME_BIT4_NESTED, ".weight", WORD_TYPE, {"ceil(O*I/2)/w", "1"}, ALWAYS},
    {RK_SCHEME_BIT4_NESTED, ".weight.absmax", RK_DTYPE_U8, {"ceil(O*I/64)"}, ALWAYS},
    {RK_SCHEME_BIT4_NESTED, ".weight.quant_map", RK_DTYPE_F32, {"16"}, ALWAYS},
    {RK_SCHEME_BIT4_NESTED, ".weight.nested_absmax", RK_DTYPE_F32, {"ceil(ceil(O*I/64)/256)"}, ALWAYS},
    {RK_SCHEME_BIT4_NESTED, ".weight.nested_quant_map", RK_DTYPE_F32, {"256"}, ALWAYS},
    {RK_SCHEME_BIT4_NESTED, STATE_END, RK_DTYPE_U8, {"?"}, ALWAYS},
    {RK_SCHEME_CT_PACK, ".weight_packed", RK_DTYPE_I32, {"O", "ceil(I*b/32)"}, ALWAYS},
    {RK_SCHEME_CT_PACK, ".weight_scale", CONFIG_TYPE, {"O", "ceil(I/g)"}, ALWAYS},
    {RK_SCHEME_CT_PACK, ".weight_zero_point", RK_DTYPE_I32, {"ceil(O*b/32)", "ceil(I/g)"}, WITH_ZEROS},
    {RK_SCHEME_CT_PACK, ".weight_shape", RK_DTYPE_I64, {"2"}, ALWAYS},
    {RK_SCHEME_CT_INT8, ".weight", RK_DTYPE_I8, {"O", "I"}, ALWAYS},
    {RK_SCHEME_CT_INT8, ".weight_scale", CONFIG_TYPE, {"O", "1"}, ALWAYS},
    {RK_SCHEME_CT_INT8, ".input_scale", CONFIG_TYPE, {"1"}, WITH_INPUT},
    {RK_SCHEME_CT_FP8_ROW, ".weight", RK_DTYPE_F8_E4M3, {"O", "I"}, ALWAYS},
    {RK_SCHEME_CT_FP8_ROW, ".weight_scale", CONFIG_TYPE, {"O", "1"}, ALWAYS},
    {RK_SCHEME_CT_FP8_ROW, ".input_scale", CONFIG_TYPE, {"1"}, WITH_INPUT},
    {RK_SCHEME_CT_FP8_TENSOR, ".weight", RK_DTYPE_F8_E4M3, {"O", "I"}, ALWAYS},
    {RK_SCHEME_CT_FP8_TENSOR, ".weight_scale", CONFIG_TYPE, {"1"}, ALWAYS},
    {RK_SCHEME_CT_FP8_TENSOR, ".input_scale", CONFIG_TYPE, {"1"}, WITH_INPUT},
    {RK_SCHEME_CT_FP8_BLOCK, ".weight", RK_DTYPE_F8_E4M3, {"O", "I"}, ALWAYS},
    {RK_SCHEME_CT_FP8_BLOCK, ".weight_scale", CONFIG_TYPE, {"ceil(O/r)", "ceil(I/c)"}, ALWAYS},
    {RK_SCHEME_CT_NVFP4, ".weight_packed", RK_DTYPE_U8, {"O", "I/2"}, ALWAYS},
    {RK_SCHEME_CT_NVFP4, ".weight_scale", RK_DTYPE_F8_E4M3, {"O", "I/16"}, ALWAYS},
    {RK_SCHEME_CT_NVFP4, ".weight_global_scale", RK_DTYPE_F32, {"1"}, ALWAYS},
    {RK_SCHEME_CT_NVFP4, ".input_global_scale", RK_DTYPE_F32, {"1"}, WITH_INPUT},
};

#define SCALES_NOTE "Scales are taken as F32; some published checkpoints have them in two bytes, which no config says."

/* What a scheme does with the experts of a layer that are stored in one tensor, and what is open with it. */
static const struct {
    bool packs_stacks, leaves_stacks; /* neither: its checkpoints are not known */
    const char *note;
} scheme[] = {
    [RK_SCHEME_PLAIN] = {.leaves_stacks = true},
    [RK_SCHEME_GPTQ] = {.note = NULL},
    [RK_SCHEME_AWQ] = {.note = NULL},
    [RK_SCHEME_FP8_BLOCK] = {.note = SCALES_NOTE},
    [RK_SCHEME_FP8_TENSOR] = {.note = SCALES_NOTE},
    [RK_SCHEME_FP8_ROW] = {.note = NULL},
    [RK_SCHEME_MXFP4] = {.packs_stacks = true},
    [RK_SCHEME_INT8] = {.leaves_stacks = true},
    [RK_SCHEME_BIT4] = {.leaves_stacks = true},
    [RK_SCHEME_CT_NVFP4] = {.note = NULL}, /* the last one */
    [RK_SCHEME_BIT4_NESTED] = {.leaves_stacks = true,
                               .note =
                                   "Not counted: a text for each matrix (quant_state), of less than 200 bytes and as "
                                   "long as the weights make it."},
};

enum {
    N_ROW = sizeof table / sizeof *table
};

enum { /* symbols of the shapes */
    IN,
    OUT,
    EXPERTS,
    BITS,
    GROUP,
    ROWS,
    COLUMNS,
    WORD,
    TEXT,
    N_SYMBOL
};

static const char *const symbol[N_SYMBOL] = {"I", "O", "E", "b", "g", "r", "c", "w", "Q"};

typedef struct packing {
    const rk_ledger *l;
    const rk_quant *q;
    const rk_weight_role *role; /* of each weight */
    rk_names *out;
    rk_pool *pool;
    rk_ex dim[N_ROW][DIMS_MAX];
    rk_i128 value[N_SYMBOL];
    rk_err *err;
} packing;

/* ---- sizes --------------------------------------------------------------------------------------------------- */

static int read_table(packing *k)
{
    int code = RK_OK;

    for (size_t i = 0; i < N_SYMBOL; i++)
        rk_sym_declare(k->pool, symbol[i], 1);
    for (size_t i = 0; i < N_ROW; i++)
        for (size_t j = 0; table[i].dim[j] && code == RK_OK; j++)
            if (table[i].dim[j][0] != '?')
                code = rk_ex_parse(k->pool, table[i].dim[j], &k->dim[i][j], k->err);
    return code;
}

/* The matrix of a tensor, or those of a stack, as numbers of the table's symbols. */
static void measure(packing *k, const rk_named *t)
{
    static const char *const word[RK_DTYPE_COUNT] = {[RK_DTYPE_BF16] = "bfloat16",
                                                     [RK_DTYPE_F16] = "float16",
                                                     [RK_DTYPE_F32] = "float32",
                                                     [RK_DTYPE_F64] = "float64"};
    static const char text[] = "{\"quant_type\": \"nf4\", \"blocksize\": 64, \"dtype\": \"\", \"shape\": [, ]}";
    const rk_quant *q = k->q;
    bool turned = k->role[t->weight].input_first;
    const rk_i128 *side = t->dim + (t->n_dim - 2);
    char in[RK_NUM_TEXT_MAX], out[RK_NUM_TEXT_MAX];

    k->value[OUT] = side[turned];
    k->value[IN] = side[!turned];
    k->value[EXPERTS] = t->n_dim == 3 ? t->dim[0] : 1;
    k->value[BITS] = q->bits;
    k->value[GROUP] = q->group && q->group < k->value[IN] ? q->group : k->value[IN];
    k->value[ROWS] = q->rows;
    k->value[COLUMNS] = q->columns;
    k->value[WORD] = q->word ? rk_dtype_info(q->word)->bytes : 1;
    /* Such a text with the type and the shape in it: "dtype": "bfloat16", "shape": [4096, 4096]. */
    k->value[TEXT] = (rk_i128)(strlen(text) + (word[q->dtype] ? strlen(word[q->dtype]) : 0) +
                               strlen(rk_num_text(out, k->value[OUT])) + strlen(rk_num_text(in, k->value[IN])));
}

static int weigh(const packing *k, rk_named *t, rk_dtype dtype)
{
    const rk_dtype_row *row = rk_dtype_info(dtype);
    rk_acc acc = {0};

    if (dtype == RK_DTYPE_UNKNOWN)
        return RK_OK;
    t->dtype = row->name;
    t->bytes = rk_mul(&acc, rk_ceil_div(&acc, t->count, row->block), row->bytes);
    return acc.overflow ? rk_fail(k->err, RK_EOVERFLOW, "%s: its bytes need more than 128 bits", t->name) : RK_OK;
}

/* ---- packed tensors ------------------------------------------------------------------------------------------ */

static bool is_packed(const packing *k, const rk_named *t, const char *module)
{
    const rk_quant *q = k->q;
    rk_matrix matrix = k->role[t->weight].matrix;
    bool piece = matrix == RK_MATRIX_STACK && t->n_dim == 2 && rk_ends_in(t->name, WEIGHT_END);
    bool whole = matrix == RK_MATRIX_STACK && t->n_dim == 3;
    bool looped = k->l->model->program.weight[t->weight].group != 0;

    if (t->buffer || t->tied_to || q->scheme == RK_SCHEME_PLAIN)
        return false;
    if (whole || scheme[q->scheme].packs_stacks)
        return whole && scheme[q->scheme].packs_stacks && !rk_quant_skips(q, module);
    if (matrix == RK_MATRIX_HEAD)
        return q->head && !rk_quant_skips(q, module);
    return (matrix == RK_MATRIX_LINEAR || piece) && t->n_dim == 2 && (!q->inner || looped) &&
           !rk_quant_skips(q, module) && rk_quant_chooses(q, module);
}

static int size_of(packing *k, size_t row, rk_named *t)
{
    static const bool known[N_SYMBOL] = {true, true, true, true, true, true, true, true, true};
    rk_binding at = {.value = k->value, .known = known, .n = N_SYMBOL};
    rk_acc acc = {0};
    int code = RK_OK;

    t->dim = RK_NEW_ARRAY(&k->out->arena, DIMS_MAX, rk_i128);
    if (!t->dim)
        return rk_fail_memory(k->err);
    t->count = 1;
    for (t->n_dim = 0; table[row].dim[t->n_dim] && code == RK_OK; t->n_dim++) {
        code = rk_ex_eval(k->pool, k->dim[row][t->n_dim], &at, &t->dim[t->n_dim], k->err);
        t->count = rk_mul(&acc, t->count, t->dim[t->n_dim]);
    }
    return acc.overflow ? rk_fail(k->err, RK_EOVERFLOW, "%s: its count needs more than 128 bits", t->name) : code;
}

/* RK_EVALUE: the groups or the words do not divide the matrix. */
static int misfit(const packing *k, const char *module, const char *end)
{
    char in[RK_NUM_TEXT_MAX], out[RK_NUM_TEXT_MAX], group[RK_NUM_TEXT_MAX];

    return rk_fail(k->err, RK_EINPUT,
                   "%s: %s from %s inputs to %s outputs has no tensor %s: group_size %s or words of 32 bits do not "
                   "divide it; see quantization_config",
                   k->l->model->name, module, rk_num_grouped(in, k->value[IN]), rk_num_grouped(out, k->value[OUT]), end,
                   rk_num_grouped(group, k->value[GROUP]));
}

static int add_row(packing *k, size_t row, const rk_named *of, const char *module)
{
    bool describes = strcmp(table[row].end, STATE_END) == 0;
    rk_dtype dtype = table[row].dtype;
    rk_named *t = RK_PUSH(&k->out->arena, k->out);
    int code;

    if (!t)
        return rk_fail_memory(k->err);
    *t = (rk_named){.weight = of->weight, .unit = of->unit, .times = of->times};
    t->name = rk_arena_format(&k->out->arena, "%s%s%s", module, table[row].end, describes ? k->q->kind : "");
    if (!t->name)
        return rk_fail_memory(k->err);
    if (table[row].dim[0] && table[row].dim[0][0] == '?')
        return RK_OK; /* its size depends on the weights: no shape, no type */
    code = size_of(k, row, t);
    if (code == RK_EVALUE)
        return misfit(k, module, table[row].end);
    if (dtype == CONFIG_TYPE)
        dtype = k->q->dtype;
    else if (dtype == WORD_TYPE)
        dtype = k->q->word;
    return code == RK_OK ? weigh(k, t, dtype) : code;
}

static int add_packed(packing *k, const rk_named *t, const char *module)
{
    const rk_quant *q = k->q;
    int code = RK_OK;

    measure(k, t);
    for (size_t i = 0; i < N_ROW && code == RK_OK; i++) {
        const struct row *row = &table[i];

        if (row->scheme == q->scheme && (row->when != WITH_ZEROS || q->zeros) && (row->when != WITH_INPUT || q->input))
            code = add_row(k, i, t, module);
    }
    return code;
}

static int add_plain(packing *k, const rk_named *t)
{
    rk_arena *a = &k->out->arena;
    rk_named *copy = RK_PUSH(a, k->out);

    if (!copy)
        return rk_fail_memory(k->err);
    *copy = *t;
    copy->name = rk_arena_text(a, t->name);
    copy->tied_to = t->tied_to ? rk_arena_text(a, t->tied_to) : NULL;
    copy->dim = rk_arena_copy_array(a, t->dim, t->n_dim, sizeof *t->dim);
    if (a->failed)
        return rk_fail_memory(k->err);
    return t->buffer ? RK_OK : weigh(k, copy, k->q->dtype);
}

static int pack(packing *k, const rk_names *names)
{
    int code = RK_OK;

    k->pool = rk_pool_new();
    k->role = k->l->model->roles.weight;
    if (!k->pool)
        code = rk_fail_memory(k->err);
    if (code == RK_OK)
        code = read_table(k);
    for (size_t i = 0; i < names->n && code == RK_OK; i++) {
        const rk_named *t = &names->at[i];
        size_t end = rk_ends_in(t->name, WEIGHT_END) ? strlen(WEIGHT_END) : 0;
        const char *module = rk_arena_copy(&k->out->arena, t->name, strlen(t->name) - end); /* which configs speak of */

        if (!module)
            code = rk_fail_memory(k->err);
        else
            code = is_packed(k, t, module) ? add_packed(k, t, module) : add_plain(k, t);
    }
    rk_pool_free(k->pool);
    return code;
}

static int list_packed(const rk_ledger *l, bool sample, rk_names *out, rk_err *err)
{
    rk_names names = {0}, list = {0};
    packing k = {.l = l, .q = &l->model->quant, .out = &list, .err = err};
    int code = (sample ? rk_names_sample : rk_names_new)(l, RK_NAMING_CHECKPOINT, &names, err);

    if (code == RK_OK)
        code = pack(&k, &names);
    rk_names_free(&names);
    if (code == RK_OK)
        *out = list;
    else
        rk_names_free(&list);
    return code;
}

int rk_packing_list(const rk_ledger *l, rk_names *out, rk_err *err)
{
    return list_packed(l, false, out, err);
}

int rk_packing_sample(const rk_ledger *l, rk_names *out, rk_err *err)
{
    return list_packed(l, !rk_quant_tells_apart(&l->model->quant), out, err);
}

void rk_packing_type(const rk_ledger *l, rk_names *names)
{
    packing k = {.l = l, .q = &l->model->quant};

    for (size_t i = 0; i < names->n && !l->model->quant.method; i++)
        if (!names->at[i].buffer && weigh(&k, &names->at[i], k.q->dtype) != RK_OK)
            names->at[i].dtype = NULL;
}

/* ---- totals -------------------------------------------------------------------------------------------------- */

/* What is asked for while looking for obstacles: the first failure is kept, and the rest is of no interest. */
typedef struct asking {
    const rk_ledger *l;
    int code;
    rk_err *err;
} asking;

/* False where a symbol has no number, which is no failure. */
static bool known(asking *a, rk_ex e, rk_i128 *out)
{
    int code = rk_ex_eval(a->l->pool, e, &a->l->instance->at, out, a->err);

    if (code != RK_OK && code != RK_EVALUE && a->code == RK_OK)
        a->code = code;
    return code == RK_OK;
}

/* A config may ask for more layers and experts than memory holds. */
static bool too_many(asking *a)
{
    rk_i128 n = 0;
    int code = rk_names_count(a->l, RK_NAMING_CHECKPOINT, &n, a->err);

    if (code != RK_OK && code != RK_EVALUE && a->code == RK_OK)
        a->code = code;
    return code != RK_OK || n > RK_NAMES_MAX;
}

/* What stands in the way of a list, beyond what the config's reader saw. */
static const char *obstacle(asking *a)
{
    const rk_model *m = a->l->model;
    const rk_quant *q = &m->quant;
    bool stacks = false;

    if (q->unknown)
        return q->unknown;
    if (q->inner && m->program.n_input > 1 && !q->block && !q->skip.n && !q->only.n)
        return "the config does not say which of the model's parts";
    for (size_t i = 0; i < m->program.n_weight; i++)
        stacks |= m->roles.weight[i].matrix == RK_MATRIX_STACK && m->program.weight[i].n_layout == 0;
    if (stacks && !scheme[q->scheme].packs_stacks && !scheme[q->scheme].leaves_stacks)
        return "how it packs experts that are stored together is not known";
    return too_many(a) ? "there are too many tensors" : NULL;
}

int rk_packing_obstacle(const rk_ledger *l, const char **unknown, rk_err *err)
{
    asking a = {.l = l, .err = err};

    *unknown = obstacle(&a);
    return a.code;
}

/* Adds up what a quantised checkpoint stores; of what has no type, as much as a run has where nobody says it. */
static void add_up(const rk_names *names, rk_acc *acc, rk_packing *out)
{
    int run = rk_quant_run_bytes(&out->how);

    out->sized = true;
    for (size_t i = 0; i < names->n; i++) {
        const rk_named *t = &names->at[i];

        if (t->buffer || t->tied_to)
            continue;
        out->bytes =
            rk_add(acc, out->bytes, rk_mul(acc, t->times, t->dtype || !t->dim ? t->bytes : rk_mul(acc, t->count, run)));
    }
}

int rk_packing_of(const rk_ledger *l, rk_packing *out, rk_err *err)
{
    const rk_quant *q = &l->model->quant;
    asking a = {.l = l, .err = err};
    rk_names names = {0};
    rk_acc acc = {0};
    int code = RK_OK;

    *out = (rk_packing){.how = *q, .method = q->method, .note = scheme[q->scheme].note};
    out->dtype = q->dtype == RK_DTYPE_UNKNOWN ? NULL : rk_dtype_info(q->dtype)->name;
    if (!known(&a, l->stored, &out->parameters))
        return a.code;
    if (!q->method) {
        out->bytes = rk_mul(&acc, out->parameters, rk_dtype_info(q->dtype)->bytes);
        out->sized = out->dtype != NULL;
    } else {
        out->unknown = obstacle(&a);
        if (a.code != RK_OK || out->unknown)
            return a.code;
        code = rk_packing_sample(l, &names, err);
        if (code == RK_OK)
            add_up(&names, &acc, out);
        rk_names_free(&names);
    }
    return acc.overflow ? rk_fail(err, RK_EOVERFLOW, "the bytes of the parameters exceed 128 bits") : code;
}
