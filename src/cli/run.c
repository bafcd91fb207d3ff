/* SPDX-License-Identifier: MIT */
#include "cli/run.h"

/* Bytes of a number, in the order of the words of an option. */
static const int run_bytes[] = {4, 4, 2, 2, 2};
#define RUN_FP8 4 /* its place among them: fp8 is how products are taken, not how anything stays */

int rk_cli_run_bytes(const rk_cli_line *line)
{
    return run_bytes[rk_cli_choice(line, "--dtype")];
}

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
        .bytes = rk_cli_value(line, "--dtype") ? rk_cli_run_bytes(line)
                 : by_book                     ? 4
                                               : bytes_of_config(m),
        .eighths = rk_cli_choice(line, "--dtype") == RUN_FP8,
        .rounding = by_book ? 1 : RK_TORCH_ROUNDING,
        .workspace = by_book ? 0 : RK_TORCH_WORKSPACE,
        .flash = rk_cli_choice(line, "--attention") == 1,
    };
}

static int find_options(const rk_cli_line *line, rk_cli_run *run, rk_err *err)
{
    int code = rk_report_numbers(run->ledger, err);

    run->options = options_of(line, run->opened.model);
    if (code == RK_OK)
        code = rk_cli_infer_options(line, &run->opened, run->ledger, &run->infer, &run->options, err);
    if (code == RK_OK)
        code = rk_cli_train_options(line, run->opened.model, &run->options, err);
    return code;
}

int rk_cli_run_open(const rk_cli_line *line, const rk_open_request *request, rk_cli_run *out, rk_err *err)
{
    rk_open_request r = *request;
    int code;

    *out = (rk_cli_run){0};
    r.profile = rk_cli_choice(line, "--profile") == 0 ? "torch" : NULL;
    r.fused = rk_cli_choice(line, "--attention") == 1;
    code = rk_cli_adapt_run(line, &r, err);
    if (code == RK_OK)
        code = rk_cli_infer_request(line, (rk_phase)rk_cli_choice(line, "--phase"), &r, &out->infer, err);
    if (code == RK_OK)
        code = rk_cli_open_request(line, &r, RK_FIND_MODEL, &out->opened, &out->ledger, err);
    if (code == RK_OK)
        code = find_options(line, out, err);
    if (code != RK_OK)
        rk_cli_run_close(out);
    return code;
}

void rk_cli_run_close(rk_cli_run *run)
{
    rk_cli_close(NULL, run->ledger);
    rk_opened_free(&run->opened);
    *run = (rk_cli_run){0};
}
