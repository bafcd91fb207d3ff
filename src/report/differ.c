/* SPDX-License-Identifier: MIT */
/* What `reckon compare --of params` prints: the tensors of models, those that differ line by line. */
#include "report/compare.h"

#include "report/figure.h"
#include "report/view.h"

#include <string.h>

enum {
    MODELS_A_TABLE = 5
};

/* ---- cells ------------------------------------------------------------------------------------------------------ */

static bool is_for_programs(const rk_view *v)
{
    return v->report->format == RK_FORMAT_CSV;
}

/* With its sign, where it is a difference: +394,264,576. */
static rk_cell number_cell(rk_view *v, rk_i128 n, bool is_change)
{
    rk_str full = {0}, brief = {0};

    if (is_for_programs(v))
        return rk_cell_count(n);
    rk_str_put(&full, is_change && n > 0 ? "+" : "");
    rk_str_put(&brief, is_change && n > 0 ? "+" : "");
    rk_str_grouped(&full, n);
    rk_str_in_letters(&brief, n);
    return rk_view_texts(v, &full, &brief);
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
        return is_for_programs(v) ? (rk_cell){0} : rk_cell_text(&v->page, "–");
    return s->tied && !is_for_programs(v) ? rk_cell_text(&v->page, "tied") : number_cell(v, s->total, false);
}

/* The sizes of a tensor; how many there are.  0 stands for one that has no number. */
static size_t dims_of(rk_view *v, const rk_ledger *l, const rk_differ_side *s, rk_i128 **out)
{
    const rk_weight *w = s->has ? &l->model->program.weight[s->row->weight] : NULL;
    size_t n = w ? w->n_dim : 0;

    *out = RK_NEW_ARRAY(&v->arena, n + 1, rk_i128);
    for (size_t i = 0; *out && i < n; i++)
        rk_ex_eval(l->pool, w->dim[i], &l->instance->at, &(*out)[i], NULL);
    return *out ? n : 0;
}

/* "32000x4096" */
static rk_cell shape_cell(rk_view *v, const rk_ledger *l, const rk_differ_side *s)
{
    rk_i128 *dim;
    size_t n = dims_of(v, l, s, &dim);

    return rk_view_text(rk_view_shape(v, dim, n, false));
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

static rk_cell reason(rk_view *v, const rk_differ *d, const rk_differ_row *row)
{
    if (!row->side[0].has || !row->side[1].has)
        return rk_cell_text(&v->page, "only in %s", d->ledger[row->side[0].has ? 0 : 1]->model->name);
    return rk_cell_text(&v->page, "%s", row->equal ? "" : row->why);
}

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
    cell[WHY] = reason(v, d, row);
}

static void put_pair(rk_view *v, const rk_differ *d, bool all)
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

static void put_some(rk_view *v, const rk_differ *d, bool all, size_t first, size_t n)
{
    rk_field column[MODELS_A_TABLE + 2] = {{.head = "", .key = "tensor"}};
    rk_table *t;
    rk_cell *cell;
    for (size_t i = 0; i < n; i++) {
        const char *name = d->ledger[first + i]->model->name;

        column[1 + i] = (rk_field){.head = name, .key = name, .right = true};
    }
    column[n + 1] = (rk_field){.head = "formula", .key = "formula", .drop = 1};
    t = rk_view_table(v, column, n + 2);
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

static void fill_page(rk_view *v, const rk_differ *d, bool all)
{
    rk_str names = {0};
    rk_i128 tensors = 0, total = 0;
    bool same = true;

    for (size_t i = 0; i < d->n_model; i++)
        rk_str_format(&names, "%s%s", i == 0 ? "" : i + 1 == d->n_model ? " and " : ", ", d->ledger[i]->model->name);
    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "Parameters of %s", rk_view_keep(v, &names));
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
    if (same && !all && !is_for_programs(v))
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Nothing differs.");
    else if (d->n_model == 2)
        put_pair(v, d, all);
    for (size_t i = 0; d->n_model > 2 && i < d->n_model; i += MODELS_A_TABLE) {
        size_t n = d->n_model - i < MODELS_A_TABLE ? d->n_model - i : MODELS_A_TABLE;

        put_some(v, d, all, i, n);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static void write_side(rk_view *v, const rk_ledger *l, const rk_differ_side *s)
{
    rk_json *j = &v->json;
    rk_i128 *dim;
    size_t n = dims_of(v, l, s, &dim);

    if (!s->has) {
        rk_json_null(j, NULL);
        return;
    }
    rk_json_row(j, NULL);
    rk_json_text(j, "name", s->row->pattern);
    rk_json_counts(j, "shape", dim, n);
    rk_json_count(j, "tensors", s->tensors);
    rk_json_count(j, "total", s->total);
    rk_json_text(j, "formula", formula_of(v, l, s));
    rk_json_truth(j, "tied", s->tied);
    rk_json_close(j);
}

static void write_json(rk_view *v, const rk_differ *d, bool all)
{
    rk_json *j = &v->json;

    rk_json_open(j, NULL, '{');
    rk_json_open(j, "models", '[');
    for (size_t i = 0; i < d->n_model; i++) {
        rk_json_row(j, NULL);
        rk_json_text(j, "model", d->ledger[i]->model->name);
        rk_json_count(j, "parameters", d->total[i]);
        rk_json_close(j);
    }
    rk_json_close(j);
    rk_json_open(j, "rows", '[');
    for (size_t k = 0; k < d->row.n; k++) {
        const rk_differ_row *row = &d->row.at[k];

        if (row->equal && !all)
            continue;
        rk_json_row(j, NULL);
        rk_json_truth(j, "equal", row->equal);
        if (d->n_model == 2) {
            rk_json_count(j, "difference", row->side[1].total - row->side[0].total);
            rk_json_text(j, "why", row->why);
        }
        rk_json_list(j, "sides");
        for (size_t i = 0; i < d->n_model; i++)
            write_side(v, d->ledger[i], &row->side[i]);
        rk_json_close(j);
        rk_json_close(j);
    }
    rk_json_close(j);
    rk_json_close(j);
}

int rk_report_differ(const rk_report *r, const rk_differ *d, bool all, rk_err *err)
{
    rk_view v;

    rk_view_begin(&v, r, d->ledger[0], err);
    if (r->format == RK_FORMAT_JSON)
        write_json(&v, d, all);
    else
        fill_page(&v, d, all);
    return rk_view_end(&v);
}
