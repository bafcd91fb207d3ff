/* SPDX-License-Identifier: MIT */
#include "audit/changes.h"

#include <math.h>
#include <string.h>

typedef struct figure {
    rk_side side;
    double value, slack;
} figure;

typedef enum form {
    POINTS,  /* 17.6 percentage points: a difference of shares */
    PERCENT, /* 75 % less */
    TIMES    /* 4× smaller */
} form;

typedef struct changer {
    rk_audit *a;
    const rk_audit_token *t;
    bool *stated; /* tokens that a claim is about already */
} changer;

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static bool is_word(const changer *c, rk_words use, size_t i)
{
    return rk_audit_says(c->a, use, i, i + 1);
}

/* The number at a token, which is no part of a formula; false: there is none. */
static bool read_figure(const changer *c, size_t i, size_t first, size_t end, figure *out)
{
    const rk_audit_token *before = i > first ? &c->t[i - 1] : NULL;

    if (c->t[i].kind != RK_TOKEN_NUMBER || (before && before->kind == RK_TOKEN_SIGN && strchr("*/^", before->op)) ||
        !rk_side_read_number(&c->a->reader, i, end, &out->side) || out->side.range || out->side.maybe_two ||
        !rk_side_double(c->a->pool, out->side.value, &out->value) || out->value <= 0)
        return false;
    out->slack = out->side.unit ? out->side.literal.unit / 2 : out->side.slack;
    return true;
}

/* Where a word of a use stands among so many tokens from `from` on; `to`: it does not. */
static size_t word_within(const changer *c, rk_words use, size_t from, size_t to)
{
    while (from < to && !is_word(c, use, from))
        from++;
    return from;
}

/* What a figure says of a change; false: nothing. */
static bool read_form(const changer *c, const figure *f, size_t first, size_t end, form *out)
{
    enum {
        AFTER = 3,
        BEFORE = 3
    };
    const rk_word_unit *u = f->side.unit;
    size_t at = f->side.to, last = at + AFTER < end ? at + AFTER : end;
    size_t from = f->side.from > first + BEFORE ? f->side.from - BEFORE : first;
    bool times = at < end && ((c->t[at].kind == RK_TOKEN_SIGN && c->t[at].op == '*') || is_word(c, RK_WORDS_TIMES, at));
    bool said =
        rk_audit_says(c->a, RK_WORDS_CHANGE, at, last) || rk_audit_says(c->a, RK_WORDS_CHANGE, from, f->side.from);

    *out = times ? TIMES : PERCENT;
    if (rk_audit_says(c->a, RK_WORDS_POINTS, at, last)) {
        *out = POINTS;
        return !u || u->kind == RK_WORD_UNIT_SHARE;
    }
    return said && (times ? !u : u && u->kind == RK_WORD_UNIT_SHARE);
}

/* ---- the two figures before it ----------------------------------------------------------------------------------- */

static bool same_kind(const figure *x, const figure *y)
{
    const rk_word_unit *u = x->side.unit, *v = y->side.unit;

    return u && v && u->kind == v->kind && x->side.rate == y->side.rate;
}

/* Of percentage points shares, of all else no shares. */
static bool fits(form how, const figure *f)
{
    const rk_word_unit *u = f->side.unit;

    return u && (u->kind == RK_WORD_UNIT_SHARE) == (how == POINTS);
}

/* The 59M of "561M - 59M = 502M" is a term. */
static bool is_term(const changer *c, const figure *f, size_t first, size_t to)
{
    return (f->side.from > first && c->t[f->side.from - 1].kind == RK_TOKEN_SIGN) ||
           (f->side.to < to && c->t[f->side.to].kind == RK_TOKEN_SIGN);
}

/* The last two figures of the sentence before a token, the earlier one first; false: there are none that fit. */
static bool read_before(const changer *c, form how, size_t first, size_t to, figure of[2])
{
    enum {
        BACK_MAX = 40
    };
    size_t n = 0, from = to > first + BACK_MAX ? to - BACK_MAX : first;

    for (size_t i = to; i > from && n < 2; i--) {
        const rk_audit_token *t = &c->t[i - 1];
        figure f;

        if (t->kind == RK_TOKEN_BREAK && t->op != ':')
            return false;
        if (read_figure(c, i - 1, first, to, &f) && fits(how, &f) && !is_term(c, &f, first, to))
            of[1 - n++] = f;
    }
    return n == 2 && same_kind(&of[0], &of[1]);
}

/* The same of the cells before one in its row. */
static bool read_cells_before(const changer *c, form how, size_t piece, figure of[2])
{
    const rk_piece *all = c->a->scan.piece.at, *p = &all[piece];
    size_t n = 0;

    for (size_t i = piece; i > 0 && n < 2; i--) {
        const rk_piece *q = &all[i - 1];
        size_t first = c->a->lexed.first[i - 1], end = c->a->lexed.first[i];
        figure f;

        if (q->kind != RK_PIECE_CELL || q->table != p->table || q->row != p->row)
            return false;
        if (end > first && read_figure(c, first, first, end, &f) && f.side.to == end && fits(how, &f))
            of[1 - n++] = f;
    }
    return n == 2 && same_kind(&of[0], &of[1]);
}

