/* SPDX-License-Identifier: MIT */
#include "account/training.h"

#include "account/linear.h"

#include <string.h>

#define BATCH_MAX ((rk_i128)1 << 40) /* sequences: more than any memory holds */
#define TRIES_MAX 100

/* ---- what is computed again ------------------------------------------------------------------------------------- */

static bool is_again(const rk_memory *m, const rk_program *p, uint32_t op)
{
    for (size_t i = 0; i < m->pieces.n; i++)
        if (m->pieces.at[i].first <= op && op < m->pieces.at[i].end)
            return true;
    return m->options.again > 0 && p->op[op].group != 0;
}

rk_ex rk_again_flops(const rk_memory *m, const rk_ledger *l)
{
    const rk_program *p = &l->model->program;
    rk_ex sum = rk_ex_int(p->pool, 0);

    for (size_t i = 0; m->options.phase == RK_PHASE_TRAIN && i < l->n_op; i++)
        if (is_again(m, p, l->op[i].op))
            sum = rk_ex_add(p->pool, sum, rk_ex_mul(p->pool, l->op[i].times, l->op[i].forward));
    return sum;
}

/* ---- the optimizer's step --------------------------------------------------------------------------------------- */

typedef struct stepping {
    rk_arena *a;
    const rk_ledger *l;
    rk_pool *pool;
    rk_step *s;
    const rk_linear *linear;
    rk_binding at;
    rk_err *err;
} stepping;

static void add_to(stepping *p, rk_ex *sum, rk_ex times, rk_ex e)
{
    *sum = rk_ex_add(p->pool, *sum, rk_ex_mul(p->pool, times, e));
}

/* A product's multiplications and additions are as many; MACs count the pairs. */
static rk_ex in_unit(stepping *p, rk_ex products)
{
    return p->l->convention.mac ? rk_ex_div(p->pool, products, rk_ex_int(p->pool, 2)) : products;
}

static void add_row(stepping *p, const rk_weight_row *w, const rk_optimizer_tensor *t)
{
    rk_step *s = p->s;
    rk_ex products = in_unit(p, rk_optimizer_products(p->pool, s->optimizer, t));

    add_to(p, &s->parameters, w->times, t->weight->count);
    if (p->l->convention.count != RK_COUNT_TORCH)
        add_to(p, &s->elements, w->times, rk_optimizer_flops(p->pool, s->optimizer, t));
    add_to(p, &s->products, w->times, products);
    if (rk_optimizer_table[s->optimizer].iterations && t->matrix)
        s->product[s->n_product++] = (rk_step_row){w->weight, w->pattern, w->times, products};
}

static int add_rows(stepping *p)
{
    for (size_t i = 0; i < p->l->n_weight; i++) {
        const rk_weight_row *row = &p->l->weight[i];
        const rk_weight *w = &p->l->model->program.weight[row->weight];
        rk_optimizer_tensor t = rk_optimizer_sees(p->s->optimizer, w, p->linear[row->weight].role, 0);

        if (w->tied_to == RK_NONE && !w->frozen && !w->buffer)
            add_row(p, row, &t);
    }
    p->s->total = rk_ex_add(p->pool, p->s->elements, p->s->products);
    return RK_OK;
}

int rk_step_new(rk_arena *a, const rk_ledger *l, rk_optimizer o, rk_step *out, rk_err *err)
{
    stepping p = {.a = a, .l = l, .pool = l->model->pool, .s = out, .at = rk_model_binding(l->model), .err = err};
    rk_ex zero = rk_ex_int(p.pool, 0);

    *out = (rk_step){.optimizer = o, .parameters = zero, .elements = zero, .products = zero, .total = zero};
    p.linear = rk_linear_find(a, &l->model->program);
    out->product = RK_NEW_ARRAY(a, l->n_weight + 1, rk_step_row);
    if (!p.linear || !out->product)
        return rk_fail_memory(err);
    return add_rows(&p);
}

/* ---- the largest batch ------------------------------------------------------------------------------------------ */

