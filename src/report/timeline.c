/* SPDX-License-Identifier: MIT */
/*
 * A timeline as a file.  The table is written while the timeline is walked.  The picture is drawn at its end: areas on
 * top of each other, by class, over the operations in the order in which they are done.  It stands alone: no fonts,
 * scripts or styles from elsewhere, and its text is text.
 */
#include "report/timeline.h"
#include "report/figure.h"
#include "report/scale.h"
#include "report/svg.h"

#include <math.h>
#include <string.h>

#define ROWS_MAX ((size_t)1 << 20) /* of a table: a hundred MB, twenty times the largest model known */
#define COLUMNS 1024               /* of a picture: when there are as many, each two become one */

/* Some operations one after the other: the one of them at which most was alive. */
typedef struct column {
    rk_i128 bytes[RK_N_ALIVE];
    rk_i128 total;
    uint32_t layer; /* RK_NONE: outside of layers */
} column;

struct rk_timeline_writer {
    rk_timeline_kind kind;
    rk_str *out;
    const rk_program *program;
    size_t n_frame;
    size_t first[RK_N_ACT]; /* the frame with which each act began */
    bool seen[RK_N_ACT];
    rk_observed_op peak; /* the first at which most was alive; its layers are not there any more … */
    size_t peak_at;
    uint32_t peak_layer; /* … but the outermost: RK_NONE: outside of layers */
    column *column;      /* and one more after them for the optimizer's step */
    size_t n_column;
    size_t each; /* how many frames a column stands for */
    size_t in;   /* how many of them the last one has */
};

/* layers.attention.scores */
static void put_path(rk_str *out, const rk_program *p, const rk_op *op)
{
    const char *path = p->part[op->part].path, *name = op->name ? op->name : "";

    rk_str_put_safe(out, path, strlen(path));
    rk_str_put(out, path[0] && name[0] ? "." : "");
    rk_str_put_safe(out, name, strlen(name));
}

/* ---- walking ---------------------------------------------------------------------------------------------------- */

static void put_layers(rk_str *out, const uint32_t *layer, size_t n)
{
    rk_str_putc(out, ',');
    for (size_t i = 0; i < n; i++)
        rk_str_format(out, "%s%u", i ? "." : "", layer[i]);
    rk_str_putc(out, ',');
}

/* Names of operations are words with dots between them: nothing in them needs quotes. */
static void put_row(rk_timeline_writer *w, const rk_observed_op *frame)
{
    rk_str_format(w->out, "%zu,%s,", w->n_frame, rk_act_word[frame->act]);
    if (frame->op)
        put_path(w->out, w->program, frame->op);
    put_layers(w->out, frame->layer, frame->n_layer);
    rk_str_num(w->out, frame->total);
    for (size_t i = 0; i < RK_N_ALIVE; i++) {
        rk_str_putc(w->out, ',');
        rk_str_num(w->out, frame->bytes[i]);
    }
    rk_str_put(w->out, "\r\n");
}

/* Names of weights have braces for the numbers of layers: nothing in them needs quotes, either. */
static void see_event(void *self, const rk_observed_event *e)
{
    rk_timeline_writer *w = self;
    rk_str *out = w->out;

    if (w->n_frame++ >= ROWS_MAX)
        return;
    rk_str_format(out, "%zu,%s,", w->n_frame - 1, rk_act_word[e->act]);
    if (e->op)
        put_path(out, w->program, e->op);
    put_layers(out, e->layer, e->n_layer);
    rk_str_format(out, "%s,%zu,%s,", e->born ? "birth" : "death", e->birth, rk_alive_table[e->kind].word);
    rk_str_put_safe(out, e->path, strlen(e->path));
    rk_str_format(out, ",%s,", e->what ? e->what : "");
    rk_str_num(out, e->bytes);
    rk_str_put(out, "\r\n");
}

