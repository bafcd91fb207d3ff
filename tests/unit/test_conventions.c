/* SPDX-License-Identifier: MIT */
/* What others count: their figures for known models, and that the lines of each add up to its difference. */
#include "account/ledger.h"
#include "ask/convention_memory.h"
#include "ask/conventions.h"
#include "plan/open.h"
#include "sample.h"
#include "t.h"

static const rk_library library;

/* A model with its conventions; `text`: a model file in memory instead of a name. */
typedef struct asked {
    rk_arena arena;
    rk_instance *model;
    rk_conventions all;
} asked;

static bool ask(const char *name, const char *text, rk_i128 s, const rk_convention_setup *setup, asked *out)
{
    rk_setting set[] = {{.name = "S", .value = s}};
    rk_open_request r = {.word = &name, .n_word = text ? 0 : 1, .setting = set, .n_setting = s > 0 ? 1 : 0};
    rk_str mistakes = {0};
    rk_err err = {0};

    *out = (asked){0};
    r.mistakes = &mistakes;
    if (text)
        r.model = (rk_text){name, text, strlen(text)};
    if (!CHECK_INT(rk_open(&r, &out->model, &err), RK_OK) ||
        !CHECK_INT(rk_conventions_new(&out->arena, &library, out->model, setup, &out->all, &err), RK_OK))
        printf("    %s: %s\n%s\n", name, err.message, rk_str_text(&mistakes));
    rk_str_free(&mistakes);
    return out->all.n > 0;
}

static void leave(asked *q)
{
    rk_arena_free(&q->arena);
    rk_instance_free(q->model);
}

static const rk_named_convention *find(const asked *q, const char *name)
{
    for (size_t i = 0; i < q->all.n; i++)
        if (strcmp(q->all.at[i].name, name) == 0)
            return &q->all.at[i];
    printf("    no convention %s\n", name);
    CHECK(false);
    return &q->all.at[0];
}

static rk_i128 counted(const asked *q, const char *name)
{
    const rk_named_convention *c = find(q, name);

    if (!CHECK(!c->not_for))
        printf("    %s: %s\n", name, c->not_for);
    return c->n_counted;
}

static const rk_convention_line *line_of(const asked *q, const char *name, rk_row_class class)
{
    static const rk_convention_line none = {.why = ""};
    const rk_named_convention *c = find(q, name);

    for (size_t i = 0; i < c->n_line; i++)
        if (c->line[i].class == class)
            return &c->line[i];
    CHECK(false);
    return &none;
}

/* ---- ratios to the reference ------------------------------------------------------------------------------------ */

#define N_GOLDEN 5

/* The models, their lengths, and four digits of the reference. */
static const struct {
    const char *name;
    int s;
    rk_i128 reference, unit;
} golden[N_GOLDEN] = {
    {"gpt2", 1024, 29165, 10000000},          {"llama-2-7b", 4096, 62921, 1000000000},
    {"llama-3-8b", 8192, 15814, 10000000000}, {"mixtral-8x7b-v0.1", 4096, 11323, 10000000000},
    {"gpt-3-175b", 2048, 73480, 10000000000},
};

/* Thousandths, worked out from the formulas apart from this program; 0: none is known, -1: it does not apply. */
static const struct {
    const char *name;
    int ratio[N_GOLDEN];
} wanted[] = {
    {"exact", {934, 930, 889, 961, 987}},         {"2nd", {874, 877, 832, 3379, 973}},
    {"kaplan", {663, 913, 834, 952, 983}},        {"6nd", {874, 877, 832, 3379, 973}},
    {"palm", {1006, 1017, 1054, 3456, 1000}},     {"llm.c", {940, 947, 943, 3418, 987}},
    {"torchtitan", {0, 1000, 1000, -1, 1000}},    {"megatron", {934, 930, 889, 961, 987}},
    {"train-6", {934, 930, 889, 961, 987}},       {"megatron-2021", {1243, 1322, 1241, 735, 1332}},
    {"train-12", {1000, 1000, 1000, 1000, 1000}}, {"torch-fused", {1022, 1023, 1037, 1013, 1004}},
};

static void check_ratio(const asked *q, const char *name, int thousandths)
{
    const rk_named_convention *c = find(q, name);

    if (thousandths == 0)
        return;
    if (!CHECK((c->not_for != NULL) == (thousandths < 0)) ||
        (!c->not_for && !CHECK_INT((c->n_counted * 1000 + c->n_reference / 2) / c->n_reference, thousandths)))
        printf("    %s of %s\n", name, q->model->model->name);
}

