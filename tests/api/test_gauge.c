/* SPDX-License-Identifier: MIT */
/* Gauges: they read what an account and a memory have when they are opened at these numbers. */
#include "with.h"

enum {
    N_COUNT = 6,
    N_BYTES = 6
};

/* In the order of these two lists: the totals of an account, and those of a memory. */
static const char counts[] = "params,params.named,params.active,flops,flops.backward,flops.step";
static const reckon_quantity count_of[N_COUNT] = {RECKON_STORED,  RECKON_NAMED,    RECKON_ACTIVE,
                                                  RECKON_FORWARD, RECKON_BACKWARD, RECKON_STEP};
static const char bytes[] = "memory.weights,memory.gradients,memory.optimizer,memory.saved,memory.cache,memory.peak";
static const reckon_bytes bytes_of[N_BYTES] = {RECKON_BYTES_WEIGHTS, RECKON_BYTES_GRADIENTS, RECKON_BYTES_OPTIMIZER,
                                               RECKON_BYTES_SAVED,   RECKON_BYTES_CACHE,     RECKON_BYTES_PEAK};

static reckon_gauge *gauge(const char *model, const char *fixed, const reckon_run *run, const char *quantities,
                           const char *symbols)
{
    reckon_request r = {0};
    reckon_gauge *g = NULL;
    reckon_error error = {0};

    r.model = model;
    r.symbols = fixed;
    if (!CHECK(reckon_gauge_new(&r, run, quantities, symbols, &g, &error) == RECKON_OK))
        printf("  %s: %s\n", model, error.message);
    return g;
}

static bool is_one(reckon_count n)
{
    return n.low == 1 && n.high == 0;
}

/* ---- against opening anew --------------------------------------------------------------------------------------- */

static void check_account(const char *model, const char *symbols, const reckon_reading *got)
{
    reckon_account *a = with(model, NULL, symbols);

    for (int i = 0; a && i < N_COUNT; i++) {
        reckon_count want = {0, 0};

        CHECK(reckon_value(reckon_total(a, count_of[i]), &want, NULL) == RECKON_OK);
        if (!CHECK(reckon_count_compare(got[i].over, want) == 0 && is_one(got[i].under)))
            printf("  %s %s: count %d\n", model, symbols, i);
    }
    reckon_close(&a);
}

static void check_memory(const char *model, const char *symbols, const reckon_run *run, const reckon_reading *got)
{
    reckon_request r = {.model = model, .symbols = symbols};
    reckon_memory *m = NULL;

    if (!CHECK(reckon_memory_open(&r, run, &m, NULL, NULL) == RECKON_OK))
        return;
    for (int i = 0; i < N_BYTES; i++)
        if (!CHECK(reckon_count_compare(got[i].over, reckon_memory_total(m, bytes_of[i])->bytes) == 0))
            printf("  %s %s: bytes %d\n", model, symbols, i);
    reckon_memory_close(&m);
}

static void check_point(reckon_gauge *of_counts, reckon_gauge *of_bytes, const char *model, const reckon_run *run,
                        uint64_t b, uint64_t s)
{
    reckon_reading got[N_COUNT];
    reckon_error error = {0};
    char symbols[64];

    snprintf(symbols, sizeof symbols, "B=%llu S=%llu", (unsigned long long)b, (unsigned long long)s);
    for (int i = 0; i < 2; i++) {
        reckon_gauge *g = i == 0 ? of_counts : of_bytes;

        CHECK(reckon_gauge_set(g, "B", b, &error) == RECKON_OK && reckon_gauge_set(g, "S", s, &error) == RECKON_OK);
        if (!CHECK(reckon_gauge_read(g, got, &error) == RECKON_OK))
            printf("  %s %s: %s\n", model, symbols, error.message);
        else if (i == 0)
            check_account(model, symbols, got);
        else
            check_memory(model, symbols, run, got);
    }
}

static void check_model(const char *model, const reckon_run *run)
{
    reckon_gauge *of_counts = gauge(model, NULL, run, counts, "B=2 S=48");
    reckon_gauge *of_bytes = gauge(model, NULL, run, bytes, "B=2 S=48");

    /* Back and forth, so that each class of numbers is found again; axes of one element are classes of their own. */
    for (uint64_t b = 1; of_counts && of_bytes && b <= 3; b++)
        for (uint64_t s = 1; s <= 64; s = s == 1 ? 32 : s + 16)
            check_point(of_counts, of_bytes, model, run, b % 3 + 1, s);
    reckon_gauge_free(&of_counts);
    reckon_gauge_free(&of_bytes);
}

