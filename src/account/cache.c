/* SPDX-License-Identifier: MIT */
#include "account/cache.h"

#include "account/ledger.h"

const char *const rk_cache_kind_text[] = {
    [RK_CACHE_ALL] = "", [RK_CACHE_WINDOW] = "window", [RK_CACHE_ONCE] = "made once", [RK_CACHE_STATE] = "state"};

/* What is being added up; failure is sticky. */
typedef struct adding {
    rk_arena *a;
    const rk_instance *m;
    const rk_program *p;
    rk_pool *pool;
    const rk_places *places;
    const rk_run_options *run;
    rk_number number;
    rk_err *err;
    int code;
} adding;

rk_ex rk_keep_elements(rk_pool *pool, const rk_program *p, const rk_keep *k)
{
    const rk_tensor *t = &p->tensor[k->tensor];
    rk_ex e = rk_ex_int(pool, 1);
    bool found = false;

    for (size_t i = t->axes.n; i > 0; i--) {
        /* The axis goes by its old name in the tensor, whose size in a prefill is the same. */
        bool grows = !found && (t->axes.at[i - 1].label == k->over || t->axes.at[i - 1].size == k->over_size);

        found |= grows;
        e = grows ? e : rk_ex_mul(pool, e, t->axes.at[i - 1].size);
    }
    return e;
}

rk_ex rk_keep_fresh(const rk_program *p)
{
    for (size_t i = 0; i < p->n_keep; i++)
        if (!p->keep[i].once)
            return p->keep[i].over_size;
    return RK_EX_FAILED;
}

/* A state keeps the type in which it is computed; keys and values are held as was asked for. */
static rk_ex bytes_of(adding *x, const rk_cache *c, rk_ex count)
{
    const rk_ixs *axes = &x->p->tensor[c->tensor].axes;
    int block = rk_number_block(x->number);
    rk_i128 row;

    if (x->number == RK_NUMBER_SAME || c->kind == RK_CACHE_STATE)
        return rk_ex_mul(x->pool, rk_ex_int(x->pool, rk_type_bytes(x->places->tensor[c->tensor].type, x->run)), count);
    /* Blocks lie along the last axis, and none may reach into the next row. */
    row = axes->n > 0 ? rk_instance_value(x->m, axes->at[axes->n - 1].size, &x->code, x->err) : 1;
    if (x->code == RK_OK && block > 1 && row % block != 0)
        x->code = rk_fail(x->err, RK_EINPUT,
                          "the cache cannot be stored as %s: a row of %s has %lld numbers, and a block %d; "
                          "int8 and fp8 have no blocks",
                          rk_number_table[x->number].word, c->path, (long long)row, block);
    return rk_number_bytes(x->pool, x->number, count);
}

static void fill(adding *x, uint32_t i, rk_ex sequences, rk_cache *c)
{
    const rk_keep *k = &x->p->keep[i];
    rk_ex elements = rk_keep_elements(x->pool, x->p, k), all = x->p->label[k->over].size;
    bool grows;

    *c = (rk_cache){.path = rk_row_path(x->a, x->p, k->part, x->p->tensor[k->tensor].name),
                    .kind = RK_CACHE_ALL,
                    .tensor = k->tensor,
                    .keep = i,
                    .tokens = all,
                    .most = RK_EX_FAILED,
                    .times = rk_group_times(x->pool, x->p, k->group)};
    if (!c->path && x->code == RK_OK)
        x->code = rk_fail_memory(x->err);
    if (k->within != RK_EX_FAILED) {
        /* Tokens that the cache of a window holds at most when a step has ended; the next step brings others. */
        c->most = rk_ex_sub(x->pool, k->within, rk_ex_int(x->pool, x->run->profile->window_new));
        c->tokens = rk_ex_min(x->pool, all, c->most);
        c->kind = RK_CACHE_WINDOW;
    }
    if (k->once)
        c->kind = RK_CACHE_ONCE;
    if (k->last != RK_EX_FAILED) {
        c->tokens = k->last;
        c->kind = RK_CACHE_STATE;
    }
    c->each = bytes_of(x, c, rk_ex_mul(x->pool, elements, c->tokens));
    grows = c->kind == RK_CACHE_ALL ||
            (c->kind == RK_CACHE_WINDOW &&
             rk_instance_value(x->m, all, &x->code, x->err) < rk_instance_value(x->m, c->most, &x->code, x->err));
    c->token = grows ? bytes_of(x, c, rk_ex_div(x->pool, elements, sequences)) : rk_ex_int(x->pool, 0);
    c->n_token = rk_instance_value(x->m, c->tokens, &x->code, x->err);
    c->bytes = rk_instance_value(x->m, c->each, &x->code, x->err);
    c->n_layer = rk_instance_value(x->m, c->times, &x->code, x->err);
    if (x->code == RK_OK)
        x->code = rk_group_layers(x->a, x->p, k->group, &c->layers, x->err);
}

int rk_caches_new(rk_arena *a, const rk_instance *m, const rk_places *places, const rk_run_options *run,
                  rk_number number, rk_caches *out, rk_err *err)
{
    const rk_symbol *batch = rk_model_size(m->model, RK_SIZE_BATCH);
    rk_ex sequences = batch ? rk_ex_sym(m->pool, batch->sym) : rk_ex_int(m->pool, 1);
    adding x = {
        .a = a, .m = m, .p = m->program, .pool = m->pool, .places = places, .run = run, .number = number, .err = err};

    *out = (rk_caches){.at = RK_NEW_ARRAY(a, x.p->n_keep + 1, rk_cache)};
    if (!out->at)
        return rk_fail_memory(err);
    out->bytes = out->per_token = rk_ex_int(x.pool, 0);
    for (uint32_t i = 0; i < x.p->n_keep && x.code == RK_OK; i++) {
        rk_cache *c = &out->at[out->n++];

        fill(&x, i, sequences, c);
        out->bytes = rk_ex_add(x.pool, out->bytes, rk_ex_mul(x.pool, c->times, c->each));
        out->per_token = rk_ex_add(x.pool, out->per_token, rk_ex_mul(x.pool, c->times, c->token));
    }
    out->per_sequence = rk_ex_div(x.pool, out->bytes, sequences);
    return x.code;
}
