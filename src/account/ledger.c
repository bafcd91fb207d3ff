/* SPDX-License-Identifier: MIT */
#include "account/ledger.h"

#include "account/cost.h"
#include "base/vec.h"

#include <string.h>

/* ---- weights ------------------------------------------------------------------------------------------------- */

static int list_weights(rk_ledger *l, rk_err *err)
{
    const rk_program *p = &l->model->program;

    l->weight = RK_NEW_ARRAY(&l->arena, p->n_weight + 1, rk_weight_row);
    l->buffer = RK_NEW_ARRAY(&l->arena, p->n_weight + 1, rk_weight_row);
    if (!l->weight || !l->buffer)
        return rk_fail_memory(err);
    for (uint32_t i = 0; i < p->n_weight; i++) {
        const rk_weight *w = &p->weight[i];
        rk_weight_row row = {.weight = i,
                             .pattern = w->pattern,
                             .path = p->part[w->part].path,
                             .count = w->count,
                             .active = w->active,
                             .times = rk_group_times(l->pool, p, w->group)};

        if (w->buffer)
            l->buffer[l->n_buffer++] = row;
        else
            l->weight[l->n_weight++] = row;
    }
    return RK_OK;
}

static void total_weights(rk_ledger *l)
{
    rk_pool *pool = l->pool;

    l->stored = l->named = l->active = l->trained = rk_ex_int(pool, 0);
    for (size_t i = 0; i < l->n_weight; i++) {
        const rk_weight_row *w = &l->weight[i];
        const rk_weight *weight = &l->model->program.weight[w->weight];
        rk_ex all = rk_ex_mul(pool, w->times, w->count);

        l->named = rk_ex_add(pool, l->named, all);
        /* A tied tensor is a second name for storage counted elsewhere. */
        if (weight->tied_to != RK_NONE)
            continue;
        l->stored = rk_ex_add(pool, l->stored, all);
        l->trained = weight->frozen ? l->trained : rk_ex_add(pool, l->trained, all);
        l->active = rk_ex_add(pool, l->active, rk_ex_mul(pool, w->times, w->active));
    }
}

/* ---- operations ---------------------------------------------------------------------------------------------- */

static void print_range(rk_str *s, uint32_t from, uint32_t to)
{
    rk_str_format(s, "%s%u", s->n ? "," : "", from);
    if (to > from)
        rk_str_format(s, "%c%u", to == from + 1 ? ',' : '-', to);
}

int rk_group_layers(rk_arena *a, const rk_program *p, uint32_t group, const char **out, rk_err *err)
{
    const rk_group *g = &p->group[group];
    rk_str s = {0};
    size_t first = 0;

    *out = NULL;
    if (group == 0 || !g->layer)
        return RK_OK;
    for (size_t i = 1; i <= g->n_layer; i++)
        if (i == g->n_layer || g->layer[i] != g->layer[i - 1] + 1) {
            print_range(&s, g->layer[first], g->layer[i - 1]);
            first = i;
        }
    *out = s.failed ? NULL : rk_arena_text(a, rk_str_text(&s));
    rk_str_free(&s);
    return *out ? RK_OK : rk_fail_memory(err);
}

/* The tensor behind an operand: a weight itself, or one seen through operations that cost nothing (a lookup). */
static uint32_t weight_behind(const rk_program *p, uint32_t tensor)
{
    const rk_tensor *t = &p->tensor[tensor];

    while (t->kind == RK_TENSOR_RESULT && t->producer != RK_NONE) {
        const rk_op *op = &p->op[t->producer];
        size_t from = rk_op_table[op->row].class == RK_CLASS_LOOKUP ? 1 : 0;

        if (rk_op_table[op->row].per != RK_PER_NONE || from >= op->n_in || op->n_in > 2)
            return RK_NONE;
        t = &p->tensor[op->in[from].tensor];
    }
    return t->kind == RK_TENSOR_WEIGHT ? t->weight : RK_NONE;
}

/* Of two weights the later one: positions added to an embedding are the positions' cost. */
static uint32_t weight_used(const rk_program *p, const rk_op *op)
{
    for (size_t i = op->n_in; i > 0; i--) {
        uint32_t w = weight_behind(p, op->in[i - 1].tensor);

        if (w != RK_NONE)
            return w;
    }
    return RK_NONE;
}

static bool is_zero(const rk_pool *pool, rk_ex e)
{
    rk_i128 n = 1;

    return rk_ex_is_int(pool, e, &n) && n == 0;
}

static const char *row_path(rk_ledger *l, const rk_op *op, const char *more)
{
    const char *part = l->model->program.part[op->part].path;

    return rk_arena_format(&l->arena, "%s%s%s%s", part, part[0] ? "." : "", op->name, more);
}

