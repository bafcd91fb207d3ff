/* SPDX-License-Identifier: MIT */
/* Parameters and operations by part, exactly; and how operations move with the length of a sequence. */
#include "report/dossier.h"

enum {
    ROWS_MOST = 40, /* with more, a level less is shown */
    DEPTH_MOST = 3
};

enum { /* of a row */
    NAME,
    LAYERS,
    TIMES,
    ALL,
    SHARE,
    BAR,
    SECOND,
    FORMULA,
    N_FIELD
};

#define FIELDS(all, all_text, second, second_text)                                                                     \
    {                                                                                                                  \
        [NAME] = RK_COLUMN("", "path", CODE, "the part, or the tensor"),                                               \
        [LAYERS] = RK_KEY("layers", CODE, "in which layers, where it is not in all"),                                  \
        [TIMES] = RK_COLUMN("times", "times", COUNT, "occurrences", .right = true, .drop = 4),                         \
        [ALL] = RK_COLUMN(all, all, COUNT, all_text, .right = true),                                                   \
        [SHARE] = RK_COLUMN("share", "share", SHARE, "of the whole", .right = true, .drop = 5),                        \
        [BAR] = {.head = "", .drop = 2},                                                                               \
        [SECOND] = RK_COLUMN(second, second, COUNT, second_text, .right = true, .drop = 3),                            \
        [FORMULA] = RK_COLUMN("formula of all", "formula", FORMULA, "of all occurrences", .wraps = true, .drop = 1),   \
    }

static const rk_field params_field[N_FIELD] =
    FIELDS("parameters", "of all occurrences", "active", "of them, what one token uses");
static const rk_field flops_field[N_FIELD] =
    FIELDS("forward", "FLOPs of all occurrences", "backward", "FLOPs of all occurrences");
const rk_fields rk_dossier_part_fields[] = {{params_field, N_FIELD}, {flops_field, N_FIELD}};

static int depth_of(const rk_rollup *tree)
{
    size_t n[DEPTH_MOST + 1] = {0};
    int depth = DEPTH_MOST;

    for (size_t i = 1; i < tree->n; i++)
        for (int d = 1; d <= DEPTH_MOST; d++)
            n[d] += (int)tree->node[i].depth <= d;
    while (depth > 1 && n[depth] > ROWS_MOST)
        depth--;
    return depth;
}

static void fill(rk_view *v, const rk_roll_node *node, const rk_rollup *tree, rk_cell *cell)
{
    rk_ex all = rk_ex_mul(v->pool, node->times, node->figure[0]);
    rk_i128 n = rk_view_value(v, all), whole = rk_view_value(v, tree->node[0].figure[0]);

    cell[TIMES] = rk_cell_count(rk_view_value(v, node->times));
    cell[ALL] = rk_cell_count(n);
    cell[SHARE] = rk_cell_share(n, whole);
    if (node->depth > 0)
        cell[BAR] = rk_cell_bar(n, whole);
    if (tree->node[0].figure[1] != tree->node[0].figure[0])
        cell[SECOND] = rk_cell_count(rk_view_total(v, node->times, node->figure[1]));
    if (n > 0)
        cell[FORMULA] = rk_view_short_formula(v, all, RK_VIEW_TERMS_IN_TABLE);
}

static void put_tree(rk_view *v, const char *title, const rk_rollup *tree, rk_table *t)
{
    int depth = depth_of(tree);
    rk_cell *cell;

    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_HEADING, 0, "%s", title);
    rk_page_show(&v->page, t);
    for (size_t i = 1; i < tree->n && v->code == RK_OK; i++) {
        const rk_roll_node *first = &tree->node[i], *node;
        rk_cell name;
        bool has_parts;

        if ((int)first->depth > depth)
            continue;
        name = rk_view_node_name(v, tree, &i, depth); /* of a chain of nodes that is one line, too, with its last one */
        node = &tree->node[i];
        has_parts = node->n_below > 0 && (int)node->depth < depth;
        cell = rk_page_row(&v->page, t, has_parts ? RK_ROW_PART : RK_ROW_PLAIN, (int)first->depth - 1);
        cell[NAME] = rk_cell_both(&v->page, rk_cell_name(node->path), name);
        cell[LAYERS] = rk_cell_name(node->layers);
        fill(v, node, tree, cell);
    }
    cell = rk_page_row(&v->page, t, RK_ROW_TOTAL, 0);
    fill(v, &tree->node[0], tree, cell);
    cell[NAME] = rk_cell_text(&v->page, "total");
    cell[TIMES] = (rk_cell){0};
}

void rk_dossier_put_parts(rk_view *v, const rk_rollup *weights, const rk_rollup *ops, rk_cell *in)
{
    put_tree(v, "Parameters by part", weights, rk_cell_list(&v->page, &in[0], &rk_dossier_part_fields[0]));
    put_tree(v, "FLOPs by part", ops, rk_cell_list(&v->page, &in[1], &rk_dossier_part_fields[1]));
}

/* ---- as sequences grow ------------------------------------------------------------------------------------------ */

void rk_dossier_put_growth(rk_view *v, const rk_dossier *d)
{
    if (d->not_swept) {
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s.", d->not_swept);
        return;
    }
    rk_page_put(&v->page, RK_ITEM_LINE, 0,
                "FLOPs of a forward pass, and the share of each component; products are those of two activations, "
                "projections those with a weight.");
    rk_view_put_swept_picture(v, d->swept, false);
    rk_view_put_swept(v, d->swept);
}
