/* SPDX-License-Identifier: MIT */
#include "ask/explain.h"

#include "account/cost.h"
#include "account/names.h"
#include "ask/path.h"

#include <string.h>

typedef struct explaining {
    rk_arena *a;
    const rk_ledger *l;
    const rk_program *p;
    rk_gradient g;
    uint32_t only; /* the weight whose full name was asked for, or RK_NONE */
    rk_err *err;
} explaining;

/* A text of the explanation; the scratch is freed. */
static const char *keep_text(explaining *x, rk_str *s)
{
    const char *text = s->failed ? NULL : rk_arena_text(x->a, rk_str_text(s));

    rk_str_free(s);
    x->a->failed |= !text;
    return text ? text : "";
}

/* ---- gradients -------------------------------------------------------------------------------------------------- */

static const rk_grad *grad_of(const explaining *x, uint32_t op, size_t in)
{
    for (size_t i = 0; i < x->g.n; i++)
        if (x->g.at[i].op == op && x->g.at[i].in == in)
            return &x->g.at[i];
    return NULL;
}

/* Why an operand gets a gradient, or none. */
static const char *why(const explaining *x, const rk_op *op, size_t in, bool gets_one)
{
    const rk_tensor *t = &x->p->tensor[op->in[in].tensor];
    const rk_weight *w = t->kind == RK_TENSOR_WEIGHT ? &x->p->weight[t->weight] : NULL;

    if (gets_one && w)
        return "it is trained";
    if (gets_one)
        return t->kind == RK_TENSOR_INPUT ? "an input that another model makes" : "weights before it are trained";
    if (t->is_index)
        return "whole numbers: they have none";
    if (!rk_grad_flows(op, in))
        return "the operation passes none on to it";
    if (w && w->buffer)
        return "a buffer: it is not trained";
    if (w)
        return w->frozen ? "frozen: it is not trained" : "the output does not depend on it";
    if (!x->g.reaches[op->out])
        return "the output does not depend on the result";
    return t->kind == RK_TENSOR_INPUT ? "an input: nothing before it is trained" : "nothing before it is trained";
}

/* ---- what is saved ----------------------------------------------------------------------------------------------- */

/* Whether an operand other than `in` gets a gradient; RK_NONE: whether any does. */
static bool other_has_gradient(const explaining *x, uint32_t op, size_t in)
{
    for (size_t k = 0; k < x->p->op[op].n_in; k++)
        if (k != in && grad_of(x, op, k))
            return true;
    return false;
}

static const char *also_kept(explaining *x, uint32_t op)
{
    static const struct {
        unsigned flag;
        const char *text;
    } word[] = {
        {RK_SAVE_STATS, "one or two numbers for each row"},
        {RK_SAVE_INDEX | RK_SAVE_LABELS, "the positions that were read"},
        {RK_SAVE_CHOICE, "where each element of the result was found"},
        {RK_SAVE_VISITS, "two numbers for each visit of a token to an expert"},
        {RK_SAVE_HIDDEN, "one byte for each element"},
        {RK_SAVE_ONE, "a single position"},
        {RK_SAVE_PAIRS, "one byte for each index, or pair of indices, of the axes that it is given"},
        {RK_SAVE_ENDS, "a list of places for every axis up to the one that is left out"},
        {RK_SAVE_SPOTS, "one byte for each row of the last axis"},
        {RK_SAVE_ROWS, "each row of the triangle and all rows before it"},
    };
    unsigned saves = rk_op_table[x->p->op[op].row].saves;
    rk_str s = {0};

    for (size_t i = 0; i < sizeof word / sizeof *word && other_has_gradient(x, op, RK_NONE); i++)
        if (saves & word[i].flag)
            rk_str_format(&s, "%s%s", s.n ? ", " : "", word[i].text);
    return s.n > 0 ? keep_text(x, &s) : NULL;
}

/* ---- one operation ---------------------------------------------------------------------------------------------- */

