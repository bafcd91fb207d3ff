/* SPDX-License-Identifier: MIT */
#include "lang/ast.h"
#include "../lang/print.h"
#include "base/file.h"
#include "t.h"

#include <dirent.h>
#include <stdlib.h>

#define N_MUTATION 20000

/* One parse and all that it gave. */
typedef struct result {
    rk_arena arena;
    rk_mistakes mistakes;
    rk_file *file;
    rk_err err;
    int code;
} result;

static void parse(result *r, const char *text, size_t n)
{
    *r = (result){.mistakes.arena = NULL};
    r->mistakes.arena = &r->arena;
    r->code = rk_parse(&r->arena, "case.rk", text, n, &r->mistakes, &r->file, &r->err);
}

static void finish(result *r)
{
    rk_arena_free(&r->arena);
}

/* "LINE:COL: message\n" for each mistake, in the order of the text. */
static void list_mistakes(const rk_mistakes *m, rk_str *out)
{
    rk_str all = {0};
    const char *line, *end;

    rk_mistakes_print(m, &all);
    for (line = rk_str_text(&all); (end = strchr(line, '\n')) != NULL; line = end + 1)
        if (strncmp(line, "case.rk:", 8) == 0)
            rk_str_putn(out, line + 8, (size_t)(end + 1 - line) - 8);
    if (m->n_more > 0)
        rk_str_format(out, "%zu more\n", m->n_more);
    rk_str_free(&all);
}

/* The mistakes of a text are these. */
static void check_mistakes(const char *what, const char *text, size_t n, const char *want)
{
    result r;
    rk_str got = {0};

    parse(&r, text, n);
    list_mistakes(&r.mistakes, &got);
    if (!CHECK_TEXT(rk_str_text(&got), want) || !CHECK_INT(r.code, *want == '\0' ? RK_OK : RK_EINPUT))
        printf("    in %s\n", what);
    rk_str_free(&got);
    finish(&r);
}

/* ---- properties of a tree ---- */

/* A statement shown to people is one that stands in the text: neither blanks nor line ends around it. */
static void check_span(rk_span span)
{
    if (!CHECK(span.n > 0 && span.at + span.n <= span.source->n))
        return;
    char first = span.source->text[span.at], last = span.source->text[span.at + span.n - 1];
    CHECK(first != ' ' && first != '\n' && last != ' ' && last != '\n' && last != '\r');
}

static void check_spans(const rk_stmts *list)
{
    for (size_t i = 0; i < list->n; i++) {
        check_span(list->at[i]->span);
        check_spans(&list->at[i]->body);
        for (size_t k = 0; k < list->at[i]->n_branch; k++)
            check_spans(&list->at[i]->branch[k]);
    }
}

/* Printed, read and printed again, a tree gives the same text. */
static bool check_round_trip(const rk_file *file)
{
    result again;
    rk_str once = {0}, twice = {0};

    file_print(file, &once);
    parse(&again, rk_str_text(&once), once.n);
    bool good = CHECK_INT(again.code, RK_OK);
    if (good)
        file_print(again.file, &twice);
    good = good && CHECK_TEXT(rk_str_text(&twice), rk_str_text(&once));
    if (!good && again.code != RK_OK)
        printf("    %s in:\n%s", again.err.message, rk_str_text(&once));
    rk_str_free(&once);
    rk_str_free(&twice);
    finish(&again);
    return good;
}

/* ---- the cases of a folder ---- */

typedef struct text {
    const char *name, *text;
    size_t n;
} text;

typedef RK_VEC(text) text_vec;

static int is_case(const struct dirent *e)
{
    size_t n = strlen(e->d_name);

    return n > 3 && strcmp(e->d_name + n - 3, ".rk") == 0;
}

