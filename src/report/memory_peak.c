/* SPDX-License-Identifier: MIT */
/* The peak as a formula, the moments that could be it, and what decides between the first two. */
#include "report/memory_peak.h"

#include "report/memory_answer.h"

static const rk_field moment_field[] = {
    RK_COLUMN("moments of the step", "during", TEXT, "when it is"),
    RK_COLUMN("", "path", CODE, "at which equation", .drop = 1),
    RK_COLUMN("bytes", "bytes", COUNT, "alive then", .right = true, .unit = "B"),
    RK_KEY("formula", FORMULA, "of the same, without what is rounded up"),
    RK_KEY("rounding", COUNT, "bytes that the allocator rounds up"),
};
const rk_fields rk_moment_fields = {moment_field, 5};

static rk_table *list_moments(rk_view *v, rk_cell *in, const rk_memory *m)
{
    rk_table *t = rk_cell_list(&v->page, in, &rk_moment_fields);

    for (size_t i = 0; i < m->n_moment; i++) {
        const rk_memory_moment *x = &m->moment[i];
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

        cell[0] = rk_view_text(x->during);
        cell[1] = rk_cell_name(x->path);
        cell[2] = rk_cell_count(x->bytes);
        cell[3] = rk_view_formula(v, x->formula);
        cell[4] = rk_cell_count(x->extra);
    }
    return t;
}

void rk_view_put_peak(rk_view *v, rk_cell *in, const rk_memory *m)
{
    rk_table *t = list_moments(v, in, m);
    const rk_memory_moment *peak = m->moment;
    const char *note = NULL;
    rk_ex plus, minus;

    if (m->n_moment == 0 || m->options.profile.textbook)
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
    rk_page_show(&v->page, t);
}

/* ---- for which numbers ------------------------------------------------------------------------------------------ */

static void put_numbers(rk_str *s, const rk_variant *x)
{
    rk_str_format(s, "%s %s 1", x->symbol, x->is_one ? "=" : ">");
}

void rk_view_put_saved_for(rk_view *v, rk_cell *in, const rk_memory *m)
{
    const char **each = RK_NEW_ARRAY(&v->arena, m->saved_for.n + 1, const char *);
    rk_str s = {0};

    for (size_t i = 0; each && i < m->saved_for.n; i++) {
        rk_str one = {0};

        put_numbers(&one, &m->saved_for.at[i]);
        each[i] = rk_view_keep(v, &one);
        rk_str_format(&s, "%s%s", i == 0 ? "" : i + 1 < m->saved_for.n ? ", " : " and ", each[i]);
    }
    *in = rk_cell_texts(each, each ? m->saved_for.n : 0);
    if (s.n > 0)
        rk_page_put(&v->page, RK_ITEM_NOTE, 0,
                    "These formulas hold for %s: where an axis has one element, copies are views, or views copies.",
                    rk_view_keep(v, &s));
}

rk_cell rk_view_saved_what(rk_view *v, const rk_memory *m, const rk_memory_row *row)
{
    rk_str s = {0};

    for (size_t i = 0; i < m->saved_for.n; i++)
        if (m->saved_for.at[i].for_buffer[row->buffer]) {
            rk_str_put(&s, s.n ? ", " : "");
            put_numbers(&s, &m->saved_for.at[i]);
        }
    if (s.n == 0)
        return rk_cell_text(&v->page, "%s", row->what ? row->what : "");
    return rk_cell_text(&v->page, "%s%s(%s)", row->what ? row->what : "", row->what ? " " : "", rk_view_keep(v, &s));
}
