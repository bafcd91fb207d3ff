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
    rk_pool *pool;
    RK_VEC(twig) twig;
    rk_map known;        /* (part, group) or (tensor) -> twig */
    const char **which;  /* of each group: its layers within its loop, or NULL: all */
    const char **layers; /* of each group: the same with the loops around it */
    rk_err *err;
} rolling;

/* Groups stand after the group around them, so that one pass names the layers of all. */
static int name_layers(rolling *r)
{
    int code = RK_OK;

    r->which = RK_NEW_ARRAY(r->a, r->p->n_group, const char *);
    r->layers = RK_NEW_ARRAY(r->a, r->p->n_group, const char *);
    if (!r->which || !r->layers)
        return rk_fail_memory(r->err);
    for (uint32_t i = 0; i < r->p->n_group && code == RK_OK; i++) {
        const rk_group *g = &r->p->group[i];
        const char *around = g->parent == RK_NONE ? NULL : r->layers[g->parent];

        if (g->loop != RK_NONE && r->p->loop[g->loop].order)
            code = rk_group_layers(r->a, r->p, i, &r->which[i], r->err);
        r->layers[i] = around ? around : r->which[i];
        if (around && r->which[i])
            r->layers[i] = rk_arena_format(r->a, "%s/%s", around, r->which[i]);
        if (r->which[i] && !r->layers[i])
            code = rk_fail_memory(r->err);
    }
    return code;
}

/* ---- growing ---------------------------------------------------------------------------------------------------- */

static uint32_t add_twig(rolling *r, uint32_t parent, const rk_roll_node *node)
{
    uint32_t id = (uint32_t)r->twig.n;
    twig *t = RK_PUSH(r->a, &r->twig);

    if (!t)
        return RK_NONE;
    *t = (twig){*node, RK_NONE, RK_NONE, RK_NONE};
    t->node.parent = parent;
    t->node.times = rk_group_times(r->pool, r->p, node->group);
    t->node.layers = r->layers[node->group];
    for (int i = 0; i < RK_ROLL_FIGURES; i++)
        t->node.figure[i] = rk_ex_int(r->pool, 0);
    if (parent == RK_NONE)
        return id;
    t->node.depth = r->twig.at[parent].node.depth + 1;
    if (node->group != r->twig.at[parent].node.group)
        t->node.which = r->which[node->group];
    if (r->twig.at[parent].last != RK_NONE)
        r->twig.at[r->twig.at[parent].last].next = id;
    else
        r->twig.at[parent].first = id;
    r->twig.at[parent].last = id;
    return id;
}

static uint32_t part_twig(rolling *r, uint32_t part, uint32_t group)
{
    const rk_part *here = &r->p->part[part];
    const rk_group *g = &r->p->group[group];
    uint32_t key[2] = {part, group}, id, parent;
    bool repeated;
    rk_roll_node node = {.name = here->name, .path = here->path, .row = RK_NONE, .group = group};

    if (part == 0)
        return 0;
    id = rk_map_get(&r->known, (const char *)key, sizeof key);
    if (id != RK_NONE)
        return id;
    /* The part around what a loop repeats stands outside of the loop. */
    repeated = g->loop != RK_NONE && strcmp(r->p->loop[g->loop].part, here->path) == 0;
    parent = part_twig(r, here->parent, repeated ? g->parent : group);
    id = parent == RK_NONE ? RK_NONE : add_twig(r, parent, &node);
    if (id != RK_NONE && !rk_map_put(r->a, &r->known, (const char *)key, sizeof key, id))
        return RK_NONE;
    return id;
}

/* Adds figures that occur `times` to a node and to all above it, each in its own number of occurrences. */
static void add_figures(rolling *r, uint32_t id, rk_ex times, const rk_ex figure[RK_ROLL_FIGURES])
{
    rk_pool *pool = r->pool;

    for (; id != RK_NONE; id = r->twig.at[id].node.parent) {
        rk_roll_node *n = &r->twig.at[id].node;
        rk_ex share = n->times == times ? rk_ex_int(pool, 1) : rk_ex_div(pool, times, n->times);

        for (int i = 0; i < RK_ROLL_FIGURES; i++)
            n->figure[i] = rk_ex_add(pool, n->figure[i], rk_ex_mul(pool, share, figure[i]));
    }
}

static int add_row(rolling *r, uint32_t parent, const rk_roll_node *node, rk_ex times, const rk_ex *figure)
{
    uint32_t id = parent == RK_NONE ? RK_NONE : add_twig(r, parent, node);

    if (id == RK_NONE)
        return rk_fail_memory(r->err);
    add_figures(r, id, times, figure);
    return RK_OK;
}

