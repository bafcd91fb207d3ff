/* SPDX-License-Identifier: MIT */
/* Entries of a tree of rows and parts: each node, what several of one path are together, neighbours, rests, shares. */
#include "audit/index_build.h"

#include "base/map.h"

#include <string.h>

enum {
    TOGETHER_MAX = 4,  /* neighbours that are added up */
    PAIRS_MAX = 16,    /* of one row with others */
    SAME_PATH_MAX = 64 /* kinds of layers that are; more are rare, and their sum is in a part above */
};

typedef struct gathering {
    rk_index *x;
    const rk_index_tree *t;
    const rk_roll_node *node;
    size_t n;
    uint32_t *term[RK_ROLL_FIGURES]; /* of each node */
} gathering;

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

/* A part that holds nothing but one thing is that thing, under a shorter name. */
static bool is_shell(const gathering *g, size_t i)
{
    const rk_roll_node *n = &g->node[i];

    return i > 0 && n->n_below > 0 && n[1].n_below + 1 == n->n_below;
}

static rk_index_entry entry_of(const gathering *g, size_t i, const char *what)
{
    const rk_roll_node *n = &g->node[i];
    bool is_tensor = i > 0 && n->path == n->name && n->row != RK_NONE && n->depth > 1;
    const char *path = n->label;

    if (is_tensor && n->layers)
        path = rk_index_text(g->x, "%s [%s]", n->label, n->layers);
    return (rk_index_entry){.kind = g->t->kind,
                            .cost = g->t->cost + (i == 0              ? RK_COST_TOTAL
                                                  : n->row == RK_NONE ? RK_COST_PART
                                                                      : RK_COST_ROW),
                            .path = path,
                            .part = is_tensor ? g->node[n->parent].label : NULL,
                            .what = what,
                            .of_heads = g->t->of_heads[i],
                            .convention = g->t->convention};
}

static void add_node(const gathering *g, size_t i)
{
    const rk_roll_node *n = &g->node[i];
    uint32_t term[RK_ROLL_FIGURES] = {g->term[0][i], g->term[1][i]};
    rk_index_entry e, step;

    if (is_shell(g, i))
        return;
    e = step = entry_of(g, i, g->t->what[0]);
    rk_index_add_both(g->x, e, term[0]);
    e.what = g->t->what[1];
    e.cost += i > 0 ? RK_COST_BACKWARD : 1;
    if (n->figure[1] != n->figure[0])
        rk_index_add_both(g->x, e, term[1]);
    if (!g->t->both || term[0] == RK_NONE)
        return;
    step.what = g->t->both; /* both figures of a node at once */
    step.cost += i > 0 ? RK_COST_STEP : 0;
    step.times = g->x->term.at[term[0]].n_times;
    rk_index_add_scopes(g->x, step, term, RK_ROLL_FIGURES);
}

/* ---- one path in layers of several kinds ------------------------------------------------------------------------- */

/* All layers of several kinds, from the first of a chain on; the next ones of it are then done. */
static void add_same_path(const gathering *g, size_t first, size_t *next)
{
    rk_index_entry e = entry_of(g, first, g->t->what[0]);
    uint32_t term[SAME_PATH_MAX] = {g->term[0][first]};
    size_t n = 1, after;

    for (size_t i = next[first]; i > 0 && n < SAME_PATH_MAX; i = after) {
        after = next[i];
        next[i] = 0;
        term[n++] = g->term[0][i];
    }
    e.path = g->node[first].path;
    e.all = true;
    if (n < SAME_PATH_MAX)
        rk_index_add(g->x, e, term, n);
}

static void add_same_paths(const gathering *g)
{
    rk_arena arena = {0};
    /* Of each node, the next one of the same path, or 0; of the first one of a path, the last one so far. */
    size_t *next = RK_NEW_ARRAY(&arena, g->n + 1, size_t), *last = RK_NEW_ARRAY(&arena, g->n + 1, size_t);
    rk_map first = {0};

    for (size_t i = 1; i < g->n && !arena.failed; i++) {
        const char *path = g->node[i].path;
        uint32_t at = rk_map_get(&first, path, strlen(path));

        if (at == RK_NONE)
            rk_map_put(&arena, &first, path, strlen(path), at = (uint32_t)i);
        else
            next[last[at]] = i;
        last[at] = i;
    }
    g->x->arena.failed |= arena.failed;
    for (size_t i = 1; !arena.failed && i < g->n; i++)
        if (next[i] > 0 && !is_shell(g, i))
            add_same_path(g, i, next);
    rk_arena_free(&arena);
}

/* ---- neighbours -------------------------------------------------------------------------------------------------- */

