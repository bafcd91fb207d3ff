/* SPDX-License-Identifier: MIT */
/*
 * pass/step_backward.c - lists of gradients, in the order in which the backward pass takes them.
 *
 * Operations are taken in reverse.  Each makes the gradients of its operands, adds them to what is there, and lets go
 * of its result's gradient and of what it saved.  While a list is made, `has` says which gradients are there.
 */
#include "pass/stepping.h"

#include <string.h>

static void effect(rk_stepping *s, rk_effect_kind kind, uint32_t slot, uint32_t other)
{
    rk_stepping_effect(s, kind, slot, other);
}

static void storage_task(rk_stepping *s)
{
    rk_stepping_task(s, RK_TASK_STORAGE, RK_NONE, RK_NONE, RK_STAGE_NONE);
}

/* ---- one operation ---------------------------------------------------------------------------------------------- */

/* Adds what one slot has to what another has, in its place. */
static void accumulate(rk_stepping *s, uint32_t op, uint32_t operand, rk_stage stage, uint32_t to, uint32_t from)
{
    rk_stepping_task(s, RK_TASK_ACCUMULATE, op, operand, stage);
    rk_stepping_read(s, to);
    rk_stepping_read(s, from);
}

/* What has just been made is a tensor's gradient, or is added to the one that is there. */
static void settle(rk_stepping *s, uint32_t op, uint32_t operand, uint32_t tensor, rk_stage stage)
{
    uint32_t slot = rk_stepping_gradient(s, tensor);

    if (!s->has[slot]) {
        effect(s, RK_EFFECT_MOVE, slot, s->fresh);
        s->has[slot] = true;
        return;
    }
    if (s->o->detailed && rk_stepping_puts_off(s, slot))
        return;
    accumulate(s, op, operand, stage, slot, s->fresh);
    if (s->borrowed[slot]) {
        effect(s, RK_EFFECT_MAKE, s->sum, slot);
        effect(s, RK_EFFECT_FREE, slot, RK_NONE);
        effect(s, RK_EFFECT_MOVE, slot, s->sum);
        s->borrowed[slot] = false;
    }
    effect(s, RK_EFFECT_FREE, s->fresh, RK_NONE);
}

static bool is_cast(const rk_stepping *s, uint32_t op)
{
    return op != RK_NONE && rk_op_table[s->p->op[op].row].class == RK_CLASS_CAST;
}

/*
 * The gradient of a weight stays.  That of one layer is there once; one that is used in several places is added up,
 * into a third buffer, unless it is nobody else's.
 */
static void settle_weight(rk_stepping *s, uint32_t op, uint32_t operand, uint32_t tensor, rk_stage stage)
{
    uint32_t owner = rk_stepping_owner(s, tensor), slot = rk_stepping_gradient(s, owner);
    bool once = s->uses[owner] == 1 && (!s->o->units || rk_stepping_adds_whole(s));

    if (once && !s->o->units)
        rk_stepping_complete(s, owner);
    if (once && !s->adds_up && !s->o->units) {
        effect(s, RK_EFFECT_MOVE, RK_NONE, s->fresh);
    } else if (once || (s->has[slot] && s->sole_gradient == owner)) {
        accumulate(s, op, operand, stage, once ? RK_NONE : slot, s->fresh);
        if (s->half == HALF_WEIGHTS) { /* it is there until the next has been made */
            effect(s, RK_EFFECT_FREE, s->half_slot + HALF_MADE, RK_NONE);
            effect(s, RK_EFFECT_MOVE, s->half_slot + HALF_MADE, s->fresh);
        } else {
            effect(s, RK_EFFECT_FREE, s->fresh, RK_NONE);
        }
        if (once && s->leaves)
            effect(s, RK_EFFECT_LEAVE, RK_NONE, slot);
    } else if (!s->has[slot]) {
        effect(s, RK_EFFECT_MOVE, slot, s->fresh);
        s->has[slot] = true;
        if (is_cast(s, op)) /* a buffer of its own, to which others are added */
            s->sole_gradient = owner;
    } else {
        accumulate(s, op, operand, stage, slot, s->fresh);
        effect(s, RK_EFFECT_MAKE, s->sum, rk_stepping_gradient(s, owner));
        effect(s, RK_EFFECT_FREE, slot, RK_NONE);
        effect(s, RK_EFFECT_FREE, s->fresh, RK_NONE);
        effect(s, RK_EFFECT_MOVE, slot, s->sum);
    }
}

/* Whether a product of a layer adds to the gradient of its weight by itself. */
bool rk_stepping_fuses_gradient(const rk_stepping *s, size_t i, size_t k)
{
    return s->o->layout && s->o->layout->runtime.fuses_gradients && s->p->op[i].group != 0 && s->p->op[i].summed &&
           rk_stepping_is_weight(s, s->p->op[i].in[k].tensor);
}

