/* SPDX-License-Identifier: MIT */
#include "audit/chain.h"

#include <math.h>
#include <string.h>

typedef struct finder {
    rk_arena *arena;
    const rk_reader *r;
    rk_chains *out;
    const rk_audit_token *token;
    size_t piece, first, end;
} finder;

/* ---- letters that are symbols ----------------------------------------------------------------------------------- */

/* The T of `2T²d` and `2T*d`, not the M of `4M + 8.25M`, nor the B of `175B × 4`: something is multiplied with it. */
static bool is_factor(const rk_reader *r, size_t i)
{
    const rk_audit_token *next = i + 1 < r->lexed->token.n ? &r->lexed->token.at[i + 1] : NULL;

    return next && !next->space &&
           ((next->kind == RK_TOKEN_SIGN && strchr("^*/", next->op)) || next->kind == RK_TOKEN_SYMBOL ||
            next->kind == RK_TOKEN_OPEN);
}

/* A letter alone in a formula or in code, or beside a sign, is a symbol wherever it occurs. */
static void learn_letters(rk_reader *r)
{
    const rk_audit_token *t = r->lexed->token.at;

    for (size_t i = 0; i < r->lexed->token.n; i++) {
        unsigned char c = (unsigned char)r->text[t[i].at];
        bool beside =
            (i > 0 && t[i - 1].kind == RK_TOKEN_SIGN) ||
            (i + 1 < r->lexed->token.n && (t[i + 1].kind == RK_TOKEN_SIGN || t[i + 1].kind == RK_TOKEN_EQUALS));

        /* "294 M + 148 M" says nothing of an M, nor "2.7M tokens/s" of an s. */
        if (i > 0 && t[i - 1].kind == RK_TOKEN_NUMBER && strchr(t[i].mode == RK_MODE_MATH ? "KMGB" : "kKMGBTshx", c) &&
            !(t[i].mode != RK_MODE_PLAIN && is_factor(r, i)))
            continue;
        if (i > 1 && t[i - 1].kind == RK_TOKEN_SIGN && t[i - 1].op == '/' && t[i - 2].kind == RK_TOKEN_WORD)
            continue;
        if (t[i].kind == RK_TOKEN_SYMBOL && t[i].n == 1 && c < 128 && (t[i].mode != RK_MODE_PLAIN || beside))
            r->known[c] = true;
    }
}

/* ---- where a side may begin ------------------------------------------------------------------------------------- */

static bool is_start(const finder *f, size_t i)
{
    const rk_audit_token *t = &f->token[i], *before = i > f->first ? &f->token[i - 1] : NULL;

    if (t->kind != RK_TOKEN_NUMBER && t->kind != RK_TOKEN_SYMBOL && t->kind != RK_TOKEN_OPEN &&
        t->kind != RK_TOKEN_WORD && !(t->kind == RK_TOKEN_SIGN && t->op == '-'))
        return false;
    if (!before)
        return true;
    switch (before->kind) {
    case RK_TOKEN_WORD: /* f(…) is a function, and β1 a name */
        if (t->kind == RK_TOKEN_NUMBER && !t->space && (unsigned char)f->r->text[t->at - 1] >= 0x80 &&
            (unsigned char)f->r->text[before->at] < 0xE0)
            return false;
        return t->kind != RK_TOKEN_OPEN || t->space;
    case RK_TOKEN_NUMBER:
    case RK_TOKEN_SYMBOL:
        if (before->kind == RK_TOKEN_SYMBOL && t->kind == RK_TOKEN_NUMBER && t->mode == RK_MODE_PLAIN && t->space)
            /* "q 4096 × 4096 = …", not "n_layer 2 d_model" */
            return i + 1 >= f->end || t[1].kind != RK_TOKEN_SYMBOL || !t[1].space;
        return t->space && t->span != before->span;
    case RK_TOKEN_CLOSE:
        return t->space;
    case RK_TOKEN_SIGN:
    case RK_TOKEN_JUNK:
        return false;
    default:
        return true;
    }
}

/* ---- chains ----------------------------------------------------------------------------------------------------- */

static void put_side(finder *f, const rk_side *s, bool about)
{
    rk_side *kept = RK_PUSH(f->arena, &f->out->side);

    if (kept) {
        *kept = *s;
        kept->about = about;
        f->out->chain.at[f->out->chain.n - 1].n++;
    }
}

