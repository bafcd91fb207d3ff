/* SPDX-License-Identifier: MIT */
#include "read/jscan.h"

#include "base/str.h"
#include "read/doc.h"

#include <stdio.h>
#include <string.h>

/* ---- failing ---------------------------------------------------------------------------------------------------- */

bool rk_jscan_fail(rk_jscan *j, int code, uint64_t at, const char *fmt, ...)
{
    char message[RK_ERR_MESSAGE_MAX];
    va_list ap;

    if (j->code != RK_OK)
        return false;
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    j->code = rk_input_fail(j->in, j->err, code, at, "%s", message);
    return false;
}

bool rk_jscan_check(rk_jscan *j, int code)
{
    if (j->code == RK_OK)
        j->code = code;
    return j->code == RK_OK;
}

/* Fails with what was wanted and what stands there. */
static bool fail_want(rk_jscan *j, const char *want)
{
    if (j->at == j->n)
        return rk_jscan_fail(j, RK_EINPUT, j->base + j->at, "%s expected at the end of the text", want);
    return rk_jscan_fail(j, RK_EINPUT, j->base + j->at, "%s expected near '%s'", want,
                         rk_safe_text(j->text + j->at, 1).text);
}

/* ---- tokens ----------------------------------------------------------------------------------------------------- */

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The next byte that is no space; the terminator at the end. */
static char peek(rk_jscan *j)
{
    while (j->at < j->n && is_space(j->text[j->at]))
        j->at++;
    return j->text[j->at];
}

static bool expect(rk_jscan *j, char c, const char *want)
{
    if (j->code != RK_OK)
        return false;
    if (peek(j) != c || j->at == j->n)
        return fail_want(j, want);
    j->at++;
    return true;
}

uint64_t rk_jscan_here(rk_jscan *j)
{
    peek(j);
    return j->base + j->at;
}

bool rk_jscan_enter(rk_jscan *j, char open)
{
    j->fresh = true;
    return expect(j, open, open == '{' ? "'{'" : "'['");
}

bool rk_jscan_more(rk_jscan *j, char close)
{
    bool first = j->fresh;

    j->fresh = false;
    if (j->code != RK_OK)
        return false;
    if (peek(j) == close) {
        j->at++;
        return false;
    }
    return first || expect(j, ',', close == '}' ? "',' or '}'" : "',' or ']'");
}

bool rk_jscan_end(rk_jscan *j)
{
    if (j->code != RK_OK)
        return false;
    peek(j);
    return j->at == j->n || fail_want(j, "the end");
}

/* ---- strings ---------------------------------------------------------------------------------------------------- */

/* Four hexadecimal digits at `at`, or a number beyond 0xffff. */
static uint32_t hex4(const rk_jscan *j, size_t at)
{
    uint32_t value = 0;

    for (size_t i = at; i < at + 4; i++) {
        char c = i < j->n ? j->text[i] : '\0', low = (char)(c | 0x20);

        if (!is_digit(c) && !(low >= 'a' && low <= 'f'))
            return UINT32_MAX;
        value = value << 4 | (uint32_t)(is_digit(c) ? c - '0' : low - 'a' + 10);
    }
    return value;
}

/* The code point of \uXXXX or \uXXXX\uXXXX at `at`, its length in *n; UINT32_MAX: it is none. */
static uint32_t unicode_escape(const rk_jscan *j, size_t at, size_t *n)
{
    uint32_t high = hex4(j, at + 2), low;

    *n = 6;
    if (high < 0xd800 || high > 0xdfff)
        return high > 0xffff ? UINT32_MAX : high;
    low = at + 7 < j->n && j->text[at + 6] == '\\' && j->text[at + 7] == 'u' ? hex4(j, at + 8) : UINT32_MAX;
    *n = 12;
    if (high > 0xdbff || low < 0xdc00 || low > 0xdfff)
        return UINT32_MAX; /* half of a pair */
    return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

/* Writes a code point as UTF-8; its escape was at least as long. */
static size_t put_utf8(char *to, uint32_t c)
{
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};

    for (size_t i = n - 1; i > 0; i--, c >>= 6)
        to[i] = (char)(0x80 | (c & 0x3f));
    to[0] = (char)(lead[n] | c);
    return n;
}

/* What the escape at `at` means, its length in *n; UINT32_MAX: it is none that is allowed. */
static uint32_t escape_at(const rk_jscan *j, size_t at, size_t *n)
{
    static const char letter[] = "\"\\/bfnrt", meaning[] = "\"\\/\b\f\n\r\t";
    char c = at + 1 < j->n ? j->text[at + 1] : '\0';
    const char *found = c != '\0' ? strchr(letter, c) : NULL;
    uint32_t point;

    *n = 2;
    if (found != NULL)
        return (uint32_t)meaning[found - letter];
    point = c == 'u' ? unicode_escape(j, at, n) : UINT32_MAX;
    return point != 0 ? point : UINT32_MAX; /* a NUL would end a name early */
}

/* The length of the piece of a string at `at` that needs no change: ASCII, or one character of UTF-8; 0: neither. */
static size_t plain(const rk_jscan *j, size_t at)
{
    size_t i = at;
    uint32_t point;

    while (i < j->n && (unsigned char)j->text[i] >= 0x20 && (unsigned char)j->text[i] < 0x80 && j->text[i] != '"' &&
           j->text[i] != '\\')
        i++;
    if (i == at && i < j->n && (unsigned char)j->text[i] >= 0x80)
        return rk_utf8_decode(j->text + at, j->n - at, &point);
    return i - at;
}