/* The gradient of one operand: made, or that of the result itself, perhaps under other axes. */
static void gradient_of(rk_stepping *s, size_t i, size_t k)
{
    const rk_op *op = &s->p->op[i];
    uint32_t tensor = op->in[k].tensor, result = rk_stepping_gradient(s, op->out), unpacked;
    bool shares;

    /* Parts of one tensor have their gradients in one buffer. */
    if (s->o->detailed && rk_op_table[op->row].place == RK_PLACE_PART && s->has[rk_stepping_gradient(s, tensor)])
        return;
    rk_stepping_before_gradient(s, i, k);
    if (rk_stepping_fuses_gradient(s, i, k)) {
        rk_stepping_complete(s, rk_stepping_owner(s, tensor));
        return;
    }
    if (rk_stepping_is_weight(s, tensor)) {
        effect(s, RK_EFFECT_MAKE, s->fresh, rk_stepping_gradient(s, tensor));
        rk_stepping_after_gradient(s, i, k);
        settle_weight(s, (uint32_t)i, (uint32_t)k, tensor, RK_STAGE_BACKWARD);
        return;
    }
    rk_stepping_unpack(s, i, &unpacked);
    shares = rk_grad_passes(op, k) && rk_stepping_as_large(s, tensor, op->out) && s->has[result];
    if (shares)
        effect(s, RK_EFFECT_SHARE, s->fresh, result);
    else if (rk_op_table[op->row].saves & RK_SAVE_OVER)
        effect(s, RK_EFFECT_RESTORE, s->fresh, s->saved[i]);
    else
        effect(s, RK_EFFECT_MAKE, s->fresh, rk_stepping_gradient(s, tensor));
    if (unpacked != RK_NONE)
        effect(s, RK_EFFECT_FREE, unpacked, RK_NONE);
    if ((op->rows > 1 && op->n_label > 0) || (s->o->run.autocast && !s->o->detailed &&
                                              rk_op_table[op->row].class == RK_CLASS_SOFTMAX)) { /* times its result */
        effect(s, RK_EFFECT_MAKE, s->sum, rk_stepping_gradient(s, tensor));
        effect(s, RK_EFFECT_FREE, s->sum, RK_NONE);
    }
    rk_stepping_after_gradient(s, i, k);
    if (!s->has[rk_stepping_gradient(s, tensor)]) {
        /* What is shared may be kept for the gradient of a weight. */
        s->borrowed[rk_stepping_gradient(s, tensor)] = shares && (s->borrowed[result] || s->half == HALF_INPUTS);
        s->viewed[rk_stepping_gradient(s, tensor)] = op->summed || (shares && s->viewed[result]);
        s->turned[rk_stepping_gradient(s, tensor)] =
            rk_op_table[op->row].class == RK_CLASS_ROTARY || (shares && s->turned[result]);
    }
    settle(s, (uint32_t)i, (uint32_t)k, tensor, RK_STAGE_BACKWARD);
}

/*
 * A recurrence is run back step by step: the gradient of what its operations read a step back is made by them, after
 * the one that made it has read it, for the step before.  So it is there from its maker to the first of its readers.
 */
static bool is_read_back(const rk_stepping *s, uint32_t tensor, size_t before)
{
    return s->read_back[tensor] < before;
}

/* What reaches the output through the next step alone begins with nothing. */
static void begin_steps(rk_stepping *s, size_t i)
{
    uint32_t out = s->p->op[i].out, slot = rk_stepping_gradient(s, out);

    if (s->has[slot] || s->read_back[out] > i || s->f->reach[out] != RK_REACH_NEXT)
        return;
    rk_stepping_task(s, RK_TASK_STORAGE, (uint32_t)i, RK_NONE, RK_STAGE_NONE);
    effect(s, RK_EFFECT_MAKE, slot, slot);
    s->has[slot] = true;
}

static void end_steps(rk_stepping *s, size_t i)
{
    const rk_op *op = &s->p->op[i];

    for (size_t k = 0; k < op->n_in; k++) {
        uint32_t slot = rk_stepping_gradient(s, op->in[k].tensor);

        if (rk_step_label(s->p, i, k) == RK_NONE || s->read_back[op->in[k].tensor] != i || !s->has[slot])
            continue;
        effect(s, RK_EFFECT_FREE, slot, RK_NONE);
        s->has[slot] = false;
    }
}

/* The gradient of a bias is made after those of the product that it is added to, where there are any. */
static bool follows_product(const rk_stepping *s, size_t i)
{
    return s->product[i] != RK_NONE && rk_flow_needs(s->f, i, 0);
}

/* Whether an operation reads a weight that gets a gradient. */
bool rk_stepping_trains(const rk_stepping *s, size_t i)
{
    const rk_op *op = &s->p->op[i];

    for (size_t k = 0; k < op->n_in; k++)
        if (rk_stepping_is_weight(s, op->in[k].tensor) && rk_grad_flows(op, k) && rk_flow_needs(s->f, i, k))
            return true;
    return false;
}

