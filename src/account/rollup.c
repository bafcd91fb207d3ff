/* SPDX-License-Identifier: MIT */
#include "account/rollup.h"

#include "base/map.h"
#include "base/vec.h"

#include <string.h>

/* A node while the tree is being made: children in a list, so that a part may be met again later. */
typedef struct twig {
    rk_roll_node node;
    uint32_t first, last, next; /* child, child, sibling; RK_NONE */
} twig;

typedef struct rolling {
    rk_arena *a;
    const rk_program *p;
    RK_VEC(twig) twig;
    rk_map known; /* (part, group) or (tensor) -> twig */
    rk_err *err;
} rolling;

/* ---- growing ---------------------------------------------------------------------------------------------------- */

static uint32_t add_twig(rolling *r, uint32_t parent, const rk_roll_node *node)
{
    uint32_t id = (uint32_t)r->twig.n;
    twig *t = RK_PUSH(r->a, &r->twig);

    if (!t)
        return RK_NONE;
    *t = (twig){*node, RK_NONE, RK_NONE, RK_NONE};
    t->node.parent = parent;
    t->node.times = rk_group_times(r->p, node->group);
    for (int i = 0; i < RK_ROLL_FIGURES; i++)
        t->node.figure[i] = rk_ex_int(r->p->pool, 0);
    if (parent == RK_NONE)
        return id;
    t->node.depth = r->twig.at[parent].node.depth + 1;
    if (r->twig.at[parent].last != RK_NONE)
        r->twig.at[r->twig.at[parent].last].next = id;
    else
        r->twig.at[parent].first = id;
    r->twig.at[parent].last = id;
    return id;
}

/* The group in which the part around `part` stands: outside of the loop where `part` is what is repeated. */
static uint32_t group_around(const rk_program *p, uint32_t part, uint32_t group)
{
    const rk_group *g = &p->group[group];

    if (g->loop != RK_NONE && strcmp(p->loop[g->loop].part, p->part[part].path) == 0)
        return g->parent;
    return group;
}

static uint32_t part_twig(rolling *r, uint32_t part, uint32_t group)
{
    const rk_part *here = &r->p->part[part];
    uint32_t key[2] = {part, group}, id, parent;
    rk_roll_node node = {.name = here->name, .path = here->path, .row = RK_NONE, .group = group};

    if (part == 0)
        return 0;
    id = rk_map_get(&r->known, (const char *)key, sizeof key);
    if (id != RK_NONE)
        return id;
    parent = part_twig(r, here->parent, group_around(r->p, part, group));
    id = parent == RK_NONE ? RK_NONE : add_twig(r, parent, &node);
    if (id != RK_NONE && !rk_map_put(r->a, &r->known, (const char *)key, sizeof key, id))
        return RK_NONE;
    return id;
}

/* Adds figures that occur `times` to a node and to all above it, each in its own number of occurrences. */
static void add_figures(rolling *r, uint32_t id, rk_ex times, const rk_ex figure[RK_ROLL_FIGURES])
{
    rk_pool *pool = r->p->pool;

    for (; id != RK_NONE; id = r->twig.at[id].node.parent) {
        rk_roll_node *n = &r->twig.at[id].node;
        rk_ex share = n->times == times ? rk_ex_int(pool, 1) : rk_ex_div(pool, times, n->times);

        for (int i = 0; i < RK_ROLL_FIGURES; i++)
            n->figure[i] = rk_ex_add(pool, n->figure[i], rk_ex_mul(pool, share, figure[i]));
    }
}

/* The kind of layers that a row stands for is the kind of its parts inside the loop too. */
static void note_layers(rolling *r, uint32_t id, uint32_t group, const char *layers)
{
    for (; id != RK_NONE && r->twig.at[id].node.group == group; id = r->twig.at[id].node.parent)
        if (!r->twig.at[id].node.layers)
            r->twig.at[id].node.layers = layers;
}

static int add_row(rolling *r, uint32_t parent, const rk_roll_node *node, rk_ex times, const rk_ex *figure)
{
    uint32_t id = parent == RK_NONE ? RK_NONE : add_twig(r, parent, node);

    if (id == RK_NONE)
        return rk_fail_memory(r->err);
    if (node->group != 0)
        note_layers(r, id, node->group, node->layers);
    add_figures(r, id, times, figure);
    return RK_OK;
}

/* ---- beginning and end ------------------------------------------------------------------------------------------ */

