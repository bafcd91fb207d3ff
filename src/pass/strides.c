/* SPDX-License-Identifier: MIT */
#include "pass/strides.h"

void rk_dims_pack(rk_conditions *q, rk_dims *d)
{
    rk_size stride = rk_size_of(q, 1);

    for (size_t i = d->n; i > 0; i--) {
        rk_dim *a = &d->at[i - 1];

        a->stride = stride;
        if (!rk_size_is(q, a->size, 0))
            stride = rk_size_times(q, stride, a->size);
    }
}

bool rk_dims_are_packed(rk_conditions *q, const rk_dims *d)
{
    rk_size stride = rk_size_of(q, 1);

    for (size_t i = d->n; i > 0; i--) {
        const rk_dim *a = &d->at[i - 1];

        if (rk_size_is(q, a->size, 1))
            continue;
        if (!rk_size_equals(q, a->stride, stride))
            return false;
        stride = rk_size_times(q, stride, a->size);
    }
    return true;
}

/* ---- views ------------------------------------------------------------------------------------------------------ */

/* The wanted axes from *k on that a run of `count` elements with a last stride of `stride` is split into. */
static bool split_run(rk_conditions *q, rk_dims *want, size_t *k, rk_size count, rk_size stride)
{
    rk_size n = rk_size_of(q, 1);

    while (*k > 0 && (rk_size_less(q, n, count) || rk_size_is(q, want->at[*k - 1].size, 1))) {
        rk_dim *w = &want->at[*k - 1];

        w->stride = rk_size_times(q, n, stride);
        n = rk_size_times(q, n, w->size);
        --*k;
    }
    return rk_size_equals(q, n, count);
}

/* A run goes on as long as each axis steps over all of the ones after it. */
static bool run_ends(rk_conditions *q, const rk_dims *d, size_t i, rk_size count, rk_size last)
{
    return i == 1 || (!rk_size_is(q, d->at[i - 2].size, 1) &&
                      !rk_size_equals(q, d->at[i - 2].stride, rk_size_times(q, count, last)));
}

bool rk_dims_view(rk_conditions *q, const rk_dims *d, rk_dims *want)
{
    size_t k = want->n;
    rk_size one = rk_size_of(q, 1), count = one, last = d->n > 0 ? d->at[d->n - 1].stride : one;

    for (size_t i = d->n; i > 0; i--) {
        if (rk_size_is(q, d->at[i - 1].size, 0)) {
            rk_dims_pack(q, want);
            return true;
        }
        count = rk_size_times(q, count, d->at[i - 1].size);
        if (!run_ends(q, d, i, count, last))
            continue;
        if (!split_run(q, want, &k, count, last))
            return false;
        last = i > 1 ? d->at[i - 2].stride : one;
        count = one;
    }
    while (k > 0 && rk_size_is(q, want->at[k - 1].size, 1))
        want->at[--k].stride = one;
    return k == 0;
}

/* ---- elementwise ------------------------------------------------------------------------------------------------ */

/* Whether axis a lies inside of axis b: 1, outside: -1, or no operand can tell: 0. */
static int inside(rk_conditions *q, const rk_dims *in, size_t n_in, const rk_dims *out, size_t a, size_t b)
{
    for (size_t k = 0; k < n_in; k++) {
        rk_size x = in[k].at[a].stride, y = in[k].at[b].stride;

        if (rk_size_is(q, x, 0) || rk_size_is(q, y, 0))
            continue;
        if (!rk_size_equals(q, x, y))
            return rk_size_less(q, x, y) ? 1 : -1;
        if (rk_size_less(q, out->at[a].size, out->at[b].size))
            return 1;
    }
    return 0;
}

/* Axes from the innermost to the outermost: an insertion sort in which some pairs cannot be told apart. */
static void sort_axes(rk_conditions *q, const rk_dims *in, size_t n_in, const rk_dims *out, size_t *order)
{
    for (size_t i = 0; i < out->n; i++)
        order[i] = out->n - 1 - i;
    for (size_t i = 1; i < out->n; i++) {
        size_t here = i;

        for (size_t k = i; k > 0; k--) {
            int c = inside(q, in, n_in, out, order[here], order[k - 1]);

            if (c < 0)
                break;
            if (c > 0) {
                size_t moved = order[here];

                order[here] = order[k - 1];
                order[k - 1] = moved;
                here = k - 1;
            }
        }
    }
}

static bool lie_alike(rk_conditions *q, const rk_dims *in, size_t n_in)
{
    for (size_t k = 1; k < n_in; k++)
        for (size_t i = 0; i < in[0].n; i++)
            if (!rk_size_equals(q, in[k].at[i].stride, in[0].at[i].stride) && !rk_size_is(q, in[0].at[i].size, 1))
                return false;
    return true;
}

/* No element is shared and none lies between. */
static bool is_dense(rk_conditions *q, const rk_dims *d)
{
    rk_size count = rk_size_of(q, 1), reach = count, less = rk_size_of(q, -1);

    for (size_t i = 0; i < d->n; i++) {
        const rk_dim *a = &d->at[i];

        if (rk_size_is(q, a->size, 1))
            continue;
        count = rk_size_times(q, count, a->size);
        reach = rk_size_plus(q, reach, rk_size_times(q, rk_size_plus(q, a->size, less), a->stride));
    }
    return rk_size_equals(q, count, reach);
}

void rk_dims_elementwise(rk_conditions *q, rk_dims *out, const rk_dims *in, size_t n_in)
{
    size_t order[RK_DIMS_MAX];
    rk_size stride = rk_size_of(q, 1);

    if (n_in > 0 && lie_alike(q, in, n_in) && is_dense(q, &in[0])) {
        for (size_t i = 0; i < out->n; i++)
            out->at[i].stride = in[0].at[i].stride;
        return;
    }
    sort_axes(q, in, n_in, out, order);
    for (size_t i = 0; i < out->n; i++) {
        out->at[order[i]].stride = stride;
        stride = rk_size_times(q, stride, out->at[order[i]].size);
    }
}
