/* SPDX-License-Identifier: MIT */
#include "audit/growth.h"

#include <math.h>
#include <string.h>

enum {
    EACH, /* for each sequence of the batch */
    ONCE,
    LINES_MAX = 14,  /* below it, in which figures are of it */
    GROWTHS_MAX = 64 /* in a text */
};

/* A number of the text; `half` of its last digit. */
typedef struct amount {
    double value, half;
    size_t from, to; /* tokens */
} amount;

typedef struct growth {
    amount of[2];
    size_t from, to; /* tokens */
    size_t line;
    const rk_word_unit *unit; /* of bytes; NULL: none is written */
    double room;              /* that an inequality leaves it; 0: it stands in none */
} growth;

typedef RK_VEC(growth) growths;

typedef struct grower {
    rk_audit *a;
    const rk_audit_token *t;
    const char *text;
    bool *stated;         /* per token: a claim states it */
    RK_VEC(amount) known; /* bytes, and numbers without a unit, that claims say are right */
    RK_VEC(amount) exact; /* numbers of six digits and more that have all of them */
    growths all;
} grower;

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static bool is_name(const grower *g, size_t i)
{
    return g->t[i].kind == RK_TOKEN_SYMBOL || g->t[i].kind == RK_TOKEN_WORD;
}

/* The unit that token i is, of bytes; a B alone is the batch. */
static const rk_word_unit *bytes_at(const grower *g, size_t i, size_t end)
{
    const rk_word_unit *u =
        i < end && is_name(g, i) ? rk_lexicon_unit(g->a->lexicon, g->text + g->t[i].at, g->t[i].n) : NULL;

    return u && u->kind == RK_WORD_UNIT_BYTES && u->word[1] ? u : NULL;
}

/* "B", "batch_size", "\text{batch\_size}", "batch size": how many tokens name the batch; 0: none does. */
static size_t batch_at(const grower *g, size_t i, size_t end)
{
    const char *name;
    size_t n = 1;

    if (i >= end || !is_name(g, i))
        return 0;
    name = g->t[i].kind == RK_TOKEN_SYMBOL ? rk_sym_name(g->a->pool, g->t[i].id) : NULL;
    if (rk_judge_role(g->a, name ? name : g->text + g->t[i].at, name ? strlen(name) : g->t[i].n) != RK_LETTER_BATCH)
        return 0;
    while (i + n < end && g->t[i + n].kind == RK_TOKEN_WORD &&
           rk_lexicon_is(g->a->lexicon, RK_WORDS_SIZED, g->text + g->t[i + n].at, g->t[i + n].n))
        n++;
    return n;
}

/* "15.3", "3.985 × 10^9". */
static amount read_amount(const grower *g, size_t i, size_t end)
{
    const rk_written *w = g->a->lexed.number.at, *of = &w[g->t[i].id];
    amount out = {
        .value = rk_written_value(of), .half = of->decimal ? pow(10, of->exponent) / 2 : 0, .from = i, .to = i + 1};
    size_t e = i + 4;
    bool brace;

    if (e >= end || g->t[i + 1].kind != RK_TOKEN_SIGN || g->t[i + 1].op != '*' || g->t[i + 2].kind != RK_TOKEN_NUMBER ||
        w[g->t[i + 2].id].digits != 10 || g->t[i + 3].kind != RK_TOKEN_SIGN || g->t[i + 3].op != '^')
        return out;
    brace = g->t[e].kind == RK_TOKEN_OPEN;
    e += brace;
    if (e >= end || g->t[e].kind != RK_TOKEN_NUMBER || w[g->t[e].id].wide || w[g->t[e].id].digits > 30)
        return out;
    out.value *= pow(10, (double)w[g->t[e].id].digits);
    out.half *= pow(10, (double)w[g->t[e].id].digits);
    out.to = e + 1 + brace;
    return out;
}

/* "(GB)", "in GB": in the words before it on its line. */
static const rk_word_unit *unit_before(const grower *g, size_t i, size_t first)
{
    size_t line = rk_scan_line(&g->a->scan, g->t[i].at);

    for (; i > first && rk_scan_line(&g->a->scan, g->t[i - 1].at) == line && g->t[i - 1].kind != RK_TOKEN_NUMBER; i--)
        if (bytes_at(g, i - 1, i))
            return bytes_at(g, i - 1, i);
    return NULL;
}

