/* SPDX-License-Identifier: MIT */
#include "account/memory.h"

#include "account/moment.h"
#include "account/serve.h"

#include <string.h>

/* What is being added up; failure is sticky. */
typedef struct building {
    rk_memory *m;
    rk_model *model;
    const rk_program *p;
    rk_pool *pool;
    rk_binding at;
    const rk_memory_options *o;
    rk_flow flow;
    rk_places places;
    rk_timeline held, alone; /* with the output held while the backward pass runs, and without */
    rk_i128 *cache;          /* bytes of the cache of each tensor */
    rk_ex *cache_each;       /* the same as formulas, not rounded */
    const bool *skip;        /* of each operation: decoding leaves it out; NULL: none */
    bool *unpacks;           /* of each tensor: it is a weight that is written out to be multiplied with */
    rk_i128 weights;         /* as the allocator rounds them */
    rk_i128 weight_gradients;
    rk_i128 moments;
    rk_i128 spare_all, spare_one; /* what the step of all tensors, and of the largest one, takes beside it */
    rk_ex spare_sum, spare_most;  /* the same as formulas, not rounded */
    rk_tail tail;
    rk_linear *linear; /* what each weight is */
    rk_err *err;
    int code;
} building;

static rk_i128 value(building *b, rk_ex e)
{
    rk_i128 n = 0;

    if (b->code == RK_OK)
        b->code = rk_ex_eval(b->pool, e, &b->at, &n, b->err);
    return n;
}

static rk_ex times_bytes(building *b, rk_ex count, int bytes)
{
    return rk_ex_mul(b->pool, rk_ex_int(b->pool, bytes), count);
}

static rk_i128 rounded(const building *b, rk_i128 bytes)
{
    return (bytes + b->o->rounding - 1) / b->o->rounding * b->o->rounding;
}

/* Where questions to the numbers are noted, or NULL. */
static rk_asked *asked_of(const building *b)
{
    return b->o->recipe ? &b->o->recipe->asked : NULL;
}

static void add_row(building *b, rk_memory_rows *rows, rk_memory_row row)
{
    rk_memory_row *slot = row.times > 0 ? RK_PUSH(&b->m->arena, rows) : NULL;

    if (row.times <= 0)
        return;
    if (slot)
        *slot = row;
    else
        b->code = b->code == RK_OK ? rk_fail_memory(b->err) : b->code;
}

/* ---- weights ---------------------------------------------------------------------------------------------------- */

/* Bytes of one of its numbers. */
static int weight_bytes(const building *b, const rk_weight *w)
{
    return w->wide ? 4 : b->o->bytes;
}

/* A weight that is as wide as the master copy would be is its own. */
static int master_of(const building *b, const rk_weight *w)
{
    return w->wide ? 0 : b->o->master;
}

/* Where gradients are added up they stay from pass to pass, and in a type of their own from step to step. */
static bool adds_up(const building *b)
{
    return b->o->passes > 1 || b->o->gradient > 0;
}

static rk_ex gradient_of(building *b, const rk_weight *w)
{
    return times_bytes(b, w->count, b->o->gradient ? b->o->gradient : weight_bytes(b, w));
}

/* What the optimizer's step takes beside it: for all tensors, and for the largest one. */
static void note_spare(building *b, const rk_weight *w, rk_i128 times, rk_ex all, rk_ex one)
{
    rk_i128 bytes = rounded(b, value(b, one));

    rk_recipe_add(b->o->recipe, RK_HELD_IN_STEP, all, times);
    rk_recipe_add(b->o->recipe, RK_HELD_ONE_IN_STEP, one, 1);
    b->spare_all += times * rounded(b, value(b, all));
    b->spare_sum = rk_ex_add(b->pool, b->spare_sum, rk_ex_mul(b->pool, rk_group_times(b->p, w->group), all));
    if (bytes <= b->spare_one)
        return;
    b->spare_one = bytes;
    b->spare_most = one;
}

