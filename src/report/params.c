/* SPDX-License-Identifier: MIT */
/* What `reckon params` prints: tensors with their shapes and counts, by layer group or each. */
#include "report/view.h"

#include "report/figure.h"

#include <string.h>

/* ---- every single tensor ---------------------------------------------------------------------------------------- */

typedef struct listing {
    rk_view *v;
    rk_i128 *index;  /* the running number of each loop */
    rk_table *table; /* NULL: JSON */
} listing;

static const rk_weight *weight_of(const rk_view *v, const rk_weight_row *row)
{
    return &v->model->program.weight[row->weight];
}

/* The groups around a weight, from the outermost loop inwards: the one `depth` loops in, or RK_NONE. */
static uint32_t group_at(const rk_program *p, uint32_t group, int depth)
{
    int n = 0;

    for (uint32_t g = group; p->group[g].loop != RK_NONE; g = p->group[g].parent)
        n++;
    for (; n > depth + 1; n--)
        group = p->group[group].parent;
    return n == depth + 1 ? group : RK_NONE;
}

static const char *name_text(listing *l, const rk_weight *w)
{
    rk_view *v = l->v;
    rk_str s = {0};
    const char *text = NULL;

    if (v->code == RK_OK)
        v->code = rk_weight_name_text(v->model, &w->name, l->index, &s, v->err);
    if (v->code == RK_OK)
        text = s.failed ? NULL : rk_arena_text(&v->arena, rk_str_text(&s));
    v->page.failed |= v->code == RK_OK && !text;
    rk_str_free(&s);
    return text ? text : "";
}

static const char *shape_text(rk_view *v, const rk_weight *w)
{
    rk_str s = {0};
    const char *text;

    for (size_t i = 0; i < w->n_dim; i++) {
        rk_str_put(&s, i ? " × " : "");
        rk_str_grouped(&s, rk_view_value(v, w->dim[i]));
    }
    text = s.failed ? NULL : rk_arena_text(&v->arena, w->n_dim ? rk_str_text(&s) : "1");
    v->page.failed |= !text;
    rk_str_free(&s);
    return text ? text : "";
}

static void write_tensor(listing *l, const rk_weight_row *row)
{
    rk_view *v = l->v;
    const rk_weight *w = weight_of(v, row);

    rk_json_row(&v->json, NULL);
    rk_json_text(&v->json, "name", name_text(l, w));
    rk_json_list(&v->json, "shape");
    for (size_t i = 0; i < w->n_dim; i++)
        rk_json_count(&v->json, NULL, rk_view_value(v, w->dim[i]));
    rk_json_close(&v->json);
    rk_json_count(&v->json, "count", rk_view_value(v, row->count));
    if (w->tied_to != RK_NONE)
        rk_json_text(&v->json, "tied_to", name_text(l, &v->model->program.weight[w->tied_to]));
    rk_json_close(&v->json);
}

static void put_tensor(listing *l, const rk_weight_row *row)
{
    rk_view *v = l->v;
    const rk_weight *w = weight_of(v, row);
    rk_cell *cell = rk_page_row(&v->page, l->table, RK_ROW_PLAIN, 0);

    cell[0] = rk_cell_code(name_text(l, w));
    cell[1] = rk_cell_text(&v->page, "%s", shape_text(v, w));
    cell[2] = rk_cell_count(rk_view_value(v, row->count));
    if (w->tied_to != RK_NONE)
        cell[3] = rk_cell_text(&v->page, "tied to %s", name_text(l, &v->model->program.weight[w->tied_to]));
}

static void list_rows(listing *l, const rk_weight_row *const *row, size_t n, int depth);

/* The rows of one loop, layer by layer, as a checkpoint has them. */
static void list_loop(listing *l, uint32_t loop, const rk_weight_row *const *row, size_t n, int depth)
{
    const rk_program *p = &l->v->model->program;
    const rk_loop *around = &p->loop[loop];
    const rk_weight_row **here = RK_NEW_ARRAY(&l->v->arena, n, const rk_weight_row *);
    rk_i128 n_layer = here ? rk_view_value(l->v, around->count) : 0;

    for (rk_i128 layer = 0; layer < n_layer && l->v->code == RK_OK && !l->v->arena.failed; layer++) {
        size_t n_here = 0;

        l->index[loop] = layer;
        for (size_t i = 0; i < n; i++) {
            uint32_t group = group_at(p, weight_of(l->v, row[i])->group, depth);

            if (!around->order || around->order[layer] == group)
                here[n_here++] = row[i];
        }
        list_rows(l, here, n_here, depth + 1);
    }
}

