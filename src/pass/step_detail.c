/* SPDX-License-Identifier: MIT */
/*
 * pass/step_detail.c - what a framework's operations make and let go inside, beside operands and results.
 *
 * A peak hardly depends on it, so a step is made without; the allocator does (account/reserve.h), since a block that
 * was
 * free for a moment decides where the next ones go.  The rules are those of PyTorch's operations on a GPU, found in
 * traces of its allocator (tests/golden/alloc); each says what it is about.
 */
#include "pass/stepping.h"

#include "model/collective.h"
#include "model/roles.h"

/* Slots of temporaries, which live within an operation. */
enum {
    COSINE, /* of a rotation: x·cos, … */
    HALF,
    JOINED,
    SINE,
    WHOLE, /* a factor's gradient before it is summed */
    SUMS,  /* of rows: partial ones, … */
    FLAGS, /* … and who is done */
    ANY,
    MASK,
    PUT_OFF,
    N_SLOT = PUT_OFF + RK_STEP_PUT_OFF
};

static void effect(rk_stepping *s, rk_effect_kind kind, uint32_t slot, uint32_t other)
{
    rk_stepping_effect(s, kind, slot, other);
}

static void begin(rk_stepping *s, uint32_t slot, size_t op, const char *what, rk_i128 bytes)
{
    rk_step_temporary *t = s->code == RK_OK ? RK_PUSH(s->a, &s->temporary) : NULL;

    if (!t) {
        rk_stepping_fail(s);
        return;
    }
    *t = (rk_step_temporary){
        .op = (uint32_t)op, .what = what, .as = RK_LIVE_PASSING, .bytes = rk_stepping_rounded(s, bytes)};
    effect(s, RK_EFFECT_MAKE, s->inner + slot, (uint32_t)(s->out->n_place + 2 * s->out->n_tensor + s->temporary.n - 1));
}

static void end(rk_stepping *s, uint32_t slot)
{
    effect(s, RK_EFFECT_FREE, s->inner + slot, RK_NONE);
}

static void within(rk_stepping *s, uint32_t slot, size_t op, const char *what, rk_i128 bytes)
{
    begin(s, slot, op, what, bytes);
    end(s, slot);
}

static rk_i128 bytes_of(const rk_stepping *s, uint32_t tensor)
{
    return s->out->bytes[s->out->n_place + tensor];
}

static rk_i128 count_of(rk_stepping *s, uint32_t tensor)
{
    const rk_ixs *axes = &s->p->tensor[tensor].axes;
    rk_i128 n = 1;

    for (size_t i = 0; i < axes->n; i++)
        n *= rk_stepping_value(s, axes->at[i].size);
    return n;
}

static rk_i128 ceil_div(rk_i128 a, rk_i128 b)
{
    return (a + b - 1) / b;
}

static bool is_weight(const rk_stepping *s, size_t op, size_t k)
{
    return rk_op_reads_weight(s->p, &s->p->op[op], k);
}

/* ---- what is found beforehand ------------------------------------------------------------------------------------ */

/* Whether an operand is a weight, or the part of one that a device adds to partial sums. */
static bool is_bias(const rk_stepping *s, size_t op, size_t k)
{
    const rk_tensor *t = &s->p->tensor[s->p->op[op].in[k].tensor];

    return is_weight(s, op, k) || (t->kind == RK_TENSOR_RESULT && s->p->op[t->producer].row == RK_OP_SHARE);
}

/* A product with a weight and the sum with a bias after it are one operation, whose result is one buffer. */
static void find_bias(rk_stepping *s, size_t i, const uint32_t *n_reader)
{
    const rk_op *op = &s->p->op[i];
    uint32_t product, maker;

    if (rk_op_table[op->row].class != RK_CLASS_ADD || op->n_in != 2 || is_weight(s, i, 0) || !is_bias(s, i, 1))
        return;
    product = op->in[0].tensor;
    maker = s->p->tensor[product].producer;
    if (s->p->tensor[product].kind != RK_TENSOR_RESULT || maker == RK_NONE || n_reader[product] != 1 ||
        !s->p->op[maker].summed || s->p->op[maker].group != op->group || s->o->run.profile->textbook ||
        (!is_weight(s, maker, 0) && !is_weight(s, maker, 1)) || bytes_of(s, product) != bytes_of(s, op->out) ||
        rk_stepping_place_of(s, product) == rk_stepping_place_of(s, op->out))
        return;
    s->bias[maker] = (uint32_t)i;
    s->product[i] = maker;
}

