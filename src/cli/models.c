/* SPDX-License-Identifier: MIT */
/* reckon models: what is known by name; reckon models NAME: the model file or the config itself. */
#include "cli/cli.h"
#include "cli/commands.h"

#include "base/map.h"

#include <string.h>

static const rk_cli_option option[] = {
    {"--names", NULL, NULL, "the names alone, one a line"},
    {"--symbols", NULL, NULL, "the symbols of NAME, which may be any MODEL, one a line with its meaning"},
    RK_CLI_OUTPUT(RK_FORMAT_WORDS),
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

/* For the completions of shells, which ask while the user types: a config is not read, a file of blocks is no model. */
static int show_names(rk_cli_output *out, rk_err *err)
{
    rk_library library = rk_cli_library();
    rk_arena arena = {0};
    rk_library_entry *e = NULL;
    rk_map seen = {0}; /* a config may be called as a model file is */
    size_t n = 0;
    int code = rk_library_list(&library, &arena, &e, &n, err);

    for (size_t i = 0; i < n && code == RK_OK; i++) {
        rk_known known = {.name = e[i].name};

        if (!e[i].is_config)
            code = rk_library_describe(&library, &arena, &e[i], &known, err);
        if (code != RK_OK || !known.name || rk_map_get(&seen, known.name, strlen(known.name)) != RK_NONE)
            continue;
        rk_str_format(&out->text, "%s\n", known.name);
        if (!rk_map_put(&arena, &seen, known.name, strlen(known.name), 0))
            code = rk_fail_memory(err);
    }
    rk_arena_free(&arena);
    return code;
}

static void put_symbol(const rk_symbol *s, rk_str *out)
{
    if (s->kind == RK_SYMBOL_LOOP)
        return;
    rk_str_format(out, "%s\t", s->name);
    rk_str_put_safe(out, s->text ? s->text : "", s->text ? strlen(s->text) : 0);
    rk_str_putc(out, '\n');
}

static int show_symbols(const rk_cli_line *line, rk_cli_output *out, rk_err *err)
{
    rk_model *model = NULL;
    rk_ledger *ledger = NULL;
    int code = rk_cli_open(line, line->word, line->n_word, out, &model, &ledger, err);

    for (size_t i = 0; code == RK_OK && i < model->n_symbol; i++)
        put_symbol(&model->symbol[i], &out->text);
    rk_cli_close(model, ledger);
    return code;
}

static int check_choice(const rk_cli_line *line, rk_err *err)
{
    bool names = rk_cli_value(line, "--names"), symbols = rk_cli_value(line, "--symbols");

    if (names && symbols)
        return rk_fail(err, RK_EUSAGE, "--names lists models, --symbols what one has: choose one");
    if ((names || symbols) && rk_cli_choice(line, "--format") != RK_FORMAT_TEXT)
        return rk_fail(err, RK_EUSAGE, "--names and --symbols are lines already: leave out --format");
    if (line->n_setting > 0)
        return rk_fail(err, RK_EUSAGE, "there is nothing to set here: %s=…", line->setting[0].name);
    if (line->n_word > (names ? 0 : symbols ? 2 : 1))
        return rk_fail(err, RK_EUSAGE, "'%s' is too much", line->word[line->n_word - 1]);
    return RK_OK;
}

static int run(const rk_cli_line *line, rk_cli_output *out, rk_err *err)
{
    rk_library library = rk_cli_library();
    rk_report report;
    int code = rk_cli_report(line, out, &report, err);

    if (code == RK_OK)
        code = check_choice(line, err);
    if (code == RK_OK)
        code = rk_cli_check_library(err);
    if (code != RK_OK)
        return code;
    if (rk_cli_value(line, "--names"))
        return show_names(out, err);
    if (rk_cli_value(line, "--symbols"))
        return show_symbols(line, out, err);
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
