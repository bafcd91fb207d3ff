/* SPDX-License-Identifier: MIT */
/* The memory of a step: formulas give the bytes, rows add up, limits are kept, what contradicts itself is refused. */
#include "sample.h"
#include "with.h"

#include <dirent.h>

/* ---- opening ---------------------------------------------------------------------------------------------------- */

static int try_open(const char *model, const char *symbols, const reckon_run *run, reckon_memory **out,
                    reckon_error *error)
{
    reckon_request r = {0};

    r.model = model;
    r.symbols = symbols;
    return reckon_memory_open(&r, run, out, NULL, error);
}

static reckon_memory *step(const char *model, const char *symbols, const reckon_run *run)
{
    reckon_memory *m = NULL;
    reckon_error error = {0};

    if (!CHECK(try_open(model, symbols, run, &m, &error) == RECKON_OK))
        printf("  %s: %s\n", model, error.message);
    return m;
}

static bool same(reckon_count a, reckon_count b)
{
    return reckon_count_compare(a, b) == 0;
}

static uint64_t bytes_of(const reckon_memory *m, reckon_bytes which)
{
    uint64_t n = 0;

    CHECK(reckon_count_u64(reckon_memory_total(m, which)->bytes, &n) == RECKON_OK);
    return n;
}

/* ---- known numbers ---------------------------------------------------------------------------------------------- */

typedef struct known {
    const char *model, *symbols;
    reckon_run run;
    uint64_t bytes[RECKON_BYTES_PEAK + 1];
} known;

/* As `reckon memory` has them, which the golden tests compare with PyTorch; and 16 bytes for each of 124,439,808. */
static const known known_steps[] = {
    {"gpt2", "B=2 S=128", {.phase = "train"}, {497759232, 497759232, 995518464, 317481156, 0, 2308518084, 2419252224}},
    {"gpt2",
     "B=2 S=128",
     {.profile = "textbook", .dtype = "bf16", .master = "fp32", .loss = "none"},
     {248879616, 248879616, 1493277696, 125301760, 0, 2116338688, 0}},
    {"llama-3.1-8b",
     "B=32 T=32K",
     {.phase = "decode", .attention = "flash"},
     {16060522496, 0, 0, 0, 137438953472, 153499475968, 155681760768}},
    {"llama-3.1-8b",
     "S=4096",
     {.phase = "prefill", .attention = "flash"},
     {16060522496, 0, 0, 0, 536870912, 16597393408, 17119617024}},
    {"gpt2", /* measured on an H200 */
     "L=3 D=256 N=4 V=1000 B=2 S=96",
     {.dtype = "bf16", .attention = "eager", .loss = "none", .dropout = "config"},
     {0, 0, 0, 9917184, 0, 0, 0}},
    {"qwen3-8b",
     NULL,
     {.lora = 16, .targets = "q,v", .weights = "nf4", .attention = "flash", .recompute = "full"},
     {6427600896, 30670848, 61341696, 0, 0, 0, 0}},
};

static void test_known(void)
{
    for (size_t i = 0; i < sizeof known_steps / sizeof *known_steps; i++) {
        const known *k = &known_steps[i];
        reckon_memory *m = step(k->model, k->symbols, &k->run);

        for (int b = 0; m && b <= RECKON_BYTES_PEAK; b++)
            if (k->bytes[b] && !CHECK(bytes_of(m, (reckon_bytes)b) == k->bytes[b]))
                printf("  %s: case %zu, bytes %d: %llu\n", k->model, i, b,
                       (unsigned long long)bytes_of(m, (reckon_bytes)b));
        reckon_memory_close(&m);
    }
}

/* ---- what adds up ----------------------------------------------------------------------------------------------- */

/* The value of the formula and what is rounded up are the bytes. */
static void check_amount(const char *model, const reckon_amount *a)
{
    reckon_count value = {0, 0};

    if (!a->formula)
        return;
    CHECK(reckon_value(a->formula, &value, NULL) == RECKON_OK);
    CHECK(reckon_count_add(value, a->rounding, &value) == RECKON_OK);
    if (!CHECK(same(value, a->bytes)))
        printf("  %s\n", model);
}

