/* SPDX-License-Identifier: MIT */
#include "account/collectives.h"

#include "pass/collective.h"
#include "pass/passes.h"

const char *const rk_sent_phase_word[RK_N_SENT_PHASE] = {"fwd", "bwd", "opt", "fwdbwd", "prefill", "decode"};

typedef struct summing {
    rk_arena *a;
    const rk_instance *x;
    const rk_step *s;
    rk_sent_phase phase;
    rk_i128 passes;
    const rk_run_options *run;
    rk_sent_rows *out;
    rk_err *err;
    int code; /* sticky */
} summing;

/* As many elements, and not by chance. */
static bool is_same(const summing *x, const rk_sent *a, const rk_sent *b)
{
    return a->op == b->op && a->axis == b->axis && a->bytes == b->bytes && a->experts == b->experts &&
           a->ends == b->ends &&
           (a->elements == b->elements ||
            rk_ex_expand_defs(x->x->pool, a->elements) == rk_ex_expand_defs(x->x->pool, b->elements));
}

static void add(summing *x, const rk_sent *sent, rk_i128 times, rk_ex how_often)
{
    rk_pool *pool = x->x->pool;
    rk_sent_row *row = NULL;

    times *= sent->in == RK_SENT_IN_EACH ? x->passes : 1;
    how_often = rk_ex_mul(pool, rk_ex_int(pool, sent->in == RK_SENT_IN_EACH ? x->passes : 1), how_often);
    for (size_t i = 0; i < x->out->n && !row; i++)
        if (x->out->at[i].phase == x->phase && is_same(x, &x->out->at[i].sent, sent))
            row = &x->out->at[i];
    if (!row && (row = RK_PUSH(x->a, x->out))) {
        *row = (rk_sent_row){.phase = x->phase, .sent = *sent, .how_often = rk_ex_int(pool, 0)};
        x->code = rk_ex_eval(x->x->pool, sent->elements, &x->x->at, &row->elements, x->err);
    }
    if (row) {
        row->times += times;
        row->how_often = rk_ex_add(pool, row->how_often, how_often);
    } else {
        x->code = rk_fail_memory(x->err);
    }
}

static void add_task(summing *x, const rk_task *t, rk_i128 times, rk_ex how_often)
{
    rk_task_sends all = rk_task_sends_of(x->x->pool, x->s, t, x->run);

    for (size_t i = 0; i < all.n && x->code == RK_OK; i++) {
        rk_pool *pool = x->x->pool;
        rk_ex often = rk_ex_mul(pool, how_often, rk_ex_int(pool, all.times[i]));
        rk_i128 each = 1;

        if (all.at[i].times != RK_EX_FAILED)
            often = rk_ex_mul(pool, often, all.at[i].times);
        if (all.at[i].times != RK_EX_FAILED)
            x->code = rk_ex_eval(x->x->pool, all.at[i].times, &x->x->at, &each, x->err);
        if (x->code == RK_OK)
            add(x, &all.at[i], times * all.times[i] * each, often);
    }
}

/* So many runs of a list: of the layers of its group, in terms of how many there are. */
static rk_ex runs_of(summing *x, uint32_t list, rk_i128 runs)
{
    const rk_group *g = &x->s->program->group[x->s->list[list].group];
    rk_i128 n = 0;

    if (g->loop != RK_NONE && rk_ex_eval(x->x->pool, g->times, &x->x->at, &n, NULL) == RK_OK && n == runs)
        return g->times;
    return rk_ex_int(x->x->pool, runs);
}

static void add_list(summing *x, uint32_t list, rk_i128 times, rk_ex how_often)
{
    const rk_step_list *l = &x->s->list[list];
    rk_i128 *runs = RK_NEW_ARRAY(x->a, x->s->n_list + 1, rk_i128);

    if (!runs)
        x->code = rk_fail_memory(x->err);
    for (size_t i = 0; i < l->n_item && x->code == RK_OK; i++) {
        const rk_step_item *item = &l->item[i];

        if (!item->run)
            add_task(x, &x->s->task[item->task], times, how_often);
        for (size_t k = 0; item->run && k < item->n_run; k++)
            runs[item->run[k].list]++;
        for (size_t k = 0; item->run && k < item->n_run && x->code == RK_OK; k++) {
            uint32_t inner = item->run[k].list;

            if (runs[inner] > 0)
                add_list(x, inner, times * runs[inner],
                         rk_ex_mul(x->x->pool, how_often, runs_of(x, inner, runs[inner])));
            runs[inner] = 0;
        }
    }
}

int rk_sent_add_list(rk_arena *a, const rk_instance *x, const rk_step *s, uint32_t list, rk_sent_phase phase,
                     rk_i128 passes, const rk_run_options *run, rk_sent_rows *out, rk_err *err)
{
    summing sum = {a, x, s, phase, passes, run, out, err, RK_OK};

    if (list != RK_NONE)
        add_list(&sum, list, 1, rk_ex_int(x->pool, 1));
    return sum.code;
}

rk_i128 rk_sent_group(const rk_layout *l, const rk_sent *sent)
{
    return sent->ends ? 2 : rk_layout_group(l, sent->axis, sent->experts);
}

rk_ex rk_sent_group_size(rk_pool *pool, const rk_layout *l, const rk_sent *sent)
{
    return sent->ends ? rk_ex_int(pool, 2) : rk_mesh_group(pool, l, sent->axis, sent->experts);
}

const char *rk_sent_group_word(const rk_layout *l, const rk_sent *sent)
{
    if (rk_layout_group(l, sent->axis, false) == l->size[sent->axis])
        return rk_mesh_word[sent->axis];
    return sent->axis == RK_MESH_DDP ? "ddp,cp" : "fsdp,cp"; /* copies take in the devices of cp */
}

rk_ex rk_sent_volume(rk_pool *pool, const rk_sent *sent, rk_ex n)
{
    rk_ex others = rk_ex_div(pool, rk_ex_sub(pool, n, rk_ex_int(pool, 1)), n);

    switch (sent->op) {
    case RK_COLLECTIVE_ALL_REDUCE: /* scattered sums, then gathered */
        return rk_ex_mul(pool, rk_ex_mul(pool, rk_ex_int(pool, 2), others), sent->elements);
    case RK_COLLECTIVE_ALL_GATHER:
    case RK_COLLECTIVE_REDUCE_SCATTER:
    case RK_COLLECTIVE_ALL_TO_ALL:
        return rk_ex_mul(pool, others, sent->elements);
    case RK_COLLECTIVE_BROADCAST:
    case RK_COLLECTIVE_SEND:
        return sent->elements;
    case RK_COLLECTIVE_NONE:
    case RK_COLLECTIVE_RECV:
    case RK_N_COLLECTIVE:
        break;
    }
    return rk_ex_int(pool, 0);
}
