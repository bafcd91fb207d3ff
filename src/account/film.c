/* SPDX-License-Identifier: MIT */
#include "account/film.h"

#include <string.h>

const rk_alive_row rk_alive_table[RK_N_ALIVE] = {
#define RK_ALIVE_ROW(ID, word, text) {word, text},
    RK_ALIVES(RK_ALIVE_ROW)
#undef RK_ALIVE_ROW
};

const char *const rk_act_word[RK_N_ACT] = {"forward", "loss", "backward", "recompute", "optimizer"};

static const rk_alive class_of[RK_N_LIVE] = {
    [RK_LIVE_KEPT] = RK_ALIVE_KEPT,        [RK_LIVE_PASSING] = RK_ALIVE_PASSING,
    [RK_LIVE_GRADIENT] = RK_ALIVE_FLOWING, [RK_LIVE_WEIGHT_GRADIENT] = RK_ALIVE_GRADIENTS,
    [RK_LIVE_CACHE] = RK_ALIVE_CACHE,
};

static const rk_act act_of[] = {
    [RK_STAGE_FORWARD] = RK_ACT_FORWARD,
    [RK_STAGE_LOSS] = RK_ACT_LOSS,
    [RK_STAGE_BACKWARD] = RK_ACT_BACKWARD,
    [RK_STAGE_AGAIN] = RK_ACT_AGAIN,
};

static void show(const rk_film *f, rk_film_frame *frame)
{
    for (size_t i = 0; i < RK_N_ALIVE; i++)
        frame->total += frame->bytes[i];
    f->viewer.see(f->viewer.self, frame);
}

static void see_scene(void *self, const rk_scene *s)
{
    const rk_film *f = self;
    rk_film_frame frame = {
        .act = act_of[s->stage], .op = &f->instance->program->op[s->op], .layer = s->layer, .n_layer = s->n_layer};

    memcpy(frame.bytes, f->fixed, sizeof frame.bytes);
    for (size_t i = 0; i < RK_N_LIVE; i++)
        frame.bytes[class_of[i]] += s->bytes[i];
    if (frame.act == RK_ACT_FORWARD || frame.act == RK_ACT_LOSS)
        frame.bytes[RK_ALIVE_PASSING] += f->before;
    show(f, &frame);
}

static void show_step(const rk_film *f)
{
    rk_film_frame frame = {.act = RK_ACT_OPTIMIZER};
    bool any = false;

    for (size_t i = 0; i < RK_N_ALIVE; i++) {
        any |= f->update[i] != 0;
        frame.bytes[i] = f->fixed[i] + f->update[i];
    }
    if (any)
        show(f, &frame);
}

int rk_film_show(rk_arena *a, const rk_film *f, rk_err *err)
{
    rk_film copy = *f;
    rk_watcher watcher = {.see = see_scene, .self = &copy};
    rk_timeline unused;
    int code = rk_timeline_new(a, f->step, &watcher, NULL, &unused, err);

    if (code == RK_OK)
        show_step(f);
    return code;
}
