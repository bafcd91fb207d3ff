/* SPDX-License-Identifier: MIT */
/* Writers, and what must hold for the reports of every known model: parts sum to totals, formulas to numbers. */
#include "account/rollup.h"
#include "plan/open.h"
#include "plan/setting.h"
#include "read/doc.h"
#include "report/figure.h"
#include "report/json.h"
#include "report/page.h"
#include "report/report.h"
#include "t.h"

static rk_err err;

static void check_str(rk_str *s, const char *want)
{
    CHECK(!s->failed);
    CHECK_TEXT(rk_str_text(s), want);
    rk_str_reset(s);
}

/* ---- figures ---------------------------------------------------------------------------------------------------- */

static void test_scaled(void)
{
    static const struct {
        long long n;
        const char *want;
    } c[] = {
        {0, "0 FLOP"},          {7, "7 FLOP"},         {999, "999 FLOP"},      {1000, "1.00 kFLOP"},
        {1005, "1.01 kFLOP"},   {9994, "9.99 kFLOP"},  {9995, "10.0 kFLOP"},   {99949, "99.9 kFLOP"},
        {99950, "100 kFLOP"},   {999499, "999 kFLOP"}, {999500, "1.00 MFLOP"}, {4513336524800, "4.51 TFLOP"},
        {-1500, "-1.50 kFLOP"},
    };
    rk_str s = {0};

    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        rk_str_scaled(&s, c[i].n, "FLOP");
        check_str(&s, c[i].want);
    }
    rk_str_scaled(&s, RK_I128_MAX, "FLOP");
    check_str(&s, "170,141,183 QFLOP");
    rk_str_in_words(&s, 1557611200);
    check_str(&s, "1.56 billion");
    rk_str_in_words(&s, 64);
    check_str(&s, "64");
    rk_str_free(&s);
}

