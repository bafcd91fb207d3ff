/* SPDX-License-Identifier: MIT */
/* reckon report: all that is known of a model on one page, to keep. */
#include "command/commands.h"
#include "command/dossier.h"
#include "plan/setting.h"

#include <string.h>

#ifndef RECKON_VERSION
#define RECKON_VERSION "unknown"
#endif

#define REPORT_FORMATS "text|html|md|latex"
#define USUAL_DEVICES "h100-80gb,a100-80gb,rtx-4090"

static const rk_cmd_option option[] = {
    {"--devices", "NAMES", NULL, "on which the largest batch is looked for (" USUAL_DEVICES ")"},
    {"--dtype", "TYPE", RK_RUN_TYPE_WORDS, "of weights, activations and gradients, where the config does not say it"},
    {"--optimizer", "NAME", RK_OPTIMIZER_WORDS, "whose state is counted"},
    RK_CMD_FORMULAS,
    RK_CMD_CONFIG,
    {"--format", "FORMAT", REPORT_FORMATS, "of the page, where the name of the file does not say it"},
    {"-o", "FILE", NULL, "write to FILE, whole or not at all: .html, .md, .tex or .txt"},
    {"--help", NULL, NULL, "this text"},
};

/* ---- the format ------------------------------------------------------------------------------------------------- */

/* What the file's name ends in says its format, unless --format does. */
static int choose_format(const rk_cmd_line *line, rk_format *out, rk_err *err)
{
    const char *file = rk_cmd_value(line, "-o");
    rk_format format = file ? rk_format_of_file(file) : RK_N_FORMAT;

    if (rk_cmd_value(line, "--format") || !file || strcmp(file, "-") == 0)
        return RK_OK;
    if (format == RK_N_FORMAT || rk_words_place(REPORT_FORMATS, rk_writers[format].word) < 0)
        return rk_fail(err, RK_EUSAGE,
                       "-o %s: its name ends in none of .html, .md, .tex and .txt: --format says what it shall be",
                       file);
    *out = format;
    return RK_OK;
}

/* ---- devices ---------------------------------------------------------------------------------------------------- */

static int gather_devices(rk_gathering *g)
{
    const char *names = rk_cmd_value(g->line, "--devices"), *name = names ? names : USUAL_DEVICES;
    rk_devices all = {0};
    int code = rk_devices_read(&g->request.library, &g->arena, &all, g->err);

    while (code == RK_OK && name) {
        size_t n = strcspn(name, ",");
        const char *one = rk_arena_copy(&g->arena, name, n);

        if (!one)
            return rk_fail_memory(g->err);
        if (g->d.n_device == RK_DOSSIER_DEVICES)
            return rk_fail(g->err, RK_EUSAGE, "--devices: a page has room for %d of them", RK_DOSSIER_DEVICES);
        g->d.device[g->d.n_device] = rk_device_find(&all, one, g->err);
        if (!g->d.device[g->d.n_device])
            return RK_EINPUT;
        g->d.n_device++;
        name = name[n] ? name + n + 1 : NULL;
    }
    return code;
}

/* ---- as sequences grow ------------------------------------------------------------------------------------------ */

enum {
    FIRST_LENGTH = 1024,
    TIMES_CONTEXT = 16,
    USUAL_CONTEXT = 4096, /* where nothing bounds it */
    POINTS_MOST = 14,
    POINTS_ACROSS = 6, /* that a table has room for where pieces go down */
    PIECES_DOWN = 6,   /* from so many on they do */
    PIECES_MOST = 24
};

/* How many numbers there are from one to another, each so many times the one before. */
static int count_points(rk_i128 first, rk_i128 last, int factor)
{
    int n = 1;

    for (rk_i128 at = first; at <= last / factor; at *= factor)
        n++;
    return n;
}

