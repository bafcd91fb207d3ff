/* SPDX-License-Identifier: MIT */
#include "account/memory_build.h"

#include <string.h>

rk_i128 rk_building_value(rk_building *b, rk_ex e)
{
    rk_i128 n = 0;

    if (b->code == RK_OK)
        b->code = rk_ex_eval(b->pool, e, &b->at, &n, b->err);
    return n;
}

rk_ex rk_building_times_bytes(rk_building *b, rk_ex count, int bytes)
{
    return rk_ex_mul(b->pool, rk_ex_int(b->pool, bytes), count);
}

rk_i128 rk_building_rounded(const rk_building *b, rk_i128 bytes)
{
    rk_i128 unit = b->o->profile.rounding;

    return (bytes + unit - 1) / unit * unit;
}

/* Where questions to the numbers are noted, or NULL. */
rk_asked *rk_building_asked(const rk_building *b)
{
    return b->o->recipe ? &b->o->recipe->asked : NULL;
}

void rk_building_add_row(rk_building *b, rk_memory_rows *rows, rk_memory_row row)
{
    rk_memory_row *slot = row.times > 0 ? RK_PUSH(&b->m->arena, rows) : NULL;

    if (row.times <= 0)
        return;
    if (slot)
        *slot = row;
    else
        b->code = b->code == RK_OK ? rk_fail_memory(b->err) : b->code;
}

/* How many tokens of each sequence a run adds to what is kept; RK_EX_FAILED: nothing is. */
rk_ex rk_building_new_tokens(const rk_building *b)
{
    for (size_t i = 0; i < b->p->n_keep; i++)
        if (!b->p->keep[i].once)
            return b->p->keep[i].over_size;
    return RK_EX_FAILED;
}

rk_run_options rk_building_run(const rk_building *b)
{
    const rk_memory_options *o = b->o;

    return (rk_run_options){.bytes = o->bytes, .profile = &o->profile, .eighths = o->eighths};
}

rk_step_options rk_building_step_options(const rk_building *b, bool hold)
{
    const rk_memory_options *o = b->o;
    bool train = o->phase == RK_PHASE_TRAIN;

    return (rk_step_options){
        .run = rk_building_run(b),
        .backward = train,
        .loss = train && o->loss,
        .hold_output = hold,
        .again = o->again,
        .chunk = b->chunk.region ? &b->chunk : NULL,
        .adds_up = rk_building_adds_up(b),
        .rounding = o->profile.rounding,
        .cache = train ? NULL : b->cache,
        .cache_each = train ? NULL : b->cache_each,
        .places = train ? RK_EX_FAILED : rk_building_new_tokens(b),
        .carried = o->phase == RK_PHASE_DECODE,
        .unpacks = train ? b->unpacks : NULL,
    };
}

static void walk(rk_building *b, bool hold, rk_step *step, rk_timeline *out)
{
    rk_step_options o = rk_building_step_options(b, hold);

    o.run.asked = rk_building_asked(b);
    o.census = hold && b->o->recipe ? &b->o->recipe->census : NULL;
    if (b->code == RK_OK)
        b->code = rk_step_new(&b->m->arena, b->instance, &b->places, &b->flow, &o, step, b->err);
    if (b->code == RK_OK)
        b->code = rk_timeline_new(&b->m->arena, step, NULL, o.census, out, b->err);
}

/* ---- the film --------------------------------------------------------------------------------------------------- */

/* What is alive beside the buffers of the timeline; the largest frame is the peak. */
static rk_film film_of(const rk_building *b)
{
    bool train = b->o->phase == RK_PHASE_TRAIN;
    rk_film f = {.instance = b->instance,
                 .step = &b->step,
                 .before = train ? rk_building_output_bytes(b) : 0,
                 .viewer = b->o->viewer};

    f.fixed[RK_ALIVE_WEIGHTS] = b->weights;
    f.fixed[RK_ALIVE_OPTIMIZER] = train ? b->moments : 0;
    f.fixed[RK_ALIVE_WORKSPACE] = rk_profile_workspaces(&b->o->profile, train);
    f.fixed[RK_ALIVE_GRADIENTS] = train && rk_building_adds_up(b) ? b->weight_gradients : 0;
    f.update[RK_ALIVE_GRADIENTS] = train && !rk_building_adds_up(b) ? b->weight_gradients : 0;
    f.update[RK_ALIVE_PASSING] = train ? b->m->spare + rk_building_output_bytes(b) : 0;
    return f;
}

