/* SPDX-License-Identifier: MIT */
#include "ask/convention_facts.h"

#include "account/ledger.h"
#include "ask/convention_shape.h"

typedef struct summing {
    rk_facts *out;
    const rk_program *p;
    rk_pool *pool;
    const rk_roles *role;
} summing;

static rk_row_class class_of(const summing *s, const rk_ledger_op *row)
{
    return (rk_row_class)s->role->op[row->op];
}

static void add(summing *s, rk_row_class c, rk_class_fact which, rk_ex times, rk_ex figure)
{
    rk_ex *sum = &s->out->of_class[c][which];

    *sum = rk_ex_add(s->pool, *sum, rk_ex_mul(s->pool, times, figure));
    s->out->present[c] = true;
}

/* ---- operations ------------------------------------------------------------------------------------------------- */

/* Each query sees as many keys as its window has, those at the beginning too. */
static rk_ex windowed(const summing *s, const rk_op *op, rk_ex flops)
{
    rk_ex keys;

    if (op->mask.kind != RK_MASK_WINDOW && op->mask.kind != RK_MASK_CHUNK)
        return flops;
    keys = s->p->label[op->mask.key].size;
    return rk_ex_mul(s->pool, rk_ex_div(s->pool, flops, keys), rk_ex_min(s->pool, keys, op->mask.size));
}

static bool looks_back(rk_mask_kind kind)
{
    return kind == RK_MASK_CAUSAL || kind == RK_MASK_WINDOW || kind == RK_MASK_CHUNK || kind == RK_MASK_PREFIX;
}

static rk_ex halved(const summing *s, const rk_op *op, rk_ex flops)
{
    return looks_back(op->mask.kind) ? rk_ex_div(s->pool, flops, rk_ex_int(s->pool, 2)) : flops;
}

static void add_product(summing *s, const rk_ledger_op *row)
{
    rk_row_class c = class_of(s, row);

    add(s, c, RK_CLASS_FACT_FLOPS, row->times, row->forward);
    add(s, c, RK_CLASS_FACT_WINDOWED, row->times, windowed(s, &s->p->op[row->op], row->forward));
    add(s, c, RK_CLASS_FACT_HALVED, row->times, halved(s, &s->p->op[row->op], row->forward));
}

static void sum_all(summing *s, const rk_ledger *l)
{
    for (size_t i = 0; i < l->n_op; i++) {
        const rk_ledger_op *row = &l->op[i];
        const rk_op *op = &s->p->op[row->op];
        rk_row_class c = class_of(s, row);
        bool again = i > 0 && row[-1].op == row->op; /* a norm's bias stands behind its norm */

        add(s, again ? RK_ROWS_BIAS : c, RK_CLASS_FACT_ARITHMETIC, row->times, row->forward);
        if (rk_op_table[op->row].class == RK_CLASS_PRODUCT)
            add_product(s, row);
        else if (!again)
            add(s, c, RK_CLASS_FACT_ELEMENTS, row->times, rk_shape_elements(s->out->instance, op));
    }
}

static void sum_exact(summing *s, const rk_ledger *l)
{
    for (size_t i = 0; i < l->n_op; i++)
        add(s, class_of(s, &l->op[i]), RK_CLASS_FACT_EXACT, l->op[i].times, l->op[i].forward);
}

static void sum_torch(summing *s, const rk_ledger *l)
{
    for (size_t i = 0; i < l->n_op; i++) {
        const rk_ledger_op *row = &l->op[i];

        add(s, class_of(s, row), RK_CLASS_FACT_TORCH, row->times, row->forward);
        add(s, class_of(s, row), RK_CLASS_FACT_TORCH_BACK, row->times, row->backward);
    }
}

/* One ledger for each way of counting: what the rows say is then put to their classes. */
static int sum_ledger(summing *s, rk_convention c, void (*sum)(summing *, const rk_ledger *), rk_err *err)
{
    rk_ledger *l = NULL;
    int code = rk_ledger_new(s->out->instance, &c, &l, err);

    if (code == RK_OK)
        sum(s, l);
    rk_ledger_free(l);
    return code;
}

/* ---- weights ---------------------------------------------------------------------------------------------------- */

static void sum_tables(summing *s)
{
    for (size_t i = 0; i < s->p->n_op; i++) {
        const rk_op *op = &s->p->op[i];
        rk_ex times = rk_group_times(s->pool, s->p, op->group);

        for (size_t k = 0; k < op->n_in && rk_op_table[op->row].class == RK_CLASS_LOOKUP; k++) {
            const rk_tensor *t = &s->p->tensor[op->in[k].tensor];

            if (t->kind == RK_TENSOR_WEIGHT)
                add(s, (rk_row_class)s->role->op[i], RK_CLASS_FACT_TABLE, times, s->p->weight[t->weight].count);
        }
    }
}

static void sum_weights(summing *s)
{
    for (size_t i = 0; i < s->p->n_weight; i++) {
        const rk_weight *w = &s->p->weight[i];
        rk_ex times = rk_group_times(s->pool, s->p, w->group);

        if (w->buffer || w->tied_to != RK_NONE)
            continue;
        add(s, (rk_row_class)s->role->weight[i].role, RK_CLASS_FACT_PARAMS, times, w->count);
        add(s, (rk_row_class)s->role->weight[i].role, RK_CLASS_FACT_ACTIVE, times, w->active);
    }
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static void begin(rk_facts *f, const rk_instance *m)
{
    *f = (rk_facts){.instance = m};
    for (int c = 0; c < RK_N_ROW_CLASS; c++)
        for (int i = 0; i < RK_N_CLASS_FACT; i++)
            f->of_class[c][i] = rk_ex_int(m->pool, 0);
}

int rk_facts_new(rk_arena *a, const rk_instance *m, const rk_convention_setup *setup, rk_facts *out, rk_err *err)
{
    summing s = {.out = out, .p = m->program, .pool = m->pool, .role = &m->model->roles};
    int code;

    begin(out, m);
    code = sum_ledger(&s, (rk_convention){.count = RK_COUNT_ALL}, sum_all, err);
    if (code == RK_OK)
        code = sum_ledger(&s, (rk_convention){.count = RK_COUNT_MATMUL, .exact_mask = true}, sum_exact, err);
    if (code == RK_OK)
        code = sum_ledger(&s, (rk_convention){.count = RK_COUNT_TORCH}, sum_torch, err);
    if (code != RK_OK)
        return code;
    sum_tables(&s);
    sum_weights(&s);
    rk_shape_find(setup, out);
    return a->failed ? rk_fail_memory(err) : rk_pool_check(m->pool, err);
}
