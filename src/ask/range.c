/* SPDX-License-Identifier: MIT */
/* The numbers that a symbol goes through: S=1K..64K:x2. */
#include "ask/sweep.h"
#include "base/vec.h"
#include "plan/setting.h"

#include <string.h>

bool rk_range_is(const char *word)
{
    const char *value = strchr(word, '=');

    return value && (strchr(value, ',') || strstr(value, ".."));
}

static int parse_number(rk_arena *a, const char *word, const char *text, size_t n, rk_i128 *out, rk_err *err)
{
    const char *copy = rk_arena_format(a, "%.*s", (int)n, text);
    rk_err why = {0};

    if (!copy)
        return rk_fail_memory(err);
    if (n == 0)
        return rk_fail(err, RK_EINPUT, "%s: a number is missing; a list is S=1K,2K,4K and a range S=1K..64K:x2", word);
    if (rk_count_parse(copy, out, &why) == RK_OK)
        return RK_OK;
    return rk_fail(err, RK_EINPUT, "%s: '%s' %s", word, copy, why.message);
}

/* Reads what follows the colon: x2 is a factor, +16 or 16 a step. */
static int parse_step(rk_arena *a, const char *word, const char *text, size_t n, rk_progression *out, rk_err *err)
{
    rk_i128 *number = text[0] == 'x' ? &out->factor : &out->step;
    size_t sign = text[0] == 'x' || text[0] == '+';
    int code = parse_number(a, word, text + sign, n - sign, number, err);

    if (code == RK_OK && out->factor == 1)
        return rk_fail(err, RK_EINPUT, "%s: a factor of 1 never gets to the end; x2 doubles", word);
    return code;
}

static rk_i128 count(const rk_progression *s, rk_i128 last)
{
    rk_i128 n = 1;

    if (s->factor == 0)
        return (last - s->first) / s->step + 1;
    for (rk_i128 at = s->first; at <= last / s->factor; at *= s->factor)
        n++;
    return n;
}

/* A number, or first..last, perhaps with its step. */
static int parse_stretch(rk_arena *a, const char *word, const char *text, size_t n, rk_progression *out, rk_err *err)
{
    const char *dots = memmem(text, n, "..", 2), *colon = memchr(text, ':', n);
    const char *end = colon && colon > dots ? colon : text + n;
    rk_i128 last = 0;
    int code;

    *out = (rk_progression){.step = 1, .n = 1};
    code = parse_number(a, word, text, dots ? (size_t)(dots - text) : n, &out->first, err);
    if (!dots || code != RK_OK)
        return code;
    code = parse_number(a, word, dots + 2, (size_t)(end - dots - 2), &last, err);
    if (code == RK_OK && end < text + n)
        code = parse_step(a, word, end + 1, (size_t)(text + n - end - 1), out, err);
    if (code == RK_OK && last < out->first)
        return rk_fail(err, RK_EINPUT, "%s: the range runs backwards: the smaller number stands first", word);
    out->n = code == RK_OK ? count(out, last) : 0;
    return code;
}

int rk_range_parse(rk_arena *a, const char *word, rk_range *out, rk_err *err)
{
    const char *value = strchr(word, '=');
    RK_VEC(rk_progression) list = {0};
    rk_acc acc = {0};
    int code = RK_OK;

    if (!value)
        return rk_fail(err, RK_EINPUT, "%s is no range, such as S=1K..64K:x2", word);
    *out = (rk_range){.symbol = rk_arena_format(a, "%.*s", (int)(value - word), word)};
    for (const char *at = value + 1; at && code == RK_OK;) {
        size_t n = strcspn(at, ",");
        rk_progression *s = RK_PUSH(a, &list);

        if (!s || !out->symbol)
            return rk_fail_memory(err);
        code = parse_stretch(a, word, at, n, s, err);
        out->n = rk_add(&acc, out->n, s->n);
        at = at[n] ? at + n + 1 : NULL;
    }
    out->stretch = list.at;
    out->n_stretch = list.n;
    return code;
}

rk_i128 rk_range_at(const rk_range *r, rk_i128 i)
{
    const rk_progression *s = r->stretch;
    rk_i128 at;

    while (i >= s->n)
        i -= (s++)->n;
    if (s->factor == 0)
        return s->first + i * s->step;
    for (at = s->first; i > 0; i--)
        at *= s->factor;
    return at;
}

int rk_sweep_points(const rk_range *range, size_t n, rk_i128 *out, rk_err *err)
{
    rk_acc acc = {0};
    rk_i128 points = 1;
    char would[RK_NUM_TEXT_MAX], most[RK_NUM_TEXT_MAX];

    for (size_t i = 0; i < n; i++)
        points = rk_mul(&acc, points, range[i].n);
    if (acc.overflow || points > RK_SWEEP_POINTS_MAX)
        return rk_fail(err, RK_ELIMIT, "this grid would have %s points, and the most are %s: use fewer or larger steps",
                       acc.overflow ? "over 10^38" : rk_num_grouped(would, points),
                       rk_num_grouped(most, RK_SWEEP_POINTS_MAX));
    *out = points;
    return RK_OK;
}
