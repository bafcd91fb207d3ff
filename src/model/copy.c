/* SPDX-License-Identifier: MIT */
#include "model/copy.h"

#include <string.h>

/* ---- what is there before the operations ----------------------------------------------------------------------- */

static void *copy_array(rk_build *b, const void *from, size_t n, size_t size)
{
    void *to = rk_arena_copy_array(b->a, from, n, size);

    if (!to)
        rk_fatal_memory(b);
    return to;
}

#define COPY_LIST(b, to, from, count)                                                                                  \
    ((to)->at = copy_array(b, from, count, sizeof *(from)), (to)->n = (to)->cap = (count), (b)->fatal)

static uint32_t *nothing_yet(rk_build *b, size_t n)
{
    uint32_t *list = RK_NEW_ARRAY(b->a, n + 1, uint32_t);

    if (list)
        memset(list, 0xFF, n * sizeof *list);
    else
        rk_fatal_memory(b);
    return list;
}

static int copy_parts(rk_build *b, const rk_program *p)
{
    int code = COPY_LIST(b, &b->part_list, p->part, p->n_part);

    for (uint32_t i = 1; i < p->n_part && code == RK_OK; i++)
        if (!rk_map_put(b->a, &b->part_of_path, p->part[i].path, strlen(p->part[i].path), i))
            code = rk_fatal_memory(b);
    return code;
}

static int copy_inputs(rk_copy *c)
{
    for (size_t i = 0; i < c->in->n_input; i++) {
        rk_tensor *t;
        uint32_t *slot;

        if (c->left_out_input && c->left_out_input[i])
            continue;
        t = RK_PUSH(c->out->a, &c->out->tensor);
        slot = t ? RK_PUSH(c->out->a, &c->out->input) : NULL;
        if (!slot)
            return rk_fatal_memory(c->out);
        *t = c->in->tensor[c->in->input[i]];
        *slot = c->tensor[c->in->input[i]] = (uint32_t)(c->out->tensor.n - 1);
    }
    return RK_OK;
}

/* ---- weights --------------------------------------------------------------------------------------------------- */

/* Whether a group stands in another, or is it. */
static bool is_within(const rk_program *p, uint32_t group, uint32_t outer)
{
    while (group != outer && group != 0)
        group = p->group[group].parent;
    return group == outer;
}

/* What reads a weight gives it its tensor again; its group is that of what is made, once that is. */
static int copy_weight(rk_copy *c, uint32_t i, uint32_t *out)
{
    rk_weight w = c->in->weight[i];

    w.tensor = RK_NONE;
    return rk_build_weight(c->out, &w, out);
}

/* The loop around a group that gets other groups, or NULL. */
static const rk_copy_loop *regrouped(const rk_copy *c, uint32_t group)
{
    for (; c->regroup && group != 0; group = c->in->group[group].parent)
        if (c->regroup[c->in->group[group].loop].n > 0)
            return &c->regroup[c->in->group[group].loop];
    return NULL;
}

/* Each group of a loop has weights of its own, one group after the other. */
static int copy_weights_of_loop(rk_copy *c, const rk_copy_loop *l)
{
    int code = RK_OK;

    for (size_t k = 0; k < l->n; k++) {
        rk_copy_layers *x = &l->layers[k];

        if (!(x->weight = nothing_yet(c->out, c->in->n_weight)))
            return c->out->fatal;
        for (uint32_t i = 0; i < c->in->n_weight && code == RK_OK; i++)
            if (is_within(c->in, c->in->weight[i].group, x->group))
                code = copy_weight(c, i, &x->weight[i]);
    }
    return code;
}

static int copy_weights(rk_copy *c)
{
    int code = RK_OK;

    for (uint32_t i = 0; i < c->in->n_weight && code == RK_OK; i++) {
        const rk_copy_loop *l = regrouped(c, c->in->weight[i].group);

        if (c->left_out_weight && c->left_out_weight[i])
            continue;
        if (!l)
            code = copy_weight(c, i, &c->weight[i]);
        else if (!l->layers[0].weight)
            code = copy_weights_of_loop(c, l);
    }
    return code;
}

