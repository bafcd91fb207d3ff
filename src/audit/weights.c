/* SPDX-License-Identifier: MIT */
#include "audit/weights.h"

#include <math.h>
#include <stdlib.h>

/* "70B" of a text: so many parameters, if nothing says otherwise. */
typedef struct count {
    size_t token, n; /* so many tokens */
    double value;
} count;

/* A cell of a table that is right as the bytes of a count, or that is not. */
typedef struct cell {
    size_t piece;
    const rk_side *side;
    const count *of; /* NULL: it is not */
} cell;

typedef struct weigher {
    rk_audit *a;
    bool *claimed; /* per token: a claim is about it */
    RK_VEC(count) count;
    RK_VEC(cell) cell;
} weigher;

/* ---- numbers of parameters --------------------------------------------------------------------------------------- */

static const char *text_of(const weigher *w, size_t token)
{
    return w->a->scan.text + w->a->lexed.token.at[token].at;
}

/* "7B", "1.5 billion", "700M": a number and its scale, and after it no unit and nothing that is counted. */
static bool read_count(const weigher *w, size_t i, size_t end, double *out)
{
    const double least = 5e7, most = 5e12;
    const rk_audit_token *t = w->a->lexed.token.at;
    const rk_written *n = &w->a->lexed.number.at[t[i].id];
    const rk_word_unit *u;

    if (i + 1 >= end || n->wide || (t[i + 1].kind != RK_TOKEN_WORD && t[i + 1].kind != RK_TOKEN_SYMBOL))
        return false;
    u = rk_lexicon_unit(w->a->lexicon, text_of(w, i + 1), t[i + 1].n);
    if (!u || (!u->letter && u->kind != RK_WORD_UNIT_SCALE) || (u->letter && t[i + 1].space))
        return false;
    *out = rk_written_value(n) * (u->power > 0 ? pow(1000, u->power) : (double)u->num / (double)u->den);
    if (*out < least || *out > most)
        return false;
    if (i + 2 < end && t[i + 2].kind == RK_TOKEN_SIGN)
        return t[i + 2].op == '-' || t[i + 2].op == '*';
    return i + 2 >= end || (t[i + 2].kind != RK_TOKEN_WORD && t[i + 2].kind != RK_TOKEN_SYMBOL) ||
           (!rk_lexicon_unit(w->a->lexicon, text_of(w, i + 2), t[i + 2].n) &&
            !rk_lexicon_is(w->a->lexicon, RK_WORDS_COUNTED, text_of(w, i + 2), t[i + 2].n));
}

/* The 70B of "Llama-3-70B": the end of a name. */
static bool read_name(const weigher *w, size_t i, double *out)
{
    const rk_audit_token *t = &w->a->lexed.token.at[i];
    const char *text = text_of(w, i);
    size_t n = t->n, digits = 0;

    if (t->kind != RK_TOKEN_WORD || n < 4 || (text[n - 1] | 0x20) != 'b')
        return false;
    while (digits + 1 < n && ((text[n - 2 - digits] >= '0' && text[n - 2 - digits] <= '9') ||
                              (digits > 0 && text[n - 2 - digits] == '.')))
        digits++;
    if (digits == 0 || digits > 5 || digits + 1 >= n ||
        (text[n - 2 - digits] != '-' && !rk_lexicon_is_letter(text[n - 2 - digits])))
        return false;
    *out = strtod(text + n - 1 - digits, NULL) * 1e9;
    return *out > 0;
}

static void find_counts(weigher *w)
{
    const rk_audit_token *t = w->a->lexed.token.at;

    for (size_t p = 0; p < w->a->scan.piece.n && !w->a->arena.failed; p++)
        for (size_t i = w->a->lexed.first[p]; i < w->a->lexed.first[p + 1]; i++) {
            double value;
            bool name = read_name(w, i, &value);
            count *c = name || (t[i].kind == RK_TOKEN_NUMBER && read_count(w, i, w->a->lexed.first[p + 1], &value))
                           ? RK_PUSH(&w->a->arena, &w->count)
                           : NULL;

            if (c)
                *c = (count){i, name ? 1 : 2, value};
        }
}

