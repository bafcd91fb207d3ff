/* SPDX-License-Identifier: MIT */
/* reckon memory: weights, gradients, optimizer, what is kept for the backward pass, the peak and who is alive at it. */
#include "cli/adapt.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/film.h"
#include "cli/infer.h"
#include "cli/train.h"

static const rk_cli_option option[] = {
    {"--phase", "PHASE", RK_PHASE_WORDS, "a training step, reading a prompt, or one new token"},
    {"--profile", "PROFILE", "torch|textbook", "what PyTorch keeps, or what a derivation by hand lists"},
    {"--dtype", "TYPE", RK_RUN_TYPE_WORDS, "of weights, activations and gradients (the config's, where it says one)"},
    {"--attention", "HOW", "eager|flash", "operation by operation, or in one that never stores its scores"},
    RK_CLI_TRAIN,
    RK_CLI_INFER,
    RK_CLI_TIMELINE,
    RK_CLI_ADAPT,
    RK_CLI_ADAPT_TYPE,
    RK_CLI_FORMULAS,
    RK_CLI_CONFIG,
    RK_CLI_OUTPUT(RK_FORMAT_WORDS),
};

/* Bytes of a number, in the order of the words of an option. */
static const int run_bytes[] = {4, 4, 2, 2, 2};
#define RUN_FP8 4 /* its place among them: fp8 is how products are taken, not how anything stays */

/* The type that the config says the weights have, if a model can run in it. */
static int bytes_of_config(const rk_model *m)
{
    const rk_dtype_row *row = rk_dtype_info(m->quant.dtype);

    return !m->quant.method && row->family == RK_DTYPE_FAMILY_FLOAT && row->bytes == 2 ? 2 : 4;
}

static rk_memory_options options_of(const rk_cli_line *line, const rk_model *m)
{
    bool by_book = rk_cli_choice(line, "--profile") == 1;

    return (rk_memory_options){
        .phase = (rk_phase)rk_cli_choice(line, "--phase"),
        .by_book = by_book,
        .bytes = rk_cli_value(line, "--dtype") ? run_bytes[rk_cli_choice(line, "--dtype")]
                 : by_book                     ? 4
                                               : bytes_of_config(m),
        .eighths = rk_cli_choice(line, "--dtype") == RUN_FP8,
        .rounding = by_book ? 1 : RK_TORCH_ROUNDING,
        .workspace = by_book ? 0 : RK_TORCH_WORKSPACE,
        .flash = rk_cli_choice(line, "--attention") == 1,
    };
}

/* The largest batch within the limit of the line becomes that of the model. */
static int fit(const rk_cli_line *line, rk_model *m, const rk_memory_options *o, rk_fit *out, rk_err *err)
{
    rk_i128 limit = 0;
    int code = rk_cli_within(line, &limit, err);

    return code == RK_OK && limit > 0 ? rk_fit_batch(m, o, limit, out, err) : code;
}

static void tell(rk_memory *m, const rk_ledger *ledger, const rk_fit *within)
{
    m->again_flops = rk_again_flops(m, ledger);
    m->within = *within;
}

static int report_memory(const rk_cli_line *line, const rk_report *report, rk_opened *opened, const rk_ledger *ledger,
                         rk_cli_infer *infer, rk_cli_output *out, rk_err *err)
{
    rk_memory_options o = options_of(line, opened->model);
    rk_memory *memory = NULL;
    rk_fit within = {0};
    rk_cli_film film = {0};
    int code = rk_report_numbers(ledger, err);

    if (code == RK_OK)
        code = rk_cli_infer_options(line, opened, ledger, infer, &o, err);
    if (code == RK_OK)
        code = rk_cli_train_options(line, opened->model, &o, err);
    if (code == RK_OK)
        code = fit(line, opened->model, &o, &within, err);
    if (code == RK_OK)
        code = rk_cli_film_begin(line, opened->model, &o, &film, err);
    if (code == RK_OK)
        code = rk_memory_new(opened->model, &o, &memory, err);
    if (code == RK_OK)
        tell(memory, ledger, &within);
    if (code == RK_OK)
        code = rk_cli_infer_serve(line, infer, ledger, memory, err);
    if (code == RK_OK)
        code = rk_report_memory(report, ledger, memory, err);
    if (code == RK_OK)
        code = rk_cli_film_end(&film, memory, err);
    out->unfit = within.limit > 0 && within.largest == 0;
    rk_cli_film_free(&film);
    rk_memory_free(memory);
    return code;
}

static int run(const rk_cli_line *line, rk_cli_output *out, rk_err *err)
{
    rk_open_request request = rk_cli_request(line, out);
    rk_opened opened = {0};
    rk_ledger *ledger = NULL;
    rk_cli_infer infer = {0};
    rk_report report;
    int code = rk_cli_report(line, out, &report, err);

    request.profile = rk_cli_choice(line, "--profile") == 0 ? "torch" : NULL;
    request.fused = rk_cli_choice(line, "--attention") == 1;
    if (code == RK_OK)
        code = rk_cli_adapt_run(line, &request, err);
    if (code == RK_OK)
        code = rk_cli_infer_request(line, (rk_phase)rk_cli_choice(line, "--phase"), &request, &infer, err);
    if (code == RK_OK)
        code = rk_cli_open_request(line, &request, RK_FIND_MODEL, &opened, &ledger, err);
    if (code == RK_OK)
        code = report_memory(line, &report, &opened, ledger, &infer, out, err);
    rk_cli_close(NULL, ledger);
    rk_opened_free(&opened);
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
