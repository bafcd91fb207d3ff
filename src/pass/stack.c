/* SPDX-License-Identifier: MIT */
/*
 * pass/stack.c - after a recurrence, its steps are laid in one tensor.
 *
 * Why.  A recurrence makes a tensor for each step.  What is computed from them could be computed step by step as well,
 * or of all steps at once, when these have been stacked; that decides what is saved.  A body of a profile says so
 * itself: it ends with a copy, and all that leads to that copy and nowhere else is done step by step.  Where equations
 * say nothing, they are read as one would write them: the steps are stacked when the recurrence has been run, but what
 * makes a state smaller (a sum over its own axes) is still done within a step.
 */
#include "pass/passes.h"

#include "model/copy.h"
#include "model/needs.h"

typedef struct stacking {
    const rk_program *p;
    const uint32_t *end; /* rk_step_ends */
    bool *in_steps;      /* of each operation: it is run step by step if one that it reads is */
    bool *stacked;       /* of each tensor: its steps are stacked */
} stacking;

/* Whether an operation sums over axes of an operand and puts none in their place. */
static bool makes_smaller(const rk_program *p, size_t i, size_t k)
{
    const rk_ixs *in = &p->op[i].in[k].axes, *out = &p->tensor[p->op[i].out].axes;

    for (size_t a = 0; a < out->n; a++)
        if (rk_ixs_place(in, out->at[a].label) < 0)
            return false;
    return out->n < in->n && rk_op_table[p->op[i].row].place != RK_PLACE_VIEW;
}

static bool is_same_recurrence(const stacking *x, size_t i, uint32_t tensor)
{
    const rk_tensor *t = &x->p->tensor[tensor];

    return t->kind == RK_TENSOR_RESULT && x->end[i] == x->end[t->producer];
}

/* Whether what an operation reads may be there step by step only. */
static bool reads_steps(const stacking *x, size_t i, size_t k)
{
    uint32_t tensor = x->p->op[i].in[k].tensor;

    return x->p->op[i].group == x->p->tensor[tensor].group &&
           (x->in_steps[i] || makes_smaller(x->p, i, k) || is_same_recurrence(x, i, tensor));
}

/* A copy, or tensors laid end to end, end what is done step by step; so all that is read by such alone is, too. */
static void find_steps(stacking *x, bool *read, bool *elsewhere)
{
    const rk_program *p = x->p;

    for (size_t i = 0; i < p->n_output; i++)
        elsewhere[p->output[i]] = true;
    for (size_t g = 0; g < p->n_group; g++)
        for (size_t v = 0; p->group[g].loop != RK_NONE && v < p->loop[p->group[g].loop].n_carry; v++)
            elsewhere[p->group[g].out[v]] = true;
    for (size_t i = p->n_op; i > 0; i--) {
        const rk_op *op = &p->op[i - 1];

        x->in_steps[i - 1] = op->row == RK_OP_JOIN || rk_op_table[op->row].place == RK_PLACE_WHOLE ||
                             (read[op->out] && !elsewhere[op->out]);
        for (size_t k = 0; k < op->n_in; k++)
            if (rk_step_label(p, i - 1, k) == RK_NONE) {
                read[op->in[k].tensor] = true;
                elsewhere[op->in[k].tensor] |= !reads_steps(x, i - 1, k);
            }
    }
}

/*
 * Which tensors lie step by step, along which label, and are read as one.  What a body takes apart itself it also puts
 * together.
 */
static bool find_stacks(stacking *x, const bool *elsewhere, uint32_t *step, bool *taken_apart)
{
    const rk_program *p = x->p;
    bool any = false;

    for (size_t i = 0; i < p->n_op; i++) {
        const rk_op *op = &p->op[i];
        rk_place_rule place = rk_op_table[op->row].place;

        taken_apart[op->out] = place == RK_PLACE_STEPS;
        for (size_t k = 0; k < op->n_in && place != RK_PLACE_WHOLE; k++) {
            uint32_t in = op->in[k].tensor, back = rk_step_label(p, i, k);
            uint32_t label = back != RK_NONE                                   ? back + 1
                             : x->stacked[in] && !is_same_recurrence(x, i, in) ? 0
                                                                               : step[in];

            taken_apart[op->out] |= taken_apart[in];
            if (label && rk_ixs_place(&p->tensor[op->out].axes, label - 1) >= 0)
                step[op->out] = label;
        }
        any |= x->stacked[op->out] = step[op->out] && elsewhere[op->out] && !taken_apart[op->out];
    }
    return any;
}

/* ---- the copy --------------------------------------------------------------------------------------------------- */

/* From here on, who reads the steps reads them as one. */
static int put_stack(rk_copy *c, uint32_t tensor)
{
    uint32_t now = c->tensor[tensor];
    rk_seen in = {.tensor = now, .axes = c->out->tensor.at[now].axes, .mask = c->out->tensor.at[now].mask}, out;

    rk_copy_settle(c, tensor);
    if (!rk_build_op(c->out, RK_OP_COPY, &in, 1, &in.axes, &out))
        return c->out->fatal;
    c->tensor[tensor] = out.tensor;
    return RK_OK;
}

/* After the last operation of a recurrence, or after one that stands in none. */
static int put_op(rk_copy *c, size_t i)
{
    const stacking *x = c->self;
    size_t first = i;
    int code = rk_copy_op(c, i) ? RK_OK : c->out->fatal;

    if (x->end[i] != i)
        return code;
    while (first > 0 && x->end[first - 1] == i)
        first--;
    for (; first <= i && code == RK_OK; first++)
        if (x->stacked[x->p->op[first].out])
            code = put_stack(c, x->p->op[first].out);
    return code;
}

/* What decoding carries on are the steps. */
static void keep_steps(rk_build *b)
{
    for (size_t k = 0; k < b->keep.n; k++) {
        const rk_tensor *t = &b->tensor.at[b->keep.at[k].tensor];

        if (t->kind == RK_TENSOR_RESULT && b->op.at[t->producer].row == RK_OP_COPY)
            b->keep.at[k].tensor = b->op.at[t->producer].in[0].tensor;
    }
}

int rk_pass_stack(const rk_model *in, const rk_pass_options *o, const rk_model **out, rk_err *err)
{
    const rk_program *p = &in->program;
    rk_arena own = {0};
    stacking x = {.p = p,
                  .end = rk_step_ends(&own, p),
                  .in_steps = RK_NEW_ARRAY(&own, p->n_op + 1, bool),
                  .stacked = RK_NEW_ARRAY(&own, p->n_tensor + 1, bool)};
    bool *read = RK_NEW_ARRAY(&own, p->n_tensor + 1, bool), *elsewhere = RK_NEW_ARRAY(&own, p->n_tensor + 1, bool);
    bool *taken_apart = RK_NEW_ARRAY(&own, p->n_tensor + 1, bool);
    uint32_t *step = RK_NEW_ARRAY(&own, p->n_tensor + 1, uint32_t);
    rk_copy c = {.op = put_op, .self = &x};
    rk_model_draft *d = NULL;
    bool any = false;
    rk_build b;
    int code = own.failed ? rk_fail_memory(err) : RK_OK;

    *out = NULL;
    if (code == RK_OK && o->profile) {
        find_steps(&x, read, elsewhere);
        any = find_stacks(&x, elsewhere, step, taken_apart);
    }
    if (any && (code = rk_pass_begin(in, &d, &b, err)) == RK_OK) {
        code = rk_copy_program(&c, p, &b);
        keep_steps(&b);
        code = rk_model_finish(code, d, &b, out);
    }
    rk_arena_free(&own);
    return code;
}
