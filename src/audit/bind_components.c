/* SPDX-License-Identifier: MIT */
/*
 * Components that a table or a list names in a word or two: "QKV proj | 14 %", "FFN flops: 30,198,988,800".  What such
 * a word may mean is a few sets of products, and each of them may be counted for one layer or for all, of all FLOPs or
 * of those of the layers.  A figure that is none of these is wrong, if the sizes are sure and the text is of the model.
 */
#include "audit/bind_books.h"

#include <math.h>
#include <string.h>

enum {
    FFN_FACTORS = 6
};

/* ---- figures ----------------------------------------------------------------------------------------------------- */

/* The nearest of all that a share may be; *found is what it should be of the whole. */
static double nearest_share(const rk_figure *f, const rk_books *b, const rk_meaning *m, double *found)
{
    const unsigned wholes[] = {RK_BOOK_WHOLE, RK_BOOK_LAYERS, RK_BOOK_ATTENTION, RK_BOOK_FFN};
    double best = HUGE_VAL, best_of_whole = HUGE_VAL;

    for (size_t i = 0; i < m->n; i++)
        for (size_t k = 0; k < sizeof wholes / sizeof *wholes; k++) {
            double part = rk_books_flops(b, m->set[i]), whole = rk_books_flops(b, wholes[k]), off;

            if (part <= 0 || whole <= 0 || (m->set[i] & ~wholes[k]))
                continue;
            off = rk_books_units_off(f, part / whole, false);
            best = fmin(best, off);
            if (wholes[k] == RK_BOOK_WHOLE && off < best_of_whole) {
                best_of_whole = off;
                *found = part / whole;
            }
        }
    return best;
}

/* The nearest of all FLOPs that a figure may be: of one layer or all, forward, backward or both. */
static double nearest_flops(const rk_figure *f, const rk_books *b, const rk_meaning *m, const double tokens[2],
                            double *found)
{
    const double times[] = {1, 2, 3, 0.5};
    double best = HUGE_VAL, nearest = HUGE_VAL;

    for (size_t i = 0; i < m->n; i++) {
        double all = rk_books_flops(b, m->set[i]), of[] = {all, m->set[i] & RK_BOOK_HEAD ? all : all / b->layers};

        for (size_t k = 0; k < 2 && all > 0; k++) {
            for (size_t j = 0; j < sizeof times / sizeof *times; j++) {
                if ((times[j] < 1 && !(f->said & RK_SAID_MACS)) || (times[j] > 1 && i > 0)) /* of what is likeliest */
                    continue;
                best = fmin(best, rk_books_units_off(f, of[k] * times[j], j > 0));
                best = fmin(best, rk_books_units_off(f, of[k] * times[j] / tokens[0], true));
                best = fmin(best, rk_books_units_off(f, of[k] * times[j] / tokens[1], true));
                best = fmin(best, rk_books_units_off(f, of[k] * times[j] / tokens[0] / tokens[1], true));
            }
            if (fabs(log(f->size / of[k])) < nearest) {
                nearest = fabs(log(f->size / of[k]));
                *found = of[k];
            }
        }
    }
    return best;
}

/* "2.68 × 36 = 96.5": rounded to three digits, and then multiplied; "about 616" is no mistake for 607. */
static bool is_rounded_on_the_way(const rk_figure *f, double found)
{
    const double three_digits = 0.005, five_digits = 1e4, about = 0.025;
    double off = fabs(f->size / found - 1);

    return (off <= three_digits && f->size / (2 * f->slack) < five_digits) ||
           (off <= about && (f->side->about || f->side->literal.about));
}

/* "Attention" above a table, and a total in it: that of the part, or of a layer. */
static bool is_total_of_part(const rk_binder *b, const rk_figure *f, const rk_book_label *own)
{
    rk_book_label all = rk_book_label_read(b->a->lexicon, f->names);

    return own->total && !own->layers && !own->rows && !own->attention && !own->ffn &&
           (all.attention || all.ffn || (all.rows & ~(unsigned)RK_BOOK_HEAD) || (f->said & RK_SAID_ONE));
}

/* "d_ff = 4 × d_model throughout" */
static bool says_four_widths(const rk_binder *b, const rk_symbol *width, const rk_symbol *ffn)
{
    rk_pool *p = b->a->pool;

    for (rk_sym s = 0; s < b->n_symbol; s++)
        for (const rk_definition *d = b->symbol[s] == ffn ? rk_define_of(&b->a->definitions, RK_DEFINE_FORMULA, s)
                                                          : NULL;
             d; d = d->next)
            for (rk_sym w = 0; w < b->n_symbol; w++)
                if (b->symbol[w] == width && rk_ex_div(p, d->value, rk_ex_sym(p, w)) == rk_ex_int(p, 4))
                    return true;
    return false;
}

