/* SPDX-License-Identifier: MIT */
/* What can be compared of a file whose names are its own: how many elements, and which shapes. */
#include "account/verify.h"

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

/* Whether a name is made of these words, or ends in them. */
static bool ends_in_words(const char *name, const char *words)
{
    size_t n = strlen(name), m = strlen(words);

    return n >= m && strcmp(name + n - m, words) == 0 && (n == m || name[n - m - 1] == '.');
}

/* Masks of attention are stored for all places: 1 × 1 × n × n. */
static bool is_mask(const rk_stored *t)
{
    return t->known && t->rank == 4 && t->shape[0] == 1 && t->shape[1] == 1 && t->shape[2] > 1 &&
           t->shape[2] == t->shape[3];
}

bool rk_verify_is_constant(const rk_stored *t)
{
    for (size_t i = 0; i < sizeof constant / sizeof *constant; i++)
        if (ends_in_words(t->name, constant[i]))
            return true;
    return is_mask(t);
}

/* ---- shapes ----------------------------------------------------------------------------------------------------- */

/* A shape without its sides of 1, which formats add and leave out as they like. */
typedef struct side_list {
    rk_i128 *side;
    size_t n;
} side_list;

typedef struct shapes {
    side_list *at;
    size_t n;
} shapes;

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

static void put_side(side_list *s, rk_i128 side)
{
    if (side != 1)
        s->side[s->n++] = side;
}

static bool shapes_of_model(rk_arena *a, const rk_names *names, shapes *out)
{
    out->at = RK_NEW_ARRAY(a, names->n + 1, side_list);
    for (size_t i = 0; out->at && i < names->n; i++) {
        const rk_named *t = &names->at[i];
        side_list *s = &out->at[out->n++];

        if (!(s->side = RK_NEW_ARRAY(a, t->n_dim + 1, rk_i128)))
            return false;
        for (size_t k = 0; k < t->n_dim; k++)
            put_side(s, t->dim[k]);
    }
    return out->at != NULL;
}

static bool shapes_of_file(rk_arena *a, const rk_store *store, shapes *out)
{
    out->at = RK_NEW_ARRAY(a, store->n_tensor + 1, side_list);
    for (size_t i = 0; out->at && i < store->n_tensor; i++) {
        const rk_stored *t = &store->tensor[i];
        side_list *s = &out->at[out->n];

        if (rk_verify_is_constant(t))
            continue;
        out->n++;
        if (!(s->side = RK_NEW_ARRAY(a, t->rank + 1u, rk_i128)))
            return false;
        for (size_t k = 0; k < t->rank; k++)
            put_side(s, (rk_i128)t->shape[k]);
    }
    return out->at != NULL;
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

static void sum_model(rk_acc *acc, const rk_names *names, rk_verify_sums *out)
{
    for (size_t i = 0; i < names->n; i++) {
        const rk_named *t = &names->at[i];
        rk_i128 *sum = t->tied_to ? &out->tied : t->buffer ? &out->buffers : &out->wanted;

        *sum = rk_add(acc, *sum, t->count);
    }
}

static void sum_file(rk_acc *acc, const rk_store *s, rk_verify_sums *out)
{
    for (size_t i = 0; i < s->n_tensor; i++) {
        rk_i128 *sum = rk_verify_is_constant(&s->tensor[i]) ? &out->constants : &out->found;

        *sum = rk_add(acc, *sum, (rk_i128)s->tensor[i].count);
    }
}

/* Tied tensors may be stored once or twice, buffers stored or not. */
static bool sums_agree(const rk_verify_sums *s)
{
    rk_i128 more = s->found - s->wanted;

    return more == 0 || (more > 0 && (more == s->tied || more == s->buffers || more - s->tied == s->buffers));
}

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
    if (!shapes_of_model(&arena, &names, &model) || !shapes_of_file(&arena, s, &file))
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
    rk_acc acc = {0};
    rk_names names = {0};
    int code = rk_names_new(l, RK_NAMING_REFERENCE, &names, err);

    if (code != RK_OK)
        return code;
    sum_model(&acc, &names, &v->sums);
    sum_file(&acc, s, &v->sums);
    rk_names_free(&names);
    if (acc.overflow)
        return rk_fail(err, RK_EOVERFLOW, "the elements of the model or of the file need more than 128 bits");
    v->by_sums = true;
    v->equal = sums_agree(&v->sums);
    code = count_shapes(l, s, RK_NAMING_REFERENCE, v, err);
    return code == RK_OK ? count_shapes(l, s, RK_NAMING_CHECKPOINT, v, err) : code;
}
