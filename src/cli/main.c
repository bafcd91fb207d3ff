/* SPDX-License-Identifier: MIT */
/*
 * reckon: finds the command, runs it, shows what it made.
 *
 * Output is made in memory and written once, so that a failure leaves nothing half written.  Messages go to standard
 * error as "reckon: …".
 */
#include "cli/cli.h"

#include "base/file.h"
#include "plan/nearest.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef RECKON_VERSION
#define RECKON_VERSION "unknown"
#endif

enum {
    EXIT_DONE = 0,
    EXIT_INPUT = 1,
    EXIT_USAGE = 2,
    EXIT_UNFIT = 3,
    EXIT_SYSTEM = 4
};

static int exit_status(int code)
{
    switch (code) {
    case RK_OK:
        return EXIT_DONE;
    case RK_EUSAGE:
        return EXIT_USAGE;
    case RK_ENOMEM:
    case RK_EIO:
        return EXIT_SYSTEM;
    default:
        return EXIT_INPUT;
    }
}

/* ---- messages --------------------------------------------------------------------------------------------------- */

/* Lines stay lines; whatever else a file or a name holds is made safe to print. */
static void put_lines_safe(const char *text, rk_str *out)
{
    for (; *text; text += *text == '\n') {
        size_t n = strcspn(text, "\n");

        rk_str_put_safe(out, text, n);
        rk_str_putc(out, '\n');
        text += n;
    }
}

static void say_error(const rk_err *err, const rk_str *mistakes, const rk_cli_command *command)
{
    rk_str s = {0};

    if (mistakes->n > 0 && err->code != RK_ENOMEM) {
        put_lines_safe(rk_str_text(mistakes), &s);
    } else {
        rk_str_put(&s, "reckon: ");
        put_lines_safe(err->message[0] ? err->message : "failed\n", &s);
    }
    if (err->code == RK_EUSAGE && command && command->name && strcmp(command->name, "help") != 0)
        rk_str_format(&s, "reckon: 'reckon help %s' says how it is used\n", command->name);
    else if (err->code == RK_EUSAGE)
        rk_str_put(&s, "reckon: 'reckon help' lists the commands\n");
    fputs(s.failed ? "reckon: out of memory\n" : rk_str_text(&s), stderr);
    rk_str_free(&s);
}

/* ---- commands --------------------------------------------------------------------------------------------------- */

static int run_command(const rk_cli_line *line, rk_cli_output *out, rk_err *err)
{
    if (rk_cli_value(line, "--version")) {
        rk_str_put(&out->text, "reckon " RECKON_VERSION "\n");
        return RK_OK;
    }
    if (rk_cli_value(line, "--help")) {
        rk_paper paper = rk_cli_paper(line);

        if (line->command->name)
            rk_cli_help(line->command, &paper, &out->text);
        else
            rk_cli_overview(&paper, &out->text);
        return RK_OK;
    }
    return line->command->run(line, out, err);
}

/*
 * A first word that is no command is a model.  One that is neither, and nearly a command, is a slip: models have
 * longer names.
 */
static int check_slip(const char *word, rk_err *err)
{
    rk_library library = rk_cli_library();
    char hint[RK_NEAREST_HINT_MAX];
    rk_nearest near = {.word = word};
    rk_arena arena = {0};
    rk_text text = {0};
    bool is_config, known;

    for (size_t i = 0; i < rk_cli_n_command; i++)
        if (rk_cli_command_list[i]->name)
            rk_nearest_try(&near, rk_cli_command_list[i]->name);
    if (!near.best || rk_find_is_path(library.files, word) || strcmp(word, "-") == 0)
        return RK_OK;
    known = rk_find_named(&library, &arena, word, &text, &is_config, NULL) == RK_OK;
    rk_arena_free(&arena);
    return known ? RK_OK : rk_fail(err, RK_EUSAGE, "no command is called '%s'%s", word, rk_nearest_hint(&near, hint));
}

static int run_line(int argc, const char *const *argv, const rk_cli_command **command, rk_cli_output *out, rk_err *err)
{
    int at = rk_cli_command_at(argc, argv);
    rk_cli_line line = {0};
    const char *path;
    int code = RK_OK;

    *command = at ? rk_cli_command_find(argv[at]) : NULL;
    if (!*command) {
        code = at ? check_slip(argv[at], err) : RK_OK;
        *command = rk_cli_command_find(NULL);
        at = 0;
    }
    if (code == RK_OK)
        code = rk_cli_parse(&line, *command, argc, argv, at, err);
    path = code == RK_OK ? rk_cli_value(&line, "-o") : NULL;
    if (path && !path[0])
        code = rk_fail(err, RK_EUSAGE, "-o needs the name of a file, or - for standard output");
    if (code == RK_OK)
        code = run_command(&line, out, err);
    code = rk_heap_end(out->text.failed ? RK_ENOMEM : code, err);
    if (code == RK_OK && !out->written)
        code = rk_file_write(path ? path : "-", rk_str_text(&out->text), out->text.n, err);
    rk_cli_free(&line);
    return code;
}

int main(int argc, char **argv)
{
    const rk_cli_command *command = NULL;
    rk_cli_output out = {.shelf = rk_shelf_new()};
    rk_err err = {0};
    int code;

    signal(SIGPIPE, SIG_IGN);
    rk_file_tidy_on_signals();
    if (!out.shelf)
        rk_heap_fail();
    code = run_line(argc, (const char *const *)argv, &command, &out, &err);
    err.code = code;
    if (code != RK_OK)
        say_error(&err, &out.mistakes, command);
    rk_str_free(&out.text);
    rk_str_free(&out.mistakes);
    rk_ledger_free(out.ledger);
    rk_opened_free(&out.opened);
    rk_arena_free(&out.arena);
    rk_shelf_free(out.shelf);
    if (rk_heap_failed())
        return EXIT_SYSTEM;
    if (code == RK_OK && out.unfit)
        return EXIT_UNFIT;
    return code == RK_OK && out.differs ? EXIT_INPUT : exit_status(code);
}
