/* SPDX-License-Identifier: MIT */
/*
 * pass/step_recompute_ops.c - operations whose results are not saved but made again in the backward pass, one by one.
 *
 * Which these are is said by a runtime (what it gathers for products, it gathers again), and by --recompute (a list of
 * modules, or all but some kinds of operations).  In place of what such an operation makes, what it reads is saved,
 * unless that is made again, too.  Backward, it is run once more before the first gradient that needs what it makes,
 * and this goes when the gradients of the operation itself have been taken.
 */
#include "pass/stepping.h"

#include "model/collective.h"

static void effect(rk_stepping *s, rk_effect_kind kind, uint32_t slot, uint32_t other)
{
    rk_stepping_effect(s, kind, slot, other);
}

/* ---- which ------------------------------------------------------------------------------------------------------- */

static uint32_t maker_of(const rk_stepping *s, uint32_t place)
{
    return place == RK_NONE || s->pl->buffer[place].stored ? RK_NONE : s->pl->buffer[place].op;
}

/* What is gathered from pieces of the sequence for products. */
static bool is_regathered(const rk_stepping *s, const rk_op *op)
{
    const rk_change_row *change = rk_change_of(op->row);

    return s->o->layout && s->o->layout->runtime.regathers && change && change->forward == RK_COLLECTIVE_ALL_GATHER &&
           change->backward == RK_COLLECTIVE_REDUCE_SCATTER;
}

/* Of operations that may be run again, those that some gradient needs, and what these need. */
static void mark_needed(rk_stepping *s, const bool *may)
{
    for (size_t i = s->p->n_op; i > 0; i--) {
        const rk_place_op *op = &s->pl->op[i - 1];
        size_t n = op->n_read + op->n_kept;

        for (size_t k = s->recomputed[i - 1] ? 0 : op->n_read; k < n; k++) { /* what is read; else what is kept */
            uint32_t maker = maker_of(s, s->pl->list[op->read + k]);

            if (maker != RK_NONE && may[maker] && s->p->op[maker].group == s->p->op[i - 1].group)
                s->recomputed[maker] = true;
        }
    }
}

void rk_stepping_find_recomputed(rk_stepping *s)
{
    bool *may = RK_NEW_ARRAY(s->a, s->p->n_op + 1, bool), any = false;

    s->recomputed = RK_NEW_ARRAY(s->a, s->p->n_op + 1, bool);
    s->recompute_made = RK_NEW_ARRAY(s->a, s->p->n_op + 1, uint8_t);
    s->recompute_saved = RK_NEW_ARRAY(s->a, s->p->n_op + 1, uint32_t);
    if (!may || s->a->failed) {
        rk_stepping_fail(s);
        return;
    }
    for (size_t i = 0; s->o->backward && i < s->p->n_op; i++) {
        may[i] = is_regathered(s, &s->p->op[i]) || (s->o->recomputed && s->o->recomputed[i]);
        any |= may[i];
    }
    if (any)
        mark_needed(s, may);
}

bool rk_stepping_is_recomputed(const rk_stepping *s, uint32_t place)
{
    uint32_t maker = maker_of(s, place);
    bool stays =
        maker != RK_NONE && s->o->stays && s->o->stays[maker] && place == rk_stepping_place_of(s, s->p->op[maker].out);

    return maker != RK_NONE && s->recomputed[maker] && !stays;
}

/* What a layer saves is held by the host, unless the layer is recomputed; not what was made outside for all of them. */
bool rk_stepping_is_offloaded(const rk_stepping *s, uint32_t group, uint32_t place)
{
    return s->o->offloads && s->o->recompute_layers == 0 && group != 0 &&
           (s->pl->buffer[place].group != 0 || rk_stepping_slot(s, group, place) != place);
}

/* ---- forward ----------------------------------------------------------------------------------------------------- */

/* Whether a result is saved because its operation is not run again, whoever needs it. */
static bool keeps_result(const rk_stepping *s, size_t i)
{
    return !s->recomputed[i] && s->o->stays && s->o->stays[i] && s->o->recompute_together &&
           rk_stepping_place_of(s, s->p->op[i].out) != RK_NONE;
}

/* Saves what an operation that is run again will read. */
void rk_stepping_save_recomputed(rk_stepping *s, size_t i)
{
    const rk_place_op *op = &s->pl->op[i];
    uint32_t group = s->p->op[i].group;

    if (keeps_result(s, i)) {
        s->recompute_saved[i] = rk_stepping_room(s, 1);
        effect(s, RK_EFFECT_SAVE, rk_stepping_place_of(s, s->p->op[i].out), s->recompute_saved[i]);
    }
    if (!s->recomputed[i])
        return;
    s->recompute_saved[i] = rk_stepping_room(s, op->n_read);
    for (uint32_t k = 0; k < op->n_read; k++) {
        uint32_t b = s->pl->list[op->read + k];

        if (b != RK_NONE && !s->pl->buffer[b].stored && !rk_stepping_is_recomputed(s, b))
            effect(s, RK_EFFECT_SAVE, rk_stepping_slot(s, group, b), s->recompute_saved[i] + k);
    }
}

/* ---- backward ---------------------------------------------------------------------------------------------------- */

/* A list of gradients of a group begins. */
void rk_stepping_begin_recomputed(rk_stepping *s, uint32_t group)
{
    for (size_t i = 0; i < s->p->n_op; i++)
        if (s->p->op[i].group == group)
            s->recompute_made[i] = RECOMPUTED_NOT_YET;
}

