/* SPDX-License-Identifier: MIT */
#include "expr/pool.h"

rk_ratio rk_ratio_int(rk_i128 n)
{
    return (rk_ratio){.num = n, .den = 1};
}

rk_ratio rk_ratio_make(rk_acc *acc, rk_i128 num, rk_i128 den)
{
    rk_i128 g = den == 1 ? 1 : rk_gcd(num, den);

    if (g > 1) {
        num /= g;
        den /= g;
    }
    if (den < 0) {
        num = rk_sub(acc, 0, num);
        den = rk_sub(acc, 0, den);
    }
    return acc->overflow ? rk_ratio_int(0) : (rk_ratio){.num = num, .den = den};
}

/* Over the least common denominator, so that sums of halves stay small. */
rk_ratio rk_ratio_add(rk_acc *acc, rk_ratio a, rk_ratio b)
{
    rk_i128 g;

    if (a.den == b.den)
        return rk_ratio_make(acc, rk_add(acc, a.num, b.num), a.den);
    g = rk_gcd(a.den, b.den);
    return rk_ratio_make(acc, rk_add(acc, rk_mul(acc, a.num, b.den / g), rk_mul(acc, b.num, a.den / g)),
                         rk_mul(acc, a.den / g, b.den));
}

/* Reduced crosswise first: the products then overflow only if the result does. */
rk_ratio rk_ratio_mul(rk_acc *acc, rk_ratio a, rk_ratio b)
{
    rk_i128 g, h;
    rk_ratio r;

    if (a.num == 0 || b.num == 0)
        return rk_ratio_int(0);
    if (a.den == 1 && b.den == 1) { /* most of them: nothing is divided */
        r = rk_ratio_int(rk_mul(acc, a.num, b.num));
        return acc->overflow ? rk_ratio_int(0) : r;
    }
    g = b.den == 1 ? 1 : rk_gcd(a.num, b.den);
    h = a.den == 1 ? 1 : rk_gcd(b.num, a.den);
    r.num = rk_mul(acc, a.num / g, b.num / h);
    r.den = rk_mul(acc, a.den / h, b.den / g);
    return acc->overflow ? rk_ratio_int(0) : r;
}

rk_ratio rk_ratio_inverse(rk_acc *acc, rk_ratio a)
{
    return rk_ratio_make(acc, a.den, a.num);
}

rk_ratio rk_ratio_pow(rk_acc *acc, rk_ratio a, int power)
{
    unsigned e = power < 0 ? -(unsigned)power : (unsigned)power;

    if (power < 0)
        a = rk_ratio_inverse(acc, a);
    if (e == 1)
        return acc->overflow ? rk_ratio_int(0) : a;
    a.num = rk_pow(acc, a.num, e);
    a.den = a.den == 1 ? 1 : rk_pow(acc, a.den, e);
    return acc->overflow ? rk_ratio_int(0) : a;
}

int rk_ratio_compare(rk_acc *acc, rk_ratio a, rk_ratio b)
{
    rk_i128 left, right, g;

    if ((a.num < 0) != (b.num < 0))
        return a.num < 0 ? -1 : 1;
    g = rk_gcd(a.den, b.den);
    left = rk_mul(acc, a.num, b.den / g);
    right = rk_mul(acc, b.num, a.den / g);
    return (left > right) - (left < right);
}

rk_ratio rk_ratio_gcd(rk_acc *acc, rk_ratio a, rk_ratio b)
{
    rk_i128 den = rk_mul(acc, a.den / rk_gcd(a.den, b.den), b.den);

    return (rk_ratio){.num = rk_gcd(a.num, b.num), .den = acc->overflow ? 1 : den};
}
