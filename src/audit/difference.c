/* SPDX-License-Identifier: MIT */
/* What a difference between rows and their total may be: rows left out or taken twice, a row of half or double. */
#include "audit/judge.h"
#include "audit/sums.h"

#include <stdlib.h>
#include <math.h>
#include <string.h>

enum {
    ROWS_MAX = 6,    /* more rows than these add up to anything */
    VALUES_MAX = 256 /* different values that are looked at, the largest */
};

/* Values beyond this could overflow when multiplied; no one's rows have them. */
static const rk_i128 value_max = (rk_i128)1 << 120;

/* ---- several rows ------------------------------------------------------------------------------------------------ */

typedef struct search {
    rk_i128 value[VALUES_MAX]; /* different ones, the largest first */
    size_t most[VALUES_MAX];   /* how often each occurs */
    size_t used[VALUES_MAX];
    size_t n, *tries;
} search;

static int larger_first(const void *a, const void *b)
{
    rk_i128 x = *(const rk_i128 *)a, y = *(const rk_i128 *)b;

    return (x < y) - (x > y);
}

static bool try_rows(search *s, size_t first, size_t rows, rk_i128 target)
{
    if (rows == 0)
        return target == 0;
    for (size_t i = first; i < s->n; i++) {
        if (*s->tries == 0 || s->value[i] * (rk_i128)rows < target)
            return false; /* all that follow are smaller still */
        --*s->tries;
        if (s->value[i] > target || s->used[i] == s->most[i])
            continue;
        s->used[i]++;
        if (try_rows(s, i, rows - 1, target - s->value[i]))
            return true;
        s->used[i]--;
    }
    return false;
}

/*
 * The fewest of n positive values whose sum is `target`, found by trying few before many.  False: there are none among
 * the tries that are left.
 */
static bool find_rows(search *s, rk_i128 *value, size_t n, rk_i128 target)
{
    qsort(value, n, sizeof *value, larger_first);
    for (size_t i = 0; i < n; i++) {
        if (value[i] <= 0 || value[i] > value_max)
            continue;
        if (s->n > 0 && s->value[s->n - 1] == value[i]) {
            s->most[s->n - 1]++;
        } else if (s->n < VALUES_MAX) {
            s->value[s->n] = value[i];
            s->most[s->n++] = 1;
        }
    }
    for (size_t rows = 1; rows <= ROWS_MAX && rows < n && target > 0 && target < value_max; rows++)
        if (try_rows(s, 0, rows, target))
            return true;
    return false;
}

static const char *row_text(rk_adder *s, const rk_entry *e)
{
    return rk_audit_value(s->a, e->value->value, &(rk_literal){0}, e->value);
}

