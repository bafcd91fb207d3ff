/* SPDX-License-Identifier: MIT */
/*
 * The picture of a timeline: areas on top of each other, by class, over the operations in the order in which they are
 * done.  It stands alone: no fonts, scripts or styles from elsewhere, and its text is text.
 */
#include "report/film.h"
#include "report/figure.h"
#include "report/scale.h"
#include "report/svg.h"

#include <math.h>
#include <string.h>

/* The paper, in units of the picture. */
enum {
    WIDE = 920,
    HIGH = 460,
    LEFT = 72,
    TOP = 92,
    ACROSS = 632, /* of the plot */
    DOWN = 296,
    STEP_ACROSS = 44, /* of it, for the optimizer's step, which is one row */
    TICK_ACROSS = 28, /* room that the number of a layer has */
    KEY_LEFT = LEFT + ACROSS + 28
};

#define HEADROOM 1.12 /* above the peak */

static const rk_svg_hue hue[RK_N_ALIVE] = {
    [RK_ALIVE_WEIGHTS] = RK_SVG_BLUE,      [RK_ALIVE_OPTIMIZER] = RK_SVG_SKY,  [RK_ALIVE_GRADIENTS] = RK_SVG_GREEN,
    [RK_ALIVE_WORKSPACE] = RK_SVG_GREY,    [RK_ALIVE_CACHE] = RK_SVG_YELLOW,   [RK_ALIVE_KEPT] = RK_SVG_ORANGE,
    [RK_ALIVE_FLOWING] = RK_SVG_VERMILION, [RK_ALIVE_PASSING] = RK_SVG_PURPLE,
};

static const char *const phase_text[] = {
    [RK_PHASE_TRAIN] = "a training step", [RK_PHASE_PREFILL] = "reading a prompt", [RK_PHASE_DECODE] = "one new token"};

typedef struct drawing {
    const rk_film_writer *w;
    const rk_memory *m;
    rk_svg svg;
    rk_str *out;
    size_t n_plain; /* frames without the optimizer's step */
    rk_scale bytes;
} drawing;

/* ---- places ----------------------------------------------------------------------------------------------------- */

static double plain_across(const drawing *d)
{
    return d->w->seen[RK_ACT_OPTIMIZER] ? ACROSS - STEP_ACROSS : ACROSS;
}

/* Where a frame begins; the optimizer's step has a place of its own at the end. */
static double x_of(const drawing *d, size_t frame)
{
    if (frame >= d->n_plain)
        return frame > d->n_plain ? LEFT + ACROSS : LEFT + plain_across(d);
    return LEFT + plain_across(d) * (double)frame / (double)d->n_plain;
}

static double y_of(const drawing *d, rk_i128 bytes)
{
    return TOP + DOWN - DOWN * rk_scale_place(&d->bytes, (double)bytes);
}

/* Columns, the optimizer's step included, and where one begins; the one behind the last: where that ends. */
static size_t count_columns(const drawing *d)
{
    return d->w->n_column + d->w->seen[RK_ACT_OPTIMIZER];
}

static double column_x(const drawing *d, size_t i)
{
    size_t frame = i * d->w->each;

    if (i > d->w->n_column)
        return LEFT + ACROSS;
    return x_of(d, frame < d->n_plain ? frame : d->n_plain);
}

/* ---- axes ------------------------------------------------------------------------------------------------------- */

static void draw_rung(const drawing *d, double bytes)
{
    double y = TOP + DOWN - DOWN * rk_scale_place(&d->bytes, bytes);

    if (bytes > 0)
        rk_svg_line(&d->svg, RK_SVG_GRID, LEFT, y, LEFT + ACROSS, y, "");
    rk_svg_open_text(&d->svg, RK_SVG_INK, LEFT - 8, y + 4, "text-anchor=\"end\"");
    rk_str_format(d->out, "%g", bytes / d->bytes.prefix);
    rk_svg_close_text(&d->svg);
}

/* The unit stands once, beside the axis. */
static void draw_rungs(const drawing *d)
{
    const char *letter = d->bytes.letter;

    for (size_t i = 0; i < d->bytes.n_tick; i++)
        if (d->bytes.tick[i].value <= d->bytes.high)
            draw_rung(d, d->bytes.tick[i].value);
    rk_str_format(d->out, "<text transform=\"translate(22 %d) rotate(-90)\" text-anchor=\"middle\"", TOP + DOWN / 2);
    rk_svg_put_fill(&d->svg, RK_SVG_INK);
    rk_str_format(d->out, ">alive (%s%s)</text>\n", letter, letter[0] ? "B" : "bytes");
}

static void draw_layer_tick(const drawing *d, double x, uint32_t layer)
{
    rk_svg_line(&d->svg, RK_SVG_AXIS, x, TOP + DOWN, x, TOP + DOWN + 4, "");
    rk_svg_open_text(&d->svg, RK_SVG_FAINT, x, TOP + DOWN + 16, "text-anchor=\"middle\"");
    rk_str_format(d->out, "%u", layer);
    rk_svg_close_text(&d->svg);
}

