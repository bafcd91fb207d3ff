/* SPDX-License-Identifier: MIT */
#include "account/building.h"

#include <string.h>

/* ---- the timeline ----------------------------------------------------------------------------------------------- */

const char *const rk_host_word[RK_N_HOST] = {
#define RK_HOST_ROW(ID, word, text) word,
    RK_HOSTS(RK_HOST_ROW)
#undef RK_HOST_ROW
};

const char *const rk_host_text[RK_N_HOST] = {
#define RK_HOST_ROW(ID, word, text) text,
    RK_HOSTS(RK_HOST_ROW)
#undef RK_HOST_ROW
};

const rk_alive_row rk_alive_table[RK_N_ALIVE] = {
#define RK_ALIVE_ROW(ID, word, text) {word, text},
    RK_ALIVES(RK_ALIVE_ROW)
#undef RK_ALIVE_ROW
};

const char *const rk_act_word[RK_N_ACT] = {"forward", "loss", "backward", "recompute", "optimizer"};

static const rk_act act_of[] = {
    [RK_STAGE_FORWARD] = RK_ACT_FORWARD,
    [RK_STAGE_LOSS] = RK_ACT_LOSS,
    [RK_STAGE_BACKWARD] = RK_ACT_BACKWARD,
    [RK_STAGE_RECOMPUTE] = RK_ACT_RECOMPUTE,
};

static void show(const rk_building_showing *f, rk_observed_op *frame)
{
    const rk_observer *observer = &f->b->o->observer;

    for (size_t i = 0; i < RK_N_ALIVE; i++)
        frame->total += frame->bytes[i];
    observer->op(observer->self, frame);
}

/* What is alive while a scene is played beside its own buffers, of what passes. */
static rk_i128 passing_in(const rk_building_showing *f, rk_stage stage)
{
    return stage == RK_STAGE_FORWARD || stage == RK_STAGE_LOSS ? f->before : 0;
}

static void see_scene(void *self, const rk_scene *s)
{
    const rk_building_showing *f = self;
    rk_observed_op frame = {
        .act = act_of[s->stage], .op = &f->b->p->op[s->op], .layer = s->layer, .n_layer = s->n_layer};

    memcpy(frame.bytes, f->fixed, sizeof frame.bytes);
    for (size_t i = 0; i < RK_N_LIVE; i++)
        frame.bytes[rk_building_class_of[i]] += s->bytes[i];
    frame.bytes[RK_ALIVE_PASSING] += passing_in(f, s->stage);
    show(f, &frame);
}

static bool passes_over_scene(void *self, rk_stage stage, uint32_t layer, rk_i128 sum)
{
    const rk_building_showing *f = self;
    const rk_observer *observer = &f->b->o->observer;

    return observer->passes_over(observer->self, act_of[stage], layer, f->standing + passing_in(f, stage) + sum);
}

rk_watcher rk_building_watcher(rk_building_showing *f, const rk_building *b)
{
    *f = (rk_building_showing){.b = b, .before = rk_building_output_before(b)};
    f->fixed[RK_ALIVE_WEIGHTS] = b->m->held_weights;
    f->fixed[RK_ALIVE_OPTIMIZER] = b->m->held_optimizer;
    f->fixed[RK_ALIVE_WORKSPACE] = rk_profile_workspaces(&b->o->profile, b->train);
    f->fixed[RK_ALIVE_GRADIENTS] = b->m->held_buckets + (rk_building_in_passes(b) ? b->m->held_gradients : 0);
    for (size_t i = 0; i < RK_N_ALIVE; i++)
        f->standing += f->fixed[i];
    return (rk_watcher){
        .op = see_scene, .passes_over = b->o->observer.passes_over ? passes_over_scene : NULL, .self = f};
}

/* Whether who wants to see the timeline sees the walk that finds the peak: where that is the only one, and known. */
bool rk_building_shows_walk(const rk_building *b)
{
    return b->o->brief && !b->o->unnamed && b->o->observer.op && !rk_building_in_buckets(b);
}

/* ---- the allocator ---------------------------------------------------------------------------------------------- */

typedef struct listening {
    rk_building *b;
    const rk_step *step;
    struct buffer_name {
        const char *path, *what;
    } * name; /* of each buffer that was born */
} listening;

static void show_event(void *self, const rk_reserve_event *e)
{
    listening *x = self;
    const rk_task *t = e->event.task;
    struct buffer_name *name = &x->name[e->event.buffer];

    if (!name->path)
        rk_building_name_buffer(x->b, x->step, e->event.buffer, &name->path, &name->what);
    x->b->o->observer.event(x->b->o->observer.self,
                            &(rk_observed_event){.born = e->event.born,
                                                 .birth = e->birth,
                                                 .act = !t                          ? RK_ACT_OPTIMIZER
                                                        : t->stage != RK_STAGE_NONE ? act_of[t->stage]
                                                        : e->event.backward         ? RK_ACT_BACKWARD
                                                                                    : RK_ACT_FORWARD,
                                                 .op = t && t->op != RK_NONE ? &x->b->p->op[t->op] : NULL,
                                                 .layer = e->event.layer,
                                                 .n_layer = e->event.n_layer,
                                                 .kind = rk_building_class_of[e->event.as],
                                                 .path = name->path ? name->path : "",
                                                 .what = name->what,
                                                 .bytes = e->event.bytes});
}

