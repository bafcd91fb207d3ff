/* SPDX-License-Identifier: MIT */
/* Finds the command of some words, runs it, and hands on what it made. */
#include "command/command.h"

#include "command/spelling.h"
#include "plan/nearest.h"

#include <string.h>

#ifndef RECKON_VERSION
#define RECKON_VERSION "unknown"
#endif

/* How the command writes. */
static int begin_report(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    bool factored = rk_cmd_value(line, "--factored");
    const char *format = rk_cmd_value(line, "--format");

    if (factored && rk_cmd_value(line, "--expanded"))
        return rk_fail(err, RK_EUSAGE, "formulas are either --expanded or --factored");
    if (rk_cmd_value(line, "--columns") && format && rk_words_place("json|svg", format) >= 0)
        return rk_fail(err, RK_EUSAGE, "--columns chooses columns of tables, and %s has none: leave one out", format);
    out->report = (rk_report){
        .format = format ? (rk_format)rk_words_place(RK_PICTURE_FORMAT_WORDS, format) : RK_FORMAT_TEXT,
        .factored = factored,
        .csv_raw = rk_cmd_choice(line, "--csv") == 1,
        .columns = rk_cmd_value(line, "--columns"),
        .out = &out->text,
        .paper = rk_cmd_paper(line),
    };
    return RK_OK;
}

static bool has_options(const rk_cmd_line *line)
{
    for (size_t i = 0; i < line->command->n_option; i++)
        if (line->value[i])
            return true;
    return false;
}

static int run_command(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    int code;

    if (rk_cmd_value(line, "--version")) {
        rk_str_put(&out->text, "reckon " RECKON_VERSION "\n");
        return RK_OK;
    }
    if (rk_cmd_value(line, "--help") || rk_cmd_value(line, "--help-all")) {
        rk_paper paper = rk_cmd_paper(line);

        if (line->command->name)
            rk_cmd_help(line->command, rk_cmd_value(line, "--help-all"), &paper, &out->text);
        else
            rk_cmd_overview(&paper, &out->text);
        return RK_OK;
    }
    if (!line->command->name && line->n_word == 0 && line->n_setting == 0 && !has_options(line)) {
        rk_paper paper = rk_cmd_paper(line);

        rk_cmd_greeting(&paper, &out->text);
        return RK_OK;
    }
    code = begin_report(line, out, err);
    return code == RK_OK ? line->command->run(line, out, err) : code;
}

/* Whether a word is meant as a model: a file, or a name of the library. */
static bool is_model(const rk_cmd_line *line, const char *word)
{
    rk_library library = rk_cmd_library(line);
    rk_arena arena = {0};
    rk_called named = {0};
    bool known;

    if (strcmp(word, "-") == 0 || rk_find_is_path(library.files, word))
        return true;
    known = rk_find_named(&library, &arena, word, &named, NULL) == RK_OK;
    rk_arena_free(&arena);
    return known;
}

/* A word that is no command: which one has what it is about, or is spelled nearly so. */
int rk_cmd_fail_command(const char *word, const char *model, rk_err *err)
{
    char hint[RK_NEAREST_HINT_MAX];
    rk_nearest near = {.word = word};
    rk_str line = {0};
    int code;

    for (size_t i = 0; i < rk_cmd_n_command; i++)
        if (rk_cmd_command_list[i]->name)
            rk_nearest_try(&near, rk_cmd_command_list[i]->name);
    if (rk_spelling_instead(word, model, &line))
        code = rk_fail(err, RK_EUSAGE, "no command is called '%s'; '%s' has it", word, rk_str_text(&line));
    else
        code = rk_fail(err, RK_EUSAGE, "no command is called '%s'%s", word, rk_nearest_hint(&near, hint));
    rk_str_free(&line);
    return code;
}

static bool is_nearly_command(const char *word)
{
    rk_nearest near = {.word = word};

    for (size_t i = 0; i < rk_cmd_n_command; i++)
        if (rk_cmd_command_list[i]->name)
            rk_nearest_try(&near, rk_cmd_command_list[i]->name);
    return near.best && !strchr(word, '.'); /* a dot is of a file, or of a model's name */
}

/* Whether a word is none of a model, and about what a command has. */
static bool is_instead(const rk_cmd_line *line, const char *word)
{
    rk_str text = {0};
    bool is = rk_spelling_instead(word, NULL, &text) && !is_model(line, word);

    rk_str_free(&text);
    return is;
}

