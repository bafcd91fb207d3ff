/* SPDX-License-Identifier: MIT */
/* What `reckon explain` prints: one row, part or tensor, from the line of the model file to the number. */
#include "report/row.h"

#include "ask/explain.h"
#include "report/figure.h"
#include "report/steps.h"

#include <string.h>

/* ---- symbols ---------------------------------------------------------------------------------------------------- */

/* The numbers of all symbols; the model's own binding leaves those of defined ones to be computed. */
static const rk_binding *numbers_of(rk_view *v)
{
    size_t n = rk_sym_count(v->pool);
    rk_i128 *value = RK_NEW_ARRAY(&v->arena, n + 1, rk_i128);
    bool *known = RK_NEW_ARRAY(&v->arena, n + 1, bool);
    rk_binding *at = RK_NEW(&v->arena, rk_binding);

    if (!value || !known || !at)
        return NULL;
    for (size_t i = 0; i < v->model->n_symbol; i++) {
        const rk_symbol *s = &v->model->symbol[i];

        value[s->sym] = v->instance->value[s->sym];
        known[s->sym] = s->known;
    }
    *at = (rk_binding){value, known, n};
    return at;
}

const char *rk_row_origin(rk_view *v, const rk_symbol *s)
{
    rk_ex definition = rk_sym_definition(v->pool, s->sym);
    rk_str out = {0};

    if (s->set)
        rk_str_put(&out, "set on the line");
    else if (s->key && !s->fallback)
        rk_str_format(&out, "%s of the config", s->key);
    else if (definition != RK_EX_FAILED)
        rk_ex_print(v->pool, definition, RK_PRINT_TEXT, &out);
    else
        rk_str_put(&out, !s->known                            ? "no value yet"
                         : s->key || s->kind == RK_SYMBOL_RUN ? "default"
                                                              : "the model file");
    /* A run's symbol may look at several keys: that one of them is not there says nothing. */
    if (rk_symbol_is_default(s))
        rk_str_format(&out, "; the config has no %s", s->key);
    return rk_view_keep(v, &out);
}

static void mark(const rk_view *v, rk_ex e, bool *used)
{
    for (size_t i = 0; i < v->model->n_symbol; i++)
        used[i] |= rk_ex_has_sym(v->pool, e, v->model->symbol[i].sym);
}

/* Symbols in the definition of a used one are used too, and so on until there is no new one. */
static void mark_definitions(const rk_view *v, bool *used)
{
    for (size_t before = 0, n = 1; n != before;) {
        before = n;
        n = 1;
        for (size_t i = 0; i < v->model->n_symbol; i++) {
            rk_ex definition = rk_sym_definition(v->pool, v->model->symbol[i].sym);

            if (used[i] && definition != RK_EX_FAILED)
                mark(v, definition, used);
        }
        for (size_t i = 0; i < v->model->n_symbol; i++)
            n += used[i];
    }
}

void rk_row_see_used(rk_view *v, const rk_ex *e, size_t n, rk_row_see *see, rk_table *t)
{
    static const rk_symbol_kind kind[] = {RK_SYMBOL_RUN, RK_SYMBOL_MODEL};
    bool *used = RK_NEW_ARRAY(&v->arena, v->model->n_symbol + 1, bool);

    for (size_t i = 0; used && i < n; i++)
        mark(v, e[i], used);
    if (used)
        mark_definitions(v, used);
    for (size_t k = 0; used && k < sizeof kind / sizeof *kind; k++)
        for (size_t i = 0; i < v->model->n_symbol; i++)
            if (v->model->symbol[i].kind == kind[k] && used[i])
                see(v, t, &v->model->symbol[i]);
}

/* Shows each symbol of an explanation: of its lines, of the forms shown, of their number, and of definitions. */
static void see_symbols(rk_view *v, const rk_explanation *x, rk_row_see *see, rk_table *t)
{
    const rk_derivation *d = &x->derived;
    rk_ex *e = RK_NEW_ARRAY(&v->arena, 3 * d->n_step + 1, rk_ex);
    size_t n = 0;

    for (size_t i = 0; e && i < d->n_step; i++) {
        e[n++] = d->step[i].figure;
        e[n++] = d->step[i].formula;
        e[n++] = d->step[i].node->times;
    }
    if (e)
        rk_row_see_used(v, e, n, see, t);
}

/* Elements, each tensor read or written once: the least that an operation by itself can move. */
static rk_ex moved_by(const rk_view *v, const rk_explain_op *op)
{
    rk_ex sum = rk_ex_int(v->pool, 0);

    for (size_t i = 0; i < op->n_tensor; i++)
        sum = rk_ex_add(v->pool, sum, op->tensor[i].elements);
    return sum;
}

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

/* ---- one line of the model -------------------------------------------------------------------------------------- */