bool rk_bind_is_width_said(const rk_binder *b, const rk_figure *f)
{
    const rk_symbol *ffn = rk_bind_of_role(b, b->source->instance->model, RK_LETTER_FFN_WIDTH);

    for (rk_sym s = 0; s < b->n_symbol; s++)
        for (const rk_definition *d = ffn && b->symbol[s] == ffn ? rk_define_of(&b->a->definitions, RK_DEFINE_NUMBER, s)
                                                                 : NULL;
             d; d = d->next)
            if (rk_scan_section(&b->a->scan, d->piece->scope) == f->section)
                return true;
    return false;
}

/*
 * A text that gives the width of another model often leaves out that of its FFN, which is 4D where it is plain, and
 * about 8D/3, rounded to 64, where it is gated; or it says that it is that of the model itself.  What these are of the
 * width that was taken; 0: none is known, because someone has set that of the model by hand.
 */
static size_t ffn_factors(const rk_binder *b, const rk_figure *of, const rk_sizing *at, double factor[FFN_FACTORS])
{
    const double step = 64;
    const rk_model *m = b->source->instance->model;
    const rk_symbol *width = rk_bind_of_role(b, m, RK_LETTER_WIDTH), *ffn = rk_bind_of_role(b, m, RK_LETTER_FFN_WIDTH);
    const rk_setting *given = b->source->reopen->setting;
    size_t n_given = b->source->reopen->n_setting;
    const rk_symbol *d, *f;
    double gated;

    factor[0] = 1;
    if (!width || !ffn || !rk_bind_setting(at->setting, at->n, width->name))
        return 1;
    d = rk_model_symbol(at->instance->model, width->name);
    f = rk_model_symbol(at->instance->model, ffn->name);
    if (!d || !f || f->value <= 0)
        return 1;
    if (rk_bind_setting(at->setting, at->n, ffn->name) && rk_bind_stands_in_text(b, f->value))
        return 1;
    if (!rk_bind_setting(given, n_given, ffn->name) && says_four_widths(b, width, ffn))
        return 1;
    if (rk_bind_setting(given, n_given, ffn->name) && !rk_bind_setting(at->setting, at->n, ffn->name))
        return 0;
    gated = (double)d->value * 8 / 3;
    factor[1] = 4 * (double)d->value / (double)f->value;
    factor[2] = gated / (double)f->value;
    factor[3] = ceil(gated / step) * step / (double)f->value;
    factor[4] = floor(gated / step) * step / (double)f->value;
    factor[5] = rk_bind_is_width_said(b, of) ? (double)ffn->value / (double)f->value : 1; /* the same for all models */
    return FFN_FACTORS;
}

/* How far a figure is from all that its label may mean at some sizes; *found is the likeliest. */
double rk_bind_nearest(const rk_binder *b, const rk_figure *f, const rk_sizing *at, const rk_meaning *m, double *found)
{
    const rk_symbol *sequence = rk_bind_sequence(b, at->instance->model);
    const rk_symbol *batch = rk_bind_of_role(b, at->instance->model, RK_LETTER_BATCH);
    double tokens[] = {sequence ? (double)sequence->value : 1, batch ? (double)batch->value : 1};
    const double products[] = {1, 0.5, 0};
    double factor[FFN_FACTORS], best = HUGE_VAL, other;
    size_t n = ffn_factors(b, f, at, factor);
    rk_books of;

    if (n == 0 || !rk_books_read(b->a->lexicon, at->index, &of))
        return 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < sizeof products / sizeof *products; k++) {
            double *to = i == 0 && k == 0 ? found : &other;

            if (k > 0 && !rk_books_left_out_on_purpose(b, products[k]))
                continue;
            of.factor.ffn = factor[i];
            of.factor.products = products[k];
            best = fmin(best, f->query.kinds == RK_INDEX_IS(SHARE) ? nearest_share(f, &of, m, to)
                                                                   : nearest_flops(f, &of, m, tokens, to));
        }
    return best;
}

static void judge(rk_binder *b, rk_figure *f)
{
    bool share = f->query.kinds == RK_INDEX_IS(SHARE);
    const double factor_most = !share ? 20 : f->placed ? 1000 : 100;
    rk_book_label words = rk_book_label_read(b->a->lexicon, f->own);
    rk_meaning m = rk_book_label_meaning(&words);
    double found = 0, other = 0;
    const rk_index_entry *e;

    if (rk_book_label_is_empty(&words) && (f->said & RK_SAID_ONE)) /* "per block: 19.4 GFLOPs" */
        rk_meaning_add(&m, RK_BOOK_LAYERS);
    if (m.n == 0 || rk_bind_is_of_other_things(b, f) || rk_bind_nearest(b, f, f->at, &m, &found) < 1 || found <= 0 ||
        is_total_of_part(b, f, &words))
        return;
    for (size_t i = 0; i < RK_BIND_LENGTHS_MAX; i++) {
        rk_sizing *at = rk_bind_at_length(b, f->at, i);

        if (!at)
            continue;
        if (rk_bind_nearest(b, f, at, &m, &other) < 1)
            return;
        if (!f->placed && other > 0 && fabs(log(f->size / other)) < fabs(log(f->size / found))) {
            found = other;
            f->at = at;
        }
    }
    /* Of two digits some part of it is near by chance. */
    if ((share && rk_bind_is_sharp(f, RK_WEIGH_ROUGH) && rk_bind_component_holds(b, f)) ||
        (!share && is_rounded_on_the_way(f, found)) || f->size / found > factor_most || found / f->size > factor_most)
        return;
    e = rk_books_entry(b, f, f->at, &m, found);
    if (!e && m.n > 1) { /* no sum of the books: what the label means first */
        m.n = 1;
        rk_bind_nearest(b, f, f->at, &m, &found);
        e = rk_books_entry(b, f, f->at, &m, found);
    }
    if (!e)
        return;
    f->bound = (rk_bound){.status = share && rk_bind_is_rounded_share(f, fabs(f->size - found)) ? RK_CLAIM_SLIP
                                                                                                : RK_CLAIM_WRONG,
                          .entry = e,
                          .value = e->value};
}

