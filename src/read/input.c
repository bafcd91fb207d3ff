/* SPDX-License-Identifier: MIT */
#include "read/input.h"

#include "base/str.h"

#include <stdio.h>
#include <string.h>

#define SHOWN_MAX 100 /* bytes of a name that a message shows */

rk_safe rk_safe_text(const char *text, size_t n)
{
    rk_safe safe;
    rk_str s = {0};
    size_t shown = rk_utf8_cut(text, n, SHOWN_MAX);

    /* Bytes that must be made visible take four characters each: what they fill is cut once more. */
    rk_str_put_safe(&s, text, shown);
    size_t fits = rk_utf8_cut(rk_str_text(&s), s.n, RK_SAFE_MAX - sizeof "…");
    snprintf(safe.text, sizeof safe.text, "%.*s%s", (int)fits, rk_str_text(&s), shown < n || fits < s.n ? "…" : "");
    rk_str_free(&s);
    return safe;
}

bool rk_is_safe(const char *text, size_t n)
{
    rk_str s = {0};

    rk_str_put_safe(&s, text, n);
    /* Where memory ran out, the next allocation says so. */
    bool same = s.failed || (s.n == n && memcmp(rk_str_text(&s), text, n) == 0);
    rk_str_free(&s);
    return same;
}
