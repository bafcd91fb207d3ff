/* SPDX-License-Identifier: MIT */
/*
 * A peak compiled for a class of numbers gives what the whole account gives, at each point of the class: for all kinds
 * of models and of options, at numbers that are 1, 2, odd, around windows, and coincide with sizes of the model.
 */
#include "account/peak.h"
#include "plan/open.h"

#include "../profiles.h"
#include "../sample.h"
#include "../t.h"

#include <pthread.h>
#include <stdlib.h>

#define PEAKS_MAX 24

/* ---- models and options ----------------------------------------------------------------------------------------- */

static const char *const family[] = {
    "gpt2",       "llama",     "gemma3",   "gemma2", "deepseek_v3",     "mixtral",
    "qwen3_next", "gpt_oss",   "mamba2",   "jamba",  "bamba",           "nemotron_h",
    "t5",         "bart",      "whisper",  "bert",   "modernbert",      "vit",
    "clip",       "paligemma", "qwen2_vl", "llava",  "mllama",          "falcon",
    "bloom",      "cohere2",   "phi3",     "llama4", "recurrent_gemma", "glm_moe_dsa",
};

typedef struct variation {
    const char *name;
    bool flash;
    rk_memory_options o;
    bool attention; /* recomputed */
    rk_region_kind loss;
} variation;

#define TRAIN .bytes = 2, .loss = true, .profile = PROFILE_TORCH
#define INFER .bytes = 2, .profile = PROFILE_TORCH

static const variation variations[] = {
    {.name = "plain", .o = {TRAIN}},
    {.name = "not rounded", .o = {.bytes = 4, .loss = true, .profile = PROFILE_WITH(1, 0)}},
    {.name = "flash", .flash = true, .o = {TRAIN, .optimizer = RK_OPTIMIZER_MUON}},
    {.name = "recomputed", .o = {TRAIN, .recompute_layers = 1, .optimizer = RK_OPTIMIZER_ADAM8BIT, .master = 4}},
    {.name = "two together", .flash = true, .o = {TRAIN, .recompute_layers = 2, .optimizer = RK_OPTIMIZER_ADAFACTOR}},
    {.name = "attention again", .o = {TRAIN, .optimizer = RK_OPTIMIZER_ADAMW_FOREACH}, .attention = true},
    {.name = "chunked", .o = {TRAIN, .chunk = 16, .passes = 4}, .loss = RK_REGION_CHUNKED},
    {.name = "in one chunk", .o = {TRAIN, .optimizer = RK_OPTIMIZER_SGD}, .loss = RK_REGION_CHUNKED},
    {.name = "fused",
     .flash = true,
     .o = {TRAIN, .gradient = 4, .optimizer = RK_OPTIMIZER_LION},
     .loss = RK_REGION_FUSED},
    {.name = "fp8",
     .flash = true,
     .o = {TRAIN, .fp8_products = true, .recompute_layers = 1, .optimizer = RK_OPTIMIZER_MOMENTUM}},
    {.name = "by the book", .o = {.profile = PROFILE_TEXTBOOK, .bytes = 4, .loss = true}},
    {.name = "without a loss", .o = {.bytes = 2, .profile = PROFILE_WITH(512, 0)}},
    {.name = "prefill", .o = {INFER, .phase = RK_PHASE_PREFILL}},
    {.name = "prefill, flash", .flash = true, .o = {INFER, .phase = RK_PHASE_PREFILL, .cache = RK_NUMBER_FP8}},
    {.name = "decode", .o = {INFER, .phase = RK_PHASE_DECODE}},
    {.name = "decode, narrow",
     .flash = true,
     .o = {INFER, .phase = RK_PHASE_DECODE, .weights = RK_NUMBER_INT8, .cache = RK_NUMBER_INT8}},
};

#define N_FAMILY (sizeof family / sizeof *family)
#define N_VARIATION (sizeof variations / sizeof *variations)

/* ---- points ----------------------------------------------------------------------------------------------------- */

static uint64_t seed = 0x9E3779B97F4A7C15;

static rk_i128 random_below(uint64_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (rk_i128)((seed >> 11) % n);
}

/* Ones and twos, sizes of tiny models and of their windows, what stands beside these, and anything. */
static rk_i128 random_number(void)
{
    static const int number[] = {1, 1, 1, 2, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 128, 1000};

    return random_below(3) ? number[random_below(sizeof number / sizeof *number)] : 1 + random_below(5000);
}

static bool may_change(const rk_instance *m, const rk_symbol *s, rk_phase phase)
{
    bool new_tokens = phase == RK_PHASE_DECODE && (strcmp(s->name, "S") == 0 || strcmp(s->name, "U") == 0);

    return s->known && !s->fixed && rk_sym_definition(m->pool, s->sym) == RK_EX_FAILED && !new_tokens;
}

