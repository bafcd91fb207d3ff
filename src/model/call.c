/* SPDX-License-Identifier: MIT */
#include "model/call.h"

#include <string.h>

/* ---- arguments ----------------------------------------------------------------------------------------------- */

/* The argument for a parameter: by its keyword, or by its place among those without one. */
const rk_node *rk_call_argument(const rk_node *call, const char *name, size_t place)
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

size_t rk_call_n_plain(const rk_node *call)
{
    size_t k = 0;

    for (size_t i = 0; i < call->child.n; i++)
        k += !call->arg_name || !call->arg_name[i];
    return k;
}

int rk_call_label_argument(rk_ctx *c, const rk_node *n, uint32_t *out)
{
    if (n->kind != RK_NODE_NAME || n->axes.written)
        return RK_MISTAKE(c, n->span, "the name of an axis is needed here");
    return rk_label_spelt(c, n->text, n->span, out);
}

int rk_op_labels(rk_ctx *c, rk_op *op, const uint32_t *label, size_t n)
{
    op->label = RK_NEW_ARRAY(c->a, n ? n : 1, uint32_t);
    if (!op->label)
        return rk_fatal_memory(&c->b);
    if (n)
        memcpy(op->label, label, n * sizeof *label);
    op->n_label = n;
    return RK_OK;
}

int rk_call_first_tensor(rk_ctx *c, const rk_node *n, const rk_ixs *want, rk_seen *out)
{
    const rk_node *x = n->child.n ? n->child.at[0] : NULL;

    /* A name that nothing defines is most likely a misspelt tensor: reading it says so. */
    if (x && x->kind == RK_NODE_NAME && !rk_bind_find(c->frame, x->text))
        return rk_tensor_eval(c, x, want, false, out);
    if (!x || !rk_node_is_tensor(c, x))
        return RK_MISTAKE(c, n->span, "%s needs a tensor as its first argument", n->text);
    return rk_tensor_eval(c, n->child.at[0], want, false, out);
}

int rk_call_needs_axis(rk_ctx *c, const rk_node *n)
{
    return RK_MISTAKE(c, n->span, "%s needs a tensor with an axis", n->text);
}

/* An axis read at computed places is none to work along. */
int rk_call_needs_plain(rk_ctx *c, const rk_node *n, const rk_seen *in)
{
    return RK_MISTAKE(c, n->span, "%s works along plain axes, and here it is given %s", n->text,
                      rk_ixs_text(c, &in->axes));
}

/* ---- either -------------------------------------------------------------------------------------------------- */

/* How many arguments an operation takes at most, by its index rule. */
static size_t most_arguments(rk_op_id row)
{
    switch (rk_op_table[row].shape) {
    case RK_SHAPE_SAME:
        if (row == RK_OP_CLAMP || rk_op_is_cast(row))
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
        return rk_call_same(c, n, row, want, out);
    case RK_SHAPE_NORM:
        return rk_call_norm(c, n, row, want, out);
    case RK_SHAPE_ALONG:
    case RK_SHAPE_REDUCE:
        return rk_call_axis(c, n, row, want, out);
    case RK_SHAPE_LOOKUP:
        return rk_call_lookup(c, n, out);
    case RK_SHAPE_CHOOSE:
        return rk_call_choose(c, n, row, out);
    case RK_SHAPE_LABELS:
        return rk_call_labels(c, n, row, out);
    case RK_SHAPE_TARGET:
        return rk_call_target(c, n, row, want, out);
    case RK_SHAPE_SOLVE:
    case RK_SHAPE_PLACE:
        return rk_call_second(c, n, row, want, out);
    case RK_SHAPE_ATTEND:
        return rk_call_attend(c, n, row, out);
    case RK_SHAPE_HALF:
        return rk_call_half(c, n, row, out);
    case RK_SHAPE_SCALAR:
        return rk_call_scalar(c, n, row, out);
    case RK_SHAPE_PRODUCT:
    case RK_SHAPE_UNION:
        break;
    }
    return RK_MISTAKE(c, n->span, "'%s' has a notation of its own", n->text);
}

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
        code = rk_call_block(c, n, blk, out, most, n_out);
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
