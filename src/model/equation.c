/* SPDX-License-Identifier: MIT */
#include "model/expand.h"

#include <string.h>

/* ---- assigning ----------------------------------------------------------------------------------------------- */

static rk_bind *assigned(rk_ctx *c, const char *name)
{
    rk_bind *b = rk_tensor_find(c->frame, name);

    return b ? b : rk_bind_add(c, c->frame, name);
}

/* Operations that read the variable before it existed now read its tensor. */
static int settle_forward(rk_ctx *c, rk_bind *b, const rk_seen *s, rk_span span)
{
    uint32_t old = b->seen.tensor;

    for (size_t i = b->since; i < c->b.op.n; i++)
        for (size_t k = 0; k < c->b.op.at[i].n_in; k++) {
            rk_operand *in = &c->b.op.at[i].in[k];
            rk_seen read;

            if (in->tensor != old)
                continue;
            if (rk_seen_as(c, s, &in->axes, span, b->name, &read) != RK_OK)
                return c->b.fatal ? c->b.fatal : RK_EINPUT;
            *in = (rk_operand){.tensor = s->tensor, .alias = s->alias, .axes = read.axes};
        }
    return RK_OK;
}

void rk_named_end(rk_ctx *c, size_t first)
{
    for (size_t i = first; i < c->named.n; i++)
        rk_build_until(&c->b, c->named.at[i].tensor, c->named.at[i].alias);
    c->named.n = first;
}

/* The variable has another tensor from here on. */
static int name_tensor(rk_ctx *c, const rk_bind *b)
{
    rk_named_tensor *slot;

    for (size_t i = c->named.n; i > 0; i--)
        if (c->named.at[i - 1].bind == b) {
            rk_build_until(&c->b, c->named.at[i - 1].tensor, c->named.at[i - 1].alias);
            c->named.at[i - 1].tensor = b->seen.tensor;
            c->named.at[i - 1].alias = b->seen.alias;
            return RK_OK;
        }
    if (!(slot = RK_PUSH(c->a, &c->named)))
        return rk_fatal_memory(&c->b);
    *slot = (rk_named_tensor){b, b->seen.tensor, b->seen.alias};
    return RK_OK;
}

static int assign_seen(rk_ctx *c, const rk_target *t, const rk_seen *s)
{
    rk_bind *b = assigned(c, t->name);
    bool forward = b && b->kind == RK_BIND_TENSOR && b->forward;
    int code = RK_OK;

    if (!b)
        return c->b.fatal;
    if (forward)
        code = settle_forward(c, b, s, t->span);
    b->kind = RK_BIND_TENSOR;
    b->seen = *s;
    b->forward = false;
    b->span = t->span;
    return code == RK_OK && c->call_nest == 0 ? name_tensor(c, b) : code;
}

static bool has_affine(const rk_ixs *axes)
{
    for (size_t i = 0; i < axes->n; i++)
        if (axes->at[i].kind == RK_IX_AFFINE || axes->at[i].kind == RK_IX_ROUTED)
            return true;
    return false;
}

/* Gives a value the axes of its target: as it is, in another order, or regrouped. */
static int shape_as(rk_ctx *c, const rk_seen *s, const rk_ixs *want, rk_span span, const char *name, rk_seen *out)
{
    if (rk_ixs_same(&s->axes, want)) {
        *out = *s;
        return RK_OK;
    }
    if (rk_ixs_same_set(&s->axes, want) || has_affine(&s->axes))
        return rk_elementwise(c, RK_OP_VIEW, s, 1, want, out) == RK_OK ? rk_seen_as(c, out, want, span, name, out)
                                                                       : RK_EINPUT;
    return rk_seen_as(c, s, want, span, name, out);
}

static void spoil(rk_ctx *c, const char *name)
{
    rk_bind *b = assigned(c, name);

    if (b)
        b->kind = RK_BIND_SPOILT;
}

/* ---- several targets ----------------------------------------------------------------------------------------- */

/* A sum axis with that many parts, wherever it stands in the expression: in axes, inside groups. */
static rk_axis *find_sum_axis(const rk_axes *axes, size_t n_part)
{
    for (size_t i = 0; i < axes->n; i++) {
        rk_axis *ax = &axes->at[i], *in = NULL;

        if (ax->kind == RK_AXIS_SUM && ax->n_part == n_part)
            return ax;
        for (size_t k = 0; k < ax->n_part && !in; k++)
            in = find_sum_axis(&ax->part[k], n_part);
        if (in)
            return in;
    }
    return NULL;
}

static rk_axis *find_sum(const rk_node *n, size_t n_part)
{
    rk_axis *ax = find_sum_axis(&n->axes, n_part);

    for (size_t i = 0; i < n->child.n && !ax; i++)
        ax = find_sum(n->child.at[i], n_part);
    return ax;
}

