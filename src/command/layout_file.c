/* SPDX-License-Identifier: MIT */
/*
 * A layout file has a statement on each line:
 *
 *     mesh tp = 4, fsdp = 8      # axes and their sizes
 *     sp                         # words of --layout: sp, vocab-loss, zero1, virtual = 2
 *     split F, V over tp         # sizes of the model that lie over it, instead of what the runtime divides
 *     compute bf16               # options of the line, without their dashes
 */
#include "command/layout_file.h"

#include "base/files.h"
#include "plan/layout.h"

#include <ctype.h>
#include <string.h>

#define BYTES_MAX ((size_t)64 << 10)

typedef struct reading {
    rk_cmd_line *line;
    const char *file;
    const char *text; /* of the line of the file … */
    size_t number;    /* … which is this one */
    rk_str axes, split;
    rk_err *err;
} reading;

/* The line of the file and a caret below what is wrong. */
__attribute__((format(printf, 3, 4))) static int fail(const reading *x, const char *at, const char *fmt, ...)
{
    rk_err why = {0};
    va_list ap;

    va_start(ap, fmt);
    rk_vfail(&why, RK_EINPUT, fmt, ap);
    va_end(ap);
    return rk_fail(x->err, RK_EINPUT, "%s:%zu: %s\n  %s\n  %*s^", x->file, x->number, why.message, x->text,
                   (int)(at - x->text), "");
}

static const char *skip(const char *at)
{
    while (*at == ' ' || *at == '\t')
        at++;
    return at;
}

static size_t word_at(const char *at)
{
    return strcspn(at, " \t,=");
}

static bool is(const char *at, size_t n, const char *word)
{
    return strlen(word) == n && memcmp(at, word, n) == 0;
}

/* Whether an axis, or a word, has been read before. */
static bool is_there(reading *x, const char *word, size_t n)
{
    const char *at = x->axes.n ? rk_str_text(&x->axes) : NULL;

    for (; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strcspn(at, ",=") == n && memcmp(at, word, n) == 0)
            return true;
    return false;
}

/* "tp = 4, fsdp = 8": appended to the axes, once each is one that a layout may have. */
static int read_axes(reading *x, const char *at)
{
    while (*at) {
        size_t n = word_at(at);
        const char *value = skip(at + n), *typed;
        rk_err why = {0};
        size_t n_value = 0;

        value = *value == '=' ? skip(value + 1) : NULL;
        n_value = value ? word_at(value) : 0;
        typed = value ? rk_arena_format(&x->line->arena, "%.*s=%.*s", (int)n, at, (int)n_value, value)
                      : rk_arena_format(&x->line->arena, "%.*s", (int)n, at);
        if (!typed)
            return rk_fail_memory(x->err);
        if (rk_layout_check_axis(at, (int)n, value, (int)n_value, &why) != RK_OK)
            return fail(x, at, "%s", why.message);
        if (is_there(x, at, n))
            return fail(x, at, "%.*s is there twice", (int)n, at);
        rk_str_format(&x->axes, "%s%s", x->axes.n ? "," : "", typed);
        at = skip(value ? value + n_value : at + n);
        if (*at && *at != ',')
            return fail(x, at, "axes have commas between them");
        at = *at ? skip(at + 1) : at;
    }
    return RK_OK;
}

/* "F, V over tp" */
static int read_split(reading *x, const char *at)
{
    for (;;) {
        size_t n = word_at(at);
        const char *next = skip(at + n);

        if (n == 0)
            return fail(x, at, "which sizes of the model? split F, V over tp");
        rk_str_format(&x->split, "%s%.*s", x->split.n ? "," : "", (int)n, at);
        if (*next == ',') {
            at = skip(next + 1);
            continue;
        }
        if (!is(next, word_at(next), "over"))
            return fail(x, next, "over which axis? split F, V over tp");
        next = skip(next + 4);
        if (!is(next, word_at(next), "tp"))
            return fail(x, next,
                        "sizes of the model lie over tp; the sequence lies over cp, experts over ep, layers over pp");
        next = skip(next + 2);
        return *next ? fail(x, next, "'%s' is too much", next) : RK_OK;
    }
}