bool rk_side_same_digits(const rk_reader *r, const rk_side *x, const rk_side *y)
{
    enum {
        DIGITS_LEAST = 100
    };
    const rk_audit_token *s = &r->lexed->token.at[x->from], *t = &r->lexed->token.at[y->from];
    const rk_written *n = r->lexed->number.at;

    return s->kind == RK_TOKEN_NUMBER && t->kind == RK_TOKEN_NUMBER && x->unit && y->unit && x->unit != y->unit &&
           n[s->id].digits == n[t->id].digits && n[s->id].exponent == n[t->id].exponent && !n[s->id].wide &&
           n[s->id].digits >= DIGITS_LEAST && x->to <= x->from + 2 && y->to <= y->from + 2;
}

bool rk_side_same_kind(const rk_reader *r, const rk_side *x, const rk_side *y)
{
    const double count_least = 1e6;
    rk_word_unit_kind kind = x->unit ? x->unit->kind : RK_WORD_UNIT_NONE;
    double size;

    if (!x->literal.is || !y->literal.is || !y->unit || x->unit == y->unit || x->rate || y->rate || x->per || y->per)
        return false;
    if (kind == RK_WORD_UNIT_TIME || kind == RK_WORD_UNIT_BYTES || kind == RK_WORD_UNIT_FLOPS)
        return y->unit->kind == kind;
    return !x->unit && y->unit->kind == RK_WORD_UNIT_SCALE && y->literal.rounded &&
           rk_side_double(r->pool, x->value, &size) && size >= count_least;
}

/* "(19B)" is a number, also in a text that has a B of its own. */
static bool read_figure(const finder *f, size_t i, rk_side *out)
{
    return (rk_side_read(f->r, i, f->end, (rk_side_reading){0}, out) && out->literal.is) ||
           (rk_side_read(f->r, i, f->end, (rk_side_reading){.letters = RK_READ_SCALES}, out) && out->literal.is);
}

static bool is_word(const finder *f, rk_words use, size_t i)
{
    return f->token[i].kind == RK_TOKEN_WORD &&
           rk_lexicon_is(f->r->lexed->lexicon, use, f->r->text + f->token[i].at, f->token[i].n);
}

/*
 * The "params" of "4,194,304 params (~4M)", the share of "18.79B  0.8 %  (18,790,481,920)": where what stands behind a
 * number and what it counts begins.
 */
static size_t after_things(const finder *f, const rk_side *s)
{
    enum {
        THINGS_MAX = 2
    };
    size_t i = s->to;
    rk_side share;

    if (s->literal.is && i + 2 < f->end && f->token[i].kind == RK_TOKEN_NUMBER && f->token[i].space &&
        rk_side_read_number(f->r, i, i + 2, &share) && share.unit && share.unit->kind == RK_WORD_UNIT_SHARE &&
        f->token[share.to].kind == RK_TOKEN_OPEN)
        return share.to;
    while (s->literal.is && !s->unit && i < f->end && i < s->to + THINGS_MAX && is_word(f, RK_WORDS_THING, i))
        i++;
    return i < f->end && f->token[i].kind == RK_TOKEN_OPEN ? i : s->to;
}

/* The "per token" of "131,072 bytes (about 128 KB per token)": where words for what it is of end. */
static size_t after_label(const finder *f, const rk_side *s)
{
    enum {
        WORDS_MAX = 4
    };
    size_t i = s->to;

    while (s->unit && i < f->end && i < s->to + WORDS_MAX && f->token[i].kind == RK_TOKEN_WORD)
        i++;
    return i;
}

/*
 * "4,513,336,524,800 (or ≈ 4.51 TFLOPs)", "8,508,230,400 bytes, i.e. 8.51 GB or 7.92 GiB": the same again, in brackets
 * or after words that say so.  Only what is about the same is meant so.  Returns where to go on.
 */