static void halve(rk_timeline_writer *w)
{
    for (size_t i = 0; i < w->n_column / 2; i++) {
        column *a = &w->column[2 * i], *b = a + 1;
        uint32_t layer = a->layer;

        w->column[i] = b->total > a->total ? *b : *a;
        w->column[i].layer = layer;
    }
    w->n_column /= 2;
    w->each *= 2;
    w->in = w->each;
}

static void put_column(rk_timeline_writer *w, const rk_observed_op *frame, uint32_t layer)
{
    column *c = &w->column[w->n_column];

    if (frame->act == RK_ACT_OPTIMIZER) {
        *c = (column){.total = -1, .layer = RK_NONE};
    } else {
        if (w->in == w->each && w->n_column == COLUMNS)
            halve(w);
        if (w->in == w->each) {
            w->in = 0;
            w->column[w->n_column++] = (column){.total = -1, .layer = layer};
        }
        w->in++;
        c = &w->column[w->n_column - 1];
    }
    if (frame->total <= c->total)
        return;
    c->total = frame->total;
    memcpy(c->bytes, frame->bytes, sizeof c->bytes);
}

static void see_op(void *self, const rk_observed_op *frame)
{
    rk_timeline_writer *w = self;
    uint32_t layer = frame->n_layer ? frame->layer[0] : RK_NONE;

    if (!w->seen[frame->act])
        w->first[frame->act] = w->n_frame;
    w->seen[frame->act] = true;
    if (w->n_frame == 0 || frame->total > w->peak.total) {
        w->peak = *frame;
        w->peak_at = w->n_frame;
        w->peak_layer = layer;
    }
    if (w->kind == RK_TIMELINE_SVG)
        put_column(w, frame, layer);
    else if (w->n_frame < ROWS_MAX)
        put_row(w, frame);
    w->n_frame++;
}

/* ---- drawing ---------------------------------------------------------------------------------------------------- */

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
    [RK_ALIVE_WORKSPACE] = RK_SVG_GREY,    [RK_ALIVE_CACHE] = RK_SVG_YELLOW,   [RK_ALIVE_SAVED] = RK_SVG_ORANGE,
    [RK_ALIVE_FLOWING] = RK_SVG_VERMILION, [RK_ALIVE_PASSING] = RK_SVG_PURPLE,
};

static const char *const phase_text[] = {
    [RK_PHASE_TRAIN] = "a training step", [RK_PHASE_PREFILL] = "reading a prompt", [RK_PHASE_DECODE] = "one new token"};

typedef struct drawing {
    const rk_timeline_writer *w;
    const rk_memory *m;
    rk_svg svg;
    size_t n_plain; /* frames without the optimizer's step */
    rk_scale bytes;
} drawing;

/* ---- places ----------------------------------------------------------------------------------------------------- */

/* Where a frame begins; the optimizer's step has a place of its own at the end. */
static double x_of(const drawing *d, size_t frame)
{
    double plain = d->w->seen[RK_ACT_OPTIMIZER] ? ACROSS - STEP_ACROSS : ACROSS;

    if (frame >= d->n_plain)
        return frame > d->n_plain ? LEFT + ACROSS : LEFT + plain;
    return LEFT + plain * (double)frame / (double)d->n_plain;
}

static double y_of(const drawing *d, double bytes)
{
    return TOP + DOWN - DOWN * rk_scale_place(&d->bytes, bytes);
}

/* Columns, the optimizer's step included, and where one begins; the one after the last: where that ends. */
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

/* The unit stands once, beside the axis. */
static void draw_rungs(const drawing *d)
{
    const char *letter = d->bytes.letter;

    for (size_t i = 0; i < d->bytes.n_tick; i++) {
        double bytes = d->bytes.tick[i].value, y = y_of(d, bytes);

        if (bytes > d->bytes.high)
            continue;
        if (bytes > 0)
            rk_svg_line(&d->svg, RK_SVG_GRID, LEFT, y, LEFT + ACROSS, y, "");
        rk_svg_open_text(&d->svg, RK_SVG_INK, LEFT - 8, y + 4, "text-anchor=\"end\"");
        rk_str_format(d->svg.out, "%g", bytes / d->bytes.prefix);
        rk_svg_close_text(&d->svg);
    }
    rk_str_format(d->svg.out, "<text transform=\"translate(22 %d) rotate(-90)\" text-anchor=\"middle\"",
                  TOP + DOWN / 2);
    rk_svg_put_fill(&d->svg, RK_SVG_INK);
    rk_str_format(d->svg.out, ">alive (%s%s)</text>\n", letter, letter[0] ? "B" : "bytes");
}

