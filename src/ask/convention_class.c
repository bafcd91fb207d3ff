/* SPDX-License-Identifier: MIT */
#include "ask/convention_class.h"

#include "account/linear.h"

#include <string.h>

const rk_row_class_text rk_row_class_table[RK_N_ROW_CLASS] = {
#define RK_ROWS_ROW(ID, word, noun) {word, noun},
    RK_ROW_CLASSES(RK_ROWS_ROW)
#undef RK_ROWS_ROW
};

rk_row_class rk_row_class_find(const char *word)
{
    int i = 0;

    while (i < RK_N_ROW_CLASS && strcmp(rk_row_class_table[i].word, word) != 0)
        i++;
    return (rk_row_class)i;
}

typedef struct finding {
    const rk_program *p;
    const rk_linear *linear;
    bool *to_softmax, *from_softmax; /* per tensor: steps that are no products lead to a softmax, or come from one */
    bool *to_weight;                 /* per tensor: steps that cost nothing lead to a product with a weight */
    bool *table;                     /* per weight: rows of it are looked up */
    bool *attends;                   /* per part: two activations are multiplied there */
    rk_row_classes *out;
} finding;

static const rk_tensor *operand(const rk_program *p, const rk_op *op, size_t i)
{
    return &p->tensor[op->in[i].tensor];
}

static bool is_weight(const rk_program *p, const rk_op *op, size_t i)
{
    return operand(p, op, i)->kind == RK_TENSOR_WEIGHT;
}

static uint32_t owner(const rk_program *p, uint32_t weight)
{
    return p->weight[weight].tied_to == RK_NONE ? weight : p->weight[weight].tied_to;
}

size_t rk_row_weight_place(const rk_program *p, const rk_op *op)
{
    if (op->row != RK_OP_PRODUCT || op->n_in != 2 || is_weight(p, op, 0) == is_weight(p, op, 1))
        return 2;
    return is_weight(p, op, 1);
}

static bool is_of_activations(const rk_program *p, const rk_op *op)
{
    return op->row == RK_OP_PRODUCT && op->n_in == 2 && !is_weight(p, op, 0) && !is_weight(p, op, 1);
}

static bool is_free(const rk_op *op)
{
    return rk_op_table[op->row].per == RK_PER_NONE;
}

/* ---- which way results go --------------------------------------------------------------------------------------- */

static void mark_ends(finding *f)
{
    for (size_t i = f->p->n_op; i > 0; i--) {
        const rk_op *op = &f->p->op[i - 1];
        bool product = op->row == RK_OP_PRODUCT, weight = rk_row_weight_place(f->p, op) < 2;

        for (size_t k = 0; k < op->n_in; k++) {
            uint32_t t = op->in[k].tensor;

            f->to_softmax[t] |= !product && (op->row == RK_OP_SOFTMAX || f->to_softmax[op->out]);
            f->to_weight[t] |= weight || (is_free(op) && f->to_weight[op->out]);
        }
    }
}

static void mark_beginnings(finding *f)
{
    for (size_t i = 0; i < f->p->n_op; i++) {
        const rk_op *op = &f->p->op[i];
        bool from = op->row == RK_OP_SOFTMAX;

        for (size_t k = 0; k < op->n_in && op->row != RK_OP_PRODUCT; k++)
            from |= f->from_softmax[op->in[k].tensor];
        f->from_softmax[op->out] = from;
    }
}

static void mark_tables(finding *f)
{
    for (size_t i = 0; i < f->p->n_op; i++) {
        const rk_op *op = &f->p->op[i];

        if (is_of_activations(f->p, op))
            f->attends[op->part] = true;
        for (size_t k = 0; k < op->n_in && op->row == RK_OP_LOOKUP; k++)
            if (is_weight(f->p, op, k))
                f->table[owner(f->p, operand(f->p, op, k)->weight)] = true;
    }
}

/* ---- operations ------------------------------------------------------------------------------------------------- */

static bool has_kind(const rk_op *op, rk_ix_kind kind)
{
    for (size_t i = 0; i < op->n_in; i++)
        for (size_t k = 0; k < op->in[i].axes.n; k++)
            if (op->in[i].axes.at[k].kind == kind)
                return true;
    return false;
}

static rk_row_class class_of_linear(const finding *f, const rk_op *op, size_t place)
{
    uint32_t w = operand(f->p, op, place)->weight;

    if (has_kind(op, RK_IX_AFFINE))
        return RK_ROWS_CONV;
    if (f->linear[w].role == RK_ROLE_STACK || has_kind(op, RK_IX_ROUTED))
        return RK_ROWS_EXPERTS;
    if (f->linear[w].role == RK_ROLE_ROUTER)
        return RK_ROWS_ROUTER;
    if (f->linear[w].role == RK_ROLE_HEAD || f->table[owner(f->p, w)])
        return RK_ROWS_HEAD;
    return f->attends[op->part] ? RK_ROWS_ATTENTION : RK_ROWS_FFN;
}

static rk_row_class class_of_product(const finding *f, const rk_op *op, int *values)
{
    size_t place = rk_row_weight_place(f->p, op);

    if (place < 2)
        return class_of_linear(f, op, place);
    if (!is_of_activations(f->p, op))
        return RK_ROWS_FFN;
    *values = f->from_softmax[op->in[0].tensor] ? 1 : f->from_softmax[op->in[1].tensor] ? 0 : -1;
    return *values >= 0 || f->to_softmax[op->out] ? RK_ROWS_SCORES : RK_ROWS_MIXING;
}

