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
    out[RK_BYTES_OUTPUT] = add_terms(p->output, p->n_output, size, &acc); /* less than the rows */
    return RK_OK;
}

/* ---- any numbers ------------------------------------------------------------------------------------------------ */

void rk_peaks_free(rk_peaks *p)
{
    for (size_t i = 0; i < p->n; i++)
        rk_peak_free(p->peak[i]);
    rk_heap_free(p->scratch);
    *p = (rk_peaks){0};
}

/* Takes a compiled step over, in the place of the one that was not used for longest where there are too many. */
static int add_peak(rk_peaks *p, rk_peak *new, rk_err *err)
{
    size_t n = rk_peak_scratch(new);
    rk_i128 *wider = n > p->n_scratch ? rk_heap_resize(p->scratch, n * sizeof *wider) : p->scratch;

    if (!wider) {
        rk_peak_free(new);
        return rk_fail_memory(err);
    }
    p->scratch = wider;
    p->n_scratch = n > p->n_scratch ? n : p->n_scratch;
    if (p->n == RK_PEAKS_MAX)
        rk_peak_free(p->peak[--p->n]);
    memmove(&p->peak[1], &p->peak[0], p->n++ * sizeof *p->peak);
    p->peak[0] = new;
    return RK_OK;
}

int rk_peaks_account(rk_peaks *p, const rk_instance *m, const rk_memory_options *o, rk_memory **out, rk_err *err)
{
    rk_peak *new = NULL;
    int code = rk_peak_with_account(m, o, &new, out, err);

    if (code == RK_ELIMIT && p->walks)
        return rk_memory_new(m, o, out, err);
    return code == RK_OK ? add_peak(p, new, err) : code;
}

/* The step of the class of these numbers, in the first place; false: none is compiled yet. */
static bool find_peak(rk_peaks *p, const rk_binding *at)
{
    size_t i = 0;
    rk_peak *found;

    while (i < p->n && !rk_peak_holds(p->peak[i], at, p->scratch))
        i++;
    if (i == p->n)
        return false;
    found = p->peak[i];
    memmove(&p->peak[1], &p->peak[0], i * sizeof *p->peak);
    p->peak[0] = found;
    return true;
}

static int walk(const rk_instance *m, const rk_memory_options *o, rk_i128 out[RK_N_BYTES], rk_err *err)
{
    rk_memory *x = NULL;
    int code = rk_memory_new(m, o, &x, err);

    if (code != RK_OK)
        return code;
    out[RK_BYTES_WEIGHTS] = x->parameters;
    out[RK_BYTES_GRADIENTS] = x->gradients;
    out[RK_BYTES_OPTIMIZER] = x->optimizer;
    out[RK_BYTES_SAVED] = x->saved;
    out[RK_BYTES_CACHE] = x->cache;
    out[RK_BYTES_PEAK] = x->peak;
    out[RK_BYTES_OUTPUT] = x->output;
    rk_memory_free(x);
    return RK_OK;
}

int rk_peaks_read(rk_peaks *p, const rk_instance *m, const rk_memory_options *o, rk_i128 out[RK_N_BYTES], rk_err *err)
{
    rk_peak *new = NULL;
    int code = RK_OK;

    if (!find_peak(p, &m->at)) {
        code = rk_peak_new(m, o, &new, err);
        if (code == RK_ELIMIT && p->walks)
            return walk(m, o, out, err);
        if (code == RK_OK)
            code = add_peak(p, new, err);
    }
    return code == RK_OK ? rk_peak_eval(p->peak[0], &m->at, p->scratch, out, err) : code;
}
