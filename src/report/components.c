/* SPDX-License-Identifier: MIT */
/* Where a model's parameters and operations go: its parts of the first two levels, both figures side by side. */
#include "report/view.h"

#include "account/count.h"

#include <string.h>

enum {
    ROWS_MOST = 12, /* with more, only the first level is shown: it has to fit on one page */
    SHARE_LEAST = 5 /* a part with less than one in so many is not taken apart */
};

typedef struct component {
    const rk_roll_node *node;      /* for its name; from either tree */
    bool shows_times;              /* it occurs more often than the part around it */
    rk_ex params, active, forward; /* of all occurrences */
} component;

typedef struct component_list {
    rk_view *v;
    RK_VEC(component) row;
    int depth; /* levels that are shown */
} component_list;

/* ---- the parts -------------------------------------------------------------------------------------------------- */

/* Makes room for a row after row `at` and all that stands in it. */
static component *insert_after(component_list *list, size_t at, const rk_roll_node *n)
{
    size_t place = list->row.n ? at + 1 : 0;
    component *new = RK_PUSH(&list->v->arena, &list->row);

    if (!new)
        return NULL;
    while (place + 1 < list->row.n && list->row.at[place].node->depth > n->depth)
        place++;
    memmove(&list->row.at[place + 1], &list->row.at[place], (list->row.n - 1 - place) * sizeof *new);
    new = &list->row.at[place];
    *new = (component){.node = n};
    new->params = new->active = new->forward = rk_ex_int(list->v->pool, 0);
    return new;
}

static void add_tree(component_list *list, const rk_rollup *tree, bool is_ops)
{
    size_t last = 0;

    for (size_t i = 1; i < tree->n; i++) {
        const rk_roll_node *n = &tree->node[i];
        size_t at = 0;
        component *c;
        rk_ex all;

        /* Parts of two levels; single tensors and operations only where they stand in no part. */
        if (!(n->depth == 1 || (n->depth == 2 && n->n_below > 0)))
            continue;
        while (at < list->row.n && strcmp(list->row.at[at].node->label, n->label) != 0)
            at++;
        c = at < list->row.n ? &list->row.at[at] : insert_after(list, last, n);
        if (!c)
            return;
        last = (size_t)(c - list->row.at);
        c->shows_times = n->times != tree->node[n->parent].times;
        all = rk_ex_mul(list->v->pool, n->times, n->figure[0]);
        if (is_ops) {
            c->forward = all;
        } else {
            c->params = all;
            c->active = rk_ex_mul(list->v->pool, n->times, n->figure[1]);
        }
    }
}

/* ---- the table -------------------------------------------------------------------------------------------------- */

#define COLUMNS(X)                                                                                                     \
    X(NAME, {.head = ""})                                                                                              \
    X(PARAMS, {.head = "parameters", .right = true})                                                                   \
    X(ACTIVE, {.head = "active", .right = true, .drop = 4})                                                            \
    X(PARAMS_SHARE, {.head = "share", .right = true, .drop = 2})                                                       \
    X(PARAMS_BAR, {.head = "", .drop = 3})                                                                             \
    X(FORWARD, {.head = "FLOP", .right = true, .drop = 6})                                                             \
    X(PER_TOKEN, {.head = "per token", .right = true, .drop = 1})                                                      \
    X(FORWARD_SHARE, {.head = "share", .right = true, .drop = 5})                                                      \
    X(FORWARD_BAR, {.head = "", .drop = 3})
RK_FIELD_TABLE(columns, N_COLUMN, COLUMNS);

/* Whether a part has nothing in it but the next one: layers[5].mamba is one row. */
static bool is_only_next(const component_list *list, size_t i)
{
    const component *c = list->row.at;

    if (i + 1 >= list->row.n || c[i + 1].node->depth <= c[i].node->depth)
        return false;
    if (i + 2 < list->row.n && c[i + 2].node->depth > c[i].node->depth)
        return false;
    return c[i].params == c[i + 1].params && c[i].active == c[i + 1].active && c[i].forward == c[i + 1].forward;
}

/* "layers[3-60] × 58" */
static rk_cell name_of(rk_view *v, const component *c, const component *only)
{
    rk_cell name = rk_view_path_name(v, c->node, only ? only->node : NULL);
    const char *times;
    rk_i128 n = 0;

    if (!c->shows_times)
        return name;
    times = rk_view_known(v, c->node->times, &n) ? rk_view_grouped(v, n)
                                                 : rk_view_formula_text(v, c->node->times, RK_PRINT_TEXT);
    name.text = rk_view_format(v, "%s × %s", name.text, times);
    name.brief = rk_view_format(v, "%s × %s", name.brief, times);
    return name;
}

static void put_params(rk_view *v, rk_cell *cell, rk_ex params, rk_ex active)
{
    rk_i128 n = rk_view_value(v, params), whole = rk_view_value(v, v->ledger->stored);

    cell[PARAMS] = rk_view_text(rk_view_letters(v, n));
    if (v->ledger->active != v->ledger->stored)
        cell[ACTIVE] = rk_view_text(rk_view_letters(v, rk_view_value(v, active)));
    cell[PARAMS_SHARE] = rk_cell_share(n, whole);
    cell[PARAMS_BAR] = rk_cell_bar(n, whole);
}

