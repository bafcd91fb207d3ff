/* SPDX-License-Identifier: MIT */
#include "ask/convention_shape.h"

#include "account/cache.h"

#include <string.h>

typedef struct shaping {
    rk_facts *out;
    const rk_roles *role;
    const rk_program *p;
    rk_pool *pool;
} shaping;

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

static void settle(shaping *s, rk_model_fact which, const agreed *a, const char *none, const char *several)
{
    s->out->of_model[which] = a->is;
    s->out->lacks[which] = a->n == 1 ? NULL : a->n == 0 ? none : several;
}

static void set(shaping *s, rk_model_fact which, rk_ex e)
{
    s->out->of_model[which] = e;
    s->out->lacks[which] = NULL;
}

rk_ex rk_shape_elements(const rk_instance *m, const rk_op *op)
{
    return rk_ixs_count(m->pool, &m->program->tensor[op->out].axes);
}

static const char no_sequence[] = "it reads no sequence of S tokens";

/* ---- the run ---------------------------------------------------------------------------------------------------- */

static rk_ex symbol(const shaping *s, rk_symbol_role role)
{
    const rk_symbol *found = rk_model_size(s->out->instance->model, role);

    return found ? rk_ex_sym(s->pool, found->sym) : RK_EX_FAILED;
}

/* B sequences, S tokens of each, U those of a decoder beside. */
static void find_tokens(shaping *s)
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

static void set_number(shaping *s, rk_model_fact which, rk_i128 n, rk_i128 otherwise)
{
    set(s, which, rk_ex_int(s->pool, n > 0 ? n : otherwise));
}

/* ---- layers ----------------------------------------------------------------------------------------------------- */

/* The stack of layers, where there is one alone. */
static const rk_loop *stack(const shaping *s, size_t *n)
{
    const rk_loop *found = NULL;

    *n = 0;
    for (size_t i = 0; i < s->p->n_loop; i++)
        if (s->p->loop[i].parent == 0) {
            found = &s->p->loop[i];
            ++*n;
        }
    return *n == 1 ? found : NULL;
}

/* What the stack carries from layer to layer and changes; the first such is what the layers add to. */
static rk_ex carried_width(const shaping *s, const rk_loop *l)
{
    const rk_group *g = &s->p->group[l->group[0]];

    for (size_t k = 0; k < l->n_carry; k++) {
        const rk_ixs *axes = &s->p->tensor[g->out[k]].axes;

        if (!g->shared[k] && axes->n > 1)
            return axes->at[axes->n - 1].size;
    }
    return RK_EX_FAILED;
}

static void find_layers(shaping *s)
{
    size_t n;
    const rk_loop *l = stack(s, &n);
    const char *none = "it has no stack of layers", *several = "it has several stacks of layers";
    rk_ex width = l && l->n_group > 0 ? carried_width(s, l) : RK_EX_FAILED;

    s->out->lacks[RK_MODEL_FACT_LAYERS] = s->out->lacks[RK_MODEL_FACT_WIDTH] = n == 0 ? none : several;
    if (l)
        set(s, RK_MODEL_FACT_LAYERS, l->count);
    if (width != RK_EX_FAILED)
        set(s, RK_MODEL_FACT_WIDTH, width);
    else if (l)
        s->out->lacks[RK_MODEL_FACT_WIDTH] = "its layers hand no vector on";
}

/* A module is what tensors have in common whose names differ in the last word alone. */
static bool same_module(const char *a, const char *b)
{
    const char *end = strrchr(a, '.');
    size_t n = end ? (size_t)(end - a) + 1 : 0;

    return strncmp(a, b, n) == 0 && !strchr(b + n, '.');
}

static rk_ex module_params(const shaping *s, const rk_weight *of)
{
    rk_ex sum = rk_ex_int(s->pool, 0);

    for (size_t i = 0; i < s->p->n_weight; i++) {
        const rk_weight *w = &s->p->weight[i];

        if (!w->buffer && same_module(of->pattern, w->pattern))
            sum = rk_ex_add(s->pool, sum, w->count);
    }
    return sum;
}

/* The tensors of one module: what the estimate of DeepSpeed calls a layer. */
static void find_largest(shaping *s)
{
    rk_binding at = s->out->instance->at;
    rk_ex most = RK_EX_FAILED;
    rk_i128 n, largest = -1;

    for (size_t i = 0; i < s->p->n_weight; i++) {
        rk_ex one = s->p->weight[i].buffer ? RK_EX_FAILED : module_params(s, &s->p->weight[i]);

        if (one == RK_EX_FAILED || rk_ex_eval(s->pool, one, &at, &n, NULL) != RK_OK || n <= largest)
            continue;
        largest = n;
        most = one;
    }
    set(s, RK_MODEL_FACT_LARGEST, most);
    if (most == RK_EX_FAILED)
        s->out->lacks[RK_MODEL_FACT_LARGEST] = "it has no parameters, or sizes without a number";
}

/* ---- attention -------------------------------------------------------------------------------------------------- */

/* Keys, queries and sequences: S and T of the run, B·S·T pairs. */
typedef struct lengths {
    rk_ex s, t, pairs;
} lengths;

static lengths lengths_of(const shaping *s)
{
    lengths l = {.s = symbol(s, RK_SIZE_TOKENS), .t = symbol(s, RK_SIZE_KEYS)};

    l.t = l.t == RK_EX_FAILED ? l.s : l.t;
    if (l.s != RK_EX_FAILED)
        l.pairs = rk_ex_mul(s->pool, s->out->of_model[RK_MODEL_FACT_BATCH], rk_ex_mul(s->pool, l.s, l.t));
    return l;
}

