/* SPDX-License-Identifier: MIT */
#include "audit/define.h"

#include <string.h>

/* ---- collecting ------------------------------------------------------------------------------------------------- */

/* Keeps a side as a definition of a symbol, before those that are there. */
static void put(rk_arena *a, rk_definitions *out, rk_sym symbol, const rk_side *side, const rk_piece *piece)
{
    bool rough = side->slack > 0 || side->about;
    rk_definition **list = rough ? out->rough : side->n_symbol ? out->formula : out->number;
    rk_definition *d;
    double size;

    if (symbol >= out->n || side->value == RK_EX_FAILED || side->labelled || side->shape)
        return;
    if (rough && (!rk_side_double(out->pool, side->value, &size) || size <= 0))
        return;
    if (rk_ex_term_count(out->pool, side->value) > RK_DEFINE_TERMS_MAX || out->count[symbol]++ >= RK_DEFINE_SYMBOL_MAX)
        return;
    d = RK_NEW(a, rk_definition);
    if (!d)
        return;
    *d = (rk_definition){out->token[side->from].at,      side->value, side,
                         rough ? side->slack / size : 0, piece,       list[symbol]};
    list[symbol] = d;
}

/* "vocab × d_model = 50257 × 1600": signs and numbers are the same, so that each number is a symbol's. */
static bool runs_beside(const rk_audit_token *x, const rk_audit_token *y, const rk_written *number)
{
    if (x->kind == RK_TOKEN_SYMBOL)
        return y->kind == RK_TOKEN_NUMBER && !number[y->id].wide;
    if (x->kind != y->kind)
        return false;
    return x->kind == RK_TOKEN_NUMBER
               ? number[x->id].digits == number[y->id].digits && number[x->id].exponent == number[y->id].exponent
               : (x->kind == RK_TOKEN_SIGN || x->kind == RK_TOKEN_OPEN || x->kind == RK_TOKEN_CLOSE) && x->op == y->op;
}

static void infer(rk_arena *a, const rk_reader *r, rk_definitions *out, const rk_side *x, const rk_piece *piece)
{
    static const rk_side nothing = {.degree = 1};
    const rk_audit_token *t = out->token;
    const rk_written *number = r->lexed->number.at;
    size_t n = x->to - x->from, signs = 0;

    if (n < 3 || n > 64 || n != x[1].to - x[1].from || x->n_symbol == 0 || x[1].n_symbol > 0)
        return;
    for (size_t i = 0; i < n; i++) {
        signs += t[x->from + i].kind == RK_TOKEN_SIGN;
        if (!runs_beside(&t[x->from + i], &t[x[1].from + i], number))
            return;
    }
    for (size_t i = 0; i < n && signs > 0; i++) {
        const rk_audit_token *s = &t[x->from + i], *v = &t[x[1].from + i];
        rk_definition *d;

        if (s->kind != RK_TOKEN_SYMBOL || s->id >= out->n || number[v->id].exponent != 0 ||
            out->count[s->id]++ >= RK_DEFINE_SYMBOL_MAX || (d = RK_NEW(a, rk_definition)) == NULL)
            continue;
        *d = (rk_definition){v->at, rk_ex_int(out->pool, number[v->id].digits), &nothing, 0, piece, out->rough[s->id]};
        out->rough[s->id] = d;
    }
}

/*
 * "vocab_size : 50,257" on a line of its own: two figures with a colon between them; or "num_layers    48": the name of
 * a program's variable, and a whole number.
 */
