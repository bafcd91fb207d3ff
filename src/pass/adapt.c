/* SPDX-License-Identifier: MIT */
/*
 * pass/adapt.c - adapters beside products: what is y = W x becomes y = W x + B(A x), with A and B of low rank.
 *
 * The rank is a symbol of the model from here on, so that formulas have it.
 */
#include "pass/passes.h"

#include "model/copy.h"

#include <string.h>

typedef struct adapting {
    const rk_adapt *o;
    rk_build *b;
    rk_binding at;
    uint32_t rank; /* its label */
    rk_ex size;
    size_t n_before;       /* weights of the model itself */
    RK_VEC(uint32_t) base; /* of each weight after those: beside which it stands */
} adapting;

/* ---- the rank ---------------------------------------------------------------------------------------------------- */

/* First among the symbols of the model: what an adapter costs is told by its rank. */
static int put_rank(adapting *x, rk_model_draft *d)
{
    rk_model *m = d->model;
    const char *name = rk_model_names(m, "r") ? "rank" : "r";
    const rk_setting *set = rk_model_setting(m, name);
    rk_i128 value = set && !set->word ? set->value : x->o->rank;
    rk_symbol *list = RK_NEW_ARRAY(&m->arena, m->n_symbol + 1, rk_symbol);
    rk_label *label = RK_PUSH(x->b->a, &x->b->label);

    if (value <= 0 || value >> 63)
        return rk_fatal(x->b, RK_EINPUT, "the rank of adapters is from 1 to 2^63 - 1");
    if (!list || !label)
        return rk_fatal_memory(x->b);
    list[0] = (rk_symbol){.name = name,
                          .text = "rank of the adapters",
                          .kind = RK_SYMBOL_MODEL,
                          .sym = rk_sym_declare(x->b->pool, name, RK_SYM_RANK_MODEL),
                          .known = true,
                          .value = value,
                          .set = true};
    if (list[0].sym == RK_SYM_NONE)
        return rk_fatal(x->b, RK_ELIMIT, "%s: too many symbols", m->name);
    rk_sym_print_first(x->b->pool, list[0].sym);
    memcpy(list + 1, m->symbol, m->n_symbol * sizeof *list);
    m->symbol = d->symbol = list;
    m->n_symbol++;
    d->value[list[0].sym] = value;
    d->known[list[0].sym] = true;
    x->size = rk_ex_sym(x->b->pool, list[0].sym);
    x->rank = (uint32_t)(x->b->label.n - 1);
    *label = (rk_label){.name = name, .size = x->size};
    x->at = rk_model_binding(m);
    return RK_OK;
}

static int check_rank(adapting *x, const rk_weight *w)
{
    for (size_t i = 0; i < w->n_dim; i++) {
        rk_i128 rank = 0, side = 0;
        char number[RK_NUM_TEXT_MAX];

        if (rk_ex_eval(x->b->pool, x->size, &x->at, &rank, NULL) == RK_OK &&
            rk_ex_eval(x->b->pool, w->dim[i], &x->at, &side, NULL) == RK_OK && rank > side)
            return rk_fatal(
                x->b, RK_EINPUT,
                "%s: one side of %s has %s: the rank of an adapter cannot be above that (--targets names others)",
                x->b->name, w->pattern, rk_num_text(number, side));
    }
    return x->b->fatal;
}

/* ---- weights ----------------------------------------------------------------------------------------------------- */

/* The name of a module's weight with another last word. */
static int name_beside(rk_build *b, const rk_weight *base, const char *last, rk_weight *w)
{
    size_t n = base->name.n;
    const char *text = n ? base->name.piece[n - 1].text : NULL, *dot = text ? strrchr(text, '.') : NULL;
    size_t kept = strlen(base->pattern) - (text ? strlen(text) : 0);
    rk_weight_piece *piece = RK_NEW_ARRAY(b->a, n + 1, rk_weight_piece);

    text = dot ? rk_arena_format(b->a, "%.*s.%s", (int)(dot - text), text, last) : last;
    if (!piece || !text)
        return rk_fatal_memory(b);
    if (n > 1)
        memcpy(piece, base->name.piece, (n - 1) * sizeof *piece);
    piece[n ? n - 1 : 0] = (rk_weight_piece){.text = text};
    w->name = (rk_weight_name){piece, n ? n : 1};
    w->pattern = rk_arena_format(b->a, "%.*s%s", (int)kept, base->pattern, text);
    return w->pattern ? RK_OK : rk_fatal_memory(b);
}

