/* SPDX-License-Identifier: MIT */
/*
 * Parameters with all of their digits that are those of the model with something left out, in it twice, or of another
 * shape: "1,555,124,800" without the last norm, four projections of as many heads where keys and values have fewer.
 * A number of six digits is so much by no chance, and it is known which mistake was made.
 */
#include "audit/bind_books.h"

#include <math.h>
#include <string.h>

enum {
    TENSORS_MAX = 64,
    DEVIATIONS_MAX = 16,
    RIGHT_LEAST = 2,  /* parameters of the text that are the model's */
    TOGETHER_MAX = 2, /* deviations of the whole */
    IN_LAYERS = 1 << 10,
    NORM = 1 << 11,
    BIAS = 1 << 12,
    EMBEDDING = 1 << 13 /* and what else stands before the layers */
};

/* Parameters of all layers, by what they are of: products of the books, or one of the above. */
typedef struct tensors {
    struct {
        unsigned is;
        rk_i128 count;
    } row[TENSORS_MAX];
    size_t n;
    rk_i128 layers; /* how many */
} tensors;

/* What may be wrong, and how many more it makes, in all layers. */
typedef struct deviation {
    rk_i128 more;
    unsigned of; /* it is in these */
    const char *why;
} deviation;

typedef struct deviations {
    deviation at[DEVIATIONS_MAX];
    size_t n;
} deviations;

/* ---- the tensors of a model -------------------------------------------------------------------------------------- */

static unsigned kind_of(const rk_binder *b, const rk_index_entry *e)
{
    rk_book_label name = rk_book_label_read(b->a->lexicon, e->path);
    unsigned is = name.rows & RK_BOOK_WHOLE, in = e->times > 1 ? IN_LAYERS : 0;
    unsigned norm = strstr(e->path, "norm") || strstr(e->path, "ln") ? NORM : 0;

    if (!in && !is && strcmp(e->part, "head") != 0)
        return EMBEDDING;
    if (strstr(e->path, "bias"))
        return BIAS | norm | in;
    if (strstr(e->path, "c_proj")) /* of attention, or of the FFN */
        is = strstr(e->part, "attention") ? RK_BOOK_OUTPUT : RK_BOOK_DOWN;
    return is ? is | in : norm ? norm | in : in ? 0 : EMBEDDING;
}

/* false: it has others, of which nothing is known here. */
static bool read_tensors(const rk_binder *b, const rk_sizing *at, tensors *out)
{
    size_t n = 0;
    const rk_index_entry *e = at->index ? rk_index_entries(at->index, &n) : NULL;

    *out = (tensors){.n = 0};
    for (const rk_index_entry *end = e + n; e < end; e++) {
        unsigned is;

        if (e->kind != RK_INDEX_PARAMS || !e->part || !e->all || e->with || strcmp(e->what, "parameters") != 0)
            continue;
        is = kind_of(b, e);
        if (is == 0 || out->n == TENSORS_MAX)
            return false;
        out->row[out->n].is = is;
        out->row[out->n++].count = e->value;
        if (is & IN_LAYERS)
            out->layers = e->times;
    }
    return out->layers > 1;
}

/* Of those that are nothing but these; with the layers and without the embedding, of those in the layers alone. */
static rk_i128 count_of(const tensors *t, unsigned kinds)
{
    bool layers = (kinds & IN_LAYERS) && !(kinds & EMBEDDING);
    rk_i128 sum = 0;

    for (size_t i = 0; i < t->n; i++)
        if (!(t->row[i].is & ~kinds) && (!layers || (t->row[i].is & IN_LAYERS)))
            sum += t->row[i].count;
    return sum;
}

/* Biases that stand beside tensors of some kinds: with NORM, those of norms, too. */
static rk_i128 biases_beside(const tensors *t, unsigned kinds)
{
    return count_of(t, kinds | BIAS) - count_of(t, kinds);
}

/* ---- what may be wrong ------------------------------------------------------------------------------------------- */

static void add(deviations *d, rk_i128 more, unsigned of, const char *why)
{
    if (more != 0 && d->n < DEVIATIONS_MAX)
        d->at[d->n++] = (deviation){more, of, why};
}

