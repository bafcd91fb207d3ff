/* SPDX-License-Identifier: MIT */
#include "account/training.h"

#include "account/largest.h"
#include "account/peak.h"
#include "account/tasks.h"

/* ---- what is recomputed ------------------------------------------------------------------------------------- */

rk_ex rk_recompute_flops(const rk_memory *m, const rk_ledger *l)
{
    rk_ex sum = rk_ex_int(l->pool, 0);

    for (size_t i = 0; m->options.phase == RK_PHASE_TRAIN && i < l->n_op; i++)
        if (m->recomputed[l->op[i].op])
            sum = rk_ex_add(l->pool, sum, rk_ex_mul(l->pool, l->op[i].times, l->op[i].forward));
    return sum;
}

/* ---- the optimizer's step --------------------------------------------------------------------------------------- */

/* A product's multiplications and additions are as many; MACs count the pairs. */
rk_update_cost rk_cost_update(const rk_ledger *l, const rk_optimizer_tensor *t)
{
    rk_ex products = rk_optimizer_products(l->pool, t);

    return (rk_update_cost){
        .elements = l->convention.count == RK_COUNT_TORCH ? rk_ex_int(l->pool, 0) : rk_optimizer_flops(l->pool, t),
        .products = l->convention.mac ? rk_ex_div(l->pool, products, rk_ex_int(l->pool, 2)) : products,
    };
}

static void add_to(rk_pool *pool, rk_ex *sum, rk_ex times, rk_ex e)
{
    *sum = rk_ex_add(pool, *sum, rk_ex_mul(pool, times, e));
}

int rk_optimizer_step_new(rk_arena *a, const rk_ledger *l, rk_optimizer o, rk_optimizer_step *out, rk_err *err)
{
    rk_ex zero = rk_ex_int(l->pool, 0);

    *out = (rk_optimizer_step){.optimizer = o, .parameters = zero, .elements = zero, .products = zero};
    out->product = RK_NEW_ARRAY(a, l->n_weight + 1, rk_optimizer_step_row);
    if (!out->product)
        return rk_fail_memory(err);
    for (size_t i = 0; i < l->n_weight; i++) {
        const rk_weight_row *row = &l->weight[i];
        const rk_weight *w = &l->model->program.weight[row->weight];
        rk_optimizer_tensor t =
            rk_optimizer_sees(o, w, l->model->roles.weight[row->weight].matrix, false, RK_TASK_NUMBER_BYTES, 0);
        rk_update_cost cost;

        if (w->tied_to != RK_NONE || w->frozen)
            continue;
        cost = rk_cost_update(l, &t);
        add_to(l->pool, &out->parameters, row->times, w->count);
        add_to(l->pool, &out->elements, row->times, cost.elements);
        add_to(l->pool, &out->products, row->times, cost.products);
        if (t.row->iterations && t.matrix)
            out->product[out->n_product++] =
                (rk_optimizer_step_row){row->weight, row->pattern, row->times, cost.products};
    }
    out->total = rk_ex_add(l->pool, out->elements, out->products);
    return RK_OK;
}

/* ---- the largest batch ------------------------------------------------------------------------------------------ */

typedef struct fitting {
    rk_instance numbers; /* B is changed */
    rk_sym batch;
    const rk_memory_options *o;
    rk_peaks peaks;
} fitting;

static int bytes_at(void *self, rk_i128 n, rk_i128 *out, rk_err *err)
{
    fitting *f = self;
    rk_i128 bytes[RK_N_BYTES] = {0};
    int code;

    rk_instance_set(&f->numbers, f->batch, n);
    code = rk_peaks_read(&f->peaks, &f->numbers, f->o, bytes, err);
    *out = bytes[RK_BYTES_PEAK];
    if (f->o->profile.textbook)
        *out = bytes[RK_BYTES_WEIGHTS] + bytes[RK_BYTES_GRADIENTS] + bytes[RK_BYTES_OPTIMIZER] + bytes[RK_BYTES_SAVED] +
               bytes[RK_BYTES_CACHE];
    return code;
}

int rk_fit_batch(rk_instance *m, const rk_memory_options *o, rk_i128 limit, rk_fit *out, rk_err *err)
{
    const rk_symbol *b = rk_model_size(m->model, RK_SIZE_BATCH);
    fitting f = {.o = o, .peaks.walks = true};
    rk_growth grows = {.bytes = bytes_at, .self = &f, .most = RK_LARGEST_MAX};
    rk_fit fit = {.limit = limit};
    rk_arena arena = {0};
    int code;

    if (!b || b->kind != RK_SYMBOL_RUN)
        return rk_fail(err, RK_EINPUT, "%s has no batch B that could be larger or smaller", m->model->name);
    if (b->fixed)
        return rk_fail(err, RK_EINPUT, "the equations of %s depend on B: it cannot be searched for", m->model->name);
    f.batch = b->sym;
    code = rk_instance_copy(&arena, m, &f.numbers, err);
    if (code == RK_OK)
        code = rk_largest_find(&grows, limit, &fit, err);
    if (code == RK_OK && fit.largest == grows.most)
        code = rk_fail(err, RK_EINPUT, "every batch fits: what this takes hardly grows with B");
    rk_peaks_free(&f.peaks);
    rk_arena_free(&arena);
    if (code != RK_OK)
        return code;
    rk_instance_set(m, f.batch, fit.largest > 0 ? fit.largest : 1);
    *out = fit;
    return RK_OK;
}
