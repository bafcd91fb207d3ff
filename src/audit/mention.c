/* SPDX-License-Identifier: MIT */
#include "audit/mention.h"

#include <stdbool.h>
#include <string.h>

enum {
    LETTERS_LEAST = 5, /* "t5" and "opt" may be anything */
    GAP_MAX = 2        /* signs between two letters of a name */
};

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

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
        digit |= *name >= '0' && *name <= '9';
        letters++;
        at++;
    }
    return letters >= LETTERS_LEAST && digit && !(at < n && is_letter(text[at])) ? at : 0;
}

static bool is_known(const rk_mention *out, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (out[i].name == name)
            return true;
    return false;
}

size_t rk_mentions_find(const char *text, size_t n, const char *const *name, size_t n_name,
                        rk_mention out[RK_MENTIONS_MAX])
{
    size_t found = 0;

    for (size_t at = 0; at < n && found < RK_MENTIONS_MAX; at++) {
        size_t longest = 0, which = 0;

        if (!is_letter(text[at]) || (at > 0 && is_letter(text[at - 1])))
            continue;
        for (size_t i = 0; i < n_name; i++) {
            size_t length = lower(name[i][0]) == lower(text[at]) ? length_here(text + at, n - at, name[i]) : 0;

            if (length > longest) {
                longest = length;
                which = i;
            }
        }
        if (longest == 0)
            continue;
        if (!is_known(out, found, name[which]))
            out[found++] = (rk_mention){name[which], at};
        at += longest - 1;
    }
    return found;
}
