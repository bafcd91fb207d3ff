/* SPDX-License-Identifier: MIT */
/*
 * pass/step_units.c - weights that lie in pieces over devices: gathered before they are read, let go after that, and
 * their gradients reduced and scattered.
 *
 * A unit is gathered into one flat buffer, from which each of its weights is copied out.  Forward, that buffer is there
 * until the next unit's weights are copied out; backward, until its own are, but that of the next unit to come is
 * gathered before the gradients of this one are computed.  When these are complete, the weights go, all gradients are
 * laid into one buffer, and what comes back is this rank's piece of them.  The buffer that was sent is there until the
 * next unit sends its own.
 *
 * What a layer has whole is saved in its frame: where nothing is freed after the forward pass, from there to the
 * backward pass.  Gradients that are not reduced in every pass are saved there, too.  They are of the passes before:
 * all of them are there when the forward pass begins, though here each is made with its layer.
 *
 * In a pipeline a stage is run for one micro-batch after the other, and what its layers have whole is in a frame of all
 * of them.  A backward pass frees nothing: the weights that it has gathered, the next forward pass finds, which frees
 * them.  Gradients are added up whole, and reduced when the last micro-batch has been through.
 */
#include "pass/passes.h"
#include "pass/stepping.h"

enum {           /* buffers of a unit */
    WHOLE,       /* its weights, gathered */
    FLAT,        /* the same as they come in */
    CAST,        /* the rank's own pieces in the type of the run */
    INPUT,       /* gradients, as they are sent */
    OUTPUT,      /* the rank's piece of them */
    COPY,        /* the same in the type of the stored weights */
    ACCUMULATED, /* gradients of the passes before, whole */
    N_BUFFER
};

enum { /* slots, after those of the buffers that outlive a list: WHOLE and ACCUMULATED of each unit */
    SLOT_FLAT,
    SLOT_NEXT,
    SLOT_CAST,
    SLOT_INPUT,
    SLOT_OUTPUT,
    SLOT_COPY,
    N_SLOT
};

enum { /* what a layer has in its frame */
    ROOM_WHOLE,
    ROOM_ACCUMULATED,
    N_ROOM
};

enum { /* lists of a unit of layers: … */
    LIST_PREFETCH,
    LIST_OPEN,
    LIST_CLOSE,
    LIST_GATHER, /* … forward, in a pipeline … */
    LIST_FREE,
    LIST_REDUCE, /* … and after the last micro-batch */
    N_LIST
};

/* Streams are those of PyTorch, torch/distributed/fsdp/_fully_shard/_fsdp_collectives.py. */
static const struct {
    const char *what;
    rk_live as;
    int stream;
} buffer[N_BUFFER] = {
    [WHOLE] = {"gathered weights", RK_LIVE_WEIGHT, 0},
    [FLAT] = {"weights as they are gathered", RK_LIVE_WEIGHT, 1},
    [CAST] = {"cast of the own piece", RK_LIVE_WEIGHT, 1},
    [INPUT] = {"gradients to be reduced", RK_LIVE_WEIGHT_GRADIENT, 0},
    [OUTPUT] = {"reduced gradients", RK_LIVE_WEIGHT_GRADIENT, 2},
    [COPY] = {"cast of reduced gradients", RK_LIVE_WEIGHT_GRADIENT, 2},
    [ACCUMULATED] = {"gradients of passes before", RK_LIVE_WEIGHT_GRADIENT, 0},
};

static void effect(rk_stepping *s, rk_effect_kind kind, uint32_t slot, uint32_t other)
{
    rk_stepping_effect(s, kind, slot, other);
}

static void storage_task(rk_stepping *s)
{
    rk_stepping_task(s, RK_TASK_STORAGE, RK_NONE, RK_NONE, RK_STAGE_NONE);
}

static const rk_weight_units *units(const rk_stepping *s)
{
    return s->o->units;
}

static bool in_turn(const rk_stepping *s)
{
    return s->o->schedule != NULL;
}

static uint32_t slot_of(const rk_stepping *s, int which)
{
    return s->unit_slot + (uint32_t)which;
}

static uint32_t whole_slot(const rk_stepping *s, uint32_t unit)
{
    return s->unit_slot + N_SLOT + 2 * unit;
}

static uint32_t accumulated_slot(const rk_stepping *s, uint32_t unit)
{
    return whole_slot(s, unit) + 1;
}

size_t rk_stepping_n_unit_slot(const rk_stepping *s)
{
    return units(s) ? N_SLOT + 2 * units(s)->n : 0;
}

size_t rk_stepping_n_unit_list(const rk_stepping *s)
{
    return units(s) ? N_LIST * units(s)->n : 0;
}

/* ---- sizes ------------------------------------------------------------------------------------------------------ */

static int reduce_bytes(const rk_stepping *s)
{
    return s->o->layout->reduce ? s->o->layout->reduce : s->o->run.bytes;
}

