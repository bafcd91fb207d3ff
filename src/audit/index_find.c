/* SPDX-License-Identifier: MIT */
/* Entries by value: the number is divided by each ratio, and what is left is looked up. */
#include "audit/index_build.h"

#include <stdlib.h>
#include <string.h>

enum {
    COST_OF_ROUGH = 6, /* two digits or three: only simple things */
    COST_OF_FAIR = 8,
    COST_OF_ANY = 100,
    COST_OF_UNSAID = 2 /* bytes that no one has called so */
};

/* How far-fetched a match may be: of a number with few digits, something far-fetched always is. */
static int cost_max(const rk_index_query *q)
{
    double low = (double)q->low / (double)q->den, width = (double)(q->high - q->low) / (double)q->den;
    double sharpness = width > 0 ? low / width : low;

    if (q->cost_max)
        return q->cost_max;
    return sharpness < 1e4 ? COST_OF_ROUGH : sharpness < 1e6 ? COST_OF_FAIR : COST_OF_ANY;
}

/* The first entry that is not below a value. */
static size_t first_from(const rk_index *x, rk_i128 value)
{
    size_t from = 0, to = x->entry.n;

    while (from < to) {
        size_t middle = from + (to - from) / 2;

        if (x->entry.at[middle].value < value)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static double distance(const rk_index_query *q, rk_i128 value)
{
    double middle = ((double)q->low + (double)q->high) / 2 / (double)q->den;
    double off = ((double)value - middle) / middle;

    return q->low == q->high ? 0 : off < 0 ? -off : off;
}

static bool push(rk_arena *a, const rk_match *m, rk_matches *out)
{
    rk_match *kept;

    out->n_all++;
    if (out->at.n >= RK_MATCHES_MAX)
        return true;
    kept = RK_PUSH(a, &out->at);
    if (kept)
        *kept = *m;
    return kept != NULL;
}

/* The values of entries whose multiples by a ratio lie within a query; false: it does not fit into 128 bits. */
static bool divide(const rk_index_query *q, const rk_index_ratio *r, rk_i128 *low, rk_i128 *high)
{
    rk_acc acc = {0};
    rk_i128 unit = rk_mul(&acc, q->den, r->num);

    *low = rk_ceil_div(&acc, rk_mul(&acc, q->low, r->den), unit);
    *high = rk_floor_div(&acc, rk_mul(&acc, q->high, r->den), unit);
    return !acc.overflow;
}

/* An entry and a ratio as a match of a query: what it costs, and whether its value is a whole number. */
static bool make_match(const rk_index_entry *e, const rk_index_ratio *r, const rk_index_query *q, rk_match *out)
{
    bool is_unsaid = q->kinds == RK_INDEX_ANY && r->to == RK_INDEX_BYTES;
    rk_acc acc = {0};
    rk_i128 value = rk_mul(&acc, e->value, r->num);

    *out = (rk_match){.entry = e, .ratio = r, .cost = e->cost + r->cost + (is_unsaid ? COST_OF_UNSAID : 0)};
    if (acc.overflow || value % r->den != 0 || e->kind != r->from || (r->per_head && !e->of_heads))
        return false;
    out->value = value / r->den;
    out->off = distance(q, out->value);
    return true;
}

/* Whether a query asks for what a ratio gives; as many bytes as numbers, which no one has called bytes, are numbers. */
static bool is_asked(const rk_index *x, const rk_index_query *q, const rk_index_ratio *r)
{
    bool same = r->from != r->to && r->by == rk_ex_int(x->instance->pool, 1);

    return ((q->kinds >> r->to) & 1) && !(same && q->kinds == RK_INDEX_ANY);
}

static bool find_ratio(const rk_index *x, rk_arena *a, const rk_index_query *q, const rk_index_ratio *r,
                       rk_matches *out)
{
    int most = cost_max(q);
    rk_i128 low, high;

    if (!is_asked(x, q, r) || !divide(q, r, &low, &high))
        return true;
    for (size_t i = first_from(x, low); i < x->entry.n && x->entry.at[i].value <= high; i++) {
        rk_match m;

        if (make_match(&x->entry.at[i], r, q, &m) && m.cost <= most && !push(a, &m, out))
            return false;
    }
    return true;
}

bool rk_index_match(const rk_index *x, const rk_index_entry *e, const rk_index_query *q, rk_match *out)
{
    bool found = false;

    for (size_t i = 0; i < x->ratio.n; i++) {
        const rk_index_ratio *r = &x->ratio.at[i];
        rk_i128 low, high;
        rk_match m;

        if (!is_asked(x, q, r) || !divide(q, r, &low, &high) || e->value < low || e->value > high)
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
    for (size_t i = 0; i < x->ratio.n; i++)
        if (!find_ratio(x, a, q, &x->ratio.at[i], out))
            return rk_fail_memory(err);
    return RK_OK;
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
    return x->ratio != y->ratio ? (x->ratio < y->ratio ? -1 : 1) : (x->entry < y->entry ? -1 : x->entry > y->entry);
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

static void keep_simplest(rk_matches *m)
{
    size_t n = 0;

    for (size_t i = 0; i < m->at.n; i++)
        if (n == 0 || by_subject(&m->at.at[n - 1], &m->at.at[i]) != 0)
            m->at.at[n++] = m->at.at[i];
    m->n_all -= m->at.n - n;
    m->at.n = n;
}

void rk_matches_rank(rk_matches *m)
{
    if (m->at.n < 2)
        return;
    qsort(m->at.at, m->at.n, sizeof *m->at.at, by_subject_and_cost);
    keep_simplest(m);
    qsort(m->at.at, m->at.n, sizeof *m->at.at, by_cost);
}

void rk_index_near(const rk_index *x, const rk_index_query *q, const rk_index_entry **below,
                   const rk_index_entry **above)
{
    size_t at = first_from(x, q->low / q->den), n = x->entry.n;

    *below = *above = NULL;
    for (size_t i = at; i > 0 && !*below; i--)
        if ((q->kinds >> x->entry.at[i - 1].kind) & 1)
            *below = &x->entry.at[i - 1];
    for (size_t i = at; i < n && !*above; i++)
        if ((q->kinds >> x->entry.at[i].kind) & 1 && x->entry.at[i].value > q->high / q->den)
            *above = &x->entry.at[i];
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