static void check_ratios(void)
{
    for (size_t i = 0; i < N_GOLDEN; i++) {
        rk_i128 half = golden[i].unit / 2;
        asked q;

        if (ask(golden[i].name, NULL, golden[i].s, NULL, &q)) {
            CHECK_INT((q.all.n_reference + half) / golden[i].unit, golden[i].reference);
            for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
                check_ratio(&q, wanted[k].name, wanted[k].ratio[i]);
        }
        leave(&q);
    }
}

/* ---- figures ---------------------------------------------------------------------------------------------------- */

/* GPT-2 as nanoGPT has it: no bias anywhere. */
static const char nanogpt[] = "model nanogpt: \"GPT-2 without biases\"\n"
                              "use blocks/common.rk\n"
                              "let L = 12 \"layers\"\n"
                              "let D = 768 \"width\"\n"
                              "let V = 50257 \"vocabulary\"\n"
                              "let N = 12 \"heads\"\n"
                              "let H = D / N \"head width\"\n"
                              "let F = 4 * D \"FFN width\"\n"
                              "let C = 1024 \"positions\"\n"
                              "run B = 1 \"sequences\"\n"
                              "run S = 1024 \"tokens\"\n"
                              "let T = S \"keys\"\n"
                              "input ids[B S]\n"
                              "tie .head.weight to .wte.weight\n"
                              "part embed:\n"
                              "    tokens = lookup(ids, .wte.weight[V D])\n"
                              "    places = lookup(position(S), .wpe.weight[C D])\n"
                              "    x[B S D] = tokens + places\n"
                              "part layers[i < L] at h.{i}:\n"
                              "    part attention:\n"
                              "        a = layernorm(x, .ln_1.weight[D])\n"
                              "        q[B S N H] = a[B S D] * .q.weight[(N H) D]\n"
                              "        k[B S N H] = a[B S D] * .k.weight[(N H) D]\n"
                              "        v[B S N H] = a[B S D] * .v.weight[(N H) D]\n"
                              "        keep k, v over S as T within causal\n"
                              "        context = attend(q, k, v, causal)\n"
                              "        y[B S D] = context[B S N H] * .o.weight[D (N H)]\n"
                              "        x = x + y\n"
                              "    part ffn:\n"
                              "        a = layernorm(x, .ln_2.weight[D])\n"
                              "        up[B S F] = a[B S D] * .fc.weight[F D]\n"
                              "        h = gelu(up)\n"
                              "        y[B S D] = h[B S F] * .proj.weight[D F]\n"
                              "        x = x + y\n"
                              "part head:\n"
                              "    final = layernorm(x, .ln_f.weight[D])\n"
                              "    logits[B S V] = final[B S D] * .head.weight[V D]\n"
                              "output logits\n";

static void check_nanogpt(void)
{
    asked q;

    if (ask("nanogpt.rk", nanogpt, 0, NULL, &q)) {
        CHECK_INT(counted(&q, "2nd"), (rk_i128)2 * 124337664 * 1024);
        CHECK_INT(counted(&q, "nanogpt"), 291648307200);
        CHECK_INT(q.all.n_reference, 291648307200);
        CHECK_INT(counted(&q, "train-12"), 874944921600);
        CHECK_INT(counted(&q, "palm"), 879894724608);
        CHECK_INT(counted(&q, "nanogpt-mfu"), 875062886400);
        CHECK_TEXT(find(&q, "nanogpt-mfu")->why, "norms: counted as products");
    }
    leave(&q);
}

/* One head of width 1, so that scores and context together are four for each pair. */
static const char windowed[] = "model windowed: \"one head that sees a window\"\n"
                               "use blocks/common.rk\n"
                               "let D = 1 \"width\"\n"
                               "let N = 1 \"heads\"\n"
                               "run B = 1 \"sequences\"\n"
                               "run S = 8192 \"tokens\"\n"
                               "let T = S \"keys\"\n"
                               "input x[B S D]\n"
                               "part attention:\n"
                               "    q[B S N D'] = x[B S D] * .q.weight[(N D') D]\n"
                               "    k[B S N D'] = x[B S D] * .k.weight[(N D') D]\n"
                               "    v[B S N D'] = x[B S D] * .v.weight[(N D') D]\n"
                               "    keep k, v over S as T within window(1024)\n"
                               "    y = attend(q, k, v, window(1024))\n"
                               "output y\n";

