/* SPDX-License-Identifier: MIT */
/* What `reckon derive` prints: the closed form, line by line of the model, then part by part, then the total. */
#include "report/answers.h"
#include "report/steps.h"
#include "report/terms.h"

#include <string.h>

const char *rk_steps_quantity(rk_view *v, rk_quantity quantity)
{
    static const char *const pass[] = {
        [RK_QUANTITY_FLOPS] = "forward",
        [RK_QUANTITY_BACKWARD] = "backward",
        [RK_QUANTITY_STEP] = "forward and backward",
    };
    if (quantity == RK_QUANTITY_PARAMS)
        return "parameters";
    return rk_view_format(v, "%s %ss", pass[quantity], rk_view_unit(v));
}

/* ---- for people ------------------------------------------------------------------------------------------------- */

/* Whether a line stands in the model's own file, and not in one that it uses. */
static bool is_own_file(const rk_view *v, const char *file)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    const char *base = slash ? slash + 1 : file;
    size_t n = strlen(v->model->family);

    return !base || (strncmp(base, v->model->family, n) == 0 && strcmp(base + n, ".rk") == 0);
}

/* The number of an equation, where all symbols have one and it is not the formula itself. */
rk_cell rk_steps_value(rk_view *v, rk_ex e)
{
    rk_i128 value = 0, plain;

    if (rk_ex_is_int(v->pool, e, &plain) || !rk_view_known(v, e, &value))
        return (rk_cell){0};
    return rk_cell_count(value);
}

static void put_line(rk_view *v, const rk_derive_step *s)
{
    const char *place = is_own_file(v, s->file) ? NULL : rk_arena_format(&v->arena, "# %s:%d", s->file, s->line);

    rk_page_code(&v->page, 1, s->here ? s->here : s->equation, place);
    if (s->tensor)
        rk_page_put(&v->page, RK_ITEM_LINE, 2, "with %s", s->tensor);
    rk_page_put(&v->page, RK_ITEM_LINE, 2, "%s", s->rule);
    rk_page_equation_value(&v->page, 2, s->node->name, rk_cell_formula(s->formula, v->style),
                           rk_steps_value(v, s->formula));
}

/* How many of the steps after step i stand below it. */
static size_t end_of(const rk_derivation *d, size_t i)
{
    const rk_roll_node *n = d->step[i].node;
    size_t end = i + 1;

    while (end < d->n_step && d->step[end].node > n && d->step[end].node <= n + n->n_below)
        end++;
    return end;
}

/* "L × layers" */
static const char *term_text(rk_view *v, const rk_roll_node *n, rk_ex times_around, const char *name)
{
    rk_ex times = rk_ex_div(v->pool, n->times, times_around);
    rk_i128 plain;

    if (rk_ex_is_int(v->pool, times, &plain) && plain == 1)
        return name;
    return rk_view_format(v, "%s × %s", rk_view_formula_text(v, times, RK_PRINT_TEXT), name);
}

/* attention = q + k + v + scores + …; where the last of them is a part, the sum stands by itself. */
static void put_sum(rk_view *v, const rk_derivation *d, size_t part)
{
    const rk_derive_step *s = &d->step[part];
    rk_str sum = {0};
    size_t n = 0, last = part;

    for (size_t i = part + 1, end = end_of(d, part); i < end; i = end_of(d, i), n++) {
        last = i;
        rk_str_format(&sum, "%s%s", n ? " + " : "",
                      term_text(v, d->step[i].node, s->node->times, d->step[i].node->name));
    }
    if (n > 1) {
        int indent = d->step[last].is_part ? 0 : 1;

        if (indent == 0)
            rk_page_gap(&v->page);
        rk_page_equation(&v->page, indent, s->node->name, rk_cell_text(&v->page, "%s", rk_str_text(&sum)), NULL);
        rk_page_equation_value(&v->page, indent, NULL, rk_cell_formula(s->formula, v->style),
                               rk_steps_value(v, s->formula));
    }
    v->page.failed |= sum.failed;
    rk_str_free(&sum);
}

