/* SPDX-License-Identifier: MIT */
/*
 * What a model file means: the cases of tests/model/, the limits, and memory that runs out.
 *
 * tests/model/mistakes.rk says how a case is written.  `test_model --show` prints all cases as they come out, to be
 * read before they are believed.
 */
#include "account/sheet.h"
#include "base/file.h"
#include "model/expand.h"
#include "read/doc.h"
#include "t.h"

#include <dirent.h>
#include <stdlib.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- opening a text ---------------------------------------------------------------------------------------------- */

typedef struct opened {
    rk_arena arena; /* of the config */
    const rk_model *model;
    rk_str mistakes;
    rk_err err;
    int code;
} opened;

static rk_model_source source_of(const char *text, size_t n)
{
    return (rk_model_source){.name = "m", .file_name = "m.rk", .text = text, .n = n};
}

static void open_source(const rk_model_source *source, opened *o)
{
    o->code = rk_model_open(source, &o->model, &o->mistakes, &o->err);
    CHECK((o->code == RK_OK) == (o->model != NULL) && !o->mistakes.failed);
}

static opened open_text(const char *text)
{
    rk_model_source source = source_of(text, strlen(text));
    opened o = {.code = RK_OK};

    open_source(&source, &o);
    return o;
}

static void close_opened(opened *o)
{
    rk_model_free(o->model);
    rk_str_free(&o->mistakes);
    rk_arena_free(&o->arena);
}

/* "LINE:COLUMN: message" for each mistake; lines of the prelude are not counted. */
static void list_mistakes(const rk_str *all, int n_prelude, rk_str *out)
{
    const char *line = rk_str_text(all), *end;

    for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        int at = 0, column = 0, used = 0;

        if (sscanf(line, "m.rk:%d:%d: %n", &at, &column, &used) == 2 && used > 0) {
            rk_str_format(out, "%d:%d: ", at - n_prelude, column);
            rk_str_putn(out, line + used, (size_t)(end + 1 - line) - (size_t)used);
        } else if (strncmp(line, "…", strlen("…")) == 0 || strncmp(line, "other", 5) == 0) {
            rk_str_putn(out, line, (size_t)(end + 1 - line));
        }
    }
}

/* ---- counting ---------------------------------------------------------------------------------------------------- */

/* One figure of a ledger, and its formula unless NULL; -1 where there is none. */
static rk_i128 figure(const rk_model *m, rk_convention c, size_t which, rk_str *formula)
{
    rk_instance *x = NULL;
    rk_ledger *l = NULL;
    rk_err err = {0};
    rk_i128 value = -1;

    if (CHECK_INT(rk_instance_new(m, &x, &err), RK_OK) && CHECK_INT(rk_ledger_new(x, &c, &l, &err), RK_OK)) {
        rk_ex e[] = {l->stored, l->named, l->active, l->forward, l->backward};

        if (rk_ex_eval(x->pool, e[which], &x->at, &value, &err) != RK_OK)
            value = -1;
        if (formula)
            rk_ex_print(x->pool, rk_ex_simplify(x->pool, e[which]), RK_PRINT_TEXT, formula);
    }
    rk_ledger_free(l);
    rk_instance_free(x);
    return value;
}

typedef struct ask {
    const char *word; /* "# word: number" */
    rk_convention convention;
    size_t which;
    bool formula; /* "# word: formula" */
} ask;

static const ask asks[] = {
    {"stored", {0}, 0, false},
    {"named", {0}, 1, false},
    {"active", {0}, 2, false},
    {"forward", {0}, 3, false},
    {"backward", {0}, 4, false},
    {"mac", {.mac = true}, 3, false},
    {"exact", {.pairs = RK_PAIRS_EXACT}, 3, false},
    {"exact backward", {.pairs = RK_PAIRS_EXACT}, 4, false},
    {"all", {.count = RK_COUNT_ALL}, 3, false},
    {"all backward", {.count = RK_COUNT_ALL}, 4, false},
    {"torch", {.count = RK_COUNT_TORCH}, 3, false},
    {"torch backward", {.count = RK_COUNT_TORCH}, 4, false},
    {"formula", {0}, 3, true},
    {"stored formula", {0}, 0, true},
};