static void check_rows(const char *model, const reckon_memory *m, reckon_rows which, reckon_bytes total)
{
    reckon_count sum = {0, 0}, each, value = {0, 0};

    for (size_t i = 0; i < reckon_memory_row_count(m, which); i++) {
        const reckon_buffer *b = reckon_memory_row_at(m, which, i);

        CHECK(b->path && (b->path[0] || b->what));
        CHECK(reckon_count_multiply(b->bytes, b->times, &each) == RECKON_OK);
        CHECK(reckon_count_add(sum, each, &sum) == RECKON_OK);
        CHECK((b->formula != NULL) == (which != RECKON_ROWS_PEAK));
        if (b->formula)
            CHECK(reckon_value(b->formula, &value, NULL) == RECKON_OK && same(value, b->bytes));
    }
    if (!CHECK(same(sum, reckon_memory_total(m, total)->bytes)))
        printf("  %s: rows %d\n", model, (int)which);
    CHECK(reckon_memory_row_at(m, which, reckon_memory_row_count(m, which)) == NULL);
}

static void check_moments(const char *model, const reckon_memory *m)
{
    size_t n = reckon_memory_moment_count(m);

    CHECK(n > 0 && reckon_memory_moment_at(m, n) == NULL);
    CHECK(same(reckon_memory_moment_at(m, 0)->amount.bytes, reckon_memory_total(m, RECKON_BYTES_PEAK)->bytes));
    for (size_t i = 0; i < n; i++) {
        const reckon_moment *x = reckon_memory_moment_at(m, i);

        CHECK(x->during[0] != '\0');
        check_amount(model, &x->amount);
        if (i > 0)
            CHECK(reckon_count_compare(reckon_memory_moment_at(m, i - 1)->amount.bytes, x->amount.bytes) >= 0);
    }
}

static void check_step(const char *model, const reckon_memory *m)
{
    for (int b = 0; b <= RECKON_BYTES_PEAK; b++)
        check_amount(model, reckon_memory_total(m, (reckon_bytes)b));
    check_rows(model, m, RECKON_ROWS_SAVED, RECKON_BYTES_SAVED);
    check_rows(model, m, RECKON_ROWS_CACHE, RECKON_BYTES_CACHE);
    check_rows(model, m, RECKON_ROWS_PEAK, RECKON_BYTES_PEAK);
    check_moments(model, m);
    CHECK(bytes_of(m, RECKON_BYTES_SUM) == bytes_of(m, RECKON_BYTES_WEIGHTS) + bytes_of(m, RECKON_BYTES_GRADIENTS) +
                                               bytes_of(m, RECKON_BYTES_OPTIMIZER) + bytes_of(m, RECKON_BYTES_SAVED) +
                                               bytes_of(m, RECKON_BYTES_CACHE));
}

/* A training step of every model, and of all others every second one by turns: they take their time. */
static void check_config(const char *path, size_t turn)
{
    static const reckon_run run[] = {{.phase = "train"},
                                     {.recompute = "full", .loss = "fused", .dtype = "bf16", .master = "fp32"},
                                     {.loss = "chunked", .loss_chunk = 4, .optimizer = "muon"},
                                     {.profile = "textbook"},
                                     {.phase = "prefill"},
                                     {.phase = "decode", .attention = "flash"}};

    for (size_t i = 0; i < sizeof run / sizeof *run; i += i == 0 ? 1 + turn % 2 : 2) {
        reckon_memory *m = NULL;
        reckon_error error = {0};
        int code = try_open(path, "B=2", &run[i], &m, &error);

        /* A model without a loss has none to take in chunks, and some decode nothing. */
        if (!CHECK(code == RECKON_OK || (code == RECKON_EINPUT && i > 0 && m == NULL)))
            printf("  %s: step %zu: %s\n", path, i, error.message);
        if (m)
            check_step(path, m);
        reckon_memory_close(&m);
    }
}

