/* SPDX-License-Identifier: MIT */
/*
 * reckon completion: the scripts by which shells complete lines.
 *
 * What depends on commands is written from their tables: each becomes a row of a `case`.  The code around the rows,
 * data/completion.bash and data/completion.zsh, does not know any command.  Models and symbols are asked for while the
 * user types (reckon models --names, --symbols).
 */
#include "command/command.h"
#include "command/commands.h"

#include <string.h>

#define SHELLS "bash|zsh"

static const rk_cmd_option option[] = {
    RK_CMD_FILE,
};

/* ---- pieces ----------------------------------------------------------------------------------------------------- */

/* In single quotes, for a shell. */
static void put_quoted(const char *text, rk_str *out)
{
    rk_str_putc(out, '\'');
    for (; *text; text++)
        if (*text == '\'')
            rk_str_put(out, "'\\''");
        else
            rk_str_putc(out, *text);
    rk_str_putc(out, '\'');
}

/* "a|b|c" as "a b c". */
static void put_values(const char *values, rk_str *out)
{
    for (; *values; values++)
        rk_str_putc(out, *values == '|' ? ' ' : *values);
}

static const char *name_of(const rk_cmd_command *c)
{
    return c->name ? c->name : "";
}

/* ---- bash ------------------------------------------------------------------------------------------------------- */

static void bash_options(const rk_cmd_command *c, rk_str *out)
{
    rk_str_format(out, "    '%s') echo '", name_of(c));
    for (size_t i = 0; i < c->n_option; i++)
        rk_str_format(out, "%s%s", i ? " " : "", c->option[i].name);
    rk_str_put(out, "' ;;\n");
}

static void bash_values(const rk_cmd_command *c, rk_str *out)
{
    for (size_t i = 0; i < c->n_option; i++) {
        const rk_cmd_option *o = &c->option[i];

        if (!o->argument)
            continue;
        rk_str_format(out, "    '%s %s') echo '", name_of(c), o->name);
        put_values(o->values ? o->values : o->argument, out);
        rk_str_put(out, "' ;;\n");
    }
}

static void bash_words(const rk_cmd_command *c, rk_str *out)
{
    rk_str_format(out, "    '%s') echo ", name_of(c));
    put_quoted(c->words, out);
    rk_str_put(out, " ;;\n");
}

/* A function that answers from the tables: a `case` with the rows of each command. */
static void bash_table(const char *comment, const char *name, void (*row)(const rk_cmd_command *, rk_str *),
                       rk_str *out)
{
    rk_str_format(out, "\n# %s\n%s() {\n    case $1 in\n", comment, name);
    for (size_t i = 0; i < rk_cmd_n_command; i++)
        row(rk_cmd_command_list[i], out);
    rk_str_put(out, "    *) return 1 ;;\n    esac\n}\n");
}

static void bash_tables(rk_str *out)
{
    rk_str_put(out, "_reckon_commands='");
    for (size_t i = 0; i < rk_cmd_n_command; i++)
        if (rk_cmd_command_list[i]->name)
            rk_str_format(out, "%s%s", rk_cmd_command_list[i]->name, i + 1 < rk_cmd_n_command ? " " : "");
    rk_str_put(out, "'\n");
    bash_table("The options of a command; '' is reckon MODEL.", "_reckon_options", bash_options, out);
    bash_table("\"COMMAND OPTION\": the words that its value may be, or what its value is.", "_reckon_values",
               bash_values, out);
    bash_table("What the usage says of the words of a command.", "_reckon_words", bash_words, out);
}

/* ---- zsh -------------------------------------------------------------------------------------------------------- */

/* The text of an option as _arguments and _describe read it: brackets and colons have a meaning there. */
static void put_described(const char *text, rk_str *out)
{
    for (; *text; text++) {
        if (strchr("[]:\\", *text))
            rk_str_putc(out, '\\');
        if (*text == '\'')
            rk_str_put(out, "'\\''");
        else
            rk_str_putc(out, *text);
    }
}

