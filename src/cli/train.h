/* SPDX-License-Identifier: MIT */
/*
 * cli/train.h - a training step's operations and the time of many, as the line says.
 *
 * Stage   the user's line -> [cli] -> options of a report.
 * Uses    cli/cli.h, account/training.h.
 * Memory  none.
 * Threads one line, one thread.
 */
#ifndef RK_CLI_TRAIN_H
#define RK_CLI_TRAIN_H

#include "account/training.h"
#include "cli/cli.h"

/* clang-format off */
#define RK_CLI_STEP \
    {"--step", NULL, NULL, "also the optimizer's step, operation by operation"}, \
    {"--optimizer", "NAME", RK_OPTIMIZER_WORDS, "whose step it is"}, \
    {"--steps", "N", NULL, "how long so many steps take at a --rate"}, \
    {"--rate", "RATE", NULL, "of the device, as 19.5TFLOP/s"}, \
    {"--mfu", "SHARE", NULL, "of the rate that is reached, as 50% (all of it, where nothing is said)"}
/* clang-format on */

/* The FLOPs in a second of --rate, which stay as they are without it; the share of --mfu (50%, 0.5), or 1. */
int rk_cli_rate(const rk_cli_line *line, rk_i128 *out, rk_err *err);
int rk_cli_mfu(const rk_cli_line *line, double *out, rk_err *err);

/* RK_EUSAGE: a step's options without a step, a rate or a share that is none. */
int rk_cli_step_options(const rk_cli_line *line, rk_flops_options *o, rk_err *err);

#endif