static void read_cases(rk_arena *a, const char *folder, text_vec *out)
{
    struct dirent **entry = NULL;
    int n = scandir(folder, &entry, is_case, alphasort);
    rk_err err;

    CHECK(n > 0);
    for (int i = 0; i < n; i++) {
        char *path = rk_arena_format(a, "%s/%s", folder, entry[i]->d_name), *bytes;
        text *t = RK_PUSH(a, out);

        if (CHECK_INT(rk_file_read(a, path, RK_SOURCE_BYTES_MAX, &bytes, &t->n, &err), RK_OK)) {
            t->name = path;
            t->text = bytes;
        } else {
            out->n--;
        }
        free(entry[i]);
    }
    free(entry);
}

/* What the lines "# expect: …" of a case ask for. */
static void list_expected(const text *t, rk_str *out)
{
    static const char mark[] = "# expect: ";
    const char *line = t->text, *end;

    for (; (end = strchr(line, '\n')) != NULL; line = end + 1)
        if (strncmp(line, mark, sizeof mark - 1) == 0)
            rk_str_putn(out, line + sizeof mark - 1, (size_t)(end + 1 - line) - (sizeof mark - 1));
}

static void test_cases(const text_vec *cases)
{
    for (size_t i = 0; i < cases->n; i++) {
        const text *t = &cases->at[i];
        rk_str want = {0};
        result r;

        list_expected(t, &want);
        check_mistakes(t->name, t->text, t->n, rk_str_text(&want));
        parse(&r, t->text, t->n);
        if (r.code == RK_OK) {
            check_spans(&r.file->body);
            check_round_trip(r.file);
        }
        rk_str_free(&want);
        finish(&r);
    }
}

/* ---- bytes that no editor shows ---- */

#define BYTES(s) s, sizeof(s) - 1

