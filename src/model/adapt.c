/* SPDX-License-Identifier: MIT */
/* Adapters beside the products of weights, and which weights are trained. */
#include "model/expand.h"
#include "model/needs.h"

#include <string.h>

/* ---- adapters ------------------------------------------------------------------------------------------------ */

/* The operand of a product that is a weight with an adapter, or 2. */
static size_t adapted(const rk_ctx *c, const rk_seen in[2])
{
    const rk_adapt *a = c->source->adapt;

    for (size_t k = 0; k < 2; k++) {
        const rk_tensor *t = &c->b.tensor.at[in[k].tensor], *other = &c->b.tensor.at[in[1 - k].tensor];

        if (t->kind == RK_TENSOR_WEIGHT && other->kind != RK_TENSOR_WEIGHT && a->rank > 0 &&
            a->adapts(a->self, c->b.weight.at[t->weight].pattern))
            return k;
    }
    return 2;
}

/* The axes that the result has, or those that it lacks, behind what is there. */
static int add_axes(rk_ctx *c, const rk_ixs *from, const rk_ixs *result, bool has, rk_ixs *out)
{
    int code = RK_OK;

    for (size_t i = 0; i < from->n && code == RK_OK; i++)
        if (rk_ixs_has(result, from->at[i].label) == has)
            code = rk_ixs_append(&c->b, out, &from->at[i]);
    return code;
}

static bool is_above(rk_ctx *c, rk_ex rank, rk_ex side)
{
    rk_binding at = rk_model_binding(c->model);
    rk_i128 r = 0, n = 0;

    return rk_ex_eval(c->pool, rank, &at, &r, NULL) == RK_OK && rk_ex_eval(c->pool, side, &at, &n, NULL) == RK_OK &&
           r > n;
}

static int check_rank(rk_ctx *c, const rk_weight *w)
{
    rk_ex rank = c->b.label.at[c->rank].size;

    for (size_t i = 0; i < w->n_dim; i++)
        if (is_above(c, rank, w->dim[i])) {
            rk_binding at = rk_model_binding(c->model);
            rk_i128 side = 0;
            char number[RK_NUM_TEXT_MAX];

            rk_ex_eval(c->pool, w->dim[i], &at, &side, NULL);
            return rk_fatal(
                &c->b, RK_EINPUT,
                "%s: one side of %s has %s: the rank of an adapter cannot be above that (--targets names others)",
                c->source->name, w->pattern, rk_num_text(number, side));
        }
    return c->b.fatal;
}

/* The axes of both sides of an adapter, and of what is between them. */
typedef struct sides {
    rk_ixs a, b, low;
} sides;

static int sides_of(rk_ctx *c, const rk_seen *x, const rk_seen *w, const rk_ixs *want, sides *out)
{
    rk_ix rank = rk_ix_of_label(c, c->rank);
    int code = rk_ixs_append(&c->b, &out->a, &rank);

    if (code == RK_OK)
        code = add_axes(c, &w->axes, want, false, &out->a);
    if (code == RK_OK)
        code = add_axes(c, &w->axes, want, true, &out->b);
    if (code == RK_OK)
        code = rk_ixs_append(&c->b, &out->b, &rank);
    if (code == RK_OK)
        code = add_axes(c, &x->axes, want, true, &out->low);
    return code == RK_OK ? rk_ixs_append(&c->b, &out->low, &rank) : code;
}

static int multiply(rk_ctx *c, const rk_seen *x, const rk_seen *w, const rk_ixs *axes, rk_seen *out)
{
    rk_seen in[2] = {*x, *w};
    rk_op *op = rk_build_op(&c->b, RK_OP_PRODUCT, in, 2, axes, out);

    if (!op)
        return c->b.fatal;
    op->summed = true;
    return RK_OK;
}

/* One operand, the same axes. */
static int step(rk_ctx *c, rk_op_id row, rk_seen *x, rk_type type)
{
    rk_seen in = *x;
    rk_op *op = rk_build_op(&c->b, row, &in, 1, &in.axes, x);

    if (!op)
        return c->b.fatal;
    op->real = 1; /* of a scale: no count depends on it */
    op->which = type;
    return RK_OK;
}

