/* SPDX-License-Identifier: MIT */
/*
 * How far words speak of an entry of the books, by the words and weights of the lexicon: what a text calls a query
 * projection is layers.attention.q.  First words alone; then, for a figure that is the number, all that its sentence
 * says, and what forbids the entry.
 */
#include "audit/bind_parts.h"
#include "audit/index_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    QUERY_WORDS_MAX = 64, /* of a line; what is beyond them names nothing more */
    WORD_BYTES_MAX = 64,
    RESULTS_MAX = 64
};

static int points(const rk_index *x, rk_weigh w)
{
    return (int)x->lexicon->weight[w];
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

/* The word of the books for one of a text; NULL: it has no meaning. */
static const char *meaning_of(const rk_index *x, const char *word)
{
    const rk_lexeme *name = rk_lexicon_is(x->lexicon, RK_WORDS_NAME, word, strlen(word));

    return name ? name->value : NULL;
}

static bool is_silent(const rk_index *x, const char *word)
{
    size_t n = strlen(word);

    return rk_lexicon_is(x->lexicon, RK_WORDS_SILENT, word, n) || strspn(word, "0123456789") == n;
}

/* The next word of a text, in small letters; NULL: there is none. */
static const char *next_word(const char *text, char word[WORD_BYTES_MAX])
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    size_t n, kept;

    text += strcspn(text, letters);
    n = strspn(text, letters);
    kept = n < WORD_BYTES_MAX ? n : WORD_BYTES_MAX - 1;
    for (size_t i = 0; i < kept; i++)
        word[i] = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] | 0x20) : text[i];
    word[kept] = '\0';
    return n > 0 ? text + n : NULL;
}

/* The number of a word among all words of the index; RK_NONE: it has none such. */
static uint32_t find_word(const rk_index *x, const char *word)
{
    const char *meaning = meaning_of(x, word);

    word = meaning ? meaning : word;
    return rk_map_get(&x->words, word, strlen(word));
}

/*
 * Each word of a text, after the one before it.  "ln_f" means nothing as a whole, and is a norm and the last one.
 */
static void each_word(const rk_index *x, const char *text, void (*take)(void *, const char *, const char *), void *self)
{
    char word[WORD_BYTES_MAX], before[WORD_BYTES_MAX] = "";

    while ((text = next_word(text, word)) != NULL) {
        char *piece = word, *end;

        while (!meaning_of(x, piece) && (end = strchr(piece, '_')) != NULL) {
            *end = '\0';
            take(self, before, piece);
            piece = end + 1;
        }
        take(self, before, piece);
        memmove(before, piece, strlen(piece) + 1);
    }
}

/* ---- names of entries -------------------------------------------------------------------------------------------- */

/* Adds a word to the last name. */
static void take_name(void *self, const char *before, const char *word)
{
    rk_index *x = self;
    rk_index_name *n = &x->name.at[x->name.n - 1];
    const char *meaning = meaning_of(x, word);
    uint32_t id = find_word(x, word);

    (void)before;
    if (is_silent(x, word))
        return;
    word = meaning ? meaning : word;
    if (id == RK_NONE && rk_map_put(&x->arena, &x->words, word, strlen(word), x->n_word))
        id = x->n_word++;
    for (size_t i = 0; i < n->n; i++)
        if (n->word[i] == id)
            return;
    if (id != RK_NONE && n->n < RK_INDEX_NAME_WORDS)
        n->word[n->n++] = id;
}

/* Of equal paths there is one name; its last word is its own. */
void rk_index_name_entries(rk_index *x)
{
    for (size_t i = 0; i < x->entry.n && x->code == RK_OK; i++) {
        rk_index_entry *e = &x->entry.at[i];
        rk_index_name *n;

        e->name = rk_map_get(&x->names, e->path, strlen(e->path));
        if (e->name != RK_NONE)
            continue;
        e->name = (uint32_t)x->name.n;
        n = RK_PUSH(&x->arena, &x->name);
        if (!n || !rk_map_put(&x->arena, &x->names, e->path, strlen(e->path), e->name)) {
            x->code = rk_fail_memory(x->err);
            return;
        }
        *n = (rk_index_name){0};
        if (e->part)
            each_word(x, e->part, take_name, x);
        each_word(x, e->path, take_name, x);
    }
}

/* ---- words alone ------------------------------------------------------------------------------------------------- */

/* What some words speak of. */
typedef struct question {
    const rk_index *x;
    uint32_t word[QUERY_WORDS_MAX]; /* those that are names in this index */
    size_t n;
    uint32_t layers; /* the number of that word */
    bool asks[RK_N_ASKED], one;
} question;

static bool has(const question *q, uint32_t word)
{
    for (size_t i = 0; i < q->n; i++)
        if (q->word[i] == word)
            return true;
    return false;
}

