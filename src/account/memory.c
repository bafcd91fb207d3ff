/* SPDX-License-Identifier: MIT */
#include "account/building.h"

#include "account/serve.h"
#include "model/gloss.h"

/* Whether micro-batches are run in turn, by the stages of one device. */
bool rk_building_is_pipeline(const rk_building *b)
{
    return b->schedule.n > 0;
}

void rk_building_fail(rk_building *b)
{
    b->code = b->code == RK_OK ? rk_fail_memory(b->err) : b->code;
}

rk_i128 rk_building_value(rk_building *b, rk_ex e)
{
    return rk_instance_value(b->x, e, &b->code, b->err);
}

/* Bytes of so many numbers. */
rk_ex rk_building_in_bytes(rk_building *b, rk_ex count, int bytes)
{
    return rk_ex_mul(b->pool, rk_ex_int(b->pool, bytes), count);
}

rk_i128 rk_building_rounded(const rk_building *b, rk_i128 bytes)
{
    rk_i128 unit = b->o->profile.rounding;

    if (b->o->layout)
        return rk_profile_block(&b->o->profile, bytes);
    return (bytes + unit - 1) / unit * unit;
}

void rk_building_add_row(rk_building *b, rk_memory_rows *rows, rk_memory_row row)
{
    rk_memory_row *slot = row.times > 0 ? RK_PUSH(&b->m->arena, rows) : NULL;

    if (slot)
        *slot = row;
    else if (row.times > 0)
        rk_building_fail(b);
}

const char *rk_building_row_path(rk_building *b, uint32_t part, const char *name)
{
    const char *path = rk_row_path(&b->m->arena, b->p, part, name);

    if (!path)
        rk_building_fail(b);
    return path;
}

/* Where sums alone are wanted, nobody reads it. */
const char *rk_building_gloss(rk_building *b, uint32_t op, uint32_t tensor, const char *what)
{
    const char *text;

    if (b->o->unnamed || (b->o->recipe && b->o->recipe->sums_alone))
        return NULL;
    text = rk_gloss(&b->m->arena, b->pool, b->p, op, tensor, what);
    if (!text)
        rk_building_fail(b);
    return text;
}

const char *rk_building_op_path(rk_building *b, uint32_t op)
{
    return op == RK_NONE ? NULL : rk_building_row_path(b, b->p->op[op].part, b->p->op[op].name);
}

/* ---- the cache, and what is saved for the backward pass ---------------------------------------------------------- */

static void add_caches(rk_building *b)
{
    rk_caches *all = &b->m->carried;

    b->cache = RK_NEW_ARRAY(&b->m->arena, b->p->n_tensor + 1, rk_i128);
    b->cache_each = RK_NEW_ARRAY(&b->m->arena, b->p->n_tensor + 1, rk_ex);
    if (!b->cache || !b->cache_each)
        rk_building_fail(b);
    if (b->code != RK_OK || b->train)
        return;
    b->code = rk_caches_new(&b->m->arena, b->x, &b->places, &b->run, b->o->cache, all, b->err);
    for (size_t i = 0; i < all->n && b->code == RK_OK; i++) {
        const rk_cache *c = &all->at[i];

        b->cache[c->tensor] = rk_building_rounded(b, c->bytes);
        b->cache_each[c->tensor] = c->each;
        rk_building_add_row(b, &b->m->caches,
                            (rk_memory_row){.kind = RK_ALIVE_CACHE,
                                            .path = c->path,
                                            .what = c->kind == RK_CACHE_ALL ? NULL : rk_cache_kind_text[c->kind],
                                            .layers = c->layers,
                                            .formula = c->each,
                                            .bytes = c->bytes,
                                            .times = c->n_layer});
    }
    b->m->cache_formula = all->bytes;
    b->m->cache = rk_building_value(b, all->bytes);
}

const char *rk_building_buffer_path(rk_building *b, const rk_buffer *x)
{
    return x->op != RK_NONE ? rk_building_op_path(b, x->op)
                            : rk_building_row_path(b, 0, x->what ? NULL : b->p->tensor[x->tensor].name);
}

/* n of the layers of a group, in terms of how many there are. */
rk_ex rk_building_layers_of(rk_building *b, uint32_t group, uint64_t n)
{
    rk_ex times = rk_group_times(b->pool, b->p, group);

    return rk_ex_add(b->pool, times, rk_ex_int(b->pool, (rk_i128)n - rk_building_value(b, times)));
}