static bool begins_layer(const drawing *d, size_t i)
{
    uint32_t layer = d->w->column[i].layer;

    return layer != RK_NONE && (i == 0 || d->w->column[i - 1].layer != layer);
}

/* Every layer has its number, or every 2nd, 5th, 10th …: as many as have room. */
static uint32_t layers_apart(const drawing *d)
{
    static const uint32_t times[] = {2, 5, 10};
    size_t n = 0;
    uint32_t apart = 1, tens = 1;

    for (size_t i = 0; i < d->w->n_column; i++)
        n += begins_layer(d, i);
    for (size_t i = 0; (double)n / apart * TICK_ACROSS > ACROSS; i++) {
        apart = tens * times[i % 3];
        tens = i % 3 == 2 ? apart : tens;
    }
    return apart;
}

static void draw_layers(const drawing *d)
{
    uint32_t apart = layers_apart(d);
    double room = 0;
    bool any = false;

    for (size_t i = 0; i < d->w->n_column; i++) {
        double x = column_x(d, i);

        if (!begins_layer(d, i) || d->w->column[i].layer % apart != 0 || x < room)
            continue;
        draw_layer_tick(d, x, d->w->column[i].layer);
        room = x + TICK_ACROSS * 0.7; /* between two passes some have less */
        any = true;
    }
    rk_svg_text(&d->svg, RK_SVG_INK, LEFT + ACROSS / 2.0, TOP + DOWN + (any ? 36 : 20), "text-anchor=\"middle\"",
                any ? "operations in the order in which they are done; numbers of layers where they begin"
                    : "operations in the order in which they are done");
}

/* ---- areas ------------------------------------------------------------------------------------------------------ */

static rk_i128 sum_below(const rk_film_column *c, size_t n_class)
{
    rk_i128 sum = 0;

    for (size_t i = 0; i < n_class; i++)
        sum += c->bytes[i];
    return sum;
}

/* An edge as stairs, from left to right or back; steps too small to be seen are left out. */
static void put_edge(const drawing *d, size_t n_class, bool back)
{
    size_t n = count_columns(d);
    double last = -1;

    for (size_t k = 0; k < n; k++) {
        size_t i = back ? n - 1 - k : k;
        double y = y_of(d, sum_below(&d->w->column[i], n_class));

        if (k > 0 && fabs(y - last) < 0.05)
            continue;
        rk_str_format(d->out,
                      k == 0 && !back ? "M%.1f %.1f"
                      : k == 0        ? "L%.1f %.1f"
                                      : "H%.1fV%.1f",
                      column_x(d, back ? i + 1 : i), y);
        last = y;
    }
    rk_str_format(d->out, "H%.1f", column_x(d, back ? 0 : n));
}

static bool is_there(const drawing *d, size_t class)
{
    for (size_t i = 0; i < count_columns(d); i++)
        if (d->w->column[i].bytes[class] > 0)
            return true;
    return false;
}

static void draw_areas(const drawing *d)
{
    for (size_t c = 0; c < RK_N_ALIVE; c++) {
        if (!is_there(d, c))
            continue;
        rk_str_format(d->out, "<path fill=\"%s\" d=\"", rk_svg_colour(hue[c]));
        put_edge(d, c + 1, false);
        put_edge(d, c, true);
        rk_str_put(d->out, "Z\"/>\n");
    }
}

/* ---- acts ------------------------------------------------------------------------------------------------------- */

static size_t act_end(const drawing *d, rk_act act)
{
    size_t end = d->w->n_frame;

    for (size_t i = 0; i < RK_N_ACT; i++)
        if (i != RK_ACT_AGAIN && i != act && d->w->seen[i] && d->w->first[i] > d->w->first[act] && d->w->first[i] < end)
            end = d->w->first[i];
    return end;
}

/* Where one ends and the next begins; the words at the peak stay readable. */
static void draw_border(const drawing *d, double x)
{
    static const char how[] = "stroke-dasharray=\"2 3\"";

    rk_svg_line(&d->svg, RK_SVG_AXIS, x, TOP - 8, x, TOP, how);
    rk_svg_line(&d->svg, RK_SVG_AXIS, x, y_of(d, d->w->peak.total), x, TOP + DOWN, how);
}

/* The parts of a step, over the plot; what is computed again is a piece of the backward pass. */
static void draw_acts(const drawing *d)
{
    for (rk_act act = 0; act < RK_N_ACT; act++) {
        double x0, x1;

        if (!d->w->seen[act] || act == RK_ACT_AGAIN)
            continue;
        x0 = x_of(d, d->w->first[act]);
        x1 = x_of(d, act_end(d, act));
        if (d->w->first[act] > 0)
            draw_border(d, x0);
        rk_svg_text(&d->svg, RK_SVG_FAINT, (x0 + x1) / 2, TOP - 12, "text-anchor=\"middle\"", rk_act_word[act]);
    }
}