/* Two terms with one sign between them, one of which has the batch in it, from token i on. */
static bool read_growth(const grower *g, size_t i, size_t first, size_t end, growth *out)
{
    enum {
        TOKENS_MAX = 32
    };
    amount term[2] = {{0}};
    bool batch[2] = {false, false}, number[2] = {false, false};
    size_t k = 0, at = i, n;

    *out = (growth){.from = i, .line = rk_scan_line(&g->a->scan, g->t[i].at)};
    for (end = end > i + TOKENS_MAX ? i + TOKENS_MAX : end; at < end;) {
        const rk_audit_token *t = &g->t[at];

        n = 1;
        if (t->kind == RK_TOKEN_NUMBER && !number[k]) {
            term[k] = read_amount(g, at, end);
            number[k] = true;
            n = term[k].to - at;
        } else if (bytes_at(g, at, end) && number[k]) {
            out->unit = bytes_at(g, at, end);
        } else if ((n = batch_at(g, at, end)) > 0 && !batch[k]) {
            batch[k] = true;
        } else if (t->kind == RK_TOKEN_SIGN && t->op == '+' && k == 0 && number[0]) {
            n = 1;
            k = 1;
        } else if ((t->kind == RK_TOKEN_SIGN && t->op == '*') ||
                   ((t->kind == RK_TOKEN_OPEN || t->kind == RK_TOKEN_CLOSE) && at > i)) {
            n = 1;
            at++;
            continue;
        } else {
            break;
        }
        at += n;
        out->to = at;
    }
    if (!number[1] || batch[0] == batch[1] || term[0].value <= 0 || term[1].value <= 0 ||
        (at < end && g->t[at].kind == RK_TOKEN_SIGN && g->t[at].op != '-'))
        return false;
    out->of[EACH] = term[batch[1]];
    out->of[ONCE] = term[batch[0]];
    if (!out->unit)
        out->unit = unit_before(g, i, first);
    return true;
}

static bool is_sign(const grower *g, size_t i, const char *const *signs, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (g->t[i].kind != RK_TOKEN_NUMBER && g->t[i].n == strlen(signs[k]) &&
            memcmp(g->text + g->t[i].at, signs[k], g->t[i].n) == 0)
            return true;
    return false;
}

/* The 80 of "80 ≥ 10.49·B + 26.17" and of "10.49·B + 26.17 ≤ 80". */
static double room_beside(const grower *g, const growth *x, size_t first, size_t end)
{
    static const char *const more[] = {"\xE2\x89\xA5", ">=", "\\geq", "\\ge"};
    static const char *const less[] = {"\xE2\x89\xA4", "<=", "\\leq", "\\le"};
    const size_t n = sizeof more / sizeof *more;

    if (x->from >= first + 2 && g->t[x->from - 2].kind == RK_TOKEN_NUMBER && is_sign(g, x->from - 1, more, n))
        return read_amount(g, x->from - 2, x->from - 1).value;
    if (x->to + 1 < end && is_sign(g, x->to, less, n) && g->t[x->to + 1].kind == RK_TOKEN_NUMBER)
        return read_amount(g, x->to + 1, x->to + 2).value;
    return 0;
}

/* ---- what is known ----------------------------------------------------------------------------------------------- */

static void find_known(grower *g)
{
    const double long_least = 1e6;

    for (size_t i = 0; i < g->a->claim.n; i++) {
        const rk_claim *c = &g->a->claim.at[i];
        amount *kept;
        double value;

        if (c->status != RK_CLAIM_RIGHT || !c->side || !c->side->literal.is ||
            (c->side->unit && c->side->unit->kind != RK_WORD_UNIT_BYTES) ||
            !rk_side_double(g->a->pool, c->side->value, &value))
            continue;
        kept = RK_PUSH(&g->a->arena, &g->known);
        if (kept)
            *kept = (amount){value, c->side->slack, c->side->from, c->side->to};
    }
    for (size_t i = 0; i < g->a->lexed.token.n; i++) {
        const rk_written *w = &g->a->lexed.number.at[g->t[i].id];
        amount *kept = g->t[i].kind == RK_TOKEN_NUMBER && !w->wide && (double)w->digits >= long_least
                           ? RK_PUSH(&g->a->arena, &g->exact)
                           : NULL;

        if (kept)
            *kept = (amount){rk_written_value(w), 0, i, i + 1 + (bytes_at(g, i + 1, g->a->lexed.token.n) != NULL)};
    }
}

