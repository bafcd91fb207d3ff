/* SPDX-License-Identifier: MIT */
#include "audit/cause.h"

#include <stdlib.h>

/* A wrong figure: its digits without zeros around them, as it was written. */
typedef struct figure {
    rk_i128 digits;
    size_t claim;
} figure;

typedef struct finder {
    const rk_audit *a;
    rk_cause *cause;
    figure *figure;
    size_t n_figure;
} finder;

static bool is_bad(const rk_claim *c)
{
    return c->status == RK_CLAIM_WRONG || c->status == RK_CLAIM_SLIP;
}

/* The digits of a number; 0: too few of them. */
static rk_i128 digits_of(const rk_audit *a, const rk_audit_token *t)
{
    rk_i128 digits = t->kind == RK_TOKEN_NUMBER ? a->lexed.number.at[t->id].digits : 0, least = 1;

    if (t->kind != RK_TOKEN_NUMBER || a->lexed.number.at[t->id].wide)
        return 0;
    while (digits != 0 && digits % 10 == 0)
        digits /= 10;
    for (int i = 1; i < RK_CAUSE_DIGITS; i++)
        least *= 10;
    return digits >= least ? digits : 0;
}

/* The digits of the one number that a claim states; 0: it states none, or a formula. */
static rk_i128 stated_digits(const rk_audit *a, const rk_claim *c)
{
    if (!c->side || !c->side->literal.is)
        return 0;
    for (size_t i = c->side->from; i < c->side->to; i++)
        if (a->lexed.token.at[i].kind == RK_TOKEN_NUMBER)
            return digits_of(a, &a->lexed.token.at[i]);
    return 0;
}

static int by_digits(const void *a, const void *b)
{
    const figure *x = a, *y = b;

    if (x->digits != y->digits)
        return x->digits < y->digits ? -1 : 1;
    return (x->claim > y->claim) - (x->claim < y->claim);
}

/* The first of the figures with these digits, or n_figure. */
static size_t find(const finder *f, rk_i128 digits)
{
    size_t low = 0, high = f->n_figure;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (f->figure[middle].digits < digits)
            low = middle + 1;
        else
            high = middle;
    }
    return low < f->n_figure && f->figure[low].digits == digits ? low : f->n_figure;
}

static bool says_same(const rk_claim *x, const rk_claim *y)
{
    return x->status == y->status && x->stated_value != RK_EX_FAILED && x->stated_value == y->stated_value &&
           x->found_value == y->found_value;
}

/* Figures with the same digits stand together: each is compared with the first ones that stand for themselves. */
static void join_same(finder *f)
{
    enum {
        FIRST_MAX = 16
    };
    const rk_claim *claim = f->a->claim.at;
    size_t first[FIRST_MAX], n = 0;

    for (size_t i = 0; i < f->n_figure; i++) {
        size_t of = f->figure[i].claim, k = 0;

        if (i > 0 && f->figure[i].digits != f->figure[i - 1].digits)
            n = 0;
        while (k < n && !says_same(&claim[first[k]], &claim[of]))
            k++;
        if (k < n)
            f->cause[of] = (rk_cause){RK_CAUSE_SAME, first[k]};
        else if (n < FIRST_MAX)
            first[n++] = of;
    }
}

