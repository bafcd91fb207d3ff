/* SPDX-License-Identifier: MIT */
/*
 * The parts of a model, with their parameters and their operations.
 *
 * The ledger is summed up twice, by weights and by operations, and not every part is in both trees: an embedding has
 * parameters, but a lookup costs nothing.  The two are laid over each other here.  A part is the same in both when it
 * has the same path and stands in the same group of layers.
 */
#include "api/api.h"

#include <stdlib.h>
#include <string.h>

typedef struct twig {
    const rk_roll_node *node; /* of either tree: names, layers, times */
    uint32_t part, group;     /* of the program */
    uint32_t parent;          /* RK_NONE: the whole */
    uint32_t first, last, next;
    rk_ex figure[2 * RK_ROLL_FIGURES]; /* stored, active, forward, backward */
} twig;

typedef struct merging {
    reckon_account *a;
    rk_arena arena;
    rk_map part_of, known; /* path -> part of the program; (part, group) -> twig */
    RK_VEC(twig) twig;
} merging;

/* ---- both trees in one ------------------------------------------------------------------------------------------ */

static bool list_paths(merging *m)
{
    const rk_program *p = &m->a->model->program;
    bool done = true;

    for (uint32_t i = 0; done && i < p->n_part; i++)
        done = rk_map_put(&m->arena, &m->part_of, p->part[i].path, strlen(p->part[i].path), i);
    return done;
}

static uint32_t find_twig(merging *m, const rk_roll_node *n, uint32_t parent)
{
    uint32_t key[2] = {rk_map_get(&m->part_of, n->path, strlen(n->path)), n->group};
    uint32_t id = rk_map_get(&m->known, (const char *)key, sizeof key);
    rk_ex none = rk_ex_int(m->a->instance->pool, 0);
    twig *t;

    if (id != RK_NONE)
        return id;
    id = (uint32_t)m->twig.n;
    t = RK_PUSH(&m->arena, &m->twig);
    if (!t || !rk_map_put(&m->arena, &m->known, (const char *)key, sizeof key, id))
        return RK_NONE;
    *t = (twig){n, key[0], key[1], parent, RK_NONE, RK_NONE, RK_NONE, {none, none, none, none}};
    return id;
}

/* Lays the parts of one tree over those already there; `first` is the place of its figures. */
static bool add_tree(merging *m, const rk_rollup *tree, size_t first)
{
    uint32_t *id = RK_NEW_ARRAY(&m->arena, tree->n, uint32_t);

    for (size_t i = 0; id && i < tree->n; i++) {
        const rk_roll_node *n = &tree->node[i];

        if (n->row != RK_NONE)
            continue;
        id[i] = find_twig(m, n, n->parent == RK_NONE ? RK_NONE : id[n->parent]);
        if (id[i] == RK_NONE)
            return false;
        for (size_t k = 0; k < RK_ROLL_FIGURES; k++)
            m->twig.at[id[i]].figure[first + k] = n->figure[k];
    }
    return id != NULL;
}

/* ---- in order --------------------------------------------------------------------------------------------------- */

static int by_appearance(const void *a, const void *b)
{
    const twig *x = *(twig *const *)a, *y = *(twig *const *)b;

    return x->part != y->part ? (x->part > y->part) - (x->part < y->part)
                              : (x->group > y->group) - (x->group < y->group);
}

/* Parts are numbered as the program meets them: so stand the children of each part. */
static bool link_children(merging *m)
{
    twig **order = RK_NEW_ARRAY(&m->arena, m->twig.n, twig *);

    if (!order)
        return false;
    for (size_t i = 0; i < m->twig.n; i++)
        order[i] = &m->twig.at[i];
    qsort(order, m->twig.n, sizeof *order, by_appearance);
    for (size_t i = 0; i < m->twig.n; i++) {
        uint32_t id = (uint32_t)(order[i] - m->twig.at);
        twig *parent = order[i]->parent == RK_NONE ? NULL : &m->twig.at[order[i]->parent];

        if (parent && parent->last != RK_NONE)
            m->twig.at[parent->last].next = id;
        else if (parent)
            parent->first = id;
        if (parent)
            parent->last = id;
    }
    return true;
}

static void put_part(reckon_account *a, const twig *t, size_t parent)
{
    const rk_ex *figure = t->figure;
    rk_ex step = rk_ex_add(a->instance->pool, figure[2], figure[3]);

    a->part[a->n_part++] = (reckon_part){
        .name = t->node->name,
        .path = t->node->path,
        .label = t->node->label,
        .layers = t->node->layers,
        .parent = parent,
        .depth = t->node->depth,
        .times = rk_api_figure(a, t->node->times),
        .stored = rk_api_figure(a, figure[0]),
        .active = rk_api_figure(a, figure[1]),
        .forward = rk_api_figure(a, figure[2]),
        .backward = rk_api_figure(a, figure[3]),
        .step = rk_api_figure(a, step),
    };
}

/* As deep as parts stand inside each other, which the parser limits. */
static void flatten(const merging *m, uint32_t id, size_t parent)
{
    size_t here = m->a->n_part;

    put_part(m->a, &m->twig.at[id], parent);
    for (uint32_t c = m->twig.at[id].first; c != RK_NONE; c = m->twig.at[c].next)
        flatten(m, c, here);
}

static int merge(reckon_account *a, const rk_rollup *weights, const rk_rollup *ops, rk_err *err)
{
    merging m = {.a = a};
    bool done = list_paths(&m) && add_tree(&m, weights, 0) && add_tree(&m, ops, RK_ROLL_FIGURES) && link_children(&m);

    a->part = RK_NEW_ARRAY(&a->arena, m.twig.n, reckon_part);
    if (done && a->part)
        flatten(&m, 0, 0);
    rk_arena_free(&m.arena);
    return done && !a->arena.failed ? RK_OK : rk_fail_memory(err);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

int rk_api_parts(reckon_account *a, rk_err *err)
{
    rk_rollup weights = {0}, ops = {0};
    int code = rk_rollup_weights(&a->arena, a->ledger, &weights, err);

    if (code == RK_OK)
        code = rk_rollup_ops(&a->arena, a->ledger, &ops, err);
    /* A row of the ledger knows its own loop only; the tree also those around it. */
    for (size_t i = 0; code == RK_OK && i < ops.n; i++)
        if (ops.node[i].row != RK_NONE)
            a->operation[ops.node[i].row].layers = ops.node[i].layers;
    return code == RK_OK ? merge(a, &weights, &ops, err) : code;
}
