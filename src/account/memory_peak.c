/* SPDX-License-Identifier: MIT */
#include "account/building.h"

/* ---- the largest moment ----------------------------------------------------------------------------------------- */

static void put_alive(rk_building *b, rk_alive kind, const char *path, const char *what, rk_i128 bytes, rk_i128 times,
                      rk_ex all)
{
    rk_building_add_row(b, &b->m->alive,
                        (rk_memory_row){.kind = kind,
                                        .path = path,
                                        .what = what,
                                        .bytes = bytes,
                                        .times = times,
                                        .owner = RK_OWNER_REST,
                                        .op = RK_NONE,
                                        .buffer = RK_NONE,
                                        .all = all});
}

static const char *unit_path(rk_building *b, uint32_t group)
{
    return b->p->loop[b->p->group[group].loop].part;
}

/* What a buffer of the step is. */
void rk_building_name_buffer(rk_building *b, const rk_step *s, size_t i, const char **path, const char **what)
{
    const rk_tensor *x;
    bool made;
    uint32_t part;

    if (i < b->places.n_buffer) {
        *path = rk_building_buffer_path(b, &b->places.buffer[i]);
        *what = b->places.buffer[i].what;
        return;
    }
    if (i >= s->n_place + 2 * s->n_tensor) {
        const rk_step_temporary *t = &s->temporary[i - s->n_place - 2 * s->n_tensor];

        *path = t->op != RK_NONE         ? rk_building_op_path(b, t->op)
                : rk_building_is_flat(b) ? "gradients"
                : t->group == 0          ? "outside of layers"
                                         : unit_path(b, t->group);
        *what = t->what;
        return;
    }
    *what = i < b->step.n_place + b->step.n_tensor ? "gradient" : "cache";
    i = (i - b->step.n_place) % b->step.n_tensor;
    x = &b->p->tensor[i];
    made = x->kind == RK_TENSOR_RESULT && x->producer != RK_NONE; /* not what a recurrence reads before */
    part = made ? b->p->op[x->producer].part : 0;
    for (size_t k = 0; x->kind == RK_TENSOR_CACHED && k < b->p->n_keep; k++)
        part = b->p->keep[k].tensor == i ? b->p->keep[k].part : part;
    *path = rk_building_row_path(b, part, x->kind == RK_TENSOR_WEIGHT ? b->p->weight[x->weight].pattern : x->name);
}

const rk_alive rk_building_class_of[RK_N_LIVE] = {
    [RK_LIVE_SAVED] = RK_ALIVE_SAVED,      [RK_LIVE_PASSING] = RK_ALIVE_PASSING,
    [RK_LIVE_GRADIENT] = RK_ALIVE_FLOWING, [RK_LIVE_WEIGHT_GRADIENT] = RK_ALIVE_GRADIENTS,
    [RK_LIVE_CACHE] = RK_ALIVE_CACHE,      [RK_LIVE_WEIGHT] = RK_ALIVE_WEIGHTS,
};

/* Whose a buffer of the step is. */
static rk_owner owner_of_buffer(const rk_building *b, size_t i)
{
    const rk_step *s = &b->step;
    const rk_tensor *x;
    uint32_t op = RK_NONE;

    if (i < b->places.n_buffer)
        op = b->places.buffer[i].op;
    else if (i >= s->n_place + 2 * s->n_tensor)
        op = s->temporary[i - s->n_place - 2 * s->n_tensor].op;
    else {
        i = (i - s->n_place) % s->n_tensor;
        x = &b->p->tensor[i];
        if (x->kind == RK_TENSOR_WEIGHT)
            return b->owners.weight[x->weight];
        for (size_t k = 0; x->kind == RK_TENSOR_CACHED && k < b->p->n_keep; k++)
            if (b->p->keep[k].tensor == i)
                return b->owners.part[b->p->keep[k].part];
        op = x->kind == RK_TENSOR_RESULT ? x->producer : RK_NONE;
    }
    return op == RK_NONE ? RK_OWNER_REST : b->owners.op[op];
}

