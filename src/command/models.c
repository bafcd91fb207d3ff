/* SPDX-License-Identifier: MIT */
/* reckon models: what is known by name, in short, all, or by a word; --source: the text of one of them. */
#include "command/command.h"
#include "command/commands.h"

#include "base/map.h"
#include "plan/family.h"

#include <string.h>

static const rk_cmd_option option[] = {
    {"--all", NULL, NULL, "every model and family, with their sizes"},
    {"--source", NULL, NULL, "the model file or config NAME as it is"},
    {"--names", NULL, NULL, "the names alone, one a line"},
    {"--symbols", NULL, NULL, "the symbols of NAME, which may be any MODEL, one a line with its meaning"},
    {"--keys", NULL, NULL, "what the family NAME reads from a config: each key, its default, its symbol"},
    RK_CMD_OUTPUT(RK_FORMAT_WORDS),
};

/* A word is looked for in all that is known; where it is not there, a name that is spelled otherwise. */
static int show(const rk_library *library, const char *word, rk_cmd_output *out, rk_err *err)
{
    rk_called named = {0};
    int code = rk_report_models(&out->report, library, word, true, err);

    if (code != RK_EINPUT)
        return code;
    code = rk_find_named(library, &out->arena, word, &named, err);
    return code == RK_OK ? rk_report_models(&out->report, library, named.name, true, err) : code;
}

/* The model file of a family, or of the family to which a config belongs. */
static int find_family(const rk_library *library, rk_arena *arena, const char *name, rk_text *out, rk_err *err)
{
    rk_library_entry entry = {.is_config = true};
    rk_known known = {0};
    rk_called named = {0};
    int code = rk_find_family(library, arena, name, &named, err);

    *out = named.text;
    if (code != RK_OK || out->text)
        return code;
    if (rk_find_named(library, arena, name, &named, NULL) == RK_OK) {
        entry.path = rk_arena_format(arena, "named/%s.json", named.name);
        code = entry.path ? rk_library_describe(library, arena, &entry, &known, err) : rk_fail_memory(err);
    }
    if (code == RK_OK && known.family)
        code = rk_library_family(library, arena, known.family, out, err);
    return code == RK_OK && !out->text ? rk_family_fail(library, arena, name, NULL, err) : code;
}

/* The text of what has the name; NAME.rk is the model file, also where a config is called NAME. */
static int show_source(const rk_library *library, const char *name, rk_cmd_output *out, rk_err *err)
{
    rk_called named = {0};
    rk_text text = {0};
    const char *family = NULL;
    int code = RK_OK;

    if (rk_ends_in(name, ".rk")) {
        family = rk_arena_format(&out->arena, "%.*s", (int)strlen(name) - 3, name);
        code = family ? find_family(library, &out->arena, family, &text, err) : rk_fail_memory(err);
    } else {
        code = rk_find_named(library, &out->arena, name, &named, err);
        text = named.text;
    }
    if (code == RK_OK)
        rk_str_putn(&out->text, text.text, text.n);
    return code;
}

static int put_name(rk_map *seen, const char *name, rk_cmd_output *out, rk_err *err)
{
    if (rk_map_get(seen, name, strlen(name)) != RK_NONE)
        return RK_OK;
    rk_str_put(&out->text, name);
    rk_str_putc(&out->text, '\n');
    return rk_map_put(&out->arena, seen, name, strlen(name), 0) ? RK_OK : rk_fail_memory(err);
}