/* Lengths and batches are anything; sizes of the model are now and then two or three times as large. */
static void set_numbers(rk_instance *m, rk_phase phase)
{
    bool larger = random_below(4) == 0;

    for (size_t i = 0; i < m->model->n_symbol; i++) {
        const rk_symbol *s = &m->model->symbol[i];

        if (!may_change(m, s, phase))
            continue;
        if (s->kind == RK_SYMBOL_RUN || s->set)
            m->value[s->sym] = random_number();
        else
            m->value[s->sym] = s->value * (larger ? 1 + random_below(3) : 1);
    }
}

/* ---- a point compared ------------------------------------------------------------------------------------------- */

typedef struct subject {
    const char *model;
    const variation *v;
    rk_instance *m;
    rk_peak *peak[PEAKS_MAX];
    size_t n;
    rk_err err;
    size_t n_point, n_compiled, n_compared;
} subject;

static void print_point(const subject *s)
{
    char text[RK_NUM_TEXT_MAX];

    printf("    %s, %s:", s->model, s->v->name);
    for (size_t i = 0; i < s->m->model->n_symbol; i++)
        if (may_change(s->m, &s->m->model->symbol[i], s->v->o.phase))
            printf(" %s=%s", s->m->model->symbol[i].name, rk_num_text(text, s->m->value[s->m->model->symbol[i].sym]));
    printf("  %s\n", s->err.message);
}

static void compare(subject *s, const rk_peak *p, const rk_memory *want, rk_i128 *scratch)
{
    rk_binding at = s->m->at;
    const rk_i128 figure[RK_N_BYTES] = {want->parameters, want->gradients, want->optimizer, want->saved,
                                        want->cache,      want->peak,      want->output};
    rk_i128 got[RK_N_BYTES];
    bool same = CHECK_INT(rk_peak_eval(p, &at, scratch, got, &s->err), RK_OK);

    for (int i = 0; same && i < RK_N_BYTES; i++)
        same = CHECK_INT(got[i], figure[i]);
    if (!same)
        print_point(s);
    s->n_compared++;
}