static double bytes_of(const growth *x, double base)
{
    return x->unit ? pow(x->unit->binary ? 1024 : base, x->unit->power) : 1;
}

static bool is_near(const amount *x, double by, double value)
{
    const double precision = 1e-9;

    return fabs(x->value * by - value) <= fmax(x->half * by * 1.001, precision * value);
}

/* One with three digits and more: with fewer, many numbers round to it. */
static bool has_digits(const amount *x)
{
    const double least = 100;

    return x->half > 0 ? x->value / (2 * x->half) >= least : x->value >= least;
}

/* ---- claims ------------------------------------------------------------------------------------------------------ */

static rk_side *side_of(grower *g, size_t from, size_t to)
{
    rk_side *s = RK_NEW(&g->a->arena, rk_side);

    return s && rk_side_read_number(&g->a->reader, from, to, s) ? s : NULL;
}

/* NULL: no memory. */
static rk_claim *put(grower *g, const rk_side *s, size_t from, size_t to, rk_claim_status is, rk_ex found,
                     const char *note)
{
    rk_claim *c = rk_audit_claim(g->a, RK_CLAIM_EQUATION, is, from, to);

    if (!c)
        return NULL;
    rk_audit_fill(g->a, c, s, s->value, found);
    c->found = rk_audit_value(g->a, found, &s->literal, s);
    c->note = note;
    for (size_t i = from; i < to; i++)
        g->stated[i] = true;
    return c;
}

static const char *from_line(grower *g, size_t line)
{
    return rk_arena_format(&g->a->arena, "as in line %zu", line);
}

/* ---- its numbers were said before -------------------------------------------------------------------------------- */

/* "16.36 × B + 26.17 GB" for "16,356,614,144 × B + 26,168,601,600": both, by so much more or less. */
static bool is_again(const growth *x, const growth *before)
{
    static const double by[] = {1, 1e-9, 1.0 / (1 << 30), 4e-9, 4.0 / (1 << 30), 4, 1e9, 1 << 30, 0.25, 1e-6};

    for (size_t i = 0; i < sizeof by / sizeof *by; i++)
        if (is_near(&x->of[EACH], 1, before->of[EACH].value * by[i]) &&
            is_near(&x->of[ONCE], 1, before->of[ONCE].value * by[i]))
            return true;
    return false;
}

/* An exact number before it that number k rounds; NULL: none. */
static const amount *find_exact(const grower *g, const growth *x, size_t k, double base)
{
    for (size_t i = 0; i < g->exact.n && g->exact.at[i].from < x->from && has_digits(&x->of[k]); i++)
        if (is_near(&x->of[k], bytes_of(x, base), g->exact.at[i].value))
            return &g->exact.at[i];
    return NULL;
}

/* The exact number beside one, of which the other number speaks then; NULL: there is none. */
static const amount *find_beside(const grower *g, const amount *x)
{
    enum {
        TOKENS_MAX = 8
    };
    const amount *all = g->exact.at, *end = all + g->exact.n;

    if (x + 1 < end && x[1].from < x->to + TOKENS_MAX)
        return x + 1;
    return x > all && x->from < x[-1].to + TOKENS_MAX ? x - 1 : NULL;
}

