/* SPDX-License-Identifier: MIT */
#include "pass/walk.h"

#include <string.h>

/* ---- forward ---------------------------------------------------------------------------------------------------- */

static void put_mark(rk_walk *w, rk_mark m)
{
    rk_mark *slot = w->forgetting ? NULL : RK_PUSH(w->a, &w->tape);

    if (w->forgetting)
        return;
    if (slot)
        *slot = m;
    else
        w->code = w->code == RK_OK ? rk_fail_memory(w->err) : w->code;
}

static void keep_all(rk_walk *w, const rk_place_op *op, rk_mark *m)
{
    m->kept = w->kept.n;
    for (size_t k = 0; w->o->backward && !w->forgetting && k < op->n_kept; k++) {
        uint32_t i = w->now[w->pl->list[op->read + op->n_read + k]], *slot;

        if (i == RK_NONE)
            continue;
        rk_walk_hold_for_backward(w, i);
        if ((slot = RK_PUSH(w->a, &w->kept))) {
            *slot = i;
            m->n_kept++;
        }
    }
}

/* What nobody reads is let go at once: copies, statistics, what is only kept. */
static void let_go_made(rk_walk *w, size_t i)
{
    const rk_place_op *op = &w->pl->op[i];

    for (uint32_t b = op->made; b < op->made + op->n_made; b++)
        if (!w->held[b] && !w->carried_out[b] && *rk_walk_last_of(w, w->p->op[i].group, b) == RK_NONE &&
            w->pl->buffer[b].op != RK_NONE)
            rk_walk_let_go(w, w->now[b]);
}

/* What is carried on is copied into its cache where the model file says so. */
static void fill_cache(rk_walk *w, const rk_keep *k, uint32_t op)
{
    bool stays = k->once || k->last != RK_EX_FAILED; /* nothing is added, or it is changed in its place */

    if (!w->o->carried)
        rk_walk_born(w, LIVE_CACHE, k->tensor, op);
    else if (!stays)
        rk_walk_let_go(
            w, rk_walk_born(w, LIVE_CACHE, k->tensor, op)); /* the longer one is there before the shorter one goes */
}

static void fill_caches(rk_walk *w, size_t i)
{
    for (size_t k = 0; w->o->cache && k < w->p->n_keep; k++)
        if (w->p->keep[k].at == i + 1 && w->o->cache[w->p->keep[k].tensor] > 0)
            fill_cache(w, &w->p->keep[k], (uint32_t)i);
}

/* The caches of all layers, where a step finds them there. */
void rk_walk_born_caches(rk_walk *w)
{
    for (size_t k = 0; w->o->cache && w->o->carried && k < w->p->n_keep; k++) {
        rk_i128 n = rk_walk_value(w, rk_group_times(w->m->pool, w->p, w->p->keep[k].group));

        for (; n > 0 && w->o->cache[w->p->keep[k].tensor] > 0 && w->code == RK_OK; n--)
            rk_walk_born(w, LIVE_CACHE, w->p->keep[k].tensor, RK_NONE);
    }
}

static void count_done(rk_walk *w)
{
    if (++w->n_done > MARKS_MAX && w->code == RK_OK)
        w->code =
            rk_fail(w->err, RK_ELIMIT, "the layers have too many operations for a timeline (limit is %zu)", MARKS_MAX);
}

/* The weight that an operation reads written out, or RK_NONE. */
uint32_t rk_walk_unpack(rk_walk *w, size_t i)
{
    const rk_op *op = &w->p->op[i];

    for (size_t k = 0; w->o->unpacks && op->summed && k < op->n_in; k++)
        if (w->o->unpacks[op->in[k].tensor])
            return rk_walk_born(w, LIVE_BUFFER, rk_walk_buffer_of(w, op->in[k].tensor), (uint32_t)i);
    return RK_NONE;
}

/* Copies in eight bits: of both operands, and backward of the result's gradient too. */
void rk_walk_born_casts(rk_walk *w, size_t i, uint32_t n, uint32_t cast[3])
{
    const rk_place_op *op = &w->pl->op[i];

    for (uint32_t k = 0; k < n && k < op->n_cast && w->code == RK_OK; k++)
        cast[k] = rk_walk_born(w, LIVE_BUFFER, op->cast + k, (uint32_t)i);
}

void rk_walk_let_go_casts(rk_walk *w, size_t i, uint32_t n, const uint32_t cast[3])
{
    for (uint32_t k = 0; k < n && k < w->pl->op[i].n_cast && w->code == RK_OK; k++)
        rk_walk_let_go(w, cast[k]);
}