/* "per head" names no head, "per block" asks for one layer, "feed-forward" is no forward pass. */
static void take_word(void *self, const char *before, const char *word)
{
    question *q = self;
    const rk_lexicon *l = q->x->lexicon;
    char both[2 * WORD_BYTES_MAX];
    int n = snprintf(both, sizeof both, "%s %s", before, word);
    const rk_lexeme *asks = rk_lexicon_is(l, RK_WORDS_ASKS, word, strlen(word));
    const rk_lexeme *pair = rk_lexicon_is(l, RK_WORDS_PAIR, both, (size_t)n);
    bool one = rk_lexicon_is(l, RK_WORDS_ONE, before, strlen(before));
    uint32_t found = find_word(q->x, word), id = is_silent(q->x, word) ? RK_NONE : found;

    if (asks)
        q->asks[asks->id] = true;
    q->one |= one && found == q->layers && found != RK_NONE;
    if (pair)
        id = find_word(q->x, pair->value);
    if (id != RK_NONE && !(one && strcmp(word, "head") == 0) && !has(q, id) && q->n < QUERY_WORDS_MAX)
        q->word[q->n++] = id;
}

/* How well the words name it; 0 or less: they do not speak of it. */
static int score_name(const question *q, const rk_index_name *n)
{
    size_t found = 0;
    int score = 0;

    if (n->n == 0)
        return q->asks[RK_ASKS_ALL] ? points(q->x, RK_WEIGH_AROUND) : 0;
    if (!has(q, n->word[n->n - 1]))
        return 0;
    for (size_t i = 0; i < n->n; i++) {
        bool mentioned = has(q, n->word[i]);

        found += mentioned;
        if (mentioned)
            score += points(q->x, i + 1 == n->n ? RK_WEIGH_OWN : RK_WEIGH_AROUND);
        else if (n->word[i] != q->layers)
            score += points(q->x, RK_WEIGH_UNMENTIONED);
    }
    return score + points(q->x, RK_WEIGH_IDLE) * (int)(q->n - found);
}

/* How well the pass, the number of layers and the way of counting fit. */
static int score_form(const question *q, const rk_index_entry *e)
{
    bool backward = strncmp(e->what, "backward", 8) == 0, step = strstr(e->what, "of a step") != NULL;
    bool active = strncmp(e->what, "active", 6) == 0;
    int passes =
        (backward != q->asks[RK_ASKS_BACKWARD]) + (step != q->asks[RK_ASKS_STEP]) + (active != q->asks[RK_ASKS_ACTIVE]);
    int scopes = e->times == 1 ? 0 : q->one ? (e->all ? -1 : 1) : q->asks[RK_ASKS_ALL] ? (e->all ? 1 : -1) : 0;

    if (q->asks[RK_ASKS_FINAL]) /* it stands after the layers */
        scopes += e->times == 1 ? 1 : -1;
    return passes * points(q->x, RK_WEIGH_PASS) + scopes * points(q->x, RK_WEIGH_SCOPE) +
           (e->convention ? points(q->x, RK_WEIGH_COUNTING) : 0) + (e->with ? points(q->x, RK_WEIGH_PARTLY) : 0);
}

static int by_score(const void *a, const void *b)
{
    const rk_worded *x = a, *y = b;

    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    if (x->entry->cost != y->entry->cost)
        return x->entry->cost < y->entry->cost ? -1 : 1;
    return x->entry < y->entry ? -1 : x->entry > y->entry;
}

int rk_index_words(const rk_index *x, rk_arena *a, const char *words, unsigned kinds, rk_wordeds *out, rk_err *err)
{
    question q = {.x = x, .layers = find_word(x, "layers")};

    each_word(x, words, take_word, &q);
    for (size_t i = 0; i < x->entry.n; i++) {
        const rk_index_entry *e = &x->entry.at[i];
        int score = (kinds >> e->kind) & 1 ? score_name(&q, &x->name.at[e->name]) : 0;
        rk_worded *kept;

        score += score > 0 ? score_form(&q, e) : 0;
        if (score <= 0)
            continue;
        kept = RK_PUSH(a, &out->at);
        if (!kept)
            return rk_fail_memory(err);
        *kept = (rk_worded){e, score};
    }
    if (out->at.n > 1)
        qsort(out->at.at, out->at.n, sizeof *out->at.at, by_score);
    out->at.n = out->at.n < RESULTS_MAX ? out->at.n : RESULTS_MAX;
    return RK_OK;
}

/* ---- a figure and its sentence ----------------------------------------------------------------------------------- */