/* A weight of a layer is tied to one of the same layer, or to one outside of layers. */
static void settle_ties_of(rk_copy *c, const uint32_t *weight)
{
    for (size_t i = 0; i < c->in->n_weight; i++) {
        uint32_t to = c->in->weight[i].tied_to;

        if (weight[i] != RK_NONE && to != RK_NONE)
            c->out->weight.at[weight[i]].tied_to = weight[to] != RK_NONE ? weight[to] : c->weight[to];
    }
}

static void settle_ties(rk_copy *c)
{
    settle_ties_of(c, c->weight);
    for (size_t l = 0; c->regroup && l < c->in->n_loop; l++)
        for (size_t k = 0; k < c->regroup[l].n; k++)
            if (c->regroup[l].layers[k].weight)
                settle_ties_of(c, c->regroup[l].layers[k].weight);
}

/* ---- begin ----------------------------------------------------------------------------------------------------- */

static int find_groups(rk_copy *c)
{
    const rk_trace *t = c->in->trace;

    c->group_event = RK_NEW_ARRAY(c->out->a, c->in->n_group + 1, size_t);
    if (!c->group_event)
        return rk_fatal_memory(c->out);
    for (size_t i = 0; i < t->n_event; i++)
        if (t->event[i].kind == RK_TRACE_GROUP)
            c->group_event[t->event[i].which] = i;
    return RK_OK;
}

int rk_copy_begin(rk_copy *c, const rk_program *in, rk_build *out)
{
    int code;

    c->in = in;
    c->out = out;
    c->tensor = nothing_yet(out, in->n_tensor);
    c->alias = nothing_yet(out, in->trace->n_alias);
    c->group = nothing_yet(out, in->n_group);
    c->loop = nothing_yet(out, in->n_loop);
    c->weight = nothing_yet(out, in->n_weight);
    c->hidden = RK_NEW_ARRAY(out->a, in->n_tensor + 1, bool);
    if (out->fatal || !c->hidden)
        return rk_fatal_memory(out);
    c->group[0] = 0;
    code = c->again ? RK_OK : COPY_LIST(out, &out->label, in->label, in->n_label);
    if (code == RK_OK && !c->again)
        code = copy_parts(out, in);
    if (code == RK_OK && !c->again)
        code = COPY_LIST(out, &out->rename, in->rename, in->n_rename);
    if (code == RK_OK)
        code = copy_weights(c);
    if (code == RK_OK)
        code = copy_inputs(c);
    return code == RK_OK ? find_groups(c) : code;
}

/* ---- tensors --------------------------------------------------------------------------------------------------- */

/* What a step that finds its caches filled only reads. */
static int put_cached(rk_copy *c, uint32_t tensor)
{
    for (size_t k = 0; k < c->in->n_keep; k++)
        if (c->in->keep[k].once && c->in->keep[k].tensor == tensor) {
            rk_tensor *t = RK_PUSH(c->out->a, &c->out->tensor);

            if (!t)
                return rk_fatal_memory(c->out);
            *t = c->in->tensor[tensor];
            t->kind = RK_TENSOR_CACHED;
            t->producer = RK_NONE;
            t->group = c->out->group;
            c->tensor[tensor] = (uint32_t)(c->out->tensor.n - 1);
            break;
        }
    return RK_OK;
}

uint32_t rk_copy_tensor(rk_copy *c, uint32_t tensor, uint32_t alias)
{
    const rk_tensor *t;

    while (alias) {
        const rk_trace_alias *a = &c->in->trace->alias[alias - 1];

        if (c->alias[alias - 1] != RK_NONE)
            return c->alias[alias - 1];
        tensor = a->tensor;
        alias = a->alias;
    }
    t = &c->in->tensor[tensor];
    if (c->tensor[tensor] == RK_NONE && t->kind == RK_TENSOR_WEIGHT) {
        uint32_t w = c->weight[t->weight];

        if (c->out->weight.at[w].tensor == RK_NONE && rk_build_weight_tensor(c->out, w, &t->axes) != RK_OK)
            return RK_NONE;
        c->tensor[tensor] = c->out->weight.at[w].tensor;
    }
    if (c->tensor[tensor] == RK_NONE && t->kind == RK_TENSOR_CACHED && put_cached(c, tensor) != RK_OK)
        return RK_NONE;
    return c->tensor[tensor];
}