/*
 * No word is a command.  A first word that is no model either, and nearly a command, or stands before the name of a
 * model, was meant as one; and so is a second one that is about what a command has.
 */
static int check_slip(const rk_cmd_line *line, int argc, const char *const *argv, int first, rk_err *err)
{
    int second = rk_cmd_word_after(argc, argv, first);
    const char *begin = argv[first], *next = second ? argv[second] : NULL;
    rk_library library = rk_cmd_library(line);

    if (next && is_instead(line, next) && is_model(line, begin))
        return rk_cmd_fail_command(next, begin, err);
    if (is_instead(line, begin))
        return rk_cmd_fail_command(begin, next, err);
    if (is_model(line, begin))
        return RK_OK;
    if (is_nearly_command(begin) || (next && !rk_find_is_path(library.files, next) && is_model(line, next)))
        return rk_cmd_fail_command(begin, next, err);
    return RK_OK;
}

/*
 * The command of a line, and its place; 0: a model stands there, and what is asked for is its overview.  The command
 * may have another name, or stand after the model: 'gpt2 memory'.
 */
static int find_command(const rk_cmd_line *line, int argc, const char *const *argv, const rk_cmd_command **out, int *at,
                        rk_err *err)
{
    int first = rk_cmd_word_after(argc, argv, 0);

    for (*at = first; *at; *at = rk_cmd_word_after(argc, argv, *at)) {
        *out = rk_cmd_command_find(argv[*at]);
        if (*out && *at == first)
            return RK_OK;
        *out = *out ? *out : rk_spelling_command(argv[*at]);
        if (*out && (*at == first || rk_cmd_takes_model(*out)) && !is_model(line, argv[*at]))
            return RK_OK;
    }
    *out = rk_cmd_command_find(NULL);
    return first ? check_slip(line, argc, argv, first, err) : RK_OK;
}

/* The words after an empty one, as a command has its arguments, and the format after them. */
static int put_words(rk_arena *a, const char *const *word, const char *format, const char *const **out, int *n,
                     rk_err *err)
{
    const char **argv;
    int argc = 0;

    while (word[argc])
        if (++argc == RK_CMD_WORDS_MAX)
            return rk_fail(err, RK_ELIMIT, "more than %d words", RK_CMD_WORDS_MAX);
    argv = RK_NEW_ARRAY(a, (size_t)argc + 4, const char *);
    if (!argv)
        return rk_fail_memory(err);
    memcpy(argv + 1, word, (size_t)argc * sizeof *word);
    argc++;
    if (format) {
        argv[argc++] = "--format";
        argv[argc++] = format;
    }
    *out = argv;
    *n = argc;
    return RK_OK;
}

static int run_line(rk_cmd_line *line, int argc, const char *const *argv, const rk_cmd_command **command,
                    rk_cmd_output *out, rk_err *err)
{
    const char *path;
    int at = 0, code = find_command(line, argc, argv, command, &at, err);

    if (code == RK_OK)
        code = rk_cmd_parse(line, *command, argc, argv, at, err);
    path = code == RK_OK ? rk_cmd_value(line, "-o") : NULL;
    if (path && !path[0])
        code = rk_fail(err, RK_EUSAGE, "-o needs the name of a file, or - for standard output");
    if (code == RK_OK)
        code = run_command(line, out, err);
    code = rk_heap_end(out->text.failed ? RK_ENOMEM : code, err);
    if (code == RK_OK && !out->written)
        code = rk_cmd_put(line, path ? path : "-", rk_str_text(&out->text), out->text.n, err);
    return code;
}

int rk_cmd_ask(const rk_cmd_asker *who, const char *const *word, const char *format, rk_cmd_answer *out, rk_err *err)
{
    const rk_cmd_command *command = NULL;
    rk_cmd_output made = {0};
    rk_cmd_line line = {.who = who};
    rk_arena words = {0};
    const char *const *argv = NULL;
    int argc = 0, code = put_words(&words, word, format, &argv, &argc, err);

    if (code == RK_OK)
        code = run_line(&line, argc, argv, &command, &made, err);
    *out = (rk_cmd_answer){.command = command ? command->name : NULL,
                           .differs = made.differs,
                           .unfit = made.unfit,
                           .mistakes = made.mistakes};
    rk_cmd_free(&line);
    rk_str_free(&made.text);
    rk_ledger_free(made.ledger);
    rk_opened_free(&made.opened);
    rk_arena_free(&made.arena);
    rk_arena_free(&words);
    return code;
}
