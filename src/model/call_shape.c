/* SPDX-License-Identifier: MIT */
#include "model/call.h"

#include <string.h>

/* lookup(index, table[V D]) */
int rk_call_lookup(rk_ctx *c, const rk_node *n, rk_seen *out)
{
    rk_seen in[2];
    rk_ixs axes = {0};
    int code = rk_call_first_tensor(c, n, NULL, &in[0]);

    if (code == RK_OK && (n->child.n != 2 || !rk_node_is_tensor(c, n->child.at[1])))
        return RK_MISTAKE(c, n->span, "lookup takes the numbers and the table: lookup(ids, .weight[V D])");
    if (code == RK_OK)
        code = rk_tensor_eval(c, n->child.at[1], NULL, false, &in[1]);
    if (code == RK_OK && in[1].axes.n < 2)
        return RK_MISTAKE(c, n->child.at[1]->span, "a table has two axes or more");
    for (size_t i = 0; i < in[0].axes.n && code == RK_OK; i++)
        code = rk_ixs_append(&c->b, &axes, &in[0].axes.at[i]);
    for (size_t i = 1; code == RK_OK && i < in[1].axes.n; i++)
        code = rk_ixs_append(&c->b, &axes, &in[1].axes.at[i]);
    if (code != RK_OK)
        return code;
    c->b.tensor.at[in[0].tensor].is_index = true;
    return rk_build_op(&c->b, RK_OP_LOOKUP, in, 2, &axes, out) ? RK_OK : c->b.fatal;
}

/* take_along(places, x): the last axis of x replaced by the last one of places, whose others are axes of x */
int rk_call_take(rk_ctx *c, const rk_node *n, rk_op_id row, rk_seen *out)
{
    rk_seen in[2];
    rk_ixs axes;
    int code = rk_call_first_tensor(c, n, NULL, &in[0]);

    if (code == RK_OK && (n->child.n != 2 || !rk_node_is_tensor(c, n->child.at[1]) || in[0].axes.n == 0))
        return RK_MISTAKE(c, n->span, "%s takes the places and what they are places of", n->text);
    if (code == RK_OK)
        code = rk_tensor_eval(c, n->child.at[1], NULL, false, &in[1]);
    if (code == RK_OK && (in[1].axes.n == 0 || in[1].axes.at[in[1].axes.n - 1].kind == RK_IX_AFFINE))
        return rk_call_needs_plain(c, n, &in[1]);
    if (code == RK_OK)
        code = rk_ixs_without(c, &in[1].axes, in[1].axes.at[in[1].axes.n - 1].label, &axes);
    for (size_t i = 0; code == RK_OK && i + 1 < in[0].axes.n; i++)
        if (!rk_ixs_has(&axes, in[0].axes.at[i].label))
            return RK_MISTAKE(c, n->span, "the places of %s have an axis that what they choose from lacks", n->text);
    if (code == RK_OK)
        code = rk_ixs_append(&c->b, &axes, &in[0].axes.at[in[0].axes.n - 1]);
    if (code != RK_OK)
        return code;
    c->b.tensor.at[in[0].tensor].is_index = true;
    return rk_build_op(&c->b, row, in, 2, &axes, out) ? RK_OK : c->b.fatal;
}

/* route(scores, A): the last axis replaced by A */
int rk_call_choose(rk_ctx *c, const rk_node *n, rk_op_id row, rk_seen *out)
{
    rk_seen in;
    rk_ixs axes;
    uint32_t label = 0;
    const rk_node *more = rk_call_argument(n, NULL, 1);
    int code = rk_call_first_tensor(c, n, NULL, &in);

    if (code == RK_OK && (!more || in.axes.n == 0))
        return RK_MISTAKE(c, n->span, "%s takes scores and the name of the axis of those chosen", n->text);
    if (code == RK_OK && in.axes.at[in.axes.n - 1].kind == RK_IX_AFFINE)
        return rk_call_needs_plain(c, n, &in);
    if (code == RK_OK)
        code = rk_call_label_argument(c, more, &label);
    if (code == RK_OK)
        code = rk_ixs_without(c, &in.axes, in.axes.at[in.axes.n - 1].label, &axes);
    if (code != RK_OK)
        return code;
    rk_ix chosen = rk_ix_of_label(c, label);

    if ((code = rk_ixs_append(&c->b, &axes, &chosen)) != RK_OK)
        return code;
    rk_op *op = rk_build_op(&c->b, row, &in, 1, &axes, out);

    return op ? rk_op_labels(c, op, &label, 1) : c->b.fatal;
}

