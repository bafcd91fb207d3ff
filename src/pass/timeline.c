/* SPDX-License-Identifier: MIT */
#include "pass/walking.h"

#include "base/work.h"

#include <string.h>

#define TABLES 3 /* of numbers for each buffer: rk_moment.buffers, left, kept */

/* ---- births and deaths ------------------------------------------------------------------------------------------ */

static void note_scene(rk_walk *w)
{
    memcpy(w->scene.bytes, w->alive, sizeof w->alive);
    w->scene.sum = w->sum;
}

static void note_sum(rk_walk *w, uint32_t op)
{
    w->n_event++;
    if (w->watcher && w->sum > w->scene.sum)
        note_scene(w);
    if (w->looking && w->n_event == w->moment->event)
        memcpy(w->moment->buffers, w->count, TABLES * w->s->n_buffer * sizeof *w->count);
    if (w->looking || w->sum <= w->moment->bytes)
        return;
    w->moment->bytes = w->sum;
    memcpy(w->moment->live, w->alive, sizeof w->alive);
    w->moment->op = op;
    w->moment->event = w->n_event;
}

static rk_live class_of(const rk_step *s, uint32_t buffer)
{
    if (buffer >= s->n_place + 2 * s->n_tensor)
        return s->temporary[buffer - s->n_place - 2 * s->n_tensor].as;
    if (buffer < s->n_place)
        return RK_LIVE_PASSING;
    if (buffer >= s->n_place + s->n_tensor)
        return RK_LIVE_CACHE;
    return s->program->tensor[buffer - s->n_place].kind == RK_TENSOR_WEIGHT ? RK_LIVE_WEIGHT_GRADIENT
                                                                            : RK_LIVE_GRADIENT;
}

static void emit_event(const rk_walk *w, bool born, uint32_t entry)
{
    const rk_walk_live *l = &w->live[entry];

    if (w->watcher && w->watcher->event)
        w->watcher->event(w->watcher->self, &(rk_event){.born = born,
                                                        .entry = entry,
                                                        .buffer = l->buffer,
                                                        .as = l->as,
                                                        .bytes = w->s->bytes[l->buffer],
                                                        .task = w->task,
                                                        .layer = w->layer,
                                                        .n_layer = w->n_layer,
                                                        .backward = w->backward});
}

/* One key of a census for each operation, and one for it recomputed. */
static uint32_t make(rk_walk *w, const rk_task *t, uint32_t buffer)
{
    uint32_t i = w->dead != RK_NONE ? w->dead : (uint32_t)w->n_live++;
    rk_walk_live *l = &w->live[i];
    size_t at = t->op == RK_NONE ? w->s->program->n_op : t->op;

    if (w->n_live > w->most) { /* a step whose lists are not right */
        w->n_live = w->most;
        w->full = true;
        return RK_NONE;
    }
    w->dead = w->dead != RK_NONE ? l->holders : RK_NONE;
    *l = (rk_walk_live){.buffer = buffer, .holders = 1, .as = w->class[buffer]};
    if (w->census)
        rk_census_born(w->census, w->census->of_buffer[buffer], (uint32_t)(2 * at + (t->kind == RK_TASK_RECOMPUTE)));
    w->sum += w->s->bytes[buffer];
    w->alive[l->as] += w->s->bytes[buffer];
    w->count[buffer]++;
    note_sum(w, t->op);
    emit_event(w, true, i);
    return i;
}

static uint32_t hold(rk_walk *w, uint32_t i)
{
    if (i != RK_NONE)
        w->live[i].holders++;
    return i;
}

static void let_go(rk_walk *w, uint32_t *at)
{
    rk_walk_live *l = *at == RK_NONE ? NULL : &w->live[*at];
    uint32_t i = *at;

    *at = RK_NONE;
    if (!l)
        return;
    if (--l->holders > 0) {
        l->fewest = l->holders < l->fewest ? l->holders : l->fewest;
        return;
    }
    emit_event(w, false, i);
    if (w->census)
        rk_census_died(w->census, w->census->of_buffer[l->buffer]);
    w->sum -= w->s->bytes[l->buffer];
    w->alive[l->as] -= w->s->bytes[l->buffer];
    w->count[l->buffer]--;
    if (l->as == RK_LIVE_SAVED)
        w->kept[l->buffer]--;
    l->looked_at = 0;
    l->holders = w->dead;
    w->dead = i;
}

