/* SPDX-License-Identifier: MIT */
#include "pass/place.h"

#include "base/vec.h"

#include <string.h>

typedef struct placing {
    rk_arena *a;
    const rk_model *m;
    const rk_program *p;
    const rk_flow *f;
    const rk_run_options *o;
    rk_binding at;
    RK_VEC(rk_buffer) buffer;
    RK_VEC(uint32_t) list;
    rk_place *tensor;
    rk_place_op *op;
    bool *held; /* one per operation: see mark_held */
    rk_err *err;
    int code; /* sticky */

    /* The operation being placed: its operands under their own axes in it. */
    size_t i;
    const rk_op *now;
    uint32_t read[RK_PLACE_OPERANDS_MAX];   /* the buffer of each, or of its copy */
    uint32_t before[RK_PLACE_OPERANDS_MAX]; /* of one that is read one step back; else 0 */
    rk_dims dims[RK_PLACE_OPERANDS_MAX];
    rk_dims out;   /* the result under its axes */
    uint32_t step; /* as in rk_place: of the operation */
} placing;

int rk_type_bytes(rk_type t, const rk_run_options *o)
{
    static const int bytes[RK_N_TYPE] = {[RK_TYPE_F32] = 4, [RK_TYPE_WHOLE] = 8, [RK_TYPE_TRUTH] = 1};

    return t == RK_TYPE_RUN ? o->bytes : bytes[t];
}

/* ---- sizes ------------------------------------------------------------------------------------------------------ */

static rk_extent size_of(placing *p, rk_ex e)
{
    rk_i128 n = 0;

    if (p->code == RK_OK)
        p->code = rk_ex_eval(p->m->pool, e, &p->at, &n, p->err);
    if (p->code == RK_OK && (n < 0 || n > INT64_MAX))
        p->code = rk_fail(p->err, RK_EOVERFLOW, "an axis of more than 2^63 elements");
    return (rk_extent){p->code == RK_OK ? (int64_t)n : 0, e};
}

static rk_dims sizes_of(placing *p, const rk_ixs *axes)
{
    rk_dims d = {.n = axes->n <= RK_DIMS_MAX ? axes->n : RK_DIMS_MAX};

    if (axes->n > RK_DIMS_MAX && p->code == RK_OK)
        p->code = rk_fail(p->err, RK_ELIMIT, "a tensor of more than %d axes", RK_DIMS_MAX);
    for (size_t i = 0; i < d.n; i++)
        d.at[i] = (rk_dim){.size = size_of(p, axes->at[i].size), .stride = rk_extent_of(p->o->asked, 0)};
    return d;
}

/* How many elements some axes have, as an expression. */
static rk_ex count_of(placing *p, const rk_ixs *axes)
{
    rk_ex e = rk_ex_int(p->m->pool, 1);

    for (size_t i = 0; i < axes->n; i++)
        e = rk_ex_mul(p->m->pool, e, axes->at[i].size);
    return e;
}

/* One number for each row along which an operation works. */
static rk_ex rows_of(placing *p)
{
    const rk_ixs *axes = &p->now->in[0].axes;
    rk_ex e = rk_ex_int(p->m->pool, 1);

    for (size_t i = 0; i < axes->n; i++) {
        bool along = false;

        for (size_t k = 0; k < p->now->n_label; k++)
            along |= axes->at[i].label == p->now->label[k];
        if (!along)
            e = rk_ex_mul(p->m->pool, e, axes->at[i].size);
    }
    return e;
}

/* ---- buffers ---------------------------------------------------------------------------------------------------- */

static uint32_t new_buffer(placing *p, rk_buffer b)
{
    rk_buffer *slot = RK_PUSH(p->a, &p->buffer);

    if (!slot) {
        p->code = p->code == RK_OK ? rk_fail_memory(p->err) : p->code;
        return 0;
    }
    *slot = b;
    return (uint32_t)(p->buffer.n - 1);
}

static void list_buffer(placing *p, uint32_t buffer)
{
    uint32_t *slot = RK_PUSH(p->a, &p->list);

    if (slot)
        *slot = buffer;
    else
        p->code = p->code == RK_OK ? rk_fail_memory(p->err) : p->code;
}

static uint32_t make(placing *p, const char *what, uint32_t tensor, rk_ex count, rk_type type)
{
    return new_buffer(p, (rk_buffer){.what = what,
                                     .op = (uint32_t)p->i,
                                     .tensor = tensor,
                                     .group = p->now->group,
                                     .count = count,
                                     .type = type});
}

/* ---- operands --------------------------------------------------------------------------------------------------- */

static bool is_plain(const rk_ixs *axes)
{
    for (size_t i = 0; i < axes->n; i++)
        if (axes->at[i].kind == RK_IX_AFFINE || axes->at[i].kind == RK_IX_ROUTED)
            return false;
    return true;
}

static bool is_stored(const placing *p, size_t k)
{
    uint32_t buffer = p->tensor[p->now->in[k].tensor].buffer;

    return buffer != RK_NONE && p->buffer.at[buffer].stored;
}

/* Buffers for the steps of a tensor: all but one, which is beside them. */
static uint32_t make_steps(placing *p, const char *what, uint32_t tensor, uint32_t label, rk_type type)
{
    rk_pool *pool = p->m->pool;
    rk_ex count = count_of(p, &p->p->tensor[tensor].axes);
    rk_ex each = rk_ex_div(pool, count, p->p->label[label].size);
    uint32_t most = make(p, what, tensor, rk_ex_sub(pool, count, each), type);

    make(p, "one step", tensor, each, type);
    if (p->code == RK_OK)
        p->buffer.at[most].last = most + 1;
    return most;
}

