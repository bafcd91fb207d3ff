/* SPDX-License-Identifier: MIT */
#include "base/str.h"

#include "base/arena.h"

#include <stdio.h>
#include <string.h>

/* ---- growing ---------------------------------------------------------------------------------------------------- */

/* Room for n more bytes and the terminator. */
static bool reserve(rk_str *s, size_t n)
{
    size_t need, cap;
    char *text;

    if (s->failed || __builtin_add_overflow(s->n, n, &need) || need > SIZE_MAX / 4) {
        s->failed = true;
        return false;
    }
    if (need < s->cap)
        return true;
    cap = s->cap * 2 > need + 1 ? s->cap * 2 : need + 32;
    text = rk_heap_resize(s->text, cap);
    s->failed = !text;
    if (!text)
        return false;
    s->text = text;
    s->cap = cap;
    return true;
}

void rk_str_putn(rk_str *s, const char *text, size_t n)
{
    if (!reserve(s, n))
        return;
    if (n)
        memcpy(s->text + s->n, text, n);
    s->n += n;
    s->text[s->n] = '\0';
}

void rk_str_put(rk_str *s, const char *text)
{
    rk_str_putn(s, text, strlen(text));
}

void rk_str_putc(rk_str *s, char c)
{
    rk_str_putn(s, &c, 1);
}

void rk_str_fill(rk_str *s, char c, size_t n)
{
    if (!reserve(s, n))
        return;
    memset(s->text + s->n, c, n);
    s->n += n;
    s->text[s->n] = '\0';
}

char *rk_str_room(rk_str *s, size_t n)
{
    if (!reserve(s, n))
        return NULL;
    s->n += n;
    s->text[s->n] = '\0';
    return s->text + s->n - n;
}

void rk_str_vformat(rk_str *s, const char *fmt, va_list ap)
{
    va_list again;
    int n;

    va_copy(again, ap);
    n = vsnprintf(NULL, 0, fmt, ap);
    if (n < 0)
        s->failed = true;
    else if (reserve(s, (size_t)n)) {
        vsnprintf(s->text + s->n, (size_t)n + 1, fmt, again);
        s->n += (size_t)n;
    }
    va_end(again);
}

void rk_str_format(rk_str *s, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    rk_str_vformat(s, fmt, ap);
    va_end(ap);
}

void rk_str_num(rk_str *s, rk_i128 n)
{
    char buf[RK_NUM_TEXT_MAX];

    rk_str_put(s, rk_num_text(buf, n));
}

void rk_str_grouped(rk_str *s, rk_i128 n)
{
    char buf[RK_NUM_TEXT_MAX];

    rk_str_put(s, rk_num_grouped(buf, n));
}

const char *rk_str_text(const rk_str *s)
{
    return s->text ? s->text : "";
}

void rk_str_reset(rk_str *s)
{
    s->n = 0;
    s->failed = false;
    if (s->text)
        s->text[0] = '\0';
}

void rk_str_free(rk_str *s)
{
    rk_heap_free(s->text);
    *s = (rk_str){0};
}

/* ---- UTF-8 ------------------------------------------------------------------------------------------------------ */

/* Reads one code point of text[0..n), n > 0; returns its length, or 0 when the bytes are not valid UTF-8. */
size_t rk_utf8_decode(const char *text, size_t n, uint32_t *point)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *at = (const unsigned char *)text;
    size_t len = at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : 4; /* by the high bits */
    uint32_t c = at[0] & (0x7Fu >> len);

    if (at[0] < 0x80) {
        *point = at[0];
        return 1;
    }
    if (at[0] < 0xC2 || at[0] > 0xF4 || len > n)
        return 0;
    for (size_t i = 1; i < len; i++) {
        if ((at[i] & 0xC0) != 0x80)
            return 0;
        c = c << 6 | (at[i] & 0x3Fu);
    }
    *point = c;
    return c >= least[len] && c <= 0x10FFFF && !(c >= 0xD800 && c <= 0xDFFF) ? len : 0;
}

size_t rk_utf8_cut(const char *text, size_t n, size_t most)
{
    if (n <= most)
        return n;
    while (most > 0 && ((unsigned char)text[most] & 0xC0) == 0x80)
        most--;
    return most;
}

typedef struct range {
    uint32_t first, last;
} range;

static bool in_ranges(uint32_t c, const range *r, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (c >= r[i].first && c <= r[i].last)
            return true;
    return false;
}

