/* SPDX-License-Identifier: MIT */
/*
 * pass/step_forward.c - lists that run operations: the forward pass, and what is recomputed.
 */
#include "pass/stepping.h"

static void effect(rk_stepping *s, rk_effect_kind kind, uint32_t slot, uint32_t other)
{
    rk_stepping_effect(s, kind, slot, other);
}

/* Buffers are given, saved, handed on or let go: nothing is computed. */
static void storage_task(rk_stepping *s)
{
    rk_stepping_task(s, RK_TASK_STORAGE, RK_NONE, RK_NONE, RK_STAGE_NONE);
}

/* ---- one operation ---------------------------------------------------------------------------------------------- */

/* Whether what a gradient keeps is saved: stored weights are there, and what is made again will be. */
static bool is_saved(const rk_stepping *s, uint32_t group, uint32_t place)
{
    return !s->pl->buffer[place].stored && !rk_stepping_is_recomputed(s, place) &&
           !rk_stepping_is_offloaded(s, group, place);
}

/* Where an operation before this one, in its group, has saved a place; RK_NONE: none has. */
static uint32_t saved_before(const rk_stepping *s, size_t i, uint32_t place)
{
    for (size_t j = s->pl->buffer[place].op; j < i; j++) {
        const rk_place_op *op = &s->pl->op[j];
        uint32_t n = 0;

        for (size_t k = 0; k < op->n_kept && s->p->op[j].group == s->p->op[i].group; k++) {
            uint32_t b = s->pl->list[op->read + op->n_read + k];

            if (b == place)
                return s->saved[j] + n;
            n += is_saved(s, s->p->op[j].group, b);
        }
    }
    return RK_NONE;
}

/* Saves what the gradient of an operation needs, at the place in the frame that is its own. */
static void save_all(rk_stepping *s, size_t i)
{
    const rk_place_op *op = &s->pl->op[i];

    s->n_saved[i] = 0;
    for (size_t k = 0; k < op->n_kept; k++) {
        uint32_t b = s->pl->list[op->read + op->n_read + k];

        if (rk_stepping_is_offloaded(s, s->p->op[i].group, b) && !s->pl->buffer[b].stored)
            s->out->offloaded[b] = s->p->op[i].group + 1;
        if (!is_saved(s, s->p->op[i].group, b))
            continue;
        /* A list of visits, say, that nobody reads any more, is there because another operation has saved it. */
        bool gone = s->pl->buffer[b].op < i && s->releaser[b] == s->p->op[i].group && !s->held[b] &&
                    (s->last[b] == RK_NONE || s->last[b] < rk_event_op(i)) && saved_before(s, i, b) != RK_NONE;

        if (gone)
            effect(s, RK_EFFECT_RESTORE, b, saved_before(s, i, b));
        effect(s, RK_EFFECT_SAVE, rk_stepping_slot(s, s->p->op[i].group, b), s->saved[i] + s->n_saved[i]++);
        if (gone)
            effect(s, RK_EFFECT_FREE, b, RK_NONE);
    }
}

/* The weight that an operation reads, written out; its slot, or RK_NONE. */
void rk_stepping_unpack(rk_stepping *s, size_t i, uint32_t *slot)
{
    const rk_op *op = &s->p->op[i];

    *slot = RK_NONE;
    for (size_t k = 0; s->o->unpacks && op->summed && k < op->n_in && *slot == RK_NONE; k++)
        if (s->o->unpacks[op->in[k].tensor])
            *slot = rk_stepping_place_of(s, op->in[k].tensor);
    if (*slot != RK_NONE)
        effect(s, RK_EFFECT_MAKE, *slot, *slot);
}

