/* SPDX-License-Identifier: MIT */
#include "account/building.h"

/* ---- what the host holds ----------------------------------------------------------------------------------------- */

/* What layers have saved there: each place of each layer, or what goes into layers that are recomputed together. */
static void add_host_activations(rk_building *b)
{
    for (uint32_t i = 0; rk_building_is_on_host(b, RK_HOST_ACTIVATIONS) && i < b->places.n_buffer; i++) {
        const rk_buffer *x = &b->places.buffer[i];

        if (b->step.offloaded && b->step.offloaded[i] != 0)
            rk_building_hold_on_host(b, RK_HOST_ACTIVATIONS, rk_group_times(b->pool, b->p, b->step.offloaded[i] - 1),
                                     rk_building_in_bytes(b, x->count, rk_type_bytes(x->type, &b->run)));
    }
    for (size_t i = 0; rk_building_is_on_host(b, RK_HOST_ACTIVATIONS) && b->o->recompute_layers > 0 && i < b->p->n_loop;
         i++) {
        const rk_loop *l = &b->p->loop[i];
        rk_i128 n = (rk_i128)((l->n_layer + b->o->recompute_layers - 1) / b->o->recompute_layers);

        for (size_t v = 0; l->parent == 0 && l->n_group > 0 && v < l->n_carry; v++)
            rk_building_hold_on_host(b, RK_HOST_ACTIVATIONS, rk_ex_int(b->pool, n),
                                     rk_building_output_bytes(b, b->p->group[l->group[0]].in[v]));
    }
}

/* Bytes of the weights that the rank's optimizer changes: all that it has, or those of its share. */
static rk_i128 changed_bytes(rk_building *b)
{
    rk_i128 sum = 0;

    if (rk_building_is_flat(b))
        return b->o->bytes *
               rk_building_value(b, rk_ex_add(b->pool, rk_step_flat_piece(b->pool, b->p, b->o->layout, false),
                                              rk_step_flat_piece(b->pool, b->p, b->o->layout, true)));
    for (size_t i = 0; b->own && i < b->p->n_weight; i++)
        sum += b->own[i] * rk_building_value(b, b->p->weight[i].count) * (b->p->weight[i].wide ? 4 : b->o->bytes);
    return b->own ? sum : b->m->parameters;
}

/*
 * Over the link in a step: gradients go to the optimizer, or to where they are added up, pass by pass, and the weights
 * that it has changed come back; pieces of weights come for each gather; what layers have saved goes and comes back.
 */
void rk_building_add_host(rk_building *b)
{
    rk_memory *m = b->m;
    rk_i128 passes = b->o->passes > 1 ? b->o->passes : 1, gathered = 0, gradients;

    add_host_activations(b);
    for (size_t i = 0; i < RK_N_HOST && b->code == RK_OK; i++)
        m->host[i] = rk_building_value(b, m->host_formula[i]);
    for (size_t i = 0; rk_building_is_on_host(b, RK_HOST_WEIGHTS) && i < m->sent.n; i++)
        if (m->sent.at[i].sent.op == RK_COLLECTIVE_ALL_GATHER && m->sent.at[i].sent.axis == RK_MESH_FSDP)
            gathered += rk_building_value(b, m->sent.at[i].sent.elements) * m->sent.at[i].times *
                        rk_building_stored_bytes(b) / b->o->layout->size[RK_MESH_FSDP];
    gradients = rk_building_is_on_host(b, RK_HOST_GRADIENTS)   ? m->host[RK_HOST_GRADIENTS] * passes
                : rk_building_is_on_host(b, RK_HOST_OPTIMIZER) ? m->gradients
                                                               : 0;
    m->to_host = gradients + m->host[RK_HOST_ACTIVATIONS] * passes;
    m->from_host =
        gathered + m->host[RK_HOST_ACTIVATIONS] * passes +
        (rk_building_is_on_host(b, RK_HOST_OPTIMIZER) && !rk_building_is_on_host(b, RK_HOST_WEIGHTS) ? changed_bytes(b)
                                                                                                     : 0);
}

/* ---- what is sent ------------------------------------------------------------------------------------------------ */

/* Of a pipeline: each list as often as it is run. */
static void add_sent_in_turn(rk_building *b)
{
    rk_i128 *times = RK_NEW_ARRAY(&b->m->arena, b->step.n_list + 1, rk_i128);

    if (!times)
        rk_building_fail(b);
    for (size_t i = 0; times && i < b->step.n_act; i++)
        times[b->step.act[i].list]++;
    for (uint32_t i = 0; i < b->step.n_list && b->code == RK_OK; i++)
        if (times[i] > 0)
            b->code = rk_sent_add_list(&b->m->arena, b->x, &b->step, i, RK_SENT_PIPELINE, times[i], &b->run,
                                       &b->m->sent, b->err);
}

void rk_building_add_sent(rk_building *b)
{
    static const rk_sent_phase phase_of[] = {RK_SENT_FORWARD, RK_SENT_PREFILL, RK_SENT_DECODE};
    const rk_step *s = &b->step;
    const struct {
        uint32_t list;
        rk_sent_phase phase;
        rk_i128 passes;
    } part[] = {{s->forward, phase_of[b->o->phase], b->o->passes > 1 ? b->o->passes : 1},
                {s->backward, RK_SENT_BACKWARD, b->o->passes > 1 ? b->o->passes : 1},
                {s->update, RK_SENT_OPTIMIZER, 1}};

    if (rk_building_is_pipeline(b))
        add_sent_in_turn(b);
    for (size_t i = rk_building_is_pipeline(b) ? 2 : 0;
         b->o->layout && i < sizeof part / sizeof *part && b->code == RK_OK; i++)
        b->code = rk_sent_add_list(&b->m->arena, b->x, s, part[i].list, part[i].phase, part[i].passes, &b->run,
                                   &b->m->sent, b->err);
}