/* Of tables, a word after the axes that is no axis: their type. */
static rk_type table_word(const rk_node *word)
{
    rk_type type = rk_call_type_word(word);

    return type == RK_TYPE_F32 || type == RK_TYPE_LOW ? type : RK_N_TYPE;
}

/* position(S), zeros(N, X), rope_table(R, S), rope_table(R, S, f32): R is a number */
int rk_call_labels(rk_ctx *c, const rk_node *n, rk_op_id row, rk_seen *out)
{
    rk_ixs axes = {0};
    rk_ex arg = RK_EX_FAILED;
    size_t first = rk_op_table[row].class == RK_CLASS_ROTARY_TABLE, end = n->child.n;
    rk_type type = first && end > 0 ? table_word(n->child.at[end - 1]) : RK_N_TYPE;
    int code = RK_OK;

    end -= type != RK_N_TYPE;
    if (first && end < 2)
        return RK_MISTAKE(c, n->span, "%s takes how many elements rotate, and the axes of positions: %s(H, S)", n->text,
                          n->text);
    if (first)
        code = rk_scalar_size(c, c->frame, n->child.at[0], &arg);
    for (size_t i = first; i < end && code == RK_OK; i++) {
        uint32_t label = 0;

        code = rk_call_label_argument(c, n->child.at[i], &label);
        rk_ix ix = code == RK_OK ? rk_ix_of_label(c, label) : (rk_ix){0};

        if (code == RK_OK)
            code = rk_ixs_append(&c->b, &axes, &ix);
    }
    if (code == RK_OK && n->axes.written)
        code = rk_axes_plain(c, &n->axes, &axes);
    if (code != RK_OK)
        return code;
    rk_op *op = rk_build_op(&c->b, row, NULL, 0, &axes, out);

    if (!op)
        return c->b.fatal;
    op->arg = arg;
    op->which = type == RK_N_TYPE ? RK_TYPE_RUN : type;
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
                return rk_fatal_memory(&c->b);
            *term = (rk_ix_term){.factor = 1, .label = ix.label};
            ix = (rk_ix){.kind = RK_IX_AFFINE,
                         .label = RK_NONE,
                         .term = term,
                         .n_term = 1,
                         .size = in->axes.at[i].size,
                         .offset = rk_ex_int(c->pool, 0)};
        }
        code = rk_ixs_append(&c->b, &axes, &ix);
    }
    in->axes = axes;
    return code;
}

static int check_target(rk_ctx *c, const rk_node *n, const rk_seen *in, const rk_ixs *want)
{
    for (size_t i = 0; i < in->axes.n; i++) {
        const rk_ix *ix = &in->axes.at[i];
        rk_i128 one = 0;

        if (ix->kind != RK_IX_AFFINE && !rk_ixs_has(want, ix->label) &&
            !(rk_ex_is_int(c->pool, ix->size, &one) && one == 1))
            return RK_MISTAKE(c, n->span, "%s stands in the argument of %s, but not on the left",
                              c->b.label.at[ix->label].name, n->text);
    }
    return RK_OK;
}

/* copies(x), first(x, S), gather(list, x) */
int rk_call_target(rk_ctx *c, const rk_node *n, rk_op_id row, const rk_ixs *want, rk_seen *out)
{
    rk_seen in[2];
    size_t n_in = row == RK_OP_GATHER ? 2 : 1;
    int code;

    if (!want)
        return RK_MISTAKE(c, n->span, "%s needs a left side with its axes", n->text);
    if ((code = rk_call_first_tensor(c, n, NULL, &in[0])) != RK_OK)
        return code;
    if (n_in == 2 && (n->child.n != 2 || !rk_node_is_tensor(c, n->child.at[1])))
        return RK_MISTAKE(c, n->span, "%s takes the list and what it chooses from", n->text);
    if (n_in == 2 && (code = rk_tensor_eval(c, n->child.at[1], NULL, false, &in[1])) != RK_OK)
        return code;
    if (n_in == 2)
        c->b.tensor.at[in[0].tensor].is_index = true;
    if (row == RK_OP_FIRST && (code = first_axes(c, n, want, &in[0])) != RK_OK)
        return code;
    for (size_t i = 0; i < n_in && code == RK_OK; i++)
        code = check_target(c, n, &in[i], want);
    if (code != RK_OK)
        return code;
    return rk_build_op(&c->b, row, in, n_in, want, out) ? RK_OK : c->b.fatal;
}