static bool fail_string(rk_jscan *j, size_t at)
{
    unsigned char c = at < j->n ? (unsigned char)j->text[at] : 0;
    const char *why = at >= j->n  ? "a string without its end"
                      : c == '\\' ? "an escape that is none (\\u0000 and half a pair are refused)"
                      : c >= 0x80 ? "invalid UTF-8"
                                  : "a control character in a string";

    return rk_jscan_fail(j, RK_EINPUT, j->base + at, "%s", why);
}

/* Reads a string up to its closing quote; `*end` is where it ends, unescaped in place if `change`. */
static bool string_body(rk_jscan *j, bool change, size_t *end)
{
    size_t at = j->at + 1, to = at, n = 0;

    while (at < j->n && j->text[at] != '"') {
        bool is_escape = j->text[at] == '\\';
        uint32_t point = is_escape ? escape_at(j, at, &n) : 0;

        if (!is_escape)
            n = plain(j, at);
        if (n == 0 || point == UINT32_MAX)
            return fail_string(j, at);
        if (change && is_escape) {
            to += put_utf8(j->text + to, point);
        } else if (change) {
            if (to != at)
                memmove(j->text + to, j->text + at, n);
            to += n;
        }
        at += n;
    }
    if (at >= j->n)
        return fail_string(j, j->n);
    j->at = at + 1;
    *end = change ? to : at;
    return true;
}

bool rk_jscan_text(rk_jscan *j, rk_jtext *out)
{
    size_t begin, end;

    if (j->code != RK_OK)
        return false;
    if (peek(j) != '"')
        return fail_want(j, "a string");
    begin = j->at;
    if (!string_body(j, true, &end))
        return false;
    j->text[end] = '\0'; /* over the closing quote or before it */
    *out = (rk_jtext){j->text + begin + 1, end - begin - 1, j->base + begin};
    return true;
}

bool rk_jscan_key(rk_jscan *j, rk_jtext *out)
{
    return rk_jscan_text(j, out) && expect(j, ':', "':'");
}

bool rk_jtext_is(const rk_jtext *t, const char *word)
{
    return t->n == strlen(word) && memcmp(t->text, word, t->n) == 0;
}

/* ---- numbers ---------------------------------------------------------------------------------------------------- */

/* Steps over digits; false: there are none, or a zero leads them. */
static bool digits(rk_jscan *j, bool zero_may_lead)
{
    size_t begin = j->at;

    while (j->at < j->n && is_digit(j->text[j->at]))
        j->at++;
    return j->at > begin && (zero_may_lead || j->text[begin] != '0' || j->at == begin + 1);
}

bool rk_jscan_whole(rk_jscan *j, uint64_t *out)
{
    uint64_t value = 0;

    if (j->code != RK_OK)
        return false;
    peek(j);
    size_t begin = j->at;
    char next = digits(j, false) ? j->text[j->at] : '.';
    if (next == '.' || next == 'e' || next == 'E') {
        j->at = begin;
        return fail_want(j, "a whole number");
    }
    for (size_t i = begin; i < j->at; i++) {
        if (__builtin_mul_overflow(value, (uint64_t)10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(j->text[i] - '0'), &value))
            return rk_jscan_fail(j, RK_EOVERFLOW, j->base + begin, "a number beyond 64 bits");
    }
    *out = value;
    return true;
}

/* ---- anything --------------------------------------------------------------------------------------------------- */

static bool skip_number(rk_jscan *j)
{
    j->at += j->text[j->at] == '-';
    if (!digits(j, false))
        return fail_want(j, "a number");
    if (j->text[j->at] == '.') {
        j->at++;
        if (!digits(j, true))
            return fail_want(j, "a digit");
    }
    if (j->text[j->at] == 'e' || j->text[j->at] == 'E') {
        j->at++;
        j->at += j->text[j->at] == '+' || j->text[j->at] == '-';
        return digits(j, true) || fail_want(j, "a digit");
    }
    return true;
}

static bool skip_word(rk_jscan *j)
{
    static const char *const word[] = {"true", "false", "null"};

    for (size_t i = 0; i < sizeof word / sizeof *word; i++) {
        size_t n = strlen(word[i]);

        if (j->n - j->at >= n && memcmp(j->text + j->at, word[i], n) == 0) {
            j->at += n;
            return true;
        }
    }
    return fail_want(j, "a value");
}

static bool skip_value(rk_jscan *j, int depth);

static bool skip_members(rk_jscan *j, char open, int depth)
{
    size_t end;

    if (depth >= RK_DOC_DEPTH_MAX)
        return rk_jscan_fail(j, RK_ELIMIT, j->base + j->at, "nesting over %d", RK_DOC_DEPTH_MAX);
    for (rk_jscan_enter(j, open); rk_jscan_more(j, open == '{' ? '}' : ']');) {
        if (open == '{' && (peek(j) != '"' || !string_body(j, false, &end) || !expect(j, ':', "':'")))
            return fail_want(j, "a string");
        skip_value(j, depth + 1);
    }
    return j->code == RK_OK;
}

static bool skip_value(rk_jscan *j, int depth)
{
    char c = j->code == RK_OK ? peek(j) : '\0';
    size_t end;

    if (j->code != RK_OK)
        return false;
    if (c == '{' || c == '[')
        return skip_members(j, c, depth);
    if (c == '"')
        return string_body(j, false, &end);
    return c == '-' || is_digit(c) ? skip_number(j) : skip_word(j);
}

bool rk_jscan_skip(rk_jscan *j, rk_jtext *out)
{
    if (j->code != RK_OK)
        return false;
    peek(j);
    size_t begin = j->at;
    if (!skip_value(j, 0))
        return false;
    *out = (rk_jtext){j->text + begin, j->at - begin, j->base + begin};
    return true;
}
