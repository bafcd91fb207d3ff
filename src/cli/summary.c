/* SPDX-License-Identifier: MIT */
/* reckon MODEL: the model in one look. */
#include "cli/cli.h"
#include "cli/commands.h"

static const rk_cli_option option[] = {
    RK_CLI_COUNTING,
    RK_CLI_FORMULAS,
    RK_CLI_OUTPUT("text|json"),
    {"--version", NULL, NULL, "the version of reckon"},
};

static int run(const rk_cli_line *line, rk_cli_output *out, rk_err *err)
{
    rk_model *model = NULL;
    rk_ledger *ledger = NULL;
    rk_report report;
    int code = rk_cli_report(line, out, &report, err);

    if (code == RK_OK)
        code = rk_cli_open(line, line->word, line->n_word, out, &model, &ledger, err);
    if (code == RK_OK)
        code = rk_report_summary(&report, ledger, err);
    rk_cli_close(model, ledger);
    return code;
}

const rk_cli_command rk_command_summary = {
    .name = NULL,
    .words = "MODEL [SYMBOL=VALUE …]",
    .text = "the model in one look: parameters and operations",
    .more = RK_CLI_ABOUT_MODEL,
    .option = option,
    .n_option = sizeof option / sizeof *option,
    .example =
        {
            {"reckon gpt2-xl", "GPT-2 XL"},
            {"reckon llama D=4K L=32 S=8K", "a Llama of width 4,096 and 32 layers, on 8,192 tokens"},
        },
    .run = run,
};
