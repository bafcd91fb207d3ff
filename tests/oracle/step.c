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
 * there".  Buffers not let go behind every seventh operation: "makes a buffer where one is".  The gradient of a second
 * operand put under another tensor: "the gradient of its result is not there".
 *
 * A step has a copy of an operand from the operation on that makes it, and lets go of what it is a copy of before: as
 * if it had been copied when that was made.  Such an operand is taken as it was; how often is counted and printed.
 *
 * Gradients are held by slot and not by buffer: where a sum passes its gradient on to both operands, the step has one
 * buffer for both, to one of which something may be added while the other is still to be read.  How often a step does
 * so is counted and printed; the numbers are kept apart here.
 *
 * Recurrences are run step by step through several operations at once, which a list of tasks does not show: models that
 * have one are not run here, and are listed.  Nor is a loss whose gradients are taken at once.
 */
#include "../profiles.h"
#include "count.h"

#include "pass/passes.h"
#include "pass/timeline.h"

#include <stdio.h>
#include <string.h>

#define PROFILE "torch"
#define CLOSE 1e-9 /* both do the same operations, in other orders where gradients are added up */

/* A tensor in one layer. */
typedef struct value {
    double *at, *grad;
    size_t n;
    uint32_t places; /* buffers that are alive in which it lies; 0: it is gone */
    bool stays;      /* a weight, or what the model holds */
} value;

/* An operation in one layer. */
typedef struct record {
    uint32_t op;
    uint32_t *in, out; /* values */
    long **chosen;     /* places that were chosen: of each operation that this one asks, in turn */
} record;

/* A buffer. */
typedef struct entry {
    uint32_t holders, buffer;
    RK_VEC(uint32_t) value; /* that lie in it */
} entry;

typedef struct runner {
    world *w;
    const rk_program *p;
    rk_arena *a;
    rk_str *out;
    findings *f;
    const char *form; /* of the step: "recomputed" */
    bool loss;        /* the gradient begins at the loss */
    RK_VEC(value) value;
    uint32_t **given; /* of each tensor that is a weight or an input: its value in each layer */
    uint32_t *now;    /* of each tensor: its value at this place */
    uint32_t layer[32];
    size_t n_layer;
    RK_VEC(record) tape; /* of the first run */

    /* The second run. */
    const rk_step *s;
    const rk_places *pl;
    RK_VEC(entry) entry;
    uint32_t *slot, *saved;     /* entries */
    double **grad;              /* of each slot: the gradient in it */
    record **done;              /* of each operation: what it was in each layer */
    uint32_t ***entered;        /* of each loop, in each layer: what its variables were */
    uint32_t *stamp, stamp_now; /* of each tensor: in which part of the backward pass its value was recomputed */
    double **final;             /* of each value that is a weight: its gradient */
    size_t n_shared;
} runner;

static void fail(runner *r, uint32_t op, const char *what)
{
    const rk_op *o = op == RK_NONE ? NULL : &r->p->op[op];

    wrong(r->out, r->f, "%s: %s%s%s: %s", r->form, o ? r->p->part[o->part].path : "", o ? "." : "", o ? o->name : "",
          what);
}

static double *numbers(runner *r, size_t n, double of)
{
    double *x = need(r->w, n + 1, sizeof *x);

    for (size_t i = 0; i < n; i++)
        x[i] = of;
    return x;
}

static uint32_t new_value(runner *r, uint32_t tensor)
{
    value *v = RK_PUSH(r->a, &r->value);
    size_t n = r->w->tensor[tensor].n;

    *v = (value){.at = numbers(r, n, (double)NAN), .grad = numbers(r, n, 0), .n = n};
    return (uint32_t)(r->value.n - 1);
}

/* ---- layers ----------------------------------------------------------------------------------------------------- */

static size_t depth_of(const rk_program *p, uint32_t group)
{
    size_t n = 0;

    for (; p->group[group].loop != RK_NONE; group = p->group[group].parent)
        n++;
    return n;
}

/* Layers of a group, of all loops around it: how many there are, and which of them is being run. */
static size_t layers_of(const rk_program *p, uint32_t group)
{
    size_t n = 1;

    for (; p->group[group].loop != RK_NONE; group = p->group[group].parent)
        n *= p->loop[p->group[group].loop].n_layer;
    return n;
}

static size_t layer_now(const runner *r, uint32_t group)
{
    const rk_group *g = &r->p->group[group];

    if (g->loop == RK_NONE)
        return 0;
    return layer_now(r, g->parent) * r->p->loop[g->loop].n_layer + r->layer[depth_of(r->p, group) - 1];
}

