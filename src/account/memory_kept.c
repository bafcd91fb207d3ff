/* SPDX-License-Identifier: MIT */
#include "account/memory_build.h"

const char *rk_building_path(rk_building *b, uint32_t part, const char *name)
{
    const char *path = b->p->part[part].path;
    char *text = rk_arena_format(&b->m->arena, "%s%s%s", path, path[0] ? "." : "", name ? name : "");

    if (!text)
        b->code = b->code == RK_OK ? rk_fail_memory(b->err) : b->code;
    return text;
}

static void add_cache(rk_building *b, const rk_cache *c)
{
    b->cache[c->tensor] = rk_building_rounded(b, c->bytes);
    b->cache_each[c->tensor] = c->each;
    rk_building_add_row(b, &b->m->caches,
                        (rk_memory_row){.kind = RK_ALIVE_CACHE,
                                        .path = c->path,
                                        .what = c->kind == RK_CACHE_ALL ? NULL : rk_cache_kind_text[c->kind],
                                        .layers = c->layers,
                                        .formula = c->each,
                                        .bytes = c->bytes,
                                        .times = c->n_layer});
}

void rk_building_add_caches(rk_building *b)
{
    rk_run_options run = rk_building_run(b);
    rk_caches *c = &b->m->carried;

    b->m->cache_formula = rk_ex_int(b->pool, 0);
    b->cache = RK_NEW_ARRAY(&b->m->arena, b->p->n_tensor + 1, rk_i128);
    b->cache_each = RK_NEW_ARRAY(&b->m->arena, b->p->n_tensor + 1, rk_ex);
    if (!b->cache || !b->cache_each)
        b->code = rk_fail_memory(b->err);
    if (b->code != RK_OK || b->o->phase == RK_PHASE_TRAIN)
        return;
    b->code = rk_caches_new(&b->m->arena, b->instance, &b->places, &run, b->o->cache, c, b->err);
    for (size_t i = 0; i < c->n && b->code == RK_OK; i++)
        add_cache(b, &c->at[i]);
    b->m->cache_formula = c->bytes;
    b->m->cache = rk_building_value(b, c->bytes);
}

const char *rk_building_buffer_path(rk_building *b, const rk_buffer *x)
{
    const rk_op *op = x->op == RK_NONE ? NULL : &b->p->op[x->op];

    return op ? rk_building_path(b, op->part, op->name)
              : rk_building_path(b, 0, x->what ? NULL : b->p->tensor[x->tensor].name);
}

static rk_ex buffer_bytes(rk_building *b, const rk_buffer *x)
{
    rk_run_options run = rk_building_run(b);

    return rk_building_times_bytes(b, x->count, rk_type_bytes(x->type, &run));
}

/* The same number of layers as its group has, as an expression where it is that number. */
static rk_ex times_of(rk_building *b, uint32_t group, uint64_t n)
{
    rk_ex times = rk_group_times(b->pool, b->p, group);
    rk_i128 all = rk_building_value(b, times);

    return rk_ex_add(b->pool, times, rk_ex_int(b->pool, (rk_i128)n - all));
}

void rk_building_add_kept(rk_building *b)
{
    rk_memory *m = b->m;

    m->saved_formula = rk_ex_int(b->pool, 0);
    for (size_t i = 0; i < b->places.n_buffer && b->code == RK_OK; i++) {
        const rk_buffer *x = &b->places.buffer[i];
        uint64_t n = b->held.kept[i];
        rk_ex each = n ? buffer_bytes(b, x) : RK_EX_FAILED;

        if (n == 0)
            continue;
        m->saved_formula = rk_ex_add(b->pool, m->saved_formula, rk_ex_mul(b->pool, times_of(b, x->group, n), each));
        rk_building_add_row(b, &m->kept,
                            (rk_memory_row){.kind = RK_ALIVE_KEPT,
                                            .path = rk_building_buffer_path(b, x),
                                            .what = x->what,
                                            .buffer = (uint32_t)i,
                                            .formula = each,
                                            .bytes = rk_building_value(b, each),
                                            .times = (rk_i128)n});
    }
    m->saved = rk_building_value(b, m->saved_formula);
}
