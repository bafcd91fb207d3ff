/* SPDX-License-Identifier: MIT */
/* reckon sweep: quantities over a grid of numbers, as a table, a chart, a picture, or rows. */
#include "report/sweep.h"

#include "base/file.h"
#include "cli/commands.h"
#include "cli/run.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SWEEP_FORMATS RK_FORMAT_WORDS "|svg"

static const rk_cli_option option[] = {
    {"--of", "QUANTITY", NULL, "one or several, with commas between: flops (the default), memory.peak,params"},
    {"--by", "WHAT", RK_BY_WORDS, "divide a quantity: by parts of layers, parts of the model, or operations"},
    RK_CLI_COUNTING_PLAIN,
    RK_CLI_RUN,
    RK_CLI_ADAPT,
    RK_CLI_ADAPT_TYPE,
    RK_CLI_CONFIG,
    {"--threads", "N", NULL, "that compute (as many as there are cores)"},
    {"--theme", "THEME", "both|light|dark", "of a picture: as the reader's paper is, or one of the two"},
    RK_CLI_OUTPUT(SWEEP_FORMATS),
};

/* All that a sweep needs, and who takes its rows. */
typedef struct sweeping {
    const rk_cli_line *line;
    rk_arena arena;
    rk_range *range;
    const char **symbol;
    rk_i128 points;
    rk_gauge_source source;
    rk_gauge *probe; /* opened at the first point: for the parts of the model, and its name */
    rk_swept swept;
    rk_sweep sweep;
    rk_format format;
    bool is_svg;
    rk_file_stream stream; /* of rows for programs */
    bool some;             /* rows were written */
    struct timespec began;
    int bar; /* per cent shown; -1: none */
} sweeping;

/* ---- what the line says ------------------------------------------------------------------------------------------ */

static int read_ranges(sweeping *w, rk_err *err)
{
    const rk_cli_line *line = w->line;
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

static int open_probe(sweeping *w, rk_cli_output *out, rk_err *err)
{
    rk_i128 number[RK_SWEEP_SYMBOLS_MAX];
    bool is_page = !w->is_svg && w->format != RK_FORMAT_CSV && w->format != RK_FORMAT_JSON, has_memory = false;
    int code =
        rk_cli_gauge_source(w->line, w->line->word, w->line->n_word, w->symbol, w->line->n_range, out, &w->source, err);
    w->source.request.shelf = NULL; /* threads have gauges of their own */

    for (size_t i = 0; i < w->line->n_range; i++)
        number[i] = rk_range_at(&w->range[i], 0);
    /* A step is only opened for a page about memory, which says how it is taken. */
    for (size_t i = 0; i < w->swept.n_measure && is_page; i++)
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
    const char *of = rk_cli_value(w->line, "--of");
    rk_measure *list = NULL;
    size_t n = 0;
    int code = rk_measures_parse(&w->arena, of ? of : "flops", &list, &n, err);

    w->swept = (rk_swept){.range = w->range,
                          .n_range = w->line->n_range,
                          .measure = list,
                          .n_measure = n,
                          .by = (rk_by)rk_cli_choice(w->line, "--by")};
    if (code == RK_OK && w->swept.by != RK_BY_NOTHING && n > 1)
        code = rk_fail(err, RK_EUSAGE, "--by divides one quantity, and --of has %zu", n);
    return code;
}

/* With --by, the pieces of the quantity, and itself behind them. */
static int divide_measure(sweeping *w, rk_err *err)
{
    rk_measure *piece = NULL, *both;
    size_t n = 0;
    int code = RK_OK;

    if (w->swept.by == RK_BY_NOTHING)
        return RK_OK;
    code = rk_measure_pieces(&w->arena, rk_gauge_ledger(w->probe), w->swept.measure, w->swept.by, &piece, &n, err);
    if (code != RK_OK)
        return code;
    both = RK_NEW_ARRAY(&w->arena, n + 1, rk_measure);
    if (!both)
        return rk_fail_memory(err);
    memcpy(both, piece, n * sizeof *both);
    both[n] = *w->swept.measure;
    w->swept.measure = both;
    w->swept.n_measure = n + 1;
    return RK_OK;
}

/* ---- progress ---------------------------------------------------------------------------------------------------- */

static double seconds_since(const struct timespec *then)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) / 1e9;
}

