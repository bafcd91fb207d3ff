/* SPDX-License-Identifier: MIT */
/* A training step's operations and time, as the line says. */
#include "cli/train.h"

#include "cli/amount.h"

#include <stdlib.h>
#include <string.h>

int rk_cli_rate(const rk_cli_line *line, rk_i128 *out, rk_err *err)
{
    static const char *const unit[] = {"", "FLOP/s", "FLOPS", "FLOPs/s"};
    const char *value = rk_cli_value(line, "--rate"), *text = value;

    if (!value)
        return RK_OK;
    *out = rk_cli_amount(&text);
    for (size_t i = 0; i<sizeof unit / sizeof *unit && * out> 0; i++)
        if (strcmp(text, unit[i]) == 0)
            return RK_OK;
    return rk_cli_amount_fail(*out, "--rate", value, "FLOPs in a second, such as 19.5TFLOP/s", err);
}

int rk_cli_mfu(const rk_cli_line *line, double *out, rk_err *err)
{
    const char *value = rk_cli_value(line, "--mfu");
    size_t digits = value ? strspn(value, "0123456789.") : 0;
    char *end = NULL;

    *out = 1;
    if (!value)
        return RK_OK;
    *out = digits > 0 ? strtod(value, &end) : 0;
    if (digits > 0 && strcmp(value + digits, "%") == 0)
        *out /= 100;
    else if (digits == 0 || value[digits] != '\0')
        *out = 0;
    if (digits > 0 && end == value + digits && *out > 0 && *out <= 1)
        return RK_OK;
    return rk_fail(err, RK_EUSAGE, "--mfu: '%s' is no share, such as 50%% or 0.5", value);
}

int rk_cli_step_options(const rk_cli_line *line, rk_flops_options *o, rk_err *err)
{
    int code = rk_cli_count(line, "--steps", &o->steps, err);

    o->step = rk_cli_value(line, "--step") != NULL;
    o->optimizer = (rk_optimizer)rk_cli_choice(line, "--optimizer");
    if (code == RK_OK)
        code = rk_cli_rate(line, &o->rate, err);
    if (code == RK_OK)
        code = rk_cli_mfu(line, &o->mfu, err);
    if (code != RK_OK)
        return code;
    if (rk_cli_value(line, "--optimizer") && !o->step)
        return rk_fail(err, RK_EUSAGE, "--optimizer: this is of --step");
    if ((o->steps > 0) != (o->rate > 0))
        return rk_fail(err, RK_EUSAGE, "--steps and --rate say together how long a training run takes");
    if (rk_cli_value(line, "--mfu") && !o->rate)
        return rk_fail(err, RK_EUSAGE, "--mfu is a share of --rate");
    return RK_OK;
}