/* A matrix beside another weight: the axis of the rank, and all others as one.  Made once. */
static int weight_beside(adapting *x, uint32_t base, rk_adapter what, const rk_ixs *axes, rk_seen *out)
{
    static const char *const name[] = {
        [RK_ADAPTER_A] = "lora_A.default.weight", [RK_ADAPTER_B] = "lora_B.default.weight"};
    const rk_weight *beside = &x->b->weight.at[base];
    bool first = what == RK_ADAPTER_A;
    rk_ixs others = {axes->at + first, axes->n - 1};
    rk_weight w = {.tied_to = RK_NONE,
                   .tensor = RK_NONE,
                   .part = beside->part,
                   .group = beside->group,
                   .span = beside->span,
                   .adapter = what,
                   .wide = x->o->wide,
                   .dim = RK_NEW_ARRAY(x->b->a, 2, rk_ex),
                   .n_dim = 2};
    uint32_t number = RK_NONE, *slot;
    int code = w.dim ? name_beside(x->b, beside, name[what], &w) : rk_fatal_memory(x->b);

    if (code == RK_OK)
        number = rk_build_weight_find(x->b, w.pattern, w.group);
    if (code == RK_OK && number == RK_NONE) {
        w.dim[first ? 0 : 1] = x->size;
        w.dim[first ? 1 : 0] = rk_ixs_count(x->b->pool, &others);
        w.count = w.active = rk_ixs_count(x->b->pool, axes);
        code = rk_build_weight(x->b, &w, &number);
        if (code == RK_OK)
            code = rk_build_weight_tensor(x->b, number, axes);
        if (code == RK_OK && (slot = RK_PUSH(x->b->a, &x->base)))
            *slot = base;
        else
            rk_fatal_memory(x->b);
    }
    if (code == RK_OK)
        *out = (rk_seen){.tensor = x->b->weight.at[number].tensor, .axes = *axes};
    return code;
}

/* ---- operations -------------------------------------------------------------------------------------------------- */

/* The axes that the result has, or those that it lacks, after what is there. */
static int add_axes(rk_build *b, const rk_ixs *from, const rk_ixs *result, bool has, rk_ixs *out)
{
    int code = RK_OK;

    for (size_t i = 0; i < from->n && code == RK_OK; i++)
        if (rk_ixs_has(result, from->at[i].label) == has)
            code = rk_ixs_append(b, out, &from->at[i]);
    return code;
}

static int multiply(rk_build *b, const rk_seen *x, const rk_seen *w, const rk_ixs *axes, rk_seen *out)
{
    rk_seen in[2] = {*x, *w};
    rk_op *op = rk_build_op(b, RK_OP_PRODUCT, in, 2, axes, out);

    if (!op)
        return b->fatal;
    op->summed = true;
    return RK_OK;
}

/* One operand, the same axes. */
static int step(rk_build *b, rk_op_id row, rk_seen *x, rk_type type)
{
    rk_seen in = *x;
    rk_op *op = rk_build_op(b, row, &in, 1, &in.axes, x);

    if (!op)
        return b->fatal;
    op->real = 1; /* of a scale: no count depends on it */
    op->which = type;
    return RK_OK;
}

/* B(A x), times a number. */
static int low_rank(adapting *x, rk_seen in, const rk_seen *w, const rk_ixs *want, rk_seen *out)
{
    rk_build *b = x->b;
    uint32_t base = b->tensor.at[w->tensor].weight;
    rk_ix rank = {.kind = RK_IX_LABEL, .label = x->rank, .size = x->size};
    rk_ixs down = {0}, up = {0}, between = {0}; /* the axes of A, of B, and of what A gives */
    rk_seen a, wide, low;
    int code = rk_ixs_append(b, &down, &rank);

    if (code == RK_OK)
        code = add_axes(b, &w->axes, want, false, &down);
    if (code == RK_OK)
        code = add_axes(b, &w->axes, want, true, &up);
    if (code == RK_OK)
        code = rk_ixs_append(b, &up, &rank);
    if (code == RK_OK)
        code = add_axes(b, &in.axes, want, true, &between);
    if (code == RK_OK)
        code = rk_ixs_append(b, &between, &rank);
    if (code == RK_OK)
        code = weight_beside(x, base, RK_ADAPTER_A, &down, &a);
    if (code == RK_OK)
        code = weight_beside(x, base, RK_ADAPTER_B, &up, &wide);
    if (code == RK_OK && x->o->wide)
        code = step(b, RK_OP_CAST, &in, RK_TYPE_F32);
    if (code == RK_OK)
        code = multiply(b, &in, &a, &between, &low);
    if (code == RK_OK)
        code = multiply(b, &low, &wide, want, out);
    return code == RK_OK ? step(b, RK_OP_SCALE, out, RK_TYPE_RUN) : code;
}