static int cast_if(rk_ctx *c, bool truth, rk_seen *x, rk_type type)
{
    return truth ? step(c, RK_OP_CAST, x, type) : RK_OK;
}

/* B(A x), times a number. */
static int low_rank(rk_ctx *c, rk_seen x, const rk_seen *w, const rk_ixs *want, rk_seen *out)
{
    uint32_t base = c->b.tensor.at[w->tensor].weight;
    bool wide = c->source->adapt->wide;
    sides s = {.a = {0}};
    rk_seen a, b, low;
    int code = sides_of(c, &x, w, want, &s);

    if (code == RK_OK)
        code = rk_weight_beside(c, base, "lora_A.default.weight", RK_ADAPTER_A, &s.a, &a);
    if (code == RK_OK)
        code = rk_weight_beside(c, base, "lora_B.default.weight", RK_ADAPTER_B, &s.b, &b);
    if (code == RK_OK)
        code = cast_if(c, wide, &x, RK_TYPE_F32);
    if (code == RK_OK)
        code = multiply(c, &x, &a, &s.low, &low);
    if (code == RK_OK)
        code = multiply(c, &low, &b, want, out);
    return code == RK_OK ? step(c, RK_OP_SCALE, out, RK_TYPE_RUN) : code;
}

/* Beside a weight of few bits, the product is copied first, and what is added has its type. */
static int join(rk_ctx *c, rk_seen *high, rk_seen *y, const rk_ixs *want)
{
    const rk_adapt *a = c->source->adapt;
    rk_seen in[2];
    int code = cast_if(c, a->wide && a->packed, high, RK_TYPE_RUN);

    if (code != RK_OK)
        return code;
    in[0] = *y;
    in[1] = *high;
    if (!rk_build_op(&c->b, RK_OP_ADD, in, 2, want, y))
        return c->b.fatal;
    return cast_if(c, a->wide && !a->packed, y, RK_TYPE_RUN);
}

int rk_adapt_product(rk_ctx *c, const rk_seen in[2], const rk_ixs *want, rk_seen *out)
{
    size_t k = adapted(c, in);
    rk_seen high;
    int code;

    if (k == 2)
        return RK_OK;
    if ((code = check_rank(c, &c->b.weight.at[c->b.tensor.at[in[k].tensor].weight])) != RK_OK)
        return code;
    if (c->source->adapt->packed && (code = step(c, RK_OP_COPY, out, RK_TYPE_RUN)) != RK_OK)
        return code;
    code = low_rank(c, in[1 - k], &in[k], want, &high);
    return code == RK_OK ? join(c, &high, out, want) : code;
}

/* ---- what is trained ----------------------------------------------------------------------------------------- */

/* A weight being asked for, layer by layer. */
typedef struct asking {
    const rk_ctx *c;
    const rk_weight *w;
    uint32_t group[RK_LOOP_NEST_MAX]; /* the outermost first */
    size_t n_group;
    rk_i128 *index; /* of each loop */
    rk_flow *f;     /* NULL: only the first layer is asked for */
    size_t n_asked;
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
    const rk_loop *l = &a->c->model->program.loop[g->loop];

    return g->layer ? g->n_layer : l->count_known && l->n_group == 1 ? l->n_layer : 0;
}

static uint64_t ask_name(asking *a)
{
    const rk_adapt *adapt = a->c->source->adapt;
    const rk_program *p = &a->c->model->program;
    rk_str name = {0};
    bool known = true, truth = false;

    if (++a->n_asked > RK_ASKED_MAX && a->code == RK_OK)
        a->code = rk_fail(a->c->b.err, RK_ELIMIT, "%s: too many layers to say which are frozen", a->c->source->name);
    for (size_t i = 0; i < a->n_group; i++)
        known &= n_layer_of(a, &p->group[a->group[i]]) > 0;
    if (known && a->code == RK_OK)
        a->code = rk_weight_name_text(a->c->model, &a->w->name, a->index, &name, a->c->b.err);
    if (a->code == RK_OK)
        truth = adapt->freezes(adapt->self, known ? rk_str_text(&name) : a->w->pattern, p->part[a->w->part].path);
    rk_str_free(&name);
    return truth;
}

static uint64_t mix(uint64_t sign, uint64_t more)
{
    return (sign ^ (more + 1)) * 0x100000001B3u;
}

