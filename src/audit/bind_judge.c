/* SPDX-License-Identifier: MIT */
/* What holds of a figure: words first, its value second, both together certain. */
#include "audit/bind_parts.h"

#include <math.h>
#include <string.h>

/*
 * Within so much of what the words say it is about that; by so much, a rough number is not; a total that is further off
 * is one of something else; within so many hundredths a share is nearly another.
 */
static const double near_part = 0.015, rough_factor = 1.5, whole_factor = 20, share_near = 0.0105;

static rk_bound nothing(void)
{
    return (rk_bound){.status = RK_CLAIM_UNKNOWN};
}

static rk_bound right(const rk_match *m, bool as_other)
{
    return (rk_bound){
        .status = RK_CLAIM_RIGHT, .entry = m->entry, .ratio = m->ratio, .value = m->value, .as_other = as_other};
}

/* "a vocabulary of 50,257" */
static bool is_size(const rk_figure *f)
{
    const rk_model *m = f->at->instance->model;

    for (size_t i = 0; i < m->n_symbol; i++)
        if (m->symbol[i].known && f->slack == 0 && (double)m->symbol[i].value == f->size)
            return true;
    return false;
}

/* A label says what a figure is, and it is something else: another row, or a row of the part that is named. */
bool rk_bind_is_other(const rk_figure *f, const rk_index_entry *e, int points)
{
    const rk_index_entry *named = f->one ? f->one : f->all;

    return f->label && named && points < RK_POINTS_SURE && strcmp(named->path, e->path) != 0;
}

/* A number with many digits is what it is; one with few needs words. */
bool rk_bind_holds(const rk_figure *f, const rk_match *m, int points)
{
    double sharp = rk_bind_sharpness(f);
    bool is_share = f->query.kinds == RK_INDEX_IS(SHARE);

    if (!m->entry || (is_size(f) && points <= 0) || rk_bind_is_other(f, m->entry, points))
        return false;
    if ((f->said & RK_SAID_DOUBT) && m->entry->with)
        return false;
    if (points >= RK_POINTS_SURE || (points >= RK_POINTS_TOTAL && m->entry->path[0] == '\0'))
        return true;
    if (m->entry->path[0] == '\0' && m->cost <= 1 && f->kind_said && sharp >= RK_SHARP_ROUGH)
        return true;
    if (is_share || (!f->kind_said && sharp < RK_SHARP_LONG))
        return points > 0 && !is_share;
    if (points > 0 && sharp >= RK_SHARP_ROUGH)
        return true;
    return sharp >= RK_SHARP_EXACT && !f->formula &&
           m->cost <= (f->one || f->all ? RK_BOUND_COST_PLAIN : RK_BOUND_COST_BY_VALUE);
}

/* A part with norms and biases in it is often counted without them. */
static bool is_loose(const rk_index_entry *e)
{
    return e->kind == RK_INDEX_PARAMS && e->path[0] && !e->part;
}

static bool is_near(const rk_figure *f, const rk_index_entry *e)
{
    if (!e || rk_bind_sharpness(f) < (e->kind == RK_INDEX_SHARE ? RK_SHARP_SHARE : RK_SHARP_ROUGH) || is_loose(e))
        return false;
    return rk_bind_off(f, e) <= (e->kind == RK_INDEX_SHARE ? share_near : near_part);
}

static rk_bound wrong(const rk_figure *f, const rk_index_entry *e)
{
    rk_bound out = {.status = RK_CLAIM_WRONG, .entry = e, .value = e->value, .near = is_near(f, e)};

    return out;
}

/* What is stated is a multiple of what holds: of one layer, or of all. */
static bool find_slip(const rk_figure *f, rk_bound *out)
{
    const rk_index_entry *of[] = {f->one, f->all};
    rk_match m, best = {0};

    for (size_t i = 0; i < 2; i++)
        if (of[i] && of[i]->kind != RK_INDEX_SHARE && rk_index_match(f->at->index, of[i], &f->query, &m) &&
            (!best.entry || m.cost < best.cost))
            best = m;
    if (!best.entry)
        return false;
    *out = wrong(f, best.entry);
    out->slip = best.ratio;
    return true;
}

