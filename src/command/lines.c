/* SPDX-License-Identifier: MIT */
/* reckon lines: the model's equations as they are instantiated, each with what it costs and keeps. */
#include "command/commands.h"
#include "command/run.h"

#include "report/lines.h"

static const rk_cmd_option option[] = {
    RK_CMD_COUNTING_PLAIN,          RK_CMD_RUN, RK_CMD_ADAPT, RK_CMD_ADAPT_TYPE, RK_CMD_FORMULAS, RK_CMD_CONFIG,
    RK_CMD_OUTPUT(RK_FORMAT_WORDS),
};

static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    rk_open_request request = rk_cmd_request(line, out);
    rk_run_request asked;
    rk_memory *memory = NULL;
    rk_run step = {0};
    int code = rk_tokens_keep_input(&out->arena, &request, err); /* the model is opened twice */

    if (code == RK_OK)
        code = rk_cmd_run_request(line, &request, &asked, err);
    if (code == RK_OK)
        code = rk_run_open(&asked, &step, err);
    step.options.brief = step.options.unnamed = true;
    if (code == RK_OK)
        code = rk_memory_new(step.opened.instance, &step.options, &memory, err);
    if (code == RK_OK)
        code = rk_cmd_open_request(line, &asked.open, RK_FIND_MODEL, out, err);
    if (code == RK_OK)
        code = rk_report_lines(&out->report, out->ledger, memory, err);
    rk_memory_free(memory);
    rk_run_close(&step);
    return code;
}

const rk_cmd_command rk_command_lines = {
    .name = "lines",
    .words = "MODEL [SYMBOL=VALUE …]",
    .text = "the equations with the sizes that they have here, and what each costs and saves",
    .more = RK_CMD_ABOUT_MODEL,
    RK_CMD_OPTIONS(option),
    .example =
        {
            {"reckon lines llama-3.1-8b", "line by line, in the order of the program"},
            {"reckon lines gpt2 --attention eager --count all", "what eager attention saves, and every operation"},
        },
    .run = run,
};
