/* SPDX-License-Identifier: MIT */
#include "model/expand.h"

#include <string.h>

/* ---- arguments ----------------------------------------------------------------------------------------------- */

/* The argument for a parameter: by its keyword, or by its place among those without one. */
static const rk_node *argument(const rk_node *call, const char *name, size_t place)
{
    size_t k = 0;

    for (size_t i = 0; i < call->child.n; i++) {
        if (call->arg_name && call->arg_name[i]) {
            if (name && strcmp(call->arg_name[i], name) == 0)
                return call->child.at[i];
        } else if (k++ == place) {
            return call->child.at[i];
        }
    }
    return NULL;
}

static size_t n_plain(const rk_node *call)
{
    size_t k = 0;

    for (size_t i = 0; i < call->child.n; i++)
        k += !call->arg_name || !call->arg_name[i];
    return k;
}

static int label_argument(rk_ctx *c, const rk_node *n, uint32_t *out)
{
    if (n->kind != RK_NODE_NAME || n->axes.written)
        return RK_MISTAKE(c, n->span, "the name of an axis is needed here");
    return rk_label_spelt(c, n->text, n->span, out);
}

static int op_labels(rk_ctx *c, rk_op *op, const uint32_t *label, size_t n)
{
    op->label = RK_NEW_ARRAY(c->a, n ? n : 1, uint32_t);
    if (!op->label)
        return rk_fatal_memory(c);
    if (n)
        memcpy(op->label, label, n * sizeof *label);
    op->n_label = n;
    return RK_OK;
}

/* ---- index rules of operations ------------------------------------------------------------------------------- */

static int first_tensor(rk_ctx *c, const rk_node *n, const rk_ixs *want, rk_seen *out)
{
    const rk_node *x = n->child.n ? n->child.at[0] : NULL;

    /* A name that nothing defines is most likely a misspelt tensor: reading it says so. */
    if (x && x->kind == RK_NODE_NAME && !rk_bind_find(c->frame, x->text))
        return rk_tensor_eval(c, x, want, false, out);
    if (!x || !rk_node_is_tensor(c, x))
        return RK_MISTAKE(c, n->span, "%s needs a tensor as its first argument", n->text);
    return rk_tensor_eval(c, n->child.at[0], want, false, out);
}

static int needs_axis(rk_ctx *c, const rk_node *n)
{
    return RK_MISTAKE(c, n->span, "%s needs a tensor with an axis", n->text);
}

/* An axis read at computed places is none to work along. */
static int needs_plain(rk_ctx *c, const rk_node *n, const rk_seen *in)
{
    return RK_MISTAKE(c, n->span, "%s works along plain axes, and here it is given %s", n->text,
                      rk_ixs_text(c, &in->axes));
}

/* No more elements rotate than the last axis has. */
static int check_rope(rk_ctx *c, const rk_node *n, const rk_seen *in, rk_ex arg)
{
    rk_binding at = rk_model_binding(c->model);
    rk_i128 most = 0, wanted = 0;

    if (rk_ex_eval(c->pool, arg, &at, &wanted, NULL) != RK_OK ||
        rk_ex_eval(c->pool, in->axes.at[in->axes.n - 1].size, &at, &most, NULL) != RK_OK || wanted <= most)
        return RK_OK;
    return RK_MISTAKE(c, n->span, "more elements rotate than the last axis of %s has", rk_ixs_text(c, &in->axes));
}

/*
 * cast(x, f32): numbers of four bytes; cast(x, run): of the type in which the model runs; cast(x, y): of that of y;
 * cast(x, f32, S): step by step along an axis
 */
static int cast_type(rk_ctx *c, const rk_node *n, const rk_node *word, size_t *out)
{
    static const char *const type[] = {[RK_TYPE_RUN] = "run", [RK_TYPE_F32] = "f32"};

    for (*out = 0; word && word->kind == RK_NODE_NAME && *out < sizeof type / sizeof *type; ++*out)
        if (strcmp(word->text, type[*out]) == 0)
            return RK_OK;
    return RK_MISTAKE(c, n->span, "cast takes a tensor and a type: f32, or run for the one in which the model runs");
}

static int cast_steps(rk_ctx *c, const rk_node *axis, rk_op *op)
{
    uint32_t label = RK_NONE;
    int code = label_argument(c, axis, &label);

    if (code == RK_OK && !rk_ixs_has(&op->in[0].axes, label))
        return RK_MISTAKE(c, axis->span, "the tensor %s has no axis %s", rk_ixs_text(c, &op->in[0].axes),
                          c->label.at[label].name);
    return code == RK_OK ? op_labels(c, op, &label, 1) : code;
}

static int power_number(rk_ctx *c, const rk_node *n, const rk_node *number, double *out)
{
    rk_scalar s = {0};
    int code = number ? rk_scalar_eval(c, c->frame, number, &s) : RK_OK;

    *out = s.kind == RK_SCALAR_INT && s.known ? (double)s.value : s.real;
    if (code == RK_OK && ((s.kind != RK_SCALAR_INT || !s.known) && s.kind != RK_SCALAR_REAL))
        return RK_MISTAKE(c, n->span, "power takes a tensor and a number");
    return code;
}