/* ---- the peak, and the key -------------------------------------------------------------------------------------- */

static void put_peak_place(const drawing *d)
{
    const rk_film_frame *peak = &d->w->peak;
    rk_str path = {0};

    if (!peak->op)
        rk_str_put(&path, "the optimizer's step");
    else
        rk_film_put_path(&path, d->w->program, peak->op);
    rk_svg_put_xml(d->out, rk_str_text(&path));
    if (d->w->peak_layer != RK_NONE)
        rk_str_format(d->out, ", layer %u", d->w->peak_layer);
    rk_str_free(&path);
}

static void put_binary(const drawing *d, rk_i128 bytes)
{
    rk_str_binary(d->out, bytes, "B");
}

/* The words stand beside the mark, on the side that has room. */
static void draw_peak(const drawing *d)
{
    double x = (x_of(d, d->w->peak_at) + x_of(d, d->w->peak_at + 1)) / 2, y = y_of(d, d->w->peak.total);
    bool right = x < LEFT + ACROSS / 2.0;

    rk_svg_line(&d->svg, RK_SVG_INK, LEFT, y, LEFT + ACROSS, y, "stroke-width=\"0.7\" stroke-dasharray=\"5 3\"");
    rk_str_format(d->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"#ffffff\" stroke=\"#000000\"/>\n", x, y);
    rk_svg_open_text(&d->svg, RK_SVG_INK, right ? x + 8 : x - 8, y - 9,
                     right ? "font-weight=\"bold\"" : "font-weight=\"bold\" text-anchor=\"end\"");
    rk_str_put(d->out, "peak ");
    put_binary(d, d->w->peak.total);
    rk_str_put(d->out, ": ");
    put_peak_place(d);
    rk_svg_close_text(&d->svg);
}

static void draw_key_row(const drawing *d, size_t class, double y)
{
    rk_svg_key(&d->svg, rk_svg_colour(hue[class]), KEY_LEFT, y, rk_alive_table[class].text, WIDE - KEY_LEFT);
    rk_svg_open_text(&d->svg, RK_SVG_FAINT, KEY_LEFT + RK_SVG_KEY_ROOM, y + 14, "");
    put_binary(d, d->w->peak.bytes[class]);
    rk_svg_close_text(&d->svg);
}

/* In the order of the areas, from the top; with what is alive of each at the peak. */
static void draw_key(const drawing *d)
{
    double y = TOP + 10;

    rk_svg_text(&d->svg, RK_SVG_INK, KEY_LEFT, y, "font-weight=\"bold\"", "alive at the peak");
    for (size_t c = RK_N_ALIVE; c > 0; c--)
        if (is_there(d, c - 1))
            draw_key_row(d, c - 1, y += c == RK_N_ALIVE ? 24 : 34);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static void put_run(const drawing *d, rk_str *out)
{
    const rk_instance *m = d->m->instance;

    for (size_t i = 0; i < m->model->n_symbol; i++) {
        const rk_symbol *s = &m->model->symbol[i];

        if (s->kind != RK_SYMBOL_RUN || !s->known || rk_sym_definition(m->pool, s->sym) != RK_EX_FAILED)
            continue;
        rk_str_format(out, "%s = ", s->name);
        rk_str_grouped(out, m->value[s->sym]);
        rk_str_put(out, ", ");
    }
    rk_str_put(out, "peak ");
    rk_str_bytes(out, d->w->peak.total);
}

static void draw_head(const drawing *d)
{
    rk_str title = {0}, run = {0};

    rk_str_format(&title, "%s: memory of %s", d->m->model->name, phase_text[d->m->options.phase]);
    put_run(d, &run);
    rk_svg_begin(&d->svg, WIDE, HIGH, rk_str_text(&title), rk_str_text(&run));
    rk_svg_heading(&d->svg, LEFT, WIDE - LEFT, rk_str_text(&title), rk_str_text(&run));
    d->out->failed |= title.failed | run.failed;
    rk_str_free(&title);
    rk_str_free(&run);
}

void rk_film_svg_draw(const rk_film_writer *w, const rk_memory *m)
{
    double peak = (double)w->peak.total * HEADROOM;
    drawing d = {.w = w,
                 .m = m,
                 .svg = {RK_SVG_BOTH, w->out},
                 .out = w->out,
                 .n_plain = w->n_frame - w->seen[RK_ACT_OPTIMIZER],
                 .bytes = rk_scale_new(RK_SCALE_LINEAR, RK_UNIT_BINARY, 0, peak, 7)};

    d.bytes.high = peak > 0 ? peak : 1; /* no need to end with a round number */
    draw_head(&d);
    draw_rungs(&d);
    draw_areas(&d);
    draw_acts(&d);
    rk_svg_line(&d.svg, RK_SVG_AXIS, LEFT, TOP + DOWN, LEFT + ACROSS, TOP + DOWN, "");
    draw_layers(&d);
    draw_peak(&d);
    draw_key(&d);
    rk_svg_end(&d.svg);
}
