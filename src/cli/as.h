/* SPDX-License-Identifier: MIT */
/*
 * cli/as.h - --as NAME: what others would say of a model.
 *
 * Stage   the user's line -> [cli] -> conventions.
 * Uses    cli/cli.h, ask/conventions.h.
 * Memory  in the arena given.
 * Threads one line, one thread.
 */
#ifndef RK_CLI_AS_H
#define RK_CLI_AS_H

#include "ask/conventions.h"
#include "cli/cli.h"

typedef struct rk_cli_as {
    rk_conventions all;
    const rk_named_convention *one; /* NULL: all of them */
} rk_cli_as;

/* Whether --as asks for conventions; that of torch is a ledger's own way to count. */
bool rk_cli_as_others(const rk_cli_line *line);

/* The conventions of a model, and the one that --as names.  RK_EUSAGE: there is none of that name. */
int rk_cli_as_find(const rk_cli_line *line, rk_arena *a, const rk_instance *m, const rk_convention_setup *setup,
                   bool memory, rk_cli_as *out, rk_err *err);

/* RK_EUSAGE: one of these options was given (the last is NULL), which has no say in what --as shows. */
int rk_cli_as_alone(const rk_cli_line *line, const char *const *option, rk_err *err);

#endif
