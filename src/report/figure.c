/* SPDX-License-Identifier: MIT */
#include "report/figure.h"

#include <stdio.h>
#include <stdlib.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static const int ten[] = {1, 10, 100, 1000}; /* to the power of … */

/* n = digits × base^power with `decimals` of the digits after the point. */
typedef struct rounded {
    int digits, decimals;
    size_t power;
} rounded;

static rk_i128 divide_rounded(rk_i128 n, rk_i128 by)
{
    return n / by + (n % by >= by - by / 2);
}

static rk_i128 digits_of(rk_i128 n, rk_i128 unit, int decimals)
{
    return decimals ? divide_rounded(n * ten[decimals], unit) : divide_rounded(n, unit);
}

/* Three significant digits of n ≥ 0, fewer where a power of 1,024 begins: 1,010 MiB is 0.99 GiB. */
static rounded three_digits(rk_i128 n, int base, size_t most)
{
    rk_i128 unit = 1, digits;
    rounded r = {0};

    for (; r.power < most && n / unit >= 1000; r.power++)
        unit *= base;
    r.decimals = r.power == 0 || n / unit >= 100 ? 0 : n / unit >= 10 ? 1 : 2;
    digits = digits_of(n, unit, r.decimals);
    /* 9.996 is 10.0, not 10.00; 99.96 is 100; and 999.6 k is 1.00 M. */
    if (digits == 1000 && r.decimals > 0) {
        digits = 100;
        r.decimals--;
    } else if (digits == 1000 && r.power < most) {
        r.power++;
        r.decimals = 2;
        digits = digits_of(n, unit * base, r.decimals);
    }
    r.digits = digits > 1000000000 ? 1000000000 : (int)digits;
    return r;
}

/* n with three digits, the word of its power, of which there are so many, and a unit. */
static void put_rounded(rk_str *s, rk_i128 n, int base, const char *const *word, size_t n_word, const char *unit)
{
    rounded r = three_digits(n < 0 ? -n : n, base, n_word - 1);

    rk_str_put(s, n < 0 ? "-" : "");
    if (r.decimals == 0)
        rk_str_grouped(s, r.digits);
    else
        rk_str_format(s, "%d.%0*d", r.digits / ten[r.decimals], r.decimals, r.digits % ten[r.decimals]);
    if (word[r.power][0] || unit[0])
        rk_str_format(s, " %s%s", word[r.power], unit);
}

void rk_str_scaled(rk_str *s, rk_i128 n, const char *unit)
{
    static const char *const prefix[] = {"", "k", "M", "G", "T", "P", "E", "Z", "Y", "R", "Q"};

    put_rounded(s, n, 1000, prefix, LENGTH(prefix), unit);
}

void rk_str_binary(rk_str *s, rk_i128 n, const char *unit)
{
    static const char *const prefix[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "Zi", "Yi"};

    put_rounded(s, n, 1024, prefix, LENGTH(prefix), unit);
}

void rk_str_in_words(rk_str *s, rk_i128 n)
{
    static const char *const word[] = {"", "thousand", "million", "billion", "trillion"};

    put_rounded(s, n, 1000, word, LENGTH(word), "");
}

void rk_str_in_letters(rk_str *s, rk_i128 n)
{
    static const char *const letter[] = {"", "k", "M", "B", "T"};

    if (n > -10000 && n < 10000) /* as short as it is */
        rk_str_grouped(s, n);
    else
        put_rounded(s, n, 1000, letter, LENGTH(letter), "");
}

/* ---- shares ----------------------------------------------------------------------------------------------------- */

/* n of whole in parts of `of`, rounded; -1 where the whole is nothing.  Both lose the same low bits where large. */
static rk_i128 share_of(rk_i128 n, rk_i128 whole, rk_i128 of)
{
    const rk_i128 large = RK_I128_MAX / (2 * of);

    if (whole <= 0 || n < 0)
        return -1;
    for (; n > large || whole > large; n >>= 8)
        whole >>= 8;
    return whole > 0 ? divide_rounded(n * of, whole) : of;
}

