/* SPDX-License-Identifier: MIT */
#include "plan/nearest.h"

#include "base/str.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define GAPS "-_.: " /* between the words of a name */

enum {
    PLAIN_MAX = 64
};

/* In small letters, without what stands between them; a long word is as it is. */
static const char *plain(const char *word, char buf[PLAIN_MAX])
{
    size_t n = 0;

    if (strlen(word) >= PLAIN_MAX)
        return word;
    for (; *word; word++)
        if (!strchr(GAPS, *word))
            buf[n++] = (char)tolower((unsigned char)*word);
    buf[n] = '\0';
    return buf;
}

/* One slip in a short word, two in a longer one, three in a long one; more is another word. */
static size_t slips(const char *word)
{
    size_t n = strlen(word);

    return n <= 4 ? 1 : n <= 8 ? 2 : 3;
}

/* Whether a letter is of a number: its digits, what stands between two, and b or m after it. */
static bool is_of_number(const char *word, const char *at)
{
    bool after = at > word && isdigit((unsigned char)at[-1]);

    return isdigit((unsigned char)*at) ||
           (after && *at && (strchr("bmBM", *at) || (strchr(GAPS, *at) && isdigit((unsigned char)at[1]))));
}

static const char *next_of_number(const char *word, const char *at)
{
    while (*at && !is_of_number(word, at))
        at++;
    return at;
}

static bool same_letter(char a, char b)
{
    return strchr(GAPS, a) ? strchr(GAPS, b) != NULL : tolower((unsigned char)a) == tolower((unsigned char)b);
}

static bool same_numbers(const char *a, const char *b)
{
    const char *x = next_of_number(a, a), *y = next_of_number(b, b);

    while (*x && *y && same_letter(*x, *y)) {
        x = next_of_number(a, x + 1);
        y = next_of_number(b, y + 1);
    }
    return !*x && !*y;
}

/* Sizes may be words: a roberta-base is no roberta-large. */
static bool says_other_size(const char *word, const char *known)
{
    static const char *const size[] = {"tiny",  "mini", "small", "base", "medium",
                                       "large", "huge", "giant", "xl",   "xxl"};

    for (size_t i = 0; i < sizeof size / sizeof *size; i++)
        if (strstr(word, size[i]) && !strstr(known, size[i]))
            return true;
    return false;
}

/* Whether nothing of a short word, or before a name's number, is what it was: b300 is no h300, e5-base no t5-base. */
static bool is_other(const char *word, const char *known, size_t slips)
{
    size_t n = strlen(known), letters = strcspn(known, "0123456789");

    return slips > 0 && (slips >= n || slips >= strlen(word) || (word[0] != known[0] && slips >= letters));
}

/* Whether a word of a name is another, not one with a slip: bart-large-mnli is no bart-large-cnn. */
static bool has_other_word(const char *a, const char *b)
{
    char x[PLAIN_MAX], y[PLAIN_MAX];

    for (;;) {
        size_t n = strcspn(a, GAPS), m = strcspn(b, GAPS);
        size_t most = (n > m ? n : m) / 2;

        if (n >= sizeof x || m >= sizeof y)
            return false;
        snprintf(x, sizeof x, "%.*s", (int)n, a);
        snprintf(y, sizeof y, "%.*s", (int)m, b);
        if (!a[n] != !b[m]) /* not as many words */
            return false;
        if (n > 1 && m > 1 && rk_edit_distance(plain(x, x), plain(y, y), most) > most)
            return true;
        if (!a[n])
            return false;
        a += n + 1;
        b += m + 1;
    }
}

/* Up to `most` slips, or as many as there may be; SIZE_MAX: it is another word. */
static size_t distance(const char *word, const char *known, size_t most, bool keeps_numbers)
{
    char a[PLAIN_MAX], b[PLAIN_MAX];
    size_t d, least;

    if (keeps_numbers && (!same_numbers(word, known) || has_other_word(word, known)))
        return SIZE_MAX;
    word = plain(word, a);
    known = plain(known, b);
    if (keeps_numbers && says_other_size(word, known))
        return SIZE_MAX;
    least = slips(word);
    most = most < least ? most : least;
    /* The first letter is rarely the wrong one, and then the only one. */
    if (word[0] != known[0] && most > 1)
        most = 1;
    d = rk_edit_distance(word, known, most);
    return d > most || is_other(word, known, d) ? SIZE_MAX : d;
}

size_t rk_nearest_distance(const char *word, const char *known, bool keeps_numbers)
{
    return distance(word, known, SIZE_MAX, keeps_numbers);
}

static bool begins_alike(const char *a, const char *b)
{
    return tolower((unsigned char)a[strspn(a, "-")]) == tolower((unsigned char)b[strspn(b, "-")]);
}

void rk_nearest_try(rk_nearest *n, const char *known)
{
    /* The first letter is rarely the wrong one. */
    bool decides = n->best && !begins_alike(n->word, n->best) && begins_alike(n->word, known);
    size_t d;

    if (n->best && n->distance == 0)
        return;
    d = distance(n->word, known, n->best ? n->distance - !decides : SIZE_MAX, n->keeps_numbers);
    if (d == SIZE_MAX)
        return;
    n->best = known;
    n->distance = d;
}

const char *rk_nearest_hint(const rk_nearest *n, char buf[RK_NEAREST_HINT_MAX])
{
    buf[0] = '\0';
    if (n->best)
        snprintf(buf, RK_NEAREST_HINT_MAX, "; did you mean '%.100s'?", n->best);
    return buf;
}

/* ---- words of "a|b|c" ------------------------------------------------------------------------------------------- */

int rk_words_place(const char *words, const char *word)
{
    size_t length = strlen(word);

    for (int i = 0;; i++) {
        size_t n = strcspn(words, "|");

        if (n == length && memcmp(words, word, n) == 0)
            return i;
        if (!words[n])
            return -1;
        words += n + 1;
    }
}

int rk_words_fail(const char *words, const char *what, const char *word, rk_err *err)
{
    char hint[RK_NEAREST_HINT_MAX], known[PLAIN_MAX], best[PLAIN_MAX];
    rk_nearest near = {.word = word};

    for (const char *at = words; at; at = strchr(at, '|'), at = at ? at + 1 : NULL) {
        snprintf(known, sizeof known, "%.*s", (int)strcspn(at, "|"), at);
        rk_nearest_try(&near, known);
        if (near.best == known)
            near.best = memcpy(best, known, sizeof best);
    }
    return rk_fail(err, RK_EUSAGE, "%s is not '%s' but one of %s%s", what, word, words, rk_nearest_hint(&near, hint));
}