static void check_windows(void)
{
    static const struct {
        const char *name;
        rk_i128 pairs;
    } row[] = {{"exact", 7864832},
               {"causal-half", 33554432},
               {"window-half", 4194304},
               {"window", 8388608},
               {"nanogpt", 67108864}};
    asked q;

    if (ask("windowed.rk", windowed, 0, NULL, &q))
        for (size_t i = 0; i < sizeof row / sizeof *row; i++)
            CHECK_INT(line_of(&q, row[i].name, RK_ROWS_SCORES)->n_counted, 4 * row[i].pairs);
    leave(&q);
}

/* Papers, in numbers worked out beside this program. */
static void check_papers(void)
{
    const rk_i128 s = 1024, h = 768, f = 3072, a = 12, l = 12, v = 50257;
    asked q;

    if (ask("gpt2", NULL, 1024, NULL, &q)) {
        CHECK_INT(counted(&q, "chinchilla"),
                  2 * s * v * h + l * (6 * s * h * h + 4 * s * s * h + 3 * a * s * s + 2 * s * h * h + 4 * s * h * f) +
                      2 * s * h * v);
        CHECK_INT(counted(&q, "kaplan-table"),
                  s * (4 * h + 2 * l * h * 3 * h + 2 * l * s * h + 2 * l * h * h + 2 * l * 2 * h * f + 2 * h * v));
        CHECK_INT(counted(&q, "mambaout"), l * (24 * h * h * s + 4 * h * s * s));
        CHECK_INT(counted(&q, "nanotron"), 3 * (counted(&q, "nanogpt") + l * 2 * s * h * f)); /* a third matrix */
        CHECK_INT(counted(&q, "llm-analysis"), l * (8 * s * h * h + 4 * s * s * h + 4 * s * h * f) + 2 * s * h * v);
        CHECK_INT(counted(&q, "cookbook"), 3 * l * (8 * s * h * h + 4 * s * s * h + 16 * s * h * h) + 2 * s * h * v);
        CHECK_INT(line_of(&q, "megatron", RK_ROWS_HEAD)->n_counted, 6 * s * h * 50304);
        CHECK_INT(counted(&q, "thop") * 2, counted(&q, "nanogpt") - 4 * l * s * s * h);
        CHECK_INT(counted(&q, "ptflops"), counted(&q, "thop"));
        CHECK_INT(counted(&q, "fvcore") - counted(&q, "thop"), 5 * (2 * l + 1) * s * h);
        CHECK_INT(counted(&q, "train-7") * 12 - counted(&q, "train-12") * 12, -5 * l * h * s * s * 12);
    }
    leave(&q);
}

/* Grouped heads, a gated FFN and experts: shares of keys, widths and choices come from the equations. */
static void check_shapes(void)
{
    const rk_i128 s = 4096, h = 4096, l = 32, f = 14336, v = 32000;
    asked q;

    if (ask("mixtral-8x7b-v0.1", NULL, 4096, NULL, &q)) {
        CHECK_INT(counted(&q, "llm-analysis"),
                  l * (4 * s * h * h + 4 * s * h * h / 4 + 4 * s * s * h + 6 * s * h * f) + 2 * s * h * v);
        CHECK_TEXT(line_of(&q, "palm", RK_ROWS_EXPERTS)->why, "all 8 instead of the 2 chosen");
        CHECK_TEXT(line_of(&q, "llm-analysis", RK_ROWS_EXPERTS)->why, "one instead of the 2 chosen");
        CHECK_TEXT(line_of(&q, "palm", RK_ROWS_LOOKUP)->why, "counted as products");
        CHECK_TEXT(line_of(&q, "megatron", RK_ROWS_ROUTER)->why, "not counted");
        CHECK_TEXT(find(&q, "torchtitan")->not_for, "the formula is of models without experts");
        CHECK_TEXT(find(&q, "nanogpt-mfu")->not_for, "the formula is of models without experts");
        CHECK_TEXT(find(&q, "chinchilla")->not_for, "the formula is of models without experts");
    }
    leave(&q);
    if (ask("llama-3-8b", NULL, 4096, NULL, &q)) {
        CHECK_INT(line_of(&q, "cookbook", RK_ROWS_FFN)->n_counted, 3 * l * 3 * 2 * s * h * 4 * h);
        CHECK_INT(line_of(&q, "cookbook", RK_ROWS_ATTENTION)->n_counted,
                  3 * l * (2 * s * h * h * 3 / 2 + 2 * s * h * h));
        CHECK_INT(counted(&q, "nanotron"), 3 * q.all.n_reference);
        CHECK_INT(line_of(&q, "chinchilla", RK_ROWS_ATTENTION)->n_counted, l * 8 * s * h * h);
        CHECK_INT(line_of(&q, "chinchilla", RK_ROWS_FFN)->n_counted, l * 4 * s * h * f);
        CHECK_INT(line_of(&q, "kaplan-table", RK_ROWS_FFN)->n_counted, l * 4 * s * h * f);
    }
    leave(&q);
}

