/* SPDX-License-Identifier: MIT */
/* What can be compared of a file whose names are its own: how many elements, and which shapes. */
#include "account/verify.h"

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/* ---- constants -------------------------------------------------------------------------------------------------- */

/* Last words of names.  Loaders pass them over: what they hold follows from the config. */
static const char *const constant[] = {
    "inv_freq",          /* of rotary positions */
    "cos_cached",        /* of rotary positions */
    "sin_cached",        /* of rotary positions */
    "rope_freqs.weight", /* of rotary positions, in GGUF */
    "rope_factors_long.weight",
    "rope_factors_short.weight",
    "position_ids",            /* 0, 1, 2, … */
    "token_type_ids",          /* 0, 0, 0, … */
    "masked_bias",             /* the number that stands for minus infinity */
    "num_batches_tracked",     /* of batch norms: a count of training steps */
    "relative_position_index", /* which of the biases belongs to which pair of places */
    "relative_coords_table",
};

bool rk_verify_is_constant(const rk_stored *t)
{
    size_t n = strlen(t->name);

    for (size_t i = 0; i < sizeof constant / sizeof *constant; i++) {
        size_t m = strlen(constant[i]);

        if (rk_ends_in(t->name, constant[i]) && (n == m || t->name[n - m - 1] == '.'))
            return true;
    }
    /* Masks of attention are stored for all places: 1 × 1 × n × n. */
    return t->known && t->rank == 4 && t->shape[0] == 1 && t->shape[1] == 1 && t->shape[2] > 1 &&
           t->shape[2] == t->shape[3];
}

/* ---- shapes ----------------------------------------------------------------------------------------------------- */

/* Shapes without their sides of 1, which formats add and leave out as they like. */
typedef struct side_list {
    rk_i128 *side;
    size_t n;
} side_list;

typedef RK_VEC(side_list) shapes;

static int compare_shapes(const void *a, const void *b)
{
    const side_list *x = a, *y = b;

    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    for (size_t i = 0; i < x->n; i++)
        if (x->side[i] != y->side[i])
            return x->side[i] < y->side[i] ? -1 : 1;
    return 0;
}

/* Adds a shape of no side yet, with room for so many. */
static side_list *add_shape(rk_arena *a, shapes *out, size_t n)
{
    side_list *s = RK_PUSH(a, out);

    if (s)
        *s = (side_list){.side = RK_NEW_ARRAY(a, n + 1, rk_i128)};
    return s && s->side ? s : NULL;
}

static void put_side(side_list *s, rk_i128 side)
{
    if (s && side != 1)
        s->side[s->n++] = side;
}

static void list_shapes(rk_arena *a, const rk_names *names, const rk_store *store, shapes *model, shapes *file)
{
    for (size_t i = 0; i < names->n; i++) {
        const rk_named *t = &names->at[i];
        side_list *s = add_shape(a, model, t->n_dim);

        for (size_t k = 0; k < t->n_dim; k++)
            put_side(s, t->dim[k]);
    }
    for (size_t i = 0; i < store->n_tensor; i++) {
        const rk_stored *t = &store->tensor[i];
        side_list *s = rk_verify_is_constant(t) ? NULL : add_shape(a, file, t->rank);

        for (size_t k = 0; k < t->rank; k++)
            put_side(s, (rk_i128)t->shape[k]);
    }
}

/* How many of both lists pair up. */
static size_t pairs(shapes *a, shapes *b)
{
    size_t n = 0;

    qsort(a->at, a->n, sizeof *a->at, compare_shapes);
    qsort(b->at, b->n, sizeof *b->at, compare_shapes);
    for (size_t i = 0, k = 0; i < a->n && k < b->n;) {
        int order = compare_shapes(&a->at[i], &b->at[k]);

        n += order == 0;
        i += order <= 0;
        k += order >= 0;
    }
    return n;
}

/* ---- sums ------------------------------------------------------------------------------------------------------- */

/* In the layout that has more of the file's shapes: GGUF files keep experts together and take projections apart. */
static int count_shapes(const rk_ledger *l, const rk_store *s, rk_naming naming, rk_verify *v, rk_err *err)
{
    shapes model = {0}, file = {0};
    rk_names names = {0};
    rk_arena arena = {0};
    size_t n = 0;
    int code = rk_names_new(l, naming, &names, err);

    if (code != RK_OK)
        return code;
    list_shapes(&arena, &names, s, &model, &file);
    if (arena.failed)
        code = rk_fail_memory(err);
    else
        n = pairs(&model, &file);
    v->n_wanted = naming == RK_NAMING_REFERENCE || n > v->sums.n_shape ? names.n : v->n_wanted;
    v->sums.n_shape = n > v->sums.n_shape ? n : v->sums.n_shape;
    rk_arena_free(&arena);
    rk_names_free(&names);
    return code;
}

int rk_verify_by_sums(const rk_ledger *l, const rk_store *s, rk_verify *v, rk_err *err)
{
    rk_verify_sums *sums = &v->sums;
    rk_acc acc = {0};
    rk_names names = {0};
    rk_i128 more;
    int code = rk_names_new(l, RK_NAMING_REFERENCE, &names, err);

    if (code != RK_OK)
        return code;
    for (size_t i = 0; i < names.n; i++) {
        const rk_named *t = &names.at[i];
        rk_i128 *sum = t->tied_to ? &sums->tied : t->buffer ? &sums->buffers : &sums->wanted;

        *sum = rk_add(&acc, *sum, t->count);
    }
    for (size_t i = 0; i < s->n_tensor; i++) {
        rk_i128 *sum = rk_verify_is_constant(&s->tensor[i]) ? &sums->constants : &sums->found;

        *sum = rk_add(&acc, *sum, (rk_i128)s->tensor[i].count);
    }
    rk_names_free(&names);
    if (acc.overflow)
        return rk_fail(err, RK_EOVERFLOW, "the elements of the model or of the file need more than 128 bits");
    /* Tied tensors may be stored once or twice, buffers stored or not. */
    more = sums->found - sums->wanted;
    v->by_sums = true;
    v->equal =
        more == 0 || (more > 0 && (more == sums->tied || more == sums->buffers || more - sums->tied == sums->buffers));
    code = count_shapes(l, s, RK_NAMING_REFERENCE, v, err);
    return code == RK_OK ? count_shapes(l, s, RK_NAMING_CHECKPOINT, v, err) : code;
}
