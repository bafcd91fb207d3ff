/* SPDX-License-Identifier: MIT */
/* Whether rows add up to their total, and what shares they have of it. */
#include "audit/group.h"

#include <math.h>
#include <string.h>
#include <strings.h>

const rk_piece *rk_sum_piece(rk_adder *s, const rk_entry *e)
{
    return &s->a->scan.piece.at[e->piece];
}

size_t rk_sum_line(rk_adder *s, const rk_entry *e)
{
    return rk_scan_line(&s->a->scan, s->a->lexed.token.at[e->from].at);
}

/* ---- adding up -------------------------------------------------------------------------------------------------- */

/* A sum as a side: with the rounding of all its rows, and their symbols. */
static rk_side sum_of(rk_adder *s, const rk_sum_group *g, bool put_right)
{
    rk_side sum = {.value = rk_ex_int(s->a->pool, 0), .computed = true, .digits = true, .alone = RK_SYM_NONE};

    for (size_t i = 0; i < g->n; i++) {
        const rk_side *v = g->row[i]->value;
        rk_ex better = s->a->put_right[v - s->a->chains.side.at];
        bool better_too = put_right && better != RK_EX_FAILED;

        sum.value = rk_ex_add(s->a->pool, sum.value, better_too ? better : v->value);
        sum.slack += v->slack;
        sum.degree += v->degree;
        for (size_t k = 0; k < v->n_symbol; k++) {
            size_t m = 0;

            while (m < sum.n_symbol && sum.symbol[m] != v->symbol[k])
                m++;
            if (m < RK_SIDE_SYMBOLS_MAX)
                sum.symbol[m] = v->symbol[k];
            sum.n_symbol += m == sum.n_symbol && m < RK_SIDE_SYMBOLS_MAX;
        }
    }
    return sum;
}

static rk_word_unit_kind kind_of(const rk_entry *e)
{
    return e->value->unit ? e->value->unit->kind : RK_WORD_UNIT_NONE;
}

/* Rows of different things are not added up. */
static bool same_units(const rk_sum_group *g)
{
    rk_word_unit_kind kind = kind_of(g->total);

    for (size_t i = 0; i < g->n; i++) {
        rk_word_unit_kind k = kind_of(g->row[i]);

        if (k == RK_WORD_UNIT_NONE || k == RK_WORD_UNIT_SCALE)
            continue;
        if (kind != RK_WORD_UNIT_NONE && kind != RK_WORD_UNIT_SCALE && kind != k)
            return false;
        kind = k;
    }
    return true;
}

/* ---- judging ---------------------------------------------------------------------------------------------------- */

static bool has_word(rk_adder *s, const rk_entry *e)
{
    static const char *const word[] = {"per", "each", "every", "including", "incl", "which", "single"};
    const rk_audit_token *t = s->a->lexed.token.at;

    for (size_t i = e->from; i < e->value->from; i++)
        for (size_t k = 0; k < sizeof word / sizeof *word; k++)
            if (t[i].kind == RK_TOKEN_WORD && strlen(word[k]) == t[i].n &&
                strncasecmp(word[k], s->a->scan.text + t[i].at, t[i].n) == 0)
                return true;
    return false;
}

/* A row that occurs several times, or that is part of another one, is not simply added. */
static bool has_odd_rows(rk_adder *s, const rk_sum_group *g)
{
    for (size_t i = 0; i < g->n; i++)
        if (has_word(s, g->row[i]))
            return true;
    return false;
}

/* Rows × columns are no sum. */
static bool is_product(rk_adder *s, const rk_sum_group *g)
{
    rk_ex all = rk_ex_int(s->a->pool, 1);

    for (size_t i = 0; i < g->n && i < 8; i++)
        all = rk_ex_mul(s->a->pool, all, g->row[i]->value->value);
    return all == g->total->value->value;
}

/* A total is of the size of its rows; another number is the total of something else. */
static bool is_of_size(rk_adder *s, const rk_sum_group *g, const rk_side *sum)
{
    rk_pool *p = s->a->pool;
    rk_ex unit = rk_sum_symbols(s, g->total->value);
    double x, y;

    if (rk_side_double(p, rk_ex_div(p, sum->value, unit), &x) &&
        rk_side_double(p, rk_ex_div(p, g->total->value->value, unit), &y))
        return x <= 2 * y && y <= 2 * x;
    for (size_t i = 0; i < sum->n_symbol; i++)
        if (!rk_ex_has_sym(p, g->total->value->value, sum->symbol[i]))
            return false;
    return g->total->value->n_symbol == sum->n_symbol;
}

/* Averages and rates have rows as large as their "total"; a total behind "about" is right within a fifth. */
static bool is_no_sum(rk_adder *s, const rk_sum_group *g, const rk_side *sum)
{
    const double fifth = 0.2;
    rk_ex unit = rk_sum_symbols(s, g->total->value);
    double x, y, row;

    if (!rk_side_double(s->a->pool, rk_ex_div(s->a->pool, sum->value, unit), &x) ||
        !rk_side_double(s->a->pool, rk_ex_div(s->a->pool, g->total->value->value, unit), &y))
        return false;
    if (g->total->value->literal.about && fabs(x - y) <= y * fifth)
        return true;
    for (size_t i = 0; i < g->n; i++)
        if (rk_side_double(s->a->pool, rk_ex_div(s->a->pool, g->row[i]->value->value, unit), &row) && row >= y)
            return true;
    return false;
}

