/* SPDX-License-Identifier: MIT */
/* Questions in words: a context answers as if it had just been made, however many it was asked before. */
#include "with.h"

#include <stdlib.h>

static reckon_context *context_with(const char *config)
{
    reckon_setup setup = {.no_disk = 1, .no_input = 1};
    reckon_context *c = NULL;

    CHECK_INT(reckon_context_new(&setup, &c, NULL), RECKON_OK);
    CHECK_INT(reckon_context_file(c, "small.rk", WITH_MODEL, strlen(WITH_MODEL), 0, NULL), RECKON_OK);
    if (config)
        CHECK_INT(reckon_context_file(c, "config.json", config, strlen(config), 0, NULL), RECKON_OK);
    return c;
}

/* Whether a question is answered in these words.  Its own are gone afterwards: a context must not go back to them. */
static bool says(reckon_context *c, const char *const *words, const char *piece)
{
    char *own[8] = {NULL};
    reckon_answer answer = {0};
    reckon_error error = {0};
    bool found;
    int code;

    for (size_t i = 0; words[i]; i++)
        own[i] = strdup(words[i]);
    code = reckon_ask(c, (const char *const *)own, "json", &answer, &error);
    for (size_t i = 0; words[i]; i++)
        free(own[i]);
    found = code == RECKON_OK && strstr(answer.text, piece) != NULL;
    if (!found)
        printf("  \"%s\" is not in %s\n", piece, code == RECKON_OK ? answer.text : error.message);
    reckon_answer_free(&answer);
    return found;
}

/* Each question has other numbers of the run, or another model, and some were asked long before. */
static void test_many(void)
{
    reckon_context *c = context_with(WITH_CONFIG);

    for (int i = 0; i < 120; i++) {
        int b = i % 7 == 0 ? 1 : i, d = i % 3 == 0 ? 8 : i;
        char batch[32], width[32], symbols[128];
        const char *const words[] = {i % 2 ? "flops" : "memory", "small.rk", "config.json", batch, width, NULL};

        snprintf(batch, sizeof batch, "B=%d", b);
        snprintf(width, sizeof width, "D=%d", d);
        snprintf(symbols, sizeof symbols, "{\"L\": 3, \"D\": %d, \"F\": %d, \"B\": %d, \"S\": 16}", d, 2 * d, b);
        if (!CHECK(says(c, words, symbols)))
            break;
    }
    reckon_context_free(&c);
}

/* A file that is replaced is read anew, also where it was that of an earlier question before. */
static void test_replaced(void)
{
    static const char *const words[] = {"flops", "small.rk", "config.json", NULL};
    reckon_context *c = context_with(NULL);

    for (int i = 0; i < 60; i++) {
        int width = 8 * (1 + i * i % 11);
        char config[64], symbols[64];

        snprintf(config, sizeof config, "{\"layers\": 2, \"width\": %d}", width);
        snprintf(symbols, sizeof symbols, "\"D\": %d,", width);
        CHECK_INT(reckon_context_file(c, "config.json", config, strlen(config), 0, NULL), RECKON_OK);
        if (!CHECK(says(c, words, symbols)))
            break;
    }
    reckon_context_free(&c);
}

/* Known by name, and asked for twice. */
static void test_named(void)
{
    static const char *const words[] = {"memory", "gpt2", "--phase", "decode", "T=64", NULL};
    reckon_context *c = context_with(NULL);

    for (int i = 0; i < 3; i++)
        CHECK(says(c, words, "\"model\": \"gpt2\""));
    reckon_context_free(&c);
}

int main(void)
{
    test_named();
    test_many();
    test_replaced();
    return t_done("ask");
}
