/* SPDX-License-Identifier: MIT */
/* The runner's second run: the tasks of a step, in their order. */
#include "runner.h"

#include <stdio.h>
#include <string.h>

/* ---- running operations ----------------------------------------------------------------------------------------- */

/* Buffers that an operation makes, or gives a second name. */
static bool comes_first(const rk_effect *e)
{
    return e->kind == RK_EFFECT_MAKE || e->kind == RK_EFFECT_SHARE;
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

/*
 * What lies step by step has one of its steps in another buffer: the last, or, where it is read a step back, the zeros
 * before the first.  0: all of it lies in one.
 */
static uint32_t beside(const runner *r, uint32_t tensor, bool back)
{
    const rk_place *at = &r->pl->tensor[tensor];
    const rk_buffer *b = at->buffer == RK_NONE ? NULL : &r->pl->buffer[at->buffer];

    if (!b || !b->last)
        return 0;
    return back ? b->before : at->before ? at->before : b->last;
}

static bool is_there(const runner *r, const rk_task *t, const record *x, size_t k)
{
    uint32_t slot = r->s->read[t->read + k];
    uint32_t other = beside(r, r->p->op[t->op].in[k].tensor, rk_step_label(r->p, t->op, k) != RK_NONE);

    if (r->value.at[x->in[k]].stays)
        return true;
    return slot != RK_NONE && lies_in(r, x->in[k], r->slot[slot]) && (!other || r->slot[other] != RK_NONE);
}

/* The values that an operation reads: those of the forward pass where they have not been recomputed. */
static void read_operands(runner *r, const rk_task *t, record *x, const record *before)
{
    const rk_op *op = &r->p->op[t->op];
    char text[64];

    for (size_t k = 0; k < op->n_in; k++) {
        uint32_t tensor = op->in[k].tensor;
        bool known = t->kind == RK_TASK_FORWARD || r->stamp[tensor] == r->stamp_now ||
                     r->p->tensor[tensor].kind == RK_TENSOR_WEIGHT;

        x->in[k] = known ? read_now(r, tensor) : before->in[k];
        snprintf(text, sizeof text, "its operand %zu is not there", k + 1);
        /* What a recurrence reads a step back is made with it. */
        if (rk_step_label(r->p, t->op, k) != RK_NONE || is_there(r, t, x, k))
            continue;
        if (is_copied(r, t->op, k))
            r->f->n_copied++;
        else
            fail_step(r, t->op, text);
    }
}

static void put_result(runner *r, const rk_task *t, const record *x)
{
    const rk_op *op = &r->p->op[t->op];
    const rk_place_op *at = &r->pl->op[t->op];
    uint32_t slot = result_slot(r, t), other = beside(r, op->out, false);

    if (slot == RK_NONE) {
        r->value.at[x->out].stays = true;
        return;
    }
    put_in(r, x->out, r->slot[slot]);
    if (other)
        put_in(r, x->out, r->slot[other]);
    for (uint32_t b = at->made; b < at->made + at->n_made; b++) /* copies of operands */
        for (size_t k = 0; k < op->n_in; k++)
            if (r->pl->buffer[b].tensor == op->in[k].tensor && op->in[k].tensor != op->out && r->slot[b] != RK_NONE)
                put_in(r, x->in[k], r->slot[b]);
}

/* A value for the result.  In a recurrence it is there already; the loss of all chunks is one. */
static uint32_t value_of_result(runner *r, const rk_task *t, const record *before)
{
    uint32_t out = r->p->op[t->op].out;

    if (r->bound[t->op])
        return r->now[out];
    if (r->chunk > 0 && t->kind == RK_TASK_FORWARD && r->w->tensor[out].n == 1)
        return before->out;
    return new_value(r, out);
}

/* What comes from outside is read in every step: it must still be there when the last operation has been met. */
static void check_steps(runner *r, const job *j)
{
    const rk_op *op = &r->p->op[j->task->op];

    for (size_t k = 0; k < op->n_in; k++) {
        const rk_tensor *t = &r->p->tensor[op->in[k].tensor];
        const value *v = &r->value.at[j->x->in[k]];
        bool outside = t->kind != RK_TENSOR_RESULT || t->producer == RK_NONE || !r->bound[t->producer];

        if (outside && !v->stays && v->places == 0 && r->w->unit[r->w->op[j->task->op].unit].step != RK_NONE)
            fail_step(r, j->task->op, "what its later steps read is let go");
    }
}

static void forward_task(runner *r, const rk_task *t, uint32_t *saved)
{
    const rk_op *op = &r->p->op[t->op];
    record *x = &r->done[t->op][layer_now(r, op->group)], before = *x;
    const rk_effect *e = r->s->effect + t->effect, *end = e + t->n_effect;
    double *none = NULL;

    if (r->bound[t->op] && r->job.n == 0)
        begin_recurrence(r, t->op);
    *x = new_record(r, t->op, value_of_result(r, t, &before));
    r->now[op->out] = x->out;
    r->stamp[op->out] = r->stamp_now;
    read_operands(r, t, x, &before);
    for (; e < end && comes_first(e); e++)
        do_effect(r, t, e, saved, &none);
    if (r->bound[t->op])
        *RK_PUSH(r->a, &r->job) = (job){.task = t, .x = x};
    else
        run_record(r, x);
    put_result(r, t, x);
    for (size_t k = 0; k < op->n_in; k++)
        if (rk_step_label(r->p, t->op, k) != RK_NONE && !is_there(r, t, x, k))
            fail_step(r, t->op, "the step before is not there");
    for (size_t i = 0; i < r->job.n && r->bound[t->op] && !r->bound[t->op + 1]; i++)
        check_steps(r, &r->job.at[i]);
    for (; e < end; e++)
        do_effect(r, t, e, saved, &none);
}

/* ---- gradients -------------------------------------------------------------------------------------------------- */

static bool has_saved(const runner *r, const rk_task *t, const uint32_t *saved, uint32_t buffer)
{
    for (uint32_t k = 0; k < t->n_saved; k++)
        if (saved[t->saved + k] != RK_NONE && r->entry.at[saved[t->saved + k]].buffer == buffer)
            return true;
    return false;
}

/* The elements of one step of a tensor. */
static bool *elements_of(runner *r, uint32_t tensor, uint32_t label, bool last)
{
    const rk_ixs *axes = &r->p->tensor[tensor].axes;
    size_t n = r->w->tensor[tensor].n, inner = 1;
    size_t steps = (size_t)r->w->size[label];
    bool *yes = need(r->w, n + 1, sizeof *yes);

    for (int i = (int)axes->n - 1; i > rk_ixs_place(axes, label); i--)
        inner *= (size_t)eval_size(r->w, axes->at[i].size);
    for (size_t i = 0; i < n; i++)
        yes[i] = i / inner % steps == (last ? steps - 1 : 0);
    return yes;
}

/* Of what lies step by step, the step beside the others may not have been saved. */
static bool *find_gone(runner *r, const rk_task *t, const uint32_t *saved, uint32_t tensor)
{
    const rk_place *at = &r->pl->tensor[tensor];
    uint32_t other = beside(r, tensor, false);
    bool last = at->before == 0;

    if (!other || at->step == 0 || has_saved(r, t, saved, other) ||
        rk_ixs_place(&r->p->tensor[tensor].axes, at->step - 1) < 0)
        return NULL;
    /* Which step lies beside the others is open where none is read a step back: the one that the gradient needs not. */
    if (!r->pl->buffer[at->buffer].before)
        last = r->flow->reach[r->p->op[t->op].out] == RK_REACH_NEXT;
    return elements_of(r, tensor, at->step - 1, last);
}

/* What is read a step back begins with the zeros before the first step, under whichever name: they get no gradient. */
static bool *find_zeros(runner *r, uint32_t tensor)
{
    const rk_place *at = &r->pl->tensor[tensor];

    if (!at->before || at->step == 0 || rk_ixs_place(&r->p->tensor[tensor].axes, at->step - 1) < 0)
        return NULL;
    return elements_of(r, tensor, at->step - 1, false);
}

/* Whether a norm made it, which keeps all that a product with its result takes. */
static bool is_normed(const runner *r, const rk_task *t, uint32_t tensor)
{
    bool normed = false;

    for (size_t i = 0; i < r->p->n_op && r->p->op[t->op].row == RK_OP_WEIGH; i++)
        normed |= r->p->op[i].out == tensor && rk_op_table[r->p->op[i].row].class == RK_CLASS_NORM;
    return normed;
}

/*
 * What an operation finds backward: weights, and what lies in a buffer that it has saved.  Where it has saved a mask or
 * a list of places that it made of its operands, these stand for it here.
 */
static double *find_saved(runner *r, const rk_task *t, const uint32_t *saved, uint32_t tensor, uint32_t id, bool **gone)
{
    const unsigned made =
        RK_SAVE_CHOICE | RK_SAVE_VISITS | RK_SAVE_HIDDEN | RK_SAVE_ONE | RK_SAVE_PAIRS | RK_SAVE_ENDS | RK_SAVE_SPOTS;
    bool stands = (rk_op_table[r->p->op[t->op].row].saves & made) && t->n_saved > 0;

    *gone = NULL;
    if (is_normed(r, t, tensor))
        return r->value.at[id].at;
    for (uint32_t k = 0; k < t->n_saved && stands; k++)
        if (saved[t->saved + k] != RK_NONE && r->pl->buffer[r->entry.at[saved[t->saved + k]].buffer].tensor == RK_NONE)
            return r->value.at[id].at;
    for (uint32_t k = 0; k < t->n_saved; k++) {
        uint32_t at = saved[t->saved + k], other = beside(r, tensor, false);

        if (!lies_in(r, id, at) || (other && r->entry.at[at].buffer == other))
            continue;
        if (r->entry.at[at].buffer == r->pl->tensor[tensor].buffer)
            *gone = find_gone(r, t, saved, tensor);
        return r->value.at[id].at;
    }
    return r->value.at[id].stays ? r->value.at[id].at : NULL;
}

static void run_gradient(runner *r, const job *j)
{
    const rk_op *op = &r->p->op[j->task->op];
    plan *p = &r->w->op[j->task->op];
    cell *c = r->w->tensor;
    uint32_t of = op->in[j->task->operand].tensor, missing = 0;
    double one_only = 1;
    char text[128];

    restore_choices(r, j->x);
    for (size_t k = 0; k < op->n_in; k++) {
        cell *in = &c[op->in[k].tensor];

        in->value = j->in[k];
        in->gone = j->gone[k];
        in->grad = op->in[k].tensor == of ? j->to : new_numbers(r, in->n, 0);
    }
    /* Who reads its own result a step back adds to its gradient where that is. */
    if (op->out != of) {
        c[op->out].value = j->out;
        c[op->out].gone = j->gone[op->n_in];
    }
    c[op->out].grad = j->from ? j->from : &one_only;
    c[of].zero = j->zero;
    memset(p->want, 0, op->n_in * sizeof *p->want);
    p->want[j->task->operand] = true;
    r->w->missing = &missing;
    r->w->chunk = chunk_of(r, j->task->op);
    backward_op(r->w, p);
    r->w->missing = NULL;
    for (size_t k = 0; k < op->n_in; k++)
        c[op->in[k].tensor].gone = NULL;
    c[op->out].gone = NULL;
    c[of].zero = NULL;
    if (missing) {
        const char *name = r->p->tensor[missing - 1].name;

        snprintf(text, sizeof text, "%s: the gradient of its operand %u reads %s, which was not saved",
                 rk_op_table[op->row].name, j->task->operand + 1,
                 missing - 1 == op->out ? "its result"
                 : name                 ? name
                                        : "an operand");
        fail_step(r, j->task->op, text);
    }
}

/* What has been added is gone: a recurrence makes it anew in each step. */
static void run_accumulate(const job *j)
{
    add_numbers(j->to, j->from, j->n);
    memset(j->from, 0, j->n * sizeof *j->from);
}

static void run_job(runner *r, const job *j)
{
    if (j->task->kind == RK_TASK_GRADIENT)
        run_gradient(r, j);
    else if (j->task->kind == RK_TASK_ACCUMULATE)
        run_accumulate(j);
    else
        run_record(r, j->x);
}

static void run_or_note(runner *r, const job *j)
{
    if (j->task->op != RK_NONE && r->bound[j->task->op])
        *RK_PUSH(r->a, &r->job) = *j;
    else
        run_job(r, j);
}

/* The gradient of a weight stays; one that comes from several chunks is added up. */
static void keep_final(runner *r, uint32_t id, double *grad)
{
    if (r->chunk > 0 && r->final[id])
        add_numbers(r->final[id], grad, r->value.at[id].n);
    else
        r->final[id] = grad;
}

static void gradient_task(runner *r, const rk_task *t, uint32_t *saved)
{
    const rk_op *op = &r->p->op[t->op];
    record *x = &r->done[t->op][layer_now(r, op->group)];
    uint32_t from = r->s->read[t->read];
    job j = {.task = t, .x = x, .from = from == RK_NONE ? NULL : r->grad[from]};
    double *fresh;

    if (from != RK_NONE && (r->slot[from] == RK_NONE || !r->grad[from])) {
        fail_step(r, t->op, "the gradient of its result is not there");
        return;
    }
    j.to = fresh = new_numbers(r, r->w->tensor[op->in[t->operand].tensor].n, 0);
    j.in = need(r->w, op->n_in + 1, sizeof *j.in);
    j.gone = need(r->w, op->n_in + 1, sizeof *j.gone);
    for (size_t k = 0; k < op->n_in; k++)
        j.in[k] = find_saved(r, t, saved, op->in[k].tensor, x->in[k], &j.gone[k]);
    j.out = find_saved(r, t, saved, op->out, x->out, &j.gone[op->n_in]);
    j.zero = find_zeros(r, op->in[t->operand].tensor);
    run_or_note(r, &j);
    for (size_t i = 0; i < t->n_effect; i++) {
        const rk_effect *e = &r->s->effect[t->effect + i];
        double *none = NULL;
        /* What is made here is the gradient, or a copy of something else for the time of the task. */
        bool is_it = (e->kind == RK_EFFECT_MAKE && e->other >= r->s->n_place) || e->kind == RK_EFFECT_SHARE;

        if (e->kind == RK_EFFECT_MOVE && e->slot == RK_NONE)
            keep_final(r, x->in[t->operand], r->grad[e->other]);
        do_effect(r, t, e, saved, is_it ? &fresh : &none);
    }
}

/* The tensor whose gradient lies in a buffer. */
static uint32_t gradient_of(const runner *r, uint32_t buffer)
{
    if (buffer >= r->s->n_place)
        return buffer - (uint32_t)r->s->n_place;
    return r->by_chunks && buffer == r->by_chunks->weight_gradient ? r->by_chunks->weight
           : r->by_chunks                                          ? r->by_chunks->hidden
                                                                   : 0;
}

static void accumulate_task(runner *r, const rk_task *t, uint32_t *saved)
{
    uint32_t to = r->s->read[t->read], from = r->s->read[t->read + 1];
    job j = {.task = t, .from = r->grad[from], .to = to == RK_NONE ? NULL : r->grad[to]};
    double *none = NULL;

    if (r->slot[from] == RK_NONE || !j.from || (to != RK_NONE && (r->slot[to] == RK_NONE || !j.to))) {
        fail_step(r, t->op, "adds what is not there");
        return;
    }
    if (to == RK_NONE) {
        uint32_t id = t->op == RK_NONE ? read_now(r, t->operand)
                                       : r->done[t->op][layer_now(r, r->p->op[t->op].group)].in[t->operand];

        j.n = r->value.at[id].n;
        j.to = r->final[id] = r->final[id] ? r->final[id] : new_numbers(r, j.n, 0);
    } else {
        j.n = r->w->tensor[gradient_of(r, r->entry.at[r->slot[to]].buffer)].n;
        r->n_shared += r->entry.at[r->slot[to]].holders > 1;
    }
    run_or_note(r, &j);
    for (size_t i = 0; i < t->n_effect; i++)
        do_effect(r, t, &r->s->effect[t->effect + i], saved, &none);
    if (to != RK_NONE)
        r->grad[to] = j.to;
}

/* ---- recurrences ------------------------------------------------------------------------------------------------ */

static void each_job(runner *r, uint32_t op)
{
    for (size_t i = 0; i < r->job.n; i++)
        if (r->job.at[i].task->op == op)
            run_job(r, &r->job.at[i]);
}

/* All operations of a recurrence have been met, and are run step by step, forward or back. */
static void run_recurrence(runner *r)
{
    const rk_task *t = r->job.n ? r->job.at[0].task : NULL;

    if (t)
        run_units(r, t->op, t->kind == RK_TASK_GRADIENT || t->kind == RK_TASK_ACCUMULATE, each_job);
    r->job.n = 0;
}

/* ---- what is given, kept, handed on ----------------------------------------------------------------------------- */

static double *copy_of_root(runner *r, size_t output)
{
    size_t n = r->w->tensor[r->p->output[output]].n;
    double *copy = new_numbers(r, n, 0);

    add_numbers(copy, r->w->root[output], n);
    return copy;
}

static void storage_task(runner *r, const rk_task *t, uint32_t *saved)
{
    for (size_t i = 0; i < t->n_effect; i++) {
        const rk_effect *e = &r->s->effect[t->effect + i];
        double *none = NULL, *seed = NULL;

        for (size_t k = 0; k < r->p->n_output && t->op == RK_NONE; k++)
            if (e->kind == RK_EFFECT_MAKE && e->slot == r->s->n_place + r->p->output[k])
                seed = copy_of_root(r, k);
        for (uint32_t x = 0; e->kind == RK_EFFECT_MOVE && e->slot == RK_NONE && x < r->p->n_tensor; x++)
            if (e->other == r->s->n_place + x && r->p->tensor[x].kind == RK_TENSOR_WEIGHT)
                keep_final(r, read_now(r, x), r->grad[e->other]); /* a layer has it complete */
        if (e->kind == RK_EFFECT_MOVE && e->slot == RK_NONE && e->other == r->s->n_buffer && r->by_chunks)
            keep_final(r, read_now(r, r->by_chunks->weight),
                       r->grad[e->other]); /* of a fused loss that has one chunk */
        do_effect(r, t, e, saved, seed ? &seed : &none);
        if (e->kind == RK_EFFECT_MAKE && e->other < r->s->n_place && r->pl->buffer[e->other].tensor != RK_NONE &&
            r->p->tensor[r->pl->buffer[e->other].tensor].kind == RK_TENSOR_INPUT)
            put_in(r, r->given[r->pl->buffer[e->other].tensor][0], r->slot[e->slot]);
    }
}

/* ---- the loss in chunks, and with its gradients at once --------------------------------------------------------- */

static bool begin_chunk(runner *r, long i)
{
    long chunk = (long)r->by_chunks->size, n = (long)r->by_chunks->n_token;

    r->in_chunk = true;
    r->chunk = i;
    r->last_chunk = (i + 1) * chunk >= n;
    r->w->chunk_first = i * chunk;
    r->w->chunk_end = r->last_chunk ? n : (i + 1) * chunk;
    return i * chunk < n;
}

static void end_chunks(runner *r)
{
    r->in_chunk = false;
    r->chunk = 0;
    r->w->chunk = NULL;
}

/* An operand of the head or the loss that is not made by them. */
static bool is_given(const runner *r, uint32_t tensor)
{
    const rk_tensor *t = &r->p->tensor[tensor];

    return t->kind != RK_TENSOR_RESULT || t->producer < r->by_chunks->region->first;
}

/* What the head and the loss read must be there. */
static void check_given(runner *r, uint32_t op, size_t k)
{
    uint32_t tensor = r->p->op[op].in[k].tensor, id = read_now(r, tensor), place = r->pl->tensor[tensor].buffer;

    if (!r->value.at[id].stays && !(place != RK_NONE && lies_in(r, id, r->slot[place])))
        fail_step(r, op, "what a fused loss reads is not there");
}

/* Gradients of what is given, of the first run and of this one, change places. */
static void swap_gradients(runner *r, double **other)
{
    bool *done = need(r->w, r->p->n_tensor + 1, sizeof *done);

    for (uint32_t i = r->by_chunks->region->first; i < r->by_chunks->region->end; i++)
        for (size_t k = 0; k < r->p->op[i].n_in; k++) {
            uint32_t tensor = r->p->op[i].in[k].tensor;
            value *v = is_given(r, tensor) && !done[tensor] ? &r->value.at[read_now(r, tensor)] : NULL;
            double *grad = v && !other[tensor] ? new_numbers(r, v->n, 0) : other[tensor];

            if (!v)
                continue;
            other[tensor] = v->grad;
            v->grad = grad;
            done[tensor] = true;
        }
}

/* One chunk: forward from what goes into the head to the loss, and back. */
static void run_fused_chunk(runner *r)
{
    uint32_t first = r->by_chunks->region->first, n = r->by_chunks->region->end - first,
             loss = r->p->op[r->p->loss].out;
    record *x = need(r->w, n, sizeof *x);

    for (uint32_t i = 0; i < n; i++) {
        const rk_op *op = &r->p->op[first + i];

        if (r->chunk == 0 || op->out != loss)
            r->now[op->out] = new_value(r, op->out);
        x[i] = new_record(r, first + i, r->now[op->out]);
        for (size_t k = 0; k < op->n_in; k++)
            x[i].in[k] = read_now(r, op->in[k].tensor);
        run_record(r, &x[i]);
    }
    for (size_t k = 0; k < r->value.at[r->now[loss]].n; k++)
        r->value.at[r->now[loss]].grad[k] = 1;
    for (uint32_t i = n; i > 0; i--)
        run_record_back(r, &x[i - 1]);
}

/* The gradient that a fused loss has found for what it makes a buffer of; NULL: it is none. */
static double *found_for(const runner *r, const rk_effect *e, double *const *found)
{
    if (e->kind != RK_EFFECT_MAKE)
        return NULL;
    if (e->other >= r->s->n_place)
        return found[e->other - r->s->n_place];
    if (e->other == r->by_chunks->hidden_gradient)
        return found[r->by_chunks->hidden];
    return e->other == r->by_chunks->weight_gradient ? found[r->by_chunks->weight] : NULL;
}

/* The gradients of what goes into the head and of its weights, made with the loss, are kept for the backward pass. */
static void fused_task(runner *r, const rk_task *t, uint32_t *saved)
{
    const rk_chunk *chunk = r->by_chunks;
    double **aside = need(r->w, r->p->n_tensor + 1, sizeof *aside);

    set_wants(r->w, r->flow);
    for (uint32_t i = chunk->region->first; i < chunk->region->end; i++)
        for (size_t k = 0; k < r->p->op[i].n_in; k++)
            if (is_given(r, r->p->op[i].in[k].tensor))
                check_given(r, i, k);
    swap_gradients(r, aside);
    for (long i = 0; begin_chunk(r, i); i++)
        run_fused_chunk(r);
    end_chunks(r);
    swap_gradients(r, aside);
    for (size_t i = 0; i < t->n_effect; i++) {
        const rk_effect *e = &r->s->effect[t->effect + i];
        double *found = found_for(r, e, aside);

        do_effect(r, t, e, saved, &found);
    }
}

/* ---- lists ------------------------------------------------------------------------------------------------------ */

static void do_task(runner *r, const rk_task *t, uint32_t *saved)
{
    if (t->kind == RK_TASK_FORWARD || t->kind == RK_TASK_RECOMPUTE)
        forward_task(r, t, saved);
    else if (t->kind == RK_TASK_GRADIENT && t->operand == RK_NONE)
        fused_task(r, t, saved);
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

static const rk_task *task_of(const runner *r, const rk_step_item *item)
{
    return item->run ? NULL : &r->s->task[item->task];
}

static bool is_of_chunk(const runner *r, const rk_step_item *item)
{
    const rk_task *t = task_of(r, item);

    return t && t->op != RK_NONE && t->op >= r->by_chunks->region->first;
}

/*
 * The items from `i` on that each chunk runs: up to the last one of an operation of the head or the loss.  Backward,
 * what goes into them is restored before; then a gradient of the head's weight may be made, once for all.
 */
static size_t end_of_chunk(const runner *r, const rk_step_list *l, size_t i)
{
    size_t end = i;

    if (!r->by_chunks || r->by_chunks->region->kind != RK_REGION_CHUNKED || l->item[i].run)
        return i;
    if (!is_of_chunk(r, &l->item[i]) && (i + 1 == l->n_item || !is_of_chunk(r, &l->item[i + 1]) ||
                                         task_of(r, &l->item[i + 1])->kind == RK_TASK_FORWARD))
        return i;
    for (; i < l->n_item && !l->item[i].run; i++)
        if (is_of_chunk(r, &l->item[i]))
            end = i + 1;
    return end;
}

static bool is_once(const runner *r, const rk_task *t)
{
    return t->kind == RK_TASK_STORAGE && t->op == r->by_chunks->head && t->stage == RK_STAGE_NONE;
}

static void do_chunks(runner *r, const rk_step_item *item, size_t n, uint32_t *saved)
{
    r->outside = need(r->w, r->s->n_slot + 1, sizeof *r->outside);
    for (size_t i = 0; i < r->s->n_slot; i++)
        r->outside[i] = r->slot[i] != RK_NONE;
    for (long c = 0; begin_chunk(r, c); c++)
        for (size_t i = 0; i < n && r->f->n_wrong == 0; i++)
            if (c == 0 || !is_once(r, task_of(r, &item[i])))
                do_task(r, task_of(r, &item[i]), saved);
    end_chunks(r);
    r->outside = NULL;
}

void do_list(runner *r, uint32_t list, uint32_t *saved)
{
    const rk_step_list *l = &r->s->list[list];

    for (size_t i = 0; i < l->n_item && r->f->n_wrong == 0; i++) {
        const rk_task *t = task_of(r, &l->item[i]);
        size_t end = end_of_chunk(r, l, i);

        if (!t || t->op == RK_NONE || !r->bound[t->op])
            run_recurrence(r);
        if (!t) {
            do_loop(r, &l->item[i], saved);
        } else if (end > i) {
            do_chunks(r, &l->item[i], end - i, saved);
            i = end - 1;
        } else {
            do_task(r, t, saved);
        }
    }
    run_recurrence(r);
}