/* An operand that cannot be read in the form wanted is copied into it first. */
static void copy_operand(placing *p, size_t k, rk_dims form)
{
    const rk_operand *in = &p->now->in[k];
    const rk_place *at = &p->tensor[in->tensor];

    rk_dims_pack(p->o->asked, &form);
    p->dims[k] = form;
    p->before[k] = 0;
    if (p->o->by_book || is_stored(p, k))
        return;
    p->read[k] = make(p, "copy", in->tensor, count_of(p, &p->p->tensor[in->tensor].axes), at->type);
}

/* A recurrence reads what it has yet to make: the buffers of its steps are there before. */
static void reserve_steps(placing *p, size_t k)
{
    const rk_operand *in = &p->now->in[k];
    rk_pool *pool = p->m->pool;
    rk_ex one = rk_ex_int(pool, 1), each = one, steps = one;
    uint32_t most;

    for (size_t i = 0; i < in->axes.n; i++)
        if (in->axes.at[i].kind == RK_IX_AFFINE)
            steps = in->axes.at[i].size;
        else
            each = rk_ex_mul(pool, each, in->axes.at[i].size);
    most = make(p, NULL, in->tensor, rk_ex_mul(pool, each, rk_ex_sub(pool, steps, one)), RK_TYPE_RUN);
    p->tensor[in->tensor].buffer = most;
    make(p, "last step", in->tensor, each, RK_TYPE_RUN);
    make(p, "before the first step", RK_NONE, each, RK_TYPE_RUN);
    if (p->code != RK_OK)
        return;
    p->buffer.at[most].last = most + 1;
    p->buffer.at[most].before = most + 2;
}

static void read_step(placing *p, size_t k)
{
    const rk_place *at = &p->tensor[p->now->in[k].tensor];
    bool back = rk_step_label(p->p, p->i, k) != RK_NONE;

    if (back && at->buffer == RK_NONE)
        reserve_steps(p, k);
    p->before[k] = back && p->code == RK_OK ? p->buffer.at[at->buffer].before : at->before;
}

/* An operation is done step by step if an operand is, along an axis that the result has, too.  A copy is whole. */
static uint32_t step_of(const placing *p)
{
    const rk_ixs *out = &p->p->tensor[p->now->out].axes;

    if (p->now->row == RK_OP_COPY)
        return 0;
    if (p->now->row == RK_OP_APART)
        return p->now->label[0] + 1;
    for (size_t k = 0; k < p->now->n_in; k++) {
        uint32_t back = rk_step_label(p->p, p->i, k);
        uint32_t step = back != RK_NONE ? back + 1 : p->tensor[p->now->in[k].tensor].step;

        for (size_t i = 0; step && i < out->n; i++)
            if (out->at[i].kind != RK_IX_AFFINE && out->at[i].label == step - 1)
                return step;
    }
    return 0;
}

static void read_operand(placing *p, size_t k)
{
    const rk_operand *in = &p->now->in[k];
    rk_dims want = sizes_of(p, &in->axes);

    read_step(p, k);
    p->read[k] = p->tensor[in->tensor].buffer;
    /* What a recurrence reads before it is made lies in row-major order. */
    if (!is_plain(&in->axes) || p->read[k] == RK_NONE) {
        rk_dims_pack(p->o->asked, &want);
        p->dims[k] = want;
    } else if (rk_dims_view(p->o->asked, &p->tensor[in->tensor].dims, &want)) {
        p->dims[k] = want;
    } else {
        copy_operand(p, k, want);
    }
}

/* The place of a label among axes, or -1. */
static int place_of(const rk_ixs *axes, uint32_t label)
{
    for (size_t i = 0; i < axes->n; i++)
        if (axes->at[i].kind != RK_IX_AFFINE && axes->at[i].label == label)
            return (int)i;
    return -1;
}

/* An operand under the axes of the result: repeated along those that it has not. */
static rk_dims under_result(const placing *p, size_t k)
{
    const rk_ixs *out = &p->p->tensor[p->now->out].axes;
    rk_dims d = p->out;

    for (size_t i = 0; i < d.n; i++) {
        int at = place_of(&p->now->in[k].axes, out->at[i].label);

        d.at[i].stride = at >= 0 ? p->dims[k].at[at].stride : rk_extent_of(p->o->asked, 0);
    }
    return d;
}

/* ---- results ---------------------------------------------------------------------------------------------------- */

/* The type that is named, or that of a second operand. */
static rk_type cast_type(const placing *p)
{
    return p->now->n_in > 1 ? p->tensor[p->now->in[1].tensor].type : (rk_type)p->now->which;
}

static rk_type result_type(const placing *p)
{
    rk_type type = RK_TYPE_RUN;

    if (rk_op_table[p->now->row].place == RK_PLACE_CAST)
        return cast_type(p);
    if (p->now->row == RK_OP_COVER)
        return RK_TYPE_TRUTH;
    if (p->p->tensor[p->now->out].is_index)
        return RK_TYPE_WHOLE;
    /* The wider type wins, but not that of a single number beside a tensor. */
    for (size_t k = 0; k < p->now->n_in; k++)
        if (p->tensor[p->now->in[k].tensor].type == RK_TYPE_F32 && (p->now->in[k].axes.n > 0 || p->out.n == 0))
            type = RK_TYPE_F32;
    return type;
}

static void put_result(placing *p, uint32_t buffer, rk_type type)
{
    bool passes_on = p->now->n_in > 0 && buffer == p->read[0];

    p->tensor[p->now->out] = (rk_place){
        .buffer = buffer, .before = passes_on ? p->before[0] : 0, .step = p->step, .type = type, .dims = p->out};
}

