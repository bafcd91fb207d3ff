/* SPDX-License-Identifier: MIT */
/*
 * Each allocation fails in turn, through everything that a program may do: the answer is RECKON_ENOMEM or the right
 * one, what is not given is untouched, and nothing is lost (the leak checker looks at that).
 */
#include "sample.h"
#include "with.h"

#include "base/arena.h"

/* What one run through everything gave: the first code that was not RECKON_OK. */
typedef struct run {
    const reckon_request *request;
    int code;
    reckon_error error;
} run;

static bool done(run *r, int code)
{
    if (code != RECKON_OK && r->code == RECKON_OK)
        r->code = code;
    return code == RECKON_OK;
}

static void read_figures(run *r, const reckon_account *a)
{
    for (int q = 0; q <= RECKON_STEP; q++)
        for (int style = 0; style < 4; style++) {
            const reckon_figure *f = reckon_total(a, (reckon_quantity)q);
            reckon_count n = {0, 0};
            char *text = NULL;

            done(r, reckon_value(f, &n, &r->error));
            CHECK(done(r, reckon_formula(f, style, &text, &r->error)) == (text != NULL));
            reckon_text_free(&text);
        }
}

static void read_tensors(run *r, const reckon_account *a)
{
    const reckon_tensor *x = NULL;
    reckon_tensors *t = NULL;

    CHECK(done(r, reckon_tensors_new(a, &t, &r->error)) == (t != NULL));
    while (t && done(r, reckon_tensors_next(t, &x, &r->error)) && x)
        CHECK(x->name[0] != '\0');
    reckon_tensors_free(&t);
}

static void use_sheet(run *r, const reckon_account *a)
{
    const reckon_figure *figure[] = {reckon_total(a, RECKON_STEP), reckon_total(a, RECKON_STORED)};
    reckon_sheet *sheet = NULL;
    reckon_count n[2];

    CHECK(done(r, reckon_sheet_new(a, figure, 2, &sheet, &r->error)) == (sheet != NULL));
    if (sheet && done(r, reckon_sheet_set(sheet, "B", 2, &r->error)))
        done(r, reckon_sheet_evaluate(sheet, n, &r->error));
    reckon_sheet_free(&sheet);
}

static void list_library(run *r)
{
    reckon_library *l = NULL;

    CHECK(done(r, reckon_library_new("models/named", &l, &r->error)) == (l != NULL));
    reckon_library_free(&l);
}

static void everything(run *r)
{
    reckon_account *a = NULL;
    char *mistakes = NULL;

    CHECK(done(r, reckon_open(r->request, &a, &mistakes, &r->error)) == (a != NULL));
    if (a) {
        read_figures(r, a);
        read_tensors(r, a);
        use_sheet(r, a);
    }
    reckon_text_free(&mistakes);
    reckon_close(&a);
}

static void take_step(run *r)
{
    reckon_run how = {.phase = r->request->symbols ? "decode" : "train", .within = r->request->symbols ? 0 : 1u << 30};
    const reckon_amount *peak;
    reckon_memory *m = NULL;
    char *text = NULL, *mistakes = NULL;

    CHECK(done(r, reckon_memory_open(r->request, &how, &m, &mistakes, &r->error)) == (m != NULL));
    peak = reckon_memory_total(m, RECKON_BYTES_PEAK);
    if (peak)
        CHECK(done(r, reckon_formula(peak->formula, RECKON_TEXT, &text, &r->error)) == (text != NULL));
    reckon_text_free(&text);
    reckon_text_free(&mistakes);
    reckon_memory_close(&m);
}

/* What fails while a gauge is read may be read again: here it fails once more, and the gauge is still to be freed. */
static void read_gauge(run *r)
{
    reckon_reading got[3] = {{{7, 7}, {7, 7}}};
    char *over = NULL, *under = NULL;
    reckon_gauge *g = NULL;

    CHECK(done(r, reckon_gauge_new(r->request, NULL, "flops,memory.peak,flops/params", "B=2 L=2", &g, &r->error)) ==
          (g != NULL));
    for (uint64_t n = 1; g && n < 4; n++) {
        bool is_set = done(r, reckon_gauge_set(g, n == 3 ? "L" : "B", n, &r->error));

        if (is_set && !done(r, reckon_gauge_read(g, got, &r->error)) && n == 1)
            CHECK(got[0].over.low == 7 && reckon_gauge_read(g, got, NULL) == RECKON_ENOMEM);
    }
    if (g)
        CHECK(done(r, reckon_gauge_formula(g, 2, RECKON_TEXT, &over, &under, &r->error)) == (over && under));
    reckon_text_free(&over);
    reckon_text_free(&under);
    reckon_gauge_free(&g);
}

static void verify(run *r)
{
    reckon_stored *s = NULL;
    reckon_verify *v = NULL;

    CHECK(done(r, reckon_stored_open("examples/checkpoint", &s, &r->error)) == (s != NULL));
    if (s)
        CHECK(done(r, reckon_verify_new(r->request, s, &v, NULL, &r->error)) == (v != NULL));
    reckon_verify_free(&v);
    reckon_stored_close(&s);
}

/* Fails the n-th allocation and all after it, for each n (or each so many), until nothing fails any more. */
static void fail_each(void (*what)(run *), const reckon_request *request, long each, int want)
{
    run r = {.request = request};
    long n = each * (long)t_part("allocations");

    for (;; n += each * (long)t_every()) {
        r.code = RECKON_OK;
        r.error.code = RECKON_OK;
        rk_heap_fail_after(n);
        what(&r);
        rk_heap_fail_after(-1);
        if (r.code != RECKON_ENOMEM)
            break;
    }
    CHECK_INT(r.code, want);
    CHECK(n >= 5);
    if (r.code != want)
        printf("  after %ld allocations: %s\n", n, r.error.message);
}

int main(void)
{
    static const reckon_request request[] = {
        {.model_text = WITH_MODEL, .config_text = WITH_CONFIG, .symbols = "B=2 S=8"},
        {.model = "llama", .config = WITH_TINY "llama.config.json"},
        {.model = WITH_TINY "qwen3_next.config.json", .symbols = "S=64"},
        {.model = WITH_TINY "t5.config.json", .convention = {RECKON_COUNT_ALL, RECKON_MASK_EXACT, RECKON_UNIT_FLOP}},
    };
    static const reckon_request wrong = {.model_text = "model x: \"\"\nincoming x[B D]\noutput y\n"};
    static const reckon_request unknown = {.model = "gpt2-xll"};
    static const reckon_request rank = {
        .model = "llama", .config = WITH_TINY "llama.config.json", .layout = "fsdp=2 --compute fp32"};

    /* The larger ones take thousands of allocations: every so many of them will do. */
    for (size_t i = 0; i < sizeof request / sizeof *request; i++)
        fail_each(everything, &request[i], i < 2 ? 1 : 17, RECKON_OK);
    fail_each(everything, &wrong, 1, RECKON_EINPUT);
    fail_each(everything, &unknown, 1, RECKON_EINPUT);
    fail_each(list_library, NULL, 1, RECKON_OK);
    fail_each(take_step, &request[1], 7, RECKON_OK);
    fail_each(take_step, &request[2], 61, RECKON_OK);
    fail_each(take_step, &rank, 61, RECKON_OK);
    fail_each(take_step, &wrong, 1, RECKON_EINPUT);
    fail_each(read_gauge, &request[1], 7, RECKON_OK);
    fail_each(read_gauge, &wrong, 1, RECKON_EINPUT);
    fail_each(verify, &request[1], 1, RECKON_OK);
    return t_done("api memory");
}
