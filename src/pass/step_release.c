/* SPDX-License-Identifier: MIT */
/*
 * pass/step_release.c - after which event a buffer of the places is let go.
 *
 * A group of layers lets go of what it made, after the last of its operations, or of the loops in it, that reads it.
 * What a layer hands on is no longer its own: as long as the loop runs it is a variable, and when the loop has ended it
 * belongs to the group around.  What goes into a layer is a variable, too, and never let go by a reader.
 */
#include "pass/stepping.h"

#include <string.h>

/* Events of a group: an operation has been done, a loop begins, a loop has ended. */
uint32_t rk_event_op(size_t op)
{
    return (uint32_t)(2 * op + 1);
}

uint32_t rk_event_enter(const rk_loop *l)
{
    return (uint32_t)(2 * l->first_op);
}

uint32_t rk_event_leave(const rk_loop *l)
{
    return rk_event_op(l->end_op - 1);
}

/* Whether a place is a variable of the loop when a layer of this group begins. */
bool rk_stepping_comes_in(const rk_stepping *s, uint32_t group, uint32_t place)
{
    const rk_group *g = &s->p->group[group];

    for (size_t v = 0; g->loop != RK_NONE && v < s->p->loop[g->loop].n_carry; v++)
        if (rk_stepping_place_of(s, g->in[v]) == place)
            return true;
    return false;
}

/* The group that lets go of each place: the one that makes it, or the outermost around loops whose result it is. */
static void find_releasers(rk_stepping *s)
{
    for (size_t b = 0; b < s->pl->n_buffer; b++)
        s->releaser[b] = s->pl->buffer[b].group;
    for (size_t i = 0; i < s->p->n_loop; i++)
        for (size_t k = 0; k < s->p->loop[i].n_group; k++)
            for (size_t v = 0; v < s->p->loop[i].n_carry; v++) {
                uint32_t group = s->p->loop[i].group[k], out = rk_stepping_place_of(s, s->p->group[group].out[v]);

                if (out != RK_NONE && !rk_stepping_comes_in(s, group, out)) { /* else it only passes through */
                    s->carried_out[out] = true;
                    s->releaser[out] = RK_NONE;
                }
            }
    for (size_t i = s->p->n_loop; i > 0; i--) { /* loops around others stand before them */
        const rk_loop *l = &s->p->loop[i - 1];

        for (size_t v = 0; l->n_group && v < l->n_carry; v++) {
            uint32_t out = rk_stepping_place_of(s, s->p->group[l->group[l->n_group - 1]].out[v]);

            if (out != RK_NONE)
                s->releaser[out] = l->parent;
        }
    }
}

/* Of events of operations, which one comes first as they are run. */
static bool is_before(const rk_stepping *s, uint32_t a, uint32_t b)
{
    if (a % 2 && b % 2)
        return s->rank[a / 2] < s->rank[b / 2];
    return a < b;
}

/* From the group that reads outwards to the one that lets go; there the reading is an event. */
static void note_read(rk_stepping *s, uint32_t group, uint32_t b, uint32_t event)
{
    for (; !rk_stepping_comes_in(s, group, b); group = s->p->group[group].parent) {
        const rk_group *g = &s->p->group[group];

        if (s->releaser[b] == group) {
            s->used[b] |= group == 0;
            if (s->last[b] == RK_NONE || is_before(s, s->last[b], event))
                s->last[b] = event;
            return;
        }
        if (g->loop == RK_NONE || s->pl->buffer[b].group == group) {
            s->used[b] |= group == 0;
            return;
        }
        event = rk_event_leave(&s->p->loop[g->loop]);
    }
}

/* From where on a tensor is read from its cache, and not from where it was made. */
static size_t cached_from(const rk_stepping *s, uint32_t tensor)
{
    for (size_t k = 0; s->o->cache && s->o->cache[tensor] > 0 && k < s->p->n_keep; k++)
        if (s->p->keep[k].tensor == tensor && s->p->keep[k].last == RK_EX_FAILED) /* of a state it is a copy */
            return s->p->keep[k].at;
    return SIZE_MAX;
}

static bool is_own(const rk_stepping *s, uint32_t place)
{
    return place != RK_NONE && !s->pl->buffer[place].stored;
}

static bool is_in_part(const rk_program *p, uint32_t part, uint32_t of)
{
    while (part != of && part != RK_NONE)
        part = p->part[part].parent;
    return part == of;
}

/* A later part of a layer is a function that is given a variable of an earlier one, which outlives the call. */
static size_t end_of_calls(const rk_stepping *s, uint32_t tensor, size_t until)
{
    const rk_program *p = s->p;
    const rk_tensor *t = &p->tensor[tensor];
    size_t end = until;

    for (size_t i = until + 1; t->group != 0 && i < p->n_op && p->op[i].group == t->group; i++)
        for (size_t k = 0; k < p->op[i].n_in; k++) {
            uint32_t part = p->op[i].part;

            if (p->op[i].in[k].tensor != tensor)
                continue;
            while (p->part[part].parent != RK_NONE && !is_in_part(p, p->op[t->producer].part, p->part[part].parent))
                part = p->part[part].parent;
            for (size_t j = i; j < p->n_op && p->op[j].group == t->group; j++)
                if (is_in_part(p, p->op[j].part, part))
                    end = j;
        }
    return end;
}

static bool ends_stage(const rk_stepping *s, size_t op)
{
    return op + 1 == rk_program_stage_end(s->p, rk_program_stage_of(s->p, op));
}

