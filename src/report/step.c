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

static void put_products(rk_view *v, const rk_optimizer_step *s)
{
    static const rk_field column[] = {{.head = "", .key = "tensor"},
                                       {.head = "times", .key = "times", .right = true, .drop = 2},
                                       {.head = "each", .key = "each", .right = true},
                                       {.head = "all", .key = "all", .right = true},
                                       {.head = "formula of each", .key = "formula", .wraps = true, .drop = 1}};
    rk_table *t;

    if (s->n_product == 0)
        return;
    rk_page_put(&v->page, RK_ITEM_HEADING, 0, "Products of the optimizer:");
    t = rk_page_table(&v->page, column, 5);
    for (size_t i = 0; i < s->n_product; i++) {
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

        cell[0] = rk_cell_code(s->product[i].pattern);
        cell[1] = rk_cell_count(rk_view_value(v, s->product[i].times));
        cell[2] = rk_cell_count(rk_view_value(v, s->product[i].each));
        cell[3] = rk_cell_count(rk_view_total(v, s->product[i].times, s->product[i].each));
        cell[4] = rk_view_formula(v, s->product[i].each);
    }
}

void rk_view_put_optimizer(rk_view *v, const rk_optimizer_step *s, const rk_flops_options *o)
{
    const rk_optimizer_row *row = &rk_optimizer_table[o->optimizer];

    if (!o->step)
        return;
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "The step of %s, for each parameter: %s.", row->word, row->counted);
    put_products(v, s);
    rk_page_gap(&v->page);
}

static void json_row(rk_view *v, const char *path, rk_i128 times, rk_ex each)
{
    rk_json_row(&v->json, NULL);
    rk_json_text(&v->json, "path", path);
    rk_json_count(&v->json, "times", times);
    rk_json_count(&v->json, "count", rk_view_value(v, each));
    rk_view_json_formula(v, "formula", each);
    rk_json_close(&v->json);
}

void rk_view_json_optimizer(rk_view *v, const rk_optimizer_step *s, const rk_flops_options *o)
{
    rk_json *j = &v->json;

    if (!o->step)
        return;
    rk_json_row(j, "optimizer");
    rk_json_text(j, "name", rk_optimizer_table[o->optimizer].word);
    rk_json_count(j, "parameters", rk_view_value(v, s->parameters));
    rk_json_count(j, "total", rk_view_value(v, s->total));
    rk_view_json_formula(v, "formula", s->total);
    rk_json_open(j, "rows", '[');
    json_row(v, "optimizer.elements", 1, s->elements);
    for (size_t i = 0; i < s->n_product; i++)
        json_row(v, s->product[i].pattern, rk_view_value(v, s->product[i].times), s->product[i].each);
    rk_json_close(j);
    rk_json_close(j);
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

void rk_view_put_time(rk_view *v, const rk_optimizer_step *s, const rk_flops_options *o)
{
    if (!o->rate)
        return;
    rk_page_put(&v->page, RK_ITEM_LINE, 0,
                "%s steps at %s/s, of which %.4g %% are reached, take %s days (an estimate).",
                rk_view_grouped(v, o->steps), rk_view_scaled(v, o->rate, rk_view_unit(v)), 100 * o->mfu,
                rk_view_tenths(v, seconds_of(v, s, o) / RK_SECONDS_OF_DAY));
    rk_page_gap(&v->page);
}

void rk_view_json_real(rk_view *v, const char *key, double x)
{
    rk_json_number(&v->json, key, rk_view_format(v, "%.10g", x));
}

void rk_view_json_time(rk_view *v, const rk_optimizer_step *s, const rk_flops_options *o)
{
    if (!o->rate)
        return;
    rk_json_row(&v->json, "time");
    rk_json_count(&v->json, "steps", o->steps);
    rk_json_count(&v->json, "rate", o->rate);
    rk_view_json_real(v, "mfu", o->mfu);
    rk_view_json_real(v, "seconds", seconds_of(v, s, o));
    rk_view_json_real(v, "days", seconds_of(v, s, o) / RK_SECONDS_OF_DAY);
    rk_json_truth(&v->json, "estimate", true);
    rk_json_close(&v->json);
}
