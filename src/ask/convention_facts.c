/* SPDX-License-Identifier: MIT */
#include "ask/convention_facts.h"

#include "account/cache.h"
#include "account/ledger.h"

#include <string.h>

typedef struct finding {
    rk_facts *out;
    const rk_roles *role;
    const rk_program *p;
    rk_pool *pool;
} finding;

/* Elements of the result of an operation. */
static rk_ex elements(const finding *s, const rk_op *op)
{
    return rk_ixs_count(s->pool, &s->p->tensor[op->out].axes);
}

static rk_row_class class_of(const finding *s, const rk_ledger_op *row)
{
    return (rk_row_class)s->role->op[row->op];
}

static void add(finding *s, rk_row_class c, rk_class_fact which, rk_ex times, rk_ex figure)
{
    rk_ex *sum = &s->out->of_class[c][which];

    *sum = rk_ex_add(s->pool, *sum, rk_ex_mul(s->pool, times, figure));
    s->out->present[c] = true;
}

/* ---- operations ------------------------------------------------------------------------------------------------- */

static void add_product(finding *s, const rk_ledger_op *row)
{
    rk_row_class c = class_of(s, row);
    const rk_op *op = &s->p->op[row->op];
    rk_mask_kind mask = op->mask.kind;
    bool looks_back =
        mask == RK_MASK_CAUSAL || mask == RK_MASK_WINDOW || mask == RK_MASK_CHUNK || mask == RK_MASK_PREFIX;
    rk_ex windowed = row->forward, half = rk_ex_div(s->pool, row->forward, rk_ex_int(s->pool, 2));

    /* Each query sees as many keys as its window has, those at the beginning too. */
    if (mask == RK_MASK_WINDOW || mask == RK_MASK_CHUNK) {
        rk_ex keys = s->p->label[op->mask.key].size;

        windowed = rk_ex_mul(s->pool, rk_ex_div(s->pool, windowed, keys), rk_ex_min(s->pool, keys, op->mask.size));
    }
    add(s, c, RK_CLASS_FACT_FLOPS, row->times, row->forward);
    add(s, c, RK_CLASS_FACT_WINDOWED, row->times, windowed);
    add(s, c, RK_CLASS_FACT_HALVED, row->times, looks_back ? half : row->forward);
}

static void sum_all(finding *s, const rk_ledger *l)
{
    for (size_t i = 0; i < l->n_op; i++) {
        const rk_ledger_op *row = &l->op[i];
        const rk_op *op = &s->p->op[row->op];
        rk_row_class c = class_of(s, row);
        bool again = i > 0 && row[-1].op == row->op; /* a norm's bias stands after its norm */

        add(s, again ? RK_ROWS_BIAS : c, RK_CLASS_FACT_ARITHMETIC, row->times, row->forward);
        if (rk_op_table[op->row].class == RK_CLASS_PRODUCT)
            add_product(s, row);
        else if (!again)
            add(s, c, RK_CLASS_FACT_ELEMENTS, row->times, elements(s, op));
    }
}

static void sum_forward(finding *s, const rk_ledger *l)
{
    rk_class_fact fact = l->convention.pairs == RK_PAIRS_EXACT ? RK_CLASS_FACT_EXACT : RK_CLASS_FACT_COUNTED;

    for (size_t i = 0; i < l->n_op; i++)
        add(s, class_of(s, &l->op[i]), fact, l->op[i].times, l->op[i].forward);
}

static void sum_torch(finding *s, const rk_ledger *l)
{
    for (size_t i = 0; i < l->n_op; i++) {
        const rk_ledger_op *row = &l->op[i];

        add(s, class_of(s, row), RK_CLASS_FACT_TORCH, row->times, row->forward);
        add(s, class_of(s, row), RK_CLASS_FACT_TORCH_BACK, row->times, row->backward);
    }
}

