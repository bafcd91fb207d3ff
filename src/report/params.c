/* SPDX-License-Identifier: MIT */
/* What `reckon params` prints: tensors with their shapes and counts, by layer group or each. */
#include "report/view.h"

#include "account/packing.h"

#include <string.h>

/* ---- every single tensor ---------------------------------------------------------------------------------------- */

/* A shape for people, "1,600 × 4,800", or for programs, "1600x4800". */
static rk_cell dims_cell(rk_view *v, const rk_i128 *dim, size_t n, bool for_people)
{
    return rk_view_text(n > 0 ? rk_view_shape(v, dim, n, for_people) : "1");
}

static rk_cell shape_cell(rk_view *v, const rk_weight *w, bool for_people)
{
    rk_i128 *dim = RK_NEW_ARRAY(&v->arena, w->n_dim + 1, rk_i128);

    for (size_t i = 0; dim && i < w->n_dim; i++)
        dim[i] = rk_view_value(v, w->dim[i]);
    return dims_cell(v, dim, dim ? w->n_dim : 0, for_people);
}

static void write_tensor(rk_json *j, const rk_named *t)
{
    rk_json_row(j, NULL);
    rk_json_text(j, "name", t->name);
    if (t->dim) {
        rk_json_counts(j, "shape", t->dim, t->n_dim);
        rk_json_count(j, "count", t->count);
    } else {
        rk_json_null(j, "shape"); /* the weights decide it, so the config cannot tell */
    }
    if (t->dtype) {
        rk_json_text(j, "dtype", t->dtype);
        rk_json_count(j, "bytes", t->bytes);
    }
    if (t->tied_to)
        rk_json_text(j, "tied_to", t->tied_to);
    rk_json_close(j);
}

enum { /* columns of the list of every tensor */
    ALL_NAME,
    ALL_SHAPE,
    ALL_SHAPE_KEY,
    ALL_COUNT,
    ALL_TYPE,
    ALL_BYTES,
    ALL_TIED,
    ALL_TIED_KEY,
    N_ALL
};

static const rk_field all_column[N_ALL] = {
    [ALL_NAME] = {.head = "", .key = "name"},
    [ALL_SHAPE] = {.head = "shape", .right = true, .drop = 2},
    [ALL_SHAPE_KEY] = {.key = "shape"},
    [ALL_COUNT] = {.head = "count", .key = "count", .right = true},
    [ALL_TYPE] = {.head = "type", .key = "dtype", .drop = 3},
    [ALL_BYTES] = {.head = "bytes", .key = "bytes", .right = true, .drop = 4},
    [ALL_TIED] = {.head = "", .wraps = true, .drop = 1},
    [ALL_TIED_KEY] = {.key = "tied_to"},
};

static void put_tensor(rk_view *v, rk_table *table, const rk_named *t)
{
    rk_cell *cell = rk_page_row(&v->page, table, RK_ROW_PLAIN, 0);
    const char *name = rk_arena_text(&v->arena, t->name);

    cell[ALL_NAME] = rk_cell_code(name ? name : "");
    if (t->dim) {
        cell[ALL_SHAPE] = dims_cell(v, t->dim, t->n_dim, true);
        cell[ALL_SHAPE_KEY] = dims_cell(v, t->dim, t->n_dim, false);
        cell[ALL_COUNT] = rk_cell_count(t->count);
    }
    if (t->dtype) {
        cell[ALL_TYPE] = rk_cell_code(t->dtype);
        cell[ALL_BYTES] = rk_cell_count(t->bytes);
    }
    if (!t->tied_to || !(name = rk_arena_text(&v->arena, t->tied_to)))
        return;
    cell[ALL_TIED_KEY] = rk_cell_code(name);
    cell[ALL_TIED] = rk_cell_text(&v->page, "tied to %s", name);
}

/* A checkpoint has quantised weights packed, where it is known how. */
static bool is_packed(rk_view *v, rk_naming layout)
{
    rk_packing p = {.sized = false};

    if (v->code == RK_OK && layout == RK_NAMING_CHECKPOINT)
        v->code = rk_packing_of(v->ledger, &p, v->err);
    return v->code == RK_OK && p.method && !p.unknown;
}