/* Queries to each key: the context [B S K G H] beside the values [B T K H]. */
static rk_ex queries_to_key(const shaping *s, size_t i, const lengths *l)
{
    const rk_op *op = &s->p->op[i];
    rk_ex values = rk_ixs_count(s->pool, &op->in[s->role->values[i]].axes);

    return rk_ex_div(s->pool, rk_ex_mul(s->pool, rk_shape_elements(s->out->instance, op), l->t),
                     rk_ex_mul(s->pool, values, l->s));
}

/* Numbers of the queries [B S K G H] of a token, or of the context that it gets. */
static rk_ex query_width(const shaping *s, size_t i)
{
    const rk_op *op = &s->p->op[i];
    rk_ex n = s->role->values[i] < 0 ? rk_ixs_count(s->pool, &op->in[0].axes) : rk_shape_elements(s->out->instance, op);

    return rk_ex_div(s->pool, n, rk_ex_mul(s->pool, s->out->of_model[RK_MODEL_FACT_BATCH], symbol(s, RK_SIZE_TOKENS)));
}

/* Heads are what is left of the scores [B K G S T] without sequences, queries and keys. */
static void find_heads(shaping *s)
{
    lengths l = lengths_of(s);
    const char *none = l.s == RK_EX_FAILED ? no_sequence : "it has no attention";
    agreed heads = {0}, groups = {0}, queries = {0};

    for (size_t i = 0; i < s->p->n_op && l.s != RK_EX_FAILED; i++) {
        if (s->role->op[i] != RK_ROLE_SCORES)
            continue;
        if (s->role->values[i] < 0)
            agree(s->pool, &heads, rk_ex_div(s->pool, rk_shape_elements(s->out->instance, &s->p->op[i]), l.pairs));
        else
            agree(s->pool, &groups, queries_to_key(s, i, &l));
        agree(s->pool, &queries, query_width(s, i));
    }
    settle(s, RK_MODEL_FACT_HEADS, &heads, none, "its layers have different numbers of heads");
    settle(s, RK_MODEL_FACT_GROUPS, &groups, none, "its layers share keys in different ways");
    settle(s, RK_MODEL_FACT_QUERIES, &queries, none, "its queries and its values are not of one width");
}

/* Numbers of keys and values, as attention reads them, of one token of one sequence. */
static void find_key_value(shaping *s)
{
    lengths l = lengths_of(s);
    rk_ex sum = rk_ex_int(s->pool, 0);

    s->out->lacks[RK_MODEL_FACT_PAIRS] = l.s == RK_EX_FAILED ? no_sequence : NULL;
    for (size_t i = 0; i < s->p->n_op && l.s != RK_EX_FAILED; i++) {
        const rk_op *op = &s->p->op[i];
        int place = s->role->values[i] < 0 ? 1 : s->role->values[i];

        if (s->role->op[i] == RK_ROLE_SCORES)
            sum = rk_ex_add(s->pool, sum,
                            rk_ex_mul(s->pool, rk_group_times(s->pool, s->p, op->group),
                                      rk_ixs_count(s->pool, &op->in[place].axes)));
    }
    if (l.s != RK_EX_FAILED)
        sum = rk_ex_div(s->pool, rk_ex_mul(s->pool, sum, l.s), l.pairs);
    s->out->of_model[RK_MODEL_FACT_PAIRS] = sum;
}

static void find_cached(shaping *s)
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
static rk_ex weight_size(const shaping *s, const rk_op *op, bool of_result)
{
    const rk_ixs *axes = &op->in[rk_op_weight(s->p, op)].axes, *out = &s->p->tensor[op->out].axes;
    rk_ex n = rk_ex_int(s->pool, 1);

    for (size_t i = 0; i < axes->n; i++)
        if ((rk_ixs_place(out, axes->at[i].label) >= 0) == of_result)
            n = rk_ex_mul(s->pool, n, axes->at[i].size);
    return rk_ex_expand_defs(s->pool, n);
}

static void find_vocab(shaping *s)
{
    agreed vocab = {0};

    for (size_t i = 0; i < s->p->n_op; i++)
        if (s->role->op[i] == RK_ROLE_HEAD && rk_op_weight(s->p, &s->p->op[i]) < 2)
            agree(s->pool, &vocab, weight_size(s, &s->p->op[i], true));
    settle(s, RK_MODEL_FACT_VOCAB, &vocab, "it has no output head", "it has several output heads");
}

/* The width of an FFN is what its last product, back to the width of the model, sums over. */
static void find_ffn(shaping *s)
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

static void find_experts(shaping *s)
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

static void find_whole(shaping *s)
{
    rk_ex sum = rk_ex_int(s->pool, 0);

    for (int c = 0; c < RK_N_ROW_CLASS; c++)
        sum = rk_ex_add(s->pool, sum, s->out->of_class[c][RK_CLASS_FACT_PARAMS]);
    set(s, RK_MODEL_FACT_WHOLE, sum);
}

void rk_shape_find(const rk_convention_setup *setup, rk_facts *out)
{
    shaping s = {
        .out = out, .role = &out->instance->model->roles, .p = out->instance->program, .pool = out->instance->pool};

    find_tokens(&s);
    find_layers(&s);
    find_largest(&s);
    find_heads(&s);
    find_key_value(&s);
    find_cached(&s);
    find_vocab(&s);
    find_ffn(&s);
    find_experts(&s);
    find_whole(&s);
    set_number(&s, RK_MODEL_FACT_BYTES, setup ? setup->bytes : 0, 2);
    set_number(&s, RK_MODEL_FACT_SHARDS, setup ? setup->shards : 0, 1);
    set_number(&s, RK_MODEL_FACT_TENSOR, setup ? setup->tensor : 0, 1);
}