/* Does `target` read  before + part + after,  with the part at place p? Axes of one element may be left out. */
static bool fits(const rk_ctx *c, const rk_ixs *target, size_t p, const rk_ixs *part, size_t *length)
{
    size_t k = 0;

    for (size_t i = 0; i < part->n; i++) {
        rk_i128 n = 0;
        bool one = rk_ex_is_int(c->pool, part->at[i].size, &n) && n == 1;

        if (p + k < target->n && target->at[p + k].label == part->at[i].label)
            k++;
        else if (!one)
            return false;
    }
    *length = k;
    return true;
}

static bool same_around(const rk_ixs *a, size_t pa, size_t la, const rk_ixs *b, size_t pb, size_t lb)
{
    if (pa != pb || a->n - pa - la != b->n - pb - lb)
        return false;
    for (size_t i = 0; i < pa; i++)
        if (a->at[i].label != b->at[i].label)
            return false;
    for (size_t i = 0; i + pa + la < a->n; i++)
        if (a->at[pa + la + i].label != b->at[pb + lb + i].label)
            return false;
    return true;
}

typedef struct split {
    rk_ixs *target; /* axes of each target; n = 0 and dropped for _ */
    const rk_target *t;
    size_t n;
    rk_ix sum;
    size_t place; /* where the sum axis stands in `whole` */
    rk_ixs whole; /* the axes of all parts together */
} split;

static size_t first_kept(const split *s)
{
    size_t i = 0;

    while (i < s->n && strcmp(s->t[i].name, "_") == 0)
        i++;
    return i;
}

static bool place_fits(const rk_ctx *c, const split *s, size_t p, size_t *length)
{
    size_t first = first_kept(s), l = 0;

    if (!fits(c, &s->target[first], p, &s->sum.part[first], length))
        return false;
    for (size_t i = first + 1; i < s->n; i++)
        if (strcmp(s->t[i].name, "_") != 0 && (!fits(c, &s->target[i], p, &s->sum.part[i], &l) ||
                                               !same_around(&s->target[first], p, *length, &s->target[i], p, l)))
            return false;
    return true;
}

static int find_place(rk_ctx *c, split *s, rk_span span)
{
    size_t first = first_kept(s), length = 0, p = 0;
    const rk_ixs *t;
    int code = RK_OK;

    if (first == s->n)
        return RK_MISTAKE(c, span, "all targets are dropped");
    t = &s->target[first];
    /* Where the axis of the part is written, it stands there; only where it is nowhere may one element be left out. */
    while (p <= t->n && !(place_fits(c, s, p, &length) && length > 0))
        p++;
    for (p = p > t->n ? 0 : p; p <= t->n && !place_fits(c, s, p, &length);)
        p++;
    if (p > t->n)
        return RK_MISTAKE(c, span, "the targets do not fit the parts of %s", c->b.label.at[s->sum.label].name);
    s->place = p;
    for (size_t i = 0; i < p && code == RK_OK; i++)
        code = rk_ixs_append(&c->b, &s->whole, &t->at[i]);
    if (code == RK_OK)
        code = rk_ixs_append(&c->b, &s->whole, &s->sum);
    for (size_t i = p + length; i < t->n && code == RK_OK; i++)
        code = rk_ixs_append(&c->b, &s->whole, &t->at[i]);
    return code;
}

static int split_targets(rk_ctx *c, const rk_stmt *st, split *s)
{
    rk_axis *ax = find_sum(st->child.at[0], st->n_target);
    rk_axes one = {.at = ax, .n = 1, .written = true, .span = st->span};
    rk_ixs sum;
    int code;

    if (!ax)
        return RK_MISTAKE(c, st->span, "%zu targets need a sum of %zu axes on the right, as in x[B S (%s)]",
                          st->n_target, st->n_target, "P + R");
    if ((code = rk_axes_resolve(c, &one, &sum)) != RK_OK)
        return code;
    s->sum = sum.at[0];
    s->target = RK_NEW_ARRAY(c->a, st->n_target, rk_ixs);
    if (!s->target)
        return rk_fatal_memory(&c->b);
    for (size_t i = 0; i < st->n_target && code == RK_OK; i++) {
        if (strcmp(st->target[i].name, "_") == 0)
            continue;
        if (!st->target[i].axes.written)
            return RK_MISTAKE(c, st->target[i].span, "each of several targets needs its axes");
        code = rk_axes_plain(c, &st->target[i].axes, &s->target[i]);
    }
    return code == RK_OK ? find_place(c, s, st->span) : code;
}

static int take_part(rk_ctx *c, const split *s, const rk_seen *whole, size_t i)
{
    rk_ixs axes;
    rk_seen part;
    rk_op *op;
    int code;

    if (strcmp(s->t[i].name, "_") == 0)
        return RK_OK;
    if ((code = rk_part_axes(c, &s->whole, s->place, &s->sum.part[i], &axes)) != RK_OK)
        return code;
    if (!(op = rk_build_op(&c->b, RK_OP_PART, whole, 1, &axes, &part)))
        return c->b.fatal;
    op->which = i;
    c->b.tensor.at[part.tensor].name = s->t[i].name;
    code = rk_seen_as(c, &part, &s->target[i], s->t[i].span, s->t[i].name, &part);
    return code == RK_OK ? assign_seen(c, &s->t[i], &part) : code;
}

