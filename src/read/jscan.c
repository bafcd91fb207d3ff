/* SPDX-License-Identifier: MIT */
#include "read/jscan.h"

#include "base/str.h"
#include "base/work.h"
#include "read/doc.h"

#include <stdio.h>
#include <string.h>

/* ---- bytes ---------------------------------------------------------------------------------------------------- */

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether a byte may be part of a number or a word; all beyond ASCII, so that a message shows what it refuses whole. */
static bool is_word(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '+' ||
           c == '-' || (unsigned char)c >= 0x80;
}

/* The length of the number or word that begins here; 0: neither does. */
static size_t word_length(const rk_jscan *j)
{
    size_t end = j->at;

    while (end < j->n && is_word(j->text[end]))
        end++;
    return end - j->at;
}

/* ---- failing ---------------------------------------------------------------------------------------------------- */

/* Fails with "name:line:column: …", as for a text that people write; the column counts characters. */
static int fail_line(const rk_jscan *j, int code, uint64_t at, const char *message)
{
    int line = 1, column = 1;

    for (const char *c = j->lines; c < j->lines + (at - j->base); c++) {
        column = *c == '\n' ? 1 : column + (((unsigned char)*c & 0xc0) != 0x80);
        line += *c == '\n';
    }
    return rk_fail(j->err, code, "%s:%d:%d: %s", j->in->name, line, column, message);
}

bool rk_jscan_fail(rk_jscan *j, int code, uint64_t at, const char *fmt, ...)
{
    char message[RK_ERR_MESSAGE_MAX];
    va_list ap;

    if (j->code != RK_OK)
        return false;
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    j->code =
        j->lines != NULL ? fail_line(j, code, at, message) : rk_input_fail(j->in, j->err, code, at, "%s", message);
    return false;
}

bool rk_jscan_check(rk_jscan *j, int code)
{
    if (j->code == RK_OK)
        j->code = code;
    return j->code == RK_OK;
}

#define NEAR_MAX 40 /* bytes of a token that a message shows */

/* What stands at `at`, for a message: a string, a word, or one byte; of a long one the beginning. */
static rk_safe near(const rk_jscan *j, size_t at)
{
    const char *text = j->text + at;
    size_t most = j->n - at < NEAR_MAX + 1 ? j->n - at : NEAR_MAX + 1, n = 1;

    if (text[0] == '"') {
        while (n < most && text[n] != '"' && text[n] != '\n')
            n++;
        n += n < most && text[n] == '"';
    } else if (is_word(text[0])) {
        while (n < most && is_word(text[n]))
            n++;
    }
    size_t shown = rk_utf8_cut(text, n, NEAR_MAX);
    rk_safe safe = rk_safe_text(text, shown);
    if (shown < n)
        strcat(safe.text, "…"); /* 40 bytes made visible are 160 at most */
    return safe;
}

/* What those write who come from elsewhere, and what JSON wants instead; "" where that is no secret. */
static const char *way_out(const rk_jscan *j)
{
    static const struct {
        const char *word, *say;
    } known[] = {{"True", "; JSON writes true"}, {"False", "; JSON writes false"}, {"None", "; JSON writes null"},
                 {"nan", "; write NaN"},         {"inf", "; write Infinity"},      {"-inf", "; write -Infinity"}};
    size_t n = word_length(j);

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (n == strlen(known[i].word) && memcmp(j->text + j->at, known[i].word, n) == 0)
            return known[i].say;
    switch (j->text[j->at]) {
    case '/':
    case '#':
        return "; JSON has no comments";
    case '\'':
        return "; strings stand in double quotes";
    default:
        return "";
    }
}

/* Fails with what was wanted and what stands there. */
static bool fail_want(rk_jscan *j, const char *want)
{
    if (j->at == j->n)
        return rk_jscan_fail(j, RK_EINPUT, j->base + j->at, "%s expected at the end of the text", want);
    return rk_jscan_fail(j, RK_EINPUT, j->base + j->at, "%s expected near '%s'%s", want, near(j, j->at).text,
                         way_out(j));
}

/* ---- tokens ----------------------------------------------------------------------------------------------------- */

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