void rk_str_bytes(rk_str *s, rk_i128 bytes)
{
    rk_str_grouped(s, bytes);
    rk_str_put(s, " bytes");
    if (bytes < 1000)
        return;
    rk_str_put(s, " (");
    rk_str_scaled(s, bytes, "B");
    rk_str_putc(s, ')');
}

void rk_str_bits(rk_str *s, rk_i128 bytes, rk_i128 n)
{
    rk_acc acc = {0};
    rk_i128 twice = rk_mul(&acc, n, 2), hundredths = rk_add(&acc, rk_mul(&acc, bytes, 1600), n);

    if (acc.overflow || twice <= 0)
        return;
    hundredths /= twice;
    rk_str_num(s, hundredths / 100);
    rk_str_format(s, ".%02d", (int)(hundredths % 100));
}

/* Thousandths with so many of their digits after the point; "–" where the whole is nothing. */
static void put_thousandths(rk_str *s, rk_i128 n, rk_i128 whole, int decimals, const char *sign)
{
    rk_i128 part = share_of(n, whole, 1000);

    if (part < 0) {
        rk_str_put(s, "–");
        return;
    }
    rk_str_grouped(s, part / ten[decimals]);
    rk_str_format(s, ".%0*d%s", decimals, (int)(part % ten[decimals]), sign);
}

void rk_str_share(rk_str *s, rk_i128 n, rk_i128 whole)
{
    put_thousandths(s, n, whole, 1, "%");
}

void rk_str_ratio(rk_str *s, rk_i128 n, rk_i128 whole)
{
    put_thousandths(s, n, whole, 3, "");
}

void rk_str_fraction(rk_str *s, rk_i128 n, rk_i128 whole)
{
    const int million = 1000000;
    rk_i128 part = share_of(n, whole, million);

    if (part < 0)
        return;
    rk_str_num(s, part / million);
    rk_str_format(s, ".%06d", (int)(part % million));
}

void rk_str_bar(rk_str *s, rk_i128 n, rk_i128 whole, size_t columns)
{
    static const char *const eighth[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    rk_i128 full = (rk_i128)columns * 8, length = columns ? share_of(n, whole, full) : 0;

    length = length > full ? full : length == 0 && n > 0 && columns ? 1 : length;
    for (rk_i128 i = 0; i < length / 8; i++)
        rk_str_put(s, "█");
    if (length > 0)
        rk_str_put(s, eighth[length % 8]);
}

/* ---- values of a config ------------------------------------------------------------------------------------------ */

enum {
    ITEMS_SHOWN = 4 /* of a list, to people */
};

/* As few digits as give the number back. */
static void put_real(rk_str *out, double r)
{
    char text[32];

    snprintf(text, sizeof text, "%.15g", r);
    if (strtod(text, NULL) != r)
        snprintf(text, sizeof text, "%.17g", r);
    rk_str_put(out, text);
}

void rk_str_value(rk_str *out, const rk_doc *d, bool for_people)
{
    size_t shown;

    switch (d->kind) {
    case RK_DOC_NULL:
        rk_str_put(out, for_people ? "none" : "");
        return;
    case RK_DOC_BOOL:
        rk_str_put(out, d->truth ? "true" : "false");
        return;
    case RK_DOC_INT:
        (for_people ? rk_str_grouped : rk_str_num)(out, d->number);
        return;
    case RK_DOC_REAL:
        put_real(out, d->real);
        return;
    case RK_DOC_TEXT:
        rk_str_putn(out, d->text, d->n);
        return;
    case RK_DOC_LIST:
        shown = for_people && d->n > ITEMS_SHOWN ? ITEMS_SHOWN - 1 : d->n;
        rk_str_putc(out, '[');
        for (size_t i = 0; i < shown; i++) {
            rk_str_put(out, i ? ", " : "");
            rk_str_value(out, &d->item[i], for_people);
        }
        if (shown < d->n)
            rk_str_format(out, ", … %zu values", d->n);
        rk_str_putc(out, ']');
        return;
    case RK_DOC_MAP:
        rk_str_format(out, "{%zu key%s}", d->n, d->n == 1 ? "" : "s");
        return;
    }
}
