/* SPDX-License-Identifier: MIT */
/*
 * pass/shard.c - one rank's program: axes that lie over devices have become shorter, and collectives stand between.
 *
 * One axis of the mesh after the other, each a copy of the program before.  While operations are put in their order,
 * each tensor has a place: whole on every device, in pieces along one of its axes, or partial sums (docs/ranks.md has
 * the rules).  An operation says where it wants its operands; where they lie elsewhere, a collective is put before it.
 * All that follows, gradients, what is saved, times, is said by the rows of these operations (model/ops.h).
 */
#include "pass/passes.h"

#include "model/copy.h"
#include "pass/shard.h"

#include <string.h>

/* Another place of a tensor of the copy, made once for all who want it there. */
typedef struct moved {
    uint32_t tensor, to;
    int place;
    uint32_t group;
} moved;

typedef struct sharding {
    rk_build *b;
    rk_copy *c;
    const rk_model *m;
    const rk_program *p;
    const rk_layout *l;
    rk_mesh_axis axis;
    rk_i128 n;
    rk_ex over; /* the size of the axis */
    rk_binding at;
    rk_shard_plan plan;
    RK_VEC(int) place;     /* of each tensor of the copy */
    RK_VEC(uint32_t) twin; /* of each label: the one of its pieces, or RK_NONE */
    RK_VEC(moved) moved;
} sharding;

/* ---- sizes, labels, axes ----------------------------------------------------------------------------------------- */

/* The last devices have less where a size does not divide. */
static rk_ex piece_of(sharding *x, rk_ex size)
{
    rk_pool *p = x->b->pool;
    rk_i128 n = 0;
    rk_ex each, left;

    if (rk_ex_eval(p, size, &x->at, &n, NULL) != RK_OK || n % x->n == 0)
        return rk_ex_div(p, size, x->over);
    each = rk_ex_ceil_div(p, size, x->over);
    left = rk_ex_sub(p, size, rk_ex_mul(p, rk_ex_int(p, rk_layout_place(x->l, x->axis)), each));
    return rk_ex_min(p, each, rk_ex_max(p, rk_ex_int(p, 0), left));
}

/* So many elements, of which a factor lies in pieces. */
static rk_ex with_piece(sharding *x, rk_ex count, rk_ex factor)
{
    return rk_ex_mul(x->b->pool, rk_ex_div(x->b->pool, count, factor), piece_of(x, factor));
}

/* The label of the pieces of another. */
static uint32_t twin_of(sharding *x, uint32_t label)
{
    uint32_t *twin;
    rk_label *new;

    if (label == RK_NONE)
        return label;
    while (x->twin.n <= label) {
        if (!(twin = RK_PUSH(x->b->a, &x->twin)))
            return (uint32_t)rk_fatal_memory(x->b), label;
        *twin = RK_NONE;
    }
    if (x->twin.at[label] == RK_NONE) {
        rk_ex size = piece_of(x, x->b->label.at[label].size);
        const char *name = rk_arena_format(x->b->a, "%s/%s", x->b->label.at[label].name, rk_mesh_word[x->axis]);

        if (!name || !(new = RK_PUSH(x->b->a, &x->b->label)))
            return (uint32_t)rk_fatal_memory(x->b), label;
        *new = (rk_label){.name = name, .size = size};
        x->twin.at[label] = (uint32_t)(x->b->label.n - 1);
    }
    return x->twin.at[label];
}

static void cut_ix(sharding *x, rk_ix *ix)
{
    ix->size = piece_of(x, ix->size);
    if (ix->kind != RK_IX_ROUTED)
        ix->label = twin_of(x, ix->label);
    if (ix->kind == RK_IX_SUM) { /* part by part */
        rk_ixs *part = RK_NEW_ARRAY(x->b->a, ix->n_part + 1, rk_ixs);

        for (size_t q = 0; part && q < ix->n_part; q++) {
            part[q] = ix->part[q];
            part[q].at = rk_arena_copy_array(x->b->a, ix->part[q].at, ix->part[q].n, sizeof *ix->part[q].at);
            if (part[q].at && part[q].n)
                cut_ix(x, &part[q].at[0]);
        }
        ix->part = part;
    }
    if (x->b->a->failed)
        rk_fatal_memory(x->b);
}

