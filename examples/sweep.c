/* SPDX-License-Identifier: MIT */
/*
 * When does attention take over?  FLOPs of a forward pass over a range of S, evaluated on a sheet: the model is opened
 * once, and the formulas are compiled once.
 *
 *     cc sweep.c $(pkg-config --cflags --libs reckon) -o sweep
 *     ./sweep cs336-xl
 */
#include <reckon.h>
#include <stdio.h>

static int sweep(reckon_sheet *sheet, reckon_error *error)
{
    int code = RECKON_OK;

    printf("%8s %28s %16s\n", "S", "FLOPs", "FLOPs per token");
    for (uint64_t s = 256; code == RECKON_OK && s <= 1 << 20; s *= 4) {
        char text[RECKON_COUNT_TEXT_MAX];
        reckon_count flops;

        code = reckon_sheet_set(sheet, "S", s, error);
        if (code == RECKON_OK)
            code = reckon_sheet_evaluate(sheet, &flops, error);
        if (code == RECKON_OK)
            printf("%8lu %28s %16.4g\n", (unsigned long)s, reckon_count_text(flops, ',', text),
                   reckon_count_rounded(flops) / (double)s);
    }
    return code;
}

int main(int argc, char **argv)
{
    reckon_request request = {0};
    reckon_account *account = NULL;
    reckon_sheet *sheet = NULL;
    const reckon_figure *forward;
    reckon_error error;
    int code;

    request.model = argc > 1 ? argv[1] : "cs336-xl";
    request.convention.masking = RECKON_MASK_EXACT;
    code = reckon_open(&request, &account, NULL, &error);
    forward = reckon_total(account, RECKON_FORWARD);
    if (code == RECKON_OK)
        code = reckon_sheet_new(account, &forward, 1, &sheet, &error);
    if (code == RECKON_OK)
        code = sweep(sheet, &error);
    if (code != RECKON_OK)
        fprintf(stderr, "%s\n", error.message);
    reckon_sheet_free(&sheet);
    reckon_close(&account);
    return code != RECKON_OK;
}
