/* SPDX-License-Identifier: MIT */
/*
 * What does a training step take, and what is the largest batch within so many GiB?  Then a gauge reads the peak, and
 * the share that attention has of the FLOPs, over a range of S.
 *
 *     cc memory.c $(pkg-config --cflags --libs reckon) -o memory
 *     ./memory gpt2-xl 80
 */
#include <reckon.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct line {
    const char *what;
    reckon_bytes which;
} line;

static int print_line(const reckon_memory *memory, const line *l, reckon_error *error)
{
    const reckon_amount *amount = reckon_memory_total(memory, l->which);
    char number[RECKON_COUNT_TEXT_MAX], *formula = NULL;
    int code = reckon_formula(amount->formula, RECKON_TEXT, &formula, error);

    if (code == RECKON_OK)
        printf("  %-28s %18s  %s\n", l->what, reckon_count_text(amount->bytes, ',', number), formula);
    reckon_text_free(&formula);
    return code;
}

static int print_memory(const reckon_memory *memory, reckon_error *error)
{
    static const line lines[] = {
        {"weights", RECKON_BYTES_WEIGHTS},     {"gradients", RECKON_BYTES_GRADIENTS},
        {"optimizer", RECKON_BYTES_OPTIMIZER}, {"saved for backward", RECKON_BYTES_SAVED},
        {"the peak", RECKON_BYTES_PEAK},
    };
    const reckon_fit *fit = reckon_memory_fit(memory);
    char number[RECKON_COUNT_TEXT_MAX];
    int code = RECKON_OK;

    printf("%s: ", reckon_model_name(reckon_memory_account(memory)));
    if (fit->largest.low == 0)
        printf("not even one sequence fits\n");
    else
        printf("the largest batch that fits is %s\n", reckon_count_text(fit->largest, ',', number));
    for (size_t i = 0; code == RECKON_OK && i < sizeof lines / sizeof *lines; i++)
        code = print_line(memory, &lines[i], error);
    if (code == RECKON_OK)
        printf("The peak is in %s.\n", reckon_memory_moment_at(memory, 0)->during);
    return code;
}

static int sweep(reckon_gauge *gauge, reckon_error *error)
{
    int code = RECKON_OK;

    printf("%8s %20s %10s\n", "S", "peak in bytes", "attention");
    for (uint64_t s = 256; code == RECKON_OK && s <= 4096; s *= 2) {
        char number[RECKON_COUNT_TEXT_MAX];
        reckon_reading got[2];

        code = reckon_gauge_set(gauge, "S", s, error);
        if (code == RECKON_OK)
            code = reckon_gauge_read(gauge, got, error);
        if (code == RECKON_OK)
            printf("%8lu %20s %9.1f%%\n", (unsigned long)s, reckon_count_text(got[0].over, ',', number),
                   100 * reckon_count_rounded(got[1].over) / reckon_count_rounded(got[1].under));
    }
    return code;
}

int main(int argc, char **argv)
{
    reckon_request request = {0};
    reckon_run run = {0};
    reckon_memory *memory = NULL;
    reckon_gauge *gauge = NULL;
    reckon_error error;
    int code;

    request.model = argc > 1 ? argv[1] : "gpt2-xl";
    run.dtype = "bf16";
    run.master = "fp32";
    run.attention = "flash";
    run.within = (uint64_t)(argc > 2 ? atoi(argv[2]) : 80) << 30;
    code = reckon_memory_open(&request, &run, &memory, NULL, &error);
    if (code == RECKON_OK)
        code = print_memory(memory, &error);
    run.within = 0; /* a gauge is told its numbers */
    if (code == RECKON_OK)
        code = reckon_gauge_new(&request, &run, "memory.peak,flops:attention/flops", "S=256", &gauge, &error);
    if (code == RECKON_OK)
        code = sweep(gauge, &error);
    if (code != RECKON_OK)
        fprintf(stderr, "%s\n", error.message);
    reckon_gauge_free(&gauge);
    reckon_memory_close(&memory);
    return code != RECKON_OK;
}
