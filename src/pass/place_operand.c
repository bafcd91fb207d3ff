/* SPDX-License-Identifier: MIT */
#include "pass/placing.h"

bool rk_placing_is_plain(const rk_ixs *axes)
{
    for (size_t i = 0; i < axes->n; i++)
        if (axes->at[i].kind == RK_IX_AFFINE || axes->at[i].kind == RK_IX_ROUTED)
            return false;
    return true;
}

bool rk_placing_is_stored(const rk_placing *p, size_t k)
{
    uint32_t buffer = p->tensor[p->now->in[k].tensor].buffer;

    return buffer != RK_NONE && p->buffer.at[buffer].stored;
}

/* An operand under the axes of the result: repeated along those that it has not. */
rk_dims rk_placing_under_result(const rk_placing *p, size_t k)
{
    const rk_ixs *out = &p->p->tensor[p->now->out].axes;
    rk_dims d = p->out;

    for (size_t i = 0; i < d.n; i++) {
        int at = rk_ixs_place(&p->now->in[k].axes, out->at[i].label);

        d.at[i].stride = at >= 0 ? p->dims[k].at[at].stride : rk_size_of(p->o->conditions, 0);
    }
    return d;
}

/* An operand that cannot be read in the form wanted is copied into it first. */
void rk_placing_copy_operand(rk_placing *p, size_t k, rk_dims form)
{
    const rk_operand *in = &p->now->in[k];
    const rk_place *at = &p->tensor[in->tensor];

    rk_dims_pack(p->o->conditions, &form);
    p->dims[k] = form;
    p->before[k] = 0;
    if (p->o->profile->textbook || rk_placing_is_stored(p, k))
        return;
    p->read[k] =
        rk_placing_make(p, "copy", in->tensor, rk_ixs_count(p->m->pool, &p->p->tensor[in->tensor].axes), at->type);
}

/* A recurrence reads what it has yet to make: the buffers of its steps are there before. */
static void reserve_steps(rk_placing *p, size_t k)
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
    most = rk_placing_make(p, NULL, in->tensor, rk_ex_mul(pool, each, rk_ex_sub(pool, steps, one)), RK_TYPE_RUN);
    p->tensor[in->tensor].buffer = most;
    rk_placing_make(p, "last step", in->tensor, each, RK_TYPE_RUN);
    rk_placing_make(p, "initial state", RK_NONE, each, RK_TYPE_LOW);
    if (p->code != RK_OK)
        return;
    p->buffer.at[most].last = most + 1;
    p->buffer.at[most].before = most + 2;
}

static void read_step(rk_placing *p, size_t k)
{
    const rk_place *at = &p->tensor[p->now->in[k].tensor];
    bool back = rk_step_label(p->p, p->i, k) != RK_NONE;

    if (back && at->buffer == RK_NONE)
        reserve_steps(p, k);
    p->before[k] = back && p->code == RK_OK ? p->buffer.at[at->buffer].before : at->before;
}

/* An operation is done step by step if an operand is, along an axis that the result has, too.  A copy is whole. */
uint32_t rk_placing_step_of(const rk_placing *p)
{
    const rk_ixs *out = &p->p->tensor[p->now->out].axes;
    rk_place_rule place = rk_op_table[p->now->row].place;

    if (place == RK_PLACE_WHOLE)
        return 0;
    if (place == RK_PLACE_STEPS)
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

void rk_placing_read_operand(rk_placing *p, size_t k)
{
    const rk_operand *in = &p->now->in[k];
    rk_dims want = rk_placing_sizes(p, &in->axes);

    read_step(p, k);
    p->read[k] = p->tensor[in->tensor].buffer;
    /* What a recurrence reads before it is made lies in row-major order. */
    if (!rk_placing_is_plain(&in->axes) || p->read[k] == RK_NONE) {
        rk_dims_pack(p->o->conditions, &want);
        p->dims[k] = want;
    } else if (rk_dims_view(p->o->conditions, &p->tensor[in->tensor].dims, &want)) {
        p->dims[k] = want;
    } else {
        rk_placing_copy_operand(p, k, want);
    }
}