/* ---- operations ------------------------------------------------------------------------------------------------ */

static int put_late(rk_copy *c, size_t operand, const rk_operand *in)
{
    rk_copy_late *late = RK_PUSH(c->out->a, &c->late);

    if (!late)
        return rk_fatal_memory(c->out);
    *late = (rk_copy_late){(uint32_t)c->out->op.n, (uint32_t)operand, in->tensor, in->alias};
    return RK_OK;
}

static rk_operand *copy_operands(rk_copy *c, const rk_op *op)
{
    rk_operand *in = RK_NEW_ARRAY(c->out->a, op->n_in + 1, rk_operand);

    for (size_t k = 0; in && k < op->n_in; k++) {
        if (c->hidden[op->in[k].tensor]) {
            rk_fatal(c->out, RK_EINPUT, "%s: %s is made with other axes than those it is read by", c->out->name,
                     c->in->tensor[op->in[k].tensor].name);
            return NULL;
        }
        in[k] = (rk_operand){.tensor = rk_copy_tensor(c, op->in[k].tensor, op->in[k].alias), .axes = op->in[k].axes};
        if (in[k].tensor == RK_NONE && put_late(c, k, &op->in[k]) != RK_OK)
            return NULL;
    }
    return in;
}

/* Weights have tensors in the order in which the equations name them, which may be before an operation reads them. */
static bool see_weights(rk_copy *c, size_t i)
{
    for (uint32_t t = i > 0 ? c->in->op[i - 1].out + 1 : 0; t < c->in->op[i].out; t++)
        if (c->in->tensor[t].kind == RK_TENSOR_WEIGHT && c->weight[c->in->tensor[t].weight] != RK_NONE)
            rk_copy_tensor(c, t, 0);
    return !c->out->fatal;
}

rk_op *rk_copy_op(rk_copy *c, size_t i)
{
    const rk_op *op = &c->in->op[i];
    rk_operand *in = see_weights(c, i) ? copy_operands(c, op) : NULL;
    rk_tensor *t = in && !c->out->fatal ? RK_PUSH(c->out->a, &c->out->tensor) : NULL;
    rk_op *slot = t ? RK_PUSH(c->out->a, &c->out->op) : NULL;

    if (!slot) {
        rk_fatal_memory(c->out);
        return NULL;
    }
    if (c->out->op.n > RK_PROGRAM_OPS_MAX) {
        rk_fatal(c->out, RK_ELIMIT, "%s: more than %d operations", c->out->name, RK_PROGRAM_OPS_MAX);
        return NULL;
    }
    *t = c->in->tensor[op->out];
    t->producer = (uint32_t)(c->out->op.n - 1);
    t->group = c->out->group;
    t->until = RK_NONE;
    *slot = *op;
    slot->in = in;
    slot->group = c->out->group;
    slot->out = c->tensor[op->out] = (uint32_t)(c->out->tensor.n - 1);
    slot->name = NULL; /* its equation names it */
    return slot;
}

/* A region begins with an operation, and ends with another, whatever a pass has put between them. */
static int copy_region(rk_copy *c, size_t op, bool begins)
{
    for (size_t i = 0; i < c->in->n_region; i++) {
        const rk_region *r = &c->in->region[i];
        rk_region *slot;

        if (begins && r->first == op) {
            if (!(slot = RK_PUSH(c->out->a, &c->out->region)))
                return rk_fatal_memory(c->out);
            *slot = (rk_region){.kind = r->kind, .first = (uint32_t)c->out->op.n};
        } else if (!begins && r->end - 1 == op && c->out->region.n > 0) {
            c->out->region.at[c->out->region.n - 1].end = (uint32_t)c->out->op.n;
        }
    }
    return RK_OK;
}

/* A stage begins with the first of its operations, which may be put again in layers of another kind. */
static int copy_stage(rk_copy *c, size_t op)
{
    size_t n = c->out->stage.n;
    rk_program_stage *slot;

    if (n >= c->in->n_stage || c->in->stage[n].first != op)
        return RK_OK;
    if (!(slot = RK_PUSH(c->out->a, &c->out->stage)))
        return rk_fatal_memory(c->out);
    *slot = (rk_program_stage){.first = (uint32_t)c->out->op.n, .number = c->in->stage[n].number};
    return RK_OK;
}