/* "S=1024..65536:x2": so many tokens, up to a multiple of the context. */
static const char *range_of(rk_gathering *g, const rk_symbol *s, size_t n_piece)
{
    rk_i128 context = g->d.context > 0 ? g->d.context : s->value > USUAL_CONTEXT ? s->value : USUAL_CONTEXT;
    rk_i128 first = context < FIRST_LENGTH ? context : FIRST_LENGTH;
    int factor = 2, most = n_piece >= PIECES_DOWN ? POINTS_ACROSS : POINTS_MOST;
    char from[RK_NUM_TEXT_MAX], to[RK_NUM_TEXT_MAX];

    if (context > RK_SETTING_VALUE_MAX / TIMES_CONTEXT)
        context = RK_SETTING_VALUE_MAX / TIMES_CONTEXT;
    while (count_points(first, context * TIMES_CONTEXT, factor) > most)
        factor *= 2;
    return rk_arena_format(&g->arena, "%s=%s..%s:x%d", s->name, rk_num_text(from, first),
                           rk_num_text(to, context * TIMES_CONTEXT), factor);
}

/* The components of the FLOPs, and behind them all together. */
static int choose_pieces(rk_gathering *g, rk_measure **out, size_t *n)
{
    rk_measure *whole = NULL, *piece = NULL;
    rk_by by = RK_BY_COMPONENT;
    size_t one = 0;
    int code = rk_measures_parse(&g->arena, "flops", &whole, &one, g->err);

    if (code == RK_OK)
        code = rk_measure_pieces(&g->arena, g->ledger, whole, by, &piece, n, g->err);
    if (code == RK_OK && *n > PIECES_MOST)
        code = rk_measure_pieces(&g->arena, g->ledger, whole, by = RK_BY_PART, &piece, n, g->err);
    *out = code == RK_OK ? RK_NEW_ARRAY(&g->arena, *n + 1, rk_measure) : NULL;
    if (code != RK_OK || !*out)
        return code != RK_OK ? code : rk_fail_memory(g->err);
    memcpy(*out, piece, *n * sizeof **out);
    (*out)[(*n)++] = *whole;
    g->swept.by = by;
    return RK_OK;
}

static int read_points(rk_gathering *g, const rk_range *range)
{
    rk_swept *s = &g->swept;
    int code = RK_OK;

    s->number = RK_NEW_ARRAY(&g->arena, (size_t)range->n, rk_i128);
    s->reading = RK_NEW_ARRAY(&g->arena, (size_t)range->n * s->n_measure, rk_reading);
    if (!s->number || !s->reading)
        return rk_fail_memory(g->err);
    for (; (rk_i128)s->n_point < range->n && code == RK_OK; s->n_point++) {
        s->number[s->n_point] = rk_range_at(range, (rk_i128)s->n_point);
        code = rk_gauge_read(g->gauge[RK_STEP_SWEEPING], &s->number[s->n_point], &s->reading[s->n_point * s->n_measure],
                             g->err);
    }
    return code;
}

static int sweep(rk_gathering *g, const rk_symbol *s)
{
    const char *const varies[] = {s->name, NULL};
    rk_range *range = RK_NEW(&g->arena, rk_range);
    rk_measure *measure = NULL;
    size_t n = 0;
    int code = range ? choose_pieces(g, &measure, &n) : rk_fail_memory(g->err);

    g->range = code == RK_OK ? range_of(g, s, n - 1) : NULL;
    if (code == RK_OK)
        code = g->range ? rk_range_parse(&g->arena, g->range, range, g->err) : rk_fail_memory(g->err);
    if (code == RK_OK)
        code = rk_gathering_say(g, RK_STEP_SWEEPING, varies);
    if (code != RK_OK)
        return code;
    g->symbol = s->name;
    g->swept = (rk_swept){.range = range, .n_range = 1, .measure = measure, .n_measure = n, .by = g->swept.by};
    code = rk_gathering_gauge(g, RK_STEP_SWEEPING, &g->symbol, 1, &(rk_i128){rk_range_at(range, 0)}, measure, n);
    return code == RK_OK ? read_points(g, range) : code;
}

