/* SPDX-License-Identifier: MIT */
#include "pass/placing.h"

static rk_ex pairs_of(rk_placing *p)
{
    return rk_ex_ceil_div(p->m->pool, p->now->arg, rk_ex_int(p->m->pool, 2));
}

/* Cosines and sines, so many for each position. */
static void make_tables(rk_placing *p, rk_ex each)
{
    rk_ex count = rk_ex_mul(p->m->pool, rk_ixs_count(p->m->pool, &p->p->tensor[p->now->out].axes), each);
    rk_type type = (rk_type)p->now->which;

    rk_dims_pack(p->o->conditions, &p->out);
    rk_placing_put_result(p, rk_placing_make(p, "cos", RK_NONE, count, type), type);
    rk_placing_make(p, "sin", RK_NONE, count, type);
}

void rk_place_tables(rk_placing *p)
{
    make_tables(p, rk_ex_mul(p->m->pool, rk_ex_int(p->m->pool, 2), pairs_of(p)));
}

void rk_place_halves(rk_placing *p)
{
    make_tables(p, pairs_of(p));
}

void rk_place_complex(rk_placing *p)
{
    rk_ex pairs = rk_ex_mul(p->m->pool, rk_ixs_count(p->m->pool, &p->p->tensor[p->now->out].axes), pairs_of(p));

    rk_dims_pack(p->o->conditions, &p->out);
    rk_placing_put_result(
        p, rk_placing_make(p, "cis", RK_NONE, rk_ex_mul(p->m->pool, rk_ex_int(p->m->pool, 2), pairs), RK_TYPE_F32),
        RK_TYPE_F32);
}

/* Row-major in the order batch, heads, sequence, width, in which attention has its operands. */
static void pack_heads_first(rk_conditions *conditions, rk_dims *d)
{
    size_t order[RK_DIMS_MAX], n = 0;
    rk_size stride = rk_size_of(conditions, 1);

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
        stride = rk_size_times(conditions, stride, d->at[order[n - 1]].size);
    }
}

/*
 * Where only a part may be rotated, both parts are joined again, which makes a new order: also where the equations
 * speak of a part and it happens to be the whole.
 */
void rk_place_rope(rk_placing *p)
{
    const rk_ixs *axes = &p->p->tensor[p->now->out].axes;

    if (p->now->arg == axes->at[axes->n - 1].size) {
        rk_place_spread(p);
        return;
    }
    pack_heads_first(p->o->conditions, &p->out);
    rk_placing_own_result(p);
}

/* Cosines and sines by which as many elements are rotated as here. */
static bool is_table(rk_placing *p, const rk_op *op)
{
    return rk_op_table[op->row].class == RK_CLASS_ROTARY_TABLE &&
           rk_size_equals(p->o->conditions, rk_placing_size(p, op->arg), rk_placing_size(p, p->now->arg));
}

/* Does something with each table of a group by which as many elements are rotated as here; whether there is one. */
static bool each_table_of(rk_placing *p, uint32_t group, void (*act)(rk_placing *p, uint32_t buffer))
{
    bool any = false;

    for (size_t i = rk_program_stage_first(p->p, rk_program_stage_of(p->p, p->i)); i < p->i; i++) {
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
void rk_placing_each_table(rk_placing *p, void (*act)(rk_placing *p, uint32_t buffer))
{
    uint32_t group = p->now->group;

    while (group != RK_NONE && !each_table_of(p, group, act))
        group = p->p->group[group].parent;
}
