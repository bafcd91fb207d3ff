/* SPDX-License-Identifier: MIT */
/* What `reckon flops` prints: every operation, forward and backward, summed up by part or by tensor. */
#include "report/view.h"

#include "report/step.h"

/* Which nodes are rows of their own: all that hold nothing further, and parts at the last level shown. */
static bool is_row(const rk_roll_node *n, int depth)
{
    return n->n_below == 0 || (int)n->depth == depth;
}

static bool is_shown(const rk_roll_node *n, int depth)
{
    return depth == 0 || (int)n->depth <= depth;
}

/* ---- for people ------------------------------------------------------------------------------------------------- */

enum { /* columns */
    NAME,
    PATH_KEY,
    LAYERS_KEY,
    OP_KEY,
    TIMES,
    EACH,
    FORWARD,
    BACKWARD,
    FORWARD_KEY,
    BACKWARD_KEY,
    SHARE,
    FORMULA,
    FORMULA_KEY,
    N_COLUMN
};

/* People see totals, which add up, and what one of them is; programs get one occurrence, as in JSON. */
static const rk_field column[N_COLUMN] = {
    [NAME] = {.head = ""},
    [PATH_KEY] = {.key = "path"},
    [LAYERS_KEY] = {.key = "layers"},
    [OP_KEY] = {.key = "op"},
    [TIMES] = {.head = "times", .key = "times", .right = true, .drop = 5},
    [EACH] = {.head = "each", .right = true, .drop = 2},
    [FORWARD] = {.head = "forward", .right = true},
    [BACKWARD] = {.head = "backward", .right = true, .drop = 1},
    [FORWARD_KEY] = {.key = "forward"},
    [BACKWARD_KEY] = {.key = "backward"},
    [SHARE] = {.head = "share", .key = "share", .right = true, .drop = 4},
    [FORMULA] = {.head = "formula of each", .wraps = true, .drop = 3},
    [FORMULA_KEY] = {.key = "formula"},
};

