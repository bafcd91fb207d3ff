/* SPDX-License-Identifier: MIT */
#include "pass/placing.h"

rk_type rk_placing_result_type(const rk_placing *p)
{
    rk_type in[RK_PLACE_OPERANDS_MAX];

    for (size_t k = 0; k < p->now->n_in; k++)
        in[k] = p->tensor[p->now->in[k].tensor].type;
    return rk_type_result(p->p, p->now, in);
}

void rk_placing_put_result(rk_placing *p, uint32_t buffer, rk_type type)
{
    bool passes_on = p->now->n_in > 0 && buffer == p->read[0];

    p->tensor[p->now->out] = (rk_place){
        .buffer = buffer, .before = passes_on ? p->before[0] : 0, .step = p->step, .type = type, .dims = p->out};
}

/* The result of a recurrence, whose buffers are there; what it is made of was not known then. */
static void put_steps(rk_placing *p, uint32_t most, rk_type type)
{
    p->buffer.at[most].type = type;
    p->buffer.at[p->buffer.at[most].last].type = type;
    rk_placing_put_result(p, most, type);
}

/* The axis that comes next inside of a step: the one of least stride of those not yet done, or SIZE_MAX. */
static size_t next_inside(const rk_placing *p, size_t step, const bool *done)
{
    size_t next = SIZE_MAX;

    for (size_t i = p->out.n; i > 0; i--)
        if (i - 1 != step && !done[i - 1] &&
            (next == SIZE_MAX || rk_size_less(p->o->conditions, p->out.at[i - 1].stride, p->out.at[next].stride)))
            next = i - 1;
    return next;
}

/* What is computed step by step lies so: each step by itself, in the order of its axes. */
void rk_placing_lie_in_steps(rk_placing *p)
{
    int step = p->step ? rk_ixs_place(&p->p->tensor[p->now->out].axes, p->step - 1) : -1;
    rk_dims lies = p->out;
    bool done[RK_DIMS_MAX] = {false};
    rk_size stride = rk_size_of(p->o->conditions, 1);

    if (step < 0)
        return;
    for (size_t i; (i = next_inside(p, (size_t)step, done)) != SIZE_MAX; done[i] = true) {
        lies.at[i].stride = stride;
        stride = rk_size_times(p->o->conditions, stride, lies.at[i].size);
    }
    lies.at[step].stride = stride;
    p->out = lies;
}

void rk_placing_own_result(rk_placing *p)
{
    rk_type type = rk_placing_result_type(p);
    uint32_t there = p->tensor[p->now->out].buffer;

    rk_placing_lie_in_steps(p);
    if (there != RK_NONE)
        put_steps(p, there, type);
    else if (p->step && rk_ixs_place(&p->p->tensor[p->now->out].axes, p->step - 1) >= 0)
        rk_placing_put_result(p, rk_placing_make_steps(p, NULL, p->now->out, p->step - 1, type), type);
    else
        rk_placing_put_result(
            p, rk_placing_make(p, NULL, p->now->out, rk_ixs_count(p->m->pool, &p->p->tensor[p->now->out].axes), type),
            type);
}

void rk_place_packed(rk_placing *p)
{
    rk_dims_pack(p->o->conditions, &p->out);
    rk_placing_own_result(p);
}

void rk_place_held(rk_placing *p)
{
    rk_place_packed(p);
    p->buffer.at[p->tensor[p->now->out].buffer].stored = true;
}

void rk_place_handed(rk_placing *p)
{
    rk_ex count = rk_ixs_count(p->m->pool, &p->p->tensor[p->now->out].axes);
    uint32_t b = 0;

    rk_dims_pack(p->o->conditions, &p->out);
    while (b < p->buffer.n && !(p->buffer.at[b].handed && p->buffer.at[b].count == count))
        b++;
    if (b == p->buffer.n)
        b = rk_placing_new_buffer(
            p, (rk_buffer){.op = RK_NONE, .tensor = p->now->out, .count = count, .type = RK_TYPE_RUN, .handed = true});
    rk_placing_put_result(p, b, RK_TYPE_RUN);
}

void rk_place_spread(rk_placing *p)
{
    rk_dims in[RK_PLACE_OPERANDS_MAX];

    for (size_t k = 0; k < p->now->n_in; k++)
        in[k] = rk_placing_under_result(p, k);
    rk_dims_elementwise(p->o->conditions, &p->out, in, p->now->n_in);
    rk_placing_own_result(p);
}

/* Fused attention gives its result as its queries lie. */
void rk_place_attend(rk_placing *p)
{
    rk_dims q = rk_placing_under_result(p, 0);

    q.at[q.n - 1].stride = rk_size_of(p->o->conditions, 1);
    rk_dims_elementwise(p->o->conditions, &p->out, &q, 1);
    rk_placing_own_result(p);
}