/* One ledger for each way of counting: what the rows say is then put to their classes. */
static int sum_ledger(finding *s, rk_convention c, void (*sum)(finding *, const rk_ledger *), rk_err *err)
{
    rk_ledger *l = NULL;
    int code = rk_ledger_new(s->out->instance, &c, &l, err);

    if (code == RK_OK)
        sum(s, l);
    rk_ledger_free(l);
    return code;
}

/* ---- weights ---------------------------------------------------------------------------------------------------- */

static void sum_tables(finding *s)
{
    for (size_t i = 0; i < s->p->n_op; i++) {
        const rk_op *op = &s->p->op[i];
        rk_ex times = rk_group_times(s->pool, s->p, op->group);

        for (size_t k = 0; k < op->n_in && rk_op_table[op->row].class == RK_CLASS_LOOKUP; k++) {
            const rk_tensor *t = &s->p->tensor[op->in[k].tensor];

            if (t->kind == RK_TENSOR_WEIGHT)
                add(s, (rk_row_class)s->role->op[i], RK_CLASS_FACT_TABLE, times, s->p->weight[t->weight].count);
        }
    }
}

static void sum_weights(finding *s)
{
    for (size_t i = 0; i < s->p->n_weight; i++) {
        const rk_weight *w = &s->p->weight[i];
        rk_ex times = rk_group_times(s->pool, s->p, w->group);

        if (w->buffer || w->tied_to != RK_NONE)
            continue;
        add(s, (rk_row_class)s->role->weight[i].role, RK_CLASS_FACT_PARAMS, times, w->count);
        add(s, (rk_row_class)s->role->weight[i].role, RK_CLASS_FACT_ACTIVE, times, w->active);
    }
}

/* One number that all places agree on: none yet, one, or several. */
typedef struct agreed {
    rk_ex is;
    size_t n;
} agreed;

static void agree(rk_pool *pool, agreed *a, rk_ex e)
{
    e = rk_ex_expand_defs(pool, e);
    a->n += a->n == 0 || a->is != e;
    a->is = a->n == 1 ? e : a->is;
}

static void settle(finding *s, rk_model_fact which, const agreed *a, const char *none, const char *several)
{
    s->out->of_model[which] = a->is;
    s->out->lacks[which] = a->n == 1 ? NULL : a->n == 0 ? none : several;
}

static void set(finding *s, rk_model_fact which, rk_ex e)
{
    s->out->of_model[which] = e;
    s->out->lacks[which] = NULL;
}

static const char no_sequence[] = "it reads no sequence of S tokens";

/* ---- the model: the run ----------------------------------------------------------------------------------------- */

static rk_ex symbol(const finding *s, rk_symbol_role role)
{
    const rk_symbol *found = rk_model_size(s->out->instance->model, role);

    return found ? rk_ex_sym(s->pool, found->sym) : RK_EX_FAILED;
}

/* B sequences, S tokens of each, U those of a decoder beside. */
static void find_tokens(finding *s)
{
    rk_ex b = symbol(s, RK_SIZE_BATCH), length = symbol(s, RK_SIZE_TOKENS);
    bool two = symbol(s, RK_SIZE_TARGETS) != RK_EX_FAILED;
    const char *why = length == RK_EX_FAILED ? no_sequence
                      : two                  ? "its encoder reads S tokens and its decoder U"
                                             : NULL;

    b = b == RK_EX_FAILED ? rk_ex_int(s->pool, 1) : b;
    set(s, RK_MODEL_FACT_BATCH, b);
    if (!why) {
        set(s, RK_MODEL_FACT_SEQUENCE, length);
        set(s, RK_MODEL_FACT_TOKENS, rk_ex_mul(s->pool, b, length));
    }
    s->out->lacks[RK_MODEL_FACT_SEQUENCE] = s->out->lacks[RK_MODEL_FACT_TOKENS] = why;
}

/* ---- layers ----------------------------------------------------------------------------------------------------- */

