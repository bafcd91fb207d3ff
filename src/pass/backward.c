/* SPDX-License-Identifier: MIT */
#include "pass/walk.h"

/* ---- backward --------------------------------------------------------------------------------------------------- */

/* Adds a gradient to what a tensor has; the hold on it passes on. */
static void add_gradient(rk_walk *w, uint32_t tensor, uint32_t gradient)
{
    if (w->gradient[tensor] == RK_NONE)
        w->gradient[tensor] = gradient;
    else
        rk_walk_let_go(w, gradient);
}

/* Operations that leave each number as it is, or add one that does not depend on it. */
static bool can_pass_on(const rk_op *op, size_t k)
{
    switch (op->row) {
    case RK_OP_ADD:
    case RK_OP_SHIFT:
    case RK_OP_VIEW:
    case RK_OP_CAST:
    case RK_OP_REPEAT:
    case RK_OP_FIRST:
        return true;
    default:
        return op->row == RK_OP_SUB && k == 0;
    }
}

/* Whether the gradient of an operand is that of the result itself, perhaps under other axes. */
static bool passes_on(const rk_walk *w, const rk_op *op, size_t k)
{
    uint32_t in = op->in[k].tensor;

    if (rk_walk_is_weight(w, in) || !can_pass_on(op, k))
        return false;
    rk_walk_ask_bytes(w, in, op->out);
    return w->tensor_bytes[in] == w->tensor_bytes[op->out];
}

/* The tensor that has the storage of a weight. */
uint32_t rk_walk_owner_of(const rk_walk *w, uint32_t tensor)
{
    const rk_weight *weight = &w->p->weight[w->p->tensor[tensor].weight];

    while (weight->tied_to != RK_NONE)
        weight = &w->p->weight[weight->tied_to];
    return weight->tensor == RK_NONE ? tensor : weight->tensor;
}

/*
 * The gradient of a weight stays.  That of one layer is there once; one that is used in several places is added up,
 * into a third buffer.
 */
static void add_weight_gradient(rk_walk *w, size_t i, uint32_t tensor, uint32_t g)
{
    uint32_t sum;

    tensor = rk_walk_owner_of(w, tensor);
    /* One that is there already takes in what is made, once all of it is. */
    if (w->o->adds_up && w->uses[tensor] == 1)
        rk_walk_let_go(w, g);
    if (w->uses[tensor] == 1)
        return;
    if (w->gradient[tensor] != RK_NONE && w->takes_in[tensor]) {
        rk_walk_let_go(w, g);
        return;
    }
    if (w->gradient[tensor] == RK_NONE) {
        w->gradient[tensor] = g;
        return;
    }
    sum = rk_walk_born(w, LIVE_GRADIENT, tensor, (uint32_t)i);
    rk_walk_let_go(w, w->gradient[tensor]);
    rk_walk_let_go(w, g);
    w->gradient[tensor] = sum;
}

static void undo_weight(rk_walk *w, size_t i, uint32_t tensor)
{
    add_weight_gradient(w, i, tensor, rk_walk_born(w, LIVE_GRADIENT, tensor, (uint32_t)i));
}

static void undo_operand(rk_walk *w, size_t i, size_t k)
{
    const rk_op *op = &w->p->op[i];
    uint32_t tensor = op->in[k].tensor, g = w->gradient[op->out], unpacked;

    if (rk_walk_is_weight(w, tensor)) {
        undo_weight(w, i, tensor);
        return;
    }
    unpacked = rk_walk_unpack(w, i);
    if (passes_on(w, op, k) && g != RK_NONE)
        rk_walk_hold(w, g);
    else
        g = rk_walk_born(w, LIVE_GRADIENT, tensor, (uint32_t)i);
    rk_walk_let_go(w, unpacked);
    add_gradient(w, tensor, g);
}

static void undo_op(rk_walk *w, const rk_mark *m)
{
    const rk_op *op = &w->p->op[m->which];
    bool reached = w->gradient[op->out] != RK_NONE || (w->o->loss && m->which == w->p->loss);
    uint32_t cast[3];

    rk_walk_begin_scene(w, m->which, RK_STAGE_BACKWARD);
    rk_walk_born_casts(w, m->which, reached ? 3 : 0, cast);
    for (size_t k = 0; reached && k < op->n_in && w->code == RK_OK; k++)
        if (rk_grad_flows(op, k) && rk_flow_needs(w->f, m->which, k))
            undo_operand(w, m->which, k);
    rk_walk_end_scene(w);
    rk_walk_let_go_casts(w, m->which, reached ? 3 : 0, cast);
    rk_walk_let_go(w, w->gradient[op->out]);
    w->gradient[op->out] = RK_NONE;
    for (size_t k = 0; k < m->n_kept; k++)
        rk_walk_let_go(w, w->kept.at[m->kept + k]);
}

static uint32_t take_gradient(rk_walk *w, uint32_t tensor)
{
    uint32_t g = w->gradient[tensor];

    w->gradient[tensor] = RK_NONE;
    return g;
}