/* The same axes, of which one lies in pieces. */
static rk_ixs cut(sharding *x, const rk_ixs *axes, int at)
{
    rk_ixs out = {rk_arena_copy_array(x->b->a, axes->at, axes->n, sizeof *axes->at), axes->n};

    if (!out.at && axes->n)
        rk_fatal_memory(x->b);
    else if (at >= 0)
        cut_ix(x, &out.at[at]);
    return out;
}

/* ---- places ------------------------------------------------------------------------------------------------------- */

static int place_of(const sharding *x, uint32_t tensor)
{
    return tensor < x->place.n ? x->place.at[tensor] : RK_SHARD_WHOLE;
}

static void set_place(sharding *x, uint32_t tensor, int place)
{
    while (x->place.n <= tensor) {
        int *slot = RK_PUSH(x->b->a, &x->place);

        if (!slot) {
            rk_fatal_memory(x->b);
            return;
        }
        *slot = RK_SHARD_WHOLE;
    }
    x->place.at[tensor] = place;
}

/* Where, under an operation's labels, the axis of its operand in pieces stands; -1: not at the beginning of a run. */
static int seen_at(sharding *x, const rk_ixs *own, int place, const rk_ixs *seen)
{
    int of[RK_OP_LABELS_MAX];

    if (place < 0)
        return place;
    if (own->n > RK_OP_LABELS_MAX || !rk_shard_align(x->b->pool, &x->at, own, seen, of))
        return -1;
    return of[place];
}

/* The axis of tokens, along which values lie between products; -1: it has none. */
static int token_axis(const sharding *x, const rk_ixs *axes)
{
    for (size_t i = 0; i < axes->n; i++)
        if (axes->at[i].kind == RK_IX_LABEL && axes->at[i].label < x->p->n_label && x->plan.tokens[axes->at[i].label])
            return (int)i;
    return -1;
}

/* ---- collectives -------------------------------------------------------------------------------------------------- */

/* Puts a collective on a tensor of the copy; its result, or RK_NONE. */
static uint32_t put(sharding *x, rk_op_id row, uint32_t tensor, const rk_ixs *axes, int place)
{
    rk_seen in = {.tensor = tensor, .axes = x->b->tensor.at[tensor].axes}, out;
    const char *name = x->b->row;
    rk_op *op;

    if (x->b->fatal)
        return RK_NONE;
    x->b->row = x->b->tensor.at[tensor].name;
    op = rk_build_op(x->b, row, &in, 1, axes, &out);
    x->b->row = name;
    if (!op)
        return RK_NONE;
    op->mesh = (uint8_t)(x->axis + 1);
    x->b->tensor.at[out.tensor].is_index = x->b->tensor.at[tensor].is_index;
    set_place(x, out.tensor, place);
    return out.tensor;
}

/* The axes of a tensor as they are when it is whole. */
static rk_ixs whole_axes(sharding *x, uint32_t tensor)
{
    const rk_tensor *t = &x->b->tensor.at[tensor];
    int at = place_of(x, tensor);
    rk_ixs out = {rk_arena_copy_array(x->b->a, t->axes.at, t->axes.n, sizeof *t->axes.at), t->axes.n};

    if (!out.at) {
        rk_fatal_memory(x->b);
        return out;
    }
    if (at >= 0) {
        rk_ix *ix = &out.at[at];

        for (uint32_t i = 0; i < x->twin.n; i++)
            if (x->twin.at[i] == ix->label) {
                ix->label = i;
                ix->size = x->b->label.at[i].size;
                break;
            }
    }
    return out;
}

/* Whether a sum is added up where it lies: in hf, that of experts, and where nothing is trained. */
static bool reduces_here(const sharding *x, bool experts)
{
    return x->l->infers || (x->l->runtime == RK_RUNTIME_HF && experts);
}

/*
 * The same tensor in another place.  `partial`: what reads it has a gradient that is to be added up over the devices;
 * of a partial sum, that it is one of experts.
 */
