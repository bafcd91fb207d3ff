/* SPDX-License-Identifier: MIT */
/*
 * bench/engine.c - how fast the engine is: opening a model, building its ledger, evaluating it at new numbers.
 *
 * Figures of one run on one core, best of several rounds; ratios within the run are what counts.
 */
#include "account/sheet.h"
#include "plan/open.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void stop(const char *what, const rk_err *err)
{
    fprintf(stderr, "bench: %s: %s\n", what, err->message);
    exit(1);
}

static rk_instance *open_model(const char *name, rk_i128 layers)
{
    rk_setting set = {.name = "L", .value = layers};
    rk_open_request r = {.word = &name, .n_word = 1, .setting = &set, .n_setting = layers ? 1 : 0};
    rk_instance *m = NULL;
    rk_err err = {0};

    if (rk_open(&r, &m, &err) != RK_OK)
        stop(name, &err);
    return m;
}

static rk_ledger *ledger_of(rk_instance *m)
{
    rk_convention c = {.count = RK_COUNT_MATMUL};
    rk_ledger *l = NULL;
    rk_err err = {0};

    if (rk_ledger_new(m, &c, &l, &err) != RK_OK)
        stop(m->model->name, &err);
    return l;
}

#define ROUNDS 40

static void bench_open(const char *name, rk_i128 layers)
{
    double open = 1e9, ledger = 1e9;
    size_t n_op = 0;
    char number[RK_NUM_TEXT_MAX];

    for (int i = 0; i < ROUNDS; i++) {
        double a = now();
        rk_instance *m = open_model(name, layers);
        double b = now();
        rk_ledger *l = ledger_of(m);
        double c = now();

        open = b - a < open ? b - a : open;
        ledger = c - b < ledger ? c - b : ledger;
        n_op = m->program->n_op;
        rk_ledger_free(l);
        rk_instance_free(m);
    }
    printf("open    %-12s L = %-6s %8.3f ms   ledger %8.3f ms   %zu operations\n", name,
           layers ? rk_num_text(number, layers) : "own", open * 1e3, ledger * 1e3, n_op);
}

static double eval_round(const rk_instance *m, const rk_sheet *s, size_t n, rk_i128 *check)
{
    rk_i128 *scratch = malloc(s->n_scratch * sizeof *scratch), *value = malloc(s->n_value * sizeof *value);
    size_t n_sym = rk_sym_count(m->pool);
    rk_i128 *at = malloc(n_sym * sizeof *at);
    rk_binding binding = {.value = at, .known = m->known, .n = n_sym};
    rk_sym b = rk_sym_find(m->pool, "B"), seq = rk_sym_find(m->pool, "S");
    rk_err err = {0};
    double start = now();

    memcpy(at, m->value, n_sym * sizeof *at);
    for (size_t i = 0; i < n; i++) {
        at[b] = 1 + (rk_i128)(i & 63);
        at[seq] = 128 + (rk_i128)(i & 4095);
        if (rk_sheet_eval(s, &binding, scratch, value, &err) != RK_OK)
            stop(m->model->name, &err);
        *check += value[s->forward];
    }
    start = now() - start;
    free(scratch), free(value), free(at);
    return start;
}

static void bench_eval(const char *name)
{
    rk_instance *m = open_model(name, 0);
    rk_ledger *l = ledger_of(m);
    rk_sheet *s = NULL;
    rk_err err = {0};
    rk_i128 check = 0;
    double best = 1e9;
    size_t n = 20000;

    if (rk_sheet_new(l, &s, &err) != RK_OK)
        stop(name, &err);
    for (int i = 0; i < 10; i++) {
        double t = eval_round(m, s, n, &check);

        best = t < best ? t : best;
    }
    printf("evaluate %-12s %10.0f ledgers a second   %zu numbers each\n", name, (double)n / best, s->n_value);
    rk_sheet_free(s);
    rk_ledger_free(l);
    rk_instance_free(m);
}

int main(void)
{
    static const rk_i128 layers[] = {0, 12, 480, 48000};

    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
        bench_open("gpt2-xl", layers[i]);
    bench_eval("gpt2-xl");
    bench_eval("cs336-xl");
    return 0;
}
