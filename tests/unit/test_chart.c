/* SPDX-License-Identifier: MIT */
/*
 * Charts: axes, ticks and the widths of text; pictures compared, as text, with those in tests/unit/charts, which were
 * looked at; numbers of every kind.  `test_chart --bless tests/unit/charts` writes those anew, `test_chart DIR` all of
 * them for the eye: dark ones, and terminals of other widths.
 */
#include "base/file.h"
#include "report/chart.h"
#include "report/plot.h"
#include "report/treemap.h"
#include "t.h"

#include <math.h>
#include <stdlib.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* ---- what is drawn: forward FLOPs of a decoder of the size of gpt2-xl ------------------------------------------- */

#define WIDTH 1600.0
#define LAYERS 48.0
#define WORDS 50257.0

static const rk_i128 lengths[] = {1024, 2048, 4096, 8192, 16384, 32768, 65536};
static const rk_i128 batches[] = {1, 2, 4, 8, 16};

enum {
    N_LENGTH = LENGTH(lengths),
    N_BATCH = LENGTH(batches),
    N_PART = 4,
    N_MANY = 40
};

static double projections[N_LENGTH], products[N_LENGTH], inner[N_LENGTH], head[N_LENGTH], peak[N_BATCH][N_LENGTH];
static double many[N_MANY][N_LENGTH];
static const char *const part_name[] = {"attention.projections", "attention.products", "ffn", "head"};
static const double *const part_y[] = {projections, products, inner, head};
static rk_chart_series part[N_PART], row[N_BATCH], crowd[N_MANY];

static void count(void)
{
    static const char *const batch_name[] = {"1", "2", "4", "8", "16"};
    static char crowd_name[N_MANY][16];

    for (size_t i = 0; i < N_LENGTH; i++) {
        double s = (double)lengths[i];

        projections[i] = 8 * s * WIDTH * WIDTH * LAYERS;
        products[i] = 4 * s * s * WIDTH * LAYERS;
        inner[i] = 16 * s * WIDTH * WIDTH * LAYERS;
        head[i] = 2 * s * WIDTH * WORDS;
        for (size_t b = 0; b < N_BATCH; b++)
            peak[b][i] = 4 * 1557611200.0 + (double)batches[b] * s * WIDTH * LAYERS * 16;
        for (size_t k = 0; k < N_MANY; k++)
            many[k][i] = (double)(k + 1) * sqrt(s) * 1e6;
    }
    for (size_t i = 0; i < N_PART; i++)
        part[i] = (rk_chart_series){part_name[i], part_y[i]};
    for (size_t b = 0; b < N_BATCH; b++)
        row[b] = (rk_chart_series){batch_name[b], peak[b]};
    for (size_t k = 0; k < N_MANY; k++) {
        snprintf(crowd_name[k], sizeof crowd_name[k], "model-%zu", k);
        crowd[k] = (rk_chart_series){crowd_name[k], many[k]};
    }
}

/* ---- pictures --------------------------------------------------------------------------------------------------- */

static const double share[] = {0.31, 0.052, 0.588, 0.05};
static const double share_of[4][4] = {
    {0.20, 0.23, 0.25, 0.26}, {0.08, 0.06, 0.04, 0.03}, {0.40, 0.47, 0.51, 0.53}, {0.32, 0.24, 0.20, 0.18}};
static const double odd[] = {NAN, -2, 0, 3.5, INFINITY, 1};
static const rk_i128 few[] = {1, 2, 3, 4, 5, 6};
static const char *const model[] = {"cs336-small", "cs336-medium", "cs336-large", "cs336-xl"};

static const rk_chart_series share_series = {"share", share}, odd_series = {"<odd & \"quoted\">", odd},
                             model_series[] = {{"attention.projections", share_of[0]},
                                               {"attention.products", share_of[1]},
                                               {"ffn", share_of[2]},
                                               {"head", share_of[3]}};

typedef struct sample {
    const char *name;
    rk_chart chart;
} sample;

#define FLOPS .y_label = "forward FLOPs", .unit = RK_UNIT_SCALED, .unit_name = "FLOP"
#define LENGTHS .x_label = "S (tokens)", .x = lengths, .n_x = N_LENGTH