static uint32_t owner_of(const rk_program *p, uint32_t tensor)
{
    const rk_weight *w = &p->weight[p->tensor[tensor].weight];

    while (w->tied_to != RK_NONE)
        w = &p->weight[w->tied_to];
    return w->tensor == RK_NONE ? tensor : w->tensor;
}

/* Weights and inputs: numbers of their own in each layer.  Tied weights are one. */
static void give_numbers(runner *r)
{
    r->given = need(r->w, r->p->n_tensor + 1, sizeof *r->given);
    for (uint32_t t = 0; t < r->p->n_tensor; t++) {
        const rk_tensor *x = &r->p->tensor[t];
        size_t n = x->kind == RK_TENSOR_WEIGHT ? layers_of(r->p, r->p->weight[x->weight].group) : 1;

        if (x->kind == RK_TENSOR_RESULT)
            continue;
        r->given[t] = need(r->w, n, sizeof **r->given);
        for (size_t i = 0; i < n; i++) {
            uint32_t id = r->given[t][i] = new_value(r, t);
            value *v = &r->value.at[id];

            v->stays = x->kind == RK_TENSOR_WEIGHT;
            for (size_t k = 0; k < v->n; k++)
                v->at[k] =
                    r->w->tensor[t].integer ? (double)(random_next(&r->w->random) % 1000) : 0.8 * random_real(r->w);
        }
    }
    for (uint32_t t = 0; t < r->p->n_tensor; t++)
        if (r->p->tensor[t].kind == RK_TENSOR_WEIGHT && r->w->tensor[owner_of(r->p, t)].n == r->w->tensor[t].n)
            r->given[t] = r->given[owner_of(r->p, t)];
}

static uint32_t read_now(const runner *r, uint32_t tensor)
{
    const rk_tensor *x = &r->p->tensor[tensor];

    if (x->kind != RK_TENSOR_WEIGHT)
        return r->now[tensor];
    return r->given[tensor][layer_now(r, r->p->weight[r->p->tensor[owner_of(r->p, tensor)].weight].group)];
}

/* ---- one operation ---------------------------------------------------------------------------------------------- */

/* The operations whose choices this one reads, one after the other; `n`: how many came before. */
static uint32_t chooser(const plan *p, size_t n)
{
    for (size_t i = 0; i < p->op->n_in; i++)
        for (size_t k = 0; k < p->in[i].n; k++)
            if (p->in[i].at[k].kind == AXIS_ROUTED && n-- == 0)
                return p->in[i].at[k].chooser;
    return RK_NONE;
}

static void note_choices(runner *r, record *x)
{
    const plan *p = &r->w->op[x->op];
    size_t n = 0;

    while (chooser(p, n) != RK_NONE)
        n++;
    x->chosen = need(r->w, n + 2, sizeof *x->chosen);
    for (size_t i = 0; i < n; i++)
        x->chosen[i] = r->w->op[chooser(p, i)].chosen;
    x->chosen[n] = p->chosen;
}

static void restore_choices(runner *r, const record *x)
{
    plan *p = &r->w->op[x->op];
    size_t n = 0;

    for (; chooser(p, n) != RK_NONE; n++)
        r->w->op[chooser(p, n)].chosen = x->chosen[n];
    p->chosen = x->chosen[n];
}

static record new_record(runner *r, uint32_t op)
{
    return (record){.op = op, .in = need(r->w, r->p->op[op].n_in + 1, sizeof(uint32_t)), .out = RK_NONE};
}

/* Runs an operation whose operands are known; its result is a new value. */
static void run_op(runner *r, record *x)
{
    plan *p = &r->w->op[x->op];
    cell *c = r->w->tensor;

    x->out = new_value(r, p->op->out);
    for (size_t k = 0; k < p->op->n_in; k++)
        c[p->op->in[k].tensor].value = r->value.at[x->in[k]].at;
    c[p->op->out].value = r->value.at[x->out].at;
    if (p->chosen)
        p->chosen = need(r->w, r->value.at[x->out].n + 1, sizeof *p->chosen);
    forward_op(r->w, p);
    note_choices(r, x);
    r->now[p->op->out] = x->out;
}

/* ---- the first run: by the equations, keeping everything -------------------------------------------------------- */

static void plain_group(runner *r, uint32_t group);

