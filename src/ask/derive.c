/* SPDX-License-Identifier: MIT */
#include "ask/derive.h"

#include "base/vec.h"
#include "plan/nearest.h"

#include <string.h>

typedef struct deriving {
    rk_arena *a;
    const rk_ledger *l;
    const rk_program *p;
    rk_quantity quantity;
    rk_rollup tree;
    RK_VEC(rk_derive_step) step;
    rk_str text; /* scratch */
    rk_err *err;
} deriving;

/* ---- labels ----------------------------------------------------------------------------------------------------- */

typedef RK_VEC(uint32_t) labels;

static bool has_label(const labels *v, uint32_t label)
{
    for (size_t i = 0; i < v->n; i++)
        if (v->at[i] == label)
            return true;
    return false;
}

static void note_label(rk_arena *a, labels *v, uint32_t label)
{
    uint32_t *slot = has_label(v, label) ? NULL : RK_PUSH(a, v);

    if (slot)
        *slot = label;
}

static void note_axes(rk_arena *a, labels *v, const rk_ixs *axes)
{
    for (size_t i = 0; i < axes->n; i++) {
        const rk_ix *ix = &axes->at[i];

        if (ix->kind != RK_IX_AFFINE)
            note_label(a, v, ix->label);
        for (size_t k = 0; ix->kind == RK_IX_AFFINE && k < ix->n_term; k++)
            note_label(a, v, ix->term[k].label);
    }
}

/* Whether a label is called as its size is: D and D' are of size D, 4 of size 4. */
static bool says_size(const deriving *d, const rk_label *label)
{
    const char *name = label->name;
    rk_sym s;
    rk_i128 size;

    if (rk_ex_is_int(d->l->pool, label->size, &size))
        return name[0] >= '0' && name[0] <= '9';
    return rk_ex_is_sym(d->l->pool, label->size, &s) &&
           strncmp(rk_sym_name(d->l->pool, s), name, strcspn(name, "'")) == 0;
}

/* Names with dots between them, B·S·N·H·D; a label of a block stands for a size of its caller, which is said. */
static void put_labels(deriving *d, const labels *v, size_t from)
{
    rk_i128 number;

    for (size_t i = from; i < v->n; i++) {
        const rk_label *label = &d->p->label[v->at[i]];
        bool sum = rk_ex_term_count(d->l->pool, label->size) > 1;

        rk_str_put(&d->text, i > from ? "·" : "");
        if (says_size(d, label) || rk_ex_is_int(d->l->pool, label->size, &number)) {
            rk_str_put(&d->text, label->name);
            continue;
        }
        rk_str_put(&d->text, sum ? "(" : "");
        rk_ex_print(d->l->pool, label->size, RK_PRINT_TEXT, &d->text);
        rk_str_put(&d->text, sum ? ")" : "");
    }
    if (from == v->n)
        rk_str_put(&d->text, "1");
}

/* "; J = 3": an axis of a kernel has a number and no symbol. */
static void put_numbers(deriving *d, const labels *v)
{
    rk_i128 number;
    size_t n = 0;

    for (size_t i = 0; i < v->n; i++) {
        const rk_label *label = &d->p->label[v->at[i]];

        if (says_size(d, label) || !rk_ex_is_int(d->l->pool, label->size, &number))
            continue;
        rk_str_format(&d->text, "%s%s = ", n++ ? ", " : "; ", label->name);
        rk_str_num(&d->text, number);
    }
}

/* ---- rules ------------------------------------------------------------------------------------------------------ */