static void test_points(void)
{
    static const char *const model[] = {"gpt2", WITH_TINY "llama.config.json", WITH_TINY "mamba2.config.json",
                                        WITH_TINY "mixtral.config.json", WITH_TINY "gemma3_text.config.json"};
    static const reckon_run again = {.recompute = "full", .dtype = "bf16", .master = "fp32", .attention = "flash"};
    static const reckon_run book = {.profile = "textbook"}, prompt = {.phase = "prefill"};

    for (size_t i = 0; i < sizeof model / sizeof *model; i++) {
        check_model(model[i], NULL);
        check_model(model[i], &again);
        check_model(model[i], &book);
        check_model(model[i], &prompt);
    }
}

/* A number that shapes the model has it opened again. */
static void test_layers(void)
{
    reckon_gauge *g = gauge("gpt2", "S=64", NULL, "params,memory.weights", "L=12 B=1");
    reckon_reading got[2];

    for (uint64_t l = 1; g && l < 30; l += 7) {
        CHECK(reckon_gauge_set(g, "L", l, NULL) == RECKON_OK && reckon_gauge_read(g, got, NULL) == RECKON_OK);
        CHECK(got[0].over.low == 12 * l * 768 * 768 + 13 * l * 768 + (50257 + 1024 + 2) * 768);
        CHECK(got[1].over.low == 4 * got[0].over.low);
    }
    reckon_gauge_free(&g);
}

/* The size of an axis of the mesh varies like a symbol; all quantities are of the rank. */
static void test_axes(void)
{
    reckon_request r = {.model = "gpt2", .symbols = "S=64", .layout = "tp=2"};
    reckon_gauge *g = gauge("gpt2", "S=64", NULL, "memory.weights,flops", "tp=1"), *fixed = NULL;
    reckon_reading got[2], one[2], two[2];
    reckon_error error = {0};

    CHECK(g && reckon_gauge_read(g, one, NULL) == RECKON_OK);
    CHECK(reckon_gauge_set(g, "tp", 2, NULL) == RECKON_OK && reckon_gauge_read(g, two, NULL) == RECKON_OK);
    CHECK(two[0].over.low < one[0].over.low && two[1].over.low < one[1].over.low);
    CHECK(reckon_gauge_set(g, "tp", 5, NULL) == RECKON_OK);
    CHECK_INT(reckon_gauge_read(g, got, &error), RECKON_EINPUT);
    CHECK_HAS(error.message, "tp=4 or tp=6 would");
    CHECK(reckon_gauge_set(g, "tp", 1, NULL) == RECKON_OK && reckon_gauge_read(g, got, NULL) == RECKON_OK);
    CHECK(got[0].over.low == one[0].over.low && got[1].over.low == one[1].over.low);
    reckon_gauge_free(&g);
    CHECK_INT(reckon_gauge_new(&r, NULL, "memory.weights,flops", NULL, &fixed, NULL), RECKON_OK);
    CHECK(reckon_gauge_read(fixed, got, NULL) == RECKON_OK);
    CHECK(got[0].over.low == two[0].over.low && got[1].over.low == two[1].over.low);
    reckon_gauge_free(&fixed);
}

/* Decoding: one new token that sees T. */
static void test_decode(void)
{
    reckon_run run = {.phase = "decode"};
    reckon_gauge *g = gauge("gpt2", "B=3", &run, "memory.cache,flops", "T=128");
    reckon_gauge *both = gauge("gpt2", "B=3", &run, "memory.cache", "S=1 T=128");
    reckon_error error = {0};
    reckon_reading got[2];

    for (uint64_t t = 1; g && t < 4000; t *= 7) {
        CHECK(reckon_gauge_set(g, "T", t, NULL) == RECKON_OK && reckon_gauge_read(g, got, NULL) == RECKON_OK);
        CHECK(got[0].over.low == UINT64_C(2) * 4 * 3 * t * 12 * 768);
        CHECK(got[1].over.low == UINT64_C(3) * (24 * 12 * 768 * 768 + 4 * t * 12 * 768 + 2 * 768 * 50257));
    }
    CHECK(reckon_gauge_set(both, "S", 200, NULL) == RECKON_OK);
    CHECK_INT(reckon_gauge_read(both, got, &error), RECKON_EINPUT);
    CHECK_HAS(error.message, "T = 128 keys cannot be seen by S = 200 new tokens");
    CHECK(reckon_gauge_set(both, "T", 200, NULL) == RECKON_OK && reckon_gauge_read(both, got, NULL) == RECKON_OK);
    reckon_gauge_free(&g);
    reckon_gauge_free(&both);
}

