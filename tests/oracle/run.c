/* SPDX-License-Identifier: MIT */
/* Whole passes: all operations in order, recurrences step by step. */
#include "oracle.h"

#include <math.h>
#include <string.h>

/* Inputs, weights: small numbers, so that nothing saturates; whole numbers where something is looked up. */
void fill_world(world *w)
{
    for (size_t i = 0; i < w->p->n_tensor; i++) {
        cell *c = &w->tensor[i];

        if (c->base == NULL)
            continue;
        for (size_t k = 0; k < c->n; k++)
            c->base[k] = c->integer ? (double)(random_next(&w->random) % 1000) : 0.8 * random_real(w);
    }
}

static void begin(world *w)
{
    for (size_t i = 0; i < w->p->n_tensor; i++) {
        cell *c = &w->tensor[i];
        const rk_tensor *t = &w->p->tensor[i];
        /* What was chosen once for all stays where choices are fixed. */
        bool stays = w->fixed && t->kind == RK_TENSOR_RESULT && t->producer != RK_NONE &&
                     w->p->op[t->producer].row == RK_OP_STOP;

        for (size_t k = 0; k < c->n && !stays; k++) {
            c->value[k] = c->base != NULL ? c->base[k] : (double)NAN;
            if (c->base != NULL && c->nudge != NULL)
                c->value[k] += w->nudge * c->nudge[k];
        }
    }
    w->choices = 0;
}

static void forward_unit(world *w, const unit *u)
{
    long n = u->step != RK_NONE ? w->size[u->step] : 1;

    for (long s = 0; s < n; s++) {
        w->step = u->step;
        if (u->step != RK_NONE)
            w->index[u->step] = s;
        for (size_t i = 0; i < u->n; i++)
            forward_op(w, &w->op[u->op[i]]);
    }
    w->step = RK_NONE;
}

void run_forward(world *w)
{
    begin(w);
    for (size_t i = 0; i < w->p->n_op; i++)
        w->op[i].forward = (tally){0};
    for (size_t i = 0; i < w->n_unit; i++)
        forward_unit(w, &w->unit[i]);
}

double root_value(const world *w)
{
    double sum = 0;

    for (size_t i = 0; i < w->p->n_output; i++) {
        const cell *c = &w->tensor[w->p->output[i]];

        for (size_t k = 0; k < c->n; k++)
            sum += w->root[i][k] * c->value[k];
    }
    if (w->p->loss != RK_NONE && w->loss_root != 0)
        sum += w->loss_root * w->tensor[w->p->op[w->p->loss].out].value[0];
    return sum;
}

static void backward_unit(world *w, const unit *u)
{
    long n = u->step != RK_NONE ? w->size[u->step] : 1;

    for (long s = n; s-- > 0;) {
        w->step = u->step;
        if (u->step != RK_NONE)
            w->index[u->step] = s;
        for (size_t i = u->n; i-- > 0;) {
            plan *p = &w->op[u->op[i]];
            bool any = false;

            for (size_t k = 0; k < p->op->n_in; k++)
                any |= p->want[k];
            if (any)
                backward_op(w, p);
        }
    }
    w->step = RK_NONE;
}

/* The gradient program says which operands get a gradient; the order is our own, because ours is run step by step. */
static void begin_backward(world *w, const rk_gradient *g)
{
    for (size_t i = 0; i < w->p->n_op; i++) {
        w->op[i].backward = (tally){0};
        memset(w->op[i].want, 0, w->p->op[i].n_in * sizeof *w->op[i].want);
    }
    for (size_t i = 0; i < g->n; i++) {
        plan *p = &w->op[g->at[i].op];

        p->want[g->at[i].in] = true;
        p->grad[g->at[i].in] = &g->at[i];
    }
    for (size_t i = 0; i < w->p->n_tensor; i++)
        memset(w->tensor[i].grad, 0, w->tensor[i].n * sizeof(double));
}

void run_backward(world *w, const rk_gradient *g)
{
    begin_backward(w, g);
    for (size_t i = 0; i < w->p->n_output; i++) {
        cell *c = &w->tensor[w->p->output[i]];

        for (size_t k = 0; k < c->n; k++)
            c->grad[k] += w->root[i][k];
    }
    if (w->p->loss != RK_NONE)
        w->tensor[w->p->op[w->p->loss].out].grad[0] += w->loss_root;
    for (size_t i = w->n_unit; i-- > 0;)
        backward_unit(w, &w->unit[i]);
}
