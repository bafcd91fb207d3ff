/* SPDX-License-Identifier: MIT */
/* What `reckon flops --as NAME` and `--as all` print: other ways to count, and why they differ. */
#include "report/conventions.h"

#include "report/figure.h"

rk_cell rk_view_ratio(rk_view *v, rk_i128 n, rk_i128 whole)
{
    rk_str s = {0};

    rk_str_ratio(&s, n, whole);
    return rk_view_text(rk_view_keep(v, &s));
}

void rk_view_put_source(rk_view *v, const rk_named_convention *c)
{
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s: %s.", c->name, c->text);
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "From: %s; for each %s.", c->source, c->per);
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "As written there: %s", c->formula);
}

/* ---- side by side ----------------------------------------------------------------------------------------------- */

enum { /* columns */
    ALL_NAME,
    ALL_OF,
    ALL_COUNTED,
    ALL_RATIO,
    ALL_WHY,
    N_ALL
};

static const rk_field all_column[N_ALL] = {
    [ALL_NAME] = {.head = "", .key = "convention"},
    [ALL_OF] = {.head = "of", .key = "of", .drop = 3},
    [ALL_COUNTED] = {.head = "counted", .key = "counted", .right = true, .drop = 1},
    [ALL_RATIO] = {.head = "ratio", .key = "ratio", .right = true},
    [ALL_WHY] = {.head = "why", .key = "why", .wraps = true, .drop = 4},
};

static void put_in_list(rk_view *v, rk_table *t, const rk_named_convention *c)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

    cell[ALL_NAME] = rk_cell_code(c->name);
    cell[ALL_OF] = rk_cell_text(&v->page, "%s", rk_convention_of_word[c->of]);
    if (c->not_for) {
        cell[ALL_WHY] = rk_cell_text(&v->page, "does not apply: %s", c->not_for);
        return;
    }
    cell[ALL_COUNTED] = rk_cell_count(c->n_counted);
    cell[ALL_RATIO] = rk_view_ratio(v, c->n_counted, c->n_reference);
    cell[ALL_WHY] = rk_cell_text(&v->page, "%s", c->why[0] ? c->why : "the same");
}

void rk_view_put_conventions(rk_view *v, const rk_conventions *c)
{
    rk_str s = {0};
    rk_table *t;

    rk_str_grouped(&s, c->n_reference);
    rk_page_put(&v->page, RK_ITEM_LINE, 0,
                "The reference is the count of all products with the full square of attention (of a window its keys): "
                "%s FLOPs forward. "
                "Figures of training are compared with three times that.",
                rk_view_keep(v, &s));
    rk_page_gap(&v->page);
    t = rk_page_table(&v->page, all_column, N_ALL);
    for (size_t i = 0; i < c->n; i++)
        if (!rk_convention_is_memory(&c->at[i]))
            put_in_list(v, t, &c->at[i]);
}

static void fill_all(rk_view *v, const rk_conventions *c)
{
    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s: FLOPs as others count them", v->model->name);
    rk_view_put_like(v);
    rk_view_put_run(v);
    rk_view_put_conventions(v, c);
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_NOTE, 0, "--as NAME shows one of them line by line.");
}

/* ---- one in full ------------------------------------------------------------------------------------------------ */

enum { /* columns */
    ONE_CLASS,
    ONE_REFERENCE,
    ONE_COUNTED,
    ONE_DIFFERENCE,
    ONE_WHY,
    ONE_FORMULA,
    N_ONE
};

static const rk_field one_column[N_ONE] = {
    [ONE_CLASS] = {.head = "", .key = "class"},
    [ONE_REFERENCE] = {.head = "reference", .key = "reference", .right = true, .drop = 1},
    [ONE_COUNTED] = {.head = "counted", .key = "counted", .right = true, .drop = 3},
    [ONE_DIFFERENCE] = {.head = "difference", .key = "difference", .right = true},
    [ONE_WHY] = {.head = "", .key = "why", .wraps = true},
    [ONE_FORMULA] = {.head = "its formula", .key = "formula", .wraps = true, .drop = 2},
};

static void put_line(rk_view *v, rk_table *t, const rk_convention_line *l)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

    cell[ONE_CLASS] = rk_cell_text(&v->page, "%s", rk_row_class_table[l->class].noun);
    cell[ONE_REFERENCE] = rk_cell_count(l->n_reference);
    cell[ONE_COUNTED] = rk_cell_count(l->n_counted);
    cell[ONE_DIFFERENCE] = rk_cell_count(l->n_difference);
    cell[ONE_WHY] = rk_cell_text(&v->page, "%s", l->why);
    if (l->n_difference != 0)
        cell[ONE_FORMULA] = rk_view_short_formula(v, l->difference, RK_VIEW_TERMS_IN_TABLE);
}

void rk_view_put_not_for(rk_view *v, const rk_named_convention *c, const rk_field *column, size_t n)
{
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "It does not apply to %s: %s.", v->model->name, c->not_for);
    if (v->report->format == RK_FORMAT_CSV)
        rk_page_table(&v->page, column, n);
}

static void put_sum(rk_view *v, const char *name, rk_ex e, const char *unit)
{
    rk_view_put_sum(v, name, e, rk_view_scaled(v, rk_view_value(v, e), unit));
}

