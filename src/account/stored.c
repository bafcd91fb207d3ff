/* SPDX-License-Identifier: MIT */
#include "account/stored.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A name down to some depth of words between dots. */
static void cut(rk_str *out, const char *name, int depth)
{
    size_t n = 0;

    for (int k = 0; name[n] && (depth == 0 || k < depth); k++)
        n += strcspn(name + n, ".") + (k + 1 != depth && name[n + strcspn(name + n, ".")] == '.');
    rk_str_reset(out);
    rk_str_putn(out, name, n);
}

static bool is_alike(const rk_stored *a, const rk_stored *b)
{
    return a->known == b->known && a->dtype == b->dtype && a->rank == b->rank &&
           (a->rank == 0 || memcmp(a->shape, b->shape, a->rank * sizeof *a->shape) == 0);
}

static int add_groups(rk_stored_sums *out, int depth, rk_err *err)
{
    rk_str name = {0}, kind = {0};
    int code = RK_OK;

    for (size_t i = 0; i < out->store->n_tensor && code == RK_OK; i++) {
        const rk_stored *t = &out->store->tensor[i];
        rk_i128 elements = t->known ? t->count : 0, bytes = t->known ? t->bytes : 0;
        rk_stored_group *g;
        size_t at;
        bool fresh;

        cut(&name, t->name, depth);
        /* What the tensors of a group have in common beside their names. */
        rk_str_reset(&kind);
        if (depth == 0)
            rk_str_format(&kind, "%d %d", (int)t->known, (int)t->dtype);
        for (size_t k = 0; depth == 0 && t->known && k < t->rank; k++)
            rk_str_format(&kind, " %" PRIu64, t->shape[k]);
        at = rk_alikes_add(&out->alikes, i, rk_str_text(&name), rk_str_text(&kind));
        fresh = at >= out->group.n;
        g = fresh ? RK_PUSH(&out->arena, &out->group) : &out->group.at[at];
        if (!g || name.failed || kind.failed) {
            code = rk_fail_memory(err);
            break;
        }
        if (fresh)
            *g = (rk_stored_group){.first = t, .alike = true};
        g->tensors++;
        g->elements += elements;
        g->bytes += bytes;
        g->alike &= is_alike(g->first, t);
        out->elements += elements;
        out->bytes += bytes;
    }
    rk_str_free(&name);
    rk_str_free(&kind);
    if (code == RK_OK)
        code = rk_alikes_end(&out->alikes, err);
    for (size_t i = 0; i < out->group.n && code == RK_OK; i++)
        out->group.at[i].name = out->alikes.group.at[i].name;
    return code;
}

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

int rk_stored_sums_new(const rk_store *store, int depth, rk_stored_sums *out, rk_err *err)
{
    int code;

    *out = (rk_stored_sums){.store = store};
    code = add_groups(out, depth, err);
    if (code == RK_OK)
        code = add_formats(out, err);
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