/* What is carried on is copied into its cache where the model file says so. */
static bool cache_tasks(rk_stepping *s, size_t i, rk_stage stage)
{
    bool any = false;

    for (size_t k = 0; s->o->cache && k < s->p->n_keep; k++) {
        const rk_keep *keep = &s->p->keep[k];
        bool stays = keep->once || keep->last != RK_EX_FAILED; /* nothing is added, or it is changed in its place */
        uint32_t slot = (uint32_t)(s->out->n_place + s->out->n_tensor + keep->tensor);

        if (keep->at != i + 1 || s->o->cache[keep->tensor] == 0)
            continue;
        any = true;
        rk_stepping_task(s, RK_TASK_CACHE, (uint32_t)i, keep->tensor, stage);
        if (!s->o->carried) {
            effect(s, RK_EFFECT_MAKE, slot, slot);
            effect(s, RK_EFFECT_MOVE, RK_NONE, slot);
        } else if (!stays) { /* the longer one is there before the shorter one goes: as large, on paper */
            effect(s, RK_EFFECT_MAKE, slot, slot);
            effect(s, RK_EFFECT_FREE, slot, RK_NONE);
        }
    }
    return any;
}

/* Autocast holds its copies of trained weights until the forward pass has ended, which it does after the last chunk. */
static bool is_cached(const rk_stepping *s, size_t i)
{
    const rk_op *op = &s->p->op[i];
    const rk_tensor *t = op->n_in ? &s->p->tensor[op->in[0].tensor] : NULL;
    bool in_chunk = s->o->chunk && i >= s->o->chunk->region->first;

    return s->o->run.autocast && !in_chunk && rk_op_table[op->row].class == RK_CLASS_CAST && op->which == RK_TYPE_LOW &&
           t->kind == RK_TENSOR_WEIGHT && !s->p->weight[t->weight].frozen && !s->p->weight[t->weight].buffer;
}

void rk_stepping_forward_op(rk_stepping *s, size_t i, bool recompute, bool saves)
{
    const rk_place_op *op = &s->pl->op[i];
    uint32_t group = s->p->op[i].group, unpacked;
    bool loss = s->p->loss != RK_NONE && i >= s->p->loss_first;
    rk_stage stage = recompute ? RK_STAGE_RECOMPUTE : loss ? RK_STAGE_LOSS : RK_STAGE_FORWARD;

    s->list.at[s->open].n_op++;
    rk_stepping_task(s, recompute ? RK_TASK_RECOMPUTE : RK_TASK_FORWARD, (uint32_t)i, RK_NONE, stage)->opens = true;
    for (size_t k = 0; k < s->p->op[i].n_in; k++) {
        uint32_t b = rk_stepping_place_of(s, s->p->op[i].in[k].tensor);

        rk_stepping_read(s, b == RK_NONE || s->pl->buffer[b].stored ? b : rk_stepping_slot(s, group, b));
    }
    rk_stepping_unpack(s, i, &unpacked);
    rk_stepping_before_result(s, i);
    for (uint32_t b = op->made; b < op->made + op->n_made; b++)
        if (s->product[i] != RK_NONE && b == rk_stepping_place_of(s, s->p->op[i].out)) /* it is the product's */
            effect(s, RK_EFFECT_MOVE, b, rk_stepping_place_of(s, s->p->op[i].in[0].tensor));
        else if (s->pl->buffer[b].twin)
            effect(s, RK_EFFECT_SHARE, b, rk_stepping_slot(s, group, s->pl->buffer[b].twin - 1));
        else if (s->pl->buffer[b].op != RK_NONE && !rk_stepping_is_early(s, i, b)) {
            uint32_t from = s->pl->buffer[b].what ? s->pl->buffer[b].tensor : RK_NONE;

            effect(s, RK_EFFECT_MAKE, b, b);
            if (from != RK_NONE && rk_stepping_is_renamed(s, from))
                effect(s, RK_EFFECT_FREE, rk_stepping_place_of(s, from), RK_NONE);
        }
    rk_stepping_after_result(s, i);
    if (s->p->op[i].rows > 1 &&
        s->p->op[i].n_label > 0) { /* what is exponentiated beside the result: rows are finished by other devices */
        effect(s, RK_EFFECT_MAKE, s->sum, rk_stepping_gradient(s, s->p->op[i].out));
        effect(s, RK_EFFECT_FREE, s->sum, RK_NONE);
    }
    for (uint32_t k = 0; k < 2 && k < op->n_cast; k++)
        effect(s, RK_EFFECT_MAKE, op->cast + k, op->cast + k);
    if (!recompute && is_cached(s, i))
        effect(s, RK_EFFECT_CACHE, rk_stepping_place_of(s, s->p->op[i].out), RK_NONE);
    if (cache_tasks(s, i, stage))
        rk_stepping_task(s, RK_TASK_STORAGE, (uint32_t)i, RK_NONE, stage);
    if (saves) {
        rk_stepping_save_recomputed(s, i);
        save_all(s, i);
    }
    if (s->code != RK_OK)
        return;
    s->task.at[s->task.n - 1].closes = true;
    if (unpacked != RK_NONE)
        effect(s, RK_EFFECT_FREE, unpacked, RK_NONE);
    for (uint32_t k = 0; k < 2 && k < op->n_cast; k++)
        effect(s, RK_EFFECT_FREE, op->cast + k, RK_NONE);
    /* What nobody reads is let go at once: copies, statistics, what is only saved. */
    for (uint32_t b = op->made; b < op->made + op->n_made; b++)
        if (!s->held[b] && !s->carried_out[b] && s->last[b] == RK_NONE && s->pl->buffer[b].op != RK_NONE)
            effect(s, RK_EFFECT_FREE, b, RK_NONE);
    rk_stepping_release(s, group, rk_event_op(i));
}

