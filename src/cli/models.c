/* SPDX-License-Identifier: MIT */
/* reckon models: what is known by name, all or by a pattern; reckon models NAME: the text of one of them. */
#include "cli/cli.h"
#include "cli/commands.h"

#include "base/map.h"
#include "plan/family.h"

#include <string.h>

static const rk_cli_option option[] = {
    {"--names", NULL, NULL, "the names alone, one a line"},
    {"--symbols", NULL, NULL, "the symbols of NAME, which may be any MODEL, one a line with its meaning"},
    {"--keys", NULL, NULL, "what the family NAME reads from a config: each key, its default, its symbol"},
    RK_CLI_OUTPUT(RK_FORMAT_WORDS),
};

/* A name is shown as it is; any other word is looked for in all that is known. */
static int show(const rk_report *report, const char *word, rk_cli_output *out, rk_err *err)
{
    rk_library library = rk_cli_library();
    rk_arena arena = {0};
    rk_text t = {0};
    bool is_config;
    int code = rk_find_named(&library, &arena, word, &t, &is_config, err);

    if (code == RK_OK)
        rk_str_putn(&out->text, t.text, t.n);
    rk_arena_free(&arena);
    /* Where nothing is found, the nearest name is the better answer, and stands in the error already. */
    if (code == RK_EINPUT && rk_report_models(report, &library, word, NULL) == RK_OK)
        return RK_OK;
    return code;
}

/* The model file of a family, or of the family to which a config belongs. */
static int find_family(const rk_library *library, rk_arena *arena, const char *name, rk_text *out, rk_err *err)
{
    rk_library_entry entry = {.name = name, .is_config = true};
    rk_known known = {0};
    int code = rk_library_family(library, arena, name, out, err);

    if (code != RK_OK || out->text)
        return code;
    entry.path = rk_arena_format(arena, "named/%s.json", name);
    code = entry.path ? rk_library_describe(library, arena, &entry, &known, err) : rk_fail_memory(err);
    if (code == RK_OK && known.family)
        code = rk_library_family(library, arena, known.family, out, err);
    return code == RK_OK && !out->text ? rk_family_fail(library, arena, name, NULL, err) : code;
}

static int show_keys(const rk_report *report, const char *name, rk_err *err)
{
    rk_library library = rk_cli_library();
    rk_arena arena = {0};
    rk_text t = {0};
    int code = find_family(&library, &arena, name, &t, err);

    if (code == RK_OK)
        code = rk_report_keys(report, &t, err);
    rk_arena_free(&arena);
    return code;
}

static int put_name(rk_arena *arena, rk_map *seen, const char *name, rk_cli_output *out, rk_err *err)
{
    if (rk_map_get(seen, name, strlen(name)) != RK_NONE)
        return RK_OK;
    rk_str_put(&out->text, name);
    rk_str_putc(&out->text, '\n');
    return rk_map_put(arena, seen, name, strlen(name), 0) ? RK_OK : rk_fail_memory(err);
}

/* The families of a model file; a file of blocks has none. */
static int put_families(const rk_library *library, rk_arena *arena, const rk_library_entry *e, rk_map *seen,
                        rk_cli_output *out, rk_err *err)
{
    const char **name = NULL;
    rk_text t = {0};
    size_t n = 0;
    int code = rk_library_get(library, arena, e->path, &t, err);

    if (code == RK_OK && t.text)
        code = rk_library_families(arena, &t, &name, &n, err);
    if (code == RK_OK && n > 0)
        code = put_name(arena, seen, e->name, out, err);
    for (size_t i = 0; i < n && code == RK_OK; i++)
        code = put_name(arena, seen, name[i], out, err);
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

    for (size_t i = 0; i < n && code == RK_OK; i++)
        code = e[i].is_config ? put_name(&arena, &seen, e[i].name, out, err)
                              : put_families(&library, &arena, &e[i], &seen, out, err);
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
    rk_instance *instance = NULL;
    rk_ledger *ledger = NULL;
    int code = rk_cli_open(line, line->word, line->n_word, out, &instance, &ledger, err);

    for (size_t i = 0; code == RK_OK && i < instance->model->n_symbol; i++)
        put_symbol(&instance->model->symbol[i], &out->text);
    rk_cli_close(instance, ledger);
    return code;
}

static int check_choice(const rk_cli_line *line, rk_err *err)
{
    bool names = rk_cli_value(line, "--names"), symbols = rk_cli_value(line, "--symbols");
    bool keys = rk_cli_value(line, "--keys");

    if (names + symbols + keys > 1)
        return rk_fail(err, RK_EUSAGE, "--names lists models, --symbols and --keys what one has: choose one");
    if (keys && line->n_word == 0)
        return rk_fail(err, RK_EUSAGE, "which family? 'reckon models --keys llama'");
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
    if (rk_cli_value(line, "--keys"))
        return show_keys(&report, line->word[0], err);
    return line->n_word == 1 ? show(&report, line->word[0], out, err) : rk_report_models(&report, &library, NULL, err);
}

const rk_cli_command rk_command_models = {
    .name = "models",
    .words = "[NAME]",
    .text = "what is known by name, and how large it is; with NAME, its model file or config as it is",
    .more = "Where NAME is no name, it is looked for in names, families and their descriptions: 'reckon models moe',\n"
            "'reckon models \"qwen3*\"'.",
    .option = option,
    .n_option = sizeof option / sizeof *option,
    .example =
        {
            {"reckon models vision", "every model and family with that word"},
            {"reckon models llama", "the model file of the Llama family"},
            {"reckon models --keys llama", "what the family reads from a config"},
        },
    .run = run,
};
