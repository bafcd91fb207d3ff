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

static int add_devices(rk_report_builder *b)
{
    const char *names = rk_cmd_value(b->line, "--devices"), *name = names ? names : USUAL_DEVICES;
    rk_devices all = {0};
    int code = rk_devices_read(&b->request.library, &b->arena, &all, b->err);

    while (code == RK_OK && name) {
        size_t n = strcspn(name, ",");
        const char *one = rk_arena_copy(&b->arena, name, n);

        if (!one)
            return rk_fail_memory(b->err);
        if (b->d.n_device == RK_DOSSIER_DEVICES)
            return rk_fail(b->err, RK_EUSAGE, "--devices: a page has room for %d of them", RK_DOSSIER_DEVICES);
        b->d.device[b->d.n_device] = rk_device_find(&all, one, b->err);
        if (!b->d.device[b->d.n_device])
            return RK_EINPUT;
        b->d.n_device++;
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
static const char *range_of(rk_report_builder *b, const rk_symbol *s, size_t n_piece)
{
    rk_i128 context = b->d.context > 0 ? b->d.context : s->value > USUAL_CONTEXT ? s->value : USUAL_CONTEXT;
    rk_i128 first = context < FIRST_LENGTH ? context : FIRST_LENGTH;
    int factor = 2, most = n_piece >= PIECES_DOWN ? POINTS_ACROSS : POINTS_MOST;
    char from[RK_NUM_TEXT_MAX], to[RK_NUM_TEXT_MAX];

    if (context > RK_SETTING_VALUE_MAX / TIMES_CONTEXT)
        context = RK_SETTING_VALUE_MAX / TIMES_CONTEXT;
    while (count_points(first, context * TIMES_CONTEXT, factor) > most)
        factor *= 2;
    return rk_arena_format(&b->arena, "%s=%s..%s:x%d", s->name, rk_num_text(from, first),
                           rk_num_text(to, context * TIMES_CONTEXT), factor);
}

static int read_points(rk_report_builder *b, const rk_range *range)
{
    rk_swept *s = &b->swept;
    int code = RK_OK;

    s->number = RK_NEW_ARRAY(&b->arena, (size_t)range->n, rk_i128);
    s->reading = RK_NEW_ARRAY(&b->arena, (size_t)range->n * s->n_measure, rk_reading);
    if (!s->number || !s->reading)
        return rk_fail_memory(b->err);
    for (; (rk_i128)s->n_point < range->n && code == RK_OK; s->n_point++) {
        s->number[s->n_point] = rk_range_at(range, (rk_i128)s->n_point);
        code = rk_gauge_read(b->gauge[RK_STEP_SWEEPING], &s->number[s->n_point], &s->reading[s->n_point * s->n_measure],
                             b->err);
    }
    return code;
}

/* The components of the FLOPs, or where those are many, the parts; and after them all together. */
static int sweep(rk_report_builder *b, const rk_symbol *s)
{
    const char *const varies[] = {s->name, NULL};
    rk_range *range = RK_NEW(&b->arena, rk_range);
    rk_swept *swept = &b->swept, whole = {.range = range, .n_range = 1};
    rk_measure *measure = NULL;
    int code =
        range ? rk_measures_parse(&b->arena, "flops", &measure, &whole.n_measure, b->err) : rk_fail_memory(b->err);

    whole.measure = measure;
    *swept = whole;
    if (code == RK_OK)
        code = rk_swept_divide(&b->arena, b->ledger, swept, RK_BY_COMPONENT, b->err);
    if (code == RK_OK && swept->n_measure - 1 > PIECES_MOST) {
        *swept = whole;
        code = rk_swept_divide(&b->arena, b->ledger, swept, RK_BY_PART, b->err);
    }
    b->range = code == RK_OK ? range_of(b, s, swept->n_measure - 1) : NULL;
    if (code == RK_OK)
        code = b->range ? rk_range_parse(&b->arena, b->range, range, b->err) : rk_fail_memory(b->err);
    if (code == RK_OK)
        code = rk_report_step_line(b, RK_STEP_SWEEPING, varies);
    b->symbol = s->name;
    if (code == RK_OK)
        code = rk_report_step_gauge(b, RK_STEP_SWEEPING, &b->symbol, 1, &(rk_i128){rk_range_at(range, 0)},
                                    swept->measure, swept->n_measure);
    return code == RK_OK ? read_points(b, range) : code;
}

/* Over the tokens of a sequence, where they are a symbol of the run: S, or U beside an encoder of fixed length. */
static int add_growth(rk_report_builder *b)
{
    const rk_symbol *s = rk_model_size(b->instance->model, RK_SIZE_TOKENS);
    int code;

    s = s ? s : rk_model_size(b->instance->model, RK_SIZE_TARGETS);
    if (!s || s->kind != RK_SYMBOL_RUN) {
        b->d.not_swept = "The config fixes how many tokens there are: nothing grows";
        return RK_OK;
    }
    code = rk_report_builder_excuse(b, sweep(b, s), &b->d.not_swept);
    b->d.swept = &b->swept;
    if (code != RK_OK || b->d.not_swept)
        return code;
    return rk_report_builder_note(
        b, "sweep", &b->said[RK_STEP_SWEEPING], RK_STEP_SWEEPING,
        rk_arena_format(&b->arena, "%s --by %s", b->range, b->swept.by == RK_BY_PART ? "part" : "component"),
        "FLOPs as sequences grow");
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

/* The commands whose figures need no step. */
static int note_commands(rk_report_builder *b)
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
        code = rk_report_builder_note(b, plain[i].command, b->line, RK_STEP_LOOKING, plain[i].more, plain[i].text);
    return code;
}

static int build(rk_report_builder *b)
{
    int (*const part[])(rk_report_builder *) = {add_devices, rk_report_builder_context, note_commands, add_growth,
                                                rk_report_builder_steps};
    int code = RK_OK;

    b->d.version = RECKON_VERSION;
    b->d.conventions = &b->conventions;
    for (size_t i = 0; i < sizeof part / sizeof *part && code == RK_OK; i++)
        code = part[i](b);
    if (code == RK_OK)
        code = rk_conventions_new(&b->arena, &b->request.library, b->instance, &(rk_convention_setup){0},
                                  &b->conventions, b->err);
    for (size_t i = 0; i < b->d.n_device && code == RK_OK; i++)
        code =
            rk_report_builder_note(b, "fit", b->line, 0, rk_arena_format(&b->arena, "--device %s", b->d.device[i]->key),
                                   "the largest batch, and what a device holds");
    return code;
}

static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    rk_report_builder b = {0};
    int code = rk_cmd_report(line, out, err);

    if (code == RK_OK)
        code = choose_format(line, &out->report.format, err);
    if (code == RK_OK)
        code = rk_report_builder_open(&b, line, out, err);
    if (code == RK_OK)
        code = build(&b);
    if (code == RK_OK) {
        out->report.opened = &out->opened;
        code = rk_report_dossier(&out->report, b.ledger, &b.d, err);
    }
    rk_report_builder_free(&b);
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
