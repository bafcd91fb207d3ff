/* SPDX-License-Identifier: MIT */
/* What `reckon memory --as NAME` and `--as all` print: rules for bytes beside the exact account. */
#include "report/conventions.h"

rk_i128 rk_exact_of(const rk_exact_bytes *e, const rk_named_convention *c)
{
    static const rk_row_class whole[RK_N_OF] = {
        [RK_OF_STATE] = RK_ROWS_TOGETHER, [RK_OF_LAYER] = RK_ROWS_LAYER, [RK_OF_CACHE] = RK_ROWS_CACHE};

    return e->of_class[whole[c->of]];
}

/* ---- for people ------------------------------------------------------------------------------------------------- */

enum { /* columns */
    NAME,
    OF_KEY,
    COUNTED,
    EXACT,
    RATIO,
    TEXT,
    N_COLUMN
};

#define COLUMNS(name, text, text_key)                                                                                  \
    {                                                                                                                  \
        [NAME] = {.head = "", .key = name}, [OF_KEY] = {.key = "of"},                                                  \
        [COUNTED] = {.head = "bytes", .key = "bytes", .right = true},                                                  \
        [EXACT] = {.head = "exact", .key = "exact", .right = true, .drop = 2},                                         \
        [RATIO] = {.head = "ratio", .key = "ratio", .right = true, .drop = 3},                                         \
        [TEXT] = {.head = text, .key = text_key, .wraps = true, .drop = 1},                                            \
    }

static const rk_field all_column[N_COLUMN] = COLUMNS("convention", "as written", "as_written");
static const rk_field one_column[N_COLUMN] = COLUMNS("class", "formula", "formula");

static const char *const of_heading[RK_N_OF] = {
    [RK_OF_STATE] = "Weights, gradients and optimizer:",
    [RK_OF_LAYER] = "Kept of one layer for the backward pass:",
    [RK_OF_CACHE] = "Cache of one token, all layers together:",
};

static void put_bytes(rk_view *v, rk_cell *cell, rk_i128 counted, rk_i128 exact)
{
    cell[COUNTED] = rk_cell_count(counted);
    if (exact < 0)
        return;
    cell[EXACT] = rk_cell_count(exact);
    cell[RATIO] = rk_view_ratio(v, counted, exact);
}

static void put_kind(rk_view *v, const rk_conventions *c, rk_convention_of of, const rk_exact_bytes *e)
{
    rk_table *t;

    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_HEADING, 0, "%s", of_heading[of]);
    t = rk_page_table(&v->page, all_column, N_COLUMN);
    for (size_t i = 0; i < c->n; i++)
        if (c->at[i].of == of) {
            const rk_named_convention *x = &c->at[i];
            rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

            cell[NAME] = rk_cell_code(x->name);
            cell[OF_KEY] = rk_cell_code(rk_convention_of_word[of]);
            cell[TEXT] = rk_cell_text(&v->page, "%s%s", x->not_for ? "does not apply: " : "",
                                      x->not_for ? x->not_for : x->formula);
            if (!x->not_for)
                put_bytes(v, cell, x->n_counted, rk_exact_of(e, x));
        }
}

static void put_exact(rk_view *v, const rk_exact_bytes *e)
{
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "The exact account is that of %s on one device, %d bytes a number.", e->how,
                e->bytes);
}

static void fill_all(rk_view *v, const rk_conventions *c, const rk_exact_bytes *e)
{
    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s: bytes by rules that others use", v->model->name);
    rk_view_put_like(v);
    rk_view_put_run(v);
    put_exact(v, e);
    if (e->bytes != 2)
        rk_page_put(&v->page, RK_ITEM_NOTE, 0,
                    "Rules for what a layer keeps are of numbers of 2 bytes: --dtype bf16 compares like with like.");
    put_kind(v, c, RK_OF_STATE, e);
    put_kind(v, c, RK_OF_LAYER, e);
    put_kind(v, c, RK_OF_CACHE, e);
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_NOTE, 0,
                "--as NAME shows one of them line by line. t and n are devices among which something is divided; "
                "--devices says how many.");
}

static void put_lines(rk_view *v, const rk_named_convention *c, const rk_exact_bytes *e)
{
    rk_table *t = rk_page_table(&v->page, one_column, N_COLUMN);
    rk_cell *cell;

    for (size_t i = 0; i < c->n_line; i++) {
        cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
        cell[NAME] = rk_cell_text(&v->page, "%s", rk_row_class_table[c->line[i].class].noun);
        cell[OF_KEY] = rk_cell_code(rk_convention_of_word[c->of]);
        cell[TEXT] = rk_view_short_formula(v, c->line[i].counted, RK_VIEW_TERMS_IN_TABLE);
        put_bytes(v, cell, c->line[i].n_counted, e->of_class[c->line[i].class]);
    }
    if (c->n_line < 2)
        return;
    cell = rk_page_row(&v->page, t, RK_ROW_TOTAL, 0);
    cell[NAME] = rk_cell_text(&v->page, "total");
    put_bytes(v, cell, c->n_counted, rk_exact_of(e, c));
}

static void fill_one(rk_view *v, const rk_named_convention *c, const rk_exact_bytes *e)
{
    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s: bytes by the rule %s", v->model->name, c->name);
    rk_view_put_like(v);
    rk_view_put_run(v);
    rk_view_put_source(v, c);
    put_exact(v, e);
    rk_page_gap(&v->page);
    if (c->not_for) {
        rk_view_put_not_for(v, c, one_column, N_COLUMN);
        return;
    }
    put_lines(v, c, e);
    rk_page_gap(&v->page);
    rk_view_put_sum(v, "bytes", c->counted, rk_view_binary(v, c->n_counted));
}

void rk_view_put_rules(rk_view *v, const rk_conventions *c, const rk_named_convention *one, const rk_exact_bytes *e)
{
    if (one)
        fill_one(v, one, e);
    else
        fill_all(v, c, e);
}