/* Which pairs of a mask's axes count, where not all do. */
static void put_pairs(deriving *d, const rk_op *op, const labels *v)
{
    rk_pairs pairs = rk_convention_pairs(&d->l->convention);
    const rk_mask *m = &op->mask;

    if (!has_label(v, m->query) || !has_label(v, m->key))
        return;
    if (pairs == RK_PAIRS_EXACT && m->kind != RK_MASK_FULL)
        rk_str_format(&d->text, ", only the %s pairs of %s and %s", rk_mask_table[m->kind].name,
                      d->p->label[m->query].name, d->p->label[m->key].name);
    else if (pairs == RK_PAIRS_WINDOW && rk_mask_is_window(m->kind))
        rk_str_format(&d->text, ", a whole %s of %s for each %s", rk_mask_table[m->kind].name, d->p->label[m->key].name,
                      d->p->label[m->query].name);
}

static void put_product(deriving *d, const rk_op *op)
{
    labels v = {0}; /* the result's, and then the summed ones: all that the product touches */
    size_t n_out;

    note_axes(d->a, &v, &d->p->tensor[op->out].axes);
    n_out = v.n;
    for (size_t i = 0; i < op->n_in; i++)
        note_axes(d->a, &v, &op->in[i].axes);
    if (v.n > n_out) {
        rk_str_put(&d->text, "summed over ");
        put_labels(d, &v, n_out);
        rk_str_put(&d->text, d->l->convention.mac ? ": " : ": 2 × ");
    } else {
        rk_str_put(&d->text, "nothing summed: ");
    }
    put_labels(d, &v, 0);
    put_pairs(d, op, &v);
    put_numbers(d, &v);
}

/* How many times another figure one is; false where that is no whole number, or the other is nothing. */
static bool is_multiple(const deriving *d, rk_ex figure, rk_ex of, rk_i128 *times)
{
    rk_i128 none;

    if (rk_ex_is_int(d->l->pool, of, &none) && none == 0)
        return false;
    return rk_ex_is_int(d->l->pool, rk_ex_div(d->l->pool, figure, of), times);
}

static void put_forward(deriving *d, const rk_ledger_op *of)
{
    const rk_op *op = &d->p->op[of->op];
    const rk_op_row *row = &rk_op_table[op->row];
    /* A norm's bias has a row of its own: "….normed.bias". */
    bool is_bias = row->shape == RK_SHAPE_NORM && !rk_ends_in(of->path, op->name);
    bool of_operand = !is_bias && row->per == RK_PER_IN && op->n_in > 0;
    const rk_ixs *axes = of_operand ? &op->in[0].axes : &d->p->tensor[op->out].axes;
    rk_ex elements = rk_ex_int(d->l->pool, 1);
    labels v = {0};
    rk_i128 each = 0;

    if (!is_bias && row->class == RK_CLASS_PRODUCT) {
        put_product(d, op);
        return;
    }
    if (!is_bias && d->l->convention.count == RK_COUNT_TORCH) {
        rk_str_format(&d->text, "%s: as the counter of torch sees it", row->name);
        return;
    }
    note_axes(d->a, &v, axes);
    for (size_t i = 0; i < v.n; i++)
        elements = rk_ex_mul(d->l->pool, elements, d->p->label[v.at[i]].size);
    if (is_bias) {
        rk_str_format(&d->text, "bias of the %s: 1 for each of ", row->name);
    } else if ((row->per == RK_PER_OUT || row->per == RK_PER_IN) && is_multiple(d, of->forward, elements, &each)) {
        rk_str_format(&d->text, "%s: %d for each of ", row->name, (int)each); /* "rmsnorm: 4 for each of B·S·D" */
    } else {
        rk_str_format(&d->text, "%s: %s", row->name, row->text);
        return;
    }
    put_labels(d, &v, 0);
    put_numbers(d, &v);
}

static const char *op_rule(deriving *d, const rk_ledger_op *row, rk_ex figure)
{
    const rk_op *op = &d->p->op[row->op];
    rk_i128 times = 0;

    rk_str_reset(&d->text);
    if (d->quantity == RK_QUANTITY_FLOPS) {
        put_forward(d, row);
    } else if (is_multiple(d, figure, row->forward, &times)) {
        rk_str_format(&d->text, "%d × forward; forward ", (int)times);
        put_forward(d, row);
    } else {
        rk_str_format(&d->text, "%s: its gradients", rk_op_table[op->row].name);
    }
    return rk_arena_text(d->a, rk_str_text(&d->text));
}

