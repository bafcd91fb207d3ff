/* SPDX-License-Identifier: MIT */
/*
 * Components that a table or a list names in a word or two: "QKV proj | 14 %", "FFN flops: 30,198,988,800".  What such
 * a word may mean is a few sets of products, and each of them may be counted for one layer or for all, of all FLOPs or
 * of those of the layers.  A figure that is none of these is wrong, if the sizes are sure and the text is of the model.
 */
#include "audit/bind_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Products of a decoder, and sets of them that have names. */
enum {
    Q = 1 << 0,
    K = 1 << 1,
    V = 1 << 2,
    SCORES = 1 << 3,
    CONTEXT = 1 << 4,
    OUTPUT = 1 << 5,
    GATE = 1 << 6,
    UP = 1 << 7,
    DOWN = 1 << 8,
    HEAD = 1 << 9,
    QKV = Q | K | V,
    PROJECTIONS = QKV | OUTPUT,
    PRODUCTS = SCORES | CONTEXT,
    ATTENTION = PROJECTIONS | PRODUCTS,
    FFN = GATE | UP | DOWN,
    LAYERS = ATTENTION | FFN,
    WHOLE = LAYERS | HEAD
};

enum {
    ROWS_MAX = 16,
    SETS_MAX = 6,
    WORD_MAX = 32,
    FFN_FACTORS = 5,
    WORDS_MAX = 10, /* of a label; what is longer is a sentence */
    RIGHT_LEAST = 3 /* figures of the text that are the model's */
};

/* ---- the products of a model ------------------------------------------------------------------------------------- */

typedef struct books {
    struct {
        unsigned is;
        double flops;
    } row[ROWS_MAX];
    size_t n;
    double layers;     /* how many */
    double ffn_factor; /* by which the FFN is taken to be wider */
} books;

static const struct {
    const char *name;
    unsigned is;
} products[] = {
    {"q", Q},           {"k", K},       {"v", V},   {"qkv", QKV},   {"scores", SCORES}, {"context", CONTEXT},
    {"output", OUTPUT}, {"gate", GATE}, {"up", UP}, {"down", DOWN}, {"head", HEAD}};

/* A word of a path or of a text as one of the products; 0: it is none. */
static unsigned product_of(const rk_lexicon *l, const char *word, size_t n)
{
    const rk_lexeme *name = rk_lexicon_is(l, RK_WORDS_NAME, word, n);

    for (size_t i = 0; name && i < sizeof products / sizeof *products; i++)
        if (strcmp(products[i].name, name->value) == 0)
            return products[i].is;
    return 0;
}

static bool is_forward(const rk_index_entry *e)
{
    return e->kind == RK_INDEX_FLOPS && e->all && !e->with && !e->convention && strcmp(e->what, "forward FLOPs") == 0;
}

/* The products of all layers and of the head; false: the model is made of other things, too. */
static bool read_books(const rk_lexicon *l, const rk_index *x, books *out)
{
    double whole = 0, sum = 0;
    size_t n;
    const rk_index_entry *e = rk_index_entries(x, &n);

    *out = (books){.ffn_factor = 1};
    for (size_t i = 0; i < n; i++) {
        const char *leaf = strrchr(e[i].path, '.');
        unsigned is = leaf && is_forward(&e[i]) ? product_of(l, leaf + 1, strlen(leaf + 1)) : 0;

        if (is_forward(&e[i]) && e[i].path[0] == '\0')
            whole = (double)e[i].value;
        if (is == 0)
            continue;
        if (out->n == ROWS_MAX)
            return false;
        out->row[out->n].is = is;
        out->row[out->n++].flops = (double)e[i].value;
        sum += (double)e[i].value;
        if (!(is & HEAD))
            out->layers = (double)e[i].times;
    }
    return whole > 0 && out->layers > 0 && fabs(sum / whole - 1) < 1e-9;
}

/* 0: the model has no such products, or not each by itself. */
static double flops_of(const books *b, unsigned set)
{
    double sum = 0;

    for (size_t i = 0; i < b->n; i++) {
        if ((b->row[i].is & set) && (b->row[i].is & ~set))
            return 0;
        if (b->row[i].is & set)
            sum += b->row[i].flops * (b->row[i].is & FFN ? b->ffn_factor : 1);
    }
    return sum;
}

