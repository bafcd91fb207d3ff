/* SPDX-License-Identifier: MIT */
#include "plan/glob.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

static bool same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Goes back to the last star only, so that a pattern of many costs no more than the product of the two lengths. */
bool rk_glob_is(const char *pattern, const char *text)
{
    const char *star = NULL, *from = NULL;

    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            from = text;
        } else if (*pattern && (*pattern == '?' || same_letter(*pattern, *text))) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++from;
        } else {
            return false;
        }
    }
    return pattern[strspn(pattern, "*")] == '\0';
}

static bool begins_with(const char *text, const char *word)
{
    while (*word && same_letter(*text, *word)) {
        text++;
        word++;
    }
    return *word == '\0';
}

bool rk_glob_finds(const char *pattern, const char *text)
{
    if (strpbrk(pattern, "*?"))
        return rk_glob_is(pattern, text);
    for (; *text; text++)
        if (begins_with(text, pattern))
            return true;
    return *pattern == '\0';
}