/* The product after the layers that makes the output: the function of the model's body has returned before it. */
static void find_head(rk_stepping *s)
{
    size_t last = s->p->loss == RK_NONE ? s->p->n_op : s->p->loss_first, first = 0;

    for (size_t i = 0; i < s->p->n_loop; i++)
        if (s->p->loop[i].parent == 0 && s->p->loop[i].end_op > first)
            first = s->p->loop[i].end_op;
    s->head = RK_NONE;
    for (size_t i = first; first > 0 && i < last; i++)
        if (s->p->op[i].summed && (is_weight(s, i, 0) || is_weight(s, i, 1)))
            s->head = (uint32_t)i;
}

/* Where operations are run: those of a group may change their places among themselves. */
static void find_ranks(rk_stepping *s)
{
    for (uint32_t g = 0; g < s->p->n_group && s->code == RK_OK; g++) {
        size_t n, k = 0, first = g == 0 ? 0 : s->p->group[g].first_op;
        const rk_step_thing *thing = rk_stepping_things(s, g, false, &n);

        for (size_t i = first; k < n; k++) {
            rk_step_thing was = rk_stepping_thing(s, g, i, false);

            if (was.kind == THING_OP)
                s->rank[thing[k].which] = (uint32_t)was.which;
            i = was.end;
        }
    }
}

void rk_stepping_find_details(rk_stepping *s)
{
    uint32_t *n_reader = RK_NEW_ARRAY(s->a, s->p->n_tensor + 1, uint32_t);

    s->rank = RK_NEW_ARRAY(s->a, s->p->n_op + 1, uint32_t);
    s->bias = RK_NEW_ARRAY(s->a, s->p->n_op + 1, uint32_t);
    s->product = RK_NEW_ARRAY(s->a, s->p->n_op + 1, uint32_t);
    s->viewed = RK_NEW_ARRAY(s->a, s->out->n_slot + 1, bool);
    s->turned = RK_NEW_ARRAY(s->a, s->out->n_slot + 1, bool);
    if (!n_reader || !s->rank || !s->bias || !s->product || !s->viewed || !s->turned) {
        rk_stepping_fail(s);
        return;
    }
    for (size_t i = 0; i < s->p->n_op; i++) {
        s->bias[i] = s->product[i] = RK_NONE;
        s->rank[i] = (uint32_t)i;
        for (size_t k = 0; k < s->p->op[i].n_in; k++)
            n_reader[s->p->op[i].in[k].tensor]++;
    }
    s->head = RK_NONE;
    for (size_t i = 0; i < s->p->n_output; i++)
        n_reader[s->p->output[i]]++;
    for (size_t i = 0; (s->o->detailed || s->o->schedule) && i < s->p->n_op; i++) /* in stages, too */
        find_bias(s, i, n_reader);
    if (!s->o->detailed)
        return;
    find_head(s);
    find_ranks(s);
}

/* Queries and keys are rotated by one call: their variables get new tensors when the last of them is. */
size_t rk_stepping_rotated_with(const rk_stepping *s, size_t i)
{
    const rk_op *op = &s->p->op[i];
    size_t last = i;

    for (size_t j = i + 1; s->o->detailed && rk_op_table[op->row].class == RK_CLASS_ROTARY && j < s->p->n_op &&
                           s->p->op[j].part == op->part && s->p->op[j].group == op->group;
         j++) {
        uint32_t from = s->p->tensor[s->p->op[j].in[0].tensor].producer;

        if (rk_op_table[s->p->op[j].row].class == RK_CLASS_ROTARY && from != RK_NONE && from < i)
            last = j;
    }
    return last;
}

/*
 * A local of a function dies when that returns: a norm's scaled input in fp32 is there until its cast has been
 * multiplied with the weight.
 */