static void plain_loop(runner *r, size_t loop)
{
    const rk_loop *l = &r->p->loop[loop];
    const rk_group *first = &r->p->group[l->group[0]], *end = &r->p->group[l->group[l->n_group - 1]];
    uint32_t *before = need(r->w, l->n_carry + 1, sizeof *before), *carry = need(r->w, l->n_carry + 1, sizeof *carry);

    for (size_t v = 0; v < l->n_carry; v++)
        before[v] = carry[v] = r->now[first->in[v]];
    for (size_t i = 0; i < l->n_layer; i++) {
        uint32_t group = l->order ? l->order[i] : l->group[0];

        for (size_t v = 0; v < l->n_carry; v++)
            r->now[r->p->group[group].in[v]] = carry[v];
        r->layer[r->n_layer++] = (uint32_t)i;
        plain_group(r, group);
        r->n_layer--;
        for (size_t v = 0; v < l->n_carry; v++)
            carry[v] = r->now[r->p->group[group].out[v]];
    }
    for (size_t v = 0; v < l->n_carry; v++)
        r->now[first->in[v]] = before[v];
    for (size_t v = 0; v < l->n_carry; v++)
        r->now[end->out[v]] = carry[v];
}

static size_t loop_at(const rk_program *p, uint32_t group, size_t op)
{
    for (size_t i = 0; i < p->n_loop; i++)
        if (p->loop[i].parent == group && p->loop[i].first_op <= op && op < p->loop[i].end_op)
            return i;
    return SIZE_MAX;
}

static void plain_group(runner *r, uint32_t group)
{
    size_t end = group == 0 ? r->p->n_op : r->p->group[group].end_op;

    for (size_t i = group == 0 ? 0 : r->p->group[group].first_op; i < end;) {
        size_t loop = r->p->op[i].group == group ? SIZE_MAX : loop_at(r->p, group, i);
        record x;

        if (loop != SIZE_MAX) {
            plain_loop(r, loop);
            i = r->p->loop[loop].end_op;
            continue;
        }
        if (r->loss || i < r->p->loss_first || r->p->loss == RK_NONE) {
            x = new_record(r, (uint32_t)i);
            for (size_t k = 0; k < r->p->op[i].n_in; k++)
                x.in[k] = read_now(r, r->p->op[i].in[k].tensor);
            run_op(r, &x);
            *RK_PUSH(r->a, &r->tape) = x;
        }
        i++;
    }
}

/* Every operand that needs a gradient gets one, those of the loss too.  No end is free: there are no recurrences. */
static void set_wants(world *w, const rk_flow *f)
{
    static const rk_grad plain = {.shift_label = RK_NONE};

    for (size_t i = 0; i < w->p->n_op; i++)
        for (size_t k = 0; k < w->p->op[i].n_in; k++) {
            w->op[i].want[k] = rk_grad_flows(&w->p->op[i], k) && rk_flow_needs(f, i, k);
            w->op[i].grad[k] = &plain;
        }
}

static void seed_outputs(runner *r)
{
    for (size_t i = 0; i < r->p->n_output && !r->loss; i++) {
        value *v = &r->value.at[r->now[r->p->output[i]]];

        for (size_t k = 0; k < v->n; k++)
            v->grad[k] += r->w->root[i][k];
    }
    if (r->loss)
        r->value.at[r->now[r->p->op[r->p->loss].out]].grad[0] = 1;
}

static void plain_backward(runner *r)
{
    cell *c = r->w->tensor;

    seed_outputs(r);
    for (size_t i = r->tape.n; i-- > 0;) {
        const record *x = &r->tape.at[i];
        plan *p = &r->w->op[x->op];
        bool any = false;

        restore_choices(r, x);
        for (size_t k = 0; k < p->op->n_in; k++) {
            c[p->op->in[k].tensor].value = r->value.at[x->in[k]].at;
            c[p->op->in[k].tensor].grad = r->value.at[x->in[k]].grad;
            any |= p->want[k];
        }
        c[p->op->out].value = r->value.at[x->out].at;
        c[p->op->out].grad = r->value.at[x->out].grad;
        if (any)
            backward_op(r->w, p);
    }
}

/* ---- the second run: memory ------------------------------------------------------------------------------------- */

static uint32_t new_entry(runner *r, uint32_t buffer)
{
    entry *e = RK_PUSH(r->a, &r->entry);

    *e = (entry){.holders = 1, .buffer = buffer};
    return (uint32_t)(r->entry.n - 1);
}

static bool lies_in(const runner *r, uint32_t id, uint32_t at)
{
    for (size_t i = 0; at != RK_NONE && i < r->entry.at[at].value.n; i++)
        if (r->entry.at[at].value.at[i] == id)
            return true;
    return false;
}

