/* SPDX-License-Identifier: MIT */
/* reckon flops: per operation, forward and backward. */
#include "plan/profile.h"
#include "account/training.h"
#include "command/amount.h"
#include "command/commands.h"
#include "plan/tokens.h"
#include "report/conventions.h"

static const rk_cmd_option option[] = {
    {"--phase", "PHASE", RK_PHASE_WORDS, "a training step, reading a prompt, or one new token"},
    RK_CMD_COUNTING_PLAIN,
    {"--as", "NAME", NULL, "count as a paper or a tool does, and say why it differs: torch, palm, …; all lists them"},
    {"--by", "WHAT", "part|tensor", "one row for each operation, by part, or for each tensor that operations use"},
    {"--depth", "N", NULL, "sum up all below the N-th level of parts"},
    {"--tasks", NULL, NULL, "instead: what a training step runs, task by task, with the memory traffic of each"},
    {"--step", NULL, NULL, "also the optimizer's step, operation by operation"},
    {"--optimizer", "NAME", RK_OPTIMIZER_WORDS, "whose step it is"},
    {"--steps", "N", NULL, "how long so many steps take at a --rate"},
    {"--rate", "RATE", NULL, "of the device, as 19.5TFLOP/s"},
    {"--mfu", "SHARE", NULL, "of the rate that is reached, as 50% (all of it, where nothing is said)"},
    RK_CMD_ADAPT,
    RK_LAYOUT_WHERE(RK_CMD_LAYOUT_ROW) RK_CMD_FORMULAS,
    RK_CMD_EXPLAIN,
    RK_CMD_CONFIG,
    RK_CMD_OUTPUT(RK_FORMAT_WORDS),
};

/* A training step's operations, and the time of many.  RK_EUSAGE: a step's options without a step. */
static int read_step(const rk_cmd_line *line, rk_flops_options *o, rk_err *err)
{
    int code = rk_cmd_count(line, "--steps", &o->steps, err);

    o->step = rk_cmd_value(line, "--step") != NULL;
    o->optimizer = (rk_optimizer)rk_cmd_choice(line, "--optimizer");
    if (code == RK_OK)
        code = rk_cmd_rate(line, &o->rate, err);
    if (code == RK_OK)
        code = rk_cmd_mfu(line, &o->mfu, err);
    if (code != RK_OK)
        return code;
    if (rk_cmd_value(line, "--optimizer") && !o->step)
        return rk_fail(err, RK_EUSAGE, "--optimizer: this is of --step");
    if ((o->steps > 0) != (o->rate > 0))
        return rk_fail(err, RK_EUSAGE, "--steps and --rate say together how long a training run takes");
    if (rk_cmd_value(line, "--mfu") && !o->rate)
        return rk_fail(err, RK_EUSAGE, "--mfu is a share of --rate");
    return RK_OK;
}

static int report_others(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    static const char *const idle[] = {"--by",    "--depth", "--tasks", "--step", "--optimizer",
                                       "--steps", "--rate",  "--mfu",   NULL};
    rk_cmd_as as;
    int code = rk_cmd_as_alone(line, idle, err);

    if (code == RK_OK)
        code = rk_report_numbers(out->ledger, err);
    if (code == RK_OK)
        code = rk_cmd_as_find(line, &out->arena, out->opened.instance, NULL, false, &as, err);
    return code == RK_OK ? rk_report_conventions(&out->report, out->ledger, &as.all, as.one, NULL, err) : code;
}

static int report_tasks(const rk_cmd_line *line, rk_cmd_output *out, const rk_flops_options *o, rk_err *err)
{
    rk_library library = rk_cmd_library(line);
    rk_profile profile;
    int code = rk_profile_read(&library, &out->arena, "torch", &profile, err);

    return code == RK_OK ? rk_report_tasks(&out->report, out->ledger, &profile, o, err) : code;
}

/* The model as the phase runs it.  RK_EUSAGE: an option is about training, and this is none. */
static int open_phase(const rk_cmd_line *line, rk_phase phase, rk_cmd_output *out, rk_err *err)
{
    static const char *const training[] = {"--tasks", "--step", "--optimizer", "--steps", "--rate", "--freeze"};
    rk_open_request request = rk_cmd_request(line, out);
    int code = RK_OK;

    for (size_t i = 0; phase != RK_PHASE_TRAIN && i < sizeof training / sizeof *training; i++)
        if (rk_cmd_value(line, training[i]))
            return rk_fail(err, RK_EUSAGE, "%s: this is of a training step (--phase train)", training[i]);
    if (phase != RK_PHASE_TRAIN && rk_cmd_as_others(line))
        return rk_fail(err, RK_EUSAGE, "--as %s counts a training step: leave out --phase", rk_cmd_value(line, "--as"));
    if (phase != RK_PHASE_TRAIN)
        code = rk_tokens_keep_input(&out->arena, &request, err);
    if (code == RK_OK)
        code = rk_tokens_set(&out->arena, phase, NULL, &request, NULL, err);
    request.passes.serves = phase == RK_PHASE_DECODE;
    return code == RK_OK ? rk_cmd_open_request(line, &request, RK_FIND_MODEL, out, err) : code;
}

static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    rk_flops_options o = {.by_tensor = rk_cmd_choice(line, "--by") == 1,
                          .phase = (rk_phase)rk_cmd_choice(line, "--phase")};
    int code = rk_cmd_number(line, "--depth", 0, &o.depth, err);

    if (code == RK_OK)
        code = read_step(line, &o, err);
    if (code == RK_OK)
        code = open_phase(line, o.phase, out, err);
    if (code != RK_OK)
        return code;
    if (rk_cmd_value(line, "--explain-config"))
        return rk_cmd_explain(line, out, err);
    if (rk_cmd_as_others(line))
        return report_others(line, out, err);
    return rk_cmd_value(line, "--tasks") ? report_tasks(line, out, &o, err)
                                         : rk_report_flops(&out->report, out->ledger, &o, err);
}

const rk_cmd_command rk_command_flops = {
    .name = "flops",
    .words = "MODEL [SYMBOL=VALUE …]",
    .text = "floating-point operations, each with its formula",
    .more = RK_CMD_ABOUT_MODEL,
    RK_CMD_OPTIONS(option),
    .example =
        {
            {"reckon flops gpt2-xl B=8", "a batch of eight sequences"},
            {"reckon flops cs336-xl B=1024 --steps 400000 --rate 19.5TFLOP/s --mfu 50%", "days of training"},
            {"reckon flops gpt2 --count all --causal exact",
             "every operation, and only the pairs that the mask allows"},
        },
    .run = run,
};