static void list_rows(listing *l, const rk_weight_row *const *row, size_t n, int depth)
{
    const rk_program *p = &l->v->model->program;

    for (size_t i = 0, end; i < n && l->v->code == RK_OK; i = end) {
        uint32_t group = group_at(p, weight_of(l->v, row[i])->group, depth);

        end = i + 1;
        if (group == RK_NONE) {
            if (l->table)
                put_tensor(l, row[i]);
            else
                write_tensor(l, row[i]);
            continue;
        }
        for (; end < n; end++) {
            uint32_t next = group_at(p, weight_of(l->v, row[end])->group, depth);

            if (next == RK_NONE || p->group[next].loop != p->group[group].loop)
                break;
        }
        list_loop(l, p->group[group].loop, row + i, end - i, depth);
    }
}

static void list_all(rk_view *v, const rk_weight_row *row, size_t n, rk_table *table)
{
    listing l = {v, RK_NEW_ARRAY(&v->arena, v->model->program.n_loop + 1, rk_i128), table};
    const rk_weight_row **all = RK_NEW_ARRAY(&v->arena, n, const rk_weight_row *);

    if (!l.index || !all)
        return;
    for (size_t i = 0; i < n; i++)
        all[i] = &row[i];
    list_rows(&l, all, n, 0);
}

/* ---- for people ------------------------------------------------------------------------------------------------- */

static void put_heads(rk_view *v)
{
    const rk_ledger *l = v->ledger;
    rk_str s = {0};

    rk_str_in_words(&s, rk_view_value(v, l->stored));
    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s: %s parameters", v->model->name, rk_str_text(&s));
    if (v->model->text && v->model->text[0])
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s", v->model->text);
    rk_page_gap(&v->page);
    v->page.failed |= s.failed;
    rk_str_free(&s);
}

/* What a tensor has and its part has not: its shape, and whose storage it is. */
static void put_shape(rk_view *v, rk_cell *cell, const rk_weight *w)
{
    cell[1] = rk_cell_text(&v->page, "%s", shape_text(v, w));
    if (w->tied_to != RK_NONE)
        cell[6] = rk_cell_text(&v->page, "tied to %s", v->model->program.weight[w->tied_to].pattern);
    else if (w->frozen)
        cell[6] = rk_cell_text(&v->page, "not trained");
}

static void put_node(rk_view *v, rk_table *t, const rk_rollup *tree, size_t *i, int depth)
{
    int indent = (int)tree->node[*i].depth - 1;
    const char *name = rk_view_node_name(v, tree, i, depth);
    const rk_roll_node *n = &tree->node[*i];
    rk_cell *cell = rk_page_row(&v->page, t, n->n_below ? RK_ROW_PART : RK_ROW_PLAIN, indent);
    rk_i128 total = rk_view_total(v, n->times, n->figure[0]);

    cell[0] = rk_cell_code(n->row == RK_NONE ? name : n->name);
    cell[2] = rk_cell_count(rk_view_value(v, n->figure[0]));
    cell[3] = rk_cell_count(rk_view_value(v, n->times));
    cell[4] = rk_cell_count(total);
    cell[5] = rk_cell_share(total, rk_view_value(v, v->ledger->stored));
    cell[6] = n->n_below ? rk_view_short_formula(v, n->figure[0]) : rk_view_formula(v, n->figure[0]);
    if (n->row != RK_NONE)
        put_shape(v, cell, weight_of(v, &v->ledger->weight[n->row]));
}

static void put_stored(rk_view *v, rk_table *t)
{
    rk_i128 stored = rk_view_value(v, v->ledger->stored);
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_TOTAL, 0);

    cell[0] = rk_cell_text(&v->page, "total");
    cell[4] = rk_cell_count(stored);
    cell[5] = rk_cell_share(stored, stored);
}

