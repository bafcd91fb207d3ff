/* SPDX-License-Identifier: MIT */
/* What `reckon explain` prints: one row, part or tensor, from the line of the model file to the number. */
#include "report/answers.h"
#include "report/row.h"

#include "ask/explain.h"
#include "report/figure.h"
#include "report/steps.h"

#include <string.h>

enum { /* of the answer */
    KIND = RK_N_STEPS_ANSWER,
    ASKED,
    ASKED_COUNT,
    FORMULA,
    TOTAL,
    WHOLE,
    WHOLE_SHARE,
    ROWS,
    SHAPE,
    TRAINED,
    USED_BY,
    SYMBOLS,
    N_ANSWER
};

/* ---- symbols ---------------------------------------------------------------------------------------------------- */

/* The model's own binding leaves those of defined ones to be computed. */
const rk_binding *rk_row_numbers(rk_view *v)
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

/* Elements, each tensor read or written once: the least memory traffic of an operation by itself. */
static rk_ex traffic_of(const rk_view *v, const rk_explain_op *op)
{
    rk_ex sum = rk_ex_int(v->pool, 0);

    for (size_t i = 0; i < op->n_tensor; i++)
        sum = rk_ex_add(v->pool, sum, op->tensor[i].elements);
    return sum;
}

static const rk_field symbol_field[] = {
    RK_COLUMN("symbol", "name", TEXT, "the symbol", .json = true),
    RK_COLUMN("value", "value", COUNT, "its number", .json = true, .right = true),
    RK_COLUMN("from", "from", TEXT, "where that came from", .json = true, .wraps = true, .drop = 2),
    RK_COLUMN("meaning", "meaning", TEXT, "in words", .json = true, .wraps = true, .drop = 1),
};
const rk_fields rk_used_symbol_fields = {symbol_field, 4};

static void put_symbol(rk_view *v, rk_table *t, const rk_symbol *s)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

    cell[0] = rk_cell_both(&v->page, rk_cell_name(s->name), rk_cell_formula(rk_ex_sym(v->pool, s->sym), 0));
    if (s->known)
        cell[1] = rk_cell_count(v->instance->value[s->sym]);
    cell[2] = rk_view_text(rk_row_origin(v, s));
    if (s->text)
        cell[3] = rk_view_text(s->text);
}

rk_table *rk_row_symbols(rk_view *v, rk_cell *in, const rk_ex *e, size_t n)
{
    rk_table *t = rk_cell_list(&v->page, in, &rk_used_symbol_fields);

    rk_row_see_used(v, e, n, put_symbol, t);
    return t;
}

/* Those of an explanation: of its lines, of the forms shown, of their number, and of definitions. */
static rk_table *symbols_of(rk_view *v, rk_cell *in, const rk_explanation *x)
{
    const rk_derivation *d = &x->derived;
    rk_ex *e = RK_NEW_ARRAY(&v->arena, 3 * d->n_step + 1, rk_ex);
    size_t n = 0;

    for (size_t i = 0; e && i < d->n_step; i++) {
        e[n++] = d->step[i].figure;
        e[n++] = d->step[i].formula;
        e[n++] = d->step[i].node->times;
    }
    return rk_row_symbols(v, in, e, n);
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
    figure.at = rk_row_numbers(v); /* 2·1·1,024·1,024·25·64 for 2BSTNH */
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

    rk_page_code(&v->page, 1, s->here ? s->here : s->equation, place);
    if (s->tensor)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "with %s", s->tensor);
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s", s->rule);
}

/* ---- an operation ----------------------------------------------------------------------------------------------- */

#define TENSOR_FIELDS(X)                                                                                               \
    X(TENSOR_ROLE, RK_COLUMN("", "role", TEXT, "result, weight, operand", .json = true))                               \
    X(TENSOR_NAME, RK_COLUMN("tensor", "name", CODE, "the tensor", .json = true))                                      \
    X(TENSOR_SHAPE, RK_COLUMN("shape", "shape", CODE, "in the model's symbols", .json = true, .drop = 3))              \
    X(TENSOR_ELEMENTS, RK_COLUMN("elements", "elements", COUNT, "of it; null where a symbol has no number",            \
                                 .json = true, .right = true))                                                         \
    X(TENSOR_SAVED, RK_COLUMN("saved", "kept", TRUTH, "it is saved for backward", .json = true, .drop = 2))            \
    X(TENSOR_GRADIENT,                                                                                                 \
      RK_COLUMN("gradient", "gradient", TRUTH, "the operation computes its gradient", .json = true, .right = true))    \
    X(TENSOR_WHY, RK_COLUMN("because", "because", TEXT, "why it is so", .json = true, .wraps = true, .drop = 1))       \
    X(TENSOR_BACKWARD, RK_KEY("backward", COUNT, "FLOPs of its gradient", .json = true))
