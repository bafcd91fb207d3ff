/* SPDX-License-Identifier: MIT */
/*
 * How many parameters, how many FLOPs?  Opens a model by its name, at the numbers given, and prints its totals.
 *
 *     cc count.c $(pkg-config --cflags --libs reckon) -o count
 *     ./count gpt2-medium "B=4 S=1K"
 */
#include <reckon.h>
#include <stdio.h>

typedef struct line {
    const char *what;
    reckon_quantity quantity;
} line;

static int print_line(const reckon_account *account, const line *l, reckon_error *error)
{
    char text[RECKON_COUNT_TEXT_MAX];
    reckon_count n;
    int code = reckon_value(reckon_total(account, l->quantity), &n, error);

    if (code == RECKON_OK)
        printf("  %-36s %24s   about %.3g\n", l->what, reckon_count_text(n, ',', text), reckon_count_rounded(n));
    return code;
}

int main(int argc, char **argv)
{
    static const line lines[] = {
        {"parameters", RECKON_STORED},
        {"  of which one token uses", RECKON_ACTIVE},
        {"FLOPs of a forward pass", RECKON_FORWARD},
        {"FLOPs of a backward pass", RECKON_BACKWARD},
        {"FLOPs of a training step", RECKON_STEP},
    };
    reckon_request request = {0};
    reckon_account *account = NULL;
    reckon_error error;
    char *mistakes = NULL;
    int code;

    request.model = argc > 1 ? argv[1] : "gpt2-xl";
    request.symbols = argc > 2 ? argv[2] : "B=8 S=1024";
    code = reckon_open(&request, &account, &mistakes, &error);
    if (code == RECKON_OK)
        printf("%s: %s\n", reckon_model_name(account), reckon_model_about(account));
    for (size_t i = 0; code == RECKON_OK && i < sizeof lines / sizeof *lines; i++)
        code = print_line(account, &lines[i], &error);
    if (code != RECKON_OK)
        fprintf(stderr, "%s\n", mistakes ? mistakes : error.message);
    reckon_text_free(&mistakes);
    reckon_close(&account);
    return code != RECKON_OK;
}