static const sample samples[] = {
    {"lines",
     {.kind = RK_CHART_LINES,
      .title = "gpt2-xl: forward FLOPs by component",
      .subtitle = "B = 1, S = 1K … 64K",
      LENGTHS,
      FLOPS,
      .series = part,
      .n_series = N_PART}},
    {"areas",
     {.kind = RK_CHART_AREAS,
      .title = "gpt2-xl: where the forward FLOPs go",
      .subtitle = "B = 1",
      LENGTHS,
      .y_label = "share of forward FLOPs",
      .unit = RK_UNIT_SCALED,
      .unit_name = "FLOP",
      .normalise = true,
      .series = part,
      .n_series = N_PART}},
    {"stack",
     {.kind = RK_CHART_AREAS, .title = "gpt2-xl: forward FLOPs", LENGTHS, FLOPS, .series = part, .n_series = N_PART}},
    {"models",
     {.kind = RK_CHART_AREAS,
      .title = "Shares of forward FLOPs",
      .word = model,
      .n_x = 4,
      .unit = RK_UNIT_SHARE,
      .series = model_series,
      .n_series = 4}},
    {"bars",
     {.kind = RK_CHART_BARS,
      .title = "llama-3.1-8b: parameters",
      .word = part_name,
      .n_x = 4,
      .y_label = "share",
      .unit = RK_UNIT_SHARE,
      .series = &share_series,
      .n_series = 1}},
    {"groups",
     {.kind = RK_CHART_BARS,
      .title = "Shares, side by side",
      .word = model,
      .n_x = 4,
      .y_label = "share of FLOPs",
      .unit = RK_UNIT_SHARE,
      .series = model_series,
      .n_series = 4}},
    {"grid",
     {.kind = RK_CHART_GRID,
      .title = "gpt2-xl: peak of a training step",
      LENGTHS,
      .y_label = "memory.peak",
      .unit = RK_UNIT_SCALED,
      .unit_name = "B",
      .series = row,
      .n_series = N_BATCH,
      .series_label = "B (sequences)"}},
    {"peaks",
     {.kind = RK_CHART_LINES,
      .title = "gpt2-xl: peak of a training step",
      LENGTHS,
      .y_label = "memory.peak",
      .unit = RK_UNIT_SCALED,
      .unit_name = "B",
      .series = row,
      .n_series = N_BATCH}},
    {"odd",
     {.kind = RK_CHART_LINES,
      .title = "a <b> & \"c\"",
      .x = few,
      .n_x = 6,
      .y_label = "y",
      .series = &odd_series,
      .n_series = 1}},
    {"odd-bars",
     {.kind = RK_CHART_BARS, .title = "below zero", .x = few, .n_x = 6, .series = &odd_series, .n_series = 1}},
    {"crowd", {.kind = RK_CHART_LINES, .title = "forty series", LENGTHS, .series = crowd, .n_series = N_MANY}},
    {"others",
     {.kind = RK_CHART_AREAS, .title = "forty parts", LENGTHS, .normalise = true, .series = crowd, .n_series = N_MANY}},
};

/* llama-3.1-8b's parameters, by tensor. */
static const rk_treemap_item tensor[] = {
    {"layers.ffn", "gate_proj.weight", 1879048192},
    {"layers.ffn", "up_proj.weight", 1879048192},
    {"layers.ffn", "down_proj.weight", 1879048192},
    {"layers.attention", "q_proj.weight", 536870912},
    {"layers.attention", "k_proj.weight", 134217728},
    {"layers.attention", "v_proj.weight", 134217728},
    {"layers.attention", "o_proj.weight", 536870912},
    {"embed", "embed_tokens.weight", 525336576},
    {"head", "lm_head.weight", 525336576},
    {"layers.norms", "input_layernorm.weight", 131072},
    {"layers.norms", "post_attention_layernorm.weight", 131072},
    {"head", "norm.weight", 4096},
};

static const rk_treemap tensors = {.title = "llama-3.1-8b: where the parameters are",
                                   .subtitle = "8,030,261,248 parameters",
                                   .unit_name = "parameters",
                                   .item = tensor,
                                   .n_item = LENGTH(tensor)};

/* What a sample looks like: in a terminal of so many columns, or as a picture. */
static void draw(size_t i, size_t columns, bool colour, rk_str *out)
{
    rk_str_reset(out);
    rk_chart_text(&samples[i].chart, &(rk_paper){.columns = columns, .colour = colour}, out);
}

