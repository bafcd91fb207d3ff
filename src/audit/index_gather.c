/* SPDX-License-Identifier: MIT */
/* Entries: operations in all ways of counting them, parameters, symbols, activations, caches, conventions, memory. */
#include "audit/index_build.h"

#include "account/cache.h"
#include "plan/profile.h"

static uint32_t term_once(rk_index *x, rk_ex e)
{
    return rk_index_term_add(x, x->instance, e, rk_ex_int(x->instance->pool, 1));
}

/* ---- the ledger -------------------------------------------------------------------------------------------------- */

/* Ways of counting; the first is the ledger's own. */
static const struct {
    rk_convention convention;
    rk_index_kind kind;
    const char *text;
    int cost;
} counting[RK_INDEX_LEDGERS_MAX] = {
    {{.count = RK_COUNT_MATMUL}, RK_INDEX_FLOPS, NULL, 0},
    {{.count = RK_COUNT_MATMUL, .pairs = RK_PAIRS_EXACT},
     RK_INDEX_FLOPS,
     "only pairs that the mask allows",
     RK_COST_OTHER_COUNT},
    {{.count = RK_COUNT_MATMUL, .pairs = RK_PAIRS_SQUARE},
     RK_INDEX_FLOPS,
     "the full square, in windows too",
     RK_COST_OTHER_COUNT},
    {{.count = RK_COUNT_ALL}, RK_INDEX_ALL_OPS, "every operation counted", RK_COST_OTHER_COUNT},
    {{.count = RK_COUNT_TORCH}, RK_INDEX_FLOPS, "as PyTorch's counter does", RK_COST_OTHER_COUNT + 1},
};

static bool of_heads(rk_role role)
{
    return role == RK_ROLE_ATTENTION || role == RK_ROLE_SCORES || role == RK_ROLE_SOFTMAX;
}

/* A tree with its rows; a part is divided among heads where all of its rows are. */
static void gather_tree(rk_index *x, const rk_ledger *l, rk_index_tree *t, const rk_index_tree *known)
{
    bool of_weights = t->kind == RK_INDEX_PARAMS;
    const rk_roles *r = &x->instance->model->roles;

    x->code = (of_weights ? rk_rollup_weights : rk_rollup_ops)(&x->arena, l, &t->rollup, x->err);
    t->of_heads = RK_NEW_ARRAY(&x->arena, t->rollup.n + 1, bool);
    if (x->code == RK_OK && !t->of_heads)
        x->code = rk_fail_memory(x->err);
    if (x->code != RK_OK)
        return;
    for (size_t i = 0; i < t->rollup.n; i++)
        t->of_heads[i] = true;
    for (size_t i = t->rollup.n; i > 1; i--) { /* children stand after a part, and are asked first */
        const rk_roll_node *n = &t->rollup.node[i - 1];

        if (n->row != RK_NONE)
            t->of_heads[i - 1] =
                of_heads(of_weights ? r->weight[l->weight[n->row].weight].role : r->op[l->op[n->row].op]);
        t->of_heads[n->parent] &= t->of_heads[i - 1];
    }
    rk_index_gather_tree(x, t, known);
}

/* A tied name adds nothing to its part, and is a tensor all the same. */
static void gather_tied(rk_index *x, const rk_ledger *l)
{
    for (size_t i = 0; i < l->n_weight; i++) {
        const rk_weight_row *row = &l->weight[i];
        rk_index_entry e = {.kind = RK_INDEX_PARAMS,
                            .cost = RK_COST_ROW + 1,
                            .path = row->pattern,
                            .part = row->path,
                            .what = "parameters, tied to another name"};

        if (x->instance->program->weight[row->weight].tied_to != RK_NONE)
            rk_index_add_both(x, e, rk_index_term_add(x, x->instance, row->count, row->times));
    }
}

void rk_index_gather_parts(rk_index *x)
{
    rk_index_tree own = {0}, other, *tree = &own;
    rk_index_tree weights = {.kind = RK_INDEX_PARAMS, .what = {"parameters", "active parameters"}, .in_depth = true};
    rk_index_entry e = {.kind = RK_INDEX_PARAMS, .cost = 1, .path = ""};

    for (size_t i = 0; i < RK_INDEX_LEDGERS_MAX && x->code == RK_OK; i++, tree = &other) {
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
        gather_tree(x, x->ledger[i], tree, i == 0 ? NULL : &own);
    }
    if (x->code == RK_OK)
        gather_tree(x, x->ledger[0], &weights, NULL);
    if (x->code != RK_OK)
        return;
    gather_tied(x, x->ledger[0]);
    e.what = "parameters, tied ones under each of their names";
    if (x->ledger[0]->named != x->ledger[0]->stored)
        rk_index_add_both(x, e, term_once(x, x->ledger[0]->named));
    e.what = "parameters that are trained";
    if (x->ledger[0]->trained != x->ledger[0]->stored)
        rk_index_add_both(x, e, term_once(x, x->ledger[0]->trained));
}