void rk_walk_do_op(rk_walk *w, size_t i)
{
    const rk_place_op *op = &w->pl->op[i];
    uint32_t unpacked;
    rk_mark m = {.kind = MARK_OP, .which = (uint32_t)i};
    uint32_t cast[3];

    count_done(w);
    if (rk_walk_is_skipped(w, i)) {
        rk_walk_after_event(w, w->p->op[i].group, rk_walk_event_op(i));
        return;
    }
    rk_walk_begin_scene(w, (uint32_t)i,
                        w->again               ? RK_STAGE_AGAIN
                        : i < w->p->loss_first ? RK_STAGE_FORWARD
                                               : RK_STAGE_LOSS);
    unpacked = rk_walk_unpack(w, i);
    for (uint32_t b = op->made; b < op->made + op->n_made && w->code == RK_OK; b++)
        if (w->pl->buffer[b].op != RK_NONE)
            w->now[b] = rk_walk_born(w, LIVE_BUFFER, b, (uint32_t)i);
    rk_walk_born_casts(w, i, 2, cast);
    fill_caches(w, i);
    keep_all(w, op, &m);
    put_mark(w, m);
    if (rk_walk_is_watched(w))
        rk_walk_note_scene(w); /* everything is born before anything dies, and what is kept is known now */
    rk_walk_end_scene(w);
    rk_walk_let_go(w, unpacked);
    rk_walk_let_go_casts(w, i, 2, cast);
    let_go_made(w, i);
    rk_walk_after_event(w, w->p->op[i].group, rk_walk_event_op(i));
}

static void keep_one(rk_walk *w, uint32_t i, rk_mark *m)
{
    uint32_t *slot = RK_PUSH(w->a, &w->kept);

    rk_walk_hold_for_backward(w, i);
    if (slot)
        *slot = i;
    m->n_kept++;
}

static bool is_kept(const rk_walk *w, const rk_mark *m, uint32_t i)
{
    for (size_t k = 0; k < m->n_kept; k++)
        if (w->kept.at[m->kept + k] == i)
            return true;
    return false;
}

/* Made elsewhere, and not one of the model's own. */
static bool comes_from_outside(const rk_walk *w, uint32_t buffer, size_t first, size_t end)
{
    uint32_t made = w->pl->buffer[buffer].op;

    return !w->pl->buffer[buffer].stored && (made == RK_NONE || made < first || made >= end);
}

/*
 * A layer that is computed again is handed by position what needs a gradient, and perhaps a mask; what is handed so is
 * kept.
 */
static void keep_handed(rk_walk *w, const rk_loop *l, rk_mark *m)
{
    for (size_t i = l->first_op; i < l->end_op; i++)
        for (size_t k = 0; k <= w->p->op[i].n_in; k++) {
            bool read = k < w->p->op[i].n_in;
            uint32_t b = read ? w->pl->list[w->pl->op[i].read + k] : rk_walk_buffer_of(w, w->p->op[i].out);

            if (b == RK_NONE || w->now[b] == RK_NONE || !comes_from_outside(w, b, l->first_op, l->end_op) ||
                !(w->pl->buffer[b].handed || (read && rk_flow_needs(w->f, i, k))))
                continue;
            if (!rk_walk_comes_in(w, w->p->op[i].group, b) && !is_kept(w, m, w->now[b]))
                keep_one(w, w->now[b], m);
        }
}

static void keep_inputs(rk_walk *w, size_t loop, size_t first, size_t n)
{
    rk_mark m = {
        .kind = MARK_AGAIN, .which = (uint32_t)loop, .kept = w->kept.n, .layer = (uint32_t)first, .n = (uint32_t)n};

    for (size_t v = 0; v < w->p->loop[loop].n_carry; v++)
        keep_one(w, w->carry[loop][v], &m);
    keep_handed(w, &w->p->loop[loop], &m);
    put_mark(w, m);
}

/* A variable has what came out of the layer; who called the layer had what went in until then. */
static void carry_on(rk_walk *w, uint32_t *carry, uint32_t buffer)
{
    uint32_t old = *carry;

    if (buffer == RK_NONE || w->now[buffer] == old)
        return;
    *carry = w->now[buffer];
    rk_walk_let_go(w, old);
}

/* A derivation by hand lists what goes into each layer. */
static void begin_layer(rk_walk *w, size_t loop, uint32_t group, size_t number)
{
    rk_mark m = {.kind = MARK_LAYER, .which = group, .kept = w->kept.n, .layer = (uint32_t)number};
    bool listed = w->o->run.by_book && w->o->backward && !w->forgetting;

    for (size_t v = 0; listed && v < w->p->loop[loop].n_carry; v++)
        if (!w->p->tensor[w->p->group[group].in[v]].is_index)
            keep_one(w, w->carry[loop][v], &m);
    put_mark(w, m);
}

