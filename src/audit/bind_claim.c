/* SPDX-License-Identifier: MIT */
/* What is said of a figure: which quantity it is, its formula, and why it may be what it is. */
#include "audit/bind_parts.h"

#include "audit/judge.h"

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

static void put_sizes(const rk_figure *f, rk_str *s)
{
    for (size_t i = 0; i < f->at->n; i++) {
        rk_str_format(s, "%s%s = ", i ? ", " : ", at ", f->at->setting[i].name);
        rk_str_grouped(s, f->at->setting[i].value);
    }
}

/* Why a figure may be what it is. */
static void put_why(rk_binder *b, const rk_figure *f, const rk_bound *x, rk_ex found, rk_str *s)
{
    const char *why = rk_judge_why(b->a, f->value, found);

    if (f->lacking && strcmp(f->lacking->path, x->entry->path) == 0)
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

/* A formula; one with a large number in it, as 820,816 × T, is compared as a number, too. */
static const char *formula_and_number(rk_binder *b, const rk_figure *f, const rk_bound *x, const rk_claim *c)
{
    char number[RK_NUM_TEXT_MAX];

    if (f->side->n_symbol > 1)
        return c->formula;
    return rk_arena_format(&b->a->arena, "%s = %s", c->formula, rk_num_grouped(number, x->value));
}

/* 96.35 %: the unit of a share is not always written as one. */
static const char *found_text(rk_binder *b, const rk_figure *f, const rk_bound *x, const rk_claim *c)
{
    const double percent = 100;

    if (f->formula)
        return formula_and_number(b, f, x, c);
    if (x->entry->kind != RK_INDEX_SHARE)
        return rk_audit_value(b->a, c->found_value, &f->side->literal, f->side);
    return rk_arena_format(&b->a->arena, "%.2f %%", (double)x->value / (double)RK_INDEX_SHARE_UNIT * percent);
}

static const char *note_text(rk_binder *b, const rk_figure *f, const rk_bound *x, const rk_claim *c)
{
    rk_str s = {0};

    rk_str_format(&s, "%s", c->quantity);
    put_sizes(f, &s);
    if (strcmp(c->formula, c->found) != 0)
        rk_str_format(&s, ": %s", c->formula);
    if (x->as_other)
        rk_str_put(&s, "; in powers of 1,024, which is GiB, not GB");
    if (x->status == RK_CLAIM_WRONG)
        put_why(b, f, x, c->found_value, &s);
    if (x->status == RK_CLAIM_WRONG && f->formula)
        put_idle_letters(b, f, x, &s);
    return rk_audit_keep(b->a, &s);
}

void rk_bind_fill_claim(rk_binder *b, const rk_figure *f, const rk_bound *x, rk_claim *c)
{
    c->side = f->side;
    c->stated_value = f->value;
    c->stated = rk_audit_quote(b->a, f->side->from, f->side->to);
    c->found_value = rk_bind_found_value(b, x);
    c->quantity = rk_bind_quantity_text(b, x);
    c->formula = rk_bind_formula_text(b, f, x);
    c->found = found_text(b, f, x, c);
    c->note = note_text(b, f, x, c);
}