/* What the optimizer keeps of a tensor, and what its step takes beside it. */
static rk_ex state_of(building *b, const rk_weight *w, rk_i128 times)
{
    rk_optimizer o = b->o->optimizer;
    rk_optimizer_types types = rk_optimizer_types_of(o, weight_bytes(b, w), master_of(b, w));
    rk_optimizer_tensor t = rk_optimizer_sees(o, w, b->linear[w - b->p->weight].role, value(b, w->count));

    if (rk_optimizer_table[o].coded)
        rk_asked_less(asked_of(b), w->count, rk_ex_int(b->pool, RK_OPTIMIZER_CODED_FROM), !t.large);
    note_spare(b, w, times, rk_optimizer_spare_all(b->pool, o, &t, &types),
               rk_optimizer_spare_one(b->pool, o, &t, &types));
    /* A count of steps is a number of four bytes; it takes room because the allocator rounds it up. */
    if (rk_optimizer_table[o].counts && b->o->rounding > 1) {
        b->moments += times * b->o->rounding;
        rk_recipe_add_plain(b->o->recipe, times * b->o->rounding);
    }
    return rk_optimizer_state(b->pool, o, &t, &types);
}

static void add_weight(building *b, const rk_weight *w)
{
    rk_memory *m = b->m;
    rk_ex times = rk_group_times(b->p, w->group);
    rk_ex stored = b->m->holding.each[w - b->p->weight];
    rk_i128 n = value(b, times);
    bool trains = b->o->phase == RK_PHASE_TRAIN && !w->frozen;
    rk_ex state = trains ? rk_ex_add(b->pool, state_of(b, w, n), times_bytes(b, w->count, master_of(b, w)))
                         : rk_ex_int(b->pool, 0);

    m->parameters_formula = rk_ex_add(b->pool, m->parameters_formula, rk_ex_mul(b->pool, times, stored));
    m->optimizer_formula = rk_ex_add(b->pool, m->optimizer_formula, rk_ex_mul(b->pool, times, state));
    b->weights += n * rounded(b, value(b, stored));
    b->moments += n * rounded(b, value(b, state));
    rk_recipe_add(b->o->recipe, RK_HELD_ALWAYS, stored, n);
    rk_recipe_add(b->o->recipe, RK_HELD_ALWAYS, state, n);
    if (!trains)
        return;
    m->gradients_formula = rk_ex_add(b->pool, m->gradients_formula, rk_ex_mul(b->pool, times, gradient_of(b, w)));
    b->weight_gradients += n * rounded(b, value(b, gradient_of(b, w)));
    rk_recipe_add(b->o->recipe, adds_up(b) ? RK_HELD_ALWAYS : RK_HELD_IN_STEP, gradient_of(b, w), n);
}

/* How weights are held: as the options say, or else by the type that they ask for. */
static void find_holding(building *b)
{
    bool trained = b->o->phase == RK_PHASE_TRAIN;

    if (b->o->holding)
        b->m->holding = *b->o->holding;
    else if (b->code == RK_OK)
        b->code = rk_holding_new(&b->m->arena, b->model, b->o->bytes, b->o->weights, trained, &b->m->holding, b->err);
}

/* A file's bytes are known, though not those of each weight. */
static void weigh_file(building *b)
{
    b->m->parameters = b->weights = b->m->holding.whole;
    rk_recipe_add_plain(b->o->recipe, b->m->holding.whole);
    b->m->parameters_formula = rk_ex_int(b->pool, b->m->holding.whole);
    b->m->gradients_formula = b->m->optimizer_formula = rk_ex_int(b->pool, 0);
}

