/* SPDX-License-Identifier: MIT */
/* reckon ops: the table of operations. */
#include "cli/cli.h"
#include "cli/commands.h"

static const rk_cli_option option[] = {
    RK_CLI_OUTPUT(RK_FORMAT_WORDS),
};

static int run(const rk_cli_line *line, rk_cli_output *out, rk_err *err)
{
    int code = rk_cli_report(line, out, err);

    if (code == RK_OK && line->n_word + line->n_setting > 0)
        code = rk_fail(err, RK_EUSAGE, "'%s' is too much", line->n_word ? line->word[0] : line->setting[0].name);
    return code == RK_OK ? rk_report_ops(&out->report, err) : code;
}

const rk_cli_command rk_command_ops = {
    .name = "ops",
    .words = "",
    .text = "the operations that model files are made of, and what each costs",
    .option = option,
    .n_option = sizeof option / sizeof *option,
    .example =
        {
            {"reckon ops", "the table"},
        },
    .run = run,
};