/* A part, the steps in it, and their sum; the whole has its sum at the end of the page. */
static void put_steps(rk_view *v, const rk_derivation *d, size_t from, size_t end, rk_ex times_around)
{
    for (size_t i = from; i < end; i = end_of(d, i)) {
        const rk_derive_step *s = &d->step[i];
        bool is_whole = s->node->path[0] == '\0';

        if (!s->is_part) {
            put_line(v, s);
            continue;
        }
        if (!is_whole) {
            /* "layers.attention, 48 times" is said where the number changes. */
            const char *label = s->node->label;

            rk_page_gap(&v->page);
            if (s->node->times == times_around)
                rk_page_put(&v->page, RK_ITEM_HEADING, 0, "%s", label);
            else
                rk_page_put(&v->page, RK_ITEM_HEADING, 0, "%s, %s times", label,
                            rk_view_formula_text(v, s->node->times, RK_PRINT_TEXT));
        }
        put_steps(v, d, i + 1, end_of(d, i), s->node->times);
        if (!is_whole)
            put_sum(v, d, i);
    }
}

static void put_page(rk_view *v, const rk_derivation *d)
{
    rk_cell value;
    rk_str chosen = {0}, other = {0};
    rk_ex one;
    rk_str sum = {0};

    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s%s%s: %s, line by line", v->model->name, d->path ? ", " : "",
                d->path ? d->path : "", rk_steps_quantity(v, d->quantity));
    rk_view_put_like(v);
    if (d->quantity != RK_QUANTITY_PARAMS) {
        rk_view_put_beyond(v);
        rk_view_put_convention(v);
    }
    rk_page_gap(&v->page);
    rk_view_put_symbols(v, NULL, 0);
    put_steps(v, d, 0, d->n_step, rk_ex_int(v->pool, 1));
    value = rk_steps_value(v, d->total);
    rk_page_gap(&v->page);
    one = rk_ex_int(v->pool, 1);
    /* The sum over the parts that were asked for, with their times. */
    for (size_t i = 0; i < d->n_step; i = d->step[i].node->path[0] ? end_of(d, i) : i + 1) {
        const rk_roll_node *node = d->step[i].node;

        if (node->path[0])
            rk_str_format(&sum, "%s%s", sum.n ? " + " : "", term_text(v, node, one, node->label));
    }
    if (sum.n > 0)
        rk_page_equation(&v->page, 0, "total", rk_view_text(rk_view_keep(v, &sum)), NULL);
    /* The chosen form comes last, the other one before it where it differs. */
    rk_ex_print(v->pool, d->total, RK_PRINT_TEXT | v->style, &chosen);
    rk_ex_print(v->pool, d->total, RK_PRINT_TEXT | (v->style ^ RK_PRINT_FACTORED), &other);
    if (strcmp(rk_str_text(&chosen), rk_str_text(&other)) != 0)
        rk_page_equation(&v->page, 0, NULL, rk_cell_formula(d->total, v->style ^ RK_PRINT_FACTORED), NULL);
    rk_page_equation(&v->page, 0, NULL, rk_cell_formula(d->total, v->style), NULL);
    v->page.failed |= chosen.failed || other.failed;
    rk_str_free(&chosen);
    rk_str_free(&other);
    if (value.kind != RK_CELL_NOTHING)
        rk_page_equation(&v->page, 0, NULL, value, NULL);
}

/* ---- the answer ------------------------------------------------------------------------------------------------- */

rk_cell rk_steps_latex(rk_view *v, rk_ex e)
{
    rk_cell cell = rk_view_formula(v, e);

    cell.style |= RK_PRINT_LATEX;
    return cell;
}

rk_cell rk_steps_number(rk_view *v, rk_ex e)
{
    rk_i128 n = 0;

    return rk_view_known(v, e, &n) ? rk_cell_count(n) : rk_cell_null();
}

