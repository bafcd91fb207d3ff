/* SPDX-License-Identifier: MIT */
#include "pass/strides.h"

void rk_dims_pack(rk_dims *d)
{
    int64_t stride = 1;

    for (size_t i = d->n; i > 0; i--) {
        d->at[i - 1].stride = stride;
        stride *= d->at[i - 1].size > 0 ? d->at[i - 1].size : 1;
    }
}

bool rk_dims_are_packed(const rk_dims *d)
{
    int64_t stride = 1;

    for (size_t i = d->n; i > 0; i--) {
        const rk_dim *a = &d->at[i - 1];

        if (a->size == 1)
            continue;
        if (a->stride != stride)
            return false;
        stride *= a->size;
    }
    return true;
}

/* ---- views ------------------------------------------------------------------------------------------------------ */

/* The wanted axes from *k on that a run of `count` elements with a last stride of `stride` is split into. */
static bool split_run(rk_dims *want, size_t *k, int64_t count, int64_t stride)
{
    int64_t n = 1;

    while (*k > 0 && (n < count || want->at[*k - 1].size == 1)) {
        rk_dim *w = &want->at[*k - 1];

        w->stride = n * stride;
        n *= w->size;
        --*k;
    }
    return n == count;
}

bool rk_dims_view(const rk_dims *d, rk_dims *want)
{
    size_t k = want->n;
    int64_t count = 1, last = d->n > 0 ? d->at[d->n - 1].stride : 1;

    for (size_t i = d->n; i > 0; i--) {
        const rk_dim *a = &d->at[i - 1];
        bool ends;

        if (a->size == 0) {
            rk_dims_pack(want);
            return true;
        }
        count *= a->size;
        /* A run goes on as long as each axis steps over all of the ones behind it. */
        ends = i == 1 || (d->at[i - 2].size != 1 && d->at[i - 2].stride != count * last);
        if (!ends)
            continue;
        if (!split_run(want, &k, count, last))
            return false;
        last = i > 1 ? d->at[i - 2].stride : 1;
        count = 1;
    }
    while (k > 0 && want->at[k - 1].size == 1)
        want->at[--k].stride = 1;
    return k == 0;
}

/* ---- elementwise ------------------------------------------------------------------------------------------------ */

/* Whether axis a lies inside of axis b: 1, outside: -1, or no operand can tell: 0. */
static int inside(const rk_dims *in, size_t n_in, const rk_dims *out, size_t a, size_t b)
{
    for (size_t k = 0; k < n_in; k++) {
        int64_t x = in[k].at[a].stride, y = in[k].at[b].stride;

        if (x == 0 || y == 0)
            continue;
        if (x != y)
            return x < y ? 1 : -1;
        if (out->at[a].size < out->at[b].size)
            return 1;
    }
    return 0;
}

/* Axes from the innermost to the outermost: an insertion sort in which some pairs cannot be told apart. */
static void sort_axes(const rk_dims *in, size_t n_in, const rk_dims *out, size_t *order)
{
    for (size_t i = 0; i < out->n; i++)
        order[i] = out->n - 1 - i;
    for (size_t i = 1; i < out->n; i++) {
        size_t here = i;

        for (size_t k = i; k > 0; k--) {
            int c = inside(in, n_in, out, order[here], order[k - 1]);

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

static bool lie_alike(const rk_dims *in, size_t n_in)
{
    for (size_t k = 1; k < n_in; k++)
        for (size_t i = 0; i < in[0].n; i++)
            if (in[k].at[i].stride != in[0].at[i].stride && in[0].at[i].size != 1)
                return false;
    return true;
}

/* No element is shared and none lies between. */
static bool is_dense(const rk_dims *d)
{
    int64_t count = 1, reach = 1;

    for (size_t i = 0; i < d->n; i++) {
        if (d->at[i].size == 1)
            continue;
        count *= d->at[i].size;
        reach += (d->at[i].size - 1) * d->at[i].stride;
    }
    return count == reach;
}

void rk_dims_elementwise(rk_dims *out, const rk_dims *in, size_t n_in)
{
    size_t order[RK_DIMS_MAX];
    int64_t stride = 1;

    if (n_in > 0 && lie_alike(in, n_in) && is_dense(&in[0])) {
        for (size_t i = 0; i < out->n; i++)
            out->at[i].stride = in[0].at[i].stride;
        return;
    }
    sort_axes(in, n_in, out, order);
    for (size_t i = 0; i < out->n; i++) {
        out->at[order[i]].stride = stride;
        stride *= out->at[order[i]].size;
    }
}