static size_t put_again(finder *f, rk_side s)
{
    const double near = 0.12, count_least = 1e5;

    for (;;) {
        size_t i = after_things(f, &s), from = i, words = 0;
        double x, y;
        rk_side again;
        bool bracket = i < f->end && f->token[i].kind == RK_TOKEN_OPEN && f->token[i].op != '{';

        if (s.n_symbol > 0 || s.value == RK_EX_FAILED)
            return s.to;
        for (i += bracket; i < f->end && i < from + 8; i++) {
            const rk_audit_token *t = &f->token[i];
            bool stop = t->kind == RK_TOKEN_BREAK && t->op == '\n';

            if (stop || (t->kind != RK_TOKEN_COMMA && t->kind != RK_TOKEN_BREAK && t->kind != RK_TOKEN_WORD &&
                         t->kind != RK_TOKEN_SYMBOL))
                break;
            if ((t->kind == RK_TOKEN_WORD || t->kind == RK_TOKEN_SYMBOL) &&
                !rk_lexicon_is(f->r->lexed->lexicon, RK_WORDS_AGAIN, f->r->text + t->at, t->n))
                return s.to;
            words += t->kind == RK_TOKEN_WORD || t->kind == RK_TOKEN_SYMBOL;
        }
        if (i >= f->end || f->token[i].kind != RK_TOKEN_NUMBER || (!bracket && words == 0) ||
            !read_figure(f, i, &again) || (bracket && (again.to = after_label(f, &again)) >= f->end) ||
            (bracket && f->token[again.to].kind != RK_TOKEN_CLOSE) ||
            (again.unit && again.unit->kind == RK_WORD_UNIT_SHARE) || !rk_side_double(f->r->pool, s.value, &x) ||
            !rk_side_double(f->r->pool, again.value, &y) || x <= 0 || y <= 0)
            return s.to;
        /* Of other sizes it is another thing; with neither unit nor digits of its own, any number will do. */
        if ((fabs(x / y - 1) > near &&
             !(bracket && s.literal.is &&
               (rk_side_same_digits(f->r, &s, &again) || rk_side_same_kind(f->r, &s, &again)))) ||
            (!again.unit && !again.literal.rounded && !f->token[i].about && y < count_least))
            return s.to;
        if (again.to + bracket < f->end && f->token[again.to + bracket].kind == RK_TOKEN_EQUALS)
            return s.to; /* it begins a chain of its own */
        again.again = true;
        put_side(f, &again, true);
        again.to += bracket;
        s = again;
    }
}

/*
 * "2 × 7 billion bytes are about 14 GB": words that say "is" between something computed and a figure.  Returns the
 * token of the figure; 0: there are none.
 */
static size_t after_is(const finder *f, const rk_side *s)
{
    enum {
        WORDS_MAX = 4
    };
    size_t i = s->to;

    if (!s->computed || s->shape)
        return 0;
    while (i < f->end && i < s->to + WORDS_MAX && f->token[i].kind == RK_TOKEN_WORD &&
           rk_lexicon_is(f->r->lexed->lexicon, RK_WORDS_IS, f->r->text + f->token[i].at, f->token[i].n))
        i++;
    return i > s->to && i < f->end && f->token[i].kind == RK_TOKEN_NUMBER ? i : 0;
}

/* "(6N rule: 6 × 1.5B × 1,024 tokens)": a few words and a colon may stand before what is in brackets. */
static size_t after_title(const finder *f, size_t i)
{
    enum {
        TITLE_MAX = 5
    };

    for (size_t k = i; k < f->end && k < i + TITLE_MAX; k++) {
        if (f->token[k].kind == RK_TOKEN_BREAK && f->token[k].op == ':' && k > i)
            return k + 1;
        if (f->token[k].kind != RK_TOKEN_WORD && f->token[k].kind != RK_TOKEN_SYMBOL &&
            f->token[k].kind != RK_TOKEN_NUMBER)
            break;
    }
    return i;
}

/* A figure, and what it was computed from in brackets after it: "4.2B parameters (60 layers × 70M)". */
static size_t put_origin(finder *f, const rk_side *s)
{
    enum {
        WORDS_MAX = 3
    };
    size_t i = s->to;
    rk_side origin;

    while (i < f->end && i < s->to + WORDS_MAX && f->token[i].kind == RK_TOKEN_WORD)
        i++;
    if (!s->literal.is || i + 1 >= f->end || f->token[i].kind != RK_TOKEN_OPEN || f->token[i].op != '(' ||
        f->token[i + 1].kind == RK_TOKEN_OPEN)
        return s->to;
    i = after_title(f, i + (f->token[i + 1].kind == RK_TOKEN_EQUALS ? 2 : 1));
    if (!rk_side_read(f->r, i, f->end, (rk_side_reading){0}, &origin) || !origin.computed || origin.shape ||
        !origin.digits)
        return s->to;
    for (i = origin.to; i < f->end && i < origin.to + WORDS_MAX && f->token[i].kind == RK_TOKEN_WORD;)
        i++; /* "6 × 1.5B × 1,024 tokens" */
    if (i >= f->end || f->token[i].kind != RK_TOKEN_CLOSE)
        return s->to;
    origin.again = true;
    origin.to = i;
    put_side(f, &origin, s->literal.about);
    return i + 1;
}