static void draw_svg(size_t i, rk_svg_theme theme, rk_str *out)
{
    rk_str_reset(out);
    rk_chart_svg(&samples[i].chart, theme, out);
}

static void draw_treemap(rk_svg_theme theme, rk_str *out)
{
    rk_str_reset(out);
    rk_treemap_svg(&tensors, theme, out);
}

/* ---- pictures as files ------------------------------------------------------------------------------------------ */

static void write_file(const char *folder, const char *name, const char *end, const rk_str *text)
{
    char path[512];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s%s", folder, name, end);
    f = fopen(path, "w");
    if (!CHECK(f != NULL))
        return;
    CHECK(fputs(rk_str_text(text), f) >= 0);
    CHECK(fclose(f) == 0);
}

/* For the eye: all widths with colour, light and dark. */
static void write_variants(const char *folder, size_t i, rk_str *s)
{
    static const size_t columns[] = {40, 80, 120, 200};
    char end[32];

    for (size_t k = 0; k < LENGTH(columns); k++) {
        snprintf(end, sizeof end, "-%zu.ansi", columns[k]);
        draw(i, columns[k], true, s);
        write_file(folder, samples[i].name, end, s);
    }
    draw_svg(i, RK_SVG_LIGHT, s);
    write_file(folder, samples[i].name, "-light.svg", s);
    draw_svg(i, RK_SVG_DARK, s);
    write_file(folder, samples[i].name, "-dark.svg", s);
}

/* Those that are compared, and where they are for the eye, the others too. */
static void write_pictures(const char *folder, bool all)
{
    rk_str s = {0};

    for (size_t i = 0; i < LENGTH(samples); i++) {
        draw(i, 80, false, &s);
        write_file(folder, samples[i].name, ".txt", &s);
        draw_svg(i, RK_SVG_BOTH, &s);
        write_file(folder, samples[i].name, ".svg", &s);
        if (all)
            write_variants(folder, i, &s);
    }
    draw_treemap(RK_SVG_BOTH, &s);
    write_file(folder, "treemap", ".svg", &s);
    draw_treemap(RK_SVG_DARK, &s);
    if (all)
        write_file(folder, "treemap", "-dark.svg", &s);
    rk_str_free(&s);
}

/* Texts are long: where they differ, the line is shown. */
static void compare(const char *name, const char *end, const rk_str *got)
{
    char path[512];
    rk_arena a = {0};
    char *want = NULL;
    size_t n = 0, at = 0, line = 1;

    snprintf(path, sizeof path, "tests/unit/charts/%s%s", name, end);
    if (CHECK_INT(rk_file_read(&a, path, 1 << 20, &want, &n, NULL), RK_OK)) {
        for (; at < n && at < got->n && want[at] == got->text[at]; at++)
            line += want[at] == '\n';
        if (!CHECK(at == n && at == got->n))
            printf("%s differs in line %zu\n", path, line);
    }
    rk_arena_free(&a);
}

static void test_pictures(void)
{
    rk_str s = {0};

    for (size_t i = 0; i < LENGTH(samples); i++) {
        draw(i, 80, false, &s);
        compare(samples[i].name, ".txt", &s);
        draw_svg(i, RK_SVG_BOTH, &s);
        compare(samples[i].name, ".svg", &s);
    }
    draw_treemap(RK_SVG_BOTH, &s);
    compare("treemap", ".svg", &s);
    rk_str_free(&s);
}

/* ---- numbers and ticks ------------------------------------------------------------------------------------------ */

static void check_str(rk_str *s, const char *want)
{
    CHECK(!s->failed);
    CHECK_TEXT(rk_str_text(s), want);
    rk_str_reset(s);
}

static void test_sizes(void)
{
    static const struct {
        rk_i128 n;
        const char *want;
    } c[] = {{0, "0"},         {1, "1"},           {1000, "1,000"},     {1024, "1K"},    {1536, "1,536"},
             {16384, "16K"},   {20000, "20k"},     {131072, "128K"},    {1048576, "1M"}, {1000000, "1m"},
             {250000, "250k"}, {-4096, "-4,096"},  {3 * 1048576, "3M"}, {1025, "1,025"}, {12345, "12,345"},
             {1 << 30, "1G"},  {8000000000, "8g"}, {1024000, "1,000K"}};
    rk_str s = {0};

    for (size_t i = 0; i < LENGTH(c); i++) {
        rk_size_put(c[i].n, &s);
        check_str(&s, c[i].want);
    }
    rk_str_free(&s);
}

