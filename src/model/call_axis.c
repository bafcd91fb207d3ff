/* SPDX-License-Identifier: MIT */
#include "model/call.h"

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
        if (rk_same_size(c, rk_ixs_count(c->pool, &tail), rk_ixs_count(c->pool, &w->axes)))
            return rk_seen_as(c, w, &tail, n->span, "the norm's weight", w);
    }
    return RK_MISTAKE(c, n->span, "the norm's weight is %s, the input ends in %s", rk_ixs_text(c, &w->axes),
                      rk_ixs_text(c, &x->axes));
}

static int norm_axes(rk_ctx *c, const rk_node *n, const rk_seen *in, size_t n_in, uint32_t *label, size_t *n_label)
{
    const rk_node *more = rk_call_argument(n, NULL, 1);

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
        int code = rk_call_label_argument(c, n->child.at[i], &label[(*n_label)++]);

        if (code != RK_OK)
            return code;
    }
    return RK_OK;
}

/* norm(x, weight, bias), norm(x, D), norm(x): over the axes of the weight, the axes named, the last one. */
int rk_call_norm(rk_ctx *c, const rk_node *n, rk_op_id row, const rk_ixs *want, rk_seen *out)
{
    rk_seen in[3];
    uint32_t label[RK_AXES_MAX];
    size_t n_in = 1, n_label = 0;
    int code = rk_call_first_tensor(c, n, want, &in[0]);

    if (code == RK_OK && in[0].axes.n == 0)
        return rk_call_needs_axis(c, n);
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
            return rk_call_needs_plain(c, n, &in[0]);
        else if (!rk_ixs_has(&in[0].axes, label[i]))
            return RK_MISTAKE(c, n->span, "the input %s has no axis %s", rk_ixs_text(c, &in[0].axes),
                              c->b.label.at[label[i]].name);
    rk_op *op = rk_build_op(&c->b, row, in, n_in, &in[0].axes, out);

    return op ? rk_op_labels(c, op, label, n_label) : c->b.fatal;
}

static int axis_of(rk_ctx *c, const rk_node *n, const rk_seen *in, uint32_t *label)
{
    const rk_node *more = rk_call_argument(n, NULL, 1);
    int code = RK_OK;

    if (in->axes.n == 0)
        return rk_call_needs_axis(c, n);
    *label = in->axes.at[in->axes.n - 1].label;
    if (more)
        code = rk_call_label_argument(c, more, label);
    else if (*label == RK_NONE)
        return rk_call_needs_plain(c, n, in);
    if (code == RK_OK && !rk_ixs_has(&in->axes, *label))
        return RK_MISTAKE(c, more->span, "the tensor %s has no axis %s", rk_ixs_text(c, &in->axes),
                          c->b.label.at[*label].name);
    return code;
}

int rk_ixs_without(rk_ctx *c, const rk_ixs *axes, uint32_t label, rk_ixs *out)
{
    int code = RK_OK;

    *out = (rk_ixs){0};
    for (size_t i = 0; i < axes->n && code == RK_OK; i++)
        if (axes->at[i].label != label)
            code = rk_ixs_append(&c->b, out, &axes->at[i]);
    return code;
}

/* softmax(x, T), sum(x, A), mean(x, S) */
int rk_call_axis(rk_ctx *c, const rk_node *n, rk_op_id row, const rk_ixs *want, rk_seen *out)
{
    rk_seen in = {0};
    rk_ixs axes;
    uint32_t label = 0;
    bool reduce = rk_op_table[row].shape == RK_SHAPE_REDUCE;
    int code = rk_call_first_tensor(c, n, reduce ? NULL : want, &in);

    if (code == RK_OK)
        code = axis_of(c, n, &in, &label);
    axes = in.axes;
    if (code == RK_OK && reduce)
        code = rk_ixs_without(c, &in.axes, label, &axes);
    if (code != RK_OK)
        return code;
    rk_op *op = rk_build_op(&c->b, row, &in, 1, &axes, out);

    return op ? rk_op_labels(c, op, &label, 1) : c->b.fatal;
}
