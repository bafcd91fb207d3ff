/* SPDX-License-Identifier: MIT */
/* The runner's first run: by the equations, through all layers, keeping everything; and what both runs need for it. */
#include "runner.h"

#include <math.h>
#include <string.h>

double *new_numbers(runner *r, size_t n, double of)
{
    double *x = need(r->w, n + 1, sizeof *x);

    for (size_t i = 0; i < n; i++)
        x[i] = of;
    return x;
}

uint32_t new_value(runner *r, uint32_t tensor)
{
    value *v = RK_PUSH(r->a, &r->value);
    size_t n = r->w->tensor[tensor].n;

    *v = (value){.at = new_numbers(r, n, (double)NAN), .grad = new_numbers(r, n, 0), .n = n};
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
size_t layers_of(const rk_program *p, uint32_t group)
{
    size_t n = 1;

    for (; p->group[group].loop != RK_NONE; group = p->group[group].parent)
        n *= p->loop[p->group[group].loop].n_layer;
    return n;
}

size_t layer_now(const runner *r, uint32_t group)
{
    const rk_group *g = &r->p->group[group];

    if (g->loop == RK_NONE)
        return 0;
    return layer_now(r, g->parent) * r->p->loop[g->loop].n_layer + r->layer[depth_of(r->p, group) - 1];
}

uint32_t owner_of(const rk_program *p, uint32_t tensor)
{
    const rk_weight *w = &p->weight[p->tensor[tensor].weight];

    while (w->tied_to != RK_NONE)
        w = &p->weight[w->tied_to];
    return w->tensor == RK_NONE ? tensor : w->tensor;
}

/* Weights and inputs: numbers of their own in each layer.  Tied weights are one. */
void give_numbers(runner *r)
{
    r->given = need(r->w, r->p->n_tensor + 1, sizeof *r->given);
    for (uint32_t t = 0; t < r->p->n_tensor; t++) {
        const rk_tensor *x = &r->p->tensor[t];
        size_t n = x->kind == RK_TENSOR_WEIGHT   ? layers_of(r->p, r->p->weight[x->weight].group)
                   : x->kind == RK_TENSOR_CACHED ? layers_of(r->p, x->group)
                                                 : 1;

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

uint32_t read_now(const runner *r, uint32_t tensor)
{
    const rk_tensor *x = &r->p->tensor[tensor];

    if (x->kind == RK_TENSOR_CACHED)
        return r->given[tensor][layer_now(r, x->group)];
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

static size_t count_choosers(const plan *p)
{
    size_t n = 0;

    while (chooser(p, n) != RK_NONE)
        n++;
    return n;
}

static void note_choices(runner *r, const record *x)
{
    const plan *p = &r->w->op[x->op];

    for (size_t i = 0; i < count_choosers(p); i++)
        x->chosen[i] = r->w->op[chooser(p, i)].chosen;
}

void restore_choices(runner *r, const record *x)
{
    plan *p = &r->w->op[x->op];
    size_t n = 0;

    for (; chooser(p, n) != RK_NONE; n++)
        r->w->op[chooser(p, n)].chosen = x->chosen[n];
    p->chosen = x->chosen[n];
}

/* An operation that will give this value, and whose operands are to be filled in. */
record new_record(runner *r, uint32_t op, uint32_t out)
{
    const plan *p = &r->w->op[op];
    size_t n = count_choosers(p);
    record x = {.op = op, .in = need(r->w, r->p->op[op].n_in + 1, sizeof(uint32_t)), .out = out};

    x.chosen = need(r->w, n + 2, sizeof *x.chosen);
    if (p->chosen)
        x.chosen[n] = need(r->w, r->value.at[out].n * (1 + r->w->devices) + 1, sizeof **x.chosen);
    return x;
}

/* The labels of which an operation walks over a chunk alone; NULL: over all. */
const labels *chunk_of(const runner *r, uint32_t op)
{
    return r->in_chunk && r->tokens[op].n > 0 ? &r->tokens[op] : NULL;
}

/* The numbers of an operation in one layer stand in the world's cells. */
plan *set_cells(runner *r, const record *x)
{
    plan *p = &r->w->op[x->op];
    cell *c = r->w->tensor;

    for (size_t k = 0; k < p->op->n_in; k++) {
        c[p->op->in[k].tensor].value = r->value.at[x->in[k]].at;
        c[p->op->in[k].tensor].grad = r->value.at[x->in[k]].grad;
    }
    c[p->op->out].value = r->value.at[x->out].at;
    c[p->op->out].grad = r->value.at[x->out].grad;
    return p;
}

/* Runs an operation; in a recurrence, one step of it. */
void run_record(runner *r, const record *x)
{
    plan *p = set_cells(r, x);

    p->chosen = x->chosen[count_choosers(p)];
    r->w->chunk = chunk_of(r, x->op);
    forward_op(r->w, p);
    note_choices(r, x);
}

void run_record_back(runner *r, const record *x)
{
    plan *p = set_cells(r, x);
    bool any = false;

    restore_choices(r, x);
    for (size_t k = 0; k < p->op->n_in; k++)
        any |= p->want[k];
    r->w->chunk = chunk_of(r, x->op);
    if (any)
        backward_op(r->w, p);
}

/* ---- recurrences ------------------------------------------------------------------------------------------------ */

/*
 * Who reads a step back what is made later, up to the one that makes it: these operations cannot be run one after the
 * other.  They are met together and run in the order of the world's units, step by step where a unit has steps.
 */
void find_recurrences(runner *r)
{
    r->bound = need(r->w, r->p->n_op + 1, sizeof *r->bound);
    r->current = need(r->w, r->p->n_op + 1, sizeof *r->current);
    for (size_t i = 0; i < r->p->n_op; i++)
        for (size_t k = 0; k < r->p->op[i].n_in; k++) {
            size_t maker = r->p->tensor[r->p->op[i].in[k].tensor].producer;

            for (size_t j = i; rk_step_label(r->p, i, k) != RK_NONE && j <= maker; j++)
                r->bound[j] = true;
        }
}

/* The operations that are run with this one. */
static void find_bounds(const runner *r, uint32_t op, uint32_t *first, uint32_t *end)
{
    for (*first = op; *first > 0 && r->bound[*first - 1] && r->p->op[*first - 1].group == r->p->op[op].group;)
        --*first;
    for (*end = op; *end < r->p->n_op && r->bound[*end] && r->p->op[*end].group == r->p->op[op].group;)
        ++*end;
}

/* Their results are there before they are made, to be read a step back. */
void begin_recurrence(runner *r, uint32_t op)
{
    uint32_t first, end;

    find_bounds(r, op, &first, &end);
    for (uint32_t i = first; i < end; i++)
        r->now[r->p->op[i].out] = new_value(r, r->p->op[i].out);
}

static void run_unit(runner *r, const unit *u, bool back, void (*each)(runner *r, uint32_t op))
{
    long n = u->step == RK_NONE ? 1 : r->w->size[u->step];

    for (long s = 0; s < n; s++) {
        r->w->step = u->step;
        if (u->step != RK_NONE)
            r->w->index[u->step] = back ? n - 1 - s : s;
        for (size_t i = 0; i < u->n; i++)
            each(r, u->op[back ? u->n - 1 - i : i]);
    }
    r->w->step = RK_NONE;
}

void run_units(runner *r, uint32_t op, bool back, void (*each)(runner *r, uint32_t op))
{
    uint32_t first, end;

    find_bounds(r, op, &first, &end);
    for (size_t i = 0; i < r->w->n_unit; i++) {
        const unit *u = &r->w->unit[back ? r->w->n_unit - 1 - i : i];

        if (u->op[0] >= first && u->op[0] < end)
            run_unit(r, u, back, each);
    }
}

/* ---- forward ---------------------------------------------------------------------------------------------------- */

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

static void each_plain(runner *r, uint32_t op)
{
    run_record(r, r->current[op]);
}

/* The records of a recurrence are the last ones of the tape. */
static void set_current(runner *r, size_t end, uint32_t first_op, uint32_t end_op)
{
    for (uint32_t i = first_op; i < end_op; i++)
        r->current[i] = &r->tape.at[end - (end_op - i)];
}

size_t run_noted(runner *r, size_t at)
{
    uint32_t op = r->tape.at[at].op, first, end;

    if (!r->bound[op]) {
        run_record(r, &r->tape.at[at]);
        return at + 1;
    }
    find_bounds(r, op, &first, &end);
    set_current(r, at + (end - first), first, end);
    run_units(r, op, false, each_plain);
    return at + (end - first);
}

static void plain_op(runner *r, uint32_t i)
{
    uint32_t first, end, out = r->p->op[i].out;
    record x;

    find_bounds(r, i, &first, &end);
    if (!r->bound[i])
        r->now[out] = new_value(r, out);
    else if (i == first)
        begin_recurrence(r, i);
    x = new_record(r, i, r->now[out]);
    for (size_t k = 0; k < r->p->op[i].n_in; k++)
        x.in[k] = read_now(r, r->p->op[i].in[k].tensor);
    *RK_PUSH(r->a, &r->tape) = x;
    if (!r->notes && (!r->bound[i] || i + 1 == end))
        run_noted(r, r->tape.n - (r->bound[i] ? end - first : 1));
}

static void plain_group(runner *r, uint32_t group)
{
    size_t end = group == 0 ? r->p->n_op : r->p->group[group].end_op;

    for (size_t i = group == 0 ? 0 : r->p->group[group].first_op; i < end;) {
        size_t loop = r->p->op[i].group == group ? SIZE_MAX : loop_at(r->p, group, i);

        if (loop != SIZE_MAX) {
            plain_loop(r, loop);
            i = r->p->loop[loop].end_op;
            continue;
        }
        if (r->loss || i < r->p->loss_first || r->p->loss == RK_NONE)
            plain_op(r, (uint32_t)i);
        i++;
    }
}

void run_plain(runner *r)
{
    for (uint32_t t = 0; t < r->p->n_tensor; t++)
        if (r->p->tensor[t].kind == RK_TENSOR_INPUT)
            r->now[t] = r->given[t][0];
    plain_group(r, 0);
}

/* ---- backward --------------------------------------------------------------------------------------------------- */

/* Every operand that needs a gradient gets one, those of the loss too. */
void set_wants(world *w, const rk_flow *f)
{
    for (size_t i = 0; i < w->p->n_op; i++)
        for (size_t k = 0; k < w->p->op[i].n_in; k++) {
            rk_grad *g = need(w, 1, sizeof *g);

            *g = rk_grad_of(w->p, f, i, k);
            w->op[i].want[k] = rk_grad_flows(&w->p->op[i], k) && rk_flow_needs(f, i, k);
            w->op[i].grad[k] = g;
        }
}

void seed_outputs(runner *r)
{
    for (size_t i = 0; i < r->p->n_output && !r->loss; i++) {
        value *v = &r->value.at[r->now[r->p->output[i]]];

        for (size_t k = 0; k < v->n; k++)
            v->grad[k] += r->w->root[i][k];
    }
    if (r->loss)
        r->value.at[r->now[r->p->op[r->p->loss].out]].grad[0] = 1;
}

static void each_plain_back(runner *r, uint32_t op)
{
    run_record_back(r, r->current[op]);
}

size_t run_noted_back(runner *r, size_t end_at)
{
    uint32_t op = r->tape.at[end_at - 1].op, first, end;

    if (!r->bound[op]) {
        run_record_back(r, &r->tape.at[end_at - 1]);
        return end_at - 1;
    }
    find_bounds(r, op, &first, &end);
    set_current(r, end_at, first, end);
    run_units(r, op, true, each_plain_back);
    return end_at - (end - first);
}

void run_plain_back(runner *r)
{
    seed_outputs(r);
    for (size_t i = r->tape.n; i > 0;)
        i = run_noted_back(r, i);
}
