/* SPDX-License-Identifier: MIT */
#include "audit/heads.h"

#include <math.h>
#include <string.h>

enum {
    COLUMNS_MAX = 32
};

typedef struct heads {
    const rk_scan *s;
    const rk_reader *r;
    rk_chains *c;
    const rk_word_unit *unit[COLUMNS_MAX]; /* of each column; NULL: none */
    const rk_word_unit *caption;           /* of the whole table */
    bool size[COLUMNS_MAX];                /* columns of layers, widths and the like */
    bool size_row;                         /* such a row */
    bool fraction[COLUMNS_MAX];            /* columns of shares: what is below one in them is one */
} heads;

static const rk_word_unit *unit_of(const heads *h, size_t token)
{
    const rk_audit_token *t = &h->r->lexed->token.at[token];

    return t->kind == RK_TOKEN_WORD || t->kind == RK_TOKEN_SYMBOL
               ? rk_lexicon_unit(h->r->lexed->lexicon, h->r->text + t->at, t->n)
               : NULL;
}

/* The unit of "Memory (GB)", "FFN %" or "MiB" alone in tokens [from, to); NULL: none, or several. */
static const rk_word_unit *unit_in(const heads *h, size_t from, size_t to)
{
    const rk_audit_token *t = h->r->lexed->token.at;
    const rk_word_unit *found = NULL;

    for (size_t i = from; i + 2 < to; i++)
        if (t[i].kind == RK_TOKEN_OPEN && t[i + 2].kind == RK_TOKEN_CLOSE && unit_of(h, i + 1)) {
            if (found && found != unit_of(h, i + 1))
                return NULL;
            found = unit_of(h, i + 1);
        }
    if (!found && to > from && unit_of(h, to - 1) && unit_of(h, to - 1)->kind == RK_WORD_UNIT_SHARE)
        found = unit_of(h, to - 1);
    if (!found && to == from + 1 && t[from].n > 1 && unit_of(h, from) && unit_of(h, from)->kind == RK_WORD_UNIT_BYTES)
        found = unit_of(h, from);
    return found;
}

/* Whether a cell says that the numbers below it, or beside it, are sizes of a model. */
static bool is_size(const heads *h, const rk_piece *p)
{
    uint32_t from = p->from, to = p->to;

    while (from < to && h->s->text[from] == ' ')
        from++;
    while (to > from && h->s->text[to - 1] == ' ')
        to--;
    return to > from && rk_lexicon_is(h->r->lexed->lexicon, RK_WORDS_COLUMN, h->s->text + from, to - from);
}

static bool says_fraction(const heads *h, uint32_t from, uint32_t to)
{
    return rk_lexicon_in(h->r->lexed->lexicon, RK_WORDS_FRACTION, h->s->text + from, to - from) != 0;
}

static void read_head(heads *h, size_t piece)
{
    const rk_piece *p = &h->s->piece.at[piece];
    const size_t *first = h->r->lexed->first;

    if (p->column >= COLUMNS_MAX)
        return;
    h->unit[p->column] = unit_in(h, first[piece], first[piece + 1]);
    h->fraction[p->column] = says_fraction(h, p->from, p->to);
    h->size[p->column] = is_size(h, p);
}

/* A number alone in a cell becomes so much of a unit. */
static void give_unit(const heads *h, rk_side *s, const rk_word_unit *u)
{
    rk_acc acc = {0};
    rk_ex by = u->num > 0 ? rk_ex_ratio(h->r->pool, u->num, u->den)
                          : rk_ex_int(h->r->pool, rk_pow(&acc, u->binary ? 1024 : 1000, (unsigned)u->power));
    rk_ex value = rk_ex_mul(h->r->pool, s->value, by);
    double size;

    if (value == RK_EX_FAILED || !rk_side_double(h->r->pool, by, &size))
        return;
    s->value = value;
    s->literal.unit *= size;
    s->literal.coarse *= size;
    s->literal.scale = rk_ex_mul(h->r->pool, s->literal.scale, by);
    s->literal.rounded |= size != 1;
    s->slack = s->literal.unit / 2;
    s->unit = u;
    s->timed = u->kind == RK_WORD_UNIT_TIME;
}

/* 0.6944 of a whole: with so many digits it is worked out. */
static bool is_fraction(const heads *h, const rk_side *s)
{
    enum {
        DECIMALS_LEAST = 3
    };
    double size;

    return s->literal.is && !s->unit && s->literal.decimals >= DECIMALS_LEAST &&
           rk_side_double(h->r->pool, s->value, &size) && size > 0 && size < 1;
}

static void make_share(const heads *h, rk_side *s)
{
    static const rk_word_unit share = {.word = "", .kind = RK_WORD_UNIT_SHARE, .num = 1, .den = 1};

    give_unit(h, s, &share);
}

/* "Percentage of FFN FLOPs: 0.6944": what stands before it on its line says so. */
static void apply_to_text(const heads *h, size_t piece)
{
    const rk_audit_token *t = h->r->lexed->token.at;

    for (size_t i = h->c->first[piece]; i < h->c->first[piece + 1]; i++) {
        rk_side *s = &h->c->side.at[h->c->chain.at[i].first];
        uint32_t at = t[s->from].at, from = at;

        if (h->c->chain.at[i].n != 1 || !is_fraction(h, s))
            continue;
        while (from > h->s->piece.at[piece].from && !strchr(",;\n", h->s->text[from - 1]))
            from--;
        if (says_fraction(h, from, at))
            make_share(h, s);
    }
}

static void apply_to_cell(const heads *h, size_t piece)
{
    const rk_piece *p = &h->s->piece.at[piece];
    const rk_word_unit *u = p->column < COLUMNS_MAX ? h->unit[p->column] : NULL;
    const rk_chain *c;
    rk_side *s;

    if (p->column == 0 || p->column >= COLUMNS_MAX || h->c->first[piece + 1] != h->c->first[piece] + 1)
        return;
    c = &h->c->chain.at[h->c->first[piece]]; /* the only one of the cell */
    s = &h->c->side.at[c->first];
    if (c->n != 1 || !s->literal.is || s->unit || s->value == RK_EX_FAILED)
        return;
    if (!u && h->caption && !h->size[p->column] && !h->size_row)
        u = h->caption;
    if (u)
        give_unit(h, s, u);
    else if (h->fraction[p->column] && is_fraction(h, s))
        make_share(h, s);
}

void rk_heads_apply(const rk_scan *s, const rk_reader *r, rk_chains *c)
{
    const rk_piece *p = s->piece.at;
    heads h = {.s = s, .r = r, .c = c};

    for (size_t i = 0; i < s->piece.n; i++) {
        if (p[i].kind != RK_PIECE_CELL) {
            apply_to_text(&h, i);
            continue;
        }
        if (i == 0 || p[i - 1].table != p[i].table) {
            const rk_word_unit *u = i > 0 ? unit_in(&h, r->lexed->first[i - 1], r->lexed->first[i]) : NULL;

            h = (heads){.s = s, .r = r, .c = c};
            /* Of a line above it a unit of counts and bytes is taken, no share. */
            h.caption = u && (u->kind == RK_WORD_UNIT_BYTES || u->kind == RK_WORD_UNIT_FLOPS) ? u : NULL;
        }
        if (p[i].column == 0)
            h.size_row = p[i].row > 0 && is_size(&h, &p[i]);
        if (p[i].row == 0)
            read_head(&h, i);
        else
            apply_to_cell(&h, i);
    }
}
