/* SPDX-License-Identifier: MIT */
/* reckon memory: weights, gradients, optimizer, what is kept for the backward pass, the peak and who is alive at it. */
#include "cli/as.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/film.h"
#include "cli/run.h"
#include "account/training.h"
#include "report/conventions.h"

static const rk_cli_option option[] = {
    RK_CLI_RUN,
    RK_CLI_WITHIN,
    RK_CLI_BANDWIDTH,
    RK_CLI_TIMELINE,
    {"--dump-pass", "NAME", NULL, "instead: the program after a pass: lower, merge, adapt, freeze or split"},
    {"--as", "NAME", NULL, "instead: a rule of papers and tools beside the exact account: zero, …; all lists them"},
    {"--devices", "N", NULL, "with --as: devices among which a rule divides what it can"},
    RK_CLI_ADAPT,
    RK_CLI_ADAPT_TYPE,
    RK_CLI_FORMULAS,
    RK_CLI_CONFIG,
    RK_CLI_OUTPUT(RK_FORMAT_WORDS),
};

/* The largest batch within the limit of the line becomes that of the run. */
static int fit(const rk_cli_line *line, rk_instance *m, const rk_memory_options *o, rk_fit *out, rk_err *err)
{
    rk_i128 limit = 0;
    int code = rk_cli_within(line, &limit, err);

    return code == RK_OK && limit > 0 ? rk_fit_batch(m, o, limit, out, err) : code;
}

static int report_memory(const rk_cli_line *line, const rk_report *report, rk_run *run, rk_cli_output *out, rk_err *err)
{
    rk_instance *instance = run->opened.instance;
    rk_memory *memory = NULL;
    rk_memory_asked asked = {0};
    rk_cli_film film = {0};
    rk_i128 bandwidth = 0;
    int code = rk_cli_bandwidth(line, &bandwidth, err);

    if (code == RK_OK)
        code = fit(line, instance, &run->options, &asked.within, err);
    if (code == RK_OK)
        code = rk_cli_film_begin(line, instance->model, &run->options, &film, err);
    if (code == RK_OK)
        code = rk_memory_new(instance, &run->options, &memory, err);
    if (code == RK_OK)
        code = rk_run_serve(run, memory, &asked.serving, err);
    asked.serving.bandwidth = bandwidth;
    if (code == RK_OK)
        code = rk_report_memory(report, run->ledger, memory, &asked, err);
    if (code == RK_OK)
        code = rk_cli_film_end(&film, memory, err);
    out->unfit = asked.within.limit > 0 && asked.within.largest == 0;
    rk_cli_film_free(&film);
    rk_memory_free(memory);
    return code;
}

/* ---- by the rules of others ------------------------------------------------------------------------------------- */

/* Rules speak of the model's own equations, not of those that a profile writes out: it is opened once more. */
static int report_rules(const rk_cli_line *line, const rk_report *report, const rk_open_request *request,
                        const rk_exact_bytes *exact, rk_err *err)
{
    rk_convention_setup setup = {.bytes = exact->bytes};
    rk_opened opened = {0};
    rk_ledger *ledger = NULL;
    rk_arena arena = {0};
    rk_cli_as as;
    int devices, code = rk_cli_number(line, "--devices", 1, &devices, err);

    setup.shards = setup.tensor = devices;
    if (code == RK_OK)
        code = rk_cli_open_request(line, request, RK_FIND_MODEL, &opened, &ledger, err);
    if (code == RK_OK)
        code = rk_cli_as_find(line, &arena, opened.instance, &setup, true, &as, err);
    if (code == RK_OK)
        code = rk_report_memory_conventions(report, ledger, &as.all, as.one, exact, err);
    rk_cli_close(NULL, ledger);
    rk_opened_free(&opened);
    rk_arena_free(&arena);
    return code;
}

static int report_others(const rk_cli_line *line, const rk_report *report, const rk_open_request *request,
                         const rk_run *run, rk_err *err)
{
    static const char *const idle[] = {"--within", "--timeline", "--bandwidth", NULL};
    rk_memory *memory = NULL;
    rk_exact_bytes exact;
    int code = rk_cli_as_alone(line, idle, err);

    if (code == RK_OK)
        code = rk_memory_new(run->opened.instance, &run->options, &memory, err);
    if (code == RK_OK)
        code = rk_exact_bytes_find(memory, &exact, err);
    if (code == RK_OK)
        code = report_rules(line, report, request, &exact, err);
    rk_memory_free(memory);
    return code;
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

static int run(const rk_cli_line *line, rk_cli_output *out, rk_err *err)
{
    rk_open_request request = rk_cli_request(line, out);
    rk_run step = {0};
    rk_arena arena = {0};
    rk_report report;
    int code = rk_cli_report(line, out, &report, err);

    if (code == RK_OK && rk_cli_value(line, "--devices") && !rk_cli_value(line, "--as"))
        code = rk_fail(err, RK_EUSAGE, "--devices is for the rules of others: --as says which");
    if (code == RK_OK && rk_cli_value(line, "--as"))
        code = rk_tokens_keep_input(&arena, &request, err);
    request.until = rk_cli_value(line, "--dump-pass");
    if (code == RK_OK)
        code = rk_cli_run_open(line, &request, &step, err);
    if (code == RK_OK && request.until)
        rk_program_put(step.opened.model, &out->text);
    else if (code == RK_OK)
        code = rk_cli_value(line, "--as") ? report_others(line, &report, &request, &step, err)
                                          : report_memory(line, &report, &step, out, err);
    rk_run_close(&step);
    rk_arena_free(&arena);
    return code;
}

const rk_cli_command rk_command_memory = {
    .name = "memory",
    .words = "MODEL [SYMBOL=VALUE …]",
    .text = "weights, gradients, optimizer, kept activations, cache, the peak",
    .more = RK_CLI_ABOUT_MODEL,
    .option = option,
    .n_option = sizeof option / sizeof *option,
    .example =
        {
            {"reckon memory gpt2-xl B=4", "a training step of PyTorch"},
            {"reckon memory llama-3.1-8b --phase decode B=32 T=32K", "one new token for each of 32 sequences"},
            {"reckon memory cs336-xl-plain --profile textbook", "the account of a textbook"},
        },
    .run = run,
};
