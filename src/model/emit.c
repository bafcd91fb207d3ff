/* SPDX-License-Identifier: MIT */
#include "model/expand.h"

#include <string.h>

/* ---- emitting an operation ----------------------------------------------------------------------------------- */

static bool in_domain(const rk_seen *in, size_t n_in, const rk_ixs *out, uint32_t label)
{
    bool found = rk_ixs_has(out, label);

    for (size_t i = 0; i < n_in && !found; i++)
        found = rk_ixs_has(&in[i].axes, label);
    return found;
}

/* The pairs that count: those of the equation's own `where`, or those of an operand, if both axes are in the domain. */
static rk_mask op_mask(const rk_ctx *c, const rk_seen *in, size_t n_in, const rk_ixs *out)
{
    const rk_mask *m = &c->where;

    if (m->kind != RK_MASK_FULL && in_domain(in, n_in, out, m->query) && in_domain(in, n_in, out, m->key))
        return *m;
    for (size_t i = 0; i < n_in; i++) {
        m = &in[i].mask;
        if (m->kind != RK_MASK_FULL && in_domain(in, n_in, out, m->query) && in_domain(in, n_in, out, m->key))
            return *m;
    }
    return (rk_mask){.kind = RK_MASK_FULL};
}

static int result_tensor(rk_ctx *c, const rk_ixs *axes, uint32_t *out)
{
    rk_tensor *t = RK_PUSH(c->a, &c->tensor);

    if (!t)
        return rk_fatal_memory(c);
    *t = (rk_tensor){.kind = RK_TENSOR_RESULT,
                     .name = c->row,
                     .axes = *axes,
                     .producer = (uint32_t)c->op.n,
                     .until = RK_NONE,
                     .weight = RK_NONE,
                     .group = c->group};
    *out = (uint32_t)(c->tensor.n - 1);
    return RK_OK;
}

static rk_operand *operands(rk_ctx *c, const rk_seen *in, size_t n_in)
{
    rk_operand *list = RK_NEW_ARRAY(c->a, n_in ? n_in : 1, rk_operand);

    for (size_t i = 0; list && i < n_in; i++)
        list[i] = (rk_operand){.tensor = in[i].tensor, .axes = in[i].axes};
    return list;
}

static size_t count_labels(const rk_ixs *axes)
{
    size_t n = 0;

    for (size_t i = 0; i < axes->n; i++)
        n += axes->at[i].kind == RK_IX_AFFINE ? axes->at[i].n_term : 1;
    return n;
}

static bool too_many_labels(rk_ctx *c, const rk_seen *in, size_t n_in, const rk_ixs *out)
{
    size_t n = count_labels(out);

    for (size_t i = 0; i < n_in; i++)
        n += count_labels(&in[i].axes);
    if (n > RK_OP_LABELS_MAX)
        rk_fatal(c, RK_ELIMIT, "%s: an operation over more than %d axes", c->source->name, RK_OP_LABELS_MAX);
    return n > RK_OP_LABELS_MAX;
}

/* Appends an operation; NULL when memory ran out or the limit is reached (then a fatal error is noted). */
rk_op *rk_op_emit(rk_ctx *c, rk_op_id row, const rk_seen *in, size_t n_in, const rk_ixs *out_axes, rk_seen *out)
{
    rk_op op = {.row = row, .n_in = n_in, .part = c->part, .group = c->group, .span = c->span, .arg = RK_EX_FAILED};
    rk_op *slot;

    if (too_many_labels(c, in, n_in, out_axes))
        return NULL;
    if (c->op.n >= RK_PROGRAM_OPS_MAX) {
        rk_fatal(c, RK_ELIMIT, "%s: more than %d operations", c->source->name, RK_PROGRAM_OPS_MAX);
        return NULL;
    }
    op.in = operands(c, in, n_in);
    op.mask = op_mask(c, in, n_in, out_axes);
    if (!op.in || result_tensor(c, out_axes, &op.out) != RK_OK || !(slot = RK_PUSH(c->a, &c->op))) {
        rk_fatal_memory(c);
        return NULL;
    }
    *slot = op;
    *out = (rk_seen){.tensor = op.out, .axes = *out_axes};
    if (op.mask.kind != RK_MASK_FULL && rk_ixs_has(out_axes, op.mask.query) && rk_ixs_has(out_axes, op.mask.key))
        out->mask = op.mask;
    c->tensor.at[op.out].mask = out->mask;
    return slot;
}

