/* SPDX-License-Identifier: MIT */
/*
 * Another config of the same family: some flags turned over, some layers of another kind, another activation.
 *
 * The model may refuse the result; then the config is taken as it was.
 */
#include "oracle.h"

#include <string.h>

/* Kinds of layers that may stand for each other. */
static const char *const kinds[][2] = {
    {"sliding_attention", "full_attention"},
    {"linear_attention", "full_attention"},
    {"chunked_attention", "full_attention"},
};

/* Words of configs for activations: one may stand for any other. */
static const char *const activation[] = {"silu",         "gelu",   "gelu_pytorch_tanh", "gelu_new",   "quick_gelu",
                                         "relu",         "relu2",  "sigmoid",           "tanh",       "gelu_10",
                                         "relu6",        "mish",   "leaky_relu",        "laplace",    "hardswish",
                                         "sqrtsoftplus", "linear", "gelu_fast",         "gelu_python"};

static bool is_activation(const rk_doc *d)
{
    for (size_t i = 0; i < sizeof activation / sizeof *activation && d->kind == RK_DOC_TEXT; i++)
        if (strcmp(d->text, activation[i]) == 0)
            return true;
    return false;
}

/* The kinds of which all layers of the list are, or NULL. */
static const char *const *kinds_of(const rk_doc *list)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        bool all = list->n > 0;

        for (size_t i = 0; i < list->n; i++)
            all &= list->item[i].kind == RK_DOC_TEXT &&
                   (strcmp(list->item[i].text, kinds[k][0]) == 0 || strcmp(list->item[i].text, kinds[k][1]) == 0);
        if (all)
            return kinds[k];
    }
    return NULL;
}

static bool vary_into(rk_arena *a, const rk_doc *from, uint64_t *random, rk_doc *to)
{
    const char *const *kind = from->kind == RK_DOC_LIST ? kinds_of(from) : NULL;

    *to = *from;
    if (from->kind == RK_DOC_BOOL && random_next(random) % 4 == 0)
        to->truth = !from->truth;
    if (is_activation(from) && random_next(random) % 2 == 0)
        to->text = activation[random_next(random) % (sizeof activation / sizeof *activation)];
    if (from->kind != RK_DOC_LIST && from->kind != RK_DOC_MAP)
        return true;
    to->item = RK_NEW_ARRAY(a, from->n + 1, rk_doc);
    if (to->item == NULL)
        return false;
    for (size_t i = 0; i < from->n; i++) {
        if (!vary_into(a, &from->item[i], random, &to->item[i]))
            return false;
        if (kind != NULL)
            to->item[i].text = kind[random_next(random) % 2];
    }
    return true;
}

const rk_doc *vary_config(rk_arena *a, const rk_doc *from, uint64_t *random)
{
    rk_doc *to = RK_NEW(a, rk_doc);

    return to != NULL && vary_into(a, from, random, to) ? to : from;
}