/* ---- regions that are recomputed, and the fused loss ------------------------------------------------------------- */

/* Made elsewhere, and not one of the model's own. */
static bool comes_from_outside(const rk_stepping *s, uint32_t b, size_t first, size_t end)
{
    uint32_t made = s->pl->buffer[b].op;

    return !s->pl->buffer[b].stored && (made == RK_NONE || made < first || made >= end);
}

/* A slot that goes into a list of slots once. */
typedef RK_VEC(uint32_t) slots;

static void add_slot(rk_stepping *s, slots *v, uint32_t slot)
{
    uint32_t *at;

    for (size_t i = 0; i < v->n; i++)
        if (v->at[i] == slot)
            return;
    if ((at = RK_PUSH(s->a, v)))
        *at = slot;
    else
        rk_stepping_fail(s);
}

/* What the operations of a region read of outside, or make their own copies of; and what they would save. */
static slots region_inputs(rk_stepping *s, const rk_region *r)
{
    slots in = {0};

    for (size_t i = r->first; i < r->end; i++) {
        const rk_place_op *op = &s->pl->op[i];
        uint32_t group = s->p->op[i].group;

        for (size_t k = 0; k < op->n_read + op->n_kept + s->p->op[i].n_in; k++) {
            uint32_t b = k < op->n_read + op->n_kept
                             ? s->pl->list[op->read + k]
                             : rk_stepping_place_of(s, s->p->op[i].in[k - op->n_read - op->n_kept].tensor);

            if (b != RK_NONE && comes_from_outside(s, b, r->first, r->end))
                add_slot(s, &in, rk_stepping_slot(s, group, b));
        }
    }
    return in;
}

/* The room that its operations need when they are recomputed is part of the frame. */
static void forward_region(rk_stepping *s, size_t n, bool recompute)
{
    const rk_region *r = &s->p->region[n];
    slots in = region_inputs(s, r);

    storage_task(s);
    s->region_input[n] = in.at;
    s->n_region_input[n] = (uint32_t)in.n;
    s->region_saved[n] = rk_stepping_room(s, (uint32_t)in.n);
    for (uint32_t k = 0; k < in.n; k++)
        effect(s, RK_EFFECT_SAVE, in.at[k], s->region_saved[n] + k);
    for (size_t i = r->first; i < r->end && s->code == RK_OK; i++) {
        s->saved[i] = rk_stepping_room(s, s->pl->op[i].n_kept);
        rk_stepping_forward_op(s, i, recompute, false);
    }
}