static void put_in(runner *r, uint32_t id, uint32_t at)
{
    if (at == RK_NONE || lies_in(r, id, at))
        return;
    *RK_PUSH(r->a, &r->entry.at[at].value) = id;
    r->value.at[id].places++;
}

/* What lay in a buffer that nobody holds is gone, unless it also lies elsewhere. */
static void let_go(runner *r, uint32_t *at)
{
    entry *e = *at == RK_NONE ? NULL : &r->entry.at[*at];

    *at = RK_NONE;
    if (!e || --e->holders > 0)
        return;
    for (size_t i = 0; i < e->value.n; i++)
        r->value.at[e->value.at[i]].places--;
    e->value.n = 0;
}

static void do_effect(runner *r, const rk_task *t, const rk_effect *e, uint32_t *saved, double **fresh)
{
    uint32_t *slot = e->slot == RK_NONE ? NULL : &r->slot[e->slot];

    switch (e->kind) {
    case RK_EFFECT_MAKE:
        if (*slot != RK_NONE)
            fail(r, t->op, "makes a buffer where one is");
        *slot = new_entry(r, e->other);
        r->grad[e->slot] = *fresh;
        *fresh = NULL;
        break;
    case RK_EFFECT_SHARE:
        if (r->slot[e->other] == RK_NONE)
            fail(r, t->op, "shares what is not there");
        else
            r->entry.at[r->slot[e->other]].holders++;
        if (slot) {
            *slot = r->slot[e->other];
            r->grad[e->slot] = *fresh;
            *fresh = NULL;
        }
        break;
    case RK_EFFECT_MOVE:
        if (slot) {
            *slot = r->slot[e->other];
            r->grad[e->slot] = r->grad[e->other];
        }
        r->slot[e->other] = RK_NONE;
        r->grad[e->other] = NULL;
        break;
    case RK_EFFECT_SAVE:
    case RK_EFFECT_LEND:
        saved[e->other] = *slot;
        if (*slot == RK_NONE)
            fail(r, t->op, "saves what is not there");
        else
            r->entry.at[*slot].holders++;
        break;
    case RK_EFFECT_RESTORE:
        if (saved[e->other] == RK_NONE || *slot != RK_NONE)
            fail(r, t->op, *slot == RK_NONE ? "restores what was not saved" : "restores where something is");
        else
            r->entry.at[ *slot = saved[e->other]].holders++;
        break;
    case RK_EFFECT_FREE:
        if (*slot == RK_NONE)
            fail(r, t->op, "lets go of what is not there");
        let_go(r, slot);
        r->grad[e->slot] = NULL;
        break;
    case RK_EFFECT_FREE_SAVED:
        if (saved[e->other] == RK_NONE)
            fail(r, t->op, "lets go of what is not saved");
        let_go(r, &saved[e->other]);
        break;
    }
}

/* ---- the second run: tasks -------------------------------------------------------------------------------------- */

static bool comes_first(const rk_effect *e)
{
    return e->kind == RK_EFFECT_MAKE;
}

/* The slot under which the result of an operation lies; RK_NONE: in what the model holds. */
static uint32_t result_slot(const runner *r, const rk_task *t)
{
    const rk_op *op = &r->p->op[t->op];
    uint32_t place = r->pl->tensor[op->out].buffer;

    if (place == RK_NONE || r->pl->buffer[place].stored)
        return RK_NONE;
    for (size_t k = 0; k < t->n_read; k++)
        if (r->pl->tensor[op->in[k].tensor].buffer == place)
            return r->s->read[t->read + k];
    return place;
}

/* Whether an operation makes a copy of an operand before it begins. */
static bool is_copied(const runner *r, uint32_t op, size_t k)
{
    uint32_t read = r->pl->list[r->pl->op[op].read + k];

    return read != RK_NONE && read != r->pl->tensor[r->p->op[op].in[k].tensor].buffer;
}