bool rk_stepping_is_local(const rk_stepping *s, size_t i)
{
    const rk_op *op = &s->p->op[i], *next = op + 1;

    return s->o->detailed && i + 1 < s->p->n_op && rk_op_table[op->row].class == RK_CLASS_CAST &&
           next->group == op->group && rk_op_table[next->row].class == RK_CLASS_ELEMENT && next->n_in == 2 &&
           (next->in[0].tensor == op->out || next->in[1].tensor == op->out) &&
           (is_weight(s, i + 1, 0) || is_weight(s, i + 1, 1));
}

static bool is_part_of_same(const rk_stepping *s, const rk_step_thing *a, const rk_step_thing *b)
{
    const rk_op *x = &s->p->op[a->which], *y = &s->p->op[b->which];

    return b->kind == THING_OP && rk_op_table[x->row].place == RK_PLACE_PART &&
           rk_op_table[y->row].place == RK_PLACE_PART && x->in[0].tensor == y->in[0].tensor;
}

/*
 * What is written in one line is run from left to right: an activation, or a product with a number, after what it
 * reads,
 * before other lines.
 */
void rk_stepping_order(const rk_stepping *s, rk_step_thing *thing, size_t n)
{
    for (size_t i = 0; s->o->detailed && s->p->n_region == 0 && i < n; i++) {
        const rk_op *op = thing[i].kind == THING_OP ? &s->p->op[thing[i].which] : NULL;
        rk_step_thing moved = thing[i];
        uint32_t maker;
        size_t k = i;

        if (!op || op->n_in != 1 || (rk_op_table[op->row].class != RK_CLASS_ACTIVATION && op->row != RK_OP_SCALE))
            continue;
        maker = s->p->tensor[op->in[0].tensor].producer;
        while (k > 0 && thing[k - 1].kind == THING_OP && thing[k - 1].which != maker)
            k--;
        if (k == 0 || thing[k - 1].kind != THING_OP)
            continue;
        while (k < i && is_part_of_same(s, &thing[k - 1], &thing[k])) /* which are split at once */
            k++;
        for (size_t j = i; j > k; j--)
            thing[j] = thing[j - 1];
        thing[k] = moved;
    }
}

/* Whether a layer that is recomputed stops here: nothing after saves anything, and what is saved here is there. */
bool rk_stepping_stops(const rk_stepping *s, const rk_step_thing *thing, size_t n)
{
    const rk_place_op *op = &s->pl->op[thing->which];

    if (!(s->o->detailed || s->o->layout) || s->p->op[thing->which].group == 0 || op->n_kept == 0)
        return false;
    for (size_t k = 1; k < n; k++)
        if (thing[k].kind != THING_OP || s->pl->op[thing[k].which].n_kept > 0)
            return false;
    for (size_t k = 0; k < op->n_kept; k++) {
        uint32_t b = s->pl->list[op->read + op->n_read + k];

        if (b >= op->made && b < op->made + op->n_made)
            return false;
    }
    return true;
}

/* ---- forward ----------------------------------------------------------------------------------------------------- */

static bool reads_from(const rk_stepping *s, uint32_t place, size_t first)
{
    for (size_t i = first; i < s->p->n_op; i++)
        for (size_t k = 0; k < s->pl->op[i].n_read + s->pl->op[i].n_kept; k++)
            if (s->pl->list[s->pl->op[i].read + k] == place)
                return true;
    return false;
}

static bool is_output(const rk_stepping *s, uint32_t place)
{
    for (size_t i = 0; i < s->p->n_output; i++)
        if (rk_stepping_place_of(s, s->p->output[i]) == place)
            return true;
    return false;
}

/* Variables of the model's body, which nobody reads any more. */
static void leave_body(rk_stepping *s, size_t i)
{
    for (uint32_t b = 0; b < s->pl->n_buffer; b++) {
        bool there = s->held[b] || (s->last[b] != RK_NONE && s->last[b] >= rk_event_op(i));

        if (s->releaser[b] == 0 && there && !s->pl->buffer[b].stored && s->pl->buffer[b].op != RK_NONE &&
            s->pl->buffer[b].op < i && !is_output(s, b) && !reads_from(s, b, i))
            effect(s, RK_EFFECT_FREE, b, RK_NONE);
    }
    if (s->o->recompute_layers == 0) /* layers that are recomputed have it until then */
        end(s, MASK);
}