/* The result of a recurrence, whose buffers are there; what it is made of was not known then. */
static void put_steps(placing *p, uint32_t most, rk_type type)
{
    p->buffer.at[most].type = type;
    p->buffer.at[p->buffer.at[most].last].type = type;
    put_result(p, most, type);
}

/* The axis that comes next inside of a step: the one of least stride of those not yet done, or SIZE_MAX. */
static size_t next_inside(const placing *p, size_t step, const bool *done)
{
    size_t next = SIZE_MAX;

    for (size_t i = p->out.n; i > 0; i--)
        if (i - 1 != step && !done[i - 1] &&
            (next == SIZE_MAX || rk_extent_less(p->o->asked, p->out.at[i - 1].stride, p->out.at[next].stride)))
            next = i - 1;
    return next;
}

/* What is computed step by step lies so: each step by itself, in the order of its axes. */
static void lie_in_steps(placing *p)
{
    int step = p->step ? place_of(&p->p->tensor[p->now->out].axes, p->step - 1) : -1;
    rk_dims lies = p->out;
    bool done[RK_DIMS_MAX] = {false};
    rk_extent stride = rk_extent_of(p->o->asked, 1);

    if (step < 0)
        return;
    for (size_t i; (i = next_inside(p, (size_t)step, done)) != SIZE_MAX; done[i] = true) {
        lies.at[i].stride = stride;
        stride = rk_extent_times(p->o->asked, stride, lies.at[i].size);
    }
    lies.at[step].stride = stride;
    p->out = lies;
}

static void own_result(placing *p)
{
    rk_type type = result_type(p);
    uint32_t there = p->tensor[p->now->out].buffer;

    lie_in_steps(p);
    if (there != RK_NONE)
        put_steps(p, there, type);
    else if (p->step && place_of(&p->p->tensor[p->now->out].axes, p->step - 1) >= 0)
        put_result(p, make_steps(p, NULL, p->now->out, p->step - 1, type), type);
    else
        put_result(p, make(p, NULL, p->now->out, count_of(p, &p->p->tensor[p->now->out].axes), type), type);
}

static void place_packed(placing *p)
{
    rk_dims_pack(p->o->asked, &p->out);
    own_result(p);
}

/* Cosines and sines, so many for each position. */
static void make_tables(placing *p, rk_ex each)
{
    rk_ex count = rk_ex_mul(p->m->pool, count_of(p, &p->p->tensor[p->now->out].axes), each);
    rk_type type = (rk_type)p->now->which;

    rk_dims_pack(p->o->asked, &p->out);
    put_result(p, make(p, "cosines", RK_NONE, count, type), type);
    make(p, "sines", RK_NONE, count, type);
}

static void place_held(placing *p)
{
    place_packed(p);
    p->buffer.at[p->tensor[p->now->out].buffer].stored = true;
}

static void place_handed(placing *p)
{
    rk_ex count = count_of(p, &p->p->tensor[p->now->out].axes);
    uint32_t b = 0;

    rk_dims_pack(p->o->asked, &p->out);
    while (b < p->buffer.n && !(p->buffer.at[b].handed && p->buffer.at[b].count == count))
        b++;
    if (b == p->buffer.n)
        b = new_buffer(
            p, (rk_buffer){.op = RK_NONE, .tensor = p->now->out, .count = count, .type = RK_TYPE_RUN, .handed = true});
    put_result(p, b, RK_TYPE_RUN);
}

static rk_ex pairs_of(placing *p)
{
    return rk_ex_ceil_div(p->m->pool, p->now->arg, rk_ex_int(p->m->pool, 2));
}

static void place_tables(placing *p)
{
    make_tables(p, rk_ex_mul(p->m->pool, rk_ex_int(p->m->pool, 2), pairs_of(p)));
}

static void place_halves(placing *p)
{
    make_tables(p, pairs_of(p));
}

static void place_complex(placing *p)
{
    rk_ex pairs = rk_ex_mul(p->m->pool, count_of(p, &p->p->tensor[p->now->out].axes), pairs_of(p));

    rk_dims_pack(p->o->asked, &p->out);
    put_result(p, make(p, "rotations", RK_NONE, rk_ex_mul(p->m->pool, rk_ex_int(p->m->pool, 2), pairs), RK_TYPE_F32),
               RK_TYPE_F32);
}

static void place_spread(placing *p)
{
    rk_dims in[RK_PLACE_OPERANDS_MAX];

    for (size_t k = 0; k < p->now->n_in; k++)
        in[k] = under_result(p, k);
    rk_dims_elementwise(p->o->asked, &p->out, in, p->now->n_in);
    own_result(p);
}

/* Row-major in the order batch, heads, sequence, width, in which attention has its operands. */
static void pack_heads_first(rk_asked *asked, rk_dims *d)
{
    size_t order[RK_DIMS_MAX], n = 0;
    rk_extent stride = rk_extent_of(asked, 1);

    for (size_t i = 0; i < d->n; i++)
        if (d->n < 4 || i != 1)
            order[n++] = i;
    if (d->n >= 4) {
        order[n] = order[n - 1];
        order[n - 1] = 1;
        n++;
    }
    for (; n > 0; n--) {
        d->at[order[n - 1]].stride = stride;
        stride = rk_extent_times(asked, stride, d->at[order[n - 1]].size);
    }
}

/* Where only a part is rotated, both parts are joined again, which makes a new order. */
static void place_rope(placing *p)
{
    if (rk_extent_equals(p->o->asked, size_of(p, p->now->arg), p->out.at[p->out.n - 1].size)) {
        place_spread(p);
        return;
    }
    pack_heads_first(p->o->asked, &p->out);
    own_result(p);
}