/* ---- what a label may mean --------------------------------------------------------------------------------------- */

typedef struct meaning {
    unsigned set[SETS_MAX]; /* the likeliest first */
    size_t n;
} meaning;

typedef struct label {
    unsigned rows;
    bool attention, ffn, layers, total, projection, other;
    size_t n_word;
} label;

/* "softmax", "rope", "bias": a word that is neither a name nor one that labels have beside names. */
static bool is_unknown(const rk_lexicon *l, const char *word, size_t n)
{
    enum {
        LETTERS_LEAST = 4
    };
    static const rk_words known[] = {RK_WORDS_LABEL, RK_WORDS_SILENT, RK_WORDS_KIND, RK_WORDS_SAID, RK_WORDS_ASKS};

    if (n < LETTERS_LEAST || rk_lexicon_unit(l, word, n))
        return false;
    for (size_t i = 0; i < n; i++)
        if (word[i] < 'a' || word[i] > 'z')
            return false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (rk_lexicon_is(l, known[i], word, n))
            return false;
    return true;
}

static void take_piece(const rk_lexicon *l, const char *word, size_t n, label *out)
{
    const rk_lexeme *name = rk_lexicon_is(l, RK_WORDS_NAME, word, n);
    unsigned is = product_of(l, word, n);

    out->rows |= is;
    out->projection |= n >= 4 && strncmp(word, "proj", 4) == 0;
    out->other |= !name && is_unknown(l, word, n);
    if (!name || is)
        return;
    out->attention |= strcmp(name->value, "attention") == 0;
    out->ffn |= strcmp(name->value, "ffn") == 0;
    out->layers |= strcmp(name->value, "layers") == 0;
    out->total |= strcmp(name->value, "total") == 0;
    out->other |= strcmp(name->value, "attention") != 0 && strcmp(name->value, "ffn") != 0 &&
                  strcmp(name->value, "layers") != 0 && strcmp(name->value, "total") != 0;
}

/* Words that were translated to names already (bind_words.c). */
static label read_label(const rk_lexicon *l, const char *names)
{
    label out = {0};

    while (*names) {
        size_t n = 0;

        while (rk_lexicon_is_letter(names[n]))
            n++;
        if (n == 0) {
            names++;
            continue;
        }
        out.n_word++;
        if (rk_lexicon_is(l, RK_WORDS_NAME, names, n)) {
            take_piece(l, names, n, &out);
        } else { /* "qkv_proj_flops" */
            for (size_t from = 0, to; from < n; from = to + 1) {
                for (to = from; to < n && names[to] != '_'; to++)
                    ;
                take_piece(l, names + from, to - from, &out);
            }
        }
        names += n;
    }
    return out;
}

static void mean(meaning *m, unsigned set)
{
    if (m->n < SETS_MAX)
        m->set[m->n++] = set;
}

/* Without a set: it names nothing, or several things. */
static meaning meaning_of(const label *x)
{
    bool in_attention = x->attention || (x->rows & ATTENTION), in_ffn = x->ffn || (x->rows & FFN);
    meaning m = {0};

    if (x->other || x->n_word > WORDS_MAX || in_attention + in_ffn + !!(x->rows & HEAD) > 1)
        return m;
    if (x->rows == OUTPUT) {
        mean(&m, OUTPUT);
        mean(&m, HEAD);
    } else if (x->rows == SCORES || x->rows == CONTEXT) {
        mean(&m, x->rows);
        mean(&m, PRODUCTS);
    } else if (x->rows && !(x->rows & ~(unsigned)QKV) && x->rows != QKV) { /* "P @ V" is no projection */
        mean(&m, x->rows);
        mean(&m, QKV);
        mean(&m, SCORES);
        mean(&m, PRODUCTS);
    } else if (x->rows) {
        mean(&m, x->rows);
        if ((x->rows & FFN) == (GATE | UP)) /* "gate up-projection" */
            mean(&m, GATE);
        if (x->ffn)
            mean(&m, FFN);
        if (x->attention)
            mean(&m, ATTENTION);
    } else if (x->attention) {
        if (!x->projection)
            mean(&m, ATTENTION);
        mean(&m, PROJECTIONS);
        mean(&m, QKV);
        if (!x->projection)
            mean(&m, PRODUCTS);
        if (!x->projection)
            mean(&m, SCORES);
    } else if (x->ffn) {
        mean(&m, FFN);
    } else if (x->layers) {
        mean(&m, LAYERS);
    } else if (x->total) {
        mean(&m, WHOLE);
    }
    return m;
}