/* What the stack carries from layer to layer and changes; the first such is what the layers add to. */
static rk_ex carried_width(const finding *s, const rk_loop *l)
{
    const rk_group *g = &s->p->group[l->group[0]];

    for (size_t k = 0; k < l->n_carry; k++) {
        const rk_ixs *axes = &s->p->tensor[g->out[k]].axes;

        if (!g->shared[k] && axes->n > 1)
            return axes->at[axes->n - 1].size;
    }
    return RK_EX_FAILED;
}

static void find_layers(finding *s)
{
    const rk_loop *l = NULL; /* the stack of layers, where there is one alone */
    rk_ex width;
    size_t n = 0;

    for (size_t i = 0; i < s->p->n_loop; i++)
        if (s->p->loop[i].parent == 0) {
            l = &s->p->loop[i];
            n++;
        }
    if (n != 1) {
        s->out->lacks[RK_MODEL_FACT_LAYERS] = s->out->lacks[RK_MODEL_FACT_WIDTH] =
            n == 0 ? "it has no stack of layers" : "it has several stacks of layers";
        return;
    }
    set(s, RK_MODEL_FACT_LAYERS, l->count);
    width = l->n_group > 0 ? carried_width(s, l) : RK_EX_FAILED;
    set(s, RK_MODEL_FACT_WIDTH, width);
    if (width == RK_EX_FAILED)
        s->out->lacks[RK_MODEL_FACT_WIDTH] = "its layers hand no vector on";
}

/*
 * The largest module, which the estimate of DeepSpeed calls a layer: what tensors have in common whose names differ in
 * the last word alone.
 */
static void find_largest(finding *s)
{
    rk_ex most = RK_EX_FAILED;
    rk_i128 n, largest = -1;

    for (size_t i = 0; i < s->p->n_weight; i++) {
        const char *name = s->p->weight[i].pattern, *end = strrchr(name, '.');
        size_t length = end ? (size_t)(end - name) + 1 : 0;
        rk_ex sum = rk_ex_int(s->pool, 0);

        for (size_t k = 0; k < s->p->n_weight && !s->p->weight[i].buffer; k++) {
            const rk_weight *w = &s->p->weight[k];

            if (!w->buffer && strncmp(name, w->pattern, length) == 0 && !strchr(w->pattern + length, '.'))
                sum = rk_ex_add(s->pool, sum, w->count);
        }
        if (s->p->weight[i].buffer || rk_ex_eval(s->pool, sum, &s->out->instance->at, &n, NULL) != RK_OK ||
            n <= largest)
            continue;
        largest = n;
        most = sum;
    }
    set(s, RK_MODEL_FACT_LARGEST, most);
    if (most == RK_EX_FAILED)
        s->out->lacks[RK_MODEL_FACT_LARGEST] = "it has no parameters, or sizes without a number";
}

/* ---- attention -------------------------------------------------------------------------------------------------- */

/*
 * Heads are what is left of the scores [B K G S T] without sequences, queries and keys; queries to each key, the
 * context [B S K G H] beside the values [B T K H]; the width of the queries, or of the context, is that of a token.
 */