/* clamp(x, a, b): no count depends on the numbers, but a list or a word is a slip. */
static int clamp_numbers(rk_ctx *c, const rk_node *n)
{
    for (size_t i = 1; i < 3; i++) {
        const rk_node *number = argument(n, NULL, i);
        rk_scalar s = {0};
        int code = number ? rk_scalar_eval(c, c->frame, number, &s) : RK_OK;

        if (code != RK_OK)
            return code;
        if (s.kind != RK_SCALAR_INT && s.kind != RK_SCALAR_REAL)
            return RK_MISTAKE(c, n->span, "clamp takes a tensor and two numbers: the least and the largest");
    }
    return RK_OK;
}

static bool is_cast(rk_op_id row)
{
    return row == RK_OP_CAST || row == RK_OP_CAST_PACKED;
}

/* f(x), f(x, number), f(x, number, number) */
static int call_same(rk_ctx *c, const rk_node *n, rk_op_id row, const rk_ixs *want, rk_seen *out)
{
    rk_seen in = {0}, like = {0};
    rk_ex arg = RK_EX_FAILED;
    size_t type = 0;
    double real = 0;
    const rk_node *more = argument(n, NULL, 1);
    bool is_like = is_cast(row) && more && rk_node_is_tensor(c, more);
    int code = first_tensor(c, n, want, &in);

    if (code == RK_OK && row == RK_OP_CLAMP)
        code = clamp_numbers(c, n);
    else if (code == RK_OK && n->child.n > 2 && !is_cast(row))
        return RK_MISTAKE(c, n->span, "%s takes a tensor and at most one number", n->text);
    if (code == RK_OK && row == RK_OP_ROPE && in.axes.n == 0)
        return needs_axis(c, n);
    if (code == RK_OK && more && (row == RK_OP_ROPE || row == RK_OP_BEST))
        code = rk_scalar_size(c, c->frame, more, &arg);
    if (code == RK_OK && is_like)
        code = rk_tensor_eval(c, more, NULL, false, &like);
    else if (code == RK_OK && is_cast(row))
        code = cast_type(c, n, more, &type);
    if (code == RK_OK && row == RK_OP_POWER)
        code = power_number(c, n, more, &real);
    if (code != RK_OK)
        return code;
    rk_op *op = rk_op_emit(c, row, (rk_seen[]){in, like}, is_like ? 2 : 1, &in.axes, out);

    if (!op)
        return c->fatal;
    if (row == RK_OP_ROPE && arg == RK_EX_FAILED)
        arg = in.axes.at[in.axes.n - 1].size;
    op->arg = arg;
    op->which = type;
    op->real = row == RK_OP_POWER ? real : op->real;
    if (is_cast(row) && argument(n, NULL, 2))
        return cast_steps(c, argument(n, NULL, 2), op);
    return row == RK_OP_ROPE ? check_rope(c, n, &in, arg) : RK_OK;
}

/* The weight of a norm under the labels of the axes that it normalises: the last ones that have its size. */
static int norm_weight(rk_ctx *c, const rk_node *n, const rk_seen *x, rk_seen *w)
{
    rk_ixs tail = {0};
    bool inside = true;

    for (size_t i = 0; i < w->axes.n && inside; i++)
        inside = rk_ixs_has(&x->axes, w->axes.at[i].label);
    if (inside)
        return RK_OK;
    for (size_t k = 1; k <= x->axes.n; k++) {
        tail = (rk_ixs){x->axes.at + x->axes.n - k, k};
        if (rk_same_size(c, rk_ixs_count(c, &tail), rk_ixs_count(c, &w->axes)))
            return rk_seen_as(c, w, &tail, n->span, "the norm's weight", w);
    }
    return RK_MISTAKE(c, n->span, "the norm's weight is %s, the input ends in %s", rk_ixs_text(c, &w->axes),
                      rk_ixs_text(c, &x->axes));
}

static int norm_axes(rk_ctx *c, const rk_node *n, const rk_seen *in, size_t n_in, uint32_t *label, size_t *n_label)
{
    const rk_node *more = argument(n, NULL, 1);

    *n_label = 0;
    if (n_in > 1) {
        for (size_t i = 0; i < in[1].axes.n && i < RK_AXES_MAX; i++)
            label[(*n_label)++] = in[1].axes.at[i].label;
        return RK_OK;
    }
    if (!more) {
        label[(*n_label)++] = in[0].axes.at[in[0].axes.n - 1].label;
        return RK_OK;
    }
    for (size_t i = 1; i < n->child.n && i <= RK_AXES_MAX; i++) {
        int code = label_argument(c, n->child.at[i], &label[(*n_label)++]);

        if (code != RK_OK)
            return code;
    }
    return RK_OK;
}

/* norm(x, weight, bias), norm(x, D), norm(x): over the axes of the weight, the axes named, the last one. */
static int call_norm(rk_ctx *c, const rk_node *n, rk_op_id row, const rk_ixs *want, rk_seen *out)
{
    rk_seen in[3];
    uint32_t label[RK_AXES_MAX];
    size_t n_in = 1, n_label = 0;
    int code = first_tensor(c, n, want, &in[0]);

    if (code == RK_OK && in[0].axes.n == 0)
        return needs_axis(c, n);
    for (size_t i = 1; i < n->child.n && code == RK_OK && n_in < 3; i++)
        if (rk_node_is_tensor(c, n->child.at[i])) {
            code = rk_tensor_eval(c, n->child.at[i], NULL, false, &in[n_in]);
            if (code == RK_OK)
                code = norm_weight(c, n->child.at[i], &in[0], &in[n_in]);
            n_in++;
        }
    if (code == RK_OK)
        code = norm_axes(c, n, in, n_in, label, &n_label);
    if (code != RK_OK)
        return code;
    for (size_t i = 0; i < n_label; i++)
        if (label[i] == RK_NONE)
            return needs_plain(c, n, &in[0]);
        else if (!rk_ixs_has(&in[0].axes, label[i]))
            return RK_MISTAKE(c, n->span, "the input %s has no axis %s", rk_ixs_text(c, &in[0].axes),
                              c->label.at[label[i]].name);
    rk_op *op = rk_op_emit(c, row, in, n_in, &in[0].axes, out);

    return op ? op_labels(c, op, label, n_label) : c->fatal;
}