static rk_i128 size_of(const rk_binder *b, const rk_sizing *at, rk_letter_role role)
{
    const rk_symbol *s = rk_bind_of_role(b, at->instance->model, role);

    return s && s->known ? s->value : 0;
}

static void list_deviations(const rk_binder *b, const rk_sizing *at, const tensors *t, deviations *d)
{
    static const char rotary[] =
        "what is stated has tables of rotary positions in it, which are computed and no parameters";
    const unsigned in = IN_LAYERS;
    const rk_i128 width = size_of(b, at, RK_LETTER_WIDTH), ffn = size_of(b, at, RK_LETTER_FFN_WIDTH);
    const rk_i128 head = size_of(b, at, RK_LETTER_HEAD_WIDTH), length = size_of(b, at, RK_LETTER_SEQUENCE);
    const rk_i128 q = count_of(t, RK_BOOK_Q | in), kv = count_of(t, RK_BOOK_K | RK_BOOK_V | in);

    d->n = 0;
    add(d, count_of(t, NORM | BIAS) <= 2 * width ? -count_of(t, NORM | BIAS) : 0, NORM,
        "what is stated is that without the last norm");
    add(d, -count_of(t, RK_BOOK_OUTPUT | in), RK_BOOK_ATTENTION, "the output projection of attention is left out");
    add(d, -count_of(t, RK_BOOK_GATE | in), RK_BOOK_FFN, "one matrix of the FFN is left out");
    add(d, kv > 0 && q > 0 ? 2 * q - kv : 0, RK_BOOK_ATTENTION,
        "what is stated has as many heads of keys and values as of queries");
    add(d, ffn > 0 ? count_of(t, RK_BOOK_FFN | in) / ffn * (4 * width - ffn) : 0, RK_BOOK_FFN,
        "what is stated has an FFN four times as wide as the model");
    add(d, -biases_beside(t, NORM | in), BIAS, "the biases of the layers are left out");
    add(d, -biases_beside(t, in), BIAS, "the biases of the products are left out");
    add(d, -biases_beside(t, EMBEDDING | NORM | in), EMBEDDING, "the biases are left out");
    add(d, size_of(b, at, RK_LETTER_VOCABULARY) * width, EMBEDDING, "the embedding or the head is counted twice");
    add(d, head * t->layers, IN_LAYERS, "what is stated has a head's width more in each layer");
    for (rk_i128 times = 1; times <= 2; times++)
        add(d, times * length * head * t->layers, IN_LAYERS, rotary);
    for (rk_i128 times = 1; times <= 2; times++)
        add(d, times * length * head, EMBEDDING, rotary);
}

/* ---- figures ----------------------------------------------------------------------------------------------------- */

/* What a label may mean: the whole, the layers, a part of them; each of one layer or of all. */
static size_t meanings_of(const rk_book_label *label, unsigned set[2])
{
    const unsigned layers = RK_BOOK_LAYERS | IN_LAYERS | NORM | BIAS;

    if (label->other && (label->attention || label->ffn || label->rows))
        return 0;
    set[1] = layers;
    if (label->attention)
        set[0] = RK_BOOK_PROJECTIONS | IN_LAYERS;
    else if (label->ffn && !label->rows)
        set[0] = RK_BOOK_FFN | IN_LAYERS;
    else if (label->rows)
        return 0;
    else
        set[0] = layers | RK_BOOK_HEAD | EMBEDDING;
    return label->attention || label->ffn ? 1 : 2;
}

/* A few hundred more or less are by several ways. */
static bool is_large(const deviation *d)
{
    const rk_i128 least = 100000;

    return d->more >= least || d->more <= -least;
}

