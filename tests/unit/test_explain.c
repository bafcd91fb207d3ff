/* SPDX-License-Identifier: MIT */
/*
 * What must hold for the explanation of every row of every known model: the gradients of its operands add up to its
 * backward cost, and the numbers put in place of its symbols give its value.
 */
#include "ask/explain.h"
#include "ask/path.h"
#include "plan/open.h"
#include "read/doc.h"
#include "report/report.h"
#include "sample.h"
#include "t.h"

static rk_err err;

static rk_i128 value(const rk_instance *m, rk_ex e)
{
    rk_binding at = m->at;
    rk_i128 n = 0;

    if (!CHECK_INT(rk_ex_eval(m->pool, e, &at, &n, &err), RK_OK))
        printf("    %s: %s\n", m->model->name, err.message);
    return n;
}

/* ---- every row -------------------------------------------------------------------------------------------------- */

/* A norm's bias has a row of its own, and its gradients are those of the norm. */
static bool is_second_row(const rk_ledger *l, uint32_t row)
{
    return row > 0 && l->op[row].op == l->op[row - 1].op;
}

static void check_gradients(const rk_ledger *l, const rk_explain_op *op)
{
    uint32_t row = op->step->node->row;
    rk_i128 sum = 0;

    if (is_second_row(l, row))
        return;
    for (size_t i = 0; i < op->n_tensor; i++) {
        CHECK(!op->tensor[i].result == (op->tensor[i].why != NULL));
        CHECK(op->tensor[i].shape[0] == '[');
        sum += value(l->instance, op->tensor[i].cost);
    }
    if (!CHECK_INT(sum, value(l->instance, l->op[row].backward)))
        printf("    %s: %s\n", l->model->name, op->step->node->label);
}

/* "2·1·1,024·64" without the commas inside of numbers, to be read again. */
static void put_plain(rk_str *out, const rk_doc *text)
{
    for (size_t i = 0; i < text->n; i++)
        if (text->text[i] != ',' || i + 1 >= text->n || text->text[i + 1] == ' ')
            rk_str_putc(out, text->text[i]);
}

static void check_substitution(const rk_instance *m, const rk_doc *row)
{
    const rk_doc *text = rk_doc_key(row, "substituted", 11), *number = rk_doc_key(row, "value", 5);
    rk_str plain = {0};
    rk_ex e = RK_EX_FAILED;

    if (!rk_doc_key(row, "equation", 8) || !CHECK(text && number && number->kind == RK_DOC_INT))
        return; /* a part has none */
    put_plain(&plain, text);
    if (CHECK_INT(rk_ex_parse(m->pool, rk_str_text(&plain), &e, &err), RK_OK))
        CHECK_INT(value(m, e), number->number);
    else
        printf("    %s: %s\n", m->model->name, rk_str_text(&plain));
    rk_str_free(&plain);
}

static void check_json(const rk_ledger *l, int quantity, const char *path)
{
    rk_arena arena = {0};
    rk_str s = {0};
    rk_report r = {.format = RK_FORMAT_JSON, .out = &s};
    rk_doc *d = NULL;

    CHECK_INT(rk_report_row(&r, l, quantity, path, &err), RK_OK);
    if (CHECK_INT(rk_config_parse(&arena, "explain", rk_str_text(&s), s.n, &d, &err), RK_OK)) {
        const rk_doc *rows = rk_doc_key(d, "rows", 4);

        for (size_t i = 0; CHECK(rows != NULL) && i < rows->n; i++)
            check_substitution(l->instance, &rows->item[i]);
    }
    rk_str_free(&s);
    rk_arena_free(&arena);
}

static void check_row(const rk_ledger *l, const char *path, bool json)
{
    rk_arena arena = {0};
    rk_explanation x;

    if (CHECK_INT(rk_explain(&arena, l, RK_QUANTITY_STEP, path, &x, &err), RK_OK)) {
        /* Where a part is called as the row is, it is the part that is explained. */
        CHECK(x.kind == RK_EXPLAINED_ROW ? x.n_op == x.derived.n_step : x.kind == RK_EXPLAINED_PART && x.n_op == 0);
        for (size_t i = 0; i < x.n_op; i++)
            check_gradients(l, &x.op[i]);
    } else {
        printf("    %s: %s\n", l->model->name, err.message);
    }
    rk_arena_free(&arena);
    if (json)
        check_json(l, RK_QUANTITY_STEP, path);
}

/* Where a row goes over several kinds of layers, it is explained once. */
static bool is_explained(const rk_ledger *l, size_t row)
{
    for (size_t i = 0; i < row; i++)
        if (strcmp(l->op[i].path, l->op[row].path) == 0)
            return true;
    return false;
}

