/* SPDX-License-Identifier: MIT */
/* What `reckon compare --of params` prints: the tensors of models, those that differ line by line. */
#include "report/answers.h"
#include "report/compare.h"

#include "report/compare_parts.h"
#include "report/figure.h"

#include <string.h>

/* ---- cells ------------------------------------------------------------------------------------------------------ */

/* With its sign, where it is a difference: +394,264,576. */
static rk_cell number_cell(rk_view *v, rk_i128 n, bool is_change)
{
    rk_str full = {0}, brief = {0};

    rk_str_put(&full, is_change && n > 0 ? "+" : "");
    rk_str_put(&brief, is_change && n > 0 ? "+" : "");
    rk_str_grouped(&full, n);
    rk_str_in_letters(&brief, n);
    return rk_cell_both(&v->page, rk_cell_count(n), rk_view_texts(v, &full, &brief));
}

/* A long name has its part and its last words in its key; on narrow paper the last words alone. */
static rk_cell name_cell(rk_view *v, const rk_differ_row *row)
{
    rk_cell cell = rk_cell_code(row->pattern);
    const char *words = strrchr(row->key, ' ');

    if (words && strcmp(words + 1, row->pattern) != 0)
        cell.brief = rk_cell_text(&v->page, "…%s", words + 1).text;
    return cell;
}

static rk_cell side_cell(rk_view *v, const rk_differ_side *s)
{
    if (!s->has)
        return rk_cell_dash();
    return s->tied ? rk_cell_both(&v->page, rk_cell_count(s->total), rk_view_text("tied"))
                   : number_cell(v, s->total, false);
}

/* 0 stands for a size that has no number. */
static rk_cell shape_cell(rk_view *v, const rk_ledger *l, const rk_differ_side *s)
{
    const rk_weight *w = s->has ? &l->model->program.weight[s->row->weight] : NULL;
    rk_i128 *size = RK_NEW_ARRAY(&v->arena, w ? w->n_dim + 1 : 1, rk_i128);

    for (size_t i = 0; w && size && i < w->n_dim; i++)
        rk_ex_eval(l->pool, w->dim[i], &l->instance->at, &size[i], NULL);
    return rk_cell_shape(size, w && size ? w->n_dim : 0);
}

static const char *formula_of(rk_view *v, const rk_ledger *l, const rk_differ_side *s)
{
    rk_str text = {0};

    if (s->has)
        rk_ex_print(l->pool, rk_ex_simplify(l->pool, s->formula), RK_PRINT_TEXT, &text);
    return rk_view_keep(v, &text);
}

/* That of the first model that has the tensor and stores it. */
static rk_cell formula_cell(rk_view *v, const rk_differ *d, const rk_differ_row *row)
{
    size_t i = 0;

    while (i + 1 < d->n_model && (!row->side[i].has || row->side[i].tied))
        i++;
    return rk_cell_text(&v->page, "%s", row->side[i].tied ? "" : formula_of(v, d->ledger[i], &row->side[i]));
}

/* ---- two models ------------------------------------------------------------------------------------------------- */

enum { /* columns */
    NAME,
    SHAPE_A,
    SHAPE_B,
    FORMULA,
    TOTAL_A,
    TOTAL_B,
    CHANGE,
    WHY,
    N_COLUMN
};

static void put_pair_row(rk_view *v, const rk_differ *d, rk_table *t, const rk_differ_row *row)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

    cell[NAME] = name_cell(v, row);
    cell[SHAPE_A] = shape_cell(v, d->ledger[0], &row->side[0]);
    cell[SHAPE_B] = shape_cell(v, d->ledger[1], &row->side[1]);
    cell[FORMULA] = formula_cell(v, d, row);
    cell[TOTAL_A] = side_cell(v, &row->side[0]);
    cell[TOTAL_B] = side_cell(v, &row->side[1]);
    cell[CHANGE] = number_cell(v, row->side[1].total - row->side[0].total, true);
    if (!row->side[0].has || !row->side[1].has)
        cell[WHY] = rk_cell_text(&v->page, "only in %s", d->ledger[row->side[0].has ? 0 : 1]->model->name);
    else
        cell[WHY] = rk_cell_text(&v->page, "%s", row->equal ? "" : row->why);
}