static bool names_nothing(const label *x)
{
    return !x->rows && !x->attention && !x->ffn && !x->layers && !x->total && !x->projection && !x->other &&
           x->n_word <= WORDS_MAX;
}

/* ---- figures ----------------------------------------------------------------------------------------------------- */

/*
 * How far a figure is from a quantity, in units of its last digit; of 49.70 that may be 7.  One with all of its digits
 * may have a norm or a bias in it that is not named; where it is looked for in many views, these are exact.
 */
static double units_off(const rk_figure *f, double value, bool in_view)
{
    const double unnamed = 0.03, less = 0.005, exact = 1e-3;

    if (f->slack <= 0)
        return fabs(f->size - value) / ((in_view ? exact : f->size < value ? less : unnamed) * value);
    return fabs(f->size - value) / fmax(2 * f->slack, f->side->literal.is ? f->side->literal.coarse : 0);
}

/* The nearest of all that a share may be; *found is what it should be of the whole. */
static double nearest_share(const rk_figure *f, const books *b, const meaning *m, double *found)
{
    const unsigned wholes[] = {WHOLE, LAYERS, ATTENTION};
    double best = HUGE_VAL, best_of_whole = HUGE_VAL;

    for (size_t i = 0; i < m->n; i++)
        for (size_t k = 0; k < sizeof wholes / sizeof *wholes; k++) {
            double part = flops_of(b, m->set[i]), whole = flops_of(b, wholes[k]), off;

            if (part <= 0 || whole <= 0 || (m->set[i] & ~wholes[k]))
                continue;
            off = units_off(f, part / whole, false);
            best = fmin(best, off);
            if (wholes[k] == WHOLE && off < best_of_whole) {
                best_of_whole = off;
                *found = part / whole;
            }
        }
    return best;
}

/* The nearest of all FLOPs that a figure may be: of one layer or all, forward, backward or both. */
static double nearest_flops(const rk_figure *f, const books *b, const meaning *m, const double tokens[2], double *found)
{
    const double times[] = {1, 2, 3, 0.5};
    double best = HUGE_VAL, nearest = HUGE_VAL;

    for (size_t i = 0; i < m->n; i++) {
        double all = flops_of(b, m->set[i]), of[] = {all, m->set[i] & HEAD ? all : all / b->layers};

        for (size_t k = 0; k < 2 && all > 0; k++) {
            for (size_t j = 0; j < sizeof times / sizeof *times; j++) {
                if (times[j] < 1 && !(f->said & RK_SAID_MACS))
                    continue;
                best = fmin(best, units_off(f, of[k] * times[j], j > 0));
                best = fmin(best, units_off(f, of[k] * times[j] / tokens[0], true));
                best = fmin(best, units_off(f, of[k] * times[j] / tokens[1], true));
                best = fmin(best, units_off(f, of[k] * times[j] / tokens[0] / tokens[1], true));
            }
            if (fabs(log(f->size / of[k])) < nearest) {
                nearest = fabs(log(f->size / of[k]));
                *found = of[k];
            }
        }
    }
    return best;
}

/* Whether an entry is of a product that a label may mean, by its name. */
static bool is_meant(const rk_lexicon *l, const rk_index_entry *e, const meaning *m)
{
    const char *leaf = strrchr(e->path, '.');
    unsigned is = leaf ? product_of(l, leaf + 1, strlen(leaf + 1)) : 0;

    for (size_t i = 0; i < m->n; i++)
        if (is & m->set[i])
            return true;
    return !is;
}

