/* SPDX-License-Identifier: MIT */
/* What a difference between rows and their total may be: rows left out or taken twice, a row of half or double. */
#include "audit/group.h"

#include <string.h>

static const char *row_text(rk_adder *s, const rk_entry *e)
{
    return rk_audit_value(s->a, e->value->value, &(rk_literal){0}, e->value);
}

/* One row that would make it right: `times` it is the difference. */
static bool explain_by(rk_adder *s, const rk_sum_group *g, rk_ex times_less, const char *what, rk_str *out)
{
    for (size_t i = 0; i < g->n; i++)
        if (g->row[i]->value->value == times_less) {
            rk_str_format(out, "%s the row of line %zu, %s", what, rk_sum_line(s, g->row[i]), row_text(s, g->row[i]));
            return true;
        }
    return false;
}

/* A row that was left out, taken twice, or has twice its value. */
static bool explain_row(rk_adder *s, const rk_sum_group *g, rk_ex less, rk_str *out)
{
    rk_pool *p = s->a->pool;

    return explain_by(s, g, less, "left out:", out) ||
           explain_by(s, g, rk_ex_sub(p, rk_ex_int(p, 0), less), "taken twice:", out) ||
           explain_by(s, g, rk_ex_mul(p, less, rk_ex_int(p, 2)), "exactly half of", out);
}

static void put_subset(rk_adder *s, const rk_sum_group *g, size_t *used, rk_str *out)
{
    size_t n = 0;

    for (size_t i = 0; i < g->n; i++) {
        size_t times = 0;

        for (size_t k = i; used[i] && k < g->n; k++)
            if (used[k] && g->row[k]->value->value == g->row[i]->value->value) {
                times++;
                used[k] = k == i;
            }
        if (times > 0)
            rk_str_format(out, "%s%s", n++ ? ", " : "", row_text(s, g->row[i]));
        if (times > 1)
            rk_str_format(out, " (%zu times)", times);
    }
}

/* The factor that all rows share, as T in "1,024 × T"; 1 where they share none. */
rk_ex rk_sum_symbols(rk_adder *s, const rk_side *v)
{
    rk_ex bare = v->value;

    if (rk_ex_term_count(s->a->pool, v->value) != 1 || v->n_symbol == 0)
        return rk_ex_int(s->a->pool, 1);
    for (size_t i = 0; i < v->n_symbol; i++)
        bare = rk_ex_subst(s->a->pool, bare, v->symbol[i], rk_ex_int(s->a->pool, 1));
    return rk_ex_div(s->a->pool, v->value, bare);
}

/* Several rows that make up the difference. */
static bool explain_rows(rk_adder *s, const rk_sum_group *g, rk_ex difference, bool left_out, rk_str *out)
{
    rk_i128 *value = RK_NEW_ARRAY(&s->a->arena, g->n, rk_i128), target;
    size_t *used = RK_NEW_ARRAY(&s->a->arena, g->n, size_t);

    rk_ex unit = rk_sum_symbols(s, g->total->value);

    if (!value || !used || !rk_ex_is_int(s->a->pool, rk_ex_div(s->a->pool, difference, unit), &target))
        return false;
    for (size_t i = 0; i < g->n; i++)
        if (!rk_ex_is_int(s->a->pool, rk_ex_div(s->a->pool, g->row[i]->value->value, unit), &value[i]))
            return false;
    target = target < 0 ? -target : target;
    if (!rk_subset_find(value, g->n, target, used, &s->tries))
        return false;
    rk_str_put(out, left_out ? "as much as these rows, left out: " : "as much as these rows, taken twice: ");
    put_subset(s, g, used, out);
    return true;
}

const char *rk_sum_explain(rk_adder *s, const rk_sum_group *g, rk_ex sum)
{
    rk_pool *p = s->a->pool;
    rk_ex less = rk_ex_sub(p, sum, g->total->value->value);
    const char *terms;
    double size = 0;
    rk_str out = {0};

    rk_side_double(p, rk_ex_div(p, less, rk_sum_symbols(s, g->total->value)), &size);
    rk_str_format(&out, "the rows add up to %s; ",
                  rk_audit_value(s->a, sum, &g->total->value->literal, g->total->value));
    if (size != 0) {
        rk_ex gap = size > 0 ? less : rk_ex_sub(p, rk_ex_int(p, 0), less);

        rk_str_format(&out, "that is %s %s: ", rk_audit_value(s->a, gap, &(rk_literal){0}, g->total->value),
                      size > 0 ? "more" : "less");
    }
    if (size == 0 && (terms = rk_judge_why(s->a, g->total->value->value, sum)))
        rk_str_put(&out, terms);
    else if (!explain_row(s, g, less, &out) && !(size != 0 && explain_rows(s, g, less, size > 0, &out)))
        while (out.n > 0 && strchr(": ;", out.text[out.n - 1]))
            out.text[--out.n] = '\0';
    return rk_audit_keep(s->a, &out);
}
