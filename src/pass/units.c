/* SPDX-License-Identifier: MIT */
#include "pass/units.h"

#include "pass/passes.h"

#include <string.h>

typedef struct finding {
    rk_arena *a;
    const rk_instance *m;
    const rk_program *p;
    rk_pool *pool;
    const rk_layout *l;
    rk_weight_units *out;
    size_t first_layer, end_layers; /* operations: where the first loop begins, and the last one ends */
    uint32_t *first, *last;         /* of each weight: operations that read it; RK_NONE: none does */
    int code;
    rk_err *err;
} finding;

bool rk_layout_gathers(const rk_layout *l)
{
    return l && (rk_layout_group(l, RK_MESH_FSDP, false) > 1 || l->size[RK_MESH_REPLICATE] > 1);
}

uint32_t rk_units_owner(const rk_weight_units *u, const rk_program *p, uint32_t weight)
{
    return u && u->apart[weight] ? weight : rk_weight_owner(p, weight);
}

static rk_i128 value(finding *f, rk_ex e)
{
    return rk_instance_value(f->m, e, &f->code, f->err);
}

/* ---- pieces ----------------------------------------------------------------------------------------------------- */

static bool is_expert(const rk_weight *w)
{
    return w->pieces >> RK_MESH_EP & 1;
}

/* Over how many devices the pieces of a weight lie. */
static rk_ex devices_of(const finding *f, const rk_weight *w)
{
    return rk_mesh_group(f->pool, f->l, RK_MESH_FSDP, is_expert(w));
}

/* Rows of a piece, and those of this rank's that are not padding. */
static void cut(finding *f, uint32_t i)
{
    const rk_weight *w = &f->p->weight[i];
    rk_ex n = w->n_dim > 0 ? w->dim[0] : rk_ex_int(f->pool, 1), width = rk_ex_div(f->pool, w->count, n), rows, own;
    rk_i128 all = value(f, n), devices = rk_layout_group(f->l, RK_MESH_FSDP, is_expert(w));
    rk_i128 place = rk_layout_group_place(f->l, RK_MESH_FSDP, is_expert(w)), each = (all + devices - 1) / devices;
    rk_i128 before = place * each;

    if (all % devices == 0)
        rows = own = rk_ex_div(f->pool, n, devices_of(f, w));
    else {
        rows = rk_ex_ceil_div(f->pool, n, devices_of(f, w));
        own = before + each <= all ? rows
              : before >= all      ? rk_ex_int(f->pool, 0)
                                   : rk_ex_sub(f->pool, n, rk_ex_mul(f->pool, rk_ex_int(f->pool, place), rows));
    }
    if (f->l->runtime.gathers_views) { /* as one row, and what pads it is a part of it */
        rows = own = rk_ex_ceil_div(f->pool, w->count, devices_of(f, w));
        width = rk_ex_int(f->pool, 1);
    }
    f->out->rows[i] = own;
    f->out->own[i] = rk_ex_mul(f->pool, own, width);
    f->out->piece[i] = rk_ex_mul(f->pool, rows, width);
}

/* ---- units ------------------------------------------------------------------------------------------------------ */

/* Which group of layers, outside of all others, a group belongs to; 0: none. */
static uint32_t layers_around(const rk_program *p, uint32_t group)
{
    while (group != 0 && p->group[group].parent != 0)
        group = p->group[group].parent;
    return group;
}

static void note_reads(finding *f)
{
    memset(f->first, 0xFF, f->p->n_weight * sizeof *f->first);
    memset(f->last, 0xFF, f->p->n_weight * sizeof *f->last);
    for (size_t i = 0; i < f->p->n_op; i++)
        for (size_t k = 0; k < f->p->op[i].n_in; k++) {
            const rk_tensor *t = &f->p->tensor[f->p->op[i].in[k].tensor];

            if (t->kind != RK_TENSOR_WEIGHT)
                continue;
            if (f->first[t->weight] == RK_NONE)
                f->first[t->weight] = (uint32_t)i;
            f->last[t->weight] = (uint32_t)i;
        }
    f->first_layer = f->p->n_op;
    for (size_t i = 0; i < f->p->n_loop; i++)
        if (f->p->loop[i].parent == 0 && f->p->loop[i].first_op != f->p->loop[i].end_op) {
            f->first_layer = f->p->loop[i].first_op < f->first_layer ? f->p->loop[i].first_op : f->first_layer;
            f->end_layers = f->p->loop[i].end_op > f->end_layers ? f->p->loop[i].end_op : f->end_layers;
        }
}

