/* SPDX-License-Identifier: MIT */
/* What `reckon compare` prints: sizes and quantities of models side by side, the parts of one, and how they scale. */
#include "report/compare.h"

#include "report/figure.h"
#include "report/reading.h"
#include "report/view.h"

#include <math.h>
#include <string.h>

enum {
    MODELS_A_TABLE = 5,    /* more of them are in further tables: a number and a share for each */
    SHARE_CHANGE_LEAST = 5 /* in thousandths: smaller changes of a share are not worth a word */
};

typedef struct side_by_side {
    rk_view *v;
    const rk_comparison *c;
    size_t first, n; /* the models of the table that is being made */
    bool narrow;     /* a number and its share in one column */
} side_by_side;

/* ---- cells ------------------------------------------------------------------------------------------------------ */

static rk_cell two_texts(rk_view *v, rk_str *full, rk_str *brief)
{
    return (rk_cell){.kind = RK_CELL_TEXT, .text = rk_view_keep(v, full), .brief = rk_view_keep(v, brief)};
}

static rk_cell value_cell(rk_view *v, const rk_measure *m, rk_i128 over, rk_i128 under)
{
    rk_reading r = {over, under};
    rk_str full = {0}, brief = {0};

    rk_reading_put(&full, m, &r);
    rk_reading_put_brief(&brief, m, &r);
    return two_texts(v, &full, &brief);
}

/* With two digits behind the point, on narrow paper with one. */
static rk_cell share_cell(rk_view *v, rk_i128 n, rk_i128 whole)
{
    static const rk_measure share = {.under.row = &rk_measure_table[0], .unit = RK_UNIT_RATIO};
    rk_reading r = {n, whole};
    rk_str full = {0}, brief = {0};

    rk_reading_put(&full, &share, &r);
    rk_str_share(&brief, n, whole);
    return two_texts(v, &full, &brief);
}

/* "×2.95" */
static rk_cell ratio_cell(rk_view *v, double ratio)
{
    const double large = 100;

    if (!isfinite(ratio))
        return rk_cell_text(&v->page, "–");
    return rk_cell_text(&v->page, ratio >= large ? "×%.0f" : "×%.3g", ratio);
}

static rk_cell missing(rk_view *v)
{
    return rk_cell_text(&v->page, "–");
}

/* Columns of each model in a table of parts. */
static size_t each_of(const side_by_side *s)
{
    return s->narrow || !s->c->adds_up ? 1 : 2;
}

/* ---- tables ----------------------------------------------------------------------------------------------------- */

/* A name, some columns for each model, and one behind them. */
static rk_table *model_table(side_by_side *s, const char *head, size_t each, const char *behind)
{
    size_t n = 1 + s->n * each + (behind != NULL);
    rk_column *column = RK_NEW_ARRAY(&s->v->arena, RK_PAGE_COLUMNS_MAX, rk_column);

    if (!column) {
        s->v->page.failed = true;
        return &s->v->page.no_table;
    }
    column[0] = (rk_column){.head = head};
    for (size_t i = 0; i < s->n; i++) {
        column[1 + i * each] = (rk_column){.head = s->c->model[s->first + i].name, .right = true};
        if (each > 1)
            column[2 + i * each] = (rk_column){.head = "share", .right = true, .drop = 2};
    }
    if (behind)
        column[n - 1] = (rk_column){.head = behind, .right = behind[0] != '\0', .wraps = !behind[0], .drop = 1};
    return rk_page_table(&s->v->page, column, n);
}

static bool is_pair(const rk_comparison *c)
{
    return c->n_model == 2;
}

static void put_symbol(side_by_side *s, rk_table *t, const rk_compared_symbol *symbol)
{
    rk_cell *cell = rk_page_row(&s->v->page, t, RK_ROW_PLAIN, 0);

    cell[0] = rk_cell_text(&s->v->page, "%s%s%.*s", symbol->name, symbol->text ? "  " : "",
                           symbol->text ? (int)strcspn(symbol->text, ",;:") : 0, symbol->text ? symbol->text : "");
    cell[0].brief = rk_cell_text(&s->v->page, "%s", symbol->name).text;
    for (size_t i = 0; i < s->n; i++)
        cell[1 + i] = symbol->has[s->first + i] ? rk_cell_count(symbol->value[s->first + i]) : missing(s->v);
    if (is_pair(s->c) && symbol->has[0] && symbol->has[1] && symbol->value[0] > 0)
        cell[3] = ratio_cell(s->v, (double)symbol->value[1] / (double)symbol->value[0]);
}

