/* SPDX-License-Identifier: MIT */
/*
 * Each pass alone: a program in, a program out; the oracle runs both, and what the pass says of them must hold.
 *
 * The table below has a statement for each row of pass/passes.h.  A pass without one fails the test, and so does one
 * that left every model as it was: then nothing was compared.  Programs are run by their equations through all layers
 * (step_plain.c), so that passes may form other groups of layers; weights have the same numbers in both under the same
 * names, and their gradients are compared layer by layer.  `lower` puts bodies in the place of definitions, which leave
 * out what no count depends on: its outputs are compared as bodies.c does.
 *
 * That it can fail was tried: y + y in the place of y + B(Ax), ties that freezing does not settle, layers that a copy
 * puts into the wrong group, a row without a statement.  Attention in one operation, with which alone layers become
 * equal that were not, gives its queries here, on both sides: what merging says of masks is not seen.
 */
#include "pass/passes.h"
#include "runner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROFILE "torch"
#define CLOSE 1e-9     /* both do the same, in other orders */
#define CLOSE_SUM 1e-7 /* (W + BA)x and Wx + B(Ax) do not */

/* ---- both sides ------------------------------------------------------------------------------------------------- */

/* How far the outputs, and the loss, of one side are from those of the other. */
static double output_distance(const side *a, const side *b)
{
    const rk_program *p = &a->model->program, *q = &b->model->program;
    double far = 0;

    if (p->n_output != q->n_output || ((p->loss == RK_NONE) != (q->loss == RK_NONE) && !b->model->part_of))
        return (double)INFINITY;
    for (size_t i = 0; i <= p->n_output; i++) {
        bool loss = i == p->n_output;
        uint32_t s = loss ? (p->loss == RK_NONE ? RK_NONE : p->op[p->loss].out) : p->output[i];
        uint32_t t = loss ? (q->loss == RK_NONE ? RK_NONE : q->op[q->loss].out) : q->output[i];
        const value *x, *y;

        if (s == RK_NONE || t == RK_NONE)
            break;
        x = &a->r.value.at[a->r.now[s]];
        y = &b->r.value.at[b->r.now[t]];
        if (x->n != y->n)
            return (double)INFINITY;
        far = fmax(far, distance(x->at, y->at, x->n));
    }
    return far;
}

static void outputs_agree(const side *a, const side *b, double close, const char *what, rk_str *out, findings *f)
{
    double far = output_distance(a, b);

    if (!(far <= close))
        wrong(out, f, "%s: the outputs differ by %.3g of their size", what, far);
}

/* The gradient of a weight by its name, from all groups of layers that have one of that name; NULL: there is none. */
static const double *gradient_of(side *s, const char *name, size_t n, bool *trained)
{
    const rk_program *p = &s->model->program;
    double *sum = NULL;

    *trained = false;
    for (uint32_t t = 0; t < p->n_tensor; t++) {
        const rk_weight *w = p->tensor[t].kind == RK_TENSOR_WEIGHT ? &p->weight[p->tensor[t].weight] : NULL;

        for (size_t i = 0; w && owner_of(p, t) == t && i < layers_of(p, w->group); i++) {
            const value *v = &s->r.value.at[s->r.given[t][i]];

            if (v->n != n || !runs_layer(p, w->group, i) || strcmp(name_in_layer(s, named_as(p, w), i), name) != 0)
                continue;
            sum = sum ? sum : new_numbers(&s->r, n, 0);
            add_numbers(sum, v->grad, n);
            *trained |= !w->frozen && !w->buffer;
        }
    }
    return sum;
}