/* `label`: names of axes, those of a block as the sizes that they have in this line. */
static rk_explain_tensor see_tensor(explaining *x, uint32_t tensor, const rk_ixs *axes, const rk_label *label)
{
    const rk_tensor *t = &x->p->tensor[tensor];
    rk_explain_tensor out = {.name = t->name ? t->name : "", .weight = RK_NONE, .cost = rk_ex_int(x->l->pool, 0)};
    rk_str shape = {0};

    if (t->kind == RK_TENSOR_WEIGHT) {
        out.weight = t->weight;
        out.name = x->p->weight[t->weight].pattern;
    } else if (!t->name && t->kind == RK_TENSOR_RESULT && t->producer != RK_NONE) {
        out.name = x->p->op[t->producer].name; /* a result that no line names is called as the row that makes it */
    }
    rk_ixs_put(x->l->pool, label, axes, &shape);
    out.shape = keep_text(x, &shape);
    out.elements = rk_ixs_count(x->l->pool, axes);
    return out;
}

static rk_explain_tensor see_operand(explaining *x, uint32_t op, size_t in, const rk_label *label)
{
    const rk_op *o = &x->p->op[op];
    rk_explain_tensor out = see_tensor(x, o->in[in].tensor, &o->in[in].axes, label);
    unsigned saves = rk_op_table[o->row].saves;

    out.gradient = grad_of(x, op, in) != NULL;
    out.why = why(x, o, in, out.gradient);
    if (out.gradient)
        out.cost = rk_cost_task(x->l->instance, &x->g.flow, RK_TASK_GRADIENT, op, (uint32_t)in, &x->l->convention);
    out.kept = out.weight == RK_NONE && other_has_gradient(x, op, RK_NONE) &&
               ((saves & RK_SAVE_ALL) || (saves & RK_SAVE_IN && in == 0) ||
                (saves & RK_SAVE_OTHERS && other_has_gradient(x, op, in)));
    return out;
}

static int explain_ops(explaining *x, rk_explanation *e)
{
    int code = rk_gradient_new(x->a, x->p, &x->g, x->err);

    e->op = RK_NEW_ARRAY(x->a, e->derived.n_step + 1, rk_explain_op);
    if (!e->op)
        return rk_fail_memory(x->err);
    for (size_t i = 0; i < e->derived.n_step && code == RK_OK; i++) {
        uint32_t op = x->l->op[e->derived.step[i].node->row].op;
        const rk_op *o = &x->p->op[op];
        rk_explain_op *out = &e->op[e->n_op++];
        rk_explain_tensor *t = RK_NEW_ARRAY(x->a, o->n_in + 1, rk_explain_tensor);
        const rk_label *label = rk_op_line_labels(x->a, x->l->model, op);

        if (!t || !label)
            return rk_fail_memory(x->err);
        *out = (rk_explain_op){.step = &e->derived.step[i], .tensor = t, .n_tensor = o->n_in + 1};
        for (size_t k = 0; k < o->n_in; k++)
            *t++ = see_operand(x, op, k, label);
        *t = see_tensor(x, o->out, &x->p->tensor[o->out].axes, label);
        t->result = true;
        t->kept = (rk_op_table[o->row].saves & RK_SAVE_OUT) && other_has_gradient(x, op, RK_NONE);
        out->also = also_kept(x, op);
    }
    return code;
}

/* ---- a tensor --------------------------------------------------------------------------------------------------- */

typedef RK_VEC(rk_explain_use) uses;

static const char *op_path(explaining *x, const rk_op *op)
{
    const char *part = x->p->part[op->part].path;

    return rk_arena_format(x->a, "%s%s%s", part, part[0] ? "." : "", op->name);
}

