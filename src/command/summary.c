/* SPDX-License-Identifier: MIT */
/* reckon MODEL: the model in one look. */
#include "command/command.h"
#include "command/commands.h"

#include "ask/needs.h"

static const rk_cmd_option option[] = {
    RK_CMD_COUNTING,
    RK_CMD_FORMULAS,
    RK_CMD_EXPLAIN,
    RK_CMD_CONFIG,
    RK_CMD_OUTPUT(RK_FORMAT_WORDS),
    {"--version", NULL, NULL, "the version of reckon"},
};

/* Steps are of numbers: where a symbol has none, nothing is needed. */
static int find_needs(const rk_open_request *open, rk_cmd_output *out, rk_needs *needs, rk_err *err)
{
    rk_run_request request = {.open = *open};
    int code = rk_report_numbers(out->ledger, NULL);

    if (code != RK_OK)
        return code == RK_EVALUE ? RK_OK : code;
    request.open.mistakes = NULL;
    return rk_needs_find(&out->arena, &request, out->opened.instance, needs, err);
}

static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    bool explains = rk_cmd_value(line, "--explain-config");
    rk_open_request request = rk_cmd_request(line, out);
    rk_needs needs = {0};
    rk_str asked = {0};
    int code;

    if (rk_writers[out->report.format].takes == RK_WRITER_TAKES_TABLES && !explains)
        return rk_fail(err, RK_EUSAGE, "a whole page is no csv: 'reckon params' and 'reckon flops' have tables");
    code = rk_tokens_keep_input(&out->arena, &request, err); /* the model is opened again, for each step */
    if (code == RK_OK)
        code = rk_cmd_open_request(line, &request, explains ? RK_FIND_MODEL : RK_FIND_ANY, out, err);
    if (code == RK_OK && out->ledger && !explains)
        code = find_needs(&request, out, &needs, err);
    if (code != RK_OK || explains)
        return code == RK_OK ? rk_cmd_explain(line, out, err) : code;
    rk_cmd_put_asked(line, &asked);
    out->report.asked = rk_str_text(&asked);
    out->report.opened = &out->opened;
    if (asked.failed)
        code = rk_fail_memory(err);
    else if (out->ledger)
        code = rk_report_summary(&out->report, out->ledger, &needs, err);
    else
        code = rk_report_stored(&out->report, &out->opened, &(rk_params_options){0}, err);
    rk_str_free(&asked);
    return code;
}

const rk_cmd_command rk_command_summary = {
    .name = NULL,
    .words = "MODEL [SYMBOL=VALUE …]",
    .text = "the model on one page: its shape, parameters, operations and memory",
    .more = RK_CMD_ABOUT_MODEL,
    RK_CMD_OPTIONS(option),
    .example =
        {
            {"reckon gpt2-xl", "GPT-2 XL"},
            {"reckon llama D=4K L=32 S=8K", "a Llama of width 4,096 and 32 layers, on 8,192 tokens"},
        },
    .run = run,
};