/* Weights of a fused loss beside that of the head, one after the other. */
uint32_t rk_stepping_bias(const rk_stepping *s, size_t which)
{
    const rk_chunk *t = s->o->chunk;

    for (uint32_t i = t->region->first; i < t->region->end; i++)
        for (size_t k = 0; k < s->p->op[i].n_in; k++) {
            uint32_t tensor = s->p->op[i].in[k].tensor;

            if (rk_stepping_is_weight(s, tensor) && tensor != t->weight && rk_flow_needs(s->f, i, k) && which-- == 0)
                return rk_stepping_owner(s, tensor);
        }
    return RK_NONE;
}

/*
 * The head and the loss chunk by chunk, with their gradients: each chunk's logits become their own gradient, which goes
 * into that of the head's input and into that of its weight.
 */
static void forward_fused(rk_stepping *s, const rk_chunk *t)
{
    uint32_t buffer[] = {t->hidden_gradient, t->weight_gradient, t->losses, t->weight_copy, t->logits}, bias;
    const size_t n = sizeof buffer / sizeof *buffer;
    rk_task *task = rk_stepping_task(s, RK_TASK_GRADIENT, t->head, RK_NONE, RK_STAGE_LOSS);

    task->opens = task->closes = true;
    s->saved[t->region->first] = rk_stepping_room(s, 2);
    for (size_t i = 0; i < n; i++)
        if (buffer[i] != RK_NONE)
            effect(s, RK_EFFECT_MAKE, buffer[i], buffer[i]);
    for (size_t i = 0; (bias = rk_stepping_bias(s, i)) != RK_NONE; i++)
        effect(s, RK_EFFECT_MAKE, rk_stepping_gradient(s, bias), rk_stepping_gradient(s, bias));
    for (uint32_t i = 0; i < 2; i++)
        if (buffer[i] != RK_NONE)
            effect(s, RK_EFFECT_SAVE, buffer[i], s->saved[t->region->first] + i);
    for (size_t i = 0; i < n; i++)
        if (buffer[i] != RK_NONE)
            effect(s, RK_EFFECT_FREE, buffer[i], RK_NONE);
    for (size_t i = t->region->first; i < t->region->end; i++) /* what its operations would make is never there */
        for (uint32_t b = s->released[rk_event_op(i)]; b != RK_NONE; b = s->next[b])
            if (s->releaser[b] == 0 && comes_from_outside(s, b, t->region->first, t->region->end))
                effect(s, RK_EFFECT_FREE, b, RK_NONE);
}

/* ---- layers ----------------------------------------------------------------------------------------------------- */

uint32_t rk_stepping_group_of(const rk_loop *l, size_t layer)
{
    return l->order ? l->order[layer] : l->group[0];
}

/* What begins with an operation of a group; regions are recomputed where something is saved. */
rk_step_thing rk_stepping_thing(const rk_stepping *s, uint32_t group, size_t op, bool saves)
{
    if (s->p->op[op].group != group)
        for (size_t i = 0; i < s->p->n_loop; i++)
            if (s->p->loop[i].parent == group && s->p->loop[i].first_op <= op && op < s->p->loop[i].end_op)
                return (rk_step_thing){THING_LOOP, i, s->p->loop[i].end_op};
    for (size_t i = 0; saves && i < s->p->n_region; i++)
        if (s->p->region[i].first == op)
            return (rk_step_thing){s->p->region[i].kind == RK_REGION_FUSED ? THING_FUSED : THING_REGION, i,
                                   s->p->region[i].end};
    return (rk_step_thing){THING_OP, op, op + 1};
}