static void list_uses(explaining *x, uint32_t weight, uses *out)
{
    for (uint32_t i = 0; i < x->p->n_op; i++) {
        const rk_op *o = &x->p->op[i];
        const rk_ledger_op *row = NULL; /* that counts what the operation does with the weight; none may */
        rk_explain_use *use;
        bool reads = false;
        int column = 0;

        for (size_t k = 0; k < x->l->n_op && !row; k++)
            if (x->l->op[k].op == i && x->l->op[k].weight == weight)
                row = &x->l->op[k];
        for (size_t k = 0; k < o->n_in; k++) {
            const rk_tensor *t = &x->p->tensor[o->in[k].tensor];

            reads |= t->kind == RK_TENSOR_WEIGHT && t->weight == weight;
        }
        use = row || reads ? RK_PUSH(x->a, out) : NULL;
        if (!use)
            continue;
        *use = (rk_explain_use){.path = row ? row->path : op_path(x, o),
                                .times = rk_group_times(x->l->pool, x->p, o->group),
                                .forward = row ? row->forward : rk_ex_int(x->l->pool, 0)};
        if (o->span.source) {
            use->file = o->span.source->name;
            rk_span_place(o->span, &use->line, &column);
        }
    }
}

static uint32_t weight_of(const explaining *x, const rk_derive_step *s)
{
    return x->l->weight[s->node->row].weight;
}

static int explain_tensor(explaining *x, rk_explanation *e)
{
    rk_derivation *d = &e->derived;
    rk_pool *pool = x->l->pool;
    uses use = {0};

    /* Of tensors that are called alike in several kinds of layers, the one that was asked for. */
    for (size_t i = 0; x->only != RK_NONE && i < d->n_step; i++)
        if (weight_of(x, &d->step[i]) == x->only) {
            d->step += i;
            d->n_step = 1;
            d->total = rk_ex_simplify(pool, rk_ex_mul(pool, d->step->node->times, d->step->formula));
        }
    /* What reads a name that is tied to a tensor reads the same storage. */
    for (size_t i = 0; i < d->n_step; i++) {
        uint32_t weight = weight_of(x, &d->step[i]);

        list_uses(x, weight, &use);
        for (uint32_t k = 0; k < x->p->n_weight; k++)
            if (x->p->weight[k].tied_to == weight)
                list_uses(x, k, &use);
    }
    e->kind = RK_EXPLAINED_TENSOR;
    e->weight = &x->p->weight[weight_of(x, &d->step[0])];
    e->use = use.at;
    e->n_use = use.n;
    return x->a->failed ? rk_fail_memory(x->err) : RK_OK;
}

/* ---- what is meant ---------------------------------------------------------------------------------------------- */

/*
 * Adds the names of a tree of parts, and looks for the one that is meant; a label (layers[0-2].ffn) is one by itself,
 * but its end is none.
 */
static int find_in(explaining *x, bool params, const char *word, rk_path_names *names, const char **path)
{
    rk_rollup tree = {0};
    int code = params ? rk_rollup_weights(x->a, x->l, &tree, x->err) : rk_rollup_ops(x->a, x->l, &tree, x->err);

    for (size_t i = 1; i < tree.n && code == RK_OK; i++) {
        if (strcmp(tree.node[i].label, word) == 0)
            *path = tree.node[i].label;
        if (!rk_path_add(x->a, names, tree.node[i].path))
            code = rk_fail_memory(x->err);
    }
    return code == RK_OK && !*path ? rk_path_find(names, word, path, x->err) : code;
}

/* Takes the weight of which this is a full name; none where the number of layers is not known. */
static int find_named(explaining *x, rk_naming layout, const char *name, rk_explanation *e)
{
    rk_names names = {0};
    int code = rk_names_new(x->l, layout, &names, x->err);

    if (code != RK_OK)
        return code == RK_EVALUE ? RK_OK : code;
    for (size_t i = 0; i < names.n && x->only == RK_NONE; i++)
        if (strcmp(names.at[i].name, name) == 0 && !names.at[i].buffer) {
            x->only = names.at[i].weight;
            e->asked_count = names.at[i].count;
        }
    rk_names_free(&names);
    return RK_OK;
}

