/* SPDX-License-Identifier: MIT */
/* What `reckon compare` prints: sizes and quantities of models side by side, the parts of one, and how they scale. */
#include "report/answers.h"
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

/* "S = 2,048 is beyond the context of gpt2 (1,024)." */
static void put_beyond(rk_view *v, const rk_comparison *c)
{
    const rk_symbol *which = NULL, *s = NULL;
    rk_i128 length = 0;
    rk_str of = {0};

    for (size_t i = 0; i < c->n_model; i++) {
        const rk_instance *m = c->model[i].ledger->instance;
        rk_i128 context = rk_view_beyond(m, &s);

        if (context == 0)
            continue;
        which = which ? which : s;
        length = length ? length : m->value[s->sym];
        rk_str_format(&of, "%s%s (%s)", of.n ? ", " : "", c->model[i].name, rk_view_grouped(v, context));
    }
    if (which)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s = %s is beyond the context of %s.", which->name,
                    rk_view_grouped(v, length), rk_view_keep(v, &of));
}

static void put_page(rk_view *v, const rk_comparison *c, bool whole)
{
    const char *name[RK_COMPARE_MODELS_MAX];
    bool counts_operations = false, has_sizes = false; /* that differ */

    for (size_t i = 0; i < c->n_model; i++)
        name[i] = c->model[i].name;
    for (size_t i = 0; i < c->n_measure; i++)
        counts_operations |= c->measure[i].over.row->from == RK_FROM_OPS;
    for (size_t i = 0; i < c->symbol.n; i++)
        has_sizes |= !c->symbol.at[i].equal;
    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s", rk_compare_names(v, name, c->n_model));
    put_equal(v, c, RK_SYMBOL_RUN);
    put_beyond(v, c);
    if (c->levelled)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s is the shortest of the models' own lengths; %s=2K sets another.",
                    c->levelled, c->levelled);
    if (whole)
        put_equal(v, c, RK_SYMBOL_MODEL);
    if (c->n_model > 0 && rk_gauge_step(c->model[0].gauge))
        rk_view_put_assumptions(v, &rk_gauge_step(c->model[0].gauge)->options);
    for (size_t i = 1; i < c->n_model && rk_gauge_step(c->model[0].gauge); i++)
        rk_view_put_other_types(v, name[i], &rk_gauge_step(c->model[0].gauge)->options,
                                &rk_gauge_step(c->model[i].gauge)->options);
    for (size_t i = 0; i < c->n_measure && rk_gauge_step(c->model[0].gauge); i++)
        if (*rk_measure_aside(&c->measure[i].over, &rk_gauge_step(c->model[0].gauge)->options))
            rk_page_put(&v->page, RK_ITEM_WARNING, 0, "%s: 0%s", c->measure[i].name,
                        rk_measure_aside(&c->measure[i].over, &rk_gauge_step(c->model[0].gauge)->options));
    rk_page_gap(&v->page);
    if (whole && has_sizes) {
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
}

/* ---- the answer ------------------------------------------------------------------------------------------------- */

static const rk_field quantity_field[] = {RK_KEY("*", REAL, "a quantity by its name")};
static const rk_fields quantity_fields = {quantity_field, 1};

#define MODEL_FIELDS(X)                                                                                                \
    X(MODEL, RK_KEY("model", TEXT, "its name"))                                                                        \
    X(SYMBOLS, RK_OBJECT("symbols", rk_symbols_fields, "numbers of the symbols"))                                      \
    X(PARAMETERS, RK_KEY("parameters", COUNT, "stored"))                                                               \
    X(QUANTITIES, RK_OBJECT("quantities", quantity_fields, "what was asked for"))
RK_FIELD_TABLE(model_field, N_MODEL, MODEL_FIELDS);
static const rk_fields model_fields = {model_field, N_MODEL};

#define PART_FIELDS(X)                                                                                                 \
    X(PATH, RK_KEY("path", CODE, "the part"))                                                                          \
    X(SUM, RK_KEY("sum", TRUTH, "it is the sum of the parts in it, which follow"))                                     \
    X(VALUES, RK_KEY("values", COUNT, "of each model; null: it has no such part", .many = true))                       \
    X(SHARES, RK_KEY("shares", SHARE, "of the whole, where parts add up to it", .many = true))
RK_FIELD_TABLE(part_field, N_PART, PART_FIELDS);
static const rk_fields part_fields = {part_field, N_PART};

#define ANSWER_FIELDS(X)                                                                                               \
    X(CONVENTION, RK_OBJECT("convention", rk_convention_fields, "what counts"))                                        \
    X(MODELS, RK_LIST("models", model_fields, "in the order of the line"))                                             \
    X(DIVIDED, RK_KEY("divided", TEXT, "the quantity whose parts are in the rows, or null"))                           \
    X(ROWS, RK_LIST("rows", part_fields, "part by part"))