/* Bytes of the rotated part of a tensor. */
static rk_i128 rotated(rk_stepping *s, const rk_op *op)
{
    const rk_ixs *axes = &op->in[0].axes;
    rk_i128 last = axes->n > 0 ? rk_stepping_value(s, axes->at[axes->n - 1].size) : 0;
    rk_i128 part = op->arg == RK_EX_FAILED ? last : rk_stepping_value(s, op->arg), all = bytes_of(s, op->out);

    return last > 0 && part < last ? all / last * part : all;
}

/* A product of activations, masked: scores, which are scaled and to which the mask is added. */
static bool makes_scores(const rk_stepping *s, size_t i)
{
    const rk_op *op = &s->p->op[i];
    const rk_ixs *axes = &s->p->tensor[op->out].axes;
    bool has_keys = false;

    for (size_t k = 0; k < axes->n; k++)
        has_keys |= axes->at[k].label == op->mask.key;
    return op->summed && !is_weight(s, i, 0) && !is_weight(s, i, 1) && op->mask.kind != RK_MASK_FULL && has_keys;
}

/* Scores of queries that were scaled: the mask is added in their place, and is made for them alone. */
static bool makes_scaled_scores(const rk_stepping *s, size_t i)
{
    uint32_t maker = makes_scores(s, i) ? s->p->tensor[s->p->op[i].in[0].tensor].producer : RK_NONE;

    return maker != RK_NONE && s->p->op[maker].row == RK_OP_SCALE;
}

static rk_i128 mask_count(rk_stepping *s, const rk_op *op)
{
    return rk_stepping_value(s, s->p->label[op->mask.query].size) *
           rk_stepping_value(s, s->p->label[op->mask.key].size);
}

/* Whether a buffer is made of repeated values: keys and values are repeated before the scores are computed. */
static bool is_repeated(const rk_stepping *s, uint32_t b)
{
    uint32_t t = s->pl->buffer[b].tensor, maker = t == RK_NONE ? RK_NONE : s->p->tensor[t].producer;

    return s->pl->buffer[b].what && maker != RK_NONE && rk_op_table[s->p->op[maker].row].place == RK_PLACE_REPEAT;
}

/* Whether an operation takes a product of scores with values. */
static bool weighs_values(const rk_stepping *s, size_t i)
{
    return s->p->op[i].summed && !is_weight(s, i, 0) && !is_weight(s, i, 1) && !makes_scores(s, i);
}

/* Copies of the operation's operands that were made before. */
bool rk_stepping_is_early(const rk_stepping *s, size_t i, uint32_t b)
{
    bool after = false;

    if (!s->o->detailed || !weighs_values(s, i) || !is_repeated(s, b))
        return false;
    for (size_t k = i; k > 0 && s->p->op[k - 1].group == s->p->op[i].group && !after; k--) {
        if (weighs_values(s, k - 1))
            return false;
        after = makes_scores(s, k - 1);
    }
    return after;
}

/* The mask of scores, which the function of the model's body makes before its layers. */
void rk_stepping_before_layers(rk_stepping *s, const rk_loop *l)
{
    bool handed = false;

    for (size_t i = 0; i < s->p->n_op; i++)
        handed |= rk_op_table[s->p->op[i].row].place == RK_PLACE_HANDED;
    for (size_t i = l->first_op; s->o->detailed && l->parent == 0 && !handed && !s->masked && i < l->end_op; i++) {
        const rk_op *op = &s->p->op[i];

        if (!makes_scores(s, i) || makes_scaled_scores(s, i) || op->in[0].axes.n == 0)
            continue;
        begin(s, MASK, i, "mask",
              rk_stepping_value(s, op->in[0].axes.at[0].size) * mask_count(s, op) * s->o->run.bytes);
        s->masked = true;
    }
}

/*
 * What is gathered comes in piece by piece, and what is scattered goes out so: where the axis in pieces is not the
 * outermost one of more than one, the whole is copied.  That whole, or RK_NONE.
 */