static void put_forward(rk_view *v, rk_cell *cell, rk_ex forward)
{
    rk_i128 n = rk_view_value(v, forward), whole = rk_view_value(v, v->ledger->forward),
            tokens = rk_count_tokens(v->model);

    cell[FORWARD] = rk_view_text(rk_view_scaled(v, n, ""));
    if (tokens > 0)
        cell[PER_TOKEN] = rk_view_text(rk_view_scaled(v, n / tokens + (n % tokens >= tokens - tokens / 2), ""));
    cell[FORWARD_SHARE] = rk_cell_share(n, whole);
    cell[FORWARD_BAR] = rk_cell_bar(n, whole);
}

static bool is_share(rk_view *v, rk_ex e, rk_ex of)
{
    rk_i128 whole = rk_view_value(v, of);

    return whole > 0 && rk_view_value(v, e) >= whole / SHARE_LEAST;
}

/* Leaves out what stands in small parts, and in all parts where there are too many. */
static void choose_rows(component_list *list)
{
    rk_view *v = list->v;
    component *c = list->row.at;
    bool apart = true;
    size_t n = 0, shown = 0;

    for (size_t i = 0; i < list->row.n && v->code == RK_OK; i++) {
        bool single = i > 0 && is_only_next(list, i - 1);

        if (c[i].node->depth == 1)
            apart = is_share(v, c[i].params, v->ledger->stored) || is_share(v, c[i].forward, v->ledger->forward);
        if (c[i].node->depth == 1 || apart || single)
            c[n++] = c[i];
    }
    list->row.n = n;
    for (size_t i = 0; i < n; i++)
        shown += !is_only_next(list, i);
    list->depth = shown > ROWS_MOST ? 1 : 2;
}

/* Row i, or the two that are one; how many they are. */
static size_t put_component(component_list *list, rk_table *t, size_t i)
{
    const component *c = &list->row.at[i];
    bool two = is_only_next(list, i);
    /* What is followed by parts of the next level is the sum of them, and of what stands in none. */
    bool is_sum = !two && i + 1 < list->row.n && c[1].node->depth > c->node->depth && list->depth > 1;
    rk_cell *cell = rk_page_row(&list->v->page, t, is_sum ? RK_ROW_PART : RK_ROW_PLAIN, (int)c->node->depth - 1);

    cell[NAME] = name_of(list->v, c, two ? c + 1 : NULL);
    put_params(list->v, cell, c->params, c->active);
    put_forward(list->v, cell, c->forward);
    return two ? 2 : 1;
}

static void put_table(component_list *list)
{
    rk_view *v = list->v;
    rk_field column[N_COLUMN];
    rk_table *t;
    rk_cell *cell;

    choose_rows(list);
    memcpy(column, columns, sizeof column);
    column[FORWARD].head = rk_view_unit(v);
    t = rk_view_table(v, column, N_COLUMN);
    t->main = true;
    for (size_t i = 0, n = 1; i < list->row.n && v->code == RK_OK; i += n)
        n = (int)list->row.at[i].node->depth <= list->depth ? put_component(list, t, i) : 1;
    cell = rk_page_row(&v->page, t, RK_ROW_TOTAL, 0);
    cell[NAME] = rk_cell_text(&v->page, "total");
    put_params(v, cell, v->ledger->stored, v->ledger->active);
    put_forward(v, cell, v->ledger->forward);
    cell[PARAMS_BAR] = cell[FORWARD_BAR] = (rk_cell){0};
}

/* The same where symbols have no numbers: formulas of one occurrence. */
static void put_formulas(component_list *list)
{
    static const rk_field column[] = {
        {.head = ""}, {.head = "parameters", .wraps = true}, {.head = "forward", .wraps = true, .drop = 1}};
    rk_view *v = list->v;
    rk_table *t = rk_page_table(&v->page, column, 3);

    for (size_t i = 0; i < list->row.n && v->code == RK_OK; i++) {
        const component *c = &list->row.at[i];
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, (int)c->node->depth - 1);

        cell[0] = name_of(v, c, NULL);
        cell[1] = rk_view_short_formula(v, c->params, RK_VIEW_TERMS_IN_TABLE);
        cell[2] = rk_view_short_formula(v, c->forward, RK_VIEW_TERMS_IN_TABLE);
    }
}

void rk_view_put_components(rk_view *v)
{
    rk_rollup weights = {0}, ops = {0};
    component_list list = {.v = v};
    rk_i128 n;

    if (v->code == RK_OK)
        v->code = rk_rollup_weights(&v->arena, v->ledger, &weights, v->err);
    if (v->code == RK_OK)
        v->code = rk_rollup_ops(&v->arena, v->ledger, &ops, v->err);
    if (v->code != RK_OK)
        return;
    add_tree(&list, &weights, false);
    add_tree(&list, &ops, true);
    rk_page_gap(&v->page);
    if (rk_view_known(v, v->ledger->stored, &n) && rk_view_known(v, v->ledger->forward, &n))
        put_table(&list);
    else
        put_formulas(&list);
}