/* name = as the rule gives it = in the form to show = with numbers = the number */
static void put_each(rk_view *v, const rk_derive_step *s, const char *name)
{
    rk_cell value = rk_steps_value(v, s->formula), figure = rk_cell_formula(s->figure, 0);

    if (s->figure != s->formula) {
        rk_page_equation(&v->page, 0, name, figure, NULL);
        name = NULL;
    }
    rk_page_equation(&v->page, 0, name, rk_cell_formula(s->formula, v->style), NULL);
    if (value.kind == RK_CELL_NOTHING)
        return;
    figure.at = numbers_of(v); /* 2·1·1,024·1,024·25·64 for 2BSTNH */
    rk_page_equation(&v->page, 0, NULL, figure, NULL);
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
    const char *times = rk_view_grouped(v, rk_view_value(v, s->node->times));

    return rk_cell_text(&v->page, "%s × %s", times, rk_view_grouped(v, rk_view_value(v, s->formula)));
}

/* total = L × scores = 48 × 3,355,443,200 = 2BS²LD = 161,061,273,600, and its share */
static void put_total(rk_view *v, const rk_explanation *x, const char *what)
{
    const rk_derivation *d = &x->derived;
    rk_cell value = rk_steps_value(v, d->total);
    rk_i128 n = 0;

    rk_page_gap(&v->page);
    if (d->n_step == 1 && is_one(v, d->step[0].node->times)) { /* it has its total already */
        const char *share = rk_view_known(v, d->total, &n) ? share_text(v, x, n) : NULL;

        rk_page_put(&v->page, RK_ITEM_LINE, 0, "It occurs once%s%s.", share ? ": " : "", share ? share : "");
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

static const rk_field tensor_column[N_COLUMN] = {
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
    cell[COLUMN_KEPT] = rk_cell_text(&v->page, "%s", t->weight != RK_NONE ? "stored" : t->kept ? "yes" : "no");
    if (t->why) {
        cell[COLUMN_GRADIENT] = t->gradient ? figure_cell(v, t->cost) : rk_cell_text(&v->page, "none");
        cell[COLUMN_WHY] = rk_cell_text(&v->page, "%s", t->why);
    }
}

static void put_op(rk_view *v, const rk_explanation *x, const rk_explain_op *op)
{
    rk_table *table;
    rk_i128 moved = 0;

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
    if (rk_view_known(v, moved_by(v, op), &moved))
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "By itself it moves %s elements, each tensor read or written once.",
                    rk_view_grouped(v, moved));
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

static void put_part(rk_view *v, const rk_explanation *x)
{
    static const rk_field column[] = {{.head = "row"},
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
    for (size_t i = 0; i < d->n_step; i++) {
        const rk_derive_step *s = &d->step[i];
        uint32_t depth = d->step[0].node->depth;

        /* What is directly in the part; a row that is called as the part is, too. */
        if (s->node->depth == depth + 1 || (s->node->depth == depth && !s->is_part))
            put_child(v, t, s, whole);
    }
    put_total(v, x, total_text(v, d, NULL));
}

/* ---- a tensor --------------------------------------------------------------------------------------------------- */

static void put_uses(rk_view *v, const rk_explanation *x)
{
    static const rk_field column[] = {
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

static void put_stored(rk_view *v, const rk_explanation *x)
{
    for (size_t i = 0; i < x->derived.n_step; i++) {
        rk_page_gap(&v->page);
        put_line(v, &x->derived.step[i]);
        put_each(v, &x->derived.step[i], "count");
    }
    put_total(v, x, total_text(v, &x->derived, "count"));
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "Its shape is %s. %s", shape_text(v, x->weight),
                x->weight->frozen ? "It is frozen: not trained, and it has no gradient." : "It is trained.");
    rk_page_gap(&v->page);
    put_uses(v, x);
}

/* ---- the page --------------------------------------------------------------------------------------------------- */

static void fill_page(rk_view *v, const rk_explanation *x)
{
    static void (*const put[])(rk_view *, const rk_explanation *) = {
        [RK_EXPLAINED_ROW] = put_row, [RK_EXPLAINED_PART] = put_part, [RK_EXPLAINED_TENSOR] = put_stored};
    static const rk_field column[] = {{.head = "symbol"},
                                      {.head = "value", .right = true},
                                      {.head = "from", .wraps = true, .drop = 2},
                                      {.head = "meaning", .wraps = true, .drop = 1}};
    const rk_derivation *d = &x->derived;

    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s, %s: %s", v->model->name, x->asked ? x->asked : d->path,
                rk_steps_quantity(v, d->quantity));
    rk_view_put_like(v);
    if (d->quantity != RK_QUANTITY_PARAMS)
        rk_view_put_convention(v);
    if (x->asked && x->piece)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "As published: %s elements of the tensor %s.",
                    rk_view_grouped(v, x->asked_count), d->path);
    else if (x->asked) /* which one of many the name that was typed is */
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "One of the tensors %s.", d->path);
    put[x->kind](v, x);
    rk_page_gap(&v->page);
    see_symbols(v, x, put_symbol, rk_page_table(&v->page, column, 4));
    rk_steps_put_table(v, d);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static void write_figure(rk_view *v, const char *key, rk_ex e)
{
    rk_i128 n = 0;

    if (rk_view_known(v, e, &n))
        rk_json_count(&v->json, key, n);
    else
        rk_json_null(&v->json, key);
}

static void write_tensor(rk_view *v, const rk_explain_tensor *t)
{
    rk_json *j = &v->json;

    rk_json_row(j, NULL);
    rk_json_text(j, "name", t->name);
    rk_json_text(j, "role", t->result ? "result" : t->weight != RK_NONE ? "weight" : "operand");
    rk_json_text(j, "shape", t->shape);
    write_figure(v, "elements", t->elements);
    rk_json_truth(j, "kept", t->kept);
    if (t->why) {
        rk_json_truth(j, "gradient", t->gradient);
        rk_json_text(j, "because", t->why);
        write_figure(v, "backward", t->cost);
    }
    rk_json_close(j);
}

static void write_op(rk_view *v, const rk_explain_op *op)
{
    rk_json_open(&v->json, "tensors", '[');
    for (size_t i = 0; i < op->n_tensor; i++)
        write_tensor(v, &op->tensor[i]);
    rk_json_close(&v->json);
    if (op->also)
        rk_json_text(&v->json, "kept_besides", op->also);
    write_figure(v, "moved", moved_by(v, op));
}

static void write_step(rk_view *v, const rk_explanation *x, size_t i)
{
    const rk_derive_step *s = &x->derived.step[i];
    rk_i128 value = 0;

    rk_json_open(&v->json, NULL, '{');
    rk_steps_json(v, s);
    rk_json_text(&v->json, "latex", rk_view_formula_text(v, s->formula, RK_PRINT_LATEX | v->style));
    if (!s->is_part && rk_view_known(v, s->figure, &value)) {
        rk_str text = {0};

        rk_ex_print_at(v->pool, s->figure, RK_PRINT_TEXT, numbers_of(v), &text);
        rk_json_text(&v->json, "substituted", rk_view_keep(v, &text));
    }
    write_figure(v, "value", s->formula);
    write_figure(v, "total", rk_ex_mul(v->pool, s->node->times, s->formula));
    if (x->kind == RK_EXPLAINED_ROW)
        write_op(v, &x->op[i]);
    rk_json_close(&v->json);
}

static void write_uses(rk_view *v, const rk_explanation *x)
{
    rk_json_list(&v->json, "shape");
    for (size_t i = 0; i < x->weight->n_dim; i++)
        write_figure(v, NULL, x->weight->dim[i]);
    rk_json_close(&v->json);
    rk_json_truth(&v->json, "trained", !x->weight->frozen);
    rk_json_open(&v->json, "used_by", '[');
    for (size_t i = 0; i < x->n_use; i++) {
        rk_json_row(&v->json, NULL);
        rk_json_text(&v->json, "path", x->use[i].path);
        rk_json_text(&v->json, "file", x->use[i].file);
        rk_json_count(&v->json, "line", x->use[i].line);
        write_figure(v, "times", x->use[i].times);
        write_figure(v, "forward", x->use[i].forward);
        rk_json_close(&v->json);
    }
    rk_json_close(&v->json);
}

static void write_symbol(rk_view *v, rk_table *t, const rk_symbol *s)
{
    (void)t;
    rk_json_row(&v->json, NULL);
    rk_json_text(&v->json, "name", s->name);
    if (s->known)
        rk_json_count(&v->json, "value", v->instance->value[s->sym]);
    rk_json_text(&v->json, "from", rk_row_origin(v, s));
    if (s->text)
        rk_json_text(&v->json, "meaning", s->text);
    rk_json_close(&v->json);
}

static void write_json(rk_view *v, const rk_explanation *x)
{
    static const char *const kind[] = {
        [RK_EXPLAINED_ROW] = "row", [RK_EXPLAINED_PART] = "part", [RK_EXPLAINED_TENSOR] = "tensor"};
    const rk_derivation *d = &x->derived;
    rk_json *j = &v->json;

    rk_json_open(j, NULL, '{');
    rk_steps_json_question(v, d);
    rk_json_text(j, "kind", kind[x->kind]);
    if (x->asked) {
        rk_json_text(j, "tensor", x->asked);
        rk_json_count(j, "tensor_count", x->asked_count);
    }
    rk_json_text(j, "formula", rk_view_formula_text(v, d->total, RK_PRINT_TEXT | v->style));
    write_figure(v, "total", d->total);
    write_figure(v, "whole", x->whole);
    rk_json_open(j, "rows", '[');
    for (size_t i = 0; i < d->n_step && v->code == RK_OK; i++)
        write_step(v, x, i);
    rk_json_close(j);
    if (x->kind == RK_EXPLAINED_TENSOR)
        write_uses(v, x);
    rk_json_open(j, "symbols", '[');
    see_symbols(v, x, write_symbol, NULL);
    rk_json_close(j);
    rk_json_close(j);
}

int rk_report_row(const rk_report *r, const rk_ledger *l, int quantity, const char *path, rk_err *err)
{
    rk_explanation x;
    rk_view v;

    rk_view_begin(&v, r, l, err);
    v.code = rk_explain(&v.arena, l, quantity, path, &x, err);
    if (v.code == RK_OK && r->format == RK_FORMAT_JSON)
        write_json(&v, &x);
    else if (v.code == RK_OK)
        fill_page(&v, &x);
    return rk_view_end(&v);
}