static uint32_t change(sharding *x, uint32_t tensor, int to, bool partial, bool shared)
{
    int from = place_of(x, tensor);
    rk_op_id row;
    rk_ixs axes = whole_axes(x, tensor);
    uint32_t out;
    moved *m;

    if (from == to && !(to == RK_SHARD_WHOLE && partial))
        return tensor;
    for (size_t i = 0; shared && i < x->moved.n; i++)
        if (x->moved.at[i].tensor == tensor && x->moved.at[i].place == to && x->moved.at[i].group == x->b->group)
            return x->moved.at[i].to;
    if (from == RK_SHARD_SUM)
        row = to >= 0 ? RK_OP_REDUCE_SCATTER : reduces_here(x, partial) ? RK_OP_REDUCE_HERE : RK_OP_ALL_REDUCE;
    else if (from == RK_SHARD_AWAY || to == RK_SHARD_AWAY)
        row = RK_OP_ALL_TO_ALL;
    else if (from >= 0)
        row = to >= 0 ? RK_OP_ALL_TO_ALL : partial ? RK_OP_ALL_GATHER : RK_OP_UNITE;
    else
        row = to >= 0 ? RK_OP_PIECE : RK_OP_ENTER;
    if (to >= 0)
        axes = cut(x, &axes, to);
    out = put(x, row, tensor, &axes, to);
    if (shared && out != RK_NONE) {
        if (!(m = RK_PUSH(x->b->a, &x->moved)))
            return (uint32_t)rk_fatal_memory(x->b), RK_NONE;
        *m = (moved){tensor, out, to, x->b->group};
    }
    return out;
}

/* Where values lie between products: with sp, and with cp, their tokens do. */
static int resting_place(sharding *x, const rk_ixs *axes)
{
    return x->axis == RK_MESH_CP || (x->axis == RK_MESH_TP && x->l->sp) ? token_axis(x, axes) : RK_SHARD_WHOLE;
}

/* ---- weights ------------------------------------------------------------------------------------------------------ */

/* A weight that lies in pieces is shorter, and so is what stores it. */
static void cut_weight(sharding *x, uint32_t old, uint32_t new)
{
    int at = x->plan.weight[old];
    rk_tensor *t = &x->b->tensor.at[new];
    rk_weight *w = &x->b->weight.at[t->weight];
    rk_ixs stored = {RK_NEW_ARRAY(x->b->a, w->n_dim + 1, rk_ix), w->n_dim};
    int of[RK_OP_LABELS_MAX], dim = 0;
    rk_ex *dims = rk_arena_copy_array(x->b->a, w->dim, w->n_dim, sizeof *w->dim);

    if (at < 0 || place_of(x, new) >= 0)
        return;
    if (!stored.at || !dims || t->axes.n > RK_OP_LABELS_MAX) {
        rk_fatal_memory(x->b);
        return;
    }
    for (size_t i = 0; i < w->n_dim; i++)
        stored.at[i] = (rk_ix){.kind = RK_IX_NUMBER, .label = RK_NONE, .size = w->dim[i]};
    rk_shard_align(x->b->pool, &x->at, &t->axes, &stored, of); /* the stored axis in which it lies */
    for (int i = 0; i <= at; i++)
        dim = of[i] >= 0 ? of[i] : dim;
    w->count = with_piece(x, w->count, t->axes.at[at].size);
    w->active = with_piece(x, w->active, t->axes.at[at].size);
    dims[dim] = with_piece(x, dims[dim], t->axes.at[at].size);
    w->dim = dims;
    w->n_layout = 0; /* how checkpoints store it says nothing of a piece */
    t->axes = cut(x, &t->axes, at);
    set_place(x, new, at);
}

/* A tied weight has no equation of its own to say how it lies: as the one that has its storage does. */
static void cut_ties(sharding *x)
{
    for (size_t i = 0; i < x->b->weight.n; i++) {
        rk_weight *w = &x->b->weight.at[i];
        uint32_t owner = (uint32_t)i;

        while (x->b->weight.at[owner].tied_to != RK_NONE)
            owner = x->b->weight.at[owner].tied_to;
        if (owner == i)
            continue;
        x->b->weight.at[owner].partial |= w->partial;
        if (w->gradient != RK_EX_FAILED)
            x->b->weight.at[owner].gradient = w->gradient;
    }
}

/* ---- operations --------------------------------------------------------------------------------------------------- */

typedef struct placing_op {
    const rk_op *op;                   /* as it was */
    uint32_t tensor[RK_OP_LABELS_MAX]; /* of the copy, of each operand */
    int at[RK_OP_LABELS_MAX];          /* under the operation's labels: where it lies */
    bool is_weight[RK_OP_LABELS_MAX];
    uint32_t label; /* of the operation, that lies in pieces; RK_NONE: none */
    int out;        /* where the result lies */
} placing_op;