/* "the total is 3.56 TFLOPs", which is not the figure of a part either. */
static bool is_bare_total(const rk_figure *f, const rk_index_entry *e)
{
    return e->path[0] == '\0' && !f->plain.entry;
}

/* Far off what the words say: only where it is sure what they say. */
static bool is_far(const rk_figure *f, const rk_index_entry *e)
{
    double sharp = rk_bind_sharpness(f), factor = f->size / (double)e->value;

    if (!f->kind_said || e->kind == RK_INDEX_SHARE || sharp < RK_SHARP_ROUGH || (e->path[0] && !f->named_here))
        return false;
    if (f->plain.entry && f->plain.cost <= RK_BOUND_COST_PLAIN && !rk_bind_is_other(f, f->plain.entry, f->points))
        return false;
    if ((f->one && f->all) || (f->said & (RK_SAID_HEAD | RK_SAID_TOKEN | RK_SAID_SEQUENCE | RK_SAID_WITHOUT)))
        return false;
    if (e->path[0] == '\0' && (factor > whole_factor || factor < 1 / whole_factor))
        return false;
    return ((sharp >= RK_SHARP_FAIR || f->label || is_bare_total(f, e)) && !is_loose(e)) || factor > rough_factor ||
           factor < 1 / rough_factor;
}

/* Whether the formula of the text has the symbols of an entry's formula, and no others; sizes of 1 may be left out. */
static bool has_same_symbols(const rk_binder *b, const rk_figure *f, const rk_index_entry *e)
{
    const rk_instance *m;
    rk_ex of = rk_index_formula(f->at->index, e, &m);
    rk_pool *p = m->pool;

    of = rk_ex_expand_defs(p, of);
    for (rk_sym s = 0; s < rk_sym_count(p); s++) {
        bool has = false;

        if (rk_sym_definition(p, s) != RK_EX_FAILED || (s < m->at.n && m->known[s] && m->value[s] == 1))
            continue;
        for (size_t i = 0; i < f->side->n_symbol; i++) {
            const rk_symbol *x = b->symbol[f->side->symbol[i]];
            rk_sym y = x ? rk_sym_find(p, x->name) : RK_SYM_NONE;

            has |= y != RK_SYM_NONE && rk_ex_has_sym(p, rk_ex_expand_defs(p, rk_ex_sym(p, y)), s);
        }
        if (has != rk_ex_has_sym(p, of, s))
            return false;
    }
    return true;
}

/*
 * A formula without the number of layers is none of the whole; one of another quantity of the text may be of anything,
 * and what is kept of an activation has many names.
 */
static bool is_of_less(const rk_binder *b, const rk_figure *f, const rk_index_entry *e)
{
    const rk_symbol *layers = rk_bind_layers(b->source->instance->model);

    if (e->kind == RK_INDEX_NUMBERS || f->indirect || (f->formula && !has_same_symbols(b, f, e)))
        return true;
    if (!f->formula || e->path[0] || !layers)
        return false;
    for (size_t i = 0; i < f->side->n_symbol; i++)
        if (b->symbol[f->side->symbol[i]] == layers)
            return false;
    return layers->value > 1;
}

/* It grows with the square of the sequence, all of it: products of activations alone. */
static bool is_of_pairs(const rk_figure *f, const rk_index_entry *e)
{
    const rk_instance *m;
    rk_ex of = rk_index_formula(f->at->index, e, &m), length;
    const rk_symbol *s = rk_bind_sequence(m->model);

    if (!s || of == RK_EX_FAILED)
        return false;
    length = rk_ex_sym(m->pool, s->sym);
    of = rk_ex_div(m->pool, rk_ex_expand_defs(m->pool, of), rk_ex_mul(m->pool, length, length));
    return of != RK_EX_FAILED && !rk_ex_has_sym(m->pool, of, s->sym);
}