/* Both are exact numbers said before, rounded; where one is, and the other is nearly so, that is wrong. */
static bool judge_rounded(grower *g, const growth *x)
{
    const double tenth = 0.1, units = 2;

    for (double base = 1000; base <= 1024 && x->unit; base += 24) {
        const amount *e[] = {find_exact(g, x, EACH, base), find_exact(g, x, ONCE, base)}, *beside;
        size_t other = e[EACH] ? ONCE : EACH;
        double value = x->of[other].value * bytes_of(x, base), unit = 2 * x->of[other].half * bytes_of(x, base);
        rk_side *s = e[EACH] || e[ONCE] ? side_of(g, x->of[ONCE].from, x->of[ONCE].to) : NULL;
        rk_claim *c;

        if (!s)
            continue;
        if (e[EACH] && e[ONCE]) {
            put(g, s, x->from, x->to, RK_CLAIM_RIGHT, s->value,
                rk_arena_format(&g->a->arena, "%s and %s, rounded", rk_audit_quote(g->a, e[EACH]->from, e[EACH]->to),
                                rk_audit_quote(g->a, e[ONCE]->from, e[ONCE]->to)));
            return true;
        }
        beside = find_beside(g, e[EACH] ? e[EACH] : e[ONCE]);
        if (!beside || fabs(beside->value / value - 1) > tenth || fabs(beside->value - value) <= units * unit)
            continue;
        c = put(g, s, x->from, x->to, RK_CLAIM_WRONG, rk_ex_int(g->a->pool, (rk_i128)llround(beside->value)),
                "one of both numbers, as it is said before with all of its digits");
        if (c)
            c->found = rk_audit_quote(g->a, beside->from, beside->to);
        return true;
    }
    return false;
}

/* As many bytes as was found right, or 4 or 16 for each of so many numbers. */
static bool is_known(const growth *x, const amount *n, const amount *known)
{
    const double long_least = 1e6;

    if (is_near(n, bytes_of(x, 1000), known->value) || is_near(n, bytes_of(x, 1024), known->value))
        return true;
    return n->half == 0 && n->value >= long_least && (n->value == 4 * known->value || n->value == 16 * known->value);
}

/* One that was found right, perhaps in another unit. */
static void judge_number(grower *g, const growth *x, size_t k)
{
    const amount *n = &x->of[k];
    rk_side *s = g->stated[n->from] || !has_digits(n) ? NULL : side_of(g, n->from, n->to);

    for (size_t i = 0; i < g->known.n && s; i++) {
        const amount *known = &g->known.at[i];

        if ((known->from < n->to && known->to > n->from) || !is_known(x, n, known))
            continue;
        put(g, s, n->from, n->to, RK_CLAIM_RIGHT, s->value,
            from_line(g, rk_scan_line(&g->a->scan, g->t[known->from].at)));
        return;
    }
}

static void judge_numbers(grower *g, size_t i)
{
    const growth *x = &g->all.at[i];

    if (g->stated[x->of[EACH].from] || g->stated[x->of[ONCE].from] || judge_rounded(g, x))
        return;
    for (size_t k = 0; k < i; k++)
        if (has_digits(&x->of[EACH]) && has_digits(&x->of[ONCE]) && is_again(x, &g->all.at[k])) {
            rk_side *s = side_of(g, x->of[ONCE].from, x->of[ONCE].to);

            if (s)
                put(g, s, x->from, x->to, RK_CLAIM_RIGHT, s->value, from_line(g, g->all.at[k].line));
            return;
        }
    judge_number(g, x, EACH);
    judge_number(g, x, ONCE);
}

/* ---- so many sequences ------------------------------------------------------------------------------------------- */

/* "batch size 4", "B=3", "batch size is 1", before the number at token i. */
static bool is_batch(const grower *g, size_t i, size_t first)
{
    enum {
        BACK_MAX = 6
    };

    for (size_t back = 1; back <= BACK_MAX && i >= first + back; back++) {
        const rk_audit_token *t = &g->t[i - back];

        if (batch_at(g, i - back, i) > 0)
            return true;
        if (t->kind != RK_TOKEN_EQUALS && t->kind != RK_TOKEN_BREAK && t->kind != RK_TOKEN_OPEN &&
            t->kind != RK_TOKEN_CLOSE &&
            !(is_name(g, i - back) && (rk_lexicon_is(g->a->lexicon, RK_WORDS_SIZED, g->text + t->at, t->n) ||
                                       rk_lexicon_is(g->a->lexicon, RK_WORDS_IS, g->text + t->at, t->n))))
            return false;
    }
    return false;
}

