/* SPDX-License-Identifier: MIT */
/*
 * command/amount.h - amounts with a prefix and a unit (80GB, 3.35TB/s, 19.5TFLOP/s), and the device that has them.
 *
 * Stage   the user's line -> [command] -> numbers.
 * Uses    command/command.h, plan/device.h.
 * Memory  a device lives in the arena given.
 * Threads no state.
 *
 * The prefixes are those of units: k, M, G, T, P, E are powers of 1,000, and Ki, Mi, Gi, Ti, Pi, Ei of 1,024.
 */
#ifndef RK_CMD_AMOUNT_H
#define RK_CMD_AMOUNT_H

#include "command/command.h"
#include "plan/device.h"

#define RK_CMD_AMOUNT_LARGE (-2)

/* Reads digits, perhaps with a point, and a prefix; *text is then after them.  -1: none, or not whole. */
rk_i128 rk_cmd_amount(const char **text);

/* RK_EUSAGE: what was read is too large, or no number of `wanted`, "bytes, such as 80GB". */
int rk_cmd_amount_fail(rk_i128 read, const char *option, const char *value, const char *wanted, rk_err *err);

/*
 * The bytes of an option, as 80GB or 80GiB, 0 or 1 at least; `*out` stays as it is where it was not given.
 * RK_EUSAGE: they are none.
 */
int rk_cmd_bytes(const rk_cmd_line *line, const char *option, rk_i128 least, rk_i128 *out, rk_err *err);

/* clang-format off */
#define RK_CMD_DEVICE \
    {"--device", "NAME", NULL, "the accelerator, as 'reckon devices' lists it: h100-80gb, a100, rtx-4090"}, \
    {"--devices", "N", NULL, "so many of them"}
/* clang-format on */

/* NULL where the line names none.  RK_EINPUT: there is no such device. */
int rk_cmd_device(const rk_cmd_line *line, rk_arena *a, const rk_device **out, rk_err *err);

/* 1 where the line does not say.  RK_EUSAGE: it is no such number. */
int rk_cmd_devices(const rk_cmd_line *line, rk_i128 *out, rk_err *err);

/* The FLOPs in a second of --rate, which stay as they are without it; the share of --mfu (50%, 0.5), or 1. */
int rk_cmd_rate(const rk_cmd_line *line, rk_i128 *out, rk_err *err);
int rk_cmd_mfu(const rk_cmd_line *line, double *out, rk_err *err);

#endif
