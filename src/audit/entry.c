/* SPDX-License-Identifier: MIT */
/* Lines that say of something how much it is: rows that can be added up, and their totals. */
#include "audit/sums.h"

#include <string.h>

typedef struct lister {
    rk_audit *a;
    const rk_audit_token *token;
    rk_entries *out;
    size_t piece, chain, chain_end; /* chains of the piece that are still to come */
} lister;

/* ---- words ------------------------------------------------------------------------------------------------------ */

bool rk_sum_is_total(const rk_audit *a, size_t from, size_t to)
{
    return rk_audit_says(a, RK_WORDS_TOTAL, from, to) && !rk_audit_says(a, RK_WORDS_NO_TOTAL, from, to);
}

/* A label of few words and nothing else but a colon: a sentence that mentions a total is no title. */
static bool is_title(const lister *l, size_t from, size_t to)
{
    enum {
        WORDS_MAX = 6
    };
    size_t words = 0;

    for (size_t i = from; i < to; i++) {
        unsigned kind = l->token[i].kind;

        words += kind == RK_TOKEN_WORD;
        if (kind != RK_TOKEN_WORD && kind != RK_TOKEN_BREAK && kind != RK_TOKEN_SYMBOL && kind != RK_TOKEN_OPEN &&
            kind != RK_TOKEN_CLOSE)
            return false;
    }
    return words > 0 && words <= WORDS_MAX && rk_sum_is_total(l->a, from, to) &&
           l->token[to - 1].kind == RK_TOKEN_BREAK;
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

/* How deep in brackets a token stands in its line. */
static int depth_at(const lister *l, size_t from, size_t at)
{
    int depth = 0;

    for (const rk_audit_token *t = &l->token[from]; t < &l->token[at]; t++)
        if (t->op != '{')
            depth += t->kind == RK_TOKEN_OPEN ? 1 : t->kind == RK_TOKEN_CLOSE ? -1 : 0;
    return depth;
}

/* The end of a chain; where it leaves a factor out that the side before it has (× T), that one. */
static const rk_side *end_of(const rk_audit *a, const rk_side *side, size_t n)
{
    const rk_side *last, *before;

    while (n > 1 && side[n - 1].again)
        n--;
    if (n > 2 && side->alone != RK_SYM_NONE && side[1].literal.is && side[2].literal.is)
        return &side[1]; /* "total = 4,513,336,524,800 ≈ 4.51e12" */
    last = &side[n - 1];
    before = last - 1;
    if (n < 2 || last->n_symbol > 0 || before->n_symbol == 0 || rk_ex_term_count(a->pool, before->value) != 1)
        return last;
    return rk_side_bare(a->pool, before) == last->value ? before : last;
}

/* Looks at one chain of the line: its end is the value, if it is the only one. */
static void look_at(const lister *l, rk_entry *e, const rk_chain *c, size_t label_end, size_t *n)
{
    const rk_side *side = &l->a->chains.side.at[c->first], *last = end_of(l->a, side, c->n);
    bool remark = side->from > e->from && l->token[side->from].kind == RK_TOKEN_OPEN;
    bool chain = c->n > 1, inside = (remark && !chain) || depth_at(l, e->from, side->from) > 0;

    if (last->unit && last->unit->kind == RK_WORD_UNIT_SHARE && !last->computed && !chain) {
        e->share = last;
        return;
    }
    /* What states a figure: a symbol alone, or a word that was taken for one, does not. */
    if (last->value == RK_EX_FAILED || last->shape || (!last->digits && last->n_symbol == 0) || inside ||
        (!chain && side->from < label_end && label_end < e->to))
        return;
    e->defines |= chain && side->alone != RK_SYM_NONE && l->token[side->from].kind == RK_TOKEN_SYMBOL;
    if (chain || !e->worked) {
        e->value = last;
        e->exact = NULL;
        e->value_to = side[c->n - 1].to;
        for (const rk_side *x = last; x > side && x[-1].literal.is && x->literal.is; x--)
            e->exact = x - 1;
    }
    *n = chain && !e->worked ? 1 : *n + (chain == e->worked);
    for (size_t k = 0; k < c->n; k++)
        e->worked |= chain && side[k].computed;
}

/* The value of a line, if it has just one. */
static void find_value(lister *l, rk_entry *e)
{
    const rk_chains *c = &l->a->chains;
    bool is_row = e->to - e->from <= RK_ENTRY_TOKENS_MAX;
    size_t label_end = is_row ? e->from : e->to, n = 0; /* the first colon outside of brackets, or the end */

    while (label_end < e->to && !(l->token[label_end].kind == RK_TOKEN_BREAK && l->token[label_end].op == ':' &&
                                  depth_at(l, e->from, label_end) == 0))
        label_end++;
    for (; l->chain < l->chain_end && c->side.at[c->chain.at[l->chain].first].from < e->to; l->chain++)
        if (is_row)
            look_at(l, e, &c->chain.at[l->chain], label_end, &n);
    if (n == 0 && e->share && l->a->scan.piece.at[l->piece].kind == RK_PIECE_CELL) {
        e->value = e->share; /* a column of shares */
        e->value_to = e->share->to;
        e->share = NULL;
        n = 1;
    }
    for (size_t i = e->from; i < e->to; i++)
        if (l->token[i].kind == RK_TOKEN_EQUALS && l->token[i].op == '>')
            n = 0; /* from one thing to another */
    if (n != 1) {
        e->value = NULL;
        return;
    }
    /* A figure that stands alone begins or ends its line; one in the middle of a sentence is no entry. */
    if (e->worked || e->value->from == e->from || label_end < e->to)
        return;
    for (size_t i = e->value_to; i < e->to; i++)
        if ((l->token[i].kind == RK_TOKEN_WORD || l->token[i].kind == RK_TOKEN_NUMBER) &&
            depth_at(l, e->value->to, i) == 0) {
            e->value = NULL;
            return;
        }
}

static void put_line(lister *l, size_t from, size_t to)
{
    rk_entry e = {.piece = l->piece, .from = from, .to = to};
    rk_entry *kept;

    if (to == from)
        return;
    find_value(l, &e);
    e.total = e.value && rk_sum_is_total(l->a, from, e.value->from);
    e.title = !e.value && is_title(l, from, to);
    e.whole = e.value && e.value->from == from && e.value->to >= to - (to > from + 1);
    kept = RK_PUSH(&l->a->arena, &l->out->at);
    if (kept)
        *kept = e;
}

int rk_entries_find(rk_audit *a, rk_entries *out, rk_err *err)
{
    lister l = {.a = a, .token = a->lexed.token.at, .out = out};

    for (l.piece = 0; l.piece < a->scan.piece.n && !a->arena.failed; l.piece++) {
        size_t from = a->lexed.first[l.piece], end = a->lexed.first[l.piece + 1];

        l.chain = a->chains.first[l.piece];
        l.chain_end = a->chains.first[l.piece + 1];
        for (size_t i = from; i <= end; i++)
            if (i == end || (l.token[i].kind == RK_TOKEN_BREAK && l.token[i].op == '\n')) {
                put_line(&l, from, i);
                from = i + 1;
            }
    }
    return a->arena.failed ? rk_fail_memory(err) : RK_OK;
}
