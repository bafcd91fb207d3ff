/* SPDX-License-Identifier: MIT */
#include "model/flow.h"

static bool holds(rk_grad_rule rule, size_t in)
{
    return rule == RK_GRAD_ALL || (rule == RK_GRAD_FIRST && in == 0) || (rule == RK_GRAD_SECOND && in == 1);
}

bool rk_grad_flows(const rk_op *op, size_t in)
{
    return holds(rk_op_table[op->row].grad, in);
}

bool rk_grad_passes(const rk_op *op, size_t in)
{
    return holds(rk_op_table[op->row].passes, in);
}

bool rk_flow_needs(const rk_flow *f, size_t op, size_t in)
{
    return f->needs[f->read[f->first[op] + in]];
}

uint32_t rk_step_label(const rk_program *p, size_t op, size_t in)
{
    const rk_operand *o = &p->op[op].in[in];
    const rk_tensor *t = &p->tensor[o->tensor];

    /* What is computed only afterwards can have been read only from the step before. */
    if (t->kind != RK_TENSOR_RESULT || t->producer < op)
        return RK_NONE;
    for (size_t i = 0; i < o->axes.n; i++)
        if (o->axes.at[i].kind == RK_IX_AFFINE && o->axes.at[i].n_term == 1)
            return o->axes.at[i].term[0].label;
    return RK_NONE;
}

uint32_t *rk_step_ends(rk_arena *a, const rk_program *p)
{
    uint32_t *end = RK_NEW_ARRAY(a, p->n_op + 1, uint32_t), last = 0;

    for (uint32_t i = 0; end && i < p->n_op; i++) {
        end[i] = last > i ? last : i;
        for (size_t k = 0; k < p->op[i].n_in; k++)
            if (rk_step_label(p, i, k) != RK_NONE && p->tensor[p->op[i].in[k].tensor].producer > end[i])
                end[i] = p->tensor[p->op[i].in[k].tensor].producer;
        last = end[i];
    }
    for (size_t i = p->n_op; end && i > 1; i--) /* what begins later may end later */
        if (end[i - 2] >= i - 1)
            end[i - 2] = end[i - 1];
    return end;
}

/* ---- values -------------------------------------------------------------------------------------------------- */

static uint32_t value_new(rk_flow_walk *w, uint32_t owner)
{
    uint32_t *slot = RK_PUSH(w->a, &w->owner);

    if (!slot)
        return RK_NONE;
    *slot = owner;
    return (uint32_t)(w->owner.n - 1);
}

/* From here on each of these tensors has a new value: one, also where it is two variables. */
static bool value_each(rk_flow_walk *w, const uint32_t *tensor, size_t n, uint32_t owner, uint32_t *out)
{
    size_t old = w->owner.n;

    for (size_t v = 0; v < n; v++) {
        uint32_t *now = &w->now[tensor[v]];
        rk_flow_undo *undo = *now < old ? RK_PUSH(w->a, &w->undo) : NULL;

        if (*now < old) {
            if (!undo)
                return false;
            *undo = (rk_flow_undo){tensor[v], *now};
            *now = value_new(w, owner);
        }
        if ((out[v] = *now) == RK_NONE)
            return false;
    }
    return true;
}

/* New values have numbers one after the other: are there fewer than variables? */
static bool is_fewer(const uint32_t *value, size_t n)
{
    return n && value[n - 1] - value[0] + 1 < n;
}

static void values_back(rk_flow_walk *w, size_t to)
{
    for (; w->undo.n > to; w->undo.n--)
        w->now[w->undo.at[w->undo.n - 1].tensor] = w->undo.at[w->undo.n - 1].value;
}

static bool item_add(rk_flow_walk *w, uint32_t group, bool is_loop, size_t which)
{
    rk_flow_item *i = RK_PUSH(w->a, &w->group[group].item);

    if (i)
        *i = (rk_flow_item){.is_loop = is_loop, .which = which};
    return i != NULL;
}

static bool walk_op(rk_flow_walk *w, size_t op)
{
    const rk_op *o = &w->p->op[op];

    for (size_t k = 0; k < o->n_in; k++)
        w->flow.read[w->flow.first[op] + k] = w->now[o->in[k].tensor];
    w->now[o->out] = o->out;
    return item_add(w, o->group, false, op);
}

static bool walk_group(rk_flow_walk *w, uint32_t group);

/* Inside, what is carried in stands for itself; outside, the tensors have the values that they had. */
static bool walk_layer(rk_flow_walk *w, const rk_loop *l, rk_flow_carry *c, uint32_t group)
{
    const rk_group *g = &w->p->group[group];
    rk_flow_group *f = &w->group[group];
    size_t undo = w->undo.n;
    bool good;

    f->before = RK_NEW_ARRAY(w->a, l->n_carry + 1, uint32_t);
    f->in = RK_NEW_ARRAY(w->a, l->n_carry + 1, uint32_t);
    f->out = RK_NEW_ARRAY(w->a, l->n_carry + 1, uint32_t);
    if (!f->before || !f->in || !f->out)
        return false;
    for (size_t v = 0; v < l->n_carry; v++)
        f->before[v] = w->now[g->in[v]];
    good = value_each(w, g->in, l->n_carry, group, f->in) && walk_group(w, group);
    c->aliased |= good && is_fewer(f->in, l->n_carry);
    for (size_t v = 0; v < l->n_carry; v++)
        c->aliased |= g->shared[v];
    for (size_t v = 0; v < l->n_carry; v++)
        f->out[v] = g->out[v] == g->in[v] ? f->in[v] : w->now[g->out[v]];
    values_back(w, undo);
    return good;
}