/* ---- cases ------------------------------------------------------------------------------------------------------- */

#define SETTINGS_MAX 4

typedef struct acase {
    const char *name;
    const char *text; /* from the line after its name … */
    size_t n;         /* … to the next case */
} acase;

typedef RK_VEC(acase) acase_vec;

static const char *const folder = "tests/model";
static bool showing;
static rk_str seen; /* every message that came up, for test_all_seen */

static char *read_text(rk_arena *a, const char *name, size_t *n)
{
    rk_err err = {0};
    char *text = NULL, *path = rk_arena_format(a, "%s/%s", folder, name);

    if (!CHECK_INT(rk_file_read(a, path, RK_SOURCE_BYTES_MAX, &text, n, &err), RK_OK))
        printf("    %s\n", err.message);
    return text;
}

static void split_cases(rk_arena *a, const char *text, acase_vec *out)
{
    const char *at = strstr(text, "\n## ");

    while (at != NULL) {
        const char *name = at + 4, *body = strchr(name, '\n') + 1;
        acase *c = RK_PUSH(a, out);

        at = strstr(body, "\n## ");
        c->name = rk_arena_copy(a, name, (size_t)(body - 1 - name));
        c->text = body;
        c->n = at ? (size_t)(at + 1 - body) : strlen(body);
    }
}

/* What stands after "# word: " in a case, all such lines. */
static void list_said(const acase *c, const char *word, rk_str *out)
{
    char mark[32];
    size_t n = (size_t)snprintf(mark, sizeof mark, "# %s: ", word);
    const char *line = c->text, *end;

    for (; line < c->text + c->n && (end = strchr(line, '\n')) != NULL; line = end + 1)
        if (strncmp(line, mark, n) == 0)
            rk_str_putn(out, line + n, (size_t)(end + 1 - line) - n);
}

static size_t settings(rk_arena *a, const char *said, rk_setting *out)
{
    char *copy = rk_arena_text(a, said), *save = NULL;
    size_t n = 0;

    for (char *word = strtok_r(copy, " \n", &save); word && n < SETTINGS_MAX; word = strtok_r(NULL, " \n", &save)) {
        char *value = strchr(word, '=');

        *value++ = '\0';
        out[n] = (rk_setting){.name = word};
        if (!rk_num_parse(value, strlen(value), &out[n].value))
            out[n].word = value;
        n++;
    }
    return n;
}

static void open_case(const acase *c, const char *prelude, opened *o)
{
    rk_str text = {0}, config = {0}, set = {0};
    rk_setting setting[SETTINGS_MAX];
    rk_doc *doc = NULL;
    rk_model_source source;

    list_said(c, "config", &config);
    list_said(c, "set", &set);
    if (config.n)
        CHECK_INT(rk_config_parse(&o->arena, "config.json", rk_str_text(&config), config.n, &doc, &o->err), RK_OK);
    rk_str_put(&text, prelude);
    rk_str_putn(&text, c->text, c->n);
    source = source_of(rk_str_text(&text), text.n);
    source.config = doc;
    source.config_name = "config.json";
    source.setting = setting;
    source.n_setting = settings(&o->arena, rk_str_text(&set), setting);
    open_source(&source, o);
    rk_str_free(&text);
    rk_str_free(&config);
    rk_str_free(&set);
}

static void check_said(const acase *c, const char *word, const char *got)
{
    rk_str want = {0};

    list_said(c, word, &want);
    if (showing && *got)
        printf("# %s: %s", word, got);
    else if (!showing && !CHECK_TEXT(got, rk_str_text(&want)))
        printf("    in the case '%s'\n", c->name);
    rk_str_free(&want);
}

