/* SPDX-License-Identifier: MIT */
/*
 * tests/api/with.h - what the tests of reckon.h share: accounts opened in one line, texts of models.
 *
 * Stage   above reckon.h.
 * Uses    reckon.h, tests/t.h.
 * Memory  what is opened is closed by the test.
 * Threads no state but the counters of t.h.
 */
#ifndef RK_TESTS_API_WITH_H
#define RK_TESTS_API_WITH_H

#include "reckon.h"

#include "../t.h"

#define WITH_TINY "tests/golden/tiny/"

/* A whole model in a few lines: a gated sum, twice as wide inside, in every layer. */
#define WITH_MODEL                                                                                                     \
    "model small: \"a small model\"\n"                                                                                 \
    "let L = $layers    \"layers\"\n"                                                                                  \
    "let D = $width     \"width\"\n"                                                                                   \
    "let F = 2 * D      \"inner width\"\n"                                                                             \
    "run B = 1          \"sequences\"\n"                                                                               \
    "run S = 16         \"tokens\"\n"                                                                                  \
    "incoming x[B S D]\n"                                                                                              \
    "part layers[i < L] at h.{i}:\n"                                                                                   \
    "    y[B S F] = x[B S D] * .up.weight[F D]\n"                                                                      \
    "    z[B S D] = y[B S F] * .down.weight[D F]\n"                                                                    \
    "    x = x + z\n"                                                                                                  \
    "output x\n"

#define WITH_CONFIG "{\"layers\": 3, \"width\": 8}"

/* A message says this, among other things. */
#define CHECK_HAS(text, piece) with_has(__FILE__, __LINE__, (text), (piece))

static T_UNUSED bool with_has(const char *file, int line, const char *text, const char *piece)
{
    bool has = t_count(strstr(text, piece) != NULL);

    if (!has)
        printf("%s:%d: \"%s\" does not say \"%s\"\n", file, line, text, piece);
    return has;
}

/* Opens a model, or fails the test and says why. */
static T_UNUSED reckon_account *with(const char *model, const char *config, const char *symbols)
{
    reckon_request r = {0};
    reckon_account *a = NULL;
    reckon_error error = {0};
    char *mistakes = NULL;

    r.model = model;
    r.config = config;
    r.symbols = symbols;
    if (!CHECK(reckon_open(&r, &a, &mistakes, &error) == RECKON_OK))
        printf("  %s: %s\n%s", model, error.message, mistakes ? mistakes : "");
    reckon_text_free(&mistakes);
    return a;
}

static T_UNUSED reckon_account *with_text(const char *text, const char *config, const char *symbols)
{
    reckon_request r = {0};
    reckon_account *a = NULL;
    reckon_error error = {0};
    char *mistakes = NULL;

    r.model_text = text;
    r.config_text = config;
    r.symbols = symbols;
    if (!CHECK(reckon_open(&r, &a, &mistakes, &error) == RECKON_OK))
        printf("  %s\n%s", error.message, mistakes ? mistakes : "");
    reckon_text_free(&mistakes);
    return a;
}

/* The value of a figure as one number; what fails, or is larger, fails the test. */
static T_UNUSED uint64_t with_value(const reckon_figure *f)
{
    reckon_count n = {0, 0};
    uint64_t small = 0;
    reckon_error error = {0};

    if (!CHECK(reckon_value(f, &n, &error) == RECKON_OK))
        printf("  %s\n", error.message);
    CHECK(reckon_count_u64(n, &small) == RECKON_OK);
    return small;
}

static T_UNUSED uint64_t with_total(const reckon_account *a, reckon_quantity q)
{
    return with_value(reckon_total(a, q));
}

#endif