/* One over another; as a formula, too, the whole is the sum over weights of what each takes. */
static rk_ex elements_of(const rk_weight_unit *u, int which)
{
    switch (which) {
    case WHOLE:
    case FLAT:
        return u->elements;
    case CAST:
        return u->own_elements;
    case INPUT:
        return u->trained;
    case ACCUMULATED:
        return u->whole;
    default:
        return u->own_trained;
    }
}

static int bytes_of(const rk_stepping *s, int which)
{
    return which == COPY                                               ? s->o->stored
           : which == INPUT || which == OUTPUT || which == ACCUMULATED ? reduce_bytes(s)
                                                                       : s->o->run.bytes;
}

/* Weights are copied out one by one, and their gradients wait one by one. */
static rk_i128 sum_rounded(rk_stepping *s, uint32_t unit, int which)
{
    rk_i128 sum = 0;

    for (uint32_t i = 0; i < s->p->n_weight; i++) {
        const rk_weight *w = &s->p->weight[i];
        const rk_weight_unit *u = &units(s)->at[unit];
        rk_ex times = rk_group_times(s->pool, s->p, w->group), count = w->count;

        if (units(s)->of_weight[i] != unit || (which == ACCUMULATED && w->frozen))
            continue;
        if (which == WHOLE)
            count = rk_ex_mul(s->pool, rk_mesh_group(s->pool, s->o->layout, RK_MESH_FSDP, w->pieces >> RK_MESH_EP & 1),
                              units(s)->piece[i]);
        if (u->kind == RK_WEIGHT_UNIT_LAYER)
            times = rk_ex_div(s->pool, times, rk_group_times(s->pool, s->p, u->group));
        sum += rk_stepping_value(s, times) * rk_stepping_rounded(s, rk_stepping_value(s, count) * bytes_of(s, which));
    }
    return sum;
}

/* A slice of a gradient that is made whole: one buffer more for each such weight. */
static void find_slices(rk_stepping *s)
{
    s->slice = RK_NEW_ARRAY(s->a, s->p->n_weight + 1, uint32_t);
    if (!s->slice)
        rk_stepping_fail(s);
    for (uint32_t i = 0; i < s->p->n_weight && s->code == RK_OK; i++) {
        const rk_weight *w = &s->p->weight[i];
        rk_step_temporary *t = NULL;
        rk_ex bytes;

        if (units(s)->of_weight[i] == RK_NONE || w->gradient == RK_EX_FAILED)
            continue;
        if (!(t = RK_PUSH(s->a, &s->temporary))) {
            rk_stepping_fail(s);
            return;
        }
        s->slice[i] = (uint32_t)(s->out->n_place + 2 * s->out->n_tensor + s->temporary.n - 1);
        bytes = rk_ex_mul(s->pool, rk_ex_int(s->pool, s->o->run.bytes), w->count);
        *t = (rk_step_temporary){.op = RK_NONE,
                                 .what = "slice of a gradient",
                                 .as = RK_LIVE_WEIGHT_GRADIENT,
                                 .formula = bytes,
                                 .group = w->group,
                                 .bytes = rk_stepping_rounded(s, rk_stepping_value(s, bytes))};
    }
}

/* Buffers of units are the first of the temporaries. */
void rk_stepping_find_units(rk_stepping *s)
{
    for (uint32_t i = 0; units(s) && i < units(s)->n; i++)
        for (int k = 0; k < N_BUFFER; k++) {
            const rk_weight_unit *u = &units(s)->at[i];
            rk_step_temporary *t = s->code == RK_OK ? RK_PUSH(s->a, &s->temporary) : NULL;
            rk_ex bytes = rk_ex_mul(s->pool, rk_ex_int(s->pool, bytes_of(s, k)), elements_of(u, k));
            bool each = k == WHOLE || k == ACCUMULATED;

            if (!t) {
                rk_stepping_fail(s);
                return;
            }
            *t = (rk_step_temporary){.op = RK_NONE,
                                     .what = buffer[k].what,
                                     .as = buffer[k].as,
                                     .stream = buffer[k].stream,
                                     .formula = bytes,
                                     .group = u->group,
                                     .bytes = each ? sum_rounded(s, i, k)
                                                   : rk_stepping_rounded(s, rk_stepping_value(s, bytes))};
        }
    if (units(s))
        find_slices(s);
    s->layer_room = RK_NEW_ARRAY(s->a, s->p->n_loop + 1, uint32_t);
    if (!s->layer_room)
        rk_stepping_fail(s);
    for (size_t i = 0; units(s) && in_turn(s) && i < s->p->n_loop && s->code == RK_OK; i++) {
        s->layer_room[i] = s->n_layer_room;
        if (s->p->loop[i].parent != 0)
            continue;
        if (s->p->loop[i].n_layer > RK_STEP_LIVE_MAX / N_ROOM)
            s->code = rk_fail(s->err, RK_ELIMIT, "more layers than a pipeline has room for");
        else
            s->n_layer_room = rk_stepping_add_room(s, s->n_layer_room, N_ROOM * (uint32_t)s->p->loop[i].n_layer);
    }
}