/* Gradients of all weights that are trained on the second side. */
static void gradients_agree(side *a, side *b, const char *what, rk_str *out, findings *f)
{
    const rk_program *p = &a->model->program;

    for (uint32_t t = 0; t < p->n_tensor && f->n_wrong == 0; t++) {
        const rk_weight *w = p->tensor[t].kind == RK_TENSOR_WEIGHT ? &p->weight[p->tensor[t].weight] : NULL;
        size_t n = w ? a->r.value.at[a->r.given[t][0]].n : 0;

        for (size_t i = 0; w && owner_of(p, t) == t && i < layers_of(p, w->group); i++) {
            const char *name = name_in_layer(a, w, i);
            bool first, second;
            const double *x = gradient_of(a, name, n, &first), *y = gradient_of(b, name, n, &second);

            if (!x)
                continue; /* a layer of another group */
            if (!y)
                wrong(out, f, "%s: %s is gone", what, name);
            else if (distance(y, new_numbers(&a->r, n, 0), n) > 0 && !second)
                wrong(out, f, "%s: %s is not trained, and has a gradient", what, name);
            else if (second && !(distance(x, y, n) <= CLOSE))
                wrong(out, f, "%s: the gradient of %s differs: %g, %g", what, name, x[0], y[0]);
        }
    }
}

/* ---- adapters --------------------------------------------------------------------------------------------------- */

/* What is asked of adapters and of freezing. */
typedef struct asked {
    const rk_program *p; /* of the model before */
    rk_str target;       /* names of the weights that get adapters, each with a line of its own */
} asked;

static bool is_plain(const rk_ixs *axes)
{
    for (size_t i = 0; i < axes->n; i++)
        if (axes->at[i].kind == RK_IX_AFFINE || axes->at[i].kind == RK_IX_ROUTED)
            return false;
    return true;
}

/* Whether a weight has a matrix for each index of an axis that is not summed, as a product of B and A would not. */
static bool has_batch(const rk_program *p, const rk_op *op, size_t k)
{
    const rk_ixs *w = &op->in[k].axes, *other = &op->in[1 - k].axes, *out = &p->tensor[op->out].axes;

    for (size_t i = 0; i < w->n; i++)
        for (size_t j = 0; j < other->n; j++)
            for (size_t o = 0; o < out->n; o++)
                if (w->at[i].label == other->at[j].label && w->at[i].label == out->at[o].label)
                    return true;
    return false;
}

/* Whether all that is done with a weight is one kind of product, so that W + BA may stand in its place. */
static bool is_target(const rk_program *p, uint32_t t)
{
    size_t n = 0;

    if (p->weight[p->tensor[t].weight].tied_to != RK_NONE)
        return false;
    for (size_t i = 0; i < p->n_weight; i++)
        if (p->weight[i].tied_to == p->tensor[t].weight)
            return false;
    for (size_t i = 0; i < p->n_op; i++)
        for (size_t k = 0; k < p->op[i].n_in; k++) {
            const rk_op *op = &p->op[i];

            if (op->in[k].tensor != t)
                continue;
            n++;
            if (!op->summed || op->n_in != 2 || p->tensor[op->in[1 - k].tensor].kind == RK_TENSOR_WEIGHT)
                return false;
            if (!is_plain(&op->in[k].axes) || !is_plain(&op->in[1 - k].axes) || has_batch(p, op, k))
                return false;
        }
    return n == 1;
}

/* Every second target.  Weights of other groups of layers have the same pattern: all of them must be targets. */
static void find_targets(asked *x)
{
    const rk_program *p = x->p;

    for (uint32_t i = 0; i < p->n_weight; i++) {
        bool all = p->weight[i].tensor != RK_NONE && hash_text(p->weight[i].pattern) / 2 % 2 == 0;

        for (uint32_t k = 0; all && k < p->n_weight; k++)
            if (strcmp(p->weight[k].pattern, p->weight[i].pattern) == 0)
                all = p->weight[k].tensor != RK_NONE && is_target(p, p->weight[k].tensor);
        if (all)
            rk_str_format(&x->target, "%s\n", p->weight[i].pattern);
    }
}

static bool is_one_of(const asked *x, const char *pattern)
{
    size_t n = strlen(pattern);

    for (const char *at = rk_str_text(&x->target); *at; at = strchr(at, '\n') + 1)
        if (strncmp(at, pattern, n) == 0 && at[n] == '\n')
            return true;
    return false;
}

static bool adapts(void *self, const char *pattern)
{
    return is_one_of(self, pattern);
}

