/* SPDX-License-Identifier: MIT */
/* What `reckon MODEL` prints: the model in one look. */
#include "report/view.h"

#include "report/figure.h"

static void put_figure(rk_view *v, rk_table *t, const char *name, rk_ex e, const char *unit)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
    rk_i128 n = rk_view_value(v, e);
    rk_str s = {0};

    if (unit)
        rk_str_scaled(&s, n, unit);
    else
        rk_str_in_words(&s, n);
    cell[0] = rk_cell_text(&v->page, "%s", name);
    cell[1] = rk_cell_count(n);
    cell[2] = rk_cell_text(&v->page, "%s", rk_str_text(&s));
    cell[3] = rk_view_formula(v, e);
    v->page.failed |= s.failed;
    rk_str_free(&s);
}

static void put_figures(rk_view *v)
{
    static const rk_column column[] = {{"", false}, {"", true}, {"", true}, {"", false}};
    const rk_ledger *l = v->ledger;
    rk_table *t = rk_page_table(&v->page, column, 4);
    const char *unit = rk_view_unit(v);

    put_figure(v, t, "parameters", l->stored, NULL);
    if (l->active != l->stored)
        put_figure(v, t, "active per token", l->active, NULL);
    put_figure(v, t, "forward", l->forward, unit);
    put_figure(v, t, "backward", l->backward, unit);
    put_figure(v, t, "step", rk_ex_add(v->pool, l->forward, l->backward), unit);
}

/* Where parameters and operations go: the parts of the first two levels. */
static void put_shares(rk_view *v)
{
    static const rk_column column[] = {{"", false}, {"times", true}, {"forward", true}, {"share", true}};
    rk_table *t = rk_page_table(&v->page, column, 4);
    rk_i128 whole = rk_view_value(v, v->ledger->forward);
    rk_rollup tree = {0};

    if (v->code == RK_OK)
        v->code = rk_rollup_ops(&v->arena, v->ledger, &tree, v->err);
    for (size_t i = 1; i < tree.n && v->code == RK_OK; i++) {
        int depth = (int)tree.node[i].depth;
        rk_cell *cell;

        if (depth > 2 || (depth == 2 && tree.node[i].n_below == 0))
            continue;
        cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, depth - 1);
        cell[0] = rk_cell_code(rk_view_node_name(v, &tree, &i, 2));
        cell[1] = rk_cell_count(rk_view_value(v, tree.node[i].times));
        cell[2] = rk_cell_count(rk_view_total(v, tree.node[i].times, tree.node[i].figure[0]));
        cell[3] = rk_cell_share(cell[2].number, whole);
    }
}

static void fill_page(rk_view *v)
{
    const rk_model *m = v->model;
    const rk_ledger *l = v->ledger;
    rk_ex shown[] = {rk_view_form(v, l->stored), rk_view_form(v, l->active), rk_view_form(v, l->forward),
                     rk_view_form(v, l->backward)};

    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s: %s", m->name, m->text && m->text[0] ? m->text : m->family);
    rk_view_put_run(v);
    rk_view_put_convention(v);
    rk_page_gap(&v->page);
    put_figures(v);
    rk_page_gap(&v->page);
    put_shares(v);
    rk_page_gap(&v->page);
    rk_view_put_symbols(v, shown, 4);
}

static void write_json(rk_view *v)
{
    const rk_ledger *l = v->ledger;
    rk_json *j = &v->json;

    rk_json_open(j, NULL, '{');
    rk_json_text(j, "model", v->model->name);
    rk_json_text(j, "family", v->model->family);
    rk_json_text(j, "text", v->model->text);
    rk_view_json_symbols(v);
    rk_view_json_convention(v);
    rk_json_row(j, "parameters");
    rk_json_count(j, "stored", rk_view_value(v, l->stored));
    rk_json_count(j, "named", rk_view_value(v, l->named));
    rk_json_count(j, "active", rk_view_value(v, l->active));
    rk_json_close(j);
    rk_view_json_total(v, "forward", l->forward);
    rk_view_json_total(v, "backward", l->backward);
    rk_view_json_total(v, "step", rk_ex_add(v->pool, l->forward, l->backward));
    rk_json_close(j);
}

int rk_report_summary(const rk_report *r, const rk_ledger *l, rk_err *err)
{
    rk_view v;

    rk_view_begin(&v, r, l, err);
    if (r->format == RK_FORMAT_JSON)
        write_json(&v);
    else
        fill_page(&v);
    return rk_view_end(&v);
}