static void make(rk_stepping *s, uint32_t slot, uint32_t unit, int which)
{
    effect(s, RK_EFFECT_MAKE, slot,
           (uint32_t)(s->out->n_place + 2 * s->out->n_tensor + (size_t)unit * N_BUFFER + (size_t)which));
}

/* ---- what is sent ------------------------------------------------------------------------------------------------ */

static bool is_there(const rk_stepping *s, rk_mesh_axis axis)
{
    return rk_layout_group(s->o->layout, axis, false) > 1;
}

/* A unit is gathered, or its gradients are scattered; experts that lie over ep among fewer devices. */
static void send_unit(rk_stepping *s, rk_collective op, rk_ex elements, rk_ex experts, int bytes, rk_sent_in in)
{
    rk_sent sent = {.op = op, .axis = RK_MESH_FSDP, .elements = experts, .bytes = bytes, .in = in, .experts = true};

    if (rk_layout_group(s->o->layout, RK_MESH_FSDP, true) > 1 && rk_stepping_value(s, experts) > 0)
        rk_stepping_send(s, sent);
    sent.elements = rk_ex_sub(s->pool, elements, experts);
    sent.experts = false;
    rk_stepping_send(s, sent);
}

/* A stage of a pipeline that has its weights already gathers none. */
static void set_gate(rk_stepping *s, uint32_t unit)
{
    if (in_turn(s))
        s->gate = units(s)->at[unit].freed ? RK_GATE_FREED : RK_GATE_KEPT;
}

/* Whether weights are read where they have been gathered. */
static bool is_view(const rk_stepping *s)
{
    return is_there(s, RK_MESH_FSDP) && s->o->layout->runtime.gathers_views;
}

/* A task that gathers a unit into a flat buffer; the own pieces are cast first, where they are of another type. */
static void gather(rk_stepping *s, uint32_t unit, uint32_t into)
{
    bool cast = s->o->stored != s->o->run.bytes;

    send_unit(s, RK_COLLECTIVE_ALL_GATHER, units(s)->at[unit].elements, units(s)->at[unit].experts, s->o->run.bytes,
              RK_SENT_IN_EACH);
    if (cast)
        make(s, slot_of(s, SLOT_CAST), unit, CAST);
    make(s, into, unit, FLAT);
    if (cast)
        effect(s, RK_EFFECT_FREE, slot_of(s, SLOT_CAST), RK_NONE);
}

/* A unit that is read forward: the buffer of the one before goes when this one's weights have been copied out. */
static void open_forward(rk_stepping *s, uint32_t unit)
{
    set_gate(s, unit);
    if (is_view(s)) {
        gather(s, unit, whole_slot(s, unit));
    } else if (is_there(s, RK_MESH_FSDP)) {
        gather(s, unit, slot_of(s, SLOT_NEXT));
        make(s, whole_slot(s, unit), unit, WHOLE);
        effect(s, RK_EFFECT_FREE, slot_of(s, SLOT_FLAT), RK_NONE);
        effect(s, RK_EFFECT_MOVE, slot_of(s, SLOT_FLAT), slot_of(s, SLOT_NEXT));
    } else {
        storage_task(s);
        make(s, whole_slot(s, unit), unit, WHOLE);
    }
    if (s->o->backward && s->o->accumulates_whole)
        make(s, accumulated_slot(s, unit), unit, ACCUMULATED);
    s->gate = RK_GATE_OPEN;
}

/* A unit that backward reads, and that is to come next. */
static void prefetch(rk_stepping *s, uint32_t unit, int into)
{
    set_gate(s, unit);
    if (is_there(s, RK_MESH_FSDP) && !is_view(s))
        gather(s, unit, slot_of(s, into));
    else
        storage_task(s);
    s->gate = RK_GATE_OPEN;
}

static void open_backward(rk_stepping *s, uint32_t unit, int from)
{
    set_gate(s, unit);
    if (is_view(s)) { /* what is gathered ahead has a room of its own */
        gather(s, unit, whole_slot(s, unit));
        s->gate = RK_GATE_OPEN;
        return;
    }
    storage_task(s);
    make(s, whole_slot(s, unit), unit, WHOLE);
    effect(s, RK_EFFECT_FREE, slot_of(s, from), RK_NONE);
    s->gate = RK_GATE_OPEN;
}

/* ---- the end of a unit ------------------------------------------------------------------------------------------- */

/* The gradients of a unit, but for the one that is let go last or that one alone. */
static void free_gradients(rk_stepping *s, uint32_t unit, bool last)
{
    for (uint32_t i = 0; i < s->p->n_weight; i++) {
        uint32_t tensor = s->p->weight[i].tensor;

        if (units(s)->of_weight[i] != unit || tensor == RK_NONE || (units(s)->at[unit].outlives == i) != last)
            continue;
        effect(s, RK_EFFECT_FREE, rk_stepping_gradient(s, tensor), RK_NONE);
        s->has[rk_stepping_gradient(s, tensor)] = false;
    }
}

