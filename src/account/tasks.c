/* SPDX-License-Identifier: MIT */
#include "account/tasks.h"

#include "account/cost.h"
#include "account/traffic.h"
#include "account/training.h"
#include "base/vec.h"

typedef struct listing {
    rk_arena *a;
    const rk_ledger *l;
    const rk_program *p;
    rk_flow flow;
    rk_places places;
    rk_step step;
    rk_task_rows *out;
    rk_err *err;
    int code; /* sticky */
} listing;

/* The tensor that a gradient is of: its name, or that of the row that makes it. */
static const char *name_of(const rk_program *p, uint32_t tensor)
{
    const rk_tensor *t = &p->tensor[tensor];

    if (t->kind == RK_TENSOR_WEIGHT)
        return p->weight[t->weight].pattern;
    return t->name ? t->name : t->producer != RK_NONE ? p->op[t->producer].name : "";
}

/* What a task holds for the backward pass. */
static rk_i128 bytes_saved(const listing *x, const rk_task *t)
{
    const rk_place_op *op = &x->places.op[t->op];
    rk_i128 n = 0;

    for (size_t k = 0; k < op->n_kept && t->kind == RK_TASK_FORWARD; k++) {
        uint32_t b = x->places.list[op->read + op->n_read + k];

        n += x->places.buffer[b].stored ? 0 : x->step.bytes[b];
    }
    return n;
}

static void add_task(listing *x, const rk_task *t, rk_i128 times)
{
    const rk_op *op = t->op == RK_NONE ? NULL : &x->p->op[t->op];
    rk_traffic moved;
    rk_task_row *row;

    if (!op || t->kind == RK_TASK_STORAGE)
        return;
    if (!(row = RK_PUSH(x->a, x->out))) {
        x->code = rk_fail_memory(x->err);
        return;
    }
    moved = rk_task_traffic(x->l->instance, t->kind, t->op, t->operand, RK_TASK_NUMBER_BYTES);
    *row = (rk_task_row){.kind = t->kind,
                         .path = rk_row_path(x->a, x->p, op->part, op->name),
                         .of = t->operand == RK_NONE ? NULL : name_of(x->p, op->in[t->operand].tensor),
                         .times = times,
                         .flops = rk_ex_int(x->l->pool, 0),
                         .read = moved.read,
                         .written = moved.written,
                         .saves = bytes_saved(x, t)};
    if (t->op != x->p->loss) /* which a ledger does not count */
        row->flops = rk_cost_task(x->l->instance, &x->flow, t->kind, t->op, t->operand, &x->l->convention);
    x->code = row->path ? rk_group_layers(x->a, x->p, op->group, &row->layers, x->err) : rk_fail_memory(x->err);
}

/* Each list of a loop once, where it is run first. */
static void add_list(listing *x, uint32_t list, rk_i128 times)
{
    const rk_step_list *l = &x->step.list[list];
    rk_i128 *runs = RK_NEW_ARRAY(x->a, x->step.n_list + 1, rk_i128);

    if (!runs)
        x->code = rk_fail_memory(x->err);
    for (size_t i = 0; i < l->n_item && x->code == RK_OK; i++) {
        const rk_step_item *item = &l->item[i];

        if (!item->run)
            add_task(x, &x->step.task[item->task], times);
        for (size_t k = 0; item->run && k < item->n_run; k++)
            runs[item->run[k].list]++;
        for (size_t k = 0; item->run && k < item->n_run && x->code == RK_OK; k++) {
            uint32_t inner = item->run[k].list;

            if (runs[inner] > 0)
                add_list(x, inner, times * runs[inner]);
            runs[inner] = 0;
        }
    }
}

/* A weight, its gradient and the optimizer's state are read; the first and the last are written. */
static void add_updates(listing *x, rk_optimizer o)
{
    const rk_step_list *l = &x->step.list[x->step.update];
    rk_pool *pool = x->l->pool;

    for (size_t i = 0; i < l->n_item && x->code == RK_OK; i++) {
        const rk_task *t = &x->step.task[l->item[i].task];
        const rk_weight *w = &x->p->weight[t->operand];
        rk_optimizer_tensor seen =
            rk_optimizer_sees(o, w, x->l->model->roles.weight[t->operand].matrix, false, RK_TASK_NUMBER_BYTES, 0);
        rk_update_cost cost = rk_cost_update(x->l, &seen);
        rk_ex all = rk_ex_mul(pool, rk_ex_int(pool, RK_TASK_NUMBER_BYTES), w->count),
              state = rk_optimizer_state(pool, &seen);
        rk_task_row *row = RK_PUSH(x->a, x->out);

        if (!row) {
            x->code = rk_fail_memory(x->err);
            return;
        }
        *row = (rk_task_row){.kind = t->kind,
                             .path = x->p->part[w->part].path,
                             .of = w->pattern,
                             .flops = rk_ex_add(pool, cost.elements, cost.products),
                             .read = rk_ex_add(pool, rk_ex_add(pool, all, all), state),
                             .written = rk_ex_add(pool, all, state)};
        x->code = rk_ex_eval(pool, rk_group_times(pool, x->p, w->group), &x->l->instance->at, &row->times, x->err);
        if (x->code == RK_OK)
            x->code = rk_group_layers(x->a, x->p, w->group, &row->layers, x->err);
    }
}

int rk_task_rows_new(rk_arena *a, const rk_ledger *l, const rk_profile *profile, const rk_optimizer *optimizer,
                     rk_task_rows *out, rk_err *err)
{
    listing x = {.a = a, .l = l, .p = &l->model->program, .out = out, .err = err};
    rk_run_options run = {.bytes = RK_TASK_NUMBER_BYTES, .profile = profile};
    rk_step_options o = {
        .run = run, .backward = true, .loss = x.p->loss != RK_NONE, .rounding = 1, .places = RK_EX_FAILED};

    x.code = rk_flow_new(a, x.p, &x.flow, err);
    if (x.code == RK_OK)
        x.code = rk_places_new(a, l->instance, &x.flow, &run, &x.places, err);
    if (x.code == RK_OK)
        x.code = rk_step_new(a, l->instance, &x.places, &x.flow, &o, &x.step, err);
    if (x.code == RK_OK)
        add_list(&x, x.step.forward, 1);
    if (x.code == RK_OK)
        add_list(&x, x.step.backward, 1);
    if (x.code == RK_OK && optimizer)
        add_updates(&x, *optimizer);
    return x.code;
}
