/* SPDX-License-Identifier: MIT */
/* What `reckon params` prints: tensors with their shapes and counts, by layer group or each. */
#include "report/answers.h"
#include "report/view.h"

#include "account/packing.h"

#include <string.h>

/* ---- every single tensor ---------------------------------------------------------------------------------------- */

#define ALL_FIELDS(X)                                                                                                  \
    X(ALL_NAME, RK_COLUMN("", "name", CODE, "as the checkpoint has it"))                                               \
    X(ALL_SHAPE, RK_COLUMN("shape", "shape", SHAPE, "sizes; null: the weights decide it, so the config cannot tell",   \
                           .right = true, .drop = 2))                                                                  \
    X(ALL_COUNT, RK_COLUMN("count", "count", COUNT, "elements", .right = true, .unit = ""))                            \
    X(ALL_TYPE, RK_COLUMN("type", "dtype", CODE, "as it is stored", .drop = 3))                                        \
    X(ALL_BYTES, RK_COLUMN("bytes", "bytes", COUNT, "stored", .right = true, .unit = "B", .drop = 4))                  \
    X(ALL_TIED, RK_COLUMN("", "tied_to", CODE, "the tensor whose storage it has", .wraps = true, .drop = 1))
RK_FIELD_TABLE(all_field, N_ALL, ALL_FIELDS);
static const rk_fields all_fields = {all_field, N_ALL};

/* Parameters or buffers, layer by layer as a checkpoint has them. */
typedef struct listing {
    rk_view *v;
    rk_naming layout;
    bool buffers;
} listing;

/* A checkpoint has quantised weights packed, where it is known how. */
static bool is_packed(rk_view *v, rk_naming layout)
{
    const rk_packing *p = rk_view_packing(v);

    return layout == RK_NAMING_CHECKPOINT && p->method && !p->unknown;
}

static void put_tensor(rk_view *v, rk_cell *cell, const rk_named *t)
{
    cell[ALL_NAME] = rk_cell_code(t->name);
    cell[ALL_SHAPE] = t->dim ? rk_cell_shape(t->dim, t->n_dim) : rk_cell_null();
    cell[ALL_COUNT] = t->dim ? rk_cell_count(t->count) : (rk_cell){0};
    cell[ALL_TYPE] = rk_cell_name(t->dtype);
    cell[ALL_BYTES] = t->dtype ? rk_cell_count(t->bytes) : (rk_cell){0};
    cell[ALL_TIED] = rk_cell_name(t->tied_to);
    if (t->tied_to)
        cell[ALL_TIED] = rk_cell_both(&v->page, cell[ALL_TIED], rk_cell_text(&v->page, "tied to %s", t->tied_to));
}

static void make_tensors(void *self, rk_cell *cell, rk_row_taker *take, void *taker)
{
    const listing *o = self;
    rk_view *v = o->v;
    bool packed = is_packed(v, o->layout);
    rk_names names = {0};

    if (v->code == RK_OK)
        v->code =
            packed ? rk_packing_list(v->ledger, &names, v->err) : rk_names_new(v->ledger, o->layout, &names, v->err);
    if (v->code == RK_OK && !packed)
        rk_packing_type(v->ledger, &names);
    for (size_t i = 0; i < names.n && v->code == RK_OK; i++)
        if (names.at[i].buffer == o->buffers) {
            put_tensor(v, cell, &names.at[i]);
            take(taker, cell);
        }
    rk_names_free(&names);
}

static void list_tensors(rk_view *v, rk_cell *in, listing *o)
{
    rk_table *t = rk_cell_list(&v->page, in, &all_fields);

    t->make = make_tensors;
    t->self = o;
}

static void put_all(rk_view *v, rk_table *t, rk_naming layout)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_TOTAL, 0);

    rk_page_show(&v->page, t);
    cell[ALL_NAME] = rk_cell_text(&v->page, "total");
    if (!is_packed(v, layout))
        cell[ALL_COUNT] = rk_cell_count(rk_view_value(v, v->ledger->stored));
    if (rk_view_packing(v)->sized)
        cell[ALL_BYTES] = rk_cell_count(rk_view_packing(v)->bytes);
}

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

