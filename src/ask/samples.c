/* SPDX-License-Identifier: MIT */
#include "ask/samples.h"

#include <string.h>

#define OUTSIDE_MOST 1024 /* operations outside of layers that are points of their own; more are as those of layers */

rk_samples *rk_samples_new(rk_arena *a, size_t points)
{
    rk_samples *s = RK_NEW(a, rk_samples);

    if (!s)
        return NULL;
    *s = (rk_samples){.points = points, .each = 1, .room = 2 * points + OUTSIDE_MOST};
    s->at = RK_NEW_ARRAY(a, s->room + 1, rk_sample);
    return s->at ? s : NULL;
}

/* Whether a point may take more: it is of the same act, and both are in layers. */
static bool joins(const rk_samples *s, const rk_sample *into, rk_act act, uint32_t layer)
{
    return into->act == act && into->layer != RK_NONE && layer != RK_NONE && into->n < s->each;
}

static void take(rk_sample *into, const rk_sample *x)
{
    size_t first = into->first, n = into->n + x->n;

    if (x->total > into->total)
        *into = *x;
    into->first = first;
    into->n = n;
}

/* Twice as many operations of layers in each point. */
static void thin(rk_samples *s)
{
    size_t n = 0;

    s->each *= 2;
    for (size_t i = 0; i < s->n; i++) {
        if (n > 0 && joins(s, &s->at[n - 1], s->at[i].act, s->at[i].layer))
            take(&s->at[n - 1], &s->at[i]);
        else
            s->at[n++] = s->at[i];
    }
    s->n = n;
}

/* Most of them: of no operation that is one of several, and not their largest, anything but that is kept. */
static bool pass_over(void *self, rk_act act, uint32_t layer, rk_i128 total)
{
    rk_samples *s = self;
    rk_sample *last = s->n > 0 ? &s->at[s->n - 1] : NULL;

    if (!last || total > last->total || !joins(s, last, act, layer))
        return false;
    last->n++;
    s->n_op++;
    return true;
}

static void see(void *self, const rk_observed_op *o)
{
    rk_samples *s = self;
    uint32_t layer = o->n_layer > 0 ? o->layer[0] : RK_NONE;
    rk_sample *at = s->n > 0 ? &s->at[s->n - 1] : NULL;
    bool full = false;

    if (pass_over(self, o->act, layer, o->total))
        return;
    if (!at || !joins(s, at, o->act, layer)) {
        for (int tries = 0; s->n >= s->room && tries < 32; tries++)
            thin(s);
        full = s->n >= s->room; /* nothing but operations outside of layers */
        at = full ? &s->at[s->n - 1] : &s->at[s->n++];
        if (!full)
            *at = (rk_sample){.first = s->n_op, .total = -1};
    }
    s->n_op++;
    at->n++;
    if (o->total <= at->total && full)
        return;
    at->act = o->act;
    at->op = o->op;
    at->layer = layer;
    at->total = o->total;
    memcpy(at->bytes, o->bytes, sizeof at->bytes);
}

void rk_samples_end(rk_samples *s)
{
    size_t outside = 0, before = 0;

    for (size_t i = 0; i < s->n; i++)
        outside += s->at[i].layer == RK_NONE;
    while (s->n > s->points + outside && s->n != before) {
        before = s->n;
        thin(s);
    }
}

rk_observer rk_samples_observer(rk_samples *s)
{
    return (rk_observer){.op = see, .passes_over = pass_over, .self = s};
}