/* Fused attention gives its result as its queries lie. */
static void place_attend(placing *p)
{
    rk_dims q = under_result(p, 0);

    q.at[q.n - 1].stride = rk_extent_of(p->o->asked, 1);
    rk_dims_elementwise(p->o->asked, &p->out, &q, 1);
    own_result(p);
}

/* ---- views ------------------------------------------------------------------------------------------------------ */

/* Result axes that the operand has not lie inside its one axis of parts, side by side. */
static void split_part(placing *p)
{
    const rk_ixs *out = &p->p->tensor[p->now->out].axes, *in = &p->now->in[0].axes;
    rk_extent stride = rk_extent_of(p->o->asked, 0);

    for (size_t i = 0; i < in->n; i++)
        if (in->at[i].kind == RK_IX_SUM && place_of(out, in->at[i].label) < 0)
            stride = p->dims[0].at[i].stride;
    for (size_t i = out->n; i > 0; i--)
        if (place_of(in, out->at[i - 1].label) < 0) {
            p->out.at[i - 1].stride = stride;
            stride = rk_extent_times(p->o->asked, stride, p->out.at[i - 1].size);
        }
}

static void keep_buffer_of_operand(placing *p)
{
    put_result(p, p->read[0], p->tensor[p->now->in[0].tensor].type);
}

static void place_part(placing *p)
{
    p->out = under_result(p, 0);
    split_part(p);
    keep_buffer_of_operand(p);
}

static void place_repeat(placing *p)
{
    p->out = under_result(p, 0);
    keep_buffer_of_operand(p);
}

/* The same axes, one of them shorter. */
static void place_first(placing *p)
{
    for (size_t i = 0; i < p->out.n && i < p->dims[0].n; i++)
        p->out.at[i].stride = p->dims[0].at[i].stride;
    keep_buffer_of_operand(p);
}

/* Whether the result has the axes of its operand, perhaps in another order. */
static bool has_same_axes(const placing *p)
{
    const rk_ixs *out = &p->p->tensor[p->now->out].axes, *in = &p->now->in[0].axes;
    bool same = in->n == out->n;

    for (size_t i = 0; i < out->n && same; i++)
        same = place_of(in, out->at[i].label) >= 0;
    return same;
}

/* The label of an axis that is read at all its places, from the first to the last; RK_NONE: some others are. */
static uint32_t whole_axis(placing *p, const rk_ix *ix)
{
    rk_i128 offset = 0;

    if (ix->kind != RK_IX_AFFINE)
        return ix->label;
    if (ix->n_term != 1 || ix->term[0].factor != 1 || rk_ex_eval(p->m->pool, ix->offset, &p->at, &offset, p->err))
        return RK_NONE;
    rk_asked_equal(p->o->asked, ix->offset, rk_ex_int(p->m->pool, 0), offset == 0);
    if (offset != 0 ||
        !rk_extent_equals(p->o->asked, size_of(p, p->p->label[ix->term[0].label].size), size_of(p, ix->size)))
        return RK_NONE;
    return ix->term[0].label;
}

/* The operand under the axes of the result, where it is read at all its places; else false. */
static bool as_it_lies(placing *p, rk_dims *d)
{
    const rk_ixs *in = &p->now->in[0].axes, *out = &p->p->tensor[p->now->out].axes;
    const rk_dims *from = &p->tensor[p->now->in[0].tensor].dims;
    size_t found = 0;

    *d = p->out;
    for (size_t i = 0; i < in->n && in->n == from->n; i++)
        for (size_t k = 0; k < out->n; k++)
            if (whole_axis(p, &in->at[i]) == out->at[k].label) {
                d->at[k].stride = from->at[i].stride;
                found++;
            }
    return found == out->n && found == in->n;
}

/*
 * What is read at computed places is padded with zeros, into a copy; where there is nothing to pad, the copy lies as
 * its operand does.  But the steps of a recurrence are there one by one.
 */
static void place_shifted(placing *p)
{
    rk_dims in;

    rk_dims_pack(p->o->asked, &p->out);
    if (p->before[0]) {
        lie_in_steps(p);
        keep_buffer_of_operand(p);
        return;
    }
    if (as_it_lies(p, &in))
        rk_dims_elementwise(p->o->asked, &p->out, &in, 1);
    own_result(p);
}

static void place_view(placing *p)
{
    rk_dims want = p->out;

    if (has_same_axes(p)) {
        place_repeat(p);
        return;
    }
    if (!is_plain(&p->now->in[0].axes)) {
        place_shifted(p);
        return;
    }
    if (!rk_dims_view(p->o->asked, &p->dims[0], &want)) {
        copy_operand(p, 0, p->dims[0]);
        rk_dims_pack(p->o->asked, &want);
    }
    p->out = want;
    keep_buffer_of_operand(p);
}

/* What is cast step by step lies in a buffer for each step; the first is one that a recurrence may not need. */
static void own_steps(placing *p, rk_type type)
{
    put_result(p, make_steps(p, NULL, p->now->out, p->now->label[0], type), type);
}

static void place_cast(placing *p)
{
    rk_type to = cast_type(p), from = p->tensor[p->now->in[0].tensor].type;
    rk_dims in = under_result(p, 0);

    /* The steps of a recurrence are of the type in which they are read; the zeros before them are made in it. */
    if (p->before[0])
        p->buffer.at[p->before[0]].type = to;
    else if (rk_type_bytes(to, p->o) != rk_type_bytes(from, p->o)) {
        if (p->now->row == RK_OP_CAST_PACKED)
            rk_dims_pack(p->o->asked, &p->out);
        else
            rk_dims_elementwise(p->o->asked, &p->out, &in, 1);
        if (p->now->n_label > 0)
            own_steps(p, to);
        else
            own_result(p);
        return;
    }
    p->out = in;
    put_result(p, p->read[0], to);
}

