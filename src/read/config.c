/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "read/doc.h"
#include "read/jscan.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A document made by the scanner of JSON (read/jscan.h).  The scanner works in a copy of the text, and the keys and
 * texts of the document are pieces of that copy: a key's address says where it stands.
 */

/* What every step of one reading needs.  What fails is noted in `json`, which then reads no further. */
typedef struct reading {
    rk_arena *arena;
    rk_jscan json;
    rk_arena scratch;
    RK_VEC(uint32_t) tokens; /* of each map and list in the order of the text: what stands in it, by a first look */
    size_t n_open;           /* maps and lists that were begun */
    int line;                /* of the byte `line_at` of the text */
    size_t line_at;
} reading;

static int newlines(const char *text, size_t n)
{
    int found = 0;

    for (const char *at = text; (at = memchr(at, '\n', n - (size_t)(at - text))) != NULL; at++)
        found++;
    return found;
}

/* ---- a first look ----------------------------------------------------------------------------------------------- */

/* Bytes between tokens, and those that begin a token and so end one before it. */
enum {
    BETWEEN = 1,
    BEGINS
};
static const unsigned char class_of[UCHAR_MAX + 1] = {
    [' '] = BETWEEN, ['\t'] = BETWEEN, ['\n'] = BETWEEN, ['\r'] = BETWEEN, [','] = BETWEEN, [':'] = BETWEEN,
    [']'] = BETWEEN, ['}'] = BETWEEN,  ['['] = BEGINS,   ['{'] = BEGINS,   ['"'] = BEGINS};

/* The end of the token that begins at byte `at`: a string, an opening bracket, or all up to the next of these. */
static size_t token_end(const char *text, size_t n, size_t at)
{
    char c = text[at++];

    if (c == '"') {
        while (at < n && text[at] != '"')
            at += text[at] == '\\' ? 2 : 1;
        return at + 1;
    }
    while (c != '[' && c != '{' && at < n && class_of[(unsigned char)text[at]] == 0)
        at++;
    return at;
}

/*
 * Counts what stands in each map and list, so that no more memory is taken than the document needs, and none before
 * the limits were looked at.  All that the scanner accepts up to some byte was seen here in the same way, so a count is
 * too small for nothing but what it refuses.
 */
static bool count_tokens(reading *r)
{
    rk_jscan *j = &r->json;
    uint32_t open[RK_DOC_DEPTH_MAX];
    size_t depth = 0, n = 0, end;

    for (size_t at = 0; at < j->n; at = end) {
        char c = j->lines[at];

        end = at + 1;
        if (c == ']' || c == '}')
            depth -= depth > 0;
        if (class_of[(unsigned char)c] == BETWEEN)
            continue;
        end = token_end(j->lines, j->n, at);
        if (++n > RK_DOC_VALUES_MAX)
            return rk_jscan_fail(j, RK_ELIMIT, at, "more than %d keys and values: this is no config",
                                 RK_DOC_VALUES_MAX);
        if (depth > 0)
            r->tokens.at[open[depth - 1]]++;
        if (c != '[' && c != '{')
            continue;
        if (depth == RK_DOC_DEPTH_MAX)
            return rk_jscan_fail(j, RK_ELIMIT, at, "nesting over %d", RK_DOC_DEPTH_MAX);
        if (RK_PUSH(&r->scratch, &r->tokens) == NULL)
            return rk_jscan_check(j, rk_fail_memory(j->err));
        open[depth++] = (uint32_t)r->tokens.n - 1;
    }
    return true;
}

/* ---- numbers and words ------------------------------------------------------------------------------------------ */

#define REAL_DIGITS_MAX 800 /* 767 digits decide how a decimal number is rounded, and then whether any is after them */
#define EXPONENT_MAX 1000000000000

/* The exponent text[0..n), which may have a sign; one that is beyond all use is cut. */
static long long exponent_of(const char *text, size_t n)
{
    size_t at = n > 0 && (text[0] == '-' || text[0] == '+');
    long long value = 0;

    for (; at < n; at++)
        value = value < EXPONENT_MAX ? value * 10 + (text[at] - '0') : value;
    return n > 0 && text[0] == '-' ? -value : value;
}

/* The number that text[0..n) is.  Written without its point it means the same to strtod whatever the locale is. */
static double real_of(const char *text, size_t n)
{
    char plain[REAL_DIGITS_MAX + 32];
    long long exponent = 0;
    bool fraction = false, more = false;
    size_t at = text[0] == '-', k = 0;

    for (; at < n && text[at] != 'e' && text[at] != 'E'; at++) {
        if (text[at] == '.') {
            fraction = true;
            continue;
        }
        exponent -= fraction;
        if (k == REAL_DIGITS_MAX) {
            exponent++;
            more |= text[at] != '0';
        } else if (k > 0 || text[at] != '0') {
            plain[k++] = text[at];
        }
    }
    if (more) {
        exponent--;
        plain[k++] = '1';
    }
    if (at < n)
        exponent += exponent_of(text + at + 1, n - at - 1);
    snprintf(plain + k, sizeof plain - k, "%se%lld", k == 0 ? "0" : "", exponent);
    return text[0] == '-' ? -strtod(plain, NULL) : strtod(plain, NULL);
}