static void forward_task(runner *r, const rk_task *t, uint32_t *saved)
{
    const rk_op *op = &r->p->op[t->op];
    const rk_place_op *at = &r->pl->op[t->op];
    record *x = &r->done[t->op][layer_now(r, op->group)], before = *x;
    const rk_effect *e = r->s->effect + t->effect, *end = e + t->n_effect;
    double *none = NULL;
    char text[64];

    *x = new_record(r, t->op);
    for (size_t k = 0; k < op->n_in; k++) {
        uint32_t tensor = op->in[k].tensor, slot = r->s->read[t->read + k];
        bool known = t->kind == RK_TASK_FORWARD || r->stamp[tensor] == r->stamp_now ||
                     r->p->tensor[tensor].kind == RK_TENSOR_WEIGHT;

        x->in[k] = known ? read_now(r, tensor) : before.in[k];
        snprintf(text, sizeof text, "its operand %zu is not there", k + 1);
        if (r->value.at[x->in[k]].stays || (slot != RK_NONE && lies_in(r, x->in[k], r->slot[slot])))
            continue;
        if (is_copied(r, t->op, k))
            r->f->n_copied++;
        else
            fail(r, t->op, text);
    }
    for (; e < end && comes_first(e); e++)
        do_effect(r, t, e, saved, &none);
    run_op(r, x);
    r->stamp[op->out] = r->stamp_now;
    if (result_slot(r, t) == RK_NONE)
        r->value.at[x->out].stays = true;
    else
        put_in(r, x->out, r->slot[result_slot(r, t)]);
    for (uint32_t b = at->made; b < at->made + at->n_made; b++) /* copies of operands */
        for (size_t k = 0; k < op->n_in; k++)
            if (r->pl->buffer[b].tensor == op->in[k].tensor && op->in[k].tensor != op->out && r->slot[b] != RK_NONE)
                put_in(r, x->in[k], r->slot[b]);
    for (; e < end; e++)
        do_effect(r, t, e, saved, &none);
}

/*
 * What an operation finds backward: weights, and what lies in a buffer that it has saved.  Where it has saved a mask or
 * a list of places that it made of its operands, these stand for it here.
 */
static double *find_saved(const runner *r, const rk_task *t, const uint32_t *saved, uint32_t id)
{
    const unsigned made =
        RK_KEEP_CHOICE | RK_KEEP_VISITS | RK_KEEP_HIDDEN | RK_KEEP_ONE | RK_KEEP_PAIRS | RK_KEEP_ENDS | RK_KEEP_SPOTS;
    bool stands = (rk_op_table[r->p->op[t->op].row].keeps & made) && t->n_saved > 0;

    for (uint32_t k = 0; k < t->n_saved && stands; k++)
        if (saved[t->saved + k] != RK_NONE && r->pl->buffer[r->entry.at[saved[t->saved + k]].buffer].tensor == RK_NONE)
            return r->value.at[id].at;
    for (uint32_t k = 0; k < t->n_saved; k++)
        if (lies_in(r, id, saved[t->saved + k]))
            return r->value.at[id].at;
    return r->value.at[id].stays ? r->value.at[id].at : NULL;
}

static void gradient_task(runner *r, const rk_task *t, uint32_t *saved)
{
    const rk_op *op = &r->p->op[t->op];
    plan *p = &r->w->op[t->op];
    const record *x = &r->done[t->op][layer_now(r, op->group)];
    uint32_t from = r->s->read[t->read], of = op->in[t->operand].tensor, missing = 0;
    double one_only = 1, *fresh = numbers(r, r->w->tensor[of].n, 0), *unused;
    cell *c = r->w->tensor;
    char text[128];

    if (from != RK_NONE && (r->slot[from] == RK_NONE || !r->grad[from])) {
        fail(r, t->op, "the gradient of its result is not there");
        return;
    }
    restore_choices(r, x);
    for (size_t k = 0; k < op->n_in; k++) {
        c[op->in[k].tensor].value = find_saved(r, t, saved, x->in[k]);
        unused = numbers(r, c[op->in[k].tensor].n, 0);
        c[op->in[k].tensor].grad = op->in[k].tensor == of ? fresh : unused;
    }
    c[op->out].value = find_saved(r, t, saved, x->out);
    c[op->out].grad = from == RK_NONE ? &one_only : r->grad[from];
    memset(p->want, 0, op->n_in * sizeof *p->want);
    p->want[t->operand] = true;
    r->w->missing = &missing;
    backward_op(r->w, p);
    r->w->missing = NULL;
    if (missing) {
        const char *name = r->p->tensor[missing - 1].name;

        snprintf(text, sizeof text, "%s: the gradient of its operand %u reads %s, which was not saved",
                 rk_op_table[op->row].name, t->operand + 1,
                 missing - 1 == op->out ? "its result"
                 : name                 ? name
                                        : "an operand");
        fail(r, t->op, text);
    }
    for (size_t i = 0; i < t->n_effect; i++) {
        const rk_effect *e = &r->s->effect[t->effect + i];
        double *none = NULL;
        /* What is made here is the gradient, or a copy of something else for the time of the task. */
        bool is_it = (e->kind == RK_EFFECT_MAKE && e->other >= r->s->n_place) || e->kind == RK_EFFECT_SHARE;

        if (e->kind == RK_EFFECT_MOVE && e->slot == RK_NONE)
            r->final[x->in[t->operand]] = r->grad[e->other];
        do_effect(r, t, e, saved, is_it ? &fresh : &none);
    }
}