static int axis_of(rk_ctx *c, const rk_node *n, const rk_seen *in, uint32_t *label)
{
    const rk_node *more = argument(n, NULL, 1);
    int code = RK_OK;

    if (in->axes.n == 0)
        return needs_axis(c, n);
    *label = in->axes.at[in->axes.n - 1].label;
    if (more)
        code = label_argument(c, more, label);
    else if (*label == RK_NONE)
        return needs_plain(c, n, in);
    if (code == RK_OK && !rk_ixs_has(&in->axes, *label))
        return RK_MISTAKE(c, more->span, "the tensor %s has no axis %s", rk_ixs_text(c, &in->axes),
                          c->label.at[*label].name);
    return code;
}

static int without(rk_ctx *c, const rk_ixs *axes, uint32_t label, rk_ixs *out)
{
    int code = RK_OK;

    *out = (rk_ixs){0};
    for (size_t i = 0; i < axes->n && code == RK_OK; i++)
        if (axes->at[i].label != label)
            code = rk_ixs_append(c, out, &axes->at[i]);
    return code;
}

/* softmax(x, T), sum(x, A), mean(x, S) */
static int call_axis(rk_ctx *c, const rk_node *n, rk_op_id row, const rk_ixs *want, rk_seen *out)
{
    rk_seen in = {0};
    rk_ixs axes;
    uint32_t label = 0;
    bool reduce = rk_op_table[row].shape == RK_SHAPE_REDUCE;
    int code = first_tensor(c, n, reduce ? NULL : want, &in);

    if (code == RK_OK)
        code = axis_of(c, n, &in, &label);
    axes = in.axes;
    if (code == RK_OK && reduce)
        code = without(c, &in.axes, label, &axes);
    if (code != RK_OK)
        return code;
    rk_op *op = rk_op_emit(c, row, &in, 1, &axes, out);

    return op ? op_labels(c, op, &label, 1) : c->fatal;
}

/* lookup(index, table[V D]) */
static int call_lookup(rk_ctx *c, const rk_node *n, rk_seen *out)
{
    rk_seen in[2];
    rk_ixs axes = {0};
    int code = first_tensor(c, n, NULL, &in[0]);

    if (code == RK_OK && (n->child.n != 2 || !rk_node_is_tensor(c, n->child.at[1])))
        return RK_MISTAKE(c, n->span, "lookup takes the numbers and the table: lookup(ids, .weight[V D])");
    if (code == RK_OK)
        code = rk_tensor_eval(c, n->child.at[1], NULL, false, &in[1]);
    if (code == RK_OK && in[1].axes.n < 2)
        return RK_MISTAKE(c, n->child.at[1]->span, "a table has two axes or more");
    for (size_t i = 0; i < in[0].axes.n && code == RK_OK; i++)
        code = rk_ixs_append(c, &axes, &in[0].axes.at[i]);
    for (size_t i = 1; code == RK_OK && i < in[1].axes.n; i++)
        code = rk_ixs_append(c, &axes, &in[1].axes.at[i]);
    if (code != RK_OK)
        return code;
    c->tensor.at[in[0].tensor].is_index = true;
    return rk_op_emit(c, RK_OP_LOOKUP, in, 2, &axes, out) ? RK_OK : c->fatal;
}

/* route(scores, A): the last axis replaced by A */
static int call_choose(rk_ctx *c, const rk_node *n, rk_op_id row, rk_seen *out)
{
    rk_seen in;
    rk_ixs axes;
    uint32_t label = 0;
    const rk_node *more = argument(n, NULL, 1);
    int code = first_tensor(c, n, NULL, &in);

    if (code == RK_OK && (!more || in.axes.n == 0))
        return RK_MISTAKE(c, n->span, "%s takes scores and the name of the axis of those chosen", n->text);
    if (code == RK_OK && in.axes.at[in.axes.n - 1].kind == RK_IX_AFFINE)
        return needs_plain(c, n, &in);
    if (code == RK_OK)
        code = label_argument(c, more, &label);
    if (code == RK_OK)
        code = without(c, &in.axes, in.axes.at[in.axes.n - 1].label, &axes);
    if (code != RK_OK)
        return code;
    rk_ix chosen = rk_ix_of_label(c, label);

    if ((code = rk_ixs_append(c, &axes, &chosen)) != RK_OK)
        return code;
    rk_op *op = rk_op_emit(c, row, &in, 1, &axes, out);

    return op ? op_labels(c, op, &label, 1) : c->fatal;
}

/* The word that says four bytes, whatever the model runs in. */
static bool is_wide(const rk_node *word)
{
    return word->kind == RK_NODE_NAME && strcmp(word->text, "f32") == 0;
}

