/* SPDX-License-Identifier: MIT */
/*
 * Training steps: optimizers and layers that are computed again against what was measured, what is left of a step when
 * it has ended, and what options do to its peak.
 */
#include "account/tasks.h"
#include "account/training.h"
#include "plan/open.h"
#include "plan/setting.h"

#include "../profiles.h"
#include "../t.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_OF(a) (sizeof(a) / sizeof *(a))

/* ---- models ----------------------------------------------------------------------------------------------------- */

typedef struct subject {
    rk_opened opened;
    rk_ledger *ledger;
    rk_err err;
} subject;

static const rk_memory_options usual = {.bytes = 4, .loss = true, .profile = PROFILE_TORCH};

static bool check(const subject *s, const char *what, int code)
{
    if (!CHECK_INT(code, RK_OK))
        printf("    %s: %s\n", what, s->err.message);
    return code == RK_OK;
}

/* What a step recomputes, or takes chunk by chunk: passes mark it in the program. */
typedef struct regions {
    bool attention;
    rk_region_kind loss;
} regions;

static bool open_with(subject *s, const char *model, rk_i128 b, rk_i128 len, bool flash, regions x)
{
    rk_setting setting[] = {{.name = "B", .value = b}, {.name = "S", .value = len}, {.name = "U", .value = len / 2}};
    rk_open_request r = {
        .word = &model, .n_word = 1, .setting = setting, .passes.profile = "torch", .passes.fused = flash};
    rk_convention convention = {0};

    *s = (subject){0};
    r.passes.recomputes_attention = x.attention;
    r.passes.loss = x.loss;
    r.n_setting = strstr(model, "/t5.") || strstr(model, "/bart.") ? 3 : 2;
    return check(s, model, rk_open_all(&r, RK_FIND_MODEL, &s->opened, &s->err)) &&
           check(s, model, rk_ledger_new(s->opened.instance, &convention, &s->ledger, &s->err));
}

static bool open_model(subject *s, const char *model, rk_i128 b, rk_i128 len, bool flash)
{
    return open_with(s, model, b, len, flash, (regions){0});
}

static void close_model(subject *s)
{
    if (s->ledger)
        rk_ledger_free(s->ledger);
    rk_opened_free(&s->opened);
}

static bool open_golden_with(subject *s, const char *family, regions x)
{
    char path[256];

    snprintf(path, sizeof path, "tests/golden/tiny/%s.config.json", family);
    return open_with(s, path, 2, 40, false, x);
}

static bool open_golden(subject *s, const char *family)
{
    return open_golden_with(s, family, (regions){0});
}

static rk_memory *account(subject *s, const rk_memory_options *o)
{
    rk_memory *m = NULL;

    check(s, s->opened.name, rk_memory_new(s->opened.instance, o, &m, &s->err));
    return m;
}

/* ---- what was measured ------------------------------------------------------------------------------------------ */

static rk_optimizer optimizer_called(const char *word)
{
    for (int i = 0; i < RK_N_OPTIMIZER; i++)
        if (strcmp(rk_optimizer_table[i].word, word) == 0)
            return (rk_optimizer)i;
    CHECK(false && *word);
    return RK_OPTIMIZER_ADAMW;
}

static void check_optimizer(const char *family, const char *type, const char *optimizer, long long want)
{
    rk_memory_options o = usual;
    rk_memory *m;
    subject s;

    o.bytes = strcmp(type, "bf16") == 0 ? 2 : 4;
    o.optimizer = optimizer_called(optimizer);
    if (open_golden(&s, family) && (m = account(&s, &o))) {
        /* Two tables of 256 numbers are in the measured state as well. */
        if (!CHECK_INT(m->optimizer, want))
            printf("    %s %s %s\n", family, type, optimizer);
        rk_memory_free(m);
    }
    close_model(&s);
}

static void check_recomputed(const char *family, const char *loss, long long want, long long differs)
{
    rk_memory_options o = usual;
    rk_memory *m;
    subject s;

    o.recompute_layers = 1;
    if (open_golden(&s, family)) {
        o.loss = strcmp(loss, "ce") == 0 && s.opened.model->program.loss != RK_NONE;
        m = account(&s, &o);
        if (m && !CHECK_INT(m->saved, want + differs))
            printf("    %s recomputed\n", family);
        rk_memory_free(m);
    }
    close_model(&s);
}

