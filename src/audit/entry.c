/* SPDX-License-Identifier: MIT */
#include "audit/entry.h"

#include <string.h>
#include <strings.h>

typedef struct lister {
    rk_audit *a;
    rk_entries *out;
    size_t piece, chain, chain_end; /* chains of the piece that are still to come */
} lister;

/* ---- words ------------------------------------------------------------------------------------------------------ */

static bool is_total_word(const rk_audit *a, const rk_audit_token *t)
{
    static const char *const word[] = {"total", "totals", "sum", "altogether", "overall", "totalling"};

    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (t->kind == RK_TOKEN_WORD && strlen(word[i]) == t->n &&
            strncasecmp(word[i], a->scan.text + t->at, t->n) == 0)
            return true;
    return false;
}

bool rk_entry_says_total(const rk_audit *a, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (is_total_word(a, &a->lexed.token.at[i]))
            return true;
    return false;
}

/* A label of few words and nothing else but a colon: a sentence that mentions a total is no title. */
static bool is_title(const rk_audit *a, size_t from, size_t to)
{
    enum {
        WORDS_MAX = 6
    };
    const rk_audit_token *t = a->lexed.token.at;
    size_t words = 0;

    for (size_t i = from; i < to; i++) {
        words += t[i].kind == RK_TOKEN_WORD;
        if (t[i].kind != RK_TOKEN_WORD && t[i].kind != RK_TOKEN_BREAK && t[i].kind != RK_TOKEN_SYMBOL &&
            t[i].kind != RK_TOKEN_OPEN && t[i].kind != RK_TOKEN_CLOSE)
            return false;
    }
    return words > 0 && words <= WORDS_MAX && rk_entry_says_total(a, from, to) && t[to - 1].kind == RK_TOKEN_BREAK;
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

/* How deep in brackets a token stands in its line. */
static int depth_at(const rk_audit *a, size_t from, size_t at)
{
    int depth = 0;

    for (size_t i = from; i < at; i++) {
        const rk_audit_token *t = &a->lexed.token.at[i];

        if (t->op != '{')
            depth += t->kind == RK_TOKEN_OPEN ? 1 : t->kind == RK_TOKEN_CLOSE ? -1 : 0;
    }
    return depth;
}

/* The first colon outside of brackets, or `to`. */
static size_t colon(const rk_audit *a, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        const rk_audit_token *t = &a->lexed.token.at[i];

        if (t->kind == RK_TOKEN_BREAK && t->op == ':' && depth_at(a, from, i) == 0)
            return i;
    }
    return to;
}

static bool is_share(const rk_side *s)
{
    return s->unit && s->unit->kind == RK_WORD_UNIT_SHARE && !s->computed;
}

/* What states a figure: a symbol alone, or a word that was taken for one, does not. */
static bool is_figure(const rk_side *s)
{
    return s->value != RK_EX_FAILED && !s->shape && (s->digits || s->n_symbol > 0);
}

/* The end of a chain; where it leaves a factor out that the side before it has (× T), that one. */
static const rk_side *end_of(const rk_audit *a, const rk_side *side, size_t n)
{
    const rk_side *last = &side[n - 1], *before = last - 1;
    rk_ex bare;

    if (n < 2 || last->n_symbol > 0 || before->n_symbol == 0 || rk_ex_term_count(a->pool, before->value) != 1)
        return last;
    bare = before->value;
    for (size_t i = 0; i < before->n_symbol; i++)
        bare = rk_ex_subst(a->pool, bare, before->symbol[i], rk_ex_int(a->pool, 1));
    return bare == last->value ? before : last;
}

/* Looks at one chain of the line: its end is the value, if it is the only one. */
static void look_at(const lister *l, rk_entry *e, const rk_chain *c, size_t label_end, size_t *n)
{
    const rk_side *side = &l->a->chains.side.at[c->first], *last = end_of(l->a, side, c->n);
    bool remark = side->from > e->from && l->a->lexed.token.at[side->from].kind == RK_TOKEN_OPEN;
    bool chain = c->n > 1, inside = (remark && !chain) || depth_at(l->a, e->from, side->from) > 0;

    if (is_share(last) && !chain) {
        e->share = last;
        return;
    }
    if (!is_figure(last) || inside || (!chain && side->from < label_end && label_end < e->to))
        return;
    e->defines |= chain && side->alone != RK_SYM_NONE && l->a->lexed.token.at[side->from].kind == RK_TOKEN_SYMBOL;
    if (chain || !e->worked)
        e->value = last;
    *n = chain && !e->worked ? 1 : *n + (chain == e->worked);
    e->worked |= chain && (side[0].computed || c->n > 2);
}

/* A figure that stands alone begins or ends its line; one in the middle of a sentence is no entry. */
static bool stands_out(const lister *l, const rk_entry *e, size_t label_end)
{
    const rk_audit_token *t = l->a->lexed.token.at;
    size_t words = 0;

    if (e->worked || e->value->from == e->from || label_end < e->to)
        return true;
    for (size_t i = e->value->to; i < e->to; i++)
        words += t[i].kind == RK_TOKEN_WORD || t[i].kind == RK_TOKEN_NUMBER;
    return words == 0;
}

/* The value of a line, if it has just one. */
static void find_value(lister *l, rk_entry *e)
{
    const rk_chains *c = &l->a->chains;
    bool is_row = e->to - e->from <= RK_ENTRY_TOKENS_MAX;
    size_t label_end = is_row ? colon(l->a, e->from, e->to) : e->to, n = 0;

    for (; l->chain < l->chain_end && c->side.at[c->chain.at[l->chain].first].from < e->to; l->chain++)
        if (is_row)
            look_at(l, e, &c->chain.at[l->chain], label_end, &n);
    if (n == 0 && e->share && l->a->scan.piece.at[l->piece].kind == RK_PIECE_CELL) {
        e->value = e->share; /* a column of shares */
        e->share = NULL;
        n = 1;
    }
    if (n != 1 || !stands_out(l, e, label_end))
        e->value = NULL;
}

static void put_line(lister *l, size_t from, size_t to)
{
    rk_entry e = {.piece = l->piece, .from = from, .to = to};
    rk_entry *kept;

    if (to == from)
        return;
    find_value(l, &e);
    e.total = e.value && rk_entry_says_total(l->a, from, e.value->from);
    e.title = !e.value && is_title(l->a, from, to);
    e.whole = e.value && e.value->from == from && e.value->to >= to - (to > from + 1);
    kept = RK_PUSH(&l->a->arena, &l->out->at);
    if (kept)
        *kept = e;
}

static void put_piece(lister *l)
{
    const rk_audit_token *t = l->a->lexed.token.at;
    size_t from = l->a->lexed.first[l->piece], end = l->a->lexed.first[l->piece + 1];

    l->chain = l->a->chains.first[l->piece];
    l->chain_end = l->a->chains.first[l->piece + 1];
    for (size_t i = from; i <= end; i++)
        if (i == end || (t[i].kind == RK_TOKEN_BREAK && t[i].op == '\n')) {
            put_line(l, from, i);
            from = i + 1;
        }
}

int rk_entries_find(rk_audit *a, rk_entries *out, rk_err *err)
{
    lister l = {.a = a, .out = out};

    for (l.piece = 0; l.piece < a->scan.piece.n && !a->arena.failed; l.piece++)
        put_piece(&l);
    return a->arena.failed ? rk_fail_memory(err) : RK_OK;
}
