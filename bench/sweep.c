/* SPDX-License-Identifier: MIT */
/*
 * bench/sweep.c - whole sweeps: points a second for FLOPs, for the peak of a training step and for a full account
 * (every row of the ledger), on one thread and on two; and the memory that rows written as CSV take, for a hundred
 * thousand points and for a million.
 */
#include "account/sheet.h"
#include "report/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static const char *const model[] = {"gpt2-xl", "llama-3.1-8b", "deepseek-v3"};
static const char *const symbol[] = {"B", "S"};

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

/* ---- a step as PyTorch takes it --------------------------------------------------------------------------------- */

static const rk_run_request step = {.word[RK_RUN_DTYPE] = "bf16"};

/* ---- sweeps ------------------------------------------------------------------------------------------------------ */

typedef struct job {
    rk_arena arena;
    rk_gauge_source source;
    rk_range range[2];
    rk_measure *measure;
    rk_swept swept;
    rk_field column[4]; /* B, S and two quantities */
    rk_table table;
    rk_stream to;
    size_t bytes;
} job;

static void format(void *self, const rk_i128 *number, const rk_reading *reading, rk_str *out)
{
    job *j = self;

    rk_sweep_format_row(&(rk_sweep_rows){.swept = &j->swept, .to = &j->to}, number, reading, out);
}

static int put(void *self, const char *text, size_t n, rk_err *err)
{
    (void)text;
    (void)err;
    ((job *)self)->bytes += n;
    return RK_OK;
}

static void nothing(void *self, const rk_i128 *number, const rk_reading *reading, rk_str *out)
{
    (void)self, (void)number, (void)reading, (void)out;
}

/* Seconds for B = 1 … b and S = 1 … s. */
static double sweep(const char *const *name, const char *of, int b, int s, unsigned threads, bool writes)
{
    job j = {.source = {.request = {.word = name, .n_word = 1}, .symbol = symbol, .n_symbol = 2, .run = &step}};
    rk_sweep all = {.source = &j.source, .range = j.range, .n_range = 2, .threads = threads};
    rk_err err = {0};
    double start;

    if (rk_measures_parse(&j.arena, of, &j.measure, &all.n_measure, &err) != RK_OK ||
        rk_range_parse(&j.arena, rk_arena_format(&j.arena, "B=1..%d", b), &j.range[0], &err) != RK_OK ||
        rk_range_parse(&j.arena, rk_arena_format(&j.arena, "S=1..%d", s), &j.range[1], &err) != RK_OK)
        stop(of, &err);
    all.measure = j.measure;
    all.sink = (rk_sweep_sink){.self = &j, .format = writes ? format : nothing, .put = put};
    j.swept = (rk_swept){.range = j.range, .n_range = 2, .measure = j.measure, .n_measure = all.n_measure};
    for (size_t i = 0; i < sizeof j.column / sizeof *j.column; i++)
        j.column[i].key = "";
    j.table = (rk_table){.column = j.column, .n_column = 2 + all.n_measure};
    j.to = (rk_stream){.row = rk_page_csv_row, .table = &j.table};
    start = now();
    if (rk_sweep_run(&all, &err) != RK_OK)
        stop(*name, &err);
    start = now() - start;
    rk_arena_free(&j.arena);
    return start;
}

static double best(const char *const *name, const char *of, int b, int s, unsigned threads)
{
    double least = 1e9;

    for (int i = 0; i < 3; i++) {
        double t = sweep(name, of, b, s, threads, false);

        least = t < least ? t : least;
    }
    return least;
}

/* Every row of the ledger at each point. */
static double accounts_a_second(const char *const *name)
{
    rk_open_request r = {.word = name, .n_word = 1};
    rk_convention c = {0};
    rk_instance *m = NULL;
    rk_ledger *l = NULL;
    rk_sheet *sheet = NULL;
    rk_err err = {0};
    rk_i128 *scratch, *value;
    double start;
    const int n = 200000;

    if (rk_open(&r, &m, &err) != RK_OK || rk_ledger_new(m, &c, &l, &err) != RK_OK ||
        rk_sheet_new(l, &sheet, &err) != RK_OK)
        stop(*name, &err);
    scratch = calloc(sheet->n_scratch + 1, sizeof *scratch);
    value = calloc(sheet->n_value + 1, sizeof *value);
    start = now();
    for (int i = 0; i < n; i++) {
        rk_binding at = m->at;

        m->value[rk_model_symbol(m->model, "S")->sym] = 1 + i % 8192;
        if (rk_sheet_eval(sheet, &at, scratch, value, &err) != RK_OK)
            stop(*name, &err);
    }
    start = n / (now() - start);
    free(scratch);
    free(value);
    rk_sheet_free(sheet);
    rk_ledger_free(l);
    rk_instance_free(m);
    return start;
}

static long peak_kilobytes(void)
{
    struct rusage u;

    getrusage(RUSAGE_SELF, &u);
    return u.ru_maxrss;
}

int main(void)
{
    printf(
        "points a second      flops, 1 thread   2 threads   ratio   peak, 1 thread   2 threads   ratio   accounts\n");
    for (size_t i = 0; i < sizeof model / sizeof *model; i++) {
        double one = 1e6 / best(&model[i], "flops", 1000, 1000, 1), two = 1e6 / best(&model[i], "flops", 1000, 1000, 2);
        double peak = 1e5 / best(&model[i], "memory.peak", 100, 1000, 1);
        double peak2 = 1e5 / best(&model[i], "memory.peak", 100, 1000, 2);

        printf("%-18s %17.0f %11.0f %7.2f %16.0f %11.0f %7.2f %10.0f\n", model[i], one, two, two / one, peak, peak2,
               peak2 / peak, accounts_a_second(&model[i]));
    }
    printf("CSV of 100,000 points: %.2f s", sweep(&model[0], "flops,params", 100, 1000, 2, true));
    printf(", %ld KB; of 1,000,000: ", peak_kilobytes());
    printf("%.2f s", sweep(&model[0], "flops,params", 1000, 1000, 2, true));
    printf(", %ld KB\n", peak_kilobytes());
    return 0;
}