static void put_figure(side_by_side *s, rk_table *t, const char *name, size_t measure)
{
    const rk_measure *m = &s->c->measure[measure];
    rk_cell *cell = rk_page_row(&s->v->page, t, RK_ROW_PLAIN, 0);
    const rk_compared *model = s->c->model;

    cell[0] = rk_cell_text(&s->v->page, "%s", name);
    for (size_t i = 0; i < s->n; i++) {
        const rk_reading *r = &model[s->first + i].reading[measure];

        cell[1 + i] = value_cell(s->v, m, r->over, r->under);
    }
    if (is_pair(s->c))
        cell[3] = ratio_cell(s->v, rk_reading_value(&model[1].reading[measure]) /
                                       rk_reading_value(&model[0].reading[measure]));
}

static bool has_tokens(const rk_comparison *c)
{
    bool some = false;

    for (size_t i = 0; i < c->n_model; i++)
        some |= c->model[i].tokens > 0;
    return some;
}

/* Operations for each token of a run. */
static void put_per_token(side_by_side *s, rk_table *t, size_t measure)
{
    const rk_compared *model = &s->c->model[s->first];
    rk_cell *cell = rk_page_row(&s->v->page, t, RK_ROW_PLAIN, 0);
    double value[MODELS_A_TABLE];

    cell[0] = rk_cell_text(&s->v->page, "per token");
    for (size_t i = 0; i < s->n; i++) {
        rk_i128 tokens = model[i].tokens, n = model[i].reading[measure].over;

        value[i] = tokens ? (double)n / (double)tokens : NAN;
        cell[1 + i] =
            tokens ? value_cell(s->v, &s->c->measure[measure], n / tokens + (n % tokens >= tokens - tokens / 2), 1)
                   : missing(s->v);
    }
    if (is_pair(s->c))
        cell[3] = ratio_cell(s->v, value[1] / value[0]);
}

static void put_weights(side_by_side *s, rk_table *t)
{
    rk_cell *cell = rk_page_row(&s->v->page, t, RK_ROW_PLAIN, 0);

    cell[0] = rk_cell_text(&s->v->page, "weights in bf16");
    for (size_t i = 0; i < s->n; i++) {
        rk_str text = {0};

        rk_str_binary(&text, s->c->model[s->first + i].params * 2, "B");
        cell[1 + i] = rk_cell_text(&s->v->page, "%s", rk_view_keep(s->v, &text));
    }
    if (is_pair(s->c))
        cell[3] = ratio_cell(s->v, (double)s->c->model[1].params / (double)s->c->model[0].params);
}

static size_t n_symbols_that_differ(const rk_comparison *c)
{
    size_t n = 0;

    for (size_t i = 0; i < c->symbol.n; i++)
        n += !c->symbol.at[i].equal;
    return n;
}

static void put_sizes(side_by_side *s)
{
    rk_table *t = model_table(s, "", 1, is_pair(s->c) ? "ratio" : NULL);

    for (size_t i = 0; i < s->c->symbol.n; i++)
        if (!s->c->symbol.at[i].equal)
            put_symbol(s, t, &s->c->symbol.at[i]);
}

/* What every model has: the first quantity are parameters, the second ones that a token uses, the third operations. */
static void put_overview(side_by_side *s)
{
    const rk_compared *model = s->c->model;
    rk_table *t = model_table(s, "", 1, is_pair(s->c) ? "ratio" : NULL);
    bool has_idle = false;

    for (size_t i = 0; i < s->c->n_model; i++)
        has_idle |= model[i].reading[0].over != model[i].reading[1].over;
    put_figure(s, t, "parameters", 0);
    if (has_idle)
        put_figure(s, t, "active per token", 1);
    put_weights(s, t);
    put_figure(s, t, s->v->ledger->convention.mac ? "forward, MAC" : "forward, FLOP", 2);
    if (has_tokens(s->c))
        put_per_token(s, t, 2);
}

