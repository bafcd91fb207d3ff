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

#include "model/align.h"
#include "model/collective.h"
#include "model/copy.h"
#include "model/needs.h"
#include "model/roles.h"
#include "pass/shard.h"

#include <string.h>

/* Another place of a tensor of the copy, made once for all who want it there. */
typedef struct moved {
    uint32_t tensor, to;
    int place;
    rk_change row; /* gradients come back otherwise from who reads it whole, and who reads it beside pieces */
    uint32_t group;
} moved;

/* What is known of a tensor beside its place. */
enum {
    TRAIT_TRAINED = 1, /* a weight that is trained reaches it: it gets a gradient */
    TRAIT_WEIGHTS = 2, /* it is a weight in another form, 1 + w: each device knows its part of the gradient */
    TRAIT_ENTERED = 4, /* its partial gradient is added up further up */
    TRAIT_VISITS = 8   /* of visits to experts that lie in pieces: one device has each, the others have zeros */
};

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
    RK_VEC(int) place;      /* of each tensor of the copy */
    RK_VEC(unsigned) trait; /* of each tensor of the copy, TRAIT_… */
    RK_VEC(uint32_t) twin;  /* of each label: the one of its pieces, or RK_NONE */
    RK_VEC(moved) moved;
    bool *whole;           /* of each weight: its gradient, from one reader at least, is whole on every device */
    RK_VEC(uint32_t) late; /* tensors of the program before that are read before they are made */
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
        if (!(twin = RK_PUSH(x->b->a, &x->twin))) {
            rk_fatal_memory(x->b);
            return label;
        }
        *twin = RK_NONE;
    }
    if (x->twin.at[label] == RK_NONE) {
        rk_ex size = piece_of(x, x->b->label.at[label].size);
        const char *name = rk_arena_format(x->b->a, "%s/%s", x->b->label.at[label].name, rk_mesh_word[x->axis]);

        if (!name || !(new = RK_PUSH(x->b->a, &x->b->label))) {
            rk_fatal_memory(x->b);
            return label;
        }
        *new = (rk_label){.name = name, .size = size, .mesh = (uint8_t)(x->axis + 1), .whole = label};
        x->twin.at[label] = (uint32_t)(x->b->label.n - 1);
    }
    return x->twin.at[label];
}