/* "Attention" is the whole part to some, and to others just the scores and what is made of them. */
static bool is_narrower(const rk_figure *f, const rk_index_entry *e)
{
    return f->lacking && f->lacking->with[0] == '(' && e->path[0] && !(f->said & RK_SAID_TOTAL) &&
           strcmp(f->lacking->path, e->path) == 0 && is_of_pairs(f, f->lacking) && !is_of_pairs(f, e);
}

static rk_bound judge_wrong(const rk_binder *b, const rk_figure *given)
{
    rk_figure chosen = *given, *f = &chosen;
    const rk_index_entry *only;
    rk_bound out = nothing();

    rk_voice_choose_scope(b, f);
    only = f->one ? f->one : f->all;

    if (!only || (f->said & RK_SAID_DOUBT) || is_of_less(b, f, only) || is_narrower(f, only))
        return out;
    if ((is_near(f, f->one) || is_near(f, f->all)) && rk_voice_is_right(b, f))
        return wrong(f, is_near(f, f->one) ? f->one : f->all);
    if (!rk_voice_is_trusted(b, f, is_far))
        return out;
    if (rk_bind_sharpness(f) >= RK_SHARP_SLIP && find_slip(f, &out)) {
        rk_voice_put(b, f, &out);
        return out;
    }
    if (!is_far(f, only) ||
        (f->plain.entry && rk_bind_sharpness(f) >= RK_SHARP_EXACT && !rk_bind_is_other(f, f->plain.entry, f->points)))
        return out;
    out = wrong(f, only);
    rk_voice_put(b, f, &out);
    return out;
}

/* Rounded, it is another way of counting; exactly as the text counts elsewhere, it is nearly that, and not quite. */
static bool is_coincidence(const rk_figure *f)
{
    return f->plain.entry && f->plain.entry->convention && rk_bind_sharpness(f) < RK_SHARP_EXACT &&
           (is_near(f, f->one) || is_near(f, f->all));
}

/* "T × D" is a shape, and "grows with T × D²" no count; only of parameters a formula may have no number in it. */
static bool is_bare(const rk_binder *b, const rk_figure *f)
{
    const rk_audit_token *t = b->a->lexed.token.at;

    for (size_t i = f->side->from; i < f->side->to; i++)
        if (t[i].kind == RK_TOKEN_NUMBER && (i == 0 || t[i - 1].kind != RK_TOKEN_SIGN || t[i - 1].op != '^'))
            return false;
    return f->formula;
}

/* Where nothing else is known of a figure with many digits: two of them may have changed places. */
static bool is_slip_of_digits(const rk_figure *f, rk_bound *out)
{
    const rk_index_entry *e = NULL;

    if (rk_bind_sharpness(f) >= RK_SHARP_EXACT && !f->plain.entry && !f->viewed.entry && !(f->said & RK_SAID_DOUBT))
        e = rk_bind_swapped(f);
    if (e)
        *out = wrong(f, e);
    return e != NULL;
}

static rk_bound decide(const rk_binder *b, const rk_figure *f)
{
    rk_bound out;

    if (rk_bind_holds(f, &f->plain, f->points) && !is_coincidence(f))
        return right(&f->plain, f->as_other);
    if (f->viewed.entry && rk_voice_has(b, f, &f->viewed) && rk_bind_holds(f, &f->viewed, f->viewed_points))
        return right(&f->viewed, false);
    if (is_slip_of_digits(f, &out))
        return out;
    out = judge_wrong(b, f);
    if (out.status == RK_CLAIM_UNKNOWN && f->plain.entry && !rk_bind_is_other(f, f->plain.entry, f->points) &&
        !is_size(f) && !(f->said & RK_SAID_DOUBT) && !f->formula && rk_bind_sharpness(f) >= RK_SHARP_EXACT &&
        f->plain.cost <= RK_BOUND_COST_BY_VALUE)
        return right(&f->plain, f->as_other);
    return out;
}

rk_bound rk_bind_decide(rk_binder *b, const rk_figure *f)
{
    rk_bound out = decide(b, f);

    if (is_bare(b, f) &&
        (out.status == RK_CLAIM_WRONG || !(f->query.kinds & (RK_INDEX_IS(PARAMS) | RK_INDEX_IS(NUMBERS)))))
        return nothing();
    return out;
}
