/* SPDX-License-Identifier: MIT */
/* What `reckon explain` prints: one row, part or tensor, from the line of the model file to the number. */
#include "report/row.h"

#include "report/figure.h"
#include "report/steps.h"

#include <string.h>

/* ---- symbols ---------------------------------------------------------------------------------------------------- */

static void put_symbol(rk_view *v, rk_table *t, const rk_symbol *s)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

    cell[0] = rk_cell_formula(rk_ex_sym(v->pool, s->sym), 0);
    if (s->known)
        cell[1] = rk_cell_count(v->instance->value[s->sym]);
    cell[2] = rk_cell_text(&v->page, "%s", rk_row_origin(v, s));
    if (s->text)
        cell[3] = rk_cell_text(&v->page, "%s", s->text);
}

static void put_symbols(rk_view *v, const rk_explanation *x)
{
    static const rk_column column[] = {{.head = "symbol"},
                                       {.head = "value", .right = true},
                                       {.head = "from", .wraps = true, .drop = 2},
                                       {.head = "meaning", .wraps = true, .drop = 1}};

    rk_page_gap(&v->page);
    rk_row_see_symbols(v, x, put_symbol, rk_page_table(&v->page, column, 4));
}

/* ---- one line of the model -------------------------------------------------------------------------------------- */

/* 2BSTNH with the numbers of its symbols: 2·1·1,024·1,024·25·64. */
static rk_cell substituted(rk_view *v, rk_ex e)
{
    rk_cell cell = rk_cell_formula(e, 0);

    cell.at = rk_row_numbers(v);
    return cell;
}

/* name = as the rule gives it = in the form to show = with numbers = the number */
static void put_each(rk_view *v, const rk_derive_step *s, const char *name)
{
    rk_cell value = rk_steps_value(v, s->formula);
    const char *left = name;

    if (s->figure != s->formula) {
        rk_page_equation(&v->page, 0, left, rk_cell_formula(s->figure, 0), NULL);
        left = NULL;
    }
    rk_page_equation(&v->page, 0, left, rk_cell_formula(s->formula, v->style), NULL);
    if (value.kind == RK_CELL_NOTHING)
        return;
    rk_page_equation(&v->page, 0, NULL, substituted(v, s->figure), NULL);
    rk_page_equation(&v->page, 0, NULL, value, NULL);
}

/* "4.6% of the forward FLOPs of the model, which are 3,506,703,564,800" */
static const char *share_text(rk_view *v, const rk_explanation *x, rk_i128 part)
{
    rk_i128 whole = 0;
    rk_str s = {0};

    if (!rk_view_known(v, x->whole, &whole))
        return NULL;
    rk_str_share(&s, part, whole);
    rk_str_format(&s, " of all %s", rk_steps_quantity(v, x->derived.quantity));
    return rk_view_keep(v, &s);
}

static bool is_one(const rk_view *v, rk_ex e)
{
    rk_i128 n;

    return rk_ex_is_int(v->pool, e, &n) && n == 1;
}

/* "48 × 3,355,443,200" */
static rk_cell times_cell(rk_view *v, const rk_derive_step *s)
{
    rk_str text = {0};

    rk_str_grouped(&text, rk_view_value(v, s->node->times));
    rk_str_put(&text, " × ");
    rk_str_grouped(&text, rk_view_value(v, s->formula));
    return rk_cell_text(&v->page, "%s", rk_view_keep(v, &text));
}

/* What occurs once has its total already. */
static void put_once(rk_view *v, const rk_explanation *x)
{
    rk_i128 n = 0;
    const char *share = rk_view_known(v, x->derived.total, &n) ? share_text(v, x, n) : NULL;

    rk_page_put(&v->page, RK_ITEM_LINE, 0, "It occurs once%s%s.", share ? ": " : "", share ? share : "");
}