/* ---- the three views -------------------------------------------------------------------------------------------- */

static int add_op(rolling *r, const rk_ledger *l, size_t i)
{
    const rk_ledger_op *row = &l->op[i];
    const rk_op *op = &r->p->op[row->op];
    size_t n = strlen(r->p->part[op->part].path); /* its name inside its part comes after that */
    rk_roll_node node = {.name = row->path + n + (n > 0), .path = row->path, .row = (uint32_t)i, .group = op->group};
    rk_ex figure[RK_ROLL_FIGURES] = {row->forward, row->backward};

    return add_row(r, part_twig(r, op->part, op->group), &node, row->times, figure);
}

static int add_weight(rolling *r, const rk_ledger *l, size_t i)
{
    const rk_weight_row *row = &l->weight[i];
    const rk_weight *w = &r->p->weight[row->weight];
    bool tied = w->tied_to != RK_NONE;
    rk_roll_node node = {.name = row->pattern, .path = row->pattern, .row = (uint32_t)i, .group = w->group};
    rk_ex none = rk_ex_int(r->pool, 0), figure[RK_ROLL_FIGURES] = {tied ? none : row->count, tied ? none : row->active};

    return add_row(r, part_twig(r, w->part, w->group), &node, row->times, figure);
}

static int add_use(rolling *r, const rk_ledger *l, size_t i)
{
    const rk_ledger_op *row = &l->op[i];
    uint32_t id = rk_map_get(&r->known, (const char *)&row->weight, sizeof row->weight);
    rk_roll_node node = {.name = row->path, .path = row->path, .row = RK_NONE, .group = r->p->op[row->op].group};
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

/* ---- all -------------------------------------------------------------------------------------------------------- */

/* Lists a twig and all below it; parents of parents are known by then, so that places can be renamed at once. */
static void flatten(const rolling *r, uint32_t id, uint32_t parent, rk_rollup *out)
{
    uint32_t at = (uint32_t)out->n++;
    rk_roll_node *n = &out->node[at];
    const char *around;

    *n = r->twig.at[id].node;
    n->parent = parent;
    /* layers[0-2].attention; a tensor's name says nothing of the parts around it. */
    around = parent == RK_NONE || n->path == n->name ? "" : out->node[parent].label;
    n->label = rk_arena_format(r->a, "%s%s%s%s%s%s", around ? around : "", around && around[0] ? "." : "", n->name,
                               n->which ? "[" : "", n->which ? n->which : "", n->which ? "]" : "");
    for (uint32_t c = r->twig.at[id].first; c != RK_NONE; c = r->twig.at[c].next)
        flatten(r, c, at, out); /* as deep as parts stand inside each other, which the parser limits */
    n->n_below = out->n - at - 1;
}

typedef int row_adder(rolling *r, const rk_ledger *l, size_t i);

static int roll(rk_arena *a, const rk_ledger *l, row_adder *add, size_t n, rk_rollup *out, rk_err *err)
{
    rolling r = {.a = a, .p = &l->model->program, .pool = l->pool, .err = err};
    rk_roll_node whole = {.name = "", .path = "", .row = RK_NONE};
    rk_rollup all = {0};
    int code = name_layers(&r);

    if (code == RK_OK && add_twig(&r, RK_NONE, &whole) == RK_NONE)
        code = rk_fail_memory(err);
    for (size_t i = 0; i < n && code == RK_OK; i++)
        code = add(&r, l, i);
    if (code == RK_OK)
        code = rk_pool_check(r.pool, err);
    if (code != RK_OK)
        return code;
    all.node = RK_NEW_ARRAY(a, r.twig.n, rk_roll_node);
    if (all.node)
        flatten(&r, 0, RK_NONE, &all);
    if (a->failed)
        return rk_fail_memory(err);
    *out = all;
    return RK_OK;
}

int rk_rollup_ops(rk_arena *a, const rk_ledger *l, rk_rollup *out, rk_err *err)
{
    return roll(a, l, add_op, l->n_op, out, err);
}

int rk_rollup_weights(rk_arena *a, const rk_ledger *l, rk_rollup *out, rk_err *err)
{
    return roll(a, l, add_weight, l->n_weight, out, err);
}

int rk_rollup_tensors(rk_arena *a, const rk_ledger *l, rk_rollup *out, rk_err *err)
{
    return roll(a, l, add_use, l->n_op, out, err);
}
