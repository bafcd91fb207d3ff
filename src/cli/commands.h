/* SPDX-License-Identifier: MIT */
/*
 * cli/commands.h - every command, in the order of the help.
 *
 * Stage   the user's line -> [cli].
 * Uses    cli/cli.h.
 * Memory  constant data.
 * Threads constant data.
 *
 * X(NAME): the file cli/NAME.c defines rk_command_NAME.
 */
#ifndef RK_CLI_COMMANDS_H
#define RK_CLI_COMMANDS_H

#include "cli/cli.h"

#define RK_CLI_COMMANDS(X)                                                                                             \
    X(summary)                                                                                                         \
    X(params)                                                                                                          \
    X(flops)                                                                                                           \
    X(memory)                                                                                                          \
    X(derive)                                                                                                          \
    X(sweep)                                                                                                           \
    X(compare)                                                                                                         \
    X(cross)                                                                                                           \
    X(explain)                                                                                                         \
    X(fit)                                                                                                             \
    X(train)                                                                                                           \
    X(identify)                                                                                                        \
    X(report)                                                                                                          \
    X(verify)                                                                                                          \
    X(check)                                                                                                           \
    X(models)                                                                                                          \
    X(devices)                                                                                                         \
    X(ops)                                                                                                             \
    X(completion)                                                                                                      \
    X(help)

#define RK_CLI_DECLARE(NAME) extern const rk_cli_command rk_command_##NAME;
RK_CLI_COMMANDS(RK_CLI_DECLARE)
#undef RK_CLI_DECLARE

#endif