/* The last operation that does more than to show a tensor otherwise or to add a bias to it; NULL: none does. */
static const rk_op *maker(const rk_program *p, uint32_t tensor)
{
    const rk_tensor *t = &p->tensor[tensor];

    while (t->kind == RK_TENSOR_RESULT && t->producer != RK_NONE) {
        const rk_op *op = &p->op[t->producer];
        bool bias = op->row == RK_OP_ADD && op->n_in == 2 && is_weight(p, op, 1);

        if (op->n_in == 0 || !(is_free(op) || bias))
            return op;
        t = operand(p, op, 0);
    }
    return NULL;
}

static rk_row_class class_of_norm(const finding *f, const rk_op *op)
{
    const rk_op *from = maker(f->p, op->in[0].tensor);
    bool latent = from && from->part == op->part && rk_row_weight_place(f->p, from) < 2 && f->to_weight[op->out];

    return latent && f->attends[op->part] ? RK_ROWS_LATENT : RK_ROWS_NORM;
}

static rk_row_class class_of_lookup(const rk_program *p, const rk_op *op)
{
    return op->n_in > 0 && operand(p, op, 0)->kind == RK_TENSOR_INPUT ? RK_ROWS_LOOKUP : RK_ROWS_POSITIONS;
}

static rk_row_class class_of_op(const finding *f, const rk_op *op, int *values)
{
    const rk_op_row *row = &rk_op_table[op->row];

    if (op->row == RK_OP_PRODUCT)
        return class_of_product(f, op, values);
    if (op->row == RK_OP_LOOKUP)
        return class_of_lookup(f->p, op);
    if (row->shape == RK_SHAPE_NORM && row->per != RK_PER_NONE && op->n_in > 0)
        return class_of_norm(f, op);
    if (op->row == RK_OP_SOFTMAX && f->attends[op->part])
        return RK_ROWS_SOFTMAX;
    if (op->row == RK_OP_ADD && op->n_in == 2 && (is_weight(f->p, op, 0) || is_weight(f->p, op, 1)))
        return RK_ROWS_BIAS;
    return RK_ROWS_REST;
}

/* ---- weights ---------------------------------------------------------------------------------------------------- */

/* Of several uses of a weight the one that costs most says what it is: the smaller, the stronger. */
static int strength(rk_row_class c)
{
    switch (c) {
    case RK_ROWS_REST:
        return 4;
    case RK_ROWS_BIAS:
        return 3;
    case RK_ROWS_NORM:
    case RK_ROWS_LATENT:
        return 2;
    case RK_ROWS_LOOKUP:
    case RK_ROWS_POSITIONS:
        return 1;
    default:
        return 0;
    }
}

/* A norm's second weight is added, not multiplied with. */
static rk_row_class class_of_use(const finding *f, size_t i, size_t in)
{
    rk_row_class c = f->out->op[i];

    return (c == RK_ROWS_NORM || c == RK_ROWS_LATENT) && in > 1 ? RK_ROWS_BIAS : c;
}

static void see_uses(finding *f, size_t i)
{
    const rk_op *op = &f->p->op[i];

    for (size_t k = 0; k < op->n_in; k++) {
        rk_row_class use, *own;

        if (!is_weight(f->p, op, k))
            continue;
        use = class_of_use(f, i, k);
        own = &f->out->weight[operand(f->p, op, k)->weight];
        *own = strength(use) < strength(*own) ? use : *own;
    }
}

/* A table that is also multiplied with is stored once, and counts with the product. */
static void settle_ties(finding *f)
{
    for (uint32_t i = 0; i < f->p->n_weight; i++) {
        rk_row_class *own = &f->out->weight[owner(f->p, i)];

        *own = strength(f->out->weight[i]) < strength(*own) ? f->out->weight[i] : *own;
    }
}

static bool make_room(rk_arena *a, finding *f)
{
    const rk_program *p = f->p;

    f->linear = rk_linear_find(a, p);
    f->to_softmax = RK_NEW_ARRAY(a, p->n_tensor + 1, bool);
    f->from_softmax = RK_NEW_ARRAY(a, p->n_tensor + 1, bool);
    f->to_weight = RK_NEW_ARRAY(a, p->n_tensor + 1, bool);
    f->table = RK_NEW_ARRAY(a, p->n_weight + 1, bool);
    f->attends = RK_NEW_ARRAY(a, p->n_part + 1, bool);
    f->out->op = RK_NEW_ARRAY(a, p->n_op + 1, rk_row_class);
    f->out->values = RK_NEW_ARRAY(a, p->n_op + 1, int);
    f->out->weight = RK_NEW_ARRAY(a, p->n_weight + 1, rk_row_class);
    return !a->failed;
}

int rk_row_classes_new(rk_arena *a, const rk_program *p, rk_row_classes *out, rk_err *err)
{
    rk_row_classes found = {0};
    finding f = {.p = p, .out = &found};

    if (!make_room(a, &f))
        return rk_fail_memory(err);
    mark_ends(&f);
    mark_beginnings(&f);
    mark_tables(&f);
    for (size_t i = 0; i < p->n_op; i++) {
        found.values[i] = -1;
        found.op[i] = class_of_op(&f, &p->op[i], &found.values[i]);
    }
    for (size_t i = 0; i < p->n_weight; i++)
        found.weight[i] = RK_ROWS_REST;
    for (size_t i = 0; i < p->n_op; i++)
        see_uses(&f, i);
    settle_ties(&f);
    *out = found;
    return RK_OK;
}
