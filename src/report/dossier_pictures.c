/* SPDX-License-Identifier: MIT */
/* Where parameters, operations and bytes go, as pictures. */
#include "report/dossier.h"

#include "report/treemap.h"

#include <string.h>

typedef struct drawing {
    rk_view *v;
    RK_VEC(rk_treemap_item) item;
} drawing;

/* ---- items ------------------------------------------------------------------------------------------------------ */

/* Layers of several kinds have the same parts: in a picture they are one. */
static void add(drawing *d, const char *group, const char *name, rk_i128 count)
{
    rk_treemap_item *item;
    rk_acc acc = {0};

    for (size_t i = 0; i < d->item.n; i++) {
        item = &d->item.at[i];
        if (strcmp(item->group, group) == 0 && strcmp(item->name, name) == 0) {
            item->count = rk_add(&acc, item->count, count);
            return;
        }
    }
    item = RK_PUSH(&d->v->arena, &d->item);
    if (item)
        *item = (rk_treemap_item){group, name, count};
}

/* The part of a path: layers.attention of layers.attention.scores, head of head.logits. */
static const char *part_of(rk_view *v, const char *path)
{
    size_t first = strcspn(path, "."), second = path[first] ? first + 1 + strcspn(path + first + 1, ".") : first;
    const char *part = rk_arena_copy(&v->arena, path, path[second] ? second : first);

    return part ? part : "";
}

/* The part of the first two levels that a leaf stands in; a leaf in none is its own. */
static const rk_roll_node *component_of(const rk_rollup *tree, const rk_roll_node *leaf)
{
    const rk_roll_node *n = leaf;

    while (n->depth > 2 || (n == leaf && n->depth > 1))
        n = &tree->node[n->parent];
    return n;
}

/* The end of a name that says what it is: q_proj.weight of model.layers.{i}.self_attn.q_proj.weight. */
static const char *end_of(const char *name)
{
    const char *last = strrchr(name, '.'), *at = last;

    while (at && at > name && at[-1] != '.' && at[-1] != '}')
        at--;
    return at && *at != '.' ? at : last && at == last ? last + 1 : name;
}

/* The leaves of a tree, each in its part. */
static void add_leaves(drawing *d, const rk_rollup *tree)
{
    for (size_t i = 1; i < tree->n && d->v->code == RK_OK; i++) {
        const rk_roll_node *n = &tree->node[i];

        if (n->n_below == 0)
            add(d, component_of(tree, n)->path, end_of(n->name), rk_view_total(d->v, n->times, n->figure[0]));
    }
}

/* ---- treemaps --------------------------------------------------------------------------------------------------- */

static void put_treemap(drawing *d, const char *title, rk_unit_kind unit, const char *unit_name)
{
    rk_treemap t = {.title = title, .unit = unit, .unit_name = unit_name, .item = d->item.at, .n_item = d->item.n};
    rk_str svg = {0};

    rk_treemap_svg(&t, RK_SVG_BOTH, &svg);
    if (d->item.n > 0)
        rk_page_picture(&d->v->page, rk_str_text(&svg), NULL);
    d->v->page.failed |= svg.failed;
    rk_str_free(&svg);
}

static void put_parameters(rk_view *v)
{
    drawing d = {.v = v};
    rk_rollup tree = {0};

    if (v->code == RK_OK)
        v->code = rk_rollup_weights(&v->arena, v->ledger, &tree, v->err);
    add_leaves(&d, &tree);
    put_treemap(&d, "Parameters, by part and tensor", RK_UNIT_PLAIN, "parameters");
}

static void put_flops(rk_view *v)
{
    drawing d = {.v = v};
    rk_rollup tree = {0};

    if (v->code == RK_OK)
        v->code = rk_rollup_ops(&v->arena, v->ledger, &tree, v->err);
    add_leaves(&d, &tree);
    put_treemap(&d, "FLOPs of a forward pass, by part and operation", RK_UNIT_SCALED, rk_view_unit(v));
}

/* ---- a training step -------------------------------------------------------------------------------------------- */