/* What was saved for an operation is given to it, or taken from it again. */
static void restore(rk_stepping *s, size_t i, rk_effect_kind kind)
{
    const rk_place_op *op = &s->pl->op[i];

    if (kind == RK_EFFECT_RESTORE)
        rk_stepping_task(s, RK_TASK_STORAGE, RK_NONE, RK_NONE, RK_STAGE_NONE);
    for (uint32_t k = 0; k < op->n_read; k++) {
        uint32_t b = s->pl->list[op->read + k];

        if (b != RK_NONE && !s->pl->buffer[b].stored && !rk_stepping_is_recomputed(s, b))
            effect(s, kind, b, kind == RK_EFFECT_RESTORE ? s->recompute_saved[i] + k : RK_NONE);
    }
}

static void make_again(rk_stepping *s, uint32_t i)
{
    const rk_place_op *op = &s->pl->op[i];
    rk_task *task;

    if (s->recompute_made[i] != RECOMPUTED_NOT_YET)
        return;
    s->recompute_made[i] = RECOMPUTED_THERE;
    for (uint32_t k = 0; k < op->n_read; k++)
        if (rk_stepping_is_recomputed(s, s->pl->list[op->read + k]))
            make_again(s, s->pl->buffer[s->pl->list[op->read + k]].op);
    restore(s, i, RK_EFFECT_RESTORE);
    task = rk_stepping_task(s, RK_TASK_RECOMPUTE, i, RK_NONE, RK_STAGE_RECOMPUTE);
    task->opens = task->closes = true;
    for (size_t k = 0; k < s->p->op[i].n_in; k++)
        rk_stepping_read(s, rk_stepping_place_of(s, s->p->op[i].in[k].tensor));
    for (uint32_t b = op->made; b < op->made + op->n_made; b++)
        if (s->pl->buffer[b].op != RK_NONE)
            effect(s, RK_EFFECT_MAKE, b, b);
    restore(s, i, RK_EFFECT_FREE);
}

/* The last operation of a list of gradients that needs a place: the first of its group to keep it. */
static bool is_last_need(const rk_stepping *s, size_t i, uint32_t place)
{
    for (size_t j = s->p->group[s->p->op[i].group].first_op; j < i; j++)
        for (uint32_t k = 0; s->p->op[j].group == s->p->op[i].group && k < s->pl->op[j].n_kept; k++)
            if (s->pl->list[s->pl->op[j].read + s->pl->op[j].n_read + k] == place)
                return false;
    return true;
}

/* What an operation has kept comes back from the host, … */
static void fetch(rk_stepping *s, size_t i)
{
    const rk_place_op *op = &s->pl->op[i];

    for (uint32_t k = 0; s->o->offloads && k < op->n_kept; k++) {
        uint32_t b = s->pl->list[op->read + op->n_read + k];

        if (s->pl->buffer[b].stored || s->fetched[b] || !rk_stepping_is_offloaded(s, s->p->op[i].group, b))
            continue;
        rk_stepping_task(s, RK_TASK_STORAGE, RK_NONE, RK_NONE, RK_STAGE_NONE);
        effect(s, RK_EFFECT_MAKE, b, b);
        s->fetched[b] = true;
    }
}

/* … and goes when nobody needs it any longer. */
static void drop_fetched(rk_stepping *s, size_t i)
{
    const rk_place_op *op = &s->pl->op[i];

    for (uint32_t k = 0; s->o->offloads && k < op->n_kept; k++) {
        uint32_t b = s->pl->list[op->read + op->n_read + k];

        if (!s->fetched[b] || !is_last_need(s, i, b))
            continue;
        effect(s, RK_EFFECT_FREE, b, RK_NONE);
        s->fetched[b] = false;
    }
}

/* All that an operation has kept and that is made again is there; or all of its layer. */
void rk_stepping_make_recomputed(rk_stepping *s, size_t i)
{
    const rk_place_op *op = &s->pl->op[i];
    bool any = false;

    fetch(s, i);
    for (uint32_t k = 0; k < op->n_kept; k++)
        any |= rk_stepping_is_recomputed(s, s->pl->list[op->read + op->n_read + k]);
    for (uint32_t k = 0; any && !s->o->recompute_together && k < op->n_kept; k++) {
        uint32_t b = s->pl->list[op->read + op->n_read + k];

        if (rk_stepping_is_recomputed(s, b))
            make_again(s, s->pl->buffer[b].op);
    }
    for (uint32_t j = 0; any && s->o->recompute_together && j < s->p->n_op; j++)
        if (s->recomputed[j] && s->p->op[j].group == s->p->op[i].group)
            make_again(s, j);
}

/* The gradients of an operation have been taken: what it made again goes, and what was saved for that. */
void rk_stepping_forget_recomputed(rk_stepping *s, size_t i)
{
    const rk_place_op *op = &s->pl->op[i];

    drop_fetched(s, i);
    for (uint32_t b = op->made; s->recompute_made[i] == RECOMPUTED_THERE && b < op->made + op->n_made; b++)
        if (s->pl->buffer[b].op != RK_NONE)
            effect(s, RK_EFFECT_FREE, b, RK_NONE);
    s->recompute_made[i] = RECOMPUTED_GONE;
    if (keeps_result(s, i))
        effect(s, RK_EFFECT_FREE_SAVED, RK_NONE, s->recompute_saved[i]);
    for (uint32_t k = 0; s->recomputed[i] && k < op->n_read; k++) {
        uint32_t b = s->pl->list[op->read + k];

        if (b != RK_NONE && !s->pl->buffer[b].stored && !rk_stepping_is_recomputed(s, b))
            effect(s, RK_EFFECT_FREE_SAVED, RK_NONE, s->recompute_saved[i] + k);
    }
}