/* In which of the passes gradients are reduced. */
static rk_sent_in reduced_in(const rk_stepping *s)
{
    return s->o->accumulates_whole ? RK_SENT_IN_LAST : RK_SENT_IN_EACH;
}

/*
 * Gradients that lie unlike their weights over other axes of the mesh are brought there first, each into a buffer of
 * its own: partial sums are added up, and one that was made whole is cut.
 */
static void convert_gradients(rk_stepping *s, uint32_t unit)
{
    for (uint32_t i = 0; i < s->p->n_weight; i++) {
        const rk_weight *w = &s->p->weight[i];
        uint32_t slot = w->tensor == RK_NONE ? 0 : rk_stepping_gradient(s, w->tensor);

        if (units(s)->of_weight[i] != unit || w->tensor == RK_NONE || w->frozen)
            continue;
        for (int axis = 0; axis < RK_N_MESH; axis++)
            if (w->partial >> axis & 1) {
                rk_stepping_send(s, (rk_sent){.op = RK_COLLECTIVE_ALL_REDUCE,
                                              .axis = (rk_mesh_axis)axis,
                                              .elements = w->count,
                                              .bytes = s->o->run.bytes,
                                              .in = reduced_in(s)});
                effect(s, RK_EFFECT_MAKE, s->sum, slot);
                effect(s, RK_EFFECT_FREE, slot, RK_NONE);
                effect(s, RK_EFFECT_MOVE, slot, s->sum);
            }
        if (w->gradient == RK_EX_FAILED)
            continue;
        storage_task(s);
        effect(s, RK_EFFECT_MAKE, s->sum, s->slice[i]);
        effect(s, RK_EFFECT_FREE, slot, RK_NONE);
        effect(s, RK_EFFECT_MOVE, slot, s->sum);
    }
}

/* All gradients of a unit are there, of one micro-batch: they stay whole, or are added to those of the ones before. */
static void close_in_turn(rk_stepping *s, uint32_t unit, bool saved)
{
    storage_task(s);
    free_gradients(s, unit, false);
    if (!s->adds_up && rk_stepping_value(s, units(s)->at[unit].trained) > 0) {
        make(s, accumulated_slot(s, unit), unit, ACCUMULATED);
        if (saved) {
            effect(s, RK_EFFECT_PUT, accumulated_slot(s, unit), ROOM_ACCUMULATED);
            effect(s, RK_EFFECT_FREE, accumulated_slot(s, unit), RK_NONE);
        }
    }
    free_gradients(s, unit, true);
}

/*
 * All gradients of a unit are there: they are added up over devices, each of which gets its piece.  `saved`: it is a
 * layer, whose weights and gradients of passes before are in its frame.
 */
static void close_backward(rk_stepping *s, uint32_t unit, bool saved)
{
    const rk_weight_unit *u = &units(s)->at[unit];
    bool cast = s->o->stored != reduce_bytes(s), replicated = is_there(s, RK_MESH_REPLICATE);
    bool whole = s->o->accumulates_whole || in_turn(s); /* there are gradients of passes before */
    uint32_t result = slot_of(s, cast ? SLOT_COPY : SLOT_OUTPUT);
    rk_sent_in when = reduced_in(s);

    convert_gradients(s, unit);
    storage_task(s);
    if (s->o->accumulates_whole) { /* added to those of the passes before, one by one */
        free_gradients(s, unit, false);
        free_gradients(s, unit, true);
    }
    if (saved)
        effect(s, RK_EFFECT_FREE_SAVED, RK_NONE, ROOM_WHOLE);
    else
        effect(s, RK_EFFECT_FREE, whole_slot(s, unit), RK_NONE);
    if (rk_stepping_value(s, u->trained) == 0)
        return;
    effect(s, RK_EFFECT_FREE, slot_of(s, SLOT_INPUT), RK_NONE);
    if (is_there(s, RK_MESH_FSDP))
        send_unit(s, RK_COLLECTIVE_REDUCE_SCATTER, u->trained, u->experts_trained, reduce_bytes(s), when);
    if (!is_view(s)) /* else they go into a bucket that is there */
        make(s, slot_of(s, SLOT_INPUT), unit, INPUT);
    free_gradients(s, unit, false);
    if (whole && saved)
        effect(s, RK_EFFECT_FREE_SAVED, RK_NONE, ROOM_ACCUMULATED);
    else if (whole)
        effect(s, RK_EFFECT_FREE, accumulated_slot(s, unit), RK_NONE);
    make(s, slot_of(s, SLOT_OUTPUT), unit, OUTPUT);
    if (replicated)
        rk_stepping_send(s, (rk_sent){.op = RK_COLLECTIVE_ALL_REDUCE,
                                      .axis = RK_MESH_REPLICATE,
                                      .elements = elements_of(u, OUTPUT),
                                      .bytes = reduce_bytes(s),
                                      .in = when});
    if (cast) {
        make(s, slot_of(s, SLOT_COPY), unit, COPY);
        /* What the copies have added up is in hand until the backward pass has ended. */
        effect(s, replicated ? RK_EFFECT_MOVE : RK_EFFECT_FREE, replicated ? RK_NONE : slot_of(s, SLOT_OUTPUT),
               replicated ? slot_of(s, SLOT_OUTPUT) : RK_NONE);
    }
    free_gradients(s, unit, true);
    if (s->o->adds_up && !whole)
        effect(s, cast || !replicated ? RK_EFFECT_FREE : RK_EFFECT_MOVE, cast || !replicated ? result : RK_NONE,
               cast || !replicated ? RK_NONE : result);
    else
        effect(s, RK_EFFECT_MOVE, RK_NONE, result);
}