static bool is_routed_op(const rk_op *op)
{
    for (size_t k = 0; k < op->n_in; k++)
        for (size_t i = 0; i < op->in[k].axes.n; i++)
            if (op->in[k].axes.at[i].kind == RK_IX_ROUTED)
                return true;
    return false;
}

/* The axes of an operand as they were: which of them lies in pieces is a number that holds for both. */
static const rk_ixs *own_axes(const sharding *x, const rk_op *op, size_t k)
{
    return &x->p->tensor[op->in[k].tensor].axes;
}

static const rk_ixs *out_axes(const sharding *x, const rk_op *op)
{
    return &x->p->tensor[op->out].axes;
}

/* The axis of the result that an axis of an operand becomes; -1: it is gone. */
static int result_axis(sharding *x, const rk_op *op, size_t k, int at)
{
    const rk_ixs *in = &op->in[k].axes, *out = out_axes(x, op);
    const rk_ix *ix = &in->at[at];
    int of[RK_OP_LABELS_MAX], place = rk_ixs_place(out, ix->label);

    if (place >= 0 || ix->kind == RK_IX_ROUTED)
        return place;
    if (op->row == RK_OP_PART && ix->kind == RK_IX_SUM)
        return ix->part[op->which].n ? rk_ixs_place(out, ix->part[op->which].at[0].label) : -1;
    if (op->row == RK_OP_JOIN)
        for (size_t i = 0; i < out->n; i++)
            for (size_t q = 0; out->at[i].kind == RK_IX_SUM && q < out->at[i].n_part; q++)
                if (out->at[i].part[q].n && out->at[i].part[q].at[0].label == ix->label)
                    return (int)i;
    if (rk_op_table[op->row].class == RK_CLASS_MOVEMENT && in->n <= RK_OP_LABELS_MAX &&
        rk_shard_align(x->b->pool, &x->at, in, out, of))
        return of[at];
    return -1;
}

/* Whether an operation needs the whole of an axis of its operand. */
static bool needs_whole(sharding *x, const rk_op *op, size_t k, int at)
{
    const rk_op_row *row = &rk_op_table[op->row];
    uint32_t label = op->in[k].axes.at[at].label;

    if (row->class == RK_CLASS_LOSS && x->l->vocab_loss && x->axis == RK_MESH_TP)
        return false;
    if (row->class == RK_CLASS_LOSS && x->axis == RK_MESH_CP)
        return false;
    for (size_t i = 0; i < op->n_label; i++)
        if (op->label[i] == label && row->class != RK_CLASS_ROTARY)
            return true;
    if (row->class == RK_CLASS_NORM)
        return op->n_in > 1 && rk_ixs_has(&op->in[1].axes, label);
    if (row->shape == RK_SHAPE_ALONG && op->n_label == 0)
        return at + 1 == (int)op->in[k].axes.n;
    if (row->class == RK_CLASS_PRODUCT)
        return false;
    return result_axis(x, op, k, at) < 0;
}

/* Whether tokens travel to the devices of their experts, as everywhere but in hf, where each device has all tokens. */
static bool travels(const sharding *x)
{
    return x->axis == RK_MESH_EP && x->l->runtime != RK_RUNTIME_HF;
}

/* Among experts, what is a partial sum stays one while all is linear: it is changed when it leaves them. */
static bool stays_sum(const sharding *x, const placing_op *o)
{
    const rk_op *op = o->op;
    rk_op_class class = rk_op_table[op->row].class;

    for (size_t k = 0; k < op->n_in && class == RK_CLASS_ADD; k++)
        if (o->at[k] != RK_SHARD_SUM && o->at[k] != RK_SHARD_AWAY)
            return false;
    /* Tokens come home before they are put in order again. */
    if (travels(x) && (class == RK_CLASS_DISPATCH || class == RK_CLASS_COMBINE))
        return false;
    return class != RK_CLASS_LOSS && class != RK_CLASS_NORM;
}

/* The operand of an operation that is a weight in pieces; n_in: none is. */
static size_t piece_weight(const placing_op *o)
{
    size_t k = 0;

    while (k < o->op->n_in && !(o->is_weight[k] && o->at[k] >= 0))
        k++;
    return k;
}