static void test_sums(void)
{
    DIR *d = opendir(WITH_TINY);
    size_t n = 0;

    for (struct dirent *e; d && (e = readdir(d));) {
        size_t length = strlen(e->d_name);
        char path[512];

        if (length < 12 || strcmp(e->d_name + length - 12, ".config.json") != 0)
            continue;
        snprintf(path, sizeof path, WITH_TINY "%s", e->d_name);
        if (t_sampled(e->d_name))
            check_config(path, n);
        n++;
    }
    if (d)
        closedir(d);
    CHECK(n > 100);
}

/* ---- the account ------------------------------------------------------------------------------------------------ */

static uint64_t number_of(const reckon_account *a, const char *name)
{
    for (size_t i = 0; i < reckon_symbol_count(a); i++)
        if (strcmp(reckon_symbol_at(a, i)->name, name) == 0)
            return reckon_symbol_at(a, i)->value;
    return 0;
}

/* A sheet of the memory's account evaluates its formulas, where they hold. */
static void check_sheet(const reckon_memory *m)
{
    const reckon_amount *saved = reckon_memory_total(m, RECKON_BYTES_SAVED);
    reckon_memory *other = step("gpt2", "B=5 S=300", NULL);
    reckon_sheet *sheet = NULL;
    reckon_count n = {0, 0};

    CHECK(reckon_sheet_new(reckon_memory_account(m), &saved->formula, 1, &sheet, NULL) == RECKON_OK);
    CHECK(reckon_sheet_set(sheet, "B", 5, NULL) == RECKON_OK && reckon_sheet_set(sheet, "S", 300, NULL) == RECKON_OK);
    CHECK(reckon_sheet_evaluate(sheet, &n, NULL) == RECKON_OK);
    CHECK(other && same(n, reckon_memory_total(other, RECKON_BYTES_SAVED)->bytes));
    reckon_sheet_free(&sheet);
    reckon_memory_close(&other);
}

static void test_account(void)
{
    reckon_run decode = {.phase = "decode"}, again = {.recompute = "full"};
    reckon_memory *m = step("gpt2", "B=2 S=128", NULL), *d = step("gpt2", NULL, &decode), *r;

    CHECK_TEXT(reckon_model_name(reckon_memory_account(m)), "gpt2");
    CHECK(with_value(reckon_memory_recomputed(m)) == 0);
    CHECK_TEXT(reckon_memory_total(m, RECKON_BYTES_SAVED)->holds_for, "B > 1");
    check_sheet(m);
    CHECK(number_of(reckon_memory_account(d), "S") == 1 && number_of(reckon_memory_account(d), "T") == 1024);
    reckon_memory_close(&m);
    reckon_memory_close(&d);
    /* Recomputing the layers is their forward pass once more: all but the head's. */
    r = step("gpt2", "B=2 S=128", &again);
    CHECK(r && with_value(reckon_memory_recomputed(r)) ==
                   with_total(reckon_memory_account(r), RECKON_FORWARD) - UINT64_C(2) * 2 * 128 * 768 * 50257);
    reckon_memory_close(&r);
}

/* ---- the largest batch ------------------------------------------------------------------------------------------ */

static uint64_t bytes_at(const char *model, const char *profile, uint64_t b)
{
    reckon_run run = {.profile = profile};
    char symbols[64];
    reckon_memory *m;
    uint64_t n = 0;

    snprintf(symbols, sizeof symbols, "B=%llu S=64", (unsigned long long)b);
    m = step(model, symbols, &run);
    if (m)
        n = bytes_of(m, profile ? RECKON_BYTES_SUM : RECKON_BYTES_PEAK);
    reckon_memory_close(&m);
    return n;
}