static void each_line(const char *path, void (*act)(char *field[4]))
{
    FILE *f = fopen(path, "r");
    char line[256], *field[4];

    if (!CHECK(f != NULL))
        return;
    while (fgets(line, sizeof line, f)) {
        int n = 0;

        for (char *c = strtok(line, "\t\n"); c && n < 4; c = strtok(NULL, "\t\n"))
            field[n++] = c;
        if (line[0] != '#' && CHECK_INT(n, 4))
            act(field);
    }
    fclose(f);
}

static void optimizer_line(char *field[4])
{
    check_optimizer(field[0], field[1], field[2], atoll(field[3]));
}

static void recompute_line(char *field[4])
{
    check_recomputed(field[0], field[1], atoll(field[2]), atoll(field[3]));
}

typedef struct measured {
    char model[40], attention[16], optimizer[16], loss[16];
    int bytes, b, len, passes, recompute_layers, selective, chunk;
    long long saved, peak;
} measured;

static rk_memory_options options_of(const measured *x)
{
    rk_memory_options o = usual;

    o.bytes = x->bytes;
    o.optimizer = optimizer_called(x->optimizer);
    o.passes = x->passes;
    o.recompute_layers = (size_t)x->recompute_layers;
    o.chunk = x->chunk;
    return o;
}

/* What is kept to the byte; the peak to one in a hundred: the allocator leaves gaps. */
static void check_measured(const measured *x, const char *line)
{
    char path[256];
    rk_memory_options o = options_of(x);
    regions with = {.attention = x->selective,
                    .loss = strcmp(x->loss, "chunked") == 0 ? RK_REGION_CHUNKED
                            : strcmp(x->loss, "fused") == 0 ? RK_REGION_FUSED
                                                            : RK_REGION_NONE};
    rk_memory *m;
    subject s;

    snprintf(path, sizeof path, "tests/golden/h200/%s.config.json", x->model);
    if (open_with(&s, path, x->b, x->len, strcmp(x->attention, "flash") == 0, with) && (m = account(&s, &o))) {
        rk_i128 off = m->peak > x->peak ? m->peak - x->peak : x->peak - m->peak;

        if (!CHECK_INT(m->saved, x->saved) || !CHECK(off * 100 <= x->peak))
            printf("    %s", line);
        rk_memory_free(m);
    }
    close_model(&s);
}

static void check_all_measured(void)
{
    FILE *f = fopen("tests/golden/training/h200.tsv", "r");
    char line[256];
    measured x;

    while (CHECK(f != NULL) && fgets(line, sizeof line, f))
        if (line[0] != '#' && CHECK_INT(sscanf(line, "%39s %15s %d %d %d %15s %d %d %d %15s %d %lld %lld", x.model,
                                               x.attention, &x.bytes, &x.b, &x.len, x.optimizer, &x.passes,
                                               &x.recompute_layers, &x.selective, x.loss, &x.chunk, &x.saved, &x.peak),
                                        13))
            check_measured(&x, line);
    if (f)
        fclose(f);
}

/* ---- what is left ----------------------------------------------------------------------------------------------- */

typedef struct variation {
    const char *name;
    size_t recompute_layers;
    regions with;
    rk_i128 chunk;
    bool adds_up;
} variation;

static const variation variations[] = {
    {"plain", 0, {false, RK_REGION_NONE}, 0, false},
    {"full", 1, {false, RK_REGION_NONE}, 0, false},
    {"every second", 2, {false, RK_REGION_NONE}, 0, false},
    {"every third", 3, {false, RK_REGION_NONE}, 0, false},
    {"all at once", 99, {false, RK_REGION_NONE}, 0, false},
    {"selective", 0, {true, RK_REGION_NONE}, 0, false},
    {"chunked", 0, {false, RK_REGION_CHUNKED}, 16, false},
    {"one chunk", 0, {false, RK_REGION_CHUNKED}, 80, false},
    {"fused", 0, {false, RK_REGION_FUSED}, 0, false},
    {"full, chunked", 1, {false, RK_REGION_CHUNKED}, 7, false},
    {"selective, fused", 0, {true, RK_REGION_FUSED}, 32, false},
};

