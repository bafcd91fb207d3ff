/* SPDX-License-Identifier: MIT */
#include "pass/placing.h"

/* Result axes that the operand has not lie inside its one axis of parts, side by side. */
static void split_part(rk_placing *p)
{
    const rk_ixs *out = &p->p->tensor[p->now->out].axes, *in = &p->now->in[0].axes;
    rk_size stride = rk_size_of(p->o->conditions, 0);

    for (size_t i = 0; i < in->n; i++)
        if (in->at[i].kind == RK_IX_SUM && rk_ixs_place(out, in->at[i].label) < 0)
            stride = p->dims[0].at[i].stride;
    for (size_t i = out->n; i > 0; i--)
        if (rk_ixs_place(in, out->at[i - 1].label) < 0) {
            p->out.at[i - 1].stride = stride;
            stride = rk_size_times(p->o->conditions, stride, p->out.at[i - 1].size);
        }
}

static void keep_buffer_of_operand(rk_placing *p)
{
    rk_placing_put_result(p, p->read[0], p->tensor[p->now->in[0].tensor].type);
}

void rk_place_part(rk_placing *p)
{
    p->out = rk_placing_under_result(p, 0);
    split_part(p);
    keep_buffer_of_operand(p);
}

void rk_place_repeat(rk_placing *p)
{
    p->out = rk_placing_under_result(p, 0);
    keep_buffer_of_operand(p);
}

void rk_place_contiguous(rk_placing *p)
{
    rk_dims in = rk_placing_under_result(p, 0);

    if (rk_dims_are_packed(p->o->conditions, &in))
        rk_place_repeat(p);
    else
        rk_place_packed(p);
}

void rk_place_second(rk_placing *p)
{
    p->out = rk_placing_under_result(p, 1);
    rk_placing_put_result(p, p->read[1], p->tensor[p->now->in[1].tensor].type);
}

/* The same axes, one of them shorter. */
void rk_place_first(rk_placing *p)
{
    for (size_t i = 0; i < p->out.n && i < p->dims[0].n; i++)
        p->out.at[i].stride = p->dims[0].at[i].stride;
    keep_buffer_of_operand(p);
}

/* A convolution finds its windows by itself: nothing is copied for it, and what is saved is the whole picture. */
void rk_place_windows(rk_placing *p)
{
    rk_dims_pack(p->o->conditions, &p->out);
    keep_buffer_of_operand(p);
}

/* Whether the result has the axes of its operand, perhaps in another order. */
static bool has_same_axes(const rk_placing *p)
{
    const rk_ixs *out = &p->p->tensor[p->now->out].axes, *in = &p->now->in[0].axes;
    bool same = in->n == out->n;

    for (size_t i = 0; i < out->n && same; i++)
        same = rk_ixs_place(in, out->at[i].label) >= 0;
    return same;
}

/* The label of an axis that is read at all its places, from the first to the last; RK_NONE: some others are. */
static uint32_t whole_axis(rk_placing *p, const rk_ix *ix)
{
    rk_i128 offset = 0;

    if (ix->kind != RK_IX_AFFINE)
        return ix->label;
    if (ix->n_term != 1 || ix->term[0].factor != 1 || rk_ex_eval(p->m->pool, ix->offset, &p->at, &offset, p->err))
        return RK_NONE;
    rk_conditions_equal(p->o->conditions, ix->offset, rk_ex_int(p->m->pool, 0), offset == 0);
    if (offset != 0 || !rk_size_equals(p->o->conditions, rk_placing_size(p, p->p->label[ix->term[0].label].size),
                                       rk_placing_size(p, ix->size)))
        return RK_NONE;
    return ix->term[0].label;
}