/*
 * The half that was put off: gradients of weights, one after the other, with what their operations have saved and been
 * given.  Of each, the framework still has the gradient that it was given, a copy of that which it hands on, and the
 * result, when it comes to the next.
 */
static void weights_of_op(rk_stepping *s, size_t i)
{
    const rk_op *op = &s->p->op[i];
    uint32_t result = rk_stepping_gradient(s, op->out);

    if (s->kept_gradient[i] == RK_NONE)
        return;
    rk_stepping_task(s, RK_TASK_STORAGE, (uint32_t)i, RK_NONE, RK_STAGE_BACKWARD)->opens = true;
    effect(s, RK_EFFECT_FREE, s->half_slot + HALF_GIVEN, RK_NONE);
    effect(s, RK_EFFECT_RESTORE, s->half_slot + HALF_GIVEN, s->kept_gradient[i]);
    effect(s, RK_EFFECT_FREE_SAVED, RK_NONE, s->kept_gradient[i]);
    effect(s, RK_EFFECT_MAKE, s->sum, result);
    effect(s, RK_EFFECT_FREE, s->half_slot + HALF_COPY, RK_NONE);
    effect(s, RK_EFFECT_MOVE, s->half_slot + HALF_COPY, s->sum);
    for (size_t k = 0; k < op->n_in && s->code == RK_OK; k++)
        if (rk_stepping_is_weight(s, op->in[k].tensor) && rk_grad_flows(op, k) && rk_flow_needs(s->f, i, k)) {
            rk_stepping_task(s, RK_TASK_GRADIENT, (uint32_t)i, (uint32_t)k, RK_STAGE_BACKWARD);
            rk_stepping_read(s, s->half_slot + HALF_COPY);
            gradient_of(s, i, k);
        }
    if (s->code == RK_OK)
        s->task.at[s->task.n - 1].closes = true;
}

/* What operations of a group have saved, up to the last that reads a trained weight, is let go. */
static void forget_group(rk_stepping *s, uint32_t group)
{
    storage_task(s);
    for (size_t i = s->first_op; i <= s->last_trained; i++)
        for (uint32_t k = 0; s->p->op[i].group == group && k < s->n_saved[i]; k++)
            effect(s, RK_EFFECT_FREE_SAVED, RK_NONE, s->saved[i] + k);
}

static void free_saved(rk_stepping *s, size_t i)
{
    for (uint32_t k = 0; k < s->n_saved[i]; k++)
        effect(s, RK_EFFECT_FREE_SAVED, RK_NONE, s->saved[i] + k);
}

static void backward_op(rk_stepping *s, size_t i)
{
    const rk_op *op = &s->p->op[i];
    const rk_place_op *at = &s->pl->op[i];
    uint32_t result = rk_stepping_gradient(s, op->out), n_cast;
    bool reached, opened = false;

    rk_stepping_make_recomputed(s, i);
    begin_steps(s, i);
    reached = s->has[result] || (s->o->loss && i == s->p->loss);
    n_cast = reached ? at->n_cast : 0; /* copies in eight bits of both operands and of the result's gradient */
    for (size_t n = 0; n <= op->n_in; n++) {
        size_t k = rk_stepping_operand(s, i, n);
        bool flows = k < op->n_in && reached && rk_grad_flows(op, k) && rk_flow_needs(s->f, i, k) &&
                     !(k == 1 && follows_product(s, i)) &&
                     !(s->half == HALF_INPUTS && rk_stepping_is_weight(s, op->in[k].tensor));

        if (!flows && (k < op->n_in || opened))
            continue;
        rk_stepping_task(s, flows ? RK_TASK_GRADIENT : RK_TASK_STORAGE, (uint32_t)i, flows ? (uint32_t)k : RK_NONE,
                         RK_STAGE_BACKWARD)
            ->opens = !opened;
        if (flows && s->code == RK_OK) {
            rk_stepping_read(s, s->has[result] ? result : RK_NONE);
            s->task.at[s->task.n - 1].saved = s->saved[i];
            s->task.at[s->task.n - 1].n_saved = s->n_saved[i];
        }
        for (uint32_t c = 0; c < n_cast && !opened; c++)
            effect(s, RK_EFFECT_MAKE, at->cast + c, at->cast + c);
        if (!opened)
            rk_stepping_before_gradients(s, i);
        opened = true;
        if (flows)
            gradient_of(s, i, k);
    }
    if (s->code == RK_OK && s->half == HALF_BOTH && s->bias[i] != RK_NONE && s->has[result] &&
        follows_product(s, s->bias[i]) && rk_flow_needs(s->f, s->bias[i], 1)) {
        rk_stepping_task(s, RK_TASK_GRADIENT, s->bias[i], 1, RK_STAGE_BACKWARD);
        gradient_of(s, s->bias[i], 1);
    }
    if (s->code != RK_OK)
        return;
    rk_stepping_after_gradients(s, i);
    s->task.at[s->task.n - 1].closes = true;
    for (uint32_t c = 0; c < n_cast; c++)
        effect(s, RK_EFFECT_FREE, at->cast + c, RK_NONE);
    if (s->half == HALF_INPUTS && s->kept_gradient[i] != RK_NONE && s->has[result])
        effect(s, RK_EFFECT_PUT, result, s->kept_gradient[i]);
    if (s->has[result] && !is_read_back(s, op->out, i)) {
        effect(s, RK_EFFECT_FREE, result, RK_NONE);
        s->has[result] = s->borrowed[result] = false;
    }
    end_steps(s, i);
    if (s->half == HALF_BOTH || (i > s->last_trained && op->group != 0))
        free_saved(s, i);
    rk_stepping_forget_recomputed(s, i);
    rk_stepping_add_up(s);
}