/* ---- symbols ----------------------------------------------------------------------------------------------------- */

static void gather_symbols(rk_index *x)
{
    for (size_t i = 0; i < x->instance->model->n_symbol; i++) {
        const rk_symbol *s = &x->instance->model->symbol[i];
        rk_index_entry e = {.kind = RK_INDEX_SIZE, .cost = RK_COST_SYMBOL, .path = s->name};

        e.what = s->text ? s->text : "a symbol of the model";
        if (s->kind != RK_SYMBOL_LOOP)
            rk_index_add_both(x, e, term_once(x, rk_ex_sym(x->instance->pool, s->sym)));
    }
}

/* ---- activations and caches -------------------------------------------------------------------------------------- */

static const char *path_in(rk_index *x, uint32_t part, const char *name)
{
    const char *path = x->instance->program->part[part].path;

    return rk_index_text(x, "%s%s%s", path, path[0] ? "." : "", name);
}

static void gather_activations(rk_index *x)
{
    const rk_program *p = x->instance->program;

    for (size_t i = 0; i < p->n_op && x->code == RK_OK && !x->cut; i++) {
        const rk_op *op = &p->op[i];
        uint32_t term = rk_index_term_add(x, x->instance, rk_ixs_count(x->instance->pool, &p->tensor[op->out].axes),
                                          rk_group_times(x->instance->pool, p, op->group));

        if (!op->name || term == RK_NONE)
            continue;
        rk_index_add_both(x,
                          (rk_index_entry){.kind = RK_INDEX_NUMBERS,
                                           .cost = RK_COST_ACTIVATION,
                                           .of_heads = of_heads(x->instance->model->roles.op[i]),
                                           .path = path_in(x, op->part, op->name),
                                           .what = "numbers of its result"},
                          term);
    }
}

/* Of what grows with each token: for one token of one sequence, and for all (RK_EX_FAILED: how many is not known). */
static void add_cache(rk_index *x, rk_index_entry e, rk_ex one, rk_ex all, rk_ex times)
{
    e.kind = RK_INDEX_NUMBERS;
    e.what = "numbers of the cache of one token";
    rk_index_add_both(x, e, rk_index_term_add(x, x->instance, one, times));
    e.what = "numbers of the cache of all tokens";
    if (all != RK_EX_FAILED)
        rk_index_add_both(x, e, rk_index_term_add(x, x->instance, all, times));
}

static void gather_caches(rk_index *x)
{
    const rk_program *p = x->instance->program;
    rk_pool *pool = x->instance->pool;
    const rk_ex *fact = x->facts.of_model;
    rk_index_entry whole = {.cost = RK_COST_PART, .path = ""};

    for (size_t i = 0; i < p->n_keep && x->code == RK_OK; i++) {
        const rk_keep *k = &p->keep[i];
        const char *name = p->tensor[k->tensor].name;
        rk_index_entry e = {.cost = RK_COST_ROW, .of_heads = true};
        rk_ex all;

        if (k->last != RK_EX_FAILED || k->once)
            continue;
        all = rk_keep_elements(pool, p, k);
        e.path = path_in(x, k->part, name ? name : "");
        add_cache(x, e, rk_ex_div(pool, all, fact[RK_MODEL_FACT_BATCH]), rk_ex_mul(pool, all, p->label[k->over].size),
                  rk_group_times(pool, p, k->group));
    }
    if (!x->facts.lacks[RK_MODEL_FACT_CACHED])
        add_cache(x, whole, fact[RK_MODEL_FACT_CACHED],
                  x->facts.lacks[RK_MODEL_FACT_TOKENS]
                      ? RK_EX_FAILED
                      : rk_ex_mul(pool, fact[RK_MODEL_FACT_CACHED], fact[RK_MODEL_FACT_TOKENS]),
                  rk_ex_int(pool, 1));
}

/* ---- what others count ------------------------------------------------------------------------------------------- */

static const struct {
    rk_index_kind kind;
    const char *what;
} counted_as[RK_N_OF] = {
    [RK_OF_FORWARD] = {RK_INDEX_ALL_OPS, "forward FLOPs"},
    [RK_OF_TRAINING] = {RK_INDEX_ALL_OPS, "FLOPs of a step"},
    [RK_OF_STATE] = {RK_INDEX_BYTES, "bytes of weights, gradients and optimizer"},
    [RK_OF_LAYER] = {RK_INDEX_BYTES, "bytes that one layer keeps"},
    [RK_OF_CACHE] = {RK_INDEX_BYTES, "bytes of the cache of one token"},
};

/* Whether a ledger says the same: then it has the better name for it. */
static bool is_plain(const rk_index *x, const rk_named_convention *c)
{
    rk_binding at = x->instance->at;

    if (!rk_convention_is_memory(c) && c->n_counted == c->n_reference)
        return true;
    for (size_t i = 0; i < x->n_ledger; i++) {
        rk_i128 forward = 0, backward = 0;
        bool known = rk_ex_eval(x->instance->pool, x->ledger[i]->forward, &at, &forward, NULL) == RK_OK &&
                     rk_ex_eval(x->instance->pool, x->ledger[i]->backward, &at, &backward, NULL) == RK_OK;

        if (known && c->n_counted == forward + (c->of == RK_OF_TRAINING ? backward : 0))
            return true;
    }
    return false;
}