static void put_groups(rk_view *v, int depth)
{
    static const rk_column column[] = {{"", false},     {"shape", true}, {"count", true},   {"times", true},
                                       {"total", true}, {"share", true}, {"formula", false}};
    rk_table *t = rk_page_table(&v->page, column, 7);
    rk_rollup tree = {0};

    if (v->code == RK_OK)
        v->code = rk_rollup_weights(&v->arena, v->ledger, &tree, v->err);
    for (size_t i = 1; i < tree.n && v->code == RK_OK; i++)
        if (depth == 0 || (int)tree.node[i].depth <= depth)
            put_node(v, t, &tree, &i, depth);
    put_stored(v, t);
}

static void put_all(rk_view *v, const rk_weight_row *row, size_t n, bool total)
{
    static const rk_column column[] = {{"", false}, {"shape", true}, {"count", true}, {"", false}};
    rk_table *t = rk_page_table(&v->page, column, 4);
    rk_cell *cell;

    list_all(v, row, n, t);
    if (!total)
        return;
    cell = rk_page_row(&v->page, t, RK_ROW_TOTAL, 0);
    cell[0] = rk_cell_text(&v->page, "total");
    cell[2] = rk_cell_count(rk_view_value(v, v->ledger->stored));
}

static void put_sum(rk_view *v, const char *name, rk_ex e, const char *note)
{
    rk_cell formula = rk_view_formula(v, e);
    rk_i128 plain;

    /* A formula without symbols is the number already. */
    if (!rk_ex_is_int(v->pool, formula.formula, &plain)) {
        rk_page_equation(&v->page, 0, name, formula, NULL);
        name = NULL;
    }
    rk_page_equation(&v->page, 0, name, rk_cell_count(rk_view_value(v, e)), note);
}

static void put_sums(rk_view *v)
{
    const rk_ledger *l = v->ledger;
    rk_ex shown[] = {rk_view_form(v, l->stored), rk_view_form(v, l->named), rk_view_form(v, l->active)};

    rk_page_gap(&v->page);
    put_sum(v, "stored", l->stored, NULL);
    if (l->named != l->stored)
        put_sum(v, "named", l->named, "tied tensors under each of their names");
    if (l->active != l->stored)
        put_sum(v, "active", l->active, "what one token uses");
    rk_page_gap(&v->page);
    rk_view_put_symbols(v, shown, 3);
}

static void put_buffers(rk_view *v)
{
    if (v->ledger->n_buffer == 0)
        return;
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_HEADING, 0, "Stored beside the parameters, and none of them:");
    put_all(v, v->ledger->buffer, v->ledger->n_buffer, false);
}

static void fill_page(rk_view *v, const rk_params_options *o)
{
    put_heads(v);
    if (o->all)
        put_all(v, v->ledger->weight, v->ledger->n_weight, true);
    else
        put_groups(v, o->depth);
    put_sums(v);
    if (o->all)
        put_buffers(v);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static void write_tensors(rk_view *v, const char *key, const rk_weight_row *row, size_t n)
{
    rk_json_open(&v->json, key, '[');
    list_all(v, row, n, NULL);
    rk_json_close(&v->json);
}

static void write_json(rk_view *v)
{
    const rk_ledger *l = v->ledger;
    rk_json *j = &v->json;

    rk_json_open(j, NULL, '{');
    rk_json_text(j, "model", v->model->name);
    rk_json_row(j, "parameters");
    rk_json_count(j, "stored", rk_view_value(v, l->stored));
    rk_json_count(j, "named", rk_view_value(v, l->named));
    rk_json_count(j, "active", rk_view_value(v, l->active));
    rk_json_close(j);
    rk_json_text(j, "formula", rk_view_formula_text(v, l->stored, RK_PRINT_TEXT | v->style));
    write_tensors(v, "tensors", l->weight, l->n_weight);
    write_tensors(v, "buffers", l->buffer, l->n_buffer);
    rk_json_close(j);
}

int rk_report_params(const rk_report *r, const rk_ledger *l, const rk_params_options *o, rk_err *err)
{
    rk_view v;

    rk_view_begin(&v, r, l, err);
    if (r->format == RK_FORMAT_JSON)
        write_json(&v);
    else
        fill_page(&v, o);
    return rk_view_end(&v);
}
