/* SPDX-License-Identifier: MIT */
/* The peak as a formula, the moments that could be it, and what decides between the first two. */
#include "report/memory_peak.h"

void rk_view_put_peak(rk_view *v, const rk_memory *m)
{
    static const rk_field column[] = {{.head = "moments of the step", .key = "moment"},
                                      {.head = "", .key = "path", .drop = 1},
                                      {.head = "bytes", .key = "bytes", .right = true}};
    const rk_memory_moment *peak = m->moment;
    const char *note = NULL;
    rk_ex plus, minus;
    rk_table *t;

    if (m->n_moment == 0)
        return;
    if (peak->extra)
        note = rk_arena_format(&v->arena, "and %s that the allocator rounds up", rk_view_grouped(v, peak->extra));
    rk_page_gap(&v->page);
    rk_view_put_sum(v, "peak", peak->formula, note);
    if (m->n_moment < 2)
        return;
    /* What the largest moment has beyond the next one, and the other way round; what both have cancels. */
    rk_ex_split(v->pool, rk_view_form(v, rk_ex_sub(v->pool, peak[0].formula, peak[1].formula)), &plus, &minus);
    rk_page_put(
        &v->page, RK_ITEM_LINE, 0,
        "It stays there while the first of these is not below the second; else it is in %s:", m->moment[1].during);
    rk_page_equation(&v->page, 1, rk_view_formula_text(v, plus, RK_PRINT_TEXT | v->style),
                     rk_cell_count(rk_view_value(v, plus)), NULL);
    rk_page_equation(&v->page, 1, rk_view_formula_text(v, minus, RK_PRINT_TEXT | v->style),
                     rk_cell_count(rk_view_value(v, minus)), NULL);
    rk_page_gap(&v->page);
    t = rk_page_table(&v->page, column, 3);
    for (size_t i = 0; i < m->n_moment; i++) {
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

        cell[0] = rk_cell_text(&v->page, "%s", m->moment[i].during);
        cell[1] = m->moment[i].path ? rk_cell_code(m->moment[i].path) : rk_cell_text(&v->page, "%s", "");
        cell[2] = rk_cell_count(m->moment[i].bytes);
    }
}

/* ---- for which numbers ------------------------------------------------------------------------------------------ */

static void put_numbers(rk_str *s, const rk_variant *x)
{
    rk_str_format(s, "%s %s 1", x->symbol, x->is_one ? "=" : ">");
}

void rk_view_put_kept_for(rk_view *v, const rk_memory *m)
{
    rk_str s = {0};

    for (size_t i = 0; i < m->kept_for.n; i++) {
        rk_str_put(&s, i == 0 ? "" : i + 1 < m->kept_for.n ? ", " : " and ");
        put_numbers(&s, &m->kept_for.at[i]);
    }
    if (s.n > 0)
        rk_page_put(&v->page, RK_ITEM_NOTE, 0,
                    "These formulas hold for %s: where an axis has one element, copies are views, or views copies.",
                    rk_view_keep(v, &s));
}

rk_cell rk_view_kept_what(rk_view *v, const rk_memory *m, const rk_memory_row *row)
{
    rk_str s = {0};

    for (size_t i = 0; i < m->kept_for.n; i++)
        if (m->kept_for.at[i].for_buffer[row->buffer]) {
            rk_str_put(&s, s.n ? ", " : "");
            put_numbers(&s, &m->kept_for.at[i]);
        }
    if (s.n == 0)
        return rk_cell_text(&v->page, "%s", row->what ? row->what : "");
    return rk_cell_text(&v->page, "%s%s(%s)", row->what ? row->what : "", row->what ? " " : "", rk_view_keep(v, &s));
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

void rk_view_json_peak(rk_view *v, const rk_memory *m)
{
    rk_json *j = &v->json;

    rk_json_open(j, "moments", '[');
    for (size_t i = 0; i < m->n_moment; i++) {
        const rk_memory_moment *x = &m->moment[i];

        rk_json_row(j, NULL);
        rk_json_text(j, "during", x->during);
        if (x->path)
            rk_json_text(j, "path", x->path);
        rk_json_count(j, "bytes", x->bytes);
        rk_view_json_formula(v, "formula", x->formula);
        rk_json_count(j, "rounding", x->extra);
        rk_json_close(j);
    }
    rk_json_close(j);
}

void rk_view_json_kept_for(rk_view *v, const rk_memory *m)
{
    rk_json_list(&v->json, "saved_for");
    for (size_t i = 0; i < m->kept_for.n; i++) {
        rk_str s = {0};

        put_numbers(&s, &m->kept_for.at[i]);
        rk_json_text(&v->json, NULL, rk_view_keep(v, &s));
    }
    rk_json_close(&v->json);
}
