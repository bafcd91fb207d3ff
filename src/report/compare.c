/* SPDX-License-Identifier: MIT */
/* What `reckon compare` prints: sizes and quantities of models side by side, the parts of one, and how they scale. */
#include "report/compare.h"

#include "report/assumptions.h"
#include "report/compare_parts.h"
#include "report/figure.h"
#include "report/reading.h"

#include <string.h>

/* ---- the page --------------------------------------------------------------------------------------------------- */

/* Symbols that all models have with the same number: of the run, or of the models. */
static void put_equal(rk_view *v, const rk_comparison *c, rk_symbol_kind kind)
{
    rk_str line = {0};

    for (size_t i = 0; i < c->symbol.n; i++) {
        const rk_compared_symbol *s = &c->symbol.at[i];

        if (!s->equal || s->kind != kind)
            continue;
        rk_str_format(&line, "%s%s = ", line.n ? ", " : "", s->name);
        rk_str_grouped(&line, s->value[0]);
        if (s->text)
            rk_str_format(&line, " %.*s", (int)strcspn(s->text, ",;"), s->text);
    }
    if (line.n > 0)
        rk_page_put(&v->page, RK_ITEM_LIST, 0, "%s%s",
                    kind == RK_SYMBOL_RUN ? "" : "In all of them: ", rk_str_text(&line));
    rk_str_free(&line);
}

/* For programs: a row for each quantity and each part of each model. */
static void put_rows(rk_view *v, const rk_comparison *c)
{
    static const rk_field column[] = {{.key = "model"}, {.key = "quantity"}, {.key = "path"}, {.key = "value"}};
    rk_table *t = rk_page_table(&v->page, column, 4);

    for (size_t k = 0; k < c->n_model; k++) {
        for (size_t i = 0; i < c->n_measure; i++) {
            rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
            rk_str value = {0};

            rk_reading_put_plain(&value, &c->measure[i], &c->model[k].reading[i]);
            cell[0] = rk_cell_text(&v->page, "%s", c->model[k].name);
            cell[1] = rk_cell_text(&v->page, "%s", c->measure[i].name);
            cell[3] = rk_cell_text(&v->page, "%s", rk_view_keep(v, &value));
        }
        for (size_t i = 0; i < c->part.n; i++) {
            rk_cell *cell;

            if (!c->part.at[i].has[k] || !rk_compare_is_leaf(&c->part.at[i], k))
                continue;
            cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
            cell[0] = rk_cell_text(&v->page, "%s", c->model[k].name);
            cell[1] = rk_cell_text(&v->page, "%s", c->divided->name);
            cell[2] = rk_cell_text(&v->page, "%s", c->part.at[i].path);
            cell[3] = rk_cell_count(c->part.at[i].value[k]);
        }
    }
}

static void fill_page(rk_view *v, const rk_comparison *c, bool whole)
{
    bool counts_operations = false;
    rk_str names = {0};

    for (size_t i = 0; i < c->n_model; i++)
        rk_str_format(&names, "%s%s", i == 0 ? "" : i + 1 == c->n_model ? " and " : ", ", c->model[i].name);
    for (size_t i = 0; i < c->n_measure; i++)
        counts_operations |= c->measure[i].over.row->from == RK_FROM_OPS;
    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s", rk_view_keep(v, &names));
    put_equal(v, c, RK_SYMBOL_RUN);
    if (whole)
        put_equal(v, c, RK_SYMBOL_MODEL);
    if (c->n_model > 0 && rk_gauge_step(c->model[0].gauge))
        rk_view_put_assumptions(v, &rk_gauge_step(c->model[0].gauge)->options);
    rk_page_gap(&v->page);
    if (whole && rk_compare_has_sizes(c)) {
        rk_compare_put(v, c, RK_COMPARE_SIZES);
        rk_page_gap(&v->page);
    }
    rk_compare_put(v, c, whole ? RK_COMPARE_OVERVIEW : RK_COMPARE_QUANTITIES);
    if (c->divided) {
        rk_page_gap(&v->page);
        rk_compare_put(v, c, RK_COMPARE_PARTS);
        rk_page_gap(&v->page);
        rk_compare_put_findings(v, c);
    }
    rk_page_gap(&v->page);
    if (counts_operations)
        rk_view_put_convention(v);
    if (v->report->format == RK_FORMAT_CSV)
        put_rows(v, c);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static void write_model(rk_view *v, const rk_comparison *c, size_t k)
{
    rk_json *j = &v->json;

    rk_json_open(j, NULL, '{');
    rk_json_text(j, "model", c->model[k].name);
    rk_json_row(j, "symbols");
    for (size_t i = 0; i < c->symbol.n; i++)
        if (c->symbol.at[i].has[k])
            rk_json_count(j, c->symbol.at[i].name, c->symbol.at[i].value[k]);
    rk_json_close(j);
    rk_json_count(j, "parameters", c->model[k].params);
    rk_json_row(j, "quantities");
    for (size_t i = 0; i < c->n_measure; i++) {
        rk_str value = {0};

        rk_reading_put_plain(&value, &c->measure[i], &c->model[k].reading[i]);
        rk_json_number(j, c->measure[i].name, value.n ? rk_view_keep(v, &value) : "null");
    }
    rk_json_close(j);
    rk_json_close(j);
}

static void write_part(rk_view *v, const rk_comparison *c, const rk_compared_part *p)
{
    rk_json *j = &v->json;

    rk_json_row(j, NULL);
    rk_json_text(j, "path", p->path);
    rk_json_truth(j, "sum", p->n_below > 0);
    rk_json_list(j, "values");
    for (size_t k = 0; k < c->n_model; k++) {
        if (p->has[k])
            rk_json_count(j, NULL, p->value[k]);
        else
            rk_json_null(j, NULL);
    }
    rk_json_close(j);
    rk_json_list(j, "shares");
    for (size_t k = 0; k < c->n_model && c->adds_up; k++) {
        rk_str share = {0};

        rk_str_fraction(&share, p->value[k], rk_compare_whole(c, k));
        rk_json_number(j, NULL, share.n && p->has[k] ? rk_view_keep(v, &share) : "null");
    }
    rk_json_close(j);
    rk_json_close(j);
}

static void write_json(rk_view *v, const rk_comparison *c)
{
    rk_json *j = &v->json;

    rk_json_open(j, NULL, '{');
    rk_view_json_convention(v);
    rk_json_open(j, "models", '[');
    for (size_t k = 0; k < c->n_model; k++)
        write_model(v, c, k);
    rk_json_close(j);
    rk_json_text(j, "divided", c->divided ? c->divided->name : NULL);
    rk_json_open(j, "rows", '[');
    for (size_t i = 0; i < c->part.n; i++)
        write_part(v, c, &c->part.at[i]);
    rk_json_close(j);
    rk_json_close(j);
}

int rk_report_compare(const rk_report *r, const rk_comparison *c, bool whole, rk_err *err)
{
    rk_view v;

    rk_view_begin(&v, r, c->model[0].ledger, err);
    if (r->format == RK_FORMAT_JSON)
        write_json(&v, c);
    else
        fill_page(&v, c, whole);
    return rk_view_end(&v);
}
