/* SPDX-License-Identifier: MIT */
#include "account/building.h"

/* ---- the step --------------------------------------------------------------------------------------------------- */

/* Whether gradients of several micro-batches are added up in one step. */
static bool has_turns(const rk_building *b)
{
    return rk_building_is_pipeline(b) && b->schedule.n_micro > 1;
}

rk_step_options rk_building_step_options(const rk_building *b, bool hold_output)
{
    const rk_memory_options *o = b->o;
    rk_step_options how = {
        .run = b->run,
        .backward = b->train,
        .loss = b->train && o->loss,
        .hold_output = hold_output && !(o->loss && o->layout && o->layout->runtime.drops_outputs),
        .recompute_layers = o->recompute_layers,
        .recomputed = b->recomputed.recomputed,
        .stays = b->recomputed.stays,
        .recompute_together = o->recompute_ops.by_kind,
        .chunk = b->chunk.region ? &b->chunk : NULL,
        .adds_up = (rk_building_adds_up(b) || (rk_building_only_in_buckets(b) && !has_turns(b)) ||
                    rk_building_is_on_host(b, RK_HOST_GRADIENTS)) &&
                   !b->first,
        .offloads = rk_building_is_on_host(b, RK_HOST_ACTIVATIONS),
        .leaves = (rk_building_has_two_passes(b) && !b->first) || (rk_building_only_in_buckets(b) && has_turns(b)),
        .rounding = o->profile.rounding,
        .schedule = rk_building_is_pipeline(b) ? &b->schedule : NULL,
        .holds_gradients = rk_building_is_pipeline(b) &&
                           (o->layout->schedule == RK_SCHEDULE_1F1B || o->layout->schedule == RK_SCHEDULE_GPIPE),
        .keeps_outputs = rk_building_is_pipeline(b) && !o->layout->drop_outputs,
        .cache = b->train ? NULL : b->cache,
        .cache_each = b->train ? NULL : b->cache_each,
        .places = b->train ? RK_EX_FAILED : rk_keep_fresh(b->p),
        .carried = o->phase == RK_PHASE_DECODE,
        .layout = o->layout,
        .units = b->gathers ? &b->units : NULL,
        .stored = rk_building_stored_bytes(b),
        .gradient_reads = rk_optimizer_table[o->optimizer].reads,
        .detailed = b->gathers && !o->recipe, /* at its peak, what is made inside of operations counts */
        .accumulates_whole = b->train && b->gathers && o->passes > 1 && o->layout->no_sync,
        .unpacks = b->train ? b->unpacks : NULL,
        .census = hold_output && o->recipe ? &o->recipe->census : NULL,
    };

    how.run.conditions = b->conditions;
    return how;
}

/* Buckets of gradients are there from step to step. */
void rk_building_add_buckets(rk_building *b)
{
    const rk_step *s = &b->step;

    for (size_t i = 0; i < s->n_sent && b->code == RK_OK; i++)
        if (s->sent[i].is_bucket)
            b->m->held_buckets += rk_building_hold(b, RK_HELD_ALWAYS, s->sent[i].times,
                                                   rk_building_in_bytes(b, s->sent[i].elements, s->sent[i].bytes),
                                                   &b->m->buckets_formula);
}

/* What a product with a weight in a layer gives for each row of its operand, and sums over; of experts, one. */
static bool shape_of(rk_building *b, const rk_op *op, rk_ex *rows, rk_ex *columns)
{
    size_t weight = rk_op_weight(b->p, op);
    const rk_ixs *axes = weight < 2 ? &op->in[weight].axes : NULL;

    if (!axes || !op->summed || op->group == 0 || b->p->tensor[op->in[weight].tensor].kind != RK_TENSOR_WEIGHT ||
        b->p->weight[b->p->tensor[op->in[weight].tensor].weight].frozen)
        return false;
    *rows = *columns = rk_ex_int(b->pool, 1);
    for (size_t i = 0; i < axes->n; i++) {
        bool given = rk_ixs_has(&b->p->tensor[op->out].axes, axes->at[i].label);
        rk_ex *to = given ? rows : columns;

        if (axes->at[i].kind != RK_IX_ROUTED)
            *to = rk_ex_mul(b->pool, *to, axes->at[i].size);
    }
    return true;
}

/*
 * Where products add to gradients by themselves, what they hand back in the place of a gradient is one buffer of each
 * shape, there from the first step on.  Products of a layer that read the same are one.
 */
void rk_building_add_shapes(rk_building *b)
{
    RK_VEC(rk_i128) known = {0};
    bool any = b->train && b->o->layout && b->o->layout->runtime.fuses_gradients;

    for (size_t i = 0; any && i < b->p->n_op && b->code == RK_OK; i++) {
        const rk_op *op = &b->p->op[i];
        rk_ex rows, columns, more, unused;
        size_t weight = rk_op_weight(b->p, op), k = 0;
        bool first = true;
        rk_i128 *slot, pair[2];

        if (!shape_of(b, op, &rows, &columns))
            continue;
        for (size_t j = b->p->group[op->group].first_op; j < b->p->group[op->group].end_op; j++) {
            const rk_op *other = &b->p->op[j];

            if (j == i || other->group != op->group || !shape_of(b, other, &more, &unused) ||
                other->in[1 - rk_op_weight(b->p, other)].tensor != op->in[1 - weight].tensor)
                continue;
            first &= j > i;
            rows = rk_ex_add(b->pool, rows, more);
        }
        pair[0] = rk_building_value(b, rows);
        pair[1] = rk_building_value(b, columns);
        while (k + 1 < known.n && (known.at[k] != pair[0] || known.at[k + 1] != pair[1]))
            k += 2;
        if (!first || k + 1 < known.n)
            continue;
        for (k = 0; k < 2; k++) {
            if (!(slot = RK_PUSH(&b->m->arena, &known))) {
                rk_building_fail(b);
                return;
            }
            *slot = pair[k];
        }
        b->m->held_buckets += rk_building_hold(b, RK_HELD_ALWAYS, rk_ex_int(b->pool, 1),
                                               rk_building_in_bytes(b, rk_ex_mul(b->pool, rows, columns), b->o->bytes),
                                               &b->m->buckets_formula);
    }
}

void rk_building_note_recomputed(rk_building *b)
{
    bool *recomputed = RK_NEW_ARRAY(&b->m->arena, b->p->n_op + 1, bool);

    for (size_t i = 0; recomputed && i < b->step.n_task; i++)
        if (b->step.task[i].kind == RK_TASK_RECOMPUTE) {
            recomputed[b->step.task[i].op] = true;
            b->m->n_recomputed++;
        }
    b->m->recomputed = recomputed;
    if (!recomputed)
        rk_building_fail(b);
}

/* ---- one walk ---------------------------------------------------------------------------------------------------- */

void rk_building_walk(rk_building *b, bool hold_output, rk_step *step, rk_timeline *out)
{
    const rk_memory_options *o = b->o;
    rk_step_options how = rk_building_step_options(b, hold_output);
    rk_building_showing f;
    rk_watcher watcher = rk_building_watcher(&f, b);

    if (b->code == RK_OK)
        b->code = rk_step_new(&b->m->arena, b->x, &b->places, &b->flow, &how, step, b->err);
    if (b->code == RK_OK)
        b->code = rk_timeline_new(&b->m->arena, step, rk_building_shows_walk(b) ? &watcher : NULL, how.census,
                                  !o->unnamed && !(o->recipe && o->recipe->sums_alone), out, b->err);
}