/* Parameters or buffers, layer by layer as a checkpoint has them: rows of a table, or JSON where there is none. */
static void list_all(rk_view *v, rk_naming layout, bool buffers, rk_table *table)
{
    bool packed = is_packed(v, layout);
    rk_names names = {0};

    if (v->code == RK_OK)
        v->code = packed ? rk_packing_list(v->ledger, &names, v->err) : rk_names_new(v->ledger, layout, &names, v->err);
    if (v->code == RK_OK && !packed)
        rk_packing_type(v->ledger, &names);
    for (size_t i = 0; i < names.n && v->code == RK_OK; i++) {
        if (names.at[i].buffer != buffers)
            continue;
        if (table)
            put_tensor(v, table, &names.at[i]);
        else
            write_tensor(&v->json, &names.at[i]);
    }
    rk_names_free(&names);
}

/* ---- for people ------------------------------------------------------------------------------------------------- */

enum { /* columns of the table by part */
    NAME,
    PART_KEY,
    TENSOR_KEY,
    SHAPE,
    SHAPE_KEY,
    COUNT,
    TIMES,
    TOTAL,
    SHARE,
    FORMULA,
    FORMULA_KEY,
    TIED_KEY,
    N_COLUMN
};

static const rk_field column[N_COLUMN] = {
    [NAME] = {.head = ""},
    [PART_KEY] = {.key = "part"},
    [TENSOR_KEY] = {.key = "tensor"},
    [SHAPE] = {.head = "shape", .right = true, .drop = 4},
    [SHAPE_KEY] = {.key = "shape"},
    [COUNT] = {.head = "count", .key = "count", .right = true, .drop = 1},
    [TIMES] = {.head = "times", .key = "times", .right = true, .drop = 5},
    [TOTAL] = {.head = "total", .key = "total", .right = true},
    [SHARE] = {.head = "share", .key = "share", .right = true, .drop = 2},
    [FORMULA] = {.head = "formula", .wraps = true, .drop = 3},
    [FORMULA_KEY] = {.key = "formula"},
    [TIED_KEY] = {.key = "tied_to"},
};

/* ---- shorter names ---------------------------------------------------------------------------------------------- */

/* What the names of all tensors below a part begin with, up to a dot: transformer.h.{i} */
static size_t common_prefix(const rk_rollup *tree, size_t part)
{
    const char *first = NULL;
    size_t n = 0;

    for (size_t i = part + 1; i <= part + tree->node[part].n_below; i++) {
        const char *name = tree->node[i].name;
        size_t same = 0;

        if (tree->node[i].row == RK_NONE)
            continue;
        for (n = first ? n : strlen(name), first = first ? first : name; same < n && name[same] == first[same];)
            same++;
        n = same;
    }
    while (n > 0 && first[n] != '.')
        n--;
    return n;
}

/* For each node: how many bytes the names of what is below it have in common.  Only where layers begin is it said. */
static size_t *common_prefixes(rk_view *v, const rk_rollup *tree)
{
    size_t *cut = RK_NEW_ARRAY(&v->arena, tree->n + 1, size_t);

    for (size_t i = 1; cut && i < tree->n; i++) {
        const rk_roll_node *n = &tree->node[i], *parent = &tree->node[n->parent];

        cut[i] = n->group != parent->group && n->n_below > 0 ? common_prefix(tree, i) : cut[n->parent];
    }
    return cut;
}

/* "layers at transformer.h.{i}" */
static const char *part_at(rk_view *v, const rk_rollup *tree, const size_t *cut, size_t i, const char *name)
{
    size_t around = cut[tree->node[i].parent];
    for (size_t k = i + 1; cut[i] > around && k <= i + tree->node[i].n_below; k++)
        if (tree->node[k].row != RK_NONE)
            return rk_view_format(v, "%s at %.*s", name, (int)(cut[i] - around), tree->node[k].name + around);
    return name;
}