static bool begins_layer(const drawing *d, size_t i)
{
    uint32_t layer = d->w->column[i].layer;

    return layer != RK_NONE && (i == 0 || d->w->column[i - 1].layer != layer);
}

/* Every layer has its number, or every 2nd, 5th, 10th …: as many as have room. */
static uint32_t layer_step(const drawing *d)
{
    static const uint32_t times[] = {2, 5, 10};
    size_t n = 0;
    uint32_t step = 1, tens = 1;

    for (size_t i = 0; i < d->w->n_column; i++)
        n += begins_layer(d, i);
    for (size_t i = 0; (double)n / step * TICK_ACROSS > ACROSS; i++) {
        step = tens * times[i % 3];
        tens = i % 3 == 2 ? step : tens;
    }
    return step;
}

static void draw_layers(const drawing *d)
{
    uint32_t step = layer_step(d);
    double room = 0;
    bool any = false;

    for (size_t i = 0; i < d->w->n_column; i++) {
        double x = column_x(d, i);

        if (!begins_layer(d, i) || d->w->column[i].layer % step != 0 || x < room)
            continue;
        rk_svg_line(&d->svg, RK_SVG_AXIS, x, TOP + DOWN, x, TOP + DOWN + 4, "");
        rk_svg_open_text(&d->svg, RK_SVG_FAINT, x, TOP + DOWN + 16, "text-anchor=\"middle\"");
        rk_str_format(d->svg.out, "%u", d->w->column[i].layer);
        rk_svg_close_text(&d->svg);
        room = x + TICK_ACROSS * 0.7; /* between two passes some have less */
        any = true;
    }
    rk_svg_text(&d->svg, RK_SVG_INK, LEFT + ACROSS / 2.0, TOP + DOWN + (any ? 36 : 20), "text-anchor=\"middle\"",
                any ? "operations in the order in which they are done; numbers of layers where they begin"
                    : "operations in the order in which they are done");
}

/* ---- areas ------------------------------------------------------------------------------------------------------ */

/* An edge as stairs, from left to right or back; steps too small to be seen are left out. */
static void put_edge(const drawing *d, size_t n_class, bool back)
{
    size_t n = count_columns(d);
    double last = -1;

    for (size_t k = 0; k < n; k++) {
        size_t i = back ? n - 1 - k : k;
        rk_i128 below = 0;
        double y;

        for (size_t c = 0; c < n_class; c++)
            below += d->w->column[i].bytes[c];
        y = y_of(d, (double)below);
        if (k > 0 && fabs(y - last) < 0.05)
            continue;
        rk_str_format(d->svg.out,
                      k == 0 && !back ? "M%.1f %.1f"
                      : k == 0        ? "L%.1f %.1f"
                                      : "H%.1fV%.1f",
                      column_x(d, back ? i + 1 : i), y);
        last = y;
    }
    rk_str_format(d->svg.out, "H%.1f", column_x(d, back ? 0 : n));
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
        rk_str_format(d->svg.out, "<path fill=\"%s\" d=\"", rk_svg_colour(hue[c]));
        put_edge(d, c + 1, false);
        put_edge(d, c, true);
        rk_str_put(d->svg.out, "Z\"/>\n");
    }
}

/* ---- acts ------------------------------------------------------------------------------------------------------- */