/* Of a buffer that is alive at the peak: so many, of which some are saved, and so many that are gone. */
static void add_owned(rk_building *b, size_t i, rk_alive kind, rk_i128 n, rk_i128 kept, rk_i128 left)
{
    rk_owner owner = owner_of_buffer(b, i);
    rk_i128 each = b->step.bytes[i];

    b->m->peak_by[kind][owner] += (n - kept) * each;
    b->m->peak_by[RK_ALIVE_SAVED][owner] += kept * each;
    b->m->peak_by[RK_ALIVE_GRADIENTS][owner] -= left * each;
}

/*
 * Adds so many buffers of the layers of a group.  All of these are alive at a moment, all but a few, or a few, so that
 * a count becomes L, L - 1 or 1, whichever is nearer.
 */
static void add_term(rk_building *b, rk_ex *sum, uint32_t group, uint64_t n, rk_ex each)
{
    rk_i128 all = rk_building_value(b, rk_group_times(b->pool, b->p, group)),
            sets = rk_building_is_pipeline(b) && all > 1 ? ((rk_i128)n + all / 2) / all : 1;
    bool few = (rk_i128)n * 2 < all || all <= 1;
    rk_ex times = few ? rk_ex_int(b->pool, (rk_i128)n) : rk_building_layers_of(b, group, n);

    if (sets > 1) /* of several micro-batches */
        times = rk_ex_add(b->pool, rk_ex_mul(b->pool, rk_ex_int(b->pool, sets), rk_group_times(b->pool, b->p, group)),
                          rk_ex_int(b->pool, (rk_i128)n - sets * all));

    *sum = rk_ex_add(b->pool, *sum, rk_ex_mul(b->pool, times, each));
}

/* The bytes of a tensor's gradient; where the loss is taken in chunks, what has something for each token is of one. */
static rk_ex gradient_bytes(rk_building *b, uint32_t tensor)
{
    const rk_tensor *t = &b->p->tensor[tensor];
    rk_ex count = rk_ixs_count(b->pool, &t->axes);

    if (t->kind == RK_TENSOR_WEIGHT && b->p->weight[t->weight].gradient != RK_EX_FAILED)
        count = b->p->weight[t->weight].gradient;
    if (b->chunk.region && rk_chunk_makes(&b->chunk, b->p, tensor) &&
        rk_building_value(b, count) % b->chunk.n_token == 0)
        count = rk_chunk_of(&b->chunk, b->pool, count);
    return rk_building_in_bytes(b, count, rk_type_bytes(b->places.tensor[tensor].type, &b->run));
}

static uint32_t keep_group(const rk_program *p, size_t tensor)
{
    for (size_t i = 0; i < p->n_keep; i++)
        if (p->keep[i].tensor == tensor)
            return p->keep[i].group;
    return 0;
}

/* The bytes of one of a moment's buffers, as a formula; of what is written at one place alone, those of that. */
static rk_ex buffer_bytes(rk_building *b, size_t i)
{
    const rk_buffer *x = &b->places.buffer[i];
    rk_ex places = b->train ? RK_EX_FAILED : rk_keep_fresh(b->p);
    bool one = b->step.one_place[i] && places != RK_EX_FAILED;

    return rk_building_in_bytes(b, one ? rk_ex_div(b->pool, x->count, places) : x->count,
                                rk_type_bytes(x->type, &b->run));
}

static rk_ex temporary_bytes(rk_building *b, size_t i)
{
    const rk_step_temporary *t = &b->step.temporary[i];

    return t->formula != RK_EX_FAILED ? t->formula : rk_ex_int(b->pool, t->bytes);
}

static uint32_t tensor_group(const rk_building *b, const rk_tensor *t)
{
    return t->kind == RK_TENSOR_WEIGHT ? b->p->weight[t->weight].group : t->group;
}