/* What is said of a weight in all layers, as one number; layers that differ get different signs. */
static uint64_t ask(asking *a, size_t level, bool first)
{
    const rk_group *g = level < a->n_group ? &a->c->model->program.group[a->group[level]] : NULL;
    size_t n = g ? n_layer_of(a, g) : 0;
    uint64_t all = 0;

    if (!g)
        return ask_name(a);
    if (n == 0)
        return ask(a, level + 1, first);
    for (size_t i = 0; i < n && (a->f || i == 0) && a->code == RK_OK; i++) {
        uint64_t said, *sign = a->f ? &a->f->loop[g->loop].sign[layer_of(g, i)] : NULL;

        a->index[g->loop] = layer_of(g, i);
        said = ask(a, level + 1, first && i == 0);
        all = a->f ? mix(all, said) : said;
        if (sign && first)
            *sign = mix(*sign, said);
    }
    return all;
}

static void find_groups(asking *a)
{
    const rk_program *p = &a->c->model->program;
    uint32_t inner[RK_LOOP_NEST_MAX];
    size_t n = 0;

    for (uint32_t g = a->w->group; g != 0 && n < RK_LOOP_NEST_MAX; g = p->group[g].parent)
        inner[n++] = g;
    for (a->n_group = 0; a->n_group < n; a->n_group++)
        a->group[a->n_group] = inner[n - 1 - a->n_group];
}

/* Adapters alone are trained, where there are any; of what is left the user may have named some. */
static bool is_asked(const rk_adapt *a, const rk_weight *w)
{
    return a->freezes && !w->buffer && (a->rank == 0 || w->adapter != RK_ADAPTER_NONE);
}

static uint32_t owner_of(const rk_program *p, uint32_t w)
{
    while (p->weight[w].tied_to != RK_NONE)
        w = p->weight[w].tied_to;
    return w;
}

/* A tensor under two names is trained under both or under none. */
static void settle_ties(rk_program *p)
{
    for (uint32_t i = 0; i < p->n_weight; i++)
        p->weight[owner_of(p, i)].frozen |= p->weight[i].frozen;
    for (uint32_t i = 0; i < p->n_weight; i++)
        p->weight[i].frozen = p->weight[owner_of(p, i)].frozen;
}

/* Asks for every weight: `f` NULL: whether it is trained; else how its layers differ. */
static int ask_all(const rk_ctx *c, rk_flow *f)
{
    rk_program *p = &c->model->program;
    rk_arena own = {0};
    asking a = {.c = c, .f = f, .index = RK_NEW_ARRAY(&own, p->n_loop + 1, rk_i128)};

    if (!a.index)
        a.code = rk_fail_memory(c->b.err);
    for (size_t i = 0; i < p->n_weight && a.code == RK_OK; i++) {
        uint64_t said;

        a.w = &p->weight[i];
        if (!is_asked(c->source->adapt, a.w))
            continue;
        find_groups(&a);
        said = ask(&a, 0, true);
        p->weight[i].frozen |= !f && said;
    }
    rk_arena_free(&own);
    return a.code;
}

/* Layers that are computed again want an input that needs a gradient, so it is asked for where tokens are looked up. */
static void seed_inputs(rk_program *p)
{
    for (size_t i = 0; i < p->n_op; i++)
        if (p->op[i].row == RK_OP_LOOKUP && p->tensor[p->op[i].in[0].tensor].kind == RK_TENSOR_INPUT)
            p->tensor[p->op[i].out].incoming = true;
}

int rk_adapt_freeze(rk_ctx *c)
{
    const rk_adapt *a = c->source->adapt;
    rk_program *p = &c->model->program;
    int code;

    if (!a)
        return RK_OK;
    for (size_t i = 0; i < p->n_weight; i++)
        p->weight[i].frozen |= a->rank > 0 && p->weight[i].adapter == RK_ADAPTER_NONE;
    if ((code = ask_all(c, NULL)) != RK_OK)
        return code;
    settle_ties(p);
    if (a->seeds)
        seed_inputs(p);
    return RK_OK;
}

int rk_adapt_signs(const rk_ctx *c, rk_flow *f)
{
    return c->source->adapt && c->source->adapt->freezes ? ask_all(c, f) : RK_OK;
}
