/* SPDX-License-Identifier: MIT */
/*
 * pass/stage.c - what one device of a pipeline runs: a stretch of the layers, or several stretches, one for each of its
 * stages.
 *
 * The first stage has what stands before the layers, the last one what stands after them.  What the layers carry on
 * comes in from the stage before and goes out to the next.  What they read beside that (a table of positions, a mask)
 * each stage makes for itself; where it is made with weights, the layers cannot be taken apart.
 */
#include "pass/passes.h"

#include "model/copy.h"
#include "model/roles.h"
#include "pass/schedule.h"

#include <string.h>

typedef struct staging {
    const rk_model *m;
    const rk_program *p;
    const rk_layout *layout;
    const rk_loop *loop; /* whose layers are divided */
    rk_i128 stages;      /* of all devices */
    rk_arena own;
    bool *sent;                            /* of each variable of the loop: layers change it */
    bool *needed;                          /* of each tensor, in the stage that is being made */
    bool *left_out, *no_weight, *no_input; /* as the copy is told */
    bool *shared;                          /* of each weight: both ends have it, and each a part of its gradient */
    bool *stands;                          /* of each tensor: it comes in */
    rk_copy_loop *regroup;                 /* of each loop */
    rk_err *err;
} staging;

/* ---- what is divided -------------------------------------------------------------------------------------------- */

/* Whether a group stands in a loop, or in one inside of it. */
static bool is_in(const rk_program *p, uint32_t group, const rk_loop *l)
{
    while (group != 0 && &p->loop[p->group[group].loop] != l)
        group = p->group[group].parent;
    return group != 0;
}

/* Parameters of the layers of a loop; 0: not known. */
static rk_i128 parameters_of(const rk_model *m, rk_pool *pool, const rk_loop *l)
{
    const rk_program *p = &m->program;
    rk_binding at = rk_model_binding(m);
    rk_i128 sum = 0, n = 0;

    for (size_t i = 0; i < p->n_weight; i++)
        if (is_in(p, p->weight[i].group, l) &&
            rk_ex_eval(pool, rk_ex_mul(pool, p->weight[i].count, rk_group_times(pool, p, p->weight[i].group)), &at, &n,
                       NULL) == RK_OK)
            sum += n;
    return sum;
}

/* Of loops that stand in no other the one with the most parameters, of equal ones the last. */
static const rk_loop *find_loop(const rk_model *m, rk_pool *pool)
{
    const rk_program *p = &m->program;
    const rk_loop *best = NULL;
    rk_i128 most = 0;

    for (size_t i = 0; i < p->n_loop; i++) {
        rk_i128 n = parameters_of(m, pool, &p->loop[i]);

        if (p->loop[i].parent != 0 || p->loop[i].first_op == p->loop[i].end_op || (best && n < most))
            continue;
        best = &p->loop[i];
        most = n;
    }
    return best;
}

static int check_loop(const staging *x)
{
    char n[RK_NUM_TEXT_MAX], layers[RK_NUM_TEXT_MAX];

    if (!x->loop || !x->loop->count_known)
        return rk_fail(x->err, RK_EINPUT, "%s: a pipeline divides layers, and %s", x->m->name,
                       x->loop ? "how many there are is not known" : "there are none");
    if (x->stages > (rk_i128)x->loop->n_layer)
        return rk_fail(x->err, RK_EUSAGE, "--layout: %s stages, but %s has %s layers: %s at most",
                       rk_num_text(n, x->stages), x->m->name, rk_num_text(layers, (rk_i128)x->loop->n_layer),
                       x->layout->stages > 1 ? "pp times virtual is that" : "pp is that");
    return RK_OK;
}

static void find_sent(staging *x)
{
    for (size_t k = 0; k < x->loop->n_group; k++) {
        const rk_group *g = &x->p->group[x->loop->group[k]];

        for (size_t v = 0; v < x->loop->n_carry; v++)
            x->sent[v] |= g->out[v] != g->in[v];
    }
}

/* ---- what a stage needs ------------------------------------------------------------------------------------------ */

/* The tensors that variables of the loop are before its first layer. */
static const uint32_t *before_loop(const staging *x)
{
    return x->p->group[x->loop->group[0]].in;
}

static bool is_before(const staging *x, uint32_t tensor)
{
    const rk_tensor *t = &x->p->tensor[tensor];

    return t->kind == RK_TENSOR_INPUT || (t->kind == RK_TENSOR_RESULT && t->producer < x->loop->first_op);
}

