/* SPDX-License-Identifier: MIT */
/* Adapters and what is frozen, as the line says. */
#include "cli/adapt.h"

#include <string.h>

int rk_cli_adapt(const rk_cli_line *line, rk_adapt_request *out, rk_err *err)
{
    const char *text = rk_cli_value(line, "--lora");
    rk_i128 rank = 0;

    out->targets = rk_cli_value(line, "--targets");
    out->freeze = rk_cli_value(line, "--freeze");
    if (out->targets && !text)
        return rk_fail(err, RK_EUSAGE, "--targets says where adapters stand: --lora RANK is missing");
    if (text && (!rk_num_parse(text, strlen(text), &rank) || rank <= 0))
        return rk_fail(err, RK_EUSAGE, "--lora: a rank of at least 1 is wanted, not '%s'", text);
    out->rank = rank;
    return RK_OK;
}