/* ---- names of rows ------------------------------------------------------------------------------------------- */

/* How often the name was asked for in this part, this time included: 1 means that it was free. */
static uint32_t row_take(rk_ctx *c, const char *name)
{
    char *key = rk_arena_format(c->a, "%u/%u/%s", c->group, c->part, name);
    uint32_t times = key ? rk_map_get(&c->row_names, key, strlen(key)) : 0;

    times = times == RK_NONE ? 1 : times + 1;
    if (!key || !rk_map_put(c->a, &c->row_names, key, strlen(key), times))
        rk_fatal_memory(c);
    return times;
}

static bool reads_weight(const rk_ctx *c, const rk_op *op)
{
    for (size_t i = 0; i < op->n_in; i++)
        if (c->tensor.at[op->in[i].tensor].kind == RK_TENSOR_WEIGHT)
            return true;
    return false;
}

/* The side of an adapter that a product multiplies with. */
static rk_adapter adapter_of(const rk_ctx *c, const rk_op *op)
{
    const rk_tensor *t = op->summed && op->n_in == 2 ? &c->tensor.at[op->in[1].tensor] : NULL;

    return t && t->kind == RK_TENSOR_WEIGHT ? c->weight.at[t->weight].adapter : RK_ADAPTER_NONE;
}

static const char *op_word(const rk_ctx *c, const rk_op *op)
{
    static const char *const product[] = {
        [RK_ADAPTER_NONE] = "product", [RK_ADAPTER_A] = "lora_A", [RK_ADAPTER_B] = "lora_B"};

    switch (op->row) {
    case RK_OP_PRODUCT:
        return product[adapter_of(c, op)];
    case RK_OP_ADD:
        return reads_weight(c, op) ? "bias" : "add";
    case RK_OP_SUB:
        return "sub";
    case RK_OP_MUL:
        return "mul";
    case RK_OP_DIV:
        return "div";
    case RK_OP_SCALE:
        return "scale";
    case RK_OP_SHIFT:
        return "shift";
    case RK_OP_NEG:
        return "neg";
    case RK_OP_JOIN:
        return "join";
    case RK_OP_PART:
        return "part";
    case RK_OP_VIEW:
        return "view";
    default:
        return rk_op_table[op->row].name;
    }
}

/* The plain name, or name.word, name.word.2, name.word.3 …: the first that is free. */
static const char *name_row(rk_ctx *c, const rk_op *op, const char *name, bool clean)
{
    const char *base = clean && row_take(c, name) == 1 ? name : NULL, *text = base;
    uint32_t times = 0;

    if (!base)
        base = text = rk_arena_format(c->a, "%s.%s", name, op_word(c, op));
    /* A name is asked for as often as it was taken, so that the many rows of one name do not try all numbers. */
    while (text && base != name && !c->fatal && (times = row_take(c, base)) > 1) {
        text = rk_arena_format(c->a, "%s.%u", base, times);
        if (text && row_take(c, text) == 1)
            break;
    }
    if (!text)
        rk_fatal_memory(c);
    return text;
}

static bool is_main(const rk_ctx *c, const rk_op *op)
{
    return op->summed && adapter_of(c, op) == RK_ADAPTER_NONE;
}

/*
 * Names the operations that an equation made itself (those of blocks that it calls have their names already).  The
 * plain name goes to its product if there is exactly one, adapters aside, else to its last operation.
 */
void rk_name_rows(rk_ctx *c, size_t first, const char *name)
{
    size_t n_product = 0, last = first;

    for (size_t i = first; i < c->op.n; i++)
        if (!c->op.at[i].name) {
            n_product += is_main(c, &c->op.at[i]);
            last = i;
        }
    for (size_t i = first; i < c->op.n; i++) {
        rk_op *op = &c->op.at[i];

        if (!op->name)
            op->name = name_row(c, op, name, n_product == 1 ? is_main(c, op) : i == last);
    }
}