/* The token that stands at a byte, or after it. */
static size_t token_at(const rk_audit *a, uint32_t at)
{
    size_t low = 0, high = a->lexed.token.n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (a->lexed.token.at[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The claim whose wrong figure another one, further on, computes with; n: none. */
static size_t source_of(const finder *f, size_t i)
{
    const rk_audit *a = f->a;
    const rk_claim *c = &a->claim.at[i];

    for (size_t t = token_at(a, c->at); t < a->lexed.token.n && a->lexed.token.at[t].at < c->to; t++) {
        rk_i128 digits = digits_of(a, &a->lexed.token.at[t]);
        size_t at = digits ? find(f, digits) : f->n_figure, of = at < f->n_figure ? f->figure[at].claim : i;
        bool states = c->side && c->side->literal.is && t >= c->side->from && t < c->side->to;

        if (f->cause[of].kind != RK_CAUSE_NONE)
            of = f->cause[of].of;
        if (!states && of < i && a->claim.at[of].to <= c->at && a->claim.at[of].status == RK_CLAIM_WRONG &&
            !a->claim.at[of].between)
            return of;
    }
    return a->claim.n;
}

/* Of a figure of the model: an earlier one is off by just as much.  Only the last one before it is asked. */
static bool differs_as(const rk_audit *a, const rk_claim *x, const rk_claim *y)
{
    rk_i128 xs, xf, ys, yf;

    return x->kind == RK_CLAIM_MODEL && y->kind == RK_CLAIM_MODEL && x->status == RK_CLAIM_WRONG &&
           y->status == RK_CLAIM_WRONG && x->stated_value != RK_EX_FAILED && y->stated_value != RK_EX_FAILED &&
           x->found_value != RK_EX_FAILED && y->found_value != RK_EX_FAILED &&
           rk_ex_is_int(a->pool, x->stated_value, &xs) && rk_ex_is_int(a->pool, x->found_value, &xf) &&
           rk_ex_is_int(a->pool, y->stated_value, &ys) && rk_ex_is_int(a->pool, y->found_value, &yf) && xs >= 0 &&
           xf >= 0 && ys >= 0 && yf >= 0 && xs - xf == ys - yf && xs != ys && xs != xf;
}

/* The claim about the figure that another one is known to go on with; n: none. */
static size_t known_source_of(const finder *f, size_t i)
{
    const rk_side *source = f->a->claim.at[i].source;

    for (size_t k = i; source && k-- > 0;)
        if (f->a->claim.at[k].status == RK_CLAIM_WRONG && f->a->claim.at[k].side &&
            f->a->claim.at[k].side->from == source->from)
            return k;
    return f->a->claim.n;
}

static void join_following(finder *f)
{
    const rk_audit *a = f->a;
    size_t last = a->claim.n; /* that is wrong, and stands for itself */

    for (size_t i = 0; i < a->claim.n; i++) {
        const rk_claim *c = &a->claim.at[i];
        bool judged = c->kind == RK_CLAIM_MODEL ? is_bad(c) : !is_bad(c);
        size_t of = known_source_of(f, i);

        if (of == a->claim.n)
            of = f->cause[i].kind == RK_CAUSE_NONE && judged ? source_of(f, i) : a->claim.n;

        if (of == a->claim.n && last < i && f->cause[i].kind == RK_CAUSE_NONE && differs_as(a, &a->claim.at[last], c))
            of = last;
        if (of < a->claim.n)
            f->cause[i] = (rk_cause){RK_CAUSE_FOLLOWS, f->cause[of].kind == RK_CAUSE_NONE ? of : f->cause[of].of};
        if (f->cause[i].kind == RK_CAUSE_NONE && c->status == RK_CLAIM_WRONG)
            last = i;
    }
}

int rk_causes_find(rk_arena *a, const rk_audit *audit, rk_cause **out, rk_err *err)
{
    finder f = {.a = audit};

    f.cause = RK_NEW_ARRAY(a, audit->claim.n + 1, rk_cause);
    f.figure = RK_NEW_ARRAY(a, audit->claim.n + 1, figure);
    if (!f.cause || !f.figure)
        return rk_fail_memory(err);
    for (size_t i = 0; i < audit->claim.n; i++) {
        rk_i128 digits = is_bad(&audit->claim.at[i]) ? stated_digits(audit, &audit->claim.at[i]) : 0;

        if (digits)
            f.figure[f.n_figure++] = (figure){digits, i};
    }
    if (f.n_figure > 0) {
        qsort(f.figure, f.n_figure, sizeof *f.figure, by_digits);
        join_same(&f);
    }
    join_following(&f);
    *out = f.cause;
    return RK_OK;
}
