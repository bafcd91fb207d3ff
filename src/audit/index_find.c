/* SPDX-License-Identifier: MIT */
/* Entries by value: the number is divided by each ratio, and what is left is looked up. */
#include "audit/index_build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    COST_OF_ROUGH = 6, /* two digits or three: only simple things */
    COST_OF_FAIR = 8,
    COST_OF_ANY = 100,
    COST_OF_UNSAID = 2 /* bytes that no one has called so */
};

const rk_index_entry *rk_index_from(const rk_index *x, rk_i128 value, size_t most, const rk_index_entry **end)
{
    size_t from = 0, to = x->entry.n;

    while (from < to) {
        size_t middle = from + (to - from) / 2;

        if (x->entry.at[middle].value < value)
            from = middle + 1;
        else
            to = middle;
    }
    *end = x->entry.at + (most < x->entry.n - from ? from + most : x->entry.n);
    return x->entry.at + from;
}

/* How far-fetched a match may be: of a number with few digits, something far-fetched always is. */
static int cost_max(const rk_index_query *q)
{
    double low = (double)q->low / (double)q->den, width = (double)(q->high - q->low) / (double)q->den;
    double sharpness = width > 0 ? low / width : low;

    if (q->cost_max)
        return q->cost_max;
    return sharpness < 1e4 ? COST_OF_ROUGH : sharpness < 1e6 ? COST_OF_FAIR : COST_OF_ANY;
}

/*
 * The values of entries whose multiples by a ratio lie within a query; false: it does not fit into 128 bits, or the
 * query does not ask for what the ratio gives.  As many bytes as numbers, which no one has called bytes, are numbers.
 */
static bool divide(const rk_index *x, const rk_index_query *q, const rk_index_ratio *r, rk_i128 *low, rk_i128 *high)
{
    bool same = r->from != r->to && r->by == rk_ex_int(x->instance->pool, 1);
    rk_acc acc = {0};
    rk_i128 unit = rk_mul(&acc, q->den, r->num);

    if (!((q->kinds >> r->to) & 1) || (same && q->kinds == RK_INDEX_ANY))
        return false;
    *low = rk_ceil_div(&acc, rk_mul(&acc, q->low, r->den), unit);
    *high = rk_floor_div(&acc, rk_mul(&acc, q->high, r->den), unit);
    return !acc.overflow;
}

/* An entry and a ratio as a match of a query: what it costs, and whether its value is a whole number. */
static bool make_match(const rk_index_entry *e, const rk_index_ratio *r, const rk_index_query *q, rk_match *out)
{
    bool is_unsaid = q->kinds == RK_INDEX_ANY && r->to == RK_INDEX_BYTES;
    double middle = ((double)q->low + (double)q->high) / 2 / (double)q->den;
    rk_acc acc = {0};
    rk_i128 value = rk_mul(&acc, e->value, r->num);

    *out = (rk_match){.entry = e, .ratio = r, .cost = e->cost + r->cost + (is_unsaid ? COST_OF_UNSAID : 0)};
    if (acc.overflow || value % r->den != 0 || e->kind != r->from || (r->per_head && !e->of_heads))
        return false;
    out->value = value / r->den;
    out->off = q->low == q->high ? 0 : fabs(((double)out->value - middle) / middle);
    return true;
}

bool rk_index_match(const rk_index *x, const rk_index_entry *e, const rk_index_query *q, rk_match *out)
{
    bool found = false;

    for (size_t i = 0; i < x->ratio.n; i++) {
        const rk_index_ratio *r = &x->ratio.at[i];
        rk_i128 low, high;
        rk_match m;

        if (!divide(x, q, r, &low, &high) || e->value < low || e->value > high)
            continue;
        if (make_match(e, r, q, &m) && (!found || m.cost < out->cost)) {
            *out = m;
            found = true;
        }
    }
    return found;
}

