/* SPDX-License-Identifier: MIT */
/*
 * pass/serve.c - what a decoding step runs: all that leads to the output or into a cache that grows.
 *
 * What a first prompt made once (an encoder's output, the keys and values of cross-attention, the features of an image)
 * is read out of its cache, and what it was made with is left out, with the loss.
 */
#include "pass/passes.h"

#include "model/copy.h"

/* Whether an operation reads a tensor out of what was made with the prompt. */
static bool is_cached(const rk_program *p, size_t op, uint32_t tensor)
{
    for (size_t k = 0; k < p->n_keep; k++)
        if (p->keep[k].once && p->keep[k].tensor == tensor && op >= p->keep[k].at)
            return true;
    return false;
}

static bool need(bool *needed, uint32_t tensor)
{
    bool news = !needed[tensor];

    needed[tensor] = true;
    return news;
}

static bool need_operands(const rk_program *p, bool *needed)
{
    bool news = false;

    for (size_t i = p->n_op; i > 0; i--) {
        const rk_op *op = &p->op[i - 1];

        for (size_t k = 0; needed[op->out] && k < op->n_in; k++)
            if (!is_cached(p, i - 1, op->in[k].tensor))
                news |= need(needed, op->in[k].tensor);
    }
    return news;
}

/* What a layer reads, the layer before it leaves. */
static bool need_carried(const rk_program *p, bool *needed)
{
    bool news = false;

    for (size_t g = 1; g < p->n_group; g++) {
        const rk_group *group = &p->group[g];
        const rk_loop *loop = group->loop == RK_NONE ? NULL : &p->loop[group->loop];

        for (size_t v = 0; loop && v < loop->n_carry; v++)
            for (size_t k = 0; needed[group->in[v]] && k < loop->n_group; k++)
                news |= need(needed, p->group[loop->group[k]].out[v]);
    }
    return news;
}

int rk_pass_serve(const rk_model *in, const rk_pass_options *o, const rk_model **out, rk_err *err)
{
    const rk_program *p = &in->program;
    rk_arena own = {0};
    bool *needed = RK_NEW_ARRAY(&own, p->n_tensor + 1, bool), *left_out = RK_NEW_ARRAY(&own, p->n_op + 1, bool);
    bool any = false;
    rk_model_draft *d = NULL;
    rk_build b;
    int code = own.failed ? rk_fail_memory(err) : RK_OK;

    *out = NULL;
    if (code == RK_OK && o->serves) {
        for (size_t i = 0; i < p->n_output; i++)
            needed[p->output[i]] = true;
        for (size_t i = 0; i < p->n_keep; i++)
            needed[p->keep[i].tensor] |= !p->keep[i].once;
        while (need_operands(p, needed) || need_carried(p, needed))
            ;
        for (size_t i = 0; i < p->n_op; i++)
            any |= left_out[i] = !needed[p->op[i].out];
    }
    if (code == RK_OK && any && (code = rk_pass_begin(in, &d, &b, err)) == RK_OK) {
        d->model->part_of = in;
        code = rk_copy_program(&(rk_copy){.left_out = left_out}, p, &b);
        code = rk_model_finish(code, d, &b, out);
        /* A weight that this step does not read is still there, and is what it was. */
        for (size_t i = 0; code == RK_OK && i < p->n_weight; i++)
            d->model->roles.weight[i] = in->roles.weight[i];
    }
    rk_arena_free(&own);
    return code;
}
