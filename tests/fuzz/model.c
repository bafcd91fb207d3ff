/* SPDX-License-Identifier: MIT */
/*
 * Whole models: any text gives a model or an error, and the books of a model balance.
 */
#include "account/rollup.h"
#include "account/sheet.h"
#include "fuzz.h"

#include <string.h>

static const char config_text[] =
    "{\"n\": 3, \"width\": 8, \"heads\": 2, \"list\": [0, 1, 1], \"words\": [\"a\", \"b\", \"a\"], \"act\": \"silu\","
    " \"flag\": true, \"none\": null, \"half\": 0.5, \"deep\": {\"n\": 2, \"list\": [1]}}";

static const char library_text[] = "let two = 2\n"
                                   "block linear(x[.. I], name, O, bias = False) -> y:\n"
                                   "    y[.. O] = x[.. I] * .{name}.weight[O I]\n"
                                   "    y       = y + .{name}.bias[O] if bias\n";

/* Any name is the one file of the library; "circle" is a file that uses itself. */
static int find_file(void *self, rk_arena *a, const char *from, const char *path, const char **name, const char **text,
                     size_t *n, rk_err *err)
{
    (void)self;
    (void)a;
    (void)from;
    if (strstr(path, "missing"))
        return rk_fail(err, RK_EINPUT, "no file %s", path);
    *name = strstr(path, "circle") ? "circle.rk" : "library.rk";
    *text = strstr(path, "circle") ? "use circle.rk\n" : library_text;
    *n = strlen(*text);
    return RK_OK;
}

/* Numbers of a ledger: RK_OK when they all are known and fit. */
static int eval(const rk_ledger *l, const rk_binding *at, rk_ex e, rk_i128 *out)
{
    rk_err err = {0};
    int code = rk_ex_eval(l->pool, e, at, out, &err);

    /* Never "no expression": the ledger has said that all is well. */
    MUST(code == RK_OK || code == RK_EVALUE || code == RK_EOVERFLOW || code == RK_ELIMIT);
    return code;
}

/* Σ times × figure against the total; what overflows or has no number is left. */
static void check_sum(const rk_ledger *l, const rk_binding *at, bool backward)
{
    rk_acc acc = {0};
    rk_i128 sum = 0, total = 0, times = 0, figure = 0;

    if (eval(l, at, backward ? l->backward : l->forward, &total) != RK_OK)
        return;
    for (size_t i = 0; i < l->n_op; i++) {
        if (eval(l, at, l->op[i].times, &times) != RK_OK ||
            eval(l, at, backward ? l->op[i].backward : l->op[i].forward, &figure) != RK_OK)
            return;
        sum = rk_add(&acc, sum, rk_mul(&acc, times, figure));
    }
    MUST(acc.overflow || sum == total);
}

static void check_weights(const rk_ledger *l, const rk_binding *at)
{
    rk_acc acc = {0};
    rk_i128 sum = 0, total = 0, times = 0, count = 0;

    if (eval(l, at, l->named, &total) != RK_OK)
        return;
    for (size_t i = 0; i < l->n_weight; i++) {
        if (eval(l, at, l->weight[i].times, &times) != RK_OK || eval(l, at, l->weight[i].count, &count) != RK_OK)
            return;
        sum = rk_add(&acc, sum, rk_mul(&acc, times, count));
    }
    MUST(acc.overflow || sum == total);
}

static void check_sheet(const rk_ledger *l, const rk_binding *at)
{
    rk_sheet *s = NULL;
    rk_err err = {0};
    rk_i128 total = 0;

    if (rk_sheet_new(l, &s, &err) != RK_OK)
        return;
    rk_i128 *scratch = malloc(s->n_scratch * sizeof *scratch + 1), *value = malloc(s->n_value * sizeof *value + 1);

    if (rk_sheet_eval(s, at, scratch, value, &err) == RK_OK)
        MUST(eval(l, at, l->forward, &total) == RK_OK && value[s->forward] == total);
    free(scratch);
    free(value);
    rk_sheet_free(s);
}

static void check_rollups(const rk_ledger *l)
{
    rk_arena a = {0};
    rk_rollup r = {0};
    rk_err err = {0};

    MUST(rk_rollup_ops(&a, l, &r, &err) == RK_OK || err.message[0]);
    MUST(rk_rollup_weights(&a, l, &r, &err) == RK_OK || err.message[0]);
    rk_arena_free(&a);
}

static void check_model(const rk_instance *m)
{
    static const rk_convention conventions[] = {{.count = RK_COUNT_MATMUL},
                                                {.count = RK_COUNT_ALL, .pairs = RK_PAIRS_EXACT},
                                                {.count = RK_COUNT_TORCH, .mac = true}};

    for (size_t i = 0; i < sizeof conventions / sizeof *conventions; i++) {
        rk_ledger *l = NULL;
        rk_err err = {0};
        int code = rk_ledger_new(m, &conventions[i], &l, &err);

        MUST((code == RK_OK) == (l != NULL) && (code == RK_OK || err.message[0]));
        if (code == RK_OK) {
            rk_binding at = m->at;

            check_sum(l, &at, false);
            check_sum(l, &at, true);
            check_weights(l, &at);
            check_sheet(l, &at);
            check_rollups(l);
        }
        rk_ledger_free(l);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const rk_setting setting[] = {{.name = "Z", .value = 3}, {.name = "how", .word = "b"}};
    rk_arena a = {0};
    rk_doc *config = NULL;
    const rk_model *m = NULL;
    rk_instance *x = NULL;
    rk_str mistakes = {0};
    rk_err err = {0};
    rk_str lacks = {0};
    rk_model_source source = {.name = "fuzz", .file_name = "fuzz.rk", .text = (const char *)data, .n = size};
    int code;

    if (size > FUZZ_BYTES_MAX)
        return 0;
    MUST(rk_config_parse(&a, "config", config_text, sizeof config_text - 1, &config, &err) == RK_OK);
    source.config = config;
    source.finder = (rk_finder){.find = find_file};
    source.setting = setting;
    source.n_setting = size % 3; /* most texts have neither symbol */
    source.wants_keys = size % 2;
    source.lacks = size % 4 == 1 ? &lacks : NULL;
    code = rk_model_open(&source, &m, &mistakes, &err);
    MUST((code == RK_OK) == (m != NULL));
    MUST(code == RK_OK || (err.code == code && err.message[0]));
    if (m) {
        MUST(rk_instance_of(m, &x, &err) == RK_OK);
        check_model(x);
    }
    rk_str_free(&lacks);
    rk_str_free(&mistakes);
    rk_instance_free(x);
    rk_arena_free(&a);
    return 0;
}