/* Whether weights and their gradients are buffers of their own, of units or of buckets: not pieces of flat ones. */
static bool is_plain(const rk_building *b)
{
    bool copies = b->o->layout && b->o->layout->size[RK_MESH_DDP] > 1;

    return !((b->gathers || copies) && b->o->passes > 1) && !rk_building_cuts_rows(b) &&
           !rk_building_has_main_gradients(b) && b->o->offload == 0 &&
           !(copies && (rk_layout_is_flat(b->o->layout) || rk_building_is_pipeline(b)));
}

/* Operations that a step runs forward, of all micro-batches. */
static size_t forward_ops(const rk_building *b)
{
    size_t n = b->step.n_stage > 0 ? 0 : b->step.list[b->step.forward].n_op;

    for (size_t i = 0; i < b->step.n_stage; i++)
        n += b->step.list[b->step.stage[i].forward].n_op * b->schedule.n_micro;
    return n;
}

/* Of each weight: the optimizer makes a gradient of its own for it. */
static const bool *converted_weights(rk_building *b, rk_arena *a)
{
    bool *out = RK_NEW_ARRAY(a, b->p->n_weight + 1, bool);

    if (!out)
        rk_building_fail(b);
    for (size_t i = 0; out && i < b->p->n_weight; i++)
        out[i] = rk_building_is_converted(b, &b->p->weight[i]);
    return out;
}

/* The steps once more, as the framework takes them: buffers are not rounded, since the allocator does that. */
void rk_building_find_reserve(rk_building *b)
{
    rk_step_options first = rk_building_step_options(b, false), later = rk_building_step_options(b, true);
    rk_arena a = {0};
    rk_step step = {0}, alone = {0};
    rk_reserve_options o = {.instance = b->x,
                            .profile = &b->o->profile,
                            .storage = &b->m->storage,
                            .first = &alone,
                            .step = &step,
                            .reduces = &b->step,
                            .units = b->gathers ? &b->units : NULL,
                            .stored = rk_building_stored_bytes(b),
                            .own = b->own,
                            .train = b->train,
                            .adds_up = rk_building_adds_up(b),
                            .drops_outputs = b->o->layout && b->o->layout->drop_outputs && !rk_building_is_pipeline(b),
                            .optimizer = b->o->optimizer,
                            .bytes = b->o->bytes,
                            .master = b->o->master,
                            .gradient = b->o->gradient};
    listening x = {.b = b, .step = &step};

    if (b->code != RK_OK || !is_plain(b) || b->o->profile.piece == 0 || !b->o->allocator || b->o->recipe ||
        forward_ops(b) > RK_RESERVE_OPS_MAX)
        return;
    o.converted = converted_weights(b, &a);
    if (b->o->observer.event) {
        o.event = show_event;
        o.self = &x;
    }
    first.rounding = later.rounding = 1;
    first.detailed = later.detailed = !rk_building_is_pipeline(b); /* stages are run in the order of the schedule */
    b->code = rk_step_new(&a, b->x, &b->places, &b->flow, &later, &step, b->err);
    if (b->code == RK_OK && b->train)
        b->code = rk_step_new(&a, b->x, &b->places, &b->flow, &first, &alone, b->err);
    x.name = RK_NEW_ARRAY(&a, step.n_buffer + 1, struct buffer_name);
    if (b->code == RK_OK && !x.name)
        rk_building_fail(b);
    if (b->code == RK_OK)
        b->code = rk_reserve_find(&o, &b->m->reserve, b->err);
    rk_arena_free(&a);
}

/* One walk more, for who wants to see it; the largest frame is the peak. */
void rk_building_show_timeline(rk_building *b)
{
    rk_building_showing f;
    rk_watcher watcher = rk_building_watcher(&f, b);
    rk_observed_op step = {.act = RK_ACT_OPTIMIZER};
    rk_timeline unused;

    if (b->code != RK_OK || !b->o->observer.op)
        return;
    if (!rk_building_shows_walk(b))
        b->code = rk_timeline_new(&b->m->arena, &b->step, &watcher, NULL, false, &unused, b->err);
    memcpy(step.bytes, f.fixed, sizeof step.bytes);
    step.bytes[RK_ALIVE_GRADIENTS] = b->m->held_buckets + rk_building_gradients_in_step(b);
    step.bytes[RK_ALIVE_PASSING] = b->m->spare + rk_building_output_in_step(b);
    if (b->code == RK_OK && memcmp(step.bytes, f.fixed, sizeof step.bytes) != 0)
        show(&f, &step);
}