RK_FIELD_TABLE(tensor_field, N_TENSOR, TENSOR_FIELDS);
static const rk_fields tensor_fields = {tensor_field, N_TENSOR};

/* A number; where a symbol has none, null for programs and the formula for people. */
static rk_cell figure_cell(rk_view *v, rk_ex e)
{
    rk_cell number = rk_steps_number(v, e);

    return number.kind == RK_CELL_COUNT ? number : rk_cell_both(&v->page, number, rk_view_formula(v, e));
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
    const char *role = t->result ? "result" : t->weight != RK_NONE ? "weight" : "operand";
    rk_cell *cell = rk_page_row(&v->page, table, RK_ROW_PLAIN, 0);

    cell[TENSOR_ROLE] = rk_cell_both(&v->page, rk_cell_name(role), rk_view_text(t->result ? "makes" : "reads"));
    cell[TENSOR_NAME] = rk_cell_code(t->name);
    cell[TENSOR_NAME].brief = brief_name(v, t);
    cell[TENSOR_SHAPE] = rk_cell_code(t->shape);
    cell[TENSOR_ELEMENTS] = figure_cell(v, t->elements);
    cell[TENSOR_SAVED] = rk_cell_truth(t->kept);
    if (t->weight != RK_NONE)
        cell[TENSOR_SAVED] = rk_cell_both(&v->page, cell[TENSOR_SAVED], rk_view_text("stored"));
    if (t->why) {
        rk_cell cost = t->gradient ? figure_cell(v, t->cost) : rk_view_text("none");

        cell[TENSOR_GRADIENT] = rk_cell_both(&v->page, rk_cell_truth(t->gradient), cost.people ? *cost.people : cost);
        cell[TENSOR_WHY] = rk_view_text(t->why);
        cell[TENSOR_BACKWARD] = rk_steps_number(v, t->cost);
    }
}

enum { /* of a row: a step, and what programs get besides */
    ROW_LATEX = RK_N_STEP,
    ROW_SUBSTITUTED,
    ROW_TOTAL,
    ROW_TENSORS,
    ROW_ALSO,
    ROW_TRAFFIC,
    N_ROW
};

static const rk_field row_field[N_ROW] = {
    RK_FIELDS_OF_STEP,
    [RK_STEP_VALUE] = RK_KEY("value", COUNT, "the number; null where a symbol has none"),
    [ROW_LATEX] = RK_KEY("latex", TEXT, "the formula, for LaTeX", .json = true),
    [ROW_SUBSTITUTED] = RK_KEY("substituted", FORMULA, "what the rule gives, with numbers", .json = true),
    [ROW_TOTAL] = RK_KEY("total", COUNT, "of all occurrences", .json = true),
    [ROW_TENSORS] = RK_LIST("tensors", tensor_fields, "that an operation reads and makes"),
    [ROW_ALSO] = RK_KEY("kept_besides", TEXT, "what else is saved for backward", .json = true),
    [ROW_TRAFFIC] = RK_KEY("moved", COUNT, "elements, each tensor read or written once", .json = true),
};
static const rk_fields row_fields = {row_field, N_ROW};

