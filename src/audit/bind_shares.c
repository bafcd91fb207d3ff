/* SPDX-License-Identifier: MIT */
/*
 * Shares that stand beside what they are shares of: "FFN | 2.01 TFLOPs | 57.4 %" below a total of 3.51 TFLOPs.  What
 * the two figures are is known by then, and so is what the share should be; one that was worked out of a figure of
 * another model, or out of a wrong one, is wrong with it.
 */
#include "audit/bind_parts.h"

#include <math.h>
#include <string.h>

static const rk_piece *piece_of(const rk_binder *b, const rk_figure *f)
{
    return &b->a->scan.piece.at[f->chain->piece];
}

static bool is_decided(const rk_figure *f)
{
    return f->bound.entry && f->bound.value == f->bound.entry->value && f->bound.value > 0 && !f->formula &&
           (f->bound.entry->kind == RK_INDEX_FLOPS || f->bound.entry->kind == RK_INDEX_PARAMS);
}

/* The figure of a part that a share stands beside: of its row, or before it on its line; NULL: there is none. */
static const rk_figure *part_beside(const rk_binder *b, const rk_figure *f)
{
    enum {
        NEAR = 8 /* cells of a row */
    };
    const rk_piece *p = piece_of(b, f);
    const rk_figure *first = f - (f->number < NEAR ? f->number : NEAR);

    for (const rk_figure *g = f; g-- > first;) {
        const rk_piece *q = piece_of(b, g);
        bool beside = p->kind == RK_PIECE_CELL ? q->kind == RK_PIECE_CELL && q->table == p->table && q->row == p->row
                                               : q == p && g == f - 1;

        if (!beside)
            return NULL;
        if (is_decided(g) && g->bound.entry->path[0])
            return g;
    }
    return NULL;
}

/* The whole that such parts are parts of: in their column, or the nearest of their section. */
static const rk_figure *whole_of(const rk_binder *b, const rk_figure *part)
{
    enum {
        NEAR = 32
    };
    const rk_piece *p = piece_of(b, part);
    const rk_figure *all = b->figure.at;
    size_t at = part->number;

    for (size_t k = 1; k < 2 * NEAR; k++) { /* the next one, the one before, and so on */
        size_t i = k % 2 ? at + (k + 1) / 2 : at - k / 2;
        const rk_figure *g = k % 2 == 0 && k / 2 > at ? NULL : i < b->figure.n ? &all[i] : NULL;
        const rk_piece *q = g ? piece_of(b, g) : NULL;

        if (g && is_decided(g) && !g->bound.entry->path[0] && !g->bound.entry->with && g->at == part->at &&
            g->bound.entry->kind == part->bound.entry->kind && g->section == part->section &&
            (p->kind == RK_PIECE_CELL ? q->kind == RK_PIECE_CELL && q->table == p->table && q->column == p->column
                                      : q->kind != RK_PIECE_CELL))
            return g;
    }
    return NULL;
}

/* What shares are of: what the text says that it is, what it is, and a figure of it that is wrong; NULL: none is. */
typedef struct whole {
    double said, is;
    const rk_figure *wrong;
} whole;

/* The forward FLOPs or the parameters of the whole model, if so many are nearly these; else 0. */
static double whole_near(const rk_figure *part, double value)
{
    const double near = 0.005;
    const rk_index_entry *end;

    for (const rk_index_entry *e = rk_index_from(part->at->index, (rk_i128)(value * (1 - near)), SIZE_MAX, &end);
         e < end && (double)e->value < value * (1 + near); e++)
        if (!e->path[0] && !e->with && !e->convention && e->kind == part->bound.entry->kind &&
            strcmp(e->what, part->bound.entry->what) == 0 && fabs((double)e->value / value - 1) < near)
            return (double)e->value;
    return 0;
}

/* "attn | 27 %", "ffn | 69 %", "head | 4 %" without a total: all parts of the model, one after the other. */
static bool add_parts(const rk_binder *b, const rk_figure *f, const rk_figure *part, whole *out)
{
    enum {
        NEAR = 16,
        PARTS_LEAST = 3
    };
    const rk_figure *all = b->figure.at, *last = NULL;
    size_t from = f->number > NEAR ? f->number - NEAR : 0, n = 0;
    double is = 0;

    *out = (whole){0};
    for (size_t i = from; i < b->figure.n && i < f->number + NEAR; i++) {
        const rk_figure *of = all[i].query.kinds == RK_INDEX_IS(SHARE) ? part_beside(b, &all[i]) : NULL;

        if (!of || of == last || of->at != part->at || of->section != part->section ||
            of->bound.entry->kind != part->bound.entry->kind)
            continue;
        out->said += of->size;
        is += (double)of->bound.value;
        out->wrong = of->bound.status == RK_CLAIM_WRONG ? of : out->wrong;
        last = of;
        n++;
    }
    out->is = n >= PARTS_LEAST ? whole_near(part, is) : 0;
    return out->is > 0;
}

/* The share that a part has of a whole, under its name or another one; NULL: it is in no index. */
static const rk_index_entry *share_of(const rk_figure *part, double of)
{
    const double near = 1e-9;
    const rk_index_entry *found = NULL;
    double unit = (double)RK_INDEX_SHARE_UNIT, share = (double)part->bound.value / of;
    const rk_index_entry *end;

    for (const rk_index_entry *e = rk_index_from(part->at->index, (rk_i128)((share - near) * unit), SIZE_MAX, &end);
         e < end && (double)e->value / unit < share + near; e++)
        if (e->kind == RK_INDEX_SHARE && e->of == part->bound.entry->kind &&
            fabs((double)e->value / unit - share) < near && (!found || strcmp(e->path, part->bound.entry->path) == 0))
            found = e;
    return found;
}

static void bind_share(rk_binder *b, rk_figure *f)
{
    const double exact = 1e-5; /* written with so many digits, it was worked out by a program */
    const double rounding = f->slack < exact ? exact : 0.01; /* else perhaps of rounded figures */
    const double loose = 0.01;                               /* of the figures that are shown beside it */
    const rk_figure *part = part_beside(b, f), *total = part ? whole_of(b, part) : NULL, *wrong;
    const rk_index_entry *e;
    whole of = {0};
    double off;

    if (total)
        of = (whole){total->size, (double)total->bound.value, total->bound.status == RK_CLAIM_WRONG ? total : NULL};
    if (!part || (!total && !add_parts(b, f, part, &of)))
        return;
    e = share_of(part, of.is);
    if (!e || fabs(f->size - part->size / of.said) > f->slack + loose * f->size)
        return;
    off = fabs(f->size - (double)e->value / (double)RK_INDEX_SHARE_UNIT);
    wrong = part->bound.status == RK_CLAIM_WRONG ? part : of.wrong;
    if (off <= f->slack)
        f->bound = (rk_bound){.status = RK_CLAIM_RIGHT, .entry = e, .value = e->value};
    else if (wrong && off > rounding * f->size + f->slack)
        f->bound = (rk_bound){.status = RK_CLAIM_WRONG,
                              .entry = e,
                              .value = e->value,
                              .why = rk_bind_from_line(b, "it is of the wrong figure", wrong->side),
                              .source = wrong->side};
    if (f->bound.entry == e)
        f->at = part->at;
}

void rk_bind_shares(rk_binder *b)
{
    for (size_t i = 0; i < b->figure.n; i++)
        if (b->figure.at[i].query.kinds == RK_INDEX_IS(SHARE) && !b->figure.at[i].bound.entry)
            bind_share(b, &b->figure.at[i]);
}
