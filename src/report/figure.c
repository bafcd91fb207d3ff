/* SPDX-License-Identifier: MIT */
#include "report/figure.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static const int ten[] = {1, 10, 100};

/* n = digits × base^power with `decimals` of the digits behind the point. */
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

static void put_rounded(rk_str *s, rk_i128 n, rounded r, const char *unit)
{
    rk_str_put(s, n < 0 ? "-" : "");
    if (r.decimals == 0)
        rk_str_grouped(s, r.digits);
    else
        rk_str_format(s, "%d.%0*d", r.digits / ten[r.decimals], r.decimals, r.digits % ten[r.decimals]);
    rk_str_put(s, unit);
}

static rk_i128 size_of(rk_i128 n)
{
    return n < 0 ? -n : n;
}

void rk_str_scaled(rk_str *s, rk_i128 n, const char *unit)
{
    static const char *const prefix[] = {" ", " k", " M", " G", " T", " P", " E", " Z", " Y", " R", " Q"};
    rounded r = three_digits(size_of(n), 1000, LENGTH(prefix) - 1);

    put_rounded(s, n, r, r.power == 0 && !unit[0] ? "" : prefix[r.power]);
    rk_str_put(s, unit);
}

void rk_str_binary(rk_str *s, rk_i128 n, const char *unit)
{
    static const char *const prefix[] = {" ", " Ki", " Mi", " Gi", " Ti", " Pi", " Ei", " Zi", " Yi"};
    rounded r = three_digits(size_of(n), 1024, LENGTH(prefix) - 1);

    put_rounded(s, n, r, prefix[r.power]);
    rk_str_put(s, unit);
}

void rk_str_in_words(rk_str *s, rk_i128 n)
{
    static const char *const word[] = {"", " thousand", " million", " billion", " trillion"};
    rounded r = three_digits(size_of(n), 1000, LENGTH(word) - 1);

    put_rounded(s, n, r, word[r.power]);
}

void rk_str_in_letters(rk_str *s, rk_i128 n)
{
    static const char *const letter[] = {"", " k", " M", " B", " T"};
    rounded r = three_digits(size_of(n), 1000, LENGTH(letter) - 1);

    if (size_of(n) < 10000) /* as short as it is */
        rk_str_grouped(s, n);
    else
        put_rounded(s, n, r, letter[r.power]);
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
    if (bytes < 1024)
        return;
    rk_str_put(s, " (");
    rk_str_binary(s, bytes, "B");
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

void rk_str_share(rk_str *s, rk_i128 n, rk_i128 whole)
{
    rk_i128 tenth = share_of(n, whole, 1000);

    if (tenth < 0) {
        rk_str_put(s, "–");
        return;
    }
    rk_str_grouped(s, tenth / 10);
    rk_str_format(s, ".%d%%", (int)(tenth % 10));
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

void rk_str_ratio(rk_str *s, rk_i128 n, rk_i128 whole)
{
    rk_i128 thousandths = share_of(n, whole, 1000);

    if (thousandths < 0) {
        rk_str_put(s, "–");
        return;
    }
    rk_str_grouped(s, thousandths / 1000);
    rk_str_format(s, ".%03d", (int)(thousandths % 1000));
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
