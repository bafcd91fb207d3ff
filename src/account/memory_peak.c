/* SPDX-License-Identifier: MIT */
#include "account/memory_build.h"

#include "account/moment.h"
#include "account/serve.h"

static void put_alive(rk_building *b, rk_alive kind, const char *path, const char *what, rk_i128 bytes, rk_i128 times)
{
    rk_building_add_row(b, &b->m->alive,
                        (rk_memory_row){.kind = kind, .path = path, .what = what, .bytes = bytes, .times = times});
}

static void put_moment(rk_building *b, const rk_moment *at)
{
    for (size_t i = 0; i < b->places.n_buffer && b->code == RK_OK; i++)
        if (at->buffers[i])
            put_alive(b, RK_ALIVE_PASSING, rk_building_buffer_path(b, &b->places.buffer[i]), b->places.buffer[i].what,
                      b->step.bytes[i], (rk_i128)at->buffers[i]);
    for (size_t i = 0; i < b->p->n_tensor && b->code == RK_OK; i++) {
        const rk_tensor *x = &b->p->tensor[i];
        const char *name = x->kind == RK_TENSOR_WEIGHT ? b->p->weight[x->weight].pattern : x->name;
        bool made = x->kind == RK_TENSOR_RESULT && x->producer != RK_NONE; /* not what a recurrence reads before */
        uint32_t part = made ? b->p->op[x->producer].part : 0;

        for (size_t k = 0; x->kind == RK_TENSOR_CACHED && k < b->p->n_keep; k++)
            part = b->p->keep[k].tensor == i ? b->p->keep[k].part : part;
        if (at->gradients[i])
            put_alive(b, RK_ALIVE_FLOWING, rk_building_path(b, part, name), "gradient",
                      b->step.bytes[b->step.n_place + i], (rk_i128)at->gradients[i]);
        if (at->caches[i])
            put_alive(b, RK_ALIVE_CACHE, rk_building_path(b, part, name), "cache", b->cache[i], (rk_i128)at->caches[i]);
    }
}

static void put_fixed(rk_building *b, bool moments, bool gradients, bool in_step)
{
    const rk_profile *p = &b->o->profile;
    rk_i128 workspaces = moments ? p->workspaces_backward : p->workspaces_forward;

    put_alive(b, RK_ALIVE_WEIGHTS, "weights", NULL, b->weights, 1);
    if (moments)
        put_alive(b, RK_ALIVE_OPTIMIZER, "optimizer", NULL, b->moments, b->moments > 0);
    if (gradients)
        put_alive(b, RK_ALIVE_GRADIENTS, "gradients", NULL, b->weight_gradients, 1);
    if (gradients)
        put_alive(b, RK_ALIVE_OPTIMIZER, "optimizer", "in its step", b->m->spare, in_step && b->m->spare > 0);
    put_alive(b, RK_ALIVE_WORKSPACE, "workspace", NULL, p->workspace, p->workspace > 0 ? workspaces : 0);
}

/* Chunk by chunk, no output is ever there as a whole. */
rk_i128 rk_building_output_bytes(const rk_building *b)
{
    rk_i128 n = 0;

    for (size_t i = 0; !b->chunk.region && i < b->p->n_output; i++)
        n += b->step.bytes[b->step.n_place + b->p->output[i]];
    return n;
}

static void name_peak(rk_building *b, const char *during, const rk_moment *at)
{
    b->m->peak_during = during;
    b->m->peak_path =
        at && at->op != RK_NONE ? rk_building_path(b, b->p->op[at->op].part, b->p->op[at->op].name) : NULL;
}

/* What is there throughout a step. */
static rk_i128 standing(const rk_building *b)
{
    return b->weights + b->moments + rk_profile_workspaces(&b->o->profile, true) +
           (rk_building_adds_up(b) ? b->weight_gradients : 0);
}

/* In the optimizer's step someone still has the output. */
static rk_i128 step_bytes(const rk_building *b)
{
    return b->weights + b->moments + rk_profile_workspaces(&b->o->profile, true) + b->weight_gradients + b->m->spare +
           rk_building_output_bytes(b);
}

/* A step after the first: the optimizer's state is there, and the output of the step before until a new one is. */
static void find_train_peak(rk_building *b)
{
    rk_memory *m = b->m;
    const rk_profile *p = &b->o->profile;
    rk_i128 later = rk_profile_workspaces(p, true) - rk_profile_workspaces(p, false);
    rk_i128 base = standing(b), step = step_bytes(b), before = base - b->moments;
    rk_i128 forward = base + b->held.forward.bytes + rk_building_output_bytes(b),
            backward = base + b->held.backward.bytes;

    m->first_forward = before - later + b->alone.forward.bytes;
    m->first_backward = before + b->alone.backward.bytes;
    m->first_optimizer = step - rk_building_output_bytes(b);
    m->pass = backward > forward ? backward : forward;
    m->peak = step > m->pass ? step : m->pass;
    put_fixed(b, true, m->peak == step || rk_building_adds_up(b), m->peak == step);
    if (m->peak == step) {
        name_peak(b, "the optimizer's step", NULL);
        put_alive(b, RK_ALIVE_PASSING, "output", "of this step", rk_building_output_bytes(b),
                  rk_building_output_bytes(b) > 0);
    } else if (m->peak == backward) {
        name_peak(b, "the backward pass", &b->held.backward);
        put_moment(b, &b->held.backward);
    } else {
        name_peak(b, "the forward pass", &b->held.forward);
        put_alive(b, RK_ALIVE_PASSING, "output", "of the step before", rk_building_output_bytes(b), 1);
        put_moment(b, &b->held.forward);
    }
}

