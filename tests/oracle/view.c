/* SPDX-License-Identifier: MIT */
/* Which element a list of axes reads, and walking over labels. */
#include "oracle.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fail_world(world *w, const char *fmt, ...)
{
    va_list ap;

    if (w->wrong[0] != '\0')
        return;
    va_start(ap, fmt);
    vsnprintf(w->wrong, sizeof w->wrong, fmt, ap);
    va_end(ap);
}

void *need(world *w, size_t n, size_t size)
{
    void *p = rk_alloc_array(&w->arena, n, size);

    if (p == NULL) {
        fprintf(stderr, "oracle: out of memory\n");
        exit(4);
    }
    return p;
}

long eval_size(world *w, rk_ex e)
{
    rk_binding at = rk_model_binding(w->model);
    rk_i128 value = 0;
    rk_err err;

    if (rk_ex_eval(w->p->pool, e, &at, &value, &err) != RK_OK) {
        fail_world(w, "a size has no value: %s", err.message);
        return 0;
    }
    if (value > 1000000 || value < -1000000) {
        fail_world(w, "a size of %ld is not tiny", (long)value);
        return 0;
    }
    return (long)value;
}

/* ---- labels -------------------------------------------------------------------------------------------------- */

bool labels_has(const labels *l, uint32_t label)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->at[i] == label)
            return true;
    return false;
}

void labels_add(labels *l, uint32_t label)
{
    if (labels_has(l, label))
        return;
    if (l->n == LABELS_MAX) {
        fprintf(stderr, "oracle: more than %d labels in one operation\n", LABELS_MAX);
        exit(4);
    }
    l->at[l->n++] = label;
}

void labels_add_view(labels *l, const view *v)
{
    for (size_t i = 0; i < v->n; i++)
        for (size_t j = 0; j < v->at[i].n; j++)
            labels_add(l, v->at[i].label[j]);
}

/* ---- views --------------------------------------------------------------------------------------------------- */

axis axis_flat(world *w, const uint32_t *label, size_t n, long offset, long size)
{
    axis a = {.kind = AXIS_FLAT, .size = size, .offset = offset, .n = n};

    a.label = need(w, n + 1, sizeof *a.label);
    for (size_t i = 0; i < n; i++)
        a.label[i] = label[i];
    return a;
}

axis axis_of(world *w, const rk_ix *ix)
{
    axis a = {.kind = AXIS_LABEL, .size = eval_size(w, ix->size), .n = 1, .chooser = RK_NONE};

    if (ix->kind == RK_IX_ROUTED)
        a.kind = AXIS_ROUTED;
    if (ix->kind == RK_IX_AFFINE) {
        a.kind = AXIS_AFFINE;
        a.n = ix->n_term;
        a.offset = eval_size(w, ix->offset);
    }
    a.label = need(w, a.n + 1, sizeof *a.label);
    a.factor = need(w, a.n + 1, sizeof *a.factor);
    a.label[0] = ix->label;
    for (size_t i = 0; a.kind == AXIS_AFFINE && i < a.n; i++) {
        a.label[i] = ix->term[i].label;
        a.factor[i] = (long)ix->term[i].factor;
    }
    if (a.kind == AXIS_LABEL && a.size != w->size[ix->label])
        fail_world(w, "label %s has size %ld, its axis %ld", w->p->label[ix->label].name, w->size[ix->label], a.size);
    return a;
}

view view_of(world *w, uint32_t tensor, const rk_ixs *axes)
{
    view v = {.tensor = tensor, .n = axes->n};

    v.at = need(w, axes->n + 1, sizeof *v.at);
    for (size_t i = 0; i < axes->n; i++)
        v.at[i] = axis_of(w, &axes->at[i]);
    return v;
}

long view_count(const view *v)
{
    long n = 1;

    for (size_t i = 0; i < v->n; i++)
        n *= v->at[i].size;
    return n;
}

static long flat_index(const world *w, const axis *a)
{
    long at = 0;

    for (size_t i = 0; i < a->n; i++)
        at = at * w->size[a->label[i]] + w->index[a->label[i]];
    return at + a->offset;
}

static long affine_index(const world *w, const axis *a)
{
    long at = a->offset;

    for (size_t i = 0; i < a->n; i++)
        at += a->factor[i] * w->index[a->label[i]];
    return at;
}

static long axis_index(const world *w, const axis *a)
{
    size_t at;

    switch (a->kind) {
    case AXIS_LABEL:
        return w->index[a->label[0]];
    case AXIS_FLAT:
        return flat_index(w, a);
    case AXIS_AFFINE:
        return affine_index(w, a);
    case AXIS_ROUTED:
        break;
    }
    if (a->chooser == RK_NONE || !view_at(w, a->choice, &at))
        return -1;
    return w->op[a->chooser].chosen[a->united + at] - a->offset;
}

bool view_at(const world *w, const view *v, size_t *at)
{
    long sum = 0;

    for (size_t i = 0; i < v->n; i++) {
        const axis *a = &v->at[i];
        long k = a->kind == AXIS_LABEL ? w->index[a->label[0]] : axis_index(w, a);

        if (k < 0 || k >= a->size)
            return false;
        sum = sum * a->size + k;
    }
    *at = (size_t)sum;
    return true;
}

