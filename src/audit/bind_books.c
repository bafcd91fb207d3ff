/* SPDX-License-Identifier: MIT */
/* The products of a decoder, and which of them a label of a word or two may mean. */
#include "audit/bind_books.h"

#include <math.h>
#include <string.h>

enum {
    LABEL_WORDS_MAX = 10, /* what is longer is a sentence */
    RIGHT_LEAST = 3       /* figures of the text that are the model's */
};

/* ---- the products of a model ------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    unsigned is;
} products[] = {{"q", RK_BOOK_Q},           {"k", RK_BOOK_K},           {"v", RK_BOOK_V},
                {"qkv", RK_BOOK_QKV},       {"scores", RK_BOOK_SCORES}, {"context", RK_BOOK_CONTEXT},
                {"output", RK_BOOK_OUTPUT}, {"gate", RK_BOOK_GATE},     {"up", RK_BOOK_UP},
                {"down", RK_BOOK_DOWN},     {"head", RK_BOOK_HEAD}};

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
bool rk_books_read(const rk_lexicon *l, const rk_index *x, rk_books *out)
{
    double whole = 0, sum = 0;
    size_t n;
    const rk_index_entry *e = rk_index_entries(x, &n);

    *out = (rk_books){.factor = {1, 1, 1, 1, 1, 1}};
    for (size_t i = 0; i < n; i++) {
        const char *leaf = strrchr(e[i].path, '.');
        unsigned is = leaf && is_forward(&e[i]) ? product_of(l, leaf + 1, strlen(leaf + 1)) : 0;

        if (is_forward(&e[i]) && e[i].path[0] == '\0')
            whole = (double)e[i].value;
        if (is == 0)
            continue;
        if (out->n == RK_BOOKS_ROWS_MAX)
            return false;
        out->row[out->n].is = is;
        out->row[out->n++].flops = (double)e[i].value;
        sum += (double)e[i].value;
        if (!(is & RK_BOOK_HEAD))
            out->layers = (double)e[i].times;
    }
    return whole > 0 && out->layers > 0 && fabs(sum / whole - 1) < 1e-9;
}

/* 0: the model has no such products, or not each by itself. */
double rk_books_flops(const rk_books *b, unsigned set)
{
    double sum = 0;

    for (size_t i = 0; i < b->n; i++) {
        if ((b->row[i].is & set) && (b->row[i].is & ~set))
            return 0;
        if (b->row[i].is & set)
            sum += b->row[i].flops * (b->row[i].is & RK_BOOK_FFN ? b->factor.ffn : 1) *
                   (b->row[i].is & RK_BOOK_PRODUCTS ? b->factor.products : 1) *
                   (b->row[i].is & RK_BOOK_QKV ? b->factor.qkv : 1) *
                   (b->row[i].is & RK_BOOK_OUTPUT ? b->factor.output : 1) *
                   (b->row[i].is & RK_BOOK_HEAD ? b->factor.head : 1) *
                   (b->row[i].is & RK_BOOK_LAYERS ? b->factor.layers : 1);
    }
    return sum;
}

/* ---- what a label may mean --------------------------------------------------------------------------------------- */