/* Of a buffer that is alive at the peak: who made it, and its formula.  `k` says of which kind of buffer it is one. */
static void give_reasons(rk_building *b, size_t k, uint32_t i, uint64_t n, rk_memory_row *row)
{
    uint32_t group = 0;

    row->all = rk_ex_int(b->pool, 0);
    if (k == 0) {
        const rk_buffer *x = &b->places.buffer[i];

        row->op = x->op;
        row->type = rk_building_type_word(b, x->type);
        row->buffer = i;
        row->formula = buffer_bytes(b, i);
        group = x->group;
    } else if (k == 1) {
        const rk_tensor *t = &b->p->tensor[i];

        row->op = t->kind == RK_TENSOR_WEIGHT   ? rk_building_reader(b, t->weight)
                  : t->kind == RK_TENSOR_RESULT ? t->producer
                                                : RK_NONE;
        row->type = rk_building_type_word(b, b->places.tensor[i].type);
        row->formula = gradient_bytes(b, i);
        group = tensor_group(b, t);
    } else if (k == 2) {
        row->op = rk_building_cache_maker(b, i);
        row->type = b->o->cache == RK_NUMBER_SAME ? rk_building_type_word(b, b->places.tensor[i].type)
                                                  : rk_number_table[b->o->cache].word;
        row->formula = b->cache_each[i];
        group = keep_group(b->p, i);
    } else {
        row->op = b->step.temporary[i].op;
        row->formula = temporary_bytes(b, i);
        group = b->step.temporary[i].group;
    }
    add_term(b, &row->all, group, n, row->formula);
}

static void put_moment(rk_building *b, const rk_moment *at)
{
    const rk_alive kind[] = {RK_ALIVE_PASSING, RK_ALIVE_FLOWING, RK_ALIVE_CACHE};
    size_t last = b->step.n_place + 2 * b->step.n_tensor;
    const uint64_t *count[] = {at->buffers, at->gradients, at->caches, at->buffers + last};
    size_t first[] = {0, b->step.n_place, b->step.n_place + b->step.n_tensor, last, b->step.n_buffer};

    for (size_t k = 0; k < 4; k++)
        for (size_t i = 0; i < first[k + 1] - first[k] && b->code == RK_OK; i++) {
            rk_alive is = k == 3 ? rk_building_class_of[b->step.temporary[i].as]
                          : k == 1 && b->p->tensor[i].kind == RK_TENSOR_WEIGHT ? RK_ALIVE_GRADIENTS
                                                                               : kind[k];
            rk_i128 n = (rk_i128)count[k][i], kept = (rk_i128)at->kept[first[k] + i];
            rk_memory_row *row;
            const char *path, *what;

            add_owned(b, first[k] + i, is, n, kept, (rk_i128)at->left[first[k] + i]);
            if (n == 0)
                continue;
            rk_building_name_buffer(b, &b->step, first[k] + i, &path, &what);
            put_alive(b, is, path, what, b->step.bytes[first[k] + i], n, RK_EX_FAILED);
            if (b->m->alive.n == 0)
                continue;
            row = &b->m->alive.at[b->m->alive.n - 1];
            row->gloss = k > 0 ? rk_building_gloss(b, RK_NONE, RK_NONE, what)
                               : rk_building_gloss(b, b->places.buffer[i].op, b->places.buffer[i].tensor, what);
            row->owner = owner_of_buffer(b, first[k] + i);
            row->kept = kept;
            if (b->o->reasons)
                give_reasons(b, k, (uint32_t)i, count[k][i], row);
        }
}

/* What is there throughout a step. */
static rk_i128 standing(const rk_building *b)
{
    return b->m->held_weights + b->m->held_optimizer + rk_profile_workspaces(&b->o->profile, b->train) +
           b->m->held_buckets + (rk_building_in_passes(b) ? b->m->held_gradients : 0);
}

/* Gradients beside buckets in the optimizer's step. */
rk_i128 rk_building_gradients_in_step(const rk_building *b)
{
    return rk_building_only_in_buckets(b) && !rk_building_is_flat(b) ? 0 : b->m->held_gradients;
}

/* In the optimizer's step someone still has the output. */
rk_i128 rk_building_output_in_step(const rk_building *b)
{
    return b->o->layout && b->o->layout->drop_outputs && !rk_building_is_pipeline(b) ? 0 : b->m->output;
}

