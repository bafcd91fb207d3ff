/* SPDX-License-Identifier: MIT */
/*
 * cli/amount.h - amounts with a prefix and a unit: 80GB, 3.35TB/s, 19.5TFLOP/s.
 *
 * Stage   the user's line -> [cli] -> numbers.
 * Uses    cli/cli.h.
 * Memory  none.
 * Threads no state.
 *
 * The prefixes are those of units: k, M, G, T, P, E are powers of 1,000, and Ki, Mi, Gi, Ti, Pi, Ei of 1,024.
 */
#ifndef RK_CLI_AMOUNT_H
#define RK_CLI_AMOUNT_H

#include "cli/cli.h"

#define RK_CLI_AMOUNT_LARGE (-2)

/* Reads digits, perhaps with a point, and a prefix; *text is then behind them.  -1: none, or not whole. */
rk_i128 rk_cli_amount(const char **text);

/* RK_EUSAGE: what was read is too large, or no number of `wanted`, "bytes, such as 80GB". */
int rk_cli_amount_fail(rk_i128 read, const char *option, const char *value, const char *wanted, rk_err *err);

/* The bytes of an option, as 80GB or 80GiB; `*out` stays as it is where it was not given.  RK_EUSAGE: they are none. */
int rk_cli_bytes(const rk_cli_line *line, const char *option, rk_i128 *out, rk_err *err);

#endif