/* ---- products --------------------------------------------------------------------------------------------------- */

/* What an axis of an operand is in a product of matrices. */
typedef enum role {
    ROLE_BATCH, /* of both operands, and of the result */
    ROLE_OWN,   /* of this operand and of the result */
    ROLE_SUMMED
} role;

static role role_of(const placing *p, size_t k, uint32_t label)
{
    if (place_of(&p->p->tensor[p->now->out].axes, label) < 0)
        return ROLE_SUMMED;
    return place_of(&p->now->in[1 - k].axes, label) >= 0 ? ROLE_BATCH : ROLE_OWN;
}

/* The axes of an operand (in one step) in the order batch, own, summed; and the three that they are together. */
static void as_matrices(const placing *p, size_t k, rk_dims *fine, rk_dims *coarse)
{
    const rk_ixs *axes = &p->now->in[k].axes;

    *fine = (rk_dims){0};
    *coarse = (rk_dims){.n = 3};
    for (int r = ROLE_BATCH; r <= ROLE_SUMMED; r++) {
        coarse->at[r].size = rk_extent_of(p->o->asked, 1);
        for (size_t i = 0; i < axes->n; i++)
            if ((int)role_of(p, k, axes->at[i].label) == r && axes->at[i].label + 1 != p->step) {
                fine->at[fine->n++] = p->dims[k].at[i];
                coarse->at[r].size = rk_extent_times(p->o->asked, coarse->at[r].size, p->dims[k].at[i].size);
            }
    }
}

/* Each step copies what it reads for itself. */
static void copy_steps(placing *p, size_t k)
{
    uint32_t tensor = p->now->in[k].tensor;

    p->before[k] = 0;
    if (place_of(&p->now->in[k].axes, p->step - 1) >= 0)
        p->read[k] = make_steps(p, "copy", tensor, p->step - 1, p->tensor[tensor].type);
    else
        copy_operand(p, k, p->dims[k]);
}

/* A product of matrices wants each operand as [batch, own, summed], or with the last two exchanged. */
static void matrix_operand(placing *p, size_t k)
{
    rk_dims fine, coarse;

    if (is_stored(p, k))
        return;
    as_matrices(p, k, &fine, &coarse);
    if (rk_dims_view(p->o->asked, &fine, &coarse))
        return;
    if (p->step && !p->o->by_book)
        copy_steps(p, k);
    else
        copy_operand(p, k, fine);
}

/* The result lies as [batch, own of the first, own of the second]. */
static void place_matrices(placing *p)
{
    const rk_ixs *out = &p->p->tensor[p->now->out].axes, *first = &p->now->in[0].axes;
    rk_extent stride = rk_extent_of(p->o->asked, 1);

    for (int pass = 2; pass >= 0; pass--)
        for (size_t i = out->n; i > 0; i--) {
            bool in_first = place_of(first, out->at[i - 1].label) >= 0;
            bool in_second = place_of(&p->now->in[1].axes, out->at[i - 1].label) >= 0;
            int part = in_first && in_second ? 0 : in_first ? 1 : 2;

            if (part != pass)
                continue;
            p->out.at[i - 1].stride = stride;
            stride = rk_extent_times(p->o->asked, stride, p->out.at[i - 1].size);
        }
}

static void place_product(placing *p)
{
    if (!p->now->summed) {
        place_spread(p);
        return;
    }
    if (p->now->n_in == 2 && is_plain(&p->now->in[0].axes) && is_plain(&p->now->in[1].axes)) {
        matrix_operand(p, 0);
        matrix_operand(p, 1);
        place_matrices(p);
    } else {
        rk_dims_pack(p->o->asked, &p->out);
    }
    own_result(p);
}

/* ---- what is kept ----------------------------------------------------------------------------------------------- */

static void keep_one(placing *p, uint32_t buffer)
{
    list_buffer(p, buffer);
    p->op[p->i].n_kept++;
}

static void keep(placing *p, uint32_t buffer)
{
    if (buffer == RK_NONE || p->buffer.at[buffer].stored)
        return;
    keep_one(p, buffer);
    if (p->buffer.at[buffer].last)
        keep_one(p, p->buffer.at[buffer].last);
}

static void keep_operand(placing *p, size_t k)
{
    if (!p->before[k]) {
        keep(p, p->read[k]);
        return;
    }
    keep_one(p, p->read[k]);
    keep_one(p, p->before[k]);
}

static bool needs(const placing *p, size_t k)
{
    return rk_grad_flows(p->now, k) && rk_flow_needs(p->f, p->i, k);
}

/* What is read one step back needs a gradient from the second step on: the zeros before the first have none. */
static bool has_only_zeros(placing *p, size_t k)
{
    return p->before[k] && rk_extent_is(p->o->asked, size_of(p, p->buffer.at[p->read[k]].count), 0);
}

static bool another_needs(placing *p, size_t k)
{
    for (size_t i = 0; i < p->now->n_in; i++)
        if (i != k && needs(p, i) && !has_only_zeros(p, i))
            return true;
    return false;
}

/* Whether an operand that lies step by step is kept in all of them: not in the first, or the last of a recurrence. */
static bool needs_all_steps(placing *p, size_t k)
{
    bool from_first = p->before[k] || p->read[k] == RK_NONE || !p->buffer.at[p->read[k]].last;

    if (p->f->reach[p->now->out] == RK_REACH_NEXT)
        return from_first;
    for (size_t i = 0; i < p->now->n_in && !from_first; i++)
        from_first = i != k && needs(p, i) && !p->before[i];
    return from_first;
}

