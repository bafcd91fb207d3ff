/* SPDX-License-Identifier: MIT */
/*
 * One mistake that many figures have in common: the FFN of a small model is taken to be as wide as that of the large
 * one, the products of attention are those of one head, one of them is left out.  Each figure is right as a
 * computation, and none is the model's.  Where several figures of one size are what they would be with the same
 * mistake, to their last digit, and are nothing that the model has, it is known which mistake was made.
 */
#include "audit/bind_books.h"
#include "base/num.h"

#include <math.h>

enum {
    ONE_HEAD = 3,      /* a way */
    WAYS = 8,          /* to count the products of a layer and the head */
    KINDS = 4 * WAYS,  /* with or without other layers and other widths */
    TELLING_LEAST = 3, /* figures of a size that tell of a mistake */
    POOLED_LEAST = 5,  /* the same of several sizes */
    UNITS_LEAST = 2    /* of the last digit, by which a figure of few digits is off */
};

/* How someone may have counted. */
typedef struct assumption {
    rk_book_factors factor; /* so many times what the model has */
    bool is;                /* it is one, at this size */
} assumption;

/* A figure of a component, and what is known of it. */
typedef struct candidate {
    rk_figure *f;
    rk_meaning meaning;
    bool holds;      /* it is something that its label may mean */
    bool unnamed;    /* FLOPs of no component, which may be those of the whole: they tell of nothing */
    bool width_said; /* its section gives a width of the FFN: another one is not assumed, but meant */
} candidate;

typedef RK_VEC(candidate) candidates;

/* ---- what may have been assumed ---------------------------------------------------------------------------------- */

/* What the model itself has of a size, where another model of the text has less or more; 0: it is the same, or said. */
static rk_i128 kept_size(const rk_binder *b, const rk_sizing *at, rk_letter_role role, rk_i128 *here)
{
    const rk_symbol *own = rk_bind_of_role(b, b->source->instance->model, role);
    const rk_symbol *there = own ? rk_model_symbol(at->instance->model, own->name) : NULL;

    if (!there || own->value <= 0 || there->value <= 0 || own->value == there->value)
        return 0;
    if (rk_bind_setting(at->setting, at->n, own->name) && role == RK_LETTER_FFN_WIDTH &&
        rk_bind_stands_in_text(b, there->value))
        return 0;
    *here = there->value;
    return own->value;
}

static const char *join(rk_binder *b, const char *first, const char *then)
{
    return !first ? then : !then ? first : rk_arena_format(&b->a->arena, "%s, and %s", first, then);
}

/* Ways to count the products of a layer and of the head: how many of each, and what is said of it. */
static const struct {
    rk_book_factors factor;
    const char *why;
} ways[WAYS] = {
    /* FFN, layers, products, QKV, output, head */
    {{1, 1, 1, 1, 1, 1}, NULL},
    {{1, 1, 0, 1, 1, 1}, "the products of queries, keys and values are left out"},
    {{1, 1, 0.5, 1, 1, 1}, "one of the two products of attention is left out"},
    {{1, 1, 1, 1, 1, 1}, "the products of attention are those of one head"}, /* ONE_HEAD */
    {{1, 1, 1, 1.0 / 3, 1, 1}, "one projection stands for those of queries, keys and values"},
    {{1, 1, 1, 1, 0, 1}, "the output projection of attention is left out"},
    {{1, 1, 1, 1, 1, 0.5}, "the head has one operation for each product, and all else two"},
    {{1, 1, 1, 1, 1, 2}, "the head is counted twice"},
};

/* How many times a size of another model is that of the model itself; 0: it is no other. */
static double kept(const rk_binder *b, const rk_sizing *at, rk_letter_role role)
{
    rk_i128 here = 0, size = kept_size(b, at, role, &here);

    return size > 0 ? (double)size / (double)here : 0;
}

/* All that may be assumed: each way to count, with or without the depth and the width of the model itself. */
static assumption assume(const rk_binder *b, const rk_sizing *at, size_t kind)
{
    const rk_symbol *heads = rk_bind_of_role(b, at->instance->model, RK_LETTER_HEADS);
    const size_t way = kind / 4;
    rk_book_factors x = ways[way].factor;

    if (way == ONE_HEAD && heads && heads->value > 1)
        x.products = 1 / (double)heads->value;
    x.layers = kind / 2 % 2 ? kept(b, at, RK_LETTER_LAYERS) : 1;
    x.ffn = kind % 2 ? kept(b, at, RK_LETTER_FFN_WIDTH) : 1;
    return (assumption){x, kind > 0 && x.layers > 0 && x.ffn > 0 && !(way == ONE_HEAD && x.products == 1) &&
                               !rk_books_left_out_on_purpose(b, x.products)};
}

