/* SPDX-License-Identifier: MIT */
/*
 * pass/step_stages.c - the step of a device of a pipeline: lists of each of its stages, and the order in which they are
 * run for all micro-batches.
 *
 * What comes in from another stage lies in a buffer of its own for each micro-batch, which is there throughout the
 * step: a place in the frame of the micro-batch.  A result that goes out is held until its backward pass has ended.
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

/* A stage that is being made. */
typedef struct staging {
    rk_stepping *s;
    rk_step_stage *out;
    bool first, last; /* of those of all devices */
    uint32_t sent;    /* slot of the gradient that was sent last */
    /* Tensors, and where their things begin in the frame. */
    RK_VEC(uint32_t) input, incoming, output;
    uint32_t input_at, output_at;
    uint32_t output_gradient_at;   /* gradients of what goes out, as they come in … */
    uint32_t incoming_gradient_at; /* … and of what came in, where they stay to the end of the step */
} staging;

/* ---- what goes in and out ---------------------------------------------------------------------------------------- */

static bool is_stage_place(const rk_stepping *s, uint32_t place)
{
    for (size_t i = s->first_op; i < s->end_op; i++) {
        const rk_place_op *op = &s->pl->op[i];

        for (size_t k = 0; k < op->n_read + op->n_kept; k++)
            if (s->pl->list[op->read + k] == place)
                return true;
        for (size_t k = 0; k < s->p->op[i].n_in; k++)
            if (rk_stepping_place_of(s, s->p->op[i].in[k].tensor) == place)
                return true;
    }
    return false;
}

static void add(staging *x, void *list, uint32_t tensor)
{
    RK_VEC(uint32_t) *v = list;
    uint32_t *slot = RK_PUSH(x->s->a, v);

    if (slot)
        *slot = tensor;
    else
        rk_stepping_fail(x->s);
}

static void find_ends(staging *x)
{
    const rk_stepping *s = x->s;

    for (size_t i = 0; i < s->p->n_input; i++) {
        uint32_t t = s->p->input[i];

        if (is_stage_place(s, rk_stepping_place_of(s, t)))
            add(x, s->p->tensor[t].incoming ? (void *)&x->incoming : (void *)&x->input, t);
    }
    for (size_t i = 0; i < s->p->n_output; i++) {
        uint32_t made = s->p->tensor[s->p->output[i]].producer;

        if (made != RK_NONE && made >= s->first_op && made < s->end_op)
            add(x, &x->output, s->p->output[i]);
    }
}

/* A task that sends a tensor to another stage, or gets one from it. */
static void send_task(staging *x, rk_collective op, uint32_t tensor)
{
    rk_stepping *s = x->s;

    rk_stepping_send(s, (rk_sent){.op = op,
                                  .axis = RK_MESH_PP,
                                  .elements = rk_ixs_count(s->pool, &s->p->tensor[tensor].axes),
                                  .bytes = rk_type_bytes(s->pl->tensor[tensor].type, &s->o->run)});
}

/* Whether what a stage has sent, or the output of the model, is held until its gradients have been taken. */
static bool holds_outputs(const staging *x)
{
    return !x->s->o->layout->runtime.frees_stages || (x->last && !x->s->o->layout->runtime.drops_outputs);
}

/* ---- lists ------------------------------------------------------------------------------------------------------- */

/* A buffer that is there from the beginning of the step to its end. */
static void put_buffer(rk_stepping *s, uint32_t slot, uint32_t at)
{
    effect(s, RK_EFFECT_MAKE, slot, slot);
    effect(s, RK_EFFECT_PUT, slot, at);
    effect(s, RK_EFFECT_FREE, slot, RK_NONE);
}

static void make_begin(staging *x)
{
    rk_stepping *s = x->s;
    uint32_t before;

    x->out->begin = rk_stepping_begin_list(s, 0, &before);
    storage_task(s);
    for (uint32_t i = 0; i < x->input.n; i++)
        put_buffer(s, rk_stepping_place_of(s, x->input.at[i]), x->input_at + (uint32_t)x->incoming.n + i);
    for (uint32_t i = 0; !s->o->layout->runtime.frees_stages && i < x->incoming.n; i++)
        put_buffer(s, rk_stepping_place_of(s, x->incoming.at[i]), x->input_at + i);
    for (uint32_t i = 0; !s->o->layout->runtime.frees_stages && !x->last && i < x->output.n; i++)
        put_buffer(s, rk_stepping_gradient(s, x->output.at[i]), x->output_gradient_at + i);
    rk_stepping_end_list(s, before);
}

