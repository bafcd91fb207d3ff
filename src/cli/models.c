/* SPDX-License-Identifier: MIT */
/* reckon models: what is known by name; reckon models NAME: the model file or the config itself. */
#include "cli/cli.h"
#include "cli/commands.h"

static const rk_cli_option option[] = {
    RK_CLI_OUTPUT("text|json"),
};

static int show(const char *name, rk_cli_output *out, rk_err *err)
{
    rk_library library = rk_cli_library();
    rk_arena arena = {0};
    rk_text t = {0};
    bool is_config;
    int code = rk_open_named(&library, &arena, name, &t, &is_config, err);

    if (code == RK_OK)
        rk_str_putn(&out->text, t.text, t.n);
    rk_arena_free(&arena);
    return code;
}

static int run(const rk_cli_line *line, rk_cli_output *out, rk_err *err)
{
    rk_library library = rk_cli_library();
    rk_report report;
    int code = rk_cli_report(line, out, &report, err);

    if (code != RK_OK)
        return code;
    if (line->n_setting > 0)
        return rk_fail(err, RK_EUSAGE, "there is nothing to set here: %s=…", line->setting[0].name);
    if (line->n_word > 1)
        return rk_fail(err, RK_EUSAGE, "'%s' is too much", line->word[1]);
    return line->n_word == 1 ? show(line->word[0], out, err) : rk_report_models(&report, &library, err);
}

const rk_cli_command rk_command_models = {
    .name = "models",
    .words = "[NAME]",
    .text = "what is known by name; with NAME, its model file or config as it is",
    .option = option,
    .n_option = sizeof option / sizeof *option,
    .example =
        {
            {"reckon models", "every name"},
            {"reckon models llama", "the model file of the Llama family"},
            {"reckon models --symbols llama", "the symbols that can be set"},
        },
    .run = run,
};