static void test_units(void)
{
    static const struct {
        rk_unit_kind unit;
        const char *name;
        double value;
        const char *want;
    } c[] = {{RK_UNIT_SCALED, "FLOP", 4513336524800.0, "4.51 TFLOP"},
             {RK_UNIT_SCALED, "", 4513336524800.0, "4.51 T"},
             {RK_UNIT_SCALED, "FLOP", 12.5, "12.5 FLOP"},
             {RK_UNIT_SCALED, "B", 8508230400.0, "8.51 GB"},
             {RK_UNIT_SCALED, "B", 0, "0 B"},
             {RK_UNIT_SHARE, "", 0.125, "12.5%"},
             {RK_UNIT_SHARE, "", 0.0001, "<0.1%"},
             {RK_UNIT_SHARE, "", 0, "0.0%"},
             {RK_UNIT_PLAIN, "", 1557611200, "1.56 B"},
             {RK_UNIT_PLAIN, "parameters", 1557611200, "1.56 B parameters"},
             {RK_UNIT_PLAIN, "", 0.25, "0.25"},
             {RK_UNIT_PLAIN, "", NAN, "–"},
             {RK_UNIT_PLAIN, "", -INFINITY, "–"},
             {RK_UNIT_SCALED, "", 1e60, "1e+60"}};
    rk_str s = {0};

    for (size_t i = 0; i < LENGTH(c); i++) {
        rk_unit_put(c[i].unit, c[i].name, c[i].value, &s);
        check_str(&s, c[i].want);
    }
    rk_str_free(&s);
}

static void check_ticks(rk_scale_kind kind, rk_unit_kind unit, double low, double high, const char *want)
{
    rk_scale scale = rk_scale_new(kind, unit, low, high, 6);
    rk_str s = {0};

    CHECK(scale.low <= low * (1 + 1e-9) && scale.high >= high * (1 - 1e-9) && scale.low < scale.high);
    for (size_t i = 0; i < scale.n_tick; i++)
        if (!scale.tick[i].minor) {
            rk_str_put(&s, s.n ? ", " : "");
            rk_scale_put_tick(&scale, "B", scale.tick[i].value, &s);
        }
    check_str(&s, want);
    rk_str_free(&s);
}

static void test_ticks(void)
{
    check_ticks(RK_SCALE_LINEAR, RK_UNIT_PLAIN, 0, 10, "0, 2, 4, 6, 8, 10");
    check_ticks(RK_SCALE_LINEAR, RK_UNIT_PLAIN, -3, 9, "-4, -2, 0, 2, 4, 6, 8, 10");
    check_ticks(RK_SCALE_LINEAR, RK_UNIT_SCALED, 0, 1.32e15, "0, 0.5 PB, 1 PB, 1.5 PB");
    check_ticks(RK_SCALE_LINEAR, RK_UNIT_BINARY, 0, 5.0 * (1 << 30), "0, 1 Gi, 2 Gi, 3 Gi, 4 Gi, 5 Gi");
    check_ticks(RK_SCALE_LINEAR, RK_UNIT_SHARE, 0, 1, "0%, 20%, 40%, 60%, 80%, 100%");
    check_ticks(RK_SCALE_LINEAR, RK_UNIT_SHARE, 0, 0, "0%, 20%, 40%, 60%, 80%, 100%");
    check_ticks(RK_SCALE_LINEAR, RK_UNIT_PLAIN, 7, 7, "0, 2, 4, 6, 8");
    check_ticks(RK_SCALE_LINEAR, RK_UNIT_PLAIN, 0, 0.003, "0, 0.0005, 0.001, 0.0015, 0.002, 0.0025, 0.003");
    check_ticks(RK_SCALE_LOG, RK_UNIT_SCALED, 3e11, 2e15, "1 TB, 10 TB, 100 TB, 1 PB");
    check_ticks(RK_SCALE_LOG, RK_UNIT_SCALED, 1000, 30000, "1 kB, 2 kB, 5 kB, 10 kB, 20 kB, 50 kB");
    check_ticks(RK_SCALE_LOG, RK_UNIT_PLAIN, 5, 5, "5, 10, 20, 50");
    check_ticks(RK_SCALE_LOG, RK_UNIT_SCALED, 1, 1e38, "1 B, 10 GB, 100 EB, 1 QB");
}