static void add_once(building *b)
{
    rk_i128 once = b->o->phase == RK_PHASE_TRAIN ? rk_optimizer_once(b->o->optimizer) : 0;

    b->m->optimizer_formula = rk_ex_add(b->pool, b->m->optimizer_formula, rk_ex_int(b->pool, once));
    b->moments += once;
    rk_recipe_add_plain(b->o->recipe, once);
    b->m->spare = b->spare_all + b->spare_one;
}

static void mark_packed(building *b)
{
    const bool *packed = b->m->holding.packed;

    b->unpacks = RK_NEW_ARRAY(&b->m->arena, b->p->n_tensor + 1, bool);
    if (!b->unpacks)
        b->code = b->code == RK_OK ? rk_fail_memory(b->err) : b->code;
    for (size_t i = 0; b->unpacks && packed && i < b->p->n_tensor; i++) {
        const rk_tensor *t = &b->p->tensor[i];

        b->unpacks[i] = t->kind == RK_TENSOR_WEIGHT && packed[t->weight];
    }
}

static void add_weights(building *b)
{
    rk_memory *m = b->m;

    find_holding(b);
    mark_packed(b);
    b->linear = rk_linear_find(&m->arena, b->p);
    if (b->code == RK_OK && !b->linear)
        b->code = rk_fail_memory(b->err);
    if (b->code != RK_OK)
        return;
    if (!m->holding.by_weight) {
        weigh_file(b);
        return;
    }
    m->parameters_formula = m->gradients_formula = m->optimizer_formula = rk_ex_int(b->pool, 0);
    for (size_t i = 0; i < b->p->n_weight; i++)
        if (b->p->weight[i].tied_to == RK_NONE && !b->p->weight[i].buffer)
            add_weight(b, &b->p->weight[i]);
    add_once(b);
    m->parameters = value(b, m->parameters_formula);
    m->gradients = value(b, m->gradients_formula);
    m->optimizer = value(b, m->optimizer_formula);
}

/* ---- the cache -------------------------------------------------------------------------------------------------- */

static const char *path_of(building *b, uint32_t part, const char *name)
{
    const char *path = b->p->part[part].path;
    char *text = rk_arena_format(&b->m->arena, "%s%s%s", path, path[0] ? "." : "", name ? name : "");

    if (!text)
        b->code = b->code == RK_OK ? rk_fail_memory(b->err) : b->code;
    return text;
}

static void add_cache(building *b, const rk_cache *c)
{
    b->cache[c->tensor] = rounded(b, c->bytes);
    b->cache_each[c->tensor] = c->each;
    add_row(b, &b->m->caches,
            (rk_memory_row){.path = c->path,
                            .what = c->kind == RK_CACHE_ALL ? NULL : rk_cache_kind_text[c->kind],
                            .layers = c->layers,
                            .formula = c->each,
                            .bytes = c->bytes,
                            .times = c->n_layer});
}

static void add_caches(building *b)
{
    rk_run_options run = {.bytes = b->o->bytes, .by_book = b->o->by_book, .eighths = b->o->eighths};
    rk_caches *c = &b->m->carried;

    b->m->cache_formula = rk_ex_int(b->pool, 0);
    b->cache = RK_NEW_ARRAY(&b->m->arena, b->p->n_tensor + 1, rk_i128);
    b->cache_each = RK_NEW_ARRAY(&b->m->arena, b->p->n_tensor + 1, rk_ex);
    b->skip = b->o->phase == RK_PHASE_DECODE ? rk_serve_skipped(&b->m->arena, b->p) : NULL;
    if (!b->cache || !b->cache_each || (b->o->phase == RK_PHASE_DECODE && !b->skip))
        b->code = rk_fail_memory(b->err);
    if (b->code != RK_OK || b->o->phase == RK_PHASE_TRAIN)
        return;
    b->code = rk_caches_new(&b->m->arena, b->model, &b->places, &run, b->o->cache, c, b->err);
    for (size_t i = 0; i < c->n && b->code == RK_OK; i++)
        add_cache(b, &c->at[i]);
    b->m->cache_formula = c->bytes;
    b->m->cache = value(b, c->bytes);
}