/* Whether words speak of the view in which a match is, and of its pass. */
static bool is_said(const rk_binder *b, const rk_figure *f, const rk_index_entry *e, const rk_index_ratio *r)
{
    bool is_forward = strncmp(e->what, "backward", 8) != 0 && !strstr(e->what, "of a step");
    unsigned view = rk_bind_has(b, RK_WORDS_VIEW, r->view);

    return !(view & ~f->said) && (is_forward || (f->said & RK_SAID_BACKWARD));
}

/*
 * Something is left out, and no word says so.  What is called a total leaves out all that it is not; norms and biases,
 * which are small, may be left out of parts.
 */
static bool is_unsaid_part(const rk_figure *f, const rk_index_entry *e)
{
    const rk_index_entry *of = e->all ? f->all : f->one;
    const double small = 0.02;

    if (!e->with || (f->said & RK_SAID_WITHOUT))
        return false;
    if (strcmp(e->with, "without its norm") == 0)
        return false;
    if (strncmp(e->with, "without", 7) == 0)
        return true;
    return of && of->kind == e->kind && ((f->said & RK_SAID_TOTAL) || f->label) && strcmp(of->path, e->path) == 0 &&
           (e->path[0] == '\0' || (double)e->value < (1 - small) * (double)of->value);
}

/* Whether words speak of a row or a tensor of that name. */
static bool is_worded(const rk_wordeds *w, const char *name, size_t n)
{
    for (size_t i = 0; i < w->at.n; i++) {
        const char *path = w->at.at[i].entry->path;
        size_t length = strlen(path);

        if (length >= n && memcmp(path + length - n, name, n) == 0 && (length == n || path[length - n - 1] == '.'))
            return true;
    }
    return false;
}

/* "(q + k + v)": whether each summand is spoken of. */
static bool is_worded_sum(const rk_wordeds *w, const char *with)
{
    if (!with || with[0] != '(')
        return false;
    for (with++; *with;) {
        size_t n = strcspn(with, " )");

        if (!is_worded(w, with, n))
            return false;
        with += n;
        with += strspn(with, " +)");
    }
    return true;
}

bool rk_score_is_of_other(const rk_figure *f, const rk_index_entry *e)
{
    return e->kind == RK_INDEX_SHARE && f->share_of && !((f->share_of >> e->of) & 1);
}

/* A word for a cache beside bytes or numbers: what is no cache is not meant; … */
static bool is_no_cache(const rk_binder *b, const rk_figure *f, const rk_index_entry *e)
{
    return !(f->query.kinds & (RK_INDEX_OPERATIONS | RK_INDEX_IS(SHARE))) && !strstr(e->what, "cache") &&
           rk_bind_has(b, RK_WORDS_CACHED, f->words);
}

/* … and it is the name that the cache of the whole model has, in bf16 unless a text says otherwise. */
static bool is_named_cache(const rk_binder *b, const rk_figure *f, const rk_match *m)
{
    const rk_index_entry *e = m->entry;
    bool is_half = e->kind == RK_INDEX_BYTES ? !m->ratio->view : m->ratio->num == 2 * m->ratio->den;

    return e->path[0] == '\0' && strstr(e->what, "cache") && is_half && rk_bind_is_sharp(f, RK_WEIGH_ROUGH) &&
           rk_bind_has(b, RK_WORDS_CACHED, f->words);
}

rk_score rk_score_match(rk_binder *b, const rk_figure *f, const rk_wordeds *w, const rk_match *m)
{
    const rk_index_entry *e = m->entry;
    const rk_index *x = f->at->index;
    bool sum = is_worded_sum(w, e->with), fits = f->said & RK_SAID_ONE ? !e->all : e->all;
    rk_score s = {.unsaid = is_unsaid_part(f, e), .viewed = !is_said(b, f, e, m->ratio)};

    s.points = sum && !e->convention     ? points(x, RK_WEIGH_SUMMANDS)
               : is_named_cache(b, f, m) ? points(x, RK_WEIGH_WHOLE)
                                         : 0;
    for (size_t i = 0; i < w->at.n && s.points == 0; i++)
        if (w->at.at[i].entry == e)
            s.points = w->at.at[i].score;
    if (s.points > 0 && e->times != 1 && (f->said & (RK_SAID_ONE | RK_SAID_ALL)))
        s.points += (fits ? 1 : -1) * points(x, RK_WEIGH_SCOPE_SAID);
    if (f->formula && !m->ratio->times && rk_bind_same_formula(b, f, m))
        s.points += points(x, RK_WEIGH_FORMULA);
    s.vetoed = (f->whole_sentence && f->label && (e->with || f->one || f->all)) || m->ratio->times ||
               (s.unsaid && !sum) || e->kind == RK_INDEX_SIZE || rk_score_is_of_other(f, e) || is_no_cache(b, f, e);
    return s;
}