static void put_quantities(side_by_side *s)
{
    rk_table *t = model_table(s, "", 1, is_pair(s->c) ? "ratio" : NULL);

    for (size_t i = 0; i < s->c->n_measure; i++)
        put_figure(s, t, s->c->measure[i].name, i);
}

/* "96.6 G  27.6%": both in one column. */
static rk_cell joined(rk_view *v, rk_cell number, rk_cell share)
{
    rk_str full = {0}, brief = {0};

    rk_str_format(&full, "%s  %6s", number.text, share.brief);
    rk_str_format(&brief, "%s  %6s", number.brief, share.brief);
    return two_texts(v, &full, &brief);
}

static void put_value(side_by_side *s, rk_cell *cell, size_t i, rk_i128 value)
{
    const rk_comparison *c = s->c;
    rk_cell number = value_cell(s->v, c->divided, value, 1);
    rk_cell share = share_cell(s->v, value, c->model[s->first + i].reading[c->i_divided].over);

    if (s->narrow || !c->adds_up) {
        cell[1 + i * each_of(s)] = c->adds_up ? joined(s->v, number, share) : number;
    } else {
        cell[1 + 2 * i] = number;
        cell[2 + 2 * i] = share;
    }
}

static void put_part(side_by_side *s, rk_table *t, const rk_compared_part *p)
{
    rk_row_kind kind = p->n_below > 0 ? RK_ROW_PART : RK_ROW_PLAIN;
    rk_cell *cell = rk_page_row(&s->v->page, t, kind, p->depth);

    cell[0] = rk_cell_code(p->name);
    for (size_t i = 0; i < s->n; i++) {
        if (p->has[s->first + i])
            put_value(s, cell, i, p->value[s->first + i]);
        else
            cell[1 + i * each_of(s)] = missing(s->v);
    }
    if (is_pair(s->c) && p->has[0] && p->has[1])
        cell[1 + 2 * each_of(s)] = ratio_cell(s->v, (double)p->value[1] / (double)p->value[0]);
}

static void put_total(side_by_side *s, rk_table *t)
{
    const rk_comparison *c = s->c;
    rk_cell *cell = rk_page_row(&s->v->page, t, RK_ROW_TOTAL, 0);

    cell[0] = rk_cell_text(&s->v->page, "%s", c->adds_up ? "total" : c->divided->name);
    for (size_t i = 0; i < s->n; i++)
        put_value(s, cell, i, c->model[s->first + i].reading[c->i_divided].over);
    if (is_pair(c))
        cell[1 + 2 * each_of(s)] = ratio_cell(s->v, (double)c->model[1].reading[c->i_divided].over /
                                                        (double)c->model[0].reading[c->i_divided].over);
}

/* Whether a number and a share of each model, short as they can be, need more columns than the paper has. */
static bool is_narrow(const side_by_side *s)
{
    const size_t number = 6, share = 6, gap = 2; /* "96.6 G", "100.0%" */
    size_t wide = 0, columns = s->v->report->paper.columns;

    for (size_t i = 0; i < s->c->part.n; i++) {
        size_t name = strlen(s->c->part.at[i].name) + 2 * (size_t)s->c->part.at[i].depth;

        wide = name > wide ? name : wide;
    }
    for (size_t i = 0; i < s->n; i++) {
        size_t name = rk_text_width(s->c->model[s->first + i].name);

        wide += gap + (name > number ? name : number) + gap + share;
    }
    return columns > 0 && wide > columns && s->v->report->format == RK_FORMAT_TEXT;
}

static void put_parts(side_by_side *s)
{
    rk_table *t;

    s->narrow = is_narrow(s);
    t = model_table(s, s->c->divided->name, each_of(s), is_pair(s->c) ? "ratio" : NULL);
    for (size_t i = 0; i < s->c->part.n; i++)
        put_part(s, t, &s->c->part.at[i]);
    put_total(s, t);
}

/* One table after the other, each with as many models as are easily read. */
static void put_tables(rk_view *v, const rk_comparison *c, void (*put)(side_by_side *))
{
    side_by_side s = {.v = v, .c = c};

    for (s.first = 0; s.first < c->n_model; s.first += s.n) {
        s.n = c->n_model - s.first < MODELS_A_TABLE ? c->n_model - s.first : MODELS_A_TABLE;
        if (s.first > 0)
            rk_page_gap(&v->page);
        put(&s);
    }
}