/* ---- regions, and the fused loss --------------------------------------------------------------------------------- */

/*
 * Whether a slot has what it had: something given that no operation reads, which is never let go, or, in a layer, what
 * is an input of its recomputation.
 */
static bool is_there(const rk_stepping *s, uint32_t group, uint32_t slot)
{
    for (size_t i = 0; group != 0 && i < s->recompute_input.n; i++)
        if (s->recompute_input.at[i] == slot)
            return true;
    return slot < s->out->n_place && s->pl->buffer[slot].op == RK_NONE && s->last[slot] == RK_NONE && !s->held[slot];
}

/* Whether an operation of a region is the last to read a place. */
static bool is_released_in(const rk_stepping *s, uint32_t group, uint32_t place, const rk_region *r)
{
    return s->last[place] != RK_NONE && s->last[place] >= rk_event_op(r->first) &&
           s->last[place] <= rk_event_op(r->end - 1) && !s->held[place] && s->releaser[place] == group;
}

static void backward_region(rk_stepping *s, size_t n)
{
    const rk_region *r = &s->p->region[n];
    const rk_chunk *t = s->o->chunk;
    uint32_t group = s->p->op[r->first].group;

    storage_task(s);
    for (uint32_t k = 0; k < s->n_region_input[n]; k++)
        if (!is_there(s, group, s->region_input[n][k]))
            effect(s, RK_EFFECT_RESTORE, s->region_input[n][k], s->region_saved[n] + k);
    /* The chunk that is run is one after the first: the head's weight has a gradient, to which it adds. */
    if (t && r->first == t->region->first && t->size < t->n_token && rk_flow_needs(s->f, t->head, 1)) {
        uint32_t slot = rk_stepping_gradient(s, rk_stepping_owner(s, t->weight));

        rk_stepping_task(s, RK_TASK_STORAGE, t->head, RK_NONE, RK_STAGE_NONE);
        effect(s, RK_EFFECT_MAKE, slot, rk_stepping_gradient(s, t->weight));
        s->has[slot] = true;
    }
    s->region = r;
    for (size_t i = r->first; i < r->end && s->code == RK_OK; i++)
        rk_stepping_forward_op(s, i, true, true);
    s->region = NULL;
    storage_task(s);
    for (uint32_t k = 0; k < s->n_region_input[n]; k++) {
        uint32_t slot = s->region_input[n][k];

        if (!is_there(s, group, slot) && (slot >= s->out->n_place || !is_released_in(s, group, slot, r)))
            effect(s, RK_EFFECT_FREE, slot, RK_NONE);
    }
    for (size_t i = r->first; i < r->end; i++) { /* what a region makes for others was made before */
        const rk_place_op *op = &s->pl->op[i];

        for (uint32_t b = op->made; b < op->made + op->n_made; b++)
            if (s->pl->buffer[b].op != RK_NONE && (s->last[b] != RK_NONE || s->held[b] || s->carried_out[b]) &&
                !is_released_in(s, group, b, r))
                effect(s, RK_EFFECT_FREE, b, RK_NONE);
    }
    for (size_t i = r->end; i > r->first && s->code == RK_OK; i--)
        backward_op(s, i - 1);
    storage_task(s);
    for (uint32_t k = 0; k < s->n_region_input[n]; k++)
        effect(s, RK_EFFECT_FREE_SAVED, RK_NONE, s->region_saved[n] + k);
}

/* The gradient of a weight is complete: it stays, or is added to the one that does. */
void rk_stepping_settle_last(rk_stepping *s, uint32_t tensor)
{
    uint32_t slot = rk_stepping_gradient(s, tensor);

    rk_stepping_complete(s, tensor);
    if (s->adds_up) {
        accumulate(s, RK_NONE, tensor, RK_STAGE_NONE, RK_NONE, slot);
        effect(s, RK_EFFECT_FREE, slot, RK_NONE);
        if (s->leaves)
            effect(s, RK_EFFECT_LEAVE, RK_NONE, slot);
    } else {
        effect(s, RK_EFFECT_MOVE, RK_NONE, slot);
    }
    s->has[slot] = false;
}

