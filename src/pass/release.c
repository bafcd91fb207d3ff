/* SPDX-License-Identifier: MIT */
#include "pass/walk.h"

#include <stdlib.h>
#include <string.h>

/* ---- who reads what for the last time --------------------------------------------------------------------------- */

/* Events of a group: an operation has been done, a loop begins, a loop has ended. */
uint32_t rk_walk_event_op(size_t op)
{
    return (uint32_t)(2 * op + 1);
}

uint32_t rk_walk_event_enter(const rk_loop *l)
{
    return (uint32_t)(2 * l->first_op);
}

uint32_t rk_walk_event_leave(const rk_loop *l)
{
    return rk_walk_event_op(l->end_op - 1);
}

uint32_t *rk_walk_last_of(rk_walk *w, uint32_t group, uint32_t buffer)
{
    return &w->last[(size_t)group * w->pl->n_buffer + buffer];
}

static void read_at(rk_walk *w, uint32_t group, uint32_t buffer, uint32_t event)
{
    uint32_t *last = rk_walk_last_of(w, group, buffer);

    if (*last == RK_NONE || *last < event)
        *last = event;
}

uint32_t rk_walk_buffer_of(const rk_walk *w, uint32_t tensor)
{
    return w->pl->tensor[tensor].buffer;
}

/* Whether a buffer is a variable of the loop when a layer of this group begins. */
bool rk_walk_comes_in(const rk_walk *w, uint32_t group, uint32_t buffer)
{
    const rk_group *g = &w->p->group[group];

    for (size_t v = 0; g->loop != RK_NONE && v < w->p->loop[g->loop].n_carry; v++)
        if (rk_walk_buffer_of(w, g->in[v]) == buffer)
            return true;
    return false;
}

/* Whether it is one when a loop of this group has ended. */
static bool comes_out(const rk_walk *w, uint32_t group, uint32_t buffer)
{
    for (size_t i = 0; i < w->p->n_loop; i++) {
        const rk_loop *l = &w->p->loop[i];
        const rk_group *end = l->n_group ? &w->p->group[l->group[l->n_group - 1]] : NULL;

        for (size_t v = 0; end && l->parent == group && v < l->n_carry; v++)
            if (rk_walk_buffer_of(w, end->out[v]) == buffer)
                return true;
    }
    return false;
}

/* The group whose affair the buffer is, from the one that reads it outwards; there the reading is an event. */
static void note_read(rk_walk *w, uint32_t group, uint32_t buffer, uint32_t event)
{
    while (w->pl->buffer[buffer].group != group && !rk_walk_comes_in(w, group, buffer) &&
           !comes_out(w, group, buffer)) {
        const rk_group *g = &w->p->group[group];

        if (g->loop == RK_NONE)
            return;
        event = rk_walk_event_leave(&w->p->loop[g->loop]);
        group = g->parent;
    }
    read_at(w, group, buffer, event);
}

static void note_loops(rk_walk *w)
{
    for (size_t i = 0; i < w->p->n_loop; i++) {
        const rk_loop *l = &w->p->loop[i];

        for (size_t v = 0; l->n_group && v < l->n_carry; v++) {
            uint32_t first = rk_walk_buffer_of(w, w->p->group[l->group[0]].in[v]);

            if (first != RK_NONE)
                note_read(w, l->parent, first, rk_walk_event_enter(l));
        }
        for (size_t k = 0; k < l->n_group; k++)
            for (size_t v = 0; v < l->n_carry; v++) {
                uint32_t out = rk_walk_buffer_of(w, w->p->group[l->group[k]].out[v]);

                if (out != RK_NONE)
                    w->carried_out[out] = true;
            }
    }
}

/* From where on a tensor is read from its cache, and not from where it was made. */
static size_t cached_from(const rk_walk *w, uint32_t tensor)
{
    for (size_t k = 0; w->o->cache && w->o->cache[tensor] > 0 && k < w->p->n_keep; k++)
        if (w->p->keep[k].tensor == tensor && w->p->keep[k].last == RK_EX_FAILED) /* of a state it is a copy */
            return w->p->keep[k].at;
    return SIZE_MAX;
}

/* A variable of a part holds its tensor until the part ends; outside of layers, until all ends. */
static void note_variables(rk_walk *w)
{
    for (size_t i = 0; i < w->p->n_tensor; i++) {
        const rk_tensor *t = &w->p->tensor[i];
        uint32_t b = rk_walk_buffer_of(w, (uint32_t)i);
        size_t cached = cached_from(w, (uint32_t)i), until = t->until < cached ? t->until : cached - 1;

        if (t->kind != RK_TENSOR_RESULT || t->until == RK_NONE || b == RK_NONE || w->pl->buffer[b].stored)
            continue;
        if (t->group == 0 && (w->p->op[t->until].group != 0 || t->until + 1 == w->p->n_op))
            w->held[b] = true;
        else
            note_read(w, w->p->op[until].group, b, rk_walk_event_op(until));
    }
}