/* An operation that counts nothing under this convention, or has no parameters, is said to be so. */
static int fail_unknown(explaining *x, bool params, const rk_path_names *known, const char *word)
{
    rk_path_names names = {0};
    const char *path = NULL;
    int code = RK_OK;

    for (size_t i = 0; i < x->p->n_op && code == RK_OK; i++) {
        const char *name = op_path(x, &x->p->op[i]);

        if (!name || !rk_path_add(x->a, &names, name))
            code = rk_fail_memory(x->err);
    }
    if (code == RK_OK)
        code = rk_path_find(&names, word, &path, x->err);
    if (code != RK_OK)
        return code;
    if (!path)
        return rk_path_fail(known, x->l->model->name, word, x->err);
    if (params)
        return rk_fail(x->err, RK_EINPUT, "%s is an operation; leave out params to see the tensors that it reads",
                       path);
    if (x->l->convention.count == RK_COUNT_ALL)
        return rk_fail(x->err, RK_EINPUT, "%s costs nothing: it computes nothing that is counted", path);
    return rk_fail(x->err, RK_EINPUT,
                   "%s is not counted: only products that sum over an index are; --count all counts the others", path);
}

/* Rows and parts come before tensors, unless parameters are asked for. */
static int find(explaining *x, int *quantity, const char *word, rk_explanation *e, const char **path)
{
    rk_path_names names = {0};
    bool params = *quantity == RK_QUANTITY_PARAMS;
    int code = params ? RK_OK : find_in(x, false, word, &names, path);

    if (code != RK_OK || *path) {
        *quantity = *quantity == RK_QUANTITY_ANY ? RK_QUANTITY_FLOPS : *quantity;
        return code;
    }
    code = find_in(x, true, word, &names, path);
    if (code == RK_OK && !*path) {
        code = find_named(x, RK_NAMING_REFERENCE, word, e);
        e->piece = x->only == RK_NONE;
        if (code == RK_OK && e->piece)
            code = find_named(x, RK_NAMING_CHECKPOINT, word, e);
        if (code != RK_OK)
            return code;
        if (x->only == RK_NONE)
            return fail_unknown(x, params, &names, word);
        e->asked = word;
        *path = x->p->weight[x->only].pattern;
    }
    *quantity = RK_QUANTITY_PARAMS;
    return code;
}

static int explain_found(explaining *x, bool wants_ops, rk_explanation *e)
{
    const rk_derivation *d = &e->derived;
    bool params = d->quantity == RK_QUANTITY_PARAMS, has_part = false;

    if (d->n_step == 0)
        return rk_fail(x->err, RK_EINPUT, "%s adds nothing to this: its figure is 0", d->path);
    /* A row and a part may have one name: then it is the part, and the row stands in it. */
    for (size_t i = 0; i < d->n_step; i++)
        has_part |= d->step[i].is_part;
    if (!has_part)
        return params ? explain_tensor(x, e) : explain_ops(x, e);
    e->kind = RK_EXPLAINED_PART;
    if (params && wants_ops)
        return rk_fail(x->err, RK_EINPUT, "%s has parameters, but no operation that is counted; ask for its params%s",
                       d->path, x->l->convention.count == RK_COUNT_ALL ? "" : ", or use --count all");
    return RK_OK;
}

int rk_explain(rk_arena *a, const rk_ledger *l, int quantity, const char *word, rk_explanation *out, rk_err *err)
{
    explaining x = {.a = a, .l = l, .p = &l->model->program, .only = RK_NONE, .err = err};
    bool wants_ops = quantity != RK_QUANTITY_ANY && quantity != RK_QUANTITY_PARAMS;
    const char *path = NULL;
    int code;

    *out = (rk_explanation){0};
    code = find(&x, &quantity, word, out, &path);
    if (code == RK_OK)
        code = rk_derive(a, l, (rk_quantity)quantity, path, &out->derived, err);
    if (code == RK_OK) {
        rk_ex of[] = {[RK_QUANTITY_PARAMS] = l->stored,
                      [RK_QUANTITY_FLOPS] = l->forward,
                      [RK_QUANTITY_BACKWARD] = l->backward,
                      [RK_QUANTITY_STEP] = rk_ex_add(l->pool, l->forward, l->backward)};

        out->whole = of[quantity];
        code = explain_found(&x, wants_ops, out);
    }
    if (code == RK_OK)
        code = rk_pool_check(x.l->pool, err);
    return code == RK_OK && a->failed ? rk_fail_memory(err) : code;
}