/* ---- by part ---------------------------------------------------------------------------------------------------- */

/* What a tensor has and its part has not: its name and shape, and whose storage it is. */
static void put_weight(rk_view *v, rk_cell *cell, const rk_roll_node *n, size_t cut)
{
    const rk_weight *w = &v->model->program.weight[v->ledger->weight[n->row].weight];

    cell[NAME] = cell[TENSOR_KEY] = rk_cell_code(n->name);
    cell[NAME].brief = n->name + cut;
    cell[SHAPE] = shape_cell(v, w, true);
    cell[SHAPE_KEY] = shape_cell(v, w, false);
    if (w->tied_to != RK_NONE) {
        cell[TIED_KEY] = rk_cell_code(v->model->program.weight[w->tied_to].pattern);
        cell[FORMULA] = rk_cell_text(&v->page, "tied to %s", cell[TIED_KEY].text);
        cell[FORMULA].brief = "tied";
    } else if (w->frozen) {
        cell[FORMULA] = rk_cell_text(&v->page, "not trained");
    }
}

/* The part in which a row stands, or that it is. */
static const char *part_label(const rk_rollup *tree, const rk_roll_node *n)
{
    const rk_roll_node *part = n->row == RK_NONE || n->parent == RK_NONE ? n : &tree->node[n->parent];

    return part->label ? part->label : "";
}

static void put_node(rk_view *v, rk_table *t, const rk_rollup *tree, const size_t *cut, size_t *i, int depth)
{
    size_t first = *i;
    rk_cell name = rk_view_node_name(v, tree, i, depth);
    const rk_roll_node *n = &tree->node[*i];
    bool is_part = n->n_below > 0 && (depth == 0 || (int)n->depth < depth);
    rk_cell *cell = rk_page_row(&v->page, t, is_part ? RK_ROW_PART : RK_ROW_PLAIN, (int)tree->node[first].depth - 1);
    rk_i128 total = rk_view_total(v, n->times, n->figure[0]);

    name.brief = is_part ? part_at(v, tree, cut, first, name.brief) : name.brief;
    cell[NAME] = name;
    cell[PART_KEY] = rk_cell_code(part_label(tree, n));
    cell[COUNT] = rk_cell_count(rk_view_value(v, n->figure[0]));
    cell[TIMES] = rk_cell_count(rk_view_value(v, n->times));
    cell[TOTAL] = rk_cell_count(total);
    cell[SHARE] = rk_cell_share(total, rk_view_value(v, v->ledger->stored));
    cell[FORMULA] =
        is_part ? rk_view_short_formula(v, n->figure[0], RK_VIEW_TERMS_IN_TABLE) : rk_view_formula(v, n->figure[0]);
    cell[FORMULA_KEY] = rk_view_formula(v, n->figure[0]);
    if (n->row != RK_NONE)
        put_weight(v, cell, n, cut[tree->node[first].parent]);
}

static void put_all(rk_view *v, rk_naming layout, bool buffers)
{
    rk_table *t = rk_page_table(&v->page, all_column, N_ALL);
    rk_packing p = {.sized = false};
    rk_cell *cell;

    list_all(v, layout, buffers, t);
    if (buffers)
        return;
    cell = rk_page_row(&v->page, t, RK_ROW_TOTAL, 0);
    cell[ALL_NAME] = rk_cell_text(&v->page, "total");
    if (!is_packed(v, layout))
        cell[ALL_COUNT] = rk_cell_count(rk_view_value(v, v->ledger->stored));
    if (v->code == RK_OK)
        v->code = rk_packing_of(v->ledger, &p, v->err);
    if (v->code == RK_OK && p.sized)
        cell[ALL_BYTES] = rk_cell_count(p.bytes);
}

