/* SPDX-License-Identifier: MIT */
/* reckon step: a step in one answer, for who draws it. */
#include "command/amount.h"
#include "command/commands.h"
#include "command/run.h"

#include "report/frame.h"

static const rk_cmd_option option[] = {
    {"--device", "NAME", NULL, "the accelerator that it shall fit on, as 'reckon devices' lists it"},
    {"--ways", NULL, NULL, "also the same step otherwise, each way by itself: what it needs, and what it costs"},
    {"--curves", NULL, NULL, "also the peak over B, S and devices, and the last number of each that fits"},
    {"--points", "N", NULL, "JSON: also what is alive over the step, in about so many points"},
    RK_CMD_COUNTING_PLAIN,
    RK_CMD_RUN,
    RK_LAYOUT_OPTIONS(RK_CMD_LAYOUT_ROW) RK_CMD_ADAPT,
    RK_CMD_ADAPT_TYPE,
    RK_CMD_FORMULAS,
    RK_CMD_CONFIG,
    RK_CMD_OUTPUT(RK_FORMAT_WORDS),
};

/* Before the account is made: who looks on. */
static int begin_samples(const rk_cmd_line *line, rk_arena *a, rk_memory_options *o, rk_samples **out, rk_err *err)
{
    int points = 0, code = rk_cmd_number(line, "--points", 0, &points, err);

    if (code != RK_OK || points == 0)
        return code;
    if (points > RK_SAMPLES_MOST)
        return rk_fail(err, RK_EUSAGE, "--points %d: at most %d", points, RK_SAMPLES_MOST);
    if (o->profile.textbook)
        return rk_fail(err, RK_EUSAGE, "--points and --profile textbook: a derivation by hand has no order in time");
    *out = rk_samples_new(a, (size_t)points);
    if (!*out)
        return rk_fail_memory(err);
    o->observer = rk_samples_observer(*out);
    return RK_OK;
}

static int report(const rk_cmd_line *line, const rk_run_request *asked, rk_run *run, rk_cmd_output *out, rk_err *err)
{
    rk_frame f = {.step = run->ledger};
    rk_memory *memory = NULL;
    rk_samples *samples = NULL;
    rk_extents *extents = RK_NEW(&out->arena, rk_extents);
    rk_ways *ways = RK_NEW(&out->arena, rk_ways);
    int code = extents && ways ? begin_samples(line, &out->arena, &run->options, &samples, err) : rk_fail_memory(err);

    if (code == RK_OK)
        code = rk_cmd_device(line, &out->arena, &f.device, err);
    f.limit = code == RK_OK && f.device ? rk_device_room(f.device) : 0;
    run->options.brief = true;
    if (code == RK_OK)
        code = rk_memory_new(run->opened.instance, &run->options, &memory, err);
    f.memory = memory;
    f.samples = samples;
    if (samples)
        rk_samples_end(samples);
    if (code == RK_OK && rk_cmd_value(line, "--ways")) {
        code = rk_ways_find(&out->arena, asked, run, memory, f.limit, ways, err);
        f.ways = ways;
    }
    if (code == RK_OK && rk_cmd_value(line, "--curves")) {
        code = rk_extents_find(&out->arena, asked, run, f.limit, extents, err);
        f.extents = extents;
    }
    /* Parameters and operations are those of the equations as the model's file has them. */
    if (code == RK_OK)
        code = rk_cmd_open_request(line, &run->equations, RK_FIND_MODEL, out, err);
    if (code == RK_OK)
        code = rk_report_frame(&out->report, out->ledger, &f, err);
    out->unfit = code == RK_OK && f.limit > 0 && memory->peak > f.limit;
    rk_memory_free(memory);
    return code;
}

static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    rk_open_request request = rk_cmd_request(line, out);
    rk_run_request asked;
    rk_run step = {0};
    int code = rk_tokens_keep_input(&out->arena, &request, err); /* the model is opened again */

    if (code == RK_OK)
        code = rk_cmd_run_request(line, &request, &asked, err);
    if (code == RK_OK)
        code = rk_run_open(&asked, &step, err);
    if (code == RK_OK)
        code = report(line, &asked, &step, out, err);
    rk_run_close(&step);
    return code;
}

const rk_cmd_command rk_command_step = {
    .name = "step",
    .words = "MODEL [SYMBOL=VALUE …]",
    .text = "a step in one answer: sums, the peak by kind and part, ways to fit, its timeline",
    .more = RK_CMD_ABOUT_MODEL,
    RK_CMD_OPTIONS(option),
    .example =
        {
            {"reckon step gpt2-xl --device h100-80gb --ways", "what would lower its peak, each way by itself"},
            {"reckon step gpt2-xl --device a100-80gb --curves", "the last B and S that fit, and how few devices"},
            {"reckon step gpt2 --points 200 --format json", "what is alive over the step, for a picture"},
        },
    .run = run,
};