/* ---- what follows ----------------------------------------------------------------------------------------------- */

static rk_i128 whole_of(const rk_comparison *c, size_t model)
{
    return c->model[model].reading[c->i_divided].over;
}

static double share_of(const rk_comparison *c, const rk_compared_part *p, size_t model)
{
    return p->has[model] ? (double)p->value[model] / (double)whole_of(c, model) : 0;
}

/* "layers.ffn needs most in each"; "layers.ffn needs most in a, b; head in c" */
static void put_largest(rk_view *v, const rk_comparison *c)
{
    rk_str line = {0};
    size_t n = 0;

    for (size_t i = 0; i < c->n_model; i++) {
        const rk_compared_part *p = rk_compare_largest(c, i);
        bool again = i > 0 && p == rk_compare_largest(c, i - 1);

        if (!p)
            continue;
        if (!again)
            rk_str_format(&line, "%s%s in ", n++ ? "; " : "", p->path);
        rk_str_format(&line, "%s%s", again ? ", " : "", c->model[i].name);
    }
    if (n == 1 && c->n_model > 1)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Largest part: %s, in every model.", rk_compare_largest(c, 0)->path);
    else if (n > 0)
        rk_page_put(&v->page, RK_ITEM_LIST, 0, "Largest part: %s", rk_str_text(&line));
    rk_str_free(&line);
}

/* "layers.ffn 49.8% → 66.9%", of the parts whose share grows, or shrinks, from the first model to the last. */
static void put_change(rk_view *v, const rk_comparison *c, bool grows)
{
    rk_str line = {0};
    size_t last = c->n_model - 1;

    for (size_t i = 0; i < c->part.n; i++) {
        const rk_compared_part *p = &c->part.at[i];
        double change = share_of(c, p, last) - share_of(c, p, 0);

        if (!rk_compare_is_leaf(p, 0) || !rk_compare_is_leaf(p, last) ||
            (grows ? change : -change) * 1000 < SHARE_CHANGE_LEAST)
            continue;
        rk_str_format(&line, "%s%s %.1f%% → %.1f%%", line.n ? ", " : "", p->path, share_of(c, p, 0) * 100,
                      share_of(c, p, last) * 100);
    }
    if (line.n > 0)
        rk_page_put(&v->page, RK_ITEM_LIST, 0, "Shares that %s: %s", grows ? "grow" : "shrink", rk_str_text(&line));
    rk_str_free(&line);
}

/* ---- scaling ---------------------------------------------------------------------------------------------------- */

/* Models of one family are said to scale. */
static bool has_scaling(const rk_comparison *c)
{
    bool some = false, one_family = true;

    for (size_t i = 1; i < c->n_model; i++) {
        some |= isfinite(rk_compare_exponent(1, 1, c->model[i - 1].params, c->model[i].params));
        one_family &= strcmp(c->model[i].ledger->model->family, c->model[0].ledger->model->family) == 0;
    }
    return some && one_family && c->n_model <= MODELS_A_TABLE;
}

static rk_cell exponent_cell(rk_view *v, const rk_comparison *c, rk_i128 a, rk_i128 b, size_t from, size_t to)
{
    double e = rk_compare_exponent(a, b, c->model[from].params, c->model[to].params);

    return isfinite(e) ? rk_cell_text(&v->page, "%.2f", e) : missing(v);
}

static void put_exponents(rk_view *v, const rk_comparison *c, rk_cell *cell, const rk_i128 *value)
{
    for (size_t i = 1; i < c->n_model; i++)
        cell[i] = exponent_cell(v, c, value[i - 1], value[i], i - 1, i);
    if (c->n_model > 2)
        cell[c->n_model] = exponent_cell(v, c, value[0], value[c->n_model - 1], 0, c->n_model - 1);
}