char rk_jscan_next(rk_jscan *j)
{
    return j->code == RK_OK ? peek(j) : '\0';
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
    if (!rk_work(1))
        rk_jscan_check(j, rk_work_check(j->err));
    if (j->code != RK_OK)
        return false;
    if (peek(j) == close) {
        j->at++;
        return false;
    }
    size_t comma = j->at;
    if (!first && !expect(j, ',', close == '}' ? "',' or '}'" : "',' or ']'"))
        return false;
    if (!first && peek(j) == close)
        return rk_jscan_fail(j, RK_EINPUT, j->base + comma, "a ',' before '%c'; the last value has none after it",
                             close);
    return true;
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

/* Why the string that begins at j->at cannot be read on at `at`. */
static bool fail_string(rk_jscan *j, size_t at)
{
    unsigned char c = at < j->n ? (unsigned char)j->text[at] : '\n';
    uint64_t place = j->base + at;

    if (c == '\n')
        return rk_jscan_fail(j, RK_EINPUT, j->base + j->at, "a string without its closing quote near '%s'",
                             near(j, j->at).text);
    if (c >= 0x80)
        return rk_jscan_fail(j, RK_EINPUT, place, "invalid UTF-8");
    if (c == '\0')
        return rk_jscan_fail(j, RK_EINPUT, place, "a NUL byte in a string");
    if (c != '\\')
        return rk_jscan_fail(j, RK_EINPUT, place, "a control character in a string; write \\u%04x", c);
    if (hex4(j, at + 2) <= 0xffff && j->text[at + 1] == 'u')
        return rk_jscan_fail(j, RK_EINPUT, place, "'%.6s' is %s", j->text + at,
                             hex4(j, at + 2) == 0 ? "refused: no name has a NUL" : "half of a surrogate pair");
    if (at + 1 < j->n && j->text[at + 1] == 'u')
        return rk_jscan_fail(j, RK_EINPUT, place, "'\\u' without its four hexadecimal digits");
    return rk_jscan_fail(j, RK_EINPUT, place, "'%s' is no escape of JSON; write \\\\ for a backslash",
                         rk_safe_text(j->text + at, at + 1 < j->n ? 2 : 1).text);
}

/* Reads a string; *end is where its closing quote stands.  Nothing is changed, so that a message can show it. */
static bool read_string(rk_jscan *j, size_t *end, bool *escaped)
{
    size_t at = j->at + 1, n = 0;

    for (*escaped = false; at < j->n && j->text[at] != '"'; at += n) {
        bool is_escape = j->text[at] == '\\';

        n = is_escape ? 0 : plain(j, at);
        if (is_escape ? escape_at(j, at, &n) == UINT32_MAX : n == 0)
            return fail_string(j, at);
        *escaped |= is_escape;
    }
    if (at >= j->n)
        return fail_string(j, j->n);
    j->at = at + 1;
    *end = at;
    return true;
}

/* Puts what escapes mean in their place, where no text is longer for it; where it then ends. */
static size_t unescape(rk_jscan *j, size_t at, size_t end)
{
    size_t to = at, n;

    for (; at < end; at += n) {
        if (j->text[at] == '\\') {
            to += put_utf8(j->text + to, escape_at(j, at, &n));
        } else {
            n = plain(j, at);
            memmove(j->text + to, j->text + at, n);
            to += n;
        }
    }
    return to;
}

#define KEY "a key in double quotes"

bool rk_jscan_text(rk_jscan *j, rk_jtext *out)
{
    bool escaped;
    size_t begin, end;

    if (j->code != RK_OK)
        return false;
    if (peek(j) != '"')
        return fail_want(j, "a string");
    begin = j->at;
    if (!read_string(j, &end, &escaped))
        return false;
    if (escaped)
        end = unescape(j, begin + 1, end);
    j->text[end] = '\0'; /* over the closing quote or before it */
    *out = (rk_jtext){j->text + begin + 1, end - begin - 1, j->base + begin};
    return true;
}

bool rk_jscan_key(rk_jscan *j, rk_jtext *out)
{
    if (rk_jscan_next(j) != '"' && j->code == RK_OK)
        return fail_want(j, KEY);
    return rk_jscan_text(j, out) && expect(j, ':', "':'");
}

bool rk_jtext_is(const rk_jtext *t, const char *word)
{
    return t->n == strlen(word) && memcmp(t->text, word, t->n) == 0;
}

/* ---- numbers and words ------------------------------------------------------------------------------------------ */

/* How many digits text[0..n) begins with. */
static size_t digits(const char *text, size_t n)
{
    size_t i = 0;

    while (i < n && is_digit(text[i]))
        i++;
    return i;
}

/* Whether text[0..n) is a number as JSON writes it, and whether a whole one. */
static bool is_number(const char *text, size_t n, bool *whole)
{
    size_t at = text[0] == '-', k = digits(text + at, n - at);

    if (k == 0 || (k > 1 && text[at] == '0'))
        return false;
    at += k;
    *whole = at == n;
    if (at < n && text[at] == '.') {
        k = digits(text + at + 1, n - at - 1);
        if (k == 0)
            return false;
        at += k + 1;
    }
    if (at < n && (text[at] == 'e' || text[at] == 'E')) {
        at += at + 1 < n && (text[at + 1] == '+' || text[at + 1] == '-') ? 2 : 1;
        k = digits(text + at, n - at);
        if (k == 0)
            return false;
        at += k;
    }
    return at == n;
}

static bool bare_of(const char *text, size_t n, rk_jbare *out)
{
    static const char *const word[] = {
        [RK_JNULL] = "null", [RK_JFALSE] = "false",       [RK_JTRUE] = "true",
        [RK_JNAN] = "NaN",   [RK_JINFINITY] = "Infinity", [RK_JMINUS_INFINITY] = "-Infinity"};
    bool whole;

    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (n == strlen(word[i]) && memcmp(text, word[i], n) == 0) {
            *out = (rk_jbare)i;
            return true;
        }
    if (!is_number(text, n, &whole))
        return false;
    *out = whole ? RK_JWHOLE : RK_JREAL;
    return true;
}

bool rk_jscan_bare(rk_jscan *j, rk_jbare *kind, rk_jtext *out)
{
    char c = rk_jscan_next(j);

    if (j->code != RK_OK)
        return false;
    *out = (rk_jtext){j->text + j->at, word_length(j), j->base + j->at};
    if (out->n == 0 || !bare_of(out->text, out->n, kind))
        return fail_want(j, c != '\0' && strchr("+-.0123456789", c) != NULL ? "a number" : "a value");
    j->at += out->n;
    return true;
}

bool rk_jscan_whole(rk_jscan *j, uint64_t *out)
{
    uint64_t value = 0;
    bool whole = false;

    if (j->code != RK_OK)
        return false;
    peek(j);
    size_t begin = j->at, n = word_length(j);
    if (n == 0 || j->text[begin] == '-' || !is_number(j->text + begin, n, &whole) || !whole)
        return fail_want(j, "a whole number");
    j->at += n;
    for (size_t i = begin; i < j->at; i++) {
        if (__builtin_mul_overflow(value, (uint64_t)10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(j->text[i] - '0'), &value))
            return rk_jscan_fail(j, RK_EOVERFLOW, j->base + begin, "a number beyond 64 bits");
    }
    *out = value;
    return true;
}

/* ---- anything --------------------------------------------------------------------------------------------------- */

static bool skip_value(rk_jscan *j, int depth);

static bool skip_members(rk_jscan *j, char open, int depth)
{
    bool escaped;
    size_t end;

    if (depth >= RK_DOC_DEPTH_MAX)
        return rk_jscan_fail(j, RK_ELIMIT, j->base + j->at, "nesting over %d", RK_DOC_DEPTH_MAX);
    for (rk_jscan_enter(j, open); rk_jscan_more(j, open == '{' ? '}' : ']');) {
        if (open == '{' && peek(j) != '"')
            return fail_want(j, KEY);
        if (open == '{' && (!read_string(j, &end, &escaped) || !expect(j, ':', "':'")))
            return false;
        skip_value(j, depth + 1);
    }
    return j->code == RK_OK;
}

static bool skip_value(rk_jscan *j, int depth)
{
    char c = j->code == RK_OK ? peek(j) : '\0';
    rk_jbare kind;
    rk_jtext bare;
    bool escaped;
    size_t end;

    if (j->code != RK_OK)
        return false;
    if (c == '{' || c == '[')
        return skip_members(j, c, depth);
    return c == '"' ? read_string(j, &end, &escaped) : rk_jscan_bare(j, &kind, &bare);
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