static bool read_bare(reading *r, rk_doc *to)
{
    rk_jscan *j = &r->json;
    rk_jbare kind;
    rk_jtext t;

    if (!rk_jscan_bare(j, &kind, &t))
        return false;
    switch (kind) {
    case RK_JNULL:
        to->kind = RK_DOC_NULL;
        return true;
    case RK_JFALSE:
    case RK_JTRUE:
        to->kind = RK_DOC_BOOL;
        to->truth = kind == RK_JTRUE;
        return true;
    case RK_JNAN:
    case RK_JINFINITY:
    case RK_JMINUS_INFINITY:
        to->kind = RK_DOC_REAL;
        to->real = kind == RK_JNAN ? (double)NAN : kind == RK_JINFINITY ? (double)INFINITY : -(double)INFINITY;
        return true;
    case RK_JREAL:
        to->kind = RK_DOC_REAL;
        to->real = real_of(t.text, t.n);
        return !isinf(to->real) || rk_jscan_fail(j, RK_EINPUT, t.at, "'%s' is beyond 1.8e308, the largest real number",
                                                 rk_safe_text(t.text, t.n).text);
    case RK_JWHOLE:
        break;
    }
    size_t sign = t.text[0] == '-';
    to->kind = RK_DOC_INT;
    if (!rk_num_parse(t.text + sign, t.n - sign, &to->number))
        return rk_jscan_fail(j, RK_EOVERFLOW, t.at, "a whole number beyond 128 bits");
    if (sign)
        to->number = -to->number;
    return true;
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

static bool read_value(reading *r, rk_doc *to);

static bool fail_twice(reading *r, const rk_doc *map, uint32_t once, uint32_t twice)
{
    rk_jscan *j = &r->json;
    const char *key = map->key[twice];

    return rk_jscan_fail(j, RK_EINPUT, (uint64_t)(key - j->text) - 1, "the key '%s' stands twice, first in line %d",
                         rk_safe_text(key, strlen(key)).text,
                         1 + newlines(j->lines, (size_t)(map->key[once] - j->text)));
}

static bool read_list(reading *r, rk_doc *to)
{
    rk_jscan *j = &r->json;
    size_t room = r->tokens.at[r->n_open++];
    rk_jbare kind;
    rk_jtext t;

    to->kind = RK_DOC_LIST;
    to->item = RK_NEW_ARRAY(r->arena, room, rk_doc);
    if (to->item == NULL)
        return rk_jscan_check(j, rk_fail_memory(j->err));
    for (rk_jscan_enter(j, '['); rk_jscan_more(j, ']');) {
        if (to->n == room)
            return rk_jscan_bare(j, &kind, &t) && false; /* no token is left: it says that a value is wanted */
        read_value(r, &to->item[to->n++]);
    }
    return j->code == RK_OK;
}

static bool read_map(reading *r, rk_doc *to)
{
    rk_jscan *j = &r->json;
    size_t room = ((size_t)r->tokens.at[r->n_open++] + 1) / 2; /* a key and its value are two tokens */
    uint32_t once, twice;
    rk_jtext key;

    to->kind = RK_DOC_MAP;
    to->item = RK_NEW_ARRAY(r->arena, room, rk_doc);
    to->key = RK_NEW_ARRAY(r->arena, room, const char *);
    if (to->item == NULL || to->key == NULL)
        return rk_jscan_check(j, rk_fail_memory(j->err));
    for (rk_jscan_enter(j, '{'); rk_jscan_more(j, '}') && rk_jscan_key(j, &key); to->n++) {
        to->key[to->n] = key.text;
        read_value(r, &to->item[to->n]);
    }
    if (j->code != RK_OK)
        return false;
    int code = rk_doc_sort(r->arena, to, &once, &twice);
    if (code == RK_EINPUT)
        return fail_twice(r, to, once, twice);
    return code == RK_OK || rk_jscan_check(j, rk_fail_memory(j->err));
}

/* Recursion is bounded: count_tokens has seen the text. */
static bool read_value(reading *r, rk_doc *to)
{
    rk_jscan *j = &r->json;
    char c = rk_jscan_next(j);
    rk_jtext t;

    r->line += newlines(j->lines + r->line_at, j->at - r->line_at);
    r->line_at = j->at;
    to->line = r->line;
    if (c == '{')
        return read_map(r, to);
    if (c == '[')
        return read_list(r, to);
    if (c != '"')
        return read_bare(r, to);
    if (!rk_jscan_text(j, &t))
        return false;
    to->kind = RK_DOC_TEXT;
    to->text = t.text;
    to->n = t.n;
    return true;
}

/* ---- the whole -------------------------------------------------------------------------------------------------- */

int rk_config_parse(rk_arena *a, const char *name, const char *text, size_t n, rk_doc **out, rk_err *err)
{
    if (n > RK_CONFIG_BYTES_MAX)
        return rk_fail(err, RK_ELIMIT, "%s: too large (%zu bytes, the limit is %zu)", name, n, RK_CONFIG_BYTES_MAX);

    if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* a byte order mark */
        text += 3;
        n -= 3;
    }

    if (n == 0)
        return rk_fail(err, RK_EINPUT, "%s: is empty", name);

    rk_arena_mark mark = rk_arena_here(a);
    rk_input in = rk_input_memory(name, text, n, n);
    reading r = {.arena = a, .json = {.in = &in, .n = n, .lines = text, .err = err}, .line = 1};
    rk_jscan *j = &r.json;
    rk_doc *doc = RK_NEW(a, rk_doc);

    if (count_tokens(&r)) {
        j->text = rk_arena_copy(a, text, n);
        if (doc == NULL || j->text == NULL)
            rk_jscan_check(j, rk_fail_memory(err));
        else if (read_value(&r, doc))
            rk_jscan_end(j);
    }
    rk_arena_free(&r.scratch);
    if (j->code == RK_OK)
        *out = doc;
    else
        rk_arena_rewind(a, mark);
    return j->code;
}