/* What variables of the stage's functions have, and masks that are handed to its layers: until it has ended. */
static void let_go(rk_stepping *s)
{
    for (uint32_t b = 0; b < s->pl->n_buffer; b++) {
        uint32_t made = s->pl->buffer[b].op;

        if (s->held[b] && (made == RK_NONE ? is_stage_place(s, b) : made >= s->first_op && made < s->end_op))
            effect(s, RK_EFFECT_FREE, b, RK_NONE);
    }
}

static void make_forward(staging *x)
{
    rk_stepping *s = x->s;
    uint32_t before;

    x->out->forward = rk_stepping_begin_list(s, 0, &before);
    x->input_at = rk_stepping_room(s, (uint32_t)(x->incoming.n + x->input.n));
    x->output_at = rk_stepping_room(s, (uint32_t)x->output.n);
    x->output_gradient_at = rk_stepping_room(s, (uint32_t)x->output.n);
    x->incoming_gradient_at = rk_stepping_room(s, (uint32_t)x->incoming.n);
    storage_task(s);
    for (uint32_t b = 0; b < s->pl->n_buffer; b++)
        if (s->pl->buffer[b].handed && is_stage_place(s, b))
            effect(s, RK_EFFECT_MAKE, b, b);
    for (uint32_t i = 0; i < x->input.n; i++)
        effect(s, RK_EFFECT_RESTORE, rk_stepping_place_of(s, x->input.at[i]),
               x->input_at + (uint32_t)x->incoming.n + i);
    for (uint32_t i = 0; i < x->incoming.n; i++) {
        uint32_t place = rk_stepping_place_of(s, x->incoming.at[i]);

        send_task(x, RK_COLLECTIVE_RECV, x->incoming.at[i]);
        if (s->o->layout->runtime.frees_stages)
            effect(s, RK_EFFECT_MAKE, place, place);
        else
            effect(s, RK_EFFECT_RESTORE, place, x->input_at + i);
    }
    rk_stepping_begin_units_of_list(s);
    rk_stepping_begin_units(s);
    rk_stepping_forward_stage(s);
    storage_task(s);
    for (uint32_t i = 0; holds_outputs(x) && i < x->output.n; i++)
        effect(s, RK_EFFECT_PUT, rk_stepping_place_of(s, x->output.at[i]), x->output_at + i);
    let_go(s);
    for (uint32_t i = 0; !x->last && i < x->output.n; i++)
        send_task(x, RK_COLLECTIVE_SEND, x->output.at[i]);
    rk_stepping_end_list(s, before);
}

/* The gradients with which a stage begins. */
static void take_gradients(staging *x)
{
    rk_stepping *s = x->s;

    storage_task(s);
    for (uint32_t i = 0; i < x->output.n && !(x->last && s->o->loss); i++) {
        uint32_t slot = rk_stepping_gradient(s, x->output.at[i]);

        if (x->last) {
            effect(s, RK_EFFECT_MAKE, slot, slot);
        } else {
            send_task(x, RK_COLLECTIVE_RECV, x->output.at[i]);
            if (s->o->layout->runtime.frees_stages)
                effect(s, RK_EFFECT_MAKE, slot, slot);
            else
                effect(s, RK_EFFECT_RESTORE, slot, x->output_gradient_at + i);
        }
        s->has[slot] = true;
        s->borrowed[slot] = !x->last && !s->o->layout->runtime.frees_stages;
    }
}

/* What goes back to the stage before. */
static void send_gradients(staging *x)
{
    rk_stepping *s = x->s;

    for (uint32_t i = 0; i < x->incoming.n; i++) {
        uint32_t slot = rk_stepping_gradient(s, x->incoming.at[i]);

        if (!s->has[slot])
            continue;
        send_task(x, RK_COLLECTIVE_SEND, x->incoming.at[i]);
        if (s->o->schedule->halves)
            effect(s, RK_EFFECT_PUT, slot, x->incoming_gradient_at + i);
        if (s->o->holds_gradients && i == 0) {
            effect(s, RK_EFFECT_FREE, x->sent, RK_NONE);
            effect(s, RK_EFFECT_MOVE, x->sent, slot);
        } else {
            effect(s, RK_EFFECT_FREE, slot, RK_NONE);
        }
        s->has[slot] = s->borrowed[slot] = false;
    }
}

