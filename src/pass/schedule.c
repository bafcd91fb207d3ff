/* SPDX-License-Identifier: MIT */
#include "pass/schedule.h"

#include <string.h>

rk_i128 rk_layout_stages(const rk_layout *l)
{
    return l->size[RK_MESH_PP] * l->stages;
}

rk_i128 rk_layout_micro(const rk_layout *l)
{
    return l->micro > 0 ? l->micro : rk_layout_stages(l);
}

rk_i128 rk_layout_stage(const rk_layout *l, size_t own)
{
    return rk_layout_place(l, RK_MESH_PP) + (rk_i128)own * l->size[RK_MESH_PP];
}

/* What is being put down: the next forward, backward and weights' half are the n-th of their kind. */
typedef struct planning {
    rk_schedule *s;
    size_t stages, micro; /* of the device */
    size_t round;         /* micro-batches that one stage takes before the next does */
    size_t n[3];          /* of each kind */
} planning;

/* The n-th of all: rounds go through the stages, forward from the first and backward from the last. */
static void put(planning *p, rk_action_kind kind)
{
    size_t n = p->n[kind]++, turn = n / p->round, stage = turn % p->stages;

    p->s->at[p->s->n++] = (rk_action){
        .kind = kind,
        .stage = (uint32_t)(kind == RK_ACTION_FORWARD ? stage : p->stages - 1 - stage),
        .micro = (uint32_t)(turn / p->stages * p->round + n % p->round),
    };
}

/* `first` forwards; then one of each in turn, a backward first or a forward; then what is left. */
static void alternate(planning *p, size_t first, bool backward_first, size_t no_weights)
{
    size_t all = p->stages * p->micro;

    while (p->n[RK_ACTION_FORWARD] < first)
        put(p, RK_ACTION_FORWARD);
    while (p->n[RK_ACTION_BACKWARD] < all) {
        bool more = p->n[RK_ACTION_FORWARD] < all;

        if (more && !backward_first)
            put(p, RK_ACTION_FORWARD);
        put(p, RK_ACTION_BACKWARD);
        if (p->s->halves && p->n[RK_ACTION_BACKWARD] > no_weights)
            put(p, RK_ACTION_WEIGHTS);
        if (more && backward_first)
            put(p, RK_ACTION_FORWARD);
    }
    while (p->s->halves && p->n[RK_ACTION_WEIGHTS] < all)
        put(p, RK_ACTION_WEIGHTS);
}

static int check(const rk_layout *l, rk_err *err)
{
    rk_i128 stages = rk_layout_stages(l), micro = rk_layout_micro(l), rounds = micro / l->size[RK_MESH_PP];
    bool interleaves = l->schedule == RK_SCHEDULE_INTERLEAVED || l->schedule == RK_SCHEDULE_ZERO_BUBBLE;
    char m[RK_NUM_TEXT_MAX], n[RK_NUM_TEXT_MAX];

    rk_num_text(m, micro);
    rk_num_text(n, stages);
    if (l->stages > 1 && !interleaves)
        return rk_fail(err, RK_EUSAGE,
                       "--layout: virtual stages take turns on a device: add --schedule interleaved1f1b, or "
                       "interleavedzb");
    if (l->schedule == RK_SCHEDULE_1F1B && micro < stages)
        return rk_fail(err, RK_EUSAGE, "--micro %s: 1f1b fills %s stages: it takes at least %s micro-batches", m, n, n);
    if (interleaves && rounds > 1 && micro % rounds != 0)
        return rk_fail(err, RK_EUSAGE,
                       "--micro %s: stages take turns in rounds as long as the pipeline, so --micro "
                       "must be a multiple of how many there are",
                       m);
    if (micro * l->stages > RK_SCHEDULE_MAX)
        return rk_fail(err, RK_ELIMIT, "--micro %s: too many micro-batches for a step", m);
    return RK_OK;
}

int rk_schedule_new(rk_arena *a, const rk_layout *l, rk_schedule *out, rk_err *err)
{
    size_t stages = (size_t)l->stages, micro = (size_t)rk_layout_micro(l), devices = (size_t)l->size[RK_MESH_PP];
    size_t after = devices - 1 - (size_t)rk_layout_place(l, RK_MESH_PP), all = stages * micro;
    planning p = {.s = out, .stages = stages, .micro = micro, .round = micro};
    size_t rounds, first;
    int code = check(l, err);

    if (code != RK_OK)
        return code;
    *out = (rk_schedule){.at = RK_NEW_ARRAY(a, 3 * all + 1, rk_action),
                         .n_stage = (uint32_t)stages,
                         .n_all = (uint32_t)rk_layout_stages(l),
                         .n_micro = (uint32_t)micro,
                         .halves = l->schedule == RK_SCHEDULE_ZERO_BUBBLE};
    if (!out->at)
        return rk_fail_memory(err);
    rounds = micro / devices > 0 ? micro / devices : 1;
    switch (l->schedule) {
    case RK_SCHEDULE_GPIPE:
        alternate(&p, all, true, 0);
        break;
    case RK_SCHEDULE_1F1B:
        alternate(&p, after + 1 < micro ? after + 1 : micro, true, 0);
        break;
    case RK_SCHEDULE_INTERLEAVED:
    case RK_SCHEDULE_ZERO_BUBBLE:
        p.round = micro / rounds;
        first = (stages - 1) * p.round + (out->halves ? 1 : 2) * after;
        alternate(&p, first < all ? first : all, false, devices - 1 - after);
        break;
    }
    return RK_OK;
}

size_t rk_schedule_in_flight(const rk_schedule *s)
{
    size_t now = 0, most = 0;

    for (size_t i = 0; i < s->n; i++) {
        now += s->at[i].kind == RK_ACTION_FORWARD;
        now -= s->at[i].kind == RK_ACTION_BACKWARD;
        most = now > most ? now : most;
    }
    return most;
}