static void test_share(void)
{
    rk_str s = {0};

    rk_str_share(&s, 694, 1000);
    check_str(&s, "69.4%");
    rk_str_share(&s, 1, 3);
    check_str(&s, "33.3%");
    rk_str_share(&s, 1, 2000);
    check_str(&s, "0.1%");
    rk_str_share(&s, 5, 5);
    check_str(&s, "100.0%");
    rk_str_share(&s, 5, 0);
    check_str(&s, "–");
    rk_str_share(&s, RK_I128_MAX / 2, RK_I128_MAX);
    check_str(&s, "50.0%");
    rk_str_free(&s);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static void test_json_strings(void)
{
    rk_str s = {0};

    rk_json_string(&s, "a\"b\\c\n\t\x01\x7f");
    check_str(&s, "\"a\\\"b\\\\c\\n\\t\\u0001\\u007f\"");
    rk_json_string(&s, "8BSD² ⌈x⌉ 😀");
    check_str(&s, "\"8BSD² ⌈x⌉ 😀\"");
    /* Bytes that are no UTF-8: alone, cut short, overlong, a surrogate, too large. */
    rk_json_string(&s, "\xff\xc3");
    check_str(&s, "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
    rk_json_string(&s, "\xc0\xaf");
    check_str(&s, "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
    rk_json_string(&s, "\xed\xa0\x80");
    check_str(&s, "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
    rk_json_string(&s, "\xf4\x90\x80\x80");
    check_str(&s, "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
    rk_str_free(&s);
}

static void test_json_layout(void)
{
    rk_str s = {0};
    rk_json j = {.out = &s};

    rk_json_open(&j, NULL, '{');
    rk_json_count(&j, "n", RK_I128_MAX);
    rk_json_list(&j, "shape");
    rk_json_count(&j, NULL, 1);
    rk_json_count(&j, NULL, -2);
    rk_json_close(&j);
    rk_json_open(&j, "rows", '[');
    rk_json_row(&j, NULL);
    rk_json_text(&j, "a", NULL);
    rk_json_list(&j, "b");
    rk_json_close(&j);
    rk_json_truth(&j, "c", true);
    rk_json_close(&j);
    rk_json_close(&j);
    rk_json_open(&j, "none", '[');
    rk_json_close(&j);
    rk_json_close(&j);
    check_str(&s, "{\n  \"n\": 170141183460469231731687303715884105727,\n  \"shape\": [1, -2],\n  \"rows\": [\n"
                  "    {\"a\": null, \"b\": [], \"c\": true}\n  ],\n  \"none\": []\n}\n");
    rk_json_close(&j);
    CHECK(s.failed); /* nothing was open */
    rk_str_free(&s);
}

/* ---- pages ------------------------------------------------------------------------------------------------------ */

static void fill_example(rk_page *p, rk_pool *pool)
{
    static const rk_column column[] = {{"", false}, {"count", true}, {"none", true}, {"formula", false}};
    rk_ex d = rk_ex_sym(pool, rk_sym_declare(pool, "D", 1));
    rk_table *t = rk_page_table(p, column, 4);
    rk_cell *cell = rk_page_row(p, t, RK_ROW_PART, 0);

    cell[0] = rk_cell_code("größe_1");
    cell[1] = rk_cell_count(1024);
    cell[3] = rk_cell_formula(rk_ex_pow(pool, d, 2), 0);
    cell = rk_page_row(p, t, RK_ROW_PLAIN, 1);
    cell[0] = rk_cell_text(p, "x\x1b");
    cell[1] = rk_cell_share(1, 4);
    cell = rk_page_row(p, t, RK_ROW_TOTAL, 0);
    cell[0] = rk_cell_text(p, "total");
    cell[1] = rk_cell_count(7);
    rk_page_gap(p);
    rk_page_equation(p, 0, "a", rk_cell_formula(d, 0), "a note");
    rk_page_equation(p, 0, "long", rk_cell_count(1), NULL);
    rk_page_equation(p, 0, NULL, rk_cell_text(p, "a & b"), NULL);
    rk_page_put(p, RK_ITEM_LINE, 1, "100%% of it");
}

static void test_page(void)
{
    rk_arena arena = {0};
    rk_pool *pool = rk_pool_new();
    rk_page page = {.arena = &arena, .pool = pool};
    rk_str s = {0};

    fill_example(&page, pool);
    CHECK(!page.failed);
    rk_page_text(&page, &s);
    check_str(&s, "         count  formula\n"
                  "größe_1  1,024  D²\n"
                  "  x\\x1b  25.0%\n"
                  "──────────────\n"
                  "total        7\n"
                  "\n"
                  "a    = D   a note\n"
                  "long = 1\n"
                  "     = a & b\n"
                  "  100% of it\n");
    rk_page_latex(&page, &s);
    CHECK(strstr(rk_str_text(&s), "\\texttt{größe\\_1} & $1{,}024$ &  & $D^{2}$ \\\\\n"));
    CHECK(strstr(rk_str_text(&s), "\\begin{align*}\n  \\text{a} &= D && \\text{a note} \\\\\n"));
    CHECK(strstr(rk_str_text(&s), "\\text{a \\& b}\n\\end{align*}\n100\\% of it\n"));
    rk_str_free(&s);
    rk_pool_free(pool);
    rk_arena_free(&arena);
}

/* ---- every known model ------------------------------------------------------------------------------------------ */

static rk_i128 value(const rk_model *m, rk_ex e)
{
    rk_binding at = rk_model_binding(m);
    rk_i128 n = 0;

    if (!CHECK_INT(rk_ex_eval(m->pool, e, &at, &n, &err), RK_OK))
        printf("    %s: %s\n", m->name, err.message);
    return n;
}

/* Each part's figures are the sum of those directly in it, and the whole's are the totals. */
static void check_tree(const rk_ledger *l, const rk_rollup *tree, const rk_ex whole[RK_ROLL_FIGURES])
{
    const rk_model *m = l->model;

    for (size_t i = 0; i < tree->n; i++) {
        for (int f = 0; f < RK_ROLL_FIGURES && tree->node[i].n_below > 0; f++) {
            rk_i128 sum = 0;

            for (size_t k = i + 1; k < tree->n; k++)
                if (tree->node[k].parent == i)
                    sum += value(m, rk_ex_mul(m->pool, tree->node[k].times, tree->node[k].figure[f]));
            CHECK_INT(sum, value(m, rk_ex_mul(m->pool, tree->node[i].times, tree->node[i].figure[f])));
        }
    }
    for (int f = 0; f < RK_ROLL_FIGURES; f++)
        CHECK_INT(value(m, tree->node[0].figure[f]), value(m, whole[f]));
}

/* The formula as printed, in either form, read again, gives the number. */
static void check_formula(const rk_model *m, rk_ex e)
{
    for (int style = 0; style <= RK_PRINT_FACTORED; style += RK_PRINT_FACTORED) {
        rk_str s = {0};
        rk_ex again = RK_EX_FAILED;

        rk_ex_print(m->pool, rk_ex_simplify(m->pool, e), RK_PRINT_TEXT | style, &s);
        if (CHECK_INT(rk_ex_parse(m->pool, rk_str_text(&s), &again, &err), RK_OK))
            CHECK_INT(value(m, again), value(m, e));
        else
            printf("    %s: %s: %s\n", m->name, rk_str_text(&s), err.message);
        rk_str_free(&s);
    }
}

static rk_i128 number(const rk_doc *d, const char *key)
{
    const rk_doc *v = rk_doc_key(d, key, strlen(key));

    CHECK(v && v->kind == RK_DOC_INT);
    return v ? v->number : -1;
}

static const rk_doc *get(const rk_doc *d, const char *key)
{
    static const rk_doc nothing;
    const rk_doc *v = rk_doc_key(d, key, strlen(key));

    CHECK(v != NULL);
    return v ? v : &nothing;
}

static void check_flops_json(const rk_ledger *l, bool by_tensor, int depth)
{
    rk_flops_options o = {by_tensor, depth};
    rk_arena arena = {0};
    rk_str s = {0};
    rk_report r = {RK_FORMAT_JSON, false, &s};
    rk_doc *d = NULL;
    rk_i128 forward = 0, backward = 0;

    CHECK_INT(rk_report_flops(&r, l, &o, &err), RK_OK);
    CHECK_INT(rk_config_parse(&arena, "flops", rk_str_text(&s), s.n, &d, &err), RK_OK);
    for (size_t i = 0; i < get(d, "rows")->n; i++) {
        const rk_doc *row = &get(d, "rows")->item[i];

        forward += number(row, "times") * number(row, "forward");
        backward += number(row, "times") * number(row, "backward");
    }
    CHECK_INT(forward, number(get(d, "forward"), "total"));
    CHECK_INT(backward, number(get(d, "backward"), "total"));
    CHECK_INT(forward + backward, number(get(d, "step"), "total"));
    rk_str_free(&s);
    rk_arena_free(&arena);
}

static void check_params_json(const rk_ledger *l)
{
    rk_params_options o = {0};
    rk_arena arena = {0};
    rk_str s = {0};
    rk_report r = {RK_FORMAT_JSON, false, &s};
    rk_doc *d = NULL;
    rk_i128 stored = 0, named = 0;

    CHECK_INT(rk_report_params(&r, l, &o, &err), RK_OK);
    CHECK_INT(rk_config_parse(&arena, "params", rk_str_text(&s), s.n, &d, &err), RK_OK);
    for (size_t i = 0; i < get(d, "tensors")->n; i++) {
        const rk_doc *t = &get(d, "tensors")->item[i];
        rk_i128 count = 1;

        for (size_t k = 0; k < get(t, "shape")->n; k++)
            count *= get(t, "shape")->item[k].number;
        CHECK_INT(count, number(t, "count"));
        named += count;
        stored += rk_doc_key(t, "tied_to", 7) ? 0 : count;
    }
    CHECK_INT(stored, number(get(d, "parameters"), "stored"));
    CHECK_INT(named, number(get(d, "parameters"), "named"));
    rk_str_free(&s);
    rk_arena_free(&arena);
}

/* Texts are made, and each line of them is free of spaces at its end. */
static void check_texts(const rk_ledger *l)
{
    rk_str s = {0};
    rk_report r = {RK_FORMAT_TEXT, true, &s};
    rk_report latex = {RK_FORMAT_LATEX, false, &s};
    rk_params_options params = {.depth = 2}, all = {.all = true};
    rk_flops_options flops = {0};

    CHECK_INT(rk_report_params(&r, l, &params, &err), RK_OK);
    CHECK_INT(rk_report_params(&r, l, &all, &err), RK_OK);
    CHECK_INT(rk_report_flops(&r, l, &flops, &err), RK_OK);
    CHECK_INT(rk_report_summary(&r, l, &err), RK_OK);
    CHECK_INT(rk_report_derive(&r, l, RK_QUANTITY_STEP, NULL, &err), RK_OK);
    CHECK(strstr(rk_str_text(&s), " \n") == NULL);
    CHECK_INT(rk_report_derive(&latex, l, RK_QUANTITY_PARAMS, NULL, &err), RK_OK);
    rk_str_free(&s);
}

static void check_ledger(const rk_ledger *l)
{
    rk_pool *pool = l->model->pool;
    rk_ex flops[] = {l->forward, l->backward}, params[] = {l->stored, l->active};
    rk_rollup tree = {0};
    rk_arena arena = {0};

    CHECK_INT(rk_rollup_ops(&arena, l, &tree, &err), RK_OK);
    check_tree(l, &tree, flops);
    CHECK_INT(rk_rollup_tensors(&arena, l, &tree, &err), RK_OK);
    check_tree(l, &tree, flops);
    CHECK_INT(rk_rollup_weights(&arena, l, &tree, &err), RK_OK);
    check_tree(l, &tree, params);
    check_formula(l->model, l->forward);
    check_formula(l->model, rk_ex_add(pool, l->forward, l->backward));
    check_formula(l->model, l->stored);
    check_flops_json(l, false, 0);
    check_flops_json(l, false, 1);
    check_flops_json(l, true, 0);
    rk_arena_free(&arena);
}

static void check_model(const char *word, const rk_setting *setting, size_t n_setting)
{
    static const rk_convention convention[] = {
        {RK_COUNT_MATMUL, false, false}, {RK_COUNT_ALL, false, false},  {RK_COUNT_TORCH, false, false},
        {RK_COUNT_ALL, true, false},     {RK_COUNT_MATMUL, true, true},
    };
    rk_open_request r = {.word = &word, .n_word = 1, .setting = setting, .n_setting = n_setting};
    rk_model *m = NULL;
    rk_ledger *l = NULL;

    if (!CHECK_INT(rk_open(&r, &m, &err), RK_OK)) {
        printf("    %s: %s\n", word, err.message);
        return;
    }
    for (size_t i = 0; i < sizeof convention / sizeof *convention; i++) {
        if (!CHECK_INT(rk_ledger_new(m, &convention[i], &l, &err), RK_OK))
            continue;
        check_ledger(l);
        if (i == 0) {
            check_params_json(l);
            check_texts(l);
        }
        rk_ledger_free(l);
    }
    rk_model_free(m);
}

static void test_models(void)
{
    static const rk_setting block[] = {{"D", 64, NULL}, {"N", 4, NULL}, {"F", 96, NULL}, {"S", 10, NULL}};
    static const rk_setting mlp[] = {{"D", 64, NULL}, {"L", 12, NULL}};
    rk_library library = {0};
    rk_library_entry *e = NULL;
    rk_arena arena = {0};
    size_t n = 0;

    CHECK_INT(rk_library_list(&library, &arena, &e, &n, &err), RK_OK);
    for (size_t i = 0; i < n; i++)
        if (e[i].is_config)
            check_model(e[i].name, NULL, 0);
    check_model("block", block, 4);
    check_model("block-mlp", mlp, 2);
    check_model("vlm-784", NULL, 0);
    rk_arena_free(&arena);
}

/* ---- failures --------------------------------------------------------------------------------------------------- */

/* Without numbers a report fails, says what is missing, and leaves the output as it was. */
static void test_missing(void)
{
    static const char *const word = "block";
    rk_open_request r = {.word = &word, .n_word = 1};
    rk_convention c = {0};
    rk_str s = {0};
    rk_report report = {RK_FORMAT_JSON, false, &s};
    rk_flops_options flops = {0};
    rk_params_options params = {0};
    rk_model *m = NULL;
    rk_ledger *l = NULL;

    CHECK_INT(rk_open(&r, &m, &err), RK_OK);
    CHECK_INT(rk_ledger_new(m, &c, &l, &err), RK_OK);
    rk_str_put(&s, "before");
    CHECK_INT(rk_report_flops(&report, l, &flops, &err), RK_EVALUE);
    CHECK_TEXT(err.message, "D (width), F (FFN width) have no value: set them, as in D=4096");
    CHECK_TEXT(rk_str_text(&s), "before");
    report.format = RK_FORMAT_TEXT;
    CHECK_INT(rk_report_params(&report, l, &params, &err), RK_EVALUE);
    CHECK_TEXT(rk_str_text(&s), "before");
    CHECK_INT(rk_report_derive(&report, l, RK_QUANTITY_FLOPS, "atention", &err), RK_EINPUT);
    CHECK_TEXT(err.message, "block has no part 'atention'; did you mean 'attention'?");
    CHECK_TEXT(rk_str_text(&s), "before");
    CHECK_INT(rk_report_derive(&report, l, RK_QUANTITY_FLOPS, NULL, &err), RK_OK);
    rk_str_free(&s);
    rk_ledger_free(l);
    rk_model_free(m);
}

/* One attempt in which the n-th allocation and all later ones fail. */
static int attempt(rk_model *m, long n, rk_format format, rk_str *out)
{
    rk_report report = {format, false, out};
    rk_flops_options flops = {0};
    rk_convention c = {0};
    rk_ledger *l = NULL;
    int code;

    err = (rk_err){0};
    rk_heap_fail_after(n);
    code = rk_ledger_new(m, &c, &l, &err);
    if (code == RK_OK)
        code = rk_report_flops(&report, l, &flops, &err);
    if (code == RK_OK)
        code = rk_report_derive(&report, l, RK_QUANTITY_STEP, NULL, &err);
    rk_heap_fail_after(-1);
    if (l)
        rk_ledger_free(l);
    return code;
}

/* Each allocation fails in turn: a report is whole or an error, and nothing leaks. */
static void test_memory(void)
{
    static const char *const word = "cs336-small";
    rk_open_request r = {.word = &word, .n_word = 1};
    int code = RK_ENOMEM;

    for (long n = 0; code != RK_OK && n < 100000; n++) {
        rk_str s = {0};
        rk_model *m = NULL;

        /* A pool that failed once stays failed, so each attempt has its own. */
        CHECK_INT(rk_open(&r, &m, &err), RK_OK);
        code = attempt(m, n, n % 2 ? RK_FORMAT_JSON : RK_FORMAT_TEXT, &s);
        if (!CHECK(code == RK_OK || code == RK_ENOMEM))
            printf("    allocation %ld: %d %s\n", n, code, err.message);
        CHECK(code != RK_OK || s.n > 0);
        rk_str_free(&s);
        rk_model_free(m);
    }
    CHECK_INT(code, RK_OK);
}

int main(void)
{
    test_scaled();
    test_share();
    test_json_strings();
    test_json_layout();
    test_page();
    test_models();
    test_missing();
    test_memory();
    return t_done("report");
}
