/* SPDX-License-Identifier: MIT */
#include "report/wrap.h"

#include <string.h>

/* Columns of the character at `at`, and its length in bytes. */
static size_t character(const char *at, size_t *len)
{
    char one[5] = {0};
    uint32_t point = 0;

    *len = rk_utf8_decode(at, strnlen(at, 4), &point);
    *len = *len ? *len : 1;
    memcpy(one, at, *len);
    return rk_text_width(one);
}

/* How many bytes fit: whole characters, and marks that combine with the last of them; at least one character. */
static size_t fitting(const char *text, size_t columns)
{
    size_t at = 0, used = 0;

    while (text[at]) {
        size_t len, width = character(text + at, &len);

        if (at > 0 && used + width > columns)
            break;
        used += width;
        at += len;
    }
    return at;
}

/* ---- places for a break ----------------------------------------------------------------------------------------- */

static bool before_sign(const char *at)
{
    return strncmp(at, " + ", 3) == 0 || strncmp(at, " - ", 3) == 0 || strncmp(at, " = ", 3) == 0 ||
           strncmp(at, " × ", sizeof " × " - 1) == 0;
}

/* The last break of a formula within `most` bytes; outside of brackets unless that would leave half the line empty. */
static size_t formula_break(const char *text, size_t most)
{
    size_t outside = 0, any = 0;
    int depth = 0;

    for (size_t i = 0; i <= most && text[i]; i++) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (i == 0 || !before_sign(text + i))
            continue;
        any = i;
        if (depth <= 0)
            outside = i;
    }
    return outside * 2 >= most || outside == any ? outside : any;
}

static size_t space_break(const char *text, size_t most)
{
    for (size_t i = most; i > 0; i--)
        if (text[i] == ' ')
            return i;
    return 0;
}

static size_t list_break(const char *text, size_t most)
{
    for (size_t i = most; i > 1; i--)
        if (text[i] == ' ' && text[i - 1] == ',')
            return i;
    return 0;
}

static size_t name_break(const char *text, size_t most)
{
    for (size_t i = most; i > 1; i--)
        if (text[i] == ' ' || strchr("._/,-|", text[i - 1]))
            return i;
    return 0;
}

size_t rk_wrap(const char *text, size_t columns, rk_breaks how, size_t *next)
{
    size_t most = fitting(text, columns), n = 0;

    if (text[most] == '\0') {
        *next = most;
        return most;
    }
    if (how == RK_BREAK_FORMULA)
        n = formula_break(text, most);
    if (how == RK_BREAK_LIST)
        n = list_break(text, most);
    if (n == 0 && how != RK_BREAK_NAME)
        n = space_break(text, most);
    if (n == 0)
        n = name_break(text, most);
    n = n ? n : most;
    *next = n + strspn(text + n, " ");
    return n;
}

size_t rk_wrap_count(const char *text, size_t first, size_t others, rk_breaks how)
{
    size_t n = 0, next = 0;

    do {
        rk_wrap(text, n ? others : first, how, &next);
        text += next;
        n++;
    } while (*text);
    return n;
}