static uint32_t new_unit(finding *f, rk_weight_unit_kind kind, uint32_t group, bool freed)
{
    rk_ex zero = rk_ex_int(f->pool, 0);

    f->out->at[f->out->n] = (rk_weight_unit){.kind = kind,
                                             .group = group,
                                             .elements = zero,
                                             .trained = zero,
                                             .experts = zero,
                                             .experts_trained = zero,
                                             .own_elements = zero,
                                             .own_trained = zero,
                                             .whole = zero,
                                             .freed = freed,
                                             .first = RK_NONE,
                                             .last = RK_NONE,
                                             .outlives = RK_NONE};
    return (uint32_t)f->out->n++;
}

static bool is_table(const finding *f, uint32_t i)
{
    uint32_t op = f->first[i];

    return op != RK_NONE && op < f->first_layer && f->m->model->roles.op[op] == RK_ROLE_LOOKUP;
}

/* Outside of layers; `table`: the one that tokens are looked up in is tied to the head, which has its own. */
static rk_weight_unit_kind kind_of(const finding *f, uint32_t i, bool table)
{
    bool late = f->first[i] != RK_NONE && f->first[i] >= f->end_layers;

    if (f->l->units == RK_UNITS_DEFAULT || (f->l->runtime.gathers_views && table)) /* tied ones stay one */
        return RK_WEIGHT_UNIT_ROOT;
    if (f->l->units == RK_UNITS_HF && table)
        /* The table is gathered with the last norm and stays; the head's is what nobody has named. */
        return f->out->apart[i]         ? RK_WEIGHT_UNIT_ROOT
               : late || is_table(f, i) ? RK_WEIGHT_UNIT_HEAD
                                        : RK_WEIGHT_UNIT_ROOT;
    return is_table(f, i) ? RK_WEIGHT_UNIT_EMBEDDING : late ? RK_WEIGHT_UNIT_HEAD : RK_WEIGHT_UNIT_ROOT;
}

/* A table and a head that are named in different units are cut apart, whatever tied them. */
static bool find_apart(finding *f)
{
    bool any = false;

    for (uint32_t i = 0; f->l->units != RK_UNITS_DEFAULT && i < f->p->n_weight; i++) {
        uint32_t owner = rk_weight_owner(f->p, i);

        bool apart = owner != i && f->p->weight[i].group == 0 && f->p->weight[owner].group == 0 && is_table(f, owner) &&
                     f->first[i] != RK_NONE && f->first[i] >= f->end_layers;
        f->out->apart[i] = apart && !f->l->runtime.gathers_views;
        any |= apart;
    }
    return any;
}

static void add_weight(finding *f, uint32_t i, rk_weight_unit *u)
{
    const rk_weight *w = &f->p->weight[i];
    rk_ex times = rk_group_times(f->pool, f->p, w->group), own, all;

    if (u->kind == RK_WEIGHT_UNIT_LAYER) /* of one layer: loops within it count */
        times = rk_ex_div(f->pool, times, rk_group_times(f->pool, f->p, u->group));
    own = rk_ex_mul(f->pool, times, f->out->piece[i]);
    all = rk_ex_mul(f->pool, devices_of(f, w), own);
    if (value(f, w->count) > f->l->runtime.stay_whole) {
        u->elements = rk_ex_add(f->pool, u->elements, all);
        u->own_elements = rk_ex_add(f->pool, u->own_elements, own);
        if (is_expert(w))
            u->experts = rk_ex_add(f->pool, u->experts, all);
    } else {
        f->out->kept =
            rk_ex_add(f->pool, f->out->kept, rk_ex_mul(f->pool, rk_group_times(f->pool, f->p, w->group), w->count));
    }
    if (!w->frozen) {
        u->trained = rk_ex_add(f->pool, u->trained, all);
        u->own_trained = rk_ex_add(f->pool, u->own_trained, own);
        if (is_expert(w))
            u->experts_trained = rk_ex_add(f->pool, u->experts_trained, all);
        u->whole = rk_ex_add(f->pool, u->whole, rk_ex_mul(f->pool, times, w->count));
    }
    if (u->kind == RK_WEIGHT_UNIT_LAYER || f->first[i] == RK_NONE)
        return;
    u->first = u->first == RK_NONE || f->first[i] < u->first ? f->first[i] : u->first;
    u->last = u->last == RK_NONE || f->last[i] > u->last ? f->last[i] : u->last;
    if (!w->frozen) /* of one unit, the gradient of the last one is in hand until all are reduced */
        u->outlives = i;
}