typedef struct fitting {
    rk_model *m;
    const rk_memory_options *o;
    rk_symbol *b;
    rk_err *err;
    int code; /* sticky */
} fitting;

static void set_batch(fitting *f, rk_i128 n)
{
    f->b->value = f->m->value[f->b->sym] = n;
}

static rk_i128 total_of(const rk_memory *m)
{
    return m->options.by_book ? m->parameters + m->gradients + m->optimizer + m->saved + m->cache : m->peak;
}

/* Bytes at a batch of n; one whose counts are beyond 128 bits fits nowhere. */
static rk_i128 bytes_at(fitting *f, rk_i128 n)
{
    rk_memory *m = NULL;
    rk_i128 bytes = RK_I128_MAX;

    if (f->code != RK_OK)
        return 0;
    set_batch(f, n);
    f->code = rk_memory_new(f->m, f->o, &m, f->err);
    if (f->code == RK_OK)
        bytes = total_of(m);
    else if (f->code == RK_EOVERFLOW)
        f->code = RK_OK;
    rk_memory_free(m);
    return bytes;
}

/*
 * The next batch to try between one that fits and one that does not: where a straight line through both meets the
 * limit, for memory grows by as much with each sequence as soon as there are two.
 */
static rk_i128 between(rk_i128 low, rk_i128 low_bytes, rk_i128 high, rk_i128 high_bytes, rk_i128 limit, int tries)
{
    double share = (double)(limit - low_bytes) / ((double)high_bytes - (double)low_bytes);
    rk_i128 n = low + (rk_i128)(share * (double)(high - low));

    /* Where lines mislead, halving still ends. */
    if (tries > 8 || high_bytes == RK_I128_MAX)
        n = low + (high - low) / 2;
    return n <= low ? low + 1 : n >= high ? high - 1 : n;
}

static void search(fitting *f, rk_fit *fit)
{
    rk_i128 low = 1, low_bytes = fit->bytes, high = 2, high_bytes = bytes_at(f, 2);

    while (high_bytes <= fit->limit && high < BATCH_MAX && f->code == RK_OK) {
        low = high;
        low_bytes = high_bytes;
        high *= 8;
        high_bytes = bytes_at(f, high);
    }
    if (high_bytes <= fit->limit && f->code == RK_OK)
        f->code = rk_fail(f->err, RK_EINPUT, "every batch fits: what this takes hardly grows with B");
    for (int i = 0; high - low > 1 && i < TRIES_MAX && f->code == RK_OK; i++) {
        rk_i128 n = between(low, low_bytes, high, high_bytes, fit->limit, i), bytes = bytes_at(f, n);

        if (bytes <= fit->limit) {
            low = n;
            low_bytes = bytes;
        } else {
            high = n;
            high_bytes = bytes;
        }
    }
    *fit = (rk_fit){.limit = fit->limit, .largest = low, .bytes = low_bytes, .next = high_bytes};
}

static rk_symbol *batch_of(rk_model *m)
{
    for (size_t i = 0; i < m->n_symbol; i++)
        if (m->symbol[i].kind == RK_SYMBOL_RUN && strcmp(m->symbol[i].name, "B") == 0)
            return &m->symbol[i];
    return NULL;
}

int rk_fit_batch(rk_model *m, const rk_memory_options *o, rk_i128 limit, rk_fit *out, rk_err *err)
{
    rk_memory_options quiet = *o;
    fitting f = {.m = m, .o = &quiet, .b = batch_of(m), .err = err};
    rk_fit fit = {.limit = limit};

    quiet.viewer.see = NULL;
    if (!f.b)
        return rk_fail(err, RK_EINPUT, "%s has no batch B that could be larger or smaller", m->name);
    if (f.b->fixed)
        return rk_fail(err, RK_EINPUT, "the equations of %s depend on B: it cannot be searched for", m->name);
    fit.next = fit.bytes = bytes_at(&f, 1);
    if (f.code == RK_OK && fit.bytes <= limit)
        search(&f, &fit);
    set_batch(&f, fit.largest > 0 ? fit.largest : 1);
    if (f.code == RK_OK)
        *out = fit;
    return f.code;
}