/* position(S), zeros(N, X), rope_table(R, S), rope_table(R, S, f32): R is a number */
static int call_labels(rk_ctx *c, const rk_node *n, rk_op_id row, rk_seen *out)
{
    rk_ixs axes = {0};
    rk_ex arg = RK_EX_FAILED;
    size_t first = rk_op_table[row].torch == RK_TORCH_ROPE_TABLE || row == RK_OP_ROPE_PAIRS, end = n->child.n;
    bool wide = first && end > 0 && is_wide(n->child.at[end - 1]);
    int code = RK_OK;

    end -= wide;
    if (first && end < 2)
        return RK_MISTAKE(c, n->span, "%s takes how many elements rotate, and the axes of positions: %s(H, S)", n->text,
                          n->text);
    if (first)
        code = rk_scalar_size(c, c->frame, n->child.at[0], &arg);
    for (size_t i = first; i < end && code == RK_OK; i++) {
        uint32_t label = 0;

        code = label_argument(c, n->child.at[i], &label);
        rk_ix ix = code == RK_OK ? rk_ix_of_label(c, label) : (rk_ix){0};

        if (code == RK_OK)
            code = rk_ixs_append(c, &axes, &ix);
    }
    if (code == RK_OK && n->axes.written)
        code = rk_axes_plain(c, &n->axes, &axes);
    if (code != RK_OK)
        return code;
    rk_op *op = rk_op_emit(c, row, NULL, 0, &axes, out);

    if (!op)
        return c->fatal;
    op->arg = arg;
    op->which = wide ? RK_TYPE_F32 : RK_TYPE_RUN;
    return RK_OK;
}

/* first(x, S): the same axes, one of them shorter */
static int first_axes(rk_ctx *c, const rk_node *n, const rk_ixs *want, rk_seen *in)
{
    rk_ixs axes = {0};
    int code = RK_OK;

    if (in->axes.n != want->n)
        return RK_MISTAKE(c, n->span, "first keeps the number of axes: %s, not %s", rk_ixs_text(c, &in->axes),
                          rk_ixs_text(c, want));
    for (size_t i = 0; i < want->n && code == RK_OK; i++) {
        rk_ix ix = want->at[i];

        if (!rk_same_size(c, ix.size, in->axes.at[i].size)) {
            rk_ix_term *term = RK_NEW(c->a, rk_ix_term);

            if (!term)
                return rk_fatal_memory(c);
            *term = (rk_ix_term){.factor = 1, .label = ix.label};
            ix = (rk_ix){.kind = RK_IX_AFFINE,
                         .label = RK_NONE,
                         .term = term,
                         .n_term = 1,
                         .size = in->axes.at[i].size,
                         .offset = rk_ex_int(c->pool, 0)};
        }
        code = rk_ixs_append(c, &axes, &ix);
    }
    in->axes = axes;
    return code;
}

static int call_target(rk_ctx *c, const rk_node *n, rk_op_id row, const rk_ixs *want, rk_seen *out)
{
    rk_seen in;
    int code;

    if (!want)
        return RK_MISTAKE(c, n->span, "%s needs a left side with its axes", n->text);
    if ((code = first_tensor(c, n, NULL, &in)) != RK_OK)
        return code;
    if (row == RK_OP_FIRST && (code = first_axes(c, n, want, &in)) != RK_OK)
        return code;
    for (size_t i = 0; i < in.axes.n; i++) {
        const rk_ix *ix = &in.axes.at[i];
        rk_i128 one = 0;

        if (ix->kind != RK_IX_AFFINE && !rk_ixs_has(want, ix->label) &&
            !(rk_ex_is_int(c->pool, ix->size, &one) && one == 1))
            return RK_MISTAKE(c, n->span, "%s stands in the argument of %s, but not on the left",
                              c->label.at[ix->label].name, n->text);
    }
    return rk_op_emit(c, row, &in, 1, want, out) ? RK_OK : c->fatal;
}

/* solve(a, b), place(a, b): as the second */
static int call_second(rk_ctx *c, const rk_node *n, rk_op_id row, const rk_ixs *want, rk_seen *out)
{
    rk_seen in[2];
    int code = first_tensor(c, n, NULL, &in[0]);

    if (code == RK_OK && n->child.n != 2)
        return RK_MISTAKE(c, n->span, "%s takes two tensors", n->text);
    if (code == RK_OK)
        code = rk_tensor_eval(c, n->child.at[1], want, false, &in[1]);
    if (code == RK_OK && row == RK_OP_SOLVE && in[0].axes.n == 0)
        return needs_axis(c, n);
    if (code != RK_OK)
        return code;
    return rk_op_emit(c, row, in, 2, &in[1].axes, out) ? RK_OK : c->fatal;
}

static int call_half(rk_ctx *c, const rk_node *n, rk_op_id row, rk_seen *out)
{
    rk_seen in;
    rk_ixs axes;
    rk_i128 two = 0;
    int code = first_tensor(c, n, NULL, &in);

    if (code != RK_OK)
        return code;
    if (in.axes.n == 0 || !rk_ex_is_int(c->pool, in.axes.at[in.axes.n - 1].size, &two) || two != 2)
        return RK_MISTAKE(c, n->span, "%s needs a last axis of 2", n->text);
    axes = (rk_ixs){in.axes.at, in.axes.n - 1};
    return rk_op_emit(c, row, &in, 1, &axes, out) ? RK_OK : c->fatal;
}

