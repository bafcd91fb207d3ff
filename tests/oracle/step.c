/* SPDX-License-Identifier: MIT */
/*
 * The runner: executes a step's tasks with real numbers, in a memory that holds only what the step says is alive.
 *
 * A model is run twice, all layers of it.  First by its equations: forward through all layers, everything is kept, and
 * back (`plain` below); this knows nothing of tasks.  Then by the lists of a step (pass/step.h): numbers lie in
 * buffers, a buffer that the step lets go is freed with all that lies in it, and an operation finds
 *
 *   - forward, its operands under the slots that its task reads: not there, or something else there, is an error;
 *   - backward, what its operation has saved, the weights, and the gradient that its task reads.  What else it asks for
 *     is not there, and asking is an error.
 *
 * Outputs and the gradients of all trained weights, of each layer, and of what comes in from another part of the
 * model, must be those of the first run.  So each list of effects is proved by use: a buffer that is let go too early
 * is missed by its reader, one that is not saved by its gradient, an order that is wrong by the sum.  A buffer that
 * is never let go is found when all is done: only what was given and the gradients of weights may be left.
 *
 * That it can fail was tried, by breaking pass/step_*.c and running llama, gpt2 and mixtral.  Results that are not
 * saved (save_all without those of whole tensors): "log_softmax: the gradient of its operand 1 reads its result, which
 * was not saved".  Buffers let go one operation too early (rk_event_op(i - 1) in note_operands): "its operand 1 is not
 * there".  Buffers not let go after every seventh operation: "makes a buffer where one is".  The gradient of a second
 * operand put under another tensor: "the gradient of its result is not there".
 *
 * A step has a copy of an operand from the operation on that makes it, and lets go of what it is a copy of before: as
 * if it had been copied when that was made.  Such an operand is taken as it was; how often is counted and printed.
 *
 * Gradients are held by slot and not by buffer: where a sum passes its gradient on to both operands, the step has one
 * buffer for both, to one of which something may be added while the other is still to be read.  How often a step does
 * so is counted and printed; the numbers are kept apart here.
 *
 * Recurrences: operations from one that reads something a step back up to the one that makes it are met together,
 * each with what it does to memory, and are then run step by step, forward or back in time.  What they read from
 * outside must be there until the last of them has been met.  Of what lies step by step, a gradient finds the steps
 * that were saved.  Before the first step there are zeros, under whichever name they are read: they get no gradient,
 * and nothing is read for one.  Were they anything else, the gradients would not be those of the first run.
 *
 * A step shows one chunk of a loss that is taken in several; its tasks are run once for each of them, over the tokens
 * of that chunk alone.  What the chunks find is let go by the last one, and what they leave behind is added up.
 *
 * Also tried: the gradient of a state left to the layer before ("the gradient of … differs"), what a recurrence reads
 * let go after its first reader ("what its later steps read is let go"), all steps but one saved ("reads shown, which
 * was not saved"), no gradient of the head's weight for the chunks to add to ("moves a buffer to where one is").
 */
#include "../profiles.h"
#include "runner.h"

#include "pass/passes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PROFILE "torch"
#define LONG 1e6   /* operations of one run */
#define CLOSE 1e-9 /* both do the same operations, in other orders where gradients are added up */

void fail_step(runner *r, uint32_t op, const char *what)
{
    const rk_op *o = op == RK_NONE ? NULL : &r->p->op[op];

    wrong(r->out, r->f, "%s: %s%s%s: %s", r->form, o ? r->p->part[o->part].path : "", o ? "." : "", o ? o->name : "",
          what);
}

/* ---- comparing -------------------------------------------------------------------------------------------------- */

static bool is_close(const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= CLOSE * (1 + fabs(a[i]) + fabs(b[i]))) && !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

/* Chunk by chunk, nobody ever has the output of all tokens, but the loss. */
static void compare_outputs(runner *r, const uint32_t *plain)
{
    for (size_t i = 0; i < r->p->n_output && !r->by_chunks; i++) {
        const value *a = &r->value.at[plain[i]], *b = &r->value.at[r->now[r->p->output[i]]];

        if (!is_close(a->at, b->at, a->n))
            wrong(r->out, r->f, "%s: the output differs", r->form);
    }
    if (r->loss) {
        const value *a = &r->value.at[plain[r->p->n_output]], *b = &r->value.at[r->now[r->p->op[r->p->loss].out]];

        if (!is_close(a->at, b->at, 1))
            wrong(r->out, r->f, "%s: the loss is %g, by the tasks %g", r->form, a->at[0], b->at[0]);
    }
}