rk_cell *rk_steps_answer(rk_view *v, const rk_fields *of, const rk_derivation *d)
{
    static const char *const word[] = {"params", "flops", "backward", "step"};
    rk_cell *answer = rk_view_answer(v, of);

    answer[RK_STEPS_QUANTITY] = rk_cell_name(word[d->quantity]);
    answer[RK_STEPS_PATH] = rk_cell_name(d->path);
    if (d->quantity != RK_QUANTITY_PARAMS)
        rk_view_convention(v, &answer[RK_STEPS_CONVENTION]);
    return answer;
}

void rk_steps_put(rk_view *v, rk_cell *cell, const rk_derive_step *s)
{
    cell[RK_STEP_PATH] = rk_cell_name(s->node->path);
    cell[RK_STEP_LAYERS] = rk_cell_name(s->node->layers);
    if (!s->is_part) {
        cell[RK_STEP_FILE] = s->file ? rk_cell_name(s->file) : rk_cell_null();
        cell[RK_STEP_LINE] = rk_cell_count(s->line);
        cell[RK_STEP_EQUATION] = rk_cell_name(s->equation);
        cell[RK_STEP_HERE] = rk_cell_name(s->here);
        cell[RK_STEP_TENSOR] = rk_cell_name(s->tensor);
        cell[RK_STEP_RULE] = rk_cell_name(s->rule);
    }
    cell[RK_STEP_TIMES] = rk_cell_formula(s->node->times, 0);
    cell[RK_STEP_FORMULA] = rk_cell_formula(s->formula, v->style);
    cell[RK_STEP_VALUE] = rk_steps_number(v, s->formula);
}

static const rk_field step_field[RK_N_STEP] = {
    RK_FIELDS_OF_STEP,
    [RK_STEP_VALUE] = {.key = "value", .kind = RK_CELL_COUNT, .csv = true},
};
static const rk_fields step_fields = {step_field, RK_N_STEP};

enum {
    SYMBOLS = RK_N_STEPS_ANSWER,
    FORMULA,
    LATEX,
    TERMS,
    STEPS,
    VALUE,
    N_ANSWER
};

static const rk_field answer_field[N_ANSWER] = {
    RK_FIELDS_OF_STEPS,
    [SYMBOLS] = RK_OBJECT("symbols", rk_symbols_fields, "numbers of the symbols"),
    [FORMULA] = RK_KEY("formula", FORMULA, "the closed form"),
    [LATEX] = RK_KEY("latex", TEXT, "the same, for LaTeX"),
    [TERMS] = RK_LIST("terms", rk_term_fields, "of the closed form, the largest first; they add up to the value"),
    [STEPS] = RK_LIST("steps", step_fields, "line by line, and part by part"),
    [VALUE] = RK_KEY("value", COUNT, "the number; null where a symbol has none"),
};
const rk_fields rk_answer_derive = {answer_field, N_ANSWER};

static void fill(rk_view *v, const rk_derivation *d)
{
    rk_cell *answer = rk_steps_answer(v, &rk_answer_derive, d);
    rk_table *t = rk_cell_list(&v->page, &answer[STEPS], &step_fields);

    rk_view_symbols(v, &answer[SYMBOLS]);
    answer[FORMULA] = rk_view_formula(v, d->total);
    answer[LATEX] = rk_steps_latex(v, d->total);
    answer[VALUE] = rk_steps_number(v, d->total);
    rk_view_derived_terms(v, &answer[TERMS], d);
    t->sums = true;
    for (size_t i = 0; i < d->n_step; i++)
        rk_steps_put(v, rk_page_row(&v->page, t, d->step[i].is_part ? RK_ROW_PART : RK_ROW_PLAIN, 0), &d->step[i]);
    put_page(v, d);
    rk_page_show(&v->page, t);
}

int rk_report_derive(const rk_report *r, const rk_ledger *l, rk_quantity quantity, const char *path, rk_err *err)
{
    rk_derivation d = {0};
    rk_view v;

    rk_view_begin(&v, r, l, err);
    v.page.whole = true;
    v.code = rk_derive(&v.arena, l, quantity, path, &d, err);
    if (v.code == RK_OK)
        fill(&v, &d);
    return rk_view_end(&v);
}
