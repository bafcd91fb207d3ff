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
        return 3;
    case RK_SHAPE_ATTEND:
        return 4;
    case RK_SHAPE_LABELS:
        return RK_AXES_MAX;
    case RK_SHAPE_HALF:
        return 1;
    case RK_SHAPE_TARGET:
        return row == RK_OP_FIRST || row == RK_OP_GATHER ? 2 : 1;
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
    case RK_SHAPE_TAKE:
        return rk_call_take(c, n, row, out);
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

/* ---- the trace ----------------------------------------------------------------------------------------------- */

void rk_call_argument_seen(rk_ctx *c, const rk_node *n, const rk_seen *s)
{
    rk_trace_call *call = &c->b.call.at[c->call - 1];

    for (size_t i = 0; i < call->node->child.n; i++)
        if (call->node->child.at[i] == n) {
            call->arg[i] = *s;
            call->event = c->b.event.n;
            call->first_op = c->b.op.n;
        }
}

/* One more than the number of the call; 0: memory ran out. */
static uint32_t begin_call(rk_ctx *c, const rk_node *n)
{
    rk_trace_call *call = RK_PUSH(c->a, &c->b.call);
    rk_seen *arg = call ? RK_NEW_ARRAY(c->a, n->child.n + 1, rk_seen) : NULL;

    if (!arg) {
        rk_fatal_memory(&c->b);
        return 0;
    }
    for (size_t i = 0; i < n->child.n; i++)
        arg[i].tensor = RK_NONE;
    *call = (rk_trace_call){.node = n,
                            .frame = c->frame,
                            .prefix = c->prefix,
                            .row = c->b.row,
                            .span = c->b.span,
                            .part = c->b.part,
                            .group = c->b.group,
                            .nest = c->call_nest,
                            .event = c->b.event.n,
                            .first_op = c->b.op.n,
                            .arg = arg};
    return (uint32_t)c->b.call.n;
}

/* What was there before the call is not told apart from its result by its tensor. */
static int name_alias(rk_ctx *c, size_t first_op, rk_seen *s)
{
    const rk_tensor *t = &c->b.tensor.at[s->tensor];
    rk_trace_alias *alias;

    if (t->kind == RK_TENSOR_RESULT && t->producer != RK_NONE && t->producer >= first_op)
        return RK_OK;
    if (!(alias = RK_PUSH(c->a, &c->b.alias)))
        return rk_fatal_memory(&c->b);
    *alias = (rk_trace_alias){s->tensor, s->alias};
    s->alias = (uint32_t)c->b.alias.n;
    return RK_OK;
}

/* A tensor that an operation has no use for, as the labels of a loss, is known by its name. */
static void note_unread(rk_ctx *c, const rk_trace_call *call)
{
    for (size_t i = 0; i < call->node->child.n; i++) {
        const rk_node *n = call->node->child.at[i];
        const rk_bind *b = n->kind == RK_NODE_NAME && !n->axes.written ? rk_tensor_find(c->frame, n->text) : NULL;

        if (call->arg[i].tensor == RK_NONE && b && b->kind == RK_BIND_TENSOR)
            call->arg[i] = b->seen;
    }
}

/* That a call begins is known when its arguments have been evaluated, and noted when it has ended. */
static void note_call(rk_ctx *c, uint32_t number)
{
    const rk_trace_call *call = &c->b.call.at[number - 1];
    rk_trace_event begin = {.kind = RK_TRACE_CALL,
                            .at = (uint32_t)call->first_op,
                            .which = number - 1,
                            .part = call->part,
                            .group = call->group};

    rk_build_note(&c->b, (rk_trace_event){.kind = RK_TRACE_CALLED, .which = number - 1});
    rk_build_note(&c->b, begin);
    if (c->b.fatal)
        return;
    memmove(&c->b.event.at[call->event + 1], &c->b.event.at[call->event],
            (c->b.event.n - 1 - call->event) * sizeof *c->b.event.at);
    c->b.event.at[call->event] = begin;
}

static int end_call(rk_ctx *c, uint32_t number, rk_seen *out, size_t n_out)
{
    rk_trace_call *call = &c->b.call.at[number - 1];
    int code = RK_OK;

    call->result = RK_NEW_ARRAY(c->a, n_out + 1, rk_seen);
    if (!call->result)
        return rk_fatal_memory(&c->b);
    for (size_t i = 0; i < n_out && code == RK_OK; i++) {
        code = name_alias(c, call->first_op, &out[i]);
        call->result[i] = out[i];
    }
    call->n_result = n_out;
    note_unread(c, call);
    note_call(c, number);
    return code == RK_OK ? c->b.fatal : code;
}

static int call_either(rk_ctx *c, const rk_node *n, rk_block *blk, const rk_ixs *want, rk_seen *out, size_t most,
                       size_t *n_out)
{
    rk_op_id row = rk_op_find(n->text);

    if (blk)
        return rk_call_block(c, n, blk, out, most, n_out);
    *n_out = 1;
    return row == RK_N_OP ? unknown_call(c, n) : call_op(c, n, row, want, out);
}

int rk_call(rk_ctx *c, const rk_node *n, const rk_ixs *want, rk_seen *out, size_t most, size_t *n_out)
{
    rk_block *body = rk_body_find(c, n->text), *blk = body ? body : rk_block_find(c, n->text);
    rk_op_id row = rk_op_find(n->text);
    uint32_t outer = c->call;
    rk_ixs axes;
    int code;

    if (n->axes.written && blk && (code = rk_axes_resolve(c, &n->axes, &axes)) != RK_OK)
        return code;
    c->call = c->body.n ? 0 : begin_call(c, n); /* what is written out in bodies is not written out again */
    code = c->b.fatal ? c->b.fatal : call_either(c, n, blk, want, out, most, n_out);
    if (code == RK_OK && c->call)
        code = end_call(c, c->call, out, *n_out);
    c->call = outer;
    if (code == RK_OK && n->axes.written && *n_out == 1 && (!blk ? rk_op_table[row].shape != RK_SHAPE_LABELS : true)) {
        if (!blk && (code = rk_axes_resolve(c, &n->axes, &axes)) != RK_OK)
            return code;
        code = rk_seen_as(c, out, &axes, n->span, n->text, out);
    }
    return code;
}