/* ---- what is kept ----------------------------------------------------------------------------------------------- */

static const char *buffer_path(building *b, const rk_buffer *x)
{
    const rk_op *op = x->op == RK_NONE ? NULL : &b->p->op[x->op];

    return op ? path_of(b, op->part, op->name) : path_of(b, 0, x->what ? NULL : b->p->tensor[x->tensor].name);
}

static rk_ex buffer_bytes(building *b, const rk_buffer *x)
{
    rk_run_options run = {.bytes = b->o->bytes};

    return times_bytes(b, x->count, rk_type_bytes(x->type, &run));
}

/* The same number of layers as its group has, as an expression where it is that number. */
static rk_ex times_of(building *b, uint32_t group, uint64_t n)
{
    rk_ex times = rk_group_times(b->p, group);
    rk_i128 all = value(b, times);

    return rk_ex_add(b->pool, times, rk_ex_int(b->pool, (rk_i128)n - all));
}

static void add_kept(building *b)
{
    rk_memory *m = b->m;

    m->saved_formula = rk_ex_int(b->pool, 0);
    for (size_t i = 0; i < b->places.n_buffer && b->code == RK_OK; i++) {
        const rk_buffer *x = &b->places.buffer[i];
        uint64_t n = b->held.kept[i];
        rk_ex each = n ? buffer_bytes(b, x) : RK_EX_FAILED;

        if (n == 0)
            continue;
        m->saved_formula = rk_ex_add(b->pool, m->saved_formula, rk_ex_mul(b->pool, times_of(b, x->group, n), each));
        add_row(b, &m->kept,
                (rk_memory_row){.path = buffer_path(b, x),
                                .what = x->what,
                                .buffer = (uint32_t)i,
                                .formula = each,
                                .bytes = value(b, each),
                                .times = (rk_i128)n});
    }
    m->saved = value(b, m->saved_formula);
}

/* ---- the peak --------------------------------------------------------------------------------------------------- */

/* How many tokens of each sequence a run adds to what is kept; RK_EX_FAILED: nothing is. */
static rk_ex new_tokens(const building *b)
{
    for (size_t i = 0; i < b->p->n_keep; i++)
        if (!b->p->keep[i].once)
            return b->p->keep[i].over_size;
    return RK_EX_FAILED;
}

static rk_timeline_options walk_options(const building *b, bool hold)
{
    const rk_memory_options *o = b->o;
    bool train = o->phase == RK_PHASE_TRAIN;

    return (rk_timeline_options){
        .run = {.bytes = o->bytes, .by_book = o->by_book, .eighths = o->eighths},
        .backward = train,
        .loss = train && o->loss,
        .hold_output = hold,
        .again = o->again,
        .pieces = b->m->pieces.n ? &b->m->pieces : NULL,
        .tail = b->tail.way == RK_LOSS_WHOLE ? NULL : &b->tail,
        .adds_up = adds_up(b),
        .rounding = o->rounding,
        .cache = train ? NULL : b->cache,
        .cache_each = train ? NULL : b->cache_each,
        .places = train ? RK_EX_FAILED : new_tokens(b),
        .carried = o->phase == RK_PHASE_DECODE,
        .skip = b->skip,
        .unpacks = train ? b->unpacks : NULL,
    };
}

static void walk(building *b, bool hold, rk_timeline *out)
{
    rk_timeline_options o = walk_options(b, hold);

    o.run.asked = asked_of(b);
    o.census = hold && b->o->recipe ? &b->o->recipe->census : NULL;
    if (b->code == RK_OK)
        b->code = rk_timeline_new(&b->m->arena, b->model, &b->places, &b->flow, &o, out, b->err);
}

static void put_alive(building *b, const char *path, const char *what, rk_i128 bytes, rk_i128 times)
{
    add_row(b, &b->m->alive, (rk_memory_row){.path = path, .what = what, .bytes = bytes, .times = times});
}