/* ---- one figure -------------------------------------------------------------------------------------------------- */

enum {
    AROUND_MAX = 200, /* tokens of a row or a sentence before a figure, and after it */
    BACK_MAX = 400    /* tokens between a count and the row or the sentence of the figure */
};

typedef struct range {
    size_t from, to; /* tokens */
} range;

/* The row of a table, or the sentence, in which a figure stands. */
static range surroundings(const weigher *w, const rk_side *s, size_t piece)
{
    const rk_piece *p = w->a->scan.piece.at;
    const rk_audit_token *t = w->a->lexed.token.at;
    const char *text = w->a->scan.text;
    size_t first = piece, last = piece;
    range r;

    if (p[piece].kind == RK_PIECE_CELL) {
        while (first > 0 && p[first - 1].kind == RK_PIECE_CELL && p[first - 1].table == p[piece].table &&
               p[first - 1].row == p[piece].row)
            first--;
        while (last + 1 < w->a->scan.piece.n && p[last + 1].kind == RK_PIECE_CELL &&
               p[last + 1].table == p[piece].table && p[last + 1].row == p[piece].row)
            last++;
        r = (range){w->a->lexed.first[first], w->a->lexed.first[last + 1]};
        r.from = r.from + AROUND_MAX < s->from ? s->from - AROUND_MAX : r.from;
        r.to = r.to > s->to + AROUND_MAX ? s->to + AROUND_MAX : r.to;
        return r;
    }
    r = (range){s->from, s->to};
    while (r.from > w->a->lexed.first[piece] && s->from - r.from < AROUND_MAX &&
           !(t[r.from - 1].kind == RK_TOKEN_BREAK && (t[r.from - 1].op == '\n' || text[t[r.from - 1].at] == '.')))
        r.from--;
    while (r.to < w->a->lexed.first[piece + 1] && r.to - s->to < AROUND_MAX &&
           !(t[r.to].kind == RK_TOKEN_BREAK && (t[r.to].op == '\n' || text[t[r.to].at] == '.')))
        r.to++;
    return r;
}

enum {
    TYPES_MAX = 6
};

/* A type of numbers that is named near a figure. */
typedef struct number_type {
    const rk_lexeme *word;
    size_t at, far;
} number_type;

/* Puts a type among those before it, the nearest first; the farthest of too many is left out. */
static void put_type(number_type out[TYPES_MAX], size_t *n, number_type now)
{
    size_t k = *n < TYPES_MAX ? (*n)++ : TYPES_MAX;

    if (k == TYPES_MAX && out[--k].far <= now.far)
        return;
    for (; k > 0 && out[k - 1].far > now.far; k--)
        out[k] = out[k - 1];
    out[k] = now;
}

/* The types that are named in a range, the nearest to a figure first; how many. */
static size_t find_types(const weigher *w, range r, const rk_side *s, number_type out[TYPES_MAX])
{
    const rk_audit_token *t = w->a->lexed.token.at;
    size_t n = 0;

    for (size_t i = r.from; i < r.to; i++) {
        const rk_lexeme *word = t[i].kind == RK_TOKEN_WORD || t[i].kind == RK_TOKEN_SYMBOL
                                    ? rk_lexicon_is(w->a->lexicon, RK_WORDS_BITS_EACH, text_of(w, i), t[i].n)
                                    : NULL;
        number_type now = {word, i, i < s->from ? s->from - i : i - s->to + 1};

        for (size_t m = i; m < s->from; m++) /* "140 GB in fp16, 70 GB int8" */
            now.far += t[m].kind == RK_TOKEN_COMMA ? 2 : 0;
        if (word)
            put_type(out, &n, now);
    }
    return n;
}