static void add_kept(rk_building *b)
{
    rk_memory *m = b->m;

    for (size_t i = 0; i < b->places.n_buffer && b->code == RK_OK; i++) {
        const rk_buffer *x = &b->places.buffer[i];
        uint64_t n = b->held.saved[i];
        rk_ex each, all;

        if (n == 0)
            continue;
        each = rk_building_in_bytes(b, x->count, rk_type_bytes(x->type, &b->run));
        all = rk_ex_mul(b->pool, rk_building_layers_of(b, x->group, n), each);
        m->saved_formula = rk_ex_add(b->pool, m->saved_formula, all);
        rk_building_add_row(b, &m->saved_rows,
                            (rk_memory_row){.kind = RK_ALIVE_SAVED,
                                            .path = rk_building_buffer_path(b, x),
                                            .what = x->what,
                                            .gloss = rk_building_gloss(b, x->op, x->tensor, x->what),
                                            .op = x->op,
                                            .each = rk_type_bytes(x->type, &b->run),
                                            .type = rk_building_type_word(b, x->type),
                                            .all = all,
                                            .buffer = (uint32_t)i,
                                            .owner = x->op == RK_NONE ? RK_OWNER_REST : b->owners.op[x->op],
                                            .formula = each,
                                            .bytes = rk_building_value(b, each),
                                            .times = (rk_i128)n});
    }
    m->saved = rk_building_value(b, m->saved_formula);
}

/* ---- the output ------------------------------------------------------------------------------------------------- */

rk_ex rk_building_output_bytes(rk_building *b, uint32_t t)
{
    return rk_building_in_bytes(b, rk_ixs_count(b->pool, &b->p->tensor[t].axes),
                                rk_type_bytes(b->places.tensor[t].type, &b->run));
}

/*
 * What a pipeline leaves when all its micro-batches have been run, beside gradients of weights: buffers for what comes
 * in, inputs, and outputs that the caller keeps.
 */
static void add_left(rk_building *b)
{
    rk_ex micro = rk_ex_int(b->pool, b->schedule.n_micro), all = rk_ex_int(b->pool, 0);
    const rk_program_stage *last = &b->p->stage[b->p->n_stage - 1];
    bool ends = last->number + 1 == b->schedule.n_all;

    for (size_t i = 0; i < b->p->n_input; i++) {
        bool twice = b->schedule.halves && b->p->tensor[b->p->input[i]].incoming; /* its gradient stays, too */

        all = rk_ex_add(b->pool, all,
                        rk_building_in_bytes(b, rk_building_output_bytes(b, b->p->input[i]), twice ? 2 : 1));
    }
    for (size_t i = 0; i < b->p->n_output; i++)
        if (!(ends && b->p->tensor[b->p->output[i]].producer >= last->first && b->o->layout->drop_outputs))
            all = rk_ex_add(b->pool, all, rk_building_output_bytes(b, b->p->output[i]));
    b->output = rk_ex_mul(b->pool, micro, all);
    b->m->output = b->held.after_backward - (rk_building_in_passes(b) ? 0 : b->m->held_gradients);
}

/* Chunk by chunk, no output is ever there as a whole. */
static void add_output(rk_building *b)
{
    rk_ex one = rk_ex_int(b->pool, 1);

    if (rk_building_is_pipeline(b)) {
        add_left(b);
        return;
    }
    for (size_t i = 0; !b->chunk.region && !(b->o->layout && b->o->layout->drop_outputs) && i < b->p->n_output; i++) {
        rk_ex each = rk_building_output_bytes(b, b->p->output[i]);

        if (b->train)
            b->m->output += rk_building_hold(b, RK_HELD_OUTPUT, one, each, &b->output);
        else
            b->output = rk_ex_add(b->pool, b->output, each);
    }
}

/* Of an output that has all places of a sequence, the last one is made; what is given beside it may have none. */
static rk_ex last_place(rk_building *b, uint32_t t, rk_ex places)
{
    const rk_ixs *axes = &b->p->tensor[t].axes;

    for (size_t i = 0; places != RK_EX_FAILED && i < axes->n; i++)
        if (axes->at[i].size == places)
            return rk_ex_div(b->pool, rk_building_output_bytes(b, t), places);
    return rk_building_output_bytes(b, t);
}