static void fill_rows(rk_view *v, const rk_explanation *x, rk_table *rows)
{
    const rk_binding *at = rk_row_numbers(v);

    rows->sums = true;
    for (size_t i = 0; i < x->derived.n_step; i++) {
        const rk_derive_step *s = &x->derived.step[i];
        rk_cell *cell = rk_page_row(&v->page, rows, s->is_part ? RK_ROW_PART : RK_ROW_PLAIN, 0);
        rk_i128 value = 0;

        rk_steps_put(v, cell, s);
        cell[ROW_LATEX] = rk_steps_latex(v, s->formula);
        cell[ROW_TOTAL] = rk_steps_number(v, rk_ex_mul(v->pool, s->node->times, s->formula));
        if (!s->is_part && rk_view_known(v, s->figure, &value)) {
            cell[ROW_SUBSTITUTED] = rk_cell_formula(s->figure, 0);
            cell[ROW_SUBSTITUTED].at = at; /* 2·1·1,024·1,024·25·64 for 2BSTNH */
        }
        if (x->kind != RK_EXPLAINED_ROW)
            continue;
        rk_cell_list(&v->page, &cell[ROW_TENSORS], &tensor_fields);
        for (size_t k = 0; k < x->op[i].n_tensor; k++)
            put_tensor(v, cell[ROW_TENSORS].table, &x->op[i].tensor[k]);
        cell[ROW_ALSO] = rk_cell_name(x->op[i].also);
        cell[ROW_TRAFFIC] = rk_steps_number(v, traffic_of(v, &x->op[i]));
    }
}

static void put_op(rk_view *v, const rk_explanation *x, size_t i, const rk_cell *row)
{
    const rk_explain_op *op = &x->op[i];

    rk_page_gap(&v->page);
    if (x->n_op > 1)
        rk_page_put(&v->page, RK_ITEM_HEADING, 0, "%s", op->step->node->label);
    put_line(v, op->step);
    put_each(v, op->step, op->step->node->name);
    rk_page_gap(&v->page);
    rk_page_show(&v->page, row[ROW_TENSORS].table);
    if (op->also)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Also saved: %s.", op->also);
    if (row[ROW_TRAFFIC].kind == RK_CELL_COUNT)
        rk_page_put(&v->page, RK_ITEM_LINE, 0,
                    "Memory traffic by itself: %s elements, each tensor read or written once.",
                    rk_view_grouped(v, row[ROW_TRAFFIC].number));
}

