/* SPDX-License-Identifier: MIT */
/* Sheets: they give what the model gives when it is opened at these numbers; what cannot be changed is refused. */
#include "with.h"

#include <dirent.h>

/* ---- against opening anew --------------------------------------------------------------------------------------- */

enum {
    N_TOTAL = RECKON_STEP + 1,
    ROWS_MAX = 400
};

static size_t all_figures(const reckon_account *a, const reckon_figure *figure[ROWS_MAX])
{
    size_t n = 0;

    for (int q = 0; q < N_TOTAL; q++)
        figure[n++] = reckon_total(a, (reckon_quantity)q);
    for (size_t i = 0; i < reckon_operation_count(a) && n + 2 < ROWS_MAX; i++) {
        figure[n++] = reckon_operation_at(a, i)->forward;
        figure[n++] = reckon_operation_at(a, i)->backward;
    }
    return n;
}

/* The same figures of an account opened at these numbers: rows stand in the same order. */
static void check_anew(const char *path, const char *symbols, const reckon_count *got, size_t n)
{
    const reckon_figure *figure[ROWS_MAX] = {0};
    reckon_account *a = with(path, NULL, symbols);

    if (!a)
        return;
    CHECK_INT(all_figures(a, figure), n);
    for (size_t i = 0; i < n; i++) {
        reckon_count want = {0, 0};

        CHECK_INT(reckon_value(figure[i], &want, NULL), RECKON_OK);
        if (!CHECK(reckon_count_compare(want, got[i]) == 0))
            printf("  %s %s: figure %zu\n", path, symbols, i);
    }
    reckon_close(&a);
}

static bool may_change(const reckon_account *a, const char *name)
{
    for (size_t i = 0; i < reckon_symbol_count(a); i++)
        if (strcmp(reckon_symbol_at(a, i)->name, name) == 0)
            return reckon_symbol_at(a, i)->may_change;
    return false;
}

static void check_config(const char *path)
{
    static const char *const name[] = {"B", "S", "U"};
    static const uint64_t to[] = {3, 700, 44};
    reckon_account *a = with(path, NULL, NULL);
    const reckon_figure *figure[ROWS_MAX] = {0};
    reckon_count got[ROWS_MAX];
    reckon_sheet *sheet = NULL;
    size_t n = a ? all_figures(a, figure) : 0;
    char symbols[64] = "";

    if (!a || !CHECK(reckon_sheet_new(a, figure, n, &sheet, NULL) == RECKON_OK)) {
        reckon_close(&a);
        return;
    }
    check_anew(path, "", (CHECK_INT(reckon_sheet_evaluate(sheet, got, NULL), RECKON_OK), got), n);
    for (size_t i = 0; i < 3; i++)
        if (may_change(a, name[i])) {
            size_t used = strlen(symbols);

            snprintf(symbols + used, sizeof symbols - used, "%s=%d ", name[i], (int)to[i]);
            CHECK_INT(reckon_sheet_set(sheet, name[i], to[i], NULL), RECKON_OK);
        }
    if (!CHECK(symbols[0] == 'B')) /* a batch is free in every model */
        printf("    %s\n", path);
    CHECK_INT(reckon_sheet_evaluate(sheet, got, NULL), RECKON_OK);
    check_anew(path, symbols, got, n);
    reckon_sheet_free(&sheet);
    reckon_close(&a);
}

static void test_families(void)
{
    DIR *dir = opendir(WITH_TINY);
    int n = 0;

    for (struct dirent *e; dir && (e = readdir(dir));) {
        char path[512];

        if (!strstr(e->d_name, ".config.json"))
            continue;
        snprintf(path, sizeof path, WITH_TINY "%s", e->d_name);
        check_config(path);
        n++;
    }
    if (dir)
        closedir(dir);
    CHECK(n > 10);
}

/* ---- what is refused -------------------------------------------------------------------------------------------- */

static void refuse(reckon_sheet *sheet, const char *symbol, uint64_t value, const char *message)
{
    reckon_error error = {0};

    CHECK_INT(reckon_sheet_set(sheet, symbol, value, &error), RECKON_EINPUT);
    CHECK_INT(error.code, RECKON_EINPUT);
    CHECK_TEXT(error.message, message);
}

static void test_refusals(void)
{
    reckon_account *a = with("gpt2-xl", NULL, NULL);
    const reckon_figure *forward = reckon_total(a, RECKON_FORWARD);
    reckon_sheet *sheet = NULL;
    reckon_count n = {5, 5};

    CHECK_INT(reckon_sheet_new(a, &forward, 1, &sheet, NULL), RECKON_OK);
    refuse(sheet, "Q", 1, "gpt2-xl has no symbol 'Q'");
    refuse(sheet, "D", 8, "D is a symbol of the model, not of the run: open the model with another D instead");
    refuse(sheet, "T", 8, "T follows from other symbols: open the model with another T instead");
    refuse(sheet, "S", 0, "S = 0: a size is from 1 to 2^63 - 1");
    refuse(sheet, "S", UINT64_MAX, "S = 18446744073709551615: a size is from 1 to 2^63 - 1");
    /* 2^63 squared is beyond 128 bits with a factor. */
    CHECK_INT(reckon_sheet_set(sheet, "S", INT64_MAX, NULL), RECKON_OK);
    CHECK_INT(reckon_sheet_evaluate(sheet, &n, NULL), RECKON_EOVERFLOW);
    CHECK(n.low == 5 && n.high == 5);
    CHECK_INT(reckon_sheet_set(sheet, "S", 1024, NULL), RECKON_OK);
    CHECK_INT(reckon_sheet_evaluate(sheet, &n, NULL), RECKON_OK);
    CHECK_INT(n.low, 3506703564800);
    reckon_sheet_free(&sheet);
    reckon_close(&a);
}

