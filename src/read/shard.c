/* SPDX-License-Identifier: MIT */
#include "read/shard.h"

#include <string.h>

#define DIGITS_MAX 6

/* Reads the digits that end before text[*end]; moves *end to the first.  0: none, or too many. */
static unsigned digits_before(const char *text, size_t *end, int *width)
{
    size_t at = *end;
    unsigned value = 0, power = 1;

    for (*width = 0; at > 0 && text[at - 1] >= '0' && text[at - 1] <= '9'; at--, power *= 10) {
        if (++*width > DIGITS_MAX)
            return 0;
        value += power * (unsigned)(text[at - 1] - '0');
    }
    *end = at;
    return value;
}

static bool word_before(const char *text, size_t *end, const char *word)
{
    size_t n = strlen(word);

    if (*end < n || memcmp(text + *end - n, word, n) != 0)
        return false;
    *end -= n;
    return true;
}

bool rk_shard_parse(const char *path, const char *suffix, rk_shard *out)
{
    size_t end = strlen(path);
    rk_shard s = {0};

    if (!word_before(path, &end, suffix) || (s.of = digits_before(path, &end, &s.width_of)) == 0 ||
        !word_before(path, &end, "-of-") || (s.number = digits_before(path, &end, &s.width)) == 0 ||
        !word_before(path, &end, "-") || s.number > s.of)
        return false;
    s.n_prefix = end;
    *out = s;
    return true;
}

const char *rk_shard_path(rk_arena *a, const char *path, const rk_shard *s, unsigned number, const char *suffix)
{
    return rk_arena_format(a, "%.*s-%0*u-of-%0*u%s", (int)s->n_prefix, path, s->width, number, s->width_of, s->of,
                           suffix);
}
