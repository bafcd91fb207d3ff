/* SPDX-License-Identifier: MIT */
#include "pass/walk.h"

#include <string.h>

/* ---- sizes ------------------------------------------------------------------------------------------------------ */

rk_i128 rk_walk_value(rk_walk *w, rk_ex e)
{
    rk_i128 n = 0;

    if (w->code == RK_OK)
        w->code = rk_ex_eval(w->m->pool, e, &w->at, &n, w->err);
    return n;
}

static rk_i128 rounded(const rk_walk *w, rk_i128 bytes)
{
    rk_i128 unit = w->o->rounding;

    return (bytes + unit - 1) / unit * unit;
}

static rk_i128 tensor_count(rk_walk *w, const rk_tensor *t)
{
    rk_i128 n = 1;

    for (size_t i = 0; i < t->axes.n; i++)
        n *= rk_walk_value(w, t->axes.at[i].size);
    return n;
}

static bool ends_alike(const rk_tensor *a, const rk_tensor *b)
{
    return a->axes.n > 0 && b->axes.n > 0 && a->axes.at[a->axes.n - 1].size == b->axes.at[b->axes.n - 1].size;
}

/* Of what leads to an output that has all places of a sequence, and is as wide as it, one place is made. */
bool rk_walk_is_one_place(const rk_walk *w, uint32_t tensor)
{
    const rk_tensor *t = &w->p->tensor[tensor];

    if (w->o->places == RK_EX_FAILED || w->p->n_output == 0 || t->kind != RK_TENSOR_RESULT || t->group != 0 ||
        w->pl->tensor[tensor].buffer == RK_NONE || !ends_alike(t, &w->p->tensor[w->p->output[0]]))
        return false;
    for (size_t i = 0; i < t->axes.n; i++)
        if (t->axes.at[i].size == w->o->places)
            return true;
    return false;
}

static void measure_one_place(rk_walk *w, uint32_t tensor)
{
    const rk_place *at = &w->pl->tensor[tensor];
    rk_i128 all = rk_walk_value(w, w->o->places);

    if (all <= 0)
        return;
    w->bytes[at->buffer] =
        rounded(w, tensor_count(w, &w->p->tensor[tensor]) / all * rk_type_bytes(at->type, &w->o->run));
    w->one_place[at->buffer] = true;
}

/* Elements of a tensor's gradient; within the head and the loss those of a chunk. */
static rk_i128 gradient_count(rk_walk *w, uint32_t tensor)
{
    const rk_tail *tail = w->o->tail;
    rk_i128 n = tensor_count(w, &w->p->tensor[tensor]);

    return rk_tail_makes(tail, w->p, tensor) && n % tail->n_token == 0 ? n / tail->n_token * tail->chunk : n;
}

void rk_walk_measure(rk_walk *w)
{
    for (size_t i = 0; i < w->pl->n_buffer; i++) {
        const rk_buffer *b = &w->pl->buffer[i];

        w->bytes[i] = rounded(w, rk_walk_value(w, b->count) * rk_type_bytes(b->type, &w->o->run));
    }
    for (uint32_t i = 0; i < w->p->n_tensor; i++)
        if (rk_walk_is_one_place(w, i))
            measure_one_place(w, i);
    for (uint32_t i = 0; i < w->p->n_tensor; i++)
        w->tensor_bytes[i] = rounded(w, gradient_count(w, i) * rk_type_bytes(w->pl->tensor[i].type, &w->o->run));
}

/* ---- births and deaths ------------------------------------------------------------------------------------------ */

static rk_i128 bytes_of(const rk_walk *w, const rk_walk_live *l)
{
    return l->kind == LIVE_BUFFER     ? w->bytes[l->what]
           : l->kind == LIVE_GRADIENT ? w->tensor_bytes[l->what]
                                      : w->o->cache[l->what];
}

