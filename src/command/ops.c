/* SPDX-License-Identifier: MIT */
/* reckon ops: the table of operations. */
#include "command/command.h"
#include "command/commands.h"

static const rk_cmd_option option[] = {
    RK_CMD_OUTPUT(RK_FORMAT_WORDS),
};

static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    if (line->n_word + line->n_setting > 0)
        return rk_fail(err, RK_EUSAGE, "'%s' is too much", line->n_word ? line->word[0] : line->setting[0].name);
    return rk_report_ops(&out->report, err);
}

const rk_cmd_command rk_command_ops = {
    .name = "ops",
    .words = "",
    .text = "the operations that model files are made of, and what each costs",
    RK_CMD_OPTIONS(option),
    .example =
        {
            {"reckon ops", "the table"},
        },
    .run = run,
};