static const rk_weight *weight_named(const rk_program *p, const rk_weight *beside, rk_adapter what)
{
    const char *end = strrchr(beside->pattern, '.');
    size_t n = end ? (size_t)(end - beside->pattern) + 1 : 0;

    for (size_t i = 0; i < p->n_weight; i++) {
        const rk_weight *w = &p->weight[i];

        if (w->adapter == what && w->group == beside->group && strncmp(w->pattern, beside->pattern, n) == 0 &&
            strncmp(w->pattern + n, what == RK_ADAPTER_A ? "lora_A." : "lora_B.", 7) == 0)
            return w;
    }
    return NULL;
}

/* The product that reads a weight, and as which operand. */
static const rk_op *reader_of(const rk_program *p, uint32_t t, size_t *k)
{
    for (size_t i = 0; i < p->n_op; i++)
        for (*k = 0; *k < p->op[i].n_in; ++*k)
            if (p->op[i].in[*k].tensor == t)
                return &p->op[i];
    return NULL;
}

/*
 * Adds B·A to the numbers of a weight.  Axes of W that the result of its product has are those of B, in their order,
 * and B has the rank last; the others are those of A, after the rank.
 */
static void add_product(side *s, const rk_weight *w, size_t layer, const value *a, const value *b, long rank)
{
    size_t k;
    const rk_op *op = reader_of(s->w.p, w->tensor, &k);
    const rk_ixs *axes = &op->in[k].axes, *result = &s->w.p->tensor[op->out].axes;
    value *v = &s->r.value.at[s->r.given[w->tensor][layer]];
    size_t n_in = a->n / (size_t)rank;

    for (size_t e = 0; e < v->n; e++) {
        size_t left = e, in = 0, out = 0, in_step = 1, out_step = 1;

        for (size_t i = axes->n; i > 0; i--) {
            size_t size = (size_t)eval_size(&s->w, axes->at[i - 1].size), at = left % size;
            bool has = rk_ixs_has(result, axes->at[i - 1].label);

            left /= size;
            in += has ? 0 : at * in_step;
            out += has ? at * out_step : 0;
            in_step *= has ? 1 : size;
            out_step *= has ? size : 1;
        }
        for (size_t r = 0; r < (size_t)rank; r++)
            v->at[e] += b->at[out * (size_t)rank + r] * a->at[r * n_in + in];
    }
}

/* W becomes W + BA on the side that has no adapters, with the numbers of the one that has. */
static size_t add_adapters(side *plain, side *with, const asked *x, long rank)
{
    const rk_program *p = &plain->model->program, *q = &with->model->program;
    size_t n = 0;

    for (size_t i = 0; i < q->n_weight; i++) {
        const rk_weight *w = &q->weight[i], *a = weight_named(q, w, RK_ADAPTER_A),
                        *b = weight_named(q, w, RK_ADAPTER_B);

        if (!is_one_of(x, w->pattern) || !a || !b)
            continue;
        for (size_t k = 0; k < p->n_weight; k++)
            if (p->weight[k].group == w->group && strcmp(p->weight[k].pattern, w->pattern) == 0)
                for (size_t layer = 0; layer < layers_of(p, w->group); layer++, n++)
                    add_product(plain, &p->weight[k], layer, &with->r.value.at[with->r.given[a->tensor][layer]],
                                &with->r.value.at[with->r.given[b->tensor][layer]], rank);
    }
    return n;
}

/* ---- statements ------------------------------------------------------------------------------------------------- */

#define RANK 1 /* no side of any weight is smaller */

typedef struct trial {
    const subject *s;
    const rk_model *in, *out;
    asked *asked;
    rk_str *lines;
    findings *f;
} trial;

static void lower_says(const trial *t)
{
    world plain, body;

    if (plan_world(&plain, t->in, 1, SIDE_WORK_MAX) && plan_world(&body, t->out, 1, SIDE_WORK_MAX)) {
        compare_bodies(t->s, &plain, &body, t->lines, t->f);
        free_world(&body);
    } else {
        wrong(t->lines, t->f, "lower: cannot be run");
    }
    free_world(&plain);
}