bool rk_walk_is_skipped(const rk_walk *w, size_t op)
{
    return w->o->skip && w->o->skip[op];
}

/* The function around the layers has what it hands to them. */
static void hold_handed(rk_walk *w)
{
    for (size_t b = 0; b < w->pl->n_buffer; b++)
        if (w->pl->buffer[b].handed)
            w->held[b] = true;
}

/* Chunk by chunk, nobody ever has the logits of all tokens. */
static void hold_no_logits(rk_walk *w)
{
    for (size_t i = w->o->tail->ops.first; i < w->p->n_op; i++)
        for (uint32_t b = w->pl->op[i].made; b < w->pl->op[i].made + w->pl->op[i].n_made; b++)
            w->held[b] = false;
}

/* What goes into a piece is there when it begins, also where its operations make copies of it. */
static void note_piece_inputs(rk_walk *w)
{
    for (size_t n = 0; w->o->pieces && n < w->o->pieces->n; n++)
        for (size_t i = w->o->pieces->at[n].first; i < w->o->pieces->at[n].end; i++)
            for (size_t k = 0; k < w->p->op[i].n_in; k++) {
                uint32_t b = rk_walk_buffer_of(w, w->p->op[i].in[k].tensor);

                if (b != RK_NONE && !w->pl->buffer[b].stored)
                    note_read(w, w->p->op[i].group, b, rk_walk_event_op(i));
            }
}

void rk_walk_note_reads(rk_walk *w)
{
    memset(w->last, 0xFF, w->p->n_group * w->pl->n_buffer * sizeof *w->last);
    for (size_t i = 0; i < w->p->n_op; i++)
        for (size_t k = 0; !rk_walk_is_skipped(w, i) && k < w->pl->op[i].n_read; k++) {
            uint32_t b = w->pl->list[w->pl->op[i].read + k];

            bool cached = k < w->p->op[i].n_in && i >= cached_from(w, w->p->op[i].in[k].tensor);

            if (b != RK_NONE && !w->pl->buffer[b].stored && !cached)
                note_read(w, w->p->op[i].group, b, rk_walk_event_op(i));
        }
    note_piece_inputs(w);
    note_variables(w);
    note_loops(w);
    for (size_t i = 0; i < w->p->n_output; i++)
        if (rk_walk_buffer_of(w, w->p->output[i]) != RK_NONE)
            w->held[rk_walk_buffer_of(w, w->p->output[i])] = true;
    hold_handed(w);
    if (w->o->tail)
        hold_no_logits(w);
}

/* Who lets go: the group that made it, or the one around a loop of whose variables it is the last value. */
bool rk_walk_lets_go(const rk_walk *w, uint32_t group, uint32_t buffer)
{
    if (w->held[buffer] || rk_walk_comes_in(w, group, buffer))
        return false;
    return !w->carried_out[buffer] || comes_out(w, group, buffer);
}

static int by_event(const void *a, const void *b)
{
    const rk_release *x = a, *y = b;

    if (x->event != y->event)
        return x->event < y->event ? -1 : 1;
    return (x->group > y->group) - (x->group < y->group);
}

static void index_releases(rk_walk *w)
{
    size_t i = 0;

    for (size_t event = 0; event < 2 * w->p->n_op + 2; event++) {
        while (i < w->release.n && w->release.at[i].event < event)
            i++;
        w->first_release[event] = (uint32_t)i;
    }
}

void rk_walk_list_releases(rk_walk *w)
{
    for (uint32_t g = 0; g < w->p->n_group; g++)
        for (uint32_t b = 0; b < w->pl->n_buffer; b++) {
            rk_release *slot =
                *rk_walk_last_of(w, g, b) != RK_NONE && rk_walk_lets_go(w, g, b) ? RK_PUSH(w->a, &w->release) : NULL;

            if (slot)
                *slot = (rk_release){g, *rk_walk_last_of(w, g, b), b};
        }
    if (w->release.n > 0)
        qsort(w->release.at, w->release.n, sizeof *w->release.at, by_event);
    index_releases(w);
}

void rk_walk_after_event(rk_walk *w, uint32_t group, uint32_t event)
{
    for (size_t i = w->first_release[event]; i < w->release.n && w->release.at[i].event == event; i++)
        if (w->release.at[i].group == group)
            rk_walk_let_go(w, w->now[w->release.at[i].buffer]);
}
