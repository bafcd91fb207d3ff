/* SPDX-License-Identifier: MIT */
/* Tables of `reckon compare`, a column or two for each model. */
#include "report/compare_parts.h"

#include "report/figure.h"
#include "report/reading.h"

#include <math.h>
#include <string.h>

typedef struct side_by_side {
    rk_view *v;
    const rk_comparison *c;
    size_t first, n; /* the models of the table that is being made */
    bool is_pair;    /* of two models there is a ratio, too */
} side_by_side;

/* ---- cells ------------------------------------------------------------------------------------------------------ */

/* "×2.95" */
static rk_cell ratio_cell(rk_view *v, double ratio)
{
    const double large = 100;

    if (!isfinite(ratio))
        return rk_cell_dash();
    return rk_cell_text(&v->page, ratio >= large ? "×%.0f" : "×%.3g", ratio);
}

/* ---- tables ----------------------------------------------------------------------------------------------------- */

const char *rk_compare_names(rk_view *v, const char *const *name, size_t n)
{
    rk_str names = {0};

    for (size_t i = 0; i < n; i++)
        rk_str_format(&names, "%s%s", i == 0 ? "" : i + 1 == n ? " and " : ", ", name[i]);
    return rk_view_keep(v, &names);
}

rk_table *rk_compare_columns(rk_view *v, rk_field first, const char *const *name, size_t n, bool shares,
                             const rk_field *last)
{
    rk_field column[2 * RK_COMPARE_A_TABLE + 2] = {first};
    size_t n_column = 1;

    for (size_t i = 0; i < n; i++) {
        column[n_column++] = (rk_field){.head = name[i], .key = first.key ? name[i] : NULL, .right = true};
        if (shares)
            column[n_column++] = (rk_field){.head = "share", .right = true, .joins = true, .drop = 2};
    }
    if (last)
        column[n_column++] = *last;
    return rk_view_table(v, column, n_column);
}

static rk_table *model_table(const side_by_side *s, const char *head, bool shares)
{
    static const rk_field ratio = {.head = "ratio", .right = true, .drop = 1};
    const char *name[RK_COMPARE_A_TABLE];

    for (size_t i = 0; i < s->n; i++)
        name[i] = s->c->model[s->first + i].name;
    return rk_compare_columns(s->v, (rk_field){.head = head}, name, s->n, shares, s->is_pair ? &ratio : NULL);
}

/* The sizes and the figures of the models, which a paper has in one table. */
static rk_table *main_table(const side_by_side *s)
{
    rk_table *t = model_table(s, "", false);

    t->main = true;
    return t;
}

static void put_figure(side_by_side *s, rk_table *t, const char *name, size_t measure)
{
    const rk_measure *m = &s->c->measure[measure];
    rk_cell *cell = rk_page_row(&s->v->page, t, RK_ROW_PLAIN, 0);
    const rk_compared *model = s->c->model;

    cell[0] = rk_cell_text(&s->v->page, "%s", name);
    for (size_t i = 0; i < s->n; i++)
        cell[1 + i] = rk_reading_cell(s->v, m, &model[s->first + i].reading[measure]);
    if (s->is_pair)
        cell[3] = ratio_cell(s->v, rk_reading_value(&model[1].reading[measure]) /
                                       rk_reading_value(&model[0].reading[measure]));
}

/* Operations for each token of a run. */
static void put_per_token(side_by_side *s, rk_table *t, size_t measure)
{
    const rk_compared *model = &s->c->model[s->first];
    rk_cell *cell = rk_page_row(&s->v->page, t, RK_ROW_PLAIN, 0);
    double value[RK_COMPARE_A_TABLE];

    cell[0] = rk_cell_text(&s->v->page, "per token");
    for (size_t i = 0; i < s->n; i++) {
        rk_i128 tokens = model[i].tokens, n = model[i].reading[measure].over;
        rk_reading each = {tokens ? n / tokens + (n % tokens >= tokens - tokens / 2) : 0, 1};

        value[i] = tokens ? (double)n / (double)tokens : NAN;
        cell[1 + i] = tokens ? rk_reading_cell(s->v, &s->c->measure[measure], &each) : rk_cell_dash();
    }
    if (s->is_pair)
        cell[3] = ratio_cell(s->v, value[1] / value[0]);
}

static void put_sizes(side_by_side *s)
{
    rk_table *t = main_table(s);

    for (size_t i = 0; i < s->c->symbol.n; i++)
        if (!s->c->symbol.at[i].equal) {
            const rk_compared_symbol *symbol = &s->c->symbol.at[i];
            rk_cell *cell = rk_page_row(&s->v->page, t, RK_ROW_PLAIN, 0);

            cell[0] =
                rk_cell_text(&s->v->page, "%s%s%.*s", symbol->name, symbol->text ? "  " : "",
                             symbol->text ? (int)strcspn(symbol->text, ",;:") : 0, symbol->text ? symbol->text : "");
            cell[0].brief = rk_cell_text(&s->v->page, "%s", symbol->name).text;
            for (size_t k = 0; k < s->n; k++)
                cell[1 + k] = symbol->has[s->first + k] ? rk_cell_count(symbol->value[s->first + k]) : rk_cell_dash();
            if (s->is_pair && symbol->has[0] && symbol->has[1] && symbol->value[0] > 0)
                cell[3] = ratio_cell(s->v, (double)symbol->value[1] / (double)symbol->value[0]);
        }
}