static bool walk_loop(rk_flow_walk *w, size_t loop)
{
    const rk_loop *l = &w->p->loop[loop];
    rk_flow_carry *c = &w->carry[loop];
    const rk_group *last = l->n_group ? &w->p->group[l->group[l->n_group - 1]] : NULL;

    c->before = RK_NEW_ARRAY(w->a, l->n_carry + 1, uint32_t);
    c->after = RK_NEW_ARRAY(w->a, l->n_carry + 1, uint32_t);
    c->beside = RK_NEW_ARRAY(w->a, l->n_carry + 1, uint32_t);
    if (!c->before || !c->after || !c->beside || !item_add(w, l->parent, true, loop))
        return false;
    for (size_t v = 0; v < l->n_carry; v++)
        c->before[v] = w->now[w->p->group[l->group[0]].in[v]];
    for (size_t i = 0; i < l->n_group; i++)
        if (!walk_layer(w, l, c, l->group[i]))
            return false;
    if (!last)
        return true;
    /* A variable may leave with a tensor from before the loop, which another one still has. */
    for (size_t v = 0; v < l->n_carry; v++)
        c->beside[v] =
            w->p->tensor[last->out[v]].kind != RK_TENSOR_RESULT || w->p->tensor[last->out[v]].producer < l->first_op
                ? w->now[last->out[v]]
                : RK_NONE;
    if (!value_each(w, last->out, l->n_carry, l->parent, c->after))
        return false;
    for (size_t v = 0; v < l->n_carry; v++)
        c->aliased |= c->beside[v] != RK_NONE;
    c->aliased |= is_fewer(c->after, l->n_carry);
    return true;
}

static bool walk_group(rk_flow_walk *w, uint32_t group)
{
    const rk_group *g = &w->p->group[group];
    size_t end = group ? g->end_op : w->p->n_op;

    for (size_t i = group ? g->first_op : 0;;) {
        if (w->next < w->p->n_loop && w->p->loop[w->next].parent == group && w->p->loop[w->next].first_op == i) {
            size_t loop = w->next++;

            if (!walk_loop(w, loop))
                return false;
            i = w->p->loop[loop].end_op;
        } else if (i == end) {
            return true;
        } else if (!walk_op(w, i++)) {
            return false;
        }
    }
}

/* What is given is an output where the line stands: in each layer, or after all loops. */
static bool walk_outputs(rk_flow_walk *w)
{
    w->given = RK_NEW_ARRAY(w->a, w->owner.n + 1, bool);
    for (size_t i = 0; w->given && i < w->p->n_output; i++)
        w->given[w->p->output_group[i] ? w->p->output[i] : w->now[w->p->output[i]]] = true;
    return w->given != NULL;
}

static bool walk_begin(rk_flow_walk *w)
{
    const rk_program *p = w->p;
    size_t n_in = 0;

    w->now = RK_NEW_ARRAY(w->a, p->n_tensor + 1, uint32_t);
    w->group = RK_NEW_ARRAY(w->a, p->n_group + 1, rk_flow_group);
    w->carry = RK_NEW_ARRAY(w->a, p->n_loop + 1, rk_flow_carry);
    w->flow.first = RK_NEW_ARRAY(w->a, p->n_op + 1, size_t);
    for (size_t i = 0; w->flow.first && i < p->n_op; i++) {
        w->flow.first[i] = n_in;
        n_in += p->op[i].n_in;
    }
    w->flow.read = RK_NEW_ARRAY(w->a, n_in + 1, uint32_t);
    if (!w->now || !w->group || !w->carry || !w->flow.first || !w->flow.read)
        return false;
    for (size_t i = 0; i < p->n_tensor; i++) {
        const rk_tensor *t = &p->tensor[i];

        if (value_new(w, t->kind == RK_TENSOR_RESULT ? t->group : 0) == RK_NONE)
            return false;
        w->now[i] = (uint32_t)i;
    }
    return true;
}

static bool walk_end(rk_flow_walk *w)
{
    const rk_program *p = w->p;

    w->flow.n_value = w->owner.n;
    w->flow.needs = RK_NEW_ARRAY(w->a, w->owner.n + 1, bool);
    w->flow.reach = RK_NEW_ARRAY(w->a, w->owner.n + 1, rk_reach);
    w->flow.shift = RK_NEW_ARRAY(w->a, w->owner.n + 1, uint32_t);
    w->flow.made = RK_NEW_ARRAY(w->a, w->owner.n + 1, bool);
    w->flow.loop = RK_NEW_ARRAY(w->a, p->n_loop + 1, rk_flow_loop);
    for (size_t i = 0; w->flow.loop && i < p->n_loop; i++)
        if (!(w->flow.loop[i].signature = RK_NEW_ARRAY(w->a, p->loop[i].n_layer + 1, uint64_t)))
            return false;
        else
            w->flow.loop[i].aliased = w->carry[i].aliased;
    return w->flow.needs && w->flow.made && w->flow.reach && w->flow.shift && w->flow.loop;
}

int rk_flow_new(rk_arena *a, const rk_program *p, rk_flow *out, rk_err *err)
{
    rk_flow_walk w = {.a = a, .p = p};
    int code;

    if (!walk_begin(&w) || !walk_group(&w, 0) || !walk_outputs(&w) || !walk_end(&w))
        return rk_fail_memory(err);
    code = rk_flow_run(&w, err);
    if (code == RK_OK)
        *out = w.flow;
    return code;
}