static int copy_one(rk_copy *c, size_t i)
{
    const rk_op *op = &c->in->op[i];
    int code = copy_stage(c, i);

    if (code != RK_OK)
        return code;
    c->out->part = op->part;
    c->out->group = c->group[op->group];
    if (c->left_out && c->left_out[i])
        return put_cached(c, op->out);
    c->out->row = c->in->tensor[op->out].name;
    c->out->span = op->span;
    code = copy_region(c, i, true);
    if (code == RK_OK && c->op)
        code = c->op(c, i);
    else if (code == RK_OK)
        code = rk_copy_op(c, i) ? RK_OK : c->out->fatal;
    return code == RK_OK ? copy_region(c, i, false) : code;
}

/* ---- events ---------------------------------------------------------------------------------------------------- */

static int begin_equation(rk_copy *c)
{
    size_t *slot = RK_PUSH(c->out->a, &c->equation);

    if (!slot)
        return rk_fatal_memory(c->out);
    *slot = c->out->op.n;
    rk_build_note(c->out, (rk_trace_event){.kind = RK_TRACE_EQUATION});
    return c->out->fatal;
}

static void end_equation(rk_copy *c, const char *name)
{
    c->first = c->equation.at[--c->equation.n];
    rk_build_rows(c->out, c->first, name);
}

static int copy_keep(rk_copy *c, const rk_trace_event *e)
{
    rk_keep *k;

    if (rk_copy_tensor(c, c->in->keep[e->which].tensor, e->alias) == RK_NONE) /* it is left out */
        return RK_OK;
    k = RK_PUSH(c->out->a, &c->out->keep);
    if (!k)
        return rk_fatal_memory(c->out);
    *k = c->in->keep[e->which];
    k->tensor = rk_copy_tensor(c, k->tensor, e->alias);
    k->at = (uint32_t)c->out->op.n;
    k->group = c->group[k->group];
    rk_build_note(c->out, (rk_trace_event){.kind = RK_TRACE_KEEP, .which = (uint32_t)(c->out->keep.n - 1)});
    return c->out->fatal;
}

static void copy_give(rk_copy *c, const rk_trace_event *e)
{
    uint32_t tensor = rk_copy_tensor(c, e->which, e->alias);

    if (tensor == RK_NONE || c->gives_nothing)
        return;
    if (e->beside && !c->gives_beside)
        rk_build_note(c->out, (rk_trace_event){.kind = e->kind, .which = tensor, .beside = true});
    else
        rk_build_give(c->out, tensor, 0);
}

static int copy_event(rk_copy *c, const rk_trace_event *e)
{
    rk_build *b = c->out;

    b->part = e->part;
    b->group = c->group[e->group];
    switch (e->kind) {
    case RK_TRACE_EQUATION:
        return begin_equation(c);
    case RK_TRACE_ROWS:
        end_equation(c, e->name);
        break;
    case RK_TRACE_LOSS:
        if (c->left_out && c->left_out[c->in->loss]) {
            b->loss_first = RK_NONE; /* nothing comes after it */
            break;
        }
        b->loss = (uint32_t)(b->op.n - 1);
        b->loss_first = (uint32_t)c->first;
        rk_build_note(b, (rk_trace_event){.kind = RK_TRACE_LOSS});
        break;
    case RK_TRACE_KEEP:
        return copy_keep(c, e);
    case RK_TRACE_UNTIL:
        if (rk_copy_tensor(c, e->which, e->alias) != RK_NONE)
            rk_build_until(b, rk_copy_tensor(c, e->which, e->alias), 0);
        break;
    case RK_TRACE_GIVE:
        copy_give(c, e);
        break;
    default: /* loops are gone through; of calls, what stands there now is what will be run */
        break;
    }
    return b->fatal;
}

/* ---- loops ----------------------------------------------------------------------------------------------------- */

static int copy_events(rk_copy *c, size_t from, size_t to, size_t *op);

