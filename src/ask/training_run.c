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

/* The number of a symbol of the run; 0: the model has none of that role. */
static rk_i128 number_of(running *c, rk_symbol_role role)
{
    const rk_symbol *s = rk_model_size(c->l->model, role);

    return s && s->kind == RK_SYMBOL_RUN
               ? rk_instance_value(c->l->instance, rk_ex_sym(c->pool, s->sym), &c->code, c->err)
               : 0;
}

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
    c->out->attention = rk_instance_value(c->l->instance, sum, &c->code, c->err);
}

/* What so many FLOPs of a step are in the run. */
static rk_i128 of_run(running *c, rk_i128 step)
{
    rk_i128 common;

    if (c->r->steps || step == 0)
        return rk_mul(&c->acc, step, c->out->steps);
    common = rk_gcd(step, c->out->batch); /* tokens × step / batch, rounded down */
    return rk_mul(&c->acc, c->out->tokens, step / common) / (c->out->batch / common);
}

/* A step of several devices has a batch of each of those that have sequences of their own. */
static rk_i128 batches_of(const running *c)
{
    return c->r->batches > 0 ? c->r->batches : 1;
}

static void count_tokens(running *c)
{
    rk_training_run *o = c->out;
    rk_i128 sequences = number_of(c, RK_SIZE_BATCH), length = number_of(c, RK_SIZE_TOKENS);

    o->batch = rk_mul(&c->acc, batches_of(c), rk_mul(&c->acc, sequences ? sequences : 1, length));
    if (c->code == RK_OK && o->batch == 0 && c->r->steps == 0)
        c->code = rk_fail(c->err, RK_EINPUT, "%s has no S by which tokens could be counted: say how many --steps",
                          c->l->model->name);
    if (c->code != RK_OK || c->acc.overflow)
        return;
    o->tokens = c->r->tokens ? c->r->tokens : rk_mul(&c->acc, c->r->steps, o->batch);
    o->steps = c->r->steps ? c->r->steps : o->tokens / o->batch + (o->tokens % o->batch != 0);
    o->flops = of_run(c, o->step);
    o->hardware = rk_add(&c->acc, o->flops, of_run(c, rk_mul(&c->acc, c->r->recomputed, batches_of(c))));
    o->rule = rk_mul(&c->acc, rk_mul(&c->acc, 6, o->stored), o->tokens);
    o->rule_active = rk_mul(&c->acc, rk_mul(&c->acc, 6, o->active), o->tokens);
}

int rk_training_run_new(const rk_ledger *l, const rk_training_request *r, rk_training_run *out, rk_err *err)
{
    rk_training_run run = {0};
    running c = {.l = l, .r = r, .out = &run, .pool = l->pool, .err = err};

    run.step = rk_instance_value(l->instance, rk_ex_add(c.pool, l->forward, l->backward), &c.code, err);
    run.stored = rk_instance_value(l->instance, l->stored, &c.code, err);
    run.active = rk_instance_value(l->instance, l->active, &c.code, err);
    add_attention(&c);
    run.step = rk_mul(&c.acc, run.step, batches_of(&c));
    run.attention = rk_mul(&c.acc, run.attention, batches_of(&c));
    count_tokens(&c);
    if (c.code == RK_OK && c.acc.overflow)
        c.code = rk_fail(err, RK_EOVERFLOW, "the operations of such a run exceed 128 bits");
    if (c.code != RK_OK)
        return c.code;
    if (r->rate > 0) {
        double twice = run.flops > 0 ? (double)run.hardware / (double)run.flops : 1;

        run.mfu = r->mfu > 0 ? r->mfu : 1 / twice;
        run.hfu = r->mfu > 0 ? r->mfu * twice : 1;
        if (run.hfu > 1)
            return rk_fail(err, RK_EUSAGE,
                           "--mfu %.4g%%: with what is recomputed, devices would reach %.4g %% of the rate",
                           100 * run.mfu, 100 * run.hfu);
        run.seconds = (double)run.flops / ((double)r->rate * (double)r->devices * run.mfu);
        run.joules = run.seconds * (double)r->devices * (double)r->power;
    }
    *out = run;
    return RK_OK;
}
