/* SPDX-License-Identifier: MIT */
/*
 * pass/serve.c - what a decoding step runs: all that leads to the output or into a cache that grows, or is made of the
 * new tokens.
 *
 * What a first prompt made once (an encoder's output, the keys and values of cross-attention, the features of an image)
 * is read out of its cache, and what it was made with is left out, with the loss.  Without a cache before it, a run
 * does all that its file says but what is made of inputs that lead nowhere: a picture that is not there.
 */
#include "pass/passes.h"

#include "model/copy.h"

#include <string.h>

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

static void need_all(const rk_program *p, bool *needed)
{
    while (need_operands(p, needed) || need_carried(p, needed))
        ;
}

/* Whether a tensor has an element for each new token: its axis goes on in a cache. */
static bool is_fresh(const rk_program *p, uint32_t tensor)
{
    const rk_ixs *axes = &p->tensor[tensor].axes;

    for (size_t i = 0; i < axes->n; i++)
        for (size_t k = 0; k < p->n_keep; k++)
            if (!p->keep[k].once && axes->at[i].size == p->keep[k].over_size)
                return true;
    return false;
}

/*
 * What is made of the new tokens is run, whether anything reads it or not: an indexer, keys that wait for more; the
 * table of their rotations, too, which no equation reads.  The loss is not.
 */
static bool runs_anyhow(const rk_program *p, const bool *runs, const rk_op *op)
{
    const rk_op_row *row = &rk_op_table[op->row];
    bool any = row->torch == RK_TORCH_ROPE_TABLE && is_fresh(p, op->out);

    for (size_t k = 0; k < op->n_in; k++)
        any |= runs[op->in[k].tensor];
    return any;
}

/* What leads to the loss: it, and what its profile writes it out in. */
static void find_loss(const rk_program *p, bool *loss)
{
    for (size_t i = p->n_op; i > 0; i--) {
        const rk_op *op = &p->op[i - 1];

        loss[op->out] |= rk_op_table[op->row].class == RK_CLASS_LOSS;
        for (size_t k = 0; loss[op->out] && k < op->n_in; k++)
            loss[op->in[k].tensor] = true;
    }
}

/* Whether an input leads to no output and into no cache: a picture that a run without one does not read. */
static int find_idle(const rk_program *p, rk_arena *a, bool *out, rk_err *err)
{
    bool *from = RK_NEW_ARRAY(a, p->n_tensor + 1, bool);

    if (!from)
        return rk_fail_memory(err);
    for (size_t i = 0; i < p->n_input && !*out; i++) {
        bool leads = false;

        memset(from, 0, p->n_tensor * sizeof *from);
        from[p->input[i]] = true;
        for (size_t k = 0; k < p->n_op; k++)
            for (size_t j = 0; j < p->op[k].n_in; j++)
                from[p->op[k].out] |= from[p->op[k].in[j].tensor];
        for (size_t k = 0; k < p->n_output; k++)
            leads |= from[p->output[k]];
        for (size_t k = 0; k < p->n_keep; k++)
            leads |= from[p->keep[k].tensor];
        *out = !leads;
    }
    return RK_OK;
}

/* Whether new tokens stand after those of a cache: then an encoder or a tower has been run before. */
static bool goes_on(const rk_model *m)
{
    rk_binding at = rk_model_binding(m);

    for (size_t i = 0; i < m->program.n_keep; i++) {
        const rk_keep *k = &m->program.keep[i];
        rk_i128 all = 0, fresh = 0;

        if (!k->once && rk_ex_eval(m->pool, m->program.label[k->over].size, &at, &all, NULL) == RK_OK &&
            rk_ex_eval(m->pool, k->over_size, &at, &fresh, NULL) == RK_OK && all > fresh)
            return true;
    }
    return false;
}

static bool has_axis(const rk_program *p, uint32_t tensor, rk_ex size)
{
    const rk_ixs *axes = &p->tensor[tensor].axes;

    for (size_t i = 0; i < axes->n; i++)
        if (axes->at[i].size == size)
            return true;
    return false;
}

/* Whether a tensor has an axis of inputs that lead to the output, and of no other: a table for a picture. */
static bool is_of_live(const rk_program *p, const bool *needed, uint32_t tensor)
{
    const rk_ixs *axes = &p->tensor[tensor].axes;

    for (size_t i = 0; i < axes->n; i++) {
        bool idle = false, live = false;

        for (size_t k = 0; k < p->n_input; k++)
            if (has_axis(p, p->input[k], axes->at[i].size))
                *(needed[p->input[k]] ? &live : &idle) = true;
        if (live && !idle)
            return true;
    }
    return false;
}

int rk_serve_applies(const rk_model *m, bool *out, rk_err *err)
{
    const rk_program *p = &m->program;
    bool once = false, idle = false, on = goes_on(m);
    rk_arena own = {0};
    int code = find_idle(p, &own, &idle, err);

    for (size_t i = 0; i < p->n_keep; i++)
        once |= p->keep[i].once;
    *out = idle || (on && once);
    rk_arena_free(&own);
    return code;
}

int rk_pass_serve(const rk_model *in, const rk_pass_options *o, const rk_model **out, rk_err *err)
{
    const rk_program *p = &in->program;
    rk_arena own = {0};
    bool *needed = RK_NEW_ARRAY(&own, p->n_tensor + 1, bool), *runs = RK_NEW_ARRAY(&own, p->n_tensor + 1, bool);
    bool *loss = RK_NEW_ARRAY(&own, p->n_tensor + 1, bool), *left_out = RK_NEW_ARRAY(&own, p->n_op + 1, bool);
    bool any = false, idle = false, on;
    rk_model_draft *d = NULL;
    rk_build b;
    int code = own.failed ? rk_fail_memory(err) : find_idle(p, &own, &idle, err);

    on = goes_on(in) || !idle;
    *out = NULL;
    if (code == RK_OK && o->serves) {
        for (size_t i = 0; i < p->n_output; i++)
            needed[p->output[i]] = true;
        for (size_t i = 0; i < p->n_keep; i++)
            needed[p->keep[i].tensor] |= !p->keep[i].once;
        if (on)
            find_loss(p, loss);
        else
            need_all(p, needed);
        for (size_t i = 0; i < p->n_input; i++)
            runs[p->input[i]] = on ? is_fresh(p, p->input[i]) : needed[p->input[i]];
        for (size_t i = 0; i < p->n_op; i++) {
            runs[p->op[i].out] |= runs_anyhow(p, runs, &p->op[i]);
            needed[p->op[i].out] |= runs[p->op[i].out] && !loss[p->op[i].out];
        }
        for (size_t i = 0; i < p->n_op && !on; i++)
            needed[p->op[i].out] |= p->op[i].n_in == 0 && is_of_live(p, needed, p->op[i].out);
        need_all(p, needed);
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
