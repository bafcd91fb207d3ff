/* SPDX-License-Identifier: MIT */
#include "audit/define.h"

/* ---- collecting ------------------------------------------------------------------------------------------------- */

typedef struct collector {
    rk_arena *arena;
    const rk_reader *r;
    rk_definitions *out;
    const rk_piece *piece;
} collector;

static void put(collector *c, rk_sym symbol, const rk_side *side)
{
    rk_definition **list = side->n_symbol ? c->out->formula : c->out->number;
    rk_definition *d;

    if (symbol >= c->out->n || side->value == RK_EX_FAILED || side->slack > 0 || side->labelled || side->shape)
        return;
    if (rk_ex_term_count(c->out->pool, side->value) > RK_DEFINE_TERMS_MAX ||
        c->out->count[symbol]++ >= RK_DEFINE_SYMBOL_MAX)
        return;
    d = RK_NEW(c->arena, rk_definition);
    if (!d)
        return;
    *d = (rk_definition){symbol, c->r->lexed->token.at[side->from].at, side->value, side, c->piece, list[symbol]};
    list[symbol] = d;
}

/* "d_k = D/H = 1600/25 = 64" gives a formula and a number. */
static void put_chain(collector *c, const rk_side *side, size_t n)
{
    bool number = false, formula = false;

    if (side[0].alone == RK_SYM_NONE)
        return;
    for (size_t i = 1; i < n; i++) {
        bool *done = side[i].n_symbol ? &formula : &number;

        if (!*done && !side[i].about)
            put(c, side[0].alone, &side[i]);
        *done = true;
    }
}

/* "vocab_size : 50,257" on a line of its own: two figures with a colon between them. */
static void put_colon(collector *c, const rk_side *name, const rk_side *value, size_t from, size_t to)
{
    const rk_audit_token *t = c->r->lexed->token.at;
    bool begins = name->from == from || t[name->from - 1].kind == RK_TOKEN_BREAK;
    bool ends = value->to == to || (t[value->to].kind == RK_TOKEN_BREAK && t[value->to].op == '\n');

    if (name->alone != RK_SYM_NONE && begins && ends && value->from == name->to + 1 && t[name->to].op == ':' &&
        t[name->to].kind == RK_TOKEN_BREAK && value->literal.is)
        put(c, name->alone, value);
}

/* Lists were built backwards. */
static rk_definition *reversed(rk_definition *d)
{
    rk_definition *back = NULL;

    while (d) {
        rk_definition *next = d->next;

        d->next = back;
        back = d;
        d = next;
    }
    return back;
}

int rk_define(rk_arena *a, const rk_scan *s, const rk_reader *r, const rk_chains *c, rk_definitions *out, rk_err *err)
{
    collector k = {a, r, out, NULL};
    size_t n = rk_sym_count(r->pool);

    *out = (rk_definitions){.scan = s, .pool = r->pool, .token = r->lexed->token.at, .n = n, .budget = r->budget};
    out->number = RK_NEW_ARRAY(a, n, rk_definition *);
    out->formula = RK_NEW_ARRAY(a, n, rk_definition *);
    out->count = RK_NEW_ARRAY(a, n, uint32_t);
    if (!out->number || !out->formula || !out->count)
        return rk_fail_memory(err);
    for (size_t i = 0; i < c->chain.n; i++) {
        const rk_chain *now = &c->chain.at[i];
        const rk_side *side = &c->side.at[now->first];

        k.piece = &s->piece.at[now->piece];
        put_chain(&k, side, now->n);
        if (i + 1 < c->chain.n && c->chain.at[i + 1].piece == now->piece)
            put_colon(&k, &side[now->n - 1], &c->side.at[c->chain.at[i + 1].first], r->lexed->first[now->piece],
                      r->lexed->first[now->piece + 1]);
    }
    for (size_t i = 0; i < n; i++) {
        out->number[i] = reversed(out->number[i]);
        out->formula[i] = reversed(out->formula[i]);
    }
    return a->failed ? rk_fail_memory(err) : RK_OK;
}

/* ---- finding ---------------------------------------------------------------------------------------------------- */

/* The value that all definitions inside of a scope, up to a byte, agree on. */
static rk_ex agreed(const rk_definition *list, const rk_scope *in, uint32_t to, const rk_definition **found, bool *many)
{
    rk_ex value = RK_EX_FAILED;
    size_t n = 0;

    for (const rk_definition *d = list; d && d->at < to; d = d->next) {
        if (d->at < in->from)
            continue;
        if (++n > RK_DEFINE_NEAR_MAX || (value != RK_EX_FAILED && value != d->value)) {
            *many = true;
            return RK_EX_FAILED;
        }
        value = d->value;
        *found = d;
    }
    return value;
}

