/* SPDX-License-Identifier: MIT */
/*
 * Equations that were not understood, or doubtful, because the text leaves letters without values that the model has:
 * "2 T D² = 5,242,880,000".  That the letters are the model's shows where others with them hold.
 */
#include "audit/bind_parts.h"

#include "audit/judge.h"

#include <math.h>
#include <string.h>

enum {
    HOLD_LEAST = 2,  /* equations that hold: of one it may be by chance */
    TIMES_MAX = 128, /* a mistake is some number of times off, or a little */
    LETTERS_SHOWN = 6
};

typedef struct equation {
    const rk_side *formula, *figure;
    rk_claim *claim;
    rk_sizing *at;
    rk_ex value;    /* of the formula, with the model's sizes */
    double is, off; /* the same, and how far the figure is from it */
    bool holds;
} equation;

typedef RK_VEC(equation) equations;

/* The formula of a claim that nothing is said of, and the figure after it. */
static bool find_sides(const rk_binder *b, const rk_claim *c, equation *e, size_t *piece)
{
    const rk_chains *all = &b->a->chains;
    const rk_audit_token *t = b->a->lexed.token.at;
    size_t low = 0, high = all->chain.n;

    while (low < high) { /* the first chain that does not begin before the claim */
        size_t middle = low + (high - low) / 2;

        if (t[all->side.at[all->chain.at[middle].first].from].at < c->at)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t k = low > 0 ? low - 1 : 0; k < all->chain.n && k <= low; k++)
        for (size_t i = 0; i + 1 < all->chain.at[k].n; i++) {
            const rk_side *x = &all->side.at[all->chain.at[k].first + i];

            *piece = all->chain.at[k].piece;
            e->formula = x;
            e->figure = x + 1;
            if (t[x->from].at == c->at && x->n_symbol > 0 && x->alone == RK_SYM_NONE && !x->call && !x->shape &&
                !x->range && x->value != RK_EX_FAILED && x[1].literal.is && x[1].value != RK_EX_FAILED && !x[1].timed)
                return true;
        }
    return false;
}

/* Every letter is one of the model's, and it has a value there. */
static bool evaluate(rk_binder *b, size_t piece, equation *e)
{
    const rk_piece *p = &b->a->scan.piece.at[piece];
    double figure, slack = e->figure->slack;
    bool placed, titled;

    for (size_t i = 0; i < e->formula->n_symbol; i++)
        if (!b->symbol[e->formula->symbol[i]])
            return false;
    e->at = p->program ? NULL : rk_bind_sizing(b, piece, b->a->lexed.token.at[e->formula->from].at, &placed, &titled);
    e->value = e->at ? rk_bind_value(b, e->formula, p->scope, e->at) : RK_EX_FAILED;
    if (e->value == RK_EX_FAILED || !rk_side_double(b->a->pool, e->value, &e->is) ||
        !rk_side_double(b->a->pool, e->figure->value, &figure) || e->is <= 0 || figure <= 0)
        return false;
    if (e->figure->about || e->figure->literal.about)
        slack = fmax(slack, e->figure->literal.coarse / 2);
    e->off = fabs(figure - e->is);
    e->holds = e->off <= slack * (1 + 1e-9);
    return true;
}

static bool has_letter(const equation *e, rk_sym s)
{
    for (size_t i = 0; i < e->formula->n_symbol; i++)
        if (e->formula->symbol[i] == s)
            return true;
    return false;
}

/* Each letter stands in one that holds, or is a name that says what it is, and enough hold at these sizes. */
static bool is_vouched_for(const rk_binder *b, const equations *all, const equation *e)
{
    enum {
        NAME_LEAST = 5 /* letters of vocab_size, d_model */
    };
    size_t n = 0, known = 0;

    for (size_t i = 0; i < all->n; i++)
        n += all->at[i].holds && all->at[i].at == e->at && all->at[i].figure->slack == 0;
    for (size_t k = 0; k < e->formula->n_symbol; k++)
        for (size_t i = 0; i < all->n; i++)
            if (strlen(rk_sym_name(b->a->pool, e->formula->symbol[k])) >= NAME_LEAST ||
                (all->at[i].holds && all->at[i].at == e->at && has_letter(&all->at[i], e->formula->symbol[k]))) {
                known++;
                break;
            }
    return n >= HOLD_LEAST && known == e->formula->n_symbol;
}

