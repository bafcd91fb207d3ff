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
    rk_model *model;
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

/* One figure of a ledger; -1 where there is none. */
static rk_i128 figure(rk_model *m, rk_convention c, size_t which)
{
    rk_ledger *l = NULL;
    rk_err err = {0};
    rk_i128 value = -1;
    rk_binding at = rk_model_binding(m);

    if (CHECK_INT(rk_ledger_new(m, &c, &l, &err), RK_OK)) {
        rk_ex e[] = {l->stored, l->named, l->active, l->forward, l->backward};

        if (rk_ex_eval(m->pool, e[which], &at, &value, &err) != RK_OK)
            value = -1;
    }
    rk_ledger_free(l);
    return value;
}

typedef struct ask {
    const char *word; /* "# word: number" */
    rk_convention convention;
    size_t which;
} ask;

static const ask asks[] = {
    {"stored", {0}, 0},
    {"named", {0}, 1},
    {"active", {0}, 2},
    {"forward", {0}, 3},
    {"backward", {0}, 4},
    {"mac", {.mac = true}, 3},
    {"exact", {.exact_mask = true}, 3},
    {"exact backward", {.exact_mask = true}, 4},
    {"all", {.count = RK_COUNT_ALL}, 3},
    {"all backward", {.count = RK_COUNT_ALL}, 4},
    {"torch", {.count = RK_COUNT_TORCH}, 3},
    {"torch backward", {.count = RK_COUNT_TORCH}, 4},
};

/* ---- cases ------------------------------------------------------------------------------------------------------- */

#define SETTINGS_MAX 4

typedef struct acase {
    const char *name;
    const char *text; /* from the line behind its name … */
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

/* What stands behind "# word: " in a case, all such lines. */
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

static void check_counts(const acase *c, rk_model *m)
{
    for (size_t i = 0; i < COUNT(asks); i++) {
        rk_str said = {0};
        char number[RK_NUM_TEXT_MAX], got[RK_NUM_TEXT_MAX + 1];

        list_said(c, asks[i].word, &said);
        if (said.n) {
            rk_num_text(number, figure(m, asks[i].convention, asks[i].which));
            snprintf(got, sizeof got, "%s\n", number);
            check_said(c, asks[i].word, got);
        }
        rk_str_free(&said);
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
    "cannot be set",
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

int main(int argc, char **argv)
{
    showing = argc > 1 && strcmp(argv[1], "--show") == 0;
    test_cases("mistakes.rk");
    if (showing)
        return 0;
    test_all_seen();
    rk_str_free(&seen);
    return t_done("model");
}
