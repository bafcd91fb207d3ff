/* SPDX-License-Identifier: MIT */
/*
 * Quantities by name, and sweeps: what a gauge reads is what a model that is opened anew has; pieces add up to the
 * whole; threads change nothing.
 */
#include "ask/sweep.h"
#include "plan/library.h"

#include "../t.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_OF(a) (sizeof(a) / sizeof *(a))

/* ---- names ------------------------------------------------------------------------------------------------------ */

static void test_names(void)
{
    static const struct {
        const char *text, *over, *parts, *under;
        rk_unit unit;
    } good[] = {
        {"flops", "flops", NULL, NULL, RK_UNIT_FLOP},
        {"flops.forward", "flops", NULL, NULL, RK_UNIT_FLOP},
        {"peak", "memory.peak", NULL, NULL, RK_UNIT_BYTE},
        {"attention", "flops", "attention", NULL, RK_UNIT_FLOP},
        {"share:scores+context", "flops", "scores+context", "flops", RK_UNIT_RATIO},
        {"intensity", "flops", NULL, "moved", RK_UNIT_PER},
        {"params.active/params", "params.active", NULL, "params", RK_UNIT_RATIO},
        {"cache/weights", "memory.cache", NULL, "memory.weights", RK_UNIT_RATIO},
    };
    static const char *const bad[] = {"flops:", "nothing:at", "memory.peak:attention", "flops:a b", "/flops", "flops/"};
    rk_arena a = {0};
    rk_err err = {0};
    rk_measure m;

    for (size_t i = 0; i < N_OF(good); i++) {
        CHECK_INT(rk_measure_parse(&a, good[i].text, &m, &err), RK_OK);
        CHECK_TEXT(m.over.row->name, good[i].over);
        CHECK(good[i].parts ? m.over.parts && strcmp(m.over.parts, good[i].parts) == 0 : !m.over.parts);
        CHECK(good[i].under ? m.under.row && strcmp(m.under.row->name, good[i].under) == 0 : !m.under.row);
        CHECK_INT(m.unit, good[i].unit);
    }
    for (size_t i = 0; i < N_OF(bad); i++)
        CHECK_INT(rk_measure_parse(&a, bad[i], &m, &err), RK_EINPUT);
    rk_arena_free(&a);
}

static void test_ranges(void)
{
    static const struct {
        const char *word;
        rk_i128 n, first, last;
    } good[] = {
        {"S=1K..64K:x2", 7, 1024, 65536},
        {"B=1,2,8", 3, 1, 8},
        {"B=1..8", 8, 1, 8},
        {"H=64..200:+64", 3, 64, 192},
        {"H=64..200:64", 3, 64, 192},
        {"S=1k,2K..5K:1K,9", 6, 1000, 9},
        {"S=7..7", 1, 7, 7},
        {"S=3..80:x3", 3, 3, 27},
    };
    static const char *const bad[] = {"S=8..1",   "S=1,,2", "S=..4",  "S=1..", "S=1..8:x1", "S=1..8:x0",
                                      "S=1..8:0", "S=0..8", "S=a..b", "S=1,",  "S=1..2..3", "S=-1..5"};
    rk_arena a = {0};
    rk_err err = {0};
    rk_range r;

    for (size_t i = 0; i < N_OF(good); i++) {
        CHECK_INT(rk_range_parse(&a, good[i].word, &r, &err), RK_OK);
        CHECK(r.n == good[i].n && rk_range_at(&r, 0) == good[i].first && rk_range_at(&r, r.n - 1) == good[i].last);
    }
    for (size_t i = 0; i < N_OF(bad); i++)
        CHECK_INT(rk_range_parse(&a, bad[i], &r, &err), RK_EINPUT);
    rk_arena_free(&a);
}

/* ---- a gauge against models opened anew -------------------------------------------------------------------------- */

static const char *const letters[] = {"B", "S"};

static rk_gauge_source source_of(const char *const *model, size_t n_symbol)
{
    return (rk_gauge_source){.request = {.word = model, .n_word = 1}, .symbol = letters, .n_symbol = n_symbol};
}

/* What a model has that was opened with these numbers. */
static int anew(const char *const *model, const rk_i128 *number, size_t n, const rk_measure *m, size_t n_measure,
                rk_i128 *out, rk_err *err)
{
    rk_setting setting[] = {{.name = "B", .value = number[0]}, {.name = "S", .value = n > 1 ? number[1] : 0}};
    rk_open_request r = {.word = model, .n_word = 1, .setting = setting, .n_setting = n};
    rk_convention plain = {0};
    rk_instance *opened = NULL;
    rk_ledger *l = NULL;
    int code = rk_open(&r, &opened, err);

    if (code == RK_OK)
        code = rk_ledger_new(opened, &plain, &l, err);
    for (size_t i = 0; i < n_measure && code == RK_OK; i++) {
        rk_binding at = opened->at;
        rk_ex e = RK_EX_FAILED;

        code = rk_measure_formula(l, &m[i].over, 4, &e, err);
        if (code == RK_OK)
            code = rk_ex_eval(opened->pool, e, &at, &out[i], err);
    }
    if (l)
        rk_ledger_free(l);
    if (opened)
        rk_instance_free(opened);
    return code;
}

