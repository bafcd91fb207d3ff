/* SPDX-License-Identifier: MIT */
#include "ask/slicing.h"

/* ---- what layers hand on ---------------------------------------------------------------------------------------- */

bool rk_slicing_carries(const rk_slicing *c, rk_ex size)
{
    for (size_t i = 0; i < c->n_carried; i++)
        if (c->carried[i] == size)
            return true;
    return false;
}

static bool runs(const rk_slicing *c, rk_ex size)
{
    const rk_model *m = c->s->model;
    rk_ex e = rk_ex_expand_defs(c->pool, size);

    for (size_t i = 0; i < m->n_symbol; i++)
        if (m->symbol[i].kind == RK_SYMBOL_RUN && rk_ex_has_sym(c->pool, e, m->symbol[i].sym))
            return true;
    return false;
}

static void carry(rk_slicing *c, const rk_tensor *t, size_t most)
{
    for (size_t i = 0; i < t->axes.n && c->n_carried < most; i++)
        if (!runs(c, t->axes.at[i].size) && !rk_slicing_carries(c, t->axes.at[i].size))
            c->carried[c->n_carried++] = t->axes.at[i].size;
}

int rk_slicing_find_carried(rk_slicing *c)
{
    size_t most = c->p->n_tensor + 1;

    c->carried = RK_NEW_ARRAY(&c->s->arena, most, rk_ex);
    if (!c->carried)
        return rk_fail_memory(c->err);
    for (size_t g = 1; g < c->p->n_group; g++) {
        const rk_group *group = &c->p->group[g];
        size_t n = group->loop == RK_NONE ? 0 : c->p->loop[group->loop].n_carry;

        for (size_t i = 0; i < n; i++)
            if (group->in[i] != group->out[i])
                carry(c, &c->p->tensor[group->out[i]], most);
    }
    return RK_OK;
}

static bool in_weights(const rk_slicing *c, rk_sym sym)
{
    for (size_t i = 0; i < c->p->n_weight; i++)
        if (rk_ex_has_sym(c->pool, c->p->weight[i].count, sym))
            return true;
    return false;
}

/* The symbol that a size is, if weights have it and layers do not hand it on; NULL: it is none such. */
static rk_slice_symbol *symbol_of(const rk_slicing *c, rk_ex size)
{
    rk_sym sym;

    if (!rk_ex_is_sym(c->pool, size, &sym) || !in_weights(c, sym) || rk_slicing_carries(c, size))
        return NULL;
    for (size_t i = 0; i < c->s->n; i++)
        if (c->s->at[i].symbol->sym == sym && !c->stays[i])
            return &c->s->at[i];
    return NULL;
}

/* ---- where it begins -------------------------------------------------------------------------------------------- */

static bool is_weight(const rk_slicing *c, const rk_operand *x)
{
    return c->p->tensor[x->tensor].kind == RK_TENSOR_WEIGHT;
}

static bool is_product(const rk_op *op)
{
    return rk_op_table[op->row].class == RK_CLASS_PRODUCT;
}

static void divide(rk_slice_symbol *x)
{
    if (x)
        x->divided = true;
}

/* Heads: in both activations and in their product; of several such indices the outermost. */
static void divide_heads(rk_slicing *c, const rk_op *op)
{
    const rk_ixs *a = &op->in[0].axes, *out = &c->p->tensor[op->out].axes;
    rk_slice_symbol *found = NULL;

    for (size_t i = 0; i < a->n && !found; i++)
        if (a->at[i].kind == RK_IX_LABEL && rk_ixs_place(&op->in[1].axes, a->at[i].label) >= 0 &&
            rk_ixs_place(out, a->at[i].label) >= 0)
            found = symbol_of(c, c->p->label[a->at[i].label].size);
    divide(found);
}

