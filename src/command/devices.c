/* SPDX-License-Identifier: MIT */
/* reckon devices: what is known of accelerators, all or by a pattern; reckon devices NAME: one of them in full. */
#include "command/command.h"
#include "command/commands.h"

#include "report/plan.h"

static const rk_cmd_option option[] = {
    RK_CMD_OUTPUT(RK_FORMAT_WORDS),
};

static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    rk_library library = rk_cmd_library(line);
    rk_devices devices = {0};
    int code;

    if (line->n_setting > 0)
        return rk_fail(err, RK_EUSAGE, "there is nothing to set here: %s=…", line->setting[0].name);
    if (line->n_word > 1)
        return rk_fail(err, RK_EUSAGE, "'%s' is too much", line->word[1]);
    code = rk_cmd_check_library(line, err);
    if (code == RK_OK)
        code = rk_devices_read(&library, &out->arena, &devices, err);
    return code == RK_OK ? rk_report_devices(&out->report, &devices, line->n_word ? line->word[0] : NULL, err) : code;
}

const rk_cmd_command rk_command_devices = {
    .name = "devices",
    .words = "[PATTERN]",
    .text = "accelerators: memory, bandwidth, peak rates, links, power; with a name, one in full",
    .more =
        "PATTERN is a name or another word for a device, which shows it in full with its sources; any other text is\n"
        "looked for in names and vendors: 'reckon devices amd', 'reckon devices \"h*\"'.",
    RK_CMD_OPTIONS(option),
    .example =
        {
            {"reckon devices", "the table"},
            {"reckon devices h100-80gb", "one device, with sources and what they disagree about"},
        },
    .run = run,
};