/* All that a group does, in order; NULL and 0: no memory. */
rk_step_thing *rk_stepping_things(rk_stepping *s, uint32_t group, bool saves, size_t *n)
{
    size_t first = group == 0 ? s->first_op : s->p->group[group].first_op;
    size_t end = group == 0 ? s->end_op : s->p->group[group].end_op;
    rk_step_thing *thing = RK_NEW_ARRAY(s->a, end - first + 1, rk_step_thing);

    *n = 0;
    if (!thing)
        rk_stepping_fail(s);
    for (size_t i = first; i < end && s->code == RK_OK; i = thing[(*n)++].end)
        thing[*n] = rk_stepping_thing(s, group, i, saves);
    rk_stepping_order(s, thing, *n);
    return thing;
}

bool rk_stepping_runs(const rk_stepping *s, size_t op)
{
    return s->o->loss || op < s->p->loss_first || s->p->loss == RK_NONE;
}

/* All that is to be saved is there: the operation, and those after it, are not run again. */
static void stop_at(rk_stepping *s, size_t i)
{
    uint32_t group = s->p->op[i].group;

    rk_stepping_task(s, RK_TASK_RECOMPUTE, (uint32_t)i, RK_NONE, RK_STAGE_RECOMPUTE)->stopped = true;
    save_all(s, i);
    for (uint32_t b = 0; b < s->pl->n_buffer; b++)
        if (s->pl->buffer[b].group == group && s->pl->buffer[b].op != RK_NONE)
            effect(s, RK_EFFECT_FREE, b, RK_NONE);
}

static void forward_loop(rk_stepping *s, size_t loop, rk_saving saving);

static void forward_group(rk_stepping *s, uint32_t group, rk_saving saving)
{
    bool saves = saving != SAVING_NOTHING, again = saving == SAVING_RECOMPUTED;
    size_t n;
    const rk_step_thing *thing = rk_stepping_things(s, group, saves, &n);

    for (size_t k = 0; k < n && s->code == RK_OK; k++) {
        const rk_step_thing *t = &thing[k];

        if (group == 0)
            rk_stepping_before_thing(s, t);
        if (t->kind == THING_LOOP)
            forward_loop(s, t->which, saving);
        else if (t->kind == THING_FUSED)
            forward_fused(s, s->o->chunk);
        else if (t->kind == THING_REGION)
            forward_region(s, t->which, again);
        else if (rk_stepping_runs(s, t->which)) {
            if (saves)
                s->saved[t->which] = rk_stepping_room(s, s->pl->op[t->which].n_kept);
            if (s->o->schedule && s->o->schedule->halves && rk_stepping_trains(s, t->which))
                s->kept_gradient[t->which] = rk_stepping_room(s, 1);
            if (again && rk_stepping_stops(s, t, n - k)) {
                stop_at(s, t->which);
                break;
            }
            rk_stepping_forward_op(s, t->which, again, saves);
        }
        if (group == 0)
            rk_stepping_after_thing(s, t);
    }
}

/*
 * A variable has what came out of the layer; who called the layer had what went in until then.  Variables may have been
 * exchanged, or two of them be one: what they will be is taken in hand before what they were is let go.
 */
static void hand_on(rk_stepping *s, uint32_t group)
{
    const rk_group *g = &s->p->group[group];
    const rk_loop *l = &s->p->loop[g->loop];

    storage_task(s);
    for (int pass = 0; pass < 3; pass++)
        for (size_t v = 0; v < l->n_carry; v++) {
            uint32_t out = rk_stepping_place_of(s, g->out[v]), variable = rk_stepping_variable(s, g->loop, v);
            uint32_t from = out == RK_NONE ? variable : rk_stepping_slot(s, group, out);
            uint32_t to = variable + 2 * (uint32_t)l->n_carry;

            if (from == variable)
                continue;
            if (pass == 0) {
                effect(s, RK_EFFECT_SHARE, to, from);
            } else if (pass == 1) {
                effect(s, RK_EFFECT_FREE, variable, RK_NONE);
                effect(s, RK_EFFECT_MOVE, variable, to);
            } else if (from == out) {
                effect(s, RK_EFFECT_FREE, out, RK_NONE);
            }
        }
}