/* What the variables of a loop are between two layers.  Those of what is left out are none. */
typedef struct chain {
    uint32_t *now;
    size_t *variable; /* which of the loop that is copied */
    size_t n;
} chain;

static bool is_left_out(const rk_copy *c, uint32_t tensor)
{
    const rk_tensor *t = &c->in->tensor[tensor];

    return c->left_out && t->kind == RK_TENSOR_RESULT && t->producer != RK_NONE && c->left_out[t->producer] &&
           !(c->stands && c->stands[tensor]);
}

static bool begin_chain(const rk_copy *c, const rk_loop *l, chain *x)
{
    x->now = RK_NEW_ARRAY(c->out->a, l->n_carry + 1, uint32_t);
    x->variable = RK_NEW_ARRAY(c->out->a, l->n_carry + 1, size_t);
    for (size_t v = 0; x->now && x->variable && v < l->n_carry; v++) {
        bool gone = l->n_group && is_left_out(c, c->in->group[l->group[0]].in[v]);

        for (size_t k = 0; k < l->n_group; k++)
            gone |= is_left_out(c, c->in->group[l->group[k]].out[v]);
        if (!gone)
            x->variable[x->n++] = v;
    }
    return x->now && x->variable;
}

static void set_value(rk_copy *c, uint32_t tensor, uint32_t alias, uint32_t value)
{
    *(alias ? &c->alias[alias - 1] : &c->tensor[tensor]) = value;
}

/* Where two variables are one tensor, nobody can tell which of them a layer reads: see rk_group. */
static int check_chain(rk_copy *c, const rk_group *from, const chain *x)
{
    for (size_t v = 0; v < x->n; v++)
        for (size_t u = 0; u < v; u++)
            if (x->now[u] == x->now[v] && from->in[x->variable[u]] != from->in[x->variable[v]])
                return rk_fatal(c->out, RK_EINPUT, "%s: %s and %s, which layers carry, have become one tensor",
                                c->out->name, c->in->tensor[from->in[x->variable[u]]].name,
                                c->in->tensor[from->in[x->variable[v]]].name);
    return RK_OK;
}

static uint32_t *copy_values(rk_copy *c, const chain *x)
{
    return copy_array(c->out, x->now, x->n, sizeof *x->now);
}

/* From here on the weights of these layers are meant. */
static void take_weights(rk_copy *c, const rk_copy_layers *l)
{
    for (size_t i = 0; l->weight && i < c->in->n_weight; i++)
        if (l->weight[i] != RK_NONE) {
            c->weight[i] = l->weight[i];
            if (c->in->weight[i].tensor != RK_NONE)
                c->tensor[c->in->weight[i].tensor] = RK_NONE;
        }
}

/* The names of a weight's layers run with the numbers of the loops around it, each of which has a symbol of its own. */
static int rename_numbers(rk_copy *c, rk_weight_name *name, uint32_t group)
{
    rk_build *b = c->out;
    bool copied = false;

    for (; group != 0; group = c->in->group[group].parent) {
        uint32_t loop = c->in->group[group].loop;
        rk_sym from = c->in->loop[loop].index, to = b->loop.at[c->loop[loop]].index;

        rk_i128 first = c->regroup ? (rk_i128)c->regroup[loop].first : 0;
        rk_ex number = rk_ex_sym(b->pool, to);

        number = first > 0 ? rk_ex_add(b->pool, number, rk_ex_int(b->pool, first)) : number;
        for (size_t i = 0; (from != to || first > 0) && i < name->n; i++) {
            if (name->piece[i].text || name->piece[i].number == RK_EX_FAILED)
                continue;
            if (!copied && !(name->piece = copy_array(b, name->piece, name->n, sizeof *name->piece)))
                return b->fatal;
            copied = true;
            name->piece[i].number = rk_ex_subst(b->pool, name->piece[i].number, from, number);
        }
    }
    return RK_OK;
}

static int rename_weight(rk_copy *c, rk_weight *w, uint32_t group)
{
    int code = rename_numbers(c, &w->name, group);

    if (code == RK_OK && w->n_layout && !(w->layout = copy_array(c->out, w->layout, w->n_layout, sizeof *w->layout)))
        return c->out->fatal;
    for (size_t i = 0; i < w->n_layout && code == RK_OK; i++)
        code = rename_numbers(c, &w->layout[i].name, group);
    return code;
}