/* A product with, or a lookup in, a weight that lies in pieces. */
static void place_with_weight(sharding *x, placing_op *o, size_t w)
{
    const rk_op *op = o->op;
    const rk_ix *ix = &op->in[w].axes.at[o->at[w]];
    bool routed = ix->kind == RK_IX_ROUTED, in_result = result_axis(x, op, w, o->at[w]) >= 0;
    bool each = x->l->runtime != RK_RUNTIME_MEGATRON; /* a reduction for each reader */

    for (size_t k = 0; k < op->n_in; k++) {
        int has = k == w ? -1 : rk_ixs_place(&op->in[k].axes, ix->label), own;

        if (k == w || (o->is_weight[k] && has < 0))
            continue;
        own = has < 0 || routed ? RK_SHARD_WHOLE : seen_at(x, &op->in[k].axes, has, own_axes(x, op, k));
        if (o->is_weight[k] || x->b->tensor.at[o->tensor[k]].is_index || routed ||
            (is_routed_op(op) && own == RK_SHARD_WHOLE))
            continue;
        if (own >= 0)
            o->tensor[k] = change(x, o->tensor[k], own, false, true);
        else if (place_of(x, o->tensor[k]) >= 0)
            o->tensor[k] = change(x, o->tensor[k], RK_SHARD_WHOLE, true, true);
        else
            o->tensor[k] = change(x, o->tensor[k], RK_SHARD_WHOLE, true, !each);
        if (o->tensor[k] == RK_NONE)
            return;
        o->at[k] = seen_at(x, own_axes(x, op, k), place_of(x, o->tensor[k]), &op->in[k].axes);
    }
    o->label = routed ? RK_NONE : ix->label;
    o->out = in_result && !routed ? result_axis(x, op, w, o->at[w]) : travels(x) ? RK_SHARD_AWAY : RK_SHARD_SUM;
}

/* Whether the place of a result follows from an operand: lists of places, and what is only held, say nothing of it. */
static bool hands_on(const rk_op *op, size_t k)
{
    const rk_op_row *row = &rk_op_table[op->row];

    return row->class != RK_CLASS_CHOICE && (row->place != RK_PLACE_SECOND || k == 1);
}

/* Attention as one operation takes keys and values in pieces, as they come from the other devices. */
static bool rotates(const sharding *x, const rk_op *op)
{
    return x->axis == RK_MESH_CP && rk_op_table[op->row].class == RK_CLASS_ATTENTION;
}

/* All else works on the pieces that it finds. */
static void place_plain(sharding *x, placing_op *o)
{
    const rk_op *op = o->op;
    bool sum = false, whole = false;
    size_t k;

    for (k = 0; k < op->n_in; k++)
        sum |= o->at[k] == RK_SHARD_SUM || o->at[k] == RK_SHARD_AWAY;
    for (k = 0; sum && !stays_sum(x, o) && k < op->n_in; k++)
        if (hands_on(op, k) && (o->at[k] == RK_SHARD_SUM || o->at[k] == RK_SHARD_AWAY)) {
            o->tensor[k] = change(x, o->tensor[k], resting_place(x, &x->b->tensor.at[o->tensor[k]].axes), true, true);
            if (o->tensor[k] == RK_NONE)
                return;
            o->at[k] = seen_at(x, own_axes(x, op, k), place_of(x, o->tensor[k]), &op->in[k].axes);
        }
    for (k = 0; k < op->n_in && o->label == RK_NONE; k++)
        if (o->at[k] >= 0) {
            whole = needs_whole(x, op, k, o->at[k]);
            o->label = op->in[k].axes.at[o->at[k]].label;
            o->out = result_axis(x, op, k, o->at[k]);
        }
    if (o->label == RK_NONE && op->n_in == 0 && x->axis == RK_MESH_CP && token_axis(x, out_axes(x, op)) >= 0) {
        o->out = token_axis(x, out_axes(x, op));
        o->label = out_axes(x, op)->at[o->out].label;
        return;
    }
    if (o->label == RK_NONE) {
        for (k = 0; k < op->n_in; k++)
            if ((o->at[k] == RK_SHARD_SUM || o->at[k] == RK_SHARD_AWAY) && hands_on(op, k))
                o->out = o->at[k];
        return;
    }
    if (rotates(x, op))
        return;
    for (k = 0; k < op->n_in; k++) {
        int has = rk_ixs_place(&op->in[k].axes, o->label), own;

        if (o->is_weight[k] || (has < 0 && o->at[k] < 0))
            continue;
        own = whole || has < 0 ? RK_SHARD_WHOLE : seen_at(x, &op->in[k].axes, has, own_axes(x, op, k));
        if (op->row == RK_OP_JOIN && o->at[k] >= 0)
            continue;
        /* Each device has its own queries: what they say of keys and values is to be added up. */
        o->tensor[k] = change(x, o->tensor[k], own, x->axis == RK_MESH_CP, true);
        if (o->tensor[k] == RK_NONE)
            return;
        o->at[k] = seen_at(x, own_axes(x, op, k), place_of(x, o->tensor[k]), &op->in[k].axes);
    }
    if (whole) {
        o->label = RK_NONE;
        o->out = RK_SHARD_WHOLE;
    } else if (o->out < 0) {
        o->out = rk_op_table[op->row].class == RK_CLASS_LOSS ? RK_SHARD_WHOLE : RK_SHARD_SUM;
    }
}

