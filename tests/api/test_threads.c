/* SPDX-License-Identifier: MIT */
/*
 * Several threads read one account and one memory at once, each with sheets, lists and gauges of its own, while others
 * are opened and closed: all see the same.  And they share one model that was opened once, each with an instance of its
 * own in which it counts, walks, searches and sweeps.  Built a second time under ThreadSanitizer where there is one.
 */
#include "reckon.h"

#include "account/peak.h"
#include "account/training.h"
#include "plan/open.h"

#include "../profiles.h"
#include "../t.h"

#include <pthread.h>

enum {
    N_THREAD = 4,
    N_ROUND = 3
};

typedef struct reader {
    const reckon_account *account; /* NULL: opens one of its own in each round */
    const reckon_memory *memory;   /* the same */
    const rk_model *model;         /* that all have */
    uint64_t seen;                 /* a sum over all that was read */
    int code;                      /* the first failure */
} reader;

static void note(reader *r, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        r->seen = (r->seen ^ ((const unsigned char *)bytes)[i]) * UINT64_C(1099511628211);
}

static bool done(reader *r, int code)
{
    r->code = r->code == RECKON_OK ? code : r->code;
    return code == RECKON_OK;
}

static void read_figure(reader *r, const reckon_figure *f)
{
    reckon_count n = {0, 0};
    char *text = NULL;

    if (done(r, reckon_value(f, &n, NULL)))
        note(r, &n, sizeof n);
    for (int style = 0; style < 4; style++) {
        if (done(r, reckon_formula(f, style, &text, NULL)))
            note(r, text, strlen(text));
        reckon_text_free(&text);
    }
}

static void read_rows(reader *r, const reckon_account *a)
{
    for (int q = 0; q <= RECKON_STEP; q++)
        read_figure(r, reckon_total(a, (reckon_quantity)q));
    for (size_t i = 0; i < reckon_operation_count(a); i++)
        read_figure(r, reckon_operation_at(a, i)->step);
    for (size_t i = 0; i < reckon_part_count(a); i++)
        read_figure(r, reckon_part_at(a, i)->forward);
}

static void read_tensors(reader *r, const reckon_account *a)
{
    const reckon_tensor *x = NULL;
    reckon_tensors *t = NULL;

    if (!done(r, reckon_tensors_new(a, &t, NULL)))
        return;
    while (done(r, reckon_tensors_next(t, &x, NULL)) && x)
        note(r, x->name, strlen(x->name));
    reckon_tensors_free(&t);
}

static void read_sheet(reader *r, const reckon_account *a)
{
    const reckon_figure *step = reckon_total(a, RECKON_STEP);
    reckon_sheet *sheet = NULL;
    reckon_count n = {0, 0};

    if (!done(r, reckon_sheet_new(a, &step, 1, &sheet, NULL)))
        return;
    for (uint64_t s = 512; s < 1024; s += 64)
        if (done(r, reckon_sheet_set(sheet, "S", s, NULL)) && done(r, reckon_sheet_evaluate(sheet, &n, NULL)))
            note(r, &n, sizeof n);
    reckon_sheet_free(&sheet);
}

static reckon_account *open_account(reader *r)
{
    reckon_request request = {0};
    reckon_account *a = NULL;

    request.model = "tests/golden/tiny/paligemma.config.json";
    done(r, reckon_open(&request, &a, NULL, NULL));
    return a;
}

static reckon_memory *open_memory(reader *r)
{
    reckon_request request = {0};
    reckon_memory *m = NULL;

    request.model = "tests/golden/tiny/llama.config.json";
    request.symbols = "B=2 S=64";
    done(r, reckon_memory_open(&request, NULL, &m, NULL, NULL));
    return m;
}

static void read_memory(reader *r, const reckon_memory *m)
{
    for (int b = 0; b <= RECKON_BYTES_PEAK; b++)
        read_figure(r, reckon_memory_total(m, (reckon_bytes)b)->formula);
    for (size_t i = 0; i < reckon_memory_row_count(m, RECKON_ROWS_PEAK); i++)
        note(r, &reckon_memory_row_at(m, RECKON_ROWS_PEAK, i)->bytes, sizeof(reckon_count));
    read_sheet(r, reckon_memory_account(m));
}

