/* SPDX-License-Identifier: MIT */
/*
 * cli/run.h - a step as the line says: the model opened for it, and how it is taken.
 *
 * Stage   the user's line -> [cli] -> options of an account of memory.
 * Uses    cli/adapt.h, cli/infer.h, cli/train.h.
 * Memory  a run owns its model and its ledger.
 * Threads a line is only read: several threads may each open a run of their own.
 *
 *     rk_cli_run run;
 *     code = rk_cli_run_open(line, &request, &run, err);
 *     if (code == RK_OK) code = rk_memory_new(run.opened.model, &run.options, &memory, err);
 *     rk_cli_run_close(&run);
 */
#ifndef RK_CLI_RUN_H
#define RK_CLI_RUN_H

#include "cli/adapt.h"
#include "cli/infer.h"
#include "cli/train.h"

/* clang-format off */
#define RK_CLI_RUN \
    {"--phase", "PHASE", RK_PHASE_WORDS, "a training step, reading a prompt, or one new token"}, \
    {"--profile", "PROFILE", "torch|textbook", "what PyTorch keeps, or what a derivation by hand lists"}, \
    {"--dtype", "TYPE", RK_RUN_TYPE_WORDS, "of weights, activations and gradients (the config's, where it says one)"}, \
    {"--attention", "HOW", "eager|flash", "operation by operation, or in one that never stores its scores"}, \
    RK_CLI_TRAIN, \
    RK_CLI_INFER
/* clang-format on */

typedef struct rk_cli_run {
    rk_opened opened;
    rk_ledger *ledger;
    rk_cli_infer infer;
    rk_memory_options options;
} rk_cli_run;

/* `request` says which model, with which settings; what the line says of the step is added to it. */
int rk_cli_run_open(const rk_cli_line *line, const rk_open_request *request, rk_cli_run *out, rk_err *err);
void rk_cli_run_close(rk_cli_run *run);

/* Bytes of a number of the type that --dtype says. */
int rk_cli_run_bytes(const rk_cli_line *line);

#endif
