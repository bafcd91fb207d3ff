/* SPDX-License-Identifier: MIT */
#include "audit/mention.h"

#include "plan/find.h"

#include <stdlib.h>
#include <string.h>

enum {
    LETTERS_LEAST = 5, /* "t5" and "opt" may be anything */
    GAP_MAX = 2        /* signs between two letters of a name */
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c);
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

static void add(rk_arena *a, rk_callnames *out, const char *word, const char *name, bool is_short)
{
    rk_callname *kept = RK_PUSH(a, &out->at);

    if (kept)
        *kept = (rk_callname){word, name, is_short};
}

/* Whether a word of a name says how large the model is: "7b", "8x7b", "125m", "1.1b". */
static bool is_size(const char *word, size_t n)
{
    return n > 1 && is_digit(word[0]) && strchr("bm", word[n - 1]);
}

/* "mistral-7b" of "mistral-7b-instruct-v0.2". */
static void add_short(rk_arena *a, rk_callnames *out, const char *name)
{
    for (const char *word = name; *word;) {
        size_t n = strcspn(word, "-");

        if (is_size(word, n) && word[n]) {
            add(a, out, rk_arena_copy(a, name, (size_t)(word - name) + n), NULL, true);
            return;
        }
        word += n + (word[n] != '\0');
    }
}

/* The name of a model, what else it is called, and the beginning that has its size. */
static int add_model(const rk_library *l, rk_arena *a, rk_callnames *out, const rk_library_entry *e, rk_err *err)
{
    const char **also = NULL;
    size_t n = 0;
    int code = rk_library_also(l, a, e, &also, &n, err);

    add(a, out, e->name, e->name, false);
    for (size_t i = 0; i < n; i++)
        add(a, out, also[i], e->name, false);
    add_short(a, out, e->name);
    return code;
}

/* By the first letter; then whole names before short ones, so that of the same the former is found. */
static int by_letter(const void *x, const void *y)
{
    const rk_callname *a = x, *b = y;

    if (a->word[0] != b->word[0])
        return (unsigned char)a->word[0] < (unsigned char)b->word[0] ? -1 : 1;
    if (a->is_short != b->is_short)
        return a->is_short ? 1 : -1;
    return strcmp(a->word, b->word);
}

int rk_callnames_list(const rk_library *l, const rk_lexicon *words, rk_arena *a, rk_callnames *out, rk_err *err)
{
    rk_library_entry *entry = NULL;
    size_t n = 0, at = 0;
    int code = rk_library_list(l, a, &entry, &n, err);

    *out = (rk_callnames){.library = l};
    for (size_t i = 0; code == RK_OK && i < n; i++)
        if (entry[i].is_config)
            code = add_model(l, a, out, &entry[i], err);
    for (size_t i = 0; code == RK_OK && i < words->of[RK_WORDS_MODEL].word.n; i++) {
        const rk_lexeme *w = &words->of[RK_WORDS_MODEL].word.at[i];

        for (size_t k = 0; k < n; k++)
            if (entry[k].is_config && strcmp(entry[k].name, w->value) == 0)
                add(a, out, w->word, entry[k].name, false);
    }
    if (code == RK_OK && a->failed)
        return rk_fail_memory(err);
    if (code == RK_OK && out->at.n > 0)
        qsort(out->at.at, out->at.n, sizeof *out->at.at, by_letter);
    for (size_t c = 0; c <= 256; c++) {
        while (at < out->at.n && (unsigned char)out->at.at[at].word[0] < c)
            at++;
        out->first[c] = (uint32_t)at;
    }
    return code;
}

/* ---- mentions ---------------------------------------------------------------------------------------------------- */

/* How many bytes of the text a name takes from here on; 0: it does not stand here as a whole word. */
static size_t length_here(const char *text, size_t n, const char *name)
{
    size_t at = 0, letters = 0;
    bool digit = false;

    for (; *name; name++) {
        size_t gap = 0;

        if (!is_letter(*name))
            continue;
        while (letters > 0 && at < n && gap < GAP_MAX && text[at] && strchr(" -._", text[at])) {
            at++;
            gap++;
        }
        if (at >= n || lower(text[at]) != lower(*name))
            return 0;
        digit |= is_digit(*name);
        letters++;
        at++;
    }
    return letters >= LETTERS_LEAST && digit && !(at < n && is_letter(text[at])) ? at : 0;
}

/* What a short name stands for, as on the command line. */
static void look_up(rk_callnames *names, rk_arena *a, rk_callname *x)
{
    rk_called called = {0};
    rk_err err = {0};

    x->is_short = false;
    if (rk_find_named(names->library, a, x->word, &called, &err) != RK_OK || !called.is_config)
        return;
    for (size_t i = 0; i < names->at.n; i++) /* the pointer that the others have */
        if (names->at.at[i].name && strcmp(names->at.at[i].name, called.name) == 0)
            x->name = names->at.at[i].name;
}

/* Whether one name is another with a generation in it: "llama-2-13b" is "llama-13b" with one. */
static bool is_generation_of(const char *name, const char *bare)
{
    const char *at = bare;

    while (*name && *name == *at) {
        name++;
        at++;
    }
    while (at > bare && at[-1] != '-') { /* of "2-13b" and "13b" back to where both began */
        name--;
        at--;
    }
    if (at == bare || !is_digit(*name))
        return false;
    while (is_digit(*name) || *name == '.')
        name++;
    return *name == '-' && strcmp(name + 1, at) == 0;
}

/* A text about LLaMA 2 13B often calls it LLaMA 13B further on: it speaks of one model. */
static void join_generations(rk_mentions *m)
{
    enum {
        NAMES_MAX = 64
    };
    const char *name[NAMES_MAX];
    size_t n = 0;

    for (size_t i = 0; i < m->at.n && n < NAMES_MAX; i++) {
        size_t k = 0;

        while (k < n && name[k] != m->at.at[i].name)
            k++;
        if (k == n)
            name[n++] = m->at.at[i].name;
    }
    for (size_t i = 0; i < m->at.n && n > 1; i++)
        for (size_t k = 0; k < n; k++)
            if (is_generation_of(name[k], m->at.at[i].name)) {
                m->at.at[i].name = name[k];
                break;
            }
}

int rk_mentions_find(rk_callnames *names, rk_arena *of_names, rk_arena *a, const char *text, size_t n, rk_mentions *out,
                     rk_err *err)
{
    for (size_t at = 0; at < n && out->at.n < RK_MENTIONS_MAX; at++) {
        unsigned char letter = (unsigned char)lower(text[at]);
        size_t longest = 0;
        rk_callname *which = NULL;
        rk_mention *kept;

        if (!is_letter(text[at]) || (at > 0 && is_letter(text[at - 1])))
            continue;
        for (size_t i = names->first[letter]; i < names->first[letter + 1]; i++) {
            size_t length = length_here(text + at, n - at, names->at.at[i].word);

            if (length > longest) {
                longest = length;
                which = &names->at.at[i];
            }
        }
        if (!which)
            continue;
        if (which->is_short)
            look_up(names, of_names, which);
        kept = which->name ? RK_PUSH(a, &out->at) : NULL;
        if (kept)
            *kept = (rk_mention){which->name, (uint32_t)at, (uint32_t)(at + longest)};
        at += longest - 1;
    }
    join_generations(out);
    return a->failed || of_names->failed ? rk_fail_memory(err) : RK_OK;
}

size_t rk_mentions_from(const rk_mentions *m, uint32_t at)
{
    size_t low = 0, high = m->at.n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (m->at.at[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