static size_t next_sibling(const gathering *g, size_t i)
{
    size_t next = i + 1 + g->node[i].n_below;

    return next < g->n && g->node[next].parent == g->node[i].parent ? next : 0;
}

/* What terms have of the last of them, which is that of node `of`. */
static void add_share(const gathering *g, rk_index_entry e, const uint32_t *term, size_t n, size_t of)
{
    e.kind = RK_INDEX_SHARE;
    e.of = g->t->kind;
    e.form = RK_INDEX_RATIO;
    e.times = 1;
    e.all = true;
    e.what =
        rk_index_text(g->x, "share of the %s of %s", g->t->what[0], of > 0 ? g->node[of].label : "the whole model");
    rk_index_add(g->x, e, term, n);
}

/* Queries, keys and values are one thing to people. */
static bool is_query_key_value(const gathering *g, size_t first)
{
    static const char *const name[3][2] = {{"q_proj", "query"}, {"k_proj", "key"}, {"v_proj", "value"}};
    size_t i = first;

    for (int k = 0; k < 3; k++, i = next_sibling(g, i))
        if ((k > 0 && i == 0) || !(strstr(g->node[i].name, name[k][0]) || strstr(g->node[i].name, name[k][1])))
            return false;
    return true;
}

/* A node with the two or three after it; all children of a part are the part. */
static void add_neighbours(const gathering *g, size_t first)
{
    const rk_roll_node *parent = &g->node[g->node[first].parent];
    rk_index_entry e = entry_of(g, first, g->t->what[0]);
    uint32_t term[TOGETHER_MAX + 1];
    const char *names = NULL;
    size_t n = 0;

    e.path = parent->label;
    e.part = NULL;
    e.cost = g->t->cost + RK_COST_PART;
    for (size_t i = first; n < TOGETHER_MAX && (n == 0 || i > 0) && g->term[0][i] != RK_NONE; i = next_sibling(g, i)) {
        const rk_index_term *t = &g->x->term.at[g->term[0][i]];

        e.times = n == 0 || t->n_times == e.times ? t->n_times : 0;
        names = names ? rk_index_text(g->x, "%s + %s", names, g->node[i].name) : g->node[i].name;
        term[n++] = g->term[0][i];
        e.of_heads &= g->t->of_heads[i];
        if (n < 2 || (first == g->node[first].parent + 1 && !next_sibling(g, i)))
            continue;
        e.with = rk_index_text(g->x, "(%s)", names);
        e.cost += n == 2 ? RK_COST_TOGETHER : 1;
        if (n == 3 && is_query_key_value(g, first))
            e.cost = g->t->cost + RK_COST_PART + 1;
        rk_index_add_scopes(g->x, e, term, n);
        term[n] = g->term[0][0];
        add_share(g, e, term, n + 1, 0); /* the products of attention, of all */
    }
}

/* ---- what people leave out --------------------------------------------------------------------------------------- */

static bool is_norm(const char *name)
{
    return strstr(name, "norm") || strstr(name, "ln_") || strstr(name, ".ln") || strstr(name, "layer_norm");
}

static bool is_bias(const char *name)
{
    size_t n = strlen(name);

    return n > 5 && strcmp(name + n - 5, ".bias") == 0;
}

/* A part without its norms, the whole model without biases: sums of all rows below a node but some. */
static void add_without(const gathering *g, size_t of, bool (*left_out)(const char *name), const char *what)
{
    rk_index_entry e = entry_of(g, of, g->t->what[0]);
    uint32_t term[SAME_PATH_MAX];
    size_t n = 0, n_left = 0;

    for (size_t i = of + 1; i <= of + g->node[of].n_below && i < g->n; i++) {
        if (g->node[i].row == RK_NONE || g->term[0][i] == RK_NONE)
            continue;
        if (left_out(g->node[i].name)) {
            n_left++;
            continue;
        }
        if (n == SAME_PATH_MAX)
            return;
        e.times = n == 0 || g->x->term.at[g->term[0][i]].n_times == e.times ? g->x->term.at[g->term[0][i]].n_times : 0;
        term[n++] = g->term[0][i];
    }
    if (n < 2 || n_left == 0)
        return;
    e.with = what;
    e.cost += RK_COST_LESS;
    if (of == 0) {
        e.all = true;
        e.times = 1;
        rk_index_add(g->x, e, term, n);
    } else {
        rk_index_add_scopes(g->x, e, term, n);
    }
}