static const char *op_name(rk_view *v, const rk_roll_node *n)
{
    static const char *const id[] = {
#define ID(ID, ...) #ID,
        RK_OPS(ID)
#undef ID
    };
    const char *upper = id[v->model->program.op[v->ledger->op[n->row].op].row];
    char *lower = rk_arena_text(&v->arena, upper);

    for (char *c = lower; c && *c; c++)
        *c = (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
    return lower;
}

static void put_node(rk_view *v, rk_table *t, const rk_rollup *tree, size_t *i, const rk_flops_options *o)
{
    int indent = (int)tree->node[*i].depth - 1;
    rk_cell name = rk_view_node_name(v, tree, i, o->depth);
    const rk_roll_node *n = &tree->node[*i];
    bool row = is_row(n, o->depth);
    rk_cell *cell = rk_page_row(&v->page, t, row ? RK_ROW_PLAIN : RK_ROW_PART, indent);
    rk_i128 total = rk_view_total(v, n->times, n->figure[0]);

    cell[NAME] = name;
    cell[TIMES] = rk_cell_count(rk_view_value(v, n->times));
    cell[EACH] = rk_cell_count(rk_view_value(v, n->figure[0]));
    cell[FORWARD] = rk_cell_count(total);
    cell[BACKWARD] = rk_cell_count(rk_view_total(v, n->times, n->figure[1]));
    cell[SHARE] = rk_cell_share(total, rk_view_value(v, v->ledger->forward));
    cell[FORMULA] =
        row ? rk_view_formula(v, n->figure[0]) : rk_view_short_formula(v, n->figure[0], RK_VIEW_TERMS_IN_TABLE);
    /* What programs alone see. */
    cell[PATH_KEY] = rk_cell_code(n->path);
    if (n->layers)
        cell[LAYERS_KEY] = rk_cell_code(n->layers);
    if (n->row != RK_NONE && !o->by_tensor)
        cell[OP_KEY] = rk_cell_code(op_name(v, n));
    cell[FORWARD_KEY] = rk_cell_count(rk_view_value(v, n->figure[0]));
    cell[BACKWARD_KEY] = rk_cell_count(rk_view_value(v, n->figure[1]));
    cell[FORMULA_KEY] = rk_view_formula(v, n->figure[0]);
}

static void put_sum(rk_view *v, const char *name, rk_ex e)
{
    rk_view_put_sum(v, name, e, rk_view_scaled(v, rk_view_value(v, e), rk_view_unit(v)));
}

static void fill_page(rk_view *v, const rk_rollup *tree, const rk_flops_options *o)
{
    const rk_ledger *l = v->ledger;
    rk_optimizer_step optimizer = rk_view_step(v, o);
    rk_ex step = rk_view_step_total(v, &optimizer);
    rk_ex shown[] = {rk_view_form(v, l->forward), rk_view_form(v, l->backward), rk_view_form(v, step)};
    rk_table *t;
    rk_cell *cell;
    rk_i128 forward;

    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s: %ss of a forward and a backward pass%s", v->model->name,
                rk_view_unit(v), o->step ? " and a step of the optimizer" : "");
    rk_view_put_like(v);
    rk_view_put_run(v);
    rk_view_put_convention(v);
    rk_page_gap(&v->page);
    t = rk_page_table(&v->page, column, N_COLUMN);
    rk_view_value(v, v->ledger->forward); /* where numbers are missing, the message names them all */
    for (size_t i = 1; i < tree->n && v->code == RK_OK; i++)
        if (is_shown(&tree->node[i], o->depth))
            put_node(v, t, tree, &i, o);
    cell = rk_page_row(&v->page, t, RK_ROW_TOTAL, 0);
    forward = rk_view_value(v, v->ledger->forward);
    cell[NAME] = rk_cell_text(&v->page, "total");
    cell[FORWARD] = rk_cell_count(forward);
    cell[BACKWARD] = rk_cell_count(rk_view_value(v, v->ledger->backward));
    cell[SHARE] = rk_cell_share(forward, forward);
    rk_page_gap(&v->page);
    put_sum(v, "forward", l->forward);
    put_sum(v, "backward", l->backward);
    if (o->step)
        put_sum(v, "optimizer", optimizer.total);
    put_sum(v, "step", step);
    rk_page_gap(&v->page);
    rk_view_put_optimizer(v, &optimizer, o);
    rk_view_put_time(v, &optimizer, o);
    rk_view_put_symbols(v, shown, 3);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static void write_json(rk_view *v, const rk_rollup *tree, const rk_flops_options *o)
{
    const rk_ledger *l = v->ledger;
    rk_optimizer_step optimizer = rk_view_step(v, o);
    rk_json *j = &v->json;

    rk_view_json_begin(v);
    rk_view_json_symbols(v);
    rk_view_json_convention(v);
    rk_view_json_total(v, "forward", l->forward);
    rk_view_json_total(v, "backward", l->backward);
    rk_view_json_optimizer(v, &optimizer, o);
    rk_view_json_total(v, "step", rk_view_step_total(v, &optimizer));
    rk_view_json_time(v, &optimizer, o);
    rk_json_open(j, "rows", '[');
    for (size_t i = 1; i < tree->n && v->code == RK_OK; i++)
        if (is_shown(&tree->node[i], o->depth) && is_row(&tree->node[i], o->depth)) {
            const rk_roll_node *n = &tree->node[i];

            rk_json_row(&v->json, NULL);
            rk_json_text(&v->json, "path", n->path);
            if (n->row != RK_NONE)
                rk_json_text(&v->json, o->by_tensor ? "tensor" : "op", o->by_tensor ? n->path : op_name(v, n));
            if (n->layers)
                rk_json_text(&v->json, "layers", n->layers);
            rk_json_count(&v->json, "times", rk_view_value(v, n->times));
            rk_json_count(&v->json, "forward", rk_view_value(v, n->figure[0]));
            rk_json_count(&v->json, "backward", rk_view_value(v, n->figure[1]));
            rk_view_json_formula(v, "formula", n->figure[0]);
            rk_json_close(&v->json);
        }
    rk_json_close(j);
    rk_json_close(j);
}

int rk_report_flops(const rk_report *r, const rk_ledger *l, const rk_flops_options *o, rk_err *err)
{
    rk_rollup tree = {0};
    rk_view v;

    rk_view_begin(&v, r, l, err);
    v.code = o->by_tensor ? rk_rollup_tensors(&v.arena, l, &tree, err) : rk_rollup_ops(&v.arena, l, &tree, err);
    if (v.code == RK_OK && r->format == RK_FORMAT_JSON)
        write_json(&v, &tree, o);
    else if (v.code == RK_OK)
        fill_page(&v, &tree, o);
    return rk_view_end(&v);
}