/* The result that a program's remark gives: "w = 7e9 * 2  # 14 GB", and "# ≈ 14 GB" on a line of its own below it. */
static void put_remark(finder *f, const rk_side *s)
{
    size_t i = s->to;
    bool below = i + 2 < f->end && f->token[i].kind == RK_TOKEN_BREAK && f->token[i].op == '\n' &&
                 (f->token[i + 2].kind == RK_TOKEN_EQUALS || f->token[i + 2].about);
    const double hundredth = 0.01;
    bool related;
    rk_side result;
    double x, y;

    i += below;
    if (i + 1 < f->end && f->token[i].kind == RK_TOKEN_COMMA && f->token[i + 1].kind == RK_TOKEN_BREAK)
        i++; /* "cache = 2 * 3,  # 6 GB" */
    if (i + 1 >= f->end || f->token[i].mode != RK_MODE_CODE || f->token[i].kind != RK_TOKEN_BREAK || !s->computed ||
        (f->r->text[f->token[i].at] != '#' && f->r->text[f->token[i].at] != '/'))
        return;
    related = f->token[i + 1].kind == RK_TOKEN_EQUALS || f->token[i + 1].about;
    i += f->token[i + 1].kind == RK_TOKEN_EQUALS ? 2 : 1;
    if (i >= f->end || f->token[i].kind != RK_TOKEN_NUMBER ||
        !rk_side_read(f->r, i, f->end, (rk_side_reading){0}, &result) || !result.literal.is)
        return;
    /* A number alone may be of something else, and one that is about right is. */
    result.again = !related || (rk_side_double(f->r->pool, s->value, &x) &&
                                rk_side_double(f->r->pool, result.value, &y) && fabs(y / x - 1) < hundredth);
    put_side(f, &result, true);
}

/*
 * "= total 864 GB", "= 合计 864 GB", "-> approx 64 days": where the side after a relation begins, after words that say
 * what it is, or how exactly.
 */
static size_t after_words(const finder *f, size_t i, bool *about)
{
    enum {
        WORDS_MAX = 3
    };
    size_t at = i;
    bool says_about = false;

    while (at < f->end && at < i + WORDS_MAX && (is_word(f, RK_WORDS_TOTAL, at) || is_word(f, RK_WORDS_ABOUT, at)))
        says_about |= is_word(f, RK_WORDS_ABOUT, at++);
    at += at > i && at < f->end && f->token[at].kind == RK_TOKEN_BREAK && f->token[at].op == ':';
    if (at == i || at >= f->end || f->token[at].kind != RK_TOKEN_NUMBER)
        return i;
    *about |= says_about;
    return at;
}

/* "23 GB = weights 14 GB + cache 8 GB": the first term of a sum has its name before it, as the others have. */
static bool read_named_sum(const finder *f, size_t i, rk_side *out)
{
    enum {
        WORDS_MAX = 5
    };
    size_t at = i;

    while (at < f->end && at < i + WORDS_MAX && f->token[at].kind == RK_TOKEN_WORD)
        at++;
    if (at == i || at >= f->end || f->token[at].kind != RK_TOKEN_NUMBER ||
        !rk_side_read_number(f->r, at, f->end, out) || !out->unit || out->to + 1 >= f->end ||
        f->token[out->to].kind != RK_TOKEN_SIGN || f->token[out->to].op != '+' ||
        f->token[out->to + 1].kind != RK_TOKEN_WORD)
        return false;
    return rk_side_read(f->r, at, f->end, (rk_side_reading){0}, out) && out->computed && out->n_symbol == 0;
}