/* Gradients of weights in each layer, and of what comes in: `passes` of them were added up. */
static void compare_gradients(runner *r, const rk_gradient *g, double passes)
{
    for (uint32_t t = 0; t < r->p->n_tensor; t++) {
        const rk_tensor *x = &r->p->tensor[t];
        bool weight = x->kind == RK_TENSOR_WEIGHT;
        size_t n = weight ? layers_of(r->p, r->p->weight[x->weight].group) : 1;

        if (!g->needs[t] || (weight ? owner_of(r->p, t) != t : x->kind != RK_TENSOR_INPUT || !x->incoming))
            continue;
        for (size_t i = 0; i < n; i++) {
            uint32_t id = r->given[t][i];
            const value *v = &r->value.at[id];
            double *zero = new_numbers(r, v->n, 0), *there = r->final[id];

            there = there ? there : r->grad[r->s->n_place + t] ? r->grad[r->s->n_place + t] : zero;
            for (size_t k = 0; k < v->n; k++)
                zero[k] = v->grad[k] * (weight ? passes : 1);
            if (there == zero ? !is_close(v->grad, new_numbers(r, v->n, 0), v->n) : !is_close(zero, there, v->n))
                wrong(r->out, r->f, "%s: the gradient of %s in layer %zu differs: %g, by the tasks %g", r->form,
                      weight ? r->p->weight[x->weight].pattern : x->name, i, zero[0], there[0]);
        }
    }
}

/* When all is done, there are the inputs and gradients that stay. */
static void check_left(runner *r)
{
    for (size_t i = 0; i < r->entry.n; i++) {
        const entry *e = &r->entry.at[i];

        if (r->by_chunks && r->by_chunks->region->kind == RK_REGION_FUSED && e->buffer == r->by_chunks->weight_gradient)
            continue;
        if (e->holders > 0 && e->buffer < r->s->n_place && r->pl->buffer[e->buffer].op != RK_NONE)
            fail_step(r, r->pl->buffer[e->buffer].op, "a buffer is never let go");
    }
}

/* ---- forms of a step -------------------------------------------------------------------------------------------- */

typedef struct form {
    const char *name;
    size_t recompute_layers;
    bool attention, adds_up;
    rk_region_kind loss;
    long chunks;
    bool always; /* also where a run takes long */
} form;

static const form forms[] = {
    {"as it is", 0, false, false, RK_REGION_NONE, 0, true},
    {"recomputed", 1, false, false, RK_REGION_NONE, 0, false},
    {"every 2", 2, false, false, RK_REGION_NONE, 0, false},
    {"selective", 0, true, false, RK_REGION_NONE, 0, false},
    {"added up", 0, false, true, RK_REGION_NONE, 0, false},
    {"loss in one chunk", 0, false, false, RK_REGION_CHUNKED, 1, false},
    {"loss in chunks", 0, false, false, RK_REGION_CHUNKED, 3, false},
    {"fused loss", 0, false, false, RK_REGION_FUSED, 3, false},
    {"recomputed, fused loss, added up", 1, false, true, RK_REGION_FUSED, 2, false},
    {"every 2, selective, in chunks, added up", 2, true, true, RK_REGION_CHUNKED, 2, true},
};

/* The first axes of what has something for each token number them; a block calls them by its own names. */
static bool number_tokens(const runner *r, const view *v, const rk_chunk *chunk, labels *out)
{
    long n = 1;

    out->n = 0;
    for (size_t i = 0; i < v->n && n < (long)chunk->n_token && v->at[i].kind == AXIS_LABEL; i++) {
        n *= r->w->size[v->at[i].label[0]];
        labels_add(out, v->at[i].label[0]);
    }
    if (n != (long)chunk->n_token)
        out->n = 0;
    return out->n > 0;
}

/* A weight may have as many rows as there are tokens. */
static bool copies_weight(const runner *r, uint32_t op)
{
    return r->p->op[op].n_in == 1 && r->p->tensor[r->p->op[op].in[0].tensor].kind == RK_TENSOR_WEIGHT;
}