/* "D × 3NH" */
static const char *weight_rule(deriving *d, const rk_weight *w)
{
    rk_str_reset(&d->text);
    if (w->tied_to != RK_NONE)
        rk_str_format(&d->text, "the same storage as %s", d->p->weight[w->tied_to].pattern);
    for (size_t i = 0; i < w->n_dim && w->tied_to == RK_NONE; i++) {
        bool sum = rk_ex_term_count(d->l->pool, w->dim[i]) > 1;

        rk_str_put(&d->text, i ? " × " : "");
        rk_str_put(&d->text, sum && w->n_dim > 1 ? "(" : "");
        rk_ex_print(d->l->pool, w->dim[i], RK_PRINT_TEXT, &d->text);
        rk_str_put(&d->text, sum && w->n_dim > 1 ? ")" : "");
    }
    if (w->n_dim == 0 && w->tied_to == RK_NONE)
        rk_str_put(&d->text, "one number");
    return rk_arena_text(d->a, rk_str_text(&d->text));
}

/* ---- the line of the model file --------------------------------------------------------------------------------- */

/* Where a step stands, and its line; one that goes over several lines is shown on one. */
static void note_place(deriving *d, rk_derive_step *s, rk_span span)
{
    const char *at = span.source ? span.source->text + span.at : "";
    bool gap = false;
    int column = 0;

    rk_str_reset(&d->text);
    for (size_t i = 0; span.source && i < span.n; i++) {
        bool space = at[i] == ' ' || at[i] == '\n' || at[i] == '\r';

        if (!space && gap && d->text.n > 0)
            rk_str_putc(&d->text, ' ');
        if (!space)
            rk_str_putc(&d->text, at[i]);
        gap = space;
    }
    s->equation = rk_arena_text(d->a, rk_str_text(&d->text));
    if (!span.source)
        return;
    s->file = span.source->name;
    rk_span_place(span, &s->line, &column);
}

/* Whether the line is one of a block: names and sizes in it are those of its caller. */
static bool is_general(const deriving *d, const char *equation, const rk_op *op)
{
    labels v = {0};

    note_axes(d->a, &v, &d->p->tensor[op->out].axes);
    for (size_t i = 0; i < op->n_in; i++)
        note_axes(d->a, &v, &op->in[i].axes);
    for (size_t i = 0; i < v.n; i++)
        if (!says_size(d, &d->p->label[v.at[i]]))
            return true;
    return strchr(equation, '{') || strstr(equation, "..");
}

static const char *op_here(deriving *d, const char *equation, uint32_t op)
{
    const char *unused;

    return equation && is_general(d, equation, &d->p->op[op]) ? rk_op_line(d->a, d->l->model, op, &unused) : NULL;
}

/* A weight as the first line that reads it has it. */
static const char *weight_here(deriving *d, const char *equation, uint32_t weight)
{
    for (uint32_t i = 0; equation && i < d->p->n_op; i++)
        for (size_t k = 0; k < d->p->op[i].n_in; k++) {
            const rk_tensor *t = &d->p->tensor[d->p->op[i].in[k].tensor];

            if (t->kind == RK_TENSOR_WEIGHT && t->weight == weight)
                return is_general(d, equation, &d->p->op[i]) ? rk_operand_text(d->a, d->l->model, i, k) : NULL;
        }
    return NULL;
}

/* ---- steps ------------------------------------------------------------------------------------------------------ */

static rk_ex figure_of(const deriving *d, const rk_roll_node *n)
{
    switch (d->quantity) {
    case RK_QUANTITY_BACKWARD:
        return n->figure[1];
    case RK_QUANTITY_STEP:
        return rk_ex_add(d->l->pool, n->figure[0], n->figure[1]);
    default:
        return n->figure[0];
    }
}