static void accumulate_task(runner *r, const rk_task *t, uint32_t *saved)
{
    uint32_t to = r->s->read[t->read], from = r->s->read[t->read + 1];
    double *sum = NULL, *none = NULL;
    size_t n = 0;

    if (r->slot[from] == RK_NONE || !r->grad[from] || (to != RK_NONE && (r->slot[to] == RK_NONE || !r->grad[to]))) {
        fail(r, t->op, "adds what is not there");
        return;
    }
    if (to == RK_NONE) {
        uint32_t id = t->op == RK_NONE ? read_now(r, t->operand)
                                       : r->done[t->op][layer_now(r, r->p->op[t->op].group)].in[t->operand];

        n = r->value.at[id].n;
        r->final[id] = r->final[id] ? r->final[id] : numbers(r, n, 0);
        for (size_t k = 0; k < n; k++)
            r->final[id][k] += r->grad[from][k];
    } else {
        uint32_t tensor = (r->entry.at[r->slot[to]].buffer - (uint32_t)r->s->n_place);

        n = r->entry.at[r->slot[to]].buffer < r->s->n_place ? 0 : r->w->tensor[tensor].n;
        r->n_shared += r->entry.at[r->slot[to]].holders > 1;
        sum = numbers(r, n, 0);
        for (size_t k = 0; k < n; k++)
            sum[k] = r->grad[to][k] + r->grad[from][k];
    }
    for (size_t i = 0; i < t->n_effect; i++)
        do_effect(r, t, &r->s->effect[t->effect + i], saved, &none);
    if (to != RK_NONE)
        r->grad[to] = sum;
}

static void storage_task(runner *r, const rk_task *t, uint32_t *saved)
{
    for (size_t i = 0; i < t->n_effect; i++) {
        const rk_effect *e = &r->s->effect[t->effect + i];
        double *none = NULL, *seed = NULL;

        for (size_t k = 0; k < r->p->n_output; k++)
            if (e->kind == RK_EFFECT_MAKE && e->slot == r->s->n_place + r->p->output[k])
                seed = r->w->root[k];
        for (uint32_t x = 0; e->kind == RK_EFFECT_MOVE && e->slot == RK_NONE && x < r->p->n_tensor; x++)
            if (e->other == r->s->n_place + x && r->p->tensor[x].kind == RK_TENSOR_WEIGHT)
                r->final[read_now(r, x)] = r->grad[e->other]; /* a layer has it complete */
        do_effect(r, t, e, saved, seed ? &seed : &none);
        if (e->kind == RK_EFFECT_MAKE && e->other < r->s->n_place && r->pl->buffer[e->other].tensor != RK_NONE &&
            r->p->tensor[r->pl->buffer[e->other].tensor].kind == RK_TENSOR_INPUT)
            put_in(r, r->given[r->pl->buffer[e->other].tensor][0], r->slot[e->slot]);
    }
}

static void do_task(runner *r, const rk_task *t, uint32_t *saved)
{
    if (t->kind == RK_TASK_FORWARD || t->kind == RK_TASK_RECOMPUTE)
        forward_task(r, t, saved);
    else if (t->kind == RK_TASK_GRADIENT)
        gradient_task(r, t, saved);
    else if (t->kind == RK_TASK_ACCUMULATE)
        accumulate_task(r, t, saved);
    else
        storage_task(r, t, saved);
}

/* Does a list run operations, rather than take their gradients? */
static bool runs_forward(const rk_step *s, uint32_t list)
{
    for (size_t i = 0; i < s->list[list].n_item; i++) {
        const rk_step_item *x = &s->list[list].item[i];

        if (x->run ? x->is_backward : s->task[x->task].stage == RK_STAGE_BACKWARD)
            return false;
    }
    return true;
}

static void do_list(runner *r, uint32_t list, uint32_t *saved);

