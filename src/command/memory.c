/* SPDX-License-Identifier: MIT */
/* reckon memory: weights, gradients, optimizer, what is saved for backward, the peak and who is alive at it. */
#include "base/file.h"
#include "command/commands.h"
#include "command/run.h"
#include "command/spelling.h"
#include "account/training.h"
#include "report/conventions.h"
#include "report/timeline.h"

#include <string.h>

static const rk_cmd_option option[] = {
    RK_CMD_RUN,
    RK_LAYOUT_OPTIONS(RK_CMD_LAYOUT_ROW) RK_CMD_WITHIN,
    RK_CMD_BANDWIDTH,
    {"--details", NULL, NULL, "also the formulas, the moments of the step, every buffer that is saved and alive"},
    {"--timeline", "FILE", NULL, "also draw what is alive over the step (FILE.svg), or list it (FILE.csv)"},
    {"--events", NULL, NULL, "with --timeline FILE.csv: list births and deaths of buffers, as the allocator is asked"},
    {"--dump-pass", "NAME", NULL, "instead: the program after a pass (an unknown one lists them)"},
    {"--as", "NAME", NULL, "instead: a rule of papers and tools beside the exact account: zero, …; all lists them"},
    {"--devices", "N", NULL, "with --as: devices among which a rule divides what it can"},
    RK_CMD_ADAPT,
    RK_CMD_ADAPT_TYPE,
    RK_CMD_FORMULAS,
    RK_CMD_CONFIG,
    RK_CMD_OUTPUT(RK_FORMAT_WORDS),
};

/* ---- the file of --timeline: a picture or a table, as its name ends ---------------------------------------------- */

typedef struct timeline {
    const char *path; /* NULL: none is wanted */
    bool events;
    rk_timeline_writer *writer;
    rk_str text;
} timeline;

static bool ends_in(const char *path, const char *end)
{
    size_t n = strlen(path), m = strlen(end);

    return n > m && strcmp(path + n - m, end) == 0;
}

/* Before the account is made: says in its options who looks on. */
static int begin_timeline(timeline *t, rk_arena *a, const rk_model *m, rk_memory_options *o, rk_err *err)
{
    bool is_svg = t->path && ends_in(t->path, ".svg");

    if (t->events && (!t->path || is_svg))
        return rk_fail(err, RK_EUSAGE, "--events: say where they go: --timeline FILE.csv");
    if (!t->path)
        return RK_OK;
    if (!is_svg && !ends_in(t->path, ".csv"))
        return rk_fail(err, RK_EUSAGE, "--timeline '%s': its name must end in .svg (a picture) or .csv (a table)",
                       t->path);
    if (o->profile.textbook)
        return rk_fail(err, RK_EUSAGE, "--timeline and --profile textbook: a derivation by hand has no order in time");
    t->writer = rk_timeline_writer_new(a,
                                       is_svg      ? RK_TIMELINE_SVG
                                       : t->events ? RK_TIMELINE_EVENTS
                                                   : RK_TIMELINE_CSV,
                                       m, &t->text);
    if (!t->writer)
        return rk_fail_memory(err);
    o->observer = rk_timeline_writer_observer(t->writer);
    return RK_OK;
}

/* After it: writes the file. */
static int end_timeline(const rk_cmd_line *line, timeline *t, const rk_memory *m, rk_err *err)
{
    int code = t->path ? rk_timeline_writer_end(t->writer, m, err) : RK_OK;

    return t->path && code == RK_OK ? rk_cmd_put(line, t->path, rk_str_text(&t->text), t->text.n, err) : code;
}

/* ---- the account ------------------------------------------------------------------------------------------------- */

