/* SPDX-License-Identifier: MIT */
/* What both files of a timeline share, and the table, which is written while it is walked. */
#include "report/film.h"

#include <string.h>

void rk_film_put_path(rk_str *out, const rk_program *p, const rk_op *op)
{
    const char *path = p->part[op->part].path, *name = op->name ? op->name : "";

    rk_str_put_safe(out, path, strlen(path));
    rk_str_put(out, path[0] && name[0] ? "." : "");
    rk_str_put_safe(out, name, strlen(name));
}

/* ---- the table -------------------------------------------------------------------------------------------------- */

static void put_head(rk_str *out)
{
    rk_str_put(out, "step,phase,operation,layer,bytes");
    for (size_t i = 0; i < RK_N_ALIVE; i++)
        rk_str_format(out, ",%s", rk_alive_table[i].word);
    rk_str_put(out, "\r\n");
}

/* Names of operations are words with dots between them: nothing in them needs quotes. */
void rk_film_csv_see(rk_film_writer *w, const rk_film_frame *frame)
{
    rk_str_format(w->out, "%zu,%s,", w->n_frame, rk_act_word[frame->act]);
    if (frame->op)
        rk_film_put_path(w->out, w->program, frame->op);
    rk_str_putc(w->out, ',');
    for (size_t i = 0; i < frame->n_layer; i++)
        rk_str_format(w->out, "%s%u", i ? "." : "", frame->layer[i]);
    rk_str_putc(w->out, ',');
    rk_str_num(w->out, frame->total);
    for (size_t i = 0; i < RK_N_ALIVE; i++) {
        rk_str_putc(w->out, ',');
        rk_str_num(w->out, frame->bytes[i]);
    }
    rk_str_put(w->out, "\r\n");
}

/* ---- the columns of a picture ----------------------------------------------------------------------------------- */

static void halve(rk_film_writer *w)
{
    for (size_t i = 0; i < w->n_column / 2; i++) {
        rk_film_column *a = &w->column[2 * i], *b = a + 1;
        uint32_t layer = a->layer;

        w->column[i] = b->total > a->total ? *b : *a;
        w->column[i].layer = layer;
    }
    w->n_column /= 2;
    w->each *= 2;
    w->in = w->each;
}

static void put_step(rk_film_writer *w, const rk_film_frame *frame)
{
    rk_film_column *c = &w->column[w->n_column];

    *c = (rk_film_column){.total = frame->total, .layer = RK_NONE};
    memcpy(c->bytes, frame->bytes, sizeof c->bytes);
}

static void put_column(rk_film_writer *w, const rk_film_frame *frame)
{
    rk_film_column *c;

    if (w->in == w->each && w->n_column == RK_FILM_COLUMNS)
        halve(w);
    if (w->in == w->each) {
        w->in = 0;
        w->column[w->n_column++] = (rk_film_column){.total = -1, .layer = frame->n_layer ? frame->layer[0] : RK_NONE};
    }
    w->in++;
    c = &w->column[w->n_column - 1];
    if (frame->total <= c->total)
        return;
    c->total = frame->total;
    memcpy(c->bytes, frame->bytes, sizeof c->bytes);
}

/* ---- both ------------------------------------------------------------------------------------------------------- */

static void note_peak(rk_film_writer *w, const rk_film_frame *frame)
{
    if (w->n_frame > 0 && frame->total <= w->peak.total)
        return;
    w->peak = *frame;
    w->peak_at = w->n_frame;
    w->peak_layer = frame->n_layer ? frame->layer[0] : RK_NONE;
}

static void see(void *self, const rk_film_frame *frame)
{
    rk_film_writer *w = self;

    if (!w->seen[frame->act])
        w->first[frame->act] = w->n_frame;
    w->seen[frame->act] = true;
    note_peak(w, frame);
    if (w->kind == RK_FILM_SVG && frame->act == RK_ACT_OPTIMIZER)
        put_step(w, frame);
    else if (w->kind == RK_FILM_SVG)
        put_column(w, frame);
    else if (w->n_frame < RK_FILM_ROWS_MAX)
        rk_film_csv_see(w, frame);
    w->n_frame++;
}

rk_film_writer *rk_film_writer_new(rk_arena *a, rk_film_kind kind, const rk_model *m, rk_str *out)
{
    rk_film_writer *w = RK_NEW(a, rk_film_writer);
    rk_film_column *column = RK_NEW_ARRAY(a, RK_FILM_COLUMNS + 1, rk_film_column);

    if (!w || !column)
        return NULL;
    *w = (rk_film_writer){.kind = kind, .out = out, .program = &m->program, .column = column, .each = 1, .in = 1};
    if (kind == RK_FILM_CSV)
        put_head(out);
    return w;
}

rk_viewer rk_film_writer_viewer(rk_film_writer *w)
{
    return (rk_viewer){.see = see, .self = w};
}

int rk_film_writer_end(rk_film_writer *w, const rk_memory *m, rk_err *err)
{
    if (w->kind == RK_FILM_CSV && w->n_frame > RK_FILM_ROWS_MAX)
        return rk_fail(err, RK_ELIMIT,
                       "the timeline has %zu rows, more than a table may have (%zu): take fewer layers, or a picture "
                       "(--timeline FILE.svg)",
                       w->n_frame, RK_FILM_ROWS_MAX);
    if (w->kind == RK_FILM_SVG)
        rk_film_svg_draw(w, m);
    return w->out->failed ? rk_fail_memory(err) : RK_OK;
}