/* Over the tokens of a sequence, where they are a symbol of the run: S, or U beside an encoder of fixed length. */
static int gather_growth(rk_gathering *g)
{
    const rk_symbol *s = rk_model_size(g->instance->model, RK_SIZE_TOKENS);
    int code;

    s = s ? s : rk_model_size(g->instance->model, RK_SIZE_TARGETS);
    if (!s || s->kind != RK_SYMBOL_RUN) {
        g->d.not_swept = "The config fixes how many tokens there are: nothing grows";
        return RK_OK;
    }
    code = rk_gathering_excuse(g, sweep(g, s), &g->d.not_swept);
    g->d.swept = &g->swept;
    if (code != RK_OK || g->d.not_swept)
        return code;
    return rk_gathering_note(
        g, "sweep", &g->said[RK_STEP_SWEEPING], RK_STEP_SWEEPING,
        rk_arena_format(&g->arena, "%s --by %s", g->range, g->swept.by == RK_BY_PART ? "part" : "component"),
        "FLOPs as sequences grow");
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

/* The commands whose figures need no step. */
static int note_commands(rk_gathering *g)
{
    static const struct {
        const char *command, *more, *text;
    } plain[] = {
        {"params", "", "every tensor, its shape and its count"},
        {"flops", "", "every operation, forward and backward"},
        {"derive", "", "how the formulas come about, line by line"},
        {"flops", "--as all", "as others count it"},
    };
    int code = RK_OK;

    for (size_t i = 0; i < sizeof plain / sizeof *plain && code == RK_OK; i++)
        code = rk_gathering_note(g, plain[i].command, g->line, RK_STEP_LOOKING, plain[i].more, plain[i].text);
    return code;
}

static int gather(rk_gathering *g)
{
    int (*const gathers[])(rk_gathering *) = {gather_devices, rk_gather_context, note_commands, gather_growth,
                                              rk_gather_steps};
    int code = RK_OK;

    g->d.version = RECKON_VERSION;
    g->d.conventions = &g->conventions;
    for (size_t i = 0; i < sizeof gathers / sizeof *gathers && code == RK_OK; i++)
        code = gathers[i](g);
    if (code == RK_OK)
        code = rk_conventions_new(&g->arena, &g->request.library, g->instance, &(rk_convention_setup){0},
                                  &g->conventions, g->err);
    for (size_t i = 0; i < g->d.n_device && code == RK_OK; i++)
        code = rk_gathering_note(g, "fit", g->line, 0, rk_arena_format(&g->arena, "--device %s", g->d.device[i]->key),
                                 "the largest batch, and what a device holds");
    return code;
}

static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    rk_gathering g = {0};
    int code = rk_cmd_report(line, out, err);

    if (code == RK_OK)
        code = choose_format(line, &out->report.format, err);
    if (code == RK_OK)
        code = rk_gathering_open(&g, line, out, err);
    if (code == RK_OK)
        code = gather(&g);
    if (code == RK_OK) {
        out->report.opened = &out->opened;
        code = rk_report_dossier(&out->report, g.ledger, &g.d, err);
    }
    rk_gathering_free(&g);
    return code;
}

const rk_cmd_command rk_command_report = {
    .name = "report",
    .words = "MODEL [SYMBOL=VALUE …]",
    .text = "all of it on one page to keep: pictures, formulas, memory, what fits, what others count",
    .more = RK_CMD_ABOUT_MODEL,
    .option = option,
    .n_option = sizeof option / sizeof *option,
    .example =
        {
            {"reckon report llama-3.1-8b -o report.html", "a page for a browser"},
            {"reckon report gpt2-xl S=1K --format md", "the same for a README"},
            {"reckon report mixtral-8x7b-v0.1 --devices h200,mi300x -o mixtral.tex", "and for a paper"},
        },
    .run = run,
};