static bool divides(const sharding *x, rk_ex size)
{
    rk_i128 n = 0;

    return rk_ex_eval(x->b->pool, size, &x->at, &n, NULL) != RK_OK || n % x->n == 0;
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
            if (part[q].at && part[q].n && !divides(x, part[q].at[0].size))
                rk_fatal(x->b, RK_EINPUT, "%s: parts of %s do not divide by %s", x->b->name,
                         x->b->label.at[x->b->label.at[ix->label].whole].name, rk_mesh_word[x->axis]);
            else if (part[q].at && part[q].n)
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

/* ---- places ------------------------------------------------------------------------------------------------------ */

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

static unsigned trait_of(const sharding *x, uint32_t tensor)
{
    const rk_tensor *t = &x->b->tensor.at[tensor];

    if (t->kind == RK_TENSOR_WEIGHT) {
        const rk_weight *w = &x->b->weight.at[t->weight];

        return TRAIT_WEIGHTS | (w->frozen || w->buffer ? 0 : TRAIT_TRAINED);
    }
    return tensor < x->trait.n ? x->trait.at[tensor] : t->incoming ? TRAIT_TRAINED : 0;
}

static void set_trait(sharding *x, uint32_t tensor, unsigned trait)
{
    while (x->trait.n <= tensor) {
        unsigned *slot = RK_PUSH(x->b->a, &x->trait);

        if (!slot) {
            rk_fatal_memory(x->b);
            return;
        }
        *slot = 0;
    }
    x->trait.at[tensor] = trait;
}

/* Where, under an operation's labels, the axis of its operand in pieces stands; -1: not at the beginning of a run. */
static int seen_at(sharding *x, const rk_ixs *own, int place, const rk_ixs *seen)
{
    int of[RK_LABELS_PER_OP_MAX];

    if (place < 0)
        return place;
    if (own->n > RK_LABELS_PER_OP_MAX || !rk_ixs_align(x->b->pool, &x->at, own, seen, of))
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

/* ---- collectives ------------------------------------------------------------------------------------------------- */

/* Puts a collective on a tensor of the copy; its result, or RK_NONE. */
static uint32_t put(sharding *x, rk_change change, uint32_t tensor, const rk_ixs *axes, int place)
{
    rk_seen in = {.tensor = tensor, .axes = x->b->tensor.at[tensor].axes}, out;
    const char *name = x->b->row;
    rk_op *op;

    if (x->b->fatal)
        return RK_NONE;
    x->b->row = x->b->tensor.at[tensor].name;
    op = rk_build_op(x->b, rk_change_table[change].op, &in, 1, axes, &out);
    x->b->row = name;
    if (!op)
        return RK_NONE;
    op->mesh = (uint8_t)(x->axis + 1);
    x->b->tensor.at[out.tensor].is_index = x->b->tensor.at[tensor].is_index;
    set_place(x, out.tensor, place);
    set_trait(x, out.tensor,
              trait_of(x, tensor) | (change == RK_CHANGE_ENTER || change == RK_CHANGE_ALL_GATHER ? TRAIT_ENTERED : 0));
    return out.tensor;
}

/* An axis in pieces as it is when it is whole; of axes laid end to end, part by part. */
static void unite_ix(sharding *x, rk_ix *ix)
{
    for (uint32_t i = 0; i < x->twin.n; i++)
        if (x->twin.at[i] == ix->label) {
            ix->label = i;
            ix->size = x->b->label.at[i].size;
            break;
        }
    if (ix->kind == RK_IX_SUM) {
        rk_ixs *part = RK_NEW_ARRAY(x->b->a, ix->n_part + 1, rk_ixs);

        for (size_t q = 0; part && q < ix->n_part; q++) {
            part[q] = ix->part[q];
            part[q].at = rk_arena_copy_array(x->b->a, ix->part[q].at, ix->part[q].n, sizeof *ix->part[q].at);
            if (part[q].at && part[q].n)
                unite_ix(x, &part[q].at[0]);
        }
        ix->part = part;
    }
    if (x->b->a->failed)
        rk_fatal_memory(x->b);
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
    if (at >= 0)
        unite_ix(x, &out.at[at]);
    return out;
}

/* Whether a sum is added up where it lies: where nothing is trained, and that of experts where the runtime does so. */
static bool reduces_here(const sharding *x, bool experts)
{
    return x->l->infers || (x->l->runtime.adds_experts_here && experts);
}

/*
 * Over cp no gradient of a weight is added up: that is left to copies of the model, all of whose devices have tokens of
 * their own.  So the gradient of whatever is whole there is a partial sum, as theirs is.
 */
static bool leaves_sums(const sharding *x)
{
    return x->axis == RK_MESH_CP;
}

/*
 * The same tensor in another place.  `partial`: what reads it has a gradient that is to be added up over the devices;
 * of a partial sum, that it is one of experts.
 */
static uint32_t change(sharding *x, uint32_t tensor, int to, bool partial, bool shared)
{
    int from = place_of(x, tensor);
    rk_change row;
    rk_ixs axes = whole_axes(x, tensor);
    uint32_t out;
    moved *m;

    if (from == to && !(to == RK_SHARD_WHOLE && partial && !leaves_sums(x)))
        return tensor;
    if (from == RK_SHARD_SUM)
        row = to >= 0                    ? RK_CHANGE_REDUCE_SCATTER
              : reduces_here(x, partial) ? RK_CHANGE_REDUCE_HERE
                                         : RK_CHANGE_ALL_REDUCE;
    else if (from == RK_SHARD_AWAY || to == RK_SHARD_AWAY)
        row = RK_CHANGE_ALL_TO_ALL;
    else if (from >= 0)
        row = to >= 0 ? RK_CHANGE_ALL_TO_ALL : partial || leaves_sums(x) ? RK_CHANGE_ALL_GATHER : RK_CHANGE_UNITE;
    else
        row = to >= 0 ? RK_CHANGE_PIECE : to == RK_SHARD_SUM ? RK_CHANGE_SHARE : RK_CHANGE_ENTER;
    for (size_t i = 0; shared && i < x->moved.n; i++)
        if (x->moved.at[i].tensor == tensor && x->moved.at[i].place == to && x->moved.at[i].row == row &&
            x->moved.at[i].group == x->b->group)
            return x->moved.at[i].to;
    if (to >= 0)
        axes = cut(x, &axes, to);
    out = put(x, row, tensor, &axes, to);
    if (leaves_sums(x) && from == RK_SHARD_SUM && to == RK_SHARD_WHOLE && out != RK_NONE)
        out = put(x, RK_CHANGE_ENTER, out, &axes, to);
    if (shared && out != RK_NONE) {
        if (!(m = RK_PUSH(x->b->a, &x->moved))) {
            rk_fatal_memory(x->b);
            return RK_NONE;
        }
        *m = (moved){tensor, out, to, row, x->b->group};
    }
    return out;
}

/* Where values lie between products: with sp, and with cp, their tokens do. */
static int resting_place(sharding *x, const rk_ixs *axes)
{
    return x->axis == RK_MESH_CP || (x->axis == RK_MESH_TP && x->l->sp) ? token_axis(x, axes) : RK_SHARD_WHOLE;
}

/* ---- weights ----------------------------------------------------------------------------------------------------- */

/* A weight that lies in pieces is shorter, and so is what stores it. */
static void cut_weight(sharding *x, uint32_t old, uint32_t new)
{
    int at = x->plan.weight[old];
    rk_tensor *t = &x->b->tensor.at[new];
    rk_weight *w = &x->b->weight.at[t->weight];
    rk_ixs stored = {RK_NEW_ARRAY(x->b->a, w->n_dim + 1, rk_ix), w->n_dim};
    int of[RK_LABELS_PER_OP_MAX], dim = 0;
    rk_ex *dims = rk_arena_copy_array(x->b->a, w->dim, w->n_dim, sizeof *w->dim);

    if (at < 0 || place_of(x, new) >= 0)
        return;
    if (!stored.at || !dims || t->axes.n > RK_LABELS_PER_OP_MAX) {
        rk_fatal_memory(x->b);
        return;
    }
    for (size_t i = 0; i < w->n_dim; i++)
        stored.at[i] = (rk_ix){.kind = RK_IX_NUMBER, .label = RK_NONE, .size = w->dim[i]};
    rk_ixs_align(x->b->pool, &x->at, &t->axes, &stored, of); /* the stored axis in which it lies */
    for (int i = 0; i <= at; i++)
        dim = of[i] >= 0 ? of[i] : dim;
    w->count = with_piece(x, w->count, t->axes.at[at].size);
    w->active = with_piece(x, w->active, t->axes.at[at].size);
    dims[dim] = with_piece(x, dims[dim], t->axes.at[at].size);
    w->dim = dims;
    w->pieces |= 1u << x->axis;
    w->n_layout = 0; /* how checkpoints store it says nothing of a piece */
    t->axes = cut(x, &t->axes, at);
    set_place(x, new, at);
}

/* Where modules are divided one by one, a table and a head that were tied become weights of their own. */
static bool parts_ties(const sharding *x)
{
    return x->axis == RK_MESH_TP && x->l->runtime.parts_ties;
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
        if (parts_ties(x) && place_of(x, w->tensor) >= 0 && place_of(x, x->b->weight.at[owner].tensor) >= 0) {
            w->tied_to = RK_NONE;
            continue;
        }
        x->b->weight.at[owner].partial |= w->partial;
        if (w->gradient != RK_EX_FAILED)
            x->b->weight.at[owner].gradient = w->gradient;
    }
}

/* ---- operations -------------------------------------------------------------------------------------------------- */

typedef struct placing_op {
    const rk_op *op;                       /* as it was */
    uint32_t tensor[RK_LABELS_PER_OP_MAX]; /* of the copy, of each operand */
    int at[RK_LABELS_PER_OP_MAX];          /* under the operation's labels: where it lies */
    bool is_weight[RK_LABELS_PER_OP_MAX];
    uint32_t label; /* of the operation, that lies in pieces; RK_NONE: none */
    int out;        /* where the result lies */
    bool bias;      /* it adds a bias to partial sums */
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

static int result_axis(sharding *x, const rk_op *op, size_t k, int at)
{
    return rk_op_result_axis(x->p, x->b->pool, &x->at, op, k, (size_t)at);
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
    if (row->class == RK_CLASS_ROTARY && at + 1 == (int)op->in[k].axes.n) /* what is rotated */
        return true;
    if (row->class == RK_CLASS_NORM)
        return op->n_in > 1 && rk_ixs_has(&op->in[1].axes, label);
    if (row->shape == RK_SHAPE_ALONG && op->n_label == 0)
        return at + 1 == (int)op->in[k].axes.n;
    if (row->class == RK_CLASS_PRODUCT)
        return false;
    if (row->shape == RK_SHAPE_PLACE && !rk_ixs_has(&op->in[0].axes, label)) /* the axis that has the positions */
        return true;
    return result_axis(x, op, k, at) < 0;
}

/* Whether tokens travel to the devices of their experts; else each device has all tokens. */
static bool travels(const sharding *x)
{
    return x->axis == RK_MESH_EP && !x->l->runtime.ep_in_place_of_tp;
}

/* Whether an operand is a weight, one for each expert, of which a device has those of its own: a bias. */
static bool is_of_experts(const placing_op *o, size_t k)
{
    return o->is_weight[k] && o->at[k] >= 0 && o->op->in[k].axes.at[o->at[k]].kind == RK_IX_ROUTED;
}

/* Whether partial sums of operands give partial sums of the result. */
static bool is_linear(const placing_op *o)
{
    bool sum[RK_LABELS_PER_OP_MAX];

    for (size_t k = 0; k < o->op->n_in; k++)
        sum[k] = o->at[k] == RK_SHARD_SUM;
    return rk_op_is_linear(o->op->row, sum, o->op->n_in);
}

/* Whether all partial sums of an operation are visits to experts: nothing is added up yet, zeros stay zeros. */
static bool is_of_visits(const sharding *x, const placing_op *o)
{
    for (size_t k = 0; k < o->op->n_in; k++)
        if (o->at[k] == RK_SHARD_SUM && !(trait_of(x, o->tensor[k]) & TRAIT_VISITS))
            return false;
    return true;
}

/* Among experts, what is a partial sum stays one while all is linear: it is changed when it leaves them. */
static bool stays_sum(const sharding *x, const placing_op *o)
{
    const rk_op *op = o->op;
    rk_op_class class = rk_op_table[op->row].class;

    for (size_t k = 0; k < op->n_in && class == RK_CLASS_ADD; k++)
        if (o->at[k] != RK_SHARD_SUM && o->at[k] != RK_SHARD_AWAY && !is_of_experts(o, k))
            return false;
    /* Tokens come home before they are put in order again, are added up, or meet what has stayed at home. */
    if (travels(x) && (class == RK_CLASS_DISPATCH || class == RK_CLASS_COMBINE || class == RK_CLASS_REDUCTION))
        return false;
    for (size_t k = 0; k < op->n_in && travels(x); k++)
        if (o->at[k] == RK_SHARD_WHOLE && !o->is_weight[k] && (trait_of(x, o->tensor[k]) & TRAIT_TRAINED))
            return false;
    return class != RK_CLASS_LOSS && class != RK_CLASS_NORM && (is_of_visits(x, o) || is_linear(o));
}

/* The operand of an operation that is a weight in pieces; n_in: none is. */
static size_t piece_weight(const placing_op *o)
{
    size_t k = 0;

    while (k < o->op->n_in && !(o->is_weight[k] && o->at[k] >= 0))
        k++;
    return k;
}

/* Whether the gradient of an operand that is whole is added up already, or there is none. */
static bool is_entered(const sharding *x, const placing_op *o, size_t k)
{
    unsigned trait = o->tensor[k] == RK_NONE ? 0 : trait_of(x, o->tensor[k]);

    return o->at[k] == RK_SHARD_WHOLE && (trait & TRAIT_ENTERED);
}

/*
 * What is whole and is read with what is not, of which it says nothing: each device knows a part of its gradient.  Of
 * weights, and what is made of them alone, these parts are added up in the end; all else is entered.
 */
static void enter_whole(sharding *x, placing_op *o)
{
    for (size_t k = 0; k < o->op->n_in; k++) {
        unsigned trait = o->tensor[k] == RK_NONE ? 0 : trait_of(x, o->tensor[k]);

        if (o->at[k] != RK_SHARD_WHOLE || !(trait & TRAIT_TRAINED) || (trait & (TRAIT_WEIGHTS | TRAIT_ENTERED)) ||
            !rk_grad_flows(o->op, k) || x->b->tensor.at[o->tensor[k]].is_index)
            continue;
        o->tensor[k] = change(x, o->tensor[k], RK_SHARD_WHOLE, true, true);
        if (o->tensor[k] == RK_NONE)
            return;
    }
}

/* A product with, or a lookup in, a weight that lies in pieces. */
static void place_with_weight(sharding *x, placing_op *o, size_t w)
{
    const rk_op *op = o->op;
    const rk_ix *ix = &op->in[w].axes.at[o->at[w]];
    bool routed = ix->kind == RK_IX_ROUTED, in_result = result_axis(x, op, w, o->at[w]) >= 0;
    bool each = x->l->runtime.reduces_each_reader;

    for (size_t k = 0; k < op->n_in; k++) {
        int has = k == w ? -1 : rk_ixs_place(&op->in[k].axes, ix->label), own;

        if (k == w || (o->is_weight[k] && has < 0))
            continue;
        own = has < 0 || routed ? RK_SHARD_WHOLE : seen_at(x, &op->in[k].axes, has, own_axes(x, op, k));
        if (o->is_weight[k] || x->b->tensor.at[o->tensor[k]].is_index || is_entered(x, o, k) ||
            ((routed || is_routed_op(op)) && own == RK_SHARD_WHOLE && o->at[k] < RK_SHARD_WHOLE))
            continue;
        if (routed && travels(x)) /* to the devices of its experts */
            o->tensor[k] = change(x, o->tensor[k], RK_SHARD_AWAY, true, true);
        else if (own >= 0)
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

/* A bias of experts is not added to parts of what they give: their scores come after it. */
static bool fails_bias(sharding *x, const placing_op *o)
{
    bool sum = false, bias = false;

    for (size_t k = 0; k < o->op->n_in && rk_op_table[o->op->row].class == RK_CLASS_ADD; k++) {
        sum |= o->at[k] == RK_SHARD_SUM;
        bias |= o->at[k] == RK_SHARD_WHOLE && o->tensor[k] != RK_NONE && (trait_of(x, o->tensor[k]) & TRAIT_WEIGHTS);
    }
    if (sum && bias)
        rk_fatal(x->b, RK_EINPUT, "%s: its experts have biases, and cannot lie over %s along their width; ep can",
                 x->b->name, rk_mesh_word[x->axis]);
    return sum && bias;
}

/* A weight of which each device has a part of the gradient, or all weights that a tensor is made of. */
static void mark_weights(sharding *x, uint32_t tensor, bool partial)
{
    const rk_tensor *t = &x->b->tensor.at[tensor];

    if (t->kind == RK_TENSOR_WEIGHT && partial)
        x->b->weight.at[t->weight].partial |= 1u << x->axis;
    else if (t->kind == RK_TENSOR_WEIGHT)
        x->whole[t->weight] = true;
    for (size_t k = 0; t->kind == RK_TENSOR_RESULT && k < x->b->op.at[t->producer].n_in; k++)
        mark_weights(x, x->b->op.at[t->producer].in[k].tensor, partial);
}

/*
 * The operation that adds a whole bias, and nothing else, to what a product makes: where the runtime adds it to partial
 * sums, each device adds a part of it, and all have the whole gradient.  n_op: there is none.
 */
static size_t bias_after(const sharding *x, size_t i)
{
    size_t found = x->p->n_op;

    if (!x->l->runtime.adds_bias_first || x->axis != RK_MESH_TP || !x->p->op[i].summed || is_routed_op(&x->p->op[i]))
        return found;
    for (size_t j = i + 1; j < x->p->n_op; j++)
        for (size_t k = 0; k < x->p->op[j].n_in; k++) {
            const rk_op *op = &x->p->op[j];

            if (op->in[k].tensor != x->p->op[i].out)
                continue;
            if (found < x->p->n_op || k > 0 || op->n_in != 2 || rk_op_table[op->row].class != RK_CLASS_ADD ||
                !rk_op_reads_weight(x->p, op, 1) || x->plan.weight[op->in[1].tensor] >= 0)
                return x->p->n_op;
            found = j;
        }
    return found;
}

/* Whether an operation adds a bias to partial sums; then it has a part of it. */
static bool adds_bias_first(sharding *x, placing_op *o)
{
    const rk_tensor *product = &x->p->tensor[o->op->in[0].tensor];

    if (o->op->n_in != 2 || o->at[0] != RK_SHARD_SUM || product->kind != RK_TENSOR_RESULT ||
        bias_after(x, product->producer) != (size_t)(o->op - x->p->op))
        return false;
    mark_weights(x, o->tensor[1], false);
    o->tensor[1] = change(x, o->tensor[1], RK_SHARD_SUM, false, false);
    o->at[1] = o->out = RK_SHARD_SUM;
    return o->bias = true;
}

/* Whether an operand only says in which type the other one is wanted: where it lies does not matter. */
static bool says_type(const rk_op *op, size_t k)
{
    return rk_op_table[op->row].class == RK_CLASS_CAST && k > 0;
}

/* What is read a step back, along a sequence, is read by who has all steps. */
static bool fails_recurrence(sharding *x, const placing_op *o)
{
    bool late = false, tokens = false;

    for (size_t k = 0; k < o->op->n_in; k++) {
        const rk_ixs *axes = &o->op->in[k].axes;

        late |= o->tensor[k] == RK_NONE;
        tokens |= o->at[k] >= 0 && token_axis(x, axes) == o->at[k];
    }
    if (late && tokens)
        rk_fatal(x->b, RK_EINPUT,
                 "%s: a recurrence along the sequence cannot be run over pieces of it, as %s divides it", x->b->name,
                 x->axis == RK_MESH_CP ? "cp" : "sp");
    return late && tokens;
}

/* All else works on the pieces that it finds. */
static void place_plain(sharding *x, placing_op *o)
{
    const rk_op *op = o->op;
    bool sum = false, whole = false, stays;
    size_t k;

    for (k = 0; k < op->n_in; k++)
        sum |= o->at[k] == RK_SHARD_SUM || o->at[k] == RK_SHARD_AWAY;
    if (adds_bias_first(x, o) || fails_bias(x, o) || fails_recurrence(x, o))
        return;
    stays = stays_sum(x, o);
    for (k = 0; sum && !stays && k < op->n_in; k++)
        if (hands_on(op, k) && (o->at[k] == RK_SHARD_SUM || o->at[k] == RK_SHARD_AWAY)) {
            o->tensor[k] = change(x, o->tensor[k], resting_place(x, &x->b->tensor.at[o->tensor[k]].axes), true, true);
            if (o->tensor[k] == RK_NONE)
                return;
            o->at[k] = seen_at(x, own_axes(x, op, k), place_of(x, o->tensor[k]), &op->in[k].axes);
        }
    /* Scores, of pieces of the tokens, meet what experts give, of all of them. */
    for (k = 0; sum && stays && k < op->n_in; k++)
        if (o->at[k] >= 0 && !o->is_weight[k]) {
            o->tensor[k] = change(x, o->tensor[k], RK_SHARD_WHOLE, true, true);
            o->at[k] = RK_SHARD_WHOLE;
            if (o->tensor[k] == RK_NONE)
                return;
        }
    for (k = 0; k < op->n_in && o->label == RK_NONE; k++)
        if (o->at[k] >= 0 && !is_of_experts(o, k) && !says_type(op, k)) {
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
            if (is_of_experts(o, k))
                o->out = travels(x) ? RK_SHARD_AWAY : RK_SHARD_SUM;
            else if ((o->at[k] == RK_SHARD_SUM || o->at[k] == RK_SHARD_AWAY) && hands_on(op, k))
                o->out = o->at[k];
        if (o->out == RK_SHARD_SUM)
            enter_whole(x, o);
        return;
    }
    if (rotates(x, op))
        return;
    for (k = 0; k < op->n_in; k++) {
        int has = rk_ixs_place(&op->in[k].axes, o->label), own;

        if (o->is_weight[k] || (has < 0 && o->at[k] < 0) || says_type(op, k))
            continue;
        own = whole || has < 0 ? RK_SHARD_WHOLE : seen_at(x, &op->in[k].axes, has, own_axes(x, op, k));
        if (!whole && o->at[k] >= 0 && result_axis(x, op, k, o->at[k]) == o->out) /* of joined ones, each its own */
            continue;
        /* Each device has its own queries: what they say of keys and values is to be added up. */
        o->tensor[k] = change(x, o->tensor[k], own, !whole || x->axis == RK_MESH_CP, true);
        if (o->tensor[k] == RK_NONE)
            return;
        o->at[k] = seen_at(x, own_axes(x, op, k), place_of(x, o->tensor[k]), &op->in[k].axes);
    }
    if (whole) {
        o->label = RK_NONE;
        o->out = RK_SHARD_WHOLE;
        return;
    }
    enter_whole(x, o);
    if (o->out < 0)
        o->out = rk_op_table[op->row].class == RK_CLASS_LOSS ? RK_SHARD_WHOLE : RK_SHARD_SUM;
}

/* Whether an operand is a list of places, by which others are put in order. */
static bool is_list(const sharding *x, const placing_op *o, size_t k)
{
    const rk_tensor *t = o->tensor[k] == RK_NONE ? NULL : &x->b->tensor.at[o->tensor[k]];
    const rk_op_row *row = t && t->kind == RK_TENSOR_RESULT ? &rk_op_table[x->b->op.at[t->producer].row] : NULL;

    return row && row->class == RK_CLASS_CHOICE && row->grad == RK_GRAD_NONE;
}

/* What reads tokens, or their scores, for experts that lie in pieces has a partial gradient of them. */
static void enter_experts(sharding *x, placing_op *o)
{
    const rk_op *op = o->op;
    bool twice = x->axis == RK_MESH_EP && x->l->runtime.scores_twice;

    if (!x->plan.meets[op->out] || rk_op_table[op->row].class != RK_CLASS_DISPATCH || travels(x))
        return;
    for (size_t k = 0; k < op->n_in; k++) {
        const rk_tensor *t = &x->b->tensor.at[o->tensor[k]];

        if (o->tensor[k] == RK_NONE)
            continue;
        if (t->is_index || o->at[k] == RK_SHARD_SUM || t->kind == RK_TENSOR_WEIGHT || is_list(x, o, k))
            continue;
        o->tensor[k] = change(x, o->tensor[k], RK_SHARD_WHOLE, true, o->at[k] >= 0);
        /* Scores are entered where the router gives them, too; there, each device keeps those of its own experts. */
        if (twice && o->tensor[k] != RK_NONE && rk_ixs_same(&op->in[k].axes, out_axes(x, op)))
            o->tensor[k] = put(x, RK_CHANGE_ENTER, o->tensor[k], &x->b->tensor.at[o->tensor[k]].axes, RK_SHARD_WHOLE);
        if (o->tensor[k] == RK_NONE)
            return;
        o->at[k] = RK_SHARD_WHOLE;
    }
}

/* Where the sequence lies in pieces, experts that do see all tokens, and the lists of who visits whom are of all. */
static void gather_choices(sharding *x, placing_op *o)
{
    const rk_op_row *row = &rk_op_table[o->op->row];
    bool lists = (row->class == RK_CLASS_CHOICE || row->class == RK_CLASS_MASK) && row->grad == RK_GRAD_NONE;

    for (size_t k = 0; lists && x->plan.routed && !travels(x) && k < o->op->n_in; k++)
        if (o->at[k] >= 0 && !o->is_weight[k]) {
            o->tensor[k] = change(x, o->tensor[k], RK_SHARD_WHOLE, true, true);
            o->at[k] = RK_SHARD_WHOLE;
            if (o->tensor[k] == RK_NONE)
                return;
        }
}

/* Whether an operation only brings weights into another form: who reads that says what their gradient is. */
static bool is_weight_form(const sharding *x, const placing_op *o)
{
    for (size_t k = 0; k < o->op->n_in; k++)
        if (rk_grad_flows(o->op, k) && o->tensor[k] != RK_NONE && !(trait_of(x, o->tensor[k]) & TRAIT_WEIGHTS))
            return false;
    return true;
}

/* A weight that is whole, read with tokens or heads in pieces, or with partial sums. */
static void mark_partial(sharding *x, const placing_op *o)
{
    for (size_t k = 0; k < o->op->n_in; k++) {
        bool lacks = o->label != RK_NONE && !rk_ixs_has(&o->op->in[k].axes, o->label);
        unsigned trait = o->tensor[k] == RK_NONE ? 0 : trait_of(x, o->tensor[k]);

        if ((trait & (TRAIT_WEIGHTS | TRAIT_ENTERED)) == TRAIT_WEIGHTS && o->at[k] == RK_SHARD_WHOLE &&
            x->axis != RK_MESH_CP && (lacks || (o->label == RK_NONE && o->out == RK_SHARD_SUM)))
            mark_weights(x, o->tensor[k], true);
        else if ((trait & TRAIT_TRAINED) && (trait & TRAIT_WEIGHTS) && o->at[k] == RK_SHARD_WHOLE &&
                 o->label == RK_NONE && o->out == RK_SHARD_WHOLE && !is_weight_form(x, o))
            mark_weights(x, o->tensor[k], false);
    }
}

/* What a result is made of. */
static unsigned trait_of_result(const sharding *x, const placing_op *o)
{
    rk_op_class class = rk_op_table[o->op->row].class;
    bool plain = o->op->n_in > 0 && class != RK_CLASS_PRODUCT && class != RK_CLASS_NORM && class != RK_CLASS_LOOKUP;
    unsigned trait = plain ? TRAIT_WEIGHTS : 0, entered = TRAIT_ENTERED, visits = 0;

    for (size_t k = 0; k < o->op->n_in; k++) {
        unsigned of = o->tensor[k] == RK_NONE ? TRAIT_TRAINED : trait_of(x, o->tensor[k]);

        if (!(of & TRAIT_WEIGHTS) && !is_list(x, o, k))
            trait &= ~(unsigned)TRAIT_WEIGHTS;
        visits |= is_of_experts(o, k) ? TRAIT_VISITS : hands_on(o->op, k) ? of & TRAIT_VISITS : 0;
        if (!(of & TRAIT_TRAINED) || !rk_grad_flows(o->op, k))
            continue;
        trait |= TRAIT_TRAINED;
        entered &= of;
    }
    if ((trait & TRAIT_TRAINED) && o->out == RK_SHARD_WHOLE)
        trait |= entered;
    if (o->out == RK_SHARD_SUM && class != RK_CLASS_REDUCTION && class != RK_CLASS_COMBINE)
        trait |= visits;
    return trait;
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
        /* Halves are merged on all devices but the last; where heads travel, what came of them is kept beside it. */
        new->merged = x->l->rotate == RK_ROTATE_ULYSSES || rk_layout_place(x->l, x->axis) + 1 < x->n;
    }
    if (rk_op_table[op->row].class == RK_CLASS_LOSS && label != RK_NONE && x->axis == RK_MESH_TP &&
        op->in[0].axes.at[op->in[0].axes.n - 1].label == label) { /* along the vocabulary */
        new->mesh = (uint8_t)(x->axis + 1);
        /* A maximum and a sum; a pick; or all three at once. */
        new->rows = op->n_label ? 2 : rk_op_table[op->row].per == RK_PER_NONE ? 1 : 3;
    }
    set_place(x, out, o->out);
    set_trait(x, out, trait_of_result(x, o));
    return x->b->fatal;
}

/* Whether tokens, or their scores, have been put in the order of their experts: after experts it is put back. */
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

/* What was made with the prompt lies in its cache as the step that made it left it: in pieces along its class. */
static void cut_cached(sharding *x, uint32_t before, uint32_t tensor)
{
    int at = x->plan.state[before];

    if (tensor == RK_NONE || at < 0 || x->b->tensor.at[tensor].kind != RK_TENSOR_CACHED || place_of(x, tensor) >= 0)
        return;
    x->b->tensor.at[tensor].axes = cut(x, &x->b->tensor.at[tensor].axes, at);
    set_place(x, tensor, at);
}

static bool is_output(const sharding *x, uint32_t tensor)
{
    for (size_t i = 0; i < x->p->n_output; i++)
        if (x->p->output[i] == tensor)
            return true;
    return false;
}

/* Whether pieces are pieces under the labels that they are read by, and no place of another one is read. */
static bool sees_pieces(const rk_op *op, size_t k, int at)
{
    return at >= 0 && op->in[k].axes.at[at].kind != RK_IX_AFFINE;
}

/* A bias that is added to what the head's product makes. */
static bool is_head_bias(const sharding *x, size_t i)
{
    const rk_op *op = &x->p->op[i];
    bool weight = false, head = false;

    for (size_t k = 0; k < op->n_in && rk_op_table[op->row].class == RK_CLASS_ADD; k++) {
        const rk_tensor *t = &x->p->tensor[op->in[k].tensor];

        weight |= t->kind == RK_TENSOR_WEIGHT;
        head |= t->kind == RK_TENSOR_RESULT && x->m->roles.op[t->producer] == RK_ROLE_HEAD;
    }
    return weight && head;
}

/* Whether an operation makes what the head hands on, whatever is done to it before it is the output. */
static bool ends_head(const sharding *x, size_t i)
{
    if (is_head_bias(x, i))
        return true;
    for (size_t j = i + 1; j < x->p->n_op; j++)
        for (size_t k = 0; k < x->p->op[j].n_in; k++)
            if (x->p->op[j].in[k].tensor == x->p->op[i].out && is_head_bias(x, j))
                return false;
    return x->m->roles.op[i] == RK_ROLE_HEAD;
}

/* Rows of one matrix for several things are gathered where they are taken apart by their places. */
static bool hands_on_whole(const sharding *x, const rk_op *op, size_t w, int at)
{
    return x->l->runtime.whole_packed_rows && x->axis == RK_MESH_TP && !is_routed_op(op) && at >= 0 &&
           op->in[w].axes.at[at].kind == RK_IX_SUM;
}

static int shard_op(rk_copy *c, size_t i)
{
    sharding *x = c->self;
    const rk_op *op = &x->p->op[i];
    placing_op o = {.op = op, .label = RK_NONE, .out = RK_SHARD_WHOLE};
    size_t w;
    uint32_t out;
    int to;

    if (op->n_in > RK_LABELS_PER_OP_MAX)
        return rk_fatal(x->b, RK_ELIMIT, "%s: too many operands to be laid over devices", x->b->name);
    for (size_t k = 0; k < op->n_in; k++) {
        o.tensor[k] = rk_copy_tensor(c, op->in[k].tensor, op->in[k].alias);
        cut_cached(x, op->in[k].tensor, o.tensor[k]);
        if (o.tensor[k] == RK_NONE) { /* a recurrence reads what it will make */
            if (x->b->fatal)
                return x->b->fatal;
            uint32_t *late = RK_PUSH(x->b->a, &x->late);

            if (!late)
                return rk_fatal_memory(x->b);
            *late = op->in[k].tensor;
            o.is_weight[k] = true; /* nobody can change its place */
            o.at[k] = seen_at(x, own_axes(x, op, k), x->plan.state[op->in[k].tensor], &op->in[k].axes);
            continue;
        }
        o.is_weight[k] = x->b->tensor.at[o.tensor[k]].kind == RK_TENSOR_WEIGHT;
        if (o.is_weight[k])
            cut_weight(x, op->in[k].tensor, o.tensor[k]);
        o.at[k] = seen_at(x, own_axes(x, op, k), place_of(x, o.tensor[k]), &op->in[k].axes);
        if (place_of(x, o.tensor[k]) >= 0 && !o.is_weight[k] && !sees_pieces(op, k, o.at[k])) {
            o.tensor[k] = change(x, o.tensor[k], RK_SHARD_WHOLE, false, true);
            o.at[k] = RK_SHARD_WHOLE;
        }
        if (o.tensor[k] == RK_NONE)
            return x->b->fatal;
    }
    if (x->b->fatal)
        return x->b->fatal;
    enter_experts(x, &o);
    gather_choices(x, &o);
    if (x->b->fatal)
        return x->b->fatal;
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
    if (rk_op_table[op->row].class == RK_CLASS_LOOKUP && w < op->n_in && o.out == RK_SHARD_SUM &&
        x->l->runtime.whole_table_gradient) { /* its rows lie in pieces */
        rk_weight *weight = &x->b->weight.at[x->b->tensor.at[o.tensor[w]].weight];

        weight->gradient = rk_ixs_count(x->b->pool, own_axes(x, op, w));
    }
    /* What is a partial sum is changed at once; so is the output, unless the loss takes it in pieces. */
    to = place_of(x, out);
    if (to == RK_SHARD_SUM && !is_routed_op(op) && (o.bias || (w < op->n_in && bias_after(x, i) == x->p->n_op)))
        to = resting_place(x, &x->b->tensor.at[out].axes);
    else if (to == RK_SHARD_WHOLE && rk_op_table[op->row].shape == RK_SHAPE_PLACE &&
             token_axis(x, out_axes(x, op)) >= 0)
        to = resting_place(x, &x->b->tensor.at[out].axes);
    else if (travels(x) && is_dispatched(x, op))
        to = RK_SHARD_AWAY;
    else if (to >= 0 && x->axis == RK_MESH_TP && !x->l->vocab_loss && to != token_axis(x, out_axes(x, op)) &&
             (is_output(x, op->out) || ends_head(x, i)))
        to = RK_SHARD_WHOLE;
    else if (to >= 0 && w < op->n_in && hands_on_whole(x, op, w, o.at[w]))
        to = RK_SHARD_WHOLE;
    if (to != place_of(x, out)) {
        out = change(x, out, to, false, false);
        if (out == RK_NONE)
            return x->b->fatal;
        c->tensor[op->out] = out;
    }
    return x->b->fatal;
}

/* ---- the pass ---------------------------------------------------------------------------------------------------- */

/* Each device of cp has its own tokens: inputs are given in pieces, and so are constants for each token. */
static void cut_inputs(sharding *x)
{
    for (size_t i = 0; i < x->b->input.n; i++) {
        uint32_t tensor = x->b->input.at[i];
        bool comes = x->b->tensor.at[tensor].incoming; /* from the stage before, where it lay as values do here */
        int at = x->axis == RK_MESH_CP || comes ? resting_place(x, &x->b->tensor.at[tensor].axes) : RK_SHARD_WHOLE;

        if (at >= 0) {
            x->b->tensor.at[tensor].axes = cut(x, &x->b->tensor.at[tensor].axes, at);
            set_place(x, tensor, at);
        }
    }
}

/* Between products the sequence lies in pieces, from the first layer on. */
static int enter_loop(rk_copy *c, size_t loop)
{
    sharding *x = c->self;
    const rk_loop *l = &x->p->loop[loop];
    size_t before = x->b->op.n;

    if (x->axis != RK_MESH_TP || !x->l->sp || l->parent != 0)
        return RK_OK;
    rk_build_note(x->b, (rk_trace_event){.kind = RK_TRACE_EQUATION});
    for (size_t v = 0; l->n_group && v < l->n_carry; v++) {
        const rk_group *first = &x->p->group[l->group[0]];
        uint32_t tensor = rk_copy_tensor(c, first->in[v], first->in_alias[v]), now;
        int to;

        if (tensor == RK_NONE || x->b->tensor.at[tensor].is_index || place_of(x, tensor) != RK_SHARD_WHOLE)
            continue;
        to = resting_place(x, &x->b->tensor.at[tensor].axes);
        now = to >= 0 ? change(x, tensor, to, false, false) : tensor;
        if (now == RK_NONE)
            return x->b->fatal;
        if (first->in_alias[v])
            c->alias[first->in_alias[v] - 1] = now;
        else
            c->tensor[first->in[v]] = now;
    }
    rk_build_rows(x->b, before, "piece");
    return x->b->fatal;
}

/* A gradient that is a partial sum from one reader and whole from another can be brought together by nobody. */
static int check_weights(const sharding *x)
{
    for (size_t i = 0; i < x->b->weight.n; i++)
        if ((x->b->weight.at[i].partial & 1u << x->axis) && x->whole[i])
            return rk_fatal(x->b, RK_EINPUT, "%s: %s is read both with pieces that lie over %s and with the whole",
                            x->b->name, x->b->weight.at[i].pattern, rk_mesh_word[x->axis]);
    return RK_OK;
}

/* What layers carry on lies before each as it does after it, and what is read a step back as it was taken to lie. */
static int check_layers(const sharding *x)
{
    for (size_t i = 0; i < x->late.n; i++) {
        uint32_t old = x->late.at[i], new = x->c->tensor[old];

        if (new != RK_NONE && place_of(x, new) != x->plan.state[old])
            return rk_fatal(x->b, RK_EINPUT, "%s: what a recurrence reads a step back cannot lie over %s as it is made",
                            x->b->name, rk_mesh_word[x->axis]);
    }
    for (size_t g = 0; g < x->b->group_list.n; g++) {
        const rk_group *group = &x->b->group_list.at[g];

        for (size_t v = 0; group->loop != RK_NONE && v < x->b->loop.at[group->loop].n_carry; v++)
            if (place_of(x, group->in[v]) != place_of(x, group->out[v]))
                return rk_fatal(x->b, RK_EINPUT, "%s: what its layers carry on does not lie over %s as it did before",
                                x->b->name, rk_mesh_word[x->axis]);
    }
    return RK_OK;
}

/* A stage of a pipeline may have nothing that lies over an axis, where others have. */
static int check_stage(const rk_model *in, const rk_model *whole, const rk_layout *l, rk_mesh_axis axis, rk_err *err)
{
    rk_arena own = {0};
    rk_shard_plan plan = {.nothing = true};
    int code = whole ? rk_shard_plan_new(&own, whole, l, axis, &plan, err) : RK_OK;

    rk_arena_free(&own);
    if (code == RK_OK && plan.nothing)
        return l->split && axis == RK_MESH_TP
                   ? rk_fail(err, RK_EINPUT,
                             "--split %s: no size of that name can lie over tp: heads, FFN widths and the "
                             "vocabulary can",
                             l->split)
                   : rk_fail(err, RK_EINPUT, "%s has nothing that could lie over %s: %s", in->name, rk_mesh_word[axis],
                             rk_mesh_text[axis]);
    return code;
}

/* *out: NULL, where there is nothing to be divided. */
static int shard_over(const rk_model *in, const rk_model *whole, const rk_layout *l, rk_mesh_axis axis,
                      const rk_model **out, rk_err *err)
{
    rk_arena own = {0};
    rk_copy c = {.op = shard_op, .loop_begins = enter_loop};
    sharding x = {.c = &c, .m = in, .p = &in->program, .l = l, .axis = axis, .n = l->size[axis]};
    rk_model_draft *d = NULL;
    rk_build b;
    int code = rk_shard_plan_new(&own, in, l, axis, &x.plan, err);

    if (code == RK_OK && x.plan.nothing) {
        rk_arena_free(&own);
        return check_stage(in, whole, l, axis, err);
    }
    c.self = &x;
    x.b = &b;
    x.whole = RK_NEW_ARRAY(&own, in->program.n_weight + 1, bool);
    if (code == RK_OK && !x.whole)
        code = rk_fail_memory(err);
    if (code == RK_OK && (code = rk_pass_begin(in, &d, &b, err)) == RK_OK) {
        x.over = rk_mesh_size(b.pool, l, axis);
        code = rk_shard_numbers(&own, d->model, &x.at, err);
        if (code == RK_OK)
            code = rk_copy_begin(&c, &in->program, &b);
        if (code == RK_OK) {
            cut_inputs(&x);
            code = rk_copy_run(&c);
        }
        if (code == RK_OK)
            cut_ties(&x);
        if (code == RK_OK)
            code = check_layers(&x);
        if (code == RK_OK)
            code = check_weights(&x);
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
        code = shard_over(*out ? *out : in, in->part_of, o->layout, order[i], &next, err);
        if (code == RK_OK && next && *out)
            rk_model_own(next, *out);
        if (code == RK_OK && next)
            *out = next;
    }
    if (code == RK_OK && o->layout && o->layout->size[RK_MESH_CP] > 1 && o->layout->rotate == RK_ROTATE_ULYSSES)
        code = rk_shard_check_heads(*out ? *out : in, o->layout, err);
    if (code != RK_OK && *out) {
        rk_model_free(*out);
        *out = NULL;
    }
    return code;
}
