/* SPDX-License-Identifier: MIT */
#include "command/layout_file.h"
#include "command/command.h"

#include "ask/sweep.h"
#include "command/spelling.h"
#include "plan/setting.h"

#include <string.h>

/* A number below zero is none. */
static bool is_option(const char *word)
{
    return word[0] == '-' && word[1] != '\0' && !(word[1] >= '0' && word[1] <= '9');
}

/* ---- options ---------------------------------------------------------------------------------------------------- */

/* Where the value of "--opt=value" or "-oFILE" begins in the word; NULL: it has none in it. */
static const char *value_in(const char *word)
{
    if (word[1] == '-') {
        const char *equals = strchr(word, '=');

        return equals ? equals + 1 : NULL;
    }
    return word[2] ? word + 2 : NULL;
}

static bool names(const rk_cmd_option *o, const char *word)
{
    const char *value = value_in(word);
    size_t n = value ? (size_t)(value - word) - (word[1] == '-') : strlen(word);

    return strlen(o->name) == n && strncmp(o->name, word, n) == 0;
}

static const rk_cmd_option *find_option(const rk_cmd_command *c, const char *word)
{
    /* What many commands take; it is no option of its own, so no table has it. */
    word = strcmp(word, "-h") == 0 ? "--help" : word;
    for (size_t i = 0; i < c->n_option; i++)
        if (names(&c->option[i], word))
            return &c->option[i];
    return NULL;
}

/* An option of other commands is no slip; else the nearest of its own is named. */
static int fail_unknown_option(const rk_cmd_line *line, const char *word, const char *next, rk_err *err)
{
    const rk_cmd_command *c = line->command, *first = NULL;
    char hint[RK_NEAREST_HINT_MAX], name[64];
    size_t n = strcspn(word, "=");
    rk_nearest near = {.word = name};
    rk_str what = {0}, who = {0};
    int code;

    n = n < sizeof name ? n : sizeof name - 1;
    memcpy(name, word, n);
    name[n] = '\0';
    for (size_t i = 0; i < rk_cmd_n_command; i++)
        if (rk_cmd_command_list[i]->name && find_option(rk_cmd_command_list[i], name)) {
            first = first ? first : rk_cmd_command_list[i];
            rk_str_format(&who, "%s%s", who.n ? ", " : "", rk_cmd_command_list[i]->name);
        }
    if (who.n) {
        rk_str_format(&what, "%s is", name);
        code = rk_spelling_fail_foreign(line, rk_str_text(&what), first, rk_str_text(&who), err);
        rk_str_free(&what);
        rk_str_free(&who);
        return code;
    }
    if (rk_spelling_beside(word, next, &what)) {
        code = rk_fail(err, RK_EUSAGE, "unknown option '%s': %s", name, rk_str_text(&what));
        rk_str_free(&what);
        return code;
    }
    for (size_t i = 0; i < c->n_option; i++)
        rk_nearest_try(&near, c->option[i].name);
    return rk_fail(err, RK_EUSAGE, "unknown option '%s'%s", name, rk_nearest_hint(&near, hint));
}

static int take_words(rk_cmd_line *line, int argc, const char *const *argv, int at, rk_err *err);

static int take_spelled(rk_cmd_line *line, const rk_spelled *s, rk_err *err)
{
    return take_words(line, s->n + 1, s->word, 0, err);
}

/* Takes what an option stands for that the command does not have. */
static int take_other(rk_cmd_line *line, int argc, const char *const *argv, int *i, rk_err *err)
{
    rk_spelled s;
    int code = rk_spelling_option(line, &line->arena, argv[*i], *i + 1 < argc ? argv[*i + 1] : NULL, &s, err);

    if (code == RK_OK && s.n == 0 && !s.known)
        return fail_unknown_option(line, argv[*i], *i + 1 < argc ? argv[*i + 1] : NULL, err);
    *i += s.next;
    return code == RK_OK ? take_spelled(line, &s, err) : code;
}