/* The place of an option among those of the command; n_option: it has none such. */
static size_t option_of(const rk_cmd_line *line, const char *name)
{
    size_t i = 0;

    while (i < line->command->n_option && strcmp(line->command->option[i].name, name) != 0)
        i++;
    return i;
}

static void say(reading *x, const char *name, const char *value)
{
    size_t i = option_of(x->line, name);

    if (i < x->line->command->n_option && !x->line->value[i])
        x->line->value[i] = value;
}

static int read_statement(reading *x)
{
    const char *at = skip(x->text), *rest;
    size_t n = word_at(at);

    rest = skip(at + n);
    if (is(at, n, "mesh"))
        return *rest ? read_axes(x, rest) : fail(x, rest, "which axes? mesh tp = 4, fsdp = 8");
    if (is(at, n, "split"))
        return read_split(x, rest);
    for (size_t i = 0; i < RK_N_LAYOUT_OPTION; i++)
        if (i != RK_LAYOUT_LINE && i != RK_LAYOUT_SPLIT && is(at, n, rk_layout_option_name[i] + 2)) {
            const char *value = rk_arena_text(&x->line->arena, rest);
            rk_err why = {0};

            if (!value)
                return rk_fail_memory(x->err);
            if (rk_layout_check_option((rk_layout_option)i, value, &why) != RK_OK)
                return fail(x, *rest ? rest : at, "%s", why.message);
            say(x, rk_layout_option_name[i], value);
            return RK_OK;
        }
    return read_axes(x, at);
}

static int read_file(reading *x, char *text)
{
    int code = RK_OK;

    for (char *next; text && code == RK_OK; text = next) {
        size_t n;

        next = strchr(text, '\n');
        if (next)
            *next++ = '\0';
        x->number++;
        text[strcspn(text, "#\r")] = '\0';
        for (n = strlen(text); n > 0 && isspace((unsigned char)text[n - 1]); n--)
            text[n - 1] = '\0';
        x->text = text;
        if (*skip(text))
            code = read_statement(x);
    }
    if (code == RK_OK && x->axes.n == 0)
        code = rk_fail(x->err, RK_EINPUT, "%s: it has no axes: mesh tp = 4, fsdp = 8", x->file);
    return code;
}

int rk_cmd_layout_file(rk_cmd_line *line, rk_err *err)
{
    size_t at = option_of(line, rk_layout_option_name[RK_LAYOUT_LINE]), n = 0;
    const char *file = at < line->command->n_option ? line->value[at] : NULL;
    reading x = {.line = line, .file = file, .err = err};
    char *text = NULL;
    int code;

    if (!file || strchr(file, '=') || (!strchr(file, '/') && !strchr(file, '.')))
        return RK_OK;
    code = rk_files_read(line->who->files, &line->arena, file, BYTES_MAX, &text, &n, err);
    if (code == RK_OK && memchr(text, '\0', n))
        code = rk_fail(err, RK_EINPUT, "%s is no text", file);
    if (code == RK_OK)
        code = read_file(&x, text);
    if (code == RK_OK) {
        const char *axes = rk_arena_text(&line->arena, rk_str_text(&x.axes));
        const char *split = x.split.n ? rk_arena_text(&line->arena, rk_str_text(&x.split)) : NULL;

        line->value[at] = axes;
        if (split)
            say(&x, rk_layout_option_name[RK_LAYOUT_SPLIT], split);
        code = axes && (split || x.split.n == 0) ? RK_OK : rk_fail_memory(err);
    }
    rk_str_free(&x.axes);
    rk_str_free(&x.split);
    return code;
}