/* Bytes that are alive when the backward pass has ended, beside what was given. */
static rk_i128 left_over(subject *s, const variation *v, rk_i128 *given)
{
    rk_arena a = {0};
    rk_profile profile = PROFILE_WITH(1, 0);
    rk_run_options run = {.bytes = 4, .profile = &profile};
    rk_chunk chunk = {0};
    rk_timeline t = {0};
    rk_places pl = {0};
    rk_flow f = {0};
    rk_step step = {0};
    rk_step_options o = {.run = run, .backward = true, .loss = true, .rounding = 1, .places = RK_EX_FAILED};
    rk_instance *m = s->opened.instance;
    int code = rk_flow_new(&a, m->program, &f, &s->err);

    code = code ? code : rk_places_new(&a, m, &f, &run, &pl, &s->err);
    code = code ? code : rk_chunk_new(&a, m, &f, v->chunk, NULL, &pl, &chunk, &s->err);
    o.recompute_layers = v->recompute_layers;
    o.chunk = chunk.region ? &chunk : NULL;
    code = code ? code : rk_step_new(&a, m, &pl, &f, &o, &step, &s->err);
    code = code ? code : rk_timeline_new(&a, &step, NULL, NULL, true, &t, &s->err);
    check(s, v->name, code);
    *given = 0;
    for (size_t i = 0; code == RK_OK && i < pl.n_buffer; i++)
        if (pl.buffer[i].op == RK_NONE && !pl.buffer[i].stored && !pl.buffer[i].handed)
            *given += step.bytes[i];
    rk_arena_free(&a);
    return t.after_backward;
}

/* Whatever is kept, when all is done there are the gradients of the weights and what was given. */
static void check_nothing_is_left(const char *family)
{
    for (size_t i = 0; i < N_OF(variations); i++) {
        rk_memory_options o = usual;
        subject s;
        rk_memory *m = open_golden_with(&s, family, variations[i].with) ? account(&s, &o) : NULL;
        rk_i128 given = 0, left = m ? left_over(&s, &variations[i], &given) : 0;

        if (m && !CHECK_INT(left, m->gradients + given))
            printf("    %s: %s\n", family, variations[i].name);
        rk_memory_free(m);
        close_model(&s);
    }
}

/* Where the allocator rounds nothing, the formula of every moment is all of its bytes. */
static void check_formulas(const char *family)
{
    for (size_t i = 0; i < N_OF(variations); i++) {
        const variation *v = &variations[i];
        rk_memory_options o = usual;
        subject s;
        rk_memory *m = NULL;

        o.recompute_layers = v->recompute_layers;
        o.chunk = v->chunk;
        o.profile.rounding = 1;
        if (open_golden_with(&s, family, v->with))
            m = account(&s, &o);
        for (size_t k = 0; m && k < m->n_moment; k++)
            if (!CHECK_INT(m->moment[k].extra, 0))
                printf("    %s: %s: %s\n", family, v->name, m->moment[k].during);
        rk_memory_free(m);
        close_model(&s);
    }
}

/* ---- what options do -------------------------------------------------------------------------------------------- */

static rk_i128 alive_sum(const rk_memory *m)
{
    rk_i128 sum = 0;

    for (size_t i = 0; i < m->alive.n; i++)
        sum += m->alive.at[i].bytes * m->alive.at[i].times;
    return sum;
}

typedef struct figures {
    rk_i128 saved, peak, gradients, optimizer, recompute;
} figures;

static figures figures_of(subject *s, const rk_memory_options *o)
{
    rk_memory *m = account(s, o);
    rk_binding at = s->opened.instance->at;
    figures f = {0};

    if (!m)
        return f;
    CHECK_INT(alive_sum(m), m->peak);
    f = (figures){m->saved, m->peak, m->gradients, m->optimizer, 0};
    check(s, "recompute",
          rk_ex_eval(s->opened.instance->pool, rk_recompute_flops(m, s->ledger), &at, &f.recompute, &s->err));
    rk_memory_free(m);
    return f;
}

#define WITH(...) FIGURES(s, __VA_ARGS__)
#define FIGURES(s, ...)                                                                                                \
    figures_of(&(s), &(rk_memory_options){.bytes = 2, .loss = true, .profile = PROFILE_WITH(512, 0), __VA_ARGS__})