/* Takes the option of argv[*i]; its value may be the next argument. */
static int take_option(rk_cmd_line *line, int argc, const char *const *argv, int *i, rk_err *err)
{
    const char *word = argv[*i], *value = value_in(word), *next = *i + 1 < argc ? argv[*i + 1] : NULL;
    const rk_cmd_option *o = find_option(line->command, word);
    rk_spelled spelled = {0};
    int code = RK_OK;

    /* --csv alone: not how it is written, but that it is. */
    if (!o || (o->values && !value && (!next || rk_words_place(o->values, next) < 0) && rk_spelling_is_option(word)))
        return take_other(line, argc, argv, i, err);
    if (line->value[o - line->command->option] && !(line->command->many && strcmp(o->name, line->command->many) == 0))
        return rk_fail(err, RK_EUSAGE, "%s is given twice", o->name);
    if (!o->argument && value)
        return rk_fail(err, RK_EUSAGE, "%s takes no value", o->name);
    if (o->argument && !value && *i + 1 == argc)
        return rk_fail(err, RK_EUSAGE, "%s needs a value: %s", o->name, o->values ? o->values : o->argument);
    if (o->argument && !value)
        value = argv[++*i];
    if (strcmp(o->name, "--device") == 0)
        code = rk_spelling_device(line, &line->arena, value, &spelled, err);
    if (code == RK_OK && spelled.n)
        return take_spelled(line, &spelled, err);
    if (code == RK_OK && o->values && rk_words_place(o->values, value) < 0)
        code = rk_spelling_value(line, &line->arena, o, &value, err);
    if (code != RK_OK)
        return code;
    if (line->value[o - line->command->option]) {
        value = rk_arena_format(&line->arena, "%s;%s", line->value[o - line->command->option], value);
        if (!value)
            return rk_fail_memory(err);
    }
    line->value[o - line->command->option] = value ? value : "";
    return RK_OK;
}

/* ---- settings --------------------------------------------------------------------------------------------------- */

/* A symbol has a range or a number. */
static int check_ranges(const rk_cmd_line *line, rk_err *err)
{
    for (size_t i = 0; i < line->n_range; i++)
        for (size_t k = 0; k < line->n_setting; k++) {
            size_t n = strlen(line->setting[k].name);

            if (strncmp(line->range[i], line->setting[k].name, n) == 0 && line->range[i][n] == '=')
                return rk_fail(err, RK_EUSAGE, "%s is set twice: %s and %s", line->setting[k].name, line->range[i],
                               line->setting_word[k]);
        }
    return RK_OK;
}

static int take_setting(rk_cmd_line *line, const char *word, rk_err *err)
{
    const char *noun;
    rk_setting s;
    int code;

    word = rk_spelling_setting(line, &line->arena, word, &noun);
    if (!word)
        return rk_fail_memory(err);
    if (line->command->takes_ranges && rk_range_is(word)) {
        line->range[line->n_range++] = word;
        return check_ranges(line, err);
    }
    code = rk_spelling_axis(line, word, err);
    if (code == RK_OK)
        code = rk_setting_parse(&line->arena, word, &s, err);
    if (code != RK_OK)
        return code;
    if (rk_setting_find(line->setting, line->n_setting, s.name))
        return rk_fail(err, RK_EUSAGE, "%s is set twice", s.name);
    s.noun = noun;
    line->setting_word[line->n_setting] = word;
    line->setting[line->n_setting++] = s;
    return check_ranges(line, err);
}

/* ---- the line --------------------------------------------------------------------------------------------------- */

static bool takes_value(const char *word, const char *next)
{
    for (size_t i = 0; i < rk_cmd_n_command; i++) {
        const rk_cmd_option *o = find_option(rk_cmd_command_list[i], word);

        if (o)
            return o->argument && !value_in(word);
    }
    return rk_spelling_takes_value(word, next);
}

int rk_cmd_word_after(int argc, const char *const *argv, int at)
{
    for (int i = at + 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0)
            return 0;
        if (is_option(argv[i]))
            i += takes_value(argv[i], i + 1 < argc ? argv[i + 1] : NULL);
        else if (!rk_setting_is(argv[i]))
            return i;
    }
    return 0;
}