/* All peaks whose class the point is of must agree; where there is none, one is compiled. */
static void check_point(subject *s)
{
    rk_binding at = s->m->at;
    rk_memory *want = NULL;
    bool found = false;

    if (rk_memory_new(s->m, &s->v->o, &want, &s->err) != RK_OK)
        return; /* not every number is one that a model can have */
    s->n_point++;
    for (size_t i = 0; i <= s->n && i < PEAKS_MAX; i++) {
        rk_i128 *scratch;

        if (i == s->n && found)
            break;
        if (i == s->n && !CHECK_INT(rk_peak_new(s->m, &s->v->o, &s->peak[i], &s->err), RK_OK)) {
            print_point(s);
            break;
        }
        scratch = malloc((rk_peak_scratch(s->peak[i]) + 1) * sizeof *scratch);
        if (rk_peak_holds(s->peak[i], &at, scratch)) {
            found = true;
            compare(s, s->peak[i], want, scratch);
        } else if (!CHECK(i < s->n)) {
            print_point(s); /* a new one holds where it was made */
        }
        free(scratch);
        if (i == s->n) {
            s->n++;
            s->n_compiled++;
            break;
        }
    }
    rk_memory_free(want);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static bool open_tiny(subject *s)
{
    static char path[256];
    const char *word = path;
    bool decode = s->v->o.phase == RK_PHASE_DECODE;
    rk_setting setting[] = {{.name = "S", .value = 1}, {.name = "T", .value = 24}};
    rk_open_request r = {.word = &word, .n_word = 1, .passes.profile = "torch", .passes.fused = s->v->flash};

    snprintf(path, sizeof path, "tests/golden/tiny/%s.config.json", s->model);
    r.setting = setting;
    r.n_setting = decode ? 2 : 0;
    r.passes.serves = decode;
    r.passes.recomputes_attention = s->v->attention;
    r.passes.loss = s->v->loss;
    if (rk_open(&r, &s->m, &s->err) == RK_OK)
        return true;
    /* An encoder–decoder makes one token of U, a state sees no keys, and an encoder decodes nothing. */
    setting[0].name = "U";
    if (decode && rk_open(&r, &s->m, &s->err) == RK_OK)
        return true;
    setting[0].name = "S";
    r.n_setting = 1;
    return decode && rk_open(&r, &s->m, &s->err) == RK_OK;
}

static size_t n_point, n_compiled, n_compared;

static void check_subject(const char *model, const variation *v, size_t points)
{
    subject s = {.model = model, .v = v};

    if (!open_tiny(&s)) {
        CHECK(v->o.phase == RK_PHASE_DECODE || v->attention || v->loss); /* not every model has such a step */
        return;
    }
    for (size_t i = 0; i < points; i++) {
        set_numbers(s.m, v->o.phase);
        check_point(&s);
    }
    n_point += s.n_point;
    n_compiled += s.n_compiled;
    n_compared += s.n_compared;
    for (size_t i = 0; i < s.n; i++)
        rk_peak_free(s.peak[i]);
    rk_instance_free(s.m);
}

/* ---- several threads -------------------------------------------------------------------------------------------- */

typedef struct worker {
    const rk_peak *p;
    rk_binding at;
    rk_i128 want;
    bool same;
} worker;

static void *work(void *self)
{
    worker *w = self;
    rk_i128 *scratch = malloc((rk_peak_scratch(w->p) + 1) * sizeof *scratch), got[RK_N_BYTES];

    w->same = true;
    for (int i = 0; i < 200 && w->same; i++)
        w->same = rk_peak_holds(w->p, &w->at, scratch) && rk_peak_eval(w->p, &w->at, scratch, got, NULL) == RK_OK &&
                  got[RK_BYTES_PEAK] == w->want;
    free(scratch);
    return NULL;
}

static void check_threads(void)
{
    subject s = {.model = "llama", .v = &variations[0]};
    pthread_t thread[4];
    worker w[4];
    rk_memory *want = NULL;

    if (!CHECK(open_tiny(&s)) || !CHECK_INT(rk_memory_new(s.m, &s.v->o, &want, &s.err), RK_OK) ||
        !CHECK_INT(rk_peak_new(s.m, &s.v->o, &s.peak[0], &s.err), RK_OK))
        return;
    for (int i = 0; i < 4; i++) {
        w[i] = (worker){.p = s.peak[0], .at = s.m->at, .want = want->peak};
        CHECK_INT(pthread_create(&thread[i], NULL, work, &w[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(thread[i], NULL);
        CHECK(w[i].same);
    }
    rk_memory_free(want);
    rk_peak_free(s.peak[0]);
    rk_instance_free(s.m);
}

/* ---- memory that runs out, and numbers that are too large -------------------------------------------------------- */

static void check_failing(long after)
{
    subject s = {.model = "gpt2", .v = &variations[3]};
    int code;

    if (!CHECK(open_tiny(&s)))
        return;
    rk_heap_fail_after(after);
    code = rk_peak_new(s.m, &s.v->o, &s.peak[0], &s.err);
    rk_heap_fail_after(-1);
    CHECK(code == RK_OK || code == RK_ENOMEM);
    if (code == RK_OK)
        rk_peak_free(s.peak[0]);
    rk_instance_free(s.m);
}

/* Beyond 64 bits a sum is still exact, and beyond 128 it is an error. */
static void check_large(void)
{
    subject s = {.model = "gpt2", .v = &variations[1]};
    rk_i128 *scratch, got[RK_N_BYTES], twice[RK_N_BYTES], least[RK_N_BYTES], huge = (rk_i128)1 << 60;
    rk_sym b;
    rk_binding at;

    if (!CHECK(open_tiny(&s)))
        return;
    b = rk_model_symbol(s.m->model, "B")->sym;
    s.m->value[b] = 2;
    if (!CHECK_INT(rk_peak_new(s.m, &s.v->o, &s.peak[0], &s.err), RK_OK))
        return;
    scratch = malloc((rk_peak_scratch(s.peak[0]) + 1) * sizeof *scratch);
    at = s.m->at;
    s.m->value[b] = huge;
    CHECK(rk_peak_holds(s.peak[0], &at, scratch));
    CHECK_INT(rk_peak_eval(s.peak[0], &at, scratch, least, &s.err), RK_OK);
    s.m->value[b] = 2 * huge;
    CHECK_INT(rk_peak_eval(s.peak[0], &at, scratch, got, &s.err), RK_OK);
    s.m->value[b] = 3 * huge;
    CHECK_INT(rk_peak_eval(s.peak[0], &at, scratch, twice, &s.err), RK_OK);
    CHECK(got[RK_BYTES_PEAK] > INT64_MAX);
    CHECK_INT(twice[RK_BYTES_PEAK] - got[RK_BYTES_PEAK], got[RK_BYTES_PEAK] - least[RK_BYTES_PEAK]);
    s.m->value[b] = RK_I128_MAX / 64;
    CHECK_INT(rk_peak_eval(s.peak[0], &at, scratch, got, &s.err), RK_EOVERFLOW);
    free(scratch);
    rk_peak_free(s.peak[0]);
    rk_instance_free(s.m);
}

/* All models, each with every third variation; with names of tiny models on the line, those with all of them. */
int main(int argc, char **argv)
{
    size_t points = argc > 1 ? (size_t)atoi(argv[1]) : 6;

    for (size_t i = 0; argc <= 2 && i < N_FAMILY; i++)
        for (size_t k = i % 3; k < N_VARIATION; k += 3)
            if (t_sampled(family[i]))
                check_subject(family[i], &variations[k], points);
    for (int i = 2; i < argc; i++)
        for (size_t k = 0; k < N_VARIATION; k++)
            check_subject(argv[i], &variations[k], points);
    check_threads();
    check_large();
    for (long i = 0; i < 40; i++)
        check_failing(i);
    if (argc > 1)
        printf("%zu points, %zu compiled, %zu compared\n", n_point, n_compiled, n_compared);
    return t_done("peak");
}