static bool is_line_of(const rk_scan *s, const rk_audit_token *t, const rk_side *name, const rk_side *value,
                       size_t from, size_t to)
{
    bool begins = name->from == from || t[name->from - 1].kind == RK_TOKEN_BREAK;
    bool ends = value->to == to || (t[value->to].kind == RK_TOKEN_BREAK && t[value->to].op == '\n');
    bool colon = value->from == name->to + 1 && t[name->to].op == ':' && t[name->to].kind == RK_TOKEN_BREAK;
    bool column = value->from == name->to && name->to == name->from + 1 && !value->literal.rounded && !value->unit &&
                  memchr(s->text + t[name->from].at, '_', t[name->from].n) != NULL;

    return name->alone != RK_SYM_NONE && begins && ends && value->literal.is && (colon || column);
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
    size_t n = rk_sym_count(r->pool);

    *out = (rk_definitions){.scan = s, .pool = r->pool, .token = r->lexed->token.at, .n = n, .budget = r->budget};
    out->number = RK_NEW_ARRAY(a, n, rk_definition *);
    out->formula = RK_NEW_ARRAY(a, n, rk_definition *);
    out->rough = RK_NEW_ARRAY(a, n, rk_definition *);
    out->count = RK_NEW_ARRAY(a, n, uint32_t);
    if (!out->number || !out->formula || !out->rough || !out->count)
        return rk_fail_memory(err);
    for (size_t i = 0; i < c->chain.n; i++) {
        const rk_chain *now = &c->chain.at[i];
        const rk_side *side = &c->side.at[now->first], *last = &side[now->n - 1];
        const rk_piece *piece = &s->piece.at[now->piece];
        bool done[2] = {false, false};

        /* "d_k = D/H = 1600/25 = 64" gives a formula and a number. */
        for (size_t k = 1; k < now->n && side->alone != RK_SYM_NONE; k++) {
            bool is_formula = side[k].n_symbol > 0;

            if (side[k].again && piece->kind == RK_PIECE_CODE)
                continue; /* a remark on it */
            if (!done[is_formula])
                put(a, out, side->alone, &side[k], piece);
            done[is_formula] = true;
        }
        for (size_t k = 0; k + 1 < now->n; k++)
            infer(a, r, out, &side[k], piece);
        /* The sides of the next chain stand after those of this one. */
        if (i + 1 < c->chain.n && now[1].piece == now->piece &&
            is_line_of(s, out->token, last, last + 1, r->lexed->first[now->piece], r->lexed->first[now->piece + 1]))
            put(a, out, last->alone, last + 1, piece);
    }
    for (size_t i = 0; i < n; i++) {
        out->number[i] = reversed(out->number[i]);
        out->formula[i] = reversed(out->formula[i]);
        out->rough[i] = reversed(out->rough[i]);
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

const rk_definition *rk_define_of(const rk_definitions *d, rk_define_list of, rk_sym s)
{
    rk_definition *const *lists = of == RK_DEFINE_NUMBER ? d->number : of == RK_DEFINE_FORMULA ? d->formula : d->rough;

    return s < d->n ? lists[s] : NULL;
}

rk_ex rk_define_find(const rk_definitions *d, rk_define_list of, rk_sym s, uint32_t scope, uint32_t use,
                     const rk_definition **found, bool *many)
{
    const rk_definition *list = rk_define_of(d, of, s);
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

bool rk_define_varies(const rk_definitions *d, rk_sym s)
{
    const rk_definition *first = rk_define_of(d, RK_DEFINE_NUMBER, s);
    size_t n = 0;

    for (const rk_definition *next = first; next; next = next->next)
        if (next->value != first->value || ++n > RK_DEFINE_NEAR_MAX)
            return true;
    return false;
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

/* Formulas put into formulas grow, and each term costs; m terms, multiplied so often, may be m^degree. */
static bool spend(const rk_definitions *d, const rk_expanded *into, rk_ex what)
{
    size_t n = rk_ex_term_count(d->pool, into->value), m = rk_ex_term_count(d->pool, what);
    size_t cost = RK_DEFINE_COST * n * m, power = 1;

    for (size_t i = 0; i < into->degree && m > 1 && power <= RK_DEFINE_POWER_MAX; i++)
        power *= m;
    if (*d->budget < cost || n > RK_SIDE_TERMS_MAX || power > RK_DEFINE_POWER_MAX)
        return false;
    *d->budget -= cost;
    return true;
}

/* "T = 1024" as a paragraph of its own: said once for what follows. */
static bool is_whole_piece(const rk_definitions *d, const rk_definition *found)
{
    const char *text = d->scan->text;
    uint32_t at = found->piece->from;
    size_t signs = 0;

    for (; at < found->piece->to; at++)
        signs += text[at] == '=';
    return signs == 1 && found->side->to > 0 && found->piece->to - found->piece->from < 64;
}

/* Puts the definition of one symbol in; false where it has none. */
static bool put_in(const rk_definitions *d, rk_sym s, uint32_t scope, bool numbers, rk_expanded *out)
{
    const rk_definition *found = NULL;
    const rk_scope *section;
    rk_ex value = RK_EX_FAILED;
    bool many = false;

    if (numbers)
        value = rk_define_find(d, RK_DEFINE_NUMBER, s, scope, out->use, &found, &many);
    out->many |= many;
    if (value == RK_EX_FAILED && !many)
        value = rk_define_find(d, RK_DEFINE_FORMULA, s, scope, out->use, &found, &many);
    if (value == RK_EX_FAILED && !many && numbers) {
        value = rk_define_find(d, RK_DEFINE_ROUGH, s, scope, out->use, &found, &many);
        out->rough |= value != RK_EX_FAILED;
        many = false;
    }
    if (value == RK_EX_FAILED || rk_ex_has_sym(d->pool, value, s) || !spend(d, out, value))
        return false;
    section = &d->scan->scope.at[rk_scan_section(d->scan, scope)];
    out->degree *= found->side->degree > 1 ? found->side->degree : 1;
    out->value = rk_ex_subst(d->pool, out->value, s, value);
    out->loose += 2 * found->loose; /* it may be squared */
    out->far |= found->at < section->from || found->at >= section->to;
    out->apart |= out->use < found->at ||
                  (!is_whole_piece(d, found) && (out->use < found->piece->from || out->use >= found->piece->to));
    out->foreign |=
        found->piece->kind == RK_PIECE_CODE && (out->use < found->piece->from || out->use >= found->piece->to);
    for (size_t i = 0; i < found->side->n_symbol; i++)
        add_open(out, found->side->symbol[i]);
    return true;
}

void rk_define_expand(const rk_definitions *d, const rk_side *s, uint32_t scope, bool numbers, rk_expanded *out)
{
    rk_define_expand_at(d, s, scope, d->token ? d->token[s->from].at : 0, numbers, out);
}

void rk_define_expand_at(const rk_definitions *d, const rk_side *s, uint32_t scope, uint32_t use, bool numbers,
                         rk_expanded *out)
{
    *out = (rk_expanded){.value = s->value, .degree = s->degree, .use = use};
    for (size_t i = 0; i < s->n_symbol; i++)
        add_open(out, s->symbol[i]);
    for (int round = 0; round < RK_DEFINE_EXPAND_MAX && out->value != RK_EX_FAILED; round++) {
        rk_expanded next = *out;
        bool some = false;

        next.n_open = 0;
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