static rk_table *scaling_table(rk_view *v, const rk_comparison *c)
{
    rk_column *column = RK_NEW_ARRAY(&v->arena, RK_PAGE_COLUMNS_MAX, rk_column);

    if (!column) {
        v->page.failed = true;
        return &v->page.no_table;
    }
    column[0] = (rk_column){.head = c->divided->name};
    for (size_t i = 1; i < c->n_model; i++)
        column[i] = (rk_column){.head = rk_arena_format(&v->arena, "→ %s", c->model[i].name), .right = true};
    column[c->n_model] = (rk_column){.head = "over all", .right = true};
    return rk_page_table(&v->page, column, c->n_model + (c->n_model > 2));
}

static void put_scaling(rk_view *v, const rk_comparison *c)
{
    rk_i128 *whole = RK_NEW_ARRAY(&v->arena, c->n_model, rk_i128);
    rk_table *t;
    rk_cell *cell;

    if (!whole || !has_scaling(c))
        return;
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_LINE, 0,
                "Fitted between neighbours: with which power of its parameters each part of a model grows.");
    t = scaling_table(v, c);
    for (size_t i = 0; i < c->part.n; i++) {
        cell = rk_page_row(&v->page, t, c->part.at[i].n_below > 0 ? RK_ROW_PART : RK_ROW_PLAIN, c->part.at[i].depth);
        cell[0] = rk_cell_code(c->part.at[i].name);
        put_exponents(v, c, cell, c->part.at[i].value);
    }
    for (size_t i = 0; i < c->n_model; i++)
        whole[i] = whole_of(c, i);
    cell = rk_page_row(&v->page, t, RK_ROW_TOTAL, 0);
    cell[0] = rk_cell_text(&v->page, "total");
    put_exponents(v, c, cell, whole);
}

/* ---- the page --------------------------------------------------------------------------------------------------- */

static const char *names_of(rk_view *v, const rk_comparison *c)
{
    rk_str s = {0};

    for (size_t i = 0; i < c->n_model; i++)
        rk_str_format(&s, "%s%s", i == 0 ? "" : i + 1 == c->n_model ? " and " : ", ", c->model[i].name);
    return rk_view_keep(v, &s);
}

/* Symbols that all models have with the same number: of the run, or of the models. */
static void put_equal(rk_view *v, const rk_comparison *c, rk_symbol_kind kind)
{
    rk_str line = {0};

    for (size_t i = 0; i < c->symbol.n; i++) {
        const rk_compared_symbol *s = &c->symbol.at[i];

        if (!s->equal || s->kind != kind)
            continue;
        rk_str_format(&line, "%s%s = ", line.n ? ", " : "", s->name);
        rk_str_grouped(&line, s->value[0]);
        if (s->text)
            rk_str_format(&line, " %.*s", (int)strcspn(s->text, ",;"), s->text);
    }
    if (line.n > 0)
        rk_page_put(&v->page, RK_ITEM_LIST, 0, "%s%s",
                    kind == RK_SYMBOL_RUN ? "" : "In all of them: ", rk_str_text(&line));
    rk_str_free(&line);
}

static bool counts_operations(const rk_comparison *c)
{
    bool some = false;

    for (size_t i = 0; i < c->n_measure; i++)
        some |= c->measure[i].over.row->from == RK_FROM_OPS;
    return some;
}

/* For programs: a row for each quantity and each part of each model. */
static void put_rows(rk_view *v, const rk_comparison *c)
{
    static const rk_column column[] = {{.key = "model"}, {.key = "quantity"}, {.key = "path"}, {.key = "value"}};
    rk_table *t = rk_page_table(&v->page, column, 4);

    for (size_t k = 0; k < c->n_model; k++) {
        for (size_t i = 0; i < c->n_measure; i++) {
            rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
            rk_str value = {0};

            rk_reading_put_plain(&value, &c->measure[i], &c->model[k].reading[i]);
            cell[0] = rk_cell_text(&v->page, "%s", c->model[k].name);
            cell[1] = rk_cell_text(&v->page, "%s", c->measure[i].name);
            cell[3] = rk_cell_text(&v->page, "%s", rk_view_keep(v, &value));
        }
        for (size_t i = 0; i < c->part.n; i++) {
            rk_cell *cell;

            if (!c->part.at[i].has[k] || !rk_compare_is_leaf(&c->part.at[i], k))
                continue;
            cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
            cell[0] = rk_cell_text(&v->page, "%s", c->model[k].name);
            cell[1] = rk_cell_text(&v->page, "%s", c->divided->name);
            cell[2] = rk_cell_text(&v->page, "%s", c->part.at[i].path);
            cell[3] = rk_cell_count(c->part.at[i].value[k]);
        }
    }
}