/* In the optimizer's step all gradients are there. */
static rk_i128 step_bytes(const rk_building *b)
{
    return standing(b) - (rk_building_in_passes(b) ? b->m->held_gradients : 0) + rk_building_gradients_in_step(b) +
           b->m->spare + rk_building_output_in_step(b);
}

/*
 * Forward, someone has the output of the step before; under autocast a step is a function, whose output is gone.  On a
 * rank the output is that of the pass before, if there was one in the same step.
 */
static bool has_output_before(const rk_building *b)
{
    if (b->o->layout)
        return b->train && b->o->passes > 1 && !b->first && !b->o->layout->drop_outputs;
    return b->train && !b->o->autocast;
}

rk_i128 rk_building_output_before(const rk_building *b)
{
    return has_output_before(b) ? b->m->output : 0;
}

static rk_i128 largest_moment(const rk_building *b, const rk_timeline *t)
{
    rk_i128 forward = t->forward.bytes + rk_building_output_before(b), backward = t->backward.bytes;

    return standing(b) + (forward > backward ? forward : backward);
}

/* Which of two passes has the largest moment is not known before both have been walked through. */
void rk_building_choose_pass(rk_building *b)
{
    rk_i128 last = largest_moment(b, &b->held);
    rk_step step = {0};
    rk_timeline held = {0};

    if (!rk_building_has_two_passes(b))
        return;
    b->first = true;
    rk_building_walk(b, true, &step, &held);
    if (b->code == RK_OK && largest_moment(b, &held) > last) {
        b->step = step;
        b->held = held;
    } else {
        b->first = false;
    }
}

/* What was there before the pass and is gone at a moment. */
static rk_i128 bytes_left(const rk_building *b, const rk_moment *at)
{
    rk_i128 sum = 0;

    for (size_t i = 0; i < b->step.n_buffer; i++)
        sum += (rk_i128)at->left[i] * b->step.bytes[i];
    return sum;
}

/* What no buffer and no weight of its own accounts for is nobody's: workspaces, buckets, the output of a step. */
static void share_out(rk_building *b, rk_i128 gradients)
{
    rk_memory *m = b->m;

    for (size_t i = 0; i < RK_N_OWNER; i++) {
        m->peak_by[RK_ALIVE_WEIGHTS][i] += b->weights_by[i];
        m->peak_by[RK_ALIVE_OPTIMIZER][i] += b->optimizer_by[i];
        m->peak_by[RK_ALIVE_GRADIENTS][i] += gradients == m->held_gradients ? b->gradients_by[i] : 0;
    }
    for (size_t k = 0; k < RK_N_ALIVE; k++) {
        rk_i128 rest = m->peak_of[k];

        for (size_t i = 0; i < RK_N_OWNER; i++)
            rest -= m->peak_by[k][i];
        m->peak_by[k][RK_OWNER_REST] += rest;
    }
}