static uint32_t lies_across(rk_stepping *s, const rk_op *op)
{
    const rk_change_row *change = rk_change_of(op->row);
    const rk_ixs *in, *out = &s->p->tensor[op->out].axes;
    rk_i128 before = 1;
    size_t i = 0;

    if (!change || (change->forward != RK_COLLECTIVE_ALL_GATHER && change->forward != RK_COLLECTIVE_REDUCE_SCATTER))
        return RK_NONE;
    for (in = &s->p->tensor[op->in[0].tensor].axes; i < in->n && in->at[i].size == out->at[i].size; i++)
        before *= rk_stepping_value(s, in->at[i].size);
    return before == 1 || i == in->n ? RK_NONE : change->scatters ? op->in[0].tensor : op->out;
}

static rk_i128 most(rk_i128 a, rk_i128 b)
{
    return a > b ? a : b;
}

/* Whether keys and values come to an attention from other devices, together or one after the other. */
static bool comes_round(const rk_stepping *s, const rk_op *op)
{
    return s->o->layout && op->mesh != 0 && rk_op_table[op->row].class == RK_CLASS_ATTENTION && op->n_in > 2 &&
           s->o->layout->rotate != RK_ROTATE_ULYSSES;
}

/*
 * What such an attention holds beside its operands and results, as torch.distributed.tensor.experimental does it: what
 * has come from the others (all of it, or what is here and what comes next), and what is added up in fp32: two
 * results when they are merged, gradients on their way.  Which moment is the largest depends on the sizes.
 */
static rk_i128 bytes_round(rk_stepping *s, const rk_op *op, bool forward)
{
    rk_i128 q = count_of(s, op->in[0].tensor), n = s->o->layout->size[op->mesh - 1], b = s->o->run.bytes;
    rk_i128 k = (count_of(s, op->in[1].tensor) + count_of(s, op->in[2].tensor)) / 2;
    bool first = rk_layout_place(s->o->layout, (rk_mesh_axis)(op->mesh - 1)) == 0;
    bool gathers = s->o->layout->rotate == RK_ROTATE_ALLGATHER;
    rk_i128 come = 2 * k * b * (gathers ? n : n == 2 ? 1 : 2), whole = 4 * (q + 6 * k) + b * 6 * k, sums;

    if (forward)
        return come + (first ? most(4 * 5 * q / 2 + b * q / 2, 4 * q + 4 * k * b) : 4 * 4 * q);
    if (first)
        sums = most(4 * (2 * q + 6 * k) + b * (2 * k - q / 2), 4 * (q + 6 * k) + b * (q / 2 + 4 * k));
    else
        sums = most(4 * (q + 8 * k) + b * k, 4 * (q + 6 * k) + b * (q + 3 * k));
    return come + (gathers && n > 2 ? most(sums, whole) : sums);
}

/* Before the result is made. */
void rk_stepping_before_result(rk_stepping *s, size_t i)
{
    const rk_op *op = &s->p->op[i];

    if (comes_round(s, op))
        begin(s, JOINED, i, "of other devices", bytes_round(s, op, true));

    if (s->o->layout && lies_across(s, op) != RK_NONE)
        begin(s, ANY, i, "in the order of devices", s->out->bytes[rk_stepping_place_of(s, lies_across(s, op))]);
    if (!s->o->detailed)
        return;
    if (i == s->head)
        leave_body(s, i);
    for (size_t k = i + 1; makes_scores(s, i) && k < s->p->n_op && s->p->op[k].group == op->group; k++) {
        const rk_place_op *at = &s->pl->op[k];

        for (uint32_t b = at->made; weighs_values(s, k) && b < at->made + at->n_made; b++)
            if (rk_stepping_is_early(s, k, b))
                effect(s, RK_EFFECT_MAKE, b, b);
        if (weighs_values(s, k) || makes_scores(s, k))
            break;
    }
    if (rk_op_table[op->row].class == RK_CLASS_ROTARY) {
        rk_i128 bytes = rotated(s, op);

        begin(s, COSINE, i, "times cosine", bytes);
        begin(s, HALF, i, "half", bytes / 2);
        begin(s, JOINED, i, "halves", bytes);
        end(s, HALF);
        begin(s, SINE, i, "times sine", bytes);
        end(s, JOINED);
        if (bytes == bytes_of(s, op->out))
            return;
        begin(s, ANY, i, "rotated", bytes); /* which is then joined with the rest */
        end(s, COSINE);
        end(s, SINE);
    }
}

