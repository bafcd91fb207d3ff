/* SPDX-License-Identifier: MIT */
#include "read/pattern.h"

#include <ctype.h>
#include <string.h>

/* One character of a pattern, and how often it may stand: `next` is where the pattern goes on. */
typedef struct atom {
    char what;    /* itself, or a class: 'd', 'w' */
    bool any;     /* . */
    bool escaped; /* \x: a class, or the character itself */
    bool end;     /* $ */
    bool none_too, more;
    size_t next;
} atom;

static atom atom_at(const char *pattern, size_t i)
{
    atom a = {.what = pattern[i], .any = pattern[i] == '.', .end = pattern[i] == '$' && !pattern[i + 1]};

    if (pattern[i] == '\\' && pattern[i + 1]) {
        a.escaped = true;
        a.what = pattern[++i];
    }
    a.next = i + 1;
    if (pattern[a.next] == '*' || pattern[a.next] == '+') {
        a.more = true;
        a.none_too = pattern[a.next] == '*';
        a.next++;
    }
    return a;
}

static bool takes(const atom *a, char c)
{
    unsigned char byte = (unsigned char)c;

    if (a->escaped && a->what == 'd')
        return isdigit(byte);
    if (a->escaped && a->what == 'w')
        return isalnum(byte) || c == '_';
    return a->any || a->what == c;
}

static bool escape_ok(char c)
{
    return c == 'd' || c == 'w' || (c != '\0' && !isalnum((unsigned char)c));
}

bool rk_pattern_ok(const char *pattern)
{
    size_t n = strlen(pattern);
    bool repeats = false; /* the character before was * or + */

    if (n == 0 || n > RK_PATTERN_MAX || strchr("*+", pattern[0]))
        return false;
    for (size_t i = 0; i < n; i++) {
        bool again = pattern[i] == '*' || pattern[i] == '+';

        if (strchr("()[]{}|?", pattern[i]) || (again && repeats) || (pattern[i] == '$' && i + 1 < n) ||
            (pattern[i] == '^' && i > 0) || (pattern[i] == '\\' && !escape_ok(pattern[++i])))
            return false;
        repeats = again;
    }
    return true;
}

/* Places of the pattern that the text so far leads to; those after what may be left out are places too. */
static void reach(const char *pattern, bool *place, size_t i)
{
    while (!place[i]) {
        place[i] = true;
        if (!pattern[i] || !atom_at(pattern, i).none_too)
            return;
        i = atom_at(pattern, i).next;
    }
}

static bool ends_here(const char *pattern, size_t n, const bool *place, const char *text, rk_pattern_end end)
{
    bool last = place[n - (pattern[n - 1] == '$')] && !*text && pattern[n - 1] == '$';

    return last || (place[n] && (end == RK_PATTERN_ANYWHERE || !*text || *text == '.'));
}

static bool step(const char *pattern, size_t n, const bool *from, bool *to, char c)
{
    bool some = false;

    memset(to, 0, n + 1);
    for (size_t i = 0; i < n; i++) {
        atom a = from[i] ? atom_at(pattern, i) : (atom){.end = true};

        if (a.end || !takes(&a, c))
            continue;
        some = true;
        reach(pattern, to, a.next);
        if (a.more)
            reach(pattern, to, i);
    }
    return some;
}

/* Lists of hundreds of plain names are matched against tens of thousands of modules: no table for those. */
static bool match_plain(const char *pattern, const char *text, rk_pattern_end end)
{
    for (; *pattern; pattern++, text++)
        if (!*text || (*pattern != '.' && *pattern != *text))
            return false;
    return end == RK_PATTERN_ANYWHERE || !*text || *text == '.';
}

bool rk_pattern_match(const char *pattern, const char *text, rk_pattern_end end)
{
    bool place[2][RK_PATTERN_MAX + 1] = {{false}};
    bool *from = place[0], *to = place[1], *swap;
    size_t n;

    pattern += *pattern == '^';
    n = strlen(pattern);
    if (n == 0 || n > RK_PATTERN_MAX)
        return false;
    if (pattern[strcspn(pattern, "*+\\$")] == '\0')
        return match_plain(pattern, text, end);
    reach(pattern, from, 0);
    for (; !ends_here(pattern, n, from, text, end); text++) {
        if (!*text || !step(pattern, n, from, to, *text))
            return false;
        swap = from, from = to, to = swap;
    }
    return true;
}