/* "For batch size 4 that is 68.1 GB": bytes on a line that says how many sequences there are. */
static bool judge_value(grower *g, const growth *x, const rk_side *s, size_t first, size_t end)
{
    uint32_t from, to;
    size_t i = s->from;
    double said;

    if (!rk_side_double(g->a->pool, s->value, &said))
        return false;
    rk_scan_line_range(&g->a->scan, rk_scan_line(&g->a->scan, g->t[i].at), &from, &to);
    while (i > first && g->t[i - 1].at >= from)
        i--;
    for (; i < end && g->t[i].at < to; i++) {
        amount n;
        double loose;

        if (g->t[i].kind != RK_TOKEN_NUMBER || !is_batch(g, i, first))
            continue;
        n = read_amount(g, i, end);
        for (double base = 1000; base <= 1024; base += 24) {
            double unit = x->unit || x->of[ONCE].value >= 1e6 ? bytes_of(x, base) : pow(base, 3);
            double is = (x->of[EACH].value * n.value + x->of[ONCE].value) * unit;
            double read = said * (s->unit->binary ? 1 : pow(base / 1000, s->unit->power));

            loose = (x->of[EACH].half * n.value + x->of[ONCE].half) * unit;
            if (fabs(is - read) <= s->literal.unit / 2 * pow(base / 1000, s->unit->power) + loose) {
                put(g, s, s->from, s->to, RK_CLAIM_RIGHT, s->value,
                    rk_arena_format(&g->a->arena, "%s, with %g", rk_audit_quote(g->a, x->from, x->to), n.value));
                return true;
            }
        }
    }
    return false;
}

/* "fits into 80 GB": the nearest number of GB before a token that a device may have, in bytes; 0: none is said. */
static double room_before(const grower *g, size_t at, size_t least)
{
    static const double rooms[] = {16, 24, 32, 40, 48, 64, 80, 96, 128, 141, 192};

    for (size_t i = at; i > least; i--) {
        const rk_word_unit *u = g->t[i - 1].kind == RK_TOKEN_NUMBER ? bytes_at(g, i, g->a->lexed.token.n) : NULL;
        amount n = u ? read_amount(g, i - 1, i) : (amount){0};

        for (size_t k = 0; k < sizeof rooms / sizeof *rooms && u && u->power == 3; k++)
            if (n.value == rooms[k])
                return n.value;
    }
    return 0;
}

/* "the largest batch is 3": what the room allows, in GB or GiB, or the whole number below that. */
static bool judge_most(grower *g, const growth *x, const rk_side *s, double room, bool asked)
{
    const double few = 1e6, twice = 2, fiftieth = 0.02;
    double said, most = 0;

    if (!rk_side_double(g->a->pool, s->value, &said) || said <= 0 || room <= 0)
        return false;
    for (int way = 0; way < 4; way++) {
        double base = way & 1 ? 1024 : 1000, unit = x->of[ONCE].value >= few ? 1 : pow(way & 2 ? 1024 : 1000, 3);
        double allowed = (room * pow(base, 3) / unit - x->of[ONCE].value) / x->of[EACH].value;
        double loose = s->literal.decimals > 0 ? s->literal.unit : s->literal.about ? 1 : 0;

        if (allowed > 0 && (floor(allowed) == said || fabs(allowed - said) < loose)) {
            put(g, s, s->from, s->to, RK_CLAIM_RIGHT, s->value,
                rk_arena_format(&g->a->arena, "what %s ≤ %g GB allows", rk_audit_quote(g->a, x->from, x->to), room));
            return true;
        }
        most = fmax(most, allowed);
    }
    if (!asked || !x->unit || most < 1 || said != floor(said) || said <= most * (1 + fiftieth) + fiftieth ||
        said >= twice * most || s->literal.about)
        return false;
    put(g, s, s->from, s->to, RK_CLAIM_WRONG, rk_ex_int(g->a->pool, (rk_i128)floor(most)),
        rk_arena_format(&g->a->arena, "what %s ≤ %g GB allows", rk_audit_quote(g->a, x->from, x->to), room));
    return true;
}