/* cross_entropy(logits, labels): what it compares with is taken as given */
/* sdpa(q, k, v): a row of q for each row of v that it reads */
static int call_attend(rk_ctx *c, const rk_node *n, rk_op_id row, rk_seen *out)
{
    rk_seen in[3];
    rk_ixs axes = {0};
    uint32_t last;
    int code = RK_OK;

    for (size_t i = 0; i < 3 && code == RK_OK; i++) {
        if (i >= n->child.n || !rk_node_is_tensor(c, n->child.at[i]))
            return RK_MISTAKE(c, n->span, "sdpa takes queries, keys and values");
        code = rk_tensor_eval(c, n->child.at[i], NULL, false, &in[i]);
        if (code == RK_OK && in[i].axes.n == 0)
            return needs_axis(c, n);
    }
    if (code != RK_OK)
        return code;
    last = in[0].axes.at[in[0].axes.n - 1].label;
    for (size_t i = 0; i + 1 < in[0].axes.n && code == RK_OK; i++)
        code = rk_ixs_append(c, &axes, &in[0].axes.at[i]);
    if (code == RK_OK)
        code = rk_ixs_append(c, &axes, &in[2].axes.at[in[2].axes.n - 1]);
    if (code != RK_OK)
        return code;
    rk_op *op = rk_op_emit(c, row, in, 3, &axes, out);

    return op ? op_labels(c, op, &last, 1) : c->fatal;
}

static int call_scalar(rk_ctx *c, const rk_node *n, rk_op_id row, rk_seen *out)
{
    rk_seen in;
    rk_ixs none = {0};
    int code = first_tensor(c, n, NULL, &in);

    if (code != RK_OK)
        return code;
    return rk_op_emit(c, row, &in, 1, &none, out) ? RK_OK : c->fatal;
}

/* How many arguments an operation takes at most, by its index rule. */
static size_t most_arguments(rk_op_id row)
{
    switch (rk_op_table[row].shape) {
    case RK_SHAPE_SAME:
        if (row == RK_OP_CLAMP || is_cast(row))
            return 3;
        return row == RK_OP_ROPE || row == RK_OP_BEST || row == RK_OP_SOFTCAP || row == RK_OP_POWER ? 2 : 1;
    case RK_SHAPE_NORM:
    case RK_SHAPE_ATTEND:
        return 3;
    case RK_SHAPE_LABELS:
        return RK_AXES_MAX;
    case RK_SHAPE_HALF:
        return 1;
    case RK_SHAPE_TARGET:
        return row == RK_OP_FIRST ? 2 : 1;
    default:
        return 2;
    }
}

static int check_arguments(rk_ctx *c, const rk_node *n, rk_op_id row)
{
    size_t most = most_arguments(row);

    for (size_t i = 0; n->arg_name && i < n->child.n; i++)
        if (n->arg_name[i])
            return RK_MISTAKE(c, n->child.at[i]->span, "an operation has no arguments by name; leave '%s =' out",
                              n->arg_name[i]);
    if (n->child.n > most)
        return RK_MISTAKE(c, n->child.at[most]->span, "%s takes at most %zu argument%s", n->text, most,
                          most == 1 ? "" : "s");
    return RK_OK;
}

static int call_op(rk_ctx *c, const rk_node *n, rk_op_id row, const rk_ixs *want, rk_seen *out)
{
    if (check_arguments(c, n, row) != RK_OK)
        return RK_EINPUT;
    switch (rk_op_table[row].shape) {
    case RK_SHAPE_SAME:
        return call_same(c, n, row, want, out);
    case RK_SHAPE_NORM:
        return call_norm(c, n, row, want, out);
    case RK_SHAPE_ALONG:
    case RK_SHAPE_REDUCE:
        return call_axis(c, n, row, want, out);
    case RK_SHAPE_LOOKUP:
        return call_lookup(c, n, out);
    case RK_SHAPE_CHOOSE:
        return call_choose(c, n, row, out);
    case RK_SHAPE_LABELS:
        return call_labels(c, n, row, out);
    case RK_SHAPE_TARGET:
        return call_target(c, n, row, want, out);
    case RK_SHAPE_SOLVE:
    case RK_SHAPE_PLACE:
        return call_second(c, n, row, want, out);
    case RK_SHAPE_ATTEND:
        return call_attend(c, n, row, out);
    case RK_SHAPE_HALF:
        return call_half(c, n, row, out);
    case RK_SHAPE_SCALAR:
        return call_scalar(c, n, row, out);
    case RK_SHAPE_PRODUCT:
    case RK_SHAPE_UNION:
        break;
    }
    return RK_MISTAKE(c, n->span, "'%s' has a notation of its own", n->text);
}

/* ---- blocks -------------------------------------------------------------------------------------------------- */

static int check_keywords(rk_ctx *c, const rk_node *n, const rk_stmt *b)
{
    for (size_t i = 0; n->arg_name && i < n->child.n; i++) {
        bool found = !n->arg_name[i];

        for (size_t k = 0; k < b->n_param && !found; k++) {
            found = strcmp(b->param[k].name, n->arg_name[i]) == 0;
            if (found && argument(n, n->arg_name[i], k) != n->child.at[i])
                return RK_MISTAKE(c, n->child.at[i]->span, "the argument '%s' is given twice", n->arg_name[i]);
        }
        if (!found)
            return RK_MISTAKE(c, n->child.at[i]->span, "the block %s has no parameter '%s'", b->name, n->arg_name[i]);
    }
    if (n_plain(n) > b->n_param)
        return RK_MISTAKE(c, n->span, "the block %s takes %zu arguments, and here are %zu", b->name, b->n_param,
                          n_plain(n));
    return RK_OK;
}