static int begin_group(rk_copy *c, const rk_copy_layers *l, uint32_t loop)
{
    const rk_group *from = &c->in->group[l->group];
    rk_build *b = c->out;
    rk_group *g = RK_PUSH(b->a, &b->group_list);

    if (!g)
        return rk_fatal_memory(b);
    *g = *from;
    g->parent = c->group[from->parent];
    g->loop = loop;
    g->first_op = b->op.n;
    g->layer = l->layer ? copy_array(b, l->layer, l->n_layer, sizeof *l->layer) : NULL;
    g->n_layer = l->n_layer;
    c->group[l->group] = (uint32_t)(b->group_list.n - 1);
    take_weights(c, l);
    /* What other layers of this kind made is not theirs: a recurrence reads what is made below it. */
    for (size_t i = from->first_op; i < from->end_op; i++)
        c->tensor[c->in->op[i].out] = RK_NONE;
    for (size_t i = 0; i < c->in->n_weight; i++)
        if (c->weight[i] != RK_NONE && c->in->weight[i].group == l->group) {
            rk_weight *w = &b->weight.at[c->weight[i]];

            w->group = c->group[l->group];
            if (rename_weight(c, w, l->group) != RK_OK)
                return b->fatal;
        }
    return b->fatal;
}

/* Operands of recurrences, once what they read is made. */
static int settle_late(rk_copy *c, size_t from)
{
    for (size_t i = from; i < c->late.n; i++) {
        const rk_copy_late *l = &c->late.at[i];
        uint32_t made = rk_copy_tensor(c, l->tensor, l->alias);

        if (made == RK_NONE)
            return rk_fatal(c->out, RK_EINPUT, "%s: %s is read, but not made", c->out->name,
                            c->in->tensor[l->tensor].name);
        c->out->op.at[l->op].in[l->operand].tensor = made;
    }
    c->late.n = from;
    return RK_OK;
}

void rk_copy_settle(rk_copy *c, uint32_t tensor)
{
    size_t n = 0;

    for (size_t i = 0; i < c->late.n; i++)
        if (c->late.at[i].tensor == tensor)
            c->out->op.at[c->late.at[i].op].in[c->late.at[i].operand].tensor = c->tensor[tensor];
        else
            c->late.at[n++] = c->late.at[i];
    c->late.n = n;
}

/* One group: what goes into it is what the one before left. */
static int copy_group(rk_copy *c, const rk_copy_layers *layers, uint32_t loop, chain *x)
{
    const rk_group *from = &c->in->group[layers->group];
    size_t event = c->group_event[layers->group], end = event, op = c->in->trace->event[event].at;
    rk_build *b = c->out;
    uint32_t *in = copy_values(c, x), *out, new;
    size_t late = c->late.n;
    bool *shared;
    int code = begin_group(c, layers, loop);

    while (c->in->trace->event[end].kind != RK_TRACE_GROUPED || c->in->trace->event[end].which != layers->group)
        end++;
    new = c->group[layers->group];
    shared = RK_NEW_ARRAY(b->a, x->n + 1, bool);
    for (size_t v = 0; shared && v < x->n; v++)
        shared[v] = from->shared[x->variable[v]];
    b->part = c->in->trace->event[event].part;
    b->group = c->group[from->parent];
    rk_build_note(b, (rk_trace_event){.kind = RK_TRACE_GROUP, .which = new});
    for (size_t v = 0; v < x->n; v++)
        set_value(c, from->in[x->variable[v]], from->in_alias[x->variable[v]], x->now[v]);
    if (code == RK_OK)
        code = check_chain(c, from, x);
    if (code == RK_OK)
        code = copy_events(c, event + 1, end, &op);
    if (code == RK_OK)
        code = settle_late(c, late);
    for (size_t v = 0; v < x->n; v++)
        x->now[v] = rk_copy_tensor(c, from->out[x->variable[v]], from->out_alias[x->variable[v]]);
    out = copy_values(c, x);
    b->group_list.at[new].end_op = b->op.n;
    b->group_list.at[new].in = in;
    b->group_list.at[new].out = out;
    b->group_list.at[new].shared = shared;
    b->group_list.at[new].in_alias = b->group_list.at[new].out_alias = RK_NEW_ARRAY(b->a, x->n + 1, uint32_t);
    b->part = c->in->trace->event[end].part;
    b->group = c->group[from->parent];
    rk_build_note(b, (rk_trace_event){.kind = RK_TRACE_GROUPED, .which = new});
    return !in || !out || !shared || !b->group_list.at[new].in_alias ? rk_fatal_memory(b)
           : code == RK_OK                                           ? b->fatal
                                                                     : code;
}

