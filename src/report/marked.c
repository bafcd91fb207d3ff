/* SPDX-License-Identifier: MIT */
/* A line of somebody's text on a terminal: what is said of a piece of it stands below that piece. */
#include "report/text.h"

static const struct {
    rk_ink ink;
    char below; /* nothing is said by colour alone; report/check_parts.c says what they are */
} look[RK_N_MARK] = {
    [RK_MARK_NONE] = {RK_INK_PLAIN, ' '},        [RK_MARK_RIGHT] = {RK_INK_RIGHT, '-'},
    [RK_MARK_WRONG] = {RK_INK_WARNING, '^'},     [RK_MARK_SLIP] = {RK_INK_SLIP, '~'},
    [RK_MARK_DOUBTFUL] = {RK_INK_DOUBTFUL, '?'}, [RK_MARK_UNKNOWN] = {RK_INK_FAINT, '.'},
};

enum {
    NOTE_LEAST = 24, /* columns that a note needs */
    MOST = 100       /* of notes: longer lines are hard to read */
};

/* A piece of a piece of the line. */
typedef struct part {
    size_t span, from, to; /* bytes of its text */
} part;

/* Rows that the line is broken into, each with the pieces in it. */
typedef struct drawing {
    const rk_pen *pen;
    const rk_item *item;
    size_t before; /* columns before the line */
    size_t span, at;
    bool noted; /* the note stands beside its mark already */
} drawing;

static size_t width_of(const drawing *d, const char *text, size_t n)
{
    rk_str piece = {0};
    size_t width;

    rk_str_putn(&piece, text, n);
    width = rk_text_width(rk_str_text(&piece));
    d->pen->out->failed |= piece.failed;
    rk_str_free(&piece);
    return width;
}

/* The next piece of at most n bytes of the line; false: it is at its end. */
static bool next_part(drawing *d, size_t n, part *out)
{
    size_t left;

    while (d->span < d->item->n_span && !d->item->span[d->span].text[d->at]) {
        d->span++;
        d->at = 0;
    }
    if (d->span == d->item->n_span || n == 0)
        return false;
    left = strlen(d->item->span[d->span].text + d->at);
    *out = (part){d->span, d->at, d->at + (left < n ? left : n)};
    d->at = out->to;
    return true;
}

static void put_before(const drawing *d, const char *label)
{
    rk_str_fill(d->pen->out, ' ', (size_t)d->item->indent * d->pen->indent);
    if (d->item->label) {
        rk_pen_put(d->pen, RK_INK_FAINT, label, strlen(label));
        rk_str_fill(d->pen->out, ' ', rk_text_width(d->item->label) - rk_text_width(label));
        rk_pen_put(d->pen, RK_INK_FAINT, " │ ", strlen(" │ "));
    }
}

/* Notes of a line: how many, and the last one. */
static size_t count_notes(const rk_item *item, const char **last)
{
    size_t n = 0;

    for (size_t i = 0; i < item->n_span; i++)
        if (item->span[i].note && item->span[i].note[0]) {
            *last = item->span[i].note;
            n++;
        }
    return n;
}

/* The marks below a row of n bytes, and, where there is one note and room for it, that. */
static void put_below(drawing *d, drawing from, size_t n)
{
    size_t used = 0, marked = 0, blank = 0;
    const char *note = NULL;
    bool any = false;
    part p;

    for (drawing look_at = from; next_part(&look_at, n - marked, &p); marked += p.to - p.from)
        any |= d->item->span[p.span].mark != RK_MARK_NONE;
    if (!any)
        return;
    put_before(d, "");
    for (marked = 0; next_part(&from, n - marked, &p); marked += p.to - p.from) {
        const rk_marked_span *s = &d->item->span[p.span];
        size_t width = width_of(d, s->text + p.from, p.to - p.from);
        rk_str below = {0};

        if (s->mark == RK_MARK_NONE) {
            blank += width;
            continue;
        }
        rk_str_fill(d->pen->out, ' ', blank);
        rk_str_fill(&below, look[s->mark].below, width);
        rk_pen_put(d->pen, look[s->mark].ink, rk_str_text(&below), below.n);
        rk_str_free(&below);
        used += blank + width;
        blank = 0;
    }
    if (from.span >= d->item->n_span && count_notes(d->item, &note) == 1 &&
        d->before + used + 1 + rk_text_width(note) <= (d->pen->columns < MOST ? d->pen->columns : MOST)) {
        rk_str_putc(d->pen->out, ' ');
        rk_str_put(d->pen->out, note);
        d->noted = true;
    }
    rk_pen_end_line(d->pen);
}

static void put_row(drawing *d, size_t n)
{
    size_t done = 0;
    part p;

    for (; next_part(d, n - done, &p); done += p.to - p.from) {
        const rk_marked_span *s = &d->item->span[p.span];

        rk_pen_put(d->pen, look[s->mark].ink, s->text + p.from, p.to - p.from);
    }
    rk_pen_end_line(d->pen);
}

static void put_notes(const drawing *d)
{
    for (size_t i = 0; i < d->item->n_span && !d->noted; i++) {
        const rk_marked_span *s = &d->item->span[i];
        const char *text = s->note;
        size_t room = d->pen->columns > d->before + NOTE_LEAST ? d->pen->columns - d->before : NOTE_LEAST, next = 0;

        while (text && *text && !d->pen->out->failed) {
            size_t n = rk_wrap(text, room < MOST ? room : MOST, RK_BREAK_WORDS, &next);

            put_before(d, "");
            rk_pen_put(d->pen, look[s->mark].ink, text, n);
            rk_pen_end_line(d->pen);
            text += next;
        }
    }
}

void rk_marked_text(const rk_pen *pen, const rk_item *item)
{
    drawing d = {.pen = pen, .item = item, .before = (size_t)item->indent * pen->indent};
    const char *text = item->text, *label = item->label ? item->label : "";
    size_t room;

    d.before += item->label ? rk_text_width(item->label) + 3 : 0;
    room = pen->columns > d.before + NOTE_LEAST ? pen->columns - d.before : NOTE_LEAST;
    do {
        size_t next = 0, n = rk_wrap(text, room, RK_BREAK_WORDS, &next);
        drawing row = d;
        part gone;

        put_before(&d, label);
        put_row(&d, n);
        put_below(&d, row, n);
        /* Blanks at the break are in no row. */
        for (size_t over = next > n ? next - n : 0; next_part(&d, over, &gone); over -= gone.to - gone.from)
            ;
        text += next;
        label = "";
    } while (*text && !pen->out->failed);
    put_notes(&d);
}
