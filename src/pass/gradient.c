/* SPDX-License-Identifier: MIT */
#include "pass/gradient.h"

#include "model/needs.h"

/* How a tensor reaches the output: not at all, only through the next step of a recurrence, or directly. */
typedef enum reach {
    REACH_NOT,
    REACH_NEXT,
    REACH_NOW
} reach;

typedef struct walk {
    const rk_program *p;
    bool *needs;
    reach *level;
    uint32_t *shift; /* for REACH_NEXT: the label of the step */
} walk;

/* The label along which a recurrence reads this operand one step back, or RK_NONE. */
static uint32_t step_label(const rk_program *p, size_t op, size_t in)
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

static bool raise_level(walk *w, uint32_t tensor, reach level, uint32_t shift)
{
    if (w->level[tensor] >= level)
        return false;
    w->level[tensor] = level;
    w->shift[tensor] = shift;
    return true;
}

static bool reach_back(walk *w, size_t i)
{
    const rk_op *op = &w->p->op[i];
    reach level = w->level[op->out];
    bool changed = false;

    if (level == REACH_NOT)
        return false;
    for (size_t k = 0; k < op->n_in; k++) {
        uint32_t step = step_label(w->p, i, k);

        if (rk_grad_flows(op, k))
            changed |= raise_level(w, op->in[k].tensor, step == RK_NONE ? level : REACH_NEXT,
                                   step == RK_NONE ? w->shift[op->out] : step);
    }
    return changed;
}

static void find_reach(walk *w)
{
    bool again = true;

    for (size_t i = 0; i < w->p->n_output; i++)
        w->level[w->p->output[i]] = REACH_NOW;
    /* To and fro: a chain of recurrences in which each reads the next would otherwise take a round for every link. */
    for (bool up = false; again; up = !up) {
        again = false;
        for (size_t i = 0; i < w->p->n_op; i++)
            again |= reach_back(w, up ? i : w->p->n_op - 1 - i);
    }
}

static rk_grad grad_of(const walk *w, size_t i, size_t k)
{
    const rk_op *op = &w->p->op[i];
    rk_grad g = {.op = (uint32_t)i, .in = (uint32_t)k, .shift_label = step_label(w->p, i, k)};

    g.first_free = g.shift_label != RK_NONE;
    if (w->level[op->out] == REACH_NEXT) {
        g.last_free = true;
        g.shift_label = w->shift[op->out];
    }
    return g;
}

static size_t list_grads(const walk *w, rk_grad *out)
{
    size_t n = 0;

    for (size_t i = w->p->n_op; i > 0; i--) {
        const rk_op *op = &w->p->op[i - 1];

        if (w->level[op->out] == REACH_NOT)
            continue;
        for (size_t k = 0; k < op->n_in; k++)
            if (rk_grad_flows(op, k) && w->needs[op->in[k].tensor]) {
                if (out)
                    out[n] = grad_of(w, i - 1, k);
                n++;
            }
    }
    return n;
}

int rk_gradient_new(rk_arena *a, const rk_program *p, rk_gradient *out, rk_err *err)
{
    walk w = {.p = p};
    rk_gradient g = {0};

    w.needs = RK_NEW_ARRAY(a, p->n_tensor + 1, bool);
    w.level = RK_NEW_ARRAY(a, p->n_tensor + 1, reach);
    w.shift = RK_NEW_ARRAY(a, p->n_tensor + 1, uint32_t);
    g.reaches = RK_NEW_ARRAY(a, p->n_tensor + 1, bool);
    if (!w.needs || !w.level || !w.shift || !g.reaches)
        return rk_fail_memory(err);
    rk_needs_gradient(p, w.needs);
    find_reach(&w);
    g.n = list_grads(&w, NULL);
    if (!(g.at = RK_NEW_ARRAY(a, g.n + 1, rk_grad)))
        return rk_fail_memory(err);
    list_grads(&w, g.at);
    g.needs = w.needs;
    for (size_t i = 0; i < p->n_tensor; i++)
        g.reaches[i] = w.level[i] != REACH_NOT;
    *out = g;
    return RK_OK;
}