static rk_ex output_formula(rk_building *b)
{
    rk_run_options run = rk_building_run(b);
    rk_ex sum = rk_ex_int(b->pool, 0);

    for (size_t i = 0; !b->chunk.region && i < b->p->n_output; i++) {
        const rk_tensor *t = &b->p->tensor[b->p->output[i]];
        rk_ex bytes = rk_ex_int(b->pool, rk_type_bytes(b->places.tensor[b->p->output[i]].type, &run));

        sum = rk_ex_add(b->pool, sum, rk_ex_mul(b->pool, bytes, rk_ixs_count(b->pool, &t->axes)));
    }
    return sum;
}

/* Whether an output has all places of a sequence, of which the last one is made. */
static bool has_places(const rk_building *b, uint32_t tensor, rk_ex places)
{
    const rk_ixs *axes = &b->p->tensor[tensor].axes;

    for (size_t i = 0; places != RK_EX_FAILED && i < axes->n; i++)
        if (axes->at[i].size == places)
            return true;
    return false;
}

/* The output of each sequence's last place. */
static void find_logits(rk_building *b)
{
    rk_ex places = rk_building_new_tokens(b), all = output_formula(b);
    bool one = b->p->n_output > 0 && has_places(b, b->p->output[0], places);

    b->m->logits_formula = one ? rk_ex_div(b->pool, all, places) : all;
    b->m->logits = rk_building_value(b, b->m->logits_formula);
    b->m->positions = b->code == RK_OK ? rk_serve_positions(b->instance) : 0;
}

static void find_infer_peak(rk_building *b)
{
    find_logits(b);
    b->m->peak = b->m->pass = b->weights + rk_profile_workspaces(&b->o->profile, false) + b->held.forward.bytes;
    put_fixed(b, false, false, false);
    name_peak(b, "the forward pass", &b->held.forward);
    put_moment(b, &b->held.forward);
}

/* ---- the moments that could be the peak ------------------------------------------------------------------------- */

static const char *const stretch_text[RK_N_STRETCH] = {
    [RK_STRETCH_HEAD] = "the backward pass before the layers",
    [RK_STRETCH_LAST] = "the backward pass of the last layer",
    [RK_STRETCH_MIDDLE] = "the backward pass of other layers",
    [RK_STRETCH_FIRST] = "the backward pass of the first layer",
    [RK_STRETCH_FOOT] = "the backward pass behind the layers",
};

/* What is alive throughout, as a formula. */
static rk_ex fixed_formula(rk_building *b)
{
    rk_ex workspace = rk_ex_int(b->pool, rk_profile_workspaces(&b->o->profile, b->o->phase == RK_PHASE_TRAIN));

    if (rk_building_adds_up(b) && b->o->phase == RK_PHASE_TRAIN)
        workspace = rk_ex_add(b->pool, workspace, b->m->gradients_formula);
    return rk_ex_add(b->pool, workspace, rk_ex_add(b->pool, b->m->parameters_formula, b->m->optimizer_formula));
}

/* Largest first; of equal ones the one that was there first. */
static void put_moment_sorted(rk_building *b, rk_memory_moment x)
{
    rk_memory *m = b->m;
    size_t i = m->n_moment++;

    x.extra = x.bytes - rk_building_value(b, x.formula);
    for (; i > 0 && m->moment[i - 1].bytes < x.bytes; i--)
        m->moment[i] = m->moment[i - 1];
    m->moment[i] = x;
}

static void add_moment(rk_building *b, const char *during, const rk_moment *at, rk_i128 base, rk_ex besides)
{
    rk_step_options o = rk_building_step_options(b, true);
    rk_moment_terms t = {.instance = b->instance,
                         .places = &b->places,
                         .step = &b->step,
                         .run = o.run,
                         .one_of = o.places,
                         .chunk = o.chunk,
                         .cache = b->cache_each};
    rk_ex formula = RK_EX_FAILED;

    if (b->code != RK_OK || at->bytes == 0)
        return;
    b->code = rk_moment_formula(&t, at, &formula, b->err);
    put_moment_sorted(
        b, (rk_memory_moment){
               .during = during,
               .path = at->op == RK_NONE ? NULL : rk_building_path(b, b->p->op[at->op].part, b->p->op[at->op].name),
               .bytes = base + at->bytes,
               .formula = rk_ex_add(b->pool, besides, formula)});
}

static void add_moments(rk_building *b)
{
    bool train = b->o->phase == RK_PHASE_TRAIN;
    rk_i128 base = train ? standing(b) : b->weights + rk_profile_workspaces(&b->o->profile, false);
    rk_ex fixed = fixed_formula(b),
          gradients = rk_building_adds_up(b) ? rk_ex_int(b->pool, 0) : b->m->gradients_formula;
    rk_ex in_step = rk_ex_add(b->pool, rk_ex_add(b->pool, fixed, gradients), output_formula(b));

    add_moment(b, "the forward pass", &b->held.forward, base + (train ? rk_building_output_bytes(b) : 0),
               train ? rk_ex_add(b->pool, fixed, output_formula(b)) : fixed);
    for (size_t i = 0; train && i < RK_N_STRETCH; i++)
        add_moment(b, stretch_text[i], &b->held.stretch[i], base, fixed);
    if (train && b->code == RK_OK)
        put_moment_sorted(b, (rk_memory_moment){.during = "the optimizer's step",
                                                .bytes = step_bytes(b),
                                                .formula = rk_ex_add(b->pool, in_step,
                                                                     rk_ex_add(b->pool, b->spare_sum, b->spare_most))});
}

void rk_building_find_peak(rk_building *b)
{
    if (b->o->phase == RK_PHASE_TRAIN)
        find_train_peak(b);
    else
        find_infer_peak(b);
    if (!b->o->recipe) /* who compiles a peak has no use for its formulas */
        add_moments(b);
}