static void test_bytes(void)
{
    static const struct {
        const char *text;
        size_t n;
        const char *want;
    } table[] = {
        {BYTES(""), ""},
        {BYTES("\n\t\n   # only a comment\n   "), ""},
        {BYTES("\xEF\xBB\xBFlet a = 1 # after a mark of the byte order\nlet b = 2"), ""},
        {BYTES("\xEF\xBB\xBF!"), "1:1: unexpected character '!'\n"},
        {BYTES("let a = 1\r\npart b:\r\n    c = f(1,\r\n        2)\r\n\r\n    # comment\r\n    d = 'text'\r\n"), ""},
        {BYTES("x = 1 \x01 2\n"), "1:7: unexpected byte 0x01\n"},
        {BYTES("# a comment with \x02\n"), "1:18: unexpected byte 0x02\n"},
        {BYTES("x = \"\x03 \x04\"\ny = 1 1\n"),
         "1:6: unexpected byte 0x03\n2:7: expected the end of the line here, found '1'\n"},
        {BYTES("x = \0\n"), "1:5: unexpected byte 0x00\n"},
        {BYTES("\0"), "1:1: unexpected byte 0x00\n"},
        {BYTES("# \0"), "1:3: unexpected byte 0x00\n"},
        {BYTES("x = 1\r2\n"), "1:6: unexpected byte 0x0d\n"},
        {BYTES("x = \xFF\n# \xC3("), "1:5: unexpected byte 0xff\n2:3: unexpected byte 0xc3\n"},
        {BYTES("x = \"\xED\xA0\x80\"\n"), "1:6: unexpected byte 0xed\n"},
        {BYTES("x = \xC2\x9B\n"), "1:5: unexpected byte 0xc2\n"},
        {BYTES("x = 'ä' + \"∑"), "1:11: the text is not closed: a second \" is missing\n"},
        {BYTES("part a:\n    x = 1"), ""},
        {BYTES("part a:"), "1:7: this line opens a block, but no deeper line follows\n"},
        {BYTES("x = f("), "1:6: this '(' is not closed\n"},
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        check_mistakes("the table of bytes", table[i].text, table[i].n, table[i].want);
}

/* ---- how mistakes look ---- */

static void check_shown(const char *source, size_t n, const char *want)
{
    result r;
    rk_str got = {0};

    parse(&r, source, n);
    rk_mistakes_print(&r.mistakes, &got);
    CHECK_TEXT(rk_str_text(&got), want);
    rk_str_free(&got);
    finish(&r);
}

static void test_shown(void)
{
    check_shown(BYTES("x = 1\nif a = b:\n  y = \"ä\" zeta\r\n"), "case.rk:2:6: expected ':' here, found '='\n"
                                                                 "    if a = b:\n"
                                                                 "         ^\n"
                                                                 "case.rk:3:11: expected the end of the line here, "
                                                                 "found 'zeta'\n"
                                                                 "      y = \"ä\" zeta\n"
                                                                 "              ^^^^\n");
    /* A tab takes one column, a wide character two, a control character as many as its spelling. */
    check_shown(BYTES("x\t=\t\"日本\" \x1b"), "case.rk:1:10: unexpected byte 0x1b\n"
                                              "    x = \"日本\" \\x1b\n"
                                              "               ^^^^\n");
    /* A mistake at the very end has its caret too. */
    check_shown(BYTES("x ="), "case.rk:1:4: expected a value here, found the end of the file\n"
                              "    x =\n"
                              "       ^\n");
}

static void test_shown_long(void)
{
    char line[600];
    result r;
    rk_str got = {0};
    size_t most = 0;

    memset(line, 'a', sizeof line);
    memcpy(line, "x = \"", 5);
    memcpy(line + 400, "\" %% ", 5);
    parse(&r, line, sizeof line);
    rk_mistakes_print(&r.mistakes, &got);
    for (const char *c = rk_str_text(&got), *end; (end = strchr(c, '\n')) != NULL; c = end + 1)
        most = (size_t)(end - c) > most ? (size_t)(end - c) : most;
    CHECK(most < 200);
    CHECK(strstr(rk_str_text(&got), "case.rk:1:404: expected a value here, found '%'\n    …aaa") != NULL);
    rk_str_free(&got);
    finish(&r);
}

static void test_too_many_mistakes(void)
{
    rk_str source = {0}, got = {0};
    result r;

    for (int i = 0; i < RK_MISTAKES_MAX + 3; i++)
        rk_str_put(&source, "x = ) )\n");
    parse(&r, source.text, source.n);
    CHECK_INT(r.mistakes.list.n, RK_MISTAKES_MAX);
    CHECK_INT(r.mistakes.n_more, 3);
    CHECK_TEXT(r.err.message, "case.rk:1:5: expected a value here, found ')'");
    rk_mistakes_print(&r.mistakes, &got);
    CHECK(strstr(rk_str_text(&got), "\n… and 3 more\n") != NULL);
    rk_str_free(&got);
    rk_str_free(&source);
    finish(&r);
}

/* Several sources keep their order; inside of one, mistakes stand as in the text; one place has one mistake. */
static void test_order(void)
{
    rk_arena a = {0};
    rk_mistakes m = {.arena = &a};
    rk_source one = {.name = "one", .text = "ab", .n = 2}, two = {.name = "two", .text = "cd", .n = 2};
    rk_str got = {0};

    CHECK_INT(rk_mistake_note(&m, (rk_span){&two, 1, 1}, "%s", "fourth"), RK_EINPUT);
    rk_mistake_note(&m, (rk_span){&one, 0, 1}, "last");
    rk_mistake_note(&m, (rk_span){&two, 0, 9}, "third");
    rk_mistake_note(&m, (rk_span){&two, 0, 1}, "the same place");
    rk_mistakes_print(&m, &got);
    CHECK_TEXT(rk_str_text(&got), "two:1:1: third\n    cd\n    ^^\ntwo:1:2: fourth\n    cd\n     ^\n"
                                  "one:1:1: last\n    ab\n    ^\n");
    rk_str_free(&got);
    rk_arena_free(&a);
}

/* A list that two files share: each parse answers for its own text. */
static void test_shared_list(void)
{
    rk_arena a = {0};
    rk_mistakes m = {.arena = &a};
    rk_file *file = NULL;
    rk_err err;

    CHECK_INT(rk_parse(&a, "bad.rk", "x = )", 5, &m, &file, &err), RK_EINPUT);
    CHECK_TEXT(err.message, "bad.rk:1:5: expected a value here, found ')'");
    CHECK(file == NULL);
    CHECK_INT(rk_parse(&a, "good.rk", "x = 1", 5, &m, &file, NULL), RK_OK);
    CHECK(file != NULL);
    CHECK_INT(m.list.n, 1);
    rk_arena_free(&a);
}

/* ---- what the tree says ---- */

static void test_tree(void)
{
    static const char source[] = "a[B 2A+J'-1], _ = x * .w.{i}.y[E@A (N H + 1)] where m(S, T') if c  # no part of it\n"
                                 "keep last 3 of m over S'\n";
    result r;

    parse(&r, source, sizeof source - 1);
    if (!CHECK_INT(r.code, RK_OK)) {
        finish(&r);
        return;
    }
    const rk_stmt *s = r.file->body.at[0], *keep = r.file->body.at[1];
    const rk_axis *place = &s->target[0].axes.at[1];
    const rk_node *product = s->child.at[0], *w = product->child.at[1];

    CHECK_INT(s->kind, RK_STMT_EQUATION);
    CHECK_INT(s->span.n, strstr(source, "  #") - source);
    CHECK_INT(s->n_target, 2);
    CHECK_TEXT(s->target[1].name, "_");
    CHECK(!s->target[1].axes.written);
    CHECK_INT(place->kind, RK_AXIS_AFFINE);
    CHECK_INT(place->n_term, 3);
    CHECK_INT(place->term[0].factor, 2);
    CHECK_INT(place->term[1].primes, 1);
    CHECK_INT(place->term[2].sign, -1);
    CHECK(place->term[2].name == NULL);
    CHECK_TEXT(product->text, "*");
    CHECK_INT(product->op_span.at, strchr(source, '*') - source);
    CHECK(!w->name->from_root);
    CHECK_INT(w->name->n, 3);
    CHECK_TEXT(w->name->piece[0].text, "w.");
    CHECK(w->name->piece[1].text == NULL);
    CHECK_TEXT(w->name->piece[1].node->text, "i");
    CHECK_TEXT(w->name->piece[2].text, ".y");
    CHECK_TEXT(w->axes.at[0].routed, "A");
    CHECK_INT(w->axes.at[1].n_part, 2);
    CHECK_INT(w->axes.at[1].part[0].n, 2);
    CHECK_TEXT(s->where->text, "m");
    CHECK_TEXT(s->where->child.at[1]->text, "T'");
    CHECK_TEXT(s->only_if->text, "c");
    CHECK_INT(keep->kind, RK_STMT_KEEP_LAST);
    CHECK_INT(keep->over_primes, 1);
    finish(&r);
}

static void test_numbers(void)
{
    static const struct {
        const char *source;
        double want;
    } table[] = {{"let x = 0.5", 0.5},         {"let x = 1e-6", 1e-6},   {"let x = 1_0.2_5E+2", 1025.0},
                 {"let x = 0.1", 0.1},         {"let x = 3e0", 3.0},     {"let x = 1e-400", 0.0},
                 {"let x = 10000.0", 10000.0}, {"let x = 0.00001", 1e-5}};

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        result r;

        parse(&r, table[i].source, strlen(table[i].source));
        if (CHECK_INT(r.code, RK_OK))
            CHECK(r.file->body.at[0]->child.at[0]->real == table[i].want);
        finish(&r);
    }
}

