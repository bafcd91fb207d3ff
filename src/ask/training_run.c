/* SPDX-License-Identifier: MIT */
#include "ask/training_run.h"

typedef struct running {
    const rk_ledger *l;
    const rk_training_request *r;
    rk_training_run *out;
    rk_pool *pool;
    rk_acc acc;
    rk_err *err;
    int code; /* sticky */
} running;

static rk_i128 value(running *c, rk_ex e)
{
    rk_i128 n = 0;

    if (c->code == RK_OK)
        c->code = rk_ex_eval(c->pool, e, &c->l->instance->at, &n, c->err);
    return n;
}

/* The number of a symbol of the run; 0: the model has none of that role. */
static rk_i128 number_of(running *c, rk_symbol_role role)
{
    const rk_symbol *s = rk_model_size(c->l->model, role);

    return s && s->kind == RK_SYMBOL_RUN ? value(c, rk_ex_sym(c->pool, s->sym)) : 0;
}

/* ---- a step ----------------------------------------------------------------------------------------------------- */

/* Products of two activations: scores, and what they weigh. */
static void add_attention(running *c)
{
    const rk_program *p = &c->l->model->program;
    rk_ex sum = rk_ex_int(c->pool, 0);

    for (size_t i = 0; i < c->l->n_op; i++) {
        const rk_ledger_op *row = &c->l->op[i];
        const rk_op *op = &p->op[row->op];
        rk_ex both = rk_ex_add(c->pool, row->forward, row->backward);

        if (rk_op_mixes(p, op))
            sum = rk_ex_add(c->pool, sum, rk_ex_mul(c->pool, row->times, both));
    }
    c->out->attention = value(c, sum);
}

static void count_step(running *c)
{
    c->out->step = value(c, rk_ex_add(c->pool, c->l->forward, c->l->backward));
    c->out->stored = value(c, c->l->stored);
    c->out->active = value(c, c->l->active);
    add_attention(c);
}

/* ---- all steps -------------------------------------------------------------------------------------------------- */

/* a × b / c, rounded down. */
static rk_i128 scale(running *c, rk_i128 a, rk_i128 b, rk_i128 by)
{
    rk_i128 g = rk_gcd(b, by);

    return by > 0 ? rk_mul(&c->acc, a, b / g) / (by / g) : 0;
}

/* Steps of so many tokens; the last may have fewer. */
static rk_i128 steps_of(rk_i128 tokens, rk_i128 batch)
{
    return batch > 0 ? tokens / batch + (tokens % batch != 0) : 0;
}

static void count_tokens(running *c)
{
    rk_training_run *o = c->out;
    rk_i128 sequences = number_of(c, RK_SIZE_BATCH), length = number_of(c, RK_SIZE_TOKENS);

    o->batch = rk_mul(&c->acc, sequences ? sequences : 1, length);
    if (c->code == RK_OK && o->batch == 0 && c->r->steps == 0)
        c->code = rk_fail(c->err, RK_EINPUT, "%s has no S by which tokens could be counted: say how many --steps",
                          c->l->model->name);
    if (c->code != RK_OK || c->acc.overflow)
        return;
    o->tokens = c->r->tokens ? c->r->tokens : rk_mul(&c->acc, c->r->steps, o->batch);
    o->steps = c->r->steps ? c->r->steps : steps_of(o->tokens, o->batch);
    o->flops = c->r->steps ? rk_mul(&c->acc, o->step, o->steps) : scale(c, o->tokens, o->step, o->batch);
    o->rule = rk_mul(&c->acc, rk_mul(&c->acc, 6, o->stored), o->tokens);
    o->rule_active = rk_mul(&c->acc, rk_mul(&c->acc, 6, o->active), o->tokens);
}

static void estimate(running *c)
{
    const rk_training_request *r = c->r;

    if (r->rate == 0)
        return;
    c->out->seconds = (double)c->out->flops / ((double)r->rate * (double)r->devices * r->mfu);
    c->out->joules = c->out->seconds * (double)r->devices * (double)r->power;
}

int rk_training_run_new(const rk_ledger *l, const rk_training_request *r, rk_training_run *out, rk_err *err)
{
    rk_training_run run = {0};
    running c = {.l = l, .r = r, .out = &run, .pool = l->pool, .err = err};

    count_step(&c);
    count_tokens(&c);
    if (c.code == RK_OK && c.acc.overflow)
        c.code = rk_fail(err, RK_EOVERFLOW, "the operations of such a run exceed 128 bits");
    if (c.code != RK_OK)
        return c.code;
    estimate(&c);
    *out = run;
    return RK_OK;
}