/* Two that do not stand side by side: of one part, or outside of all layers (a table and the head). */
static void add_pair(const gathering *g, size_t i, size_t k)
{
    const rk_roll_node *a = &g->node[i], *b = &g->node[k];
    uint32_t term[2] = {g->term[0][i], g->term[0][k]};
    rk_index_entry e = entry_of(g, i, g->t->what[0]);
    bool brothers = a->parent == b->parent;

    if (term[0] == RK_NONE || term[1] == RK_NONE)
        return;
    e.path = brothers ? g->node[a->parent].label : "";
    e.part = NULL;
    e.with = rk_index_text(g->x, "(%s + %s)", a->name, b->name);
    e.cost = g->t->cost + RK_COST_PART + RK_COST_TOGETHER;
    e.of_heads &= g->t->of_heads[k];
    e.times = a->times == b->times ? g->x->term.at[term[0]].n_times : 0;
    rk_index_add_scopes(g->x, e, term, 2);
}

static void add_pairs(const gathering *g, size_t first)
{
    const rk_roll_node *a = &g->node[first];
    size_t n = 0;

    for (size_t i = next_sibling(g, first); i > 0 && n < PAIRS_MAX; i = next_sibling(g, i))
        if (n++ > 0)
            add_pair(g, first, i);
    for (size_t i = first + 1; i < g->n && n < PAIRS_MAX && a->row != RK_NONE && a->group == 0; i++)
        if (g->node[i].row != RK_NONE && g->node[i].group == 0 && g->node[i].parent != a->parent && n++ < PAIRS_MAX)
            add_pair(g, first, i);
}

/* ---- rests and shares -------------------------------------------------------------------------------------------- */

static void add_depths(const gathering *g, size_t i)
{
    const rk_roll_node *n = &g->node[i];
    rk_index_entry rest = entry_of(g, 0, g->t->what[0]), share = entry_of(g, i, NULL);
    uint32_t term = g->term[0][i], whole = g->term[0][0];

    add_neighbours(g, i);
    add_pairs(g, i);
    if (is_shell(g, i))
        return;
    /* What is often forgotten stands outside of layers: a head, a table, a last norm. */
    if ((n->depth == 1 || (n->row != RK_NONE && n->group == 0)) && term != RK_NONE && g->x->term.at[term].n_one != 0) {
        rest.form = RK_INDEX_LESS;
        rest.cost += RK_COST_WITHOUT;
        rest.times = 1;
        rest.all = true;
        rest.with = rk_index_text(g->x, "without %s", n->label);
        rk_index_add(g->x, rest, (uint32_t[]){whole, term}, 2);
    }
    add_share(g, share, (uint32_t[]){term, whole}, 2, 0);
    share.cost++;
    if (n->parent > 0)
        add_share(g, share, (uint32_t[]){term, g->term[0][n->parent]}, 2, n->parent);
}

/* ---- the tree ---------------------------------------------------------------------------------------------------- */

void rk_index_gather_tree(rk_index *x, const rk_index_tree *t, const rk_index_tree *known)
{
    gathering g = {.x = x, .t = t, .node = t->rollup.node, .n = t->rollup.n};
    rk_arena arena = {0};
    rk_map labels = {0}; /* of what is known: its nodes */

    for (int k = 0; k < RK_ROLL_FIGURES; k++) {
        g.term[k] = RK_NEW_ARRAY(&x->arena, g.n + 1, uint32_t);
        for (size_t i = 0; g.term[k] && i < g.n; i++)
            g.term[k][i] = rk_index_term_add(x, x->instance, g.node[i].figure[k], g.node[i].times);
    }
    for (size_t i = 0; known && i < known->rollup.n; i++)
        rk_map_put(&arena, &labels, known->rollup.node[i].label, strlen(known->rollup.node[i].label), (uint32_t)i);
    if (x->code == RK_OK && (arena.failed || x->arena.failed))
        x->code = rk_fail_memory(x->err);
    for (size_t i = 0; x->code == RK_OK && !x->cut && i < g.n; i++) {
        uint32_t at = known ? rk_map_get(&labels, g.node[i].label, strlen(g.node[i].label)) : RK_NONE;
        const rk_roll_node *same = at != RK_NONE ? &known->rollup.node[at] : NULL;

        if (!same || memcmp(same->figure, g.node[i].figure, sizeof same->figure) != 0 || same->times != g.node[i].times)
            add_node(&g, i);
    }
    if (x->code == RK_OK && t->in_depth)
        add_same_paths(&g);
    for (size_t i = 1; x->code == RK_OK && !x->cut && t->in_depth && i < g.n; i++)
        add_depths(&g, i);
    for (size_t i = 1; x->code == RK_OK && !x->cut && t->in_depth && t->kind == RK_INDEX_PARAMS && i < g.n; i++)
        if (g.node[i].n_below > 0 && !is_shell(&g, i))
            add_without(&g, i, is_norm, "without its norm");
    if (x->code == RK_OK && t->in_depth && t->kind == RK_INDEX_PARAMS && g.n > 0)
        add_without(&g, 0, is_bias, "without biases");
    rk_arena_free(&arena);
}