/* A variable of a part holds its tensor until the part ends; outside of layers, until all ends. */
static void note_variables(rk_stepping *s)
{
    for (size_t i = 0; i < s->p->n_tensor; i++) {
        const rk_tensor *t = &s->p->tensor[i];
        uint32_t b = rk_stepping_place_of(s, (uint32_t)i);
        size_t cached = cached_from(s, (uint32_t)i), until = t->until < cached ? t->until : cached - 1;

        if (t->kind != RK_TENSOR_RESULT || t->until == RK_NONE || !is_own(s, b) ||
            rk_stepping_is_renamed(s, (uint32_t)i))
            continue;
        if (t->group == 0 && (s->p->op[t->until].group != 0 || ends_stage(s, t->until)))
            s->held[b] = true;
        else {
            until = cached == SIZE_MAX ? end_of_calls(s, (uint32_t)i, until) : until;
            note_read(s, s->p->op[until].group, b, rk_event_op(until));
        }
    }
}

static bool is_made_with(const rk_stepping *s, uint32_t place, size_t op, const uint32_t *end)
{
    uint32_t made = s->pl->buffer[place].op;

    return made != RK_NONE && end[made] == end[op];
}

static void note_operands(rk_stepping *s)
{
    const uint32_t *end = rk_step_ends(s->a, s->p);

    if (!end)
        rk_stepping_fail(s);
    for (size_t i = 0; end && i < s->p->n_op; i++)
        for (size_t k = 0; k < s->pl->op[i].n_read; k++) {
            uint32_t b = s->pl->list[s->pl->op[i].read + k];
            bool cached = k < s->p->op[i].n_in && i >= cached_from(s, s->p->op[i].in[k].tensor);

            /* What is made elsewhere is read in every step. */
            if (is_own(s, b) && !cached)
                note_read(s, s->p->op[i].group, b, rk_event_op(is_made_with(s, b, i, end) ? i : end[i]));
        }
    for (size_t i = 0; i < s->p->n_op; i++)
        if (rk_stepping_rotated_with(s, i) != i && is_own(s, s->pl->list[s->pl->op[i].read]))
            note_read(s, s->p->op[i].group, s->pl->list[s->pl->op[i].read],
                      rk_event_op(rk_stepping_rotated_with(s, i)));
    for (size_t i = 0; i < s->p->n_op; i++)
        if (rk_stepping_is_local(s, i) && is_own(s, s->pl->list[s->pl->op[i].read]))
            note_read(s, s->p->op[i].group, s->pl->list[s->pl->op[i].read], rk_event_op(i + 1));
    /* What goes into a region is there when it begins, also where its operations make copies of it. */
    for (size_t n = 0; n < s->p->n_region; n++)
        for (size_t i = s->p->region[n].first; s->p->region[n].kind != RK_REGION_FUSED && i < s->p->region[n].end; i++)
            for (size_t k = 0; k < s->p->op[i].n_in; k++) {
                uint32_t b = rk_stepping_place_of(s, s->p->op[i].in[k].tensor);

                if (is_own(s, b))
                    note_read(s, s->p->op[i].group, b, rk_event_op(i));
            }
}

void rk_stepping_note_reads(rk_stepping *s)
{
    memset(s->last, 0xFF, s->pl->n_buffer * sizeof *s->last);
    memset(s->released, 0xFF, (2 * s->p->n_op + 2) * sizeof *s->released);
    find_releasers(s);
    note_operands(s);
    note_variables(s);
    for (size_t i = 0; i < s->p->n_loop; i++) {
        const rk_loop *l = &s->p->loop[i];

        for (size_t v = 0; l->n_group && v < l->n_carry; v++) {
            uint32_t first = rk_stepping_place_of(s, s->p->group[l->group[0]].in[v]);

            if (first != RK_NONE)
                note_read(s, l->parent, first, rk_event_enter(l));
        }
    }
    for (size_t i = 0; i < s->p->n_output; i++)
        if (rk_stepping_place_of(s, s->p->output[i]) != RK_NONE)
            s->held[rk_stepping_place_of(s, s->p->output[i])] = true;
    for (size_t b = 0; b < s->pl->n_buffer; b++) /* the function around the layers has what it hands to them */
        s->held[b] |= s->pl->buffer[b].handed;
    for (size_t i = s->o->chunk ? s->o->chunk->region->first : s->p->n_op; i < s->p->n_op; i++)
        for (uint32_t b = s->pl->op[i].made; b < s->pl->op[i].made + s->pl->op[i].n_made; b++)
            s->held[b] = false; /* chunk by chunk, nobody ever has the logits of all tokens */
    for (uint32_t b = (uint32_t)s->pl->n_buffer; b > 0; b--)
        if (s->last[b - 1] != RK_NONE && !s->held[b - 1]) {
            s->next[b - 1] = s->released[s->last[b - 1]];
            s->released[s->last[b - 1]] = b - 1;
        }
}

/* Whether a place is not there while a region is recomputed: it is none of what goes into it, nor is it made there. */
static bool is_elsewhere(const rk_stepping *s, uint32_t b)
{
    uint32_t made = s->pl->buffer[b].op;

    if (!s->region || (made != RK_NONE && made >= s->region->first && made < s->region->end))
        return false;
    for (size_t k = 0; k < s->n_region_input[s->region - s->p->region]; k++)
        if (s->region_input[s->region - s->p->region][k] == b)
            return false;
    return true;
}

void rk_stepping_release(rk_stepping *s, uint32_t group, uint32_t event)
{
    for (uint32_t b = s->released[event]; b != RK_NONE; b = s->next[b])
        if (s->releaser[b] == group && !is_elsewhere(s, b))
            rk_stepping_effect(s, RK_EFFECT_FREE, b, RK_NONE);
}
