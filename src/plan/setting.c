/* SPDX-License-Identifier: MIT */
#include "plan/setting.h"

#include <ctype.h>
#include <string.h>

static bool is_letter(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t name_length(const char *word)
{
    size_t n = 0;

    if (!is_letter(word[0]))
        return 0;
    while (is_letter(word[n]) || is_digit(word[n]))
        n++;
    return n;
}

bool rk_setting_is(const char *word)
{
    size_t n = name_length(word);

    return n > 0 && word[n] == '=';
}

/* ---- counts ----------------------------------------------------------------------------------------------------- */

enum {
    EXPONENT_MAX = 40
}; /* more decimal digits than 128 bits hold */

/* A count as written: digit × 10^scale × factor. */
typedef struct written {
    rk_i128 digits, factor;
    int scale;
    bool overflow;
} written;

static const char *read_digits(const char *at, written *w, bool fraction)
{
    rk_acc acc = {0};

    for (; is_digit(*at); at++) {
        w->digits = rk_add(&acc, rk_mul(&acc, w->digits, 10), *at - '0');
        w->scale -= fraction;
    }
    w->overflow |= acc.overflow;
    return at;
}

/* NULL: an "e" without a number. */
static const char *read_exponent(const char *at, written *w)
{
    bool minus = at[1] == '-';
    int e = 0;

    at += at[1] == '-' || at[1] == '+' ? 2 : 1;
    if (!is_digit(*at))
        return NULL;
    for (; is_digit(*at); at++)
        e = e > EXPONENT_MAX ? e : e * 10 + (*at - '0');
    w->scale += minus ? -e : e;
    return at;
}

/* K is 1024 and may be followed by i, k is 1000; M, G, T and m, g, t likewise. */
static const char *read_suffix(const char *at, written *w)
{
    static const char suffix[] = "KMGTkmgt";
    const char *found = *at ? strchr(suffix, *at) : NULL;
    size_t place = found ? (size_t)(found - suffix) : 0;

    if (!found)
        return at;
    for (size_t i = 0; i <= place % 4; i++)
        w->factor *= place < 4 ? 1024 : 1000;
    return at + (place < 4 && at[1] == 'i' ? 2 : 1);
}

/* Reads "1.5k" into its pieces; false when the text is no number at all. */
static bool read_written(const char *text, written *w)
{
    const char *at;

    *w = (written){.factor = 1};
    at = read_digits(text, w, false);
    if (at == text)
        return false;
    if (*at == '.') {
        if (!is_digit(at[1]))
            return false;
        at = read_digits(at + 1, w, true);
    }
    at = *at == 'e' || *at == 'E' ? read_exponent(at, w) : read_suffix(at, w);
    return at && *at == '\0';
}

/* The whole number that was written; false when it is none. */
static bool whole(const written *w, rk_acc *acc, rk_i128 *out)
{
    rk_i128 n = rk_mul(acc, w->digits, w->factor);
    int e = w->scale < 0 ? -w->scale : w->scale;
    rk_i128 ten = rk_pow(acc, 10, (unsigned)(e > EXPONENT_MAX ? EXPONENT_MAX : e));

    if (acc->overflow && w->digits == 0) {
        acc->overflow = false; /* 0e99 */
        *out = 0;
        return true;
    }
    if (acc->overflow)
        return w->scale >= 0;
    if (w->scale < 0 && n % ten != 0)
        return false;
    *out = w->scale < 0 ? n / ten : rk_mul(acc, n, ten);
    return true;
}

int rk_count_parse(const char *text, rk_i128 *out, rk_err *err)
{
    char most[RK_NUM_TEXT_MAX];
    written w;
    rk_acc acc = {0};
    rk_i128 n = 0;

    if (text[0] == '-' && read_written(text + 1, &w))
        return rk_fail(err, RK_EINPUT, "is less than 1");
    if (!read_written(text, &w))
        return rk_fail(err, RK_EINPUT, "is not a number such as 16384, 16K (16,384) or 16k (16,000)");
    if (!w.overflow && !whole(&w, &acc, &n))
        return rk_fail(err, RK_EINPUT, "is not a whole number");
    if (w.overflow || acc.overflow || n > RK_SETTING_VALUE_MAX)
        return rk_fail(err, RK_EINPUT, "is more than %s", rk_num_grouped(most, RK_SETTING_VALUE_MAX));
    if (n < 1)
        return rk_fail(err, RK_EINPUT, "is less than 1");
    *out = n;
    return RK_OK;
}

/* ---- settings --------------------------------------------------------------------------------------------------- */

int rk_setting_parse(rk_arena *a, const char *word, rk_setting *out, rk_err *err)
{
    size_t n = name_length(word);
    const char *value = word + n + 1, *end = value;
    rk_setting s = {.name = rk_arena_copy(a, word, n)};
    int code = RK_OK;

    if (!s.name)
        return rk_fail_memory(err);
    if (*value == '\0')
        return rk_fail(err, RK_EINPUT, "%s needs a value, as in %s4096", word, word);
    while (is_letter(*end) || is_digit(*end) || *end == '-')
        end++;
    if (is_letter(value[0]) && *end == '\0') {
        s.word = rk_arena_text(a, value);
        if (!s.word)
            return rk_fail_memory(err);
    } else {
        code = rk_count_parse(value, &s.value, err);
        if (code != RK_OK)
            return rk_fail(err, code, "%s %s", word, err ? err->message : "");
    }
    *out = s;
    return RK_OK;
}