#define COLUMNS(X)                                                                                                     \
    X(NAME, {.head = ""})                                                                                              \
    X(PART, {.key = "part"})                                                                                           \
    X(TENSOR, {.key = "tensor"})                                                                                       \
    X(SHAPE, {.head = "shape", .key = "shape", .right = true, .drop = 4})                                              \
    X(COUNT, {.head = "count", .key = "count", .right = true, .unit = "", .drop = 1})                                  \
    X(TIMES, {.head = "times", .key = "times", .right = true, .drop = 5})                                              \
    X(TOTAL, {.head = "total", .key = "total", .right = true, .unit = ""})                                             \
    X(SHARE, {.head = "share", .key = "share", .right = true, .drop = 2})                                              \
    X(FORMULA, {.head = "formula", .key = "formula", .wraps = true, .drop = 3})                                        \
    X(TIED, {.key = "tied_to"})
RK_FIELD_TABLE(column, N_COLUMN, COLUMNS);

/* What a tensor has and its part has not: its name and shape, and whose storage it is. */
static void put_weight(rk_view *v, rk_cell *cell, const rk_roll_node *n, size_t cut)
{
    const rk_weight *w = &v->model->program.weight[v->ledger->weight[n->row].weight];
    rk_i128 *dim = RK_NEW_ARRAY(&v->arena, w->n_dim + 1, rk_i128);

    for (size_t i = 0; dim && i < w->n_dim; i++)
        dim[i] = rk_view_value(v, w->dim[i]);
    cell[NAME] = cell[TENSOR] = rk_cell_code(n->name);
    cell[NAME].brief = n->name + cut;
    cell[SHAPE] = rk_cell_shape(dim, dim ? w->n_dim : 0);
    if (w->tied_to != RK_NONE) {
        rk_cell tied;

        cell[TIED] = rk_cell_code(v->model->program.weight[w->tied_to].pattern);
        tied = rk_cell_text(&v->page, "tied to %s", cell[TIED].text);
        tied.brief = "tied";
        cell[FORMULA] = rk_cell_both(&v->page, cell[FORMULA], tied);
    } else if (w->frozen) {
        cell[FORMULA] = rk_cell_both(&v->page, cell[FORMULA], rk_view_text("not trained"));
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
    cell[PART] = rk_cell_code(part_label(tree, n));
    cell[COUNT] = rk_cell_count(rk_view_value(v, n->figure[0]));
    cell[TIMES] = rk_cell_count(rk_view_value(v, n->times));
    cell[TOTAL] = rk_cell_count(total);
    cell[SHARE] = rk_cell_share(total, rk_view_value(v, v->ledger->stored));
    cell[FORMULA] = rk_view_short_formula(v, n->figure[0], is_part ? RK_VIEW_TERMS_IN_TABLE : 0);
    if (n->row != RK_NONE)
        put_weight(v, cell, n, cut[tree->node[first].parent]);
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

/* ---- the whole -------------------------------------------------------------------------------------------------- */

#define PART_FIELDS(X)                                                                                                 \
    X(OF_PART, RK_KEY("part", TEXT, "its path"))                                                                       \
    X(OF_TENSOR, RK_KEY("tensor", TEXT, "the tensor alone, where it stands on that level"))                            \
    X(OF_COUNT, RK_KEY("count", COUNT, "elements of one"))                                                             \
    X(OF_TIMES, RK_KEY("times", COUNT, "how often it occurs"))                                                         \
    X(OF_TOTAL, RK_KEY("total", COUNT, "elements of all; of all rows, the stored ones"))                               \
    X(OF_FORMULA, RK_KEY("formula", FORMULA, "of one"))
RK_FIELD_TABLE(part_field, N_PART_FIELD, PART_FIELDS);
static const rk_fields part_fields = {part_field, N_PART_FIELD};

/* What --depth leaves standing: parts of that level, and tensors above it. */
static void list_parts(rk_view *v, rk_cell *in, int depth)
{
    rk_table *t = rk_cell_list(&v->page, in, &part_fields);
    rk_rollup tree = {0};

    if (v->code == RK_OK)
        v->code = rk_rollup_weights(&v->arena, v->ledger, &tree, v->err);
    for (size_t i = 1; i < tree.n && v->code == RK_OK; i++) {
        const rk_roll_node *n = &tree.node[i];
        rk_cell *cell;

        if ((int)n->depth > depth || (n->n_below > 0 && (int)n->depth < depth))
            continue;
        cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
        cell[OF_PART] = rk_cell_name(part_label(&tree, n));
        cell[OF_TENSOR] = n->row != RK_NONE ? rk_cell_name(n->name) : (rk_cell){0};
        cell[OF_COUNT] = rk_cell_count(rk_view_value(v, n->figure[0]));
        cell[OF_TIMES] = rk_cell_count(rk_view_value(v, n->times));
        cell[OF_TOTAL] = rk_cell_count(rk_view_total(v, n->times, n->figure[0]));
        cell[OF_FORMULA] = rk_view_formula(v, n->figure[0]);
    }
}

enum { /* of the answer */
    PARAMETERS = RK_N_ANSWER,
    PACKING,
    STORED_FORMULA = PACKING + RK_N_PACKING,
    PARTS,
    TENSORS,
    BUFFERS,
    N_ANSWER
};

const rk_field rk_parameters_field[] = {
    RK_KEY("stored", COUNT, "tied tensors once"),
    RK_KEY("named", COUNT, "tied tensors under each of their names"),
    RK_KEY("active", COUNT, "what one token uses"),
    RK_KEY("trained", COUNT, "what has a gradient"),
};
static const rk_fields parameters_fields = {rk_parameters_field, 4};

static const rk_field answer_field[N_ANSWER] = {
    RK_FIELDS_OF_MODEL,
    [PARAMETERS] = RK_OBJECT("parameters", parameters_fields, "how many"),
    RK_FIELDS_OF_PACKING(PACKING),
    [STORED_FORMULA] = RK_KEY("formula", FORMULA, "of the stored ones"),
    [PARTS] = RK_LIST("parts", part_fields, "with --depth, instead of the tensors"),
    [TENSORS] = RK_LIST("tensors", all_fields, "each of them; null: too many, unless --all asks for them"),
    [BUFFERS] = RK_LIST("buffers", all_fields, "stored beside the parameters"),
};
const rk_fields rk_answer_params = {answer_field, N_ANSWER};

static void put_page(rk_view *v, const void *about)
{
    const rk_params_options *o = about;
    const rk_cell *answer = v->page.answer.cell;

    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s: %s parameters", v->model->name,
                rk_view_words(v, rk_view_value(v, v->ledger->stored)));
    rk_view_put_like(v);
    if (v->model->text && v->model->text[0])
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s", v->model->text);
    rk_view_put_notes(v);
    rk_page_gap(&v->page);
    if (o->all)
        put_all(v, answer[TENSORS].table, o->layout);
    else
        put_groups(v, o->depth);
    put_sums(v);
    if (o->all && v->ledger->n_buffer > 0) {
        rk_page_gap(&v->page);
        rk_page_put(&v->page, RK_ITEM_HEADING, 0, "Stored beside the parameters, and none of them:");
        rk_page_show(&v->page, answer[BUFFERS].table);
    }
}

/* Whoever did not ask for each gets the sums without them.  What has no number is said where it is missed first. */
static bool too_many(rk_view *v, const rk_params_options *o)
{
    rk_err quiet;
    rk_i128 n = 0;

    return !o->all && rk_names_count(v->ledger, o->layout, &n, &quiet) == RK_OK && n > RK_NAMES_MAX;
}

int rk_report_params(const rk_report *r, const rk_ledger *l, const rk_params_options *o, rk_err *err)
{
    rk_view v;
    listing tensors = {&v, o->layout, false}, buffers = {&v, o->layout, true};
    rk_cell *answer, *cell;

    rk_view_begin(&v, r, l, err);
    answer = rk_view_answer(&v, &rk_answer_params);
    cell = rk_cell_object(&v.page, &answer[PARAMETERS], &parameters_fields);
    cell[0] = rk_cell_count(rk_view_value(&v, l->stored));
    cell[1] = rk_cell_count(rk_view_value(&v, l->named));
    cell[2] = rk_cell_count(rk_view_value(&v, l->active));
    cell[3] = rk_cell_count(rk_view_value(&v, l->trained));
    rk_view_packing_keys(&v, &answer[PACKING]);
    answer[STORED_FORMULA] = rk_view_formula(&v, l->stored);
    if (o->depth > 0) {
        list_parts(&v, &answer[PARTS], o->depth);
    } else if (too_many(&v, o)) {
        answer[TENSORS] = answer[BUFFERS] = rk_cell_null();
    } else {
        list_tensors(&v, &answer[TENSORS], &tensors);
        list_tensors(&v, &answer[BUFFERS], &buffers);
    }
    rk_view_page(&v, put_page, o);
    return rk_view_end(&v);
}
