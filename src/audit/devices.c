/* SPDX-License-Identifier: MIT */
#include "audit/devices.h"

#include <math.h>

/* "8× H100 80GB": so many devices, and what each of them holds. */
typedef struct devices {
    size_t from, to; /* tokens */
    double n, each;
} devices;

typedef struct reader {
    rk_audit *a;
    const rk_audit_token *t;
    size_t first, end; /* of the piece */
} reader;

static bool is_word(const reader *r, rk_words use, size_t i)
{
    return rk_audit_says(r->a, use, i, i + 1);
}

/* So many bytes, with a scale, and neither per second nor for each of something. */
static bool read_bytes(const reader *r, size_t i, rk_side *out, double *size)
{
    return i < r->end && r->t[i].kind == RK_TOKEN_NUMBER && rk_side_read_number(&r->a->reader, i, r->end, out) &&
           out->unit && out->unit->kind == RK_WORD_UNIT_BYTES && out->unit->power >= 3 && !out->rate && !out->per &&
           rk_side_double(r->a->pool, out->value, size) && *size > 0;
}

static bool read_devices(const reader *r, size_t i, devices *out)
{
    enum {
        DEVICES_MOST = 65536
    };
    const rk_written *w = r->t[i].kind == RK_TOKEN_NUMBER ? &r->a->lexed.number.at[r->t[i].id] : NULL;
    size_t at = i + 1;
    rk_side memory;

    if (!w || w->wide || w->exponent != 0 || w->digits < 1 || w->digits > DEVICES_MOST ||
        (i > r->first && (r->t[i - 1].kind == RK_TOKEN_SIGN || r->t[i - 1].kind == RK_TOKEN_EQUALS)))
        return false;
    at += at < r->end && ((r->t[at].kind == RK_TOKEN_SIGN && r->t[at].op == '*') ||
                          (r->t[at].n == 1 && r->a->scan.text[r->t[at].at] == 'x'));
    if (at >= r->end || !is_word(r, RK_WORDS_DEVICE, at))
        return false;
    at++;
    at += at < r->end && r->t[at].kind == RK_TOKEN_OPEN && r->t[at].op == '(';
    if (!read_bytes(r, at, &memory, &out->each))
        return false;
    out->from = i;
    out->to = memory.to;
    out->n = (double)w->digits;
    return true;
}

/*
 * The bytes that stand before some devices, with nothing between them but words for "needs" and other such devices;
 * false: none do.
 */
static bool bytes_before(const reader *r, size_t i, rk_side *out, double *size)
{
    enum {
        BACK_MAX = 24
    };
    size_t from = i;
    bool held = false; /* a word says that the devices are to hold them */

    while (from > r->first && i - from < BACK_MAX) {
        const rk_audit_token *b = &r->t[from - 1];
        devices other;

        if (b->kind == RK_TOKEN_NUMBER) {
            if (read_devices(r, from - 1, &other)) {
                from--;
                continue;
            }
            /* The 80 GB of devices before these. */
            if (from >= r->first + 3 && is_word(r, RK_WORDS_DEVICE, from - 2)) {
                from--;
                continue;
            }
            return held && read_bytes(r, from - 1, out, size) && out->to <= i;
        }
        if (is_word(r, RK_WORDS_HOLDS, from - 1))
            held |= b->n > 3; /* not "on", "in", "or" alone */
        else if (b->kind != RK_TOKEN_OPEN && b->kind != RK_TOKEN_COMMA && !is_word(r, RK_WORDS_DEVICE, from - 1) &&
                 !(b->kind == RK_TOKEN_SIGN && b->op == '*') &&
                 !rk_lexicon_unit(r->a->lexicon, r->a->scan.text + b->at, b->n))
            return false;
        from--;
    }
    return false;
}

/* "on 1× A100 80GB with int4", "with offloading": more words for how it is done, after which it may take less. */
static bool is_with_more(const reader *r, size_t i)
{
    for (; i < r->end && r->t[i].kind != RK_TOKEN_BREAK; i++)
        if (is_word(r, RK_WORDS_BITS_EACH, i) || is_word(r, RK_WORDS_WITH, i))
            return true;
    return false;
}

/* Right where they hold it, and half as many do not; wrong where they do not, whether GB are GB or GiB. */
static void judge(const reader *r, const devices *d)
{
    const double sure = 0.93; /* an 80 GB device has up to 85.9e9 bytes */
    rk_side need, *stated;
    rk_claim *c;
    double size;
    bool wrong;

    if (!bytes_before(r, d->from, &need, &size))
        return;
    wrong = d->n * d->each < sure * size;
    if (wrong ? is_with_more(r, d->to) : d->n * d->each < size || (d->n > 1 && ceil(d->n / 2) * d->each >= size))
        return;
    stated = RK_NEW(&r->a->arena, rk_side);
    if (!stated || !rk_side_read_number(&r->a->reader, d->from, d->from + 1, stated))
        return;
    c = rk_audit_claim(r->a, RK_CLAIM_EQUATION, wrong ? RK_CLAIM_WRONG : RK_CLAIM_RIGHT, d->from, d->to);
    if (!c)
        return;
    rk_audit_fill(r->a, c, stated, stated->value, rk_ex_int(r->a->pool, (rk_i128)ceil(size / d->each)));
    c->found = rk_audit_value(r->a, c->found_value, &stated->literal, stated);
    c->note = rk_arena_format(&r->a->arena, "to hold %s", rk_audit_quote(r->a, need.from, need.to));
}

int rk_judge_devices(rk_audit *a, rk_err *err)
{
    reader r = {.a = a, .t = a->lexed.token.at};

    for (size_t piece = 0; piece < a->scan.piece.n && !a->arena.failed; piece++) {
        r.first = a->lexed.first[piece];
        r.end = a->lexed.first[piece + 1];
        for (size_t i = r.first; i < r.end && !a->scan.piece.at[piece].program; i++) {
            devices d;

            if (read_devices(&r, i, &d))
                judge(&r, &d);
        }
    }
    return a->arena.failed ? rk_fail_memory(err) : RK_OK;
}