static void mark_fixed(building *b)
{
    if (b->code == RK_OK && b->m->alive.n > 0)
        b->m->alive.at[b->m->alive.n - 1].fixed = true;
}

static void put_cache(building *b, const char *path, size_t tensor, const rk_moment *at)
{
    put_alive(b, path, "cache", b->cache[tensor], (rk_i128)at->caches[tensor]);
    mark_fixed(b);
}

static void put_moment(building *b, const rk_timeline *t, const rk_moment *at)
{
    for (size_t i = 0; i < b->places.n_buffer && b->code == RK_OK; i++)
        if (at->buffers[i])
            put_alive(b, buffer_path(b, &b->places.buffer[i]), b->places.buffer[i].what, t->bytes[i],
                      (rk_i128)at->buffers[i]);
    for (size_t i = 0; i < b->p->n_tensor && b->code == RK_OK; i++) {
        const rk_tensor *x = &b->p->tensor[i];
        const char *name = x->kind == RK_TENSOR_WEIGHT ? b->p->weight[x->weight].pattern : x->name;
        bool made = x->kind == RK_TENSOR_RESULT && x->producer != RK_NONE; /* not what a recurrence reads before */
        uint32_t part = made ? b->p->op[x->producer].part : 0;

        if (at->gradients[i])
            put_alive(b, path_of(b, part, name), "gradient", t->tensor_bytes[i], (rk_i128)at->gradients[i]);
        if (at->caches[i])
            put_cache(b, path_of(b, part, name), i, at);
    }
}

static void put_fixed(building *b, rk_i128 workspaces, bool moments, bool gradients, bool in_step)
{
    put_alive(b, "weights", NULL, b->weights, 1);
    mark_fixed(b);
    if (moments)
        put_alive(b, "optimizer", NULL, b->moments, b->moments > 0);
    if (gradients)
        put_alive(b, "gradients", NULL, b->weight_gradients, 1);
    if (gradients)
        put_alive(b, "optimizer", "in its step", b->m->spare, in_step && b->m->spare > 0);
    put_alive(b, "workspace", NULL, b->o->workspace, b->o->workspace > 0 ? workspaces : 0);
}

/* Chunk by chunk, no output is ever there as a whole. */
static rk_i128 output_bytes(const building *b)
{
    rk_i128 n = 0;

    for (size_t i = 0; b->tail.way == RK_LOSS_WHOLE && i < b->p->n_output; i++)
        n += b->held.tensor_bytes[b->p->output[i]];
    return n;
}

static void name_peak(building *b, const char *during, const rk_moment *at)
{
    b->m->peak_during = during;
    b->m->peak_path = at && at->op != RK_NONE ? path_of(b, b->p->op[at->op].part, b->p->op[at->op].name) : NULL;
}

/* What is there throughout a step. */
static rk_i128 standing(const building *b)
{
    return b->weights + b->moments + 2 * b->o->workspace + (adds_up(b) ? b->weight_gradients : 0);
}

/* In the optimizer's step someone still has the output. */
static rk_i128 step_bytes(const building *b)
{
    return b->weights + b->moments + 2 * b->o->workspace + b->weight_gradients + b->m->spare + output_bytes(b);
}