/* Those of the head and the loss, and what a chunk of them has.  False: the model has no such form. */
static bool make_chunk(runner *r, const rk_instance *m, const form *x, rk_places *pl, const rk_flow *f, rk_chunk *chunk)
{
    const rk_ixs *axes = &r->p->tensor[r->p->output[0]].axes;
    rk_i128 n = 1;
    rk_err err;

    for (size_t i = 0; i + 1 < axes->n; i++)
        n *= eval_size(r->w, axes->at[i].size);
    if (rk_chunk_new(r->a, m, f, (n + x->chunks - 1) / x->chunks, NULL, pl, chunk, &err) != RK_OK || !chunk->region)
        return false;
    r->tokens = need(r->w, r->p->n_op + 1, sizeof *r->tokens);
    for (uint32_t i = chunk->region->first; i < chunk->region->end; i++)
        if (!copies_weight(r, i) && !number_tokens(r, &r->w->op[i].out, chunk, &r->tokens[i]))
            number_tokens(r, &r->w->op[i].in[0], chunk, &r->tokens[i]);
    r->by_chunks = chunk;
    return true;
}

/* The regions that a pass marks, put beside the operations, which it leaves as they are.  False: there are none. */
static bool mark(runner *r, const rk_instance *m, rk_pass *pass, const form *x, rk_program *p)
{
    rk_pass_options o = {.recomputes_attention = x->attention, .loss = x->loss};
    const rk_model *made = NULL;
    rk_region *all;
    rk_err err = {0};

    if (pass(m->model, &o, &made, &err) != RK_OK || !made)
        return false;
    all = need(r->w, p->n_region + made->program.n_region, sizeof *all);
    for (size_t i = 0; i < p->n_region + made->program.n_region; i++)
        all[i] = i < p->n_region ? p->region[i] : made->program.region[i - p->n_region];
    p->region = all;
    p->n_region += made->program.n_region;
    rk_model_free(made);
    return true;
}

/* Makes a step in this form.  False: the model has no such form, or something went wrong. */
static bool make_step(runner *r, const rk_instance *m, const form *x, rk_places *pl, const rk_gradient *g, rk_step *s)
{
    static const rk_profile profile = PROFILE_WITH(1, 0);
    rk_run_options run = {.bytes = 4, .autocast = r->mixed, .profile = &profile};
    rk_step_options o = {.run = run, .backward = true, .loss = r->loss, .rounding = 1, .places = RK_EX_FAILED};
    rk_program *marked = RK_NEW(r->a, rk_program);
    rk_instance at = *m;
    rk_err err = {0};
    int code = rk_places_new(r->a, m, &g->flow, &run, pl, &err);

    *marked = *m->program;
    at.program = marked;
    o.recompute_layers = x->recompute_layers;
    o.adds_up = x->adds_up;
    r->by_chunks = NULL;
    if ((x->attention && !mark(r, m, rk_pass_recompute, x, marked)) ||
        (x->loss && !mark(r, m, rk_pass_chunk, x, marked)))
        return false;
    if (code == RK_OK && x->loss && !make_chunk(r, &at, x, pl, &g->flow, RK_NEW(r->a, rk_chunk)))
        return false;
    o.chunk = r->by_chunks;
    if (code == RK_OK)
        code = rk_step_new(r->a, &at, pl, &g->flow, &o, s, &err);
    if (code != RK_OK)
        wrong(r->out, r->f, "%s: %s", x->name, err.message);
    return code == RK_OK;
}