/* `nothing` differs: programs see that by the head, and people are told. */
static void put_pair(rk_view *v, const rk_differ *d, bool all, bool nothing)
{
    const rk_field column[N_COLUMN] = {
        [NAME] = {.head = "", .key = "tensor"},
        [SHAPE_A] = {.key = "shape_a"},
        [SHAPE_B] = {.key = "shape_b"},
        [FORMULA] = {.head = "formula", .key = "formula", .drop = 1},
        [TOTAL_A] = {.head = d->ledger[0]->model->name, .key = "a", .right = true},
        [TOTAL_B] = {.head = d->ledger[1]->model->name, .key = "b", .right = true},
        [CHANGE] = {.head = "difference", .key = "difference", .right = true},
        [WHY] = {.head = "because", .key = "why", .wraps = true, .drop = 2},
    };
    rk_table *t = rk_view_table(v, column, N_COLUMN);
    rk_i128 equal = 0;
    rk_cell *cell;

    if (nothing)
        return;
    for (size_t i = 0; i < d->row.n; i++) {
        if (all || !d->row.at[i].equal)
            put_pair_row(v, d, t, &d->row.at[i]);
        else
            equal += d->row.at[i].side[0].total;
    }
    if (!all && equal > 0) {
        cell = rk_page_row(&v->page, t, RK_ROW_PART, 0);
        cell[NAME] = rk_cell_text(&v->page, "all others");
        cell[TOTAL_A] = cell[TOTAL_B] = number_cell(v, equal, false);
        cell[CHANGE] = number_cell(v, 0, true);
    }
    cell = rk_page_row(&v->page, t, RK_ROW_TOTAL, 0);
    cell[NAME] = rk_cell_text(&v->page, "total");
    cell[TOTAL_A] = number_cell(v, d->total[0], false);
    cell[TOTAL_B] = number_cell(v, d->total[1], false);
    cell[CHANGE] = number_cell(v, d->total[1] - d->total[0], true);
}

/* ---- several models --------------------------------------------------------------------------------------------- */

static void put_some(rk_view *v, const rk_differ *d, bool all, const char *const *name, size_t first, size_t n)
{
    static const rk_field tensor = {.head = "", .key = "tensor"};
    static const rk_field formula = {.head = "formula", .key = "formula", .drop = 1};
    rk_table *t = rk_compare_columns(v, tensor, &name[first], n, false, &formula);
    rk_cell *cell;

    for (size_t k = 0; k < d->row.n; k++) {
        const rk_differ_row *row = &d->row.at[k];

        if (row->equal && !all)
            continue;
        cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
        cell[0] = name_cell(v, row);
        for (size_t i = 0; i < n; i++)
            cell[1 + i] = side_cell(v, &row->side[first + i]);
        cell[n + 1] = formula_cell(v, d, row);
    }
    cell = rk_page_row(&v->page, t, RK_ROW_TOTAL, 0);
    cell[0] = rk_cell_text(&v->page, "total");
    for (size_t i = 0; i < n; i++)
        cell[1 + i] = number_cell(v, d->total[first + i], false);
}

/* ---- page ------------------------------------------------------------------------------------------------------- */

static void put_page(rk_view *v, const rk_differ *d, bool all)
{
    const char *name[RK_COMPARE_MODELS_MAX];
    rk_i128 tensors = 0, total = 0;
    bool same = true;

    for (size_t i = 0; i < d->n_model; i++)
        name[i] = d->ledger[i]->model->name;
    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "Parameters of %s", rk_compare_names(v, name, d->n_model));
    for (size_t i = 0; i < d->row.n; i++)
        if (!d->row.at[i].equal) {
            same = false;
        } else {
            tensors += d->row.at[i].side[0].tensors;
            total += d->row.at[i].side[0].total;
        }
    if (tensors > 0)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Equal: %s tensor%s with %s parameters%s.", rk_view_grouped(v, tensors),
                    tensors == 1 ? "" : "s", rk_view_grouped(v, total), all ? "" : " (--all lists them)");
    else
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "No tensor is equal.");
    rk_page_gap(&v->page);
    if (same && !all)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Nothing differs.");
    if (d->n_model == 2)
        put_pair(v, d, all, same && !all);
    for (size_t i = 0; d->n_model > 2 && i < d->n_model; i += RK_COMPARE_A_TABLE)
        put_some(v, d, all, name, i, d->n_model - i < RK_COMPARE_A_TABLE ? d->n_model - i : RK_COMPARE_A_TABLE);
}