static void do_layer(rk_walk *w, size_t loop, size_t number)
{
    const rk_loop *l = &w->p->loop[loop];
    uint32_t group = l->order ? l->order[number] : l->group[0];
    const rk_group *g = &w->p->group[group];

    w->layer[w->n_layer++] = (uint32_t)number;
    begin_layer(w, loop, group, number);
    for (size_t v = 0; v < l->n_carry; v++)
        if (rk_walk_buffer_of(w, g->in[v]) != RK_NONE)
            w->now[rk_walk_buffer_of(w, g->in[v])] = w->carry[loop][v];
    rk_walk_do_group(w, group);
    for (size_t v = 0; v < l->n_carry; v++)
        carry_on(w, &w->carry[loop][v], rk_walk_buffer_of(w, g->out[v]));
    put_mark(w, (rk_mark){.kind = MARK_LAYERED, .which = group, .layer = (uint32_t)number});
    w->n_layer--;
}

/* Layers of the model itself are computed again, not those within them. */
static bool recomputes(const rk_walk *w)
{
    return w->o->again > 0 && w->o->backward && !w->forgetting && !w->again;
}

void rk_walk_do_layers(rk_walk *w, size_t loop, size_t first, size_t n)
{
    bool again = recomputes(w);

    if (again)
        keep_inputs(w, loop, first, n);
    w->forgetting |= again;
    for (size_t i = first; i < first + n && w->code == RK_OK; i++)
        do_layer(w, loop, i);
    w->forgetting &= !again;
}

static void do_all_layers(rk_walk *w, size_t loop)
{
    size_t all = w->p->loop[loop].n_layer, most = recomputes(w) ? w->o->again : all;

    for (size_t i = 0; i < all && w->code == RK_OK; i += most)
        rk_walk_do_layers(w, loop, i, all - i < most ? all - i : most);
}

static void lend_one(rk_walk *w, uint32_t i)
{
    uint32_t *slot;

    if (i == RK_NONE || w->live.at[i].holds == 0)
        return;
    for (size_t k = 0; k < w->lent.n; k++)
        if (w->lent.at[k] == i)
            return;
    rk_walk_hold_for_backward(w, i);
    if ((slot = RK_PUSH(w->a, &w->lent)))
        *slot = i;
    else
        w->code = w->code == RK_OK ? rk_fail_memory(w->err) : w->code;
}

/* Tables of positions, masks: a layer that will be computed again has them until then.  No gradient keeps them. */
static void lend_to_loop(rk_walk *w, const rk_loop *l)
{
    for (size_t i = l->first_op; i < l->end_op; i++)
        for (size_t k = 0; k < w->pl->op[i].n_read; k++) {
            uint32_t b = w->pl->list[w->pl->op[i].read + k];
            uint32_t made = b == RK_NONE ? RK_NONE : w->pl->buffer[b].op;

            if (b != RK_NONE && (made == RK_NONE || made < l->first_op) && !rk_walk_comes_in(w, w->p->op[i].group, b))
                lend_one(w, w->now[b]);
        }
}

static void do_loop(rk_walk *w, size_t loop)
{
    const rk_loop *l = &w->p->loop[loop];
    const rk_group *first = &w->p->group[l->group[0]], *end = &w->p->group[l->group[l->n_group - 1]];
    uint32_t *before = w->carry[loop] + l->n_carry;

    put_mark(w, (rk_mark){.kind = MARK_LOOP, .which = (uint32_t)loop});
    for (size_t v = 0; v < l->n_carry; v++) {
        before[v] =
            rk_walk_buffer_of(w, first->in[v]) == RK_NONE ? RK_NONE : w->now[rk_walk_buffer_of(w, first->in[v])];
        rk_walk_hold(w, w->carry[loop][v] = before[v]);
    }
    if (w->o->again && w->o->backward && l->parent == 0)
        lend_to_loop(w, l);
    rk_walk_after_event(w, l->parent, rk_walk_event_enter(l));
    do_all_layers(w, loop);
    for (size_t v = 0; v < l->n_carry; v++)
        if (rk_walk_buffer_of(w, first->in[v]) != RK_NONE)
            w->now[rk_walk_buffer_of(w, first->in[v])] = before[v];
    for (size_t v = 0; v < l->n_carry; v++)
        if (rk_walk_buffer_of(w, end->out[v]) != RK_NONE)
            w->now[rk_walk_buffer_of(w, end->out[v])] = w->carry[loop][v];
    put_mark(w, (rk_mark){.kind = MARK_LOOPED, .which = (uint32_t)loop});
    rk_walk_after_event(w, l->parent, rk_walk_event_leave(l));
}