/* The entry of the books that is so much. */
static const rk_index_entry *entry_of(const rk_binder *b, const rk_figure *f, const meaning *m, double value)
{
    bool share = f->query.kinds == RK_INDEX_IS(SHARE);
    double unit = share ? (double)RK_INDEX_SHARE_UNIT : 1, near = fmax(1e-9 * value * unit, 2);
    const rk_index_entry *end, *best = NULL;

    for (const rk_index_entry *e = rk_index_from(f->at->index, (rk_i128)(value * unit - near), SIZE_MAX, &end);
         e < end && (double)e->value <= value * unit + near; e++) {
        if (e->convention || e->kind != (share ? RK_INDEX_SHARE : RK_INDEX_FLOPS) ||
            (share ? e->of != RK_INDEX_FLOPS : strcmp(e->what, "forward FLOPs") != 0) || !is_meant(b->a->lexicon, e, m))
            continue;
        if (!best || e->cost < best->cost)
            best = e;
    }
    return best;
}

/* "2.68 × 36 = 96.5": rounded to three digits, and then multiplied. */
static bool is_rounded_on_the_way(const rk_figure *f, double found)
{
    const double three_digits = 0.005, five_digits = 1e4;

    return fabs(f->size / found - 1) <= three_digits && f->size / (2 * f->slack) < five_digits;
}

static bool is_about_the_model(const rk_binder *b)
{
    size_t n = 0;

    for (size_t i = 0; i < b->figure.n; i++)
        n += b->figure.at[i].is_right && rk_bind_is_sharp(&b->figure.at[i], RK_WEIGH_ROUGH);
    return n >= RIGHT_LEAST;
}

/* Words in which something else may be meant. */
static bool is_of_other_things(const rk_binder *b, const rk_figure *f)
{
    const rk_scan *s = &b->a->scan;
    uint32_t at = b->a->lexed.token.at[f->side->from].at, from, to;

    rk_scan_line_range(s, rk_scan_line(s, at), &from, &to);
    return (f->said & (RK_SAID_DOUBT | RK_SAID_WITHOUT | RK_SAID_BACKWARD | RK_SAID_HEAD)) ||
           rk_bind_has(b, RK_WORDS_SIZE_NAME, f->own) ||
           (from < at && rk_lexicon_in(b->a->lexicon, RK_WORDS_COMPARED, s->text + from, at - from));
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

/*
 * A text that gives the width of another model often leaves out that of its FFN, which is 4D where it is plain, and
 * about 8D/3, rounded to 64, where it is gated.  What these are of the width that was taken; 0: none is known, because
 * someone has set that of the model by hand.
 */
static size_t ffn_factors(const rk_binder *b, const rk_sizing *at, double factor[FFN_FACTORS])
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
    return FFN_FACTORS;
}

/* How far a figure is from all that its label may mean at some sizes; *found is the likeliest. */
static double nearest(const rk_binder *b, const rk_figure *f, const rk_sizing *at, const meaning *m, double *found)
{
    const rk_symbol *sequence = rk_bind_sequence(b, at->instance->model);
    const rk_symbol *batch = rk_bind_of_role(b, at->instance->model, RK_LETTER_BATCH);
    double tokens[] = {sequence ? (double)sequence->value : 1, batch ? (double)batch->value : 1};
    double factor[FFN_FACTORS], best = HUGE_VAL, other;
    size_t n = ffn_factors(b, at, factor);
    books of;

    if (n == 0 || !read_books(b->a->lexicon, at->index, &of))
        return 0;
    for (size_t i = 0; i < n; i++) {
        double *to = i == 0 ? found : &other;

        of.ffn_factor = factor[i];
        best = fmin(best, f->query.kinds == RK_INDEX_IS(SHARE) ? nearest_share(f, &of, m, to)
                                                               : nearest_flops(f, &of, m, tokens, to));
    }
    return best;
}