/* What reads tokens, or their scores, for experts that lie in pieces has a partial gradient of them. */
static void enter_experts(sharding *x, placing_op *o)
{
    const rk_op *op = o->op;
    bool twice = x->axis == RK_MESH_EP && x->l->runtime == RK_RUNTIME_HF;

    if (!x->plan.routed || rk_op_table[op->row].class != RK_CLASS_DISPATCH || travels(x))
        return;
    for (size_t k = 0; k < op->n_in; k++) {
        const rk_tensor *t = &x->b->tensor.at[o->tensor[k]];

        if (o->tensor[k] == RK_NONE)
            continue;
        if (t->is_index || o->at[k] == RK_SHARD_SUM || t->kind == RK_TENSOR_WEIGHT ||
            (t->kind == RK_TENSOR_RESULT && rk_op_table[x->b->op.at[t->producer].row].class == RK_CLASS_CHOICE &&
             rk_op_table[x->b->op.at[t->producer].row].grad == RK_GRAD_NONE))
            continue;
        o->tensor[k] = change(x, o->tensor[k], RK_SHARD_WHOLE, true, false);
        if (twice && o->tensor[k] != RK_NONE && rk_ixs_same(&op->in[k].axes, &op->in[0].axes))
            o->tensor[k] = put(x, RK_OP_ENTER, o->tensor[k], &x->b->tensor.at[o->tensor[k]].axes, RK_SHARD_WHOLE);
        if (o->tensor[k] == RK_NONE)
            return;
        o->at[k] = RK_SHARD_WHOLE;
    }
}

/* A weight that is whole, read with tokens or heads in pieces: each device has a part of its gradient. */
static void mark_partial(sharding *x, const placing_op *o)
{
    for (size_t k = 0; k < o->op->n_in; k++) {
        const rk_tensor *t = o->tensor[k] == RK_NONE ? NULL : &x->b->tensor.at[o->tensor[k]];

        if (t && t->kind == RK_TENSOR_WEIGHT && o->at[k] < 0 && o->label != RK_NONE && x->axis != RK_MESH_CP &&
            !rk_ixs_has(&o->op->in[k].axes, o->label))
            x->b->weight.at[t->weight].partial |= 1u << x->axis;
    }
}

/* The pairs that count, of which a label lies in pieces; of attention as one operation, that of the keys, too. */
static rk_mask cut_mask(sharding *x, rk_mask m, uint32_t label, bool both)
{
    if (label == RK_NONE || m.kind == RK_MASK_FULL)
        return m;
    if (m.query == label && x->axis == RK_MESH_CP && !both)
        m.piece = (uint32_t)rk_layout_place(x->l, x->axis) + 1;
    m.query = m.query == label ? twin_of(x, label) : m.query;
    m.key = m.key == label || both ? twin_of(x, m.key) : m.key;
    return m;
}

