/* SPDX-License-Identifier: MIT */
/*
 * pass/freeze.c - weights that are not trained: all but adapters, where there are any, and those that the user names.
 *
 * A name may tell one layer from another (`model.layers.0`).  Layers of one group in which different weights are
 * trained are split first; then a weight is frozen or not in all layers of its group.
 */
#include "pass/passes.h"

#include "model/copy.h"
#include "model/regroup.h"

#define NEST_MAX 4            /* loops inside each other, as the language has them */
#define QUESTIONS_MAX 4000000 /* names of weights, all layers: far above any model */
#define ROUNDS_MAX 8          /* loops inside each other are split one after the other */

/* A weight being asked for, layer by layer. */
typedef struct asking {
    const rk_adapt *o;
    const rk_model *m;
    const rk_weight *w;
    uint32_t group[NEST_MAX]; /* the outermost first */
    size_t n_group;
    rk_i128 *index;       /* of each loop */
    uint64_t **signature; /* of each layer of each loop; NULL: only the first layer is asked for */
    size_t n_asked;
    rk_err *err;
    int code;
} asking;

/* The i-th layer of a group: where a loop has one group, that is all layers. */
static uint32_t layer_of(const rk_group *g, size_t i)
{
    return g->layer ? g->layer[i] : (uint32_t)i;
}

/* How many layers a group has; 0: not known. */
static size_t n_layer_of(const asking *a, const rk_group *g)
{
    const rk_loop *l = &a->m->program.loop[g->loop];

    return g->layer ? g->n_layer : l->count_known && l->n_group == 1 ? l->n_layer : 0;
}

static uint64_t ask_name(asking *a)
{
    const rk_program *p = &a->m->program;
    rk_str name = {0};
    bool known = true, truth = false;

    if (++a->n_asked > QUESTIONS_MAX && a->code == RK_OK)
        a->code = rk_fail(a->err, RK_ELIMIT, "%s: too many layers to say which are frozen", a->m->name);
    for (size_t i = 0; i < a->n_group; i++)
        known &= n_layer_of(a, &p->group[a->group[i]]) > 0;
    if (known && a->code == RK_OK)
        a->code = rk_weight_name_text(a->m, &a->w->name, a->index, &name, a->err);
    if (a->code == RK_OK)
        truth = a->o->freezes(a->o->self, known ? rk_str_text(&name) : a->w->pattern, p->part[a->w->part].path);
    rk_str_free(&name);
    return truth;
}

static uint64_t mix(uint64_t signature, uint64_t more)
{
    return (signature ^ (more + 1)) * 0x100000001B3u;
}

/* What is said of a weight in all layers, as one number; layers that differ get different signatures. */
static uint64_t ask(asking *a, size_t level, bool first)
{
    const rk_group *g = level < a->n_group ? &a->m->program.group[a->group[level]] : NULL;
    size_t n = g ? n_layer_of(a, g) : 0;
    uint64_t all = 0;

    if (!g)
        return ask_name(a);
    if (n == 0)
        return ask(a, level + 1, first);
    for (size_t i = 0; i < n && (a->signature || i == 0) && a->code == RK_OK; i++) {
        uint64_t said, *signature = a->signature ? &a->signature[g->loop][layer_of(g, i)] : NULL;

        a->index[g->loop] = layer_of(g, i);
        said = ask(a, level + 1, first && i == 0);
        all = a->signature ? mix(all, said) : said;
        if (signature && first)
            *signature = mix(*signature, said);
    }
    return all;
}

/* Adapters alone are trained, where there are any; of what is left the user may have named some. */
static bool is_asked(const rk_adapt *o, const rk_weight *w)
{
    return o->freezes && !w->buffer && (o->rank == 0 || w->adapter != RK_ADAPTER_NONE);
}

static bool is_frozen(asking *a, const rk_weight *w)
{
    const rk_program *p = &a->m->program;
    uint32_t inner[NEST_MAX];
    size_t n = 0;

    if (!is_asked(a->o, w))
        return a->o->rank > 0 && w->adapter == RK_ADAPTER_NONE;
    a->w = w;
    for (uint32_t g = w->group; g != 0 && n < NEST_MAX; g = p->group[g].parent)
        inner[n++] = g;
    for (a->n_group = 0; a->n_group < n; a->n_group++)
        a->group[a->n_group] = inner[n - 1 - a->n_group];
    return ask(a, 0, true);
}

