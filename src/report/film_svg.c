/* SPDX-License-Identifier: MIT */
/*
 * The picture of a timeline: areas on top of each other, by class, over the operations in the order in which they are
 * done.  It stands alone: no fonts, scripts or styles from elsewhere, and its text is text.
 */
#include "report/film.h"
#include "report/figure.h"

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

/* Okabe and Ito's colours, which people with any kind of colour vision tell apart; grey for the workspace. */
static const char *const colour[RK_N_CLASS] = {
    [RK_CLASS_WEIGHTS] = "#0072b2",   [RK_CLASS_OPTIMIZER] = "#56b4e9", [RK_CLASS_GRADIENTS] = "#009e73",
    [RK_CLASS_WORKSPACE] = "#8c8c8c", [RK_CLASS_CACHE] = "#f0e442",     [RK_CLASS_KEPT] = "#e69f00",
    [RK_CLASS_FLOWING] = "#d55e00",   [RK_CLASS_PASSING] = "#cc79a7",
};

static const char *const phase_text[] = {
    [RK_PHASE_TRAIN] = "a training step", [RK_PHASE_PREFILL] = "reading a prompt", [RK_PHASE_DECODE] = "one new token"};

typedef struct drawing {
    const rk_film_writer *w;
    const rk_memory *m;
    rk_str *out;
    size_t n_plain; /* frames without the optimizer's step */
    double top;     /* bytes at the upper edge */
    double unit;    /* bytes of the axis' unit */
    const char *unit_name;
} drawing;

/* ---- text ------------------------------------------------------------------------------------------------------- */

/* A text from anywhere as XML: what no XML may hold is made visible. */
static void put_xml(rk_str *out, const char *text)
{
    rk_str safe = {0};

    rk_str_put_safe(&safe, text, strlen(text));
    for (const char *c = rk_str_text(&safe); *c; c++) {
        if (strncmp(c, "\xEF\xBF\xBE", 3) == 0 || strncmp(c, "\xEF\xBF\xBF", 3) == 0)
            rk_str_put(out, (c += 2)[0] == '\xBE' ? "\\ufffe" : "\\uffff");
        else if (strchr("<>&\"'", *c))
            rk_str_format(out, "&#%d;", *c);
        else
            rk_str_putc(out, *c);
    }
    out->failed |= safe.failed;
    rk_str_free(&safe);
}

static void open_text(const drawing *d, double x, double y, const char *how)
{
    rk_str_format(d->out, "<text x=\"%.1f\" y=\"%.1f\"%s%s>", x, y, how[0] ? " " : "", how);
}

static void close_text(const drawing *d)
{
    rk_str_put(d->out, "</text>\n");
}

static void put_text(const drawing *d, double x, double y, const char *how, const char *text)
{
    open_text(d, x, y, how);
    put_xml(d->out, text);
    close_text(d);
}

static void put_line(const drawing *d, double x0, double y0, double x1, double y1, const char *how)
{
    rk_str_format(d->out, "<path d=\"M%.1f %.1fL%.1f %.1f\" %s/>\n", x0, y0, x1, y1, how);
}

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
    return TOP + DOWN - DOWN * ((double)bytes / d->top);
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