RK_FIELD_TABLE(answer_field, N_ANSWER, ANSWER_FIELDS);
const rk_fields rk_answer_compare = {answer_field, N_ANSWER};

static void fill_models(rk_view *v, const rk_comparison *c, rk_table *t)
{
    const char **symbol = RK_NEW_ARRAY(&v->arena, c->symbol.n + 1, const char *);
    const char **measure = RK_NEW_ARRAY(&v->arena, c->n_measure + 1, const char *);

    for (size_t i = 0; symbol && i < c->symbol.n; i++)
        symbol[i] = c->symbol.at[i].name;
    for (size_t i = 0; measure && i < c->n_measure; i++)
        measure[i] = c->measure[i].name;
    for (size_t k = 0; symbol && measure && k < c->n_model; k++) {
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
        rk_cell *symbols = RK_NEW_ARRAY(&v->arena, c->symbol.n + 1, rk_cell);
        rk_cell *quantities = RK_NEW_ARRAY(&v->arena, c->n_measure + 1, rk_cell);

        if (!symbols || !quantities)
            return;
        for (size_t i = 0; i < c->symbol.n; i++)
            if (c->symbol.at[i].has[k])
                symbols[i] = rk_cell_count(c->symbol.at[i].value[k]);
        for (size_t i = 0; i < c->n_measure; i++)
            quantities[i] = rk_reading_number(&c->measure[i], &c->model[k].reading[i]);
        cell[MODEL] = rk_cell_name(c->model[k].name);
        rk_cell_names(&v->page, &cell[SYMBOLS], symbol, symbols, c->symbol.n);
        cell[PARAMETERS] = rk_cell_count(c->model[k].params);
        rk_cell_names(&v->page, &cell[QUANTITIES], measure, quantities, c->n_measure);
    }
}

static void fill_part(rk_view *v, const rk_comparison *c, rk_table *t, const rk_compared_part *p)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
    rk_cell *values = rk_cell_cells(&v->page, &cell[VALUES], c->n_model);
    rk_cell *shares = rk_cell_cells(&v->page, &cell[SHARES], c->adds_up ? c->n_model : 0);

    cell[PATH] = rk_cell_name(p->path);
    cell[SUM] = rk_cell_truth(p->n_below > 0);
    for (size_t k = 0; k < c->n_model; k++) {
        values[k] = p->has[k] ? rk_cell_count(p->value[k]) : rk_cell_null();
        if (c->adds_up)
            shares[k] = p->has[k] ? rk_cell_share(p->value[k], rk_compare_whole(c, k)) : rk_cell_null();
    }
}

/* For tables of programs: a row for each quantity and each part of each model. */
static void put_rows(rk_view *v, const rk_comparison *c)
{
    static const rk_field column[] = {{.key = "model"}, {.key = "quantity"}, {.key = "path"}, {.key = "value"}};
    rk_table *t = rk_page_table(&v->page, column, 4);

    for (size_t k = 0; k < c->n_model; k++) {
        for (size_t i = 0; i < c->n_measure; i++) {
            rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

            cell[0] = rk_cell_name(c->model[k].name);
            cell[1] = rk_cell_name(c->measure[i].name);
            cell[3] = rk_reading_number(&c->measure[i], &c->model[k].reading[i]);
        }
        for (size_t i = 0; i < c->part.n; i++) {
            rk_cell *cell;

            if (!c->part.at[i].has[k] || !rk_compare_is_leaf(&c->part.at[i], k))
                continue;
            cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
            cell[0] = rk_cell_name(c->model[k].name);
            cell[1] = rk_cell_name(c->divided->name);
            cell[2] = rk_cell_name(c->part.at[i].path);
            cell[3] = rk_cell_count(c->part.at[i].value[k]);
        }
    }
}

int rk_report_compare(const rk_report *r, const rk_comparison *c, bool whole, rk_err *err)
{
    rk_view v;
    rk_cell *answer;
    rk_table *rows;

    rk_view_begin(&v, r, c->model[0].ledger, err);
    answer = rk_page_answer(&v.page, &rk_answer_compare);
    rk_view_convention(&v, &answer[CONVENTION]);
    fill_models(&v, c, rk_cell_list(&v.page, &answer[MODELS], &model_fields));
    answer[DIVIDED] = c->divided ? rk_cell_name(c->divided->name) : rk_cell_null();
    rows = rk_cell_list(&v.page, &answer[ROWS], &part_fields);
    for (size_t i = 0; i < c->part.n; i++)
        fill_part(&v, c, rows, &c->part.at[i]);
    put_page(&v, c, whole);
    put_rows(&v, c);
    return rk_view_end(&v);
}