static void put_sums(rk_view *v)
{
    const rk_ledger *l = v->ledger;
    rk_ex shown[] = {rk_view_form(v, l->stored), rk_view_form(v, l->named), rk_view_form(v, l->active),
                     rk_view_form(v, l->trained)};

    rk_page_gap(&v->page);
    rk_view_put_sum(v, "stored", l->stored, NULL);
    if (l->named != l->stored)
        rk_view_put_sum(v, "named", l->named, "tied tensors under each of their names");
    if (l->active != l->stored)
        rk_view_put_sum(v, "active", l->active, "what one token uses");
    if (l->trained != l->stored)
        rk_view_put_sum(v, "trained", l->trained, "what has a gradient");
    rk_view_put_packing(v);
    rk_page_gap(&v->page);
    rk_view_put_symbols(v, shown, 4);
}

static void put_groups(rk_view *v, int depth)
{
    rk_table *t = rk_page_table(&v->page, column, N_COLUMN);
    rk_rollup tree = {0};
    const size_t *cut;
    rk_i128 stored;
    rk_cell *cell;

    if (v->code == RK_OK)
        v->code = rk_rollup_weights(&v->arena, v->ledger, &tree, v->err);
    cut = common_prefixes(v, &tree);
    for (size_t i = 1; cut && i < tree.n && v->code == RK_OK; i++)
        if (depth == 0 || (int)tree.node[i].depth <= depth)
            put_node(v, t, &tree, cut, &i, depth);
    stored = rk_view_value(v, v->ledger->stored);
    cell = rk_page_row(&v->page, t, RK_ROW_TOTAL, 0);
    cell[NAME] = rk_cell_text(&v->page, "total");
    cell[TOTAL] = rk_cell_count(stored);
    cell[SHARE] = rk_cell_share(stored, stored);
}

static void fill_page(rk_view *v, const rk_params_options *o)
{
    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s: %s parameters", v->model->name,
                rk_view_words(v, rk_view_value(v, v->ledger->stored)));
    rk_view_put_like(v);
    if (v->model->text && v->model->text[0])
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s", v->model->text);
    rk_view_put_notes(v);
    rk_page_gap(&v->page);
    if (o->all)
        put_all(v, o->layout, false);
    else
        put_groups(v, o->depth);
    put_sums(v);
    if (o->all && v->ledger->n_buffer > 0) {
        rk_page_gap(&v->page);
        rk_page_put(&v->page, RK_ITEM_HEADING, 0, "Stored beside the parameters, and none of them:");
        put_all(v, o->layout, true);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

/* Whoever did not ask for each gets the sums without them.  What has no number is said where it is missed first. */
static bool too_many(rk_view *v, const rk_params_options *o)
{
    rk_err quiet;
    rk_i128 n = 0;

    return !o->all && rk_names_count(v->ledger, o->layout, &n, &quiet) == RK_OK && n > RK_NAMES_MAX;
}

static void write_json(rk_view *v, const rk_params_options *o)
{
    const rk_ledger *l = v->ledger;
    bool sums = too_many(v, o);
    rk_json *j = &v->json;

    rk_view_json_begin(v);
    rk_view_json_notes(v);
    rk_json_row(j, "parameters");
    rk_json_count(j, "stored", rk_view_value(v, l->stored));
    rk_json_count(j, "named", rk_view_value(v, l->named));
    rk_json_count(j, "active", rk_view_value(v, l->active));
    rk_json_count(j, "trained", rk_view_value(v, l->trained));
    rk_json_close(j);
    rk_view_json_packing(v);
    rk_view_json_formula(v, "formula", l->stored);
    for (int buffers = 0; buffers < 2; buffers++) {
        if (sums) {
            rk_json_null(j, buffers ? "buffers" : "tensors");
            continue;
        }
        rk_json_open(j, buffers ? "buffers" : "tensors", '[');
        list_all(v, o->layout, buffers, NULL);
        rk_json_close(j);
    }
    rk_json_close(j);
}

int rk_report_params(const rk_report *r, const rk_ledger *l, const rk_params_options *o, rk_err *err)
{
    rk_view v;

    rk_view_begin(&v, r, l, err);
    if (r->format == RK_FORMAT_JSON)
        write_json(&v, o);
    else
        fill_page(&v, o);
    return rk_view_end(&v);
}