/* ---- limits, at and over ---- */

/* `head`, then `repeat` n times, `middle`, then `close` n times, `tail`. */
static void check_repeated(const char *const part[5], size_t n, const char *want)
{
    rk_str source = {0};
    result r;

    rk_str_put(&source, part[0]);
    for (size_t i = 0; i < n; i++)
        rk_str_put(&source, part[1]);
    rk_str_put(&source, part[2]);
    for (size_t i = 0; i < n; i++)
        rk_str_put(&source, part[3]);
    rk_str_put(&source, part[4]);
    parse(&r, source.text, source.n);
    if (want == NULL && CHECK_INT(r.code, RK_OK))
        check_round_trip(r.file);
    if (want != NULL && CHECK_INT(r.code, RK_EINPUT) && CHECK_INT(r.mistakes.list.n, 1))
        CHECK_TEXT(r.mistakes.list.at[0].message, want);
    rk_str_free(&source);
    finish(&r);
}

static void test_limits(void)
{
    static const char deep[] = "nested deeper than 64";
    static const struct {
        const char *part[5];
        size_t most;
        const char *want;
    } table[] = {
        {{"x = ", "(", "1", ")", "\n"}, 64, deep},
        {{"x = ", "[", "1", "]", "\n"}, 64, deep},
        {{"x = ", "f(", "1", ")", "\n"}, 64, deep},
        {{"x = ", "$a[", "1", "]", "\n"}, 64, deep},
        {{"x = ", ".{", "1", "}", "\n"}, 64, deep},
        {{"x = ", "-", "1", "", "\n"}, 64, deep},
        {{"x = ", "not ", "1", "", "\n"}, 64, deep},
        {{"x = ", "a if b else ", "1", "", "\n"}, 64, deep},
        {{"x[", "(", "B", ")", "] = 1\n"}, 64, deep},
        {{"x = 1", " + 1", "", "", "\n"}, 255, "too many operators inside each other; the limit is 256"},
        {{"x = 1", " and 1", "", "", "\n"}, 255, "too many operators inside each other; the limit is 256"},
        {{"x = $a", "[1]", "", "", "\n"}, 255, "too many operators inside each other; the limit is 256"},
        {{"x[", "B ", "", "", "] = 1\n"}, 32, "too many axes; the limit is 32"},
        {{"x[(A", " + A", "", "", ")] = 1\n"}, 31, "too many summands; the limit is 32"},
        {{"x[A", "+A", "", "", "] = 1\n"}, 31, "too many terms of an index; the limit is 32"},
        {{"x = f(1", ", 1", "", "", ")\n"}, 31, "too many arguments; the limit is 32"},
        {{"x = y where f(S, T", ", 1", "", "", ")\n"}, 30, "too many arguments; the limit is 32"},
        {{"x = [1", ", 1", "", "", "]\n"}, 31, "too many parts of a join; the limit is 32"},
        {{"x", ", x", "", "", " = 1\n"}, 31, "too many targets; the limit is 32"},
        {{"check x", ", x", "", "", "\n"}, 31, "too many items in a list; the limit is 32"},
        {{"choose x = y", " | y", "", "", "\n"}, 31, "too many choices; the limit is 32"},
        {{"block f(x", ", x", "", "", ") -> y:\n x = 1\n"}, 31, "too many parameters; the limit is 32"},
        {{"x = .w", "{i}", "", "", "\n"}, 31, "too many pieces of a name; the limit is 32"},
        {{"x", "x", " = 1\n", "", ""}, 127, "too many characters in a name; the limit is 128"},
        {{"x = .", "x", "\n", "", ""}, 128, "too many characters in a name; the limit is 128"},
        {{"x = $", "x", "\n", "", ""}, 128, "too many characters in a name; the limit is 128"},
        {{"use ", "x", "\n", "", ""}, 128, "too many characters in a name; the limit is 128"},
        {{"at ", "x", ":\n x = 1\n", "", ""}, 128, "too many characters in a name; the limit is 128"},
        {{"", "x = 1\n", "", "", ""}, RK_STATEMENTS_MAX, "too many statements; the limit is 20000"},
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        check_repeated(table[i].part, table[i].most, NULL);
        check_repeated(table[i].part, table[i].most + 1, table[i].want);
    }
}