/* A step after the first: the optimizer's state is there, and the output of the step before until a new one is. */
static void find_train_peak(building *b)
{
    rk_memory *m = b->m;
    rk_i128 w = b->o->workspace, base = standing(b), step = step_bytes(b), before = base - b->moments;
    rk_i128 forward = base + b->held.forward.bytes + output_bytes(b), backward = base + b->held.backward.bytes;

    m->first_forward = before - w + b->alone.forward.bytes;
    m->first_backward = before + b->alone.backward.bytes;
    m->first_optimizer = step - output_bytes(b);
    m->peak = backward > forward ? backward : forward;
    m->peak = step > m->peak ? step : m->peak;
    put_fixed(b, 2, true, m->peak == step || adds_up(b), m->peak == step);
    if (m->peak == step) {
        name_peak(b, "the optimizer's step", NULL);
        put_alive(b, "output", "of this step", output_bytes(b), output_bytes(b) > 0);
    } else if (m->peak == backward) {
        name_peak(b, "the backward pass", &b->held.backward);
        put_moment(b, &b->held, &b->held.backward);
    } else {
        name_peak(b, "the forward pass", &b->held.forward);
        put_alive(b, "output", "of the step before", output_bytes(b), 1);
        put_moment(b, &b->held, &b->held.forward);
    }
}

static rk_ex output_formula(building *b)
{
    rk_run_options run = {.bytes = b->o->bytes};
    rk_ex sum = rk_ex_int(b->pool, 0);

    for (size_t i = 0; b->tail.way == RK_LOSS_WHOLE && i < b->p->n_output; i++) {
        const rk_tensor *t = &b->p->tensor[b->p->output[i]];
        rk_ex n = rk_ex_int(b->pool, rk_type_bytes(b->places.tensor[b->p->output[i]].type, &run));

        for (size_t k = 0; k < t->axes.n; k++)
            n = rk_ex_mul(b->pool, n, t->axes.at[k].size);
        sum = rk_ex_add(b->pool, sum, n);
    }
    return sum;
}

/* Whether an output has all places of a sequence, of which the last one is made. */
static bool has_places(const building *b, uint32_t tensor, rk_ex places)
{
    const rk_ixs *axes = &b->p->tensor[tensor].axes;

    for (size_t i = 0; places != RK_EX_FAILED && i < axes->n; i++)
        if (axes->at[i].size == places)
            return true;
    return false;
}

/* The output of each sequence's last place. */
static void find_logits(building *b)
{
    rk_ex places = new_tokens(b), all = output_formula(b);
    bool one = b->p->n_output > 0 && has_places(b, b->p->output[0], places);

    b->m->logits_formula = one ? rk_ex_div(b->pool, all, places) : all;
    b->m->logits = value(b, b->m->logits_formula);
    b->m->positions = b->code == RK_OK ? rk_serve_positions(b->model) : 0;
}