/* Beside a weight of few bits, the product is copied first, and what is added has its type. */
static int put_adapter(adapting *x, const rk_seen *in, const rk_seen *w, rk_seen *y)
{
    rk_ixs want = y->axes;
    rk_seen high, both[2];
    int code = check_rank(x, &x->b->weight.at[x->b->tensor.at[w->tensor].weight]);

    if (code == RK_OK && x->o->packed)
        code = step(x->b, RK_OP_COPY, y, RK_TYPE_RUN);
    if (code == RK_OK)
        code = low_rank(x, *in, w, &want, &high);
    if (code == RK_OK && x->o->wide && x->o->packed)
        code = step(x->b, RK_OP_CAST, &high, RK_TYPE_RUN);
    if (code != RK_OK)
        return code;
    both[0] = *y;
    both[1] = high;
    if (!rk_build_op(x->b, RK_OP_ADD, both, 2, &want, y))
        return x->b->fatal;
    return x->o->wide && !x->o->packed ? step(x->b, RK_OP_CAST, y, RK_TYPE_RUN) : RK_OK;
}

/* What a recurrence reads a step back has not been put yet. */
static bool is_weight(const adapting *x, uint32_t tensor)
{
    return tensor < x->b->tensor.n && x->b->tensor.at[tensor].kind == RK_TENSOR_WEIGHT;
}

/* The operand of a product that is a weight with an adapter, or 2. */
static size_t adapted(const adapting *x, const rk_op *op)
{
    for (size_t k = 0; k < 2 && op->summed && op->n_in == 2; k++) {
        uint32_t t = op->in[k].tensor;

        if (is_weight(x, t) && !is_weight(x, op->in[1 - k].tensor) &&
            x->o->adapts(x->o->self, x->b->weight.at[x->b->tensor.at[t].weight].pattern))
            return k;
    }
    return 2;
}

/* Whoever read the product reads the sum. */
static int put_op(rk_copy *c, size_t i)
{
    adapting *x = c->self;
    const rk_op *op = rk_copy_op(c, i);
    size_t k = op ? adapted(x, op) : 2;
    rk_seen in, w, y;
    int code;

    if (k == 2)
        return c->out->fatal;
    in = (rk_seen){.tensor = op->in[1 - k].tensor, .axes = op->in[1 - k].axes};
    w = (rk_seen){.tensor = op->in[k].tensor, .axes = op->in[k].axes};
    y = (rk_seen){.tensor = op->out, .axes = c->out->tensor.at[op->out].axes, .mask = c->out->tensor.at[op->out].mask};
    code = put_adapter(x, &in, &w, &y);
    c->tensor[c->in->op[i].out] = y.tensor;
    return code;
}

/* Each adapter stands after the weight that it adapts. */
static int order_weights(adapting *x)
{
    rk_build *b = x->b;
    rk_weight *list = RK_NEW_ARRAY(b->a, b->weight.n + 1, rk_weight);
    uint32_t *place = RK_NEW_ARRAY(b->a, b->weight.n + 1, uint32_t), n = 0;

    if (!list || !place)
        return rk_fatal_memory(b);
    for (uint32_t i = 0; i < x->n_before; i++) {
        list[place[i] = n++] = b->weight.at[i];
        for (uint32_t k = 0; k < x->base.n; k++)
            if (x->base.at[k] == i) {
                place[x->n_before + k] = n;
                list[n++] = b->weight.at[x->n_before + k];
            }
    }
    for (size_t i = 0; i < n; i++)
        list[i].tied_to = list[i].tied_to == RK_NONE ? RK_NONE : place[list[i].tied_to];
    for (size_t i = 0; i < b->tensor.n; i++)
        if (b->tensor.at[i].kind == RK_TENSOR_WEIGHT)
            b->tensor.at[i].weight = place[b->tensor.at[i].weight];
    b->weight.at = list;
    return RK_OK;
}

int rk_pass_adapt(const rk_model *in, const rk_pass_options *o, const rk_model **out, rk_err *err)
{
    rk_build b;
    rk_model_draft *draft = NULL;
    adapting x = {.o = o->adapt, .b = &b};
    rk_copy c = {.op = put_op, .self = &x};
    int code;

    if (!x.o || x.o->rank <= 0)
        return RK_OK;
    code = x.o->find ? x.o->find(x.o->self, in, err) : RK_OK;
    if (code != RK_OK || (code = rk_pass_begin(in, &draft, &b, err)) != RK_OK)
        return code;
    code = rk_copy_begin(&c, &in->program, &b);
    x.n_before = b.weight.n;
    if (code == RK_OK)
        code = put_rank(&x, draft);
    if (code == RK_OK)
        code = rk_copy_run(&c);
    if (code == RK_OK)
        code = order_weights(&x);
    return rk_model_finish(code, draft, &b, out);
}
