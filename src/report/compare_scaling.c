/* SPDX-License-Identifier: MIT */
/* What follows from the tables of `reckon compare`: which part is the largest, which shares move, how parts grow. */
#include "report/compare_parts.h"

#include <math.h>
#include <string.h>

enum {
    SHARE_CHANGE_LEAST = 5 /* in thousandths: smaller changes of a share are not worth a word */
};

/* ---- what follows ----------------------------------------------------------------------------------------------- */

static double share_of(const rk_comparison *c, const rk_compared_part *p, size_t model)
{
    return p->has[model] ? (double)p->value[model] / (double)rk_compare_whole(c, model) : 0;
}

/* "layers.ffn needs most in each"; "layers.ffn needs most in a, b; head in c" */
static void put_largest(rk_view *v, const rk_comparison *c)
{
    rk_str line = {0};
    size_t n = 0;

    for (size_t i = 0; i < c->n_model; i++) {
        const rk_compared_part *p = rk_compare_largest(c, i);
        bool again = i > 0 && p == rk_compare_largest(c, i - 1);

        if (!p)
            continue;
        if (!again)
            rk_str_format(&line, "%s%s in ", n++ ? "; " : "", p->path);
        rk_str_format(&line, "%s%s", again ? ", " : "", c->model[i].name);
    }
    if (n == 1 && c->n_model > 1)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Largest part: %s, in every model.", rk_compare_largest(c, 0)->path);
    else if (n > 0)
        rk_page_put(&v->page, RK_ITEM_LIST, 0, "Largest part: %s", rk_str_text(&line));
    rk_str_free(&line);
}

/* "layers.ffn 49.8% → 66.9%", of the parts whose share grows, or shrinks, from the first model to the last. */
static void put_change(rk_view *v, const rk_comparison *c, bool grows)
{
    rk_str line = {0};
    size_t last = c->n_model - 1;

    for (size_t i = 0; i < c->part.n; i++) {
        const rk_compared_part *p = &c->part.at[i];
        double change = share_of(c, p, last) - share_of(c, p, 0);

        if (!p->has[0] || !p->has[last] || !rk_compare_is_leaf(p, 0) || !rk_compare_is_leaf(p, last) ||
            (grows ? change : -change) * 1000 < SHARE_CHANGE_LEAST)
            continue;
        rk_str_format(&line, "%s%s %.1f%% → %.1f%%", line.n ? ", " : "", p->path, share_of(c, p, 0) * 100,
                      share_of(c, p, last) * 100);
    }
    if (line.n > 0)
        rk_page_put(&v->page, RK_ITEM_LIST, 0, "Shares that %s: %s", grows ? "grow" : "shrink", rk_str_text(&line));
    rk_str_free(&line);
}

/* ---- scaling ---------------------------------------------------------------------------------------------------- */

static rk_cell exponent_cell(rk_view *v, const rk_comparison *c, rk_i128 a, rk_i128 b, size_t from, size_t to)
{
    double e = rk_compare_exponent(a, b, c->model[from].params, c->model[to].params);

    return rk_cell_text(&v->page, isfinite(e) ? "%.2f" : "–", e);
}

static void put_exponents(rk_view *v, const rk_comparison *c, rk_cell *cell, const rk_i128 *value)
{
    for (size_t i = 1; i < c->n_model; i++)
        cell[i] = exponent_cell(v, c, value[i - 1], value[i], i - 1, i);
    if (c->n_model > 2)
        cell[c->n_model] = exponent_cell(v, c, value[0], value[c->n_model - 1], 0, c->n_model - 1);
}

static void put_scaling(rk_view *v, const rk_comparison *c)
{
    rk_field column[RK_COMPARE_A_TABLE + 1] = {{.head = c->divided->name}};
    rk_i128 whole[RK_COMPARE_A_TABLE];
    bool some = false, one_family = true;
    rk_table *t;
    rk_cell *cell;

    /* Models of one family are said to scale. */
    for (size_t i = 1; i < c->n_model; i++) {
        some |= isfinite(rk_compare_exponent(1, 1, c->model[i - 1].params, c->model[i].params));
        one_family &= strcmp(c->model[i].ledger->model->family, c->model[0].ledger->model->family) == 0;
    }
    if (!some || !one_family || c->n_model > RK_COMPARE_A_TABLE)
        return;
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_LINE, 0,
                "Fitted between neighbours: with which power of its parameters each part of a model grows.");
    for (size_t i = 1; i < c->n_model; i++)
        column[i] = (rk_field){.head = rk_view_format(v, "→ %s", c->model[i].name), .right = true};
    column[c->n_model] = (rk_field){.head = "over all", .right = true};
    t = rk_view_table(v, column, c->n_model + (c->n_model > 2));
    for (size_t i = 0; i < c->part.n; i++) {
        cell = rk_page_row(&v->page, t, c->part.at[i].n_below > 0 ? RK_ROW_PART : RK_ROW_PLAIN, c->part.at[i].depth);
        cell[0] = rk_cell_code(c->part.at[i].name);
        put_exponents(v, c, cell, c->part.at[i].value);
    }
    for (size_t i = 0; i < c->n_model; i++)
        whole[i] = rk_compare_whole(c, i);
    cell = rk_page_row(&v->page, t, RK_ROW_TOTAL, 0);
    cell[0] = rk_cell_text(&v->page, "total");
    put_exponents(v, c, cell, whole);
}

void rk_compare_put_findings(rk_view *v, const rk_comparison *c)
{
    put_largest(v, c);
    if (!c->adds_up)
        return;
    put_change(v, c, true);
    put_change(v, c, false);
    put_scaling(v, c);
}
