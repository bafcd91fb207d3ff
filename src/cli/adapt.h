/* SPDX-License-Identifier: MIT */
/*
 * cli/adapt.h - the options about adapters and about what is frozen.
 *
 * Stage   inside a command about a model.
 * Uses    cli/cli.h.
 * Memory  words are borrowed from the line.
 * Threads one line, one thread.
 */
#ifndef RK_CLI_ADAPT_H
#define RK_CLI_ADAPT_H

#include "cli/cli.h"

/* clang-format off */
#define RK_CLI_ADAPT \
    {"--lora", "RANK", NULL, "adapters of that rank beside the targets; nothing else is trained"}, \
    {"--targets", "WORDS", NULL, "the linear layers that get adapters: q,v (the usual ones), gate_proj, all-linear"}, \
    {"--freeze", "WORDS", NULL, "what is not trained, by part or name: embed, layers.attention, model.layers.0"}
/* clang-format on */

/* What the line says of adapters and of what is frozen. */
int rk_cli_adapt(const rk_cli_line *line, rk_adapt_request *out, rk_err *err);

#endif
