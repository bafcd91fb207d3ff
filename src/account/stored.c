/* SPDX-License-Identifier: MIT */
#include "account/stored.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- groups ----------------------------------------------------------------------------------------------------- */

typedef struct summing {
    rk_stored_sums *sums;
    int depth;
    rk_str name, kind;
    rk_err *err;
} summing;

/* A name down to some depth of words between dots. */
static void cut(rk_str *out, const char *name, int depth)
{
    size_t n = 0;

    for (int k = 0; name[n] && (depth == 0 || k < depth); k++)
        n += strcspn(name + n, ".") + (k + 1 != depth && name[n + strcspn(name + n, ".")] == '.');
    rk_str_reset(out);
    rk_str_putn(out, name, n);
}

/* What the tensors of a group have in common beside their names. */
static void put_kind(summing *s, const rk_stored *t)
{
    rk_str_reset(&s->kind);
    if (s->depth > 0)
        return;
    rk_str_format(&s->kind, "%d %d", (int)t->known, (int)t->dtype);
    for (size_t i = 0; t->known && i < t->rank; i++)
        rk_str_format(&s->kind, " %" PRIu64, t->shape[i]);
}

static rk_stored_group *group_of(summing *s, size_t i)
{
    rk_stored_sums *sums = s->sums;
    const rk_stored *t = &sums->store->tensor[i];
    rk_stored_group *g;
    size_t at;

    cut(&s->name, t->name, s->depth);
    put_kind(s, t);
    at = rk_alikes_add(&sums->alikes, i, rk_str_text(&s->name), rk_str_text(&s->kind));
    if (at < sums->group.n)
        return &sums->group.at[at];
    if ((g = RK_PUSH(&sums->arena, &sums->group)))
        *g = (rk_stored_group){.first = t, .alike = true};
    return g;
}

static bool is_alike(const rk_stored *a, const rk_stored *b)
{
    return a->known == b->known && a->dtype == b->dtype && a->rank == b->rank &&
           (a->rank == 0 || memcmp(a->shape, b->shape, a->rank * sizeof *a->shape) == 0);
}

static void add_to_group(rk_stored_group *g, const rk_stored *t)
{
    g->tensors++;
    g->elements += t->known ? t->count : 0;
    g->bytes += t->known ? t->bytes : 0;
    g->alike &= is_alike(g->first, t);
}

/* ---- formats ---------------------------------------------------------------------------------------------------- */

static int by_bytes(const void *a, const void *b)
{
    const rk_stored_format *x = a, *y = b;

    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return (x->dtype > y->dtype) - (x->dtype < y->dtype);
}

static int add_formats(rk_stored_sums *out, rk_err *err)
{
    rk_stored_format sum[RK_DTYPE_COUNT] = {{0}};

    for (size_t i = 0; i < out->store->n_tensor; i++) {
        const rk_stored *t = &out->store->tensor[i];
        rk_stored_format *f = &sum[t->known ? t->dtype : RK_DTYPE_UNKNOWN];

        f->dtype = (rk_dtype)t->dtype;
        f->tensors += t->known;
        f->elements += t->known ? t->count : 0;
        f->bytes += t->known ? t->bytes : 0;
    }
    qsort(sum, RK_DTYPE_COUNT, sizeof *sum, by_bytes);
    for (size_t i = 0; i < RK_DTYPE_COUNT; i++) {
        rk_stored_format *f = sum[i].tensors > 0 ? RK_PUSH(&out->arena, &out->format) : NULL;

        if (sum[i].tensors > 0 && !f)
            return rk_fail_memory(err);
        if (f)
            *f = sum[i];
    }
    return RK_OK;
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static int add_groups(summing *s)
{
    rk_stored_sums *sums = s->sums;
    const rk_store *store = sums->store;
    int code;

    for (size_t i = 0; i < store->n_tensor; i++) {
        rk_stored_group *g = group_of(s, i);

        if (!g)
            return rk_fail_memory(s->err);
        add_to_group(g, &store->tensor[i]);
        sums->elements += store->tensor[i].known ? store->tensor[i].count : 0;
        sums->bytes += store->tensor[i].known ? store->tensor[i].bytes : 0;
    }
    code = rk_alikes_end(&sums->alikes, s->err);
    for (size_t i = 0; i < sums->group.n && code == RK_OK; i++)
        sums->group.at[i].name = sums->alikes.group.at[i].name;
    return code;
}

int rk_stored_sums_new(const rk_store *store, int depth, rk_stored_sums *out, rk_err *err)
{
    summing s = {.sums = out, .depth = depth, .err = err};
    int code;

    *out = (rk_stored_sums){.store = store};
    code = add_groups(&s);
    if (code == RK_OK && (s.name.failed || s.kind.failed))
        code = rk_fail_memory(err);
    if (code == RK_OK)
        code = add_formats(out, err);
    rk_str_free(&s.name);
    rk_str_free(&s.kind);
    if (code != RK_OK)
        rk_stored_sums_free(out);
    return code;
}

void rk_stored_sums_free(rk_stored_sums *s)
{
    rk_alikes_free(&s->alikes);
    rk_arena_free(&s->arena);
    *s = (rk_stored_sums){0};
}