/* The gradients are there. */
static void backward_fused(rk_stepping *s)
{
    const rk_chunk *t = s->o->chunk;
    uint32_t op = t->head, saved = s->saved[t->region->first], bias;

    storage_task(s);
    if (rk_flow_needs(s->f, op, 0)) {
        effect(s, RK_EFFECT_RESTORE, s->fresh, saved);
        settle(s, op, 0, t->hidden, RK_STAGE_NONE);
    }
    effect(s, RK_EFFECT_FREE_SAVED, RK_NONE, saved);
    if (t->weight_gradient != RK_NONE) {
        effect(s, RK_EFFECT_RESTORE, s->fresh, saved + 1);
        effect(s, RK_EFFECT_FREE_SAVED, RK_NONE, saved + 1);
        settle_weight(s, op, 1, t->weight, RK_STAGE_NONE);
    }
    for (size_t i = 0; (bias = rk_stepping_bias(s, i)) != RK_NONE; i++) {
        s->has[rk_stepping_gradient(s, bias)] = true;
        if (s->uses[bias] == 1 && !s->o->units)
            rk_stepping_settle_last(s, bias);
    }
    /* It is nobody else's: what comes later is added to it where it is. */
    s->sole_gradient = rk_stepping_owner(s, t->weight);
}

/* ---- layers ----------------------------------------------------------------------------------------------------- */

/* A gradient comes in from a variable, or goes out into one. */
static void take_in(rk_stepping *s, uint32_t tensor, uint32_t variable)
{
    uint32_t slot = rk_stepping_gradient(s, tensor);

    if (!s->has[variable])
        return;
    if (s->has[slot]) {
        accumulate(s, RK_NONE, RK_NONE, RK_STAGE_NONE, slot, variable);
        effect(s, RK_EFFECT_FREE, variable, RK_NONE);
    } else {
        effect(s, RK_EFFECT_MOVE, slot, variable);
        s->borrowed[slot] = s->borrowed[variable];
    }
    s->has[slot] = true;
    s->has[variable] = s->borrowed[variable] = false;
}

static void give_out(rk_stepping *s, uint32_t tensor, uint32_t variable)
{
    uint32_t from = rk_stepping_gradient(s, tensor);

    if (s->has[from])
        effect(s, RK_EFFECT_MOVE, variable, from);
    s->has[variable] = s->has[from];
    s->borrowed[variable] = s->has[from] && s->borrowed[from];
    s->has[from] = s->borrowed[from] = false;
}

/*
 * Where gradients go into buckets it counts when one is complete.  Outside of layers that is when the first operation
 * that uses the weight has been taken, or the loop in which it stands.
 */
static void settle_complete(rk_stepping *s, const rk_step_thing *t)
{
    size_t first = t->kind == THING_LOOP ? s->p->loop[t->which].first_op
                   : t->kind == THING_OP ? t->which
                                         : s->p->region[t->which].first;

    for (uint32_t w = 0; w < s->p->n_weight; w++) {
        uint32_t tensor = s->p->weight[w].group == 0 ? s->p->weight[w].tensor : RK_NONE;

        if (tensor == RK_NONE || !s->has[rk_stepping_gradient(s, tensor)] || s->first_use[tensor] < first ||
            s->first_use[tensor] >= t->end)
            continue;
        rk_stepping_task(s, RK_TASK_STORAGE, RK_NONE, RK_NONE, RK_STAGE_NONE);
        rk_stepping_settle_last(s, tensor);
    }
}

static void backward_loop(rk_stepping *s, size_t loop);

static void backward_group(rk_stepping *s, uint32_t group)
{
    size_t n;
    const rk_step_thing *thing = rk_stepping_things(s, group, true, &n);

    for (size_t i = 0; s->half == HALF_WEIGHTS && i < n && s->code == RK_OK; i++) /* in the order of the model */
        if (thing[i].kind == THING_LOOP)
            backward_loop(s, thing[i].which);
        else
            weights_of_op(s, thing[i].which);
    if (s->half == HALF_WEIGHTS)
        forget_group(s, group);
    for (; s->half != HALF_WEIGHTS && n > 0 && s->code == RK_OK; n--) {
        const rk_step_thing *t = &thing[n - 1];

        if (group == 0)
            rk_stepping_before_gradients_of(s, t);
        if (t->kind == THING_LOOP)
            backward_loop(s, t->which);
        else if (t->kind == THING_FUSED)
            backward_fused(s);
        else if (t->kind == THING_REGION)
            backward_region(s, t->which);
        else if (rk_stepping_runs(s, t->which))
            backward_op(s, t->which);
        if (group == 0)
            rk_stepping_after_gradients_of(s, t);
        if (group == 0 && rk_stepping_in_buckets(s))
            settle_complete(s, t);
    }
}