/* A chain from token i on; returns where to go on. */
static size_t put_chain(finder *f, size_t i, rk_side s)
{
    rk_chain *c = RK_PUSH(f->arena, &f->out->chain);
    size_t said;
    rk_side next;

    if (!c)
        return f->end;
    *c = (rk_chain){.piece = f->piece, .first = f->out->side.n};
    put_side(f, &s, false);
    while (s.to < f->end && f->token[s.to].kind == RK_TOKEN_EQUALS) {
        const rk_audit_token *relation = &f->token[s.to];
        const rk_audit_token *before = s.from > f->first ? &f->token[s.from - 1] : NULL;
        /* A relation at the begin of a line has the whole line before it on its left, or nothing that is understood. */
        bool joins = !relation->first || !before || before->kind == RK_TOKEN_BREAK || before->kind == RK_TOKEN_EQUALS ||
                     f->token[s.from].about; /* "Time ≈ …": the sign before it is gone */
        bool about = relation->about;

        /* "…/scalefac=0.35", "min=12.5": a key and its value. */
        if (!relation->space && !relation->about && relation->mode != RK_MODE_MATH &&
            f->token[s.to - 1].kind == RK_TOKEN_WORD && s.to - 1 > s.from &&
            (unsigned char)f->r->text[f->token[s.to - 1].at] < 0x80 &&
            !rk_lexicon_unit(f->r->lexed->lexicon, f->r->text + f->token[s.to - 1].at, f->token[s.to - 1].n) &&
            !(s.computed && is_word(f, RK_WORDS_THING, s.to - 1))) /* "2 bytes/parameter=14 GB" is none */
            return s.to + 1;
        if (!joins || (!rk_side_read(f->r, after_words(f, s.to + 1, &about), f->end, (rk_side_reading){0}, &next) &&
                       !(s.literal.is && read_named_sum(f, s.to + 1, &next))))
            return s.to + 1;
        if (relation->op == '>' && (!next.literal.is || !s.computed))
            return s.to + 1;
        next.arrow = relation->op == '>';
        put_side(f, &next, about);
        s = next;
    }
    if ((said = after_is(f, &s)) > 0 && rk_side_read(f->r, said, f->end, (rk_side_reading){0}, &next) &&
        next.literal.is) {
        next.arrow = true;
        put_side(f, &next, true);
        s = next;
    }
    put_remark(f, &s);
    s.to = c->n == 1 ? put_origin(f, &s) : put_again(f, s);
    if (c->n == 1)
        s.to = put_again(f, s);
    return s.to > i ? s.to : i + 1;
}

/* "28B" alone in a cell of a table is a number, also in a text that has a B of its own. */
static bool read_first(const finder *f, size_t i, bool cell, rk_side *out)
{
    rk_side scaled;

    if (!rk_side_read(f->r, i, f->end, (rk_side_reading){0}, out))
        return false;
    cell &= i == f->first || (i == f->first + 1 && f->token[f->first].kind == RK_TOKEN_EQUALS); /* "≈ 176 M" */
    if (cell && rk_side_read(f->r, i, f->end, (rk_side_reading){.letters = RK_READ_SCALES}, &scaled) &&
        scaled.literal.is && scaled.to >= out->to)
        *out = scaled;
    return true;
}

int rk_chains_find(rk_arena *a, const rk_scan *s, rk_reader *r, rk_chains *out, rk_err *err)
{
    finder f = {.arena = a, .r = r, .out = out, .token = r->lexed->token.at};

    *out = (rk_chains){.first = RK_NEW_ARRAY(a, s->piece.n + 1, size_t)};
    out->budget = RK_CHAIN_BUDGET_PER_TOKEN * (r->lexed->token.n + 100);
    r->budget = &out->budget;
    learn_letters(r);
    for (f.piece = 0; f.piece < s->piece.n && !a->failed; f.piece++) {
        rk_side side;

        out->first[f.piece] = out->chain.n;
        f.first = r->lexed->first[f.piece];
        f.end = r->lexed->first[f.piece + 1];
        for (size_t i = f.first; i < f.end && !a->failed;)
            if (is_start(&f, i) && read_first(&f, i, s->piece.at[f.piece].kind == RK_PIECE_CELL, &side))
                i = put_chain(&f, i, side);
            else
                i++;
        if (out->budget == 0)
            out->first_unread = out->n_unread++ ? out->first_unread : f.piece;
    }
    if (a->failed)
        return rk_fail_memory(err);
    out->first[s->piece.n] = out->chain.n;
    return RK_OK;
}