/* The same as a text. */
static const char *reason(rk_binder *b, const rk_sizing *at, size_t kind)
{
    char number[RK_NUM_TEXT_MAX];
    const char *why = ways[kind / 4].why;
    rk_arena *a = &b->a->arena;
    rk_i128 here;

    if (kind / 2 % 2)
        why = join(b,
                   rk_arena_format(a, "what is stated has layers to the number of %s",
                                   rk_num_grouped(number, kept_size(b, at, RK_LETTER_LAYERS, &here))),
                   why);
    if (kind % 2)
        why = join(b,
                   rk_arena_format(a, "what is stated has an FFN of width %s",
                                   rk_num_grouped(number, kept_size(b, at, RK_LETTER_FFN_WIDTH, &here))),
                   why);
    return why;
}

/* ---- figures ----------------------------------------------------------------------------------------------------- */

/* What a figure would be with books of a mistake; *found is the same of those of the model.  false: something else. */
static bool is_with(const candidate *c, const rk_books *with, const rk_books *own, double tokens, double *found)
{
    const unsigned wholes[] = {RK_BOOK_WHOLE, RK_BOOK_LAYERS};
    const rk_figure *f = c->f;
    bool share = f->query.kinds == RK_INDEX_IS(SHARE);

    for (size_t i = 0; i < c->meaning.n && !(c->width_said && with->factor.ffn != 1); i++) {
        unsigned set = c->meaning.set[i];
        double part = rk_books_flops(with, set), own_part = rk_books_flops(own, set);

        for (size_t k = 0; k < 2 && part > 0 && share; k++) {
            *found = own_part / rk_books_flops(own, wholes[k]);
            if (!(set & ~wholes[k]) && rk_books_units_off(f, part / rk_books_flops(with, wholes[k]), true) < 1)
                return true;
        }
        for (size_t k = 0; k < 4 && part > 0 && !share; k++) { /* of all layers or one, per token */
            double times = (k & 1) && !(set & RK_BOOK_HEAD) ? 1 / own->layers : 1;

            times /= k & 2 ? tokens : 1;
            *found = own_part * times;
            if (rk_books_units_off(f, part * (k & 1 ? times / with->factor.layers : times), true) < 1)
                return true;
        }
    }
    return false;
}

/* A number without a unit may be of FLOPs where all of its digits stand there: it is so by no chance. */
static bool is_of_flops(const rk_figure *f)
{
    return (f->query.kinds & RK_INDEX_OPERATIONS) && (f->kind_said || rk_bind_is_sharp(f, RK_WEIGH_LONG));
}

static bool is_share_of_flops(const rk_figure *f)
{
    return !f->share_of || (f->share_of & RK_INDEX_OPERATIONS);
}

static bool has_letters(const char *names)
{
    while (*names && !rk_lexicon_is_letter(*names))
        names++;
    return *names != '\0';
}

/*
 * What a figure is of: a share behind another figure of its line, "mha: 676.46 GFLOPS (25.82%)", is of the same; one
 * that stands alone on its line, in an outline, is of what the line above says that is indented less.
 */
static const char *name_of(rk_binder *b, const rk_figure *f)
{
    const rk_figure *before = f->number > 0 ? f - 1 : NULL;

    if (has_letters(f->own) || b->a->scan.piece.at[f->chain->piece].kind == RK_PIECE_CELL)
        return f->own;
    if (before && f->query.kinds == RK_INDEX_IS(SHARE) && before->query.kinds != RK_INDEX_IS(SHARE) &&
        rk_bind_line(b, f) == rk_bind_line(b, before))
        return before->own;
    return rk_bind_outline_names(b, f);
}

/* Figures of components that have a name, in FLOPs or as a share of them. */
static candidates gather(rk_binder *b)
{
    candidates all = {0};

    for (size_t i = 0; i < b->figure.n; i++) {
        rk_figure *f = &b->figure.at[i];
        bool share = f->query.kinds == RK_INDEX_IS(SHARE);
        candidate c = {.f = f}, *slot;
        rk_book_label label;

        if (f->formula || f->size <= 0 || (share ? !is_share_of_flops(f) : !is_of_flops(f)))
            continue;
        label = rk_book_label_read(b->a->lexicon, name_of(b, f));
        c.meaning = rk_book_label_meaning(&label);
        if (label.ffn && rk_bind_is_sharp(f, RK_WEIGH_LONG)) /* one of its matrices */
            rk_meaning_add(&c.meaning, RK_BOOK_GATE);
        if (c.meaning.n == 0 && !share && f->side->unit && f->side->unit->kind == RK_WORD_UNIT_FLOPS &&
            !f->bound.entry) {
            rk_meaning_add(&c.meaning, RK_BOOK_WHOLE);
            c.unnamed = true;
        }
        if (c.meaning.n == 0 || rk_bind_is_of_other_things(b, f) || rk_bind_is_of_open_length(b, f))
            continue;
        c.holds = rk_bind_is_meant(b, f, &c.meaning, 1);
        c.width_said = rk_bind_is_width_said(b, f);
        slot = RK_PUSH(&b->arena, &all);
        if (slot)
            *slot = c;
    }
    return all;
}

/* ---- deciding ---------------------------------------------------------------------------------------------------- */

/* How well an assumption explains the figures of a size. */
typedef struct evidence {
    size_t n_fit, n_telling, n_against;
    double first; /* of those that tell */
    bool several; /* these are different figures */
} evidence;