/* Whether it is the body of an operation that takes nothing but axes: position(S). */
static bool takes_labels(const rk_block *blk)
{
    rk_op_id row = rk_op_find(blk->stmt->name);

    return row != RK_N_OP && rk_op_table[row].shape == RK_SHAPE_LABELS;
}

static int bind_scalar(rk_ctx *c, rk_frame *f, const rk_param *p, const rk_node *arg, rk_frame *caller,
                       const rk_block *blk)
{
    rk_bind *b = rk_bind_add(c, f, p->name);
    rk_bind *outer = arg && arg->kind == RK_NODE_NAME && !arg->axes.written ? rk_bind_find(caller, arg->text) : NULL;
    uint32_t label = 0;
    int code = RK_OK;

    if (!b)
        return c->fatal;
    *b = (rk_bind){
        .name = p->name, .kind = RK_BIND_LATER, .node = arg ? arg : p->fallback, .frame = arg ? caller : blk->global};
    /* An axis is one in the body, too, also where this is the first to name it. */
    if (outer && outer->kind != RK_BIND_TENSOR && !outer->label[0] && takes_labels(blk))
        code = rk_label_of_bind(c, outer, 0, arg->span, &label);
    if (code == RK_OK && outer && outer->kind != RK_BIND_TENSOR && outer->label[0])
        b->outer = outer->label[0];
    return code;
}

static int bind_label(rk_ctx *c, rk_frame *f, const rk_axis *ax, const rk_ix *ix, const rk_node *arg)
{
    rk_bind *b = NULL;
    uint32_t label = 0;

    for (size_t i = 0; i < f->bind.n && !b; i++)
        if (strcmp(f->bind.at[i]->name, ax->name) == 0 && f->bind.at[i]->kind != RK_BIND_TENSOR)
            b = f->bind.at[i];
    if (b) {
        rk_frame *here = c->frame;
        int code;

        c->frame = f;
        code = rk_label_of_bind(c, b, ax->primes, ax->span, &label);
        c->frame = here;
        if (code != RK_OK)
            return code;
        if (!b->outer && ax->primes == 0)
            b->outer = ix->label + 1;
        if (!rk_same_size(c, c->label.at[label].size, ix->size))
            return RK_MISTAKE(c, arg->span, "%s does not fit: its axis is %s, but %s of the block has another size",
                              arg->text ? arg->text : "this argument", c->label.at[ix->label].name, ax->name);
        return RK_OK;
    }
    if (!(b = rk_bind_add(c, f, ax->name)))
        return c->fatal;
    rk_i128 value = 0;
    rk_binding at = rk_model_binding(c->model);

    *b = (rk_bind){.name = ax->name, .kind = RK_BIND_LABEL, .outer = ix->label + 1};
    b->scalar = (rk_scalar){.kind = RK_SCALAR_INT, .ex = ix->size};
    b->scalar.known = rk_ex_eval(c->pool, ix->size, &at, &value, NULL) == RK_OK;
    b->scalar.value = value;
    return rk_label_of_bind(c, b, 0, ax->span, &label);
}

static bool has_rest(const rk_axes *axes)
{
    return axes->n > 0 && axes->at[0].kind == RK_AXIS_REST;
}

static int bind_rest(rk_ctx *c, rk_frame *f, const rk_seen *s, size_t n_rest, const rk_node *arg)
{
    rk_ixs rest = {s->axes.at, n_rest};

    if (f->has_rest && !rk_ixs_same(&f->rest, &rest))
        return RK_MISTAKE(c, arg->span, "'..' is %s here, but %s for the first argument", rk_ixs_text(c, &rest),
                          rk_ixs_text(c, &f->rest));
    f->rest = rest;
    f->has_rest = true;
    return RK_OK;
}

/* Under which labels the block sees the tensor: its own, sized by the caller's. */
static int bind_axes(rk_ctx *c, rk_frame *f, const rk_param *p, const rk_seen *s, const rk_node *arg)
{
    size_t rest = has_rest(&p->axes), n_own = p->axes.n - rest, n_rest;
    int code = RK_OK;

    if (s->axes.n < n_own || (!rest && s->axes.n != n_own))
        return RK_MISTAKE(c, arg->span, "this tensor is %s, but the parameter %s has %zu axes",
                          rk_ixs_text(c, &s->axes), p->name, n_own);
    n_rest = s->axes.n - n_own;
    for (size_t i = 0; i < s->axes.n; i++)
        if (s->axes.at[i].kind == RK_IX_AFFINE)
            return RK_MISTAKE(c, arg->span,
                              "this tensor is %s: name it in an equation of its own before a block reads it",
                              rk_ixs_text(c, &s->axes));
    if (rest)
        code = bind_rest(c, f, s, n_rest, arg);
    for (size_t i = 0; i < n_own && code == RK_OK; i++) {
        const rk_axis *ax = &p->axes.at[i + rest];

        if (ax->kind == RK_AXIS_NAME)
            code = bind_label(c, f, ax, &s->axes.at[n_rest + i], arg);
        else if (ax->kind != RK_AXIS_NUMBER)
            code = RK_MISTAKE(c, ax->span, "a parameter's axes are names, numbers, and '..' in front");
    }
    return code;
}