/* The parts of a step, over the plot; what is recomputed is a piece of the backward pass. */
static void draw_acts(const drawing *d)
{
    static const char how[] = "stroke-dasharray=\"2 3\"";

    for (rk_act act = 0; act < RK_N_ACT; act++) {
        size_t first = d->w->first[act], end = d->w->n_frame;
        double x0, x1;

        if (!d->w->seen[act] || act == RK_ACT_RECOMPUTE)
            continue;
        for (rk_act i = 0; i < RK_N_ACT; i++)
            if (i != RK_ACT_RECOMPUTE && d->w->seen[i] && d->w->first[i] > first && d->w->first[i] < end)
                end = d->w->first[i];
        x0 = x_of(d, first);
        x1 = x_of(d, end);
        /* Where one ends and the next begins; the words at the peak stay readable. */
        if (first > 0) {
            rk_svg_line(&d->svg, RK_SVG_AXIS, x0, TOP - 8, x0, TOP, how);
            rk_svg_line(&d->svg, RK_SVG_AXIS, x0, y_of(d, (double)d->w->peak.total), x0, TOP + DOWN, how);
        }
        rk_svg_text(&d->svg, RK_SVG_FAINT, (x0 + x1) / 2, TOP - 12, "text-anchor=\"middle\"", rk_act_word[act]);
    }
}

/* ---- the peak, and the key -------------------------------------------------------------------------------------- */

/* The words stand beside the mark, on the side that has room. */
static void draw_peak(const drawing *d)
{
    const rk_timeline_writer *w = d->w;
    double x = (x_of(d, w->peak_at) + x_of(d, w->peak_at + 1)) / 2, y = y_of(d, (double)w->peak.total);
    bool right = x < LEFT + ACROSS / 2.0;
    rk_str path = {0};

    rk_svg_line(&d->svg, RK_SVG_INK, LEFT, y, LEFT + ACROSS, y, "stroke-width=\"0.7\" stroke-dasharray=\"5 3\"");
    rk_str_format(d->svg.out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"#ffffff\" stroke=\"#000000\"/>\n", x,
                  y);
    rk_svg_open_text(&d->svg, RK_SVG_INK, right ? x + 8 : x - 8, y - 9,
                     right ? "font-weight=\"bold\"" : "font-weight=\"bold\" text-anchor=\"end\"");
    rk_str_put(d->svg.out, "peak ");
    rk_str_scaled(d->svg.out, w->peak.total, "B");
    rk_str_put(d->svg.out, ": ");
    if (w->peak.op)
        put_path(&path, w->program, w->peak.op);
    rk_svg_put_xml(d->svg.out, w->peak.op ? rk_str_text(&path) : "the optimizer's step");
    if (w->peak_layer != RK_NONE)
        rk_str_format(d->svg.out, ", layer %u", w->peak_layer);
    rk_svg_close_text(&d->svg);
    d->svg.out->failed |= path.failed;
    rk_str_free(&path);
}

