/* SPDX-License-Identifier: MIT */
/* Entries of the ledger itself: operations in all ways of counting them, and parameters. */
#include "audit/index_build.h"

/* Ways of counting; the first is the ledger's own. */
static const struct {
    rk_convention convention;
    rk_index_kind kind;
    const char *text;
    int cost;
} counting[RK_INDEX_LEDGERS_MAX] = {
    {{.count = RK_COUNT_MATMUL}, RK_INDEX_FLOPS, NULL, 0},
    {{.count = RK_COUNT_MATMUL, .exact_mask = true},
     RK_INDEX_FLOPS,
     "only pairs that the mask allows",
     RK_COST_OTHER_COUNT},
    {{.count = RK_COUNT_ALL}, RK_INDEX_ALL_OPS, "every operation counted", RK_COST_OTHER_COUNT},
    {{.count = RK_COUNT_TORCH}, RK_INDEX_FLOPS, "as PyTorch's counter does", RK_COST_OTHER_COUNT + 1},
};

bool rk_index_of_heads(rk_role role)
{
    return role == RK_ROLE_ATTENTION || role == RK_ROLE_SCORES || role == RK_ROLE_SOFTMAX;
}

static rk_role role_of(const rk_index *x, const rk_index_tree *t, const rk_ledger *l, uint32_t row)
{
    const rk_roles *r = &x->instance->model->roles;

    return t->kind == RK_INDEX_PARAMS ? r->weight[l->weight[row].weight].role : r->op[l->op[row].op];
}

/* A part is divided among heads where all of its rows are; children stand behind it, and are asked first. */
static void mark_heads(rk_index *x, rk_index_tree *t, const rk_ledger *l)
{
    size_t n = t->rollup.n;
    bool *of_heads = RK_NEW_ARRAY(&x->arena, n + 1, bool);

    t->of_heads = of_heads;
    if (!of_heads && x->code == RK_OK)
        x->code = rk_fail_memory(x->err);
    for (size_t i = 0; of_heads && i < n; i++)
        of_heads[i] = true;
    for (size_t i = n; of_heads && i > 1; i--) {
        const rk_roll_node *node = &t->rollup.node[i - 1];

        if (node->row != RK_NONE)
            of_heads[i - 1] = rk_index_of_heads(role_of(x, t, l, node->row));
        of_heads[node->parent] &= of_heads[i - 1];
    }
}

static void gather_counting(rk_index *x, size_t i, rk_index_tree *tree, const rk_index_tree *known)
{
    x->code = rk_ledger_new(x->instance, &counting[i].convention, &x->ledger[i], x->err);
    if (x->code != RK_OK)
        return;
    x->n_ledger = i + 1;
    *tree = (rk_index_tree){.kind = counting[i].kind,
                            .what = {"forward FLOPs", "backward FLOPs"},
                            .both = "FLOPs of a step",
                            .convention = counting[i].text,
                            .cost = counting[i].cost,
                            .in_depth = i == 0};
    x->code = rk_rollup_ops(&x->arena, x->ledger[i], &tree->rollup, x->err);
    mark_heads(x, tree, x->ledger[i]);
    rk_index_gather_tree(x, tree, known);
}

static void gather_weights(rk_index *x)
{
    rk_index_tree tree = {.kind = RK_INDEX_PARAMS, .what = {"parameters", "active parameters"}, .in_depth = true};

    x->code = rk_rollup_weights(&x->arena, x->ledger[0], &tree.rollup, x->err);
    mark_heads(x, &tree, x->ledger[0]);
    rk_index_gather_tree(x, &tree, NULL);
}

/* A tied name adds nothing to its part, and is a tensor all the same. */
static void gather_tied(rk_index *x)
{
    const rk_ledger *l = x->ledger[0];

    for (size_t i = 0; i < l->n_weight; i++) {
        const rk_weight_row *row = &l->weight[i];
        const rk_weight *w = &x->instance->program->weight[row->weight];

        if (w->tied_to != RK_NONE)
            rk_index_add_both(x,
                              (rk_index_entry){.kind = RK_INDEX_PARAMS,
                                               .cost = RK_COST_ROW + 1,
                                               .path = row->pattern,
                                               .part = row->path,
                                               .what = "parameters, tied to another name"},
                              rk_index_term_add(x, x->instance, row->count, row->times));
    }
}

static void add_total(rk_index *x, rk_ex e, const char *what, int cost)
{
    rk_ex once = rk_ex_int(x->instance->pool, 1);
    rk_index_entry entry = {.kind = RK_INDEX_PARAMS, .cost = cost, .path = "", .what = what};

    rk_index_add_both(x, entry, rk_index_term_add(x, x->instance, e, once));
}

void rk_index_gather_parts(rk_index *x)
{
    rk_index_tree own = {0}, other = {0};

    for (size_t i = 0; i < RK_INDEX_LEDGERS_MAX && x->code == RK_OK; i++)
        gather_counting(x, i, i == 0 ? &own : &other, i == 0 ? NULL : &own);
    if (x->code == RK_OK)
        gather_weights(x);
    if (x->code != RK_OK)
        return;
    gather_tied(x);
    if (x->ledger[0]->named != x->ledger[0]->stored)
        add_total(x, x->ledger[0]->named, "parameters, tied ones under each of their names", 1);
    if (x->ledger[0]->trained != x->ledger[0]->stored)
        add_total(x, x->ledger[0]->trained, "parameters that are trained", 1);
}