/* Outputs agree, and the gradients of all that is trained afterwards. */
static void same_says(const trial *t)
{
    side a, b;

    if (open_side(&a, t->in, t->lines, t->f) && open_side(&b, t->out, t->lines, t->f)) {
        for (size_t i = 0; i < a.w.p->n_output && i < b.w.p->n_output; i++)
            b.w.root[i] = a.w.root[i];
        run_side(&a, true, t->lines, t->f);
        run_side(&b, true, t->lines, t->f);
        outputs_agree(&a, &b, CLOSE, "both", t->lines, t->f);
        gradients_agree(&a, &b, "both", t->lines, t->f);
        free_world(&b.w);
    }
    free_world(&a.w);
}

/* The same operations, of which some are marked: there is no more to compare than what they give. */
static void marks_says(const trial *t)
{
    side a, b;

    if (t->in->program.n_op != t->out->program.n_op || t->out->program.n_region == 0)
        wrong(t->lines, t->f, "other operations, or none is marked");
    if (open_side(&a, t->in, t->lines, t->f) && open_side(&b, t->out, t->lines, t->f)) {
        run_side(&a, false, t->lines, t->f);
        run_side(&b, false, t->lines, t->f);
        outputs_agree(&a, &b, CLOSE, "both", t->lines, t->f);
        free_world(&b.w);
    }
    free_world(&a.w);
}

/* With B = 0 nothing changes; otherwise all is as if W were W + BA. */
static void adapt_says(const trial *t)
{
    side a, b;
    size_t n;

    if (open_side(&a, t->in, t->lines, t->f) && open_side(&b, t->out, t->lines, t->f)) {
        number_weights(&b, true);
        run_side(&a, false, t->lines, t->f);
        run_side(&b, false, t->lines, t->f);
        outputs_agree(&a, &b, CLOSE, "with B = 0", t->lines, t->f);
        number_weights(&b, false);
        run_side(&b, false, t->lines, t->f);
        n = add_adapters(&a, &b, t->asked, RANK);
        run_side(&a, false, t->lines, t->f);
        outputs_agree(&a, &b, CLOSE_SUM, "with W + BA in the place of W", t->lines, t->f);
        if (n == 0 && t->asked->target.n > 0)
            wrong(t->lines, t->f, "no adapter stands beside any of its targets");
        free_world(&b.w);
    }
    free_world(&a.w);
}

/* By the whole name, so that layers of one group differ. */
static bool freezes(void *self, const char *name, const char *part)
{
    (void)self;
    (void)part;
    return hash_text(name) / 2 % 3 == 0;
}

/* What comes before the layers: the first of them is then given what needs no gradient. */
static bool freezes_inputs(void *self, const char *name, const char *part)
{
    (void)self;
    return strstr(name, "emb") != NULL || strstr(name, "wte") != NULL || strstr(part, "embed") != NULL;
}

/* Tied weights are frozen under all names, or trained under all. */
static bool is_said_frozen(side *s, uint32_t t, size_t layer)
{
    const rk_program *p = &s->model->program;

    for (uint32_t i = 0; i < p->n_weight; i++) {
        const rk_weight *w = &p->weight[i];
        bool same = w->group == p->weight[p->tensor[t].weight].group;

        /* In another group, as where many layers share one, it has a name in each of the layers. */
        for (size_t k = same ? layer : 0; rk_weight_owner(p, i) == p->tensor[t].weight; k++) {
            if ((same || runs_layer(p, w->group, k)) && freezes(NULL, name_in_layer(s, w, k), ""))
                return true;
            if (same || k + 1 >= layers_of(p, w->group))
                break;
        }
    }
    return false;
}

/* Some a model file freezes itself. */
static bool was_frozen(const rk_program *p, const char *pattern)
{
    for (uint32_t i = 0; i < p->n_weight; i++)
        if (p->weight[i].frozen && strcmp(p->weight[i].pattern, pattern) == 0)
            return true;
    return false;
}