static bool any_needs(placing *p)
{
    return another_needs(p, RK_PLACE_OPERANDS_MAX);
}

static rk_ex pairs_of_axes(placing *p)
{
    rk_ex e = rk_ex_int(p->m->pool, 1);

    for (size_t i = 0; i < p->now->n_label; i++)
        e = rk_ex_mul(p->m->pool, e, p->p->label[p->now->label[i]].size);
    return e;
}

/* Lists that say together where each element is found: of all axes up to the one along which it is chosen. */
static void keep_ends(placing *p)
{
    const rk_ixs *axes = &p->now->in[0].axes;
    size_t n = 0;

    while (n < axes->n && axes->at[n].label != p->now->label[0])
        n++;
    for (size_t i = 0; i <= n; i++)
        keep(p, make(p, "place", RK_NONE, count_of(p, &(rk_ixs){axes->at, n}), RK_TYPE_WHOLE));
}

static void keep_statistics(placing *p)
{
    static const char *const what[] = {"mean", "deviation"};
    size_t n = p->now->row == RK_OP_LAYERNORM ? 2 : 1;

    for (size_t i = 0; i < n; i++)
        keep(p, make(p, what[2 - n + i], RK_NONE, rows_of(p), RK_TYPE_F32));
}

/* Cosines and sines by which as many elements are rotated as here. */
static bool is_table(placing *p, const rk_op *op)
{
    return (rk_op_table[op->row].torch == RK_TORCH_ROPE_TABLE || op->row == RK_OP_ROPE_PAIRS) &&
           rk_extent_equals(p->o->asked, size_of(p, op->arg), size_of(p, p->now->arg));
}

/* Does something with each table of a group by which as many elements are rotated as here; whether there is one. */
static bool each_table_of(placing *p, uint32_t group, void (*act)(placing *p, uint32_t buffer))
{
    bool any = false;

    for (size_t i = 0; i < p->i; i++) {
        const rk_op *table = &p->p->op[i];

        if (table->group != group || !is_table(p, table))
            continue;
        any = true;
        for (uint32_t b = 0; b < p->op[i].n_made; b++)
            act(p, p->op[i].made + b);
    }
    return any;
}

/* A layer's own tables go before those that were made for all layers. */
static void each_table(placing *p, void (*act)(placing *p, uint32_t buffer))
{
    uint32_t group = p->now->group;

    while (group != RK_NONE && !each_table_of(p, group, act))
        group = p->p->group[group].parent;
}

static void read_table(placing *p, uint32_t buffer)
{
    list_buffer(p, buffer);
    p->op[p->i].n_read++;
}

/*
 * Labels of the next place are moved by one, into a copy; where the batch is one sequence, the copy is a view of a list
 * that has one more.
 */
static rk_ex labels_of(placing *p)
{
    const rk_ixs *axes = &p->now->in[0].axes;
    rk_ixs places = {axes->at, axes->n > 1 ? axes->n - 1 : 0}, batch = {axes->at, axes->n > 2 ? axes->n - 2 : 0};
    rk_ex count = count_of(p, &places);

    if (p->now->row == RK_OP_PICK)
        return count;
    return rk_extent_is(p->o->asked, size_of(p, count_of(p, &batch)), 1)
               ? rk_ex_add(p->m->pool, count, rk_ex_int(p->m->pool, 1))
               : count;
}

static void keep_loss(placing *p)
{
    keep(p, make(p, "labels", RK_NONE, labels_of(p), RK_TYPE_WHOLE));
    keep(p, make(p, "weight", RK_NONE, rk_ex_int(p->m->pool, 1), p->tensor[p->now->in[0].tensor].type));
}

/* The last operation before this one that has to do with the visits of the same mixture, or NULL. */
static const rk_place_op *visits_before(const placing *p)
{
    for (size_t i = p->i; i > 0; i--) {
        const rk_op *op = &p->p->op[i - 1];

        if (op->group != p->now->group || op->row == RK_OP_COMBINE)
            return NULL;
        if (op->row == RK_OP_DISPATCH && p->op[i - 1].n_kept > 0)
            return &p->op[i - 1];
    }
    return NULL;
}

/* All experts together are visited by each token as often as it has experts, however the visits are spread. */
static rk_ex visits_of(placing *p)
{
    const rk_ixs *in = &p->now->in[0].axes, *out = &p->p->tensor[p->now->out].axes;
    rk_ex e = rk_ex_int(p->m->pool, 2);

    for (size_t i = 0; i < out->n; i++)
        if (out->at[i].label != in->at[in->n - 1].label)
            e = rk_ex_mul(p->m->pool, e, out->at[i].size);
    return e;
}

/* Experts are computed one by one; the lists of who visits them are made with the tokens that go there first. */
static void keep_visits(placing *p)
{
    const rk_place_op *before = visits_before(p);

    if (before)
        keep(p, p->list.at[before->read + before->n_read]);
    else if (p->now->row == RK_OP_DISPATCH)
        keep(p, make(p, "visits", RK_NONE, visits_of(p), RK_TYPE_WHOLE));
}

/* A position for each element that was chosen. */
static rk_ex chosen_of(placing *p)
{
    rk_ixs axes = p->p->tensor[p->now->out].axes;

    if (p->now->row != RK_OP_BEST || p->now->arg == RK_EX_FAILED || axes.n == 0)
        return count_of(p, &axes);
    axes.n--;
    return rk_ex_mul(p->m->pool, count_of(p, &axes), p->now->arg);
}