static void judge(rk_binder *b, rk_figure *f)
{
    bool share = f->query.kinds == RK_INDEX_IS(SHARE);
    const double factor_most = share ? 100 : 20;
    label words = read_label(b->a->lexicon, f->own);
    meaning m = meaning_of(&words);
    double found = 0, other = 0;
    const rk_index_entry *e;

    if (names_nothing(&words) && (f->said & RK_SAID_ONE)) /* "per block: 19.4 GFLOPs" */
        mean(&m, LAYERS);
    if (m.n == 0 || is_of_other_things(b, f) || nearest(b, f, f->at, &m, &found) < 1 || found <= 0)
        return;
    for (size_t i = 0; i < RK_BIND_LENGTHS_MAX; i++) {
        rk_sizing *at = rk_bind_at_length(b, f->at, i);

        if (!at)
            continue;
        if (nearest(b, f, at, &m, &other) < 1)
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
    e = entry_of(b, f, &m, found);
    if (!e && m.n > 1) { /* no sum of the books: what the label means first */
        m.n = 1;
        nearest(b, f, f->at, &m, &found);
        e = entry_of(b, f, &m, found);
    }
    if (!e)
        return;
    f->bound = (rk_bound){.status = share && rk_bind_is_rounded_share(f, fabs(f->size - found)) ? RK_CLAIM_SLIP
                                                                                                : RK_CLAIM_WRONG,
                          .entry = e,
                          .value = e->value};
}

/* All that a label may mean to someone: parts of attention, if it speaks of it; of one that names nothing, any part. */
static void loosely(const label *x, meaning out[2])
{
    static const unsigned attention[] = {ATTENTION, PROJECTIONS, PRODUCTS, SCORES, CONTEXT, QKV};
    static const unsigned others[] = {OUTPUT, FFN, HEAD, LAYERS};
    bool in_ffn = x->ffn || (x->rows & FFN), in_head = x->rows == HEAD;

    out[0].n = out[1].n = 0;
    if (in_ffn || in_head) {
        out[0] = meaning_of(x);
        return;
    }
    for (size_t i = 0; i < sizeof attention / sizeof *attention; i++)
        mean(&out[0], attention[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i] == OUTPUT || (!x->attention && !(x->rows & ATTENTION & ~(unsigned)OUTPUT)))
            mean(&out[1], others[i]);
}

static bool holds_at(const rk_binder *b, const rk_figure *f, const rk_sizing *at, const meaning m[2])
{
    double found = 0;

    for (size_t i = 0; i < 2; i++)
        if (m[i].n > 0 && nearest(b, f, at, &m[i], &found) < 1)
            return true;
    return false;
}

bool rk_bind_component_holds(rk_binder *b, const rk_figure *f)
{
    label words = read_label(b->a->lexicon, f->own);
    meaning m[2];

    loosely(&words, m);
    if (holds_at(b, f, f->at, m))
        return true;
    for (size_t i = 0; i < RK_BIND_LENGTHS_MAX; i++) {
        rk_sizing *at = rk_bind_at_length(b, f->at, i);

        if (at && holds_at(b, f, at, m))
            return true;
    }
    return false;
}

static size_t line_of(const rk_binder *b, const rk_figure *f)
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

/* The only share of a short line, or one in a table: what is longer compares, or tells a story. */
static bool is_item(const rk_binder *b, const rk_figure *f)
{
    enum {
        LINE_MAX = 120
    };
    const rk_piece *p = &b->a->scan.piece.at[f->chain->piece];
    const rk_figure *g = f - (f->number > 0), *end = b->figure.at + b->figure.n;
    size_t line = line_of(b, f);
    uint32_t from, to;

    if (p->kind == RK_PIECE_CELL)
        return true;
    rk_scan_line_range(&b->a->scan, line, &from, &to);
    if (p->kind == RK_PIECE_HEADING || to - from > LINE_MAX || (p->kind == RK_PIECE_TEXT && !is_after_mark(b, f)))
        return false;
    for (; g < f + 2 && g < end; g++)
        if (g != f && !g->formula && line_of(b, g) == line && g->query.kinds == f->query.kinds)
            return false;
    return true;
}

bool rk_bind_is_unknown_label(const rk_binder *b, const rk_figure *f)
{
    const char *word = f->own;
    size_t n;

    for (; *word; word += n ? n : 1) {
        for (n = 0; rk_lexicon_is_letter(word[n]) && word[n] != '_'; n++)
            ;
        if (n > 0 && !rk_lexicon_is(b->a->lexicon, RK_WORDS_NAME, word, n) && is_unknown(b->a->lexicon, word, n))
            return true;
    }
    return false;
}

void rk_bind_components(rk_binder *b)
{
    if (!is_about_the_model(b))
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