static bool holds_at(const rk_binder *b, const rk_figure *f, const rk_sizing *at, const rk_meaning *m, size_t n)
{
    double found = 0;

    for (size_t i = 0; i < n; i++)
        if (m[i].n > 0 && rk_bind_nearest(b, f, at, &m[i], &found) < 1)
            return true;
    return false;
}

bool rk_bind_is_meant(rk_binder *b, const rk_figure *f, const rk_meaning *m, size_t n)
{
    if (holds_at(b, f, f->at, m, n))
        return true;
    for (size_t i = 0; i < RK_BIND_LENGTHS_MAX; i++) {
        rk_sizing *at = rk_bind_at_length(b, f->at, i);

        if (at && holds_at(b, f, at, m, n))
            return true;
    }
    return false;
}

bool rk_bind_component_holds(rk_binder *b, const rk_figure *f)
{
    rk_book_label words = rk_book_label_read(b->a->lexicon, f->own);
    rk_meaning m[2];

    rk_book_label_loosely(&words, m);
    return rk_bind_is_meant(b, f, m, 2);
}

bool rk_bind_is_said_width(const rk_binder *b, const rk_figure *f)
{
    rk_book_label words = rk_book_label_read(b->a->lexicon, f->own);
    rk_meaning m = rk_book_label_meaning(&words);
    double found = 0;

    return m.n > 0 && rk_bind_is_width_said(b, f) && rk_bind_nearest(b, f, f->at, &m, &found) < 1;
}

size_t rk_bind_line(const rk_binder *b, const rk_figure *f)
{
    return rk_scan_line(&b->a->scan, b->a->lexed.token.at[f->side->from].at);
}

/* "FFN flops: 30,198,988,800": a colon or so stands before it. */
static bool is_after_mark(const rk_binder *b, const rk_figure *f)
{
    static const char *const marks[] = {":", "=", "→", "≈", "：", "＝"};
    const char *text = b->a->scan.text;
    uint32_t at = b->a->lexed.token.at[b->a->chains.side.at[f->chain->first].from].at;

    while (at > 0 && strchr(" \t*~`$", text[at - 1]))
        at--;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        size_t n = strlen(marks[i]);

        if (at >= n && strncmp(text + at - n, marks[i], n) == 0)
            return true;
    }
    return false;
}

/*
 * The only share of a short line, one of a list of them ("FFN: 67 %, head: 4 %"), or one in a table: what is longer
 * compares, or tells a story.
 */
static bool is_item(const rk_binder *b, const rk_figure *f)
{
    enum {
        LINE_MAX = 120
    };
    const rk_piece *p = &b->a->scan.piece.at[f->chain->piece];
    const rk_figure *g = f - (f->number > 0), *end = b->figure.at + b->figure.n;
    size_t line = rk_bind_line(b, f);
    uint32_t from, to;

    if (p->kind == RK_PIECE_CELL)
        return true;
    rk_scan_line_range(&b->a->scan, line, &from, &to);
    if (p->kind == RK_PIECE_HEADING || to - from > LINE_MAX || (p->kind == RK_PIECE_TEXT && !is_after_mark(b, f)))
        return false;
    for (; g < f + 2 && g < end; g++)
        if (g != f && !g->formula && rk_bind_line(b, g) == line && g->query.kinds == f->query.kinds &&
            !(is_after_mark(b, f) && is_after_mark(b, g)))
            return false;
    return true;
}

void rk_bind_components(rk_binder *b)
{
    if (!rk_books_are_of_text(b))
        return;
    for (size_t i = 0; i < b->figure.n; i++) {
        rk_figure *f = &b->figure.at[i];
        bool share = f->query.kinds == RK_INDEX_IS(SHARE);

        if (f->bound.status != RK_CLAIM_UNKNOWN || f->bound.entry || f->formula || f->chain->n > 1)
            continue;
        if (!is_item(b, f))
            continue;
        if (share ? !(f->share_of & RK_INDEX_OPERATIONS) : !(f->query.kinds & RK_INDEX_OPERATIONS) || !f->kind_said)
            continue;
        if ((!f->placed && !f->titled && rk_bind_names_other(b, f)) || rk_bind_is_of_open_length(b, f))
            continue;
        judge(b, f);
    }
}