/* A bar on a terminal, once a second has passed. */
static void progress(void *self, rk_i128 done, rk_i128 all)
{
    sweeping *w = self;
    int percent = (int)(done * 100 / all), blocks = percent * 30 / 100;

    if (percent == w->bar || !isatty(STDERR_FILENO) || seconds_since(&w->began) < 1)
        return;
    w->bar = percent;
    fprintf(stderr, "\r[");
    for (int i = 0; i < 30; i++)
        fputs(i < blocks ? "█" : " ", stderr);
    fprintf(stderr, "] %d%%", percent);
}

static void end_progress(const sweeping *w)
{
    if (w->bar >= 0)
        fprintf(stderr, "\r\033[K");
}

/* ---- rows for programs ------------------------------------------------------------------------------------------- */

static void format_row(void *self, const rk_i128 *number, const rk_reading *reading, rk_str *out)
{
    const sweeping *w = self;

    rk_sweep_put_row(&w->swept, w->format, number, reading, out);
}

static int put_rows(void *self, const char *text, size_t n, rk_err *err)
{
    sweeping *w = self;
    size_t skip = !w->some && n > 0 && w->format == RK_FORMAT_JSON; /* the comma before the first row */
    int code = rk_file_stream_put(&w->stream, text + skip, n - skip, err);

    w->some |= n > 0;
    /* A reader that has seen enough is no failure, but the rest need not be computed. */
    return code == RK_OK && w->stream.closed ? rk_fail(err, RK_EIO, "the reader has gone") : code;
}

/* What comes before the rows, or behind them. */
static int put_frame(sweeping *w, bool is_head, rk_err *err)
{
    rk_str text = {0};
    int code;

    if (is_head)
        rk_sweep_put_head(rk_gauge_ledger(w->probe), &w->swept, w->format, &text);
    else
        rk_sweep_put_foot(w->format, &text);
    code = text.failed ? rk_fail_memory(err) : rk_file_stream_put(&w->stream, rk_str_text(&text), text.n, err);
    rk_str_free(&text);
    return code;
}

static int stream_rows(sweeping *w, rk_err *err)
{
    const char *path = rk_cli_value(w->line, "-o");
    int code, closed;

    w->sweep.sink = (rk_sweep_sink){.self = w, .format = format_row, .put = put_rows, .progress = progress};
    code = rk_file_stream_open(&w->stream, path ? path : "-", err);
    if (code != RK_OK)
        return code;
    code = put_frame(w, true, err);
    if (code == RK_OK)
        code = rk_sweep_run(&w->sweep, err);
    end_progress(w);
    if (code == RK_OK)
        code = put_frame(w, false, err);
    code = w->stream.closed ? RK_OK : code;
    closed = rk_file_stream_close(&w->stream, code == RK_OK, err);
    return code == RK_OK ? closed : code;
}

/* ---- a page ------------------------------------------------------------------------------------------------------ */

static int keep_row(void *self, const rk_i128 *number, const rk_reading *reading, rk_err *err)
{
    rk_swept *s = &((sweeping *)self)->swept;

    (void)err;
    memcpy(&s->number[s->n_point * s->n_range], number, s->n_range * sizeof *number);
    memcpy(&s->reading[s->n_point * s->n_measure], reading, s->n_measure * sizeof *reading);
    s->n_point++;
    return RK_OK;
}

static int make_room(sweeping *w, rk_err *err)
{
    char would[RK_NUM_TEXT_MAX], most[RK_NUM_TEXT_MAX];

    if (w->points > RK_SWEPT_POINTS_MAX)
        return rk_fail(err, RK_ELIMIT, "this grid has %s points, and a page shows at most %s: use --format csv",
                       rk_num_grouped(would, w->points), rk_num_grouped(most, RK_SWEPT_POINTS_MAX));
    w->swept.number = RK_NEW_ARRAY(&w->arena, (size_t)w->points * w->swept.n_range, rk_i128);
    w->swept.reading = RK_NEW_ARRAY(&w->arena, (size_t)w->points * w->swept.n_measure, rk_reading);
    return w->arena.failed ? rk_fail_memory(err) : RK_OK;
}

