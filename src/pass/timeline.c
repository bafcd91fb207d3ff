/* SPDX-License-Identifier: MIT */
#include "pass/walk.h"

#include <string.h>

/* ---- all -------------------------------------------------------------------------------------------------------- */

static bool begin(rk_walk *w)
{
    size_t nb = w->pl->n_buffer, nt = w->p->n_tensor;

    w->bytes = RK_NEW_ARRAY(w->a, nb + 1, rk_i128);
    w->one_place = RK_NEW_ARRAY(w->a, nb + 1, bool);
    w->tensor_bytes = RK_NEW_ARRAY(w->a, nt + 1, rk_i128);
    w->now = RK_NEW_ARRAY(w->a, nb + 1, uint32_t);
    w->gradient = RK_NEW_ARRAY(w->a, nt + 1, uint32_t);
    w->last = RK_NEW_ARRAY(w->a, w->p->n_group * nb + 1, uint32_t);
    w->carried_out = RK_NEW_ARRAY(w->a, nb + 1, bool);
    w->held = RK_NEW_ARRAY(w->a, nb + 1, bool);
    w->layer = RK_NEW_ARRAY(w->a, w->p->n_loop + 1, uint32_t);
    w->first_release = RK_NEW_ARRAY(w->a, 2 * w->p->n_op + 2, uint32_t);
    w->carry = RK_NEW_ARRAY(w->a, w->p->n_loop + 1, uint32_t *);
    for (size_t i = 0; w->carry && i < w->p->n_loop; i++)
        if (!(w->carry[i] = RK_NEW_ARRAY(w->a, 3 * w->p->loop[i].n_carry + 1, uint32_t)))
            return false;
    w->uses = RK_NEW_ARRAY(w->a, nt + 1, uint32_t);
    w->takes_in = RK_NEW_ARRAY(w->a, nt + 1, bool);
    return w->bytes && w->tensor_bytes && w->now && w->gradient && w->last && w->carried_out && w->held && w->carry &&
           w->layer && w->first_release && w->one_place && w->uses && w->takes_in;
}

/* In how many places each weight is used; in a layer, one that all layers share is used in many. */
static void count_uses(rk_walk *w)
{
    for (size_t i = 0; i < w->p->n_op; i++)
        for (size_t k = 0; k < w->p->op[i].n_in; k++) {
            uint32_t t = w->p->op[i].in[k].tensor;

            if (rk_walk_is_weight(w, t) && rk_flow_needs(w->f, i, k)) {
                t = rk_walk_owner_of(w, t);
                w->uses[t] += w->p->weight[w->p->tensor[t].weight].group == w->p->op[i].group ? 1 : 2;
            }
        }
    if (w->o->tail && w->o->tail->chunk < w->o->tail->n_token)
        w->uses[rk_walk_owner_of(w, w->o->tail->weight)]++; /* once for each chunk */
}

static void born_inputs(rk_walk *w)
{
    for (uint32_t b = 0; b < w->pl->n_buffer; b++)
        if (w->pl->buffer[b].op == RK_NONE && !w->pl->buffer[b].stored &&
            (!w->o->skip || *rk_walk_last_of(w, 0, b) != RK_NONE)) {
            w->now[b] = rk_walk_born(w, LIVE_BUFFER, b, RK_NONE);
            if (!w->pl->buffer[b].handed)
                rk_walk_hold(w, w->now[b]);
        }
}

/* How many of each buffer the tape keeps. */
static void count_kept(rk_walk *w, uint64_t *kept)
{
    bool *seen = RK_NEW_ARRAY(w->a, w->live.n + 1, bool);

    for (size_t i = 0; seen && i < w->kept.n; i++)
        if (w->kept.at[i] != RK_NONE && !seen[w->kept.at[i]]) {
            seen[w->kept.at[i]] = true;
            kept[w->live.at[w->kept.at[i]].what]++;
        }
    if (!seen)
        w->code = w->code == RK_OK ? rk_fail_memory(w->err) : w->code;
}

static void clear(rk_walk *w)
{
    memset(w->now, 0xFF, w->pl->n_buffer * sizeof *w->now);
    memset(w->gradient, 0xFF, w->p->n_tensor * sizeof *w->gradient);
    memset(w->alive, 0, sizeof w->alive);
    memset(w->takes_in, 0, w->p->n_tensor * sizeof *w->takes_in);
    w->live.n = w->tape.n = w->kept.n = w->lent.n = w->n_event = 0;
    w->n_layer = w->loops_done = w->n_done = 0;
    w->sum = 0;
}

static void walk_once(rk_walk *w, rk_timeline *out)
{
    clear(w);
    w->out = out;
    w->moment = &out->forward;
    born_inputs(w);
    rk_walk_born_caches(w);
    rk_walk_do_group(w, 0);
    out->after_forward = w->sum;
    if (!w->looking)
        count_kept(w, out->kept);
    if (rk_walk_census(w))
        rk_census_turn(w->o->census);
    if (w->o->backward && w->code == RK_OK)
        rk_walk_do_backward(w);
    if (rk_walk_census(w))
        rk_census_close(w->o->census);
    out->after_backward = w->sum;
}

static bool has_counts(const rk_walk *w, rk_moment *m)
{
    m->buffers = RK_NEW_ARRAY(w->a, w->pl->n_buffer + 1, uint64_t);
    m->gradients = RK_NEW_ARRAY(w->a, w->p->n_tensor + 1, uint64_t);
    m->caches = RK_NEW_ARRAY(w->a, w->p->n_tensor + 1, uint64_t);
    return m->buffers && m->gradients && m->caches;
}

static bool has_room(const rk_walk *w, rk_timeline *out)
{
    for (size_t i = 0; i < RK_N_STRETCH; i++)
        if (!has_counts(w, &out->stretch[i]))
            return false;
    out->kept = RK_NEW_ARRAY(w->a, w->pl->n_buffer + 1, uint64_t);
    return has_counts(w, &out->forward) && out->kept;
}

/* Of equal ones the first. */
static void choose_backward(rk_timeline *out)
{
    out->backward = out->stretch[0];
    for (size_t i = 1; i < RK_N_STRETCH; i++)
        if (out->stretch[i].bytes > out->backward.bytes)
            out->backward = out->stretch[i];
}

int rk_timeline_new(rk_arena *a, const rk_instance *m, const rk_places *pl, const rk_flow *f,
                    const rk_timeline_options *o, rk_timeline *out, rk_err *err)
{
    rk_walk w = {.a = a, .m = m, .p = m->program, .pl = pl, .f = f, .o = o, .at = m->at, .err = err};

    *out = (rk_timeline){0};
    if (w.p->n_group > RELEASES_MAX / (pl->n_buffer + 1))
        return rk_fail(err, RK_ELIMIT, "too many kinds of layers for a timeline");
    if (!has_room(&w, out) || !begin(&w))
        return rk_fail_memory(err);
    rk_walk_measure(&w);
    rk_walk_name_sizes(&w);
    count_uses(&w);
    rk_walk_note_reads(&w);
    rk_walk_list_releases(&w);
    for (int i = 0; i < 2 && w.code == RK_OK; i++) {
        w.looking = i;
        walk_once(&w, out);
    }
    choose_backward(out);
    out->bytes = w.bytes;
    out->one_place = w.one_place;
    out->tensor_bytes = w.tensor_bytes;
    return w.code;
}