/* What an operation keeps beside its operands and its result. */
static void keep_beside(placing *p, unsigned keeps)
{
    const rk_ixs *out = &p->p->tensor[p->now->out].axes;

    if (keeps & RK_KEEP_STATS)
        keep_statistics(p);
    if (keeps & RK_KEEP_CHOICE)
        keep(p, make(p, "choice", RK_NONE, chosen_of(p), RK_TYPE_WHOLE));
    if (keeps & RK_KEEP_VISITS)
        keep_visits(p);
    if (keeps & RK_KEEP_ONE)
        keep(p, make(p, "place", RK_NONE, rk_ex_int(p->m->pool, 1), RK_TYPE_WHOLE));
    if (keeps & RK_KEEP_ENDS)
        keep_ends(p);
    if (keeps & RK_KEEP_SPOTS)
        keep(p, make(p, "mask", RK_NONE, count_of(p, &(rk_ixs){out->at, out->n ? out->n - 1 : 0}), RK_TYPE_TRUTH));
    if (keeps & RK_KEEP_PAIRS)
        keep(p, make(p, "mask", RK_NONE, pairs_of_axes(p), RK_TYPE_TRUTH));
    if (keeps & RK_KEEP_HIDDEN)
        keep(p, make(p, "mask", RK_NONE, count_of(p, out), RK_TYPE_TRUTH));
}

/* What only the next step reads, nobody reads where there is one step. */
static bool has_next_step(placing *p)
{
    rk_asked *asked = p->o->asked;

    return rk_extent_less(asked, rk_extent_of(asked, 1), size_of(p, p->p->label[p->f->shift[p->now->out]].size));
}

static bool is_reached(placing *p)
{
    rk_reach reach = p->f->reach[p->now->out];

    return reach == RK_REACH_NOW || (reach == RK_REACH_NEXT && has_next_step(p)) ||
           (p->p->loss != RK_NONE && p->i >= p->p->loss_first);
}

static void keep_for_gradient(placing *p)
{
    unsigned keeps = rk_op_table[p->now->row].keeps;

    if ((!is_reached(p) && !p->held[p->i]) || !any_needs(p))
        return;
    if (p->now->row == RK_OP_ROPE)
        each_table(p, keep);
    if (p->now->row == RK_OP_PICK || p->now->row == RK_OP_PICK_NEXT) {
        keep_loss(p);
        return;
    }
    if (keeps & RK_KEEP_IN)
        keep_operand(p, 0);
    for (size_t k = 0; (keeps & RK_KEEP_OTHERS) && k < p->now->n_in; k++)
        if (another_needs(p, k) && needs_all_steps(p, k))
            keep_operand(p, k);
        else if (another_needs(p, k))
            keep_one(p, p->read[k]);
    for (size_t k = 0; (keeps & RK_KEEP_ALL) && k < p->now->n_in; k++)
        keep_operand(p, k);
    if (keeps & RK_KEEP_OUT)
        keep(p, p->tensor[p->now->out].buffer);
    if (p->now->row == RK_OP_SDPA)
        keep(p, make(p, "random state", RK_NONE, rk_ex_int(p->m->pool, 2), RK_TYPE_WHOLE));
    if (keeps & RK_KEEP_INDEX)
        keep_operand(p, 0);
    keep_beside(p, keeps);
}