/* The list of a layer.  A derivation by hand lists what goes into each. */
uint32_t rk_stepping_layer(rk_stepping *s, uint32_t group, rk_saving saving)
{
    uint32_t *list = &s->forward_list[saving * s->p->n_group + group], before;
    const rk_group *g = &s->p->group[group];
    size_t n_carry = s->p->loop[g->loop].n_carry;

    if (*list != RK_NONE)
        return *list;
    *list = rk_stepping_begin_list(s, group, &before);
    if (saving != SAVING_RECOMPUTED)
        rk_stepping_begin_layer(s, group);
    if (s->o->run.profile->textbook && saving != SAVING_NOTHING) {
        storage_task(s);
        s->layer_saved[group] = rk_stepping_room(s, (uint32_t)n_carry);
        for (uint32_t v = 0; v < n_carry; v++)
            if (!s->p->tensor[g->in[v]].is_index)
                effect(s, RK_EFFECT_SAVE, rk_stepping_variable(s, g->loop, v), s->layer_saved[group] + v);
    }
    forward_group(s, group, saving);
    hand_on(s, group);
    if (saving != SAVING_RECOMPUTED)
        rk_stepping_end_layer(s, group);
    return rk_stepping_end_list(s, before);
}

/*
 * A layer that is recomputed is handed by position what needs a gradient, and perhaps a mask; what is handed so is
 * saved.
 */
static slots handed(rk_stepping *s, const rk_loop *l)
{
    slots in = {0};

    for (size_t i = l->first_op; i < l->end_op; i++)
        for (size_t k = 0; k <= s->p->op[i].n_in; k++) {
            bool read = k < s->p->op[i].n_in;
            uint32_t b = read ? s->pl->list[s->pl->op[i].read + k] : rk_stepping_place_of(s, s->p->op[i].out);

            if (b != RK_NONE && comes_from_outside(s, b, l->first_op, l->end_op) &&
                (s->pl->buffer[b].handed || (read && rk_flow_needs(s->f, i, k))) &&
                !rk_stepping_comes_in(s, s->p->op[i].group, b))
                add_slot(s, &in, rk_stepping_slot(s, l->parent, b));
        }
    return in;
}

/* Tables of positions, masks: a layer that will be recomputed has them until then.  No gradient needs them. */
static void lend(rk_stepping *s, size_t loop)
{
    const rk_loop *l = &s->p->loop[loop];
    slots inputs = {0};

    for (size_t i = l->first_op; i < l->end_op; i++) {
        const rk_place_op *op = &s->pl->op[i];

        for (size_t k = 0; k < op->n_read + s->p->op[i].n_in; k++) {
            uint32_t b = k < op->n_read ? s->pl->list[op->read + k]
                                        : rk_stepping_place_of(s, s->p->op[i].in[k - op->n_read].tensor);
            uint32_t made = b == RK_NONE ? RK_NONE : s->pl->buffer[b].op;

            if (b != RK_NONE && !s->pl->buffer[b].stored && (made == RK_NONE || made < l->first_op) &&
                !rk_stepping_comes_in(s, s->p->op[i].group, b))
                add_slot(s, &inputs, b);
        }
    }
    s->first_recompute_input[loop] = s->recompute_input.n;
    for (size_t k = 0; k < inputs.n; k++) {
        uint32_t *slot = RK_PUSH(s->a, &s->recompute_input), *at = RK_PUSH(s->a, &s->recompute_input_at);

        if (!slot || !at) {
            rk_stepping_fail(s);
            return;
        }
        *slot = inputs.at[k];
        *at = rk_stepping_room(s, 1);
        effect(s, RK_EFFECT_LEND, *slot, *at);
    }
    s->end_recompute_input[loop] = s->recompute_input.n;
}