/* Blocks in blocks: as many as the limit, and one more, whose lines are passed over. */
static void check_blocks(size_t n, const char *want)
{
    rk_str source = {0};

    for (size_t i = 0; i < n; i++) {
        rk_str_fill(&source, ' ', i);
        rk_str_put(&source, i % 2 == 0 ? "at a:\n" : "if a:\n");
    }
    for (int i = 0; i < 3; i++) {
        rk_str_fill(&source, ' ', n);
        rk_str_put(&source, "x = 1\n");
    }
    rk_str_put(&source, "y = 1\n");
    check_mistakes("blocks in blocks", source.text, source.n, want);
    rk_str_free(&source);
}

static void test_blocks(void)
{
    check_blocks(RK_NEST_MAX, "");
    check_blocks(RK_NEST_MAX + 1, "66:66: nested deeper than 64\n");
}

/* Elifs stand side by side, however many there are. */
static void test_elifs(void)
{
    static const char *const part[5] = {"if a:\n x = 1\n", "elif b:\n x = 1\n", "", "", "else:\n x = 1\n"};

    check_repeated(part, 3000, NULL);
}

static void check_flood(char *source, size_t n)
{
    result r;

    parse(&r, source, n);
    CHECK(r.code == RK_OK || r.code == RK_EINPUT);
    finish(&r);
}

