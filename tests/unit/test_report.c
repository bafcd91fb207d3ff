/* SPDX-License-Identifier: MIT */
/* JSON, and what must hold for the reports of every known model: parts sum to totals, formulas to numbers. */
#include "account/rollup.h"
#include "plan/open.h"
#include "plan/setting.h"
#include "read/doc.h"
#include "report/json.h"
#include "report/report.h"
#include "sample.h"
#include "t.h"

static rk_err err;

static void check_str(rk_str *s, const char *want)
{
    CHECK(!s->failed);
    CHECK_TEXT(rk_str_text(s), want);
    rk_str_reset(s);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static void test_json_strings(void)
{
    rk_str s = {0};

    rk_str_put_json(&s, "a\"b\\c\n\t\x01\x7f");
    check_str(&s, "\"a\\\"b\\\\c\\n\\t\\u0001\\u007f\"");
    rk_str_put_json(&s, "8BSD² ⌈x⌉ 😀");
    check_str(&s, "\"8BSD² ⌈x⌉ 😀\"");
    /* Bytes that are no UTF-8: alone, cut short, overlong, a surrogate, too large. */
    rk_str_put_json(&s, "\xff\xc3");
    check_str(&s, "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
    rk_str_put_json(&s, "\xc0\xaf");
    check_str(&s, "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
    rk_str_put_json(&s, "\xed\xa0\x80");
    check_str(&s, "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
    rk_str_put_json(&s, "\xf4\x90\x80\x80");
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

/* ---- every known model ------------------------------------------------------------------------------------------ */

static rk_i128 value(const rk_instance *m, rk_ex e)
{
    rk_binding at = m->at;
    rk_i128 n = 0;

    if (!CHECK_INT(rk_ex_eval(m->pool, e, &at, &n, &err), RK_OK))
        printf("    %s: %s\n", m->model->name, err.message);
    return n;
}

/* Each part's figures are the sum of those directly in it, and the whole's are the totals. */
static void check_tree(const rk_ledger *l, const rk_rollup *tree, const rk_ex whole[RK_ROLL_FIGURES])
{
    const rk_instance *m = l->instance;

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
static void check_formula(const rk_instance *m, rk_ex e)
{
    for (int style = 0; style <= RK_PRINT_FACTORED; style += RK_PRINT_FACTORED) {
        rk_str s = {0};
        rk_ex again = RK_EX_FAILED;

        rk_ex_print(m->pool, rk_ex_simplify(m->pool, e), RK_PRINT_TEXT | style, &s);
        if (CHECK_INT(rk_ex_parse(m->pool, rk_str_text(&s), &again, &err), RK_OK))
            CHECK_INT(value(m, again), value(m, e));
        else
            printf("    %s: %s: %s\n", m->model->name, rk_str_text(&s), err.message);
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
    rk_flops_options o = {.by_tensor = by_tensor, .depth = depth};
    rk_arena arena = {0};
    rk_str s = {0};
    rk_report r = {.format = RK_FORMAT_JSON, .factored = false, .out = &s};
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
    rk_report r = {.format = RK_FORMAT_JSON, .factored = false, .out = &s};
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

/* No line is wider than the paper, or ends in a space. */
static void check_lines(const char *name, const char *text, size_t columns)
{
    rk_str line = {0};

    for (size_t n; *text; text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        rk_str_reset(&line);
        rk_str_putn(&line, text, n);
        if (!CHECK(rk_text_width(rk_str_text(&line)) <= columns))
            printf("    %s, %zu columns: %s\n", name, columns, rk_str_text(&line));
        CHECK(n == 0 || text[n - 1] != ' ');
    }
    rk_str_free(&line);
}

static void write_all_reports(const rk_report *r, const rk_ledger *l)
{
    rk_params_options params = {.depth = 2}, groups = {0};
    rk_flops_options flops = {0};

    CHECK_INT(rk_report_params(r, l, &params, &err), RK_OK);
    CHECK_INT(rk_report_params(r, l, &groups, &err), RK_OK);
    CHECK_INT(rk_report_flops(r, l, &flops, &err), RK_OK);
    CHECK_INT(rk_report_summary(r, l, &(rk_needs){0}, &err), RK_OK);
    CHECK_INT(rk_report_derive(r, l, RK_QUANTITY_STEP, NULL, &err), RK_OK);
    CHECK_INT(rk_report_derive(r, l, RK_QUANTITY_PARAMS, NULL, &err), RK_OK);
}

/* Every report on narrow paper; for one model in eight, on paper of other widths, in other formats, and in full. */
static void check_texts(const rk_ledger *l)
{
    static const size_t columns[] = {20, 37, 80, 132};
    static unsigned n_model;
    size_t n = n_model++ % 8 == 0 ? sizeof columns / sizeof *columns : 1;
    rk_params_options all = {.all = true};
    rk_str s = {0};

    for (size_t i = 0; i < n; i++) {
        rk_report r = {.factored = i % 2, .out = &s, .paper = {.columns = columns[i]}};

        rk_str_reset(&s);
        write_all_reports(&r, l);
        CHECK(n == 1 || rk_report_params(&r, l, &all, &err) == RK_OK);
        check_lines(l->model->name, rk_str_text(&s), columns[i]);
    }
    for (rk_format f = RK_FORMAT_CSV; f <= RK_FORMAT_LATEX && n > 1; f++) {
        rk_report r = {.format = f, .out = &s};

        rk_str_reset(&s);
        write_all_reports(&r, l);
        CHECK(s.n > 0);
    }
    rk_str_free(&s);
}

static void check_ledger(const rk_ledger *l)
{
    rk_pool *pool = l->pool;
    rk_ex flops[] = {l->forward, l->backward}, params[] = {l->stored, l->active};
    rk_rollup tree = {0};
    rk_arena arena = {0};

    CHECK_INT(rk_rollup_ops(&arena, l, &tree, &err), RK_OK);
    check_tree(l, &tree, flops);
    CHECK_INT(rk_rollup_tensors(&arena, l, &tree, &err), RK_OK);
    check_tree(l, &tree, flops);
    CHECK_INT(rk_rollup_weights(&arena, l, &tree, &err), RK_OK);
    check_tree(l, &tree, params);
    check_formula(l->instance, l->forward);
    check_formula(l->instance, rk_ex_add(pool, l->forward, l->backward));
    check_formula(l->instance, l->stored);
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
    const size_t n_convention = sizeof convention / sizeof *convention;
    static size_t n_model;
    rk_open_request r = {.word = &word, .n_word = 1, .setting = setting, .n_setting = n_setting};
    rk_instance *m = NULL;
    rk_ledger *l = NULL;

    if (!CHECK_INT(rk_open(&r, &m, &err), RK_OK)) {
        printf("    %s: %s\n", word, err.message);
        return;
    }
    n_model++;
    for (size_t i = 0; i < n_convention; i++) {
        /* The usual one for every model, the others in turn: there are many models. */
        if (i > 0 && i != 1 + n_model % (n_convention - 1))
            continue;
        if (!CHECK_INT(rk_ledger_new(m, &convention[i], &l, &err), RK_OK))
            continue;
        check_ledger(l);
        if (i == 0) {
            check_params_json(l);
            check_texts(l);
        }
        rk_ledger_free(l);
    }
    rk_instance_free(m);
}

static void test_models(void)
{
    static const rk_setting block[] = {
        {.name = "D", .value = 64}, {.name = "N", .value = 4}, {.name = "F", .value = 96}, {.name = "S", .value = 10}};
    static const rk_setting mlp[] = {{.name = "D", .value = 64}, {.name = "L", .value = 12}};
    rk_library library = {0};
    rk_library_entry *e = NULL;
    rk_arena arena = {0};
    size_t n = 0;

    CHECK_INT(rk_library_list(&library, &arena, &e, &n, &err), RK_OK);
    for (size_t i = 0; i < n; i++)
        if (e[i].is_config && t_sampled(e[i].name))
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
    rk_report report = {.format = RK_FORMAT_JSON, .factored = false, .out = &s};
    rk_flops_options flops = {0};
    rk_params_options params = {0};
    rk_instance *m = NULL;
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
    rk_instance_free(m);
}

/* One attempt in which the n-th allocation and all later ones fail. */
static int attempt(rk_instance *m, long n, rk_format format, rk_str *out)
{
    rk_report report = {.format = format, .factored = false, .out = out};
    rk_flops_options flops = {0};
    rk_params_options params = {0};
    rk_convention c = {0};
    rk_ledger *l = NULL;
    int code;

    err = (rk_err){0};
    rk_heap_fail_after(n);
    code = rk_ledger_new(m, &c, &l, &err);
    if (code == RK_OK)
        code = rk_report_flops(&report, l, &flops, &err);
    if (code == RK_OK)
        code = rk_report_params(&report, l, &params, &err);
    if (code == RK_OK)
        code = rk_report_summary(&report, l, &(rk_needs){0}, &err);
    if (code == RK_OK)
        code = rk_report_derive(&report, l, RK_QUANTITY_STEP, NULL, &err);
    rk_heap_fail_after(-1);
    if (l)
        rk_ledger_free(l);
    return code;
}

/* Each allocation fails in turn: a report is whole or an error, and nothing leaks. */
static void check_memory(rk_format format)
{
    static const rk_setting size[] = {
        {.name = "D", .value = 64}, {.name = "N", .value = 4}, {.name = "F", .value = 96}};
    static const char *const word = "block";
    rk_open_request r = {.word = &word, .n_word = 1, .setting = size, .n_setting = 3};
    int code = RK_ENOMEM;

    for (long n = 0; code != RK_OK && n < 100000; n++) {
        rk_str s = {0};
        rk_instance *m = NULL;

        /* A pool that failed once stays failed, so each attempt has its own. */
        CHECK_INT(rk_open(&r, &m, &err), RK_OK);
        code = attempt(m, n, format, &s);
        if (!CHECK(code == RK_OK || code == RK_ENOMEM))
            printf("    allocation %ld: %d %s\n", n, code, err.message);
        CHECK(code != RK_OK || s.n > 0);
        rk_str_free(&s);
        rk_instance_free(m);
    }
    CHECK_INT(code, RK_OK);
}

static void test_memory(void)
{
    for (rk_format f = RK_FORMAT_TEXT; f <= RK_FORMAT_LATEX; f++)
        check_memory(f);
}

int main(void)
{
    test_json_strings();
    test_json_layout();
    test_models();
    test_missing();
    test_memory();
    return t_done("report");
}