/* The operation itself, with the axes that its operands have now. */
static int put_op(sharding *x, size_t i, placing_op *o)
{
    const rk_op *op = o->op;
    uint32_t label = o->label;
    rk_op *new = rk_copy_op(x->c, i);
    uint32_t out;

    if (!new)
        return x->b->fatal;
    out = new->out;
    for (size_t k = 0; k < op->n_in; k++) {
        if (o->tensor[k] != RK_NONE)
            new->in[k].tensor = o->tensor[k];
        if (o->at[k] >= 0)
            new->in[k].axes = cut(x, &op->in[k].axes, o->at[k]);
        new = &x->b->op.at[x->b->op.n - 1];
    }
    if (o->out >= 0)
        x->b->tensor.at[out].axes = cut(x, &x->b->tensor.at[out].axes, o->out);
    if (label != RK_NONE && new->n_label) {
        new->label = rk_arena_copy_array(x->b->a, op->label, op->n_label, sizeof *op->label);
        for (size_t k = 0; new->label &&k < op->n_label; k++)
            if (new->label[k] == label)
                new->label[k] = twin_of(x, label);
        if (!new->label)
            return rk_fatal_memory(x->b);
    }
    new->mask = cut_mask(x, new->mask, label, rotates(x, op));
    x->b->tensor.at[out].mask = cut_mask(x, x->b->tensor.at[out].mask, label, false);
    if (rotates(x, op) && o->at[0] >= 0) {
        new->mesh = (uint8_t)(x->axis + 1);
        new->merged = rk_layout_place(x->l, x->axis) + 1 < x->n;
    }
    if (rk_op_table[op->row].class == RK_CLASS_LOSS && label != RK_NONE && x->axis == RK_MESH_TP) {
        new->mesh = (uint8_t)(x->axis + 1);
        new->rows = op->n_label ? 2 : 1; /* a maximum and a sum; or a pick */
    }
    set_place(x, out, o->out);
    return x->b->fatal;
}

/* Whether tokens, or their scores, have been put in the order of their experts: what comes after experts is put back. */
static bool is_dispatched(const sharding *x, const rk_op *op)
{
    bool before = true;

    if (rk_op_table[op->row].class != RK_CLASS_DISPATCH)
        return false;
    for (size_t k = 0; k < op->n_in; k++) {
        uint32_t t = rk_copy_tensor(x->c, op->in[k].tensor, op->in[k].alias);

        before &= t == RK_NONE || place_of(x, t) != RK_SHARD_AWAY;
    }
    return before;
}

static bool is_output(const sharding *x, uint32_t tensor)
{
    for (size_t i = 0; i < x->p->n_output; i++)
        if (x->p->output[i] == tensor)
            return true;
    return false;
}

static int shard_op(rk_copy *c, size_t i)
{
    sharding *x = c->self;
    const rk_op *op = &x->p->op[i];
    placing_op o = {.op = op, .label = RK_NONE, .out = RK_SHARD_WHOLE};
    size_t w;
    uint32_t out;
    int to;

    if (op->n_in > RK_OP_LABELS_MAX)
        return rk_fatal(x->b, RK_ELIMIT, "%s: too many operands to be laid over devices", x->b->name);
    for (size_t k = 0; k < op->n_in; k++) {
        o.tensor[k] = rk_copy_tensor(c, op->in[k].tensor, op->in[k].alias);
        if (o.tensor[k] == RK_NONE) { /* a recurrence reads what it will make */
            if (x->b->fatal)
                return x->b->fatal;
            o.is_weight[k] = true; /* nobody can change its place */
            o.at[k] = seen_at(x, own_axes(x, op, k), x->plan.state[op->in[k].tensor], &op->in[k].axes);
            continue;
        }
        o.is_weight[k] = x->b->tensor.at[o.tensor[k]].kind == RK_TENSOR_WEIGHT;
        if (o.is_weight[k])
            cut_weight(x, op->in[k].tensor, o.tensor[k]);
        o.at[k] = seen_at(x, own_axes(x, op, k), place_of(x, o.tensor[k]), &op->in[k].axes);
    }
    if (x->b->fatal)
        return x->b->fatal;
    enter_experts(x, &o);
    w = piece_weight(&o);
    if (w < op->n_in && (op->summed || rk_op_table[op->row].class == RK_CLASS_LOOKUP))
        place_with_weight(x, &o, w);
    else
        place_plain(x, &o);
    if (x->b->fatal)
        return x->b->fatal;
    mark_partial(x, &o);
    if (put_op(x, i, &o) != RK_OK)
        return x->b->fatal;
    out = x->b->op.at[x->b->op.n - 1].out;
    if (rk_op_table[op->row].class == RK_CLASS_LOOKUP && w < op->n_in && x->l->runtime == RK_RUNTIME_TORCH) {
        rk_weight *weight = &x->b->weight.at[x->b->tensor.at[o.tensor[w]].weight];

        weight->gradient = rk_ixs_count(x->b->pool, own_axes(x, op, w));
    }
    /* What is a partial sum is changed at once; so is the output, unless the loss takes it in pieces. */
    to = place_of(x, out);
    if (to == RK_SHARD_SUM && !is_routed_op(op) && w < op->n_in)
        to = resting_place(x, &x->b->tensor.at[out].axes);
    else if (travels(x) && is_dispatched(x, op))
        to = RK_SHARD_AWAY;
    else if (to >= 0 && x->axis == RK_MESH_TP && is_output(x, op->out) && !x->l->vocab_loss)
        to = RK_SHARD_WHOLE;
    if (to != place_of(x, out)) {
        out = change(x, out, to, false, false);
        if (out == RK_NONE)
            return x->b->fatal;
        c->tensor[op->out] = out;
    }
    return x->b->fatal;
}