/* What every model has: the first quantity are parameters, the second ones that a token uses, the third operations. */
static void put_overview(side_by_side *s)
{
    const rk_compared *model = s->c->model;
    rk_table *t = main_table(s);
    bool has_idle = false, has_tokens = false;
    rk_cell *cell;

    for (size_t i = 0; i < s->c->n_model; i++) {
        has_idle |= model[i].reading[0].over != model[i].reading[1].over;
        has_tokens |= model[i].tokens > 0;
    }
    put_figure(s, t, "parameters", 0);
    if (has_idle)
        put_figure(s, t, "active per token", 1);
    cell = rk_page_row(&s->v->page, t, RK_ROW_PLAIN, 0);
    cell[0] = rk_cell_text(&s->v->page, "weights in bf16");
    for (size_t i = 0; i < s->n; i++) {
        rk_acc acc = {0};
        rk_i128 bytes = rk_mul(&acc, model[s->first + i].params, 2);

        cell[1 + i] = rk_view_text(acc.overflow ? "–" : rk_view_scaled(s->v, bytes, "B"));
    }
    if (s->is_pair)
        cell[3] = ratio_cell(s->v, (double)model[1].params / (double)model[0].params);
    put_figure(s, t, s->v->ledger->convention.mac ? "forward, MAC" : "forward, FLOP", 2);
    if (has_tokens)
        put_per_token(s, t, 2);
}

static void put_quantities(side_by_side *s)
{
    rk_table *t = main_table(s);

    for (size_t i = 0; i < s->c->n_measure; i++)
        put_figure(s, t, s->c->measure[i].name, i);
}

static void put_value(const side_by_side *s, rk_cell *cell, size_t i, rk_i128 value)
{
    rk_i128 whole = rk_compare_whole(s->c, s->first + i);
    rk_str share = {0}, brief = {0};

    *cell = rk_reading_cell(s->v, s->c->divided, &(rk_reading){value, 1});
    if (!s->c->adds_up)
        return;
    rk_reading_put_share(&share, value, whole);
    rk_str_share(&brief, value, whole);
    cell[1] = rk_view_texts(s->v, &share, &brief);
}

static void put_parts(side_by_side *s)
{
    const rk_comparison *c = s->c;
    rk_table *t = model_table(s, c->divided->name, c->adds_up);
    size_t each = c->adds_up ? 2 : 1; /* columns of a model */
    rk_cell *cell;

    for (size_t i = 0; i < c->part.n; i++) {
        const rk_compared_part *p = &c->part.at[i];

        cell = rk_page_row(&s->v->page, t, p->n_below > 0 ? RK_ROW_PART : RK_ROW_PLAIN, p->depth);
        cell[0] = rk_cell_code(p->name);
        for (size_t k = 0; k < s->n; k++) {
            if (p->has[s->first + k])
                put_value(s, &cell[1 + k * each], k, p->value[s->first + k]);
            else
                cell[1 + k * each] = rk_cell_dash();
        }
        if (s->is_pair && p->has[0] && p->has[1])
            cell[1 + 2 * each] = ratio_cell(s->v, (double)p->value[1] / (double)p->value[0]);
    }
    cell = rk_page_row(&s->v->page, t, RK_ROW_TOTAL, 0);
    cell[0] = rk_cell_text(&s->v->page, "%s", c->adds_up ? "total" : c->divided->name);
    for (size_t i = 0; i < s->n; i++)
        put_value(s, &cell[1 + i * each], i, rk_compare_whole(c, s->first + i));
    if (s->is_pair)
        cell[1 + 2 * each] = ratio_cell(s->v, (double)rk_compare_whole(c, 1) / (double)rk_compare_whole(c, 0));
}

void rk_compare_put(rk_view *v, const rk_comparison *c, rk_compare_table which)
{
    static void (*const put[])(side_by_side *) = {[RK_COMPARE_SIZES] = put_sizes,
                                                  [RK_COMPARE_OVERVIEW] = put_overview,
                                                  [RK_COMPARE_QUANTITIES] = put_quantities,
                                                  [RK_COMPARE_PARTS] = put_parts};
    side_by_side s = {.v = v, .c = c, .is_pair = c->n_model == 2};

    for (s.first = 0; s.first < c->n_model; s.first += s.n) {
        s.n = c->n_model - s.first < RK_COMPARE_A_TABLE ? c->n_model - s.first : RK_COMPARE_A_TABLE;
        if (s.first > 0)
            rk_page_gap(&v->page);
        put[which](&s);
    }
}