/* The groups as they are, where a pass forms no others. */
static int same_layers(rk_copy *c, const rk_loop *l, rk_copy_layers **list, size_t *n)
{
    *list = RK_NEW_ARRAY(c->out->a, l->n_group + 1, rk_copy_layers);
    if (!*list)
        return rk_fatal_memory(c->out);
    for (size_t i = 0; i < l->n_group; i++) {
        const rk_group *g = &c->in->group[l->group[i]];

        (*list)[i] = (rk_copy_layers){.group = l->group[i], .layer = g->layer, .n_layer = g->n_layer};
    }
    *n = l->n_group;
    return RK_OK;
}

/* The group of each layer, where there is more than one. */
static int order_layers(rk_copy *c, rk_loop *l)
{
    rk_build *b = c->out;

    l->order = NULL;
    if (l->n_group < 2 || !l->count_known)
        return RK_OK;
    if (!(l->order = RK_NEW_ARRAY(b->a, l->n_layer + 1, uint32_t)))
        return rk_fatal_memory(b);
    for (size_t i = 0; i < l->n_group; i++)
        for (size_t k = 0; k < b->group_list.at[l->group[i]].n_layer; k++)
            l->order[b->group_list.at[l->group[i]].layer[k]] = l->group[i];
    return RK_OK;
}

/*
 * How often a group of other layers occurs.  One group is all layers; one layer of its own leaves all but one; else the
 * layers are counted.  Where their number is not known, all groups but one are a layer each.
 */
static rk_ex times_of(rk_pool *pool, const rk_loop *l, const rk_copy_loop *all, size_t k)
{
    rk_ex count = all->n_layer > 0 ? all->count : l->count;
    size_t other = all->n == 2 ? all->layers[1 - k].n_layer : 0;

    if (all->n == 1)
        return count;
    if (!l->count_known)
        return k == all->n_first ? rk_ex_sub(pool, count, rk_ex_int(pool, (rk_i128)(all->n - 1))) : rk_ex_int(pool, 1);
    if (other == 1 && (k == 1 || all->layers[0].n_layer > 1))
        return rk_ex_sub(pool, count, rk_ex_int(pool, 1));
    return rk_ex_int(pool, (rk_i128)all->layers[k].n_layer);
}

static int copy_groups(rk_copy *c, const rk_loop *from, uint32_t loop, rk_loop *l)
{
    const rk_copy_loop *other = c->regroup ? &c->regroup[from - c->in->loop] : NULL;
    rk_copy_layers *list = other ? other->layers : NULL;
    size_t n = other ? other->n : 0;
    chain x = {0};
    int code = n == 0 ? same_layers(c, from, &list, &n) : RK_OK;

    l->n_first = other && other->n ? other->n_first : from->n_first;
    if (other && other->n_layer > 0) {
        l->n_layer = other->n_layer;
        l->count = other->count;
    }
    l->group = RK_NEW_ARRAY(c->out->a, n + 1, uint32_t);
    if (code != RK_OK || !begin_chain(c, from, &x) || !l->group)
        return rk_fatal_memory(c->out);
    l->n_group = n;
    l->n_carry = x.n;
    for (size_t v = 0; n && v < x.n; v++) {
        const rk_group *first = &c->in->group[from->group[0]];

        x.now[v] = rk_copy_tensor(c, first->in[x.variable[v]], first->in_alias[x.variable[v]]);
    }
    for (size_t i = 0; i < n && code == RK_OK; i++) {
        code = copy_group(c, &list[i], loop, &x);
        l->group[i] = c->group[list[i].group];
        if (code == RK_OK && other && other->n)
            c->out->group_list.at[l->group[i]].times = times_of(c->out->pool, from, other, i);
    }
    /* After the loop, what the last group of the chain left is read. */
    for (size_t v = 0; n && v < x.n; v++) {
        const rk_group *last = &c->in->group[from->group[from->n_group - 1]];

        set_value(c, last->out[x.variable[v]], last->out_alias[x.variable[v]], x.now[v]);
    }
    return code == RK_OK ? order_layers(c, l) : code;
}