/* What an operation reads that was made before the layers. */
static void need_operands(staging *x, const rk_op *op)
{
    for (size_t k = 0; k < op->n_in; k++)
        if (is_before(x, op->in[k].tensor) && !x->stands[op->in[k].tensor])
            x->needed[op->in[k].tensor] = true;
}

/* What a layer of another loop reads, the layer before it leaves. */
static bool need_carried(staging *x)
{
    bool news = false;

    for (size_t i = 0; i < x->p->n_loop; i++) {
        const rk_loop *l = &x->p->loop[i];

        for (size_t k = 0; l->end_op <= x->loop->first_op && k < l->n_group * l->n_group; k++)
            for (size_t v = 0; v < l->n_carry; v++) {
                uint32_t in = x->p->group[l->group[k / l->n_group]].in[v];
                uint32_t out = x->p->group[l->group[k % l->n_group]].out[v];

                news |= x->needed[in] && !x->needed[out];
                x->needed[out] |= x->needed[in];
            }
    }
    return news;
}

static bool is_read(const rk_program *p, uint32_t tensor)
{
    for (size_t i = 0; i < p->n_op; i++)
        for (size_t k = 0; k < p->op[i].n_in; k++)
            if (p->op[i].in[k].tensor == tensor)
                return true;
    return false;
}

static void find_needed(staging *x, bool first, bool last)
{
    const uint32_t *in = before_loop(x);

    memset(x->needed, 0, x->p->n_tensor * sizeof *x->needed);
    for (size_t v = 0; v < x->loop->n_carry; v++)
        x->stands[in[v]] = x->sent[v] && !first;
    for (size_t v = 0; v < x->loop->n_carry; v++)
        x->needed[in[v]] |= !x->stands[in[v]];
    for (size_t i = x->loop->first_op; i < (last ? x->p->n_op : x->loop->end_op); i++)
        need_operands(x, &x->p->op[i]);
    /* A table that operations read without saying so. */
    for (size_t i = 0; i < x->loop->first_op; i++)
        x->needed[x->p->op[i].out] |= x->p->op[i].n_in == 0 && !is_read(x->p, x->p->op[i].out);
    do
        for (size_t i = x->loop->first_op; i > 0; i--)
            if (x->needed[x->p->op[i - 1].out])
                need_operands(x, &x->p->op[i - 1]);
    while (need_carried(x));
}

static bool is_put(const staging *x, size_t op, bool first, bool last)
{
    return op < x->loop->first_op ? first || x->needed[x->p->op[op].out] : op < x->loop->end_op || last;
}

static int fail_read(const staging *x, uint32_t tensor)
{
    return rk_fail(x->err, RK_EINPUT,
                   "%s: stages after the first read %s, which is made with weights of the first: they cannot be laid "
                   "over a pipeline",
                   x->m->name, x->p->tensor[tensor].name);
}

/* Whether an operation reads what came before the layers itself, and not what layers have made of it since. */
static bool reads_past(const staging *x, size_t op, uint32_t tensor)
{
    uint32_t group = x->p->op[op].group;
    bool is_carried = false;

    if (!x->stands[tensor])
        return false;
    while (group != 0 && x->p->group[group].parent != 0)
        group = x->p->group[group].parent;
    for (size_t v = 0; op >= x->loop->first_op && op < x->loop->end_op && v < x->loop->n_carry; v++)
        is_carried |= x->p->group[group].in[v] == tensor;
    return !is_carried;
}

/* Operations, weights and inputs of the stage; weights of the layers go with these. */
static int leave_out(staging *x, bool first, bool last)
{
    const rk_program *p = x->p;

    for (size_t i = 0; i < p->n_weight; i++)
        x->no_weight[i] = p->weight[i].tensor != RK_NONE || !first;
    for (size_t i = 0; i < p->n_input; i++)
        x->no_input[i] = true;
    for (size_t i = 0; i < p->n_op; i++) {
        x->left_out[i] = !is_put(x, i, first, last);
        for (size_t k = 0; !x->left_out[i] && k < p->op[i].n_in; k++) {
            const rk_tensor *t = &p->tensor[p->op[i].in[k].tensor];

            if (t->kind == RK_TENSOR_WEIGHT && !first && i < x->loop->first_op && !p->weight[t->weight].buffer)
                return fail_read(x, p->op[i].out);
            if (reads_past(x, i, p->op[i].in[k].tensor))
                return fail_read(x, p->op[i].in[k].tensor);
            if (t->kind == RK_TENSOR_WEIGHT)
                x->no_weight[t->weight] = false;
            for (size_t n = 0; t->kind == RK_TENSOR_INPUT && n < p->n_input; n++)
                x->no_input[n] &= p->input[n] != p->op[i].in[k].tensor;
        }
    }
    for (uint32_t i = 0; i < p->n_weight; i++) { /* who is tied to another has that one's numbers */
        x->no_weight[i] &= !is_in(p, p->weight[i].group, x->loop);
        for (uint32_t w = i; !x->no_weight[i] && p->weight[w].tied_to != RK_NONE;)
            x->no_weight[w = p->weight[w].tied_to] = false;
    }
    return RK_OK;
}