#define IN(c, table) in_ranges((c), (table), sizeof(table) / sizeof *(table))

/* The ranges that names and reports meet (Unicode 15, East Asian Width W and F; general category Mn). */
static const range wide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x23E9, 0x23EC},   {0x2E80, 0x303E},   {0x3041, 0x33FF},
    {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},   {0xA960, 0xA97F},   {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F},
    {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x2FFFD}, {0x30000, 0x3FFFD},
};
static const range zero_width[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A}, {0x064B, 0x065F},
    {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x2064},
    {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF},
};
/* Controls, and the marks that reorder text on the screen: a name must not be able to disguise itself. */
static const range unsafe[] = {
    {0x00, 0x1F}, {0x7F, 0x9F}, {0x200B, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F}, {0xFEFF, 0xFEFF},
};

size_t rk_text_width(const char *text)
{
    size_t columns = 0;
    uint32_t c = 0;

    for (size_t n = strlen(text), len; n > 0; text += len, n -= len) {
        len = rk_utf8_decode(text, n, &c);
        if (len == 0 || c < zero_width[0].first) { /* nearly all: the first special one is beyond Latin letters */
            len = len ? len : 1;
            columns++;
        } else if (!IN(c, zero_width)) {
            columns += IN(c, wide) ? 2 : 1;
        }
    }
    return columns;
}

void rk_str_put_safe(rk_str *s, const char *text, size_t n)
{
    uint32_t c = 0;

    for (size_t len; n > 0; text += len, n -= len) {
        size_t plain = 0; /* nearly all is printed as it is */

        while (plain < n && text[plain] >= ' ' && text[plain] <= '~')
            plain++;
        len = plain ? plain : rk_utf8_decode(text, n, &c);
        if (plain > 0 || (len > 0 && !IN(c, unsafe))) {
            rk_str_putn(s, text, len);
            continue;
        }
        len = len ? len : 1;
        for (size_t i = 0; i < len; i++)
            rk_str_format(s, "\\x%02x", (unsigned)(unsigned char)text[i]);
    }
}

/* ---- spelling --------------------------------------------------------------------------------------------------- */

enum {
    WORD_MAX = 64
}; /* longer words are not what anyone mistyped */

static size_t least(size_t a, size_t b, size_t c)
{
    size_t ab = a < b ? a : b;

    return ab < c ? ab : c;
}

size_t rk_edit_distance(const char *a, const char *b, size_t most)
{
    size_t rows[3][WORD_MAX + 1], n = strlen(a), m = strlen(b);

    if (n > WORD_MAX || m > WORD_MAX)
        return strcmp(a, b) == 0 ? 0 : most + 1;
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];

        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            row[j] = least(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < row[j])
                row[j] = before[j - 2] + 1;
        }
    }
    return rows[n % 3][m] > most ? most + 1 : rows[n % 3][m];
}

bool rk_ends_in(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n >= m && memcmp(text + n - m, end, m) == 0;
}

/* How many bytes stand as they are: most texts are all of that. */
static size_t plain_bytes(const char *text)
{
    size_t n = 0;

    while (text[n] >= ' ' && text[n] < 0x7F && text[n] != '"' && text[n] != '\\')
        n++;
    return n;
}

void rk_str_put_json(rk_str *out, const char *text)
{
    size_t plain = plain_bytes(text);

    if (text[plain] == '\0') {
        char *to = rk_str_room(out, plain + 2);

        if (!to)
            return;
        to[0] = to[plain + 1] = '"';
        memcpy(to + 1, text, plain);
        return;
    }
    rk_str_putc(out, '"');
    for (;;) {
        uint32_t point = 0;
        size_t n = plain_bytes(text);

        rk_str_putn(out, text, n);
        text += n;
        if (*text == '\0')
            break;
        n = rk_utf8_decode(text, strnlen(text, 4), &point);
        if (n == 0)
            rk_str_put(out, "\xEF\xBF\xBD");
        else if (point == '"' || point == '\\')
            rk_str_format(out, "\\%c", (int)point);
        else if (point == '\n' || point == '\t')
            rk_str_put(out, point == '\n' ? "\\n" : "\\t");
        else if (point < 0x20 || point == 0x7F)
            rk_str_format(out, "\\u%04x", (unsigned)point);
        else
            rk_str_putn(out, text, n);
        text += n ? n : 1;
    }
    rk_str_putc(out, '"');
}
