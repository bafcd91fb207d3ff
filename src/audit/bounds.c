/* SPDX-License-Identifier: MIT */
#include "audit/bounds.h"

#include <math.h>
#include <string.h>

/* "24.88 + 14.3 × B ≤ 80 GB": what the unknown may be at most. */
typedef struct bound {
    double most, loose; /* loose: how far off rounded numbers may make it */
    double binary;      /* the same with GB as GiB; 0: it is none other */
    size_t to;          /* the token after it */
    uint32_t from_byte, to_byte;
} bound;

typedef struct bounder {
    rk_audit *a;
    const rk_audit_token *t;
    const char *text;
} bounder;

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static bool is_at_most(const bounder *b, size_t i)
{
    static const char *const signs[] = {"\xE2\x89\xA4", "<=", "\\leq", "\\le", "<"};

    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++) {
        size_t n = strlen(signs[k]);

        if (b->t[i].kind != RK_TOKEN_NUMBER && b->t[i].n >= n && memcmp(b->text + b->t[i].at, signs[k], n) == 0 &&
            (b->t[i].n == n || signs[k][0] != '<'))
            return true;
    }
    return false;
}

static bool is_name(const bounder *b, size_t i)
{
    return b->t[i].kind == RK_TOKEN_SYMBOL || b->t[i].kind == RK_TOKEN_WORD;
}

/* The unit of bytes that a token is; NULL: it is none. */
static const rk_word_unit *bytes_at(const bounder *b, size_t i, size_t end)
{
    const rk_word_unit *u =
        i < end && is_name(b, i) ? rk_lexicon_unit(b->a->lexicon, b->text + b->t[i].at, b->t[i].n) : NULL;

    return u && u->kind == RK_WORD_UNIT_BYTES && u->word[1] ? u : NULL; /* a B alone is the batch */
}

/* A number and how far off its rounding may make it. */
static double number_at(const bounder *b, size_t i, double *loose)
{
    const rk_written *w = &b->a->lexed.number.at[b->t[i].id];
    double unit = pow(10, w->exponent);

    *loose = w->decimal ? unit / 2 : 0;
    return w->wide ? 0 : (double)w->digits * unit;
}

/* The sum of a number and of one times an unknown, in tokens [from, to); false: it is something else. */
static bool read_left(const bounder *b, size_t from, size_t to, double number[2], double loose[2], int *unit)
{
    size_t n[2] = {0, 0}, plus = 0; /* numbers alone, and before the unknown */

    number[0] = loose[0] = 0;
    for (size_t i = from; i < to; i++) {
        if (b->t[i].kind == RK_TOKEN_NUMBER) {
            double off, value = number_at(b, i, &off);
            const rk_word_unit *u = bytes_at(b, i + 1, to);
            size_t next = i + 1 + (u != NULL);
            bool times, sign = next < to && b->t[next].kind == RK_TOKEN_SIGN;

            while (next < to && ((b->t[next].kind == RK_TOKEN_SIGN && b->t[next].op == '*') ||
                                 b->t[next].kind == RK_TOKEN_OPEN || b->t[next].kind == RK_TOKEN_CLOSE))
                next++;
            times = next < to && is_name(b, next);
            if (times && !sign && (unsigned char)b->text[b->t[next].at] >= 0x80)
                return false; /* "27 块 ≤ 62 块": so many of them, and nothing that is unknown */
            number[times] = value;
            loose[times] = off;
            n[times]++;
            *unit = u ? u->power : *unit;
            i = times ? next : i;
        } else if (b->t[i].kind == RK_TOKEN_SIGN && b->t[i].op == '+') {
            plus++;
        } else if (b->t[i].kind != RK_TOKEN_OPEN && b->t[i].kind != RK_TOKEN_CLOSE && !bytes_at(b, i, to)) {
            return false;
        }
    }
    return n[1] == 1 && n[0] <= 1 && plus == n[0] && number[1] > 0;
}

/* The inequality around a sign; false: there is none of this form. */
static bool read_bound(const bounder *b, size_t first, size_t sign, size_t end, bound *out)
{
    enum {
        BACK_MAX = 24
    };
    double number[2], loose[2], most, off;
    const rk_word_unit *u;
    size_t from = sign;
    int unit = 0;

    while (from > first && sign - from < BACK_MAX &&
           (b->t[from - 1].kind == RK_TOKEN_NUMBER || b->t[from - 1].kind == RK_TOKEN_SIGN || is_name(b, from - 1) ||
            ((b->t[from - 1].kind == RK_TOKEN_OPEN || b->t[from - 1].kind == RK_TOKEN_CLOSE) &&
             b->t[from - 1].op != '(')) &&
           b->t[from - 1].span == b->t[sign].span)
        from--;
    while (from < sign && b->t[from].kind != RK_TOKEN_NUMBER) /* "Solving 24.88 + …" */
        from++;
    if (sign + 1 >= end || b->t[sign + 1].kind != RK_TOKEN_NUMBER || from == sign ||
        !read_left(b, from, sign, number, loose, &unit))
        return false;
    most = number_at(b, sign + 1, &off);
    u = bytes_at(b, sign + 2, end);
    *out = (bound){.to = sign + 2, .from_byte = b->t[from].at, .to_byte = b->t[sign + 1].at + b->t[sign + 1].n};
    if (u && unit == 0 && number[1] >= 1e6) { /* bytes on the left, GB on the right */
        out->binary = (most * pow(1024, u->power) - number[0]) / number[1];
        most *= pow(1000, u->power);
    }
    out->most = (most - number[0]) / number[1];
    out->loose = (loose[0] + off) / number[1] + out->most * loose[1] / number[1] + 1e-9;
    return out->most > 0;
}