static int bind_tensor(rk_ctx *c, rk_frame *f, const rk_param *p, const rk_node *arg, const rk_seen *s)
{
    rk_frame *here = c->frame;
    rk_bind *b;
    rk_ixs axes;
    int code = bind_axes(c, f, p, s, arg);

    if (code != RK_OK)
        return code;
    c->frame = f;
    code = rk_axes_resolve(c, &p->axes, &axes);
    c->frame = here;
    if (code != RK_OK)
        return code;
    if (!(b = rk_bind_add(c, f, p->name)))
        return c->fatal;
    b->kind = RK_BIND_TENSOR;
    return rk_seen_as(c, s, &axes, arg->span, p->name, &b->seen);
}

static bool is_none(rk_ctx *c, const rk_node *n)
{
    rk_bind *b = n->kind == RK_NODE_NAME && !n->axes.written ? rk_tensor_find(c->frame, n->text) : NULL;

    return n->kind == RK_NODE_NONE || (b && b->kind == RK_BIND_NOTHING);
}

static int bind_nothing(rk_ctx *c, rk_frame *f, const char *name)
{
    rk_bind *b = rk_bind_add(c, f, name);

    if (!b)
        return c->fatal;
    b->kind = RK_BIND_NOTHING;
    return RK_OK;
}

/* Does an expression name what a mistake above has spoilt?  Then there is nothing more to say about it. */
static bool has_spoilt(const rk_ctx *c, const rk_node *n)
{
    const rk_bind *b = n->kind == RK_NODE_NAME ? rk_bind_find(c->frame, n->text) : NULL;

    for (size_t i = 0; i < n->child.n; i++)
        if (has_spoilt(c, n->child.at[i]))
            return true;
    return b && b->kind == RK_BIND_SPOILT;
}

/* Scalars first: the axes of a tensor parameter may be named after one. */
static int bind_scalars(rk_ctx *c, rk_frame *f, const rk_node *n, const rk_block *blk)
{
    const rk_stmt *b = blk->stmt;
    int code = RK_OK;

    for (size_t i = 0; i < b->n_param && code == RK_OK; i++) {
        const rk_param *p = &b->param[i];
        const rk_node *arg = argument(n, p->name, i);

        if (p->axes.written)
            continue;
        if (!arg && !p->fallback)
            return RK_MISTAKE(c, n->span, "the block %s needs the argument '%s'", b->name, p->name);
        if (arg && rk_node_is_tensor(c, arg) && has_spoilt(c, arg))
            return RK_EINPUT;
        if (arg && rk_node_is_tensor(c, arg))
            return RK_MISTAKE(c, arg->span, "'%s' of the block %s is a number or a word, not a tensor", p->name,
                              b->name);
        code = bind_scalar(c, f, p, arg, c->frame, blk);
    }
    return code;
}

/*
 * A norm without a weight names its axis: norm(x, D).  The body of a norm has an optional tensor in that place, and
 * works along the last axis of x, which must be the one that is named.
 */
static bool names_last_axis(rk_ctx *c, const rk_stmt *b, const rk_node *arg, const rk_seen *x)
{
    const rk_block *body = rk_body_find(c, b->name);
    uint32_t label = RK_NONE;

    if (!body || body->stmt != b || arg->kind != RK_NODE_NAME || rk_node_is_tensor(c, arg) || x->axes.n == 0)
        return false;
    return label_argument(c, arg, &label) == RK_OK && label == x->axes.at[x->axes.n - 1].label;
}

static int bind_tensors(rk_ctx *c, rk_frame *f, const rk_node *n, const rk_stmt *b)
{
    rk_seen s = {0};
    int code = RK_OK;

    for (size_t i = 0; i < b->n_param && code == RK_OK; i++) {
        const rk_param *p = &b->param[i];
        const rk_node *arg = argument(n, p->name, i);

        if (!p->axes.written)
            continue;
        if (!arg && !p->fallback)
            return RK_MISTAKE(c, n->span, "the block %s needs the tensor '%s'", b->name, p->name);
        if (!arg || is_none(c, arg)) {
            code = bind_nothing(c, f, p->name);
            continue;
        }
        if (p->fallback && names_last_axis(c, b, arg, &s)) {
            code = bind_nothing(c, f, p->name);
            continue;
        }
        if (!rk_node_is_tensor(c, arg))
            return RK_MISTAKE(c, arg->span, "'%s' of the block %s is a tensor", p->name, b->name);
        code = rk_tensor_eval(c, arg, NULL, false, &s);
        if (code == RK_OK)
            code = bind_tensor(c, f, p, arg, &s);
    }
    return code;
}

static uint32_t outer_label(const rk_frame *f, uint32_t label)
{
    for (size_t i = 0; i < f->bind.n; i++)
        if (f->bind.at[i]->label[0] == label + 1 && f->bind.at[i]->kind != RK_BIND_TENSOR && f->bind.at[i]->outer)
            return f->bind.at[i]->outer - 1;
    return label;
}

/* The result under the caller's labels, where a label of the block stands for one; never two of the same. */
static int back_to_caller(rk_ctx *c, const rk_frame *f, const rk_seen *in, rk_seen *out)
{
    rk_ixs axes = {0};
    rk_seen s = *in;
    int code = RK_OK;

    for (size_t i = 0; i < in->axes.n && code == RK_OK; i++) {
        rk_ix ix = in->axes.at[i];
        uint32_t old = ix.label, new = ix.kind == RK_IX_LABEL ? outer_label(f, old) : old;

        if (new != old && !rk_ixs_has(&axes, new)) {
            ix.label = new;
            if (in->mask.kind != RK_MASK_FULL && in->mask.query == old)
                s.mask.query = new;
            if (in->mask.kind != RK_MASK_FULL && in->mask.key == old)
                s.mask.key = new;
        }
        code = rk_ixs_append(c, &axes, &ix);
    }
    s.axes = axes;
    *out = s;
    return code;
}