static void find_infer_peak(building *b)
{
    find_logits(b);
    b->m->peak = b->weights + b->o->workspace + b->held.forward.bytes;
    put_fixed(b, 1, false, false, false);
    name_peak(b, "the forward pass", &b->held.forward);
    put_moment(b, &b->held, &b->held.forward);
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
static rk_ex fixed_formula(building *b)
{
    rk_ex workspace = rk_ex_int(b->pool, b->o->workspace * (b->o->phase == RK_PHASE_TRAIN ? 2 : 1));

    if (adds_up(b) && b->o->phase == RK_PHASE_TRAIN)
        workspace = rk_ex_add(b->pool, workspace, b->m->gradients_formula);
    return rk_ex_add(b->pool, workspace, rk_ex_add(b->pool, b->m->parameters_formula, b->m->optimizer_formula));
}

/* Largest first; of equal ones the one that was there first. */
static void put_moment_sorted(building *b, rk_memory_moment x)
{
    rk_memory *m = b->m;
    size_t i = m->n_moment++;

    x.extra = x.bytes - value(b, x.formula);
    for (; i > 0 && m->moment[i - 1].bytes < x.bytes; i--)
        m->moment[i] = m->moment[i - 1];
    m->moment[i] = x;
}

static void add_moment(building *b, const char *during, const rk_moment *at, rk_i128 base, rk_ex besides)
{
    rk_timeline_options o = walk_options(b, true);
    rk_moment_terms t = {.model = b->model,
                         .places = &b->places,
                         .timeline = &b->held,
                         .run = o.run,
                         .one_of = o.places,
                         .cache = b->cache_each};
    rk_ex formula = RK_EX_FAILED;

    if (b->code != RK_OK || at->bytes == 0)
        return;
    b->code = rk_moment_formula(&t, at, &formula, b->err);
    put_moment_sorted(
        b,
        (rk_memory_moment){.during = during,
                           .path = at->op == RK_NONE ? NULL : path_of(b, b->p->op[at->op].part, b->p->op[at->op].name),
                           .bytes = base + at->bytes,
                           .formula = rk_ex_add(b->pool, besides, formula)});
}

static void add_moments(building *b)
{
    bool train = b->o->phase == RK_PHASE_TRAIN;
    rk_i128 base = train ? standing(b) : b->weights + b->o->workspace;
    rk_ex fixed = fixed_formula(b), gradients = adds_up(b) ? rk_ex_int(b->pool, 0) : b->m->gradients_formula;
    rk_ex in_step = rk_ex_add(b->pool, rk_ex_add(b->pool, fixed, gradients), output_formula(b));

    add_moment(b, "the forward pass", &b->held.forward, base + (train ? output_bytes(b) : 0),
               train ? rk_ex_add(b->pool, fixed, output_formula(b)) : fixed);
    for (size_t i = 0; train && i < RK_N_STRETCH; i++)
        add_moment(b, stretch_text[i], &b->held.stretch[i], base, fixed);
    if (train && b->code == RK_OK)
        put_moment_sorted(b, (rk_memory_moment){.during = "the optimizer's step",
                                                .bytes = step_bytes(b),
                                                .formula = rk_ex_add(b->pool, in_step,
                                                                     rk_ex_add(b->pool, b->spare_sum, b->spare_most))});
}

/* ---- the film --------------------------------------------------------------------------------------------------- */

/* What is alive beside the buffers of the timeline; the largest frame is the peak. */
static rk_film film_of(const building *b)
{
    bool train = b->o->phase == RK_PHASE_TRAIN;
    rk_film f = {.model = b->model,
                 .places = &b->places,
                 .flow = &b->flow,
                 .walk = walk_options(b, true),
                 .before = train ? output_bytes(b) : 0,
                 .viewer = b->o->viewer};

    f.fixed[RK_CLASS_WEIGHTS] = b->weights;
    f.fixed[RK_CLASS_OPTIMIZER] = train ? b->moments : 0;
    f.fixed[RK_CLASS_WORKSPACE] = b->o->workspace * (train ? 2 : 1);
    f.fixed[RK_CLASS_GRADIENTS] = train && adds_up(b) ? b->weight_gradients : 0;
    f.step[RK_CLASS_GRADIENTS] = train && !adds_up(b) ? b->weight_gradients : 0;
    f.step[RK_CLASS_PASSING] = train ? b->m->spare + output_bytes(b) : 0;
    return f;
}

static void show_film(building *b)
{
    rk_film f = film_of(b);

    if (b->code == RK_OK && b->o->viewer.see)
        b->code = rk_film_show(&b->m->arena, &f, b->err);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static void add_piece(building *b, rk_again piece)
{
    rk_again *slot = RK_PUSH(&b->m->arena, &b->m->pieces);

    if (slot)
        *slot = piece;
    else
        b->code = rk_fail_memory(b->err);
}

/* What is computed again backward: the heart of attention, the head and the loss. */
static void find_pieces(building *b)
{
    if (b->code != RK_OK || b->o->phase != RK_PHASE_TRAIN)
        return;
    if (b->o->attention_again)
        b->code = rk_again_attention(&b->m->arena, b->p, &b->m->pieces, b->err);
    if (b->code == RK_OK && b->o->attention_again && b->m->pieces.n == 0)
        b->code = rk_fail(b->err, RK_EINPUT, "this model has no attention whose scores could be computed again");
    if (b->code == RK_OK && b->o->loss && b->o->way != RK_LOSS_WHOLE)
        b->code = rk_tail_new(&b->m->arena, b->model, &b->flow, b->o->way, b->o->chunk, asked_of(b), &b->places,
                              &b->tail, b->err);
    if (b->code == RK_OK && b->tail.way == RK_LOSS_CHUNKED)
        add_piece(b, b->tail.ops);
}

/* Numbers of which a recipe knows no expression: how many layers there are, and rows that blocks must fit. */
static void pin_numbers(building *b)
{
    rk_recipe *r = b->o->recipe;

    for (uint32_t g = 0; g < b->p->n_group; g++)
        rk_recipe_pin(r, rk_group_times(b->p, g), value(b, rk_group_times(b->p, g)));
    for (size_t i = 0; b->m->holding.packed && i < b->p->n_weight; i++)
        for (size_t k = 0; b->m->holding.packed[i] && k < b->p->weight[i].n_dim; k++)
            rk_recipe_pin(r, b->p->weight[i].dim[k], value(b, b->p->weight[i].dim[k]));
    for (size_t i = 0; rk_number_block(b->o->cache) > 1 && i < b->m->carried.n; i++) {
        const rk_ixs *axes = &b->p->tensor[b->m->carried.at[i].tensor].axes;

        if (axes->n > 0)
            rk_recipe_pin(r, axes->at[axes->n - 1].size, value(b, axes->at[axes->n - 1].size));
    }
}

static void finish_recipe(building *b)
{
    rk_recipe *r = b->o->recipe;

    if (!r || b->code != RK_OK)
        return;
    pin_numbers(b);
    for (size_t i = 0; b->o->phase == RK_PHASE_TRAIN && b->tail.way == RK_LOSS_WHOLE && i < b->p->n_output; i++)
        rk_recipe_add(r, RK_HELD_OUTPUT, r->census.size.at[r->census.of_gradient[b->p->output[i]]], 1);
}

/* What does not depend on the run, for those who divide it over devices. */
static void note_held(building *b)
{
    b->m->held_weights = b->weights;
    b->m->held_gradients = b->weight_gradients;
    b->m->held_optimizer = b->moments;
    b->m->output = b->o->phase == RK_PHASE_TRAIN ? output_bytes(b) : 0;
}

static void build(building *b)
{
    rk_run_options run = {.bytes = b->o->bytes, .by_book = b->o->by_book, .eighths = b->o->eighths};
    rk_run_options noted = run;

    noted.asked = asked_of(b);
    b->code = rk_flow_new(&b->m->arena, b->p, &b->flow, b->err);
    if (b->code == RK_OK)
        b->code = rk_places_new(&b->m->arena, b->model, &b->flow, &noted, &b->places, b->err);
    find_pieces(b);
    add_weights(b);
    add_caches(b);
    walk(b, true, &b->held);
    if (b->o->phase == RK_PHASE_TRAIN)
        walk(b, false, &b->alone);
    if (b->code != RK_OK)
        return;
    note_held(b);
    add_kept(b);
    if (b->o->phase == RK_PHASE_TRAIN)
        find_train_peak(b);
    else
        find_infer_peak(b);
    add_moments(b);
    if (b->code == RK_OK && b->o->phase == RK_PHASE_TRAIN && !b->o->by_book)
        b->code = rk_variants_new(&b->m->arena, b->model, &b->flow, &run, &b->places, &b->m->kept_for, b->err);
    show_film(b);
    finish_recipe(b);
}

int rk_memory_new(rk_model *model, const rk_memory_options *o, rk_memory **out, rk_err *err)
{
    rk_memory *m = rk_heap_alloc(sizeof *m);
    building b = {.m = m, .model = model, .p = &model->program, .pool = model->pool, .o = o, .err = err};

    if (!m)
        return rk_fail_memory(err);
    memset(m, 0, sizeof *m);
    m->model = model;
    m->options = *o;
    b.at = rk_model_binding(model);
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