/* Multi-latent attention: the norms of the two latents count one more for each of their elements. */
static void check_latent(void)
{
    const rk_i128 s = 4096, h = 7168, a = 128, rq = 1536, rkv = 512, dn = 128, dr = 64, dv = 128, l = 61;
    rk_i128 projections = 6 * (rq * (h + a * (dn + dr) + 1) + rkv * (h + a * (dn + dv) + 1) + h * dr + a * dv * h);
    rk_i128 products = 6 * (s * a * (dn + dr) / 2 + s * a * dv / 2);
    asked q;

    if (ask("deepseek-v3", NULL, 4096, NULL, &q)) {
        CHECK_INT(line_of(&q, "megatron", RK_ROWS_ATTENTION)->n_counted +
                      line_of(&q, "megatron", RK_ROWS_LATENT)->n_counted,
                  s * l * projections);
        CHECK_INT(line_of(&q, "megatron", RK_ROWS_SCORES)->n_counted, s * l * products);
        CHECK_INT(counted(&q, "kept"), 70272);
        CHECK_INT(counted(&q, "key-value"), 2 * l * a * (dn + dr + dv));
    }
    leave(&q);
}

/* ---- bytes ------------------------------------------------------------------------------------------------------ */

static void check_bytes(void)
{
    const rk_i128 n = 124439808, b = 1, s = 1024, h = 768, a = 12, f = 3072, layer = 50257 * h; /* the table */
    static const rk_convention_setup eight = {.bytes = 2, .shards = 8, .tensor = 8};
    asked q;

    if (ask("gpt2", NULL, 1024, NULL, &q)) {
        CHECK_INT(counted(&q, "zero"), 16 * n);
        CHECK_INT(counted(&q, "megatron-bytes"), 18 * n);
        CHECK_INT(counted(&q, "zero-2"), 20 * n);
        CHECK_INT(counted(&q, "zero-3"), 18 * n + 4 * layer);
        CHECK_INT(counted(&q, "fp32"), 16 * n);
        CHECK_INT(counted(&q, "accelerate-fp32"), 16 * n);
        CHECK_INT(counted(&q, "accelerate-fp16"), 8 * n);
        CHECK_INT(counted(&q, "korthikanti"), s * b * (34 * h + 5 * a * s));
        CHECK_INT(counted(&q, "korthikanti-full"), 2 * s * b * h);
        CHECK_INT(counted(&q, "megatron-report"), s * b * (18 * h + 4 * f));
        CHECK_INT(counted(&q, "by-hand"), 4 * (17 * b * s * h + 2 * b * a * s * s + b * a * s + 2 * b * s));
        CHECK_INT(counted(&q, "kept"), 2 * 2 * 12 * h);
    }
    leave(&q);
    if (ask("gpt2", NULL, 1024, &eight, &q)) {
        CHECK_INT(counted(&q, "megatron-shared"), 6 * n + 12 * n / 8);
        CHECK_INT(counted(&q, "zero-2"), 2 * n + 18 * n / 8);
        CHECK_INT(counted(&q, "zero-3"), 18 * n / 8 + 4 * layer);
        CHECK_INT(counted(&q, "korthikanti"), s * b * (10 * h + 24 * h / 8 + 5 * a * s / 8));
        CHECK_INT(counted(&q, "korthikanti-sequence"), s * b * (34 * h + 5 * a * s) / 8);
        CHECK_INT(counted(&q, "korthikanti-selective"), 34 * s * b * h / 8);
        CHECK_INT(counted(&q, "megatron-plain"), s * b * (10 * h + 24 * h / 8));
    }
    leave(&q);
}

/* ---- every model ------------------------------------------------------------------------------------------------ */

static void check_sums(const asked *q, const rk_named_convention *c)
{
    rk_i128 difference = 0, times = c->of == RK_OF_TRAINING ? 3 : 1;
    rk_binding at = q->model->at;
    rk_i128 n = 0;

    for (size_t i = 0; i < c->n_line; i++) {
        difference += c->line[i].n_difference;
        CHECK((c->line[i].why[0] == '\0') == (c->line[i].n_difference == 0));
        CHECK(rk_ex_eval(q->model->pool, c->line[i].difference, &at, &n, NULL) == RK_OK &&
              n == c->line[i].n_difference);
    }
    if (!CHECK_INT(difference, c->n_counted - c->n_reference) ||
        (!rk_convention_is_memory(c) && !CHECK_INT(c->n_reference, times * q->all.n_reference)))
        printf("    %s of %s\n", c->name, q->model->model->name);
    CHECK(rk_ex_eval(q->model->pool, c->counted, &at, &n, NULL) == RK_OK && n == c->n_counted);
}