/* Variables of a loop have values while its layers are run forward; what they were is remembered for each layer. */
static void do_layer(runner *r, const rk_step_item *item, const rk_step_run *run, uint32_t *carry, bool begins,
                     uint32_t *saved)
{
    const rk_loop *l = &r->p->loop[item->loop];
    const rk_group *g = &r->p->group[r->s->list[run->list].group];
    bool forward = runs_forward(r->s, run->list);
    uint32_t **entered;

    r->layer[r->n_layer++] = run->layer;
    entered = &r->entered[item->loop][layer_now(r, r->s->list[run->list].group)];
    if (!forward || begins)
        r->stamp_now++;
    if (forward && begins && *entered && item->is_backward)
        memcpy(carry, *entered, l->n_carry * sizeof *carry);
    if (forward) {
        *entered = need(r->w, l->n_carry + 1, sizeof **entered);
        memcpy(*entered, carry, l->n_carry * sizeof *carry);
    }
    for (size_t v = 0; v < l->n_carry && forward; v++) {
        r->now[g->in[v]] = carry[v];
        r->stamp[g->in[v]] = r->stamp_now;
    }
    do_list(r, run->list, saved + item->frame + run->frame);
    for (size_t v = 0; v < l->n_carry && forward; v++)
        carry[v] = r->now[g->out[v]];
    r->n_layer--;
}

static void do_loop(runner *r, const rk_step_item *item, uint32_t *saved)
{
    const rk_loop *l = &r->p->loop[item->loop];
    const rk_group *first = &r->p->group[l->group[0]], *end = &r->p->group[l->group[l->n_group - 1]];
    uint32_t *before = need(r->w, l->n_carry + 1, sizeof *before), *carry = need(r->w, l->n_carry + 1, sizeof *carry);
    bool begins = item->is_backward;

    for (size_t v = 0; v < l->n_carry; v++)
        before[v] = carry[v] = r->now[first->in[v]];
    for (size_t i = 0; i < item->n_run; i++) {
        const rk_step_run *run = &item->run[i];

        if (run->layer == RK_NONE)
            do_list(r, run->list, saved + item->frame + run->frame);
        else
            do_layer(r, item, run, carry, begins, saved);
        begins = run->layer == RK_NONE && item->is_backward;
    }
    for (size_t v = 0; v < l->n_carry; v++)
        r->now[first->in[v]] = before[v];
    for (size_t v = 0; v < l->n_carry && !item->is_backward; v++) {
        r->now[end->out[v]] = carry[v];
        r->stamp[end->out[v]] = r->stamp_now;
    }
}

static void do_list(runner *r, uint32_t list, uint32_t *saved)
{
    const rk_step_list *l = &r->s->list[list];

    for (size_t i = 0; i < l->n_item && r->f->n_wrong == 0; i++)
        if (l->item[i].run)
            do_loop(r, &l->item[i], saved);
        else
            do_task(r, &r->s->task[l->item[i].task], saved);
}

/* ---- comparing -------------------------------------------------------------------------------------------------- */

static bool is_close(const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= CLOSE * (1 + fabs(a[i]) + fabs(b[i]))) && !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

static void compare_outputs(runner *r, const uint32_t *plain)
{
    for (size_t i = 0; i < r->p->n_output; i++) {
        const value *a = &r->value.at[plain[i]], *b = &r->value.at[r->now[r->p->output[i]]];

        if (!is_close(a->at, b->at, a->n))
            wrong(r->out, r->f, "%s: the output differs", r->form);
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
            double *zero = numbers(r, v->n, 0), *there = r->final[id];

            there = there ? there : r->grad[r->s->n_place + t] ? r->grad[r->s->n_place + t] : zero;
            for (size_t k = 0; k < v->n; k++)
                zero[k] = v->grad[k] * (weight ? passes : 1);
            if (there == zero ? !is_close(v->grad, numbers(r, v->n, 0), v->n) : !is_close(zero, there, v->n))
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

        if (e->holders > 0 && e->buffer < r->s->n_place && r->pl->buffer[e->buffer].op != RK_NONE)
            fail(r, r->pl->buffer[e->buffer].op, "a buffer is never let go");
    }
}

/* ---- forms of a step -------------------------------------------------------------------------------------------- */

typedef struct form {
    const char *name;
    size_t again;
    bool attention, chunked, adds_up;
} form;

static const form forms[] = {
    {"as it is", 0, false, false, false},
    {"recomputed", 1, false, false, false},
    {"every 2", 2, false, false, false},
    {"selective", 0, true, false, false},
    {"added up", 0, false, false, true},
    {"loss in chunks", 0, false, true, false},
    {"every 2, selective, in chunks, added up", 2, true, true, true},
};

static bool has_recurrence(const world *w)
{
    for (size_t i = 0; i < w->n_unit; i++)
        if (w->unit[i].step != RK_NONE)
            return true;
    return false;
}