/* "2 × T × V = 102,926,336 FLOPs", beside a d_model that was not multiplied with: a size of the formula is left out. */
static bool is_without_size(const rk_binder *b, const equation *e, double ratio)
{
    for (size_t i = 0; i < e->formula->n_symbol; i++) {
        const rk_symbol *x = rk_model_symbol(e->at->instance->model, b->symbol[e->formula->symbol[i]]->name);

        if (x && x->value > 1 && fabs(ratio / (double)x->value - 1) < 1e-9)
            return true;
    }
    return false;
}

/* A whole number of times, or a little off; a power of 1,000, or bytes of each number, is not written. */
static bool is_mistake(const rk_binder *b, const equation *e)
{
    const rk_word_unit *u = e->figure->unit;
    double figure, ratio;

    rk_side_double(b->a->pool, e->figure->value, &figure);
    ratio = figure > e->is ? figure / e->is : e->is / figure;
    if (u && (u->kind == RK_WORD_UNIT_BYTES || u->kind == RK_WORD_UNIT_SHARE))
        return false;
    if (fabs(ratio - round(ratio)) < 1e-9 * ratio)
        return ratio < TIMES_MAX || is_without_size(b, e, ratio);
    return ratio - 1 < b->a->lexicon->weight[RK_WEIGH_NEAR];
}

/* "with the model's T = 1,024, D = 1,600" */
static const char *letters(rk_binder *b, const equation *e)
{
    rk_str s = {0};
    char number[RK_NUM_TEXT_MAX];

    for (size_t i = 0; i < e->formula->n_symbol && i < LETTERS_SHOWN; i++) {
        const rk_symbol *x = rk_model_symbol(e->at->instance->model, b->symbol[e->formula->symbol[i]]->name);

        if (x)
            rk_str_format(&s, "%s%s = %s", s.n ? ", " : "with the model's ",
                          rk_sym_name(b->a->pool, e->formula->symbol[i]), rk_num_grouped(number, x->value));
    }
    return rk_audit_keep(b->a, &s);
}

static void settle(rk_binder *b, const equation *e, rk_claim_status status)
{
    rk_claim *c = e->claim;
    const char *why = status == RK_CLAIM_WRONG ? rk_judge_why(b->a, e->figure->value, e->value) : NULL;

    status = rk_bind_status(b, status);
    b->a->n_status[c->status]--;
    b->a->n_status[status]++;
    c->status = status;
    rk_audit_fill(b->a, c, e->figure, e->figure->value, e->value);
    c->found = rk_audit_value(b->a, e->value, &e->figure->literal, e->figure);
    c->note = letters(b, e);
    if (why)
        c->note = rk_arena_format(&b->a->arena, "%s; %s", c->note, why);
}

void rk_bind_equations(rk_binder *b)
{
    equations all = {0};

    for (size_t i = 0; i < b->a->claim.n; i++) {
        equation e = {.claim = &b->a->claim.at[i]}, *kept;
        size_t piece;

        if (e.claim->kind != RK_CLAIM_EQUATION || !find_sides(b, e.claim, &e, &piece) ||
            (b->source->piece && !b->source->piece[piece]) || !evaluate(b, piece, &e))
            continue;
        kept = RK_PUSH(&b->arena, &all);
        if (kept)
            *kept = e;
    }
    for (size_t i = 0; i < all.n && b->code == RK_OK; i++) {
        const equation *e = &all.at[i];

        if ((e->claim->status != RK_CLAIM_UNKNOWN && e->claim->status != RK_CLAIM_DOUBTFUL) ||
            !is_vouched_for(b, &all, e))
            continue;
        if (e->holds)
            settle(b, e, RK_CLAIM_RIGHT);
        else if (e->figure->slack > 0 && e->off < 2 * e->figure->slack)
            settle(b, e, RK_CLAIM_SLIP);
        else if (is_mistake(b, e))
            settle(b, e, RK_CLAIM_WRONG);
    }
}