/* From now on the backward pass needs it. */
static uint32_t save(rk_walk *w, uint32_t i, bool counts)
{
    rk_walk_live *l = i == RK_NONE ? NULL : &w->live[i];

    if (!l)
        return RK_NONE;
    if (counts && !l->saved && w->counting && !w->backward && !w->looking && l->buffer < w->s->n_place)
        w->out->saved[l->buffer]++;
    l->saved |= counts;
    if (l->as == RK_LIVE_PASSING) {
        l->as = RK_LIVE_SAVED;
        w->kept[l->buffer]++;
        w->alive[RK_LIVE_PASSING] -= w->s->bytes[l->buffer];
        w->alive[RK_LIVE_SAVED] += w->s->bytes[l->buffer];
    }
    return hold(w, i);
}

/* ---- tasks and lists -------------------------------------------------------------------------------------------- */

static void do_effect(rk_walk *w, const rk_task *t, const rk_effect *e, uint32_t *saved)
{
    uint32_t *slot = e->slot == RK_NONE ? NULL : &w->slot[e->slot], i;

    switch (e->kind) {
    case RK_EFFECT_MAKE:
        *slot = make(w, t, e->other);
        break;
    case RK_EFFECT_SHARE:
        i = hold(w, w->slot[e->other]);
        if (slot)
            *slot = i;
        break;
    case RK_EFFECT_MOVE:
        i = w->slot[e->other];
        w->slot[e->other] = RK_NONE;
        if (slot)
            *slot = i;
        break;
    case RK_EFFECT_SAVE:
    case RK_EFFECT_LEND:
        if (w->watcher && w->watcher->save && *slot != RK_NONE && t->op != RK_NONE)
            w->watcher->save(w->watcher->self, w->live[*slot].buffer, t->op);
        saved[e->other] = save(w, *slot, e->kind == RK_EFFECT_SAVE);
        break;
    case RK_EFFECT_CACHE:
        w->cached[w->n_cached++] = hold(w, *slot);
        break;
    case RK_EFFECT_UNCACHE:
        while (w->n_cached > 0)
            let_go(w, &w->cached[--w->n_cached]);
        break;
    case RK_EFFECT_RESTORE:
        *slot = hold(w, saved[e->other]);
        break;
    case RK_EFFECT_FREE:
        let_go(w, slot);
        break;
    case RK_EFFECT_FREE_SAVED:
        let_go(w, &saved[e->other]);
        break;
    case RK_EFFECT_PUT:
        saved[e->other] = hold(w, *slot);
        break;
    case RK_EFFECT_LEAVE:
        w->sum -= w->s->bytes[e->other];
        w->alive[w->class[e->other]] -= w->s->bytes[e->other];
        if (w->count[e->other] > 0) /* it was made in this step, for an earlier micro-batch */
            w->count[e->other]--;
        else
            w->left[e->other]++;
        break;
    }
}

static bool lets_go(const rk_effect *e)
{
    return e->kind == RK_EFFECT_FREE || e->kind == RK_EFFECT_FREE_SAVED;
}

/*
 * A scene is seen before the task that closes it lets go of anything.  Forward, everything is born before anything
 * dies, so that its last moment is shown: what is saved is known then.  But a cache that has grown was there twice
 * before: then the last moment is not the largest.
 */
static void do_task(rk_walk *w, const rk_task *t, uint32_t *saved)
{
    const rk_effect *e = w->s->effect + t->effect, *end = e + t->n_effect;
    bool watched = w->watcher && w->watcher->op && t->stage != RK_STAGE_NONE;

    w->task = t;
    if (watched && t->opens) {
        w->scene = (rk_scene){.stage = t->stage, .op = t->op, .layer = w->layer, .n_layer = w->n_layer};
        note_scene(w);
    }
    for (; e < end && !(t->closes && t->stage != RK_STAGE_BACKWARD && lets_go(e)); e++)
        do_effect(w, t, e, saved);
    if (watched && t->closes && t->stage != RK_STAGE_BACKWARD && t->kind != RK_TASK_GRADIENT && w->sum >= w->scene.sum)
        note_scene(w);
    for (; e < end; e++)
        do_effect(w, t, e, saved);
    if (watched && t->closes) {
        if (w->noting)
            rk_walk_note_scene(w);
        w->watcher->op(w->watcher->self, &w->scene);
    }
}