static void check_fit(const char *profile, uint64_t limit)
{
    reckon_run run = {.profile = profile, .within = limit};
    reckon_memory *m = step("gpt2", "S=64", &run);
    const reckon_fit *f = reckon_memory_fit(m);

    if (!CHECK(f != NULL))
        return;
    CHECK(f->limit.low == limit && f->largest.low >= 1 && f->next_known);
    CHECK(f->bytes.low <= limit && f->next.low > limit);
    CHECK(f->bytes.low == bytes_at("gpt2", profile, f->largest.low));
    CHECK(f->next.low == bytes_at("gpt2", profile, f->largest.low + 1));
    CHECK(f->bytes.low == bytes_of(m, profile ? RECKON_BYTES_SUM : RECKON_BYTES_PEAK));
    CHECK(number_of(reckon_memory_account(m), "B") == f->largest.low);
    reckon_memory_close(&m);
}

static void test_fit(void)
{
    reckon_run small = {.within = 1000};
    reckon_memory *m = step("gpt2", "S=64", &small), *plain = step("gpt2", "S=64", NULL);
    reckon_error error = {0};

    check_fit(NULL, UINT64_C(8) << 30);
    check_fit("textbook", UINT64_C(8000000000));
    CHECK(reckon_memory_fit(plain) == NULL);
    CHECK(m && reckon_memory_fit(m)->largest.low == 0 && number_of(reckon_memory_account(m), "B") == 1);
    reckon_memory_close(&m);
    reckon_memory_close(&plain);
    CHECK_INT(try_open("gpt2", "B=2", &small, &m, &error), RECKON_EUSAGE);
    CHECK_HAS(error.message, "within finds B");
}

/* ---- what is refused -------------------------------------------------------------------------------------------- */

typedef struct refusal {
    reckon_run run;
    int code;
    const char *says;
} refusal;

static void test_refused(void)
{
    static const refusal wrong[] = {
        {{.phase = "trian"},
         RECKON_EUSAGE,
         "phase is not 'trian' but one of train|prefill|decode; did you mean 'train'"},
        {{.dtype = "int8"}, RECKON_EUSAGE, "dtype is not 'int8'"},
        {{.weights = "q4k"}, RECKON_EUSAGE, "did you mean 'q4_k'"},
        {{.optimizer = ""}, RECKON_EUSAGE, "optimizer is not ''"},
        {{.phase = "decode", .optimizer = "sgd"}, RECKON_EUSAGE, "optimizer: this is of a training step"},
        {{.phase = "prefill", .accumulate = 2}, RECKON_EUSAGE, "accumulate: this is of a training step"},
        {{.phase = "prefill", .dtype = "fp8"}, RECKON_EUSAGE, "weights fp8"},
        {{.phase = "prefill", .freeze = "embed"}, RECKON_EUSAGE, "nothing is"},
        {{.phase = "prefill", .dropout = "config"}, RECKON_EUSAGE, "dropout: this is of a training step"},
        {{.kv_dtype = "fp8"}, RECKON_EUSAGE, "kv_dtype is about a cache"},
        {{.master = "fp32"}, RECKON_EUSAGE, "in fp32 already"},
        {{.grad_dtype = "bf16"}, RECKON_EUSAGE, "narrower than their weights"},
        {{.loss = "chunked"}, RECKON_EUSAGE, "how many tokens at a time"},
        {{.loss_chunk = 8}, RECKON_EUSAGE, "loss chunked or loss fused"},
        {{.recompute = "selective", .attention = "flash"}, RECKON_EUSAGE, "saves no scores"},
        {{.recompute = "none", .recompute_every = 2}, RECKON_EUSAGE, "of recompute full"},
        {{.profile = "textbook", .attention = "flash"}, RECKON_EUSAGE, "attention flash: a derivation by hand"},
        {{.profile = "textbook", .loss = "fused"}, RECKON_EUSAGE, "loss fused: a derivation by hand"},
        {{.targets = "q"}, RECKON_EUSAGE, "lora, their rank, is missing"},
        {{.lora = 8, .targets = "nothing"}, RECKON_EINPUT, "nothing"},
        {{.phase = "decode", .kv_dtype = "q8_0", .weights = "q6_k"}, RECKON_OK, NULL},
    };

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        reckon_memory *m = NULL;
        reckon_error error = {0};

        if (!CHECK_INT(try_open("gpt2", NULL, &wrong[i].run, &m, &error), wrong[i].code))
            printf("  case %zu: %s\n", i, error.message);
        if (wrong[i].says)
            CHECK_HAS(error.message, wrong[i].says);
        CHECK((m != NULL) == (wrong[i].code == RECKON_OK));
        reckon_memory_close(&m);
    }
}