/* ---- what goes beside ------------------------------------------------------------------------------------------- */

static void test_spread(void)
{
    double free_[] = {1, 5, 9}, same[] = {5, 5, 5}, high[] = {9, 10, 10}, full[] = {0, 0, 0, 0};

    rk_plot_spread(free_, 3, 1, 10);
    CHECK(free_[0] == 1 && free_[1] == 5 && free_[2] == 9);
    rk_plot_spread(same, 3, 1, 10);
    CHECK(same[0] == 4 && same[1] == 5 && same[2] == 6);
    rk_plot_spread(high, 3, 1, 10);
    CHECK(high[0] == 8 && high[1] == 9 && high[2] == 10);
    rk_plot_spread(full, 4, 2, 6);
    CHECK(full[0] == 0 && full[1] == 2 && full[2] == 4 && full[3] == 6);
}

static void test_fit(void)
{
    rk_str s = {0};

    CHECK(rk_svg_fit_text(&s, "attention.projections", 12, 300));
    check_str(&s, "attention.projections");
    CHECK(rk_svg_fit_text(&s, "attention.projections", 12, 60));
    CHECK(s.n > strlen("…") && rk_svg_text_width(rk_str_text(&s), 12) <= 72);
    rk_str_reset(&s);
    CHECK(!rk_svg_fit_text(&s, "attention.projections", 12, 10));
    CHECK(!rk_svg_fit_text(&s, "", 12, 10));
    check_str(&s, "");
    CHECK_TEXT(rk_svg_ink_on("#0072b2"), "#ffffff");
    CHECK_TEXT(rk_svg_ink_on("#f0e442"), "#000000");
    rk_str_free(&s);
}

/* ---- any numbers, any paper ------------------------------------------------------------------------------------- */

/* Without the sequences for colour. */
static size_t line_width(const char *from, const char *to)
{
    rk_str s = {0};
    size_t width;

    while (from < to) {
        if (*from == '\x1b')
            while (from < to && *from != 'm')
                from++;
        else
            rk_str_putc(&s, *from);
        from++;
    }
    width = rk_text_width(rk_str_text(&s));
    rk_str_free(&s);
    return width;
}

static void check_width(const char *name, const rk_str *s, size_t columns)
{
    const char *at = rk_str_text(s), *end;

    for (; (end = strchr(at, '\n')) != NULL; at = end + 1)
        if (!CHECK(line_width(at, end) <= columns)) {
            printf("%s on %zu columns: %.*s\n", name, columns, (int)(end - at), at);
            return;
        }
    CHECK(*at == '\0');
}

/* Whether an attribute that stands often stands twice in one tag. */
static bool has_two_classes(const char *tag, const char *end)
{
    const char *class = strstr(tag, " class=");

    class = class && class < end ? strstr(class + 1, " class=") : NULL;
    return class && class < end;
}

/* Tags open and close in order. */
static bool is_balanced(const char *xml)
{
    const char *open[32];
    size_t depth = 0;

    for (const char *at = strchr(xml, '<'); at; at = strchr(at + 1, '<')) {
        const char *end = strchr(at, '>');

        if (!end || depth == LENGTH(open) || has_two_classes(at, end))
            return false;
        if (at[1] == '/' && (depth == 0 || strncmp(open[--depth], at + 2, (size_t)(end - at - 2)) != 0))
            return false;
        if (at[1] != '/' && end[-1] != '/')
            open[depth++] = at + 1;
    }
    return depth == 0;
}

static void check_xml(const char *name, const rk_str *s)
{
    const char *xml = rk_str_text(s);

    if (!CHECK(s->n > 0 && is_balanced(xml) && !strstr(xml, "nan") && !strstr(xml, "\"inf")))
        printf("%s: no well-formed picture: %s\n", name, xml);
}

