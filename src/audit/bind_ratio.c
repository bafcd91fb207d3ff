/* SPDX-License-Identifier: MIT */
/* "33.2× (from 4.51 TFLOPs to 149.5 TFLOPs)": one quantity at two sizes, and how often the one is the other. */
#include "audit/bind_parts.h"

#include <math.h>
#include <string.h>

static bool is_same_quantity(const rk_figure *f, const rk_figure *g)
{
    const rk_bound *x = &f->bound, *y = &g->bound;

    return x->status == RK_CLAIM_RIGHT && y->status == RK_CLAIM_RIGHT && x->entry && y->entry && f->at != g->at &&
           x->entry->kind == y->entry->kind && x->entry->kind != RK_INDEX_SHARE && x->entry->all == y->entry->all &&
           strcmp(x->entry->path, y->entry->path) == 0 && strcmp(x->entry->what, y->entry->what) == 0;
}

/* A number with a point before a sign of multiplication behind which no number stands. */
static bool is_factor(const rk_audit *a, size_t i, size_t end, double *value, double *unit)
{
    const rk_audit_token *t = &a->lexed.token.at[i];
    const rk_written *n;

    if (t->kind != RK_TOKEN_NUMBER || i + 1 >= end || t[1].kind != RK_TOKEN_SIGN || t[1].op != '*')
        return false;
    if (i + 2 < end && (t[2].kind == RK_TOKEN_NUMBER || t[2].kind == RK_TOKEN_SYMBOL))
        return false;
    n = &a->lexed.number.at[t->id];
    *unit = pow(10, n->exponent);
    *value = (double)n->digits * *unit;
    return n->decimal && !n->wide && *value > 1;
}

static void claim_factor(rk_binder *b, size_t token, const rk_figure *f, const rk_figure *g, bool is_right)
{
    const rk_figure *less = f->bound.value < g->bound.value ? f : g, *more = less == f ? g : f;
    rk_claim *c = rk_audit_claim(b->a, RK_CLAIM_MODEL, is_right ? RK_CLAIM_RIGHT : RK_CLAIM_WRONG, token, token + 1);
    char high[RK_NUM_TEXT_MAX], low[RK_NUM_TEXT_MAX];
    rk_str s = {0};

    if (!c)
        return;
    rk_index_put(less->bound.entry, &s);
    c->quantity = rk_audit_keep(b->a, &s);
    c->stated = c->text;
    c->found_value = rk_ex_ratio(b->a->pool, more->bound.value, less->bound.value);
    c->found = rk_arena_format(&b->a->arena, "%.2f", (double)more->bound.value / (double)less->bound.value);
    c->formula = rk_arena_format(&b->a->arena, "%s / %s", rk_num_grouped(high, more->bound.value),
                                 rk_num_grouped(low, less->bound.value));
    c->note = rk_arena_format(&b->a->arena, "%s: %s", c->quantity, c->formula);
}

static void look_for_factor(rk_binder *b, const rk_figure *f, const rk_figure *g)
{
    const double near = 0.02;
    size_t piece = f->chain->piece, end = b->a->lexed.first[piece + 1];
    double ratio = (double)f->bound.value / (double)g->bound.value, value, unit;

    ratio = ratio < 1 ? 1 / ratio : ratio;
    for (size_t i = b->a->lexed.first[piece]; i < end; i++)
        if (is_factor(b->a, i, end, &value, &unit) && fabs(value / ratio - 1) <= near)
            claim_factor(b, i, f, g, fabs(value - ratio) <= unit / 2);
}

void rk_bind_factors(rk_binder *b)
{
    for (size_t i = 0; i + 1 < b->figure.n; i++) {
        const rk_figure *f = &b->figure.at[i], *g = &b->figure.at[i + 1];

        if (f->chain->piece == g->chain->piece && is_same_quantity(f, g))
            look_for_factor(b, f, g);
    }
}