static void test_models_refused(void)
{
    reckon_run decode = {.phase = "decode"};
    reckon_request text = {.model_text = "model x: \"\"\nrun B\nlet D = 4\nincoming x[B D]\noutput x\n"};
    reckon_request wrong = {.model_text = "model x: \"\"\nincoming x[B D]\noutput y\n"};
    reckon_memory *m = NULL;
    reckon_error error = {0};
    char *mistakes = NULL;

    CHECK_INT(try_open("gpt2-xll", NULL, NULL, &m, &error), RECKON_EINPUT);
    CHECK_HAS(error.message, "did you mean 'gpt2-xl'");
    CHECK_INT(try_open(WITH_TINY "bert.config.json", NULL, &decode, &m, &error), RECKON_EINPUT);
    CHECK_HAS(error.message, "there is no decoding");
    CHECK_INT(try_open("gpt2", "S=10 T=5", &decode, &m, &error), RECKON_EINPUT);
    CHECK_HAS(error.message, "T = 5 keys cannot be seen by S = 10 new tokens");
    CHECK_INT(reckon_memory_open(&text, NULL, &m, NULL, &error), RECKON_EVALUE);
    CHECK_HAS(error.message, "B");
    CHECK_INT(reckon_memory_open(&wrong, NULL, &m, &mistakes, &error), RECKON_EINPUT);
    CHECK(mistakes != NULL && strstr(mistakes, "^") != NULL);
    CHECK(m == NULL);
    reckon_text_free(&mistakes);
}

/* ---- NULL ------------------------------------------------------------------------------------------------------- */

static void test_null(void)
{
    reckon_request r = {.model = "gpt2"};
    reckon_memory *m = NULL;

    CHECK_INT(reckon_memory_open(NULL, NULL, &m, NULL, NULL), RECKON_EUSAGE);
    CHECK_INT(reckon_memory_open(&r, NULL, NULL, NULL, NULL), RECKON_EUSAGE);
    CHECK(!reckon_memory_account(NULL) && !reckon_memory_total(NULL, RECKON_BYTES_PEAK) && !reckon_memory_fit(NULL));
    CHECK(!reckon_memory_recomputed(NULL) && !reckon_memory_row_at(NULL, RECKON_ROWS_PEAK, 0));
    CHECK(!reckon_memory_moment_at(NULL, 0) && reckon_memory_moment_count(NULL) == 0);
    CHECK(!reckon_memory_rank(NULL) && !reckon_memory_sent_at(NULL, 0) && reckon_memory_sent_count(NULL) == 0);
    CHECK(reckon_memory_row_count(NULL, RECKON_ROWS_PEAK) == 0);
    m = step("gpt2", "S=8", NULL);
    CHECK(!reckon_memory_total(m, (reckon_bytes)99) && reckon_memory_row_count(m, (reckon_rows)99) == 0);
    reckon_memory_close(&m);
    reckon_memory_close(&m);
    reckon_memory_close(NULL);
    CHECK(m == NULL);
}

/* ---- over devices ----------------------------------------------------------------------------------------------- */

static int try_rank(const char *layout, reckon_memory **out, reckon_error *error)
{
    reckon_request r = {.model = "gpt2", .symbols = "B=2 S=128", .layout = layout};

    return reckon_memory_open(&r, NULL, out, NULL, error);
}

