/* SPDX-License-Identifier: MIT */
/* What is said of a figure: which quantity it is, its formula, and why it may be what it is. */
#include "audit/bind_parts.h"

#include "audit/judge.h"

#include <math.h>
#include <string.h>

const char *rk_bind_quantity_text(rk_binder *b, const rk_bound *x)
{
    rk_str s = {0};

    rk_index_put(x->entry, &s);
    if (x->ratio && x->ratio->view)
        rk_str_format(&s, ", %s", x->ratio->view);
    return rk_audit_keep(b->a, &s);
}

const char *rk_bind_formula_text(rk_binder *b, const rk_figure *f, const rk_bound *x)
{
    rk_match m = {.entry = x->entry, .ratio = x->ratio};
    const rk_instance *model;
    rk_str s = {0};
    rk_ex e = x->ratio ? rk_match_formula(f->at->index, &m, &model) : rk_index_formula(f->at->index, x->entry, &model);

    rk_ex_print(model->pool, rk_ex_simplify(model->pool, e), RK_PRINT_TEXT, &s);
    return rk_audit_keep(b->a, &s);
}

/* Why a figure may be what it is. */
static void put_why(rk_binder *b, const rk_figure *f, const rk_bound *x, rk_ex found, rk_str *s)
{
    const char *why = rk_judge_why(b->a, f->value, found);

    if (x->why)
        rk_str_format(s, "; %s", x->why);
    else if (f->lacking && strcmp(f->lacking->path, x->entry->path) == 0)
        rk_str_format(s, f->lacking->with[0] == '(' ? "; what is stated is only %s" : "; what is stated is that %s",
                      f->lacking->with);
    else if (x->slip && x->slip->times)
        rk_str_format(s, "; what is stated is %s that%s%s", x->slip->times, x->slip->view ? ", " : "",
                      x->slip->view ? x->slip->view : "");
    else if (x->slip && x->slip->view)
        rk_str_format(s, "; what is stated is %s", x->slip->view);
    else if (why)
        rk_str_format(s, "; %s", why);
    else if (x->near && f->slack > 0)
        rk_str_put(s, "; that does not round to what is stated");
}

static bool shares_symbol(const rk_pool *p, rk_ex x, rk_ex y)
{
    for (rk_sym s = 0; s < rk_sym_count(p); s++)
        if (rk_ex_has_sym(p, x, s) && rk_ex_has_sym(p, y, s))
            return true;
    return false;
}

/* "it does not depend on T": a letter of the stated formula that what holds has not. */
static void put_idle_letters(rk_binder *b, const rk_figure *f, const rk_bound *x, rk_str *s)
{
    const rk_instance *m;
    rk_ex of = rk_index_formula(f->at->index, x->entry, &m);

    of = rk_ex_expand_defs(m->pool, of);
    for (size_t i = 0; i < f->side->n_symbol; i++) {
        const rk_symbol *letter = b->symbol[f->side->symbol[i]];
        rk_sym here = letter ? rk_sym_find(m->pool, letter->name) : RK_SYM_NONE;

        if (here != RK_SYM_NONE && !shares_symbol(m->pool, of, rk_ex_expand_defs(m->pool, rk_ex_sym(m->pool, here))))
            rk_str_format(s, "; it does not depend on %s", rk_sym_name(b->a->pool, f->side->symbol[i]));
    }
}

rk_ex rk_bind_found_value(rk_binder *b, const rk_bound *x)
{
    return x->entry->kind == RK_INDEX_SHARE ? rk_ex_ratio(b->a->pool, x->value, RK_INDEX_SHARE_UNIT)
                                            : rk_ex_int(b->a->pool, x->value);
}

const char *rk_bind_from_line(rk_binder *b, const char *what, const rk_side *source)
{
    return rk_arena_format(&b->arena, "%s of line %zu", what,
                           rk_scan_line(&b->a->scan, b->a->lexed.token.at[source->from].at));
}

/* 96.35 %: the unit of a share is not always written as one; 0.9635 where the text has fractions. */
const char *rk_bind_share_text(rk_binder *b, const rk_figure *f, const rk_bound *x)
{
    const double percent = 100;

    if (f->side->unit && f->side->unit->kind == RK_WORD_UNIT_SHARE && f->side->unit->den == 1)
        return rk_arena_format(&b->a->arena, "%.4f", (double)x->value / (double)RK_INDEX_SHARE_UNIT);
    return rk_arena_format(&b->a->arena, "%.2f %%", (double)x->value / (double)RK_INDEX_SHARE_UNIT * percent);
}