/* Another buffer in the place of one. */
static void renew(rk_stepping *s, size_t op, const char *what, uint32_t slot, rk_i128 bytes)
{
    begin(s, ANY, op, what, bytes);
    effect(s, RK_EFFECT_FREE, slot, RK_NONE);
    effect(s, RK_EFFECT_MOVE, slot, s->inner + ANY);
}

/* After it. */
void rk_stepping_after_result(rk_stepping *s, size_t i)
{
    const rk_op *op = &s->p->op[i];

    if (comes_round(s, op))
        end(s, JOINED);
    if (s->o->layout && lies_across(s, op) != RK_NONE)
        end(s, ANY);
    if (!s->o->detailed)
        return;
    if (rk_op_table[op->row].class == RK_CLASS_ROTARY) {
        end(s, COSINE);
        end(s, SINE);
        end(s, ANY);
    }
    if (makes_scaled_scores(s, i)) {
        within(s, ANY, i, "mask", mask_count(s, op) * s->o->run.bytes);
    } else if (makes_scores(s, i)) {
        renew(s, i, "scaled", rk_stepping_place_of(s, op->out), bytes_of(s, op->out));
        renew(s, i, "masked", rk_stepping_place_of(s, op->out), bytes_of(s, op->out));
    }
}

/* A context that is copied into rows is forgotten: the copy has its name. */
bool rk_stepping_is_renamed(const rk_stepping *s, uint32_t tensor)
{
    uint32_t maker = s->p->tensor[tensor].producer;
    size_t n_reader = 0;

    if (!s->o->detailed || maker == RK_NONE || !s->p->op[maker].summed || is_weight(s, maker, 0) ||
        is_weight(s, maker, 1) || makes_scores(s, maker))
        return false;
    for (size_t i = maker + 1; i < s->p->n_op && s->p->op[i].group == s->p->op[maker].group; i++)
        for (size_t k = 0; k < s->p->op[i].n_in; k++)
            if (s->p->op[i].in[k].tensor == tensor) {
                n_reader++;
                if (s->pl->list[s->pl->op[i].read + k] == rk_stepping_place_of(s, tensor))
                    return false;
            }
    return n_reader == 1;
}

/* ---- backward ---------------------------------------------------------------------------------------------------- */

/*
 * A sum of many rows into n columns is taken in pieces, whose sums lie side by side (aten/src/ATen/native/cuda/
 * Reduce.cuh): 128 columns to a block, four threads to a column, as many blocks as keep the device busy, and none
 * beside the first where a thread has fewer than 256 rows.
 */
static void sum_rows(rk_stepping *s, size_t op, rk_i128 all, rk_i128 n)
{
    rk_i128 v = n > 0 ? ceil_div(all / n, 4) : 0, blocks = ceil_div(n, 128), c, least;

    if (n < 128 || v < 256)
        return;
    c = ceil_div(16 * (rk_i128)s->o->run.profile->processors, blocks);
    least = ceil_div(v, 256);
    c = c < ceil_div(v, 16) ? c : ceil_div(v, 16);
    c = c > least ? c : least;
    if (c <= 1)
        return;
    begin(s, SUMS, op, "sums of rows", 512 * n * c);
    begin(s, FLAGS, op, "counts of rows", 4 * blocks);
    end(s, SUMS);
    end(s, FLAGS);
}

/* Whether a factor is smaller than the product: its gradient is a sum of one as large as that. */
static bool is_broadcast(const rk_stepping *s, const rk_op *op, size_t k)
{
    const rk_op_row *row = &rk_op_table[op->row];

    return row->class == RK_CLASS_ELEMENT && (row->saves & RK_SAVE_OTHERS) &&
           bytes_of(s, op->in[k].tensor) < bytes_of(s, op->out);
}

/* Whether an operand has one number for each place of the result's last axis: a bias, a weight w, or 1 + w. */
static bool has_columns(const rk_stepping *s, const rk_op *op, size_t k)
{
    const rk_ixs *in = &op->in[k].axes, *out = &s->p->tensor[op->out].axes;

    return in->n > 0 && out->n > 0 && in->at[in->n - 1].label == out->at[out->n - 1].label;
}

