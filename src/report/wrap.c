/* SPDX-License-Identifier: MIT */
#include "report/wrap.h"

#include <string.h>

/* How many bytes fit: whole characters, and marks that combine with the last of them; at least one character. */
static size_t fitting(const char *text, size_t columns)
{
    size_t at = 0, used = 0;

    while (text[at]) {
        char one[5] = {0};
        uint32_t point = 0;
        size_t len = rk_utf8_decode(text + at, strnlen(text + at, 4), &point), width;

        len = len ? len : 1;
        memcpy(one, text + at, len);
        width = rk_text_width(one);
        if (at > 0 && used + width > columns)
            break;
        used += width;
        at += len;
    }
    return at;
}

/* ---- places for a break ----------------------------------------------------------------------------------------- */

/* The last break of a formula within `most` bytes; outside of brackets unless that would leave half the line empty. */
static size_t formula_break(const char *text, size_t most)
{
    static const char *const sign[] = {" + ", " - ", " = ", " × "};
    size_t outside = 0, any = 0;
    int depth = 0;

    for (size_t i = 0; i <= most && text[i]; i++) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        for (size_t k = 0; i > 0 && k < sizeof sign / sizeof *sign; k++)
            if (strncmp(text + i, sign[k], strlen(sign[k])) == 0) {
                any = i;
                outside = depth <= 0 ? i : outside;
            }
    }
    return outside * 2 >= most || outside == any ? outside : any;
}

static bool may_end(const char *text, size_t i, rk_breaks how)
{
    bool space = text[i] == ' ';

    if (how == RK_BREAK_WORDS)
        return space;
    if (how == RK_BREAK_LIST)
        return i > 1 && space && text[i - 1] == ',';
    return i > 1 && (space || strchr("._/,-|", text[i - 1]));
}

/* The last place within `most` bytes at which a line of words, of a list or of a name may end, or 0. */
static size_t text_break(const char *text, size_t most, rk_breaks how)
{
    while (most > 0 && !may_end(text, most, how))
        most--;
    return most;
}

size_t rk_wrap(const char *text, size_t columns, rk_breaks how, size_t *next)
{
    size_t most = fitting(text, columns), n;

    if (text[most] == '\0') {
        *next = most;
        return most;
    }
    n = how == RK_BREAK_FORMULA ? formula_break(text, most) : text_break(text, most, how);
    if (n == 0 && how != RK_BREAK_NAME)
        n = text_break(text, most, RK_BREAK_WORDS);
    if (n == 0)
        n = text_break(text, most, RK_BREAK_NAME);
    n = n ? n : most;
    *next = n + strspn(text + n, " ");
    return n;
}