void rk_index_gather_more(rk_index *x, const rk_library *library)
{
    rk_conventions all = {0};

    if (x->code != RK_OK)
        return;
    gather_symbols(x);
    gather_activations(x);
    gather_caches(x);
    x->code = rk_conventions_new(&x->arena, library, x->instance, NULL, &all, x->err);
    for (size_t i = 0; i < all.n && x->code == RK_OK; i++) {
        const rk_named_convention *c = &all.at[i];
        rk_index_entry e = {
            .kind = counted_as[c->of].kind, .cost = RK_COST_OTHER_COUNT, .path = "", .what = counted_as[c->of].what};

        if (c->not_for || is_plain(x, c))
            continue;
        e.convention = rk_index_text(x, "as '%s' counts%s", c->name, c->mac ? " (MACs)" : "");
        rk_index_add_both(x, e, term_once(x, c->counted));
    }
}

/* ---- training steps on paper ------------------------------------------------------------------------------------- */

/* Steps that people quote figures of. */
static const struct {
    const char *profile;
    int bytes;
    bool fused;
    const char *text;
} steps[] = {
    {"textbook", 4, false, "by the book in fp32"}, /* in bf16 it is half of that */
    {"torch", 4, true, "as PyTorch does in fp32, attention fused"},
    {"torch", 2, true, "as PyTorch does in bf16, attention fused"},
    {"torch", 4, false, "as PyTorch does in fp32, attention eager"},
    {"torch", 2, false, "as PyTorch does in bf16, attention eager"},
};

/* What is kept, the optimizer's state, the peak; all that is alive there, with what the allocator rounds up. */
static void add_account(rk_index *x, const rk_memory *m, const char *step)
{
    rk_pool *pool = m->instance->pool;
    rk_ex peak = m->n_moment == 0 || m->moment[0].formula == RK_EX_FAILED
                     ? RK_EX_FAILED
                     : rk_ex_add(pool, m->moment[0].formula, rk_ex_int(pool, m->moment[0].extra));
    const struct {
        rk_ex formula;
        const char *what;
    } figure[] = {{m->saved_formula, "bytes saved for the backward pass"},
                  {m->optimizer_formula, "bytes of AdamW's state"},
                  {peak, "bytes at the peak of a training step"}};
    rk_index_entry e = {.kind = RK_INDEX_BYTES, .cost = RK_COST_KEPT, .path = "", .convention = step};

    for (size_t i = 0; i < sizeof figure / sizeof *figure; i++) {
        e.what = figure[i].what;
        if (figure[i].formula != RK_EX_FAILED)
            rk_index_add_both(x, e, rk_index_term_add(x, m->instance, figure[i].formula, rk_ex_int(pool, 1)));
    }
    e.cost += RK_COST_ROW;
    for (size_t i = 0; i < m->saved_rows.n && x->code == RK_OK && !x->cut; i++) {
        const rk_memory_row *row = &m->saved_rows.at[i];

        e.path = row->path ? row->path : "";
        e.what = row->what ? rk_index_text(x, "bytes saved for the backward pass, %s", row->what) : figure[0].what;
        if (row->formula != RK_EX_FAILED)
            rk_index_add_both(x, e, rk_index_term_add(x, m->instance, row->formula, rk_ex_int(pool, row->times)));
    }
}

void rk_index_gather_memory(rk_index *x, const rk_open_request *reopen)
{
    for (size_t i = 0; i < sizeof steps / sizeof *steps && x->code == RK_OK; i++) {
        rk_memory_options o = {.bytes = steps[i].bytes, .flash = steps[i].fused};
        rk_open_request request = *reopen;
        const rk_instance *m = x->instance;

        x->code = rk_profile_read(&reopen->library, &x->arena, steps[i].profile, &o.profile, x->err);
        /* As a profile writes it out it is opened once for each way of attention; by hand, it is as it was opened. */
        if (x->code == RK_OK && !o.profile.textbook) {
            rk_instance **opened = &x->opened[steps[i].fused ? 1 + (steps[i].bytes == 4) : 0];

            request.passes.profile = o.profile.name;
            request.passes.fused = steps[i].fused;
            request.passes.width = steps[i].fused && steps[i].bytes == 4 ? RK_WIDTH_FP32 : RK_WIDTH_NARROW;
            request.mistakes = NULL;
            if (!*opened)
                x->code = rk_open(&request, opened, x->err);
            m = *opened;
        }
        if (x->code != RK_OK)
            return;
        o.loss = m->program->loss != RK_NONE;
        x->code = rk_memory_new(m, &o, &x->account[i], x->err);
        if (x->code != RK_OK)
            return;
        x->n_account = i + 1;
        add_account(x, x->account[i], steps[i].text);
    }
}