static uint32_t make_backward(staging *x, rk_step_half half, rk_step_age age)
{
    rk_stepping *s = x->s;
    bool alone = s->o->schedule->n_micro == 1;
    uint32_t before;

    rk_stepping_begin_list(s, 0, &before);
    memset(s->has, 0, 2 * s->out->n_slot * sizeof *s->has);
    s->loops_done = 0;
    s->half = half;
    rk_stepping_begin_units_of_list(s);
    rk_stepping_begin_gradients(s);
    if (half != HALF_WEIGHTS)
        take_gradients(x);
    rk_stepping_backward_stage(s, half, s->o->adds_up || (age != RK_AGE_FIRST && !alone),
                               s->o->leaves && age == RK_AGE_LAST);
    if (half != HALF_INPUTS)
        rk_stepping_end_gradients(s);
    for (uint32_t t = 0; !s->o->units && t < s->p->n_tensor; t++)
        if (rk_stepping_is_weight(s, t) && s->has[rk_stepping_gradient(s, t)])
            rk_stepping_settle_last(s, t);
    if (age == RK_AGE_LAST && half != HALF_INPUTS)
        rk_stepping_reduce(s);
    if (half == HALF_WEIGHTS) {
        storage_task(s);
        for (uint32_t i = 0; i < N_HALF_SLOT; i++)
            effect(s, RK_EFFECT_FREE, s->half_slot + i, RK_NONE);
    } else {
        send_gradients(x);
        storage_task(s);
    }
    /* What went out is held until all of its gradients have been taken; the output of the model, until one half has. */
    for (uint32_t i = 0; holds_outputs(x) && half != (x->last ? HALF_WEIGHTS : HALF_INPUTS) && i < x->output.n; i++)
        if (!(x->last && s->o->keeps_outputs))
            effect(s, RK_EFFECT_FREE_SAVED, RK_NONE, x->output_at + i);
    return rk_stepping_end_list(s, before);
}

/* The first of all stages sends no gradient back: it has nothing to hurry with, and takes both halves at once. */
static void make_backwards(staging *x)
{
    bool halves = x->s->o->schedule->halves && !x->first;

    for (int age = 0; age < RK_N_AGE; age++) {
        x->out->weights[age] = RK_NONE;
        if (age == RK_AGE_LAST && !rk_stepping_in_buckets(x->s)) { /* nothing happens that is not done in each */
            x->out->backward[age] = x->out->backward[RK_AGE_LATER];
            x->out->weights[age] = x->out->weights[RK_AGE_LATER];
            continue;
        }
        if (!halves || age == 0)
            x->out->backward[age] = make_backward(x, halves ? HALF_INPUTS : HALF_BOTH, (rk_step_age)age);
        else
            x->out->backward[age] = x->out->backward[0];
        if (halves)
            x->out->weights[age] = make_backward(x, HALF_WEIGHTS, (rk_step_age)age);
    }
    for (int age = 0; x->s->o->schedule->halves && x->first && age < RK_N_AGE; age++) {
        x->out->weights[age] = x->out->backward[age];
        x->out->backward[age] = RK_NONE;
    }
}

/* What is done when the last micro-batch has been through. */
static uint32_t make_reduce(staging *x)
{
    uint32_t before;

    if (!x->s->o->units)
        return RK_NONE;
    rk_stepping_begin_list(x->s, 0, &before);
    rk_stepping_reduce_units(x->s);
    return rk_stepping_end_list(x->s, before);
}

static void make_stage(rk_stepping *s, size_t k)
{
    const rk_program_stage *of = &s->p->stage[k];
    staging x = {.s = s, .out = &s->out->stage[k], .first = of->number == 0};

    x.last = of->number + 1 == s->o->schedule->n_all;
    x.sent = s->sent_slot + (uint32_t)k;
    s->first_op = rk_program_stage_first(s->p, k);
    s->end_op = rk_program_stage_end(s->p, k);
    s->last_trained = 0;
    for (size_t i = s->first_op; i < s->end_op; i++)
        s->last_trained = rk_stepping_trains(s, i) ? i : s->last_trained;
    find_ends(&x);
    make_forward(&x);
    make_begin(&x);
    make_backwards(&x);
    x.out->reduce = make_reduce(&x);
}

/* ---- the end of the step ----------------------------------------------------------------------------------------- */