static void give_gradient(rk_walk *w, uint32_t tensor, uint32_t gradient)
{
    if (gradient != RK_NONE)
        add_gradient(w, tensor, gradient);
}

/* Backward, a loop begins where it ended, and its variables' gradients go from layer to layer. */
static void undo_mark(rk_walk *w, const rk_mark *m)
{
    size_t loop = m->kind == MARK_LOOP || m->kind == MARK_LOOPED ? m->which : w->p->group[m->which].loop;
    const rk_loop *l = &w->p->loop[loop];
    const rk_group *g = m->kind == MARK_LOOP     ? &w->p->group[l->group[0]]
                        : m->kind == MARK_LOOPED ? &w->p->group[l->group[l->n_group - 1]]
                                                 : &w->p->group[m->which];

    for (size_t v = 0; v < l->n_carry; v++) {
        uint32_t *carry = &w->carry[loop][v];

        if (m->kind == MARK_LOOPED)
            *carry = take_gradient(w, g->out[v]);
        else if (m->kind == MARK_LAYERED)
            give_gradient(w, g->out[v], *carry);
        else if (m->kind == MARK_LAYER)
            *carry = take_gradient(w, g->in[v]);
        else
            give_gradient(w, g->in[v], *carry);
    }
}

/* ---- stretches of the backward pass ----------------------------------------------------------------------------- */

static rk_stretch stretch_of_layer(const rk_walk *w, const rk_loop *l)
{
    if (w->loops_done == 0 && w->layer[0] + 1 == l->n_layer)
        return RK_STRETCH_LAST;
    return w->loops_left == 0 && w->layer[0] == 0 ? RK_STRETCH_FIRST : RK_STRETCH_MIDDLE;
}

static rk_stretch stretch_between(const rk_walk *w, size_t n_begun)
{
    if (n_begun == 0)
        return RK_STRETCH_HEAD;
    return w->loops_left == 0 ? RK_STRETCH_FOOT : RK_STRETCH_MIDDLE;
}

/* Layers that are computed again, together: the stretch of the one of them that is undone first. */
static void enter_layers(rk_walk *w, const rk_loop *l, size_t first, size_t n)
{
    bool last = w->loops_done == 0 && first + n == l->n_layer;

    if (w->n_layer == 0)
        w->moment = &w->out->stretch[last                               ? RK_STRETCH_LAST
                                     : w->loops_left == 0 && first == 0 ? RK_STRETCH_FIRST
                                                                        : RK_STRETCH_MIDDLE];
}

/* Where the walk is now: `l` is the loop whose mark has been passed. */
static void enter_stretch(rk_walk *w, rk_timeline *out, const rk_loop *l)
{
    w->moment = &out->stretch[w->n_layer > 0 ? stretch_of_layer(w, l) : stretch_between(w, w->loops_done)];
}

/* All that was lent is let go when the last loop has been undone: loops may share it. */
static void end_loop_backward(rk_walk *w)
{
    w->loops_done++;
    for (size_t i = 0; w->loops_left == 0 && i < w->lent.n; i++)
        rk_walk_let_go(w, w->lent.at[i]);
}

/* The running numbers of the loops around, and the loops of the model itself that have begun and ended. */
static void follow_mark(rk_walk *w, const rk_mark *m)
{
    const rk_loop *l =
        &w->p->loop[m->kind == MARK_LOOP || m->kind == MARK_LOOPED ? m->which : w->p->group[m->which].loop];

    if (m->kind == MARK_LAYERED)
        w->layer[w->n_layer++] = m->layer;
    else if (m->kind == MARK_LAYER)
        w->n_layer--;
    else if (m->kind == MARK_LOOPED && w->n_layer == 0)
        w->loops_left--;
    else if (m->kind == MARK_LOOP && w->n_layer == 0)
        end_loop_backward(w);
    if (w->n_layer <= 1)
        enter_stretch(w, w->out, l);
}

static void undo_from(rk_walk *w, size_t first);

static void let_go_kept(rk_walk *w, const rk_mark *m)
{
    for (size_t k = 0; k < m->n_kept; k++)
        rk_walk_let_go(w, w->kept.at[m->kept + k]);
}

/* Forward through the layers once more, now keeping what their gradients need; then back. */
static void undo_again(rk_walk *w, rk_mark m)
{
    size_t first = w->tape.n, n_carry = w->p->loop[m.which].n_carry;
    uint32_t *carry = w->carry[m.which], *gradient = carry + 2 * n_carry;

    for (size_t v = 0; v < n_carry; v++) {
        gradient[v] = carry[v];
        rk_walk_hold(w, carry[v] = w->kept.at[m.kept + v]);
    }
    enter_layers(w, &w->p->loop[m.which], m.layer, m.n);
    w->again = true;
    rk_walk_do_layers(w, m.which, m.layer, m.n);
    for (size_t v = 0; v < n_carry; v++) {
        rk_walk_let_go(w, carry[v]);
        carry[v] = gradient[v];
    }
    w->again = false;
    undo_from(w, first);
    let_go_kept(w, &m);
}

