/* SPDX-License-Identifier: MIT */
/* What `reckon schema` prints: a JSON Schema, made of the fields that answers are written by, and the options. */
#include "report/answers.h"
#include "report/json.h"

#include <string.h>

static const struct answer {
    const char *command, *when;
    const rk_fields *of;
} table[] = {
#define ROW(NAME, COMMAND, WHEN) {COMMAND, WHEN, &rk_answer_##NAME},
    RK_ANSWERS(ROW)
#undef ROW
};

#define N_ANSWER (sizeof table / sizeof *table)

/* Whatever is not known is null or left out, so every type may also be null. */
static void put_type(rk_json *j, const char *type)
{
    rk_json_list(j, "type");
    rk_json_text(j, NULL, type);
    rk_json_text(j, NULL, "null");
    rk_json_close(j);
}

static void put_fields(rk_json *j, const rk_fields *of);

static void put_list_of(rk_json *j, const char *type)
{
    put_type(j, "array");
    rk_json_row(j, "items");
    put_type(j, type);
    rk_json_close(j);
}

static void put_kind(rk_json *j, const rk_field *f)
{
    switch (f->kind) {
    case RK_CELL_TEXT:
    case RK_CELL_CODE:
    case RK_CELL_FORMULA:
        put_type(j, "string");
        break;
    case RK_CELL_TRUTH:
        put_type(j, "boolean");
        break;
    case RK_CELL_COUNT:
        put_type(j, "integer");
        break;
    case RK_CELL_REAL:
    case RK_CELL_DIGITS:
    case RK_CELL_SHARE:
    case RK_CELL_BAR:
        put_type(j, "number");
        break;
    case RK_CELL_SHAPE:
        put_list_of(j, "integer");
        break;
    case RK_CELL_TEXTS:
        put_list_of(j, "string");
        break;
    case RK_CELL_OBJECT:
        put_fields(j, f->in);
        break;
    case RK_CELL_LIST:
        put_type(j, "array");
        rk_json_row(j, "items");
        put_fields(j, f->in);
        rk_json_close(j);
        break;
    default: /* whatever it is */
        break;
    }
}

static void put_field(rk_json *j, const char *key, const rk_field *f)
{
    rk_json_row(j, key);
    if (f->text)
        rk_json_text(j, "description", f->text);
    if (f->many) {
        put_type(j, "array");
        rk_json_row(j, "items");
        put_kind(j, f);
        rk_json_close(j);
    } else {
        put_kind(j, f);
    }
    rk_json_close(j);
}

/* A key that is "*" stands for names that are not known before. */
static void put_fields(rk_json *j, const rk_fields *of)
{
    bool any = false;

    put_type(j, "object");
    if (!of)
        return;
    rk_json_row(j, "properties");
    for (size_t i = 0; i < of->n; i++) {
        any |= of->at[i].key && strcmp(of->at[i].key, "*") == 0;
        if (of->at[i].key && !of->at[i].csv && strcmp(of->at[i].key, "*") != 0)
            put_field(j, of->at[i].key, &of->at[i]);
    }
    rk_json_close(j);
    for (size_t i = 0; any && i < of->n; i++)
        if (of->at[i].key && strcmp(of->at[i].key, "*") == 0)
            put_field(j, "additionalProperties", &of->at[i]);
    if (!any)
        rk_json_truth(j, "additionalProperties", false);
}

static void put_answer(rk_json *j, const struct answer *a)
{
    static const rk_field version = {.kind = RK_CELL_COUNT, .text = "of these keys: a new one is a new meaning"};

    if (a->when)
        rk_json_text(j, "description", a->when);
    rk_json_text(j, "type", "object");
    rk_json_open(j, "properties", '{');
    put_field(j, "version", &version);
    for (size_t i = 0; i < a->of->n; i++)
        if (a->of->at[i].key && !a->of->at[i].csv)
            put_field(j, a->of->at[i].key, &a->of->at[i]);
    rk_json_close(j);
    rk_json_truth(j, "additionalProperties", false);
}

/* "matmul|all" as a list; no list: any text; a flag has neither words nor the name of an argument. */
static void put_option(rk_json *j, const rk_schema_option *o)
{
    rk_json_row(j, NULL);
    rk_json_text(j, "name", o->name);
    rk_json_text(j, "argument", o->argument);
    if (o->values) {
        rk_json_list(j, "values");
        for (const char *at = o->values; *at;) {
            size_t n = strcspn(at, "|");
            rk_str word = {0};

            rk_str_putn(&word, at, n);
            rk_json_text(j, NULL, rk_str_text(&word));
            j->out->failed |= word.failed;
            rk_str_free(&word);
            at += n + (at[n] == '|');
        }
        rk_json_close(j);
    }
    rk_json_truth(j, "many", o->many);
    rk_json_text(j, "text", o->text);
    rk_json_close(j);
}

static int fail_unknown(const char *command, rk_err *err)
{
    rk_str names = {0};

    for (size_t i = 0; i < N_ANSWER; i++)
        if (i == 0 || strcmp(table[i].command, table[i - 1].command) != 0)
            rk_str_format(&names, "%s%s", i ? ", " : "", table[i].command);
    rk_fail(err, RK_EINPUT, "no answer in JSON is that of '%s': %s", command, rk_str_text(&names));
    rk_str_free(&names);
    return RK_EINPUT;
}

int rk_report_schema(const char *command, const rk_schema_option *option, size_t n_option, rk_str *out, rk_err *err)
{
    rk_json j = {.out = out};
    size_t n = 0;

    for (size_t i = 0; i < N_ANSWER; i++)
        n += strcmp(table[i].command, command) == 0;
    if (n == 0)
        return fail_unknown(command, err);
    rk_json_open(&j, NULL, '{');
    rk_json_text(&j, "$schema", "https://json-schema.org/draft/2020-12/schema");
    rk_json_text(&j, "title", command);
    if (n > 1)
        rk_json_open(&j, "anyOf", '[');
    for (size_t i = 0; i < N_ANSWER; i++)
        if (strcmp(table[i].command, command) == 0) {
            if (n > 1)
                rk_json_open(&j, NULL, '{');
            put_answer(&j, &table[i]);
            if (n > 1)
                rk_json_close(&j);
        }
    if (n > 1)
        rk_json_close(&j);
    rk_json_open(&j, "options", '[');
    for (size_t i = 0; i < n_option; i++)
        put_option(&j, &option[i]);
    rk_json_close(&j);
    rk_json_close(&j);
    return out->failed ? rk_fail_memory(err) : RK_OK;
}