/* A figure as a count of a set with one or two deviations; why, or NULL. */
static const char *explain(rk_binder *b, const deviations *d, unsigned set, rk_i128 missing, size_t most)
{
    for (size_t i = 0; i < d->n; i++)
        if ((d->at[i].of & set) && d->at[i].more == missing)
            return d->at[i].why;
    for (size_t i = 0; i < d->n && most > 1; i++)
        for (size_t k = i + 1; k < d->n; k++)
            if ((d->at[i].of & set) && (d->at[k].of & set) && is_large(&d->at[i]) && is_large(&d->at[k]) &&
                d->at[i].more + d->at[k].more == missing)
                return rk_arena_format(&b->a->arena, "%s, and %s", d->at[i].why, d->at[k].why);
    return NULL;
}

/* The entry of so many parameters; NULL: there is none. */
static const rk_index_entry *entry_of(const rk_sizing *at, rk_i128 count)
{
    const rk_index_entry *end, *found = NULL;

    for (const rk_index_entry *e = rk_index_from(at->index, count, SIZE_MAX, &end); e < end && e->value == count; e++)
        if (e->kind == RK_INDEX_PARAMS && !e->convention && (!found || e->cost < found->cost))
            found = e;
    return found;
}

static void judge(rk_binder *b, rk_figure *f, const tensors *t, const deviations *d, bool of_text)
{
    const rk_book_label label = rk_book_label_read(b->a->lexicon, f->own);
    rk_i128 value = f->query.low;
    unsigned set[2];
    size_t n = meanings_of(&label, set);

    for (size_t i = 0; i < n; i++)
        for (rk_i128 by = 1; by <= t->layers; by += t->layers - 1) { /* of all layers, or of one */
            rk_i128 all = count_of(t, set[i]);
            bool whole = set[i] & EMBEDDING, part = !(set[i] & NORM);
            const char *why;
            const rk_index_entry *e;

            if ((whole && by > 1) || (part && !of_text)) /* a part may be just so large by chance */
                continue;
            why = explain(b, d, set[i], value * by - all, whole ? TOGETHER_MAX : 1);
            e = why ? entry_of(f->at, all / by) : NULL;
            if (!e)
                continue;
            f->bound = (rk_bound){.status = RK_CLAIM_WRONG, .entry = e, .value = e->value, .why = why};
            return;
        }
}

/* Nothing was said of it, or that it is the whole without something, which no word leaves out. */
static bool is_open(const rk_figure *f)
{
    const rk_index_entry *e = f->bound.entry;

    return !e ? f->bound.status == RK_CLAIM_UNKNOWN
              : f->bound.status == RK_CLAIM_RIGHT && e->kind == RK_INDEX_PARAMS && !e->path[0] && e->with &&
                    !f->bound.ratio->view && !f->bound.ratio->times;
}

static bool is_of_text(const rk_binder *b)
{
    size_t n = 0;

    for (size_t i = 0; i < b->figure.n; i++)
        n += b->figure.at[i].is_right && (b->figure.at[i].query.kinds & RK_INDEX_IS(PARAMS)) &&
             rk_bind_is_sharp(&b->figure.at[i], RK_WEIGH_SLIP);
    return n >= RIGHT_LEAST;
}

void rk_bind_tensors(rk_binder *b)
{
    const bool of_text = is_of_text(b);
    const rk_sizing *at = NULL;
    tensors t;
    deviations d = {.n = 0};

    for (size_t i = 0; i < b->figure.n; i++) {
        rk_figure *f = &b->figure.at[i];

        if (!is_open(f) || f->formula || f->slack > 0 || f->query.den != 1 ||
            (f->side->unit && f->side->unit->kind != RK_WORD_UNIT_SCALE) ||
            !(f->query.kinds & (RK_INDEX_IS(PARAMS) | RK_INDEX_IS(NUMBERS))) || !rk_bind_is_sharp(f, RK_WEIGH_LONG) ||
            (f->said & (RK_SAID_WITHOUT | RK_SAID_DOUBT)) || rk_bind_is_of_other_things(b, f) ||
            (!f->placed && !f->titled && rk_bind_names_other(b, f)))
            continue;
        if (f->at != at) {
            at = f->at;
            d.n = 0;
            if (read_tensors(b, at, &t))
                list_deviations(b, at, &t, &d);
        }
        if (d.n > 0)
            judge(b, f, &t, &d, of_text);
    }
}