static void find_units(finding *f)
{
    rk_weight_units *out = f->out;
    bool freed = f->l->reshard != RK_RESHARD_NO, tied = find_apart(f);
    uint32_t *kind[] = {[RK_WEIGHT_UNIT_ROOT] = &out->root,
                        [RK_WEIGHT_UNIT_EMBEDDING] = &out->embedding,
                        [RK_WEIGHT_UNIT_HEAD] = &out->head};
    const bool frees[] = {[RK_WEIGHT_UNIT_ROOT] = f->l->reshard == RK_RESHARD_ALL,
                          [RK_WEIGHT_UNIT_EMBEDDING] = freed,
                          [RK_WEIGHT_UNIT_HEAD] = false};

    for (uint32_t i = 0; i < f->p->n_weight && f->code == RK_OK; i++) {
        const rk_weight *w = &f->p->weight[i];
        uint32_t group = layers_around(f->p, w->group), *unit = group ? &out->of_group[group] : NULL;

        if (w->buffer || (w->tied_to != RK_NONE && !out->apart[i]))
            continue;
        if (!unit)
            unit = kind[kind_of(f, i, tied)];
        if (*unit == RK_NONE)
            *unit = group ? new_unit(f, RK_WEIGHT_UNIT_LAYER, group, freed)
                          : new_unit(f, kind_of(f, i, tied), 0, frees[kind_of(f, i, tied)]);
        cut(f, i);
        out->of_weight[i] = *unit;
        add_weight(f, i, &out->at[*unit]);
    }
}

/*
 * Layers whose weights are used again, backward, before so many others are stay gathered.  Layers of a kind are told by
 * the first of them.
 */
static void keep_soon(finding *f)
{
    rk_i128 after = 0;

    for (size_t i = f->out->n; i > 0 && f->l->runtime.used_soon > 0 && f->code == RK_OK; i--) {
        rk_weight_unit *u = &f->out->at[i - 1];
        rk_i128 each = value(f, u->elements), n = value(f, rk_group_times(f->pool, f->p, u->group));

        if (u->kind == RK_WEIGHT_UNIT_HEAD || u->kind == RK_WEIGHT_UNIT_ROOT) {
            after += each;
            continue;
        }
        after += u->kind == RK_WEIGHT_UNIT_LAYER ? each * (n - 1) : 0;
        u->freed = u->freed && 2 * after >= f->l->runtime.used_soon;
        after += each;
    }
}

int rk_units_new(rk_arena *a, const rk_instance *m, const rk_layout *l, rk_weight_units *out, rk_err *err)
{
    const rk_program *p = m->program;
    size_t n = p->n_weight + 1;
    finding f = {.a = a, .m = m, .p = p, .pool = m->pool, .l = l, .out = out, .err = err};

    *out = (rk_weight_units){.at = RK_NEW_ARRAY(a, p->n_group + 3, rk_weight_unit),
                             .of_weight = RK_NEW_ARRAY(a, n, uint32_t),
                             .of_group = RK_NEW_ARRAY(a, p->n_group + 1, uint32_t),
                             .root = RK_NONE,
                             .embedding = RK_NONE,
                             .head = RK_NONE,
                             .apart = RK_NEW_ARRAY(a, n, bool),
                             .own = RK_NEW_ARRAY(a, n, rk_ex),
                             .rows = RK_NEW_ARRAY(a, n, rk_ex),
                             .piece = RK_NEW_ARRAY(a, n, rk_ex)};
    f.first = RK_NEW_ARRAY(a, n, uint32_t);
    f.last = RK_NEW_ARRAY(a, n, uint32_t);
    if (a->failed)
        return rk_fail_memory(err);
    memset(out->of_weight, 0xFF, n * sizeof *out->of_weight);
    memset(out->of_group, 0xFF, p->n_group * sizeof *out->of_group);
    out->kept = rk_ex_int(m->pool, 0);
    note_reads(&f);
    find_units(&f);
    keep_soon(&f);
    return f.code == RK_OK ? rk_pool_check(m->pool, err) : f.code;
}