/* ---- the stage --------------------------------------------------------------------------------------------------- */

/* How many layers that are, in terms of all where all stages have as many. */
static rk_ex count_of(const staging *x, rk_pool *pool, rk_i128 n)
{
    if ((rk_i128)x->loop->n_layer % x->stages != 0)
        return rk_ex_int(pool, n);
    return rk_ex_div(pool, x->loop->count,
                     rk_ex_mul(pool, rk_mesh_size(pool, x->layout, RK_MESH_PP), rk_ex_int(pool, x->layout->stages)));
}

/* Layers from `first` up to `end`, in their groups. */
static int take_layers(staging *x, rk_pool *pool, size_t first, size_t end)
{
    rk_copy_loop *r = &x->regroup[x->loop - x->p->loop];
    size_t n = 0;

    *r = (rk_copy_loop){.layers = RK_NEW_ARRAY(&x->own, x->loop->n_group + 1, rk_copy_layers),
                        .first = first,
                        .n_layer = end - first,
                        .count = count_of(x, pool, (rk_i128)(end - first))};
    if (!r->layers)
        return rk_fail_memory(x->err);
    for (size_t k = 0; k < x->loop->n_group; k++) {
        const rk_group *g = &x->p->group[x->loop->group[k]];
        rk_copy_layers *to = &r->layers[r->n];

        *to = (rk_copy_layers){.group = x->loop->group[k], .layer = RK_NEW_ARRAY(&x->own, g->n_layer + 1, uint32_t)};
        if (!to->layer)
            return rk_fail_memory(x->err);
        for (size_t i = 0; g->layer && i < g->n_layer; i++)
            if (g->layer[i] >= first && g->layer[i] < end)
                to->layer[to->n_layer++] = g->layer[i] - (uint32_t)first;
        if (!g->layer)
            to->n_layer = end - first;
        r->n += to->n_layer > 0;
        n += to->n_layer;
    }
    if (r->n == 1)
        r->layers[0].layer = NULL;
    return n == end - first ? RK_OK : rk_fail(x->err, RK_EINPUT, "%s: layers of no kind", x->m->name);
}

/* What the stage before has sent. */
static int put_incoming(staging *x, rk_copy *c, rk_i128 stage)
{
    const uint32_t *in = before_loop(x);

    for (size_t v = 0; v < x->loop->n_carry; v++) {
        rk_tensor *t = x->stands[in[v]] ? RK_PUSH(c->out->a, &c->out->tensor) : NULL;
        uint32_t *slot = t ? RK_PUSH(c->out->a, &c->out->input) : NULL;

        if (!x->stands[in[v]])
            continue;
        if (!slot)
            return rk_fatal_memory(c->out);
        *t = x->p->tensor[in[v]];
        t->kind = RK_TENSOR_INPUT;
        t->producer = t->until = RK_NONE;
        t->group = 0;
        t->incoming = true;
        if (!(t->name = rk_arena_format(c->out->a, "%s_stage%u", t->name, (unsigned)stage)))
            return rk_fatal_memory(c->out);
        *slot = c->tensor[in[v]] = (uint32_t)(c->out->tensor.n - 1);
    }
    return RK_OK;
}

/* What the next stage gets. */
static int put_outgoing(staging *x, rk_copy *c)
{
    const rk_group *end = &x->p->group[x->loop->group[x->loop->n_group - 1]];
    int code = RK_OK;

    c->out->part = 0;
    c->out->group = 0;
    for (size_t v = 0; v < x->loop->n_carry && code == RK_OK; v++)
        if (x->sent[v])
            code = rk_build_give(c->out, rk_copy_tensor(c, end->out[v], end->out_alias[v]), 0);
    return code;
}