static int begin(rolling *r)
{
    rk_roll_node whole = {.name = "", .path = "", .row = RK_NONE};

    return add_twig(r, RK_NONE, &whole) == RK_NONE ? rk_fail_memory(r->err) : RK_OK;
}

/* Lists a twig and all below it; parents of parents are known by then, so that places can be renamed at once. */
static void flatten(const rolling *r, uint32_t id, uint32_t parent, rk_rollup *out)
{
    uint32_t at = (uint32_t)out->n++;

    out->node[at] = r->twig.at[id].node;
    out->node[at].parent = parent;
    for (uint32_t c = r->twig.at[id].first; c != RK_NONE; c = r->twig.at[c].next)
        flatten(r, c, at, out); /* as deep as parts stand inside each other, which the parser limits */
    out->node[at].n_below = out->n - at - 1;
}

static int finish(rolling *r, rk_rollup *out)
{
    rk_rollup all = {RK_NEW_ARRAY(r->a, r->twig.n, rk_roll_node), 0};
    int code = rk_pool_check(r->p->pool, r->err);

    if (code != RK_OK)
        return code;
    if (!all.node)
        return rk_fail_memory(r->err);
    flatten(r, 0, RK_NONE, &all);
    *out = all;
    return RK_OK;
}

/* ---- the three views -------------------------------------------------------------------------------------------- */

int rk_rollup_ops(rk_arena *a, const rk_ledger *l, rk_rollup *out, rk_err *err)
{
    rolling r = {.a = a, .p = &l->model->program, .err = err};
    int code = begin(&r);

    for (size_t i = 0; code == RK_OK && i < l->n_op; i++) {
        const rk_ledger_op *row = &l->op[i];
        const rk_op *op = &r.p->op[row->op];
        rk_roll_node node = {
            .name = op->name, .path = row->path, .layers = row->layers, .row = (uint32_t)i, .group = op->group};
        rk_ex figure[RK_ROLL_FIGURES] = {row->forward, row->backward};

        code = add_row(&r, part_twig(&r, op->part, op->group), &node, row->times, figure);
    }
    return code == RK_OK ? finish(&r, out) : code;
}

int rk_rollup_weights(rk_arena *a, const rk_ledger *l, rk_rollup *out, rk_err *err)
{
    rolling r = {.a = a, .p = &l->model->program, .err = err};
    int code = begin(&r);

    for (size_t i = 0; code == RK_OK && i < l->n_weight; i++) {
        const rk_weight_row *row = &l->weight[i];
        const rk_weight *w = &r.p->weight[row->weight];
        rk_roll_node node = {.name = row->pattern, .path = row->pattern, .row = (uint32_t)i, .group = w->group};
        rk_ex none = rk_ex_int(r.p->pool, 0);
        rk_ex figure[RK_ROLL_FIGURES] = {row->count, row->active};

        if (w->tied_to != RK_NONE)
            figure[0] = figure[1] = none;
        code = add_row(&r, part_twig(&r, w->part, w->group), &node, row->times, figure);
    }
    return code == RK_OK ? finish(&r, out) : code;
}

static int add_use(rolling *r, const rk_ledger_op *row)
{
    const rk_op *op = &r->p->op[row->op];
    uint32_t id = rk_map_get(&r->known, (const char *)&row->weight, sizeof row->weight);
    rk_roll_node node = {
        .name = row->path, .path = row->path, .layers = row->layers, .row = RK_NONE, .group = op->group};
    rk_ex figure[RK_ROLL_FIGURES] = {row->forward, row->backward};

    if (row->weight == RK_NONE)
        return add_row(r, 0, &node, row->times, figure);
    if (id != RK_NONE) {
        add_figures(r, id, row->times, figure);
        return RK_OK;
    }
    node.row = row->weight;
    node.group = r->p->weight[row->weight].group;
    node.name = node.path = r->p->weight[row->weight].pattern;
    id = (uint32_t)r->twig.n;
    if (!rk_map_put(r->a, &r->known, (const char *)&row->weight, sizeof row->weight, id))
        return rk_fail_memory(r->err);
    return add_row(r, 0, &node, row->times, figure);
}

int rk_rollup_tensors(rk_arena *a, const rk_ledger *l, rk_rollup *out, rk_err *err)
{
    rolling r = {.a = a, .p = &l->model->program, .err = err};
    int code = begin(&r);

    for (size_t i = 0; code == RK_OK && i < l->n_op; i++)
        code = add_use(&r, &l->op[i]);
    return code == RK_OK ? finish(&r, out) : code;
}
