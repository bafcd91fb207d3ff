/* SPDX-License-Identifier: MIT */
/* Adapters and what is frozen, as the line says. */
#include "cli/adapt.h"

#include "account/number.h"

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

static bool is_packed(const rk_cli_line *line)
{
    const char *word = rk_cli_value(line, "--weights");

    return word && !rk_number_is_plain(rk_number_find(word));
}

/* Whole layers are computed again: then the framework wants a gradient of what goes into the first. */
static bool recomputes_layers(const rk_cli_line *line)
{
    const char *word = rk_cli_value(line, "--recompute");

    return word && strcmp(word, "full") == 0;
}

int rk_cli_adapt_run(const rk_cli_line *line, rk_open_request *request, rk_err *err)
{
    bool trains = rk_cli_choice(line, "--phase") == 0;

    if (rk_cli_value(line, "--lora-dtype") && !rk_cli_value(line, "--lora"))
        return rk_fail(err, RK_EUSAGE, "--lora-dtype is the type of adapters: --lora RANK is missing");
    if (rk_cli_value(line, "--freeze") && !trains)
        return rk_fail(err, RK_EUSAGE, "--freeze says what is not trained, and here nothing is");
    request->adapt.wide = request->profile && rk_cli_choice(line, "--lora-dtype") == 0;
    request->adapt.packed = request->profile && is_packed(line);
    request->adapt.seeds = request->profile && trains && recomputes_layers(line);
    return RK_OK;
}
