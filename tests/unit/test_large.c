/* SPDX-License-Identifier: MIT */
/*
 * Model files as large as they may be: a file from a stranger is read in time, or refused.
 *
 * Each file repeats one statement until a limit is met.  What looks at all that came before for each of them takes
 * minutes here, and what does not takes less than a second; the bound lies between, for slow machines.
 */
#include "account/rollup.h"
#include "lang/ast.h"
#include "model/expand.h"
#include "sample.h"
#include "t.h"

#include <time.h>

#define SECONDS_MAX 20

typedef struct shape {
    const char *name;
    const char *line;  /* %d: its number, up to three times */
    const char *error; /* part of the message; NULL: none */
} shape;

static const char *const head = "model large: \"a limit is near\"\nrun B = 2\nrun S = 8\nlet D = 4\ninput x[B S D]\n";

static const shape shapes[] = {
    {"one name again and again", "x = x + x", NULL},
    {"names without end", "a@ = relu(x)", NULL},
    {"names that nothing defines", "a@ = b@", "mistakes"},
    {"weights", "a@[B S D] = x[B S D'] * .w@[D D']", NULL},
    {"axes of all sizes", "a@[B S ~] = zeros[B S ~]", NULL},
    {"recurrences", "b@[B S D] = b@[B S-1 D] + x", NULL},
    {"recurrences in a chain", "c@[B S D] = c~[B S-1 D] * .w[D]", "is read one step back"},
    {"checks that fail", "check D == 5", "mistakes"},
    {"unused weights", "unused .u@[D D']", NULL},
    {"tied weights", "unused .s@[D]\nunused .t@[D]\ntie .s@ to .t@", NULL},
    {"parts", "part p@:\n    x = relu(x)", NULL},
    {"loops", "part l@[i < 3] at l@.{i}:\n    y@ = x * .w[D]", "more than 4096 symbols"},
    {"blocks", "block f@(a[.. D]) -> b:\n    b = a", NULL},
    {"symbols", "let s@ = D + @", "more than 4096 symbols"},
    {"words", "choose w@ = a | b", NULL},
};

static void put_line(rk_str *s, const char *line, int n)
{
    for (; *line; line++)
        if (*line == '@')
            rk_str_format(s, "%d", n);
        else if (*line == '~')
            rk_str_format(s, "%d", n + 1);
        else
            rk_str_putc(s, *line);
    rk_str_putc(s, '\n');
}

/* As many statements, or as many bytes, as a file may have. */
static void write_large(const shape *f, rk_str *s)
{
    static const char tail[] = "output x\n";
    size_t n_stmt = 5, each = 1;

    for (const char *c = f->line; *c; c++)
        each += *c == '\n';
    rk_str_put(s, head);
    for (int i = 1; n_stmt + each < RK_STATEMENTS_MAX && s->n + 200 < RK_SOURCE_BYTES_MAX; i++) {
        put_line(s, f->line, i);
        n_stmt += each;
    }
    rk_str_put(s, tail);
}

/* The whole way, for a model that opened: to a table of parts. */
static int account(const rk_model *m, rk_err *err)
{
    rk_arena a = {0};
    rk_convention c = {.count = RK_COUNT_ALL};
    rk_instance *x = NULL;
    rk_ledger *l = NULL;
    rk_rollup r;
    int code = rk_instance_new(m, &x, err);

    if (code == RK_OK)
        code = rk_ledger_new(x, &c, &l, err);
    if (code == RK_OK)
        code = rk_rollup_ops(&a, l, &r, err);
    rk_ledger_free(l);
    rk_instance_free(x);
    rk_arena_free(&a);
    return code;
}

static void check_shape(const shape *f)
{
    rk_str text = {0}, mistakes = {0};
    rk_model_source source = {.name = "large", .file_name = "large.rk"};
    const rk_model *m = NULL;
    rk_err err = {0};
    clock_t start;
    int code;

    write_large(f, &text);
    source.text = rk_str_text(&text);
    source.n = text.n;
    start = clock();
    code = rk_model_open(&source, &m, &mistakes, &err);
    if (code == RK_OK)
        code = account(m, &err);
    rk_str_put(&mistakes, code == RK_OK ? "" : err.message);
    if (!CHECK((code == RK_OK) == !f->error) || !CHECK(!f->error || strstr(rk_str_text(&mistakes), f->error) != NULL) ||
        !CHECK(clock() - start < (clock_t)SECONDS_MAX * CLOCKS_PER_SEC))
        printf("    %s: %.200s, %.1f seconds\n", f->name, rk_str_text(&mistakes),
               (double)(clock() - start) / CLOCKS_PER_SEC);
    rk_model_free(m);
    rk_str_free(&text);
    rk_str_free(&mistakes);
}

/* Thirty blocks that each call the one before twice: 2^30 calls that compute nothing end where memory is limited. */
static void test_doubling(void)
{
    rk_str text = {0};
    rk_model_source source = {.name = "large", .file_name = "large.rk"};
    const rk_model *m = NULL;
    rk_err err = {0};
    clock_t start = clock();

    rk_str_put(&text, head);
    rk_str_put(&text, "block f0(a[.. D]) -> b:\n    b = a\n");
    for (int i = 1; i < 31; i++)
        rk_str_format(&text, "block f%d(a[.. D]) -> b:\n    c = f%d(a)\n    b = f%d(c)\n", i, i - 1, i - 1);
    rk_str_put(&text, "x = f30(x)\noutput x\n");
    source.text = rk_str_text(&text);
    source.n = text.n;
    CHECK_INT(rk_model_open(&source, &m, NULL, &err), RK_ENOMEM);
    CHECK(m == NULL && clock() - start < (clock_t)SECONDS_MAX * CLOCKS_PER_SEC);
    rk_str_free(&text);
}

/* The last byte that may be, and one more. */
static void test_bytes(void)
{
    for (size_t more = 0; more <= 1; more++) {
        rk_str text = {0}, mistakes = {0};
        rk_model_source source = {.name = "large", .file_name = "large.rk"};
        const rk_model *m = NULL;
        rk_err err = {0};

        rk_str_put(&text, head);
        rk_str_put(&text, "output x\n#");
        rk_str_fill(&text, '.', RK_SOURCE_BYTES_MAX + more - text.n);
        source.text = rk_str_text(&text);
        source.n = text.n;
        CHECK_INT(rk_model_open(&source, &m, &mistakes, &err), more ? RK_ELIMIT : RK_OK);
        CHECK_TEXT(err.message, more ? "large.rk: a model file has at most 1048576 bytes" : "");
        rk_model_free(m);
        rk_str_free(&text);
        rk_str_free(&mistakes);
    }
}

int main(void)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (t_sampled(shapes[i].name))
            check_shape(&shapes[i]);
    test_doubling();
    test_bytes();
    return t_done("large");
}