static void keep_by_book(placing *p)
{
    rk_book_rule book = rk_op_table[p->now->row].book;
    bool in_loss = p->now->row == RK_OP_CROSS_ENTROPY;

    if (book == RK_BOOK_NOTHING || (p->now->row == RK_OP_PRODUCT && !p->now->summed && !any_needs(p)))
        return;
    /* Of the loss, the probabilities are meant. */
    keep(p, in_loss ? make(p, "probabilities", RK_NONE, count_of(p, &p->now->in[0].axes), RK_TYPE_RUN)
                    : p->tensor[p->now->out].buffer);
    if (book == RK_BOOK_ROWS)
        keep(p, make(p, "statistics", RK_NONE, rows_of(p), RK_TYPE_RUN));
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

typedef void placer(placing *p);

static placer *const placer_of[] = {
    [RK_PLACE_PRODUCT] = place_product, [RK_PLACE_SPREAD] = place_spread, [RK_PLACE_PACKED] = place_packed,
    [RK_PLACE_CAST] = place_cast,       [RK_PLACE_VIEW] = place_view,     [RK_PLACE_PART] = place_part,
    [RK_PLACE_FIRST] = place_first,     [RK_PLACE_REPEAT] = place_repeat, [RK_PLACE_TABLES] = place_tables,
    [RK_PLACE_HELD] = place_held,       [RK_PLACE_HALVES] = place_halves, [RK_PLACE_COMPLEX] = place_complex,
    [RK_PLACE_HANDED] = place_handed,   [RK_PLACE_ROPE] = place_rope,     [RK_PLACE_ATTEND] = place_attend,
};

/* Of an operand that lies step by step: what is read beside its buffer. */
static void list_beside(placing *p, size_t k)
{
    if (p->before[k])
        list_buffer(p, p->before[k]);
    else if (p->read[k] != RK_NONE && p->buffer.at[p->read[k]].last)
        list_buffer(p, p->buffer.at[p->read[k]].last);
}

/* A product with a weight is taken in eight bits, one byte for each number, whose copies nobody keeps. */
static void cast_product(placing *p, rk_place_op *op)
{
    const rk_tensor *tensor = p->p->tensor;
    const rk_op *now = p->now;
    bool is_linear =
        now->row == RK_OP_PRODUCT && now->summed &&
        (tensor[now->in[0].tensor].kind == RK_TENSOR_WEIGHT) != (tensor[now->in[1].tensor].kind == RK_TENSOR_WEIGHT);
    uint32_t of[] = {is_linear ? now->in[0].tensor : 0, is_linear ? now->in[1].tensor : 0, now->out};

    if (!is_linear)
        return;
    op->cast = (uint32_t)p->buffer.n;
    for (size_t i = 0; i < 3; i++)
        make(p, i < 2 ? "in fp8" : "gradient in fp8", of[i], count_of(p, &tensor[of[i]].axes), RK_TYPE_TRUTH);
    op->n_cast = 3;
}

static void place_op(placing *p, size_t i)
{
    rk_place_op *op = &p->op[i];

    p->i = i;
    p->now = &p->p->op[i];
    if (p->now->n_in > RK_PLACE_OPERANDS_MAX) {
        p->code = rk_fail(p->err, RK_ELIMIT, "an operation of more than %d operands", RK_PLACE_OPERANDS_MAX);
        return;
    }
    op->made = (uint32_t)p->buffer.n;
    p->step = step_of(p);
    for (size_t k = 0; k < p->now->n_in; k++)
        read_operand(p, k);
    p->out = sizes_of(p, &p->p->tensor[p->now->out].axes);
    placer_of[rk_op_table[p->now->row].place](p);
    op->read = p->list.n;
    for (size_t k = 0; k < p->now->n_in; k++)
        list_buffer(p, p->read[k]);
    for (size_t k = 0; k < p->now->n_in; k++)
        list_beside(p, k);
    op->n_read = (uint32_t)(p->list.n - op->read);
    if (p->now->row == RK_OP_ROPE)
        each_table(p, read_table);
    if (p->o->by_book)
        keep_by_book(p);
    else
        keep_for_gradient(p);
    op->n_made = (uint32_t)(p->buffer.n - op->made);
    if (p->o->eighths)
        cast_product(p, op);
}

static void place_given(placing *p, uint32_t tensor)
{
    const rk_tensor *t = &p->p->tensor[tensor];
    bool stored = t->kind == RK_TENSOR_WEIGHT;
    bool wide = stored && p->p->weight[t->weight].wide;
    rk_type type = t->is_index ? RK_TYPE_WHOLE : wide ? RK_TYPE_F32 : RK_TYPE_RUN;
    rk_dims d = sizes_of(p, &t->axes);

    rk_dims_pack(p->o->asked, &d);
    p->tensor[tensor] = (rk_place){
        .buffer = new_buffer(p, (rk_buffer){.op = RK_NONE,
                                            .tensor = tensor,
                                            .group = t->group,
                                            .count = count_of(p, &t->axes),
                                            .type = type,
                                            .stored = stored}),
        .type = type,
        .dims = d,
    };
}

/*
 * An operation that keeps its own result holds on to itself, and to all before it, also where no output is reached: the
 * result knows how it was made, and so does what is kept.
 */
static bool mark_held(placing *p)
{
    bool *leads = RK_NEW_ARRAY(p->a, p->p->n_tensor + 1, bool);

    p->held = RK_NEW_ARRAY(p->a, p->p->n_op + 1, bool);
    for (size_t i = p->p->n_op; leads && p->held && i > 0; i--) {
        const rk_op *op = &p->p->op[i - 1];

        p->held[i - 1] = leads[op->out] || (rk_op_table[op->row].keeps & RK_KEEP_OUT);
        for (size_t k = 0; p->held[i - 1] && k < op->n_in; k++)
            if (rk_grad_flows(op, k) && rk_flow_needs(p->f, i - 1, k))
                leads[op->in[k].tensor] = true;
    }
    return leads && p->held;
}

/* Strides are numbers of 64 bits, and some are those of a few tensors side by side. */
#define ELEMENTS_MAX ((rk_i128)1 << 56)

static void check_size(placing *p, const rk_tensor *t)
{
    rk_acc acc = {0};
    rk_i128 n = 1;

    for (size_t i = 0; i < t->axes.n; i++)
        n = rk_mul(&acc, n, size_of(p, t->axes.at[i].size).n);
    if (p->code == RK_OK && (acc.overflow || n > ELEMENTS_MAX))
        p->code = rk_fail(p->err, RK_EOVERFLOW, "%s has more than 2^56 elements: no memory holds that",
                          t->name ? t->name : "a tensor");
}

int rk_places_new(rk_arena *a, const rk_model *m, const rk_flow *f, const rk_run_options *o, rk_places *out,
                  rk_err *err)
{
    const rk_program *prog = &m->program;
    placing p = {.a = a, .m = m, .p = prog, .f = f, .o = o, .at = rk_model_binding(m), .err = err};

    p.tensor = RK_NEW_ARRAY(a, prog->n_tensor + 1, rk_place);
    p.op = RK_NEW_ARRAY(a, prog->n_op + 1, rk_place_op);
    if (!p.tensor || !p.op || !mark_held(&p))
        return rk_fail_memory(err);
    for (size_t i = 0; i < prog->n_tensor && p.code == RK_OK; i++)
        check_size(&p, &prog->tensor[i]);
    for (size_t i = 0; i < prog->n_tensor && p.code == RK_OK; i++)
        if (prog->tensor[i].kind != RK_TENSOR_RESULT)
            place_given(&p, (uint32_t)i);
        else
            p.tensor[i].buffer = RK_NONE;
    for (size_t i = 0; i < prog->n_op && p.code == RK_OK; i++)
        place_op(&p, i);
    if (p.code != RK_OK)
        return p.code;
    *out =
        (rk_places){.buffer = p.buffer.at, .n_buffer = p.buffer.n, .tensor = p.tensor, .op = p.op, .list = p.list.at};
    return RK_OK;
}
