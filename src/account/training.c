/* SPDX-License-Identifier: MIT */
#include "account/training.h"

#include "account/largest.h"
#include "account/peak.h"

/* ---- what is computed again ------------------------------------------------------------------------------------- */

rk_ex rk_again_flops(const rk_memory *m, const rk_ledger *l)
{
    rk_ex sum = rk_ex_int(l->pool, 0);

    for (size_t i = 0; m->options.phase == RK_PHASE_TRAIN && i < l->n_op; i++)
        if (m->recomputed[l->op[i].op])
            sum = rk_ex_add(l->pool, sum, rk_ex_mul(l->pool, l->op[i].times, l->op[i].forward));
    return sum;
}

/* ---- the optimizer's step --------------------------------------------------------------------------------------- */

typedef struct stepping {
    rk_arena *a;
    const rk_ledger *l;
    rk_pool *pool;
    rk_optimizer_step *s;
    rk_binding at;
    rk_err *err;
} stepping;

static void add_to(stepping *p, rk_ex *sum, rk_ex times, rk_ex e)
{
    *sum = rk_ex_add(p->pool, *sum, rk_ex_mul(p->pool, times, e));
}

/* A product's multiplications and additions are as many; MACs count the pairs. */
rk_update_cost rk_cost_update(const rk_ledger *l, rk_optimizer o, const rk_optimizer_tensor *t)
{
    rk_ex products = rk_optimizer_products(l->pool, o, t);

    return (rk_update_cost){
        .elements = l->convention.count == RK_COUNT_TORCH ? rk_ex_int(l->pool, 0) : rk_optimizer_flops(l->pool, o, t),
        .products = l->convention.mac ? rk_ex_div(l->pool, products, rk_ex_int(l->pool, 2)) : products,
    };
}

static void add_row(stepping *p, const rk_weight_row *w, const rk_optimizer_tensor *t)
{
    rk_optimizer_step *s = p->s;
    rk_update_cost cost = rk_cost_update(p->l, s->optimizer, t);

    add_to(p, &s->parameters, w->times, t->weight->count);
    add_to(p, &s->elements, w->times, cost.elements);
    add_to(p, &s->products, w->times, cost.products);
    if (rk_optimizer_table[s->optimizer].iterations && t->matrix)
        s->product[s->n_product++] = (rk_optimizer_step_row){w->weight, w->pattern, w->times, cost.products};
}

static int add_rows(stepping *p)
{
    for (size_t i = 0; i < p->l->n_weight; i++) {
        const rk_weight_row *row = &p->l->weight[i];
        const rk_weight *w = &p->l->model->program.weight[row->weight];
        rk_optimizer_tensor t = rk_optimizer_sees(p->s->optimizer, w, p->l->model->roles.weight[row->weight].matrix, 0);

        if (w->tied_to == RK_NONE && !w->frozen && !w->buffer)
            add_row(p, row, &t);
    }
    p->s->total = rk_ex_add(p->pool, p->s->elements, p->s->products);
    return RK_OK;
}

int rk_optimizer_step_new(rk_arena *a, const rk_ledger *l, rk_optimizer o, rk_optimizer_step *out, rk_err *err)
{
    stepping p = {.a = a, .l = l, .pool = l->pool, .s = out, .at = l->instance->at, .err = err};
    rk_ex zero = rk_ex_int(p.pool, 0);

    *out = (rk_optimizer_step){.optimizer = o, .parameters = zero, .elements = zero, .products = zero, .total = zero};
    out->product = RK_NEW_ARRAY(a, l->n_weight + 1, rk_optimizer_step_row);
    if (!out->product)
        return rk_fail_memory(err);
    return add_rows(&p);
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
    if (f->o->profile.by_hand)
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