static void put_row(rk_view *v, const rk_explanation *x, rk_cell *answer)
{
    const rk_table *rows = answer[ROWS].table;

    for (size_t i = 0; i < x->n_op && !v->page.failed; i++)
        put_op(v, x, i, rows->row.at[i].cell);
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

static void put_part(rk_view *v, const rk_explanation *x, rk_cell *answer)
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

    (void)answer;
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

#define USE_FIELDS(X)                                                                                                  \
    X(USE_PATH, RK_COLUMN("used by", "path", CODE, "an operation", .json = true))                                      \
    X(USE_FILE, RK_KEY("file", CODE, "of its line", .json = true))                                                     \
    X(USE_LINE, RK_COLUMN("line", "line", COUNT, "the line's number", .json = true))                                   \
    X(USE_TIMES, RK_COLUMN("times", "times", COUNT, "occurrences", .json = true, .right = true))                       \
    X(USE_FORWARD, RK_COLUMN("forward", "forward", COUNT, "FLOPs of one, forward", .json = true, .right = true))
RK_FIELD_TABLE(use_field, N_USE, USE_FIELDS);
static const rk_fields use_fields = {use_field, N_USE};

static void put_uses(rk_view *v, const rk_explanation *x, rk_cell *in)
{
    rk_table *t = rk_cell_list(&v->page, in, &use_fields);

    for (size_t i = 0; i < x->n_use; i++) {
        const rk_explain_use *u = &x->use[i];
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
        rk_cell place = {0};

        if (u->file)
            place = rk_cell_text(&v->page, "%s:%d", u->file, u->line);
        cell[USE_PATH] = rk_cell_code(u->path);
        cell[USE_FILE] = u->file ? rk_cell_code(u->file) : rk_cell_null();
        cell[USE_LINE] = rk_cell_both(&v->page, rk_cell_count(u->line), place);
        cell[USE_TIMES] = figure_cell(v, u->times);
        cell[USE_FORWARD] = figure_cell(v, u->forward);
    }
    if (x->n_use > 0)
        rk_page_show(&v->page, t);
    else
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

static void put_stored(rk_view *v, const rk_explanation *x, rk_cell *answer)
{
    rk_cell *size = rk_cell_cells(&v->page, &answer[SHAPE], x->weight->n_dim);

    for (size_t i = 0; i < x->weight->n_dim; i++)
        size[i] = rk_steps_number(v, x->weight->dim[i]);
    answer[TRAINED] = rk_cell_truth(!x->weight->frozen);
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
    put_uses(v, x, &answer[USED_BY]);
}

/* ---- the page --------------------------------------------------------------------------------------------------- */

static const rk_field answer_field[N_ANSWER] = {
    RK_FIELDS_OF_STEPS,
    [KIND] = RK_KEY("kind", TEXT, "row, part, tensor"),
    [ASKED] = RK_KEY("tensor", CODE, "the name of a tensor that was asked for"),
    [ASKED_COUNT] = RK_KEY("tensor_count", COUNT, "its elements"),
    [FORMULA] = RK_KEY("formula", FORMULA, "of the total"),
    [TOTAL] = RK_KEY("total", COUNT, "the number; null where a symbol has none"),
    [WHOLE] = RK_KEY("whole", COUNT, "the same quantity of the whole model"),
    [WHOLE_SHARE] = RK_KEY("share", SHARE, "of that"),
    [ROWS] = RK_LIST("rows", row_fields, "lines of the model, and parts"),
    [SHAPE] = RK_KEY("shape", COUNT, "of a tensor", .many = true),
    [TRAINED] = RK_KEY("trained", TRUTH, "false: it is frozen"),
    [USED_BY] = RK_LIST("used_by", use_fields, "operations that read a tensor"),
    [SYMBOLS] = RK_LIST("symbols", rk_used_symbol_fields, "of all formulas"),
};
const rk_fields rk_answer_explain = {answer_field, N_ANSWER};

static void fill(rk_view *v, const rk_explanation *x)
{
    static void (*const put[])(rk_view *, const rk_explanation *, rk_cell *) = {
        [RK_EXPLAINED_ROW] = put_row, [RK_EXPLAINED_PART] = put_part, [RK_EXPLAINED_TENSOR] = put_stored};
    static const char *const kind[] = {
        [RK_EXPLAINED_ROW] = "row", [RK_EXPLAINED_PART] = "part", [RK_EXPLAINED_TENSOR] = "tensor"};
    const rk_derivation *d = &x->derived;
    rk_cell *answer = rk_steps_answer(v, &rk_answer_explain, d);
    rk_table *rows = rk_cell_list(&v->page, &answer[ROWS], &row_fields);
    rk_table *symbols = symbols_of(v, &answer[SYMBOLS], x);

    answer[KIND] = rk_cell_name(kind[x->kind]);
    answer[ASKED] = rk_cell_name(x->asked);
    if (x->asked)
        answer[ASKED_COUNT] = rk_cell_count(x->asked_count);
    answer[FORMULA] = rk_view_formula(v, d->total);
    answer[TOTAL] = rk_steps_number(v, d->total);
    answer[WHOLE] = rk_steps_number(v, x->whole);
    if (answer[WHOLE].kind == RK_CELL_COUNT && answer[TOTAL].kind == RK_CELL_COUNT)
        answer[WHOLE_SHARE] = rk_cell_share(answer[TOTAL].number, answer[WHOLE].number);
    fill_rows(v, x, rows);
    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s, %s: %s", v->model->name, x->asked ? x->asked : d->path,
                rk_steps_quantity(v, d->quantity));
    rk_view_put_like(v);
    if (d->quantity != RK_QUANTITY_PARAMS) {
        rk_view_put_beyond(v);
        rk_view_put_convention(v);
    }
    if (x->asked && x->piece)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "As published: %s elements of the tensor %s.",
                    rk_view_grouped(v, x->asked_count), d->path);
    else if (x->asked) /* which one of many the name that was typed is */
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "One of the tensors %s.", d->path);
    put[x->kind](v, x, answer);
    rk_page_gap(&v->page);
    rk_page_show(&v->page, symbols);
    rk_page_show(&v->page, rows);
}

int rk_report_row(const rk_report *r, const rk_ledger *l, int quantity, const char *path, rk_err *err)
{
    rk_explanation x;
    rk_view v;

    rk_view_begin(&v, r, l, err);
    v.page.whole = true;
    v.code = rk_explain(&v.arena, l, quantity, path, &x, err);
    if (v.code == RK_OK)
        fill(&v, &x);
    return rk_view_end(&v);
}
