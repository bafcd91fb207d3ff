/* SPDX-License-Identifier: MIT */
/* reckon sweep: quantities over a grid of numbers, as a table, a chart, a picture, or rows. */
#include "report/sweep.h"

#include "command/commands.h"
#include "command/run.h"

#include <string.h>

static const rk_cmd_option option[] = {
    {"--of", "QUANTITY", NULL, "one or several, with commas between: flops (the default), memory.peak,params"},
    {"--by", "WHAT", RK_BY_WORDS, "divide a quantity: by parts of layers, parts of the model, or operations"},
    RK_CMD_COUNTING_PLAIN,
    RK_CMD_RUN,
    RK_LAYOUT_OPTIONS(RK_CMD_LAYOUT_ROW) RK_CMD_ADAPT,
    RK_CMD_ADAPT_TYPE,
    RK_CMD_CONFIG,
    {"--threads", "N", NULL, "that compute (as many as there are cores)"},
    {"--theme", "THEME", "both|light|dark", "of a picture: as the reader's paper is, or one of the two"},
    RK_CMD_OUTPUT(RK_PICTURE_FORMAT_WORDS),
};

/* All that a sweep needs, and who takes its rows. */
typedef struct sweeping {
    const rk_cmd_line *line;
    rk_arena arena;
    rk_range *range;
    const char **symbol;
    rk_gauge_source source;
    rk_gauge *probe; /* opened at the first point: for the parts of the model, and its name */
    rk_swept swept;
    rk_sweep sweep;
    bool streams; /* rows are handed on as they are made */
} sweeping;

/* ---- what the line says ------------------------------------------------------------------------------------------ */

static int read_ranges(sweeping *w, rk_err *err)
{
    const rk_cmd_line *line = w->line;
    int code = RK_OK;

    if (line->n_range == 0)
        return rk_fail(err, RK_EUSAGE, "which numbers? A sweep has a range, such as S=1K..64K:x2, or a list: B=1,2,4");
    if (line->n_range > RK_SWEEP_SYMBOLS_MAX)
        return rk_fail(err, RK_ELIMIT, "%zu symbols are more than a sweep has: %d are the most", line->n_range,
                       RK_SWEEP_SYMBOLS_MAX);
    w->range = RK_NEW_ARRAY(&w->arena, line->n_range, rk_range);
    w->symbol = RK_NEW_ARRAY(&w->arena, line->n_range, const char *);
    if (!w->range || !w->symbol)
        return rk_fail_memory(err);
    for (size_t i = 0; i < line->n_range && code == RK_OK; i++) {
        code = rk_range_parse(&w->arena, line->range[i], &w->range[i], err);
        w->symbol[i] = w->range[i].symbol;
        for (size_t k = 0; k < i && code == RK_OK; k++)
            if (strcmp(w->symbol[k], w->symbol[i]) == 0)
                code = rk_fail(err, RK_EUSAGE, "%s is given twice: one list has all its numbers, as %s=1K,2K,8K",
                               w->symbol[i], w->symbol[i]);
    }
    return code;
}

static int open_probe(sweeping *w, rk_cmd_output *out, rk_err *err)
{
    rk_i128 number[RK_SWEEP_SYMBOLS_MAX];
    bool has_memory = false;
    int code =
        rk_cmd_gauge_source(w->line, w->line->word, w->line->n_word, w->symbol, w->line->n_range, out, &w->source, err);
    w->source.request.shelf = NULL; /* threads have gauges of their own */

    for (size_t i = 0; i < w->line->n_range; i++)
        number[i] = rk_range_at(&w->range[i], 0);
    /* A step is only opened for a page about memory, which says how it is taken; rows alone do not. */
    for (size_t i = 0; i < w->swept.n_measure && !rk_writers[out->report.format].row; i++)
        has_memory |= rk_measure_is_memory(&w->swept.measure[i]);
    if (code == RK_OK)
        code = rk_gauge_new(&w->source, w->swept.measure, has_memory ? w->swept.n_measure : 0, number, &w->probe, err);
    w->source.mistakes = NULL; /* from here on there are threads */
    if (code == RK_OK && has_memory)
        w->swept.step = &rk_gauge_step(w->probe)->options;
    return code;
}

