/* SPDX-License-Identifier: MIT */
/* reckon flops: per operation, forward and backward. */
#include "plan/profile.h"
#include "cli/adapt.h"
#include "cli/as.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/train.h"
#include "report/conventions.h"

static const rk_cli_option option[] = {
    RK_CLI_COUNTING_PLAIN,
    {"--as", "NAME", NULL, "count as a paper or a tool does, and say why it differs: torch, palm, …; all lists them"},
    {"--by", "WHAT", "part|tensor", "one row for each operation, by part, or for each tensor that operations use"},
    {"--depth", "N", NULL, "sum up all below the N-th level of parts"},
    {"--tasks", NULL, NULL, "instead: what a training step runs, task by task, with the bytes that each moves"},
    RK_CLI_STEP,
    RK_CLI_ADAPT,
    RK_CLI_FORMULAS,
    RK_CLI_EXPLAIN,
    RK_CLI_CONFIG,
    RK_CLI_OUTPUT(RK_FORMAT_WORDS),
};

static int report_others(const rk_cli_line *line, const rk_report *report, const rk_instance *instance,
                         const rk_ledger *ledger, rk_err *err)
{
    static const char *const idle[] = {"--by",    "--depth", "--tasks", "--step", "--optimizer",
                                       "--steps", "--rate",  "--mfu",   NULL};
    rk_cli_as as;
    rk_arena arena = {0};
    int code = rk_cli_as_alone(line, idle, err);

    if (code == RK_OK)
        code = rk_report_numbers(ledger, err);
    if (code == RK_OK)
        code = rk_cli_as_find(line, &arena, instance, NULL, false, &as, err);
    if (code == RK_OK)
        code = rk_report_conventions(report, ledger, &as.all, as.one, err);
    rk_arena_free(&arena);
    return code;
}

static int report_tasks(const rk_report *report, const rk_ledger *ledger, const rk_flops_options *o, rk_err *err)
{
    rk_library library = rk_cli_library();
    rk_arena arena = {0};
    rk_profile profile;
    int code = rk_profile_read(&library, &arena, "torch", &profile, err);

    if (code == RK_OK)
        code = rk_report_tasks(report, ledger, &profile, o, err);
    rk_arena_free(&arena);
    return code;
}

static int report_flops(const rk_cli_line *line, const rk_report *report, const rk_instance *instance,
                        const rk_ledger *ledger, const rk_flops_options *o, rk_err *err)
{
    if (rk_cli_value(line, "--explain-config"))
        return rk_cli_explain(report, ledger, err);
    if (rk_cli_value(line, "--tasks") && !rk_cli_as_others(line))
        return report_tasks(report, ledger, o, err);
    return rk_cli_as_others(line) ? report_others(line, report, instance, ledger, err)
                                  : rk_report_flops(report, ledger, o, err);
}

static int run(const rk_cli_line *line, rk_cli_output *out, rk_err *err)
{
    rk_flops_options o = {.by_tensor = rk_cli_choice(line, "--by") == 1};
    rk_instance *instance = NULL;
    rk_ledger *ledger = NULL;
    rk_report report;
    int code = rk_cli_report(line, out, &report, err);

    if (code == RK_OK)
        code = rk_cli_number(line, "--depth", 0, &o.depth, err);
    if (code == RK_OK)
        code = rk_cli_step_options(line, &o, err);
    if (code == RK_OK)
        code = rk_cli_open(line, line->word, line->n_word, out, &instance, &ledger, err);
    if (code == RK_OK)
        code = report_flops(line, &report, instance, ledger, &o, err);
    rk_cli_close(instance, ledger);
    return code;
}

const rk_cli_command rk_command_flops = {
    .name = "flops",
    .words = "MODEL [SYMBOL=VALUE …]",
    .text = "floating-point operations, each with its formula",
    .more = RK_CLI_ABOUT_MODEL,
    .option = option,
    .n_option = sizeof option / sizeof *option,
    .example =
        {
            {"reckon flops gpt2-xl B=8", "a batch of eight sequences"},
            {"reckon flops cs336-xl B=1024 --steps 400000 --rate 19.5TFLOP/s --mfu 50%", "days of training"},
            {"reckon flops gpt2 --count all --causal exact",
             "every operation, and only the pairs that the mask allows"},
        },
    .run = run,
};
