/* SPDX-License-Identifier: MIT */
#include "cli/device.h"

#include "plan/setting.h"

#define DEVICES_MAX ((rk_i128)10000000) /* more than anyone has */

int rk_cli_device(const rk_cli_line *line, rk_arena *a, const rk_device **out, rk_err *err)
{
    const char *name = rk_cli_value(line, "--device");
    rk_library library = rk_cli_library();
    rk_devices all = {0};
    int code;

    *out = NULL;
    if (!name)
        return RK_OK;
    code = rk_cli_check_library(err);
    if (code == RK_OK)
        code = rk_devices_read(&library, a, &all, err);
    if (code == RK_OK)
        *out = rk_device_find(&all, name, err);
    return code == RK_OK && !*out ? RK_EINPUT : code;
}

int rk_cli_devices(const rk_cli_line *line, rk_i128 *out, rk_err *err)
{
    const char *value = rk_cli_value(line, "--devices");

    *out = 1;
    if (value && (rk_count_parse(value, out, NULL) != RK_OK || *out > DEVICES_MAX))
        return rk_fail(err, RK_EUSAGE, "--devices is not '%s' but a whole number from 1 to ten million", value);
    return RK_OK;
}