/* Which gradients are there, and which of them others hold, to be compared. */
static const bool *copy_has(rk_stepping *s)
{
    bool *copy = RK_NEW_ARRAY(s->a, 2 * s->out->n_slot + 1, bool);

    if (!copy) {
        rk_stepping_fail(s);
        return s->has;
    }
    return memcpy(copy, s->has, 2 * s->out->n_slot * sizeof *copy);
}

static uint32_t make_layer(rk_stepping *s, uint32_t group)
{
    const rk_group *g = &s->p->group[group];
    size_t n_carry = s->p->loop[g->loop].n_carry;
    uint32_t before, list = rk_stepping_begin_list(s, group, &before);

    rk_stepping_begin_recomputed(s, group);
    storage_task(s);
    for (size_t v = 0; v < n_carry; v++)
        take_in(s, g->out[v], rk_stepping_variable_gradient(s, g->loop, v));
    backward_group(s, group);
    storage_task(s);
    for (size_t v = 0; v < n_carry; v++)
        give_out(s, g->in[v], rk_stepping_variable_gradient(s, g->loop, v));
    for (uint32_t w = 0; w < s->p->n_weight; w++) { /* of this layer there will be no more */
        uint32_t slot = s->p->weight[w].tensor == RK_NONE ? 0 : rk_stepping_gradient(s, s->p->weight[w].tensor);

        if (s->p->weight[w].group != group || s->p->weight[w].tensor == RK_NONE || !s->has[slot])
            continue;
        if (s->o->units && g->parent == 0) /* they are reduced when the list has been run */
            continue;
        rk_stepping_settle_last(s, s->p->weight[w].tensor);
        storage_task(s);
    }
    rk_stepping_reduce_partial(s, group);
    storage_task(s);
    for (uint32_t v = 0; s->o->run.profile->textbook && v < n_carry; v++)
        if (!s->p->tensor[g->in[v]].is_index)
            effect(s, RK_EFFECT_FREE_SAVED, RK_NONE, s->layer_saved[group] + v);
    rk_stepping_end_list(s, before);
    return list;
}

/* The list of a layer that finds these gradients; most groups have one or two. */
static uint32_t layer_list(rk_stepping *s, uint32_t group)
{
    size_t first = s->out->n_place, n = (2 * s->out->n_slot - first) * sizeof *s->has;
    rk_step_form form = {.group = group}, *slot;

    for (size_t i = 0; i < s->form.n; i++)
        if (s->form.at[i].group == group && memcmp(s->form.at[i].before + first, s->has + first, n) == 0) {
            memcpy(s->has + first, s->form.at[i].after + first, n);
            return s->form.at[i].list;
        }
    form.before = copy_has(s);
    form.list = make_layer(s, group);
    form.after = copy_has(s);
    if ((slot = RK_PUSH(s->a, &s->form)))
        *slot = form;
    else
        rk_stepping_fail(s);
    return form.list;
}

/* In which part of the backward pass layers from `first` up to `end` stand, together. */
static rk_backward_part part_of(const rk_stepping *s, const rk_loop *l, size_t first, size_t end)
{
    if (s->loops_done == 0 && end == l->n_layer)
        return RK_BACKWARD_LAST_LAYER;
    return s->loops_done + 1 == s->n_root_loop && first == 0 ? RK_BACKWARD_FIRST_LAYER : RK_BACKWARD_MIDDLE;
}

static void each_layer(rk_stepping *s, const rk_loop *l, size_t loop, rk_step_item *item)
{
    for (size_t n = l->n_layer; n > 0 && s->code == RK_OK; n--) {
        size_t i = s->half == HALF_WEIGHTS ? l->n_layer - n : n - 1;
        rk_backward_part part = part_of(s, l, i, i + 1);

        rk_stepping_open_layer(s, loop, i, part, item);
        item->run[item->n_run++] = (rk_step_run){.list = layer_list(s, rk_stepping_group_of(l, i)),
                                                 .layer = (uint32_t)i,
                                                 .frame = s->loop_at[loop].run[i].frame,
                                                 .part = part};
        rk_stepping_close_layer(s, loop, i, part, item);
    }
}

/* A list that does one thing to what goes into layers that are recomputed together. */
static uint32_t segment_list(rk_stepping *s, size_t loop, rk_effect_kind kind, uint32_t n)
{
    uint32_t before, list = rk_stepping_begin_list(s, s->p->loop[loop].parent, &before);

    storage_task(s);
    for (uint32_t v = 0; v < n; v++) {
        uint32_t place = v < s->p->loop[loop].n_carry
                             ? rk_stepping_place_of(s, s->p->group[s->p->loop[loop].group[0]].in[v])
                             : RK_NONE;

        if (s->o->offloads && kind == RK_EFFECT_RESTORE && place != RK_NONE) /* it comes back from the host */
            effect(s, RK_EFFECT_MAKE, rk_stepping_variable(s, loop, v), place);
        else if (!(s->o->offloads && kind == RK_EFFECT_FREE_SAVED && v < s->p->loop[loop].n_carry))
            effect(s, kind, kind == RK_EFFECT_FREE_SAVED ? RK_NONE : rk_stepping_variable(s, loop, v), v);
    }
    rk_stepping_end_list(s, before);
    return list;
}