int rk_index_find(const rk_index *x, rk_arena *a, const rk_index_query *q, rk_matches *out, rk_err *err)
{
    int most = cost_max(q);

    for (size_t i = 0; i < x->ratio.n; i++) {
        const rk_index_ratio *r = &x->ratio.at[i];
        const rk_index_entry *end;
        rk_i128 low, high;

        if (!divide(x, q, r, &low, &high))
            continue;
        for (const rk_index_entry *e = rk_index_from(x, low, SIZE_MAX, &end); e < end && e->value <= high; e++) {
            rk_match m, *kept;

            if (!make_match(e, r, q, &m) || m.cost > most || out->n_all++ >= RK_MATCHES_MAX)
                continue;
            kept = RK_PUSH(a, &out->at);
            if (!kept)
                return rk_fail_memory(err);
            *kept = m;
        }
    }
    return RK_OK;
}

/* Of a cache, "twice its numbers" stands after "2 bytes each". */
static bool is_multiple(const rk_match *m)
{
    return m->entry->kind == RK_INDEX_NUMBERS && m->ratio->times;
}

static int by_cost(const void *a, const void *b)
{
    const rk_match *x = a, *y = b;

    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    if (x->off != y->off)
        return x->off < y->off ? -1 : 1;
    if (x->entry->first != y->entry->first)
        return x->entry->first < y->entry->first ? -1 : 1;
    if (is_multiple(x) != is_multiple(y))
        return is_multiple(x) ? 1 : -1;
    if (x->ratio != y->ratio)
        return x->ratio < y->ratio ? -1 : 1;
    return x->entry != y->entry ? (x->entry < y->entry ? -1 : 1) : (int)x->other - (int)y->other;
}

static int by_text(const char *a, const char *b)
{
    return a == b ? 0 : !a ? -1 : !b ? 1 : strcmp(a, b);
}

/* What a match is about; those that are equal in this say the same. */
static int by_subject(const rk_match *x, const rk_match *y)
{
    int order = by_text(x->entry->path, y->entry->path);

    order = order ? order : by_text(x->entry->with, y->entry->with);
    order = order ? order : by_text(x->entry->convention, y->entry->convention);
    order = order ? order : (int)x->ratio->to - (int)y->ratio->to;
    return order ? order : x->value < y->value ? -1 : x->value > y->value;
}

static int by_subject_and_cost(const void *a, const void *b)
{
    int order = by_subject(a, b);

    return order ? order : by_cost(a, b);
}

void rk_matches_rank(rk_matches *m)
{
    size_t n = 0;

    if (m->at.n < 2)
        return;
    qsort(m->at.at, m->at.n, sizeof *m->at.at, by_subject_and_cost);
    for (size_t i = 0; i < m->at.n; i++)
        if (n == 0 || by_subject(&m->at.at[n - 1], &m->at.at[i]) != 0)
            m->at.at[n++] = m->at.at[i];
    m->n_all -= m->at.n - n;
    m->at.n = n;
    qsort(m->at.at, m->at.n, sizeof *m->at.at, by_cost);
}

void rk_index_near(const rk_index *x, const rk_index_query *q, const rk_index_entry **below,
                   const rk_index_entry **above)
{
    const rk_index_entry *end, *at;

    *below = *above = NULL;
    if (q->den == 0) /* nothing is as large as that */
        return;
    at = rk_index_from(x, q->low / q->den, SIZE_MAX, &end);
    for (const rk_index_entry *e = at; e > x->entry.at && !*below; e--)
        if ((q->kinds >> e[-1].kind) & 1)
            *below = e - 1;
    for (const rk_index_entry *e = at; e < end && !*above; e++)
        if ((q->kinds >> e->kind) & 1 && e->value > q->high / q->den)
            *above = e;
}

rk_ex rk_match_formula(const rk_index *x, const rk_match *m, const rk_instance **model)
{
    rk_ex e = rk_index_formula(x, m->entry, model);
    rk_i128 num = 1, den = 1;

    if (*model == x->instance)
        return rk_ex_mul(x->instance->pool, e, m->ratio->by);
    /* An account of memory has a pool of its own; its views are plain numbers. */
    return rk_ex_is_quotient(x->instance->pool, m->ratio->by, &num, &den)
               ? rk_ex_mul((*model)->pool, e, rk_ex_ratio((*model)->pool, num, den))
               : RK_EX_FAILED;
}