static void check_counts(const acase *c, const rk_model *m)
{
    for (size_t i = 0; i < COUNT(asks); i++) {
        rk_str said = {0}, formula = {0}, got = {0};
        char number[RK_NUM_TEXT_MAX];

        list_said(c, asks[i].word, &said);
        if (said.n) {
            rk_num_text(number, figure(m, asks[i].convention, asks[i].which, &formula));
            rk_str_format(&got, "%s\n", asks[i].formula ? rk_str_text(&formula) : number);
            check_said(c, asks[i].word, rk_str_text(&got));
        }
        rk_str_free(&said);
        rk_str_free(&formula);
        rk_str_free(&got);
    }
}

static void check_case(const acase *c, const char *prelude, int n_prelude)
{
    opened o = {.code = RK_OK};
    rk_str got = {0}, error = {0};

    if (showing)
        printf("\n## %s\n%.*s", c->name, (int)c->n, c->text);
    open_case(c, prelude, &o);
    list_mistakes(&o.mistakes, n_prelude, &got);
    if (o.code != RK_OK && got.n == 0)
        rk_str_format(&error, "%s\n", o.err.message);
    check_said(c, "expect", rk_str_text(&got));
    check_said(c, "error", rk_str_text(&error));
    rk_str_put(&seen, rk_str_text(&got));
    rk_str_put(&seen, rk_str_text(&error));
    if (o.model)
        check_counts(c, o.model);
    rk_str_free(&got);
    rk_str_free(&error);
    close_opened(&o);
}

static void test_cases(const char *name)
{
    rk_arena a = {0};
    acase_vec cases = {0};
    size_t n = 0;
    const char *prelude = read_text(&a, "prelude.rk", &n), *text = read_text(&a, name, &n);
    int n_prelude = 0;

    for (const char *at = prelude; at && *at; at++)
        n_prelude += *at == '\n';
    if (text)
        split_cases(&a, text, &cases);
    CHECK(cases.n > 0);
    for (size_t i = 0; i < cases.n; i++)
        check_case(&cases.at[i], prelude, n_prelude);
    rk_arena_free(&a);
}

/* ---- every message is seen --------------------------------------------------------------------------------------- */

/* Messages that no text can bring up: what they guard against is refused earlier. */
static const char *const unreachable[] = {
    "a mask names two axes",
    "takes a tensor and at most one number",
    "has a notation of its own",
};

/* The longest piece of a format that is printed as it stands. */
static const char *fixed_piece(rk_arena *a, const char *format, size_t n)
{
    const char *best = "";
    size_t most = 0;

    for (size_t i = 0; i < n;) {
        size_t from = i;

        while (i < n && format[i] != '%' && format[i] != '\\')
            i++;
        if (i - from > most) {
            most = i - from;
            best = format + from;
        }
        while (i < n && !strchr("sduz\"'", format[i]))
            i++;
        i += i < n && format[i] == 'z' ? 2 : 1;
    }
    return rk_arena_copy(a, best, most);
}

static void check_seen(rk_arena *a, const char *file, const char *format, size_t n)
{
    const char *piece = fixed_piece(a, format, n);

    for (size_t i = 0; i < COUNT(unreachable); i++)
        if (strstr(piece, unreachable[i]))
            return;
    if (*piece && !CHECK(strstr(rk_str_text(&seen), piece) != NULL))
        printf("    %s: no case of tests/model brings up: %.*s\n", file, (int)n, format);
}

/* Looks through a file of src/model for RK_MISTAKE(…, "format" …, also the second one of  a ? … : …. */
static void check_file_seen(rk_arena *a, const char *path)
{
    rk_err err = {0};
    char *text = NULL;
    size_t n = 0;

    if (!CHECK_INT(rk_file_read(a, path, RK_SOURCE_BYTES_MAX, &text, &n, &err), RK_OK))
        return;
    for (const char *at = text; (at = strstr(at, "RK_MISTAKE(")) != NULL;) {
        const char *from = strchr(at, '"') + 1, *to = from;

        while (*to != '"' || to[-1] == '\\')
            to++;
        check_seen(a, path, from, (size_t)(to - from));
        at = to;
    }
}

