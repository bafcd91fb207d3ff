/* SPDX-License-Identifier: MIT */
/*
 * Why?  Prints the closed form of what each part of a model costs: forward FLOPs of one occurrence, as text and LaTeX.
 *
 *     cc formula.c $(pkg-config --cflags --libs reckon) -o formula
 *     ./formula gpt2-xl
 */
#include <reckon.h>
#include <stdio.h>

static int print_formula(const char *what, const reckon_figure *figure, int style, reckon_error *error)
{
    char *text = NULL;
    int code = reckon_formula(figure, style, &text, error);

    if (code == RECKON_OK)
        printf("    %-10s %s\n", what, text);
    reckon_text_free(&text);
    return code;
}

static int print_part(const reckon_part *part, reckon_error *error)
{
    int code;

    printf("%s\n", part->depth ? part->label : "the whole");
    code = print_formula("times", part->times, RECKON_TEXT, error);
    if (code == RECKON_OK)
        code = print_formula("parameters", part->stored, RECKON_TEXT, error);
    if (code == RECKON_OK)
        code = print_formula("forward", part->forward, RECKON_TEXT, error);
    if (code == RECKON_OK)
        code = print_formula("factored", part->forward, RECKON_TEXT | RECKON_FACTORED, error);
    return code == RECKON_OK ? print_formula("LaTeX", part->forward, RECKON_LATEX, error) : code;
}

int main(int argc, char **argv)
{
    reckon_request request = {0};
    reckon_account *account = NULL;
    reckon_error error;
    int code;

    request.model = argc > 1 ? argv[1] : "gpt2-xl";
    code = reckon_open(&request, &account, NULL, &error);
    for (size_t i = 0; code == RECKON_OK && i < reckon_part_count(account); i++)
        code = print_part(reckon_part_at(account, i), &error);
    for (size_t i = 0; code == RECKON_OK && i < reckon_symbol_count(account); i++) {
        const reckon_symbol *s = reckon_symbol_at(account, i);

        printf("%-3s %s\n", s->name, s->meaning ? s->meaning : "");
    }
    if (code != RECKON_OK)
        fprintf(stderr, "%s\n", error.message);
    reckon_close(&account);
    return code != RECKON_OK;
}