static int results(rk_ctx *c, rk_frame *f, const rk_node *n, const rk_stmt *b, rk_seen *out, size_t most, size_t *n_out)
{
    if (b->n_target > most)
        return RK_MISTAKE(c, n->span, "the block %s gives %zu tensors; write as many targets", b->name, b->n_target);
    for (size_t i = 0; i < b->n_target; i++) {
        rk_bind *r = rk_tensor_find(f, b->target[i].name);
        int code;

        if (r && r->kind == RK_BIND_SPOILT)
            return RK_EINPUT;
        if (!r || r->kind != RK_BIND_TENSOR)
            return RK_MISTAKE(c, b->span, "the block %s does not define its result '%s'", b->name, b->target[i].name);
        if ((code = back_to_caller(c, f, &r->seen, &out[i])) != RK_OK)
            return code;
    }
    *n_out = b->n_target;
    return RK_OK;
}

int rk_frame_settled(rk_ctx *c, const rk_frame *f)
{
    int code = RK_OK;

    for (size_t i = 0; i < f->bind.n; i++)
        if (f->bind.at[i]->kind == RK_BIND_TENSOR && f->bind.at[i]->forward)
            code = RK_MISTAKE(c, f->bind.at[i]->span, "'%s' is read one step back, but no equation defines it",
                              f->bind.at[i]->name);
    return code;
}

static int run_block(rk_ctx *c, rk_frame *f, const rk_node *n, rk_block *blk, rk_seen *out, size_t most, size_t *n_out)
{
    rk_frame *here = c->frame;
    rk_mask where = c->where;
    int code;

    f->result_name = blk->stmt->n_target == 1 ? blk->stmt->target[0].name : NULL;
    f->result_row = c->row;
    c->frame = f;
    c->where = (rk_mask){.kind = RK_MASK_FULL};
    blk->open = true;
    c->call_nest++;
    code = rk_body_expand(c, &blk->stmt->body);
    c->call_nest--;
    blk->open = false;
    c->frame = here;
    c->where = where;
    if (code == RK_OK)
        code = rk_frame_settled(c, f);
    return code == RK_OK ? results(c, f, n, blk->stmt, out, most, n_out) : code;
}

static int call_block(rk_ctx *c, const rk_node *n, rk_block *blk, rk_seen *out, size_t most, size_t *n_out)
{
    rk_frame *f;
    int code;

    if (blk->open)
        return RK_MISTAKE(c, n->span, "the block %s uses itself", n->text);
    if (c->call_nest >= RK_CALL_NEST_MAX)
        return RK_MISTAKE(c, n->span, "blocks inside blocks: deeper than %d", RK_CALL_NEST_MAX);
    if ((code = check_keywords(c, n, blk->stmt)) != RK_OK)
        return code;
    if (!(f = rk_frame_new(c, blk->global)))
        return c->fatal;
    f->is_block = true;
    if ((code = bind_scalars(c, f, n, blk)) != RK_OK || (code = bind_tensors(c, f, n, blk->stmt)) != RK_OK)
        return code;
    return run_block(c, f, n, blk, out, most, n_out);
}

/* ---- either -------------------------------------------------------------------------------------------------- */

static int unknown_call(rk_ctx *c, const rk_node *n)
{
    const char *near = NULL;
    size_t least = 3, d;

    for (int i = 0; i < RK_N_OP; i++)
        if (rk_op_table[i].name[0] != '<' && (d = rk_edit_distance(n->text, rk_op_table[i].name, 2)) < least) {
            least = d;
            near = rk_op_table[i].name;
        }
    for (size_t i = 0; i < c->block.n; i++)
        if ((d = rk_edit_distance(n->text, c->block.at[i].stmt->name, 2)) < least) {
            least = d;
            near = c->block.at[i].stmt->name;
        }
    return near ? RK_MISTAKE(c, n->span, "there is no operation or block '%s'; did you mean '%s'?", n->text, near)
                : RK_MISTAKE(c, n->span, "there is no operation or block '%s' (reckon ops lists them)", n->text);
}

int rk_call(rk_ctx *c, const rk_node *n, const rk_ixs *want, rk_seen *out, size_t most, size_t *n_out)
{
    rk_block *body = rk_body_find(c, n->text), *blk = body ? body : rk_block_find(c, n->text);
    rk_op_id row = rk_op_find(n->text);
    rk_ixs axes;
    int code;

    if (n->axes.written && blk && (code = rk_axes_resolve(c, &n->axes, &axes)) != RK_OK)
        return code;
    if (blk)
        code = call_block(c, n, blk, out, most, n_out);
    else if (row == RK_N_OP)
        code = unknown_call(c, n);
    else {
        code = call_op(c, n, row, want, out);
        *n_out = 1;
    }
    if (code == RK_OK && n->axes.written && *n_out == 1 && (!blk ? rk_op_table[row].shape != RK_SHAPE_LABELS : true)) {
        if (!blk && (code = rk_axes_resolve(c, &n->axes, &axes)) != RK_OK)
            return code;
        code = rk_seen_as(c, out, &axes, n->span, n->text, out);
    }
    return code;
}