/* Forward through the layers once more, now saving what their gradients need; then back. */
static void each_segment(rk_stepping *s, const rk_loop *l, size_t loop, rk_step_item *item)
{
    uint32_t n_carry = (uint32_t)l->n_carry, n_saved = s->n_segment_saved[loop];
    uint32_t restore = segment_list(s, loop, RK_EFFECT_RESTORE, n_carry);
    uint32_t forget = segment_list(s, loop, RK_EFFECT_FREE, n_carry);
    uint32_t free_saved = segment_list(s, loop, RK_EFFECT_FREE_SAVED, n_saved);
    size_t most = s->o->recompute_layers, n_segment = (l->n_layer + most - 1) / most;
    uint32_t room = s->segment_room[loop];

    for (size_t k = n_segment; k > 0 && s->code == RK_OK; k--) {
        size_t first = (k - 1) * most, end = first + most < l->n_layer ? first + most : l->n_layer;
        rk_step_run run = {.layer = RK_NONE,
                           .frame = s->loop_at[loop].run[(k - 1) * (most + 1)].frame,
                           .part = part_of(s, l, first, end)};
        uint32_t frame = room;

        for (size_t i = end; i > first; i--)
            rk_stepping_open_layer(s, loop, i - 1, run.part, item);
        run.list = restore;
        item->run[item->n_run++] = run;
        for (size_t i = first; i < end; i++) {
            uint32_t list = rk_stepping_layer(s, rk_stepping_group_of(l, i), SAVING_RECOMPUTED);

            item->run[item->n_run++] =
                (rk_step_run){.list = list, .layer = (uint32_t)i, .frame = frame, .part = run.part};
            frame += s->list.at[list].n_saved;
        }
        run.list = forget;
        item->run[item->n_run++] = run;
        for (size_t i = end; i > first && s->code == RK_OK; i--) {
            uint32_t group = rk_stepping_group_of(l, i - 1);

            uint32_t saving = rk_stepping_layer(s, group, SAVING_RECOMPUTED);

            frame -= s->list.at[saving].n_saved;
            item->run[item->n_run++] = (rk_step_run){.list = layer_list(s, group),
                                                     .layer = (uint32_t)(i - 1),
                                                     .frame = frame,
                                                     .part = part_of(s, l, i - 1, i)};
            rk_stepping_close_layer(s, loop, i - 1, part_of(s, l, i - 1, i), item);
        }
        run.list = free_saved;
        item->run[item->n_run++] = run;
    }
}

