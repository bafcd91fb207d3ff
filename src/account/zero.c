/* SPDX-License-Identifier: MIT */
#include "account/zero.h"

#include "base/work.h"

#include <stdlib.h>

/* The tensors of one weight. */
typedef struct kind {
    uint32_t weight;
    rk_i128 elements, times;
} kind;

/* What a rank has so far. */
typedef struct share {
    rk_i128 elements;
    size_t rank;
} share;

typedef struct dividing {
    kind *kind;
    size_t n_kind;
    share *heap; /* the one that has least first */
    size_t n_rank;
} dividing;

static int largest_first(const void *a, const void *b)
{
    const kind *x = a, *y = b;

    return x->elements != y->elements ? (x->elements > y->elements ? -1 : 1)
           : x->weight < y->weight    ? -1
                                      : x->weight > y->weight;
}

static bool is_before(const share *a, const share *b)
{
    return a->elements < b->elements || (a->elements == b->elements && a->rank < b->rank);
}

/* The rank that has least gets a tensor. */
static size_t give(dividing *d, rk_i128 elements)
{
    share x = d->heap[0];
    size_t at = 0, rank = x.rank;

    x.elements += elements;
    for (size_t child = 1; child < d->n_rank; child = 2 * at + 1) {
        if (child + 1 < d->n_rank && is_before(&d->heap[child + 1], &d->heap[child]))
            child++;
        if (!is_before(&d->heap[child], &x))
            break;
        d->heap[at] = d->heap[child];
        at = child;
    }
    d->heap[at] = x;
    return rank;
}

/* Deals all tensors out; of those that `rank` gets, own[] says how many there are of each weight. */
static void deal(dividing *d, size_t rank, rk_i128 *own)
{
    for (size_t i = 0; i < d->n_rank; i++)
        d->heap[i] = (share){.rank = i};
    for (size_t i = 0, end; i < d->n_kind; i = end) {
        rk_i128 most = 0;

        for (end = i; end < d->n_kind && d->kind[end].elements == d->kind[i].elements; end++)
            most = d->kind[end].times > most ? d->kind[end].times : most;
        for (rk_i128 layer = 0; layer < most && rk_work(end - i); layer++) /* equal ones: layer by layer */
            for (size_t k = i; k < end; k++)
                if (layer < d->kind[k].times && give(d, d->kind[k].elements) == rank)
                    own[d->kind[k].weight]++;
    }
}

static size_t fullest(const dividing *d)
{
    const share *most = &d->heap[0];

    for (size_t i = 1; i < d->n_rank; i++)
        if (d->heap[i].elements > most->elements ||
            (d->heap[i].elements == most->elements && d->heap[i].rank < most->rank))
            most = &d->heap[i];
    return most->rank;
}

/* The trained weights that have storage of their own, and how many tensors they are. */
static int find_kinds(const rk_instance *x, dividing *d, rk_i128 *n_tensor, rk_err *err)
{
    const rk_program *p = x->program;
    int code = RK_OK;

    for (uint32_t i = 0; i < p->n_weight && code == RK_OK; i++) {
        const rk_weight *w = &p->weight[i];
        kind *k = &d->kind[d->n_kind];

        if (w->tied_to != RK_NONE || w->frozen || w->buffer)
            continue;
        k->weight = i;
        k->elements = rk_instance_value(x, w->count, &code, err);
        k->times = rk_instance_value(x, rk_group_times(x->pool, p, w->group), &code, err);
        if (code == RK_OK && k->times > RK_ZERO_TENSORS_MAX - *n_tensor)
            return rk_fail(err, RK_ELIMIT, "zero1: too many tensors to be dealt out (limit is %d)",
                           (int)RK_ZERO_TENSORS_MAX);
        *n_tensor += k->times;
        d->n_kind++;
    }
    return code;
}

int rk_zero_own(rk_arena *a, const rk_instance *x, rk_i128 ranks, rk_i128 *rank, rk_i128 **own, rk_err *err)
{
    rk_arena scratch = {0};
    rk_i128 n_tensor = 0, *mine = RK_NEW_ARRAY(a, x->program->n_weight + 1, rk_i128);
    dividing d = {.kind = RK_NEW_ARRAY(&scratch, x->program->n_weight + 1, kind)};
    int code = mine && d.kind ? find_kinds(x, &d, &n_tensor, err) : rk_fail_memory(err);

    if (code == RK_OK) {
        qsort(d.kind, d.n_kind, sizeof *d.kind, largest_first);
        d.n_rank = (size_t)(ranks < n_tensor ? ranks : n_tensor); /* those after them get nothing */
        d.heap = RK_NEW_ARRAY(&scratch, d.n_rank + 1, share);
        code = d.heap ? RK_OK : rk_fail_memory(err);
    }
    if (code == RK_OK && n_tensor == 0 && *rank < 0)
        *rank = 0;
    if (code == RK_OK && n_tensor > 0) {
        if (*rank < 0) {
            deal(&d, SIZE_MAX, mine);
            *rank = (rk_i128)fullest(&d);
        }
        deal(&d, *rank < (rk_i128)d.n_rank ? (size_t)*rank : SIZE_MAX, mine);
    }
    if (code == RK_OK)
        code = rk_work_check(err);
    *own = mine;
    rk_arena_free(&scratch);
    return code;
}