/* Whether a group lets go of a buffer while a piece is done. */
static bool is_released_in(const rk_walk *w, uint32_t group, uint32_t buffer, const rk_again *r)
{
    uint32_t last = w->last[(size_t)group * w->pl->n_buffer + buffer];

    return last != RK_NONE && last >= rk_walk_event_op(r->first) && last <= rk_walk_event_op(r->end - 1) &&
           rk_walk_lets_go(w, group, buffer);
}

/* What a piece makes for others was made before. */
static void let_go_results(rk_walk *w, const rk_again *r)
{
    for (size_t i = r->first; i < r->end; i++) {
        const rk_place_op *op = &w->pl->op[i];

        for (uint32_t b = op->made; b < op->made + op->n_made; b++)
            if (*rk_walk_last_of(w, w->p->op[i].group, b) != RK_NONE && !is_released_in(w, w->p->op[i].group, b, r))
                rk_walk_let_go(w, w->now[b]);
    }
}

/* The chunk that is walked is one after the first: the head's weight has a gradient, to which it adds. */
static bool is_in_chunks(const rk_walk *w, const rk_again *r)
{
    const rk_tail *t = w->o->tail;

    return t && r->first == t->ops.first && t->chunk < t->n_token && rk_flow_needs(w->f, r->first, 1);
}

static void undo_piece(rk_walk *w, rk_mark m)
{
    const rk_again *r = &w->o->pieces->at[m.which];
    size_t first = w->tape.n;

    for (size_t k = 0; k < m.n_kept; k++) {
        uint32_t i = w->kept.at[m.kept + k];

        w->now[w->live.at[i].what] = i;
        if (is_released_in(w, w->p->op[r->first].group, w->live.at[i].what, r))
            rk_walk_hold(w, i);
    }
    if (is_in_chunks(w, r))
        w->gradient[rk_walk_owner_of(w, w->o->tail->weight)] =
            rk_walk_born(w, LIVE_GRADIENT, w->o->tail->weight, r->first);
    w->again_piece = w->again = true;
    for (size_t i = r->first; i < r->end && w->code == RK_OK; i++)
        rk_walk_do_op(w, i);
    w->again_piece = w->again = false;
    let_go_results(w, r);
    undo_from(w, first);
    let_go_kept(w, &m);
}

/* The gradients are there. */
static void undo_fused(rk_walk *w, const rk_mark *m)
{
    const rk_tail *t = w->o->tail;
    uint32_t hidden = w->kept.at[m->kept], weight = w->kept.at[m->kept + 1];

    if (rk_flow_needs(w->f, m->which, 0))
        add_gradient(w, t->hidden, hidden);
    else
        rk_walk_let_go(w, hidden);
    if (weight != RK_NONE)
        add_weight_gradient(w, m->which, t->weight, weight);
    /* It is nobody else's: what comes later is added to it where it is. */
    w->takes_in[rk_walk_owner_of(w, t->weight)] = true;
}

static void undo_layer_mark(rk_walk *w, const rk_mark *m)
{
    undo_mark(w, m);
    follow_mark(w, m);
    let_go_kept(w, m);
}

static void undo_from(rk_walk *w, size_t first)
{
    for (size_t i = w->tape.n; i > first && w->code == RK_OK; i--) {
        rk_mark m = w->tape.at[i - 1];

        if (m.kind == MARK_OP)
            undo_op(w, &m);
        else if (m.kind == MARK_FUSED)
            undo_fused(w, &m);
        else if (m.kind == MARK_PIECE)
            undo_piece(w, m);
        else if (m.kind == MARK_AGAIN)
            undo_again(w, m);
        else
            undo_layer_mark(w, &m);
        w->tape.n = i - 1;
    }
}

static bool is_output(const rk_walk *w, uint32_t buffer)
{
    for (size_t i = 0; i < w->p->n_output; i++)
        if (rk_walk_buffer_of(w, w->p->output[i]) == buffer)
            return true;
    return false;
}

/* The functions of the model have ended: what their variables had is let go, and perhaps the output. */
static void end_forward(rk_walk *w)
{
    for (uint32_t b = 0; b < w->pl->n_buffer; b++)
        if (w->held[b] && (!w->o->hold_output || !is_output(w, b)))
            rk_walk_let_go(w, w->now[b]);
}

static size_t count_loops_outside(const rk_walk *w)
{
    size_t n = 0;

    for (size_t i = 0; i < w->p->n_loop; i++)
        n += w->p->loop[i].parent == 0;
    return n;
}

void rk_walk_do_backward(rk_walk *w)
{
    end_forward(w);
    w->moment = &w->out->stretch[RK_STRETCH_HEAD];
    w->loops_left = count_loops_outside(w);
    if (!w->o->loss)
        for (size_t i = 0; i < w->p->n_output; i++)
            w->gradient[w->p->output[i]] = rk_walk_born(w, LIVE_GRADIENT, w->p->output[i], RK_NONE);
    undo_from(w, 0);
}