/* Where what is new varies and nothing says how many keys are seen, they are as many as S would otherwise be. */
static void test_decode_new(void)
{
    reckon_run run = {.phase = "decode"};
    reckon_gauge *g = gauge("gpt2", "", &run, "memory.cache,flops", "S=1");
    reckon_error error = {0};
    reckon_reading got[2];

    for (uint64_t s = 1; g && s <= 1024; s *= 4) {
        CHECK(reckon_gauge_set(g, "S", s, NULL) == RECKON_OK && reckon_gauge_read(g, got, NULL) == RECKON_OK);
        CHECK(got[0].over.low == UINT64_C(2) * 4 * 1024 * 12 * 768);
        CHECK(got[1].over.low == s * (24 * 12 * 768 * 768 + 4 * UINT64_C(1024) * 12 * 768 + 2 * 768 * 50257));
    }
    CHECK(reckon_gauge_set(g, "S", 1025, NULL) == RECKON_OK);
    CHECK_INT(reckon_gauge_read(g, got, &error), RECKON_EINPUT);
    CHECK_HAS(error.message, "T = 1,024 keys cannot be seen by S = 1,025 new tokens");
    reckon_gauge_free(&g);
}

/* Reading a prompt that is a part of a longer one: T varies, and S is the model's own. */
static void test_prefill_seen(void)
{
    reckon_run run = {.phase = "prefill"};
    reckon_gauge *g = gauge("gpt2", "", &run, "memory.cache", "T=2048");
    reckon_error error = {0};
    reckon_reading got[1];

    CHECK(g && reckon_gauge_read(g, got, NULL) == RECKON_OK && got[0].over.low == UINT64_C(2) * 4 * 2048 * 12 * 768);
    CHECK(reckon_gauge_set(g, "T", 1023, NULL) == RECKON_OK);
    CHECK_INT(reckon_gauge_read(g, got, &error), RECKON_EINPUT);
    CHECK_HAS(error.message, "T = 1,023 keys cannot be seen by S = 1,024 new tokens");
    reckon_gauge_free(&g);
}

/* ---- names, units, formulas ------------------------------------------------------------------------------------- */

static void check_formula(reckon_gauge *g, size_t i, const char *want_over, const char *want_under)
{
    char *over = NULL, *under = NULL;

    CHECK_INT(reckon_gauge_formula(g, i, RECKON_TEXT, &over, &under, NULL), RECKON_OK);
    CHECK_TEXT(over, want_over);
    CHECK_TEXT(under, want_under);
    reckon_text_free(&over);
    reckon_text_free(&under);
}

static void test_names(void)
{
    static const char *const unit[] = {"FLOPs", "bytes", "", "FLOPs per byte", "parameters", "bytes"};
    reckon_gauge *g =
        gauge("gpt2", NULL, NULL, "flops,memory.peak,flops:attention/flops,intensity,params,saved", "B=2 S=8");
    reckon_reading got[6];

    if (!CHECK(g && reckon_gauge_count(g) == 6))
        return;
    for (size_t i = 0; i < 6; i++) {
        CHECK_TEXT(reckon_gauge_at(g, i)->unit, unit[i]);
        CHECK_INT(reckon_gauge_at(g, i)->is_ratio, i == 2 || i == 3);
    }
    CHECK_TEXT(reckon_gauge_at(g, 2)->name, "flops:attention/flops");
    CHECK(reckon_gauge_at(g, 6) == NULL);
    check_formula(g, 0, "24BSLD² + 4BS²LD + 2BSDV", NULL);
    check_formula(g, 1, NULL, NULL);
    check_formula(g, 2, "8BSLD² + 4BS²LD", "24BSLD² + 4BS²LD + 2BSDV");
    check_formula(g, 4, "12LD² + 13LD + DV + DC + 2D", NULL);
    check_formula(g, 5, "112BSLD + 128BLN·⌈S/32⌉ + 16BSL + 16L + 8BSD + 4BSV + 24BS + 8S + 4", NULL);
    CHECK_INT(reckon_gauge_read(g, got, NULL), RECKON_OK);
    CHECK(reckon_count_compare(got[2].under, got[0].over) == 0 && got[2].over.low < got[2].under.low);
    reckon_gauge_free(&g);
}