static rk_i128 some_number(void)
{
    static const rk_i128 kind[] = {1, 2, 3, 17, 128, 257, 1024, 4095};

    return kind[rand() % (int)N_OF(kind)];
}

/* Numbers that a check of the model forbids are forbidden to both. */
static void compare_model(const char *name, const rk_measure *m, size_t n)
{
    rk_i128 number[2] = {1, 300}, want[8];
    rk_reading got[8];
    rk_gauge *g = NULL;
    rk_err err = {0}, other = {0};
    size_t n_symbol = 2;
    rk_gauge_source source = source_of(&name, n_symbol);
    rk_run_request fp32 = {.word[RK_RUN_DTYPE] = "fp32"};

    source.run = &fp32;
    if (rk_gauge_new(&source, m, n, number, &g, &err) != RK_OK)
        return; /* it has no S, or needs a larger one */
    for (int i = 0; i < 3; i++) {
        int code, same;

        number[0] = some_number();
        number[1] = some_number();
        code = rk_gauge_read(g, number, got, &err);
        same = anew(&name, number, n_symbol, m, n, want, &other);
        if (!CHECK_INT(code, same))
            printf("    %s: %s\n", name, code != RK_OK ? err.message : other.message);
        for (size_t k = 0; k < n && code == RK_OK && same == RK_OK; k++)
            if (!CHECK(got[k].over == want[k] && got[k].under == 1))
                printf("    %s: %s\n", name, m[k].name);
        if (code != RK_OK)
            break; /* a gauge whose model could not be opened again has none */
    }
    rk_gauge_free(g);
}

static void test_all_models(void)
{
    rk_library library = {0};
    rk_library_entry *entry = NULL;
    rk_arena a = {0};
    rk_measure *m = NULL;
    size_t n = 0, n_measure = 0;
    rk_err err = {0};

    srand(7);
    CHECK_INT(rk_measures_parse(&a, "flops,flops.step,params,params.active,moved", &m, &n_measure, &err), RK_OK);
    CHECK_INT(rk_library_list(&library, &a, &entry, &n, &err), RK_OK);
    CHECK(n > 200);
    for (size_t i = 0; i < n; i++)
        if (entry[i].is_config)
            compare_model(entry[i].name, m, n_measure);
    rk_arena_free(&a);
}

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

static void add_up(const rk_ledger *l, const char *of, rk_by by)
{
    rk_arena a = {0};
    rk_measure whole, *piece = NULL;
    size_t n = 0;
    rk_err err = {0};
    rk_ex total = RK_EX_FAILED, sum = rk_ex_int(l->pool, 0), each;

    CHECK_INT(rk_measure_parse(&a, of, &whole, &err), RK_OK);
    CHECK_INT(rk_measure_formula(l, &whole.over, 2, &total, &err), RK_OK);
    CHECK_INT(rk_measure_pieces(&a, l, &whole, by, &piece, &n, &err), RK_OK);
    for (size_t i = 0; i < n; i++) {
        if (CHECK_INT(rk_measure_formula(l, &piece[i].over, 2, &each, &err), RK_OK))
            sum = rk_ex_add(l->pool, sum, each);
        else
            printf("    %s\n", err.message);
    }
    if (!CHECK(sum == total))
        printf("    %s: %s in %zu pieces\n", l->model->name, of, n);
    rk_arena_free(&a);
}

static void test_pieces(void)
{
    static const char *const model[] = {"gpt2-xl",
                                        "llama-3.1-8b",
                                        "mixtral-8x7b",
                                        "deepseek-v3",
                                        "t5-large",
                                        "whisper-tiny",
                                        "mamba2",
                                        "paligemma-3b-pt-224",
                                        "qwen3-next-80b-a3b-thinking"};
    static const char *const of[] = {"flops", "flops.step", "moved", "params", "params.named"};
    rk_convention all = {.count = RK_COUNT_ALL};

    for (size_t i = 0; i < N_OF(model); i++) {
        rk_open_request r = {.word = &model[i], .n_word = 1};
        rk_instance *m = NULL;
        rk_ledger *l = NULL;
        rk_err err = {0};

        if (rk_open(&r, &m, &err) != RK_OK) {
            CHECK(strstr(err.message, "no model is called"));
            continue;
        }
        CHECK_INT(rk_ledger_new(m, &all, &l, &err), RK_OK);
        for (size_t k = 0; k < N_OF(of); k++)
            for (rk_by by = RK_BY_COMPONENT; by <= RK_BY_OPERATION; by++)
                add_up(l, of[k], by);
        rk_ledger_free(l);
        rk_instance_free(m);
    }
}

