/* SPDX-License-Identifier: MIT */
/* Where parameters, operations and bytes go, as pictures. */
#include "report/dossier.h"

#include "report/treemap.h"

#include <string.h>

enum {
    SAVED = RK_DOSSIER_HELD - 1 /* the last of what is held */
};

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

/* ---- treemaps --------------------------------------------------------------------------------------------------- */

static void put_treemap(drawing *d, const char *title, rk_unit_kind unit, const char *unit_name)
{
    rk_treemap t = {.title = title, .unit = unit, .unit_name = unit_name, .item = d->item.at, .n_item = d->item.n};

    if (d->item.n > 0)
        rk_page_treemap(&d->v->page, &t);
}

/* The leaves of a tree, each in its part. */
static void put_leaves(rk_view *v, const rk_rollup *tree, const char *title, rk_unit_kind unit, const char *unit_name)
{
    drawing d = {.v = v};

    for (size_t i = 1; i < tree->n && v->code == RK_OK; i++) {
        const rk_roll_node *n = &tree->node[i];

        if (n->n_below == 0)
            add(&d, component_of(tree, n)->path, end_of(n->name), rk_view_total(v, n->times, n->figure[0]));
    }
    put_treemap(&d, title, unit, unit_name);
}

/* ---- a training step -------------------------------------------------------------------------------------------- */

/* What is so many times the weights falls into their parts; what is left over is no part's. */
static void add_state(drawing *d, const rk_rollup *weights, const rk_memory *m, const char *group, rk_i128 bytes)
{
    rk_i128 stored = rk_view_value(d->v, d->v->ledger->stored), each = stored > 0 ? bytes / stored : 0;
    bool falls = m->parameters == stored * m->options.bytes && each > 0;

    for (size_t i = 1; falls && i < weights->n && d->v->code == RK_OK; i++) {
        const rk_roll_node *n = &weights->node[i];
        rk_i128 part = n->n_below == 0 ? each * rk_view_total(d->v, n->times, n->figure[0]) : 0;

        if (n->n_below == 0)
            add(d, group, component_of(weights, n)->path, part);
        bytes -= part;
    }
    add(d, group, "others", bytes);
}

static void put_step(rk_view *v, const rk_dossier_variant *w, const rk_rollup *weights)
{
    const rk_memory *m = w->memory;
    drawing d = {.v = v};

    for (size_t i = 0; i < SAVED; i++)
        add_state(&d, weights, m, rk_dossier_bytes_name[i], rk_dossier_bytes(m, i));
    for (size_t i = 0; i < m->saved_rows.n; i++)
        add(&d, rk_dossier_bytes_name[SAVED], part_of(v, m->saved_rows.at[i].path),
            m->saved_rows.at[i].bytes * m->saved_rows.at[i].times);
    put_treemap(&d, rk_arena_format(&v->arena, "Bytes of a training step (%s)", w->title), RK_UNIT_SCALED, "B");
}

/* ---- variants side by side -------------------------------------------------------------------------------------- */

static void put_variants(rk_view *v, const rk_dossier *d)
{
    double *y = RK_NEW_ARRAY(&v->arena, RK_DOSSIER_HELD * RK_DOSSIER_VARIANTS, double);
    const char **word = RK_NEW_ARRAY(&v->arena, RK_DOSSIER_VARIANTS, const char *);
    rk_chart_series *series = RK_NEW_ARRAY(&v->arena, RK_DOSSIER_HELD, rk_chart_series);
    rk_chart c = {.kind = RK_CHART_AREAS,
                  .title = "A training step, variant by variant",
                  .word = word,
                  .y_label = "memory",
                  .unit = RK_UNIT_SCALED,
                  .unit_name = "B",
                  .series = series,
                  .n_series = RK_DOSSIER_HELD};

    if (!y || !word || !series)
        return;
    for (size_t k = 0; k < RK_DOSSIER_HELD; k++)
        series[k] = (rk_chart_series){.name = rk_dossier_bytes_name[k], .y = &y[k * RK_DOSSIER_VARIANTS]};
    for (size_t i = 0; i < RK_DOSSIER_VARIANTS; i++) {
        if (!d->variant[i].memory)
            continue;
        for (size_t k = 0; k < RK_DOSSIER_HELD; k++)
            y[k * RK_DOSSIER_VARIANTS + c.n_x] = (double)rk_dossier_bytes(d->variant[i].memory, k);
        word[c.n_x++] = d->variant[i].title;
    }
    if (c.n_x > 1)
        rk_page_chart(&v->page, &c, NULL);
}

void rk_dossier_put_pictures(rk_view *v, const rk_dossier *d, const rk_rollup *weights, const rk_rollup *ops)
{
    const rk_dossier_variant *variant = NULL;

    put_leaves(v, weights, "Parameters, by part and tensor", RK_UNIT_PLAIN, "parameters");
    put_leaves(v, ops, "FLOPs of a forward pass, by part and operation", RK_UNIT_SCALED, rk_view_unit(v));
    /* The last variant that recomputes nothing is the one that people take. */
    for (size_t i = 0; i < RK_DOSSIER_VARIANTS; i++)
        if (d->variant[i].memory && d->variant[i].memory->options.recompute_layers == 0)
            variant = &d->variant[i];
    if (variant)
        put_step(v, variant, weights);
    put_variants(v, d);
}