void rk_walk_tasks(rk_walk *w, const rk_step_list *l, uint32_t *saved)
{
    for (const rk_step_item *i = l->item, *end = i + l->n_item; i < end; i++)
        do_task(w, &w->s->task[i->task], saved);
}

/*
 * Where moments are noted from a loop within a layer on: by the number of the layer, as if it were one of the loop
 * within.
 */
static void enter_inner(rk_walk *w, const rk_step_item *i)
{
    bool last = i->is_last && w->layer[0] + 1 == w->s->program->loop[i->loop].n_layer;

    w->moment = &w->out->part[last                              ? RK_BACKWARD_LAST_LAYER
                              : i->is_first && w->layer[0] == 0 ? RK_BACKWARD_FIRST_LAYER
                                                                : RK_BACKWARD_MIDDLE];
}

static void do_list(rk_walk *w, uint32_t list, uint32_t *saved)
{
    const rk_step_list *l = &w->s->list[list];

    if (!rk_work(l->n_item + 1) || (w->looking && w->n_event >= w->last_event))
        return;
    if (rk_walk_repeats(w, list)) {
        rk_walk_repeat(w, list, saved);
        return;
    }
    for (const rk_step_item *i = l->item, *end = i + l->n_item; i < end; i++) {
        if (w->backward && w->n_layer == 0)
            w->moment = &w->out->part[i->part];
        if (!i->run)
            do_task(w, &w->s->task[i->task], saved);
        else if (i->is_backward && w->n_layer == 1)
            enter_inner(w, i);
        for (size_t k = 0; k < i->n_run; k++) {
            const rk_step_run *run = &i->run[k];

            if (w->backward && w->n_layer == 0)
                w->moment = &w->out->part[run->part];
            w->layer[w->n_layer++] = run->layer;
            do_list(w, run->list, run->of_all ? w->saved + run->frame : saved + i->frame + run->frame);
            w->n_layer--;
        }
    }
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

/* Micro-batches in turn, each in its frame. */
static void walk_acts(rk_walk *w)
{
    for (const rk_step_act *a = w->s->act, *end = a + w->s->n_act; a < end; a++) {
        w->backward = a->backward;
        w->counting = a->micro == 0;
        w->moment = &w->out->forward;
        do_list(w, a->list, w->saved + a->frame);
    }
}

/* Entries of the frames of all that is run, and buffers that it gives for good. */
static size_t n_frame(const rk_step *s)
{
    return s->n_act ? s->n_frame : s->list[s->forward].n_saved;
}

static size_t n_given(const rk_step *s)
{
    size_t n = s->list[s->forward].n_given + (s->backward == RK_NONE ? 0 : s->list[s->backward].n_given);

    for (size_t i = 0; i < s->n_act; i++)
        n += s->list[s->act[i].list].n_given;
    return n;
}

static void walk_once(rk_walk *w, bool looking, rk_census *census)
{
    const rk_step *s = w->s;

    w->looking = looking;
    w->census = census;
    w->backward = false;
    w->sum = 0;
    w->n_live = w->n_event = w->n_cached = 0;
    w->dead = RK_NONE;
    memset(w->alive, 0, sizeof w->alive);
    memset(w->count, 0, TABLES * s->n_buffer * sizeof *w->count);
    memset(w->slot, 0xFF, s->n_slot * sizeof *w->slot);
    memset(w->saved, 0xFF, n_frame(s) * sizeof *w->saved);
    w->moment = &w->out->forward;
    w->counting = true;
    if (s->n_act > 0)
        walk_acts(w);
    else
        do_list(w, s->forward, w->saved);
    if (!looking)
        w->out->after_forward = w->sum;
    if (census)
        rk_census_turn(census);
    w->backward = true;
    if (s->backward != RK_NONE && s->n_act == 0)
        do_list(w, s->backward, w->saved);
    if (census)
        rk_census_close(census);
    if (!looking)
        w->out->after_backward = w->sum;
}

/* Once more, as far as there is something to look at. */
static void look_at_moments(rk_walk *w)
{
    w->last_event = w->out->forward.event;
    for (size_t i = 0; i < RK_N_BACKWARD_PART; i++)
        if (w->out->part[i].event > w->last_event)
            w->last_event = w->out->part[i].event;
    w->watcher = NULL;
    walk_once(w, true, NULL);
}

/* What a walk needs; false: no memory. */
static bool make_walk(rk_arena *own, rk_walk *w)
{
    const rk_step *s = w->s;
    size_t saved = n_frame(s), given = n_given(s);

    w->slot = RK_NEW_ARRAY(own, s->n_slot + 1, uint32_t);
    w->saved = RK_NEW_ARRAY(own, saved + 1, uint32_t);
    w->cached = RK_NEW_ARRAY(own, given + 1, uint32_t);
    w->most = s->n_slot + saved + given;
    w->live = RK_NEW_ARRAY(own, w->most + 1, rk_walk_live);
    w->count = RK_NEW_ARRAY(own, TABLES * s->n_buffer + 1, uint64_t);
    w->left = w->count ? w->count + s->n_buffer : NULL;
    w->kept = w->count ? w->left + s->n_buffer : NULL;
    w->layer = RK_NEW_ARRAY(own, s->program->n_loop + 1, uint32_t);
    w->class = RK_NEW_ARRAY(own, s->n_buffer + 1, rk_live);
    w->own = own;
    for (uint32_t i = 0; w->class && i < s->n_buffer; i++)
        w->class[i] = class_of(s, i);
    return !own->failed;
}

static int end_walk(rk_arena *own, const rk_walk *w, rk_err *err)
{
    rk_arena_free(own);
    return w->full ? rk_fail(err, RK_ELIMIT, "more buffers are alive than the step has room for") : rk_work_check(err);
}

static void make_room(rk_arena *a, const rk_step *s, rk_moment *m)
{
    m->buffers = RK_NEW_ARRAY(a, TABLES * s->n_buffer + 1, uint64_t);
    m->left = m->buffers ? m->buffers + s->n_buffer : NULL;
    m->kept = m->buffers ? m->left + s->n_buffer : NULL;
    m->gradients = m->buffers ? m->buffers + s->n_place : NULL;
    m->caches = m->buffers ? m->gradients + s->n_tensor : NULL;
}

int rk_timeline_new(rk_arena *a, const rk_step *s, const rk_watcher *watcher, rk_census *census, bool who,
                    rk_timeline *out, rk_err *err)
{
    rk_arena own = {0};
    rk_walk w = {.s = s, .out = out, .watcher = watcher};

    *out = (rk_timeline){.saved = RK_NEW_ARRAY(a, s->n_place + 1, uint64_t)};
    make_room(a, s, &out->forward);
    for (size_t i = 0; i < RK_N_BACKWARD_PART; i++)
        make_room(a, s, &out->part[i]);
    if (!make_walk(&own, &w) || a->failed) {
        rk_arena_free(&own);
        return rk_fail_memory(err);
    }
    if (census)
        rk_census_open(census, 2 * (s->program->n_op + 1));
    w.census = census;
    if (!rk_walk_begin_repeats(&w)) {
        rk_arena_free(&own);
        return rk_fail_memory(err);
    }
    walk_once(&w, false, census);
    if (who)
        look_at_moments(&w);
    out->backward = out->part[0];
    for (size_t i = 1; i < RK_N_BACKWARD_PART; i++) /* of equal ones the first */
        if (out->part[i].bytes > out->backward.bytes)
            out->backward = out->part[i];
    return end_walk(&own, &w, err);
}

int rk_timeline_watch(const rk_step *s, const rk_watcher *watcher, rk_err *err)
{
    rk_arena own = {0};
    rk_timeline out = {.saved = RK_NEW_ARRAY(&own, s->n_place + 1, uint64_t)};
    rk_walk w = {.s = s, .out = &out, .watcher = watcher};

    if (!make_walk(&own, &w)) {
        rk_arena_free(&own);
        return rk_fail_memory(err);
    }
    walk_once(&w, false, NULL);
    return end_walk(&own, &w, err);
}
