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
    TELLING_LEAST = 3,     /* figures of a size that tell of a mistake */
    POOLED_LEAST = 5,      /* the same of several sizes */
    UNITS_LEAST = 2,       /* of the last digit, by which a figure of few digits is off */
    TOGETHER_MAX = 3,      /* deviations that a figure with all of its digits tells of by itself */
    KINDS_MAX = 1024,      /* of them together */
    COMMON_MAX = 32,       /* of those that are common, one at a time */
    EXACT_MAX = 256,       /* figures that are looked at by themselves */
    PLENTY = 100000000,    /* different numbers: one of them is hit by no chance, whatever is tried */
    KEPT_WIDTH = 1 << 29,  /* beside deviations: the width of the FFN of the model itself */
    KEPT_LAYERS = 1 << 30, /* and its layers */
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
    bool mentioned;  /* words before it name something, and are no label: it tells of nothing */
    bool unnamed;    /* FLOPs of no component, which may be those of the whole: they tell of nothing */
    bool width_said; /* its section gives a width of the FFN: another one is not assumed, but meant */
} candidate;

typedef RK_VEC(candidate) candidates;

/* ---- what may have been assumed ---------------------------------------------------------------------------------- */

static bool is_length(const rk_binder *b, rk_i128 value)
{
    const rk_symbol *s = rk_bind_sequence(b, b->source->instance->model);

    return s && s->value == value;
}

