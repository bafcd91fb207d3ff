/* SPDX-License-Identifier: MIT */
#include "cli/as.h"

#include <string.h>

bool rk_cli_as_others(const rk_cli_line *line)
{
    const char *as = rk_cli_value(line, "--as");

    return as && strcmp(as, "torch") != 0;
}

int rk_cli_as_find(const rk_cli_line *line, rk_arena *a, const rk_instance *m, const rk_convention_setup *setup,
                   bool memory, rk_cli_as *out, rk_err *err)
{
    const char *as = rk_cli_value(line, "--as");
    rk_library library = rk_cli_library();
    int code;

    *out = (rk_cli_as){0};
    code = rk_conventions_new(a, &library, m, setup, &out->all, err);
    if (code == RK_OK && strcmp(as, "all") != 0)
        code = rk_conventions_find(&out->all, as, memory, &out->one, err);
    return code;
}

int rk_cli_as_alone(const rk_cli_line *line, const char *const *option, rk_err *err)
{
    for (; *option; option++)
        if (rk_cli_value(line, *option))
            return rk_fail(err, RK_EUSAGE, "--as %s has a table of its own, in which %s has no say: leave one out",
                           rk_cli_value(line, "--as"), *option);
    return RK_OK;
}
