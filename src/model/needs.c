/* SPDX-License-Identifier: MIT */
#include "model/needs.h"

#include <string.h>

bool rk_grad_flows(const rk_op *op, size_t in)
{
    rk_grad_rule rule = rk_op_table[op->row].grad;

    return rule == RK_GRAD_ALL || (rule == RK_GRAD_FIRST && in == 0);
}

static bool trained(const rk_program *p, const rk_tensor *t)
{
    const rk_weight *w = t->kind == RK_TENSOR_WEIGHT ? &p->weight[t->weight] : NULL;

    return t->incoming || (w && !w->frozen && !w->buffer);
}

static bool op_needs(const bool *needs, const rk_op *op)
{
    for (size_t k = 0; k < op->n_in; k++)
        if (rk_grad_flows(op, k) && needs[op->in[k].tensor])
            return true;
    return false;
}

/*
 * Until nothing changes: a recurrence needs a second round.  To and fro, since a chain of recurrences in which each
 * reads the next would otherwise take a round for every link.
 */
void rk_needs_gradient(const rk_program *p, bool *needs)
{
    bool again = true;

    for (size_t i = 0; i < p->n_tensor; i++)
        needs[i] = trained(p, &p->tensor[i]);
    for (bool up = true; again; up = !up) {
        again = false;
        for (size_t i = 0; i < p->n_op; i++) {
            const rk_op *op = &p->op[up ? i : p->n_op - 1 - i];

            if (!needs[op->out] && op_needs(needs, op))
                again = needs[op->out] = true;
        }
    }
}

static bool reach_back(const rk_op *op, bool *reaches)
{
    bool changed = false;

    for (size_t k = 0; k < op->n_in && reaches[op->out]; k++)
        if (rk_grad_flows(op, k) && !reaches[op->in[k].tensor])
            changed = reaches[op->in[k].tensor] = true;
    return changed;
}

void rk_reaches_output(const rk_program *p, bool *reaches)
{
    bool again = true;

    memset(reaches, 0, p->n_tensor);
    for (size_t i = 0; i < p->n_output; i++)
        reaches[p->output[i]] = true;
    for (bool up = false; again; up = !up) {
        again = false;
        for (size_t i = 0; i < p->n_op; i++)
            again |= reach_back(&p->op[up ? i : p->n_op - 1 - i], reaches);
    }
}
