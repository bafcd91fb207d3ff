/* SPDX-License-Identifier: MIT */
#include "report/figure.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* n = digits × 10^(3·power) with `decimals` of the digits behind the point. */
typedef struct rounded {
    int digits, decimals;
    size_t power;
} rounded;

static rk_i128 divide_rounded(rk_i128 n, rk_i128 by)
{
    return n / by + (n % by >= by - by / 2);
}

/* Three significant digits of n ≥ 0; `most` is the largest power that has a name. */
static rounded three_digits(rk_i128 n, size_t most)
{
    rk_i128 unit = 1; /* 1000^power */
    rounded r = {0};

    while (r.power < most && n / unit >= 1000) {
        unit *= 1000;
        r.power++;
    }
    r.decimals = r.power == 0 || n / unit >= 100 ? 0 : n / unit >= 10 ? 1 : 2;
    rk_i128 step = r.decimals == 2 ? unit / 100 : r.decimals == 1 ? unit / 10 : unit;

    rk_i128 digits = divide_rounded(n, step);

    /* 9.996 is 10.0, not 10.00; and 999.6 k is 1.00 M. */
    if (digits == 1000 && r.power > 0 && (r.decimals > 0 || r.power < most)) {
        digits = 100;
        r.power += r.decimals == 0;
        r.decimals = r.decimals == 0 ? 2 : r.decimals - 1;
    } else if (digits == 1000 && r.power == 0 && most > 0) {
        digits = 100;
        r.power = 1;
        r.decimals = 2;
    }
    r.digits = digits > 1000000000 ? 1000000000 : (int)digits;
    return r;
}

static void put_rounded(rk_str *s, rounded r)
{
    static const int ten[] = {1, 10, 100};

    if (r.decimals == 0)
        rk_str_grouped(s, r.digits);
    else
        rk_str_format(s, "%d.%0*d", r.digits / ten[r.decimals], r.decimals, r.digits % ten[r.decimals]);
}

void rk_str_scaled(rk_str *s, rk_i128 n, const char *unit)
{
    static const char *const prefix[] = {"", "k", "M", "G", "T", "P", "E", "Z", "Y", "R", "Q"};
    rounded r = three_digits(n < 0 ? -n : n, LENGTH(prefix) - 1);

    rk_str_put(s, n < 0 ? "-" : "");
    put_rounded(s, r);
    rk_str_format(s, " %s%s", prefix[r.power], unit);
}

void rk_str_in_words(rk_str *s, rk_i128 n)
{
    static const char *const word[] = {"", " thousand", " million", " billion", " trillion"};
    rounded r = three_digits(n < 0 ? -n : n, LENGTH(word) - 1);

    rk_str_put(s, n < 0 ? "-" : "");
    put_rounded(s, r);
    rk_str_put(s, word[r.power]);
}

void rk_str_share(rk_str *s, rk_i128 n, rk_i128 whole)
{
    const rk_i128 large = RK_I128_MAX / 2000;
    rk_i128 tenth;

    if (whole <= 0 || n < 0) {
        rk_str_put(s, "–");
        return;
    }
    /* Both lose the same low bits: a share has three digits. */
    for (; n > large || whole > large; n >>= 8)
        whole >>= 8;
    tenth = divide_rounded(n * 1000, whole);
    rk_str_grouped(s, tenth / 10);
    rk_str_format(s, ".%d%%", (int)(tenth % 10));
}
