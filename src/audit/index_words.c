/* SPDX-License-Identifier: MIT */
/* Entries by words: what a text calls a query projection is layers.attention.q. */
#include "audit/index_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    QUERY_WORDS_MAX = 64, /* of a line; what is beyond them names nothing more */
    WORD_BYTES_MAX = 64,
    RESULTS_MAX = 64,
    POINTS_OWN = 6,    /* its own name is mentioned */
    POINTS_AROUND = 3, /* a part around it is */
    POINTS_SAID = 2,   /* the pass, or how many layers, as the words say */
    POINTS_AGAINST = 3
};

/* ---- words ------------------------------------------------------------------------------------------------------- */

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

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The next word of a text, in small letters; NULL: there is none. */
static const char *next_word(const char *text, char word[WORD_BYTES_MAX])
{
    size_t n = 0;

    while (*text && !is_letter(*text))
        text++;
    for (; is_letter(*text); text++)
        if (n + 1 < WORD_BYTES_MAX)
            word[n++] = *text >= 'A' && *text <= 'Z' ? (char)(*text | 0x20) : *text;
    word[n] = '\0';
    return n > 0 ? text : NULL;
}

/* The number of a word among all words of the index; RK_NONE: it has none such. */
static uint32_t find_word(const rk_index *x, const char *word)
{
    const char *meaning = meaning_of(x, word);

    word = meaning ? meaning : word;
    return rk_map_get(&x->words, word, strlen(word));
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

static void name_add_word(rk_index *x, rk_index_name *n, const char *word)
{
    const char *meaning = meaning_of(x, word);
    uint32_t id = find_word(x, word);

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

/* "ln_f" means nothing as a whole, and is a norm and the last one. */
static void name_add(rk_index *x, rk_index_name *n, const char *text)
{
    char word[WORD_BYTES_MAX];

    while ((text = next_word(text, word)) != NULL) {
        char *piece = word, *end;

        while (!meaning_of(x, piece) && (end = strchr(piece, '_')) != NULL) {
            *end = '\0';
            name_add_word(x, n, piece);
            piece = end + 1;
        }
        name_add_word(x, n, piece);
    }
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
            name_add(x, n, e->part);
        name_add(x, n, e->path);
    }
}

/* ---- a line of words --------------------------------------------------------------------------------------------- */

typedef struct line {
    uint32_t word[QUERY_WORDS_MAX]; /* those that are names in this index */
    size_t n;
    uint32_t layers; /* the number of that word */
    bool backward, step, active, all, one, final;
} line;

static bool has(const line *l, uint32_t word)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->word[i] == word)
            return true;
    return false;
}

/* "per head" names no head, "per block" asks for one layer, "feed-forward" is no forward pass. */
static void take_word(const rk_index *x, line *l, const char *before, const char *word)
{
    const rk_lexeme *asks = rk_lexicon_is(x->lexicon, RK_WORDS_ASKS, word, strlen(word));
    bool counted = rk_lexicon_is(x->lexicon, RK_WORDS_ONE, before, strlen(before));
    uint32_t found = find_word(x, word), id = is_silent(x, word) ? RK_NONE : found;
    bool layer = found == l->layers && found != RK_NONE;
    char both[2 * WORD_BYTES_MAX];
    const rk_lexeme *pair;

    l->backward |= asks && asks->id == RK_ASKS_BACKWARD;
    l->step |= asks && asks->id == RK_ASKS_STEP;
    l->final |= asks && asks->id == RK_ASKS_FINAL;
    l->active |= asks && asks->id == RK_ASKS_ACTIVE;
    l->one |= counted && layer;
    l->all |= asks && asks->id == RK_ASKS_ALL;
    snprintf(both, sizeof both, "%s %s", before, word);
    if ((pair = rk_lexicon_is(x->lexicon, RK_WORDS_PAIR, both, strlen(both))) != NULL)
        id = find_word(x, pair->value);
    if (id != RK_NONE && !(counted && strcmp(word, "head") == 0) && !has(l, id) && l->n < QUERY_WORDS_MAX)
        l->word[l->n++] = id;
}

static line read_line(const rk_index *x, const char *text)
{
    char word[WORD_BYTES_MAX], before[WORD_BYTES_MAX] = "";
    line l = {.layers = find_word(x, "layers")};

    while ((text = next_word(text, word)) != NULL) {
        char *piece = word, *end;

        while (!meaning_of(x, piece) && (end = strchr(piece, '_')) != NULL) {
            *end = '\0';
            take_word(x, &l, before, piece);
            piece = end + 1;
        }
        take_word(x, &l, before, piece);
        memmove(before, piece, strlen(piece) + 1);
    }
    return l;
}

/* ---- scores ------------------------------------------------------------------------------------------------------ */

/* How well the pass and the number of layers fit. */
static int score_form(const line *l, const rk_index_entry *e)
{
    bool backward = strncmp(e->what, "backward", 8) == 0, step = strstr(e->what, "of a step") != NULL;
    bool active = strncmp(e->what, "active", 6) == 0;
    int score = 0;

    score += backward == l->backward ? 0 : -POINTS_AGAINST;
    score += step == l->step ? 0 : -POINTS_AGAINST;
    score += active == l->active ? 0 : -POINTS_AGAINST;
    if (e->times != 1 && l->one)
        score += e->all ? -POINTS_SAID : POINTS_SAID;
    else if (e->times != 1 && l->all)
        score += e->all ? POINTS_SAID : -POINTS_SAID;
    if (l->final) /* it stands after the layers */
        score += e->times == 1 ? POINTS_SAID : -POINTS_SAID;
    return score - (e->convention ? POINTS_AGAINST : 0) - (e->with ? POINTS_AGAINST : 0);
}

/* 0 or less: the words do not speak of it. */
static int score_name(const rk_index *x, const line *l, const rk_index_entry *e)
{
    const rk_index_name *n = &x->name.at[e->name];
    size_t found = 0;
    int score = 0;

    if (n->n == 0)
        return l->all ? POINTS_AROUND : 0;
    if (!has(l, n->word[n->n - 1]))
        return 0;
    for (size_t i = 0; i < n->n; i++) {
        bool mentioned = has(l, n->word[i]), own = i + 1 == n->n;

        found += mentioned;
        score += mentioned ? (own ? POINTS_OWN : POINTS_AROUND) : n->word[i] == l->layers ? 0 : -1;
    }
    return score - (int)(l->n - found);
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
    line l = read_line(x, words);

    for (size_t i = 0; i < x->entry.n; i++) {
        const rk_index_entry *e = &x->entry.at[i];
        int score = (kinds >> e->kind) & 1 ? score_name(x, &l, e) : 0;
        rk_worded *kept;

        score += score > 0 ? score_form(&l, e) : 0;
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