/* total = L × scores = 48 × 3,355,443,200 = 2BS²LD = 161,061,273,600, and its share */
static void put_total(rk_view *v, const rk_explanation *x, const char *what)
{
    const rk_derivation *d = &x->derived;
    rk_cell value = rk_steps_value(v, d->total);

    rk_page_gap(&v->page);
    if (d->n_step == 1 && is_one(v, d->step[0].node->times)) {
        put_once(v, x);
        return;
    }
    rk_page_equation(&v->page, 0, "total", rk_cell_text(&v->page, "%s", what), NULL);
    if (value.kind != RK_CELL_NOTHING && d->n_step == 1)
        rk_page_equation(&v->page, 0, NULL, times_cell(v, &d->step[0]), NULL);
    rk_page_equation(&v->page, 0, NULL, rk_cell_formula(d->total, v->style), NULL);
    if (value.kind != RK_CELL_NOTHING)
        rk_page_equation(&v->page, 0, NULL, value, share_text(v, x, value.number));
}

/* "L × scores", or with layers[0-2] and layers[3-60] the sum of both. */
static const char *total_text(rk_view *v, const rk_derivation *d, const char *name)
{
    rk_str s = {0};

    for (size_t i = 0; i < d->n_step; i++) {
        const rk_roll_node *n = d->step[i].node;

        if (n->depth > d->step[0].node->depth)
            continue;
        rk_str_put(&s, s.n ? " + " : "");
        if (!is_one(v, n->times))
            rk_str_format(&s, "%s × ", rk_view_formula_text(v, n->times, RK_PRINT_TEXT));
        rk_str_put(&s, name ? name : n->label);
    }
    return rk_view_keep(v, &s);
}

static void put_line(rk_view *v, const rk_derive_step *s)
{
    const char *place = s->file ? rk_arena_format(&v->arena, "# %s:%d", s->file, s->line) : NULL;

    rk_page_code(&v->page, 1, s->equation, place);
    if (s->tensor)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "with %s", s->tensor);
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s", s->rule);
}

/* ---- an operation ----------------------------------------------------------------------------------------------- */

enum { /* columns of the tensors of an operation */
    COLUMN_ROLE,
    COLUMN_NAME,
    COLUMN_SHAPE,
    COLUMN_ELEMENTS,
    COLUMN_KEPT,
    COLUMN_GRADIENT,
    COLUMN_WHY,
    N_COLUMN
};

static const rk_column tensor_column[N_COLUMN] = {
    [COLUMN_ROLE] = {.head = ""},
    [COLUMN_NAME] = {.head = "tensor"},
    [COLUMN_SHAPE] = {.head = "shape", .drop = 3},
    [COLUMN_ELEMENTS] = {.head = "elements", .right = true},
    [COLUMN_KEPT] = {.head = "kept", .drop = 2},
    [COLUMN_GRADIENT] = {.head = "gradient", .right = true},
    [COLUMN_WHY] = {.head = "because", .wraps = true, .drop = 1},
};

/* A number, or the formula where a symbol has none. */
static rk_cell figure_cell(rk_view *v, rk_ex e)
{
    rk_i128 n = 0;

    return rk_view_known(v, e, &n) ? rk_cell_count(n) : rk_view_formula(v, e);
}

static const char *kept_text(const rk_explain_tensor *t)
{
    return t->weight != RK_NONE ? "stored" : t->kept ? "yes" : "no";
}

/* "…gate_proj.weight": the last two words of a stored name, where the paper is narrow. */
static const char *brief_name(rk_view *v, const rk_explain_tensor *t)
{
    const char *last = strrchr(t->name, '.'), *at = last;

    while (at && at > t->name && at[-1] != '.')
        at--;
    return t->weight != RK_NONE && at && at > t->name ? rk_arena_format(&v->arena, "…%s", at) : NULL;
}