/* Whether a figure is so many bytes, in powers of 1,000 or of 1,024; `times` as many, to see what it is off by. */
static bool is_so_much(const rk_side *s, double said, double bytes, double times)
{
    const double about = 0.015;
    double half = fmax(s->literal.unit / 2, s->about || s->literal.about ? about * said : 0), binary = said;

    if (!s->unit->binary)
        binary = said * pow(1.024, s->unit->power);
    return fabs(said * times - bytes) <= half * times ||
           (s->unit->power > 0 && fabs(binary * times - bytes) <= half * times * binary / said);
}

static double bytes_of(const number_type *x)
{
    const double bits_of_byte = 8;

    return strtod(x->word->value, NULL) / bits_of_byte;
}

static void put(weigher *w, const rk_side *s, const count *of, const number_type *x, rk_claim_status is)
{
    rk_ex found = rk_ex_int(w->a->pool, (rk_i128)llround(of->value * bytes_of(x)));
    rk_claim *c = rk_audit_claim(w->a, RK_CLAIM_EQUATION, is, s->from, s->to);

    if (!c)
        return;
    rk_audit_fill(w->a, c, s, s->value, is == RK_CLAIM_RIGHT ? s->value : found);
    c->found = rk_audit_value(w->a, is == RK_CLAIM_RIGHT ? s->value : found, &s->literal, s);
    c->note = rk_arena_format(&w->a->arena, "%s at %g byte%s each (%.*s)",
                              rk_audit_quote(w->a, of->token, of->token + of->n), bytes_of(x),
                              bytes_of(x) == 1 ? "" : "s", (int)w->a->lexed.token.at[x->at].n, text_of(w, x->at));
    for (size_t i = s->from; i < s->to; i++)
        w->claimed[i] = true;
}

/* Words by which a figure is that of one device, or of one of several things; parameters are what is counted. */
static bool is_of_a_part(const weigher *w, range r)
{
    for (size_t i = r.from; i < r.to; i++)
        if (rk_audit_says(w->a, RK_WORDS_APART, i, i + 1) ||
            (rk_audit_says(w->a, RK_WORDS_THING, i, i + 1) && !rk_audit_says(w->a, RK_WORDS_TYPED, i, i + 1)))
            return true;
    return false;
}

/* "35GB INT8", "35 GB (INT8)": the type stands directly beside it. */
static bool is_beside(const weigher *w, const rk_side *s, size_t type)
{
    return type == s->to || type + 1 == s->from ||
           (type == s->to + 1 && w->a->lexed.token.at[s->to].kind == RK_TOKEN_OPEN);
}

