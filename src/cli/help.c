/* SPDX-License-Identifier: MIT */
/* reckon help: written from the tables of the commands, so that it cannot say what is not so. */
#include "cli/cli.h"
#include "cli/commands.h"

#include "plan/nearest.h"

#include <ctype.h>
#include <string.h>

const rk_cli_command *const rk_cli_command_list[] = {
#define ADDRESS(NAME) &rk_command_##NAME,
    RK_CLI_COMMANDS(ADDRESS)
#undef ADDRESS
};
const size_t rk_cli_n_command = sizeof rk_cli_command_list / sizeof *rk_cli_command_list;

/* ---- texts ------------------------------------------------------------------------------------------------------ */

/* "--count matmul|all", "-o FILE", "--all" */
static void put_option_name(const rk_cli_option *o, rk_str *s)
{
    rk_str_put(s, o->name);
    if (o->argument)
        rk_str_format(s, " %s", o->values ? o->values : o->argument);
}

static size_t option_width(const rk_cli_command *c)
{
    size_t widest = 0;
    rk_str s = {0};

    for (size_t i = 0; i < c->n_option; i++) {
        rk_str_reset(&s);
        put_option_name(&c->option[i], &s);
        widest = s.n > widest ? s.n : widest;
    }
    rk_str_free(&s);
    return widest;
}

static void put_options(const rk_cli_command *c, rk_str *out)
{
    size_t width = option_width(c);

    for (size_t i = 0; i < c->n_option; i++) {
        size_t start = out->n;

        rk_str_put(out, "  ");
        put_option_name(&c->option[i], out);
        rk_str_fill(out, ' ', start + width + 4 > out->n ? start + width + 4 - out->n : 0);
        rk_str_format(out, "%s\n", c->option[i].text);
    }
}

static size_t example_width(const rk_cli_command *c)
{
    size_t widest = 0;

    for (size_t i = 0; i < RK_CLI_EXAMPLES_MAX && c->example[i].line; i++)
        if (strlen(c->example[i].line) > widest)
            widest = strlen(c->example[i].line);
    return widest;
}

static void put_examples(const rk_cli_command *c, rk_str *out)
{
    size_t width = example_width(c);

    if (width > 0)
        rk_str_put(out, "\nExamples:\n");
    for (size_t i = 0; i < RK_CLI_EXAMPLES_MAX && c->example[i].line; i++) {
        rk_str_format(out, "  %s", c->example[i].line);
        rk_str_fill(out, ' ', width + 2 - strlen(c->example[i].line));
        rk_str_format(out, "%s\n", c->example[i].text);
    }
}

static void put_call(const rk_cli_command *c, rk_str *out)
{
    rk_str_put(out, "reckon");
    if (c->name)
        rk_str_format(out, " %s", c->name);
    if (c->words[0])
        rk_str_format(out, " %s", c->words);
}

void rk_cli_help(const rk_cli_command *c, rk_str *out)
{
    rk_str_put(out, "usage: ");
    put_call(c, out);
    rk_str_format(out, " [OPTION …]\n\n%c%s.\n\n", toupper((unsigned char)c->text[0]), c->text + 1);
    put_options(c, out);
    if (c->more)
        rk_str_format(out, "\n%s\n", c->more);
    put_examples(c, out);
}

void rk_cli_overview(rk_str *out)
{
    rk_str_put(out,
               "reckon keeps the books of Transformer models: parameters and operations, each with its formula.\n\n");
    for (size_t i = 0; i < rk_cli_n_command; i++) {
        const rk_cli_command *c = rk_cli_command_list[i];
        size_t start = out->n;

        rk_str_format(out, "  reckon %s%s", c->name ? c->name : "MODEL",
                      c->name && strncmp(c->words, "MODEL", 5) == 0 ? " MODEL" : "");
        rk_str_fill(out, ' ', start + 26 > out->n ? start + 26 - out->n : 1);
        rk_str_format(out, "%s\n", c->text);
    }
    rk_str_format(out, "\n%s\n\nOptions of reckon MODEL ('reckon help COMMAND' has those of a command):\n",
                  RK_CLI_ABOUT_MODEL);
    put_options(rk_cli_command_find(NULL), out);
    put_examples(rk_cli_command_find(NULL), out);
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

static const rk_cli_option option[] = {
    {"-o", "FILE", NULL, "write to FILE, whole or not at all, instead of standard output"},
    {"--help", NULL, NULL, "this text"},
};

static int run(const rk_cli_line *line, rk_cli_output *out, rk_err *err)
{
    const rk_cli_command *c = line->n_word ? rk_cli_command_find(line->word[0]) : NULL;
    char hint[RK_NEAREST_HINT_MAX];
    rk_nearest near = {.word = line->n_word ? line->word[0] : ""};

    if (line->n_word == 0) {
        rk_cli_overview(&out->text);
        return RK_OK;
    }
    if (c && line->n_word == 1) {
        rk_cli_help(c, &out->text);
        return RK_OK;
    }
    if (c)
        return rk_fail(err, RK_EUSAGE, "'%s' is too much", line->word[1]);
    for (size_t i = 0; i < rk_cli_n_command; i++)
        if (rk_cli_command_list[i]->name)
            rk_nearest_try(&near, rk_cli_command_list[i]->name);
    return rk_fail(err, RK_EUSAGE, "no command is called '%s'%s", line->word[0], rk_nearest_hint(&near, hint));
}

const rk_cli_command rk_command_help = {
    .name = "help",
    .words = "[COMMAND]",
    .text = "the commands, or one of them with its options",
    .option = option,
    .n_option = sizeof option / sizeof *option,
    .example =
        {
            {"reckon help flops", "the options of flops"},
        },
    .run = run,
};