/* A number that decided something, or that the file has as it is, cannot be changed without opening anew. */
static void test_fixed(void)
{
    static const char text[] = "model fixed: \"\"\n"
                               "run B = 1\n"
                               "run S = 16\n"
                               "let U = 4\n"
                               "let T = S\n"
                               "incoming x[B S U]\n"
                               "y[B S U'] = x[B S U] * .w[U' U]\n"
                               "if T > 8:\n"
                               "    y[B S U'] = y[B S U] * .v[U' U]\n"
                               "output y\n";
    reckon_account *a = with_text(text, NULL, NULL);
    const reckon_figure *forward = reckon_total(a, RECKON_FORWARD);
    reckon_sheet *sheet = NULL;

    if (!a || !CHECK(reckon_sheet_new(a, &forward, 1, &sheet, NULL) == RECKON_OK))
        return;
    CHECK(may_change(a, "B") && !may_change(a, "S") && !may_change(a, "T") && !may_change(a, "U"));
    refuse(sheet, "S", 4, "S has shaped the account: open the model with another S instead");
    refuse(sheet, "U", 4, "U has shaped the account: open the model with another U instead");
    reckon_sheet_free(&sheet);
    reckon_close(&a);
}

/* What leads to less than nothing is no count. */
static void test_negative(void)
{
    static const char text[] = "model less: \"\"\n"
                               "run B = 1\n"
                               "run S = 16\n"
                               "let R = S - 8\n"
                               "let D = 4\n"
                               "incoming x[B R D]\n"
                               "y[B R D'] = x[B R D] * .w[D' D]\n"
                               "output y\n";
    reckon_account *a = with_text(text, NULL, NULL);
    const reckon_figure *forward = reckon_total(a, RECKON_FORWARD);
    reckon_sheet *sheet = NULL;
    reckon_count n = {5, 5};
    reckon_error error = {0};

    if (!a || !CHECK(reckon_sheet_new(a, &forward, 1, &sheet, NULL) == RECKON_OK))
        return;
    CHECK_INT(reckon_sheet_set(sheet, "S", 7, NULL), RECKON_OK);
    CHECK_INT(reckon_sheet_evaluate(sheet, &n, &error), RECKON_EVALUE);
    CHECK(strstr(error.message, "-32") != NULL && n.low == 5);
    reckon_sheet_free(&sheet);
    reckon_close(&a);
}

/* A symbol without a number may get one here. */
static void test_unknown(void)
{
    static const char text[] = "model open: \"\"\n"
                               "run B = 1\n"
                               "run S\n"
                               "incoming x[B S]\n"
                               "y[B] = x[B S] * x[B S]\n"
                               "output y\n";
    reckon_account *a = with_text(text, NULL, NULL);
    const reckon_figure *forward = reckon_total(a, RECKON_FORWARD);
    reckon_sheet *sheet = NULL;
    reckon_count n = {0, 0};

    if (!a || !CHECK(reckon_sheet_new(a, &forward, 1, &sheet, NULL) == RECKON_OK))
        return;
    CHECK_INT(reckon_sheet_evaluate(sheet, &n, NULL), RECKON_EVALUE);
    CHECK_INT(reckon_sheet_set(sheet, "S", 21, NULL), RECKON_OK);
    CHECK_INT(reckon_sheet_evaluate(sheet, &n, NULL), RECKON_OK);
    CHECK_INT(n.low, 42);
    reckon_sheet_free(&sheet);
    reckon_close(&a);
}

static void test_null(void)
{
    reckon_account *a = with("gpt2-xl", NULL, NULL), *b = with("gpt2-xl", NULL, NULL);
    const reckon_figure *mixed[] = {reckon_total(a, RECKON_FORWARD), reckon_total(b, RECKON_FORWARD)}, *none = NULL;
    reckon_sheet *sheet = NULL;
    reckon_error error = {0};
    reckon_count n;

    CHECK_INT(reckon_sheet_new(NULL, mixed, 1, &sheet, &error), RECKON_EUSAGE);
    CHECK_INT(reckon_sheet_new(a, NULL, 1, &sheet, &error), RECKON_EUSAGE);
    CHECK_INT(reckon_sheet_new(a, mixed, 1, NULL, &error), RECKON_EUSAGE);
    CHECK_INT(reckon_sheet_new(a, &none, 1, &sheet, &error), RECKON_EUSAGE);
    CHECK_TEXT(error.message, "figure 0 is NULL");
    CHECK_INT(reckon_sheet_new(a, mixed, 2, &sheet, &error), RECKON_EUSAGE);
    CHECK_TEXT(error.message, "figure 1 is of another account");
    CHECK(sheet == NULL);
    CHECK_INT(reckon_sheet_new(a, NULL, 0, &sheet, &error), RECKON_OK); /* nothing, of which there is nothing to say */
    CHECK_INT(reckon_sheet_evaluate(sheet, NULL, &error), RECKON_OK);
    CHECK_INT(reckon_sheet_set(sheet, NULL, 1, &error), RECKON_EUSAGE);
    CHECK_INT(reckon_sheet_set(NULL, "S", 1, &error), RECKON_EUSAGE);
    CHECK_INT(reckon_sheet_evaluate(NULL, &n, &error), RECKON_EUSAGE);
    reckon_sheet_free(&sheet);
    CHECK(sheet == NULL);
    reckon_sheet_free(&sheet);
    reckon_sheet_free(NULL);
    reckon_close(&a);
    reckon_close(&b);
}

int main(void)
{
    test_families();
    test_refusals();
    test_fixed();
    test_negative();
    test_unknown();
    test_null();
    return t_done("api sheet");
}
