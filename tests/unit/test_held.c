/* SPDX-License-Identifier: MIT */
/*
 * What must hold for the explanation of bytes: its rows add up to what the account says, by part as well, and to the
 * account of each part of the model; the formula is that of the account; what is saved says for whom.
 */
#include "ask/held.h"
#include "plan/run.h"
#include "sample.h"
#include "t.h"

#include <string.h>

typedef struct how {
    const char *phase, *recipe, *attention, *recompute, *optimizer, *layout;
    rk_i128 passes;
} how;

static rk_err err;

static rk_i128 value(const rk_instance *m, rk_ex e)
{
    rk_i128 n = 0;

    CHECK_INT(rk_ex_eval(m->pool, e, &m->at, &n, &err), RK_OK);
    return n;
}

static rk_i128 sum_of(const rk_held_explanation *x)
{
    rk_i128 sum = 0;

    for (size_t i = 0; i < x->row.n; i++)
        sum += x->row.at[i].of.bytes * x->row.at[i].of.times;
    return sum;
}

/* Whose the rows are, and as what they are there, is what the account says of the peak. */
static void check_sums(const rk_memory *m, const rk_held_explanation *all)
{
    for (size_t k = 0; k < RK_N_ALIVE; k++) {
        rk_i128 rows = 0;

        for (size_t i = 0; i < all->row.n; i++)
            rows += all->row.at[i].of.kind == k ? all->row.at[i].of.bytes * all->row.at[i].of.times : 0;
        if (!CHECK_INT(rows, m->peak_of[k]))
            printf("    %s: %s\n", m->model->name, rk_alive_table[k].word);
    }
    for (size_t k = 0; k < RK_N_OWNER; k++) {
        rk_i128 rows = 0, account = 0;

        for (size_t i = 0; i < all->row.n; i++)
            rows += all->row.at[i].of.owner == k ? all->row.at[i].of.bytes * all->row.at[i].of.times : 0;
        for (size_t i = 0; i < RK_N_ALIVE; i++)
            account += m->peak_by[i][k];
        if (!CHECK_INT(rows, account))
            printf("    %s: %s\n", m->model->name, rk_owner_word[k]);
    }
}

static void check_saved(const rk_memory *m, const rk_held_explanation *all)
{
    CHECK_INT(all->bytes, m->saved);
    CHECK_INT(value(m->instance, all->formula), m->saved);
    CHECK(all->formula == m->saved_formula);
    for (size_t i = 0; i < all->row.n; i++) {
        const rk_memory_row *row = &all->row.at[i].of;

        CHECK(row->type != NULL);
        CHECK(value(m->instance, row->formula) == row->bytes);
        if (!CHECK(row->why.n > 0 || m->n_recomputed > 0))
            printf("    %s: %s %s\n", m->model->name, row->path, row->what ? row->what : "");
    }
}

/* A row of the whole is found again under the name of its line. */
static void check_lines(rk_arena *a, const rk_memory *m, const rk_program *p, const rk_held_explanation *all)
{
    for (size_t i = 0; i < all->row.n; i++) {
        const rk_op *op = all->row.at[i].line == RK_NONE ? NULL : &p->op[all->row.at[i].line];
        rk_held_explanation one;
        size_t k = 0;

        if (!op ||
            !CHECK_INT(rk_held_explain(a, m, p, all->quantity, rk_row_path(a, p, op->part, op->name), &one, &err),
                       RK_OK))
            continue;
        CHECK_INT(sum_of(&one), one.bytes);
        while (k < one.row.n && (strcmp(one.row.at[k].of.path, all->row.at[i].of.path) != 0 ||
                                 one.row.at[k].of.kind != all->row.at[i].of.kind))
            k++;
        if (!CHECK(k < one.row.n))
            printf("    %s: %s\n", m->model->name, all->row.at[i].of.path);
    }
}

static void see_most(void *self, const rk_observed_op *op)
{
    rk_i128 *most = self;

    *most = op->total > *most ? op->total : *most;
}

static void check(const char *model, const how *h)
{
    rk_run_request r = {.open = {.word = &model, .n_word = 1},
                        .word[RK_RUN_PHASE] = h->phase,
                        .word[RK_RUN_RECIPE] = h->recipe,
                        .word[RK_RUN_ATTENTION] = h->attention,
                        .word[RK_RUN_RECOMPUTE] = h->recompute,
                        .word[RK_RUN_OPTIMIZER] = h->optimizer,
                        .count[RK_RUN_PASSES] = h->passes};
    rk_instance *equations = NULL;
    rk_held_explanation all;
    rk_memory *m = NULL;
    rk_run run = {0};
    rk_arena a = {0};
    rk_i128 most = 0;
    int code;

    r.layout.said[RK_LAYOUT_LINE] = h->layout;
    code = rk_run_open(&r, &run, &err);
    run.options.reasons = true;
    run.options.observer = (rk_observer){.op = see_most, .self = &most};
    if (code == RK_OK)
        code = rk_memory_new(run.opened.instance, &run.options, &m, &err);
    if (code == RK_OK)
        code = rk_open(&r.open, &equations, &err);
    if (!CHECK_INT(code, RK_OK)) {
        printf("    %s: %s\n", model, err.message);
    } else {
        const rk_program *p = &equations->model->program;

        CHECK_INT(rk_held_explain(&a, m, p, RK_QUANTITY_ALIVE, NULL, &all, &err), RK_OK);
        CHECK_INT(all.bytes, m->peak);
        CHECK_INT(sum_of(&all), m->peak);
        CHECK_INT(most, m->peak); /* the largest operation of the timeline is the peak */
        CHECK(value(m->instance, all.formula) <= m->peak);
        check_sums(m, &all);
        check_lines(&a, m, p, &all);
        if (!h->phase) {
            CHECK_INT(rk_held_explain(&a, m, p, RK_QUANTITY_SAVED, NULL, &all, &err), RK_OK);
            check_saved(m, &all);
            check_lines(&a, m, p, &all);
        }
    }
    rk_memory_free(m);
    rk_run_close(&run);
    rk_instance_free(equations);
    rk_arena_free(&a);
}

int main(void)
{
    static const char *const model[] = {"gpt2",        "llama-3.2-1b", "gemma-2-2b",        "mixtral-8x7b",
                                        "deepseek-v3", "t5-small",     "bert-base-uncased", "vit-base-patch16-224"};
    static const how way[] = {
        {0},
        {.recipe = "bf16"},
        {.attention = "eager", .recompute = "full"},
        {.recompute = "selective", .optimizer = "muon"},
        {.passes = 3, .optimizer = "adam8bit"},
        {.layout = "fsdp=8"},
        {.layout = "tp=2"},
        {.layout = "ddp=4,zero1"},
    };

    for (size_t i = 0; i < sizeof model / sizeof *model; i++)
        for (size_t k = 0; k < sizeof way / sizeof *way; k++)
            if (k == 0 || t_sampled(model[i]))
                check(model[i], &way[k]);
    for (size_t i = 0; i < 5; i++) {
        check(model[i], &(how){.phase = "decode"});
        check(model[i], &(how){.phase = "prefill"});
    }
    return t_done("held");
}