/* ---- outside of layers ------------------------------------------------------------------------------------------- */

static bool covers(const rk_stepping *s, const rk_step_thing *t, uint32_t op)
{
    size_t first = t->kind == THING_LOOP ? s->p->loop[t->which].first_op
                   : t->kind == THING_OP ? t->which
                                         : s->p->region[t->which].first;

    return op != RK_NONE && first <= op && op < t->end;
}

/* Where the caller takes the loss, as he does of a stage, the model's own functions have ended before it. */
static bool is_callers(const rk_stepping *s, const rk_step_thing *t)
{
    return (s->o->layout->drop_outputs || in_turn(s)) && t->kind != THING_LOOP && s->p->loss != RK_NONE &&
           t->end > s->p->loss_first;
}

/* Whether the stage that is being made reads a unit outside of layers; who has none has all operations. */
static bool is_of_stage(const rk_stepping *s, uint32_t unit)
{
    uint32_t first = unit == RK_NONE ? RK_NONE : units(s)->at[unit].first;

    return unit != RK_NONE && (!in_turn(s) || (first != RK_NONE && first >= s->first_op && first < s->end_op));
}

static void end_root(rk_stepping *s)
{
    const rk_weight_units *u = units(s);

    if (s->root_ended)
        return;
    s->root_ended = true;
    storage_task(s);
    effect(s, RK_EFFECT_FREE, slot_of(s, SLOT_FLAT), RK_NONE);
    if (is_of_stage(s, u->root) && u->at[u->root].freed)
        effect(s, RK_EFFECT_FREE, whole_slot(s, u->root), RK_NONE);
}

/* Before a list of a stage is made: nothing of its units has been done in it. */
void rk_stepping_begin_units_of_list(rk_stepping *s)
{
    s->root_ended = s->root_opened = s->embedding_open = s->gathered = false;
    for (size_t i = 0; units(s) && i < units(s)->n; i++)
        s->unit_list[N_LIST * i + LIST_CLOSE] = RK_NONE;
}

void rk_stepping_begin_units(rk_stepping *s)
{
    if (units(s) && is_of_stage(s, units(s)->root))
        open_forward(s, units(s)->root);
}

void rk_stepping_end_units(rk_stepping *s)
{
    if (units(s))
        end_root(s);
}

void rk_stepping_before_thing(rk_stepping *s, const rk_step_thing *t)
{
    const rk_weight_units *u = units(s);

    if (!u)
        return;
    if (is_callers(s, t))
        end_root(s);
    if (u->embedding != RK_NONE && covers(s, t, u->at[u->embedding].first))
        open_forward(s, u->embedding);
    if (u->head != RK_NONE && covers(s, t, u->at[u->head].first))
        open_forward(s, u->head);
}

void rk_stepping_after_thing(rk_stepping *s, const rk_step_thing *t)
{
    const rk_weight_units *u = units(s);

    if (!u || u->embedding == RK_NONE || !u->at[u->embedding].freed || !covers(s, t, u->at[u->embedding].last))
        return;
    storage_task(s);
    effect(s, RK_EFFECT_FREE, whole_slot(s, u->embedding), RK_NONE);
}

/* ---- layers ------------------------------------------------------------------------------------------------------ */

static uint32_t unit_of(const rk_stepping *s, size_t loop, size_t layer)
{
    return units(s)->of_group[rk_stepping_group_of(&s->p->loop[loop], layer)];
}

void rk_stepping_begin_layer(rk_stepping *s, uint32_t group)
{
    uint32_t unit = units(s) && !in_turn(s) ? units(s)->of_group[group] : RK_NONE;

    if (unit == RK_NONE)
        return;
    rk_stepping_room(s, N_ROOM); /* the first of the frame */
    open_forward(s, unit);
    if (s->o->backward && !units(s)->at[unit].freed)
        effect(s, RK_EFFECT_SAVE, whole_slot(s, unit), ROOM_WHOLE);
    if (s->o->backward && s->o->accumulates_whole) {
        effect(s, RK_EFFECT_SAVE, accumulated_slot(s, unit), ROOM_ACCUMULATED);
        effect(s, RK_EFFECT_FREE, accumulated_slot(s, unit), RK_NONE);
    }
}