/* The regions that a pass marks, put beside the operations, which it leaves as they are.  False: there are none. */
static bool mark(runner *r, const rk_instance *m, rk_pass *pass, const rk_pass_options *o, rk_program *p)
{
    const rk_model *made = NULL;
    rk_err err = {0};

    if (pass(m->model, o, &made, &err) != RK_OK || !made)
        return false;
    rk_region *all = need(r->w, p->n_region + made->program.n_region, sizeof *all);

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
    static const rk_pass_options recompute = {.recomputes_attention = true}, chunk = {.loss = RK_REGION_CHUNKED};
    rk_run_options run = {.bytes = 4, .profile = &profile};
    rk_step_options o = {
        .run = run, .backward = true, .loss = r->loss, .rounding = 1, .places = RK_EX_FAILED, .exact = true};
    rk_program *marked = RK_NEW(r->a, rk_program);
    rk_instance at = *m;
    rk_chunk *of = RK_NEW(r->a, rk_chunk);
    rk_err err = {0};
    int code = rk_places_new(r->a, m, &g->flow, &run, pl, &err);

    *marked = *m->program;
    at.program = marked;
    o.again = x->again;
    o.adds_up = x->adds_up;
    if ((x->attention && !mark(r, m, rk_pass_recompute, &recompute, marked)) ||
        (x->chunked && !mark(r, m, rk_pass_chunk, &chunk, marked)))
        return false;
    if (code == RK_OK)
        code = rk_chunk_new(r->a, &at, &g->flow, 0, NULL, pl, of, &err);
    o.chunk = of->region ? of : NULL;
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
    r->final = need(r->w, r->value.n + 1, sizeof *r->final);
    for (int pass = 0; pass < (int)passes && r->f->n_wrong == 0; pass++) {
        r->entry.n = r->stamp_now = 0;
        r->slot = need(r->w, s.n_slot + 1, sizeof *r->slot);
        r->saved = need(r->w, s.list[s.forward].n_saved + 1, sizeof *r->saved);
        r->grad = need(r->w, s.n_slot + 1, sizeof *r->grad);
        r->stamp = need(r->w, r->p->n_tensor + 1, sizeof *r->stamp);
        memset(r->slot, 0xFF, s.n_slot * sizeof *r->slot);
        memset(r->saved, 0xFF, s.list[s.forward].n_saved * sizeof *r->saved);
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
        if (r->f->n_wrong == 0 && !x->chunked)
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

static void check_world_step(world *w, const rk_model *m, rk_str *out, findings *f)
{
    runner r = {.w = w, .p = w->p, .a = &w->arena, .out = out, .f = f, .form = "by the equations"};
    rk_gradient g = {0};
    uint32_t *plain = need(w, w->p->n_output + 1, sizeof *plain);
    rk_instance *at = NULL;
    rk_err err;

    if (has_recurrence(w)) {
        printf("       %s: its tasks are not run: it has a recurrence\n", m->name);
        return;
    }
    if (rk_gradient_new(&w->arena, w->p, &g, &err) != RK_OK || rk_instance_new(m, &at, &err) != RK_OK) {
        wrong(out, f, "gradient: %s", err.message);
        return;
    }
    r.loss = w->p->loss != RK_NONE;
    r.now = need(w, w->p->n_tensor + 1, sizeof *r.now);
    give_numbers(&r);
    for (uint32_t t = 0; t < w->p->n_tensor; t++)
        if (w->p->tensor[t].kind == RK_TENSOR_INPUT)
            r.now[t] = r.given[t][0];
    plain_group(&r, 0);
    for (size_t i = 0; i < w->p->n_output; i++)
        plain[i] = r.now[w->p->output[i]];
    set_wants(w, &g.flow);
    plain_backward(&r);
    f->n_op += r.tape.n;
    for (size_t i = 0; i < sizeof forms / sizeof *forms && f->n_wrong == 0; i++)
        run_form(&r, at, &forms[i], &g, plain);
    f->n_shared += r.n_shared;
    rk_instance_free(at);
}

/* What saves and lets go is what a framework runs: the operations of a model written out in the bodies of a profile. */
void check_step(const subject *s, const world *plain, rk_str *out, findings *f)
{
    const rk_model *m = NULL;
    rk_str why = {0};
    world w;

    if (open_body(s, PROFILE, plain->model, &m, &w, &why)) {
        check_world_step(&w, m, out, f);
        free_world(&w);
        rk_model_free(m);
    } else {
        wrong(out, f, "with its bodies: %s", rk_str_text(&why));
    }
    rk_str_free(&why);
}