/* ---- sweeps ------------------------------------------------------------------------------------------------------ */

typedef struct rows {
    rk_str text;
    size_t n;
    rk_i128 last;
    rk_i128 stop_at;
} rows;

static int take(void *self, const rk_i128 *number, const rk_reading *r, rk_err *err)
{
    rows *w = self;
    char a[RK_NUM_TEXT_MAX], b[RK_NUM_TEXT_MAX], c[RK_NUM_TEXT_MAX];

    rk_str_format(&w->text, "%s %s %s\n", rk_num_text(a, number[0]), rk_num_text(b, number[1]),
                  rk_num_text(c, r->over));
    w->last = number[1];
    if ((rk_i128)++w->n == w->stop_at)
        return rk_fail(err, RK_EIO, "enough");
    return RK_OK;
}

static int sweep(rows *w, unsigned threads, const char *b, const char *s, rk_err *err)
{
    const char *model = "gpt2";
    rk_gauge_source source = source_of(&model, 2);
    rk_arena a = {0};
    rk_range range[2];
    rk_measure m;
    rk_sweep all = {.source = &source, .range = range, .n_range = 2, .measure = &m, .n_measure = 1, .threads = threads};
    int code;

    all.sink = (rk_sweep_sink){.self = w, .row = take};
    CHECK_INT(rk_measure_parse(&a, "flops", &m, err), RK_OK);
    CHECK_INT(rk_range_parse(&a, b, &range[0], err), RK_OK);
    CHECK_INT(rk_range_parse(&a, s, &range[1], err), RK_OK);
    code = rk_sweep_run(&all, err);
    rk_arena_free(&a);
    return code;
}

static void test_threads(void)
{
    rows one = {0}, four = {0}, stopped = {.stop_at = 3000};
    rk_err err = {0};

    CHECK_INT(sweep(&one, 1, "B=1..20", "S=1..500", &err), RK_OK);
    CHECK_INT(sweep(&four, 4, "B=1..20", "S=1..500", &err), RK_OK);
    CHECK_INT((int)one.n, 10000);
    CHECK_TEXT(rk_str_text(&one.text), rk_str_text(&four.text));
    CHECK_INT(sweep(&stopped, 4, "B=1..20", "S=1..500", &err), RK_EIO);
    CHECK_INT((int)stopped.n, 3000);
    rk_str_free(&one.text);
    rk_str_free(&four.text);
    rk_str_free(&stopped.text);
}

static void test_limits(void)
{
    rows none = {0};
    rk_err err = {0};

    CHECK_INT(sweep(&none, 2, "B=1..1000000", "S=1..1000000", &err), RK_ELIMIT);
    CHECK(strstr(err.message, "1,000,000,000,000 points"));
    /* A point that is too large is named, and the rows before it are there. */
    CHECK_INT(sweep(&none, 2, "B=4E18,9E18", "S=1,9E18", &err), RK_EOVERFLOW);
    CHECK(strstr(err.message, "S = 9,000,000,000,000,000,000"));
    CHECK_INT((int)none.n, 1);
    rk_str_free(&none.text);
}

/* Seed 004 (e): sixteen times the context. */
static void test_seed(void)
{
    const char *model = "cs336-xl";
    rk_gauge_source source = source_of(&model, 2);
    rk_arena a = {0};
    rk_measure *m = NULL;
    size_t n = 0;
    rk_gauge *g = NULL;
    rk_i128 number[] = {1, 1024};
    rk_reading r[2];
    rk_err err = {0};

    CHECK_INT(rk_measures_parse(&a, "flops,share:products", &m, &n, &err), RK_OK);
    CHECK_INT(rk_gauge_new(&source, m, n, number, &g, &err), RK_OK);
    CHECK_INT(rk_gauge_read(g, number, r, &err), RK_OK);
    CHECK(r[0].over == 4513336524800 && r[1].over * 10000 / r[1].under == 713); /* 7.137 % */
    number[1] = 16384;
    CHECK_INT(rk_gauge_read(g, number, r, &err), RK_OK);
    CHECK(r[0].over == 149522795724800 && r[1].over * 10000 / r[1].under == 5515); /* 55.151 % */
    rk_gauge_free(g);
    rk_arena_free(&a);
}

int main(void)
{
    test_names();
    test_ranges();
    test_all_models();
    test_pieces();
    test_threads();
    test_limits();
    test_seed();
    return t_done("sweep");
}
