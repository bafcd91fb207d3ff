/* SPDX-License-Identifier: MIT */
/*
 * cli/device.h - which device, and how many, as the line says.
 *
 * Stage   the user's line -> [cli] -> a device.
 * Uses    base/, plan/device.h, cli/cli.h.
 * Memory  the device lives in the arena given.
 * Threads one line, one thread.
 */
#ifndef RK_CLI_DEVICE_H
#define RK_CLI_DEVICE_H

#include "cli/cli.h"
#include "plan/device.h"

/* clang-format off */
#define RK_CLI_DEVICE \
    {"--device", "NAME", NULL, "the accelerator, as 'reckon devices' lists it: h100-80gb, a100, rtx-4090"}, \
    {"--devices", "N", NULL, "so many of them"}
/* clang-format on */

/* NULL where the line names none.  RK_EINPUT: there is no such device. */
int rk_cli_device(const rk_cli_line *line, rk_arena *a, const rk_device **out, rk_err *err);

/* 1 where the line does not say.  RK_EUSAGE: it is no such number. */
int rk_cli_devices(const rk_cli_line *line, rk_i128 *out, rk_err *err);

#endif