static void fill_one(rk_view *v, const rk_named_convention *c)
{
    const char *unit = c->mac ? "MAC" : "FLOP";
    rk_ex shown[] = {rk_view_form(v, c->counted), rk_view_form(v, c->reference)};
    rk_table *t;
    rk_cell *cell;

    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s: %ss of %s, as %s counts them", v->model->name, unit,
                c->of == RK_OF_TRAINING ? "a forward and a backward pass" : "a forward pass", c->name);
    rk_view_put_like(v);
    rk_view_put_run(v);
    rk_view_put_source(v, c);
    rk_page_gap(&v->page);
    if (c->not_for) {
        rk_view_put_not_for(v, c, one_column, N_ONE);
        return;
    }
    rk_page_put(&v->page, RK_ITEM_NOTE, 0,
                "The reference is %s of all products, with the full square of attention (of a window its keys).",
                c->of == RK_OF_TRAINING ? "three times the count" : "the count");
    t = rk_page_table(&v->page, one_column, N_ONE);
    for (size_t i = 0; i < c->n_line; i++)
        put_line(v, t, &c->line[i]);
    cell = rk_page_row(&v->page, t, RK_ROW_TOTAL, 0);
    cell[ONE_CLASS] = rk_cell_text(&v->page, "total");
    cell[ONE_REFERENCE] = rk_cell_count(c->n_reference);
    cell[ONE_COUNTED] = rk_cell_count(c->n_counted);
    cell[ONE_DIFFERENCE] = rk_cell_count(c->n_counted - c->n_reference);
    cell[ONE_WHY] = rk_view_ratio(v, c->n_counted, c->n_reference);
    cell[ONE_WHY].text = rk_arena_format(&v->arena, "ratio %s", cell[ONE_WHY].text);
    rk_page_gap(&v->page);
    put_sum(v, "counted", c->counted, unit);
    put_sum(v, "reference", c->reference, "FLOP");
    rk_page_gap(&v->page);
    rk_view_put_symbols(v, shown, 2);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static void write_line(rk_view *v, const rk_convention_line *l, const rk_exact_bytes *exact)
{
    rk_json *j = &v->json;

    rk_json_row(j, NULL);
    rk_json_text(j, "class", rk_row_class_table[l->class].word);
    rk_json_text(j, "rule", l->rule);
    if (exact) {
        rk_json_count(j, "bytes", l->n_counted);
        rk_json_known(j, "exact", exact->of_class[l->class] >= 0, exact->of_class[l->class]);
    } else {
        rk_json_count(j, "reference", l->n_reference);
        rk_json_count(j, "counted", l->n_counted);
        rk_json_count(j, "difference", l->n_difference);
        rk_json_text(j, "why", l->why);
    }
    rk_view_json_formula(v, "formula", exact ? l->counted : l->difference);
    rk_json_close(j);
}

static void write_one(rk_view *v, const char *key, const rk_named_convention *c, const rk_exact_bytes *exact)
{
    rk_json *j = &v->json;

    rk_json_open(j, key, '{');
    rk_json_text(j, "name", c->name);
    rk_json_text(j, "of", rk_convention_of_word[c->of]);
    rk_json_text(j, "unit", exact ? "byte" : c->mac ? "MAC" : "FLOP");
    rk_json_text(j, "per", c->per);
    rk_json_text(j, "source", c->source);
    rk_json_text(j, "as_written", c->formula);
    rk_json_text(j, "text", c->text);
    rk_json_truth(j, "applies", !c->not_for);
    if (c->not_for)
        rk_json_text(j, "reason", c->not_for);
    if (!c->not_for && exact) {
        rk_view_json_total(v, "bytes", c->counted);
        rk_json_known(j, "exact", rk_exact_of(exact, c) >= 0, rk_exact_of(exact, c));
    } else if (!c->not_for) {
        rk_view_json_total(v, "counted", c->counted);
        rk_view_json_total(v, "reference", c->reference);
        rk_view_json_fraction(v, "ratio", c->n_counted, c->n_reference);
        rk_json_text(j, "why", c->why);
    }
    if (!c->not_for) {
        rk_json_open(j, "rows", '[');
        for (size_t i = 0; i < c->n_line; i++)
            write_line(v, &c->line[i], exact);
        rk_json_close(j);
    }
    rk_json_close(j);
}

static void write_json(rk_view *v, const rk_conventions *c, const rk_named_convention *one, const rk_exact_bytes *exact)
{
    rk_json *j = &v->json;

    rk_view_json_begin(v);
    rk_view_json_symbols(v);
    if (exact)
        rk_json_count(j, "bytes_per_number", exact->bytes);
    else
        rk_view_json_total(v, "reference", c->reference);
    if (one) {
        write_one(v, "convention", one, exact);
    } else {
        rk_json_open(j, "conventions", '[');
        for (size_t i = 0; i < c->n; i++)
            if (rk_convention_is_memory(&c->at[i]) == (exact != NULL))
                write_one(v, NULL, &c->at[i], exact);
        rk_json_close(j);
    }
    rk_json_close(j);
}

int rk_report_conventions(const rk_report *r, const rk_ledger *l, const rk_conventions *c,
                          const rk_named_convention *one, const rk_exact_bytes *exact, rk_err *err)
{
    rk_view v;

    rk_view_begin(&v, r, l, err);
    if (r->format == RK_FORMAT_JSON)
        write_json(&v, c, one, exact);
    else if (exact)
        rk_view_put_rules(&v, c, one, exact);
    else if (one)
        fill_one(&v, one);
    else
        fill_all(&v, c);
    return rk_view_end(&v);
}