/* ---- what follows from it ---------------------------------------------------------------------------------------- */

static void put(const bounder *b, const bound *of, const rk_side *s, rk_claim_status is, double found)
{
    const double parts = 1e6;
    rk_ex value =
        is == RK_CLAIM_RIGHT ? s->value : rk_ex_ratio(b->a->pool, (rk_i128)llround(found * parts), (rk_i128)parts);
    rk_claim *c = rk_audit_claim(b->a, RK_CLAIM_EQUATION, is, s->from, s->to);

    if (!c)
        return;
    rk_audit_fill(b->a, c, s, s->value, value);
    c->found = rk_audit_value(b->a, value, &s->literal, s);
    c->note =
        rk_arena_format(&b->a->arena, "what %.*s allows", (int)(of->to_byte - of->from_byte), b->text + of->from_byte);
}

/* Words that ask for the most there may be, in the line before a figure. */
static bool asks_for_most(const bounder *b, size_t i)
{
    uint32_t at = b->t[i].at, from = b->a->scan.line.at[rk_scan_line(&b->a->scan, at) - 1];

    return rk_lexicon_in(b->a->lexicon, RK_WORDS_MOST, b->text + from, at - from) != 0;
}

/* A figure below the inequality: the bound itself, or the whole number below it.  True: it was one of them. */
static bool judge_figure(const bounder *b, const bound *of, size_t i, size_t first, size_t end)
{
    const double twice = 2, units = 2, fiftieth = 0.02;
    double whole = floor(of->most + 1e-9), said, loose;
    rk_side *s = RK_NEW(&b->a->arena, rk_side);

    if (!s || !rk_side_read_number(&b->a->reader, i, end, s) || s->unit || !rk_side_double(b->a->pool, s->value, &said))
        return false;
    if (i > first + 1 && is_at_most(b, i - 1) && is_name(b, i - 2)) {
        loose = s->literal.unit + of->loose;
        if (fabs(said - of->most) <= loose || (of->binary > 0 && fabs(said - of->binary) <= loose) || said == whole)
            put(b, of, s, RK_CLAIM_RIGHT, said);
        else if (said < twice * of->most && of->most < twice * said && fabs(said - of->most) > units * loose &&
                 fabs(said / of->most - 1) > fiftieth && of->binary == 0)
            put(b, of, s, RK_CLAIM_WRONG, of->most);
        return true;
    }
    if (s->literal.decimals > 0 || said != floor(said) || !asks_for_most(b, i))
        return false;
    if (said == whole || (of->binary > 0 && said == floor(of->binary)) || fabs(said - of->most) <= of->loose)
        put(b, of, s, RK_CLAIM_RIGHT, said);
    else if (said > of->most + of->loose + fiftieth * of->most && said < twice * of->most && of->binary == 0 &&
             !s->literal.about)
        put(b, of, s, RK_CLAIM_WRONG, whole);
    else
        return false;
    return true;
}

static void judge_below(const bounder *b, const bound *of, size_t piece)
{
    enum {
        LINES_MAX = 5,
        FIGURES_MAX = 12
    };
    size_t looks = 0, found = 0, line = rk_scan_line(&b->a->scan, of->to_byte);

    for (size_t p = piece; p < b->a->scan.piece.n; p++) {
        size_t first = b->a->lexed.first[p], end = b->a->lexed.first[p + 1];

        for (size_t i = p == piece ? of->to : first; i < end; i++) {
            bound other;

            if (rk_scan_line(&b->a->scan, b->t[i].at) > line + LINES_MAX || looks == FIGURES_MAX || found == 2)
                return;
            if (i > of->to && is_at_most(b, i) && read_bound(b, first, i, end, &other))
                return; /* another one begins */
            if (b->t[i].kind != RK_TOKEN_NUMBER)
                continue;
            looks++;
            if (judge_figure(b, of, i, first, end)) {
                found++;
                line = rk_scan_line(&b->a->scan, b->t[i].at) - 1;
            } else if (i + 1 < end && b->t[i + 1].kind == RK_TOKEN_SIGN) {
                return; /* something else is computed */
            }
        }
    }
}

int rk_judge_bounds(rk_audit *a, rk_err *err)
{
    bounder b = {a, a->lexed.token.at, a->scan.text};

    for (size_t p = 0; p < a->scan.piece.n && !a->arena.failed; p++)
        for (size_t i = a->lexed.first[p]; i < a->lexed.first[p + 1]; i++) {
            bound of;

            if (is_at_most(&b, i) && read_bound(&b, a->lexed.first[p], i, a->lexed.first[p + 1], &of))
                judge_below(&b, &of, p);
        }
    return a->arena.failed ? rk_fail_memory(err) : RK_OK;
}