/* ---- layers in which different weights are trained --------------------------------------------------------------- */

static int split_groups_once(const rk_adapt *o, const rk_model *in, const rk_model **out, rk_err *err)
{
    const rk_program *p = &in->program;
    rk_arena own = {0};
    asking a = {.o = o, .m = in, .index = RK_NEW_ARRAY(&own, p->n_loop + 1, rk_i128), .err = err};

    a.signature = RK_NEW_ARRAY(&own, p->n_loop + 1, uint64_t *);
    if (!a.index || !a.signature)
        a.code = rk_fail_memory(err);
    for (size_t i = 0; i < p->n_loop && a.code == RK_OK; i++)
        if (p->loop[i].count_known && !(a.signature[i] = RK_NEW_ARRAY(&own, p->loop[i].n_layer + 1, uint64_t)))
            a.code = rk_fail_memory(err);
    for (size_t i = 0; i < p->n_weight && a.code == RK_OK; i++)
        is_frozen(&a, &p->weight[i]);
    if (a.code == RK_OK)
        a.code = rk_split_groups(in, a.signature, out, err);
    rk_arena_free(&own);
    return a.code;
}

static int split_groups(const rk_adapt *o, const rk_model *in, const rk_model **out, rk_err *err)
{
    int code = RK_OK;

    for (int round = 0; o->freezes && round < ROUNDS_MAX && code == RK_OK; round++) {
        const rk_model *next = NULL;

        code = split_groups_once(o, *out ? *out : in, &next, err);
        if (code != RK_OK || !next)
            break;
        if (*out)
            rk_model_own(next, *out);
        *out = next;
    }
    return code;
}

/* ---- marks ------------------------------------------------------------------------------------------------------- */

static uint32_t owner_of(const rk_build *b, uint32_t w)
{
    while (b->weight.at[w].tied_to != RK_NONE)
        w = b->weight.at[w].tied_to;
    return w;
}

/* A tensor under two names is trained under both or under none. */
static void settle_ties(rk_build *b)
{
    for (uint32_t i = 0; i < b->weight.n; i++)
        b->weight.at[owner_of(b, i)].frozen |= b->weight.at[i].frozen;
    for (uint32_t i = 0; i < b->weight.n; i++)
        b->weight.at[i].frozen = b->weight.at[owner_of(b, i)].frozen;
}

/* Layers that are recomputed want an input that needs a gradient, so it is asked for where tokens are looked up. */
static void seed_inputs(rk_build *b)
{
    for (size_t i = 0; i < b->op.n; i++)
        if (rk_op_table[b->op.at[i].row].class == RK_CLASS_LOOKUP &&
            b->tensor.at[b->op.at[i].in[0].tensor].kind == RK_TENSOR_INPUT)
            b->tensor.at[b->op.at[i].out].incoming = true;
}

static int mark_weights(const rk_adapt *o, const rk_model *in, rk_build *b)
{
    asking a = {.o = o, .m = in, .index = RK_NEW_ARRAY(b->a, in->program.n_loop + 1, rk_i128), .err = b->err};

    if (!a.index)
        return rk_fatal_memory(b);
    for (size_t i = 0; i < b->weight.n && a.code == RK_OK; i++)
        b->weight.at[i].frozen |= is_frozen(&a, &in->program.weight[i]);
    settle_ties(b);
    if (o->input_gradient)
        seed_inputs(b);
    return a.code;
}

int rk_pass_freeze(const rk_model *in, const rk_pass_options *o, const rk_model **out, rk_err *err)
{
    const rk_model *split = NULL;
    rk_model_draft *draft = NULL;
    rk_copy c = {.self = NULL};
    rk_build b;
    int code = o->adapt ? split_groups(o->adapt, in, &split, err) : RK_OK;

    if (!o->adapt || code != RK_OK)
        return code;
    in = split ? split : in;
    code = rk_pass_begin(in, &draft, &b, err);
    if (code != RK_OK) {
        rk_model_free(split);
        return code;
    }
    rk_model_own(draft->model, split);
    code = rk_copy_program(&c, &in->program, &b);
    if (code == RK_OK)
        code = mark_weights(o->adapt, in, &b);
    return rk_model_finish(code, draft, &b, out);
}