static int equation_many(rk_ctx *c, const rk_stmt *st)
{
    split s = {.n = st->n_target, .t = st->target};
    const rk_node *n = st->child.at[0];
    rk_seen whole;
    int code = split_targets(c, st, &s);

    if (code == RK_OK)
        code = rk_tensor_eval(c, n, &s.whole, true, &whole);
    if (code == RK_OK && !rk_ixs_same(&whole.axes, &s.whole))
        code = shape_as(c, &whole, &s.whole, n->span, "the right side", &whole);
    for (size_t i = 0; i < s.n && code == RK_OK; i++)
        code = take_part(c, &s, &whole, i);
    return code;
}

/* A block with several results gives one to each target. */
static int equation_block(rk_ctx *c, const rk_stmt *st)
{
    rk_seen *out = RK_NEW_ARRAY(c->a, st->n_target, rk_seen);
    size_t n_out = 0;
    int code = out ? rk_call(c, st->child.at[0], NULL, out, st->n_target, &n_out) : rk_fatal_memory(&c->b);

    if (code == RK_OK && n_out != st->n_target)
        return RK_MISTAKE(c, st->span, "%s gives %zu tensors, and here are %zu targets", st->child.at[0]->text, n_out,
                          st->n_target);
    for (size_t i = 0; i < st->n_target && code == RK_OK; i++) {
        const rk_target *t = &st->target[i];
        rk_ixs axes;

        if (strcmp(t->name, "_") == 0)
            continue;
        if (t->axes.written && (code = rk_axes_plain(c, &t->axes, &axes)) == RK_OK)
            code = shape_as(c, &out[i], &axes, t->span, t->name, &out[i]);
        if (code == RK_OK)
            code = assign_seen(c, t, &out[i]);
    }
    return code;
}

static int equation_one(rk_ctx *c, const rk_stmt *s)
{
    const rk_target *t = &s->target[0];
    rk_ixs want = {0};
    rk_seen value = {0};
    int left = t->axes.written ? rk_axes_resolve(c, &t->axes, &want) : RK_OK, code;

    if (left == RK_OK && t->axes.written && has_affine(&want))
        return RK_MISTAKE(c, t->axes.span, "the left side has plain axes only");
    /* With a mistake on the left, the right is still looked at for its own. */
    code = rk_tensor_eval(c, s->child.at[0], t->axes.written && left == RK_OK ? &want : NULL, true, &value);
    code = left != RK_OK ? left : code;
    if (code == RK_OK && t->axes.written)
        code = shape_as(c, &value, &want, s->child.at[0]->span, "the right side", &value);
    else if (code == RK_OK && has_affine(&value.axes))
        code = RK_MISTAKE(c, t->span, "give the left side its axes");
    return code == RK_OK ? assign_seen(c, t, &value) : code;
}

/* ---- the equation -------------------------------------------------------------------------------------------- */

static const char *row_name(rk_ctx *c, const rk_stmt *s)
{
    rk_str name = {0};
    const char *text;

    for (size_t i = 0; i < s->n_target; i++) {
        if (strcmp(s->target[i].name, "_") == 0)
            continue;
        rk_str_put(&name, name.n ? "+" : "");
        rk_str_put(&name, s->target[i].name);
    }
    /* What a block gives back is called as its caller calls it. */
    if (c->frame->result_row && c->frame->result_name && strcmp(rk_str_text(&name), c->frame->result_name) == 0) {
        rk_str_reset(&name);
        rk_str_put(&name, c->frame->result_row);
    }
    text = name.failed ? NULL : rk_arena_text(c->a, rk_str_text(&name));
    rk_str_free(&name);
    if (!text)
        rk_fatal_memory(&c->b);
    return text;
}

static bool calls_block(const rk_ctx *c, const rk_node *n)
{
    return n->kind == RK_NODE_CALL && rk_block_find(c, n->text);
}

int rk_equation(rk_ctx *c, const rk_stmt *s)
{
    const char *row = c->b.row;
    size_t first = c->b.op.n;
    rk_mask where = c->b.where;
    rk_span span = c->b.span;
    int code;

    c->b.span = s->span;
    c->b.row = row_name(c, s);
    if (!c->b.row)
        return c->b.fatal;
    rk_build_note(&c->b, (rk_trace_event){.kind = RK_TRACE_EQUATION});
    code = rk_set_where(c, s->where);
    if (code == RK_OK)
        code = s->n_target == 1                 ? equation_one(c, s)
               : calls_block(c, s->child.at[0]) ? equation_block(c, s)
                                                : equation_many(c, s);
    if (code == RK_OK)
        rk_build_rows(&c->b, first, c->b.row);
    else
        for (size_t i = 0; i < s->n_target; i++)
            spoil(c, s->target[i].name);
    c->b.row = row;
    c->b.where = where;
    c->b.span = span;
    return c->b.fatal ? c->b.fatal : code;
}
