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
    rk_binding at;
    rk_ex sequences; /* B, or 1 where a model has none */
    rk_err *err;
    int code;
} adding;

static rk_i128 value(adding *x, rk_ex e)
{
    rk_i128 n = 0;

    if (x->code == RK_OK)
        x->code = rk_ex_eval(x->pool, e, &x->at, &n, x->err);
    return n;
}

static rk_cache_kind kind_of(const rk_keep *k)
{
    return k->last != RK_EX_FAILED     ? RK_CACHE_STATE
           : k->once                   ? RK_CACHE_ONCE
           : k->within != RK_EX_FAILED ? RK_CACHE_WINDOW
                                       : RK_CACHE_ALL;
}

/* Tokens that the cache of a window holds at most when a step has ended; the next step brings others. */
static rk_ex most_of(adding *x, const rk_keep *k)
{
    return rk_ex_sub(x->pool, k->within, rk_ex_int(x->pool, x->run->profile->window_new));
}

/* Tokens that a cache holds when a step has ended: all, a window, or the last few. */
static rk_ex tokens_of(adding *x, const rk_keep *k)
{
    rk_ex all = x->p->label[k->over].size;

    if (k->last != RK_EX_FAILED)
        return k->last;
    if (k->within == RK_EX_FAILED)
        return all;
    return rk_ex_min(x->pool, all, most_of(x, k));
}

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

static const char *path_of(adding *x, const rk_keep *k)
{
    const char *part = x->p->part[k->part].path, *name = x->p->tensor[k->tensor].name;
    const char *text = rk_arena_format(x->a, "%s%s%s", part, part[0] ? "." : "", name ? name : "");

    if (!text && x->code == RK_OK)
        x->code = rk_fail_memory(x->err);
    return text;
}

/* Blocks lie along the last axis, and none may reach into the next row. */
static void check_blocks(adding *x, const rk_keep *k, const rk_cache *c)
{
    const rk_ixs *axes = &x->p->tensor[k->tensor].axes;
    int block = rk_number_block(x->number);
    rk_i128 row = axes->n > 0 ? value(x, axes->at[axes->n - 1].size) : 1;

    if (x->code == RK_OK && block > 1 && row % block != 0)
        x->code = rk_fail(x->err, RK_EINPUT,
                          "the cache cannot be held as %s: a row of %s has %lld numbers, and a block %d; "
                          "int8 and fp8 have no blocks",
                          rk_number_table[x->number].word, c->path, (long long)row, block);
}

/* A state keeps the type in which it is computed; keys and values are held as was asked for. */
static rk_ex bytes_of(adding *x, const rk_keep *k, const rk_cache *c, rk_ex count)
{
    rk_type type = x->places->tensor[k->tensor].type;

    if (x->number == RK_NUMBER_SAME || c->kind == RK_CACHE_STATE)
        return rk_ex_mul(x->pool, rk_ex_int(x->pool, rk_type_bytes(type, x->run)), count);
    check_blocks(x, k, c);
    return rk_number_bytes(x->pool, x->number, count);
}

static bool grows(adding *x, const rk_keep *k, const rk_cache *c)
{
    return c->kind == RK_CACHE_ALL ||
           (c->kind == RK_CACHE_WINDOW && value(x, x->p->label[k->over].size) < value(x, c->most));
}

static void fill(adding *x, uint32_t i, rk_cache *c)
{
    const rk_keep *k = &x->p->keep[i];
    rk_ex elements = rk_keep_elements(x->pool, x->p, k);
    rk_ex one = rk_ex_div(x->pool, elements, x->sequences);

    *c = (rk_cache){.path = path_of(x, k), .kind = kind_of(k), .tensor = k->tensor, .keep = i};
    c->tokens = tokens_of(x, k);
    c->most = c->kind == RK_CACHE_WINDOW ? most_of(x, k) : RK_EX_FAILED;
    c->each = bytes_of(x, k, c, rk_ex_mul(x->pool, elements, c->tokens));
    c->token = grows(x, k, c) ? bytes_of(x, k, c, one) : rk_ex_int(x->pool, 0);
    c->times = rk_group_times(x->pool, x->p, k->group);
    c->n_token = value(x, c->tokens);
    c->bytes = value(x, c->each);
    c->n_layer = value(x, c->times);
    if (x->code == RK_OK)
        x->code = rk_group_layers(x->a, x->p, k->group, &c->layers, x->err);
}

static void add(adding *x, rk_caches *out, const rk_cache *c)
{
    out->bytes = rk_ex_add(x->pool, out->bytes, rk_ex_mul(x->pool, c->times, c->each));
    out->per_token = rk_ex_add(x->pool, out->per_token, rk_ex_mul(x->pool, c->times, c->token));
    out->of_tensor[c->tensor] = c->bytes;
}

static rk_ex sequences_of(const rk_instance *m)
{
    const rk_symbol *b = rk_model_size(m->model, RK_SIZE_BATCH);

    return b ? rk_ex_sym(m->pool, b->sym) : rk_ex_int(m->pool, 1);
}

int rk_caches_new(rk_arena *a, const rk_instance *m, const rk_places *places, const rk_run_options *run,
                  rk_number number, rk_caches *out, rk_err *err)
{
    adding x = {.a = a,
                .m = m,
                .p = m->program,
                .pool = m->pool,
                .places = places,
                .run = run,
                .number = number,
                .at = m->at,
                .sequences = sequences_of(m),
                .err = err};

    *out = (rk_caches){.at = RK_NEW_ARRAY(a, x.p->n_keep + 1, rk_cache),
                       .of_tensor = RK_NEW_ARRAY(a, x.p->n_tensor + 1, rk_i128)};
    if (!out->at || !out->of_tensor)
        return rk_fail_memory(err);
    out->bytes = out->per_token = rk_ex_int(x.pool, 0);
    for (uint32_t i = 0; i < x.p->n_keep && x.code == RK_OK; i++) {
        fill(&x, i, &out->at[i]);
        add(&x, out, &out->at[out->n++]);
    }
    out->per_sequence = rk_ex_div(x.pool, out->bytes, x.sequences);
    return x.code;
}
