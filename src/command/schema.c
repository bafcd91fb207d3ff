/* SPDX-License-Identifier: MIT */
/* reckon schema: what a command answers in JSON, and the options by which it is asked. */
#include "command/command.h"
#include "command/commands.h"

#include "report/answers.h"

#include <string.h>

static const rk_cmd_option own_option[] = {
    RK_CMD_FILE,
};

static int with_options(const char *name, rk_cmd_output *out, rk_err *err)
{
    const rk_cmd_command *named = rk_cmd_command_find(name);
    const rk_cmd_command *c = named ? named : rk_cmd_command_find(NULL); /* the overview has no name on the line */
    size_t n = c->n_option;
    rk_schema_option *option = RK_NEW_ARRAY(&out->arena, n, rk_schema_option);

    if (!option)
        return rk_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        const rk_cmd_option *o = &c->option[i];

        option[i] = (rk_schema_option){o->name, o->argument, o->values, o->text, false};
        option[i].many = c->many && strcmp(c->many, o->name) == 0;
    }
    return rk_report_schema(name, option, n, &out->text, err);
}

static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    if (line->n_word != 1 || line->n_setting > 0)
        return rk_fail(err, RK_EUSAGE, "one command is wanted: reckon schema memory");
    return with_options(line->word[0], out, err);
}

const rk_cmd_command rk_command_schema = {
    .name = "schema",
    .words = "COMMAND",
    .text = "the keys of what a command answers in JSON, as a JSON Schema, and its options",
    RK_CMD_OPTIONS(own_option),
    .example =
        {
            {"reckon schema memory", "what --format json of memory has"},
        },
    .run = run,
};