static void show_film(rk_building *b)
{
    rk_film f = film_of(b);

    if (b->code == RK_OK && b->o->viewer.see)
        b->code = rk_film_show(&b->m->arena, &f, b->err);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

/* Numbers of which a recipe knows no expression: how many layers there are, and rows that blocks must fit. */
static void pin_numbers(rk_building *b)
{
    rk_recipe *r = b->o->recipe;

    for (uint32_t g = 0; g < b->p->n_group; g++)
        rk_recipe_pin(r, rk_group_times(b->pool, b->p, g), rk_building_value(b, rk_group_times(b->pool, b->p, g)));
    for (size_t i = 0; b->m->holding.packed && i < b->p->n_weight; i++)
        for (size_t k = 0; b->m->holding.packed[i] && k < b->p->weight[i].n_dim; k++)
            rk_recipe_pin(r, b->p->weight[i].dim[k], rk_building_value(b, b->p->weight[i].dim[k]));
    for (size_t i = 0; rk_number_block(b->o->cache) > 1 && i < b->m->carried.n; i++) {
        const rk_ixs *axes = &b->p->tensor[b->m->carried.at[i].tensor].axes;

        if (axes->n > 0)
            rk_recipe_pin(r, axes->at[axes->n - 1].size, rk_building_value(b, axes->at[axes->n - 1].size));
    }
}

static void finish_recipe(rk_building *b)
{
    rk_recipe *r = b->o->recipe;

    if (!r || b->code != RK_OK)
        return;
    pin_numbers(b);
    for (size_t i = 0; b->o->phase == RK_PHASE_TRAIN && !b->chunk.region && i < b->p->n_output; i++)
        rk_recipe_add(r, RK_HELD_OUTPUT, r->census.size.at[r->census.of_buffer[b->step.n_place + b->p->output[i]]], 1);
}

/* What does not depend on the run, for those who divide it over devices. */
static void note_held(rk_building *b)
{
    b->m->held_weights = b->weights;
    b->m->held_gradients = b->weight_gradients;
    b->m->held_optimizer = b->moments;
    b->m->output = b->o->phase == RK_PHASE_TRAIN ? rk_building_output_bytes(b) : 0;
}

static void note_recomputed(rk_building *b)
{
    bool *recomputed = RK_NEW_ARRAY(&b->m->arena, b->p->n_op + 1, bool);

    for (size_t i = 0; recomputed && i < b->step.n_task; i++)
        if (b->step.task[i].kind == RK_TASK_RECOMPUTE) {
            recomputed[b->step.task[i].op] = true;
            b->m->n_recomputed++;
        }
    b->m->recomputed = recomputed;
    b->code = recomputed ? b->code : rk_fail_memory(b->err);
}

static void build(rk_building *b)
{
    rk_run_options run = rk_building_run(b), noted = run;

    noted.asked = rk_building_asked(b);
    b->code = rk_flow_new(&b->m->arena, b->p, &b->flow, b->err);
    if (b->code == RK_OK)
        b->code = rk_places_new(&b->m->arena, b->instance, &b->flow, &noted, &b->places, b->err);
    if (b->code == RK_OK)
        b->code = rk_chunk_new(&b->m->arena, b->instance, &b->flow, b->o->chunk, rk_building_asked(b), &b->places,
                               &b->chunk, b->err);
    rk_building_add_weights(b);
    rk_building_add_caches(b);
    walk(b, true, &b->step, &b->held);
    if (b->o->phase == RK_PHASE_TRAIN && !b->o->recipe)
        walk(b, false, &(rk_step){0}, &b->alone);
    if (b->code != RK_OK)
        return;
    note_held(b);
    note_recomputed(b);
    rk_building_add_kept(b);
    rk_building_find_peak(b);
    if (b->code == RK_OK && b->o->phase == RK_PHASE_TRAIN && !b->o->profile.by_hand && !b->o->recipe)
        b->code = rk_variants_new(&b->m->arena, b->instance, &b->flow, &run, &b->places, &b->m->kept_for, b->err);
    show_film(b);
    finish_recipe(b);
}

int rk_memory_new(const rk_instance *x, const rk_memory_options *o, rk_memory **out, rk_err *err)
{
    rk_memory *m = rk_heap_alloc(sizeof *m);
    rk_building b = {.m = m, .instance = x, .p = x->program, .pool = x->pool, .at = x->at, .o = o, .err = err};

    if (!m)
        return rk_fail_memory(err);
    memset(m, 0, sizeof *m);
    m->instance = x;
    m->model = x->model;
    m->options = *o;
    b.spare_sum = b.spare_most = rk_ex_int(b.pool, 0);
    build(&b);
    if (b.code != RK_OK) {
        rk_memory_free(m);
        return b.code;
    }
    *out = m;
    return RK_OK;
}

void rk_memory_free(rk_memory *m)
{
    if (!m)
        return;
    rk_arena_free(&m->arena);
    rk_heap_free(m);
}