static void put_tensor(rk_view *v, rk_table *table, const rk_explain_tensor *t)
{
    rk_cell *cell = rk_page_row(&v->page, table, RK_ROW_PLAIN, 0);

    cell[COLUMN_ROLE] = rk_cell_text(&v->page, "%s", t->result ? "makes" : "reads");
    cell[COLUMN_NAME] = rk_cell_code(t->name);
    cell[COLUMN_NAME].brief = brief_name(v, t);
    cell[COLUMN_SHAPE] = rk_cell_code(t->shape);
    cell[COLUMN_ELEMENTS] = figure_cell(v, t->elements);
    cell[COLUMN_KEPT] = rk_cell_text(&v->page, "%s", kept_text(t));
    if (t->why) {
        cell[COLUMN_GRADIENT] = t->gradient ? figure_cell(v, t->cost) : rk_cell_text(&v->page, "none");
        cell[COLUMN_WHY] = rk_cell_text(&v->page, "%s", t->why);
    }
}

static void put_moved(rk_view *v, const rk_explain_op *op)
{
    rk_i128 n = 0;
    rk_str s = {0};

    if (!rk_view_known(v, rk_row_moved(v, op), &n))
        return;
    rk_str_grouped(&s, n);
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "By itself it moves %s elements, each tensor read or written once.",
                rk_view_keep(v, &s));
}

static void put_op(rk_view *v, const rk_explanation *x, const rk_explain_op *op)
{
    rk_table *table;

    rk_page_gap(&v->page);
    if (x->n_op > 1)
        rk_page_put(&v->page, RK_ITEM_HEADING, 0, "%s", op->step->node->label);
    put_line(v, op->step);
    put_each(v, op->step, op->step->node->name);
    rk_page_gap(&v->page);
    table = rk_page_table(&v->page, tensor_column, N_COLUMN);
    for (size_t i = 0; i < op->n_tensor; i++)
        put_tensor(v, table, &op->tensor[i]);
    if (op->also)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Kept besides: %s.", op->also);
    put_moved(v, op);
}

static void put_row(rk_view *v, const rk_explanation *x)
{
    for (size_t i = 0; i < x->n_op; i++)
        put_op(v, x, &x->op[i]);
    put_total(v, x, total_text(v, &x->derived, x->n_op > 1 ? NULL : x->op[0].step->node->name));
}

/* ---- a part ----------------------------------------------------------------------------------------------------- */

static void put_child(rk_view *v, rk_table *t, const rk_derive_step *s, rk_i128 whole)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
    rk_i128 each = 0, times = 0;

    cell[0] = rk_cell_code(s->node->label);
    cell[0].brief = s->node->name;
    cell[1] = figure_cell(v, s->node->times);
    cell[5] = rk_view_short_formula(v, s->formula, RK_VIEW_TERMS_IN_TABLE);
    if (!rk_view_known(v, s->formula, &each) || !rk_view_known(v, s->node->times, &times))
        return;
    cell[2] = rk_cell_count(each);
    cell[3] = rk_cell_count(rk_view_total(v, s->node->times, s->formula));
    cell[4] = rk_cell_share(cell[3].number, whole);
}

/* Whether a step is directly in the part; a row that is called as the part is, too. */
static bool stands_in(const rk_derive_step *s, uint32_t depth)
{
    return s->node->depth == depth + 1 || (s->node->depth == depth && !s->is_part);
}

static void put_part(rk_view *v, const rk_explanation *x)
{
    static const rk_column column[] = {{.head = "row"},
                                       {.head = "times", .right = true},
                                       {.head = "each", .right = true, .drop = 1},
                                       {.head = "total", .right = true},
                                       {.head = "share", .right = true},
                                       {.head = "formula of each", .wraps = true, .drop = 2}};
    const rk_derivation *d = &x->derived;
    rk_table *t;
    rk_i128 whole = 0;

    rk_page_gap(&v->page);
    rk_view_known(v, d->total, &whole);
    t = rk_page_table(&v->page, column, 6);
    for (size_t i = 0; i < d->n_step; i++)
        if (stands_in(&d->step[i], d->step[0].node->depth))
            put_child(v, t, &d->step[i], whole);
    put_total(v, x, total_text(v, d, NULL));
}