/* In the order of the areas, from the top; with what is alive of each at the peak. */
static void draw_key(const drawing *d)
{
    double y = TOP + 10;

    rk_svg_text(&d->svg, RK_SVG_INK, KEY_LEFT, y, "font-weight=\"bold\"", "alive at the peak");
    for (size_t c = RK_N_ALIVE; c-- > 0;) {
        if (!is_there(d, c))
            continue;
        y += c == RK_N_ALIVE - 1 ? 24 : 34;
        rk_svg_key(&d->svg, rk_svg_colour(hue[c]), KEY_LEFT, y, rk_alive_table[c].text, WIDE - KEY_LEFT);
        rk_svg_open_text(&d->svg, RK_SVG_FAINT, KEY_LEFT + RK_SVG_KEY_ROOM, y + 14, "");
        rk_str_scaled(d->svg.out, d->w->peak.bytes[c], "B");
        rk_svg_close_text(&d->svg);
    }
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static void draw_head(const drawing *d)
{
    const rk_instance *m = d->m->instance;
    rk_str title = {0}, run = {0};

    rk_str_format(&title, "%s: memory of %s", d->m->model->name, phase_text[d->m->options.phase]);
    for (size_t i = 0; i < m->model->n_symbol; i++) {
        const rk_symbol *s = &m->model->symbol[i];

        if (s->kind != RK_SYMBOL_RUN || !s->known || rk_sym_definition(m->pool, s->sym) != RK_EX_FAILED)
            continue;
        rk_str_format(&run, "%s = ", s->name);
        rk_str_grouped(&run, m->value[s->sym]);
        rk_str_put(&run, ", ");
    }
    rk_str_put(&run, "peak ");
    rk_str_bytes(&run, d->w->peak.total);
    rk_svg_begin(&d->svg, WIDE, HIGH, rk_str_text(&title), rk_str_text(&run));
    rk_svg_heading(&d->svg, LEFT, WIDE - LEFT, rk_str_text(&title), rk_str_text(&run));
    d->svg.out->failed |= title.failed | run.failed;
    rk_str_free(&title);
    rk_str_free(&run);
}

static void draw(const rk_timeline_writer *w, const rk_memory *m)
{
    double peak = (double)w->peak.total * HEADROOM;
    drawing d = {.w = w,
                 .m = m,
                 .svg = {RK_SVG_BOTH, w->out},
                 .n_plain = w->n_frame - w->seen[RK_ACT_OPTIMIZER],
                 .bytes = rk_scale_new(RK_SCALE_LINEAR, RK_UNIT_SCALED, 0, peak, 7)};

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

/* ---- both ------------------------------------------------------------------------------------------------------- */

rk_timeline_writer *rk_timeline_writer_new(rk_arena *a, rk_timeline_kind kind, const rk_model *m, rk_str *out)
{
    rk_timeline_writer *w = RK_NEW(a, rk_timeline_writer);
    column *columns = RK_NEW_ARRAY(a, COLUMNS + 1, column);

    if (!w || !columns)
        return NULL;
    *w = (rk_timeline_writer){.kind = kind, .out = out, .program = &m->program, .column = columns, .each = 1, .in = 1};
    if (kind == RK_TIMELINE_EVENTS)
        rk_str_put(out, "event,phase,operation,layer,change,buffer,kind,of,what,bytes\r\n");
    if (kind != RK_TIMELINE_CSV)
        return w;
    rk_str_put(out, "step,phase,operation,layer,bytes");
    for (size_t i = 0; i < RK_N_ALIVE; i++)
        rk_str_format(out, ",%s", rk_alive_table[i].word);
    rk_str_put(out, "\r\n");
    return w;
}

rk_observer rk_timeline_writer_observer(rk_timeline_writer *w)
{
    return w->kind == RK_TIMELINE_EVENTS ? (rk_observer){.event = see_event, .self = w}
                                         : (rk_observer){.op = see_op, .self = w};
}

int rk_timeline_writer_end(rk_timeline_writer *w, const rk_memory *m, rk_err *err)
{
    if (w->kind == RK_TIMELINE_EVENTS && m->options.layout)
        return rk_fail(err, RK_EUSAGE,
                       "--events and --layout: what the allocator is asked is known of one device alone");
    if (w->kind == RK_TIMELINE_EVENTS && !m->reserve.known)
        return rk_fail(err, RK_ELIMIT,
                       "--events: the step is too long for the allocator (limit is %zu operations forward, and %zu "
                       "blocks): take fewer layers",
                       RK_RESERVE_OPS_MAX, RK_ALLOCATOR_BLOCKS_MAX);
    if (w->kind != RK_TIMELINE_SVG && w->n_frame > ROWS_MAX)
        return rk_fail(err, RK_ELIMIT,
                       "the timeline has %zu rows, more than a table may have (%zu): take fewer layers, or a picture "
                       "(--timeline FILE.svg)",
                       w->n_frame, ROWS_MAX);
    if (w->kind == RK_TIMELINE_SVG)
        draw(w, m);
    return w->out->failed ? rk_fail_memory(err) : RK_OK;
}
