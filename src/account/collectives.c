/* SPDX-License-Identifier: MIT */
#include "account/collectives.h"

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
    return a->op == b->op && a->axis == b->axis && a->bytes == b->bytes &&
           (a->elements == b->elements ||
            rk_ex_expand_defs(x->x->pool, a->elements) == rk_ex_expand_defs(x->x->pool, b->elements));
}

static void add(summing *x, const rk_sent *sent, rk_i128 times)
{
    rk_sent_row *row = NULL;

    times *= (sent->times ? sent->times : 1) * (sent->in == RK_SENT_IN_EACH ? x->passes : 1);
    for (size_t i = 0; i < x->out->n && !row; i++)
        if (x->out->at[i].phase == x->phase && is_same(x, &x->out->at[i].sent, sent))
            row = &x->out->at[i];
    if (!row && (row = RK_PUSH(x->a, x->out))) {
        *row = (rk_sent_row){.phase = x->phase, .sent = *sent};
        x->code = rk_ex_eval(x->x->pool, sent->elements, &x->x->at, &row->elements, x->err);
    }
    if (row)
        row->times += times;
    else
        x->code = rk_fail_memory(x->err);
}

static void add_task(summing *x, const rk_task *t, rk_i128 times)
{
    if (t->kind == RK_TASK_COLLECTIVE)
        add(x, &x->s->sent[t->operand], times);
}

static void add_list(summing *x, uint32_t list, rk_i128 times)
{
    const rk_step_list *l = &x->s->list[list];
    rk_i128 *runs = RK_NEW_ARRAY(x->a, x->s->n_list + 1, rk_i128);

    if (!runs)
        x->code = rk_fail_memory(x->err);
    for (size_t i = 0; i < l->n_item && x->code == RK_OK; i++) {
        const rk_step_item *item = &l->item[i];

        if (!item->run)
            add_task(x, &x->s->task[item->task], times);
        for (size_t k = 0; item->run && k < item->n_run; k++)
            runs[item->run[k].list]++;
        for (size_t k = 0; item->run && k < item->n_run && x->code == RK_OK; k++) {
            uint32_t inner = item->run[k].list;

            if (runs[inner] > 0)
                add_list(x, inner, times * runs[inner]);
            runs[inner] = 0;
        }
    }
}

int rk_sent_add_list(rk_arena *a, const rk_instance *x, const rk_step *s, uint32_t list, rk_sent_phase phase,
                     rk_i128 passes, const rk_run_options *run, rk_sent_rows *out, rk_err *err)
{
    summing sum = {a, x, s, phase, passes, run, out, err, RK_OK};

    if (list != RK_NONE)
        add_list(&sum, list, 1);
    return sum.code;
}