static void check_chart(const char *name, const rk_chart *c)
{
    static const size_t columns[] = {1, 20, 21, 33, 59, 60, 80, 120, 140, 200};
    rk_str s = {0};

    for (size_t k = 0; k < LENGTH(columns); k++)
        for (int colour = 0; colour < 2; colour++) {
            rk_chart_text(c, &(rk_paper){.columns = columns[k], .colour = colour}, &s);
            check_width(name, &s, columns[k] < 20 ? 20 : columns[k]);
            rk_str_reset(&s);
        }
    rk_chart_svg(c, RK_SVG_BOTH, &s);
    check_xml(name, &s);
    rk_str_free(&s);
}

static void test_papers(void)
{
    for (size_t i = 0; i < LENGTH(samples); i++)
        check_chart(samples[i].name, &samples[i].chart);
}

static const char *const odd_word[] = {
    "",         "\x1b[31m", "a\nb",
    "\xff\xfe", "<&>",      "a-name-that-is-longer-than-the-paper-is-wide-and-goes-on-and-on-and-on"};

static void check_hostile(const rk_chart *c, size_t columns)
{
    rk_str s = {0};

    rk_chart_text(c, &(rk_paper){.columns = columns, .colour = columns % 2}, &s);
    check_width("hostile", &s, columns);
    rk_str_reset(&s);
    rk_chart_svg(c, RK_SVG_DARK, &s);
    check_xml("hostile", &s);
    rk_str_free(&s);
}

/* Of three series that begin anywhere among these numbers, over any places: every kind, every axis. */
static void check_shapes(const rk_chart_series *series, size_t salt)
{
    static const rk_i128 x[] = {RK_I128_MIN, -5, 0, 1, RK_I128_MAX - 1, RK_I128_MAX}, falling[] = {3, 3, 2, 2, 1, 1};
    enum {
        SERIES = 4,
        PLACES = 3,
        KINDS = 4,
        POINTS = 7
    };

    for (size_t i = 0; i < (size_t)SERIES * PLACES * KINDS * POINTS; i++) {
        size_t places = i / SERIES % PLACES;
        rk_chart c = {.kind = (rk_chart_kind)(i / (SERIES * PLACES) % KINDS),
                      .title = odd_word[4],
                      .x_label = odd_word[2],
                      .x = places == 0   ? x
                           : places == 1 ? falling
                                         : NULL,
                      .word = places == 2 ? odd_word : NULL,
                      .n_x = i / (SERIES * PLACES * KINDS),
                      .y_label = odd_word[1],
                      .unit = (rk_unit_kind)(salt % 4),
                      .unit_name = odd_word[salt % LENGTH(odd_word)],
                      .normalise = salt % 2,
                      .series = series,
                      .n_series = i % SERIES,
                      .series_label = odd_word[3]};

        check_hostile(&c, 20 + i % 100);
    }
}

static void test_hostile(void)
{
    static const double value[] = {NAN,    0,      -1,     INFINITY, 1e38,      -1e38, 1e308,
                                   -1e308, 5e-324, 1e-300, 1,        -INFINITY, 1e-5,  1e301};

    for (size_t first = 0; first + 6 <= LENGTH(value); first++) {
        rk_chart_series series[3];

        for (size_t i = 0; i < LENGTH(series); i++)
            series[i] = (rk_chart_series){odd_word[(i + first) % LENGTH(odd_word)],
                                          value + (first + i * 3) % (LENGTH(value) - 5)};
        check_shapes(series, first);
    }
}

/* More points than paper has: as many are drawn as can be seen. */
static void test_many_points(void)
{
    enum {
        N = 200000
    };
    rk_i128 *x = malloc(N * sizeof *x);
    double *y = malloc(N * sizeof *y);
    rk_chart_series series = {"y", y};
    rk_chart c = {.x = x, .n_x = N, .series = &series, .n_series = 1};
    rk_str s = {0};

    if (!CHECK(x && y))
        return;
    for (size_t i = 0; i < N; i++) {
        x[i] = (rk_i128)i + 1;
        y[i] = (double)i;
    }
    for (rk_chart_kind kind = RK_CHART_LINES; kind <= RK_CHART_GRID; kind++) {
        c.kind = kind;
        check_chart("many", &c);
        rk_chart_svg(&c, RK_SVG_BOTH, &s);
        CHECK(s.n > 1000 && s.n < 50000);
        rk_str_reset(&s);
    }
    rk_str_free(&s);
    free(x);
    free(y);
}

/* ---- treemaps --------------------------------------------------------------------------------------------------- */