static void test_all_seen(void)
{
    rk_arena a = {0};
    DIR *d = opendir("src/model");

    for (const struct dirent *e; CHECK(d != NULL) && (e = readdir(d)) != NULL;) {
        size_t n = strlen(e->d_name);

        if (n > 2 && strcmp(e->d_name + n - 2, ".c") == 0)
            check_file_seen(&a, rk_arena_format(&a, "src/model/%s", e->d_name));
    }
    if (d)
        closedir(d);
    rk_arena_free(&a);
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

/* A model whose body is built line by line. */
static void put_head(rk_str *s)
{
    rk_str_put(s, "model m: \"limits\"\nlet D = 4\ninput x[D]\n");
}

/* Opens and frees a text; its mistakes and its error are these ("": none), its program has so many operations. */
static void check_opens(rk_str *text, const char *mistakes, const char *error, size_t n_op)
{
    opened o = open_text(rk_str_text(text));
    rk_str got = {0};

    CHECK(!text->failed);
    list_mistakes(&o.mistakes, 0, &got);
    CHECK_TEXT(rk_str_text(&got), mistakes);
    CHECK_TEXT(o.code == RK_OK || *mistakes ? "" : o.err.message, error);
    if (o.model)
        CHECK_INT(o.model->program.n_op, n_op);
    rk_str_put(&seen, rk_str_text(&got));
    rk_str_free(&got);
    close_opened(&o);
    rk_str_free(text);
}

static void test_limit_loops(void)
{
    for (int n = RK_LOOP_NEST_MAX; n <= RK_LOOP_NEST_MAX + 1; n++) {
        rk_str s = {0};

        put_head(&s);
        for (int i = 0; i < n; i++)
            rk_str_format(&s, "%*spart p%d[i%d < 2] at {i%d}:\n", 4 * i, "", i, i, i);
        rk_str_format(&s, "%*sx = x * .w[D]\noutput x\n", 4 * n, "");
        /* x is an input: the very first layer stands alone, and so what is beside it in each loop. */
        check_opens(&s, n > RK_LOOP_NEST_MAX ? "8:17: repeated parts inside each other: deeper than 4\n" : "", "", 5);
    }
}

/* f1 calls f0, f2 calls f1 …: f31 is the 32nd inside. */
static void test_limit_calls(void)
{
    for (int n = RK_CALL_NEST_MAX; n <= RK_CALL_NEST_MAX + 1; n++) {
        rk_str s = {0};

        put_head(&s);
        for (int i = 0; i < n; i++)
            rk_str_format(&s,
                          i ? "block f%d(a[D]) -> b:\n    b = f%d(a)\n" : "block f%d(a[D]) -> b:\n    b = relu(a)\n", i,
                          i - 1);
        rk_str_format(&s, "y = f%d(x)\noutput y\n", n - 1);
        check_opens(&s, n > RK_CALL_NEST_MAX ? "7:9: blocks inside blocks: deeper than 32\n" : "", "", 1);
    }
}

/* Lets of a layer that each need the one before. */
static void test_limit_lets(void)
{
    for (int n = RK_LATER_NEST_MAX; n <= RK_LATER_NEST_MAX + 1; n++) {
        rk_str s = {0};

        put_head(&s);
        rk_str_put(&s, "part layers[i < 2]:\n    let a1 = i + 1\n");
        for (int i = 2; i <= n; i++)
            rk_str_format(&s, "    let a%d = a%d - a%d + a%d\n", i, i - 1, i - 1, i - 1);
        rk_str_format(&s, "    y[a%d] = zeros(a%d)\noutput x\n", n, n);
        check_opens(&s, n > RK_LATER_NEST_MAX ? "6:14: definitions that need each other: deeper than 64\n" : "", "", 2);
    }
}

static void test_limit_layers(void)
{
    for (int n = RK_LAYERS_MAX; n <= RK_LAYERS_MAX + 1; n++) {
        rk_str s = {0};

        put_head(&s);
        rk_str_format(&s, "part layers[i < %d]:\n    x = relu(x) if i %% 2 == 0\noutput x\n", n);
        check_opens(&s, n > RK_LAYERS_MAX ? "4:17: a part is repeated from 0 to 100000 times\n" : "", "", 1);
    }
}

/* Layers that all differ: each is compared with every kind before it, which must not take forever. */
static void test_limit_kinds(void)
{
    for (int n = 1000; n <= RK_LAYERS_MAX; n *= 100) {
        rk_str s = {0};

        put_head(&s);
        rk_str_format(&s, "part layers[i < %d]:\n    let M = i + 1\n    y[M] = zeros(M)\noutput x\n", n);
        check_opens(&s, "",
                    n > 1000 ? "m: too many layers that differ: telling them apart takes more than 4000000 questions"
                             : "",
                    1000);
    }
}

/* Loops that each begin with an input: the first layer of each needs fewer gradients than the others. */
static void test_many_splits(void)
{
    rk_str s = {0};

    put_head(&s);
    for (int i = 0; i < 100; i++)
        rk_str_format(&s, "input y%d[D]\npart p%d[i < 3] at p%d.{i}:\n    y%d = y%d * .w[D]\noutput y%d\n", i, i, i, i,
                      i, i);
    check_opens(&s, "", "", 200);
}

/* A need that comes to each of n variables one layer later than to the one before; only the last one is read. */
static void put_rotation(rk_str *s, int n, const char *count)
{
    put_head(s);
    rk_str_put(s, "let Q\n");
    for (int i = 0; i < n; i++)
        rk_str_format(s, "input y%d[D]\n", i);
    rk_str_format(s, "part layers[i < %s] at l.{i}:\n", count);
    for (int i = n - 1; i > 0; i--)
        rk_str_format(s, "    y%d = relu(y%d)\n", i, i - 1);
    rk_str_format(s, "    y0 = y0 * .w[D]\noutput y%d\n", n - 1);
}

/* All layers are told apart at once, known in number or not. */
static void test_rotation(void)
{
    for (int known = 0; known < 2; known++) {
        rk_str s = {0};

        put_rotation(&s, 20, known ? "50" : "Q");
        /* The first 19 and the last 19 layers stand alone, one kind between them; each has 20 operations. */
        check_opens(&s, "", "", (19 + 1 + 19) * 20);
    }
}

/* Needs that go round in a circle: no layer is as the next. */
static void test_cycle(void)
{
    for (int known = 0; known < 2; known++) {
        rk_str s = {0};

        put_head(&s);
        rk_str_format(&s,
                      "let Q\nincoming y[D]\npart layers[i < %s] at l.{i}:\n"
                      "    z = x\n    x = relu(y)\n    y = relu(z)\noutput x\n",
                      known ? "7" : "Q");
        check_opens(&s, "", known ? "" : "m: layers differ in what needs a gradient, so their number must be known", 4);
    }
}

/* Ten operations a block, ten blocks a block …: 10^5 are the most, and one more is refused. */
static void test_limit_ops(void)
{
    for (int n = 0; n <= 1; n++) {
        rk_str s = {0};

        put_head(&s);
        for (int i = 0; i < 5; i++) {
            rk_str_format(&s, "block f%d(a[D]) -> a:\n", i);
            for (int k = 0; k < 10; k++)
                rk_str_format(&s, i ? "    a = f%d(a)\n" : "    a = relu(a)\n", i - 1);
        }
        rk_str_put(&s, n ? "x = f4(x)\nx = relu(x)\noutput x\n" : "x = f4(x)\noutput x\n");
        check_opens(&s, "", n ? "m: more than 100000 operations" : "", RK_PROGRAM_OPS_MAX);
    }
}

/* D, then as many as there may be. */
static void test_limit_symbols(void)
{
    for (int n = RK_SYM_MAX; n <= RK_SYM_MAX + 1; n++) {
        rk_str s = {0};

        put_head(&s);
        for (int i = 1; i < n; i++)
            rk_str_format(&s, "let a%d = %d\n", i, i);
        rk_str_put(&s, "output x\n");
        check_opens(&s, "", n > RK_SYM_MAX ? "more than 4096 symbols" : "", 0);
    }
}

/* The largest size, and a product of such: exact up to 128 bits, and refused after them. */
static void test_limit_counts(void)
{
    static const char *const body = "let M = 9223372036854775807\ninput z[M]\noutput z\n";
    rk_str s = {0};
    opened o;

    put_head(&s);
    rk_str_put(&s, body);
    rk_str_put(&s, "unused .a[M M']\n");
    o = open_text(rk_str_text(&s));
    if (CHECK_INT(o.code, RK_OK))
        CHECK(figure(o.model, (rk_convention){0}, 0, NULL) == (rk_i128)INT64_MAX * INT64_MAX);
    close_opened(&o);
    rk_str_put(&s, "unused .b[M M' 2]\n");
    o = open_text(rk_str_text(&s));
    if (CHECK_INT(o.code, RK_OK)) {
        rk_instance *x = NULL;
        rk_ledger *l = NULL;

        CHECK_INT(rk_instance_new(o.model, &x, &o.err), RK_OK);
        CHECK_INT(rk_ledger_new(x, &(rk_convention){0}, &l, &o.err), RK_EOVERFLOW);
        CHECK(l == NULL);
        rk_instance_free(x);
    }
    close_opened(&o);
    rk_str_free(&s);
}

static void test_many_mistakes(void)
{
    rk_str s = {0}, want = {0};

    put_head(&s);
    for (int i = 0; i < 25; i++)
        rk_str_format(&s, "let a%d = nowhere%d\n", i, i);
    for (int i = 0; i < 20; i++)
        rk_str_format(&want, "%d:%d: nothing defines 'nowhere%d': add a line  let nowhere%d = …\n", 4 + i,
                      i < 10 ? 10 : 11, i, i);
    rk_str_put(&want, "… and 5 more\n");
    check_opens(&s, rk_str_text(&want), "", 0);
    rk_str_free(&want);
}

/* ---- files that use files ---------------------------------------------------------------------------------------- */

/* A folder without files: "other7" is a text that uses "other8", up to the last one. */
typedef struct chain {
    int last;   /* uses none … */
    int circle; /* … or this one; -1: none, -2: none, and has a statement that belongs to models */
} chain;

static int find_chain(void *self, rk_arena *a, const char *from, const char *path, const char **name, const char **text,
                      size_t *n, rk_err *err)
{
    const chain *c = self;
    int at = -1;

    (void)from;
    if (sscanf(path, "other%d.rk", &at) != 1 || at > c->last)
        return rk_fail(err, RK_EINPUT, "there is no file %s", path);
    *name = rk_arena_text(a, path);
    if (at == c->last && c->circle == -2)
        *text = "let twice = 2\ninput x[twice]\n";
    else if (at == c->last && c->circle < 0)
        *text = "block deepest(a[D]) -> b:\n    b = relu(a)\n";
    else
        *text = rk_arena_format(a, "use other%d.rk\n", at < c->last ? at + 1 : c->circle);
    if (!*name || !*text)
        return rk_fail_memory(err);
    *n = strlen(*text);
    return RK_OK;
}

static void check_chain(chain c, const char *mistakes, const char *error)
{
    rk_model_source source;
    opened o = {.code = RK_OK};
    rk_str s = {0}, got = {0};

    put_head(&s);
    rk_str_put(&s, "use other0.rk\nuse other0.rk\ny = deepest(x)\noutput y\n");
    source = source_of(rk_str_text(&s), s.n);
    source.finder = (rk_finder){.find = find_chain, .self = &c};
    open_source(&source, &o);
    list_mistakes(&o.mistakes, 0, &got);
    CHECK_TEXT(rk_str_text(&got), mistakes);
    CHECK_TEXT(o.code == RK_OK || *mistakes ? "" : o.err.message, error);
    rk_str_put(&seen, rk_str_text(&got));
    rk_str_free(&got);
    rk_str_free(&s);
    close_opened(&o);
}

/* The model itself is the first file of eight. */
static void test_files(void)
{
    check_chain((chain){.last = RK_USE_NEST_MAX - 2, .circle = -1}, "", "");
    check_chain((chain){.last = RK_USE_NEST_MAX - 1, .circle = -1}, "",
                "other7.rk: files that use files: deeper than 8");
    check_chain((chain){.last = 2, .circle = 1}, "other2.rk:1:1: other1.rk uses itself, in a circle\n", "");
    check_chain((chain){.last = 1, .circle = -2},
                "other1.rk:2:1: a file that is used has blocks, symbols (let) and files that it uses itself\n", "");
    check_chain((chain){.last = 0, .circle = 0}, "other0.rk:1:1: other0.rk uses itself, in a circle\n", "");
    check_chain((chain){.last = -1, .circle = -1}, "4:1: there is no file other0.rk\n5:1: there is no file other0.rk\n",
                "");
}

/* ---- memory that runs out ---------------------------------------------------------------------------------------- */

static const char *const middling =
    "model middling: \"a bit of everything\"\n"
    "let L = $layers\n"
    "let D = $width\n"
    "let N = 2\n"
    "let H = D / N\n"
    "let F = 4 * D\n"
    "let V = 100\n"
    "let E = 8\n"
    "let A = 2\n"
    "run B = 2\n"
    "run S = 16\n"
    "let T = S\n"
    "check D % N == 0, A <= E\n"
    "input ids[B S]\n"
    "tie .head.weight to .embed.weight\n"
    "block linear(a[.. I], name, O, bias = False) -> b:\n"
    "    b[.. O] = a[.. I] * .{name}.weight[O I]\n"
    "    b       = b + .{name}.bias[O] if bias\n"
    "x[B S D] = lookup(ids, .embed.weight[V D])\n"
    "part layers[i < L] at layers.{i}:\n"
    "    let wide = $wide[i]\n"
    "    normed = rmsnorm(x, .norm.weight[D])\n"
    "    q[B S N H], k[B S N H], v[B S N H] = normed[B S D] * .qkv.weight[(N H + N H + N H) D]\n"
    "    keep k, v over S as T within window(7)\n"
    "    scores[B N S T]  = rope(q) * k[B T N H] where window(S, T, 7)\n"
    "    context[B S N H] = softmax(scores, T) * v[B T N H]\n"
    "    out[B S D]       = context[B S N H] * .out.weight[D (N H)]\n"
    "    x = x + out\n"
    "    if wide:\n"
    "        up = silu(linear(x, 'up', F, True))\n"
    "        x  = x + linear(up, 'down', D)\n"
    "    else:\n"
    "        chances[B S E] = x[B S D] * .router[E D]\n"
    "        weight         = route(chances, A)\n"
    "        each[B S A D]  = x[B S D'] * .experts[E@A D D']\n"
    "        x              = x + sum(weight[B S A] * each, A)\n"
    "        stored .experts as .experts.{E}.weight[D D']\n"
    "logits[B S V] = x[B S D] * .head.weight[V D]\n"
    "output logits\n"
    "loss cross_entropy(logits, ids)\n";

/* From the text to numbers; a code of its own where a step gave none. */
static int whole_way(const rk_doc *config, rk_i128 *forward)
{
    rk_model_source source = source_of(middling, strlen(middling));
    rk_convention c = {.count = RK_COUNT_ALL, .pairs = RK_PAIRS_EXACT};
    const rk_model *model = NULL;
    rk_instance *m = NULL;
    rk_ledger *l = NULL;
    rk_sheet *s = NULL;
    rk_str mistakes = {0};
    rk_err err = {0};
    int code;

    source.config = config;
    code = rk_model_open(&source, &model, &mistakes, &err);
    if (code == RK_OK)
        code = rk_instance_of(model, &m, &err);
    if (code == RK_OK)
        code = rk_ledger_new(m, &c, &l, &err);
    if (code == RK_OK)
        code = rk_sheet_new(l, &s, &err);
    if (code == RK_OK) {
        rk_binding at = m->at;
        rk_i128 *scratch = malloc(s->n_scratch * sizeof *scratch), *value = malloc(s->n_value * sizeof *value);

        code = rk_sheet_eval(s, &at, scratch, value, &err);
        *forward = value[s->forward];
        free(scratch);
        free(value);
    }
    if (code != RK_OK && !CHECK_INT(err.code, code))
        printf("    %s\n", err.message);
    rk_str_free(&mistakes);
    rk_sheet_free(s);
    rk_ledger_free(l);
    rk_instance_free(m);
    return code;
}

/* Each allocation fails in turn: never a crash, a leak, a wrong number, or another error than that memory ran out. */
static void test_memory(void)
{
    static const char text[] = "{\"layers\": 3, \"width\": 8, \"wide\": [true, false, true]}";
    rk_arena a = {0};
    rk_doc *config = NULL;
    rk_i128 want = 0, got = 0;
    int code = RK_ENOMEM;
    long n = 0;

    CHECK_INT(rk_config_parse(&a, "config.json", text, sizeof text - 1, &config, NULL), RK_OK);
    CHECK_INT(whole_way(config, &want), RK_OK);
    for (; code != RK_OK && n < 100000; n++) {
        rk_heap_fail_after(n);
        code = whole_way(config, &got);
        rk_heap_fail_after(-1);
        if (code != RK_ENOMEM && !CHECK_INT(code, RK_OK))
            printf("    when allocation %ld fails\n", n);
    }
    CHECK(got == want && want > 0 && n > 50);
    rk_arena_free(&a);
}

/* Instances of one model: numbers and formulas of each are its own. */
static void test_instances(void)
{
    opened o = open_text("model m: \"\"\nrun B = 2\nrun S = 8\nlet D = 4\ninput x[B S D]\noutput x\n");
    rk_instance *a = NULL, *b = NULL, copy;
    rk_arena arena = {0};
    rk_i128 n = 0;
    rk_sym batch;
    rk_ex e;
    int code = RK_OK;

    if (!CHECK_INT(o.code, RK_OK)) {
        printf("    %s\n", rk_str_text(&o.mistakes));
        close_opened(&o);
        return;
    }
    batch = rk_model_symbol(o.model, "B")->sym;
    CHECK_INT(rk_instance_new(o.model, &a, &o.err), RK_OK);
    CHECK_INT(rk_instance_new(o.model, &b, &o.err), RK_OK);
    CHECK_INT(rk_instance_copy(&arena, a, &copy, &o.err), RK_OK);
    rk_instance_set(a, batch, 3);
    rk_instance_set(&copy, batch, 5);
    e = rk_ex_mul(a->pool, rk_ex_sym(a->pool, batch), rk_ex_int(a->pool, 1000));
    CHECK_INT(rk_ex_eval(a->pool, e, &a->at, &n, &o.err), RK_OK);
    CHECK_INT(n, 3000);
    CHECK_INT(rk_instance_value(&copy, e, &code, &o.err), 5000);
    /* What does not divide is told once, and nothing is computed after it. */
    CHECK_INT(rk_instance_value(a, rk_ex_div(a->pool, e, rk_ex_int(a->pool, 7)), &code, &o.err), 0);
    CHECK(code != RK_OK && o.err.code == code);
    CHECK_INT(rk_instance_value(&copy, e, &code, NULL), 0);
    CHECK_INT(b->value[batch], 2);
    CHECK_INT(rk_model_symbol(o.model, "B")->value, 2);
    CHECK(rk_ex_eval(o.model->pool, e, &a->at, &n, &o.err) != RK_OK); /* the model's pool does not have it */
    rk_instance_free(a);
    rk_instance_free(b);
    rk_arena_free(&arena);
    close_opened(&o);
}

int main(int argc, char **argv)
{
    showing = argc > 1 && strcmp(argv[1], "--show") == 0;
    test_cases("mistakes.rk");
    test_cases("counts.rk");
    if (showing)
        return 0;
    test_limit_loops();
    test_limit_calls();
    test_limit_lets();
    test_limit_layers();
    test_limit_kinds();
    test_many_splits();
    test_rotation();
    test_cycle();
    test_limit_ops();
    test_limit_symbols();
    test_limit_counts();
    test_many_mistakes();
    test_files();
    test_instances();
    test_memory();
    test_all_seen();
    rk_str_free(&seen);
    return t_done("model");
}