static int copy_loop(rk_copy *c, const rk_trace_event *e)
{
    const rk_loop *from = &c->in->loop[e->which];
    rk_build *b = c->out;
    rk_loop *slot = RK_PUSH(b->a, &b->loop), l = *from;
    uint32_t loop = (uint32_t)(b->loop.n - 1);
    int code;

    if (!slot)
        return rk_fatal_memory(b);
    l.parent = c->group[from->parent];
    b->part = e->part;
    b->group = l.parent;
    if (c->loop_begins && (code = c->loop_begins(c, e->which)) != RK_OK)
        return code;
    l.first_op = b->op.n;
    /* A loop that is put a second time has a running number of its own. */
    if (c->loop[e->which] != RK_NONE || c->again) {
        const char *name = rk_sym_name(b->pool, from->index);

        name = rk_arena_format(b->a, "%.*s#%u+", (int)strcspn(name, "#"), name, loop + 1);
        l.index = name ? rk_sym_declare(b->pool, name, RK_SYM_RANK_LOOP) : RK_SYM_NONE;
        if (l.index == RK_SYM_NONE)
            return rk_fatal_memory(b);
    }
    c->loop[e->which] = loop;
    *slot = l;
    b->part = e->part;
    b->group = l.parent;
    rk_build_note(b, (rk_trace_event){.kind = RK_TRACE_LOOP, .which = loop});
    code = copy_groups(c, from, loop, &l);
    l.end_op = b->op.n;
    b->loop.at[loop] = l;
    b->part = e->part;
    b->group = l.parent;
    rk_build_note(b, (rk_trace_event){.kind = RK_TRACE_LOOPED, .which = loop});
    return code;
}

/* ---- all ------------------------------------------------------------------------------------------------------- */

/* The event with which something ends that began with another. */
static size_t end_of(const rk_trace *t, size_t event, rk_trace_kind kind)
{
    uint32_t which = t->event[event].which;

    while (t->event[event].kind != kind || t->event[event].which != which)
        event++;
    return event;
}

/* Events from one to another, and the operations before each. */
static int copy_events(rk_copy *c, size_t from, size_t to, size_t *op)
{
    const rk_trace *t = c->in->trace;
    int code = RK_OK;

    for (size_t e = from; e < to && code == RK_OK; e++) {
        const rk_trace_event *now = &t->event[e];
        bool replaced = false;

        while (*op < now->at && code == RK_OK)
            code = copy_one(c, (*op)++);
        if (code == RK_OK && now->kind == RK_TRACE_CALL && c->call)
            code = c->call(c, &t->call[now->which], &replaced);
        else if (code == RK_OK && now->kind == RK_TRACE_LOOP)
            code = copy_loop(c, now);
        else if (code == RK_OK)
            code = copy_event(c, now);
        if (replaced || now->kind == RK_TRACE_LOOP) {
            e = end_of(t, e, replaced ? RK_TRACE_CALLED : RK_TRACE_LOOPED);
            *op = t->event[e].at;
        }
    }
    while (to < t->n_event && *op < t->event[to].at && code == RK_OK)
        code = copy_one(c, (*op)++);
    return code;
}

int rk_copy_run(rk_copy *c)
{
    size_t op = 0;
    int code = copy_events(c, 0, c->in->trace->n_event, &op);

    while (op < c->in->n_op && code == RK_OK)
        code = copy_one(c, op++);
    if (code == RK_OK)
        code = settle_late(c, 0);
    settle_ties(c);
    return code;
}

int rk_copy_program(rk_copy *c, const rk_program *in, rk_build *out)
{
    int code = rk_copy_begin(c, in, out);

    return code == RK_OK ? rk_copy_run(c) : code;
}