/* ---- a tensor --------------------------------------------------------------------------------------------------- */

static void put_uses(rk_view *v, const rk_explanation *x)
{
    static const rk_column column[] = {
        {.head = "used by"}, {.head = "line"}, {.head = "times", .right = true}, {.head = "forward", .right = true}};
    rk_table *t = x->n_use ? rk_page_table(&v->page, column, 4) : NULL;

    for (size_t i = 0; i < x->n_use; i++) {
        const rk_explain_use *u = &x->use[i];
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

        cell[0] = rk_cell_code(u->path);
        if (u->file)
            cell[1] = rk_cell_text(&v->page, "%s:%d", u->file, u->line);
        cell[2] = figure_cell(v, u->times);
        cell[3] = figure_cell(v, u->forward);
    }
    if (!t)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "No equation reads it.");
}

/* "4,096 × 4,096", or with formulas where a symbol has no number. */
static const char *shape_text(rk_view *v, const rk_weight *w)
{
    rk_str s = {0};

    for (size_t i = 0; i < w->n_dim; i++) {
        rk_i128 n = 0;

        rk_str_put(&s, i ? " × " : "");
        if (rk_view_known(v, w->dim[i], &n))
            rk_str_grouped(&s, n);
        else
            rk_str_put(&s, rk_view_formula_text(v, w->dim[i], RK_PRINT_TEXT));
    }
    return rk_view_keep(v, &s);
}

/* Which one of many the name that was typed is. */
static void put_asked(rk_view *v, const rk_explanation *x)
{
    char count[RK_NUM_TEXT_MAX];

    if (x->piece)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "As published: %s elements of the tensor %s.",
                    rk_num_grouped(count, x->asked_count), x->derived.path);
    else
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "One of the tensors %s.", x->derived.path);
}

static const char *trained_text(const rk_weight *w)
{
    return w->frozen ? "It is frozen: not trained, and it has no gradient." : "It is trained.";
}

static void put_stored(rk_view *v, const rk_explanation *x)
{
    for (size_t i = 0; i < x->derived.n_step; i++) {
        rk_page_gap(&v->page);
        put_line(v, &x->derived.step[i]);
        put_each(v, &x->derived.step[i], "count");
    }
    put_total(v, x, total_text(v, &x->derived, "count"));
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "Its shape is %s. %s", shape_text(v, x->weight), trained_text(x->weight));
    rk_page_gap(&v->page);
    put_uses(v, x);
}

/* ---- the page --------------------------------------------------------------------------------------------------- */

static void fill_page(rk_view *v, const rk_explanation *x)
{
    static void (*const put[])(rk_view *, const rk_explanation *) = {
        [RK_EXPLAINED_ROW] = put_row, [RK_EXPLAINED_PART] = put_part, [RK_EXPLAINED_TENSOR] = put_stored};
    const rk_derivation *d = &x->derived;

    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s, %s: %s", v->model->name, x->asked ? x->asked : d->path,
                rk_steps_quantity(v, d->quantity));
    rk_view_put_like(v);
    if (d->quantity != RK_QUANTITY_PARAMS)
        rk_view_put_convention(v);
    if (x->asked)
        put_asked(v, x);
    put[x->kind](v, x);
    put_symbols(v, x);
    rk_steps_put_table(v, d);
}

int rk_report_row(const rk_report *r, const rk_ledger *l, int quantity, const char *path, rk_err *err)
{
    rk_explanation x;
    rk_view v;

    rk_view_begin(&v, r, l, err);
    v.code = rk_explain(&v.arena, l, quantity, path, &x, err);
    if (v.code == RK_OK && r->format == RK_FORMAT_JSON)
        rk_row_json(&v, &x);
    else if (v.code == RK_OK)
        fill_page(&v, &x);
    return rk_view_end(&v);
}