static void read_gauge(reader *r)
{
    reckon_request request = {0};
    reckon_gauge *g = NULL;
    reckon_reading n[2];

    request.model = "tests/golden/tiny/llama.config.json";
    if (!done(r, reckon_gauge_new(&request, NULL, "memory.peak,flops:attention/flops", "B=1 S=32", &g, NULL)))
        return;
    for (uint64_t b = 1; b < 5; b++)
        if (done(r, reckon_gauge_set(g, "B", b, NULL)) && done(r, reckon_gauge_read(g, n, NULL)))
            note(r, n, sizeof n);
    reckon_gauge_free(&g);
}

/* ---- one model, instances of it --------------------------------------------------------------------------------- */

static void count_all(reader *r, const rk_instance *x)
{
    rk_ledger *l = NULL;
    rk_str text = {0};

    if (!done(r, rk_ledger_new(x, &(rk_convention){.count = RK_COUNT_ALL}, &l, NULL)))
        return;
    for (size_t i = 0; i < l->n_op; i++)
        rk_ex_print(l->pool, rk_ex_simplify(l->pool, l->op[i].backward), RK_PRINT_FACTORED, &text);
    note(r, text.text, text.n);
    rk_str_free(&text);
    rk_ledger_free(l);
}

static void search(reader *r, rk_instance *x, const rk_memory_options *o)
{
    rk_fit fit = {0};

    if (done(r, rk_fit_batch(x, o, 300 << 20, &fit, NULL)))
        note(r, &fit.largest, sizeof fit.largest);
}

static void sweep(reader *r, rk_instance *x, const rk_memory_options *o)
{
    rk_sym b = rk_model_symbol(x->model, "B")->sym, s = rk_model_symbol(x->model, "S")->sym;
    rk_i128 bytes[RK_N_BYTES];
    rk_peaks peaks = {0};

    for (int i = 0; i < 12; i++) {
        rk_instance_set(x, b, 1 + i % 4);
        rk_instance_set(x, s, 32 * (1 + i / 4));
        if (done(r, rk_peaks_read(&peaks, x, o, bytes, NULL)))
            note(r, bytes, sizeof bytes);
    }
    rk_peaks_free(&peaks);
}

static void use_model(reader *r)
{
    rk_memory_options o = {.bytes = 4, .loss = true, .profile = PROFILE_WITH(512, 0)};
    rk_instance *x = NULL;
    rk_memory *m = NULL;

    if (!done(r, rk_instance_new(r->model, &x, NULL)))
        return;
    count_all(r, x);
    if (done(r, rk_memory_new(x, &o, &m, NULL)))
        note(r, &m->peak, sizeof m->peak);
    rk_memory_free(m);
    search(r, x, &o);
    sweep(r, x, &o);
    rk_instance_free(x);
}

static void *read_all(void *self)
{
    reader *r = self;

    for (int i = 0; i < N_ROUND; i++) {
        reckon_account *own = r->account ? NULL : open_account(r);
        reckon_memory *own_memory = r->memory ? NULL : open_memory(r);
        const reckon_account *a = own ? own : r->account;

        read_rows(r, a);
        read_tensors(r, a);
        read_sheet(r, a);
        read_memory(r, own_memory ? own_memory : r->memory);
        read_gauge(r);
        use_model(r);
        reckon_close(&own);
        reckon_memory_close(&own_memory);
    }
    return NULL;
}

int main(void)
{
    reader alone = {0}, r[N_THREAD] = {{0}};
    reckon_account *a = open_account(&alone);
    reckon_memory *m = open_memory(&alone);
    const char *word = "tests/golden/tiny/llama.config.json";
    rk_open_request open = {.word = &word, .n_word = 1, .passes.profile = "torch"};
    rk_instance *shared = NULL;
    pthread_t thread[N_THREAD];

    if (!CHECK(a != NULL && m != NULL) || !CHECK_INT(rk_open(&open, &shared, NULL), RK_OK))
        return t_done("api threads");
    for (int i = 0; i < N_THREAD; i++) {
        r[i].account = i == 0 ? NULL : a;
        r[i].memory = i == 0 ? NULL : m;
        r[i].model = shared->model;
        CHECK_INT(pthread_create(&thread[i], NULL, read_all, &r[i]), 0);
    }
    for (int i = 0; i < N_THREAD; i++)
        pthread_join(thread[i], NULL);
    alone.account = a;
    alone.memory = m;
    alone.model = shared->model;
    read_all(&alone);
    CHECK_INT(alone.code, RECKON_OK);
    for (int i = 0; i < N_THREAD; i++) {
        CHECK_INT(r[i].code, RECKON_OK);
        CHECK(r[i].seen == alone.seen);
    }
    reckon_close(&a);
    reckon_memory_close(&m);
    rk_instance_free(shared);
    return t_done("api threads");
}
