/* SPDX-License-Identifier: MIT */
#include "account/linear.h"

#include <string.h>

static const rk_tensor *operand(const rk_program *p, const rk_op *op, size_t i)
{
    return &p->tensor[op->in[i].tensor];
}

static bool has_label(const rk_ixs *axes, uint32_t label)
{
    for (size_t i = 0; i < axes->n; i++)
        if (axes->at[i].kind != RK_IX_AFFINE && axes->at[i].label == label)
            return true;
    return false;
}

/* The weight that a product multiplies with activations: its place among the operands, or 2. */
static size_t weight_place(const rk_program *p, const rk_op *op)
{
    bool first, second;

    if (op->row != RK_OP_PRODUCT || !op->summed || op->n_in != 2)
        return 2;
    first = operand(p, op, 0)->kind == RK_TENSOR_WEIGHT;
    second = operand(p, op, 1)->kind == RK_TENSOR_WEIGHT;
    return first == second ? 2 : second;
}

/* A convolution reads its input at places that depend on two indices. */
static bool slides(const rk_op *op)
{
    for (size_t i = 0; i < op->n_in; i++)
        for (size_t k = 0; k < op->in[i].axes.n; k++)
            if (op->in[i].axes.at[k].kind == RK_IX_AFFINE)
                return true;
    return false;
}

static bool ends_in_weight(const char *name)
{
    const char *end = ".weight";

    return strlen(name) > strlen(end) && strcmp(name + strlen(name) - strlen(end), end) == 0;
}

/* Whether the axis of a weight is in the other operand and in the result: the experts of a stack. */
static bool is_stacked(const rk_program *p, const rk_op *op, size_t place)
{
    const rk_ix *first = &op->in[place].axes.at[0];

    return first->kind == RK_IX_ROUTED ||
           (has_label(&op->in[1 - place].axes, first->label) && has_label(&p->tensor[op->out].axes, first->label));
}

/* ---- where results go ---------------------------------------------------------------------------------------- */

/* The one operand of an operation that is no weight; RK_NONE where there are more. */
static uint32_t only_input(const rk_program *p, const rk_op *op)
{
    uint32_t found = RK_NONE;

    for (size_t i = 0; i < op->n_in; i++) {
        if (operand(p, op, i)->kind == RK_TENSOR_WEIGHT)
            continue;
        if (found != RK_NONE)
            return RK_NONE;
        found = op->in[i].tensor;
    }
    return found;
}

static bool chooses(const rk_op *op)
{
    return rk_op_table[op->row].shape == RK_SHAPE_CHOOSE;
}

/* Tensors from which only simple steps (a bias, a scale, a softmax) lead to a choice of experts; backwards, once. */
static void mark_choices(const rk_program *p, bool *mark)
{
    for (size_t i = p->n_op; i > 0; i--) {
        const rk_op *op = &p->op[i - 1];
        uint32_t from = only_input(p, op);

        if (from != RK_NONE && weight_place(p, op) == 2 && (chooses(op) || mark[op->out]))
            mark[from] = true;
    }
}

/* Tensors from which only simple steps lead to an output, or to nowhere: logits that a model file leaves at that. */
static void mark_outputs(const rk_program *p, bool *mark)
{
    for (size_t i = 0; i < p->n_tensor; i++)
        mark[i] = true;
    for (size_t i = 0; i < p->n_op; i++)
        for (size_t k = 0; k < p->op[i].n_in; k++)
            mark[p->op[i].in[k].tensor] = false;
    for (size_t i = 0; i < p->n_output; i++)
        mark[p->output[i]] = true;
    for (size_t i = p->n_op; i > 0; i--) {
        const rk_op *op = &p->op[i - 1];
        uint32_t from = only_input(p, op);

        if (from != RK_NONE && weight_place(p, op) == 2 && mark[op->out])
            mark[from] = true;
    }
}

/* ---- roles --------------------------------------------------------------------------------------------------- */

typedef struct finding {
    const rk_program *p;
    rk_linear *at;
    bool *chosen, *given; /* per tensor: leads to a choice, to an output */
} finding;

static void look_at_product(finding *f, const rk_op *op, size_t place)
{
    uint32_t number = operand(f->p, op, place)->weight;
    const rk_weight *w = &f->p->weight[number];
    const rk_ixs *axes = &op->in[place].axes, *out = &f->p->tensor[op->out].axes;
    size_t first = w->n_dim == 3 ? 1 : 0;
    rk_linear *l = &f->at[number];

    if (slides(op) || axes->n <= first)
        return;
    if (w->n_dim == 3 && is_stacked(f->p, op, place))
        l->role = RK_ROLE_STACK;
    else if (w->n_dim == 2 && ends_in_weight(w->pattern))
        l->role = f->chosen[op->out] ? RK_ROLE_ROUTER : f->given[op->out] ? RK_ROLE_HEAD : RK_ROLE_LINEAR;
    l->input_first = !has_label(out, axes->at[first].label);
}

/* A table that is looked up in is no linear layer, whatever else it is. */
static void look_at_lookup(finding *f, const rk_op *op, bool *table)
{
    for (size_t i = 0; i < op->n_in; i++)
        if (operand(f->p, op, i)->kind == RK_TENSOR_WEIGHT)
            table[operand(f->p, op, i)->weight] = true;
}

static void settle_tables(const finding *f, bool *table)
{
    for (size_t i = 0; i < f->p->n_weight; i++)
        if (f->p->weight[i].tied_to != RK_NONE)
            table[f->p->weight[i].tied_to] |= table[i];
    for (size_t i = 0; i < f->p->n_weight; i++) {
        uint32_t owner = f->p->weight[i].tied_to;

        if (table[i] || (owner != RK_NONE && table[owner]))
            f->at[i].role = RK_ROLE_OTHER;
    }
}

rk_linear *rk_linear_find(rk_arena *a, const rk_program *p)
{
    finding f = {.p = p,
                 .at = RK_NEW_ARRAY(a, p->n_weight + 1, rk_linear),
                 .chosen = RK_NEW_ARRAY(a, p->n_tensor + 1, bool),
                 .given = RK_NEW_ARRAY(a, p->n_tensor + 1, bool)};
    bool *table = RK_NEW_ARRAY(a, p->n_weight + 1, bool);

    if (!f.at || !f.chosen || !f.given || !table)
        return NULL;
    mark_choices(p, f.chosen);
    mark_outputs(p, f.given);
    for (size_t i = 0; i < p->n_op; i++) {
        size_t place = weight_place(p, &p->op[i]);

        if (place < 2)
            look_at_product(&f, &p->op[i], place);
        if (p->op[i].row == RK_OP_LOOKUP)
            look_at_lookup(&f, &p->op[i], table);
    }
    settle_tables(&f, table);
    return f.at;
}