static int add_step(deriving *d, const rk_roll_node *n)
{
    rk_ex figure = figure_of(d, n);
    bool is_params = d->quantity == RK_QUANTITY_PARAMS;
    rk_derive_step *s;
    rk_i128 number;

    /* What adds nothing is no step, but that a tied tensor adds nothing is worth saying. */
    if (rk_ex_is_int(d->l->pool, figure, &number) && number == 0 && (n->row == RK_NONE || !is_params))
        return RK_OK;
    s = RK_PUSH(d->a, &d->step);
    if (!s)
        return rk_fail_memory(d->err);
    *s = (rk_derive_step){.node = n, .is_part = n->row == RK_NONE, .figure = figure};
    s->formula = rk_ex_simplify(d->l->pool, figure);
    if (s->is_part)
        return RK_OK;
    if (is_params) {
        const rk_weight *w = &d->p->weight[d->l->weight[n->row].weight];

        note_place(d, s, w->span);
        s->here = weight_here(d, s->equation, d->l->weight[n->row].weight);
        s->rule = weight_rule(d, w);
    } else {
        const rk_ledger_op *row = &d->l->op[n->row];

        note_place(d, s, d->p->op[row->op].span);
        s->here = op_here(d, s->equation, row->op);
        /* A line of a block writes .{name}.weight: which one it is here. */
        if (row->weight != RK_NONE && s->equation && strchr(s->equation, '{'))
            s->tensor = d->p->weight[row->weight].pattern;
        s->rule = op_rule(d, row, figure);
    }
    return s->equation && s->rule ? RK_OK : rk_fail_memory(d->err);
}

static int fail_unknown_path(const deriving *d, const char *path)
{
    rk_nearest near = {.word = path};
    char hint[RK_NEAREST_HINT_MAX];

    for (size_t i = 1; i < d->tree.n; i++)
        rk_nearest_try(&near, d->tree.node[i].path);
    return rk_fail(d->err, RK_EINPUT, "%s has no part '%s'%s", d->l->model->name, path, rk_nearest_hint(&near, hint));
}

/* Takes the nodes of a path (one for each kind of layers), or the whole, and sums them. */
static int take(deriving *d, const char *path, rk_ex *total)
{
    rk_pool *pool = d->l->pool;
    bool found = false;
    int code = RK_OK;

    *total = rk_ex_int(pool, 0);
    for (size_t i = 0; i < d->tree.n && code == RK_OK; i++) {
        const rk_roll_node *n = &d->tree.node[i];
        size_t last = i + n->n_below;

        if (strcmp(n->path, path) != 0 && strcmp(n->label, path) != 0)
            continue;
        found = true;
        *total = rk_ex_add(pool, *total, rk_ex_mul(pool, n->times, figure_of(d, n)));
        for (; i <= last && code == RK_OK; i++)
            code = add_step(d, &d->tree.node[i]);
        i--;
    }
    return code == RK_OK && !found ? fail_unknown_path(d, path) : code;
}

int rk_derive(rk_arena *a, const rk_ledger *l, rk_quantity quantity, const char *path, rk_derivation *out, rk_err *err)
{
    deriving d = {.a = a, .l = l, .p = &l->model->program, .quantity = quantity, .err = err};
    bool is_params = quantity == RK_QUANTITY_PARAMS;
    int code = is_params ? rk_rollup_weights(a, l, &d.tree, err) : rk_rollup_ops(a, l, &d.tree, err);
    rk_ex total = RK_EX_FAILED;

    if (code == RK_OK)
        code = take(&d, path ? path : "", &total);
    if (code == RK_OK) {
        total = rk_ex_simplify(d.l->pool, total);
        code = rk_pool_check(d.l->pool, err);
    }
    if (code == RK_OK && (d.text.failed || a->failed))
        code = rk_fail_memory(err);
    if (code == RK_OK)
        *out = (rk_derivation){l, quantity, path, d.step.at, d.step.n, total};
    rk_str_free(&d.text);
    return code;
}