/* Of both ends of the pipeline, but of no layer: who is tied to another has that one's numbers. */
static int find_shared(staging *x)
{
    int code;

    find_needed(x, true, false);
    code = leave_out(x, true, false);
    for (size_t i = 0; i < x->p->n_weight; i++)
        x->shared[i] = !x->no_weight[i] && x->p->weight[i].tied_to == RK_NONE;
    if (code == RK_OK) {
        find_needed(x, false, true);
        code = leave_out(x, false, true);
    }
    for (size_t i = 0; i < x->p->n_weight; i++)
        x->shared[i] &= !x->no_weight[i] && x->layout->runtime.adds_up_ties;
    for (size_t i = x->loop->first_op; i < x->loop->end_op; i++)
        for (size_t k = 0; k < x->p->op[i].n_in; k++)
            if (rk_op_reads_weight(x->p, &x->p->op[i], k))
                x->shared[rk_op_operand(x->p, &x->p->op[i], k)->weight] = false;
    return code;
}

static int put_stage(staging *x, rk_i128 number, bool again, rk_build *b)
{
    rk_i128 layers = (rk_i128)x->loop->n_layer;
    bool first = number == 0, last = number + 1 == x->stages;
    rk_copy c = {.regroup = x->regroup,
                 .left_out = x->left_out,
                 .left_out_weight = x->no_weight,
                 .left_out_input = x->no_input,
                 .stands = x->stands,
                 .again = again,
                 .gives_nothing = !last};
    rk_program_stage *slot = RK_PUSH(b->a, &b->stage);
    int code = slot ? RK_OK : rk_fatal_memory(b);

    if (code == RK_OK) {
        *slot = (rk_program_stage){.first = (uint32_t)b->op.n, .number = (uint32_t)number};
        find_needed(x, first, last);
        code = leave_out(x, first, last);
    }
    if (code == RK_OK)
        code =
            take_layers(x, b->pool, (size_t)(layers * number / x->stages), (size_t)(layers * (number + 1) / x->stages));
    if (code == RK_OK)
        code = rk_copy_begin(&c, x->p, b);
    if (code == RK_OK)
        code = put_incoming(x, &c, number);
    if (code == RK_OK)
        code = rk_copy_run(&c);
    for (size_t i = 0; code == RK_OK && i < x->p->n_weight; i++)
        if (x->shared[i] && c.weight[i] != RK_NONE)
            b->weight.at[c.weight[i]].partial |= 1u << RK_MESH_PP;
    return code == RK_OK && !last ? put_outgoing(x, &c) : code;
}

int rk_pass_stage(const rk_model *in, const rk_pass_options *o, const rk_model **out, rk_err *err)
{
    const rk_program *p = &in->program;
    staging x = {.m = in, .p = p, .layout = o->layout, .err = err};
    rk_model_draft *d = NULL;
    rk_build b;
    int code;

    if (!o->layout || o->layout->size[RK_MESH_PP] == 1)
        return RK_OK;
    x.stages = rk_layout_stages(o->layout);
    if ((code = rk_pass_begin(in, &d, &b, err)) != RK_OK)
        return code;
    x.loop = find_loop(in, b.pool);
    if ((code = check_loop(&x)) != RK_OK)
        return rk_model_finish(code, d, &b, out);
    x.sent = RK_NEW_ARRAY(&x.own, x.loop->n_carry + 1, bool);
    x.needed = RK_NEW_ARRAY(&x.own, p->n_tensor + 1, bool);
    x.stands = RK_NEW_ARRAY(&x.own, p->n_tensor + 1, bool);
    x.left_out = RK_NEW_ARRAY(&x.own, p->n_op + 1, bool);
    x.no_weight = RK_NEW_ARRAY(&x.own, p->n_weight + 1, bool);
    x.shared = RK_NEW_ARRAY(&x.own, p->n_weight + 1, bool);
    x.no_input = RK_NEW_ARRAY(&x.own, p->n_input + 1, bool);
    x.regroup = RK_NEW_ARRAY(&x.own, p->n_loop + 1, rk_copy_loop);
    code = x.own.failed ? rk_fail_memory(err) : RK_OK;
    d->model->part_of = in;
    if (code == RK_OK) {
        find_sent(&x);
        code = find_shared(&x); /* the last stage reads all that any after the first does */
    }
    for (size_t i = 0; i < (size_t)o->layout->stages && code == RK_OK; i++)
        code = put_stage(&x, rk_layout_stage(o->layout, i), i > 0, &b);
    code = rk_model_finish(code, d, &b, out);
    rk_arena_free(&x.own);
    return code;
}
