/* SPDX-License-Identifier: MIT */
/*
 * What does one of many devices compute, hold and send?  A gauge then reads its peak over the size of an axis of the
 * mesh.
 *
 *     cc ranks.c $(pkg-config --cflags --libs reckon) -o ranks
 *     ./ranks llama-3.1-8b fsdp=8,tp=2,sp
 */
#include <reckon.h>
#include <stdio.h>

static int print_flops(const reckon_request *request, reckon_error *error)
{
    reckon_account *account = NULL;
    char number[RECKON_COUNT_TEXT_MAX], *formula = NULL;
    reckon_count flops;
    int code = reckon_open(request, &account, NULL, error);

    if (code == RECKON_OK)
        code = reckon_value(reckon_total(account, RECKON_STEP), &flops, error);
    if (code == RECKON_OK)
        code = reckon_formula(reckon_total(account, RECKON_STEP), RECKON_TEXT, &formula, error);
    if (code == RECKON_OK)
        printf("It computes %s FLOPs in a step: %s\n", reckon_count_text(flops, ',', number), formula);
    reckon_text_free(&formula);
    reckon_close(&account);
    return code;
}

static int print_sent(const reckon_memory *memory, reckon_error *error)
{
    int code = RECKON_OK;

    printf("It sends:\n");
    for (size_t i = 0; code == RECKON_OK && i < reckon_memory_sent_count(memory); i++) {
        const reckon_sent *s = reckon_memory_sent_at(memory, i);
        char elements[RECKON_COUNT_TEXT_MAX], times[RECKON_COUNT_TEXT_MAX], *formula = NULL;

        code = reckon_formula(s->formula, RECKON_TEXT, &formula, error);
        if (code == RECKON_OK)
            printf("  %-4s %-14s over %lu of %-5s %5s times %15s numbers of %lu bytes  %s\n", s->phase, s->operation,
                   (unsigned long)s->size, s->group, reckon_count_text(s->times, ',', times),
                   reckon_count_text(s->elements, ',', elements), (unsigned long)s->number_bytes, formula);
        reckon_text_free(&formula);
    }
    return code;
}

static int print_rank(const reckon_request *request, reckon_error *error)
{
    static const struct {
        const char *what;
        reckon_bytes which;
    } line[] = {{"weights", RECKON_BYTES_WEIGHTS},
                {"gradients", RECKON_BYTES_GRADIENTS},
                {"optimizer", RECKON_BYTES_OPTIMIZER},
                {"the peak", RECKON_BYTES_PEAK}};
    reckon_memory *memory = NULL;
    int code = reckon_memory_open(request, NULL, &memory, NULL, error);

    if (code == RECKON_OK)
        printf("Rank %lu of %lu of %s holds:\n", (unsigned long)reckon_memory_rank(memory)->rank,
               (unsigned long)reckon_memory_rank(memory)->devices, request->model);
    for (size_t i = 0; code == RECKON_OK && i < sizeof line / sizeof *line; i++) {
        char number[RECKON_COUNT_TEXT_MAX];

        printf("  %-10s %16s bytes\n", line[i].what,
               reckon_count_text(reckon_memory_total(memory, line[i].which)->bytes, ',', number));
    }
    if (code == RECKON_OK)
        code = print_sent(memory, error);
    reckon_memory_close(&memory);
    return code;
}

/* The peak of a device as more of them share the weights. */
static int sweep(const char *model, reckon_error *error)
{
    reckon_request request = {0};
    reckon_gauge *gauge = NULL;
    int code;

    request.model = model;
    code = reckon_gauge_new(&request, NULL, "memory.peak", "fsdp=2", &gauge, error);
    printf("%8s %18s\n", "fsdp", "peak in bytes");
    for (uint64_t n = 2; code == RECKON_OK && n <= 64; n *= 2) {
        char number[RECKON_COUNT_TEXT_MAX];
        reckon_reading peak;

        code = reckon_gauge_set(gauge, "fsdp", n, error);
        if (code == RECKON_OK)
            code = reckon_gauge_read(gauge, &peak, error);
        if (code == RECKON_OK)
            printf("%8lu %18s\n", (unsigned long)n, reckon_count_text(peak.over, ',', number));
    }
    reckon_gauge_free(&gauge);
    return code;
}

int main(int argc, char **argv)
{
    reckon_request request = {0};
    reckon_error error;
    int code;

    request.model = argc > 1 ? argv[1] : "llama-3.1-8b";
    request.layout = argc > 2 ? argv[2] : "fsdp=8,tp=2,sp";
    code = print_flops(&request, &error);
    if (code == RECKON_OK)
        code = print_rank(&request, &error);
    if (code == RECKON_OK)
        code = sweep(request.model, &error);
    if (code != RECKON_OK)
        fprintf(stderr, "%s\n", error.message);
    return code != RECKON_OK;
}