rk_ex rk_define_find(const rk_definitions *d, bool formula, rk_sym s, uint32_t scope, uint32_t use,
                     const rk_definition **found, bool *many)
{
    const rk_definition *list = s < d->n ? (formula ? d->formula : d->number)[s] : NULL;
    const rk_scope *at = d->scan->scope.at;

    *many = list && d->count[s] > RK_DEFINE_SYMBOL_MAX;
    while (list && !*many) {
        uint32_t to = use < at[scope].to ? use : at[scope].to;
        rk_ex value = agreed(list, &at[scope], to, found, many);

        /* What was said before counts; only where nothing was, what comes after. */
        if (value == RK_EX_FAILED && !*many)
            value = agreed(list, &at[scope], at[scope].to, found, many);

        if (value != RK_EX_FAILED || *many || scope == 0)
            return value;
        scope = at[scope].parent;
    }
    return RK_EX_FAILED;
}

/* ---- putting in ------------------------------------------------------------------------------------------------- */

static void add_open(rk_expanded *out, rk_sym s)
{
    for (size_t i = 0; i < out->n_open; i++)
        if (out->open[i] == s)
            return;
    if (out->n_open < RK_SIDE_SYMBOLS_MAX)
        out->open[out->n_open++] = s;
    else
        out->value = RK_EX_FAILED;
}

/* m terms, multiplied with themselves so often, may be m^degree: no more than a reader could follow. */
static bool is_small(size_t m, size_t degree)
{
    size_t terms = 1;

    for (size_t i = 0; i < degree && m > 1; i++)
        if ((terms *= m) > RK_DEFINE_POWER_MAX)
            return false;
    return true;
}

/* Formulas put into formulas grow, and each term costs. */
static bool spend(const rk_definitions *d, const rk_expanded *into, rk_ex what)
{
    size_t n = rk_ex_term_count(d->pool, into->value), m = rk_ex_term_count(d->pool, what);
    size_t cost = RK_DEFINE_COST * n * m;

    if (*d->budget < cost || n > RK_SIDE_TERMS_MAX || !is_small(m, into->degree))
        return false;
    *d->budget -= cost;
    return true;
}

/* Whether a definition stands outside of the section, under a heading, that a scope is in. */
static bool is_far(const rk_definitions *d, const rk_definition *found, uint32_t scope)
{
    const rk_scope *at = d->scan->scope.at;

    while (scope != 0 && at[scope].rank > 6)
        scope = at[scope].parent;
    return found->at < at[scope].from || found->at >= at[scope].to;
}

static bool is_foreign(const rk_definition *found, uint32_t use)
{
    return found->piece->kind == RK_PIECE_CODE && (use < found->piece->from || use >= found->piece->to);
}

/* Puts the definition of one symbol in; false where it has none. */
static bool put_in(const rk_definitions *d, rk_sym s, uint32_t scope, bool numbers, rk_expanded *out)
{
    const rk_definition *found = NULL;
    rk_ex value = RK_EX_FAILED;
    bool many = false;

    if (numbers)
        value = rk_define_find(d, false, s, scope, out->use, &found, &many);
    out->many |= many;
    if (value == RK_EX_FAILED && !many)
        value = rk_define_find(d, true, s, scope, out->use, &found, &many);
    if (value == RK_EX_FAILED || rk_ex_has_sym(d->pool, value, s))
        return false;
    if (!spend(d, out, value))
        return false;
    out->degree *= found->side->degree > 1 ? found->side->degree : 1;
    out->value = rk_ex_subst(d->pool, out->value, s, value);
    out->far |= is_far(d, found, scope);
    out->foreign |= is_foreign(found, out->use);
    for (size_t i = 0; i < found->side->n_symbol; i++)
        add_open(out, found->side->symbol[i]);
    return true;
}

void rk_define_expand(const rk_definitions *d, const rk_side *s, uint32_t scope, bool numbers, rk_expanded *out)
{
    *out = (rk_expanded){.value = s->value, .degree = s->degree, .use = d->token ? d->token[s->from].at : 0};
    for (size_t i = 0; i < s->n_symbol; i++)
        add_open(out, s->symbol[i]);
    for (int round = 0; round < RK_DEFINE_EXPAND_MAX && out->value != RK_EX_FAILED; round++) {
        rk_expanded next = {.value = out->value,
                            .many = out->many,
                            .far = out->far,
                            .foreign = out->foreign,
                            .degree = out->degree,
                            .use = out->use};
        bool some = false;

        for (size_t i = 0; i < out->n_open && next.value != RK_EX_FAILED; i++) {
            if (!rk_ex_has_sym(d->pool, next.value, out->open[i]))
                continue;
            if (put_in(d, out->open[i], scope, numbers, &next))
                some = true;
            else
                add_open(&next, out->open[i]);
        }
        *out = next;
        if (!some)
            return;
    }
}
