/* SPDX-License-Identifier: MIT */
/* What `reckon derive` prints: the closed form, line by line of the model, then part by part, then the total. */
#include "report/steps.h"

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

    rk_page_code(&v->page, 1, s->equation, place);
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

void rk_steps_put_table(rk_view *v, const rk_derivation *d)
{
    static const rk_field column[] = {{.key = "path"},     {.key = "layers"}, {.key = "file"}, {.key = "line"},
                                      {.key = "equation"}, {.key = "tensor"}, {.key = "rule"}, {.key = "times"},
                                      {.key = "formula"},  {.key = "value"}};
    rk_table *t = rk_page_table(&v->page, column, sizeof column / sizeof *column);

    for (size_t i = 0; i < d->n_step; i++) {
        const rk_derive_step *s = &d->step[i];
        rk_cell *cell = rk_page_row(&v->page, t, s->is_part ? RK_ROW_PART : RK_ROW_PLAIN, 0);
        rk_i128 value = 0;
        const char *text[] = {s->node->path, s->node->layers, s->file, NULL, s->equation, s->tensor, s->rule};

        for (size_t c = 0; c < sizeof text / sizeof *text; c++)
            if (text[c])
                cell[c] = rk_cell_code(text[c]);
        cell[3] = rk_cell_count(s->line);
        cell[7] = rk_cell_formula(s->node->times, 0);
        cell[8] = rk_cell_formula(s->formula, v->style);
        if (rk_view_known(v, s->formula, &value))
            cell[9] = rk_cell_count(value);
    }
}

static void fill_page(rk_view *v, const rk_derivation *d)
{
    rk_cell value;
    rk_str chosen = {0}, other = {0};
    rk_ex one;
    rk_str sum = {0};

    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s%s%s: %s, line by line", v->model->name, d->path ? ", " : "",
                d->path ? d->path : "", rk_steps_quantity(v, d->quantity));
    rk_view_put_like(v);
    if (d->quantity != RK_QUANTITY_PARAMS)
        rk_view_put_convention(v);
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
    rk_steps_put_table(v, d);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

void rk_steps_json(rk_view *v, const rk_derive_step *s)
{
    rk_json *j = &v->json;

    rk_json_text(j, "path", s->node->path);
    if (s->node->layers)
        rk_json_text(j, "layers", s->node->layers);
    if (!s->is_part) {
        rk_json_text(j, "file", s->file);
        rk_json_count(j, "line", s->line);
        rk_json_text(j, "equation", s->equation);
        if (s->tensor)
            rk_json_text(j, "tensor", s->tensor);
        rk_json_text(j, "rule", s->rule);
    }
    rk_json_text(j, "times", rk_view_formula_text(v, s->node->times, RK_PRINT_TEXT));
    rk_view_json_formula(v, "formula", s->formula);
}

void rk_steps_json_question(rk_view *v, const rk_derivation *d)
{
    static const char *const word[] = {"params", "flops", "backward", "step"};
    rk_json *j = &v->json;

    rk_json_text(j, "model", v->model->name);
    rk_view_json_like(v);
    rk_json_text(j, "quantity", word[d->quantity]);
    if (d->path)
        rk_json_text(j, "path", d->path);
    if (d->quantity != RK_QUANTITY_PARAMS)
        rk_view_json_convention(v);
}

static void write_json(rk_view *v, const rk_derivation *d)
{
    rk_json *j = &v->json;
    rk_i128 value = 0;
    bool known;

    rk_json_open(j, NULL, '{');
    rk_steps_json_question(v, d);
    rk_view_json_symbols(v);
    rk_view_json_formula(v, "formula", d->total);
    rk_json_text(j, "latex", rk_view_formula_text(v, d->total, RK_PRINT_LATEX | v->style));
    rk_json_open(j, "steps", '[');
    for (size_t i = 0; i < d->n_step && v->code == RK_OK; i++) {
        rk_json_row(j, NULL);
        rk_steps_json(v, &d->step[i]);
        rk_json_close(j);
    }
    rk_json_close(j);
    known = rk_view_known(v, d->total, &value);
    rk_json_known(j, "value", known, value);
    rk_json_close(j);
}

int rk_report_derive(const rk_report *r, const rk_ledger *l, rk_quantity quantity, const char *path, rk_err *err)
{
    rk_derivation d = {0};
    rk_view v;

    rk_view_begin(&v, r, l, err);
    v.code = rk_derive(&v.arena, l, quantity, path, &d, err);
    if (v.code == RK_OK && r->format == RK_FORMAT_JSON)
        write_json(&v, &d);
    else if (v.code == RK_OK)
        fill_page(&v, &d);
    return rk_view_end(&v);
}
