/* SPDX-License-Identifier: MIT */
/* Questions in words: a context answers as if it had just been made, whatever it was asked before, and stopped in. */
#include "with.h"

#include <stdlib.h>

static reckon_context *context_of(const reckon_setup *setup, const char *config)
{
    reckon_context *c = NULL;

    CHECK_INT(reckon_context_new(setup, &c, NULL), RECKON_OK);
    CHECK_INT(reckon_context_file(c, "small.rk", WITH_MODEL, strlen(WITH_MODEL), 0, NULL), RECKON_OK);
    if (config)
        CHECK_INT(reckon_context_file(c, "config.json", config, strlen(config), 0, NULL), RECKON_OK);
    return c;
}

static reckon_context *context_with(const char *config)
{
    return context_of(&(reckon_setup){.no_disk = 1, .no_input = 1}, config);
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

/* What is defined by a number of the run follows it, also where the model was open before. */
static void test_defined(void)
{
    reckon_context *c = context_with(NULL);

    CHECK(says(c, (const char *const[]){"flops", "gpt2", NULL}, "\"S\": 1024, \"T\": 1024}"));
    CHECK(says(c, (const char *const[]){"flops", "gpt2", "S=2K", NULL}, "\"S\": 2048, \"T\": 2048}"));
    CHECK(says(c, (const char *const[]){"memory", "gpt2", "S=512", NULL}, "\"S\": 512, \"T\": 512}"));
    reckon_context_free(&c);
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

/* ---- stopping --------------------------------------------------------------------------------------------------- */

static const char *const question[][10] = {
    {"memory", "small.rk", "config.json"},
    {"report", "small.rk", "config.json"},
    {"sweep", "small.rk", "config.json", "S=1..3000", "--format", "csv", "--threads=1"},
    {"sweep", "small.rk", "config.json", "S=1..3000", "--format", "csv", "--of=memory.peak"},
    {"fit", "small.rk", "config.json", "--device", "h100-80gb"},
    {"check", "claims.txt", "--model", "gpt2"},
};
#define N_QUESTION (sizeof question / sizeof *question)

#define CLAIMS "GPT-2 has 124,439,808 parameters.\nS * D = 1024 * 768 = 786,432\nflops = 2 * B * S * D * V\n"

/* Who hears how far it is. */
typedef struct hearing {
    long calls, stop_at; /* 0: never */
    double done, all;    /* of the last call that knew how much there is */
} hearing;

static int hear(void *self, double done, double all)
{
    hearing *h = self;

    h->calls++;
    h->done = all > 0 ? done : h->done;
    h->all = all > 0 ? all : h->all;
    return h->calls == h->stop_at;
}

static reckon_context *context_heard(hearing *h, uint64_t budget)
{
    reckon_setup setup = {.no_disk = 1, .no_input = 1, .progress = hear, .self = h, .budget = budget};
    reckon_context *c = context_of(&setup, WITH_CONFIG);

    CHECK_INT(reckon_context_file(c, "claims.txt", CLAIMS, strlen(CLAIMS), 0, NULL), RECKON_OK);
    return c;
}

/* The calls that a question makes, one for every thousand units of its work. */
static long calls_of(const char *const *words)
{
    hearing h = {0};
    reckon_context *c = context_heard(&h, 0);
    reckon_answer answer = {0};

    CHECK_INT(reckon_ask(c, words, NULL, &answer, NULL), RECKON_OK);
    reckon_answer_free(&answer);
    reckon_context_free(&c);
    return h.calls;
}

/* A mesh of a million devices is no more work than one of eight, or hardly: ranks that are alike are computed once. */
static void test_large_meshes(void)
{
    static const char *const few[] = {"fsdp=8", "ddp=8", "ddp=8,zero1", "fsdp=4,tp=2,sp", "pp=2,fsdp=4"};
    static const char *const many[] = {"fsdp=1000000", "ddp=1000000", "ddp=1000000,zero1", "fsdp=500000,tp=2,sp",
                                       "pp=2,fsdp=500000"};

    for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
        const char *const eight[] = {"ranks", "gpt2", "--layout", few[i], NULL};
        const char *const million[] = {"ranks", "gpt2", "--layout", many[i], NULL};
        long n = calls_of(eight);

        CHECK(n > 10);
        CHECK(calls_of(million) <= n + n / 20);
    }
}

/* Whether a question is answered in these bytes; else it must be stopped, with this message. */
static bool is_answered(reckon_context *c, size_t i, const reckon_answer *want, const char *message)
{
    reckon_answer answer = {0};
    reckon_error error = {0};
    int code = reckon_ask(c, question[i], NULL, &answer, &error);
    bool same = code == RECKON_OK && answer.n_text == want->n_text && strcmp(answer.text, want->text) == 0;

    if (code == RECKON_OK || !message) {
        if (!CHECK(same))
            printf("  %s: %s\n", question[i][0], code == RECKON_OK ? "another answer" : error.message);
    } else if (CHECK_INT(code, RECKON_ESTOPPED)) {
        CHECK_TEXT(error.message, message);
        CHECK(!answer.text && !answer.mistakes);
    }
    reckon_answer_free(&answer);
    return same;
}

/* A call-back that stops at some call, in a context that goes on afterwards; then a budget. */
static void test_stopped(void)
{
    for (size_t i = 0; i < N_QUESTION; i++) {
        hearing h = {0};
        reckon_context *c = context_heard(&h, 0);
        reckon_answer want = {0};
        bool done = false;
        long calls;

        CHECK_INT(reckon_ask(c, question[i], NULL, &want, NULL), RECKON_OK);
        calls = h.calls;
        CHECK(strcmp(question[i][0], "sweep") != 0 || (h.done == 3000 && h.all == 3000));
        for (long k = 1; k <= calls; k += 1 + k / 8) {
            h = (hearing){.stop_at = k};
            is_answered(c, i, &want, "stopped");
            h.stop_at = 0;
            is_answered(c, i, &want, NULL);
        }
        reckon_context_free(&c);
        for (uint64_t budget = 1; !done && budget < 1000000000; budget *= 10) {
            char message[128];

            snprintf(message, sizeof message, "the budget of %llu units of work is spent", (unsigned long long)budget);
            c = context_heard(&h, budget);
            done = is_answered(c, i, &want, message);
            CHECK(!done || budget > 1000);
            is_answered(c, i, &want, message);
            reckon_context_free(&c);
        }
        CHECK(done);
        reckon_answer_free(&want);
    }
}

int main(void)
{
    test_named();
    test_defined();
    test_defined();
    test_many();
    test_replaced();
    test_large_meshes();
    test_stopped();
    return t_done("ask");
}