static double tokens_of(const rk_binder *b, const rk_sizing *at)
{
    const rk_symbol *sequence = rk_bind_sequence(b, at->instance->model);

    return sequence && sequence->value > 0 ? (double)sequence->value : 1;
}

static evidence weigh(const rk_binder *b, const candidates *all, const rk_sizing *at, const rk_books *own,
                      const rk_books *with)
{
    evidence e = {0};

    for (size_t i = 0; i < all->n; i++) {
        const candidate *c = &all->at[i];
        double found;
        bool fits;

        if (c->f->at != at || c->unnamed)
            continue;
        fits = is_with(c, with, own, tokens_of(b, at), &found);
        e.n_fit += fits;
        if (!rk_bind_is_sharp(c->f, RK_WEIGH_ROUGH))
            continue;
        e.n_against += c->holds && !fits;
        if (!fits || c->holds)
            continue;
        e.several |= e.n_telling > 0 && c->f->size != e.first;
        e.first = c->f->size;
        e.n_telling++;
    }
    return e;
}

/* A figure of the text that is so by an assumption, and nothing that the model has, is wrong by it. */
static bool call_wrong(rk_binder *b, const candidate *c, rk_sizing *at, const assumption *a, const char *why,
                       const rk_side *source)
{
    rk_figure *f = c->f;
    rk_books own, with;
    const rk_index_entry *e;
    double found = 0;

    if (!rk_books_read(b->a->lexicon, at->index, &own))
        return false;
    with = own;
    with.factor = a->factor;
    if (!is_with(c, &with, &own, tokens_of(b, at), &found) || rk_books_units_off(f, found, true) < UNITS_LEAST)
        return false;
    e = rk_books_entry(b, f, at, &c->meaning, found);
    if (!e)
        return false;
    f->at = at;
    f->bound = (rk_bound){.status = RK_CLAIM_WRONG, .entry = e, .value = e->value, .why = why, .source = source};
    return true;
}

/* All figures of a size, at its length or at another one that the text speaks of. */
static void call_all(rk_binder *b, const candidates *all, rk_sizing *at, size_t kind)
{
    const assumption a = assume(b, at, kind);
    const char *why = reason(b, at, kind);
    const rk_side *source = NULL;

    for (size_t i = 0; i < all->n; i++) {
        const candidate *c = &all->at[i];
        bool is;

        if (c->f->at != at || c->holds || c->f->bound.status == RK_CLAIM_RIGHT || c->f->bound.status == RK_CLAIM_SLIP ||
            (c->unnamed && !rk_bind_is_sharp(c->f, RK_WEIGH_ROUGH)))
            continue;
        is = call_wrong(b, c, at, &a, why, source);
        for (size_t k = 0; k < RK_BIND_LENGTHS_MAX && !is; k++) {
            rk_sizing *other = rk_bind_at_length(b, at, k);

            is = other && rk_bind_is_sharp(c->f, RK_WEIGH_ROUGH) && call_wrong(b, c, other, &a, why, source);
        }
        source = is && !source ? c->f->side : source;
    }
}

/* What each assumption explains at a size. */
static void weigh_all(rk_binder *b, const candidates *all, const rk_sizing *at, const rk_books *own,
                      evidence out[KINDS])
{
    for (size_t kind = 0; kind < KINDS; kind++) {
        assumption a = assume(b, at, kind);
        rk_books with = *own;

        with.factor = a.factor;
        out[kind] = a.is ? weigh(b, all, at, own, &with) : (evidence){0};
    }
}

static bool is_telling(const evidence *here, const evidence *pooled)
{
    return here->n_against < here->n_telling &&
           ((here->several && here->n_telling >= TELLING_LEAST) ||
            (here->n_telling > 0 && pooled->n_telling >= POOLED_LEAST && 2 * pooled->n_against < pooled->n_telling));
}

void rk_bind_assumed(rk_binder *b)
{
    evidence found[RK_BIND_SIZES_MAX][KINDS] = {0}, pooled[KINDS] = {0};
    candidates all;
    size_t n;

    if (!rk_books_are_of_text(b))
        return;
    all = gather(b);
    n = b->n_sizing;
    for (size_t i = 0; i < n; i++) {
        rk_books own;

        if (!b->sizing[i].index || !rk_books_read(b->a->lexicon, b->sizing[i].index, &own))
            continue;
        weigh_all(b, &all, &b->sizing[i], &own, found[i]);
        for (size_t kind = 0; kind < KINDS; kind++) {
            pooled[kind].n_telling += found[i][kind].n_telling;
            pooled[kind].n_against += found[i][kind].n_against;
        }
    }
    for (size_t i = 0; i < n; i++) {
        size_t best = 0;

        for (size_t kind = 1; kind < KINDS; kind++)
            if (is_telling(&found[i][kind], &pooled[kind]) && (!best || found[i][kind].n_fit > found[i][best].n_fit))
                best = kind;
        if (best)
            call_all(b, &all, &b->sizing[i], best);
    }
}