/* Very much of one thing, as a statement and as a value: neither recursion nor a pass for each byte. */
static void test_floods(void)
{
    static const char *const flood[] = {
        "(",    "x[",           "x=(",     "-",   "not ",    "{",    ".{", "!",     "#\x01",
        "\x01", "\"",           "'",       "x'",  "\n",      " ",    "\t", "\r",    "1",
        "x",    "x if y else ", "if x:\n", "(\n", "x = (\n", " x\n", "$",  "a=1\n", "x = ..\n",
        "é",    "\xC3",         "f(a=",    "[1,", "at ",     "use ", ","};
    char *source = malloc(RK_SOURCE_BYTES_MAX);

    for (size_t i = 0; source != NULL && i < sizeof flood / sizeof *flood; i++) {
        /* The first to the limit, the others shorter, for the sake of time. */
        size_t step = strlen(flood[i]), n = i == 0 ? RK_SOURCE_BYTES_MAX : RK_SOURCE_BYTES_MAX / 16;

        for (size_t k = 0; k < n; k++)
            source[k] = flood[i][k % step];
        check_flood(source, n);
        memcpy(source, "y = ", 4);
        check_flood(source, n);
    }
    free(source);
}

static void test_size(void)
{
    char *source = malloc(RK_SOURCE_BYTES_MAX + 1);

    if (!CHECK(source != NULL))
        return;
    memset(source, '\n', RK_SOURCE_BYTES_MAX + 1);
    check_mistakes("as many bytes as may be", source, RK_SOURCE_BYTES_MAX, "");
    check_mistakes("one byte more", source, RK_SOURCE_BYTES_MAX + 1, "1:1: too many bytes; the limit is 1048576\n");
    free(source);
}

/* ---- memory that runs out ---- */

static const text *case_named(const text_vec *cases, const char *name)
{
    for (size_t i = 0; i < cases->n; i++)
        if (strstr(cases->at[i].name, name) != NULL)
            return &cases->at[i];
    return NULL;
}

/* The heap refuses after n allocations, for each n. */
static void test_heap(const text *t, int want)
{
    int code = RK_ENOMEM;

    for (long n = 0; code == RK_ENOMEM && CHECK(n < 1000); n++) {
        result r;

        rk_heap_fail_after(n);
        parse(&r, t->text, t->n);
        rk_heap_fail_after(-1);
        code = r.code;
        CHECK(r.code == want || (r.code == RK_ENOMEM && r.file == NULL));
        finish(&r);
    }
    CHECK_INT(code, want);
}

/* The arena refuses after n bytes: unlike on the heap, this meets every single allocation. */
static void test_arena(const text *t, int want)
{
    result r;

    parse(&r, t->text, t->n);
    size_t used = r.arena.used;
    finish(&r);
    for (size_t limit = 1; limit <= used; limit += 13) {
        r = (result){.arena.limit = limit};
        r.mistakes.arena = &r.arena;
        r.code = rk_parse(&r.arena, "case.rk", t->text, t->n, &r.mistakes, &r.file, &r.err);
        CHECK(r.code == RK_ENOMEM || (limit >= used && r.code == want));
        CHECK(r.file == NULL || r.code == RK_OK);
        finish(&r);
    }
}