/* The area of the rectangle whose tooltip begins so; -1: there is none. */
static double area_of(const rk_str *s, const char *tip)
{
    const char *at = strstr(rk_str_text(s), tip);
    double wide = -1, high = 1;

    while (at && at > s->text && strncmp(at, "<rect", 5) != 0)
        at--;
    if (at && sscanf(at, "<rect x=\"%*f\" y=\"%*f\" width=\"%lf\" height=\"%lf\"", &wide, &high) != 2)
        return -1;
    return wide * high;
}

static void test_areas(void)
{
    rk_str s = {0};
    double scale = 720.0 * 400 / 8030261248.0;

    rk_treemap_svg(&tensors, RK_SVG_BOTH, &s);
    check_xml("treemap", &s);
    for (size_t i = 0; i < LENGTH(tensor); i++) {
        char tip[128];
        double want = (double)tensor[i].count * scale, got;

        snprintf(tip, sizeof tip, "<title>%s: %s, ", tensor[i].group, tensor[i].name);
        got = area_of(&s, tip);
        if (want >= 30 && !CHECK(fabs(got - want) < 0.01 * want))
            printf("%s has %g square units, not %g\n", tip, got, want);
    }
    CHECK(strstr(rk_str_text(&s), "gate_proj.weight, 1,879,048,192 parameters (23.4%)") != NULL);
    rk_str_free(&s);
}

static void check_treemap(const rk_treemap_item *item, size_t n, const char *has)
{
    rk_treemap t = {.title = "t", .item = item, .n_item = n};
    rk_str s = {0};

    rk_treemap_svg(&t, RK_SVG_BOTH, &s);
    check_xml("treemap", &s);
    if (!CHECK(strstr(rk_str_text(&s), has) != NULL))
        printf("no \"%s\" in %s\n", has, rk_str_text(&s));
    CHECK(s.n < 3000000);
    rk_str_free(&s);
}

static void test_treemaps(void)
{
    enum {
        N = 5000
    };
    static rk_treemap_item item[N];
    static char name[N][16];
    static const rk_treemap_item large[] = {{"a", "b", RK_I128_MAX}, {"a", "c", 1}};

    for (size_t i = 0; i < N; i++) {
        snprintf(name[i], sizeof name[i], "g%zu", i % 20);
        item[i] = (rk_treemap_item){name[i], i % 7 ? "<x>" : NULL, (rk_i128)(i * i * i)};
    }
    check_treemap(item, N, "others (13)");
    check_treemap(item, 0, "nothing to draw");
    check_treemap(item, 1, "nothing to draw"); /* its count is zero */
    check_treemap(item, 2, "100.0%");
    check_treemap(large, 1, "170,141,183,460,469,231,731,687,303,715,884,105,727");
    check_treemap(large, 2, "128 bits");
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

/* Whether sample i, or the treemap after them, is drawn whole with so many allocations. */
static bool draws_with(size_t i, long n)
{
    rk_str picture = {0}, text = {0};
    bool done;

    rk_heap_fail_after(n);
    if (i == LENGTH(samples)) {
        rk_treemap_svg(&tensors, RK_SVG_BOTH, &picture);
    } else {
        rk_chart_svg(&samples[i].chart, RK_SVG_BOTH, &picture);
        rk_chart_text(&samples[i].chart, &(rk_paper){.columns = 80}, &text);
    }
    rk_heap_fail_after(-1);
    done = !picture.failed && !text.failed;
    rk_str_free(&picture);
    rk_str_free(&text);
    return done;
}

/* Each allocation fails in turn: no crash, and the text says so. */
static void test_failures(void)
{
    for (size_t i = 0; i <= LENGTH(samples); i++) {
        long n = 0;

        while (n < 5000 && !draws_with(i, n))
            n++;
        CHECK(n > 0 && n < 5000);
    }
}

int main(int argc, char **argv)
{
    count();
    if (argc > 1) {
        write_pictures(argc > 2 ? argv[2] : argv[1], strcmp(argv[1], "--bless") != 0);
        return t_done("charts written");
    }
    test_sizes();
    test_units();
    test_ticks();
    test_spread();
    test_fit();
    test_pictures();
    test_papers();
    test_hostile();
    test_many_points();
    test_areas();
    test_treemaps();
    test_failures();
    return t_done("chart");
}
