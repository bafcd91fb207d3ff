/* SPDX-License-Identifier: MIT */
#include "account/ledger.h"

#include "account/cost.h"

/* ---- weights ------------------------------------------------------------------------------------------------- */

static int list_weights(rk_ledger *l, rk_err *err)
{
    const rk_program *p = &l->model->program;
    rk_pool *pool = l->pool;

    l->weight = RK_NEW_ARRAY(&l->arena, p->n_weight + 1, rk_weight_row);
    l->buffer = RK_NEW_ARRAY(&l->arena, p->n_weight + 1, rk_weight_row);
    if (!l->weight || !l->buffer)
        return rk_fail_memory(err);
    l->stored = l->named = l->active = l->trained = rk_ex_int(pool, 0);
    for (uint32_t i = 0; i < p->n_weight; i++) {
        const rk_weight *w = &p->weight[i];
        rk_ex times = rk_group_times(pool, p, w->group), all = rk_ex_mul(pool, times, w->count);
        rk_weight_row *row = w->buffer ? &l->buffer[l->n_buffer++] : &l->weight[l->n_weight++];

        *row = (rk_weight_row){.weight = i,
                               .pattern = w->pattern,
                               .path = p->part[w->part].path,
                               .count = w->count,
                               .active = w->active,
                               .times = times};
        if (w->buffer)
            continue;
        l->named = rk_ex_add(pool, l->named, all);
        /* A tied tensor is a second name for storage counted elsewhere. */
        if (w->tied_to != RK_NONE)
            continue;
        l->stored = rk_ex_add(pool, l->stored, all);
        l->trained = w->frozen ? l->trained : rk_ex_add(pool, l->trained, all);
        l->active = rk_ex_add(pool, l->active, rk_ex_mul(pool, times, w->active));
    }
    return RK_OK;
}

/* ---- operations ---------------------------------------------------------------------------------------------- */

const char *rk_row_path(rk_arena *a, const rk_program *p, uint32_t part, const char *name)
{
    const char *path = p->part[part].path;

    return rk_arena_format(a, "%s%s%s", path, path[0] ? "." : "", name ? name : "");
}

int rk_group_layers(rk_arena *a, const rk_program *p, uint32_t group, const char **out, rk_err *err)
{
    const rk_group *g = &p->group[group];
    rk_str s = {0};
    size_t first = 0;

    *out = NULL;
    if (group == 0 || !g->layer)
        return RK_OK;
    for (size_t i = 1; i <= g->n_layer; i++) {
        if (i < g->n_layer && g->layer[i] == g->layer[i - 1] + 1)
            continue;
        rk_str_format(&s, "%s%u", first ? "," : "", g->layer[first]);
        if (i - first > 1)
            rk_str_format(&s, "%c%u", i - first == 2 ? ',' : '-', g->layer[i - 1]);
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

/* A row, unless it counts nothing. */
static int add_op(rk_ledger *l, uint32_t i, bool bias, rk_ex forward, rk_ex backward, uint32_t weight, rk_err *err)
{
    const rk_program *p = &l->model->program;
    const rk_op *op = &p->op[i];
    rk_ex zero = rk_ex_int(l->pool, 0);
    rk_ledger_op *row = &l->op[l->n_op];

    if (forward == zero && backward == zero)
        return RK_OK;
    *row = (rk_ledger_op){.op = i,
                          .path = rk_row_path(&l->arena, p, op->part, op->name),
                          .times = rk_group_times(l->pool, p, op->group),
                          .forward = forward,
                          .backward = backward,
                          .weight = weight};
    if (bias && row->path)
        row->path = rk_arena_format(&l->arena, "%s.bias", row->path);
    if (!row->path)
        return rk_fail_memory(err);
    l->n_op++;
    l->forward = rk_ex_add(l->pool, l->forward, rk_ex_mul(l->pool, row->times, forward));
    l->backward = rk_ex_add(l->pool, l->backward, rk_ex_mul(l->pool, row->times, backward));
    return rk_group_layers(&l->arena, p, op->group, &row->layers, err);
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
    rk_ex bias = rk_cost_extra_weight(l->instance, op, &l->convention);
    rk_ex all = rk_cost_task(l->instance, f, RK_TASK_FORWARD, i, RK_NONE, &l->convention);
    int code = add_op(l, i, false, rk_ex_sub(l->pool, all, bias), backward,
                      norm ? norm_weight(p, op, 1) : weight_used(p, op), err);

    /* The bias of a norm is a row of its own. */
    return code == RK_OK ? add_op(l, i, true, bias, rk_ex_int(l->pool, 0), norm_weight(p, op, 2), err) : code;
}

static int list_ops(rk_ledger *l, rk_err *err)
{
    const rk_program *p = &l->model->program;
    rk_ex *backward = RK_NEW_ARRAY(&l->arena, p->n_op + 1, rk_ex);
    rk_gradient g;
    int code;

    l->forward = l->backward = rk_ex_int(l->pool, 0);
    l->op = RK_NEW_ARRAY(&l->arena, 2 * p->n_op + 1, rk_ledger_op); /* a norm with a bias makes two rows */
    code = backward && l->op ? rk_gradient_new(&l->arena, p, &g, err) : rk_fail_memory(err);
    if (code != RK_OK)
        return code;
    for (size_t i = 0; i < p->n_op; i++)
        backward[i] = rk_ex_int(l->pool, 0);
    for (size_t i = 0; i < g.n; i++) {
        rk_ex cost = rk_cost_task(l->instance, &g.flow, RK_TASK_GRADIENT, g.at[i].op, g.at[i].in, &l->convention);

        backward[g.at[i].op] = rk_ex_add(l->pool, backward[g.at[i].op], cost);
    }
    for (uint32_t i = 0; i < p->n_op && code == RK_OK; i++)
        if (i != p->loss)
            code = list_op(l, &g.flow, i, backward[i], err);
    return code;
}

/* ---- the ledger ---------------------------------------------------------------------------------------------- */

int rk_ledger_new(const rk_instance *m, const rk_convention *c, rk_ledger **out, rk_err *err)
{
    rk_ledger *l = rk_heap_alloc(sizeof *l);
    int code;

    if (!l)
        return rk_fail_memory(err);
    *l = (rk_ledger){.instance = m, .model = m->model, .pool = m->pool, .convention = *c};
    code = list_weights(l, err);
    if (code == RK_OK)
        code = list_ops(l, err);
    if (code == RK_OK)
        code = rk_pool_check(m->pool, err);
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