const rk_cmd_command *rk_cmd_command_find(const char *name)
{
    for (size_t i = 0; i < rk_cmd_n_command; i++) {
        const char *known = rk_cmd_command_list[i]->name;

        if (name && known ? strcmp(known, name) == 0 : !name && !known)
            return rk_cmd_command_list[i];
    }
    return NULL;
}

/* A word is of the model, or says on what it runs. */
static int take_word(rk_cmd_line *line, const char *word, rk_err *err)
{
    rk_spelled s;
    int code = rk_spelling_word(line, &line->arena, word, &s, err);

    if (code == RK_OK && s.n)
        return take_spelled(line, &s, err);
    line->word[line->n_word++] = word;
    return code;
}

static int take_words(rk_cmd_line *line, int argc, const char *const *argv, int at, rk_err *err)
{
    bool options = true;
    int code = RK_OK;

    for (int i = 1; i < argc && code == RK_OK; i++) {
        if (i == at)
            continue;
        if (options && strcmp(argv[i], "--") == 0)
            options = false;
        else if (options && is_option(argv[i]))
            code = take_option(line, argc, argv, &i, err);
        else if (rk_setting_is(argv[i]))
            line->setting_word[line->n_typed++] = argv[i];
        else
            code = take_word(line, argv[i], err);
    }
    return code;
}

int rk_cmd_parse(rk_cmd_line *line, const rk_cmd_command *command, int argc, const char *const *argv, int at,
                 rk_err *err)
{
    int code;

    *line = (rk_cmd_line){.who = line->who, .command = command, .argc = argc, .argv = argv, .at = at};
    line->word = RK_NEW_ARRAY(&line->arena, (size_t)argc + 1, const char *);
    line->setting = RK_NEW_ARRAY(&line->arena, (size_t)argc + 1, rk_setting);
    line->setting_word = RK_NEW_ARRAY(&line->arena, (size_t)argc + 1, const char *);
    line->range = RK_NEW_ARRAY(&line->arena, (size_t)argc + 1, const char *);
    line->value = RK_NEW_ARRAY(&line->arena, command->n_option + 1, const char *);
    if (line->arena.failed)
        return rk_fail_memory(err);
    code = take_words(line, argc, argv, at, err);
    for (size_t i = 0; i < line->n_typed && code == RK_OK; i++) /* what a name means may depend on an option after it */
        code = take_setting(line, line->setting_word[i], err);
    return code == RK_OK ? rk_cmd_layout_file(line, err) : code;
}

void rk_cmd_free(rk_cmd_line *line)
{
    rk_arena_free(&line->arena);
}

const char *rk_cmd_setting(const rk_cmd_line *line, const char *name)
{
    const rk_setting *s = rk_setting_find(line->setting, line->n_setting, name);

    return s ? line->setting_word[s - line->setting] : NULL;
}

/* ---- asking ----------------------------------------------------------------------------------------------------- */

const char *rk_cmd_value(const rk_cmd_line *line, const char *option)
{
    for (size_t i = 0; i < line->command->n_option; i++)
        if (strcmp(line->command->option[i].name, option) == 0)
            return line->value[i];
    return NULL;
}

size_t rk_cmd_choice(const rk_cmd_line *line, const char *option)
{
    const char *value = rk_cmd_value(line, option);
    const rk_cmd_option *o = value ? find_option(line->command, option) : NULL;
    int place = o && o->values ? rk_words_place(o->values, value) : 0;

    return place > 0 ? (size_t)place : 0;
}

int rk_cmd_count(const rk_cmd_line *line, const char *option, rk_i128 *out, rk_err *err)
{
    const char *value = rk_cmd_value(line, option);

    if (value && rk_count_parse(value, out, NULL) != RK_OK)
        return rk_fail(err, RK_EUSAGE, "%s is not '%s' but a whole number of at least 1", option, value);
    return RK_OK;
}

int rk_cmd_number(const rk_cmd_line *line, const char *option, int otherwise, int *out, rk_err *err)
{
    rk_i128 n = otherwise;
    int code = rk_cmd_count(line, option, &n, err);

    *out = n > 1000000 ? 1000000 : (int)n; /* more levels than anything has */
    return code;
}
