/* SPDX-License-Identifier: MIT */
#include "report/step.h"

#define TENTHS_MAX 1e15
#define TENTHS_LEAST 10 /* below, three digits say more */

rk_optimizer_step rk_view_step(rk_view *v, const rk_flops_options *o)
{
    rk_ex zero = rk_ex_int(v->pool, 0);
    rk_optimizer_step s = {.parameters = zero, .elements = zero, .products = zero, .total = zero};

    if (o->step && v->code == RK_OK)
        v->code = rk_optimizer_step_new(&v->arena, v->ledger, o->optimizer, &s, v->err);
    return s;
}

rk_ex rk_view_step_total(rk_view *v, const rk_optimizer_step *s)
{
    return rk_ex_add(v->pool, rk_ex_add(v->pool, v->ledger->forward, v->ledger->backward), s->total);
}

/* ---- the optimizer ---------------------------------------------------------------------------------------------- */

static const rk_field product_field[] = {
    RK_COLUMN("", "path", CODE, "a tensor, or what is done for each parameter"),
    RK_COLUMN("times", "times", COUNT, "occurrences", .right = true, .drop = 2),
    RK_COLUMN("each", "count", COUNT, "FLOPs of one", .right = true),
    {.head = "all", .right = true},
    RK_COLUMN("formula of each", "formula", FORMULA, "of one", .wraps = true, .drop = 1),
};
static const rk_fields product_fields = {product_field, 5};

#define OPTIMIZER_FIELDS(X)                                                                                            \
    X(NAME, RK_KEY("name", TEXT, "the optimizer"))                                                                     \
    X(PARAMETERS, RK_KEY("parameters", COUNT, "that it changes"))                                                      \
    X(TOTAL, RK_KEY("total", COUNT, "FLOPs of its step"))                                                              \
    X(FORMULA, RK_KEY("formula", FORMULA, "of the same"))                                                              \
    X(ROWS, RK_LIST("rows", product_fields, "what they are made of"))
RK_FIELD_TABLE(optimizer_field, N_OPTIMIZER, OPTIMIZER_FIELDS);
const rk_fields rk_optimizer_fields = {optimizer_field, N_OPTIMIZER};

static void put_row(rk_view *v, rk_table *t, const char *path, rk_ex times, rk_ex each)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

    cell[0] = rk_cell_code(path);
    cell[1] = rk_cell_count(rk_view_value(v, times));
    cell[2] = rk_cell_count(rk_view_value(v, each));
    cell[3] = rk_cell_count(rk_view_total(v, times, each));
    cell[4] = rk_view_formula(v, each);
}

void rk_view_put_optimizer(rk_view *v, rk_cell *in, const rk_optimizer_step *s, const rk_flops_options *o)
{
    const rk_optimizer_row *row = &rk_optimizer_table[o->optimizer];
    rk_cell *cell;
    rk_table *t;

    if (!o->step)
        return;
    cell = rk_cell_object(&v->page, in, &rk_optimizer_fields);
    cell[NAME] = rk_cell_name(row->word);
    cell[PARAMETERS] = rk_cell_count(rk_view_value(v, s->parameters));
    cell[TOTAL] = rk_cell_count(rk_view_value(v, s->total));
    cell[FORMULA] = rk_view_formula(v, s->total);
    t = rk_cell_list(&v->page, &cell[ROWS], &product_fields);
    put_row(v, t, "optimizer.elements", rk_ex_int(v->pool, 1), s->elements);
    for (size_t i = 0; i < s->n_product; i++)
        put_row(v, t, s->product[i].pattern, s->product[i].times, s->product[i].each);
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "The step of %s, for each parameter: %s.", row->word, row->counted);
    if (s->n_product > 0) {
        rk_page_put(&v->page, RK_ITEM_HEADING, 0, "Products of the optimizer, and what it does for each parameter:");
        rk_page_show(&v->page, t);
    }
    rk_page_gap(&v->page);
}

/* ---- time, an estimate ------------------------------------------------------------------------------------------ */

static double seconds_of(rk_view *v, const rk_optimizer_step *s, const rk_flops_options *o)
{
    double all = (double)rk_view_value(v, rk_view_step_total(v, s)) * (double)o->steps;

    return all / ((double)o->rate * o->mfu);
}

const char *rk_view_tenths(rk_view *v, double x)
{
    rk_i128 tenths = x < TENTHS_MAX ? (rk_i128)(x * 10 + 0.5) : 0;

    if (x >= TENTHS_LEAST && x < TENTHS_MAX)
        return rk_view_format(v, "%s.%d", rk_view_grouped(v, tenths / 10), (int)(tenths % 10));
    return rk_view_format(v, "%.3g", x);
}

static const rk_field time_field[] = {
    RK_KEY("steps", COUNT, "steps of the optimizer"),
    RK_KEY("rate", COUNT, "FLOPs in a second at the peak"),
    RK_KEY("mfu", REAL, "the share of the rate that is reached"),
    RK_KEY("seconds", REAL, "all steps"),
    RK_KEY("days", REAL, "the same in days"),
    RK_KEY("estimate", TRUTH, "true: time is no count"),
};
const rk_fields rk_time_fields = {time_field, 6};

void rk_view_put_time(rk_view *v, rk_cell *in, const rk_optimizer_step *s, const rk_flops_options *o)
{
    double seconds = o->rate ? seconds_of(v, s, o) : 0;
    rk_cell *cell;

    if (!o->rate)
        return;
    cell = rk_cell_object(&v->page, in, &rk_time_fields);
    cell[0] = rk_cell_count(o->steps);
    cell[1] = rk_cell_count(o->rate);
    cell[2] = rk_cell_real(o->mfu, RK_REAL_DIGITS);
    cell[3] = rk_cell_real(seconds, RK_REAL_DIGITS);
    cell[4] = rk_cell_real(seconds / RK_SECONDS_OF_DAY, RK_REAL_DIGITS);
    cell[5] = rk_cell_truth(true);
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s steps at %s/s, of which %.4g%% are reached, take %s days (an estimate).",
                rk_view_grouped(v, o->steps), rk_view_scaled(v, o->rate, rk_view_unit(v)), 100 * o->mfu,
                rk_view_tenths(v, seconds / RK_SECONDS_OF_DAY));
    rk_page_gap(&v->page);
}