/* ---- the answer ------------------------------------------------------------------------------------------------- */

static const rk_field model_field[] = {
    {.key = "model", .kind = RK_CELL_TEXT, .text = "its name"},
    RK_KEY("parameters", COUNT, "stored"),
};
static const rk_fields model_fields = {model_field, 2};

static const rk_field side_field[] = {
    RK_KEY("name", CODE, "of the tensors"),      RK_KEY("shape", SHAPE, "of one"),
    RK_KEY("tensors", COUNT, "so many of them"), RK_KEY("total", COUNT, "parameters that they add to the stored ones"),
    RK_KEY("formula", FORMULA, "of the total"),  RK_KEY("tied", TRUTH, "it is another name of a tensor, and adds none"),
};
static const rk_fields side_fields = {side_field, 6};

#define ROW_FIELDS(X)                                                                                                  \
    X(EQUAL, RK_KEY("equal", TRUTH, "all have it, as many and as large"))                                              \
    X(DIFFERENCE, RK_KEY("difference", COUNT, "of two models: parameters more in the second"))                         \
    X(REASON, RK_KEY("why", TEXT, "of two models: what makes the difference"))                                         \
    X(SIDES, RK_OBJECT("sides", side_fields, "of each model; null: it has no such tensor", .many = true))
RK_FIELD_TABLE(row_field, N_ROW, ROW_FIELDS);
static const rk_fields row_fields = {row_field, N_ROW};

static const rk_field answer_field[] = {
    RK_LIST("models", model_fields, "in the order of the line"),
    RK_LIST("rows", row_fields, "tensors that differ; with --all every one"),
};
const rk_fields rk_answer_compare_params = {answer_field, 2};

typedef struct listing {
    rk_view *view;
    const rk_differ *differ;
    bool all;
} listing;

static void fill_side(rk_view *v, rk_cell *in, const rk_ledger *l, const rk_differ_side *s)
{
    rk_cell *cell;

    *in = rk_cell_null();
    if (!s->has)
        return;
    cell = rk_cell_object(&v->page, in, &side_fields);
    cell[0] = rk_cell_name(s->row->pattern);
    cell[1] = shape_cell(v, l, s);
    cell[2] = rk_cell_count(s->tensors);
    cell[3] = rk_cell_count(s->total);
    cell[4] = rk_view_text(formula_of(v, l, s));
    cell[5] = rk_cell_truth(s->tied);
}

static void make_rows(void *self, rk_cell *cell, rk_row_taker *take, void *taker)
{
    const listing *l = self;
    const rk_differ *d = l->differ;

    for (size_t k = 0; k < d->row.n; k++) {
        const rk_differ_row *row = &d->row.at[k];
        rk_cell *side;

        if (row->equal && !l->all)
            continue;
        cell[EQUAL] = rk_cell_truth(row->equal);
        if (d->n_model == 2) {
            cell[DIFFERENCE] = rk_cell_count(row->side[1].total - row->side[0].total);
            cell[REASON] = rk_cell_name(row->why);
        }
        side = rk_cell_cells(&l->view->page, &cell[SIDES], d->n_model);
        for (size_t i = 0; i < d->n_model; i++)
            fill_side(l->view, &side[i], d->ledger[i], &row->side[i]);
        take(taker, cell);
    }
}

int rk_report_differ(const rk_report *r, const rk_differ *d, bool all, rk_err *err)
{
    rk_view v;
    listing rows = {&v, d, all};
    rk_cell *answer;
    rk_table *t;

    rk_view_begin(&v, r, d->ledger[0], err);
    answer = rk_page_answer(&v.page, &rk_answer_compare_params);
    t = rk_cell_list(&v.page, &answer[0], &model_fields);
    for (size_t i = 0; i < d->n_model; i++) {
        rk_cell *cell = rk_page_row(&v.page, t, RK_ROW_PLAIN, 0);

        cell[0] = rk_cell_name(d->ledger[i]->model->name);
        cell[1] = rk_cell_count(d->total[i]);
    }
    t = rk_cell_list(&v.page, &answer[1], &row_fields);
    t->make = make_rows;
    t->self = &rows;
    put_page(&v, d, all);
    return rk_view_end(&v);
}
