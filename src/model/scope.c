/* SPDX-License-Identifier: MIT */
#include "model/expand.h"

#include <string.h>

bool rk_pool_ok(rk_ctx *c)
{
    if (c->b.fatal)
        return false;
    int code = rk_pool_check(c->pool, c->b.err);
    if (code != RK_OK)
        c->b.fatal = code;
    return code == RK_OK;
}

rk_frame *rk_frame_new(rk_ctx *c, rk_frame *parent)
{
    rk_frame *f = RK_NEW(c->a, rk_frame);

    if (!f) {
        rk_fatal_memory(&c->b);
        return NULL;
    }
    f->parent = parent;
    if (parent && !parent->is_global) {
        f->rest = parent->rest;
        f->has_rest = parent->has_rest;
        f->result_name = parent->result_name;
        f->result_row = parent->result_row;
    }
    return f;
}

/* A frame of more names than this is not searched one by one. */
#define FEW 32

static bool index_names(rk_ctx *c, rk_frame *f)
{
    bool good = true;

    for (size_t i = f->newest.n ? f->bind.n - 1 : 0; i < f->bind.n && good; i++)
        good = rk_map_put(c->a, &f->newest, f->bind.at[i]->name, strlen(f->bind.at[i]->name), (uint32_t)i);
    return good;
}

rk_bind *rk_bind_add(rk_ctx *c, rk_frame *f, const char *name)
{
    rk_bind *b = RK_NEW(c->a, rk_bind);
    rk_bind **slot = b ? RK_PUSH(c->a, &f->bind) : NULL;

    if (!slot) {
        rk_fatal_memory(&c->b);
        return NULL;
    }
    b->name = name;
    *slot = b;
    if (f->bind.n > FEW && !index_names(c, f)) {
        rk_fatal_memory(&c->b);
        return NULL;
    }
    return b;
}

static rk_bind *find_here(rk_frame *f, const char *name)
{
    if (f->newest.n) {
        uint32_t i = rk_map_get(&f->newest, name, strlen(name));

        return i == RK_NONE ? NULL : f->bind.at[i];
    }
    /* The newest first: an inner assignment hides an older one of the same name. */
    for (size_t i = f->bind.n; i > 0; i--)
        if (strcmp(f->bind.at[i - 1]->name, name) == 0)
            return f->bind.at[i - 1];
    return NULL;
}

rk_bind *rk_bind_find(rk_frame *f, const char *name)
{
    for (; f; f = f->parent) {
        rk_bind *b = find_here(f, name);

        if (b)
            return b;
    }
    return NULL;
}

static bool is_tensor_bind(const rk_bind *b)
{
    return b->kind == RK_BIND_TENSOR || b->kind == RK_BIND_NOTHING || b->kind == RK_BIND_SPOILT;
}

rk_bind *rk_tensor_find(rk_frame *f, const char *name)
{
    for (; f; f = f->parent) {
        rk_bind *b = find_here(f, name);

        if (b)
            return is_tensor_bind(b) ? b : NULL;
        if (f->is_block)
            return NULL;
    }
    return NULL;
}

rk_block *rk_block_find(const rk_ctx *c, const char *name)
{
    for (size_t i = 0; i < c->block.n; i++)
        if (strcmp(c->block.at[i].stmt->name, name) == 0)
            return &c->block.at[i];
    return NULL;
}

rk_block *rk_body_find(const rk_ctx *c, const char *name)
{
    for (size_t i = 0; i < c->body.n; i++)
        if (!c->body.at[i].open && strcmp(c->body.at[i].stmt->name, name) == 0)
            return &c->body.at[i];
    return NULL;
}

/* ---- used files ---------------------------------------------------------------------------------------------- */

/* The first file that defines a name has it: what is used beside it cannot change its meaning. */
int rk_used_put(rk_ctx *c, rk_bind *b)
{
    rk_bind **slot;

    if (rk_used_find(c, b->name))
        return RK_OK;
    if (!(slot = RK_PUSH(c->a, &c->shared)) ||
        !rk_map_put(c->a, &c->shared_place, b->name, strlen(b->name), (uint32_t)(c->shared.n - 1)))
        return rk_fatal_memory(&c->b);
    *slot = b;
    return RK_OK;
}

rk_bind *rk_used_find(const rk_ctx *c, const char *name)
{
    uint32_t at = rk_map_get(&c->shared_place, name, strlen(name));

    return at == RK_NONE ? NULL : c->shared.at[at];
}