void rk_stepping_end_layer(rk_stepping *s, uint32_t group)
{
    uint32_t unit = units(s) && !in_turn(s) ? units(s)->of_group[group] : RK_NONE;

    if (unit == RK_NONE)
        return;
    storage_task(s);
    effect(s, RK_EFFECT_FREE, whole_slot(s, unit), RK_NONE);
}

size_t rk_stepping_n_unit_run(const rk_stepping *s)
{
    return units(s) ? 4 : 0;
}

/* A run for a layer, in the frame in which it has what stays: that of its forward pass, or of all micro-batches. */
static rk_step_run layer_run(const rk_stepping *s, size_t loop, size_t layer, rk_backward_part part)
{
    size_t most = s->o->recompute_layers && s->p->loop[loop].parent == 0 ? s->o->recompute_layers : 0;
    rk_step_run run = {.layer = (uint32_t)layer, .part = part, .of_all = in_turn(s)};

    if (in_turn(s))
        run.frame = s->layer_room[loop] + N_ROOM * (uint32_t)layer;
    else
        run.frame = s->loop_at[loop].run[most ? layer + layer / most + 1 : layer].frame;
    return run;
}

/* What a layer has whole is in its frame. */
static void keep_whole(rk_stepping *s, uint32_t unit)
{
    effect(s, in_turn(s) ? RK_EFFECT_PUT : RK_EFFECT_SAVE, whole_slot(s, unit), ROOM_WHOLE);
    effect(s, RK_EFFECT_FREE, whole_slot(s, unit), RK_NONE);
}

/* Lists of a unit are made once; all its layers share them. */
static uint32_t unit_list(rk_stepping *s, uint32_t unit, int which)
{
    uint32_t *list = &s->unit_list[N_LIST * unit + (uint32_t)which], before;

    if (*list != RK_NONE)
        return *list;
    *list = rk_stepping_begin_list(s, units(s)->at[unit].group, &before);
    switch (which) {
    case LIST_GATHER:
        open_forward(s, unit);
        keep_whole(s, unit);
        break;
    case LIST_FREE:
        storage_task(s);
        effect(s, RK_EFFECT_FREE_SAVED, RK_NONE, ROOM_WHOLE);
        break;
    case LIST_PREFETCH:
        prefetch(s, unit, SLOT_FLAT);
        break;
    case LIST_OPEN:
        open_backward(s, unit, SLOT_FLAT);
        keep_whole(s, unit);
        break;
    case LIST_CLOSE:
        if (in_turn(s))
            close_in_turn(s, unit, true);
        else
            close_backward(s, unit, true);
        break;
    case LIST_REDUCE:
        close_backward(s, unit, true);
        break;
    }
    return rk_stepping_end_list(s, before);
}

static void add_run(rk_stepping *s, rk_step_item *item, uint32_t unit, int which, rk_step_run run)
{
    bool gathers = which == LIST_GATHER || which == LIST_PREFETCH || which == LIST_OPEN;

    run.list = unit_list(s, unit, which);
    if (in_turn(s) && gathers)
        run.gate = units(s)->at[unit].freed ? RK_GATE_FREED : RK_GATE_KEPT;
    item->run[item->n_run++] = run;
}

/* In a pipeline, the layers of a loop with what is done for their weights, which may be there already. */
rk_step_item rk_stepping_gather_layers(rk_stepping *s, size_t loop, rk_step_item item)
{
    rk_step_item out = item;

    if (!units(s) || !in_turn(s) || s->p->loop[loop].parent != 0 || s->code != RK_OK)
        return item;
    out.n_run = 0;
    out.run = RK_NEW_ARRAY(s->a, 3 * item.n_run + 1, rk_step_run);
    if (!out.run) {
        rk_stepping_fail(s);
        return item;
    }
    for (size_t i = 0; i < item.n_run; i++) {
        uint32_t unit = item.run[i].layer == RK_NONE ? RK_NONE : unit_of(s, loop, item.run[i].layer);

        if (unit != RK_NONE)
            add_run(s, &out, unit, LIST_GATHER, layer_run(s, loop, item.run[i].layer, item.run[i].part));
        out.run[out.n_run++] = item.run[i];
        if (unit != RK_NONE && units(s)->at[unit].freed)
            add_run(s, &out, unit, LIST_FREE, layer_run(s, loop, item.run[i].layer, item.run[i].part));
    }
    return out;
}

/* Whether a loop stands outside of layers, in the stage that is being made. */
static bool is_root_loop(const rk_stepping *s, size_t i)
{
    const rk_loop *l = &s->p->loop[i];

    return l->parent == 0 && l->first_op >= s->first_op && l->end_op <= s->end_op;
}