/* solve(a, b), place(a, b): as the second */
int rk_call_second(rk_ctx *c, const rk_node *n, rk_op_id row, const rk_ixs *want, rk_seen *out)
{
    rk_seen in[2];
    int code = rk_call_first_tensor(c, n, NULL, &in[0]);

    if (code == RK_OK && n->child.n != 2)
        return RK_MISTAKE(c, n->span, "%s takes two tensors", n->text);
    if (code == RK_OK)
        code = rk_tensor_eval(c, n->child.at[1], want, false, &in[1]);
    if (code == RK_OK && row == RK_OP_SOLVE && in[0].axes.n == 0)
        return rk_call_needs_axis(c, n);
    if (code != RK_OK)
        return code;
    return rk_build_op(&c->b, row, in, 2, &in[1].axes, out) ? RK_OK : c->b.fatal;
}

int rk_call_half(rk_ctx *c, const rk_node *n, rk_op_id row, rk_seen *out)
{
    rk_seen in;
    rk_ixs axes;
    rk_i128 two = 0;
    int code = rk_call_first_tensor(c, n, NULL, &in);

    if (code != RK_OK)
        return code;
    if (in.axes.n == 0 || !rk_ex_is_int(c->pool, in.axes.at[in.axes.n - 1].size, &two) || two != 2)
        return RK_MISTAKE(c, n->span, "%s needs a last axis of 2", n->text);
    axes = (rk_ixs){in.axes.at, in.axes.n - 1};
    return rk_build_op(&c->b, row, &in, 1, &axes, out) ? RK_OK : c->b.fatal;
}

/* sdpa(q, k, v), sdpa(q, k, v, mask): a row of q for each row of v that it reads; the mask is added to the scores */
int rk_call_attend(rk_ctx *c, const rk_node *n, rk_op_id row, rk_seen *out)
{
    rk_seen in[4];
    rk_ixs axes = {0};
    uint32_t last;
    size_t n_in = n->child.n > 3 ? 4 : 3;
    int code = RK_OK;

    for (size_t i = 0; i < n_in && code == RK_OK; i++) {
        if (i >= n->child.n || !rk_node_is_tensor(c, n->child.at[i]))
            return RK_MISTAKE(c, n->span, "sdpa takes queries, keys and values");
        code = rk_tensor_eval(c, n->child.at[i], NULL, false, &in[i]);
        if (code == RK_OK && in[i].axes.n == 0)
            return rk_call_needs_axis(c, n);
    }
    if (code != RK_OK)
        return code;
    last = in[0].axes.at[in[0].axes.n - 1].label;
    for (size_t i = 0; i + 1 < in[0].axes.n && code == RK_OK; i++)
        code = rk_ixs_append(&c->b, &axes, &in[0].axes.at[i]);
    if (code == RK_OK)
        code = rk_ixs_append(&c->b, &axes, &in[2].axes.at[in[2].axes.n - 1]);
    if (code != RK_OK)
        return code;
    rk_op *op = rk_build_op(&c->b, row, in, n_in, &axes, out);

    return op ? rk_op_labels(c, op, &last, 1) : c->b.fatal;
}

/* cross_entropy(logits, labels): what it compares with is taken as given */
int rk_call_scalar(rk_ctx *c, const rk_node *n, rk_op_id row, rk_seen *out)
{
    rk_seen in;
    rk_ixs none = {0};
    int code = rk_call_first_tensor(c, n, NULL, &in);

    if (code != RK_OK)
        return code;
    return rk_build_op(&c->b, row, &in, 1, &none, out) ? RK_OK : c->b.fatal;
}