static void test_macs(void)
{
    reckon_request r = {.model = "gpt2", .convention = {.unit = RECKON_UNIT_MAC}};
    reckon_gauge *g = NULL, *flops = gauge("gpt2", NULL, NULL, "flops", NULL);
    reckon_reading macs, twice;

    CHECK_INT(reckon_gauge_new(&r, NULL, "flops", NULL, &g, NULL), RECKON_OK);
    CHECK_TEXT(reckon_gauge_at(g, 0)->unit, "MACs");
    CHECK(reckon_gauge_read(g, &macs, NULL) == RECKON_OK && reckon_gauge_read(flops, &twice, NULL) == RECKON_OK);
    CHECK(2 * macs.over.low == twice.over.low);
    reckon_gauge_free(&g);
    reckon_gauge_free(&flops);
}

/* ---- what is refused, and what comes after ---------------------------------------------------------------------- */

typedef struct refusal {
    const char *fixed, *quantities, *symbols;
    reckon_run run;
    int code;
    const char *says;
} refusal;

static void test_refused(void)
{
    static const refusal wrong[] = {
        {NULL, "flop", NULL, {0}, RECKON_EINPUT, "flop"},
        {NULL, "", NULL, {0}, RECKON_EINPUT, "no quantity"},
        {NULL, "memory.paek", NULL, {0}, RECKON_EINPUT, "memory.p"},
        {NULL, "flops:atention", NULL, {0}, RECKON_EINPUT, "attention"},
        {NULL, "flops", "Q=3", {0}, RECKON_EINPUT, "no symbol 'Q'"},
        {"B=2", "flops", "B=3", {0}, RECKON_EUSAGE, "B is set by the request"},
        {NULL, "flops", "B=3 B=4", {0}, RECKON_EUSAGE, "B is set twice"},
        {NULL, "flops", "B", {0}, RECKON_EUSAGE, "sets no symbol"},
        {NULL, "flops", "B=many", {0}, RECKON_EUSAGE, "choice"},
        {NULL, "flops", NULL, {.dtype = "bf61"}, RECKON_EUSAGE, "did you mean 'bf16'"},
        {NULL, "flops", NULL, {.within = 5}, RECKON_EUSAGE, "within"},
    };

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        reckon_request r = {.model = "gpt2", .symbols = wrong[i].fixed};
        reckon_gauge *g = NULL;
        reckon_error error = {0};

        if (!CHECK_INT(reckon_gauge_new(&r, &wrong[i].run, wrong[i].quantities, wrong[i].symbols, &g, &error),
                       wrong[i].code))
            printf("  case %zu\n", i);
        CHECK_HAS(error.message, wrong[i].says);
        CHECK(g == NULL);
    }
}