static void find_logits(rk_building *b)
{
    rk_ex places = rk_keep_fresh(b->p);

    b->m->logits_formula = rk_ex_int(b->pool, 0);
    for (size_t i = 0; !b->chunk.region && i < b->p->n_output; i++)
        b->m->logits_formula = rk_ex_add(b->pool, b->m->logits_formula, last_place(b, b->p->output[i], places));
    b->m->logits = rk_building_value(b, b->m->logits_formula);
    b->m->positions = b->code == RK_OK ? rk_serve_positions(b->x) : 0;
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static void pin(rk_building *b, rk_ex e)
{
    rk_conditions_equal(b->conditions, e, rk_ex_int(b->pool, rk_building_value(b, e)), true);
}

/* Numbers of which a recipe knows no expression: how many layers there are, and rows that blocks must fit. */
static void pin_numbers(rk_building *b)
{
    const rk_memory *m = b->m;

    for (uint32_t g = 0; g < b->p->n_group; g++)
        pin(b, rk_group_times(b->pool, b->p, g));
    for (size_t i = 0; rk_building_in_buckets(b) && i < b->p->n_weight; i++) /* which gradients lie together */
        pin(b, b->p->weight[i].count);
    for (size_t i = 0; m->storage.packed && i < b->p->n_weight; i++)
        for (size_t k = 0; m->storage.packed[i] && k < b->p->weight[i].n_dim; k++)
            pin(b, b->p->weight[i].dim[k]);
    for (size_t i = 0; rk_number_block(b->o->cache) > 1 && i < m->carried.n; i++) {
        const rk_ixs *axes = &b->p->tensor[m->carried.at[i].tensor].axes;

        if (axes->n > 0)
            pin(b, axes->at[axes->n - 1].size);
    }
}

static void find_schedule(rk_building *b)
{
    if (b->code != RK_OK || b->p->n_stage == 0)
        return;
    if (!b->train)
        b->code = rk_fail(b->err, RK_EUSAGE, "--layout pp: micro-batches go through a pipeline in training steps");
    else
        b->code = rk_schedule_new(&b->m->arena, b->o->layout, &b->schedule, b->err);
}

static void build(rk_building *b)
{
    rk_run_options noted = b->run;

    noted.conditions = b->conditions;
    b->code = rk_flow_new(&b->m->arena, b->p, &b->flow, b->err);
    if (b->code == RK_OK)
        b->code = rk_places_new(&b->m->arena, b->x, &b->flow, &noted, &b->places, b->err);
    if (b->code == RK_OK)
        b->code = rk_chunk_new(&b->m->arena, b->x, &b->flow, b->o->chunk, b->conditions, &b->places, &b->chunk, b->err);
    if (b->code == RK_OK)
        b->code = rk_owners_find(&b->m->arena, b->p, &b->x->model->roles, &b->owners, b->err);
    if (b->code == RK_OK && b->train)
        b->code = rk_recomputed_ops_find(&b->m->arena, b->x->model, &b->o->recompute_ops, &b->recomputed, b->err);
    b->gathers = rk_layout_gathers(b->o->layout);
    if (b->code == RK_OK && b->gathers)
        b->code = rk_units_new(&b->m->arena, b->x, b->o->layout, &b->units, b->err);
    rk_building_add_weights(b);
    add_caches(b);
    find_schedule(b);
    rk_building_walk(b, true, &b->step, &b->held);
    if (rk_building_is_pipeline(b))
        b->alone = b->held;
    else if (b->train && !b->o->recipe && !b->o->brief)
        rk_building_walk(b, false, &(rk_step){0}, &b->alone);
    if (b->code != RK_OK)
        return;
    rk_building_add_buckets(b);
    rk_building_add_shapes(b);
    rk_building_note_recomputed(b);
    add_kept(b);
    add_output(b);
    rk_building_choose_pass(b);
    if (!b->train)
        find_logits(b);
    rk_building_find_peak(b);
    if (!b->o->recipe && !b->o->brief)
        rk_building_add_moments(b);
    if (b->code == RK_OK && b->train && !b->o->profile.textbook && !b->o->recipe && !b->o->brief)
        b->code = rk_variants_new(&b->m->arena, b->x, &b->flow, &b->run, &b->places, &b->m->saved_for, b->err);
    rk_building_add_sent(b);
    rk_building_add_host(b);
    rk_building_find_reserve(b);
    rk_building_find_why(b);
    rk_building_show_timeline(b);
    if (b->code == RK_OK && b->conditions)
        pin_numbers(b);
}

int rk_memory_new(const rk_instance *x, const rk_memory_options *o, rk_memory **out, rk_err *err)
{
    rk_memory *m = rk_heap_alloc(sizeof *m);
    rk_ex zero = rk_ex_int(x->pool, 0);
    rk_building b = {
        .m = m,
        .x = x,
        .p = x->program,
        .pool = x->pool,
        .o = o,
        .train = o->phase == RK_PHASE_TRAIN,
        .run = {.bytes = o->bytes, .autocast = o->autocast, .profile = &o->profile, .fp8_products = o->fp8_products},
        .conditions = o->recipe ? &o->recipe->conditions : NULL,
        .spare_sum = zero,
        .spare_most = zero,
        .output = zero,
        .err = err};

    if (!m)
        return rk_fail_memory(err);
    *m = (rk_memory){.instance = x,
                     .model = x->model,
                     .options = *o,
                     .parameters_formula = zero,
                     .gradients_formula = zero,
                     .optimizer_formula = zero,
                     .saved_formula = zero,
                     .cache_formula = zero,
                     .buckets_formula = zero,
                     .host_formula = {zero, zero, zero, zero}};
    build(&b);
    if (b.code != RK_OK) {
        rk_memory_free(m);
        return b.code;
    }
    *out = m;
    return RK_OK;
}

rk_i128 rk_memory_total(const rk_memory *m)
{
    return m->options.profile.textbook ? m->parameters + m->gradients + m->optimizer + m->saved + m->cache : m->peak;
}

void rk_memory_free(rk_memory *m)
{
    if (!m)
        return;
    rk_arena_free(&m->arena);
    rk_heap_free(m);
}
