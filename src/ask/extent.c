/* SPDX-License-Identifier: MIT */
#include "ask/extent.h"

#include <math.h>
#include <string.h>

#define LEAST_TOP 64         /* a curve goes at least so far, … */
#define TOP_OVER 4           /* … so many times the number of the step, and twice the last that fits */
#define DEVICES_MOST_BITS 10 /* of devices up to 1,024 */

/* The request without the settings of a symbol, which varies. */
static int leave_out(rk_arena *a, const char *symbol, rk_run_request *r, rk_err *err)
{
    rk_setting *set = RK_NEW_ARRAY(a, r->open.n_setting + 1, rk_setting);
    size_t n = 0;

    if (!set)
        return rk_fail_memory(err);
    for (size_t i = 0; i < r->open.n_setting; i++)
        if (strcmp(r->open.setting[i].name, symbol) != 0)
            set[n++] = r->open.setting[i];
    r->open.setting = set;
    r->open.n_setting = n;
    return RK_OK;
}

/* Where the curve ends: a power of two. */
static rk_i128 top_of(const rk_extent *x)
{
    rk_i128 least = x->now * TOP_OVER, top = LEAST_TOP;

    if (x->fit.limit > 0 && 2 * x->fit.largest > least && x->fit.largest < RK_LARGEST_MAX / 4)
        least = 2 * x->fit.largest;
    while (top < least)
        top *= 2;
    return top;
}

/* Numbers that lie on a logarithmic axis as evenly as whole numbers can. */
static int draw(rk_gauge *g, rk_extent *x, rk_err *err)
{
    double top = log2((double)top_of(x));
    rk_i128 before = 0;
    rk_err why = {0};
    int code = RK_OK;

    for (size_t i = 0; i < RK_EXTENT_POINTS && code == RK_OK; i++) {
        rk_i128 number = (rk_i128)floor(exp2(top * (double)i / (RK_EXTENT_POINTS - 1)) + 0.5);
        rk_reading peak;

        if (number <= before)
            continue;
        code = rk_gauge_read(g, &number, &peak, &why);
        if (code == RK_EINPUT || code == RK_EVALUE || code == RK_EOVERFLOW) { /* the model does not allow this one */
            code = RK_OK;
            continue;
        }
        x->point[x->n++] = (rk_extent_point){number, peak.over};
        before = number;
    }
    if (code != RK_OK && err)
        *err = why;
    return code;
}

static int extent_of(rk_arena *a, const rk_run_request *r, const char *symbol, rk_i128 now, rk_i128 limit,
                     rk_extents *out, rk_err *err)
{
    rk_run_request with = *r;
    rk_gauge_source source;
    rk_measure peak;
    rk_gauge *g = NULL;
    rk_extent x = {.symbol = symbol, .now = now};
    rk_i128 number = now;
    rk_err why = {0};
    int code = leave_out(a, symbol, &with, err);

    if (code == RK_OK)
        code = rk_measure_parse(a, "memory.peak", &peak, err);
    if (code == RK_OK)
        code = rk_gauge_source_new(a, &with, &symbol, 1, &source, err);
    if (code != RK_OK)
        return code;
    code = rk_gauge_new(&source, &peak, 1, &now, &g, &why);
    if (code == RK_OK && limit > 0)
        code = rk_gauge_room(g, &number, limit, &x.fit, &why);
    if (code == RK_OK)
        x.fit.limit = limit;
    if (code == RK_OK)
        code = draw(g, &x, &why);
    if (code == RK_OK)
        out->at[out->n++] = x;
    rk_gauge_free(g);
    return rk_after_try(code, &why, err); /* a size that this model does not let vary has no curve */
}

/* The peak on one of so many devices; 0: it cannot be divided so. */
static int peak_on(rk_arena *a, const rk_run_request *r, int devices, rk_i128 *out, rk_err *err)
{
    rk_run_request with = *r;
    rk_run run = {0};
    rk_memory *m = NULL;
    rk_err why = {0};
    int code;

    if (devices > 1 && !(with.layout.said[RK_LAYOUT_LINE] = rk_arena_format(a, "fsdp=%d", devices)))
        return rk_fail_memory(err);
    code = rk_run_open(&with, &run, &why);
    run.options.brief = run.options.unnamed = true;
    if (code == RK_OK)
        code = rk_memory_new(run.opened.instance, &run.options, &m, &why);
    *out = code == RK_OK ? m->peak : 0;
    rk_memory_free(m);
    rk_run_close(&run);
    return rk_after_try(code, &why, err);
}

static int extent_devices(rk_arena *a, const rk_run_request *r, rk_i128 limit, rk_extents *out, rk_err *err)
{
    rk_extent x = {.symbol = RK_EXTENT_DEVICES, .now = 1, .is_more_less = true, .fit = {.limit = limit}};
    int code = RK_OK;

    for (int bit = 0; bit <= DEVICES_MOST_BITS && code == RK_OK; bit++) {
        rk_i128 peak = 0, before = x.n > 0 ? x.point[x.n - 1].peak : 0;

        code = peak_on(a, r, 1 << bit, &peak, err);
        if (code != RK_OK || peak == 0)
            break;
        x.point[x.n++] = (rk_extent_point){1 << bit, peak};
        if (limit > 0 && peak <= limit && x.fit.largest == 0) {
            x.fit.largest = 1 << bit;
            x.fit.bytes = peak;
            x.fit.next = before; /* of half as many */
        }
    }
    if (code == RK_OK && x.n > 1)
        out->at[out->n++] = x;
    return code;
}

int rk_extents_find(rk_arena *a, const rk_run_request *r, const rk_run *run, rk_i128 limit, rk_extents *out,
                    rk_err *err)
{
    const rk_instance *m = run->opened.instance;
    bool train = run->options.phase == RK_PHASE_TRAIN, decode = run->options.phase == RK_PHASE_DECODE;
    const rk_symbol *symbol[] = {rk_model_size(m->model, RK_SIZE_BATCH),
                                 rk_model_size(m->model, decode ? RK_SIZE_KEYS : RK_SIZE_TOKENS)};
    int code = RK_OK;

    *out = (rk_extents){0};
    for (size_t i = 0; i < 2 && code == RK_OK; i++)
        if (symbol[i] && m->known[symbol[i]->sym])
            code = extent_of(a, r, symbol[i]->name, m->value[symbol[i]->sym], limit, out, err);
    if (code == RK_OK && train && !run->options.layout && !run->options.profile.textbook)
        code = extent_devices(a, r, limit, out, err);
    return code;
}