/* The reference is the ledger's own total, and parameters by class are all that the ledger has. */
static void check_ledger(const asked *q)
{
    rk_binding at = q->model->at;
    rk_convention c = {0}, torch = {.count = RK_COUNT_TORCH}, all = {.count = RK_COUNT_ALL, .pairs = RK_PAIRS_SQUARE};
    const rk_convention *way[] = {&c, &torch, &all};
    const rk_i128 want[] = {q->all.n_reference, counted(q, "torch"), counted(q, "every-op")};

    for (size_t i = 0; i < 3; i++) {
        rk_ledger *l = NULL;
        rk_i128 n = 0;

        if (!CHECK_INT(rk_ledger_new(q->model, way[i], &l, NULL), RK_OK))
            continue;
        CHECK(rk_ex_eval(q->model->pool, l->forward, &at, &n, NULL) == RK_OK);
        if (!CHECK_INT(want[i], n))
            printf("    %s\n", q->model->model->name);
        rk_ledger_free(l);
    }
}

static void check_model(const char *name)
{
    size_t n_applies = 0;
    asked q;

    if (ask(name, NULL, 0, NULL, &q)) {
        for (size_t i = 0; i < q.all.n; i++) {
            const rk_named_convention *c = &q.all.at[i];

            CHECK(c->not_for ? c->not_for[0] != '\0' : true);
            if (c->not_for)
                continue;
            n_applies++;
            check_sums(&q, c);
        }
        CHECK(n_applies > 10);
        check_ledger(&q);
    }
    leave(&q);
}

static void check_models(void)
{
    rk_library_entry *entry = NULL;
    rk_arena a = {0};
    size_t n = 0, n_config = 0;

    CHECK_INT(rk_library_list(&library, &a, &entry, &n, NULL), RK_OK);
    for (size_t i = 0; i < n; i++)
        if (entry[i].is_config) {
            if (t_sampled(entry[i].name))
                check_model(entry[i].name);
            n_config++;
        }
    CHECK(n_config > 100);
    rk_arena_free(&a);
}

/* ---- names and files -------------------------------------------------------------------------------------------- */

static void check_names(void)
{
    const rk_named_convention *c = NULL;
    rk_err err = {0};
    asked q;

    if (ask("gpt2", NULL, 0, NULL, &q)) {
        CHECK_INT(rk_conventions_find(&q.all, "palm", false, &c, &err), RK_OK);
        CHECK_TEXT(c ? c->name : NULL, "palm");
        CHECK_INT(rk_conventions_find(&q.all, "kaplam", false, &c, &err), RK_EUSAGE);
        CHECK_TEXT(err.message, "no convention is called 'kaplam' (--as all lists them); did you mean 'kaplan'?");
        CHECK_INT(rk_conventions_find(&q.all, "zero", false, &c, &err), RK_EUSAGE);
        CHECK_TEXT(err.message, "'zero' is a rule for bytes: reckon memory MODEL --as knows it");
        CHECK_INT(rk_conventions_find(&q.all, "palm", true, &c, &err), RK_EUSAGE);
    }
    leave(&q);
}

/* Whichever allocation fails, it is said, and nothing is left behind. */
static void check_memory_failing(void)
{
    asked q;
    const char *name = "gpt2";
    int code = RK_ENOMEM;

    if (!ask("gpt2", NULL, 0, NULL, &q))
        return;
    for (long n = 0; code != RK_OK && n < 100000; n++) {
        rk_open_request r = {.word = &name, .n_word = 1};
        rk_conventions all = {0};
        rk_instance *m = NULL;
        rk_arena a = {0};

        CHECK_INT(rk_open(&r, &m, NULL), RK_OK);
        rk_heap_fail_after(n);
        code = rk_conventions_new(&a, &library, m, NULL, &all, NULL);
        rk_heap_fail_after(-1);
        CHECK(code == RK_OK || (code == RK_ENOMEM && all.n == 0));
        rk_arena_free(&a);
        rk_instance_free(m);
    }
    CHECK_INT(code, RK_OK);
    leave(&q);
}

int main(void)
{
    check_memory_failing();
    check_ratios();
    check_nanogpt();
    check_windows();
    check_papers();
    check_shapes();
    check_latent();
    check_bytes();
    check_models();
    check_names();
    return t_done("conventions");
}