static void put_sum(rk_adder *s, const rk_sum_group *g, rk_claim_status status, const rk_side *sum, const char *note)
{
    const rk_side *v = g->total->value;
    rk_claim *c = rk_audit_claim(s->a, RK_CLAIM_SUM, status, g->total->from, g->total->to);

    if (!c)
        return;
    c->side = v;
    c->stated_value = v->value;
    c->found_value = sum->value;
    c->stated = rk_audit_quote(s->a, v->from, v->to);
    c->found = rk_audit_value(s->a, sum->value, &v->literal, v);
    c->note = note;
}

static bool agrees(rk_adder *s, const rk_sum_group *g, const rk_side *sum)
{
    rk_verdict v = rk_judge_sides(s->a, sum, g->total->value, rk_sum_piece(s, g->total)->scope);

    return v.is == RK_VERDICT_RIGHT;
}

/* The line of the first row that was put right. */
static size_t line_put_right(rk_adder *s, const rk_sum_group *g)
{
    for (size_t i = 0; i < g->n; i++)
        if (s->a->put_right[g->row[i]->value - s->a->chains.side.at] != RK_EX_FAILED)
            return rk_sum_line(s, g->row[i]);
    return 0;
}

/* The group's total is right; true where that could be said. */
static bool is_right(rk_adder *s, const rk_sum_group *g)
{
    rk_side plain = sum_of(s, g, false), better = sum_of(s, g, true);

    if (agrees(s, g, &plain)) {
        put_sum(s, g, RK_CLAIM_RIGHT, &plain, rk_arena_format(&s->a->arena, "the sum of %zu rows", g->n));
        return true;
    }
    if (better.value == plain.value || !agrees(s, g, &better))
        return false;
    put_sum(
        s, g, RK_CLAIM_RIGHT, &better,
        rk_arena_format(&s->a->arena, "the sum of %zu rows, once line %zu is put right", g->n, line_put_right(s, g)));
    return true;
}

static void say_wrong(rk_adder *s, const rk_sum_group *g)
{
    rk_side sum = sum_of(s, g, false);

    if (g->gaps || g->is_doubled || sum.value == RK_EX_FAILED || !is_of_size(s, g, &sum) || has_odd_rows(s, g) ||
        is_product(s, g) || is_no_sum(s, g, &sum))
        return;
    put_sum(s, g, RK_CLAIM_WRONG, &sum, rk_sum_explain(s, g, sum.value));
}

/* Rows behind the last total of their own, then all without such totals: one of them is meant. */
bool rk_sum_judge(rk_adder *s, rk_sum_group *g)
{
    size_t last = 0;
    rk_sum_group part = *g;

    g->row = part.row = s->row;
    for (size_t i = 0; i < g->n; i++)
        if (g->row[i]->total)
            last = i + 1;
    if (g->n < 2 || !same_units(g))
        return false;
    rk_sum_shares(s, g);
    g->is_doubled = last > 0;
    part.row = s->row + last;
    part.n = g->n - last;
    if ((part.n > 1 && is_right(s, &part)) || (last > 0 && is_right(s, g)))
        return true;
    part.n = 0;
    part.row = s->row;
    for (size_t i = 0; i < g->n; i++)
        if (!g->row[i]->total)
            s->row[part.n++] = g->row[i];
    if (last > 0 && part.n > 1 && is_right(s, &part))
        return true;
    if (last == 0)
        say_wrong(s, g);
    return last == 0;
}

/* ---- shares ----------------------------------------------------------------------------------------------------- */

static bool share_agrees(rk_adder *s, const rk_entry *e, const rk_entry *total, rk_side *found)
{
    rk_pool *p = s->a->pool;
    double x, y;

    *found = (rk_side){.value = rk_ex_div(p, e->value->value, total->value->value)};
    if (found->value == RK_EX_FAILED || !rk_side_double(p, e->value->value, &x) ||
        !rk_side_double(p, total->value->value, &y) || x <= 0 || y <= 0)
        return false;
    found->slack = x / y * (e->value->slack / x + total->value->slack / y);
    return rk_judge_agree(p, found->value, found, e->share->value, e->share, e->share->literal.about);
}

static void put_share(rk_adder *s, const rk_entry *e, bool right, const rk_side *found)
{
    rk_claim *c = rk_audit_claim(s->a, RK_CLAIM_SHARE, right ? RK_CLAIM_RIGHT : RK_CLAIM_WRONG, e->from, e->to);
    bool in_brackets = s->a->lexed.token.at[e->share->from].kind == RK_TOKEN_OPEN;

    if (!c)
        return;
    c->side = e->share;
    c->stated_value = e->share->value;
    c->found_value = found->value;
    c->stated = rk_audit_quote(s->a, e->share->from + in_brackets, e->share->to - in_brackets);
    c->found = rk_audit_value(s->a, found->value, &e->share->literal, e->share);
    c->note = right ? "its share of the total" : "of the total that is stated below";
}

/* Shares of this total, if most of them are: otherwise they are shares of something else. */
void rk_sum_shares(rk_adder *s, const rk_sum_group *g)
{
    size_t n = 0, right = 0;
    rk_side found;

    for (size_t i = 0; i < g->n; i++)
        if (g->row[i]->share) {
            n++;
            right += share_agrees(s, g->row[i], g->total, &found);
        }
    for (size_t i = 0; i < g->n && right > 0 && 2 * right >= n; i++)
        if (g->row[i]->share)
            put_share(s, g->row[i], share_agrees(s, g->row[i], g->total, &found), &found);
}