static int show_page(sweeping *w, rk_cli_output *out, rk_err *err)
{
    const rk_ledger *l = rk_gauge_ledger(w->probe);
    int code = make_room(w, err);

    w->sweep.sink = (rk_sweep_sink){.self = w, .row = keep_row, .progress = progress};
    if (code == RK_OK)
        code = rk_sweep_run(&w->sweep, err);
    end_progress(w);
    if (code == RK_OK && w->is_svg)
        return rk_report_sweep_svg(l, &w->swept, (rk_svg_theme)rk_cli_choice(w->line, "--theme"), &out->text, err);
    if (code == RK_OK)
        code = rk_cli_report(w->line, out, err);
    return code == RK_OK ? rk_report_sweep(&out->report, l, &w->swept, err) : code;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static int prepare(sweeping *w, rk_cli_output *out, rk_err *err)
{
    const char *format = rk_cli_value(w->line, "--format");
    int threads = 0;
    int code = rk_cli_number(w->line, "--threads", 0, &threads, err);

    w->is_svg = format && strcmp(format, "svg") == 0;
    w->format = format && !w->is_svg ? (rk_format)rk_words_place(RK_FORMAT_WORDS, format) : RK_FORMAT_TEXT;
    if (code == RK_OK && rk_cli_value(w->line, "--theme") && !w->is_svg)
        code = rk_fail(err, RK_EUSAGE, "--theme is about a picture: add --format svg");
    if (code == RK_OK)
        code = read_ranges(w, err);
    if (code == RK_OK)
        code = rk_sweep_points(w->range, w->line->n_range, &w->points, err);
    if (code == RK_OK)
        code = read_measures(w, err);
    if (code == RK_OK)
        code = open_probe(w, out, err);
    if (code == RK_OK)
        code = divide_measure(w, err);
    w->sweep = (rk_sweep){.source = &w->source,
                          .range = w->range,
                          .n_range = w->line->n_range,
                          .measure = w->swept.measure,
                          .n_measure = w->swept.n_measure,
                          .threads = (unsigned)threads};
    return code;
}

static int run(const rk_cli_line *line, rk_cli_output *out, rk_err *err)
{
    sweeping w = {.line = line, .bar = -1};
    int code = prepare(&w, out, err);

    clock_gettime(CLOCK_MONOTONIC, &w.began);
    if (code == RK_OK)
        code = w.format == RK_FORMAT_CSV || w.format == RK_FORMAT_JSON ? stream_rows(&w, err) : show_page(&w, out, err);
    out->written = w.format == RK_FORMAT_CSV || w.format == RK_FORMAT_JSON;
    rk_gauge_free(w.probe);
    rk_arena_free(&w.arena);
    return code;
}

const rk_cli_command rk_command_sweep = {
    .name = "sweep",
    .words = "MODEL SYMBOL=RANGE … [SYMBOL=VALUE …]",
    .text = "a quantity over one symbol or several: table, chart, csv, picture",
    .more = "RANGE is 1K..64K:x2 (doubling), 1..8, 64..256:+64, or a list 1,2,8; ranges of several symbols make a\n"
            "grid.\n"
            "\n" RK_CLI_QUANTITIES "\n"
            "\n" RK_CLI_ABOUT_MODEL,
    .option = option,
    .n_option = sizeof option / sizeof *option,
    .takes_ranges = true,
    .example =
        {
            {"reckon sweep cs336-xl S=1K..64K:x2 --by component", "where FLOPs go as the context grows"},
            {"reckon sweep llama-3.1-8b B=1,2,4,8 S=2K,8K,32K --of memory.peak", "a grid of two symbols"},
            {"reckon sweep gpt2-xl S=1K..16K:x2 --of intensity --format csv", "rows for a program"},
        },
    .run = run,
};