static void backward_loop(rk_stepping *s, size_t loop)
{
    const rk_loop *l = &s->p->loop[loop];
    const rk_group *first = &s->p->group[l->group[0]], *end = &s->p->group[l->group[l->n_group - 1]];
    bool recomputes = s->o->recompute_layers > 0 && l->parent == 0;
    size_t end_recompute_input = recomputes ? s->end_recompute_input[loop] : 0;
    size_t n_segment = recomputes ? (l->n_layer + s->o->recompute_layers - 1) / s->o->recompute_layers : 0;
    rk_step_item item = {
        .loop = (uint32_t)loop,
        .frame = s->loop_at[loop].frame,
        .is_backward = true,
        .is_last = s->loops_done == 0,
        .is_first = s->loops_done + 1 == s->n_root_loop,
        .run = RK_NEW_ARRAY(s->a, ((recomputes ? 2 : 1) + rk_stepping_n_unit_run(s)) * l->n_layer + 3 * n_segment + 1,
                            rk_step_run)};

    if (!item.run) {
        rk_stepping_fail(s);
        return;
    }
    if (l->parent == 0)
        rk_stepping_enter_flat(s);
    storage_task(s);
    for (size_t v = 0; v < l->n_carry; v++)
        give_out(s, end->out[v], rk_stepping_variable_gradient(s, loop, v));
    for (size_t i = s->first_recompute_input[loop]; i < end_recompute_input; i++)
        effect(s, RK_EFFECT_RESTORE, s->recompute_input.at[i], s->recompute_input_at.at[i]);
    if (recomputes)
        each_segment(s, l, loop, &item);
    else
        each_layer(s, l, loop, &item);
    rk_stepping_loop(s, item);
    s->loops_done += l->parent == 0;
    storage_task(s);
    for (size_t v = 0; v < l->n_carry; v++)
        take_in(s, first->in[v], rk_stepping_variable_gradient(s, loop, v));
    for (size_t i = s->first_recompute_input[loop]; i < end_recompute_input; i++)
        effect(s, RK_EFFECT_FREE, s->recompute_input.at[i], RK_NONE);
    /* Inputs of recomputed layers are let go when the last loop is done: loops may share it. */
    for (size_t i = s->first_lent; l->parent == 0 && s->loops_done == s->n_root_loop && i < s->end_lent; i++)
        effect(s, RK_EFFECT_FREE_SAVED, RK_NONE, s->recompute_input_at.at[i]);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

/* In how many places each weight is used; in a layer, one that all layers share is used in many. */
static void count_uses(rk_stepping *s)
{
    const rk_chunk *t = s->o->chunk;

    memset(s->first_use, 0xFF, s->p->n_tensor * sizeof *s->first_use);
    for (size_t i = 0; i < s->p->n_op; i++)
        for (size_t k = 0; k < s->p->op[i].n_in; k++) {
            uint32_t w = s->p->op[i].in[k].tensor;

            if (rk_stepping_is_weight(s, w) && rk_flow_needs(s->f, i, k)) {
                w = rk_stepping_owner(s, w);
                s->first_use[w] = i < s->first_use[w] ? (uint32_t)i : s->first_use[w];
                s->uses[w] += s->p->weight[s->p->tensor[w].weight].group == s->p->op[i].group ? 1 : 2;
            }
        }
    if (t && t->size < t->n_token)
        s->uses[rk_stepping_owner(s, t->weight)]++; /* once for each chunk */
}

/* The first operation that reads each tensor a step back and has a gradient for it. */
static void note_steps(rk_stepping *s)
{
    memset(s->read_back, 0xFF, s->p->n_tensor * sizeof *s->read_back);
    for (size_t i = s->p->n_op; i > 0; i--)
        for (size_t k = 0; k < s->p->op[i - 1].n_in; k++)
            if (rk_step_label(s->p, i - 1, k) != RK_NONE && rk_flow_needs(s->f, i - 1, k) &&
                rk_grad_flows(&s->p->op[i - 1], k))
                s->read_back[s->p->op[i - 1].in[k].tensor] = (uint32_t)(i - 1);
}

static bool is_output(const rk_stepping *s, uint32_t place)
{
    for (size_t i = 0; i < s->p->n_output; i++)
        if (rk_stepping_place_of(s, s->p->output[i]) == place)
            return true;
    return false;
}

void rk_stepping_begin_backward(rk_stepping *s)
{
    count_uses(s);
    note_steps(s);
}

/* What operations between first_op and end_op do to the gradients that are there. */
void rk_stepping_backward_stage(rk_stepping *s, rk_step_half half, bool adds_up, bool leaves)
{
    s->half = half;
    s->adds_up = adds_up;
    s->leaves = leaves;
    s->form.n = 0;
    s->sole_gradient = RK_NONE;
    s->n_root_loop = s->loops_done = 0;
    rk_stepping_begin_recomputed(s, 0);
    for (size_t i = 0; i < s->p->n_loop; i++) {
        const rk_loop *l = &s->p->loop[i];

        s->n_root_loop +=
            l->parent == 0 && l->first_op != l->end_op && l->first_op >= s->first_op && l->end_op <= s->end_op;
    }
    backward_group(s, 0);
    /* The graph is kept while gradients of activations are taken; then what no weight's gradient needs is let go. */
    for (size_t i = s->end_op; half == HALF_INPUTS && i > s->first_op && i - 1 > s->last_trained; i--)
        if (s->p->op[i - 1].group == 0)
            free_saved(s, i - 1);
}

/* The functions of the model have ended: what their variables had is let go, and perhaps the output. */
void rk_stepping_backward(rk_stepping *s)
{
    uint32_t before;

    rk_stepping_begin_backward(s);
    s->out->backward = rk_stepping_begin_list(s, 0, &before);
    if (s->code != RK_OK)
        return;
    rk_stepping_begin_flat(s);
    rk_stepping_begin_gradients(s);
    storage_task(s);
    for (uint32_t b = 0; b < s->pl->n_buffer; b++)
        if (s->held[b] && (!s->o->hold_output || !is_output(s, b)))
            effect(s, RK_EFFECT_FREE, b, RK_NONE);
    for (size_t i = 0; !s->o->loss && i < s->p->n_output; i++) {
        uint32_t slot = rk_stepping_gradient(s, s->p->output[i]);

        effect(s, RK_EFFECT_MAKE, slot, slot);
        s->has[slot] = true;
    }
    rk_stepping_backward_stage(s, HALF_BOTH, s->o->adds_up, s->o->leaves);
    rk_stepping_end_gradients(s);
    for (uint32_t t = 0; s->o->adds_up && !s->o->units && t < s->p->n_tensor; t++)
        if (rk_stepping_is_weight(s, t) && s->has[rk_stepping_gradient(s, t)])
            rk_stepping_settle_last(s, t);
    rk_stepping_reduce_partial(s, 0);
    rk_stepping_reduce(s);
    rk_stepping_end_list(s, before);
}