/* The order in which the gradients of operands are made. */
size_t rk_stepping_operand(const rk_stepping *s, size_t i, size_t k)
{
    const rk_op *op = &s->p->op[i];

    if (!s->o->detailed || op->n_in != 2 || k >= 2)
        return k;
    if (op->summed) /* the second operand's first, but where there is a bias */
        return s->bias[i] == RK_NONE ? 1 - k : is_weight(s, i, 0) ? 1 - k : k;
    return is_broadcast(s, op, 0) ? 1 - k : k;
}

/* Before the gradients of an operation are made. */
void rk_stepping_before_gradients(rk_stepping *s, size_t i)
{
    const rk_op *op = &s->p->op[i];
    uint32_t result = rk_stepping_gradient(s, op->out);

    if (comes_round(s, op) && s->has[result])
        begin(s, JOINED, i, "of other devices", bytes_round(s, op, false));
    if (!s->o->detailed || !s->has[result])
        return;
    for (size_t k = 0; k < op->n_in; k++)
        if (is_broadcast(s, op, k) && rk_flow_needs(s->f, i, k)) {
            begin(s, WHOLE, i, "before its sum", bytes_of(s, op->out));
            break;
        }
    if (makes_scores(s, i) && !makes_scaled_scores(s, i))
        renew(s, i, "scaled gradient", result, bytes_of(s, op->out));
    /* What comes from a rotation lies with heads before the sequence: a product needs it in rows. */
    if (op->summed && s->turned[result] && (is_weight(s, i, 0) || is_weight(s, i, 1))) {
        renew(s, i, "gradient in rows", result, bytes_of(s, op->out));
    }
}

/* A bias that is added to what a product makes. */
static bool adds_bias(const rk_stepping *s, size_t i)
{
    const rk_op *op = &s->p->op[i];
    const rk_tensor *product = &s->p->tensor[op->in[0].tensor];

    return rk_op_table[op->row].class == RK_CLASS_ADD && op->n_in == 2 && is_bias(s, i, 1) &&
           product->kind == RK_TENSOR_RESULT && s->p->op[product->producer].summed;
}

static bool counts_inner(const rk_stepping *s)
{
    return s->o->layout && s->o->run.profile->inner;
}

/* On one of several devices, what the gradients of these make inside counts: it may be the peak. */
static bool is_detailed(const rk_stepping *s, size_t i)
{
    const rk_op *op = &s->p->op[i];
    rk_op_class class = rk_op_table[op->row].class;

    bool inner = counts_inner(s) && (class == RK_CLASS_SOFTMAX || class == RK_CLASS_ELEMENT || adds_bias(s, i));

    return s->o->detailed || inner || (s->o->layout && op->row == RK_OP_POWER);
}

/* Around the making of one operand's gradient. */
void rk_stepping_before_gradient(rk_stepping *s, size_t i, size_t k)
{
    const rk_op *op = &s->p->op[i];
    rk_i128 bytes = bytes_of(s, op->out);

    if (!is_detailed(s, i))
        return;
    switch (rk_op_table[op->row].class) {
    case RK_CLASS_SOFTMAX:
        begin(s, ANY, i, "times its gradient", bytes);
        break;
    case RK_CLASS_LOOKUP: /* indices are sorted */
        if (is_weight(s, i, k) && count_of(s, op->in[0].tensor) > s->o->run.profile->sorted_above) {
            begin(s, COSINE, i, "sorted", count_of(s, op->in[0].tensor) * s->o->run.profile->index);
            begin(s, SINE, i, "order", count_of(s, op->in[0].tensor) * s->o->run.profile->index);
        }
        break;
    case RK_CLASS_ROTARY:
        bytes = rotated(s, op);
        begin(s, SINE, i, "times sine", bytes);
        begin(s, HALF, i, "half", bytes / 2);
        begin(s, JOINED, i, "halves", bytes);
        end(s, HALF);
        break;
    default:
        if (op->row == RK_OP_POWER) {
            begin(s, COSINE, i, "power", bytes);
            begin(s, SINE, i, "times its exponent", bytes);
        }
    }
}