/* '--count=[text]:WHAT:(matmul all)' */
static void zsh_option(const rk_cmd_option *o, rk_str *out)
{
    const char *joint = !o->argument ? "" : o->name[1] == '-' ? "=" : "+";

    rk_str_format(out, "        '%s%s[", o->name, joint);
    put_described(o->text, out);
    rk_str_putc(out, ']');
    if (o->argument)
        rk_str_format(out, ":%s:", o->argument);
    if (o->values) {
        rk_str_putc(out, '(');
        put_values(o->values, out);
        rk_str_putc(out, ')');
    } else if (o->argument && strcmp(o->argument, "FILE") == 0) {
        rk_str_put(out, "_files");
    }
    rk_str_put(out, "'\n");
}

static void zsh_command(const rk_cmd_command *c, rk_str *out)
{
    rk_str_format(out, "    '%s')\n        usage=", name_of(c));
    put_quoted(c->words, out);
    rk_str_put(out, "\n        option=(\n");
    for (size_t i = 0; i < c->n_option; i++)
        zsh_option(&c->option[i], out);
    rk_str_put(out, "        )\n        ;;\n");
}

static void zsh_tables(rk_str *out)
{
    rk_str_put(out, "_reckon_commands=(\n");
    for (size_t i = 0; i < rk_cmd_n_command; i++)
        if (rk_cmd_command_list[i]->name) {
            rk_str_format(out, "    '%s:", rk_cmd_command_list[i]->name);
            put_described(rk_cmd_command_list[i]->text, out);
            rk_str_put(out, "'\n");
        }
    rk_str_put(out, ")\n");
    /* Options that take the next word as their value, in any command: the command is found by passing over these. */
    rk_str_put(out, "_reckon_takers=(");
    for (size_t i = 0; i < rk_cmd_n_command; i++)
        for (size_t k = 0; k < rk_cmd_command_list[i]->n_option; k++)
            if (rk_cmd_command_list[i]->option[k].argument)
                rk_str_format(out, " %s", rk_cmd_command_list[i]->option[k].name);
    rk_str_put(out, " )\n");
    rk_str_put(out, "\n# The usage and the options of a command; '' is reckon MODEL.\n"
                    "_reckon_table() {\n    case $command in\n");
    for (size_t i = 0; i < rk_cmd_n_command; i++)
        zsh_command(rk_cmd_command_list[i], out);
    rk_str_put(out, "    esac\n}\n");
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

/* The script of a shell, with the tables where it has a line for them. */
static int put_script(const char *path, void (*tables)(rk_str *out), rk_cmd_output *out, rk_err *err)
{
    static const char here[] = "# What reckon knows of its commands is put in here.\n";
    rk_library embedded = {0};
    rk_text script = {0};
    const char *at;
    int code = rk_library_get(&embedded, &out->arena, path, &script, err);

    if (code != RK_OK)
        return code;
    at = strstr(script.text, here);
    rk_str_putn(&out->text, script.text, (size_t)(at - script.text));
    tables(&out->text);
    rk_str_put(&out->text, at + strlen(here));
    return RK_OK;
}

static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    if (line->n_word == 0)
        return rk_fail(err, RK_EUSAGE, "which shell? (%s)", SHELLS);
    if (rk_words_place(SHELLS, line->word[0]) < 0)
        return rk_words_fail(SHELLS, "the shell", line->word[0], err);
    if (line->n_word + line->n_setting > 1)
        return rk_fail(err, RK_EUSAGE, "'%s' is too much", line->n_word > 1 ? line->word[1] : line->setting[0].name);
    return rk_words_place(SHELLS, line->word[0]) == 0 ? put_script("data/completion.bash", bash_tables, out, err)
                                                      : put_script("data/completion.zsh", zsh_tables, out, err);
}

const rk_cmd_command rk_command_completion = {
    .name = "completion",
    .words = SHELLS,
    .text = "the script by which a shell completes lines of reckon",
    .more = "It completes commands, options, their values, models, symbols and files.  Where reckon is installed,\n"
            "the script is in its place already.  Otherwise the shell has to read it when it starts.\n\n"
            "bash: put the line  eval \"$(reckon completion bash)\"  into ~/.bashrc.\n\n"
            "zsh: write it to a file _reckon in a folder of fpath, before compinit is called.",
    RK_CMD_OPTIONS(option),
    .example =
        {
            {"reckon completion bash", "for bash"},
            {"reckon completion zsh -o _reckon", "for zsh, into a file"},
        },
    .run = run,
};