/* The operand under the axes of the result, where it is read at all its places; else false. */
static bool as_it_lies(rk_placing *p, rk_dims *d)
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
static void place_shifted(rk_placing *p)
{
    rk_dims in;

    rk_dims_pack(p->o->conditions, &p->out);
    if (p->before[0]) {
        rk_placing_lie_in_steps(p);
        keep_buffer_of_operand(p);
        return;
    }
    if (as_it_lies(p, &in))
        rk_dims_elementwise(p->o->conditions, &p->out, &in, 1);
    rk_placing_own_result(p);
}

/*
 * A tensor that has two names before layers, of which these change one, is there twice: it is one buffer, but what
 * becomes of each name is told apart.
 */
static bool is_second_name(const rk_placing *p)
{
    const rk_ixs *out = &p->p->tensor[p->now->out].axes, *in = &p->now->in[0].axes;
    bool same = in->n == out->n && p->read[0] != RK_NONE && !rk_placing_is_stored(p, 0) && !p->before[0] &&
                !p->buffer.at[p->read[0]].last;

    for (size_t i = 0; i < out->n && same; i++)
        same = in->at[i].kind != RK_IX_AFFINE && in->at[i].label == out->at[i].label;
    return same;
}

static void place_second_name(rk_placing *p)
{
    rk_type type = p->tensor[p->now->in[0].tensor].type;
    uint32_t b = rk_placing_make(p, NULL, p->now->out, p->buffer.at[p->read[0]].count, type);

    if (p->code == RK_OK)
        p->buffer.at[b].twin = p->read[0] + 1;
    p->out = rk_placing_under_result(p, 0);
    rk_placing_put_result(p, b, type);
}

void rk_place_view(rk_placing *p)
{
    rk_dims want = p->out;

    if (is_second_name(p)) {
        place_second_name(p);
        return;
    }

    if (has_same_axes(p)) {
        rk_place_repeat(p);
        return;
    }
    if (!rk_placing_is_plain(&p->now->in[0].axes)) {
        place_shifted(p);
        return;
    }
    if (!rk_dims_view(p->o->conditions, &p->dims[0], &want)) {
        rk_placing_copy_operand(p, 0, p->dims[0]);
        rk_dims_pack(p->o->conditions, &want);
    }
    p->out = want;
    keep_buffer_of_operand(p);
}

/* What is cast step by step lies in a buffer for each step; the first is one that a recurrence may not need. */
static void own_steps(rk_placing *p, rk_type type)
{
    rk_placing_put_result(p, rk_placing_make_steps(p, NULL, p->now->out, p->now->label[0], type), type);
}

/* What is read a step back is copied, and so are the zeros before the first step. */
static void copy_back(rk_placing *p, rk_type type)
{
    const rk_buffer *steps = &p->buffer.at[p->read[0]], *zeros = &p->buffer.at[p->before[0]];
    rk_ex count = steps->count, each = zeros->count;

    p->read[0] = rk_placing_make(p, NULL, p->now->out, count, type);
    p->before[0] = rk_placing_make(p, "initial state", RK_NONE, each, type);
}

void rk_place_cast(rk_placing *p)
{
    rk_type to = rk_placing_result_type(p), from = p->tensor[p->now->in[0].tensor].type;
    rk_dims in = rk_placing_under_result(p, 0);

    /* The steps of a recurrence are of the type in which they are read; the zeros before them are made in it. */
    if (p->before[0] && p->o->autocast && rk_type_is_low(to))
        copy_back(p, to);
    else if (p->before[0])
        p->buffer.at[p->before[0]].type = to;
    else if (rk_type_bytes(to, p->o) != rk_type_bytes(from, p->o)) {
        if (rk_op_table[p->now->row].place == RK_PLACE_CAST_PACKED)
            rk_dims_pack(p->o->conditions, &p->out);
        else
            rk_dims_elementwise(p->o->conditions, &p->out, &in, 1);
        if (p->now->n_label > 0)
            own_steps(p, to);
        else
            rk_placing_own_result(p);
        return;
    }
    p->out = in;
    rk_placing_put_result(p, p->read[0], to);
}