/* A rank has its part of what one device has, as a formula with the sizes of the axes; and what it sends. */
static void test_ranks(void)
{
    reckon_memory *one = step("gpt2", "B=2 S=128", NULL), *m = NULL;
    reckon_request r = {.model = "gpt2", .symbols = "B=2 S=128", .layout = "tp=2"};
    reckon_account *account = NULL, *whole = NULL;
    reckon_count flops = {0, 0}, all = {0, 0};
    reckon_error error = {0};
    char *formula = NULL;

    CHECK(!reckon_memory_rank(one) && reckon_memory_sent_count(one) == 0 && !reckon_memory_sent_at(one, 0));
    CHECK_INT(try_rank("fsdp=4 --compute fp32 --rank 3", &m, &error), RECKON_OK);
    if (m) {
        const reckon_sent *s = reckon_memory_sent_at(m, 0);

        CHECK(reckon_memory_rank(m)->rank == 3 && reckon_memory_rank(m)->devices == 4);
        CHECK_TEXT(reckon_memory_rank(m)->runtime, "torch");
        CHECK(4 * bytes_of(m, RECKON_BYTES_WEIGHTS) <= bytes_of(one, RECKON_BYTES_WEIGHTS)); /* the last has least */
        CHECK(bytes_of(m, RECKON_BYTES_PEAK) < bytes_of(one, RECKON_BYTES_PEAK));
        CHECK(reckon_memory_sent_count(m) > 0 && !reckon_memory_sent_at(m, reckon_memory_sent_count(m)));
        CHECK_TEXT(s->operation, "all_gather");
        CHECK_TEXT(s->group, "fsdp");
        CHECK_TEXT(s->phase, "fwd");
        CHECK(s->size == 4 && s->number_bytes == 4 && s->elements.low > 0 && s->times.low > 0);
        CHECK(reckon_formula(s->formula, RECKON_TEXT, &formula, NULL) == RECKON_OK && strstr(formula, "fsdp"));
    }
    reckon_text_free(&formula);
    reckon_memory_close(&m);
    reckon_memory_close(&one);

    CHECK_INT(reckon_open(&r, &account, NULL, &error), RECKON_OK);
    r.layout = NULL;
    CHECK_INT(reckon_open(&r, &whole, NULL, &error), RECKON_OK);
    CHECK(reckon_value(reckon_total(account, RECKON_STEP), &flops, NULL) == RECKON_OK &&
          reckon_value(reckon_total(whole, RECKON_STEP), &all, NULL) == RECKON_OK);
    CHECK(2 * flops.low >= all.low && 2 * flops.low < all.low + all.low / 100); /* a vocabulary of 50,257 rows */
    reckon_close(&account);
    reckon_close(&whole);
}

static void test_layouts_refused(void)
{
    static const struct {
        const char *layout;
        int code;
        const char *says;
    } wrong[] = {
        {"tp=8", RECKON_EINPUT, "tp=8: N = 12 (heads) does not divide by that"},
        {"fsdp=4 --rank 4", RECKON_EUSAGE, "--rank 4: there are 4 devices"},
        {"fsdp=4 rank 3", RECKON_EUSAGE, "'rank' is no option of it"},
        {"fsdp=4 --layout fsdp=2", RECKON_EUSAGE, "'--layout' is no option of it"},
        {"fsdp=4 --rank", RECKON_EUSAGE, "--rank needs a word"},
        {"fsdp=4 --compute bf17", RECKON_EUSAGE, "'bf17'"},
        {"--rank 3", RECKON_EUSAGE, "--rank"},
        {"ep=2", RECKON_EINPUT, "nothing that could lie over ep"},
    };
    reckon_request r = {.model = WITH_TINY "llama.config.json", .layout = "tp=2"};
    reckon_stored *stored = NULL;
    reckon_verify *v = NULL;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        reckon_memory *m = NULL;
        reckon_error error = {0};

        CHECK_INT(try_rank(wrong[i].layout, &m, &error), wrong[i].code);
        CHECK_HAS(error.message, wrong[i].says);
        reckon_memory_close(&m);
    }
    if (reckon_stored_open("examples/checkpoint", &stored, NULL) == RECKON_OK)
        CHECK_INT(reckon_verify_new(&r, stored, &v, NULL, NULL), RECKON_EUSAGE);
    reckon_stored_close(&stored);
}

int main(void)
{
    test_ranks();
    test_layouts_refused();
    test_known();
    test_sums();
    test_account();
    test_fit();
    test_refused();
    test_models_refused();
    test_null();
    return t_done("api step");
}