/* Printing with a heap that refuses is cut, and says so. */
static void test_print_memory(const text *t)
{
    result r;

    parse(&r, t->text, t->n);
    for (long n = 0; n < 3 && r.code == RK_EINPUT; n++) {
        rk_str out = {0};

        rk_heap_fail_after(n);
        rk_mistakes_print(&r.mistakes, &out);
        rk_heap_fail_after(-1);
        CHECK(out.failed);
        rk_str_free(&out);
    }
    finish(&r);
}

static void test_memory(const text_vec *cases)
{
    const text *good = case_named(cases, "/statements.rk"), *bad = case_named(cases, "/bad_statements.rk");

    if (!CHECK(good != NULL && bad != NULL))
        return;
    test_heap(good, RK_OK);
    test_arena(good, RK_OK);
    test_heap(bad, RK_EINPUT);
    test_arena(bad, RK_EINPUT);
    test_print_memory(bad);
}

/* ---- mutations ---- */

static uint64_t random_state = 0x9E3779B97F4A7C15u;

static size_t random_below(size_t n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return n == 0 ? 0 : (size_t)(random_state >> 11) % n;
}

/* Replaces bytes [at, at + gone) of buf[0..n). */
static size_t splice(char *buf, size_t n, size_t at, size_t gone, const char *put, size_t n_put)
{
    memmove(buf + at + n_put, buf + at + gone, n - at - gone);
    memcpy(buf + at, put, n_put);
    return n - gone + n_put;
}

static size_t mutate(char *buf, size_t n)
{
    static const char *const word[] = {"(",     ")",    "[",    "]",    "{",         "}",    "=", "if ", " else ",
                                       "\n",    "    ", "'",    "\"",   "#",         "..",   "@", "2A",  " if x",
                                       "keep ", ":",    ",",    ".",    "/",         "$",    "-", "+",   "\t",
                                       "é",     "not ", " in ", "\n  ", "elif x:\n", "\x01", "_", "1e9"};
    const char *w = word[random_below(sizeof word / sizeof *word)];
    char byte = (char)random_below(256), copy[24];
    size_t at = random_below(n), gone = random_below(8), n_copy = random_below(sizeof copy);

    gone = gone < n - at ? gone : n - at;
    switch (random_below(5)) {
    case 0:
        return splice(buf, n, at, gone > 0, &byte, 1);
    case 1:
        return splice(buf, n, at, gone, "", 0);
    case 2:
        n_copy = n_copy < n - at ? n_copy : n - at;
        memcpy(copy, buf + at, n_copy);
        return splice(buf, n, random_below(n), 0, copy, n_copy);
    default:
        return splice(buf, n, at, random_below(2) == 0 ? gone : 0, w, strlen(w));
    }
}

/* Whatever the bytes, the parser ends; what it accepts survives printing. */
static void test_mutations(const text_vec *cases)
{
    char buf[1024];

    for (int i = 0; i < N_MUTATION && cases->n > 0; i++) {
        const text *t = &cases->at[random_below(cases->n)];
        size_t from = random_below(t->n), n;
        result r;

        /* From the beginning of a line on, so that many stay correct. */
        while (from > 0 && t->text[from - 1] != '\n')
            from--;
        n = t->n - from < 300 ? t->n - from : 300;
        memcpy(buf, t->text + from, n);
        for (size_t k = random_below(6) + 1; k > 0; k--)
            n = mutate(buf, n);
        parse(&r, buf, n);
        if (r.code == RK_OK ? !check_round_trip(r.file) : !CHECK_INT(r.code, RK_EINPUT))
            printf("    mutation %d of %s\n", i, t->name);
        finish(&r);
    }
}

int main(int argc, char **argv)
{
    rk_arena a = {0};
    text_vec cases = {0};

    read_cases(&a, argc > 1 ? argv[1] : "tests/lang", &cases);
    test_cases(&cases);
    test_bytes();
    test_shown();
    test_shown_long();
    test_too_many_mistakes();
    test_order();
    test_shared_list();
    test_tree();
    test_numbers();
    test_limits();
    test_blocks();
    test_elifs();
    test_size();
    test_floods();
    test_memory(&cases);
    test_mutations(&cases);
    rk_arena_free(&a);
    return t_done("lang");
}
