/* SPDX-License-Identifier: MIT */
/*
 * command/commands.h - every command, in the order of the help.
 *
 * Stage   the user's line -> [command].
 * Uses    command/command.h.
 * Memory  constant data.
 * Threads constant data.
 *
 * X(NAME): the file command/NAME.c defines rk_command_NAME.
 */
#ifndef RK_CMD_COMMANDS_H
#define RK_CMD_COMMANDS_H

#include "command/command.h"

#define RK_CMD_COMMANDS(X)                                                                                             \
    X(summary)                                                                                                         \
    X(params)                                                                                                          \
    X(flops)                                                                                                           \
    X(memory)                                                                                                          \
    X(derive)                                                                                                          \
    X(lines)                                                                                                           \
    X(sweep)                                                                                                           \
    X(compare)                                                                                                         \
    X(cross)                                                                                                           \
    X(explain)                                                                                                         \
    X(fit)                                                                                                             \
    X(step)                                                                                                            \
    X(ranks)                                                                                                           \
    X(train)                                                                                                           \
    X(identify)                                                                                                        \
    X(report)                                                                                                          \
    X(verify)                                                                                                          \
    X(check)                                                                                                           \
    X(models)                                                                                                          \
    X(devices)                                                                                                         \
    X(ops)                                                                                                             \
    X(schema)                                                                                                          \
    X(completion)                                                                                                      \
    X(help)

#define RK_CMD_DECLARE(NAME) extern const rk_cmd_command rk_command_##NAME;
RK_CMD_COMMANDS(RK_CMD_DECLARE)
#undef RK_CMD_DECLARE

#endif
