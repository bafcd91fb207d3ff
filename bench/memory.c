/* SPDX-License-Identifier: MIT */
/*
 * bench/memory.c - how long an account of memory takes: places, two timelines of a training step, the formula of the
 * peak; and the same with every operation of every layer shown to someone.
 *
 * Figures of one run on one core, best of several rounds.
 */
#include "account/memory.h"
#include "plan/open.h"

#include "../tests/profiles.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS 40

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

static rk_instance *open_model(const char *name)
{
    rk_open_request r = {.word = &name, .n_word = 1, .passes.profile = "torch"};
    rk_instance *m = NULL;
    rk_err err = {0};

    if (rk_open(&r, &m, &err) != RK_OK)
        stop(name, &err);
    return m;
}

static void count_frame(void *self, const rk_observed_op *f)
{
    (void)f;
    ++*(size_t *)self;
}

static double time_account(const char *name, const rk_memory_options *o)
{
    rk_instance *m = open_model(name);
    rk_memory *memory = NULL;
    rk_err err = {0};
    double start = now_ms();

    if (rk_memory_new(m, o, &memory, &err) != RK_OK)
        stop(name, &err);
    start = now_ms() - start;
    rk_memory_free(memory);
    rk_instance_free(m);
    return start;
}

static void bench(const char *name, bool shown)
{
    size_t n = 0;
    rk_memory_options o = {
        .bytes = 2, .loss = true, .profile = PROFILE_TORCH, .observer = {.op = shown ? count_frame : NULL, .self = &n}};
    double least = 1e9;

    for (int i = 0; i < ROUNDS; i++) {
        double ms = time_account(name, &o);

        least = ms < least ? ms : least;
    }
    printf("%-18s %-36s %8.2f ms", name, shown ? "the same, each operation shown" : "account of a training step",
           least);
    if (shown)
        printf(" (%zu operations)", n / ROUNDS);
    putchar('\n');
}

int main(void)
{
    static const char *const name[] = {"gpt2-xl", "llama-3.1-8b", "deepseek-v3", "llama-3.1-405b"};

    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        bench(name[i], false);
        bench(name[i], true);
    }
    return 0;
}