/* Of training, in a step after the first: the optimizer's state is there, and the last output until a new one is. */
void rk_building_find_peak(rk_building *b)
{
    rk_memory *m = b->m;
    const rk_profile *p = &b->o->profile;
    const rk_moment *forward = &b->held.forward, *backward = &b->held.backward;
    rk_i128 base = standing(b), first = base - m->held_optimizer,
            later = rk_profile_workspaces(p, true) - rk_profile_workspaces(p, false),
            workspaces = b->train ? p->workspaces_backward : p->workspaces_forward, gradients, held;
    bool in_forward = !b->train || forward->bytes + rk_building_output_before(b) > backward->bytes, in_step;

    m->output_before = has_output_before(b);
    m->output_in_step = rk_building_output_in_step(b) > 0;
    m->pass = base + (in_forward ? forward->bytes + rk_building_output_before(b) : backward->bytes);
    in_step = b->train && step_bytes(b) >= m->pass;
    m->peak = in_step ? step_bytes(b) : m->pass;
    if (b->train) {
        m->first_forward = first - later + b->alone.forward.bytes;
        m->first_backward = first + b->alone.backward.bytes;
        m->first_optimizer = step_bytes(b) - rk_building_output_in_step(b);
    }
    m->peak_of[RK_ALIVE_WEIGHTS] = m->held_weights;
    m->peak_of[RK_ALIVE_OPTIMIZER] = m->held_optimizer + (in_step ? m->spare : 0);
    gradients = in_step ? rk_building_gradients_in_step(b) : rk_building_in_passes(b) ? m->held_gradients : 0;
    m->peak_of[RK_ALIVE_GRADIENTS] = gradients + m->held_buckets;
    held = gradients;
    if (!in_step)
        gradients -= bytes_left(b, in_forward ? forward : backward);
    m->peak_of[RK_ALIVE_WORKSPACE] = rk_profile_workspaces(p, b->train);
    m->peak_of[RK_ALIVE_PASSING] = !b->train    ? 0
                                   : in_step    ? rk_building_output_in_step(b)
                                   : in_forward ? rk_building_output_before(b)
                                                : 0;
    for (size_t i = 0; i < RK_N_LIVE && !in_step; i++)
        m->peak_of[rk_building_class_of[i]] += (in_forward ? forward : backward)->live[i];
    put_alive(b, RK_ALIVE_WEIGHTS, "weights", NULL, m->held_weights, 1, m->parameters_formula);
    put_alive(b, RK_ALIVE_OPTIMIZER, "optimizer", NULL, m->held_optimizer, m->held_optimizer > 0, m->optimizer_formula);
    put_alive(b, RK_ALIVE_GRADIENTS, "gradients", NULL, gradients,
              rk_building_in_buckets(b) ? gradients > 0 : in_step || rk_building_in_passes(b), m->gradients_formula);
    put_alive(b, RK_ALIVE_GRADIENTS, "gradients",
              rk_building_in_buckets(b) ? "buckets" : "handed back, one of each shape", m->held_buckets,
              m->held_buckets > 0, m->buckets_formula);
    put_alive(b, RK_ALIVE_OPTIMIZER, "optimizer", "in its step", m->spare, in_step && m->spare > 0,
              rk_ex_add(b->pool, b->spare_sum, b->spare_most));
    put_alive(b, RK_ALIVE_WORKSPACE, "workspace", NULL, p->workspace, p->workspace > 0 ? workspaces : 0, RK_EX_FAILED);
    if (in_step) {
        m->peak_during = "the optimizer's step";
        put_alive(b, RK_ALIVE_PASSING, rk_building_is_pipeline(b) ? "pipeline" : "output", "of this step",
                  rk_building_output_in_step(b), rk_building_output_in_step(b) > 0, b->output);
        share_out(b, held);
        return;
    }
    m->peak_during = in_forward                                                ? "the forward pass"
                     : backward->event == b->held.part[RK_BACKWARD_JOIN].event ? "joining outputs"
                                                                               : "the backward pass";
    m->peak_path = rk_building_op_path(b, in_forward ? forward->op : backward->op);
    put_alive(b, RK_ALIVE_PASSING, "output", b->o->layout ? "of the pass before" : "of the step before",
              rk_building_output_before(b), b->train && in_forward && rk_building_output_before(b) > 0, b->output);
    put_moment(b, in_forward ? forward : backward);
    share_out(b, held);
}

/* ---- the moments that could be the peak ------------------------------------------------------------------------- */

static const char *const backward_text[RK_N_BACKWARD_PART] = {
    [RK_BACKWARD_HEAD] = "the backward pass of the head",
    [RK_BACKWARD_LAST_LAYER] = "the backward pass of the last layer",
    [RK_BACKWARD_MIDDLE] = "the backward pass of other layers",
    [RK_BACKWARD_FIRST_LAYER] = "the backward pass of the first layer",
    [RK_BACKWARD_EMBEDDING] = "the backward pass of the embedding",
    [RK_BACKWARD_JOIN] = "joining the outputs of all micro-batches",
};