/* For the completions of shells, which ask while the user types: a config is not read, a file of blocks is no model. */
static int show_names(const rk_library *library, rk_cmd_output *out, rk_err *err)
{
    rk_library_entry *e = NULL;
    rk_map seen = {0}; /* a config may be called as a model file is */
    size_t n = 0;
    int code = rk_library_list(library, &out->arena, &e, &n, err);

    for (size_t i = 0; i < n && code == RK_OK; i++) {
        const char **family = NULL;
        size_t n_family = 0;
        rk_text t = {0};

        if (!e[i].is_config)
            code = rk_library_get(library, &out->arena, e[i].path, &t, err);
        if (code == RK_OK && t.text)
            code = rk_library_families(&out->arena, &t, &family, &n_family, err);
        /* A file of blocks has no families. */
        if (code == RK_OK && (e[i].is_config || n_family > 0))
            code = put_name(&seen, e[i].name, out, err);
        for (size_t k = 0; k < n_family && code == RK_OK; k++)
            code = put_name(&seen, family[k], out, err);
    }
    return code;
}

static int show_symbols(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    int code = rk_cmd_open(line, line->word, line->n_word, RK_FIND_MODEL, out, err);

    for (size_t i = 0; code == RK_OK && i < out->opened.model->n_symbol; i++) {
        const rk_symbol *s = &out->opened.model->symbol[i];

        if (s->kind == RK_SYMBOL_LOOP)
            continue;
        rk_str_format(&out->text, "%s\t", s->name);
        rk_str_put_safe(&out->text, s->text ? s->text : "", s->text ? strlen(s->text) : 0);
        rk_str_putc(&out->text, '\n');
    }
    return code;
}

static int check_choice(const rk_cmd_line *line, rk_err *err)
{
    bool names = rk_cmd_value(line, "--names"), symbols = rk_cmd_value(line, "--symbols");
    bool keys = rk_cmd_value(line, "--keys"), source = rk_cmd_value(line, "--source");

    if (names + symbols + keys + source > 1)
        return rk_fail(err, RK_EUSAGE, "--names lists models, --symbols, --keys and --source what one has: choose one");
    if (source && line->n_word == 0)
        return rk_fail(err, RK_EUSAGE, "the file of which model? 'reckon models llama --source'");
    if (keys && line->n_word == 0)
        return rk_fail(err, RK_EUSAGE, "which family? 'reckon models --keys llama'");
    if ((names || symbols || source) && rk_cmd_choice(line, "--format") > 0) /* more than the default */
        return rk_fail(err, RK_EUSAGE, "--names, --symbols and --source are lines already: leave out --format");
    if (line->n_setting > 0)
        return rk_fail(err, RK_EUSAGE, "there is nothing to set here: %s=…", line->setting[0].name);
    if (line->n_word > (names ? 0 : symbols ? 2 : 1))
        return rk_fail(err, RK_EUSAGE, "'%s' is too much", line->word[line->n_word - 1]);
    return RK_OK;
}

static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    rk_library library = rk_cmd_library(line);
    rk_text t = {0};
    int code = check_choice(line, err);

    if (code == RK_OK)
        code = rk_cmd_check_library(line, err);
    if (code != RK_OK)
        return code;
    if (rk_cmd_value(line, "--names"))
        return show_names(&library, out, err);
    if (rk_cmd_value(line, "--symbols"))
        return show_symbols(line, out, err);
    if (rk_cmd_value(line, "--keys")) {
        code = find_family(&library, &out->arena, line->word[0], &t, err);
        return code == RK_OK ? rk_report_keys(&out->report, &t, err) : code;
    }
    if (rk_cmd_value(line, "--source"))
        return show_source(&library, line->word[0], out, err);
    return line->n_word == 1 ? show(&library, line->word[0], out, err)
                             : rk_report_models(&out->report, &library, NULL, rk_cmd_value(line, "--all"), err);
}

const rk_cmd_command rk_command_models = {
    .name = "models",
    .words = "[NAME]",
    .text = "what is known by name, and how large it is; with NAME, the models that have it in their name",
    .more = "NAME is looked for in names, families and their descriptions: 'reckon models moe',\n"
            "'reckon models \"qwen3*\"'.",
    RK_CMD_OPTIONS(option),
    .example =
        {
            {"reckon models llama", "every model and family with that word"},
            {"reckon models llama --source", "the model file of the Llama family"},
            {"reckon models --keys llama", "what the family reads from a config"},
        },
    .run = run,
};