double view_get(const world *w, const view *v)
{
    const cell *c = &w->tensor[v->tensor];
    size_t at;
    bool inside = view_at(w, v, &at);

    if (w->missing != NULL && (c->value == NULL || (inside && c->gone != NULL && c->gone[at]))) {
        *w->missing = v->tensor + 1;
        return 0;
    }
    return inside ? c->value[at] : 0;
}

double view_grad(const world *w, const view *v)
{
    size_t at;

    return view_at(w, v, &at) ? w->tensor[v->tensor].grad[at] : 0;
}

void view_put(world *w, const view *v, double x)
{
    cell *c = &w->tensor[v->tensor];
    size_t at;

    if (!view_at(w, v, &at)) {
        fail_world(w, "a result is written outside of its tensor");
        return;
    }
    c->value[at] = c->nudge != NULL ? x + w->nudge * c->nudge[at] : x;
}

/* Gradients of several uses of an element add up; what was read outside of the tensor was a constant. */
void view_add_grad(world *w, const view *v, double g)
{
    size_t at;

    if (view_at(w, v, &at))
        w->tensor[v->tensor].grad[at] += g;
}

/* ---- walking ------------------------------------------------------------------------------------------------- */

/* Whether the present indices belong to another chunk. */
static bool is_elsewhere(const world *w, const labels *l)
{
    long at = 0;

    for (size_t i = 0; w->chunk != NULL && i < w->chunk->n; i++) {
        if (!labels_has(l, w->chunk->at[i]))
            return false;
        at = at * w->size[w->chunk->at[i]] + w->index[w->chunk->at[i]];
    }
    return w->chunk != NULL && (at < w->chunk_first || at >= w->chunk_end);
}

/* The label of a recurrence that is being run stands still. */
bool walk_first(world *w, const labels *l)
{
    for (size_t i = 0; i < l->n; i++) {
        if (w->size[l->at[i]] == 0)
            return false;
        if (l->at[i] != w->step)
            w->index[l->at[i]] = 0;
    }
    return !is_elsewhere(w, l) || walk_next(w, l);
}

static bool next_index(world *w, const labels *l)
{
    for (size_t i = l->n; i-- > 0;) {
        uint32_t label = l->at[i];

        if (label == w->step)
            continue;
        if (++w->index[label] < w->size[label])
            return true;
        w->index[label] = 0;
    }
    return false;
}

bool walk_next(world *w, const labels *l)
{
    bool more = next_index(w, l);

    while (more && is_elsewhere(w, l))
        more = next_index(w, l);
    return more;
}

/* The sequences of a copy of the model have a place, too, though their label is no piece of another. */
long place_in(const world *w, uint32_t label, uint32_t whole, long at)
{
    while (label != whole && label < w->p->n_label && w->place[label] != NULL) {
        at = w->place[label][at];
        if (w->p->label[label].mesh == 0)
            break;
        label = w->p->label[label].whole;
    }
    return at;
}

long place_of(const world *w, uint32_t label)
{
    return place_in(w, label, RK_NONE, w->index[label]);
}

long index_at(const world *w, uint32_t label, long place)
{
    uint32_t whole = w->p->label[label].whole;
    long at = place;

    if (w->place[label] == NULL)
        return place;
    at = w->p->label[label].mesh == 0 ? place : index_at(w, whole, place);
    for (long i = 0; at >= 0 && i < w->size[label]; i++)
        if (w->place[label][i] == at)
            return i;
    return -1;
}

/* A label that an operation does not walk over stands at 0: an axis of size 1. */
void reset_indices(world *w, const plan *p)
{
    labels all = p->domain;

    labels_add_view(&all, &p->out);
    for (size_t i = 0; i < p->op->n_in; i++)
        labels_add_view(&all, &p->in[i]);
    for (size_t i = 0; i < all.n; i++)
        if (all.at[i] != w->step)
            w->index[all.at[i]] = 0;
}

/* The queries are the last ones of the keys: query q stands at the keys' place q + (keys - queries). */
bool pair_allowed(const world *w, const plan *p)
{
    const rk_mask *m = &p->mask;
    long size = p->mask_size, key, place;

    if (!p->masked)
        return true;
    key = place_of(w, m->key);
    place = place_of(w, m->query) + w->whole[m->key] - w->whole[m->query];
    switch (m->kind) {
    case RK_MASK_FULL:
        return true;
    case RK_MASK_CAUSAL:
        return key <= place;
    case RK_MASK_WINDOW:
        return key <= place && key > place - size;
    case RK_MASK_CHUNK:
        return key <= place && key / size == place / size;
    case RK_MASK_PREFIX:
        return key <= place || (place < size && key < size);
    case RK_MASK_BAND:
        return labs(key - place) <= size;
    case RK_MASK_TILE:
        return key / size == place / size;
    case RK_N_MASK:
        break;
    }
    return true;
}

/* The class that the loss wants at the present place: the first; -1: none, at the last place where that is cut off. */
long wanted_class(const world *w, const plan *p)
{
    size_t n = p->in[0].n;
    uint32_t along = n > 1 ? p->in[0].at[n - 2].label[0] : 0;

    return w->cuts && n > 1 && w->index[along] + 1 == w->size[along] ? -1 : 0;
}

double wanted_count(world *w, const plan *p)
{
    const labels *chunk = w->chunk;
    double n = 0;

    w->chunk = NULL;
    WALK(w, &p->domain)
    {
        n += wanted_class(w, p) >= 0;
    }
    w->chunk = chunk;
    return n;
}
