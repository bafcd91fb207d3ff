/* SPDX-License-Identifier: MIT */
#include "account/stored.h"

#include "base/map.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ------------------------------------------------------------------------------------------------------ */

/* A name without its running numbers. */
typedef struct reduced {
    rk_str pattern;
    size_t n_number;
    uint64_t number[RK_STORED_NUMBERS_MAX];
} reduced;

/* Whether a word of a name is a running number: digits alone, few enough to be one. */
static bool is_number(const char *word, size_t n, uint64_t *out)
{
    if (n == 0 || n > 9)
        return false;
    *out = 0;
    for (size_t i = 0; i < n; i++) {
        if (word[i] < '0' || word[i] > '9')
            return false;
        *out = 10 * *out + (uint64_t)(word[i] - '0');
    }
    return true;
}

static void reduce_word(reduced *r, const char *word, size_t n)
{
    uint64_t number;

    if (r->n_number < RK_STORED_NUMBERS_MAX && is_number(word, n, &number)) {
        r->number[r->n_number++] = number;
        rk_str_put(&r->pattern, "{}");
    } else {
        rk_str_putn(&r->pattern, word, n);
    }
}

static void reduce(reduced *r, const char *name, int depth)
{
    const char *word = name;

    rk_str_reset(&r->pattern);
    r->n_number = 0;
    for (int k = 0; depth == 0 || k < depth; k++) {
        size_t n = strcspn(word, ".");

        rk_str_put(&r->pattern, k ? "." : "");
        reduce_word(r, word, n);
        if (word[n] == '\0')
            return;
        word += n + 1;
    }
}

void rk_stored_group_put(const rk_stored_group *g, rk_str *out)
{
    const char *at = g->pattern, *gap;

    for (size_t k = 0; k < g->n_number && (gap = strstr(at, "{}")); k++, at = gap + 2) {
        rk_str_put_safe(out, at, (size_t)(gap - at));
        rk_str_format(out, g->number[k].low == g->number[k].high ? "%" PRIu64 : "{%" PRIu64 "-%" PRIu64 "}",
                      g->number[k].low, g->number[k].high);
    }
    rk_str_put_safe(out, at, strlen(at));
}

/* ---- groups ----------------------------------------------------------------------------------------------------- */

typedef struct summing {
    rk_stored_sums *sums;
    int depth;
    rk_arena scratch; /* of the map */
    rk_map place;
    reduced reduced;
    rk_str key;
    rk_err *err;
} summing;

/* What the tensors of a group have in common, as bytes; never shown. */
static void make_key(summing *s, const rk_stored *t)
{
    rk_str_reset(&s->key);
    rk_str_putn(&s->key, rk_str_text(&s->reduced.pattern), s->reduced.pattern.n);
    if (s->depth > 0)
        return;
    rk_str_format(&s->key, "\n%d %d", (int)t->known, (int)t->dtype);
    for (size_t i = 0; t->known && i < t->rank; i++)
        rk_str_format(&s->key, " %" PRIu64, t->shape[i]);
}

static rk_stored_group *new_group(summing *s, const rk_stored *t)
{
    rk_stored_sums *sums = s->sums;
    rk_stored_group *g = RK_PUSH(&sums->arena, &sums->group);

    if (!g)
        return NULL;
    *g = (rk_stored_group){.first = t, .n_number = s->reduced.n_number, .alike = true};
    g->pattern = rk_arena_copy(&sums->arena, rk_str_text(&s->reduced.pattern), s->reduced.pattern.n);
    for (size_t i = 0; i < g->n_number; i++)
        g->number[i] = (rk_stored_range){s->reduced.number[i], s->reduced.number[i]};
    if (!g->pattern || !rk_map_put(&s->scratch, &s->place, rk_str_text(&s->key), s->key.n, (uint32_t)sums->group.n - 1))
        return NULL;
    return g;
}

static rk_stored_group *group_of(summing *s, const rk_stored *t)
{
    uint32_t at;

    reduce(&s->reduced, t->name, s->depth);
    make_key(s, t);
    if (s->reduced.pattern.failed || s->key.failed)
        return NULL;
    at = rk_map_get(&s->place, rk_str_text(&s->key), s->key.n);
    return at == RK_NONE ? new_group(s, t) : &s->sums->group.at[at];
}

static bool is_alike(const rk_stored *a, const rk_stored *b)
{
    return a->known == b->known && a->dtype == b->dtype && a->rank == b->rank &&
           (a->rank == 0 || memcmp(a->shape, b->shape, a->rank * sizeof *a->shape) == 0);
}

static void add_to_group(const summing *s, rk_stored_group *g, const rk_stored *t)
{
    for (size_t i = 0; i < g->n_number; i++) {
        uint64_t n = s->reduced.number[i];

        g->number[i].low = n < g->number[i].low ? n : g->number[i].low;
        g->number[i].high = n > g->number[i].high ? n : g->number[i].high;
    }
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
    const rk_store *store = s->sums->store;

    for (size_t i = 0; i < store->n_tensor; i++) {
        rk_stored_group *g = group_of(s, &store->tensor[i]);

        if (!g)
            return rk_fail_memory(s->err);
        add_to_group(s, g, &store->tensor[i]);
        s->sums->elements += store->tensor[i].known ? store->tensor[i].count : 0;
        s->sums->bytes += store->tensor[i].known ? store->tensor[i].bytes : 0;
    }
    return RK_OK;
}

int rk_stored_sums_new(const rk_store *store, int depth, rk_stored_sums *out, rk_err *err)
{
    summing s = {.sums = out, .depth = depth, .err = err};
    int code;

    *out = (rk_stored_sums){.store = store};
    code = add_groups(&s);
    if (code == RK_OK)
        code = add_formats(out, err);
    rk_str_free(&s.reduced.pattern);
    rk_str_free(&s.key);
    rk_arena_free(&s.scratch);
    if (code != RK_OK)
        rk_stored_sums_free(out);
    return code;
}

void rk_stored_sums_free(rk_stored_sums *s)
{
    rk_arena_free(&s->arena);
    *s = (rk_stored_sums){0};
}