/* Numbers that a model does not allow are an error as often as they are read, and then others are read again. */
static void test_recovers(void)
{
    static const char checked[] = "model x: \"\"\nrun B = 1 \"\"\nrun S = 8 \"\"\nlet D = 4\n"
                                  "check S <= 16\nincoming x[B S D]\n"
                                  "y[B S D'] = x[B S D] * .w[D' D]\noutput y\n";
    reckon_request r = {.model_text = checked};
    reckon_reading got = {{7, 7}, {7, 7}};
    reckon_error error = {0};
    reckon_gauge *g = NULL;

    if (!CHECK_INT(reckon_gauge_new(&r, NULL, "flops", "S=8 B=1", &g, &error), RECKON_OK))
        printf("  %s\n", error.message);
    for (int i = 0; g && i < 3; i++) {
        CHECK(reckon_gauge_set(g, "S", 17, NULL) == RECKON_OK);
        CHECK_INT(reckon_gauge_read(g, &got, &error), RECKON_EINPUT);
        CHECK_INT(reckon_gauge_read(g, &got, &error), RECKON_EINPUT);
        CHECK(got.over.low == (i ? 2 * 4 * 4 * 4 : 7)); /* untouched */
        CHECK(reckon_gauge_set(g, "S", 4, NULL) == RECKON_OK && reckon_gauge_read(g, &got, NULL) == RECKON_OK);
        CHECK(got.over.low == 2 * 4 * 4 * 4);
    }
    CHECK_INT(reckon_gauge_set(g, "s", 4, &error), RECKON_EINPUT);
    CHECK_HAS(error.message, "did you mean 'S'");
    CHECK_INT(reckon_gauge_set(g, "S", 0, &error), RECKON_EINPUT);
    CHECK_INT(reckon_gauge_set(g, "S", UINT64_MAX, &error), RECKON_EINPUT);
    reckon_gauge_free(&g);
}

/* A gauge keeps nothing of what it was made from. */
static void test_copies(void)
{
    char model[] = "gpt2", symbols[] = "S=64", dtype[] = "bf16", quantities[] = "memory.weights", vary[] = "L=2";
    reckon_request r = {.model = model, .symbols = symbols};
    reckon_run run = {.dtype = dtype};
    reckon_gauge *g = NULL;
    reckon_reading got;

    CHECK_INT(reckon_gauge_new(&r, &run, quantities, vary, &g, NULL), RECKON_OK);
    memset(model, 'x', sizeof model - 1);
    memset(symbols, 'x', sizeof symbols - 1);
    memset(dtype, 'x', sizeof dtype - 1);
    memset(quantities, 'x', sizeof quantities - 1);
    memset(vary, 'x', sizeof vary - 1);
    CHECK(reckon_gauge_set(g, "L", 12, NULL) == RECKON_OK && reckon_gauge_read(g, &got, NULL) == RECKON_OK);
    CHECK(got.over.low == UINT64_C(2) * 124439808);
    reckon_gauge_free(&g);
}

static void test_null(void)
{
    reckon_request r = {.model = "gpt2"};
    reckon_gauge *g = NULL;
    reckon_reading got;
    char *over = NULL, *under = NULL;

    CHECK_INT(reckon_gauge_new(NULL, NULL, "flops", NULL, &g, NULL), RECKON_EUSAGE);
    CHECK_INT(reckon_gauge_new(&r, NULL, NULL, NULL, &g, NULL), RECKON_EUSAGE);
    CHECK_INT(reckon_gauge_new(&r, NULL, "flops", NULL, NULL, NULL), RECKON_EUSAGE);
    CHECK(reckon_gauge_count(NULL) == 0 && reckon_gauge_at(NULL, 0) == NULL);
    CHECK_INT(reckon_gauge_set(NULL, "S", 1, NULL), RECKON_EUSAGE);
    CHECK_INT(reckon_gauge_read(NULL, &got, NULL), RECKON_EUSAGE);
    CHECK_INT(reckon_gauge_formula(NULL, 0, 0, &over, &under, NULL), RECKON_EUSAGE);
    g = gauge("gpt2", NULL, NULL, "flops", "S=8");
    CHECK_INT(reckon_gauge_set(g, NULL, 1, NULL), RECKON_EUSAGE);
    CHECK_INT(reckon_gauge_read(g, NULL, NULL), RECKON_EUSAGE);
    CHECK_INT(reckon_gauge_formula(g, 1, 0, &over, &under, NULL), RECKON_EUSAGE);
    CHECK_INT(reckon_gauge_formula(g, 0, 9, &over, &under, NULL), RECKON_EUSAGE);
    CHECK_INT(reckon_gauge_formula(g, 0, 0, NULL, &under, NULL), RECKON_EUSAGE);
    reckon_gauge_free(&g);
    reckon_gauge_free(&g);
    reckon_gauge_free(NULL);
}

int main(void)
{
    test_points();
    test_layers();
    test_axes();
    test_decode();
    test_decode_new();
    test_prefill_seen();
    test_names();
    test_macs();
    test_refused();
    test_recovers();
    test_copies();
    test_null();
    return t_done("api gauge");
}