static void check_recomputation(void)
{
    subject s, selective;

    if (open_model(&s, "gpt2", 4, 256, false) && open_with(&selective, "gpt2", 4, 256, false, (regions){true, 0})) {
        figures none = WITH(.recompute_layers = 0), all = WITH(.recompute_layers = 1),
                third = WITH(.recompute_layers = 3);
        figures attention = FIGURES(selective, .recompute_layers = 0);

        CHECK(all.saved < attention.saved && attention.saved < none.saved && third.saved < all.saved);
        CHECK(attention.peak < none.peak && all.peak < none.peak);
        /* Eight of twelve inputs of layers are not kept where three layers go together. */
        CHECK_INT(all.saved - third.saved, 8 * 2 * 4 * 256 * 768);
        CHECK_INT(none.recompute, 0);
        CHECK_INT(all.recompute, 12 * (24LL * 4 * 256 * 768 * 768 + 4LL * 4 * 256 * 256 * 768));
        CHECK_INT(third.recompute, all.recompute);
        CHECK_INT(attention.recompute, 12 * 4LL * 4 * 256 * 256 * 768);
    }
    close_model(&s);
    close_model(&selective);
}

static void check_losses(void)
{
    static const char model[] = "tests/golden/h200/llama-1b.config.json";
    subject s, by_chunks, at_once;

    if (open_model(&s, model, 4, 512, true) &&
        open_with(&by_chunks, model, 4, 512, true, (regions){.loss = RK_REGION_CHUNKED}) &&
        open_with(&at_once, model, 4, 512, true, (regions){.loss = RK_REGION_FUSED})) {
        figures whole = WITH(.recompute_layers = 1), chunked = FIGURES(by_chunks, .recompute_layers = 1, .chunk = 256);
        figures fused = FIGURES(at_once, .recompute_layers = 1);
        rk_i128 tokens = 4 * 512, wide = 2048, words = 128256;

        CHECK(chunked.peak < whole.peak && fused.peak < whole.peak);
        /* Without the loss: fp32 probabilities, and the scalar; labels stay. */
        CHECK_INT(whole.saved - chunked.saved, 4 * tokens * words + 4);
        /* Instead of the head's input, labels and all: gradients of its input and weight. */
        CHECK_INT(fused.saved - chunked.saved, 2 * words * wide - 8 * tokens);
        CHECK_INT(chunked.recompute - whole.recompute, 2 * tokens * wide * words);
        CHECK_INT(fused.recompute, whole.recompute);
    }
    close_model(&s);
    close_model(&by_chunks);
    close_model(&at_once);
}

static void check_gradients(void)
{
    subject s;

    if (open_model(&s, "gpt2", 1, 64, false)) {
        figures once = WITH(.passes = 1), twice = WITH(.passes = 2), wide = WITH(.gradient = 4);
        figures master = WITH(.master = 4);

        CHECK_INT(twice.gradients, once.gradients);
        CHECK(twice.peak > once.peak && twice.peak <= once.peak + once.gradients + (1 << 20));
        CHECK_INT(wide.gradients, 2 * once.gradients);
        CHECK_INT(master.optimizer, 6 * once.gradients);
        CHECK_INT(WITH(.optimizer = RK_OPTIMIZER_SGD).optimizer, 0);
    }
    close_model(&s);
}

/* The copies in eight bits are let go: what is kept is that of bf16. */
static void check_eighths(void)
{
    subject s;

    if (open_model(&s, "tests/golden/h200/llama-1b.config.json", 1, 512, true)) {
        figures plain = WITH(.recompute_layers = 0), fp8_products = WITH(.fp8_products = true);

        CHECK_INT(fp8_products.saved, plain.saved);
        CHECK(fp8_products.peak >= plain.peak);
    }
    close_model(&s);
}

/* ---- the largest batch ------------------------------------------------------------------------------------------ */

static void check_fit(const char *model, rk_i128 limit)
{
    rk_memory_options o = usual;
    rk_fit fit = {0};
    subject s;
    rk_memory *m;

    if (open_model(&s, model, 1, 128, false) &&
        check(&s, model, rk_fit_batch(s.opened.instance, &o, limit, &fit, &s.err))) {
        CHECK(fit.bytes <= limit && limit < fit.next);
        CHECK_INT(s.opened.instance->value[rk_model_symbol(s.opened.model, "B")->sym], fit.largest);
        m = account(&s, &o);
        if (m)
            CHECK_INT(m->peak, fit.bytes);
        rk_memory_free(m);
    }
    close_model(&s);
}

static void check_no_fit(void)
{
    rk_memory_options o = usual;
    rk_fit fit = {0};
    subject s;

    if (open_model(&s, "gpt2", 1, 128, false) &&
        check(&s, "gpt2", rk_fit_batch(s.opened.instance, &o, 1000, &fit, &s.err))) {
        CHECK_INT(fit.largest, 0);
        CHECK(fit.bytes > 1000);
    }
    close_model(&s);
}

