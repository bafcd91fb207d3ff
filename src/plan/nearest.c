/* SPDX-License-Identifier: MIT */
#include "plan/nearest.h"

#include "base/str.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    LOWER_MAX = 64
};

static const char *lower(const char *word, char buf[LOWER_MAX])
{
    size_t n = strlen(word);

    if (n >= LOWER_MAX)
        return word;
    for (size_t i = 0; i <= n; i++)
        buf[i] = (char)tolower((unsigned char)word[i]);
    return buf;
}

/* One slip in a short word, two in a longer one, three in a long one; more is another word.  Dashes before it are
 * never wrong. */
static size_t slips(const char *word)
{
    size_t n = strlen(word + strspn(word, "-"));

    return n <= 4 ? 1 : n <= 8 ? 2 : 3;
}

/* Up to `most` slips; SIZE_MAX: it is another word. */
static size_t distance(const char *word, const char *known, size_t most)
{
    char a[LOWER_MAX], b[LOWER_MAX];
    size_t d = rk_edit_distance(lower(word, a), lower(known, b), most);

    /* A word of which every letter changed has nothing to do with the one typed. */
    return d > most || (d > 0 && d >= strlen(known)) || (d > 0 && d >= strlen(word)) ? SIZE_MAX : d;
}

size_t rk_nearest_distance(const char *word, const char *known)
{
    return distance(word, known, slips(word));
}

static bool begins_alike(const char *a, const char *b)
{
    return tolower((unsigned char)a[0]) == tolower((unsigned char)b[0]);
}

void rk_nearest_try(rk_nearest *n, const char *known)
{
    /* The first letter is rarely the wrong one. */
    bool decides = n->best && !begins_alike(n->word, n->best) && begins_alike(n->word, known);
    size_t d;

    if (n->best && n->distance == 0)
        return;
    d = distance(n->word, known, n->best ? n->distance - !decides : slips(n->word));
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
    char hint[RK_NEAREST_HINT_MAX], known[LOWER_MAX], best[LOWER_MAX];
    rk_nearest near = {.word = word};

    for (const char *at = words; at; at = strchr(at, '|'), at = at ? at + 1 : NULL) {
        snprintf(known, sizeof known, "%.*s", (int)strcspn(at, "|"), at);
        rk_nearest_try(&near, known);
        if (near.best == known)
            near.best = memcpy(best, known, sizeof best);
    }
    return rk_fail(err, RK_EUSAGE, "%s is not '%s' but one of %s%s", what, word, words, rk_nearest_hint(&near, hint));
}
