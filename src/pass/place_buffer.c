/* SPDX-License-Identifier: MIT */
#include "pass/placing.h"

rk_size rk_placing_size(rk_placing *p, rk_ex e)
{
    rk_i128 n = 0;

    if (p->code == RK_OK)
        p->code = rk_ex_eval(p->m->pool, e, &p->at, &n, p->err);
    if (p->code == RK_OK && (n < 0 || n > INT64_MAX))
        p->code = rk_fail(p->err, RK_EOVERFLOW, "an axis of more than 2^63 elements");
    return (rk_size){p->code == RK_OK ? (int64_t)n : 0, e};
}

rk_dims rk_placing_sizes(rk_placing *p, const rk_ixs *axes)
{
    rk_dims d = {.n = axes->n <= RK_DIMS_MAX ? axes->n : RK_DIMS_MAX};
    int64_t elements = 1;

    if (axes->n > RK_DIMS_MAX && p->code == RK_OK)
        p->code = rk_fail(p->err, RK_ELIMIT, "a tensor of more than %d axes", RK_DIMS_MAX);
    for (size_t i = 0; i < d.n; i++) {
        d.at[i] = (rk_dim){.size = rk_placing_size(p, axes->at[i].size), .stride = rk_size_of(p->o->conditions, 0)};
        if (__builtin_mul_overflow(elements, d.at[i].size.n > 0 ? d.at[i].size.n : 1, &elements) && p->code == RK_OK)
            p->code = rk_fail(p->err, RK_EOVERFLOW, "a tensor of more than 2^63 elements");
    }
    return d;
}

/* One number for each row along which an operation works. */
rk_ex rk_placing_rows(rk_placing *p)
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

uint32_t rk_placing_new_buffer(rk_placing *p, rk_buffer b)
{
    rk_buffer *slot = RK_PUSH(p->a, &p->buffer);

    if (!slot) {
        p->code = p->code == RK_OK ? rk_fail_memory(p->err) : p->code;
        return 0;
    }
    *slot = b;
    return (uint32_t)(p->buffer.n - 1);
}

void rk_placing_list(rk_placing *p, uint32_t buffer)
{
    uint32_t *slot = RK_PUSH(p->a, &p->list);

    if (slot)
        *slot = buffer;
    else
        p->code = p->code == RK_OK ? rk_fail_memory(p->err) : p->code;
}

uint32_t rk_placing_make(rk_placing *p, const char *what, uint32_t tensor, rk_ex count, rk_type type)
{
    return rk_placing_new_buffer(p, (rk_buffer){.what = what,
                                                .op = (uint32_t)p->i,
                                                .tensor = tensor,
                                                .group = p->now->group,
                                                .count = count,
                                                .type = type});
}

/* Buffers for the steps of a tensor: all but one, which is beside them. */
uint32_t rk_placing_make_steps(rk_placing *p, const char *what, uint32_t tensor, uint32_t label, rk_type type)
{
    rk_pool *pool = p->m->pool;
    rk_ex count = rk_ixs_count(p->m->pool, &p->p->tensor[tensor].axes);
    rk_ex each = rk_ex_div(pool, count, p->p->label[label].size);
    uint32_t most = rk_placing_make(p, what, tensor, rk_ex_sub(pool, count, each), type);

    rk_placing_make(p, "one step", tensor, each, type);
    if (p->code == RK_OK)
        p->buffer.at[most].last = most + 1;
    return most;
}