static int report_memory(const rk_cmd_line *line, const rk_run_request *request, rk_run *run, rk_cmd_output *out,
                         rk_err *err)
{
    rk_instance *instance = run->opened.instance;
    timeline drawn = {.path = rk_cmd_value(line, "--timeline"), .events = rk_cmd_value(line, "--events") != NULL};
    rk_memory *memory = NULL;
    rk_memory_asked asked = {.details = rk_cmd_value(line, "--details") != NULL};
    rk_i128 bandwidth = 0, limit = 0;
    int code = rk_cmd_bandwidth(line, &bandwidth, err);

    if (code == RK_OK)
        code = rk_cmd_within(line, &limit, err);
    if (code == RK_OK && limit > 0) /* the largest batch within it becomes that of the run */
        code = rk_fit_batch(instance, &run->options, limit, &asked.within, err);
    if (code == RK_OK)
        code = begin_timeline(&drawn, &out->arena, instance->model, &run->options, err);
    run->options.allocator = run->options.reasons = true;
    if (code == RK_OK)
        code = rk_memory_new(instance, &run->options, &memory, err);
    if (code == RK_OK)
        code = rk_run_serve(run, memory, &asked.serving, err);
    asked.serving.bandwidth = bandwidth;
    if (code == RK_OK && limit == 0) /* else the batch is the answer */
        code = rk_recipes_find(request, memory, NULL, &asked.recipes, err);
    if (code == RK_OK && limit == 0)
        code = rk_savings_find(request, memory, NULL, &asked.savings, err);
    if (code == RK_OK)
        code = rk_report_memory(&out->report, run->ledger, memory, &asked, err);
    if (code == RK_OK)
        code = end_timeline(line, &drawn, memory, err);
    out->unfit = asked.within.limit > 0 && asked.within.largest == 0;
    rk_str_free(&drawn.text);
    rk_memory_free(memory);
    return code;
}

/* By the rules of others, beside the exact account. */
static int report_others(const rk_cmd_line *line, const rk_open_request *request, const rk_run *run, rk_cmd_output *out,
                         rk_err *err)
{
    static const char *const idle[] = {"--within", "--timeline", "--events", "--bandwidth", NULL};
    rk_convention_setup setup = {0};
    rk_memory *memory = NULL;
    rk_exact_bytes exact;
    rk_cmd_as as;
    int devices, code = rk_cmd_as_alone(line, idle, err);

    if (code == RK_OK)
        code = rk_memory_new(run->opened.instance, &run->options, &memory, err);
    if (code == RK_OK)
        code = rk_exact_bytes_find(memory, &exact, err);
    if (code == RK_OK)
        code = rk_cmd_number(line, "--devices", 1, &devices, err);
    /* Rules speak of the model's own equations, not of those that a profile writes out: it is opened once more. */
    if (code == RK_OK)
        code = rk_cmd_open_request(line, request, RK_FIND_MODEL, out, err);
    if (code == RK_OK) {
        setup = (rk_convention_setup){.bytes = exact.bytes, .shards = devices, .tensor = devices};
        code = rk_cmd_as_find(line, &out->arena, out->opened.instance, &setup, true, &as, err);
    }
    if (code == RK_OK)
        code = rk_report_conventions(&out->report, out->ledger, &as.all, as.one, &exact, err);
    rk_memory_free(memory);
    return code;
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

/* A share of one device is what fit finds: how weights are divided, and what is gathered for a moment. */
static int fail_devices(const rk_cmd_line *line, rk_err *err)
{
    rk_str retyped = {0};
    int code;

    rk_spelling_put_retyped(line, rk_cmd_command_find("fit"), &retyped);
    code = rk_fail(err, RK_EUSAGE, "--devices is for the rules of others (--as); what each of several holds: '%s'",
                   rk_str_text(&retyped));
    rk_str_free(&retyped);
    return code;
}

static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    rk_open_request request = rk_cmd_request(line, out);
    rk_run_request asked;
    rk_run step = {0};
    int code;

    if (rk_cmd_value(line, "--devices") && !rk_cmd_value(line, "--as"))
        return fail_devices(line, err);
    code = rk_tokens_keep_input(&out->arena, &request, err); /* the model is opened again: by --as, in other types */
    request.passes.until = rk_cmd_value(line, "--dump-pass");
    if (code == RK_OK)
        code = rk_cmd_run_request(line, &request, &asked, err);
    if (code == RK_OK)
        code = rk_run_open(&asked, &step, err);
    if (code == RK_OK && request.passes.until)
        rk_program_put(step.opened.model, &out->text);
    else if (code == RK_OK)
        code = rk_cmd_value(line, "--as") ? report_others(line, &request, &step, out, err)
                                          : report_memory(line, &asked, &step, out, err);
    rk_run_close(&step);
    return code;
}

const rk_cmd_command rk_command_memory = {
    .name = "memory",
    .words = "MODEL [SYMBOL=VALUE …]",
    .text = "weights, gradients, optimizer, saved activations, cache, the peak",
    .more = RK_CMD_ABOUT_MODEL,
    RK_CMD_OPTIONS(option),
    .example =
        {
            {"reckon memory gpt2-xl B=4", "a training step of PyTorch"},
            {"reckon memory llama-3.1-8b --phase decode B=32 T=32K", "one new token for each of 32 sequences"},
            {"reckon memory cs336-xl-plain --profile textbook", "the account of a textbook"},
        },
    .run = run,
};
