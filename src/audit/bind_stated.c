/* SPDX-License-Identifier: MIT */
/*
 * Sizes that a text states of the model: "80 layers, 16 KV heads", "| vocab_size | 50,257 |".  A text may speak of
 * other sizes; where at least three that stand together are the model's and one alone is not, that one is wrong.
 */
#include "audit/bind_parts.h"

#include <math.h>
#include <string.h>

enum {
    MATCHES_LEAST = 3,
    NAME_MAX_HERE = 48 /* bytes of what a size is called */
};

typedef struct stated {
    const rk_symbol *symbol;
    rk_i128 value;
    size_t token;
    uint64_t group; /* a table, a paragraph, or a section with a list */
} stated;

/* The symbol of the model that a word of the lexicon is for: its text is one of those that the value lists. */
static const rk_symbol *symbol_for(const rk_model *m, const rk_lexeme *w)
{
    for (size_t i = 0; w && i < m->n_symbol; i++) {
        const rk_symbol *s = &m->symbol[i];
        size_t length =
            s->text && s->known && s->kind != RK_SYMBOL_RUN && s->kind != RK_SYMBOL_LOOP ? strlen(s->text) : 0;

        for (const char *of = w->value; length > 0 && *of;) {
            size_t n = strcspn(of, ",");

            if (n == length && memcmp(of, s->text, n) == 0)
                return s;
            of += n + (of[n] == ',');
        }
    }
    return NULL;
}

/* "80 layers": what stands after a number. */
static const rk_lexeme *named_after(const rk_binder *b, const rk_audit_token *t, uint32_t end)
{
    const char *text = b->a->scan.text;
    uint32_t at = t->at + t->n;

    while (at < end && strchr(" *`-", text[at]))
        at++;
    return rk_lexicon_begins(b->a->lexicon, RK_WORDS_STATED, text + at, end - at);
}

/* What a text ends with, as a name of a size: all of it, or, after "of", "is" or a sign, its last words. */
static const rk_lexeme *named_at_end(const rk_binder *b, const char *text, bool whole)
{
    const rk_lexeme *found = NULL;
    size_t n = strlen(text), end;

    for (end = n; end > 0 && strchr(" \t:=*|`\"", text[end - 1]); end--)
        whole |= strchr(":=", text[end - 1]) != NULL;
    for (size_t k = 0; k < 2; k++) /* "hidden size of 8192", "hidden size is 8192" */
        if (end > 3 && memcmp(text + end - 3, k ? " is" : " of", 3) == 0) {
            end -= 3;
            whole = true;
        }
    for (size_t from = 0; from < end && !found; from++)
        if (from == 0 || !rk_lexicon_is_letter(text[from - 1]))
            found = rk_lexicon_is(b->a->lexicon, RK_WORDS_STATED, text + from, end - from);
    return found && (whole || strchr(found->word, '_')) ? found : NULL;
}

/* "vocab_size: 50,257", "a hidden size of 8192": what stands before it, or in the first cell of its row. */
static const rk_lexeme *named_before(rk_binder *b, size_t piece, const rk_audit_token *t)
{
    const rk_piece *all = b->a->scan.piece.at, *p = &all[piece];
    uint32_t from = t->at;

    if (p->kind != RK_PIECE_CELL) {
        while (from > p->from && t->at - from < NAME_MAX_HERE && !strchr("\n,;(", b->a->scan.text[from - 1]))
            from--;
        return named_at_end(b, rk_audit_plain(b->a, from, t->at), false);
    }
    while (piece > 0 && all[piece - 1].table == p->table && all[piece].column > 0)
        piece--;
    if (p->column == 0 || all[piece].row != p->row || all[piece].to - all[piece].from > NAME_MAX_HERE)
        return NULL;
    return named_at_end(b, rk_audit_plain(b->a, all[piece].from, all[piece].to), true);
}