static void find_heads(finding *s)
{
    rk_ex length = symbol(s, RK_SIZE_TOKENS), keys = symbol(s, RK_SIZE_KEYS), batch, pairs;
    bool reads = length != RK_EX_FAILED;
    const char *none = reads ? "it has no attention" : no_sequence;
    agreed heads = {0}, groups = {0}, queries = {0};
    rk_ex sum = rk_ex_int(s->pool, 0); /* numbers of keys and values, as attention reads them */

    keys = keys == RK_EX_FAILED ? length : keys;
    batch = s->out->of_model[RK_MODEL_FACT_BATCH];
    pairs = reads ? rk_ex_mul(s->pool, batch, rk_ex_mul(s->pool, length, keys)) : RK_EX_FAILED;
    for (size_t i = 0; i < s->p->n_op && reads; i++) {
        const rk_op *op = &s->p->op[i];
        int values = s->role->values[i];
        rk_ex made, read;

        if (s->role->op[i] != RK_ROLE_SCORES)
            continue;
        made = elements(s, op);
        read = rk_ixs_count(s->pool, &op->in[values < 0 ? 1 : values].axes);
        if (values < 0)
            agree(s->pool, &heads, rk_ex_div(s->pool, made, pairs));
        else
            agree(s->pool, &groups,
                  rk_ex_div(s->pool, rk_ex_mul(s->pool, made, keys), rk_ex_mul(s->pool, read, length)));
        agree(s->pool, &queries,
              rk_ex_div(s->pool, values < 0 ? rk_ixs_count(s->pool, &op->in[0].axes) : made,
                        rk_ex_mul(s->pool, batch, length)));
        sum = rk_ex_add(s->pool, sum, rk_ex_mul(s->pool, rk_group_times(s->pool, s->p, op->group), read));
    }
    settle(s, RK_MODEL_FACT_HEADS, &heads, none, "its layers have different numbers of heads");
    settle(s, RK_MODEL_FACT_GROUPS, &groups, none, "its layers share keys in different ways");
    settle(s, RK_MODEL_FACT_QUERIES, &queries, none, "its queries and its values are not of one width");
    set(s, RK_MODEL_FACT_PAIRS, reads ? rk_ex_div(s->pool, rk_ex_mul(s->pool, sum, length), pairs) : sum);
    s->out->lacks[RK_MODEL_FACT_PAIRS] = reads ? NULL : no_sequence;
}

static void find_cached(finding *s)
{
    rk_ex sum = rk_ex_int(s->pool, 0);

    for (size_t i = 0; i < s->p->n_keep; i++) {
        const rk_keep *k = &s->p->keep[i];
        rk_ex times = rk_group_times(s->pool, s->p, k->group);

        if (k->last == RK_EX_FAILED && !k->once)
            sum = rk_ex_add(s->pool, sum, rk_ex_mul(s->pool, times, rk_keep_elements(s->pool, s->p, k)));
    }
    set(s, RK_MODEL_FACT_CACHED, rk_ex_div(s->pool, sum, s->out->of_model[RK_MODEL_FACT_BATCH]));
    if (s->p->n_keep == 0)
        s->out->lacks[RK_MODEL_FACT_CACHED] = "it keeps nothing from token to token";
}

/* ---- products with weights -------------------------------------------------------------------------------------- */

/* The size of the axes of a product's weight that its result has, or that it sums over. */
static rk_ex weight_size(const finding *s, const rk_op *op, bool of_result)
{
    const rk_ixs *axes = &op->in[rk_op_weight(s->p, op)].axes, *out = &s->p->tensor[op->out].axes;
    rk_ex n = rk_ex_int(s->pool, 1);

    for (size_t i = 0; i < axes->n; i++)
        if ((rk_ixs_place(out, axes->at[i].label) >= 0) == of_result)
            n = rk_ex_mul(s->pool, n, axes->at[i].size);
    return rk_ex_expand_defs(s->pool, n);
}

static void find_vocab(finding *s)
{
    agreed vocab = {0};

    for (size_t i = 0; i < s->p->n_op; i++)
        if (s->role->op[i] == RK_ROLE_HEAD && rk_op_weight(s->p, &s->p->op[i]) < 2)
            agree(s->pool, &vocab, weight_size(s, &s->p->op[i], true));
    settle(s, RK_MODEL_FACT_VOCAB, &vocab, "it has no output head", "it has several output heads");
}

/* The width of an FFN is what its last product, back to the width of the model, sums over. */
static void find_ffn(finding *s)
{
    rk_ex width = s->out->of_model[RK_MODEL_FACT_WIDTH];
    agreed ffn = {0};

    for (size_t i = 0; i < s->p->n_op && !s->out->lacks[RK_MODEL_FACT_WIDTH]; i++) {
        const rk_op *op = &s->p->op[i];

        if (s->role->op[i] == RK_ROLE_FFN && op->group != 0 && rk_op_weight(s->p, op) < 2 &&
            weight_size(s, op, true) == rk_ex_expand_defs(s->pool, width))
            agree(s->pool, &ffn, weight_size(s, op, false));
    }
    settle(s, RK_MODEL_FACT_FFN_WIDTH, &ffn, "it has no FFN that every token passes",
           "its layers have FFNs of different widths");
}