static rk_step_run *new_runs(rk_stepping *s, size_t n)
{
    rk_step_run *run = s->code == RK_OK ? RK_NEW_ARRAY(s->a, n + 1, rk_step_run) : NULL;

    if (!run)
        rk_stepping_fail(s);
    return run;
}

static rk_step_item each_layer(rk_stepping *s, size_t loop, rk_saving saving)
{
    const rk_loop *l = &s->p->loop[loop];
    rk_step_item item = {.loop = (uint32_t)loop, .n_run = l->n_layer, .run = new_runs(s, l->n_layer)};
    uint32_t frame = 0;

    for (size_t i = 0; i < l->n_layer && s->code == RK_OK; i++) {
        item.run[i] = (rk_step_run){.layer = (uint32_t)i, .frame = frame};
        item.run[i].list = rk_stepping_layer(s, rk_stepping_group_of(l, i), saving);
        frame = rk_stepping_add_room(s, frame, s->list.at[item.run[i].list].n_saved);
    }
    item.frame = rk_stepping_room(s, frame);
    return item;
}

/*
 * Layers that are recomputed, so many together: a list that saves what goes into the first, then the layers, which save
 * nothing.  In the frame, what goes into each of these segments stands first, with what its layers have to the end of
 * the step, and after all of it there is room for what one segment saves when it is recomputed.
 */
static rk_step_item each_segment(rk_stepping *s, size_t loop)
{
    const rk_loop *l = &s->p->loop[loop];
    size_t most = s->o->recompute_layers, n_segment = (l->n_layer + most - 1) / most;
    rk_step_item item = {.loop = (uint32_t)loop, .run = new_runs(s, l->n_layer + n_segment)};
    slots in = handed(s, l);
    uint32_t before, save = rk_stepping_begin_list(s, l->parent, &before), frame = 0, room = 0;

    storage_task(s);
    rk_stepping_room(s, s->n_segment_saved[loop] = (uint32_t)(l->n_carry + in.n));
    for (uint32_t v = 0; !s->o->offloads && v < l->n_carry; v++)
        effect(s, RK_EFFECT_SAVE, rk_stepping_variable(s, loop, v), v);
    for (uint32_t k = 0; k < in.n; k++)
        effect(s, RK_EFFECT_SAVE, in.at[k], (uint32_t)l->n_carry + k);
    rk_stepping_end_list(s, before);
    for (size_t i = 0; i < l->n_layer && s->code == RK_OK; i++) {
        uint32_t group = rk_stepping_group_of(l, i), saving;

        if (i % most == 0) {
            item.run[item.n_run++] = (rk_step_run){.list = save, .layer = RK_NONE, .frame = frame};
            frame = rk_stepping_add_room(s, frame, s->n_segment_saved[loop]);
            room = 0;
        }
        saving = rk_stepping_layer(s, group, SAVING_NOTHING);
        item.run[item.n_run++] = (rk_step_run){.list = saving, .layer = (uint32_t)i, .frame = frame};
        frame = rk_stepping_add_room(s, frame, s->list.at[saving].n_saved);
        saving = rk_stepping_layer(s, group, SAVING_RECOMPUTED); /* before the list is looked at: it may move */
        room = rk_stepping_add_room(s, room, s->list.at[saving].n_saved);
        s->most_room[loop] = room > s->most_room[loop] ? room : s->most_room[loop];
    }
    s->segment_room[loop] = frame;
    item.frame = rk_stepping_room(s, rk_stepping_add_room(s, frame, s->most_room[loop]));
    return item;
}

/* Whether nobody reads what a loop leaves. */
static bool is_dropped(const rk_stepping *s, uint32_t parent, uint32_t place)
{
    const rk_group *g = &s->p->group[parent];

    for (size_t v = 0; g->loop != RK_NONE && v < s->p->loop[g->loop].n_carry; v++)
        if (rk_stepping_place_of(s, g->out[v]) == place)
            return false;
    return s->last[place] == RK_NONE && !s->held[place];
}