/* Those are frozen that were named, or were before, and no others; the rest is as before. */
static void freeze_says(const trial *t)
{
    const rk_program *p = &t->out->program;
    side b;

    if (open_side(&b, t->out, t->lines, t->f)) {
        for (uint32_t i = 0; i < p->n_tensor && t->f->n_wrong == 0; i++) {
            const rk_weight *w = p->tensor[i].kind == RK_TENSOR_WEIGHT ? &p->weight[p->tensor[i].weight] : NULL;

            for (size_t k = 0; w && !w->buffer && owner_of(p, i) == i && k < layers_of(p, w->group); k++)
                if (runs_layer(p, w->group, k) &&
                    w->frozen != (is_said_frozen(&b, i, k) || was_frozen(&t->in->program, w->pattern)))
                    wrong(t->lines, t->f, "%s %s frozen", name_in_layer(&b, w, k), w->frozen ? "is" : "is not");
        }
        free_world(&b.w);
    }
    if (t->f->n_wrong == 0)
        same_says(t);
}

/* What one side has made once, layer by layer, the other finds in its caches. */
static size_t fill_caches(const side *from, side *to)
{
    const rk_program *p = &from->model->program, *q = &to->model->program;
    size_t n_filled = 0;

    for (size_t k = 0; k < q->n_keep; k++) {
        const rk_tensor *made = &p->tensor[p->keep[k].tensor];
        const rk_group *g = &p->group[p->keep[k].group];
        size_t n = 0;

        for (size_t i = 0; q->tensor[q->keep[k].tensor].kind == RK_TENSOR_CACHED && i < from->r.tape.n; i++) {
            const record *x = &from->r.tape.at[i];
            value *v, *of = &from->r.value.at[x->out];

            if (x->op != made->producer)
                continue;
            v = &to->r.value.at[to->r.given[q->keep[k].tensor][g->layer ? g->layer[n] : n]];
            memcpy(v->at, of->at, of->n * sizeof *of->at);
            n++;
            n_filled++;
        }
    }
    return n_filled;
}

static size_t n_cached; /* tensors that some layer has found in its cache */

static void serve_says(const trial *t)
{
    side a, b;
    size_t n;

    if (open_side(&a, t->in, t->lines, t->f) && open_side(&b, t->out, t->lines, t->f)) {
        run_side(&a, false, t->lines, t->f);
        n = fill_caches(&a, &b);
        n_cached += n;
        run_side(&b, false, t->lines, t->f);
        outputs_agree(&a, &b, CLOSE, "both", t->lines, t->f);
        if (n > 0 && b.w.p->loss != RK_NONE) /* a run without a cache before it keeps its loss */
            wrong(t->lines, t->f, "a decoding step has a loss");
        free_world(&b.w);
    }
    free_world(&a.w);
}

/* ---- stages ------------------------------------------------------------------------------------------------------ */

/* A pipeline of two. */
static rk_layout pipeline_of(rk_i128 rank)
{
    rk_layout l = rk_layout_single();

    l.size[RK_MESH_PP] = 2;
    l.rank = rank;
    return l;
}

/* What one stage gives is what the other is given; back, the gradient of that is where the first begins. */
static bool hand_on(side *first, side *second, bool back)
{
    const rk_program *p = &first->model->program, *q = &second->model->program;
    size_t n = 0;

    for (size_t i = 0; i < q->n_input; i++) {
        value *to = &second->r.value.at[second->r.given[q->input[i]][0]];
        const value *from =
            q->tensor[q->input[i]].incoming && n < p->n_output ? &first->r.value.at[first->r.now[p->output[n]]] : NULL;

        if (!q->tensor[q->input[i]].incoming)
            continue;
        if (!from || from->n != to->n)
            return false;
        memcpy(back ? first->w.root[n] : to->at, back ? to->grad : from->at, to->n * sizeof *to->at);
        n++;
    }
    return n == p->n_output;
}