static void find_experts(finding *s)
{
    agreed experts = {0}, chosen = {0};

    for (size_t i = 0; i < s->p->n_op; i++) {
        const rk_op *op = &s->p->op[i];

        for (size_t k = 0; k < op->n_in && s->role->op[i] == RK_ROLE_EXPERTS; k++)
            for (size_t j = 0; j < op->in[k].axes.n; j++) {
                const rk_ix *ix = &op->in[k].axes.at[j];

                if (ix->kind != RK_IX_ROUTED)
                    continue;
                agree(s->pool, &experts, ix->size);
                agree(s->pool, &chosen, s->p->label[ix->label].size);
            }
    }
    settle(s, RK_MODEL_FACT_EXPERTS, &experts, "it has no experts", "its layers have different numbers of experts");
    settle(s, RK_MODEL_FACT_CHOSEN, &chosen, "it has no experts", "its layers choose different numbers of experts");
}

void rk_facts_of_model(const rk_convention_setup *setup, rk_facts *out)
{
    finding s = {
        .out = out, .role = &out->instance->model->roles, .p = out->instance->program, .pool = out->instance->pool};
    rk_ex whole = rk_ex_int(s.pool, 0);
    rk_convention_setup of = setup ? *setup : (rk_convention_setup){0};

    find_tokens(&s);
    find_layers(&s);
    find_largest(&s);
    find_heads(&s);
    find_cached(&s);
    find_vocab(&s);
    find_ffn(&s);
    find_experts(&s);
    for (int c = 0; c < RK_N_ROW_CLASS; c++)
        whole = rk_ex_add(s.pool, whole, out->of_class[c][RK_CLASS_FACT_PARAMS]);
    set(&s, RK_MODEL_FACT_WHOLE, whole);
    set(&s, RK_MODEL_FACT_BYTES, rk_ex_int(s.pool, of.bytes > 0 ? of.bytes : 2));
    set(&s, RK_MODEL_FACT_SHARDS, rk_ex_int(s.pool, of.shards > 0 ? of.shards : 1));
    set(&s, RK_MODEL_FACT_TENSOR, rk_ex_int(s.pool, of.tensor > 0 ? of.tensor : 1));
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

int rk_facts_new(const rk_instance *m, const rk_convention_setup *setup, rk_facts *out, rk_err *err)
{
    finding s = {.out = out, .role = &m->model->roles, .p = m->program, .pool = m->pool};
    int code;

    *out = (rk_facts){.instance = m};
    for (int c = 0; c < RK_N_ROW_CLASS; c++)
        for (int i = 0; i < RK_N_CLASS_FACT; i++)
            out->of_class[c][i] = rk_ex_int(m->pool, 0);
    code = sum_ledger(&s, (rk_convention){.count = RK_COUNT_ALL, .pairs = RK_PAIRS_SQUARE}, sum_all, err);
    if (code == RK_OK)
        code = sum_ledger(&s, (rk_convention){.count = RK_COUNT_MATMUL, .pairs = RK_PAIRS_EXACT}, sum_forward, err);
    if (code == RK_OK)
        code = sum_ledger(&s, (rk_convention){.count = RK_COUNT_MATMUL}, sum_forward, err);
    if (code == RK_OK)
        code = sum_ledger(&s, (rk_convention){.count = RK_COUNT_TORCH}, sum_torch, err);
    if (code != RK_OK)
        return code;
    sum_tables(&s);
    sum_weights(&s);
    rk_facts_of_model(setup, out);
    return rk_pool_check(m->pool, err);
}