static bool comes_back(const rk_slicing *c, const rk_op *op)
{
    const rk_ixs *out = &c->p->tensor[op->out].axes;

    for (size_t i = 0; i < out->n; i++)
        if (rk_slicing_carries(c, out->at[i].size))
            return true;
    return false;
}

/* Inner widths: the outermost one that is summed on the way back to the width of the layers; inputs have none. */
static void divide_inner(rk_slicing *c, const rk_op *op, const rk_operand *activation)
{
    bool computed = c->p->tensor[activation->tensor].kind == RK_TENSOR_RESULT;

    for (size_t i = 0; computed && comes_back(c, op) && i < activation->axes.n; i++) {
        const rk_ix *x = &activation->axes.at[i];

        if (x->kind != RK_IX_LABEL || rk_ixs_place(&c->p->tensor[op->out].axes, x->label) >= 0)
            continue;
        divide(symbol_of(c, c->p->label[x->label].size));
        return;
    }
}

static bool is_adapter(const rk_slicing *c, const rk_operand *x)
{
    return is_weight(c, x) && c->p->weight[c->p->tensor[x->tensor].weight].adapter != RK_ADAPTER_NONE;
}

/* The rank of an adapter is summed, too, and no width. */
static void look_at_product(rk_slicing *c, const rk_op *op)
{
    bool first = is_weight(c, &op->in[0]), second = is_weight(c, &op->in[1]);

    if (is_adapter(c, &op->in[0]) || is_adapter(c, &op->in[1]))
        return;
    if (!first && !second)
        divide_heads(c, op);
    else if (first != second)
        divide_inner(c, op, &op->in[first]);
}

static bool sums_in(const rk_slicing *c, const rk_op *op, const rk_operand *x, rk_sym sym)
{
    rk_ex size = rk_ex_sym(c->pool, sym);

    for (size_t i = 0; i < x->axes.n; i++)
        if (x->axes.at[i].size == size && rk_ixs_place(&c->p->tensor[op->out].axes, x->axes.at[i].label) < 0)
            return true;
    return false;
}

bool rk_slicing_sums(const rk_slicing *c, rk_sym sym)
{
    for (size_t i = 0; i < c->p->n_op; i++) {
        const rk_op *op = &c->p->op[i];

        if (rk_op_mixes(c->p, op) && (sums_in(c, op, &op->in[0], sym) || sums_in(c, op, &op->in[1], sym)))
            return true;
    }
    return false;
}

static void divide_up(rk_slice_symbol *x)
{
    divide(x);
    if (x)
        x->rounded_up = true;
}

/* The vocabulary: rows of the largest table in which inputs are looked up. */
static void divide_table(rk_slicing *c)
{
    rk_slice_symbol *largest = NULL;

    for (size_t i = 0; i < c->p->n_op; i++) {
        const rk_op *op = &c->p->op[i];
        const rk_tensor *table = rk_op_table[op->row].class == RK_CLASS_LOOKUP ? &c->p->tensor[op->in[1].tensor] : NULL;
        rk_slice_symbol *x;

        if (!table || table->kind != RK_TENSOR_WEIGHT || c->p->tensor[op->in[0].tensor].kind != RK_TENSOR_INPUT)
            continue;
        x = symbol_of(c, c->p->weight[table->weight].dim[0]);
        largest = x && (!largest || x->whole > largest->whole) ? x : largest;
    }
    divide_up(largest);
}

/* What the head gives. */
static void divide_head(rk_slicing *c)
{
    for (size_t i = 0; i < c->p->n_weight; i++)
        for (size_t k = 0; c->s->model->roles.weight[i].matrix == RK_MATRIX_HEAD && k < c->p->weight[i].n_dim; k++)
            divide_up(symbol_of(c, c->p->weight[i].dim[k]));
}

void rk_slicing_begin(rk_slicing *c)
{
    for (size_t i = 0; i < c->p->n_op; i++)
        if (is_product(&c->p->op[i]))
            look_at_product(c, &c->p->op[i]);
    divide_table(c);
    divide_head(c);
}