void rk_stepping_after_gradient(rk_stepping *s, size_t i, size_t k)
{
    const rk_op *op = &s->p->op[i];
    rk_i128 ids;

    if (!is_detailed(s, i))
        return;
    switch (rk_op_table[op->row].class) {
    case RK_CLASS_SOFTMAX:
        end(s, ANY);
        break;
    case RK_CLASS_LOOKUP:
        ids = count_of(s, op->in[0].tensor);
        if (is_weight(s, i, k) && ids > s->o->run.profile->sorted_above) {
            within(s, ANY, i, "pieces of rows", ids * 11 / 10 * 4 * (count_of(s, op->out) / ids));
            end(s, COSINE);
            end(s, SINE);
        }
        break;
    case RK_CLASS_ROTARY:
        end(s, SINE);
        end(s, JOINED);
        within(s, COSINE, i, "times cosine", rotated(s, op));
        break;
    default:
        if (op->row == RK_OP_POWER) {
            end(s, COSINE);
            end(s, SINE);
        } else if (has_columns(s, op, k) && (is_broadcast(s, op, k) || (k == 1 && adds_bias(s, i)))) {
            sum_rows(s, i, count_of(s, op->out), count_of(s, op->in[k].tensor));
        }
    }
}

/* The gradient of fused attention, when those of its operands have been made. */
static void attend_back(rk_stepping *s, size_t i)
{
    const rk_op *op = &s->p->op[i];
    const rk_ixs *axes = &op->in[0].axes;
    rk_i128 q = count_of(s, op->in[0].tensor), h = rk_stepping_value(s, axes->at[axes->n - 1].size);
    bool grouped = count_of(s, op->in[1].tensor) < q;

    if (op->row == RK_OP_SDPA_WIDE) {
        rk_i128 n = rk_stepping_value(s, axes->at[1].size);

        /* mem_eff_attention/kernel_backward.h: sums in fp32, of whole blocks of 64 queries */
        within(s, ANY, i, "times its gradient", bytes_of(s, op->out));
        within(s, ANY, i, "workspace", n > 0 ? 4 * (q / n) * ceil_div(n, 64) * 64 : 0);
    } else if (s->o->run.bytes == 2) { /* flash attention: the queries' gradient in fp32, and more for repeated keys */
        within(s, ANY, i, "workspace", 4 * q * (grouped ? 2 : 1) + 4 * (q / (h > 0 ? h : 1)) + 256);
    }
}

/* After all of them. */
void rk_stepping_after_gradients(rk_stepping *s, size_t i)
{
    const rk_op *op = &s->p->op[i];

    if (comes_round(s, op) && s->has[rk_stepping_gradient(s, op->out)])
        end(s, JOINED);
    if (s->o->detailed)
        end(s, WHOLE);
    if ((s->o->detailed || counts_inner(s)) && rk_op_table[op->row].class == RK_CLASS_ATTENTION &&
        s->has[rk_stepping_gradient(s, op->out)])
        attend_back(s, i);
}

/* A gradient is added to one that is there when its operation is done, and has let go of what it read. */
bool rk_stepping_puts_off(rk_stepping *s, uint32_t slot)
{
    if (s->n_put_off == RK_STEP_PUT_OFF)
        return false;
    effect(s, RK_EFFECT_MOVE, s->inner + PUT_OFF + (uint32_t)s->n_put_off, s->fresh);
    s->put_off[s->n_put_off++] = slot;
    return true;
}

/* In its place, unless it is a view of what a product made: then both go. */
void rk_stepping_add_up(rk_stepping *s)
{
    for (uint32_t i = 0; i < s->n_put_off; i++) {
        uint32_t slot = s->put_off[i];

        if (s->viewed[slot]) {
            effect(s, RK_EFFECT_MAKE, s->sum, slot);
            effect(s, RK_EFFECT_FREE, slot, RK_NONE);
            effect(s, RK_EFFECT_MOVE, slot, s->sum);
            s->viewed[slot] = false;
        }
        effect(s, RK_EFFECT_FREE, s->inner + PUT_OFF + i, RK_NONE);
    }
    s->n_put_off = 0;
}

size_t rk_stepping_n_inner(void)
{
    return N_SLOT;
}