static size_t loop_at(const rk_walk *w, uint32_t group, size_t op)
{
    for (size_t i = 0; i < w->p->n_loop; i++)
        if (w->p->loop[i].parent == group && w->p->loop[i].first_op <= op && op < w->p->loop[i].end_op)
            return i;
    return SIZE_MAX;
}

/* ---- pieces that are computed again ----------------------------------------------------------------------------- */

/* The piece that begins with an operation, where it shall be computed again; else NULL. */
static const rk_again *piece_at(const rk_walk *w, size_t op)
{
    const rk_agains *all = w->o->pieces;

    for (size_t i = 0; all && w->o->backward && !w->forgetting && !w->again_piece && i < all->n; i++)
        if (all->at[i].first == op)
            return &all->at[i];
    return NULL;
}

static void keep_piece_input(rk_walk *w, const rk_again *r, uint32_t b, rk_mark *m)
{
    if (b != RK_NONE && comes_from_outside(w, b, r->first, r->end) && w->now[b] != RK_NONE && !is_kept(w, m, w->now[b]))
        keep_one(w, w->now[b], m);
}

/* What an operation reads of outside, or makes its own copy of; and what it would keep. */
static void keep_piece_inputs(rk_walk *w, const rk_again *r, rk_mark *m)
{
    for (size_t i = r->first; i < r->end; i++) {
        const rk_place_op *op = &w->pl->op[i];

        for (size_t k = 0; k < op->n_read + op->n_kept; k++)
            keep_piece_input(w, r, w->pl->list[op->read + k], m);
        for (size_t k = 0; k < w->p->op[i].n_in; k++)
            keep_piece_input(w, r, rk_walk_buffer_of(w, w->p->op[i].in[k].tensor), m);
    }
}

static void do_piece(rk_walk *w, const rk_again *r)
{
    rk_mark m = {.kind = MARK_PIECE, .which = (uint32_t)(r - w->o->pieces->at), .kept = w->kept.n};

    keep_piece_inputs(w, r, &m);
    put_mark(w, m);
    w->forgetting = true;
    for (size_t i = r->first; i < r->end && w->code == RK_OK; i++)
        rk_walk_do_op(w, i);
    w->forgetting = false;
}

/*
 * The head and the loss chunk by chunk, with their gradients: each chunk's logits become their own gradient, which goes
 * into that of the head's input and into that of its weight.
 */
static void do_fused(rk_walk *w, const rk_tail *t)
{
    uint32_t op = t->ops.first, made[4];
    uint32_t buffer[] = {t->hidden_gradient, t->weight_gradient, t->losses, t->logits};
    rk_mark m = {.kind = MARK_FUSED, .which = op, .kept = w->kept.n};

    rk_walk_begin_scene(w, op, RK_STAGE_LOSS);
    for (size_t i = 0; i < 4; i++)
        made[i] = buffer[i] == RK_NONE ? RK_NONE : rk_walk_born(w, LIVE_BUFFER, buffer[i], op);
    keep_one(w, made[0], &m);
    keep_one(w, made[1], &m);
    put_mark(w, m);
    rk_walk_end_scene(w);
    for (size_t i = 0; i < 4; i++)
        rk_walk_let_go(w, made[i]);
    for (size_t i = op; i < t->ops.end; i++)
        rk_walk_after_event(w, 0, rk_walk_event_op(i));
}

static bool is_done(const rk_walk *w, size_t op)
{
    return w->o->loss || op < w->p->loss_first || w->p->loss == RK_NONE;
}

static bool is_fused(const rk_walk *w, size_t op)
{
    return w->o->tail && w->o->tail->way == RK_LOSS_FUSED && op == w->o->tail->ops.first;
}

/* Does what begins with an operation of a group, and returns where it ended. */
static size_t do_from(rk_walk *w, uint32_t group, size_t i)
{
    size_t loop = w->p->op[i].group == group ? SIZE_MAX : loop_at(w, group, i);
    const rk_again *piece = piece_at(w, i);

    if (loop != SIZE_MAX) {
        do_loop(w, loop);
        return w->p->loop[loop].end_op;
    }
    if (is_fused(w, i)) {
        do_fused(w, w->o->tail);
        return w->p->n_op;
    }
    if (piece) {
        do_piece(w, piece);
        return piece->end;
    }
    if (is_done(w, i))
        rk_walk_do_op(w, i);
    return i + 1;
}

void rk_walk_do_group(rk_walk *w, uint32_t group)
{
    size_t end = group == 0 ? w->p->n_op : w->p->group[group].end_op;

    for (size_t i = group == 0 ? 0 : w->p->group[group].first_op; i < end && w->code == RK_OK;)
        i = do_from(w, group, i);
}
