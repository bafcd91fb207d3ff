/* SPDX-License-Identifier: MIT */
#include "pass/gradient.h"

rk_grad rk_grad_of(const rk_program *p, const rk_flow *f, size_t i, size_t k)
{
    uint32_t out = p->op[i].out;
    rk_grad g = {.op = (uint32_t)i, .in = (uint32_t)k, .shift_label = rk_step_label(p, i, k)};

    g.first_free = g.shift_label != RK_NONE;
    if (f->reach[out] == RK_REACH_NEXT) {
        g.last_free = true;
        g.shift_label = f->shift[out];
    }
    return g;
}

static size_t list_grads(const rk_program *p, const rk_flow *f, rk_grad *out)
{
    size_t n = 0;

    for (size_t i = p->n_op; i > 0; i--) {
        const rk_op *op = &p->op[i - 1];

        if (f->reach[op->out] == RK_REACH_NOT)
            continue;
        for (size_t k = 0; k < op->n_in; k++)
            if (rk_grad_flows(op, k) && rk_flow_needs(f, i - 1, k)) {
                if (out)
                    out[n] = rk_grad_of(p, f, i - 1, k);
                n++;
            }
    }
    return n;
}

int rk_gradient_new(rk_arena *a, const rk_program *p, rk_gradient *out, rk_err *err)
{
    rk_gradient g = {0};
    int code = rk_flow_new(a, p, &g.flow, err);

    if (code != RK_OK)
        return code;
    g.reaches = RK_NEW_ARRAY(a, p->n_tensor + 1, bool);
    g.n = list_grads(p, &g.flow, NULL);
    g.at = RK_NEW_ARRAY(a, g.n + 1, rk_grad);
    if (!g.reaches || !g.at)
        return rk_fail_memory(err);
    list_grads(p, &g.flow, g.at);
    g.needs = g.flow.needs;
    for (size_t i = 0; i < p->n_tensor; i++)
        g.reaches[i] = g.flow.reach[i] != RK_REACH_NOT;
    *out = g;
    return RK_OK;
}