/* The layer that comes next in the backward pass: in this loop, or in one before it; false: there is none. */
static bool next_layer(const rk_stepping *s, size_t *loop, size_t *layer)
{
    for (;;) {
        while (*layer == 0) {
            size_t end = s->p->loop[*loop].first_op, before = s->p->n_loop;

            for (size_t i = 0; i < s->p->n_loop; i++)
                if (is_root_loop(s, i) && s->p->loop[i].end_op <= end && s->p->loop[i].n_layer > 0 &&
                    s->p->loop[i].first_op != s->p->loop[i].end_op &&
                    (before == s->p->n_loop || s->p->loop[i].first_op > s->p->loop[before].first_op))
                    before = i;
            if (before == s->p->n_loop)
                return false;
            *loop = before;
            *layer = s->p->loop[before].n_layer;
        }
        if (unit_of(s, *loop, --*layer) != RK_NONE)
            return true;
    }
}

static bool is_next(const rk_stepping *s, size_t loop, size_t layer)
{
    return s->gathered && s->gathered_loop == loop && s->gathered_layer == layer;
}

/* What comes before a layer, or the embedding, is gathered; as a run among those of layers, or at once. */
static void prefetch_next(rk_stepping *s, size_t loop, size_t layer, rk_step_item *item, rk_step_run run)
{
    const rk_weight_units *u = units(s);
    uint32_t unit = is_of_stage(s, u->embedding) ? u->embedding : RK_NONE;

    if (next_layer(s, &loop, &layer)) {
        unit = unit_of(s, loop, layer);
        s->gathered_loop = loop;
        s->gathered_layer = layer;
    } else {
        s->gathered_loop = s->p->n_loop; /* the embedding */
    }
    if (unit == RK_NONE || !u->at[unit].freed || (unit == u->embedding && s->embedding_open))
        return;
    s->gathered = true;
    if (item)
        add_run(s, item, unit, LIST_PREFETCH, run);
    else
        prefetch(s, unit, SLOT_FLAT);
}

/* From the end of all layers. */
static void prefetch_last(rk_stepping *s)
{
    size_t last = s->p->n_loop;

    for (size_t i = 0; i < s->p->n_loop; i++)
        if (is_root_loop(s, i) && s->p->loop[i].n_layer > 0 && s->p->loop[i].first_op != s->p->loop[i].end_op &&
            (last == s->p->n_loop || s->p->loop[i].first_op > s->p->loop[last].first_op))
            last = i;
    if (last < s->p->n_loop && !s->gathered)
        prefetch_next(s, last, s->p->loop[last].n_layer, NULL, (rk_step_run){0});
}

void rk_stepping_open_layer(rk_stepping *s, size_t loop, size_t layer, rk_backward_part part, rk_step_item *item)
{
    uint32_t unit = units(s) && s->p->loop[loop].parent == 0 ? unit_of(s, loop, layer) : RK_NONE;
    rk_step_run run;

    if (unit == RK_NONE || s->half == HALF_WEIGHTS) /* which read no others */
        return;
    run = layer_run(s, loop, layer, part);
    if (units(s)->at[unit].freed) {
        if (!is_next(s, loop, layer))
            add_run(s, item, unit, LIST_PREFETCH, run);
        add_run(s, item, unit, LIST_OPEN, run);
        s->gathered = false;
    }
    prefetch_next(s, loop, layer, item, run);
}

/* The gradients of a unit have been reduced. */
static void forget_gradients(rk_stepping *s, uint32_t unit)
{
    for (uint32_t i = 0; i < s->p->n_weight; i++)
        if (units(s)->of_weight[i] == unit && s->p->weight[i].tensor != RK_NONE)
            s->has[rk_stepping_gradient(s, s->p->weight[i].tensor)] = false;
}

void rk_stepping_close_layer(rk_stepping *s, size_t loop, size_t layer, rk_backward_part part, rk_step_item *item)
{
    uint32_t unit = units(s) && s->p->loop[loop].parent == 0 ? unit_of(s, loop, layer) : RK_NONE;

    if (unit == RK_NONE || s->half == HALF_INPUTS)
        return;
    add_run(s, item, unit, LIST_CLOSE, layer_run(s, loop, layer, part));
    forget_gradients(s, unit); /* also where the list was there already */
}

/* ---- backward, outside of layers --------------------------------------------------------------------------------- */

/* The gradient of the model's result comes: what the root holds is gathered, then the unit that was run before it. */
static void open_root(rk_stepping *s)
{
    const rk_weight_units *u = units(s);

    s->root_opened = true;
    if (!in_turn(s) && u->root == RK_NONE)
        return;
    if (is_of_stage(s, u->root) && u->at[u->root].freed) {
        prefetch(s, u->root, SLOT_FLAT);
        open_backward(s, u->root, SLOT_FLAT);
    }
    if (!is_of_stage(s, u->head)) /* that is there all the time */
        prefetch_last(s);
}