/* All micro-batches have been run: what was sent last is let go, and the outputs of all are joined for the caller. */
static uint32_t make_end(rk_stepping *s)
{
    uint32_t before, list = rk_stepping_begin_list(s, 0, &before), joined = s->inner;
    const rk_program_stage *last = &s->p->stage[s->p->n_stage - 1];

    storage_task(s);
    for (uint32_t k = 0; k < s->p->n_stage; k++)
        effect(s, RK_EFFECT_FREE, s->sent_slot + k, RK_NONE);
    for (size_t i = 0; s->o->keeps_outputs && last->number + 1 == s->o->schedule->n_all && i < s->p->n_output; i++) {
        uint32_t t = s->p->output[i];
        rk_step_temporary *slot;
        rk_ex all;

        if (s->p->tensor[t].producer < last->first)
            continue;
        if (!(slot = RK_PUSH(s->a, &s->temporary))) {
            rk_stepping_fail(s);
            break;
        }
        all = rk_ex_mul(
            s->pool, rk_ixs_count(s->pool, &s->p->tensor[t].axes),
            rk_ex_int(s->pool, (rk_i128)s->o->schedule->n_micro * rk_type_bytes(s->pl->tensor[t].type, &s->o->run)));
        *slot = (rk_step_temporary){.op = s->p->tensor[t].producer,
                                    .what = "joined",
                                    .as = RK_LIVE_PASSING,
                                    .bytes = rk_stepping_rounded(s, rk_stepping_value(s, all)),
                                    .formula = all};
        effect(s, RK_EFFECT_MAKE, joined, (uint32_t)(s->out->n_buffer + s->temporary.n - 1));
        effect(s, RK_EFFECT_FREE, joined, RK_NONE);
    }
    for (size_t i = 0; i < s->list.at[list].n_item; i++)
        s->list.at[list].item[i].part = RK_BACKWARD_JOIN;
    return rk_stepping_end_list(s, before);
}

/* ---- the order --------------------------------------------------------------------------------------------------- */

static void add_act(rk_stepping *s, uint32_t list, size_t frame, uint32_t micro, bool backward)
{
    s->out->act[s->out->n_act++] = (rk_step_act){list, micro, frame, backward};
}

/* What a stage has gathered when one of its lists begins. */
typedef enum gathered {
    GATHERED_NOTHING,
    GATHERED_KEPT, /* after a forward pass: what is not freed by it */
    GATHERED_ALL,  /* after a backward pass */
    N_GATHERED
} gathered;

static bool is_done(rk_step_gate gate, gathered has)
{
    return gate == RK_GATE_OPEN || has == GATHERED_NOTHING || (gate == RK_GATE_FREED && has == GATHERED_KEPT);
}

/* A list without what is done for weights that are there already. */
static uint32_t copy_list(rk_stepping *s, uint32_t list, gathered has)
{
    rk_step_list *new = RK_PUSH(s->a, &s->list);
    rk_step_list from = s->list.at[list];

    if (!new) {
        rk_stepping_fail(s);
        return list;
    }
    *new = from;
    new->n_item = 0;
    new->cap = from.n_item;
    if (!(new->item = RK_NEW_ARRAY(s->a, from.n_item + 1, rk_step_item)))
        rk_stepping_fail(s);
    for (size_t i = 0; i < from.n_item && s->code == RK_OK; i++) {
        rk_step_item item = from.item[i];

        if (!is_done(item.gate, has))
            continue;
        item.n_run = 0;
        if (item.run && !(item.run = RK_NEW_ARRAY(s->a, from.item[i].n_run + 1, rk_step_run)))
            rk_stepping_fail(s);
        for (size_t k = 0; item.run && k < from.item[i].n_run; k++)
            if (is_done(from.item[i].run[k].gate, has))
                item.run[item.n_run++] = from.item[i].run[k];
        new->item[new->n_item++] = item;
    }
    return (uint32_t)(new - s->list.at);
}

/* Where a stage is in the order, and the lists that it runs in place of others. */
typedef struct turn {
    size_t frame;    /* where that of its first micro-batch begins */
    uint32_t n_back; /* backward passes that have added to gradients of weights */
    gathered has;
    uint32_t *copy; /* of each list, by what is there; 0: not made yet */
} turn;

static uint32_t list_of(rk_stepping *s, turn *t, uint32_t list)
{
    uint32_t *copy = &t->copy[N_GATHERED * list + t->has];

    if (!s->o->units || t->has == GATHERED_NOTHING)
        return list;
    if (*copy == 0)
        *copy = copy_list(s, list, t->has);
    return *copy;
}