static int read_measures(sweeping *w, rk_err *err)
{
    const char *of = rk_cmd_value(w->line, "--of");
    rk_measure *list = NULL;
    size_t n = 0;
    int code = rk_measures_parse(&w->arena, of ? of : "flops", &list, &n, err);

    w->swept = (rk_swept){.range = w->range,
                          .n_range = w->line->n_range,
                          .measure = list,
                          .n_measure = n,
                          .by = (rk_by)rk_cmd_choice(w->line, "--by")};
    if (code == RK_OK && w->swept.by != RK_BY_NOTHING && n > 1)
        code = rk_fail(err, RK_EUSAGE, "--by divides one quantity, and --of has %zu", n);
    return code;
}

/* ---- rows as they are made --------------------------------------------------------------------------------------- */

static int drain(void *self, rk_str *text, rk_err *err)
{
    sweeping *w = self;
    const char *path = rk_cmd_value(w->line, "-o");
    int code = rk_cmd_put(w->line, path ? path : "-", rk_str_text(text), text->n, err);

    w->streams = true;
    rk_str_reset(text);
    return code;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static int prepare(sweeping *w, rk_cmd_output *out, rk_err *err)
{
    int threads = 0;
    rk_i128 points = 0;
    int code = rk_cmd_number(w->line, "--threads", 0, &threads, err);

    if (code == RK_OK && rk_cmd_value(w->line, "--theme") && !rk_writers[out->report.format].themed)
        code = rk_fail(err, RK_EUSAGE, "--theme is about a picture: add --format svg");
    out->report.paper.theme = (rk_svg_theme)rk_cmd_choice(w->line, "--theme");
    out->report.drain = (rk_drain){drain, w};
    if (code == RK_OK)
        code = read_ranges(w, err);
    if (code == RK_OK)
        code = rk_sweep_points(w->range, w->line->n_range, &points, err);
    if (code == RK_OK)
        code = read_measures(w, err);
    if (code == RK_OK)
        code = open_probe(w, out, err);
    if (code == RK_OK && w->swept.by != RK_BY_NOTHING)
        code = rk_swept_divide(&w->arena, rk_gauge_ledger(w->probe), &w->swept, w->swept.by, err);
    w->sweep = (rk_sweep){.source = &w->source,
                          .range = w->range,
                          .n_range = w->line->n_range,
                          .measure = w->swept.measure,
                          .n_measure = w->swept.n_measure,
                          .threads = (unsigned)threads};
    return code;
}

static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    sweeping w = {.line = line};
    int code = prepare(&w, out, err);

    if (code == RK_OK)
        code = rk_report_sweep(&out->report, rk_gauge_ledger(w.probe), &w.sweep, &w.swept, err);
    if (code == RK_OK && w.streams)
        code = drain(&w, &out->text, err);
    out->written = w.streams;
    rk_gauge_free(w.probe);
    rk_arena_free(&w.arena);
    return code;
}

const rk_cmd_command rk_command_sweep = {
    .name = "sweep",
    .words = "MODEL SYMBOL=RANGE … [SYMBOL=VALUE …]",
    .text = "a quantity over one symbol or several: table, chart, csv, picture",
    .more = "RANGE is 1K..64K:x2 (doubling), 1..8, 64..256:+64, or a list 1,2,8; ranges of several symbols make a\n"
            "grid.  The size of an axis of a layout varies like a symbol: fsdp=1,2,4,8 --layout tp=8.\n"
            "\n" RK_CMD_QUANTITIES "\n"
            "\n" RK_CMD_ABOUT_MODEL,
    .option = option,
    .n_option = sizeof option / sizeof *option,
    .takes_ranges = true,
    .example =
        {
            {"reckon sweep cs336-xl S=1K..64K:x2 --by component", "where FLOPs go as the context grows"},
            {"reckon sweep llama-3.1-8b B=1,2,4,8 S=2K,8K,32K --of memory.peak", "a grid of two symbols"},
            {"reckon sweep llama-3.1-8b fsdp=1..64:x2 tp=1,2,4,8 --of memory.peak --dtype bf16 --format csv",
             "rows for a program, over a mesh of devices"},
        },
    .run = run,
};
