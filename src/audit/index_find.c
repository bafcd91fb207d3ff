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

static bool push(rk_arena *a, const rk_index_query *q, rk_match m, rk_matches *out)
{
    rk_match *kept;

    out->n_all++;
    if (out->at.n >= RK_MATCHES_MAX)
        return true;
    kept = RK_PUSH(a, &out->at);
    if (!kept)
        return false;
    m.off = distance(q, m.value);
    *kept = m;
    return true;
}

/* Entries whose multiple by a ratio lies within the query, and is a whole number. */
static bool find_ratio(const rk_index *x, rk_arena *a, const rk_index_query *q, const rk_index_ratio *r,
                       rk_matches *out)
{
    rk_acc acc = {0};
    rk_i128 unit = rk_mul(&acc, q->den, r->num);
    rk_i128 low = rk_ceil_div(&acc, rk_mul(&acc, q->low, r->den), unit);
    rk_i128 high = rk_floor_div(&acc, rk_mul(&acc, q->high, r->den), unit);
    int most = cost_max(q), unsaid = q->kinds == RK_INDEX_ANY && r->to == RK_INDEX_BYTES ? COST_OF_UNSAID : 0;

    if (unsaid && r->from != RK_INDEX_BYTES && r->by == rk_ex_int(x->model->pool, 1))
        return true; /* as many bytes as numbers: it is one of those already */
    for (size_t i = acc.overflow ? x->entry.n : first_from(x, low); i < x->entry.n; i++) {
        const rk_index_entry *e = &x->entry.at[i];
        rk_match m = {.entry = e, .ratio = r, .cost = e->cost + r->cost + unsaid};

        if (e->value > high)
            break;
        if (e->kind != r->from || m.cost > most || (r->per_head && !e->of_heads))
            continue;
        m.value = rk_mul(&acc, e->value, r->num);
        if (!acc.overflow && m.value % r->den == 0 && !push(a, q, (m.value /= r->den, m), out))
            return false;
        acc.overflow = false;
    }
    return true;
}

int rk_index_find(const rk_index *x, rk_arena *a, const rk_index_query *q, rk_matches *out, rk_err *err)
{
    for (size_t i = 0; i < x->ratio.n; i++)
        if ((q->kinds >> x->ratio.at[i].to) & 1 && !find_ratio(x, a, q, &x->ratio.at[i], out))
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

rk_ex rk_match_formula(const rk_index *x, const rk_match *m, const rk_model **model)
{
    rk_ex e = rk_index_formula(x, m->entry, model);
    rk_i128 num = 1, den = 1;

    if (*model == x->model)
        return rk_ex_mul(x->model->pool, e, m->ratio->by);
    /* An account of memory has a pool of its own; its views are plain numbers. */
    return rk_ex_is_quotient(x->model->pool, m->ratio->by, &num, &den)
               ? rk_ex_mul((*model)->pool, e, rk_ex_ratio((*model)->pool, num, den))
               : RK_EX_FAILED;
}