void rk_bind_fill_claim(rk_binder *b, const rk_figure *f, const rk_bound *x, rk_claim *c)
{
    char number[RK_NUM_TEXT_MAX];
    rk_str s = {0};

    rk_audit_fill(b->a, c, f->side, f->value, rk_bind_found_value(b, x));
    c->source = x->source;
    c->quantity = rk_bind_quantity_text(b, x);
    c->formula = rk_bind_formula_text(b, f, x);
    if (f->formula && f->side->n_symbol > 1)
        c->found = c->formula;
    else if (f->formula) /* one with a large number in it, as 820,816 × T, is compared as a number, too */
        c->found = rk_arena_format(&b->a->arena, "%s = %s", c->formula, rk_num_grouped(number, x->value));
    else if (x->entry->kind == RK_INDEX_SHARE)
        c->found = rk_bind_share_text(b, f, x);
    else
        c->found = rk_audit_value(b->a, c->found_value, &f->side->literal, f->side);
    if (x->status == RK_CLAIM_WRONG && b->source->supposed && c->found)
        rk_str_format(&s, "%s %s: ", b->source->supposed, c->found);
    rk_str_put(&s, c->quantity);
    for (size_t i = 0; i < f->at->n; i++)
        rk_str_format(&s, "%s%s = %s", i ? ", " : ", at ", f->at->setting[i].name,
                      rk_num_grouped(number, f->at->setting[i].value));
    if (c->found && strcmp(c->formula, c->found) != 0)
        rk_str_format(&s, ": %s", c->formula);
    if (x->as_other)
        rk_str_put(&s, "; in powers of 1,024, which is GiB, not GB");
    if (x->status == RK_CLAIM_WRONG)
        put_why(b, f, x, c->found_value, &s);
    if (x->status == RK_CLAIM_WRONG && f->formula)
        put_idle_letters(b, f, x, &s);
    c->note = rk_audit_keep(b->a, &s);
}

/* ---- factors ----------------------------------------------------------------------------------------------------- */

/* A number with a point before a sign of multiplication after which no number stands. */
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

static void claim_factor(rk_binder *b, size_t token, const rk_figure *f, const rk_figure *g, rk_claim_status status)
{
    const rk_figure *less = f->bound.value < g->bound.value ? f : g, *more = less == f ? g : f;
    rk_claim *c = rk_audit_claim(b->a, RK_CLAIM_MODEL, status, token, token + 1);
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

/* "33.2× (from 4.51 TFLOPs to 149.5 TFLOPs)": one quantity at two sizes, and how often the one is the other. */
void rk_bind_factors(rk_binder *b)
{
    const double near = 0.02;

    for (size_t i = 0; i + 1 < b->figure.n; i++) {
        const rk_figure *f = &b->figure.at[i], *g = f + 1;
        const rk_index_entry *x = f->bound.entry, *y = g->bound.entry;
        size_t piece = f->chain->piece, end = b->a->lexed.first[piece + 1];
        double ratio, value, unit;

        if (piece != g->chain->piece || f->bound.status != RK_CLAIM_RIGHT || g->bound.status != RK_CLAIM_RIGHT || !x ||
            !y || f->at == g->at || x->kind != y->kind || x->kind == RK_INDEX_SHARE || x->all != y->all ||
            strcmp(x->path, y->path) != 0 || strcmp(x->what, y->what) != 0)
            continue;
        ratio = (double)f->bound.value / (double)g->bound.value;
        ratio = ratio < 1 ? 1 / ratio : ratio;
        for (size_t k = b->a->lexed.first[piece]; k < end; k++)
            if (is_factor(b->a, k, end, &value, &unit) && fabs(value / ratio - 1) <= near)
                claim_factor(b, k, f, g,
                             fabs(value - ratio) <= unit / 2 ? RK_CLAIM_RIGHT
                             : fabs(value - ratio) < unit    ? RK_CLAIM_SLIP
                                                             : rk_bind_status(b, RK_CLAIM_WRONG));
    }
}