/* ---- the optimizer's step --------------------------------------------------------------------------------------- */

static rk_i128 step_of(subject *s, rk_optimizer o, bool products)
{
    rk_arena a = {0};
    rk_binding at = s->opened.instance->at;
    rk_optimizer_step step;
    rk_i128 n = 0;

    if (check(s, "step", rk_optimizer_step_new(&a, s->ledger, o, &step, &s->err)))
        check(s, "step", rk_ex_eval(s->opened.instance->pool, products ? step.products : step.total, &at, &n, &s->err));
    rk_arena_free(&a);
    return n;
}

/* 5 × (4m²n + 2m³) for a matrix of m × n, m the shorter side. */
static rk_i128 newton_schulz(rk_i128 m, rk_i128 n)
{
    return 5 * (4 * m * m * n + 2 * m * m * m);
}

static void check_steps(void)
{
    const rk_i128 d = 768, f = 3072;
    subject s;

    if (open_model(&s, "gpt2", 1, 64, false)) {
        CHECK_INT(step_of(&s, RK_OPTIMIZER_ADAMW, false), (rk_i128)14 * 124439808);
        CHECK_INT(step_of(&s, RK_OPTIMIZER_SGD, false), (rk_i128)2 * 124439808);
        CHECK_INT(step_of(&s, RK_OPTIMIZER_ADAMW, true), 0);
        CHECK_INT(step_of(&s, RK_OPTIMIZER_MUON, true),
                  12 * (newton_schulz(d, 3 * d) + newton_schulz(d, d) + 2 * newton_schulz(d, f)));
    }
    close_model(&s);
}

/* What a ledger says of a pass is the sum of its tasks; bytes are moved by gradients, too. */
static void check_tasks(const char *family)
{
    rk_arena a = {0};
    rk_task_rows rows = {0};
    rk_i128 sum[RK_N_TASK] = {0}, moved = 0, total = 0;
    rk_optimizer adamw = RK_OPTIMIZER_ADAMW;
    rk_memory_options o = usual;
    subject s;
    rk_memory *m = open_golden(&s, family) ? account(&s, &o) : NULL;
    bool ok =
        m && check(&s, "tasks", rk_task_rows_new(&a, s.ledger, &(rk_profile)PROFILE_WITH(1, 0), &adamw, &rows, &s.err));

    for (size_t i = 0; ok && i < rows.n; i++) {
        rk_i128 n = 0;

        check(&s, "tasks", rk_ex_eval(s.ledger->pool, rows.at[i].flops, &s.opened.instance->at, &n, &s.err));
        sum[rows.at[i].kind] += rows.at[i].times * n;
        check(&s, "tasks", rk_ex_eval(s.ledger->pool, rows.at[i].written, &s.opened.instance->at, &n, &s.err));
        moved += rows.at[i].kind == RK_TASK_GRADIENT ? rows.at[i].times * n : 0;
    }
    if (ok) {
        check(&s, "tasks", rk_ex_eval(s.ledger->pool, s.ledger->forward, &s.opened.instance->at, &total, &s.err));
        CHECK_INT(sum[RK_TASK_FORWARD], total);
        check(&s, "tasks", rk_ex_eval(s.ledger->pool, s.ledger->backward, &s.opened.instance->at, &total, &s.err));
        CHECK_INT(sum[RK_TASK_GRADIENT], total);
        CHECK_INT(sum[RK_TASK_UPDATE], step_of(&s, adamw, false));
        CHECK(moved > 0);
    }
    rk_arena_free(&a);
    rk_memory_free(m);
    close_model(&s);
}

int main(void)
{
    static const char *const family[] = {"llama", "gpt2", "mixtral", "gpt_oss", "deepseek_v3", "gemma2"};

    each_line("tests/golden/training/optimizers.tsv", optimizer_line);
    each_line("tests/golden/training/recompute.tsv", recompute_line);
    check_all_measured();
    for (size_t i = 0; i < N_OF(family); i++) {
        check_nothing_is_left(family[i]);
        check_formulas(family[i]);
        check_tasks(family[i]);
    }
    check_recomputation();
    check_losses();
    check_gradients();
    check_eighths();
    check_fit("gpt2", (rk_i128)10000000000);
    check_fit("tests/golden/h200/llama-1b.config.json", (rk_i128)80 << 30);
    check_fit("gpt2", (rk_i128)1 << 50);
    check_no_fit();
    check_steps();
    return t_done("training");
}