/* What the model itself has of a size, where another model of the text has less or more; 0: it is the same, or said. */
static rk_i128 kept_size(const rk_binder *b, const rk_sizing *at, rk_letter_role role, rk_i128 *here)
{
    const rk_symbol *own = rk_bind_of_role(b, b->source->instance->model, role);
    const rk_symbol *there = own ? rk_model_symbol(at->instance->model, own->name) : NULL;

    if (!there || own->value <= 0 || there->value <= 0 || own->value == there->value ||
        (role == RK_LETTER_LAYERS && is_length(b, there->value))) /* the L of a table of lengths */
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

/*
 * What is counted otherwise: so many times what the model has, and what is said of it.  Those that few figures may tell
 * of, one of them at a time; the others only a figure with all of its digits.
 */
typedef enum dimension {
    PRODUCTS,
    QKV,
    OUTPUT,
    FFN,
    HEAD
} dimension;

static const struct {
    dimension of;
    double times; /* ONE_HEAD: a part of it for each head */
    bool common;
    const char *why;
} deviations[] = {
#define ONE_HEAD (-1.0)
    {PRODUCTS, 0, true, "the products of queries, keys and values are left out"},
    {PRODUCTS, 0.5, true, "one of the two products of attention is left out"},
    {PRODUCTS, ONE_HEAD, true, "the products of attention are those of one head"},
    {QKV, 1.0 / 3, true, "one projection stands for those of queries, keys and values"},
    {QKV, 0.5, false, "queries, keys and values have one operation for each product"},
    {OUTPUT, 0, true, "the output projection of attention is left out"},
    {OUTPUT, 0.5, false, "the output projection has one operation for each product"},
    {FFN, 0.5, false, "the FFN has one operation for each product"},
    {FFN, 1.0 / 3, false, "one matrix of the FFN stands for all three"},
    {HEAD, 0.5, true, "the head has one operation for each product, and all else two"},
    {HEAD, 2, true, "the head is counted twice"},
    {HEAD, 0, false, "the head is left out"},
};

#define N_DEVIATION (sizeof deviations / sizeof *deviations)

/* Some deviations together, one bit for each. */
typedef struct kinds {
    unsigned at[KINDS_MAX];
    size_t n, n_common; /* of one deviation, or none, those that are common; they stand first */
} kinds;

static bool is_of_one_thing_each(unsigned kind)
{
    unsigned seen = 0;

    for (size_t i = 0; i < N_DEVIATION; i++) {
        unsigned of = kind >> i & 1 ? 1U << deviations[i].of : 0;

        if (seen & of)
            return false;
        seen |= of;
    }
    return true;
}

static size_t count_deviations(unsigned kind)
{
    size_t n = 0;

    for (size_t i = 0; i < N_DEVIATION; i++)
        n += kind >> i & 1;
    return n;
}

static bool is_common(unsigned kind)
{
    for (size_t i = 0; i < N_DEVIATION; i++)
        if ((kind >> i & 1) && !deviations[i].common)
            return false;
    return count_deviations(kind) <= 1;
}

/* With and without the width and the layers of the model itself. */
static void add_kind(kinds *k, unsigned kind)
{
    for (unsigned kept = 0; kept < 4 && k->n < KINDS_MAX; kept++)
        k->at[k->n++] = kind | (kept & 1 ? KEPT_WIDTH : 0) | (kept & 2 ? KEPT_LAYERS : 0);
}

/* All that may be assumed, what is simple first. */
static void list_kinds(kinds *k)
{
    k->n = 0;
    add_kind(k, 0);
    for (size_t i = 0; i < N_DEVIATION; i++)
        if (deviations[i].common)
            add_kind(k, 1U << i);
    k->n_common = k->n;
    for (size_t n = 1; n <= TOGETHER_MAX; n++)
        for (unsigned kind = 1; kind < 1U << N_DEVIATION; kind++)
            if (count_deviations(kind) == n && is_of_one_thing_each(kind) && !is_common(kind))
                add_kind(k, kind);
}

/* How many times a size of another model is that of the model itself; 0: it is no other. */
static double kept(const rk_binder *b, const rk_sizing *at, rk_letter_role role)
{
    rk_i128 here = 0, size = kept_size(b, at, role, &here);

    return size > 0 ? (double)size / (double)here : 0;
}

static assumption assume(const rk_binder *b, const rk_sizing *at, unsigned kind)
{
    const rk_symbol *heads = rk_bind_of_role(b, at->instance->model, RK_LETTER_HEADS);
    rk_book_factors x = {1, 1, 1, 1, 1, 1};
    double *const of[] = {
        [PRODUCTS] = &x.products, [QKV] = &x.qkv, [OUTPUT] = &x.output, [FFN] = &x.ffn, [HEAD] = &x.head};
    bool is = kind > 0;

    for (size_t i = 0; i < N_DEVIATION; i++) {
        double times = deviations[i].times;

        if (!(kind >> i & 1))
            continue;
        if (times == ONE_HEAD) {
            times = heads && heads->value > 1 ? 1 / (double)heads->value : 1;
            is &= times < 1;
        }
        *of[deviations[i].of] = times;
    }
    x.layers = kind & KEPT_LAYERS ? kept(b, at, RK_LETTER_LAYERS) : 1;
    x.ffn *= kind & KEPT_WIDTH ? kept(b, at, RK_LETTER_FFN_WIDTH) : 1;
    return (assumption){x, is && x.layers > 0 && x.ffn > 0 && !rk_books_left_out_on_purpose(b, x.products)};
}

/* The same as a text. */
static const char *reason(rk_binder *b, const rk_sizing *at, unsigned kind)
{
    char number[RK_NUM_TEXT_MAX];
    const char *why = NULL;
    rk_arena *a = &b->a->arena;
    rk_i128 here;

    if (kind & KEPT_WIDTH)
        why = rk_arena_format(a, "what is stated has an FFN of width %s",
                              rk_num_grouped(number, kept_size(b, at, RK_LETTER_FFN_WIDTH, &here)));
    if (kind & KEPT_LAYERS)
        why = join(b, why,
                   rk_arena_format(a, "what is stated has layers to the number of %s",
                                   rk_num_grouped(number, kept_size(b, at, RK_LETTER_LAYERS, &here))));
    for (size_t i = 0; i < N_DEVIATION; i++)
        if (kind >> i & 1)
            why = join(b, why, deviations[i].why);
    return why;
}

/* ---- figures ----------------------------------------------------------------------------------------------------- */

/* Whether it is a quantity, as it is rounded, or to the last of its digits. */
static bool is_so_much(const rk_figure *f, double value, bool exactly)
{
    const double precision = 1e-12;

    return exactly ? fabs(f->size - value) <= fmax(f->slack, precision * value)
                   : rk_books_units_off(f, value, true) < 1;
}

/* What a figure would be with books of a mistake; *found is the same of those of the model.  false: something else. */
static bool is_with(const candidate *c, const rk_books *with, const rk_books *own, double tokens, bool exactly,
                    double *found)
{
    const unsigned wholes[] = {RK_BOOK_WHOLE, RK_BOOK_LAYERS};
    const rk_figure *f = c->f;
    bool share = f->query.kinds == RK_INDEX_IS(SHARE);

    for (size_t i = 0; i < c->meaning.n && !(c->width_said && with->factor.ffn != 1); i++) {
        unsigned set = c->meaning.set[i];
        double part = rk_books_flops(with, set), own_part = rk_books_flops(own, set);

        for (size_t k = 0; k < 2 && part > 0 && share; k++) {
            *found = own_part / rk_books_flops(own, wholes[k]);
            if (!(set & ~wholes[k]) && is_so_much(f, part / rk_books_flops(with, wholes[k]), exactly))
                return true;
        }
        for (size_t k = 0; k < (c->unnamed ? 1 : 4) && part > 0 && !share; k++) { /* of all layers or one, per token */
            double times = (k & 1) && !(set & RK_BOOK_HEAD) ? 1 / own->layers : 1;

            times /= k & 2 ? tokens : 1;
            *found = own_part * times;
            if (is_so_much(f, part * (k & 1 ? times / with->factor.layers : times), exactly))
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

/* "FFN falls from 66.9 % to 32.3 %": the second one is of what the first one is. */
static bool is_changed_to(const rk_binder *b, const rk_figure *f)
{
    const rk_figure *from = f - 1;

    return f->number > 0 && from->chain->piece == f->chain->piece && from->query.kinds == f->query.kinds &&
           rk_audit_says(b->a, RK_WORDS_CHANGE_TO, from->side->to, f->side->from);
}

/*
 * What a figure is of: a share behind another figure of its line, "mha: 676.46 GFLOPS (25.82%)", is of the same; one
 * that stands alone on its line, in an outline, is of what the line above says that is indented less.
 */
static const char *name_of(rk_binder *b, const rk_figure *f)
{
    const rk_figure *before = f->number > 0 ? f - 1 : NULL;

    if (is_changed_to(b, f))
        return before->own;
    if (has_letters(f->own) || b->a->scan.piece.at[f->chain->piece].kind == RK_PIECE_CELL)
        return f->own;
    if (before && f->query.kinds == RK_INDEX_IS(SHARE) && before->query.kinds != RK_INDEX_IS(SHARE) &&
        rk_bind_line(b, f) == rk_bind_line(b, before))
        return before->own;
    return rk_bind_outline_names(b, f);
}

/* How many different numbers there are with its digits; the zeros at its end are none of them. */
static double digits_of(const rk_figure *f)
{
    double n = f->slack > 0 ? f->size / (2 * f->slack) : f->size;

    while (f->slack <= 0 && n >= 10 && fmod(n, 10) == 0)
        n /= 10;
    return n;
}

/* What a sentence speaks of before a figure, where these words are no label. */
static rk_meaning mentioned_in(const rk_book_label *words)
{
    rk_book_label plain = *words;

    plain.other = false;
    plain.n_word = 1;
    return rk_book_label_meaning(&plain);
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
        if (c.meaning.n == 0 && !share && !f->bound.entry &&
            ((f->side->unit && f->side->unit->kind == RK_WORD_UNIT_FLOPS) || digits_of(f) >= PLENTY)) {
            rk_meaning_add(&c.meaning, RK_BOOK_WHOLE);
            c.unnamed = true;
        }
        if (c.meaning.n == 0 && rk_bind_is_sharp(f, RK_WEIGH_ROUGH)) {
            c.meaning = mentioned_in(&label);
            c.mentioned = true;
        }
        if (c.meaning.n == 0 || rk_bind_is_of_other_things(b, f) || rk_bind_is_of_open_length(b, f))
            continue;
        c.holds = c.mentioned ? rk_bind_component_holds(b, f) : rk_bind_is_meant(b, f, &c.meaning, 1);
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

        if (c->f->at != at || c->unnamed || c->mentioned)
            continue;
        fits = is_with(c, with, own, tokens_of(b, at), false, &found);
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

/* The same for each token. */
static bool find_per_token(const rk_binder *b, const candidate *c, const rk_sizing *at, double found, rk_match *out)
{
    const rk_index_entry *e = rk_books_entry(b, c->f, at, &c->meaning, found * tokens_of(b, at));
    rk_index_query q = {.low = (rk_i128)(found * (1 - 1e-9)), .high = (rk_i128)(found * (1 + 1e-9)) + 1, .den = 1};

    q.kinds = e ? RK_INDEX_OPERATIONS : 0;
    return e && rk_index_match(at->index, e, &q, out) && out->ratio->view;
}

/* A figure of the text that is so by an assumption, and nothing that the model has, is wrong by it. */
static bool call_wrong(rk_binder *b, const candidate *c, rk_sizing *at, const assumption *a, const char *why,
                       const rk_side *source)
{
    rk_figure *f = c->f;
    rk_books own, with;
    const rk_index_entry *e;
    rk_match view;
    double found = 0;

    if (!rk_books_read(b->a->lexicon, at->index, &own))
        return false;
    with = own;
    with.factor = a->factor;
    if (!is_with(c, &with, &own, tokens_of(b, at), false, &found) || rk_books_units_off(f, found, true) < UNITS_LEAST)
        return false;
    e = rk_books_entry(b, f, at, &c->meaning, found);
    view = (rk_match){.value = e ? e->value : 0};
    if (!e && !find_per_token(b, c, at, found, &view))
        return false;
    e = e ? e : view.entry;
    f->at = at;
    f->bound = (rk_bound){
        .status = RK_CLAIM_WRONG, .entry = e, .ratio = view.ratio, .value = view.value, .why = why, .source = source};
    return true;
}

/* "QKV projections: 5,242,880,000": all digits are those of one of them, and the label names all three. */
static bool is_named_otherwise(const candidate *c)
{
    return !c->mentioned && !c->unnamed && c->meaning.n > 0 && c->meaning.set[0] == RK_BOOK_QKV &&
           rk_bind_is_sharp(c->f, RK_WEIGH_LONG);
}

/* All figures of a size, at its length or at another one that the text speaks of. */
static void call_all(rk_binder *b, const candidates *all, rk_sizing *at, unsigned kind)
{
    const assumption a = assume(b, at, kind);
    const char *why = reason(b, at, kind);
    const rk_side *source = NULL;

    for (size_t i = 0; i < all->n; i++) {
        const candidate *c = &all->at[i];
        bool is;

        if (c->f->at != at || c->holds || (c->f->bound.status == RK_CLAIM_RIGHT && !is_named_otherwise(c)) ||
            c->f->bound.status == RK_CLAIM_SLIP || (c->unnamed && !rk_bind_is_sharp(c->f, RK_WEIGH_ROUGH)))
            continue;
        is = call_wrong(b, c, at, &a, why, source);
        for (size_t k = 0; k < RK_BIND_LENGTHS_MAX && !is; k++) {
            rk_sizing *other = rk_bind_at_length(b, at, k);

            is = other && rk_bind_is_sharp(c->f, RK_WEIGH_ROUGH) && call_wrong(b, c, other, &a, why, source);
        }
        source = is && !source ? c->f->side : source;
    }
}

/* What each common assumption explains at a size. */
static void weigh_all(const rk_binder *b, const candidates *all, const rk_sizing *at, const rk_books *own,
                      const kinds *k, evidence out[COMMON_MAX])
{
    for (size_t i = 0; i < k->n_common; i++) {
        assumption a = assume(b, at, k->at[i]);
        rk_books with = *own;

        with.factor = a.factor;
        out[i] = a.is ? weigh(b, all, at, own, &with) : (evidence){0};
    }
}

static bool is_telling(const evidence *here, const evidence *pooled)
{
    return here->n_against < here->n_telling &&
           ((here->several && here->n_telling >= TELLING_LEAST) ||
            (here->n_telling > 0 && pooled->n_telling >= POOLED_LEAST && 2 * pooled->n_against < pooled->n_telling));
}

/* ---- figures that tell by themselves ----------------------------------------------------------------------------- */

/*
 * One with all of its digits, of a part that has a name, or of the whole.  Of a part it is told by little: it may be
 * some other part, to which the same name is given.
 */
static bool is_exact(rk_binder *b, const candidate *c, const rk_sizing *at)
{
    const double least = 1e6;

    return c->f->at == at && !c->holds && !c->mentioned && !c->f->bound.entry && digits_of(c->f) >= least &&
           (c->unnamed || !rk_bind_component_holds(b, c->f));
}

static bool is_of_whole(const candidate *c)
{
    return c->meaning.n == 1 && c->meaning.set[0] == RK_BOOK_WHOLE;
}

/* Some multiple of what it is in the books is another view of the same: MACs, both passes. */
static bool is_view(double times)
{
    const double views[] = {0.5, 1, 2, 3, 1.5};

    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (fabs(times / views[i] - 1) < 1e-9)
            return true;
    return false;
}

/* The simplest assumption by which a figure is just so much; 0: there is none. */
static unsigned explain(rk_binder *b, const candidate *c, const rk_sizing *at, const rk_books *own, const kinds *k)
{
    size_t most = is_of_whole(c) && digits_of(c->f) >= PLENTY ? TOGETHER_MAX : 1;

    for (size_t i = 0; i < k->n; i++) {
        assumption a = assume(b, at, k->at[i]);
        rk_books with = *own;
        double found = 0;

        if (!a.is || count_deviations(k->at[i]) > most)
            continue;
        with.factor = a.factor;
        if (is_with(c, &with, own, tokens_of(b, at), true, &found) && !is_view(c->f->size / found))
            return k->at[i];
    }
    return 0;
}

/* The assumption that most of a size's figures with all of their digits tell of, and how many it explains; 0: none. */
static unsigned find_exact(rk_binder *b, const candidates *all, const rk_sizing *at, const kinds *k, size_t *looked,
                           size_t *n_fit)
{
    unsigned best = 0;
    rk_books own;

    *n_fit = 0;
    if (!at->index || !rk_books_read(b->a->lexicon, at->index, &own))
        return 0;
    for (size_t i = 0; i < all->n && *looked < EXACT_MAX; i++) {
        unsigned kind;
        rk_books with = own;
        size_t fit;

        if (!is_exact(b, &all->at[i], at))
            continue;
        ++*looked;
        kind = explain(b, &all->at[i], at, &own, k);
        if (!kind || kind == best)
            continue;
        with.factor = assume(b, at, kind).factor;
        fit = weigh(b, all, at, &own, &with).n_fit;
        if (!best || fit > *n_fit) {
            best = kind;
            *n_fit = fit;
        }
    }
    return best;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

void rk_bind_assumed(rk_binder *b)
{
    evidence found[RK_BIND_SIZES_MAX][COMMON_MAX] = {0}, pooled[COMMON_MAX] = {0};
    const bool is_of_text = rk_books_are_of_text(b);
    const size_t n = b->n_sizing;
    candidates all = gather(b);
    size_t looked = 0;
    kinds k;

    list_kinds(&k);
    for (size_t i = 0; i < n && is_of_text; i++) {
        rk_books own;

        if (!b->sizing[i].index || !rk_books_read(b->a->lexicon, b->sizing[i].index, &own))
            continue;
        weigh_all(b, &all, &b->sizing[i], &own, &k, found[i]);
        for (size_t j = 0; j < k.n_common; j++) {
            pooled[j].n_telling += found[i][j].n_telling;
            pooled[j].n_against += found[i][j].n_against;
        }
    }
    for (size_t i = 0; i < n; i++) {
        size_t best = 0, n_fit;
        unsigned kind = find_exact(b, &all, &b->sizing[i], &k, &looked, &n_fit);

        for (size_t j = 1; j < k.n_common; j++)
            if (is_telling(&found[i][j], &pooled[j]) && (!best || found[i][j].n_fit > found[i][best].n_fit))
                best = j;
        if (best && (!kind || found[i][best].n_fit > n_fit))
            kind = k.at[best];
        if (kind)
            call_all(b, &all, &b->sizing[i], kind);
    }
}
