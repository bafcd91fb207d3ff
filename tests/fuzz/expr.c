/* SPDX-License-Identifier: MIT */
/*
 * Expressions: what is printed reads as the same expression, and every way to evaluate one gives the same number.
 */
#include "base/map.h"
#include "expr/expr.h"
#include "fuzz.h"

#include <string.h>

#define TEXT_MAX 2000 /* a formula is read by people; products of long sums would only be slow */
#define N_BINDING 4

static const char *const names[] = {"B", "S", "T", "D", "D'", "H", "N", "L", "num", "W2"};

enum {
    N_NAME = sizeof names / sizeof *names
};

static rk_pool *pool_with_names(void)
{
    rk_pool *p = rk_pool_new();
    rk_err err = {0};
    rk_ex d, n;

    MUST(p);
    for (int i = 0; i < N_NAME; i++)
        rk_sym_declare(p, names[i], i > 2);
    d = rk_ex_sym(p, rk_sym_find(p, "D"));
    n = rk_ex_sym(p, rk_sym_find(p, "N"));
    MUST(rk_sym_define(p, rk_sym_find(p, "T"), rk_ex_sym(p, rk_sym_find(p, "S")), &err) == RK_OK);
    MUST(rk_sym_define(p, rk_sym_find(p, "H"), rk_ex_div(p, d, n), &err) == RK_OK);
    return p;
}

/* Numbers that follow from the input; T and H follow from their definitions. */
static void bind(const uint8_t *data, size_t size, int round, rk_i128 value[N_NAME], bool known[N_NAME])
{
    uint64_t h = rk_hash(data, size, (uint64_t)round);

    for (int i = 0; i < N_NAME; i++) {
        unsigned bits = (unsigned)(h >> (6 * i)) & 63;

        value[i] = round == 0 ? i + 2 : bits < 50 ? bits : (rk_i128)1 << (bits - 20);
        known[i] = strcmp(names[i], "T") != 0 && strcmp(names[i], "H") != 0;
    }
}

static void check_same(rk_pool *p, rk_ex e, rk_ex f, const rk_binding *at)
{
    rk_i128 x = 0, y = 0;

    if (rk_ex_eval(p, e, at, &x, NULL) == RK_OK && rk_ex_eval(p, f, at, &y, NULL) == RK_OK)
        MUST(x == y);
}

static void check_tape(rk_pool *p, const rk_ex *e, size_t n, const rk_binding *at)
{
    rk_err err = {0};
    rk_tape *t = rk_tape_new(p, e, n, &err);
    rk_i128 *scratch, out[8], one = 0;
    int code = RK_OK, got;

    MUST(t);
    scratch = malloc(rk_tape_scratch(t) * sizeof *scratch + 1);
    got = rk_tape_eval(t, at, scratch, out, &err);
    for (size_t i = 0; i < n && code == RK_OK; i++) {
        code = rk_ex_eval(p, e[i], at, &one, &err);
        MUST(got != RK_OK || (code == RK_OK && one == out[i]));
    }
    MUST(got == code);
    free(scratch);
    rk_tape_free(t);
}

static rk_ex reread(rk_pool *p, rk_ex e, int style)
{
    rk_str s = {0};
    rk_err err = {0};
    rk_ex again = RK_EX_FAILED;

    rk_ex_print(p, e, style, &s);
    MUST(!s.failed);
    if (!(style & RK_PRINT_LATEX))
        MUST(rk_ex_parse(p, rk_str_text(&s), &again, &err) == RK_OK);
    rk_str_free(&s);
    return again;
}

static void check_expression(rk_pool *p, rk_ex e, const uint8_t *data, size_t size)
{
    rk_ex list[] = {e, reread(p, e, RK_PRINT_FACTORED), rk_ex_simplify(p, e), rk_ex_expand_defs(p, e)};
    size_t n = 0;

    MUST(reread(p, e, RK_PRINT_TEXT) == e);
    reread(p, e, RK_PRINT_LATEX | RK_PRINT_FACTORED);
    /* What grows over a limit on the way is no expression. */
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (list[i] != RK_EX_FAILED)
            list[n++] = list[i];
    for (int round = 0; round < N_BINDING; round++) {
        rk_i128 value[N_NAME];
        bool known[N_NAME];
        rk_binding at = {value, known, N_NAME};

        bind(data, size, round, value, known);
        for (size_t i = 1; i < n; i++)
            check_same(p, e, list[i], &at);
        check_tape(p, list, n, &at);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rk_pool *p;
    rk_ex e = RK_EX_FAILED;
    rk_err err = {0};
    char *text;

    if (size > TEXT_MAX)
        return 0;
    p = pool_with_names();
    text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    if (rk_ex_parse(p, text, &e, &err) == RK_OK) {
        MUST(e != RK_EX_FAILED && rk_pool_check(p, NULL) == RK_OK);
        check_expression(p, e, data, size);
    } else {
        MUST(err.code != RK_OK && err.message[0]);
    }
    free(text);
    rk_pool_free(p);
    return 0;
}
