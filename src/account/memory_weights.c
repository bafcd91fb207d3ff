/* SPDX-License-Identifier: MIT */
#include "account/memory_build.h"

/* Bytes of one of its numbers. */
static int weight_bytes(const rk_building *b, const rk_weight *w)
{
    return w->wide ? 4 : b->o->bytes;
}

/* A weight that is as wide as the master copy would be is its own. */
static int master_of(const rk_building *b, const rk_weight *w)
{
    return w->wide ? 0 : b->o->master;
}

/* Where gradients are added up they stay from pass to pass, and in a type of their own from step to step. */
bool rk_building_adds_up(const rk_building *b)
{
    return b->o->passes > 1 || b->o->gradient > 0;
}

static rk_ex gradient_of(rk_building *b, const rk_weight *w)
{
    return rk_building_times_bytes(b, w->count, b->o->gradient ? b->o->gradient : weight_bytes(b, w));
}

/* What the optimizer's step takes beside it: for all tensors, and for the largest one. */
static void note_spare(rk_building *b, const rk_weight *w, rk_i128 times, rk_ex all, rk_ex one)
{
    rk_i128 bytes = rk_building_rounded(b, rk_building_value(b, one));

    rk_recipe_add(b->o->recipe, RK_HELD_IN_STEP, all, times);
    rk_recipe_add(b->o->recipe, RK_HELD_ONE_IN_STEP, one, 1);
    b->spare_all += times * rk_building_rounded(b, rk_building_value(b, all));
    b->spare_sum = rk_ex_add(b->pool, b->spare_sum, rk_ex_mul(b->pool, rk_group_times(b->pool, b->p, w->group), all));
    if (bytes <= b->spare_one)
        return;
    b->spare_one = bytes;
    b->spare_most = one;
}

/* What the optimizer keeps of a tensor, and what its step takes beside it. */
static rk_ex state_of(rk_building *b, const rk_weight *w, rk_i128 times)
{
    rk_optimizer o = b->o->optimizer;
    rk_optimizer_types types = rk_optimizer_types_of(o, weight_bytes(b, w), master_of(b, w));
    rk_matrix matrix = b->instance->model->roles.weight[w - b->p->weight].matrix;
    rk_optimizer_tensor t = rk_optimizer_sees(o, w, matrix, rk_building_value(b, w->count));

    if (rk_optimizer_table[o].coded)
        rk_asked_less(rk_building_asked(b), w->count, rk_ex_int(b->pool, RK_OPTIMIZER_CODED_FROM), !t.large);
    note_spare(b, w, times, rk_optimizer_spare_all(b->pool, o, &t, &types),
               rk_optimizer_spare_one(b->pool, o, &t, &types));
    /* A count of steps is a number of four bytes; it takes room because the allocator rounds it up. */
    if (rk_optimizer_table[o].counts && b->o->profile.rounding > 1) {
        b->moments += times * b->o->profile.rounding;
        rk_recipe_add_plain(b->o->recipe, times * b->o->profile.rounding);
    }
    return rk_optimizer_state(b->pool, o, &t, &types);
}

static void add_weight(rk_building *b, const rk_weight *w)
{
    rk_memory *m = b->m;
    rk_ex times = rk_group_times(b->pool, b->p, w->group);
    rk_ex stored = b->m->holding.each[w - b->p->weight];
    rk_i128 n = rk_building_value(b, times);
    bool trains = b->o->phase == RK_PHASE_TRAIN && !w->frozen;
    rk_ex state = trains ? rk_ex_add(b->pool, state_of(b, w, n), rk_building_times_bytes(b, w->count, master_of(b, w)))
                         : rk_ex_int(b->pool, 0);

    m->parameters_formula = rk_ex_add(b->pool, m->parameters_formula, rk_ex_mul(b->pool, times, stored));
    m->optimizer_formula = rk_ex_add(b->pool, m->optimizer_formula, rk_ex_mul(b->pool, times, state));
    b->weights += n * rk_building_rounded(b, rk_building_value(b, stored));
    b->moments += n * rk_building_rounded(b, rk_building_value(b, state));
    rk_recipe_add(b->o->recipe, RK_HELD_ALWAYS, stored, n);
    rk_recipe_add(b->o->recipe, RK_HELD_ALWAYS, state, n);
    if (!trains)
        return;
    m->gradients_formula = rk_ex_add(b->pool, m->gradients_formula, rk_ex_mul(b->pool, times, gradient_of(b, w)));
    b->weight_gradients += n * rk_building_rounded(b, rk_building_value(b, gradient_of(b, w)));
    rk_recipe_add(b->o->recipe, rk_building_adds_up(b) ? RK_HELD_ALWAYS : RK_HELD_IN_STEP, gradient_of(b, w), n);
}

/* How weights are held: as the options say, or else by the type that they ask for. */
static void find_holding(rk_building *b)
{
    bool trained = b->o->phase == RK_PHASE_TRAIN;

    if (b->o->holding)
        b->m->holding = *b->o->holding;
    else if (b->code == RK_OK)
        b->code =
            rk_holding_new(&b->m->arena, b->instance, b->o->bytes, b->o->weights, trained, &b->m->holding, b->err);
}

/* A file's bytes are known, though not those of each weight. */
static void weigh_file(rk_building *b)
{
    b->m->parameters = b->weights = b->m->holding.whole;
    rk_recipe_add_plain(b->o->recipe, b->m->holding.whole);
    b->m->parameters_formula = rk_ex_int(b->pool, b->m->holding.whole);
    b->m->gradients_formula = b->m->optimizer_formula = rk_ex_int(b->pool, 0);
}

static void add_once(rk_building *b)
{
    rk_i128 once = b->o->phase == RK_PHASE_TRAIN ? rk_optimizer_once(b->o->optimizer) : 0;

    b->m->optimizer_formula = rk_ex_add(b->pool, b->m->optimizer_formula, rk_ex_int(b->pool, once));
    b->moments += once;
    rk_recipe_add_plain(b->o->recipe, once);
    b->m->spare = b->spare_all + b->spare_one;
}

static void mark_packed(rk_building *b)
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

void rk_building_add_weights(rk_building *b)
{
    rk_memory *m = b->m;

    find_holding(b);
    mark_packed(b);
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
    m->parameters = rk_building_value(b, m->parameters_formula);
    m->gradients = rk_building_value(b, m->gradients_formula);
    m->optimizer = rk_building_value(b, m->optimizer_formula);
}