static void forward_loop(rk_stepping *s, size_t loop, rk_saving saving)
{
    const rk_loop *l = &s->p->loop[loop];
    const rk_group *first = &s->p->group[l->group[0]], *end = &s->p->group[l->group[l->n_group - 1]];
    rk_step_item item;

    storage_task(s);
    rk_stepping_before_layers(s, l);
    for (size_t v = 0; v < l->n_carry; v++)
        if (rk_stepping_place_of(s, first->in[v]) != RK_NONE)
            effect(s, RK_EFFECT_SHARE, rk_stepping_variable(s, loop, v),
                   rk_stepping_slot(s, l->parent, rk_stepping_place_of(s, first->in[v])));
    if (s->o->recompute_layers && s->o->backward && l->parent == 0)
        lend(s, loop);
    rk_stepping_release(s, l->parent, rk_event_enter(l));
    item = s->o->recompute_layers && saving == SAVING_ALL ? each_segment(s, loop) : each_layer(s, loop, saving);
    rk_stepping_loop(s, rk_stepping_gather_layers(s, loop, item));
    if (saving != SAVING_NOTHING)
        s->loop_at[loop] = item;
    storage_task(s);
    for (size_t v = 0; v < l->n_carry; v++) {
        uint32_t out = rk_stepping_place_of(s, end->out[v]), variable = rk_stepping_variable(s, loop, v);
        bool is_there = out == RK_NONE || out == rk_stepping_place_of(s, first->in[v]);

        for (size_t u = 0; u < v; u++)
            is_there |= out == rk_stepping_place_of(s, end->out[u]);
        if (is_there || is_dropped(s, l->parent, out))
            effect(s, RK_EFFECT_FREE, variable, RK_NONE);
        else
            effect(s, RK_EFFECT_MOVE, out, variable);
    }
    rk_stepping_release(s, l->parent, rk_event_leave(l));
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

/* What is given: inputs, which someone outside has as well, and the caches that a step finds filled. */
static void give_inputs(rk_stepping *s)
{
    storage_task(s);
    for (uint32_t b = 0; b < s->pl->n_buffer; b++)
        if (s->pl->buffer[b].op == RK_NONE && !s->pl->buffer[b].stored && (!s->o->carried || s->used[b])) {
            effect(s, RK_EFFECT_MAKE, b, b);
            if (!s->pl->buffer[b].handed)
                effect(s, RK_EFFECT_SHARE, RK_NONE, b);
        }
    for (size_t k = 0; s->o->cache && s->o->carried && k < s->p->n_keep; k++) {
        rk_i128 n = rk_stepping_value(s, rk_group_times(s->pool, s->p, s->p->keep[k].group));
        uint32_t slot = (uint32_t)(s->out->n_place + s->out->n_tensor + s->p->keep[k].tensor);

        for (; n > 0 && s->o->cache[s->p->keep[k].tensor] > 0 && s->code == RK_OK; n--) {
            effect(s, RK_EFFECT_MAKE, slot, slot);
            effect(s, RK_EFFECT_MOVE, RK_NONE, slot);
        }
    }
}

/* The operations between first_op and end_op. */
void rk_stepping_forward_stage(rk_stepping *s)
{
    s->first_lent = s->recompute_input.n;
    forward_group(s, 0, s->o->backward ? SAVING_ALL : SAVING_NOTHING);
    rk_stepping_end_units(s);
    s->end_lent = s->recompute_input.n;
    if (s->o->run.autocast) {
        storage_task(s);
        effect(s, RK_EFFECT_UNCACHE, RK_NONE, RK_NONE);
    }
}

void rk_stepping_forward(rk_stepping *s)
{
    uint32_t before;

    s->out->forward = rk_stepping_begin_list(s, 0, &before);
    rk_stepping_send_buffers(s);
    give_inputs(s);
    rk_stepping_begin_units(s);
    rk_stepping_forward_stage(s);
    rk_stepping_end_list(s, before);
}