/* What is so many times the weights falls into their parts; what is left over is no part's. */
static void add_state(drawing *d, const rk_memory *m, const char *group, rk_i128 bytes)
{
    rk_i128 stored = rk_view_value(d->v, d->v->ledger->stored), each = stored > 0 ? bytes / stored : 0;
    rk_rollup tree = {0};

    if (d->v->code == RK_OK && m->parameters == stored * m->options.bytes && each > 0)
        d->v->code = rk_rollup_weights(&d->v->arena, d->v->ledger, &tree, d->v->err);
    for (size_t i = 1; i < tree.n && d->v->code == RK_OK; i++)
        if (tree.node[i].n_below == 0) {
            rk_i128 n = rk_view_total(d->v, tree.node[i].times, tree.node[i].figure[0]);

            add(d, group, component_of(&tree, &tree.node[i])->path, each * n);
            bytes -= each * n;
        }
    add(d, group, "others", bytes);
}

static void put_step(rk_view *v, const rk_dossier_way *w)
{
    const rk_memory *m = w->memory;
    drawing d = {.v = v};

    add_state(&d, m, "weights", m->parameters);
    add_state(&d, m, "gradients", m->gradients);
    add_state(&d, m, "optimizer", m->optimizer);
    for (size_t i = 0; i < m->kept.n; i++)
        add(&d, "kept for the backward pass", part_of(v, m->kept.at[i].path),
            m->kept.at[i].bytes * m->kept.at[i].times);
    put_treemap(&d, rk_arena_format(&v->arena, "Bytes of a training step (%s)", w->title), RK_UNIT_BINARY, "B");
}

/* ---- ways side by side ------------------------------------------------------------------------------------------ */

enum {
    N_PIECE = 4
};

/* What each way holds, and how many ways there are. */
static size_t gather_ways(const rk_dossier *d, const char **word, double y[N_PIECE][RK_DOSSIER_WAYS])
{
    size_t n = 0;

    for (size_t i = 0; i < RK_DOSSIER_WAYS; i++) {
        const rk_memory *m = d->way[i].memory;

        if (!m)
            continue;
        word[n] = d->way[i].title;
        y[0][n] = (double)m->parameters;
        y[1][n] = (double)m->gradients;
        y[2][n] = (double)m->optimizer;
        y[3][n++] = (double)m->saved;
    }
    return n;
}

static void put_ways(rk_view *v, const rk_dossier *d)
{
    static const char *const name[N_PIECE] = {"weights", "gradients", "optimizer", "kept for the backward pass"};
    double y[N_PIECE][RK_DOSSIER_WAYS] = {{0}};
    const char *word[RK_DOSSIER_WAYS];
    rk_chart_series series[N_PIECE];
    rk_chart c = {.kind = RK_CHART_AREAS, .title = "A training step, taken in several ways", .y_label = "memory"};
    rk_str svg = {0};

    for (size_t k = 0; k < N_PIECE; k++)
        series[k] = (rk_chart_series){.name = name[k], .y = y[k]};
    c.word = word;
    c.n_x = gather_ways(d, word, y);
    c.unit = RK_UNIT_BINARY;
    c.unit_name = "B";
    c.series = series;
    c.n_series = N_PIECE;
    if (c.n_x > 1) {
        rk_chart_svg(&c, RK_SVG_BOTH, &svg);
        rk_page_picture(&v->page, rk_str_text(&svg), NULL);
    }
    v->page.failed |= svg.failed;
    rk_str_free(&svg);
}

/* The last way that keeps everything is the one that people take. */
static const rk_dossier_way *way_to_draw(const rk_dossier *d)
{
    const rk_dossier_way *found = NULL;

    for (size_t i = 0; i < RK_DOSSIER_WAYS; i++)
        if (d->way[i].memory && d->way[i].memory->options.again == 0)
            found = &d->way[i];
    return found;
}

void rk_dossier_put_pictures(rk_view *v, const rk_dossier *d)
{
    const rk_dossier_way *way = way_to_draw(d);

    put_parameters(v);
    put_flops(v);
    if (way)
        put_step(v, way);
    put_ways(v, d);
}