void rk_stepping_begin_gradients(rk_stepping *s)
{
    bool is_callers_loss = s->o->layout && (s->o->layout->drop_outputs || in_turn(s)) && s->o->loss &&
                           s->p->loss != RK_NONE && s->p->loss < s->end_op && s->p->loss_first >= s->first_op;

    if (units(s) && !is_callers_loss && s->half != HALF_WEIGHTS)
        open_root(s);
}

void rk_stepping_before_gradients_of(rk_stepping *s, const rk_step_thing *t)
{
    const rk_weight_units *u = units(s);

    if (!u)
        return;
    if (!s->root_opened && !is_callers(s, t))
        open_root(s);
    if (u->head != RK_NONE && covers(s, t, u->at[u->head].last))
        prefetch_last(s);
    if (u->embedding == RK_NONE || !u->at[u->embedding].freed || !covers(s, t, u->at[u->embedding].last))
        return;
    /* It may be read between loops, while the layer that comes next is on its way. */
    if (is_next(s, s->p->n_loop, s->gathered_layer)) {
        open_backward(s, u->embedding, SLOT_FLAT);
        s->gathered = false;
    } else {
        prefetch(s, u->embedding, SLOT_NEXT);
        open_backward(s, u->embedding, SLOT_NEXT);
    }
    s->embedding_open = true;
}

void rk_stepping_after_gradients_of(rk_stepping *s, const rk_step_thing *t)
{
    const rk_weight_units *u = units(s);

    if (u && u->head != RK_NONE && covers(s, t, u->at[u->head].first) && !in_turn(s))
        close_backward(s, u->head, false);
}

/* What goes into these units needs no gradient, so nobody sees where they begin: they are reduced at the end. */
void rk_stepping_end_gradients(rk_stepping *s)
{
    const rk_weight_units *u = units(s);

    if (!u)
        return;
    if (in_turn(s)) {
        const uint32_t outside[] = {u->head, u->root, u->embedding};

        for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
            if (is_of_stage(s, outside[i]))
                close_in_turn(s, outside[i], false);
        return;
    }
    if (u->root != RK_NONE)
        close_backward(s, u->root, false);
    if (u->embedding != RK_NONE)
        close_backward(s, u->embedding, false);
    storage_task(s);
    effect(s, RK_EFFECT_FREE, slot_of(s, SLOT_INPUT), RK_NONE);
}

/* A stage of a pipeline has been run for the last time: its units, in the order of the model. */
void rk_stepping_reduce_units(rk_stepping *s)
{
    const rk_weight_units *u = units(s);
    const uint32_t before[] = {u->root, u->embedding};

    s->loops_done = s->n_root_loop;
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        if (is_of_stage(s, before[i]))
            close_backward(s, before[i], false);
    for (size_t i = 0; i < s->p->n_loop && s->code == RK_OK; i++) {
        const rk_loop *l = &s->p->loop[i];
        rk_step_item item = {
            .loop = (uint32_t)i, .is_backward = true, .run = RK_NEW_ARRAY(s->a, l->n_layer + 1, rk_step_run)};

        if (!item.run) {
            rk_stepping_fail(s);
            return;
        }
        for (size_t k = 0; is_root_loop(s, i) && k < l->n_layer; k++)
            if (unit_of(s, i, k) != RK_NONE)
                add_run(s, &item, unit_of(s, i, k), LIST_REDUCE, layer_run(s, i, k, RK_BACKWARD_EMBEDDING));
        if (item.n_run > 0)
            rk_stepping_loop(s, item);
    }
    if (is_of_stage(s, u->head))
        close_backward(s, u->head, false);
    storage_task(s);
    effect(s, RK_EFFECT_FREE, slot_of(s, SLOT_INPUT), RK_NONE);
}

/* Gradients that wait for the last pass in the type in which they are made: each is added at once. */
bool rk_stepping_adds_whole(const rk_stepping *s)
{
    return units(s) && (in_turn(s) ? s->adds_up : s->o->accumulates_whole) && reduce_bytes(s) == s->o->run.bytes;
}

/* ---- the optimizer's step ---------------------------------------------------------------------------------------- */

/* The norm of all gradients: one number of each tensor. */
void rk_stepping_clip(rk_stepping *s)
{
    rk_ex n = rk_ex_int(s->pool, 0);

    if (!units(s) || !s->o->layout->clip || !is_there(s, RK_MESH_FSDP))
        return;
    for (uint32_t i = 0; i < s->p->n_weight; i++)
        if (units(s)->of_weight[i] != RK_NONE && !s->p->weight[i].frozen)
            n = rk_ex_add(s->pool, n, rk_group_times(s->pool, s->p, s->p->weight[i].group));
    rk_stepping_send(
        s, (rk_sent){.op = RK_COLLECTIVE_ALL_REDUCE, .axis = RK_MESH_FSDP, .elements = n, .bytes = s->o->stored});
}
