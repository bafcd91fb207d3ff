/* SPDX-License-Identifier: MIT */
/*
 * bench/peak.c - the memory of many points: how long one peak takes to compile, how many rows it keeps, and how many
 * points a second and core it then gives, each asked whether it is of the class.
 *
 * A sweep of B and S in which the step is compiled again wherever no class is the point's.
 */
#include "account/peak.h"
#include "plan/open.h"

#include "../tests/profiles.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CLASSES_MAX 64
#define LARGEST_B 64
#define STEPS_S 500

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void stop(const char *what, const rk_err *err)
{
    fprintf(stderr, "bench: %s: %s\n", what, err->message);
    exit(1);
}

typedef struct sweep {
    const char *name;
    rk_instance *m;
    rk_memory_options o;
    rk_peak *peak[CLASSES_MAX];
    size_t n;
    rk_i128 *scratch; /* enough for each */
    size_t n_scratch;
    double compiling; /* milliseconds, all together */
} sweep;

static void open_sweep(sweep *s)
{
    rk_open_request r = {.word = &s->name, .n_word = 1, .passes.profile = "torch"};
    rk_err err = {0};

    s->o.bytes = 2;
    s->o.profile = (rk_profile)PROFILE_TORCH;
    s->o.loss = s->o.phase == RK_PHASE_TRAIN;
    if (rk_open(&r, &s->m, &err) != RK_OK)
        stop(s->name, &err);
}

static void close_sweep(sweep *s)
{
    for (size_t i = 0; i < s->n; i++)
        rk_peak_free(s->peak[i]);
    free(s->scratch);
    rk_instance_free(s->m);
}

static void set(rk_instance *m, const char *name, rk_i128 value)
{
    const rk_symbol *s = rk_model_symbol(m->model, name);

    if (s && !s->fixed)
        m->value[s->sym] = value;
}

static rk_peak *compile(sweep *s)
{
    double start = now_ms();
    rk_err err = {0};
    size_t need;

    if (s->n == CLASSES_MAX || rk_peak_new(s->m, &s->o, &s->peak[s->n], &err) != RK_OK)
        stop(s->name, &err);
    s->compiling += now_ms() - start;
    need = rk_peak_scratch(s->peak[s->n]);
    if (need > s->n_scratch)
        s->scratch = realloc(s->scratch, (s->n_scratch = need) * sizeof *s->scratch);
    return s->peak[s->n++];
}

/* The last one that held mostly holds again. */
static rk_peak *class_of(sweep *s, const rk_binding *at)
{
    for (size_t i = s->n; i > 0; i--)
        if (rk_peak_holds(s->peak[i - 1], at, s->scratch)) {
            rk_peak *p = s->peak[i - 1];

            s->peak[i - 1] = s->peak[s->n - 1];
            return s->peak[s->n - 1] = p;
        }
    return compile(s);
}

static rk_i128 run(sweep *s)
{
    rk_i128 out[RK_N_BYTES], sum = 0;
    rk_err err = {0};

    for (rk_i128 b = 1; b <= LARGEST_B; b++)
        for (rk_i128 k = 1; k <= STEPS_S; k++) {
            rk_binding at = s->m->at;
            const rk_peak *p;

            set(s->m, "B", b);
            set(s->m, "S", k * 16);
            p = class_of(s, &at);
            if (rk_peak_eval(p, &at, s->scratch, out, &err) != RK_OK)
                stop(s->name, &err);
            sum ^= out[RK_BYTES_PEAK];
        }
    return sum;
}

static void bench(const char *name, rk_phase phase, const char *what)
{
    sweep s = {.name = name, .o = {.phase = phase}};
    double start, ms;
    rk_peak_size size;
    rk_i128 first, again;

    open_sweep(&s);
    first = run(&s);
    start = now_ms();
    again = run(&s);
    ms = now_ms() - start;
    size = rk_peak_measure(s.peak[s.n - 1]);
    printf(
        "%-14s %-8s %9.0f peak points per second; %zu rows of %zu sizes, %zu questions; %zu classes, each compiled in "
        "%.1f ms%s\n",
        name, what, LARGEST_B * STEPS_S / ms * 1e3, size.rows, size.sizes, size.questions, s.n,
        s.compiling / (double)s.n, first == again ? "" : "; DIFFERENT THE SECOND TIME");
    close_sweep(&s);
}

int main(void)
{
    static const char *const name[] = {"gpt2-xl", "llama-3.1-8b", "deepseek-v3"};

    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        bench(name[i], RK_PHASE_TRAIN, "train");
        bench(name[i], RK_PHASE_PREFILL, "prefill");
    }
    return 0;
}