/* ---- the pass ----------------------------------------------------------------------------------------------------- */

/* Each device of cp has its own tokens: inputs are given in pieces, and so are constants for each token. */
static void cut_inputs(sharding *x)
{
    for (size_t i = 0; x->axis == RK_MESH_CP && i < x->b->input.n; i++) {
        uint32_t tensor = x->b->input.at[i];
        int at = token_axis(x, &x->b->tensor.at[tensor].axes);

        if (at >= 0) {
            x->b->tensor.at[tensor].axes = cut(x, &x->b->tensor.at[tensor].axes, at);
            set_place(x, tensor, at);
        }
    }
}

/* What layers carry on lies before each as it does after it. */
static int check_layers(const sharding *x)
{
    for (size_t g = 0; g < x->b->group_list.n; g++) {
        const rk_group *group = &x->b->group_list.at[g];

        for (size_t v = 0; group->loop != RK_NONE && v < x->b->loop.at[group->loop].n_carry; v++)
            if (place_of(x, group->in[v]) != place_of(x, group->out[v]))
                return rk_fatal(x->b, RK_EINPUT, "%s: what its layers carry on does not lie over %s as it did before",
                                x->b->name, rk_mesh_word[x->axis]);
    }
    return RK_OK;
}

static int shard_over(const rk_model *in, const rk_layout *l, rk_mesh_axis axis, const rk_model **out, rk_err *err)
{
    rk_arena own = {0};
    rk_copy c = {.op = shard_op};
    sharding x = {.c = &c, .m = in, .p = &in->program, .l = l, .axis = axis, .n = l->size[axis]};
    rk_model_draft *d = NULL;
    rk_build b;
    int code = rk_shard_plan_new(&own, in, l, axis, &x.plan, err);

    c.self = &x;
    x.b = &b;
    if (code == RK_OK && (code = rk_pass_begin(in, &d, &b, err)) == RK_OK) {
        x.over = rk_mesh_size(b.pool, l, axis);
        x.at = rk_model_binding(d->model);
        code = rk_copy_begin(&c, &in->program, &b);
        if (code == RK_OK) {
            cut_inputs(&x);
            code = rk_copy_run(&c);
        }
        if (code == RK_OK)
            cut_ties(&x);
        if (code == RK_OK)
            code = check_layers(&x);
        code = rk_model_finish(code, d, &b, out);
        /* What a weight is for is what the whole model reads it for. */
        if (code == RK_OK && (*out)->program.n_weight == in->program.n_weight)
            memcpy((*out)->roles.weight, in->roles.weight, in->program.n_weight * sizeof *in->roles.weight);
    }
    rk_arena_free(&own);
    return code;
}

int rk_pass_shard(const rk_model *in, const rk_pass_options *o, const rk_model **out, rk_err *err)
{
    static const rk_mesh_axis order[] = {RK_MESH_CP, RK_MESH_TP, RK_MESH_EP};
    int code = RK_OK;

    *out = NULL;
    for (size_t i = 0; o->layout && i < sizeof order / sizeof *order && code == RK_OK; i++) {
        const rk_model *next = NULL;

        if (o->layout->size[order[i]] == 1)
            continue;
        code = shard_over(*out ? *out : in, o->layout, order[i], &next, err);
        if (code == RK_OK && *out)
            rk_model_own(next, *out);
        if (code == RK_OK)
            *out = next;
    }
    if (code != RK_OK && *out) {
        rk_model_free(*out);
        *out = NULL;
    }
    return code;
}