static void run_form(runner *r, const rk_instance *m, const form *x, const rk_gradient *g, const uint32_t *plain)
{
    rk_places pl = {0};
    rk_step s = {0};
    double passes = x->adds_up ? 2 : 1;

    r->form = x->name;
    if (!make_step(r, m, x, &pl, g, &s))
        return;
    r->s = &s;
    r->pl = &pl;
    r->flow = &g->flow;
    r->final = need(r->w, r->value.n + 1, sizeof *r->final);
    for (int pass = 0; pass < (int)passes && r->f->n_wrong == 0; pass++) {
        r->entry.n = r->stamp_now = 0;
        r->slot = need(r->w, s.n_slot + 1, sizeof *r->slot);
        r->saved = need(r->w, s.list[s.forward].n_saved + 1, sizeof *r->saved);
        r->grad = need(r->w, s.n_slot + 1, sizeof *r->grad);
        r->stamp = need(r->w, r->p->n_tensor + 1, sizeof *r->stamp);
        memset(r->slot, 0xFF, s.n_slot * sizeof *r->slot);
        memset(r->saved, 0xFF, s.list[s.forward].n_saved * sizeof *r->saved);
        hold_weights(r);
        r->done = need(r->w, r->p->n_op + 1, sizeof *r->done);
        for (size_t i = 0; i < r->p->n_op; i++)
            r->done[i] = need(r->w, layers_of(r->p, r->p->op[i].group), sizeof **r->done);
        r->entered = need(r->w, r->p->n_loop + 1, sizeof *r->entered);
        for (size_t i = 0; i < r->p->n_loop; i++)
            r->entered[i] = need(r->w, layers_of(r->p, r->p->loop[i].group[0]), sizeof **r->entered);
        for (uint32_t t = 0; t < r->p->n_tensor; t++)
            if (r->p->tensor[t].kind == RK_TENSOR_INPUT)
                r->now[t] = r->given[t][0];
        do_list(r, s.forward, r->saved);
        if (r->f->n_wrong == 0)
            compare_outputs(r, plain);
        r->stamp_now++;
        do_list(r, s.backward, r->saved);
    }
    if (r->f->n_wrong == 0)
        compare_gradients(r, g, passes);
    if (r->f->n_wrong == 0)
        check_left(r);
    r->f->n_compared++;
}

/* Chunks of 64 tokens make a run long: of its forms, the one with everything and the one with nothing are run. */
static bool takes_long(const world *w)
{
    double n = 0;

    for (size_t i = 0; i < w->p->n_op; i++)
        n += (double)w->op[i].forward.all[0];
    return n > LONG;
}

static void check_world_step(world *w, const rk_model *m, bool mixed, rk_str *out, findings *f)
{
    runner r = {.w = w, .p = w->p, .a = &w->arena, .mixed = mixed, .out = out, .f = f, .form = "by the equations"};
    rk_gradient g = {0};
    uint32_t *plain = need(w, w->p->n_output + 2, sizeof *plain);
    rk_instance *at = NULL;
    bool is_long;
    rk_err err;

    if (rk_gradient_new(&w->arena, w->p, &g, &err) != RK_OK || rk_instance_new(m, &at, &err) != RK_OK) {
        wrong(out, f, "gradient: %s", err.message);
        return;
    }
    r.loss = w->p->loss != RK_NONE;
    r.now = need(w, w->p->n_tensor + 1, sizeof *r.now);
    find_recurrences(&r);
    give_numbers(&r);
    run_plain(&r);
    is_long = takes_long(w);
    for (size_t i = 0; i < w->p->n_output; i++)
        plain[i] = r.now[w->p->output[i]];
    if (r.loss)
        plain[w->p->n_output] = r.now[w->p->op[w->p->loss].out];
    set_wants(w, &g.flow);
    run_plain_back(&r);
    f->n_op += r.tape.n;
    for (size_t i = 0; i < sizeof forms / sizeof *forms && f->n_wrong == 0; i++)
        if (forms[i].always || !is_long)
            run_form(&r, at, &forms[i], &g, plain);
    if (w->wrong[0] != '\0')
        wrong(out, f, "%s", w->wrong);
    f->n_shared += r.n_shared;
    rk_instance_free(at);
}

static void check_as(const subject *s, const world *plain, rk_str *out, findings *f)
{
    const rk_model *m = NULL;
    rk_str why = {0};
    world w;

    if (open_body(s, PROFILE, plain->model, &m, &w, &why)) {
        check_world_step(&w, m, s->mixed, out, f);
        free_world(&w);
        rk_model_free(m);
    } else {
        wrong(out, f, "with its bodies%s: %s", s->mixed ? ", under autocast" : "", rk_str_text(&why));
    }
    rk_str_free(&why);
}

/* What saves and lets go is what a framework runs: the operations of a model written out in the bodies of a profile. */
void check_step(const subject *s, const world *plain, rk_str *out, findings *f)
{
    subject mixed = *s;

    mixed.mixed = true;
    check_as(s, plain, out, f);
    if (f->n_wrong == 0)
        check_as(&mixed, plain, out, f);
}