/* Each weight is in one of the stages, or in both if it is tied: then its gradient is the sum of theirs. */
static void stage_gradients_agree(side *a, side *b, side *c, rk_str *out, findings *f)
{
    const rk_program *p = &a->model->program;

    for (uint32_t t = 0; t < p->n_tensor && f->n_wrong == 0; t++) {
        const rk_weight *w = p->tensor[t].kind == RK_TENSOR_WEIGHT ? &p->weight[p->tensor[t].weight] : NULL;
        size_t n = w ? a->r.value.at[a->r.given[t][0]].n : 0;

        for (size_t i = 0; w && owner_of(p, t) == t && i < layers_of(p, w->group); i++) {
            const char *name = name_in_layer(a, w, i);
            double *sum = new_numbers(&a->r, n, 0);
            bool trained;
            const double *whole = gradient_of(a, name, n, &trained), *one = gradient_of(b, name, n, &trained);
            const double *other = gradient_of(c, name, n, &trained);

            if (!whole)
                continue; /* a layer of another group */
            if (one)
                add_numbers(sum, one, n);
            if (other)
                add_numbers(sum, other, n);
            if (!one && !other)
                wrong(out, f, "%s is in no stage", name);
            else if (!(distance(whole, sum, n) <= CLOSE))
                wrong(out, f, "the gradient of %s differs: %g, %g", name, whole[0], sum[0]);
        }
    }
}

/* Two stages, one after the other, give what the model gives. */
static void stage_says(const trial *t)
{
    rk_layout layout = pipeline_of(1);
    const rk_model *last = NULL;
    side a, b, c;
    rk_err err;

    if (rk_pass_stage(t->in, &(rk_pass_options){.layout = &layout}, &last, &err) != RK_OK || !last) {
        wrong(t->lines, t->f, "the last stage: %s", err.message);
        return;
    }
    if (open_side(&a, t->in, t->lines, t->f) && open_side(&b, t->out, t->lines, t->f)) {
        if (open_side(&c, last, t->lines, t->f)) {
            for (size_t i = 0; i < a.w.p->n_output && i < c.w.p->n_output; i++)
                c.w.root[i] = a.w.root[i];
            run_side(&a, true, t->lines, t->f);
            run_side(&b, false, t->lines, t->f);
            if (!hand_on(&b, &c, false))
                wrong(t->lines, t->f, "what one stage gives is not what the next one gets");
            run_side(&c, true, t->lines, t->f);
            outputs_agree(&a, &c, CLOSE, "stages", t->lines, t->f);
            hand_on(&b, &c, true);
            run_side(&b, true, t->lines, t->f);
            stage_gradients_agree(&a, &b, &c, t->lines, t->f);
        }
        free_world(&c.w);
        free_world(&b.w);
    }
    free_world(&a.w);
    rk_model_free(last);
}

/* One of two devices has been made; the other one, what they send and what they have are the business of ranks.c. */
static void shard_says(const trial *t)
{
    two_devices_agree(t->in, t->lines, t->f);
}

/* ---- the table -------------------------------------------------------------------------------------------------- */

static const struct statement {
    const char *pass, *before; /* the pass whose result it is given; NULL: the model as it was expanded */
    bool profile, fused;       /* it is given one, with attention as one operation */
    rk_i128 rank;
    bool (*freezes)(void *self, const char *name, const char *part);
    void (*says)(const trial *t);
} statements[] = {
    {"lower", NULL, true, false, 0, NULL, lower_says},
    {"mesh", NULL, false, false, 0, NULL, same_says},
    {"merge", "lower", true, true, 0, NULL, same_says},
    {"stack", "lower", true, false, 0, NULL, same_says},
    {"adapt", NULL, false, false, RANK, NULL, adapt_says},
    {"freeze", NULL, false, false, 0, freezes, freeze_says},
    {"stage", NULL, false, false, 0, NULL, stage_says},
    {"split", "freeze", false, false, 0, freezes_inputs, same_says},
    {"serve", NULL, false, false, 0, NULL, serve_says},
    {"shard", NULL, false, false, 0, NULL, shard_says},
    {"recompute", NULL, false, false, 0, NULL, marks_says},
    {"chunk", NULL, false, false, 0, NULL, marks_says},
    {"autocast", "lower", true, false, 0, NULL, same_says},
};

static const struct row {
    const char *name;
    rk_pass *run;
} rows[] = {
#define ROW(NAME, FUNCTION, TEXT) {NAME, FUNCTION},
    RK_PASSES(ROW)
#undef ROW
};