static void choose_unit(drawing *d)
{
    static const char *const name[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    size_t i = 0;

    d->top = (d->w->peak.total > 0 ? (double)d->w->peak.total : 1) * HEADROOM;
    for (d->unit = 1; d->top / d->unit / HEADROOM >= 1024 && i + 1 < sizeof name / sizeof *name; i++)
        d->unit *= 1024;
    d->unit_name = name[i];
}

/* The least of 1, 2, 5, 10 … of which at most seven fit. */
static double nice_step(double top)
{
    static const double times[] = {2, 2.5, 2};
    double step = 1e-3;

    for (size_t i = 0; top / step > 7; i++)
        step *= times[i % 3];
    return step;
}

static void draw_rungs(const drawing *d)
{
    double top = d->top / d->unit, step = nice_step(top);

    for (int i = 0; i * step <= top; i++) {
        double y = TOP + DOWN - DOWN * (i * step / top);

        if (i > 0)
            put_line(d, LEFT, y, LEFT + ACROSS, y, "stroke=\"#e4e4e4\"");
        open_text(d, LEFT - 8, y + 4, "text-anchor=\"end\"");
        rk_str_format(d->out, "%g", i * step);
        close_text(d);
    }
    rk_str_format(d->out, "<text transform=\"translate(22 %d) rotate(-90)\" text-anchor=\"middle\">alive (%s)</text>\n",
                  TOP + DOWN / 2, d->unit_name);
}

static void draw_layer_tick(const drawing *d, double x, uint32_t layer)
{
    put_line(d, x, TOP + DOWN, x, TOP + DOWN + 4, "stroke=\"#555555\"");
    open_text(d, x, TOP + DOWN + 16, "text-anchor=\"middle\" fill=\"#555555\"");
    rk_str_format(d->out, "%u", layer);
    close_text(d);
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
    put_text(d, LEFT + ACROSS / 2.0, TOP + DOWN + (any ? 36 : 20), "text-anchor=\"middle\"",
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
    for (size_t c = 0; c < RK_N_CLASS; c++) {
        if (!is_there(d, c))
            continue;
        rk_str_format(d->out, "<path fill=\"%s\" d=\"", colour[c]);
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
    static const char how[] = "stroke=\"#555555\" stroke-dasharray=\"2 3\"";

    put_line(d, x, TOP - 8, x, TOP, how);
    put_line(d, x, y_of(d, d->w->peak.total), x, TOP + DOWN, how);
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
        put_text(d, (x0 + x1) / 2, TOP - 12, "text-anchor=\"middle\" fill=\"#555555\"", rk_act_word[act]);
    }
}

/* ---- the peak, and the key -------------------------------------------------------------------------------------- */

static void put_peak_place(const drawing *d)
{
    const rk_frame *peak = &d->w->peak;
    rk_str path = {0};

    if (!peak->op)
        rk_str_put(&path, "the optimizer's step");
    else
        rk_film_put_path(&path, d->w->program, peak->op);
    put_xml(d->out, rk_str_text(&path));
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

    put_line(d, LEFT, y, LEFT + ACROSS, y, "stroke=\"#000000\" stroke-width=\"0.7\" stroke-dasharray=\"5 3\"");
    rk_str_format(d->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"#ffffff\" stroke=\"#000000\"/>\n", x, y);
    open_text(d, right ? x + 8 : x - 8, y - 9,
              right ? "font-weight=\"bold\"" : "font-weight=\"bold\" text-anchor=\"end\"");
    rk_str_put(d->out, "peak ");
    put_binary(d, d->w->peak.total);
    rk_str_put(d->out, ": ");
    put_peak_place(d);
    close_text(d);
}

static void draw_key_row(const drawing *d, size_t class, double y)
{
    rk_str_format(d->out, "<rect x=\"%d\" y=\"%.1f\" width=\"12\" height=\"12\" fill=\"%s\"/>\n", KEY_LEFT, y - 10,
                  colour[class]);
    put_text(d, KEY_LEFT + 18, y, "", rk_class_table[class].text);
    open_text(d, KEY_LEFT + 18, y + 14, "fill=\"#555555\"");
    put_binary(d, d->w->peak.bytes[class]);
    close_text(d);
}

/* In the order of the areas, from the top; with what is alive of each at the peak. */
static void draw_key(const drawing *d)
{
    double y = TOP + 10;

    put_text(d, KEY_LEFT, y, "font-weight=\"bold\"", "alive at the peak");
    for (size_t c = RK_N_CLASS; c > 0; c--)
        if (is_there(d, c - 1))
            draw_key_row(d, c - 1, y += c == RK_N_CLASS ? 24 : 34);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static void put_run(const drawing *d)
{
    const rk_model *m = d->m->model;

    for (size_t i = 0; i < m->n_symbol; i++) {
        const rk_symbol *s = &m->symbol[i];

        if (s->kind != RK_SYMBOL_RUN || !s->known || rk_sym_definition(m->pool, s->sym) != RK_EX_FAILED)
            continue;
        put_xml(d->out, s->name);
        rk_str_put(d->out, " = ");
        rk_str_grouped(d->out, s->value);
        rk_str_put(d->out, ", ");
    }
    rk_str_put(d->out, "peak ");
    rk_str_bytes(d->out, d->w->peak.total);
}

static void put_title(const drawing *d)
{
    put_xml(d->out, d->m->model->name);
    rk_str_format(d->out, ": memory of %s", phase_text[d->m->options.phase]);
}

static void draw_head(const drawing *d)
{
    rk_str_format(
        d->out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
        "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" fill=\"#1a1a1a\" role=\"img\">\n<title>",
        WIDE, HIGH, WIDE, HIGH);
    put_title(d);
    rk_str_put(d->out, "</title>\n<desc>");
    put_run(d);
    rk_str_format(d->out, "</desc>\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", WIDE, HIGH);
    open_text(d, LEFT, 30, "font-size=\"16\" font-weight=\"bold\"");
    put_title(d);
    close_text(d);
    open_text(d, LEFT, 50, "fill=\"#555555\"");
    put_run(d);
    close_text(d);
}

void rk_film_svg_draw(const rk_film_writer *w, const rk_memory *m)
{
    drawing d = {.w = w, .m = m, .out = w->out, .n_plain = w->n_frame - w->seen[RK_ACT_OPTIMIZER]};

    choose_unit(&d);
    draw_head(&d);
    draw_rungs(&d);
    draw_areas(&d);
    draw_acts(&d);
    put_line(&d, LEFT, TOP + DOWN, LEFT + ACROSS, TOP + DOWN, "stroke=\"#555555\"");
    draw_layers(&d);
    draw_peak(&d);
    draw_key(&d);
    rk_str_put(d.out, "</svg>\n");
}
