/* SPDX-License-Identifier: MIT */
/* Entries that are no rows of the ledger: symbols, activations, caches, and what papers and tools would count. */
#include "audit/index_build.h"

#include "account/cache.h"

#include <string.h>

static uint32_t term_once(rk_index *x, rk_ex e)
{
    return rk_index_term_add(x, x->instance, e, rk_ex_int(x->instance->pool, 1));
}

/* ---- symbols ----------------------------------------------------------------------------------------------------- */

static void gather_symbols(rk_index *x)
{
    for (size_t i = 0; i < x->instance->model->n_symbol; i++) {
        const rk_symbol *s = &x->instance->model->symbol[i];
        rk_index_entry e = {.kind = RK_INDEX_SIZE, .cost = RK_COST_SYMBOL, .path = s->name, .what = s->text};

        if (s->kind == RK_SYMBOL_LOOP)
            continue;
        e.what = s->text ? s->text : "a symbol of the model";
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
                                           .of_heads = rk_index_of_heads(x->instance->model->roles.op[i]),
                                           .path = path_in(x, op->part, op->name),
                                           .what = "numbers of its result"},
                          term);
    }
}

/* Of what grows with each token: for one token of one sequence, and for all. */
static void add_cache(rk_index *x, const rk_keep *k)
{
    const rk_program *p = x->instance->program;
    rk_ex times = rk_group_times(x->instance->pool, p, k->group), all = rk_keep_elements(x->instance->pool, p, k);
    rk_ex one = rk_ex_div(x->instance->pool, all, x->facts.of_model[RK_MODEL_FACT_BATCH]);
    const char *name = p->tensor[k->tensor].name;
    rk_index_entry e = {.kind = RK_INDEX_NUMBERS, .cost = RK_COST_ROW, .what = "numbers of the cache of one token"};

    e.of_heads = true;
    e.path = path_in(x, k->part, name ? name : "");
    rk_index_add_both(x, e, rk_index_term_add(x, x->instance, one, times));
    e.what = "numbers of the cache of all tokens";
    rk_index_add_both(
        x, e, rk_index_term_add(x, x->instance, rk_ex_mul(x->instance->pool, all, p->label[k->over].size), times));
}

static void gather_caches(rk_index *x)
{
    const rk_program *p = x->instance->program;
    rk_index_entry e = {.kind = RK_INDEX_NUMBERS, .cost = RK_COST_PART, .path = ""};
    rk_ex token = x->facts.of_model[RK_MODEL_FACT_CACHED];

    for (size_t i = 0; i < p->n_keep && x->code == RK_OK; i++)
        if (p->keep[i].last == RK_EX_FAILED && !p->keep[i].once)
            add_cache(x, &p->keep[i]);
    if (x->facts.lacks[RK_MODEL_FACT_CACHED])
        return;
    e.what = "numbers of the cache of one token";
    rk_index_add_both(x, e, term_once(x, token));
    e.what = "numbers of the cache of all tokens";
    if (!x->facts.lacks[RK_MODEL_FACT_TOKENS])
        rk_index_add_both(x, e,
                          term_once(x, rk_ex_mul(x->instance->pool, token, x->facts.of_model[RK_MODEL_FACT_TOKENS])));
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

static void add_convention(rk_index *x, const rk_named_convention *c)
{
    rk_index_entry e = {
        .kind = counted_as[c->of].kind, .cost = RK_COST_OTHER_COUNT, .path = "", .what = counted_as[c->of].what};

    if (c->not_for || is_plain(x, c))
        return;
    e.convention = rk_index_text(x, "as '%s' counts%s", c->name, c->mac ? " (MACs)" : "");
    rk_index_add_both(x, e, term_once(x, c->counted));
}

static void gather_conventions(rk_index *x, const rk_library *library)
{
    rk_conventions all = {0};

    if (x->code == RK_OK)
        x->code = rk_conventions_new(&x->arena, library, x->instance, NULL, &all, x->err);
    for (size_t i = 0; i < all.n && x->code == RK_OK; i++)
        add_convention(x, &all.at[i]);
}

void rk_index_gather_more(rk_index *x, const rk_library *library)
{
    if (x->code != RK_OK)
        return;
    gather_symbols(x);
    gather_activations(x);
    gather_caches(x);
    gather_conventions(x, library);
}