/* The first count that stands at a token, or after it. */
static size_t first_after(const weigher *w, size_t token)
{
    size_t low = 0, high = w->count.n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (w->count.at[middle].token < token)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/*
 * "70B … 140 GB uncompressed, 35 GB int8": half of what it would be, or twice, of the only count before it, of which
 * another figure is the bytes, and of a type that stands beside it.
 */
static bool is_half_or_twice(const weigher *w, const rk_side *s, const count *of, const number_type *x)
{
    enum {
        NEAR_MAX = 32
    };
    range between = {of->token, s->to};
    double said;

    return is_beside(w, s, x->at) && s->from - of->token <= NEAR_MAX && !is_of_a_part(w, between) &&
           rk_side_double(w->a->pool, s->value, &said) &&
           (is_so_much(s, said, of->value * bytes_of(x), 2) || is_so_much(s, said, of->value * bytes_of(x), 0.5));
}

/* The head of a cell's column, "Size (70B model)"; nothing elsewhere. */
static range head_of(const weigher *w, size_t piece)
{
    enum {
        BACK_PIECES = 400
    };
    const rk_piece *p = w->a->scan.piece.at;
    size_t first = piece > BACK_PIECES ? piece - BACK_PIECES : 0;

    for (size_t i = piece; i > first && p[piece].kind == RK_PIECE_CELL && p[i - 1].kind == RK_PIECE_CELL &&
                           p[i - 1].table == p[piece].table;
         i--)
        if (p[i - 1].row == 0 && p[i - 1].column == p[piece].column)
            return (range){w->a->lexed.first[i - 1], w->a->lexed.first[i]};
    return (range){0, 0};
}

/*
 * Counts of the sentence, of the row or of the head of the column; else the last one before it in its section.  Of
 * several, that is meant of which it is the bytes.  *seen is a count whose bytes a figure of the piece was.  The count
 * that it is right of; NULL: of none.
 */
static const count *weigh(weigher *w, const rk_side *s, size_t piece, double *seen)
{
    const double plain = 2; /* bytes, where no type is said */
    range r = surroundings(w, s, piece), head;
    number_type types[TYPES_MAX];
    size_t n = find_types(w, r, s, types), n_before = 0;
    const count *before = NULL, *last = NULL; /* in the sentence, and before it */
    double said;

    head = head_of(w, piece);
    n = n > 0 ? n : find_types(w, head, s, types); /* "Params | FP16 | INT8" */
    if (n == 0 || !rk_side_double(w->a->pool, s->value, &said) || said <= 0)
        return NULL;
    n = is_beside(w, s, types[0].at) ? 1 : n;
    for (size_t i = first_after(w, head.from); i < w->count.n && w->count.at[i].token < head.to; i++)
        if (is_so_much(s, said, w->count.at[i].value * bytes_of(&types[0]), 1)) {
            put(w, s, &w->count.at[i], &types[0], RK_CLAIM_RIGHT);
            return &w->count.at[i];
        }
    for (size_t i = first_after(w, r.from > BACK_MAX ? r.from - BACK_MAX : 0);
         i < w->count.n && w->count.at[i].token < r.to; i++) {
        const count *of = &w->count.at[i];

        if (of->token < r.from) {
            last = of;
            continue;
        }
        for (size_t k = 0; k < n; k++)
            if (is_so_much(s, said, of->value * bytes_of(&types[k]), 1)) {
                *seen = of->value;
                put(w, s, of, &types[k], RK_CLAIM_RIGHT);
                return of;
            }
        if (is_so_much(s, said, of->value * plain, 1))
            *seen = of->value;
        n_before += of->token < s->from && (!before || before->value != of->value);
        before = of->token < s->from ? of : before;
    }
    if (last && !before && is_so_much(s, said, last->value * bytes_of(&types[0]), 1)) {
        put(w, s, last, &types[0], RK_CLAIM_RIGHT);
        return last;
    }
    if (before && n_before == 1 && *seen == before->value && is_half_or_twice(w, s, before, &types[0]))
        put(w, s, before, &types[0], RK_CLAIM_WRONG);
    return NULL;
}

/* "7×10⁹ params × 2 bytes (FP16) = 14 GB": a count of the sentence whose bytes a figure is that was judged before. */
static void note_seen(const weigher *w, const rk_side *s, size_t piece, double *seen)
{
    range r = surroundings(w, s, piece);
    number_type types[TYPES_MAX];
    size_t n = find_types(w, r, s, types);
    double said;

    for (size_t i = first_after(w, r.from);
         rk_side_double(w->a->pool, s->value, &said) && i < w->count.n && w->count.at[i].token < r.to; i++)
        for (size_t k = 0; k < n; k++)
            if (is_so_much(s, said, w->count.at[i].value * bytes_of(&types[k]), 1))
                *seen = w->count.at[i].value;
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

static void put_cell(weigher *w, size_t piece, const rk_side *s, const count *of)
{
    cell *c = w->a->scan.piece.at[piece].kind == RK_PIECE_CELL ? RK_PUSH(&w->a->arena, &w->cell) : NULL;

    if (c)
        *c = (cell){piece, s, of};
}

/*
 * "bf16 | 140 GB", "int8 | 70 GB", "int4 | 45 GB": of a column in which two are the bytes of one count, the only one
 * that is not.  Of a type that its row names, and no more than half as much again, or as little.
 */
static void judge_column(weigher *w, const cell *odd)
{
    enum {
        NEAR_MAX = 64 /* cells before it and after it */
    };
    const double near = 1.5, tenth = 0.1;
    const cell *first = odd - w->cell.at > NEAR_MAX ? odd - NEAR_MAX : w->cell.at, *end = &w->cell.at[w->cell.n];
    const rk_piece *p = w->a->scan.piece.at, *at = &p[odd->piece];
    const count *of = NULL;
    size_t n_right = 0, n_odd = 0;
    number_type types[TYPES_MAX];
    double said, factor;
    bool about;

    end = end - odd > NEAR_MAX ? odd + NEAR_MAX : end;
    for (const cell *c = first; c < end; c++) {
        if (p[c->piece].table != at->table || p[c->piece].column != at->column)
            continue;
        n_odd += !c->of;
        n_right += c->of && (!of || c->of->value == of->value);
        of = c->of ? c->of : of;
    }
    if (n_right < 2 || n_odd != 1 || find_types(w, surroundings(w, odd->side, odd->piece), odd->side, types) != 1 ||
        !rk_side_double(w->a->pool, odd->side->value, &said))
        return;
    factor = said / (of->value * bytes_of(&types[0]));
    about = odd->side->about || odd->side->literal.about;
    if (factor < near && factor > 1 / near && !(about && fabs(factor - 1) < tenth))
        put(w, odd->side, of, &types[0], RK_CLAIM_WRONG);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void mark_claimed(weigher *w)
{
    const rk_audit_token *t = w->a->lexed.token.at;

    for (size_t i = 0; i < w->a->claim.n; i++) {
        const rk_claim *c = &w->a->claim.at[i];
        size_t from = c->side && c->status != RK_CLAIM_UNKNOWN ? c->side->from : w->a->lexed.token.n;

        while (from > 0 && from < w->a->lexed.token.n && t[from - 1].at >= c->at)
            from--;
        for (; from < w->a->lexed.token.n && t[from].at < c->to; from++)
            w->claimed[from] = true;
    }
}

int rk_judge_weights(rk_audit *a, rk_err *err)
{
    weigher w = {.a = a, .claimed = RK_NEW_ARRAY(&a->arena, a->lexed.token.n + 1, bool)};
    const rk_chains *c = &a->chains;
    double seen = 0; /* the count whose bytes were right last, in the same piece */
    size_t piece = SIZE_MAX;

    if (!w.claimed)
        return rk_fail_memory(err);
    mark_claimed(&w);
    find_counts(&w);
    for (size_t i = 0; i < c->chain.n && w.count.n > 0 && !a->arena.failed; i++) {
        const rk_chain *now = &c->chain.at[i];
        const rk_side *s = &c->side.at[now->first];

        seen = now->piece == piece ? seen : 0;
        piece = now->piece;
        if (now->n > 1 && s[now->n - 1].literal.is && s[now->n - 1].unit &&
            s[now->n - 1].unit->kind == RK_WORD_UNIT_BYTES)
            note_seen(&w, &s[now->n - 1], piece, &seen);
        if (now->n == 1 && s->literal.is && !s->range && s->unit && s->unit->kind == RK_WORD_UNIT_BYTES &&
            s->unit->power > 1 && !s->rate && !w.claimed[s->from])
            put_cell(&w, now->piece, s, weigh(&w, s, now->piece, &seen));
    }
    for (size_t i = 0; i < w.cell.n && !a->arena.failed; i++)
        if (!w.cell.at[i].of)
            judge_column(&w, &w.cell.at[i]);
    return a->arena.failed ? rk_fail_memory(err) : RK_OK;
}