/* What is alive at a moment of the timeline, as a formula; what the allocator adds by rounding is no part of it. */
static rk_ex moment_formula(rk_building *b, const rk_moment *at)
{
    rk_ex sum = rk_ex_int(b->pool, 0), gone = sum;

    for (size_t i = 0; i < b->places.n_buffer; i++)
        if (at->buffers[i])
            add_term(b, &sum, b->places.buffer[i].group, at->buffers[i], buffer_bytes(b, i));
    for (uint32_t i = 0; i < b->p->n_tensor; i++) {
        const rk_tensor *t = &b->p->tensor[i];

        if (at->gradients[i])
            add_term(b, &sum, tensor_group(b, t), at->gradients[i], gradient_bytes(b, i));
        if (at->caches[i])
            add_term(b, &sum, keep_group(b->p, i), at->caches[i], b->cache_each[i]);
        if (at->left[b->step.n_place + i])
            add_term(b, &gone, b->p->weight[t->weight].group, at->left[b->step.n_place + i], gradient_bytes(b, i));
    }
    for (size_t i = 0; i < b->step.n_temporary; i++) {
        uint64_t n = at->buffers[b->step.n_place + 2 * b->step.n_tensor + i];

        if (n)
            add_term(b, &sum, b->step.temporary[i].group, n, temporary_bytes(b, i));
    }
    sum = rk_ex_sub(b->pool, sum, gone);
    if (b->code == RK_OK)
        b->code = rk_pool_check(b->pool, b->err);
    return sum;
}

/* Largest first; of equal ones the one that was there first. */
static void add_moment(rk_building *b, rk_memory_moment x)
{
    rk_memory *m = b->m;
    size_t i = m->n_moment++;

    x.extra = x.bytes - rk_building_value(b, x.formula);
    for (; i > 0 && m->moment[i - 1].bytes < x.bytes; i--)
        m->moment[i] = m->moment[i - 1];
    m->moment[i] = x;
}

static void add_moment_at(rk_building *b, const char *during, const rk_moment *at, rk_i128 base, rk_ex besides)
{
    if (b->code != RK_OK || at->bytes == 0)
        return;
    add_moment(b, (rk_memory_moment){.during = during,
                                     .path = rk_building_op_path(b, at->op),
                                     .bytes = base + at->bytes,
                                     .formula = rk_ex_add(b->pool, besides, moment_formula(b, at))});
}

void rk_building_add_moments(rk_building *b)
{
    rk_memory *m = b->m;
    rk_ex zero = rk_ex_int(b->pool, 0), fixed, passes, passing;

    fixed = rk_ex_int(b->pool, rk_profile_workspaces(&b->o->profile, b->train));
    fixed = rk_ex_add(b->pool, fixed, rk_ex_add(b->pool, m->parameters_formula, m->optimizer_formula));
    fixed = rk_ex_add(b->pool, fixed, m->buckets_formula);
    passes = rk_ex_add(b->pool, fixed, rk_building_in_passes(b) ? m->gradients_formula : zero);
    add_moment_at(b, "the forward pass", &b->held.forward, standing(b) + rk_building_output_before(b),
                  rk_ex_add(b->pool, passes, has_output_before(b) ? b->output : zero));
    for (size_t i = 0; b->train && i < RK_N_BACKWARD_PART; i++)
        add_moment_at(b, backward_text[i], &b->held.part[i], standing(b), passes);
    if (!b->train || b->code != RK_OK)
        return;
    passing = rk_building_output_in_step(b) > 0 ? b->output : zero;
    passing = rk_ex_add(b->pool, passing, rk_ex_add(b->pool, b->spare_sum, b->spare_most));
    passing = rk_ex_add(b->pool, passing,
                        rk_building_only_in_buckets(b) && !rk_building_is_flat(b) ? zero : m->gradients_formula);
    add_moment(b, (rk_memory_moment){.during = "the optimizer's step",
                                     .bytes = step_bytes(b),
                                     .formula = rk_ex_add(b->pool, fixed, passing)});
}