static void fill_page(rk_view *v, const rk_comparison *c, bool whole)
{
    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s", names_of(v, c));
    put_equal(v, c, RK_SYMBOL_RUN);
    if (whole)
        put_equal(v, c, RK_SYMBOL_MODEL);
    rk_page_gap(&v->page);
    if (whole && n_symbols_that_differ(c) > 0) {
        put_tables(v, c, put_sizes);
        rk_page_gap(&v->page);
    }
    put_tables(v, c, whole ? put_overview : put_quantities);
    if (c->divided) {
        rk_page_gap(&v->page);
        put_tables(v, c, put_parts);
        rk_page_gap(&v->page);
        put_largest(v, c);
        if (c->adds_up) {
            put_change(v, c, true);
            put_change(v, c, false);
            put_scaling(v, c);
        }
    }
    rk_page_gap(&v->page);
    if (counts_operations(c))
        rk_view_put_convention(v);
    if (v->report->format == RK_FORMAT_CSV)
        put_rows(v, c);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static void write_model(rk_view *v, const rk_comparison *c, size_t k)
{
    rk_json *j = &v->json;

    rk_json_open(j, NULL, '{');
    rk_json_text(j, "model", c->model[k].name);
    rk_json_row(j, "symbols");
    for (size_t i = 0; i < c->symbol.n; i++)
        if (c->symbol.at[i].has[k])
            rk_json_count(j, c->symbol.at[i].name, c->symbol.at[i].value[k]);
    rk_json_close(j);
    rk_json_count(j, "parameters", c->model[k].params);
    rk_json_row(j, "quantities");
    for (size_t i = 0; i < c->n_measure; i++) {
        rk_str value = {0};

        rk_reading_put_plain(&value, &c->measure[i], &c->model[k].reading[i]);
        rk_json_number(j, c->measure[i].name, value.n ? rk_view_keep(v, &value) : "null");
    }
    rk_json_close(j);
    rk_json_close(j);
}

static void write_part(rk_view *v, const rk_comparison *c, const rk_compared_part *p)
{
    rk_json *j = &v->json;

    rk_json_row(j, NULL);
    rk_json_text(j, "path", p->path);
    rk_json_truth(j, "sum", p->n_below > 0);
    rk_json_list(j, "values");
    for (size_t k = 0; k < c->n_model; k++) {
        if (p->has[k])
            rk_json_count(j, NULL, p->value[k]);
        else
            rk_json_null(j, NULL);
    }
    rk_json_close(j);
    rk_json_list(j, "shares");
    for (size_t k = 0; k < c->n_model && c->adds_up; k++) {
        rk_str share = {0};

        rk_str_fraction(&share, p->value[k], whole_of(c, k));
        rk_json_number(j, NULL, share.n && p->has[k] ? rk_view_keep(v, &share) : "null");
    }
    rk_json_close(j);
    rk_json_close(j);
}

static void write_json(rk_view *v, const rk_comparison *c)
{
    rk_json *j = &v->json;

    rk_json_open(j, NULL, '{');
    rk_view_json_convention(v);
    rk_json_open(j, "models", '[');
    for (size_t k = 0; k < c->n_model; k++)
        write_model(v, c, k);
    rk_json_close(j);
    rk_json_text(j, "divided", c->divided ? c->divided->name : NULL);
    rk_json_open(j, "rows", '[');
    for (size_t i = 0; i < c->part.n; i++)
        write_part(v, c, &c->part.at[i]);
    rk_json_close(j);
    rk_json_close(j);
}

int rk_report_compare(const rk_report *r, const rk_comparison *c, bool whole, rk_err *err)
{
    rk_view v;

    rk_view_begin(&v, r, c->model[0].ledger, err);
    if (r->format == RK_FORMAT_JSON)
        write_json(&v, c);
    else
        fill_page(&v, c, whole);
    return rk_view_end(&v);
}