static bool asks_for_most(const grower *g, size_t i, size_t first)
{
    const size_t line = rk_scan_line(&g->a->scan, g->t[i].at);
    size_t from = i;

    while (from > first && rk_scan_line(&g->a->scan, g->t[from - 1].at) == line)
        from--;
    for (size_t k = from; k + 1 < i; k++) /* "the largest is 3 (B = 3: 75.2 GB, B = 4: 91.6 GB)": the first is meant */
        if (g->t[k].kind == RK_TOKEN_NUMBER && g->t[k + 1].kind == RK_TOKEN_OPEN &&
            rk_audit_says(g->a, RK_WORDS_MOST, from, k))
            return false;
    return rk_audit_says(g->a, RK_WORDS_MOST, from, i) && !rk_audit_says(g->a, RK_WORDS_LENGTH, from, i);
}

/* Figures below it, up to another one of its kind. */
static void judge_below(grower *g, size_t at)
{
    enum {
        ROOM_TOKENS = 400
    };
    const growth *x = &g->all.at[at];
    const rk_audit *a = g->a;
    size_t piece = 0, end = at + 1 < g->all.n ? g->all.at[at + 1].from : a->lexed.token.n;

    for (size_t i = x->to; i < end && rk_scan_line(&a->scan, g->t[i].at) <= x->line + LINES_MAX; i++) {
        const rk_side *s;

        while (piece + 1 < a->scan.piece.n && a->lexed.first[piece + 1] <= i)
            piece++;
        if (g->t[i].kind != RK_TOKEN_NUMBER || g->stated[i] ||
            (i + 1 < end && g->t[i + 1].kind == RK_TOKEN_SIGN && g->t[i + 1].op != '-'))
            continue;
        s = side_of(g, i, a->lexed.first[piece + 1]);
        if (!s || s->to <= i)
            continue;
        if (s->unit && s->unit->kind == RK_WORD_UNIT_BYTES)
            judge_value(g, x, s, a->lexed.first[piece], a->lexed.first[piece + 1]);
        else if (!s->unit && (asks_for_most(g, i, a->lexed.first[piece]) || is_batch(g, i, a->lexed.first[piece])))
            judge_most(g, x, s, x->room > 0 ? x->room : room_before(g, i, i > ROOM_TOKENS ? i - ROOM_TOKENS : 0),
                       asks_for_most(g, i, a->lexed.first[piece]));
        i = s->to - 1;
    }
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void find_all(grower *g)
{
    const rk_audit *a = g->a;

    for (size_t p = 0; p < a->scan.piece.n && g->all.n < GROWTHS_MAX; p++) {
        size_t first = a->lexed.first[p], end = a->lexed.first[p + 1];

        for (size_t i = first; i < end && g->all.n < GROWTHS_MAX; i++) {
            growth x, *kept;

            if ((g->t[i].kind != RK_TOKEN_NUMBER && batch_at(g, i, end) == 0) ||
                (i > first && g->t[i - 1].kind == RK_TOKEN_SIGN) || !read_growth(g, i, first, end, &x))
                continue;
            x.room = room_beside(g, &x, first, end);
            kept = RK_PUSH(&g->a->arena, &g->all);
            if (kept)
                *kept = x;
            i = x.to - 1;
        }
    }
}

int rk_judge_growth(rk_audit *a, rk_err *err)
{
    grower g = {.a = a,
                .t = a->lexed.token.at,
                .text = a->scan.text,
                .stated = RK_NEW_ARRAY(&a->arena, a->lexed.token.n + 1, bool)};

    if (!g.stated)
        return rk_fail_memory(err);
    find_all(&g);
    if (g.all.n == 0)
        return RK_OK;
    if (g.all.n == GROWTHS_MAX)
        rk_audit_skip(
            a, rk_arena_format(&a->arena, "what grows with the batch, beyond the first %d of its kind", GROWTHS_MAX));
    rk_audit_mark_stated(a, g.stated);
    find_known(&g);
    for (size_t i = 0; i < g.all.n && !a->arena.failed; i++) {
        judge_numbers(&g, i);
        judge_below(&g, i);
    }
    return a->arena.failed ? rk_fail_memory(err) : RK_OK;
}