#define N_ROW (sizeof rows / sizeof *rows)

static size_t n_changed[N_ROW]; /* models that each has changed */

static const struct statement *statement_of(const char *pass)
{
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        if (strcmp(statements[i].pass, pass) == 0)
            return &statements[i];
    return NULL;
}

static size_t row_of(const char *name)
{
    size_t i = 0;

    while (i < N_ROW && strcmp(rows[i].name, name) != 0)
        i++;
    return i;
}

static void check_pass(const subject *s, const rk_model *m, const struct statement *x, rk_str *out, findings *f)
{
    asked all = {.p = &m->program};
    rk_layout layout = rk_layout_single();
    bool shards = strcmp(x->pass, "shard") == 0, lays = shards || strcmp(x->pass, "mesh") == 0;
    rk_adapt adapt = {.rank = x->rank, .adapts = adapts, .freezes = x->freezes, .self = &all};
    rk_pass_options o = {.profile = x->profile ? PROFILE : NULL,
                         .fused = x->fused,
                         .finder = finder_of(s),
                         .adapt = x->rank > 0 || x->freezes ? &adapt : NULL,
                         .layout = lays ? &layout : NULL,
                         .serves = strcmp(x->pass, "serve") == 0,
                         .recomputes_attention = strcmp(x->pass, "recompute") == 0,
                         .autocast = strcmp(x->pass, "autocast") == 0,
                         .loss = strcmp(x->pass, "chunk") == 0 ? RK_REGION_CHUNKED : RK_REGION_NONE};
    const rk_layout first = pipeline_of(0);
    const rk_model *between = NULL, *result = NULL;
    rk_err err = {0};
    rk_str lines = {0};
    findings here = {0};
    int code;

    layout.size[RK_MESH_FSDP] = shards ? 1 : 8;
    layout.size[RK_MESH_TP] = shards ? 2 : 1;
    find_targets(&all);
    if (strcmp(x->pass, "stage") == 0)
        o.layout = &first;
    code = x->before ? rows[row_of(x->before)].run(m, &o, &between, &err) : RK_OK;
    if (code == RK_OK)
        code = rows[row_of(x->pass)].run(between ? between : m, &o, &result, &err);
    /* Not every model has such, or layers enough. */
    if (code != RK_OK && !(code == RK_EINPUT && (o.recomputes_attention || o.loss || o.layout || shards)) &&
        !(code == RK_EUSAGE && o.layout))
        wrong(&lines, &here, "%s", err.message);
    if (result) {
        x->says(&(trial){s, between ? between : m, result, &all, &lines, &here});
        n_changed[row_of(x->pass)]++;
        f->n_compared++;
    }
    if (here.n_wrong > 0)
        rk_str_format(out, "    %s:\n%s", x->pass, rk_str_text(&lines));
    f->n_wrong += here.n_wrong;
    rk_model_free(result);
    rk_model_free(between);
    rk_str_free(&lines);
    rk_str_free(&all.target);
}

void check_passes(const subject *s, const world *plain, rk_str *out, findings *f)
{
    const rk_model *m = plain->model;

    while (!m->expansion) /* as rk_passes_run begins */
        m = m->base;
    for (size_t i = 0; i < N_ROW; i++) {
        const struct statement *x = statement_of(rows[i].name);

        if (x)
            check_pass(s, m, x, out, f);
        else
            wrong(out, f, "%s: this test has no statement of what the pass does", rows[i].name);
    }
}

bool report_passes(void)
{
    const char *none = getenv("ONLY") ? "      " : "FAILED"; /* one model need not have everything */
    bool ok = true;

    for (size_t i = 0; i < N_ROW; i++) {
        printf("%s %s: changed %zu models\n", n_changed[i] ? "ok    " : none, rows[i].name, n_changed[i]);
        ok &= n_changed[i] > 0;
    }
    printf("%s serve: %zu tensors were found in caches\n", n_cached ? "ok    " : none, n_cached);
    return ok && n_cached > 0;
}