/* ---- judging ----------------------------------------------------------------------------------------------------- */

/* What the change may be called, from x to y; how many ways there are. */
static size_t ways_of(form how, double x, double y, double way[4])
{
    size_t n = 0;

    if (how == POINTS) {
        way[n++] = fabs(y - x) * 100;
        return n;
    }
    way[n++] = how == TIMES ? fmax(x / y, y / x) : fabs(y - x) / x;
    way[n++] = how == TIMES ? fabs(y - x) / fmin(x, y) : fabs(y - x) / y;
    if (how == PERCENT) {
        way[n++] = y / x;
        way[n++] = x / y;
    }
    return n;
}

/* "from 14 GB to 3.5 GB (75 % less)": one leads to the other, and the change is said right after it, and no more. */
static bool leads(const changer *c, form how, const figure of[2], const figure *f, size_t end)
{
    enum {
        AFTER_MAX = 4
    };
    size_t last = f->side.to + AFTER_MAX < end ? f->side.to + AFTER_MAX : end;
    size_t word = word_within(c, how == POINTS ? RK_WORDS_POINTS : RK_WORDS_CHANGE, f->side.to, last);
    bool to = rk_audit_says(c->a, RK_WORDS_CHANGE_TO, of[0].side.to, of[1].side.from), open = false;

    if (word == last || (word + 1 < end && c->t[word + 1].kind == RK_TOKEN_WORD))
        return false;
    /* "BERT (340M) → DistilBERT (66M, 6x faster)": neither figure is how fast it is. */
    if (rk_audit_says(c->a, RK_WORDS_SPEED, f->side.to, last) && !of[0].side.timed && !of[0].side.rate)
        return false;

    for (size_t i = of[0].side.to; i < of[1].side.from; i++)
        to |= c->t[i].kind == RK_TOKEN_EQUALS && c->t[i].op == '>';
    for (size_t i = of[1].side.to; i < f->side.from; i++)
        open |= c->t[i].kind == RK_TOKEN_OPEN || c->t[i].kind == RK_TOKEN_COMMA;
    return to && open && f->side.from - of[1].side.to <= AFTER_MAX;
}

static void put(const changer *c, const figure of[2], const figure *f, rk_claim_status is, double found)
{
    const double parts = 1e9;
    rk_side *s = RK_NEW(&c->a->arena, rk_side);
    rk_ex value = rk_ex_ratio(c->a->pool, (rk_i128)llround(found * parts), (rk_i128)parts);
    rk_claim *claim = s ? rk_audit_claim(c->a, RK_CLAIM_SHARE, is, f->side.from, f->side.to) : NULL;

    if (!claim)
        return;
    *s = f->side;
    rk_audit_fill(c->a, claim, s, s->value, value);
    claim->found = rk_audit_value(c->a, value, &s->literal, s);
    claim->note = rk_arena_format(&c->a->arena, "from %s to %s", rk_audit_quote(c->a, of[0].side.from, of[0].side.to),
                                  rk_audit_quote(c->a, of[1].side.from, of[1].side.to));
}

/*
 * Right where it is the change in any way that people mean it.  Wrong only where one figure leads to the other, and the
 * nearest way is not far from what is said: else it may be of something else.
 */
static void judge(const changer *c, form how, const figure of[2], const figure *f, bool leading)
{
    const double near[] = {[POINTS] = 10, [PERCENT] = 0.15, [TIMES] = 0.5};     /* points; parts; of itself */
    const double sure[] = {[POINTS] = 0.15, [PERCENT] = 0.015, [TIMES] = 0.05}; /* no rounding makes so much */
    double way[4], x = of[0].value, y = of[1].value, best = HUGE_VAL, found = 0, loose;
    size_t n = ways_of(how, x, y, way);

    for (size_t i = 0; i < n; i++) {
        loose = how == POINTS ? 100 * (of[0].slack + of[1].slack) : way[i] * (of[0].slack / x + of[1].slack / y);
        if (how == PERCENT && i < 2) /* a difference */
            loose = (of[0].slack + of[1].slack) * (1 + y / x) / x;
        if (fabs(f->value - way[i]) <= loose + f->side.literal.unit * (f->side.literal.about ? 1.5 : 0.75) + 1e-9) {
            put(c, of, f, RK_CLAIM_RIGHT, f->value);
            return;
        }
        if (fabs(f->value - way[i]) - loose < best) {
            best = fabs(f->value - way[i]) - loose;
            found = way[i];
        }
    }
    best = how == TIMES ? best / f->value : best;
    if (leading && best <= near[how] && best > sure[how] + (how == PERCENT ? f->slack : 0))
        put(c, of, f, f->side.literal.about ? RK_CLAIM_DOUBTFUL : RK_CLAIM_WRONG, found);
}

