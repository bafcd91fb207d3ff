/* SPDX-License-Identifier: MIT */
/* reckon schema: what a command answers in JSON. */
#include "command/command.h"
#include "command/commands.h"

#include "report/answers.h"

static const rk_cmd_option option[] = {
    RK_CMD_FILE,
};

static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    if (line->n_word != 1 || line->n_setting > 0)
        return rk_fail(err, RK_EUSAGE, "one command is wanted: reckon schema memory");
    return rk_report_schema(line->word[0], &out->text, err);
}

const rk_cmd_command rk_command_schema = {
    .name = "schema",
    .words = "COMMAND",
    .text = "the keys of what a command answers in JSON, as a JSON Schema",
    RK_CMD_OPTIONS(option),
    .example =
        {
            {"reckon schema memory", "what --format json of memory has"},
        },
    .run = run,
};