static bool read_stated(rk_binder *b, size_t piece, size_t i, stated *out)
{
    const rk_piece *p = &b->a->scan.piece.at[piece];
    const rk_audit_token *t = &b->a->lexed.token.at[i];
    const rk_written *w = t->kind == RK_TOKEN_NUMBER ? &b->a->lexed.number.at[t->id] : NULL;
    const rk_lexeme *name;

    if (!w || w->wide || w->decimal || w->exponent != 0 || w->digits <= 0 || w->digits > INT32_MAX)
        return false;
    name = named_after(b, t, p->to);
    if (!name)
        name = named_before(b, piece, t);
    *out = (stated){.symbol = symbol_for(b->source->instance->model, name), .value = w->digits, .token = i};
    out->group = p->kind == RK_PIECE_CELL   ? (uint64_t)p->table << 32
                 : p->kind == RK_PIECE_ITEM ? rk_scan_section(&b->a->scan, p->scope)
                                            : (uint64_t)(piece + 1) << 8 | UINT64_C(1) << 63;
    return out->symbol != NULL;
}

/* A vocabulary is rounded, or padded: 128,000 for 128,256, 50,304 for 50,257. */
static bool is_loose(const stated *s)
{
    const double much = 0.03;

    return fabs((double)s->value / (double)s->symbol->value - 1) < much;
}

static void claim_stated(rk_binder *b, const stated *s, rk_claim_status status)
{
    rk_claim *c = rk_audit_claim(b->a, RK_CLAIM_MODEL, rk_bind_status(b, status), s->token, s->token + 1);
    char number[RK_NUM_TEXT_MAX];

    if (!c)
        return;
    c->stated = c->text;
    c->stated_value = rk_ex_int(b->a->pool, s->value);
    c->found_value = rk_ex_int(b->a->pool, s->symbol->value);
    c->found = rk_arena_text(&b->a->arena, rk_num_grouped(number, s->symbol->value));
    c->quantity = rk_arena_text(&b->a->arena, s->symbol->text);
    c->formula = rk_arena_text(&b->a->arena, s->symbol->name);
    c->note = status == RK_CLAIM_WRONG && b->source->supposed
                  ? rk_arena_format(&b->a->arena, "%s %s: %s (%s)", b->source->supposed, c->found, s->symbol->text,
                                    s->symbol->name)
                  : rk_arena_format(&b->a->arena, "%s (%s)", s->symbol->text, s->symbol->name);
    b->a->arena.failed |= !c->note;
}

/* Whether the text computes with it: then it was meant, and is of another model. */
static bool is_used(const rk_binder *b, const stated *x)
{
    const rk_audit_token *t = b->a->lexed.token.at;

    for (size_t i = 0; i < b->a->chains.side.n; i++) {
        const rk_side *s = &b->a->chains.side.at[i];

        for (size_t k = s->from; k < s->to && s->computed; k++)
            if (t[k].kind == RK_TOKEN_NUMBER && b->a->lexed.number.at[t[k].id].digits == x->value)
                return true;
    }
    return false;
}

/* Those of one group, from the first on: how many are the model's, and which one alone is not. */
static void judge_group(rk_binder *b, const stated *first, size_t n)
{
    const stated *odd = NULL;
    size_t n_match = 0, n_odd = 0;

    for (const stated *s = first; s < first + n; s++) {
        bool again = false;

        for (const stated *t = first; t < s; t++)
            again |= t->symbol == s->symbol;
        if (again) { /* twice, and perhaps of two models */
            if (s->value != s->symbol->value)
                return;
            continue;
        }
        n_match += s->value == s->symbol->value;
        if (s->value != s->symbol->value && !is_loose(s)) {
            n_odd++;
            odd = s;
        }
    }
    if (n_match >= MATCHES_LEAST && n_odd == 1 && !is_used(b, odd))
        claim_stated(b, odd, RK_CLAIM_WRONG);
}

void rk_bind_stated(rk_binder *b)
{
    RK_VEC(stated) all = {0};

    for (size_t p = 0; p < b->a->scan.piece.n; p++) {
        const rk_piece *piece = &b->a->scan.piece.at[p];

        if (piece->program || (b->source->piece && !b->source->piece[p]))
            continue;
        for (size_t i = b->a->lexed.first[p]; i < b->a->lexed.first[p + 1]; i++) {
            stated s, *kept = read_stated(b, p, i, &s) ? RK_PUSH(&b->arena, &all) : NULL;

            if (kept)
                *kept = s;
        }
    }
    for (size_t i = 0, n; i < all.n; i += n) {
        for (n = 1; i + n < all.n && all.at[i + n].group == all.at[i].group; n++)
            ;
        judge_group(b, &all.at[i], n);
    }
}
