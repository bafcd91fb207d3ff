/* SPDX-License-Identifier: MIT */
/* The closed forms of a model, and what each letter in them is. */
#include "report/dossier.h"

#include "report/row.h"

enum {
    N_FORM = 5 /* parameters, active ones, forward, backward, cache */
};

static void put_symbol(rk_view *v, rk_table *t, const rk_symbol *s)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

    cell[0] = rk_cell_formula(rk_ex_sym(v->pool, s->sym), 0);
    if (s->known)
        cell[1] = rk_cell_count(v->instance->value[s->sym]);
    cell[2] = rk_cell_text(&v->page, "%s", s->text ? s->text : "");
    cell[3] = rk_cell_text(&v->page, "%s", rk_row_origin(v, s));
}

/* What one more token of one sequence adds to the cache, or the state of one sequence; in the bytes of decoding. */
static rk_ex put_cache(rk_view *v, const rk_memory *m)
{
    bool grows = m && rk_dossier_grows(v, m);
    rk_ex there = !m ? RK_EX_FAILED : grows ? m->carried.per_token : m->carried.per_sequence;
    rk_ex here = m && m->carried.n > 0 ? rk_dossier_import(v, m->instance, there) : RK_EX_FAILED;

    if (here == RK_EX_FAILED)
        return rk_ex_int(v->pool, 0);
    rk_page_equation(&v->page, 0, grows ? "cache of one more token" : "state of one sequence", rk_view_formula(v, here),
                     "bytes");
    rk_page_equation(&v->page, 0, NULL, rk_cell_count(rk_dossier_value(v, m->instance, there)), NULL);
    return rk_view_form(v, here);
}

void rk_dossier_put_forms(rk_view *v, const rk_dossier *d)
{
    const rk_ledger *l = v->ledger;
    rk_ex form[N_FORM] = {rk_view_form(v, l->stored), rk_view_form(v, l->active), rk_view_form(v, l->forward),
                          rk_view_form(v, l->backward)};
    static const rk_field column[] = {{.head = "symbol"},
                                      {.head = "here", .right = true},
                                      {.head = "what it is", .wraps = true},
                                      {.head = "from", .wraps = true, .drop = 1}};

    rk_view_put_sum(v, "parameters", l->stored, NULL);
    if (l->active != l->stored)
        rk_view_put_sum(v, "active per token", l->active, NULL);
    rk_view_put_sum(v, "forward FLOPs", l->forward, NULL);
    rk_view_put_sum(v, "backward FLOPs", l->backward, NULL);
    form[N_FORM - 1] = put_cache(v, d->decode);
    rk_page_gap(&v->page);
    rk_row_see_used(v, form, N_FORM, put_symbol, rk_page_table(&v->page, column, 4));
}
