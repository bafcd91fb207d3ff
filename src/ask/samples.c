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

static void see(void *self, const rk_observed_op *o)
{
    rk_samples *s = self;
    rk_sample x = {.first = s->n_op++,
                   .n = 1,
                   .act = o->act,
                   .op = o->op,
                   .layer = o->n_layer > 0 ? o->layer[0] : RK_NONE,
                   .total = o->total};
    bool joined = s->n > 0 && joins(s, &s->at[s->n - 1], x.act, x.layer);

    if (joined && x.total <= s->at[s->n - 1].total) { /* most of them: nothing is copied */
        s->at[s->n - 1].n++;
        return;
    }
    memcpy(x.bytes, o->bytes, sizeof x.bytes);
    if (joined) {
        take(&s->at[s->n - 1], &x);
        return;
    }
    for (int tries = 0; s->n >= s->room && tries < 32; tries++)
        thin(s);
    if (s->n >= s->room) /* nothing but operations outside of layers */
        take(&s->at[s->n - 1], &x);
    else
        s->at[s->n++] = x;
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
    return (rk_observer){.op = see, .self = s};
}
