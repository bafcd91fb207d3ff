/* SPDX-License-Identifier: MIT */
/*
 * cli/train.h - a training step, as the line says: types, optimizer, loss, what is computed again, the largest batch.
 *
 * Stage   the user's line -> [cli] -> options of an account of memory.
 * Uses    base/, account/memory.h, account/training.h.
 * Memory  none.
 * Threads one line, one thread.
 */
#ifndef RK_CLI_TRAIN_H
#define RK_CLI_TRAIN_H

#include "account/training.h"
#include "cli/cli.h"

/* clang-format off */
#define RK_CLI_TRAIN \
    {"--recompute", "WHAT", "none|selective|full", "keep everything; all but attention's scores; what enters layers"}, \
    {"--recompute-every", "K", NULL, "keep what goes into every K-th layer alone (with --recompute full)"}, \
    {"--optimizer", "NAME", RK_OPTIMIZER_WORDS, "whose state is counted"}, \
    {"--master", "TYPE", "none|fp32", "a second copy of the weights, and the optimizer's state, in fp32"}, \
    {"--grad-dtype", "TYPE", "same|fp32|bf16|fp16", "in which gradients are added up, in buffers that stay"}, \
    {"--accumulate", "N", NULL, "add up the gradients of N passes before each step of the optimizer"}, \
    {"--loss", "LOSS", "ce|chunked|fused|none", "cross entropy: of all tokens at once, or of some at a time; or none"}, \
    {"--loss-chunk", "N", NULL, "so many tokens at a time"}

#define RK_CLI_WITHIN \
    {"--within", "BYTES", NULL, "find the largest batch that needs no more than 80GB, 80GiB …"}
/* clang-format on */

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

/* RK_EUSAGE: options contradict each other, or have nothing to do with what is asked. */
int rk_cli_train_options(const rk_cli_line *line, const rk_model *m, rk_memory_options *o, rk_err *err);

/* The limit of --within in bytes, or 0. */
int rk_cli_within(const rk_cli_line *line, rk_i128 *out, rk_err *err);

#endif
