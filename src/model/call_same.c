/* SPDX-License-Identifier: MIT */
#include "model/call.h"
#include "model/refused.h"

#include <string.h>

/* One element rotates: says by which symbol, so that the key after it is found. */
static int lone_element(rk_ctx *c, const rk_node *n, rk_ex arg)
{
    for (size_t i = 0; i < c->symbol.n; i++) {
        const rk_symbol *s = &c->symbol.at[i];
        const char *key = s->factor ? s->factor : s->key;

        if (rk_ex_has_sym(c->pool, arg, s->sym))
            return RK_MISTAKE(c, n->span, "one element cannot rotate, pairs do: %s = 1%s%s%s%s%s", s->name,
                              key ? " (" : "", key ? key : "", key ? ")" : "", s->text ? ", " : "",
                              s->text ? s->text : "");
    }
    return RK_MISTAKE(c, n->span, "one element cannot rotate: pairs do");
}

/* Pairs rotate, and no more elements than the last axis has. */
static int check_rope(rk_ctx *c, const rk_node *n, const rk_seen *in, rk_ex arg)
{
    rk_binding at = rk_model_binding(c->model);
    rk_i128 most = 0, wanted = 0;

    if (rk_ex_eval(c->pool, arg, &at, &wanted, NULL) != RK_OK)
        return RK_OK;
    if (wanted == 1)
        return lone_element(c, n, arg);
    if (rk_ex_eval(c->pool, in->axes.at[in->axes.n - 1].size, &at, &most, NULL) != RK_OK)
        return RK_OK;
    if (wanted <= most)
        return wanted == most && wanted % 2 == 1 ? rk_refused_note_odd_heads(c) : RK_OK;
    return RK_MISTAKE(c, n->span, "more elements rotate than the last axis of %s has", rk_ixs_text(c, &in->axes));
}

/* The type that a word stands for, or RK_N_TYPE. */
rk_type rk_call_type_word(const rk_node *word)
{
    static const char *const name[RK_N_TYPE] = {[RK_TYPE_RUN] = "run",
                                                [RK_TYPE_F32] = "f32",
                                                [RK_TYPE_LOW] = "low",
                                                [RK_TYPE_EXACT] = "exact",
                                                [RK_TYPE_EXACT_LOW] = "exact_low"};
    size_t type = 0;

    while (type < RK_N_TYPE &&
           !(word && word->kind == RK_NODE_NAME && name[type] && strcmp(word->text, name[type]) == 0))
        type++;
    return (rk_type)type;
}

/*
 * cast(x, f32): numbers of four bytes; cast(x, run): of the type in which the model runs; cast(x, y): of that of y;
 * cast(x, f32, S): step by step along an axis
 */
static int cast_type(rk_ctx *c, const rk_node *n, const rk_node *word, size_t *out)
{
    *out = rk_call_type_word(word);
    if (*out < RK_N_TYPE)
        return RK_OK;
    return RK_MISTAKE(c, n->span, "cast takes a tensor and a type: f32, or run for the one in which the model runs");
}

static int cast_steps(rk_ctx *c, const rk_node *axis, rk_op *op)
{
    uint32_t label = RK_NONE;
    int code = rk_call_label_argument(c, axis, &label);

    if (code == RK_OK && !rk_ixs_has(&op->in[0].axes, label))
        return RK_MISTAKE(c, axis->span, "the tensor %s has no axis %s", rk_ixs_text(c, &op->in[0].axes),
                          c->b.label.at[label].name);
    return code == RK_OK ? rk_op_labels(c, op, &label, 1) : code;
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
        const rk_node *number = rk_call_argument(n, NULL, i);
        rk_scalar s = {0};
        int code = number ? rk_scalar_eval(c, c->frame, number, &s) : RK_OK;

        if (code != RK_OK)
            return code;
        if (s.kind != RK_SCALAR_INT && s.kind != RK_SCALAR_REAL)
            return RK_MISTAKE(c, n->span, "clamp takes a tensor and two numbers: the least and the largest");
    }
    return RK_OK;
}

bool rk_op_is_cast(rk_op_id row)
{
    return row == RK_OP_CAST || row == RK_OP_CAST_PACKED;
}

/* f(x), f(x, number), f(x, number, number) */
int rk_call_same(rk_ctx *c, const rk_node *n, rk_op_id row, const rk_ixs *want, rk_seen *out)
{
    rk_seen in = {0}, like = {0};
    rk_ex arg = RK_EX_FAILED;
    size_t type = 0;
    double real = 0;
    const rk_node *more = rk_call_argument(n, NULL, 1);
    bool is_like = rk_op_is_cast(row) && more && rk_node_is_tensor(c, more);
    int code = rk_call_first_tensor(c, n, want, &in);

    if (code == RK_OK && row == RK_OP_CLAMP)
        code = clamp_numbers(c, n);
    else if (code == RK_OK && n->child.n > 2 && !rk_op_is_cast(row))
        return RK_MISTAKE(c, n->span, "%s takes a tensor and at most one number", n->text);
    if (code == RK_OK && row == RK_OP_ROPE && in.axes.n == 0)
        return rk_call_needs_axis(c, n);
    if (code == RK_OK && more && (row == RK_OP_ROPE || row == RK_OP_BEST))
        code = rk_scalar_size(c, c->frame, more, &arg);
    if (code == RK_OK && is_like)
        code = rk_tensor_eval(c, more, NULL, false, &like);
    else if (code == RK_OK && rk_op_is_cast(row))
        code = cast_type(c, n, more, &type);
    if (code == RK_OK && row == RK_OP_POWER)
        code = power_number(c, n, more, &real);
    if (code != RK_OK)
        return code;
    rk_op *op = rk_build_op(&c->b, row, (rk_seen[]){in, like}, is_like ? 2 : 1, &in.axes, out);

    if (!op)
        return c->b.fatal;
    if (row == RK_OP_ROPE && arg == RK_EX_FAILED)
        arg = in.axes.at[in.axes.n - 1].size;
    op->arg = arg;
    op->which = type;
    op->real = row == RK_OP_POWER ? real : op->real;
    if (rk_op_is_cast(row) && rk_call_argument(n, NULL, 2))
        return cast_steps(c, rk_call_argument(n, NULL, 2), op);
    return row == RK_OP_ROPE ? check_rope(c, n, &in, arg) : RK_OK;
}