/* "softmax", "rope", "bias": a word that is neither a name nor one that labels have beside names. */
static bool is_unknown(const rk_lexicon *l, const char *word, size_t n)
{
    enum {
        LETTERS_LEAST = 4
    };
    static const rk_words known[] = {RK_WORDS_LABEL, RK_WORDS_SILENT, RK_WORDS_KIND,
                                     RK_WORDS_SAID,  RK_WORDS_ASKS,   RK_WORDS_FRACTION};

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

static void take_piece(const rk_lexicon *l, const char *word, size_t n, rk_book_label *out)
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
rk_book_label rk_book_label_read(const rk_lexicon *l, const char *names)
{
    rk_book_label out = {0};

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

void rk_meaning_add(rk_meaning *m, unsigned set)
{
    if (m->n < RK_MEANING_SETS_MAX)
        m->set[m->n++] = set;
}

/* Without a set: it names nothing, or several things. */
rk_meaning rk_book_label_meaning(const rk_book_label *x)
{
    bool in_attention = x->attention || (x->rows & RK_BOOK_ATTENTION), in_ffn = x->ffn || (x->rows & RK_BOOK_FFN);
    rk_meaning m = {0};

    if (x->other || x->n_word > LABEL_WORDS_MAX || in_attention + in_ffn + !!(x->rows & RK_BOOK_HEAD) > 1)
        return m;
    if (x->rows == RK_BOOK_OUTPUT) { /* "attention dense" may be all that is no product of activations */
        rk_meaning_add(&m, RK_BOOK_OUTPUT);
        rk_meaning_add(&m, x->attention ? RK_BOOK_PROJECTIONS : RK_BOOK_HEAD);
    } else if (x->rows == RK_BOOK_SCORES || x->rows == RK_BOOK_CONTEXT) {
        rk_meaning_add(&m, x->rows);
        rk_meaning_add(&m, RK_BOOK_PRODUCTS);
    } else if ((x->rows & RK_BOOK_SCORES) && !(x->rows & ~(unsigned)(RK_BOOK_PRODUCTS | RK_BOOK_V))) { /* "QKᵀ, ·V" */
        rk_meaning_add(&m, RK_BOOK_PRODUCTS);
    } else if (x->rows && !(x->rows & ~(unsigned)RK_BOOK_QKV) &&
               x->rows != RK_BOOK_QKV) { /* "P @ V" is no projection */
        rk_meaning_add(&m, x->rows);
        rk_meaning_add(&m, RK_BOOK_QKV);
        rk_meaning_add(&m, RK_BOOK_SCORES);
        rk_meaning_add(&m, RK_BOOK_PRODUCTS);
    } else if (x->rows) {
        rk_meaning_add(&m, x->rows);
        if ((x->rows & RK_BOOK_FFN) == (RK_BOOK_GATE | RK_BOOK_UP)) /* "gate up-projection" */
            rk_meaning_add(&m, RK_BOOK_GATE);
        if (x->ffn)
            rk_meaning_add(&m, RK_BOOK_FFN);
        if (x->attention)
            rk_meaning_add(&m, RK_BOOK_ATTENTION);
    } else if (x->attention) {
        if (!x->projection)
            rk_meaning_add(&m, RK_BOOK_ATTENTION);
        rk_meaning_add(&m, RK_BOOK_PROJECTIONS);
        rk_meaning_add(&m, RK_BOOK_QKV);
        if (!x->projection)
            rk_meaning_add(&m, RK_BOOK_PRODUCTS);
        if (!x->projection)
            rk_meaning_add(&m, RK_BOOK_SCORES);
    } else if (x->ffn) {
        rk_meaning_add(&m, RK_BOOK_FFN);
    } else if (x->layers) {
        rk_meaning_add(&m, RK_BOOK_LAYERS);
    } else if (x->total) {
        rk_meaning_add(&m, RK_BOOK_WHOLE);
    }
    return m;
}

bool rk_book_label_is_empty(const rk_book_label *x)
{
    return !x->rows && !x->attention && !x->ffn && !x->layers && !x->total && !x->projection && !x->other &&
           x->n_word <= LABEL_WORDS_MAX;
}

/*
 * How far a figure is from a quantity, in units of its last digit; of 49.70 that may be 7.  One with all of its digits
 * may have a norm or a bias in it that is not named; where it is looked for in many views, these are exact.
 */
double rk_books_units_off(const rk_figure *f, double value, bool in_view)
{
    const double unnamed = 0.03, less = 0.005, exact = 1e-3;

    if (f->slack <= 0)
        return fabs(f->size - value) / ((in_view ? exact : f->size < value ? less : unnamed) * value);
    return fabs(f->size - value) / fmax(2 * f->slack, f->side->literal.is ? f->side->literal.coarse : 0);
}

/*
 * Whether an entry is of products that a label may mean, by its name and by those of its summands ("q + k"): 2, of just
 * these, 1, of some of them, or of what is no product, 0, of others.
 */
static int is_meant(const rk_lexicon *l, const rk_index_entry *e, const rk_meaning *m)
{
    int best = 0;
    const char *leaf = strrchr(e->path, '.'), *word = e->with;
    unsigned is = leaf ? product_of(l, leaf + 1, strlen(leaf + 1)) : 0;

    for (size_t n; word && *word; word += n ? n : 1) {
        for (n = 0; rk_lexicon_is_letter(word[n]); n++)
            ;
        is |= n > 0 ? product_of(l, word, n) : 0;
    }
    for (size_t i = 0; i < m->n; i++)
        best = is == m->set[i] ? 2 : !(is & ~m->set[i]) && best < 1 ? 1 : best;
    return best;
}

/* The entry of the books that is so much. */
const rk_index_entry *rk_books_entry(const rk_binder *b, const rk_figure *f, const rk_sizing *at, const rk_meaning *m,
                                     double value)
{
    bool share = f->query.kinds == RK_INDEX_IS(SHARE);
    double unit = share ? (double)RK_INDEX_SHARE_UNIT : 1, near = fmax(1e-9 * value * unit, 2);
    const rk_index_entry *end, *best = NULL;
    int best_meant = 0;

    for (const rk_index_entry *e = rk_index_from(at->index, (rk_i128)(value * unit - near), SIZE_MAX, &end);
         e < end && (double)e->value <= value * unit + near; e++) {
        int meant;

        if (e->convention || e->kind != (share ? RK_INDEX_SHARE : RK_INDEX_FLOPS) ||
            (share ? e->of != RK_INDEX_FLOPS : strcmp(e->what, "forward FLOPs") != 0))
            continue;
        meant = is_meant(b->a->lexicon, e, m);
        if (meant > best_meant || (meant > 0 && meant == best_meant && e->cost < best->cost)) {
            best = e;
            best_meant = meant;
        }
    }
    return best;
}

bool rk_books_left_out_on_purpose(const rk_binder *b, double times)
{
    return (times == 0 && b->ignoring) || (times == 0.5 && b->causal);
}

bool rk_books_are_of_text(const rk_binder *b)
{
    size_t n = 0;

    for (size_t i = 0; i < b->figure.n; i++)
        n += b->figure.at[i].is_right && rk_bind_is_sharp(&b->figure.at[i], RK_WEIGH_ROUGH);
    return n >= RIGHT_LEAST;
}

/* "n_layers FLOPs" is no size, and nothing in GFLOPs is. */
static bool says_flops(const rk_binder *b, const rk_figure *f)
{
    return (f->side->unit && f->side->unit->kind == RK_WORD_UNIT_FLOPS) ||
           (rk_bind_has(b, RK_WORDS_KIND, f->own) & RK_INDEX_OPERATIONS);
}

/* Words in which something else may be meant. */
bool rk_bind_is_of_other_things(const rk_binder *b, const rk_figure *f)
{
    const rk_scan *s = &b->a->scan;
    uint32_t at = b->a->lexed.token.at[f->side->from].at, from, to;

    rk_scan_line_range(s, rk_scan_line(s, at), &from, &to);
    return (f->said & (RK_SAID_DOUBT | RK_SAID_WITHOUT | RK_SAID_BACKWARD | RK_SAID_HEAD)) ||
           (rk_bind_has(b, RK_WORDS_SIZE_NAME, f->own) && !says_flops(b, f)) ||
           (from < at && rk_lexicon_in(b->a->lexicon, RK_WORDS_COMPARED, s->text + from, at - from));
}

/* All that a label may mean to someone: parts of attention, if it speaks of it; of one that names nothing, any part. */
void rk_book_label_loosely(const rk_book_label *x, rk_meaning out[2])
{
    static const unsigned attention[] = {RK_BOOK_ATTENTION, RK_BOOK_PROJECTIONS, RK_BOOK_PRODUCTS,
                                         RK_BOOK_SCORES,    RK_BOOK_CONTEXT,     RK_BOOK_QKV};
    static const unsigned others[] = {RK_BOOK_OUTPUT, RK_BOOK_FFN, RK_BOOK_HEAD, RK_BOOK_LAYERS};
    bool in_ffn = x->ffn || (x->rows & RK_BOOK_FFN), in_head = x->rows == RK_BOOK_HEAD;

    out[0].n = out[1].n = 0;
    if (in_ffn || in_head) {
        out[0] = rk_book_label_meaning(x);
        return;
    }
    for (size_t i = 0; i < sizeof attention / sizeof *attention; i++)
        rk_meaning_add(&out[0], attention[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i] == RK_BOOK_OUTPUT ||
            (!x->attention && !(x->rows & RK_BOOK_ATTENTION & ~(unsigned)RK_BOOK_OUTPUT)))
            rk_meaning_add(&out[1], others[i]);
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