static void look(rk_walk *w)
{
    for (size_t i = 0; i < w->live.n; i++) {
        const rk_walk_live *l = &w->live.at[i];

        if (l->holds > 0)
            (l->kind == LIVE_BUFFER     ? w->moment->buffers
             : l->kind == LIVE_GRADIENT ? w->moment->gradients
                                        : w->moment->caches)[l->what]++;
    }
}

/* ---- scenes, for a watcher -------------------------------------------------------------------------------------- */

bool rk_walk_is_watched(const rk_walk *w)
{
    return w->o->watcher.see && !w->looking;
}

void rk_walk_note_scene(rk_walk *w)
{
    memcpy(w->scene.bytes, w->alive, sizeof w->alive);
    w->scene_sum = w->sum;
}

void rk_walk_begin_scene(rk_walk *w, uint32_t op, rk_stage stage)
{
    if (!rk_walk_is_watched(w))
        return;
    w->scene = (rk_scene){.stage = stage, .op = op, .layer = w->layer, .n_layer = w->n_layer};
    rk_walk_note_scene(w);
}

void rk_walk_end_scene(rk_walk *w)
{
    if (rk_walk_is_watched(w))
        w->o->watcher.see(w->o->watcher.self, &w->scene);
}

static void note_sum(rk_walk *w, uint32_t op)
{
    w->n_event++;
    if (w->sum > w->scene_sum && rk_walk_is_watched(w))
        rk_walk_note_scene(w);
    if (w->looking && w->n_event == w->moment->event)
        look(w);
    if (w->looking || w->sum <= w->moment->bytes)
        return;
    w->moment->bytes = w->sum;
    w->moment->op = op;
    w->moment->event = w->n_event;
}

bool rk_walk_is_weight(const rk_walk *w, uint32_t tensor)
{
    return w->p->tensor[tensor].kind == RK_TENSOR_WEIGHT;
}

static rk_live first_as(const rk_walk *w, rk_walk_kind kind, uint32_t what)
{
    return kind == LIVE_BUFFER          ? RK_LIVE_PASSING
           : kind == LIVE_CACHE         ? RK_LIVE_CACHE
           : rk_walk_is_weight(w, what) ? RK_LIVE_WEIGHT_GRADIENT
                                        : RK_LIVE_GRADIENT;
}

uint32_t rk_walk_born(rk_walk *w, rk_walk_kind kind, uint32_t what, uint32_t op)
{
    rk_walk_live *l = RK_PUSH(w->a, &w->live);

    if (!l) {
        w->code = w->code == RK_OK ? rk_fail_memory(w->err) : w->code;
        return RK_NONE;
    }
    *l = (rk_walk_live){.what = what, .holds = 1, .kind = kind, .as = first_as(w, kind, what)};
    rk_walk_count_born(w, l, op);
    w->sum += bytes_of(w, l);
    w->alive[l->as] += bytes_of(w, l);
    note_sum(w, op);
    return (uint32_t)(w->live.n - 1);
}

void rk_walk_hold(rk_walk *w, uint32_t i)
{
    if (i != RK_NONE)
        w->live.at[i].holds++;
}

void rk_walk_let_go(rk_walk *w, uint32_t i)
{
    if (i == RK_NONE || w->live.at[i].holds == 0 || --w->live.at[i].holds > 0)
        return;
    rk_walk_count_died(w, &w->live.at[i]);
    w->sum -= bytes_of(w, &w->live.at[i]);
    w->alive[w->live.at[i].as] -= bytes_of(w, &w->live.at[i]);
}

/* From now on the backward pass needs it. */
void rk_walk_hold_for_backward(rk_walk *w, uint32_t i)
{
    rk_walk_hold(w, i);
    if (i == RK_NONE || w->live.at[i].as != RK_LIVE_PASSING)
        return;
    w->live.at[i].as = RK_LIVE_KEPT;
    w->alive[RK_LIVE_PASSING] -= bytes_of(w, &w->live.at[i]);
    w->alive[RK_LIVE_KEPT] += bytes_of(w, &w->live.at[i]);
}