static void check_tensor(const rk_ledger *l, const rk_weight_row *row)
{
    rk_arena arena = {0};
    rk_explanation x;

    if (CHECK_INT(rk_explain(&arena, l, RK_QUANTITY_PARAMS, row->pattern, &x, &err), RK_OK)) {
        CHECK_INT(x.kind, RK_EXPLAINED_TENSOR);
        /* A run may leave a part of the model aside. */
        CHECK(x.n_use > 0 || x.weight->unused || x.weight->tied_to != RK_NONE || l->model->part_of);
    }
    rk_arena_free(&arena);
}

static void check_model(const char *word, size_t turn)
{
    static const rk_convention convention[] = {
        {RK_COUNT_MATMUL, false, false}, {RK_COUNT_ALL, true, false}, {RK_COUNT_TORCH, false, false}};
    rk_open_request r = {.word = &word, .n_word = 1};
    rk_instance *m = NULL;
    rk_ledger *l = NULL;

    if (!CHECK_INT(rk_open(&r, &m, &err), RK_OK))
        return;
    if (CHECK_INT(rk_ledger_new(m, &convention[turn % 3], &l, &err), RK_OK)) {
        for (size_t i = 0; i < l->n_op; i++)
            if (!is_explained(l, i))
                check_row(l, l->op[i].path, (i + turn) % 3 == 0); /* there are many */
        for (size_t i = 0; i < l->n_weight; i += 3)
            check_tensor(l, &l->weight[i]);
    }
    rk_ledger_free(l);
    rk_instance_free(m);
}

static void test_models(void)
{
    rk_library library = {0};
    rk_library_entry *e = NULL;
    rk_arena arena = {0};
    size_t n = 0;

    CHECK_INT(rk_library_list(&library, &arena, &e, &n, &err), RK_OK);
    for (size_t i = 0; i < n; i++)
        if (e[i].is_config && t_sampled(e[i].name))
            check_model(e[i].name, i);
    rk_arena_free(&arena);
}

/* ---- the ends of names ------------------------------------------------------------------------------------------ */

static void test_ends(void)
{
    static const char *const name[] = {"a.b.c", "a.b", "x.b", "a.b.c", "x.b.q", "a.c.c"};
    rk_arena arena = {0};
    rk_path_names names = {0};
    const char *found;

    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        CHECK(rk_path_add(&arena, &names, name[i]));
    CHECK_INT(rk_path_find(&names, "a.b", &found, &err), RK_OK);
    CHECK_TEXT(found, "a.b");
    CHECK_INT(rk_path_find(&names, "q", &found, &err), RK_OK);
    CHECK_TEXT(found, "x.b.q");
    CHECK_INT(rk_path_find(&names, "b.c", &found, &err), RK_OK);
    CHECK_TEXT(found, "a.b.c");
    CHECK_INT(rk_path_find(&names, "b", &found, &err), RK_EINPUT);
    CHECK_TEXT(err.message, "'b' is the end of 2 names: a.b, x.b; say more of the one you mean");
    CHECK_INT(rk_path_find(&names, "c", &found, &err), RK_EINPUT);
    CHECK_INT(rk_path_find(&names, "", &found, &err), RK_OK);
    CHECK(found == NULL);
    CHECK_INT(rk_path_find(&names, ".b", &found, &err), RK_OK);
    CHECK(found == NULL);
    rk_arena_free(&arena);
}

/* ---- numbers in formulas ---------------------------------------------------------------------------------------- */

static void check_print(rk_pool *p, rk_ex e, int style, const rk_binding *at, const char *want)
{
    rk_str s = {0};

    rk_ex_print_at(p, e, style, at, &s);
    CHECK_TEXT(rk_str_text(&s), want);
    rk_str_free(&s);
}

static void test_print_at(void)
{
    rk_pool *p = rk_pool_new();
    rk_ex a, b, c, e;
    const rk_i128 number[] = {1024, -3, 0};
    const bool known[] = {true, true, false};
    rk_binding at = {number, known, 3};

    if (!CHECK(p != NULL))
        return;
    a = rk_ex_sym(p, rk_sym_declare(p, "A", 0));
    b = rk_ex_sym(p, rk_sym_declare(p, "B", 0));
    c = rk_ex_sym(p, rk_sym_declare(p, "C", 0));
    e = rk_ex_mul(p, rk_ex_int(p, 2), rk_ex_mul(p, rk_ex_pow(p, a, 2), rk_ex_mul(p, b, c)));
    check_print(p, e, RK_PRINT_TEXT, &at, "2·1,024²·(-3)·C");
    check_print(p, e, RK_PRINT_LATEX, &at, "2 \\cdot 1{,}024^{2} \\cdot (-3) \\cdot C");
    check_print(p, e, RK_PRINT_TEXT, NULL, "2A²BC");
    check_print(p, rk_ex_min(p, a, c), RK_PRINT_TEXT, &at, "min(1,024, C)");
    rk_pool_free(p);
}

int main(void)
{
    test_ends();
    test_print_at();
    test_models();
    return t_done("explain");
}