/* Several rows that make up the difference. */
static bool explain_rows(rk_adder *s, const rk_sum_group *g, rk_ex difference, bool left_out, rk_str *out)
{
    rk_pool *p = s->a->pool;
    rk_i128 *value = RK_NEW_ARRAY(&s->a->arena, g->n, rk_i128), *sorted, target;
    search *found = RK_NEW(&s->a->arena, search);
    rk_ex unit = rk_sum_symbols(s, g->total->value);
    size_t n = 0;

    if (!value || !found || !rk_ex_is_int(p, rk_ex_div(p, difference, unit), &target))
        return false;
    for (size_t i = 0; i < g->n; i++)
        if (!rk_ex_is_int(p, rk_ex_div(p, g->row[i]->value->value, unit), &value[i]))
            return false;
    sorted = rk_arena_copy_array(&s->a->arena, value, g->n, sizeof *value);
    found->tries = &s->tries;
    if (!sorted || !find_rows(found, sorted, g->n, target < 0 ? -target : target))
        return false;
    rk_str_put(out, left_out ? "as much as these rows, left out: " : "as much as these rows, taken twice: ");
    for (size_t i = 0; i < g->n; i++)
        for (size_t k = 0; k < found->n; k++) {
            if (found->used[k] == 0 || found->value[k] != value[i])
                continue;
            rk_str_format(out, "%s%s", n++ ? ", " : "", row_text(s, g->row[i]));
            if (found->used[k] > 1)
                rk_str_format(out, " (%zu times)", found->used[k]);
            found->used[k] = 0;
        }
    return true;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* A row that was left out, taken twice, or has twice its value. */
static bool explain_row(rk_adder *s, const rk_sum_group *g, rk_ex less, rk_str *out)
{
    rk_pool *p = s->a->pool;
    const struct {
        rk_ex row;
        const char *what;
    } slip[] = {{less, "left out:"},
                {rk_ex_sub(p, rk_ex_int(p, 0), less), "taken twice:"},
                {rk_ex_mul(p, less, rk_ex_int(p, 2)), "exactly half of"}};

    for (size_t k = 0; k < sizeof slip / sizeof *slip; k++)
        for (size_t i = 0; i < g->n; i++)
            if (g->row[i]->value->value == slip[k].row) {
                rk_str_format(out, "%s the row of line %zu, %s", slip[k].what, rk_sum_line(s, g->row[i]),
                              row_text(s, g->row[i]));
                return true;
            }
    return false;
}

rk_ex rk_sum_symbols(const rk_adder *s, const rk_side *v)
{
    if (rk_ex_term_count(s->a->pool, v->value) != 1 || v->n_symbol == 0)
        return rk_ex_int(s->a->pool, 1);
    return rk_ex_div(s->a->pool, v->value, rk_side_bare(s->a->pool, v));
}

/* 54.75 for 45.75, in units of its last digit. */
static bool is_misspelt(const rk_adder *s, const rk_side *total, rk_ex sum)
{
    const double most = 1e18;
    double unit = total->literal.unit, x, y;

    if (!total->literal.is || unit <= 0 || !rk_side_double(s->a->pool, total->value, &x) ||
        !rk_side_double(s->a->pool, sum, &y) || x / unit > most || y / unit > most)
        return false;
    return rk_judge_misspelt((rk_i128)round(x / unit), (rk_i128)round(y / unit));
}

bool rk_sum_is_off_by_tens(const rk_side *total, double sum, double stated)
{
    const double three_digits = 100;
    double off = stated / sum, tens = pow(10, round(log10(off)));

    return total->literal.is && sum > 0 && stated / total->literal.coarse >= three_digits && tens != 1 &&
           fabs(off / tens - 1) <= total->literal.unit / stated;
}

const char *rk_sum_explain(rk_adder *s, const rk_sum_group *g, rk_ex sum, bool *explained)
{
    const rk_side *total = g->total->value;
    rk_pool *p = s->a->pool;
    rk_ex less = rk_ex_sub(p, sum, total->value);
    const char *terms;
    double size = 0;
    rk_str out = {0};

    rk_side_double(p, rk_ex_div(p, less, rk_sum_symbols(s, total)), &size);
    rk_str_format(&out, "the rows add up to %s; ", rk_audit_value(s->a, sum, &total->literal, total));
    if (size != 0) {
        rk_ex gap = size > 0 ? less : rk_ex_sub(p, rk_ex_int(p, 0), less);

        rk_str_format(&out, "that is %s %s: ", rk_audit_value(s->a, gap, &(rk_literal){0}, total),
                      size > 0 ? "more" : "less");
    }
    *explained = true;
    if (size == 0 && (terms = rk_judge_why(s->a, total->value, sum)))
        rk_str_put(&out, terms);
    else if (!explain_row(s, g, less, &out) && !(size != 0 && explain_rows(s, g, less, size > 0, &out))) {
        double x, y;

        *explained = is_misspelt(s, total, sum) || (rk_side_double(p, sum, &x) && rk_side_double(p, total->value, &y) &&
                                                    rk_sum_is_off_by_tens(total, x, y));
        while (out.n > 0 && strchr(": ;", out.text[out.n - 1]))
            out.text[--out.n] = '\0';
    }
    return rk_audit_keep(s->a, &out);
}