static void judge_at(const changer *c, size_t piece, size_t i)
{
    size_t first = c->a->lexed.first[piece], end = c->a->lexed.first[piece + 1];
    bool cell = c->a->scan.piece.at[piece].kind == RK_PIECE_CELL;
    figure f, of[2];
    form how;

    if (c->stated[i] || !read_figure(c, i, first, end, &f) || !read_form(c, &f, first, end, &how))
        return;
    if (how == POINTS && f.side.unit) /* "17.6 % points" */
        f.value *= 100;
    if (read_before(c, how, first, i, of))
        judge(c, how, of, &f, leads(c, how, of, &f, end));
    else if (cell && read_cells_before(c, how, piece, of))
        judge(c, how, of, &f, false);
}

/* ---- which one is larger ----------------------------------------------------------------------------------------- */

/* "40.96 GB > 47.6 GB": nothing else stands between; ">80 GB" alone says "more than". */
static bool is_greater_sign(const changer *c, size_t from, size_t to)
{
    return to == from + 1 && c->t[from].n == 1 && c->a->scan.text[c->t[from].at] == '>' && c->t[from].space &&
           c->t[to].space;
}

/* Words between two figures that say that the first one is the larger, and nothing that takes it back. */
static bool says_larger(const changer *c, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (c->t[i].kind != RK_TOKEN_WORD && c->t[i].kind != RK_TOKEN_SYMBOL &&
            !(c->t[i].kind == RK_TOKEN_COMMA && i + 1 < to && is_word(c, RK_WORDS_EXCEEDS, i + 1)) &&
            !(c->t[i].kind == RK_TOKEN_EQUALS && c->t[i].op == '>'))
            return false;
    return rk_audit_says(c->a, RK_WORDS_EXCEEDS, from, to) && !rk_audit_says(c->a, RK_WORDS_NEGATED, from, to);
}

/* "38.6 GB, exceeding the A100's 40 GB": bytes that are called more than others, and are less. */
static void judge_order(const changer *c, size_t piece, size_t i)
{
    enum {
        BETWEEN_MAX = 9
    };
    const double less = 0.98;
    size_t first = c->a->lexed.first[piece], end = c->a->lexed.first[piece + 1], from = i;
    figure f, g;
    rk_side *stated;
    rk_claim *claim;

    if (c->stated[i] || !read_figure(c, i, first, end, &g) || !g.side.unit || g.side.unit->kind != RK_WORD_UNIT_BYTES ||
        g.side.rate)
        return;
    while (from > first && i - from < BETWEEN_MAX && c->t[from - 1].kind != RK_TOKEN_NUMBER)
        from--;
    if (from == first || !read_figure(c, from - 1, first, i, &f) || !f.side.unit ||
        f.side.unit->kind != RK_WORD_UNIT_BYTES || f.side.rate || f.side.per || g.side.per ||
        (from >= first + 2 && c->t[from - 2].kind == RK_TOKEN_SIGN) ||
        !(is_greater_sign(c, f.side.to, i) || says_larger(c, f.side.to, i)) || f.value >= less * g.value)
        return;
    stated = RK_NEW(&c->a->arena, rk_side);
    claim = stated ? rk_audit_claim(c->a, RK_CLAIM_EQUATION, RK_CLAIM_WRONG, f.side.from, g.side.to) : NULL;
    if (!claim)
        return;
    *stated = f.side;
    rk_audit_fill(c->a, claim, stated, f.side.value, g.side.value);
    claim->found = rk_arena_format(&c->a->arena, "less than %s", rk_audit_quote(c->a, g.side.from, g.side.to));
}

int rk_judge_changes(rk_audit *a, rk_err *err)
{
    changer c = {.a = a, .t = a->lexed.token.at, .stated = RK_NEW_ARRAY(&a->arena, a->lexed.token.n + 1, bool)};

    if (!c.stated)
        return rk_fail_memory(err);
    for (size_t i = 0; i < a->claim.n; i++)
        for (size_t k = a->claim.at[i].side ? a->claim.at[i].side->from : 0;
             a->claim.at[i].side && k < a->claim.at[i].side->to; k++)
            c.stated[k] = true;
    for (size_t piece = 0; piece < a->scan.piece.n && !a->arena.failed; piece++)
        for (size_t i = a->lexed.first[piece]; i < a->lexed.first[piece + 1] && !a->scan.piece.at[piece].program; i++)
            if (c.t[i].kind == RK_TOKEN_NUMBER) {
                judge_at(&c, piece, i);
                judge_order(&c, piece, i);
            }
    return a->arena.failed ? rk_fail_memory(err) : RK_OK;
}
