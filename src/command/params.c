/* SPDX-License-Identifier: MIT */
/* reckon params: tensors, their shapes and counts. */

#include "command/command.h"
#include "command/commands.h"

static const rk_cmd_option option[] = {
    {"--all", NULL, NULL, "list each tensor of each layer, and the buffers"},
    {"--depth", "N", NULL, "sum up all below the N-th level of parts"},
    {"--names", "WHOSE", RK_NAMING_WORDS, "list each tensor under the names of the reference, or as published"},
    RK_CMD_ADAPT,
    RK_LAYOUT_WHERE(RK_CMD_LAYOUT_ROW) RK_CMD_FORMULAS,
    RK_CMD_EXPLAIN,
    RK_CMD_CONFIG,
    RK_CMD_OUTPUT(RK_FORMAT_WORDS),
};

static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    const char *names = rk_cmd_value(line, "--names");
    rk_params_options o = {.all = names || rk_cmd_value(line, "--all"), .layout = RK_NAMING_REFERENCE};
    bool explains = rk_cmd_value(line, "--explain-config");
    int code = rk_cmd_number(line, "--depth", 0, &o.depth, err);

    if (names)
        o.layout = (rk_naming)rk_words_place(RK_NAMING_WORDS, names);
    if (code == RK_OK && o.all && o.depth)
        code = rk_fail(err, RK_EUSAGE, "--all lists tensors, --depth sums them up: choose one");
    if (code == RK_OK)
        code = rk_cmd_open(line, line->word, line->n_word, explains ? RK_FIND_MODEL : RK_FIND_TENSORS, out, err);
    if (code == RK_OK && !out->ledger && names)
        code = rk_fail(err, RK_EUSAGE, "--names: a checkpoint has the names that it has");
    if (code != RK_OK)
        return code;
    if (explains)
        return rk_cmd_explain(line, out, err);
    return out->ledger ? rk_report_params(&out->report, out->ledger, &o, err)
                       : rk_report_stored(&out->report, &out->opened, &o, err);
}

const rk_cmd_command rk_command_params = {
    .name = "params",
    .words = "MODEL [SYMBOL=VALUE …]",
    .text = "parameters: tensors by layer group, or each",
    .more = RK_CMD_ABOUT_MODEL,
    RK_CMD_OPTIONS(option),
    .example =
        {
            {"reckon params gpt2-xl --depth 2", "by parts, down to the second level"},
            {"reckon params gpt2 --all --format json", "each tensor of each layer, for a program"},
            {"reckon params gpt2 --names checkpoint", "each tensor as the published checkpoint has it"},
        },
    .run = run,
};