static int op_add(rk_ledger *l, uint32_t i, const char *more, rk_ex forward, rk_ex backward, uint32_t weight,
                  rk_err *err)
{
    const rk_program *p = &l->model->program;
    const rk_op *op = &p->op[i];
    rk_ledger_op row = {.op = i, .forward = forward, .backward = backward, .weight = weight};
    int code;

    if (is_zero(l->pool, forward) && is_zero(l->pool, backward))
        return RK_OK;
    row.times = rk_group_times(l->pool, p, op->group);
    row.path = row_path(l, op, more);
    if (!row.path)
        return rk_fail_memory(err);
    if ((code = rk_group_layers(&l->arena, p, op->group, &row.layers, err)) != RK_OK)
        return code;
    l->op[l->n_op++] = row;
    return RK_OK;
}

static uint32_t norm_weight(const rk_program *p, const rk_op *op, size_t in)
{
    return in < op->n_in ? weight_behind(p, op->in[in].tensor) : RK_NONE;
}

static int list_op(rk_ledger *l, const rk_flow *f, uint32_t i, rk_ex backward, rk_err *err)
{
    const rk_program *p = &l->model->program;
    const rk_op *op = &p->op[i];
    bool norm = rk_op_table[op->row].shape == RK_SHAPE_NORM;
    rk_ex extra = rk_cost_extra_weight(l->instance, op, &l->convention);
    rk_ex all = rk_cost_task(l->instance, f, RK_TASK_FORWARD, i, RK_NONE, &l->convention);
    rk_ex forward = rk_ex_sub(l->pool, all, extra); /* the bias of a norm is a row of its own */
    int code = op_add(l, i, "", forward, backward, norm ? norm_weight(p, op, 1) : weight_used(p, op), err);

    if (code != RK_OK)
        return code;
    return op_add(l, i, ".bias", extra, rk_ex_int(l->pool, 0), norm_weight(p, op, 2), err);
}

static int list_ops(rk_ledger *l, rk_err *err)
{
    const rk_program *p = &l->model->program;
    rk_ex *backward = RK_NEW_ARRAY(&l->arena, p->n_op + 1, rk_ex);
    rk_gradient g;
    int code = backward ? rk_gradient_new(&l->arena, p, &g, err) : rk_fail_memory(err);

    if (code != RK_OK)
        return code;
    for (size_t i = 0; i < p->n_op; i++)
        backward[i] = rk_ex_int(l->pool, 0);
    for (size_t i = 0; i < g.n; i++) {
        rk_ex cost = rk_cost_task(l->instance, &g.flow, RK_TASK_GRADIENT, g.at[i].op, g.at[i].in, &l->convention);

        backward[g.at[i].op] = rk_ex_add(l->pool, backward[g.at[i].op], cost);
    }
    /* A norm with a bias makes two rows. */
    l->op = RK_NEW_ARRAY(&l->arena, 2 * p->n_op + 1, rk_ledger_op);
    if (!l->op)
        return rk_fail_memory(err);
    for (uint32_t i = 0; i < p->n_op && code == RK_OK; i++)
        if (i != p->loss)
            code = list_op(l, &g.flow, i, backward[i], err);
    return code;
}

static void total_ops(rk_ledger *l)
{
    rk_pool *pool = l->pool;

    l->forward = l->backward = rk_ex_int(pool, 0);
    for (size_t i = 0; i < l->n_op; i++) {
        const rk_ledger_op *o = &l->op[i];

        l->forward = rk_ex_add(pool, l->forward, rk_ex_mul(pool, o->times, o->forward));
        l->backward = rk_ex_add(pool, l->backward, rk_ex_mul(pool, o->times, o->backward));
    }
}

/* ---- the ledger ---------------------------------------------------------------------------------------------- */

int rk_ledger_new(const rk_instance *m, const rk_convention *c, rk_ledger **out, rk_err *err)
{
    rk_ledger *l = rk_heap_alloc(sizeof *l);
    int code;

    if (!l)
        return rk_fail_memory(err);
    memset(l, 0, sizeof *l);
    l->instance = m;
    l->model = m->model;
    l->pool = m->pool;
    l->convention = *c;
    code = list_weights(l, err);
    if (code == RK_OK)
        code = list_ops(l, err);
    if (code == RK_OK) {
        total_weights(l);
        total_ops(l);
        code = rk_pool_check(m->pool, err);
    }
    if (code != RK_OK) {
        rk_ledger_free(l);
        return code;
    }
    *out = l;
    return RK_OK;
}

void rk_ledger_free(rk_ledger *l)
{
    if (!l)
        return;
    rk_arena_free(&l->arena);
    rk_heap_free(l);
}
