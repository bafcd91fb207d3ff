/* SPDX-License-Identifier: MIT */
#include "model/call.h"

#include <string.h>

static int check_keywords(rk_ctx *c, const rk_node *n, const rk_stmt *b)
{
    for (size_t i = 0; n->arg_name && i < n->child.n; i++) {
        bool found = !n->arg_name[i];

        for (size_t k = 0; k < b->n_param && !found; k++) {
            found = strcmp(b->param[k].name, n->arg_name[i]) == 0;
            if (found && rk_call_argument(n, n->arg_name[i], k) != n->child.at[i])
                return RK_MISTAKE(c, n->child.at[i]->span, "the argument '%s' is given twice", n->arg_name[i]);
        }
        if (!found)
            return RK_MISTAKE(c, n->child.at[i]->span, "the block %s has no parameter '%s'", b->name, n->arg_name[i]);
    }
    if (rk_call_n_plain(n) > b->n_param)
        return RK_MISTAKE(c, n->span, "the block %s takes %zu arguments, and here are %zu", b->name, b->n_param,
                          rk_call_n_plain(n));
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
        return c->b.fatal;
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
        if (!rk_same_size(c, c->b.label.at[label].size, ix->size))
            return RK_MISTAKE(c, arg->span, "%s does not fit: its axis is %s, but %s of the block has another size",
                              arg->text ? arg->text : "this argument", c->b.label.at[ix->label].name, ax->name);
        return RK_OK;
    }
    if (!(b = rk_bind_add(c, f, ax->name)))
        return c->b.fatal;
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
        return c->b.fatal;
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
        return c->b.fatal;
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
        const rk_node *arg = rk_call_argument(n, p->name, i);

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
    return rk_call_label_argument(c, arg, &label) == RK_OK && label == x->axes.at[x->axes.n - 1].label;
}

static size_t child_of(const rk_node *n, const rk_node *child)
{
    size_t i = 0;

    while (n->child.at[i] != child)
        i++;
    return i;
}

static int bind_tensors(rk_ctx *c, rk_frame *f, const rk_node *n, const rk_stmt *b)
{
    rk_seen s = {0};
    int code = RK_OK;

    for (size_t i = 0; i < b->n_param && code == RK_OK; i++) {
        const rk_param *p = &b->param[i];
        const rk_node *arg = rk_call_argument(n, p->name, i);

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
        if (c->given_to == n)
            s = c->given[child_of(n, arg)];
        else
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
        code = rk_ixs_append(&c->b, &axes, &ix);
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
    rk_mask where = c->b.where;
    int code;

    f->result_name = blk->stmt->n_target == 1 ? blk->stmt->target[0].name : NULL;
    f->result_row = c->b.row;
    c->frame = f;
    c->b.where = (rk_mask){.kind = RK_MASK_FULL};
    blk->open = true;
    c->call_nest++;
    code = rk_body_expand(c, &blk->stmt->body);
    c->call_nest--;
    blk->open = false;
    c->frame = here;
    c->b.where = where;
    if (code == RK_OK)
        code = rk_frame_settled(c, f);
    return code == RK_OK ? results(c, f, n, blk->stmt, out, most, n_out) : code;
}

int rk_call_block(rk_ctx *c, const rk_node *n, rk_block *blk, rk_seen *out, size_t most, size_t *n_out)
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
        return c->b.fatal;
    f->is_block = true;
    if ((code = bind_scalars(c, f, n, blk)) != RK_OK || (code = bind_tensors(c, f, n, blk->stmt)) != RK_OK)
        return code;
    return run_block(c, f, n, blk, out, most, n_out);
}
