/* SPDX-License-Identifier: MIT */
#include "account/peak_table.h"

#include <string.h>

void rk_peak_free(rk_peak *p)
{
    if (!p)
        return;
    rk_tape_free(p->bytes);
    rk_tape_free(p->numbers);
    rk_arena_free(&p->arena);
    rk_heap_free(p);
}

rk_peak_size rk_peak_measure(const rk_peak *p)
{
    return (rk_peak_size){.rows = p->n_row, .sizes = p->n_size, .questions = p->n_question};
}

/* ---- the class -------------------------------------------------------------------------------------------------- */

size_t rk_peak_scratch(const rk_peak *p)
{
    size_t bytes = p->n_size + RK_BYTES_PEAK + rk_tape_scratch(p->bytes);
    size_t numbers = 2 * p->n_question + rk_tape_scratch(p->numbers);

    return bytes > numbers ? bytes : numbers;
}

static bool is_pinned(const rk_peak_pin *x, const rk_binding *at)
{
    bool known = x->sym < at->n && at->known[x->sym];

    return known == x->known && (!known || at->value[x->sym] == x->value);
}

bool rk_peak_holds(const rk_peak *p, const rk_binding *at, rk_i128 *scratch)
{
    const rk_i128 *n = scratch;

    for (size_t i = 0; i < p->n_pin; i++)
        if (!is_pinned(&p->pin[i], at))
            return false;
    if (rk_tape_eval(p->numbers, at, scratch + 2 * p->n_question, scratch, NULL) != RK_OK)
        return false;
    for (size_t i = 0; i < p->n_question; i++, n += 2)
        if (!(p->answer[i] & (unsigned)(n[0] < n[1] ? RK_LESS : n[0] == n[1] ? RK_EQUAL : RK_MORE)))
            return false;
    return true;
}

/* ---- a point ---------------------------------------------------------------------------------------------------- */

/* Rounds each size up as the allocator does; returns the largest, or -1 where one is no size. */
static rk_i128 round_up(const rk_peak *p, rk_i128 *size, rk_acc *acc)
{
    rk_i128 most = 0, less = p->rounding - 1;

    for (size_t i = 0; i < p->n_size; i++) {
        rk_i128 n = rk_add(acc, size[i], less);

        if (size[i] < 0)
            return -1;
        size[i] = n <= INT64_MAX ? (int64_t)n / p->rounding * p->rounding : n / p->rounding * p->rounding;
        most = size[i] > most ? size[i] : most;
    }
    return most;
}

static rk_i128 add_terms(const rk_peak_term *t, size_t n, const rk_i128 *size, rk_acc *acc)
{
    rk_i128 sum = 0;

    for (size_t i = 0; i < n; i++)
        sum = rk_add(acc, sum, rk_mul(acc, size[t[i].size], t[i].count));
    return sum;
}

static rk_i128 largest_row(const rk_peak *p, const rk_i128 *size, rk_acc *acc)
{
    rk_i128 most = 0;

    for (size_t i = 0, at = 0; i < p->n_row; at = p->end[i++]) {
        rk_i128 sum = add_terms(p->term + at, p->end[i] - at, size, acc);

        most = sum > most ? sum : most;
    }
    return most;
}

/* The same where every sum has room in 64 bits. */
static uint64_t largest_row_narrow(const rk_peak *p, const rk_i128 *size)
{
    const rk_peak_term *t = p->term;
    uint64_t most = 0;

    for (size_t i = 0; i < p->n_row; i++) {
        uint64_t sum = 0;

        for (const rk_peak_term *end = p->term + p->end[i]; t < end; t++)
            sum += (uint64_t)size[t->size] * t->count;
        most = sum > most ? sum : most;
    }
    return most;
}

int rk_peak_eval(const rk_peak *p, const rk_binding *at, rk_i128 *scratch, rk_i128 out[RK_N_BYTES], rk_err *err)
{
    rk_i128 *size = scratch, largest, rows;
    rk_acc acc = {0};
    int code = rk_tape_eval(p->bytes, at, scratch + p->n_size + RK_BYTES_PEAK, size, err);

    if (code != RK_OK)
        return code;
    largest = round_up(p, size, &acc);
    if (largest < 0)
        return rk_fail(err, RK_EVALUE, "a buffer would have less than no bytes");
    rows = largest <= (rk_i128)(UINT64_MAX / (p->crowd + 1)) ? (rk_i128)largest_row_narrow(p, size)
                                                             : largest_row(p, size, &acc);
    rows = rk_add(&acc, rows, rk_add(&acc, p->fixed, add_terms(p->common, p->n_common, size, &acc)));
    if (acc.overflow)
        return rk_fail(err, RK_EOVERFLOW, "the peak needs more than 128 bits");
    memcpy(out, size + p->n_size, RK_BYTES_PEAK * sizeof *out);
    out[RK_BYTES_PEAK] = rows;
    return RK_OK;
}