static void order_acts(rk_stepping *s, turn *at)
{
    const rk_schedule *o = s->o->schedule;

    for (uint32_t k = 0; k < o->n_stage; k++)
        for (uint32_t m = 0; m < o->n_micro; m++)
            add_act(s, s->out->stage[k].begin, at[k].frame + m * (size_t)s->list.at[s->out->stage[k].forward].n_saved,
                    m, false);
    for (size_t i = 0; i < o->n; i++) {
        const rk_action *a = &o->at[i];
        const rk_step_stage *stage = &s->out->stage[a->stage];
        const uint32_t *by_age = a->kind == RK_ACTION_BACKWARD ? stage->backward : stage->weights;
        turn *t = &at[a->stage];
        size_t frame = t->frame + a->micro * (size_t)s->list.at[stage->forward].n_saved;
        bool forward = a->kind == RK_ACTION_FORWARD;
        bool adds = !forward && (a->kind == RK_ACTION_WEIGHTS || !o->halves); /* to gradients of weights */
        rk_step_age age = t->n_back + 1 == o->n_micro ? RK_AGE_LAST : t->n_back == 0 ? RK_AGE_FIRST : RK_AGE_LATER;
        uint32_t list = forward ? stage->forward : by_age[age];

        if (age == RK_AGE_LAST && t->n_back == 0 && !forward && !rk_stepping_in_buckets(s))
            list = by_age[RK_AGE_FIRST];
        if (list != RK_NONE) {
            add_act(s, list_of(s, t, list), frame, a->micro, !forward);
            t->has = forward ? GATHERED_KEPT : GATHERED_ALL;
        }
        t->n_back += adds;
        if (adds && t->n_back == o->n_micro && stage->reduce != RK_NONE)
            add_act(s, stage->reduce, 0, a->micro, true);
    }
    add_act(s, make_end(s), 0, 0, true);
}

/* What all micro-batches together run and save, within the limits. */
static void check_size(rk_stepping *s, turn *at)
{
    rk_i128 micro = s->o->schedule->n_micro, ops = 0, saved = s->n_layer_room;

    for (size_t k = 0; k < s->p->n_stage; k++) {
        const rk_step_list *l = &s->list.at[s->out->stage[k].forward];

        at[k].frame = (size_t)saved;
        ops += micro * (rk_i128)l->n_op;
        saved += micro * (rk_i128)l->n_saved;
        if (s->code == RK_OK && (ops > (rk_i128)RK_STEP_OPS_MAX || saved > (rk_i128)RK_STEP_LIVE_MAX))
            s->code = rk_fail(s->err, RK_ELIMIT, "the micro-batches of a step have too many %s for a timeline",
                              ops > (rk_i128)RK_STEP_OPS_MAX ? "operations" : "buffers");
    }
    s->out->n_frame = (size_t)saved;
}

void rk_stepping_stages(rk_stepping *s)
{
    const rk_schedule *o = s->o->schedule;
    size_t n = s->p->n_stage;
    turn *at = RK_NEW_ARRAY(s->a, n + 1, turn);

    s->out->stage = RK_NEW_ARRAY(s->a, n + 1, rk_step_stage);
    s->out->act = RK_NEW_ARRAY(s->a, o->n + (size_t)o->n_stage * (o->n_micro + 1) + 2, rk_step_act);
    if (s->a->failed) {
        rk_stepping_fail(s);
        return;
    }
    if (o->halves && (s->o->recompute_layers > 0 || s->p->n_region > 0)) {
        s->code = rk_fail(s->err, RK_EUSAGE,
                          "--schedule interleavedzb keeps what gradients of weights need: nothing is recomputed or "
                          "taken in chunks beside it");
        return;
    }
    rk_stepping_begin_backward(s);
    s->out->n_stage = n;
    for (size_t k = 0; k < n && s->code == RK_OK; k++)
        make_stage(s, k);
    if (s->code == RK_OK)
        check_size(s, at);
    for (size_t k = 0; k < n && s->code == RK_OK; k++)
        if (!(at[k].copy = RK_NEW_ARRAY(s->a, N_GATHERED * s->list.n + 1, uint32_t)))
            rk_stepping_fail(s);
    if (s->code == RK_OK)
        order_acts(s, at);
    s->out->forward = s->out->stage[0].forward;
    s->out->backward =
        s->out->stage[0].backward[0] != RK_NONE ? s->out->stage[0].backward[0] : s->out->stage[0].weights[0];
}
